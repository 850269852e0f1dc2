"""Why a step or a document is refused: the rule that decides, in every language; tests/examples/refusals.toml."""

from __future__ import annotations

from typing import Any

import pytest

from support import check_each, examples_by_file
from thunderref.database.read import Language, open_database
from thunderref.errors import NoAnswerError, ThunderrefError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.visit import visit


def test_every_example_is_refused_as_it_says() -> None:
    check_each(examples_by_file("refusals.toml")["refusals"], check_refusal)


def check_refusal(example: dict[str, Any]) -> None:
    if "refused" not in example:
        assert visit(example["document"]) if "document" in example else resolve(example["scenario"]).targets, example[
            "why"
        ]
        return
    with pytest.raises(ThunderrefError) as refusal:
        visit(example["document"]) if "document" in example else resolve(example["scenario"])
    error, wanted = refusal.value, example["refused"]
    assert (error.params.get("rule"), error.code) == (wanted.get("rule"), wanted["code"]), example["why"]
    assert (error.params.get("why"), error.params.get("step")) == (wanted.get("why"), wanted.get("step"))
    assert error.params.get("reading") == wanted.get("reading")
    assert error.status == (1 if isinstance(error, NoAnswerError) else 2)
    for lang in ("en", "pl", "ru"):
        said = Language(open_database(), lang).error(error)
        assert wanted.get("rule", "") in said
        assert wanted.get("reading", "") in said


@pytest.mark.parametrize(("deck", "said"), [(0, "yours are unknown"), (3, "only 3 are known"), (5, "yours are known")])
def test_a_breach_says_what_is_known_of_the_deck(deck: int, said: str) -> None:
    """R6.6: Smoke Torment arrives and turns up the top five cards of every deck."""
    plan = [{"use": "elf-archmage", "bottom": "nixie"}, {"attack": 1}]
    scenario = {"hand": ["elf-archmage"], "hall": ["nixie", "smoke-torment"], "deck": ["torch"] * deck, "plan": plan}
    assert said in " ".join(step.text for step in resolve(scenario).targets[0].steps)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (["5 torch"], "yours are known"),
        (["6 torch"], "yours are known"),
        (["3 torch", "3 dagger"], "only 4 are known"),
        (["torch", "dagger", "militia", "spear", "banish", "feast"], "yours are unknown"),
    ],
)
def test_a_breach_says_what_is_certain_of_a_deck_in_any_order(cards: list[str], said: str) -> None:
    """R6.6: of three Torches and three Daggers one card is not among the five: two of each are for certain."""
    plan = [{"use": "elf-archmage", "bottom": "nixie"}, {"attack": 1}]
    scenario = {"hand": ["elf-archmage"], "hall": ["nixie", "smoke-torment"], "deck_list": cards, "plan": plan}
    assert said in " ".join(step.text for step in resolve(scenario).targets[0].steps)
