"""Lists as players type them: tiles, faces of dice, dice, wounds, each with its number if there are several.

Commas, semicolons, line breaks and blanks part the entries. A number is written ``2 L3``, ``2L3``, ``2x L3`` or
``L3 x2``. A number before a comma, another number or the end is an entry of its own, as is one in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from thunderref.errors import InputError

T = TypeVar("T")
LONGEST_NUMBER = 9  # digits; a longer one is too large anyway
_BRACKETS = re.compile(r"\(\s*(\d+)\s*\)")
_NUMBER, _TIMES, _TIMES_BEFORE, _NAME = "number", "times", "times-before", "name"
_BEHIND = re.compile(r"([xX×хХ*])(\d+)")
_BEFORE = re.compile(r"(\d+)([xX×хХ*])")
_OF_SIZE = re.compile(r"(\d+)([xX×хХ])(\d+)")
_AND_NAME = re.compile(r"(\d+)([xX×хХ]?)(\D.*)")
_NAME_AND = re.compile(r"(.*[^\W_]|.*[#.)-])([xX×хХ])(\d+)")
_LETTERS = "xXхХ"
"""Signs for “times” that may also be the letter of the tile X5, or a drawn field."""


def counted(text: str) -> list[tuple[int, str]]:
    """The entries of a list with their numbers; raises :class:`InputError` for what could be read in two ways."""
    return [entry for part in re.split("[,;\n]", text) for entry in _entries(part.strip())]


def read_list(text: str, read: Callable[[str], T], most: int) -> list[T]:
    return [entry for count, word in counted(text) for entry in [read(word)] * min(count, most)]


def _entries(part: str) -> Iterator[tuple[int, str]]:
    signs = list(_signs(part))
    while signs:
        count, used = 1, 1
        match [kind for kind, _ in signs[:3]]:
            case ["number", "times", ("number" | "name")]:
                count, name, used = number_of(signs[0][1]), signs[2][1], 3
            case ["number", "name", *_]:
                count, name, used = number_of(signs[0][1]), signs[1][1], 2
            case ["name", ("times" | "times-before"), "number"]:
                count, name, used = number_of(signs[2][1]), signs[0][1], 3
            case [("number" | "name"), *_]:
                name = signs[0][1]
            case _:
                raise _unclear(part)
        if not count:
            raise _unclear(part)
        yield count, name
        del signs[:used]


def _signs(part: str) -> Iterator[tuple[str, str]]:
    """Numbers, names and signs for “times”, in order, out of words such as ``2xL3``."""
    first = True
    for word in _BRACKETS.sub(r"(\1)", part).split():
        if word.isdecimal():
            yield _NUMBER, word
        elif word in (*_LETTERS, "×", "*"):
            yield _TIMES, word
        elif found := _BEHIND.fullmatch(word):
            cross = found[1] in _LETTERS and found[2] == "5"
            if cross and found[1].islower() and not first:  # “L3 x5”: five, or a cross as well
                raise _unclear(part)
            yield from [(_NAME, word)] if cross else [(_TIMES_BEFORE, found[1]), (_NUMBER, found[2])]
        elif found := _BEFORE.fullmatch(word):
            yield from [(_NUMBER, found[1]), (_TIMES, found[2])]
        elif found := _OF_SIZE.fullmatch(word):
            if found[2] in _LETTERS and found[3] == "5":  # two crosses, or two of five fields
                raise _unclear(part)
            yield from [(_NUMBER, found[1]), (_TIMES, found[2]), (_NUMBER, found[3])]
        elif found := _AND_NAME.fullmatch(word):
            if found[2] and not set(found[3]) - set(f"{_LETTERS}./_"):  # “2xx/x.”: is the first x a field?
                raise _unclear(part)
            yield from [(_NUMBER, found[1]), (_NAME, found[3])]
        elif found := _NAME_AND.fullmatch(word):
            if found[2] in "XХ" and found[3] == "5":
                raise _unclear(part)
            yield from [(_NAME, found[1]), (_TIMES, found[2]), (_NUMBER, found[3])]
        else:
            yield _NAME, word
        first = False


def number_of(digits: str) -> int:
    """The number of these digits, whatever the alphabet; a very long one is only very large."""
    return int(digits if len(digits) <= LONGEST_NUMBER else "9" * LONGEST_NUMBER)


def _unclear(part: str) -> InputError:
    return InputError("thorgal-list-unclear", text=part[:40])
