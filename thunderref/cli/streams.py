"""Standard input and output: what they cannot write is replaced, and no text from outside controls the terminal."""

from __future__ import annotations

import codecs
import errno
import os
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from io import TextIOWrapper
from typing import Any

from thunderref.text.messages import visible

WHOLE: ContextVar[bool] = ContextVar("whole", default=False)
"""True in a run that shows all that belongs to an answer, not the player's page alone."""


class Gate:
    """A text stream that shows control characters instead of sending them; ``stream`` is the one behind it."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(visible(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def unwrap(stream: Any) -> Any:
    """The stream behind the gate, for code that draws with its own control characters."""
    return stream.stream if isinstance(stream, Gate) else stream


def is_closed(error: OSError) -> bool:
    """True if the reader of our output has closed it: to Windows that is an invalid argument."""
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)


def escape_for_json(stream: Any) -> None:
    """Has a text stream write the letters that its encoding lacks as JSON can spell them."""
    codecs.register_error("json", _spell)
    if isinstance(unwrap(stream), TextIOWrapper):
        stream.reconfigure(errors="json")


def _spell(error: UnicodeError) -> tuple[str, int]:
    import json

    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def prepare(stream: object) -> None:
    """Has a stream replace what it cannot write or read; away from a terminal it speaks UTF-8 on Windows, too.

    Elsewhere the locale says so. PYTHONIOENCODING goes first.
    """
    if not isinstance(stream, TextIOWrapper):
        return
    stream.reconfigure(errors="replace")
    if sys.platform == "win32" and not stream.isatty():
        if stream.writable():
            stream.reconfigure(newline="\n")  # shells take a carriage return for a part of the word
        if stream.encoding != "utf-8" and "PYTHONIOENCODING" not in os.environ:
            stream.reconfigure(encoding="utf-8")


def hush(streams: Sequence[int] = (1, 2)) -> None:
    """Discards what is still in the buffers of standard output (1) and errors (2)."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in streams:
        os.dup2(nowhere, number)
    os.close(nowhere)
