"""Names at a table whose cards are known: what fits several cards, or is too short for any, means one of these."""

from __future__ import annotations

from collections.abc import Set

from thunderref.search.index import Index
from thunderref.search.query import Found, Hit
from thunderref.text.folding import weighty

SHORTEST = 2
"""Letters that may stand for a card of the table."""
SHORT = 76
_FAR_FETCHED = ("spelling", "layout", "contained")


def meant_at_table(index: Index, form: str, found: Found, allowed: Set[str] | None) -> Found:
    """What ``found`` means at the table of the database, of the ``allowed`` cards only.

    Among several equals it is those on the table. If there are none, or only a guess at what was mistyped, it is the
    card on the table that the query abbreviates: ``fs`` or ``fl`` for Flaming Sword.
    """
    tonight = index.database.tonight
    cards = tonight if allowed is None else tonight & allowed
    equals = found.hits[: found.equals]
    here = [hit for hit in equals if hit.id in cards]
    if cards and not here and (len(equals) != 1 or equals[0].how in _FAR_FETCHED):
        here = _abbreviated(index, form, cards)
    if not here:
        return found
    ids = {hit.id for hit in here}
    return Found((*here, *(hit for hit in found.hits if hit.id not in ids)), len(here))


def _abbreviated(index: Index, form: str, cards: Set[str]) -> list[Hit]:
    """The cards with a name, in any language, that begins with ``form`` or has these initials; else a word of it."""
    if len(form) < SHORTEST or " " in form:
        return []
    names = [entry for entry in index.entries if entry.row.kind == "card" and entry.row.subject in cards]
    found = [each for each in names if form in _initials(each.words) or each.words[0].startswith(form)]
    found = found or [each for each in names if any(word.startswith(form) for word in each.words)]
    hits = {row.subject: Hit(row.subject, SHORT, "abbreviation", row.lang, row.name) for _, _, row in reversed(found)}
    return sorted(hits.values(), key=lambda hit: index.positions[hit.id])


def _initials(words: tuple[str, ...]) -> set[str]:
    return {"".join(word[0] for word in each) for each in (words, weighty(words))}
