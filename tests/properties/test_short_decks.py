"""Turns near the end of the decks (R2.2, R6.6) with counted stacks (R3.3): the search loses nothing there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from support.full_search import FullSearch, best_of_each
from support.tables import BASE_HALLS, FIND, HANDS, STORE, opening
from thunderref.budget import Budget
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.resolve.documents import VisitDocument, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.search import Search
from thunderref.thunderstone.resolve.visit import Market, VillageSearch
from thunderref.thunderstone.resolve.visit import opening as visit_opening
from thunderref.thunderstone.rules.choices import kind_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import Position

DRAWING = ("arcane-energies", "magical-aura", "regian-priest", "thyrian-squire", "banish", "diin-enchanter")
VISITING = ("town-guard", "barkeep", "trainer", "sage", "pawnbroker")
GOALS = ("gold", "buy", "vp", "xp")
some = st.sampled_from(HANDS)


@st.composite
def decks(draw: st.DrawFn) -> dict[str, Any]:
    """A deck of three cards at most: known on top, in unknown order or of known size only; and a discard pile."""
    top = draw(st.lists(some, max_size=1))
    below = draw(st.lists(some, max_size=2))
    known = draw(st.booleans())
    size = {"deck_list": below} if known else {"deck_size": len(top) + len(below)}
    return {"deck": top, **size, "discard": draw(st.lists(some, max_size=2))}


@st.composite
def battles(draw: st.DrawFn) -> dict[str, Any]:
    hand = [draw(st.sampled_from(DRAWING)), *draw(st.lists(some, min_size=1, max_size=3))]
    hall = draw(st.lists(st.sampled_from(BASE_HALLS), min_size=1, max_size=2))
    stacks = [f"{draw(st.integers(1, 2))} {card}" for card in ("short-sword", "elf-wizard", "spear")]
    more = {"dungeon_size": draw(st.integers(0, 1)), "village": stacks, "goal": draw(st.sampled_from(("win", "max")))}
    return {"hand": hand, "hall": hall, **draw(decks()), **more}


def opened(document: dict[str, Any]) -> tuple[Game, Position]:
    """The opening of a position that the boxes can make."""
    try:
        return opening(document)
    except NoAnswerError as error:
        assume(error.code != "too-many-copies")
        raise


@given(battles())
def test_the_search_loses_nothing_where_a_deck_ends(document: dict[str, Any]) -> None:
    game, start = opened(document)
    short, full = Search(game, document["goal"]), FullSearch(game, document["goal"], budget=3_000)
    short.run(start)
    full.run(start)
    if full.complete:
        assert best_of_each(start, short) == best_of_each(start, full)


@given(battles())
def test_a_line_to_the_end_of_a_deck_is_a_plan(document: dict[str, Any]) -> None:
    opened(document)
    for target in resolve(document).targets:
        assert target.unknown_draws >= 0
        if target.outcome != "barred":
            again = resolve({**document, "plan": target.line}).targets[0]
            assert (again.total, again.unknown_draws) == (target.total, target.unknown_draws)


@given(decks(), st.sampled_from(VISITING), st.lists(some, min_size=1, max_size=3), st.sampled_from(GOALS))
def test_a_visit_to_the_end_of_a_deck_is_the_best(deck: dict[str, Any], draws: str, hand: list[str], goal: str) -> None:
    document = {"hand": [draws, *hand], "goal": goal, **deck}
    opened({"hall": ["griffon"], **{key: value for key, value in document.items() if key != "goal"}})
    game, start = visit_opening(read_document(VisitDocument, document), STORE, FIND)
    search = VillageSearch(game, Market(game, start.stacks or ()), goal, Budget().searching())
    state = start
    for choice in search.run(start):
        state, _ = play(game, state, choice)
    assert state.unknown_draws >= 0
    if search.complete:
        assert search.worth(state) == max(search.worth(end) for end in ends_of(game, start))


def ends_of(game: Game, start: Position) -> Iterator[Position]:
    """Every state in which the gold may be counted, in any order of effects."""
    seen, stack = set[Position](), [start]
    while stack:
        state = stack.pop()
        if state not in seen:
            seen.add(state)
            if not state.todo:
                yield state
            uses = [choice for choice in legal_actions(game, state) if kind_of(choice) in ("use", "choose")]
            stack += [play(game, state, choice)[0] for choice in uses]
