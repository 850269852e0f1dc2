"""Reads the built database with the standard library's sqlite3, read-only; nothing here needs pydantic."""

from __future__ import annotations

import sqlite3
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.errors import InputError
from thunderref.model.games import FIRST_GAME, Game
from thunderref.store.location import SCHEMA_VERSION, SHIPPED, fallback_path, signature, source_root


class CardRow(NamedTuple):
    """A card's printed figures; None where the card does not carry the figure."""

    id: str
    position: int
    set_id: str
    kind: str
    family: str | None
    level: int | None
    count: int  # type: ignore[assignment]  # the figure hides tuple.count
    cost: int | None
    gold: int | None
    light: int | None
    vp: int | None
    strength: int | None
    weight: int | None
    health: int | None
    xp: int | None
    level_cost: int | None
    light_penalty: int | None
    attack: int | None
    magic_attack: int | None
    reprint_of: str | None


class EffectRow(NamedTuple):
    """An ability of a card; ``record`` is the effect record as a dict of plain values."""

    card: str
    id: str
    timing: str
    mandatory: bool
    record: dict[str, Any]
    text_key: str


class NameRow(NamedTuple):
    """A spelling of a name; ``official`` is False for one of our own making."""

    lang: str
    name: str
    official: bool


class SwitchRow(NamedTuple):
    """An open question: its name, the rule that leaves it open, the value taken and the other one."""

    name: str
    rule: str
    default: str
    other: str


class SearchRow(NamedTuple):
    """A name as lookup compares it; see the table ``search`` in :mod:`thunderref.store.schema`."""

    form: str
    words: str
    joined: str
    stems: str
    kind: str
    subject: str
    lang: str
    name: str
    preferred: int


