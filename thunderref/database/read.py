"""Reads the built database with the standard library's sqlite3, read-only, and the words of a language from it."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from functools import cached_property, partialmethod
from itertools import pairwise
from pathlib import Path
from threading import local
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from thunderref.database import paths
from thunderref.errors import InputError, ThunderrefError
from thunderref.files import data_file
from thunderref.text.folding import is_cyrillic, word_values
from thunderref.text.messages import DeclinedName, MessageFormatter, brief
from thunderref.text.stems import learn

if TYPE_CHECKING:  # loaded when the first card is read
    from thunderref.database.card_records import Card
    from thunderref.database.operations import Effect
    from thunderref.database.own_boxes import Broken

FALLBACK = "en"
"""The language that fills in what another lacks, and that is the default."""
_OUR_LISTS = frozenset(("allowed", "cards", "known", "options", "query", "wishes"))
"""Parameters of errors that list choices, and so may be long."""
_PLACE = ("file", "line", "key")
"""Parameters of an error in a file of a user's box that say where it is."""
T = TypeVar("T")
R = TypeVar("R", "SwitchRow", "SearchRow")


class NameRow(NamedTuple):
    """A shown name; ``official`` is False for a name of our own; ``cases`` are its other forms, and its gender."""

    name: str
    official: bool
    cases: Mapping[str, str] = {}


class SwitchRow(NamedTuple):
    """An open question: its name, its rule, the value taken and the other one.

    Of a ``card`` that editions print differently, also the ``conflict`` and the :class:`.records.Printing` as JSON.
    """

    name: str
    rule: str
    default: str
    other: str
    card: str
    conflict: str
    record: str


class PuzzleRow(NamedTuple):
    """A puzzle: its rules, its scenario, and the steps of the right plan."""

    id: str
    rules: list[str]
    scenario: dict[str, Any]
    solution: list[dict[str, Any]]


class SearchRow(NamedTuple):
    """A name as look-ups compare it; see the table ``names`` in :mod:`schema`."""

    form: str
    words: str
    joined: str
    stems: str
    kind: str
    subject: str
    lang: str
    name: str
    position: int


