"""Set-up codes: the whole set-up in at most 24 characters, with a check that refuses a mistyped one.

A code holds the *result* (cards, players, sets, variant, ...) and the seed, as numbers into the frozen pools of its
version: it means the same set-up for ever, however draws change. Its first sign is the version, the last two are a
check over GF(32), which notices every change of one or two signs, and so every swap of two.

Version 2 has the pool of version 1. It is for later games of a pursuit or an odyssey, takes at most 29 characters and
also holds what the campaign's earlier games had (R9.3, R9.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb, prod
from typing import NamedTuple

from thunderref.database.records import Pool
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import (
    BOXES,
    GUARDIAN,
    HERO_STACKS,
    PICK_TWO,
    PROMO,
    VILLAGE_STACKS,
    Catalogue,
    slots_of,
)

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH, LONGEST = 24, 29
"""The most characters of a code of version 1 and of version 2."""
NEWEST = 2
SEEDS = 10**9
MAX_LEFT, MOST_LEFT = 63, 127
"""The most cards left of an earlier dungeon that a code of version 1 and of version 2 can hold (R9.3)."""
MAX_PLAYERS = 5
PLACEHOLDERS = 10  # of the Horde (R1.3)

_VARIANTS: tuple[tuple[str, str | None], ...] = (
    ("normal", None), ("epic", None), ("crossing", None), ("pursuit", None), ("odyssey", None),
    ("solo", "normal"), ("solo", "fighter"), ("solo", "nightmare"), ("marauding", None),
)  # fmt: skip
_MODES: tuple[tuple[str, str], ...] = (
    ("draw", ""), ("draw", "balanced"), ("first-game", "base"), ("first-game", "wrath"), ("theme", "high-fantasy"),
    ("theme", "holy-war"), ("theme", "elemental-fury"), ("theme", "tough-guys"),
)  # fmt: skip
_BOXES: tuple[tuple[str, ...], ...] = (("base",), ("wrath",), BOXES)
# Bases of the number that a code writes, the digit that changes quickest first: part of version 1, which knows
# 12 classes, 2 features, 2 guardians, 19 families of heroes and 33 village cards.
_BASES = (
    3, 2, MAX_PLAYERS, len(_VARIANTS), len(_MODES), 4, 2**12, 2**2, 2**2, 4,
    comb(19, HERO_STACKS), comb(33, VILLAGE_STACKS), 1 + MAX_PLAYERS * (MAX_LEFT + 1), SEEDS,
)  # fmt: skip
# Version 2 counts more cards left and has the earlier games' classes, traps, guardians and what is known of the cards
# left, or their heroes.
_MORE: dict[str, tuple[int, ...]] = {
    "pursuit": (2**12, 2**2, 2**2, 1 + (PLACEHOLDERS + 1) * 2**2),
    "odyssey": (comb(19, HERO_STACKS),),
}


class Features(NamedTuple):
    """What joins the monsters: trap classes, guardian cards.

    ``pick_two``: Choose Two came up. ``short``: a guardian came up without a card left for it.
    """

    traps: tuple[str, ...] = ()
    guardians: tuple[str, ...] = ()
    pick_two: bool = False
    short: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.traps, *self.guardians)

    @property
    def names(self) -> set[str]:
        return {*self.cards, *((GUARDIAN,) if self.guardians else ()), *((PICK_TWO,) if self.pick_two else ())}


class Earlier(NamedTuple):
    """What a campaign's earlier games had and this one may not have (R9.3, R9.4)."""

    classes: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    guardians: tuple[str, ...] = ()
    heroes: tuple[str, ...] = ()


class Rest(NamedTuple):
    """The cards left of earlier dungeons that need more than their place in the deck (R1.3, R1.4)."""

    placeholders: int = 0
    guardians: tuple[str, ...] = ()


class Later(NamedTuple):
    """A later game of a campaign: ``winner`` is the number of the player who won the one before.

    ``left`` cards of earlier dungeons lie in this one; ``rest`` is None if there are none, or if it is not known
    which. ``earlier`` is None in codes of version 1.
    """

    winner: int
    left: int = 0
    earlier: Earlier | None = None
    rest: Rest | None = None


