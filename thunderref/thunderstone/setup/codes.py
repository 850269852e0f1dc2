"""Set-up codes: the whole set-up in at most 24 characters, with a check that refuses a mistyped one.

A code holds the *result* (cards, players, sets, variant, ...) and the seed, as numbers into the frozen pools of its
version: it means the same set-up for ever, however draws change. Its first sign is the version, the last two are a
check over GF(32), which notices every change of one or two signs, and so every swap of two.

Version 2 has the pool of version 1. It is for later games of a pursuit or an odyssey, takes at most 29 characters and
also holds what the campaign's earlier games had (R9.3, R9.4).

A set-up with boxes of a user's own has a code such as ``DOOMGATE.K7QM2X.<code>``: the id of each box, the digest of its
files, and numbers into the pool with what these boxes bring.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, permutations
from math import comb, prod
from typing import Any, NamedTuple

from thunderref.database.read import Database
from thunderref.database.records import Pool
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, STACKS, Catalogue, in_order, slots_of

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LONGEST_CODE = 29
"""The most characters of a code; one of version 1 has 24 at most."""
LONGEST_OWN = 80
"""The same behind the ids and digests of users' boxes."""
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
_MARKS = ((False, False), (True, False), (False, True), (True, True))


class Features(NamedTuple):
    """The cards that join the monsters: trap classes, guardian cards.

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
    """The cards that a campaign's earlier games had and this one may not have (R9.3, R9.4)."""

    classes: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    guardians: tuple[str, ...] = ()
    heroes: tuple[str, ...] = ()


class Leftovers(NamedTuple):
    """The cards left of earlier dungeons that need more than their place in the deck (R1.3, R1.4)."""

    placeholders: int = 0
    guardians: tuple[str, ...] = ()


class Later(NamedTuple):
    """A later game of a campaign: ``winner`` is the number of the player who won the one before.

    ``remaining`` cards of earlier dungeons are in this one; ``leftovers`` is None if there are none or if they are not
    known. ``earlier`` is None in codes of version 1.
    """

    winner: int
    remaining: int = 0
    earlier: Earlier | None = None
    leftovers: Leftovers | None = None


@dataclass(frozen=True)
class Content:
    """The content of a code: ``layout`` is kind and id of a fixed set-up, ``stones`` has the deepest first."""

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
    def earlier(self) -> Earlier | None:
        return self.later.earlier if self.later else None

    @property
    def slots(self) -> dict[str, tuple[str, ...]]:
        return slots_of(self.classes, self.features.cards, self.heroes, self.village, self.stones)

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(chain.from_iterable(self.slots.values()))


class Part(NamedTuple):
    """A part of a code: a number below ``base``, written for what it stands for and read back."""

    base: int
    write: Callable[[Any], int]
    read: Callable[[int], Any]


def _one_of(values: Sequence[object]) -> Part:
    return Part(len(values), values.index, values.__getitem__)


def _some_of(pool: tuple[str, ...]) -> Part:
    return Part(
        2 ** len(pool),
        lambda cards: sum(1 << pool.index(card) for card in cards),
        lambda mask: tuple(card for i, card in enumerate(pool) if mask >> i & 1),
    )


def _hand_of(pool: tuple[str, ...], count: int) -> Part:
    """Return the part of a code for ``count`` cards of a pool, numbered in the combinatorial number system."""

    def write(cards: Sequence[str]) -> int:
        return sum(comb(place, i) for i, place in enumerate(sorted(map(pool.index, cards)), 1))

    def read(rank: int) -> tuple[str, ...]:
        cards: list[str] = []
        for i in range(count, 0, -1):
            place = bisect_right(range(len(pool)), rank, key=lambda place: comb(place, i)) - 1
            rank -= comb(place, i)
            cards.insert(0, pool[place])
        return tuple(cards)

    return Part(comb(len(pool), count), write, read)


