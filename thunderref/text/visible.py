"""What may be shown of texts that come from outside: names, files, arguments."""

from __future__ import annotations

import re

MOST_SHOWN = 60
"""Characters of what was typed that a message repeats."""
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that steer a terminal, end a line or turn the direction of writing; halves of a character too."""


def visible(text: str) -> str:
    """The text with a sign in place of each character that would steer a terminal; lines and tabs stay."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(document: str) -> str:
    """A JSON text with those characters written as JSON may write them, so that it says the same."""
    import json

    return _STEERING.sub(lambda found: json.dumps(found[0]).strip('"'), document)


def brief(text: str, *, end: bool = False) -> str:
    """The text on one line, no longer than a message may repeat: its beginning, or its end if that says more."""
    line = " ".join(text.split())
    if len(line) <= MOST_SHOWN:
        return line
    return "…" + line[1 - MOST_SHOWN :] if end else line[: MOST_SHOWN - 1] + "…"
