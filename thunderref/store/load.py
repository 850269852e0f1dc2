"""Reads and validates the hand-edited files; every error names file, key and remedy."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from thunderref.errors import InputError
from thunderref.model.base import Record
from thunderref.model.card import Card, CardFile
from thunderref.model.games import FIRST_GAME, GAMES, Game
from thunderref.model.glossary import GlossaryFile
from thunderref.model.reference import (
    Clarification,
    ClarificationsFile,
    Conflict,
    ConflictsFile,
    FamilyRecord,
    Rule,
    RulesFile,
    SetRecord,
    SetsFile,
    Term,
    TermsFile,
)
from thunderref.model.setup import SetupsFile, ThemesFile
from thunderref.store.location import glossary_of

T = TypeVar("T", bound=Record)
G = TypeVar("G", RulesFile, TermsFile)


@dataclass(frozen=True)
class Sources:
    """All the files of one checkout, validated one by one (see :mod:`thunderref.store.check` for what joins them)."""

    sets: list[SetRecord]
    families: list[FamilyRecord]
    cards: list[tuple[str, Card]]
    """(set id, card) in file order."""
    rules: list[tuple[str, Rule]]
    """(game, rule) in file order."""
    terms: list[tuple[str, Term]]
    clarifications: list[Clarification]
    conflicts: list[tuple[str, Conflict]]
    glossaries: dict[str, GlossaryFile]
    """By language."""
    complete: bool
    """False while a language is still written in parts (``glossary/<lang>.<part>.toml``): what it lacks is then taken
    from English; in one file a game (``<lang>.toml``, ``<lang>.<game>.toml``) a language may lack nothing."""
    setups: SetupsFile
    themes: ThemesFile


def load_sources(root: Path) -> Sources:
    """Reads ``db/`` and ``glossary/`` below ``root``.

    Raises :class:`InputError` for a file that is missing, malformed or does not fit its record.
    """
    db = root / "db"
    sets = read_record(db / "sets.toml", SetsFile)
    rules = [_of_game(db, game, "rules.toml", RulesFile) for game in GAMES]
    terms = [_of_game(db, game, "terms.toml", TermsFile) for game in GAMES]
    conflicts = read_record(db / "conflicts.toml", ConflictsFile)
    # A language's main file comes before its parts: it is the one that names the plural rule.
    glossaries = sorted((root / "glossary").glob("*.toml"), key=lambda path: (path.stem.count("."), path.name))
    _no_strangers(db / "cards", {s.id for s in sets.set})
    cards = [(s.id, card) for s in sets.set for card in read_record(db / "cards" / f"{s.id}.toml", CardFile).card]
    return Sources(
        sets=sets.set,
        families=sets.family,
        cards=cards,
        rules=[(file.game, rule) for file in rules for rule in file.rule],
        terms=[(file.game, term) for file in terms for term in file.term],
        clarifications=read_record(db / "clarifications.toml", ClarificationsFile).clarification,
        conflicts=[(conflicts.game, conflict) for conflict in conflicts.conflict],
        glossaries=_glossaries(glossaries),
        complete=all(path.stem == glossary_of(path) for path in glossaries),
        setups=read_record(db / "setups.toml", SetupsFile),
        themes=read_record(db / "themes.toml", ThemesFile),
    )


def _of_game(db: Path, game: Game, name: str, record: type[G]) -> G:
    """The rules or terms of a game: those of the first game are in ``db/``, those of the others in ``db/<game>/``."""
    path = db / name if game == FIRST_GAME else db / game / name
    found = read_record(path, record)
    if found.game != game:
        raise InputError("bad-file", file=str(path), key="game", problem=f"has to be “{game}”: correct it")
    return found


def _no_strangers(folder: Path, sets: set[str]) -> None:
    for path in sorted(folder.glob("*.toml")):
        if path.stem not in sets:
            problem = "the file is of no set: name it in db/sets.toml or remove the file"
            raise InputError("bad-file", file=str(path), key="-", problem=problem)


def _glossaries(paths: Iterable[Path]) -> dict[str, GlossaryFile]:
    merged: dict[str, GlossaryFile] = {}
    for path in paths:
        part = read_record(path, GlossaryFile)
        if "." in glossary_of(path) and part.lang not in merged:  # words of a further game alone make no language
            raise InputError("missing-file", file=str(path.with_name(f"{part.lang}.toml")))
        if part.lang != path.stem.partition(".")[0]:
            problem = f"“{part.lang}” is not what the file is called: correct one of the two"
            raise InputError("bad-file", file=str(path), key="lang", problem=problem)
        if part.lang not in merged:
            merged[part.lang] = part
            continue
        whole = merged[part.lang].model_dump()
        for section in ("cards", "families", "terms", "sets", "texts", "messages"):
            entries = part.model_dump()[section]
            twice = sorted(set(entries) & set(whole[section]))
            if twice:
                raise InputError("bad-file", file=str(path), key=f"{section}.{twice[0]}", problem="is defined twice")
            whole[section] |= entries
        whole |= {key: getattr(part, key) for key in ("language", "plural") if key in part.model_fields_set}
        merged[part.lang] = GlossaryFile.model_validate(whole)
    return merged


def read_record(path: Path, record: type[T]) -> T:
    """The file as a record; raises :class:`InputError` if it is missing, malformed or does not fit."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("missing-file", file=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("bad-file", file=str(path), key="-", problem=str(error)) from None
    try:
        return record.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        problem = _problem(first["msg"], error.error_count())
        raise InputError("bad-file", file=str(path), key=_where(raw, first["loc"]), problem=problem) from None


def _where(raw: object, location: tuple[int | str, ...]) -> str:
    """The key of an error, with the id of the record in place of its number where there is one."""
    words: list[str] = []
    for step in location:
        if isinstance(raw, dict):
            raw = raw.get(step)
            words.append(str(step))
        elif isinstance(raw, list) and isinstance(step, int) and step < len(raw):
            raw = raw[step]
            name = raw.get("id") if isinstance(raw, dict) else None
            words.append(f"[{name or step}]")
        else:
            words.append(str(step))
    return ".".join(words).replace(".[", "[") or "-"


def _problem(message: str, count: int) -> str:
    text = message.removeprefix("Value error, ").rstrip(".")
    text = text.replace("Extra inputs are not permitted", "this key is not known here: correct or remove it")
    return text if count == 1 else f"{text} (and {count - 1} more)"
