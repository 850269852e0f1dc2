"""The revealed hand: finding, replacing and removing cards, whether they lie free or a hero holds them."""

from __future__ import annotations

from collections.abc import Iterator

from thunderref.engine.state import SPENT, THROWN, Ref, Slot, State


def slots(state: State) -> Iterator[tuple[Slot, Slot | None]]:
    """Every card with the hero who holds it, None for a card that lies free."""
    for slot in state.hand:
        yield slot, None
        for weapon in slot.weapons:
            yield weapon, slot


def find(state: State, ref: Ref) -> tuple[Slot, Slot | None]:
    """The card of that name and its holder; KeyError if it is not in the hand."""
    for slot, holder in slots(state):
        if (slot.card, slot.copy) == ref:
            return slot, holder
    raise KeyError(ref)


def in_play(slot: Slot) -> bool:
    """False for a thrown weapon: it counts as equipped but is gone (R5.3)."""
    return not slot.flags & THROWN


def replaced(state: State, ref: Ref, new: Slot) -> State:
    """The state with the card ``ref`` changed into ``new``."""
    return state._replace(hand=tuple(_replaced(slot, ref, new) for slot in state.hand))


def _replaced(slot: Slot, ref: Ref, new: Slot) -> Slot:
    if (slot.card, slot.copy) == ref:
        return new
    if slot.weapons and any((w.card, w.copy) == ref for w in slot.weapons):
        return slot._replace(weapons=tuple(new if (w.card, w.copy) == ref else w for w in slot.weapons))
    return slot


def removed(state: State, ref: Ref) -> State:
    """The state without the card ``ref``; weapons of a removed hero lie free but are spent (R4.3).

    What the card's used effects gave the others stands (R5.4).
    """
    hand: list[Slot] = []
    gone, _ = find(state, ref)
    state = unlent(state, ref)
    used = tuple(number for number in gone.used if number)
    if used:
        state = state._replace(gone=tuple(sorted((*state.gone, (gone.face, used)))))
    for slot in state.hand:
        if (slot.card, slot.copy) == ref:
            hand.extend(w._replace(flags=w.flags | SPENT) for w in slot.weapons if in_play(w))
        elif slot.weapons and any((w.card, w.copy) == ref for w in slot.weapons):
            hand.append(slot._replace(weapons=tuple(w for w in slot.weapons if (w.card, w.copy) != ref)))
        else:
            hand.append(slot)
    return state._replace(hand=tuple(hand))


def returned(state: State, slot: Slot) -> State:
    """A borrowed card leaves the hand for the discard pile of its owner (R4.7)."""
    owner = dict(state.world.lent).get(slot.ref) if state.world is not None else None
    state = removed(state, slot.ref)
    if state.world is None or owner is None:  # his own: nobody else's hand is known
        return state._replace(discarded=(*state.discarded, slot.ref))
    pile = (*state.world.seats[owner].discard, slot.card)
    return state._replace(world=state.world.with_seat(owner, discard=pile))


def unlent(state: State, ref: Ref) -> State:
    """The state in which nobody waits for this copy to come back: it is gone or on its way."""
    if state.world is None or not state.world.lent:
        return state
    lent = tuple(entry for entry in state.world.lent if entry[0] != ref)
    return state._replace(world=state.world._replace(lent=lent))


def equipped(state: State, weapon: Ref, hero: Ref) -> State:
    """The state with a free weapon in a hero's hands."""
    held, _ = find(state, weapon)
    hand = [
        slot._replace(weapons=(*slot.weapons, held)) if (slot.card, slot.copy) == hero else slot
        for slot in state.hand
        if (slot.card, slot.copy) != weapon
    ]
    return state._replace(hand=tuple(hand))


def next_copy(state: State, card: str) -> int:
    """The number of the next copy of ``card`` to be revealed."""
    numbers = [slot.copy for slot, _ in slots(state) if slot.card == card]
    numbers += [copy for name, copy in (*state.destroyed, *state.discarded, *state.caged) if name == card]
    return max(numbers, default=0) + 1


def with_card(state: State, card: str, flags: int = 0) -> State:
    """The state with one more card in the hand."""
    return state._replace(hand=(*state.hand, Slot(card, next_copy(state, card), flags=flags)))
