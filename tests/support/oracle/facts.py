"""The printed figures, and what the texts of the cards come to, as plain tables."""

from __future__ import annotations

from typing import Any

from .. import ROOT, read_toml

CARDS: dict[str, dict[str, Any]] = {
    card["id"]: {**card, "set": path.parent.name}
    for path in sorted((ROOT / "db" / "boxes").glob("*/cards.toml"))
    for card in read_toml(path)["card"]
}

# What a monster card in the revealed hand gives: Attack, Magic Attack, Light.
TROPHIES = {
    "the-unchained": (0, 1, 0),
    "uyril-unending": (1, 0, 0),
    "tyxr-the-old": (0, 2, 0),
    "ebon-fume": (3, 0, 0),
    "pegasus": (1, 0, 0),
    "griffon": (0, 1, 0),
    "sphinx": (0, 2, 0),
    "red-jelly": (0, 0, 1),
    "fire-wrath": (0, 0, 1),
    "steam-torment": (1, 0, 0),
}
LIGHT_PENALTY = {"lord-mortis": 1, "darkness": 1, "knightmare": 2, "blink-dog": 1}
WEAKENS = {"suffering": 2, "judgement": 2, "the-prince": 2, "ghost": 2, "revenant": 4}
TORMENTS = ("smoke-torment", "lava-torment", "shadow-torment", "blood-torment")
INFECTS = {"the-unchained": 1, "deadbone-troll": 1, "famine": 1, "kingdom": 1, "suffering": 1, "lord-of-death": 2}
GOLEMS = {"bronze-golem": 4, "clay-golem": 5, "stone-golem": 6, "iron-golem": 7, "colossus": 8}
MAGIC_IMMUNE = ("ebon-fume", "colossus")
MAGIC_ONLY = ("sphinx", "smoke-torment", "shadow-torment")
MAGIC_HALVED = ("noxious-slag", "iron-golem")
MAGIC_NEEDED = ("archduke-of-pain", "revenant", "earth-wrath")
HALVED_WITHOUT_MAGIC = ("succubus", "uyril-unending", "ghost")

# Heroes with one plain number.
FROM_AFAR = {"amazon-archer": 2, "amazon-huntress": 3, "amazon-queen": 4}
EDGED_BONUS = {"dwarf-guardian": 3, "dwarf-janissary": 4, "dwarf-sentinel": 5}
ONE_MEAL = {"outlands-warrior": 3, "thyrian-squire": 2, "thyrian-knight": 2}
BURNS_LIGHT = {"blind-neophyte": 3, "blind-monk": 4}
CURES = {  # which of the dungeon effects turns a Disease into cards: number, cards drawn, may be repeated
    "chalice-quester": (1, 1, True),
    "chalice-defender": (3, 1, True),
    "regian-cleric": (1, 1, True),
    "regian-priest": (2, 1, True),
    "regian-bishop": (2, 2, True),
    "divine-healer": (1, 1, False),
    "divine-prophet": (1, 2, False),
}
DRAWS = {  # number of the effect, cards drawn
    "chalice-defender": (2, 1),
    "chalice-paladin": (1, 1),
    "regian-priest": (1, 1),
    "regian-bishop": (1, 2),
    "divine-chaplain": (2, 1),
    "runespawn-siren": (2, 1),
}
COUNTS_AT_BATTLE = (  # effect 1 is a promise that is read when the battle begins
    "chalice-defender",
    "outlands-slayer",
    "outlands-khan",
    "divine-chaplain",
    "gangland-crook",
    "gohlen-trapper",
    "gohlen-tracker",
    "clan-sergeant",
    "clan-commander",
    "clan-champion",
)
ONLY_OTHERS = {  # effects that do nothing to the owner or to what he knows: their number
    "lorigg-rogue": 1,
    "lorigg-outlaw": 1,
    "redblade-poisoner": 1,
    "redblade-assassin": 1,
    "gangland-heavy": 1,
    "runespawn-witch": 2,
}
STRENGTHENS_OTHERS = {"runespawn-adept": 2, "runespawn-siren": 3, "runespawn-witch": 4}
CLAN = {"clan-sergeant": 1, "clan-commander": 2, "clan-champion": 3}
NOT_COVERED = ("horde-placeholder",)
SPOILS = {  # who allows a purchase after a victory, and of what (R6.4); an empty word is any card
    "chalice-paladin": "",
    "dwarf-janissary": "weapon",
    "clan-champion": "weapon",
    "gray-ooze": "food",
}
STONES = ("stone-of-mystery", "stone-of-agony")
RANKS = 3


class NotCoveredError(Exception):
    """The oracle does not know this card or situation."""


def is_hero(name: str) -> bool:
    return CARDS[name]["kind"] == "hero" or "hero" in CARDS[name].get("types", [])


def is_monster(name: str) -> bool:
    """A monster or a guardian; a Thunderstone and an unknown card are none."""
    return name != "?" and CARDS[name]["kind"] in ("monster", "guardian")
