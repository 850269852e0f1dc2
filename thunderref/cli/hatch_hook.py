"""Build hook: puts the manual pages and the completion scripts into the source distribution, below ``share/``."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManualHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes ``share/man`` and ``share/completion``, in a folder that goes with the build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)  # a build has not installed the package
        from thunderref.cli.manual import write_manual
        from thunderref.database.build import build
        from thunderref.database.read import Database

        self.folder = TemporaryDirectory(ignore_cleanup_errors=True)  # Windows removes no file that is open
        folder = Path(self.folder.name)
        build(Path(self.root), folder / "thunderref.sqlite")
        write_manual(folder / "share", Database(folder / "thunderref.sqlite"), self.metadata.version)
        build_data["force_include"][str(folder / "share")] = "share"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()
