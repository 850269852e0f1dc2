"""Cards as typed records: those that a look-up finds, and all of the database for other programs, with its JSON Schema.

The cards as a table, too.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from thunderref.database.paths import Game
from thunderref.database.read import Database, Language, open_database
from thunderref.database.records import SOURCE_LANGUAGE
from thunderref.database.schema import CARD_COLUMNS, view_of
from thunderref.database.validation import Record
from thunderref.search.card import card_document, card_record, cards_document, list_cards
from thunderref.search.card_query import written
from thunderref.search.rules import find_rules, rule_record

T = TypeVar("T", bound=Record)
FORMATS = ("json", "csv")
SCHEMA_VERSION = 1
"""Increased when a key of the export changes its meaning or goes; new keys may come at any time."""
_FORMULA = ("=", "+", "-", "@")
"""A text that begins so would be a formula in a spreadsheet."""


class Source(Record):
    """A printed place: the rulebook, or ``card``, and the heading there, or the English name of the card."""

    book: str
    section: str


class CardRuling(Record):
    id: str
    lang: str
    text: str
    rules: list[str]
    sources: list[Source]
    reading: bool


class EditionConflict(Record):
    """What editions disagree on about some cards, and the reading taken, in one language and in all."""

    id: str
    cards: list[str]
    text: str
    texts: dict[str, str]
    sources: list[str]


class PrintedAbility(Record):
    timing: str
    mandatory: bool
    text: dict[str, str]


class PrintedCard(Record):
    """What is on a card: ``name`` and ``text`` by language, figures the card lacks are None.

    ``official``: language -> False for a name of our own; ``attested``: the facts were seen ``printed``, in ``two``
    listings or in ``one``; ``judged`` is False if no file says what the card does; ``text`` is that of all
    ``abilities``; ``rules``: those the card and its rulings rest on.
    """

    id: str
    name: dict[str, str | None]
    official: dict[str, bool]
    set: str
    kind: str
    family: str | None
    level: int | None
    count: int
    attested: str
    judged: bool
    types: list[str]
    cost: int | None
    gold: int | None
    light: int | None
    vp: int | None
    strength: int | None
    weight: int | None
    health: int | None
    xp: int | None
    level_cost: int | None
    light_penalty: int | None
    attack: int | None
    magic_attack: int | None
    text: dict[str, str | None]
    abilities: list[PrintedAbility]
    rules: list[str]


class CardMatch(PrintedCard):
    """All about a card found; ``score`` 0 to 100.

    ``reprints``: the copies in another box; ``sources``: its own entries in the books; ``levels``: the others of the
    same hero; ``matched``: how the name was found, if it was by name.
    """

    score: int
    reprints: list[dict[str, Any]]
    clarifications: list[CardRuling]
    conflicts: list[EditionConflict]
    sources: list[dict[str, str]]
    levels: list[dict[str, Any]]
    matched: dict[str, str | None] | msgspec.UnsetType = msgspec.UNSET


class LookupResult(Record):
    """The cards a query finds, best first; several only where it is ambiguous or more were asked for."""

    query: str
    matches: list[CardMatch]


class ExportedCard(PrintedCard):
    """A card; ``reprint_of`` is the same card in an earlier box."""

    reprint_of: str | None


class NamedRecord(Record):
    """A box; ``official`` is by language too: False for a name of our own."""

    id: str
    name: dict[str, str]
    official: dict[str, bool]


class Worded(Record):
    """What has a text in each language."""

    id: str
    text: dict[str, str]


class ExportedFamily(NamedRecord):
    """The cards of one randomizer: a hero race, a monster or trap class, guardians."""

    set: str
    kind: str


class ExportedRule(Worded):
    """A rule of a game; ``see`` are related rules, ``sources`` the printed places it rests on."""

    game: str
    status: str
    reading: bool
    see: list[str]
    sources: list[Source]


class ExportedRuling(Worded):
    """A ruling on cards, or without any on its rules; with ``reading`` the printed sources leave it open."""

    reading: bool
    cards: list[str]
    rules: list[str]
    sources: list[Source]


class ExportedTerm(NamedRecord):
    """A word of a game with the rules that define it."""

    game: str
    group: str
    text: dict[str, str]
    rules: list[str]


class ExportedConflict(Worded):
    """What the editions ``sources`` disagree on, and which one counts."""

    cards: list[str]
    rules: list[str]
    terms: list[str]
    sources: list[str]


class Export(Record):
    """The data of thunderref. Names and texts are by language code; a card refers to others by their ids.

    ``languages``: code -> the name of the language. Everything stands in the order of the boxes and of the rules.
    """

    schema_version: int
    languages: dict[str, str]
    sets: list[NamedRecord]
    families: list[ExportedFamily]
    cards: list[ExportedCard]
    rules: list[ExportedRule]
    rulings: list[ExportedRuling]
    terms: list[ExportedTerm]
    conflicts: list[ExportedConflict]


class CardsResult(Record):
    """The cards that meet a query, which is given in its full form; ``count`` of them, whatever the limit."""

    query: str
    count: int
    matches: list[CardMatch]


class RuleMatch(Record, rename={"for_": "for"}):
    """A rule or a term; ``rules`` are those of a term or a section, ``cards`` those that cite it.

    ``sources`` and ``reading`` are a rule's, ``for_`` and ``against`` the reasons of an open one by language.
    """

    id: str
    kind: str
    game: Game
    score: int
    name: dict[str, str | None]
    official: dict[str, bool]
    text: dict[str, str | None]
    status: str | None
    rules: list[str]
    cards: list[str]
    clarifications: list[dict[str, Any]]
    conflicts: list[EditionConflict]
    see: list[str]
    switches: list[dict[str, Any]]
    matched: dict[str, str]
    reading: bool | msgspec.UnsetType = msgspec.UNSET
    sources: list[Source] | msgspec.UnsetType = msgspec.UNSET
    for_: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    against: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class RulesResult(Record):
    """The rules and terms that a query finds, best first."""

    query: str
    matches: list[RuleMatch]


def lookup(query: str, lang: str | None = None, limit: int = 1, *, database: Database | None = None) -> LookupResult:
    """The card (or cards) that ``query`` names; ``limit`` above 1 asks for the next best matches too.

    ``lang`` is that of what comes in one language only (default English). Raises :class:`NoAnswerError`
    (``unknown-card``, ``term-not-card``), and :class:`InputError` for a bad query or language.
    """
    document, _ = card_document(Language(database or open_database(), lang), query, limit)
    return msgspec.convert(document, LookupResult)


def cards_result(words: Language, query: str, sort: Sequence[str] = (), limit: int | None = None) -> CardsResult:
    """The cards that meet ``query``, all for an empty one; raises as :func:`list_cards`."""
    full, _, cards = list_cards(words, query or None, sort)
    return msgspec.convert(cards_document(words, written(full) if full else "", cards, limit), CardsResult)


def list_rules(words: Language, query: str, limit: int | None = None, game: Game | None = None) -> RulesResult:
    """The rules and terms that ``query`` names; raises as :func:`find_rules`."""
    hits = find_rules(words.database, query, words.lang, game)[:limit]
    matches = [rule_record(words.database, hit, words.lang) for hit in hits]
    return msgspec.convert({"query": query, "matches": matches}, RulesResult)


def export_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of :class:`Export`."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Export)}


def export(database: Database) -> Export:
    """The whole database, the same for the same files."""
    about = {
        f"{kind}s": _list_of(f"subject FROM conflict_subjects WHERE conflict = t.id AND kind = '{kind}'")
        for kind in ("card", "rule", "term")
    }
    ruled = {"cards": _list_of("card FROM clarification_cards WHERE clarification = t.id"), "rules": "json(t.rules)"}
    cards = database.cards.values()
    records = (card_record(database, card.id, SOURCE_LANGUAGE) | {"reprint_of": card.reprint_of} for card in cards)
    return Export(
        schema_version=SCHEMA_VERSION,
        languages=dict(database.query("SELECT lang, language FROM languages ORDER BY position")),
        sets=_read(database, NamedRecord, "sets", "set"),
        families=_read(database, ExportedFamily, "families", "family"),
        cards=[
            msgspec.convert({field: record[field] for field in ExportedCard.__struct_fields__}, ExportedCard)
            for record in records
        ],
        rules=_read(database, ExportedRule, "rules", "rule"),
        rulings=_read(database, ExportedRuling, "clarifications", "clarify", **ruled),
        terms=_read(database, ExportedTerm, "terms", "term", rules=_list_of("rule FROM term_rules WHERE term = t.id")),
        conflicts=_read(database, ExportedConflict, "conflicts", "conflict", **about),
    )


def _read(database: Database, record: type[T], table: str, kind: str, **columns: str) -> list[T]:
    """The rows of a table as records; ``kind`` is that of its names and texts, ``columns`` are SQL for fields."""
    names_sql = f"FROM names WHERE kind = '{kind}' AND subject = t.id AND lang != '' AND position = 0"
    columns = {
        "name": f"(SELECT json_group_object(lang, name) {names_sql})",
        "official": f"(SELECT json_group_object(lang, official) {names_sql})",
        "text": f"(SELECT json_group_object(lang, text) FROM texts WHERE key = '{kind}.' || t.id)",
        "set": "t.set_id", "group": "t.grp", "see": "json(t.see)", "sources": "json(t.sources)",
    } | columns  # fmt: skip
    fields = ", ".join(f"'{field}', {columns.get(field, f't.{field}')}" for field in record.__struct_fields__)
    rows = database.query(f"SELECT json_object({fields}) FROM {table} AS t ORDER BY t.position")
    return [msgspec.json.decode(row, type=record, strict=False) for (row,) in rows]  # 0 and 1 as False and True


def _list_of(select: str) -> str:
    column = select.split()[0]
    return f"(SELECT json_group_array({column}) FROM (SELECT {select} ORDER BY rowid))"


def csv_text(database: Database, lang: str) -> str:
    """The view of the cards in a language as CSV: a row a card, its values as plain numbers, its types with commas.

    A text that a spreadsheet would take for a formula (“+1 к атаке”) has a blank before it.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(CARD_COLUMNS)
    types = CARD_COLUMNS.index("types")
    for row in database.query(f"SELECT * FROM {view_of(lang)}"):
        cells = [", ".join(json.loads(cell)) if i == types else cell for i, cell in enumerate(row)]
        table.writerow(f" {cell}" if str(cell).startswith(_FORMULA) else cell for cell in cells)
    return written.getvalue()
