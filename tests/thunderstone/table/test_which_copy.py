"""Of several equal cards the right one is named, and none where they are all alike; what a choice does is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.seats import DUNGEON, at_table, attack, child, choose, use
from thunderref.cli.terminal import tell_move
from thunderref.database.read import Language, open_database
from thunderref.thunderstone.resolve.report import ChoiceTexts
from thunderref.thunderstone.rules.choices import Choice, Equip
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.table.record import Move

if TYPE_CHECKING:
    from support.command import Run

STORE = open_database()
FED = {
    "en": ["Iron Rations on the second Militia.", "Give Dagger to the second Militia."],
    "pl": ["Żelaznych racji dla drugiego Ochotnika.", "Daj Sztylet drugiemu Ochotnikowi."],
    "ru": ["Припасы для второго Ополченца.", "Дайте Кинжал второму Ополченцу."],
}


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_number_is_that_of_the_hero_who_gets_it(cli: Run, tmp_path: Path, lang: str) -> None:
    """There is one Dagger and one Iron Rations: the second copy is the hero's."""
    plan = [{"use": "iron-rations", "on": "militia#2"}, {"equip": "dagger", "to": "militia#2"}, {"attack": 1}]
    hand = ["militia", "militia", "militia", "dagger", "iron-rations", "torch"]
    file = tmp_path / "battle.json"
    file.write_text(json.dumps({"hand": hand, "hall": ["ghost", "griffon", None], "plan": plan}), "utf-8")
    out = " ".join(cli("resolve", "--file", str(file), "--lang", lang).out.split())
    for part in FED[lang]:
        assert part in out
    for card in ("dagger", "iron-rations"):
        assert Language(STORE, lang).card(card, 2) not in out


def lines(game: Game, position: Position, action: Choice) -> tuple[Position, list[str]]:
    """The game after an action, and what is told of it."""
    after, events = child(game, position, action)
    return after, [
        item["text"] for item in tell_move(Language(STORE, "en"), Move(position, 0, action, {}, events), ["Ann", "Bob"])
    ]


def labels(game: Game, position: Position, lang: str = "en") -> list[str]:
    return [
        o.label
        for o in ChoiceTexts(Language(STORE, lang), game, position, ["Ann", "Bob"]).options(
            legal_actions(game, position)
        )
    ]


def test_copies_are_numbered_only_where_they_differ() -> None:
    game, position = at_table("militia, militia, dagger, iron-rations", "torch")
    position, _ = lines(game, position, DUNGEON)
    alike, told_alike = lines(game, position, Equip(("dagger", 1), ("militia", 2)))
    assert told_alike == ["Dagger is equipped on Militia."]
    assert "Militia with Dagger" in " ".join(labels(game, lines(game, alike, use("iron-rations"))[0]))
    position, _ = lines(game, position, use("iron-rations"))
    position, fed = lines(game, position, choose("on", ("militia", 2)))
    assert fed == ["Iron Rations goes to Militia."]
    assert "Dagger → the second Militia" in labels(game, position), "the one who has eaten"
    _, now = lines(game, position, Equip(("dagger", 1), ("militia", 2)))
    assert now == ["Dagger is equipped on the second Militia."]


@pytest.mark.parametrize(
    ("monster", "said"),
    [
        ("haunt", {"en": "Elf Wizard cannot attack", "pl": "nie będzie atakować – ", "ru": "не атакует"}),
        ("red-jelly", {"en": "destroy ", "pl": "do usunięcia – ", "ru": "уничтожить "}),
    ],
)
def test_a_battle_effect_says_what_it_does_to_the_card(monster: str, said: dict[str, str]) -> None:
    hand = "elf-wizard, militia, dagger, short-sword"
    game, position = at_table(hand, "torch", hall=(monster, "griffon", "sphinx"))
    position, _ = lines(game, position, DUNGEON)
    position, _ = lines(game, position, attack(1))
    for lang, words in said.items():
        found = labels(game, position, lang)
        assert len(found) > 1
        assert [label for label in found if words in label], (lang, found)


def test_the_log_names_a_hero_as_the_list_did() -> None:
    """Haunt picks between one who is armed and one who is not; no number stood beside either."""
    game, position = at_table("militia, militia, dagger", "torch", hall=("haunt", "griffon", "sphinx"))
    position, _ = lines(game, position, DUNGEON)
    position, _ = lines(game, position, Equip(("dagger", 1), ("militia", 1)))
    position, _ = lines(game, position, attack(1))
    assert labels(game, position) == ["Militia with Dagger cannot attack", "Militia cannot attack"]
    _, said = lines(game, position, choose("pick", ("militia", 2)))
    assert said[0] == "Haunt keeps Militia from attacking."
