"""A game of Thorgal: players, rounds, tokens, threat and wounds, what action cards give, the end; and its file.

A game is the list of its steps; the table follows from them (:func:`replay_steps`), so that leaving a step out takes it
back. Steps are plain dictionaries, as in the file (their fields: ``game_file.FIELDS``): ``{"do": "threat", "seat": 0,
"by": 2}``. Seats are numbered from 0, cards by the number printed on them; card 0 stands for the place beside the
cards. Where the wound board is known, threat, wound and heal also have "board", as it is afterwards, or "dead": true.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.text.folding import fold
from thunderref.thorgal.grid import COVERED, SIGNS
from thunderref.thorgal.laying import every_shape, masks, read_word
from thunderref.thorgal.wounds import LARGEST, Board, Wound, capacity, read_board, read_wounds, take

MOST_THREAT = 5  # tokens a character may hold (T15.1)
UNMET_WOUND = 2  # fields of the wound for an effect that cannot be met (T16.1)
MOST_LETTERS = 26
GameStep = Mapping[str, Any]


class Character(NamedTuple):
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
    def dice(self) -> tuple[str, ...]:
        """The colours of the dice that the fight dial shows now, () if unknown (T10.8)."""
        return tuple(filter(None, dict(self.rolls).get(self.dial, "").split(", ")))


class Room(NamedTuple):
    """The room on a wound board: free fields, the largest wound by size that fits (0: none), more wounds of size 2.

    ``surely`` of them fit however they are laid; not ``proven`` is a lower bound.
    """

    free: int
    largest: int
    surely: int
    proven: bool


def room_of(seat: Character) -> Room | None:
    """The room on the board of a character; None if the board is not known."""
    if not seat.board:
        return None
    board = read_board(seat.board)
    sizes = (n for n in range(LARGEST, 0, -1) if board.grid.fitting(masks(board.grid, every_shape(n)), board.covered))
    more = capacity(board, read_wounds(str(UNMET_WOUND), mirror=False)[0])
    return Room((board.grid.open & ~board.covered).bit_count(), next(sizes, 0), more.surely, more.surely_proven)


def draw_board(board: Board) -> str:
    """A wound board as it is typed."""
    rows = [[*row.replace(SIGNS[COVERED][0], "*")] for row in board.grid.text.split("/")]
    for piece in board.wounds:
        for row, column in board.grid.cells(piece.mask):
            rows[row][column] = piece.letter
    return "/".join(map("".join, rows))


def place_wound(seat: Character, step: GameStep) -> GameStep:
    """The step with what it does to the wound board, if that is known: the board afterwards, or the death (T14.4).

    A wound goes where it leaves the most room; so does one that is noted when the board is drawn without it.
    """
    if step["do"] == "board":
        return {**step, "board": _draw_noted(seat, step)}
    unmet = step["do"] == "threat" and seat.threat + step["by"] > MOST_THREAT
    if not seat.board or not (unmet or step["do"] in ("wound", "heal")):
        return step
    board, tile = read_board(seat.board), str(UNMET_WOUND) if unmet else step["tile"]
    if step["do"] == "heal":
        fits = [piece for piece in board.wounds if tile in (piece.letter, piece.tile.name, str(piece.tile.size))]
        return {**step, "board": draw_board(board).replace(fits[0].letter, ".")} if fits else step
    board_after = _take(board, read_wounds(tile, mirror=False))
    return {**step, "dead": True} if board_after is None else {**step, "board": board_after}


def _take(board: Board, wounds: Sequence[Wound]) -> str | None:
    """The board with these wounds laid on it; None if one has no room."""
    laid = (*board.wounds, *take(board, wounds))
    if len(laid) > MOST_LETTERS:
        raise InputError("thorgal-tiles-many", n=len(laid), most=MOST_LETTERS)
    return draw_board(board._replace(wounds=laid)) if len(laid) == len(board.wounds) + len(wounds) else None


def _draw_noted(seat: Character, step: GameStep) -> str:
    """The drawn board with the wounds that are noted but not drawn, by their sizes; refused if they have no room."""
    board = read_board(step["board"])
    noted, drawn = list(seat.wounds), Counter(piece.tile.size for piece in board.wounds)
    for wound in read_wounds(", ".join(seat.wounds), mirror=False) if noted else ():
        if drawn[wound.size]:
            drawn[wound.size] -= 1
            noted.remove(wound.name)
    wounds = _take(board, read_wounds(", ".join(noted), mirror=False)) if noted else step["board"]
    if wounds is None:
        raise IllegalStepError("thorgal-noted-wounds", rule="T14.4", seat=step["seat"], tiles=", ".join(noted))
    return wounds


def _change_seat(seat: Character, step: GameStep) -> Character:
    """The seat after a step of one character; the wounds are those on the board that the step leads to, if known."""
    number = step["seat"]
    match step["do"]:
        case "threat":
            threat = seat.threat + step["by"]
            if threat < 0:
                raise IllegalStepError("thorgal-too-little-threat", rule="T15.1", seat=number, n=seat.threat)
            if threat > MOST_THREAT:  # an effect that cannot be met: one wound for all of it
                threat, seat = MOST_THREAT, seat._replace(wounds=(*seat.wounds, str(UNMET_WOUND)))
            seat = seat._replace(threat=threat)
        case "wound":
            seat = seat._replace(wounds=(*seat.wounds, step["tile"]))
        case "heal" if "board" not in step:
            tile, noted = step["tile"], list(seat.wounds)
            if tile not in noted:
                enemies = [*dict.fromkeys(noted)]
                raise IllegalStepError("thorgal-no-wound", rule="T14.3", candidates=enemies, seat=number, tile=tile)
            noted.remove(tile)
            seat = seat._replace(wounds=tuple(noted))
        case "resource":
            resources, kind = Counter(dict(seat.resources)), step["kind"]
            if resources[kind] + step["by"] < 0:
                params = {"seat": number, "n": resources[kind], "kind": kind}
                raise IllegalStepError("thorgal-too-few-resources", rule="T13.1", **params)
            resources[kind] += step["by"]
            seat = seat._replace(resources=tuple(sorted((+resources).items())))
        case "dial" | "track" as course:  # both begin on 1 (T1.13, T5.10)
            place: int = getattr(seat, course)
            if place + step["by"] < 1:
                raise IllegalStepError("thorgal-too-little-experience", rule="T1.13", seat=number, n=place)
            seat = seat._replace(**{course: place + step["by"]})
        case "skill":
            if step["used"] == seat.skill_used:
                code, rule = ("thorgal-skill-used", "T19.5") if seat.skill_used else ("thorgal-skill-ready", "T19.6")
                raise IllegalStepError(code, rule=rule, seat=number)
            seat = seat._replace(skill_used=step["used"])
        case "rolls":
            seat = seat._replace(rolls=_note_at(seat.rolls, seat.dial, step["dice"]))
    if "board" in step:
        names = (piece.tile.name for piece in read_board(step["board"]).wounds)
        seat = seat._replace(board=step["board"], wounds=tuple(names))
    return seat


def _note_at(notes: tuple[tuple[int, str], ...], number: int, text: str) -> tuple[tuple[int, str], ...]:
    return tuple(sorted((dict(notes) | {number: text}).items()))


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
    clean = [] if names is None else [_plain(name) for name in names.split(",")]
    for name in clean:  # a name that commands can take: not the number of a seat, no sign of an option
        if not any(map(str.isalpha, name)):
            raise InputError("thorgal-empty-name", name=name)
    if players is None and not clean:
        raise InputError("thorgal-no-players")
    number = len(clean) if players is None else players
    if not 1 <= number <= MOST_PLAYERS:
        raise InputError("thorgal-players", value=number)
    if clean and len(clean) != number:
        raise InputError("thorgal-names", n=len(clean), players=number)
    spelt = [spelling(name) for name in clean]
    if twice := [name for i, name in enumerate(clean) if spelt[i] in spelt[:i]]:
        raise InputError("thorgal-same-name", name=twice[0])
    if number > 1:
        return clean or [""] * number, False
    return [f"{clean[0]} {i}" if clean else "" for i in (1, 2)], True


def spelling(name: str) -> str:
    """A name as typed, in small letters: “Łukasz” and “Lukasz” differ, two ways to type “Ł” do not."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _plain(name)).casefold())


