"""The ``thunderref`` command: a Typer app whose commands are imported only when they are called."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer._click import exceptions as click_exceptions
from typer._click.core import Command, Context
from typer.core import TyperGroup

from thunderref.cli.session import start
from thunderref.errors import InputError, ThunderrefError

COMMANDS: dict[str, str] = {
    "card": "thunderref.cli.cards",
    "cards": "thunderref.cli.cards",
    "rule": "thunderref.cli.rules",
    "setup": "thunderref.cli.setup",
    "resolve": "thunderref.cli.resolve",
    "db": "thunderref.cli.db",
}
"""Command -> module with a Typer ``app`` that defines it."""


class LazyGroup(TyperGroup):
    """Finds a command by importing its module; listing the commands imports all of them."""

    def list_commands(self, ctx: Context) -> list[str]:
        """The names of all commands, in the order of :data:`COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """The command of that name, None if there is none."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        group = typer.main.get_command(importlib.import_module(module).app)
        if isinstance(group, TyperGroup):
            return group.commands.get(cmd_name, group)
        return group


app = typer.Typer(cls=LazyGroup, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)

Lang = Annotated[str | None, typer.Option("--lang", metavar="en|pl|ru", help="Output language.")]


@app.callback()
def root(lang: Lang = None) -> None:
    """The rules referee at the table for Thunderstone."""


def main(argv: Sequence[str] | None = None) -> None:
    """Runs one command; exits with the status of the outside contract and never shows a traceback."""
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    run = start(words)
    try:
        result: Any = typer.main.get_command(app).main(words, prog_name="thunderref", standalone_mode=False)
    except ThunderrefError as error:
        run.fail(error)
    except click_exceptions.UsageError as error:
        run.fail(InputError("usage", problem=error.format_message().rstrip(".")))
    except click_exceptions.Abort:
        raise SystemExit(130) from None
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None
    raise SystemExit(result if isinstance(result, int) else 0)
