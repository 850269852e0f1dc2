"""Who else fights in a turn of a whole game: borrowed, conjured and copied heroes and weapons (R4.7, R4.10, R6.4)."""

from __future__ import annotations

from .facts import CARDS, is_hero, is_monster
from .market import others_discard
from .strife import view
from .table import Card, RuleBrokenError, Seat, Table, hero, types_of


def heroes(t: Table) -> list[Card]:
    return [card for card in t.active.hand if hero(card)]


def hold(t: Table, weapon: Card, to: Card) -> None:
    t.turn.holds[weapon] = to
    t.turn.armed = True
    if weapon.name == "cursed-mace":
        t.gain_disease(t.active)


def hunt(t: Table, card: Card) -> None:
    """Every player gives up a monster card; the others' may be the Hunter's after the battle."""
    own = t.choose("discard", [c for c in t.own() if is_monster(t.name(c))], card.name)
    if own is not None:
        t.discard_own(own)
    given = [lost for seat in t.others for lost in others_discard(t, seat, card.name, lambda c: is_monster(c.name))]
    t.turn.hunted += [(card, lost) for lost in given]


def beguile(t: Table, card: Card) -> None:
    """A Militia becomes a copy of another hero (R4.10)."""
    militia = t.choose("militia", [h for h in heroes(t) if "militia" in t.types(h)], card.name)
    models = [h for h in heroes(t) if h is not militia and t.name(h) != "diin-beguiler"]
    model = t.choose("copy", models, card.name) if militia else None
    if militia is not None and model is not None:
        t.turn.copied[militia] = t.name(model)


def enchant(t: Table, card: Card) -> None:
    """A hero of the village fights for one battle (R6.4)."""
    militia = t.choose("discard", [c for c in t.own() if "militia" in t.types(c)], card.name)
    if militia is None:
        raise RuleBrokenError("R2.4", "no Militia to pay with")
    t.discard_own(militia)
    fetch(t, "recruit", [n for n in t.on_top() if is_hero(n)], card.name)


def fetch(t: Table, key: str, names: list[str], by: str) -> Card | None:
    chosen = t.script.choose(key, [Card(name) for name in names], by, lambda c: (c.name,))
    if chosen is None:
        return None
    new = t.sell(chosen.name)
    t.active.hand.append(new)
    t.turn.shown.append(new)
    t.turn.passing.add(new)
    return new


def conjure(t: Table, card: Card) -> None:
    """A weapon of the village in the hand of a hero strong enough for it."""
    p, at = view(t)
    strong = {
        h: p.strength(at[h]) for h in heroes(t) if t.name(h).startswith("toryn-") or h not in t.turn.holds.values()
    }

    def may_hold(name: str) -> list[Card]:
        return [h for h, most in strong.items() if t.turn.aura or (CARDS[name].get("weight") or 0) <= most]

    weapons = [n for n in t.on_top() if "weapon" in types_of(n) and may_hold(n)]
    weapon = fetch(t, "draw", weapons, card.name)
    if weapon is not None:
        to = t.choose("to", may_hold(weapon.name), card.name)
        assert to is not None
        hold(t, weapon, to)


def lend(t: Table, card: Card) -> None:
    """Every player gives up a hero (Theurge) or a weapon (Gladiator); one of them may fight here."""
    weapons = t.name(card) == "toryn-gladiator"

    def fits(c: Card) -> bool:
        return "weapon" in types_of(c.name) if weapons else is_hero(c.name)

    lent: list[tuple[Card, Seat]] = []
    own = t.choose("discard", [c for c in t.own() if fits(c)], card.name)
    if own is not None:
        t.discard_own(own)
        lent.append((own, t.active))
    for seat in t.others:
        lent += [(c, seat) for c in others_discard(t, seat, card.name, fits) if c in seat.discard]
    p, at = view(t)
    if weapons:
        room = p.strength(at[card]) if card in t.active.hand else -1
        lent = [(c, s) for c, s in lent if room >= 0 and (t.turn.aura or (CARDS[c.name].get("weight") or 0) <= room)]
    chosen = borrowed(t, lent, card.name)
    if chosen is not None:
        loan, seat = chosen
        seat.discard.remove(loan)
        t.active.hand.append(loan)
        if loan not in t.turn.shown:
            t.turn.shown.append(loan)
        t.turn.borrowed[loan] = seat
        if weapons:
            hold(t, loan, card)


def borrowed(t: Table, lent: list[tuple[Card, Seat]], by: str) -> tuple[Card, Seat] | None:
    if not lent:
        return None
    if t.script.offers("borrow", by=by):
        step = t.script.take()
        for loan, seat in lent:
            if step["borrow"] in (*t.called(loan), loan.name) and step.get("seat") in (None, seat.number):
                return loan, seat
        raise RuleBrokenError("R4.7", f"{step} of {lent}")
    if t.script.offers("decline", by=by):
        t.script.take()
        return None
    raise t.script.missing("R4.7", f"which of {lent} is borrowed?")


def give_back(t: Table) -> None:
    """What was borrowed or fetched for the battle leaves, if there was none (R4.8)."""
    for card in [c for c in t.active.hand if c in t.turn.passing]:
        t.destroy_own(card)
    for card in [c for c in t.active.hand if c in t.turn.borrowed]:
        t.leave_hand(card)
        t.turn.borrowed[card].discard.append(card)
