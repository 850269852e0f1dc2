"""The tables of the built database, as sqlite-utils creates them; readable in any SQLite shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thunderref.database.paths import FIGURES, GAMES, passage_index

if TYPE_CHECKING:
    from sqlite_utils import Database


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
    "sets": _table("id position:int boxed:int"),
    "families": _table("id set_id kind position:int", set_id="sets.id"),
    "rules": _table("id game position:int status see sources reading:int"),
    "switches": _table("name position:int rule default other", "name", rule="rules.id"),
    "cards": _table(
        f"id position:int set_id kind family level:int count:int {':int '.join(FIGURES)}:int reprint_of attested",
        index="set_id kind family", set_id="sets.id", family="families.id", reprint_of="cards.id",
    ),
    "types": _table("card position:int type", ("card", "position"), "type", card="cards.id"),
    "effects": _table(
        "card position:int id timing mandatory:int record text_key", ("card", "id"), "timing", card="cards.id"
    ),
    "names": _table(
        "kind subject lang position:int name official:int form words joined stems parts game",
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
    "conflicts": _table("id position:int sources"),
    "conflict_subjects": _table(
        "conflict kind subject", ("conflict", "kind", "subject"), "subject", conflict="conflicts.id"
    ),
    "texts": _table("key lang game text stale:int", ("key", "lang")),
    "messages": _table("key lang text", ("key", "lang")),
    "languages": _table("lang language plural position:int", "lang"),
    "setup_records": _table("kind id position:int record", ("kind", "id")),
    "puzzles": _table("id position:int rules scenario solution"),
    "passages": _table("id:int key game kind subject lang tokens names", index="subject game+kind+lang"),
    "vocabulary": _table("token game targets:int questions:int", ("token", "game")),
    "everyday": _table("word", "word"),
}  # fmt: skip
"""Table -> columns, primary key, foreign keys and indexes.

``names`` has a row for each spelling of a card, family, term or set (position 0 is the one shown), and for each id,
with an empty ``lang``: ``form`` is normalised by :func:`fold`, ``words`` the same with its words sorted, ``joined``
without blanks, ``stems`` those of each word, separated by ``|``; ``parts`` the same with its token, without small
words, for comparison with questions.
``aliases`` are what players call a card, or a family of cards; ``card_words`` has each stem of each word of a card's
names and its family's (``alias`` 0), and of its aliases, of ``size`` words; Cyrillic stems are relaxed.
``passages`` are the texts for the full-text table of each game: ``tokens`` are words without endings. Rows of kind
``answer`` have all texts and questions about one rule, card, ruling, term or conflict (the subject ``rule.R5.4``), the
first sentences twice; rows of kind ``question`` are single questions, of kind ``foreign`` such that nothing answers;
``vocabulary`` counts the targets and the questions that have a token: none, if foreign ones only. ``everyday`` has the
words of those, with their endings.
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
