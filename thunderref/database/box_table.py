"""A box in one CSV: a line for each card, columns as the keys of the files of a box."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.database.paths import FIGURES
from thunderref.database.records import SOURCE_LANGUAGE
from thunderref.errors import InputError

_NUMBERS = frozenset((*FIGURES, "level", "count"))
_PLAIN = ("kind", "family", "types", "attested", "judged")
_NEEDED = ("name", "kind", "count")
_YES = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
_TIMINGS = {"monster": "battle", "guardian": "battle", "trap": "trap", "disease": "trait", "village": "passive"}
"""Kind of card -> when the ability of its one text is taken to work, for display; for all others in the dungeon."""


class BoxTable(NamedTuple):
    """The rows of a CSV as the files of a box; ``lines`` are those of the cards by id."""

    path: Path
    files: dict[str, dict[str, Any]]
    lines: Mapping[str, int]

    def joined(self, raw: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """The files of the box with those beside the CSV, which count first."""
        joined = {name: values for name, values in raw.items() if name.endswith(".toml")}
        for name, values in self.files.items():
            mine = joined.get(name, {})
            tables = [key for key in values.keys() & mine.keys() if isinstance(values[key], dict)]
            both = {key: values[key] | mine[key] for key in tables if isinstance(mine[key], dict)}
            joined[name] = values | mine | both
        return joined

    def line_of(self, key: str) -> int:
        """The line of the card that a key names, 1 for another key."""
        return next((self.lines[word] for word in re.findall(r"[a-z0-9-]+", key) if word in self.lines), 1)


def slug(name: str) -> str:
    """The id made of a name: small letters and digits, with hyphens between."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("'", "").replace("’", ""))
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")


def read_table(text: str, path: Path, languages: Iterable[str]) -> BoxTable:
    """Reads the CSV of a box; raises :class:`InputError` (``bad-box``) for the first line that cannot be read."""
    sections = {"name": "cards", "text": "texts"}
    places = {column: (SOURCE_LANGUAGE, section) for column, section in sections.items()}
    places |= {f"{column}_{lang}": (lang, section) for column, section in sections.items() for lang in languages}
    known_columns = {*_NUMBERS, *_PLAIN, *places}
    first = text.split("\n", 1)[0]
    rows = csv.reader(StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    cards: list[dict[str, Any]] = []
    families: dict[str, dict[str, str]] = {}
    words: dict[str, dict[str, dict[str, str]]] = {SOURCE_LANGUAGE: {"families": {}}}
    lines: dict[str, int] = {}

    def wrong(key: str, why: str, **params: Any) -> InputError:
        return InputError("bad-box", file=str(path), line=max(1, rows.line_num), key=key, why=why, **params)

    try:
        columns = [column.strip().lower() for column in next(rows, [])]
        for column in (*columns, *_NEEDED):
            if column not in known_columns:
                raise wrong(column[:40] or "-", "columns", known=", ".join(sorted(known_columns)))
            if columns.count(column) != 1:
                raise wrong(column, "column-twice" if column in columns else "column-missing")
        for row in rows:
            entry = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if cell.strip()}
            if len(row) > len(columns) and any(map(str.strip, row)):
                raise wrong("-", "cells", n=len(row), most=len(columns))
            if not entry:
                continue
            ident = slug(entry.get("name", ""))
            if not ident:
                raise wrong("name", "english-name")
            if ident in lines:
                raise wrong("name", "card-twice", name=entry["name"], n=lines[ident])
            lines[ident] = rows.line_num
            kind = entry.get("kind", "").lower()
            card: dict[str, Any] = {"id": ident, "types": entry.pop("types", "").lower().split()}
            cards.append(card)
            for column, cell in entry.items():
                if column in places:
                    lang, section = places[column]
                    key = ident if section == "cards" else f"{ident}.{_TIMINGS.get(kind, 'dungeon')}"
                    words.setdefault(lang, {}).setdefault(section, {})[key] = cell
                elif column == "family":
                    family = card["family"] = slug(cell)
                    families.setdefault(family, {"id": family, "kind": kind})
                    words[SOURCE_LANGUAGE]["families"][family] = cell
                elif column not in _NUMBERS and column != "judged":
                    card[column] = cell.lower()
                elif cell.lower() in _YES if column == "judged" else re.fullmatch(r"-?\d{1,6}", cell):
                    card[column] = _YES[cell.lower()] if column == "judged" else int(cell)
                else:
                    raise wrong(column, "yes-no" if column == "judged" else "number", value=cell[:40])
    except csv.Error:
        raise wrong("-", "quotes") from None
    title = (path.parent.name if path.name == "cards.csv" else path.stem).replace("-", " ").title()
    box: dict[str, Any] = {"format": 1, "name": title, "family": [*families.values()]}
    files = {"box.toml": box, "cards.toml": {"attested": "one", "card": cards}}
    return BoxTable(path, files | {f"{lang}.toml": glossary for lang, glossary in words.items()}, lines)
