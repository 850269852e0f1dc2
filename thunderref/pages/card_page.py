"""A card with all that belongs to it, lists of cards, and cards side by side, as pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thunderref.database.paths import FIGURES
from thunderref.database.read import FALLBACK, Language, SwitchRow
from thunderref.pages.page import Block, Line, Page, TableCell, links_to_cards
from thunderref.search.filters import NUMBERS, filter_cards
from thunderref.search.query import shorten
from thunderref.text.messages import first_sentence

if TYPE_CHECKING:  # a look-up of one card loads no records
    from thunderref.database.card_records import Card


_SIGNED = ("attack", "magic_attack", "light")


def card_page(words: Language, record: Mapping[str, Any], query: str = "") -> Page:
    explained = {rule for clarification in record["clarifications"] for rule in clarification["rules"]}
    further = [rule for rule in record["rules"] if rule not in explained]
    levels = [
        Line(link.words, words.say("card.level", level=level["level"]), links=(link,))
        for level in record["levels"]
        for link in links_to_cards(words, [level["id"]])
    ]
    texts = ((row["timing"], row["text"].get(words.lang) or row["text"].get(FALLBACK)) for row in record["abilities"])
    abilities = [Line(text, words.say(f"card.timing.{timing}")) for timing, text in texts if text]
    blocks = [
        Block([] if record["judged"] else [Line(words.say("card.not-judged"))]),
        Block([Line(value, label) for label, value in figures_of(words, record)], compact=True),
        Block(abilities, words.say("card.heading.abilities")),
        Block(levels, words.say("card.heading.levels"), compact=True),
        Block(ruling_lines(words, record), words.say("card.heading.clarifications")),
        Block(conflict_lines(words, record), words.say("card.heading.conflicts"), more=True),
        Block(rule_lines(words, further), words.say("card.heading.rules"), more=True),
        Block([*map(Line, _origin(words, record, query))], words.say("card.heading.origin"), more=True),
    ]
    return Page(words.card(record["id"]), [_kind_line(words, record)], blocks)


def _kind_line(words: Language, record: Mapping[str, Any]) -> str:
    """The kind of the card: its level, types or class."""
    facts = [words.say(f"card.kind.{record['kind']}")]
    if record["level"]:
        facts.append(words.say("card.level", level=record["level"]))
    family = words.family(record["family"]) if record["family"] else ""
    if (types := _type_line(words, record["types"])) and types != family:
        facts.append(types)
    if family and record["kind"] in ("hero", "monster"):  # for other cards the types say the same
        facts.append(words.say(f"card.family.{record['kind']}", family=family))
    return " · ".join(facts)


def _origin(words: Language, record: Mapping[str, Any], query: str) -> list[str]:
    """How the query led to the card, if it is not its name; its other names, its box, its id, how it is attested."""
    lines, matched = list[str](), record.get("matched", {"how": "exact"})
    if query and matched["how"] != "exact":
        how = words.say(f"card.how.{matched['how'].removeprefix('inflected-').removeprefix('transliterated-')}")
        lines.append(words.say("card.found", query=shorten(query), how=how, name=matched["name"]))
    lines += [f"{lang}: {record_name(words, record, lang)}" for lang, name in record["name"].items() if name]
    facts = [words.set_name(record["set"]), words.say("card.copies", n=record["count"])]
    facts += [words.say("card.reprinted", set=words.set_name(c["set"]), n=c["count"]) for c in record["reprints"]]
    lines += [" · ".join(facts), f"id: {record['id']}"]
    lines += words.printed(record["id"], {"sources": record["sources"], "reading": False})
    return [*lines, words.say("card.attested.one")] if record["attested"] == "one" else lines


def record_name(words: Language, record: Mapping[str, Any], lang: str) -> str:
    """The name of a card or term in a language, marked where it is our own."""
    name = record["name"].get(lang) or record["name"].get(FALLBACK) or record["id"]
    return str(name) if record["official"].get(lang, True) else words.say("card.unofficial-name", name=name)


def figures_of(words: Language, record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The values printed on a card, each with its label."""
    return [
        (words.say(f"card.figure.{figure}"), f"{value:{'+' if figure in _SIGNED and value else ''}}")
        for figure in FIGURES
        if (value := record.get(figure)) is not None
    ]


