"""What follows the outcome of a battle: who leaves, spoils, what a victory allows, the refilled hall (R6)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from thunderref.database.operations import Custom, Operation, Spoils, Toll
from thunderref.thunderstone.rules import hall, position
from thunderref.thunderstone.rules.cards import STACKED, Cards, CardSpec
from thunderref.thunderstone.rules.choices import DECLINE, REVEAL, Named, Rank, Reveal, Several
from thunderref.thunderstone.rules.effects.other_players import destroyed_open, discard_open, opened_by, turned
from thunderref.thunderstone.rules.effects.preparation import off_the_stack, on_offer
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, chosen
from thunderref.thunderstone.rules.hand import destroyed, in_play, next_copy, returned, revealed
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import AnyTask, Battle, For, Position, Slot, Target, Task, replace, table_of

Kinds = tuple[str, ...]


class Right(NamedTuple):
    """A waiting spoils effect: the kinds it buys, and the purchases made for earlier effects with their kinds."""

    buys: Kinds
    bought: tuple[tuple[Kinds, str], ...] = ()


def casualties(party: Party) -> list[tuple[Slot, str]]:
    """The cards that leave when the battle ends (R6.3): each ``destroyed``, ``spared`` (discarded) or ``returned``.

    A recruited hero is destroyed at the end even if spared, and a borrowed one goes back.
    """
    found = []
    for slot, _ in party.cards:
        if not slot.flags or not in_play(slot):  # a thrown weapon has left already, conjured or borrowed (R5.3)
            continue
        if slot.flags & position.FLEETING or (slot.flags & position.DOOMED and not party.spares(slot)):
            found.append((slot, "destroyed"))
        elif slot.flags & (position.BORROWED | position.DOOMED):
            found.append((slot, "returned" if slot.flags & position.BORROWED else "spared"))
    return found


def bury(party: Party, state: Position, events: Events) -> Position:
    """Cards destroyed in the battle leave now (R6.3); borrowed and conjured ones too."""
    for slot, fate in casualties(party):
        if fate == "destroyed":
            events.append(Event("leaves", slot.card, ("R6.3",), (("copy", slot.copy),)))
            state = destroyed(state, slot.ref)
        else:
            doomed = slot.flags & position.DOOMED
            events.append(Event("spared", slot.card, ("R6.3",)) if doomed else Event("returned", slot.card, ("R4.7",)))
            state = returned(state, slot)
    return state


def leave(game: Game, state: Position, battle: Battle, victory: bool, events: Events) -> Position:
    """The beaten monster leaves the hall; another goes under the dungeon deck unless it may not (R6.1, R6.8)."""
    foe, variant = battle.foe, game.variant
    if not victory and (hall.must_be_defeated(game, foe) or (hall.hall_locked(game, state) and not variant.marches)):
        events.append(Event("stays", foe.card, ("R6.8",)))
        return state
    if battle.rank == 0:
        state = replace(state, rank0=(*state.rank0[: battle.place], *state.rank0[battle.place + 1 :]))
    else:
        state = hall.take_out(state, battle.rank)
    return state if victory else variant.retreat(state, foe.card, events)


def rights_of(party: Party, attackers: list[Slot], aim: Target) -> list[AnyTask]:
    """What a victory allows: spoils of the heroes that attacked and of the monster (R6.4), then R6.5."""
    found: list[AnyTask] = []
    for hero in attackers:
        found += [Task("spoils", hero.ref, Right(op.buys)) for op in party.spec(hero).spoils if isinstance(op, Spoils)]
    found += [Task("spoils", (aim.spec.id, 0), Right(op.buys)) for op in aim.spec.spoils if isinstance(op, Spoils)]
    found += [Task("purge", (aim.spec.id, 0)) for op in aim.spec.spoils if _is_custom(op, "purge-top-six")]
    for hero in attackers:
        after = party.spec(hero).aftermath
        found += [Task("sorcery", hero.ref, op) for op in after if op.op == "bottom-after-victory"]
        found += [Task("hunt-take", hero.ref, aim.spec.id) for op in after if _is_custom(op, "hunt-take")]
    return found


def gold(game: Game, state: Position) -> int:
    """The gold of the revealed cards that survived (R6.4)."""
    return sum(amount for _, amount in gold_from(game, state))


def gold_from(game: Game, state: Position) -> list[tuple[str, int]]:
    """Where that gold comes from: (card, gold) for every revealed card that has some."""
    found = [(slot.card, game.cards[slot.face].gold or 0) for slot in revealed(state) if in_play(slot)]
    return [(card, amount) for card, amount in found if amount]


@lru_cache(maxsize=1024)
def buys(cards: Cards, kinds: Kinds, budget: int, village: tuple[str, ...] | None) -> tuple[str, ...]:
    """The cards on offer of these kinds that cost at most ``budget``; none if the village is unknown."""
    specs = [cards[card] for card in dict.fromkeys(village or ())]
    return tuple(spec.id for spec in specs if spec.cost <= budget and _is_of(spec, kinds))


def _is_of(spec: CardSpec, kinds: Kinds) -> bool:
    return spec.kind in kinds or bool(spec.types & {"weapon", "food"}.intersection(kinds))


@lru_cache(maxsize=8)
def _sold(cards: Cards) -> tuple[str, ...]:
    return tuple(card for card, spec in cards.items() if spec.kind in STACKED)


def _spoils_options(game: Game, state: Position, task: Task[Right]) -> Answers:
    """Decline, or a card on offer; any card at all if the village is unknown, as for other effects.

    This effect may count for an earlier purchase, if the effect of that purchase can buy the card instead.
    """
    known, right, budget = on_offer(game, state), task.data, gold(game, state)
    rights = (right.buys, *(kinds for kinds, _ in right.bought))
    wanted = tuple(dict.fromkeys(kind for kinds in rights for kind in kinds))
    found = buys(game.cards, wanted, budget, _sold(game.cards) if known is None else known)
    if right.bought:
        cards = tuple(card for _, card in right.bought)
        found = tuple(card for card in found if _each_its_own(game, (card, *cards), rights))
    return (DECLINE, *(Named("buy", card) for card in found))


def _each_its_own(game: Game, cards: tuple[str, ...], rights: tuple[Kinds, ...]) -> bool:
    """True if each card can have a spoils effect of its own (R6.4)."""
    return not cards or any(
        _is_of(game.cards[cards[0]], kinds) and _each_its_own(game, cards[1:], (*rights[:place], *rights[place + 1 :]))
        for place, kinds in enumerate(rights)
    )


def _spoils(game: Game, state: Position, task: Task[Right], choice: Named, events: Events) -> Position:
    card = choice.value
    events.append(Event("bought", card, ("R6.4",), (("by_card", task.source[0]),)))
    bought = (*task.data.bought, (task.data.buys, card))
    todo = tuple(
        replace(other, data=Right(other.data.buys, bought)) if other.name == "spoils" else other for other in state.todo
    )
    return replace(off_the_stack(state, card), todo=todo, gained=(*state.gained, card))


def _is_custom(operation: Operation, name: str) -> bool:
    return isinstance(operation, Custom) and operation.name == name


TOP_SIX = 6


def _purge_options(game: Game, state: Position, task: Task[None]) -> Answers:
    """Decline, or any of the known top six cards of the own deck to destroy (Sphinx); in a game they are revealed."""
    if state.in_game:
        return (DECLINE, REVEAL)
    return (DECLINE, *(Several("destroy", cards) for cards in _parts(state.deck[:TOP_SIX])))


def _parts(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(tuple(sorted(part)) for n in range(len(cards) + 1) for part in combinations(cards, n)))


def _purge_fate_options(game: Game, state: Position, task: Task[For[None]]) -> Answers:
    return tuple(Several("destroy", cards) for cards in _parts(opened_by(table_of(state), task.data.seat)))


def _purge_fate(game: Game, state: Position, task: Task[For[None]], choice: Several | None, events: Events) -> Position:
    for card in choice.value if choice is not None else ():
        state = destroyed_open(state, task.data.seat, card, task.source[0], events, "R6.4")
    return discard_open(state, task.data.seat)


def _purge(game: Game, state: Position, task: Task[None], choice: Several | Reveal, events: Events) -> Position:
    if state.in_game:
        return turned(state, task.source, TOP_SIX, "purge-fate", None, (table_of(state).active,))
    top = state.deck[:TOP_SIX]
    doomed = list(choice.value or ())
    events.append(Event("purged", task.source[0], ("R6.4",), (("n", len(doomed)),)))
    state = replace(state, deck=state.deck[TOP_SIX:], unknown_draws=state.unknown_draws + TOP_SIX - len(top))
    for card in top:
        ref = (card, next_copy(state, card))
        if card in doomed:
            doomed.remove(card)
            events.append(Event("leaves", card, ("R6.4",), (("copy", 1),)))
            state = replace(state, destroyed=(*state.destroyed, ref))
        else:
            state = replace(state, discarded=(*state.discarded, ref))
    return state


def _sorcery_options(game: Game, state: Position, task: Task[Any]) -> Answers:
    return (DECLINE, *(Rank("bottom", rank) for rank in hall.movable_ranks(game, state)))


def _sorcery(game: Game, state: Position, task: Task[Any], choice: Rank, events: Events) -> Position:
    state = hall.put_under(game, state, choice.value, task.source[0], "R6.5", events)
    return hall.refill(game, state, events)


def _refill(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    state = replace(state, todo=(*state.todo, Task("end-turn")))
    return hall.refill(game, state, events)


def _end_turn(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    if not state.in_game:  # in a game the new hand is drawn and pays at once
        dues = [
            (foe.card, op.amount) for foe in state.rank0 for op in game.cards[foe.card].breach if isinstance(op, Toll)
        ]
        events += [Event("toll-due", card, ("R6.7",), (("n", amount),)) for card, amount in dues]
    return replace(state, phase="end")


HANDLERS: Handlers = {
    "spoils": (_spoils_options, chosen(_spoils)),
    "purge-fate": (_purge_fate_options, _purge_fate),
    "purge": (_purge_options, chosen(_purge)),
    "sorcery": (_sorcery_options, chosen(_sorcery)),
    "refill": (None, _refill),
    "end-turn": (None, _end_turn),
}
