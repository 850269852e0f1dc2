"""Everything a player may decide, as values: what begins a step, and the answers to tasks during an effect."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from thunderref.thunderstone.rules.position import Ref


class Turn(Struct, frozen=True, gc=False):
    """The kind of a turn (R2.1): ``village``, ``dungeon``, ``rest``, or ``penalty`` (R9.6)."""

    kind: str


class Use(Struct, frozen=True, gc=False):
    """Uses a card's effect by its number (R3.1, R4.1); 0 gives a trophy to a hero (R8.1)."""

    card: Ref
    effect: int


class Equip(Struct, frozen=True, gc=False):
    weapon: Ref
    hero: Ref


class Forgo(Struct, frozen=True, gc=False):
    card: Ref


class Attack(Struct, frozen=True, gc=False):
    """Attacks the monster at a rank (R5.1); ``place`` counts within rank 0."""

    rank: int
    place: int = 0


class Leave(Struct, frozen=True, gc=False):
    """Ends the turn in the dungeon without a battle (R4.8)."""


class Count(Struct, frozen=True, gc=False):
    """Ends the use of village effects: the gold is counted (R3.2)."""


class Buy(Struct, frozen=True, gc=False):
    card: str


class LevelUp(Struct, frozen=True, gc=False):
    hero: Ref
    to: str


class End(Struct, frozen=True, gc=False):
    """Ends the visit (R3.4)."""


class Pick(Struct, frozen=True, gc=False):
    """A copy of a card, in the hand or on the discard pile; ``key`` says what becomes of it (``destroy``, ``on``)."""

    key: str
    value: Ref


class Named(Struct, frozen=True, gc=False):
    """A card by its name: off a stack, a deck, out of another player's hand."""

    key: str
    value: str


class Several(Struct, frozen=True, gc=False):
    """Cards by their names, in an order if the key asks for one (``top``)."""

    key: str
    value: tuple[str, ...]


class Rank(Struct, frozen=True, gc=False):
    """The monster at a rank of the hall, from 1: put at the ``bottom`` or ``take``n."""

    key: str
    value: int


class Order(Struct, frozen=True, gc=False):
    """The hall in a new order: for each rank from 1 the place (rank less 1) that its card comes from."""

    value: tuple[int, ...]
    key: str = "order"


class Stat(Struct, frozen=True, gc=False):
    """``attack`` or ``magic_attack``: where a ``disease`` goes, which a hero loses (``from``)."""

    key: str
    value: str


class Theirs(Struct, frozen=True, gc=False):
    """A card that the player at a seat discarded: ``borrow-from`` or ``hunt``."""

    key: str
    value: tuple[int, str]


class Player(Struct, frozen=True, gc=False):
    value: int
    key: str = "player"


class Decline(Struct, frozen=True, gc=False):
    key: str = "decline"
    value: None = None


class Reveal(Struct, frozen=True, gc=False):
    """Reveals the cards that may then be destroyed (R6.4)."""

    key: str = "reveal"
    value: None = None


Answer = Pick | Named | Several | Rank | Order | Stat | Theirs | Player | Decline | Reveal
"""What answers a task that waits; each has a ``key`` and a ``value``."""
Choice = Turn | Use | Equip | Forgo | Attack | Leave | Count | Buy | LevelUp | End | Answer
DECLINE, REVEAL = Decline(), Reveal()
LEAVE, COUNT, END = Leave(), Count(), End()
VILLAGE, DUNGEON, REST, PENALTY = Turn("village"), Turn("dungeon"), Turn("rest"), Turn("penalty")


def cards_of(choice: Choice) -> tuple[str, ...]:
    """The ids of the cards that a choice names, whatever its form; () for none, as for a rank or a player."""
    match choice:
        case Several(value=cards):
            return cards
        case Named(value=card) | Buy(card=card) | Pick(value=(card, _)) | Theirs(value=(_, card)):
            return (card,)
        case Use(card=(card, _)) | Forgo(card=(card, _)):
            return (card,)
        case Equip(weapon=(weapon, _), hero=(hero, _)):
            return weapon, hero
        case LevelUp(hero=(hero, _), to=to):
            return hero, to
    return ()


def kind_of(choice: Choice) -> str:
    """The word for a kind of choice: ``use``, ``level_up``; ``choose`` for every answer, the turn's own for a turn."""
    return choice.kind if isinstance(choice, Turn) else CHOICE_KINDS.get(type(choice), "choose")


CHOICE_KINDS: dict[type[Any], str] = {
    Use: "use", Equip: "equip", Forgo: "forgo", Attack: "attack", Leave: "leave", Count: "count", Buy: "buy",
    LevelUp: "level_up", End: "end",
}  # fmt: skip
