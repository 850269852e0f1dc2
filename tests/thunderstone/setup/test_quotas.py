"""Wishes about several cards: filters with a number, shares of the boxes, every price, a favourite and its partners."""

from __future__ import annotations

import time
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.chi import goodness
from support.several import several
from thunderref.database.read import Database
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.choose import space_of
from thunderref.thunderstone.setup.codes import Features
from thunderref.thunderstone.setup.draw import Quota, Slots, Space
from thunderref.thunderstone.setup.needs import AROUND, Partners
from thunderref.thunderstone.setup.request import (
    SetupOptions,
    check_options,
    divide,
    prices,
    quotas_of,
    read_wish,
    request_of,
)
from thunderref.thunderstone.setup.setup import Setup, generate_setup

BOTH = ["base", "wrath"]
WEAPONS = """
flaming-sword hatchet polearm short-sword spear warhammer claymore cursed-mace magi-staff short-bow"""
SPELLS = """
arcane-energies banish battle-fury fireball magical-aura creeping-death foresight-elixir illusory-blade magic-missile"""
SEEDS = range(40)


def made(**options: Any) -> Setup:
    return generate_setup(**({"seed": 1, "sets": BOTH} | options))


def cards(setup: Setup) -> list[str]:
    content = setup.content
    return [*content.classes, *content.features.cards, *content.heroes, *content.village]


def refusal(**options: Any) -> ThunderrefError:
    with pytest.raises(ThunderrefError) as caught:
        made(**options)
    return caught.value


# a space small enough to list


def small(quotas: tuple[Quota, ...]) -> Space:
    return Space(
        kinds={
            "classes": Slots(2, ("a", "b", "c", "d"), frozenset("b")),
            "heroes": Slots(2, ("m", "n", "o", "p")),
            "village": Slots(3, ("u", "v", "w", "x", "y", "z"), frozenset("x")),
        },
        features=((Features(), 3), (Features(("t",)), 2), (Features(("t",), ("g",)), 1), (Features((), ("g",)), 4)),
        quotas=quotas,
    )


QUOTAS = [
    (Quota(2, frozenset("uvw")),),
    (Quota(1, frozenset("tma")),),
    (Quota(3, frozenset("agmux")), Quota(1, frozenset("yz"))),
    (Quota(2, frozenset("tg")), Quota(2, frozenset("mno")), Quota(1, frozenset("cz"))),
    (Quota(5, frozenset("abcdgmnopx")), Quota(2, frozenset("uv"))),
    (Quota(3, frozenset("uvwz")),),
]


def listed(space: Space) -> Counter[tuple[Any, ...]]:
    """Every set-up that meets the quotas, with its weight."""
    found: Counter[tuple[Any, ...]] = Counter()
    kinds = (list(slots.hands()) for slots in space.kinds.values())
    for classes, heroes, village, (features, weight) in product(*kinds, space.features):
        inside = {*classes, *features.cards, *heroes, *village}
        if all(len(inside & wanted) >= least for least, wanted in space.quotas):
            found[tuple(sorted(classes)), features, tuple(sorted(heroes)), tuple(sorted(village))] += weight
    return found


@pytest.mark.parametrize("quotas", QUOTAS)
def test_quotas_are_counted_as_if_every_setup_were_listed(quotas: tuple[Quota, ...]) -> None:
    space, every = small(quotas), listed(small(quotas))
    whole = sum(every.values())
    assert space.possible is (whole > 0)
    if not whole:
        return
    assert space.counted is not None
    assert space.counted.total == whole
    likely = space.chances()
    for kind, place in (("classes", 0), ("heroes", 2), ("village", 3)):
        for card, chance in likely[kind].items():
            assert chance == Fraction(sum(n for s, n in every.items() if card in s[place]), whole), (kind, card)
    for card in "tg":
        chance = likely["features"].get(card, Fraction(0))
        assert chance == Fraction(sum(n for s, n in every.items() if card in s[1].cards), whole), card


