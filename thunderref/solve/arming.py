"""The ways to hand out the plain weapons, after everything else in preparation.

Attack, Magic Attack and Light of a weapon are never negative, and every later rule rises with them, so only the fullest
ways count. Where that is not so (Thunder Wrath's bar, weapons whose Attack is turned into Magic Attack against an
immune target) every way of handing them out is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.engine.hand import equipped
from thunderref.engine.party import party_of
from thunderref.engine.state import FORGONE, SPENT, Action, Ref, State, Table
from thunderref.model.effect import Convert
from thunderref.solve.moves import Line, alike
from thunderref.solve.surroundings import Surroundings, is_plain


def armings(table: Table, state: State, around: Surroundings) -> Iterator[tuple[State, Line]]:
    """The ways to hand out the plain weapons; only the fullest ones where more is never worse."""
    party = party_of(table, state)
    weapons = sorted(
        slot.ref for slot in state.hand if is_plain(party.spec(slot)) and not slot.flags & (SPENT | FORGONE)
    )
    if not weapons or not party.heroes:
        yield state, ()
        return
    every = around.weapon_bar or any(isinstance(given.operation, Convert) for given in party.given)
    many = {hero.ref for hero in party.heroes if party.holds_many(hero)}
    strengths = {hero.ref: party.strength(hero) for hero in party.heroes}
    weights = {ref: 0 if party.weightless else table.book[ref[0]].weight for ref in weapons}
    able = {ref: [hero for hero, strength in strengths.items() if strength >= weights[ref]] for ref in weapons}
    full = {hero.ref for hero in party.heroes if not party.hand_free(hero)}
    like = alike(state)
    seen: set[Any] = set()
    for pairs in _pairings(weapons, able, full, many, every):
        key = tuple(sorted((like[hero], weapon[0]) for weapon, hero in pairs))
        if len(set(like.values())) < len(like):  # equal heroes: tell apart only what differs
            key = _grouped(pairs, like)
        if key in seen:
            continue
        seen.add(key)
        armed = state
        for weapon, hero in pairs:
            armed = equipped(armed, weapon, hero)
        yield armed, tuple(Action("equip", weapon, hero) for weapon, hero in pairs)


def _grouped(pairs: tuple[tuple[Ref, Ref], ...], like: dict[Any, Any]) -> tuple[Any, ...]:
    """Who holds what, blind to which of several equal heroes it is."""
    held: dict[Ref, list[str]] = {}
    for weapon, hero in pairs:
        held.setdefault(hero, []).append(weapon[0])
    return tuple(sorted((like[hero], tuple(sorted(names))) for hero, names in held.items()))


def _pairings(
    weapons: list[Ref], able: dict[Ref, list[Ref]], full: set[Ref], many: set[Ref], every: bool
) -> Iterator[tuple[tuple[Ref, Ref], ...]]:
    """Every way to give weapons to heroes; with ``every`` False none that leaves a possible one out."""

    def give(place: int, busy: frozenset[Ref], pairs: tuple[tuple[Ref, Ref], ...]) -> Iterator[Any]:
        if place == len(weapons):
            taken = {weapon for weapon, _ in pairs}
            left = [w for w in weapons if w not in taken]
            if every or not any(hero not in busy for weapon in left for hero in able[weapon]):
                yield pairs
            return
        weapon = weapons[place]
        for hero in able[weapon]:
            if hero not in busy:
                now = busy if hero in many else busy | {hero}
                yield from give(place + 1, now, (*pairs, (weapon, hero)))
        yield from give(place + 1, busy, pairs)

    yield from give(0, frozenset(full), ())
