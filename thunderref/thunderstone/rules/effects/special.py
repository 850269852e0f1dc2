"""Instant operations that few cards have: borrowing, copying, recruiting, conjuring, foreseeing, wounding the hall."""

from __future__ import annotations

from itertools import permutations, takewhile

from thunderref.database.operations import Borrow, Custom, Foresee, MagicUnlessDiscarded, Select, WoundHall
from thunderref.thunderstone.rules import hall, position
from thunderref.thunderstone.rules.choices import DECLINE, Named, Pick, Rank, Several, Theirs, cards_of
from thunderref.thunderstone.rules.effects import preparation
from thunderref.thunderstone.rules.effects.all_players import brawl
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.figures import health
from thunderref.thunderstone.rules.game import Answers, Apply, Events, Game, Handlers, on_choice, void
from thunderref.thunderstone.rules.hand import add_card, all_slots, find, mark_hero, next_copy, replace_card, take_back
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import Position, Ref, Slot, Task, off_the_stack, replace, table_of, without
from thunderref.thunderstone.rules.readings import is_counted
from thunderref.thunderstone.rules.village import tax


def _lend(game: Game, state: Position, task: Task[Borrow], choice: Pick | None, events: Events) -> Position:
    """All players discard one; in a described scenario what the others discard is unknown (R4.11)."""
    rules = ("R4.7", "R4.11") if state.table is None else ("R4.7",)
    events.append(Event("opponents-discard", task.source[0], rules))
    lent = find(state, choice.value)[0] if choice is not None else None
    if choice is not None:
        state = preparation.discard(state, choice.value, events)
    if lent is None and state.table is None:
        return state
    state = replace(state, todo=(Task("borrow-any", task.source, lent), *state.todo))
    return preparation.others_discard(state, task.source, (task.data.select, 1, None))


def _any_options(game: Game, state: Position, task: Task[Slot | None]) -> Answers:
    lent, discarded = task.data, state.table.shown if state.table is not None else ()
    fits = lent is not None and _may_hold(game, state, task.source, lent.face)
    mine = [Pick("borrow", lent.ref)] if lent is not None and fits else []
    theirs = [entry for entry in dict.fromkeys(discarded) if _may_hold(game, state, task.source, entry[1])]
    return (DECLINE, *mine, *(Theirs("borrow-from", entry) for entry in theirs)) if mine or theirs else ()


def _borrow(game: Game, state: Position, task: Task[Slot], choice: Pick | Theirs, events: Events) -> Position:
    card = cards_of(choice)[0]
    is_weapon = game.cards[card].is_weapon
    events.append(Event("borrowed", card, ("R4.7",), (("by_card", task.source[0]),)))
    if isinstance(choice, Theirs):
        ref, table = (card, next_copy(state, card)), table_of(state).off_pile(*choice.value)
        table = replace(table, lent=(*table.lent, (ref, choice.value[0])))
        state = replace(add_card(state, card, position.BORROWED), table=table)
        return preparation.arm(game, state, ref, task.source) if is_weapon else state
    lent = task.data  # what was used of it stays used (R2.4)
    back = replace(lent, weapons=(), flags=lent.flags | position.BORROWED)
    state = take_back(state, next(slot for slot in state.away if slot.ref == lent.ref))
    state = replace(state, discarded=without(state.discarded, lent.ref), hand=(*state.hand, back))
    return preparation.arm(game, state, lent.ref, task.source) if is_weapon else state


def _may_hold(game: Game, state: Position, source: Ref, card: str) -> bool:
    party, weapon = party_of(game, state), Slot(card)
    strong = (party.strength(hero) >= party.weight(weapon) for hero in party.heroes if hero.ref == source)
    return not game.cards[card].is_weapon or any(strong)


def _ask_next(name: str) -> Apply:
    """Puts on the stack the task that continues with what was chosen."""
    return lambda game, now, task, choice, _: replace(now, todo=(Task(name, task.source, choice.value), *now.todo))


def _model_options(game: Game, state: Position, task: Task[Ref]) -> Answers:
    beguiler, _ = find(state, task.source)
    models = [slot for slot in state.hand if slot.ref != task.data and slot.face != beguiler.face]
    return tuple(Pick("copy", slot.ref) for slot in models if game.cards[slot.face].is_hero)


def _copy_of(game: Game, state: Position, task: Task[Ref], choice: Pick, events: Events) -> Position:
    model, _ = find(state, choice.value)
    militia, _ = find(state, task.data)
    events.append(Event("copied", militia.card, ("R4.10",), (("hero_card", model.face), ("copy", militia.copy))))
    return replace_card(state, task.data, replace(militia, form=model.face))


