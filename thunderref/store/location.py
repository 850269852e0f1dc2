"""Where the files and the built database are.

The wheel ships ``thunderref/data/thunderref.sqlite``. A checkout has the sources ``db/`` and ``glossary/`` beside the
package: there the database is rebuilt whenever a source changed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = PACKAGE / "data" / "thunderref.sqlite"


def source_root() -> Path | None:
    """The folder with ``db/`` and ``glossary/`` if this is a checkout, else None."""
    root = PACKAGE.parent
    if (root / "db" / "cards").is_dir() and (root / "glossary").is_dir() and (root / "pyproject.toml").is_file():
        return root
    return None


def source_files(root: Path) -> list[Path]:
    """Every hand-edited file below ``root``, in a fixed order."""
    folders = (root / "db", root / "db" / "cards", root / "glossary")
    return sorted(path for folder in folders for path in folder.glob("*.toml"))


def signature(root: Path) -> str:
    """Changes whenever a source file does: names, sizes and times of last change, cheap to compute."""
    parts = []
    for path in source_files(root):
        stat = path.stat()
        parts.append(f"{path.relative_to(root).as_posix()}:{stat.st_size}:{stat.st_mtime_ns}")
    return "\n".join(parts)


def fallback_path() -> Path:
    """Where a checkout on a read-only file system keeps its database."""
    return Path(tempfile.gettempdir()) / "thunderref" / "thunderref.sqlite"
