"""No option is dropped without a word: beside every other one it acts, or it is refused with the reason."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from support.several import several
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.filters import filter_cards
from thunderref.thunderstone.setup.request import Wish, prices
from thunderref.thunderstone.setup.setup import Setup, generate_setup

CHOICES: dict[str, list[Any]] = {
    "players": [1, 2, 5],
    "sets": [["base"], ["wrath"], ["base", "wrath", "promo"]],
    "monsters": [3, 4, 5, 8],
    "first_game": ["base", "wrath"],
    "theme": ["high-fantasy", "holy-war", "elemental-fury", "tough-guys"],
    "variant": ["normal", "epic", "crossing", "pursuit", "odyssey", "solo", "marauding"],
    "level": ["normal", "fighter", "nightmare"],
    "require": [
        ["elf"],
        ["banish"],
        ["trap-dire"],
        ["guardian"],
        ["pick-two"],
        ["stone-of-agony"],
        ["golem", "elf"],
        ["2 weapon"],
        ["3 light>0"],
    ],
    "exclude": [
        ["elf"],
        ["banish"],
        ["trap-dire"],
        ["guardian"],
        ["stone-of-agony"],
        ["golem", "ooze", "horde"],
        ["cost>8"],
    ],
    "balanced": [True],
    "stone": ["random", "mystery", "agony", "both"],
    "mix": ["base:2,wrath:1", "wrath:1"],
    "spread": [True],
    "around": ["flaming-sword", "trap-dire"],
    "avoid": [["elf", "fireball"]],
}
STONES = {"mystery": ["stone-of-mystery"], "agony": ["stone-of-agony"]}
PAIRS = [
    {one: a, two: b} for one, two in combinations(CHOICES, 2) for a in CHOICES[one] for b in CHOICES[two]
]  # fmt: skip


def acts(made: Setup, name: str, value: Any) -> bool:
    document = made.model_dump()
    features = made.content.features
    inside = {
        *document["monsters"], *document["heroes"], *document["village"], *features.names, *document["thunderstones"],
    }  # fmt: skip
    if name == "stone":
        both = sorted(document["thunderstones"]) == ["stone-of-agony", "stone-of-mystery"]
        return value == "random" or (both if value == "both" else document["thunderstones"] == STONES[value])
    if name in ("require", "exclude") and any(char in value[0] for char in " >"):
        return acts_on_filter(made, name, value[0])
    if name in ("mix", "spread", "avoid"):
        return name == "avoid" or acts_on_quotas(made, name, value)
    if name == "around":
        return value in inside
    if name == "require":
        return inside.union(document["aside"]).issuperset(value)
    if name == "exclude":
        return inside.union(document["aside"]).isdisjoint(value)
    if name == "sets":
        return set(document["sets"]) >= set(value)
    if name == "monsters":
        return len(document["monsters"]) == value
    if name == "balanced":
        return document["balanced"] and all(row["satisfied"] for row in document["requirements"])
    return bool(document[name] == value)


def acts_on_filter(made: Setup, name: str, text: str) -> bool:
    count, _, said = text.rpartition(" ") if name == "require" else ("0", "", text)
    found = {card.id for card in filter_cards(made.cat.database, said) if card.kind != "hero" or card.level == 1}
    slots = [slot for kind, cards in made.content.slots.items() if kind != "stones" for slot in cards]
    members = {slot: {slot, *(card.id for card in made.cat.families.get(slot, ()))} for slot in slots}
    met = sum(bool(cards & found) for cards in members.values())
    return met >= int(count) if name == "require" else met == 0


def acts_on_quotas(made: Setup, name: str, value: Any) -> bool:
    cat, content = made.cat, made.content
    if name == "spread":
        low, high = prices(cat)
        costs = [cat.cards[card].cost or 0 for card in content.village]
        cheap, dear = sum(cost <= low for cost in costs), sum(cost > high for cost in costs)
        return min(cheap, dear, 8 - cheap - dear) >= 2
    boxes = [cat.set_of[card] for card in content.village]
    return boxes.count("wrath") == 8 if value == "wrath:1" else (boxes.count("base"), boxes.count("wrath")) == (5, 3)


@pytest.mark.parametrize("first", CHOICES)
def test_every_pair_of_options_acts_or_is_refused(first: str) -> None:
    for options in (pair for pair in PAIRS if next(iter(pair)) == first):
        try:
            made = generate_setup(**options, seed=7)
        except NoAnswerError:
            continue
        for name, value in options.items():
            assert acts(made, name, value), options


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"variant": "crossing", "stone": "both"}, "setup-campaign-stone"),
        ({"variant": "odyssey", "stone": "both"}, "setup-campaign-stone"),
        ({"variant": "epic", "stone": "agony"}, "setup-epic-stones"),
        ({"theme": "holy-war", "balanced": True}, "setup-fixed-balanced"),
        ({"first_game": "base", "balanced": True}, "setup-fixed-balanced"),
        ({"level": "normal"}, "setup-level"),
        ({"variant": "epic", "level": "normal"}, "setup-level"),
        ({"lock": ["elf"]}, "setup-needs-code"),
        ({"reroll": ["heroes"]}, "setup-needs-code"),
        ({"scores": [1, 2]}, "setup-needs-after"),
    ],
)
def test_an_option_that_cannot_act_is_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(NoAnswerError) as caught:
        generate_setup(**options, seed=1)
    assert caught.value.code == code


def test_what_cannot_act_beside_a_code() -> None:
    before = generate_setup(seed=1, sets=["base"])
    code, hero = before.code, before.content.heroes[0]
    for options, refused in (
        ({"players": 0}, "setup-code-options"),
        ({"monsters": 0}, "setup-code-options"),
        ({"require": ["elf"]}, "setup-code-options"),
        ({"winner": 1}, "setup-code-options"),
        ({"reroll": ["heroes"], "players": 2}, "setup-again-options"),
        ({"reroll": ["heroes"], "winner": 1}, "setup-again-options"),
        ({"reroll": ["heroes"], "lock": ["heroes"]}, "setup-locked"),
        ({"reroll": [hero], "lock": [hero]}, "setup-locked"),
        ({"reroll": ["features"]}, "setup-nothing-else"),
        ({"reroll": ["stone"]}, "setup-nothing-else"),
        ({"reroll": ["heroes"], "require": ["trap-dire"]}, "setup-not-owned"),
        ({"reroll": ["heroes"], "require": ["stone-of-agony"]}, "setup-not-owned"),
        ({"reroll": ["heroes"], "exclude": ["stone-of-mystery"]}, "setup-impossible"),
        ({"reroll": ["stone"], "exclude": [hero, "banish"]}, "setup-impossible"),
    ):
        with pytest.raises(NoAnswerError) as caught:
            generate_setup(code=code, **options)
        assert caught.value.code == refused, options
    eight = generate_setup(seed=1, monsters=8).code
    with pytest.raises(NoAnswerError, match="setup-nothing-else"):
        generate_setup(code=eight, reroll=["monsters"])
    both = generate_setup(seed=1, sets=["base", "wrath"], exclude=["trap-dire", "pick-two"])
    with pytest.raises(NoAnswerError, match="setup-impossible") as caught:
        generate_setup(code=both.code, reroll=["heroes"], require=["trap-dire", "elf", "dwarf"], exclude=["regian"])
    assert caught.value.params["clash"] == ["--require trap-dire"]


# the wishes that clash


def options_in(clash: list[Wish], asked: dict[str, Any]) -> dict[str, Any]:
    quotas = ("mix", "spread", "around")
    options: dict[str, Any] = {w.kind: asked[w.kind] for w in clash if w.slot == "option" or w.kind in quotas}
    for kind in ("require", "exclude"):
        options[kind] = [wish.card for wish in clash if wish.kind == kind]
    return options


def is_refused(options: dict[str, Any]) -> bool:
    try:
        generate_setup(**options, seed=1)
    except InputError:
        raise
    except NoAnswerError:
        return True
    return False


@pytest.mark.thorough
def test_the_wishes_named_clash_and_none_of_them_is_too_much() -> None:
    rng = random.Random(19)
    names = [name for each in (*CHOICES["require"], *CHOICES["exclude"]) for name in each if " " not in name]
    names += ["dwarf", "amazon", "diin", "fireball", "short-sword", "undead-doom", "trap-death", "dark-champion"]
    left = several(60, 500)
    while left:
        options = {name: rng.choice(CHOICES[name]) for name in rng.sample(sorted(CHOICES), rng.randrange(1, 5))}
        for kind in ("require", "exclude"):
            if kind in options:
                options[kind] = rng.sample(names, rng.randrange(1, 6))
        try:
            generate_setup(**options, seed=1)
            continue
        except NoAnswerError as error:
            refused = error
        left -= 1
        if refused.code == "setup-impossible":
            assert refused.params["clash"], options
            check_smallest(list(refused.params["wishes"]), options)


def check_smallest(clash: list[Wish], options: dict[str, Any]) -> None:
    asked = options_in(clash, options)
    if "sets" not in asked and "sets" in options:
        asked["sets"] = options["sets"]
    assert is_refused(asked), (clash, options)
    for wish in clash:
        rest = options_in([other for other in clash if other != wish], options)
        if wish.kind != "sets" and "sets" not in rest:
            sets = options.get("sets") or (["base", "wrath"] if needs_both(options) else None)
            rest |= {"sets": ["base", "wrath", "promo"] if wish.kind == "mix" and not options.get("sets") else sets}
        assert not is_refused(rest), (wish, clash, options)


def needs_both(options: dict[str, Any]) -> bool:
    """True if without --set both boxes are in use."""
    in_use = {"variant": options.get("variant"), "theme": options.get("theme"), "first_game": options.get("first_game")}
    return len(generate_setup(**in_use, seed=1).content.sets) > 1
