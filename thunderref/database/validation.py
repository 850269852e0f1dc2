"""Records are structs, read directly if they fit; if not, pydantic says what is wrong and where.

In a browser, which has no pydantic, it is the first fault, as msgspec names it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, reduce
from operator import or_
from threading import RLock
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from thunderref.errors import InputError

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

T = TypeVar("T", bound="Record")
_LIMITS = ("ge", "le", "lt", "min_length", "max_length", "pattern")
_ALONE = RLock()
"""Held while a record is read: two threads that are the first to read one of its kind crash msgspec."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen record that people write or read; an unknown key is an error."""

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        """The record as plain values, in the order of its fields."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return {k: v for k, v in values.items() if k not in exclude}


Place = tuple[int | str, ...]
"""The keys and numbers of entries that lead to a value."""


class Fault(NamedTuple):
    """A value that does not fit its record."""

    place: Place
    kind: str
    """``error.bad-box.<kind>`` tells it to users."""
    value: Any
    """The value at fault, or the table in which a key is missing."""
    problem: str
    """The fault in English."""
    allowed: str = ""


UNKNOWN_KEY = "this key is not known here: correct or remove it"
_KINDS = {
    "extra_forbidden": "unknown-key", "missing": "missing-key", "literal_error": "choice", "int_": "whole-number",
    "bool_": "true-or-false", "string_type": "in-quotes", "string_too_short": "empty", "list_": "list",
    "tuple_": "list", "dict_": "table", "model_": "table", "greater_than": "least", "less_than": "most",
}  # fmt: skip
"""Beginning of pydantic's name of a fault -> kind of fault."""
_MSGSPEC_KINDS = {
    "Object contains unknown field `(.+)`": "unknown-key", "Object missing required field `(.+)`": "missing-key",
    "Invalid enum value": "choice", "Expected `int.*` >= (.+)": "least", "Expected `int.*` <= (.+)": "most",
    "Expected `str.*` of length >= 1": "empty", "Expected `int.*, got": "whole-number",
    "Expected `float.*, got": "number", "Expected `bool.*, got": "true-or-false", "Expected `str.*, got": "in-quotes",
    "Expected `array.*`, got `": "list", "Expected `object.*, got": "table",
}  # fmt: skip
"""Beginning of msgspec's message -> kind of fault; in brackets the key or the limit."""


class MisfitError(ValueError):
    """Values that do not fit a record; ``faults`` are all faults, without pydantic the first one."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


def validated(record: type[T], raw: Any) -> T:
    """Plain values as a record; raises :class:`MisfitError` if they do not fit."""
    try:
        return _convert(raw, record)
    except msgspec.ValidationError as error:
        message = str(error)
    try:
        from pydantic import ValidationError
    except ImportError:
        raise MisfitError([_fault_of_message(record, raw, message)]) from None
    try:
        model = _model_of(record).model_validate(raw)
    except ValidationError as error:
        raise MisfitError([_fault(raw, details) for details in error.errors()]) from None
    with _ALONE:
        return msgspec.convert(model.model_dump(exclude_unset=True), record)  # a tuple for a list and the like


def first_fault(record: type[Record], raw: Mapping[str, Any]) -> Fault | None:
    """The first of the values that does not fit the record."""
    try:
        _convert(raw, record)
    except msgspec.ValidationError as error:
        return _fault_of_message(record, raw, str(error))
    return None


def _convert(raw: Any, record: type[T]) -> T:
    try:
        with _ALONE:
            return msgspec.convert(raw, record)
    except UnicodeEncodeError:
        raise InputError("half-letters", why="words") from None


def check_values(record: type, values: Mapping[str, Any], keys: Collection[str]) -> None:
    """Raises :class:`InputError` for a key that is none of ``keys``, or a value of another type than the record's."""
    for key, value in values.items():
        if key not in keys:
            raise InputError("unknown-key", key=key[:40], known=", ".join(keys))
        try:
            msgspec.convert({key: value}, record)
        except msgspec.ValidationError:
            raise InputError("bad-value", key=key, value=str(value)[:40]) from None