def _plain(name: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip(" -")


class Token(NamedTuple):
    """An action token: the number of its card (0: beside the cards) and whether its red side is up."""

    card: int = BESIDE
    active: bool = True


class GameTable(NamedTuple):
    """The table; ``first``, ``turn``, ``last`` (who acted last in this round) and ``dead`` are seats or -1.

    ``length`` is the number of fields of the round track, 0 if unknown; ``row`` the numbers of the action cards, () if
    unknown; ``faces`` are the faces of the dice by colour, ``enemies`` the cards noted by name, ``notes`` what action
    cards say, ``dangers`` how far (of how many) what would make the goal impossible has come. ``outcome`` is "", "won"
    or "lost", with its ``rule`` and a ``note``.
    """

    seats: tuple[Character, ...] = ()
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
    def order(self) -> tuple[int, ...]:  # the seats that act next in this round, one for each active token
        return tuple((self.turn + i) % len(self.seats) for i in range(self.left))


class CardTokens(NamedTuple):
    """A card with tokens: how many, how many of them active, how many at cards to its left (T3.3, T3.4)."""

    card: int
    tokens: int
    active: int
    alone: bool
    to_the_left: int


def card_tokens(table: GameTable) -> tuple[CardTokens, ...]:
    cards = [token.card for token in table.tokens if token.card != BESIDE]
    active = [token.card for token in table.tokens if token.active]
    return tuple(
        CardTokens(card, n := cards.count(card), active.count(card), n == 1, sum(other < card for other in cards))
        for card in sorted(set(cards))
    )


def replay_steps(steps: Iterable[GameStep]) -> GameTable:
    return reduce(play_step, steps, GameTable())


def play_step(table: GameTable, step: GameStep) -> GameTable:
    """The table after one more step; raises :class:`IllegalStepError` with the rule that forbids it."""
    if table.outcome:
        raise IllegalStepError("thorgal-over", rule=table.rule)
    match step["do"]:
        case "start":
            row, first = tuple(sorted(step["row"])), step["first"]
            if twice := [number for number in row if row.count(number) > 1]:
                raise IllegalStepError("thorgal-card-twice", rule="T1.7", number=twice[0])
            seats = tuple(Character(name) for name in step["names"])
            return GameTable(seats, step["solo"], step["adventure"], step["length"], row, first=first, turn=first)
        case "act":
            return _act(table, step)
        case "upgrade":
            return _upgrade(table, step)
        case "events":
            if table.left:
                raise IllegalStepError("thorgal-tokens-left", rule="T2.2", n=table.left)
            if table.length and table.round >= table.length:  # the marker cannot move: time runs out
                return table._replace(outcome="lost", rule="T12.3")
            first = (table.first + 1) % len(table.seats)
            tokens = tuple(token._replace(active=True) for token in table.tokens)
            seats = tuple(seat._replace(cards=(), skill_used=False) for seat in table.seats)
            return table._replace(round=table.round + 1, first=first, turn=first, tokens=tokens, seats=seats, last=-1)
        case "won":
            return table._replace(outcome="won", rule="T12.1")
        case "lost" if step["seat"] is None:
            return table._replace(outcome="lost", rule="T12.4", note=step["note"])
        case "lost":
            return table._replace(outcome="lost", rule="T12.2", dead=step["seat"])
        case "dice":
            return table._replace(faces=tuple((dict(table.faces) | {step["colour"]: step["faces"]}).items()))
        case "card":
            return table._replace(notes=_note_at(table.notes, step["card"], step["says"]))
        case "enemy":  # the last one is the one to fight
            enemies = [noted for noted in table.enemies if fold(noted[0]) != fold(step["name"])]
            return table._replace(enemies=(*enemies, (step["name"], step["cards"])))
        case "danger":  # how near something is that would make the goal impossible (T12.4)
            dangers = [noted for noted in table.dangers if fold(noted[0]) != fold(step["name"])]
            return table._replace(dangers=(*dangers, (step["name"], step["at"], step["of"])))
    characters, place = list(table.seats), step["seat"]
    characters[place] = _change_seat(characters[place], step)
    table = table._replace(seats=tuple(characters))  # the death of one ends the game
    return table._replace(outcome="lost", rule="T12.2", dead=place) if step.get("dead") else table


def act_step(table: GameTable, seat: int, card: int, source: int | None, *, free: bool = False) -> GameStep:
    """The step of an action at a card, with the place that its token comes from; raises if it is not allowed."""
    step = {"do": "act", "seat": seat, "card": card, "from": source, "free": free}
    play_step(table, step)
    return step | {"from": choose_token(table, card, source)}


def choose_token(table: GameTable, card: int, source: int | None) -> int:
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


def _act(table: GameTable, step: GameStep) -> GameTable:
    seat, card = step["seat"], step["card"]
    if table.left and seat != table.turn and not step["free"]:
        raise IllegalStepError("thorgal-not-your-turn", rule="T2.2", seat=seat, turn=table.turn)
    if table.row and card not in table.row:
        raise IllegalStepError("thorgal-no-card", rule="T1.7", candidates=[*map(str, table.row)], number=card)
    tokens = _moved(table, choose_token(table, card, step["from"]), card)
    turn = (seat + 1) % len(table.seats) if seat == table.turn else table.turn
    seats = list(table.seats)
    seats[seat] = seats[seat]._replace(cards=(*seats[seat].cards, card))
    return table._replace(tokens=tokens, turn=turn, seats=tuple(seats), last=seat)


def _moved(table: GameTable, source: int, card: int) -> tuple[Token, ...]:
    index = table.tokens.index(Token(source))
    return (*table.tokens[:index], Token(card, active=False), *table.tokens[index + 1 :])


def _upgrade(table: GameTable, step: GameStep) -> GameTable:
    """Replaces a card; the row is sorted again, and tokens keep their places in it (T3.5)."""
    old, new = step["old"], step["new"]
    if not table.row:
        raise IllegalStepError("thorgal-no-row", rule="T3.5")
    if old not in table.row:
        raise IllegalStepError("thorgal-no-card", rule="T3.5", candidates=[*map(str, table.row)], number=old)
    if new in table.row:
        raise IllegalStepError("thorgal-card-twice", rule="T3.5", number=new)
    row = tuple(sorted({*table.row, new} - {old}))
    place = dict(zip(table.row, row, strict=True))
    tokens = tuple(token._replace(card=place.get(token.card, BESIDE)) for token in table.tokens)
    return table._replace(row=row, tokens=tokens)


_MAIN = re.compile(r"^([^\W\d]+)(\d?)$")
_BONUS = re.compile(r"^([^\W\d]+)(\d?|\*)(?:\+(\d)|:([^\W\d]+)(\d?))$")


class BonusAction(NamedTuple):
    """A bonus action: where it counts tokens, how many it needs (0: once for each), what it gives of which action."""

    place: str
    needed: int
    amount: int
    action: str


class ActionCard(NamedTuple):
    """An action card as players note it (T3.2, T3.3): its main action, how many of it, its bonus actions.

    ``fight alone+1 left2:move``: the main action, with a number if it is not 1, then the bonus actions. Each has a
    place: ``alone`` (the only token at this card), ``here2`` (two tokens at this card, or more), ``left1`` (at the
    cards to its left); ``here*`` and ``left*`` count once for each token. Then ``+1`` for the main action, or ``:move``
    for another one.
    """

    action: str
    amount: int
    bonuses: tuple[BonusAction, ...]

    @property
    def text(self) -> str:
        """The card as it is noted, in the words of the file."""
        parts = [f"{self.action}{self.amount}".removesuffix("1")]
        for bonus in self.bonuses:
            needed = "" if bonus.place == "alone" else bonus.needed or "*"
            gain = f":{bonus.action}{bonus.amount}".removesuffix("1") if bonus.action else f"+{bonus.amount}"
            parts.append(f"{bonus.place}{needed}{gain}")
        return " ".join(parts)

    def earned(self, there: CardTokens) -> list[tuple[str, int]]:
        """The actions with the tokens as they are: the main one with what is added to it, then the others."""
        main, extra = self.amount, Counter[str]()
        for place, needed, amount, action in self.bonuses:
            tokens = {"alone": int(there.alone), "here": there.tokens, "left": there.to_the_left}[place]
            gained = amount * (int(tokens >= needed) if needed and place != "alone" else tokens)
            if not action:
                main += gained
            elif gained:
                extra[action] += gained
        return [(self.action, main), *extra.items()]


def read_card(text: str) -> ActionCard:
    """The card noted as ``text``, in any language; raises :class:`InputError` for what is not clear."""
    words = re.sub(r"[,;]", " ", text).split()
    main = _MAIN.match(words[0]) if words else None
    if main is None:
        raise InputError("thorgal-card-note", name=" ".join(words)[:40])
    bonuses = []
    for word in words[1:]:
        match = _BONUS.match(word)
        if match is None:
            raise InputError("thorgal-card-note", name=word[:40])
        place = read_word(match[1], "places", "thorgal-card-note")
        needed = 0 if match[2] == "*" else int(match[2] or (2 if place == "here" else 1))
        action = read_word(match[4], "actions", "thorgal-action") if match[4] else ""
        bonuses.append(BonusAction(place, needed, int(match[3] or match[5] or 1), action))
    return ActionCard(read_word(main[1], "actions", "thorgal-action"), int(main[2] or 1), tuple(bonuses))


def token_moves(table: GameTable) -> list[tuple[int, CardTokens]]:
    """Every move of a token to a card that is known: one for each card and each different outcome, cards in order.

    Each is the card that the token comes from (0: beside the cards) and the tokens as they are then.
    """
    cards = table.row or tuple(sorted({token.card for token in table.tokens if token.card} | set(dict(table.notes))))
    counts: dict[CardTokens, int] = {}
    for card in cards:
        for source in sorted({token.card for token in table.tokens if token.active} - {card}):
            moved = table._replace(tokens=_moved(table, source, card))
            counts.setdefault(next(one for one in card_tokens(moved) if one.card == card), source)
    return [(source, there) for there, source in counts.items()]


def seat_names(words: Language, names: Sequence[str], solo: bool) -> list[str]:
    """The names of the characters, in the order of their seats: the player's name, else a number."""
    key = "thorgal.character" if solo else "thorgal.player"
    return [name or words.say(key, number=number) for number, name in enumerate(names, start=1)]


def names_of(words: Language, table: GameTable) -> list[str]:
    return seat_names(words, [seat.name for seat in table.seats], table.solo)


def perils(words: Language, table: GameTable) -> list[dict[str, Any]]:
    """The ways to lose, each with its rule and how near it is (T12.2, T12.3, T12.4)."""
    names = names_of(words, table)
    rooms = [room and room._asdict() for room in map(room_of, table.seats)]
    rounds = table.length - table.round if table.length else None
    actions = None if rounds is None else table.left + ACTIONS * rounds
    return [
        *(
            {"rule": "T12.2", "player": name, "wounds": len(seat.wounds), "room": room}
            for name, seat, room in zip(names, table.seats, rooms, strict=True)
        ),
        {"rule": "T12.3", "rounds_left": rounds, "actions_left": actions},
        *({"rule": "T12.4", "name": d[0], "at": d[1], "of": d[2]} for d in table.dangers or [(None, None, None)]),
    ]


def named_error(words: Language, table: GameTable, error: IllegalStepError) -> IllegalStepError:
    """The error with the names of the characters and resources that it is about."""
    names = names_of(words, table)
    params = {key: names[value] if key in ("seat", "turn") else value for key, value in error.params.items()}
    if "kind" in params:
        params["kind"] = words.say(f"thorgal.kind.{params['kind']}")
    return IllegalStepError(error.code, candidates=error.candidates, **params)


def next_document(words: Language, table: GameTable, choices: list[dict[str, Any]], file: str) -> dict[str, Any]:
    return table_document(words, table, with_perils=True) | {"choices": choices, "file": file}


def outcome_text(words: Language, table: GameTable) -> str:
    why = table.note or words.text(f"rule.{table.rule}") or ""
    if table.dead >= 0:
        why = words.say("thorgal.round.dead", name=names_of(words, table)[table.dead])
    return words.say(f"thorgal.round.{table.outcome}", why=why)


def table_document(words: Language, table: GameTable, *, with_perils: bool) -> dict[str, Any]:
    names = names_of(words, table)
    coming = "over" if table.outcome else "act" if table.left else "events"
    return {
        "adventure": table.adventure or None, "round": table.round, "length": table.length or None,
        "first": names[table.first], "actions_left": table.left,
        "next": {"do": coming, "player": names[table.turn] if coming == "act" else None},
        "order": [] if table.outcome else [names[seat] for seat in table.order],
        "tokens": [{"card": token.card or None, "active": token.active} for token in table.tokens],
        "cards": [card._asdict() for card in card_tokens(table)], "row": list(table.row) or None,
        "players": [
            {
                "name": name, "number": number, "threat": seat.threat, "wounds": list(seat.wounds),
                "tokens_used": len(seat.cards), "cards": list(seat.cards), "board": seat.board or None,
                "resources": dict(seat.resources), "fight_dial": seat.dial, "wander_track": seat.track,
                "skill_used": seat.skill_used, "dice": list(seat.dice) or None,
            }
            for number, (seat, name) in enumerate(zip(table.seats, names, strict=True), start=1)
        ],
        "dice": dict(table.faces), "enemies": [{"name": name, "cards": cards} for name, cards in table.enemies],
        "action_cards": [{"card": card, "says": says} for card, says in table.notes],
        "ways_to_lose": [] if table.outcome or not with_perils else perils(words, table),
        "outcome": table.outcome or None,
        "reason": {"text": outcome_text(words, table), "rules": [table.rule]} if table.outcome else None,
    }  # fmt: skip


def seat_of(names: Sequence[str], *who: str) -> int:
    """Return the seat of a player; raises :class:`NoAnswerError` (``thorgal-no-player``) if none or several fit."""
    text = " ".join(who)
    seat = named_seat(names, text)
    if seat is None:
        raise NoAnswerError("thorgal-no-player", candidates=names, name=text[:40])
    return seat


def named_seat(names: Sequence[str], text: str) -> int | None:
    """The one seat with this name, number, beginning of a name or, with a typing error, a similar name.

    Diacritics tell names apart that differ in nothing else.
    """
    form, spelt, forms = fold(text), spelling(text), [fold(name) for name in names]
    spellings = [spelling(name) for name in names]
    if form.isdecimal() and spelt not in spellings:
        return int(form) - 1 if len(form) < 9 and 1 <= int(form) <= len(names) else None
    for typed, entries in ((spelt, spellings), (form, forms)):
        if typed and typed in entries:
            return entries.index(typed) if entries.count(typed) == 1 else None
    seats = [seat for seat, name in enumerate(forms) if form and name.startswith(form)]
    if len(seats) > 1 and spelt != form:  # only one typed with diacritics says which of them is meant
        seats = [seat for seat in seats if spellings[seat].startswith(spelt)]
    if seats:
        return seats[0] if len(seats) == 1 else None
    digits, blanks = re.sub(r"\D", "", form), form.count(" ")
    alike = [name for name in forms if re.sub(r"\D", "", name) == digits and name.count(" ") == blanks]
    near = get_close_matches(form, alike, 2, 0.7)
    return forms.index(near[0]) if len(near) == 1 else None
