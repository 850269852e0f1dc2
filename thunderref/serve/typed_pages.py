"""What is looked up, asked or drawn: cards, rules and answers, the set-up on the table or a new one, the odds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from starlette.datastructures import QueryParams

from thunderref.answers import ODDS, TURN
from thunderref.database.card_records import Card
from thunderref.database.paths import FIGURES
from thunderref.database.read import Database, Language
from thunderref.errors import ThunderrefError, corrections
from thunderref.pages.card_page import card_page, cards_page, comparison_page
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.rule_page import answer_page, rule_pages
from thunderref.pages.setup_page import places, sheet_page, stacks_by_kind
from thunderref.search.card import card_document, find_cards
from thunderref.search.card_query import Combined, Query, written
from thunderref.search.filters import columns_of, filter_cards, parse_query, sort_cards
from thunderref.search.names import search_cards
from thunderref.search.query import MAX_LENGTH, shorten
from thunderref.search.rules import find_rules
from thunderref.search.understand import reader, split_list, understand
from thunderref.serve import api
from thunderref.serve.evening import table_parts
from thunderref.serve.tapped_pages import LIMITS, deck_texts
from thunderref.serve.tiles import TileGroup, in_hall, in_hand
from thunderref.serve.visitor import THEMES, Parts, Visitor, address
from thunderref.text.folding import fold
from thunderref.thunderstone.setup.request import Naming

T = TypeVar("T")

ANSWERS = 5
"""Answers to a question; the first is shown in full."""
CARDS_SHOWN = 12
"""Cards shown where a text is all that fits."""
PLAYERS = range(1, 6)
_KINDS = (
    "kind:hero", "type:weapon", "type:item", "type:spell", "type:villager", "kind:monster", "kind:guardian",
    "kind:trap", "kind:thunderstone",
)  # fmt: skip
_COSTS = ("cost<=3", "cost=4", "cost=5", "cost=6", "cost=7", "cost=8", "cost>=9")
_TOLD_BY_TILES = {"kind", "type", "family", "set", "cost"}
"""Fields of a filter that need no column of their own."""
_THEMES = [("theme", theme) for theme in THEMES]
"""What an address may name of the page's light, which is no theme of a set-up."""
_FIELD_OF = {
    "empty-hall": "hall", "empty-hand": "hand", "no-deck-list": "deck_list", "bad-code": "code",
    "setup-players": "players", "setup-solo-players": "players", "setup-needs-box": "variant",
    "first-battle-hand": "hand",
}  # fmt: skip
"""Error -> the field of a form that it is about."""
SAMPLE_GAMES = 20
"""Games that show what a set-up is like: some seconds of work."""