def _first_parts(pool: Pool) -> tuple[Part, ...]:
    boxes = _some_of(pool.boxes)
    at_least_one = Part(boxes.base - 1, lambda cards: boxes.write(cards) - 1, lambda mask: boxes.read(mask + 1))
    return at_least_one, _some_of(pool.extras), _one_of(range(1, MAX_PLAYERS + 1))


def _parts(version: int, variant: str, pool: Pool) -> list[Part]:
    """The parts of a code, the one that changes quickest first.

    Version 2 counts more cards left and has the earlier games' classes, traps, guardians and what is known of the cards
    left, or their heroes.
    """
    stones, limit = pool.stones, MOST_LEFT if version == NEWEST else MAX_LEFT
    some = [_some_of(cards) for cards in (pool.classes, pool.features, pool.guardians)]
    heroes = _hand_of(pool.heroes, STACKS["heroes"])
    leftovers = [Leftovers(n, some[2].read(mask)) for mask in range(some[2].base) for n in range(PLACEHOLDERS + 1)]
    more = {"pursuit": [*some, _one_of([None, *leftovers])], "odyssey": [heroes]} if version == NEWEST else {}
    later = ((winner, remaining) for remaining in range(limit + 1) for winner in range(1, MAX_PLAYERS + 1))
    fixed = (*(("first-game", name) for name in pool.first_games), *(("theme", name) for name in pool.themes))
    return [
        *_first_parts(pool), _one_of(_VARIANTS), _one_of((("draw", ""), ("draw", "balanced"), *fixed)),
        _one_of([*((stone,) for stone in stones), *permutations(stones, 2)]), *some, _one_of(_MARKS),
        heroes, _hand_of(pool.village, STACKS["village"]), _one_of([None, *later]),
        *more.get(variant, ()), _one_of(range(SEEDS)),
    ]  # fmt: skip


def encode(content: Content, cat: Catalogue) -> str:
    """The code of a set-up; ValueError for one that no code can hold."""
    later, features, more, user_boxes = content.later, content.features, list[Any](), cat.user_boxes(content.sets)
    pool = cat.pool_with(user_boxes)
    version = pool.version
    if later is not None and later.earlier is not None:
        version = NEWEST
        more = [later.earlier.heroes] if content.variant == "odyssey" else [*later.earlier[:3], later.leftovers]
    values = (
        in_order(content.sets, pool.boxes), in_order(content.sets, pool.extras), content.players,
        (content.variant, content.level), content.layout or ("draw", "balanced" if content.balanced else ""),
        content.stones, content.classes, features.traps, features.guardians, (features.pick_two, features.short),
        content.heroes, content.village, later and later[:2], *more, content.seed,
    )  # fmt: skip
    number = 0
    for component, value in reversed([*zip(_parts(version, content.variant, pool), values, strict=True)]):
        digit = component.write(value)
        if not 0 <= digit < component.base:
            raise ValueError("a part of the set-up does not fit into a code")
        number = number * component.base + digit
    signs: list[int] = []
    while number:
        number, low = divmod(number, 32)
        signs.insert(0, low)
    signs.insert(0, version)
    return _heads(user_boxes, cat) + "".join(ALPHABET[s] for s in (*signs, *_check(signs)))


def _heads(user_boxes: Sequence[str], cat: Catalogue) -> str:
    return "".join(f"{box.upper()}.{cat.digests[box]}." for box in user_boxes)


def boxes_named(code: str) -> tuple[str, ...]:
    """The ids of the users' boxes that a code names."""
    return tuple(name.strip().lower() for name in code.split(".")[:-1:2])


def require_boxes(code: str, database: Database) -> None:
    """Raises :class:`NoAnswerError` (``code-box-missing``) for a box of a user that a code names and is not there."""
    for box in boxes_named(code):
        there = [name for (name,) in database.query("SELECT id FROM sets WHERE digest != '' ORDER BY position")]
        if box not in there:
            raise NoAnswerError("code-box-missing", own_box=box[:40], candidates=there)


