"""The arguments of a function of the package, checked against its annotations as the keys of a document are."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Annotated, Any, get_args, get_type_hints

from msgspec import UNSET, Meta, defstruct

from thunderref.database.paths import Game
from thunderref.database.read import Database
from thunderref.database.validation import Record, first_fault
from thunderref.errors import InputError
from thunderref.thunderstone.resolve.documents import misfit
from thunderref.thunderstone.setup.request import DrawKeywords, SetupKeywords

_ALIASES = {
    "Count": Annotated[int, Meta(ge=1)], "Seconds": Annotated[float, Meta(ge=0)], "Game": Game, "Database": Database,
    "DrawKeywords": DrawKeywords, "SetupKeywords": SetupKeywords, "Shown": Any,
}  # fmt: skip
"""What annotations of the package name and only a type checker loads; :func:`thunderref.show` checks its own result."""


def check_arguments(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Raises :class:`InputError` for an argument that is missing, unknown, or not of its type."""
    record, places = _record_of(function)
    named = dict(zip(places, args, strict=False))
    spare = [*map(repr, args[len(places) :]), *(named.keys() & keywords.keys())]
    for key in spare:
        raise InputError("unknown-key", key=key[:40], known=", ".join(record.__struct_fields__))
    if fault := first_fault(record, {**named, **keywords}):
        raise misfit(record, fault)


@cache
def _record_of(function: Callable[..., Any]) -> tuple[type[Record], tuple[str, ...]]:
    """The parameters of a function as a record, its keyword options among them; those that may go without a name."""
    parameters = inspect.signature(function).parameters.values()
    hints = get_type_hints(
        SimpleNamespace(__annotations__={one.name: one.annotation for one in parameters}),
        vars(sys.modules[function.__module__]), _ALIASES, include_extras=True,
    )  # fmt: skip
    fields: list[tuple[str, Any, Any] | tuple[str, Any]] = []
    for one in parameters:
        if one.kind is one.VAR_KEYWORD:
            options = get_type_hints(get_args(hints[one.name])[0], include_extras=True)
            fields += [(name, hint, UNSET) for name, hint in options.items()]
        else:
            fields.append((one.name, hints[one.name], *(() if one.default is one.empty else (UNSET,))))
    places = tuple(one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD)
    record: type[Record] = defstruct(function.__name__, fields, bases=(Record,))  # type: ignore[assignment]
    return record, places