def lookup_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The page for a typed line, read as always: a card, tiles of several, or ``go``: the address that answers it."""
    text, words = query.get("q", ""), visitor.words
    if query.get("compare") and visitor.now:  # the cards on the table side by side
        mine = [card for card in words.database.cards.values() if card.id in visitor.now.cards]
        page, heroes = comparison_page(words, mine), [card for card in mine if card.is_hero]
        figures = [figure for figure in FIGURES if any(getattr(hero, figure) is not None for hero in heroes)]
        rows = [line._replace(note="") for line in cards_page(words, heroes, len(heroes), figures).blocks[0].lines]
        return _page_parts("", [page._replace(blocks=[page.blocks[0]._replace(lines=rows), *page.blocks[1:]])])
    if not any(map(str.isalnum, text)):
        groups = [*in_hand(words, visitor.made), *in_hall(words, visitor.made)]
        return _tiles("", groups=groups) | {"narrower": _narrower(words, None)}
    try:
        read = understand(words, text)
        if read.kind == "query":
            return _query_parts(visitor, text, read.document)
        if read.kind == "card":
            return _cards(visitor, read.document["query"])
    except ThunderrefError as error:
        return _refused(words, text, error)
    if read.command == "score":
        return {"go": address("/score", p=deck_texts(read.document["players"]))}
    parts = {key: value if isinstance(value, str) else _written(value) for key, value in read.document.items()}
    parts = {_PARAMETERS.get(key, key): value for key, value in parts.items()}
    return {"go": address(f"/{read.command}", **parts)}


def _refused(words: Language, text: str, error: ThunderrefError) -> Parts:
    """The reason why a line has no answer, with suggestions: lines to tap, or else cards of like names."""
    near = search_cards(words.database, text[:MAX_LENGTH]).hits[:CARDS_SHOWN]
    lines = [(name, address("/card", q=line)) for name, line in corrections(text, error)]
    return _tiles(text, words.error(error, on_page=True), [hit.id for hit in near], instead=lines)


def _query_parts(visitor: Visitor, text: str, document: Mapping[str, Any]) -> Parts:
    """The cards that meet a query, with the figures it is about; tiles if it is about none."""
    words = visitor.words
    query, keys = parse_query(words.database, document["filters"]), document.get("sort", "").split(",")
    keys = [*filter(None, keys)]
    cards = sort_cards(words, filter_cards(words.database, query), keys)[: document.get("limit")]
    fields, narrower = columns_of(words.database, query, keys, ()), {"narrower": _narrower(words, query)}
    if not {*fields} - _TOLD_BY_TILES:
        return _tiles(text, cards=[card.id for card in cards]) | narrower
    page = cards_page(words, cards, len(cards), fields, written(query))
    return _page_parts(text, [page]) | narrower


def _narrower(words: Language, query: Query | None) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Return the filters to tap: under each heading a name, the address with it (or without, if it is on), if it is on.

    Only filters that leave a card are offered.
    """
    parts = query.of if isinstance(query, Combined) and query.by == "and" else () if query is None else (query,)
    lines = {written(condition, "and"): _ids(words.database, condition) for condition in parts}
    by_filter = words.database.derived(_cards_by_filter)
    names: dict[str, Callable[[str], str]] = {
        words.say("site.column.kind"): lambda kind: words.say(f"card.{kind.replace(':', '.')}"),
        words.say("serve.family"): lambda family: words.family(family.partition(":")[2]),
        words.say("serve.boxes"): lambda box: words.set_name(box.partition(":")[2]),
        words.say("card.figure.cost"): lambda cost: cost.removeprefix("cost").replace("=", ""),
    }
    offered = []
    for (heading, name), filters in zip(names.items(), by_filter, strict=True):
        beside = {line: cards for line, cards in lines.items() if cards not in filters.values()}
        remaining, row = frozenset(words.database.cards).intersection(*beside.values()), list[tuple[str, str, bool]]()
        for text, cards in filters.items():
            is_on, label = cards in lines.values(), name(text)
            if is_on or remaining & cards:
                line = " ".join((*beside, *(() if is_on else (text,))))
                row.append((label[:1].upper() + label[1:], address("/card", q=line), is_on))
        offered += [(heading, row)] if row else []
    return offered


def _ids(database: Database, query: str | Query) -> frozenset[str]:
    return frozenset(card.id for card in filter_cards(database, query))


def _cards_by_filter(database: Database) -> list[dict[str, frozenset[str]]]:
    """The filters that are offered, group by group, each with its cards."""
    families = dict.fromkeys(card.family for card in database.cards.values() if card.family)
    sets = [name for (name,) in database.query("SELECT id FROM sets ORDER BY position")]
    groups = (_KINDS, [f"family:{family}" for family in families], [f"set:{name}" for name in sets], _COSTS)
    return [{text: _ids(database, text) for text in group} for group in groups]


_PARAMETERS = {"query": "q", "target": "rank"}


def _written(value: Sequence[str | None] | int) -> str:
    return str(value) if isinstance(value, int) else ",".join(entry or "-" for entry in value)


def _page_parts(text: str, pages: list[Page], looked_up: str = "", takes: Sequence[tuple[str, str]] = ()) -> Parts:
    """Pages to read; of the card ``looked_up`` also where its buttons lead."""
    return {"query": text, "pages": pages, "named": (), "narrower": (), "looked_up": looked_up, "takes": takes}


def _pane_links(visitor: Visitor, card: Card) -> list[tuple[str, str]]:
    """The hand and the hall seen last with a card added, each with the words of its button, if it may be there."""
    links, lists = list[tuple[str, str]](), {name: visitor.at.get(name, "") for name in ("hand", "hall")}
    for name, text in lists.items():
        cards, limit = [*filter(None, text.split(","))], LIMITS[name]
        if card.kind in limit.kinds and len(cards) < limit.maximum:
            to = {**lists, name: ",".join((*cards, card.reprint_of or card.id))}
            link = address("/resolve", hall=to["hall"], hand=to["hand"], pane=name)
            links.append((visitor.words.say(f"serve.to-{name}"), link))
    return links