def _recruit_options(game: Game, state: Position, task: Task[None]) -> Answers:
    there = dict.fromkeys(preparation.perhaps_on_offer(game, state))
    return tuple(Named("recruit", card) for card in there if game.cards[card].is_hero)


def _recruit(game: Game, state: Position, task: Task[None], choice: Named, events: Events) -> Position:
    events.append(Event("recruited", choice.value, ("R4.9",), (("by_card", task.source[0]),)))
    return add_card(off_the_stack(state, choice.value), choice.value, position.FLEETING)


def _blade_options(game: Game, state: Position, task: Task[None]) -> Answers:
    there = dict.fromkeys(preparation.perhaps_on_offer(game, state))
    weapons = [card for card in there if game.cards[card].is_weapon and not game.cards[card].is_hero]
    return tuple(Named("draw", card) for card in weapons if _holders(game, state, card))


def _holders(game: Game, state: Position, card: str) -> list[Slot]:
    party, weapon = party_of(game, state), Slot(card)
    return [hero for hero in party.heroes if party.hand_free(hero) and party.strength(hero) >= party.weight(weapon)]


def _holder_options(game: Game, state: Position, task: Task[str]) -> Answers:
    return tuple(Pick("to", hero.ref) for hero in _holders(game, state, task.data))


def _conjure_to(game: Game, state: Position, task: Task[str], choice: Pick, events: Events) -> Position:
    card, by = task.data, task.source[0]
    events.append(Event("conjured", card, ("R4.3",), (("hero_card", choice.value[0]), ("by_card", by))))
    after = add_card(off_the_stack(state, card), card, position.FLEETING)
    return preparation.arm(game, after, (card, next_copy(state, card)), choice.value)


def _foresee_options(game: Game, state: Position, task: Task[Foresee]) -> Answers:
    top_cards = takewhile(position.UNKNOWN.__ne__, state.dungeon[: task.data.amount])
    orders = dict.fromkeys(permutations(top_cards))
    return tuple(Several("top", order) for order in orders) if len(orders) > 1 else ()


def _foresee(game: Game, state: Position, task: Task[Foresee], choice: Several | None, events: Events) -> Position:
    events.append(Event("foreseen", task.source[0], ("R4.1",), (("n", task.data.amount),)))
    top = () if choice is None else choice.value
    return replace(state, dungeon=(*top, *state.dungeon[len(top) :]))


def _wound(game: Game, state: Position, task: Task[WoundHall], choice: None, events: Events) -> Position:
    """Every monster of the hall and of rank 0 loses Health; the dead go to the own discard pile without XP (R5.5)."""
    amount = task.data.amount
    locked = hall.hall_locked(game, state)

    def hit(foe: position.Foe) -> position.Foe:
        if not hall.is_monster(game, foe) or hall.immune_to_spells(game, foe):
            return foe
        return replace(foe, wounds=foe.wounds + amount)

    events.append(Event("wounded", task.source[0], ("R5.5", "R5.14"), (("n", amount),)))
    events += [Event("untouched", foe.card, ("R5.5",)) for foe in state.hall if hall.immune_to_spells(game, foe)]
    state = replace(state, hall=tuple(hit(foe) for foe in state.hall), rank0=tuple(hit(foe) for foe in state.rank0))
    for rank, foe in enumerate(state.hall, 1):
        if not hall.is_monster(game, foe) or health(game, state, foe) > 0:
            continue
        if locked or hall.must_be_defeated(game, foe):
            events.append(Event("stays", foe.card, ("R6.8",)))
        else:
            state = hall.take_away(game, state, rank, task.source[0], "R4.6", "taken", events)
    return hall.refill(game, state, events)


def _claymore(game: Game, state: Position, task: Task[tuple[int, ...]], choice: Rank, events: Events) -> Position:
    weapon, _ = find(state, task.source)
    state = replace_card(state, task.source, replace(weapon, used=(*weapon.used, 1)))
    state = replace(state, benefits=state.benefits | position.WEAPON_USED)
    return hall.take_away(game, state, choice.value, task.source[0], "R6.5", "taken", events)


def _magic(game: Game, state: Position, task: Task[MagicUnlessDiscarded], choice: None, events: Events) -> Position:
    """The hero gets the Magic Attack if the known discards have no such card; unknown discards give nothing (R4.11)."""
    if state.table is None:
        return void("R4.11", "unknown-hands")(game, state, task, choice, events)
    if any(game.cards[card].matches(task.data.select) for _, card in state.table.shown):
        return void("R4.7")(game, state, task, choice, events)
    events.append(Event("unopposed", task.source[0], ("R4.7",), (("n", task.data.amount),)))
    return mark_hero(state, task.source, (find(state, task.source)[0].face, position.UNOPPOSED))


