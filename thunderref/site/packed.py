"""What both know, who packs and who unpacks."""

from __future__ import annotations

from typing import Final

TEMPLATES: Final = "thunderref/serve/compiled"
"""Where the compiled templates lie below the packages."""
LATER: Final = "later"
"""The table of what makes the indexes of the questions, which are not sent."""
