"""What the other players of a described scenario may choose: each way they can, so that the worst of them is told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

from thunderref.database.operations import Borrow, Custom, MagicUnlessDiscarded, Operation
from thunderref.errors import IllegalStepError, InputError
from thunderref.thunderstone.rules.effects.special import MONSTERS
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.notation import FindCard, Step
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.table import Will
from thunderref.thunderstone.rules.values import replace

MOST_WAYS = 27
"""More ways than this are not tried; the result is then not proven."""


def ways(game: Game, state: Position) -> tuple[list[Position], bool]:
    """The position in each way in which the other players' choices may matter to the active player; one if they do not.

    At most :data:`MOST_WAYS`; the second value is False if there are more.
    """
    table = state.table
    if table is None:
        return [state], True
    named = tuple(will for will in table.wills if will[2])
    mine = sorted({*(slot.card for slot in state.hand), *state.deck})
    effects = [op for card in mine for ability in game.cards[card].dungeon for op in ability.instant]
    kinds: dict[tuple[Will, ...], None] = {}
    for seat in table.others():
        hand = sorted(set(table.seats[seat].hand))
        for operation in effects:
            liked = _liked(game, operation, hand)
            if len(liked) > 1:
                kinds[tuple((seat, card, "") for card in liked)] = None
    found = [
        replace(state, table=replace(table, wills=(*named, *way))) for way in islice(product(*kinds), MOST_WAYS + 1)
    ]
    return found[:MOST_WAYS], len(found) <= MOST_WAYS


def _liked(game: Game, operation: Operation, hand: Sequence[str]) -> list[str]:
    # the cards of a hand between which it matters which of them is given up to this effect
    cards = game.cards
    if isinstance(operation, Borrow | Custom):
        select = operation.select if isinstance(operation, Borrow) else MONSTERS
        return [card for card in hand if cards[card].matches(select)]
    if isinstance(operation, MagicUnlessDiscarded):
        first: dict[bool, str] = {}
        for card in hand:
            first.setdefault(cards[card].matches(operation.select), card)
        return list(first.values())
    return []


def named_by(state: Position, plan: Sequence[Step], find: FindCard) -> Position:
    """The state in which the other players choose what the steps of the plan say under ``others``.

    One card for each other player in turn order, None for one whose choice stays open. Raises IllegalStepError (R4.7)
    for a card that is not in the hand it should come from, InputError for anything but such a list.
    """
    wills, table = list[Will](), state.table
    for number, step in enumerate(plan, 1):
        if "others" not in step:
            continue
        cards = step["others"]
        seats = table.others() if table is not None else ()
        if not isinstance(cards, list) or len(cards) > len(seats) or "use" not in step:
            raise InputError("bad-step-value", step=number, key="others", value=str(cards)[:40])
        source = find(str(step["use"]).partition("#")[0])
        for seat, name in zip(seats, cards, strict=False):
            card = "" if name is None else find(str(name))
            if card and (table is None or card not in table.seats[seat].hand):
                raise IllegalStepError("other-has-not", rule="R4.7", step=number, card=card, n=seat + 1)
            if card:
                wills.append((seat, card, source))
    return state if table is None or not wills else replace(state, table=replace(table, wills=tuple(wills)))
