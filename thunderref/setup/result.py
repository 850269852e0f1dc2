"""A finished set-up with everything that is said about it; ``model_dump()`` is the JSON of the contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from thunderref.setup.codes import Content, encode
from thunderref.setup.difficulty import Difficulty, difficulty
from thunderref.setup.pools import BASIC, Catalogue, Variant
from thunderref.setup.steps import Naming, Step, steps, warnings
from thunderref.setup.table import Counts, Table, table
from thunderref.setup.why import Reason, requirement_rows
from thunderref.store.read import Store
from thunderref.words.words import Words


@dataclass(frozen=True)
class Setup:
    """One set-up. ``code`` reproduces it; the language of steps and warnings is ``lang``.

    ``notes`` are warnings that came up while it was made; ``reasons`` is filled if they were asked for.
    """

    content: Content
    store: Store
    cat: Catalogue
    lang: str = "en"
    notes: tuple[tuple[str, dict[str, Any]], ...] = ()
    reasons: tuple[Reason, ...] = ()
    points: dict[str, Any] = field(default_factory=dict)
    """Bookkeeping of a campaign: game points by player (R9.4)."""
    remains: Counts = ()
    """Cards left of the dungeon of an earlier game, where they are known (R9.3)."""
    readings: frozenset[str] = frozenset()
    """Open questions of the rules answered the other way than by default (R1.2, R1.5)."""

    @cached_property
    def code(self) -> str:
        """The code, at most 24 characters."""
        return encode(self.content, self.cat)

    @property
    def variant(self) -> Variant:
        """The variant's record."""
        return self.cat.variants[self.content.variant]

    @cached_property
    def table(self) -> Table:
        """Everything laid out."""
        return table(self.content, self.variant, self.cat, self.remains)

    @cached_property
    def naming(self) -> Naming:
        """The names in the language of the set-up."""
        return Naming(Words(self.store, self.lang), self.cat, self.readings)

    @cached_property
    def steps(self) -> list[Step]:
        """The steps to lay it out, in order."""
        return steps(self.content, self.variant, self.table, self.cat, self.naming)

    @cached_property
    def warnings(self) -> list[str]:
        """What the players should know: readings, boxes that lack something, empty stacks."""
        return warnings(self.content, self.variant, self.table, self.cat, self.naming, self.notes)

    @cached_property
    def difficulty(self) -> Difficulty:
        """Totals of the classes against the average of all draws."""
        return difficulty(self.content, self.store, self.cat)

    def in_language(self, lang: str) -> Setup:
        """The same set-up in another language."""
        return Setup(
            self.content, self.store, self.cat, lang, self.notes, self.reasons, self.points, self.remains, self.readings
        )  # fmt: skip

    def model_dump(self) -> dict[str, Any]:
        """The JSON document of the contract, with more keys.

        ``dungeon.layers`` run from top to bottom: ``size`` cards each, of which ``drawn`` are counted off a shuffle
        (``shuffle`` is its number) and ``with`` are shuffled into them. Which cards of the shuffle end where is
        hidden in play, so ``cards`` lists the whole shuffle once, with the first layer that is counted off it.
        """
        content, laid = self.content, self.table
        features = [*content.features.traps, *(["guardian"] if content.features.guardians else [])]
        document: dict[str, Any] = {
            "code": self.code,
            "seed": content.seed,
            "players": content.players,
            "sets": list(content.sets),
            "variant": content.variant,
            "level": content.level,
            "first_game": content.layout[1] if content.layout and content.layout[0] == "first-game" else None,
            "theme": content.layout[1] if content.layout and content.layout[0] == "theme" else None,
            "balanced": content.balanced,
            "monsters": list(content.classes),
            "features": features,
            "guardians": list(content.features.guardians),
            "heroes": list(content.heroes),
            "village": list(content.village),
            "thunderstones": list(content.stones),
            "basic": list(BASIC),
            "dungeon": {
                "size": sum(layer.size for layer in laid.layers),
                "layers": [
                    {
                        "cards": _counts(layer.cards),
                        "with": list(layer.joined),
                        "size": layer.size,
                        "drawn": layer.drawn,
                        "shuffle": layer.shuffle,
                    }
                    for layer in laid.layers
                ],
            },
            "hall": laid.hall,
            "player_deck": _counts(laid.deck),
            "player_decks": [
                {"who": deck.who, "cards": _counts(deck.cards), "heroes": deck.heroes} for deck in laid.decks
            ],
            "stacks": [
                {
                    "name": self.naming.name(stack.id),
                    "official": self.naming.official(stack.id),
                    "id": stack.id,
                    "kind": stack.kind,
                    "cards": _counts(stack.cards),
                }
                for stack in laid.stacks
            ],
            "aside": list(laid.aside),
            "tokens": laid.tokens,
            "steps": [step.line for step in self.steps],
            "warnings": self.warnings,
            "difficulty": self.difficulty.dump(),
        }
        if content.later is not None:
            document["after"] = {"winner": content.later.winner, "left": content.later.left, **self.points}
        if content.balanced or self.reasons:
            document["requirements"] = requirement_rows(content, self.store, self.cat, self.naming)
        if self.reasons:
            document["why"] = [reason.dump(self.naming) for reason in self.reasons]
        return document


def _counts(cards: Counts) -> list[dict[str, Any]]:
    return [{"id": card, "count": count} for card, count in cards]
