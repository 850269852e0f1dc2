"""``thunderref rule``: rules, keywords and procedures."""

from __future__ import annotations

from typing import Any

from thunderref.cli.card import conflict_lines, rule_lines, ruling_lines
from thunderref.cli.command import CommandApp, Limit, Query
from thunderref.cli.render import columns, show, wrap
from thunderref.cli.session import session
from thunderref.database.games import FIRST_GAME, Game
from thunderref.pages.page import Block, Line, Page
from thunderref.search.card import record_name
from thunderref.search.rules import RuleHit, find_rules, rule_record
from thunderref.text.language import Language

app = CommandApp()
_CARDS_SHOWN = 12


@app.command("rule")
def rule_command(query: Query = None, limit: Limit = None) -> None:
    show_rules(" ".join(query or []), limit)


def show_rules(text: str, limit: int | None, game: Game | None = None) -> None:
    run = session()
    hits = find_rules(run.database, text, run.language, game)
    if run.json:
        records = [rule_record(run.database, hit, run.language) for hit in hits[:limit]]
        run.print_json({"query": text, "matches": records})
        return
    tongues = run.tongues
    if limit is None and hits[0].how == "id" and len(hits) > 1 and hits[1].score >= 90:
        show(*(_list_page(words, hits) for words in tongues))
        return
    chosen = hits[:limit] if limit is not None else [hit for hit in hits if hit.score == hits[0].score][:3]
    named = {hit.game for hit in chosen} != {FIRST_GAME}
    on_page = {hit.id for hit in chosen} | {hit.id for hit in hits if hit.how == "term"}
    for number, hit in enumerate(chosen):
        if number:
            print()
        records = [rule_record(run.database, hit, words.lang) for words in tongues]
        show(*(_page(words, record, named) for words, record in zip(tongues, records, strict=True)))
        on_page.update(records[0]["see"])
    rest = [_name(run.words, hit, chosen[0].game) for hit in hits if hit.id not in on_page][:6]
    if rest and limit is None:
        print("", *wrap(f"{run.words.say('rule.also')} {', '.join(rest)}", columns()), sep="\n")


def _name(words: Language, hit: RuleHit, game: Game) -> str:
    name = hit.id if hit.kind == "rule" else words.term(hit.id)
    return name if hit.game == game else f"{name} ({words.say(f'game.{hit.game}')})"


def _list_page(words: Language, hits: list[RuleHit]) -> Page:
    first, *others = hits
    if first.score <= others[0].score:
        return _readings_page(words, hits)
    title = f"{first.id}: {words.text(f'rule.{first.id}') or ''}".rstrip(": ")
    return Page(title, _game(words, first), [Block([_rule(words, hit) for hit in others])])


def _readings_page(words: Language, hits: list[RuleHit]) -> Page:
    switches = [_switches(words, hit.id) for hit in hits]
    blocks = [Block([_rule(words, hit), *lines]) for hit, lines in zip(hits, switches, strict=True)]
    small = [*_game(words, hits[0]), *([words.say("rule.how-readings")] if any(switches) else [])]
    return Page(words.say("rule.heading.readings"), small, blocks)


def _rule(words: Language, hit: RuleHit) -> Line:
    printed = words.database.printed("rules", hit.id)
    return Line(words.text(f"rule.{hit.id}") or "", hit.id, small=words.printed(hit.id, printed))


def _game(words: Language, hit: RuleHit) -> list[str]:
    return [] if hit.game == FIRST_GAME else [words.say(f"game.{hit.game}")]


def _switches(words: Language, rule: str) -> list[Line]:
    return [
        Line(words.say(key, name=each.name, value=value, meaning=words.say(f"reading.{each.name}.{value}")))
        for each in words.database.switches.values()
        if each.rule == rule
        for value, key in ((each.default, "rule.reading-taken"), (each.other, "rule.reading-other"))
    ]


def _page(words: Language, record: dict[str, Any], named: bool = False) -> Page:
    subtitle = [words.say(f"game.{record['game']}")] if named else []
    if record["kind"] == "term":
        others = [f"{lang}: {name}" for lang, name in record["name"].items() if lang != words.lang and name]
        subtitle.append(" · ".join(others))
    elif record["status"] != "printed":
        key = f"rule.status.{record['status']}"
        own = f"{key}.{record['game']}"
        subtitle.append(words.say(own if words.has(own) else key))
    text = record["text"].get(words.lang) or record["text"].get("en") or ""
    small: tuple[str, ...] = ()
    if record["kind"] == "term":
        places = [words.printed(rule, words.database.printed("rules", rule))[:1] for rule in record["rules"]]
        rules = [  # the same places of consecutive rules are printed once
            Line(words.text(f"rule.{rule}") or "", rule, small=own if own != following else ())
            for rule, own, following in zip(record["rules"], places, [*places, ()][1:], strict=True)
        ]
    else:
        rules = rule_lines(words, record["rules"])
        small = words.printed(record["id"], record)
    cards = [words.card(card) for card in record["cards"]]
    listed = ", ".join(cards[:_CARDS_SHOWN])
    if len(cards) > _CARDS_SHOWN:
        listed += f" {words.say('rule.cards-more', n=len(cards) - _CARDS_SHOWN)}"
    title = record_name(words, record, words.lang) if record["kind"] == "term" else record["id"]
    blocks = [
        Block([Line(text, small=small)] if text else []),
        Block(_switches(words, record["id"]), words.say("rule.heading.switches")),
        Block(ruling_lines(words, record), words.say("card.heading.clarifications")),
        Block(rules, words.say("rule.heading.rules")),
        Block(conflict_lines(words, record["conflicts"], named=True), words.say("rule.heading.conflicts")),
        Block(rule_lines(words, record["see"]), words.say("rule.heading.see")),
        Block([Line(listed)] if cards else [], words.say("rule.heading.cards")),
    ]
    return Page(title[:1].upper() + title[1:], subtitle, blocks)
