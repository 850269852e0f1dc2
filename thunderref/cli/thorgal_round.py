"""``thunderref thorgal round``: keeps track of a game of Thorgal in a small file, and says what comes next."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.session import session
from thunderref.errors import IllegalStepError, InputError, NoAnswerError

if TYPE_CHECKING:
    from thunderref.thorgal.round import Step, Table

app = command_app()
group = typer.Typer(invoke_without_command=True)
app.add_typer(group, name="round")

File = Annotated[Path | None, typer.Option("--file", metavar="FILE")]
_SIGNED = {"ignore_unknown_options": True}
SIZES = ("1", "2", "3", "4", "5")
"""Wounds that are only known by their number of fields."""


@group.callback()
def round_command(ctx: typer.Context, file: File = None, as_json: Json = False, lang: Lang = None) -> None:
    """Keep track of a game of Thorgal."""
    if ctx.invoked_subcommand is None:
        show_command(file)
    elif file is not None:
        raise InputError("thorgal-file-first", command=ctx.invoked_subcommand)


@group.command("start")
def start_command(
    players: Annotated[int | None, typer.Option("--players")] = None,
    names: Annotated[str | None, typer.Option("--names", metavar='"Anna, Bartek"')] = None,
    adventure: Annotated[str | None, typer.Option("--adventure", metavar="NAME")] = None,
    length: Annotated[int | None, typer.Option("--length")] = None,
    cards: Annotated[str | None, typer.Option("--cards", metavar='"1 3 4 6"')] = None,
    first: Annotated[str | None, typer.Option("--first", metavar="PLAYER")] = None,
    replace: Annotated[bool, typer.Option("--replace")] = False,
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Begin a game."""
    from thunderref.cli.thorgal_setup import adventure_name
    from thunderref.cli.thorgal_view import names_of, seat_of, show_table
    from thunderref.thorgal.round import replayed
    from thunderref.thorgal.round_file import read_steps, write_steps
    from thunderref.thorgal.seats import seats_of, split_names

    run = session()
    seats, solo = seats_of(players, split_names(names))
    if length is not None and not 1 <= length <= 99:
        raise InputError("thorgal-length", value=length)
    row = [_card(number) for number in (cards or "").replace(",", " ").split()]
    step: dict[str, Any] = {
        "do": "start", "names": list(seats), "solo": solo, "adventure": adventure_name(adventure),
        "length": length or 0, "row": sorted(row), "first": 0,
    }  # fmt: skip
    if first is not None:
        step["first"] = seat_of(names_of(run.words, replayed([step])), first)
    table = replayed([step])
    path = _path(file)
    if path.exists():
        if not replace and not read_steps(path)[1].outcome:
            raise NoAnswerError("thorgal-under-way", file=str(path))
        _keep(path)
    write_steps(path, [step], make_folder=file is None)
    show_table(run, path, table, None, step, file)


@group.command("act")
def act_command(
    words: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER] CARD")] = None,
    source: Annotated[str | None, typer.Option("--from", metavar="CARD")] = None,
    free: Annotated[bool, typer.Option("--out-of-turn")] = False,
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """An action: a token goes under a card; without a name it is the player whose turn it is."""
    if not words:
        from thunderref.cli.usage import value_word

        raise InputError("missing-argument", name=value_word(session().words, "CARD"))
    *who, card = words
    place = None if source is None else _card(source, least=0)
    number = _card(card)

    def step(table: Table) -> Step:
        from thunderref.thorgal.round import chosen_token

        seat = _seat(table, who) if who else table.turn
        at = chosen_token(table, number, place) if _may_act(table, seat, number, free) else 0
        return {"do": "act", "seat": seat, "card": number, "from": at, "free": free}

    _play(file, step)


