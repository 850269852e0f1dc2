"""Every reason of many set-ups, worked out again from what was asked for: by another way than the generator's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, lcm
from typing import Any, NamedTuple

import pytest

from support import ROOT, read_toml
from support.several import several
from thunderref.database.read import open_database
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.needs import Need, Needs
from thunderref.thunderstone.setup.setup import Setup, generate_setup

SETUPS = several(60, 500)
DATA = read_toml(ROOT / "db" / "setups.toml")
DECK = read_toml(ROOT / "db" / "boxes" / "wrath" / "box.toml")["feature_deck"]
POOL = DATA["pool"][0]
VARIANTS = {variant["id"]: variant for variant in DATA["variant"]}
FIXED = read_toml(ROOT / "db" / "themes.toml")
CATALOGUE = open_database().derived(Catalogue)
SET_OF = CATALOGUE.set_of
NEEDS: list[Need] = open_database().derived(Needs).needs
TRAPS, GUARDIANS = POOL["features"], POOL["guardians"]
SIZES = {"heroes": 4, "village": 8}
NAMES = [*POOL["classes"], *POOL["heroes"], *POOL["village"], *TRAPS, *GUARDIANS, "guardian", "pick-two"]
pytestmark = pytest.mark.thorough

Said = tuple[int, Fraction, str | None]
"""Pool, chance, what forced it."""


class Asked(NamedTuple):
    """What there was to draw from: ids by what was asked of them; ``kept`` stay from an earlier set-up.

    ``had`` is what earlier games of a campaign had.
    """

    sets: tuple[str, ...]
    variant: str
    classes: int
    balanced: bool
    require: frozenset[str]
    exclude: frozenset[str]
    kept: frozenset[str] = frozenset()
    had: frozenset[str] = frozenset()

    def owned(self, slot: str) -> list[str]:
        without = VARIANTS[self.variant].get("without", ())
        return [card for card in POOL[slot] if SET_OF[card] in self.sets and card not in without]

    def left(self, slot: str) -> list[str]:
        return [card for card in self.owned(slot) if card not in self.exclude | self.had]

    def given(self, slot: str) -> set[str]:
        return set(self.left(slot)) & (self.require | self.kept)

    def size(self, slot: str) -> int:
        return SIZES.get(slot, self.classes)


# the features, one randomizer after the other


def turned(classes: int, wanted: int, marks: int) -> Iterator[tuple[int, Fraction]]:
    """The question marks passed until so many class randomizers are out, with their chances."""
    if not wanted:
        yield 0, Fraction(1)
        return
    yield from ((n, p * Fraction(classes, classes + marks)) for n, p in turned(classes - 1, wanted - 1, marks))
    if marks:
        rest = turned(classes, wanted, marks - 1)
        yield from ((n + 1, p * Fraction(marks, classes + marks)) for n, p in rest)


def hands(pile: tuple[str, ...], n: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    drawn = list(combinations(range(len(pile)), min(n, len(pile))))
    yield from ((tuple(pile[i] for i in each), Fraction(1, len(drawn))) for each in drawn)


@cache
def features(asked: Asked) -> dict[frozenset[str], Fraction]:
    """Chance of each outcome that fits: names of traps, guardian cards, ``guardian`` and ``pick-two``."""
    if asked.kept:  # with all features that there were
        return {asked.kept & {*TRAPS, *GUARDIANS}: Fraction(1)}
    sets, out = asked.sets, asked.exclude | asked.had
    guardians = [] if "guardian" in out else [g for g in GUARDIANS if SET_OF[g] in sets and g not in out]
    found: dict[frozenset[str], Fraction] = {}
    if asked.variant == "epic":
        found = {frozenset({card, "guardian"}): Fraction(1, len(guardians)) for card in guardians}
    else:
        deck = DECK
        marks = deck["question_marks"] if "wrath" in sets else 0
        pile = tuple(c for c in deck["pile"] if marks and c not in out and (c != "guardian" or guardians))
        for passed, chance in turned(len(asked.left("classes")), asked.classes, marks):
            for hand, share in hands(pile, passed):
                for names, part in joined(hand, guardians, [t for t in TRAPS if t in pile]):
                    found[names] = found.get(names, Fraction(0)) + chance * share * part
    wanted = {card for card in asked.require | asked.kept if card in (*TRAPS, *GUARDIANS, "guardian", "pick-two")}
    fitting = {names: chance for names, chance in found.items() if wanted <= names}
    return {names: chance / sum(fitting.values()) for names, chance in fitting.items()}


def joined(hand: tuple[str, ...], guardians: list[str], traps: list[str]) -> Iterator[tuple[frozenset[str], Fraction]]:
    picks: list[tuple[str, ...]] = [()]
    if "pick-two" in hand:
        free = [trap for trap in traps if trap not in hand]
        free += ["guardian"] if hand.count("guardian") < len(guardians) else []
        picks = list(combinations(free, min(2, len(free))))
    for pick in picks:
        names = {*hand, *pick}
        count = min(hand.count("guardian") + pick.count("guardian"), len(guardians))
        ways = list(combinations(guardians, count))
        yield from ((frozenset({*names, *way}), Fraction(1, len(picks) * len(ways))) for way in ways)


def feature_reason(card: str, asked: Asked, cause: dict[str, str]) -> Said:
    outcomes = {names: chance for names, chance in drawn_features(asked).items() if chance}
    shares: dict[str, Fraction] = {}
    for names, chance in outcomes.items():
        for name in names:
            shares[name] = shares.get(name, Fraction(0)) + chance
    if shares[card] == 1:
        if card in cause:
            return 1, Fraction(1), cause[card]
        asked_for = "guardian" if card in GUARDIANS else "pick-two"
        if asked.variant == "epic" and asked_for not in cause:
            return (
                1,
                Fraction(1),
                "exclude" if len([g for g in GUARDIANS if SET_OF[g] in asked.sets]) > 1 else "variant",
            )
        return 1, Fraction(1), cause.get(asked_for, "require")
    pile = GUARDIANS if card in GUARDIANS and shares["guardian"] == 1 else DECK["pile"]
    return sum(0 < shares.get(name, 0) < 1 for name in pile), shares[card], None


# balanced: the selections of the village that settle what is open, counted by inclusion and exclusion


Needing = tuple[frozenset[int], frozenset[int]]
"""The needs (by number) that cards raise and those that they settle."""


def needing(cards: tuple[str, ...]) -> Needing:
    raised = (i for i, need in enumerate(NEEDS) if not need.basic and need.raised_by & set(cards))
    return frozenset(raised), frozenset(i for i, need in enumerate(NEEDS) if need.heroes & set(cards))


ALWAYS = frozenset(i for i, need in enumerate(NEEDS) if not need.raised_by and not need.basic)


@cache
def villages(needs: frozenset[int], asked: Asked, also: str | None) -> int:
    """The selections of eight village cards that settle these needs, with ``also`` among them."""
    given = asked.given("village") | ({also} if also else set())
    free = [card for card in asked.left("village") if card not in given]
    found = 0
    for n in range(len(needs) + 1):
        for barred in combinations(sorted(needs), n):
            settlers = {card for i in barred for card in NEEDS[i].village}
            if not settlers & given:
                left = sum(card not in settlers for card in free)
                found += (-1) ** n * comb(left, 8 - len(given)) if len(given) <= 8 else 0
    return found


@cache
def balanced(asked: Asked) -> tuple[Fraction, dict[str, Fraction], dict[frozenset[int], int]]:
    """All balanced set-ups, each as likely as its features; those with each card; those with features of such needs."""

    def selections(slot: str) -> dict[Needing, list[tuple[str, ...]]]:
        given = tuple(sorted(asked.given(slot)))
        free = [card for card in asked.left(slot) if card not in given]
        grouped: dict[Needing, list[tuple[str, ...]]] = {}
        for rest in combinations(free, asked.size(slot) - len(given)):
            grouped.setdefault(needing((*given, *rest)), []).append((*given, *rest))
        return grouped

    joining: dict[frozenset[int], int] = {}
    scale = lcm(*(chance.denominator for chance in features(asked).values()))  # whole numbers are added up faster
    for names, chance in features(asked).items():
        raised_by_them = needing(tuple(names))[0]
        joining[raised_by_them] = joining.get(raised_by_them, 0) + int(chance * scale)
    whole, with_features = 0, dict.fromkeys(joining, 0)
    found = dict.fromkeys((*POOL["classes"], *POOL["heroes"], *POOL["village"]), 0)
    wanting: dict[frozenset[int], int] = {}
    parties, dungeons = selections("heroes"), selections("classes")
    for (asking, having), party in parties.items():
        for (raised, _), dungeon in dungeons.items():
            fitting = 0
            for more, chance in joining.items():
                needs = (ALWAYS | asking | raised | more) - having
                ways, n = villages(needs, asked, None), len(party) * len(dungeon) * chance
                fitting += ways * chance
                with_features[more] += len(party) * len(dungeon) * ways
                wanting[needs] = wanting.get(needs, 0) + n
            whole += len(party) * len(dungeon) * fitting
            for hands_, others in ((party, dungeon), (dungeon, party)):
                for card in (card for hand in hands_ for card in hand):
                    found[card] += len(others) * fitting
    for card in asked.left("village"):
        found[card] = sum(n * villages(needs, asked, card) for needs, n in wanting.items())
    shares = {card: Fraction(n, scale) for card, n in found.items()}
    return Fraction(whole, scale), shares, with_features


def drawn_features(asked: Asked) -> dict[frozenset[str], Fraction]:
    """The chances of the features, given that the set-up must be balanced if that was asked for."""
    if not asked.balanced:
        return features(asked)
    whole, _, ways = balanced(asked)
    return {names: p * ways[needing(tuple(names))[0]] / whole for names, p in features(asked).items()}


def reason(slot: str, card: str, asked: Asked, cause: dict[str, str]) -> Said:
    if card in cause:
        return 1, Fraction(1), cause[card]
    left, given = asked.left(slot), asked.given(slot)
    if asked.balanced:
        whole, counts, _ = balanced(asked)
        chances = {each: counts[each] / whole for each in left}
    else:
        share = Fraction(asked.size(slot) - len(given), max(1, len(left) - len(given)))
        chances = {each: Fraction(1) if each in given else share for each in left}
    if chances[card] < 1:
        return sum(0 < chance < 1 for chance in chances.values()), chances[card], None
    if len(left) > asked.size(slot):
        return 1, Fraction(1), "balanced"
    if len(asked.owned(slot)) == len(left):
        return 1, Fraction(1), "box"
    return 1, Fraction(1), "variant" if {*asked.owned(slot)} - asked.had == {*left} else "exclude"


def stone_reason(options: dict[str, Any], sets: tuple[str, ...], count: int) -> Said:
    variant, named = VARIANTS[options.get("variant") or "normal"], options.get("stone") or "random"
    owned = [stone for stone in POOL["stones"] if SET_OF[stone] in sets]
    left = [stone for stone in owned if stone not in options.get("exclude", ())]
    wanted = set(options.get("require", ())) & set(owned)
    kind, fixed = fixed_of(options)
    if variant["id"] == "epic":
        return 1, Fraction(1), "variant"
    if named != "random" or (wanted if not variant.get("campaign") else len(wanted) == 1):
        return 1, Fraction(1), "require"
    if fixed and fixed.get("stone") in left and not variant.get("campaign"):
        return 1, Fraction(1), kind
    if len(left) == count:
        return 1, Fraction(1), "box" if left == owned else "exclude"
    return len(left), Fraction(count, len(left)), None


def fixed_of(options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    for kind, key in (("first-game", "first_game"), ("theme", "theme")):
        if options.get(key):
            return kind, next(each for each in FIXED[key] if each["id"] == options[key])
    return "", {}


def check(made: Setup, asked: Asked, cause: dict[str, str], stone: Said, layout: str = "", always: str = "") -> None:
    content = made.content
    told = {(reason.slot, reason.card): reason for reason in made.reasons}
    assert set(told) == {(slot, card) for slot, cards in content.slots.items() for card in cards}
    for (slot, card), row in told.items():
        if slot == "stones":
            wanted = (*stone[:2], cause[card]) if stone[1] == 1 and card in cause else stone
        elif layout and card not in cause:
            wanted = (1, Fraction(1), layout)
        elif slot == "features":
            wanted = (1, Fraction(1), always) if always else feature_reason(card, asked, cause)
        else:
            wanted = reason(slot, card, asked, cause)
        assert (row.pool, row.chance, row.forced_by) == wanted, (slot, card, asked)
        only = {
            need.kind
            for need in NEEDS
            if need.kind != "weapon"
            and (not need.raised_by or need.raised_by & {*content.classes, *content.features.traps, *content.heroes})
            and [c for c in (*content.heroes, *content.village, *need.basic)
                 if c in need.heroes | need.village | set(need.basic)] == [card]
        }  # fmt: skip
        assert set(row.settles) - {"weapon"} == only


def options_of(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {
        "seed": rng.randrange(10**6),
        "sets": rng.choice([["base"], ["wrath"], ["base", "wrath"], ["base", "wrath"], ["base", "wrath", "promo"]]),
        "require": rng.sample(NAMES, rng.choice([0, 0, 1, 2, 4])),
        "exclude": rng.sample(NAMES, rng.choice([0, 0, 1, 3, 10])),
    }
    if rng.random() < 0.5:
        options["variant"] = rng.choice(list(VARIANTS))
    if rng.random() < 0.3:
        options["monsters"] = rng.randrange(3, 8)
    if rng.random() < 0.2:
        options["stone"] = rng.choice(["mystery", "agony", "both"])
    if rng.random() < 0.15:
        options["require" if rng.random() < 0.5 else "exclude"].append(rng.choice(POOL["stones"]))
    if rng.random() < 0.08:
        options["balanced"] = True
    if rng.random() < 0.15:
        options |= {"require": [card for card in options["require"] if card in POOL["stones"]], "exclude": []} | (
            {"theme": rng.choice([each["id"] for each in FIXED["theme"]])}
            if rng.random() < 0.6
            else {"first_game": rng.choice(["base", "wrath"])}
        )
    return options


def drawn(n: int) -> Iterator[tuple[dict[str, Any], Setup]]:
    """So many set-ups with reasons, of random options; refusals do not count."""
    rng = random.Random(19)
    while n:
        options = options_of(rng)
        try:
            made = generate_setup(**options, why=True)
        except ThunderrefError:
            continue
        n -= 1
        yield options, made


def asked_in(options: dict[str, Any], made: Setup) -> Asked:
    content = made.content
    return Asked(
        content.sets, content.variant, len(content.classes), content.balanced,
        frozenset(options["require"]), frozenset(options["exclude"]),
    )  # fmt: skip


def test_every_reason_is_what_the_options_say() -> None:
    for options, made in drawn(SETUPS):
        cause = dict.fromkeys(options["require"], "require")
        stone = stone_reason(options, made.content.sets, len(made.content.stones))
        check(made, asked_in(options, made), cause, stone, fixed_of(options)[0])


def test_every_reason_of_a_code_is_what_a_draw_without_wishes_says() -> None:
    for options, before in drawn(SETUPS // 5):
        made = generate_setup(code=before.code, why=True)
        asked = Asked(*asked_in(options, before)[:4], frozenset(), frozenset())
        layout, fixed = fixed_of(options)
        stones, campaign = made.content.stones, VARIANTS[asked.variant].get("campaign")
        told = {key: options.get(key) for key in ("variant", "theme", "first_game")}
        if len(stones) > 1 or (fixed.get("stone") in POOL["stones"] and stones != (fixed["stone"],) and not campaign):
            told["stone"] = "both"  # or the other one: it was asked for
        stone = stone_reason(told, asked.sets, len(stones))
        check(made, asked, {}, stone, layout)


def test_every_reason_of_slots_drawn_again() -> None:
    rng = random.Random(20)
    for options, before in drawn(SETUPS // 5):
        kind = rng.choice(["heroes", "village", "monsters"])
        slot = {"monsters": "classes"}.get(kind, kind)
        single = rng.choice([None, rng.choice(before.content.slots[slot])])
        try:
            made = generate_setup(code=before.code, reroll=[single or kind], seed=options["seed"] + 1, why=True)
        except ThunderrefError:
            continue
        kept = {card for cards in before.content.slots.values() for card in cards}
        kept -= {single} if single else {*before.content.slots[slot]}
        asked = asked_in({"require": [], "exclude": [single] if single else []}, made)._replace(kept=frozenset(kept))
        check(made, asked, dict.fromkeys(kept, "lock"), (1, Fraction(1), "lock"), always="lock")


def test_every_reason_of_the_next_games_of_a_campaign() -> None:
    rng = random.Random(21)
    for n in range(SETUPS // 10):
        variant = rng.choice(["crossing", "pursuit", "odyssey"])
        game = generate_setup(variant=variant, seed=n, monsters=rng.choice([3, 4]))
        had: set[str] = set()
        for winner in (1, 2)[: 1 if variant == "odyssey" else 2]:
            content = game.content
            had |= {*content.heroes} if variant == "odyssey" else set()
            if variant == "pursuit":
                had |= {*content.classes, *content.features.traps, *content.features.guardians}
                had |= {"guardian"} if content.features.guardians else set()
            options = {"require": rng.sample(NAMES, 1), "exclude": rng.sample(NAMES, 2)}
            try:
                game = generate_setup(after=game.code, winner=winner, seed=n + 1, why=True, **options)
            except ThunderrefError:
                break
            asked = asked_in(options, game)._replace(had=frozenset(had))
            check(game, asked, dict.fromkeys(options["require"], "require"), (1, Fraction(1), "variant"))


@pytest.mark.parametrize("least", [1, 4, 6])
def test_the_reasons_of_a_draw_with_enough_weapons(least: int) -> None:
    village = [card for card in POOL["village"] if SET_OF[card] == "base"]
    weapons = {card for card in village if "weapon" in open_database().cards[card].types}
    fitting = [hand for hand in combinations(village, 8) if len(weapons.intersection(hand)) >= least]
    made = generate_setup(sets=["base"], require=[f"{least} weapon"], seed=least, why=True)
    told = {row.card: row for row in made.reasons if row.slot == "village"}
    shares = {card: Fraction(sum(card in hand for hand in fitting), len(fitting)) for card in village}
    uncertain = sum(share < 1 for share in shares.values())
    assert len(told) == 8
    for card, row in told.items():
        certain = shares[card] == 1
        assert (row.pool, row.chance) == (1 if certain else uncertain, shares[card])
        assert row.forced_by == ("wishes" if certain else None)
    heroes = {(row.pool, row.chance, row.forced_by) for row in made.reasons if row.slot == "heroes"}
    assert heroes == {(11, Fraction(4, 11), None)}
