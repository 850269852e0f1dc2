"""A game of Thorgal: players, rounds, tokens, threat and wounds, the end; and its file.

A game is the list of its steps; the table follows from them (:func:`replayed`), so that leaving a step out takes it
back. Steps are plain dictionaries, as in the file:

    {"do": "start", "names": ["Anna", ""], "solo": false, "adventure": "", "length": 7, "row": [1, 3], "first": 0}
    {"do": "act", "seat": 0, "card": 3, "from": 0, "free": false}     free: out of turn; from: the token's old card
    {"do": "threat", "seat": 0, "by": 2}                              by: may be negative
    {"do": "wound", "seat": 0, "tile": "3"}   {"do": "heal", "seat": 0, "tile": "3"}
    {"do": "board", "seat": 0, "board": "AA../...."}   {"do": "resource", "seat": 0, "kind": "wood", "by": 2}
    {"do": "dial", "seat": 0, "by": 1}   {"do": "track", "seat": 0, "by": 1}   {"do": "skill", "seat": 0, "used": true}
    {"do": "rolls", "seat": 0, "dice": "2 green"}   {"do": "dice", "colour": "green", "faces": "2 I2, L3, -, -, I3"}
    {"do": "enemy", "name": "wolf", "cards": ".H1/y.H"}   {"do": "card", "card": 3, "says": "fight alone+1"}
    {"do": "danger", "name": "the village burns", "at": 2, "of": 5}
    {"do": "upgrade", "old": 3, "new": 8}   {"do": "events"}   {"do": "won"}
    {"do": "lost", "seat": 0, "note": ""}                             seat: whose character died, or null

Seats are numbered from 0, cards by the number printed on them; card 0 stands for the place beside the cards. Where the
wound board is known, threat, wound and heal also have "board", as it is afterwards, or "dead": true.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import reduce
from typing import NamedTuple

from thunderref.errors import IllegalStepError, InputError
from thunderref.text.folding import fold
from thunderref.thorgal.character import CHANGES, Seat, Step

MOST_PLAYERS = 4
ACTIONS = 4  # action tokens, and so actions in a round (T2.2)
BESIDE = 0  # the place of a token beside the cards
MOST_NUMBER = 99
TABLE_RULES = ("T1.1", "T1.2", "T1.3", "T1.4", "T1.5", "T1.6", "T1.7", "T1.8", "T1.9", "T1.10")
START_RULES = ("T1.11", "T1.12", "T1.13")
"""Rules to follow for each character; the others are for the whole table."""
LONGEST_NAME = 30


def seats_of(players: int | None, names: str | None) -> tuple[list[str], bool]:
    """The characters in turn order, by the names in “Anna, Bartek” ("" without a name), and True for a solo game.

    A player alone plays two characters (T20.1). Raises :class:`InputError` for a number other than 1 to 4 or than that
    of the names, without number and names, and for a name that is empty or used twice.
    """
    clean = [] if names is None else [_clean(name) for name in names.split(",")]
    if players is None and not clean:
        raise InputError("thorgal-no-players")
    number = len(clean) if players is None else players
    if not 1 <= number <= MOST_PLAYERS:
        raise InputError("thorgal-players", value=number)
    if clean and len(clean) != number:
        raise InputError("thorgal-names", n=len(clean), players=number)
    spelt = [spelling(name) for name in clean]
    for i, name in enumerate(clean):
        if spelt[i] in spelt[:i]:
            raise InputError("thorgal-same-name", name=name)
    if number > 1:
        return clean or [""] * number, False
    return [f"{clean[0]} {i}" if clean else "" for i in (1, 2)], True


def spelling(name: str) -> str:
    """A name as typed, in small letters: “Łukasz” and “Lukasz” differ, two ways to type “Ł” do not."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _plain(name)).casefold())


