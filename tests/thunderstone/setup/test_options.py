"""Thousands of random combinations of options: a valid set-up or a named conflict, each at once."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.several import several
from thunderref.database.read import Language, open_database
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.choose import _space
from thunderref.thunderstone.setup.needs import Needs
from thunderref.thunderstone.setup.request import Naming
from thunderref.thunderstone.setup.setup import Setup, generate_setup

CATALOGUE = open_database().derived(Catalogue)
POOL = CATALOGUE.pool
WORDS = Language(open_database(), "en")
NAMES = [*POOL.classes, *POOL.heroes, *POOL.village, *POOL.features, *POOL.guardians, *POOL.stones, "guardian", "torch"]
SECONDS = 0.2
"""Of the processor: what else runs on the machine does not count."""


def rarely(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | st.none() | values


BOXES = st.sampled_from([["base"], ["base", "wrath"], ["base", "wrath", "promo"]])
OPTIONS = st.fixed_dictionaries(
    {
        "players": rarely(st.integers(2, 5) | st.integers(0, 7)),
        "sets": BOXES | BOXES | rarely(st.lists(st.sampled_from(["base", "wrath", "promo"]), max_size=3)),
        "monsters": rarely(st.integers(3, 6) | st.integers(1, 10)),
        "seed": st.integers(0, 10**9 - 1),
        "variant": rarely(st.sampled_from(list(CATALOGUE.variants))),
        "level": st.none()
        | st.none()
        | st.none()
        | st.none()
        | st.none()
        | st.sampled_from(["normal", "fighter", "nightmare"]),
        "theme": st.none() | st.none() | st.none() | rarely(st.sampled_from(list(CATALOGUE.fixed["theme"]))),
        "first_game": st.none() | st.none() | st.none() | rarely(st.sampled_from(["base", "wrath"])),
        "balanced": st.booleans(),
        "stone": rarely(st.sampled_from(["random", "mystery", "agony", "both"])),
        "require": st.just([]) | st.just([]) | st.lists(st.sampled_from(NAMES), max_size=9),
        "exclude": st.just([]) | st.just([]) | st.lists(st.sampled_from(NAMES), max_size=14),
        "avoid": st.just([]) | st.lists(st.sampled_from(NAMES), max_size=20),
        "why": st.booleans(),
    }
)


@pytest.mark.thorough
@given(OPTIONS)
@settings(max_examples=several(60, 5000), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_options_give_a_setup_or_a_conflict(options: dict[str, Any]) -> None:
    database, cat = open_database(), CATALOGUE
    begun = time.thread_time()
    outcome = drawn(options)
    if time.thread_time() - begun >= SECONDS:  # a crowded machine may do that once
        assert min(seconds(options) for _ in range(4)) < SECONDS, options
    if isinstance(outcome, ThunderrefError):
        explained(outcome)
        return
    made, code, content = outcome, outcome.code, outcome.content
    assert len(code) <= 24
    assert generate_setup(code=code, database=database).content == content
    inside = {
        *content.classes, *content.features.traps, *content.features.guardians, *content.heroes, *content.village,
        *content.stones, *made.table.aside, "torch", *(["guardian"] if content.features.guardians else []),
    }  # fmt: skip
    assert set(options["require"]) <= inside
    assert not set(options["exclude"]) & inside
    assert len(set(content.heroes)) == 4
    assert len(set(content.village)) == 8
    assert options["monsters"] in (None, len(content.classes))
    assert all(cat.set_of[card] in content.sets for card in inside - {"guardian", "torch"})
    if content.balanced:
        assert all(f.by for f in database.derived(Needs).find(content.classes, content.heroes, content.village))
    if content.seed % 10 == 0:
        assert generate_setup(**options, database=database).code == code
        json.dumps(made.model_dump())


@pytest.mark.thorough
@given(
    st.integers(0, 10**6),
    st.sampled_from(
        [{}, {"variant": "epic"}, {"variant": "solo"}, {"variant": "pursuit"}, {"balanced": True}, {"stone": "both"}]
    ),
    st.lists(st.integers(0, 40), max_size=4),
    st.lists(st.integers(0, 40), max_size=4),
    st.lists(st.sampled_from(["monsters", "features", "heroes", "village", "stone"]), max_size=2),
)
@settings(max_examples=several(40, 600), deadline=None, derandomize=True)
def test_only_what_is_drawn_again_changes(
    seed: int, options: dict[str, Any], lock: list[int], reroll: list[int], groups: list[str]
) -> None:
    before = generate_setup(seed=seed, sets=["base", "wrath", "promo"], **options)
    slots = slots_of(before)
    names = [card for cards in slots.values() for card in cards]
    kept = [names[i % len(names)] for i in lock]
    again = [names[i % len(names)] for i in reroll]
    if not (lock or reroll or groups):
        return
    after = drawn({"code": before.code, "lock": kept, "reroll": [*again, *groups], "seed": seed + 1})
    if isinstance(after, ThunderrefError):
        asked = [*({name} for name in again), *(set(slots[{"stone": "stones"}.get(kind, kind)]) for kind in groups)]
        contrary = any(cards and cards <= set(kept) for cards in asked)
        assert after.code == ("setup-locked" if contrary else "setup-nothing-else")
        return
    for kind, cards in slots.items():
        now = slots_of(after)[kind]
        assert {c for c in cards if c in kept} <= set(now)
        if kind.removesuffix("s") in groups or kind in groups or (not again and not groups):
            continue
        gone = {card for card in again if card in cards and card not in kept}
        assert set(cards) - gone <= set(now)
        if kind not in ("stones", "features"):
            assert not gone & set(now)
            assert len(now) == len(cards)
    assert generate_setup(code=after.code).content == after.content


def slots_of(setup: Setup) -> dict[str, tuple[str, ...]]:
    content = setup.content
    return {
        "monsters": content.classes,
        "features": (*content.features.traps, *content.features.guardians),
        "heroes": content.heroes,
        "village": content.village,
        "stones": content.stones,
    }


def drawn(options: dict[str, Any]) -> Setup | ThunderrefError:
    try:
        made = generate_setup(**options, database=open_database())
        assert made.code
    except ThunderrefError as error:
        return error
    return made


def seconds(options: dict[str, Any]) -> float:
    _space.cache_clear()
    begun = time.thread_time()
    drawn(options)
    return time.thread_time() - begun


def explained(error: ThunderrefError) -> None:
    assert error.code.startswith("setup-"), error
    assert error.code not in ("setup-needs-code", "setup-needs-after")
    if error.code == "setup-impossible":
        assert error.params["wishes"]
    error.params = Naming(WORDS).in_words(error.params)
    sentence = WORDS.error(error)
    assert sentence.endswith(".")
    assert "{" not in sentence
