"""What a translator of a language file still has to do: what is missing, stale, unknown or malformed in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from pydantic import ValidationError

from thunderref.errors import InputError
from thunderref.model.games import GAMES
from thunderref.model.glossary import SOURCE_LANGUAGE, GlossaryFile, Translation, digest, text_of
from thunderref.store.read import Store
from thunderref.words.plural import PLURAL_RULES

PROBLEMS = ("malformed", "missing", "untranslated", "stale", "unknown", "fields", "plural", "rules")
"""Kinds of findings, the gravest first."""
_RULE = re.compile(r"\b[RT]\d{1,2}(?:\.\d{1,2}[a-z]?)?\b")
_SECTIONS = {"cards": ("cards", "id"), "families": ("families", "id"), "terms": ("terms", "id"), "sets": ("sets", "id")}
_SAME_WORDS = 4
_NO_WORDS = "ask.words."
"""Messages that are lists of words of one language: they share nothing with the English ones."""


class Finding(NamedTuple):
    """One thing to do: kind (one of :data:`PROBLEMS`), key (``texts.rule.R5.4``), detail (may be empty)."""

    problem: str
    key: str
    detail: str = ""


class Review(NamedTuple):
    """The findings for one language and how many entries it has to have and has."""

    lang: str
    findings: list[Finding]
    total: int
    done: int


def review(store: Store, paths: Sequence[Path]) -> Review:
    """Compares the file of a language (or its parts) with the English of the database.

    With the main file, ``<lang>.toml``, the files of further games beside it, ``<lang>.<game>.toml``, are read too.

    Raises :class:`InputError` (``missing-file``) for a file that is not there.
    """
    findings: list[Finding] = []
    whole: dict[str, Any] = {}
    lang = ""
    for path in _with_games(paths):
        raw = _read(path, findings)
        if raw is None:
            continue
        part = str(raw.get("lang", ""))
        if part != path.name.partition(".")[0]:
            findings.append(Finding("malformed", f"{path.name}: lang", part))
        lang = lang or part
        for key, value in raw.items():
            if isinstance(value, dict) and isinstance(whole.get(key, {}), dict):
                whole.setdefault(key, {}).update(value)
            else:
                whole[key] = value
    record = _record(whole, findings) if whole else None
    if record is None:
        return Review(lang, findings, 0, 0)
    needed = _needed(store)
    findings += _compared(store, record, needed)
    total = sum(map(len, needed.values()))
    lost = {f.key for f in findings if f.problem in ("missing", "untranslated")}
    findings.sort(key=lambda f: PROBLEMS.index(f.problem))
    return Review(record.lang, findings, total, total - len(lost))


def _with_games(paths: Sequence[Path]) -> list[Path]:
    """The files with those of further games that lie beside a main file."""
    beside = [
        other
        for path in paths
        if "." not in path.stem
        for game in GAMES
        if (other := path.with_name(f"{path.stem}.{game}.toml")).is_file()
    ]
    return list(dict.fromkeys([*paths, *beside]))


def _read(path: Path, findings: list[Finding]) -> dict[str, Any] | None:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        findings.append(Finding("malformed", path.name, str(error)))
    except OSError:
        raise InputError("missing-file", file=str(path)) from None
    return None


def _record(raw: dict[str, Any], findings: list[Finding]) -> GlossaryFile | None:
    """The file as a record without the entries that are malformed, which become findings."""
    for _ in range(2):
        try:
            return GlossaryFile.model_validate(raw)
        except ValidationError as error:
            for problem in error.errors():
                where = [str(step) for step in problem["loc"]][:2]
                finding = Finding("malformed", ".".join(where), problem["msg"])
                if finding.key not in {f.key for f in findings}:
                    findings.append(finding)
                section = raw.get(where[0])
                if len(where) > 1 and isinstance(section, dict):
                    section.pop(where[1], None)
                else:
                    raw.pop(where[0], None)
    return None


def _needed(store: Store) -> dict[str, dict[str, str]]:
    """Section -> key -> English text ("" for names): everything a language has to have."""
    found = {
        section: {row[0]: "" for row in store.query(f"SELECT {column} FROM {table}")}
        for section, (table, column) in _SECTIONS.items()
    }
    found["texts"] = dict(store.query("SELECT key, text FROM texts WHERE lang = ?", SOURCE_LANGUAGE))
    found["messages"] = store.messages(SOURCE_LANGUAGE)
    return found


def _compared(store: Store, record: GlossaryFile, needed: dict[str, dict[str, str]]) -> Iterator[Finding]:
    forms = PLURAL_RULES[record.plural][0]
    for section, entries in needed.items():
        mine: dict[str, Any] = getattr(record, section)
        yield from (Finding("missing", f"{section}.{key}", entries[key]) for key in entries if key not in mine)
        yield from (Finding("unknown", f"{section}.{key}") for key in mine if key not in entries)
        if section not in ("texts", "messages"):
            continue
        for key, entry in mine.items():
            if key not in entries:
                continue
            english, text, where = entries[key], text_of(entry), f"{section}.{key}"
            if not text.strip():
                yield Finding("missing", where, english)
            elif section == "messages" and not key.startswith(_NO_WORDS):
                yield from _message_findings(where, english, text, forms)
            elif section == "texts" and record.lang != SOURCE_LANGUAGE:
                yield from _text_findings(where, english, text, entry)


def _text_findings(where: str, english: str, text: str, entry: str | Translation) -> Iterator[Finding]:
    if text == english and len(text.split()) >= _SAME_WORDS:
        yield Finding("untranslated", where, english)
    if isinstance(entry, Translation) and entry.of and entry.of != digest(english):
        yield Finding("stale", where, english)
    theirs, mine = set(_RULE.findall(english)), set(_RULE.findall(text))
    if theirs != mine:
        yield Finding("rules", where, " ".join(sorted(theirs ^ mine)))


def _message_findings(where: str, english: str, text: str, forms: int) -> Iterator[Finding]:
    try:
        theirs, mine = _fields(english), _fields(text)
    except ValueError as error:
        yield Finding("malformed", where, str(error))
        return
    odd = {name for name, _ in theirs} ^ {name for name, _ in mine if name}
    if odd - {"n"}:
        yield Finding("fields", where, " ".join(sorted(f"{{{name}}}" for name in odd)))
    for name, spec in mine:
        if "|" in spec and spec.count("|") + 1 != forms:
            yield Finding("plural", where, f"{{{name}:{spec}}}")


def _fields(text: str) -> list[tuple[str, str]]:
    """The fields of a message with what follows the colon; raises ValueError for a stray brace."""
    return [(name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name is not None]
