"""Build hook: the wheel carries the finished database, and a compiled wheel leaves nothing compiled behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


@contextmanager
def importable(root: Path) -> Iterator[None]:
    """Lets the package itself be imported from ``root``, which a build has not installed."""
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))


class DatabaseHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds ``thunderref/data/thunderref.sqlite`` and puts it in the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before a wheel is put together; an editable install builds the database on first use instead."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        with importable(root):
            from thunderref.store.build import build
        target = root / "thunderref" / "data" / "thunderref.sqlite"
        build(root, target)
        build_data["force_include"][str(target)] = "thunderref/data/thunderref.sqlite"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Runs when the wheel is there: what was compiled beside its source would from now on hide its changes."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        with importable(root):
            from thunderref.store.leftovers import compiled
        for path in compiled(root):
            path.unlink()
