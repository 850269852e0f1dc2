"""The open questions of the rules as switches: reading what a scenario or the command line asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thunderref.database.read import Database, SwitchRow
from thunderref.errors import InputError

Asked = Mapping[str, str] | Sequence[str]
"""``{name or rule: value}``, or entries ``name=value``; an entry without a value asks for the other reading."""


def other_readings(database: Database, asked: Asked) -> frozenset[str]:
    """The names of the questions answered the other way than by default; raises as :func:`answers` does."""
    return frozenset(name for name, value in answers(database, asked).items() if value == database.switches[name].other)


def answers(database: Database, asked: Asked) -> dict[str, str]:
    """The name of each question that is answered, the default way or the other -> the value.

    Where a rule leaves two open, the value tells them apart. Raises :class:`InputError` for what there is not.
    """
    entries = asked.items() if isinstance(asked, Mapping) else [entry.partition("=")[::2] for entry in asked]
    chosen: dict[str, str] = {}
    for name, value in entries:
        switch, wanted = _switch(database, name.strip(), value.strip().lower())
        if chosen.setdefault(switch.name, wanted) != wanted:
            raise InputError("reading-twice", name=switch.name)
    return chosen


def _switch(database: Database, name: str, value: str) -> tuple[SwitchRow, str]:
    fitting = [s for s in database.switches.values() if name.lower() in (s.name, s.rule.lower())]
    if not fitting:
        raise InputError("unknown-reading", name=name or "-", candidates=list(database.switches))
    if not value and len(fitting) > 1:
        others = [f"{s.name}={s.other}" for s in fitting]
        raise InputError("unknown-reading", name=name, why="several", candidates=others)
    if not value:
        return fitting[0], fitting[0].other
    known = [s for s in fitting if value in (s.default, s.other)]
    if len(known) != 1:
        possible = [word for s in fitting for word in (s.default, s.other)]
        raise InputError("unknown-reading-value", name=name, value=value, candidates=possible)
    return known[0], value


def values_of(database: Database, readings: frozenset[str]) -> dict[str, str]:
    """The value of every question that is answered the other way."""
    return {name: switch.other for name, switch in database.switches.items() if name in readings}
