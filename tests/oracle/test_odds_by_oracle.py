"""The odds against an expectation that tries every step and every draw."""

from __future__ import annotations

from fractions import Fraction

import pytest

from support import oracle
from support.scenarios import question
from support.several import several
from thunderref.thunderstone.resolve import odds as chances
from thunderref.thunderstone.resolve.odds import odds

COUNT = several(4, 40)
pytestmark = pytest.mark.thorough


def test_odds_of_small_decks() -> None:
    found, compared = [], 0
    for seed in range(1, COUNT + 1):
        document, deck = question(seed)
        try:
            expected = oracle.chances(document, deck)
        except oracle.NotCoveredError:
            continue
        for target in odds({**document, "deck_list": deck}).targets:
            win, total = expected[target.monster]
            compared += 1
            if Fraction(target.win.fraction) != win or target.expected_total != round(float(total), 2):
                said = f"odds {target.win.fraction} and {target.expected_total}, oracle {win} and {float(total):.2f}"
                found.append(f"seed {seed}: {target.monster}: {said}: {document}, deck {deck}")
    assert not found
    assert compared >= COUNT


def test_the_interval_of_samples_holds_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """95 times in 100; the seeds are fixed, so a run that passes once always passes. Certain outcomes do not count."""
    monkeypatch.setattr(chances, "WEIGHED", 0)
    held, compared = 0, 0
    for seed in range(1, 2 * COUNT + 1):
        document, deck = question(seed)
        try:
            expected = oracle.chances(document, deck)
        except oracle.NotCoveredError:
            continue
        for target in odds({**document, "deck_list": deck, "samples": 60, "seed": seed}).targets:
            win, _ = expected[target.monster]
            assert target.interval is not None
            low, high = target.interval
            if win in (0, 1):
                assert low <= 100 * win <= high
                continue
            compared += 1
            held += low <= 100 * win <= high
    assert compared >= COUNT // 8
    assert held >= 0.9 * compared
