"""A fight: rolled tiles on the card of an enemy (T10), judged or laid best.

The tiles touch one another by edges, none overlaps, none sticks out (T10.9). A tile stays off only if it has no room
left (T10.14), unless ``may_leave``. Two enemies joined lie side by side in the better order (T10.7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thunderref.errors import IllegalStepError, InputError
from thunderref.thorgal import rules
from thunderref.thorgal.fields import BENEFITS, HEART, PENALTIES
from thunderref.thorgal.grid import Cell, Grid
from thunderref.thorgal.laying import Effect, Piece, counted_fields, effects_of, left_out, lettered, read_pieces
from thunderref.thorgal.search import BUDGET, Layer, best_arrangement
from thunderref.thorgal.tiles import Tile, masks

GOALS = ("benefits", "safe")
"""After the hearts: benefits before penalties, or penalties before benefits."""
MOST_THREAT = 5
UNMET_WOUND = 2
"""Fields of the wound for an effect that cannot be met (T16.1)."""


@dataclass(frozen=True)
class Fight:
    """The outcome of a fight."""

    grid: Grid
    order: tuple[int, ...]
    """The cards from left to right, by their number in the question from 1."""
    pieces: tuple[Piece, ...]
    left_out: tuple[Tile, ...]
    effects: tuple[Effect, ...]
    threat_held: int
    proven: bool
    """False if the search ended before every arrangement was ruled out; True for a given arrangement."""
    steps: int

    @property
    def covered(self) -> int:
        """The fields under tiles."""
        return sum(piece.mask for piece in self.pieces)

    @property
    def hearts(self) -> int:
        """Black hearts on the card."""
        return self.grid.mask_of(HEART).bit_count()

    @property
    def uncovered(self) -> tuple[Cell, ...]:
        """The black hearts left uncovered."""
        return tuple(self.grid.cells(self.grid.mask_of(HEART) & ~self.covered))

    @property
    def won(self) -> bool:
        """True if every black heart is covered (T10.11)."""
        return not self.uncovered

    @property
    def threat(self) -> int:
        """Threat tokens taken: one for each uncovered heart, five in all at most (T10.12, T15.1)."""
        return min(len(self.uncovered), MOST_THREAT - self.threat_held)

    @property
    def wound(self) -> int:
        """Fields of the wound for threat tokens that could not be taken (T15.2, T16.1, once: T16.3); 0 for none."""
        return UNMET_WOUND if self.threat < len(self.uncovered) else 0

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules the outcome goes by."""
        cited = [rules.LAY, rules.WON if self.won else rules.LOST]
        if len(self.order) > 1:
            cited.append(rules.JOINED)
        if self.effects:
            cited.append(rules.COVERED_EFFECTS)
        if self.wound:
            cited += [rules.MOST_THREAT, rules.FURTHER_THREAT, rules.UNMET]
        return tuple(cited)

    @property
    def readings(self) -> tuple[str, ...]:
        """The open questions it leans on."""
        cited = [rules.LAY_READING]
        if not self.won and self.effects:
            cited.append(rules.EFFECTS_ANYWAY)
        if self.wound:
            cited.append(rules.UNMET_ONCE)
        return tuple(cited)


def check_cards(cards: Sequence[Grid]) -> None:
    """Raises :class:`InputError` unless there are one or two cards with a black heart between them."""
    if not 1 <= len(cards) <= 2:
        raise InputError("thorgal-cards", n=len(cards))
    if not any(card.mask_of(HEART) for card in cards):
        raise InputError("thorgal-no-heart")


def orders(cards: Sequence[Grid]) -> list[tuple[tuple[int, ...], Grid]]:
    """The cards side by side, in either order; cards alike are tried once."""
    if len(cards) == 1:
        return [((1,), cards[0])]
    first, second = cards
    both: list[tuple[tuple[int, ...], Grid]] = [((1, 2), first.beside(second))]
    if first.text != second.text:
        both.append(((2, 1), second.beside(first)))
    return both


