"""``thunderref odds``: the chance to win with a known deck in unknown order."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.command import Budget, CommandApp, document_of, entries_of, read_battle, takes
from thunderref.cli.render import outline
from thunderref.cli.session import session
from thunderref.pages.battle_page import odds_pages

app = CommandApp()


@app.command("odds")
@takes(battle=read_battle)
def odds_command(
    battle: dict[str, Any],
    deck_list: Annotated[str | None, typer.Option("--deck-list", metavar="CARDS")] = None,
    discard: Annotated[str | None, typer.Option("--discard", metavar="CARDS")] = None,
    first_battle: Annotated[bool, typer.Option("--first-battle")] = False,
    next_hand: Annotated[bool, typer.Option("--next-hand")] = False,
    exact: Annotated[bool, typer.Option("--exact")] = False,
    budget: Budget = None,
    samples: Annotated[int | None, typer.Option("--samples")] = None,
    seed: Annotated[int | None, typer.Option("--seed")] = None,
) -> None:
    from thunderref.thunderstone.resolve.budget import Budget as Limit
    from thunderref.thunderstone.resolve.documents import OddsQuestion, require_odds
    from thunderref.thunderstone.resolve.odds import odds

    run = session()
    question = document_of(
        OddsQuestion, None, **battle, deck_list=entries_of(deck_list), discard=entries_of(discard),
        first_battle=first_battle, next_hand=next_hand, exact=exact, samples=samples, seed=seed,
    )  # fmt: skip
    require_odds(question)
    with run.progress() as tell:
        result = odds(question, words=run.words, budget=Limit(budget, tell=tell))
    run.answer(result.model_dump(), [*run.tonight_lines(), *outline(*odds_pages(result, run.words))])
