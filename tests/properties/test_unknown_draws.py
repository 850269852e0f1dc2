"""No answer calls impossible what some order of the deck refutes, and the chance is that of all orders together.

Every different order of a small deck is given to the engine as known cards; the chance is compared with that of the
second adjudicator, which plays out every draw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import pytest

from support.boxes import possible
from support.oracle import NotCoveredError, chances
from support.several import ASKED, several
from thunderref.database.read import open_database
from thunderref.rng import SplitMix64, stir
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.odds import odds
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.hall import is_placeholder

SPECS = load_cards(open_database())
CARDS = [card for card in open_database().cards.values() if card.reprint_of is None]
DRAWING = [card.id for card in CARDS if any(op.op == "draw" for one in SPECS[card.id].dungeon for op in one.instant)]
OWN = [card.id for card in CARDS if card.kind in ("hero", "village", "disease")] + ["militia"] * 30
OWN += ["torch", "dagger", "iron-rations", "disease"] * 8
MONSTERS = [card.id for card in CARDS if card.kind == "monster" and not is_placeholder(SPECS[card.id])]
ANY_DECK = 10  # every so many hands are asked about without the deck too: that tries every card there is


def hand(seed: int) -> dict[str, Any]:
    """A random hand with an effect that draws, one or two monsters, and a deck of three or four cards."""
    random = SplitMix64(stir(seed))

    def some(n: int, cards: list[str]) -> list[str]:
        return [cards[random.below(len(cards))] for _ in range(n)]

    mine = [*some(1 + random.below(2), DRAWING), *some(2 + random.below(3), OWN)]
    document = {"hand": mine, "hall": some(1 + random.below(2), MONSTERS), "deck": some(3 + random.below(2), OWN)}
    document["hall"] = [*dict.fromkeys(document["hall"])]
    return possible(document)


class Tried(NamedTuple):
    """What was found about one target: its chance, None if no draw helps, and whether an order of the deck wins."""

    monster: str
    outcome: str
    chance: Fraction | None
    share: Fraction
    covered: bool


def orders(deck: list[str]) -> list[tuple[str, ...]]:
    return sorted(set(permutations(deck)))


def tried(document: dict[str, Any], *, any_deck: bool) -> Iterator[Tried]:
    bare = {key: value for key, value in document.items() if key != "deck"}
    listed = {**bare, "deck_list": document["deck"]}
    known = resolve(listed, gaps=True)
    each = orders(document["deck"])
    wins = Counter(
        t.monster for order in each for t in resolve({**bare, "deck": [*order]}).targets if t.outcome == "victory"
    )
    try:
        told = chances(bare, document["deck"])
    except NotCoveredError:
        told = {}
    exact = {target.monster: target for target in odds(listed).targets}
    for target in known.targets:
        share = Fraction(wins[target.monster], len(each))
        draws = target.draws
        assert target.outcome != "victory" or draws is None
        if target.outcome != "victory" and target.proven:
            assert draws is not None or not share, f"{target.monster} is called impossible"
        if draws is not None:
            assert draws.by
            assert {*draws.by} <= {*document["hand"]}
            assert draws.chance is None or draws.proven
        chance = None if draws is None or draws.chance is None else Fraction(draws.chance.fraction)
        if chance is not None:
            assert chance > 0
            assert chance == Fraction(exact[target.monster].win.fraction)
            assert not told or chance == told[target.monster][0]
            assert draws is not None
            for cards in draws.would_win:  # some order that begins with these wins
                first = [cards] if isinstance(cards, str) else cards
                left = list((Counter(document["deck"]) - Counter(first)).elements())
                starts = [[*begun, *left] for begun in orders(first)]
                ends = [resolve({**bare, "deck": start}).targets for start in starts]
                assert any(t.outcome == "victory" for end in ends for t in end if t.monster == target.monster), cards
        yield Tried(target.monster, target.outcome, chance, share, bool(told))
    if any_deck:
        for target in resolve(bare, gaps=True).targets:
            certain = target.outcome != "victory" and target.proven and target.draws is None
            assert not (certain and wins[target.monster]), f"{target.monster} is called impossible with any deck"


def check(seeds: range) -> Counter[str]:
    found = Counter[str]()
    for seed in seeds:
        for target in tried(hand(seed), any_deck=seed % ANY_DECK == 0):
            found[target.outcome] += 1
            found["compared"] += target.covered and target.chance is not None
            if target.outcome != "victory":
                found["impossible" if target.chance is None else "by a draw"] += 1
                found["some order wins"] += bool(target.share)
    return found


@pytest.mark.thorough
def test_nothing_impossible_is_refuted_by_a_draw() -> None:
    assert check(range(several(8, 25)))["by a draw"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1500, 125))
def test_nothing_impossible_is_refuted_by_a_draw_of_many_hands(first: int) -> None:
    """A hand takes two seconds: the slow run tries 100 of the 500, THUNDERREF_EXAMPLES all."""
    found = check(range(first, first + (125 if ASKED else 25)))
    print(dict(found))
    assert found["by a draw"] > 0
