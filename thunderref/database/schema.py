"""The tables of the built database, as sqlite-utils creates them; readable in any SQLite shell.

For people who browse in it: views in the words of the commands' JSON, and metadata for Datasette.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from thunderref.database.paths import FIGURES, GAMES, passage_index
from thunderref.database.records import SOURCE_LANGUAGE, GlossaryFile, text_of

if TYPE_CHECKING:
    from sqlite_utils import Database

Row = dict[str, Any]


def _table(columns: str, pk: str | tuple[str, ...] = "id", index: str = "", **foreign: str) -> dict[str, Any]:
    """A table by its columns, text unless marked ``:int``; ``foreign`` are columns that refer to another table.

    ``index``: columns to look up by, each in an index of its own unless joined by ``+``.
    """
    return {
        "columns": {column.removesuffix(":int"): int if ":" in column else str for column in columns.split()},
        "pk": pk,
        "foreign_keys": [(column, *where.split(".")) for column, where in foreign.items()],
        "index": [columns.split("+") for columns in index.split()],
    }


TABLES: dict[str, dict[str, Any]] = {
    "meta": _table("key value", "key"),
    "sets": _table("id position:int boxed:int basic:int digest"),
    "families": _table("id set_id kind position:int", set_id="sets.id"),
    "rules": _table("id game position:int status see sources reading:int"),
    "switches": _table("name position:int rule default other card conflict record", "name", rule="rules.id"),
    "cards": _table(
        f"id position:int set_id kind family level:int count:int {':int '.join(FIGURES)}:int"
        " reprint_of attested judged:int sources",
        index="set_id kind family", set_id="sets.id", family="families.id", reprint_of="cards.id",
    ),
    "types": _table("card position:int type", ("card", "position"), "type", card="cards.id"),
    "effects": _table(
        "card position:int id timing mandatory:int record text_key", ("card", "id"), "timing", card="cards.id"
    ),
    "names": _table(
        "kind subject lang position:int name official:int form words joined stems parts cases game",
        ("kind", "subject", "lang", "position"), "form words joined",
    ),
    "aliases": _table("id:int card lang form joined", index="form", card="cards.id"),
    "card_words": _table("stem card lang alias:int size:int", ("stem", "card", "lang", "alias"), card="cards.id"),
    "terms": _table("id game position:int grp"),
    "term_rules": _table("term rule", ("term", "rule"), term="terms.id", rule="rules.id"),
    "card_rules": _table("card rule", ("card", "rule"), card="cards.id", rule="rules.id"),
    "clarifications": _table("id position:int rules sources reading:int"),
    "clarification_cards": _table(
        "clarification card", ("clarification", "card"), "card", clarification="clarifications.id", card="cards.id"
    ),
    "answers": _table("id game position:int verdict about rules rulings cards example", index="about"),
    "conflicts": _table("id position:int sources"),
    "conflict_subjects": _table(
        "conflict kind subject", ("conflict", "kind", "subject"), "subject", conflict="conflicts.id"
    ),
    "texts": _table("key lang game text stale:int", ("key", "lang")),
    "messages": _table("key lang text", ("key", "lang")),
    "languages": _table("lang language plural grammar position:int", "lang"),
    "setup_records": _table("kind id position:int record", ("kind", "id")),
    "reference": _table("position:int record", "position"),
    "puzzles": _table("id position:int rules scenario solution"),
    "passages": _table("id:int key game kind subject lang tokens names", index="subject key game+kind+lang"),
    "subjects": _table("number:int key about game", "number"),
    "questions": _table("subject:int lang told:int texts", ("subject", "lang", "told"), subject="subjects.number"),
    "features": _table("lang feature known:int asked:int subjects weights", ("lang", "feature")),
    "totals": _table("lang texts:int logs", "lang"),
    "everyday": _table("word", "word"),
    "phrases": _table("lang phrase topic value", ("lang", "phrase")),
    "same_words": _table("lang stem said", ("lang", "stem")),
}  # fmt: skip
"""Table -> columns, primary key, foreign keys and indexes.

