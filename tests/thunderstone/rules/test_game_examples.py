"""Every example of a whole game in tests/examples."""

from __future__ import annotations

import pytest

from support import check_each, examples_by_file
from support.game_examples import check_game

FILES = examples_by_file("rul*.toml", having="game")


@pytest.mark.parametrize("file", FILES)
def test_every_example_goes_as_was_worked_out(file: str) -> None:
    check_each(FILES[file], check_game)
