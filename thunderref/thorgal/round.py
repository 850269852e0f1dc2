"""The course of a game of Thorgal: rounds, action tokens, threat and wounds noted, the end.

A game is the list of the steps taken; what stands on the table follows from them (:func:`replayed`), so that any step
can be taken back by leaving it out. Steps are plain dictionaries, as they stand in the file:

    {"do": "start", "names": ["Anna", ""], "solo": false, "adventure": "", "length": 7, "row": [1, 3], "first": 0}
    {"do": "act", "seat": 0, "card": 3, "from": 0, "free": false}     free: out of turn; from: the card it lay at
    {"do": "threat", "seat": 0, "by": 2}                              by: may be negative
    {"do": "wound", "seat": 0, "tile": "3"}   {"do": "heal", "seat": 0, "tile": "3"}
    {"do": "upgrade", "old": 3, "new": 8}   {"do": "events"}   {"do": "won"}
    {"do": "lost", "seat": 0, "note": ""}                             seat: whose character died, or null

Seats are numbered from 0, cards by the number printed on them; card 0 stands for the place beside the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from thunderref.errors import IllegalStepError

ACTIONS = 4
"""Action tokens, and so actions in a round (T2.2)."""
MOST_THREAT = 5
"""Threat tokens a character may hold (T15.1)."""
UNMET_WOUND = "2"
"""Size of the wound for an effect that cannot be met (T16.1)."""
BESIDE = 0
"""The place of a token beside the cards."""
Step = Mapping[str, Any]


class Token(NamedTuple):
    """An action token: the number of the card it lies at (0: beside the cards) and whether its red side is up."""

    card: int = BESIDE
    active: bool = True


class Seat(NamedTuple):
    """A character: the player's name (may be ""), threat tokens, the wounds noted, in order."""

    name: str
    threat: int = 0
    wounds: tuple[str, ...] = ()