class Database:
    """The card database, opened read-only.

    Raises :class:`InputError` if there is none (``no-database``) or it is of another version (``other-database``).
    """

    tonight: frozenset[str] = frozenset()
    """The cards on the table: an ambiguous name means one of these; empty if nothing is known of a table."""

    more: Path | None = None
    """The file whose tables were added, if one was."""

    broken: tuple[Broken, ...] = ()
    """The boxes of the user's that are switched on, and the languages, that are skipped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._derived: dict[tuple[Hashable, ...], Any] = {}
        if not path.is_file():
            raise InputError("no-database", path=str(path))
        self.meta: dict[str, str] = {}
        with suppress(sqlite3.Error):
            self._db = sqlite3.connect(paths.read_only_uri(path.absolute()), uri=True)
            self.meta = dict(self.query("SELECT key, value FROM meta"))
        if self.meta.get("schema") != str(paths.SCHEMA_VERSION):
            raise InputError("other-database", path=str(path))
        for lang, grammar in self.query("SELECT lang, grammar FROM languages"):
            learn(lang, json.loads(grammar))

    def at_table(self, cards: Iterable[str]) -> Database:
        """The same database for a table with these cards; what it derives, it keeps for itself."""
        return self.derived(_at_table, frozenset(cards))

    def attach(self, path: Path) -> None:
        """Adds the tables of another file, which this one lacks, and the texts there to its own."""
        self._db.execute("ATTACH ? AS more", (paths.read_only_uri(path.absolute()),))
        both = "SELECT * FROM main.texts UNION ALL SELECT * FROM more.texts"
        self._db.execute(f"CREATE TEMP VIEW texts AS {both}")
        self.more = path

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a SELECT; raises :class:`InputError` (``other-database``) if the file is damaged."""
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            raise InputError("other-database", path=str(self.path)) from None

    def _rows(self, row: type[R], source: str, *values: Any) -> list[R]:
        columns = "], [".join(row._fields)
        return [row._make(record) for record in self.query(f"SELECT [{columns}] FROM {source}", *values)]

    def derived(self, make: Callable[..., T], *args: Hashable) -> T:
        """The result of ``make(database, *args)``: made once and kept with this database."""
        if (make, *args) not in self._derived:
            self._derived[make, *args] = make(self, *args)
        value: T = self._derived[make, *args]
        return value

    # cards

    def card_values(self, card_id: str) -> dict[str, Any]:
        """The fields of the card with this id, for look-ups that load no records."""
        return self._cards("cards WHERE id = ?", card_id)[0]

    @cached_property
    def cards(self) -> dict[str, Card]:
        """All cards by id, in the order of the files."""
        from thunderref.database.card_records import Card

        return {values["id"]: Card(**values) for values in self._cards("cards ORDER BY position")}

    def _cards(self, source: str, *values: Any) -> list[dict[str, Any]]:
        types = "(SELECT json_group_array(type) FROM (SELECT type FROM types WHERE card = cards.id ORDER BY position))"
        fields = (
            "id",
            "set_id",
            "kind",
            "family",
            "level",
            "count",
            *paths.FIGURES,
            "reprint_of",
            "attested",
            "judged",
        )
        rows = self.query(f"SELECT {types}, {', '.join(fields)} FROM {source}", *values)
        return [
            dict(zip(fields, row[1:], strict=True)) | {"types": tuple(json.loads(row[0])), "judged": bool(row[-1])}
            for row in rows
        ]

    @cached_property
    def unjudged(self) -> frozenset[str]:
        """The cards of which no file says what they do."""
        return frozenset(name for name, card in self.cards.items() if not card.judged)

    @cached_property
    def reprints(self) -> dict[str, str]:
        """Card of a second box -> the same card in the first."""
        return dict(self.query("SELECT id, reprint_of FROM cards WHERE reprint_of IS NOT NULL"))

    @cached_property
    def all_effects(self) -> dict[str, tuple[Effect, ...]]:
        """The abilities of every card by its id, in printed order; cards without any are absent."""
        from thunderref.database.operations import read_effect

        effects: dict[str, tuple[Effect, ...]] = {}
        for card, record in self.query("SELECT card, record FROM effects ORDER BY card, position"):
            effects[card] = (*effects.get(card, ()), read_effect(record))
        return effects

    def names(self, kind: str, subject: str) -> dict[str, NameRow]:
        """The shown name of a ``card``, ``family``, ``term`` or ``set`` by language."""
        sql = "SELECT lang, name, official FROM names WHERE kind = ? AND subject = ? AND lang != '' AND position = 0"
        rows = self.query(sql, kind, subject)
        return {lang: NameRow(name, bool(official)) for lang, name, official in rows}

    def names_of(self, kind: str, lang: str) -> dict[str, NameRow]:
        """The shown names of all subjects of a kind in a language, by id; read once."""
        return self.derived(_names_of, kind, lang)

    def search_exact(self, form: str, words: str, joined: str, game: paths.Game = paths.FIRST_GAME) -> list[SearchRow]:
        """The names of a game that equal a folded query, except for the order of words and for blanks."""
        source = "names WHERE (form = ? OR words = ? OR joined = ?) AND game = ?"
        return self._rows(SearchRow, source, form, words, joined, game)

    def is_name(self, form: str) -> bool:
        """True if a folded text is a name of a card, or what players call one."""
        sql = "SELECT 1 FROM names WHERE kind = 'card' AND form = ? UNION SELECT 1 FROM aliases WHERE form = ?"
        return bool(self.query(sql, form, form))

    def search_rows(self, kinds: tuple[str, ...], game: paths.Game = paths.FIRST_GAME) -> list[SearchRow]:
        source = f"names NOT INDEXED WHERE kind IN ({', '.join('?' * len(kinds))}) AND game = ? ORDER BY rowid"
        return self._rows(SearchRow, source, *kinds, game)

    # rules

    @cached_property
    def choices(self) -> dict[str, SwitchRow]:
        """All that can be answered one way or the other, by its name: open questions by rule, printings of cards."""
        return {switch.name: switch for switch in self._rows(SwitchRow, "switches ORDER BY position")}

    @cached_property
    def switches(self) -> dict[str, SwitchRow]:
        """The open questions of the rules."""
        return {name: switch for name, switch in self.choices.items() if not switch.card}

    @cached_property
    def printings(self) -> dict[str, SwitchRow]:
        """The cards that can be played as another edition prints them."""
        return {name: switch for name, switch in self.choices.items() if switch.card}

    def entries(self, card: str) -> list[dict[str, str]]:
        """The entries of its own that a card has in the books: book and section."""
        sources: list[dict[str, str]] = json.loads(self.query("SELECT sources FROM cards WHERE id = ?", card)[0][0])
        return sources

    def printed(self, table: str, ident: str) -> dict[str, Any]:
        """What one of ``rules`` or ``clarifications`` rests on: ``sources``, and whether it is a ``reading``."""
        sources, reading = self.query(f"SELECT sources, reading FROM {table} WHERE id = ?", ident)[0]
        return {"sources": json.loads(sources), "reading": bool(reading)}

    @cached_property
    def puzzles(self) -> list[PuzzleRow]:
        """All puzzles; the first is number 1."""
        rows = self.query("SELECT id, rules, scenario, solution FROM puzzles ORDER BY position")
        return [PuzzleRow(row[0], *map(json.loads, row[1:])) for row in rows]

    # words

    @cached_property
    def languages(self) -> dict[str, str]:
        """Language code -> name of its plural rule."""
        return dict(self.query("SELECT lang, plural FROM languages ORDER BY position"))

    @cached_property
    def cyrillic(self) -> frozenset[str]:
        """The languages whose card names are written in Cyrillic letters."""
        names = self.query("SELECT lang, name FROM names WHERE kind = 'card'")
        return frozenset(lang for lang, name in names if lang and is_cyrillic(name.lower()))

    def texts(self, key: str) -> dict[str, str]:
        return dict(self.query("SELECT lang, text FROM texts WHERE key = ?", key))

    def messages(self, lang: str) -> dict[str, str]:
        """All messages of a language by key; read once, for runs that resolve many battles."""
        return self.derived(_messages, lang)

    def message(self, key: str) -> dict[str, str]:
        """A message by language, read alone."""
        return dict(self.query("SELECT lang, text FROM messages WHERE key = ?", key))

    def words(self, key: str, lang: str | None = None) -> dict[str, str]:
        """The folded words of a message, in a language or in all, and what each stands for; read once."""
        return self.derived(_words, key, lang)


