"""The documents of the commands: those of ``/api/NAME``, and what the pages are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import thunderref
from thunderref.database.read import open_database
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.lookup import lookup
from thunderref.search.names import ambiguous_card, search_cards
from thunderref.search.rules import find_rules, rule_record
from thunderref.serve.guard import SearchThreads
from thunderref.serve.parameters import PARAMETERS
from thunderref.text.language import Language
from thunderref.thunderstone.resolve.final_score import final_score, with_decks
from thunderref.thunderstone.resolve.result import OddsResult, Resolution, VisitResult
from thunderref.thunderstone.setup.finished import Setup
from thunderref.thunderstone.setup.steps import localise
from thunderref.thunderstone.setup.tonight import Tonight

SEARCHING = frozenset(("resolve", "village", "odds", "score", "setup"))
"""Answers that may take long."""


class PartlyError(Exception):
    """An error with what there is all the same: an ambiguous name with the cards it fits."""

    def __init__(self, error: ThunderrefError, document: Mapping[str, Any]) -> None:
        super().__init__(error)
        self.error = error
        self.document = document


def words_of(lang: str, now: Tonight | None = None) -> Language:
    """The words of a language, read once for each thread: a connection to a database belongs to one.

    Names mean the cards on the table first, if there is a set-up on it.
    """
    database = open_database()
    return (database if now is None else database.at_table(now.cards)).derived(Language, lang)


@dataclass(frozen=True)
class Asker:
    """Who asks for documents: the words, the set-up on the table, the threads that give the time."""

    words: Language
    now: Tonight | None
    threads: SearchThreads

    def answer(self, name: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """What the command ``name`` prints with ``--json``; raises as it does, or :class:`PartlyError`."""
        asked = dict(document)
        if name in ("card", "rule", "ask"):
            found = _LOOK_UPS[name](str(asked.get("q") or ""), _limit(asked), self.words)
        elif name == "setup":
            found = setup(asked, self.words).model_dump()
        elif name == "score":
            found = final_score(decks_of(asked), words=self.words).model_dump()
        else:
            seconds = _budget(asked)
            found = {"resolve": self.resolve, "village": self.village, "odds": self.odds}[name](
                asked, seconds
            ).model_dump()
        return {**found, **self.mark}

    @property
    def mark(self) -> dict[str, Any]:
        """What every document has beside its own."""
        return {"tonight": self.now and self.now.code}

    def resolve(self, document: dict[str, Any], seconds: float | None = None) -> Resolution:
        _check_hand(document)
        if "hall" not in document:
            if not document.get("rank0"):
                raise InputError("empty-hall")
            document["hall"] = []
        return thunderref.resolve(document, words=self.words, gaps=True, budget=self.threads.budget(seconds))

    def village(self, document: dict[str, Any], seconds: float | None = None) -> VisitResult:
        _check_hand(document)
        if self.now is not None and document.get("stacks") is None:
            document["stacks"] = [*self.now.stacks]
        return thunderref.village(document, words=self.words, budget=self.threads.budget(seconds))

    def odds(self, document: dict[str, Any], seconds: float | None = None) -> OddsResult:
        if "deck_list" not in document:
            raise InputError("no-deck-list")
        if not document.get("first_battle") and not document.get("next_hand"):
            _check_hand(document)
        if not document.get("next_hand") and "hall" not in document and "rank0" not in document:
            raise InputError("empty-hall")
        return thunderref.odds(document, words=self.words, budget=self.threads.budget(seconds))


def _limit(asked: Mapping[str, Any]) -> int | None:
    limit = asked.get("limit")
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        raise InputError("bad-limit", value=str(limit)[:40])
    return limit


def _budget(asked: dict[str, Any]) -> float | None:
    budget = asked.pop("budget", None)
    if budget is None:
        return None
    if not isinstance(budget, int | float) or not budget > 0:
        raise InputError("bad-budget", budget=str(budget)[:40])
    return float(budget)


def card(query: str, limit: int | None, words: Language) -> dict[str, Any]:
    document = lookup(query, words.lang, limit or 1, database=words.database).model_dump()
    if len(document["matches"]) > 1 and (limit or 1) == 1:
        found = search_cards(words.database, query)
        raise PartlyError(ambiguous_card(words.database, query, found, words.lang), document)
    return document


def rule(query: str, limit: int | None, words: Language) -> dict[str, Any]:
    hits = find_rules(words.database, query, words.lang)
    return {"query": query, "matches": [rule_record(words.database, hit, words.lang) for hit in hits[:limit]]}


def ask(question: str, limit: int | None, words: Language) -> dict[str, Any]:
    options = {} if limit is None else {"limit": limit}
    return thunderref.ask(question, words.lang, **options).model_dump()


_LOOK_UPS: Mapping[str, Callable[[str, int | None, Language], dict[str, Any]]] = {
    "card": card, "rule": rule, "ask": ask
}  # fmt: skip


def _check_hand(document: Mapping[str, Any]) -> None:
    if "hand" not in document:
        raise InputError("empty-hand")


def setup(asked: Mapping[str, Any], words: Language) -> Setup:
    """The set-up of these options; raises :class:`InputError` for one that there is not, or of another type."""
    known = {each.key or each.name: each.kind for each in PARAMETERS["setup"]}
    for key, value in asked.items():
        if key not in known:
            raise InputError("unknown-key", key=key[:40], known=", ".join(known))
        kind: type = {"number": int, "flag": bool, "texts": list}.get(known[key], str)
        if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
            raise InputError("bad-value", key=key, value=str(value)[:40])
        if isinstance(value, list) and not all(isinstance(each, str) for each in value):
            raise InputError("bad-value", key=key, value=str(value)[:40])
    try:
        return thunderref.generate_setup(**asked, lang=words.lang, database=open_database())
    except ThunderrefError as error:
        localise(error, words)
        raise


def decks_of(asked: dict[str, Any]) -> dict[str, Any]:
    """The document of decks: with those of an address, under ``p``, and their ``penalty``."""
    given: dict[str, list[str]] = {}
    for key in ("p", "penalty"):
        values = asked.pop(key, None) or []
        if not isinstance(values, list):
            raise InputError("no-list", key=key, value=str(values)[:40])
        given[key] = [str(each) for each in values]
    return with_decks(asked, given["p"], given["penalty"])
