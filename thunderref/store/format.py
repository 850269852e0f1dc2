"""The one way the hand-edited TOML is written, so that a change shows nothing but itself.

Keys stand in the order of their record, the sections of a translation in the order of the English file; one blank line
between records, double-quoted strings, several operations one a line, other lists filled up to 120 characters (a text
is one line however long it is). Comments on lines of their own stay above what they stood above; a comment anywhere
else cannot be kept and is refused.

A language may be written in parts, ``glossary/<lang>.<part>.toml`` or ``glossary/<lang>.<game>.<part>.toml``;
:func:`merge` makes one file a game of them.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thunderref.errors import InputError
from thunderref.model.base import Record
from thunderref.model.card import CardFile
from thunderref.model.glossary import SOURCE_LANGUAGE, GlossaryFile, Translation, digest, text_of
from thunderref.model.reference import ClarificationsFile, ConflictsFile, RulesFile, SetsFile, TermsFile
from thunderref.model.setup import SetupsFile, ThemesFile
from thunderref.store.load import load_sources, read_record
from thunderref.store.location import glossary_of, source_files

WIDTH = 120
RECORDS: dict[str, type[Record]] = {
    "sets.toml": SetsFile,
    "rules.toml": RulesFile,
    "terms.toml": TermsFile,
    "clarifications.toml": ClarificationsFile,
    "conflicts.toml": ConflictsFile,
    "setups.toml": SetupsFile,
    "themes.toml": ThemesFile,
}
SECTIONS = ("cards", "families", "terms", "sets", "texts", "messages")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"\[\[?\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")

Anchor = tuple[str, int, str]
"""Where a comment belongs: header of the table, which of the tables of that header, key ("" for the header)."""


@dataclass
class Comments:
    """Comment lines by what follows them; a blank line between comments, or after them, is an empty string."""

    above: dict[Anchor, list[str]] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)


def format_files(root: Path, *, write: bool = True) -> list[Path]:
    """The source files below ``root`` that were not in canonical form; rewrites them unless ``write`` is False.

    Raises :class:`InputError` for a file that is malformed or has a comment that cannot be kept.
    """
    order = _english_order(root)
    changed = []
    for path in source_files(root):
        old = path.read_bytes()
        new = format_file(path, order).encode()
        if old != new:
            changed.append(path)
            if write:
                _write(path, new)
    return changed


def format_file(path: Path, order: dict[str, list[str]] | None = None) -> str:
    """The canonical text of one file; ``order`` gives the keys of each glossary section as English has them."""
    text = path.read_text(encoding="utf-8")
    record = read_record(path, _record_of(path))
    raw = tomllib.loads(text)
    if isinstance(record, GlossaryFile) and order is not None:
        raw = _in_order(raw, order)
    return _Writer(comments_of(text, path)).file(raw, record)


def stamp(root: Path) -> None:
    """Marks every translated text as made from today's English text (:func:`thunderref.model.glossary.digest`).

    Every language has to be in one file a game (see :func:`merge`).
    """
    order = _english_order(root)
    folder = root / "glossary"
    english: dict[str, str | Translation] = {}
    for path in _glossary_files(folder, SOURCE_LANGUAGE):
        english |= read_record(path, GlossaryFile).texts
    for path in sorted(folder.glob("*.toml")):
        if _language(path) == SOURCE_LANGUAGE:
            continue
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        texts = read_record(path, GlossaryFile).texts
        if texts:
            raw["texts"] = {
                key: {"text": text_of(entry), "of": digest(text_of(english[key]))} if key in english else text_of(entry)
                for key, entry in texts.items()
            }
        comments = comments_of(path.read_text(encoding="utf-8"), path)
        _write(path, _Writer(comments).file(_in_order(raw, order), GlossaryFile.model_validate(raw)).encode())


def merge(root: Path) -> None:
    """Makes one file a game (``glossary/<lang>.toml``, ``glossary/<lang>.<game>.toml``) of the parts of each language
    and stamps the translations.

    The English comments are kept; a translation keeps those at the head of its main file and takes over the English
    ones that divide a section, as its keys stand in the English order too. Raises :class:`InputError` before anything
    is written if the files do not fit their records or a key is defined twice.
    """
    load_sources(root)
    folder = root / "glossary"
    files: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.toml"), key=lambda path: (path.stem.count("."), path.name)):
        files.setdefault(glossary_of(path).partition(".")[2], []).append(path)
    for game, paths in files.items():
        _merge_game(folder, game, paths)
    stamp(root)


def _merge_game(folder: Path, game: str, paths: list[Path]) -> None:
    """Makes one file of the parts of each language for one game, "" for the first."""
    parts: dict[str, list[Path]] = {}
    for path in paths:
        parts.setdefault(_language(path), []).append(path)
    order: dict[str, list[str]] = {}
    dividing: dict[Anchor, list[str]] = {}
    for lang, own in sorted(parts.items(), key=lambda item: item[0] != SOURCE_LANGUAGE):
        whole: dict[str, Any] = {}
        comments = Comments()
        for path in own:
            text = path.read_text(encoding="utf-8")
            for key, value in tomllib.loads(text).items():
                if isinstance(value, dict):
                    whole.setdefault(key, {}).update(value)
                else:
                    whole.setdefault(key, value)
            found = comments_of(text, path)
            main = path is own[0]
            keep = {a: lines for a, lines in found.above.items() if main or (lang == SOURCE_LANGUAGE and a[0])}
            comments.above = {**keep, **comments.above}
        if lang == SOURCE_LANGUAGE:
            order = {section: list(whole.get(section, {})) for section in SECTIONS}
            dividing = {anchor: lines for anchor, lines in comments.above.items() if anchor[0]}
        else:
            comments.above = {**dividing, **{a: lines for a, lines in comments.above.items() if not a[0]}}
            whole = _in_order(whole, order)
        target = folder / f"{lang}{'.' if game else ''}{game}.toml"
        _write(target, _Writer(comments).file(whole, GlossaryFile.model_validate(whole)).encode())
        for path in own:
            if path != target:
                path.unlink()


def comments_of(text: str, path: Path) -> Comments:
    """The comments of a file by what they stand above; raises :class:`InputError` for one that cannot be kept."""
    found = Comments()
    pending: list[str] = []
    header, count = "", 0
    seen: dict[str, int] = {}
    for line in _statements(text, path):
        if not line or line.startswith("#"):
            if line or (pending and pending[-1]):
                pending.append(line)
            continue
        match = _HEADER.match(line)
        if match:
            header = match[1]
            count = seen[header] = seen.get(header, -1) + 1
            key = ""
        else:
            named = _KEY.match(line)
            key = str(next(iter(tomllib.loads(f"{named[1]} = 0")))) if named else ""
        if any(pending):
            found.above[header, count, key] = pending
        pending = []
    found.last = pending if any(pending) else []
    return found


def _statements(text: str, path: Path) -> Iterator[str]:
    """The lines of a file, a value that spans several as one line; comments and blank lines each by themselves."""
    statement = ""
    depth, quote, i, number = 0, "", 0, 1
    while i < len(text):
        sign = text[i]
        number += sign == "\n"
        if quote:
            if sign == "\\" and quote[0] == '"':
                statement += text[i : i + 2]
                i += 2
                continue
            if text.startswith(quote, i):
                statement += quote
                i += len(quote)
                quote = ""
                continue
        elif sign in "\"'":
            quote = sign * 3 if text.startswith(sign * 3, i) else sign
            statement += quote
            i += len(quote)
            continue
        elif sign == "#":
            end = text.find("\n", i)
            end = len(text) if end < 0 else end
            if statement.strip():
                problem = "a comment beside or inside a value cannot be kept: put it on a line of its own above"
                raise InputError("bad-file", file=str(path), key=f"line {number}", problem=problem)
            yield text[i:end].rstrip()
            statement = ""
            i = end + 1
            number += 1
            continue
        elif sign == "\n" and depth == 0:
            yield statement.strip()
            statement = ""
            i += 1
            continue
        else:
            depth += (sign in "[{") - (sign in "]}")
        statement += sign
        i += 1
    if statement.strip():
        yield statement.strip()


class _Writer:
    """Writes raw values in the order of the records they validate as."""

    def __init__(self, comments: Comments) -> None:
        self.comments = comments
        self.lines: list[str] = []
        self.seen: dict[str, int] = {}

    def file(self, raw: dict[str, Any], record: Record) -> str:
        self._table("", 0, raw, record, depth=0)
        while self.lines and not self.lines[0]:
            del self.lines[0]
        if self.comments.last:
            self.lines += ["", *self.comments.last]
        while self.lines and not self.lines[-1]:
            del self.lines[-1]
        return "\n".join(self.lines) + "\n"

    def _table(self, header: str, count: int, raw: dict[str, Any], record: Record, depth: int) -> None:
        names = [name for name in type(record).model_fields if name in raw]
        later = [name for name in names if _is_table(raw[name], getattr(record, name), depth)]
        for name in names:
            if name not in later:
                self._comment(header, count, name)
                self.lines += _assignment(name, raw[name], getattr(record, name))
        for name in later:
            inner = f"{header}.{name}" if header else name
            value = getattr(record, name)
            if isinstance(value, list):
                for i, item in enumerate(value):
                    number = self._header(f"[[{inner}]]", inner)
                    self._table(inner, number, raw[name][i], item, depth + 1)
            else:
                number = self._header(f"[{inner}]", inner)
                for key, entry in raw[name].items():
                    self._comment(inner, number, key)
                    self.lines += _assignment(key, entry, value[key])

    def _header(self, line: str, header: str) -> int:
        count = self.seen[header] = self.seen.get(header, -1) + 1
        self.lines.append("")
        self._comment(header, count, "")
        self.lines.append(line)
        return count

    def _comment(self, header: str, count: int, key: str) -> None:
        lines = self.comments.above.get((header, count, key), [])
        if lines and self.lines and self.lines[-1] and key:
            self.lines.append("")
        self.lines += lines


def _is_table(raw: Any, value: Any, depth: int) -> bool:
    if isinstance(raw, dict):
        return depth == 0
    return (
        isinstance(value, list)
        and bool(value)
        and depth < 2
        and all(isinstance(item, Record) and "op" not in type(item).model_fields for item in value)
    )


def _assignment(key: str, raw: Any, value: Any) -> list[str]:
    start = f"{_key(key)} = "
    line = start + _inline(raw, value)
    records = isinstance(raw, list) and any(isinstance(item, dict) for item in raw)
    if not isinstance(raw, list) or (len(raw) == 1 if records else len(line) <= WIDTH):
        return [line]
    items = [_inline(item, inner) for item, inner in zip(raw, value, strict=True)]
    if records:
        return [f"{start}[", *(f"    {item}," for item in items), "]"]
    lines = [f"{start}["]
    row = "   "
    for item in items:
        if len(row) + len(item) + 2 > WIDTH:
            lines.append(row)
            row = "   "
        row += f" {item},"
    return [*lines, row, "]"]


def _inline(raw: Any, value: Any) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, str):
        return _string(raw)
    if isinstance(raw, int | float):
        return str(raw)
    if isinstance(raw, list):
        inner = value if isinstance(value, list | tuple) else [None] * len(raw)
        return "[" + ", ".join(_inline(item, other) for item, other in zip(raw, inner, strict=True)) + "]"
    if isinstance(raw, dict):
        names = [n for n in type(value).model_fields if n in raw] if isinstance(value, Record) else list(raw)
        found = ", ".join(f"{_key(name)} = {_inline(raw[name], getattr(value, name, None))}" for name in names)
        return f"{{ {found} }}" if found else "{}"
    raise TypeError(f"no TOML for {type(raw).__name__}")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _record_of(path: Path) -> type[Record]:
    if path.parent.name == "glossary":
        return GlossaryFile
    return CardFile if path.parent.name == "cards" else RECORDS[path.name]


def _english_order(root: Path) -> dict[str, list[str]]:
    order: dict[str, list[str]] = {section: [] for section in SECTIONS}
    for path in _glossary_files(root / "glossary", SOURCE_LANGUAGE):
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        for section in SECTIONS:
            order[section] += raw.get(section, {})
    return order


def _glossary_files(folder: Path, lang: str) -> list[Path]:
    """The files of a language, the main one first."""
    found = [path for path in folder.glob("*.toml") if _language(path) == lang]
    return sorted(found, key=lambda path: (path.stem.count("."), path.name))


def _language(path: Path) -> str:
    return path.stem.partition(".")[0]


def _in_order(raw: dict[str, Any], order: dict[str, list[str]]) -> dict[str, Any]:
    """The sections of a glossary file with their keys in the order given, keys not in it last."""
    found = dict(raw)
    for section, keys in order.items():
        if section in raw:
            place = {key: i for i, key in enumerate(keys)}
            entries = raw[section]
            found[section] = {key: entries[key] for key in sorted(entries, key=lambda k: place.get(k, len(place)))}
    return found


def _write(path: Path, content: bytes) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}.new")
    partial.write_bytes(content)
    partial.replace(path)


def main() -> None:
    """``python -m thunderref.store.format [--merge | --stamp]``, run in the checkout."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m thunderref.store.format", description=__doc__)
    parser.add_argument("--merge", action="store_true", help="make one file of the parts of each language, and stamp")
    parser.add_argument("--stamp", action="store_true", help="mark the translations as made from today's English")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    if options.merge:
        merge(options.root)
    elif options.stamp:
        stamp(options.root)
    format_files(options.root)


if __name__ == "__main__":
    main()
