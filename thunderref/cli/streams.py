"""Standard input and output: what they cannot write is replaced, with a remark; no text controls the terminal."""

from __future__ import annotations

import codecs
import errno
import os
import sys
import unicodedata
from collections.abc import Sequence
from contextvars import ContextVar
from io import TextIOWrapper
from typing import Any

from thunderref.text.messages import visible

WHOLE: ContextVar[bool] = ContextVar("whole", default=False)
"""True in a run that shows all that belongs to an answer, not the player's page alone."""
IS_LOSSY: ContextVar[bool] = ContextVar("is_lossy", default=False)
"""True once a letter has been printed as a question mark, because the encoding of the output lacks it."""
_PLAIN = str.maketrans({
    "−": "-", "–": "-", "—": "-", "×": "x", "→": ">", "≤": "<=", "≥": ">=", "≠": "<>", "•": "*", "·": "|", "●": "*",
    "○": "o", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "ł": "l", "Ł": "L",
})  # fmt: skip
"""Signs and letters -> how an encoding without them writes them; marks of letters are left out besides."""


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


def _write_plainly(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for what cannot be written or read, as an error handler of :mod:`codecs`."""
    if isinstance(error, UnicodeDecodeError):
        return "\N{REPLACEMENT CHARACTER}", error.end
    assert isinstance(error, UnicodeEncodeError)
    signs = unicodedata.normalize("NFKD", error.object[error.start : error.end].translate(_PLAIN))
    plain = "".join(sign if sign.isascii() else "?" for sign in signs if not unicodedata.combining(sign))
    if "?" in plain:
        IS_LOSSY.set(True)
    return plain, error.end


def prepare(stream: object) -> None:
    """Has a stream replace what it cannot write or read; away from a terminal it speaks UTF-8 on Windows, too.

    Elsewhere the locale says so. PYTHONIOENCODING goes first.
    """
    if not isinstance(stream, TextIOWrapper):
        return
    codecs.register_error("plainly", _write_plainly)
    stream.reconfigure(errors="plainly")
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
