"""Random visits to the village: nothing legal fails, no card is lost, the gold is the sum of its reasons."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from tables import ASKED, FIND, HANDS, RULES, STORE, cards, refused_unless_legal

from thunderref.engine.state import Action, Table
from thunderref.engine.village import child, legal_actions
from thunderref.engine.visit import UNCOUNTED, Visit
from thunderref.model.visit import VisitDocument, VisitResult
from thunderref.solve.documents import read_document
from thunderref.solve.visit import opening, visit
from thunderref.solve.visit_plan import STEP_KEYS
from thunderref.solve.visit_tell import VisitWriter
from thunderref.store.catalog import load_book

WITH_EFFECTS = [card for card in dict.fromkeys(HANDS) if load_book(STORE)[card].village]
FOR_SALE = cards("hero", "village", "basic")
MORE = settings(max_examples=settings.get_profile("asked").max_examples if ASKED else 200)
"""Visits are short: more of them than of dungeon turns."""
LONGEST = 80
"""Far more actions than a visit with six cards can have."""


@st.composite
def documents(draw: st.DrawFn, effects: int = 3, most: int = 3) -> dict[str, Any]:
    """A visit: cards with village effects and others, a deck, XP, and stacks with few copies or unknown ones."""
    hand = draw(st.lists(st.sampled_from(WITH_EFFECTS), max_size=effects))
    hand += draw(st.lists(st.sampled_from(HANDS), min_size=1, max_size=most))
    stacks = draw(st.dictionaries(st.sampled_from(FOR_SALE), st.integers(0, 2), min_size=1, max_size=8))
    return {
        "hand": hand,
        "deck": draw(st.lists(st.sampled_from(HANDS), max_size=3)),
        "xp": draw(st.integers(0, 6)),
        "goal": draw(st.sampled_from(["gold", "buy", "vp", "xp"])),
        "stacks": [f"{n} {card}" if n else card for card, n in stacks.items()],
        "players": draw(st.integers(2, 5)),
    }


def opened(document: dict[str, Any]) -> tuple[Table, Visit]:
    """The table and the beginning of the visit."""
    return opening(read_document(VisitDocument, document, STEP_KEYS), STORE, FIND)


def random_visit(table: Table, start: Visit, data: st.DataObject) -> list[tuple[Visit, Action, Visit]]:
    """A legal visit from its beginning to its end."""
    played = []
    here = start
    for _ in range(LONGEST):
        options = legal_actions(table, here)
        if not options:
            return played
        action = options[data.draw(st.integers(0, len(options) - 1))]
        after, _ = child(table, here, action)
        played.append((here, action, after))
        here = after
    raise AssertionError("the visit does not end")


def own_cards(here: Visit) -> Counter[str]:
    """Every card of the player's that was his when the visit began, wherever it is now."""
    turn = here.turn
    found = Counter(slot.card for slot in turn.hand) + Counter(turn.deck)
    return found + Counter(card for card, _ in (*turn.destroyed, *turn.discarded))


@MORE
@given(documents(), st.data())
def test_a_legal_visit_never_fails_and_loses_no_card(document: dict[str, Any], data: st.DataObject) -> None:
    table, start = opened(document)
    played = random_visit(table, start, data)
    for before, action, after in played:
        assert before != after, action
        assert hash(after) == hash(Visit(*astuple(after)))
        assert own_cards(after) == own_cards(start), action
        assert min(after.gold, after.buys, after.turn.xp) >= 0
        bought = Counter(after.turn.gained)
        for (card, left), (_, now) in zip(start.offer, after.offer, strict=True):
            assert now == UNCOUNTED if left == UNCOUNTED else left - bought[card] == now >= 0
        options = legal_actions(table, after)
        assert len(set(options)) == len(options)
        assert (options == ()) == (after.phase == "end")
        spent = sum(table.book[card].cost for card in after.bought)
        if action.kind == "level_up":
            assert before.turn.xp - after.turn.xp == table.book[action.a[0]].level_cost
            assert after.gold == before.gold
        elif action.kind == "buy":
            assert before.gold - after.gold == table.book[action.a].cost
            assert spent <= next(v.gold for _, a, v in played if a.kind == "count")


@MORE
@given(documents(), st.data())
def test_a_visit_written_as_a_plan_is_the_same_visit(document: dict[str, Any], data: st.DataObject) -> None:
    table, start = opened(document)
    played = random_visit(table, start, data)
    writer = VisitWriter()
    for before, action, _ in played:
        writer.put(table, before, action)
    found, end = visit({**document, "plan": writer.steps}), played[-1][2]
    counted = next(after for _, action, after in played if action.kind == "count")
    assert (found.gold, found.gold_left, found.xp_left) == (counted.gold, end.gold, end.turn.xp)
    assert sorted(found.destroyed) == sorted(card for card, _ in end.turn.destroyed)
    assert sorted(found.discarded) == sorted(card for card, _ in end.turn.discarded)
    assert sorted(found.gained) == sorted(end.turn.gained)
    assert found.line == writer.steps


@MORE
@given(documents())
def test_the_best_visit_can_be_played_as_a_plan_and_its_gold_is_a_sum(document: dict[str, Any]) -> None:
    found = visit(document)
    assert visit({**document, "plan": found.line}) == found
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
    table, here = opened(document)
    for before, _, _ in random_visit(table, here, data)[n : n + 1]:
        here = before
    a_card = st.sampled_from([card for card, _ in here.offer])
    a_ref = st.sampled_from([slot.ref for slot in here.turn.hand] or [("torch", 1)])
    actions = st.one_of(
        st.builds(Action, st.just("use"), a_ref, st.integers(0, 3)),
        st.builds(Action, st.just("buy"), a_card, st.just(0)),
        st.builds(Action, st.just("level_up"), a_ref, a_card),
        st.builds(Action, st.just("choose"), st.sampled_from(["destroy", "discard", "hero"]), a_ref),
        st.sampled_from([Action("count"), Action("end")]),
    )
    refused_unless_legal(data, actions, legal_actions(table, here), partial(child, table, here))
