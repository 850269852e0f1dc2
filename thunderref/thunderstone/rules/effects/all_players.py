"""What acts on all players: what they discard, show and turn up; traps and breaches (R4.7, R5.2, R6.6, R6.10).

In a described scenario only the active player's cards are known, and hands if they are given.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thunderref.database import operations as ops
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.choices import DECLINE, Answer, Choice, Decline, Named, Pick, Player, cards_of
from thunderref.thunderstone.rules.draws import TURN_UP, show_top
from thunderref.thunderstone.rules.effects.preparation import OTHERS_CARD, Demand, destroy, each_other, gain
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, on_choice, void
from thunderref.thunderstone.rules.hall import arrive
from thunderref.thunderstone.rules.hand import all_slots, find, in_play, off_deck, remove_card
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import For, Position, Task, off_the_stack, replace, table_of, without
from thunderref.thunderstone.rules.village import visit_of, with_visit, with_xp

ON_ACTIVE = (ops.ShowHero, ops.DestroyWeakest, ops.HoldHero, ops.GainUnlessShown)
"""What traps do to the active player, as :class:`ops.TurnRound` does."""
ON_OTHERS = (ops.ShowHero, ops.GainUnlessShown, ops.OthersLose)
"""What traps do to each of the others, as :class:`ops.RevealTops` and :class:`ops.TurnRound` do."""
Spared = tuple[int, ...]
NO_SEAT = -1  # the active player where no table says at which seat
Round = tuple[tuple[int, ...], int]
"""Who turns cards up, the next one first, and how many heroes are still to be found."""
Shown = Pick | Named
Reply = Shown | Decline | None


def matching(game: Game, cards: Iterable[str], select: ops.Select) -> list[str]:
    """The different cards that match, in order."""
    return sorted({card for card in cards if game.cards[card].matches(select)})


def choose_by_will(state: Position, task: Task[Any], choices: Answers, events: Events) -> Choice | None:
    """What another player of a described scenario chooses: the card they like best, else the first, as assumed."""
    table = state.table
    if table is None or not table.described or not isinstance(task.data, For) or task.data.seat == table.active:
        return None
    mine = [will for will in table.wills if will[0] == task.data.seat and will[2] in ("", task.source[0])]
    specific = [card for _, card, source in mine if source]
    liked = [*specific, *(card for _, card, source in mine if not source)]
    answer = min(choices, key=lambda answer: liked.index(answer.value) if answer.value in liked else len(liked))
    if len(choices) > 1 and answer.value not in specific:
        params = (("seat", task.data.seat), ("by_card", task.source[0]))
        events.append(Event("assumed", str(answer.value), ("R4.7",), params))
    return answer


def rule_against_others(game: Game, by: str) -> str:
    """The rule by which a card asks something of players: as a trap or a breach, as spoils, or as a player's own."""
    spec = game.cards[by]
    if spec.kind == "trap" or spec.breach:
        return "R6.6"
    return "R6.4" if spec.is_monster else "R4.7"


def _discard_options(game: Game, state: Position, task: Task[For[Demand]]) -> Answers:
    seat, (select, _, instead) = task.data
    hand = table_of(state).seats[seat].hand
    alone = matching(game, hand, instead) if instead is not None else []
    discards = [Named("discard", card) for card in matching(game, hand, select)]
    return (*(Named("alone", card) for card in alone), *discards)


def other_has_none(game: Game, state: Position, task: Task[For[Any]], choice: None, events: Events) -> Position:
    by = task.source[0]
    events.append(Event("other-has-none", by, (rule_against_others(game, by),), (("seat", task.data.seat),)))
    return state


def _discards(game: Game, state: Position, task: Task[For[Demand]], choice: Named, events: Events) -> Position:
    (seat, (select, amount, _)), by, card = task.data, task.source[0], choice.value
    rules = (rule_against_others(game, by),)
    table = table_of(state)
    table = table.with_seat(seat, hand=without(table.seats[seat].hand, card)).onto_pile(seat, card)
    state = replace(state, table=table)
    keeps = _comes_back(game.cards[card]) and not game.cards[by].is_monster
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


def _destroy_options(game: Game, state: Position, task: Task[For[ops.Select]]) -> Answers:
    seat, select = task.data
    return tuple(Named("destroy", card) for card in matching(game, table_of(state).seats[seat].hand, select))