@pytest.mark.thorough
@pytest.mark.parametrize("quotas", [quotas for quotas in QUOTAS if small(quotas).possible])
def test_every_setup_that_meets_the_quotas_is_equally_likely(quotas: tuple[Quota, ...]) -> None:
    space, every = small(quotas), listed(small(quotas))
    draws = several(4_000, 10_000)
    found: Counter[object] = Counter()
    for seed in range(draws):
        drawn = space.draw(seed)
        found[drawn.classes, drawn.features, drawn.heroes, drawn.village] += 1
    assert not found.keys() - every.keys()
    whole = sum(every.values())
    by_features: Counter[object] = Counter()
    for (_, features, heroes, _), n in found.items():  # type: ignore[misc]
        by_features[features, heroes] += n
    expected: Counter[object] = Counter()
    for (_, features, heroes, _), n in every.items():
        expected[features, heroes] += n
    assert goodness(by_features, {key: Fraction(n, whole) for key, n in expected.items()}) > 0.001


# filters


@pytest.mark.parametrize(
    ("wish", "least", "meeting"),
    [
        ("2 weapon", 2, WEAPONS),
        ("dwie bronie", 2, WEAPONS),
        ("3 заклинания", 3, SPELLS),
        ("1 hero cleric", 1, "chalice regian blind divine"),
        ("hero cleric", 1, "chalice regian blind divine"),
        ("1 trap", 1, "trap-death trap-dire"),
        ("2 undead", 2, "undead-doom undead-spirit"),
        ("spell cost > 8", 1, "fireball creeping-death"),
        ("level:3 cost>=13", 1, "outlands selurin gohlen runespawn"),
    ],
)  # fmt: skip
def test_a_filter_with_a_number_is_met(wish: str, least: int, meeting: str) -> None:
    for seed in SEEDS:
        assert len(set(meeting.split()) & {*cards(made(seed=seed, require=[wish]))}) >= least


def test_an_exclusion_leaves_out_every_matching_card(database: Database) -> None:
    breaching = {card for card, effects in database.all_effects.items() if any(e.timing == "breach" for e in effects)}
    out = {database.cards[card].family for card in breaching}
    out |= {card.id for card in database.cards.values() if (card.cost or 0) > 6 and card.kind == "village"}
    out |= {card.family for card in database.cards.values() if (card.cost or 0) > 6 and card.level == 1}
    assert {"dragon", "fireball", "feayn"} & out
    for seed in SEEDS:
        assert not out & {*cards(made(seed=seed, exclude=["cost>6", "timing:breach"]))}


def test_a_family_goes_by_its_first_level_unless_a_level_is_named(cat: Catalogue) -> None:
    assert made(exclude=["cost>8"]).content.heroes
    assert refusal(exclude=["cost>8 level:3"]).code == "setup-impossible"


def test_the_chances_with_wishes_are_those_of_the_draw(database: Database, cat: Catalogue) -> None:
    wishes = [read_wish("require", text, cat, "en") for text in ("3 weapon", "1 trap", "2 undead")]
    space = space_of(check_options(SetupOptions(sets=BOTH), wishes, cat), cat)
    chances, found, draws = space.chances(), Counter[str](), several(2_000, 6_000)
    for seed in range(draws):
        drawn = space.draw(seed)
        found.update([*drawn.classes, *drawn.features.cards, *drawn.heroes, *drawn.village])
    for kind, likely in chances.items():
        for card, chance in likely.items():
            spread = (draws * float(chance) * (1 - float(chance))) ** 0.5
            assert abs(found[card] - draws * float(chance)) <= 5 * spread, (kind, card)
    assert sum(chances["village"].values()) == 8
    assert sum(chances["heroes"].values()) == 4
    assert sum(chances["classes"].values()) == 3


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"require": ["9 villager"], "exclude": ["fireball"]}, "setup-wish-few"),
        ({"require": ["20 weapon"]}, "setup-wish-few"),
        ({"require": [f"cost<{n}" for n in range(5, 18)]}, "setup-many-wishes"),
        ({"require": ["5 hero"]}, "setup-impossible"),
        ({"require": ["cost>50"]}, "setup-wish-nothing"),
        ({"require": ["2 torch"]}, "setup-wish-nothing"),
        ({"exclude": ["2 weapon"]}, "setup-exclude-number"),
        ({"exclude": ["kind:basic"]}, "setup-always-in"),
        ({"require": ["2 weapon", "coast>3"]}, "unknown-field"),
        ({"require": ["cost>much"]}, "not-a-number"),
        ({"theme": "holy-war", "require": ["7 weapon"]}, "setup-fixed-wish"),
        ({"theme": "holy-war", "exclude": ["weapon"]}, "setup-fixed-wish"),
        ({"theme": "holy-war", "spread": True}, "setup-fixed-wish"),
        ({"mix": "base:2,wrath:1", "sets": ["base"]}, "setup-mix-box"),
        ({"mix": "base"}, "setup-bad-mix"),
        ({"mix": "base:0,wrath:1"}, "setup-bad-mix"),
        ({"mix": "base:1,base:2"}, "setup-bad-mix"),
        ({"around": "ooze"}, "setup-no-partners"),
        ({"around": "torch"}, "setup-no-partners"),
        ({"around": "claymore", "sets": ["base"]}, "setup-not-owned"),
    ],
)
def test_what_cannot_be_met_is_refused(options: dict[str, Any], code: str) -> None:
    assert refusal(**options).code == code


