"""Look-ups for Python: the result of ``thunderref card`` as typed objects."""

from __future__ import annotations

from typing import Any

from msgspec import convert

from thunderref.database.read import Database, Language, open_database
from thunderref.database.validation import Record
from thunderref.errors import InputError
from thunderref.search.card import card_document


class Source(Record):
    """A printed place: the rulebook, or ``card``, and the heading there, or the English name of the card."""

    book: str
    section: str


class CardRuling(Record):
    id: str
    lang: str
    text: str
    rules: list[str]
    sources: list[Source]
    reading: bool


class EditionConflict(Record):
    """What editions disagree on about some cards, and the reading taken, in one language and in all."""

    id: str
    cards: list[str]
    text: str
    texts: dict[str, str]
    sources: list[str]


class PrintedAbility(Record):
    timing: str
    mandatory: bool
    text: dict[str, str]


class PrintedCard(Record):
    """What is on a card: ``name`` and ``text`` by language, figures the card lacks are None.

    ``official``: language -> False for a name of our own; ``attested``: the facts were seen ``printed``, in ``two``
    listings or in ``one``; ``text`` is that of all ``abilities``; ``rules``: those the card and its rulings rest on.
    """

    id: str
    name: dict[str, str | None]
    official: dict[str, bool]
    set: str
    kind: str
    family: str | None
    level: int | None
    count: int
    attested: str
    types: list[str]
    cost: int | None
    gold: int | None
    light: int | None
    vp: int | None
    strength: int | None
    weight: int | None
    health: int | None
    xp: int | None
    level_cost: int | None
    light_penalty: int | None
    attack: int | None
    magic_attack: int | None
    text: dict[str, str | None]
    abilities: list[PrintedAbility]
    rules: list[str]


class CardMatch(PrintedCard):
    """All about a card found; ``score`` 0 to 100.

    ``reprints``: the copies in another box; ``levels``: the others of the same hero; ``matched``: how the query found
    it.
    """

    score: int
    reprints: list[dict[str, Any]]
    clarifications: list[CardRuling]
    conflicts: list[EditionConflict]
    levels: list[dict[str, Any]]
    matched: dict[str, str | None]


class LookupResult(Record):
    """The cards a query finds, best first; several only where it is ambiguous or more were asked for."""

    query: str
    matches: list[CardMatch]


def lookup(query: str, lang: str | None = None, limit: int = 1, *, database: Database | None = None) -> LookupResult:
    """The card (or cards) that ``query`` names, in whatever of the languages.

    ``lang`` is the language of what comes in one language only (default English); ``limit`` above 1 asks for the next
    best matches too. Raises :class:`NoAnswerError` (``unknown-card``, ``term-not-card``) if nothing fits and
    :class:`InputError` for an empty query, a limit below 1 or an unknown language.
    """
    if limit < 1:
        raise InputError("bad-limit", value=limit)
    document, _ = card_document(Language(database or open_database(), lang or "en"), query, limit)
    return convert(document, LookupResult)
