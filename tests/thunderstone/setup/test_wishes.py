"""Wishes: what must be in or out, what stays and what is drawn again, and which wishes cannot be met together."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import thunderref
from thunderref.database.read import Database
from thunderref.errors import InputError, ThunderrefError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.needs import Needs
from thunderref.thunderstone.setup.setup import Setup, generate_setup

BOTH = ["base", "wrath"]
KINDS = ("monsters", "guardians", "heroes", "village", "thunderstones")


def made(**options: Any) -> Setup:
    return generate_setup(**({"seed": 1, "sets": BOTH} | options))


def refusal(**options: Any) -> ThunderrefError:
    with pytest.raises(ThunderrefError) as caught:
        generate_setup(**options)
    return caught.value


def test_required_and_excluded_cards() -> None:
    for seed in range(50):
        content = made(
            seed=seed, require=["horde", "banish", "elf-sorcerer", "pit-trap"], exclude=["lantern", "ooze"]
        ).content
        assert "horde" in content.classes
        assert "banish" in content.village
        assert "elf" in content.heroes
        assert "trap-death" in content.features.traps
        assert "lantern" not in content.village
        assert "ooze" not in content.classes


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("Żywiołak • Ból", "elemental-pain"),
        ("огненный шар", "fireball"),
        ("Ognista kula", "fireball"),
        ("dragon", "dragon"),
        ("Wilczy Dół", "trap-death"),
        ("Horda", "horde"),
        ("Stone of Agony", "stone-of-agony"),
    ],
)
def test_wishes_in_any_language(name: str, card: str) -> None:
    document = made(require=[name]).model_dump()
    assert card in [*document["monsters"], *document["village"], *document["features"], *document["thunderstones"]]


@pytest.mark.parametrize(
    ("name", "card"),
    [("elves", "elf"), ("krasnoludy", "dwarf"), ("thyr", "thyrian"), ("эльфы", "elf"), ("dragons", "dragon")],
)
def test_a_name_of_several_cards_is_clear_if_they_stand_for_one_slot(name: str, card: str) -> None:
    content = made(require=[name]).content
    assert card in (*content.heroes, *content.classes)


def test_a_name_of_several_slots_lists_them() -> None:
    error = refusal(require=["żywiołak"], lang="pl")
    assert error.code == "ambiguous-card"
    assert set(error.candidates) == {"Żywiołak • Natura", "Żywiołak • Ból"}


@pytest.mark.parametrize(
    ("name", "candidates"),
    [
        ("3", {"horde"}),
        ("wrath", {"elemental-nature"}),
        ("pain", {"abyssal", "elemental-pain"}),
        ("mystery", {"stone-of-mystery"}),
        ("sword", {"flaming-sword", "short-sword"}),
        ("ból", {"abyssal", "elemental-pain"}),
    ],
)
def test_a_word_from_the_middle_of_a_name_is_not_guessed(name: str, candidates: set[str]) -> None:
    error = refusal(sets=BOTH, require=[name])
    assert error.code == ("ambiguous-card" if len(candidates) > 1 else "unknown-card")
    assert {each.id for each in error.candidates} == candidates


def test_a_level_is_not_the_number_of_a_horde_card() -> None:
    assert not all("horde" in made(seed=seed, require=["level:3"]).content.classes for seed in range(9))


@pytest.mark.parametrize("name", ["Choose Two", "pick two", "Wybierz Dwie", "Выберите две", "chose two"])
def test_choose_two_is_known_in_all_languages(name: str) -> None:
    content = made(require=[name]).content
    assert content.features.pick_two


def test_a_hero_that_the_variant_leaves_out_is_refused() -> None:
    assert refusal(sets=BOTH, variant="solo", require=["elf sorcerer"]).code == "setup-not-in-variant"
    assert "elf" in made(variant="solo", require=["elf wizard"]).content.heroes


def test_basic_cards_are_always_in() -> None:
    assert made(require=["torch"]).code == made().code
    assert refusal(exclude=["torch"]).code == "setup-always-in"


@pytest.mark.parametrize(
    ("options", "core"),
    [
        ({"require": ["banish"], "exclude": ["banish", "elf"]}, {("require", "banish"), ("exclude", "banish")}),
        (
            {"require": ["elf", "dwarf", "amazon", "chalice", "lorigg", "lantern"]},
            {
                ("require", "elf"),
                ("require", "dwarf"),
                ("require", "amazon"),
                ("require", "chalice"),
                ("require", "lorigg"),
            },
        ),
        ({"monsters": 8, "exclude": ["ooze", "lantern"]}, {("monsters", "8"), ("exclude", "ooze")}),
        ({"exclude": ["stone-of-mystery"]}, {("exclude", "stone-of-mystery")}),
        (
            {"sets": BOTH, "variant": "epic", "exclude": ["dark-champion", "elf"]},
            {("variant", "epic"), ("exclude", "dark-champion")},
        ),
        (
            {"sets": BOTH, "variant": "epic", "require": ["trap-dire", "elf"]},
            {("variant", "epic"), ("require", "trap-dire")},
        ),
        (
            {"sets": BOTH, "variant": "crossing", "exclude": ["stone-of-agony"]},
            {("variant", "crossing"), ("exclude", "stone-of-agony")},
        ),
        ({"sets": ["wrath"], "monsters": 5}, {("sets", "wrath"), ("monsters", "5")}),
        ({"sets": ["base"], "stone": "both"}, {("stone", "both")}),
        (
            {"sets": BOTH, "require": ["stone-of-agony"], "stone": "mystery"},
            {("stone", "mystery"), ("require", "stone-of-agony")},
        ),
        (
            {"sets": ["base", "promo"], "require": ["death-sentinel", "elf"]},
            {("require", "death-sentinel")},
        ),
        (
            {"sets": BOTH, "stone": "both", "exclude": ["stone-of-agony"]},
            {("stone", "both"), ("exclude", "stone-of-agony")},
        ),
    ],
)
def test_a_smallest_set_of_conflicting_wishes_is_named(options: dict[str, Any], core: set[tuple[str, str]]) -> None:
    error = refusal(**options)
    assert error.code == "setup-impossible"
    assert {(w.kind, w.card) for w in error.params["wishes"]} == core


def test_balanced_can_be_what_conflicts(database: Database, cat: Catalogue) -> None:
    needs = database.derived(Needs)
    edged = sorted(next(n for n in needs.needs if n.kind == "edged").village)
    assert len(edged) >= 4
    error = refusal(sets=BOTH, balanced=True, require=["dwarf"], exclude=edged)
    assert {(w.kind, w.card) for w in error.params["wishes"]} == {
        ("balanced", ""), ("require", "dwarf"), *(("exclude", card) for card in edged),
    }  # fmt: skip
    for card in edged:
        rest = [other for other in edged if other != card]
        assert card in generate_setup(sets=BOTH, balanced=True, require=["dwarf"], exclude=rest, seed=3).content.village


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"players": 6}, "setup-players"),
        ({"players": 1}, "setup-players"),
        ({"players": 0}, "setup-players"),
        ({"variant": "solo", "players": 2}, "setup-solo-players"),
        ({"variant": "epic", "monsters": 2}, "setup-variant-classes"),
        ({"variant": "epic", "sets": ["base"]}, "setup-needs-box"),
        ({"monsters": 2}, "setup-classes"),
        ({"monsters": 9}, "setup-classes"),
        ({"sets": ["promo"]}, "setup-promo-alone"),
        ({"level": "fighter"}, "setup-level"),
        ({"require": ["diin"]}, "setup-not-owned"),
        ({"require": ["disease"], "exclude": ["disease"]}, "setup-always-in"),
        ({"theme": "holy-war", "exclude": ["banish"]}, "setup-fixed-has"),
        ({"theme": "holy-war", "require": ["lantern"]}, "setup-fixed-lacks"),
        ({"theme": "holy-war", "variant": "solo"}, "setup-not-in-variant"),
        ({"theme": "holy-war", "monsters": 4}, "setup-fixed-classes"),
        ({"theme": "holy-war", "variant": "epic"}, "setup-variant-classes"),
        ({"theme": "holy-war", "first_game": "base"}, "setup-two-layouts"),
        ({"variant": "solo", "require": ["banish"]}, "setup-not-in-variant"),
        ({"lock": ["elf"]}, "setup-needs-code"),
        ({"winner": 1}, "setup-needs-after"),
        ({"require": ["pikachu"]}, "unknown-card"),
    ],
)
def test_contradictions_are_refused(options: dict[str, Any], code: str) -> None:
    error = refusal(**options)
    assert (error.code, error.status) == (code, 1)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"seed": -1}, "setup-bad-seed"),
        ({"seed": 10**9}, "setup-bad-seed"),
        ({"variant": "chess"}, "setup-unknown-variant"),
        ({"theme": "pirates"}, "setup-unknown-theme"),
        ({"first_game": "chess"}, "setup-unknown-first-game"),
        ({"sets": ["dominion"]}, "setup-unknown-set"),
        ({"stone": "rolling"}, "setup-unknown-stone"),
        ({"variant": "solo", "level": "easy"}, "setup-unknown-level"),
    ],
)
def test_words_that_are_no_choice_are_bad_usage(options: dict[str, Any], code: str) -> None:
    error = refusal(**options)
    assert isinstance(error, InputError)
    assert error.code == code


# lock and reroll


def parts(setup: Setup) -> dict[str, set[str]]:
    document = setup.model_dump()
    return {kind: set(document[kind]) for kind in KINDS} | {"traps": set(setup.content.features.traps)}


def test_a_rerolled_slot_gets_another_card_and_nothing_else_changes() -> None:
    before = made(players=4, require=["trap-dire", "dark-champion"])
    for kind in ("monsters", "heroes", "village"):
        for card in sorted(parts(before)[kind]):
            after = generate_setup(code=before.code, reroll=[card], seed=5)
            old, new = parts(before), parts(after)
            assert card not in new[kind]
            assert old[kind] - new[kind] == {card}
            assert len(new[kind] - old[kind]) == 1
            assert all(old[k] == new[k] for k in old if k != kind)
            assert after.content.players == 4
            assert generate_setup(code=after.code).model_dump() == after.model_dump()


def test_features_and_stones_can_be_drawn_again() -> None:
    before = made(require=["trap-dire"], exclude=["guardian"])
    gone = generate_setup(code=before.code, reroll=["trap-dire"], seed=2)
    assert "trap-dire" not in gone.content.features.traps
    assert (gone.content.classes, gone.content.village) == (before.content.classes, before.content.village)
    other = generate_setup(code=before.code, reroll=["stone"], seed=1)
    assert {other.content.stones, generate_setup(code=before.code, reroll=["stone"], seed=4).content.stones} <= {
        ("stone-of-mystery",), ("stone-of-agony",),
    }  # fmt: skip
    swapped = generate_setup(code=before.code, reroll=[before.content.stones[0]], seed=1)
    assert swapped.content.stones != before.content.stones


def test_locked_slots_stay_and_all_others_are_drawn_again() -> None:
    before = made()
    keep = [before.content.heroes[0], before.content.village[3], before.content.classes[1]]
    seen = set()
    for seed in range(20):
        after = generate_setup(code=before.code, lock=keep, seed=seed)
        assert before.content.heroes[0] in after.content.heroes
        assert before.content.village[3] in after.content.village
        assert before.content.classes[1] in after.content.classes
        seen.add(after.content.village)
    assert len(seen) > 15


def test_rerolling_keeps_the_balance(database: Database, cat: Catalogue) -> None:
    needs = database.derived(Needs)
    for seed in range(30):
        before = made(balanced=True, seed=seed)
        after = generate_setup(
            code=before.code, reroll=["village"], lock=[before.content.village[0]], seed=seed + 1
        ).content
        assert before.content.village[0] in after.village
        assert after.balanced
        assert all(f.by for f in needs.find(after.classes, after.heroes, after.village))


def test_a_wish_may_fill_the_open_slot() -> None:
    before = made(exclude=["lantern"])
    after = generate_setup(code=before.code, reroll=[before.content.village[0]], require=["lantern"], seed=1)
    assert set(after.content.village) == {*before.content.village[1:], "lantern"}


def test_what_cannot_be_changed_is_refused() -> None:
    before = made(sets=["base"])
    absent = next(
        c for c in ("banish", "lantern", "feast", "spear", "polearm", "trainer") if c not in before.content.village
    )
    assert refusal(code=before.code, reroll=[absent]).code == "setup-not-in-code"
    assert refusal(code=before.code, reroll=["stone-of-mystery"]).code == "setup-nothing-else"
    assert refusal(code=before.code, players=3).code == "setup-code-options"
    assert refusal(code=before.code, seed=3).code == "setup-code-options"
    assert refusal(code=before.code, require=["elf"]).code == "setup-code-options"
    eight = generate_setup(seed=1, monsters=8)
    assert refusal(code=eight.code, reroll=["ooze"]).code == "setup-nothing-else"


# requirements


def test_needs_are_derived_as_a_player_would(database: Database, cat: Catalogue) -> None:
    needs = {need.kind: need for need in database.derived(Needs).needs if need.kind != "weapon"}
    assert needs["light"].village == {
        "fireball", "flaming-sword", "lantern", "lightstone-gem", "amulet-of-power",
    }  # fmt: skip
    assert needs["light"].heroes == {"elf", "feayn", "lorigg"}
    assert needs["edged"].raised_by == {"dwarf"}
    assert needs["edged"].village == {"flaming-sword", "hatchet", "polearm", "short-sword", "spear"}
    assert {"abyssal", "dragon", "enchanted", "undead-spirit", "elemental-nature", "elemental-pain"} == needs[
        "magic"
    ].raised_by
    assert needs["attack"].raised_by == {"dragon", "golem"}
    assert not {"elf", "regian", "selurin"} & needs["attack"].heroes
    assert {"thyrian", "dwarf", "amazon"} <= needs["attack"].heroes
    assert {"short-sword", "battle-fury", "short-bow"} <= needs["attack"].village
    assert needs["disease"].raised_by == {"abyssal", "humanoid", "undead-doom", "trap-dire"}
    assert {"banish", "sage"} <= needs["disease"].village
    assert needs["disease"].heroes == {"chalice", "regian", "divine"}
    assert needs["strength"].raised_by == {"golem"}
    assert {"feast", "amulet-of-power", "goodberries", "ambrosia"} == needs["strength"].village
    assert needs["food"].raised_by == {"outlands", "thyrian"}
    assert needs["food"].basic == ("iron-rations",)
    assert needs["light-item"].raised_by == {"blind"}
    assert needs["light-item"].basic == ("torch",)


def test_the_strongest_starting_heroes_decide_which_weapon_counts(database: Database, cat: Catalogue) -> None:
    needs = database.derived(Needs)

    def weapon(heroes: list[str], village: list[str]) -> bool:
        return bool(next(f for f in needs.find([], heroes, village) if f.kind == "weapon").by)

    assert weapon(["selurin"], ["polearm"])
    assert not weapon(["selurin"], ["hatchet"])
    assert weapon(["selurin", "elf"], ["hatchet"])
    assert not weapon(["elf", "regian"], ["warhammer"])
    assert weapon(["dwarf"], ["warhammer"])
    assert not weapon(["toryn"], ["claymore"])


def test_findings_agree_with_the_counting(database: Database, cat: Catalogue) -> None:
    # the bits that the balanced draw counts with against the findings that are shown
    needs = database.derived(Needs)
    village = cat.pool.village
    for seed, (heroes, classes) in enumerate(
        itertools.product(
            [("dwarf", "elf", "selurin", "blind"), ("toryn", "thyrian", "gohlen", "diin")],
            [("golem",), ("ooze", "trap-dire")],
        )
    ):
        for start in range(0, 25, 3):
            cards = village[start : start + 8]
            unmet = needs.always
            for hero in heroes:
                unmet |= needs.raises[hero]
            for name in classes:
                unmet |= needs.raises[name]
            for hero in heroes:
                unmet &= ~needs.settles[hero]
            for card in cards:
                unmet &= ~needs.settles[card]
            assert (unmet == 0) == all(f.by for f in needs.find(classes, heroes, cards)), (seed, start)


def test_why_tells_pool_chance_and_what_forced_a_card() -> None:
    document = made(sets=["base"], require=["elf"], why=True).model_dump()
    rows = {row["id"]: row for row in document["why"]}
    assert rows["elf"]["forced_by"] == "require"
    other = next(row for row in document["why"] if row["slot"] == "heroes" and row["id"] != "elf")
    assert (other["pool"], other["chance"]["fraction"]) == (10, "3/10")
    assert all(row["chance"]["fraction"] == "8/19" for row in document["why"] if row["slot"] == "village")
    assert all(row["chance"]["fraction"] == "3/8" for row in document["why"] if row["slot"] == "classes")
    assert rows["stone-of-mystery"]["forced_by"] == "box"
    assert len(document["why"]) == 16


def test_recent_cards_are_avoided_as_far_as_possible() -> None:
    first = made()
    recent = [*first.content.classes, *first.content.heroes, *first.content.village]
    second = made(seed=2, avoid=recent)
    assert not set(recent) & {*second.content.classes, *second.content.heroes, *second.content.village}
    every = generate_setup(seed=2, avoid=[*first.cat.pool.heroes, *first.cat.pool.village], balanced=True)
    assert len(every.content.village) == 8
    assert "elf" in made(seed=3, avoid=["elf"], require=["elf"]).content.heroes
    assert any("avoided" in line for line in every.warnings)
    assert not any("avoided" in line for line in second.warnings)


@pytest.mark.parametrize(
    ("line", "players", "wanted"),
    [
        ("setup for 3 players with fireball", 3, {"fireball"}), ("make me a setup for 2 with dragons", 2, {"dragon"}),
        ("setup for 4 with banish and fireball, dragons", 4, {"banish", "fireball", "dragon"}),
        ("rozstawienie dla 3 graczy ze smokami", 3, {"dragon"}), ("расклад для 3 игроков с драконами", 3, {"dragon"}),
    ],
)  # fmt: skip
def test_a_setup_is_asked_for_in_words(line: str, players: int, wanted: set[str]) -> None:
    read = thunderref.understand(line)
    assert read.kind == "command"
    made = thunderref.generate_setup(**read.document, seed=1).model_dump()
    assert made["players"] == players
    assert wanted <= {*made["monsters"], *made["village"], *made["heroes"]}


def test_cards_left_out_in_words_stay_out() -> None:
    read = thunderref.understand("setup for 4 without dragons, with banish")
    assert read.document == {"players": 4, "require": ["banish"], "exclude": ["dragons"]}


def test_several_cards_may_be_wished_for_at_once() -> None:
    made = thunderref.generate_setup(require=["Fireball, Banish"], exclude=["Trainer; Polearm"], seed=1).model_dump()
    assert {"fireball", "banish"} <= {*made["village"]}
    assert {"trainer", "polearm"}.isdisjoint(made["village"])


@pytest.mark.parametrize("name", ["Doomknights", "Rycerze Zagłady", "рыцари рока"])
def test_no_guardian_stands_for_a_class(name: str) -> None:
    for seed in range(5):
        made = thunderref.generate_setup(require=[name], sets=["base", "wrath"], seed=seed).model_dump()
        assert "doomknight-humanoid" in made["monsters"]


@pytest.mark.parametrize("name", ["agony", "Stone of Agony", "Kamień Agonii"])
def test_a_thunderstone_is_asked_for_by_its_name(name: str) -> None:
    made = thunderref.generate_setup(stone=name, sets=["wrath"], seed=1).model_dump()
    assert made["thunderstones"] == ["stone-of-agony"]


@pytest.mark.parametrize(
    ("name", "code", "candidates"),
    [("Magic Missle", "unknown-card", ["Magic Missile"]), ("Soul Gem", "other-box", ["Lightstone Gem"])],
)
def test_a_wish_for_no_card_is_refused(name: str, code: str, candidates: list[str]) -> None:
    with pytest.raises(ThunderrefError) as raised:
        thunderref.generate_setup(require=[name])
    assert (raised.value.code, [str(each) for each in raised.value.candidates]) == (code, candidates)


@pytest.mark.parametrize(
    ("drawn", "other", "said"), [("thyrian", "elf", "Thyrian Lord"), ("elf", "thyrian", "Elf Sorcerer, Elf Archmage")]
)
def test_heroes_that_the_solo_game_leaves_out_are_named(drawn: str, other: str, said: str) -> None:
    """R9.5: those of the families drawn."""
    remarks = dict(made(variant="solo", require=[drawn], exclude=[other]).remarks)
    assert remarks["warn.left-out"] == f"Leave out of the hero stacks: {said} (R9.5)."
    assert "warn.left-out" not in dict(made(variant="solo", exclude=[drawn, other]).remarks)
