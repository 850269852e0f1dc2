"""``thunderref odds``: the chance to win with a known deck in unknown order."""

from __future__ import annotations

from typing import Any

from thunderref.cli.command import Budget, CommandApp, document_of, options_of, read_battle, takes
from thunderref.cli.render import outline
from thunderref.cli.session import session
from thunderref.pages.battle_page import odds_pages
from thunderref.thunderstone.resolve.documents import OddsQuestion, require_odds

app = CommandApp()


@app.command("odds")
@takes(
    battle=read_battle,
    draws=options_of(OddsQuestion, "deck_list", "discard", "first_battle", "next_hand", "exact"),
    sampling=options_of(OddsQuestion, "samples", "seed"),
)
def odds_command(
    *, battle: dict[str, Any], draws: dict[str, Any], budget: Budget = None, sampling: dict[str, Any]
) -> None:
    from thunderref.budget import Budget as Limit
    from thunderref.thunderstone.resolve.odds import odds

    run = session()
    question = document_of(OddsQuestion, None, **battle, **draws, **sampling)
    require_odds(question)
    with run.progress() as tell:
        result = odds(question, words=run.words, budget=Limit(budget, tell=tell))
    run.answer(result.model_dump(), [*run.tonight_lines(), *outline(*odds_pages(result, run.words))])
