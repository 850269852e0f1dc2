"""The words of one language, read from the built database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import pairwise
from string import Formatter
from typing import TYPE_CHECKING, Any

from thunderref.errors import InputError, ThunderrefError
from thunderref.text.visible import brief

if TYPE_CHECKING:
    from thunderref.database.read import Database, NameRow

FALLBACK = "en"
_OUR_LISTS = frozenset(("allowed", "cards", "known", "options", "query", "wishes"))
"""Parameters of errors that list choices, and so may be long."""


def _slavic(one: bool, n: int) -> int:
    return 0 if one else 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


PLURAL_RULES: dict[str, tuple[int, Callable[[int], int]]] = {
    "none": (1, lambda n: 0),
    "one-other": (2, lambda n: 0 if n == 1 else 1),
    "polish": (3, lambda n: _slavic(n == 1, n)),
    "east-slavic": (3, lambda n: _slavic(n % 10 == 1 and n % 100 != 11, n)),
}
"""Name, as the CLDR has it for whole numbers -> (number of forms, number -> index of its form)."""


class MessageFormatter(Formatter):
    """``{n:karta|karty|kart}`` writes the plural form for ``n`` without the number; ``{n:+}`` a signed number."""

    def __init__(self, plural: str) -> None:
        self.forms, self.index = PLURAL_RULES[plural]

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[self.index(abs(int(value)))]
        if format_spec == "+":
            return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"
        if isinstance(value, int) and not format_spec:
            return str(value).replace("-", "\N{MINUS SIGN}")
        return str(super().format_field(value, format_spec))


class Language:
    """Names, texts and messages in one language; English fills what it lacks.

    Raises :class:`InputError` (``unknown-language``).
    """

    def __init__(self, database: Database, lang: str) -> None:
        if lang not in database.languages:
            raise InputError("unknown-language", lang=lang, candidates=[*database.languages])
        self.database = database
        self.lang = lang
        self._formatter = MessageFormatter(database.languages[lang])

    @cached_property
    def _messages(self) -> dict[str, str]:
        return {**self.database.messages(FALLBACK), **self.database.messages(self.lang)}

    def _row(self, kind: str, subject: str) -> NameRow | None:
        names = self.database.names_of
        return names(kind, self.lang).get(subject) or names(kind, FALLBACK).get(subject)

    def _name(self, kind: str, subject: str) -> str:
        row = self._row(kind, subject)
        return row.name if row else subject

    def has(self, key: str) -> bool:
        return key in self._messages

    def say_or(self, word: str, prefix: str) -> str:
        """The message ``prefix + word``; the word itself if there is none."""
        return self.say(prefix + word) if self.has(prefix + word) else word

    def say(self, key: str, /, **params: Any) -> str:
        """The message ``key`` with ``params`` filled in; KeyError for a key no language has."""
        return self._formatter.vformat(self._messages[key], (), params)

    def text(self, key: str) -> str | None:
        """The glossary text ``key``, in English if the language lacks it, None if English does too."""
        texts = self.database.texts(key)
        return texts.get(self.lang) or texts.get(FALLBACK)

    def number(self, value: float, form: str = "g") -> str:
        """The number in a Python format, with the language's own decimal mark."""
        return f"{value:{form}}".replace(".", self.say("number.point"))

    def card(self, card_id: str) -> str:
        """The card's name; the id itself if there is none."""
        return self._name("card", card_id)

    def card_is_official(self, card_id: str) -> bool:
        """False if the card's name in this language is our own."""
        row = self._row("card", card_id)
        return row is None or row.official

    def family(self, family_id: str) -> str:
        """The name of a race, monster class or trap class."""
        return self._name("family", family_id)

    def term(self, term_id: str) -> str:
        return self._name("term", term_id)

    def set_name(self, set_id: str) -> str:
        return self._name("set", set_id)

    def printed(self, subject: str, record: Mapping[str, Any]) -> tuple[str, ...]:
        """What a rule or ruling rests on, by its ``sources`` and ``reading``: the printed places by book as one line,
        and for a reading the arguments for it and against it."""
        books: dict[str, list[str]] = {}
        for place in record["sources"]:
            book, section = place["book"], " ".join(place["section"].split())
            if book == "card":
                section = self._printed_card(section)
            elif section[0].islower() or any(one.isalpha() and two.isupper() for one, two in pairwise(section)):
                section = section.capitalize()  # a heading in capitals
            books.setdefault(book, []).append(self.say("source.section", section=section))
        listed = "; ".join(", ".join((self.say(f"source.{book}"), *sections)) for book, sections in books.items())
        lines = [self.say("source.line", sources=listed)] if listed else []
        if record["reading"]:
            texts = ((side, self.text(f"reading.{subject}.{side}")) for side in ("for", "against"))
            lines += [self.say(f"source.{side}", text=text) for side, text in texts if text]
        return tuple(lines)

    def _printed_card(self, printed: str) -> str:
        """A card by the name it has in print; where cards share one, as those of the Horde do, it is their family's."""
        for kind, named in (("card", self.card), ("family", self.family)):
            for subject, row in self.database.names_of(kind, FALLBACK).items():
                if row.name == printed:
                    return named(subject)
        return printed

    def _copy(self, written: str) -> str:
        """A card as a step writes it, ``militia#2``, by its name; anything else as it is."""
        card, mark, copy = written.partition("#")
        return f"{self.card(card)} #{copy}" if mark else self.card(card)

    def error(self, error: ThunderrefError) -> str:
        """The one sentence of an error, candidates filled in as ``{candidates}``, card ids as names.

        An error with a ``step`` begins with its number, one with a ``saved_file`` with the name of that file.
        """
        params = {"candidates": ", ".join(error.candidates), **error.params}
        for name, value in error.params.items():
            if isinstance(value, str) and name not in _OUR_LISTS:
                params[name] = brief(value, end=name in ("file", "saved_file", "path"))
            if name == "card" or name.endswith("_card"):
                params[name] = self.card(str(value))
            elif name == "asked_type":
                kind = f"card.type.{value}"
                params[name] = self.say(kind) if self.has(kind) else self.term(str(value))
        if error.code == "illegal-choice":
            params["candidates"] = ", ".join(map(self._copy, error.candidates))
            params["remedy"] = self.say("remedy.of" if error.candidates else "remedy", **params)
        if error.params.get("copy", 1) != 1:  # as the second copy is written everywhere else
            params["card"] = f"{params['card']} #{error.params['copy']}"
        key = f"error.{error.code}"
        if "why" in error.params:
            key += f".{error.params['why']}"  # the same mistake with a remedy of its own
        if error.candidates and self.has(f"{key}.of"):
            key += ".of"  # the same sentence with the choices
        message = self.say(key, **params)
        if "step" in error.params:
            message = self.say("error.in-step", step=error.params["step"], message=message)
        if "saved_file" in error.params:
            message = self.say("error.in-file", file=params["saved_file"], message=message)
        return " ".join(message.splitlines())
