"""The words of one language, read from the built database."""

from __future__ import annotations

from functools import cached_property
from string import Formatter
from typing import Any

from thunderref.errors import ThunderrefError
from thunderref.store.read import NameRow, Store
from thunderref.words.plural import PLURAL_RULES

FALLBACK = "en"


class MessageFormatter(Formatter):
    """``{n:karta|karty|kart}`` writes the plural form for ``n`` without the number; ``{n:+}`` a signed number."""

    def __init__(self, plural: str) -> None:
        self.forms, self.index = PLURAL_RULES[plural]

    def format_field(self, value: Any, format_spec: str) -> str:
        """Formats one field; see the class."""
        if "|" in format_spec:
            return format_spec.split("|")[self.index(abs(int(value)))]
        if format_spec == "+":
            return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"
        if isinstance(value, int) and not format_spec:
            return str(value).replace("-", "\N{MINUS SIGN}")
        return str(super().format_field(value, format_spec))


class Words:
    """Names, texts and messages in one language; what a language lacks is taken from English."""

    def __init__(self, store: Store, lang: str) -> None:
        self.store = store
        self.lang = lang
        self._formatter = MessageFormatter(store.languages.get(lang, "one-other"))

    @cached_property
    def _messages(self) -> dict[str, str]:
        return {**self.store.messages(FALLBACK), **self.store.messages(self.lang)}

    @cached_property
    def _cards(self) -> dict[str, NameRow]:
        return self._names("card")

    @cached_property
    def _families(self) -> dict[str, NameRow]:
        return self._names("family")

    @cached_property
    def _terms(self) -> dict[str, NameRow]:
        return self._names("term")

    @cached_property
    def _sets(self) -> dict[str, NameRow]:
        return self._names("set")

    def _names(self, kind: str) -> dict[str, NameRow]:
        return {**self.store.names_of(kind, FALLBACK), **self.store.names_of(kind, self.lang)}

    def has(self, key: str) -> bool:
        """True if there is a message with this key."""
        return key in self._messages

    def say(self, key: str, /, **params: Any) -> str:
        """The message ``key`` with ``params`` filled in; KeyError for a key no language has."""
        return self._formatter.vformat(self._messages[key], (), params)

    def text(self, key: str) -> str | None:
        """The glossary text ``key``, in English where the language lacks it, None where nobody has it."""
        return self.store.text(key, self.lang) or self.store.text(key, FALLBACK)

    def card(self, card_id: str) -> str:
        """The card's name; the id itself where there is none."""
        row = self._cards.get(card_id)
        return row.name if row else card_id

    def card_is_official(self, card_id: str) -> bool:
        """False if the card's name in this language is of our own making."""
        row = self._cards.get(card_id)
        return row is None or row.official

    def family(self, family_id: str) -> str:
        """The name of a race, monster class or trap class."""
        row = self._families.get(family_id)
        return row.name if row else family_id

    def term(self, term_id: str) -> str:
        """The name of a term of the game."""
        row = self._terms.get(term_id)
        return row.name if row else term_id

    def set_name(self, set_id: str) -> str:
        """The name of a box."""
        row = self._sets.get(set_id)
        return row.name if row else set_id

    def error(self, error: ThunderrefError) -> str:
        """The one sentence of an error, candidates filled in as ``{candidates}``, card ids as names.

        An error with a ``step`` begins with its number, one with a ``saved_file`` with the name of that file.
        """
        params = {"candidates": ", ".join(error.candidates), **error.params}
        for name, value in error.params.items():
            if name == "card" or name.endswith("_card"):
                params[name] = self.card(str(value))
        if error.params.get("copy", 1) != 1:  # as the second copy is written everywhere else
            params["card"] = f"{params['card']} #{error.params['copy']}"
        key = f"error.{error.code}"
        if "why" in error.params:
            key += f".{error.params['why']}"  # the same mistake with a remedy of its own
        if error.candidates and self.has(f"{key}.of"):
            key += ".of"  # the same sentence with what there is to choose from
        message = self.say(key, **params)
        if "step" in error.params:
            message = self.say("error.in-step", step=error.params["step"], message=message)
        if "saved_file" in error.params:
            message = self.say("error.in-file", file=error.params["saved_file"], message=message)
        return message
