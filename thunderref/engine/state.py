"""The state of a dungeon turn: a hashable value without history, chance or card objects."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from thunderref.engine.book import Book
from thunderref.engine.readings import Fixed
from thunderref.engine.world import World
from thunderref.explain.terms import Totals

Ref = tuple[str, int]
"""One copy of a card in a scenario: (card id, number of the copy from 1), written ``militia#2``."""

EMPTY = ""
UNKNOWN = "?"
"""A hall card nobody has seen, because the known dungeon deck is used up."""

# flags of a slot
FORGONE = 1
"""No benefit of the card is taken this turn (R5.1)."""
THROWN = 2
"""A weapon destroyed by its own effect that still counts as equipped (R5.3)."""
BORROWED = 4
"""Another player's card: goes back after the battle unless destroyed."""
DOOMED = 8
"""Destroyed by a battle effect, in play until the battle ends (R5.2)."""
STOPPED = 16
"""Picked by Haunt: does not attack (R5.4)."""
LOST_ATTACK = 32
LOST_MAGIC = 64
"""Judgement took 1 Attack, or 1 Magic Attack (R5.7)."""
SPENT = 128
"""A weapon that was equipped once: its hero is gone, and it may not be equipped again (R4.3)."""
FLEETING = 256
"""Destroyed when the battle ends (conjured weapons, recruited heroes)."""

UNOPPOSED = -1
"""In the marks of a slot, instead of an ability's number: nobody discarded what would have kept its Magic Attack."""


class Slot(Struct, frozen=True, gc=False):
    """A card in the revealed hand; weapons sit in the slot of the hero who holds them.

    ``used`` lists the numbers of the abilities used, one entry a use; ``marks`` the (card, ability number) of effects
    that other cards gave this hero; ``form`` the card copied (R4.10), else "". ``fixed`` is what uses gave the hero
    once and for all, under the other reading of R4.9 only.
    """

    card: str
    copy: int = 1
    used: tuple[int, ...] = ()
    marks: tuple[tuple[str, int], ...] = ()
    weapons: tuple[Slot, ...] = ()
    flags: int = 0
    form: str = ""
    fixed: tuple[Fixed, ...] = ()

    @property
    def ref(self) -> Ref:
        """The name of this copy."""
        return (self.card, self.copy)

    @property
    def face(self) -> str:
        """The card this one counts as."""
        return self.form or self.card


class Foe(Struct, frozen=True, gc=False):
    """A card of the hall; ``wounds`` is Health lost for the rest of the turn, ``tokens`` are those of R9.6."""

    card: str
    wounds: int = 0
    tokens: int = 0


class Battle(Struct, frozen=True, gc=False):
    """The battle under way: its target, where the target stands, and what was taken off so far."""

    foe: Foe
    rank: int
    place: int
    """Position within rank 0; 0 in the hall."""
    weaken: int = 0
    disease_attack: int = 0
    disease_magic: int = 0


class Task(Struct, frozen=True, gc=False):
    """Something still to be done: the name of its handler, whose effect it is, and its data."""

    name: str
    source: Ref
    data: Any = None


class State(Struct, frozen=True, gc=False):
    """A moment of the dungeon turn of one player.

    ``phase`` is ``prepare``, ``battle``, ``after`` or ``end``. ``hall`` is rank 1 first, always three. ``deck`` and
    ``dungeon`` are the known cards on top, the next one first; beyond them everything is unknown. ``todo`` is the stack
    of unresolved tasks, the next one first.
    """

    phase: str
    hand: tuple[Slot, ...]
    hall: tuple[Foe, ...]
    rank0: tuple[Foe, ...]
    deck: tuple[str, ...]
    dungeon: tuple[str, ...]
    destroyed: tuple[Ref, ...] = ()
    discarded: tuple[Ref, ...] = ()
    gained: tuple[str, ...] = ()
    unknown_draws: int = 0
    todo: tuple[Task, ...] = ()
    battle: Battle | None = None
    victory: bool | None = None
    xp: int = 0
    ended: bool = False
    """True once the Thunderstone reached rank 1 (R7.1)."""
    outcome: Totals | None = None
    """The battle value as it decided the battle."""
    caged: tuple[Ref, ...] = ()
    gone: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Used effects of cards that left the hand since, (card, ability numbers): what was used stands (R5.4)."""
    pool: tuple[str, ...] | None = None
    """The own deck below the known cards, order unknown; None if nothing is known of it."""
    pile: tuple[str, ...] = ()
    """The own discard pile as it was when the turn began."""
    spell_used: bool = False
    """True once an effect of a spell was used, even if the spell is gone since (R5.1)."""
    world: World | None = None
    """The whole table in a game; in a described scenario the other players' hands, None if these are unknown too."""

    @property
    def in_game(self) -> bool:
        """True in a game, where every card is known to somebody; False in a described scenario."""
        return self.world is not None and not self.world.described


class Action(Struct, frozen=True, gc=False):
    """What a player decides.

    ``use`` (ref, ability number), ``equip`` (weapon ref, hero ref), ``forgo`` (ref, 0), ``attack`` (rank, place),
    ``leave`` (end the turn without a battle) and, while a task waits, ``choose`` (key, value).
    """

    kind: str
    a: Any = None
    b: Any = None


class Table(Struct, frozen=True, gc=False):
    """What stays the same during the turn: the cards, the ruleset, the village's stacks, the number of players.

    ``readings`` names the open questions answered the other way than by default (:mod:`thunderref.engine.readings`).
    """

    book: Book
    ruleset: str = "print"
    village: tuple[str, ...] | None = None
    players: int = 2
    variant: str = "normal"
    level: str = ""
    """The level of a solo game: normal, fighter or nightmare (R9.5)."""
    readings: frozenset[str] = frozenset()


def key_of(state: State) -> tuple[Any, ...]:
    """What two states must share to have the same future: like ``state``, blind to the numbers of copies."""
    return (
        state.phase,
        hand_key(state),
        state.hall,
        state.rank0,
        state.deck,
        state.dungeon,
        tuple(sorted(ref[0] for ref in state.destroyed)),
        tuple(sorted(ref[0] for ref in state.discarded)),
        state.gained,
        state.unknown_draws,
        state.todo,
        state.battle,
        state.ended,
        state.spell_used,
        state.gone,
        state.pool,
        state.pile,
        state.world,
    )


def hand_key(state: State) -> tuple[Any, ...]:
    """The revealed hand, blind to the numbers of copies and to its order."""
    return tuple(sorted(_key_of_slot(slot) for slot in state.hand))


def _key_of_slot(slot: Slot) -> tuple[Any, ...]:
    weapons = tuple(sorted(_key_of_slot(w) for w in slot.weapons)) if slot.weapons else ()
    return (slot.card, slot.used, slot.marks, weapons, slot.flags, slot.form, slot.fixed)
