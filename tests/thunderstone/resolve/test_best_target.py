"""Which target is best: VP, then XP, then what it costs, then the margin; without a victory the smallest shortfall."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.thunderstone.resolve.judge import resolve

HAND = ["thyrian-knight", "elf-sorcerer", "militia", "short-sword", "lightstone-gem", "torch"]
WEAK = ["militia", "militia", "torch"]


@pytest.mark.parametrize(
    ("hall", "best", "decided_by", "by"),
    [
        (["blink-dog", "griffon"], 2, "worth", 2),  # 2 VP or 4 VP
        (["griffon", "blink-dog"], 1, "worth", 2),
        (["kingdom", "gray-ooze"], 2, "xp", 1),  # 3 VP; 1 XP or 2 XP
        (["black-slime", "pegasus"], 2, "number", 1),  # 2 VP, 1 XP; the slime destroys a Militia, worth and cost 0
        (["red-jelly", "pegasus"], 1, "xp", 1),  # the jelly destroys a card, but XP come first
        (["haunt", "grudgebeast"], 2, "margin", 2),  # 2 VP, 1 XP, nothing lost
        (["the-prince", "deadbone-troll"], 2, "cost", 9),  # 5 VP, 2 XP; the prince destroys Thyrian Knight
    ],
)
def test_the_dearest_victory_is_best(hall: list[str], best: int, decided_by: str, by: int) -> None:
    """What decides is named where the other target is asked for; its line may be the safer one."""
    for goal in ("win", "max"):
        found = resolve({"hand": HAND, "hall": hall, "goal": goal, "why_not": [{"attack": 3 - best}]})
        assert {target.outcome for target in found.targets} == {"victory"}
        assert (found.best, found.best_monster) == (best, hall[best - 1])
        (why,) = found.why_not
        assert (why.verdict, why.targets[0].decided_by) == ("worse", decided_by)
        if goal == "win":
            assert why.targets[0].by == by


def test_a_victory_is_better_than_the_dearer_monster_not_beaten() -> None:
    found = resolve({"hand": HAND, "hall": ["ebon-fume", "nixie"], "why_not": [{"attack": 1}]})
    assert [(target.outcome, target.vp) for target in found.targets] == [("defeat", 0), ("victory", 1)]
    assert (found.best, found.why_not[0].targets[0].decided_by) == (2, "victory")


@pytest.mark.parametrize(("goal", "best"), [("win", 2), ("max", 1)])
def test_without_a_victory(goal: str, best: int) -> None:
    """Lord of Death falls short by 7, Suffering with its light penalty only by 6, but the total is lower."""
    found = resolve({"hand": WEAK, "hall": ["lord-of-death", "suffering"], "goal": goal})
    assert [(target.total, target.margin) for target in found.targets] == [(2, -7), (0, -6)]
    assert found.best == best


def test_the_front_one_of_equals_and_nothing_of_barred_ones() -> None:
    scenario: dict[str, Any] = {"hand": [*HAND, "lightstone-gem"], "hall": ["griffon", "griffon", None]}
    found = resolve(scenario | {"why_not": [{"attack": 2}]})
    assert found.best == 1
    (comparison,) = found.why_not[0].targets
    assert (comparison.verdict, comparison.rank, comparison.best_rank) == ("equal", 2, 1)
    assert resolve({"hand": ["militia"], "hall": ["blink-dog"]}).best is None


@pytest.mark.parametrize(
    ("scenario", "total", "destroyed"),
    [
        ({"hand": ["runespawn-siren"], "deck": ["elf-archmage", "elf-archmage"], "hall": ["griffon"]}, 7, []),
        ({"hand": ["divine-chaplain"], "deck": ["elf-archmage", "elf-archmage"], "hall": ["griffon"]}, 6, []),
        ({"hand": ["runespawn-witch", "regian-priest"], "hall": ["ebon-fume"]}, 0, ["regian-priest"]),
    ],
)
def test_each_effect_of_a_card_with_two_is_weighed_by_itself(
    scenario: dict[str, Any], total: int, destroyed: list[str]
) -> None:
    """One adds to something and can wait, the other one draws: it must be tried first, or no Archmage ever comes.

    What the Witch's first effect gives the Priest settles which of the two Ebon Fume destroys; her second one, where
    hands are unknown, is not worth a try.
    """
    target = resolve(scenario).targets[0]
    assert (target.total, target.destroyed) == (total, destroyed)


@pytest.mark.parametrize(
    ("monster", "armed"),
    [("nixie", False), ("griffon", True)],  # Outlands Khan's 7 beats Health 5; Squire and Mace reach 8 for Health 7
)
def test_no_disease_is_gained_without_need(monster: str, armed: bool) -> None:
    """Cursed Mace brings a Disease: it is given out only where the battle is lost without it (contract, goal win)."""
    hero = ["thyrian-squire", "iron-rations"] if armed else ["outlands-khan"]
    (target,) = resolve({"hand": [*hero, "cursed-mace", "torch"], "hall": [monster]}).targets
    assert (target.outcome, "disease" in target.gained) == ("victory", armed)


def test_why_a_line_with_a_disease_is_worse() -> None:
    play = {"equip": "cursed-mace", "to": "outlands-khan"}
    found = resolve({"hand": ["outlands-khan", "cursed-mace", "torch"], "hall": ["nixie"], "why_not": [play]})
    (why,) = found.why_not
    assert (why.targets[0].decided_by, why.targets[0].by) == ("diseases", 1)


def test_a_free_hunt_is_taken() -> None:
    """Hunter 4 and Militia 1 beat Nixie; used, the Hunter takes the Griffon, too, at no loss."""
    hunt = {"hand": ["gohlen-hunter", "horde-4", "torch", "militia"], "hall": ["nixie", "pegasus"]}
    (target,) = resolve({**hunt, "target": 1, "others": [["griffon", "militia"]]}).targets
    assert (target.outcome, target.gained, target.gained_vp) == ("victory", ["nixie", "griffon"], 5)
    (alone,) = resolve({**hunt, "target": 1, "others": [["torch", "militia"]]}).targets
    assert (alone.outcome, alone.gained) == ("victory", ["nixie"])


def test_claymore_takes_a_monster_along() -> None:
    """R6.5: the hall is refilled after the victory, and Nixie is worth 1 VP."""
    claymore = {"hand": ["outlands-khan", "claymore", "torch"], "hall": ["griffon", "nixie"]}
    griffon = resolve(claymore).targets[0]
    assert griffon.gained == ["nixie", "griffon"] or griffon.gained == ["griffon", "nixie"]
    none = resolve({**claymore, "hall": ["griffon", "sphinx"]}).targets[0]
    assert none.gained == ["griffon"]


def test_best_counts_what_comes_with_the_monster() -> None:
    """A fourth Horde card adds 1 VP to each of the other three: 7 in all; a Thunderstone is taken (R7.1, R7.2)."""
    hordes = {"hand": ["outlands-khan", "horde-3", "horde-4", "horde-5", "2 torch"], "hall": ["griffon", "horde-6"]}
    found = resolve(hordes)
    assert [target.gained_vp for target in found.targets if target.outcome == "victory"][-1] == 7
    assert found.best_monster == "horde-6"
    stone = resolve({"hand": ["outlands-khan", "3 torch"], "hall": ["nixie", "stone-of-mystery", "griffon"]})
    assert [target.gained_vp for target in stone.targets] == [4, 4]
