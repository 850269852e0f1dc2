"""Set-ups of random requests against the rules, judged by an adjudicator that shares no code with the generator.

Each is one that the rules and the wishes allow, or a refusal: then trying everything finds none, and the wishes it
names clash, all of them and no fewer. THUNDERREF_EXAMPLES=10000 asks so many times.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from support.oracle.setups import (
    BASIC,
    BOTH_BOXES,
    CAMPAIGNS,
    GUARDIANS,
    LAYOUTS,
    STONES,
    Wanted,
    can_be,
    faults,
    pool,
)
from support.several import several
from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.setup.generate import generate_setup

CHUNK = 250
pytestmark = pytest.mark.thorough
ALL = ("base", "wrath", "promo")
VARIANTS = ("normal", "normal", "normal", "epic", "solo", "marauding", *CAMPAIGNS)
FEATURES = ("trap-death", "trap-dire", "guardian", *GUARDIANS)


def random_request(rng: random.Random) -> dict[str, Any]:
    """Options as somebody might combine them, sensible or not."""
    options: dict[str, Any] = {"seed": rng.randrange(10**6), "variant": rng.choice(VARIANTS)}
    options["sets"] = rng.choice([["base"], ["wrath"], ["base", "wrath"], ["base", "wrath"], [*ALL]])
    if rng.random() < 0.3:
        options["monsters"] = rng.randrange(2, 10)
    if rng.random() < 0.4:
        options["players"] = rng.randrange(1, 6)
    things = [*pool("classes", ALL), *pool("heroes", ALL), *pool("village", ALL), *FEATURES, *STONES, *BASIC]
    for key, most in (("require", 4), ("exclude", 6)):
        if rng.random() < 0.5:
            options[key] = rng.sample(things, rng.randrange(1, most))
    if rng.random() < 0.1:
        options["exclude"] = rng.sample(pool("classes", ALL), rng.randrange(4, 12))
    return options


def reason(options: dict[str, Any]) -> str:
    """Why the rules allow no set-up of these options; empty if they allow one."""
    variant = options["variant"]
    players = options.get("players", 1 if variant == "solo" else 2)
    if not (1, 1) <= (players, players) <= (1, 1) if variant == "solo" else not 2 <= players <= 5:
        return "players"
    if variant in BOTH_BOXES and not {"base", "wrath"} <= {*options["sets"]}:
        return "boxes"
    least, most = {"epic": (5, 5), "marauding": (4, 4)}.get(variant, (3, 8))
    classes = options.get("monsters", least)
    if not least <= classes <= most:
        return "classes"
    if variant == "pursuit" and 2 * classes > len(pool("classes", options["sets"])):
        return "no other classes for the next game"
    wishes = [frozenset(options.get(key, ())) for key in ("require", "exclude")]
    return "" if can_be(Wanted(tuple(options["sets"]), variant, classes, *wishes)) else "wishes"


def requests(chunk: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(chunk)
    return (random_request(rng) for _ in range(CHUNK))


def drawn(options: dict[str, Any]) -> dict[str, Any] | None:
    """The document of a set-up; None if it is refused."""
    try:
        return generate_setup(**options).model_dump()
    except (NoAnswerError, InputError):
        return None


@pytest.mark.parametrize("chunk", range(max(1, several(500, 10_000) // CHUNK)))
def test_each_setup_or_refusal_is_right(chunk: int) -> None:
    for options in requests(chunk):
        found = drawn(options)
        assert (found is None) == bool(reason(options)), (options, reason(options))
        if found is None:
            continue
        assert not faults(found), (options, faults(found))
        inside = {*found["monsters"], *found["features"], *found["guardians"], *found["heroes"], *found["village"]}
        inside |= {*found["thunderstones"], *found["aside"], *found["basic"]}
        assert {*options.get("require", ())} <= inside, options
        assert not {*options.get("exclude", ())} & inside, options


@pytest.mark.parametrize("layout", LAYOUTS)
def test_printed_layouts(layout: str) -> None:
    option = "first_game" if layout in ("base", "wrath") else "theme"
    assert not faults(generate_setup(**{option: layout}).model_dump())


def test_the_adjudicator_finds_faults() -> None:
    """A judge that passes everything would be of no use."""
    found = generate_setup(seed=1, sets=["base", "wrath"]).model_dump()
    assert faults({**found, "hall": 2}) == ["R1.5: the hall"]
    assert "R1.6: stacks" in faults({**found, "village": found["village"][1:]})
    assert "R1.1: the cards of the deck" in faults({**found, "monsters": ["dragon", "golem", "horde"]})
