"""Checks across the files: ids that must resolve, texts that must exist, figures that fit the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from thunderref.database.load import Sources, bad_file
from thunderref.database.paths import FIRST_GAME, GAMES, LETTERS, PUZZLES, file_of_game
from thunderref.database.records import BOOKS, SOURCE_LANGUAGE, TABLES, CardWithEffects, name_of
from thunderref.database.validation import Record
from thunderref.errors import InputError

OF_A_FAMILY = ("hero", "monster", "guardian", "trap", "thunderstone")
"""Kinds of cards that belong to a family."""
Known = Mapping[str, Collection[str]]
"""Field of a record -> the ids it may hold."""


def check_sources(sources: Sources) -> None:
    """Raises :class:`InputError` naming file, key and remedy for the first misfit."""
    for problem in _problems(sources):
        raise problem


def _problems(sources: Sources) -> Iterator[InputError]:
    rules = {game: {rule.id for rule in sources.rules if rule.game == game} for game in GAMES}
    known, seen = _known(sources), set[tuple[str, str]]()
    for file, table, record in _entries(sources):
        name, own = name_of(record), rules[getattr(record, "game", FIRST_GAME)]
        if (table, name) in seen:
            yield bad_file(file, name, "is defined twice: keep one")
        seen.add((table, name))
        yield from _dangling(file, f"{table}[{name}]", record, known | {"rules": own, "see": own})
    for rule in sources.rules:
        file, letter = file_of_game(rule.game, "rules"), LETTERS[rule.game]
        if not rule.id.startswith(letter):
            yield bad_file(file, f"rule[{rule.id}].id", f"has to begin with “{letter}”: correct it")
        if rule.status != "reading" and rule.switches:
            problem = "only a rule of status reading names open questions under switches"
            yield bad_file(file, f"rule[{rule.id}].switches", problem)
    for ruling in sources.clarifications:
        if not ruling.cards and not ruling.rules:
            problem = "is empty: a ruling on no card names the rules it belongs to"
            yield bad_file("db/clarifications.toml", f"clarification[{ruling.id}].rules", problem)
    yield from _source_problems(sources)
    for card in sources.cards:
        yield from _card_problems(card)
        yield from _effect_problems(card, known | {"rules": rules[FIRST_GAME]})
    yield from _gaps(sources, known)


def _entries(sources: Sources) -> Iterator[tuple[str, str, Record]]:
    """File, table and record of what has an id of its own; it may refer to what its game knows."""
    yield from ((_card_file(card), "card", card) for card in sources.cards)
    for rule in sources.rules:
        for table, record in (("rule", rule), *(("switches", switch) for switch in rule.switches)):
            yield file_of_game(rule.game, "rules"), table, record
    yield from ((file_of_game(term.game, "terms"), "term", term) for term in sources.terms)
    entries: dict[str, Sequence[Record]] = {"set": sources.sets, "family": sources.families, **sources.setups}
    entries |= {"clarification": sources.clarifications, "conflict": sources.conflicts, "puzzle": sources.puzzles}
    for table, records in entries.items():
        name = next(name for name, tables in TABLES.items() if table in tables)
        yield from ((PUZZLES if table == "puzzle" else f"db/{name}.toml", table, record) for record in records)


def _source_problems(sources: Sources) -> Iterator[InputError]:
    names = sources.glossaries[SOURCE_LANGUAGE].cards.values()
    cards, argued = {spelling for name in names for spelling in name.spellings}, sources.argued
    files = {rule.id: (file_of_game(rule.game, "rules"), f"rule[{rule.id}].sources") for rule in sources.rules}
    files |= {c.id: ("db/clarifications.toml", f"clarification[{c.id}].sources") for c in sources.clarifications}
    for subject, places in sources.places.items():
        for place in places:
            book, _, section = place.partition(": ")
            if book not in BOOKS or not section:
                problem = f"“{place}” is no source: write a book ({', '.join(BOOKS)}), “: ” and the heading"
                yield bad_file(*files[subject], problem)
            elif book == "card" and section not in cards:
                yield bad_file(*files[subject], f"no card has the English name “{section}”: correct it")
        if len(set(places)) < len(places):
            yield bad_file(*files[subject], "names a place twice: keep one")
        if not places and subject not in argued:
            keys = f"reading.{subject}.for and reading.{subject}.against"
            problem = f"is empty: add a source, or for a reading the texts {keys} to the glossaries"
            yield bad_file(*files[subject], problem)


def _card_file(card: CardWithEffects) -> str:
    return f"db/cards/{card.set_id}.toml"


def _known(sources: Sources) -> dict[str, Collection[str]]:
    cards, families, sets, terms = (
        {record.id for record in records}
        for records in (sources.cards, sources.families, sources.sets, sources.terms)
    )  # fmt: skip
    types = {kind for card in sources.cards for kind in card.types}
    named = ("classes", "heroes", "village", "features", "guardians", "stones", "pile", "without")
    return {
        "card": cards, "cards": cards, "reprint_of": cards, "family": families, "families": families, "set": sets,
        "sets": sets, "term": terms, "terms": terms, **dict.fromkeys(named, cards | families),
        **dict.fromkeys(("type", "not_type", "wields", "holder", "target", "after"), types),
    }  # fmt: skip


def _gaps(sources: Sources, known: Known) -> Iterator[InputError]:
    english = sources.glossaries[SOURCE_LANGUAGE]
    texts = {c.text_key(e.id) for c in sources.cards for e in c.effects}
    texts |= {f"rule.{rule.id}" for rule in sources.rules}
    texts |= {f"clarify.{c.id}" for c in sources.clarifications}
    texts |= {f"conflict.{conflict.id}" for conflict in sources.conflicts}
    told = {f"puzzle.{puzzle.id}" for puzzle in sources.puzzles}
    texts |= told or {key for key in english.texts if key.startswith("puzzle.")}
    readings = {rule.id for rule in sources.rules if rule.status == "reading"}
    readings |= sources.argued & sources.places.keys()
    texts |= {f"reading.{subject}.{side}" for subject in readings for side in ("for", "against")}
    needed = {section: set(known[section]) for section in ("cards", "families", "terms", "sets")}
    needed |= {"texts": texts | set(english.texts), "messages": set(english.messages)}
    known = {**known, "texts": texts | {f"term.{term}" for term in needed["terms"]}, "messages": needed["messages"]}
    games = {"texts": sources.text_games, "terms": {term.id: term.game for term in sources.terms}}
    for lang, glossary in sources.glossaries.items():
        file = f"glossary/{lang}.toml"
        for section, keys in {} if glossary.draft else needed.items():
            for key in sorted(keys - set(getattr(glossary, section))):
                game = games.get(section, {}).get(key, FIRST_GAME)
                lacking = file if game == FIRST_GAME else f"glossary/{lang}.{game}.toml"
                yield bad_file(lacking, f"{section}.{key}", "is missing: add it")
        yield from _dangling(file, "", glossary, known)
        yield from _dangling(f"glossary/{lang}.ask.toml", "", glossary, {"ask": sources.targets})


def _card_problems(card: CardWithEffects) -> Iterator[InputError]:
    for is_wrong, problem in (
        ((card.kind == "hero") != (card.level is not None), "a hero has a level 1 to 3 and nothing else has one"),
        ("weapon" in card.types and card.weight is None, "a weapon has a weight"),
        (card.kind in OF_A_FAMILY and card.family is None, f"a {card.kind} belongs to a family"),
        (card.is_hero and card.strength is None, "a hero has a strength"),
        (card.kind in ("monster", "guardian") and None in (card.health, card.xp), "a monster has health and xp"),
        (len({effect.id for effect in card.effects}) < len(card.effects), "the ids of a card's effects are unique"),
    ):
        if is_wrong:
            yield bad_file(_card_file(card), f"card[{card.id}]", problem)


def _effect_problems(card: CardWithEffects, known: Known) -> Iterator[InputError]:
    file, seen = _card_file(card), Counter[str]()
    for effect in card.effects:
        key = f"card[{card.id}].effects[{effect.id}]"
        seen[effect.timing] += 1
        fitting = effect.timing if seen[effect.timing] == 1 else f"{effect.timing}-{seen[effect.timing]}"
        if effect.id != fitting:
            yield bad_file(file, f"{key}.id", f"has to be “{fitting}”: correct it")
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
                yield bad_file(file, f"{where}.{field}".removeprefix("."), problem)
