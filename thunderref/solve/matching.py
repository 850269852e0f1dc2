"""Who holds which weapon and gets which gift, so that the battle comes to the most: an exact small optimisation.

What a hero gives is a sum of what he gives alone and of what a weapon in his hands adds, so the best way to hand out
weapons is the best set of pairs. Heroes are taken one after another; of all ways to get to the same weapons, gifts and
conversions used up only the best is kept. Where many weapons would make that long they are each counted in the best
hands instead, which is never too low.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter

from thunderref.solve.option import Options

MOST_WEAPONS = 6
"""With more of them the sum of the best single pairs is taken."""
ENDLESS = 10**6


def best_gain(options: Options, spare: tuple[int, ...], gifts: int, converts: int, *, stops: bool) -> int:
    """The most that heroes can gain, one option each or none, with so many gifts and conversions as there are.

    ``spare`` says of each weapon what it gains beside, if nobody takes it. With ``stops`` exactly one hero takes an
    option in which he is stopped; only such a gain may be below 0.
    """
    if not stops and not any(spare):
        best = [max(mine, key=_gain) for mine in options]
        taken = [one.weapon for one in best if one.weapon >= 0]
        if (
            len({*taken}) == len(taken)
            and sum([one.gifts for one in best]) <= gifts
            and sum([one.converts for one in best]) <= converts
        ):
            return sum([one.gain for one in best])  # nobody stands in anybody's way
    if len(spare) > MOST_WEAPONS:
        return _loosely(options, spare, converts)
    return _matched(options, spare, gifts, converts, stops=stops)


_gain = attrgetter("gain")


@lru_cache(maxsize=4096)
def _matched(options: Options, spare: tuple[int, ...], gifts: int, converts: int, *, stops: bool) -> int:
    """The same with things that more than one hero wants: a search asks it again and again of hands much alike."""
    weapons = len(spare)
    # What is used up is one number, a field of bits for each thing; a field runs over into the bit above it, one of
    # ``over``, when more of the thing is used than there is.
    sizes = [1] * weapons + [gifts, converts, 1]
    places, start, over, shift = [], 0, 0, 0
    for size in sizes:
        width = size.bit_length()
        places.append(shift)
        start |= ((1 << width) - 1 - size) << shift
        over |= 1 << (shift + width)
        shift += width + 1
    gift, convert, stop = (1 << place for place in places[weapons:])
    best = {start: 0}
    for mine in options:
        gains: dict[int, int] = {}
        for one in mine:
            use = one.gifts * gift + one.converts * convert + one.stopped * stop
            if one.weapon >= 0:
                use += 1 << places[one.weapon]
            if one.gain > gains.get(use, -ENDLESS):
                gains[use] = one.gain
        following = dict(best)
        for used, value in best.items():
            for use, gain in gains.items():
                now = used + use
                if not now & over and value + gain > following.get(now, -ENDLESS):
                    following[now] = value + gain
        best = following
    if any(spare):
        return max(
            value + sum([more for place, more in zip(places, spare, strict=False) if not used >> place & 1])
            for used, value in best.items()
            if not stops or used & stop
        )
    return max(value for used, value in best.items() if not stops or used & stop)


def _loosely(options: Options, spare: tuple[int, ...], converts: int) -> int:
    """A figure no lower: every hero the best for himself, as many as there are weapons and conversions."""
    total = sum(spare)
    gains = []
    for mine in options:
        alone = max((one.gain for one in mine if one.weapon < 0 and not one.converts and not one.stopped), default=0)
        total += max(0, alone)
        gains.append(max((one.gain for one in mine if not one.stopped), default=0) - max(0, alone))
    return total + sum(sorted((max(0, gain) for gain in gains), reverse=True)[: len(spare) + converts])