def _destroys(game: Game, state: Position, task: Task[For[ops.Select]], choice: Named, events: Events) -> Position:
    return other_loses(state, task.data.seat, choice.value, task.source[0], events, "R5.2")


def other_loses(state: Position, seat: int, card: str, by: str, events: Events, rule: str = "R6.6") -> Position:
    """Destroys a card that a player turned up, or one in another player's hand."""
    events.append(Event("other-loses", card, (rule,), (("seat", seat), ("by_card", by))))
    table = table_of(state)
    if (seat, card) in table.open:
        table = replace(table, open=without(table.open, (seat, card)))
    else:
        table = table.with_seat(seat, hand=without(table.seats[seat].hand, card))
    return replace(state, table=table.without((card,)))


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


def open_cards(table: position.Table, seat: int) -> tuple[str, ...]:
    return tuple(card for owner, card in table.open if owner == seat)


def discard_open(state: Position, seat: int) -> Position:
    table = table_of(state)
    cards = open_cards(table, seat)
    table = replace(table, open=tuple(entry for entry in table.open if entry[0] != seat))
    if seat == table.active:
        return replace(state, table=table, pile=(*state.pile, *cards))
    return replace(state, table=table.onto_pile(seat, *cards))


def turn_up_cards(state: Position, source: Any, amount: int, last: str, data: Any, seats: Iterable[int]) -> Position:
    """Puts on the stack that each of these players turns up cards, then ``last``."""
    todo: list[position.AnyTask] = []
    for seat in seats:
        todo += [Task(TURN_UP, source, For(seat))] * amount
        todo.append(Task(last, source, For(seat, data)))
    return replace(state, todo=(*todo, *state.todo))


def _revealed_options(game: Game, state: Position, task: Task[For[ops.Select]]) -> Answers:
    seat, select = task.data
    return tuple(Named("destroy", card) for card in matching(game, open_cards(table_of(state), seat), select))


def settle_open(game: Game, state: Position, task: Task[For[Any]], choice: Answer | None, events: Events) -> Position:
    """Destroys the chosen cards of those that the player turned up and discards the rest."""
    seat, by = task.data.seat, task.source[0]
    for card in cards_of(choice) if choice is not None else ():
        state = other_loses(state, seat, card, by, events, rule_against_others(game, by))
    return discard_open(state, seat)


def hero_left(game: Game, state: Position, seats: Iterable[int]) -> bool:
    table = table_of(state)
    mine = (*state.deck, *state.discard_pile)
    piles = [mine if seat == table.active else table.seats[seat].deck + table.seats[seat].discard for seat in seats]
    return any(game.cards[card].is_hero for cards in piles for card in cards)


def brawl(game: Game, state: Position, task: Task[ops.Custom], choice: None, events: Events) -> Position:
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
    suffix = ".kept" if _comes_back(game.cards[other]) else ""
    events.append(Event(f"brawl-won{suffix}" if ours > theirs else "brawl-lost", by, ("R4.7",), fields))
    return ours > theirs


def _comes_back(spec: CardSpec) -> bool:
    """True for a card that another player's effect only sends back to its owner's hand (R4.7)."""
    return any(op.op == "return-to-hand" for op in spec.passive)


def _brawl_options(game: Game, state: Position, task: Task[str]) -> Answers:
    return tuple(Player(seat) for seat in table_of(state).others())


def _brawl_player(game: Game, state: Position, task: Task[str], choice: Player, events: Events) -> Position:
    return replace(state, todo=(Task("brawl-card", task.source, (choice.value, task.data)), *state.todo))


def _brawl_card(game: Game, state: Position, task: Task[tuple[int, str]], choice: None, events: Events) -> Position:
    """A hero turned up fights the discarded one, any other card is discarded: all if no hero is left to turn up."""
    (seat, mine), table = task.data, table_of(state)
    for card in open_cards(table, seat):
        if not game.cards[card].is_hero:
            state = discard_open(state, seat)
            continue
        won, gone = _wins(game, mine, card, task.source[0], events), replace(table, open=())
        if _comes_back(game.cards[card]):
            events.append(Event("other-keeps", card, ("R4.7",), (("seat", seat), ("by_card", task.source[0]))))
            state = replace(state, table=gone.with_seat(seat, hand=(*gone.seats[seat].hand, card)))
        else:
            state = replace(state, table=gone.without((card,))) if won else discard_open(state, seat)
        return with_xp(state, 1, task.source[0], events) if won else state
    if hero_left(game, state, (seat,)):
        turn_up: position.AnyTask = Task(TURN_UP, task.source, For(seat))
        return replace(state, todo=(turn_up, task, *state.todo))
    player = table_of(state).seats[seat]
    return replace(state, table=table_of(state).with_seat(seat, deck=()).onto_pile(seat, *player.deck))


