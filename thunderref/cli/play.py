"""``thunderref play``: a whole game in the terminal, with people, random players or both."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.session import Session, session
from thunderref.errors import InputError, ThunderrefError

app = command_app()

Names = list[str] | None


@app.command("play")
def play_command(
    players: Annotated[str | None, typer.Option("--players", metavar="NAMES")] = None,
    code: Annotated[str | None, typer.Option("--code")] = None,
    first_game: Annotated[str | None, typer.Option("--first-game", metavar="base|wrath")] = None,
    theme: Annotated[str | None, typer.Option("--theme", metavar="NAME")] = None,
    sets: Annotated[Names, typer.Option("--set")] = None,
    monsters: Annotated[int | None, typer.Option("--monsters")] = None,
    variant: Annotated[str | None, typer.Option("--variant", metavar="NAME")] = None,
    level: Annotated[str | None, typer.Option("--level", metavar="NAME")] = None,
    require: Annotated[Names, typer.Option("--require", metavar="CARD")] = None,
    exclude: Annotated[Names, typer.Option("--exclude", metavar="CARD")] = None,
    balanced: Annotated[bool, typer.Option("--balanced")] = False,
    stone: Annotated[str | None, typer.Option("--stone", metavar="NAME")] = None,
    seed: Annotated[int | None, typer.Option("--seed")] = None,
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="print|yucata")] = None,
    readings: Annotated[Names, typer.Option("--reading", metavar="NAME=VALUE")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="FILE|CODE")] = None,
    winner: Annotated[int | None, typer.Option("--winner")] = None,
    left: Annotated[str | None, typer.Option("--left", metavar="CARDS")] = None,
    scores: Annotated[str | None, typer.Option("--scores", metavar="31,28")] = None,
    heroes: Annotated[Names, typer.Option("--heroes", metavar="CARDS")] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE")] = None,
    resume: Annotated[str | None, typer.Option("--resume", metavar="FILE")] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP")] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N")] = None,
    watch: Annotated[bool, typer.Option("--watch")] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Play a whole game in the terminal."""
    run = session()
    options: dict[str, Any] = {
        "first_game": first_game, "theme": theme, "sets": sets, "monsters": monsters, "variant": variant,
        "level": level, "require": require or (), "exclude": exclude or (), "balanced": balanced, "stone": stone,
    }  # fmt: skip
    from thunderref.cli.play_table import PlayTable

    for name, value in (("--save", save), ("--resume", resume), ("--after", after)):
        if value is not None and not value.strip():
            raise InputError("missing-value", name=name)
    own = {"--players": players, "--code": code, "--ruleset": ruleset}
    own |= {"--set" if name == "sets" else f"--{name.replace('_', '-')}": value for name, value in options.items()}
    following = {"--winner": winner, "--left": left, "--scores": scores, "--heroes": heroes}
    if resume is not None:
        _refuse(own | following | {"--after": after, "--seed": seed}, "play-resume-options")
        if turn is not None:
            _refuse({"--to": to is not None, "--save": save, "--watch": watch}, "play-turn-options")
        course = _resumed(run, resume, save, readings or [])
        place = save or (resume if to is None and turn is None else None)
    else:
        if to is not None or turn is not None:
            raise InputError("play-needs-resume", option="--to" if to is not None else "--turn")
        options["readings"] = readings or []
        if after is not None:
            from thunderref.cli.play_after import followed

            kept = {name: value for name, value in own.items() if name not in ("--players", "--ruleset")}
            _refuse(kept, "setup-after-options")
            course = followed(
                run, after, players, winner, left, scores, heroes or [], _seed(seed), ruleset, readings or [], save
            )
        else:
            _refuse(following, "play-needs-after")
            course = _begun(run, players, code, _seed(seed), ruleset or "print", options, save)
        place = save
    table = PlayTable(run, course, place, watch=watch)
    if resume is not None and place == resume:
        table.file.holds()
    if turn is not None:
        table.show_turn(turn)
        return
    if to is not None:
        table.go_to(to)
    table.play()


def _refuse(options: dict[str, Any], code: str) -> None:
    """Raises :class:`InputError` with this code for options that were given."""
    refused = [name for name, value in options.items() if value]
    if refused:
        raise InputError(code, options=", ".join(refused))


def _seed(seed: int | None) -> int:
    """The seed asked for, or one that is thought up."""
    import secrets

    from thunderref.setup.api import RANDOM_SEEDS
    from thunderref.setup.request import checked_seed

    if seed is None:
        return secrets.randbelow(RANDOM_SEEDS)
    checked_seed(seed)
    return seed


def _begun(
    run: Session,
    players: str | None,
    code: str | None,
    seed: int,
    ruleset: str,
    options: dict[str, Any],
    save: str | None,
) -> Any:
    """A new game."""
    from thunderref.cli import setup_view
    from thunderref.play.course import begun
    from thunderref.play.players import read_players
    from thunderref.play.record import check_new

    check_ruleset(ruleset)
    if save is not None:
        check_new(save)
    seats = read_players(players, run.words)
    try:
        return begun(run.store, seats, code=code, seed=seed, ruleset=ruleset, lang=run.words.lang, **options)
    except ThunderrefError as error:
        if error.code == "setup-code-options":  # --lock and --reroll, which that sentence names, are those of setup
            error.code = "play-code-options"
        raise setup_view.localised(error, run.words) from None


def check_ruleset(ruleset: str) -> None:
    """Raises :class:`InputError` for a ruleset there is not."""
    if ruleset not in ("print", "yucata"):
        raise InputError("not-one-of", key="ruleset", allowed="print, yucata", value=ruleset[:40])


def _resumed(run: Session, resume: str, save: str | None, readings: list[str]) -> Any:
    """A game taken up again; the readings asked for must be those it was begun with."""
    from thunderref.lookup.switches import answers
    from thunderref.play.course import resumed
    from thunderref.play.record import check_new, read

    if save is not None and save != resume:
        check_new(save)
    asked = answers(run.store, readings)
    try:
        course = resumed(run.store, read(resume), run.words.lang)
        for name, value in asked.items():
            switch = run.store.switches[name]
            kept = course.readings.get(name, switch.default)
            if value != kept:
                raise InputError("play-other-reading", name=name, value=value, kept=kept)
        return course
    except ThunderrefError as error:
        if error.params.get("file") != resume:
            error.params["saved_file"] = resume
        raise
