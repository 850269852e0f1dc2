"""What the other players lose, show and turn up, as far as a game knows their cards (R4.7, R5.2, R6.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thunderref.database.operations import Custom, Select
from thunderref.thunderstone.rules.choices import Choice, Named, Player, Several, cards_of
from thunderref.thunderstone.rules.draws import TURN_UP
from thunderref.thunderstone.rules.effects.preparation import Asked
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, on_choice, void
from thunderref.thunderstone.rules.position import AnyTask, For, Position, Table, Task, replace, table_of, without
from thunderref.thunderstone.rules.village import visit_of, with_visit, with_xp


def matching(game: Game, cards: Iterable[str], select: Select) -> list[str]:
    """The different cards that match, in order."""
    return sorted({card for card in cards if game.cards[card].matches(select)})


def choose_by_will(state: Position, task: Task[Any], choices: Answers, events: Events) -> Choice | None:
    """What another player of a described scenario chooses: the card they like best, else the first; None in a game.

    A choice that nobody named is an assumption; the result says so.
    """
    table = state.table
    if table is None or not table.described or not isinstance(task.data, For) or task.data.seat == table.active:
        return None
    mine = [will for will in table.wills if will[0] == task.data.seat and will[2] in ("", task.source[0])]
    named = [card for _, card, source in mine if source]
    liked = [*named, *(card for _, card, source in mine if not source)]
    found = min(choices, key=lambda answer: liked.index(answer.value) if answer.value in liked else len(liked))
    if len(choices) > 1 and found.value not in named:
        asked = (("seat", task.data.seat), ("by_card", task.source[0]))
        events.append(Event("assumed", str(found.value), ("R4.7",), asked))
    return found


def rule_against_others(game: Game, by: str) -> str:
    """The rule by which a card asks something of players: as a trap or a breach, as spoils, or as a player's own."""
    spec = game.cards[by]
    if spec.kind == "trap" or spec.breach:
        return "R6.6"
    return "R6.4" if spec.is_monster else "R4.7"


def _discard_options(game: Game, state: Position, task: Task[For[Asked]]) -> Answers:
    seat, (select, _, instead) = task.data
    hand = table_of(state).seats[seat].hand
    alone = matching(game, hand, instead) if instead is not None else []
    discards = [Named("discard", card) for card in matching(game, hand, select)]
    return (*(Named("alone", card) for card in alone), *discards)


def other_has_none(game: Game, state: Position, task: Task[For[Any]], choice: None, events: Events) -> Position:
    by = task.source[0]
    events.append(Event("other-has-none", by, (rule_against_others(game, by),), (("seat", task.data.seat),)))
    return state


def _discards(game: Game, state: Position, task: Task[For[Asked]], choice: Named, events: Events) -> Position:
    (seat, (select, amount, _)), by, card = task.data, task.source[0], choice.value
    rules = (rule_against_others(game, by),)
    table = table_of(state)
    table = table.with_seat(seat, hand=without(table.seats[seat].hand, card)).onto_pile(seat, card)
    state = replace(state, table=table)
    keeps = any(op.op == "return-to-hand" for op in game.cards[card].passive) and not game.cards[by].is_monster
    events.append(Event("other-keeps" if keeps else "other-discards", card, rules, (("seat", seat), ("by_card", by))))
    if keeps:
        state = replace(state, todo=(Task("other-takes-back", task.source, For(seat, card)), *state.todo))
    else:
        state = replace(state, table=replace(table, shown=(*table.shown, (seat, card))))
    if choice.key == "alone" or amount <= 1:
        return state
    again = replace(task, data=For(seat, (select, amount - 1, None)))
    return replace(state, todo=(again, *state.todo))


def _takes_back(game: Game, state: Position, task: Task[For[str]], choice: None, events: Events) -> Position:
    """A card returns to the hand only after all are discarded, so that it does not count twice (R4.7)."""
    seat, card = task.data
    table = table_of(state).off_pile(seat, card)
    return replace(state, table=table.with_seat(seat, hand=(*table.seats[seat].hand, card)))


def _destroy_options(game: Game, state: Position, task: Task[For[Select]]) -> Answers:
    seat, select = task.data
    return tuple(Named("destroy", card) for card in matching(game, table_of(state).seats[seat].hand, select))


def _destroys(game: Game, state: Position, task: Task[For[Select]], choice: Named, events: Events) -> Position:
    return other_loses(state, task.data.seat, choice.value, task.source[0], events, "R5.2")


def other_loses(state: Position, seat: int, card: str, by: str, events: Events, rule: str) -> Position:
    events.append(Event("other-loses", card, (rule,), (("seat", seat), ("by_card", by))))
    table = table_of(state)
    hand = without(table.seats[seat].hand, card)
    return replace(state, table=table.with_seat(seat, hand=hand).without((card,)))


def _turn_up(game: Game, state: Position, task: Task[For[Any]], choice: None, events: Events) -> Position:
    """Turns up the top card of a deck; nothing happens if there is none (an empty deck is shuffled anew before)."""
    seat, table = task.data.seat, table_of(state)
    deck = state.deck if seat == table.active else table.seats[seat].deck
    if not deck:
        return state
    by = task.source[0]
    rules = (rule_against_others(game, by),)
    events.append(Event("turned-off-deck", deck[0], rules, (("seat", seat), ("by_card", by))))
    table = replace(table, open=(*table.open, (seat, deck[0])))
    if seat == table.active:
        return replace(state, deck=deck[1:], table=table)
    return replace(state, table=table.with_seat(seat, deck=deck[1:]))


