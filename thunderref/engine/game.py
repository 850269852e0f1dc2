"""The whole game: turns of all players over one table, as hashable values (R1 to R7).

A driver asks :func:`shuffle_wanted` first: if cards are to be shuffled it shuffles them and answers with
:func:`shuffled`. Otherwise :func:`decider` decides among :func:`legal_actions`, and :func:`child` carries it out. The
same setup, shuffles and actions always give the same game.
"""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.engine import chance, legal, transition, village
from thunderref.engine.chance import waits_for_chance
from thunderref.engine.closing import HAND, closing, opened
from thunderref.engine.entry import may_enter
from thunderref.engine.hall import NOBODY, RANKS, is_placeholder
from thunderref.engine.hand import dealt
from thunderref.engine.moment import Game
from thunderref.engine.others import world_of
from thunderref.engine.readings import FIRST_CARD, NO_TARGET
from thunderref.engine.state import Action, Foe, State, Table, Task
from thunderref.engine.values import replace
from thunderref.engine.variants import is_due, penalty
from thunderref.engine.visit import Visit
from thunderref.engine.world import For, Seat, Shuffle, Stacks, World
from thunderref.errors import IllegalStepError
from thunderref.explain.terms import Event

Events = tuple[Event, ...]

WAYS = (Action("village"), Action("dungeon"), Action("rest"))
"""What a turn may be (R2.1)."""
HARASSED = (Action("dungeon"), Action("penalty"))
"""What there is to choose when a marauding monster has waited long enough (R9.6)."""


def begin(
    table: Table,
    dungeon: Sequence[str],
    decks: Sequence[Sequence[str]],
    stacks: Stacks,
    *,
    horde: Sequence[str] = (),
    hall: int = RANKS,
) -> Game:
    """The first turn of a game: the first player chooses.

    ``dungeon`` and ``decks`` are shuffled already, the top card first; each player draws the top six cards. ``hall``
    cards are turned up (0 in the solo game); a trap goes to the bottom of the dungeon deck, nothing else happens
    (R1.5). ValueError for no players.
    """
    if not decks:
        raise ValueError("a game needs a player")
    cards, waiting = list(dungeon), list(horde)
    ranks: list[Foe] = []
    gone: list[str] = []
    under: list[str] = []
    while cards and len(ranks) < hall:
        card = cards.pop(0)
        if table.book[card].kind == "trap":
            under.append(card)
        elif is_placeholder(table.book[card]):
            gone.append(card)
            if waiting:
                ranks.append(Foe(waiting.pop(0)))
        else:
            ranks.append(Foe(card))
    if FIRST_CARD in table.readings:
        ranks.reverse()
    ranks += [NOBODY] * (RANKS - len(ranks))
    seats = tuple(Seat(tuple(deck[:HAND]), tuple(deck[HAND:])) for deck in decks)
    world = World(0, seats, stacks, horde=tuple(waiting), removed=tuple(gone))
    state = State("choose", (), tuple(ranks), (), (), (*cards, *under), world=world)
    return Game("choose", opened(state, 0))


def shuffle_wanted(game: Game) -> Shuffle | None:
    """What has to be shuffled before anybody can go on; None if nothing has."""
    turn = game.turn
    state = turn.turn if isinstance(turn, Visit) else turn  # game.state, written out: asked before every decision
    return chance.shuffle_of(state) if state.todo else None


def shuffled(table: Table, game: Game, order: Sequence[str]) -> tuple[Game, Events]:
    """The game after the wanted shuffle; ``order`` is the shuffled pile, its top card first (or the revealed one).

    ValueError if it does not hold exactly the wanted cards.
    """
    wanted = shuffle_wanted(game)
    if wanted is None:
        raise ValueError("nothing is to be shuffled")
    events: list[Event] = []
    if wanted.what == "deck":
        events.append(Event("reshuffled", "", ("R2.2",), (("seat", wanted.seat), ("n", len(order)))))
    state = chance.shuffled(game.state, wanted, tuple(order))
    if isinstance(game.turn, Visit):
        visit = village.settle(table, replace(game.turn, turn=state), events)
        return _onward(table, game.phase, visit, game.number, events)
    return _onward(table, game.phase, transition.advance(table, state, events), game.number, events)


def decider(game: Game) -> int:
    """The seat of the player who decides now (the active one, or one whom an effect asks)."""
    todo = game.state.todo
    if todo and isinstance(todo[0].data, For):
        return todo[0].data.seat
    return game.active


def legal_actions(table: Table, game: Game) -> tuple[Action, ...]:
    """Every legal action in canonical order; () when the game is over or a shuffle is wanted."""
    turn = game.turn
    if isinstance(turn, Visit):
        return () if turn.turn.todo and waits_for_chance(turn.turn) else village.legal_actions(table, turn)
    if game.phase == "over":
        return ()
    if turn.todo:
        return () if waits_for_chance(turn) else legal.legal_actions(table, turn)
    if game.phase == "choose":
        return _ways(table, turn)
    actions = legal.legal_actions(table, turn)
    return _driven(actions) if world_of(turn).due else actions


