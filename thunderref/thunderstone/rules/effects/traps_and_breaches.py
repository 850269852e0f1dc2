"""Traps turned up while the hall is refilled, and breaches of monsters that reach rank 1 (R6.6).

In a described scenario only the active player's cards are known; in a game they act on everybody they name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thunderref.database import operations as ops
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.choices import DECLINE, Decline, Named, Pick
from thunderref.thunderstone.rules.draws import TURN_UP
from thunderref.thunderstone.rules.effects import other_players
from thunderref.thunderstone.rules.effects.preparation import destroy, each_other, gain
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, do_nothing, on_choice
from thunderref.thunderstone.rules.hall import arrive
from thunderref.thunderstone.rules.hand import all_slots, find, in_play, next_copy, remove_card
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import AnyTask, For, Position, Ref, Slot, Task, replace, table_of, without

HEROES = ops.Select(kind="hero")
ON_ACTIVE = (ops.ShowHero, ops.DestroyWeakest, ops.HoldHero, ops.GainUnlessShown, ops.TurnRound)
"""What traps do to the active player."""
OF_OTHERS = {ops.ShowHero: "other-shows", ops.GainUnlessShown: "other-gains", ops.OthersLose: "other-loses"}
"""What traps ask of each of the others: the names of the tasks."""
ON_OTHERS = (*OF_OTHERS, ops.RevealTops, ops.TurnRound)
"""What traps do to the other players."""
Spared = tuple[int, ...]
MINE = -1
"""The active player among the spared seats: a described scenario does not know their seat."""
Trap = tuple[Any, Spared]
"""An operation of a trap, and whom it spares."""
Round = tuple[tuple[int, ...], int]
"""Who turns cards up, the next one first, and how many heroes are still to be found."""
Shown = Pick | Named | Decline | None


def _shields(game: Game, cards: Iterable[str]) -> list[str]:
    """The different cards that spare their owner when shown from the hand; they stay there."""
    specs = {game.cards[card] for card in cards}
    return sorted(spec.id for spec in specs if any(getattr(op, "name", "") == "spared-by-traps" for op in spec.reveal))


def _own_shield(game: Game, state: Position) -> Slot | None:
    """The active player's first such card whose benefit is not forgone (R5.1)."""
    shown = (slot for slot in all_slots(state) if not slot.flags & position.FORGONE and _shields(game, (slot.card,)))
    return next(shown, None)


def _exposed(state: Position, spared: Spared) -> list[int]:
    return [seat for seat in (state.table.others() if state.table is not None else ()) if seat not in spared]


def _own_heroes(game: Game, state: Position) -> list[Slot]:
    return [
        slot
        for slot in state.hand
        if in_play(slot) and game.cards[slot.face].is_hero and not slot.flags & (position.BORROWED | position.FLEETING)
    ]


