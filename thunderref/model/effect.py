"""Effect records: what the abilities of the cards do, as data the engine interprets.

An effect is a list of operations. *Lasting* operations are read when values are added up; *instant* ones happen in
order when the effect is used; *battle* ones belong to the attacked monster; *village* ones count on a visit. A word
in capitals on a card is an :class:`Effect` timing, a number is a field, and nothing here refers to a card by id
except Disease, which the rules themselves name (R0.5).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from thunderref.model.base import Record

Stat = Literal["attack", "magic_attack", "light", "strength"]
CardKind = Literal["hero", "monster", "weapon", "item", "spell", "villager", "disease"]


class Select(Record):
    """Which cards qualify; every given field must hold.

    ``kind`` hero includes Militia (R0.4), monster includes defeated guardians (R8.1). ``gives`` asks for a printed
    Light, gold value or victory points. ``bare`` is a hero with neither an equipped weapon nor Magic Attack.
    """

    kind: CardKind | None = None
    type: str | None = None
    not_type: str | None = None
    level: int | None = None
    gives: Literal["light", "gold", "vp", "magic_attack"] | None = None
    bare: bool = False


class Condition(Record):
    """When something holds; every given field must.

    ``rank``: the target stands in one of these ranks. ``wields``: the hero holds a weapon of this type, as equipped in
    preparation (R5.3). ``strength``: the weapon's holder has at least this Strength now. ``holder``: the weapon's
    holder has this type. ``target``: the target has one of these types. ``hand`` / ``no_hand``: the revealed hand has
    at least one / no such card. ``gold``: the gold values of the revealed hand sum to at least this.
    """

    rank: tuple[int, ...] | None = None
    wields: str | None = None
    strength: int | None = None
    holder: str | None = None
    target: tuple[str, ...] | None = None
    hand: Select | None = None
    no_hand: Select | None = None
    gold: int | None = None


# lasting operations


class Bonus(Record):
    """Adds ``amount`` (times the number of revealed cards matching ``per``) to a figure.

    ``to``: ``self`` (the hero or weapon itself; of a spell, item or trophy: the party), ``heroes``, ``other-heroes``
    or ``chosen`` (one hero, chosen on use). ``who`` narrows down the heroes, ``armed`` to those holding a weapon when
    the battle begins (R4.9).
    """

    op: Literal["bonus"]
    stat: Stat
    amount: int
    per: Select | None = None
    to: Literal["self", "heroes", "other-heroes", "chosen"] = "self"
    who: Select | None = None
    armed: bool = False
    when: Condition | None = None


class Instead(Record):
    """Replaces the printed figure of the weapon while ``when`` holds (Polearm)."""

    op: Literal["instead"]
    stat: Stat
    amount: int
    when: Condition


class Double(Record):
    """The party's Magic Attack is doubled after everything else (R5.9)."""

    op: Literal["double"]


class CountMagic(Record):
    """Magic Attack +1 for each own item, and for each spell that gives Magic Attack in this battle (R5.8b)."""

    op: Literal["count-magic"]


class Convert(Record):
    """The final Attack of one chosen hero, or of all who hold a weapon, counts as Magic Attack (R5.8)."""

    op: Literal["convert"]
    to: Literal["chosen", "armed"]


class Weightless(Record):
    """Every own weapon weighs 0 (R4.4)."""

    op: Literal["weightless"]


class SpareHeroes(Record):
    """Own heroes destroyed in the battle are discarded instead (R6.3)."""

    op: Literal["spare-heroes"]


class CannotAttack(Record):
    """The hero does not attack while ``when`` holds (R5.4)."""

    op: Literal["cannot-attack"]
    when: Condition


class ManyWeapons(Record):
    """The hero may hold any number of weapons, each weight checked on its own (R4.3)."""

    op: Literal["many-weapons"]


class IgnoreLightPenalties(Record):
    """Every light penalty is 0 while the hero attacks (R5.11)."""

    op: Literal["ignore-light-penalties"]


