"""Random visits to the village: nothing legal fails, no card is lost, the gold is the sum of its reasons."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from support.boxes import possible
from support.seats import child
from support.several import several
from support.tables import FIND, HANDS, RULES, STORE, cards, refused_unless_legal
from thunderref.thunderstone.resolve.documents import VisitDocument, read_document
from thunderref.thunderstone.resolve.plan import LineWriter
from thunderref.thunderstone.resolve.result import VisitResult
from thunderref.thunderstone.resolve.visit import opening, visit
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import COUNT, END, Buy, Choice, LevelUp, Pick, Use
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import UNCOUNTED, Position

WITH_EFFECTS = [card for card in dict.fromkeys(HANDS) if load_cards(STORE)[card].village]
FOR_SALE = cards("hero", "village", "basic")
MORE = settings(max_examples=several(25, 400))
"""Visits are short: more of them than of dungeon turns."""
pytestmark = pytest.mark.thorough
LONGEST = 80
"""Far more actions than a visit with six cards can have."""


@st.composite
def documents(draw: st.DrawFn, effects: int = 3, most: int = 3) -> dict[str, Any]:
    """A visit: cards with village effects and others, a deck, XP, and stacks with few copies or unknown ones."""
    hand = draw(st.lists(st.sampled_from(WITH_EFFECTS), max_size=effects))
    hand += draw(st.lists(st.sampled_from(HANDS), min_size=1, max_size=most))
    stacks = draw(st.dictionaries(st.sampled_from(FOR_SALE), st.integers(0, 2), min_size=1, max_size=8))
    return possible(
        {
            "hand": hand,
            "deck": draw(st.lists(st.sampled_from(HANDS), max_size=3)),
            "xp": draw(st.integers(0, 6)),
            "goal": draw(st.sampled_from(["gold", "buy", "vp", "xp"])),
            "stacks": [f"{n} {card}" if n else card for card, n in stacks.items()],
            "players": draw(st.integers(2, 5)),
        }
    )


def opened(document: dict[str, Any]) -> tuple[Game, Position]:
    """The table and the beginning of the visit."""
    return opening(read_document(VisitDocument, document), STORE, FIND)


def random_visit(game: Game, start: Position, data: st.DataObject) -> list[tuple[Position, Choice, Position]]:
    """A legal visit from its beginning to its end."""
    played = []
    here = start
    for _ in range(LONGEST):
        options = legal_actions(game, here)
        if not options:
            return played
        action = options[data.draw(st.integers(0, len(options) - 1))]
        after, _ = child(game, here, action)
        played.append((here, action, after))
        here = after
    raise AssertionError("the visit does not end")


def own_cards(here: Position) -> Counter[str]:
    """Every card of the player's that was his when the visit began, wherever it is now."""
    turn = here
    found = Counter(slot.card for slot in turn.hand) + Counter(turn.deck)
    return found + Counter(card for card, _ in (*turn.destroyed, *turn.discarded))


@MORE
@given(documents(), st.data())
def test_a_legal_visit_never_fails_and_loses_no_card(document: dict[str, Any], data: st.DataObject) -> None:
    game, start = opened(document)
    played = random_visit(game, start, data)
    for before, action, after in played:
        assert before != after, action
        assert hash(after) == hash(Position(*astuple(after)))
        assert own_cards(after) == own_cards(start), action
        assert min(after.visit.gold, after.visit.buys, after.xp) >= 0
        bought = Counter(after.gained)
        for (card, left), (_, now) in zip(start.stacks or (), after.stacks or (), strict=True):
            assert now == UNCOUNTED if left == UNCOUNTED else left - bought[card] == now >= 0
        options = legal_actions(game, after)
        assert len(set(options)) == len(options)
        assert (options == ()) == (after.phase == "end")
        spent = sum(game.cards[card].cost for card in after.visit.bought)
        if isinstance(action, LevelUp):
            assert before.xp - after.xp == game.cards[action.hero[0]].level_cost
            assert after.visit.gold == before.visit.gold
        elif isinstance(action, Buy):
            assert before.visit.gold - after.visit.gold == game.cards[action.card].cost
            assert spent <= next(v.visit.gold for _, a, v in played if a == COUNT)


@MORE
@given(documents(), st.data())
def test_a_visit_written_as_a_plan_is_the_same_visit(document: dict[str, Any], data: st.DataObject) -> None:
    game, start = opened(document)
    played = random_visit(game, start, data)
    writer = LineWriter()
    for before, action, _ in played:
        writer.add(before, action)
    found, end = visit({**document, "plan": writer.steps}), played[-1][2]
    counted = next(after for _, action, after in played if action == COUNT)
    assert (found.gold, found.gold_left, found.xp_left) == (counted.visit.gold, end.visit.gold, end.xp)
    assert sorted(found.destroyed) == sorted(card for card, _ in end.destroyed)
    assert sorted(found.discarded) == sorted(card for card, _ in end.discarded)
    assert sorted(found.gained) == sorted(end.gained)
    assert found.line == writer.steps


@MORE
@given(documents())
def test_the_best_visit_can_be_played_as_a_plan_and_its_gold_is_a_sum(document: dict[str, Any]) -> None:
    found = visit(document)
    assert found.sparing is not None
    assert not found.sparing.destroyed
    again = {**found.model_dump(), "spending": None, "sparing": None}
    assert visit({**document, "plan": found.line}).model_dump() == again
    assert sum(step.gold for step in found.steps) == found.gold
    for option in found.options:
        assert option.cost == sum(STORE.cards[card].cost or 0 for card in option.buy) == found.gold - option.left
        assert option.left >= 0
    for step in found.steps:
        assert set(step.rules) <= RULES


@MORE
@given(documents(), st.randoms(use_true_random=False))
def test_the_order_of_the_hand_changes_nothing_in_the_village(document: dict[str, Any], shuffled: Any) -> None:
    hand = list(document["hand"])
    shuffled.shuffle(hand)
    one, other = visit(document), visit({**document, "hand": hand})
    assert figures(one) == figures(other)


def figures(found: VisitResult) -> tuple[Any, ...]:
    """What a visit comes to, whatever led there."""
    options = sorted((tuple(sorted(option.buy)), option.left) for option in found.options)
    levels = sorted((level.hero, level.to, level.cost) for level in found.level_ups)
    return found.gold, found.buys, sorted(found.buys_after), found.xp, options, levels


@MORE
@given(documents(), st.data(), st.integers(0, 6))
def test_what_is_not_legal_in_the_village_is_refused_with_a_rule(
    document: dict[str, Any], data: st.DataObject, n: int
) -> None:
    game, here = opened(document)
    for before, _, _ in random_visit(game, here, data)[n : n + 1]:
        here = before
    a_card = st.sampled_from([card for card, _ in here.stacks or ()])
    a_ref = st.sampled_from([slot.ref for slot in here.hand] or [("torch", 1)])
    actions = st.one_of(
        st.builds(Use, a_ref, st.integers(0, 3)),
        st.builds(Buy, a_card),
        st.builds(LevelUp, a_ref, a_card),
        st.builds(Pick, st.sampled_from(["destroy", "discard", "hero"]), a_ref),
        st.sampled_from([COUNT, END]),
    )
    refused_unless_legal(data, actions, legal_actions(game, here), partial(child, game, here))
