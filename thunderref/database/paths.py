"""The games, their files and the built database; every run uses this, so it loads and asks the system little."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Literal, get_args
from urllib.parse import quote

Game = Literal["thunderstone", "thorgal"]
"""A game by its id."""
GAMES: tuple[Game, ...] = get_args(Game)
"""All games; rule ids are unique among them, by their first letter (:data:`LETTERS`)."""
FIRST_GAME: Game = "thunderstone"
"""The game that has cards, and the default game."""
FOREIGN = "foreign"
"""Subject of the known questions that are about neither game: they are refused."""
TOLD = ".told"
"""Suffix of the key of questions to which the sentence of an answer fits, but not its verdict."""
LETTERS: dict[Game, str] = {"thunderstone": "R", "thorgal": "T"}
"""Game -> the letter its rule ids begin with."""

MOST_BYTES_OF_BOX = 1_000_000
"""Limit for a file of a user's box."""
SWITCHES = "boxes.json"
"""File in the user's data folder with the ids of the boxes that are switched on."""
PACKAGE = Path(__file__).resolve().parent.parent
SHIPPED = PACKAGE / "data" / "thunderref.sqlite"
SCHEMA_VERSION = 31
"""Increased whenever the tables change; a database of another version is refused."""
FIGURES = (
    "cost", "gold", "light", "vp", "strength", "weight", "health", "xp", "level_cost", "light_penalty", "attack",
    "magic_attack",
)  # fmt: skip
"""The figures of a card, in the order shown."""
BOXES = "db/boxes"
"""The folder of the boxes: ``box.toml`` and ``cards.toml`` in a folder for each."""
_FOLDERS = ("db", *(f"db/{game}" for game in GAMES if game != FIRST_GAME), "glossary")
PUZZLES = "tests/examples/puzzles.toml"
"""Examples that players see too; a copy without the tests has none."""


def game_of_rule(rule: str) -> Game:
    """The game of a rule id, by its letter; KeyError for an id of no game."""
    return {letter: game for game, letter in LETTERS.items()}[rule[:1]]


def source_root() -> Path | None:
    """The folder with ``db/`` and ``glossary/`` if this is a checkout, else None."""
    root = str(PACKAGE.parent)
    if not os.path.isfile(os.path.join(root, "pyproject.toml")):
        return None
    return PACKAGE.parent if all(os.path.isdir(os.path.join(root, folder)) for folder in (*_FOLDERS, BOXES)) else None


def box_folders(root: Path) -> list[str]:
    """The folders of the boxes, from the root of a checkout."""
    with os.scandir(os.path.join(str(root), *BOXES.split("/"))) as entries:
        return sorted(f"{BOXES}/{entry.name}" for entry in entries if entry.is_dir())


def file_of_game(game: str, name: str) -> str:
    """The path, below the root, of a file that each game has: ``db/terms.toml``, ``db/thorgal/terms.toml``."""
    return f"db/{name}.toml" if game == FIRST_GAME else f"db/{game}/{name}.toml"


def source_files(root: Path) -> list[Path]:
    """Every hand-edited file below ``root``, in a fixed order."""
    return sorted(path for folder in (*_FOLDERS, *box_folders(root)) for path in (root / folder).glob("*.toml"))


def language_of(path: Path) -> str:
    """The language of the glossary file ``path``, by its name."""
    return path.name.partition(".")[0]


def glossary_files(root: Path) -> list[Path]:
    """The glossary files below ``root``, the main file of a language before its parts: it names the plural rule."""
    return sorted((root / "glossary").glob("*.toml"), key=lambda path: (path.stem.count("."), path.name))


def own_glossary() -> Path:
    """The folder with the languages of the user's own, which need not be there."""
    from thunderref.files import data_file

    return data_file("glossary")


def glossary_folders() -> tuple[Path, Path]:
    """The folder with the files of English, and the one in which a language is begun: in a checkout the same."""
    root = source_root()
    return (PACKAGE / "data" / "glossary", own_glossary()) if root is None else (root / "glossary", root / "glossary")


def language_files(folder: Path) -> dict[str, list[Path]]:
    """The languages whose glossary files are in a folder, each with its files, the main one first."""
    by_language: dict[str, list[Path]] = {}
    for path in glossary_files(folder.parent) if os.path.isdir(folder) else ():
        by_language.setdefault(language_of(path), []).append(path)
    return by_language


def passage_index(game: str) -> str:
    """The full-text table of a game: each has its own, so that no game changes the word weights of another."""
    return "passage_index" if game == FIRST_GAME else f"{game}_passage_index"


def more_path(database: Path) -> Path:
    """The tables that lie apart from a merged database, where those of the package do."""
    return database.with_name(f"{database.stem}-more.sqlite")


def metadata_path(database: Path) -> Path:
    """The metadata for Datasette beside a built database."""
    return database.with_suffix(".metadata.json")


def signature(root: Path) -> str:
    """Return a text that changes whenever a source file does: its names, sizes and times of last change."""
    parts = []
    for folder in (*_FOLDERS, *box_folders(root)):
        with os.scandir(os.path.join(str(root), folder)) as entries:
            parts += [_sign(f"{folder}/{one.name}", one.stat()) for one in entries if one.name.endswith(".toml")]
    with suppress(OSError):
        parts.append(_sign(PUZZLES, os.stat(os.path.join(str(root), PUZZLES))))
    return "\n".join(sorted(parts))


def _sign(name: str, stat: os.stat_result) -> str:
    return f"{name}:{stat.st_size}:{stat.st_mtime_ns}"


def read_only_uri(path: PurePath) -> str:
    """The URI by which SQLite opens the database at an absolute path, and writes nothing."""
    place = quote(os.fsencode(path.as_posix()), safe="/:")  # of another machine, too: SQLite takes no host from a URI
    return f"file://{'' if place[0] == '/' else '/'}{place}?mode=ro&immutable=1"


def fallback_path() -> Path:
    """Return the path of the database of a checkout on a read-only file system."""
    import tempfile

    return Path(tempfile.gettempdir()) / "thunderref" / "thunderref.sqlite"
