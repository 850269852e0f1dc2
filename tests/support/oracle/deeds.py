"""Preparation of a turn in the dungeon of a whole game: what every card does when it is used (R4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from .allies import beguile, conjure, enchant, hold, hunt, lend
from .depths import movable, refill, send_under, take, worth_1_or_2
from .facts import (
    BURNS_LIGHT,
    COUNTS_AT_BATTLE,
    CURES,
    DRAWS,
    ONE_MEAL,
    ONLY_OTHERS,
    STRENGTHENS_OTHERS,
    is_monster,
)
from .figures import health
from .hall import held
from .market import one, others_discard
from .position import untouched
from .strife import view
from .table import Card, RuleBrokenError, Step, Table, has_gold, hero, types_of
from .weapons import equipping

SEEN_BY_ELIXIR = 3


class Delve:
    def __init__(self, t: Table) -> None:
        self.t = t

    def take(self, step: Step) -> None:
        if "forgo" in step:
            self.forgo(one(self.t, step["forgo"]))
        elif "equip" in step:
            self.equip(one(self.t, step["equip"]), one(self.t, step["to"]))
        elif "use" in step:
            self.use(one(self.t, step["use"]), step.get("effect", 1))
        else:
            raise RuleBrokenError("R4.1", f"{step} in preparation")

    def forgo(self, card: Card) -> None:
        """No benefit of a card this turn (R5.1): a card of which none was taken yet."""
        turn = self.t.turn
        if card in turn.forgone or any(card is c for c, _ in turn.used) or card in turn.holds:
            raise RuleBrokenError("R5.1", f"{card} was used")
        turn.forgone.add(card)

    def equip(self, weapon: Card, to: Card) -> None:
        p, at = view(self.t)
        if weapon in self.t.turn.forgone:
            raise RuleBrokenError("R5.1", f"{weapon} is forgone")
        if not any(label["to"] == at[to] for label, _ in equipping(p, at[weapon])):
            raise RuleBrokenError("R4.3", f"{to} may not hold {weapon}")
        hold(self.t, weapon, to)

    # --- what effects share ---

    def hand(self, fits: Callable[[Card], bool]) -> list[Card]:
        return [card for card in self.t.active.hand if fits(card)]

    def heroes(self) -> list[Card]:
        return self.hand(hero)

    def untouched(self, card: Card) -> bool:
        """R4.2."""
        p, at = view(self.t)
        return untouched(p, at[card])

    def pay(self, fits: Callable[[Card], bool], by: str) -> Card:
        card = self.t.choose("destroy", self.hand(fits), by)
        if card is None:
            raise RuleBrokenError("R2.4", f"nothing to pay {by} with")
        self.t.destroy_own(card)
        return card

    def food(self, card: Card) -> bool:
        return "food" in types_of(card.name) and self.untouched(card)

    def light_item(self, card: Card) -> bool:
        return {"item", "light"} <= set(types_of(card.name)) and self.untouched(card)

    def move_under(self, by: str) -> None:
        """Nothing happens where nobody may be moved, and the rest is carried out."""
        card = self.t.choose("bottom", movable(self.t), by)
        if card is not None:
            send_under(self.t, card)

    def owed(self) -> None:
        """The Strength of Clay Golems is mandatory: given before the attack (R8.1)."""
        for card in self.hand(lambda c: c.name == "clay-golem" and (c, 0) not in self.t.turn.used):
            self.lift(card)

    def lift(self, golem: Card) -> None:
        self.t.turn.used.add((golem, 0))
        to = self.t.choose("on", self.heroes(), golem.name)
        if to is not None:
            self.t.turn.stronger.append((to, 2))

    # --- one effect ---

    def use(self, card: Card, effect: int) -> None:
        t, turn = self.t, self.t.turn
        name = t.name(card)
        if card in turn.forgone:
            raise RuleBrokenError("R5.1", f"{card} is forgone")
        if name == "clay-golem":
            self.lift(card)
            return
        again = (name in CURES and CURES[name][0] == effect and CURES[name][2]) or (
            name in BURNS_LIGHT or (name, effect) == ("outlands-slayer", 2)
        )
        if (card, effect) in turn.used and not again:
            raise RuleBrokenError("R2.4", f"{name} {effect} twice")
        if "weapon" in t.types(card) and card not in turn.holds:
            raise RuleBrokenError("R4.3", f"{name} is not equipped")
        turn.used.add((card, effect))
        if name in CURES and CURES[name][0] == effect:
            self.pay(lambda c: c.name == "disease", card.name)
            t.draw(t.active, CURES[name][1])
        elif name in DRAWS and DRAWS[name][0] == effect:
            t.draw(t.active, DRAWS[name][1])
        elif (name, effect) == ("divine-prophet", 2):
            t.draw(t.active, 2 * len(self.hand(lambda c: is_monster(c.name))))
        elif name in STRENGTHENS_OTHERS and effect == 1:
            turn.all_stronger.append((STRENGTHENS_OTHERS[name], card))
        elif name in ONLY_OTHERS and ONLY_OTHERS[name] == effect:
            self.weaken_others(card, name)
        elif name in ONE_MEAL or (name, effect) == ("outlands-slayer", 2):
            self.pay(self.food, card.name)
            turn.attack.append((card, ONE_MEAL.get(name, 3)))
        elif name in BURNS_LIGHT:
            self.pay(self.light_item, card.name)
            turn.magic.append((card, BURNS_LIGHT[name]))
        elif name in COUNTS_AT_BATTLE and effect == 1:
            pass  # read when the battle begins (R4.9)
        elif effect != 1 or name not in DEEDS:
            raise RuleBrokenError("R4.1", f"{name} has no effect {effect} in the dungeon")
        else:
            DEEDS[name](self, card)

    def weaken_others(self, card: Card, name: str) -> None:
        """What the others discard to a thief or a witch; the Witch has 2 Magic Attack unless a spell lies there."""
        t = self.t
        fits = has_gold if name == "gangland-heavy" else lambda _: True
        amount = 2 if name == "redblade-assassin" else 1
        given = [
            lost
            for seat in t.others
            for lost in others_discard(t, seat, card.name, fits, amount, instead=name == "redblade-assassin")
        ]
        if name == "runespawn-witch" and not any("spell" in types_of(lost.name) for lost in given):
            t.turn.magic.append((card, 2))

    def iron_rations(self, card: Card) -> None:
        self.feed(card, 2)

    def goodberries(self, card: Card) -> None:
        to = self.feed(card, 3)
        if to is not None:
            self.t.turn.berries.add(to)

    def feed(self, card: Card, amount: int) -> Card | None:
        to = self.t.choose("on", self.heroes(), card.name)
        if to is not None:
            self.t.turn.stronger.append((to, amount))
        return to

    def feast(self, _: Card) -> None:
        self.t.turn.all_stronger.append((3, None))
        self.t.turn.all_attack += 1

    def ambrosia(self, _: Card) -> None:
        self.t.turn.all_stronger.append((2, None))
        self.t.turn.all_attack += 1
        self.t.turn.ambrosia = True

    def amulet(self, _: Card) -> None:
        self.t.turn.all_stronger.append((3, None))

    def fury(self, _: Card) -> None:
        self.t.turn.fury += 1

    def energies(self, _: Card) -> None:
        self.t.turn.arcane = True
        self.t.draw(self.t.active, 1)

    def aura(self, _: Card) -> None:
        self.t.turn.aura = True
        self.t.draw(self.t.active, 1)

    def archmage(self, card: Card) -> None:
        self.move_under(card.name)

    def lord(self, card: Card) -> None:
        self.pay(self.food, card.name)
        monster = self.t.choose("take", [c for c in movable(self.t) if worth_1_or_2(c)], card.name)
        if monster is not None:
            take(self.t, monster)

    def staff(self, card: Card) -> None:
        self.t.destroy_own(card)
        self.move_under("magi-staff")
        if not self.t.over:
            self.t.draw(self.t.active, 1)

    def spear(self, card: Card) -> None:
        """It counts as equipped until the battle ends (R5.3)."""
        self.t.active.hand.remove(card)
        self.t.destroy(card)
        self.t.turn.thrown.add(card)

    def bow(self, card: Card) -> None:
        if "archer" not in self.t.types(self.t.turn.holds[card]):
            raise RuleBrokenError("short-bow", "no archer holds it")

    def elixir(self, _: Card) -> None:
        t = self.t
        top = t.dungeon[:SEEN_BY_ELIXIR]
        names = [card.name for card in top]
        if t.script.offers("top", by="foresight-elixir"):
            order = t.script.take()["top"]
            if Counter(order) != Counter(names):
                raise RuleBrokenError("foresight-elixir", f"{order} of {names}")
            t.dungeon[:SEEN_BY_ELIXIR] = in_order(top, order)
        elif len(set(names)) > 1:
            raise t.script.missing("foresight-elixir", f"the order of {names}")
        t.draw(t.active, 2)

    def banish(self, card: Card) -> None:
        """A monster under the deck or the hall in another order, then destroy a card and draw one."""
        t = self.t
        p, _ = view(t)
        if t.script.offers("order", by="banish"):
            self.reorder(t.script.take()["order"])
        else:
            fixed = [c for c, slot in zip(t.hall, p.hall, strict=True) if slot and held(p, slot)]
            sent = t.choose("bottom", [c for c in movable(t) if c not in fixed], "banish")
            if sent is not None:
                send_under(t, sent)
        if t.over:  # the game ends at once (R4.6)
            return
        victim = t.choose("destroy", self.hand(lambda c: c is card or self.untouched(c)), "banish")
        if victim is not None:
            t.destroy_own(victim)
        t.draw(t.active, 1)

    def reorder(self, order: Sequence[str | None]) -> None:
        t = self.t
        p, _ = view(t)
        first = t.hall[0]
        old = list(t.hall)
        new: list[Card | None] = []
        for name in order:
            fitting = [c for c in old if c and c not in new and name in (c.name, *t.called_in_hall(c))]
            new.append(fitting[0] if fitting else None)
        stuck = any(
            was is not now and (was is None or now is None or (slot is not None and held(p, slot)))
            for was, now, slot in zip(old, new, p.hall, strict=True)
        )
        if stuck or Counter(map(id, old)) != Counter(map(id, new)):
            raise RuleBrokenError("R6.8", f"{old} in the order {order}")
        t.hall = new
        refill(t, first)

    def creep(self, _: Card) -> None:
        """Every monster loses 2 Health; those without go to the own discard pile, without XP."""
        t = self.t
        for seat in t.others:
            t.gain_disease(seat)
        for card in (*t.hall, *t.rank0):
            if card and is_monster(card.name) and card.name != "fire-wrath":
                t.turn.hurt[card] = t.turn.hurt.get(card, 0) + 2
        p, _at = view(t)
        first = t.hall[0]
        fallen = [
            c for c, slot in zip(t.hall, p.hall, strict=True) if c in movable(t) and slot and health(p, slot) <= 0
        ]
        for card in fallen:
            if card is not None:
                t.hall[t.hall.index(card)] = None
                t.active.discard.append(card)
        if fallen:
            refill(t, first)


def in_order(cards: list[Card], names: list[str]) -> list[Card]:
    left = list(cards)
    return [left.pop(next(n for n, c in enumerate(left) if c.name == name)) for name in names]


DEEDS: dict[str, Callable[[Delve, Card], None]] = {
    "iron-rations": Delve.iron_rations,
    "goodberries": Delve.goodberries,
    "feast": Delve.feast,
    "ambrosia": Delve.ambrosia,
    "amulet-of-power": Delve.amulet,
    "battle-fury": Delve.fury,
    "arcane-energies": Delve.energies,
    "magical-aura": Delve.aura,
    "banish": Delve.banish,
    "creeping-death": Delve.creep,
    "spear": Delve.spear,
    "short-bow": Delve.bow,
    "magi-staff": Delve.staff,
    "foresight-elixir": Delve.elixir,
    "illusory-blade": lambda delve, card: conjure(delve.t, card),
    "thyrian-lord": Delve.lord,
    "elf-archmage": Delve.archmage,
    "gohlen-hunter": lambda delve, card: hunt(delve.t, card),
    "diin-beguiler": lambda delve, card: beguile(delve.t, card),
    "diin-enchanter": lambda delve, card: enchant(delve.t, card),
    "selurin-theurge": lambda delve, card: lend(delve.t, card),
    "toryn-gladiator": lambda delve, card: lend(delve.t, card),
}
