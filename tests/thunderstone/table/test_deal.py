"""The cards as they are dealt: R1.3 to R1.7 and R9.1, the same on every machine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.table.record import DealtCards, deal, shuffle_cards, source

BOTH = ["base", "wrath"]


def setup(**options: Any) -> Setup:
    return generate_setup(**{"seed": 1, **options})


def test_the_first_game_of_the_base_set() -> None:
    # R1.4: ten cards with the stone at the bottom, the other twenty of the three classes (R1.8) on top.
    found = deal(setup(first_game="base"), 7)
    assert len(found.dungeon) == 31
    assert sum(card.startswith("stone-of") for card in found.dungeon[-11:]) == 1
    assert not found.horde
    assert [Counter(deck) for deck in found.decks] == [  # R1.7
        Counter({"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2})
    ] * 2


def test_the_first_game_of_wrath() -> None:
    # R1.8: guardian Dark Champion, so eleven cards with him lie on the eleven with the stone; R1.3: the Horde deck.
    found = deal(setup(first_game="wrath"), 7)
    assert len(found.dungeon) == 3 * 10 + 6 + 1 + 1
    assert "dark-champion" in found.dungeon[-22:-11]
    assert any(card.startswith("stone-of") for card in found.dungeon[-11:])
    assert found.dungeon.count("horde-placeholder") == 10
    assert found.horde[:2] == ("horde-3", "horde-4")
    assert len(found.horde) == 10


def test_an_epic_dungeon_has_its_stones_in_the_lower_three_piles() -> None:
    # R9.1: a pile, one with the guardian, one with a stone, two with the other stone.
    found = deal(setup(variant="epic", sets=BOTH), 3).dungeon
    assert len(found) == 53
    guardians = {"dark-champion", "death-sentinel"}
    assert not {*found[:10]} & guardians
    assert {*found[10:21]} & guardians
    assert [sum(card.startswith("stone-of") for card in pile) for pile in (found[:21], found[21:32], found[32:])] == [
        0, 1, 1,
    ]  # fmt: skip


def test_the_same_seed_deals_the_same_cards_for_ever() -> None:
    # The first cards of this deal are pinned: a game that is replayed from its seed must find them again.
    found = deal(setup(first_game="base"), 7)
    assert found == deal(setup(first_game="base"), 7)
    assert found.dungeon[:4] == ("green-blob", "blink-dog", "red-jelly", "pegasus")
    assert found.decks[0][:4] == ("iron-rations", "torch", "dagger", "iron-rations")
    assert found != deal(setup(first_game="base"), 8)


@pytest.mark.parametrize("variant", ["normal", "epic", "crossing", "pursuit", "odyssey", "solo", "marauding"])
def test_every_variant_deals_just_the_cards_of_its_set_up(variant: str) -> None:
    for seed in range(5):
        made = setup(variant=variant, sets=BOTH, seed=seed)
        found = deal(made, seed)
        wanted = Counter({card: n for layer in made.table.layers for card, n in layer.cards}) + Counter(
            card for layer in made.table.layers for card in layer.joined
        )
        assert Counter(found.dungeon) == wanted
        assert len(found.decks) == made.content.players


def test_the_winner_of_a_crossing_begins_with_the_stone() -> None:
    # R9.2: thirteen cards, the stone of the game before among them.
    first = setup(variant="crossing", sets=BOTH, players=3)
    later = generate_setup(after=first.code, winner=2, seed=2)
    decks = deal(later, 4).decks
    assert [len(deck) for deck in decks] == [12, 13, 12]
    assert set(decks[1]) - set(decks[0]) == set(first.content.stones)


def test_what_nobody_knows_is_not_dealt() -> None:
    odyssey = setup(variant="odyssey", sets=BOTH)
    with pytest.raises(NoAnswerError, match="play-heroes-unknown"):
        deal(generate_setup(after=odyssey.code, winner=1, seed=2), 4)
    pursuit = setup(variant="pursuit", sets=BOTH)
    with pytest.raises(NoAnswerError, match="play-remains-unknown"):
        deal(generate_setup(after=pursuit.code, winner=1, left=5, seed=2), 4)


def test_every_place_is_as_likely_for_every_card() -> None:
    # 1,200 shuffles of four cards: each of the 16 counts is 300 on average, with a deviation of 15.
    counts = Counter[tuple[int, int]]()
    for number in range(1200):
        counts.update(enumerate(shuffle_cards(range(4), source(11, "reshuffle", number))))
    assert all(220 < n < 380 for n in counts.values())
    assert len(counts) == 16


def test_a_deal_can_be_compared() -> None:
    assert hash(deal(setup(), 1)) == hash(DealtCards(**deal(setup(), 1).model_dump()))
