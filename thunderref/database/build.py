"""Builds the SQLite database from the files."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import chain, product
from pathlib import Path
from typing import Any

import msgspec

from thunderref.database import paths
from thunderref.database.card_records import Card
from thunderref.database.known_questions import known_tables, tables_of_language
from thunderref.database.load import Sources, check_sources, load_sources
from thunderref.database.own_sources import Package, sources_of
from thunderref.database.records import (
    SOURCE_LANGUAGE,
    BoxRecord,
    GlossaryFile,
    Name,
    Translation,
    digest,
    name_of,
    text_of,
)
from thunderref.database.schema import (
    SEARCHED,
    Row,
    cards_view,
    create_tables,
    create_views,
    index_for_people,
    insert,
    metadata,
    view_of,
)
from thunderref.files import write_text
from thunderref.text.folding import fold, fold_query, join_words, relax, sort_words, weighty, word_values
from thunderref.text.stems import learn, name_stems, small_words, stem_of, tokens

Table = tuple[str, Iterable[Row]]
PASSAGES = {"card": "effect", "clarify": "clarify", "rule": "rule", "term": "term"}
"""Beginning of a text key -> kind of passage."""
NUMBERED = {
    "sets": ("position",), "families": ("position",), "cards": ("position",), "setup_records": ("position",),
    "aliases": ("id",), "languages": ("position",),
}  # fmt: skip
"""Table -> its columns that number the rows, so that those of a user's box come behind."""
_SHARED = ("messages", "phrases", "everyday")
"""Tables that keep what is there: two boxes may name the same type of cards."""


def build(root: Path, target: Path) -> None:
    """Validates the files below ``root`` and writes the database to ``target``, all or nothing, its metadata beside it.

    Raises :class:`InputError` naming file, key and remedy; an existing ``target`` then stays.
    """
    from sqlite_utils import Database

    sources = load_sources(root)
    check_sources(sources)
    for lang, grammar in _grammars(sources).items():
        learn(lang, grammar)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{os.getpid()}.new")
    partial.unlink(missing_ok=True)
    try:
        db = Database(partial)
        with closing(db.conn):  # whatever happens: Windows removes no file that is open
            db.execute("PRAGMA synchronous = OFF")
            create_tables(db)
            for table, rows in _tables(sources, paths.signature(root), contents(root)):
                db.table(table).insert_all(rows, ignore=table == "everyday")
            with db.conn:
                for game in paths.GAMES:
                    columns = f"{paths.passage_index(game)} (rowid, tokens, names)"
                    db.execute(f"INSERT INTO {columns} SELECT id, tokens, names FROM passages WHERE game = ?", [game])
            create_views(db, sources.glossaries)
            db.vacuum()
        write_text(paths.metadata_path(target), _encoded(metadata(sources.glossaries, target.stem)), replace=True)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


