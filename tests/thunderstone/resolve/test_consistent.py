"""What an answer says in one place does not contradict what it says in another."""

from __future__ import annotations

from typing import Any

import pytest

from support.scenarios import scenario
from thunderref.database.read import Language, open_database
from thunderref.pages.battle_page import battle_pages, headline, spoils, verdict
from thunderref.thunderstone.resolve.judge import resolve

WORDS = Language(open_database(), "en")
SPARING = {"hand": ["dwarf-janissary", "selurin-theurge"], "hall": ["iron-golem", "water-wrath", "horde-4"]}
LENT: dict[str, Any] = {
    "hand": ["selurin-theurge", "militia", "3 torch", "outlands-khan"],
    "hall": ["nixie", "griffon", "pegasus"],
    "others": [["dwarf-janissary", "torch"]],
    "village": ["dagger"],
}
BORROWS = [{"use": "selurin-theurge", "discard": "militia", "borrow-from": [2, "dwarf-janissary"]}, {"attack": 1}]


def test_the_closest_target_falls_short_by_the_least() -> None:
    """Water Wrath: 0 if nothing is destroyed, 5 short; at best 2, 3 short. Horde 4 is 4 short at best."""
    found = resolve(SPARING, gaps=True)
    assert found.best_monster == "water-wrath"
    assert "5 short with this play, 3 short at best" in headline(found.targets[1], WORDS)
    assert "at best" not in headline(found.targets[2], WORDS)


@pytest.mark.parametrize("seed", range(0, 90, 3))
def test_no_target_comes_closer_than_the_closest(seed: int) -> None:
    found = resolve(scenario(seed, wrath=seed % 2 == 0) | {"goal": "win"}, gaps=True)
    lost = [each for each in found.targets if each.margin is not None]
    if not lost or any(each.outcome == "victory" for each in lost):
        return
    short = {
        each.rank: -each.margin if each.missing is None or each.missing.short is None else each.missing.short
        for each in lost
        if each.margin is not None
    }
    assert short[found.best or 0] == min(short.values())


@pytest.mark.parametrize(
    ("owned", "worth"), [([], 1), (["horde-3"], 2), (["horde-3", "horde-6", "horde-7", "horde-8", "horde-9"], 5)]
)
def test_a_horde_card_is_worth_as_many_as_are_then_owned(owned: list[str], worth: int) -> None:
    """R7.2: at most 5 each; so it beats a Nixie (1 VP) once another is owned."""
    found = resolve({"hand": ["outlands-khan", "fireball", "2 lantern", *owned], "hall": ["nixie", "horde-5"]})
    assert [(each.outcome, each.vp) for each in found.targets] == [("victory", 1), ("victory", worth)]
    assert f"({worth} VP" in headline(found.targets[1], WORDS)
    assert found.best == (2 if worth > 1 else 1)


def test_a_horde_card_not_beaten_is_worth_something_too() -> None:
    (target,) = resolve({"hand": ["torch"], "hall": ["horde-12"]}).targets
    assert (target.vp, target.worth) == (0, 1)
    assert "(1 VP" in headline(target, WORDS)


def test_an_offer_is_gone_once_something_was_bought_for_it() -> None:
    """R6.4: one purchase for Dwarf Janissary; and the borrowed hero goes back after it."""
    plan = [*BORROWS, {"buy": "dagger"}]
    (bought,) = resolve(LENT | {"plan": plan}).targets
    assert [each.bought for each in bought.spoils] == ["dagger"]
    assert not list(spoils(bought, WORDS))
    texts = [step.text for step in bought.steps if step.part == "after"]
    assert texts.index("Buy Dagger with the spoils of Dwarf Janissary.") < texts.index(
        "Dwarf Janissary goes back to its owner."
    )


def test_an_offer_stands_before_who_goes_back() -> None:
    found = resolve(LENT | {"plan": BORROWS})
    (page,) = battle_pages(found, found.targets, WORDS)
    texts = [line.text for line in page.blocks[-2].lines]
    offer = next(n for n, text in enumerate(texts) if text.startswith("Spoils of Dwarf Janissary"))
    assert offer < texts.index("Dwarf Janissary goes back to its owner.")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"hall": ["griffon"], "plan": [{"attack": 1}]}, "The plan does not beat Griffon, rank 1."),
        (
            {"hall": ["griffon", "nixie"], "plan": []},
            "After these steps no target is beaten; nearest: Nixie, rank 2.",
        ),
        ({"hall": ["griffon", "nixie"]}, "No victory is possible; Nixie, rank 2, comes closest."),
        ({"hall": ["griffon", "nixie"], "target": 1}, "Griffon, rank 1, cannot be beaten."),
    ],
)
def test_the_verdict_says_no_more_than_was_judged(document: dict[str, Any], said: str) -> None:
    assert verdict(resolve({"hand": ["militia", "torch"]} | document), WORDS) == said


def test_nothing_is_called_impossible_beside_an_unknown_draw() -> None:
    found = resolve({"hand": ["regian-priest", "disease"], "hall": ["griffon", "nixie"]})
    if any(target.unknown_draws for target in found.targets):
        assert "possible" not in verdict(found, WORDS)
