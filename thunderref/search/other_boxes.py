"""Cards of boxes that the program does not judge, and games that it does not know: neither is taken for ours."""

from __future__ import annotations

import json
from typing import NamedTuple

from thunderref.database.read import Database
from thunderref.text.folding import fold_query, join_words, weighty
from thunderref.text.stems import tokens

_LEAST = 6
"""Letters of a name that may be mistyped."""


class OtherCard(NamedTuple):
    """A card of another box; ``box`` is its name, "" where it is not known, and ``ident`` its id."""

    name: str
    box: str
    ident: str


def other_card(database: Database, text: str) -> OtherCard | None:
    """The card of another box that a text names, with one typing error at most.

    None for a name of ours, and for a word of one: ``thug``.
    """
    form = fold_query(text)
    joined, cards = _joined(form), database.derived(_other_cards)
    if joined in cards:
        return None if form in database.derived(_own_names) else cards[joined]
    if len(joined) < _LEAST or database.is_name(form):
        return None
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    near = extractOne(joined, [*cards], scorer=OSA.distance, score_cutoff=1)
    ours = near and extractOne(joined, map(_joined, database.derived(_own_names)), scorer=OSA.distance, score_cutoff=1)
    return cards[near[0]] if near and not ours else None


def _joined(form: str) -> str:
    words = form.split()
    return join_words(" ".join(weighty(words) or words))


def _other_cards(database: Database) -> dict[str, OtherCard]:
    """The cards of other boxes by their names without blanks and small words."""
    rows = database.query("SELECT record FROM setup_records WHERE kind = 'other-box'")
    boxes = [json.loads(record) for (record,) in rows]
    return {
        _joined(fold_query(name)): OtherCard(name, box["name"], box["id"]) for box in boxes for name in box["names"]
    }


def _own_names(database: Database) -> set[str]:
    """Our names and their words."""
    names = {form for (form,) in database.query("SELECT form FROM names")}
    return names.union(*map(str.split, names))


def names_unknown_game(database: Database, text: str) -> bool:
    """Return whether a game that thunderref does not know is named for more than a comparison with it."""
    alike, unknown = database.derived(_unknown_games)
    forms = fold_query(text).split()
    for lang, games in unknown.items():
        stems = tokens(text, lang)
        for name in games:
            starts = (start for start in range(len(stems)) if stems[start : start + len(name)] == name)
            if any(alike.isdisjoint(forms[1:start]) for start in starts):
                return True
    return False


def _unknown_games(database: Database) -> tuple[frozenset[str], dict[str, list[list[str]]]]:
    """Return the words that compare, and the tokens of the names of games that thunderref does not know."""
    sql = "SELECT lang, text FROM messages WHERE key = 'ask.words.unknown-games'"
    unknown = {lang: [tokens(game, lang) for game in names.split(";")] for lang, names in database.query(sql)}
    return frozenset(database.words("ask.words.as-in")), unknown
