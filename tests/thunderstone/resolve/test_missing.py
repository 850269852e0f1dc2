"""What is missing against a monster out of reach, worked out by hand from the figures on the cards."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import Missing

CASES: list[tuple[str, list[str], list[str | None], int, tuple[int | None, int | None], list[dict[str, Any]]]] = [
    (
        # Squire 2, Short Sword 4, Priest 2, one rank dark: 8 - 2 = 6 against 7
        "a Light or a rank nearer",
        ["regian-priest", "thyrian-squire", "short-sword", "torch"],
        [None, "griffon"],
        2,
        (6, 1),
        [{"what": "light", "n": 1}, {"what": "rank", "n": 1, "rank": 1}],
    ),
    (
        # Militia 1 + 1, Wizard 2, Light 2 at rank 2: 4 against 7; the Sword (weight 4, Attack 4) asks for Strength 4,
        # the Wizard has 3, the Militia 2
        "Strength for a weapon that nobody can lift",
        ["2 militia", "elf-wizard", "short-sword", "torch"],
        [None, "griffon"],
        2,
        (4, 3),
        [
            {"what": "strength", "n": 1, "hero": "elf-wizard", "weapon": "short-sword"},
            {"what": "strength", "n": 2, "hero": "militia", "weapon": "short-sword"},
        ],
    ),
    (
        # Blink Dog may not be attacked while it is dark: rank 1 + 1 - 1; Warrior 3 would do against 3
        "a bar of darkness",
        ["outlands-warrior", "torch"],
        ["blink-dog"],
        1,
        (None, None),
        [{"what": "light", "n": 1}],
    ),
    (
        # Warlock 2, doubled 4, against 7: 2 more are doubled too, (2 + 2) x 2 = 8, while of Attack it takes all 3
        "magic that is doubled",
        ["selurin-warlock", "torch"],
        ["griffon"],
        1,
        (4, 3),
        [{"what": "magic_attack", "n": 2}],
    ),
    (
        # Militia 1, Light 1 at rank 1, against 6; there is nobody to be made stronger for anything
        "nothing but the points that are short",
        ["militia", "torch"],
        ["suffering"],
        1,
        (1, 5),
        [{"what": "attack", "n": 5}],
    ),
    (
        # Succubus halves without magic: 3 Militia and Dagger at rank 1, Light 1: (3 + 1) / 2 = 2 against 6
        "points of Attack that are halved",
        ["3 militia", "dagger", "torch"],
        ["succubus"],
        1,
        (2, 4),
        [{"what": "magic_attack", "n": 2}, {"what": "attack", "n": 8}],
    ),
]


def missing(hand: list[str], hall: list[str | None], rank: int, lang: str = "en") -> Missing:
    (target,) = resolve({"hand": hand, "hall": hall, "target": rank}, lang, gaps=True).targets
    assert target.missing is not None
    return target.missing


@pytest.mark.parametrize(
    ("hand", "hall", "rank", "figures", "helps"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_what_would_do(
    hand: list[str],
    hall: list[str | None],
    rank: int,
    figures: tuple[int | None, int | None],
    helps: list[dict[str, Any]],
) -> None:
    found = missing(hand, hall, rank)
    assert (found.best_total, found.short) == figures
    dumps = [more.model_dump(exclude={"text", "shown"}) for more in found.helps]
    told = [{key: value for key, value in dump.items() if value is not None} for dump in dumps]
    assert told == helps


def test_a_disease_less() -> None:
    """Warrior 3, Fireball 3, Militia 1, Disease - 1 = 6 against 7: as good as Light 1, which there is at rank 1."""
    found = missing(["outlands-warrior", "fireball", "militia", "disease"], ["griffon"], 1)
    assert [(more.what, more.n) for more in found.helps] == [("disease", 1)]


def test_one_card_more_of_the_hand_or_the_basic_stacks() -> None:
    """Warrior 3, Short Sword 4: 7 against 10. Rations eaten are 3 more, a second Warrior 3; all else is less."""
    found = missing(["outlands-warrior", "short-sword", "torch"], ["tyxr-the-old"], 1)
    assert found.cards == ["iron-rations", "outlands-warrior"]
    assert [(more.what, more.n) for more in found.helps] == [("attack", 3)]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_in_a_players_words(lang: str) -> None:
    found = missing(["2 militia", "elf-wizard", "short-sword", "torch"], [None, "griffon"], 2, lang)
    words = Language(open_database(), lang)
    told = found.helps[0].text
    assert "+1" in told
    for card in map(words.card, ("elf-wizard", "short-sword")):
        assert any(form in told for form in (card, *card.forms.values()))


def test_what_can_be_won_misses_nothing() -> None:
    (target,) = resolve({"hand": ["fireball", "militia"], "hall": ["griknack-goblin"]}, gaps=True).targets
    assert (target.outcome, target.missing) == ("victory", None)


def test_what_helps_the_play_shown_is_told_apart() -> None:
    """R4.3: Attack +5 helps Militia as it stands; Strength helps Elf Wizard only with a weapon that the play lacks."""
    assert [more.shown for more in missing(["militia", "torch"], ["suffering"], 1).helps] == [True]
    strength = missing(["2 militia", "elf-wizard", "short-sword", "torch"], [None, "griffon"], 2).helps
    assert [more.shown for more in strength] == [False] * len(strength)


def test_in_another_rank_the_play_shown_attacks_the_same_monster() -> None:
    """R5.12: Smoke Torment, 1 short, is 2 brighter in rank 1; Noxious Slag in rank 2 falls only to another play."""
    hand = ["regian-bishop", "thyrian-squire", "chalice-defender", "magical-aura", "gangland-thug", "diin-enchanter"]
    nearer = missing(hand, ["iron-golem", "smoke-torment", "horde-6"], 2).helps
    assert [(more.rank, more.shown) for more in nearer if more.what == "rank"] == [(1, True)]
    hand = ["short-bow", "redblade-killer", "toryn-gladiator", "polearm", "runespawn-adept", "regian-bishop"]
    farther = missing(hand, ["noxious-slag", "red-jelly", "horde-12"], 1).helps
    assert [(more.rank, more.shown) for more in farther if more.what == "rank"] == [(2, False)]


def test_of_two_equal_monsters_each_misses_what_its_own_rank_asks() -> None:
    """R5.12: 3 against Health 5 in rank 1 misses 2 and 1 Light; in rank 2 it misses 2 more."""
    hand = {"hand": ["2 militia", "dagger"], "hall": ["bloodskull-orc", "bloodskull-orc"]}
    first, second = resolve(hand, gaps=True).targets
    assert first.missing is not None
    assert second.missing is not None
    assert (first.missing.best_total, second.missing.best_total) == (1, 0)