# traps (R6.6)


def _mine(state: Position) -> int:
    return NO_SEAT if state.table is None else state.table.active


def _shields(game: Game, state: Position, seat: int) -> tuple[Shown, ...]:
    """The cards that spare a player who shows them; of the active player's the first that is not forgone (R5.1)."""
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
        revealed = [slot for slot in state.hand if in_play(slot) and not slot.flags & OTHERS_CARD]
        there = {Pick("show", slot.ref): game.cards[slot.face] for slot in revealed}
    else:
        there = {Named("show", card): game.cards[card] for card in sorted(set(table_of(state).seats[seat].hand))}
    return {answer: spec for answer, spec in there.items() if spec.is_hero}


def _trap(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """Players who may be spared choose first, others in a described scenario to show the card; then the trap works."""
    kinds = {type(operation) for operation in game.cards[task.source[0]].trap}
    seats = [_mine(state)] if kinds & {*ON_ACTIVE, ops.TurnRound} else []
    if state.table is not None and kinds & {*ON_OTHERS, ops.RevealTops, ops.TurnRound}:
        seats += state.table.others()
    guarded = [seat for seat in seats if _shields(game, state, seat)]
    shield_tasks: list[position.AnyTask] = [Task("trap-shield", task.source, For(seat)) for seat in guarded]
    return replace(state, todo=(*shield_tasks, Task("trap-works", task.source, ()), *state.todo))


def _shield_options(game: Game, state: Position, task: Task[For[None]]) -> Answers | None:
    decides = state.in_game or task.data.seat == _mine(state)
    return (*_shields(game, state, task.data.seat), DECLINE) if decides else None


def _shield(game: Game, state: Position, task: Task[For[None]], choice: Reply, events: Events) -> Position:
    """The player is spared; if a spell spared the active one, that is a benefit (R5.1)."""
    seat, by = task.data.seat, task.source[0]
    if isinstance(choice, Decline):
        return state
    answer = choice or _shields(game, state, seat)[0]
    if isinstance(answer, Pick):
        events.append(Event("trap-spared", by, ("R6.6",), (("shown_card", answer.value[0]),)))
        used = position.SPELL_USED if game.cards[answer.value[0]].is_spell else 0
        state = replace(state, benefits=state.benefits | used)
    else:
        events.append(Event("other-escapes", answer.value, ("R6.6",), (("seat", seat), ("by_card", by))))
    todo = [replace(task, data=(*task.data, seat)) if task.name == "trap-works" else task for task in state.todo]
    return replace(state, todo=tuple(todo))


def _works(game: Game, state: Position, task: Task[Spared], choice: None, events: Events) -> Position:
    source, spared, mine = task.source, task.data, _mine(state)
    operations = game.cards[source[0]].trap
    unknown = (ops.TurnRound, ops.OthersLose) if state.table is None else ops.TurnRound
    if mine not in spared and not state.in_game and all(isinstance(op, unknown) for op in operations):
        events.append(Event("trap-others", source[0], ("R6.6", "R4.11")))
    opponents = [seat for seat in (state.table.others() if state.table is not None else ()) if seat not in spared]
    todo: list[position.AnyTask] = []
    for operation in operations:
        seats = [mine] if isinstance(operation, ON_ACTIVE) and mine not in spared else []
        seats += opponents if isinstance(operation, ON_OTHERS) else []
        todo += [Task(f"trap:{operation.op}", source, For(seat, operation)) for seat in seats]
        if isinstance(operation, ops.RevealTops) and state.in_game:
            todo += [Task(TURN_UP, source, For(seat)) for seat in opponents for _ in range(operation.amount)]
            todo.append(Task("tops-fate", source))
        elif isinstance(operation, ops.TurnRound) and state.in_game:
            turning = (*opponents, *(() if mine in spared else (mine,)))
            todo += [Task("turn-round", source, (turning, operation.until))] if turning else []
        elif isinstance(operation, ops.TurnRound) and mine not in spared:
            others_left = game.players - len(spared) - 1
            state = _round_for_certain(game, state, source[0], others_left, operation.until, events)
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
        return state if seat == _mine(state) else other_has_none(game, state, task, choice, events)
    if isinstance(operation, ops.ShowHero) and _heroes(game, state, seat)[choice].matches(operation.safe):
        return _escape(state, choice, seat, by, events)
    if isinstance(choice, Pick):
        return destroy(state, choice.value, events, by, ("R6.6",))
    return other_loses(state, seat, choice.value, by, events)


def _escape(state: Position, answer: Shown, seat: int, by: str, events: Events) -> Position:
    key, whose = ("trap-escaped", ()) if isinstance(answer, Pick) else ("other-escapes", (("seat", seat),))
    events.append(Event(key, cards_of(answer)[0], ("R6.6",), (*whose, ("by_card", by))))
    return state


def _safe(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]]) -> list[Shown]:
    heroes, types = _heroes(game, state, task.data.seat), set(task.data.data.types)
    return [hero for hero, spec in heroes.items() if spec.types & types]


