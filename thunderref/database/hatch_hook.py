"""Build hook: puts the finished database into the wheel; a compiled wheel leaves nothing compiled behind."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DatabaseHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds ``thunderref/data/thunderref.sqlite`` and puts it, and its metadata, in the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the database for a wheel; an editable install builds it on first use instead."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, self.root)  # a build has not installed the package
        from thunderref.database.build import build
        from thunderref.database.paths import metadata_path

        target = root / "thunderref" / "data" / "thunderref.sqlite"
        build(root, target)
        for path in (target, metadata_path(target)):
            build_data["force_include"][str(path)] = f"thunderref/data/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes compiled modules once the wheel is there: beside their source they would hide its changes."""
        if version == "editable":
            return
        for path in compiled(Path(self.root)):
            path.unlink()


def compiled(root: Path) -> list[Path]:
    """The compiled modules beside their sources below ``root``, and their shared library, in order."""
    ending = EXTENSION_SUFFIXES[0]
    beside = [
        path
        for path in (root / "thunderref").rglob(f"*{ending}")
        if path.with_name(path.name.removesuffix(ending) + ".py").is_file()
    ]
    return sorted([*beside, *root.glob(f"*__mypyc{ending}")])
