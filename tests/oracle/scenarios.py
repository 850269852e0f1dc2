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
    "selurin-magician", "selurin-warlock", "selurin-theurge",
)  # fmt: skip
WRATH_HEROES = (
    "blind-neophyte", "blind-monk", "blind-grandmaster", "diin-illusionist", "divine-healer", "divine-chaplain",
    "divine-prophet", "gangland-thug", "gangland-heavy", "gangland-crook", "gohlen-trapper", "gohlen-tracker",
    "runespawn-adept", "runespawn-siren", "runespawn-witch", "toryn-scrapper", "toryn-duelist", "clan-sergeant",
    "clan-commander", "clan-champion", "toryn-gladiator", "gohlen-hunter", "diin-enchanter",
    "diin-beguiler",
)  # fmt: skip
WEAPONS = ("dagger", "dagger", "hatchet", "short-sword", "polearm", "spear", "flaming-sword", "warhammer")
WRATH_WEAPONS = ("cursed-mace", "short-bow", "magi-staff", "claymore")
ITEMS = ("torch", "torch", "lantern", "lightstone-gem", "iron-rations", "iron-rations", "feast", "goodberries")
WRATH_ITEMS = ("ambrosia", "amulet-of-power")
SPELLS = ("fireball", "banish", "battle-fury", "arcane-energies", "magical-aura")
WRATH_SPELLS = ("magic-missile", "creeping-death", "foresight-elixir", "illusory-blade")
TROPHIES = ("the-unchained", "uyril-unending", "ebon-fume", "pegasus", "griffon", "sphinx", "red-jelly", "nixie")
WRATH_TROPHIES = ("fire-wrath", "steam-torment", "earth-wrath", "clay-golem", "clay-golem")
TRAPS = ("pit-trap", "poison-gas-trap", "the-cage", "blade-trap", "rolling-boulder", "delirium-poison")
VILLAGE = ["short-sword", "polearm", "cursed-mace", "thyrian-knight", "elf-wizard"]
OTHERS = ("disease", "disease", "disease", "trainer")
MONSTERS = {
    box: [c for c, fact in oracle.CARDS.items() if (fact["kind"], fact["set"]) == ("monster", box)]
    for box in ("base", "wrath")
}
MOVERS = ("banish", "elf-archmage", "thyrian-lord", "creeping-death", "magi-staff")


def hand_card(rng: random.Random, *, wrath: bool) -> str:
    """One card; heroes and things that help them are the most likely."""
    groups = [
        (30, FIGHTERS + (WRATH_HEROES if wrath else ())),
        (16, CASTERS + (WRATH_HEROES if wrath else ())),
        (20, WEAPONS + (WRATH_WEAPONS * 2 if wrath else ())),
        (16, ITEMS + (WRATH_ITEMS * 2 if wrath else ())),
        (9, SPELLS + (WRATH_SPELLS if wrath else ())),
        (7, TROPHIES + (WRATH_TROPHIES if wrath else ())),
        (8, OTHERS),
    ]
    group = rng.choices([cards for _, cards in groups], [weight for weight, _ in groups])[0]
    return rng.choice(group)


def monster(rng: random.Random, *, wrath: bool, not_these: tuple[str, ...] = ()) -> str:
    pool = MONSTERS["wrath"] + MONSTERS["wrath"] + MONSTERS["base"] if wrath else MONSTERS["base"]
    return rng.choice([card for card in pool if card not in oracle.NOT_COVERED and card not in not_these])


def scenario(seed: int, *, wrath: bool = False, size: tuple[int, int] = (2, 6)) -> dict[str, Any]:
    """A hand of 2 to 6 cards, a hall of 1 to 3 different monsters, perhaps known draws, both goals and rulesets.

    Where something in the hand moves monsters the hall is full and two refills are known, so that no unknown card has
    to be judged.
    """
    rng = random.Random(seed)
    hand = [hand_card(rng, wrath=wrath) for _ in range(rng.randint(*size))]
    deck = [hand_card(rng, wrath=wrath) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))]
    moving = any(card in MOVERS for card in (*hand, *deck))
    hall: list[str] = []
    while len(hall) < (3 if moving else rng.randint(1, 3)):
        found = monster(rng, wrath=wrath, not_these=tuple(hall))
        hall.append(found)
    dungeon = [monster(rng, wrath=wrath, not_these=tuple(hall)) for _ in range(2)] if moving else []
    if moving and rng.random() < 0.15:
        dungeon[0] = "stone-of-mystery"
    elif wrath and rng.random() < 0.25:
        dungeon = [rng.choice(TRAPS), *dungeon]
    document: dict[str, Any] = {
        "ruleset": rng.choice(("print", "print", "yucata")),
        "goal": rng.choice(("win", "max")),
        "hand": hand,
        "hall": hall,
    }
    if deck:
        document["deck"] = deck
    if dungeon:
        document["dungeon"] = dungeon
    if wrath and rng.random() < 0.2:
        document["rank0"] = [rng.choice(("dark-champion", "death-sentinel"))]
    if wrath and rng.random() < 0.5:
        document["village"] = VILLAGE
    return document


DRAWERS = ("regian-priest", "regian-bishop", "regian-cleric", "chalice-paladin", "arcane-energies", "magical-aura")
POOL = (
    "militia",
    "torch",
    "iron-rations",
    "dagger",
    "disease",
    "short-sword",
    "fireball",
    "battle-fury",
    "regian-cleric",
)


def question(seed: int) -> tuple[dict[str, Any], list[str]]:
    """A hand that draws, a hall of one or two monsters of the base set, and a deck of five to seven cards."""
    rng = random.Random(seed)
    hand = [rng.choice(DRAWERS), *(hand_card(rng, wrath=False) for _ in range(rng.randint(0, 2)))]
    hand = [card for card in hand if card not in MOVERS and card != "selurin-theurge"] + ["disease"] * rng.randint(0, 1)
    kinds = rng.sample(POOL, 3)
    deck = [rng.choice(kinds) for _ in range(rng.randint(5, 7))]
    hall = rng.sample(MONSTERS["base"], rng.randint(1, 2))
    return {"ruleset": rng.choice(("print", "yucata")), "hand": hand, "hall": hall}, deck
