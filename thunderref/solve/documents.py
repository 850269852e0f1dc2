"""Reading the documents of ``village`` and ``score``: one clear error for what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from thunderref.errors import InputError
from thunderref.model.base import Record

T = TypeVar("T", bound=Record)


def read_document(record: type[T], document: Any) -> T:
    """The document as a record; raises :class:`InputError` naming the key that is wrong."""
    if isinstance(document, record):
        return document
    if not isinstance(document, Mapping):
        raise InputError("document-not-an-object")
    try:
        return record.model_validate(dict(document))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(step) for step in first["loc"]) or "-"
        codes = {"extra_forbidden": "document-unknown-key", "missing": "document-missing-key"}
        raise InputError(
            codes.get(first["type"], "document-bad-value"),
            key=key,
            known=", ".join(record.model_fields),
            value=str(first.get("input"))[:40],
        ) from None
