"""The open questions of the rules that the engine can answer either way (the names of db/rules.toml).

A table carries the names of the questions answered the other way than by default; the empty set is rules.md as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from thunderref.database.operations import Bonus, Convert, Operation

if TYPE_CHECKING:
    from thunderref.thunderstone.rules.party import Party
    from thunderref.thunderstone.rules.position import Slot

FIRST_CARD = "first-card"
"""R1.5: the first card turned up for the hall lies at the highest rank."""
NO_TARGET = "no-target"
"""R4.8: a party that could attack nothing was never let into the dungeon."""
USED_CARDS = "used-cards"
"""R4.2: only food whose own effect was used is safe from the effects of other cards."""
WHEN_COUNTED = "when-counted"
"""R4.9: what is given to all heroes and what is counted is fixed on use, not read when the battle begins."""
THROWN_SPEAR = "thrown-spear"
"""R5.3: a thrown weapon keeps its figures, but nobody holds it any more."""
LOST_WEAPON = "lost-weapon"
"""R5.3: a hero whose weapon was destroyed by its own effect has had his weapon for this turn."""
IDLE_WEAPONS = "idle-weapons"
"""R5.4: weapons of a hero who cannot attack count, save after Haunt, whose glossary says that they do not."""
IDLE_WEAPON_EQUIPPED = "idle-weapon-equipped"
"""R5.4: the weapon of a hero who cannot attack is no equipped weapon."""
DISEASE_SUMS = "disease-sums"
"""R5.6: Disease comes after multipliers, immunities, Magic Attack Only and battle effects."""
JUDGEMENT_WEAPON = "judgement-weapon"
"""R5.7: Attack of the weapon a hero holds is his to lose."""
CONVERTED_WEAPON = "converted-weapon"
"""R5.8: the Attack of weapons stays Attack when a hero's is converted."""
COUNTED_SPELLS = "counted-spells"
"""R5.8b: a spell that prints Magic Attack counts, whether or not it gives any in this battle."""
NEGATIVE_MAGIC = "negative-magic"
"""R5.9: a negative Magic Attack is doubled and halved too."""
HALF_ATTACK = "half-attack"
"""R5.13: the total is halved before the light penalty comes off."""
STONE_WITH_HELP = "stone-with-help"
"""R7.1: the Thunderstone is taken only if the victory alone brought it to rank 1."""

Fixed = tuple[str, int, int, int]
"""What a use gave a hero once and for all: card, ability number, number of the lasting operation, how many times."""


def is_counted(operation: Operation) -> bool:
    """True for what R4.9 reads when the battle begins: shares of all heroes, counts, who holds a weapon."""
    if isinstance(operation, Convert):
        return operation.to == "armed"
    if not isinstance(operation, Bonus):
        return False
    if operation.to in ("heroes", "other-heroes") or operation.per is not None:
        return True
    when = operation.when
    return when is not None and (when.hand is not None or when.no_hand is not None or when.gold is not None)


def fixed_by_use(party: Party, source: Slot, number: int) -> dict[tuple[str, int], tuple[Fixed, ...]]:
    """What using an effect at this moment gives each hero under the other reading of R4.9, by hero."""
    found: dict[tuple[str, int], tuple[Fixed, ...]] = {}
    for index, operation in enumerate(party.spec(source).dungeon[number - 1].lasting):
        for hero in party.heroes if is_counted(operation) else ():
            n = party.share(operation, source, hero)
            if n:
                found[hero.ref] = (*found.get(hero.ref, ()), (source.face, number, index, n))
    return found
