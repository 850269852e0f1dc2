"""What is typed without a command before it, as the command line that answers it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

from thunderref.cli.session import Session
from thunderref.errors import InputError, ThunderrefError, corrections
from thunderref.search.query import exact_card, shorten
from thunderref.search.understand import Understood, understand
from thunderref.text.folding import fold_query

ASKS: ContextVar[bool] = ContextVar("asks", default=True)
"""False at the prompt, which lets its own numbers choose."""
JUDGING = frozenset(("resolve", "odds", "village", "turn", "score"))
"""Commands whose document begins with what was understood."""


def command_line(run: Session, typed: Sequence[str], commands: Sequence[str]) -> list[str]:
    """The command line that answers what was typed, its options kept; the run knows how it was read.

    What is to be judged is no part of it: it begins the document of the command (:func:`.command.document_of`).
    Raises as :func:`understand`, and :class:`InputError` (``unknown-command``) for what is all but a command's name.
    """
    end = next((n for n, word in enumerate(typed) if re.match(r"--?[^\W\d]", word)), len(typed))
    text, options = " ".join(typed[:end]), list(typed[end:])
    try:
        understood = _asked_back(run, text)
    except ThunderrefError:
        refuse_slip(typed[0], commands)
        raise
    tail = " ".join(typed[1:end])
    exact = [exact_card(run.database, form) is not None for form in map(fold_query, (text, tail)) if form]
    if understood.kind not in ("battle", "visit") and not exact[0] and (options or any(exact) or not understood.sure):
        refuse_slip(typed[0], commands)
    run.read_as = understood
    if understood.taken and not run.json:
        from thunderref.cli.render import print_lines

        print_lines([(0, run.words.say("door.taken", cards=run.words.listed(understood.taken)))])
    words = () if understood.command in JUDGING else _arguments(understood.document)
    return [understood.command, *words, *options]


def _arguments(document: Mapping[str, Any]) -> Iterator[str]:
    """The words and options of a command line for a look-up, or for the set-up that was wished."""
    yield from (document[key] for key in ("query", "filters") if key in document)
    yield from ("--sort", document["sort"]) if document.get("sort") else ()
    for key in ("limit", "monsters", "variant", "level", "first_game", "players"):
        yield from (f"--{key.replace('_', '-')}", str(document[key])) if key in document else ()
    for key in ("require", "exclude", "sets"):
        for name in document.get(key, ()):
            yield from (f"--{key.removesuffix('s')}", name)


def _asked_back(run: Session, text: str) -> Understood:
    """Return what was understood; a person at the terminal replaces each unclear part, until all is clear."""
    while True:
        try:
            return understand(run.words, text)
        except ThunderrefError as error:
            if error.code != "unclear" or not error.candidates or not (ASKS.get() and run.has_a_person):
                raise
            from thunderref.cli.render import print_lines

            lines = corrections(text, error)
            print_lines([(0, run.words.error(error)), *((2, f"{n}  {name}") for n, (name, _) in enumerate(lines, 1))])
            try:
                reply = input("> ").strip()
            except EOFError:
                raise error from None
            if reply.isdecimal() and 0 < int(reply) <= len(lines):
                text = lines[int(reply) - 1][1]
            elif reply:
                text = text.replace(error.params["name"], reply, 1)


def refuse_slip(word: str, commands: Sequence[str]) -> None:
    """Raises :class:`InputError` (``unknown-command``) for what is all but the name of a command."""
    from thunderref.cli.help_pages import find_near

    if names := find_near(word, [*commands, "help"]):
        raise InputError("unknown-command", name=shorten(word, 40), candidates=names, command="thunderref")
