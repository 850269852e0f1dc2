"""Answers that no text holds, as pages and plain values: lists and values of cards, and what the judge says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.database.paths import FIRST_GAME
from thunderref.database.read import FALLBACK, Language
from thunderref.pages.card_page import card_page, cards_page, copies_of, names_page
from thunderref.pages.page import Block, Line, Page, links_to_cards
from thunderref.search.ask import AskResult, answer, said_beside
from thunderref.search.card import card_record
from thunderref.search.card_query import written
from thunderref.search.filters import ListQuery, columns_of, parse_query
from thunderref.search.other_boxes import Contents
from thunderref.search.parsed_line import ParsedLine
from thunderref.search.query import shorten

_OF_ONE = frozenset(("value", "kind", "types", "box", "copies", "trophy", "effect", "price", "next_level"))
"""The answer to a question about one card."""
_MOST_ROWS, _MOST_WHOLE = 6, 3
"""Most cards of an answer with a line each, and with all their figures."""


def answer_question(line: ParsedLine, **options: Any) -> AskResult:
    """Answer a question by cards and engine, and by the texts; ``options`` and errors are those of :func:`answer`."""
    computed = computed_answer(line) if options.get("game") in (None, FIRST_GAME) else None
    return answer(line.text, words=line.words, told=computed, **options)


def computed_answer(line: ParsedLine) -> dict[str, Any] | None:
    """Return the answer to a question that cards and engine decide, and what the texts surely say; None for others."""
    if (record := _computed(line)) and not (line.alone or line.scores):
        for passage in said_beside(line.words.database, line.text, record["verdict"]):
            record["text"] = {code: f"{text}\n{passage.text[code]}" for code, text in record["text"].items()}
            record["rules"] = [*dict.fromkeys((*record["rules"], *passage.rules))]
    return record


def _computed(line: ParsedLine) -> dict[str, Any] | None:
    tongues = [Language(line.words.database, code) for code in line.words.database.languages]
    if line.scores:
        from thunderref.thunderstone.resolve.final_score import say_winner

        texts = {words.lang: say_winner(words, line.scores) for words in tongues}
        return {"kind": "rule", "verdict": None, "text": texts, "rules": ["R7.3"], "cards": [], "query": None}
    if listed := line.listed:
        cards = [card.id for card in listed.cards(line.words)]
        texts = {words.lang: _list_text(words, listed) for words in tongues}
        kind = "count" if listed.counts else "list"
        return {"kind": kind, "verdict": None, "text": texts, "rules": [], "cards": cards, "query": listed.query}
    if held := line.contents:
        texts = {words.lang: " ".join(_contents_text(words, held)) for words in tongues}
        query = f"set:{held.box.ident}" if held.cards else None
        return {"kind": "count", "verdict": None, "text": texts, "rules": [], "cards": held.cards, "query": query}
    if (situation := line.situation) is None:
        return None
    from thunderref.thunderstone.resolve.situation import judge_situation  # a written answer needs no engine

    verdicts = {words.lang: judge_situation(words, situation) for words in tongues}
    if (judgement := verdicts[line.words.lang]) is None:
        return None
    rules = {rule for sentence in judgement.sentences for rule in sentence.rules}
    return {
        "kind": "card" if situation.asked in _OF_ONE else "pair", "verdict": judgement.verdict,
        "text": {lang: "\n".join(text for text, _ in judged.sentences) for lang, judged in verdicts.items() if judged},
        "rules": sorted(rules), "cards": [*dict(situation.hand), *situation.foes], "query": None,
    }  # fmt: skip


def computed_page(words: Language, line: ParsedLine, *, on_page: bool = False) -> Page | None:
    """Return the page of such an answer: the cards asked for, with the values it is about; a value; a verdict.

    ``on_page`` it has no words for a terminal.
    A name alone is answered with the page of its card.
    """
    if alone := line.alone:
        return card_page(words, card_record(words.database, alone.hit.id, words.lang, alone.hit), line.text)
    verdict, page = _page(words, line, on_page) or (None, None)
    beside = said_beside(words.database, line.text, verdict) if page and not line.scores else []
    lines = [Line(passage.text[words.lang], note=" ".join(passage.rules)) for passage in beside]
    return page._replace(blocks=[*page.blocks, Block(lines, words.say("ask.beside"))]) if page and lines else page


def _page(words: Language, line: ParsedLine, on_page: bool) -> tuple[str | None, Page] | None:
    """Return the verdict on a list or a situation, and its page."""
    title = words.say("ask.title", question=shorten(line.text))
    if line.scores:
        from thunderref.thunderstone.resolve.final_score import say_winner

        return None, Page(title, [], [Block([Line(say_winner(words, line.scores), note="R7.3")])])
    if (listed := line.listed) and listed.groups:
        return None, Page(title, [], [Block([Line(_list_text(words, listed))])])
    if listed:
        cards, query = listed.cards(words), parse_query(words.database, listed.query)
        fields = [field for field in columns_of(words.database, query, listed.sort, ()) if field != "level"]
        if len(cards) > (_MOST_ROWS if fields else _MOST_WHOLE) and len(fields) <= 1:
            page = names_page(words, cards, fields, written(query))
        else:
            page = cards_page(words, cards, len(cards), fields, written(query))
        return None, page._replace(title=copies_of(words, cards, listed.query)) if listed.counts else page
    if held := line.contents:
        lines = [*map(Line, _contents_text(words, held, on_page))]
        about = [Line(words.say("card.list.query", query=f"set:{held.box.ident}"))] if held.cards else []
        return None, Page(title, [], [Block(lines), Block(about)])
    if (situation := line.situation) is None:
        return None
    from thunderref.thunderstone.resolve.situation import judge_situation

    if (judgement := judge_situation(words, situation)) is None:
        return None
    links = links_to_cards(words, [*dict(situation.hand), *situation.foes])
    lines = [Line(text, note=" ".join(rules), links=links) for text, rules in judgement.sentences]
    return judgement.verdict, Page(title, [], [Block(lines)])


def _contents_text(words: Language, held: Contents, on_page: bool = False) -> Iterator[str]:
    """Yield what a box holds, and what to do if it is off."""
    kinds = ", ".join(f"{words.say(f'kind.{kind}')} {n}" for kind, n in held.copies.items())
    name = held.titles.get(words.lang) or held.titles[FALLBACK]
    yield words.say("box.holds", name=name, n=sum(held.copies.values()), kinds=kinds)
    if held.box.refusal:
        yield words.error(held.box.refusal, on_page=on_page)


def _list_text(words: Language, listed: ListQuery) -> str:
    """The answer to a question for cards: their names, how many they are, or of which families or types."""
    cards, of_hero = listed.cards(words), "kind:hero" in listed.query
    if listed.groups == "type" and of_hero:
        types = (card_type for card in cards for card_type in card.types if card_type != "hero")
        names = [*dict.fromkeys(map(words.card_type, types))]
    elif listed.groups:
        names = [*dict.fromkeys(str(words.family(card.family)) for card in cards if card.family)]
    else:
        names = [words.card(card.id) for card in cards]
    if not names:
        return words.say("error.no-cards", filters=listed.query)
    if not (listed.groups or listed.counts):
        return f"{', '.join(names)}."
    return f"{len(names) if listed.groups else copies_of(words, cards, listed.query)}: {', '.join(names)}."
