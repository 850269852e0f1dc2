"""The next games of a campaign, their decks and their points."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.rules.scoring import game_points
from thunderref.thunderstone.setup.setup import Setup, generate_setup


def first(variant: str, **options: Any) -> Setup:
    return generate_setup(**({"variant": variant, "seed": 4, "players": 3} | options))


def refusal(**options: Any) -> str:
    with pytest.raises(NoAnswerError) as caught:
        generate_setup(**options)
    return caught.value.code


def decks(setup: Setup) -> dict[str, tuple[dict[str, int], int]]:
    document = setup.model_dump()
    return {d["who"]: ({c["id"]: c["count"] for c in d["cards"]}, d["heroes"]) for d in document["player_decks"]}


def test_the_example_of_the_odyssey() -> None:
    assert game_points([31, 28, 12], winner=1) == [3, 1, 0]
    assert game_points([20, 20, 5], winner=2) == [2, 3, 0]
    assert game_points([10, 40, 20, 30, 5], winner=2) == [1, 5, 2, 3, 0]


def test_crossing() -> None:
    one = first("crossing")
    two = generate_setup(after=one.code, winner=2, seed=5)
    assert two.content.stones == one.table.aside
    cards, heroes = decks(two)["winner"]
    assert sum(cards.values()) == 13
    assert cards[one.content.stones[0]] == 1
    assert heroes == 0
    assert sum(decks(two)["others"][0].values()) == 12
    assert any("Player 2" in line for line in two.model_dump()["steps"])
    three = generate_setup(after=two.code, winner=1, seed=6)
    assert three.content.stones == one.content.stones
    assert refusal(after=two.code, winner=2) == "setup-campaign-over"


def test_pursuit_carries_the_rest_of_the_dungeon_on() -> None:
    one = first("pursuit", require=["trap-dire", "dark-champion", "enchanted"])
    left = [("blink-dog", 2), ("the-cage", 1)]
    two = generate_setup(after=one.code, winner=1, left=left, seed=5, require=["trap-death"])
    assert not set(two.content.classes) & set(one.content.classes)
    assert two.content.features.traps == ("trap-death",)
    assert two.content.features.guardians == ()
    layers = two.model_dump()["dungeon"]["layers"]
    assert [layer["size"] for layer in layers] == [26, 3, 11]
    assert layers[1]["cards"] == [{"id": "blink-dog", "count": 2}, {"id": "the-cage", "count": 1}]
    assert layers[2]["with"] == list(one.table.aside)
    counted = generate_setup(after=one.code, winner=1, left=3, seed=5, require=["trap-death"])
    assert replace(counted.content, later=two.content.later) == two.content
    assert generate_setup(code=two.code).content.later == two.content.later
    assert sum(layer["size"] for layer in layers) == two.model_dump()["dungeon"]["size"]


def test_only_cards_of_the_last_dungeon_can_be_left() -> None:
    one = first("pursuit", require=["enchanted"], exclude=["ooze"])
    assert refusal(after=one.code, winner=1, left=[("gray-ooze", 1)]) == "setup-not-left"
    assert refusal(after=one.code, winner=1, left=[("blink-dog", 3)]) == "setup-not-left"


def test_odyssey() -> None:
    one = first("odyssey")
    two = generate_setup(after=one.code, scores=[12, 31, 28], seed=5)
    document = two.model_dump()
    assert not set(two.content.heroes) & set(one.content.heroes)
    assert document["after"] == {"winner": 2, "left": 0, "scores": [12, 31, 28], "game_points": [0, 3, 1]}
    assert any("1: 0, 2: 3, 3: 1" in line for line in document["warnings"])
    winner, others = decks(two)["winner"], decks(two)["others"]
    assert (sum(winner[0].values()) + winner[1], sum(others[0].values()) + others[1]) == (14, 14)
    assert (winner[1], others[1]) == (1, 2)
    assert refusal(after=two.code, winner=1) == "setup-odyssey-over"


def test_a_later_game_keeps_what_the_campaign_began_with() -> None:
    one = generate_setup(variant="crossing", seed=4, players=4, monsters=5, balanced=True)
    two = generate_setup(after=one.code, winner=4, seed=1).content
    assert (two.players, len(two.classes), two.balanced, two.variant) == (4, 5, True, "crossing")


def test_a_code_of_a_later_game_reproduces_it() -> None:
    two = generate_setup(after=first("crossing").code, winner=3, seed=5)
    assert generate_setup(code=two.code).model_dump() == two.model_dump()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"winner": 4}, "setup-bad-winner"),
        ({"winner": 0}, "setup-bad-winner"),
        ({}, "setup-needs-winner"),
        ({"scores": [3, 3, 1]}, "setup-needs-winner"),
        ({"scores": [3, 2]}, "setup-scores"),
        ({"scores": [3, 2, 1], "winner": 2}, "setup-bad-winner"),
        ({"winner": 1, "left": 5}, "setup-no-left"),
        ({"winner": 1, "players": 2}, "setup-after-options"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], code: str) -> None:
    assert refusal(after=first("crossing").code, **options) == code


def test_other_setups_have_no_next_game() -> None:
    assert refusal(after=generate_setup(seed=1).code, winner=1) == "setup-no-campaign"
    assert refusal(after=first("pursuit").code, winner=1, left=64) == "setup-too-many-left"
    assert refusal(after="ABCDEFG", winner=1) == "bad-code"