MONSTERS, MILITIA = Select(kind="monster"), Select(type="militia")
WORTH_HUNTING = range(6)
"""Victory points of a monster that may be taken after a hunt; a Horde card has no printed ones."""


def _custom_options(game: Game, state: Position, task: Task[Custom]) -> Answers | None:
    hunts = task.data.name == "hunt-discard"
    return preparation.own_cards("discard", position.BORROWED, MONSTERS)(game, state, task) if hunts else ()


def _hunt(game: Game, state: Position, task: Task[Custom], choice: Pick | None, events: Events) -> Position:
    if state.table is None:
        events.append(Event("unknown-hands", task.source[0], ("R4.11",)))
    else:
        state = replace(state, todo=(Task("hunted", task.source), *state.todo))
        state = preparation.others_discard(state, task.source, (MONSTERS, 1, None))
    return state if choice is None else preparation.discard(state, choice.value, events)


def _hunted(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    table = table_of(state)
    prey = tuple((task.source, seat, card) for seat, card in table.shown)
    return replace(state, table=replace(table, hunted=(*table.hunted, *prey)))


def _hunt_options(game: Game, state: Position, task: Task[str]) -> Answers:
    """Decline, or a monster that another player discarded to this hero and that shares a type with the defeated one."""
    table = state.table
    if table is None:
        return ()
    types = game.cards[task.data].types
    mine = dict.fromkeys((seat, card) for ref, seat, card in table.hunted if ref == task.source)
    discarded = [((seat, card), game.cards[card]) for seat, card in mine if card in table.seats[seat].discard]
    prey = [Theirs("hunt", entry) for entry, spec in discarded if spec.types & types and spec.vp in WORTH_HUNTING]
    return (DECLINE, *prey) if prey else ()


def _hunt_take(game: Game, state: Position, task: Task[str], choice: Theirs, events: Events) -> Position:
    (seat, card), table = choice.value, table_of(state)
    events.append(Event("hunt-taken", card, ("R6.5",), (("by_card", task.source[0]), ("seat", seat))))
    return replace(state, table=table.off_pile(seat, card), gained=(*state.gained, card))


def _fix(game: Game, state: Position, task: Task[tuple[Slot, int]], choice: None, events: Events) -> Position:
    """Fixes what an effect gives each hero, its cost paid (the other reading of R4.9)."""
    used, number = task.data
    party = party_of(game, state)
    source = next((slot for slot in all_slots(state) if slot.ref == used.ref), used)
    for index, operation in enumerate(party.spec(source).dungeon[number - 1].lasting):
        for hero in party.heroes if is_counted(operation) else ():
            n = party.share(operation, source, hero)
            if n:
                slot, _ = find(state, hero.ref)
                fixed = tuple(sorted((*slot.fixed, (source.face, number, index, n))))
                state = replace_card(state, hero.ref, replace(slot, fixed=fixed))
    return state


CUSTOM: dict[str, Apply] = {"hunt-discard": _hunt, "brawl": brawl, "tax": tax}
"""Operations that only one card has, by name."""

SPECIAL_HANDLERS: Handlers = {
    "count": (None, _fix),
    "borrow": (preparation.own_cards("discard", preparation.OTHERS_CARD), _lend),  # Selurin Theurge, Toryn Gladiator
    "borrow-any": (_any_options, on_choice(_borrow)),
    "copy-hero": (preparation.own_cards("militia", select=MILITIA), on_choice(_ask_next("copy-of"), void("R4.10"))),
    "copy-of": (_model_options, on_choice(_copy_of, void("R4.10"))),
    "recruit": (_recruit_options, on_choice(_recruit, preparation.VOID)),  # Diin Enchanter
    "conjure": (_blade_options, on_choice(_ask_next("conjure-to"), preparation.VOID)),  # Illusory Blade
    "conjure-to": (_holder_options, on_choice(_conjure_to)),
    "foresee": (_foresee_options, _foresee),  # Foresight Elixir
    "wound-hall": (None, _wound),  # Creeping Death
    "take-before-refill": (
        lambda game, state, task: (DECLINE, *preparation.takeable(game, state, task.data)),
        on_choice(_claymore),
    ),
    "turn-on": (None, lambda game, state, task, choice, events: hall.turn_up(game, state, events, arriving=task.data)),
    "magic-unless-discarded": (None, _magic),
    "custom": (_custom_options, lambda game, state, task, *more: CUSTOM[task.data.name](game, state, task, *more)),
    "hunted": (None, _hunted),
    "hunt-take": (_hunt_options, on_choice(_hunt_take)),
}
