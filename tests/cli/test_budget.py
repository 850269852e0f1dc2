"""A search that is out of time says how far it came, what it has, and that this is not proven."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from thunderref.budget import Budget
from thunderref.database.read import Language, open_database
from thunderref.pages.battle_page import target_page
from thunderref.thunderstone.resolve.judge import resolve

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
HARD = [
    "resolve",
    "2 banish, selurin theurge, 2 goodberries, 2 iron rations, thyrian lord, elf archmage, spear, polearm, "
    "short sword, diin beguiler, militia, 2 disease, regian bishop",
    "--hall", "blink dog, griffon, uyril", "--dungeon", "kingdom, suffering",
    "--deck", "torch, militia, disease, fireball",
]  # fmt: skip

SCENARIO: dict[str, Any] = {
    "hand": HARD[1].split(", "), "hall": HARD[3].split(", "), "dungeon": HARD[5].split(", "),
    "deck": HARD[7].split(", "),
}  # fmt: skip
CHOICES = ["polearm on elf archmage", "use selurin theurge", "spear on thyrian lord"]


class Clock:
    """Goes on by a thousandth of a second whenever somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("thunderref.budget.monotonic", found)
    return found


@pytest.mark.parametrize("seconds", [0.1, 0.3, 1.0])
def test_every_part_keeps_to_its_share(clock: Clock, seconds: float) -> None:
    """Time that goes on with every state searched: all of it is used, none is used twice."""
    result = resolve(SCENARIO, gaps=True, budget=Budget(seconds))
    assert 0.7 * seconds < clock.now <= seconds * 1.1
    assert not any(target.proven for target in result.targets)
    assert all(target.searched and target.searched > 0 for target in result.targets)


@pytest.mark.parametrize("seconds", [0.3, 1.0])
def test_every_choice_has_its_share(clock: Clock, seconds: float) -> None:
    result = resolve({**SCENARIO, "why_not": CHOICES}, gaps=True, budget=Budget(seconds))
    assert 0.7 * seconds < clock.now <= seconds * 1.1
    for why in result.why_not:
        assert (why.proven, why.verdict != "illegal") == (False, True)
        assert why.searched is not None
        assert why.searched > 20 * seconds


@pytest.mark.usefixtures("clock")
def test_there_is_always_an_answer() -> None:
    """However little time: what an attack comes to with nothing more done, not that none is possible."""
    budget = Budget(0.000_001)
    result = resolve({**SCENARIO, "why_not": ["spear on thyrian lord"]}, gaps=True, budget=budget)
    assert [(target.outcome, target.proven) for target in result.targets] == [("victory", False)] * 3
    (why,) = result.why_not
    assert not why.proven
    assert all(comparison.choice.total for comparison in why.targets)


def test_a_budget_is_shared_by_what_is_missing(clock: Clock) -> None:
    """The search for the best line is over soon; what would help is looked for until the time is up, then told."""
    scenario = {"hand": ["militia", "banish", "regian-bishop", "dagger"], "hall": ["kingdom", "uyril", "lord mortis"]}
    whole = resolve(scenario, gaps=True, budget=Budget())
    assert all(target.proven and target.missing for target in whole.targets)
    clock.now = 0
    cut = resolve(scenario, gaps=True, budget=Budget(0.12))
    assert clock.now <= 0.12 * 1.1
    assert [target.line for target in cut.targets] == [target.line for target in whole.targets]
    assert all(target.missing_proven for target in whole.targets)
    unproven = [target for target in cut.targets if target.proven and not target.missing_proven]
    assert unproven
    for lang in LANGUAGES:
        words = Language(open_database(), lang)
        for target in (*unproven, *whole.targets):
            lines = [line.text for block in target_page(target, words).blocks for line in block.lines]
            assert (words.say("missing.unproven") in lines) is (target in unproven)


def test_the_time_before_the_search_does_not_count(clock: Clock) -> None:
    budget = Budget(1.0)
    clock.now += 60
    assert all(target.proven for target in resolve({"hand": ["2 militia"], "hall": ["griffon"]}, budget=budget).targets)


@pytest.mark.usefixtures("clock")
def test_an_interrupt_ends_everything() -> None:
    """Ctrl-C in the midst of the search: what there is by then is told, and nothing more is begun."""

    def pressed(message: str, n: int, most: int | None = None) -> None:
        if n == 50:
            raise KeyboardInterrupt

    result = resolve({**SCENARIO, "why_not": CHOICES}, gaps=True, budget=Budget(tell=pressed))
    assert {target.searched for target in result.targets} == {50}
    assert not any(target.proven or target.missing for target in result.targets)
    assert not any(why.proven or (why.searched or 0) > 1 for why in result.why_not)


def test_cut_short(cli: Run) -> None:
    start = time.process_time()
    found = cli(*HARD, "--budget", "1", "--json").json
    assert time.process_time() - start < 1.6, "a tenth more at most, and a little for the machine"
    for target in found["targets"]:
        assert not target["proven"]
        assert target["searched"] > 0
        assert target["outcome"] == "barred" or target["line"], "the best line so far"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_cut_short_is_said_to_be(cli: Run, lang: str) -> None:
    said = cli(*HARD, "--budget", "0.2", "--lang", lang).out
    assert Language(open_database(), lang).say("resolve.unproven", n=0).partition("0")[0] in said


def test_proven_within_the_budget(cli: Run) -> None:
    (target,) = cli("resolve", "2 militia", "--hall", "griffon", "--budget", "30", "--json").json["targets"]
    assert (target["proven"], target["searched"]) == (True, None)


def test_another_choice_within_the_budget(cli: Run) -> None:
    start = time.process_time()
    found = cli(*HARD, "--budget", "0.5", "--explain", "why-not", "polearm on elf archmage", "--json").json
    assert time.process_time() - start < 3
    (why,) = found["why_not"]
    assert (why["proven"], why["searched"] is None) == (False, False)


VISIT = ["village", "2 sage, 2 pawnbroker, 2 trainer, torch, dagger, militia", "--xp", "3"]


@pytest.mark.parametrize("words", [HARD, VISIT])
def test_a_command_that_is_told_nothing_has_a_budget(cli: Run, words: list[str]) -> None:
    """After four seconds; here after a moment. 0 is no end."""
    found = cli(*words, "--json", budget=0.02).json
    assert not all(target["proven"] for target in found.get("targets", [found]))
    assert cli("village", "2 trainer, militia", "--budget", "0", "--json", budget=0.000001).json["proven"]
