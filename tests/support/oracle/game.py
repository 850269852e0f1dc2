"""The course of a whole game, from the first hand to the last score (R2, R7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .allies import give_back
from .alone import Alone, Marauding, variant_of
from .deeds import Delve
from .depths import set_up
from .facts import CARDS
from .market import Visit, one
from .strife import Strife, targets
from .table import Card, EndOfRecordError, RuleBrokenError, Script, Step, Table, Turn

HAND = 6
Layout = dict[str, Any]


class WholeGame:
    """Follows a record by the rules alone."""

    def __init__(self, document: dict[str, Any]) -> None:
        steps = [step for frame in document["frames"] for step in frame["steps"]]
        self.script = Script(steps)
        self.t = Table(document, self.script)
        self.variant = variant_of(self.t, document["variant"], document.get("level"))
        if not isinstance(self.variant, Alone):
            set_up(self.t)
        for seat in self.t.seats:
            self.t.draw(seat, HAND)

    def turns(self) -> Iterator[int]:
        """One turn after another; after each, how many steps of the record it took to come here."""
        while not self.t.over and self.script.peek() is not None:
            try:
                self.one_turn()
            except EndOfRecordError:
                return
            yield self.script.at

    def one_turn(self) -> None:
        t = self.t
        t.turn = Turn(list(t.active.hand))
        self.variant.begin()
        if t.over:
            return
        step = self.script.take()
        kind = str(step.get("turn"))
        if kind == "village":
            visit = Visit(t)
            while visit.take(self.script.take()):
                pass
        elif kind == "dungeon":
            self.dungeon()
        elif kind == "rest":
            self.rest()
        else:
            raise RuleBrokenError("R2.1", f"{step} begins no turn")
        if not t.over:
            self.variant.end(kind)
        if not t.over:
            self.close()

    def rest(self) -> None:
        """At most one card of the hand is destroyed (R2.3)."""
        if not self.t.active.hand and not self.script.offers("decline"):
            return
        step = self.script.take()
        if "destroy" in step:
            self.t.destroy_own(one(self.t, step["destroy"]))
        elif "decline" not in step:
            raise RuleBrokenError("R2.3", f"{step} in a rest")

    def dungeon(self) -> None:
        """Preparation, then the battle; none only where nobody may be attacked, or the game is over (R4.6, R4.8)."""
        t = self.t
        delve = Delve(t)
        while not t.over:
            step = self.script.take()
            if "attack" in step:
                delve.owed()
                Strife(t, step, self.variant).go()
                break
            if "leave" in step:
                there = [card for _, card in targets(t) if self.variant.may_attack(card)]
                if there:
                    raise RuleBrokenError("R4.8", f"{there} may be attacked")
                self.variant.left()
                break
            delve.take(step)
            self.variant.look()
        give_back(t)

    def close(self) -> None:
        """Discard everything, draw six (R2.1); a Dark Champion at rank 0 takes one of the new cards."""
        t, seat = self.t, self.t.active
        seat.discard += seat.hand
        seat.hand = []
        t.turn = Turn([])
        t.draw(seat, HAND)
        for guardian in t.rank0:
            if guardian.name == "dark-champion":
                card = t.choose("destroy", seat.hand, guardian.name)
                if card is not None:
                    t.destroy_own(card)
        t.active = (t.others or [seat])[0]
        t.turn = Turn([])

    # --- where everything is ---

    def layout(self) -> Layout:
        t = self.t
        return {
            "player": t.active.number,
            "hall": [card.name if card else None for card in t.hall],
            "rank0": [card.name for card in t.rank0],
            "dungeon": [card.name for card in t.dungeon],
            "horde": [card.name for card in t.horde],
            "cages": [[cage.name, caught.name] for cage, caught in t.cages],
            "removed": sorted(t.removed),
            "lost": [card.name for card in self.variant.lost] if isinstance(self.variant, Alone) else [],
            "stacks": dict(t.stacks),
            "players": [
                {
                    "hand": [card.name for card in seat.hand],
                    "deck": [card.name for card in seat.deck],
                    "discard": sorted(card.name for card in seat.discard),
                    "xp": seat.xp,
                    "penalties": self.penalties(seat.number),
                }
                for seat in t.seats
            ],
        }

    def penalties(self, number: int) -> list[str]:
        there = self.variant.penalties if isinstance(self.variant, Marauding) else {}
        return [card.name for card in there.get(number, [])]

    def scores(self) -> list[int]:
        """Of each player, less 1 for every penalty card (R9.6); alone, what the monsters have comes last (R9.5)."""
        found = [points(seat.owned()) for seat in self.t.seats]
        if isinstance(self.variant, Marauding):
            return [n - len(cards) for n, cards in zip(found, self.variant.penalties.values(), strict=True)]
        return [*found, points(self.variant.lost)] if isinstance(self.variant, Alone) else found


def points(cards: list[Card]) -> int:
    """Victory points of cards; a Horde card is worth the number of them, at most 5 (R7.2)."""
    hordes = sum(card.name.startswith("horde-") for card in cards)
    return hordes * min(5, hordes) + sum(CARDS[card.name].get("vp") or 0 for card in cards)


def replay(document: dict[str, Any]) -> Iterator[tuple[int, Layout]]:
    """After every completed turn: how many steps of the record were used up, and where every card is."""
    game = WholeGame(document)
    for used in game.turns():
        yield used, game.layout()


__all__ = ["Layout", "RuleBrokenError", "Step", "WholeGame", "replay"]
