"""``thunderref thorgal rule``: the rules of Thorgal."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.card import Limit

app = command_app()


@app.command("rule")
def rule_command(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY…")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Show a rule of Thorgal."""
    from thunderref.errors import NoAnswerError

    raise NoAnswerError("unknown-rule", name=" ".join(query or [])[:60], candidates=[])