class ExtraXp(Record):
    """More XP for a victory while ``when`` holds (R6.2)."""

    op: Literal["extra-xp"]
    amount: int
    when: Condition


class Spoils(Record):
    """After a victory one card of these kinds may be bought (R6.4)."""

    op: Literal["spoils"]
    buys: tuple[Literal["weapon", "food", "village", "hero", "basic"], ...]


class Unconfirmed(Record):
    """The card gives something of this figure, but no source says how much: it counts 0 and says so."""

    op: Literal["unconfirmed"]
    stat: Stat


class GainOnEquip(Record):
    """Equipping the weapon gains cards into the discard pile (Cursed Mace)."""

    op: Literal["gain-on-equip"]
    card: str
    amount: int = 1
    who: Literal["self"] = "self"


class ReturnToHand(Record):
    """Discarded through another player's effect, the card comes back to its owner's hand."""

    op: Literal["return-to-hand"]


# operations of targets


class LightPenalty(Record):
    """The card's ``light_penalty`` is added to the light penalty of its rank (R5.11)."""

    op: Literal["light-penalty"]


class Barred(Record):
    """The monster may not be attacked while this is so (R5.1)."""

    op: Literal["barred"]
    when: Literal["light-penalty", "spell-used", "weapon-equipped"]


class Halve(Record):
    """Halves the Magic Attack (R5.9) or the total (R5.13), rounded down (R0.2), unless something is there."""

    op: Literal["halve"]
    what: Literal["magic_attack", "total"]
    unless: Literal["magic-attack", "weapon"] | None = None
    unless_hand: Select | None = None


class Immune(Record):
    """These sources of Attack and Magic Attack count 0 (R5.5)."""

    op: Literal["immune"]
    to: Literal["edged", "magic-attack", "spells", "unequipped-heroes"]


class OnlyMagic(Record):
    """Attack counts 0 (R5.10)."""

    op: Literal["only-magic"]


class NeedsMagic(Record):
    """No victory without Magic Attack of at least 1 (R5.14)."""

    op: Literal["needs-magic"]


class HeroesCannotAttack(Record):
    """Heroes without a weapon, or below a Strength, do not attack (R5.4)."""

    op: Literal["heroes-cannot-attack"]
    unequipped: bool = False
    strength_below: int | None = None


class LightUseless(Record):
    """Light does not lower the light penalty (R5.11)."""

    op: Literal["light-useless"]


class MustBeDefeated(Record):
    """The monster leaves the hall only by being defeated (R6.8)."""

    op: Literal["must-be-defeated"]


class HallLocked(Record):
    """While this monster is in the hall, no monster leaves it unless defeated (R6.8, R8.2)."""

    op: Literal["hall-locked"]


class OthersHealthier(Record):
    """While in rank 0, every other monster has more Health (Death Sentinel)."""

    op: Literal["others-healthier"]
    amount: int


# battle operations


class Weaken(Record):
    """Each own hero loses Strength in this battle (R5.3)."""

    op: Literal["weaken"]
    amount: int


class BattleDestroy(Record):
    """Destroys own revealed cards, one of the player's choice or all that match; they count until the end (R5.2).

    ``strongest`` narrows heroes down to the highest Strength, ``unarmed_party`` holds only if no weapon is equipped.
    """

    op: Literal["battle-destroy"]
    select: Select
    all: bool = False
    strongest: bool = False
    unarmed_party: bool = False


class LoseAttack(Record):
    """Each attacking hero loses 1 Attack or Magic Attack, the player's choice (R5.7)."""

    op: Literal["lose-attack"]


class StopHero(Record):
    """One own hero that could attack does not, nor do his weapons count (R5.4)."""

    op: Literal["stop-hero"]


class DestroyWeak(Record):
    """Heroes whose Strength is now 0 or less are destroyed (R6.9)."""

    op: Literal["destroy-weak"]


class DestroyRandom(Record):
    """After the battle a card of the shuffled hand is revealed and destroyed, unless it matches."""

    op: Literal["destroy-random"]
    unless: Select


