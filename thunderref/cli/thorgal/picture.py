"""Cards as users type and see them, and ``thunderref thorgal fields``, the signs for typing them.

In a picture every tile has a letter and a colour, and every field is still visible beside the letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.inputs import read_text
from thunderref.cli.session import session
from thunderref.cli.thorgal.commands import answer
from thunderref.errors import InputError
from thunderref.pages.page import Block, Line, Page, Patch, Picture
from thunderref.text.language import Language
from thunderref.thorgal.grid import COVERED, HOLE, PLAIN_SIGNS, SIGNS, TOKEN, Cell, Field, Grid, read_grid
from thunderref.thorgal.laying import FieldEffect, Piece

app = CommandApp()
Cards = Annotated[list[str] | None, typer.Argument(metavar="CARD…")]
Tiles = Annotated[str | None, typer.Option("--tiles", metavar="TILES")]
Lay = Annotated[str | None, typer.Option("--lay", metavar="DRAWING")]
Mirror = Annotated[bool, typer.Option("--mirror")]
MayLeave = Annotated[bool, typer.Option("--may-leave")]

_TILE_COLOURS = 8
_FIELD_COLOURS = {"heart": "bold", "yellow": "yellow", "red": "red", HOLE: "dim", COVERED: "dim", TOKEN: "dim"}
_ROOMY = 10
"""Up to this many columns, fields separated by a blank still fit a narrow terminal."""


def cards_of(words: Sequence[str] | None) -> list[Grid]:
    """The cards of the command line: one an argument, ``|`` between two in one; ``-`` reads them from the input."""
    texts: list[str] = []
    for word in words or ():
        if word == "-":
            texts += [part for part in read_text("-").replace("\r", "").replace("\n\n", "|").split("|") if part.strip()]
        else:
            texts += word.split("|")
    if not texts:
        raise InputError("thorgal-card-missing")
    return [read_grid(text) for text in texts]


def card_of(words: Sequence[str] | None) -> Grid:
    cards = cards_of(words)
    if len(cards) > 1:
        raise InputError("thorgal-one-card", n=len(cards))
    return cards[0]


def picture(grid: Grid, pieces: Sequence[Piece] = (), columns: int | None = None) -> Picture:
    """A card with its tiles: in each field the letter of the tile, if any, and what the field holds."""
    wide = grid.width if columns is None else columns
    owners = {cell: (number, piece) for number, piece in enumerate(pieces) for cell in grid.cells(piece.mask)}
    width = max(len(_sign(field)) for row in grid.rows for field in row[:wide]) + bool(pieces)
    gap = " " * (wide <= _ROOMY)
    numbers = (str(column + 1) if gap else str(column + 1)[-1] for column in range(wide))
    made: Picture = [[Patch("   " + "".join(f"{number:>{width}}{gap}" for number in numbers), "dim")]]
    for number, row in enumerate(grid.rows):
        made.append([Patch(f"{number + 1:>2} ", "dim")])
        for column, field in enumerate(row[:wide]):
            made[-1] += [_patch(field, width, owners.get(Cell(number, column))), Patch(gap)]
    if any(column < wide for column in grid.rhombus):
        marks = ("^" if column in grid.rhombus else " " for column in range(wide))
        made.append([Patch("   " + "".join(f"{mark:>{width}}{gap}" for mark in marks), "dim")])
    return made


def _sign(field: Field) -> str:
    return field.sign.strip("[]")


def _patch(field: Field, width: int, owner: tuple[int, Piece] | None) -> Patch:
    if owner is not None:
        number, piece = owner
        under = _sign(field) if field.open else ""  # under an earlier wound nothing is visible
        return Patch(f"{piece.letter}{under:<{width - 1}}", str(number % _TILE_COLOURS + 1))
    colours = [_FIELD_COLOURS[kind] for kind in field.kinds if kind in _FIELD_COLOURS]
    return Patch(f"{_sign(field):>{width}}", colours[0] if colours else "" if field.kinds else "dim")


def legend(words: Language, grid: Grid) -> Block:
    there = {kind for row in grid.rows for field in row for kind in field.kinds}
    return Block([Line(words.say(f"thorgal.kind.{k}"), SIGNS[k][0]) for k in SIGNS if k in there], compact=True)


def citation(words: Language, rules: Iterable[str], readings: Iterable[str]) -> Block:
    text = words.say("thorgal.cited", rules=" ".join(rules))
    return Block([Line(f"{text} · {words.say('thorgal.cited.readings', rules=' '.join(readings))}")])


def place(words: Language, cell: Cell) -> str:
    return words.say("thorgal.at", row=cell.row + 1, column=cell.column + 1)


def effects_block(words: Language, effects: Sequence[FieldEffect]) -> Block:
    lines = [Line(e.text(words), f"{e.letter}, {place(words, e.cell)}", e.rule) for e in effects]
    return Block(lines, words.say("thorgal.heading.effects"))


@app.command("fields")
def fields_command() -> None:
    words = session().words
    names = {kind: words.say(f"thorgal.kind.{kind}") for kind in SIGNS}
    lines = [Line(words.say("thorgal.kind.plain"), " ".join(PLAIN_SIGNS))]
    lines += [Line(name, " ".join(SIGNS[kind])) for kind, name in names.items()]
    notes = [Line(words.say(f"thorgal.fields.{note}")) for note in ("rows", "brackets", "rhombus", "tiles", "board")]
    answer(
        {"fields": [{"kind": kind, "signs": list(SIGNS[kind]), "name": name} for kind, name in names.items()]},
        Page(words.say("thorgal.fields.title"), [], [Block(lines), Block(notes)]),
    )