``names`` has a row for each spelling of a card, family, term or set (position 0 is the one shown), and for each id,
with an empty ``lang``: ``form`` is normalised by :func:`fold`, ``words`` the same with its words sorted, ``joined``
without blanks, ``cases`` its forms in sentences and its gender, ``stems`` those of each word, separated by ``|``;
``parts`` the same with its token, without small words, for comparison with questions.
``aliases`` are what players call a card, or a family of cards; ``card_words`` has each stem of each word of a card's
names and its family's (``alias`` 0), and of its aliases, of ``size`` words; Cyrillic stems are relaxed.
``passages`` are the texts for the full-text table of each game: ``tokens`` are words without endings.
``subjects`` are what a question may be about: an answer, term, card, rule, ruling or conflict by its ``key``, and what
it is ``about`` (``rule.R5.4``); ``foreign`` is what nothing answers. ``questions`` are those of the players, one to a
line, ``told`` such that no verdict answers. ``features`` of a language (see :mod:`.known_questions`) say in how many
texts they are ``known`` and, of stems, in how many questions ``asked``; their ``weights``, a byte each, belong to the
``subjects``, two bytes each. ``totals`` have the number of all texts, and for each subject the logarithm (a float) of
all weights together.
``everyday`` has the words of foreign questions, with their endings. ``phrases`` are
folded words of questions, the topic on which they say something in a list or of a situation, and what they say.
``same_words`` are stems that the known questions lack, and what these say instead.
"""


def create_tables(db: Database) -> None:
    for name, spec in TABLES.items():
        table = db.table(name)
        table.create(spec["columns"], pk=spec["pk"], foreign_keys=spec["foreign_keys"] or None)
        for columns in spec["index"]:
            table.create_index(columns)
    columns = "tokens, names, content='', tokenize=\"unicode61 tokenchars '·'\""
    for game in GAMES:
        db.execute(f"CREATE VIRTUAL TABLE {passage_index(game)} USING fts5({columns})")


def insert(db: Connection, table: str, rows: Iterable[Row], how: str = "INSERT") -> None:
    """Adds rows to a table without sqlite-utils, lists as JSON; a column that a row lacks is NULL there."""
    columns = [*TABLES[table]["columns"]]
    names, places = ", ".join(f"[{column}]" for column in columns), ", ".join("?" * len(columns))
    values = ([_stored(row.get(column)) for column in columns] for row in rows)
    db.executemany(f"{how} INTO [{table}] ({names}) VALUES ({places})", values)


def _stored(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | tuple | dict) else value


CARD_COLUMNS = (
    "id", "name", "official", "kind", "set", "family", "level", "count", "types", *FIGURES, "text", "attested",
    "reprint_of", "position",
)  # fmt: skip
"""The columns of the view ``cards_<lang>``; ``types`` is a JSON list, the ``text`` that of all abilities."""
RULING_COLUMNS = {
    "id": "Stable id", "lang": "Language of the text", "text": "The ruling, in words of our own",
    "cards": "Ids of the cards it is about; may be none", "rules": "Ids of the rules it rests on",
    "sources": "Printed places it rests on: book and section",
    "reading": "1 where the printed sources leave the question open", "position": "Place in the order of the rulings",
}  # fmt: skip
"""The columns of the view ``rulings``, a row a ruling and language; ``cards``, ``rules`` and ``sources`` are lists."""
SEARCHED = {
    "card_index": """
        SELECT c.position, group_concat(said.words, ' ') FROM cards AS c JOIN (
            SELECT kind, subject, name || ' ' || form AS words FROM names
            UNION ALL SELECT 'card', card, form FROM aliases
            UNION ALL SELECT 'card', e.card, t.text FROM effects AS e JOIN texts AS t ON t.key = e.text_key
        ) AS said ON said.subject IN (c.id, c.reprint_of) AND said.kind = 'card'
            OR said.subject = c.family AND said.kind = 'family'
        GROUP BY c.position ORDER BY c.position""",
    "ruling_index": """
        SELECT c.position, group_concat(t.text, ' ') FROM clarifications AS c JOIN texts AS t
        ON t.key = 'clarify.' || c.id GROUP BY c.position ORDER BY c.position""",
}
"""Full-text table for people -> its rows: the ``position`` of a card or ruling, its names and texts in all languages.

