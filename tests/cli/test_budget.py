"""A search that is out of time says how far it came, what it has, and that this is not proven."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from thunderref.store.read import open_store
from thunderref.words.words import Words

if TYPE_CHECKING:
    from tests.conftest import Run

LANGUAGES = ("en", "pl", "ru")
HARD = [
    "resolve",
    "2 banish, selurin theurge, 2 goodberries, 2 iron rations, thyrian lord, elf archmage, spear, polearm, "
    "short sword, diin beguiler, militia, 2 disease, regian bishop",
    "--hall", "blink dog, griffon, uyril", "--dungeon", "kingdom, suffering",
    "--deck", "torch, militia, disease, fireball",
]  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cut_short_and_said(cli: Run, lang: str) -> None:
    start = time.process_time()
    found = cli(*HARD, "--budget", "1", "--json", "--lang", lang).json
    assert time.process_time() - start < 1.6, "a tenth more at most, and a little for the machine"
    for target in found["targets"]:
        assert not target["proven"]
        assert target["searched"] > 0
        assert target["outcome"] == "barred" or target["line"], "the best line so far"
    said = cli(*HARD, "--budget", "0.5", "--lang", lang).out
    assert Words(open_store(), lang).say("resolve.unproven", n=0).partition("0")[0] in said


def test_proven_within_the_budget(cli: Run) -> None:
    (target,) = cli("resolve", "2 militia", "--hall", "griffon", "--budget", "30", "--json").json["targets"]
    assert (target["proven"], target["searched"]) == (True, None)


def test_another_choice_within_the_budget(cli: Run) -> None:
    start = time.process_time()
    found = cli(*HARD, "--budget", "0.5", "--explain", "why-not", "polearm on elf archmage", "--json").json
    assert time.process_time() - start < 3
    (why,) = found["why_not"]
    assert (why["proven"], why["searched"] is None) == (False, False)