def _words(database: Database, key: str, lang: str | None) -> dict[str, str]:
    rows = database.query("SELECT text FROM messages WHERE key = ? AND lang = ifnull(?, lang)", key, lang)
    return dict(word_values(text for (text,) in rows))


def _at_table(database: Database, cards: frozenset[str]) -> Database:
    changed = copy(database)
    changed.tonight, changed._derived = cards, {}
    return changed


def _names_of(database: Database, kind: str, lang: str) -> dict[str, NameRow]:
    sql = "SELECT subject, name, official, cases FROM names WHERE kind = ? AND lang = ? AND position = 0 ORDER BY rowid"
    return {
        subject: NameRow(name, bool(official), json.loads(cases) if cases else {})
        for subject, name, official, cases in database.query(sql, kind, lang)
    }


def _messages(database: Database, lang: str) -> dict[str, str]:
    return dict(database.query("SELECT key, text FROM messages WHERE lang = ?", lang))


def _formatter(database: Database, lang: str) -> MessageFormatter:
    return MessageFormatter(database.languages[lang], database.messages(lang).get("name.undeclined", "{name}"))


def _with_formatters(database: Database, lang: str) -> dict[str, tuple[str, MessageFormatter]]:
    """Each message of a language, or else of English, with what fills it in: its words have their own plural forms."""
    return {
        key: (text, formatter)
        for code in dict.fromkeys((FALLBACK, lang))
        for formatter in (database.derived(_formatter, code),)
        for key, text in database.messages(code).items()
    }


