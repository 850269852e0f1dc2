"""Languages of a user's own: files as those of the glossary, in the user's data folder, each a draft.

What they lack is said in English; what they say of things that are not here is passed over (``glossary check``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from thunderref import files
from thunderref.database import paths
from thunderref.database.load import Sources, bad_file, fitted, language_problems
from thunderref.database.operations import Effect, read_effect
from thunderref.database.own_box import Package, line_of
from thunderref.database.records import (
    SECTIONS,
    SOURCE_LANGUAGE,
    AnswerRecord,
    CardWithEffects,
    Clarification,
    Conflict,
    GlossaryFile,
    Rule,
    TermRecord,
)
from thunderref.errors import InputError


def read_language(lang: str, package: Package) -> GlossaryFile:
    """The language of a user's own with this code; raises :class:`InputError` for the first mistake in its files."""
    if package.query("SELECT 1 FROM languages WHERE lang = ?", lang):
        raise InputError("language-code", why="there", code=lang)
    texts = {path: files.read_text(path) for path in paths.language_files(paths.own_glossary())[lang]}
    main, *further = [_part(path, lang, texts[path]) for path in texts]
    for glossary in further:
        for section in SECTIONS:
            getattr(main, section).update(getattr(glossary, section))
    for fault in language_problems(lang, main, GlossaryFile(lang=SOURCE_LANGUAGE, messages=_english(package))):
        name = Path(str(fault.params["file"])).name
        path = next((path for path in texts if path.name == name), next(iter(texts)))
        raise _told(fault, path, texts[path])
    return _known(main, package)


def _part(path: Path, lang: str, text: str) -> GlossaryFile:
    glossary, faults = fitted(path, files.parse_toml(text, path), GlossaryFile)
    if glossary is not None and glossary.lang != lang:
        faults = [bad_file(path, "lang", f"is not “{lang}”, as the file is called", "choice", known=lang)]
    if glossary is None or faults:
        raise _told(faults[0], path, text)
    return glossary


def _told(fault: InputError, path: Path, text: str) -> InputError:
    """The fault in a file of a user, with its line, in whichever language it is asked for."""
    key = str(fault.params["key"])
    return InputError("bad-box", file=str(path), line=line_of(text, key), key=key, **fault.params["mistake"])


def _known(glossary: GlossaryFile, package: Package) -> GlossaryFile:
    """The language without entries of what is not here, and names whose forms do not fit its cases."""
    for section in ("cards", "families", "terms", "sets"):
        names = getattr(glossary, section)
        _keep(names, {ident for (ident,) in package.query(f"SELECT id FROM {section}")})
        _keep(names, {key for key, name in names.items() if len(name.forms) in (0, len(glossary.cases))})
    _keep(glossary.texts, {key for (key,) in package.query("SELECT key FROM texts WHERE lang = ?", SOURCE_LANGUAGE)})
    _keep(glossary.messages, _english(package).keys())
    subjects = {key for (key,) in package.query("SELECT key FROM subjects")}
    _keep(glossary.ask, {key for key in glossary.ask if key.removesuffix(paths.TOLD) in subjects})
    return glossary


def _keep(section: dict[str, Any], keys: Collection[str]) -> None:
    for key in section.keys() - keys:
        del section[key]


def _english(package: Package) -> dict[str, Any]:
    return dict(package.query("SELECT key, text FROM messages WHERE lang = ?", SOURCE_LANGUAGE))


def sources_of(package: Package, glossaries: Mapping[str, GlossaryFile]) -> Sources:
    """What the texts and names of further languages belong to, as far as their rows in the database tell of it."""

    def pairs(sql: str) -> dict[str, tuple[str, ...]]:
        rows = groupby(package.query(f"{sql} ORDER BY 1, rowid"), lambda row: row[0])
        return {owner: tuple(row[1] for row in inside) for owner, inside in rows}

    cited = pairs("SELECT term, rule FROM term_rules")
    ruled = pairs("SELECT clarification, card FROM clarification_cards")
    subjects = "SELECT conflict, subject FROM conflict_subjects WHERE kind ="
    cards, rules, terms = (pairs(f"{subjects} '{kind}'") for kind in ("card", "rule", "term"))
    rows = package.query("SELECT id, game FROM rules ORDER BY position")
    return Sources(
        boxes=[], setups={}, references=[], puzzles=[], glossaries=dict(glossaries), cards=[*_cards(package)],
        rules=[Rule(id=rule, game=game) for rule, game in rows],
        terms=[
            TermRecord(id=term, group=group, game=game, rules=cited.get(term, ()))
            for term, group, game in package.query("SELECT id, grp, game FROM terms ORDER BY position")
        ],
        clarifications=[
            Clarification(id=ruling, cards=ruled.get(ruling, ()))
            for (ruling,) in package.query("SELECT id FROM clarifications ORDER BY position")
        ],
        conflicts=[
            Conflict(
                id=name, sources=(), cards=cards.get(name, ()), rules=rules.get(name, ()), terms=terms.get(name, ())
            )
            for (name,) in package.query("SELECT id FROM conflicts ORDER BY position")
        ],
        answers=[
            AnswerRecord(id=answer, about=subject, game=game)
            for answer, subject, game in package.query("SELECT id, about, game FROM answers ORDER BY position")
        ],
    )  # fmt: skip


def _cards(package: Package) -> Iterator[CardWithEffects]:
    types, effects = dict[str, list[str]](), dict[str, list[Effect]]()
    for card, word in package.query("SELECT card, type FROM types ORDER BY card, position"):
        types.setdefault(card, []).append(word)
    for card, record in package.query("SELECT card, record FROM effects ORDER BY card, position"):
        effects.setdefault(card, []).append(read_effect(record))
    columns = ("id", "kind", "count", "family", "reprint_of")
    for values in package.query(f"SELECT {', '.join(columns)} FROM cards ORDER BY position"):
        fields: dict[str, Any] = dict(zip(columns, values, strict=True))
        fields |= {"types": tuple(types.get(values[0], ())), "effects": tuple(effects.get(values[0], ()))}
        yield CardWithEffects(**fields)