def open_cards(table: Table, seat: int) -> tuple[str, ...]:
    return tuple(card for owner, card in table.open if owner == seat)


def destroy_open(state: Position, seat: int, card: str, by: str, events: Events, rule: str = "R6.6") -> Position:
    table = table_of(state)
    events.append(Event("other-loses", card, (rule,), (("seat", seat), ("by_card", by))))
    return replace(state, table=replace(table, open=without(table.open, (seat, card))).without((card,)))


def discard_open(state: Position, seat: int) -> Position:
    table = table_of(state)
    cards = open_cards(table, seat)
    table = replace(table, open=tuple(entry for entry in table.open if entry[0] != seat))
    if seat == table.active:
        return replace(state, table=table, pile=(*state.pile, *cards))
    return replace(state, table=table.onto_pile(seat, *cards))


def turn_up_cards(state: Position, source: Any, amount: int, last: str, data: Any, seats: Iterable[int]) -> Position:
    """Puts on the stack that each of these players turns up cards, then ``last``."""
    todo: list[AnyTask] = []
    for seat in seats:
        todo += [Task(TURN_UP, source, For(seat))] * amount
        todo.append(Task(last, source, For(seat, data)))
    return replace(state, todo=(*todo, *state.todo))


def _revealed_options(game: Game, state: Position, task: Task[For[Select]]) -> Answers:
    seat, select = task.data
    return tuple(Named("destroy", card) for card in matching(game, open_cards(table_of(state), seat), select))


def settle_open(
    game: Game, state: Position, task: Task[For[Any]], choice: Named | Several | None, events: Events
) -> Position:
    """Destroys the chosen cards of those that the player turned up and discards the rest."""
    seat, by = task.data.seat, task.source[0]
    for card in cards_of(choice) if choice is not None else ():
        state = destroy_open(state, seat, card, by, events, rule_against_others(game, by))
    return discard_open(state, seat)


def hero_left(game: Game, state: Position, seats: Iterable[int]) -> bool:
    table = table_of(state)
    mine = (*state.deck, *state.discard_pile)
    piles = [mine if seat == table.active else table.seats[seat].deck + table.seats[seat].discard for seat in seats]
    return any(game.cards[card].is_hero for cards in piles for card in cards)


def brawl(game: Game, state: Position, task: Task[Custom], choice: None, events: Events) -> Position:
    """The discarded hero fights the one that a player turns up."""
    visit = visit_of(state)
    if state.table is not None:
        return replace(state, todo=(Task("brawl-player", task.source, visit.paid), *state.todo))
    other = visit.known.brawl_hero
    if other is None:
        return void("R4.11", "brawl-unknown")(game, state, task, choice, events)
    state = with_visit(state, known=replace(visit.known, brawl_hero=None))
    won = _wins(game, visit.paid, other, task.source[0], events)
    return with_xp(state, 1, task.source[0], events) if won else state


def _wins(game: Game, mine: str, other: str, by: str, events: Events) -> bool:
    ours, theirs = game.cards[mine].strength, game.cards[other].strength
    fields = (("hero_card", mine), ("other_card", other), ("mine", ours), ("theirs", theirs))
    events.append(Event("brawl-won" if ours > theirs else "brawl-lost", by, ("R4.7",), fields))
    return ours > theirs


def _brawl_options(game: Game, state: Position, task: Task[str]) -> Answers:
    return tuple(Player(seat) for seat in table_of(state).others())


def _brawl_player(game: Game, state: Position, task: Task[str], choice: Player, events: Events) -> Position:
    return replace(state, todo=(Task("brawl-card", task.source, (choice.value, task.data)), *state.todo))


def _brawl_card(game: Game, state: Position, task: Task[tuple[int, str]], choice: None, events: Events) -> Position:
    """A hero turned up fights the discarded one; a draw destroys nobody. Others are discarded, and so it goes on.

    If no hero is left to turn up, the rest of the deck is turned up for nothing.
    """
    (seat, mine), table = task.data, table_of(state)
    for card in open_cards(table, seat):
        if not game.cards[card].is_hero:
            state = discard_open(state, seat)
        elif _wins(game, mine, card, task.source[0], events):
            table = replace(table, open=without(table.open, (seat, card))).without((card,))
            return with_xp(replace(state, table=table), 1, task.source[0], events)
        else:
            return discard_open(state, seat)
    if hero_left(game, state, (seat,)):
        turn_up: AnyTask = Task(TURN_UP, task.source, For(seat))
        return replace(state, todo=(turn_up, task, *state.todo))
    player = table_of(state).seats[seat]
    return replace(state, table=table_of(state).with_seat(seat, deck=()).onto_pile(seat, *player.deck))


HANDLERS: Handlers = {
    "other-discards": (_discard_options, on_choice(_discards, other_has_none)),
    "other-takes-back": (None, _takes_back),
    "other-destroys": (_destroy_options, on_choice(_destroys)),
    TURN_UP: (None, _turn_up),
    "revealed-fate": (_revealed_options, settle_open),
    "brawl-player": (_brawl_options, on_choice(_brawl_player, void("R4.7"))),
    "brawl-card": (None, _brawl_card),
}
