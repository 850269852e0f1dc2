"""Boxes of users and of others, their cards, and games that are not known: none of them is taken for ours."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from thunderref.database.own_boxes import place_of, titles
from thunderref.database.read import Database
from thunderref.errors import NoAnswerError
from thunderref.text.folding import fold_query, join_words, weighty
from thunderref.text.stems import tokens

if TYPE_CHECKING:
    from thunderref.database.card_records import Card

_LEAST = 6
"""Letters of a name that may be mistyped."""
_LONGEST = 6
"""Words of a box's name at most."""
_ASKING = ("list.words.asks", "list.words.counts", "list.words.contents")
_IDLE = ("list.words.talk", "list.words.listing", "list.words.expansion", "list.words.places", "door.words.cards")
"""The messages with the words of a question for what a box holds; none but these stand in one."""


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


class NamedBox(NamedTuple):
    """A box that is none of the package's and that a line names: a user's that is ``on`` or ``off``, or an ``unknown``
    one, of which only names of cards are known.
    """

    ident: str
    name: str
    state: Literal["on", "off", "unknown"]
    is_alone: bool = False
    """Whether the line says nothing else."""
    asks_contents: bool = False
    """Whether the line asks for nothing but what the box holds."""

    @property
    def refusal(self) -> NoAnswerError | None:
        """Why nothing is known of its cards, and the remedy: ``box-off``, ``unknown-box``; None if it is on."""
        if self.state == "off":
            return NoAnswerError("box-off", own_box=self.ident)
        return None if self.state == "on" else NoAnswerError("unknown-box", name=self.name, own_box=self.ident)


class Contents(NamedTuple):
    """What a user's box holds: its title by language, its copies by kind, and its cards by id if it is on."""

    box: NamedBox
    titles: dict[str, str]
    copies: dict[str, int]
    cards: list[str]


def contents_of(database: Database, box: NamedBox) -> Contents | None:
    """What a box holds; that of one that is off is read from its files. None for one that is broken or unknown."""
    titled = {lang: row.name for lang, row in database.names("set", box.ident).items()}
    cards: Sequence[Card] = [card for card in database.cards.values() if card.set_id == box.ident]
    if box.state == "off":
        from thunderref.database.own_sources import read_own_box  # which look-ups do not need

        if (sources := read_own_box(place_of(box.ident), database).sources) is None:
            return None
        cards = sources.cards
        titled = {lang: words.sets[box.ident].name for lang, words in sources.glossaries.items() if words.sets}
    copies = Counter[str]()
    for card in cards:
        copies[card.kind] += card.count
    return Contents(box, titled, copies, [card.id for card in cards if box.state == "on"]) if cards else None


def named_box(database: Database, text: str) -> NamedBox | None:
    """The box that is none of the package's and that a line names, but for a card that is called after it."""
    words, boxes = fold_query(text).split(), database.derived(_named_boxes)
    there = {title: NamedBox(box, "", "off") for title, box in titles().items() if box not in boxes.used}
    there = boxes.unknown | there | boxes.on
    for size in range(min(_LONGEST, len(words)), 0, -1):
        for at in range(len(words) - size + 1):
            form, end = " ".join(words[at : at + size]), at + size
            spans = ((a, b) for a in range(at + 1) for b in range(end, len(words) + 1) if size < b - a <= _LONGEST)
            if form not in there or (form not in boxes.on and form in database.derived(_own_words)):
                continue
            if not any(other_card(database, " ".join(words[a:b])) for a, b in spans):
                left = {*words[:at], *words[end:]}
                asks = not boxes.asking.isdisjoint(left) and left <= boxes.asking | boxes.idle
                return there[form]._replace(is_alone=not left, asks_contents=asks)
    return None


class _Boxes(NamedTuple):
    """The boxes that a database knows: the ids of those ``used``, the users' and those of which only names of cards are
    known by what they are called; the words of questions for what a box holds.
    """

    used: frozenset[str]
    on: dict[str, NamedBox]
    unknown: dict[str, NamedBox]
    asking: frozenset[str]
    idle: frozenset[str]


def _named_boxes(database: Database) -> _Boxes:
    used = frozenset(box for (box,) in database.query("SELECT id FROM sets"))
    sql = "SELECT phrase, id FROM phrases JOIN sets ON value = 'set:' || id WHERE digest != ''"
    own = {phrase: NamedBox(box, "", "on") for phrase, box in database.query(sql)}
    rows = database.query("SELECT record FROM setup_records WHERE kind = 'other-box'")
    named = ((box["id"], box["name"]) for box in (json.loads(record) for (record,) in rows) if box["name"])
    unknown = {
        fold_query(title): NamedBox(box, name, "unknown")
        for box, name in named
        if box not in used
        for title in (box, name)
    }
    asking, idle = (frozenset(word for key in keys for word in database.words(key)) for keys in (_ASKING, _IDLE))
    return _Boxes(used, own, unknown, asking, idle)


def _own_words(database: Database) -> set[str]:
    """What is a name of ours, a word of one, or says something in a list: no title of a box takes its place."""
    said = {phrase for (phrase,) in database.query("SELECT phrase FROM phrases")}
    boxes = database.derived(_named_boxes)
    return database.derived(_own_names) | said | boxes.asking | boxes.idle


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
