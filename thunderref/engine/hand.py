"""The revealed hand: finding, replacing and removing cards, whether they lie free or a hero holds them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from thunderref.engine.state import SPENT, THROWN, Ref, Slot, State
from thunderref.engine.values import replace


@lru_cache(maxsize=4096)
def fresh(card: str, copy: int) -> Slot:
    """A copy of a card as it comes into a hand."""
    return Slot(card, copy)


def dealt(cards: Iterable[str]) -> tuple[Slot, ...]:
    """The cards as a hand, copies numbered from 1."""
    copies: dict[str, int] = {}
    found = []
    for card in cards:
        copies[card] = copy = copies.get(card, 0) + 1
        found.append(fresh(card, copy))
    return tuple(found)


def slots(state: State) -> list[tuple[Slot, Slot | None]]:
    """Every card with the hero who holds it, None for a card that lies free."""
    found: list[tuple[Slot, Slot | None]] = []
    for slot in state.hand:
        found.append((slot, None))
        if slot.weapons:
            found += [(weapon, slot) for weapon in slot.weapons]
    return found


def revealed(state: State) -> list[Slot]:
    """Every card, whether it lies free or a hero holds it."""
    found: list[Slot] = []
    for slot in state.hand:
        found.append(slot)
        if slot.weapons:
            found += slot.weapons
    return found


def find(state: State, ref: Ref) -> tuple[Slot, Slot | None]:
    """The card of that name and its holder; KeyError if it is not in the hand."""
    card, copy = ref
    for slot in state.hand:
        if slot.card == card and slot.copy == copy:
            return slot, None
        for weapon in slot.weapons:
            if weapon.card == card and weapon.copy == copy:
                return weapon, slot
    raise KeyError(ref)


def in_play(slot: Slot) -> bool:
    """False for a thrown weapon: it counts as equipped but is gone (R5.3)."""
    return not slot.flags & THROWN


def replaced(state: State, ref: Ref, new: Slot) -> State:
    """The state with the card ``ref`` changed into ``new``."""
    card, copy = ref
    for place, slot in enumerate(state.hand):
        if slot.card == card and slot.copy == copy:
            return _with_slot(state, place, new)
        for n, weapon in enumerate(slot.weapons):
            if weapon.card == card and weapon.copy == copy:
                held = replace(slot, weapons=(*slot.weapons[:n], new, *slot.weapons[n + 1 :]))
                return _with_slot(state, place, held)
    return state


def _with_slot(state: State, place: int, slot: Slot) -> State:
    return replace(state, hand=(*state.hand[:place], slot, *state.hand[place + 1 :]))


def removed(state: State, ref: Ref) -> State:
    """The state without the card ``ref``; weapons of a removed hero lie free but are spent (R4.3).

    What the card's used effects gave the others stands (R5.4).
    """
    hand: list[Slot] = []
    gone, _ = find(state, ref)
    state = unlent(state, ref)
    used = tuple(number for number in gone.used if number)
    if used:
        state = replace(state, gone=tuple(sorted((*state.gone, (gone.face, used)))))
    for slot in state.hand:
        if (slot.card, slot.copy) == ref:
            hand.extend(replace(w, flags=w.flags | SPENT) for w in slot.weapons if in_play(w))
        elif slot.weapons and any((w.card, w.copy) == ref for w in slot.weapons):
            hand.append(replace(slot, weapons=tuple(w for w in slot.weapons if (w.card, w.copy) != ref)))
        else:
            hand.append(slot)
    return replace(state, hand=tuple(hand))


def returned(state: State, slot: Slot) -> State:
    """A borrowed card leaves the hand for the discard pile of its owner (R4.7)."""
    owner = dict(state.world.lent).get(slot.ref) if state.world is not None else None
    state = removed(state, slot.ref)
    if state.world is None or owner is None:  # his own: nobody else's hand is known
        return replace(state, discarded=(*state.discarded, slot.ref))
    pile = (*state.world.seats[owner].discard, slot.card)
    return replace(state, world=state.world.with_seat(owner, discard=pile))


def unlent(state: State, ref: Ref) -> State:
    """The state in which nobody waits for this copy to come back: it is gone or on its way."""
    if state.world is None or not state.world.lent:
        return state
    lent = tuple(entry for entry in state.world.lent if entry[0] != ref)
    return replace(state, world=replace(state.world, lent=lent))


def equipped(state: State, weapon: Ref, hero: Ref) -> State:
    """The state with a free weapon in a hero's hands."""
    held, _ = find(state, weapon)
    hand = [
        replace(slot, weapons=(*slot.weapons, held)) if (slot.card, slot.copy) == hero else slot
        for slot in state.hand
        if (slot.card, slot.copy) != weapon
    ]
    return replace(state, hand=tuple(hand))


def next_copy(state: State, card: str) -> int:
    """The number of the next copy of ``card`` to be revealed."""
    last = 0
    for slot in revealed(state):
        if slot.card == card and slot.copy > last:
            last = slot.copy
    for name, copy in (*state.destroyed, *state.discarded, *state.caged):
        if name == card and copy > last:
            last = copy
    return last + 1


def drawn(state: State, cards: Iterable[str]) -> tuple[Slot, ...]:
    """These cards as the next copies to be revealed."""
    copies: dict[str, int] = {}
    for card, copy in (
        *[(slot.card, slot.copy) for slot in revealed(state)],
        *state.destroyed,
        *state.discarded,
        *state.caged,
    ):
        if copy > copies.get(card, 0):
            copies[card] = copy
    found = []
    for card in cards:
        copies[card] = copy = copies.get(card, 0) + 1
        found.append(fresh(card, copy))
    return tuple(found)


def with_card(state: State, card: str, flags: int = 0) -> State:
    """The state with one more card in the hand."""
    return replace(state, hand=(*state.hand, Slot(card, next_copy(state, card), flags=flags)))
