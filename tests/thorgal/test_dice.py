"""The chance to win: exact, against plain enumeration of every roll and every choice."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from support.brute import arrangements
from thunderref.errors import InputError, NoAnswerError
from thunderref.thorgal.fight import Face, FightOdds, best_chance, read_dice, read_die, read_roll, upgrades_of
from thunderref.thorgal.grid import read_grid
from thunderref.thorgal.laying import draw

GREEN = "green: I2, I2, L3, -, -, I3"
YELLOW = "yellow: I3, L3, L3, O4, -, I2"
ORANGE = "orange: I4, O4, L4, T4, -, I3"


def faces(*dice: str, critical: bool = False) -> dict[str, tuple[Face, ...]]:
    return dict(read_die(die, critical) for die in dice)


def wins(card: str, shown: tuple[Face, ...]) -> bool:
    rows = card.split("/")
    hearts = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "H"}
    tiles = [draw(tile.shape) for face in shown for tile in face]
    return any(hearts <= covered for covered in arrangements(rows, tiles, False, True))


def plain(card: str, dice: list[tuple[Face, ...]], shown: tuple[Face, ...], rerolls: int) -> Fraction:
    """The chance from a roll, trying every use of the re-rolls."""
    best = Fraction(int(wins(card, shown)))
    if rerolls and not best:
        for number, die in enumerate(dice):
            after = (plain(card, dice, (*shown[:number], face, *shown[number + 1 :]), rerolls - 1) for face in die)
            best = max(best, sum(after, Fraction(0)) / len(die))
    return best


@pytest.mark.parametrize(
    ("card", "dice", "rerolls"),
    [
        ("HH", "green", 0), ("HH", "green", 2), ("H.H/.H.", "2 green", 0), ("H.H/.H.", "2 green", 1),
        ("HHH/..H", "green yellow", 1),
    ],
)  # fmt: skip
def test_the_chance_is_that_of_plain_enumeration(card: str, dice: str, rerolls: int) -> None:
    known = faces(GREEN, YELLOW)
    rolled = [known[colour] for colour in read_dice(dice)]
    every = list(itertools.product(*rolled))
    wanted = sum((plain(card, rolled, shown, rerolls) for shown in every), Fraction(0)) / len(every)
    assert 0 < wanted < 1
    assert best_chance([read_grid(card)], known, read_dice(dice), rerolls=rerolls).win == wanted


# aid, fight: green, yellow, orange, red
@pytest.mark.parametrize(
    ("dice", "upgrades", "wanted"),
    [
        ("green", 0, {"green"}), ("green", 1, {"green", "yellow"}),
        ("green", 9, {"green", "yellow", "orange", "red"}), ("red", 3, {"red"}),
        ("green orange", 1, {"green orange", "yellow orange", "green red"}),
        ("2 green", 2, {"green green", "green yellow", "green orange", "yellow yellow"}),
    ],
)  # fmt: skip
def test_upgrades_go_one_colour_at_a_time(dice: str, upgrades: int, wanted: set[str]) -> None:
    made = upgrades_of(read_dice(dice), upgrades)
    assert {" ".join(colours) for colours in made} == wanted
    assert made[0] == read_dice(dice)


def test_the_best_upgrade_is_found_and_named() -> None:
    card = [read_grid("HH/HH")]
    known = faces(GREEN, YELLOW, ORANGE)
    chance = best_chance(card, known, read_dice("green yellow"), upgrades=1)
    others = [best_chance(card, known, read_dice(dice)).win for dice in ("green yellow", "2 yellow", "green orange")]
    assert chance.win == max(others) > chance.plain == others[0]
    assert chance.upgraded == (("green", "yellow"),)


def test_an_upgrade_that_helps_nothing_is_not_made() -> None:
    chance = best_chance([read_grid("H")], faces("green: I1", "yellow: I1"), ("green",), upgrades=1)
    assert (chance.win, chance.upgraded) == (1, ())


# aid, fight: with a critical effect the black fields count
def test_black_fields_count_with_a_critical_effect_only() -> None:
    card = [read_grid("HHH")]
    for die in ("green: I2^I3", "green: ##*"):
        assert best_chance(card, faces(die), ("green",)).win == 0
        assert best_chance(card, faces(die, critical=True), ("green",)).win == 1


@pytest.mark.parametrize(
    ("face", "plain", "black"), [("I2^-", ["I2"], []), ("-^I3", [], ["I3"]), ("I2+-", ["I2"], ["I2"]), ("–", [], [])]
)
def test_a_face_or_a_part_of_it_may_be_blank(face: str, plain: list[str], black: list[str]) -> None:
    """As where the black fields make a tile, and without a critical effect there is none."""
    for critical, wanted in ((False, plain), (True, black)):
        _, shown = read_die(f"green: {face}", critical)
        assert [tile.name for tile in shown[0]] == wanted


# aid, fight: re-rolls one at a time
def test_which_die_to_throw_again() -> None:
    table = FightOdds(
        [read_grid("HHH#")], faces("green: I1, I1, I1, I1, -, I3", "yellow: I2, I2, I3, I3, I3, I3"), False
    )
    roll = read_roll("yellow green", "I2 -", False)
    assert table.value(roll, 0) == 0
    advice = [(die, win) for (die, _), win in table.advice(roll, 1).items()]
    # the green die may fall on I1, which completes the I2, or on I3; the yellow one must show I3
    assert advice == [("green", Fraction(5, 6)), ("yellow", Fraction(4, 6))]
    assert table.advice(roll, 0) == {}


def test_two_enemies_and_two_tiles_on_a_face() -> None:
    cards = [read_grid("H#"), read_grid("#H")]
    assert best_chance(cards, faces("green: I2"), ("green",)).win == 1
    assert best_chance([read_grid("HH/H.")], faces("green: I2+I1, I2"), ("green",)).win == Fraction(1, 2)


@pytest.mark.parametrize("word", ["green", "Zielona", "zielone", "zielonych", "зелёный", "зеленых", "g"])
def test_colours_in_three_languages(word: str) -> None:
    assert read_dice(f"2 {word}") == ("green", "green")


@pytest.mark.parametrize(
    ("dice", "die", "options", "code"),
    [
        ("blue", GREEN, {}, "thorgal-colour"), ("99 green", GREEN, {}, "thorgal-dice-count"),
        ("", GREEN, {}, "thorgal-dice-count"), ("green", "green:", {}, "thorgal-die-empty"),
        ("green", YELLOW, {}, "thorgal-no-faces"), ("green", GREEN, {"upgrades": 1}, "thorgal-no-faces"),
        ("green", GREEN, {"rerolls": -1}, "thorgal-number"), ("green", "green: L9", {}, "thorgal-tile-unknown"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(dice: str, die: str, options: dict[str, int], code: str) -> None:
    with pytest.raises(InputError) as fault:
        best_chance([read_grid("H.")], faces(die), read_dice(dice), **options)
    assert fault.value.code == code


def test_a_roll_needs_a_face_for_every_die() -> None:
    with pytest.raises(InputError) as fault:
        read_roll("2 green", "I2", False)
    assert fault.value.params == {"dice": 2, "faces": 1}


def test_a_die_shows_one_of_its_faces() -> None:
    table = FightOdds([read_grid("HHH#")], faces("green: I1, I3"), False)
    with pytest.raises(InputError) as fault:
        table.advice(read_roll("green", "I2", False), 1)
    assert (fault.value.code, fault.value.candidates) == ("thorgal-not-on-die", ("I1", "I3"))


def test_too_many_rolls_are_refused() -> None:
    dice = [f"{colour}: I1 I2 I3 L3 I4 O4 T4 S4 L4 I5 F5 P5" for colour in ("green", "yellow", "orange", "red")]
    with pytest.raises(NoAnswerError) as fault:
        best_chance([read_grid("HHHH/H..H/HHHH")], faces(*dice), read_dice("2 green 2 yellow 2 orange 2 red"))
    assert fault.value.code == "thorgal-rolls"