class Language:
    """Names, texts and messages in one language, English by default; English fills what it lacks.

    Raises :class:`InputError` (``unknown-language``).
    """

    def __init__(self, database: Database, lang: str | None = None) -> None:
        lang = FALLBACK if lang is None else lang
        if lang not in database.languages:
            raise InputError("unknown-language", lang=lang, candidates=[*database.languages])
        self.database = database
        self.lang = lang

    @cached_property
    def _formatter(self) -> MessageFormatter:
        return self.database.derived(_formatter, self.lang)

    @cached_property
    def _messages(self) -> dict[str, tuple[str, MessageFormatter]]:
        return self.database.derived(_with_formatters, self.lang)

    def _row(self, kind: str, subject: str) -> NameRow:
        names = (self.database.names_of(kind, lang).get(subject) for lang in (self.lang, FALLBACK))
        return next(filter(None, names), NameRow(subject, True))

    def _name(self, kind: str, subject: str) -> str:
        """The name of a subject; its id if there is none."""
        return self._row(kind, subject).name

    def card(self, card: str, copy: int = 1) -> DeclinedName:
        """The name of a card, to be declined by the messages it stands in; that of the second copy says so."""
        row = self._row("card", card)
        name = DeclinedName(row.name, row.cases, row.cases.get("gender", ""))
        if copy < 2:
            return name
        genders = (pair.partition(": ") for pair in self.say("name.ordinals").split(" / "))
        ordinals = next((forms.split("; ") for gender, _, forms in genders if gender == name.gender), [])
        if copy - 2 < len(ordinals):
            return name.after(ordinals[copy - 2].split(", "))
        return DeclinedName(f"{name} ({copy})", {case: f"{form} ({copy})" for case, form in name.forms.items()})

    family = partialmethod(_name, "family")
    term = partialmethod(_name, "term")
    set_name = partialmethod(_name, "set")
    pile = partialmethod(_name, "pile")

    def figures(self, card: str) -> str:
        """Return the figures printed on a card, each with its name: "Cost 9, Light 1"."""
        values = self.database.card_values(card)
        printed = (
            f"{self.say(f'card.figure.{figure}')} {values[figure]}"
            for figure in paths.FIGURES
            if values[figure] is not None
        )
        return ", ".join(printed)

    def listed(self, cards: Iterable[str], joined: str = "and") -> DeclinedName:
        """The names of cards, equal ones counted, with commas and "and" (or "or"); their messages decline them."""
        names = [(self.card(card), n) for card, n in Counter([*cards]).items()]
        several = {name: self._formatter.counted(name, n) for name, n in names if n > 1}
        cases = dict.fromkeys(case for name, _ in names for case in name.forms)
        decline = self._formatter.format_field
        declined = {
            case: self._joined([several.get(name) or decline(name, case) for name, _ in names], joined)
            for case in cases
        }
        return DeclinedName(self._joined([several.get(name, name) for name, _ in names], joined), declined)

    def _joined(self, names: list[str], joined: str) -> str:
        *first, last = names or [""]
        return self.say(f"list.{joined}", first=", ".join(first), last=last) if first else last

    def has(self, key: str) -> bool:
        return key in self._messages

    def say_or(self, word: str, prefix: str) -> str:
        """The message ``prefix + word``; the word itself if there is none."""
        return self.say(prefix + word) if self.has(prefix + word) else word

    def card_type(self, word: str) -> str:
        """The word of a type line; that of a user's box as it is written there, with a capital."""
        return self.say(key) if self.has(key := f"card.type.{word}") else word.capitalize()

    def say(self, key: str, /, **params: Any) -> str:
        """The message ``key`` with ``params`` filled in; KeyError for a key no language has."""
        text, formatter = self._messages[key]
        return formatter.vformat(text, (), params)

    def text(self, key: str) -> str | None:
        """The glossary text ``key``, in English if the language lacks it, None if English does too."""
        texts = self.database.texts(key)
        return texts.get(self.lang) or texts.get(FALLBACK)

    def number(self, value: float, form: str = "g") -> str:
        """The number in a Python format, with the language's own decimal mark."""
        return f"{value:z{form}}".replace(".", self.say("number.point")).replace("-", "\N{MINUS SIGN}")

    def card_is_official(self, card_id: str) -> bool:
        """False if the card's name in this language is our own."""
        return self._row("card", card_id).official

    def printed(self, subject: str, record: Mapping[str, Any]) -> tuple[str, ...]:
        """What a rule or ruling rests on, by its ``sources`` and ``reading``: the printed places by book as one line,
        and for a reading the arguments for it and against it."""
        books: dict[str, list[str]] = {}
        for place in record["sources"]:
            book, section = place["book"], " ".join(place["section"].split())
            if book == "card":
                section = self._printed_card(section)
            elif section[0].islower() or any(one.isalpha() and two.isupper() for one, two in pairwise(section)):
                section = section.capitalize()  # a heading in capitals
            books.setdefault(book, []).append(self.say("source.section", section=section))
        listed = "; ".join(", ".join((self.say(f"source.{book}"), *sections)) for book, sections in books.items())
        reading = self.text(f"open.rule.{subject}") or self.text(f"open.clarify.{subject}")
        lines = [*filter(None, [reading]), *([self.say("source.line", sources=listed)] if listed else [])]
        if record["reading"]:
            texts = ((side, self.text(f"reading.{subject}.{side}")) for side in ("for", "against"))
            lines += [self.say(f"source.{side}", text=text) for side, text in texts if text]
        return tuple(lines)

    def ruling(self, ident: str) -> str:
        """Return the text of a ruling in this language or in English, with a remark where the rules leave it open."""
        text = self.text(f"clarify.{ident}") or ""
        return self.say("card.ruling-open", text=text) if self.text(f"open.clarify.{ident}") else text

    def _printed_card(self, printed: str) -> str:
        """A card by the name it has in print; where cards share one, as those of the Horde do, it is their family's."""
        rows = ((kind, *item) for kind in ("card", "family") for item in self.database.names_of(kind, FALLBACK).items())
        return next((self._name(kind, subject) for kind, subject, row in rows if row.name == printed), printed)

    def error(self, error: ThunderrefError, *, on_page: bool = False) -> str:
        """The one sentence of an error, candidates filled in as ``{candidates}``, card ids as names.

        An error with a ``step`` begins with its number, one with a ``saved_file`` with the name of that file. One that
        rests on an open question ends with the ``reading`` that allows what is refused. ``on_page`` it has no words for
        a terminal, but a remedy of its own (``error.<code>.page``) or none.
        """
        params = {"candidates": ", ".join(error.candidates), **error.params}
        for name, value in error.params.items():
            if isinstance(value, str) and name not in _OUR_LISTS:
                line = " ".join(value.split())  # a problem ends with its remedy, which is not cut off
                params[name] = line if name == "problem" else brief(value, end=name in ("file", "saved_file", "path"))
            if name == "card" or name.endswith("_card"):
                params[name] = self.card(str(value))
            elif name == "box":
                params[name] = self.set_name(str(value))
            elif name == "asked_type":
                kind = f"card.type.{value}"
                params[name] = self.say(kind) if self.has(kind) else self.term(str(value))
        if error.code == "illegal-choice":
            params["candidates"] = ", ".join(map(self._in_words, error.candidates))
            params["value"] = self._in_words(str(params.get("value", "")))
            params["remedy"] = self.say(f"remedy{('', '.one', '.of')[min(2, len(error.candidates))]}", **params)
        if error.params.get("copy", 1) != 1:  # as the second copy is written everywhere else
            params["card"] = self.card(str(error.params["card"]), int(error.params["copy"]))
        key = f"error.{error.code}"
        if "why" in error.params:
            key += f".{error.params['why']}"  # the same mistake with a remedy of its own
        if on_page and "wishes" in params:  # as the form calls them, not as they are typed
            params["wishes"] = re.sub(r"--([a-z-]+)", lambda option: self.say_or(option[1], "wish."), params["wishes"])
        if on_page and self.has(f"{key}.page"):
            key += ".page"
        elif error.candidates and self.has(f"{key}.of"):
            key += ".of"  # the same sentence with the choices
        message = self.say(key, **params)
        if on_page:
            return without_commands(message)
        if {"line", "key"} <= error.params.keys():
            message = self.say("error.in-line", message=message, **{name: params[name] for name in _PLACE})
        if "place" in error.params:
            message = self.say("error.in-place", place=error.params["place"], message=message)
        if "reading" in error.params:
            message = self.say("error.by-reading", reading=error.params["reading"], message=message)
        if "step" in error.params:
            message = self.say("error.in-step", step=error.params["step"], message=message)
        if "saved_file" in error.params:
            message = self.say("error.in-file", file=params["saved_file"], message=message)
        return " ".join(message.splitlines())

    def _in_words(self, text: str) -> str:
        """What a step writes, in words: ``militia#2``, or as JSON a list of cards, or a player's number and a card."""
        try:
            values = json.loads(text) if text.startswith("[") else [text]
        except ValueError:  # somebody's own words, or too long to be shown whole
            return text
        match values:
            case [int(number), str(card)]:
                return f"{self.card(card)} ({self.say('resolve.player', n=number)})"
            case [str(one)]:
                card, _, copy = one.partition("#")
                return self.card(card, int(copy) if copy.isdecimal() else 1) if card in self.database.cards else one
        empty = self.say("resolve.empty-rank")
        return " – ".join(empty if one is None else self._in_words(str(one)) for one in values)


