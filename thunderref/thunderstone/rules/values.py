"""Values that are changed by copying, thousands of times a game.

They are frozen structs of msgspec: made, copied and read several times as fast as named tuples or dataclasses are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace  # the same call; of this one a type checker knows which fields there are
else:
    from msgspec.structs import replace

__all__ = ["replace"]
