"""The battle itself: who may be attacked, every choice there is in it, the outcome (R5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from .changes import replace
from .facts import (
    CARDS,
    HALVED_WITHOUT_MAGIC,
    MAGIC_HALVED,
    MAGIC_IMMUNE,
    MAGIC_NEEDED,
    MAGIC_ONLY,
    is_hero,
)
from .figures import Party, health
from .position import Said
from .village import Right

Worth = tuple[int, ...]


@dataclass
class Battle:
    """One way the battle can go, with the numbers of R5."""

    monster: str
    rank: int
    health: int
    attack: int
    magic_attack: int
    light: int
    light_penalty: int
    total: int
    victory: bool
    destroyed: list[str] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)
    gained: list[str] = field(default_factory=list)
    prey: int = 0  # VP of the monsters taken besides the target
    choices: dict[str, Any] = field(default_factory=dict)
    attackers: list[int] = field(default_factory=list)
    dead: frozenset[int] = frozenset()
    conjured: tuple[str, ...] = ()  # destroyed, and never the player's, so no loss (contract: goals)
    xp: int = 0
    vp: int = 0
    rights: tuple[Right, ...] = ()
    hall_after: list[str | None] = field(default_factory=list)
    rank0_after: list[str] = field(default_factory=list)
    caged: list[str] = field(default_factory=list)
    unknown_draws: int = 0
    game_ends: bool = False
    said: tuple[Said, ...] = ()  # choices after the outcome

    @property
    def margin(self) -> int:
        return self.total - self.health

    @property
    def outcome(self) -> str:
        return "victory" if self.victory else "defeat"

    def worth(self, goal: str) -> Worth:
        lost = [name for name in self.destroyed if name != "disease"]
        for name in self.conjured:
            if name in lost:
                lost.remove(name)
        vp = sum(CARDS[name].get("vp") or 0 for name in lost)
        cost = sum(CARDS[name].get("cost") or 0 for name in lost)
        win = (int(self.victory), -vp, -cost, -len(lost), -self.gained.count("disease"), self.prey, self.margin)
        return (self.total, *win) if goal == "max" else win


class Fight(Party):
    """One target, and every way to fight it."""

    def barred(self) -> bool:
        if self.foe == "blink-dog":
            return self.penalty(self.able, self.light(self.able, 0)) > 0
        if self.foe in ("air-wrath", "thunder-wrath"):
            if self.p.shown or any("spell" in self.p.types(c) for c, _ in self.p.used):
                return True
            spells = [c for c in self.p.hand if "spell" in self.p.types(c) and c not in self.forgone]
            if any(self.spell(c, False) or self.p.figure(c, "light") for c in spells):
                return True
        return self.foe == "thunder-wrath" and self.p.armed

    def disease_choices(self) -> list[tuple[str, ...]]:
        attack, magic = self.sums(self.able, 0, False, {})
        ways: list[tuple[str, ...]] = []

        def place(left: int, a: int, m: int, so_far: tuple[str, ...]) -> None:
            if not left:
                ways.append(so_far)
                return
            always = self.ruleset == "yucata"
            if a >= 1 or always:
                place(left - 1, a - 1, m, (*so_far, "attack"))
            if m >= 1 or always:
                place(left - 1, a, m - 1, (*so_far, "magic_attack"))
            if a < 1 and m < 1 and not always:
                ways.append(so_far)

        place(self.diseases(), attack, magic, ())
        return ways

    def judgement_choices(self, attackers: list[int]) -> list[dict[int, str]]:
        if self.foe != "judgement":
            return [{}]
        per_hero: list[list[tuple[int, str]]] = []
        for hero in attackers:
            a, m = self.own(hero, attackers, True)
            options = [(hero, "attack")] * (a >= 1) + [(hero, "magic_attack")] * (m >= 1)
            if options:
                per_hero.append(options)
        return [dict(choice) for choice in product(*per_hero)]

    def victims(self, attackers: list[int], weaker: int) -> list[tuple[frozenset[int], int | None]]:
        """Every possible set of cards that the battle destroys, and which of them was picked."""
        p = self.p

        def one(fits: Callable[[int], bool]) -> list[tuple[frozenset[int], int | None]]:
            found = [c for c in sorted(p.hand) if fits(c)]
            return [(frozenset({c}), c) for c in found] or [(frozenset(), None)]

        def every(fits: Callable[[int], bool]) -> list[tuple[frozenset[int], int | None]]:
            return [(frozenset(c for c in p.hand if fits(c)), None)]

        def of(kind: str) -> Callable[[int], bool]:
            return lambda c: kind in p.types(c)

        def hero(c: int) -> bool:
            return is_hero(p.name(c))

        foe = self.foe
        nobody: list[tuple[frozenset[int], int | None]] = [(frozenset(), None)]
        if foe == "tormentor":
            ways = one(of("cleric"))
        elif foe == "archduke-of-pain":
            ways = every(lambda c: "cleric" in p.types(c) or "wizard" in p.types(c))
        elif foe in ("the-prince", "knightmare"):
            ways = one(of("fighter"))
        elif foe in ("skaladak", "red-jelly"):
            ways = one(of("weapon"))
        elif foe in ("mythlurian", "tyxr-the-old"):
            ways = one(hero)
        elif foe in ("uyril-unending", "black-slime", "spectre", "wraith"):
            ways = one(of("militia"))
        elif foe == "ebon-fume":
            strongest = max((p.strength(h) for h in self.heroes), default=0)
            ways = one(lambda c: hero(c) and p.strength(c) == strongest)
        elif foe == "green-blob":
            ways = one(of("food"))
        elif foe == "gray-ooze":
            ways = nobody if p.holds else one(hero)
        elif foe == "harbinger":
            ways = one(of("spell"))
        elif foe == "blood-torment":
            ways = one(lambda c: c in p.monsters())
        elif foe == "revenant":
            ways = every(lambda c: hero(c) and p.strength(c) - weaker <= 0)
        elif foe == "water-wrath":
            ways = every(lambda c: hero(c) and c not in self.armed and not self.magical(c, attackers))
        else:
            ways = nobody
        if self.ruleset == "yucata":
            faint = frozenset(h for h in self.heroes if p.strength(h) - weaker <= 0)
            ways = [(way | faint, pick) for way, pick in ways]
        return ways

    def magical(self, hero: int, attackers: list[int]) -> bool:
        a, m = self.own(hero, attackers, True)
        return (m + a if self.converted(hero) else m) >= 1

    def ways(self) -> Iterator[Battle]:
        """Every way the player can lead this battle."""
        weaker = self.weaker
        haunted: list[int | None] = list(self.able) if self.foe == "haunt" and self.able else [None]
        for picked in haunted:
            attackers = [h for h in self.able if h != picked]
            for losses in self.judgement_choices(attackers):
                for disease in self.disease_choices():
                    figures = self.figures(attackers, weaker, losses, disease)
                    for dead, choice in self.victims(attackers, weaker):
                        choices = {"disease": disease, "haunt": picked, "destroy": choice, "losses": losses}
                        yield replace(figures, choices=choices, attackers=attackers, dead=dead)

    def figures(self, attackers: list[int], weaker: int, losses: dict[int, str], disease: tuple[str, ...]) -> Battle:
        attack, magic = self.sums(attackers, weaker, True, losses)
        attack -= disease.count("attack")
        magic -= disease.count("magic_attack")
        if self.foe in MAGIC_IMMUNE:
            magic = 0
        for hero in attackers:
            if self.p.name(hero) in ("selurin-warlock", "selurin-theurge") and magic > 0:
                magic *= 2
        if self.foe in MAGIC_HALVED and magic > 0:
            magic //= 2
        if self.foe in MAGIC_ONLY:
            attack = 0
        light = self.light(attackers, weaker)
        penalty = self.penalty(attackers, light)
        total = max(0, attack + magic - 2 * penalty)
        elemental = any("elemental" in self.p.types(c) for c in self.p.monsters())
        if (
            (self.foe in HALVED_WITHOUT_MAGIC and magic < 1)
            or (self.foe == "tormentor" and not self.p.holds)
            or (self.foe == "earth-wrath" and not elemental)
        ):
            total //= 2
        need = health(self.p, self.slot)
        victory = total >= need and not (self.foe in MAGIC_NEEDED and magic < 1)
        return Battle(self.foe, self.rank, need, attack, magic, light, penalty, total, victory)
