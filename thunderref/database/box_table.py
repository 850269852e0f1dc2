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
_PLAIN = ("name", "kind", "family", "types", "attested", "judged", "text")
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
            mine = joined.setdefault(name, {})
            for key, value in values.items():
                if isinstance(value, dict) and isinstance(mine.get(key), dict):
                    mine[key] = value | mine[key]
                else:
                    mine.setdefault(key, value)
        return joined

    def line_of(self, key: str) -> int:
        """The line of the card that a key names, 1 for another key."""
        named = [part for part in re.findall(r"[a-z0-9-]+", key) if part in self.lines]
        return self.lines[named[0]] if named else 1


def slug(name: str) -> str:
    """The id made of a name: small letters and digits, with hyphens between."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("'", "").replace("’", ""))
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")


def read_table(text: str, path: Path, languages: Iterable[str]) -> BoxTable:
    """Reads the CSV of a box; raises :class:`InputError` (``bad-box``) for the first line that cannot be read."""
    columns_of_languages = {f"{kind}_{lang}" for kind in ("name", "text") for lang in languages}
    known = {*_NUMBERS, *_PLAIN, *columns_of_languages}
    first = text.split("\n", 1)[0]
    mark = max(",;\t", key=first.count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    cards: list[dict[str, Any]] = []
    families: dict[str, dict[str, str]] = {}
    words: dict[str, dict[str, dict[str, str]]] = {SOURCE_LANGUAGE: {"cards": {}, "families": {}, "texts": {}}}
    lines: dict[str, int] = {}

    def wrong(key: str, problem: str) -> InputError:
        return InputError("bad-box", file=str(path), line=max(1, rows.line_num), key=key, problem=problem)

    try:
        columns = [column.strip().lower() for column in next(rows, [])]
        for column in columns:
            if column not in known:
                raise wrong(column[:40] or "-", f"the first line names columns: {', '.join(sorted(known))}; correct it")
            if columns.count(column) > 1:
                raise wrong(column, "the column is there twice: keep one")
        for column in _NEEDED:
            if column not in columns:
                raise wrong(column, "the column is missing: add it to the first line")
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells):
                continue
            if len(cells) > len(columns):
                raise wrong("-", f'the line has {len(cells)} values for {len(columns)} columns: put “"” round commas')
            entry = {column: cell for column, cell in zip(columns, cells, strict=False) if cell}
            ident = slug(entry.get("name", ""))
            if not ident:
                raise wrong("name", "the card needs an English name: add it")
            if ident in lines:
                raise wrong("name", f"“{entry['name']}” is there twice, first in line {lines[ident]}: keep one")
            lines[ident] = rows.line_num
            card: dict[str, Any] = {"id": ident, "types": entry.get("types", "").lower().split()}
            for column, cell in entry.items():
                if column in _NUMBERS:
                    if not re.fullmatch(r"-?\d{1,6}", cell):
                        raise wrong(column, f"“{cell[:40]}” is no number: correct it")
                    card[column] = int(cell)
                elif column in ("kind", "attested"):
                    card[column] = cell.lower()
                elif column == "judged":
                    if cell.lower() not in _YES:
                        raise wrong(column, f"“{cell[:40]}” is neither yes nor no: correct it")
                    card[column] = _YES[cell.lower()]
            if "family" in entry:
                family = card["family"] = slug(entry["family"])
                families.setdefault(family, {"id": family, "kind": card.get("kind", "")})
                words[SOURCE_LANGUAGE]["families"][family] = entry["family"]
            timing = _TIMINGS.get(card.get("kind", ""), "dungeon")
            for column, cell in entry.items():
                kind, _, lang = column.partition("_")
                if kind in ("name", "text") and column not in FIGURES:
                    told = words.setdefault(lang or SOURCE_LANGUAGE, {"cards": {}, "texts": {}})
                    told.update({"cards": {**told["cards"], ident: cell}} if kind == "name" else {})
                    told.update({"texts": {**told["texts"], f"{ident}.{timing}": cell}} if kind == "text" else {})
            cards.append(card)
    except csv.Error as error:
        raise wrong("-", f'{error}: correct the marks “"” of the line') from None
    name = path.parent.name if path.name == "cards.csv" else path.stem
    title = name.replace("-", " ").title()
    box: dict[str, Any] = {"format": 1, "name": title, "family": [*families.values()]}
    files = {"box.toml": box, "cards.toml": {"attested": "one", "card": cards}}
    return BoxTable(path, files | {f"{lang}.toml": told for lang, told in words.items()}, lines)
