"""Victory points, Horde, Thunderstones, ties and penalty cards."""

from __future__ import annotations

from typing import Any

import pytest

from support import EXAMPLES, read_toml
from thunderref.database.read import open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.resolve.final_score import final_score
from thunderref.thunderstone.rules.scoring import Standing, winners

EXAMPLES = read_toml(EXAMPLES / "village" / "score.toml")["example"]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["name"] for example in EXAMPLES])
def test_example(example: dict[str, Any]) -> None:
    result = final_score(example["document"])
    expect = example["expect"]
    assert [player.vp for player in result.players] == expect["vp"], example["why"]
    assert result.winners == expect["winners"], example["why"]
    assert (result.tie_break is not None) == expect["tie"]
    assert [player.game_points for player in result.players] == expect.get("game_points", [None] * len(result.players))
    assert result.champions == expect.get("champions", [])
    for player in result.players:
        assert player.vp == sum(card.vp for card in player.cards) - player.penalties


@pytest.mark.parametrize(
    "card",
    [
        card
        for card, effects in open_database().all_effects.items()
        if any(effect.timing == "end-of-game" for effect in effects)
    ],
)
def test_every_horde_card_counts_up_to_five(card: str) -> None:
    """R7.2, worked by hand: alone 1; with three others 4 each; with six others 5 each and no more."""
    others = [f"horde-{health}" for health in range(3, 13) if f"horde-{health}" != card]
    for more, worth in ((0, 1), (3, 4), (6, 5)):
        [player] = final_score({"players": {"Ann": [card, *others[:more], "horde-placeholder"]}}).players
        assert next(c.vp for c in player.cards if c.id == card) == worth
        assert player.vp == worth * (more + 1)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_tie_is_explained(lang: str) -> None:
    decks = {"Ann": ["the-unchained"], "Bob": ["stone-of-mystery"]}
    text = final_score({"players": decks}, lang).tie_break
    assert text is not None
    assert "Ann" in text
    assert "Bob" in text
    assert "3" in text


@pytest.mark.parametrize(
    ("standings", "wanted"),
    [
        ([(5, True), (4, True)], ((0,), (0,), "")),
        ([(5, False), (5, False), (4, True)], ((0, 1), (0, 1), "shared")),
        ([(5, False), (5, True), (5, False)], ((1,), (0, 1, 2), "stone")),
        ([(5, True), (5, True), (5, False)], ((0, 1), (0, 1, 2), "stones")),
    ],
)
def test_who_wins_and_by_what(standings: list[tuple[int, bool]], wanted: tuple[Any, ...]) -> None:
    """R7.3: of those tied for most VP whoever holds a Thunderstone wins; two may hold one in an epic game."""
    assert winners([Standing(vp, stone) for vp, stone in standings]) == wanted


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"players": {}}, "score-no-decks"),
        ({}, "missing-key"),
        ([], "document-not-an-object"),
        ({"players": {" ": ["torch"]}}, "score-empty-name"),
        ({"players": {"Ann": ["torch"], "ann ": ["torch"]}}, "score-twice"),
        ({"players": {"Ann": ["torch"]}, "penalties": {"Bob": 1}}, "score-no-such-player"),
        ({"players": {"Ann": ["torch"]}, "penalties": {"Ann": -1}}, "score-bad-penalty"),
        ({"players": {"Ann": "torch"}}, "no-list"),
        ({"players": {"Ann": ["torch"]}, "bonus": 1}, "unknown-key"),
    ],
)
def test_a_bad_document_gets_one_error(document: Any, code: str) -> None:
    with pytest.raises(InputError) as refusal:
        final_score(document)
    assert refusal.value.code == code


@pytest.mark.parametrize("name", ["hord", "elf", "no such card"])
def test_names_are_not_guessed(name: str) -> None:
    if name == "hord":  # every card it fits is a Horde card
        assert final_score({"players": {"Ann": [name]}}).players[0].vp in (0, 1)
        return
    with pytest.raises(NoAnswerError):
        final_score({"players": {"Ann": [name]}})


def test_generic_horde_cards_are_different_ones() -> None:
    [player] = final_score({"players": {"Ann": ["horde-3", "2 horda"]}}).players
    assert [card.count for card in player.cards] == [1, 1, 1]
    assert player.vp == 9
