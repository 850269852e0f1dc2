"""Boxes and languages of a user's own, read and checked as the package's own files are.

A box is a folder, or one CSV. Ids stand bare in its files and carry the box everywhere else
(``doomgate:deep-miner``). A card that says nothing of what it does, or says it in an operation that is not known here,
is not judged: it is found, drawn and laid out. What a language lacks is said in English; what it says of things that
are not here is passed over (``glossary check``).
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from io import StringIO
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from thunderref.database import load, paths
from thunderref.database.operations import Effect, Operation, Timing, read_effect
from thunderref.database.records import (
    SECTIONS,
    SOURCE_LANGUAGE,
    AnswerRecord,
    BoxRecord,
    CardFile,
    CardWithEffects,
    Clarification,
    Conflict,
    FeatureDeck,
    GlossaryFile,
    Name,
    Rule,
    TermRecord,
)
from thunderref.database.validation import Record, validated
from thunderref.errors import InputError
from thunderref.files import parse_toml, read_text

T = TypeVar("T", bound=Record)
MOST_CARDS = 500
"""Limit for the cards of a box, twice what any printed box has."""
BOX_ID = re.compile(r"[a-z][a-z0-9-]{0,19}")
ENTRY_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
FAMILY_OF = {"guardian": "guardian", "thunderstone": "thunderstone"}
"""Kind of card -> the family of the game to which all cards of the kind belong."""
IN_FAMILIES = frozenset({"hero", "monster", "trap", "treasure"})
"""Kinds of cards that belong to a family of the box."""
_REFERRING = frozenset(("card", "cards", "family", "families", "pile", "needed_by", "reprint_of", "replaces"))
"""Keys whose values, or whose keys, are ids of cards and families."""
_KNOWN_OPERATIONS = frozenset(str(kind.op) for kind in get_args(Operation))
_ENGLISH = f"{SOURCE_LANGUAGE}.toml"
Mistake = tuple[str, str, str, dict[str, Any]]
"""File, key, name of the message and its parameters."""
_NUMBERS = frozenset((*paths.FIGURES, "level", "count"))
_PLAIN = ("kind", "family", "types", "attested", "judged")
_NEEDED = ("name", "kind", "count")
_YES = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
_TIMINGS = {"monster": "battle", "guardian": "battle", "trap": "trap", "disease": "trait", "village": "passive"}
"""Kind of card -> when the ability of its one text is taken to work, for display; for all others in the dungeon."""
_DIGEST_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class Package(Protocol):
    """The package's database, as far as boxes are read and merged with it."""

    path: Path
    more: Path | None
    meta: dict[str, str]

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]: ...


def cases_of(package: Package, lang: str) -> tuple[str, ...]:
    """The forms that names of a language have beside the one shown."""
    rows = package.query("SELECT cases FROM names WHERE lang = ? AND cases != '' LIMIT 1", lang)
    return tuple(case for case in json.loads(rows[0][0]) if case != "gender") if rows else ()


class Words(Record):
    """What a file of a language says: names by id or by word of a type line, texts by ``<card>.<effect id>``."""

    name: str = ""
    cards: dict[str, Name | str] = {}
    families: dict[str, Name | str] = {}
    beside: dict[str, Name | str] = {}
    types: dict[str, str] = {}
    texts: dict[str, str | dict[str, str]] = {}


class OwnBox(NamedTuple):
    """A box as it is read: the mistakes in its files, remarks on cards that are not judged, what it brings if sound.

    ``digest`` changes with what a set-up code rests on: the files of the box but those of its languages.
    """

    id: str
    problems: list[InputError]
    remarks: list[InputError]
    sources: load.Sources | None = None
    digest: str = ""


def box_id_of(place: Path) -> str:
    """The id of the box in a folder or a CSV, by its name; raises :class:`InputError` (``bad-box-id``)."""
    name = place.stem if place.suffix.lower() == ".csv" else place.name
    if not BOX_ID.fullmatch(name):
        raise InputError("bad-box-id", own_box=name[:40])
    return name


def files_of(place: Path) -> list[Path]:
    """The files of a box; raises :class:`InputError` (``no-box``) if no file there has cards."""
    if place.suffix.lower() == ".csv":
        return [place]
    names: list[str] = []
    with suppress(OSError):
        names = [name for name in sorted(os.listdir(place)) if name == "cards.csv" or name.endswith(".toml")]
    if not {"cards.toml", "cards.csv"}.intersection(names):
        raise InputError("no-box", file=str(place))
    return [place / name for name in names]


