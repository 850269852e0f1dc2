"""The canonical form of the hand-edited TOML, so that a diff shows only the change.

Keys are in the order of their record, the sections of a translation in the order of the English file; comments on
lines of their own stay above the same thing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thunderref.database.load import bad_file, load_sources, read_record
from thunderref.database.paths import glossary_files, language_of, source_files
from thunderref.database.records import FILES, SECTIONS, SOURCE_LANGUAGE, GlossaryFile, digest, text_of
from thunderref.database.validation import Record, validated
from thunderref.files import write_text

WIDTH = 120
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"\[\[?\s*([^\]]+?)\s*\]")
_STRING = re.compile(r'"""(?:\\.|.)*?"""|' + r"'''.*?'''|" + r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'", re.DOTALL)

Anchor = tuple[str, int, str]
"""The place of a comment: header of the table, which of the tables with that header, key ("" for the header)."""
END: Anchor = ("", -1, "")
"""The anchor below everything."""
Comments = dict[Anchor, list[str]]
"""Place of what follows -> the comment lines above it; a blank line among them is an empty string."""


def format_files(root: Path, *, write: bool = True) -> list[Path]:
    """The source files below ``root`` that were not in canonical form; rewrites them unless ``write`` is False.

    Raises :class:`InputError` for a file that is malformed or has a comment that cannot be kept.
    """
    english = load_sources(root).glossaries[SOURCE_LANGUAGE]
    changed = []
    for path in source_files(root):
        new = format_file(path, english).encode()
        if path.read_bytes() != new:
            changed.append(path)
            if write:
                write_text(path, new.decode(), replace=True)
    return changed


def format_file(path: Path, english: GlossaryFile | None = None) -> str:
    """The canonical text of one file; the sections of a glossary in the order of the English ones, if given."""
    record = FILES.get(path.parent.name) or FILES[path.name]
    read_record(path, record)  # errors in it name its key
    text = path.read_text(encoding="utf-8")
    return _text(tomllib.loads(text), record, comments_of(text, path), english if record is GlossaryFile else None)


def stamp(root: Path) -> None:
    """Marks every translated text as made from today's English."""
    english = load_sources(root).glossaries[SOURCE_LANGUAGE]
    today = {key: digest(text_of(entry)) for key, entry in english.texts.items()}
    for path in glossary_files(root):
        texts = {key: text_of(entry) for key, entry in read_record(path, GlossaryFile).texts.items()}
        if language_of(path) == SOURCE_LANGUAGE or not texts:
            continue
        text = path.read_text(encoding="utf-8")
        stamped = {key: {"text": text, "of": today[key]} if key in today else text for key, text in texts.items()}
        raw = tomllib.loads(text) | {"texts": stamped}
        write_text(path, _text(raw, GlossaryFile, comments_of(text, path), english), replace=True)


def comments_of(text: str, path: Path) -> Comments:
    """Return the comments by the place of what follows them; raises :class:`InputError` if one cannot be kept."""
    comments: Comments = {}
    pending: list[str] = []
    header = ""
    seen: Counter[str] = Counter()
    for line, statement in _statements(text, path):
        if not line or line.startswith("#"):
            if line or (pending and pending[-1]):
                pending.append(line)
            continue
        key = ""
        if match := _HEADER.match(line):
            header = match[1]
            seen[header] += 1
        else:
            key = next(iter(statement))
        if any(pending):
            comments[header, seen[header], key] = pending
        pending = []
    return comments | ({END: pending} if any(pending) else {})


def _statements(text: str, path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines of a file, a value over several lines as one, each with what it says."""
    statement = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        statement += f"{line}\n"
        if line.endswith(",") and not statement.lstrip().startswith("#"):
            continue  # a value that ends in a comma is not complete: there is no need to parse it
        try:
            value = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue  # the value is continued on the next line
        bare = _STRING.sub(lambda found: "\n" * found[0].count("\n"), statement)
        if "#" in bare and not statement.lstrip().startswith("#"):
            problem = "a comment beside or inside a value cannot be kept: put it on a line of its own above"
            raise bad_file(path, f"line {number + 1 - bare.count(chr(10), bare.index('#'))}", problem)
        yield statement.strip(), value
        statement = ""


def _text(raw: dict[str, Any], record: type[Record], comments: Comments, english: GlossaryFile | None) -> str:
    lines: list[str] = []
    seen: Counter[str] = Counter()

    def comment(anchor: Anchor) -> None:
        above = comments.get(anchor, [])
        if above and lines and lines[-1] and anchor[2]:
            lines.append("")
        lines.extend(above)

    def head(line: str, header: str) -> int:
        seen[header] += 1
        lines.append("")
        comment((header, seen[header], ""))
        lines.append(line)
        return seen[header]

    def table(header: str, number: int, values: dict[str, Any], depth: int) -> None:
        tables = [name for name, value in values.items() if _is_table(value, depth)]
        for name in values:
            if name not in tables:
                comment((header, number, name))
                lines.extend(_assignment(name, values[name]))
        for name in tables:
            inner = f"{header}.{name}" if header else name
            if isinstance(values[name], list):
                for item in values[name]:
                    table(inner, head(f"[[{inner}]]", inner), item, depth + 1)
            else:
                place = head(f"[{inner}]", inner)
                for key, entry in values[name].items():
                    comment((inner, place, key))
                    lines.extend(_assignment(key, entry))

    for section in SECTIONS if english else ():
        place = {key: i for i, key in enumerate(getattr(english, section))}
        if section in raw:
            raw[section] = dict(sorted(raw[section].items(), key=lambda item: place.get(item[0], len(place))))
    table("", 0, _as_recorded(raw, validated(record, raw)), 0)
    return "\n".join([*lines, "", *comments.get(END, [])]).strip("\n") + "\n"


def _as_recorded(raw: Any, value: Any) -> Any:
    """Return the values of a file with their keys in the order of the record that they were read as."""
    if isinstance(value, Record):
        names = [name for name in ("op", *value.__struct_fields__) if name in raw]
        return {name: _as_recorded(raw[name], getattr(value, name)) for name in names}
    if isinstance(raw, list):
        return [_as_recorded(*pair) for pair in zip(raw, value, strict=True)]
    if isinstance(raw, dict):
        return {key: _as_recorded(entry, value[key]) for key, entry in raw.items()}
    return raw


def _is_table(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        return depth == 0
    records = isinstance(value, list) and bool(value) and depth < 2
    return records and all(isinstance(item, dict) and "op" not in item for item in value)


def _assignment(key: str, value: Any) -> list[str]:
    start = f"{_key(key)} = "
    line = start + _inline(value)
    records = isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    if not isinstance(value, list) or (len(value) == 1 if records else len(line) <= WIDTH):
        return [line]
    if records:
        return [f"{start}[", *(f"    {_inline(item)}," for item in value), "]"]
    lines = [f"{start}["]
    row = "   "
    for item in map(_inline, value):
        if len(row) + len(item) + 2 > WIDTH:
            lines.append(row)
            row = "   "
        row += f" {item},"
    return [*lines, row, "]"]


def _inline(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(name)} = {_inline(entry)}" for name, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    # a JSON string, number or boolean is valid TOML, but for the one character that TOML wants escaped
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _inline(key)