def _fault(raw: Any, details: ErrorDetails) -> Fault:
    place = list[int | str]()
    for step in details["loc"]:
        keys = raw if isinstance(raw, dict) else range(len(raw)) if isinstance(raw, list | tuple) else ()
        if step in keys:  # else it is a member of a union
            raw = raw[step]
            place.append(step)
    if details["type"] == "missing":
        place.append(details["loc"][-1])
    problem = details["msg"].removeprefix("Value error, ").rstrip(".")
    problem = problem.replace("Extra inputs are not permitted", UNKNOWN_KEY)
    problem = problem.replace("Field required", "Field required: add it").replace("Input should be ", "must be ")
    kind = next((kind for start, kind in _KINDS.items() if details["type"].startswith(start)), "value")
    limits = details.get("ctx", {})
    allowed = str(limits.get("expected", limits.get("ge", limits.get("le", ""))))
    return Fault((*place,), kind, details["input"], problem, allowed.replace(" or ", ", "))


def _fault_of_message(record: type[Record], raw: Any, message: str) -> Fault:
    """Return the fault that a message of msgspec names: "Expected `int`, got `str` - at `$.cards[0].cost`"."""
    problem, path = re.findall(r"^(.*?)(?: - at (?:`key` in )?`\$([^`]*)`)?$", message, re.DOTALL)[0]
    steps = [int(step) if step.isdecimal() else step for step in re.findall(r"[^.\[\]]+|\.\.\.", path)]
    place, value, hint = next(_follow(record, raw, steps, ()), ((), raw, None))
    matches = ((kind, re.match(start, problem)) for start, kind in _MSGSPEC_KINDS.items())
    kind, name = next(((kind, "".join(match.groups())) for kind, match in matches if match), ("value", ""))
    if kind in ("unknown-key", "missing-key"):
        return Fault((*place, name), kind, value.get(name, value), problem)
    if kind == "choice":
        literals = (member for member in (hint, *get_args(hint)) if get_origin(member) is Literal)
        name = ", ".join(repr(option) for each in literals for option in get_args(each))
    return Fault(place, kind, value, problem, name)


def _follow(hint: Any, value: Any, steps: Sequence[int | str], place: Place) -> Iterator[tuple[Place, Any, Any]]:
    """Yield the place, value and type to which the steps of a message lead, for which every key is ``...``."""
    origin, inner = get_origin(hint), get_args(hint)
    if not steps:
        yield place, value, hint
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if hint_of_field := get_type_hints(hint, include_extras=True).get(str(steps[0])):
            yield from _follow(hint_of_field, value[steps[0]], steps[1:], (*place, steps[0]))
    elif isinstance(origin, type) and issubclass(origin, Collection) and isinstance(steps[0], int):
        hint_of_entry = inner[steps[0]] if origin is tuple and ... not in inner else inner[0]
        yield from _follow(hint_of_entry, value[steps[0]], steps[1:], (*place, steps[0]))
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        for key in (key for key in value if not _fits(value[key], inner[1])):
            yield from _follow(inner[1], value[key], steps[1:], (*place, key))
    else:
        for member in inner:
            yield from _follow(member, value, steps, place)


def _fits(value: Any, hint: Any) -> bool:
    with suppress(msgspec.ValidationError), _ALONE:
        msgspec.convert(value, hint)
        return True
    return False


@cache
def _model_of(record: type[msgspec.Struct]) -> type[BaseModel]:
    from pydantic import ConfigDict, Field, create_model

    hints = get_type_hints(record, include_extras=True)
    fields: dict[str, Any] = {}
    if record.__struct_config__.tag is not None:
        fields["op"] = (Literal[record.__struct_config__.tag], ...)
    for field in msgspec.structs.fields(record):
        fields[field.name] = (_checked(hints[field.name]), Field() if field.required else Field(default=None))
    return create_model(record.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _checked(hint: Any) -> Any:
    from pydantic import Field

    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _model_of(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        limits = {name: value for name in _LIMITS if (value := getattr(inner[1], name)) is not None}
        return Annotated[_checked(inner[0]), Field(strict=inner[0] is int or None, **limits)]
    if origin is Literal or not inner:
        return hint
    members = tuple(member if member is ... else _checked(member) for member in inner)
    if origin not in (Union, UnionType):
        return origin[members]
    union = reduce(or_, members)
    tagged = all(getattr(member, "__struct_config__", None) and member.__struct_config__.tag for member in inner)
    return Annotated[union, Field(discriminator="op")] if tagged else union