class EachPlayerDestroys(Record):
    """Each player destroys one matching card of the revealed hand."""

    op: Literal["each-player-destroys"]
    select: Select


# instant operations


class Draw(Record):
    """Draws cards (R2.2); with ``per``, that many for each revealed card that matches."""

    op: Literal["draw"]
    amount: int
    per: Select | None = None


class Destroy(Record):
    """Destroys a revealed card of the player's choice; a used card cannot be chosen (R4.2)."""

    op: Literal["destroy"]
    select: Select


class DestroySelf(Record):
    """Destroys the card itself; a held weapon still counts as equipped with ``stays`` (Spear, R5.3)."""

    op: Literal["destroy-self"]
    stays: bool = False


class DiscardOwn(Record):
    """Discards a revealed card of the player's choice."""

    op: Literal["discard"]
    select: Select


class MoveMonster(Record):
    """Puts a hall monster under the dungeon deck and refills, or (``order``) rearranges the hall."""

    op: Literal["move-monster"]
    ways: tuple[Literal["bottom", "order"], ...]


class TakeMonster(Record):
    """A hall monster worth one of these victory points goes to the own discard pile, no XP; the hall is refilled."""

    op: Literal["take-monster"]
    vp: tuple[int, ...]


class TakeBeforeRefill(Record):
    """Once, just before the hall is refilled: a monster of these victory points to the own discard pile (R6.5)."""

    op: Literal["take-before-refill"]
    vp: tuple[int, ...]


class OpponentsDiscard(Record):
    """Every other player discards cards (R4.7), or one card that matches ``instead``."""

    op: Literal["opponents-discard"]
    select: Select | None = None
    amount: int = 1
    instead: Select | None = None


class MagicUnlessDiscarded(Record):
    """Magic Attack for the hero unless an opponent discarded such a card: unknown here (R4.11)."""

    op: Literal["magic-unless-discarded"]
    amount: int
    select: Select


class Gain(Record):
    """Gains cards into the own discard pile (R0.3), or every opponent does."""

    op: Literal["gain"]
    card: str
    amount: int = 1
    who: Literal["self", "opponents"] = "self"


class Borrow(Record):
    """All players discard one matching card; the player may use one of these until the battle ends."""

    op: Literal["borrow"]
    select: Select


class CopyHero(Record):
    """One own Militia becomes a full copy of another own hero (R4.10)."""

    op: Literal["copy-hero"]


class Recruit(Record):
    """The top hero of a village stack joins the hand until the battle ends, then is destroyed."""

    op: Literal["recruit"]


class Conjure(Record):
    """A weapon of the village is equipped to a hero strong enough; destroyed after the battle."""

    op: Literal["conjure"]


class Foresee(Record):
    """Looks at the top cards of the dungeon deck and puts them back in any order."""

    op: Literal["foresee"]
    amount: int


class WoundHall(Record):
    """Every hall monster loses Health; those at 0 or less go to the own discard pile, no XP; refill (R5.5)."""

    op: Literal["wound-hall"]
    amount: int


class PutBack(Record):
    """Moves cards between ranks after a victory: one hall monster goes under the dungeon deck (R6.5)."""

    op: Literal["bottom-after-victory"]


# village operations


class Gold(Record):
    """Gold for this visit; ``value_of_destroyed`` adds the gold value of the card destroyed as the cost."""

    op: Literal["gold"]
    amount: int
    per: Select | None = None
    other: bool = False
    value_of_destroyed: bool = False


class GoldPerPlayer(Record):
    """Gold for each player in the game."""

    op: Literal["gold-per-player"]
    amount: int


class ExtraBuy(Record):
    """One more purchase this turn; with ``after``, only once a card of this type was bought."""

    op: Literal["extra-buy"]
    after: str | None = None


class GainXp(Record):
    """XP now; ``unless_destroyed`` withholds it if the card destroyed as the cost matches."""

    op: Literal["gain-xp"]
    amount: int
    unless_destroyed: Select | None = None


