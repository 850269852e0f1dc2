"""What a victory allows in a whole game: purchases, Sphinx, Hunters and Sorcerers, in any order (R6.4, R6.5)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from .depths import movable, send_under
from .facts import CARDS, SPOILS, STONES
from .table import Card, RuleBrokenError, Step, Table, numbered

TOP_SIX = 6
MOST_HUNTED = 5


@dataclass(eq=False)
class Right:
    """Something the victor may do once. ``kind``: the key of its step; ``card``: the hero it comes from, if any."""

    kind: str
    name: str
    card: Card | None

    def called(self, t: Table) -> tuple[object, ...]:
        return (self.name,) if self.card is None else numbered(self.card, t.turn.shown, t.active.hand)


class Rewards:
    def __init__(self, t: Table, foe: Card, attackers: list[Card], dead: list[Card]) -> None:
        """Borrowed and recruited heroes count as well; a hero destroyed in the battle does nothing (R6.3)."""
        self.t, self.foe = t, foe
        alive = [h for h in attackers if h not in dead or t.turn.ambrosia]
        self.rights = [Right("buy", t.name(h), h) for h in alive if t.name(h) in SPOILS]
        if foe.name in SPOILS:
            self.rights.append(Right("buy", foe.name, None))
        if foe.name == "sphinx":
            self.rights.append(Right("reveal", foe.name, None))
        for kind, name in (("hunt", "gohlen-hunter"), ("bottom", "elf-sorcerer")):
            self.rights += [Right(kind, name, h) for h in alive if t.name(h) == name]
        self.spent: list[str] = []  # the kinds of card that the purchases rights allowed
        self.bought: list[str] = []
        self.refilled = False

    def take(self) -> bool:
        """Follow the record until nothing is left to do. Has the hall been refilled?"""
        while self.rights and not self.t.over:
            step = self.t.script.peek() or {}
            fitting = self.meant(step)
            if not fitting:
                here = [right.name for right in self.rights if self.possible(right)]
                if here:
                    raise self.t.script.missing("R6.4", f"{here} are open")
                break
            self.rights.remove(fitting[0])
            self.t.script.take()
            if "decline" not in step:
                self.use(fitting[0], step)
        return self.refilled

    def meant(self, step: Step) -> list[Right]:
        """The rights a step may speak of: a copy by its number; a bare name first those that can be used."""
        name, _, number = str(step.get("for")).partition("#")
        asked = [r for r in self.rights if r.kind in step or "decline" in step]
        same = [r for r in asked if name in (r.name, r.card and r.card.name)]
        if number:
            return [r for r in same if step["for"] in r.called(self.t)]
        return sorted(same, key=lambda r: not self.possible(r))

    def possible(self, right: Right) -> bool:
        if right.kind == "buy":
            return any(self.may_buy(right, name) for name in self.t.on_top())
        if right.kind == "bottom":
            return bool(movable(self.t))
        return right.kind == "reveal" or bool(self.prey(right))

    def use(self, right: Right, step: Step) -> None:
        t = self.t
        if right.kind == "buy":
            name = step["buy"]
            if not self.may_buy(right, name):
                raise RuleBrokenError("R6.4", f"{step}, with {self.bought} bought")
            self.spent.append(SPOILS[right.name])
            self.bought.append(name)
            t.active.discard.append(t.sell(name))
        elif right.kind == "bottom":
            self.send(step)
        elif right.kind == "reveal":
            self.purge()
        else:
            seat = t.seat(step["seat"])
            prey = next((c for c in self.prey(right) if c.name == step["hunt"] and c in seat.discard), None)
            if prey is None:
                raise RuleBrokenError("R6.5", f"{step}")
            seat.discard.remove(prey)
            t.active.discard.append(prey)

    def may_buy(self, right: Right, name: str) -> bool:
        """Each purchase has all gold; together they are legal if each can be given spoils of its own (R6.4)."""
        gold = sum(CARDS[self.t.name(card)].get("gold") or 0 for card in self.t.active.hand)
        if name not in self.t.on_top() or (CARDS[name].get("cost") or 0) > gold:
            return False
        still = [SPOILS[r.name] for r in self.rights if r.kind == "buy" and r is not right]
        kinds = [*self.spent, SPOILS[right.name], *still]
        wanted = [*self.bought, name]
        return any(
            all(not kind or kind in CARDS[card].get("types", []) for kind, card in zip(way, wanted, strict=True))
            for way in permutations(kinds, len(wanted))
        )

    def send(self, step: Step) -> None:
        t = self.t
        sent = next((c for c in movable(t) if step["bottom"] in t.called_in_hall(c)), None)
        if sent is None:
            raise RuleBrokenError("R6.5", f"{step}")
        before = [c for c in t.hall[: t.hall.index(sent)] if c]
        if not any(c.name in STONES for c in before):
            t.turn.won_first = False
        send_under(t, sent)
        self.refilled = True

    def prey(self, right: Right) -> list[Card]:
        """Monsters that this Hunter made the others discard, at most 5 VP, sharing a type with the defeated one."""
        types = set(CARDS[self.foe.name]["types"])
        piles = [card for seat in self.t.others for card in seat.discard]
        there = [card for who, card in self.t.turn.hunted if who is right.card and card in piles]
        return [c for c in there if worth_at_most(MOST_HUNTED, c) and types & set(CARDS[c.name]["types"])]

    def purge(self) -> None:
        """Sphinx: of the top six cards any number is destroyed, the others are discarded."""
        t = self.t
        cards = [card for card in (t.top_card(t.active) for _ in range(TOP_SIX)) if card]
        gone = list(t.script.take()["destroy"]) if t.script.offers("destroy", by="sphinx") else []
        for card in cards:
            if card.name in gone:
                gone.remove(card.name)
                t.destroy(card)
            else:
                t.active.discard.append(card)
        if gone:
            raise RuleBrokenError("sphinx", f"{gone} is not among {cards}")


def worth_at_most(most: int, card: Card) -> bool:
    """Horde has no printed worth (R6.5)."""
    vp = CARDS[card.name].get("vp")
    return vp is not None and vp <= most
