"""Lists of cards in an address, and what one tap does to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote

from starlette.datastructures import QueryParams

from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.search.names import find_card
from thunderref.search.query import shorten
from thunderref.serve.api import check_size
from thunderref.thunderstone.resolve.start import read_count, split_list

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
class CardNames:
    """Reads the names of cards."""

    words: Language

    def read(self, text: str, limit: Limit) -> tuple[list[str], list[str]]:
        """The cards that are named, copies repeated, and the entries that name none for sure."""
        cards, rest = [], []
        for entry in split_list(text, self.words.database):
            found = self.entry(entry, limit)
            if isinstance(found, Unclear):
                rest.append(entry)
            else:
                cards += found
        return cards, rest

    def entry(self, entry: str, limit: Limit) -> list[str] | Unclear:
        cards = self.words.database.cards
        if entry in cards and cards[entry].kind in limit.kinds:
            return [cards[entry].reprint_of or entry]
        if limit.gaps and entry in (EMPTY, "–", "—"):
            return [EMPTY]
        copies = 1
        try:
            copies, name = read_count(entry)
            return [find_card(self.words.database, name, limit.kinds, lang=self.words.lang)] * min(copies, limit.most)
        except ThunderrefError as error:
            near = tuple(each.id for each in error.candidates if each.id in cards)
            return Unclear(entry, error, near[:MOST_CANDIDATES], min(copies, limit.most))


class TappedLists:
    """The lists of an address by name, as texts, and what a tap does to them.

    ``rest`` is what names no card for sure; ``is_tapped`` is True if there is a tap in the address.
    """

    def __init__(
        self, texts: Mapping[str, str], limits: Mapping[str, Limit], query: QueryParams, names: CardNames
    ) -> None:
        self._limits, self._query, self._names = limits, query, names
        self.cards, unclear = dict[str, tuple[str, ...]](), list[str]()
        for name, text in texts.items():
            cards, rest = names.read(str(check_size(text)), limits[name])
            self.cards[name] = tuple(cards[: limits[name].most])
            unclear += rest
        self.is_tapped = any(tap in query for tap in TAPS)
        typed = query.get("rest", "")[:MOST_TEXT]
        if "add" in query:  # what was still unclear beside the card that is now chosen
            unclear.append(typed)
        elif not self.is_tapped:
            unclear = unclear or [typed]
        self._unclear = unclear

    @property
    def rest(self) -> str:
        return ", ".join(filter(None, self._unclear))[:MOST_TEXT]

    def tap(self, name: str) -> None:
        """Takes the last card out of a list, or another, and puts the cards in that are added or typed."""
        left, limit, query = list(self.cards[name]), self._limits[name], self._query
        if "undo" in query:
            del left[-1:]
        for entry in split_list(query.get("drop", "")):
            if entry in left:
                del left[len(left) - 1 - left[::-1].index(entry)]
        for text in (query.get("add", ""), query.get("type", "")[:MOST_TEXT]):
            cards, unclear = self._names.read(text, limit)
            left += cards
            self._unclear += unclear
        self.cards[name] = tuple(left[: limit.most])


def unclear_entry(rest: str, limit: Limit, names: CardNames) -> dict[str, Any]:
    """What asks for the first entry that is still to be made clear, and the entries beside it."""
    entries = [entry.strip() for entry in rest.split(",") if entry.strip()]
    for place, entry in enumerate(entries):
        found, words = names.entry(entry, limit), names.words
        if isinstance(found, Unclear):
            left = ", ".join((*entries[:place], *entries[place + 1 :]))
            several = words.say("serve.several", query=shorten(entry))
            text = several if found.error.code == "ambiguous-card" else words.error(found.error)
            return {"unclear": found, "unclear_rest": left, "unclear_text": text}
    return {"unclear": None, "unclear_rest": "", "unclear_text": ""}


def given_address(path: str, names: Sequence[str], query: QueryParams) -> str:
    """The address that was asked for, without what no page reads; only the address without its taps stays."""
    taps = [tap for tap in (*TAPS, "to") if tap in query]
    return address(path, {name: query.getlist(name) for name in (*names, *taps)})


def address(path: str, parts: Mapping[str, str | Sequence[str]]) -> str:
    """The address of a page; what is empty is left out, what repeats is written several times."""
    pairs = [(key, each) for key, value in parts.items() for each in ([value] if isinstance(value, str) else value)]
    query = "&".join(f"{quote(key)}={quote(value, safe=',:-')}" for key, value in pairs if value)
    return f"{path}?{query}" if query else path
