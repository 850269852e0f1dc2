"""Thousands of set-ups: every card comes as often as the procedure says, and as often as --why says."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations
from math import sqrt
from typing import Any

import pytest

from support.chi import evenness, goodness, tail
from support.several import several
from thunderref.database.read import Database
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.choose import space_of
from thunderref.thunderstone.setup.codes import Features
from thunderref.thunderstone.setup.draw import Space, feature_outcomes, question_mark_chances
from thunderref.thunderstone.setup.needs import Needs
from thunderref.thunderstone.setup.request import SetupOptions, check_options

BOXES = ("base", "wrath")
DRAWS = several(5_000, 20_000)
LEAST = 0.001
pytestmark = pytest.mark.thorough


def space(database: Database, cat: Catalogue, **options: Any) -> Space:
    return space_of(check_options(SetupOptions(**{"players": 2, "sets": BOXES} | options), (), cat), cat)


def test_the_test_itself() -> None:
    assert tail(3.841, 1) == pytest.approx(0.05, abs=1e-4)
    assert tail(18.307, 10) == pytest.approx(0.05, abs=1e-4)
    assert tail(70.0, 32) == pytest.approx(0.000121, abs=1e-5)


@pytest.mark.parametrize(("sets", "monsters"), [(("base",), 3), (BOXES, 3), (BOXES, 5)])
def test_each_card_is_drawn_as_often_as_any(
    database: Database, cat: Catalogue, sets: tuple[str, ...], monsters: int
) -> None:
    whole = space(database, cat, sets=sets, monsters=monsters)
    counts: dict[str, Counter[str]] = {"classes": Counter(), "heroes": Counter(), "village": Counter()}
    features: Counter[object] = Counter()
    for seed in range(DRAWS):
        drawn = whole.draw(seed)
        for kind, found in counts.items():
            found.update(getattr(drawn, kind))
        features[drawn.features] += 1
    for kind, found in counts.items():
        slots = whole.kinds[kind]
        assert evenness(found, slots.pool, slots.count, DRAWS) > LEAST, kind
    weights = dict(whole.features)
    if len(weights) > 1:
        from fractions import Fraction

        expected = {outcome: Fraction(w, sum(weights.values())) for outcome, w in weights.items()}
        assert goodness(features, expected) > LEAST


def test_pairs_of_cards_are_even_too(database: Database, cat: Catalogue) -> None:
    whole = space(database, cat, sets=("base",))
    pairs = Counter(pair for seed in range(DRAWS) for pair in combinations(whole.draw(seed).classes, 2))
    share = 3 / 28  # three pairs of the 28
    spread = sqrt(DRAWS * share * (1 - share))
    assert len(pairs) == 28
    assert all(abs(n - DRAWS * share) < 4.5 * spread for n in pairs.values())


def printed_procedure(rng: random.Random, classes: int, wanted: int) -> Features:
    """R1.2 as printed: turn randomizers until enough classes are out, then the feature pile, then Choose Two."""
    deck = ["class"] * classes + ["?"] * 3
    rng.shuffle(deck)
    turned = deck[: [i for i, card in enumerate(deck) if card == "class"][wanted - 1] + 1]
    pile = ["trap-death", "trap-dire", "guardian", "guardian", "pick-two"]
    rng.shuffle(pile)
    hand = pile[: turned.count("?")]
    guardians = hand.count("guardian")
    traps = [card for card in hand if card.startswith("trap")]
    if "pick-two" in hand:
        left = [card for card in ("trap-death", "trap-dire") if card not in traps]
        left += ["guardian"] if guardians == 0 else []
        for card in rng.sample(left, min(2, len(left))):
            if card == "guardian":
                guardians += 1
            else:
                traps.append(card)
    champion = ("dark-champion",) if guardians else ()
    return Features(tuple(sorted(traps)), champion, "pick-two" in hand, guardians > 1)


@pytest.mark.parametrize(("classes", "wanted"), [(12, 3), (12, 5), (4, 3), (9, 8)])
def test_the_counted_features_are_those_of_the_printed_procedure(cat: Catalogue, classes: int, wanted: int) -> None:
    from fractions import Fraction

    outcomes = feature_outcomes(
        question_mark_chances(wanted, classes, 3), cat.feature_pile(["wrath"]), cat.pool.features, ("dark-champion",)
    )
    total = sum(w for _, w in outcomes)
    rng = random.Random(classes * 100 + wanted)
    found: Counter[object] = Counter(printed_procedure(rng, classes, wanted) for _ in range(DRAWS))
    assert goodness(found, {o: Fraction(w, total) for o, w in outcomes}) > LEAST


def test_question_marks_counted_by_hand() -> None:
    # two classes wanted of three, one question mark: all orders of a deck of four
    orders = list(permutations("abc?"))
    passed = [sum(card == "?" for card in o[: [i for i, c in enumerate(o) if c != "?"][1]]) for o in orders]
    chances = question_mark_chances(2, 3, 1)
    assert [passed.count(k) / len(orders) for k in (0, 1)] == [float(c) for c in chances]


@pytest.mark.parametrize(
    "options",
    [{}, {"sets": ("base",)}, {"monsters": 6}, {"variant": "solo", "players": 1}, {"variant": "epic"}],
    ids=str,
)
def test_balanced_draws_keep_the_chances_they_report(
    database: Database, cat: Catalogue, options: dict[str, Any]
) -> None:
    whole = space(database, cat, balanced=True, **options)
    chances = whole.chances()
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in chances}
    draws = DRAWS if not options else DRAWS // 4
    for seed in range(draws):
        drawn = whole.draw(seed)
        counts["classes"].update(drawn.classes)
        counts["heroes"].update(drawn.heroes)
        counts["village"].update(drawn.village)
        counts["features"].update((*drawn.features.traps, *drawn.features.guardians))
    for kind, expected in chances.items():
        for card, chance in expected.items():
            spread = sqrt(draws * chance * (1 - chance))
            assert abs(counts[kind][card] - draws * chance) <= 4.5 * spread + 1e-9, (kind, card)
    for kind, count in (("classes", whole.kinds["classes"].count), ("heroes", 4), ("village", 8)):
        assert sum(chances[kind].values()) == count


def test_balanced_is_the_printed_draw_with_the_failures_thrown_away(database: Database, cat: Catalogue) -> None:
    needs = database.derived(Needs)
    plain, balanced = space(database, cat), space(database, cat, balanced=True)
    kept: Counter[str] = Counter()
    rounds = 0
    for seed in range(DRAWS):
        drawn = plain.draw(seed)
        if all(f.by for f in needs.find(drawn.classes, drawn.heroes, drawn.village)):
            rounds += 1
            kept.update((*drawn.classes, *drawn.heroes, *drawn.village))
    chances = balanced.chances()
    assert rounds > DRAWS / 4
    for kind in ("classes", "heroes", "village"):
        for card, chance in chances[kind].items():
            assert abs(kept[card] - rounds * chance) <= 4.5 * sqrt(rounds * chance * (1 - chance)), card


def test_every_balanced_draw_meets_every_need(database: Database, cat: Catalogue) -> None:
    needs = database.derived(Needs)
    whole = space(database, cat, balanced=True, monsters=4)
    for seed in range(2000):
        drawn = whole.draw(seed)
        assert all(f.by for f in needs.find(drawn.classes, drawn.heroes, drawn.village)), seed
