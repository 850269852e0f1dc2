"""What a set-up's cards, wishes and refusals are called in the language of the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

from thunderref.database.read import FALLBACK, Language
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, Catalogue
from thunderref.thunderstone.setup.request import Wish, written

UNOFFICIAL = "*"
"""Mark of a name of our own."""


class Naming:
    def __init__(self, words: Language) -> None:
        self.words = words
        self.say = words.say
        self.cat = words.database.derived(Catalogue)
        self.lang = words.lang

    @cached_property
    def english(self) -> Naming:
        return Naming(Language(self.words.database, FALLBACK))

    def name(self, card: str) -> str:
        if card in self.cat.cards:
            name = self.words.card(card)
        elif card in self.cat.families or card in (GUARDIAN, PICK_TWO):
            name = self.words.family(card)
        else:
            name = self.words.term(card)
        return name[:1].upper() + name[1:]

    def names(self, cards: Iterable[str]) -> str:
        return ", ".join(self.marked(card) for card in cards)

    def marked(self, card: str) -> str:
        return self.name(card) + ("" if self.official(card) else UNOFFICIAL)

    def official(self, card: str) -> bool:
        """False if the printed games give no name in this language."""
        kinds = ("card",) if card in self.cat.cards else ("family", "term")
        rows = (self.words.database.names_of(kind, self.lang).get(card) for kind in kinds)
        return next((row.official for row in rows if row is not None), True)

    def in_words(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a message, with names instead of ids."""

        def either(term: str | None, other: str) -> str:
            return self.name(term) if term else other

        variants, themes, first = self.cat.variants, self.cat.fixed["theme"], self.say("setup.first-game")
        say: dict[str, Callable[[Any], str]] = {
            "card": self.name, "cards": self.names, "slots": self.names, "box": self.words.set_name,
            "variant": lambda name: either(variants[name].term, name),
            "layout": lambda name: either(themes[name].term if name in themes else None, first),
            "wishes": lambda asked: "; ".join(wish_text(wish, self) for wish in asked),
        }  # fmt: skip
        return {name: say[name](value) if name in say else value for name, value in params.items()}


def wish_text(wish: Wish, naming: Naming) -> str:
    by_filter, kind = wish.slot == "any" and wish.kind != "around", "ban" if wish.banned else wish.kind
    if wish.slot == "option" or (by_filter and not wish.banned):
        return written(wish)
    return naming.say(f"setup.wish.{kind}", card=f'"{wish.card}"' if by_filter else naming.name(wish.card))
