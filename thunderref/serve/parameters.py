"""The parameters of the answers, in an address or in a document that is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

from thunderref.errors import InputError
from thunderref.thunderstone.resolve.start import split_hall, split_list

MOST_LETTERS = 2_000
"""Of one text."""
MOST_ENTRIES = 300
"""Of one list."""


class TooMuchError(Exception):
    """A text or a list longer than anything a table needs."""


class Parameter(NamedTuple):
    """``kind``: text, number, decimal, flag, cards (separated by commas), ranks (rank 1 first), texts (repeated)."""

    name: str
    kind: str = "text"
    key: str = ""
    """Its key in the document if that is another."""


def _named(*names: str) -> tuple[Parameter, ...]:
    # ``name:kind`` or ``name:kind:key``
    return tuple(Parameter(*name.split(":")) for name in names)


_BATTLE = _named(
    "hand:cards", "hall:ranks", "rank0:cards", "rank:number:target", "target:number", "dungeon:cards", "ruleset",
    "reading:texts:readings",
)  # fmt: skip
PARAMETERS: Mapping[str, tuple[Parameter, ...]] = {
    "card": _named("q", "limit:number"),
    "rule": _named("q", "limit:number"),
    "ask": _named("q", "limit:number"),
    "setup": _named(
        "code", "players:number", "set:texts:sets", "monsters:number", "seed:number", "first_game", "theme", "variant",
        "level", "require:texts", "exclude:texts", "balanced:flag", "mix", "spread:flag", "around", "stone",
        "lock:texts", "reroll:texts", "after", "winner:number", "why:flag",
    ),
    "resolve": (
        *_BATTLE, *_named("goal", "deck:cards", "village:cards", "discard:cards", "players:number", "xp:number"),
        *_named("why_not:texts", "budget:decimal"),
    ),
    "village": _named(
        "hand:cards", "deck:cards", "stacks:cards", "xp:number", "players:number", "goal", "ruleset", "budget:decimal"
    ),
    "odds": (
        *_BATTLE, *_named("deck_list:cards", "discard:cards", "first_battle:flag", "next_hand:flag", "exact:flag"),
        *_named("samples:number", "seed:number", "budget:decimal"),
    ),
    "score": _named("p:texts", "penalty:texts"),
}  # fmt: skip
"""Name of an answer -> what it takes in an address."""
KINDS = ("flag", "cards", "ranks", "texts", "number", "decimal", "text")


def document_of(name: str, query: QueryParams) -> dict[str, Any]:
    """The document that an address asks about; what it does not name is left out.

    Raises :class:`InputError` for what is no number where one is needed, :class:`TooMuchError`.
    """
    return {each.key or each.name: _value(each, query) for each in PARAMETERS[name] if query.get(each.name)}


def _value(parameter: Parameter, query: QueryParams) -> Any:
    given = bounded(query.getlist(parameter.name))
    text, kind = given[-1], parameter.kind
    if kind == "texts":
        return [each for each in given if each]
    if kind == "cards":
        return bounded(split_list(text))
    if kind == "ranks":
        return bounded(split_hall(text))
    if kind == "flag":
        return text not in ("0", "false", "no")
    if kind == "text":
        return text
    try:
        number = float(text) if kind == "decimal" else int(text)
    except ValueError:
        number = None
    if number is None or not abs(number) < 1e15:
        raise InputError("bad-value", key=parameter.name, value=text[:40])
    return number


def bounded(value: Any) -> Any:
    """The value; raises :class:`TooMuchError` if a text or a list in it is too long."""
    if isinstance(value, str):
        if len(value) > MOST_LETTERS:
            raise TooMuchError
    elif isinstance(value, list | dict):
        if len(value) > MOST_ENTRIES:
            raise TooMuchError
        for each in value:
            bounded(each)
            if isinstance(value, dict):
                bounded(value[each])
    return value
