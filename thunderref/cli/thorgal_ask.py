"""``thunderref thorgal ask``: a question about Thorgal, and the passages that answer it."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.app import Json, command_app
from thunderref.cli.ask import Langs
from thunderref.cli.card import Limit

app = command_app()


@app.command("ask")
def ask_command(
    question: Annotated[list[str] | None, typer.Argument(metavar="QUESTION…")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Langs = None,
) -> None:
    """Answer a question from the rules of Thorgal."""
    from thunderref.cli.ask import show_answers

    show_answers(" ".join(question or []), limit, "thorgal")
