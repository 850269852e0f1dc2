"""Scenarios for the property tests: drawn by hypothesis from the cards of the database, always the same ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from thunderref.database.read import open_database
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.rules.choices import Choice
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import in_play, slots
from thunderref.thunderstone.rules.position import FLEETING, Position

from . import ROOT, read_toml
from .boxes import possible
from .several import ASKED, several

settings.register_profile(
    "thunderref", derandomize=not ASKED, deadline=None, max_examples=several(12, 100), database=None
)
settings.load_profile("thunderref")

STORE = open_database()
FIND = Finder(STORE, None)
RULES = {rule["id"] for rule in read_toml(ROOT / "db" / "rules.toml")["rule"]}
"""The ids of all rules."""


def cards(*kinds: str, sets: tuple[str, ...] = ("base", "wrath", "promo")) -> list[str]:
    """Ids of the cards of some kinds, second-box copies left out."""
    return sorted(
        card.id for card in STORE.cards.values() if card.kind in kinds and card.set_id in sets and not card.reprint_of
    )


HANDS = cards("hero", "village", "basic", "disease") + ["militia", "disease", "iron-rations", "torch"] * 4
TROPHIES = [card for card in cards("monster", "guardian") if card != "horde-placeholder"]
HALLS = TROPHIES
DUNGEONS = [*TROPHIES, *cards("trap"), "stone-of-mystery"]
BASE_HANDS = cards("hero", "village", "basic", "disease", sets=("base",))
BASE_HALLS = cards("monster", sets=("base",))


@st.composite
def scenarios(draw: st.DrawFn, most: int = 6, hands: list[str] = HANDS, halls: list[str] = HALLS) -> dict[str, Any]:
    """A scenario document of 1 to ``most`` cards in hand."""
    hand = draw(st.lists(st.sampled_from([*hands, *hands, *TROPHIES]), min_size=1, max_size=most))
    document: dict[str, Any] = {
        "ruleset": draw(st.sampled_from(["print", "yucata"])),
        "goal": draw(st.sampled_from(["win", "max"])),
        "hand": hand,
        "hall": draw(st.lists(st.sampled_from(halls), min_size=1, max_size=3)),
        "deck": draw(st.lists(st.sampled_from(hands), max_size=3)),
        "dungeon": draw(st.lists(st.sampled_from(DUNGEONS), max_size=3)),
        "village": ["short-sword", "cursed-mace", "elf-wizard", "dwarf-guardian"],
    }
    if draw(st.integers(0, 4)) == 0:
        document["rank0"] = [draw(st.sampled_from(["dark-champion", "death-sentinel"]))]
    return possible(document)


def opening(document: dict[str, Any]) -> tuple[Game, Position]:
    """The table and the first state of a scenario."""
    return position(read_document(Scenario, document), STORE, FIND)


def own_cards(state: Position) -> Counter[str]:
    """Every card that was the player's when the turn began, wherever it is now."""
    found = Counter(slot.card for slot, _ in slots(state) if in_play(slot) and not slot.flags & FLEETING)
    found += Counter(card for card, _ in (*state.destroyed, *state.discarded, *state.caged))
    found += Counter(state.deck)
    return found


def monster_cards(game: Game, state: Position) -> int:
    """Monsters in the hall, in rank 0, in the known dungeon deck and gained."""
    there = sum(is_monster(game, foe) for foe in (*state.hall, *state.rank0))
    return there + sum(game.cards[card].is_monster for card in (*state.dungeon, *state.gained))


def refused_unless_legal(
    data: st.DataObject,
    actions: st.SearchStrategy[Choice],
    legal: Collection[Choice],
    child: Callable[[Choice], object],
) -> None:
    """Of ten actions the legal ones are carried out and the others refused with a rule."""
    for _ in range(10):
        action = data.draw(actions)
        if action in legal:
            child(action)
            continue
        with pytest.raises(IllegalStepError) as refusal:
            child(action)
        assert refusal.value.rule in RULES