def without_commands(message: str) -> str:
    """The message without the clauses that are for a terminal: its commands and options."""
    clauses = re.split(r"(?<=[.;:!?])\s+", " ".join(message.splitlines()))
    typed = re.compile(r"[“„«](?:thunderref|thorgal )|(?<!\w)--\w")
    kept_clauses = [clause for clause in clauses if not typed.search(clause)] or clauses[:1]
    text = re.sub(r"(?<!\w)--(?=\w)", "", re.sub(r"[;:]$", ".", " ".join(kept_clauses)))
    return text[:1].upper() + text[1:]


class Installation(local):
    """This program's database: opened once a thread, built anew in a checkout when a source file has changed."""

    def __init__(self) -> None:
        self._open: dict[Path, Database] = {}

    def database(self) -> Database:
        """The up-to-date database, with the boxes of the user's that are switched on; raises as :meth:`package`."""
        package = self.package()
        if not os.path.exists(data_file(paths.SWITCHES)) and not os.path.exists(paths.own_glossary()):
            package.broken = ()
            return package
        from thunderref.database.own_boxes import merged_database

        place, broken = merged_database(package)
        database = package if place is None else self._open.get(place) or self._opened(place)
        if place is not None and package.more and not database.more:
            database.attach(paths.more_path(place))
        database.broken = broken
        return database

    def package(self) -> Database:
        """The up-to-date database of the package; raises :class:`InputError` if there is none and none can be built."""
        root = paths.source_root()
        if root is None:
            return self._open.get(paths.SHIPPED) or self._opened(paths.SHIPPED)
        sign = paths.signature(root)
        return self._fresh(paths.SHIPPED, sign) or self._fresh(paths.fallback_path(), sign) or self.rebuild(root)

    def _fresh(self, path: Path, sign: str) -> Database | None:
        """The database there if it is up to date; else it is let go, for Windows replaces no file that is open."""
        database = self._open.pop(path, None)
        with suppress(InputError):
            if database is None or database.meta["signature"] != sign:
                database = Database(path)
            if database.meta["signature"] == sign:
                self._open[path] = database
                return database
        return None

    def _opened(self, path: Path) -> Database:
        self._open[path] = Database(path)
        return self._open[path]

    def rebuild(self, root: Path) -> Database:
        """The database built anew from the files of a checkout; raises as :func:`build` does."""
        from thunderref.database.build import build

        self._open.clear()  # whoever still holds one keeps it
        for path in (paths.SHIPPED, paths.fallback_path()):
            with suppress(OSError):
                build(root, path)
                return self._opened(path)
        raise InputError("no-database", path=str(paths.SHIPPED))


INSTALLATION = Installation()


def open_database() -> Database:
    return INSTALLATION.database()
