"""What must be lost for a battle at least: cards destroyed before it, in it, or to move a monster."""

from __future__ import annotations

from thunderref.engine.book import Spec
from thunderref.model.effect import BattleDestroy, EachPlayerDestroys
from thunderref.solve.bound import Aimed, has_magic, most, usable_weapons
from thunderref.solve.holding import Holding, frugal, one_less, price_of, without_one_hero


def needed_losses(hand: Holding, aim: Aimed, total: int) -> list[Spec]:
    """Cards that must be destroyed for their effect if the battle is to come to this total."""
    found: list[Spec] = []
    for less, spent in one_less(hand):
        if any(spec is other for spec in spent for other in found):  # nothing is destroyed twice
            continue
        reached = most(less, aim)
        if reached is None or reached[0] < total:
            found += spent
    return found


def least_loss(
    hand: Holding, aim: Aimed, *, moved: bool, spilled: int, stays: bool, needed: list[Spec]
) -> tuple[int, int]:
    """The least that is lost before and in the battle: victory points and purchase cost.

    ``moved`` if a monster must be moved for it first; ``spilled`` cards at most may leave the hand for nothing, and as
    many as effects of the hand discard, but none that matters if all ``stays``; those ``needed`` are destroyed anyway.
    What is destroyed to move a monster, or is about to be, may be the one card that the battle would destroy.
    """
    forced, others = _forced(hand, aim, spilled, stays=stays, needed=needed)
    vp = sum(spec.vp or 0 for spec in needed)
    cost = sum(spec.cost for spec in needed)
    paid = hand.move_cost(spilled, stays=stays) if moved and hand.paid else (0, 0)
    spent = (paid[0] + hand.pending[0], paid[1] + hand.pending[1])
    if (0, 0) in (paid, hand.pending) and others:
        forced = (forced[0] + spent[0], forced[1] + spent[1])
    else:
        forced = max(forced, spent)
    return vp + forced[0], cost + forced[1]


def _forced(
    hand: Holding, aim: Aimed, spilled: int, *, stays: bool, needed: list[Spec]
) -> tuple[tuple[int, int], bool]:
    """The least that the target's battle effects destroy, and whether that is so with any one card less in the hand."""
    least, others = (0, 0), True
    doomed: list[Spec] = []  # everything of some kinds
    bare = 0
    for op in aim.foe.battle:
        if not isinstance(op, BattleDestroy | EachPlayerDestroys):
            continue
        if isinstance(op, BattleDestroy) and op.unarmed_party and hand.weapons:
            continue
        kept = [spec for spec in hand.present if spec.matches(op.select) and not (hand.spares and spec.is_hero)]
        there = _less(kept, needed)
        if op.select.bare:
            there = _bare(hand, aim, there)
            bare += hand.converts + len(usable_weapons(hand, aim))
        loose = 0 if stays else spilled + hand.escapes(there)
        if len(there) <= loose:
            continue
        if isinstance(op, BattleDestroy) and op.all:
            doomed += [spec for spec in there if not any(spec is other for other in doomed)]
            continue
        strongest = isinstance(op, BattleDestroy) and op.strongest
        victims = [spec for spec in _less(hand.cards, needed) if spec.matches(op.select)]
        victims = _strongest(hand, loose) if strongest else victims
        loss = min((0, 0) if hand.spares and spec.is_hero else price_of(spec) for spec in victims)
        if loss > least:
            least, others = loss, len(there) > loose + 1
    loose = 0 if stays else spilled + hand.escapes(doomed)
    together = sorted(price_of(spec) for spec in doomed)[: max(0, len(doomed) - loose - bare)]
    loss = (sum(vp for vp, _ in together), sum(cost for _, cost in together))
    return (loss, False) if loss > least else (least, others)


def most_without(hand: Holding, aim: Aimed, total: int, spilled: int) -> int:
    """The most that the hand comes to if a hero leaves it, or another card that the foe would destroy; ``total`` at
    most."""
    selects = [op.select for op in aim.foe.battle if isinstance(op, BattleDestroy | EachPlayerDestroys)]
    doomed = [spec for spec in hand.present if not spec.is_hero and any(spec.matches(select) for select in selects)]
    leaving = [spec for spec in doomed if spilled or hand.escapes([spec])]
    weapons = [weapon for weapon, _, _ in hand.weapons]
    if any(spec not in weapons for spec in leaving):
        return total
    lefts = [*without_one_hero(hand), *(hand.without_weapon(spec) for spec in dict.fromkeys(leaving))]
    reached = [most(left, aim) for left in lefts]
    return min(total, max((one[0] for one in reached if one is not None), default=0))


def _less(cards: list[Spec], gone: list[Spec]) -> list[Spec]:
    """The cards without those that are gone."""
    left = list(cards)
    for spec in gone:
        if spec in left:
            left.remove(spec)
    return left


def _bare(hand: Holding, aim: Aimed, heroes: list[Spec]) -> list[Spec]:
    """Of these heroes those who have no Magic Attack of their own whatever is done for them, conversions apart.

    As many of them as there are weapons and conversions may escape a monster that destroys such heroes.
    """
    ever = [one.spec for one in hand.heroes if has_magic(hand, one, aim)]
    return [spec for spec in heroes if not any(spec is other for other in ever)]


def _strongest(hand: Holding, loose: int) -> list[Spec]:
    """The heroes who may come to be the strongest when so many others have left the hand.

    What is given to all reaches both of two heroes or neither, so one gets above another only by what is his alone.
    """
    here = [hero for hero in hand.heroes if hero.slot.copy]
    return [
        hero.spec
        for hero in hand.heroes
        if sum(hand.strength_beside(hero, other) < other.spec.strength for other in here) <= loose
    ]


def least_splurge(hand: Holding, foe: Spec) -> tuple[int, int]:
    """The least that is lost if a card is destroyed for an effect that :func:`.holding.frugal` rules out.

    The foe destroys no such card, so it is lost beside all others.
    """
    sparing = frugal(hand, foe)
    selects = [price.select for price in hand.prices if price not in sparing.prices]
    cards = [spec for spec in hand.unused if any(spec.matches(select) for select in selects)]
    for (spec, use, _), (_, kept, _) in zip(hand.weapons, sparing.weapons, strict=True):
        cards += [spec] if use != kept else []
    return min((price_of(spec) for spec in cards), default=(0, 0))
