"""Effect records: what the abilities of the cards do, as data that the engine interprets.

Nothing here refers to a card by id except Disease, which the rules themselves name (R0.5).
"""

import re
from typing import TYPE_CHECKING, ClassVar, Literal, Union

from msgspec import defstruct
from msgspec.json import Decoder

from thunderref.database.validation import Record

Stat = Literal["attack", "magic_attack", "light", "strength"]
CardKind = Literal["hero", "monster", "weapon", "item", "spell", "villager", "disease"]


class Select(Record, omit_defaults=True):
    """Which cards qualify; every given field must hold.

    ``kind`` hero includes Militia (R0.4), monster includes defeated guardians (R8.1). ``gives`` asks for what is
    printed. ``bare`` is a hero with neither an equipped weapon nor Magic Attack.
    """

    kind: CardKind | None = None
    type: str | None = None
    not_type: str | None = None
    level: int | None = None
    gives: Literal["light", "gold", "vp", "magic_attack"] | None = None
    bare: bool = False


class Condition(Record, omit_defaults=True):
    """When something holds; every given field must.

    ``rank``, ``target``: the target's rank or type is one of these. ``wields``: the hero holds a weapon of this type,
    as equipped in preparation (R5.3). ``holder``, ``strength``: the weapon's holder has this type, at least this
    Strength now. ``hand``, ``no_hand``: the revealed hand has, or lacks, such a card; ``gold``: it is worth that much.
    """

    rank: tuple[int, ...] | None = None
    wields: str | None = None
    strength: int | None = None
    holder: str | None = None
    target: tuple[str, ...] | None = None
    hand: Select | None = None
    no_hand: Select | None = None
    gold: int | None = None


class Op(Record, tag_field="op", tag=lambda name: re.sub("(?<!^)([A-Z])", r"-\1", name).lower(), omit_defaults=True):
    """An operation; its ``op`` is the name of its class (``CountMagic``: ``count-magic``) unless it says otherwise."""

    op: ClassVar[str]

    def __repr__(self) -> str:
        fields = [("op", self.op), *((name, getattr(self, name)) for name in self.__struct_fields__)]
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in fields)})"


class _Amount(Op):
    amount: int


class _Choice(Op):
    select: Select


# lasting operations


class Bonus(Op):
    """Adds ``amount`` (times the number of revealed cards matching ``per``) to a figure.

    ``self`` is the hero or weapon (of a spell, item or trophy: the party), ``chosen`` a hero chosen on use. ``who``
    narrows down the heroes, ``armed`` to those holding a weapon when the battle begins (R4.9), once for each one
    with ``each_weapon``.
    """

    stat: Stat
    amount: int
    per: Select | None = None
    to: Literal["self", "heroes", "other-heroes", "chosen"] = "self"
    who: Select | None = None
    armed: bool = False
    each_weapon: bool = False
    when: Condition | None = None


class Instead(Op):
    """Replaces the printed figure of the weapon while ``when`` holds (Polearm)."""

    stat: Stat
    amount: int
    when: Condition


class Convert(Op):
    """The final Attack of one chosen hero, or of all who hold a weapon, counts as Magic Attack (R5.8)."""

    to: Literal["chosen", "armed"]


class CannotAttack(Op):
    """The hero does not attack while ``when`` holds (R5.4)."""

    when: Condition


class ExtraXp(_Amount):
    """More XP for a victory while ``when`` holds (R6.2)."""

    when: Condition


class Spoils(Op):
    """After a victory one card of these kinds may be bought (R6.4)."""

    buys: tuple[Literal["weapon", "food", "village", "hero", "basic"], ...]


class Unconfirmed(Op):
    """The card gives some of this figure, but no source says how much: it counts 0 and says so."""

    stat: Stat


class GainOnEquip(Op):
    """Equipping the weapon gains cards into the discard pile (Cursed Mace)."""

    card: str
    amount: int = 1
    who: Literal["self"] = "self"


# operations of targets


class Barred(Op):
    """The monster may not be attacked while this holds (R5.1)."""

    when: Literal["light-penalty", "spell-used", "weapon-equipped"]


class Halve(Op):
    """Halves the Magic Attack (R5.9) or the total (R5.13), rounded down (R0.2), unless the condition holds."""

    what: Literal["magic_attack", "total"]
    unless: Literal["magic-attack", "weapon"] | None = None
    unless_hand: Select | None = None


class Immune(Op):
    """These sources of Attack and Magic Attack count 0; what spells give heroes belongs to the spells (R5.5)."""

    to: Literal["edged", "magic-attack", "spells", "unequipped-heroes"]


