"""Rules, terms, and the answers to questions about them, as pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from thunderref.database.paths import FIRST_GAME, Game
from thunderref.database.read import FALLBACK, Language
from thunderref.pages.card_page import choice_lines, conflict_lines, record_name, rule_lines, ruling_lines
from thunderref.pages.page import Block, Line, Page, PageLink, links_to_cards, side_by_side
from thunderref.search.query import shorten
from thunderref.search.rules import RuleHit, rule_record
from thunderref.text.messages import first_sentence

if TYPE_CHECKING:
    from thunderref.search.ask import GameAnswers

_CARDS_OF_A_RULE, _CARDS_OF_AN_ANSWER = 12, 8
"""How many cards a page names; of the others it gives the number."""
_RULES_OF_AN_ANSWER = 3
"""How many rules stand behind an answer."""


def contents_page(words: Language, game: Game) -> Page:
    """All rules of a game by their titles, section by section."""
    rows = words.database.query("SELECT id FROM rules WHERE game = ? ORDER BY position", game)
    titles = [(rule, words.text(f"title.{rule}") or words.text(f"rule.{rule}") or "") for (rule,) in rows]
    heads = {rule: title for rule, title in titles if "." not in rule}
    blocks = [
        Block([Line(title, rule) for rule, title in titles if rule.startswith(f"{head}.")], f"{head}  {name}")
        for head, name in heads.items()
    ]
    return Page(words.say("rule.contents"), [], blocks)


def rule_pages(tongues: Sequence[Language], hits: Sequence[RuleHit], limit: int | None) -> list[Page]:
    """The pages of the rules or terms found, languages side by side: the ``limit`` best, else those that fit best.

    A section, or all readings, is one page. The last page names what else was found, if there was no ``limit``.
    """
    words = tongues[0]
    if limit is None and hits[0].how == "id" and len(hits) > 1 and hits[1].score >= 90:
        return [side_by_side([_list_page(tongue, hits) for tongue in tongues])]
    best = hits[:limit] if limit is not None else [hit for hit in hits if hit.score == hits[0].score][:3]
    with_game = {hit.game for hit in best} != {FIRST_GAME}
    pages, on_page = list[Page](), {hit.id for hit in best} | {hit.id for hit in hits if hit.how == "term"}
    for hit in best:
        record = rule_record(words.database, hit, words.lang)
        pages.append(side_by_side([_rule_page(tongue, record, with_game) for tongue in tongues]))
        on_page.update(record["see"])
    further = [_link(words, hit, best[0].game) for hit in hits if hit.id not in on_page][:6]
    return [*pages[:-1], pages[-1]._replace(also=tuple(further) if limit is None else ())]


def _link(words: Language, hit: RuleHit, game: Game) -> PageLink:
    """Return the title of a rule or term as a link to its page, with its game if that is not ``game``."""
    name = f"{rule_title(words, hit.id)} ({hit.id})" if hit.kind == "rule" else words.term(hit.id)
    title = name if hit.game == game else f"{name} ({words.say(f'game.{hit.game}')})"
    return PageLink(title, "rule", hit.id if hit.kind == "rule" else name)


def _list_page(words: Language, hits: Sequence[RuleHit]) -> Page:
    first, *following = hits
    small = [] if first.game == FIRST_GAME else [words.say(f"game.{first.game}")]
    if first.score > following[0].score:
        text = words.text(f"rule.{first.id}")
        lines = [Line(rule_title(words, hit.id), hit.id) for hit in following]
        section = Block([Line(text, note=first.id)] if text else [])
        return Page(rule_title(words, first.id), small, [section, Block(lines)])
    switches = [_switches(words, hit.id) for hit in hits]
    blocks = [Block([_rule(words, hit), *lines]) for hit, lines in zip(hits, switches, strict=True)]
    small += [words.say("rule.how-readings")] if any(switches) else []
    return Page(words.say("rule.heading.readings"), small, blocks)


def _rule(words: Language, hit: RuleHit) -> Line:
    printed = words.database.printed("rules", hit.id)
    text, *small = words.printed(hit.id, printed)
    return Line(text, hit.id, small=tuple(small))


def _switches(words: Language, rule: str) -> list[Line]:
    return choice_lines(words, (switch for switch in words.database.switches.values() if switch.rule == rule))


def _rule_page(words: Language, record: Mapping[str, Any], with_game: bool) -> Page:
    subtitle = [words.say(f"game.{record['game']}")] if with_game else []
    is_term, status = record["kind"] == "term", ""
    if is_term:
        names = (f"{lang}: {record_name(words, record, lang)}" for lang, name in record["name"].items() if name)
        status = " · ".join(names)
    elif record["status"] != "printed":
        key = f"rule.status.{record['status']}"
        game_key = f"{key}.{record['game']}"
        status = words.say(game_key if words.has(game_key) else key)
    text = record["text"].get(words.lang) or record["text"].get(FALLBACK) or ""
    links = links_to_cards(words, record["cards"][:_CARDS_OF_A_RULE])
    cards = [Line(_card_names(words, record["cards"], _CARDS_OF_A_RULE, "rule.cards-more"), links=links)]
    title = words.term(record["id"]) if is_term else rule_title(words, record["id"])
    small = () if is_term else words.printed(record["id"], record)
    rules = _rules_in_full(words, record["rules"]) if is_term else rule_lines(words, record["rules"])
    blocks = [
        Block([Line(text, note="" if is_term else record["id"], small=small)] if text else []),
        Block([Line(status)] if status else [], more=True),
        Block(rules, words.say("rule.heading.rules"), more=not is_term or bool(text)),
        Block(ruling_lines(words, record), words.say("card.heading.clarifications"), more=is_term),
        Block(_switches(words, record["id"]), words.say("rule.heading.switches"), more=True),
        Block(conflict_lines(words, record, with_cards=True), words.say("rule.heading.conflicts"), more=True),
        Block(rule_lines(words, record["see"]), words.say("rule.heading.see"), more=True),
        Block(cards if links else [], words.say("rule.heading.cards"), more=True),
    ]
    return Page(title[:1].upper() + title[1:], subtitle, blocks)


def rule_title(words: Language, rule: str) -> str:
    """The title of a rule."""
    return words.text(f"title.{rule}") or rule


def _rules_in_full(words: Language, rules: Sequence[str]) -> list[Line]:
    """Rules in full; the same places of consecutive rules are printed once."""
    places = [words.printed(rule, words.database.printed("rules", rule))[:1] for rule in rules]
    return [
        Line(words.text(f"rule.{rule}") or "", rule, small=place if place != following else ())
        for rule, place, following in zip(rules, places, [*places, ()][1:], strict=True)
    ]


def _card_names(words: Language, cards: Sequence[str], limit: int, more: str) -> str:
    listed = ", ".join(words.card(card) for card in cards[:limit])
    return f"{listed} {words.say(more, n=len(cards) - limit)}" if len(cards) > limit else listed


def answer_page(tongues: Sequence[Language], result: GameAnswers, limit: int) -> Page:
    """The answer to a question, in all languages; for scholars what it rests on, and other answers in a line each."""
    from thunderref.search.ask import answer_record, name_of

    words = tongues[0]
    best, *alternatives = (answer_record(words, answer) for answer in result.answers[:limit])
    marks = [(tongue, f"{tongue.lang}: " if len(tongues) > 1 else "") for tongue in tongues]
    passages = [_quote_line(tongue, quote, mark) for quote in best["passages"] for tongue, mark in marks]
    if best["cards"]:
        listed = _card_names(words, best["cards"], _CARDS_OF_AN_ANSWER, "ask.more")
        concerned = links_to_cards(words, best["cards"][:_CARDS_OF_AN_ANSWER])
        passages.append(Line(words.say("ask.concerns", cards=listed), links=concerned))
    hidden = len(result.answers[limit:])
    remarks = [words.say("ask.rest", n=hidden, all=len(result.answers))] if hidden else []
    if other := result.elsewhere:
        game = words.say(f"game.{other.question.game}")
        remarks.insert(0, words.say("ask.elsewhere", game=game, name=name_of(words, other)))
    blocks = [
        *(_said_blocks(words, result, marks) if result.confident else [_meant_block(words, result, marks)]),
        Block([*passages, Line(best["explanation"])], _heading(tongues, best), more=True),
        Block([_answer_line(tongues, answer) for answer in alternatives], words.say("ask.others"), more=True),
        Block([*map(Line, remarks)], more=True),
    ]
    small = [words.say(f"game.{result.game}")] if result.game != FIRST_GAME else []
    return Page(words.say("ask.title", question=shorten(result.query)), small, blocks)


def _said_blocks(words: Language, result: GameAnswers, marks: Sequence[tuple[Language, str]]) -> list[Block]:
    """Return the main line, and those of the other readings."""
    from thunderref.search.ask import said_to

    first, *more = (
        [
            Line(mark + text, note=" ".join(passage.rules[:_RULES_OF_AN_ANSWER]), links=links)
            for tongue, mark in marks
            if (text := passage.text.get(tongue.lang))
        ]
        for passage in said_to(words.database, result.answers)
        for links in [links_to_cards(words, passage.cards[:_CARDS_OF_AN_ANSWER])]
    )
    return [Block(first), Block([*chain(*more)], words.say("ask.or"))]


def _meant_block(words: Language, result: GameAnswers, marks: Sequence[tuple[Language, str]]) -> Block:
    """Return a line for each possible question, with its number, its short answer and the way to its page."""
    from thunderref.search.ask import meant_by

    lines = [
        Line(f"{mark}{near.question} – {near.reply}", str(n), links=(PageLink(near.question, "ask", near.question),))
        for tongue, mark in marks
        for n, near in enumerate(meant_by(tongue, result.answers[0]), 1)
    ]
    return Block(lines, words.say("ask.meant"))


def _answer_line(tongues: Sequence[Language], answer: Mapping[str, Any]) -> Line:
    """The first sentence of an answer."""
    passages, name = answer["passages"], answer["name"][tongues[0].lang]
    text = tongues[0].text(passages[0]["key"]) if passages else None
    subject = answer["id"] if answer["kind"] == "card" else name
    if answer["kind"] in ("clarification", "conflict"):
        subject = next((rule for quote in passages for rule in quote["rules"]), "")
    links = (PageLink(name, "card" if answer["kind"] == "card" else "rule", subject),) if subject else ()
    return Line(first_sentence(text or ""), _heading(tongues, answer), links=links)


def _heading(tongues: Sequence[Language], answer: Mapping[str, Any]) -> str:
    titles = dict.fromkeys(rule_title(words, answer["id"]) for words in tongues) if answer["kind"] == "rule" else None
    names = " / ".join(titles or dict.fromkeys(answer["name"][words.lang] for words in tongues))
    kind = tongues[0].say(f"ask.kind.{answer['kind']}")
    if answer["kind"] in ("clarification", "conflict"):
        return f"{kind}: {names}"
    return f"{names} ({kind})" if answer["kind"] != "rule" else f"{names} ({answer['id']})"


def _quote_line(words: Language, quote: Mapping[str, Any], mark: str) -> Line:
    label, text = "", words.text(quote["key"]) or ""
    printed = words.printed(quote["id"], quote)[:1] if quote["kind"] in ("rule", "clarify") else ()
    if quote["kind"] == "effect":
        rows = words.database.query("SELECT timing FROM effects WHERE text_key = ?", quote["key"])
        label = words.say(f"card.timing.{rows[0][0]}")
    elif quote["kind"] in ("clarify", "conflict"):
        label = words.say(f"ask.label.{quote['kind']}")
        text = words.ruling(quote["id"]) if quote["kind"] == "clarify" else text
    return Line(text, (mark + label).strip(), " ".join(quote["rules"]), printed)
