"""The dungeon hall: leaving, shifting, refilling, arriving at rank 1 (R6.6 to R6.8, R7.1)."""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.database.card_records import RANKS
from thunderref.database.operations import TakeBeforeRefill
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Events, Game
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import AnyTask, Foe, Position, Target, Task, replace, under_the_deck
from thunderref.thunderstone.rules.readings import STONE_AT_SHIFT, STONE_WITH_HELP

NOBODY = Foe(position.EMPTY)


def is_known(foe: Foe) -> bool:
    return foe.card not in (position.EMPTY, position.UNKNOWN)


def is_monster(game: Game, foe: Foe) -> bool:
    """True for a monster or guardian, False for a Thunderstone, an empty rank or an unknown card."""
    return is_known(foe) and game.cards[foe.card].is_monster


def must_be_defeated(game: Game, foe: Foe) -> bool:
    """True for a monster that leaves the hall only if defeated (R6.8)."""
    return "must-be-defeated" in game.cards[foe.card].has


def hall_locked(game: Game, state: Position) -> bool:
    """True while a monster keeps all others in the hall (Steam Torment)."""
    return any(is_known(foe) and "hall-locked" in game.cards[foe.card].has for foe in (*state.hall, *state.rank0))


def immune_to_spells(game: Game, foe: Foe) -> bool:
    """True for a monster that no spell can affect (R5.5)."""
    return is_known(foe) and "spells" in game.cards[foe.card].immune


def removable_ranks(game: Game, state: Position, by: str = "") -> tuple[int, ...]:
    """The ranks whose monsters an effect may make leave the hall (R6.8); ``by`` as for :func:`movable_ranks`."""
    if hall_locked(game, state):
        return ()
    there = movable_ranks(game, state, by)
    return tuple([rank for rank in there if not must_be_defeated(game, state.hall[rank - 1])])


def movable_ranks(game: Game, state: Position, by: str = "") -> tuple[int, ...]:
    """The ranks whose monsters an effect may move within the hall: no guardian, even where others are held (R6.8).

    A spell, if ``by`` is one, moves none that is immune (R5.5).
    """
    spell = bool(by) and game.cards[by].is_spell
    there = [(rank, foe) for rank, foe in enumerate(state.hall, 1) if is_monster(game, foe)]
    free = [(rank, foe) for rank, foe in there if game.cards[foe.card].kind != "guardian"]
    return tuple([rank for rank, foe in free if not (spell and immune_to_spells(game, foe))])


def is_placeholder(spec: CardSpec) -> bool:
    """True for a card that the top card of the Horde deck replaces (R1.3)."""
    return any(op.op == "from-horde-deck" for op in spec.reveal)


def next_numbered(game: Game, placeholder: CardSpec, waiting: Iterable[str]) -> str | None:
    """The card that replaces a placeholder: the first of its class, for each class has a deck of its own (R1.3)."""
    return next((card for card in waiting if game.cards[card].family == placeholder.family), None)


def take_out(state: Position, rank: int) -> Position:
    return replace(state, hall=(*state.hall[: rank - 1], NOBODY, *state.hall[rank:]))


def take_away(game: Game, state: Position, rank: int, by: str, rule: str, where: str, events: Events) -> Position:
    """Moves a monster, undefeated, to the own discard pile (``taken``) or the bottom of the dungeon deck (``under``).

    Notes how the rank was emptied, unless a Thunderstone is in front of it (R7.1).
    """
    card, battle = state.hall[rank - 1].card, state.battle
    events.append(Event("taken" if where == "taken" else "to-bottom", card, (rule,), (("by_card", by), ("rank", rank))))
    before = [foe.card for foe in state.hall[: rank - 1] if is_known(foe)]
    if battle is not None and battle.way != "under" and all(game.cards[one].kind != "thunderstone" for one in before):
        state = replace(state, battle=replace(battle, way=where))
    state = take_out(state, rank)
    return replace(state, gained=(*state.gained, card)) if where == "taken" else under_the_deck(state, card)


def refill(game: Game, state: Position, events: Events) -> Position:
    """Closes the gaps towards rank 1 and turns cards up; puts the traps and breaches this causes on the stack."""
    if NOBODY not in state.hall:
        return state
    offers = _offers(game, state)
    if offers:
        return replace(state, todo=(*offers, Task("turn-on"), *state.todo))
    return turn_up(game, state, events)


def _offers(game: Game, state: Position) -> tuple[AnyTask, ...]:
    if not [hero for hero in state.hand if hero.weapons]:
        return ()
    party, battle = party_of(game, state), state.battle
    tasks: list[AnyTask] = []
    for weapon, hero, spec in party.usable:
        waiting = [one for one in spec.dungeon if one.before_refill and one.number not in weapon.used]
        if hero is None or not waiting:
            continue
        if battle is not None:
            aim = Target(game.cards[battle.foe.card], battle.rank, battle)
            if party.idles(hero, aim) or party.drops(weapon, hero, battle.weaken):
                continue
        takes = [op for one in waiting for op in one.lasting if isinstance(op, TakeBeforeRefill)]
        tasks += [Task("take-before-refill", weapon.ref, op.vp) for op in takes]
    return tuple(tasks)


