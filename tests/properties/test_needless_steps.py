"""No step of a best line may be left out without making it worse."""

from __future__ import annotations

import pytest

from support.compare import BARRED, worth
from support.scenarios import whole_turn
from support.several import several
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.resolve.judge import resolve

SEEDS = range(1, 1 + several(8, 200))
CHOICES = ("use", "equip", "forgo")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_of_a_best_line_is_needed(seed: int) -> None:
    document = whole_turn(seed)
    goal = document["goal"]
    for target in (target for target in resolve(document).targets if target.outcome != BARRED):
        attack = next(place for place, step in enumerate(target.line) if "attack" in step)
        for place, step in enumerate(target.line[:attack]):
            if not any(key in step for key in CHOICES):
                continue
            plan = [*target.line[:place], *target.line[place + 1 :]]
            try:
                found = resolve({**document, "plan": plan}).targets
            except ThunderrefError:
                continue
            aim = (target.monster, target.rank)
            again = [worth(other, goal, plan) for other in found if (other.monster, other.rank) == aim]
            assert all(other < worth(target, goal, target.line) for other in again), f"{step} in {target.line}"
