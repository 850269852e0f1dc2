"""Fights as the player aid tells them: one example for every sentence, and for every fault."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.thorgal.fight import best_fight, judge_fight
from thunderref.thorgal.grid import read_grid
from thunderref.thorgal.laying import drawing, read_tiles


def judged(card: str, lay: str, tiles: str | None = None, **switches: Any) -> Any:
    rolled = None if tiles is None else read_tiles(tiles)
    return judge_fight([read_grid(part) for part in card.split("|")], lay, rolled, **switches)


def best(card: str, tiles: str, **switches: Any) -> Any:
    return best_fight([read_grid(part) for part in card.split("|")], read_tiles(tiles), **switches)


# aid, fight: tiles touch, do not overlap, do not leave the card
@pytest.mark.parametrize(
    ("card", "tiles", "lay", "code", "rule"),
    [
        ("H.H/...", "2 I2", "AA./.BB", None, ""),
        ("H.../....", "2 I2", "AA../..BB", "thorgal-no-touch", "T10.9"),  # a corner is not enough
        ("H../...", "2 I2", "AA./..B/..B", "thorgal-outside", "T10.9"),
        ("H../...", "2 I2", "AA.BB", "thorgal-outside", "T10.9"),
        ("H#./...", "2 I2", "AA./..B", "thorgal-on-hole", "T10.9"),
        ("H../...", "2 I2", "A[AB]B", "thorgal-overlap", "T10.9"),
        ("H../...", "2 I2", "AAA", "thorgal-wrong-shape", "T10.9"),
        ("H../...", "2 I2", "AAB/..B/", None, ""),
        ("H../...", "I2", "AAB/..B", "thorgal-more-tiles", "T10.9"),
        ("H../...", "2 I2", "A.A/.BB", "thorgal-letter-apart", "T10.9"),
        ("H../...", "2 I2", "AA.", "thorgal-left-out", "T10.14"),
        ("H.#/###", "2 I2", "AA.", None, ""),  # no room for the second
        ("H../..#", "S4", "AA./.AA", "thorgal-on-hole", "T10.9"),
        ("H../...", "S4", "AA./.AA", "thorgal-mirrored", "T10.9"),
        ("H../...", "Z4", "AA./.AA", None, ""),
        ("HX./...", "I2", "AA.", "thorgal-on-covered", "T10.9"),
    ],
)
def test_a_given_arrangement(card: str, tiles: str, lay: str, code: str | None, rule: str) -> None:
    if code is None:
        assert judged(card, lay, tiles).won == (lay[0] == "A" and "H.H" not in card)
        return
    with pytest.raises(ThunderrefError) as fault:
        judged(card, lay, tiles)
    assert (fault.value.code, fault.value.params["rule"]) == (code, rule)
    assert isinstance(fault.value, IllegalStepError)


def test_only_the_first_fault_is_named() -> None:
    with pytest.raises(IllegalStepError) as fault:
        judged("H../...", "[AB]A./.../..B", "2 I2")
    assert fault.value.code == "thorgal-overlap"


def test_switches_loosen_the_readings() -> None:
    assert judged("H../...", "AA./.AA", "S4", mirror=True).won
    assert judged("H../...", "AA.", "2 I2", may_leave=True).won
    assert [tile.name for tile in judged("H../...", "AA.", "2 I2", may_leave=True).left_out] == ["I2"]


def test_what_is_left_by_choice_is_not_without_room() -> None:
    """T10.14: only a tile that fits nowhere has no room; with the switch others may stay off, too."""
    by_choice = judged("H../...", "AA.", "I2, I2, O4", may_leave=True)
    assert [tile.name for tile in by_choice.spare] == ["I2"]
    assert [tile.name for tile in by_choice.left_out] == ["I2", "O4"]
    assert best("H../...", "2 I2, O4", may_leave=True).spare
    assert best("H..", "2 I2, O4").spare == [], "without the switch only what has no room stays off"


def test_a_drawing_may_copy_the_card() -> None:
    """Signs of the card in the drawing, a heart included, are not tiles."""
    fight = judged("H1y/..H", "AAy/..H", "I2")
    assert (len(fight.pieces), len(fight.uncovered)) == (1, 1)


# aid, fight: all black hearts covered wins, otherwise a threat token for each uncovered one
@pytest.mark.parametrize(
    ("card", "tiles", "won", "threat"),
    [("HH", "I2", True, 0), ("HHH", "I2", False, 1), ("H.H/###", "I2", False, 1), ("HHHHH", "-", False, 5)],
)
def test_win_or_threat(card: str, tiles: str, won: bool, threat: int) -> None:
    fight = best(card, tiles)
    assert (fight.won, fight.threat, fight.wound) == (won, threat, 0)
    assert ("T10.11" in fight.rules) == won
    assert ("T10.12" in fight.rules) != won


# aid, remember: at most five threat tokens, a further one is an effect not met: a wound of 2
@pytest.mark.parametrize(("held", "threat", "wound"), [(0, 3, 0), (2, 3, 0), (3, 2, 2), (4, 1, 2), (5, 0, 2)])
def test_the_sixth_threat_token_is_a_wound(held: int, threat: int, wound: int) -> None:
    fight = best("HHHHH", "I2", threat=held)
    assert (len(fight.uncovered), fight.threat, fight.wound) == (3, threat, wound)
    assert ("T16.1" in fight.rules) == bool(wound)


# aid, fight: the effects of the covered fields, as in wandering
@pytest.mark.parametrize(
    ("sign", "kind", "rule", "size"),
    [
        ("y", "yellow", "T5.8", None), ("r", "red", "T5.8", None), ("t", "torch", "T5.9", None),
        ("1", "wood", "T5.9", None), ("2", "ore", "T5.9", None), ("3", "parchment", "T5.9", None),
        ("4", "fire", "T5.9", None), ("5", "lightning", "T5.9", None), ("6", "trident", "T5.9", None),
        ("7", "diamond", "T5.9", None), ("*", "red-star", "T5.10", None), ("g", "green-star", "T5.10", None),
        ("+", "heal", "T5.11", None), ("[+3]", "heal", "T5.11", 3), ("?", "find", "T5.12", None),
    ],
)  # fmt: skip
def test_every_field_has_its_effect(sign: str, kind: str, rule: str, size: int | None) -> None:
    fight = judged(f"H{sign}.", "AA.", "I2")
    (effect,) = fight.effects
    assert (effect.kind, effect.rule, effect.size, effect.cell) == (kind, rule, size, (0, 1))
    assert judged(f"H{sign}./...", "A../A..", "I2").effects == ()


@pytest.mark.parametrize(
    ("card", "lay", "benefits", "penalties"),
    [("H1.", "AA.", 1, 0), ("Hy.", "AA.", 0, 1), ("H1y", "AAA", 1, 1), ("H?.", "AA.", 1, 0)],
)
def test_a_document_tells_benefits_from_penalties(card: str, lay: str, benefits: int, penalties: int) -> None:
    found = judged(card, lay).document(Language(open_database(), "en"))
    assert (found["benefits"], found["penalties"], len(found["effects"])) == (benefits, penalties, benefits + penalties)


def test_effects_count_after_a_defeat_too() -> None:
    fight = best("1.y/##H", "I2")
    assert fight.won
    fight = best("H1H", "I2")
    assert not fight.won
    assert [effect.kind for effect in fight.effects] == ["wood"]
    assert "T10.13" in fight.readings
    lost = judged("HyH", "AA.", "I2")
    assert not lost.won
    assert [effect.kind for effect in lost.effects] == ["yellow"]


def test_hearts_before_benefits_before_penalties() -> None:
    assert drawing(best("1H/1y/H1", "I2").grid, best("1H/1y/H1", "I2").pieces).count("A") == 2
    fight = best("H11#yyHH", "I2")
    assert [cell.column for cell in fight.grid.cells(sum(piece.mask for piece in fight.pieces))] == [6, 7]
    fight = best("yH1", "I2")
    assert [effect.kind for effect in fight.effects] == ["wood"]
    fight = best("yH.", "I2")
    assert fight.effects == ()


def test_a_tile_must_be_laid_even_on_a_penalty() -> None:
    fight = best("HHyy", "2 I2")
    assert [effect.kind for effect in fight.effects] == ["yellow", "yellow"]
    assert best("HHyy", "2 I2", may_leave=True).effects == ()


def test_a_tile_may_be_kept_off_by_leaving_it_no_room() -> None:
    """The long tile covers both hearts; laid on the right the square one would still fit, on a penalty."""
    fight = best("HH#/..#", "I2, O4")
    assert [tile.name for tile in fight.left_out] == ["O4"]
    assert fight.won


# aid, fight: joined enemies lie side by side in the order one likes
def test_joined_enemies_in_the_better_order() -> None:
    fight = best("H##|##H", "I2")
    assert (fight.won, fight.order) == (True, (2, 1))
    assert "T10.7" in fight.rules
    fight = best("##H|H##", "I2")
    assert (fight.won, fight.order) == (True, (1, 2))
    assert not best("H##|H##", "I2").won
    with pytest.raises(IllegalStepError):
        judged("H##|##H", "A....A", "I2")


# the aid says for wandering that a tile may be turned any way round
@pytest.mark.parametrize("card", ["HH.../H....", "H#/HH", "HH/#H", "#H/HH"])
def test_tiles_turn(card: str) -> None:
    assert best(card, "L3").won


@pytest.mark.parametrize(
    ("card", "tiles", "code"),
    [
        ("H./H", "I2", "thorgal-ragged"), ("Hq", "I2", "thorgal-sign"), ("", "I2", "thorgal-empty-grid"),
        ("..", "I2", "thorgal-no-heart"), ("H|H/H", "I2", "thorgal-heights"), ("H|H|H|H|H", "I2", "thorgal-cards"),
        ("H.", "L9", "thorgal-tile-unknown"), ("H.", "3", "thorgal-tile-size"), ("H.", "#./.#", "thorgal-tile-apart"),
        ("H.", "../..", "thorgal-tile-empty"), ("H.", "99 I2", "thorgal-tiles-many"),
        ("H.", "##########", "thorgal-tile-large"), ("H./-^^", "I2", "thorgal-rhombus"),
        ("/".join(["H" * 30] * 9), "I2", "thorgal-too-large"),
        ("H[yq]", "I2", "thorgal-sign"), ("H[]", "I2", "thorgal-sign"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(card: str, tiles: str, code: str) -> None:
    with pytest.raises(InputError) as fault:
        best(card, tiles)
    assert fault.value.code == code


def test_a_fault_of_the_grid_says_where() -> None:
    with pytest.raises(InputError) as fault:
        read_grid("H.1/.y./.!.")
    assert fault.value.params == {"sign": "!", "row": 3, "column": 2}
    with pytest.raises(InputError) as fault:
        read_grid("H.1/.y")
    assert fault.value.params == {"row": 2, "has": 2, "first": 3}


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("hH.Н", "HH.H"), ("yYжЖżу", "YYYYYY"), ("rк", "RR"), ("1WД", "111"), ("3пP", "333"), ("7dа", "777"),
        ("_·.", "..."), ("[y3].\n..", "[Y3]./.."), ("..[+2]", "..[+2]"), (" H . \r\n . 1 ", "H./.1"),
        (".H/-^", ".H/-^"), ("х#@", "X#@"), ("gг*?+", "GG*?+"),
    ],
)  # fmt: skip
def test_signs_of_three_keyboards(typed: str, shown: str) -> None:
    assert read_grid(typed).text == shown
    assert read_grid(read_grid(typed).text).text == shown


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("I3, 2 L4; t4", ["I3", "L4", "L4", "T4"]), ("2xI2", ["I2", "I2"]), ("domino kwadrat", ["I2", "O4"]),
        ("уголок, крест", ["L3", "X5"]), ("т4 о4 г4", ["T4", "O4", "L4"]), ("line3 linia4 линия5", ["I3", "I4", "I5"]),
        ("##/#.", ["L3"]), ("#/#/##/.#", ["N5m"]), (".#/.#/##", ["J4"]), ("l4m s4m v3", ["J4", "Z4", "L3"]),
        ("2 -, I2", ["I2"]), ("##/.##/..#/..#", ["##./.##/..#/..#"]), ("2", ["I2"]), ("2 2", ["I2", "I2"]),
    ],
)  # fmt: skip
def test_tiles_by_name_and_drawn(typed: str, names: list[str]) -> None:
    assert [tile.name for tile in read_tiles(typed)] == names
