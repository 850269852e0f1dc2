"""Records are structs, read directly if they fit; if not, all that is wrong is found by their type hints."""

from __future__ import annotations

import typing
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from threading import RLock
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, dataclass_transform

import msgspec

from thunderref.errors import InputError

T = TypeVar("T", bound="Record")
_ALONE = RLock()
"""Held while a record is read: two threads that are the first to read one of its kind crash msgspec."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A frozen record that people write or read; an unknown key is an error."""

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        """The record as plain values, in the order of its fields."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return {k: v for k, v in values.items() if k not in exclude}


class Fault(NamedTuple):
    """A value that does not fit its record: the keys that lead to it, what is wrong, the value, what is ``allowed``."""

    place: tuple[int | str, ...]
    kind: str
    """One of :data:`PROBLEMS`; ``error.bad-box.<kind>`` tells it to users."""
    value: Any
    allowed: str = ""

    @property
    def problem(self) -> str:
        """The fault in English, with its remedy."""
        return PROBLEMS[self.kind].format(value=str(self.value)[:40], allowed=self.allowed)


PROBLEMS = {
    "unknown-key": "this key is not known here: correct or remove it", "missing-key": "is required: add it",
    "choice": "“{value}” is none of {allowed}: correct it", "whole-number": "must be an integer",
    "true-or-false": "must be true or false", "in-quotes": "must be a text in quotes", "empty": "must not be empty",
    "list": "must be a list", "table": "must be a table of keys and values",
    "least": "must be greater than or equal to {allowed}", "most": "must be less than or equal to {allowed}",
    "value": "“{value}” does not fit here: correct it",
}  # fmt: skip


class MisfitError(ValueError):
    """Values that do not fit a record, with all their faults in the order of its fields."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults


def validated(record: type[T], raw: Any) -> T:
    """Plain values as a record, a number also if it is written as text; raises :class:`MisfitError`."""
    with suppress(msgspec.ValidationError), _ALONE:
        return msgspec.convert(raw, record)
    if faults := [*_faults(record, raw, ())]:
        raise MisfitError(faults)
    try:
        with _ALONE:
            return msgspec.convert(raw, record, strict=False)
    except msgspec.ValidationError:
        raise MisfitError([Fault((), "value", raw)]) from None


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
def _hints(record: type[Any]) -> dict[str, Any]:
    return typing.get_type_hints(record, include_extras=True)


def _faults(hint: Any, value: Any, place: tuple[int | str, ...]) -> Iterator[Fault]:
    """Yield all that keeps a value from being what a type hint says."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield from _faults_of_record(hint, value, place)
    elif origin is Annotated:
        unfit = [*_faults(inner[0], value, place)]
        if not unfit and not _fits(value, hint):
            unfit = [_beyond(inner[0], inner[1], value, place)]
        yield from unfit
    elif origin is Literal:
        if not _fits(value, hint):
            yield Fault(place, "choice", value, _listed(inner))
    elif origin in (Union, UnionType):
        yield from _faults_of_union([member for member in inner if member is not type(None)], hint, value, place)
    elif origin in (list, tuple):
        if not isinstance(value, list | tuple):
            yield Fault(place, "list", value)
        elif origin is tuple and ... not in inner and len(value) != len(inner):
            yield Fault(place, "value", value)
        else:
            hints = inner if origin is tuple and ... not in inner else (inner[0],) * len(value)
            for i, (each, entry) in enumerate(zip(hints, value, strict=True)):
                yield from _faults(each, entry, (*place, i))
    elif origin is dict:
        for key, entry in value.items() if isinstance(value, dict) else ():
            unfit = [fault._replace(place=(*place, key)) for fault in _faults(inner[0], key, place)]
            yield from unfit or _faults(inner[1], entry, (*place, key))
        if not isinstance(value, dict):
            yield Fault(place, "table", value)
    elif not _fits(value, hint, strict=False):
        yield Fault(place, _KINDS.get(hint, "value"), value)


_KINDS = {int: "whole-number", bool: "true-or-false", str: "in-quotes"}
"""Type -> what is wrong with a value of another one."""


def _fits(value: Any, hint: Any, *, strict: bool = True) -> bool:
    with suppress(msgspec.ValidationError), _ALONE:
        msgspec.convert(value, hint, strict=strict)
        return True
    return False


def _beyond(hint: Any, limits: msgspec.Meta, value: Any, place: tuple[int | str, ...]) -> Fault:
    """The fault of a value that has the right type and is too small, too large or empty, or a number as text."""
    if hint is int and not isinstance(value, int):
        return Fault(place, "whole-number", value)
    if limits.ge is not None and value < limits.ge:
        return Fault(place, "least", value, str(limits.ge))
    if limits.le is not None and value > limits.le:
        return Fault(place, "most", value, str(limits.le))
    return Fault(place, "empty" if hint is str and not value else "value", value)


def _faults_of_record(record: type[msgspec.Struct], value: Any, place: tuple[int | str, ...]) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(place, "table", value)
        return
    config, known = record.__struct_config__, {field.name: field for field in msgspec.structs.fields(record)}
    for name, field in known.items():
        if name in value:
            yield from _faults(_hints(record)[name], value[name], (*place, name))
        elif field.required:
            yield Fault((*place, name), "missing-key", value)
    yield from (
        Fault((*place, key), "unknown-key", value[key]) for key in value if key not in {*known, config.tag_field}
    )


def _faults_of_union(members: Sequence[Any], hint: Any, value: Any, place: tuple[int | str, ...]) -> Iterator[Fault]:
    """Yield the faults of the member that the value may be meant as: by its tag, or the one that it fits best."""
    tags = {config.tag: member for member in members if (config := getattr(member, "__struct_config__", None))}
    if len(members) > 1 and isinstance(value, dict) and {*tags} - {None}:
        tag = value.get("op")
        if tag not in tags:
            yield Fault(
                (*place, "op"), "missing-key" if tag is None else "choice", value if tag is None else tag, _listed(tags)
            )
            return
        members = [tags[tag]]
    if value is None and type(None) in typing.get_args(hint):
        return
    found = [[*_faults(member, value, place)] for member in members]
    if all(found):
        yield from max(found, key=lambda faults: len(faults[0].place))


def _listed(options: Iterable[Any]) -> str:
    return ", ".join(map(repr, options))
