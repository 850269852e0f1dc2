"""Reads and validates the hand-edited files; every error names file, key and remedy.

Each file has to fit its record; across the files ids must resolve, texts exist and figures fit their card.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from thunderref.database import paths, records
from thunderref.database.validation import UNKNOWN_KEY, MisfitError, Record, validated
from thunderref.errors import InputError
from thunderref.text.messages import misfits, plural_rule
from thunderref.text.stems import fault_in

T = TypeVar("T", bound=Record)
OF_EACH_GAME = ("rules", "terms", "answers")
"""Files that each game has."""
BY_FILE = frozenset(("set_id", "game"))
"""Fields of an entry that follow from the file it stands in; it may not name them itself."""
NO_WORDS = tuple(f"{topic}.words." for topic in ("ask", "door", "list", "query", "search", "setup", "thorgal"))
"""Messages that are word lists of one language: they share nothing with the English ones."""


class Sources(NamedTuple):
    """All the files of one checkout, each validated (:func:`check_sources` checks them together), in their order."""

    boxes: list[records.BoxRecord]
    cards: list[records.CardWithEffects]
    """The cards of all boxes, box by box."""
    rules: list[records.Rule]
    terms: list[records.TermRecord]
    clarifications: list[records.Clarification]
    conflicts: list[records.Conflict]
    answers: list[records.AnswerRecord]
    setups: dict[str, list[Any]]
    """Table of the files -> its fixed set-ups."""
    references: list[records.Reference]
    puzzles: list[records.Puzzle]
    glossaries: dict[str, records.GlossaryFile]
    """Language -> its glossary."""

    @property
    def families(self) -> list[records.FamilyRecord]:
        return [family for box in self.boxes for family in box.family]

    @property
    def text_games(self) -> dict[str, paths.Game]:
        """Text key -> its game; without the keys of cards, rulings and conflicts, all of the first game."""
        rules = {f"rule.{rule.id}": rule.game for rule in self.rules}
        rules |= {f"open.{key}": game for key, game in rules.items()}
        rules |= {f"term.{term.id}": term.game for term in self.terms}
        rules |= {f"title.{rule.id}": rule.game for rule in self.rules}
        return rules | {f"answer.{answer.id}": answer.game for answer in self.answers}

    @property
    def targets(self) -> dict[str, str]:
        """Key of a subject (``card.fireball``, ``clarify.amazon``) -> its target, as in ``passages``.

        A ruling on a single card belongs to the card, an answer to what it is about.
        """
        cards = {card.id: card.reprint_of or card.id for card in self.cards}
        keys = {paths.FOREIGN: paths.FOREIGN} | {f"card.{card}": f"card.{base}" for card, base in cards.items()}
        for kind, entries in (("rule", self.rules), ("term", self.terms), ("conflict", self.conflicts)):
            keys |= {f"{kind}.{entry.id}": f"{kind}.{entry.id}" for entry in entries}
        for ruling in self.clarifications:
            owners = {cards[card] for card in ruling.cards}
            keys[f"clarify.{ruling.id}"] = f"card.{min(owners)}" if len(owners) == 1 else f"clarification.{ruling.id}"
        return keys | {f"answer.{answer.id}": keys.get(answer.about, "") for answer in self.answers}

    @property
    def places(self) -> dict[str, tuple[records.Source, ...]]:
        """Rule or ruling -> its sources; in further games a rule without sources has those of its chapter."""
        sources = {rule.id: rule.sources for rule in self.rules}
        for rule in self.rules:
            if rule.game != paths.FIRST_GAME and not rule.sources:
                sources[rule.id] = sources.get(rule.id.partition(".")[0], ())
        return sources | {ruling.id: ruling.sources for ruling in self.clarifications}

    @property
    def argued(self) -> set[str]:
        """The rules and rulings for whose readings the glossary has arguments."""
        english = self.glossaries[records.SOURCE_LANGUAGE].texts
        ends = (key.removeprefix("reading.").rpartition(".") for key in english if key.startswith("reading."))
        return {subject for subject, _, _ in ends}


def load_sources(root: Path) -> Sources:
    """Reads ``db/`` and ``glossary/`` below ``root``; raises as :func:`read_record` does."""
    rows: dict[str, list[Any]] = {table: [] for tables in records.TABLES.values() for table in tables}
    for name, tables in records.TABLES.items():
        for game in paths.GAMES if name in OF_EACH_GAME else (paths.FIRST_GAME,):
            path = root / (paths.PUZZLES if name == "puzzles" else paths.file_of_game(game, name))
            if name == "puzzles" and not path.is_file():
                continue
            file = read_record(path, records.FILES[path.name])
            for table in tables:
                entries = getattr(file, table)
                rows[table] += [replace(row, game=game) for row in entries] if game != paths.FIRST_GAME else entries
    folders = [root / folder for folder in paths.box_folders(root)]
    boxes = sorted(((read_box(folder), folder) for folder in folders), key=lambda box: (box[0].order, box[0].id))
    return Sources(
        boxes=[box for box, _ in boxes], rules=rows["rule"], terms=rows["term"],
        clarifications=rows["clarification"], conflicts=rows["conflict"], answers=rows["answer"],
        references=rows["reference"], puzzles=rows["puzzle"], glossaries=_glossaries(root),
        cards=[card for box, folder in boxes for card in _cards(folder, box.id)],
        setups={kind: rows[kind] for name in ("setups", "themes", "other_boxes") for kind in records.TABLES[name]},
    )  # fmt: skip


def bad_file(path: PurePath | str, key: str, problem: str, why: str = "value", **params: object) -> InputError:
    """The error for a key of a file, whose name is told with slashes on every system.

    The problem is told in English, for no database has been built yet; in a user's box it is ``error.bad-box.<why>``.
    """
    file = path if isinstance(path, str) else path.as_posix()
    return InputError("bad-file", file=file, key=key, problem=problem, mistake={"why": why, **params})


def read_box(folder: Path) -> records.BoxRecord:
    """What ``box.toml`` says of the box in a folder; raises as :func:`read_record` does."""
    return of_box(read_record(folder / "box.toml", records.BoxRecord), folder.name)


def of_box(box: records.BoxRecord, name: str) -> records.BoxRecord:
    """The box under this id, which its families and what lies beside its stacks bear, too."""
    family = tuple(replace(family, set_id=name) for family in box.family)
    return replace(box, id=name, family=family, beside=tuple(replace(pile, set_id=name) for pile in box.beside))


def _cards(folder: Path, box: str) -> Iterator[records.CardWithEffects]:
    file = read_record(folder / "cards.toml", records.CardFile)
    defaults = {"set_id": box, "judged": True}
    return (replace(card, **defaults, attested=card.attested or file.attested) for card in file.card)


def _glossaries(root: Path) -> dict[str, records.GlossaryFile]:
    merged: dict[str, records.GlossaryFile] = {}
    for path in paths.glossary_files(root):
        glossary = read_record(path, records.GlossaryFile)
        if "." in path.stem and glossary.lang not in merged:  # words of a further game alone make no language
            raise InputError("missing-file", file=path.with_name(f"{glossary.lang}.toml").as_posix())
        if glossary.lang != paths.language_of(path):
            raise bad_file(path, "lang", f"“{glossary.lang}” is not what the file is called: correct one of the two")
        whole = merged.setdefault(glossary.lang, glossary)
        if whole is glossary:
            continue
        for section in records.SECTIONS:
            entries, more = getattr(whole, section), getattr(glossary, section)
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
    except tomllib.TOMLDecodeError as error:
        raise bad_file(path, "-", f"{error}: correct it") from None
    except UnicodeDecodeError as error:
        raise bad_file(path, "-", f"is not in UTF-8 from byte {error.start + 1} on: save it in UTF-8") from None
    value, faults = fitted(path, raw, record)
    if value is None:
        first, *further = faults
        first.params["problem"] += f" (and {len(further)} more)" if further else ""
        raise first
    return value


def fitted(path: Path, raw: dict[str, Any], record: type[T]) -> tuple[T | None, list[InputError]]:
    """The values of a file as a record; if they do not fit, None and an error for each key at fault."""
    problems = [
        bad_file(path, _where(raw, (table, number, key)), UNKNOWN_KEY, "unknown-key")
        for table, entries in raw.items() for number, entry in enumerate(entries if isinstance(entries, list) else ())
        for key in (BY_FILE & entry.keys() if isinstance(entry, dict) else ())
    ]  # fmt: skip
    try:
        return (None if problems else validated(record, raw)), problems
    except MisfitError as error:
        for fault in error.faults:
            problems.append(bad_file(path, _where(raw, fault.place), fault.problem, fault.kind, known=fault.allowed))
        return None, problems


def _where(raw: object, location: tuple[int | str, ...]) -> str:
    """Return the place of a value in a file as messages name it: ``rule[R5.4].sources``."""
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


OF_A_FAMILY = ("hero", "monster", "guardian", "trap", "treasure", "thunderstone")
"""Kinds of cards that belong to a family."""
Known = Mapping[str, Collection[str]]
"""Field of a record -> the ids it may hold."""


def check_sources(sources: Sources) -> None:
    """Raises :class:`InputError` naming file, key and remedy for the first misfit."""
    for problem in _problems(sources):
        raise problem


def _problems(sources: Sources) -> Iterator[InputError]:
    rules = {game: {rule.id for rule in sources.rules if rule.game == game} for game in paths.GAMES}
    for rule in sources.rules:
        file, letter = paths.file_of_game(rule.game, "rules"), paths.LETTERS[rule.game]
        if not rule.id.startswith(letter):
            yield bad_file(file, f"rule[{rule.id}].id", f"has to begin with “{letter}”: correct it")
        if rule.status != "reading" and rule.switches:
            problem = "only a rule of status reading names open questions under switches"
            yield bad_file(file, f"rule[{rule.id}].switches", problem)
    ids = _known(sources)
    of_game = {game: ids | {"rules": own, "see": own} for game, own in rules.items()}
    yield from entry_problems(_entries(sources), lambda record: of_game[getattr(record, "game", paths.FIRST_GAME)])
    for ruling in sources.clarifications:
        if not ruling.cards and not ruling.rules:
            problem = "is empty: a ruling on no card names the rules it belongs to"
            yield bad_file("db/clarifications.toml", f"clarification[{ruling.id}].rules", problem)
    targets = sources.targets
    for answer in sources.answers:
        if answer.about not in targets:
            file = paths.file_of_game(answer.game, "answers")
            yield bad_file(file, f"answer[{answer.id}].about", f"“{answer.about}” is not defined: correct or add it")
    yield from _source_problems(sources)
    codes = [setup.code for reference in sources.references for setup in reference.setups]
    if len(sources.references) != 1 or len(set(codes)) < len(codes):
        problem = "the file is one sample in which every code stands once: remove what is there twice"
        yield bad_file("db/reference.toml", "reference", problem)
    for card in sources.cards:
        yield from card_problems(card, _card_file(card), ids | {"rules": rules[paths.FIRST_GAME]})
    yield from _gaps(sources, ids)


def entry_problems(
    entries: Iterable[tuple[str, str, Record]], known_to: Callable[[Record], Known]
) -> Iterator[InputError]:
    """An error for each entry of a file (see :func:`_entries`) that is there twice or refers to what there is not."""
    seen = set[tuple[str, str]]()
    for file, table, record in entries:
        name = records.name_of(record)
        if name and (table, name) in seen:
            yield bad_file(file, name, "is defined twice: keep one", "twice")
        seen.add((table, name))
        yield from _dangling(file, f"{table}[{name}]" if name else table, record, known_to(record))


def _entries(sources: Sources) -> Iterator[tuple[str, str, Record]]:
    """File, table and record of what has an id of its own; it may refer to what its game knows."""
    yield from ((_card_file(card), "card", card) for card in sources.cards)
    for rule in sources.rules:
        for table, record in (("rule", rule), *(("switches", switch) for switch in rule.switches)):
            yield paths.file_of_game(rule.game, "rules"), table, record
    yield from ((paths.file_of_game(term.game, "terms"), "term", term) for term in sources.terms)
    yield from ((paths.file_of_game(answer.game, "answers"), "answer", answer) for answer in sources.answers)
    yield from (entry for box in sources.boxes for entry in box_entries(box, box_file(box.id, "box")))
    entries: dict[str, Sequence[Record]] = {**sources.setups, "clarification": sources.clarifications}
    entries |= {"conflict": sources.conflicts, "puzzle": sources.puzzles}
    for table, rows in entries.items():
        name = next(name for name, tables in records.TABLES.items() if table in tables)
        yield from ((paths.PUZZLES if table == "puzzle" else f"db/{name}.toml", table, record) for record in rows)


def _source_problems(sources: Sources) -> Iterator[InputError]:
    names = sources.glossaries[records.SOURCE_LANGUAGE].cards.values()
    cards, argued = {spelling for name in names for spelling in name.spellings}, sources.argued
    files = {rule.id: (paths.file_of_game(rule.game, "rules"), f"rule[{rule.id}].sources") for rule in sources.rules}
    files |= {c.id: ("db/clarifications.toml", f"clarification[{c.id}].sources") for c in sources.clarifications}
    cited = [(*files[ident], places, "" if ident in argued else ident) for ident, places in sources.places.items()]
    cited += [(_card_file(card), f"card[{card.id}].sources", card.sources, "") for card in sources.cards]
    for file, key, places, needs_one in cited:
        for place in places:
            book, _, section = place.partition(": ")
            if book not in records.BOOKS or not section:
                problem = f"“{place}” is no source: write a book ({', '.join(records.BOOKS)}), “: ” and the heading"
                yield bad_file(file, key, problem)
            elif book == "card" and section not in cards:
                yield bad_file(file, key, f"no card has the English name “{section}”: correct it")
        if len(set(places)) < len(places):
            yield bad_file(file, key, "names a place twice: keep one")
        if not places and needs_one:
            keys = f"reading.{needs_one}.for and reading.{needs_one}.against"
            problem = f"is empty: add a source, or for a reading the texts {keys} to the glossaries"
            yield bad_file(file, key, problem)


def box_entries(box: records.BoxRecord, file: str) -> Iterator[tuple[str, str, Record]]:
    """The box, its families and its piles, as :func:`_entries`."""
    yield file, "box", box
    yield from ((file, "family", family) for family in box.family)
    yield from ((file, "beside", pile) for pile in box.beside)
    yield from ((file, "feature_deck", deck) for deck in (box.feature_deck,) if deck)


def box_file(box: str, name: str) -> str:
    return f"db/boxes/{box}/{name}.toml"


def _card_file(card: records.CardWithEffects) -> str:
    return box_file(card.set_id, "cards")


def _known(sources: Sources) -> dict[str, Collection[str]]:
    cards, families, sets, terms = (
        {record.id for record in records}
        for records in (sources.cards, sources.families, sources.boxes, sources.terms)
    )  # fmt: skip
    rulings = {ruling.id for ruling in sources.clarifications}
    types = {kind for card in sources.cards for kind in card.types}
    return known_ids(cards=cards, families=families, sets=sets, terms=terms, rulings=rulings, types=types)


def known_ids(
    *, cards: set[str], families: set[str], sets: set[str], terms: set[str], rulings: set[str], types: set[str]
) -> dict[str, Collection[str]]:
    """Field of a record -> the ids that it may hold."""
    keys = ("classes", "heroes", "village", "features", "guardians", "stones", "pile", "without", "needed_by")
    return {
        "card": cards, "cards": cards, "reprint_of": cards, "family": families, "families": families, "sets": sets,
        "boxes": sets, "extras": sets, "replaces": cards, "term": terms, "terms": terms, "rulings": rulings,
        **dict.fromkeys(keys, cards | families),
        **dict.fromkeys(("type", "not_type", "wields", "holder", "target", "after"), types),
    }  # fmt: skip


def _gaps(sources: Sources, ids: Known) -> Iterator[InputError]:
    english = sources.glossaries[records.SOURCE_LANGUAGE]
    texts = {c.text_key(e.id) for c in sources.cards for e in c.effects}
    texts |= {key for key in sources.targets if key.startswith(("rule.", "clarify.", "conflict.", "answer."))}
    texts |= {f"title.{rule.id}" for rule in sources.rules}
    texts |= {key for key in english.texts if key.removeprefix("open.") in texts}
    puzzle_keys = {f"puzzle.{puzzle.id}" for puzzle in sources.puzzles}
    texts |= puzzle_keys or {key for key in english.texts if key.startswith("puzzle.")}
    readings = {rule.id for rule in sources.rules if rule.status == "reading"}
    readings |= sources.argued & sources.places.keys()
    texts |= {f"reading.{subject}.{side}" for subject in readings for side in ("for", "against")}
    needed = {section: set(ids[section]) for section in ("cards", "families", "terms", "sets")}
    needed |= {"texts": texts | set(english.texts), "messages": set(english.messages)}
    ids = {**ids, "texts": texts | {f"term.{term}" for term in needed["terms"]}, "messages": needed["messages"]}
    games = {"texts": sources.text_games, "terms": {term.id: term.game for term in sources.terms}}
    askable = {*sources.targets, *(f"{key}{paths.TOLD}" for key in sources.targets if key.startswith("answer."))}
    for lang, glossary in sources.glossaries.items():
        file = f"glossary/{lang}.toml"
        for section, keys in {} if glossary.draft else needed.items():
            for key in sorted(keys - set(getattr(glossary, section))):
                game = games.get(section, {}).get(key, paths.FIRST_GAME)
                lacking = f"glossary/{lang}{part_of(section, key, game)}.toml"
                yield bad_file(lacking, f"{section}.{key}", "is missing: add it")
        yield from language_problems(lang, glossary, english)
        yield from _dangling(file, "", glossary, ids)
        for card, name in glossary.cards.items():
            if name.forms and len(name.forms) != len(glossary.cases):
                problem = f"needs a form for each of {', '.join(glossary.cases)}: correct it"
                yield bad_file(file, f"cards.{card}.forms", problem)
        yield from _dangling(f"glossary/{lang}.ask.toml", "", glossary, {"ask": askable})


def part_of(section: str, key: str, game: paths.Game) -> str:
    """Return what stands before ``.toml`` in the name of the file in which a language has an entry: ``.ask``."""
    if section in ("ask", "phrases") or (section == "texts" and key.startswith("answer.")):
        return ".ask"
    games = (other for other in paths.GAMES if other != paths.FIRST_GAME and section == "messages" and other in key)
    game = next(games, game)
    return "" if game == paths.FIRST_GAME else f".{game}"


def language_problems(lang: str, glossary: records.GlossaryFile, english: records.GlossaryFile) -> Iterator[InputError]:
    """What keeps the messages of a language from being filled in, and its words from being read."""
    file = f"glossary/{lang}.toml"
    try:
        forms, _ = plural_rule(glossary.plural)
    except ValueError as error:
        yield bad_file(file, "plural", f"is no rule such as “n != 1” ({error}): correct it")
        return
    if fault := fault_in(glossary.grammar.model_dump()):
        yield bad_file(file, "grammar", f"has a pattern that is none ({fault}): correct it")
    for key, entry in glossary.messages.items():
        theirs = records.text_of(english.messages.get(key, entry))
        for problem, detail in () if key.startswith(NO_WORDS) else misfits(theirs, records.text_of(entry), forms):
            remedy = {
                "malformed": f"has a brace too many or too few ({detail}): correct it",
                "fields": f"has other names in braces than the English ({detail}): correct them",
                "plural": f"needs {forms} forms, parted by “|”, in {detail}: correct it",
            }[problem]
            where = part_of("messages", key, paths.FIRST_GAME)
            yield bad_file(f"glossary/{lang}{where}.toml", f"messages.{key}", remedy)


def card_problems(card: records.CardWithEffects, file: str, known: Known) -> Iterator[InputError]:
    """An error for each figure or ability of a card that cannot be; what is not judged may lack figures."""
    seen, judged = Counter[str](), card.judged is not False
    fights, ids = card.kind in ("monster", "guardian"), {effect.id for effect in card.effects}
    for is_wrong, why, problem in (
        (
            (card.kind == "hero") != (card.level is not None),
            "level",
            "a hero has a level 1 to 3 and nothing else has one",
        ),
        (judged and "weapon" in card.types and card.weight is None, "weight", "a weapon has a weight"),
        (card.kind in OF_A_FAMILY and card.family is None, "family-of", f"a {card.kind} belongs to a family"),
        (judged and card.is_hero and card.strength is None, "strength", "a hero has a strength"),
        (judged and fights and None in (card.health, card.xp), "health", "a monster has health and xp"),
        (len(ids) < len(card.effects), "effects", "the ids of a card's effects are unique"),
    ):
        if is_wrong:
            yield bad_file(file, f"card[{card.id}]", problem, why, kind=card.kind)
    for effect in card.effects:
        key = f"card[{card.id}].effects[{effect.id}]"
        seen[effect.timing] += 1
        fitting = effect.timing if seen[effect.timing] == 1 else f"{effect.timing}-{seen[effect.timing]}"
        if effect.id != fitting:
            yield bad_file(file, f"{key}.id", f"has to be “{fitting}”: correct it", "choice", known=fitting)
        yield from _dangling(file, key, effect, known)
        for operation in (*effect.cost, *effect.do):
            for record in _parts(operation):
                yield from _dangling(file, f"{key}.{operation.op}", record, known)


def _parts(record: Record) -> Iterator[Record]:
    yield record
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, Record):
            yield from _parts(value)


def _dangling(file: str, where: str, record: Record, known: Known) -> Iterator[InputError]:
    for field in known:
        used: Any = getattr(record, field, None) or ()
        for name in (used,) if isinstance(used, (str, int)) else used:
            if isinstance(name, str) and name not in known[field]:
                problem = f"“{name}” is not defined: correct or add it"
                yield bad_file(file, f"{where}.{field}".removeprefix("."), problem, "undefined", name=name)
