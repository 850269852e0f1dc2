"""The other hand-edited files of ``db/``: sets, rules, terms, clarifications and conflicts between editions."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from thunderref.model.base import Record
from thunderref.model.card import Id
from thunderref.model.games import Game


class SetRecord(Record):
    """A box (or the promotional cards): ``boxed`` cards count in the sums of its contents."""

    id: Id
    boxed: bool = True


class FamilyRecord(Record):
    """What one randomizer brings in: a hero race, a monster class, a trap class, guardians."""

    id: Id
    set: Id
    kind: Literal["hero", "monster", "trap", "guardian", "feature", "thunderstone"]


class SetsFile(Record):
    """``db/sets.toml``."""

    set: list[SetRecord]
    family: list[FamilyRecord]


class Switch(Record):
    """An open question of a rule: its name, the value taken, and the other one the printed sources allow.

    What a value means is the message ``reading.<name>.<value>``.
    """

    name: Id
    default: Id
    other: Id


class Rule(Record):
    """A rule as adjudicated; ``reading`` means the printed sources leave the question open.

    The short text is the glossary key ``rule.<id>``; ``switches`` are the questions left open, by name.
    """

    id: Id
    status: Literal["printed", "reading", "online"] = "printed"
    see: list[Id] = Field(default_factory=list)
    switches: list[Switch] = Field(default_factory=list)


class RulesFile(Record):
    """``db/rules.toml``, ``db/<game>/rules.toml``: the rules of one game, in order."""

    game: Game = "thunderstone"
    rule: list[Rule]


class Term(Record):
    """A word of the game (trait, keyword, procedure, zone, figure) with the rules that define it.

    Its names are the glossary's ``terms``; its explanation, where there is one, the key ``term.<id>``.
    """

    id: Id
    group: str
    rules: list[Id] = Field(default_factory=list)


class TermsFile(Record):
    """``db/terms.toml``, ``db/<game>/terms.toml``."""

    game: Game = "thunderstone"
    term: list[Term]


class Clarification(Record):
    """A ruling on one or several cards; its text is the glossary key ``clarify.<id>``."""

    id: Id
    cards: list[Id] = Field(min_length=1)
    rules: list[Id] = Field(default_factory=list)


class ClarificationsFile(Record):
    """``db/clarifications.toml``."""

    clarification: list[Clarification]


class Conflict(Record):
    """A contradiction between editions; text and reading taken are the glossary key ``conflict.<id>``.

    ``sources`` names the editions that disagree, as ids of :data:`EDITIONS`.
    """

    id: Id
    cards: list[Id] = Field(default_factory=list)
    rules: list[Id] = Field(default_factory=list)
    terms: list[Id] = Field(default_factory=list)
    sources: list[Literal["card", "base.en", "base.pl", "base.ru", "wrath.pl"]] = Field(min_length=1)


class ConflictsFile(Record):
    """``db/conflicts.toml``."""

    game: Game = "thunderstone"
    conflict: list[Conflict]
