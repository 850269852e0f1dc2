"""What every record of the files has in common: frozen, and no unknown keys."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen record of a hand-edited file; an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
