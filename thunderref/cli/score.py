"""``thunderref score``: victory points at the end of the game, and who wins."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.command import CommandApp, File, document_of
from thunderref.cli.render import outline
from thunderref.cli.session import session
from thunderref.pages.visit_page import score_pages

app = CommandApp()


@app.command("score")
def score_command(
    deck: Annotated[list[str] | None, typer.Option("--deck", metavar="PLAYER:CARDS")] = None,
    penalty: Annotated[list[str] | None, typer.Option("--penalty", metavar="PLAYER:N")] = None,
    file: File = None,
) -> None:
    from thunderref.thunderstone.resolve.documents import ScoreDocument
    from thunderref.thunderstone.resolve.final_score import final_score, with_decks

    run = session()
    document = with_decks(document_of(ScoreDocument, file), deck or (), penalty or ())
    result = final_score(document, words=run.words)
    lines = outline(*score_pages(run.words, result), apart=False)
    run.answer(result.model_dump(), [*run.tonight_lines(), *lines])
