"""Grids as pictures and pages: every tile a letter and a colour, every field still seen beside the letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from thunderref.cli.page import Block, Line, Page, Patch, Picture
from thunderref.thorgal import rules
from thunderref.thorgal.dice import Advice, Chance, face_name
from thunderref.thorgal.documents import effect_text
from thunderref.thorgal.fields import COVERED, HOLE, PLAIN_SIGNS, SIGNS, TOKEN
from thunderref.thorgal.fight import Fight
from thunderref.thorgal.gather import Gathering
from thunderref.thorgal.grid import Cell, Grid
from thunderref.thorgal.laying import Effect, Piece, outline
from thunderref.thorgal.tiles import Tile
from thunderref.thorgal.wander import Way, Ways
from thunderref.thorgal.wounds import Board, Capacity, Heal, Taken
from thunderref.words.words import Words

_TILE_COLOURS = 8
_FIELD_COLOURS = {"heart": "bold", "yellow": "yellow", "red": "red", HOLE: "dim", COVERED: "dim", TOKEN: "dim"}
_WANDERING = (rules.WANDER_TILES, rules.WANDER_TOUCH, rules.WANDER_COLUMN)
_ROOMY = 10
"""Up to so many columns fields are set apart by a blank, and still fit a narrow terminal."""


def picture(grid: Grid, pieces: Sequence[Piece] = (), columns: int | None = None) -> Picture:
    """A card with its tiles: in each field the letter of the tile, if any, and what the field carries."""
    wide = grid.width if columns is None else columns
    owner = {cell: (number, piece) for number, piece in enumerate(pieces) for cell in grid.cells(piece.mask)}
    signs = [[row[column].sign.strip("[]") for column in range(wide)] for row in grid.rows]
    width = max((len(sign) for row in signs for sign in row), default=1) + bool(pieces)
    gap = " " * (wide <= _ROOMY)
    numbers = (str(column + 1) if gap else str(column + 1)[-1] for column in range(wide))
    head = "".join(f"{number:>{width}}{gap}" for number in numbers)
    made: Picture = [[Patch(f"   {head}", "dim")]]
    for row in range(grid.height):
        patches = [Patch(f"{row + 1:>2} ", "dim")]
        for column in range(wide):
            cell, sign = Cell(row, column), signs[row][column]
            if cell in owner:
                number, piece = owner[cell]
                if not grid.field(cell).open:  # a wound that was there before: nothing to be seen under it
                    sign = ""
                patches.append(Patch(f"{piece.letter}{sign:<{width - 1}}", str(number % _TILE_COLOURS + 1)))
            else:
                kinds = grid.field(cell).kinds
                colour = next(
                    (_FIELD_COLOURS[kind] for kind in kinds if kind in _FIELD_COLOURS), "" if kinds else "dim"
                )
                patches.append(Patch(f"{sign:>{width}}", colour))
            patches.append(Patch(gap))
        made.append(patches)
    if any(column < wide for column in grid.rhombus):
        marks = ("^" if column in grid.rhombus else " " for column in range(wide))
        made.append([Patch("   " + "".join(f"{mark:>{width}}{gap}" for mark in marks), "dim")])
    return made


def legend(words: Words, grid: Grid) -> Block:
    """The signs on a card with their names, each once."""
    there = {kind for row in grid.rows for field in row for kind in field.kinds}
    return Block([Line(words.say(f"thorgal.kind.{k}"), SIGNS[k][0]) for k in SIGNS if k in there], compact=True)


def _rules(words: Words, ids: Iterable[str], readings: Iterable[str]) -> Line:
    cited, open_questions = " ".join(ids), " ".join(readings)
    text = words.say("thorgal.cited", rules=cited)
    if open_questions:
        text += f" · {words.say('thorgal.cited.readings', rules=open_questions)}"
    return Line(text)


def _effect_lines(words: Words, effects: Sequence[Effect]) -> list[Line]:
    lines = []
    for effect in effects:
        where = words.say("thorgal.at", row=effect.cell.row + 1, column=effect.cell.column + 1)
        lines.append(Line(effect_text(words, effect), f"{effect.letter}, {where}", effect.rule))
    return lines


def _tile_lines(pieces: Iterable[Piece]) -> Block:
    return Block([Line(outline(piece.tile), piece.letter) for piece in pieces], compact=True)


def fight_page(words: Words, fight: Fight, *, given: bool) -> Page:
    """The outcome of a fight; ``given`` for an arrangement that the player made."""
    how = "given" if given else "best" if fight.proven else "unproven"
    subtitle = [words.say(f"thorgal.fight.{how}", n=fight.steps)]
    if len(fight.order) > 1:
        subtitle.append(words.say("thorgal.fight.order", order=", ".join(map(str, fight.order))))
    covered = fight.hearts - len(fight.uncovered)
    lines = [Line(words.say("thorgal.fight.hearts", covered=covered, n=fight.hearts))]
    if fight.left_out:
        lines.append(Line(words.say("thorgal.fight.left-out", tiles=_names(fight.left_out))))
    if fight.won:
        lines.append(Line(words.say("thorgal.fight.discard")))
    else:
        if fight.threat:
            lines.append(Line(words.say("thorgal.fight.threat", n=fight.threat)))
        if fight.wound:
            lines.append(Line(words.say("thorgal.fight.unmet", n=fight.wound)))
        lines.append(Line(words.say("thorgal.fight.stays")))
    return Page(
        words.say("thorgal.fight.won" if fight.won else "thorgal.fight.lost"),
        subtitle,
        [
            Block([], picture=picture(fight.grid, fight.pieces)),
            legend(words, fight.grid),
            _tile_lines(fight.pieces),
            Block(lines),
            Block(_effect_lines(words, fight.effects), words.say("thorgal.heading.effects")),
            Block([_rules(words, fight.rules, fight.readings)]),
        ],
    )


def _names(tiles: Iterable[Tile]) -> str:
    return ", ".join(tile.name for tile in tiles)


def _percent(words: Words, value: Fraction) -> str:
    return f"{float(value) * 100:.1f}".replace(".", words.say("number.point"))


def chance_page(words: Words, chance: Chance, rerolls: int) -> Page:
    """The chance to win before the roll."""
    dice = Counter(chance.dice)
    rolled = ", ".join(f"{n}× {words.say(f'thorgal.die.{colour}')}" for colour, n in dice.items())
    lines = [Line(words.say("thorgal.chance.dice", dice=rolled))]
    lines += [
        Line(
            words.say(
                "thorgal.chance.upgrade",
                before=words.say(f"thorgal.die.{before}"),
                after=words.say(f"thorgal.die.{after}"),
            ),
            note=rules.UPGRADE,
        )
        for before, after in chance.upgraded
    ]
    if rerolls:
        lines.append(Line(words.say("thorgal.chance.rerolls", n=rerolls), note=rules.REROLL))
    if chance.upgraded or rerolls:
        plain = words.say("thorgal.chance.win", percent=_percent(words, chance.plain), fraction=str(chance.plain))
        lines.append(Line(words.say("thorgal.chance.plain", chance=plain)))
    lines.append(Line(words.say("thorgal.chance.exact", n=chance.rolls)))
    title = words.say("thorgal.chance.win", percent=_percent(words, chance.win), fraction=str(chance.win))
    return Page(words.say("thorgal.chance.title", chance=title), [], [Block(lines)])


def advice_block(words: Words, advice: Sequence[Advice], left: int) -> Block:
    """Which die to throw again, best first."""
    lines = [
        Line(
            words.say("thorgal.chance.win", percent=_percent(words, a.chance), fraction=str(a.chance)),
            f"{words.say(f'thorgal.die.{a.colour}')} {face_name(a.face)}",
        )
        for a in advice
    ]
    return Block(lines, words.say("thorgal.heading.advice", n=left))


def _way_block(words: Words, way: Way, heading: str) -> Block:
    counts = Counter((effect.kind, effect.size) for effect in way.effects)
    gains = []
    for (kind, size), n in counts.items():
        name = words.say(f"thorgal.kind.{kind}") + (f" {size}" if size else "")
        gains.append(f"{name} ×{n}" if n > 1 else name)
    lines = [Line(words.say("thorgal.wander.covers", what=", ".join(gains) or words.say("thorgal.wander.nothing")))]
    lines += [
        Line(words.say("thorgal.wander.rhombus", column=column + 1), note=rules.RHOMBUS) for column in way.rhombus
    ]
    lines.append(Line(words.say("thorgal.wander.farthest", column=way.farthest + 1)))
    if way.unknown:
        lines.append(Line(words.say("thorgal.wander.unknown")))
    if way.stopped:
        lines.append(Line(words.say("thorgal.wander.stopped")))
    return Block(lines, heading, picture=picture(way.grid, way.pieces, way.columns))


def way_page(words: Words, way: Way, readings: Sequence[str]) -> Page:
    """A way to wander that the player chose."""
    return Page(
        words.say("thorgal.wander.legal"),
        [],
        [
            _way_block(words, way, ""),
            legend(words, way.grid),
            Block(_effect_lines(words, way.effects), words.say("thorgal.heading.effects")),
            Block([_rules(words, _WANDERING, readings)]),
        ],
    )


def ways_page(words: Words, found: Ways, goal: str, limit: int, readings: Sequence[str]) -> Page:
    """The best ways to wander, numbered."""
    shown = found.ways[:limit] if limit else found.ways
    total = "thorgal.wander.count" if found.complete else "thorgal.wander.count-some"
    return Page(
        words.say(total, n=len(found.ways), shown=len(shown)),
        [words.say(f"thorgal.wander.goal.{goal}")],
        [
            legend(words, found.ways[0].grid),
            *(_way_block(words, way, str(number)) for number, way in enumerate(shown, 1)),
            Block([_rules(words, _WANDERING, readings)]),
        ],
    )


def gather_page(words: Words, card: Grid, found: Sequence[Gathering]) -> Page:
    """The fields that may take the gathering token."""
    lines = []
    for g in found:
        where = words.say("thorgal.at", row=g.cell.row + 1, column=g.cell.column + 1)
        text = f"{words.say(f'thorgal.kind.{g.resource}')} ×{g.amount}"
        for penalty in g.penalties:
            text += f"; {words.say(f'thorgal.effect.{penalty}')}"
        lines.append(Line(text, where, rules.GATHER_PENALTY if g.penalties else ""))
    return Page(
        words.say("thorgal.gather.title", n=len(found)),
        [],
        [
            Block([], picture=picture(card)),
            legend(words, card),
            Block(lines),
            Block([_rules(words, [rules.GATHER], [rules.GATHER_OPEN])]),
        ],
    )


def wounds_page(
    words: Words, board: Board, taken: Taken | None, capacities: Sequence[Capacity], healing: Sequence[Heal] | None
) -> Page:
    """What the wound board still bears."""
    pieces = [*board.wounds, *(taken.laid if taken else ())]
    lines = []
    title = words.say("thorgal.wounds.title")
    if taken is not None:
        title = (
            words.say("thorgal.wounds.fits")
            if taken.dies is None
            else words.say("thorgal.wounds.dies", n=taken.dies + 1)
        )
        lines += [
            Line(words.say("thorgal.wounds.laid", tile=outline(piece.tile)), piece.letter) for piece in taken.laid
        ]
    more = [
        Line(
            words.say(
                "thorgal.wounds.more",
                most=("" if c.most_proven else "≥ ") + str(c.most),
                surely=("" if c.surely_proven else "≥ ") + str(c.surely),
            ),
            words.say("thorgal.wounds.size", n=c.wound.size) if c.wound.by_size else c.wound.name,
        )
        for c in capacities
    ]
    heal = [
        Line(words.say("thorgal.wounds.heal", tile=outline(h.tile), n=h.tile.size), h.letter) for h in healing or ()
    ]
    cited = [rules.WOUND_TOUCH, rules.NO_ROOM] + [rules.WOUND_HEAL] * bool(heal)
    return Page(
        title,
        [],
        [
            Block([], picture=picture(board.grid, pieces)),
            Block(lines),
            Block(more, words.say("thorgal.heading.more")),
            Block(heal, words.say("thorgal.heading.heals")),
            Block([_rules(words, cited, [rules.WOUND_READING])]),
        ],
    )


def fields_page(words: Words) -> Page:
    """The notation: which sign is which field, how rows, brackets, rhombuses and tiles are typed."""
    lines = [Line(words.say("thorgal.kind.plain"), " ".join(PLAIN_SIGNS))]
    lines += [Line(words.say(f"thorgal.kind.{kind}"), " ".join(signs)) for kind, signs in SIGNS.items()]
    notes = [Line(words.say(f"thorgal.fields.{note}")) for note in ("rows", "brackets", "rhombus", "tiles", "board")]
    return Page(words.say("thorgal.fields.title"), [], [Block(lines), Block(notes)])