class Store:
    """The card database, opened read-only.

    Raises :class:`InputError` if there is none (``no-database``) or it is of another version (``other-database``).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._messages: dict[str, dict[str, str]] = {}
        self._names: dict[tuple[str, str], dict[str, NameRow]] = {}
        if not path.is_file():
            raise InputError("no-database", path=str(path))
        try:
            self._db = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True)
            found = self._one("SELECT value FROM meta WHERE key = 'schema'")
        except sqlite3.Error:
            raise InputError("other-database", path=str(path)) from None
        if found != str(SCHEMA_VERSION):
            raise InputError("other-database", path=str(path))

    def _one(self, sql: str, *values: Any) -> Any:
        row = self._db.execute(sql, values).fetchone()
        return None if row is None else row[0]

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a SELECT; raises :class:`InputError` (``other-database``) if the file is damaged."""
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            raise InputError("other-database", path=str(self.path)) from None

    # cards

    def card(self, card_id: str) -> CardRow:
        """The card with this id; KeyError if there is none."""
        rows = self.query(f"SELECT {', '.join(CardRow._fields)} FROM cards WHERE id = ?", card_id)
        if not rows:
            raise KeyError(card_id)
        return CardRow(*rows[0])

    @cached_property
    def cards(self) -> dict[str, CardRow]:
        """All cards by id, in the order of the files."""
        rows = self.query(f"SELECT {', '.join(CardRow._fields)} FROM cards ORDER BY position")
        return {row[0]: CardRow(*row) for row in rows}

    def types(self, card_id: str) -> tuple[str, ...]:
        """The words of the card's type line, in order."""
        return tuple(r[0] for r in self.query("SELECT type FROM types WHERE card = ? ORDER BY position", card_id))

    @cached_property
    def all_types(self) -> dict[str, tuple[str, ...]]:
        """The type line of every card by its id."""
        found: dict[str, tuple[str, ...]] = {}
        for card, kind in self.query("SELECT card, type FROM types ORDER BY card, position"):
            found[card] = (*found.get(card, ()), kind)
        return found

    def effects(self, card_id: str) -> list[EffectRow]:
        """The card's abilities in printed order."""
        import json

        rows = self.query(
            "SELECT card, id, timing, mandatory, record, text_key FROM effects WHERE card = ? ORDER BY position",
            card_id,
        )
        return [EffectRow(r[0], r[1], r[2], bool(r[3]), json.loads(r[4]), r[5]) for r in rows]

    @cached_property
    def all_effects(self) -> dict[str, list[EffectRow]]:
        """The abilities of every card by its id, in printed order; cards without any are absent."""
        import json

        found: dict[str, list[EffectRow]] = {}
        for r in self.query(
            "SELECT card, id, timing, mandatory, record, text_key FROM effects ORDER BY card, position"
        ):
            found.setdefault(r[0], []).append(EffectRow(r[0], r[1], r[2], bool(r[3]), json.loads(r[4]), r[5]))
        return found

    def names(self, card_id: str) -> dict[str, NameRow]:
        """The shown name of a card by language."""
        rows = self.query("SELECT lang, name, official FROM names WHERE card = ? AND position = 0", card_id)
        return {r[0]: NameRow(r[0], r[1], bool(r[2])) for r in rows}

    def names_of(self, kind: str, lang: str) -> dict[str, NameRow]:
        """The shown names of all ``card``, ``family``, ``term`` or ``set`` subjects in a language, by id; read once."""
        if (kind, lang) in self._names:
            return self._names[kind, lang]
        table, column = {
            "card": ("names", "card"), "family": ("family_names", "family"), "term": ("term_names", "term"),
            "set": ("set_names", "set_id"),
        }[kind]  # fmt: skip
        rows = self.query(f"SELECT {column}, name, official FROM {table} WHERE lang = ? AND position = 0", lang)
        found = self._names[kind, lang] = {r[0]: NameRow(lang, r[1], bool(r[2])) for r in rows}
        return found

    def search_exact(self, form: str, words: str, joined: str, game: Game = FIRST_GAME) -> list[SearchRow]:
        """The names of a game that are the same as a folded query, but for the order of words and for blanks."""
        columns = ", ".join(SearchRow._fields)
        rows = self.query(
            f"SELECT {columns} FROM search WHERE (form = ? OR words = ? OR joined = ?) AND game = ?",
            form, words, joined, game,
        )  # fmt: skip
        return [SearchRow(*r) for r in rows]

    def search_rows(self, kind: str | None = None, game: Game = FIRST_GAME) -> list[SearchRow]:
        """Every searchable name of a game, of one kind (``card``, ``family``, ``term``) or of all."""
        columns = ", ".join(SearchRow._fields)
        if kind is None:
            return [SearchRow(*r) for r in self.query(f"SELECT {columns} FROM search WHERE game = ?", game)]
        return [
            SearchRow(*r) for r in self.query(f"SELECT {columns} FROM search WHERE kind = ? AND game = ?", kind, game)
        ]

    # rules

    @cached_property
    def switches(self) -> dict[str, SwitchRow]:
        """The open questions of the rules by name, in the order of the rules."""
        rows = self.query('SELECT name, rule, "default", other FROM switches ORDER BY position')
        return {row[0]: SwitchRow(*row) for row in rows}

    # words

    @cached_property
    def languages(self) -> dict[str, str]:
        """Language code -> name of its plural rule."""
        return dict(self.query("SELECT lang, plural FROM languages ORDER BY position"))

    def text(self, key: str, lang: str) -> str | None:
        """A glossary text, None if the language lacks it."""
        found: str | None = self._one("SELECT text FROM texts WHERE key = ? AND lang = ?", key, lang)
        return found

    def texts(self, key: str) -> dict[str, str]:
        """A glossary text by language."""
        return dict(self.query("SELECT lang, text FROM texts WHERE key = ?", key))

    def messages(self, lang: str) -> dict[str, str]:
        """All messages of a language by key; read once, for whoever resolves many battles."""
        if lang not in self._messages:
            self._messages[lang] = dict(self.query("SELECT key, text FROM messages WHERE lang = ?", lang))
        return self._messages[lang]

    def meta(self) -> dict[str, str]:
        """Version and signature of the database."""
        return dict(self.query("SELECT key, value FROM meta"))


def _quoted(path: Path) -> str:
    """The path as it stands in a ``file:`` URI."""
    text = path.absolute().as_posix()
    for sign in "%?#":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text if text.startswith("/") else f"/{text}"


_open: dict[Path, Store] = {}


def open_store() -> Store:
    """The database of this installation, opened once; a checkout rebuilds it when a source file changed."""
    root = source_root()
    if root is None:
        if SHIPPED not in _open:
            _open[SHIPPED] = Store(SHIPPED)
        return _open[SHIPPED]
    sign = signature(root)
    return _fresh(SHIPPED, sign) or _fresh(fallback_path(), sign) or _rebuilt(root)


def database_path() -> Path:
    """Path of an up-to-date database, built first if this is a checkout whose files changed."""
    return open_store().path


def _fresh(path: Path, sign: str) -> Store | None:
    """The database at ``path`` if it was built from the files as they are now."""
    known = _open.get(path)
    if known is not None and known.meta().get("signature") == sign:
        return known
    try:
        store = Store(path)
        if store.meta().get("signature") != sign:
            return None
    except (InputError, sqlite3.Error):
        return None
    _open[path] = store
    return store


def _rebuilt(root: Path) -> Store:
    from thunderref.store.build import build

    for path in (SHIPPED, fallback_path()):
        try:
            build(root, path)
        except OSError:
            continue
        _open[path] = Store(path)
        return _open[path]
    raise InputError("no-database", path=str(SHIPPED))
