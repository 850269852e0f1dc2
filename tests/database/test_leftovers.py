"""What a build leaves among the sources is found, and nothing else."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from thunderref.cli.hatch_hook import compiled


def test_only_what_was_compiled_from_a_source_is_found(tmp_path: Path) -> None:
    ending = EXTENSION_SUFFIXES[0]
    engine = tmp_path / "thunderref" / "engine"
    engine.mkdir(parents=True)
    for name in ("legal.py", f"legal{ending}", f"alone{ending}", "hand.py"):
        (engine / name).touch()
    for name in (f"0a1b__mypyc{ending}", f"other{ending}", "README.md"):
        (tmp_path / name).touch()
    assert compiled(tmp_path) == [tmp_path / f"0a1b__mypyc{ending}", engine / f"legal{ending}"]