def digest_of(text: str) -> str:
    """Six signs that change with a text."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    return "".join(_DIGEST_SIGNS[number >> 5 * place & 31] for place in range(6))


def read_own_box(place: Path, package: Package) -> OwnBox:
    """Reads and checks a box; raises :class:`InputError` only where there is none, or its name can be no id."""
    box = box_id_of(place)
    reader, sources = _Reader(box, place, package), None
    if package.query("SELECT 1 FROM sets WHERE id = ? AND digest = ''", box):
        reader.problems.append(InputError("package-box-id", own_box=box))
    else:
        sources = reader.read()
    rests = "".join(text for name, text in sorted(reader.texts.items()) if not reader.is_language(name))
    digest = digest_of(rests.replace("\r\n", "\n"))
    return OwnBox(box, reader.problems, reader.remarks, None if reader.problems else sources, digest)


class BoxTable(NamedTuple):
    """The rows of a CSV as the files of a box; ``lines`` are those of the cards and families by id."""

    path: Path
    files: dict[str, dict[str, Any]]
    lines: Mapping[str, int]

    def joined(self, raw: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """The files of the box with those beside the CSV, which count first."""
        joined = {name: values for name, values in raw.items() if name.endswith(".toml")}
        for name, values in self.files.items():
            mine = joined.get(name, {})
            tables = [key for key in values.keys() & mine.keys() if isinstance(values[key], dict)]
            both = {key: values[key] | mine[key] for key in tables if isinstance(mine[key], dict)}
            joined[name] = values | mine | both
        return joined

    def line_of(self, key: str) -> int:
        """The line of the card or family that a key names, 1 for another key."""
        return next((self.lines[word] for word in re.findall(r"[a-z0-9-]+", key) if word in self.lines), 1)


def slug(name: str) -> str:
    """The id made of a name: small letters and digits, with hyphens between."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("'", "").replace("’", ""))
    return re.sub(r"[^a-z0-9]+", "-", plain.encode("ascii", "ignore").decode()).strip("-")


def read_table(text: str, path: Path, languages: Iterable[str]) -> BoxTable:
    """Reads the CSV of a box; raises :class:`InputError` (``bad-box``) for the first line that cannot be read."""
    sections = {"name": "cards", "text": "texts"}
    places = {column: (SOURCE_LANGUAGE, section) for column, section in sections.items()}
    places |= {f"{column}_{lang}": (lang, section) for column, section in sections.items() for lang in languages}
    known_columns = {*_NUMBERS, *_PLAIN, *places}
    first = text.split("\n", 1)[0]
    rows = csv.reader(StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    cards: list[dict[str, Any]] = []
    families: dict[str, dict[str, str]] = {}
    family_lines: dict[str, int] = {}
    words: dict[str, dict[str, dict[str, str]]] = {SOURCE_LANGUAGE: {"families": {}}}
    lines: dict[str, int] = {}

    def wrong(key: str, why: str, **params: Any) -> InputError:
        return InputError("bad-box", file=str(path), line=max(1, rows.line_num), key=key, why=why, **params)

    try:
        columns = [column.strip().lower() for column in next(rows, [])]
        for column in (*columns, *_NEEDED):
            if column not in known_columns:
                raise wrong(column[:40] or "-", "columns", known=", ".join(sorted(known_columns)))
            if columns.count(column) != 1:
                raise wrong(column, "column-twice" if column in columns else "column-missing")
        for row in rows:
            entry = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if cell.strip()}
            if len(row) > len(columns) and any(map(str.strip, row)):
                raise wrong("-", "cells", n=len(row), most=len(columns))
            if not entry:
                continue
            ident = slug(entry.get("name", ""))
            if not ident:
                raise wrong("name", "english-name")
            if ident in lines:
                raise wrong("name", "card-twice", name=entry["name"], n=lines[ident])
            lines[ident] = rows.line_num
            kind = entry.get("kind", "").lower()
            card: dict[str, Any] = {"id": ident, "types": entry.pop("types", "").lower().split()}
            cards.append(card)
            for column, cell in entry.items():
                if column in places:
                    lang, section = places[column]
                    key = ident if section == "cards" else f"{ident}.{_TIMINGS.get(kind, 'dungeon')}"
                    words.setdefault(lang, {}).setdefault(section, {})[key] = cell
                elif column == "family":
                    family = card["family"] = slug(cell)
                    families.setdefault(family, {"id": family, "kind": kind})
                    family_lines.setdefault(family, rows.line_num)
                    words[SOURCE_LANGUAGE]["families"][family] = cell
                elif column not in _NUMBERS and column != "judged":
                    card[column] = cell.lower()
                elif cell.lower() in _YES if column == "judged" else re.fullmatch(r"-?\d{1,15}", cell):
                    card[column] = _YES[cell.lower()] if column == "judged" else int(cell)
                else:
                    raise wrong(column, "yes-no" if column == "judged" else "number", value=cell[:40])
    except csv.Error:
        raise wrong("-", "quotes") from None
    title = (path.parent.name if path.name == "cards.csv" else path.stem).replace("-", " ").title()
    box: dict[str, Any] = {"format": 1, "name": title, "family": [*families.values()]}
    files = {"box.toml": box, "cards.toml": {"attested": "one", "card": cards}}
    return BoxTable(path, files | {f"{lang}.toml": glossary for lang, glossary in words.items()}, family_lines | lines)


