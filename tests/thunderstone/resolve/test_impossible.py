"""Positions that cannot be on a table are refused alike by every function."""

from __future__ import annotations

from typing import Any

import pytest

import thunderref
from thunderref.errors import NoAnswerError

IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    ("resolve", {"hand": ["militia"], "hall": ["sphinx", "sphinx", "sphinx"]}, "too-many-copies"),
    ("resolve", {"hand": ["militia", "dark-champion"], "hall": ["nixie", "dark-champion"]}, "too-many-copies"),
    ("resolve", {"hand": ["8 torch"], "deck": ["8 torch"], "hall": ["nixie"]}, "too-many-copies"),
    ("resolve", {"hand": ["sphinx"], "hall": ["nixie"], "dungeon": ["sphinx"]}, "too-many-copies"),
    ("resolve", {"hand": ["sphinx"], "hall": ["nixie"], "others": [["sphinx"]]}, "too-many-copies"),
    ("resolve", {"hand": ["short-sword"], "hall": ["nixie"], "village": ["8 short-sword"]}, "too-many-copies"),
    ("resolve", {"hand": ["militia"], "hall": ["stone-of-mystery", "nixie"]}, "stone-in-rank-1"),
    ("resolve", {"hand": ["militia"], "hall": ["dark-champion", "nixie"]}, "guardian-in-rank-1"),
    ("odds", {"hand": ["torch"], "deck_list": ["torch"], "hall": ["dark-champion"]}, "guardian-in-rank-1"),
    ("turn", {"hand": ["torch"], "hall": ["dark-champion"]}, "guardian-in-rank-1"),
    ("village", {"hand": ["9 short-sword"]}, "too-many-copies"),
    ("village", {"hand": ["short-sword"], "stacks": ["8 short-sword"]}, "too-many-copies"),
    ("odds", {"hand": ["sphinx"], "deck_list": ["torch"], "hall": ["sphinx"]}, "too-many-copies"),
    ("odds", {"deck_list": ["7 torch", "sphinx"], "hall": ["sphinx"], "first_battle": True}, "too-many-copies"),
    ("odds", {"hand": ["torch"], "deck_list": ["torch"], "hall": ["stone-of-agony", "nixie"]}, "stone-in-rank-1"),
    ("score", {"players": {"Ann": ["11 horde"]}}, "too-many-copies"),
    ("score", {"players": {"Ann": ["2 horde-5"]}}, "too-many-copies"),
    ("score", {"players": {"Ann": ["sphinx"], "Bob": ["sphinx"]}}, "too-many-copies"),
]
POSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("resolve", {"hand": ["dark-champion"], "hall": ["nixie", "death-sentinel", "stone-of-mystery"]}),
    ("resolve", {"hand": ["militia", "20 disease"], "hall": ["nixie"]}),  # never runs out (R0.3)
    ("resolve", {"hand": ["8 short-sword"], "hall": ["nixie"], "village": ["short-sword"]}),  # no number: on offer
    ("village", {"hand": ["8 short-sword"], "stacks": ["short-sword"]}),
    ("odds", {"hand": ["militia"], "deck_list": ["8 spear"], "hall": ["nixie", "stone-of-agony"]}),
    ("score", {"players": {"Ann": ["6 horde"], "Bob": ["4 horde"]}}),
]


@pytest.mark.parametrize(("name", "document", "code"), IMPOSSIBLE)
def test_what_cannot_be_is_refused(name: str, document: dict[str, Any], code: str) -> None:
    """R1.3, R1.6: the boxes hold so many copies; R7.1: a Thunderstone in rank 1 ended the game."""
    with pytest.raises(NoAnswerError) as refusal:
        getattr(thunderref, name)(document)
    assert refusal.value.code == code


@pytest.mark.parametrize(("name", "document"), POSSIBLE)
def test_what_can_be_is_judged(name: str, document: dict[str, Any]) -> None:
    getattr(thunderref, name)(document)


def test_a_guardian_alone_stands_in_rank_0_if_that_is_attacked() -> None:
    """R6.7: the remedy, where a line names no ranks; there is no light penalty in rank 0 (R5.11)."""
    found = thunderref.resolve({"hand": ["2 militia"], "hall": ["dark-champion"], "target": 0})
    assert [(t.rank, t.light_penalty, t.total) for t in found.targets] == [(0, 0, 2)]
    document = {"hand": ["2 militia"], "deck_list": ["torch"], "hall": ["dark-champion"], "target": 0}
    assert thunderref.odds(document).targets[0].rank == 0
    with pytest.raises(NoAnswerError, match="rank 0"):
        thunderref.resolve({"hand": ["2 militia"], "hall": ["dark-champion"], "target": 1})


def test_a_guardian_in_rank_2_stands_in_the_hall() -> None:
    found = thunderref.resolve({"hand": ["2 militia"], "hall": ["nixie", "dark-champion"]})
    assert [t.rank for t in found.targets] == [1, 2]
    assert not found.notes
