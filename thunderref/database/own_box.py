"""Boxes of a user's own: a folder, or one CSV, read and checked as the package's own files are.

Ids stand bare in the files and carry the box everywhere else (``doomgate:deep-miner``). A card that says nothing of
what it does, or says it in an operation that is not known here, is not judged: it is found, drawn and laid out.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from thunderref.database import load, paths
from thunderref.database.box_table import BoxTable, read_table
from thunderref.database.operations import Effect, Operation, Timing, read_effect
from thunderref.database.records import SOURCE_LANGUAGE, BoxRecord, CardFile, CardWithEffects, GlossaryFile, Name
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
_DIGEST_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"


class Package(Protocol):
    """The package's database, as far as boxes are read and merged with it."""

    path: Path
    meta: dict[str, str]

    @property
    def languages(self) -> Mapping[str, str]: ...

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]: ...

    def cases(self, lang: str) -> tuple[str, ...]: ...


class Words(Record):
    """What a file of a language says: names by id or by word of a type line, texts by ``<card>.<effect id>``."""

    name: str = ""
    cards: dict[str, Name | str] = {}
    families: dict[str, Name | str] = {}
    beside: dict[str, Name | str] = {}
    types: dict[str, str] = {}
    texts: dict[str, str] = {}


class OwnBox(NamedTuple):
    """A box as it is read: the mistakes in its files, remarks on cards that are not judged, what it brings if sound.

    ``sources`` are the box, its cards and its words. ``digest`` changes with what a set-up code rests on: the files
    of the box but those of its languages.
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
    try:
        names = sorted(os.listdir(place))
    except OSError:
        names = []
    found = [place / name for name in names if name == "cards.csv" or name.endswith(".toml")]
    if not {path.name for path in found} & {"cards.toml", "cards.csv"}:
        raise InputError("no-box", file=str(place))
    return found


def read_bounded(path: Path) -> str:
    """The text of a file of a box; raises :class:`InputError` as :func:`read_text`, and above the limit."""
    if path.is_file() and path.stat().st_size > paths.MOST_BYTES_OF_BOX:
        raise InputError("too-large", file=str(path), megabytes=paths.MOST_BYTES_OF_BOX // 1_000_000)
    return read_text(path)


def digest_of(text: str) -> str:
    """Six signs that change with a text."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    return "".join(_DIGEST_SIGNS[number >> 5 * place & 31] for place in range(6))


def read_own_box(place: Path, package: Package) -> OwnBox:
    """Reads and checks a box; raises :class:`InputError` only where there is none, or its name can be no id."""
    box = box_id_of(place)
    reader = _Reader(box, place, package)
    sources = None
    if package.query("SELECT 1 FROM sets WHERE id = ? AND digest = ''", box):
        reader.problems.append(InputError("package-box-id", own_box=box))
    else:
        sources = reader.read()
    rests = "".join(text for name, text in sorted(reader.texts.items()) if not reader.is_language(name))
    digest = digest_of(rests.replace("\r\n", "\n"))
    return OwnBox(box, reader.problems, reader.remarks, None if reader.problems else sources, digest)