The names are there as written and as folded (“Płomienny” and “plomienny”).
"""


def view_of(lang: str) -> str:
    return f"cards_{lang}"


def said(key: str, lang: str) -> str:
    """SQL for the text of a key (SQL too) in a language, or else in English."""
    condition = f"lang IN ('{lang}', '{SOURCE_LANGUAGE}') ORDER BY lang = '{SOURCE_LANGUAGE}' LIMIT 1"
    return f"(SELECT text FROM texts WHERE key = {key} AND {condition})"


def create_views(db: Database, languages: Iterable[str]) -> None:
    """The views ``cards_<lang>`` and ``rulings``, and the full-text tables for them."""
    for index in SEARCHED:
        options = "words, content='', tokenize='unicode61 remove_diacritics 2'"
        db.execute(f"CREATE VIRTUAL TABLE {index} USING fts5({options})")
        with db.conn:
            index_for_people(db.conn, index)
    for lang in languages:
        db.create_view(view_of(lang), cards_view(lang))
    db.create_view("rulings", _RULINGS)


def index_for_people(db: Connection, index: str, after: int = -1) -> None:
    """Fills a full-text table for people with what lies behind a position."""
    db.execute(f"INSERT INTO {index} (rowid, words) SELECT * FROM ({SEARCHED[index]}) WHERE position > ?", [after])


def cards_view(lang: str) -> str:
    names = (
        "FROM names AS n WHERE n.kind = 'card' AND n.subject = c.id AND n.position = 0"
        f" AND n.lang IN ('{lang}', '{SOURCE_LANGUAGE}') ORDER BY n.lang = '{SOURCE_LANGUAGE}' LIMIT 1"
    )
    effects = f"SELECT {said('e.text_key', lang)} AS text FROM effects AS e WHERE e.card = c.id ORDER BY e.position"
    types = "SELECT t.type FROM types AS t WHERE t.card = c.id ORDER BY t.position"
    sources = {
        "name": f"(SELECT n.name {names})", "official": f"(SELECT n.official {names})", "set": "c.set_id",
        "types": f"(SELECT json_group_array(type) FROM ({types}))",
        "text": f"(SELECT group_concat(text, ' ') FROM ({effects}))",
    }  # fmt: skip
    columns = (f"{sources.get(column, f'c.{column}')} AS [{column}]" for column in CARD_COLUMNS)
    return f"SELECT {', '.join(columns)} FROM cards AS c ORDER BY c.position"


_RULINGS = (
    "SELECT c.id AS id, l.lang AS lang, t.text AS text, (SELECT json_group_array(card) FROM (SELECT k.card FROM"
    " clarification_cards AS k WHERE k.clarification = c.id ORDER BY k.rowid)) AS cards, c.rules AS rules,"
    " c.sources AS sources, c.reading AS reading, c.position AS position FROM clarifications AS c"
    " JOIN texts AS t ON t.key = 'clarify.' || c.id JOIN languages AS l ON l.lang = t.lang"
    " ORDER BY c.position, l.position"
)


SHOWN = {
    "cards": "What is printed on each card. The views of a language (cards_en, …) have its name and texts too.",
    "conflicts": "What the editions disagree on; each text is in texts as conflict.<id>.",
    "effects": "The abilities of the cards; record is the ability as the program reads it.",
    "families": "The cards of one randomizer: a hero race, a monster class, a trap class, guardians.",
    "names": "Every spelling of a card, family, term or set in every language; position 0 is the one shown.",
    "rules": "The rules by number; each text is in texts as rule.<id>.",
    "sets": "The boxes.",
    "terms": "Words of the game; each text is in texts as term.<id>.",
    "texts": "Every text in every language; stale if its English has changed since.",
}
"""The tables that are listed; the others serve look-ups."""
_PAGE = 100
"""Rows on a page."""
_STYLE = (
    "<style>dl.column-descriptions {max-height: 8rem; overflow-y: auto}"
    " dl.column-descriptions dt, dl.column-descriptions dd {line-height: 1.5; margin: 0}"
    " dl.column-descriptions dt {float: left; clear: left; margin-right: .5rem} .col-text {min-width: 18rem}</style>"
)
"""Keeps what there is to say about two dozen columns from pushing the cards out of sight, and their texts wide."""
QUERIES = {
    "light": "SELECT id, name, kind, light, text FROM {cards} AND light > 0 ORDER BY light DESC, name",
    "weapons": "SELECT id, name, weight, attack, magic_attack, cost, text FROM {cards} AND EXISTS"
    " (SELECT 1 FROM json_each(types) WHERE value = 'weapon') ORDER BY weight, name",
    "affordable": "SELECT id, name, cost, types, text FROM {cards} AND kind = 'village'"
    " AND (:gold = '' OR cost <= CAST(:gold AS INTEGER)) ORDER BY cost DESC, name",
    "monsters": "SELECT id, name, health, vp, xp, text FROM {cards} AND kind = 'monster' ORDER BY health DESC, name",
    "breach": "SELECT id, name, kind, text FROM {cards} AND id IN (SELECT card FROM effects WHERE timing = 'breach')"
    " ORDER BY name",
    "rules": "SELECT id, {rule} AS text, game, status, sources FROM rules ORDER BY game, position",
    "conflicts": "SELECT id, {conflict} AS text, sources FROM conflicts ORDER BY position",
}
"""Query -> its SQL, with the cards and texts of a language to be filled in; its title is ``site.query.<query>``."""


def metadata(glossaries: Mapping[str, GlossaryFile], database: str) -> dict[str, Any]:
    """The metadata of Datasette 0.65 for a database of that name; units stand in the columns' descriptions."""
    hidden: dict[str, Any] = {table: {"hidden": True} for table in TABLES if table not in SHOWN}
    tables = hidden | {table: {"description": about, "size": _PAGE} for table, about in SHOWN.items()}
    searched = {"sort": "position", "size": _PAGE, "facet_size": 10, "fts_pk": "position"}
    facets = {"facets": ["lang", "reading", {"array": "rules"}], "fts_table": "ruling_index"}
    about = f"What players ask and no rule says in so many words.{_STYLE}"
    tables["rulings"] = {"description_html": about, "columns": RULING_COLUMNS, **searched, **facets}
    queries: dict[str, Any] = {}
    links = [f'<a href="{database}/rulings">Rulings</a>']
    for lang in glossaries:
        columns = {name: _say(glossaries, lang, f"site.column.{name}", f"card.figure.{name}") for name in CARD_COLUMNS}
        facets = {"facets": ["kind", "set", {"array": "types"}], "fts_table": "card_index"}
        about = _say(glossaries, lang, "site.cards")
        tables[view_of(lang)] = {"title": about, "description_html": _STYLE, "columns": columns, **searched, **facets}
        links.insert(-1, f'<a href="{database}/{view_of(lang)}">{escape(about)}</a>')
        filled = {kind: said(f"'{kind}.' || id", lang) for kind in ("rule", "conflict")}
        filled["cards"] = f"{view_of(lang)} WHERE reprint_of IS NULL"
        for query, sql in QUERIES.items():
            title = _say(glossaries, lang, f"site.query.{query}")
            queries[f"{query}_{lang}"] = {"title": title, "sql": sql.format_map(filled), "hide_sql": True}
    greeting = "".join(f"<p>{escape(_say(glossaries, lang, 'site.about'))}</p>" for lang in glossaries)
    front = {"description_html": f"{greeting}<p>{' · '.join(links)}</p>"}
    return {
        "title": "thunderref", **front, "license": "MIT", "license_url": "https://opensource.org/license/mit",
        "source": "thunderref db export", "databases": {database: {**front, "tables": tables, "queries": queries}},
    }  # fmt: skip


def _say(glossaries: Mapping[str, GlossaryFile], lang: str, *keys: str) -> str:
    """The first message of these keys that there is, in a language or else in English."""
    texts = (glossaries[code].messages.get(key) for key in keys for code in (lang, SOURCE_LANGUAGE))
    return next(text_of(message) for message in texts if message)
