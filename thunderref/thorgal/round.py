"""A game of Thorgal: players, rounds, tokens, threat and wounds, the end; and its file.

A game is the list of its steps; the table follows from them (:func:`replayed`), so that leaving a step out takes it
back. Steps are plain dictionaries, as in the file:

    {"do": "start", "names": ["Anna", ""], "solo": false, "adventure": "", "length": 7, "row": [1, 3], "first": 0}
    {"do": "act", "seat": 0, "card": 3, "from": 0, "free": false}     free: out of turn; from: the token's old card
    {"do": "threat", "seat": 0, "by": 2}                              by: may be negative
    {"do": "wound", "seat": 0, "tile": "3"}   {"do": "heal", "seat": 0, "tile": "3"}
    {"do": "upgrade", "old": 3, "new": 8}   {"do": "events"}   {"do": "won"}
    {"do": "lost", "seat": 0, "note": ""}                             seat: whose character died, or null

Seats are numbered from 0, cards by the number printed on them; card 0 stands for the place beside the cards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.files import parse_json, read_text, write_text

MOST_PLAYERS = 4
ACTIONS = 4  # action tokens, and so actions in a round (T2.2)
MOST_THREAT = 5  # tokens a character may hold (T15.1)
UNMET_WOUND = 2  # fields of the wound for an effect that cannot be met (T16.1)
BESIDE = 0  # the place of a token beside the cards
FORMAT = "thunderref-thorgal-round"
VERSION = 1
MOST_STEPS = 5000
LONGEST_TEXT = 200
MOST_NUMBER = 99
TABLE_RULES = ("T1.1", "T1.2", "T1.3", "T1.4", "T1.5", "T1.6", "T1.7", "T1.8", "T1.9", "T1.10")
START_RULES = ("T1.11", "T1.12", "T1.13")
"""Rules to follow for each character; the others are for the whole table."""
LONGEST_NAME = 30
Step = Mapping[str, Any]
Fits = Callable[[Any], bool]


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
    folded = [name.casefold() for name in clean]
    for i, name in enumerate(clean):
        if folded[i] in folded[:i]:
            raise InputError("thorgal-same-name", name=name)
    if number > 1:
        return clean or [""] * number, False
    return [f"{clean[0]} {i}" if clean else "" for i in (1, 2)], True


def _clean(name: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip()
    if not plain or plain.isdecimal():
        raise InputError("thorgal-empty-name", name=plain)
    return plain


class Token(NamedTuple):
    """An action token: the number of its card (0: beside the cards) and whether its red side is up."""

    card: int = BESIDE
    active: bool = True


class Seat(NamedTuple):
    """A character: the player's name (may be ""), threat tokens, the wounds noted, in order."""

    name: str
    threat: int = 0
    wounds: tuple[str, ...] = ()


