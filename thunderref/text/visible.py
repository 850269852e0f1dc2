"""How texts from outside may be shown: names, files, arguments."""

from __future__ import annotations

import re

MOST_SHOWN = 60
"""Characters of typed text that a message repeats at most."""
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that control a terminal, end a line or turn the direction of writing; halves of a character too."""


def visible(text: str) -> str:
    """The text with a sign in place of each character that would control a terminal; lines and tabs stay."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(document: str) -> str:
    """A JSON text with those characters escaped as JSON allows, so that it means the same."""
    import json

    return _STEERING.sub(lambda found: json.dumps(found[0]).strip('"'), document)


def brief(text: str, *, end: bool = False) -> str:
    """The text on one line, no longer than a message may repeat: its beginning, or with ``end`` its end."""
    line = " ".join(text.split())
    if len(line) <= MOST_SHOWN:
        return line
    return "…" + line[1 - MOST_SHOWN :] if end else line[: MOST_SHOWN - 1] + "…"