@dataclass(frozen=True)
class Content:
    """What a code holds: ``layout`` is kind and id of a fixed set-up, ``stones`` has the deepest first."""

    sets: tuple[str, ...]
    players: int
    variant: str
    level: str | None
    layout: tuple[str, str] | None
    balanced: bool
    stones: tuple[str, ...]
    classes: tuple[str, ...]
    features: Features
    heroes: tuple[str, ...]
    village: tuple[str, ...]
    later: Later | None
    seed: int

    @property
    def slots(self) -> dict[str, tuple[str, ...]]:
        return slots_of(self.classes, self.features.cards, self.heroes, self.village, self.stones)


def encode(content: Content, cat: Catalogue) -> str:
    """The code of a set-up; ValueError for one that no code can hold."""
    pool = cat.pool
    mode = content.layout or ("draw", "balanced" if content.balanced else "")
    marks = content.features.pick_two + 2 * content.features.short
    later = content.later.winner + MAX_PLAYERS * content.later.left if content.later else 0
    digits = (
        _BOXES.index(tuple(s for s in content.sets if s in BOXES)), int(PROMO in content.sets), content.players - 1,
        _VARIANTS.index((content.variant, content.level)), _MODES.index(mode),
        _arrangements(pool.stones).index(content.stones), _mask(content.classes, pool.classes),
        _mask(content.features.traps, pool.features), _mask(content.features.guardians, pool.guardians), marks,
        _rank(content.heroes, pool.heroes), _rank(content.village, pool.village), later,
        *_digits_of_earlier(content, pool), content.seed,
    )  # fmt: skip
    version = NEWEST if content.later and content.later.earlier is not None else pool.version
    number = 0
    for base, digit in zip(reversed(_bases(version, content.variant)), reversed(digits), strict=True):
        if not 0 <= digit < base:
            raise ValueError("a part of the set-up does not fit into a code")
        number = number * base + digit
    signs: list[int] = []
    while number:
        number, low = divmod(number, 32)
        signs.insert(0, low)
    signs.insert(0, version)
    return "".join(ALPHABET[s] for s in (*signs, *_check(signs)))


def _bases(version: int, variant: str) -> tuple[int, ...]:
    if version < NEWEST:
        return _BASES
    return (*_BASES[:-2], 1 + MAX_PLAYERS * (MOST_LEFT + 1), *_MORE.get(variant, ()), SEEDS)


def _digits_of_earlier(content: Content, pool: Pool) -> tuple[int, ...]:
    later = content.later
    if later is None or later.earlier is None:
        return ()
    classes, traps, guardians, heroes = later.earlier
    if content.variant == "odyssey":
        return (_rank(heroes, pool.heroes),)
    left = later.rest
    rest = 1 + left.placeholders + (PLACEHOLDERS + 1) * _mask(left.guardians, pool.guardians) if left else 0
    return _mask(classes, pool.classes), _mask(traps, pool.features), _mask(guardians, pool.guardians), rest


