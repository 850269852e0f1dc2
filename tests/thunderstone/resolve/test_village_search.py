"""The best use of village effects and the list of purchases against a brute force that knows no shortcut."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.seats import child
from support.several import several
from thunderref.budget import Budget
from thunderref.database.read import open_database
from thunderref.thunderstone.resolve.visit import MOST_OPTIONS, Market, VillageSearch, visit
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Buy, kind_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play, why_illegal
from thunderref.thunderstone.rules.position import UNCOUNTED, Known, Position, Visit, replace
from thunderref.thunderstone.rules.village import (
    begin_visit,
    buy_problem,
    gold_in_play,
    visit_of,
    with_visit,
)

WITH_EFFECTS = [
    "barkeep", "blacksmith", "divine-chaplain", "divine-healer", "divine-prophet", "gangland-heavy", "gangland-thug",
    "pawnbroker", "sage", "tavern-brawl", "tax-collector", "town-guard", "trainer",
]  # fmt: skip
PLAIN = ["militia", "torch", "dagger", "disease", "griffon", "lorigg-thief", "battle-fury", "goodberries"]
OFFERS = ["banish", "dagger", "short-sword", "goodberries", "ambrosia", "militia", "elf-wizard", "elf-sorcerer"]
GOALS = ["gold", "buy", "vp", "xp"]

hands = st.tuples(
    st.lists(st.sampled_from(WITH_EFFECTS), max_size=3), st.lists(st.sampled_from(PLAIN), min_size=1, max_size=3)
).map(lambda parts: tuple(parts[0] + parts[1]))
decks = st.lists(st.sampled_from(PLAIN + WITH_EFFECTS[:4]), max_size=3).map(tuple)
offers = st.dictionaries(st.sampled_from(OFFERS), st.sampled_from([UNCOUNTED, 1, 2]), max_size=5)
knowns = st.builds(Known, st.sampled_from([None, 3]), st.sampled_from([None, "militia", "outlands-warrior"]))


def game(players: int = 2) -> Game:
    return Game(load_cards(open_database()), players=players)


def start_of(
    hand: tuple[str, ...], deck: tuple[str, ...], offer: dict[str, int], known: Known | None = None
) -> Position:
    return begin_visit(hand, deck, 2, tuple(sorted(offer.items())), Visit(known=known or Known()))


def every_end(board: Game, visit: Position) -> list[Position]:
    """Every state in which the gold may be counted, in any order of effects."""
    seen: set[Position] = set()
    found, stack = [], [visit]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if not node.todo:
            found.append(node)
        stack += [play(board, node, a)[0] for a in legal_actions(board, node) if kind_of(a) in ("use", "choose")]
    return found


@pytest.mark.thorough
@settings(max_examples=several(25, 150), deadline=None)
@given(hand=hands, deck=decks, offer=offers, known=knowns, goal=st.sampled_from(GOALS))
def test_the_best_use_is_the_best_of_all(
    hand: tuple[str, ...], deck: tuple[str, ...], offer: dict[str, int], known: Known, goal: str
) -> None:
    board, start = game(), start_of(hand, deck, offer, known)
    market = Market(board, start.stacks or ())
    search = VillageSearch(board, market, goal, Budget().searching())
    visit = start
    for action in search.run(start):
        visit, _ = child(board, visit, action)
    assert search.complete
    found, ends = search.worth(visit), every_end(board, start)
    assert found == max(map(search.worth, ends))
    spared = start
    for action in search.sparing:
        spared, _ = child(board, spared, action)
    assert not spared.destroyed
    assert search.worth(spared) == max(search.worth(end) for end in ends if not end.destroyed)


@pytest.mark.thorough
@settings(max_examples=several(25, 150), deadline=None)
@given(offer=offers, gold=st.integers(0, 16), extra=st.integers(0, 2), smiths=st.integers(0, 2))
def test_the_options_are_all_that_can_be_bought(offer: dict[str, int], gold: int, extra: int, smiths: int) -> None:
    board, start = game(), start_of(("torch",), (), offer)
    after = ("weapon",) * smiths
    shop = replace(with_visit(start, gold=gold, buys=1 + extra, after=after), phase="buy")
    reached: dict[tuple[str, ...], Position] = {}
    stack = [shop]
    while stack:
        node = stack.pop()
        bag = tuple(sorted(node.visit.bought))
        if bag in reached and reached[bag].visit.buys >= node.visit.buys:
            continue
        reached[bag] = node
        stack += [play(board, node, action)[0] for action in legal_actions(board, node) if kind_of(action) == "buy"]
    options = list(Market(board, start.stacks or ()).options(gold, 1 + extra, after))
    assert sorted(tuple(sorted(option.buy)) for option in options) == sorted(bag for bag in reached if bag)
    for option in options:
        node = shop
        for card in option.buy:
            assert buy_problem(board, node, card) is None
            node, _ = child(board, node, Buy(card))
        assert node.visit.gold == gold - option.cost
    if all(left == UNCOUNTED for left in offer.values()):
        best = Market(board, start.stacks or ()).best(gold, 1 + extra, after)
        assert best == (max((o.cost for o in options), default=0), max((o.vp for o in options), default=0))


@pytest.mark.thorough
@settings(max_examples=several(33, 200), deadline=None)
@given(hand=hands, deck=decks, offer=offers, choices=st.lists(st.integers(0, 30), max_size=25))
def test_a_visit_keeps_every_card_and_never_owes(
    hand: tuple[str, ...], deck: tuple[str, ...], offer: dict[str, int], choices: list[int]
) -> None:
    """Legal is what child accepts; every card is in one place; gold, XP, purchases and stacks are never negative."""
    board, turn = game(), start_of(hand, deck, offer)
    for choice in choices:
        actions = legal_actions(board, turn)
        if not actions:
            break
        action = actions[choice % len(actions)]
        assert why_illegal(board, turn, action) is None
        turn, _ = child(board, turn, action)
        visit = visit_of(turn)
        places = [slot.card for slot in turn.hand] + [card for card, _ in (*turn.destroyed, *turn.discarded)]
        assert sorted([*places, *turn.deck]) == sorted([*hand, *deck])
        taken = [card for card, left in offer.items() for _ in range(max(0, left))]
        left_over = [card for card, left in turn.stacks or () for _ in range(max(0, left))]
        assert sorted([*left_over, *(c for c in turn.gained if offer.get(c, UNCOUNTED) != UNCOUNTED)]) == sorted(taken)
        assert min(visit.gold, visit.buys, turn.xp, gold_in_play(board, turn)) >= 0
        assert all(left >= UNCOUNTED for _, left in turn.stacks or ())


def test_combinations_of_many_purchases_from_everything_are_counted_right() -> None:
    board = game()
    offer = {card: UNCOUNTED for card, spec in board.cards.items() if spec.kind == "village"}
    start = start_of(("torch",), (), offer)
    found = list(Market(board, start.stacks or ()).options(8, 2, ()))
    costs = [board.cards[card].cost for card in offer]
    pairs = sum(a + b <= 8 for a, b in combinations_with_replacement(costs, 2))
    assert len(found) == pairs + sum(cost <= 8 for cost in costs)


def test_many_villagers_and_many_purchases_still_get_an_answer() -> None:
    """A hand too large to search through says so; thousands of combinations are cut, and said to be cut."""
    hand = ["sage"] * 2 + ["pawnbroker"] * 2 + ["trainer"] * 2 + PLAIN
    many = visit({"hand": hand, "deck": ["torch", "sage", "dagger"], "xp": 3, "goal": "gold"}, budget=Budget(0.1))
    assert not many.proven
    assert many.gold >= 20
    rich = visit({"hand": ["barkeep"] * 4 + ["feast"] * 4})
    assert rich.proven
    assert len(rich.options) == MOST_OPTIONS
    assert not rich.options_complete
