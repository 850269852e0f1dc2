"""What an answer says in one place does not contradict what it says in another."""

from __future__ import annotations

from typing import Any

import pytest

from support.scenarios import scenario
from support.several import several
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
    assert "at best 2 against Health 5, without " in headline(found.targets[1], WORDS)
    assert "at best" not in headline(found.targets[2], WORDS)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(0, several(15, 90), 3))
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
    (after, _) = (block for block in page.blocks if block.heading == WORDS.say("resolve.after"))
    texts = [line.text for line in after.lines]
    offer = next(n for n, text in enumerate(texts) if text.startswith("Spoils of Dwarf Janissary"))
    assert offer < texts.index("Dwarf Janissary goes back to its owner.")


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"hall": ["griffon"], "plan": [{"attack": 1}]}, "The plan does not beat Griffon, rank 1."),
        (
            {"hall": ["griffon", "nixie"], "plan": []},
            "After these steps no target is beaten; Nixie, rank 2, comes closest.",
        ),
        ({"hall": ["griffon", "nixie"]}, "No victory is possible; Nixie, rank 2, comes closest."),
        ({"hall": ["griffon", "nixie"], "target": 1}, "Griffon, rank 1, cannot be beaten."),
    ],
)
def test_the_verdict_says_no_more_than_was_judged(document: dict[str, Any], said: str) -> None:
    assert verdict(resolve({"hand": ["militia", "torch"]} | document), WORDS) == said


@pytest.mark.parametrize("deck", [["barkeep"], None])
@pytest.mark.parametrize("goal", ["win", "max"])
def test_a_disease_that_changes_nothing_is_destroyed_all_the_same(deck: list[str] | None, goal: str) -> None:
    """Contract, goal ``win``: a destroyed Disease is no loss. Cleric 1 - 2 for the light penalty is never below 0."""
    (target,) = resolve({"hand": ["regian-cleric", "disease"], "hall": ["griffon"], "deck": deck, "goal": goal}).targets
    assert (target.total, target.destroyed) == (0, ["disease"])


def test_nothing_is_called_impossible_beside_an_unknown_draw() -> None:
    found = resolve({"hand": ["regian-priest", "disease"], "hall": ["griffon", "nixie"]})
    if any(target.unknown_draws for target in found.targets):
        assert "possible" not in verdict(found, WORDS)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"rank0": ["dark-champion"]}, "No victory is possible; Griffon, rank 1, comes closest."),
        ({"dungeon": ["rolling-boulder"]}, "Griffon, rank 1, cannot be beaten."),
        ({"hand": ["regian-priest", "torch"]}, "No sure victory was found; "),
    ],
)
def test_what_comes_after_the_battle_leaves_nothing_open(more: dict[str, Any], said: str) -> None:
    """Only a card that the player draws could still win."""
    found = resolve({"hand": ["thyrian-knight", "torch"], "hall": ["griffon"]} | more, gaps=True)
    assert verdict(found, WORDS).startswith(said)


def test_a_draw_that_is_certain_to_win_is_no_defeat() -> None:
    """Griffon has Health 7: Militia 1, Cursed Mace 6; 1 with Outlands Khan's 7."""
    known = {"deck_list": ["cursed-mace", "outlands-khan"]}
    found = resolve({"hand": ["magical-aura", "militia", "torch"], "hall": ["griffon"]} | known, gaps=True)
    assert "Defeat without a draw" in headline(found.targets[0], WORDS)
    assert verdict(found, WORDS) == "Griffon, rank 1, is beaten for certain once Magical Aura draws."


def test_of_equally_near_targets_the_front_one_is_best() -> None:
    """Both are 6 short; to destroy the Disease is no loss, so the play shown comes as near to Horde 11."""
    hand = ["short-sword", "regian-priest", "militia", "disease"]
    found = resolve({"hand": hand, "hall": ["horde-11", "smoke-torment", "tormentor"]}, gaps=True)
    assert [target.missing and target.missing.short for target in found.targets[:2]] == [6, 6]
    assert found.best_monster == "horde-11"


def test_a_rank_without_a_card_is_empty_not_unknown() -> None:
    """R6.6: with an empty dungeon deck nothing comes."""
    document = {"hand": ["2 elf-wizard", "fireball"], "hall": ["griffon", "kingdom", "blink-dog"], "dungeon_size": 0}
    (target,) = resolve(document | {"target": 1}).targets
    assert (target.hall_after, target.empty_after) == (["kingdom", "blink-dog", None], [3])


def test_who_is_spared_is_not_destroyed_by_chance() -> None:
    """Ambrosia (R6.3): of five cards only Ambrosia and Torch can be destroyed."""
    hand = ["ambrosia", "thyrian-knight", "thyrian-lord", "outlands-khan", "torch"]
    (target,) = resolve({"hand": hand, "hall": ["thunder-wrath"]}).targets
    assert target.chance_loss is not None
    assert (target.chance_loss.certain, sorted(target.chance_loss.cards)) == (False, ["ambrosia", "torch"])


def test_no_spoils_of_the_fallen_rests_on_a_reading() -> None:
    hand = ["dwarf-janissary", "flaming-sword", "battle-fury", "torch", "torch"]
    assert resolve({"hand": hand, "hall": ["mythlurian"]}).targets[0].readings == ["R6.3", "R6.4"]


def test_the_second_of_two_stones_ends_the_game_before_a_trap() -> None:
    """R7.1, R9.1: the first stone leaves with the shift, the second comes with the next; no card is turned up."""
    hall, dungeon = ["kingdom", "stone-of-mystery", "stone-of-agony"], ["pit-trap", "nixie"]
    (target,) = resolve({"hand": ["thyrian-knight", "short-sword", "torch"], "hall": hall, "dungeon": dungeon}).targets
    assert target.game_ends
    assert (target.gained[-2:], target.destroyed) == (["stone-of-mystery", "stone-of-agony"], [])
