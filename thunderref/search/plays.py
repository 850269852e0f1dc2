"""Reads a play, steps separated by commas in the words of any language, as the steps of a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from thunderref.database.card_records import HALL_KINDS, HAND_KINDS
from thunderref.database.read import Database
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.names import find_card
from thunderref.text.folding import fold_query
from thunderref.text.stems import query_stems

_BEGINS = frozenset(("use", "equip", "forgo", "disease", "battle", "attack", "buy"))
"""The keys that begin a step."""
_STATS = frozenset(("disease", "from"))
"""Keys after which a kind of Attack stands."""
_ONTO = re.compile(r"->|=>|→")
_WORD = re.compile(r"[^\W_][\w'’#-]*|/")


def read_play(database: Database, hall: Mapping[int, str], typed: str) -> Iterator[dict[str, Any]]:
    """The steps of a play, in the words of plans in any language; ``hall``: the monster of each rank.

    A card, an arrow and a hero will do as well, a card alone uses its effect, a rank alone attacks.
    Raises :class:`InputError` (``no-play``) for an empty play, or a word that names nothing, and as :func:`find_card`.
    """
    keys = database.words("list.words.play")
    parts = [_WORD.findall(_ONTO.sub(" to ", step)) for step in re.split(r"[;,\n]", typed)]
    if not any(parts):
        raise InputError("no-play")
    for step in filter(None, parts):
        words = [keys.get(word, word) for token in step for word in _folded(token)]
        begins = [] if words[0] in _BEGINS else ["attack" if words[0].isdecimal() else "use"]
        said_for = _by_key([*begins, *words], {*keys.values(), *(["militia"] if "beguiler" in words else [])})
        if not all(said_for.values()):
            raise InputError("no-play")
        yield _onto(database, {key: _value(database, hall, key, names) for key, names in said_for.items()})


def _folded(word: str) -> list[str]:
    """A word as names are compared, a copy's number (``#2``) kept."""
    name, sign, number = word.partition("#")
    *before, last = fold_query(name).split() or [name]
    return [*before, f"{last}{sign}{number}"]


def _by_key(words: Sequence[str], keys: set[str]) -> dict[str, list[str]]:
    """Return the words behind each key; the first word is one, and ``attack`` is also what a Disease is put on."""
    groups: dict[str, list[str]] = {}
    for word in words:
        key = next(reversed(groups), "")
        open_ = key in _STATS or (key == "battle" and groups[key] == ["cannot"])
        if word in keys and not open_ and all(groups.values()):
            groups[word] = []
        else:
            groups[key].append(word)
    return groups


def _value(database: Database, hall: Mapping[int, str], key: str, words: Sequence[str]) -> Any:
    text = " ".join(words)
    if key in _STATS:
        return "magic_attack" if any(database.derived(_is_magic, word) for word in words) else "attack"
    if key == "battle":
        return text.replace(" ", "-")
    if key == "order":
        return text.split(" / ")
    if key == "attack" and not text.isdecimal():
        foe = find_card(database, text, HALL_KINDS)
        return next((rank for rank, there in hall.items() if there == foe), foe)
    return int(text) if text.isdecimal() else text


def _is_magic(database: Database, word: str) -> bool:
    """Return whether a word is a form of one that means Magic Attack."""
    rows = database.query("SELECT lang, text FROM messages WHERE key = 'ask.words.figure.magic_attack'")
    forms = ((lang, query_stems(form, lang)) for lang, text in rows for form in fold_query(text).split())
    return any(not stems.isdisjoint(query_stems(word, lang)) for lang, stems in forms)


def _onto(database: Database, step: dict[str, Any]) -> dict[str, Any]:
    """What goes to a hero: a weapon is equipped, another card used on him."""
    hero = step.get("to") or step.get("on")
    if "use" in step and "to" in step and "draw" not in step:
        card = find_card(database, str(step["use"]).partition("#")[0], HAND_KINDS)
        key, onto = ("equip", "to") if "weapon" in database.cards[card].types else ("use", "on")
        return {key: step["use"], **{k: value for k, value in step.items() if k not in ("use", "to")}, onto: hero}
    if "equip" in step:
        return {"equip": step["equip"], "to": hero} if hero else _parted(database, step["equip"])
    return step


def _parted(database: Database, text: str) -> dict[str, Any]:
    """Return the step that equips a hero named behind the weapon, with no word between them."""
    words = text.split()
    for split in range(1, len(words)):
        with suppress(ThunderrefError):
            weapon, hero = (find_card(database, " ".join(name), HAND_KINDS) for name in (words[:split], words[split:]))
            if "weapon" in database.cards[weapon].types and database.cards[hero].is_hero:
                return {"equip": weapon, "to": hero}
    return {"equip": text}
