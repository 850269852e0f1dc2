"""A game under way: how it was dealt and every move since; play on, take back, save, resume.

From a set-up come the cards in the order in which they are dealt (R1.3 to R1.7, R9.1 to R9.6). Everything random comes
from :func:`source`: the game's seed, the purpose and the number of earlier draws decide what is drawn, so that a
resumed game needs no memory of chance. A saved game is a document: what the game began with and every step. Digests of
its positions show a change by hand.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final, Literal, NamedTuple

from msgspec import Meta
from msgspec.structs import asdict

from thunderref.database.card_records import STACKED
from thunderref.database.read import FALLBACK, Database, Language
from thunderref.database.validation import Record
from thunderref.errors import IllegalStepError, InputError, NoAnswerError, ThunderrefError
from thunderref.files import parse_json, read_text
from thunderref.rng import SplitMix64, open_stream
from thunderref.search.counts import SEPARATORS
from thunderref.thunderstone.bots.bot import Why, decide, reason_of
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.resolve.documents import read_document
from thunderref.thunderstone.resolve.start import require_judged
from thunderref.thunderstone.rules import draws, end_of_turn, legal, turns
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Choice
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.notation import Step, choice_of, shuffle_step, step_of
from thunderref.thunderstone.rules.position import DISEASE, Position, Slot, decider, table_of
from thunderref.thunderstone.rules.readings import ReadingsAsked, other_readings, other_values
from thunderref.thunderstone.rules.variants import variant_of
from thunderref.thunderstone.setup.catalogue import DECK
from thunderref.thunderstone.setup.codes import MAX_PLAYERS, SEEDS
from thunderref.thunderstone.setup.layout import Counts, Layer
from thunderref.thunderstone.setup.setup import Setup, generate_setup

DEAL, RESHUFFLE, CHOICE = "deal", "reshuffle", "choice"
"""Streams of the random source: the cards at the start, decks made anew, what random players do."""
NOBODY = -1
"""The seat of a shuffle: chance decides."""
LONGEST_NAME = 40
RANDOM = "random"  # in any language; every language has a word of its own as well (play.word.random)
FORMAT: Final = 2
"""The form of a saved game; any other is refused. The second says what game a campaign continues."""


class DealtCards(Record):
    """The cards of a game before the hall is filled (R1.4) and the players draw (R1.7); every deck is top first."""

    dungeon: tuple[str, ...]
    horde: tuple[str, ...]
    decks: tuple[tuple[str, ...], ...]


class Opening(NamedTuple):
    """A game before its first choice."""

    game: Game
    position: Position


def source(seed: int, stream: str, number: int = 0) -> SplitMix64:
    """The random source of ``stream`` for its ``number``-th use, from 0."""
    return open_stream(seed + SEEDS * number, stream)


def shuffle_cards(cards: Sequence[str], random: SplitMix64) -> list[str]:
    return random.sample(cards, len(cards))


def deal(setup: Setup, seed: int, heroes: Sequence[Sequence[str]] = ()) -> DealtCards:
    """Makes all shuffles before the first turn; ``heroes`` are those that players take along (R9.4).

    Raises :class:`NoAnswerError` for a card that is not judged, and for a later game whose set-up does not name what
    was left (R9.3) or the heroes (R9.4).
    """
    require_judged(setup.database, setup.tonight.cards)
    random = source(seed, DEAL)
    laid = setup.table
    dungeon = _dungeon(laid.layers, random)
    horde = tuple(card for stack in laid.stacks if stack.kind == "horde" for card in _cards(stack.cards))
    decks = [_cards(DECK)] * setup.content.players
    later = setup.content.later
    if later is not None:
        by_kind = {deck.who: deck for deck in laid.decks}
        if any(deck.heroes for deck in by_kind.values()) and len(heroes) != len(decks):
            raise NoAnswerError("play-heroes-unknown")
        decks[later.winner - 1] = _cards(by_kind["winner"].cards)
        decks = [(*deck, *along) for deck, along in zip(decks, heroes or [()] * len(decks), strict=True)]
    return DealtCards(dungeon=dungeon, horde=horde, decks=tuple(tuple(shuffle_cards(deck, random)) for deck in decks))


def open_game(setup: Setup, start: DealtCards, ruleset: str = "print", readings: Iterable[str] = ()) -> Opening:
    """The first turn of a game of this set-up with the cards dealt like this (R1.4 to R1.7)."""
    content = setup.content
    variant = variant_of(content.variant, content.level or "")
    readings = frozenset(readings)
    game = Game(load_cards(setup.database, readings), ruleset, content.players, variant, readings)
    sold = (stack.cards for stack in setup.table.stacks if stack.kind in STACKED)  # R1.6
    stacks, hall = tuple(entry for cards in sold for entry in cards), setup.table.hall
    return Opening(game, turns.begin(game, start.dungeon, start.decks, stacks, horde=start.horde, hall=hall))


def _dungeon(layers: tuple[Layer, ...], random: SplitMix64) -> tuple[str, ...]:
    """The dungeon deck: each layer counted off its shuffle, then shuffled with what joins it (R1.4, R9.1, R9.3)."""
    shuffles: dict[int, list[str]] = {}
    for layer in layers:
        shuffles.setdefault(layer.shuffle, []).extend(_cards(layer.cards))
    undrawn = {number: shuffle_cards(cards, random) for number, cards in shuffles.items()}
    deck: list[str] = []
    for layer in layers:
        pile = undrawn[layer.shuffle]
        if len(pile) < layer.drawn:
            raise NoAnswerError("play-remains-unknown", n=layer.drawn)
        cards, undrawn[layer.shuffle] = pile[: layer.drawn], pile[layer.drawn :]
        deck += shuffle_cards([*cards, *layer.joined], random) if layer.joined else cards
    return tuple(deck)


def _cards(counts: Counts) -> tuple[str, ...]:
    return tuple(card for card, n in counts for _ in range(n))


class SavedPlayer(Record):
    """A player: ``random`` for one whom the program plays, by that ``bot`` or, without (and no key), at random."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    random: bool = False
    bot: Literal["", "greedy", "dearest", "planner", "lookahead"] = ""

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        return super().model_dump(exclude=exclude if self.bot else (*exclude, "bot"))


