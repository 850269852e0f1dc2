"""Two classes with numbered cards at one table, the Horde and another box's: each is counted and drawn for itself."""

from pathlib import Path

import pytest

from support.command import Run
from support.own_box import write_box
from support.systems import keep_in
from thunderref.database.read import open_database
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.resolve.start import all_cards
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import next_numbered
from thunderref.thunderstone.setup.setup import Setup, generate_setup

CARD = """
[[card]]
id = "pack-{health}"
kind = "monster"
family = "pack"
count = 1
types = ["pack"]
gold = 1
health = {health}
xp = 1

[[card.effects]]
id = "end-of-game"
timing = "end-of-game"
do = [{{ op = "vp-per-copy", most = 5 }}]
"""
PLACEHOLDER = """
[[card]]
id = "pack-mark"
kind = "monster"
family = "pack"
count = 10
types = ["pack"]
health = 0
xp = 0

[[card.effects]]
id = "reveal"
timing = "reveal"
do = [{ op = "from-horde-deck" }]
"""
NUMBERS = range(5, 15)
PACK = {
    "box.toml": 'format = 1\nname = "Wolves"\n\n[[family]]\nid = "pack"\nkind = "monster"\n',
    "cards.toml": 'attested = "printed"\n' + PLACEHOLDER + "".join(CARD.format(health=n) for n in NUMBERS),
    "en.toml": "[cards]\npack-mark = 'Pack (placeholder)'\n"
    + "".join(f"pack-{n} = 'Pack {n}'\n" for n in NUMBERS)
    + "\n[families]\npack = 'Pack'\n\n[texts]\n'pack-mark.reveal' = 'A numbered card enters.'\n"
    + "".join(f"'pack-{n}.end-of-game' = 'Worth 1 VP for each.'\n" for n in NUMBERS),
}
"""A judged class that is like the Horde, in a box of its own."""


@pytest.fixture(autouse=True)
def wolves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Run) -> None:
    keep_in(monkeypatch, tmp_path)
    write_box(tmp_path, PACK, "wolves")
    assert cli("box", "on", "wolves").status == 0


def pursuit(first: str, second: str, left: str) -> Setup:
    """The second game, with another class, of a pursuit that left placeholders of the first."""
    wishes = {"sets": ["base", "wrath", "wolves"], "seed": 4}
    game = generate_setup(variant="pursuit", require=[first], exclude=[second], **wishes)
    after = generate_setup(after=game.code, winner=1, left=[(left, 3)], seed=5)
    return generate_setup(code=after.code, reroll=["monsters"], require=[second], seed=3)


@pytest.mark.parametrize(
    ("first", "second", "left", "numbers"),
    [
        ("horde", "pack", "horde-placeholder", ["horde-10", "horde-11", "horde-12"]),
        ("pack", "horde", "wolves:pack-mark", ["wolves:pack-12", "wolves:pack-13", "wolves:pack-14"]),
    ],
)
def test_what_is_left_of_a_class_lies_beside_the_other(first: str, second: str, left: str, numbers: list[str]) -> None:
    made = pursuit(first, second, left).model_dump()
    stacks = [[card["id"] for card in stack["cards"]] for stack in made["stacks"] if stack["kind"] == "horde"]
    assert sorted(map(len, stacks)) == [3, 10]
    assert numbers in stacks
    (told,) = (step for step in made["steps"] if "For each placeholder" in step)
    assert f"“{first.title()}”" in told


def test_two_classes_left_are_refused_by_name() -> None:
    wishes = {"sets": ["base", "wrath", "wolves"], "require": ["horde", "pack"], "seed": 4}
    game = generate_setup(variant="pursuit", **wishes)
    told = "\n".join(generate_setup(after=game.code, winner=1, left=9, seed=5).model_dump()["steps"])
    assert told.count("lay as many of its numbered cards") == 2
    with pytest.raises(NoAnswerError) as refused:
        generate_setup(after=game.code, winner=1, left=[("horde-placeholder", 3)], seed=5)
    assert refused.value.code == "setup-two-hordes"


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_refusal_names_both(cli: Run, lang: str) -> None:
    words = (
        "--set",
        "base",
        "--set",
        "wrath",
        "--set",
        "wolves",
        "--require",
        "horde",
        "--require",
        "pack",
        "--seed",
        "4",
    )
    code = cli("setup", "--variant", "pursuit", *words, "--json").json["code"]
    refused = cli("setup", "--after", code, "--winner", "1", "--left", "3 horde placeholder", "--lang", lang)
    assert (refused.status, "Pack" in refused.err) == (1, True)
    assert any(name in refused.err for name in ("Horde", "Horda", "Орда"))


def test_each_class_is_counted_for_itself(cli: Run) -> None:
    deck = ", ".join(f"horde {n}" for n in range(3, 13)) + ", pack 5, pack 6"
    (player,) = cli("score", "--deck", f"Ann: {deck}", "--json").json["players"]
    assert player["vp"] == 10 * 5 + 2 * 2
    assert cli("resolve", "militia vs pack 7", "--deck", deck, "--json").status == 0  # twelve, but ten of a class
    refused = cli("resolve", "militia vs pack 7", "--deck", "horde 4", "--hordes", "3", "--json")
    assert refused.json["error"]["code"] == "hordes-number"


def test_a_placeholder_brings_a_card_of_its_class(cli: Run) -> None:
    cards = all_cards(open_database())
    waiting = ["horde-3", "wolves:pack-5", "horde-4"]
    game = Game(cards)
    assert next_numbered(game, cards["wolves:pack-mark"], waiting) == "wolves:pack-5"
    assert next_numbered(game, cards["horde-placeholder"], waiting) == "horde-3"
    assert next_numbered(game, cards["wolves:pack-mark"], waiting[:1]) is None
    refused = cli("resolve", "militia vs wolves:pack-mark", "--json").json["error"]
    assert {*refused["candidates"]} == {f"wolves:pack-{n}" for n in NUMBERS}