def _ways(table: Table, state: State) -> tuple[Action, ...]:
    due = is_due(table, state)
    ways = HARASSED if due else WAYS
    if NO_TARGET in table.readings and not may_enter(table, state, rank=1 if due else None):
        return tuple(way for way in ways if way.kind != "dungeon")
    return ways


def _driven(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Only the monster at rank 1 may be attacked; whoever cannot may leave, and takes it as a penalty card (R9.6)."""
    left = tuple(a for a in actions if a.kind != "attack" or a.a == 1)
    if not left or left[-1].kind not in ("attack", "leave"):
        left = (*left, Action("leave"))
    return left if actions else actions


def child(table: Table, game: Game, action: Action) -> tuple[Game, Events]:
    """The game after ``action`` and what happened.

    Raises :class:`thunderref.errors.IllegalStepError` with the rule's id if the action is not legal.
    """
    if action not in legal_actions(table, game):
        raise _refusal(table, game, action)
    return play(table, game, action)


def _refusal(table: Table, game: Game, action: Action) -> IllegalStepError:
    problem = None
    if game.phase == "choose" and action.kind == "dungeon" and not game.state.todo:
        problem = IllegalStepError("no-entry", rule="R4.8")
    elif game.phase in ("dungeon", "rest", "close") and isinstance(game.turn, State) and not shuffle_wanted(game):
        problem = legal.explain_illegal(table, game.turn, action)
    elif game.phase == "village" and isinstance(game.turn, Visit) and not shuffle_wanted(game):
        problem = village.explain_illegal(table, game.turn, action)
    return problem or IllegalStepError("illegal-action", rule="R2.1", action=action.kind)


def play(table: Table, game: Game, action: Action) -> tuple[Game, Events]:
    """Like :func:`child` for an action known to be legal, as :func:`legal_actions` gives it."""
    events: list[Event] = []
    phase, turn, number = game.phase, game.turn, game.number
    if isinstance(turn, Visit):
        turn = village.carried_out(table, turn, action, events)
    elif phase == "choose" and not turn.todo:
        phase, turn = _chosen(table, turn, action, number, events)
    else:
        turn = transition.carried_out(table, turn, action, events)
    return _onward(table, phase, turn, number, events)


def _chosen(table: Table, state: State, action: Action, number: int, events: list[Event]) -> tuple[str, State | Visit]:
    """The phase and the turn that begin when the active player has said what he does (R2.1)."""
    kind, world = action.kind, world_of(state)
    if kind == "penalty":
        state = penalty(table, state, Task("penalty", ("", 0)), None, events)
        return "choose", transition.advance(table, state, events)
    events.append(Event(f"turn.{kind}", "", ("R2.1",), (("seat", world.active), ("number", number))))
    if kind == "village":
        state = replace(state, phase="prepare", xp=world.seats[world.active].xp)
        return kind, Visit(state, offer=world.stacks, offer_known=True)
    if kind == "rest":
        return kind, replace(state, phase=kind, todo=(Task("rest", ("", 0)),))
    if is_due(table, state):
        world = replace(world, due=True)
    return kind, replace(state, phase="prepare", world=world)


def _onward(table: Table, phase: str, turn: State | Visit, number: int, events: list[Event]) -> tuple[Game, Events]:
    """Ends the turn when it is over, up to the next decision or shuffle."""
    if isinstance(turn, Visit):
        if turn.phase != "end" or turn.turn.todo:
            return Game(phase, turn, number), tuple(events)
        phase, turn = "close", _closed(table, _out_of_the_village(turn), events)
    elif turn.phase == "end" and phase in ("dungeon", "rest") and not turn.todo:
        turn = _paid(turn)
        if not turn.ended:
            phase, turn = "close", _closed(table, turn, events, entered=phase == "dungeon")
    if turn.ended:
        phase = "over"
    elif phase == "close" and turn.phase == "choose":
        phase, number = "choose", number + 1
    return Game(phase, turn, number), tuple(events)


def _out_of_the_village(visit: Visit) -> State:
    """The cards and XP of the active player, and the stacks, as they are when he leaves."""
    state = visit.turn
    world = world_of(state)
    if state.xp != world.seats[world.active].xp:
        world = world.with_seat(world.active, xp=state.xp)
    if visit.offer is not world.stacks:
        world = replace(world, stacks=visit.offer)
    hand = dealt([slot.card for slot in state.hand])  # what was used there means nothing in the dungeon
    return replace(state, hand=hand, gone=(), world=world, xp=0)


def _paid(state: State) -> State:
    """The state with the XP of this turn at the seat of the active player."""
    if not state.xp:
        return state
    world = world_of(state)
    world = world.with_seat(world.active, xp=world.seats[world.active].xp + state.xp)
    return replace(state, world=world, xp=0)


def _closed(table: Table, state: State, events: list[Event], *, entered: bool = False) -> State:
    return transition.advance(table, closing(table, state, events, entered=entered), events)