def _gain_options(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]]) -> Answers:
    """Nobody must show a hero who would spare them."""
    safe = _safe(game, state, task)
    return (*safe, DECLINE) if safe else ()


def _gain(game: Game, state: Position, task: Task[For[ops.GainUnlessShown]], choice: Reply, events: Events) -> Position:
    (seat, operation), by = task.data, task.source[0]
    answer = choice or next(iter(_safe(game, state, task)), None)
    if isinstance(answer, Pick | Named):
        return _escape(state, answer, seat, by, events)
    if seat == _mine(state):
        return gain(state, operation.card, 1, by, "R6.6", events)
    events.append(Event("other-gains", operation.card, ("R6.6",), (("seat", seat), ("by_card", by))))
    return replace(state, table=table_of(state).onto_pile(seat, operation.card))


def _loses(game: Game, state: Position, task: Task[For[ops.OthersLose]], choice: None, events: Events) -> Position:
    seat, operation = task.data
    for card in table_of(state).seats[seat].hand:
        if game.cards[card].matches(operation.select):
            state = other_loses(state, seat, card, task.source[0], events)
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
        back = tuple([ref for ref in state.caged if ref[1] != position.BEFORE])
        gained = (*state.gained, *[hero for hero, copy in state.caged if copy == position.BEFORE])
        return replace(state, caged=(), discarded=(*state.discarded, *back), gained=gained)
    table = replace(table, cages=()).without(trap for trap, _ in table.cages)
    return replace(state, table=table, gained=(*state.gained, *heroes))