class TopDeck(Record):
    """Puts a revealed card on top of the own deck."""

    op: Literal["top-deck"]
    select: Select


# breaches, traps and the rest that touches all players


class Custom(Record):
    """What fits no operation: a named handler with the reason why it needs one."""

    op: Literal["custom"]
    name: str
    reason: str


class EveryoneDiscards(Record):
    """Each player discards this many cards of the hand (breach)."""

    op: Literal["everyone-discards"]
    amount: int


class RazeHeroStacks(Record):
    """Destroys the top cards of every village hero stack, Militia included (breach)."""

    op: Literal["raze-hero-stacks"]
    amount: int


class RevealTop(Record):
    """Each player discards cards off the own deck; one of them that matches is destroyed (breach)."""

    op: Literal["reveal-top"]
    amount: int
    select: Select


class VpPerCopy(Record):
    """The card is worth as many victory points as its owner has cards of its family, at most ``most`` (R7.2)."""

    op: Literal["vp-per-copy"]
    most: int


class FromHordeDeck(Record):
    """Turned up, the card leaves the game and the top card of the Horde deck takes its place (R1.3)."""

    op: Literal["from-horde-deck"]


# traps


class ShowHero(Record):
    """Each player shows a hero from the hand, or a hand without one; unless he matches ``safe`` he is destroyed."""

    op: Literal["show-hero"]
    safe: Select


class DestroyWeakest(Record):
    """The active player destroys the weakest hero of the hand."""

    op: Literal["destroy-weakest"]


class RevealTops(Record):
    """The other players turn up cards off their decks; all heroes but the strongest of them are destroyed."""

    op: Literal["reveal-tops"]
    amount: int


class TurnRound(Record):
    """From the left, each player in turn discards the top card of the deck until so many heroes are out: destroyed."""

    op: Literal["turn-round"]
    until: int


class OthersLose(Record):
    """All matching cards in the hands of the other players are destroyed."""

    op: Literal["others-lose"]
    select: Select


class GainUnlessShown(Record):
    """Each player gains a card unless he can show a hero of one of these types."""

    op: Literal["gain-unless-shown"]
    card: str
    types: tuple[str, ...]


class HoldHero(Record):
    """The trap stays with a hero of the active player until somebody defeats a monster (R6.10)."""

    op: Literal["hold-hero"]


class Toll(Record):
    """While the guardian stands in rank 0: the active player destroys cards of each new hand he draws (R6.7)."""

    op: Literal["toll"]
    amount: int


Operation = Annotated[
    Bonus | Instead | Double | CountMagic | Convert | Weightless | SpareHeroes | CannotAttack | ManyWeapons
    | IgnoreLightPenalties | ExtraXp | Spoils | GainOnEquip | ReturnToHand | LightPenalty | Barred | Halve | Immune
    | OnlyMagic | NeedsMagic | HeroesCannotAttack | LightUseless | MustBeDefeated | HallLocked | OthersHealthier
    | Weaken | BattleDestroy | LoseAttack | StopHero | DestroyWeak | DestroyRandom | EachPlayerDestroys | Draw
    | Destroy | DestroySelf | DiscardOwn | MoveMonster | TakeMonster | TakeBeforeRefill | OpponentsDiscard
    | MagicUnlessDiscarded | Gain | Borrow | CopyHero | Recruit | Conjure | Foresee | WoundHall | PutBack | Gold
    | GoldPerPlayer | ExtraBuy | GainXp | TopDeck | Custom | EveryoneDiscards | RazeHeroStacks | RevealTop
    | Toll | VpPerCopy | FromHordeDeck | ShowHero | DestroyWeakest | RevealTops | TurnRound | OthersLose
    | GainUnlessShown | HoldHero | Unconfirmed,
    Field(discriminator="op"),
]  # fmt: skip
"""Any operation, told apart by its ``op``."""

Cost = Annotated[Destroy | DestroySelf | DiscardOwn, Field(discriminator="op")]
"""What is paid first; without it the effect cannot be used."""
