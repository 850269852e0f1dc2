"""How far apart two words are: edits weighed by how easily they are made.

Plain Python on purpose: only a few dozen words pass the letter filter, and importing a compiled library would cost
more than the whole look-up.
"""

from __future__ import annotations

_ALIKE = frozenset(
    frozenset(pair)
    for pair in (
        "ae", "ei", "iy", "ou", "ij", "ck", "sz", "vw", "kq", "cs", "gj", "ео", "еи", "ао", "иы", "бп", "дт", "гк",
        "зс", "вф", "жш", "шщ", "еэ", "ея", "ую", "тд", "ая",
    )
)  # fmt: skip
_HALF = 0.5


def letters(word: str) -> int:
    """The set of letters of a word as bits."""
    bits = 0
    for c in word:
        bits |= 1 << (ord(c) & 63)
    return bits


def budget(length: int) -> float:
    """How many edits a word of that many letters may have and still be taken for a typing error."""
    if length <= 5:
        return 1.0
    if length <= 8:
        return 2.0
    return 3.0


def distance(a: str, b: str, limit: float) -> float | None:
    """Edits (insert, delete, replace, swap neighbours) between two words, None if more than ``limit``.

    An edit costs 1; a doubled or undoubled letter and a replacement by a like-sounding letter cost one half.
    """
    if abs(len(a) - len(b)) > 2 * limit:
        return None
    before: list[float] = []
    last = [0.0]
    for j in range(1, len(b) + 1):
        last.append(last[-1] + _single(b, j - 1))
    for i, ca in enumerate(a):
        drop = _single(a, i)
        row = [last[0] + drop]
        best = row[0]
        for j, cb in enumerate(b):
            cost = last[j] if ca == cb else last[j] + (_HALF if frozenset((ca, cb)) in _ALIKE else 1.0)
            if last[j + 1] + drop < cost:
                cost = last[j + 1] + drop
            insert = row[j] + _single(b, j)
            if insert < cost:
                cost = insert
            if i and j and ca == b[j - 1] and a[i - 1] == cb and before[j - 1] + 1.0 < cost:
                cost = before[j - 1] + 1.0
            row.append(cost)
            if cost < best:
                best = cost
        if best > limit:
            return None
        before, last = last, row
    return last[-1] if last[-1] <= limit else None


def _single(word: str, i: int) -> float:
    """What it costs to leave out or put in the letter at ``i``: half if it doubles its neighbour."""
    return _HALF if i and word[i - 1] == word[i] else 1.0


def likeness(a: str, b: str) -> float:
    """0 to 1: how many pairs of neighbouring letters two texts share, first letters counted too."""
    if not a or not b:
        return 0.0
    first = {f" {a}"[i : i + 2] for i in range(len(a))}
    second = {f" {b}"[i : i + 2] for i in range(len(b))}
    pairs = 2 * len(first & second) / (len(first) + len(second))
    mine, theirs = set(a), set(b)
    return 0.75 * pairs + 0.25 * len(mine & theirs) / len(mine | theirs)
