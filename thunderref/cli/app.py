"""The ``thunderref`` command: a Typer app whose commands are imported only when they are called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp, command_of
from thunderref.cli.session import Session, convert_unforeseen, session, start
from thunderref.cli.streams import IS_LOSSY, Gate, escape_for_json, hush, is_closed, prepare
from thunderref.errors import InputError, ThunderrefError
from thunderref.files import check_word, make_folder, read_text, state_file, write_text

COMMANDS = {
    "card": "lookup", "cards": "lookup", "rule": "lookup", "ask": "lookup", "setup": "setup", "resolve": "verdict",
    "odds": "verdict", "village": "verdict", "turn": "verdict", "score": "verdict",
    "tonight": "setup:memory", "evening": "evening", "collection": "setup:memory", "box": "box", "serve": "serve",
    "site": "serve", "puzzle": "puzzle", "report": "report", "thorgal": "thorgal", "play": "play",
    "simulate": "simulate", "glossary": "glossary", "db": "db",
}  # fmt: skip
"""Command -> module of this package with the Typer app that defines it, which is called ``app`` if nothing else."""

ANSWERING = frozenset(("ask", "card", "cards", "odds", "resolve", "rule", "score", "turn", "village"))
"""Commands whose latest line is kept for ``report``; so is what is typed without a command."""
LAST = "last"

COMPLETING = "_THUNDERREF_COMPLETE"
"""Environment variable of a run that completes for a shell: it holds the name of that shell."""

app = CommandApp(COMMANDS, invoke_without_command=True)


@app.callback()
def root(
    ctx: typer.Context,
    show_version: Annotated[bool, typer.Option("--version")] = False,
    show_completion: Annotated[str | None, typer.Option("--show-completion", metavar="SHELL")] = None,
    install_completion: Annotated[str | None, typer.Option("--install-completion", metavar="SHELL")] = None,
) -> None:
    if show_completion is not None or install_completion is not None:
        from thunderref.cli.completion import SCRIPTS, install, shell_of

        if show_completion is not None:
            print(SCRIPTS[shell_of(show_completion)])
        if install_completion is not None:
            install(session(), install_completion)
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        if show_version:
            text, document = session().versions()
            session().answer(document, [(0, text)])
        elif session().has_a_person:
            from thunderref.cli.prompt import Prompt

            Prompt([*COMMANDS, "help"], run_line).keep_open()
        else:
            print(ctx.get_help())


def main(argv: Sequence[str] | None = None) -> None:
    """Runs one command; exits with the status of the outside contract and never shows a traceback."""
    try:
        for name in ("stdout", "stderr"):
            if getattr(sys, name) is None:  # closed by the caller
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
            prepare(getattr(sys, name))
        prepare(sys.stdin)
        with redirect_stdout(Gate(sys.stdout)), redirect_stderr(Gate(sys.stderr)):
            if COMPLETING in os.environ:
                from thunderref.cli.completion import complete

                raise SystemExit(complete(command_of(app)))
            _answer(sys.argv[1:] if argv is None else argv)
    except OSError as error:  # while reporting the failure itself
        if not is_closed(error):
            raise
        hush()
        raise SystemExit(1) from None
    except SystemExit:
        try:
            sys.stdout.flush()
        except OSError:
            hush()
        raise


def run_line(argv: Sequence[str]) -> None:
    """Runs one command line in this process; raises :class:`ThunderrefError`, typer.Exit after a help page."""
    _invoke(start(argv), argv)


def _invoke(run: Session, argv: Sequence[str]) -> None:
    for word in argv:
        check_word(word, why="words")
    run.check_language(COMMANDS)
    _keep(run)
    with command_of(app).make_context("thunderref", [*run.command]) as ctx:
        ctx.command.invoke(ctx)
    sys.stdout.flush()


def is_question(line: Sequence[str]) -> bool:
    """Return whether a command line asks for something with one answer: a card, a rule, a battle, a visit."""
    first = line[0] if line else "-"
    return first in ANSWERING or not (first in COMMANDS or first.startswith("-") or first == "help")


def _keep(run: Session) -> None:
    """Keeps the line of a question until the next one; where nothing can be written there is no last answer."""
    if is_question(run.command):
        line = [*run.command, *(["--any"] if run.any_card else [])]
        with suppress(InputError):
            place = state_file(LAST)
            make_folder(place)
            write_text(place, "\n".join(" ".join(word.splitlines()) for word in line), replace=True)


def last_line() -> list[str]:
    """The command line of the last question, [] if there is none."""
    try:
        return read_text(state_file(LAST)).split("\n")
    except InputError:
        return []


def _answer(argv: Sequence[str]) -> None:
    run = start(argv)
    IS_LOSSY.set(False)
    if run.json:
        escape_for_json(sys.stdout)
    try:
        _invoke(run, argv)
    except ThunderrefError as error:
        session().fail(error)
    except typer.Exit as end:  # after a help page
        raise SystemExit(end.exit_code) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except OSError as error:  # a full disk or a closed output: nothing more may be written there
        if is_closed(error):
            hush()
            raise SystemExit(0) from None
        hush((1,))
        run.json = False
        run.fail(InputError("no-output", problem=error.strerror or str(error)))
    except Exception as error:
        run.fail(convert_unforeseen(error))
    finally:
        if IS_LOSSY.get():
            run.remark_lost_letters()
    raise SystemExit(0)
