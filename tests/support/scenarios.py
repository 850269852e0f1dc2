"""Random small scenarios, the same for the same seed."""

from __future__ import annotations

import random
from typing import Any

from . import oracle
from .boxes import possible

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
    return possible(document)


GUARDIANS = ("dark-champion", "death-sentinel")
STONES = ("stone-of-mystery", "stone-of-agony")
TURN_HAND = {  # cards that make something of what follows the battle, and how often one of them is put into the hand
    "elf-sorcerer": 3, "chalice-paladin": 3, "dwarf-janissary": 2, "clan-champion": 1, "claymore": 3,
    "foresight-elixir": 2, "feayn-sniper": 1, "banish": 2, "elf-archmage": 1, "magi-staff": 1, "thyrian-lord": 1,
    "ambrosia": 1, "outlands-khan": 2, "fireball": 2, "lightstone-gem": 1,
}  # fmt: skip
STRONG = ("outlands-khan", "thyrian-lord", "selurin-theurge", "fireball", "lightstone-gem", "flaming-sword")
SHOP = (
    "short-sword", "dagger", "flaming-sword", "iron-rations", "feast", "torch", "fireball", "banish", "militia",
    "thyrian-squire", "thyrian-knight", "elf-wizard", "elf-sorcerer", "lorigg-thief", "claymore", "goodberries",
)  # fmt: skip


def known_dungeon(rng: random.Random, standing: list[str], *, wrath: bool) -> list[str]:
    """Up to five cards on top of the dungeon deck: monsters, traps, a guardian, a Horde card, a Thunderstone."""
    cards: list[str] = []
    stones = any(card in STONES for card in standing)
    for _ in range(rng.choice((0, 1, 2, 2, 3, 3, 4, 5))):
        kind = rng.choices(
            ("monster", "trap", "guardian", "horde", "stone"), (10, 5, 1, 1, 1) if wrath else (9, 0, 0, 0, 1)
        )
        there = (*standing, *cards)
        if kind == ["trap"]:
            cards.append(rng.choice(TRAPS))
        elif kind == ["horde"]:
            cards.append(rng.choice(("horde-placeholder", "horde-3", "horde-6")))
        elif kind == ["guardian"] and not set(GUARDIANS) <= set(there):
            cards.append(rng.choice([card for card in GUARDIANS if card not in there]))
        elif kind == ["stone"] and not stones:
            cards.append(rng.choice(STONES[: 1 + wrath]))
            stones = True
        else:
            cards.append(monster(rng, wrath=wrath, not_these=there))
    return cards


def whole_turn(seed: int) -> dict[str, Any]:
    """A turn of which all that may follow the battle is known as well: dungeon, deck, village, players, rank 0."""
    rng = random.Random(f"turn {seed}")
    wrath = rng.random() < 0.75
    hand = [hand_card(rng, wrath=wrath) for _ in range(rng.randint(1, 5))]
    hand.append(rng.choice(STRONG))
    if rng.random() < 0.6:
        names, weights = list(TURN_HAND), list(TURN_HAND.values())
        hand += [card for card in rng.choices(names, weights) if wrath or oracle.CARDS[card]["set"] == "base"]
    deck = [hand_card(rng, wrath=wrath) for _ in range(rng.choice((0, 0, 1, 2, 3, 6)))]
    hall: list[str] = []
    for rank in range(1, rng.choice((2, 3, 3, 3, 3)) + 1):
        if rank > 1 and rng.random() < 0.12 and not any(card in STONES for card in hall):
            hall.append(rng.choice(STONES[: 1 + wrath]))
        elif rank > 1 and wrath and rng.random() < 0.12:
            hall.append(rng.choice([card for card in GUARDIANS if card not in hall]))
        elif wrath and rng.random() < 0.08:
            hall.append(rng.choice(("horde-3", "horde-4", "horde-7")))
        else:
            hall.append(monster(rng, wrath=wrath, not_these=tuple(hall)))
    rank0 = [card for card in GUARDIANS if wrath and card not in hall and rng.random() < 0.15]
    document: dict[str, Any] = {
        "ruleset": rng.choice(("print", "print", "yucata")),
        "goal": rng.choice(("win", "win", "max")),
        "hand": hand,
        "hall": hall,
        "rank0": rank0,
        "deck": deck,
        "dungeon": known_dungeon(rng, [*hall, *rank0], wrath=wrath),
        "players": rng.randint(1, 5),
    }
    if rng.random() < 0.8:
        document["village"] = rng.sample(SHOP, rng.randint(0, 6))
    if wrath and rng.random() < 0.5:
        themed(rng, document)
    if rng.random() < 0.12:
        document["others"] = [[hand_card(rng, wrath=wrath) for _ in range(2)] for _ in range(rng.randint(1, 2))]
        document["hand"].append(rng.choice(ASK_OTHERS[: None if wrath else 4]))
    return possible(document)


