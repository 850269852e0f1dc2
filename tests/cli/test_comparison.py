"""``cards --compare``: levels side by side, weapons by who holds them, monsters by what beats them (R4.3, R5.14)."""

from __future__ import annotations

from typing import Any

import pytest


def test_the_levels_of_a_family_stand_side_by_side(cli: Any) -> None:
    out = cli("cards", "family:elf", "--compare").out
    assert "Elf: Cost 5/8/10" in out
    assert "Strength 3/3/4" in out
    assert "Weight" not in out
    assert "Monsters" not in out


@pytest.mark.parametrize(
    ("weapon", "holder", "said"),
    [
        ("dagger", "selurin", "Dagger: Selurin"),
        ("short sword", "elf", "Short Sword: Elf from level 3"),  # Strength 3, 3, 4; Weight 4
        ("claymore", "elf", "Claymore: –"),  # Weight 8
        ("warhammer", "chalice", "Warhammer: Chalice"),
    ],
)
def test_a_weapon_goes_with_those_who_can_hold_it(cli: Any, weapon: str, holder: str, said: str) -> None:
    shown = cli("cards", f'name:"{weapon}" or family:{holder}', "--compare").out
    assert f"{said} [Weight" in shown


def test_weapons_alone_go_with_all_heroes(cli: Any) -> None:
    shown = cli("cards", "name:claymore", "--compare").out
    assert "Thyrian from level 2" in shown
    assert "Elf" not in shown


@pytest.mark.parametrize(
    ("monster", "said"),
    [
        ("black slime", "a total of 5 is enough, Attack or Magic Attack alike"),
        ("ebon fume", "Magic Attack does not count, Attack 11 is enough"),
        ("sphinx", "only Magic Attack counts, 8 is enough"),
        ("uyril", "a total of 9 is enough with Magic Attack 1 or more, Attack 18 without it"),
    ],
)
def test_a_monster_goes_with_what_beats_it(cli: Any, monster: str, said: str) -> None:
    assert said in cli("cards", f'name:"{monster}"', "--compare").out


def test_those_who_beat_it_alone_are_named(cli: Any) -> None:
    shown = cli("cards", "name:sphinx or family:elf or family:chalice", "--compare").out
    assert "Alone" not in shown  # no one has Magic Attack 8
    shown = cli("cards", 'name:"blink dog" or family:elf', "--compare").out
    assert "Alone with enough Light: Elf Sorcerer and Elf Archmage." in shown


@pytest.mark.parametrize(("lang", "said"), [("pl", "Poziomy obok siebie"), ("ru", "Уровни рядом")])
def test_the_page_is_in_the_language(cli: Any, lang: str, said: str) -> None:
    assert said in cli("cards", "family:elf", "--compare", "--lang", lang).out
