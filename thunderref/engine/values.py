"""Values that are changed by copying, thousands of times a game: a quicker ``_replace`` for named tuples."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T", bound=tuple[Any, ...])


def value(cls: type[T]) -> type[T]:
    """Gives a named tuple a ``_replace`` that takes half the time of the one it is born with.

    It copies the fields once, without checking their number; a name that is no field raises KeyError.
    """
    places = {name: place for place, name in enumerate(cls._fields)}  # type: ignore[attr-defined]
    make = tuple.__new__

    def _replace(self: T, /, **changes: Any) -> T:
        fields = [*self]
        for name in changes:
            fields[places[name]] = changes[name]
        return make(cls, fields)

    cls._replace = _replace  # type: ignore[attr-defined]
    return cls