def ruling_lines(words: Language, record: Mapping[str, Any]) -> list[Line]:
    """Return the rulings of a card or rule, each in the language of ``words`` or else in English."""
    rulings = {ruling["id"]: ruling for ruling in record["clarifications"]}
    return [
        Line(words.ruling(ident), note=" ".join(ruling["rules"]), small=words.printed(ident, ruling))
        for ident, ruling in rulings.items()
    ]


def conflict_lines(words: Language, record: Mapping[str, Any], *, with_cards: bool = False) -> list[Line]:
    """Where editions disagree, with the editions compared; with ``with_cards`` also the cards concerned."""
    lines = []
    for conflict in record["conflicts"]:
        links = links_to_cards(words, conflict["cards"]) if with_cards else ()
        label = ", ".join(dict.fromkeys(link.words for link in links))
        sources = ", ".join(words.say_or(source, "card.source.") for source in conflict["sources"])
        text = words.text(f"conflict.{conflict['id']}") or ""
        lines.append(Line(text, label, words.say("card.sources", sources=sources), links=links))
        printed = (printing for printing in words.database.printings.values() if printing.conflict == conflict["id"])
        lines += choice_lines(words, printed)
    return lines


def choice_lines(words: Language, choices: Iterable[SwitchRow]) -> list[Line]:
    """Both answers to each open question, or both printings of a card, the one taken first."""
    return [
        Line(words.say(key, name=choice.name, value=value, meaning=words.say(f"reading.{choice.name}.{value}")))
        for choice in choices
        for value, key in ((choice.default, "rule.reading-taken"), (choice.other, "rule.reading-other"))
    ]


def chosen_lines(words: Language, answers: Mapping[str, str]) -> list[str]:
    """The open questions that were answered the other way, and the printings of cards that were taken instead."""
    lines = []
    for name, value in answers.items():
        row, meaning = words.database.choices[name], words.say(f"reading.{name}.{value}")
        params = {"name": name, "value": value, "rule": row.rule, "card": words.card(row.card), "meaning": meaning}
        lines.append(words.say("resolve.printing" if row.card else "resolve.chosen", **params))
    return lines


def rule_lines(words: Language, rules: Iterable[str]) -> list[Line]:
    """Each rule with the first sentence of its text."""
    texts = ((rule, words.text(f"rule.{rule}")) for rule in rules)
    return [Line(first_sentence(text), rule) for rule, text in texts if text]


def cards_page(words: Language, cards: Sequence[Card], total: int, fields: Sequence[str] = (), query: str = "") -> Page:
    """Cards a line each: these ``fields``, or all they have; the ``query`` that gave them, the table's cards marked."""
    lines = []
    for card in cards:
        figures = [_field_text(words, card, field) for field in fields]
        columns = [(field, words.say(f"card.figure.{field}")) for field in fields if field in NUMBERS]
        cells = [
            TableCell(name, _signed(card, field) or "–", field if field in FIGURES else "") for field, name in columns
        ]
        kind = words.say(f"card.kind.{card.kind}")
        level = kind if card.level is None else words.say("card.level", level=card.level)
        parts = [*filter(None, figures)] or [level, *types_and_figures(words, card)]
        note = words.say("card.list.tonight") if card.id in words.database.tonight else ""
        (link,) = links = links_to_cards(words, [card.id])
        row = (TableCell("", link.words), *cells) if cells else ()
        lines.append(Line(", ".join(parts), link.words, note, links=links, cells=row))
    title = words.say("card.list.shown" if len(cards) < total else "card.list.count", shown=len(cards), n=total)
    title = copies_of(words, cards, query) if len(cards) == total and _is_box(words, query) else title
    about = [Line(words.say("card.list.query", query=query))] if query else []
    about += [Line(words.say("card.list.where"))] if "text:" in query else []
    return Page(title, [], [Block(lines), Block(about)])