ASK_OTHERS = (
    "lorigg-rogue", "redblade-assassin", "selurin-theurge", "selurin-theurge",
    "runespawn-witch", "toryn-gladiator", "gohlen-hunter", "gangland-heavy",
)  # fmt: skip
THEMES: tuple[dict[str, tuple[str, ...]], ...] = (
    {  # what a breach finds on the deck, and what may be saved from it
        "hand": ("elf-sorcerer", "fireball", "fireball"), "deck": ("militia", "thyrian-squire", "thyrian-knight"),
        "hall": ("sphinx", "lava-torment"), "dungeon": ("shadow-torment", "smoke-torment", "blood-torment"),
    },
    {  # monsters of one name
        "hand": ("banish", "outlands-khan", "creeping-death"), "deck": ("torch",),
        "hall": ("nixie", "nixie", "horde-3"), "dungeon": ("nixie", "tyxr-the-old", "griffon"),
    },
    {  # cards that are lent, and what becomes of them
        "hand": ("selurin-theurge", "toryn-gladiator", "claymore", "militia", "ambrosia"), "deck": ("dagger",),
        "hall": ("mythlurian", "nixie", "pegasus"), "dungeon": ("the-cage", "blade-trap", "griffon"),
    },
    {  # guardians, there and on their way
        "hand": ("outlands-khan", "outlands-khan", "claymore", "fireball"), "deck": (),
        "hall": ("nixie", "dark-champion", "stone-of-mystery"), "dungeon": ("grudgebeast", "pit-trap", "nixie"),
    },
    {  # nobody leaves
        "hand": ("banish", "elf-archmage", "magi-staff", "outlands-khan"), "deck": ("torch", "militia"),
        "hall": ("nixie", "steam-torment", "fire-wrath"), "dungeon": ("tyxr-the-old", "griffon", "nixie"),
    },
    {  # heroes and weapons out of the village
        "hand": ("diin-enchanter", "illusory-blade", "militia", "chalice-paladin", "ambrosia"), "deck": (),
        "hall": ("skaladak", "mythlurian", "haunt"), "dungeon": ("blade-trap", "nixie"),
    },
    {  # many copies, some of them something else
        "hand": ("diin-beguiler", "militia", "militia", "militia", "dagger", "dagger", "dwarf-janissary"), "deck": (),
        "hall": ("black-slime", "judgement", "haunt"), "dungeon": ("pit-trap", "the-cage", "poison-gas-trap"),
    },
    {  # the Cage before the battle, and the hero who comes back
        "hand": ("elf-archmage", "banish", "militia", "thyrian-lord", "iron-rations"), "deck": ("torch",),
        "hall": ("nixie", "griknack-goblin", "pegasus"), "dungeon": ("the-cage", "the-cage", "grudgebeast"),
    },
    {  # the stone within reach
        "hand": ("claymore", "outlands-khan", "elf-sorcerer", "fireball"), "deck": (),
        "hall": ("griffon", "nixie", "stone-of-mystery"), "dungeon": ("pegasus", "blade-trap", "nixie"),
    },
    {  # spells that are forgone, and those that ward off traps
        "hand": ("foresight-elixir", "elf-archmage", "outlands-khan", "fireball"), "deck": ("torch", "dagger"),
        "hall": ("air-wrath", "nixie", "thunder-wrath"), "dungeon": ("pit-trap", "air-wrath", "the-cage"),
    },
    {  # too weak to hold, to attack, to live
        "hand": ("militia", "cursed-mace", "iron-rations", "selurin-magician", "amulet-of-power"), "deck": (),
        "hall": ("revenant", "ghost", "iron-golem"), "dungeon": ("blade-trap", "judgement"),
    },
)  # fmt: skip