def _tops_fate(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    lying = table_of(state).open
    strengths = [game.cards[card].strength for _, card in lying if game.cards[card].is_hero]
    for seat, card in lying:
        spec = game.cards[card]
        if spec.is_hero and spec.strength < max(strengths):
            state = other_loses(state, seat, card, task.source[0], events)
    table = table_of(state)
    for seat in table.others():
        table = table.with_seat(seat, deck=(*open_cards(table, seat), *table.seats[seat].deck))
    return replace(state, table=replace(table, open=()))


def _round_for_certain(game: Game, state: Position, by: str, opponents: int, until: int, events: Events) -> Position:
    """The cards that leave the own deck whatever the ``opponents``, if any, turn up first; what follows is unknown."""
    certain, heroes = until // (opponents + 1) if opponents else len(state.deck), 0
    for card in state.deck[:certain]:
        if heroes == until:
            break
        is_hero = game.cards[card].is_hero
        heroes += is_hero
        by_card = (("by_card", by),) if is_hero else ()
        events.append(Event("destroyed" if is_hero else "discarded", card, ("R6.6",), by_card))
        state = off_deck(state, destroyed=is_hero)
    if (heroes == until and not opponents) or not (state.deck or state.left is not None):
        return state
    events.append(Event("deck-unknown", by, ("R6.6", "R4.11")))
    return replace(state, deck=(), pool=None, left=None)


def _turn_round(game: Game, state: Position, task: Task[Round], choice: None, events: Events) -> Position:
    """The card turned up last is discarded, a hero destroyed; the next player turns one up while heroes are wanted."""
    seats, remaining = task.data
    for card in open_cards(table_of(state), seats[-1]):
        if game.cards[card].is_hero:
            remaining -= 1
            state = other_loses(state, seats[-1], card, task.source[0], events)
    state = discard_open(state, seats[-1])
    if not remaining or not hero_left(game, state, seats):
        return state
    first, *following = seats
    turn_up: position.AnyTask = Task(TURN_UP, task.source, For(first))
    return replace(state, todo=(turn_up, replace(task, data=((*following, first), remaining)), *state.todo))


# a monster reaches rank 1


def _breach(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    (card, index), table = task.source, state.table
    operation, source = game.cards[card].breach[index], (card, 1)
    if isinstance(operation, ops.EveryoneDiscards):
        own_tasks = [Task[None]("discard-any", source) for _ in range(operation.amount)]
        other_tasks = each_other(state, "other-discards", source, (ops.Select(), operation.amount, None))
        return replace(state, todo=(*own_tasks, *other_tasks, *state.todo))
    if isinstance(operation, ops.RevealTop) and table is not None and state.in_game:
        events.append(Event("breach.everyone-reveals", card, ("R6.6",)))
        seats = (table.active, *table.others())
        return turn_up_cards(state, source, operation.amount, "revealed-fate", operation.select, seats)
    if isinstance(operation, ops.RevealTop):
        state, unknown = show_top(state, operation.amount, card, events)
        n = len(state.deck[: operation.amount])
        suffix = ".known" if not unknown else ".some" if n else ""
        rules = ("R6.6", "R4.11") if suffix == ".some" else ("R6.6",)
        events.append(Event(f"breach.reveal-top{suffix}", card, rules, (("n", n),)))
        return _reveal(game, state, task, operation)
    events.append(Event(f"breach.{operation.op}", card, ("R6.6",)))
    return _raze(game, state, operation.amount) if isinstance(operation, ops.RazeHeroStacks) else state


def _raze(game: Game, state: Position, amount: int) -> Position:
    """The top cards of every hero stack and of the Militia are destroyed, the lowest levels first (R1.6)."""
    stacks, gone = dict(state.stacks or ()), list[str]()
    heroes = sorted((spec for spec in map(game.cards.__getitem__, stacks) if spec.is_hero), key=lambda spec: spec.level)
    doomed = {spec.family: amount for spec in heroes}
    for spec in heroes:
        n = doomed[spec.family] if stacks[spec.id] == position.UNCOUNTED else min(doomed[spec.family], stacks[spec.id])
        doomed[spec.family] -= n
        state = off_the_stack(state, spec.id, n)
        gone += [spec.id] * n
    return replace(state, table=table_of(state).without(gone)) if state.in_game else state


def _reveal(game: Game, state: Position, task: Task[None], operation: ops.RevealTop) -> Position:
    """The known cards off the own deck are discarded; one of them that matches is destroyed."""
    top = state.deck[: operation.amount]
    for _ in top:
        state = off_deck(state, destroyed=False)
    doomed = tuple(Named("destroy", card) for card in dict.fromkeys(top) if game.cards[card].matches(operation.select))
    return replace(state, todo=(Task("reveal-destroy", task.source, doomed), *state.todo))


def _burn(game: Game, state: Position, task: Task[Answers], choice: Named, events: Events) -> Position:
    events.append(Event("destroyed", choice.value, ("R6.6",), (("by_card", task.source[0]),)))
    gone = next(ref for ref in reversed(state.discarded) if ref[0] == choice.value)
    return replace(state, discarded=without(state.discarded, gone), destroyed=(*state.destroyed, gone))


ALL_PLAYERS_HANDLERS: Handlers = {
    "other-discards": (_discard_options, on_choice(_discards, other_has_none)),
    "other-takes-back": (None, _takes_back),
    "other-destroys": (_destroy_options, on_choice(_destroys)),
    TURN_UP: (None, _turn_up),
    "revealed-fate": (_revealed_options, settle_open),
    "brawl-player": (_brawl_options, on_choice(_brawl_player, void("R4.7"))),
    "brawl-card": (None, _brawl_card),
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
    "reveal-destroy": (lambda game, state, task: task.data, on_choice(_burn)),
}