def names_page(words: Language, cards: Sequence[Card], fields: Sequence[str], query: str) -> Page:
    """The names of the cards that a question asks for, each with the value it is about; the table's cards once more."""
    tonight, lines = [card for card in cards if card.id in words.database.tonight], list[Line]()
    label = ", ".join(words.say(f"card.figure.{field}") for field in fields)
    for heading, some in ((label, cards), (words.say("card.list.tonight"), tonight)):
        names = (" ".join([words.card(card.id), *(_signed(card, field) for field in fields)]) for card in some)
        line = Line(", ".join(map(str.rstrip, names)), heading, links=links_to_cards(words, [card.id for card in some]))
        lines += [line] if some else []
    about = Block([Line(words.say("card.list.query", query=query))])
    return Page(words.say("card.list.count", n=len(cards)), [], [Block(lines), about])


def copies_of(words: Language, cards: Sequence[Card], query: str) -> str:
    """Return how many cards these are, and if there are several of one, how many copies in all boxes."""
    number, copies = words.say("card.list.count", n=len(cards)), sum(card.count for card in cards)
    key = "card.list.of-box" if _is_box(words, query) else "card.list.copies"
    return number if copies == len(cards) else words.say(key, cards=number, n=copies)


def _is_box(words: Language, query: str) -> bool:
    """Return whether a query is for all cards of a box, whose printed number counts other things, too (R1.9)."""
    return bool(words.database.query("SELECT 1 FROM sets WHERE boxed AND 'set:' || id = ?", query))


def _field_text(words: Language, card: Card, field: str) -> str:
    """A field of a card with its label, nothing if the card lacks it."""
    if field == "kind":
        return words.say(f"card.kind.{card.kind}")
    if field == "set":
        return words.set_name(card.set_id)
    if field in ("family", "type"):
        return words.family(card.family) if field == "family" and card.family else _type_line(words, card.types)
    if (value := getattr(card, field)) is None:
        return ""
    if field in ("level", "count"):
        return words.say("card.level", level=value) if field == "level" else words.say("card.copies", n=value)
    return f"{words.say(f'card.figure.{field}')} {_signed(card, field)}"


def _signed(card: Card, field: str) -> str:
    value = getattr(card, field)
    return "" if value is None else f"{value:{'+' if field in _SIGNED and value else ''}}"


def family_page(words: Language, cards: Sequence[str]) -> Page:
    """A family or class of cards: its name, and what it has, a card a line."""
    lines, members = list[Line](), [words.database.cards[card] for card in cards]
    for card in members:
        level = [] if card.level is None else [words.say("card.level", level=card.level)]
        figures = [f"{label} {value}" for label, value in _figures(words, card)]
        name, has = words.card(card.id), ", ".join([*level, *figures])
        lines.append(Line(has or str(name), name if has else "", links=links_to_cards(words, [card.id])))
    return Page(words.family(members[0].family or ""), [words.say("card.list.count", n=len(lines))], [Block(lines)])


def groups_page(words: Language, cards: Sequence[Card]) -> Page:
    """The names of many cards by kind, those of one kind by family or type, each group on one line."""
    groups = dict[str, list[str]]()
    one_kind = len({card.kind for card in cards}) == 1
    for card in cards:
        group = words.say(f"card.kind.{card.kind}")
        if one_kind and card.family is not None:
            group = words.family(card.family)
        elif one_kind:
            group = _type_line(words, card.types[:1]) or group
        groups.setdefault(group[:1].upper() + group[1:], []).append(words.card(card.id))
    lines = [Line(", ".join(names), f"{group} ({len(names)})") for group, names in groups.items()]
    hint = Line(words.say("card.list.summary"))
    return Page(words.say("card.list.count", n=len(cards)), [], [Block(lines), Block([hint])])


