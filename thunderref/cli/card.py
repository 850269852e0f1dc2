"""``thunderref card``, one card with all that belongs to it, and ``thunderref cards``, a list by filters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, Limit, Query
from thunderref.cli.session import session
from thunderref.database.read import CardRow
from thunderref.errors import NoAnswerError
from thunderref.pages.page import Block, Line, Page
from thunderref.search.card import (
    card_record,
    compared,
    figures_of,
    first_sentences,
    found_by,
    record_name,
    rulings_of,
)
from thunderref.search.query import checked_query, exact_card
from thunderref.text.language import Language

app = CommandApp()


@app.command("card")
def card_command(query: Query = None, limit: Limit = None) -> None:
    run = session()
    text = " ".join(query or [])
    more = limit is not None and limit > 1
    found = None if more else exact_card(run.database, checked_query(text))
    if found is None:
        from thunderref.search.names import search_cards, unknown_card

        found = search_cards(run.database, text, more=more)
        if not found.hits:
            from thunderref.search.lookup import refuse_term
            from thunderref.search.passages import cards_by_text

            refuse_term(run.words, text)
            found = cards_by_text(run.database, text)
        if not found.hits:
            raise unknown_card(run.database, text, lang=run.language)
    document: dict[str, Any] = {}
    if run.json:
        hits = found.hits[: limit if more else found.equals]
        document = {"query": text, "matches": [card_record(run.database, hit.id, run.language, hit) for hit in hits]}
    if found.equals > 1 and not more:
        from thunderref.search.names import ambiguous_card

        run.fail(ambiguous_card(run.database, text, found, run.language), **document)
    if run.json:
        run.print_json(document)
        return
    from thunderref.cli.render import print_lines, show

    print_lines(run.tonight_lines())
    for number, hit in enumerate(found.hits[: limit or 1]):
        if number:
            print()
        show(*(card_page(words, card_record(run.database, hit.id, words.lang, hit), text) for words in run.tongues))


@app.command("cards")
def cards_command(
    filters: Annotated[list[str] | None, typer.Argument(metavar="FILTER…")] = None,
    sort: Annotated[list[str] | None, typer.Option("--sort", metavar="FIELD")] = None,
    limit: Limit = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> None:
    from thunderref.search.filters import filter_cards, sort_cards

    run = session()
    keys = [key for part in sort or [] for key in part.split(",") if key]
    cards = sort_cards(run.words, filter_cards(run.database, filters or []), keys)
    asked = " ".join(filters or [])
    if not cards:
        raise NoAnswerError("no-cards", filters=asked[:200])
    shown = cards[:limit]
    if run.json:
        records = [card_record(run.database, card.id, run.language) for card in shown]
        run.print_json({"query": asked, "count": len(cards), "matches": records})
        return
    from thunderref.cli.render import fits, show

    pages = [cards_page(words, shown, len(cards)) for words in run.tongues]
    if limit is None and not everything and not fits(*pages):
        pages = [summary_page(words, shown) for words in run.tongues]
    show(*pages)


def card_page(words: Language, record: dict[str, Any], query: str = "") -> Page:
    explained = {rule for clarification in record["clarifications"] for rule in clarification["rules"]}
    further = [rule for rule in record["rules"] if rule not in explained]
    levels = [Line(words.card(each["id"]), words.say("card.level", level=each["level"])) for each in record["levels"]]
    blocks = [
        Block([Line(value, label) for label, value in figures_of(words, record)], compact=True),
        Block(_abilities(words, record), words.say("card.heading.abilities")),
        Block(ruling_lines(words, record), words.say("card.heading.clarifications")),
        Block(conflict_lines(words, record["conflicts"]), words.say("card.heading.conflicts")),
        Block(levels, words.say("card.heading.levels"), compact=True),
        Block(rule_lines(words, further), words.say("card.heading.rules")),
    ]
    return Page(record_name(words, record, words.lang), _subtitle(words, record, query), blocks)


def types_and_figures(words: Language, card: CardRow) -> list[str]:
    types = _type_line(words, words.database.all_types.get(card.id, ()))
    figures = [f"{label} {value}" for label, value in figures_of(words, card._asdict())]
    return [types, *figures] if types else figures


def _type_line(words: Language, types: Iterable[str]) -> str:
    return " • ".join(words.say_or(kind, "card.type.") for kind in types)


def rule_lines(words: Language, rules: list[str]) -> list[Line]:
    return [Line(text, rule) for rule, text in first_sentences(words, rules)]


def conflict_lines(words: Language, conflicts: list[dict[str, Any]], *, named: bool = False) -> list[Line]:
    """Where editions disagree, with the editions compared; with ``named`` also the cards concerned."""
    return [
        Line(
            conflict["text"],
            ", ".join(dict.fromkeys(words.card(card) for card in conflict["cards"])) if named else "",
            compared(words, conflict),
        )
        for conflict in conflicts
    ]


def _subtitle(words: Language, record: dict[str, Any], query: str) -> list[str]:
    matched = record.get("matched")
    lines = [found] if query and matched and (found := found_by(words, matched, query)) else []
    for lang, name in record["name"].items():
        if lang != words.lang and name:
            lines.append(f"{lang}: {record_name(words, record, lang)}")
    facts = [words.say(f"card.kind.{record['kind']}"), words.set_name(record["set"])]
    if record["family"] and record["kind"] in ("hero", "monster"):  # for other cards the types say the same
        facts.append(words.say(f"card.family.{record['kind']}", family=words.family(record["family"])))
    if record["level"]:
        facts.append(words.say("card.level", level=record["level"]))
    facts.append(words.say("card.copies", n=record["count"]))
    facts += [words.say("card.reprinted", set=words.set_name(c["set"]), n=c["count"]) for c in record["reprints"]]
    lines.append(" · ".join(facts))
    if record["types"]:
        lines.append(_type_line(words, record["types"]))
    lines.append(f"id: {record['id']}")
    if record["attested"] == "one":
        lines.append(words.say("card.attested.one"))
    return lines


def _abilities(words: Language, record: dict[str, Any]) -> list[Line]:
    texts = ((each["timing"], each["text"].get(words.lang) or each["text"].get("en")) for each in record["abilities"])
    return [Line(text, words.say(f"card.timing.{timing}")) for timing, text in texts if text]


def ruling_lines(words: Language, record: dict[str, Any]) -> list[Line]:
    rulings = rulings_of(words, record)
    return [Line(each["text"], note=" ".join(each["rules"]), small=words.printed(each["id"], each)) for each in rulings]


def cards_page(words: Language, cards: list[CardRow], total: int) -> Page:
    lines = []
    for card in cards:
        kind = words.say(f"card.kind.{card.kind}")
        level = kind if card.level is None else words.say("card.level", level=card.level)
        lines.append(Line(", ".join([level, *types_and_figures(words, card)]), words.card(card.id)))
    key = "card.list.shown" if len(cards) < total else "card.list.count"
    return Page(words.say(key, shown=len(cards), n=total), [], [Block(lines)])


def summary_page(words: Language, cards: list[CardRow]) -> Page:
    """The names of many cards by kind, those of one kind by family or type, each group on one line."""
    groups = dict[str, list[str]]()
    one_kind = len({card.kind for card in cards}) == 1
    for card in cards:
        group = words.say(f"card.kind.{card.kind}")
        if one_kind and card.family is not None:
            group = words.family(card.family)
        elif one_kind:
            group = _type_line(words, words.database.all_types.get(card.id, ())[:1]) or group
        groups.setdefault(group[:1].upper() + group[1:], []).append(words.card(card.id))
    from thunderref.cli.render import shortened

    lines = shortened([Line(", ".join(names), f"{group} ({len(names)})") for group, names in groups.items()])
    hint = Line(words.say("card.list.summary"))
    return Page(words.say("card.list.count", n=len(cards)), [], [Block(lines), Block([hint])])
