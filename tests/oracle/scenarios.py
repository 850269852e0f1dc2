"""Random small scenarios, the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

import oracle

FIGHTERS = (
    "militia", "militia", "militia", "thyrian-squire", "thyrian-knight", "thyrian-lord", "outlands-warrior",
    "outlands-slayer", "outlands-khan", "redblade-killer", "redblade-assassin", "dwarf-guardian", "dwarf-janissary",
    "dwarf-sentinel", "amazon-archer", "amazon-huntress", "amazon-queen", "feayn-archer", "feayn-sniper",
    "lorigg-thief", "lorigg-rogue", "chalice-quester", "chalice-defender", "chalice-paladin",
)  # fmt: skip
CASTERS = (
    "elf-wizard", "elf-sorcerer", "elf-archmage", "regian-cleric", "regian-priest", "regian-bishop",
    "selurin-magician", "selurin-warlock",
)  # fmt: skip
WRATH_HEROES = (
    "blind-neophyte", "blind-monk", "blind-grandmaster", "diin-illusionist", "divine-healer", "divine-chaplain",
    "divine-prophet", "gangland-thug", "gangland-heavy", "gangland-crook", "gohlen-trapper", "gohlen-tracker",
    "runespawn-adept", "runespawn-siren", "runespawn-witch", "toryn-scrapper", "toryn-duelist", "clan-sergeant",
    "clan-commander", "clan-champion",
)  # fmt: skip
WEAPONS = ("dagger", "dagger", "hatchet", "short-sword", "polearm", "spear", "flaming-sword", "warhammer")
WRATH_WEAPONS = ("cursed-mace", "short-bow", "magi-staff", "claymore")
ITEMS = ("torch", "torch", "lantern", "lightstone-gem", "iron-rations", "iron-rations", "feast", "goodberries")
WRATH_ITEMS = ("ambrosia", "amulet-of-power")
SPELLS = ("fireball", "banish", "battle-fury", "arcane-energies", "magical-aura")
WRATH_SPELLS = ("magic-missile", "creeping-death")
TROPHIES = ("the-unchained", "uyril-unending", "ebon-fume", "pegasus", "griffon", "sphinx", "red-jelly", "nixie")
WRATH_TROPHIES = ("fire-wrath", "steam-torment", "earth-wrath")
OTHERS = ("disease", "disease", "disease", "trainer")
MONSTERS = tuple(
    card
    for card, fact in oracle.CARDS.items()
    if fact["kind"] == "monster" and fact["set"] == "base" and card not in oracle.NOT_COVERED
) if all("set" in fact for fact in oracle.CARDS.values()) else ()
