"""Set-up codes: the whole set-up in at most 24 characters, with a check that refuses a mistyped one.

A code holds the *result* (cards, players, sets, variant, ...) and the seed, as numbers into the frozen pools of its
version: it means the same set-up for ever, however draws change. Its first sign is the version, the last two are a
check over GF(32), which notices every change of one or two signs, and so every swap of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb
from typing import NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import BOXES, HERO_STACKS, PROMO, VILLAGE_STACKS, Catalogue, slots_of
from thunderref.thunderstone.setup.draw import Features

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH = 24
SEEDS = 10**9
MAX_LEFT = 63
"""The most cards left of an earlier dungeon that a code can hold (R9.3)."""
MAX_PLAYERS = 5

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


class Later(NamedTuple):
    """A later game of a campaign: ``winner`` is the number of the player who won the one before."""

    winner: int
    left: int = 0


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
        _rank(content.heroes, pool.heroes), _rank(content.village, pool.village), later, content.seed,
    )  # fmt: skip
    number = 0
    for base, digit in zip(reversed(_BASES), reversed(digits), strict=True):
        if not 0 <= digit < base:
            raise ValueError("a part of the set-up does not fit into a code")
        number = number * base + digit
    signs: list[int] = []
    while number:
        number, low = divmod(number, 32)
        signs.insert(0, low)
    signs.insert(0, pool.version)
    return "".join(ALPHABET[s] for s in (*signs, *_check(signs)))


def decode(text: str, cat: Catalogue) -> Content:
    """What a code holds; raises :class:`NoAnswerError`: ``bad-code`` if mistyped, ``newer-code`` if too new."""
    code = "".join(text.upper().replace("-", "").split())
    wrong = NoAnswerError("bad-code", code_text=text.strip()[:40])
    signs = [ALPHABET.index(sign) for sign in code if sign in ALPHABET]
    if not 3 < len(code) <= LENGTH or len(signs) < len(code) or _check(signs[:-2]) != (signs[-2], signs[-1]):
        raise wrong
    if signs[0] > cat.pool.version:
        raise NoAnswerError("newer-code", code_text=text.strip()[:40])
    number = reduce(lambda high, low: high * 32 + low, signs[1:-2], 0)
    digits: list[int] = []
    for base in _BASES:
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
        and (variant.dungeon != "epic" or len(content.stones) == 2)
        and (not variant.campaign or len(content.stones) == 1)
    )


def _content(digits: Sequence[int], cat: Catalogue) -> Content:
    pool = cat.pool
    boxes, promo, players, way, mode, stones, *cards = digits
    classes, traps, guardians, marks, heroes, village, later, seed = cards
    kind, name = _MODES[mode]
    variant, level = _VARIANTS[way]
    features = Features(_unmask(traps, pool.features), _unmask(guardians, pool.guardians), marks in (1, 3), marks > 1)
    return Content(
        sets=(*_BOXES[boxes], *((PROMO,) if promo else ())), players=players + 1, variant=variant, level=level,
        layout=None if kind == "draw" else (kind, name), balanced=name == "balanced",
        stones=_arrangements(pool.stones)[stones], classes=_unmask(classes, pool.classes), features=features,
        heroes=_unrank(heroes, pool.heroes, HERO_STACKS), village=_unrank(village, pool.village, VILLAGE_STACKS),
        later=Later((later - 1) % MAX_PLAYERS + 1, (later - 1) // MAX_PLAYERS) if later else None, seed=seed,
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
