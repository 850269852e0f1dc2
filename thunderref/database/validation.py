"""Records are structs, read directly if they fit; if not, pydantic says what is wrong and where."""

from __future__ import annotations

import typing
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import cache, reduce
from operator import or_
from threading import RLock
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, dataclass_transform

import msgspec

from thunderref.errors import InputError

if TYPE_CHECKING:
    from pydantic import BaseModel

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


class MisfitError(ValueError):
    """Values that do not fit a record; ``faults`` are all faults, from pydantic."""

    def __init__(self, faults: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(faults)
        self.faults = faults


def validated(record: type[T], raw: Any) -> T:
    """Plain values as a record; raises :class:`MisfitError` if they do not fit."""
    with suppress(msgspec.ValidationError), _ALONE:
        return msgspec.convert(raw, record)
    from pydantic import ValidationError

    try:
        model = _model_of(record).model_validate(raw)
    except ValidationError as error:
        raise MisfitError(error.errors()) from None
    with _ALONE:
        return msgspec.convert(model.model_dump(exclude_unset=True), record)  # a tuple for a list and the like


def check_values(record: type, values: Mapping[str, Any], keys: Collection[str]) -> None:
    """Raises :class:`InputError` for a key that is none of ``keys``, or a value of another type than the record's."""
    for key, value in values.items():
        if key not in keys:
            raise InputError("unknown-key", key=key[:40], known=", ".join(keys))
        try:
            msgspec.convert({key: value}, record)
        except msgspec.ValidationError:
            raise InputError("bad-value", key=key, value=str(value)[:40]) from None


@cache
def _model_of(record: type[msgspec.Struct]) -> type[BaseModel]:
    from pydantic import ConfigDict, Field, create_model

    hints = typing.get_type_hints(record, include_extras=True)
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
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
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
