"""Set-up codes: the whole set-up in at most 24 characters, with a check that refuses a mistyped one.

A code holds the *result* (classes, features, stones, families, village cards, players, sets, variant, ...) and the
seed, as numbers into the frozen pools of its version. So a code means the same set-up for ever, whatever becomes of the
draw, and a set-up in which one slot was drawn again has a code as well.

The alphabet has 32 signs, without 0, 1, I and O. The first sign is the version, the last two are a check over GF(32):
two sums must come out right, so every change of one or two signs is noticed, and with it every swap of two. Letters may
be typed small; blanks and hyphens are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from thunderref.errors import NoAnswerError
from thunderref.setup.features import Features
from thunderref.setup.pools import BOXES, HERO_STACKS, PROMO, VILLAGE_STACKS, Catalogue

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH = 24
"""Signs of the longest code."""
SEEDS = 10**9
"""Seeds run from 0 to this less one."""
MAX_LEFT = 63
"""Most cards that a code can say were left of an earlier dungeon (R9.3)."""
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
_FEATURES = 2
_GUARDIANS = 2
_CLASSES = 12
_HEROES = 19
_VILLAGE = 33
# Bases of the number that a code writes, the digit that changes quickest first: part of version 1.
_BASES = (
    3, 2, MAX_PLAYERS, len(_VARIANTS), len(_MODES), 4, 2**_CLASSES, 2**_FEATURES, 2**_GUARDIANS, 4,
    comb(_HEROES, HERO_STACKS), comb(_VILLAGE, VILLAGE_STACKS), 1 + MAX_PLAYERS * (MAX_LEFT + 1), SEEDS,
)  # fmt: skip


@dataclass(frozen=True)
class Later:
    """A later game of a campaign: ``winner`` is the number of the player who won the one before."""

    winner: int
    left: int = 0


@dataclass(frozen=True)
class Content:
    """What a code holds. ``stones`` in the dungeon, the deepest first."""

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


def encode(content: Content, cat: Catalogue) -> str:
    """The code of a set-up."""
    pool = cat.pool
    mode = content.layout or ("draw", "balanced" if content.balanced else "")
    marks = content.features.pick_two + 2 * content.features.short
    arrangements = [(s,) for s in pool.stones] + [pool.stones, pool.stones[::-1]]
    later = 0
    if content.later is not None:
        later = 1 + (content.later.winner - 1) + MAX_PLAYERS * content.later.left
    digits = (
        _BOXES.index(tuple(s for s in content.sets if s in BOXES)), int(PROMO in content.sets), content.players - 1,
        _VARIANTS.index((content.variant, content.level)), _MODES.index(mode), arrangements.index(content.stones),
        _mask(content.classes, pool.classes), _mask(content.features.traps, pool.features),
        _mask(content.features.guardians, pool.guardians), marks, _rank(content.heroes, pool.heroes),
        _rank(content.village, pool.village), later, content.seed,
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
    """What a code holds.

    Raises :class:`NoAnswerError`: ``bad-code`` for one that was mistyped, ``newer-code`` for one of a later version.
    """
    code = "".join(text.upper().replace("-", "").split())
    wrong = NoAnswerError("bad-code", code_text=text.strip()[:40])
    if not 3 < len(code) <= LENGTH or any(sign not in ALPHABET for sign in code):
        raise wrong
    signs = [ALPHABET.index(sign) for sign in code]
    if _check(signs[:-2]) != (signs[-2], signs[-1]):
        raise wrong
    if signs[0] != cat.pool.version:
        raise NoAnswerError("newer-code" if signs[0] > cat.pool.version else "bad-code", code_text=text.strip()[:40])
    number = 0
    for sign in signs[1:-2]:
        number = number * 32 + sign
    digits: list[int] = []
    for base in _BASES:
        number, digit = divmod(number, base)
        digits.append(digit)
    if number:
        raise wrong
    content = _content(digits, cat)
    if encode(content, cat) != code or not _sound(content, cat):
        raise wrong
    return content


def _sound(content: Content, cat: Catalogue) -> bool:
    """False for what no draw can come to: such a code was made up."""
    variant = cat.variants[content.variant]
    cards = (
        *content.classes, *content.features.traps, *content.features.guardians, *content.heroes, *content.village,
        *content.stones,
    )  # fmt: skip
    least, most = variant.classes
    fewest, largest = variant.players
    winner = content.later.winner if content.later else 1
    return (
        all(cat.set_of[card] in content.sets for card in cards)
        and least <= len(content.classes) <= most
        and fewest <= content.players <= largest
        and not variant.without & set(content.village)
        and (content.later is None or variant.campaign)
        and winner <= content.players
        and (variant.dungeon != "epic" or len(content.stones) == 2)
        and (not variant.campaign or len(content.stones) == 1)
    )


def _content(digits: Sequence[int], cat: Catalogue) -> Content:
    pool = cat.pool
    boxes, promo, players, variant, mode, stones, classes, traps, guardians, marks, *rest = digits
    heroes, village, later, seed = rest
    arrangements = [(s,) for s in pool.stones] + [pool.stones, pool.stones[::-1]]
    kind, name = _MODES[mode]
    name_of_variant, level = _VARIANTS[variant]
    return Content(
        sets=(*_BOXES[boxes], *((PROMO,) if promo else ())),
        players=players + 1,
        variant=name_of_variant,
        level=level,
        layout=None if kind == "draw" else (kind, name),
        balanced=name == "balanced",
        stones=arrangements[stones],
        classes=_unmask(classes, pool.classes),
        features=Features(
            _unmask(traps, pool.features), _unmask(guardians, pool.guardians), bool(marks & 1), bool(marks & 2)
        ),
        heroes=_unrank(heroes, pool.heroes, HERO_STACKS),
        village=_unrank(village, pool.village, VILLAGE_STACKS),
        later=Later((later - 1) % MAX_PLAYERS + 1, (later - 1) // MAX_PLAYERS) if later else None,
        seed=seed,
    )


def _mask(cards: Sequence[str], pool: Sequence[str]) -> int:
    return sum(1 << pool.index(card) for card in cards)


def _unmask(mask: int, pool: Sequence[str]) -> tuple[str, ...]:
    return tuple(card for i, card in enumerate(pool) if mask >> i & 1)


def _rank(cards: Sequence[str], pool: Sequence[str]) -> int:
    """Number of a selection in the combinatorial number system."""
    places = sorted(pool.index(card) for card in cards)
    return sum(comb(place, i + 1) for i, place in enumerate(places))


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


def _times(a: int, b: int) -> int:
    return _EXP[(_LOG[a] + _LOG[b]) % 31] if a and b else 0


def _check(signs: Sequence[int]) -> tuple[int, int]:
    """The two signs that settle both sums over the code: of s, and of s times x to its place from the end.

    What the sums come to depends on the length, so that a sign too many or too few is noticed as well.
    """
    length = len(signs) + 2
    plain, weighted = length % 32, (7 * length + 3) % 32
    for place, sign in enumerate(reversed(signs), start=2):
        plain ^= sign
        weighted ^= _times(sign, _EXP[place])
    # c1 + c0 = plain and x c1 + c0 = weighted, so (x + 1) c1 = plain + weighted
    total = plain ^ weighted
    c1 = _EXP[(_LOG[total] - _LOG[_EXP[1] ^ 1]) % 31] if total else 0
    return c1, plain ^ c1
