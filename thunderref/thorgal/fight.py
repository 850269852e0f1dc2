"""A fight: rolled tiles on the card of an enemy (T10), judged or laid best.

The tiles touch one another by edges, none overlaps, none sticks out (T10.9). A tile stays off only if it has no room
left (T10.14), unless ``may_leave``. The cards of joined enemies are side by side in the best order (T10.7).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import permutations
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError
from thunderref.thorgal import laying
from thunderref.thorgal.arrangement import BUDGET, Places, WorthLayer, best_arrangement
from thunderref.thorgal.grid import BENEFITS, HEART, PENALTIES, Cell, Grid
from thunderref.thorgal.round import MOST_THREAT, UNMET_WOUND
from thunderref.thorgal.tiles import Tile, masks, orientations

MOST_CARDS = 4
"""Joined enemies at most: every order of their cards is tried."""
GOALS = ("benefits", "safe")
"""After the hearts: benefits before penalties, or penalties before benefits."""


class FightOutcome(NamedTuple):
    """The outcome of a fight: the cards in ``order`` by their number from 1, the ``tiles`` to lay.

    ``proven`` is False if the search ended before every arrangement was ruled out.
    """

    grid: Grid
    order: tuple[int, ...]
    pieces: tuple[laying.Piece, ...]
    tiles: tuple[Tile, ...]
    threat_held: int
    proven: bool = True
    steps: int = 0

    @property
    def left_out(self) -> list[Tile]:
        rest = list(self.tiles)
        for piece in self.pieces:
            rest.remove(piece.tile)
        return rest

    @property
    def effects(self) -> tuple[laying.FieldEffect, ...]:
        return laying.effects_of(self.grid, self.pieces)

    @property
    def hearts(self) -> int:
        return self.grid.mask_of(HEART).bit_count()

    @property
    def uncovered(self) -> tuple[Cell, ...]:
        covered = sum(piece.mask for piece in self.pieces)
        return tuple(self.grid.cells(self.grid.mask_of(HEART) & ~covered))

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
        """Fields of the wound for threat tokens beyond five (T15.2, T16.1, once: T16.3); 0 for none."""
        return UNMET_WOUND if self.threat < len(self.uncovered) else 0

    @property
    def rules(self) -> list[str]:
        cited = ["T10.9", "T10.11" if self.won else "T10.12"]
        cited += ["T10.7"] * (len(self.order) > 1) + ["T10.10"] * bool(self.effects)
        return cited + ["T15.1", "T15.2", "T16.1"] * bool(self.wound)

    @property
    def readings(self) -> list[str]:
        return ["T10.14"] + ["T10.13"] * (not self.won and bool(self.effects)) + ["T16.3"] * bool(self.wound)

    def document(self, words: Language) -> dict[str, Any]:
        effects = self.effects
        gains = sum(effect.kind in BENEFITS for effect in effects)
        uncovered = [[row + 1, column + 1] for row, column in self.uncovered]
        return {
            "card": self.grid.document(),
            "order": list(self.order),
            "picture": laying.drawing(self.grid, self.pieces),
            "tiles": [piece.document(self.grid) for piece in self.pieces],
            "left_out": [tile.name for tile in self.left_out],
            "outcome": "won" if self.won else "lost",
            "hearts": {"total": self.hearts, "covered": self.hearts - len(uncovered), "uncovered": uncovered},
            "threat": {"held": self.threat_held, "taken": self.threat, "wound": self.wound},
            "benefits": gains,
            "penalties": len(effects) - gains,
            "effects": [effect.document(words) for effect in effects],
            "rules": self.rules,
            "readings": self.readings,
            "proven": self.proven,
            "steps": self.steps,
        }


def orders(cards: Sequence[Grid]) -> list[tuple[tuple[int, ...], Grid]]:
    """The cards, one or several with at least one black heart, side by side in every order; equal rows once."""
    if not 1 <= len(cards) <= MOST_CARDS:
        raise InputError("thorgal-cards", n=len(cards), most=MOST_CARDS)
    if not any(card.mask_of(HEART) for card in cards):
        raise InputError("thorgal-no-heart")
    found: dict[tuple[str, ...], tuple[tuple[int, ...], Grid]] = {}
    for order in permutations(range(len(cards))):
        row = [cards[number] for number in order]
        texts = tuple(card.text for card in row)
        if texts not in found:
            found[texts] = (tuple(number + 1 for number in order), reduce(Grid.beside, row))
    return list(found.values())


def layers(grid: Grid, goal: str = "benefits") -> list[WorthLayer]:
    """Hearts first, then benefits and penalties by the goal; several on one field all count."""
    if goal not in GOALS:
        raise InputError("thorgal-goal", goal=goal[:20], candidates=GOALS)
    helps, harms = laying.counted_fields(grid, BENEFITS), laying.counted_fields(grid, PENALTIES)
    first, second = (helps, harms) if goal == "benefits" else (harms, helps)
    sign = 1 if goal == "benefits" else -1
    large = sum(mask.bit_count() for mask in second) + 1
    heart = large * (sum(mask.bit_count() for mask in first) + 1)
    made = [WorthLayer(grid.mask_of(HEART) & grid.open, heart)]
    return made + [WorthLayer(mask, sign * large) for mask in first] + [WorthLayer(mask, -sign) for mask in second]


def best_fight(
    cards: Sequence[Grid],
    tiles: Sequence[Tile],
    *,
    goal: str = "benefits",
    mirror: bool = False,
    may_leave: bool = False,
    threat: int = 0,
    budget: int = BUDGET,
) -> FightOutcome:
    """The best arrangement of all the rolled tiles: most hearts, then by the goal; proven unless the budget ends it.

    Raises :class:`InputError` for cards without a heart or of different heights and for a threat not from 0 to 5.
    """
    if not 0 <= threat <= MOST_THREAT:
        raise InputError("thorgal-threat", n=threat, most=MOST_THREAT)
    each = []
    shapes = [tile.shape for tile in tiles]
    rows = orders(cards)
    budget = budget * 2 // max(len(rows), 2)
    for order, grid in rows:
        places = Places(grid, shapes, layers(grid, goal), mirror)
        each.append((best_arrangement(places, shapes, may_leave=may_leave, budget=budget), order, grid))
    best, order, grid = max(each, key=lambda tried: tried[0].worth)
    pieces = laying.letter_pieces((tiles[number], mask) for number, mask in best.places or ())
    steps, proven = sum(found.steps for found, *_ in each), all(found.proven for found, *_ in each)
    return FightOutcome(grid, order, pieces, tuple(tiles), threat, proven, steps)


def judge_fight(
    cards: Sequence[Grid],
    drawing: str,
    tiles: Sequence[Tile] | None,
    *,
    mirror: bool = False,
    may_leave: bool = False,
    threat: int = 0,
) -> FightOutcome:
    """The outcome of an arrangement drawn over the cards; :class:`IllegalStepError` for its first fault.

    One such fault is a tile left off that still has room.
    """
    order, grid = orders(cards)[0]
    if not 0 <= threat <= MOST_THREAT:
        raise InputError("thorgal-threat", n=threat, most=MOST_THREAT)
    pieces = tuple(laying.read_pieces(grid, drawing, tiles, mirror, "T10.9"))
    group = pieces[0].mask
    while near := sum(piece.mask for piece in pieces if piece.mask & grid.neighbours(group)):
        group |= near
    for piece in pieces:
        if not piece.mask & group:
            raise IllegalStepError("thorgal-no-touch", rule="T10.9", letter=piece.letter)
    rolled = (piece.tile for piece in pieces) if tiles is None else tiles
    fight = FightOutcome(grid, order, pieces, tuple(rolled), threat)
    for tile in () if may_leave else fight.left_out:
        for mask in masks(grid, orientations(tile.shape, mirror)):
            if not mask & group and mask & grid.neighbours(group):
                where = next(grid.cells(mask)).place
                raise IllegalStepError("thorgal-left-out", rule="T10.14", tile=tile.name, **where)
    return fight
