"""Who may hold which weapon (R4.3, R4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .changes import replace
from .position import Position


def equipping(p: Position, weapon: int) -> Iterator[tuple[dict[str, Any], Position]]:
    if "weapon" not in p.types(weapon) or weapon in p.spent or any(w == weapon for w, _ in p.holds):
        return
    for hero in p.heroes():
        if p.weapons_of(hero) and not p.name(hero).startswith("toryn-"):
            continue
        if not p.aura and p.figure(weapon, "weight") > p.strength(hero):
            continue
        q = replace(p, holds=p.holds | {(weapon, hero)}, armed=True)
        if p.name(weapon) == "cursed-mace":
            q = replace(q, gained=(*q.gained, "disease"))
        yield {"equip": weapon, "to": hero}, q
