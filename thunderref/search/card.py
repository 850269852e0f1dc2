"""A card as look-ups return it: the JSON shape of the outside contract, in plain values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thunderref.database.card_records import Card
from thunderref.database.paths import FIGURES
from thunderref.database.read import FALLBACK, Database, Language
from thunderref.errors import Candidate, NoAnswerError
from thunderref.search.query import Hit, NamesFound, begun_card, check_query, exact_card, shorten

if TYPE_CHECKING:
    from thunderref.search.card_query import Query

BEGUN = 78
"""Score of the beginning of a name."""


def find_cards(words: Language, text: str, *, more: bool = False) -> NamesFound:
    """The cards that ``text`` names, or else whose texts have its words; ``more``: worse matches too.

    Raises :class:`NoAnswerError` (``unknown-card``, ``term-not-card`` for what is no card: breach, spoils) if nothing
    fits, and :class:`InputError` for an empty or an over-long text.
    """
    database = words.database
    result = None if more else exact_card(database, check_query(text))
    if result is None:
        from thunderref.search.names import search_cards, search_terms, unknown_card
        from thunderref.search.passages import cards_by_text

        result = search_cards(database, text, more=more)
        if not result.hits and (card := begun_card(words, text)):
            name = database.names_of("card", words.lang)[card].name
            result = NamesFound((Hit(card, BEGUN, "beginning", words.lang, name),), 1)
        for term in () if result.hits else search_terms(database, text).hits[:1]:
            if term.score >= 90:
                name = words.term(term.id)
                near = [Candidate(name, term.id)]
                raise NoAnswerError("term-not-card", name=shorten(text), term=name, candidates=near)
        result = result if result.hits else cards_by_text(database, text)
        if not result.hits:
            raise unknown_card(database, text, lang=words.lang)
    return result


def card_document(words: Language, text: str, limit: int | None = None) -> tuple[dict[str, Any], NoAnswerError | None]:
    """What ``card --json`` prints, and the error that an ambiguous name is; raises as :func:`find_cards`.

    The name of a family or class is the name of all its cards.
    """
    database, more = words.database, limit is not None and limit > 1
    result = find_cards(words, text, more=more)
    hits = result.hits[: limit if more else result.equals]
    matches = [card_record(database, hit.id, words.lang, hit) for hit in hits]
    document, families = {"query": text, "matches": matches}, {match["family"] for match in matches} - {None}
    members = {card.id for card in database.cards.values() if card.family in families and card.reprint_of is None}
    if result.equals == 1 or more or (len(families) == 1 and members == {match["id"] for match in matches}):
        return document, None
    from thunderref.search.names import ambiguous_card

    return document, ambiguous_card(database, text, result, words.lang)


def list_cards(
    words: Language, text: str | None, sort: Sequence[str] = ()
) -> tuple[Query | None, list[str], list[Card]]:
    """The query in a text, the fields by which its cards are sorted, and these; all cards for None.

    Words of a question are read as one where they name no card ("wizards under 6"). Raises :class:`NoAnswerError`
    (``no-cards``), and as :func:`filter_cards`.
    """
    from thunderref.search.card_query import conditions
    from thunderref.search.filters import filter_cards, parse_query, sort_cards

    query, keys = None if text is None else parse_query(words.database, text), [*sort]
    cards = filter_cards(words.database, query or "")
    if not cards and text and query and not conditions(query):
        from thunderref.search.lists import read_list

        if spoken := read_list(words, text, of_cards=True):
            query, keys = parse_query(words.database, spoken.query), keys or [*spoken.sort]
            cards = spoken.cards(words)
    if not cards:
        raise NoAnswerError("no-cards", filters=(text or "")[:200])
    return query, keys, sort_cards(words, cards, keys)


def cards_document(words: Language, query: str, cards: Sequence[Card], limit: int | None) -> dict[str, Any]:
    """What ``cards --json`` prints of the cards that meet the query, which is given in its full form."""
    records = [card_record(words.database, card.id, words.lang) for card in cards[:limit]]
    return {"query": query, "count": len(cards), "matches": records}


def card_record(database: Database, card_id: str, lang: str, hit: Hit | None = None) -> dict[str, Any]:
    """All about a card, as the fields of :class:`thunderref.search.export.CardMatch`; ``conflicts`` in ``lang``."""
    card = database.card_values(card_id)
    base = card["reprint_of"] or card_id
    names = database.names("card", card_id)
    abilities: list[dict[str, Any]] = [
        {"timing": timing, "mandatory": bool(mandatory), "text": database.texts(key)}
        for timing, mandatory, key in database.query(
            "SELECT timing, mandatory, text_key FROM effects WHERE card = ? ORDER BY position", card_id
        )
    ]
    texts = {
        code: [text for ability in abilities if (text := ability["text"].get(code) or ability["text"].get(FALLBACK))]
        for code in database.languages
    }
    clarifications = _rulings(database, "SELECT clarification FROM clarification_cards WHERE card = ?", base)
    reprints = database.query("SELECT id, set_id, count FROM cards WHERE reprint_of = ?", card_id)
    levels = database.query(
        "SELECT id, level FROM cards WHERE kind = 'hero' AND family = ? AND id != ? ORDER BY level",
        card["family"], card_id,
    )  # fmt: skip
    rules = [row[0] for row in database.query("SELECT rule FROM card_rules WHERE card = ?", card_id)]
    rules += [rule for clarification in clarifications for rule in clarification["rules"]]
    record: dict[str, Any] = {
        "id": card_id,
        "score": hit.score if hit else 100,
        "name": {code: names[code].name if code in names else None for code in database.languages},
        "official": {code: row.official for code, row in names.items()},
        "set": card["set_id"],
        **{column: card[column] for column in ("kind", "family", "level", "count", "attested", "judged")},
        "reprints": [{"id": row[0], "set": row[1], "count": row[2]} for row in reprints],
        "types": list(card["types"]),
        **{figure: card[figure] for figure in FIGURES},
        "text": {code: " ".join(sentences) or None for code, sentences in texts.items()},
        "clarifications": clarifications,
        "conflicts": conflicts_of(database, "card", base, lang),
        "abilities": abilities,
        "levels": [{"id": row[0], "level": row[1]} for row in levels if card["kind"] == "hero"],
        "rules": sorted(dict.fromkeys(rules), key=rule_order),
        "sources": database.entries(card_id),
    }
    if hit is not None:
        record["matched"] = {"how": hit.how, "lang": hit.lang or None, "name": hit.name}
    return record


def general_rulings(database: Database, rule: str) -> list[dict[str, Any]]:
    """The rulings on ``rule`` that concern no card, once for each language."""
    sql = "SELECT c.id FROM clarifications AS c, json_each(c.rules) AS named WHERE named.value = ?"
    return _rulings(database, f"{sql} AND c.id NOT IN (SELECT clarification FROM clarification_cards)", rule)


def _rulings(database: Database, ids_sql: str, value: str) -> list[dict[str, Any]]:
    rows = database.query(
        "SELECT c.id, t.lang, t.text, c.rules, c.sources, c.reading FROM clarifications AS c"
        " JOIN texts AS t ON t.key = 'clarify.' || c.id JOIN languages AS l ON l.lang = t.lang"
        f" WHERE c.id IN ({ids_sql}) ORDER BY c.position, l.position",
        value,
    )
    return [
        {"id": row[0], "lang": row[1], "text": row[2], "rules": json.loads(row[3]), "sources": json.loads(row[4]),
         "reading": bool(row[5])}
        for row in rows
    ]  # fmt: skip


def conflicts_of(database: Database, kind: str, subject: str, lang: str) -> list[dict[str, Any]]:
    """What the editions disagree on about a ``card``, ``rule`` or ``term``, in ``lang`` or else English."""
    rows = database.query(
        "SELECT c.id, c.sources FROM conflict_subjects AS s JOIN conflicts AS c ON c.id = s.conflict"
        " WHERE s.kind = ? AND s.subject = ? ORDER BY c.position",
        kind, subject,
    )  # fmt: skip
    records = []
    for ident, sources in rows:
        texts = database.texts(f"conflict.{ident}")
        about = "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY rowid"
        if text := texts.get(lang) or texts.get(FALLBACK):
            cards = [card for (card,) in database.query(about, ident)]
            records.append({"id": ident, "cards": cards, "text": text, "texts": texts, "sources": json.loads(sources)})
    return records


def rule_order(rule: str) -> tuple[int, int, str]:
    """Sorts rule ids as the rules are numbered: R5.2 before R5.11."""
    section, _, number = rule[1:].partition(".")
    digits = "".join(c for c in number if c.isdecimal())
    return (int(section) if section.isdecimal() else 99, int(digits or 0), number)
