"""``thunderref rule``: rules, keywords and procedures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.card import Limit, check_limit
from thunderref.cli.page import Block, Line, Page, side_by_side
from thunderref.cli.session import session
from thunderref.model.games import FIRST_GAME, Game

if TYPE_CHECKING:
    from thunderref.lookup.rules import RuleHit
    from thunderref.words.words import Words

app = command_app()
_CARDS_SHOWN = 12


@app.command("rule")
def rule_command(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY…")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Show a rule by its id (R5.11), a section (R5), a keyword or the words of its text; "readings" lists those."""
    show_rules(" ".join(query or []), limit)


def show_rules(text: str, limit: int | None, game: Game | None = None) -> None:
    """Prints the rules and terms that ``text`` asks for: of one game, or of all of them."""
    from thunderref.lookup.rules import find_rules, rule_record

    run = session()
    check_limit(limit)
    hits = find_rules(run.store, text, run.language, game)
    if run.json:
        records = [rule_record(run.store, hit, run.language) for hit in hits[:limit]]
        run.print_json({"query": text, "matches": records})
        return
    from thunderref.cli.render import show
    from thunderref.words.words import Words

    words = run.words
    tongues = [words, *(Words(run.store, code) for code in run.languages if code != words.lang)]
    if limit is None and hits[0].how == "id" and len(hits) > 1 and hits[1].score >= 90:
        show(side_by_side([_list_page(tongue, hits) for tongue in tongues]))
        return
    chosen = hits[:limit] if limit is not None else [hit for hit in hits if hit.score == hits[0].score][:3]
    named = {hit.game for hit in chosen} != {FIRST_GAME}
    for number, hit in enumerate(chosen):
        if number:
            print()
        show(side_by_side([_page(tongue, rule_record(run.store, hit, tongue.lang), named) for tongue in tongues]))
    rest = [] if limit is not None else _rest(hits, chosen, words)
    if rest:
        print()
        from thunderref.cli.render import fitted

        print(fitted(f"{words.say('rule.also')} {', '.join(rest)}"))


def _rest(hits: list[RuleHit], chosen: list[RuleHit], words: Words) -> list[str]:
    """What else was found and is not on the pages shown."""
    on_page = {hit.id for hit in chosen} | {hit.id for hit in hits if hit.how == "term"}
    return [_name(words, hit, chosen[0].game) for hit in hits if hit.id not in on_page][:6]


def _name(words: Words, hit: RuleHit, game: Game) -> str:
    """What a hit is called; with its game if that is not the one the page is about."""
    name = hit.id if hit.kind == "rule" else words.term(hit.id)
    return name if hit.game == game else f"{name} ({words.say(f'game.{hit.game}')})"


def _list_page(words: Words, hits: list[RuleHit]) -> Page:
    """A section of the rules, or the open questions: all their texts."""
    first, *others = hits
    if first.score > others[0].score:
        title, lines = f"{first.id}: {words.text(f'rule.{first.id}') or ''}".rstrip(": "), others
    else:
        return _readings_page(words, hits)
    return Page(
        title, _game(words, first), [Block([Line(words.text(f"rule.{hit.id}") or "", hit.id) for hit in lines])]
    )


def _readings_page(words: Words, hits: list[RuleHit]) -> Page:
    """The open questions: each rule, then its switches with the value taken first."""
    blocks = []
    found = False
    for hit in hits:
        switches = [Line(text) for text in _switches(words, hit.id)]
        found = found or bool(switches)
        blocks.append(Block([Line(words.text(f"rule.{hit.id}") or "", hit.id), *switches]))
    small = [*_game(words, hits[0]), *([words.say("rule.how-readings")] if found else [])]
    return Page(words.say("rule.heading.readings"), small, blocks)


def _game(words: Words, hit: RuleHit) -> list[str]:
    """The name of the game as small print, unless it is the one that is meant anyway."""
    return [] if hit.game == FIRST_GAME else [words.say(f"game.{hit.game}")]


def _switches(words: Words, rule: str) -> list[str]:
    """The open questions of a rule, a line for each value."""
    found = []
    for switch in words.store.switches.values():
        if switch.rule == rule:
            for value, key in ((switch.default, "rule.reading-taken"), (switch.other, "rule.reading-other")):
                meaning = words.say(f"reading.{switch.name}.{value}")
                found.append(words.say(key, name=switch.name, value=value, meaning=meaning))
    return found


def _page(words: Words, record: dict[str, Any], named: bool = False) -> Page:
    """The page of a rule or term; ``named``: it says of which game."""
    from thunderref.cli.views import conflict_lines, rule_lines

    subtitle = [words.say(f"game.{record['game']}")] if named else []
    if record["kind"] == "term":
        others = [f"{lang}: {name}" for lang, name in record["name"].items() if lang != words.lang and name]
        subtitle.append(" · ".join(others))
    elif record["status"] != "printed":
        key = f"rule.status.{record['status']}"
        own = f"{key}.{record['game']}"
        subtitle.append(words.say(own if words.has(own) else key))
    text = record["text"].get(words.lang) or record["text"].get("en") or ""
    if record["kind"] == "term":
        rules = [Line(words.text(f"rule.{rule}") or "", rule) for rule in record["rules"]]
    else:
        rules = rule_lines(words, record["rules"])
    cards = [words.card(card) for card in record["cards"]]
    listed = ", ".join(cards[:_CARDS_SHOWN])
    if len(cards) > _CARDS_SHOWN:
        listed += f" {words.say('rule.cards-more', n=len(cards) - _CARDS_SHOWN)}"
    return Page(
        _title(words, record) if record["kind"] == "term" else record["id"],
        subtitle,
        [
            Block([Line(text)] if text else []),
            Block([Line(line) for line in _switches(words, record["id"])], words.say("rule.heading.switches")),
            Block(rules, words.say("rule.heading.rules")),
            Block(conflict_lines(words, record["conflicts"], named=True), words.say("rule.heading.conflicts")),
            Block(rule_lines(words, record["see"]), words.say("rule.heading.see")),
            Block([Line(listed)] if cards else [], words.say("rule.heading.cards")),
        ],
    )


def _title(words: Words, record: dict[str, Any]) -> str:
    name = words.term(record["id"])
    name = name[:1].upper() + name[1:]
    return name if record["official"].get(words.lang, True) else words.say("card.unofficial-name", name=name)
