"""``thunderref thorgal round``: keeps track of a game of Thorgal in a small file, and shows what comes next."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.help_pages import value_word
from thunderref.cli.session import session
from thunderref.cli.thorgal.cards import read_resource
from thunderref.cli.thorgal.commands import Adventure, Names, Players, adventure_name, answer
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.files import check_place, make_folder, only_writer
from thunderref.pages.thorgal_page import next_page, table_page
from thunderref.search.query import shorten
from thunderref.thorgal import round as course
from thunderref.thorgal.dice import read_dice, read_die
from thunderref.thorgal.fight import orders
from thunderref.thorgal.game_file import LONGEST_TEXT, game_path, read_steps, write_steps
from thunderref.thorgal.grid import RESOURCES, read_grid
from thunderref.thorgal.round import (
    Step,
    draw_board,
    named_seat,
    names_of,
    place_wound,
    read_card,
    seat_names,
    seat_of,
    table_document,
)
from thunderref.thorgal.tiles import read_tile
from thunderref.thorgal.wounds import read_board

app = CommandApp(invoke_without_command=True)
LONGEST_ENEMY = 30

File = Annotated[Path | None, typer.Option("--file", metavar="FILE")]
PlayerAndCard = Annotated[list[str] | None, typer.Argument(metavar="[PLAYER] CARD")]
PlayerAndNumber = Annotated[list[str] | None, typer.Argument(metavar="PLAYER +N")]
PlayerAndTile = Annotated[list[str] | None, typer.Argument(metavar="PLAYER TILE")]
PlayerAndBoard = Annotated[list[str] | None, typer.Argument(metavar="PLAYER BOARD")]
PlayerAndDice = Annotated[list[str] | None, typer.Argument(metavar="PLAYER DICE")]
PlayerAndResource = Annotated[list[str] | None, typer.Argument(metavar="PLAYER RESOURCE +N")]
WhoseSkill = Annotated[list[str] | None, typer.Argument(metavar="PLAYER")]
Faces = Annotated[list[str] | None, typer.Argument(metavar="FACES…")]
NameAndCards = Annotated[list[str] | None, typer.Argument(metavar="NAME CARD…")]
NumberAndNote = Annotated[list[str] | None, typer.Argument(metavar="CARD ACTION…")]
HowNear = Annotated[list[str] | None, typer.Argument(metavar="N/N WHY…")]
PlayerOrReason = Annotated[list[str] | None, typer.Argument(metavar="[PLAYER|WHY…]")]
Old = Annotated[str, typer.Argument(metavar="OLD")]
New = Annotated[str, typer.Argument(metavar="NEW")]


@app.callback()
def round_command(ctx: typer.Context, file: File = None) -> None:
    if ctx.invoked_subcommand is None:
        show_command(file)
    elif file is not None:
        raise InputError("thorgal-file-first", command=ctx.invoked_subcommand)


@app.command("start")
def start_command(
    players: Players = None,
    names: Names = None,
    adventure: Adventure = None,
    length: Annotated[int | None, typer.Option("--length")] = None,
    cards: Annotated[str | None, typer.Option("--cards", metavar='"1 3 4 6"')] = None,
    first: Annotated[str | None, typer.Option("--first", metavar="PLAYER")] = None,
    replace: Annotated[bool, typer.Option("--replace", "--force")] = False,
    file: File = None,
) -> None:
    seats, solo = course.seats_of(players, names)
    if length is not None and not 1 <= length <= course.MOST_NUMBER:
        raise InputError("thorgal-length", value=length)
    row = sorted(_card(number) for number in (cards or "").replace(",", " ").split())
    step = {
        "do": "start", "names": seats, "solo": solo, "adventure": adventure_name(adventure), "length": length or 0,
        "row": row, "first": 0 if first is None else seat_of(seat_names(session().words, seats, solo), first),
    }  # fmt: skip
    table = course.replay_steps([step])
    path = game_path(file)
    if file is None:
        make_folder(path)
    with only_writer(path):
        if not replace and os.path.exists(check_place(path, replace=True)):
            if not read_steps(path)[1].outcome:
                raise NoAnswerError("thorgal-under-way", file=str(path))
            replace = file is None  # a finished game in the program's own file is replaced
        write_steps(path, [step], replace=replace)
    _show(path, table, None, step, file)


@app.command("act")
def act_command(
    words: PlayerAndCard = None,
    source: Annotated[str | None, typer.Option("--from", metavar="CARD")] = None,
    free: Annotated[bool, typer.Option("--out-of-turn")] = False,
    file: File = None,
) -> None:
    if not words:
        raise InputError("missing-argument", name=value_word(session().words, "CARD"))
    *who, card = words
    place = None if source is None else _card(source, least=0)
    number = _card(card)

    def step(table: course.GameTable) -> Step:
        seat = seat_of(names_of(session().words, table), *who) if who else table.turn
        step = {"do": "act", "seat": seat, "card": number, "from": place, "free": free}
        course.play_step(table, step)
        return step | {"from": course.choose_token(table, number, place)}

    _play(file, step)


@app.command("track", context_settings={"ignore_unknown_options": True})
@app.command("dial", context_settings={"ignore_unknown_options": True})
@app.command("threat", context_settings={"ignore_unknown_options": True})
def threat_command(ctx: typer.Context, words: PlayerAndNumber = None, file: File = None) -> None:
    *who, by = words or [""]
    amount = _amount(by)
    if not who or not amount:
        code = "thorgal-threat-amount" if ctx.info_name == "threat" else "thorgal-amount"
        raise InputError(code, value=by[:20], command=ctx.info_name)
    _play_for(file, who, ctx.info_name, by=amount)


def _amount(text: str) -> int:
    """The number typed, such as ``+2`` or ``−1``; 0 for anything else."""
    try:
        amount = int(text.replace("−", "-"))
    except ValueError:
        return 0
    return amount if abs(amount) <= course.MOST_NUMBER else 0


@app.command("resource", context_settings={"ignore_unknown_options": True})
def resource_command(words: PlayerAndResource = None, file: File = None) -> None:
    *who, kind, by = words if words and len(words) > 2 else ["", "", ""]
    amount = _amount(by)
    if not who or not amount:
        raise InputError("thorgal-amount", value=by[:20], command="resource")
    name = read_resource(kind, RESOURCES)
    _play_for(file, who, "resource", kind=name, by=amount)


@app.command("skill")
def skill_command(
    words: WhoseSkill = None, back: Annotated[bool, typer.Option("--back")] = False, file: File = None
) -> None:
    if not words:
        raise InputError("missing-argument", name=value_word(session().words, "PLAYER"))
    _play_for(file, words, "skill", used=not back)


@app.command("board")
def board_command(words: PlayerAndBoard = None, file: File = None) -> None:
    *who, board = words or [""]
    if not who:
        raise InputError("missing-argument", name=value_word(session().words, "PLAYER BOARD"))
    text = draw_board(read_board(board))
    _play_for(file, who, "board", board=text)


@app.command("rolls")
def rolls_command(words: PlayerAndDice = None, file: File = None) -> None:
    *who, dice = words or [""]
    if not who:
        raise InputError("missing-argument", name=value_word(session().words, "PLAYER DICE"))
    text = ", ".join(read_dice(dice))
    _play_for(file, who, "rolls", dice=text)


@app.command("dice")
def dice_command(words: Faces = None, file: File = None) -> None:
    text = " ".join(words or []).replace("\n", ", ")  # kept on one line
    if not text:
        raise InputError("missing-argument", name=value_word(session().words, "FACES…"))
    colour, _ = read_die(text, critical=True)
    read_die(text, critical=False)
    faces = text.partition(":")[2] if ":" in text else text.strip().partition(" ")[2]
    _play(file, lambda _: {"do": "dice", "colour": colour, "faces": _kept(faces)})


@app.command("enemy")
def enemy_command(words: NameAndCards = None, file: File = None) -> None:
    name, *cards = words or [""]
    if not cards:
        raise InputError("missing-argument", name=value_word(session().words, "NAME CARD…"))
    if not any(sign.isalpha() for sign in name):
        raise InputError("thorgal-enemy-name", name=name[:20])
    grids = [read_grid(text) for word in cards for text in word.split("|")]
    orders(grids)
    step = {"do": "enemy", "name": shorten(name, LONGEST_ENEMY), "cards": "|".join(grid.text for grid in grids)}
    _play(file, lambda _: {**step, "cards": _kept(step["cards"])})


def _kept(text: str) -> str:
    """The text for the file; raises :class:`InputError` if it is longer than any there."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST_TEXT:
        raise InputError("thorgal-long", n=len(plain), most=LONGEST_TEXT)
    return plain


