"""Cards that editions print differently, played both ways, in battles, visits, odds and whole games."""

from __future__ import annotations

from typing import Any

import pytest

from support import EXAMPLES, read_toml
from thunderref.database.read import open_database
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.odds import odds
from thunderref.thunderstone.resolve.visit import visit
from thunderref.thunderstone.rules.cards import load_cards

CASES = read_toml(EXAMPLES / "printings.toml")["case"]


def played(case: dict[str, Any], **readings: str) -> tuple[dict[str, Any], dict[str, str]]:
    document = {**case["document"], "readings": readings}
    if "hall" not in document:
        result = visit(document)
        return result.model_dump(), result.readings_chosen
    found = resolve(document)
    return found.targets[0].model_dump(), found.readings_chosen


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_either_printing(case: dict[str, Any]) -> None:
    row = open_database().printings[case["printing"]]
    for value, shows, refused in ((row.default, "shows", "refused_now"), (row.other, "other", "refused")):
        if refused in case:
            with pytest.raises(IllegalStepError) as error:
                played(case, **{row.name: value})
            assert error.value.rule == case[refused]
            continue
        found, chosen = played(case, **{row.name: value})
        assert {key: found[key] for key in case[shows]} == case[shows], case["why"]
        assert chosen == ({row.name: row.other} if value == row.other else {})


def test_every_printing_has_a_case() -> None:
    assert {case["printing"] for case in CASES} == set(open_database().printings)


def test_the_name_of_the_card_is_enough() -> None:
    scenario = {"hand": ["militia"], "hall": ["lord-mortis"]}
    assert resolve({**scenario, "readings": ["Grayskin Lizard"]}).readings_chosen == {"lizard": "weapons"}
    assert resolve({**scenario, "readings": {"lord mortis": "two"}}).readings_chosen == {"lord-mortis": "two"}


def test_the_odds_use_it_and_say_so() -> None:
    question = {"hand": ["5 militia", "regian-priest"], "deck_list": ["torch", "dagger"], "hall": ["lord-mortis"]}
    taken, other = odds(question), odds({**question, "readings": ["lord-mortis=two"]})
    assert (taken.readings_chosen, other.readings_chosen) == ({}, {"lord-mortis": "two"})
    assert taken.targets[0].expected_total == (other.targets[0].expected_total or 0) + 2


def test_only_the_named_card_changes() -> None:
    database = open_database()
    taken, other = load_cards(database), load_cards(database, {"lizard", "half-attack"})
    assert [card for card in taken if taken[card] is not other[card]] == ["grayskin-lizard"]
