"""What people type during a game, a line at a time, from a terminal or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable


class Keyboard:
    """The lines that are typed; ``silent`` for a run that prints nothing but its JSON document."""

    def __init__(self, *, silent: bool) -> None:
        self.silent = silent
        self._ready = False

    @property
    def at_a_terminal(self) -> bool:
        """True if a person sits there: both ends are a terminal."""
        return not self.silent and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

    def line(self, prompt: str) -> str:
        """The next line, without the spaces around it; raises EOFError at the end of the input."""
        if sys.stdin is None:
            raise EOFError
        if not self.silent:
            print(prompt, end="", flush=True)
        reconfigure: Callable[..., None] | None = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None and not self._ready:
            reconfigure(errors="replace")
            self._ready = True
        line = sys.stdin.readline()
        if not self.silent and (not sys.stdin.isatty() or not line):  # Ctrl-D leaves the prompt's line open
            print(shown(line.rstrip("\r\n")))
        if not line:
            raise EOFError
        return line.strip()


def shown(text: str) -> str:
    """What was typed as it can be printed: a control character as a terminal echoes it, ``^[`` for Escape."""
    return text if text.isprintable() else "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter.isprintable():
        return letter
    if letter.isspace():
        return " "
    return f"^{chr(ord(letter) ^ 64)}" if ord(letter) < 128 else "\N{REPLACEMENT CHARACTER}"