@app.command("card")
def card_command(words: NumberAndNote = None, file: File = None) -> None:
    if not words or len(words) < 2:
        raise InputError("missing-argument", name=value_word(session().words, "CARD ACTION…"))
    step = {"do": "card", "card": _card(words[0]), "says": _kept(read_card(" ".join(words[1:])).text)}
    _play(file, lambda _: step)


@app.command("heal")
@app.command("wound")
def wound_command(ctx: typer.Context, words: PlayerAndTile = None, file: File = None) -> None:
    *who, tile = words or [""]
    if not who or not shorten(tile):
        raise InputError("missing-argument", name=value_word(session().words, "PLAYER TILE"))
    one_sign = tile in tuple("12345") or (ctx.info_name == "heal" and len(tile) == 1 and tile.isalpha())
    name = tile.upper() if one_sign else read_tile(tile).name  # its size, its letter on the board, or its name
    _play_for(file, who, ctx.info_name, tile=name)


@app.command("upgrade")
def upgrade_command(old: Old, new: New, file: File = None) -> None:
    step = {"do": "upgrade", "old": _card(old), "new": _card(new)}
    _play(file, lambda _: step)


@app.command("won")
@app.command("events")
def events_command(ctx: typer.Context, file: File = None) -> None:
    _play(file, lambda _: {"do": ctx.info_name})


