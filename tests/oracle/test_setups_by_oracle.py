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
    MOVERS,
    STONES,
    Wanted,
    can_be,
    faults,
    meant,
    pool,
    quotas_of_mix,
    quotas_of_spread,
)
from support.several import several
from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.setup.setup import generate_setup

CHUNK = 250
pytestmark = pytest.mark.thorough
ALL = ("base", "wrath", "promo")
VARIANTS = ("normal", "normal", "normal", "epic", "solo", "marauding", *CAMPAIGNS)
FEATURES = ("trap-death", "trap-dire", "guardian", *GUARDIANS)


FILTERS = (
    "weapon",
    "spell",
    "item",
    "fighter",
    "wizard",
    "type:undead",
    "type:trap",
    "light>0",
    "cost>8",
    "cost<4",
    "strength>5",
)
MIXES = ("base:1,wrath:1", "base:2,wrath:1", "wrath:3,base:1", "base:1", "base:1,wrath:1,promo:1")


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
    if rng.random() < 0.25:
        options.setdefault("require", []).append(f"{rng.randrange(1, 7)} {rng.choice(FILTERS)}")
    if rng.random() < 0.15:
        options.setdefault("exclude", []).append(rng.choice([each for each in FILTERS if each not in BASIC_FIT]))
    if rng.random() < 0.15:
        options["mix"] = rng.choice(MIXES)
    if rng.random() < 0.1:
        options["spread"] = True
    if rng.random() < 0.05:
        options["balanced"] = True
    return options


BASIC_FIT = ("weapon", "item", "light>0", "cost<4")
"""What a basic card fits too: whether it may be left out is another question."""


def wanted_of(options: dict[str, Any]) -> Wanted:
    sets, variant = tuple(options["sets"]), options["variant"]
    classes = options.get("monsters", {"epic": 5, "marauding": 4}.get(variant, 3))
    required, excluded = ([*options.get(key, ())] for key in ("require", "exclude"))
    quotas = []
    for wish in [each for each in required if each[0].isdecimal()]:
        number, _, text = wish.partition(" ")
        quotas.append((int(number), meant(text, sets) - (MOVERS if variant == "solo" else set())))
        required.remove(wish)
    for text in [each for each in excluded if each in FILTERS]:
        excluded.remove(text)
        excluded += meant(text, sets)
    if "mix" in options:
        shares = {box: int(share) for box, share in (part.split(":") for part in options["mix"].split(","))}
        quotas += quotas_of_mix(shares, classes)
    quotas += quotas_of_spread() if "spread" in options else []
    return Wanted(sets, variant, classes, frozenset(required), frozenset(excluded), tuple(quotas))


def reason(options: dict[str, Any]) -> str:
    """Why the rules allow no set-up of these options; empty if they allow one."""
    variant, wanted = options["variant"], wanted_of(options)
    players = options.get("players", 1 if variant == "solo" else 2)
    if players != 1 if variant == "solo" else not 2 <= players <= 5:
        return "players"
    if variant in BOTH_BOXES and not {"base", "wrath"} <= {*wanted.sets}:
        return "boxes"
    least, most = {"epic": (5, 5), "marauding": (4, 4)}.get(variant, (3, 8))
    if not least <= wanted.classes <= most:
        return "classes"
    if variant == "pursuit" and 2 * wanted.classes > len(pool("classes", wanted.sets)):
        return "no other classes for the next game"
    if "mix" in options and any(part.split(":")[0] not in wanted.sets for part in options["mix"].split(",")):
        return "a share of a box that is not used"
    return "" if can_be(wanted) else "wishes"


def requests(chunk: int) -> Iterator[dict[str, Any]]:
    rng = random.Random(chunk)
    return (random_request(rng) for _ in range(CHUNK))


def drawn(options: dict[str, Any]) -> dict[str, Any] | None:
    """The document of a set-up; None if it is refused."""
    try:
        return generate_setup(**options).model_dump()
    except (NoAnswerError, InputError):
        return None


@pytest.mark.parametrize("chunk", range(max(1, several(100, 1_000) // CHUNK)))
def test_each_setup_or_refusal_is_right(chunk: int) -> None:
    for options in requests(chunk):
        found = drawn(options)
        if found is None:
            assert reason(options) or options.get("balanced"), options
            continue
        assert not reason(options), (options, reason(options))
        assert not faults(found), (options, faults(found))
        assert not unmet(found, wanted_of(options)), (options, unmet(found, wanted_of(options)))


def unmet(found: dict[str, Any], wanted: Wanted) -> list[str]:
    """The wishes that a set-up leaves open."""
    inside = {*found["monsters"], *found["features"], *found["guardians"], *found["heroes"], *found["village"]}
    stones = {*found["thunderstones"], *found["aside"], *found["basic"]}
    short = [f"{least} of {sorted(cards)}" for least, cards in wanted.quotas if len(inside & cards) < least]
    return [*sorted(wanted.required - inside - stones), *sorted(wanted.excluded & (inside | stones)), *short]


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


@pytest.mark.parametrize("variant", CAMPAIGNS)
def test_every_game_of_a_campaign_however_it_is_drawn_again(variant: str) -> None:
    """Up to three games, each drawn again in part or whole before the next one follows."""
    for seed in range(several(5, 40)):
        rng = random.Random(f"{variant} {seed}")
        games = [generate_setup(variant=variant, seed=seed, sets=["base", "wrath"], players=3).model_dump()]
        for _ in range(1 if variant == "odyssey" else 2):
            winner = rng.choice([n for n in (1, 2, 3) if n != games[-1].get("after", {}).get("winner")])
            left = {"left": rng.randrange(8)} if variant == "pursuit" else {}
            follows = {"after": games[-1]["code"], "winner": winner, "seed": rng.randrange(99), **left}
            found = generate_setup(**follows).model_dump()
            assert not faults(found, games), (variant, seed)
            for again in ("heroes", "monsters", "village", "features", "stone", rng.choice(found["heroes"])):
                try:
                    found = generate_setup(code=found["code"], reroll=[again], seed=rng.randrange(99)).model_dump()
                except NoAnswerError:
                    continue
                assert not faults(found, games), (variant, seed, again)
            games.append(found)