def layers(grid: Grid, goal: str = "benefits") -> list[Layer]:
    """Hearts before everything, then benefits and penalties by the goal; several on one field count each."""
    helps, harms = (counted_fields(grid, kinds) for kinds in (BENEFITS, PENALTIES))
    first, second = (helps, harms) if goal == "benefits" else (harms, helps)
    small, large = 1, sum(mask.bit_count() for mask in second) + 1
    heart = large * (sum(mask.bit_count() for mask in first) + 1)
    sign = 1 if goal == "benefits" else -1
    made = [Layer(grid.mask_of(HEART) & grid.open, heart)]
    made += [Layer(mask, sign * large) for mask in first]
    made += [Layer(mask, -sign * small) for mask in second]
    return made


def best_fight(
    cards: Sequence[Grid],
    tiles: Sequence[Tile],
    *,
    goal: str = "benefits",
    mirror: bool = False,
    may_leave: bool = False,
    threat: int = 0,
    budget: int = BUDGET,
) -> Fight:
    """The best arrangement of all the rolled tiles: most hearts, then by the goal; proven unless the budget ends it.

    Raises :class:`InputError` for cards without a heart or of different heights and for a threat not from 0 to 5.
    """
    _check(cards, goal, threat)
    shapes = [tile.shape for tile in tiles]
    each = [
        (
            order,
            grid,
            best_arrangement(grid, shapes, layers(grid, goal), mirror=mirror, may_leave=may_leave, budget=budget),
        )
        for order, grid in orders(cards)
    ]
    steps, proven = sum(found.steps for *_, found in each), all(found.proven for *_, found in each)
    order, grid, best = max(each, key=lambda tried: tried[2].worth)
    places = best.places or ()
    pieces = lettered(tiles, places)
    rest = left_out(tiles, pieces)
    return Fight(grid, order, tuple(pieces), tuple(rest), tuple(effects_of(grid, pieces)), threat, proven, steps)


def judge_fight(
    cards: Sequence[Grid],
    drawing: str,
    tiles: Sequence[Tile] | None,
    *,
    mirror: bool = False,
    may_leave: bool = False,
    threat: int = 0,
) -> Fight:
    """The outcome of an arrangement drawn over the cards as they were given, from left to right.

    Raises :class:`IllegalStepError` for its first fault: outside, on a hole, overlapping, not of the rolled shapes, not
    touching, or with a tile left off that still has room.
    """
    _check(cards, GOALS[0], threat)
    order, grid = orders(cards)[0]
    pieces = read_pieces(grid, drawing, tiles, mirror, rules.LAY)
    _check_touching(grid, pieces)
    rest = left_out(tiles, pieces) if tiles is not None else []
    if not may_leave:
        covered = sum(piece.mask for piece in pieces)
        edge = grid.neighbours(covered)
        for tile in rest:
            for mask in masks(grid, tile.shape, mirror):
                if not mask & covered and mask & edge:
                    where = next(grid.cells(mask))
                    raise IllegalStepError(
                        "thorgal-left-out", rule=rules.LAY_READING, tile=tile.name, row=where.row + 1,
                        column=where.column + 1,
                    )  # fmt: skip
    return Fight(grid, order, tuple(pieces), tuple(rest), tuple(effects_of(grid, pieces)), threat, True, 0)


def _check_touching(grid: Grid, pieces: Sequence[Piece]) -> None:
    """Raises :class:`IllegalStepError` for the first tile that no chain of touching tiles joins to the first one."""
    group = pieces[0].mask
    apart = list(pieces[1:])
    while apart:
        near = [piece for piece in apart if piece.mask & grid.neighbours(group)]
        if not near:
            raise IllegalStepError("thorgal-no-touch", rule=rules.LAY, letter=apart[0].letter)
        for piece in near:
            group |= piece.mask
            apart.remove(piece)


def _check(cards: Sequence[Grid], goal: str, threat: int) -> None:
    check_cards(cards)
    if goal not in GOALS:
        raise InputError("thorgal-goal", goal=goal[:20], candidates=GOALS)
    if not 0 <= threat <= MOST_THREAT:
        raise InputError("thorgal-threat", n=threat, most=MOST_THREAT)
