"""The revealed hand: finding, replacing and removing cards, whether they lie free or a hero holds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from thunderref.errors import IllegalStepError
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.position import IN_DECK, Position, Ref, Slot, key_of_slot, replace, table_of, without

LASTING_FLAGS = position.FORGONE | position.SPENT | position.DISARMED | position.UNSURE
"""The flags that a card keeps until the turn ends, wherever it goes (R2.4)."""


def to_slots(cards: Iterable[str], copies: dict[str, int] | None = None) -> tuple[Slot, ...]:
    """The cards as slots, copies numbered from 1, or after those that ``copies`` counts."""
    last = {} if copies is None else copies
    numbered = []
    for card in cards:
        last[card] = copy = last.get(card, 0) + 1
        numbered.append(Slot(card, copy))
    return tuple(numbered)


def slots(state: Position) -> list[tuple[Slot, Slot | None]]:
    """Every revealed card with the hero who holds it."""
    return [(one, None if one is slot else slot) for slot in state.hand for one in (slot, *slot.weapons)]


def all_slots(state: Position) -> list[Slot]:
    revealed: list[Slot] = []
    for slot in state.hand:
        revealed.append(slot)
        if slot.weapons:
            revealed += slot.weapons
    return revealed


def find(state: Position, ref: Ref) -> tuple[Slot, Slot | None]:
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
    return not slot.flags & position.THROWN


def replace_card(state: Position, ref: Ref, new: Slot) -> Position:
    card, copy = ref
    for place, slot in enumerate(state.hand):
        changed = new if slot.card == card and slot.copy == copy else None
        for n, weapon in enumerate(slot.weapons):
            if weapon.card == card and weapon.copy == copy:
                changed = replace(slot, weapons=(*slot.weapons[:n], new, *slot.weapons[n + 1 :]))
        if changed is not None:
            return replace(state, hand=(*state.hand[:place], changed, *state.hand[place + 1 :]))
    return state


def flag_card(state: Position, ref: Ref, flag: int) -> Position:
    slot, _ = find(state, ref)
    return replace_card(state, ref, replace(slot, flags=slot.flags | flag))


def mark_hero(state: Position, ref: Ref, mark: tuple[str, int]) -> Position:
    """The state in which the hero has the (card, ability number) of an effect that is given to one hero only."""
    hero, _ = find(state, ref)
    return replace_card(state, ref, replace(hero, marks=tuple(sorted((*hero.marks, mark)))))


def is_foreign(state: Position, slot: Slot) -> bool:
    """True for a card that was never the player's: conjured, recruited, borrowed from another."""
    lent = state.table.lent if state.table is not None else ()
    return bool(slot.flags & position.FLEETING) or any(ref == slot.ref for ref, _ in lent)


def note_destroyed(state: Position, slot: Slot) -> Position:
    """The state that counts the card as destroyed but leaves it where it is."""
    foreign = (*state.foreign, slot.ref) if is_foreign(state, slot) else state.foreign
    return replace(state, destroyed=(*state.destroyed, slot.ref), foreign=foreign)


def destroy_card(state: Position, ref: Ref) -> Position:
    slot, holder = find(state, ref)
    if holder is not None:
        state = flag_card(state, holder.ref, position.DISARMED)
    return remove_card(note_destroyed(state, slot), ref)


def remove_card(state: Position, ref: Ref) -> Position:
    """The state without the card; a hero's weapons lie free but spent (R4.3), its used effects stand (R5.4)."""
    hand: list[Slot] = []
    gone, holder = find(state, ref)
    state = end_loan(state, ref)
    used = tuple(filter(None, uses_of(state, gone)))
    if holder is not None or gone.weapons:  # it was equipped, and that was a benefit (R5.1)
        state = replace(state, benefits=state.benefits | position.WEAPON_USED)
    if used:
        state = replace(state, gone=tuple(sorted((*state.gone, (gone.face, used)))))
    for slot in state.hand:
        if (slot.card, slot.copy) == ref:
            hand.extend(replace(w, flags=w.flags | position.SPENT) for w in slot.weapons if in_play(w))
        elif slot.weapons and any((w.card, w.copy) == ref for w in slot.weapons):
            hand.append(replace(slot, weapons=tuple(w for w in slot.weapons if (w.card, w.copy) != ref)))
        else:
            hand.append(slot)
    return replace(state, hand=tuple(hand))


def return_card(state: Position, slot: Slot) -> Position:
    """A borrowed card leaves the hand for the discard pile of its owner (R4.7)."""
    owner = dict(state.table.lent).get(slot.ref) if state.table is not None else None
    if state.table is None or owner is None:  # their own: nobody else's hand is known
        return discard_card(state, slot.ref)
    state = remove_card(state, slot.ref)
    return replace(state, table=table_of(state).onto_pile(owner, slot.card))


def discard_card(state: Position, ref: Ref) -> Position:
    """The state with the card on the own discard pile."""
    state = put_away(state, ref)
    return replace(state, discarded=(*state.discarded, ref))


def put_away(state: Position, ref: Ref, where: int = 0) -> Position:
    """The state without the card, which is remembered as it is: it may come back this turn (R2.4)."""
    slot, holder = find(state, ref)
    flags = slot.flags & LASTING_FLAGS | (0 if holder is None else position.SPENT) | where
    state = remove_card(state, ref)
    return replace(state, away=(replace(slot, weapons=(), flags=flags), *state.away))