class Table(NamedTuple):
    """The table; ``first`` and ``turn`` are seats.

    ``length`` is the number of fields of the round track, 0 if unknown; ``row`` the numbers of the action cards, () if
    unknown; ``outcome`` is "", "won" or "lost", with its ``rule``, the ``dead`` seat or -1, and a ``note``.
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
    return STEPS[step["do"]][0](table, step)


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
    return table._replace(tokens=tuple(tokens), turn=turn)


def _check_in_row(table: Table, card: int, rule: str) -> None:
    if card not in table.row:
        raise IllegalStepError("thorgal-no-card", rule=rule, candidates=[str(n) for n in table.row], number=card)


def _threat(table: Table, step: Step) -> Table:
    """Threat taken or given back; threat beyond five is an effect that cannot be met, one wound for all of it."""
    seat = table.seats[step["seat"]]
    threat = seat.threat + step["by"]
    if threat < 0:
        raise IllegalStepError("thorgal-too-little-threat", rule="T15.1", seat=step["seat"], n=seat.threat)
    wounds = (*seat.wounds, str(UNMET_WOUND)) if threat > MOST_THREAT else seat.wounds
    return _seated(table, step, threat=min(threat, MOST_THREAT), wounds=wounds)


def _wound(table: Table, step: Step) -> Table:
    seat, tile = step["seat"], step["tile"]
    wounds = list(table.seats[seat].wounds)
    if step["do"] == "wound":
        return _seated(table, step, wounds=(*wounds, tile))
    if tile not in wounds:
        noted = list(dict.fromkeys(wounds))
        raise IllegalStepError("thorgal-no-wound", rule="T14.3", candidates=noted, seat=seat, tile=tile)
    wounds.remove(tile)
    return _seated(table, step, wounds=tuple(wounds))


def _seated(table: Table, step: Step, **change: Any) -> Table:
    seats = list(table.seats)
    seats[step["seat"]] = seats[step["seat"]]._replace(**change)
    return table._replace(seats=tuple(seats))


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
    return table._replace(round=table.round + 1, first=first, turn=first, tokens=tokens)


def _lost(table: Table, step: Step) -> Table:
    if step["seat"] is not None:
        return table._replace(outcome="lost", rule="T12.2", dead=step["seat"])
    return table._replace(outcome="lost", rule="T12.4", note=step["note"])


def _won(table: Table, _: Step) -> Table:
    return table._replace(outcome="won", rule="T12.1")


def _number(least: int) -> Fits:
    return lambda value: type(value) is int and least <= value <= MOST_NUMBER


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable()


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _list(of: Fits, least: int, most: int) -> Fits:
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(of, value))


_SEAT = _number(0)
STEPS: dict[str, tuple[Callable[[Table, Step], Table], dict[str, Fits]]] = {
    "start": (_start, {
        "names": _list(_text, 2, MOST_PLAYERS), "solo": _flag, "adventure": _text, "length": _number(0),
        "row": _list(_number(1), 0, MOST_NUMBER), "first": _SEAT,
    }),
    "act": (_act, {"seat": _SEAT, "card": _number(1), "from": _number(0), "free": _flag}),
    "threat": (_threat, {"seat": _SEAT, "by": _number(-MOST_NUMBER)}),
    "wound": (_wound, {"seat": _SEAT, "tile": _text}),
    "heal": (_wound, {"seat": _SEAT, "tile": _text}),
    "upgrade": (_upgrade, {"old": _number(1), "new": _number(1)}),
    "events": (_events, {}),
    "won": (_won, {}),
    "lost": (_lost, {"seat": lambda value: value is None or _SEAT(value), "note": _text}),
}  # fmt: skip
"""Step -> what it does, and its fields with the values each may have."""


def read_steps(path: Path) -> tuple[list[Step], Table]:
    """The steps of the game in the file, and the table they lead to.

    Raises :class:`NoAnswerError` without a file, :class:`InputError` for a bad one.
    """
    name = str(path)
    try:
        text = read_text(path)
    except InputError as error:
        raise NoAnswerError("thorgal-no-game", file=name) if error.code == "no-file" else error from None
    document = parse_json(text, path, lambda *_: InputError("thorgal-file", file=name, key="-"))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError("thorgal-file", file=name, key="format")
    if document.get("version") != VERSION:
        raise InputError("thorgal-version", file=name, version=str(document.get("version"))[:20], known=VERSION)
    steps = document.get("steps")
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        raise InputError("thorgal-file", file=name, key="steps")
    for stranger in sorted(set(document) - {"format", "version", "steps"}):
        raise InputError("thorgal-file", file=name, key=stranger[:40])
    return steps, _checked(steps, name)


def _checked(steps: Sequence[Any], name: str) -> Table:
    """The table that a file's steps lead to; raises :class:`InputError` for a bad step."""
    table = Table()
    for number, step in enumerate(steps, start=1):
        if key := _wrong_key(step, len(table.seats)):
            raise InputError("thorgal-file-step", file=name, number=number, key=key)
        try:
            table = played(table, step)
        except IllegalStepError as error:
            raise InputError("thorgal-file-rule", file=name, number=number, rule=error.rule) from None
    return table


def _wrong_key(step: Any, seats: int) -> str | None:
    do = step.get("do") if isinstance(step, dict) else None
    if not isinstance(do, str) or do not in STEPS or (do == "start") != (seats == 0):
        return "do"
    _, fields = STEPS[do]
    wrong = [str(key)[:40] for key in step if key != "do" and key not in fields]
    wrong += [key for key, fits in fields.items() if key not in step or not fits(step[key])]
    if wrong:
        return wrong[0]
    key, most = ("first", len(step["names"])) if do == "start" else ("seat", seats)
    return key if (step.get(key) or 0) >= most else None


def write_steps(path: Path, steps: Sequence[Step], *, replace: bool = True) -> None:
    """Writes the game into the file; :class:`InputError` if that fails or the file could not be read again."""
    if len(steps) > MOST_STEPS:
        raise InputError("thorgal-too-long", most=MOST_STEPS)
    _checked(steps, str(path))
    rows = ",\n  ".join(json.dumps(step, ensure_ascii=False) for step in steps)
    text = f'{{"format": "{FORMAT}", "version": {VERSION}, "steps": [\n  {rows}\n]}}\n'
    write_text(path, text, replace=replace)
