"""Random set-ups over four boxes, one of them a user's, against the files of the boxes."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boxes.adjudicator import Boxes, faults
from support import ROOT
from support.command import Run
from support.own_box import write_box
from support.several import several
from support.systems import keep_in

FOLDERS = [*(ROOT / "db" / "boxes" / box for box in ("base", "wrath", "promo")), ROOT / "thunderref/boxes/doomgate"]
TRIED, CHUNK = several(30, 500), 10
VARIANTS = ("normal", "normal", "normal", "epic", "solo", "marauding", "crossing", "pursuit", "odyssey")
WISHES = ("horde", "swarm", "sidhe", "bog", "bog-traps", "reed", "ulbrick", "guardian", "evil druid", "will-o-wisp")
pytestmark = pytest.mark.thorough


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Run) -> Boxes:
    """The boxes, those that are no part of the game switched on."""
    keep_in(monkeypatch, tmp_path)
    folder = write_box(tmp_path)
    for box in ("marsh", "doomgate"):
        assert cli("box", "on", box).status == 0
    return Boxes([*FOLDERS, folder])


def random_words(chance: random.Random) -> list[str]:
    """Options of ``setup`` as somebody with four boxes might combine them."""
    sets = chance.sample(["base", "wrath", "promo", "doomgate", "marsh"], chance.randrange(1, 6))
    words = [word for box in sets for word in ("--set", box)]
    variant = chance.choice(VARIANTS)
    words += ["--seed", str(chance.randrange(10**6)), "--variant", variant]
    words += ["--players", "1" if variant == "solo" else str(chance.randrange(2, 6))]
    words += ["--level", chance.choice(("normal", "fighter", "nightmare"))] if variant == "solo" else []
    if chance.random() < 0.5:
        words += ["--require", chance.choice(WISHES)]
    return words


def test_what_is_printed_on_the_boxes_is_in_their_files(boxes: Boxes) -> None:
    assert [*boxes.miscounted()] == []


@pytest.mark.parametrize("number", range(-(-TRIED // CHUNK)))
def test_set_ups_of_four_boxes_are_what_their_files_say(number: int, boxes: Boxes, cli: Run) -> None:
    chance, made = random.Random(number), 0
    while made < CHUNK:
        words = random_words(chance)
        document = cli("setup", *words, "--json").json
        if "error" in document:
            assert document["error"]["code"].startswith("setup-"), (words, document)
            continue
        assert [*faults(document, boxes)] == [], words
        again = cli("setup", "--code", document["code"], "--json").json
        assert [*faults(again, boxes)] == [], words
        made += 1


SPOILT: dict[str, Callable[[dict[str, Any]], object]] = {
    "a card too few": lambda made: made["dungeon"]["layers"][0]["cards"].pop(),
    "a class twice": lambda made: made["monsters"].append(made["monsters"][0]),
    "no numbered cards": lambda made: made["stacks"].remove(next(s for s in made["stacks"] if s["kind"] == "horde")),
    "no special deck": lambda made: made["stacks"].remove(next(s for s in made["stacks"] if s["kind"] == "beside")),
    "no tokens on the sheet": lambda made: made["steps"].clear(),
    "another box": lambda made: made["sets"].remove("doomgate"),
    "a shorter stack": lambda made: next(s for s in made["stacks"] if s["kind"] == "hero")["cards"].pop(),
    "a stack under no box": lambda made: made["boxes"].pop(),
}


@pytest.mark.parametrize("name", SPOILT)
def test_the_adjudicator_finds_what_is_wrong(name: str, boxes: Boxes, cli: Run) -> None:
    words = [word for box in ("base", "doomgate", "marsh") for word in ("--set", box)]
    made = cli("setup", *words, "--require", "swarm", "--require", "bog", "--seed", "1", "--json").json
    assert [*faults(made, boxes)] == []
    SPOILT[name](made)
    assert [*faults(made, boxes)]


def test_the_adjudicator_is_a_script(cli: Run) -> None:
    made = "".join(cli("setup", "--seed", str(seed), "--json").out for seed in range(2))
    told = subprocess.run(
        [sys.executable, ROOT / "tests" / "boxes" / "adjudicator.py", *FOLDERS[:2]],
        input=made, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout == "no faults\n"
