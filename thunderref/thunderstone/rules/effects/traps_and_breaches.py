"""Traps turned up while the hall is refilled, and breaches of monsters that reach rank 1 (R6.6).

In a described scenario only the active player's cards are known; in a game they act on everybody they name.
"""

from __future__ import annotations

from typing import Any

from thunderref.database import operations as ops
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.choices import DECLINE, Decline, Named, Pick, cards_of
from thunderref.thunderstone.rules.draws import TURN_UP
from thunderref.thunderstone.rules.effects import other_players
from thunderref.thunderstone.rules.effects.preparation import OTHERS_CARD, destroy, each_other, gain
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, on_choice
from thunderref.thunderstone.rules.hall import arrive
from thunderref.thunderstone.rules.hand import all_slots, find, in_play, next_copy, remove_card
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import AnyTask, For, Position, Ref, Task, replace, table_of, without

ON_ACTIVE = (ops.ShowHero, ops.DestroyWeakest, ops.HoldHero, ops.GainUnlessShown)
"""What traps do to the active player, as :class:`ops.TurnRound` does."""
ON_OTHERS = (ops.ShowHero, ops.GainUnlessShown, ops.OthersLose)
"""What traps do to each of the others, as :class:`ops.RevealTops` and :class:`ops.TurnRound` do."""
Spared = tuple[int, ...]
NO_SEAT = -1  # the active player where no table says at which seat
Round = tuple[tuple[int, ...], int]
"""Who turns cards up, the next one first, and how many heroes are still to be found."""
Shown = Pick | Named


def _mine(state: Position) -> int:
    return NO_SEAT if state.table is None else state.table.active


def _shields(game: Game, state: Position, seat: int) -> tuple[Shown, ...]:
    """The cards that spare a player who shows them from the hand; they stay there.

    Of the active player's the first whose benefit is not forgone (R5.1).
    """
    if seat == _mine(state):
        unforgone = (slot for slot in all_slots(state) if not slot.flags & position.FORGONE)
        return tuple(Pick("show", slot.ref) for slot in unforgone if _is_shield(game.cards[slot.card]))[:1]
    hand = table_of(state).seats[seat].hand
    return tuple(Named("show", card) for card in sorted(set(hand)) if _is_shield(game.cards[card]))


def _is_shield(spec: CardSpec) -> bool:
    return any(isinstance(op, ops.Custom) and op.name == "spared-by-traps" for op in spec.reveal)


def _heroes(game: Game, state: Position, seat: int) -> dict[Shown, CardSpec]:
    """The heroes in a player's hand, each under the answer that shows them."""
    there: dict[Shown, CardSpec]
    if seat == _mine(state):
        own = [slot for slot in state.hand if in_play(slot) and not slot.flags & OTHERS_CARD]
        there = {Pick("show", slot.ref): game.cards[slot.face] for slot in own}
    else:
        there = {Named("show", card): game.cards[card] for card in sorted(set(table_of(state).seats[seat].hand))}
    return {shown: spec for shown, spec in there.items() if spec.is_hero}


