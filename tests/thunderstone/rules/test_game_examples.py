"""Every example of a whole game in tests/examples."""

from __future__ import annotations

from typing import Any

import pytest

from support import examples_of
from support.game_examples import check_game

EXAMPLES = [
    pytest.param(example, id=f"{file}: {example['name']}")
    for file, example in examples_of("rul*.toml")
    if "game" in example
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: dict[str, Any]) -> None:
    check_game(example)
