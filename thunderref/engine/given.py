"""What cards of the hand give beyond their figures, as values."""

from __future__ import annotations

from msgspec import Struct

from thunderref.engine.state import Slot
from thunderref.model.effect import Operation


class Given(Struct, frozen=True, gc=False):
    """A lasting operation at work: from which card, who holds that card (weapons), and whether it was used.

    What was used stands whatever becomes of its hero; what is printed as always on ends when he cannot attack (R5.4).
    """

    operation: Operation
    source: Slot
    holder: Slot | None
    used: bool