Seats = Sequence[SavedPlayer]
"""The players in their order; the first begins."""


class SavedBefore(Record):
    """What a later game of a campaign takes from the one before (R9.2 to R9.4): the cards left of its dungeon, the
    heroes that each player takes along, and the VP by player.
    """

    remains: list[str] = []
    heroes: list[list[str]] = []
    scores: list[int] = []


class SavedGame(Record, kw_only=True):
    """A saved game.

    ``code`` is the set-up's; ``seed`` says how decks were and will be shuffled; ``readings`` are the open questions of
    the rules answered the other way than by default. ``steps`` are in plan notation, each shuffle included. ``turns``
    are digests of the game at the beginning of each turn, ``end`` that of its end: each is made of the one before, the
    steps since and the position, so that a change by hand is noticed, with its turn. ``played_on`` is the turn in which
    the people last chose to play on though nothing changes; 0, and no key in the file, for never.
    """

    format: Literal[2]
    program: str
    code: str
    seed: Annotated[int, Meta(ge=0, lt=10**9)]
    ruleset: Literal["print", "yucata"] = "print"
    readings: dict[str, str] = {}
    players: Annotated[list[SavedPlayer], Meta(min_length=1, max_length=5)]
    before: SavedBefore | None = None
    start: DealtCards
    steps: list[dict[str, Any]]
    turns: list[str]
    end: str
    played_on: Annotated[int, Meta(ge=0)] = 0

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        values = super().model_dump(exclude=exclude if self.played_on else (*exclude, "played_on"))
        return values | {"players": [player.model_dump() for player in self.players]}