def _trap(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """Players who may be spared choose first; then the trap works.

    In a game nobody must show the card that would spare them. In a described scenario everybody is taken to do so.
    """
    source = task.source
    operations = game.cards[source[0]].trap
    asked: list[AnyTask] = []
    if any(isinstance(op, ON_ACTIVE) for op in operations) and _own_shield(game, state) is not None:
        asked.append(Task("trap-shield", source))
    table = state.table
    if table is not None and any(isinstance(op, ON_OTHERS) for op in operations):
        guarded = [seat for seat in table.others() if _shields(game, table.seats[seat].hand)]
        asked += [Task("trap-shield-of", source, For(seat)) for seat in guarded]
    return replace(state, todo=(*asked, Task("trap-works", source, ()), *state.todo))


def _spare(state: Position, seat: int) -> Position:
    place = next(place for place, task in enumerate(state.todo) if task.name == "trap-works")
    works = state.todo[place]
    works = replace(works, data=(*works.data, seat))
    return replace(state, todo=(*state.todo[:place], works, *state.todo[place + 1 :]))


def _shield_options(game: Game, state: Position, task: Task[None]) -> Answers | None:
    slot = _own_shield(game, state)
    return (Pick("show", slot.ref), DECLINE) if state.in_game and slot is not None else None


def _shield(game: Game, state: Position, task: Task[None], choice: Shown, events: Events) -> Position:
    """The active player is spared; if a spell spared them, that is a benefit (R5.1)."""
    slot = _own_shield(game, state)
    if slot is None or isinstance(choice, Decline):
        return state
    events.append(Event("trap-spared", task.source[0], ("R6.6",)))
    used = position.SPELL_USED if game.cards[slot.card].is_spell else 0
    return _spare(replace(state, benefits=state.benefits | used), MINE)


def _shield_of_options(game: Game, state: Position, task: Task[For[None]]) -> Answers | None:
    if not state.in_game:
        return None
    shown = _shields(game, table_of(state).seats[task.data.seat].hand)
    return (*(Named("show", card) for card in shown), DECLINE)


def _shield_of(game: Game, state: Position, task: Task[For[None]], choice: Shown, events: Events) -> Position:
    seat = task.data.seat
    if isinstance(choice, Decline):
        return state
    shown = choice.value if isinstance(choice, Named) else _shields(game, table_of(state).seats[seat].hand)[0]
    events.append(Event("other-escapes", shown, ("R6.6",), (("seat", seat), ("by_card", task.source[0]))))
    return _spare(state, seat)


def _works(game: Game, state: Position, task: Task[Spared], choice: None, events: Events) -> Position:
    source, spared = task.source, task.data
    operations = game.cards[source[0]].trap
    unknown = (ops.TurnRound, ops.OthersLose) if state.table is None else ops.TurnRound
    if MINE not in spared and not state.in_game and all(isinstance(op, unknown) for op in operations):
        events.append(Event("trap-others", source[0], ("R6.6", "R4.11")))
    todo: list[AnyTask] = []
    for operation in operations:
        if isinstance(operation, ON_ACTIVE) and not isinstance(operation, ops.TurnRound) and MINE not in spared:
            todo.append(Task(f"trap:{operation.op}", source, operation))
        if type(operation) in OF_OTHERS:
            name = OF_OTHERS[type(operation)]
            todo += [Task(name, source, For(seat, operation)) for seat in _exposed(state, spared)]
        elif isinstance(operation, ops.RevealTops | ops.TurnRound) and state.in_game:
            todo.append(Task(f"trap:{operation.op}", source, (operation, spared)))
        elif isinstance(operation, ops.TurnRound) and MINE not in spared:
            state = _round_for_certain(game, state, source, game.players - len(spared) - 1, operation.until, events)
    return replace(state, todo=(*todo, *state.todo))


def _show_options(game: Game, state: Position, task: Task[Any]) -> Answers:
    heroes = _own_heroes(game, state)
    if isinstance(task.data, ops.DestroyWeakest):
        party = party_of(game, state)
        least = min((party.strength(hero) for hero in heroes), default=0)
        heroes = [hero for hero in heroes if party.strength(hero) == least]
    if isinstance(task.data, ops.HoldHero):  # held heroes are gone, not destroyed: the one worth least comes first
        heroes.sort(key=lambda hero: (game.cards[hero.card].vp or 0, game.cards[hero.card].cost))
    return tuple(Pick("show", hero.ref) for hero in heroes)


def _show(game: Game, state: Position, task: Task[Any], choice: Pick, events: Events) -> Position:
    hero, _ = find(state, choice.value)
    if isinstance(task.data, ops.ShowHero) and game.cards[hero.face].matches(task.data.safe):
        events.append(Event("trap-escaped", hero.card, ("R6.6",), (("by_card", task.source[0]),)))
        return state
    return destroy(game, state, hero.ref, events, task.source[0], ("R6.6",))


def _other_shows_options(game: Game, state: Position, task: Task[For[ops.ShowHero]]) -> Answers:
    hand = table_of(state).seats[task.data.seat].hand
    return tuple(Named("show", card) for card in other_players.matching(game, hand, HEROES))


def _other_shows(game: Game, state: Position, task: Task[For[ops.ShowHero]], choice: Named, events: Events) -> Position:
    seat, operation = task.data
    if game.cards[choice.value].matches(operation.safe):
        events.append(Event("other-escapes", choice.value, ("R6.6",), (("seat", seat), ("by_card", task.source[0]))))
        return state
    return other_players.other_loses(state, seat, choice.value, task.source[0], events, "R6.6")


def _safe_heroes(game: Game, state: Position, task: Task[ops.GainUnlessShown]) -> list[Slot]:
    return [hero for hero in _own_heroes(game, state) if game.cards[hero.face].types & set(task.data.types)]


def _gain_options(game: Game, state: Position, task: Task[ops.GainUnlessShown]) -> Answers:
    """In a game nobody must show a hero who would spare them; in a described scenario the player is taken to do so."""
    safe = _safe_heroes(game, state, task) if state.in_game else []
    return (*(Pick("show", hero.ref) for hero in safe), DECLINE) if safe else ()


def _gain(game: Game, state: Position, task: Task[ops.GainUnlessShown], choice: Shown, events: Events) -> Position:
    safe = _safe_heroes(game, state, task)
    if choice is not None:
        safe = [hero for hero in safe if hero.ref == choice.value]
    if safe:
        events.append(Event("trap-escaped", safe[0].card, ("R6.6",), (("by_card", task.source[0]),)))
        return state
    return gain(state, task.data.card, 1, task.source[0], "R6.6", events)


def _other_gain_options(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]]) -> Answers:
    hand, types = table_of(state).seats[task.data.seat].hand, set(task.data.data.types)
    safe = [card for card in other_players.matching(game, hand, HEROES) if game.cards[card].types & types]
    return (*(Named("show", card) for card in safe), DECLINE) if safe else ()


