"""A record with some of its fields changed."""

from __future__ import annotations

from typing import TypeVar

Record = TypeVar("Record")


def replace(record: Record, **changes: object) -> Record:
    """Return a copy as ``dataclasses.replace`` does, which calls the class with all fifty fields each time.

    That took half of the oracle's time. The class has neither slots nor anything to do when it is made.
    """
    if unknown := changes.keys() - record.__dict__.keys():
        raise TypeError(f"no such field: {unknown}")
    copy = object.__new__(type(record))
    copy.__dict__.update(record.__dict__, **changes)
    return copy
