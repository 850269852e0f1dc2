"""``thunderref thorgal``: the referee for another game at the same table, Thorgal: The Board Game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import typer

from thunderref.cli.app import Json, Lang, LazyGroup, command_app

COMMANDS: dict[str, str] = {
    "rule": "thunderref.cli.thorgal_rule",
    "ask": "thunderref.cli.thorgal_ask",
    "setup": "thunderref.cli.thorgal_setup",
    "round": "thunderref.cli.thorgal_round",
    "fight": "thunderref.cli.thorgal_grid",
    "wander": "thunderref.cli.thorgal_grid",
    "gather": "thunderref.cli.thorgal_grid",
    "wounds": "thunderref.cli.thorgal_grid",
    "fields": "thunderref.cli.thorgal_grid",
}
"""Command -> module with a Typer ``app`` that defines it."""


class ThorgalGroup(LazyGroup):
    """The commands after ``thunderref thorgal``, each imported only when it is called."""

    modules: ClassVar[Mapping[str, str]] = COMMANDS
    path: ClassVar[str] = "thorgal."


app = command_app()
group = typer.Typer(cls=ThorgalGroup)
app.add_typer(group, name="thorgal")


@group.callback()
def thorgal_command(as_json: Json = False, lang: Lang = None) -> None:
    """The referee for Thorgal: The Board Game."""