def decode(text: str, cat: Catalogue) -> Content:
    """What a code holds; raises :class:`NoAnswerError`: ``bad-code`` if mistyped, ``newer-code`` if too new."""
    code = "".join(text.upper().replace("-", "").split())
    wrong = NoAnswerError("bad-code", code_text=text.strip()[:40])
    signs = [ALPHABET.index(sign) for sign in code if sign in ALPHABET]
    if not 3 < len(code) <= LONGEST or len(signs) < len(code) or _check(signs[:-2]) != (signs[-2], signs[-1]):
        raise wrong
    if signs[0] > NEWEST:
        raise NoAnswerError("newer-code", code_text=text.strip()[:40])
    number = reduce(lambda high, low: high * 32 + low, signs[1:-2], 0)
    variant, _ = _VARIANTS[number // prod(_BASES[:3]) % len(_VARIANTS)]
    digits: list[int] = []
    for base in _bases(signs[0], variant):
        number, digit = divmod(number, base)
        digits.append(digit)
    content = _content(digits, cat)
    if number or encode(content, cat) != code or not _sound(content, cat):
        raise wrong
    return content


def _sound(content: Content, cat: Catalogue) -> bool:
    # What no draw can produce was made up.
    variant = cat.variants[content.variant]
    cards = {card for cards in content.slots.values() for card in cards}
    return (
        all(cat.set_of[card] in content.sets for card in cards)
        and variant.classes[0] <= len(content.classes) <= variant.classes[1]
        and variant.players[0] <= content.players <= variant.players[1]
        and not set(variant.without) & set(content.village)
        and (content.later is None or (variant.campaign and content.later.winner <= content.players))
        and (content.later is None or _follows(content, content.later))
        and (variant.dungeon != "epic" or len(content.stones) == 2)
        and (not variant.campaign or len(content.stones) == 1)
    )


def _follows(content: Content, later: Later) -> bool:
    earlier, features, rest = later.earlier or Earlier(), content.features, later.rest or Rest()
    had = {*earlier.classes, *earlier.traps, *earlier.heroes}
    return (
        not had & {*content.classes, *features.traps, *content.heroes}
        and not (earlier.guardians and features.guardians)
        and rest.placeholders + len(rest.guardians) <= later.left
        and (later.left > 0 or later.rest is None)
        and set(rest.guardians) <= set(earlier.guardians)
    )


def _content(digits: Sequence[int], cat: Catalogue) -> Content:
    pool = cat.pool
    boxes, promo, players, way, mode, stones, *cards = digits
    classes, traps, guardians, marks, heroes, village, later, *more, seed = cards
    kind, name = _MODES[mode]
    variant, level = _VARIANTS[way]
    features = Features(_unmask(traps, pool.features), _unmask(guardians, pool.guardians), marks in (1, 3), marks > 1)
    return Content(
        sets=(*_BOXES[boxes], *((PROMO,) if promo else ())), players=players + 1, variant=variant, level=level,
        layout=None if kind == "draw" else (kind, name), balanced=name == "balanced",
        stones=_arrangements(pool.stones)[stones], classes=_unmask(classes, pool.classes), features=features,
        heroes=_unrank(heroes, pool.heroes, HERO_STACKS), village=_unrank(village, pool.village, VILLAGE_STACKS),
        later=_later(later, variant, more, pool) if later else None, seed=seed,
    )  # fmt: skip


def _later(digit: int, variant: str, more: Sequence[int], pool: Pool) -> Later:
    left, winner = divmod(digit - 1, MAX_PLAYERS)
    if not more:
        return Later(winner + 1, left)
    if variant == "odyssey":
        return Later(winner + 1, left, Earlier(heroes=_unrank(more[0], pool.heroes, HERO_STACKS)))
    classes, traps, guardians, rest = more
    stood, placeholders = divmod(rest - 1, PLACEHOLDERS + 1)
    return Later(
        winner + 1, left,
        Earlier(_unmask(classes, pool.classes), _unmask(traps, pool.features), _unmask(guardians, pool.guardians)),
        Rest(placeholders, _unmask(stood, pool.guardians)) if rest else None,
    )  # fmt: skip


def _arrangements(stones: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [*((stone,) for stone in stones), stones, stones[::-1]]


def _mask(cards: Sequence[str], pool: Sequence[str]) -> int:
    return sum(1 << pool.index(card) for card in cards)


def _unmask(mask: int, pool: Sequence[str]) -> tuple[str, ...]:
    return tuple(card for i, card in enumerate(pool) if mask >> i & 1)


def _rank(cards: Sequence[str], pool: Sequence[str]) -> int:
    """Number of a selection in the combinatorial number system."""
    places = sorted(pool.index(card) for card in cards)
    return sum(comb(place, i) for i, place in enumerate(places, 1))


def _unrank(rank: int, pool: Sequence[str], count: int) -> tuple[str, ...]:
    places: list[int] = []
    for i in range(count, 0, -1):
        place = i - 1
        while comb(place + 1, i) <= rank:
            place += 1
        rank -= comb(place, i)
        places.insert(0, place)
    return tuple(pool[place] for place in places)


# GF(32) with x^5 + x^2 + 1; exp and log to the base x.
_EXP = [1]
while len(_EXP) < 31:
    _next = _EXP[-1] << 1
    _EXP.append(_next ^ 0b100101 if _next & 32 else _next)
_LOG = {value: i for i, value in enumerate(_EXP)}


def _check(signs: Sequence[int]) -> tuple[int, int]:
    """The two signs that complete both sums over the code: of s, and of s times x to its place from the end."""
    # The target sums depend on the length, so that a sign too many or too few is noticed as well.
    length = len(signs) + 2
    plain, weighted = length % 32, (7 * length + 3) % 32
    for place, sign in enumerate(reversed(signs), start=2):
        plain ^= sign
        weighted ^= _EXP[(_LOG[sign] + place) % 31] if sign else 0
    # c1 + c0 = plain and x c1 + c0 = weighted, so (x + 1) c1 = plain + weighted
    total = plain ^ weighted
    c1 = _EXP[(_LOG[total] - _LOG[_EXP[1] ^ 1]) % 31] if total else 0
    return c1, plain ^ c1
