"""Text for the people at the table, and what they type, a line at a time, in a terminal or through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from thunderref.cli.render import columns, wrap
from thunderref.cli.session import Session
from thunderref.text.language import FALLBACK, Language

COMMANDS = ("undo", "table", "stacks", "card", "save", "quit", "help")


class Terminal:
    """Where the people at the table read and type; with ``--json`` nothing is printed for them."""

    def __init__(self, run: Session) -> None:
        self.words = run.words
        self.silent = run.json
        self.has_a_person = run.has_a_person
        self._commands: dict[str, str] = {}
        """The words for the commands; English is understood too, unless a word is taken."""
        for words in (Language(run.database, FALLBACK), run.words):
            for command in COMMANDS:
                for word in words.say(f"play.word.{command}").split(","):
                    self._commands[word.strip().casefold()] = command

    def tell(self, key: str, /, **params: Any) -> None:
        self.say(self.words.say(key, **params))

    def say(self, text: str = "", indent: int = 0) -> None:
        if not self.silent:
            print("\n".join(wrap(text, columns(), indent, 2)))

    def say_all(self, lines: Iterable[tuple[int, str]]) -> None:
        for indent, text in lines:
            self.say(text, indent)

    def complain(self, text: str) -> None:
        """Prints a remark about typed text; not an answer, so with ``--json`` it goes to standard error."""
        if self.silent:
            print(text, file=sys.stderr)
        else:
            self.say(text)

    def ask(self, key: str, /, **params: Any) -> str:
        """The next line typed, without the spaces around it; raises EOFError at the end of the input."""
        if sys.stdin is None:
            raise EOFError
        if not self.silent:
            prompt = self.words.say(key, **params).rstrip()
            print("\n".join(wrap(prompt, columns(), 0, 2)), end=" ", flush=True)
        line = sys.stdin.readline()
        if not self.silent and (not sys.stdin.isatty() or not line):  # Ctrl-D leaves the prompt's line open
            print(shown(line.rstrip("\r\n")))
        if not line:
            raise EOFError
        return line.strip()

    def command_of(self, text: str) -> tuple[str | None, str]:
        """The typed command, None for none, and what follows its word."""
        word, _, rest = text.partition(" ")
        return None if text.isdecimal() else self._commands.get(word.casefold()), rest.strip()


def shown(text: str) -> str:
    """Typed text for printing: a control character as a terminal echoes it, ``^[`` for Escape."""
    plain, strange = (" " if c.isspace() else c for c in text), "\N{REPLACEMENT CHARACTER}"
    return "".join(c if c.isprintable() else f"^{chr(ord(c) ^ 64)}" if c.isascii() else strange for c in plain)
