"""The ``thunderref`` command: a Typer app whose commands are imported only when they are called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import typer
from typer._click import exceptions as click_exceptions
from typer._click.core import Command, Context
from typer.core import TyperGroup

from thunderref.cli.session import Session, json_text, start
from thunderref.errors import InputError, ThunderrefError

COMMANDS: dict[str, str] = {
    "card": "thunderref.cli.card",
    "cards": "thunderref.cli.cards",
    "rule": "thunderref.cli.rules",
    "ask": "thunderref.cli.ask",
    "setup": "thunderref.cli.setup",
    "resolve": "thunderref.cli.resolve",
    "odds": "thunderref.cli.odds",
    "village": "thunderref.cli.village",
    "score": "thunderref.cli.score",
    "thorgal": "thunderref.cli.thorgal",
    "play": "thunderref.cli.play",
    "glossary": "thunderref.cli.glossary",
    "db": "thunderref.cli.db",
}
"""Command -> module with a Typer ``app`` that defines it."""
QUICK = frozenset(("card", "cards", "rule", "ask"))
"""Commands that end before garbage collection (switched off while starting) would pay."""


DEBUG_VARIABLE = "THUNDERREF_DEBUG"
"""With this in the environment an unforeseen error shows where it arose, instead of one sentence."""


class LazyGroup(TyperGroup):
    """Finds a command by importing its module; listing the commands imports all of them."""

    modules: ClassVar[Mapping[str, str]] = COMMANDS
    """Command -> module with a Typer ``app`` that defines it."""
    path: ClassVar[str] = ""
    """The words before the commands, joined by dots: where the messages of their help pages are."""

    def list_commands(self, ctx: Context | None) -> list[str]:
        """The names of all commands, in the order of :attr:`modules`."""
        return list(self.modules)

    def get_command(self, ctx: Context | None, cmd_name: str) -> Command | None:
        """The command of that name; raises :class:`InputError` if there is none."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        module = self.modules.get(cmd_name)
        if module is None:
            if cmd_name.startswith("-"):
                return None
            from difflib import get_close_matches

            near = get_close_matches(cmd_name, self.modules, 1, 0.5) or list(self.modules)
            called = f"thunderref {self.path.replace('.', ' ')}".strip()
            raise InputError("unknown-command", name=cmd_name[:40], candidates=near, command=called)
        if cmd_name not in QUICK:
            gc.freeze()
            gc.enable()
        group = typer.main.get_command(importlib.import_module(module).app)
        command = group.commands.get(cmd_name, group) if isinstance(group, TyperGroup) else group
        _localise_help(command, f"{self.path}{cmd_name}")
        self.commands[cmd_name] = command
        return command


def command_app() -> typer.Typer:
    """The app of one command module: plain help, no tracebacks of its own, nothing installed in a shell."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
)

Lang = Annotated[str | None, typer.Option("--lang", metavar="en|pl|ru", help="Output language.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback()
def root(lang: Lang = None, as_json: Json = False, version: Annotated[bool, typer.Option("--version")] = False) -> None:
    """The rules referee at the table for Thunderstone."""


def main(argv: Sequence[str] | None = None) -> None:
    """Runs one command; exits with the status of the outside contract and never shows a traceback."""
    try:
        _run(argv)
    except BrokenPipeError:  # while the failure itself was being told
        _hush()
        raise SystemExit(1) from None
    except SystemExit:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _hush()
        raise


def _hush(*streams: int) -> None:
    """Sends what is still in the buffers nowhere, of standard output (1) and errors (2) unless fewer are named."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in streams or (1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)


def _run(argv: Sequence[str] | None) -> None:
    words = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    run = start(words)
    try:
        run.check_language()
        result = _overview(run, words)
        if result is None:
            result = typer.main.get_command(app).main(words, prog_name="thunderref", standalone_mode=False)
        sys.stdout.flush()
    except ThunderrefError as error:
        run.fail(error)
    except click_exceptions.UsageError as error:
        from thunderref.cli.usage import usage_error

        run.fail(usage_error(error, run.words))
    except SystemExit:
        if type(sys.stdout).__name__ == "PacifyFlushWrapper":  # whoever read our output had enough of it
            _hush()
            raise SystemExit(0) from None
        raise
    except (typer.Abort, KeyboardInterrupt):
        raise SystemExit(130) from None
    except BrokenPipeError:
        _hush()
        raise SystemExit(0) from None
    except OSError as error:  # a full disk or a closed output: nothing more may be written there
        _hush(1)
        run.json = False
        run.fail(InputError("no-output", problem=error.strerror or str(error)))
    except Exception as error:
        if DEBUG_VARIABLE in os.environ:
            raise
        run.fail(InputError("internal", problem=f"{type(error).__name__}: {error}"[:120], variable=DEBUG_VARIABLE))
    raise SystemExit(result if isinstance(result, int) else 0)


def _overview(run: Session, words: list[str]) -> int | None:
    """Answers a command line without a command: the list of commands or the version. None if there is a command."""
    before = []
    rest = iter(words)
    for word in rest:
        if word == "--lang":
            if next(rest, None) is None:
                return None
        elif word in ("--help", "--version"):
            before.append(word)
        elif word != "--json" and not word.startswith("--lang="):
            return None
    from thunderref.cli.usage import overview, version

    key, text = ("version", version()) if "--version" in before else ("help", overview(run.words, COMMANDS))
    if run.json:
        run.print_json({key: text})
    else:
        print(text)
    return 0


def _localise_help(command: Any, name: str) -> None:
    """Has the help page of a command written in the language of the run, if it is asked for."""
    original = command.get_help

    def get_help(ctx: Context) -> str:
        from thunderref.cli.session import session
        from thunderref.cli.usage import localised, made_narrow

        run = session()
        page = localised(run.words, command, name, lambda: str(original(made_narrow(ctx))))
        return json_text({"help": page}) if run.json else page

    command.get_help = get_help
    for sub in getattr(command, "commands", {}).values():
        _localise_help(sub, f"{name}.{sub.name}")