def _own_boxes(code: str, cat: Catalogue) -> tuple[str, ...]:
    """The boxes of users that a code names; raises as :func:`require_boxes`, and if one changed since."""
    require_boxes(code, cat.database)
    boxes = boxes_named(code)
    for box, digest in zip(boxes, code.split(".")[1:-1:2], strict=True):
        if digest.strip().upper() != cat.digests[box]:
            raise NoAnswerError("code-box-changed", own_box=box)
    return boxes


def decode(text: str, cat: Catalogue) -> Content:
    """The content of a code; raises :class:`NoAnswerError`: ``bad-code`` if mistyped, ``newer-code`` if too new."""
    *heads, payload = text.split(".")
    code = "".join(payload.upper().replace("-", "").split())
    wrong = NoAnswerError("bad-code", code_text=text.strip()[:40])
    signs = [ALPHABET.index(sign) for sign in code if sign in ALPHABET]
    longest = LONGEST_CODE if not heads else LONGEST_OWN
    if not 3 < len(code) <= longest or len(signs) < len(code) or _check(signs[:-2]) != (signs[-2], signs[-1]):
        raise wrong
    if len(heads) % 2 or any(not head.strip() for head in heads):
        raise wrong
    user_boxes = _own_boxes(text, cat)
    pool = cat.pool_with(user_boxes)
    if signs[0] > NEWEST:
        raise NoAnswerError("newer-code", code_text=text.strip()[:40])
    number = reduce(lambda high, low: high * 32 + low, signs[1:-2], 0)
    variant, level = _VARIANTS[number // prod(component.base for component in _first_parts(pool)) % len(_VARIANTS)]
    values: list[Any] = []
    for component in _parts(signs[0], variant, pool):
        number, digit = divmod(number, component.base)
        values.append(component.read(digit))
    boxes, extras, players, _, mode, stones, classes, traps, guardians, marks, heroes, village, *more, seed = values
    later, *had = more
    if later:
        earlier = Earlier(heroes=had[0]) if variant == "odyssey" and had else Earlier(*had[:3]) if had else None
        later = Later(later[0], later[1], earlier, had[3] if had[3:] else None)
    content = Content(
        sets=in_order((*boxes, *extras), cat.sets), players=players, variant=variant, level=level,
        layout=None if mode[0] == "draw" else mode, balanced=mode[1] == "balanced", stones=stones, classes=classes,
        features=Features(traps, guardians, *marks), heroes=heroes, village=village, later=later, seed=seed,
    )  # fmt: skip
    if number or encode(content, cat) != _heads(user_boxes, cat) + code or not _can_be_drawn(content, cat):
        raise wrong
    return content


def _can_be_drawn(content: Content, cat: Catalogue) -> bool:
    variant, later, features = cat.variants[content.variant], content.later, content.features
    if later is not None:
        earlier, leftovers = later.earlier or Earlier(), later.leftovers or Leftovers()
        had = {*earlier.classes, *earlier.traps, *earlier.heroes}
        if not (
            variant.campaign
            and later.winner <= content.players
            and not had & {*content.classes, *features.traps, *content.heroes}
            and not (earlier.guardians and features.guardians)
            and leftovers.placeholders + len(leftovers.guardians) <= later.remaining
            and (later.remaining > 0 or later.leftovers is None)
            and set(leftovers.guardians) <= set(earlier.guardians)
        ):
            return False
    return (
        all(cat.set_of[card] in content.sets for card in content.cards)
        and variant.classes[0] <= len(content.classes) <= variant.classes[1]
        and variant.players[0] <= content.players <= variant.players[1]
        and not set(variant.without) & set(content.village)
        and (variant.dungeon != "epic" or len(content.stones) == 2)
        and (not variant.campaign or len(content.stones) == 1)
    )


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
