"""Look-ups for Python: the result of ``thunderref card`` as typed objects."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from thunderref.errors import InputError
from thunderref.lookup.passages import cards_by_text
from thunderref.lookup.record import card_record
from thunderref.lookup.search import search_cards, unknown_card
from thunderref.store.read import open_store


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow")


class ClarificationText(_Result):
    """A ruling on the card in one language, with the rules it follows from."""

    id: str
    lang: str
    text: str
    rules: list[str]


class ConflictText(_Result):
    """What editions disagree on, and the reading taken."""

    text: str
    sources: list[str]


class Ability(_Result):
    """An ability in printed order: when it works and what it does, by language."""

    timing: str
    text: dict[str, str]


class CardMatch(_Result):
    """A card found; figures the card lacks are None. ``score`` is 0 to 100."""

    id: str
    score: int = Field(ge=0, le=100)
    name: dict[str, str | None]
    set: str
    kind: str
    family: str | None
    level: int | None
    count: int
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
    clarifications: list[ClarificationText]
    conflicts: list[ConflictText]
    abilities: list[Ability]


class LookupResult(_Result):
    """The cards a query finds, best first; several only where it is ambiguous or more were asked for."""

    query: str
    matches: list[CardMatch]


def lookup(query: str, lang: str | None = None, limit: int = 1) -> LookupResult:
    """The card (or cards) that ``query`` names, in whatever of the languages.

    ``lang`` is the language of what comes in one language only (default English); ``limit`` above 1 asks for the next
    best matches too. Raises :class:`thunderref.errors.NoAnswerError` (``unknown-card``) if nothing fits and
    :class:`thunderref.errors.InputError` for an empty query, a limit below 1 or an unknown language.
    """
    if limit < 1:
        raise InputError("bad-limit", value=limit)
    store = open_store()
    if lang is not None and lang not in store.languages:
        raise InputError("unknown-language", lang=lang, candidates=list(store.languages))
    found = search_cards(store, query, more=limit > 1)
    if not found.hits:
        found = cards_by_text(store, query)
    if not found.hits:
        raise unknown_card(store, query, lang=lang or "en")
    hits = found.hits[: limit if limit > 1 else found.equals]
    records = [card_record(store, hit.id, lang or "en", hit) for hit in hits]
    return LookupResult.model_validate({"query": query, "matches": records})