def turn_up(game: Game, state: Position, events: Events, *, arriving: bool | None = None) -> Position:
    """Turns cards up, a trap resolving before the next (R6.6); ``arriving``: the card then at rank 1 is new there.

    The shift comes first: a Thunderstone in rank 1 ends the game, or leaves the hall as the first of two, before the
    next card is turned up (R7.1, R9.1).
    """
    if arriving is None:
        arriving = state.hall[0].card == position.EMPTY
    standing = [foe for foe in state.hall if foe.card != position.EMPTY]
    state = replace(state, hall=(*standing, *[NOBODY] * (RANKS - len(standing))))
    for rank in range(len(standing) + 1, RANKS + 1):
        first = game.cards.get(state.hall[0].card) if arriving and STONE_AT_SHIFT not in game.readings else None
        if first is not None and first.kind == "thunderstone":
            return _stone(game, state, first.id, events)
        state, trap = next_at(game, state, rank, events)
        if trap is not None:
            return replace(state, todo=(trap, Task("turn-on", position.NO_CARD, arriving), *state.todo))
    return replace(state, todo=(Task("arrive"), *state.todo)) if arriving else state


def next_at(game: Game, state: Position, rank: int, events: Events) -> tuple[Position, AnyTask | None]:
    """Puts the next card of the dungeon deck at the empty ``rank``; for a trap returns its task instead (R6.6)."""
    dungeon, table = state.dungeon, state.table
    foe = NOBODY if state.dungeon_ends else Foe(position.UNKNOWN)
    if state.counted and not dungeon and (rank == 1 or state.hall[rank - 2] != NOBODY):
        events.append(Event("dungeon-empty", "", ("R6.6",)))
    while dungeon:
        card, dungeon = dungeon[0], dungeon[1:]
        if card == position.UNKNOWN:
            foe = Foe(card)
            break
        spec = game.cards[card]
        if spec.kind == "trap":
            events.append(Event("trap", card, ("R6.6",)))
            table = None if table is None else table.without((card,))
            return replace(state, dungeon=dungeon, table=table), Task("trap", (card, 1))
        if is_placeholder(spec):
            if table is None or table.described:
                events.append(Event("horde-up", card, ("R1.3",), (("rank", rank),)))
                foe = Foe(position.UNKNOWN)
                break
            table = table.without((card,))
            numbered = next_numbered(game, spec, table.horde)
            if numbered is None:
                continue
            card, table = numbered, replace(table, horde=tuple([other for other in table.horde if other != numbered]))
        events.append(Event("turned-up", card, ("R6.6",), (("rank", rank),)))
        foe = Foe(card)
        break
    ranks = (*state.hall[: rank - 1], foe, *state.hall[rank:])
    return replace(state, hall=ranks, dungeon=dungeon, table=table), None


def arrive(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """The consequences of a card's arrival at rank 1: a breach, a guardian's step to rank 0, or the end of the game."""
    first = state.hall[0]
    if not is_known(first):
        return state
    spec = game.cards[first.card]
    if spec.kind == "thunderstone":
        return _stone(game, state, first.card, events)
    if spec.kind == "guardian":
        events.append(Event("to-rank-0", first.card, ("R6.7",)))
        return refill(game, replace(take_out(state, 1), rank0=(*state.rank0, first)), events)
    if spec.breach:
        events.append(Event("breach", first.card, ("R6.6",)))
        breaches: list[AnyTask] = [Task("breach", (first.card, index)) for index in range(len(spec.breach))]
        return replace(state, todo=(*breaches, *state.todo))
    return state


def _stone(game: Game, state: Position, stone: str, events: Events) -> Position:
    battle, table = state.battle, state.table if state.in_game else None
    more = game.variant.goes_on(game, state)
    won = state.victory and battle is not None and battle.rank == 1 and not state.rank0
    aid = battle.way if battle is not None and not more else ""  # the first of two may come in any way (R9.1)
    is_taken = won and aid != "under"
    if is_taken and aid:
        is_taken = STONE_WITH_HELP not in game.readings
        events.append(Event("stone-with-help", stone, ("R7.1",)))
    rules = ("R9.1" if more else "R7.1",)
    events.append(Event("first-stone" if more else "game-ends", stone, rules))
    events.append(Event("stone-taken" if is_taken else "stone-untaken", stone, rules))
    if is_taken:
        state = replace(state, gained=(*state.gained, stone))
    if table is not None or is_taken or more:
        state = take_out(state, 1)
    if table is not None and not is_taken:
        state = replace(state, table=table.without((stone,)))
    return refill(game, state, events) if more else replace(state, ended=True, todo=(), phase="end")
