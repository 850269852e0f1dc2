"""Measures of how well questions and lines are understood: files whose rows are parted into ``tune`` and ``held``.

Thresholds may be chosen on ``tune``. The shares of ``held`` are told and have floors; nobody reads its rows who writes
answers, grammar or thresholds, so that they tell how strangers are understood.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from . import read_toml

LANGUAGES = ("en", "pl", "ru")
SEED = 2026
"""Number that draws the order in which the rows of a file were parted into halves."""
Rows = Mapping[str, Any]
"""Language -> rows; ``foreign`` -> language -> questions that are to be refused."""


def read_measure(path: Path) -> dict[str, Rows]:
    """Return the rows of a measuring file by part."""
    file = read_toml(path)
    return {part: file[part] for part in ("tune", "held")}


def draw_place(text: str) -> str:
    """Return a row's place in the random order: of rows of one kind ``tune`` got the first half, ``held`` the rest."""
    return hashlib.sha256(f"{SEED} {text}".encode()).hexdigest()


def shares_right(ranks: Sequence[Sequence[bool]]) -> dict[str, float]:
    """Return the shares of questions with a right first answer and with any right one; ``ranks`` has their answers."""
    first, three = sum(right[:1] == [True] for right in ranks), sum(map(any, ranks))
    return {"first": first / len(ranks), "among three": three / len(ranks)}


def check_floors(
    capsys: pytest.CaptureFixture[str],
    title: str,
    parts: Mapping[str, Rows],
    shares_of: Callable[[Rows], Mapping[str, float]],
    floors: Sequence[float],
) -> None:
    """Print the shares of both parts, and fail if one of ``held`` is below its floor, which are in the same order.

    A floor is two points under what was measured, or one question where that is more.
    """
    shares = {part: shares_of(rows) for part, rows in parts.items()}
    with capsys.disabled():
        for part, values in shares.items():
            print(f"\n{title}, {part}: " + ", ".join(f"{name} {share:.1%}" for name, share in values.items()), end="")
    held = shares["held"].values()
    assert all(share >= floor for share, floor in zip(held, floors, strict=True)), (shares["held"], floors)
