"""A visit to the village in a whole game (R3)."""

from __future__ import annotations

from collections.abc import Callable

from .facts import CARDS, is_hero
from .table import Card, RuleBrokenError, Seat, Step, Table, has_gold, hero, types_of
from .visit import FOR_DISEASE, GOES, follows, is_weapon, price_of


class Visit:
    """Effects, then the gold is counted, then purchases, then levels."""

    def __init__(self, t: Table) -> None:
        self.t = t
        self.made = 0
        self.extra = 0
        self.smiths = 0  # purchases that a weapon opens
        self.bought: list[str] = []
        self.gold: int | None = None
        self.levelling = False

    def take(self, step: Step) -> bool:
        """One step; False when the visit is over."""
        if "end" in step:
            if self.gold is None:
                raise RuleBrokenError("R3.2", "the gold was not counted")
            return False
        if "use" in step:
            if self.gold is not None:
                raise RuleBrokenError("R3.1", "an effect after the count")
            self.use(one(self.t, step["use"]), step.get("effect", 1))
        elif "count" in step:
            if self.gold is not None:
                raise RuleBrokenError("R3.2", "counted twice")
            self.gold = self.made + sum(CARDS[c.name].get("gold") or 0 for c in self.t.active.hand)
        elif "buy" in step:
            self.buy(step["buy"])
        elif "level_up" in step:
            self.level_up(one(self.t, step["level_up"]), step["to"])
        else:
            raise RuleBrokenError("R3.1", f"{step} in the village")
        return True

    # --- purchases and levels ---

    def buy(self, name: str) -> None:
        if self.gold is None or self.levelling:
            raise RuleBrokenError("R3.3", "purchases come after the count and before levels")
        allowed = 1 + self.extra + (self.smiths if any(map(is_weapon, self.bought)) else 0)
        cost = CARDS[name].get("cost") or 0
        if len(self.bought) >= allowed or cost > self.gold or name not in self.t.on_top():
            raise RuleBrokenError("R3.3", f"{name} for {self.gold} gold, {len(self.bought)} of {allowed} bought")
        self.gold -= cost
        self.bought.append(name)
        self.t.active.discard.append(self.t.sell(name))

    def level_up(self, card: Card, to: str) -> None:
        if self.gold is None:
            raise RuleBrokenError("R3.4", "levels come after the count")
        self.levelling = True
        seat, price = self.t.active, price_of(card.name)
        if not is_hero(card.name) or not follows(card.name, to) or price > seat.xp or not self.t.stacks.get(to):
            raise RuleBrokenError("R3.5", f"{card} to {to} with {seat.xp} XP")
        seat.xp -= price
        self.t.destroy_own(card)
        seat.discard.append(self.t.sell(to))

    # --- effects ---

    def use(self, card: Card, effect: int) -> None:
        t, name = self.t, card.name
        if (card, effect) in t.turn.used:
            raise RuleBrokenError("R2.4", f"{name} {effect} twice")
        t.turn.used.add((card, effect))
        what = (name, effect)
        if effect == 2 and (name in GOES or name in ("town-guard", "sage", "tavern-brawl", "tax-collector")):
            t.destroy_own(card)
        if what == ("barkeep", 1):
            self.extra += 1
        elif what == ("blacksmith", 1):
            self.smiths += 1
            t.draw(t.active, 1)
        elif what == ("blacksmith", 2):
            self.made += 2
            chosen = t.choose("hero", self.those(hero), name)
            if chosen:
                t.leave_hand(chosen)
                t.active.deck.insert(0, chosen)
        elif effect == 2 and name in GOES:
            self.made += GOES[name]
        elif what == ("pawnbroker", 1):
            self.made += 3 + (CARDS[self.pay("destroy", has_gold, name).name].get("gold") or 0)
        elif name == "town-guard":
            t.draw(t.active, 1 + effect)
        elif what == ("trainer", 1):
            self.pay("destroy", lambda c: "militia" in types_of(c.name), name)
            t.active.xp += 2
        elif what == ("sage", 1):
            t.active.xp += not hero(self.pay("destroy", lambda _: True, name))
        elif what == ("sage", 2):
            self.made += len(self.those(hero))
        elif what == ("tavern-brawl", 1):
            self.brawl()
        elif what == ("tavern-brawl", 2):
            self.pay("destroy", hero, name)
            for seat in t.others:
                others_discard(t, seat, name, lambda _: True, 2)
        elif what == ("tax-collector", 1):
            self.made += len(t.seats)
        elif what == ("tax-collector", 2):
            given = [card for seat in t.others for card in others_discard(t, seat, name, has_gold)]
            self.made += sum(CARDS[c.name].get("gold") or 0 for c in given)
        elif effect == 1 and name in FOR_DISEASE:
            self.pay("destroy", lambda c: c.name == "disease", name)
            t.draw(t.active, FOR_DISEASE[name])
        elif what == ("divine-chaplain", 1):
            t.draw(t.active, 1)
        elif what == ("divine-prophet", 2):
            t.draw(t.active, 2 * len(self.those(lambda c: CARDS[c.name]["kind"] in ("monster", "guardian"))))
        elif effect == 1 and name in ("gangland-thug", "gangland-heavy"):
            self.made += len(self.those(hero)) - 1
        else:
            raise RuleBrokenError("R3.1", f"{name} has no effect {effect} in the village")

    def those(self, fits: Callable[[Card], bool]) -> list[Card]:
        return [card for card in self.t.active.hand if fits(card)]

    def pay(self, key: str, fits: Callable[[Card], bool], by: str) -> Card:
        card = self.t.choose(key, self.those(fits), by)
        if card is None:
            raise RuleBrokenError("R2.4", f"nothing to pay {by} with")
        (self.t.destroy_own if key == "destroy" else self.t.discard_own)(card)
        return card

    def brawl(self) -> None:
        """The chosen player's deck is turned up until a hero shows; a weaker one is destroyed, for 1 XP.

        A pile without a hero is not shuffled for it.
        """
        t = self.t
        mine = self.pay("discard", hero, "tavern-brawl")
        seats = t.others
        if t.script.offers("seat", by="tavern-brawl"):
            seats = [seat for seat in seats if seat.number == t.script.peek()["seat"]]  # type: ignore[index]
            t.script.take()
        if not seats:  # alone
            return
        if len(seats) != 1:
            raise RuleBrokenError("tavern-brawl", "which player?")
        seat = seats[0]
        while seat.deck or any(hero(card) for card in seat.discard):
            card = t.top_card(seat)
            assert card is not None
            if not hero(card):
                seat.discard.append(card)
                continue
            won = (CARDS[mine.name].get("strength") or 0) > (CARDS[card.name].get("strength") or 0)
            t.active.xp += won
            if card.name == "diin-illusionist":  # back in hand before anything happens to it (R4.7)
                seat.hand.append(card)
            elif won:
                t.destroy(card)
            else:
                seat.discard.append(card)
            return


def one(t: Table, name: str) -> Card:
    """The card of the own hand that a step names."""
    for card in t.active.hand:
        if name in t.called(card):
            return card
    raise RuleBrokenError("R3.1", f"{name} is not in hand")


def others_discard(
    t: Table, seat: Seat, by: str, fits: Callable[[Card], bool], amount: int = 1, *, instead: bool = False
) -> list[Card]:
    """What another player discards to an effect, of his choice; a Diin Illusionist comes back to his hand.

    ``instead``: one hero alone will do.
    """
    key = "discard"
    if instead and t.script.offers("alone", by=by, player=seat.number):
        key, fits, amount = "alone", hero, 1
    given: list[Card] = []
    back: list[Card] = []
    for _ in range(amount):
        card = t.choose(key, [c for c in seat.hand if fits(c)], by, seat)
        if card is None:
            break
        seat.hand.remove(card)
        given.append(card)
        if card.name == "diin-illusionist":
            back.append(card)
        else:
            seat.discard.append(card)
    seat.hand += back
    return given