class _Reader:
    """Reads one box, and collects its mistakes."""

    def __init__(self, box: str, place: Path, package: Package) -> None:
        self.box, self.place, self.package = box, place, package
        self.problems: list[InputError] = []
        self.remarks: list[InputError] = []
        self.texts: dict[str, str] = {}
        self.table: BoxTable | None = None
        self.own: set[str] = set()

    def read(self) -> load.Sources | None:
        raw = {path.name: self._parsed(path) for path in files_of(self.place)}
        if self.problems:
            return None
        if self.table is not None:
            if "cards.toml" in raw:
                self._problem("cards.csv", "-", "the box has a cards.toml, too: keep one of them")
                return None
            raw = self.table.joined(raw)
        elif "box.toml" not in raw:
            self._problem("box.toml", "-", "the file is missing: write it as “thunderref box new” does")
            return None
        cards = deepcopy(raw["cards.toml"])
        unknown = self._set_unknown_aside(cards)
        head, file = self._fit("box.toml", raw["box.toml"], BoxRecord), self._fit("cards.toml", cards, CardFile)
        languages = {name.removesuffix(".toml"): values for name, values in raw.items() if self.is_language(name)}
        words = {lang: self._fit(f"{lang}.toml", values, Words) for lang, values in languages.items()}
        if head is None or file is None or not all(words.values()):
            return None
        ids = [(family.id, "box.toml") for family in head.family] + [(pile.id, "box.toml") for pile in head.beside]
        ids += [(card.id, "cards.toml") for card in file.card]
        self.own = {ident for ident, _ in ids}
        for ident, place in ids:
            self._check_id(ident, place)
        head = load.of_box(validated(BoxRecord, self._prefixed(head)), self.box)
        file = validated(CardFile, self._prefixed(file))
        texts = {lang: told for lang, told in words.items() if told is not None}
        own_cards = [self._finished(card, file, texts, unknown) for card in file.card]
        sources = load.Sources(
            boxes=[head], cards=own_cards, rules=[], terms=[], clarifications=[], conflicts=[], answers=[], setups={},
            references=[], puzzles=[],
            glossaries={lang: self._glossary(lang, told, head) for lang, told in texts.items()},
        )  # fmt: skip
        self._check(sources, texts)
        return sources

    def is_language(self, name: str) -> bool:
        """True for the file of a language that the program speaks."""
        return name.endswith(".toml") and name.removesuffix(".toml") in self.package.languages

    def _parsed(self, path: Path) -> dict[str, Any]:
        try:
            if not (path.suffix == ".csv" or path.name in ("box.toml", "cards.toml") or self.is_language(path.name)):
                codes = ", ".join(f"{lang}.toml" for lang in self.package.languages)
                self._problem(path.name, "-", f"the file is none of box.toml, cards.toml, {codes}: correct its name")
                return {}
            text = self.texts[path.name] = read_bounded(path)
            if path.suffix.lower() != ".csv":
                return parse_toml(text, path)
            self.table = read_table(text, path, self.package.languages)
        except InputError as error:
            self.problems.append(error)
        return {}

    def _problem(self, file: str, key: str, problem: str) -> None:
        """Adds a mistake under a key of a file, whose line is looked up."""
        problem, key = (text.replace(f"{self.box}:", "") for text in (problem, key))
        path = self.place if self.place.is_file() else self.place / file
        if self.table is not None and file in ("cards.toml", f"{SOURCE_LANGUAGE}.toml", "box.toml"):
            path = self.table.path if file not in self.texts else path
        line = line_of(self.texts.get(file, ""), key) if file in self.texts else 1
        if self.table is not None and path == self.table.path:
            line = self.table.line_of(key)
        self.problems.append(InputError("bad-box", file=str(path), line=line, key=key, problem=problem.rstrip(".")))

    def _fit(self, file: str, raw: dict[str, Any], record: type[T]) -> T | None:
        fitting, faults = load.fitted(self.place / file, raw, record)
        for fault in faults:
            self._problem(file, fault.params["key"], fault.params["problem"])
        return fitting

    def _check_id(self, ident: str, file: str) -> None:
        table = "card" if file == "cards.toml" else "family"
        if not ENTRY_ID.fullmatch(ident):
            self._problem(file, f"{table}[{ident}].id", "an id has small letters, digits and hyphens: correct it")
        elif self.package.query(
            "SELECT 1 FROM cards WHERE id = ? UNION SELECT 1 FROM families WHERE id = ?", ident, ident
        ):
            remedy = "is an id of the game's own boxes: choose another one, or write reprint_of for the same card"
            self._problem(file, f"{table}[{ident}].id", f"“{ident}” {remedy}")

    def _set_unknown_aside(self, cards: dict[str, Any]) -> set[str]:
        """Empties the abilities with operations that are not known at their time, and returns the ids of their cards.

        What works at a time is what cards of the package do then; the rules pass over other operations, or fail.
        """
        found, works = set[str](), dict[str, set[str]]()
        for timing, record in self.package.query("SELECT timing, record FROM effects"):
            effect = read_effect(record)
            works.setdefault(timing, set()).update(op.op for op in (*effect.cost, *effect.do))
        entries = cards.get("card")
        for card in entries if isinstance(entries, list) else ():
            effects = card.get("effects") if isinstance(card, dict) else None
            for effect in effects if isinstance(effects, list) else ():
                parts = [effect.get(key) for key in ("cost", "do")] if isinstance(effect, dict) else []
                listed = (op for part in parts if isinstance(part, list) for op in part if isinstance(op, dict))
                names = [op["op"] for op in listed if isinstance(op.get("op"), str)]
                timing = effect.get("timing") if isinstance(effect, dict) else None
                working = works.get(timing, _KNOWN_OPERATIONS) if isinstance(timing, str) else _KNOWN_OPERATIONS
                for name in (name for name in names if name not in working):
                    ident = str(card.get("id"))
                    found.add(ident)
                    why = {"why": "timing", "timing": str(timing)} if name in _KNOWN_OPERATIONS else {}
                    self.remarks.append(InputError("unknown-operation", own_card=ident, op=name[:40], **why))
                    for key in ("cost", "do"):
                        effect.pop(key, None)
        return found

    def _prefixed(self, record: Record) -> Any:
        """The values of a record, with the box before its own ids."""

        def walk(value: Any, key: str) -> Any:
            if isinstance(value, dict):
                named = key in _REFERRING
                return {self._named(name) if named else name: walk(entry, name) for name, entry in value.items()}
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
        self, card: CardWithEffects, file: CardFile, words: dict[str, Words], unknown: Collection[str]
    ) -> CardWithEffects:
        """The card with what its file says for all, and the abilities that only its texts tell of."""
        bare = card.id.removeprefix(f"{self.box}:")
        keys = dict.fromkeys(key for told in words.values() for key in told.texts)
        told = [key.rpartition(".")[2] for key in keys if key.rpartition(".")[0] == bare]
        effects, timings = list(card.effects), {str(timing): timing for timing in get_args(Timing)}
        judged = bool(effects) if card.judged is None else card.judged
        judged = judged and bare not in unknown
        for ident in (ident for ident in told if ident not in {effect.id for effect in effects}):
            timing = re.sub(r"-\d+$", "", ident)
            if judged:
                problem = "the text belongs to no ability of the card: add the ability, or write judged = false"
                self._problem("cards.toml", f"card[{bare}]", f"{bare}.{ident}: {problem}")
            elif timing not in timings:
                problem = f"“{ident}” is no time of an ability: write one of {', '.join(timings)}"
                self._problem(f"{SOURCE_LANGUAGE}.toml", f"texts.{bare}.{ident}", problem)
            else:
                effects.append(Effect(id=ident, timing=timings[timing]))
        return replace(
            card, set_id=self.box, attested=card.attested or file.attested, judged=judged, effects=tuple(effects),
            family=card.family or FAMILY_OF.get(card.kind),
        )  # fmt: skip

    def _glossary(self, lang: str, words: Words, box: BoxRecord) -> GlossaryFile:
        def names(section: dict[str, Name | str]) -> dict[str, Name]:
            told = {ident: Name(name=name) if isinstance(name, str) else name for ident, name in section.items()}
            return {self._named(ident): name for ident, name in told.items()}

        title = words.name or (box.name if lang == SOURCE_LANGUAGE else "")
        texts: dict[str, Any] = {}
        for key, text in words.texts.items():
            card, _, effect = key.rpartition(".")
            texts[f"card.{self._named(card)}.{effect}"] = text
        return GlossaryFile(
            lang=lang, cards=names(words.cards), families=names(words.families), piles=names(words.beside),
            sets={self.box: Name(name=title)} if title else {}, texts=texts,
            messages={f"card.type.{word}": name for word, name in words.types.items()}, cases=self.package.cases(lang),
        )  # fmt: skip

    def _check(self, sources: load.Sources, words: dict[str, Words]) -> None:
        box, cards = sources.boxes[0], sources.cards
        known = self._known(sources)
        for field in ("family", "pile"):  # of which only some fit
            del known[field]
        entries = [*load.box_entries(box, "box.toml"), *(("cards.toml", "card", card) for card in cards)]
        found = [*load.entry_problems(entries, lambda _: known)]
        for card in cards:
            found += load.card_problems(card, "cards.toml", known)
        for error in found:
            self._problem(error.params["file"], error.params["key"], error.params["problem"])
        for file, key, problem in (*_structure(box, cards), *self._gaps(sources, words)):
            self._problem(file, key, problem)

    def _known(self, sources: load.Sources) -> dict[str, Collection[str]]:
        def ids(sql: str) -> set[str]:
            return {name for (name,) in self.package.query(sql)}

        cards = ids("SELECT id FROM cards") | {card.id for card in sources.cards}
        families = ids("SELECT id FROM families") | {family.id for family in sources.families}
        types = ids("SELECT type FROM types") | {kind for card in sources.cards for kind in card.types}
        return load.known_ids(
            cards=cards, families=families, sets={self.box}, types=types, terms=ids("SELECT id FROM terms"),
            rulings=ids("SELECT id FROM clarifications"),
        ) | {"rules": ids("SELECT id FROM rules"), "reprint_of": ids("SELECT id FROM cards")}  # fmt: skip

    def _gaps(self, sources: load.Sources, words: dict[str, Words]) -> Iterator[tuple[str, str, str]]:
        """What lacks a name or text in English, and names and texts of nothing."""
        box, english = sources.boxes[0], f"{SOURCE_LANGUAGE}.toml"
        needed = {
            "cards": {card.id for card in sources.cards}, "families": {family.id for family in box.family},
            "beside": {pile.id for pile in box.beside},
        }  # fmt: skip
        told = words.get(SOURCE_LANGUAGE, Words())
        if not (told.name or box.name):
            yield "box.toml", "name", "the box has no name: add one"
        for section, ids in needed.items():
            for ident in sorted(ids - {self._named(name) for name in getattr(told, section)}):
                yield english, section, f"“{ident}” has no name: add it"
        for card in sources.cards:
            for effect in card.effects if card.judged and card.reprint_of is None else ():
                if f"{card.id.removeprefix(f'{self.box}:')}.{effect.id}" not in told.texts:
                    yield english, "texts", f"“{card.id}.{effect.id}” is missing: say in your own words what it does"
        effects = {f"{card.id}.{effect.id}" for card in sources.cards for effect in card.effects}
        types = {word for card in sources.cards for word in card.types}
        for lang, said in words.items():
            for word in said.types:
                if word not in types or self.package.query("SELECT 1 FROM types WHERE type = ?", word):
                    problem = f"“{word}” is no new word on the cards of the box: correct or remove it"
                    yield f"{lang}.toml", f"types.{word}", problem
            for section, ids in needed.items():
                for ident, name in getattr(said, section).items():
                    if self._named(ident) not in ids:
                        yield f"{lang}.toml", f"{section}.{ident}", f"“{ident}” is not in the box: correct or remove it"
                    if not str(name if isinstance(name, str) else name.name).strip():
                        yield f"{lang}.toml", f"{section}.{ident}", "the name is empty: write it, or remove the key"
                    forms = () if isinstance(name, str) else name.forms
                    if forms and len(forms) != len(cases := self.package.cases(lang)):
                        problem = f"needs a form for each of {', '.join(cases) or 'no case'}: correct or remove it"
                        yield f"{lang}.toml", f"{section}.{ident}.forms", problem
            for key in said.texts:
                if f"{self._named(key.rpartition('.')[0])}.{key.rpartition('.')[2]}" not in effects:
                    yield f"{lang}.toml", f"texts.{key}", "belongs to no ability of a card: correct or remove it"