@group.command("threat", context_settings=_SIGNED)
def threat_command(
    words: Annotated[list[str] | None, typer.Argument(metavar="PLAYER +N")] = None,
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Threat tokens taken (+2) or given back (-1)."""
    *who, by = words or [""]
    try:
        amount = int(by.replace("−", "-"))
    except ValueError:
        amount = 0
    if not who or not amount or abs(amount) > 99:
        raise InputError("thorgal-threat-amount", value=by[:20])
    _play(file, lambda table: {"do": "threat", "seat": _seat(table, who), "by": amount})


@group.command("wound")
def wound_command(
    words: Annotated[list[str] | None, typer.Argument(metavar="PLAYER TILE")] = None,
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Note a wound: its size or the name of its tile."""
    who, tile = _who_and_tile(words)
    _play(file, lambda table: {"do": "wound", "seat": _seat(table, who), "tile": tile})


@group.command("heal")
def heal_command(
    words: Annotated[list[str] | None, typer.Argument(metavar="PLAYER TILE")] = None,
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Strike out a wound that was noted."""
    who, tile = _who_and_tile(words)
    _play(file, lambda table: {"do": "heal", "seat": _seat(table, who), "tile": tile})


@group.command("upgrade")
def upgrade_command(
    old: Annotated[str, typer.Argument(metavar="OLD")],
    new: Annotated[str, typer.Argument(metavar="NEW")],
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Another action card takes the place of one."""
    step = {"do": "upgrade", "old": _card(old), "new": _card(new)}
    _play(file, lambda table: step)


@group.command("events")
def events_command(file: File = None, as_json: Json = False, lang: Lang = None) -> None:
    """The event phase: the marker moves on, the tokens turn, the first player passes on."""
    _play(file, lambda table: {"do": "events"})


@group.command("won")
def won_command(file: File = None, as_json: Json = False, lang: Lang = None) -> None:
    """The goal of the adventure is met."""
    _play(file, lambda table: {"do": "won"})


@group.command("lost")
def lost_command(
    words: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER|WHY…]")] = None,
    file: File = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """The game is lost: a player's name if that character died, else why."""
    from thunderref.cli.thorgal_setup import adventure_name
    from thunderref.cli.thorgal_view import named_seat, names_of

    why = " ".join(words or [])

    def step(table: Table) -> Step:
        seat = named_seat(names_of(session().words, table), why) if why else None
        return {"do": "lost", "seat": seat, "note": "" if seat is not None else adventure_name(why)}

    _play(file, step)


@group.command("undo")
def undo_command(file: File = None, as_json: Json = False, lang: Lang = None) -> None:
    """Take the last step back."""
    from thunderref.cli.thorgal_view import show_table
    from thunderref.thorgal.round import replayed
    from thunderref.thorgal.round_file import read_steps, write_steps

    path = _path(file)
    steps, _ = read_steps(path)
    if len(steps) == 1:
        raise NoAnswerError("thorgal-nothing-to-undo", file=str(path))
    write_steps(path, steps[:-1], make_folder=False)
    show_table(session(), path, replayed(steps[:-1]), None, {"do": "undo", "of": steps[-1]["do"]}, file)


@group.command("show")
def show_command(file: File = None, as_json: Json = False, lang: Lang = None) -> None:
    """How the game stands, and what comes next."""
    from thunderref.cli.thorgal_view import show_table
    from thunderref.thorgal.round_file import read_steps

    path = _path(file)
    show_table(session(), path, read_steps(path)[1], None, None, file)


def _play(file: Path | None, made: Any) -> None:
    """Reads the game, takes one more step (``made`` of the table as it stands), writes it and shows the table."""
    from thunderref.cli.thorgal_view import names_of, show_table
    from thunderref.thorgal.round import played
    from thunderref.thorgal.round_file import read_steps, write_steps

    run = session()
    path = _path(file)
    steps, before = read_steps(path)
    try:
        step = made(before)
        after = played(before, step)
    except IllegalStepError as error:
        names = names_of(run.words, before)
        params = {key: names[value] if key in ("seat", "turn") else value for key, value in error.params.items()}
        raise IllegalStepError(error.code, candidates=error.candidates, **params) from None
    write_steps(path, [*steps, step], make_folder=False)
    show_table(run, path, after, before, step, file)


def _may_act(table: Table, seat: int, card: int, free: bool) -> bool:
    """False if the step is refused before it matters where the token comes from."""
    return not table.outcome and (free or seat == table.turn or not table.left) and (not table.row or card in table.row)


def _seat(table: Table, who: list[str]) -> int:
    from thunderref.cli.thorgal_view import names_of, seat_of

    return seat_of(names_of(session().words, table), " ".join(who))


def _who_and_tile(words: list[str] | None) -> tuple[list[str], str]:
    from thunderref.lookup.exact import shorten
    from thunderref.thorgal.tiles import read_tile

    *who, tile = words or [""]
    if not who or not shorten(tile):
        from thunderref.cli.usage import value_word

        raise InputError("missing-argument", name=value_word(session().words, "PLAYER TILE"))
    return who, tile if tile in SIZES else read_tile(tile).name


def _card(text: str, least: int = 1) -> int:
    """The number of an action card; raises :class:`InputError` (``thorgal-bad-card``)."""
    if not text.isascii() or not text.isdigit() or not least <= int(text[:9]) <= 99:
        raise InputError("thorgal-bad-card", value=text[:20])
    return int(text)


def _keep(path: Path) -> None:
    """Puts the file of an earlier game aside, as ``<name>.old``."""
    try:
        os.replace(path, path.with_name(f"{path.name}.old"))
    except OSError:
        raise InputError("cannot-write", file=str(path)) from None


def _path(file: Path | None) -> Path:
    """The file of the game: the one asked for, else where the system keeps the state of programs."""
    if file is not None:
        return file
    from thunderref.cli.setup_view import history_path

    environment = session().environment
    if environment.get("XDG_STATE_HOME"):
        return Path(environment["XDG_STATE_HOME"]) / "thunderref" / "thorgal-round.json"
    usual = history_path({key: value for key, value in environment.items() if key != "XDG_DATA_HOME"})
    if usual.parent.parent.name == "share":  # ~/.local/share: state goes to ~/.local/state
        return usual.parent.parent.with_name("state") / "thunderref" / "thorgal-round.json"
    return usual.with_name("thorgal-round.json")