FAMILIES = ("elf-wizard", "elf-sorcerer", "elf-archmage", "thyrian-squire", "thyrian-knight", "thyrian-lord")
RARE = (*FAMILIES[1::3], *FAMILIES[2::3])
"""Few copies of each are all there are."""
WARES = ("short-sword", "claymore", "spear", "feast", "torch", "dagger", "militia", "banish", "iron-rations")
BUYERS = ("chalice-paladin", "chalice-paladin", "dwarf-janissary", "clan-champion")
TAKERS = ("diin-enchanter", "diin-enchanter", "illusory-blade", "illusory-blade", "banish")


def stocked(seed: int, *, decks: bool = True) -> dict[str, Any]:
    """A turn with counted copies on offer, cards that take or buy them, and decks that come to their end."""
    rng = random.Random(f"stocks {seed}")
    document = whole_turn(rng.randrange(10**9))
    offers = [*rng.sample(FAMILIES, rng.randint(1, 3)), *rng.sample(WARES, rng.randint(1, 3))]
    counts = {card: rng.randint(1, 3 - 2 * (oracle.CARDS[card].get("level") == 3)) for card in offers}
    document["village"] = [f"{counts[card]} {card}" if rng.random() < 0.8 else card for card in offers]
    hand = document["hand"][: rng.randint(1, 3)]
    if rng.random() < 0.5:
        hand += [rng.choice(BUYERS), "outlands-khan", rng.choice(("torch", "feast", "griffon"))]
    if rng.random() < 0.5:
        hand += [rng.choice(TAKERS), "militia"]
    if rng.random() < 0.2:
        document["hall"][1:2] = ["archduke-of-pain"]
        document["dungeon"] = [card for card in document["dungeon"] if card != "archduke-of-pain"]
    if decks:
        hand += rng.choices((*DRAWERS, "disease"), k=rng.randint(0, 1))
        shorten(rng, document)
    document = possible({**document, "hand": hand})
    there = {*document["hand"], *document["deck"], *(card for hand in document.get("others", ()) for card in hand)}
    document["village"] = [offer for offer in document["village"] if offer.split()[-1] not in there & {*RARE}]
    return document


VILLAGERS = (
    "barkeep", "blacksmith", "divine-chaplain", "divine-healer", "divine-prophet", "gangland-heavy", "gangland-thug",
    "pawnbroker", "sage", "tavern-brawl", "tax-collector", "town-guard", "trainer",
)  # fmt: skip
PURSE = (
    "militia",
    "militia",
    "torch",
    "dagger",
    "disease",
    "griffon",
    "lorigg-thief",
    "elf-wizard",
    "feast",
    "thyrian-squire",
)