def _structure(box: BoxRecord, cards: Iterable[CardWithEffects]) -> Iterator[tuple[str, str, str]]:
    """File, key and problem of what set-ups could not be made of."""
    cards, kinds = list(cards), {family.id: family.kind for family in box.family}
    heroes = Counter(card.family for card in cards if card.is_hero)
    if len(cards) > MOST_CARDS:
        yield "cards.toml", "card", f"the box has more than {MOST_CARDS} cards: divide it into two"
    if box.basic or box.order != 100:
        key = "basic" if box.basic else "order"
        yield "box.toml", key, "only the game's own boxes have this key: remove it"
    for family in box.family:
        levels = [card.level for card in cards if card.family == family.id]
        key = f"family[{family.id}]"
        if family.kind not in IN_FAMILIES:
            yield "box.toml", f"{key}.kind", "a family of a box is of heroes, monsters, traps or treasures: correct it"
        if not levels:
            yield "box.toml", key, "the family has no cards: add some, or remove it"
        elif family.kind == "hero" and sorted(filter(None, levels)) != [*range(1, len(levels) + 1)]:
            yield "box.toml", key, "the heroes of a family have the levels 1, 2, 3, each once: correct them"
    for card in cards:
        key = f"card[{card.id}]"
        fitting = kinds.get(card.family or "")
        if card.kind == "basic":
            yield "cards.toml", f"{key}.kind", "the basic stacks are those of the first box: write village"
        elif card.kind in IN_FAMILIES and fitting != card.kind:
            yield "cards.toml", f"{key}.family", f"a {card.kind} is in a family of the box of the same kind: name it"
        elif card.kind not in IN_FAMILIES and card.family != FAMILY_OF.get(card.kind):
            yield "cards.toml", f"{key}.family", f"a {card.kind} names no family: remove the key"
        if card.judged and card.level_cost is None and 0 < (card.level or 0) < heroes[card.family]:
            yield "cards.toml", f"{key}.level_cost", "the hero has a next level: add the XP that it costs"
    for pile in box.beside:
        if bool(pile.cards) == bool(pile.count):
            yield "box.toml", f"beside[{pile.id}]", "a side deck has cards, tokens have a count: write one of both"
        if pile.replaces not in (None, "disease"):
            yield "box.toml", f"beside[{pile.id}].replaces", "only the stack “disease” can be replaced: correct it"
    allowed = {name for name, kind in kinds.items() if kind in ("trap", "treasure")} | {"guardian", "pick-two"}
    for name in box.feature_deck.pile if box.feature_deck else ():
        if name not in allowed:
            problem = f"“{name}” is no feature of the box: name families of traps or treasures, or “guardian”"
            yield "box.toml", "feature_deck.pile", problem
    sums = Counter[str]()
    for card in cards:
        sums[card.kind] += card.count
    for kind, printed in box.contents.items():
        if sums[kind] != printed:
            problem = f"{printed} cards are printed on the box, and cards.toml has {sums[kind]}: correct one of the two"
            yield "box.toml", f"contents.{kind}", problem


def line_of(text: str, key: str) -> int:
    """The line, from 1, where a key such as ``card[torch].effects[dungeon].do`` stands, or what it would stand in."""
    lines, at = text.split("\n"), 0
    heads = [n for n, line in enumerate(lines) if re.match(r"\s*\[", line)]
    for depth, (name, ident) in enumerate(re.findall(r"([\w-]+)(?:\[([^\]]*)\])?", key)):
        own = [n for n in heads if n >= at and re.match(rf"\s*\[\[?[\w.]*{re.escape(name)}\s*\]", lines[n])]
        end, found = len(lines), re.compile(rf"""\s*id\s*=\s*["']{re.escape(ident)}["']""")
        if ident.isdecimal():
            at = own[int(ident)] if int(ident) < len(own) else at
            continue
        if not ident:
            found = re.compile(rf"""(?:\s*\[?|.*[{{,.\s"]){re.escape(name)}["\]]?\s*[=\].]?""")
            end = next((n for n in heads if depth and n > at), end)  # a key that is missing is in no other table
        at = next((n for n in range(at, end) if found.match(lines[n])), at)
    return at + 1
