"""Who holds which weapon and gets which gift, so that the battle comes to the most: an exact small optimisation.

What a hero gives is a sum of what he gives alone and of what a weapon in his hands adds, so the best way to hand out
weapons is the best set of pairs. Heroes are taken one after another; of all ways to get to the same weapons, gifts and
conversions used up only the best is kept. Where many weapons would make that long they are each counted in the best
hands instead, which is never too low.
"""

from __future__ import annotations

from typing import NamedTuple

MOST_WEAPONS = 6
"""With more of them the sum of the best single pairs is taken."""
ENDLESS = 10**6


class Option(NamedTuple):
    """One way to use a hero: the weapon's place (-1 none), gifts of Strength and conversions needed, and the gain.

    ``stopped`` for the one hero who is kept from attacking.
    """

    weapon: int
    gifts: int
    converts: int
    gain: int
    stopped: bool = False


def best_gain(options: list[list[Option]], spare: list[int], gifts: int, converts: int, *, stops: bool) -> int:
    """The most that heroes can gain, one option each or none, with so many gifts and conversions as there are.

    ``spare`` says of each weapon what it gains beside, if nobody takes it. With ``stops`` exactly one hero takes an
    option in which he is stopped; only such a gain may be below 0.
    """
    weapons = len(spare)
    if weapons > MOST_WEAPONS:
        return _loosely(options, spare, converts)
    gift, convert = 1 << weapons, (gifts + 1) << weapons
    stop = convert * (converts + 1)
    best = {0: 0}
    for mine in options:
        following = dict(best)
        for used, value in best.items():
            gifts_left = gifts - (used // gift) % (gifts + 1)
            converts_left = converts - used % stop // convert
            for weapon, needed, turned, gain, stopped in mine:
                if needed > gifts_left or turned > converts_left or (stopped and used >= stop):
                    continue
                now = used + needed * gift + turned * convert + (stop if stopped else 0)
                if weapon >= 0:
                    if used >> weapon & 1:
                        continue
                    now += 1 << weapon
                if value + gain > following.get(now, -ENDLESS):
                    following[now] = value + gain
        best = following
    if any(spare):
        return max(
            value + sum(more for place, more in enumerate(spare) if not used >> place & 1)
            for used, value in best.items()
            if not stops or used >= stop
        )
    return max(value for used, value in best.items() if not stops or used >= stop)


def _loosely(options: list[list[Option]], spare: list[int], converts: int) -> int:
    """A figure no lower: every hero the best for himself, as many as there are weapons and conversions."""
    total = sum(spare)
    gains = []
    for mine in options:
        alone = max((one.gain for one in mine if one.weapon < 0 and not one.converts and not one.stopped), default=0)
        total += max(0, alone)
        gains.append(max((one.gain for one in mine if not one.stopped), default=0) - max(0, alone))
    return total + sum(sorted((max(0, gain) for gain in gains), reverse=True)[: len(spare) + converts])
