"""Lists of cards in an address, and what one tap does to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote

from starlette.datastructures import QueryParams

from thunderref.database.read import Database
from thunderref.errors import ThunderrefError
from thunderref.search.names import search_cards
from thunderref.serve.api import bounded
from thunderref.text.language import Language
from thunderref.thunderstone.resolve.start import counted, split_list

EMPTY = "-"
"""An empty rank."""
MOST_TEXT = 200
"""Characters of what is typed at once."""
MOST_CANDIDATES = 6
TAPS = ("add", "drop", "undo", "type")


class Limit(NamedTuple):
    """What a list may hold: so many cards of these kinds, and empty ranks."""

    most: int
    kinds: frozenset[str]
    gaps: bool = False


class Unclear(NamedTuple):
    """An entry that names no card for sure: why, and the cards it may mean."""

    entry: str
    error: ThunderrefError
    candidates: tuple[str, ...]
    copies: int


@dataclass(frozen=True)
class Reader:
    """Reads the names of cards."""

    words: Language

    @property
    def database(self) -> Database:
        return self.words.database

    def read(self, text: str, limit: Limit) -> tuple[list[str], list[str]]:
        """The cards that are named, copies repeated, and the entries that name none for sure."""
        cards, rest = [], []
        for entry in split_list(text, self.database):
            found = self.entry(entry, limit)
            if isinstance(found, Unclear):
                rest.append(entry)
            else:
                cards += found
        return cards, rest

    def entry(self, entry: str, limit: Limit) -> list[str] | Unclear:
        cards = self.database.cards
        if entry in cards and cards[entry].kind in limit.kinds:
            return [cards[entry].reprint_of or entry]
        if limit.gaps and entry in (EMPTY, "–", "—"):
            return [EMPTY]
        copies, near = 1, tuple[str, ...]()
        try:
            copies, name = counted(entry)
            found = search_cards(self.database, name, limit.kinds)
            near = tuple(hit.id for hit in found.hits[: found.equals])
            if len(near) == 1:
                return [near[0]] * min(copies, limit.most)
            raise _why(self.database, name, limit, self.words.lang)
        except ThunderrefError as error:
            return Unclear(entry, error, near[:MOST_CANDIDATES] or self._named(error), min(copies, limit.most))

    def _named(self, error: ThunderrefError) -> tuple[str, ...]:
        """The ids of the cards that an error names as the nearest."""
        names = self.database.names_of("card", self.words.lang)
        ids = {row.name: card for card, row in reversed(names.items())}
        return tuple(ids[name] for name in error.candidates[:MOST_CANDIDATES] if name in ids)


def _why(database: Database, name: str, limit: Limit, lang: str) -> ThunderrefError:
    from thunderref.search.names import find_card

    try:
        find_card(database, name, limit.kinds, lang=lang)
    except ThunderrefError as error:
        return error
    raise AssertionError(name)  # the search has just found no card, or several


def tapped(cards: Sequence[str], query: QueryParams, limit: Limit, reader: Reader) -> tuple[list[str], list[str]]:
    """The list after the taps of an address, and the entries typed that name no card for sure."""
    left, rest = list(cards), list[str]()
    if "undo" in query:
        del left[-1:]
    for entry in split_list(query.get("drop", "")):
        if entry in left:
            del left[len(left) - 1 - left[::-1].index(entry)]
    for text in (query.get("add", ""), query.get("type", "")[:MOST_TEXT]):
        more, unclear = reader.read(text, limit)
        left += more
        rest += unclear
    return left[: limit.most], rest


def listed(text: str, limit: Limit, reader: Reader) -> tuple[list[str], list[str]]:
    cards, rest = reader.read(str(bounded(text)), limit)
    return cards[: limit.most], rest


def address(path: str, parts: Mapping[str, str | Sequence[str]]) -> str:
    """The address of a page; what is empty is left out, what repeats is written several times."""
    pairs = [(key, each) for key, value in parts.items() for each in ([value] if isinstance(value, str) else value)]
    query = "&".join(f"{quote(key)}={quote(value, safe=',:-')}" for key, value in pairs if value)
    return f"{path}?{query}" if query else path
