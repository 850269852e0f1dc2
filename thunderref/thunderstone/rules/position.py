"""A position: the active player's turn, the hall and the table, as a hashable value without history or card objects.

Positions are changed by copying, thousands of times a game: msgspec's structs are several times as fast as dataclasses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from thunderref.database.operations import Operation
from thunderref.thunderstone.rules.cards import Cards, CardSpec
from thunderref.thunderstone.rules.explanation import Totals

if TYPE_CHECKING:
    from dataclasses import replace as replace  # the same call; of this one a type checker knows which fields there are
else:
    from msgspec.structs import replace as replace

Ref = tuple[str, int]
"""One copy of a card in a scenario: (card id, number of the copy from 1), written ``militia#2``."""
Fixed = tuple[str, int, int, int]
"""What a use gave a hero once and for all: card, ability number, number of the lasting operation, how many times."""

EMPTY = ""
NO_CARD: Ref = (EMPTY, 0)
UNKNOWN = "?"  # a hall card nobody has seen, because the known dungeon deck is used up

# flags of a slot
FORGONE = 1  # no benefit of the card is taken this turn (R5.1)
THROWN = 2  # a weapon destroyed by its own effect that still counts as equipped (R5.3)
BORROWED = 4  # another player's card: goes back after the battle unless destroyed
DOOMED = 8  # destroyed by a battle effect, in play until the battle ends (R5.2)
STOPPED = 16  # picked by Haunt: does not attack (R5.4)
LOST_ATTACK, LOST_MAGIC = 32, 64  # Judgement took 1 Attack, or 1 Magic Attack (R5.7)
SPENT = 128  # a weapon that was equipped once: its hero is gone, and it may not be equipped again (R4.3)
FLEETING = 256  # destroyed when the battle ends (conjured weapons, recruited heroes)
DISARMED = 512  # a hero whose weapon was destroyed, by its own effect or another (R5.3)
UNSURE = 1024  # drawn, and perhaps the card of its name that was used before, perhaps another (R2.4)
# flags of a slot that left the hand and may come back
IN_DECK = 2048  # it was shuffled into the own deck
ON_DECK = 4096  # it lies on top of the own deck

BEFORE = 0
"""Instead of the number of its copy: a card that was there before the turn, perhaps another player's (R6.10)."""
SPELL_USED, WEAPON_USED = 1, 2
"""Benefits of a turn: an effect of a spell was used; one of a weapon was, or a weapon was equipped that is gone."""

UNOPPOSED = -1
"""Mark of a slot, instead of an ability's number: nobody discarded what would have kept its Magic Attack."""


Stacks = tuple[tuple[str, int], ...]
"""Cards on offer with the copies left; of a hero stack the lowest level left lies on top (R1.6)."""
UNCOUNTED = -1  # a stack with an unknown number of cards, at least one
Card = TypeVar("Card")
Data = TypeVar("Data")
DISEASE = "disease"  # without limit (R1.6, R0.3)
Will = tuple[int, str, str]
"""A seat, the card it likes best to give or show, and the card whose effect asks; "" where that is an assumption."""


class Seat(Struct, frozen=True, gc=False):
    """A player: cards (deck top first), XP, penalty cards (R9.6); the active player's own cards are the position's."""

    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    xp: int = 0
    penalties: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.hand, *self.deck, *self.discard)


class Shuffle(Struct, frozen=True, gc=False):
    """Cards to shuffle now: the discard pile of ``seat`` (``deck``) or the player's hand (``hand``)."""

    seat: int
    cards: tuple[str, ...]
    pile: str = "deck"


class For(NamedTuple, Generic[Data]):
    """The data of a task that the player at ``seat`` decides, or whose cards it is about."""

    seat: int
    data: Data = None  # type: ignore[assignment]