class Merger:
    """A copy of the package's database to which languages and boxes of users are added; boxes are read with it."""

    def __init__(self, package: Package, db: sqlite3.Connection) -> None:
        self.path, self.more, self.meta, self._package, self._db = package.path, package.more, package.meta, package, db

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    def add_language(self, glossary: GlossaryFile) -> None:
        """Adds the rows of a language, and the view of its cards."""
        lang, package = glossary.lang, self._package
        english = GlossaryFile(lang=SOURCE_LANGUAGE, texts=dict(package.query(
            "SELECT key, text FROM texts WHERE lang = ?", SOURCE_LANGUAGE
        )))  # fmt: skip
        sources = sources_of(package, {SOURCE_LANGUAGE: english, lang: glossary})
        learn(lang, glossary.grammar.model_dump())
        numbers = dict(package.query("SELECT key, number FROM subjects"))
        tables = [
            *_word_tables(sources), ("names", _name_rows(sources)), *_alias_tables(sources),
            ("passages", _passage_rows(sources)), *tables_of_language(sources, lang, numbers),
        ]  # fmt: skip
        self._add((table, [row for row in rows if row.get("lang", lang) == lang]) for table, rows in tables)
        self._db.execute(f"CREATE VIEW [{view_of(lang)}] AS {cards_view(lang)}")
        self._index_anew(-1)

    def add_box(self, sources: Sources, digest: str) -> None:
        """Adds the rows of a box with its digest."""
        ((cards,),) = self.query("SELECT max(position) FROM cards")
        self._add([
            *_box_tables(sources.boxes, digest), *_card_tables(sources), ("texts", _text_rows(sources)),
            ("names", _name_rows(sources)), *_alias_tables(sources), ("passages", _passage_rows(sources)),
            ("setup_records", _setup_rows({"box": sources.boxes})), ("messages", _message_rows(sources)),
            ("phrases", _box_phrases(sources, self._db)),
        ])  # fmt: skip
        self._index_anew(cards)

    def note(self, meta: Mapping[str, str]) -> None:
        insert(self._db, "meta", [{"key": key, "value": value} for key, value in meta.items()], "REPLACE")

    def _add(self, tables: Iterable[Table]) -> None:
        ((passages,),) = self.query("SELECT max(id) FROM passages")
        for table, rows in tables:
            last = {key: self.query(f"SELECT max({key}) FROM {table}")[0][0] for key in NUMBERED.get(table, ())}
            offset = {key: (number or 0) + 1 for key, number in last.items()}
            moved = [row | {key: row[key] + n for key, n in offset.items()} for row in rows]
            insert(self._db, table, moved, "INSERT OR IGNORE" if table in _SHARED else "INSERT")
        of_game = "SELECT id, tokens, names FROM passages WHERE id > ? AND game = ?"
        for game in paths.GAMES:
            self.query(f"INSERT INTO {paths.passage_index(game)} (rowid, tokens, names) {of_game}", passages, game)

    def _index_anew(self, after: int) -> None:
        """Fills the full-text tables for people behind a position of cards, or (-1) whole; no phone has them."""
        for index in SEARCHED if after < 0 else ("card_index",):
            if self.query("SELECT 1 FROM sqlite_schema WHERE name = ?", index):
                if after < 0:
                    self.query(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
                index_for_people(self._db, index, after)


@contextmanager
def merging(package: Package, target: Path) -> Iterator[Merger]:
    """Writes the package's database with what is added meanwhile to ``target``, all or nothing."""
    partial = target.with_name(f"{target.name}.{os.getpid()}.new")
    shutil.copyfile(package.path, partial)
    try:
        with closing(sqlite3.connect(partial)) as db:
            db.execute("PRAGMA synchronous = OFF")
            if package.more:
                shutil.copyfile(package.more, paths.more_path(target))
                db.execute("ATTACH ? AS more", (str(paths.more_path(target)),))
            yield Merger(package, db)
            db.commit()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _box_phrases(sources: Sources, db: sqlite3.Connection) -> Iterator[Row]:
    """Yield what a box is called in lists: its id and its names, alone or with a word for an expansion."""
    names = [name for glossary in sources.glossaries.values() for name in glossary.sets.values()]
    spellings = {box.id for box in sources.boxes} | {form for name in names for form in (*name.spellings, *name.forms)}
    types = {fold_query(text) for (text,) in db.execute("SELECT text FROM messages WHERE key GLOB 'card.type.*'")}
    for lang, words in db.execute("SELECT lang, text FROM messages WHERE key = 'list.words.expansion'"):
        for name, word in product(
            sorted({*map(fold_query, spellings)} - types), ("", *map(str.strip, words.split(";")))
        ):
            for phrase in {fold_query(f"{name} {word}"), fold_query(f"{word} {name}")}:
                yield {"lang": lang, "phrase": phrase, "topic": "condition", "value": f"set:{sources.boxes[0].id}"}


def contents(root: Path) -> str:
    """Twelve hexadecimal digits that are the same wherever a database is built from the same files."""
    hasher = hashlib.sha256()
    for path in (*paths.source_files(root), root / paths.PUZZLES):
        if path.is_file():
            hasher.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return hasher.hexdigest()[:12]


def _tables(sources: Sources, sign: str, made_of: str) -> Iterator[Table]:
    meta = {"schema": str(paths.SCHEMA_VERSION), "signature": sign, "contents": made_of}
    yield "meta", [{"key": key, "value": value} for key, value in meta.items()]
    yield from _box_tables(sources.boxes)
    yield from _card_tables(sources)
    yield from _reference_tables(sources)
    yield from _word_tables(sources)
    yield "names", _name_rows(sources)
    yield from _alias_tables(sources)
    yield "passages", _passage_rows(sources)
    yield from known_tables(sources)
    yield "setup_records", _setup_rows({"box": sources.boxes} | sources.setups)
    yield "reference", [{"position": i, "record": _encoded(record)} for i, record in enumerate(sources.references)]
    yield "puzzles", _rows(sources.puzzles, "id", "rules", "scenario", "solution")


def _grammars(sources: Sources) -> dict[str, Row]:
    return {lang: glossary.grammar.model_dump() for lang, glossary in sources.glossaries.items()}


def _setup_rows(setups: Mapping[str, Iterable[Any]]) -> list[Row]:
    return [
        {"kind": kind.replace("_", "-"), "id": name_of(record), "position": i, "record": _encoded(record)}
        for kind, records in setups.items() for i, record in enumerate(records)
    ]  # fmt: skip


def _box_tables(boxes: Iterable[BoxRecord], digest: str = "") -> Iterator[Table]:
    yield "sets", [row | {"digest": digest} for row in _rows(boxes, "id", "boxed", "basic")]
    yield "families", _rows([family for box in boxes for family in box.family], "id", "set_id", "kind")


def _encoded(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _rows(records: Iterable[Any], *fields: str, **others: str) -> list[Row]:
    columns = dict(zip(fields, fields, strict=True)) | others
    return [
        {"position": i} | {column: getattr(record, field) for column, field in columns.items()}
        for i, record in enumerate(records)
    ]


def _places(sources: Iterable[str]) -> list[dict[str, str]]:
    """Places in the books, as the database has them."""
    return [dict(zip(("book", "section"), place.split(": ", 1), strict=True)) for place in sources]


def _card_tables(sources: Sources) -> Iterator[Table]:
    cards = sources.cards
    rows = _rows(cards, *(field for field in Card.__struct_fields__ if field != "types"))
    yield "cards", [row | {"sources": _places(card.sources)} for row, card in zip(rows, cards, strict=True)]
    yield "types", [{"card": c.id, "position": i, "type": kind} for c in cards for i, kind in enumerate(c.types)]
    yield "effects", [
        {
            "card": card.id, "position": i, "id": effect.id, "timing": effect.timing, "mandatory": effect.is_mandatory,
            "record": _encoded(effect), "text_key": card.text_key(effect.id),
        }
        for card in cards for i, effect in enumerate(card.effects)
    ]  # fmt: skip
    pairs = dict.fromkeys((card.id, rule) for card in cards for effect in card.effects for rule in effect.rules)
    yield "card_rules", [{"card": card, "rule": rule} for card, rule in pairs]


def _reference_tables(sources: Sources) -> Iterator[Table]:
    rules, rulings = _rows(sources.rules, "id", "game", "status", "see"), _rows(sources.clarifications, "id", "rules")
    printed, argued = sources.places, sources.argued
    english = sources.glossaries[SOURCE_LANGUAGE].texts
    for row in (*rules, *rulings):
        row["sources"] = _places(printed[row["id"]])
        row["reading"] = row["id"] in argued or row.get("status") == "reading" or f"open.clarify.{row['id']}" in english
    yield "rules", rules
    switches = [(rule.id, "", "", switch) for rule in sources.rules for switch in rule.switches]
    switches += [("R0.1", c.cards[0], c.id, c.printing) for c in sources.conflicts if c.printing is not None]
    choices = _rows([switch for *_, switch in switches], "name", "default", "other")
    for row, (rule, card, conflict, switch) in zip(choices, switches, strict=True):
        row |= {"rule": rule, "card": card, "conflict": conflict, "record": _encoded(switch)}
    yield "switches", choices
    yield "terms", _rows(sources.terms, "id", "game", grp="group")
    yield "term_rules", [{"term": t.id, "rule": r} for t in sources.terms for r in t.rules]
    yield "clarifications", rulings
    pairs = [(ruling.id, card) for ruling in sources.clarifications for card in ruling.cards]
    yield "clarification_cards", [{"clarification": ruling, "card": card} for ruling, card in pairs]
    yield "answers", _rows(sources.answers, "id", "game", "verdict", "about", "rules", "rulings", "cards", "example")
    yield "conflicts", _rows(sources.conflicts, "id", "sources")
    yield "conflict_subjects", [
        {"conflict": c.id, "kind": kind, "subject": subject} for c in sources.conflicts
        for kind, ids in (("card", c.cards), ("rule", c.rules), ("term", c.terms)) for subject in ids
    ]  # fmt: skip


def _message_rows(sources: Sources) -> list[Row]:
    entries = ((lang, *entry) for lang, glossary in sources.glossaries.items() for entry in glossary.messages.items())
    return [{"key": key, "lang": lang, "text": text_of(text)} for lang, key, text in entries]


def _word_tables(sources: Sources) -> Iterator[Table]:
    rows, grammars = _rows(sources.glossaries.values(), "lang", "language", "plural"), _grammars(sources)
    yield "languages", [row | {"grammar": _encoded(grammars[row["lang"]])} for row in rows]
    messages, phrases = _message_rows(sources), dict[tuple[str, str], Row]()
    for lang, glossary in sources.glossaries.items():
        for key, said in glossary.phrases.items():
            topic, _, value = key.partition(".")
            for phrase in map(fold_query, said):
                phrases.setdefault((lang, phrase), {"lang": lang, "phrase": phrase, "topic": topic, "value": value})
    yield "texts", _text_rows(sources)
    yield "messages", messages
    yield "phrases", phrases.values()
    same = [(row["lang"], row["text"]) for row in messages if row["key"] == "ask.words.same"]
    same_stems = {(lang, stem_of(word, lang)): said for lang, text in same for word, said in word_values([text])}
    yield (
        "same_words",
        [{"lang": lang, "stem": stem, "said": fold_query(said)} for (lang, stem), said in same_stems.items()],
    )


def _text_rows(sources: Sources) -> Iterator[Row]:
    english, games = sources.glossaries[SOURCE_LANGUAGE], sources.text_games
    for lang, glossary in sources.glossaries.items():
        for key, entry in glossary.texts.items():
            of = entry.of if isinstance(entry, Translation) else ""
            stale = of not in ("", digest(text_of(english.texts.get(key, ""))))
            game = games.get(key, paths.FIRST_GAME)
            yield {"key": key, "lang": lang, "game": game, "text": text_of(entry), "stale": stale}


def _name_rows(sources: Sources) -> Iterator[Row]:
    games = {("term", term.id): term.game for term in sources.terms}
    small = {lang: small_words(lang) for lang in ("", *sources.glossaries)}
    for kind, subject, lang, position, name, official, cases in _spellings(sources):
        form = fold(name)
        stems = ["|".join(sorted(name_stems(word, lang))) for word in form.split()]
        pairs = zip(tokens(form, lang), stems, strict=True)
        parts = [f"{token}|{stem}" for token, stem in pairs if token not in small[lang]]
        yield {
            "kind": kind, "subject": subject, "lang": lang, "position": position, "name": name, "official": official,
            "form": form, "words": sort_words(form), "joined": join_words(form), "stems": " ".join(stems),
            "parts": " ".join(parts), "cases": cases, "game": games.get((kind, subject), paths.FIRST_GAME),
        }  # fmt: skip


def _spellings(sources: Sources) -> Iterator[tuple[str, str, str, int, str, bool, str]]:
    """Kind, subject, language, position, spelling, official, forms; an id is a spelling without a language."""
    for lang, words in sources.glossaries.items():
        sections = {"card": words.cards, "family": words.families, "term": words.terms, "set": words.sets}
        sections["pile"] = words.piles
        for kind, subject, name in ((kind, *entry) for kind, section in sections.items() for entry in section.items()):
            forms = dict(zip(words.cases, name.forms, strict=True)) if name.forms else {}
            cases = _encoded(forms | {"gender": name.gender}) if forms else ""
            for i, spelling in enumerate(name.spellings):
                yield kind, subject, lang, i, spelling, name.official, "" if i else cases
    for kind, records in (("card", sources.cards), ("family", sources.families), ("term", sources.terms)):
        yield from ((kind, record.id, "", 0, record.id, True, "") for record in records)


def _alias_tables(sources: Sources) -> Iterator[Table]:
    aliases, words = list[Row](), dict[tuple[str, str, str, int, int], None]()
    for lang, glossary in sources.glossaries.items():
        for card in (card for card in sources.cards if card.reprint_of is None):
            names = [*filter(None, (glossary.cards.get(card.id), glossary.families.get(card.family or "")))]
            spelt = [(name, 0) for entry in names for name in entry.spellings]
            for name, number in spelt + [(alias, 1) for entry in names for alias in entry.alias]:
                form = fold(name)
                if number:
                    number = len(aliases) + 1
                    row = {"id": number, "card": card.id, "lang": lang, "form": form, "joined": join_words(form)}
                    aliases.append(row)
                parts = weighty(form.split())
                for stem in (stem for word in parts for stem in name_stems(word, lang)):
                    words[relax(stem), card.id, lang, number, len(parts) if number else 0] = None
    yield "aliases", aliases
    yield "card_words", [dict(zip(("stem", "card", "lang", "alias", "size"), key, strict=True)) for key in words]


def _passage_rows(sources: Sources) -> Iterator[Row]:
    """Yield the rows of the table ``passages``: ``tokens`` of a text, ``names`` of all its subjects."""
    games = sources.text_games
    for lang, glossary in sources.glossaries.items():
        names = _subject_names(sources, glossary)
        for key, entry in glossary.texts.items():
            first, _, ident = key.partition(".")
            if first in PASSAGES:
                subject = ident.rpartition(".")[0] if first == "card" else ident
                name = {"term": glossary.terms, "card": glossary.cards}.get(first, {}).get(subject)
                text = f"{name.name} {text_of(entry)}" if name else text_of(entry)
                about = " ".join(tokens(" ".join(names.get(key, ())), lang))
                yield {
                    "key": key, "game": games.get(key, paths.FIRST_GAME), "kind": PASSAGES[first], "subject": subject,
                    "lang": lang, "tokens": " ".join(tokens(text, lang)), "names": about,
                }  # fmt: skip


def _subject_names(sources: Sources, glossary: GlossaryFile) -> dict[str, list[str]]:
    cards: dict[str, list[str]] = {}
    words_of: dict[str, list[str]] = {}

    def all_of(names: Mapping[str, Name], subject: str | None) -> list[str]:
        name = names.get(subject or "")
        return name.spellings if name else []

    for card in sources.cards:
        cards[card.id] = all_of(glossary.cards, card.id) + all_of(glossary.families, card.family)
        words = [f"card.type.{kind}" for kind in card.types]
        for effect in card.effects:
            texts = [text_of(glossary.messages.get(key, "")) for key in (*words, f"card.timing.{effect.timing}")]
            words_of[f"card.{card.id}.{effect.id}"] = cards[card.id] + texts
    for c in sources.clarifications:
        words_of[f"clarify.{c.id}"] = list(dict.fromkeys(chain.from_iterable(cards[card] for card in c.cards)))
    for term in sources.terms:
        names = words_of[f"term.{term.id}"] = all_of(glossary.terms, term.id)
        for rule in term.rules if term.group not in ("title", "heading", "place") else ():
            words_of.setdefault(f"rule.{rule}", []).extend(names)
    for conflict in sources.conflicts:
        about = [cards[card] for card in conflict.cards] + [all_of(glossary.terms, t) for t in conflict.terms]
        words_of[f"conflict.{conflict.id}"] = list(dict.fromkeys(chain.from_iterable(about)))
    return words_of
