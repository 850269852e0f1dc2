"""What a draw could change, worked out by hand from the figures on the cards."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.pages.battle_page import headline, verdict
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import Draws, Probability

DECK = ["4 militia", "2 torch", "fireball", "flaming sword"]
# Priest 2, Militia 1 + 1, Dagger 1: 5 against 7, and one card is drawn (R2.2)
PRIEST = {"hand": ["regian priest", "2 militia", "iron rations", "torch", "dagger"], "hall": ["griffon"]}


def draws(document: dict[str, Any], **more: Any) -> Draws | None:
    return resolve({**document, **more}, gaps=True).targets[0].draws


def test_two_of_eight_cards_would_win() -> None:
    found = draws(PRIEST, deck_list=DECK)
    assert found == Draws(
        by=["regian-priest"], would_win=["fireball", "flaming-sword"], chance=Probability(fraction="1/4", percent=25.0)
    )


@pytest.mark.parametrize("known", [{"deck_list": ["4 militia"]}, {"deck_size": 0}])
def test_no_draw_helps(known: dict[str, Any]) -> None:
    assert draws(PRIEST, **known) is None
    assert draws({"hand": ["2 militia", "torch"], "hall": ["griffon"]}) is None


def test_one_card_after_the_last_comes_from_the_discard_pile() -> None:
    """Foresight Elixir draws two: the last of the deck and one of the new deck (R2.2)."""
    elixir = {"hand": ["3 militia", "foresight elixir", "torch", "dagger"], "hall": ["griffon"]}
    found = draws(elixir, deck_list=["torch"], discard=["fireball", "3 torch"])
    assert found is not None
    assert (found.would_win, found.chance) == (["fireball"], Probability(fraction="1/4", percent=25.0))
    short = draws(PRIEST, deck_list=["torch"], discard=["fireball"])
    assert short is None


def test_cards_that_win_only_together() -> None:
    found = draws({"hand": ["regian priest", "foresight elixir", "militia"], "hall": ["griffon"]}, deck_list=DECK)
    assert found is not None
    assert found.would_win == [["fireball", "militia"]]


def test_any_card_may_come_from_an_unknown_deck() -> None:
    found = draws(PRIEST)
    assert found is not None
    assert found.chance is None
    assert {"fireball", "flaming-sword", "regian-priest"} <= {str(each) for each in found.would_win}
    assert "torch" not in found.would_win


def test_nothing_is_called_impossible_that_a_draw_may_bring() -> None:
    words = Language(open_database(), "en")
    known = resolve({**PRIEST, "deck_list": DECK}, words=words, gaps=True)
    assert headline(known.targets[0], words).endswith(
        "; you win if Regian Priest draws Fireball or Flaming Sword (25 %)"
    )
    assert verdict(known, words) == "No sure victory was found; Griffon, rank 1, comes closest."
    never = resolve({**PRIEST, "deck_list": ["4 militia"]}, words=words, gaps=True)
    assert headline(never.targets[0], words).startswith("Cannot be beaten, 1 short: Griffon")
    assert verdict(never, words) == "Griffon, rank 1, cannot be beaten."
