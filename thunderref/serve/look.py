"""Cards, rules and answers to questions, as pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from thunderref.errors import ThunderrefError
from thunderref.search.card import compared, figures_of, first_sentences, found_by, record_name, rulings_of
from thunderref.search.names import search_cards
from thunderref.search.query import shorten
from thunderref.serve import api
from thunderref.serve.page import Visitor
from thunderref.serve.tonight import in_hall, in_hand
from thunderref.text.language import Language

OTHERS = 4
"""Answers shown after the first."""
CARDS = 12
"""Cards listed at a rule."""
SURE = 90
"""The score from which a name is that of a rule or a term."""
WORDS = 3
"""What has more words is a question."""


class Text(NamedTuple):
    """A text with its label, the rules it rests on, and where it is printed."""

    text: str
    label: str = ""
    rules: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()


def look_up(visitor: Visitor, query: str) -> tuple[str, dict[str, Any]]:
    """The template and what it shows: the card, tiles of several, or (``go``) the address of a rule or answer."""
    words, shown = visitor.words, shorten(query)
    if not query.strip():
        made = visitor.made
        groups = [*in_hand(words, made), *in_hall(words, made)]
        return "cards.html", {"query": "", "groups": groups, "error": "", "found": []}
    try:
        record = api.card(query, None, words)["matches"][0]
        if record["matched"]["how"] != "text":
            return "card.html", card_page(words, record, query)
        found = [each["id"] for each in api.card(query, CARDS, words)["matches"]]
        problem: ThunderrefError | None = None
    except api.PartlyError as several:
        found, problem = [each["id"] for each in several.document["matches"]], several.error
    except ThunderrefError as error:
        found, problem = [], error
    if not found or problem is None:
        try:
            best = api.rule(query, 1, words)["matches"][0]
            if best["score"] >= SURE and len(query.split()) <= WORDS:
                return "", {"go": visitor.link("/rule", q=query)}
        except ThunderrefError:
            pass
        try:
            api.ask(query, 1, words)
            return "", {"go": visitor.link("/ask", q=query)}
        except ThunderrefError:
            pass
    near = list(search_cards(words.database, query).hits) if problem and not found else []
    message = words.say("serve.several", query=shown) if found else words.error(problem) if problem else ""
    return "cards.html", {
        "query": query, "groups": [], "error": message, "found": found or [hit.id for hit in near],
    }  # fmt: skip


def card_page(words: Language, record: Mapping[str, Any], query: str) -> dict[str, Any]:
    names = [record_name(words, record, lang) for lang in record["name"] if lang != words.lang and record["name"][lang]]
    kind = [words.say(f"card.kind.{record['kind']}")]
    if record["family"] and record["kind"] in ("hero", "monster"):
        kind.append(words.family(record["family"]))
    if record["level"]:
        kind.append(words.say("card.level", level=record["level"]))
    kind.append(words.say("card.copies", n=record["count"]))
    kind.append(words.set_name(record["set"]))
    types = [words.say_or(each, "card.type.") for each in record["types"]]
    explained = {rule for each in record["clarifications"] for rule in each["rules"]}
    return {
        "title": record_name(words, record, words.lang), "id": record["id"], "names": names, "kind": kind,
        "types": types, "figures": figures_of(words, record), "found": found_by(words, record["matched"], query),
        "query": query,
        "abilities": [
            Text(text, words.say(f"card.timing.{each['timing']}"))
            for each in record["abilities"]
            if (text := _told(words, each["text"]))
        ],
        "rulings": _rulings(words, record), "conflicts": _conflicts(words, record),
        "levels": [each["id"] for each in record["levels"]],
        "rules": _sentences(words, (rule for rule in record["rules"] if rule not in explained)),
    }  # fmt: skip


def _rulings(words: Language, record: Mapping[str, Any]) -> list[Text]:
    found = rulings_of(words, record)
    return [Text(each["text"], "", tuple(each["rules"]), words.printed(each["id"], each)) for each in found]


def _conflicts(words: Language, record: Mapping[str, Any]) -> list[Text]:
    return [Text(each["text"], printed=(compared(words, each),)) for each in record["conflicts"]]


def _sentences(words: Language, rules: Iterable[str]) -> list[Text]:
    return [Text(text, rules=(rule,)) for rule, text in first_sentences(words, rules)]


def _told(words: Language, texts: Mapping[str, str | None]) -> str:
    return texts.get(words.lang) or texts.get("en") or ""


def rule_page(visitor: Visitor, query: str) -> dict[str, Any]:
    """A rule, a section or a term with what belongs to it; raises :class:`ThunderrefError` for what is none."""
    words = visitor.words
    found = api.rule(query, None, words)["matches"]
    best = found[0]
    title = best["id"] if best["kind"] == "rule" else record_name(words, best, words.lang)
    small = (
        [] if best["kind"] == "rule" else [name for lang, name in best["name"].items() if lang != words.lang and name]
    )
    if best["kind"] == "rule" and best["status"] != "printed":
        key = f"rule.status.{best['status']}"
        own = f"{key}.{best['game']}"
        small.append(words.say(own if words.has(own) else key))
    if best["game"] != found[-1]["game"] or best["game"] != "thunderstone":
        small.append(words.say_or(best["game"], "game."))
    rules = [Text(words.text(f"rule.{rule}") or "", rules=(rule,)) for rule in best["rules"]]
    switches = [
        Text(words.say(key, name=each["name"], value=value, meaning=words.say(f"reading.{each['name']}.{value}")))
        for each in best["switches"]
        for value, key in ((each["default"], "rule.reading-taken"), (each["other"], "rule.reading-other"))
    ]
    more = [each for each in found[1:8] if each["id"] not in best["rules"]]
    return {
        "title": title[:1].upper() + title[1:], "names": small, "text": _told(words, best["text"]), "query": query,
        "printed": words.printed(best["id"], best) if best["kind"] == "rule" else (), "switches": switches,
        "rulings": _rulings(words, best), "conflicts": _conflicts(words, best),
        "rules": rules, "see": _sentences(words, best["see"]), "cards": best["cards"][:CARDS],
        "cards_more": max(0, len(best["cards"]) - CARDS),
        "also": [(each["id"], each["id"] if each["kind"] == "rule" else words.term(each["id"])) for each in more],
    }  # fmt: skip


def ask_page(visitor: Visitor, question: str) -> dict[str, Any]:
    """The answer in full, others in a line each; raises :class:`ThunderrefError` where nothing answers."""
    words = visitor.words
    found = api.ask(question, OTHERS + 1, words)
    best, *others = found["matches"]
    figures = [(words.say(f"card.figure.{figure}"), value) for figure, value in best["figures"].items()]
    return {
        "query": question, "title": _told(words, best["name"]), "kind": words.say(f"ask.kind.{best['kind']}"),
        "confident": found["confident"], "figures": figures, "cards": best["cards"][:CARDS],
        "cards_more": max(0, len(best["cards"]) - CARDS), "passages": [
            Text(text, "", tuple(each["rules"]), words.printed(each["id"], each) if each["kind"] in PRINTED else ())
            for each in best["passages"]
            if (text := _told(words, each["text"]))
        ],
        "why": best["explanation"],
        "others": [
            (_told(words, each["name"]), shorten(_told(words, each["text"]).partition(". ")[0], 120), _place(each))
            for each in others
        ],
    }  # fmt: skip


PRINTED = ("rule", "clarify")


def _place(match: Mapping[str, Any]) -> tuple[str, str]:
    """The page of another answer: its path and what to look for there."""
    if match["kind"] in ("rule", "term"):
        return "/rule", match["id"] if match["kind"] == "rule" else match["name"]["en"] or match["id"]
    if match["kind"] == "card":
        return "/card", match["id"]
    return ("/rule", match["rules"][0]) if match["rules"] else ("", "")
