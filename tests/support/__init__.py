"""What the tests share: where things are, ways to lay out a moment and play on, an oracle apart, games at random."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "examples"
SNAPSHOTS = ROOT / "tests" / "snapshots"
Example = TypeVar("Example")


@cache
def read_toml(path: Path) -> dict[str, Any]:
    """What the file holds, the same for all who ask: not to be changed."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def examples_of(*patterns: str) -> list[tuple[str, dict[str, Any]]]:
    """(name of the file without its ending, example) for the files of tests/examples that fit, in their order."""
    paths = [path for pattern in patterns for path in sorted(EXAMPLES.glob(pattern))]
    return [(path.stem, example) for path in paths for example in read_toml(path).get("example", [])]


def examples_by_file(*patterns: str, having: str = "") -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Return file name -> (name, example) of its examples that have the key ``having``, for :func:`check_each`."""
    grouped: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for file, example in examples_of(*patterns):
        if not having or having in example:
            grouped.setdefault(file, []).append((example["name"], example))
    return grouped


def check_each(examples: Iterable[tuple[str, Example]], check: Callable[[Example], object]) -> None:
    """Check every example, and raise one exception group of all that fail, each with its name as a note.

    One test for a file of examples: thousands of tests of one example each take longer to collect than to run.
    """
    failures = list[BaseException]()
    for name, example in examples:
        try:
            check(example)
        except (Exception, pytest.fail.Exception) as failure:
            failure.add_note(f"in the example: {name}")
            failures.append(failure)
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} examples fail", failures)