def come_back(state: Position, card: str, copies: int) -> tuple[Position, Slot]:
    """The card drawn off the own deck, as it left the hand this turn or as new (R2.4), and the state without it there.

    ``copies`` of its name are in the deck, itself included. Where it cannot be known which of them was drawn, it is the
    used one, and what was given to that one alone does not count.
    """
    there = [slot for slot in state.away if slot.flags & position.ON_DECK][:1]  # the last one put there lies on top
    there = there or [slot for slot in state.away if slot.flags & IN_DECK and slot.card == card]
    is_certain = len(set(map(key_of_slot, there))) == 1 and (there[0].flags & position.ON_DECK or len(there) >= copies)
    fitting = there if is_certain else [slot for slot in there if is_spent(slot) or key_of_slot(slot)[1:] == AS_NEW]
    if not fitting:
        return state, next_slots(state, (card,))[0]
    slot = max(fitting, key=lambda slot: (is_spent(slot), len(slot.used)))
    flags = slot.flags & LASTING_FLAGS
    if is_certain or not is_spent(slot):
        return take_back(state, slot), replace(slot, flags=flags)
    state = replace(state, away=without(state.away, slot))
    return state, replace(slot, flags=flags | position.UNSURE, marks=(), fixed=())


def take_back(state: Position, slot: Slot) -> Position:
    """The state in which the card is away no longer: what was used of it does not stand by itself any more (R2.4)."""
    used = () if slot.flags & position.UNSURE else tuple(filter(None, slot.used))
    gone = without(state.gone, (slot.face, used)) if used else state.gone
    return replace(state, away=without(state.away, slot), gone=gone)


def uses_of(state: Position, slot: Slot) -> tuple[int, ...]:
    """The abilities that a card used, but for what stands by itself since perhaps another used it (R2.4)."""
    if not slot.flags & position.UNSURE:
        return slot.used
    before = [number for card, numbers in state.gone if card == slot.face for number in numbers]
    return tuple((Counter(slot.used) - Counter(before)).elements())


AS_NEW = key_of_slot(Slot("", flags=IN_DECK))[1:]


def is_spent(slot: Slot) -> bool:
    """True for a card away from the hand that can do less than a new one; a copy of another hero is none (R4.10)."""
    return not slot.form and bool(slot.used or slot.flags & LASTING_FLAGS)


def new_deck(state: Position, **changes: Any) -> Position:
    """The state in which the own discard pile was shuffled into a new deck (R2.2)."""
    if state.away:
        refs = state.discarded[state.shuffled[0] :]
        slots = [replace(slot, flags=slot.flags | IN_DECK) if slot.ref in refs else slot for slot in state.away]
        state = replace(state, away=tuple(slots))
    return replace(state, pile=(), shuffled=(len(state.discarded), len(state.gained)), **changes)


def end_loan(state: Position, ref: Ref) -> Position:
    """The state in which this lent copy is no longer waited for: it is gone or on its way."""
    if state.table is None or not state.table.lent:
        return state
    lent = tuple(entry for entry in state.table.lent if entry[0] != ref)
    return replace(state, table=replace(state.table, lent=lent))


def equip(state: Position, weapon: Ref, hero: Ref) -> Position:
    weapon_slot, _ = find(state, weapon)
    hand = list(without(state.hand, weapon_slot))
    place = [slot.ref for slot in hand].index(hero)
    hand[place] = replace(hand[place], weapons=(*hand[place].weapons, weapon_slot))
    return replace(state, hand=tuple(hand))


def next_copy(state: Position, card: str) -> int:
    """The number of the next copy of ``card`` to be revealed."""
    return next_slots(state, (card,))[0].copy


def next_slots(state: Position, cards: Iterable[str]) -> tuple[Slot, ...]:
    """These cards as the next copies to be revealed."""
    copies: dict[str, int] = {}
    present = [(slot.card, slot.copy) for slot in all_slots(state)]
    away = [slot.ref for slot in state.away]
    for card, copy in (*present, *state.destroyed, *state.discarded, *state.caged, *away):
        copies[card] = max(copy, copies.get(card, 0))
    return to_slots(cards, copies)


def add_card(state: Position, card: str, flags: int = 0) -> Position:
    """The state with the next copy of the card at the end of the hand."""
    return replace(state, hand=(*state.hand, Slot(card, next_copy(state, card), flags=flags)))


def off_deck(state: Position, *, destroyed: bool) -> Position:
    """The state with the top card of the own deck destroyed, or else discarded."""
    state, slot = come_back(state, state.deck[0], state.deck.count(state.deck[0]))
    state = replace(state, deck=state.deck[1:], hand=(*state.hand, slot))
    if not destroyed:
        return discard_card(state, slot.ref)
    return remove_card(replace(state, destroyed=(*state.destroyed, slot.ref)), slot.ref)


def not_in_play(position: Position, ref: Ref, rule: str = "") -> IllegalStepError:
    """The error for a card that is not in hand, or no more; it says what became of it; ``rule``: else the moment's."""
    card, copy = ref
    rule = rule or ("R3.1" if position.visit is not None else "R5.2" if position.phase == "battle" else "R4.1")
    if position.visit is None:
        burnt = "R4.2" if position.battle is None or position.phase == "battle" else "R6.3"
        gone = {"destroyed": (position.destroyed, burnt), "discarded": (position.discarded, "R0.3")}
        for why, (refs, its) in {**gone, "caged": (position.caged, "R6.10")}.items():
            if ref in refs:
                return IllegalStepError("not-in-play", rule=its, why=why, card=card, copy=copy)
    elif rule == "R3.5" and card in position.gained:
        return IllegalStepError("hero-just-gained", rule=rule, card=card)
    elif card in (its for its, _ in position.destroyed):
        return IllegalStepError("destroyed-card", rule=rule, card=card)
    return IllegalStepError("not-in-play", rule=rule, card=card, copy=copy)