CHECKSUM_DIGITS = 16


def layout_of(position: Position) -> dict[str, Any]:
    """The place of every card, hidden ones too; piles are top first, the hall rank 1 first."""
    table = table_of(position)
    document: dict[str, Any] = {
        "turn": table.turn, "phase": turns.kind_of_turn(position), "player": table.active + 1,
        "hall": [foe.card or None for foe in position.hall], "rank0": [foe.card for foe in position.rank0],
        "dungeon": list(position.dungeon), "horde": list(table.horde),
        "cages": [list(cage) for cage in table.cages], "lost": list(table.lost),
        "tokens": [foe.tokens for foe in position.hall], "due": table.due, "respite": table.respite,
        "removed": sorted((*table.removed, *(card for card, _ in position.destroyed))),
        "stacks": dict(position.stacks or ()),
        "players": [
            {key: list(pile) if isinstance(pile, tuple) else pile for key, pile in asdict(seat).items()}
            for seat in end_of_turn.seats_of(position)
        ],
        "revealed": [_slot_values(slot) for slot in position.hand],
        "waiting": [task.name for task in position.todo],
    }  # fmt: skip
    if position.visit is not None:
        document |= {"gold": position.visit.gold, "buys": position.visit.buys}
    return document


def _slot_values(slot: Slot) -> dict[str, Any]:
    weapons = [weapon.card for weapon in slot.weapons]
    values = {"card": slot.card, "weapons": weapons, "used": list(slot.used), "copy_of": slot.form}
    return {key: entry for key, entry in values.items() if entry}