def errand(seed: int) -> dict[str, Any]:
    """A visit to the village: villagers, gold, XP, counted stacks, a deck that may come to its end."""
    rng = random.Random(f"errand {seed}")
    hand = [*rng.choices(VILLAGERS, k=rng.randint(1, 3)), *rng.choices(PURSE, k=rng.randint(1, 4))]
    ranks = (*FAMILIES, "lorigg-rogue", "divine-chaplain", "divine-prophet", "gangland-heavy")
    offers = [*rng.sample(ranks, rng.randint(0, 4)), *rng.sample((*WARES, "barkeep", "goodberries"), rng.randint(1, 4))]
    few = {card: rng.randint(1, 2) for card in offers}
    document: dict[str, Any] = {
        "hand": hand,
        "deck": rng.choices((*PURSE, *VILLAGERS[:4]), k=rng.choice((0, 1, 2, 3))),
        "xp": rng.randint(0, 7),
        "players": rng.randint(1, 5),
        "stacks": [f"{few[card]} {card}" if rng.random() < 0.7 else card for card in offers],
        "goal": rng.choice(("gold", "buy", "vp", "xp")),
    }
    if rng.random() < 0.5:
        document["opponents"] = {
            "brawl_hero": rng.choice(("militia", "elf-wizard")),
            "discarded_gold": rng.randint(0, 4),
        }
    shorten(rng, document)
    document.pop("dungeon_size", None)
    document = possible(document)
    there = {*document["hand"], *document["deck"]}
    return document | {"stacks": [offer for offer in document["stacks"] if offer.split()[-1] not in there & {*RARE}]}


def varied(seed: int) -> dict[str, Any]:
    """A turn of an epic, a solo or a marauding game; perhaps with a hero in the Cage."""
    rng = random.Random(f"variant {seed}")
    document = whole_turn(rng.randrange(10**9))
    variant = document["variant"] = rng.choice(("epic", "solo", "marauding"))
    if variant == "solo":
        movers = {*MOVERS, "claymore", "elf-sorcerer"}
        for key in ("hand", "deck", "village"):
            document[key] = [card for card in document.get(key, ()) if card not in movers] or ["militia"]
        document |= {"players": 1, "others": []}
    if variant == "marauding":
        document |= {"players": max(2, document["players"])}
        document["tokens"] = rng.randint(0, document["players"])
    if rng.random() < 0.3:
        document["caged"] = [rng.choice(("militia", "thyrian-squire", "elf-wizard"))]
    return possible(document)


def shorten(rng: random.Random, document: dict[str, Any]) -> None:
    """The deck ends after a card or two, the dungeon deck perhaps too (R2.2)."""
    plain = ("militia", "torch", "dagger", "feast", "disease", "fireball", "short-sword")
    known = document["deck"] = document["deck"][: rng.randint(0, 2)]
    kind = rng.random()
    if kind < 0.5:
        document["deck_list"] = rng.choices(plain[: rng.choice((1, 2, 7))], k=rng.randint(0, 3))
    elif kind < 0.8:
        document["deck_size"] = len(known) + rng.randint(0, 2)
    document["discard"] = rng.choices(plain[: rng.choice((1, 7))], k=rng.randint(0, 3))
    if rng.random() < 0.5:
        document["dungeon_size"] = len(document.get("dungeon", ())) + rng.choice((0, 0, 1))


def themed(rng: random.Random, document: dict[str, Any]) -> None:
    """Puts some cards that have to do with each other into the turn, where they push others out."""
    theme = rng.choice(THEMES)
    wanted = rng.sample(theme["hand"], rng.randint(2, min(4, len(theme["hand"]))))
    document["hand"] = [*wanted, *rng.sample(document["hand"], min(2, len(document["hand"])))]
    document["deck"] = [*rng.sample(theme["deck"], len(theme["deck"])), *document["deck"][:1]]
    hall = list(theme["hall"])
    if "stone-of-mystery" not in hall and "dark-champion" not in hall:
        rng.shuffle(hall)
    document["hall"] = hall
    dungeon = rng.sample(theme["dungeon"], rng.randint(1, len(theme["dungeon"])))
    document["dungeon"] = [*dungeon, *document["dungeon"][:1]]
    there = {*document["hall"], *document["dungeon"]}
    document["rank0"] = [card for card in document["rank0"] if card not in there]


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
    document = possible({"ruleset": rng.choice(("print", "yucata")), "hand": hand, "deck": deck, "hall": hall})
    return document, document.pop("deck")
