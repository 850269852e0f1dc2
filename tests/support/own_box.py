"""A small invented box of a user's own: what is judged, and what is not."""

from __future__ import annotations

from pathlib import Path

MARSH: dict[str, str] = {
    "box.toml": """format = 1
name = "Marsh of Lanterns"
year = 2024

[contents]
hero = 6
village = 16
monster = 10
trap = 2
disease = 3

[feature_deck]
question_marks = 1
pile = ["bog-traps"]

[[beside]]
id = "fevers"
cards = { disease = 10, bog-fever = 3 }
replaces = "disease"
needed_by = ["bog"]

[[beside]]
id = "leeches"
count = 12

[[family]]
id = "reed"
kind = "hero"

[[family]]
id = "bog"
kind = "monster"

[[family]]
id = "bog-traps"
kind = "trap"
""",
    "cards.toml": """attested = "printed"

[[card]]
id = "reed-cutter"
kind = "hero"
family = "reed"
level = 1
count = 6
types = ["fighter"]
cost = 5
strength = 4
level_cost = 2
attack = 1

[[card.effects]]
id = "dungeon"
timing = "dungeon"
do = [{ op = "bonus", stat = "attack", amount = 2, to = "self" }]

[[card]]
id = "reed-spear"
kind = "village"
count = 8
types = ["weapon", "edged"]
cost = 4
gold = 2
weight = 3
attack = 2
attested = "one"
judged = true

[[card]]
id = "will-o-wisp"
kind = "village"
count = 8
types = ["spell"]
cost = 5
gold = 1
light = 1

[[card]]
id = "bog-imp"
kind = "monster"
family = "bog"
count = 10
types = ["bog"]
gold = 1
vp = 1
health = 4
xp = 1
judged = true

[[card]]
id = "sinkhole"
kind = "trap"
family = "bog-traps"
count = 2
types = ["trap"]

[[card.effects]]
id = "trap"
timing = "trap"
do = [{ op = "swallow-party", amount = 1 }]

[[card]]
id = "bog-fever"
kind = "disease"
count = 3
types = ["disease"]
judged = false
""",
    "en.toml": """[cards]
reed-cutter = "Reed Cutter"
reed-spear = "Reed Spear"
will-o-wisp = { name = "Will-o'-Wisp", alias = ["marsh light"] }
bog-imp = "Bog Imp"
sinkhole = "Sinkhole"
bog-fever = "Bog Fever"

[families]
reed = "Reed"
bog = "Bog"
bog-traps = "Trap • Bog"

[beside]
fevers = "Fever deck"
leeches = "Leech tokens"

[texts]
"reed-cutter.dungeon" = "Attack +2."
"will-o-wisp.dungeon" = "Lead a monster astray."
"sinkhole.trap" = "The party sinks."
""",
    "pl.toml": """name = "Bagno Latarni"

[cards]
reed-cutter = { name = "Kosiarz Trzciny", official = false }
bog-imp = { name = "Bagienny Chochlik", official = false }

[texts]
"reed-cutter.dungeon" = "Atak +2."
""",
    "ru.toml": """name = "Болото фонарей"

[cards]
reed-cutter = { name = "Косарь камыша", official = false }
""",
}
"""The files of the box ``marsh``: its spell, its trap and its disease are not judged."""


def write_box(folder: Path, files: dict[str, str] = MARSH, box: str = "marsh") -> Path:
    """Writes the files of a box below a data folder, and returns the folder of the box."""
    place = folder / "thunderref" / "boxes" / box
    place.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return place