@app.command("lost")
def lost_command(words: PlayerOrReason = None, file: File = None) -> None:
    why = " ".join(words or [])

    def step(table: course.GameTable) -> Step:
        seat = named_seat(names_of(session().words, table), why) if why else None
        return {"do": "lost", "seat": seat, "note": "" if seat is not None else adventure_name(why)}

    _play(file, step)


@app.command("undo")
def undo_command(file: File = None) -> None:
    path = game_path(file)
    with only_writer(path):
        (*steps, last), _ = read_steps(path)
        if not steps:
            raise NoAnswerError("thorgal-nothing-to-undo", file=str(path))
        write_steps(path, steps)
    _show(path, course.replay_steps(steps), None, {"do": "undo", "of": last["do"]}, file)


@app.command("show")
def show_command(file: File = None) -> None:
    path = game_path(file)
    _show(path, read_steps(path)[1], None, {"do": "show"}, file)


@app.command("danger")
def danger_command(words: HowNear = None, file: File = None) -> None:
    near, *name = words or [""]
    at, slash, of = near.partition("/")
    counts = [int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else -1 for text in (at, of)]
    if not slash or not name or counts[0] < 0 or counts[1] < 1:
        raise InputError("thorgal-danger", value=near[:20])
    step = {"do": "danger", "name": adventure_name(" ".join(name)), "at": counts[0], "of": counts[1]}
    _play(file, lambda _: step)


@app.command("next")
def next_command(file: File = None) -> None:
    path = game_path(file)
    run, table = session(), read_steps(path)[1]
    page, documents = next_page(run.words, table, _suffix(file))
    document = table_document(run.words, table, with_perils=run.json)
    answer(document | {"choices": documents, "file": str(path)}, page)


def _play_for(file: Path | None, who: Sequence[str], do: str | None, **step: Any) -> None:
    """A step of one character."""
    _play(file, lambda table: {"do": do, "seat": seat_of(names_of(session().words, table), *who), **step})


def _play(file: Path | None, made: Callable[[course.GameTable], Step]) -> None:
    path = game_path(file)
    with only_writer(path):
        steps, before = read_steps(path)
        try:
            step = made(before)
            if "seat" in step and step["seat"] is not None:
                step = place_wound(before.seats[step["seat"]], step)
            after = course.play_step(before, step)
        except IllegalStepError as error:
            names = names_of(session().words, before)
            params = {key: names[value] if key in ("seat", "turn") else value for key, value in error.params.items()}
            if "kind" in params:
                params["kind"] = session().words.say(f"thorgal.kind.{params['kind']}")
            raise IllegalStepError(error.code, candidates=error.candidates, **params) from None
        write_steps(path, [*steps, step])
    _show(path, after, before, step, file)


def _card(text: str, least: int = 1) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
    if not least <= number <= course.MOST_NUMBER:
        raise InputError("thorgal-bad-card", value=text)
    return number


def _show(path: Path, table: course.GameTable, before: course.GameTable | None, step: Step, file: Path | None) -> None:
    """Prints the state of the game; ``file``, if given, goes into the commands to type next."""
    run = session()
    page, said = table_page(run.words, table, before, step, _suffix(file))
    document = table_document(run.words, table, with_perils=run.json)
    answer(document | {"said": said, "file": str(path)}, page)


def _suffix(file: Path | None) -> str:
    """What of the file goes into the commands to type next."""
    return "" if file is None else f" --file {shlex.quote(str(file))}"
