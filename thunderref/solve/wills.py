"""What the other players of a described scenario may choose: each way they can, so that the worst of them is told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from typing import Any

from thunderref.engine.state import State, Table
from thunderref.engine.values import replace
from thunderref.engine.world import Will
from thunderref.errors import IllegalStepError, InputError
from thunderref.model.effect import Borrow, Custom, MagicUnlessDiscarded, Operation, Select
from thunderref.solve.notation import FindCard, Step

MOST_WAYS = 27
"""More ways than this are not tried; the result is then not proven."""
MONSTERS = Select(kind="monster")


def ways(table: Table, state: State) -> tuple[list[tuple[Will, ...]], bool]:
    """The ways in which the other players' choices may matter to the active player; one if they do not matter.

    At most :data:`MOST_WAYS`; the second value is False if there are more.
    """
    world = state.world
    if world is None:
        return [()], True
    named = tuple(will for will in world.wills if will[2])
    effects = [op for card in _own_cards(state) for ability in table.book[card].dungeon for op in ability.instant]
    kinds: list[list[tuple[Will, ...]]] = []
    for seat in world.others():
        hand = sorted(set(world.seats[seat].hand))
        for operation in effects:
            liked = _liked(table, operation, hand)
            if len(liked) > 1:
                kinds.append([((seat, card, ""),) for card in liked])
    different = list(dict.fromkeys(tuple(options) for options in kinds))
    found = [(*named, *(will for part in way for will in part)) for way in islice(product(*different), MOST_WAYS + 1)]
    return found[:MOST_WAYS], len(found) <= MOST_WAYS


def _own_cards(state: State) -> list[str]:
    return sorted({*(slot.card for slot in state.hand), *state.deck})


def _liked(table: Table, operation: Operation, hand: Sequence[str]) -> list[str]:
    """The cards of a hand between which it matters which of them is given up to this effect."""
    book = table.book
    if isinstance(operation, Borrow):
        return [card for card in hand if book[card].matches(operation.select)]
    if isinstance(operation, Custom):
        return [card for card in hand if book[card].matches(MONSTERS)]
    if isinstance(operation, MagicUnlessDiscarded):
        first: dict[bool, str] = {}
        for card in hand:
            first.setdefault(book[card].matches(operation.select), card)
        return list(first.values())
    return []


def named_by(state: State, plan: Sequence[Step], find: FindCard) -> State:
    """The state in which the other players choose what the steps of the plan say under ``others``.

    One card for each other player in turn order, None for one whose choice stays open. Raises IllegalStepError (R4.7)
    for a card that is not in the hand it should come from, InputError for anything but such a list.
    """
    wills: list[Will] = []
    for number, step in enumerate(plan, 1):
        if "others" not in step:
            continue
        cards = step["others"]
        seats = state.world.others() if state.world is not None else ()
        if not isinstance(cards, list) or len(cards) > len(seats) or "use" not in step:
            raise InputError("bad-step-value", step=number, key="others", value=str(cards)[:40])
        source = find(str(step["use"]).partition("#")[0])
        for seat, name in zip(seats, cards, strict=False):
            if name is not None:
                wills.append(_will(state, seat, find(str(name)), source, number))
    if state.world is None or not wills:
        return state
    return replace(state, world=replace(state.world, wills=tuple(wills)))


def _will(state: State, seat: int, card: str, source: str, number: int) -> Will:
    if state.world is None or card not in state.world.seats[seat].hand:
        raise IllegalStepError("other-has-not", rule="R4.7", step=number, card=card, n=seat + 1)
    return (seat, card, source)


def others_of(wills: dict[int, str], state: State) -> list[Any]:
    """The value of ``others`` in a step: what each other player gave up, None for one who had no choice."""
    return [wills.get(seat) for seat in state.world.others()] if state.world is not None else []
