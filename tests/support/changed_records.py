"""Records of abilities with one part changed: an amount, a condition, a timing, whom it hits."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

from msgspec.structs import fields, replace

from thunderref.database.operations import Condition, Effect, Op, Select, Timing

UNTOLD = frozenset(("reason", "name", "id", "rules"))
"""Fields that say nothing of what an ability does."""
OTHERS = 3
"""So many other words of a field are tried."""


def changed(effect: Effect, types: list[str]) -> Iterator[tuple[str, Effect]]:
    """The effect with one part changed in every way, and what was changed; ``types`` are those that cards have."""
    timings = typing.get_args(Timing)
    yield "timing", replace(effect, timing=timings[timings.index(effect.timing) - 1])
    yield "mandatory", replace(effect, mandatory=not effect.is_mandatory)
    for field in ("cost", "do"):
        operations = getattr(effect, field)
        for place, operation in enumerate(operations):
            before, after = operations[:place], operations[place + 1 :]
            for what, other in _changed(operation, types):
                yield f"{operation.op}.{what}", replace(effect, **{field: (*before, other, *after)})
            if field == "cost" or len(operations) > 1:
                yield f"{operation.op} removed", replace(effect, **{field: (*before, *after)})


def _changed(record: Op | Select | Condition, types: list[str]) -> Iterator[tuple[str, Any]]:
    hints = typing.get_type_hints(type(record))
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name in UNTOLD or value is None:
            continue
        if isinstance(value, Select | Condition):
            if field.default is None:
                yield f"{field.name} dropped", replace(record, **{field.name: None})
            for what, other in _changed(value, types):
                yield f"{field.name}.{what}", replace(record, **{field.name: other})
            continue
        for other in _others(value, _words_of(hints[field.name]) or types):
            yield field.name, replace(record, **{field.name: other})


def _others(value: Any, words: list[str]) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1) if value > 1 else (value + 1,)
    elif isinstance(value, tuple) and value:
        if isinstance(value[-1], int):
            yield (*value[:-1], value[-1] + 1)
        yield from ((*value[:-1], word) for word in words[:OTHERS] if isinstance(value[-1], str) and word not in value)
        if len(value) > 1:
            yield value[:-1]
    elif isinstance(value, str):
        yield from [word for word in words if word != value][:OTHERS]


def _words_of(hint: Any) -> list[str]:
    if typing.get_origin(hint) is typing.Literal:
        return list(typing.get_args(hint))
    return [word for part in typing.get_args(hint) for word in _words_of(part)]