class Table(Struct, frozen=True, gc=False):
    """Everything on the table that is not the active player's own and not the dungeon; ``turn`` counts from 1."""

    active: int
    seats: tuple[Seat, ...]
    horde: tuple[str, ...] = ()  # the next card first (R1.3)
    removed: tuple[str, ...] = ()  # out of the game for good (R0.3)
    cages: tuple[tuple[str, str], ...] = ()  # cages in play: (the trap, the hero in it) (R6.10)
    lost: tuple[str, ...] = ()  # monsters that reached the village in the solo game (R9.5)
    due: bool = False  # true while the active player must attack the monster at rank 1 (R9.6)
    fined: bool = False
    """True for the rest of a turn that began with a penalty card: the next clock starts in the next turn (R9.6)."""
    respite: bool = False  # true if no monster comes at the end of this turn (R9.5)
    open: tuple[tuple[int, str], ...] = ()
    """Cards turned up off decks, not yet discarded or destroyed: (seat, card)."""
    shown: tuple[tuple[int, str], ...] = ()
    """What the other players discarded to the effect under way: (seat, card)."""
    described: bool = False
    """True where only the hands of the other players are known: a described scenario, no game."""
    wills: tuple[Will, ...] = ()
    lent: tuple[tuple[tuple[str, int], int], ...] = ()
    """Borrowed cards: (the copy in the active hand, whose it is)."""
    turn: int = 1
    hunted: tuple[tuple[tuple[str, int], int, str], ...] = ()
    """Monsters discarded to a hero who may take one of them after a victory: (the hero's copy, seat, card)."""
    under: int = 0
    """Cards put under the dungeon deck since it was made, before everybody's eyes (R1.5, R6.1)."""

    def others(self) -> tuple[int, ...]:
        """The other players in turn order, from the left of the active one."""
        n = len(self.seats)
        return tuple((self.active + step) % n for step in range(1, n))

    def with_seat(self, seat: int, **changes: object) -> Table:
        new = replace(self.seats[seat], **changes)  # type: ignore[arg-type]
        return replace(self, seats=(*self.seats[:seat], new, *self.seats[seat + 1 :]))

    def onto_pile(self, seat: int, *cards: str) -> Table:
        """The table with these cards on the discard pile of a player who is not active."""
        return self.with_seat(seat, discard=(*self.seats[seat].discard, *cards))

    def off_pile(self, seat: int, card: str) -> Table:
        return self.with_seat(seat, discard=without(self.seats[seat].discard, card))

    def without(self, cards: Iterable[str]) -> Table:
        """The table with these cards out of the game; Disease goes back to its stack (R0.3)."""
        gone = tuple(card for card in cards if card != DISEASE)
        return replace(self, removed=(*self.removed, *gone)) if gone else self


class Slot(Struct, frozen=True, gc=False):
    """A card in the revealed hand; weapons sit in the slot of the hero who holds them."""

    card: str
    copy: int = 1
    used: tuple[int, ...] = ()  # the numbers of the abilities used, one entry a use
    marks: tuple[tuple[str, int], ...] = ()  # effects that other cards gave this hero: (card, ability number)
    weapons: tuple[Slot, ...] = ()
    flags: int = 0
    form: str = ""  # the card copied (R4.10)
    fixed: tuple[Fixed, ...] = ()  # what uses gave the hero, under the other reading of R4.9 only

    @property
    def ref(self) -> Ref:
        return (self.card, self.copy)

    @property
    def face(self) -> str:
        return self.form or self.card


class Foe(Struct, frozen=True, gc=False):
    """A card of the hall; ``wounds`` is Health lost for the rest of the turn, ``tokens`` are those of R9.6."""

    card: str
    wounds: int = 0
    tokens: int = 0


class Battle(Struct, frozen=True, gc=False):
    """The battle under way: its target, its rank and place within rank 0, and what was taken off so far."""

    foe: Foe
    rank: int
    place: int
    weaken: int = 0
    disease_attack: int = 0
    disease_magic: int = 0
    way: str = ""
    """What made way for a Thunderstone after the battle (R7.1): ``taken`` by a Claymore, or ``under`` the deck."""


