"""Cards as pages, in the words of the output language."""

from __future__ import annotations

from typing import Any

from thunderref.cli.page import Block, Line, Page
from thunderref.lookup.exact import shorten
from thunderref.lookup.record import FIGURES
from thunderref.store.read import CardRow, Store
from thunderref.words.words import Words


def card_page(words: Words, record: dict[str, Any], query: str = "") -> Page:
    """The page of a card from its record (:func:`thunderref.lookup.record.card_record`)."""
    return Page(
        _name(words, record, words.lang),
        _subtitle(words, record, query),
        [
            Block(figure_lines(words, record), compact=True),
            Block(_abilities(words, record), words.say("card.heading.abilities")),
            Block(_clarifications(words, record), words.say("card.heading.clarifications")),
            Block(conflict_lines(words, record["conflicts"]), words.say("card.heading.conflicts")),
            Block(_levels(words, record), words.say("card.heading.levels"), compact=True),
            Block(rule_lines(words, record["rules"]), words.say("card.heading.rules")),
        ],
    )


def figure_lines(words: Words, record: dict[str, Any]) -> list[Line]:
    """The figures a card carries, each with the name of its icon."""
    return [
        Line(_number(figure, record[figure]), words.say(f"card.figure.{figure}"))
        for figure in FIGURES
        if record[figure] is not None
    ]


def _number(figure: str, value: int) -> str:
    return f"+{value}" if figure in ("attack", "magic_attack", "light") and value else str(value)


def type_line(words: Words, types: list[str]) -> str:
    """The words of a type line in the output language."""
    return " • ".join(words.say(f"card.type.{kind}") if words.has(f"card.type.{kind}") else kind for kind in types)


def rule_lines(words: Words, rules: list[str]) -> list[Line]:
    """Rules by id with the first sentence of their text."""
    lines = []
    for rule in rules:
        text = words.text(f"rule.{rule}")
        if text:
            lines.append(Line(_first_sentence(text), rule))
    return lines


def conflict_lines(words: Words, conflicts: list[dict[str, Any]], *, named: bool = False) -> list[Line]:
    """What the editions disagree on, with the editions compared; ``named``: and the cards it is about."""
    return [
        Line(
            conflict["text"],
            ", ".join(words.card(card) for card in conflict["cards"]) if named else "",
            words.say("card.sources", sources=_sources(words, conflict["sources"])),
        )
        for conflict in conflicts
    ]


def _sources(words: Words, sources: list[str]) -> str:
    return ", ".join(words.say(f"card.source.{s}") if words.has(f"card.source.{s}") else s for s in sources)


def _name(words: Words, record: dict[str, Any], lang: str) -> str:
    name = record["name"].get(lang) or record["name"].get("en") or record["id"]
    if not record["official"].get(lang, True):
        return words.say("card.unofficial-name", name=name)
    return str(name)


def _subtitle(words: Words, record: dict[str, Any], query: str) -> list[str]:
    lines = []
    matched = record.get("matched")
    if query and matched and matched["how"] != "exact":
        how = words.say(f"card.how.{matched['how'].removeprefix('inflected-').removeprefix('transliterated-')}")
        lines.append(words.say("card.found", query=shorten(query), how=how, name=matched["name"]))
    for lang, name in record["name"].items():
        if lang != words.lang and name:
            lines.append(f"{lang}: {_name(words, record, lang)}")
    facts = [words.say(f"card.kind.{record['kind']}"), words.set_name(record["set"])]
    if record["family"] and record["kind"] in ("hero", "monster"):  # of other cards the types say the same
        facts.append(words.say(f"card.family.{record['kind']}", family=words.family(record["family"])))
    if record["level"]:
        facts.append(words.say("card.level", level=record["level"]))
    facts.append(words.say("card.copies", n=record["count"]))
    facts += [
        words.say("card.reprinted", set=words.set_name(copy["set"]), n=copy["count"]) for copy in record["reprints"]
    ]
    lines.append(" · ".join(facts))
    if record["types"]:
        lines.append(type_line(words, record["types"]))
    lines.append(f"id: {record['id']}")
    return lines


def _abilities(words: Words, record: dict[str, Any]) -> list[Line]:
    lines = []
    for ability in record["abilities"]:
        text = ability["text"].get(words.lang) or ability["text"].get("en")
        if text:
            lines.append(Line(text, words.say(f"card.timing.{ability['timing']}")))
    return lines


def _clarifications(words: Words, record: dict[str, Any]) -> list[Line]:
    chosen: dict[str, dict[str, Any]] = {}
    for clarification in record["clarifications"]:
        if clarification["lang"] == words.lang or (clarification["lang"] == "en" and clarification["id"] not in chosen):
            chosen[clarification["id"]] = clarification
    return [Line(c["text"], note=" ".join(c["rules"])) for c in chosen.values()]


def _levels(words: Words, record: dict[str, Any]) -> list[Line]:
    return [Line(words.card(level["id"]), words.say("card.level", level=level["level"])) for level in record["levels"]]


def _first_sentence(text: str) -> str:
    end = text.find(". ")
    return text if end < 0 else text[: end + 1]


def cards_page(words: Words, store: Store, cards: list[CardRow], total: int) -> Page:
    """A list of cards, one a line: name, kind or level, types and figures."""
    lines = []
    for card in cards:
        facts = [words.say(f"card.kind.{card.kind}")]
        if card.level is not None:
            facts = [words.say("card.level", level=card.level)]
        types = type_line(words, list(store.all_types.get(card.id, ())))
        facts += [types] if types else []
        facts += [
            f"{words.say(f'card.figure.{figure}')} {_number(figure, getattr(card, figure))}"
            for figure in FIGURES
            if getattr(card, figure) is not None
        ]
        lines.append(Line(", ".join(facts), words.card(card.id)))
    if len(cards) < total:
        title = words.say("card.list.shown", shown=len(cards), n=total)
    else:
        title = words.say("card.list.count", n=total)
    return Page(title, [], [Block(lines)])