def _plain(name: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip(" -")


def _clean(name: str) -> str:
    """A name that commands can take: not the number of a seat, no sign of an option."""
    plain = _plain(name)
    if not any(map(str.isalpha, plain)):
        raise InputError("thorgal-empty-name", name=plain)
    return plain


class Token(NamedTuple):
    """An action token: the number of its card (0: beside the cards) and whether its red side is up."""

    card: int = BESIDE
    active: bool = True


class Table(NamedTuple):
    """The table; ``first`` and ``turn`` are seats.

    ``length`` is the number of fields of the round track, 0 if unknown; ``row`` the numbers of the action cards, () if
    unknown; ``last`` is the seat that acted last in this round, or -1; ``faces`` are the faces of the dice by colour,
    ``enemies`` the cards noted by name, ``notes`` what action cards say,
    ``dangers`` how far (of how many) what would make the goal impossible has come. ``outcome`` is "", "won" or
    "lost", with its ``rule``, the ``dead`` seat or -1, and a ``note``.
    """

    seats: tuple[Seat, ...] = ()
    solo: bool = False
    adventure: str = ""
    length: int = 0
    row: tuple[int, ...] = ()
    round: int = 1
    first: int = 0
    turn: int = 0
    tokens: tuple[Token, ...] = (Token(),) * ACTIONS
    last: int = -1
    faces: tuple[tuple[str, str], ...] = ()
    enemies: tuple[tuple[str, str], ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    dangers: tuple[tuple[str, int, int], ...] = ()
    outcome: str = ""
    rule: str = ""
    dead: int = -1
    note: str = ""

    @property
    def left(self) -> int:
        return sum(token.active for token in self.tokens)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that act next in this round, one for each active token."""
        return tuple((self.turn + i) % len(self.seats) for i in range(self.left))


class Layout(NamedTuple):
    """A card with tokens: how many, how many of them active, how many at cards to its left (T3.3, T3.4)."""

    card: int
    tokens: int
    active: int
    alone: bool
    to_the_left: int


def layout(table: Table) -> tuple[Layout, ...]:
    cards = [token.card for token in table.tokens if token.card != BESIDE]
    active = [token.card for token in table.tokens if token.active]
    return tuple(
        Layout(card, n := cards.count(card), active.count(card), n == 1, sum(other < card for other in cards))
        for card in sorted(set(cards))
    )


def replayed(steps: Iterable[Step]) -> Table:
    return reduce(played, steps, Table())


def played(table: Table, step: Step) -> Table:
    """The table after one more step; raises :class:`IllegalStepError` with the rule that forbids it."""
    if table.outcome:
        raise IllegalStepError("thorgal-over", rule=table.rule)
    return STEPS[step["do"]](table, step)


def chosen_token(table: Table, card: int, source: int | None) -> int:
    """The card from which a token goes to ``card``: ``source`` if given, else the only possible place."""
    active = {token.card for token in table.tokens if token.active}
    if not active:
        raise IllegalStepError("thorgal-no-token", rule="T2.2")
    if source is not None and source not in active:
        raise IllegalStepError("thorgal-no-active-token", rule="T2.3", number=source)
    places = sorted((active if source is None else {source}) - {card})
    if not places:
        raise IllegalStepError("thorgal-same-card", rule="T2.3", number=card)
    if len(places) > 1:
        raise IllegalStepError("thorgal-which-token", rule="T2.3", candidates=[str(n) for n in places], number=card)
    return places[0]


def _start(_: Table, step: Step) -> Table:
    row, first = tuple(sorted(step["row"])), step["first"]
    if twice := [number for number in row if row.count(number) > 1]:
        raise IllegalStepError("thorgal-card-twice", rule="T1.7", number=twice[0])
    seats = tuple(Seat(name) for name in step["names"])
    return Table(seats, step["solo"], step["adventure"], step["length"], row, first=first, turn=first)


def _act(table: Table, step: Step) -> Table:
    seat, card = step["seat"], step["card"]
    if table.left and seat != table.turn and not step["free"]:
        raise IllegalStepError("thorgal-not-your-turn", rule="T2.2", seat=seat, turn=table.turn)
    if table.row:
        _check_in_row(table, card, "T1.7")
    source = chosen_token(table, card, step["from"])
    tokens = list(table.tokens)
    tokens[tokens.index(Token(source))] = Token(card, active=False)
    turn = (seat + 1) % len(table.seats) if seat == table.turn else table.turn
    seats = list(table.seats)
    seats[seat] = seats[seat]._replace(cards=(*seats[seat].cards, card))
    return table._replace(tokens=tuple(tokens), turn=turn, seats=tuple(seats), last=seat)


def _check_in_row(table: Table, card: int, rule: str) -> None:
    if card not in table.row:
        raise IllegalStepError("thorgal-no-card", rule=rule, candidates=[str(n) for n in table.row], number=card)


def _seat(table: Table, step: Step) -> Table:
    """A step of one character; the death of one ends the game (T12.2)."""
    seats, place = list(table.seats), step["seat"]
    seats[place] = CHANGES[step["do"]](seats[place], step)
    table = table._replace(seats=tuple(seats))
    return table._replace(outcome="lost", rule="T12.2", dead=place) if step.get("dead") else table


def _dice(table: Table, step: Step) -> Table:
    return table._replace(faces=tuple((dict(table.faces) | {step["colour"]: step["faces"]}).items()))


def _enemy(table: Table, step: Step) -> Table:
    """An enemy noted by its name, or anew: the last one is the one to fight."""
    others = ((name, card) for name, card in table.enemies if fold(name) != fold(step["name"]))
    return table._replace(enemies=(*others, (step["name"], step["cards"])))


def _card(table: Table, step: Step) -> Table:
    return table._replace(notes=tuple(sorted((dict(table.notes) | {step["card"]: step["says"]}).items())))


def _upgrade(table: Table, step: Step) -> Table:
    """Replaces a card; the row is sorted again, and tokens keep their places in it (T3.5)."""
    old, new = step["old"], step["new"]
    if not table.row:
        raise IllegalStepError("thorgal-no-row", rule="T3.5")
    _check_in_row(table, old, "T3.5")
    if new in table.row:
        raise IllegalStepError("thorgal-card-twice", rule="T3.5", number=new)
    row = tuple(sorted({*table.row, new} - {old}))
    place = dict(zip(table.row, row, strict=True))
    tokens = tuple(token._replace(card=place.get(token.card, BESIDE)) for token in table.tokens)
    return table._replace(row=row, tokens=tokens)


def _events(table: Table, _: Step) -> Table:
    """The end of a round: time runs out if the marker cannot move (T12.3), else everything is ready for the next."""
    if table.left:
        raise IllegalStepError("thorgal-tokens-left", rule="T2.2", n=table.left)
    if table.length and table.round >= table.length:
        return table._replace(outcome="lost", rule="T12.3")
    first = (table.first + 1) % len(table.seats)
    tokens = tuple(token._replace(active=True) for token in table.tokens)
    seats = tuple(seat._replace(cards=(), skill_used=False) for seat in table.seats)
    return table._replace(round=table.round + 1, first=first, turn=first, tokens=tokens, seats=seats, last=-1)


def _lost(table: Table, step: Step) -> Table:
    if step["seat"] is not None:
        return table._replace(outcome="lost", rule="T12.2", dead=step["seat"])
    return table._replace(outcome="lost", rule="T12.4", note=step["note"])


def _won(table: Table, _: Step) -> Table:
    return table._replace(outcome="won", rule="T12.1")


def _danger(table: Table, step: Step) -> Table:
    """How near something is that would make the goal impossible (T12.4), noted by its name or anew."""
    others = (danger for danger in table.dangers if fold(danger[0]) != fold(step["name"]))
    return table._replace(dangers=(*others, (step["name"], step["at"], step["of"])))


STEPS: dict[str, Callable[[Table, Step], Table]] = {
    "start": _start, "act": _act, "upgrade": _upgrade, "events": _events, "won": _won, "lost": _lost, "dice": _dice,
    "enemy": _enemy, "card": _card, "danger": _danger, **dict.fromkeys(CHANGES, _seat),
}  # fmt: skip
"""Step -> what it does."""
