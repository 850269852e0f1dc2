"""What every record of the files has in common: frozen, and no unknown keys."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Strict

Whole = Annotated[int, Strict()]
"""A whole number that somebody typed: ``true``, ``2.0`` and ``"2"`` are none."""


class Record(BaseModel):
    """A frozen record of a hand-edited file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