def _gets(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]], choice: Shown, events: Events) -> Position:
    (seat, operation), table = task.data, table_of(state)
    fields = (("seat", seat), ("by_card", task.source[0]))
    if isinstance(choice, Named):
        events.append(Event("other-escapes", choice.value, ("R6.6",), fields))
        return state
    events.append(Event("other-gains", operation.card, ("R6.6",), fields))
    return replace(state, table=table.onto_pile(seat, operation.card))


def _loses(game: Game, state: Position, task: Task[For[ops.OthersLose]], choice: None, events: Events) -> Position:
    seat, operation = task.data
    for card in table_of(state).seats[seat].hand:
        if game.cards[card].matches(operation.select):
            state = other_players.other_loses(state, seat, card, task.source[0], events, "R6.6")
    return state


def _hold(game: Game, state: Position, task: Task[ops.HoldHero], choice: Pick, events: Events) -> Position:
    hero, _ = find(state, choice.value)
    events.append(Event("caged", hero.card, ("R6.10",)))
    state = remove_card(state, hero.ref)
    if not state.in_game:
        return replace(state, caged=(*state.caged, hero.ref))
    table = table_of(state)
    cages = (*table.cages, (task.source[0], hero.card))
    return replace(state, table=replace(table, cages=cages, removed=without(table.removed, task.source[0])))


def release_heroes(state: Position, events: Events) -> Position:
    """After a victory the heroes held in cages go to the victor's discard pile (R6.10)."""
    table = state.table
    heroes = [hero for _, hero in table.cages] if table is not None else []
    heroes += [hero for hero, _ in state.caged]
    events += [Event("released", hero, ("R6.10",)) for hero in heroes]
    if not heroes:
        return state
    if table is None or table.described:
        return replace(state, caged=(), discarded=(*state.discarded, *state.caged))
    table = replace(table, cages=()).without(trap for trap, _ in table.cages)
    return replace(state, table=table, gained=(*state.gained, *heroes))


def _tops(game: Game, state: Position, task: Task[Trap], choice: None, events: Events) -> Position:
    operation, spared = task.data
    state = replace(state, todo=(Task("tops-fate", task.source), *state.todo))
    return other_players.turn_up_cards(state, task.source, operation.amount, "no-fate", None, _exposed(state, spared))