class Table(NamedTuple):
    """What stands on the table.

    ``length`` is the number of fields of the round track, 0 if unknown; ``row`` the numbers of the action cards, ()
    if unknown; ``first`` and ``turn`` are seats; ``outcome`` is "", "won" or "lost", with the ``rule`` it rests on, the
    ``dead`` seat or -1, and a ``note``.
    """

    seats: tuple[Seat, ...]
    solo: bool = False
    adventure: str = ""
    length: int = 0
    row: tuple[int, ...] = ()
    round: int = 1
    first: int = 0
    turn: int = 0
    tokens: tuple[Token, ...] = (Token(),) * ACTIONS
    outcome: str = ""
    rule: str = ""
    dead: int = -1
    note: str = ""

    @property
    def left(self) -> int:
        """Active tokens: actions still to be taken in this round."""
        return sum(token.active for token in self.tokens)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that act next in this round, one for each active token."""
        return tuple((self.turn + i) % len(self.seats) for i in range(self.left))


class Layout(NamedTuple):
    """A card with tokens: how many lie at it, how many of them active, how many at cards to its left (T3.3, T3.4)."""

    card: int
    here: int
    active: int
    to_the_left: int

    @property
    def alone(self) -> bool:
        """True if there is just one token at the card."""
        return self.here == 1


def layout(table: Table) -> tuple[Layout, ...]:
    """The cards with tokens from left to right, those beside the cards left out."""
    cards = [token.card for token in table.tokens if token.card != BESIDE]
    return tuple(
        Layout(card, cards.count(card), sum(t.active for t in table.tokens if t.card == card),
               sum(other < card for other in cards))
        for card in sorted(set(cards))
    )  # fmt: skip


def replayed(steps: Iterable[Step]) -> Table:
    """The table after these steps, the first of which is ``start``; raises what :func:`played` raises."""
    rest = iter(steps)
    table = _start(next(rest))
    for step in rest:
        table = played(table, step)
    return table


def played(table: Table, step: Step) -> Table:
    """The table after one more step.

    Raises :class:`IllegalStepError` with the rule that forbids it: ``thorgal-over``, ``thorgal-not-your-turn``,
    ``thorgal-no-token``, ``thorgal-which-token``, ``thorgal-same-card``, ``thorgal-no-card``, ``thorgal-tokens-left``,
    ``thorgal-too-little-threat``, ``thorgal-no-wound``, ``thorgal-card-twice``, ``thorgal-no-row``.
    """
    if table.outcome:
        raise IllegalStepError("thorgal-over", rule=table.rule)
    return _STEPS[step["do"]](table, step)


def chosen_token(table: Table, card: int, source: int | None) -> int:
    """The card from which a token goes to ``card``: ``source`` if given, else the only place where it can be.

    Raises :class:`IllegalStepError`, see :func:`played`.
    """
    active = [token.card for token in table.tokens if token.active]
    if not active:
        raise IllegalStepError("thorgal-no-token", rule="T2.2")
    if source is not None:
        if source not in active:
            raise IllegalStepError("thorgal-no-active-token", rule="T2.3", number=source)
        if source == card:
            raise IllegalStepError("thorgal-same-card", rule="T2.3", number=card)
        return source
    places = sorted({place for place in active if place != card})
    if not places:
        raise IllegalStepError("thorgal-same-card", rule="T2.3", number=card)
    if len(places) > 1:
        raise IllegalStepError(
            "thorgal-which-token", rule="T2.3", candidates=[str(place) for place in places], number=card
        )
    return places[0]


def _start(step: Step) -> Table:
    first = step["first"]
    row = tuple(sorted(step["row"]))
    if len(set(row)) < len(row):
        raise IllegalStepError("thorgal-card-twice", rule="T1.7", number=next(n for n in row if row.count(n) > 1))
    seats = tuple(Seat(name) for name in step["names"])
    return Table(
        seats,
        step["solo"],
        step["adventure"],
        step["length"],
        row,
        first=first,
        turn=first,
        tokens=(Token(),) * ACTIONS,
    )


def _act(table: Table, step: Step) -> Table:
    seat, card = step["seat"], step["card"]
    if table.left and seat != table.turn and not step["free"]:
        raise IllegalStepError("thorgal-not-your-turn", rule="T2.2", seat=seat, turn=table.turn)
    if table.row and card not in table.row:
        raise IllegalStepError("thorgal-no-card", rule="T1.7", candidates=[str(n) for n in table.row], number=card)
    source = chosen_token(table, card, step["from"])
    moved = next(i for i, token in enumerate(table.tokens) if token == Token(source, True))
    tokens = tuple(Token(card, False) if i == moved else token for i, token in enumerate(table.tokens))
    turn = (seat + 1) % len(table.seats) if seat == table.turn else table.turn
    return table._replace(tokens=tokens, turn=turn)


def _threat(table: Table, step: Step) -> Table:
    """Threat taken or given back; what goes beyond five is an effect that cannot be met, one wound for all of it."""
    seat = table.seats[step["seat"]]
    threat = seat.threat + step["by"]
    if threat < 0:
        raise IllegalStepError("thorgal-too-little-threat", rule="T15.1", seat=step["seat"], n=seat.threat)
    if threat > MOST_THREAT:
        seat = seat._replace(wounds=(*seat.wounds, UNMET_WOUND))
    return _seated(table, step["seat"], seat._replace(threat=min(threat, MOST_THREAT)))


def _wound(table: Table, step: Step) -> Table:
    seat = table.seats[step["seat"]]
    return _seated(table, step["seat"], seat._replace(wounds=(*seat.wounds, step["tile"])))


def _heal(table: Table, step: Step) -> Table:
    seat = table.seats[step["seat"]]
    if step["tile"] not in seat.wounds:
        raise IllegalStepError(
            "thorgal-no-wound", rule="T14.3", candidates=list(dict.fromkeys(seat.wounds)), seat=step["seat"],
            tile=step["tile"],
        )  # fmt: skip
    wounds = list(seat.wounds)
    wounds.remove(step["tile"])
    return _seated(table, step["seat"], seat._replace(wounds=tuple(wounds)))


def _upgrade(table: Table, step: Step) -> Table:
    """Another card takes the place of one; the row is in order again, and tokens keep their places in it (T3.5)."""
    old, new = step["old"], step["new"]
    if not table.row:
        raise IllegalStepError("thorgal-no-row", rule="T3.5")
    if old not in table.row:
        raise IllegalStepError("thorgal-no-card", rule="T3.5", candidates=[str(n) for n in table.row], number=old)
    if new in table.row:
        raise IllegalStepError("thorgal-card-twice", rule="T3.5", number=new)
    row = tuple(sorted({*table.row, new} - {old}))
    place = dict(zip(table.row, row, strict=True))
    tokens = tuple(token._replace(card=place.get(token.card, BESIDE)) for token in table.tokens)
    return table._replace(row=row, tokens=tokens)


def _events(table: Table, step: Step) -> Table:
    """The end of a round: time runs out if the marker cannot move (T12.3), else everything is ready for the next."""
    if table.left:
        raise IllegalStepError("thorgal-tokens-left", rule="T2.2", n=table.left)
    if table.length and table.round >= table.length:
        return table._replace(outcome="lost", rule="T12.3")
    first = (table.first + 1) % len(table.seats)
    tokens = tuple(token._replace(active=True) for token in table.tokens)
    return table._replace(round=table.round + 1, first=first, turn=first, tokens=tokens)


def _won(table: Table, step: Step) -> Table:
    return table._replace(outcome="won", rule="T12.1")


def _lost(table: Table, step: Step) -> Table:
    seat = step["seat"]
    if seat is not None:
        return table._replace(outcome="lost", rule="T12.2", dead=seat)
    return table._replace(outcome="lost", rule="T12.4", note=step["note"])


def _seated(table: Table, number: int, seat: Seat) -> Table:
    return table._replace(seats=tuple(seat if i == number else other for i, other in enumerate(table.seats)))


_STEPS: dict[str, Callable[[Table, Step], Table]] = {
    "act": _act, "threat": _threat, "wound": _wound, "heal": _heal, "upgrade": _upgrade, "events": _events,
    "won": _won, "lost": _lost,
}  # fmt: skip
