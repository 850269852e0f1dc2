"""What the bot ``lookahead`` learnt from games; ``tests/bench/learn.py`` makes it."""

from types import MappingProxyType

from thunderref.thunderstone.bots.valuation import Weights

LEARNT = Weights(
    power=0.136, draw=1.18, gold=0.745, light=1.72, strength=0.12, place=1.31, vp=1.2, xp=0.462, lost=0.667,
    rested=0.855, copies=1.1, balance=0.45,
    cards=MappingProxyType({
        "amazon-archer": -0.22, "amazon-huntress": 0.18, "ambrosia": 0.28, "amulet-of-power": -0.13,
        "arcane-energies": -0.29, "banish": -0.21, "barkeep": -0.43, "battle-fury": -0.12, "blacksmith": -0.34,
        "blind-grandmaster": -0.11, "blind-monk": 0.2, "chalice-defender": -0.11, "chalice-paladin": 0.05,
        "claymore": 0.07, "creeping-death": -0.25, "cursed-mace": -0.12, "diin-beguiler": -0.06,
        "diin-illusionist": -0.13, "divine-chaplain": 0.17, "divine-healer": -0.13, "divine-prophet": -0.15,
        "dwarf-janissary": 0.23, "dwarf-sentinel": 0.18, "elf-archmage": 0.05, "elf-sorcerer": 0.06, "elf-wizard": 0.42,
        "feast": 0.49, "feayn-marksman": 0.12, "fireball": 0.45, "flaming-sword": 0.22, "foresight-elixir": 0.24,
        "gangland-heavy": -0.16, "gangland-thug": -0.16, "gohlen-hunter": -0.14, "gohlen-tracker": -0.06,
        "gohlen-trapper": 0.21, "goodberries": -0.44, "hatchet": -0.12, "illusory-blade": -0.59, "iron-rations": 0.43,
        "lightstone-gem": 0.12, "lorigg-rogue": -0.14, "lorigg-thief": 0.14, "magi-staff": -0.18,
        "magic-missile": -0.13, "magical-aura": -0.07, "militia": -0.53, "outlands-slayer": -0.14,
        "outlands-warrior": 0.42, "pawnbroker": -0.09, "polearm": -0.14, "redblade-killer": 0.12,
        "redblade-poisoner": 0.05, "regian-bishop": 0.15, "regian-priest": -0.06, "runespawn-adept": 0.18,
        "runespawn-siren": 0.16, "runespawn-witch": 0.07, "sage": 0.2, "selurin-magician": 0.5,
        "selurin-theurge": -0.07, "selurin-warlock": 0.3, "short-bow": 0.1, "short-sword": 0.27, "spear": 0.13,
        "tavern-brawl": 0.07, "tax-collector": -0.18, "thyrian-knight": 0.05, "thyrian-lord": 0.06,
        "thyrian-squire": 0.18, "torch": 0.4, "toryn-duelist": 0.13, "toryn-gladiator": 0.09, "town-guard": -0.4,
        "trainer": -0.28, "warhammer": -0.32,
    }),
)  # fmt: skip
