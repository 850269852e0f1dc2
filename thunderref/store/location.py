"""Where the files and the built database are.

The wheel ships ``thunderref/data/thunderref.sqlite``. A checkout has the sources ``db/`` and ``glossary/`` beside the
package: there the database is rebuilt whenever a source changed. Every run comes through here, so this asks the file
system as little as it can.
"""

from __future__ import annotations

import os
from pathlib import Path

from thunderref.model.games import FIRST_GAME, GAMES

PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = PACKAGE / "data" / "thunderref.sqlite"
SCHEMA_VERSION = 7
"""Raised whenever the tables change; a database of another version is refused."""
_FOLDERS = ("db", "db/cards", *(f"db/{game}" for game in GAMES if game != FIRST_GAME), "glossary")


def source_root() -> Path | None:
    """The folder with ``db/`` and ``glossary/`` if this is a checkout, else None."""
    root = str(PACKAGE.parent)
    if not os.path.isfile(os.path.join(root, "pyproject.toml")):
        return None
    return PACKAGE.parent if all(os.path.isdir(os.path.join(root, folder)) for folder in _FOLDERS) else None


def source_files(root: Path) -> list[Path]:
    """Every hand-edited file below ``root``, in a fixed order."""
    return sorted(path for folder in _FOLDERS for path in (root / folder).glob("*.toml"))


def glossary_of(path: Path) -> str:
    """The stem of the file an entry of the glossary file ``path`` belongs in at last.

    ``pl`` for ``pl.toml`` and a part of it such as ``pl.draft.toml``, ``pl.thorgal`` for ``pl.thorgal.toml`` and its
    parts: a language has one file a game, and any number of parts while it is being written.
    """
    lang, _, rest = path.stem.partition(".")
    game = rest.partition(".")[0]
    return f"{lang}.{game}" if game in GAMES and game != FIRST_GAME else lang


def passage_index(game: str) -> str:
    """The full-text table of a game: each has its own, so that no game changes what the words of another weigh."""
    return "passage_index" if game == FIRST_GAME else f"{game}_passage_index"


def signature(root: Path) -> str:
    """Changes whenever a source file does: names, sizes and times of last change, cheap to compute."""
    parts = []
    for folder in _FOLDERS:
        with os.scandir(os.path.join(str(root), folder)) as entries:
            for entry in entries:
                if entry.name.endswith(".toml"):
                    stat = entry.stat()
                    parts.append(f"{folder}/{entry.name}:{stat.st_size}:{stat.st_mtime_ns}")
    return "\n".join(sorted(parts))


def fallback_path() -> Path:
    """Where a checkout on a read-only file system keeps its database."""
    import tempfile

    return Path(tempfile.gettempdir()) / "thunderref" / "thunderref.sqlite"