def _cards(visitor: Visitor, text: str) -> Parts:
    """The page of a card, or the tiles of all that have this name, or these words in their texts."""
    words = visitor.words
    document, ambiguous = card_document(words, text)
    several = words.say("serve.several", query=shorten(text))
    if len(matches := document["matches"]) > 1:
        return _tiles(text, several if ambiguous else "", [match["id"] for match in matches])
    if matches[0]["matched"]["how"] != "text":
        card = words.database.cards[matches[0]["id"]]
        return _page_parts(text, [card_page(words, matches[0], text)], card.id, _pane_links(visitor, card))
    return _tiles(text, several, [hit.id for hit in find_cards(words, text, more=True).hits[:CARDS_SHOWN]])


def _tiles(
    query: str,
    error: str = "",
    cards: Sequence[str] = (),
    groups: Sequence[TileGroup] = (),
    instead: Sequence[tuple[str, str]] = (),
) -> Parts:
    """Cards to choose from, and why; ``instead`` are similar lines that have an answer."""
    parts = {"query": query, "error": error, "found": () if instead else cards, "groups": groups, "instead": instead}
    parts["narrower"] = ()
    return {"template": "cards.html", "refused": bool(error), **parts}


def rule_page(visitor: Visitor, query: QueryParams) -> Parts:
    """A rule, a section or a term with what belongs to it."""

    return _text_page(
        visitor, query, lambda words, text: rule_pages([words], find_rules(words.database, text, words.lang), None)
    )


def ask_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The best answer in full, others in a line each, and the cards that the question names."""
    from thunderref.pages.computed_page import computed_page
    from thunderref.search.ask import ask_games

    names = list[str]()

    def pages(words: Language, text: str) -> list[Page]:
        if (page := computed_page(words, reader(words).parse(text), on_page=True)) is not None:
            links = [link.subject for block in page.blocks for line in block.lines for link in line.links]
            names.extend(dict.fromkeys(links) if len({*links}) <= ANSWERS else ())
            return [page]
        answers = ask_games(words.database, text, lang=words.lang)
        cards = (name.id for name in answers.answers[0].question.mentions if name.kind == "card")
        names.extend(dict.fromkeys(words.database.reprints.get(card, card) for card in cards))
        return [answer_page([words], answers._replace(answers=answers.answers[:ANSWERS]), ANSWERS)]

    return {**_text_page(visitor, query, pages), "named": names}


def _text_page(visitor: Visitor, query: QueryParams, pages: Callable[[Language, str], list[Page]]) -> Parts:
    text = query.get("q", "")
    if not any(map(str.isalnum, text)):
        return {"go": "/card"}
    try:
        return _page_parts(text, pages(visitor.words, text))
    except ThunderrefError as error:
        return _refused(visitor.words, text, error)


def tonight_page(visitor: Visitor, query: QueryParams) -> Parts:
    words, drawn = visitor.words, visitor.made
    groups = [] if drawn is None else [*in_hand(words, drawn)[1:3], *in_hall(words, drawn)]
    code = "" if drawn is None else drawn.code
    return {
        "made": drawn,
        "groups": groups,
        "code": code,
        "back": query.get("back", ""),
        "notice": "",
        "typed_names": (),
        "mistake": (None, ""),
        **table_parts(visitor),
    }


def setup_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The form, or a set-up with its steps; ``go`` to the code of what is drawn: an address stays what it is.

    Wishes stay beside the code, for the form and the next draw; a part that is drawn again heeds what is not wanted.
    """
    words, naming = visitor.words, Naming(visitor.words)
    wishes = {name: ", ".join(filter(None, query.getlist(name))) for name in ("require", "exclude")}
    form: Parts = {name: query.get(name, "") for name in ("players", "variant", "code")} | wishes
    form |= {"set": query.getlist("set"), "balanced": "balanced" in query or "players" not in query}
    parts: Parts = {
        "players": PLAYERS, "boxes": [(box, words.set_name(box)) for box in naming.cat.boxes],
        "made": None, "page": None, "sentence": "", "given": query, "form": form, "stacks": [],
        "tonight": visitor.now and visitor.now.code,
        "variants": [(mode.id, naming.name(mode.term) if mode.term else "–") for mode in naming.cat.variants.values()],
        "fault": "", "link": lambda **options: address("/setup", **options, **wishes),
    }  # fmt: skip
    fixed = {"require", "balanced"} | (set() if query.get("reroll") else {"exclude"}) if query.get("code") else set()
    pairs = [(name, text) for name, text in query.multi_items() if name not in fixed and (name, text) not in _THEMES]
    options = QueryParams([(k, entry) for k, v in pairs for entry in (split_list(v) if k in wishes else [v])])
    if not any(options.get(parameter.name) for parameter in api.parameters()["setup"]):
        return parts
    setup, refusal = _attempt(visitor, lambda: api.setup(api.document_of("setup", options, words), words), form)
    if setup is None:
        return parts | refusal
    if options.get("code") != setup.code:
        return {"go": address("/setup", code=setup.code, **wishes)}
    if query.get("simulate"):
        from thunderref.thunderstone.simulate.run import simulate_setup
        from thunderref.thunderstone.simulate.simulation_report import with_finding

        setup = with_finding(setup, simulate_setup(setup, (), setup.content.seed, SAMPLE_GAMES, workers=1))
    drawn = setup.content
    form |= {"players": str(drawn.players), "set": drawn.sets, "variant": drawn.variant}
    form["balanced"] = drawn.balanced or drawn.layout is not None  # a fixed one has no choice, the next one has
    return parts | {
        "made": setup, "page": sheet_page(setup), "places": places(setup), "stacks": stacks_by_kind(setup),
    }  # fmt: skip