class HeroesCannotAttack(Op):
    """Heroes without a weapon, or below a Strength, do not attack (R5.4)."""

    unequipped: bool = False
    strength_below: int | None = None


class OthersHealthier(_Amount):
    """While in rank 0, every other monster has more Health (Death Sentinel)."""


# battle operations


class Weaken(_Amount):
    """Each own hero loses Strength in this battle (R5.3)."""


class BattleDestroy(_Choice):
    """Destroys own revealed cards, one of the player's choice or all that match; they count until the end (R5.2).

    ``strongest`` narrows heroes down to the highest Strength, ``unarmed_party`` holds only if no weapon is equipped.
    """

    all: bool = False
    strongest: bool = False
    unarmed_party: bool = False


class DestroyRandom(Op):
    """After the battle a card of the shuffled hand is revealed and destroyed, unless it matches."""

    unless: Select


class EachPlayerDestroys(_Choice):
    """Each player destroys one matching card of the revealed hand."""


# instant operations


class Draw(_Amount):
    """Draws cards (R2.2); with ``per``, that many for each revealed card that matches."""

    per: Select | None = None


class Destroy(_Choice):
    """Destroys a revealed card of the player's choice; a used card cannot be chosen (R4.2)."""


class DestroySelf(Op):
    """Destroys the card itself; a held weapon still counts as equipped with ``stays`` (Spear, R5.3)."""

    stays: bool = False


class DiscardOwn(_Choice, tag="discard"):
    """Discards a revealed card of the player's choice."""


class MoveMonster(Op):
    """Puts a hall monster under the dungeon deck and refills, or (``order``) rearranges the hall."""

    ways: tuple[Literal["bottom", "order"], ...]


class TakeMonster(Op):
    """Puts a hall monster worth one of these victory points on the own discard pile, no XP; refills the hall."""

    vp: tuple[int, ...]


class TakeBeforeRefill(Op):
    """Once, just before the hall is refilled: puts a monster of these victory points on the own discard pile (R6.5)."""

    vp: tuple[int, ...]


class OpponentsDiscard(Op):
    """Every other player discards cards (R4.7), or one card that matches ``instead``."""

    select: Select | None = None
    amount: int = 1
    instead: Select | None = None


class MagicUnlessDiscarded(_Amount):
    """Magic Attack for the hero unless an opponent discarded such a card, which may be unknown (R4.11)."""

    select: Select


class Gain(Op):
    """Gains cards into the own discard pile (R0.3), or every opponent does."""

    card: str
    amount: int = 1
    who: Literal["self", "opponents"] = "self"


class Borrow(_Choice):
    """All players discard one matching card; the player may use one of these until the battle ends."""


class Foresee(_Amount):
    """Looks at the top cards of the dungeon deck and puts them back in any order."""


class WoundHall(_Amount):
    """Every hall monster loses Health; those at 0 or less go to the own discard pile, no XP; refill (R5.5)."""


# village operations


class Gold(_Amount):
    """Gold for this visit; ``value_of_destroyed`` adds the gold value of the card destroyed as the cost."""

    per: Select | None = None
    other: bool = False
    value_of_destroyed: bool = False


class GoldPerPlayer(_Amount):
    """Gold for each player in the game."""


class ExtraBuy(Op):
    """One more purchase this turn; with ``after``, only once a card of this type was bought."""

    after: str | None = None


class GainXp(_Amount):
    """XP now; ``unless_destroyed`` withholds it if the card destroyed as the cost matches."""

    unless_destroyed: Select | None = None


class TopDeck(_Choice):
    """Puts a revealed card on top of the own deck."""


# breaches, traps and the rest that touches all players


class Custom(Op):
    """A named handler for what fits no operation, with the reason for it."""

    name: str
    reason: str


class EveryoneDiscards(_Amount):
    """Each player discards this many cards of the hand (breach)."""


class RazeHeroStacks(_Amount):
    """Destroys the top cards of every village hero stack, Militia included (breach)."""


class RevealTop(_Amount):
    """Each player discards cards from the own deck; one matching card of them is destroyed (breach)."""

    select: Select


class VpPerCopy(Op):
    """The card is worth as many victory points as its owner has cards of its family, at most ``most`` (R7.2)."""

    most: int


# traps


class ShowHero(Op):
    """Each player shows a hero from the hand, or a hand without one; the hero is destroyed unless ``safe`` matches."""

    safe: Select


class DestroyWeakest(Op):
    """The active player destroys the weakest hero of the hand."""


