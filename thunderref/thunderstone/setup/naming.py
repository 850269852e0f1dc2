"""What a set-up's cards, wishes and refusals are called in the language of the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from thunderref.errors import ThunderrefError
from thunderref.text.language import FALLBACK, Language
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


def wish_text(wish: Wish, naming: Naming) -> str:
    """A wish as it was asked for."""
    kind, slot, asked = wish
    if slot == "option" or (slot == "any" and kind not in ("around", "ban")):
        return written(wish)
    by_filter = slot == "any" and kind == "ban"
    return naming.say(f"setup.wish.{kind}", card=f'"{asked}"' if by_filter else naming.name(asked))


def localise(error: ThunderrefError, words: Language) -> None:
    """Replaces the ids in a set-up's error by names."""
    naming = Naming(words)

    def variant(name: str) -> str:
        term = naming.cat.variants[name].term
        return naming.name(term) if term else name

    def layout(name: str) -> str:
        theme = naming.cat.fixed["theme"].get(name)
        return naming.name(theme.term) if theme and theme.term else naming.say("setup.first-game")

    def wishes(asked: Iterable[Wish]) -> str:
        return "; ".join(wish_text(wish, naming) for wish in asked)

    say: dict[str, Callable[[Any], str]] = {
        "card": naming.name, "cards": naming.names, "slots": naming.names, "box": words.set_name,
        "variant": variant, "layout": layout, "wishes": wishes,
    }  # fmt: skip
    error.params = {name: say[name](value) if name in say else value for name, value in error.params.items()}