def _attempt(visitor: Visitor, answer: Callable[[], T], form: Mapping[str, Any]) -> tuple[T | None, Parts]:
    """Return the answer of a form, or None and what the page says: the sentence, and the field that it is about."""
    try:
        return answer(), {}
    except ThunderrefError as error:
        texts = [fold(text) for text in error.params.values() if isinstance(text, str)]
        about = [name for name, typed in form.items() if isinstance(typed, str) and typed]
        fields = [name for name in about if any(text in fold(form[name]) for text in texts if text)]
        wishes = re.findall(r"--(require|exclude)", str(error.params.get("wishes", "")))
        candidates = (_FIELD_OF.get(error.code), *wishes, error.params.get("key"), *fields)
        field = next((name for name in candidates if name in form), "")
        sentence = visitor.words.error(error, on_page=True)
        return None, {"sentence": sentence, "fault": field, "refused": True}


def odds_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The form, and the chances if it is filled, or if an evening knows the deck."""
    words = visitor.words
    fields, defaults = _typed(visitor, query, "hall", "hand", "deck_list", "discard")

    def reckon() -> list[Page]:
        document = defaults | api.document_of("odds", query, words)
        result = visitor.judge(ODDS, document)
        pages = ODDS.pages(result, words)
        if not all(target.exact for target in result.targets):  # the terminal names its options here
            pages[-1] = pages[-1]._replace(blocks=[pages[-1].blocks[0], Block([Line(words.say("serve.about"))])])
        return pages

    is_asked = "deck_list" in query or (fields["deck_list"] and defaults.get("hand"))
    return _filled_form(visitor, fields, reckon if is_asked else None) | {"first_battle": query.get("first_battle")}


def turn_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The form, and battle, purchase and rest side by side if there is a hand."""

    def weigh() -> list[Page]:
        document = api.document_of("turn", query, visitor.words)
        return TURN.pages(visitor.judge(TURN, document), visitor.words)

    fields, _ = _typed(visitor, query, "hall", "hand", "deck_list", "discard", "xp")
    return _filled_form(visitor, fields, weigh if "hand" in query else None)


def _typed(visitor: Visitor, query: QueryParams, *names: str) -> tuple[dict[str, str], dict[str, Any]]:
    """Return what was typed in the fields of a form, and hand and deck as an evening knows them if no deck was."""
    fields, known = {name: query.get(name, "") for name in names}, dict[str, Any]()
    if visitor.evening is not None and not fields["deck_list"]:
        known = {"hand": split_list(fields["hand"] or visitor.at.get("hand", ""), visitor.words)}
        visitor.fill(ODDS, filled := dict(known))
        known["deck_list"] = filled.get("deck_list")
        fields["deck_list"] = ",".join(known["deck_list"] or ())
    return fields, known


def _filled_form(visitor: Visitor, fields: Mapping[str, str], answer: Callable[[], list[Page]] | None) -> Parts:
    """A form with what was typed in it, and the pages of its answer or why there is none."""
    pages, refusal = (None, {}) if answer is None else _attempt(visitor, answer, fields)
    return {"fields": _fields(visitor, fields), "pages": pages or [], "sentence": "", "fault": "", **refusal}


def _fields(visitor: Visitor, values: Mapping[str, str]) -> list[tuple[str, str]]:
    """The values in the fields of a form: what was typed, else the hand and hall seen last, by their names."""
    words, cards = visitor.words, visitor.words.database.cards
    texts = ((name, (text or visitor.at.get(name, "")).split(",")) for name, text in values.items())
    lists = ((name, [words.card(entry) if entry in cards else entry.strip() for entry in text]) for name, text in texts)
    return [(name, ", ".join(entries)) for name, entries in lists]
