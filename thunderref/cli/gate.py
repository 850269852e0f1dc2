"""The gate for all output: no text from outside controls the terminal."""

from __future__ import annotations

import codecs
import errno
import sys
from io import TextIOWrapper
from typing import Any

from thunderref.text.visible import visible


class Gate:
    """A text stream that shows control characters instead of sending them; ``stream`` is the one behind it."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(visible(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def behind(stream: Any) -> Any:
    """The stream behind the gate, for code that draws with its own control characters."""
    return stream.stream if isinstance(stream, Gate) else stream


def is_closed(error: OSError) -> bool:
    """True if the reader of our output has closed it: to Windows that is an invalid argument."""
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)


def escape_for_json(stream: Any) -> None:
    """Has a text stream write the letters that its encoding lacks as JSON can spell them."""
    codecs.register_error("json", _spelt)
    if isinstance(behind(stream), TextIOWrapper):
        stream.reconfigure(errors="json")


def _spelt(error: UnicodeError) -> tuple[str, int]:
    import json

    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
