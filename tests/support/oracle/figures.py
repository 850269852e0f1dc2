"""Attack, Magic Attack, Light and the light penalty against one target (R5.3 to R5.11)."""

from __future__ import annotations

from .facts import CARDS, CLAN, EDGED_BONUS, FROM_AFAR, GOLEMS, LIGHT_PENALTY, TROPHIES, WEAKENS
from .position import Position, Slot


def health(p: Position, foe: Slot) -> int:
    sentinels = sum(1 for slot in p.rank0 if slot[0] == "death-sentinel" and slot[2] != foe[2])
    return int(CARDS[foe[0]]["health"]) - foe[1] + sentinels


class Party:
    """All that is fixed once a target is declared in a position, and what every card then gives."""

    def __init__(self, p: Position, foe: Slot, rank: int, ruleset: str, *, forgo: bool = True) -> None:
        self.p = p
        self.foe = foe[0]
        self.slot = foe
        self.rank = rank
        self.weaker = WEAKENS.get(self.foe, 0)
        self.ruleset = ruleset
        self.heroes = p.heroes()
        self.armed = {h for _, h in p.holds}
        # Against Air and Thunder Wrath every spell not used is forgone (``forgo``): else they could not be attacked.
        self.forgone = set(p.forgone)
        if forgo and self.foe in ("air-wrath", "thunder-wrath"):
            self.forgone |= {c for c in p.hand if "spell" in p.types(c)}
        self.able = [h for h in self.heroes if self.can_attack(h)]

    def can_attack(self, hero: int) -> bool:
        p = self.p
        if p.name(hero).startswith("feayn-") and self.rank == 1:
            return False
        if self.foe == "darkness" and hero not in self.armed:
            return False
        return not (self.foe in GOLEMS and p.strength(hero) < GOLEMS[self.foe])

    # one hero: his own Attack and Magic Attack with all that is given to him, no weapon

    def own(self, hero: int, attackers: list[int], immunities: bool) -> tuple[int, int]:
        p, name = self.p, self.p.name(hero)
        if immunities and self.foe == "fire-wrath" and hero not in self.armed:
            return 0, 0
        used = (hero, 1) in p.used - p.unsure
        attack = p.figure(hero, "attack") + sum(n for h, n in p.attack if h == hero) + p.all_attack
        if not (immunities and self.foe == "fire-wrath"):
            attack += p.fury
        magic = p.figure(hero, "magic_attack") + sum(n for h, n in p.magic if h == hero)
        if name in FROM_AFAR and self.rank in (2, 3):
            attack += FROM_AFAR[name]
        if name in EDGED_BONUS and any("edged" in p.types(w) for w in p.weapons_of(hero)):
            attack += EDGED_BONUS[name]
        if name == "chalice-defender" and used:
            attack += sum(1 for c in p.hand if "item" in p.types(c) and p.figure(c, "light"))
        if name == "outlands-slayer" and used:
            attack += len(p.monsters())
        if name == "outlands-khan" and used:
            attack += 2 * len(p.monsters())
        if name == "divine-chaplain" and used:
            attack += len(p.monsters()) + self.diseases()
        if name == "gangland-crook" and used and sum(p.figure(c, "gold") for c in p.hand) >= 5:
            attack += 4
        if name == "gohlen-trapper" and used and p.monsters():
            attack += 2
        if name == "gohlen-tracker" and used and p.monsters():
            attack += 3
        if name == "blind-grandmaster" and not any({"item", "light"} <= set(p.types(c)) for c in p.hand):
            magic += 3
        if name == "selurin-magician":
            magic += sum(1 for c in p.hand if "item" in p.types(c))
            magic += sum(1 for c in p.hand if "spell" in p.types(c) and self.spell(c, immunities) > 0)
        if name.startswith("militia"):
            attack += sum(1 for h in attackers if p.name(h) == "thyrian-knight")
        if "fighter" not in p.types(hero):
            attack += 2 * sum(1 for h in attackers if p.name(h) == "thyrian-lord")
        if hero in self.armed:
            attack += sum(CLAN.get(p.name(h), 0) for h, effect in p.used if effect == 1 and h != hero)
        return attack, magic

    def weapon(self, weapon: int, hero: int, strength: int, immunities: bool) -> tuple[int, int]:
        p, name = self.p, self.p.name(weapon)
        if immunities and self.foe == "noxious-slag" and "edged" in p.types(weapon):
            return 0, 0
        attack, magic = p.figure(weapon, "attack"), p.figure(weapon, "magic_attack")
        if name == "polearm" and strength >= 8:
            attack = 6
        foe_types = CARDS[self.foe]["types"]
        if name == "warhammer" and "cleric" in p.types(hero) and ("undead" in foe_types or "doomknight" in foe_types):
            attack += 3
        if name == "spear" and weapon in p.thrown:
            attack += 3
        if name == "short-bow" and self.rank in (2, 3):
            attack += 5 if (weapon, 1) in p.used and "archer" in p.types(hero) else 3
        return attack, magic

    def keeps(self, weapon: int, strength: int) -> bool:
        return weapon in self.p.thrown or self.p.aura or self.p.figure(weapon, "weight") <= strength

    def spell(self, card: int, immunities: bool) -> int:
        """Magic Attack of a spell in this battle."""
        if card in self.forgone or (immunities and self.foe == "fire-wrath"):
            return 0
        if self.p.name(card) == "magic-missile":
            return 4 if self.rank == 1 else 0
        return self.p.figure(card, "magic_attack")

    def converted(self, hero: int) -> bool:
        return hero in self.p.berries or (self.p.arcane and hero in self.armed)

    def sums(self, attackers: list[int], weaker: int, battle: bool, losses: dict[int, str]) -> tuple[int, int]:
        """Attack and Magic Attack of the party. ``battle``: with the target's immunities and battle effects."""
        p = self.p
        attack = magic = 0
        for hero in attackers:
            a, m = self.own(hero, attackers, battle)
            if battle and self.foe == "grayskin-lizard" and hero in self.armed:
                a += 1
            if losses.get(hero) == "attack":
                a -= 1
            if losses.get(hero) == "magic_attack":
                m -= 1
            for weapon in p.weapons_of(hero):
                strength = p.strength(hero) - weaker
                if self.keeps(weapon, strength):
                    more = self.weapon(weapon, hero, strength, battle)
                    a, m = a + more[0], m + more[1]
            if self.converted(hero):
                a, m = 0, m + a
            attack, magic = attack + a, magic + m
        for card in p.hand:
            if "spell" in p.types(card):
                magic += self.spell(card, battle)
            trophy = TROPHIES.get(p.name(card), (0, 0, 0))
            attack, magic = attack + trophy[0], magic + trophy[1]
        return attack, magic

    def light(self, attackers: list[int], weaker: int) -> int:
        p = self.p
        light = 0
        for hero in attackers:
            light += p.figure(hero, "light")
            for weapon in p.weapons_of(hero):
                if self.keeps(weapon, p.strength(hero) - weaker):
                    light += p.figure(weapon, "light")
        for card in p.hand:
            if card not in self.forgone and ("item" in p.types(card) or "spell" in p.types(card)):
                light += p.figure(card, "light")
            light += TROPHIES.get(p.name(card), (0, 0, 0))[2]
        return light

    def penalty(self, attackers: list[int], light: int) -> int:
        if self.rank == 0 or any(self.p.name(h) == "blind-grandmaster" for h in attackers):
            return 0
        dark = self.rank + LIGHT_PENALTY.get(self.foe, 0)
        return dark if self.foe == "water-wrath" else max(0, dark - light)

    def diseases(self) -> int:
        return sum(1 for c in self.p.hand if self.p.name(c).startswith("disease"))