class RevealTops(_Amount):
    """The other players turn up cards from their decks; all heroes but the strongest are destroyed."""


class TurnRound(Op):
    """Players in turn, from the left, discard their top cards until ``until`` heroes are out, who are destroyed."""

    until: int


class OthersLose(_Choice):
    """All matching cards in the hands of the other players are destroyed."""


class GainUnlessShown(Op):
    """Each player gains a card unless they can show a hero of one of these types."""

    card: str
    types: tuple[str, ...]


class HoldHero(Op):
    """The trap stays with a hero of the active player until somebody defeats a monster (R6.10)."""


class Toll(_Amount):
    """While the guardian is in rank 0: the active player destroys cards of each new hand they draw (R6.7)."""


WITHOUT_FIELDS = {
    "count-magic": "Magic Attack +1 for each own item and each spell that gives Magic Attack in this battle (R5.8b).",
    "weightless": "Every own weapon weighs 0 (R4.4).",
    "many-weapons": "The hero may hold any number of weapons, each weight checked on its own (R4.3).",
    "lose-attack": "Each attacking hero loses 1 Attack or Magic Attack, the player's choice (R5.7).",
    "stop-hero": "One own hero that could attack does not, nor do his weapons count (R5.4).",
    "bottom-after-victory": "After a victory one hall monster goes under the dungeon deck (R6.5).",
    "double": "The party's Magic Attack is doubled after everything else (R5.9).",
    "spare-heroes": "Own heroes destroyed in the battle are discarded instead (R6.3).",
    "shield-heroes": "Own heroes are destroyed neither by dungeon effects nor by battle effects (R6.3).",
    "ignore-light-penalties": "Every light penalty is 0 while the hero attacks (R5.11).",
    "return-to-hand": "Discarded through another player's effect, the card comes back to its owner's hand.",
    "light-penalty": "The card's ``light_penalty`` is added to the light penalty of its rank (R5.11).",
    "only-magic": "Attack counts 0 (R5.10).",
    "needs-magic": "No victory without Magic Attack of at least 1 (R5.14).",
    "light-useless": "Light does not lower the light penalty (R5.11).",
    "must-be-defeated": "The monster leaves the hall only by being defeated (R6.8).",
    "hall-locked": "While this monster is in the hall, no monster leaves it unless defeated (R6.8, R8.2).",
    "destroy-weak": "Heroes whose Strength is now 0 or less are destroyed (R6.9).",
    "copy-hero": "One own Militia becomes a full copy of another own hero (R4.10).",
    "recruit": "The top hero of a village stack joins the hand until the battle ends, then is destroyed.",
    "conjure": "A weapon of the village is equipped to a hero strong enough; destroyed after the battle.",
    "from-horde-deck": "Turned up, the card leaves the game and the top card of the Horde deck takes its place (R1.3).",
}
"""Operations without fields -> what they do."""

for _name in WITHOUT_FIELDS:
    _class = _name.title().replace("-", "")
    globals()[_class] = defstruct(_class, [], bases=(Op,), module=__name__)

_KINDS = [kind for base in (Op, _Amount, _Choice) for kind in base.__subclasses__() if kind not in (_Amount, _Choice)]
for _kind in _KINDS:
    _kind.op = str(_kind.__struct_config__.tag)

if TYPE_CHECKING:
    Operation = Op
else:
    Operation = Union[tuple(_KINDS)]  # noqa: UP007
"""Any operation, told apart by its ``op``."""

Cost = Destroy | DestroySelf | DiscardOwn
"""The price of an effect, paid first."""

Timing = Literal[
    "passive", "dungeon", "repeat-dungeon", "village", "repeat-village", "village-or-dungeon", "battle", "breach",
    "global", "trait", "trophy", "spoils", "aftermath", "trap", "reveal", "end-of-game",
]  # fmt: skip
"""When an ability works (the printed keywords, R2.4, R5.2, R8)."""
ALWAYS_ON = frozenset({"passive", "battle", "breach", "global", "trait", "trophy", "trap", "end-of-game"})


class Effect(Record, omit_defaults=True):
    """One printed ability of a card; a ``mandatory`` one cannot be declined (by default always-on ones)."""

    id: str
    timing: Timing
    mandatory: bool | None = None
    cost: tuple[Cost, ...] = ()
    do: tuple[Operation, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def is_mandatory(self) -> bool:
        return self.timing in ALWAYS_ON if self.mandatory is None else self.mandatory


# Made when imported, once for all threads: two that are first to make it at once crash msgspec.
read_effect = Decoder(Effect).decode
