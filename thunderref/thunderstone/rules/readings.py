"""The open questions of the rules that the engine can answer either way, by their names in db/rules.toml.

Cards that editions print differently are such questions too, by their names in db/conflicts.toml.

A game carries the names of the questions answered the other way than by default; the empty set is rules.md as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thunderref.database.operations import Bonus, Convert, Operation
from thunderref.database.read import Database, SwitchRow
from thunderref.errors import InputError

ReadingsAsked = Mapping[str, str] | Sequence[str]
"""``{name or rule: value}``, or entries ``name=value``; an entry without a value asks for the other reading."""

FIRST_CARD = "first-card"  # R1.5
NO_TARGET = "no-target"  # R4.8
USED_CARDS = "used-cards"  # R4.2
WHEN_COUNTED = "when-counted"  # R4.9
WEAPON_GONE = "weapon-gone"
"""R5.1: a weapon that is gone by the attack, equipped or used before, does not bar Thunder Wrath."""
LOST_WEAPON = "lost-weapon"  # R5.3
IDLE_WEAPONS = "idle-weapons"  # R5.4
IDLE_WEAPON_EQUIPPED = "idle-weapon-equipped"  # R5.4
DISEASE_SUMS = "disease-sums"  # R5.6
JUDGEMENT_WEAPON = "judgement-weapon"  # R5.7
CONVERTED_WEAPON = "converted-weapon"  # R5.8
COUNTED_SPELLS = "counted-spells"  # R5.8b
NEGATIVE_MAGIC = "negative-magic"  # R5.9
HALF_ATTACK = "half-attack"  # R5.13
FALLEN_HEROES = "fallen-heroes"  # R6.3
STONE_WITH_HELP = "stone-with-help"  # R7.1
STONE_AT_SHIFT = "stone-at-shift"  # R7.1


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


def other_readings(database: Database, settings: ReadingsAsked) -> frozenset[str]:
    """The names of the questions answered the other way than by default; raises as :func:`read_answers` does."""
    answers = read_answers(database, settings)
    return frozenset(name for name, value in answers.items() if value == database.choices[name].other)


def read_answers(database: Database, settings: ReadingsAsked) -> dict[str, str]:
    """The name of each question that is answered, the default way or the other -> the value.

    Where a rule leaves two open, the value tells them apart. Raises :class:`InputError` for what there is not.
    """
    entries = settings.items() if isinstance(settings, Mapping) else [entry.partition("=")[::2] for entry in settings]
    values: dict[str, str] = {}
    for name, value in entries:
        switch, answer = _switch(database, name.strip(), value.strip().lower())
        if values.setdefault(switch.name, answer) != answer:
            raise InputError("reading-twice", name=switch.name)
    return values


def _switch(database: Database, name: str, value: str) -> tuple[SwitchRow, str]:
    called = "-".join(name.lower().split())
    fitting = [s for s in database.choices.values() if called in {s.name, s.rule.lower(), s.card} - {""}]
    if not fitting:
        raise InputError("unknown-reading", name=name or "-", candidates=list(database.choices))
    if not value and len(fitting) > 1:
        options = [f"{s.name}={s.other}" for s in fitting]
        raise InputError("unknown-reading", name=name, why="several", candidates=options)
    if not value:
        return fitting[0], fitting[0].other
    matches = [s for s in fitting if value in (s.default, s.other)]
    if len(matches) != 1:
        possible = [word for s in fitting for word in (s.default, s.other)]
        raise InputError("unknown-reading-value", name=name, value=value, candidates=possible)
    return matches[0], value


def other_values(database: Database, readings: frozenset[str]) -> dict[str, str]:
    """The value of every question that is answered the other way."""
    return {name: switch.other for name, switch in database.choices.items() if name in readings}
