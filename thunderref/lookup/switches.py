"""The open questions of the rules as switches: reading what a scenario or the command line asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thunderref.errors import InputError
from thunderref.store.read import Store, SwitchRow

Asked = Mapping[str, str] | Sequence[str]
"""``{name or rule: value}``, or entries ``name=value``; an entry without a value asks for the other reading."""


def other_readings(store: Store, asked: Asked) -> frozenset[str]:
    """The names of the questions answered the other way than by default; raises as :func:`answers` does."""
    return frozenset(name for name, value in answers(store, asked).items() if value == store.switches[name].other)


def answers(store: Store, asked: Asked) -> dict[str, str]:
    """The questions that are answered, the default way or the other, by the name of their switch.

    A question is named by its switch or by its rule; where a rule leaves two open, the value tells them apart. Raises
    :class:`InputError` for a question or a value that there is not.
    """
    entries = asked.items() if isinstance(asked, Mapping) else (_pair(entry) for entry in asked)
    chosen: dict[str, str] = {}
    for name, value in entries:
        switch, wanted = _switch(store, name.strip(), value.strip())
        if chosen.get(switch.name, wanted) != wanted:
            raise InputError("reading-twice", name=switch.name)
        chosen[switch.name] = wanted
    return chosen


def _pair(entry: str) -> tuple[str, str]:
    name, _, value = entry.partition("=")
    return name, value


def _switch(store: Store, name: str, value: str) -> tuple[SwitchRow, str]:
    word, value = name.lower(), value.lower()
    fitting = [s for s in store.switches.values() if word in (s.name, s.rule.lower())]
    if not fitting:
        raise InputError("unknown-reading", name=name or "-", candidates=list(store.switches))
    if not value:
        if len(fitting) > 1:
            raise InputError("unknown-reading", name=name, candidates=[s.name for s in fitting])
        return fitting[0], fitting[0].other
    known = [s for s in fitting if value in (s.default, s.other)]
    if len(known) != 1:
        possible = [word for s in fitting for word in (s.default, s.other)]
        raise InputError("unknown-reading-value", name=name, value=value, candidates=possible)
    return known[0], value


def values_of(store: Store, readings: frozenset[str]) -> dict[str, str]:
    """The value of every question that is answered the other way."""
    return {name: switch.other for name, switch in store.switches.items() if name in readings}
