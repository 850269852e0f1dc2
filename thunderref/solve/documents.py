"""Reading the documents of the outside contract: one clear error for what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
        return record.model_validate(_without_nulls(record, document))
    except ValidationError as error:
        first = error.errors()[0]
        if first["loc"][0] == "plan" and len(first["loc"]) > 1:
            found = as_written(first.get("input"))
            raise InputError("bad-step", step=int(first["loc"][1]) + 1, found=found, known=", ".join(steps)) from None
        code = CODES.get(first["type"], "bad-value")
        bounds = _bounds(record, first["loc"]) if code == "bad-value" else {}
        raise InputError(
            code,
            **bounds,
            key=".".join(str(step) for step in first["loc"]) or "-",
            known=", ".join(record.model_fields),
            value=as_written(first.get("input")),
            allowed=str(first.get("ctx", {}).get("expected", "")).replace("'", "").replace(" or ", ", "),
        ) from None


def _bounds(record: type[Record], place: Sequence[int | str]) -> dict[str, Any]:
    """The numbers that a key of the document takes, as fields of the message; nothing for a key without limits."""
    field = record.model_fields.get(str(place[0])) if len(place) == 1 else None
    limits = field.metadata if field is not None else []
    least = next((limit.ge for limit in limits if hasattr(limit, "ge")), None)
    most = next((limit.le for limit in limits if hasattr(limit, "le")), None)
    if least is None:
        return {}
    return {"why": "least", "least": least} if most is None else {"why": "between", "least": least, "most": most}


def as_written(value: Any) -> str:
    """A wrong value the way its writer knows it: a text as it is, everything else as JSON, cut at 40 characters."""
    if isinstance(value, str):
        return value[:40]
    import json

    return json.dumps(value, ensure_ascii=False, default=str)[:40]


def _without_nulls(record: type[T], document: Mapping[str, Any]) -> dict[str, Any]:
    """The document less the keys whose value is null, where such a key may as well be left out."""
    fields = record.model_fields
    return {k: v for k, v in document.items() if v is not None or k not in fields or fields[k].is_required()}