def digest_after(before: str, steps: Sequence[Step], position: Position) -> str:
    """The digest of a game so far: the one before these steps, the steps, and the position they led to."""
    text = json.dumps([before, list(steps), layout_of(position)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:CHECKSUM_DIGITS]


def placement_of(position: Position) -> tuple[Hashable, ...]:
    """The places of the cards that bring a game nearer to its end: the hall, the dungeon, the village, who owns what.

    The order of a player's own cards, Disease, XP and gold are left out: they may change for ever without progress.
    """
    table = table_of(position)
    owned = [tuple(sorted([c for c in seat.cards if c != DISEASE])) for seat in end_of_turn.seats_of(position)]
    hall = tuple([foe.card for foe in (*position.hall, *position.rank0)])
    return (hall, position.dungeon, table.horde, position.stacks, *owned)


def have_moved(before: Position, after: Position) -> bool:
    """True if the placement is another one; what changes most often is looked at first."""
    if before.stacks != after.stacks or before.dungeon != after.dungeon:
        return True
    return placement_of(before) != placement_of(after)


class Move(NamedTuple):
    """The position before it, who decided (a seat, :data:`NOBODY` for chance), what happened."""

    before: Position
    seat: int
    choice: Choice | None
    step: Step
    events: tuple[Event, ...]


class GameRecord:
    """A game under way; ``digests`` and ``played_on`` are those of :class:`SavedGame`."""

    def __init__(
        self, setup: Setup, players: Seats, seed: int, ruleset: str, start: DealtCards,
        readings: frozenset[str] = frozenset(), before: SavedBefore | None = None,
    ) -> None:  # fmt: skip
        self.setup = setup
        self.players = tuple(players)
        self.seed = seed
        self.start = start
        self.before = before
        self.game, self.position = open_game(setup, start, ruleset, readings)
        self.moves: list[Move] = []
        seats = [player.model_dump() for player in players]
        earlier = None if before is None else before.model_dump()
        terms = json.dumps([setup.code, seed, ruleset, sorted(readings), seats, earlier], ensure_ascii=True)
        self.digests = [digest_after(terms, (), self.position)]
        self.played_on = 0
        self._placements = [placement_of(self.position)]

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def over(self) -> bool:
        return self.position.phase == "over"

    @property
    def active(self) -> int:
        return table_of(self.position).active

    @property
    def turn(self) -> int:
        return table_of(self.position).turn

    @property
    def readings(self) -> dict[str, str]:
        return other_values(self.setup.database, self.game.readings)

    @property
    def still(self) -> int:
        """Turns since the cards last changed places (:func:`placement_of`)."""
        now = self._placements[-1]
        return next((n for n, lay in enumerate(reversed(self._placements)) if lay != now), len(self._placements)) - 1

    def options(self) -> tuple[Choice, ...]:
        return legal.legal_actions(self.game, self.position)

    def take(self, choice: Choice) -> Move:
        after, events = legal.play(self.game, self.position, choice)
        step = step_of(self.position, choice)
        return self._moved(Move(self.position, decider(self.position), choice, step, events), after)

    def settle(self) -> Iterator[Move]:
        """Makes the shuffles due before anybody can go on; each is drawn from the seed."""
        while (due := draws.shuffle_of(self.position)) is not None:
            before = sum(move.seat == NOBODY for move in self.moves)
            yield self.shuffle(shuffle_cards(due.cards, source(self.seed, RESHUFFLE, before)))

    def shuffle(self, order: Sequence[str]) -> Move:
        """Carries out the due shuffle with this order; ValueError if these are not the cards."""
        due = draws.shuffle_of(self.position)
        if due is None:
            raise ValueError("nothing is to be shuffled")
        after, events = turns.shuffle(self.game, self.position, tuple(order))
        step = shuffle_step(due.seat, due.pile, order)
        return self._moved(Move(self.position, NOBODY, None, step, events), after)

    def draw(self) -> tuple[Choice, Why]:
        """What the bot chooses whose turn it is, and why, if it can say it."""
        from thunderref.thunderstone.bots.registry import find_bot

        number, options = len(self.moves), self.options()
        bot = find_bot(self.players[decider(self.position)].bot or RANDOM)
        still = self.still // len(self.players)
        view = View(self.game, self.position, lambda: source(self.seed, CHOICE, number), still)
        choice = decide(bot, view, options)
        return choice, reason_of(bot, view, options, choice) if len(options) > 1 else None

    def undo(self) -> bool:
        """Takes back the last choice of a person and all that followed; False if there is none."""
        choices = [n for n, move in enumerate(self.moves) if move.seat != NOBODY and not self.players[move.seat].random]
        self.back_to(choices[-1] if choices else len(self.moves))
        return bool(choices)

    def back_to(self, step: int) -> None:
        if step >= len(self.moves):
            return
        self.position = self.moves[step].before
        del self.moves[step:]
        del self.digests[self.turn :]
        del self._placements[self.turn :]
        if self.played_on > self.turn:
            self.played_on = 0

    def _moved(self, move: Move, after: Position) -> Move:
        self.moves.append(move)
        self.position, turn = after, self.turn
        if self.turn != turn:
            self.digests.append(self.digest_now())
            self._placements.append(placement_of(after))
        return move

    def digest_now(self) -> str:
        turn = len(self.digests)
        steps = [move.step for move in self.moves if table_of(move.before).turn == turn]
        return digest_after(self.digests[-1], steps, self.position)

    def saved(self, program: str) -> SavedGame:
        return SavedGame(
            format=FORMAT, program=program, code=self.setup.code, seed=self.seed,
            ruleset="yucata" if self.game.ruleset == "yucata" else "print", readings=self.readings,
            players=list(self.players), before=self.before, start=self.start,
            steps=[move.step for move in self.moves], turns=list(self.digests), end=self.digest_now(),
            played_on=self.played_on,
        )  # fmt: skip


def read_players(text: str | None, words: Language) -> list[SavedPlayer] | None:
    """The players of ``Ann, planner and random``; a number stands for that many people; None without text.

    Raises :class:`InputError` for no name, a name twice, one too long, more than five.
    """
    if text is None:
        return None
    joined = "|".join(map(re.escape, " ".join(words.database.message("door.words.and").values()).split()))
    signs = rf"\s*[{SEPARATORS}&\n]\s*(?:(?:{joined})\s)?|\s(?:{joined})\s"
    names = [" ".join(name.split()) for name in re.split(signs, text.strip(), flags=re.IGNORECASE)]
    if not all(names):
        raise InputError("play-no-name")
    is_number = len(names) == 1 and names[0].isdecimal() and len(names[0]) < 3
    number = int(names[0]) if is_number else len(names)
    if not 1 <= number <= MAX_PLAYERS:
        raise InputError("play-players", n=number, most=MAX_PLAYERS)
    if is_number:
        return people(number, words)
    from thunderref.thunderstone.bots.registry import BOTS

    bots = {name: name for name in BOTS} | {word.strip(): RANDOM for word in words.say("play.word.random").split(",")}
    seats: list[SavedPlayer] = []
    for name in names:
        if name.casefold() in bots:
            bot, called = bots[name.casefold()], words.say("play.random-name", n=sum(p.random for p in seats) + 1)
            kind = {} if bot == RANDOM else {"name": f"{called} ({bot})", "bot": bot}
            seats.append(read_document(SavedPlayer, {"name": called, "random": True, **kind}))
        elif len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError("play-bad-name", name=name[:LONGEST_NAME], most=LONGEST_NAME)
        else:
            seats.append(SavedPlayer(name=name))
    folded = [player.name.casefold() for player in seats]
    for place, player in enumerate(seats):
        if folded[place] in folded[:place]:
            raise InputError("play-name-twice", name=player.name)
    return seats


def people(number: int, words: Language) -> list[SavedPlayer]:
    return [SavedPlayer(name=words.say("play.player-name", n=n)) for n in range(1, number + 1)]


def seat_players(setup: Setup, players: Seats | None) -> Seats:
    """The players of a set-up, None for people without names; :class:`InputError` if the numbers differ."""
    number = setup.content.players
    seats = people(number, setup.naming.words) if players is None else players
    if len(seats) != number:
        raise InputError("play-number", players=number, n=len(seats))
    return seats


def begin_game(
    database: Database, players: Seats | None, *, seed: int, ruleset: str = "print",
    readings: ReadingsAsked = (), **options: Any,
) -> GameRecord:  # fmt: skip
    """A new game. ``options`` are those of a set-up, ``readings`` answers to open questions of the rules.

    ``seed`` draws the set-up, unless a code brings it, and everything that is shuffled. Raises the errors of
    :func:`generate_setup`, :func:`seat_players` and :func:`other_readings`.
    """
    answers = other_readings(database, readings)
    if options.get("code") is None:
        options |= {"seed": seed, "players": None if players is None else len(players)}
    setup = generate_setup(database=database, **options)
    return GameRecord(setup, seat_players(setup, players), seed, ruleset, deal(setup, seed), answers)


def resume_game(database: Database, saved: SavedGame, lang: str = FALLBACK) -> GameRecord:
    """The game of a document, replayed and checked step by step; an error names its step.

    Raises :class:`IllegalStepError` for a play the rules forbid, :class:`InputError` for cards or positions that are
    not those of this game.
    """
    setup = generate_setup(code=saved.code, database=database, lang=lang)
    before = saved.before
    if before is not None:
        later, seats = setup.content.later, {0, setup.content.players}
        names = {*before.remains, *(card for heroes in before.heroes for card in heroes)}
        fits = later is not None and len(before.remains) == later.remaining and names <= database.cards.keys()
        if not fits or not {len(before.heroes), len(before.scores)} <= seats:
            raise InputError("play-start", part="before", code=setup.code)
        setup = replace(setup, remains=tuple(sorted(Counter(before.remains).items())))  # R9.3
    if len(saved.players) != setup.content.players:
        raise InputError("play-seats", n=len(saved.players), players=setup.content.players, code=saved.code)
    _check_start(setup, saved.start, deal(setup, saved.seed, before.heroes if before is not None else ()))
    readings = other_readings(database, saved.readings)
    record = GameRecord(setup, saved.players, saved.seed, saved.ruleset, saved.start, readings, before)
    if saved.turns[:1] != record.digests:
        raise InputError("play-order")
    first = 1
    for number, step in enumerate(saved.steps, 1):
        turn = record.turn
        try:
            _replay(record, step)
        except ThunderrefError as error:
            error.params.setdefault("step", number)
            raise
        if record.turn != turn:
            if turn < len(saved.turns) and saved.turns[turn] != record.digests[turn]:
                raise InputError("play-changed", turn=turn, first=first, last=number)
            first = number + 1
    if len(record.digests) != len(saved.turns):
        raise InputError("play-turns", n=len(saved.turns), turns=len(record.digests))
    if record.digest_now() != saved.end:
        raise InputError("play-changed-end", last=len(saved.steps), turn=record.turn)
    if saved.played_on > record.turn:
        raise InputError("bad-value", key="played_on", value=saved.played_on)
    record.played_on = saved.played_on
    return record


def _replay(record: GameRecord, step: Step) -> None:
    if due := draws.shuffle_of(record.position):
        order = step.get("order")
        if "shuffle" not in step:
            raise IllegalStepError("play-no-shuffle", rule="R2.2")
        cards = order if isinstance(order, list) and all(isinstance(card, str) for card in order) else []
        if step != shuffle_step(due.seat, due.pile, cards) or sorted(cards) != sorted(due.cards):
            raise IllegalStepError("play-shuffle", rule="R2.2")
        record.shuffle(cards)
    elif record.over:
        raise IllegalStepError("play-over", rule="R7.1")
    elif "shuffle" in step:
        raise IllegalStepError("play-shuffle", rule="R2.2")
    else:
        record.take(choice_of(record.game, record.position, step))


def _check_start(setup: Setup, start: DealtCards, dealt: DealtCards) -> None:
    if len(start.decks) != len(dealt.decks):
        raise InputError("play-start", part="decks", code=setup.code)
    parts = ["dungeon", "horde", *(f"decks {n + 1}" for n in range(len(start.decks)))]
    piles = (start.dungeon, start.horde, *start.decks), (dealt.dungeon, dealt.horde, *dealt.decks)
    for name, mine, theirs in zip(parts, *piles, strict=True):
        if Counter(mine) != Counter(theirs):
            raise InputError("play-start", part=name, code=setup.code)


def read_game(name: str) -> SavedGame:
    """The saved game in a file, its content unchecked (:func:`resume_game` checks it).

    Raises :class:`InputError` for a file that cannot be read, is cut short, lacks a key or has an unknown one, and
    :class:`NoAnswerError` for one of a later version.
    """
    text = read_text(name)
    document = parse_json(text, name, lambda line, column: InputError("play-cut", file=name, line=line, column=column))
    version = document.get("format") if isinstance(document, dict) and "steps" in document else None
    if version != FORMAT:
        if type(version) is not int or version < 1:  # true is no number here
            raise InputError("play-no-save", file=name)
        code = "play-newer-save" if version > FORMAT else "play-older-save"
        raise NoAnswerError(code, file=name, version=version, known=FORMAT)
    return read_document(SavedGame, document)


def text_of(saved: SavedGame) -> str:
    parts = {key: json.dumps(value, ensure_ascii=False) for key, value in saved.model_dump().items()}
    if saved.steps:  # one a line
        steps = ",\n".join(f"  {json.dumps(step, ensure_ascii=False)}" for step in saved.steps)
        parts["steps"] = f"[\n{steps}\n ]"
    return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in parts.items()) + "\n}\n"
