"""The documents of the commands: those of ``/api/NAME``, and what the pages are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import thunderref
from thunderref.database.read import open_database
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.names import ambiguous_card, search_cards
from thunderref.search.rules import find_rules, rule_record
from thunderref.serve.parameters import PARAMETERS
from thunderref.serve.work import Workers
from thunderref.text.language import Language
from thunderref.thunderstone.resolve.final_score import with_decks
from thunderref.thunderstone.setup.steps import localise

SEARCHING = frozenset(("resolve", "village", "odds", "score", "setup"))
"""Answers that may take long."""


class PartlyError(Exception):
    """An error with what there is all the same: an ambiguous name with the cards it fits."""

    def __init__(self, error: ThunderrefError, document: Mapping[str, Any]) -> None:
        super().__init__(error)
        self.error = error
        self.document = document


def words_of(lang: str) -> Language:
    """The words of a language, read once for each thread: a connection to a database belongs to one."""
    return open_database().derived(Language, lang)


def answer(name: str, document: Mapping[str, Any], lang: str, workers: Workers) -> dict[str, Any]:
    """What the command ``name`` prints with ``--json``; raises as it does, or :class:`PartlyError`."""
    asked = dict(document)
    if name in ("card", "rule", "ask"):
        return _LOOK_UPS[name](str(asked.get("q") or ""), _limit(asked), lang)
    if name == "setup":
        made: dict[str, Any] = setup(asked, lang).model_dump()
        return made
    if name == "score":
        return thunderref.score(decks_of(asked), lang).model_dump()
    found: dict[str, Any] = _SEARCHES[name](asked, lang, workers, _budget(asked)).model_dump()
    return found


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


def card(query: str, limit: int | None, lang: str) -> dict[str, Any]:
    document = thunderref.lookup(query, lang, limit or 1).model_dump()
    if len(document["matches"]) > 1 and (limit or 1) == 1:
        database = open_database()
        raise PartlyError(ambiguous_card(database, query, search_cards(database, query), lang), document)
    return document


def rule(query: str, limit: int | None, lang: str) -> dict[str, Any]:
    database = open_database()
    hits = find_rules(database, query, lang)
    return {"query": query, "matches": [rule_record(database, hit, lang) for hit in hits[:limit]]}


def ask(question: str, limit: int | None, lang: str) -> dict[str, Any]:
    options = {} if limit is None else {"limit": limit}
    return thunderref.ask(question, lang, **options).model_dump()


_LOOK_UPS: Mapping[str, Callable[[str, int | None, str], dict[str, Any]]] = {"card": card, "rule": rule, "ask": ask}


def resolve(document: dict[str, Any], lang: str, workers: Workers, seconds: float | None = None) -> Any:
    _check_hand(document)
    if "hall" not in document:
        if not document.get("rank0"):
            raise InputError("empty-hall")
        document["hall"] = []
    return thunderref.resolve(document, words=words_of(lang), gaps=True, budget=workers.budget(seconds))


def village(document: dict[str, Any], lang: str, workers: Workers, seconds: float | None = None) -> Any:
    _check_hand(document)
    return thunderref.village(document, words=words_of(lang), budget=workers.budget(seconds))


def odds(document: dict[str, Any], lang: str, workers: Workers, seconds: float | None = None) -> Any:
    if "deck_list" not in document:
        raise InputError("no-deck-list")
    if not document.get("first_battle") and not document.get("next_hand"):
        _check_hand(document)
    if not document.get("next_hand") and "hall" not in document and "rank0" not in document:
        raise InputError("empty-hall")
    return thunderref.odds(document, lang, watch=workers.watch(seconds))


_SEARCHES: Mapping[str, Callable[..., Any]] = {"resolve": resolve, "village": village, "odds": odds}


def _check_hand(document: Mapping[str, Any]) -> None:
    if "hand" not in document:
        raise InputError("empty-hand")


def setup(asked: Mapping[str, Any], lang: str) -> Any:
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
        return thunderref.generate_setup(**asked, lang=lang, database=open_database())
    except ThunderrefError as error:
        localise(error, words_of(lang))
        raise


def decks_of(asked: dict[str, Any]) -> dict[str, Any]:
    """The document of decks: with those of an address, under ``p``, and their ``penalty``."""
    decks, penalties = (asked.pop(key, None) or [] for key in ("p", "penalty"))
    return with_decks(asked, [str(each) for each in decks], [str(each) for each in penalties])