def test_the_wishes_that_clash_are_named() -> None:
    error = refusal(require=["7 weapon", "2 spell", "fireball", "1 hero cleric"])
    assert error.code == "setup-impossible"
    assert {wish.card for wish in error.params["wishes"]} == {"7 weapon", "2 spell"}
    error = refusal(mix="base:1,wrath:3", monsters=8, spread=True)
    assert {wish.kind for wish in error.params["wishes"]} == {"mix", "monsters"}
    error = refusal(around="fireball", exclude=["spell"])
    assert {*error.params["clash"]} == {"--around fireball", '--exclude "spell"'}


def test_wishes_hold_when_a_part_is_drawn_again() -> None:
    code = made(require=["fireball"]).code
    for seed in SEEDS:
        again = generate_setup(code=code, reroll=["village"], require=["4 weapon"], seed=seed)
        assert sum("weapon" in again.database.cards[card].types for card in again.content.village) >= 4
        assert again.content.heroes == made(require=["fireball"]).content.heroes


def test_a_code_takes_no_shares() -> None:
    error = refusal(code=made().code, sets=None, seed=None, mix="base:1")
    assert error.code == "setup-code-options"
    assert "--mix" in error.params["options"]


# shares of the boxes, prices


@pytest.mark.parametrize(
    ("count", "shares", "parts"),
    [
        (3, {"base": 2, "wrath": 1}, [2, 1]), (4, {"base": 2, "wrath": 1}, [3, 1]),
        (8, {"base": 2, "wrath": 1}, [5, 3]),
        (3, {"base": 1, "wrath": 1}, [2, 1]), (3, {"wrath": 1, "base": 1}, [2, 1]), (4, {"wrath": 5}, [4]),
    ],
)  # fmt: skip
def test_shares_are_divided_as_stated(count: int, shares: dict[str, int], parts: list[int]) -> None:
    assert [*divide(count, shares).values()] == parts


@pytest.mark.parametrize(("mix", "parts"), [("base:2,wrath:1", (2, 3, 5)), ("wrath:1,base:1", (1, 2, 4))])
def test_a_mix_draws_so_many_from_each_box(cat: Catalogue, mix: str, parts: tuple[int, int, int]) -> None:
    for seed in SEEDS:
        content = made(seed=seed, mix=mix, sets=None).content
        kinds = (content.classes, content.heroes, content.village)
        assert tuple(sum(cat.set_of[card] == "base" for card in kind) for kind in kinds) == parts


def test_a_box_without_such_cards_takes_no_share(cat: Catalogue) -> None:
    content = made(mix="base:2,promo:1", sets=None).content
    assert {cat.set_of[card] for card in (*content.classes, *content.village)} == {"base"}
    assert "clan" in content.heroes


def test_every_price_is_there(cat: Catalogue) -> None:
    low, high = prices(cat)
    assert (low, high) == (3, 4)  # as the help says
    for seed in SEEDS:
        costs = [cat.cards[card].cost or 0 for card in made(seed=seed, spread=True).content.village]
        assert min(sum(c <= low for c in costs), sum(low < c <= high for c in costs), sum(c > high for c in costs)) >= 2


# a favourite


def test_a_favourite_comes_with_its_partners(database: Database) -> None:
    partners = database.derived(Partners)
    for favourite in ("flaming-sword", "fireball", "golem", "blind", "lantern"):
        of = partners.of(favourite)
        for seed in range(10):
            inside = {*cards(made(seed=seed, around=favourite))}
            assert favourite in inside
            assert len(inside & of.keys()) >= min(AROUND, len(of))