def _figures(words: Language, card: Card) -> list[tuple[str, str]]:
    return figures_of(words, {figure: getattr(card, figure) for figure in FIGURES})


def types_and_figures(words: Language, card: Card) -> list[str]:
    types = _type_line(words, card.types)
    figures = [f"{label} {value}" for label, value in _figures(words, card)]
    return [types, *figures] if types else figures


def _type_line(words: Language, types: Iterable[str]) -> str:
    return " • ".join(map(words.card_type, types))


def comparison_page(words: Language, cards: Sequence[Card]) -> Page:
    """A block for each kind of comparison that these cards allow."""
    heroes = [card for card in cards if card.is_hero]
    every = [card for card in words.database.cards.values() if card.is_hero and card.reprint_of is None]
    blocks = {
        "levels": [*_level_lines(words, heroes)],
        "weapons": [*_holders(words, [card for card in cards if "weapon" in card.types], heroes or every)],
        "monsters": [*_victors(words, [card for card in cards if card.health], heroes)],
    }
    count = words.say("card.list.count", n=len(cards))
    return Page(count, [], [Block(lines, words.say(f"compare.{key}")) for key, lines in blocks.items()])


def _families(heroes: Sequence[Card]) -> dict[str, list[Card]]:
    """Heroes by family, by level; Militia is one of its own."""
    families: dict[str, list[Card]] = {}
    for hero in sorted(heroes, key=lambda card: card.level or 0):
        families.setdefault(hero.family or hero.id, []).append(hero)
    return families


def _level_lines(words: Language, heroes: Sequence[Card]) -> Iterator[Line]:
    for family, members in _families(heroes).items():
        rows = ((figure, [getattr(card, figure) for card in members]) for figure in FIGURES)
        figures = [
            f"{words.say(f'card.figure.{figure}')} {'/'.join('–' if n is None else str(n) for n in values)}"
            for figure, values in rows
            if any(value is not None for value in values)
        ]
        links = links_to_cards(words, [card.id for card in members])
        yield Line(", ".join(figures), _name(words, family, members), links=links)


def _name(words: Language, family: str, members: Sequence[Card]) -> str:
    return str(words.card(family)) if members[0].family is None else str(words.family(family))


def _holders(words: Language, weapons: Sequence[Card], heroes: Sequence[Card]) -> Iterator[Line]:
    """Each weapon with the heroes strong enough for it (R4.3): a family, or from which level on."""
    for weapon in weapons:
        able, names = {card.id for card in filter_cards(words.database, f"holds:{weapon.id}")}, list[str]()
        for family, members in _families(heroes).items():
            strong = [card for card in members if card.id in able]
            name = _name(words, family, members)
            if strong and len(strong) < len(members):
                name = f"{name} {words.say('compare.from', level=strong[0].level)}"
            names += [name] if strong else []
        weighs = f"{words.say('card.figure.weight')} {weapon.weight}"
        yield Line(", ".join(names) or "–", words.card(weapon.id), weighs, links=links_to_cards(words, [weapon.id]))


def _victors(words: Language, monsters: Sequence[Card], heroes: Sequence[Card]) -> Iterator[Line]:
    """Each monster with what it takes to beat it, and the heroes who do so alone with enough Light (R5.14)."""
    from thunderref.thunderstone.resolve.situation import needed_points, sole_victors

    for monster in monsters:
        alone = sole_victors(words, monster.id, [hero.id for hero in heroes])
        needed = needed_points(words, monster.id)
        text = f"{needed.text} {words.say('compare.alone', cards=words.listed(alone))}" if alone else needed.text
        yield Line(text, note=" ".join(needed.rules), links=links_to_cards(words, [monster.id, *alone]))
