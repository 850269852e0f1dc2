"""Reads values that are compared with numbers in a question for cards: "from 4 to 6 gold", "weight over 2 and under 5".

Each word of a comparison has a role, a letter of :func:`role_of`. A comparison is a value before or behind a number, or
several numbers, with a sign; further ones may follow it that belong to the same value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thunderref.search.lexicon import WordToken

SIGNS = frozenset(("<", "<=", "=", ">", ">="))
NUMBER, SIGN, FIGURE, ADJECTIVE, PRICE, UNTIL, OR, AND, IDLE, NONE = "ncfapto&. "
"""The roles: a number, a sign, a value, an adjective that is both, a word for a price, "to" of a range, "or", "and", a
word that says nothing, and one that ends a comparison."""
BETWEEN = "between"


class ComparedValue(NamedTuple):
    """A value that is compared with ``numbers``; where it ends, and what its words leave to be decided.

    A ``sign`` of "" is an equality that no word says; several numbers are alternatives, but for the sign "..", which is
    that of a range. ``figure`` is "" for one that no word names, and ``led`` says that it is named before the number.
    """

    figure: str
    sign: str
    numbers: tuple[str, ...]
    end: int
    led: bool
    priced: bool


def role_of(words: Sequence[WordToken], i: int) -> str:
    """Return the role of a word in a comparison."""
    if not 0 <= i < len(words):
        return NONE
    word, beyond = words[i], words[i + 1 : i + 2]
    levels = any(token.means("level") for token in words[max(0, i - 1) : i + 2])
    if word.typed.isdecimal():
        counts = any(token.meanings.get("does") in ("card", "opponents") for token in beyond)  # "draw 2 cards"
        return NONE if counts or (word.means("ordinal") and not levels) else NUMBER
    sign = word.meanings.get("sign") or word.meanings.get("compares") or ""
    if sign in SIGNS:
        leads = beyond and (beyond[0].typed.isdecimal() or beyond[0].means("figure", "level"))
        return SIGN if leads or not word.means("talk") else IDLE
    if sign.endswith(("<", ">")):
        return ADJECTIVE
    if sign in ("price", "to", BETWEEN):
        return {"price": PRICE, "to": UNTIL, BETWEEN: IDLE}[sign]
    if word.means("figure", "level") and not word.means("talk"):
        return FIGURE
    if word.means("or", "and") and not (word.means("excludes") and role_of(words, i + 1) not in (SIGN, ADJECTIVE)):
        return OR if word.means("or") else AND
    return IDLE if word.means("talk", "compares") and not word.means("excludes") else NONE


def read_comparisons(words: Sequence[WordToken], start: int) -> tuple[list[ComparedValue], bool] | None:
    """Return the comparisons that belong together at a place, and whether one of them is enough ("or").

    None if there is none. Raises :class:`ValueError` if it is not clear to which value a number belongs.
    """
    if (first := read_comparison(words, start)) is None:
        return None
    comparisons, joins = [first], set[str]()
    while True:
        last = comparisons[-1]
        join = role_of(words, last.end)
        join = join if join in (OR, AND) else ""
        more = read_comparison(words, last.end + bool(join))
        if more is None:
            break
        if join != OR and (more.led or more.figure == last.figure or (more.figure and last.figure)):
            break  # one for itself
        if join != OR and "" in (more.sign, last.sign):
            raise ValueError(words[last.end].typed)
        joins.add(join)
        comparisons.append(more)
    if OR in joins and len(joins) > 1:
        raise ValueError(words[start].typed)
    figures = [value.figure for value in comparisons if value.figure]
    return [value._replace(figure=value.figure or (figures or [""])[0]) for value in comparisons], OR in joins


def read_comparison(words: Sequence[WordToken], i: int) -> ComparedValue | None:
    """Return the one comparison that begins at a place, None if none does; raises as :func:`read_comparisons`."""
    figure, sign, priced, apart = "", "", False, False
    between = i < len(words) and words[i].meanings.get("compares") == BETWEEN
    if role_of(words, i) == IDLE and not between:
        return None
    while (role := role_of(words, i)) not in (NUMBER, NONE, OR, AND):
        if role == ADJECTIVE or (role == SIGN and not (sign and words[i].means("talk"))):
            compared = _sign(words, i)
            if sign or (role == ADJECTIVE and figure):
                return None
            figure, sign = (compared[:-1], compared[-1]) if role == ADJECTIVE else (figure, compared)
        elif role == FIGURE:
            merged = _merged(figure, _figure(words, i))
            if merged is None:
                return None
            figure = merged
        between = between or words[i].meanings.get("compares") == BETWEEN
        priced, apart = priced or role == PRICE, bool(figure) and (apart or role == IDLE)
        i += 1
    if role != NUMBER:
        return None
    numbers, i, led = [words[i].typed], i + 1, bool(figure)
    bound = role_of(words, i) == SIGN and _sign(words, i) == "<="
    middle = role_of(words, i) in ((AND, UNTIL) if between else (UNTIL,)) or bound
    if middle and sign in ("", ">=") and role_of(words, i + 1) == NUMBER:
        numbers, sign, i = [*numbers, words[i + 1].typed], "..", i + 2
    elif between:
        return None
    while not sign and role_of(words, i) in (OR, AND) and role_of(words, i + 1) == NUMBER:
        beyond = role_of(words, i + 2)
        if (beyond == SIGN and role_of(words, i + 3) not in (NUMBER, FIGURE)) or (
            beyond == FIGURE and figure and _merged(figure, _figure(words, i + 2)) is None
        ):
            break
        numbers, i = [*numbers, words[i + 1].typed], i + 2
    bounds = role_of(words, i) in (OR, AND) and role_of(words, i + 1) == SIGN and len(numbers) == 1  # "5 or more"
    if bounds and not sign and role_of(words, i + 2) not in (NUMBER, FIGURE):
        sign, i = f"{_sign(words, i + 1)[0]}=", i + 2
    end, has_figure = i, False
    while (role := role_of(words, i)) in (SIGN, FIGURE) or (role == IDLE and words[i].meanings.get("compares") == ""):
        leads = role_of(words, i + 1) in (NUMBER, SIGN)
        if role == SIGN and (sign or leads or len(numbers) > 1):
            break
        if role == FIGURE:
            if has_figure or (figure and leads):
                break
            merged = _merged(figure, _figure(words, i))
            if merged is None and apart:
                return None  # the number is that of the second value
            if merged is None:
                raise ValueError(words[i].typed)
            figure, has_figure = merged, True
        sign = _sign(words, i) if role == SIGN else sign
        i += 1
        end = i if role != IDLE else end
    return ComparedValue(figure, sign, tuple(numbers), end, led, priced)


def _sign(words: Sequence[WordToken], i: int) -> str:
    return words[i].meanings.get("sign") or words[i].meanings["compares"]


def _figure(words: Sequence[WordToken], i: int) -> str:
    return "level" if words[i].means("level") else words[i].meanings["figure"]


def _merged(figure: str, other: str) -> str | None:
    """Return the value that two words name together, None if they name two."""
    if figure in ("", other):
        return other
    pairs = {frozenset(("cost", "gold")): "cost", frozenset(("attack", "magic_attack")): "magic_attack"}
    pairs |= {frozenset(("cost", price)): "level_cost" for price in ("xp", "level_cost")}
    pairs |= {frozenset(("gold", "vp")): "vp"}  # "worth 5 points"
    return pairs.get(frozenset((figure, other)))
