"""Variants of a whole game that change its turns: alone against the darkness (R9.5), marauding monsters (R9.6)."""

from __future__ import annotations

from .depths import arrive, refill, turned_up
from .facts import CARDS
from .table import Card, MissingStepError, RuleBrokenError, Table

TIRED = 2
"""XP of a monster whose defeat gives respite to a fighter."""


class Variant:
    """An ordinary game; the others change what happens at its seams."""

    def __init__(self, t: Table) -> None:
        self.t = t

    def begin(self) -> None:
        """Before the turn is chosen."""

    def look(self) -> None:
        """After every step of preparation."""

    def may_attack(self, card: Card) -> bool:
        return True

    def left(self) -> None:
        """The dungeon was entered and nobody attacked."""

    def fought(self, card: Card, *, victory: bool) -> None:
        """A battle was fought; the monster has left the hall, or stays."""

    def keeps_lost(self, card: Card) -> bool:
        """Does the monster of a lost battle go elsewhere than under the deck?"""
        return False

    def end(self, kind: str) -> None:
        """Before the hand is discarded."""


class Alone(Variant):
    """One player against the pile of monsters that got away."""

    def __init__(self, t: Table, level: str) -> None:
        super().__init__(t)
        self.level = level
        self.lost: list[Card] = []
        self.battle = False
        self.respite = False  # of the last victory, for the end of this turn
        self.earned = False

    def begin(self) -> None:
        self.battle = False

    def fought(self, card: Card, *, victory: bool) -> None:
        """A guardian who was not beaten stays, so that the monsters come on all the same."""
        self.battle = victory or CARDS[card.name]["kind"] != "guardian"
        enough = self.level == "normal" or (CARDS[card.name].get("xp") or 0) >= TIRED
        self.earned = victory and enough and self.level != "nightmare"

    def keeps_lost(self, card: Card) -> bool:
        self.lost.append(card)
        return True

    def end(self, kind: str) -> None:
        """A turn without a battle turns up a card; it pushes the others on, and who stands at rank 1 out of the hall.

        Where no card is left nobody is pushed.
        """
        respite, self.respite, self.earned = self.respite, self.earned, False
        if self.battle or respite:
            return
        t = self.t
        card = turned_up(t)
        if card is None:
            return
        first = t.hall[0]
        if first is not None:
            self.lost.append(first)
        t.hall = [*t.hall[1:], card]
        arrive(t, first)


class Marauding(Variant):
    """A monster at rank 1 grows bolder with every turn in which nobody enters the dungeon."""

    def __init__(self, t: Table) -> None:
        super().__init__(t)
        self.front: Card | None = None
        self.tokens = 0
        self.due: Card | None = None
        self.penalties: dict[int, list[Card]] = {seat.number: [] for seat in t.seats}
        self.rests = False

    def look(self) -> None:
        """Whoever has come to rank 1 starts without tokens."""
        if self.t.hall[0] is not self.front:
            self.front, self.tokens = self.t.hall[0], 0

    def begin(self) -> None:
        """All tokens: the monster becomes a penalty card, or it has to be attacked."""
        self.look()
        self.rests = False
        self.due = self.front if self.tokens >= len(self.t.seats) else None
        if self.due is None:
            return
        step = self.t.script.peek()
        if step is not None and step.get("turn") == "penalty":
            self.t.script.take()
            self.penalty()
        elif step is not None and step.get("turn") != "dungeon":
            raise RuleBrokenError("R9.6", f"{self.due} must be attacked or taken, not {step}")

    def penalty(self) -> None:
        t = self.t
        if self.due is None or self.due is not t.hall[0]:  # moved, it has no tokens any more
            return
        t.hall[0] = None
        self.penalties[t.active.number].append(self.due)
        first, self.due = self.due, None
        self.rests = True
        refill(t, first)
        self.look()

    def may_attack(self, card: Card) -> bool:
        return self.due is None or card is self.due or self.due not in self.t.hall

    def left(self) -> None:
        self.penalty()

    def fought(self, card: Card, *, victory: bool) -> None:
        self.due = None
        if card is self.front:
            self.tokens = 0

    def end(self, kind: str) -> None:
        self.look()
        if kind != "dungeon" and self.front is not None and not self.rests:
            self.tokens += 1


def variant_of(t: Table, name: str, level: str | None) -> Variant:
    if name == "solo":
        if level is None:
            raise MissingStepError("R9.5", "which level?")
        return Alone(t, level)
    return Marauding(t) if name == "marauding" else Variant(t)
