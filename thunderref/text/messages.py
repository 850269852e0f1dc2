"""Fills in messages, with plural forms and signed numbers; shows texts from outside: names, files, arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from gettext import c2py
from string import Formatter
from typing import Any


def plural_rule(expression: str) -> tuple[int, Callable[[int], int]]:
    """Return how many forms a word has beside numbers, and what tells the index of the form for a number.

    The rule is written as in the files of gettext: ``n != 1``, ``n == 1 ? 0 : n == 2 ? 1 : 2``. Raises ``ValueError``.
    """
    index = c2py(expression)
    try:
        return 1 + max(map(index, range(1000))), index
    except ArithmeticError as error:
        raise ValueError(str(error)) from None


class DeclinedName(str):
    """A name with its ``forms`` by case, as its glossary has them, and the ``gender`` that words before it take."""

    forms: Mapping[str, str]
    gender: str

    def __new__(cls, name: str, forms: Mapping[str, str], gender: str = "") -> DeclinedName:
        declined = super().__new__(cls, name)
        declined.forms, declined.gender = forms, gender
        return declined

    def after(self, ordinal: Sequence[str]) -> DeclinedName:
        """The name behind a word in the same case: that of the name as shown, then those of its forms."""
        first, *cases = ordinal
        pairs = zip(self.forms.items(), cases, strict=False)
        return DeclinedName(f"{first} {self}", {case: f"{word} {form}" for (case, form), word in pairs}, self.gender)


class MessageFormatter(Formatter):
    """``{n:karta|karty|kart}`` writes the plural form for ``n`` without the number; ``{n:+}`` a signed number.

    ``{card:acc}`` writes a name in that case of the language, or as ``undeclined`` has it if the name lacks the form:
    ``karta „{name}” / acc: kartę „{name}”``, for all cases that are not named as in the first part.
    """

    def __init__(self, plural: str, undeclined: str = "{name}") -> None:
        self.forms, self.index = plural_rule(plural)
        first, *rest = undeclined.split(" / ")
        self.undeclined = {"": first, **dict(part.split(": ", 1) for part in rest)}

    def counted(self, name: DeclinedName, n: int) -> str:
        """A number of equal cards, with the form that the number takes."""
        index = self.index(n)
        case = "" if index == 0 else "few" if index + 1 < self.forms else "many"
        return f"{n} {name.forms.get(case) or name.forms.get('many' if index else '', name)}"

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[self.index(abs(int(value)))]
        if format_spec.isalpha() and len(format_spec) > 1:
            forms = value.forms if isinstance(value, DeclinedName) else {format_spec: str(value)}
            undeclined = self.undeclined.get(format_spec, self.undeclined[""])
            return forms.get(format_spec) or undeclined.format(name=value)
        if format_spec == "+":
            return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"
        if isinstance(value, int) and not format_spec:
            return str(value).replace("-", "\N{MINUS SIGN}")
        return str(super().format_field(value, format_spec))


def fields_of(text: str) -> list[tuple[str, str]]:
    """Return the names in braces of a message, each with its format; raises ``ValueError``."""
    return [(name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name is not None]


def misfits(english: str, text: str, forms: int) -> Iterator[tuple[str, str]]:
    """Yield what keeps a translated message from being filled in as the English is: kind of fault, and where it is.

    ``forms`` is how many a word has beside numbers. Kinds: ``malformed``, ``fields``, ``plural``.
    """
    try:
        theirs, mine = fields_of(english), fields_of(text)
    except ValueError as error:
        yield "malformed", str(error)
        return
    if odd := ({name for name, _ in theirs} ^ {name for name, _ in mine if name}) - {"n"}:
        yield "fields", " ".join(sorted(f"{{{name}}}" for name in odd))
    for name, spec in mine:
        if "|" in spec and spec.count("|") + 1 != forms:
            yield "plural", f"{{{name}:{spec}}}"


MOST_SHOWN = 60
"""Characters of typed text that a message repeats at most."""
_END = re.compile(r"(\w*)\.(?=\s)")
"""A full stop, and the word before it, which may be short for another."""
_SHORT = 2
"""Letters of a word that may be short for another, unless there are capitals among them."""
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that control a terminal, end a line or turn the direction of writing; halves of a character too."""


def visible(text: str) -> str:
    """The text with a sign in place of each character that would control a terminal; lines and tabs stay."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text)


def escaped(document: str) -> str:
    """A JSON text with those characters escaped as JSON allows, so that it means the same."""
    import json

    return _STEERING.sub(lambda match: json.dumps(match[0]).strip('"'), document)


def first_sentence(text: str) -> str:
    """Return a text up to the first full stop that ends no short word such as "np."."""
    ends = (end.end() for end in _END.finditer(text) if not end[1].islower() or len(end[1]) > _SHORT)
    return text[: next(ends, len(text))]


def brief(text: str, *, end: bool = False) -> str:
    """The text on one line, no longer than a message may repeat: its beginning, or with ``end`` its end."""
    line = " ".join(text.split())
    if len(line) <= MOST_SHOWN:
        return line
    return "…" + line[1 - MOST_SHOWN :] if end else line[: MOST_SHOWN - 1] + "…"
