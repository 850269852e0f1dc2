"""Reading the documents of the outside contract: one clear error for what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from thunderref.errors import InputError
from thunderref.model.base import Record

T = TypeVar("T", bound=Record)

CODES = {
    "extra_forbidden": "unknown-key",
    "missing": "missing-key",
    "literal_error": "not-one-of",
    "list_type": "no-list",
}
"""Kind of mistake -> code of the error; every other kind is a ``bad-value``."""


def read_document(record: type[T], document: Any, steps: Iterable[str] = ()) -> T:
    """The document as a record; raises :class:`InputError` naming the key that is wrong.

    ``steps`` are the words a step of its plan may start with.
    """
    if isinstance(document, record):
        return document
    if not isinstance(document, Mapping):
        raise InputError("document-not-an-object")
    try:
        return record.model_validate(dict(document))
    except ValidationError as error:
        first = error.errors()[0]
        if first["loc"][0] == "plan" and len(first["loc"]) > 1:
            found = str(first.get("input"))[:40]
            raise InputError("bad-step", step=int(first["loc"][1]) + 1, found=found, known=", ".join(steps)) from None
        raise InputError(
            CODES.get(first["type"], "bad-value"),
            key=".".join(str(step) for step in first["loc"]) or "-",
            known=", ".join(record.model_fields),
            value=str(first.get("input"))[:40],
            allowed=str(first.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", "),
        ) from None
