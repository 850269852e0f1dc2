"""The open questions of the rules that the engine can answer either way, by their names in db/rules.toml.

A table carries the names of the questions answered the other way than by default; the empty set is rules.md as it is.
``thunderref rule`` explains both answers of each.
"""

from __future__ import annotations

from thunderref.database.operations import Bonus, Convert, Operation

FIRST_CARD = "first-card"  # R1.5
NO_TARGET = "no-target"  # R4.8
USED_CARDS = "used-cards"  # R4.2
WHEN_COUNTED = "when-counted"  # R4.9
WEAPON_GONE = "weapon-gone"
"""R5.1: a weapon that is gone by the attack, equipped or used before, does not bar Thunder Wrath."""
THROWN_SPEAR = "thrown-spear"  # R5.3
LOST_WEAPON = "lost-weapon"  # R5.3
IDLE_WEAPONS = "idle-weapons"  # R5.4
IDLE_WEAPON_EQUIPPED = "idle-weapon-equipped"  # R5.4
DISEASE_SUMS = "disease-sums"  # R5.6
JUDGEMENT_WEAPON = "judgement-weapon"  # R5.7
CONVERTED_WEAPON = "converted-weapon"  # R5.8
COUNTED_SPELLS = "counted-spells"  # R5.8b
NEGATIVE_MAGIC = "negative-magic"  # R5.9
HALF_ATTACK = "half-attack"  # R5.13
STONE_WITH_HELP = "stone-with-help"  # R7.1


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
