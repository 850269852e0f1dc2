"""The one family of errors thunderref shows its users.

An error holds a message key and its parameters, never a finished sentence: the text is made in the user's language
at the edge (:class:`thunderref.database.read.Language`). The exit status is that of the outside contract.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self


class Candidate(str):
    """One candidate as it is shown; ``id`` is that of its card, rule or term, else the same text."""

    id: str

    def __new__(cls, text: str, ident: str | None = None) -> Self:
        """Keeps the id of a candidate that is given as it is."""
        self = super().__new__(cls, text)
        self.id = ident if ident is not None else getattr(text, "id", str(text))
        return self


class ThunderrefError(Exception):
    """An input that gets one clear sentence instead of an answer.

    ``code`` is stable and machine-readable (``unknown-card``); the sentence is the message ``error.<code>`` filled
    with ``params``. ``candidates`` are card ids, names or other strings to show, best first, each with its ``id``.
    ``message`` is the sentence once it has been said in a language: the functions of the package always say it.
    """

    message = ""
    status = 1
    """Exit status: 1 for input that is understood but has no answer, 2 for bad usage or unreadable input."""

    def __init__(self, code: str, /, *, candidates: Sequence[str] = (), **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
        self.candidates: tuple[Candidate, ...] = tuple(map(Candidate, candidates))

    def __reduce__(self) -> tuple[Callable[[], ThunderrefError], tuple[()]]:
        """Support pickling, to send the error from one process to another."""
        return partial(type(self), self.code, candidates=self.candidates, **self.params), ()

    def document(self, message: str) -> dict[str, Any]:
        """The error as the contract has it, with ``rule``, ``step``, ``clash`` and ``reading`` where there is one."""
        names = ("rule", "step", "clash", "reading", "rest")
        extra: dict[str, Any] = {name: self.params[name] for name in names if name in self.params}
        return {"code": self.code, "message": message, "candidates": list(self.candidates), **extra}

    def __str__(self) -> str:
        if self.message:
            return self.message
        detail = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{self.code}({detail})"


class NoAnswerError(ThunderrefError):
    """The input is understood but has no answer: no such card, an ambiguous name, an illegal play (exit 1)."""


class IllegalStepError(NoAnswerError):
    """A play the rules forbid; ``rule`` is the id of the rule that forbids it."""

    def __init__(self, code: str, /, *, rule: str, candidates: Sequence[str] = (), **params: Any) -> None:
        super().__init__(code, candidates=candidates, rule=rule, **params)
        self.rule = rule


class InputError(ThunderrefError):
    """Bad usage or unreadable input (exit 2)."""

    status = 2


def unreadable(name: str, error: OSError | ValueError) -> InputError:
    """The error for a file ``name`` (``-``: standard input) that could not be read, with a remedy for usual reasons."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return InputError("no-file", file=name)
    letters = "input" if name == "-" else "letters"
    reasons = {UnicodeDecodeError: letters, IsADirectoryError: "folder", PermissionError: "permission"}
    if why := reasons.get(type(error)):
        at = error.object[: error.start] if isinstance(error, UnicodeDecodeError) else b""
        return InputError("unreadable-file", why=why, file=name, line=at.count(b"\n") + 1)
    return InputError("unreadable-file", file=name, problem=getattr(error, "strerror", None) or str(error))


def corrections(text: str, error: ThunderrefError) -> list[tuple[str, str]]:
    """Return each candidate of an error, and the line with it in the place of what could not be read."""
    part = str(error.params.get("name") or text)
    part = part if part in text else text
    return [(str(name), text.replace(part, str(name), 1)) for name in error.candidates]
