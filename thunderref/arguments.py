"""Calls of the package's functions: arguments are checked against the annotations as the keys of a document are."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

from msgspec import UNSET, Meta, defstruct

from thunderref.database.paths import Game
from thunderref.database.read import Language, open_database
from thunderref.database.validation import Record, first_fault
from thunderref.errors import InputError, ThunderrefError
from thunderref.thunderstone.resolve.documents import misfit
from thunderref.thunderstone.setup.request import DrawKeywords, Naming, SetupKeywords

T = TypeVar("T")
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(ge=0)]

_ALIASES = {
    "Count": Count, "Seconds": Seconds, "Game": Game, "DrawKeywords": DrawKeywords, "SetupKeywords": SetupKeywords,
    "Shown": Any,
}  # fmt: skip
"""What annotations of the package name and only a type checker loads; :func:`thunderref.show` checks its own result."""


def call_checked(function: Callable[..., T], args: Sequence[Any], keywords: Mapping[str, Any]) -> T:
    """The result of a function, whose errors get their sentence, in the language of ``lang`` if that is one.

    Raises :class:`InputError` for an argument that is missing, unknown, or not of its type.
    """
    database, (record, places) = open_database(), _record_of(function)
    named = {**dict(zip(places, args, strict=False)), **keywords}
    words = Language(database, lang if (lang := named.get("lang")) in [*database.languages] else None)
    try:
        for key in [*map(repr, args[len(places) :]), *(keywords.keys() & places[: len(args)])]:
            raise InputError("unknown-key", key=key[:40], known=", ".join(record.__struct_fields__))
        if fault := first_fault(record, named):
            raise misfit(record, fault)
        Language(database, lang)  # refuses an unknown one
        result = function(*args, **keywords)
    except ThunderrefError as error:
        params = error.params
        error.params = Naming(words).in_words(params)
        error.message, error.params = words.error(error), params
        raise
    for name, mistake, kind in database.broken:
        text = words.say(f"remark.{kind}-skipped", name=name, message=words.error(mistake))
        warnings.warn(text, stacklevel=3)
    return result


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
