"""``thunderref thorgal round``: keeps track of a game of Thorgal in a small file, and shows what comes next."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.help_pages import value_word
from thunderref.cli.session import session
from thunderref.cli.thorgal import Adventure, PlayerNames, Players, adventure_name, print_answer
from thunderref.cli.thorgal.cards import read_resource
from thunderref.errors import InputError
from thunderref.pages.thorgal_page import next_page, table_page
from thunderref.search.query import shorten
from thunderref.thorgal import round as course
from thunderref.thorgal.fight import read_dice
from thunderref.thorgal.game_file import (
    Played,
    add_step,
    begin_game,
    dice_step,
    enemy_step,
    game_path,
    kept_text,
    read_steps,
    undo_step,
)
from thunderref.thorgal.grid import RESOURCES
from thunderref.thorgal.laying import read_tile
from thunderref.thorgal.round import GameStep
from thunderref.thorgal.wounds import read_board

app = CommandApp(invoke_without_command=True)

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
    names: PlayerNames = None,
    adventure: Adventure = None,
    length: Annotated[int | None, typer.Option("--length")] = None,
    cards: Annotated[str | None, typer.Option("--cards", metavar='"1 3 4 6"')] = None,
    first: Annotated[str | None, typer.Option("--first", metavar="PLAYER")] = None,
    force: Annotated[bool, typer.Option("--force", "--replace")] = False,
    file: File = None,
) -> None:
    seats, solo = course.seats_of(players, names)
    if length is not None and not 1 <= length <= course.MOST_NUMBER:
        raise InputError("thorgal-length", value=length)
    row = sorted(_card(number) for number in (cards or "").replace(",", " ").split())
    called = course.seat_names(session().words, seats, solo)
    step = {
        "do": "start", "names": seats, "solo": solo, "adventure": adventure_name(adventure), "length": length or 0,
        "row": row, "first": 0 if first is None else course.seat_of(called, first),
    }  # fmt: skip
    _show(file, begin_game(file, step, replace=force))


@app.command("act")
def act_command(
    words: PlayerAndCard = None,
    source: Annotated[str | None, typer.Option("--from", metavar="CARD")] = None,
    free: Annotated[bool, typer.Option("--out-of-turn")] = False,
    file: File = None,
) -> None:
    *who, card = _require_words(words, "CARD", minimum=1)
    place = None if source is None else _card(source, minimum=0)
    number = _card(card)

    def step(table: course.GameTable) -> GameStep:
        seat = course.seat_of(course.names_of(session().words, table), *who) if who else table.turn
        return course.act_step(table, seat, number, place, free=free)

    _play(file, step)


@app.command("track", context_settings={"ignore_unknown_options": True})
@app.command("dial", context_settings={"ignore_unknown_options": True})
@app.command("threat", context_settings={"ignore_unknown_options": True})
def threat_command(ctx: typer.Context, words: PlayerAndNumber = None, file: File = None) -> None:
    who, amount = _split_amount(words, str(ctx.info_name))
    _play(file, {"do": ctx.info_name, "by": amount}, who)


def _split_amount(words: list[str] | None, command: str) -> tuple[list[str], int]:
    """The other words, at least one, and the number typed last, such as ``+2`` or ``−1``, but not 0."""
    *names, by = words or [""]
    with suppress(ValueError):
        amount = int(by.replace("−", "-"))
        if names and 0 < abs(amount) <= course.MOST_NUMBER:
            return names, amount
    code = "thorgal-threat-amount" if command == "threat" else "thorgal-amount"
    raise InputError(code, value=by[:20], command=command)


@app.command("resource", context_settings={"ignore_unknown_options": True})
def resource_command(words: PlayerAndResource = None, file: File = None) -> None:
    (*who, kind), amount = _split_amount(words if words and len(words) > 2 else None, "resource")
    _play(file, {"do": "resource", "kind": read_resource(kind, RESOURCES), "by": amount}, who)


@app.command("skill")
def skill_command(
    words: WhoseSkill = None, back: Annotated[bool, typer.Option("--back")] = False, file: File = None
) -> None:
    _play(file, {"do": "skill", "used": not back}, _require_words(words, "PLAYER", minimum=1))


@app.command("board")
def board_command(words: PlayerAndBoard = None, file: File = None) -> None:
    *who, board = _require_words(words, "PLAYER BOARD")
    _play(file, {"do": "board", "board": course.draw_board(read_board(board))}, who)


@app.command("rolls")
def rolls_command(words: PlayerAndDice = None, file: File = None) -> None:
    *who, dice = _require_words(words, "PLAYER DICE")
    _play(file, {"do": "rolls", "dice": ", ".join(read_dice(dice))}, who)


@app.command("dice")
def dice_command(words: Faces = None, file: File = None) -> None:
    text = " ".join(words or []).replace("\n", ", ")  # kept on one line
    _require_words([text] * bool(text), "FACES…", minimum=1)
    _play(file, dice_step(text))


@app.command("enemy")
def enemy_command(words: NameAndCards = None, file: File = None) -> None:
    name, *cards = _require_words(words, "NAME CARD…")
    _play(file, enemy_step(name, cards))


@app.command("card")
def card_command(words: NumberAndNote = None, file: File = None) -> None:
    number, *note = _require_words(words, "CARD ACTION…")
    _play(file, {"do": "card", "card": _card(number), "says": kept_text(course.read_card(" ".join(note)).text)})


@app.command("heal")
@app.command("wound")
def wound_command(ctx: typer.Context, words: PlayerAndTile = None, file: File = None) -> None:
    *who, tile = _require_words(words if words and shorten(words[-1]) else None, "PLAYER TILE")
    one_sign = tile in tuple("12345") or (ctx.info_name == "heal" and len(tile) == 1 and tile.isalpha())
    name = tile.upper() if one_sign else read_tile(tile).name  # its size, its letter on the board, or its name
    _play(file, {"do": ctx.info_name, "tile": name}, who)


@app.command("upgrade")
def upgrade_command(old: Old, new: New, file: File = None) -> None:
    _play(file, {"do": "upgrade", "old": _card(old), "new": _card(new)})


@app.command("won")
@app.command("events")
def events_command(ctx: typer.Context, file: File = None) -> None:
    _play(file, {"do": ctx.info_name})


@app.command("lost")
def lost_command(words: PlayerOrReason = None, file: File = None) -> None:
    why = " ".join(words or [])

    def step(table: course.GameTable) -> GameStep:
        seat = course.named_seat(course.names_of(session().words, table), why) if why else None
        return {"do": "lost", "seat": seat, "note": "" if seat is not None else adventure_name(why)}

    _play(file, step)


@app.command("undo")
def undo_command(file: File = None) -> None:
    _show(file, undo_step(game_path(file)))


@app.command("show")
def show_command(file: File = None) -> None:
    _show(file, Played(read_steps(game_path(file))[1], {"do": "show"}))


@app.command("danger")
def danger_command(words: HowNear = None, file: File = None) -> None:
    near, *name = words or [""]
    reached, slash, of = near.partition("/")
    counts = [int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else -1 for text in (reached, of)]
    if not slash or not name or counts[0] < 0 or counts[1] < 1:
        raise InputError("thorgal-danger", value=near[:20])
    _play(file, {"do": "danger", "name": adventure_name(" ".join(name)), "at": counts[0], "of": counts[1]})


@app.command("next")
def next_command(file: File = None) -> None:
    path = game_path(file)
    run, table = session(), read_steps(path)[1]
    page, documents = next_page(run.words, table, _suffix(file))
    print_answer(course.next_document(run.words, table, documents, str(path)) if run.json else {}, page)


def _require_words(words: list[str] | None, value: str, minimum: int = 2) -> list[str]:
    """The words typed; raises :class:`InputError` with the ``value`` of the help page that they lack."""
    if not words or len(words) < minimum:
        raise InputError("missing-argument", name=value_word(session().words, value))
    return words


def _play(file: Path | None, step: GameStep | Callable[[course.GameTable], GameStep], who: Sequence[str] = ()) -> None:
    """Adds a step to the game; ``who``, if given, is the player whose step it is."""
    words = session().words

    def make_step(table: course.GameTable) -> GameStep:
        if callable(step):
            return step(table)
        if not who:
            return step
        return {"do": step["do"], "seat": course.seat_of(course.names_of(words, table), *who), **step}

    _show(file, add_step(words, game_path(file), make_step))


def _card(text: str, minimum: int = 1) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
    if not minimum <= number <= course.MOST_NUMBER:
        raise InputError("thorgal-bad-card", value=text)
    return number


def _show(file: Path | None, played: Played) -> None:
    run = session()
    page, report = table_page(run.words, played.after, played.before, played.step, _suffix(file))
    document = course.table_document(run.words, played.after, with_perils=run.json)
    print_answer(document | {"said": report, "file": str(game_path(file))}, page)


def _suffix(file: Path | None) -> str:
    return "" if file is None else f" --file {shlex.quote(str(file))}"
