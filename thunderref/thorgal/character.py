"""A character in a game under way: threat, wounds and their board, resources, experience, the skill card, the dice.

Steps of one character change its :class:`Seat`; a wound board is kept as it is typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from thunderref.errors import IllegalStepError, InputError
from thunderref.thorgal.grid import COVERED, HOLE, Cell
from thunderref.thorgal.laying import Piece, lettered
from thunderref.thorgal.tiles import masks
from thunderref.thorgal.wounds import LARGEST, Board, capacity, read_board, read_wounds, take

MOST_THREAT = 5  # tokens a character may hold (T15.1)
UNMET_WOUND = 2  # fields of the wound for an effect that cannot be met (T16.1)
MOST_LETTERS = 26
Step = Mapping[str, Any]


class Seat(NamedTuple):
    """A character: the player's name (may be ""), threat tokens, the wounds noted, in order.

    ``cards`` are those its tokens went to in this round, ``board`` the wound board ("" if unknown), ``dial`` and
    ``track`` the places on the fight dial and the wander track, ``rolls`` the dice that the dial shows there.
    """

    name: str
    threat: int = 0
    wounds: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()
    board: str = ""
    resources: tuple[tuple[str, int], ...] = ()
    dial: int = 1
    track: int = 1
    skill_used: bool = False
    rolls: tuple[tuple[int, str], ...] = ()

    @property
    def dice(self) -> str:
        """The dice that the fight dial shows now, "" if unknown (T10.8)."""
        return dict(self.rolls).get(self.dial, "")


class Room(NamedTuple):
    """The room on a wound board: free fields, the largest wound by size that fits (0: none), more wounds of size 2.

    ``surely`` of them fit however they are laid; not ``proven`` is a lower bound.
    """

    free: int
    largest: int
    surely: int
    proven: bool


def room_of(seat: Seat) -> Room | None:
    """The room on the board of a character; None if the board is not known."""
    if not seat.board:
        return None
    board = read_board(seat.board)
    largest = max((size for size in range(1, LARGEST + 1) if _fits(board, str(size))), default=0)
    more = capacity(board, read_wounds(str(UNMET_WOUND), mirror=False)[0])
    return Room((board.grid.open & ~board.covered).bit_count(), largest, more.surely, more.surely_proven)


def _fits(board: Board, tile: str) -> bool:
    (wound,) = read_wounds(tile, mirror=False)
    edge = board.grid.neighbours(board.covered) if board.covered else board.grid.open
    return any(mask & edge for mask in masks(board.grid, wound.shapes))


def drawn(board: Board) -> str:
    """A wound board as it is typed."""
    owners = {cell: piece.letter for piece in board.wounds for cell in board.grid.cells(piece.mask)}
    plain = {HOLE: "#", COVERED: "*"}
    return "/".join(
        "".join(
            owners.get(Cell(row, column)) or next((plain[kind] for kind in field.kinds if kind in plain), ".")
            for column, field in enumerate(fields)
        )
        for row, fields in enumerate(board.grid.rows)
    )


def placed(seat: Seat, step: Step) -> Step:
    """The step with what it does to the wound board, if that is known: the board afterwards, or the death (T14.4).

    A wound goes where it leaves the most room.
    """
    if not seat.board or not (tile := _wound_of(seat, step)):
        return step
    board = read_board(seat.board)
    if step["do"] == "heal":
        healed = _healed(board, tile)
        return step if healed is None else {**step, "board": _without(board, healed)}
    if not _fits(board, tile):
        return {**step, "dead": True}
    (new,) = take(board, read_wounds(tile, mirror=False)).laid
    letters = [piece.letter for piece in board.wounds]
    if len(letters) >= MOST_LETTERS:
        raise InputError("thorgal-tiles-many", n=len(letters) + 1, most=MOST_LETTERS)
    (piece,) = lettered([(new.tile, new.mask)], letters)
    return {**step, "board": drawn(board._replace(wounds=(*board.wounds, piece)))}


def _wound_of(seat: Seat, step: Step) -> str:
    if step["do"] == "threat":
        return str(UNMET_WOUND) if seat.threat + step["by"] > MOST_THREAT else ""
    return str(step["tile"]) if step["do"] in ("wound", "heal") else ""


def _healed(board: Board, tile: str) -> Piece | None:
    fits = [piece for piece in board.wounds if tile in (piece.letter, piece.tile.name, str(piece.tile.size))]
    return fits[0] if fits else None


def _without(board: Board, gone: Piece) -> str:
    text = drawn(board)
    return text.replace(gone.letter, ".")


def names_on(board: str) -> tuple[str, ...]:
    """The tiles of the wounds on a board."""
    return tuple(piece.tile.name for piece in read_board(board).wounds)


def _threat(seat: Seat, step: Step) -> Seat:
    """Threat taken or given back; threat beyond five is an effect that cannot be met, one wound for all of it."""
    threat = seat.threat + step["by"]
    if threat < 0:
        raise IllegalStepError("thorgal-too-little-threat", rule="T15.1", seat=step["seat"], n=seat.threat)
    wounds = (*seat.wounds, str(UNMET_WOUND)) if threat > MOST_THREAT else seat.wounds
    return _boarded(seat._replace(threat=min(threat, MOST_THREAT)), step, wounds)


def _wound(seat: Seat, step: Step) -> Seat:
    return _boarded(seat, step, (*seat.wounds, step["tile"]))


def _heal(seat: Seat, step: Step) -> Seat:
    wounds, tile = list(seat.wounds), step["tile"]
    if "board" not in step:
        if tile not in wounds:
            noted = list(dict.fromkeys(wounds))
            raise IllegalStepError("thorgal-no-wound", rule="T14.3", candidates=noted, seat=step["seat"], tile=tile)
        wounds.remove(tile)
    return _boarded(seat, step, tuple(wounds))


def _boarded(seat: Seat, step: Step, wounds: tuple[str, ...]) -> Seat:
    """The seat with the wounds of the step: those on the board it leads to, else these."""
    board = step.get("board")
    return seat._replace(wounds=wounds) if board is None else seat._replace(board=board, wounds=names_on(board))


def _board(seat: Seat, step: Step) -> Seat:
    return seat._replace(board=step["board"], wounds=names_on(step["board"]))


def _resource(seat: Seat, step: Step) -> Seat:
    held, kind = dict(seat.resources), step["kind"]
    held[kind] = held.get(kind, 0) + step["by"]
    if held[kind] < 0:
        params = {"seat": step["seat"], "n": held[kind] - step["by"], "kind": kind}
        raise IllegalStepError("thorgal-too-few-resources", rule="T13.1", **params)
    return seat._replace(resources=tuple(sorted((kind, n) for kind, n in held.items() if n)))


def _experience(seat: Seat, step: Step) -> Seat:
    """A move on the fight dial or the wander track, both of which begin on 1 (T1.13, T5.10)."""
    place = (seat.dial if step["do"] == "dial" else seat.track) + step["by"]
    if place < 1:
        raise IllegalStepError("thorgal-too-little-experience", rule="T1.13", seat=step["seat"], n=place - step["by"])
    return seat._replace(dial=place) if step["do"] == "dial" else seat._replace(track=place)


def _skill(seat: Seat, step: Step) -> Seat:
    if step["used"] == seat.skill_used:
        code, rule = ("thorgal-skill-used", "T19.5") if seat.skill_used else ("thorgal-skill-ready", "T19.6")
        raise IllegalStepError(code, rule=rule, seat=step["seat"])
    return seat._replace(skill_used=step["used"])


def _rolls(seat: Seat, step: Step) -> Seat:
    return seat._replace(rolls=tuple(sorted((dict(seat.rolls) | {seat.dial: step["dice"]}).items())))


CHANGES: dict[str, Callable[[Seat, Step], Seat]] = {
    "threat": _threat, "wound": _wound, "heal": _heal, "board": _board, "resource": _resource, "dial": _experience,
    "track": _experience, "skill": _skill, "rolls": _rolls,
}  # fmt: skip
"""Step of one character -> what it makes of its seat."""