class Target(Struct, frozen=True, gc=False):
    """The attacked monster with its traits, where it stands, and what the battle took so far (None before it)."""

    spec: CardSpec
    rank: int
    battle: Battle | None

    def immune_to(self, trait: str) -> bool:
        """True once the battle began, if the monster is immune to this (R5.5)."""
        return self.battle is not None and trait in self.spec.immune

    @property
    def weaken(self) -> int:
        """The amount the battle took off every hero's Strength so far (R5.3)."""
        return self.battle.weaken if self.battle is not None else 0


class LastingEffect(Struct, frozen=True, gc=False):
    """A lasting operation at work and its card."""

    operation: Operation
    source: Slot
    used: bool  # what was used stands whatever becomes of the hero; the rest ends when they cannot attack (R5.4)


class Task(Struct, Generic[Data], frozen=True, gc=False):
    """Something still to be done: the name of its handler, whose effect it is, and what the handler needs to know."""

    name: str
    source: Ref = NO_CARD
    data: Data = None  # type: ignore[assignment]


AnyTask = Task[Any]


class Known(Struct, frozen=True, gc=False):
    """What the others discard to a Tax Collector, whom they turn up in a brawl: each for the first effect (R4.11)."""

    discarded_gold: int | None = None
    brawl_hero: str | None = None


class Visit(Struct, frozen=True, gc=False):
    """The state of a visit to the village, besides the hand."""

    gold: int = 0  # what effects gave; once it is counted (phase ``buy``), what is left to spend
    buys: int = 1  # purchases left
    after: tuple[str, ...] = ()  # types of which one must be bought first, one for each further purchase (Blacksmith)
    known: Known = Known()
    bought: tuple[str, ...] = ()
    paid: str = ""  # what the effect under way cost


class Position(Struct, frozen=True, gc=False):
    """A moment of a described battle or visit, or of a whole game.

    ``phase`` is ``choose`` (what kind of turn, R2.1), ``prepare``, ``battle`` or ``after`` in the dungeon, ``village``,
    ``buy`` or ``level`` on a visit, ``rest``, ``close`` (the end of a turn, if somebody decides or shuffles there),
    ``end`` (the turn is over) or ``over`` (the game is). ``hand``, ``deck`` and ``pile`` are the active player's.
    """

    phase: str
    hand: tuple[Slot, ...]
    hall: tuple[Foe, ...]  # always three, rank 1 first
    rank0: tuple[Foe, ...]
    deck: tuple[str, ...]  # the known cards on top, the next one first; beyond them everything is unknown
    dungeon: tuple[str, ...]  # likewise
    destroyed: tuple[Ref, ...] = ()
    discarded: tuple[Ref, ...] = ()
    gained: tuple[str, ...] = ()
    unknown_draws: int = 0
    todo: tuple[AnyTask, ...] = ()  # the stack of unresolved tasks, the next one first
    battle: Battle | None = None
    victory: bool | None = None
    xp: int = 0
    ended: bool = False  # true once the Thunderstone reached rank 1 (R7.1)
    outcome: Totals | None = None
    caged: tuple[Ref, ...] = ()
    foreign: tuple[Ref, ...] = ()
    """Those of ``destroyed`` that were never the player's: conjured, recruited, borrowed from others."""
    gone: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Used effects of cards that left the hand since, (card, ability numbers): what was used stands (R5.4)."""
    away: tuple[Slot, ...] = ()
    """Cards that left the hand this turn for the own deck or discard pile, the last one first (R2.4)."""
    pool: tuple[str, ...] | None = None
    """The own deck below the known cards, order unknown; None if nothing is known of it."""
    pile: tuple[str, ...] = ()  # the discard pile as it was when the turn began
    left: int | None = None
    """How many cards of a described turn are left below the known ones, None if unknown; ``pool`` loses none of them
    before all are drawn. Without it, cards out of the pool come by chance."""
    shuffled: tuple[int, int] = (0, 0)  # how many of the discarded and of the gained cards a new deck took in since
    counted: bool = False
    """True if the dungeon deck of a described turn ends with ``dungeon``; a card nobody knows is :data:`UNKNOWN`."""
    benefits: int = 0  # the kinds of cards that gave a benefit this turn and are no longer in hand (R5.1)
    stacks: Stacks | None = None
    """The cards on offer, which lose what is bought, recruited or conjured (R3.3, R6.4); None if they are unknown."""
    visit: Visit | None = None
    table: Table | None = None
    """The whole table in a game; in a described scenario the other players' hands, None if these are unknown too."""

    @property
    def in_game(self) -> bool:
        """True in a game, where every card is known to somebody; False in a described scenario."""
        return self.table is not None and not self.table.described

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The active player's discard pile as it is now."""
        discarded = [card for card, _ in self.discarded[self.shuffled[0] :]] if self.discarded else ()
        return (*self.pile, *discarded, *self.gained[self.shuffled[1] :])

    @property
    def to_come(self) -> tuple[str, ...]:
        """The cards that an effect may draw this turn, as far as they are known, those of the discard pile last."""
        return self.deck if self.left is None else (*self.deck, *(self.pool or ()), *self.discard_pile)

    @property
    def dungeon_ends(self) -> bool:
        """True where a rank stays empty once the dungeon deck is used up."""
        return self.counted or self.in_game