class _Reader:
    """Reads one box, and collects its mistakes: each is a message ``error.bad-box.<why>``."""

    def __init__(self, box: str, place: Path, package: Package) -> None:
        self.box, self.place, self.package = box, place, package
        languages = [lang for (lang,) in package.query("SELECT lang FROM languages ORDER BY position")]
        self.cases = {lang: cases_of(package, lang) for lang in languages}
        for lang, (main, *_) in paths.language_files(paths.own_glossary()).items():
            with suppress(InputError):  # which is told where the language is read
                self.cases[lang] = self.cases.get(lang) or _part(main, lang, read_text(main)).cases
        self.problems: list[InputError] = []
        self.remarks: list[InputError] = []
        self.texts: dict[str, str] = {}
        self.table: BoxTable | None = None
        self.own: set[str] = set()

    def read(self) -> load.Sources | None:
        raw = {path.name: self._parsed(path) for path in files_of(self.place)}
        has_table = any(name.lower().endswith(".csv") for name in raw)
        if has_table and "cards.toml" in raw:
            self._problem("cards.csv", "-", "two-lists")
        elif not has_table and "box.toml" not in raw:
            self._problem("box.toml", "-", "no-head")
        if self.problems:
            return None
        raw = raw if self.table is None else self.table.joined(raw)
        cards = deepcopy(raw["cards.toml"])
        unknown = self._set_unknown_aside(cards)
        head, file = self._fit("box.toml", raw["box.toml"], BoxRecord), self._fit("cards.toml", cards, CardFile)
        words: dict[str, Words | None] = {SOURCE_LANGUAGE: Words()}
        words |= {name[:-5]: self._fit(name, values, Words) for name, values in raw.items() if self.is_language(name)}
        if head is None or file is None or None in words.values():
            return None
        ids = [("box.toml", "family", family.id) for family in head.family]
        ids += [("box.toml", "beside", pile.id) for pile in head.beside]
        ids += [("cards.toml", "card", card.id) for card in file.card]
        self.own = {ident for *_, ident in ids}
        used_ids = {ident for (ident,) in self.package.query("SELECT id FROM cards UNION SELECT id FROM families")}
        for name, table, ident in ids:
            if not ENTRY_ID.fullmatch(ident) or ident in used_ids:
                self._problem(name, f"{table}[{ident}].id", "taken" if ident in used_ids else "id", name=ident)
        head = load.of_box(validated(BoxRecord, self._prefixed(head)), self.box)
        file = validated(CardFile, self._prefixed(file))
        if head.feature_deck is None and (pile := _features(head, file.card)):
            head = replace(head, feature_deck=FeatureDeck(question_marks=1, pile=pile))
        glossaries = {
            lang: self._glossary(lang, glossary, head) for lang, glossary in words.items() if glossary is not None
        }
        told = dict.fromkeys(chain.from_iterable(glossary.texts for glossary in glossaries.values()))
        sources = load.Sources(
            boxes=[head], cards=[self._finished(card, file, told, unknown) for card in file.card], rules=[], terms=[],
            clarifications=[], conflicts=[], answers=[], setups={}, references=[], puzzles=[], glossaries=glossaries,
        )  # fmt: skip
        known = self._known(sources)
        entries = [*load.box_entries(head, "box.toml"), *(("cards.toml", "card", card) for card in sources.cards)]
        of_cards = (load.card_problems(card, "cards.toml", known) for card in sources.cards)
        for error in chain(load.entry_problems(entries, lambda _: known), *of_cards):
            self._problem(error.params["file"], error.params["key"], **error.params["mistake"])
        for place, key, why, params in chain(_structure(head, sources.cards), self._gaps(sources)):
            self._problem(place, key, why, **params)
        return sources

    def is_language(self, name: str) -> bool:
        """True for the file of a language that the program speaks."""
        return name.endswith(".toml") and name.removesuffix(".toml") in self.cases

    def _parsed(self, path: Path) -> dict[str, Any]:
        names = ["box.toml", "cards.toml", *(f"{lang}.toml" for lang in self.cases)]
        is_table = path.suffix.lower() == ".csv"
        try:
            if path.is_file() and path.stat().st_size > paths.MOST_BYTES_OF_BOX:
                raise InputError("too-large", file=str(path), megabytes=paths.MOST_BYTES_OF_BOX // 1_000_000)
            if is_table or path.name in names:
                text = self.texts[path.name] = read_text(path)
                self.table = read_table(text, path, self.cases) if is_table else self.table
                return {} if is_table else parse_toml(text, path)
            if re.fullmatch(r"[a-z]{2,3}\.toml", path.name):
                self.remarks.append(InputError("box-language", file=str(path), code=path.stem))
            else:
                self._problem(path.name, "-", "file-name", known=", ".join(names))
        except InputError as error:
            self.problems.append(error)
        return {}

    def _problem(self, file: str, key: str, why: str, **params: Any) -> None:
        """Adds a mistake under a key of a file, whose line is looked up."""
        key, path = key.replace(f"{self.box}:", ""), self.place if self.place.is_file() else self.place / file
        if self.table is not None and file not in self.texts:
            path, line = self.table.path, self.table.line_of(key)
        else:
            line = line_of(self.texts.get(file, ""), key)
        params = {name: str(value).replace(f"{self.box}:", "") for name, value in params.items()}
        self.problems.append(InputError("bad-box", file=str(path), line=line, key=key, why=why, **params))

    def _fit(self, file: str, raw: dict[str, Any], record: type[T]) -> T | None:
        fitting, faults = load.fitted(self.place / file, raw, record)
        for fault in {fault.params["key"]: fault for fault in faults}.values():  # a choice of types is one mistake
            self._problem(file, fault.params["key"], **fault.params["mistake"])
        return fitting

    def _set_unknown_aside(self, cards: dict[str, Any]) -> set[str]:
        """Empties the abilities with operations that are not known at their time, and returns the ids of their cards.

        What works at a time is what cards of the package do then; the rules pass over other operations, or fail.
        """
        found, works = set[str](), dict[str, set[str]]()
        for timing, record in self.package.query("SELECT timing, record FROM effects"):
            effect = read_effect(record)
            works.setdefault(timing, set()).update(op.op for op in (*effect.cost, *effect.do))
        for card in _tables(cards.get("card")):
            for ability in _tables(card.get("effects")):
                timing, ops = ability.get("timing"), [op for key in ("cost", "do") for op in _tables(ability.get(key))]
                working = works.get(timing, _KNOWN_OPERATIONS) if isinstance(timing, str) else _KNOWN_OPERATIONS
                for name in (op["op"] for op in ops if isinstance(op.get("op"), str) and op["op"] not in working):
                    found.add(ident := str(card.get("id")))
                    why = {"why": "timing", "timing": str(timing)} if name in _KNOWN_OPERATIONS else {}
                    self.remarks.append(InputError("unknown-operation", own_card=ident, op=name[:40], **why))
                    ability |= {"cost": [], "do": []}
        return found

    def _prefixed(self, record: Record) -> Any:
        """The values of a record, with the box before its own ids."""

        def walk(value: Any, key: str) -> Any:
            if isinstance(value, dict):
                is_reference = key in _REFERRING
                return {self._named(name) if is_reference else name: walk(entry, name) for name, entry in value.items()}
            if isinstance(value, list | tuple):
                return [walk(entry, key) for entry in value]
            return self._named(value) if isinstance(value, str) and key in _REFERRING else value

        values = walk(to_builtins(record), "")
        for section in ("family", "beside", "card"):
            for entry in values.get(section, ()):
                entry["id"] = self._named(entry["id"])
        return values

    def _named(self, ident: str) -> str:
        return f"{self.box}:{ident}" if ident in self.own else ident

    def _finished(
        self, card: CardWithEffects, file: CardFile, told: Iterable[str], unknown: Collection[str]
    ) -> CardWithEffects:
        """The card with what its file says for all, and the abilities that only texts (``told`` by key) tell of."""
        effects, timings = list(card.effects), {str(timing): timing for timing in get_args(Timing)}
        judged = bool(effects) if card.judged is None else card.judged
        judged = judged and card.id not in map(self._named, unknown)
        of_card = [key.rpartition(".")[2] for key in told if key.rpartition(".")[0] == f"card.{card.id}"]
        for ident in (ident for ident in of_card if ident not in {effect.id for effect in card.effects}):
            timing = re.sub(r"-\d+$", "", ident)
            if judged:
                self._problem("cards.toml", f"card[{card.id}]", "stray-text", name=f"{card.id}.{ident}")
            elif timing not in timings:
                self._problem(_ENGLISH, f"texts.{card.id}.{ident}", "timing", name=ident, known=", ".join(timings))
            else:
                effects.append(Effect(id=ident, timing=timings[timing]))
        return replace(
            card, set_id=self.box, attested=card.attested or file.attested, judged=judged, effects=tuple(effects),
            family=card.family or FAMILY_OF.get(card.kind),
        )  # fmt: skip

    def _glossary(self, lang: str, words: Words, box: BoxRecord) -> GlossaryFile:
        def names(section: dict[str, Name | str]) -> dict[str, Name]:
            entries = ((key, name if isinstance(name, Name) else Name(name=name)) for key, name in section.items())
            return {self._named(key): name for key, name in entries}

        title = words.name or (box.name if lang == SOURCE_LANGUAGE else "")
        tables = ((key, said if isinstance(said, dict) else {"": said}) for key, said in words.texts.items())
        pairs = ((f"{key}.{effect}".rstrip("."), text) for key, told in tables for effect, text in told.items())
        parts = ((*key.rpartition("."), text) for key, text in pairs)
        texts: dict[str, Any] = {f"card.{self._named(card)}.{effect}": text for card, _, effect, text in parts}
        return GlossaryFile(
            lang=lang, cards=names(words.cards), families=names(words.families), piles=names(words.beside),
            sets={self.box: Name(name=title)} if title else {}, texts=texts,
            messages={f"card.type.{word}": name for word, name in words.types.items()},
            cases=self.cases[lang],
        )  # fmt: skip

    def _known(self, sources: load.Sources) -> dict[str, Collection[str]]:
        def ids(table: str, column: str = "id") -> set[str]:
            return {name for (name,) in self.package.query(f"SELECT {column} FROM {table}")}

        types = ids("types", "type") | {kind for card in sources.cards for kind in card.types}
        known = load.known_ids(
            cards=ids("cards") | {card.id for card in sources.cards}, sets={self.box}, types=types, terms=ids("terms"),
            families=ids("families") | {family.id for family in sources.families}, rulings=ids("clarifications"),
        )  # fmt: skip
        fitting = {name: values for name, values in known.items() if name not in ("family", "pile")}  # only some fit
        return fitting | {"rules": ids("rules"), "reprint_of": ids("cards")}

    def _gaps(self, sources: load.Sources) -> Iterator[Mistake]:
        """What lacks a name or text in English, and names and texts of nothing."""
        box, cards, english = sources.boxes[0], sources.cards, sources.glossaries[SOURCE_LANGUAGE]
        ids = {
            "cards": {card.id for card in cards}, "families": {family.id for family in box.family},
            "beside": {pile.id for pile in box.beside},
        }  # fmt: skip
        effects = {f"card.{card.id}.{effect.id}": card for card in cards for effect in card.effects}
        package = {word for (word,) in self.package.query("SELECT type FROM types")}
        new = {f"card.type.{word}" for card in cards for word in card.types if word not in package}
        if not english.sets:
            yield "box.toml", "name", "no-title", {}
        for text, card in effects.items():
            if card.judged and card.reprint_of is None and text not in english.texts:
                yield _ENGLISH, "texts", "no-text", {"name": text.removeprefix("card.")}
        for lang, glossary in sources.glossaries.items():
            file = f"{lang}.toml"
            for section, names in zip(ids, (glossary.cards, glossary.families, glossary.piles), strict=True):
                for ident in sorted(ids[section] - names.keys()) if glossary is english else ():
                    yield file, section, "no-name", {"name": ident}
                for ident, name in names.items():
                    if ident not in ids[section]:
                        yield file, f"{section}.{ident}", "not-there", {"name": ident}
                    if not name.name.strip():
                        yield file, f"{section}.{ident}", "empty-name", {}
                    if name.forms and len(name.forms) != len(glossary.cases):
                        yield file, f"{section}.{ident}.forms", "forms", {"known": ", ".join(glossary.cases) or "–"}
            for key in sorted(glossary.messages.keys() - new):
                word = key.removeprefix("card.type.")
                yield file, f"types.{word}", "no-type", {"name": word}
            for key in sorted(glossary.texts.keys() - effects.keys()):
                yield file, f"texts.{key.removeprefix('card.')}", "no-ability", {}


def _features(box: BoxRecord, cards: Iterable[CardWithEffects]) -> tuple[str, ...]:
    """The dungeon features of a box that does not name them: its families of traps and treasures, and its guardians."""
    families = [family.id for family in box.family if family.kind in ("trap", "treasure")]
    return (*families, *{"guardian" for card in cards if card.kind == "guardian"})


def _tables(value: object) -> list[dict[str, Any]]:
    """The tables in what may be a list of tables."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _structure(box: BoxRecord, cards: Sequence[CardWithEffects]) -> Iterator[Mistake]:
    """What set-ups could not be made of."""
    kinds, sums = {family.id: family.kind for family in box.family}, Counter[str]()
    heroes = Counter(card.family for card in cards if card.is_hero)
    for card in cards:
        sums[card.kind] += card.count
        key, in_family = f"card[{card.id}].", card.kind in IN_FAMILIES
        if card.kind == "basic":
            yield "cards.toml", f"{key}kind", "basic", {}
        elif (kinds.get(card.family or "") != card.kind) if in_family else card.family != FAMILY_OF.get(card.kind):
            yield "cards.toml", f"{key}family", "family-of" if in_family else "no-family", {"kind": card.kind}
        if card.judged and card.level_cost is None and 0 < (card.level or 0) < heroes[card.family]:
            yield "cards.toml", f"{key}level_cost", "no-level-cost", {}
    if len(cards) > MOST_CARDS:
        yield "cards.toml", "card", "too-many", {"most": MOST_CARDS}
    of_box: list[tuple[bool, str, str, dict[str, Any]]] = [
        (box.basic, "basic", "game-key", {}), (box.order != BoxRecord(format=1).order, "order", "game-key", {})
    ]  # fmt: skip
    for family in box.family:
        levels, key = [card.level for card in cards if card.family == family.id], f"family[{family.id}]"
        ranked = family.kind != "hero" or sorted(filter(None, levels)) == [*range(1, len(levels) + 1)]
        of_box.append((family.kind not in IN_FAMILIES, f"{key}.kind", "family-kind", {}))
        of_box += [(not levels, key, "no-cards", {}), (not ranked, key, "levels", {})]
    for pile in box.beside:
        of_box.append((bool(pile.cards) == bool(pile.count), f"beside[{pile.id}]", "beside", {}))
        of_box.append((pile.replaces not in (None, "disease"), f"beside[{pile.id}].replaces", "replaces", {}))
    allowed = {"guardian", "pick-two", *(name for name, kind in kinds.items() if kind in ("trap", "treasure"))}
    for name in box.feature_deck.pile if box.feature_deck else ():
        of_box.append((name not in allowed, "feature_deck.pile", "feature", {"name": name}))
    for name in allowed - {"guardian", "pick-two", *(box.feature_deck.pile if box.feature_deck else ())}:
        of_box.append((True, "feature_deck.pile", "never-drawn", {"name": name}))
    for kind, printed in box.contents.items():
        of_box.append((sums[kind] != printed, f"contents.{kind}", "sum", {"most": printed, "n": sums[kind]}))
    yield from (("box.toml", key, why, params) for is_wrong, key, why, params in of_box if is_wrong)


def line_of(text: str, key: str) -> int:
    """The line, from 1, where a key such as ``card[torch].effects[dungeon].do`` stands, or what it would stand in."""
    lines, at = ["" if line.lstrip()[:1] == "#" else line for line in text.split("\n")], 0
    heads = [n for n, line in enumerate(lines) if re.match(r"\s*\[", line)]
    for depth, (name, ident) in enumerate(re.findall(r"([\w-]+)(?:\[([^\]]*)\])?", key)):
        headings = [n for n in heads if n >= at and re.match(rf"\s*\[\[?[\w.]*{re.escape(name)}\s*\]", lines[n])]
        end, pattern = len(lines), re.compile(rf"""\s*id\s*=\s*["']{re.escape(ident)}["']""")
        if ident.isdecimal() and headings:
            at = headings[int(ident)] if int(ident) < len(headings) else at
            continue
        if not ident or ident.isdecimal():
            pattern = re.compile(rf"""(?:\s*\[?|.*[{{,.\s"]){re.escape(name)}["\]]?\s*[=\].]?""")
            end = next((n for n in heads if depth and n > at), end)  # a key that is missing is in no other table
        at = next((n for n in range(at, end) if pattern.match(lines[n])), at)
    return at + 1


def read_language(lang: str, package: Package) -> GlossaryFile:
    """The language of a user's own with this code; raises :class:`InputError` for the first mistake in its files."""
    if package.query("SELECT 1 FROM languages WHERE lang = ?", lang):
        raise InputError("language-code", why="there", code=lang)
    texts = {path: read_text(path) for path in paths.language_files(paths.own_glossary())[lang]}
    main, *further = [_part(path, lang, texts[path]) for path in texts]
    for glossary in further:
        for section in SECTIONS:
            getattr(main, section).update(getattr(glossary, section))
    for fault in load.language_problems(lang, main, GlossaryFile(lang=SOURCE_LANGUAGE, messages=_english(package))):
        name = Path(str(fault.params["file"])).name
        path = next((path for path in texts if path.name == name), next(iter(texts)))
        raise _of_user(fault, path, texts[path])
    return _known_entries(main, package)


def _part(path: Path, lang: str, text: str) -> GlossaryFile:
    glossary, faults = load.fitted(path, parse_toml(text, path), GlossaryFile)
    if glossary is not None and glossary.lang != lang:
        faults = [load.bad_file(path, "lang", f"is not “{lang}”, as the file is called", "choice", known=lang)]
    if glossary is None or faults:
        raise _of_user(faults[0], path, text)
    return glossary


def _of_user(fault: InputError, path: Path, text: str) -> InputError:
    """The fault in a file of a user, with its line, in whichever language it is asked for."""
    key = str(fault.params["key"])
    return InputError("bad-box", file=str(path), line=line_of(text, key), key=key, **fault.params["mistake"])


def _known_entries(glossary: GlossaryFile, package: Package) -> GlossaryFile:
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


def sources_of(package: Package, glossaries: Mapping[str, GlossaryFile]) -> load.Sources:
    """What the texts and names of further languages belong to, as far as their rows in the database tell of it."""

    def pairs(sql: str) -> dict[str, tuple[str, ...]]:
        rows = groupby(package.query(f"{sql} ORDER BY 1, rowid"), lambda row: row[0])
        return {owner: tuple(row[1] for row in inside) for owner, inside in rows}

    cited = pairs("SELECT term, rule FROM term_rules")
    ruled = pairs("SELECT clarification, card FROM clarification_cards")
    subjects = "SELECT conflict, subject FROM conflict_subjects WHERE kind ="
    cards, rules, terms = (pairs(f"{subjects} '{kind}'") for kind in ("card", "rule", "term"))
    rows = package.query("SELECT id, game FROM rules ORDER BY position")
    return load.Sources(
        boxes=[], setups={}, references=[], puzzles=[], glossaries=dict(glossaries), cards=[*_package_cards(package)],
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


def _package_cards(package: Package) -> Iterator[CardWithEffects]:
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
