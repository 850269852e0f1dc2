"""Fills in messages, with plural forms and signed numbers; shows texts from outside: names, files, arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any


def _slavic(one: bool, n: int) -> int:
    return 0 if one else 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


PLURAL_RULES: dict[str, tuple[int, Callable[[int], int]]] = {
    "none": (1, lambda n: 0),
    "one-other": (2, lambda n: 0 if n == 1 else 1),
    "polish": (3, lambda n: _slavic(n == 1, n)),
    "east-slavic": (3, lambda n: _slavic(n % 10 == 1 and n % 100 != 11, n)),
}
"""Name, as the CLDR has it for whole numbers -> (number of forms, number -> index of its form)."""


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
        first, *others = ordinal
        pairs = zip(self.forms.items(), others, strict=False)
        return DeclinedName(f"{first} {self}", {case: f"{word} {form}" for (case, form), word in pairs}, self.gender)


class MessageFormatter(Formatter):
    """``{n:karta|karty|kart}`` writes the plural form for ``n`` without the number; ``{n:+}`` a signed number.

    ``{card:acc}`` writes a name in that case of the language, or as ``undeclined`` has it if the name lacks the form.
    """

    def __init__(self, plural: str, undeclined: str = "{name}") -> None:
        self.forms, self.index = PLURAL_RULES[plural]
        self.undeclined = undeclined

    def counted(self, name: DeclinedName, n: int) -> str:
        """A number of equal cards, with the form that the number takes."""
        case = (("", "few", "many") if self.forms > 2 else ("", "many"))[self.index(n)]
        return f"{n} {name.forms.get(case, name)}"

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[self.index(abs(int(value)))]
        if format_spec.isalpha() and len(format_spec) > 1:
            forms = value.forms if isinstance(value, DeclinedName) else {format_spec: str(value)}
            return forms.get(format_spec) or self.undeclined.format(name=value)
        if format_spec == "+":
            return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"
        if isinstance(value, int) and not format_spec:
            return str(value).replace("-", "\N{MINUS SIGN}")
        return str(super().format_field(value, format_spec))


MOST_SHOWN = 60
"""Characters of typed text that a message repeats at most."""
_END = re.compile(r"(?<![\s(][^\W\dA-ZА-Я]{2})(?<![\s(.][^\W\dA-ZА-Я])\.(?=\s)")
"""A full stop behind a word of three letters or more, or of capitals: where a sentence may end."""
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

    return _STEERING.sub(lambda found: json.dumps(found[0]).strip('"'), document)


def first_sentence(text: str) -> str:
    """Return a text up to the first full stop that ends no short word such as "np."."""
    end = _END.search(text)
    return text[: end.end()] if end else text


def brief(text: str, *, end: bool = False) -> str:
    """The text on one line, no longer than a message may repeat: its beginning, or with ``end`` its end."""
    line = " ".join(text.split())
    if len(line) <= MOST_SHOWN:
        return line
    return "…" + line[1 - MOST_SHOWN :] if end else line[: MOST_SHOWN - 1] + "…"
