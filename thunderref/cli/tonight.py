"""``thunderref tonight``: the set-up on the table, which names and the village go by until it is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.session import session
from thunderref.cli.setup import saved_code
from thunderref.errors import InputError, NoAnswerError
from thunderref.pages.setup_page import heading
from thunderref.thunderstone.setup.memory import TONIGHT
from thunderref.thunderstone.setup.setup import Setup, generate_setup

app = CommandApp()


@app.command("tonight")
def tonight_command(
    code: Annotated[list[str] | None, typer.Argument(metavar="CODE|FILE")] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
) -> None:
    run, given = session(), " ".join(code or [])
    if clear:
        if given:
            raise InputError("extra-argument", name=given[:60])
        cleared, run.tonight = TONIGHT.clear(), None
        run.answer({"cleared": cleared}, [(0, run.words.say("tonight.cleared" if cleared else "tonight.nothing"))])
        return
    now = None if given else TONIGHT.read()
    if not given and now is None:
        raise NoAnswerError("no-tonight")
    try:
        made = generate_setup(code=now.code if now else saved_code(given), lang=run.words.lang, database=run.database)
    except NoAnswerError:
        if now is not None:
            raise TONIGHT.unfit() from None
        raise
    run.tonight = now or TONIGHT.remember(lambda: made.tonight)
    run.answer(made.model_dump(), _lines(made))


def _lines(made: Setup) -> Iterator[tuple[int, str]]:
    content, naming = made.content, made.naming
    yield 0, heading(made)
    yield 0, f"{naming.say('setup.code')}: {made.code}"
    dungeon = (*content.classes, *content.features.cards, *content.stones)
    for section, cards in (("dungeon", dungeon), ("village", (*content.heroes, *content.village))):
        yield 2, f"{naming.say(f'setup.section.{section}')}: {naming.names(cards)}"
