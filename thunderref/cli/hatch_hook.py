"""Build hook: the finished database for a wheel; manual pages and completion scripts for a source distribution."""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts ``thunderref/data/thunderref.sqlite`` and its metadata in a wheel, ``share`` in a source distribution."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds what is added; an editable install builds the database on first use instead."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)  # a build has not installed the package
        from thunderref.database.build import build
        from thunderref.database.paths import metadata_path

        root = Path(self.root)
        if self.target_name == "wheel":
            target = root / "thunderref" / "data" / "thunderref.sqlite"
            build(root, target)
            for path in (target, metadata_path(target)):
                build_data["force_include"][str(path)] = f"thunderref/data/{path.name}"
            for path in (root / "glossary").glob("en.*toml"):  # from which a user's language is begun
                build_data["force_include"][str(path)] = f"thunderref/data/glossary/{path.name}"
            return
        from thunderref.cli.manual import write_manual
        from thunderref.database.read import Database

        self.folder = TemporaryDirectory(ignore_cleanup_errors=True)  # Windows removes no file that is open
        folder = Path(self.folder.name)
        build(root, folder / "thunderref.sqlite")
        write_manual(folder / "share", Database(folder / "thunderref.sqlite"), self.metadata.version)
        build_data["force_include"][str(folder / "share")] = "share"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes compiled modules once a wheel is there: beside their source they would hide its changes."""
        if self.target_name == "sdist":
            self.folder.cleanup()
        elif version != "editable":
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