def key_of(state: Position) -> tuple[Any, ...]:
    """The key that two states share if they have the same future: like ``state``, blind to the numbers of copies."""
    hand = tuple(sorted(map(key_of_slot, state.hand)))
    destroyed, discarded, foreign = map(_names, (state.destroyed, state.discarded, state.foreign))
    away = tuple(sorted(map(key_of_slot, state.away))) if state.away else ()
    return (
        state.phase, hand, state.hall, state.rank0, state.deck, state.dungeon, destroyed, discarded, state.gained,
        state.unknown_draws, state.todo, state.battle, state.ended, state.benefits, foreign, state.gone, away,
        state.pool, state.pile, state.left, state.shuffled, state.stacks, state.visit, state.table,
    )  # fmt: skip


def _names(refs: tuple[Ref, ...]) -> tuple[str, ...]:
    return tuple(sorted([card for card, _ in refs])) if refs else ()


def table_of(state: Position) -> Table:
    """The table of a game; ValueError for a described scenario without one."""
    if state.table is None:
        raise ValueError("this is no game")
    return state.table


def under_the_deck(state: Position, card: str) -> Position:
    """The state with the monster under the dungeon deck; unchanged where only its top is known."""
    if not state.dungeon_ends:
        return state
    dungeon = (*state.dungeon, card)
    if not state.in_game:
        return replace(state, dungeon=dungeon)
    table = table_of(state)
    return replace(state, dungeon=dungeon, table=replace(table, under=table.under + 1))


def decider(state: Position) -> int:
    """The seat of the player who decides now (the active one, or one whom an effect asks)."""
    data = state.todo[0].data if state.todo else None
    return data.seat if isinstance(data, For) else table_of(state).active


def is_active(state: Position) -> bool:
    """True if the active player decides, as always in a described scenario."""
    return state.table is None or decider(state) == state.table.active


def key_of_slot(slot: Slot) -> tuple[Any, ...]:
    weapons = tuple(sorted(map(key_of_slot, slot.weapons))) if slot.weapons else ()
    return (slot.card, slot.used, slot.marks, weapons, slot.flags, slot.form, slot.fixed)


def off_the_stack(state: Position, card: str, copies: int = 1) -> Position:
    """The state with copies of the card gone from its stack; an unknown number of copies stays unknown."""
    if not state.stacks:
        return state
    remaining = [(card, max(0, n - copies)) if card == there and n > 0 else (there, n) for there, n in state.stacks]
    return replace(state, stacks=tuple(remaining))


def tops(cards: Cards, stacks: Stacks) -> tuple[str, ...]:
    """The cards that lie on top of a stack."""
    there = [cards[card] for card, copies in stacks if copies]
    lowest: dict[str, int] = {}
    for spec in there:
        if spec.level and lowest.get(spec.family, 9) > spec.level:
            lowest[spec.family] = spec.level
    return tuple(spec.id for spec in there if not spec.level or lowest[spec.family] == spec.level)


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards (or copies, or whatever names them) without the first ``card``; ValueError if it is not there."""
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])