def test_partners_are_derived(database: Database) -> None:
    links = {
        (card, other): {(link.kind, link.detail) for link in why}
        for card in ("claymore", "fireball", "lantern", "warhammer")
        for other, why in database.derived(Partners).of(card).items()
    }
    assert ("holds", "") in links["warhammer", "outlands"]
    assert ("warhammer", "elf") not in links  # too heavy
    assert ("need", "magic") in links["fireball", "undead-spirit"]
    assert ("magic", "") in links["fireball", "elf"]
    assert ("light", "") in links["lantern", "enchanted"]
    assert ("type", "cleric") in links["warhammer", "divine"]
    assert ("type", "undead") in links["warhammer", "undead-doom"]
    assert ("lantern", "ooze") not in links


def test_how_wishes_are_met_is_told() -> None:
    document = made(around="flaming sword", require=["2 spell"], why=True).model_dump()
    spells, favourite = document["wishes"]
    assert spells["wish"] == '--require "2 spell"'
    assert len(spells["by"]) >= 2
    assert {partner["id"] for partner in favourite["partners"]} == {*favourite["by"]}
    assert all(partner["why"] for partner in favourite["partners"])
    assert "wishes" not in made(require=["2 spell"]).model_dump()


def test_bans_yield_to_explicit_wishes_and_themes() -> None:
    for seed in SEEDS:
        assert "fireball" not in cards(made(seed=seed, banned=["fireball"]))
    assert "fireball" in cards(made(banned=["cost>8"], require=["fireball"]))
    assert made(theme="holy-war", banned=["warhammer"]).content.village
    error = refusal(banned=["spell"], require=["1 spell"])
    assert {(wish.kind, wish.banned) for wish in error.params["wishes"]} == {("require", False), ("exclude", True)}
    code = made(require=["fireball"]).code
    again = generate_setup(code=code, reroll=["heroes"], banned=["fireball", "elf"], seed=2)
    assert "fireball" in cards(again)
    assert "elf" not in cards(again)


# all together

FILTERS = [
    "2 weapon", "4 weapon", "light>0", "2 light>0", "1 hero cleric", "3 fighter", "2 spell", "villager", "2 cost<=3",
    "3 village cost>5", "1 trap", "undead", "2 dragon", "magic_attack>0", "1 timing:breach", "guardian", "2 item",
]  # fmt: skip
WISHES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "sets": st.sampled_from([["base"], BOTH, [*BOTH, "promo"]]),
        "monsters": st.sampled_from([None, 3, 5, 7]),
        "require": st.lists(st.sampled_from([*FILTERS, "fireball", "elf", "dragon"]), max_size=5),
        "exclude": st.lists(st.sampled_from(["cost>8", "spell", "weapon cost<5", "thief", "lantern"]), max_size=1),
        "mix": st.sampled_from([None, None, "base:2,wrath:1", "wrath:3,base:1", "base:1"]),
        "spread": st.booleans(),
        "around": st.sampled_from([None, None, "flaming-sword", "golem", "fireball"]),
        "balanced": st.booleans(),
    }
)
CLASHES = ("setup-impossible", "setup-wish-few", "setup-mix-box", "setup-not-owned", "ambiguous-card")


SECONDS = 20
"""Of the processor, for a refusal that tries each wish; a draw takes a tenth of it."""


def drawn(options: dict[str, Any]) -> Setup | str:
    try:
        return made(**options)
    except ThunderrefError as error:
        return error.code


@pytest.mark.thorough
@given(WISHES)
@settings(max_examples=several(40, 600), deadline=None, derandomize=True)
def test_wishes_together_are_met_or_the_clash_is_named(options: dict[str, Any]) -> None:
    begun = time.thread_time()
    outcome = drawn(options)
    assert time.thread_time() - begun < SECONDS
    if isinstance(outcome, str):
        assert outcome in CLASHES
        return
    setup = outcome
    cat, content = setup.cat, setup.content
    req = request_of(content, [read_wish("require", text, cat, "en") for text in options["require"]], cat)
    inside = {*cards(setup)}
    for wish in req.wishes:
        for least, wanted in quotas_of(wish, req, cat):
            assert len(inside & wanted) >= least
    assert len({*content.heroes}) == 4
    assert len({*content.village}) == 8
    assert generate_setup(code=setup.code).content == content
