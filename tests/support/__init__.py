"""What the tests share: where things are, ways to lay out a moment and play on, an oracle apart, games at random."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "examples"
SNAPSHOTS = ROOT / "tests" / "snapshots"


@cache
def read_toml(path: Path) -> dict[str, Any]:
    """What the file holds, the same for all who ask: not to be changed."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def examples_of(*patterns: str) -> list[tuple[str, dict[str, Any]]]:
    """(name of the file without its ending, example) for the files of tests/examples that fit, in their order."""
    paths = [path for pattern in patterns for path in sorted(EXAMPLES.glob(pattern))]
    return [(path.stem, example) for path in paths for example in read_toml(path).get("example", [])]
