"""Why a card of the hand gives nothing: each has its reason on the player's page, and only those that give nothing."""

from __future__ import annotations

import pytest

from thunderref.database.read import Language, open_database
from thunderref.pages.battle_page import headline, target_page
from thunderref.pages.page import player_page
from thunderref.thunderstone.resolve.judge import resolve

WORDS = Language(open_database(), "en")


@pytest.mark.parametrize(
    ("hand", "hall", "rank", "reasons"),
    [
        (["militia", "magic-missile", "2 torch"], ["nixie", "griffon"], 2, ["against rank 2: it works only against"]),
        (["militia", "magic-missile", "torch"], ["griffon"], 1, []),  # Magic Attack +2 in rank 1 (R5.8b)
        (["militia", "warhammer", "torch"], ["griffon"], 1, ["(weight 5; Militia has Strength 2)"]),  # R4.3
        (["thyrian-knight", "warhammer", "torch"], ["griffon"], 1, []),  # Strength 5
        (["militia", "2 dagger", "torch"], ["griffon"], 1, ["The second Dagger gives nothing: every hero strong"]),
        (["2 militia", "2 dagger", "torch"], ["griffon"], 1, []),
        (["militia", "3 torch"], ["griffon"], 1, ["Light you do not need: 2 Torches."]),  # R5.11
        (["militia", "2 torch"], ["nixie", "griffon"], 2, []),
        (["elf-wizard", "torch"], ["water-wrath"], 1, ["Light does not help here: Torch."]),  # R5.11
        (["militia", "torch"], ["griffon"], 1, []),
        (["militia", "torch", "trainer"], ["griffon"], 1, ["No effect in a battle: Trainer."]),
        (["militia", "torch", "iron-rations"], ["griffon"], 1, ["Iron Rations (“One of your heroes gets"]),
        (["outlands-khan", "torch", "iron-rations"], ["griffon"], 1, ["Not needed to win: Iron Rations."]),
        (["militia", "torch", "disease"], ["griffon"], 1, []),  # it takes 1 (R5.6)
    ],
)  # fmt: skip
def test_each_card_that_gives_nothing_has_its_reason(
    hand: list[str], hall: list[str], rank: int, reasons: list[str]
) -> None:
    (target,) = resolve({"hand": hand, "hall": hall, "target": rank}, words=WORDS).targets
    texts = [step.text for step in target.idle]
    assert len(texts) == len(reasons), texts
    assert all(reason in text for reason, text in zip(reasons, texts, strict=True)), texts
    shown = [line.text for block in player_page(target_page(target, WORDS)).blocks for line in block.lines]
    assert {*texts} <= {*shown}


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (["militia", "spear", "torch", "iron-rations"], "at best 6 against Health 7, by throwing Spear"),
        (["thyrian-squire", "torch"], "(4 VP, 2 XP), 2 against Health 7"),
    ],
)
def test_a_headline_says_one_thing_once(hand: list[str], said: str) -> None:
    """Militia 1, Spear 5 if it is thrown: 6 against 7; the play shown keeps it, 3 against 7 (R5.3)."""
    (target,) = resolve({"hand": hand, "hall": ["griffon"]}, gaps=True).targets
    text = headline(target, WORDS)
    assert text.endswith(said)
    assert "short" not in text
