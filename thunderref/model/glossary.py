"""The glossary files ``glossary/<language>.toml``: names, texts and messages of one language."""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import Field

from thunderref.model.base import Record

PluralRule = Literal["one-other", "polish", "east-slavic", "none"]
SOURCE_LANGUAGE = "en"


class Name(Record):
    """How one language calls a card, family or term.

    ``also`` lists further attested spellings and inflected forms, which find the card but are never shown.
    ``official`` is False for a name of our own making, where the printed games give none.
    """

    name: str = Field(min_length=1)
    also: list[str] = Field(default_factory=list)
    official: bool = True


class Translation(Record):
    """A translated text with the digest of the English text it was made from."""

    text: str = Field(min_length=1)
    of: str = ""


class GlossaryFile(Record):
    """One language: names of cards, families, terms and sets; ``texts`` to read; ``messages`` the program fills in.

    Keys of ``texts``: ``card.<id>.<effect>``, ``clarify.<id>``, ``rule.<id>``, ``term.<id>``, ``conflict.<id>``.
    In the source language a text is a plain string; in the others it carries ``of``, see :func:`digest`.
    """

    lang: str = Field(pattern=r"^[a-z]{2,3}$")
    language: str = ""
    draft: bool = False
    """True for a language that is not complete yet: what it lacks is shown in English."""
    plural: PluralRule = "one-other"
    cards: dict[str, Name] = Field(default_factory=dict)
    families: dict[str, Name] = Field(default_factory=dict)
    terms: dict[str, Name] = Field(default_factory=dict)
    sets: dict[str, Name] = Field(default_factory=dict)
    texts: dict[str, str | Translation] = Field(default_factory=dict)
    messages: dict[str, str | Translation] = Field(default_factory=dict)


def digest(english: str) -> str:
    """Eight hexadecimal digits that change whenever the English text does."""
    return hashlib.sha256(english.encode()).hexdigest()[:8]


def text_of(entry: str | Translation) -> str:
    """The text of an entry of ``texts`` or ``messages``."""
    return entry if isinstance(entry, str) else entry.text
