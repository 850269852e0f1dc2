"""Reads and validates the hand-edited files; every error names file, key and remedy."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from thunderref.database import records
from thunderref.database.paths import (
    FIRST_GAME,
    FOREIGN,
    GAMES,
    PUZZLES,
    Game,
    file_of_game,
    glossary_files,
    language_of,
)
from thunderref.database.validation import MisfitError, Record, validated
from thunderref.errors import InputError

T = TypeVar("T", bound=Record)
OF_EACH_GAME = ("rules", "terms")
"""Files that each game has."""
BY_FILE = frozenset(("set_id", "game"))
"""What an entry has by the file it stands in, and cannot say itself."""
UNKNOWN_KEY = "this key is not known here: correct or remove it"


class Sources(NamedTuple):
    """All the files of one checkout, each validated (:mod:`check` checks them together), in their order."""

    sets: list[records.SetRecord]
    families: list[records.FamilyRecord]
    cards: list[records.CardWithEffects]
    """In the order of the sets."""
    rules: list[records.Rule]
    terms: list[records.TermRecord]
    clarifications: list[records.Clarification]
    conflicts: list[records.Conflict]
    setups: dict[str, list[Any]]
    """By their tables in the files."""
    puzzles: list[records.Puzzle]
    glossaries: dict[str, records.GlossaryFile]
    """By language."""

    @property
    def text_games(self) -> dict[str, Game]:
        """Text key -> its game; without the keys of cards, rulings and conflicts, all of the first game."""
        rules = {f"rule.{rule.id}": rule.game for rule in self.rules}
        return rules | {f"term.{term.id}": term.game for term in self.terms}

    @property
    def targets(self) -> dict[str, str]:
        """Key of a subject (``card.fireball``, ``clarify.amazon``) -> its target, as in ``passages``.

        A ruling on a single card belongs to the card.
        """
        cards = {card.id: card.reprint_of or card.id for card in self.cards}
        found = {f"conflict.{conflict.id}": f"conflict.{conflict.id}" for conflict in self.conflicts}
        for ruling in self.clarifications:
            owners = {cards[card] for card in ruling.cards}
            found[f"clarify.{ruling.id}"] = f"card.{min(owners)}" if len(owners) == 1 else f"clarification.{ruling.id}"
        found |= {f"term.{term.id}": f"term.{term.id}" for term in self.terms}
        found |= {f"card.{card}": f"card.{base}" for card, base in cards.items()}
        return found | {f"rule.{rule.id}": f"rule.{rule.id}" for rule in self.rules} | {FOREIGN: FOREIGN}

    @property
    def places(self) -> dict[str, tuple[records.Source, ...]]:
        """Rule or ruling -> its sources; in further games a rule without sources has those of its chapter."""
        found = {rule.id: rule.sources for rule in self.rules}
        for rule in self.rules:
            if rule.game != FIRST_GAME and not rule.sources:
                found[rule.id] = found.get(rule.id.partition(".")[0], ())
        return found | {ruling.id: ruling.sources for ruling in self.clarifications}

    @property
    def argued(self) -> set[str]:
        """The rules and rulings that are readings, wholly or in part: the glossary has arguments for them."""
        english = self.glossaries[records.SOURCE_LANGUAGE].texts
        ends = (key.removeprefix("reading.").rpartition(".") for key in english if key.startswith("reading."))
        return {subject for subject, _, _ in ends}


def load_sources(root: Path) -> Sources:
    """Reads ``db/`` and ``glossary/`` below ``root``; raises as :func:`read_record` does."""
    found: dict[str, list[Any]] = {table: [] for tables in records.TABLES.values() for table in tables}
    for name, tables in records.TABLES.items():
        for game in GAMES if name in OF_EACH_GAME else (FIRST_GAME,):
            path = root / (PUZZLES if name == "puzzles" else file_of_game(game, name))
            if name == "puzzles" and not path.is_file():
                continue
            file = read_record(path, records.FILES[path.name])
            for table in tables:
                entries = getattr(file, table)
                found[table] += [replace(each, game=game) for each in entries] if game != FIRST_GAME else entries
    cards = root / "db" / "cards"
    for path in sorted(cards.glob("*.toml")):
        if path.stem not in {each.id for each in found["set"]}:
            raise bad_file(path, "-", "the file is of no set: name it in db/sets.toml or remove the file")
    return Sources(
        sets=found["set"],
        families=found["family"],
        cards=[card for each in found["set"] for card in _cards(cards / f"{each.id}.toml")],
        rules=found["rule"],
        terms=found["term"],
        clarifications=found["clarification"],
        conflicts=found["conflict"],
        setups={kind: found[kind] for name in ("setups", "themes") for kind in records.TABLES[name]},
        puzzles=found["puzzle"],
        glossaries=_glossaries(glossary_files(root)),
    )


def bad_file(path: PurePath | str, key: str, problem: str) -> InputError:
    """The error for a key of a file, whose name is told with slashes on every system."""
    file = path if isinstance(path, str) else path.as_posix()
    return InputError("bad-file", file=file, key=key, problem=problem)


def _cards(path: Path) -> Iterator[records.CardWithEffects]:
    file = read_record(path, records.CardFile)
    return (replace(card, set_id=path.stem, attested=card.attested or file.attested) for card in file.card)


def _glossaries(paths: Iterable[Path]) -> dict[str, records.GlossaryFile]:
    merged: dict[str, records.GlossaryFile] = {}
    for path in paths:
        part = read_record(path, records.GlossaryFile)
        if "." in path.stem and part.lang not in merged:  # words of a further game alone make no language
            raise InputError("missing-file", file=path.with_name(f"{part.lang}.toml").as_posix())
        if part.lang != language_of(path):
            raise bad_file(path, "lang", f"“{part.lang}” is not what the file is called: correct one of the two")
        whole = merged.setdefault(part.lang, part)
        if whole is part:
            continue
        for section in records.SECTIONS:
            entries, more = getattr(whole, section), getattr(part, section)
            if twice := entries.keys() & more.keys():
                raise bad_file(path, f"{section}.{min(twice)}", "is defined twice")
            entries.update(more)
    if records.SOURCE_LANGUAGE not in merged:
        raise InputError("missing-file", file=f"glossary/{records.SOURCE_LANGUAGE}.toml")
    return merged


def read_record(path: Path, record: type[T]) -> T:
    """The file as a record; raises :class:`InputError` if it is missing, malformed or does not fit."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("missing-file", file=path.as_posix()) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise bad_file(path, "-", str(error)) from None
    for table, entries in raw.items():
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            for key in BY_FILE & entry.keys() if isinstance(entry, dict) else ():
                raise bad_file(path, _where(raw, (table, number, key)), UNKNOWN_KEY)
    try:
        return validated(record, raw)
    except MisfitError as error:
        first, *others = error.faults
        problem = first["msg"].removeprefix("Value error, ").rstrip(".")
        problem = problem.replace("Extra inputs are not permitted", UNKNOWN_KEY)
        if others:
            problem += f" (and {len(others)} more)"
        raise bad_file(path, _where(raw, first["loc"]), problem) from None


def _where(raw: object, location: tuple[int | str, ...]) -> str:
    words: list[str] = []
    for step in location:
        if isinstance(raw, list) and isinstance(step, int) and step < len(raw):
            raw = raw[step]
            name = raw.get("id") if isinstance(raw, dict) else None
            words.append(f"[{name or step}]")
        else:
            raw = raw.get(step) if isinstance(raw, dict) else raw
            words.append(str(step))
    return ".".join(words).replace(".[", "[") or "-"