def _tops_fate(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    lying = table_of(state).open
    strengths = [game.cards[card].strength for _, card in lying if game.cards[card].is_hero]
    for seat, card in lying:
        spec = game.cards[card]
        if spec.is_hero and spec.strength < max(strengths):
            state = other_players.destroy_open(state, seat, card, task.source[0], events)
    table = table_of(state)
    for seat in table.others():
        table = table.with_seat(seat, deck=(*other_players.open_cards(table, seat), *table.seats[seat].deck))
    return replace(state, table=replace(table, open=()))


def _turns(game: Game, state: Position, task: Task[Trap], choice: None, events: Events) -> Position:
    operation, spared = task.data
    mine = () if MINE in spared else (table_of(state).active,)
    return _round_on(game, state, task.source, (*_exposed(state, spared), *mine), operation.until)


def _round_on(game: Game, state: Position, source: Ref, seats: tuple[int, ...], left: int) -> Position:
    if not left or not seats or not other_players.hero_left(game, state, seats):
        return state
    turn_up: AnyTask = Task(TURN_UP, source, For(seats[0]))
    return replace(state, todo=(turn_up, Task("round-card", source, (seats, left)), *state.todo))


def _round_for_certain(game: Game, state: Position, by: Ref, others: int, until: int, events: Events) -> Position:
    """The cards that leave the own deck whatever the ``others`` turn up first; what follows is unknown.

    Alone, every card is the player's own, and known.
    """
    certain, heroes = until // (others + 1) if others else len(state.deck), 0
    for _ in range(min(certain, len(state.deck))):
        if heroes == until:
            break
        card = state.deck[0]
        ref = (card, next_copy(state, card))
        state = replace(state, deck=state.deck[1:])
        if game.cards[card].is_hero:
            heroes += 1
            events.append(Event("destroyed", card, ("R6.6",), (("by_card", by[0]),)))
            state = replace(state, destroyed=(*state.destroyed, ref))
        else:
            events.append(Event("discarded", card, ("R6.6",)))
            state = replace(state, discarded=(*state.discarded, ref))
    if not others or not state.deck:
        return state
    events.append(Event("deck-unknown", by[0], ("R6.6", "R4.11")))
    return replace(state, deck=(), pool=None)


def _round_card(game: Game, state: Position, task: Task[Round], choice: None, events: Events) -> Position:
    (seat, *others), left = task.data
    for card in other_players.open_cards(table_of(state), seat):
        if game.cards[card].is_hero:
            left -= 1
            state = other_players.destroy_open(state, seat, card, task.source[0], events)
    state = other_players.discard_open(state, seat)
    return _round_on(game, state, task.source, (*others, seat), left)


# a monster reaches rank 1


def _breach(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    (card, index), table = task.source, state.table
    operation, source = game.cards[card].breach[index], (card, 1)
    if isinstance(operation, ops.EveryoneDiscards):
        own = [Task[None]("discard-any", source) for _ in range(operation.amount)]
        others = each_other(state, "other-discards", source, (ops.Select(), operation.amount, None))
        return replace(state, todo=(*own, *others, *state.todo))
    if isinstance(operation, ops.RevealTop) and table is not None and state.in_game:
        events.append(Event("breach.everyone-reveals", card, ("R6.6",)))
        seats = (table.active, *table.others())
        return other_players.turn_up_cards(state, source, operation.amount, "revealed-fate", operation.select, seats)
    if isinstance(operation, ops.RevealTop):
        n = len(state.deck[: operation.amount])
        known = "" if not n else ".known" if n == operation.amount else ".some"
        rules = ("R6.6", "R4.11") if known == ".some" else ("R6.6",)
        events.append(Event(f"breach.reveal-top{known}", card, rules, (("n", n),)))
        return _reveal(game, state, task, operation)
    events.append(Event(f"breach.{operation.op}", card, ("R6.6",)))
    return _raze(game, state, operation.amount) if isinstance(operation, ops.RazeHeroStacks) else state


def _raze(game: Game, state: Position, amount: int) -> Position:
    """The top cards of every hero stack and of the Militia are destroyed, the lowest levels first (R1.6)."""
    if not state.in_game:
        return state
    table = table_of(state)
    stacks, gone = dict(table.stacks), list[str]()
    heroes = sorted((spec for spec in map(game.cards.__getitem__, stacks) if spec.is_hero), key=lambda spec: spec.level)
    left = {spec.family: amount for spec in heroes}
    for spec in heroes:
        n = min(left[spec.family], stacks[spec.id])
        left[spec.family] -= n
        stacks[spec.id] -= n
        gone += [spec.id] * n
    return replace(state, table=replace(table, stacks=tuple(stacks.items())).without(gone))


def _reveal(game: Game, state: Position, task: Task[None], operation: ops.RevealTop) -> Position:
    """The known cards off the own deck are discarded; one of them that matches is destroyed."""
    top, deck = state.deck[: operation.amount], state.deck[operation.amount :]
    for card in top:
        state = replace(state, discarded=(*state.discarded, (card, next_copy(state, card))))
    doomed = tuple(card for card in top if game.cards[card].matches(operation.select))
    return replace(state, deck=deck, todo=(Task("reveal-destroy", task.source, doomed), *state.todo))


def _reveal_options(game: Game, state: Position, task: Task[tuple[str, ...]]) -> Answers:
    return tuple(Named("destroy", card) for card in dict.fromkeys(task.data))


def _burn(game: Game, state: Position, task: Task[tuple[str, ...]], choice: Named, events: Events) -> Position:
    events.append(Event("destroyed", choice.value, ("R6.6",), (("by_card", task.source[0]),)))
    gone = next(ref for ref in reversed(state.discarded) if ref[0] == choice.value)
    return replace(state, discarded=without(state.discarded, gone), destroyed=(*state.destroyed, gone))


HANDLERS: Handlers = {
    "trap": (None, _trap),
    "trap-shield": (_shield_options, _shield),
    "trap-shield-of": (_shield_of_options, _shield_of),
    "trap-works": (None, _works),
    "trap:show-hero": (_show_options, on_choice(_show)),
    "other-shows": (_other_shows_options, on_choice(_other_shows, other_players.other_has_none)),
    "trap:destroy-weakest": (_show_options, on_choice(_show)),
    "trap:gain-unless-shown": (_gain_options, _gain),
    "other-gains": (_other_gain_options, _gets),
    "other-loses": (None, _loses),
    "trap:hold-hero": (_show_options, on_choice(_hold)),
    "trap:reveal-tops": (None, _tops),
    "no-fate": (None, do_nothing),
    "tops-fate": (None, _tops_fate),
    "trap:turn-round": (None, _turns),
    "round-card": (None, _round_card),
    "arrive": (None, arrive),
    "breach": (None, _breach),
    "reveal-destroy": (_reveal_options, on_choice(_burn)),
}
