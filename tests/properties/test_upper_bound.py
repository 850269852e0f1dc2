"""The table of what may lower a figure, held against the engine: the bound of the best line rests on it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.boxes import possible
from support.tables import HALLS, HANDS, opening
from thunderref.thunderstone.resolve.waiting import may_lower
from thunderref.thunderstone.rules.cards import Ability
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.figures import hero_terms
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import Position, Slot, Target, replace

TABLE, _ = opening({"hand": ["militia"], "hall": ["griffon"]})
LASTING = sorted({card for card in HANDS if any(ability.lasting for ability in TABLE.cards[card].dungeon)})


def figures(game: Game, state: Position, hand: list[Slot]) -> list[int]:
    """What the heroes of a hand give against every target, each armed with all weapons; more is never worse."""
    weapons = tuple(slot for slot in hand if game.cards[slot.face].is_weapon)
    armed = (replace(slot, weapons=weapons) if game.cards[slot.face].is_hero else slot for slot in hand)
    party = Party(game, replace(state, hand=tuple(armed)))
    found = [party.strength(hero) for hero in party.heroes] + [party.spares(hero) for hero in party.heroes]
    found += [-party.weight(slot) for slot in party.weapons]
    for rank, foe in enumerate(state.hall, 1):
        target = Target(game.cards[foe.card], rank, None)
        found += [each for hero in party.heroes for each in fold(hero_terms(party, hero, target))]
    return found


def used(game: Game, hand: list[Slot], card: str, ability: Ability) -> list[Slot]:
    """The hand with the effect in use, on every hero if it is for one."""

    def use(slot: Slot) -> Slot:
        marks = slot.marks
        if ability.chooses_hero and game.cards[slot.face].is_hero:
            marks = (*marks, (card, ability.number))
        return replace(slot, used=(*slot.used, ability.number) if slot.face == card else slot.used, marks=marks)

    return list(map(use, hand))


@pytest.mark.parametrize("card", LASTING)
@given(st.lists(st.sampled_from(HANDS), max_size=5), st.permutations(HALLS))
def test_what_is_not_said_to_lower_a_figure_lowers_none(card: str, others: list[str], halls: list[str]) -> None:
    game, state = opening(possible({"hand": [card, "militia", *others], "hall": halls[:3]}))
    for ability in game.cards[card].dungeon:
        if ability.lasting and not may_lower(ability):
            before = figures(game, state, list(state.hand))
            after = figures(game, state, used(game, list(state.hand), card, ability))
            assert all(one >= other for one, other in zip(after, before, strict=True)), (card, ability.number)


def test_there_are_effects_of_both_kinds() -> None:
    kinds = {may_lower(one) for card in LASTING for one in TABLE.cards[card].dungeon if one.lasting}
    assert kinds == {True, False}