def _trap(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """Players who may be spared choose first; then the trap works.

    In a game nobody must show the card that would spare them. In a described scenario everybody is taken to do so.
    """
    kinds = {type(operation) for operation in game.cards[task.source[0]].trap}
    seats = [_mine(state)] if kinds & {*ON_ACTIVE, ops.TurnRound} else []
    if state.table is not None and kinds & {*ON_OTHERS, ops.RevealTops, ops.TurnRound}:
        seats += state.table.others()
    guarded = [seat for seat in seats if _shields(game, state, seat)]
    asked: list[AnyTask] = [Task("trap-shield", task.source, For(seat)) for seat in guarded]
    return replace(state, todo=(*asked, Task("trap-works", task.source, ()), *state.todo))


def _shield_options(game: Game, state: Position, task: Task[For[None]]) -> Answers | None:
    return (*_shields(game, state, task.data.seat), DECLINE) if state.in_game else None


def _shield(
    game: Game, state: Position, task: Task[For[None]], choice: Shown | Decline | None, events: Events
) -> Position:
    """The player is spared; if a spell spared the active one, that is a benefit (R5.1)."""
    seat, by = task.data.seat, task.source[0]
    if isinstance(choice, Decline):
        return state
    shown = choice or _shields(game, state, seat)[0]
    if isinstance(shown, Pick):
        events.append(Event("trap-spared", by, ("R6.6",)))
        used = position.SPELL_USED if game.cards[shown.value[0]].is_spell else 0
        state = replace(state, benefits=state.benefits | used)
    else:
        events.append(Event("other-escapes", shown.value, ("R6.6",), (("seat", seat), ("by_card", by))))
    todo = [replace(each, data=(*each.data, seat)) if each.name == "trap-works" else each for each in state.todo]
    return replace(state, todo=tuple(todo))


def _works(game: Game, state: Position, task: Task[Spared], choice: None, events: Events) -> Position:
    source, spared, mine = task.source, task.data, _mine(state)
    operations = game.cards[source[0]].trap
    unknown = (ops.TurnRound, ops.OthersLose) if state.table is None else ops.TurnRound
    if mine not in spared and not state.in_game and all(isinstance(op, unknown) for op in operations):
        events.append(Event("trap-others", source[0], ("R6.6", "R4.11")))
    others = [seat for seat in (state.table.others() if state.table is not None else ()) if seat not in spared]
    todo: list[AnyTask] = []
    for operation in operations:
        seats = [mine] if isinstance(operation, ON_ACTIVE) and mine not in spared else []
        seats += others if isinstance(operation, ON_OTHERS) else []
        todo += [Task(f"trap:{operation.op}", source, For(seat, operation)) for seat in seats]
        if isinstance(operation, ops.RevealTops) and state.in_game:
            todo += [Task(TURN_UP, source, For(seat)) for seat in others for _ in range(operation.amount)]
            todo.append(Task("tops-fate", source))
        elif isinstance(operation, ops.TurnRound) and state.in_game:
            turning = (*others, *(() if mine in spared else (mine,)))
            todo += [Task("turn-round", source, (turning, operation.until))] if turning else []
        elif isinstance(operation, ops.TurnRound) and mine not in spared:
            state = _round_for_certain(game, state, source, game.players - len(spared) - 1, operation.until, events)
    return replace(state, todo=(*todo, *state.todo))


def _show_options(game: Game, state: Position, task: Task[For[Any]]) -> Answers:
    seat, operation = task.data
    heroes = tuple(_heroes(game, state, seat))
    if isinstance(operation, ops.DestroyWeakest):
        party = party_of(game, state)
        strengths = [party.strength(find(state, hero.value)[0]) for hero in heroes if isinstance(hero, Pick)]
        return tuple(hero for hero, n in zip(heroes, strengths, strict=True) if n == min(strengths))
    if isinstance(operation, ops.HoldHero):  # held heroes are gone, not destroyed: the one worth least comes first
        worth = {hero: game.cards[cards_of(hero)[0]] for hero in heroes}
        return tuple(sorted(heroes, key=lambda hero: (worth[hero].vp or 0, worth[hero].cost)))
    return heroes


def _show(game: Game, state: Position, task: Task[For[Any]], choice: Shown | None, events: Events) -> Position:
    (seat, operation), by = task.data, task.source[0]
    if choice is None:
        return state if seat == _mine(state) else other_players.other_has_none(game, state, task, choice, events)
    if isinstance(operation, ops.ShowHero) and _heroes(game, state, seat)[choice].matches(operation.safe):
        return _escape(state, choice, seat, by, events)
    if isinstance(choice, Pick):
        return destroy(state, choice.value, events, by, ("R6.6",))
    return other_players.other_loses(state, seat, choice.value, by, events, "R6.6")


def _escape(state: Position, shown: Shown, seat: int, by: str, events: Events) -> Position:
    key, whose = ("trap-escaped", ()) if isinstance(shown, Pick) else ("other-escapes", (("seat", seat),))
    events.append(Event(key, cards_of(shown)[0], ("R6.6",), (*whose, ("by_card", by))))
    return state


def _safe(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]]) -> list[Shown]:
    heroes, types = _heroes(game, state, task.data.seat), set(task.data.data.types)
    return [hero for hero, spec in heroes.items() if spec.types & types]


def _gain_options(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]]) -> Answers:
    """In a game nobody must show a hero who would spare them; in a described scenario the player is taken to do so."""
    safe = _safe(game, state, task)
    asked = state.in_game or task.data.seat != _mine(state)
    return (*safe, DECLINE) if safe and asked else ()


def _gain(
    game: Game, state: Position, task: Task[For[ops.GainUnlessShown]], choice: Shown | Decline | None, events: Events
) -> Position:
    (seat, operation), by = task.data, task.source[0]
    shown = choice or next(iter(_safe(game, state, task)), None)
    if isinstance(shown, Pick | Named):
        return _escape(state, shown, seat, by, events)
    if seat == _mine(state):
        return gain(state, operation.card, 1, by, "R6.6", events)
    events.append(Event("other-gains", operation.card, ("R6.6",), (("seat", seat), ("by_card", by))))
    return replace(state, table=table_of(state).onto_pile(seat, operation.card))


def _loses(game: Game, state: Position, task: Task[For[ops.OthersLose]], choice: None, events: Events) -> Position:
    seat, operation = task.data
    for card in table_of(state).seats[seat].hand:
        if game.cards[card].matches(operation.select):
            state = other_players.other_loses(state, seat, card, task.source[0], events, "R6.6")
    return state


def _hold(game: Game, state: Position, task: Task[For[ops.HoldHero]], choice: Pick, events: Events) -> Position:
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


def _turn_round(game: Game, state: Position, task: Task[Round], choice: None, events: Events) -> Position:
    """The card turned up last is discarded, a hero destroyed; the next player turns one up while heroes are wanted."""
    seats, left = task.data
    for card in other_players.open_cards(table_of(state), seats[-1]):
        if game.cards[card].is_hero:
            left -= 1
            state = other_players.destroy_open(state, seats[-1], card, task.source[0], events)
    state = other_players.discard_open(state, seats[-1])
    if not left or not other_players.hero_left(game, state, seats):
        return state
    first, *others = seats
    turn_up: AnyTask = Task(TURN_UP, task.source, For(first))
    return replace(state, todo=(turn_up, replace(task, data=((*others, first), left)), *state.todo))


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
    "trap-works": (None, _works),
    "trap:show-hero": (_show_options, _show),
    "trap:destroy-weakest": (_show_options, _show),
    "trap:gain-unless-shown": (_gain_options, _gain),
    "trap:others-lose": (None, _loses),
    "trap:hold-hero": (_show_options, on_choice(_hold)),
    "tops-fate": (None, _tops_fate),
    "turn-round": (None, _turn_round),
    "arrive": (None, arrive),
    "breach": (None, _breach),
    "reveal-destroy": (_reveal_options, on_choice(_burn)),
}
