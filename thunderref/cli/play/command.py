"""``thunderref play``: the game for its options: a new one, the next of a campaign, or a resumed one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

import typer

from thunderref.cli import setup as setups
from thunderref.cli.command import CommandApp, Force, Readings, Ruleset, entries_of, given_options, takes
from thunderref.cli.play.game import TerminalGame
from thunderref.cli.session import Session, session
from thunderref.errors import InputError, ThunderrefError
from thunderref.files import check_place, parse_json, read_text
from thunderref.thunderstone.resolve.start import Finder, cards_of
from thunderref.thunderstone.rules.readings import read_answers
from thunderref.thunderstone.setup.setup import choose_seed
from thunderref.thunderstone.table.ending import after_code, next_game
from thunderref.thunderstone.table.record import GameRecord, begin_game, read_game, read_players, resume_game

app = CommandApp()

TAKEN_UP = {"--resume", "--reading", "--save", "--to", "--turn", "--watch"}
"""Options that go with a resumed game."""
FOLLOWING = {"--winner", "--left", "--scores", "--heroes"}
"""Options about the game before."""
NEXT = {"--after", "--winner", "--heroes", "--seed", "--save", "--watch"}
"""Options that go with the next game of a campaign."""
TOLD = {"--players", "--left", "--scores", "--ruleset", "--reading"}
"""Options needed for a game at the table; a saved game knows them."""


@app.command("play")
@takes(setup=setups.setup_options("players", "lock", "reroll"))
def play_command(
    ctx: typer.Context,
    setup: dict[str, Any],
    players: Annotated[str | None, typer.Option("--players", metavar="NAMES")] = None,
    ruleset: Ruleset = None,
    readings: Readings = None,
    after: Annotated[str | None, typer.Option("--after", metavar="FILE|CODE")] = None,
    winner: Annotated[int | None, typer.Option("--winner")] = None,
    left: Annotated[str | None, typer.Option("--left", metavar="CARDS")] = None,
    scores: Annotated[str | None, typer.Option("--scores", metavar="31,28")] = None,
    heroes: Annotated[list[str] | None, typer.Option("--heroes", metavar="CARDS")] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE")] = None,
    force: Force = False,
    resume: Annotated[str | None, typer.Option("--resume", metavar="FILE")] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP")] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N")] = None,
    watch: Annotated[bool, typer.Option("--watch")] = False,
) -> None:
    run, given = session(), given_options(ctx)
    for name, value in (("--save", save), ("--resume", resume), ("--after", after)):
        if value is not None and not value.strip():
            raise InputError("missing-value", name=name)
    if resume is None and (to is not None or turn is not None):
        raise InputError("play-needs-resume", option="--to" if to is not None else "--turn")
    if save is not None and save != resume:
        check_place(save, replace=force)
    place = save
    if resume is not None:
        _refuse(given - TAKEN_UP, "play-resume-options")
        if turn is not None:
            _refuse(given & {"--to", "--save", "--watch"}, "play-turn-options")
        record = _resume(run, resume, readings or [])
        if to is None and turn is None:
            place = save or resume
    else:
        setup |= {"seed": choose_seed(setup["seed"]), "ruleset": ruleset or "print", "readings": readings or []}
        if setup["ruleset"] not in ("print", "yucata"):
            raise InputError("not-one-of", key="ruleset", allowed="print, yucata", value=setup["ruleset"][:40])
        try:
            if after is None:
                _refuse(given & FOLLOWING, "play-needs-after")
                record = begin_game(run.database, read_players(players, run.words), lang=run.words.lang, **setup)
            else:
                _refuse(given - NEXT - (set() if _is_saved_game(after) else TOLD), "setup-after-options")
                told = {"winner": winner, "left": left, "scores": scores, "heroes": heroes or []}
                record = _follow(run, after, players, setup, told)
        except ThunderrefError as error:
            if error.code == "setup-code-options":  # --lock and --reroll in that sentence belong to setup
                error.code = "play-code-options"
            raise
    game = TerminalGame(run, record, place, watch=watch, replace=force)
    if resume is not None and place == resume:
        game.file.note()
    if turn is not None:
        game.show_turn(turn)
        return
    if to is not None:
        game.go_to(to)
    game.play()


def _refuse(options: Collection[str], code: str) -> None:
    if options:
        raise InputError(code, options=", ".join(sorted(options)))


def _is_saved_game(after: str) -> bool:
    try:
        return {"steps", "turns"} <= set(parse_json(read_text(after), after) or ())
    except (InputError, TypeError):
        return False


def _follow(run: Session, after: str, players: str | None, setup: dict[str, Any], told: dict[str, Any]) -> GameRecord:
    """The next game of a campaign (R9.2 to R9.4); ``told`` has what a saved game would know of a game at the table."""
    find, kinds = Finder(run.database, run.words.lang), frozenset(("hero", "basic"))
    along = [
        cards_of(entries_of(cards) or [], find, kinds) if cards.strip() not in ("", "-") else []
        for cards in told["heroes"]
    ]
    winner, seed = told["winner"], setup["seed"]
    if _is_saved_game(after):
        before = resume_game(run.database, read_game(after), run.words.lang)
        return next_game(before, winner=winner, heroes=along, seed=seed, lang=run.words.lang)
    return after_code(
        run.database, setups.saved_code(after), read_players(players, run.words), winner=winner,
        scores=setups.numbers(told["scores"]), left=setups.cards_left(told["left"], run.database), heroes=along,
        seed=seed, ruleset=setup["ruleset"], readings=setup["readings"], words=run.words,
    )  # fmt: skip


def _resume(run: Session, resume: str, readings: list[str]) -> GameRecord:
    """A resumed game; given ``readings`` must be those it began with."""
    asked = read_answers(run.database, readings)
    try:
        record = resume_game(run.database, read_game(resume), run.words.lang)
        for name, value in asked.items():
            kept = record.readings.get(name, run.database.switches[name].default)
            if value != kept:
                raise InputError("play-other-reading", name=name, value=value, kept=kept)
        return record
    except ThunderrefError as error:
        if error.params.get("file") != resume:
            error.params["saved_file"] = resume
        raise
