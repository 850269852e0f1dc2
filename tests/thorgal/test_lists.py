"""Lists of tiles, dice, faces and wounds: one reader for all, counts in every habit, and rows of cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thunderref.errors import InputError
from thunderref.thorgal.fight import read_dice, read_die
from thunderref.thorgal.grid import read_grid, split_rows
from thunderref.thorgal.laying import read_counts, read_tiles
from thunderref.thorgal.wounds import read_board, read_wounds

TWO = ("2 L3", "2L3", "2xL3", "2x L3", "2 x L3", "L3 x2", "L3x2", "L3 x 2", "2×L3", "L3 ×2", "2 х L3", "L3 х2", "2* L3")


@pytest.mark.parametrize("typed", [*TWO, "L3, L3", "L3 L3", "L3;L3", "L3\nL3", " L3 , L3 ,"])
def test_two_of_a_kind_everywhere(typed: str) -> None:
    assert [tile.name for tile in read_tiles(typed)] == ["L3", "L3"]
    assert [wound.name for wound in read_wounds(typed, False)] == ["L3", "L3"]
    _, faces = read_die(f"green: {typed}, -", False)
    assert [[tile.name for tile in face] for face in faces] == [["L3"], ["L3"], []]
    assert read_dice(typed.replace("L3", "green")) == ("green", "green")


@pytest.mark.parametrize(
    ("typed", "entries"),
    [
        ("2, L3", "1×2 1×L3"), ("2,L3", "1×2 1×L3"), ("2; L3", "1×2 1×L3"), ("2\nL3", "1×2 1×L3"),
        ("L3, 2", "1×L3 1×2"), ("L3 2", "1×L3 1×2"), ("1, 2, 3", "1×1 1×2 1×3"), ("1 2 3", "1×1 1×2 1×3"),
        ("3 2 L3", "1×3 2×L3"), ("2 L3 I4 x3, 2", "2×L3 3×I4 1×2"), ("2x3", "2×3"), ("2 x 3", "2×3"), ("2×5", "2×5"),
        ("2 (3)", "2×(3)"), ("( 3 ) L3", "1×(3) 1×L3"), ("2 -", "2×-"), ("- x2", "2×-"), ("2##/#.", "2×##/#."),
        ("2x##/#.", "2×##/#."), ("2 X5", "2×X5"), ("L3 X5", "1×L3 1×X5"), ("x5", "1×x5"), ("L3, x5", "1×L3 1×x5"),
        ("X5 x2", "2×X5"), ("L3x5", "5×L3"), ("I3^X5, I2+X5", "1×I3^X5 1×I2+X5"), ("I3^I4 x2", "2×I3^I4"), ("", ""),
    ],
)  # fmt: skip
def test_numbers_before_commas_are_entries(typed: str, entries: str) -> None:
    assert " ".join(f"{count}×{name}" for count, name in read_counts(typed)) == entries


@pytest.mark.parametrize(
    "typed",
    [
        "L3 x5",
        "2x5",
        "2X5",
        "2 x5",
        "L3X5",
        "2 x3",
        "2 L3 x2",
        "0 L3",
        "L3 x0",
        "x L3",
        "L3 x",
        "L3, x2",
        "2xx/x.",
        "2 x",
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(typed: str) -> None:
    for read in (
        read_counts,
        read_tiles,
        lambda text: read_wounds(text, False),
        lambda text: read_die(f"red: {text}", False),
    ):
        with pytest.raises(InputError) as fault:
            read(typed)
        assert fault.value.code == "thorgal-list-unclear"


@pytest.mark.parametrize("option", ["--add", "--sizes"])
def test_a_size_before_a_comma_is_a_wound(cli: Any, option: str) -> None:
    document = cli("thorgal", "wounds", "A...../......", option, "2, L3", "--json").json
    if option == "--add":
        assert [len(tile["fields"]) for tile in document["taken"]["tiles"]] == [2, 3]
    else:
        assert [found["wound"] for found in document["capacity"]] == ["2", "L3"]


def test_commas_count_in_tiles_and_dice(cli: Any) -> None:
    tiles = cli("thorgal", "fight", "H...../......", "--tiles", "2, L3", "--json").json["tiles"]
    assert sorted(tile["tile"] for tile in tiles) == ["I2", "L3"]
    one = cli("thorgal", "fight", "HHH", "--dice", "green", "--die", "green: 2, I3", "--json").json
    assert one["win"]["fraction"] == "1/2"


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        (".H1 y.H", [".H1", "y.H"]), (".H1/y.H", [".H1", "y.H"]), (".H1 / y.H", [".H1", "y.H"]),
        ("H . 1 / . 1 .", ["H.1", ".1."]), ("H .\n. 1", ["H.", ".1"]), ("[y3]. .H", ["[y3].", ".H"]),
        ("[y 3]H", ["[y3]H"]), (".H y. --", [".H", "y.", "--"]), ("H.\n\n.H\r\n", ["H.", ".H"]),
        ("H./\n.H", ["H.", ".H"]),
        ("", []), (" / ", []), ("H", ["H"]), ("AA. .B.", ["AA.", ".B."]),
    ],
)  # fmt: skip
def test_blanks_for_slashes_are_rows(typed: str, rows: list[str]) -> None:
    assert split_rows(typed) == rows


@pytest.mark.parametrize(
    ("typed", "code", "row"),
    [
        ("H 1", "thorgal-row-blanks", 1), ("H . . 1", "thorgal-row-blanks", 1), ("H1 .", "thorgal-row-blanks", 1),
        ("H./.H 1./..", "thorgal-row-blanks", 2), ("H.//.H", "thorgal-empty-row", 2), ("/H.", "thorgal-empty-row", 1),
        ("[y3] .", "thorgal-row-blanks", 1),
    ],
)  # fmt: skip
def test_never_one_row_in_silence(typed: str, code: str, row: int) -> None:
    with pytest.raises(InputError) as fault:
        read_grid(typed)
    assert (fault.value.code, fault.value.params) == (code, {"row": row})


def test_boards_and_drawings_have_rows_too(cli: Any) -> None:
    assert read_board("AA. ..B").grid.height == 2
    laid = cli("thorgal", "fight", ".H1 y.H", "--tiles", "I2, L3", "--lay", "BAA B.A", "--json")
    same = cli("thorgal", "fight", ".H1/y.H", "--tiles", "I2, L3", "--lay", "BAA/B.A", "--json")
    assert laid.json == same.json


def test_faces_on_several_lines_stay_apart_in_the_file(cli: Any, tmp_path: Path) -> None:
    file = ["--file", str(tmp_path / "game.json")]
    cli("thorgal", "round", "start", "--players", "2", *file)
    assert cli("thorgal", "round", "dice", "green: 2\nL3", *file).status == 0
    assert cli("thorgal", "round", "rolls", "1", "green", *file).status == 0
    assert cli("thorgal", "fight", "1", "HH", "--json", *file).json["win"]["fraction"] == "1/2"
