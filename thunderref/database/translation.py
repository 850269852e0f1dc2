"""How complete a language is: how much of the glossary it has, by box and kind of card, and the faults in its file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.database.load import NO_WORDS, part_of
from thunderref.database.paths import FIRST_GAME, GAMES, Game, language_files, language_of
from thunderref.database.read import Database
from thunderref.database.records import (
    LANGUAGE_CODE,
    SECTIONS,
    SOURCE_LANGUAGE,
    GlossaryFile,
    Translation,
    digest,
    text_of,
)
from thunderref.database.validation import MisfitError, validated
from thunderref.errors import InputError
from thunderref.files import parse_toml, read_text
from thunderref.text.messages import misfits, plural_rule

PROBLEMS = ("malformed", "missing", "untranslated", "stale", "unknown", "fields", "plural", "rules", "wording")
"""Kinds of findings, the gravest first."""
RULE_ID = re.compile(r"\b[RT]\d{1,2}(?:\.\d{1,2}[a-z]?)?\b")
_FIELD = re.compile(r"\{\w+")
_SAME_WORDS = 4


class GlossaryFault(NamedTuple):
    """One thing to do: kind (one of :data:`PROBLEMS`), key (``texts.rule.R5.4``), detail (may be empty)."""

    problem: str
    key: str
    detail: str = ""


class FileReview(NamedTuple):
    """A file of a language: how many entries it needs, and those that it lacks, in the order of the English ones."""

    file: str
    total: int
    missing: list[str]


class Review(NamedTuple):
    """The findings for one language, how many entries it needs, and how many it has; the same by file."""

    lang: str
    findings: list[GlossaryFault]
    total: int
    done: int
    files: Sequence[FileReview] = ()


def review(database: Database, paths: Sequence[Path]) -> Review:
    """Compares the file of a language, or its parts and those of further games, with the English of the database.

    Raises :class:`InputError` (``missing-file``) for a missing file.
    """
    findings: list[GlossaryFault] = []
    whole: dict[str, Any] = {}
    lang = ""
    beside = (path.parent / f"{path.stem}.{game}.toml" for path in paths if "." not in path.stem for game in GAMES)
    for path in dict.fromkeys([*paths, *filter(os.path.isfile, beside)]):
        try:
            raw = parse_toml(read_text(path), path.name)
        except InputError as error:
            if error.code != "malformed-file":
                raise
            findings.append(GlossaryFault("malformed", path.name, f"{error.params['line']}:{error.params['column']}"))
            continue
        section_part = str(raw.get("lang", ""))
        if section_part != language_of(path):
            findings.append(GlossaryFault("malformed", f"{path.name}: lang", section_part))
        lang = lang or section_part
        for key, value in raw.items():
            if isinstance(value, dict) and isinstance(whole.get(key, {}), dict):
                whole.setdefault(key, {}).update(value)
            else:
                whole[key] = value
    record = _record(whole, findings) if whole else None
    if record is None:
        return Review(lang, findings, 0, 0)
    needed = {
        table: {row[0]: "" for row in database.query(f"SELECT id FROM {table} ORDER BY rowid")}
        for table in SECTIONS[:4]
    }
    needed["texts"] = dict(database.query("SELECT key, text FROM texts WHERE lang = ? ORDER BY rowid", SOURCE_LANGUAGE))
    needed["messages"] = database.messages(SOURCE_LANGUAGE)
    findings += _compared(record, needed)
    findings += _wordings(record)
    games = {"texts": dict(database.query("SELECT key, game FROM texts WHERE lang = ?", SOURCE_LANGUAGE))}
    games["terms"] = dict(database.query("SELECT id, game FROM terms"))
    lost = {f.key for f in findings if f.problem in ("missing", "untranslated")}
    entries: dict[str, list[str]] = {}
    for section, keys in needed.items():
        for key in keys:
            section_part = part_of(section, key, games.get(section, {}).get(key, FIRST_GAME))
            entries.setdefault(f"{record.lang}{section_part}.toml", []).append(f"{section}.{key}")
    files = [FileReview(file, len(keys), [key for key in keys if key in lost]) for file, keys in entries.items()]
    findings.sort(key=lambda f: PROBLEMS.index(f.problem))
    total = sum(file.total for file in files)
    return Review(record.lang, findings, total, total - len(lost), files)


_HEADER = re.compile(r"^\[(.+)\]\n", re.MULTILINE)
_LINE = re.compile(r"^(?=[^\[#\n])", re.MULTILINE)
_OWN_WORDS = re.compile(r'(\{ name = "[^"]*").*\}$', re.MULTILINE)


def begin_language(english: Path, folder: Path, lang: str, name: str) -> dict[Path, str]:
    """Return the files of a new language in a folder: path -> text, in which every entry is a comment and in English.

    ``english`` is the folder with the files of English.

    Raises :class:`InputError` (``language-code``) for what can be no further language.
    """
    if not re.fullmatch(LANGUAGE_CODE, lang):
        raise InputError("language-code", code=lang[:20])
    if lang == SOURCE_LANGUAGE:
        raise InputError("language-code", why="source", code=lang)
    drafts = {}
    for path in language_files(english)[SOURCE_LANGUAGE]:
        text = path.read_text("utf-8")
        first = _HEADER.search(text)
        head = f"lang = {json.dumps(lang)}\n"
        if "." not in path.stem:
            head += (
                f'language = {json.dumps(name, ensure_ascii=False)}\ndraft = true\n# plural = "n != 1"\n# cases = []\n'
            )
        entries = _OWN_WORDS.sub(r"\1 }", text[first.start() :] if first else "")
        drafts[folder / path.name.replace(SOURCE_LANGUAGE, lang, 1)] = f"{head}\n{_LINE.sub('# ', entries)}"
    return drafts


def _record(raw: dict[str, Any], findings: list[GlossaryFault]) -> GlossaryFile | None:
    for _ in range(2):
        try:
            return validated(GlossaryFile, raw)
        except MisfitError as error:
            for fault in error.faults:
                where = [str(step) for step in fault.place][:2]
                if ".".join(where) not in {f.key for f in findings}:
                    findings.append(GlossaryFault("malformed", ".".join(where), fault.problem))
                section = raw.get(where[0])
                if len(where) > 1 and isinstance(section, dict):
                    section.pop(where[1], None)
                else:
                    raw.pop(where[0], None)
    return None


def _compared(record: GlossaryFile, needed: dict[str, dict[str, str]]) -> Iterator[GlossaryFault]:
    forms = plural_rule(record.plural)[0]
    for section, entries in needed.items():
        mine: dict[str, Any] = getattr(record, section)
        yield from (GlossaryFault("missing", f"{section}.{key}", entries[key]) for key in entries if key not in mine)
        yield from (GlossaryFault("unknown", f"{section}.{key}") for key in mine if key not in entries)
        for key in [key for key in mine if key in entries and section in ("texts", "messages")]:
            entry, english, where = mine[key], entries[key], f"{section}.{key}"
            text = text_of(entry)
            if not text.strip():
                yield GlossaryFault("missing", where, english)
            elif section == "messages" and not key.startswith(NO_WORDS):
                faults = misfits(english, text, forms)
                yield from (GlossaryFault(problem, where, detail) for problem, detail in faults)
            elif section == "texts" and record.lang != SOURCE_LANGUAGE:
                yield from _text_findings(where, english, text, entry)


def _text_findings(where: str, english: str, text: str, entry: str | Translation) -> Iterator[GlossaryFault]:
    if text == english and len(text.split()) >= _SAME_WORDS:
        yield GlossaryFault("untranslated", where, english)
    if isinstance(entry, Translation) and entry.of and entry.of != digest(english):
        yield GlossaryFault("stale", where, english)
    theirs, mine = set(RULE_ID.findall(english)), set(RULE_ID.findall(text))
    if theirs != mine:
        yield GlossaryFault("rules", where, " ".join(sorted(theirs ^ mine)))


def _wordings(record: GlossaryFile) -> Iterator[GlossaryFault]:
    """The words that the vocabulary of the language has another word for."""
    for entry in record.vocabulary.values():
        avoided = "|".join(re.escape(words).replace(r"\*", r"\w*") for words in entry.avoid)
        pattern = re.compile(rf"\b(?:{avoided})\b", re.IGNORECASE)
        for section, texts in (("texts", record.texts), ("messages", record.messages)):
            for key, text in texts.items():
                if not key.startswith(NO_WORDS) and (match := pattern.search(_FIELD.sub("{", text_of(text)))):
                    yield GlossaryFault("wording", f"{section}.{key}", f"{match[0]} → {entry.word}")


class Coverage(NamedTuple):
    """How many things of a sort (``what``) there are, each language has, and has under names of our own.

    Cards, effects and clarifications have ``set`` and ``kind``, which are empty otherwise.
    """

    set: str
    kind: str
    what: str
    total: int
    have: dict[str, int]
    unofficial: dict[str, int]
    game: Game = FIRST_GAME

    @property
    def complete(self) -> bool:
        return all(count == self.total for count in self.have.values())


def coverage(database: Database) -> list[Coverage]:
    """The table, boxes and kinds in the order of the files."""
    texts: dict[str, set[str]] = {lang: set() for lang in database.languages}
    everything = "SELECT lang, key FROM texts WHERE text != '' UNION ALL SELECT lang, 'message.' || key FROM messages"
    for lang, key in database.query(everything):
        texts[lang].add(key)
    rows: list[Coverage] = []

    def add(what: str, ids: str, *values: str, named: str = "", box: Sequence[str] = ("", "")) -> None:
        """``ids`` is SQL for keys of texts, or for what has a name of the kind ``named``; a value may be a game."""
        expected = {row[0] for row in database.query(ids, *values)}
        have, unofficial = {}, {}
        for lang in texts:
            have[lang] = len(expected & texts[lang])
            if named:
                names = [name for subject, name in database.names_of(named, lang).items() if subject in expected]
                have[lang], unofficial[lang] = len(names), sum(not name.official for name in names)
        game = next((game for game in GAMES if game in values), FIRST_GAME)
        if expected:
            rows.append(Coverage(box[0], box[1], what, len(expected), have, unofficial, game))

    def add_words(game: Game) -> None:
        add("rules", "SELECT 'rule.' || id FROM rules WHERE game = ?", game)
        add("terms", "SELECT id FROM terms WHERE game = ?", game, named="term")
        add("term-texts", "SELECT key FROM texts WHERE key LIKE 'term.%' AND text != '' AND lang = ? AND game = ?",
            SOURCE_LANGUAGE, game)  # fmt: skip

    here = "JOIN cards AS c ON c.id = card WHERE c.set_id = ? AND c.kind = ?"
    for box in database.query("SELECT set_id, kind FROM cards GROUP BY set_id, kind ORDER BY min(position)"):
        add("cards", "SELECT id FROM cards WHERE set_id = ? AND kind = ?", *box, named="card", box=box)
        add("effects", f"SELECT text_key FROM effects {here}", *box, box=box)
        add("clarifications", f"SELECT 'clarify.' || clarification FROM clarification_cards {here}", *box, box=box)
    add_words(FIRST_GAME)
    bare = "SELECT clarification FROM clarification_cards"
    add("clarifications", f"SELECT 'clarify.' || id FROM clarifications WHERE id NOT IN ({bare})")
    add("families", "SELECT id FROM families", named="family")
    add("sets", "SELECT id FROM sets", named="set")
    add("conflicts", "SELECT 'conflict.' || id FROM conflicts")
    add("messages", "SELECT 'message.' || key FROM messages WHERE lang = ?", SOURCE_LANGUAGE)
    for game in GAMES[1:]:
        add_words(game)
    return rows
