"""``thunderref thorgal``: the referee for another game at the same table: what its rules say, how it is laid out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, Limit, Query, Question
from thunderref.cli.render import Block, Line, Page, show
from thunderref.cli.session import session
from thunderref.search.query import shorten
from thunderref.text.language import Language
from thunderref.thorgal.round import START_RULES, TABLE_RULES, first_round, seats_of

COMMANDS = {
    "rule": "thorgal.commands", "ask": "thorgal.commands", "setup": "thorgal.commands", "round": "thorgal.round",
    "fight": "thorgal.fight", "wander": "thorgal.wander", "gather": "thorgal.wander", "wounds": "thorgal.fight",
    "fields": "thorgal.picture",
}  # fmt: skip

app = CommandApp(COMMANDS)
Players = Annotated[int | None, typer.Option("--players")]
Names = Annotated[str | None, typer.Option("--names", metavar='"Anna, Bartek"')]
Adventure = Annotated[str | None, typer.Option("--adventure", metavar="NAME")]
LONGEST_ADVENTURE = 60


@app.callback()
def thorgal_command() -> None:
    """The referee for Thorgal: The Board Game."""


def answer(document: dict[str, Any], page: Page) -> None:
    run = session()
    if run.json:
        run.print_json({"game": "thorgal", **document})
    else:
        show(page)


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    from thunderref.cli.ask import show_answers

    show_answers(" ".join(question or []), limit, "thorgal")


@app.command("rule")
def rule_command(query: Query = None, limit: Limit = None) -> None:
    from thunderref.cli.rule import show_rules
    from thunderref.search.rules import all_rules, rule_record

    run = session()
    if query:
        show_rules(" ".join(query), limit, "thorgal")
        return
    hits = all_rules(run.database, "thorgal")
    if run.json:
        run.print_json({"query": "", "matches": [rule_record(run.database, hit, run.language) for hit in hits]})
    else:
        show(*(_contents(words, [hit.id for hit in hits]) for words in run.tongues))


def _contents(words: Language, rules: list[str]) -> Page:
    blocks = []
    for section in (rule for rule in rules if "." not in rule):
        heading = f"{section} {words.text(f'rule.{section}') or ''}".rstrip(".")
        inside = [rule for rule in rules if rule.startswith(f"{section}.")]
        blocks.append(Block([Line(words.text(f"rule.{rule}") or "", rule) for rule in inside], heading))
    return Page(words.say("thorgal.rules", n=sum("." in rule for rule in rules)), [], blocks)


@app.command("setup")
def setup_command(players: Players = None, names: Names = None, adventure: Adventure = None) -> None:
    words, name, (seats, solo) = session().words, adventure_name(adventure), seats_of(players, names)
    answer(_setup_document(words, seats, solo, name), _setup_page(words, seats, solo, name))


def adventure_name(text: str | None) -> str:
    """The name of the adventure as it may be shown: one line, not too long; "" for none."""
    return shorten(text or "", LONGEST_ADVENTURE)


def seat_names(words: Language, names: Sequence[str], solo: bool) -> list[str]:
    """What the characters are called, in the order of their seats: by the player's name, else by number."""
    key = "thorgal.character" if solo else "thorgal.player"
    return [name or words.say(key, number=number) for number, name in enumerate(names, start=1)]


def checklist(words: Language, rules: Sequence[str]) -> list[Line]:
    return [Line(f"[ ] {words.text(f'rule.{rule}')}", note=rule) for rule in rules]


def _setup_document(words: Language, seats: list[str], solo: bool, adventure: str) -> dict[str, Any]:
    own = [{"text": words.say(f"thorgal.setup.start.{rule}"), "rules": [rule]} for rule in START_RULES]
    names = enumerate(seat_names(words, seats, solo), start=1)
    return {
        "players": 1 if solo else len(seats),
        "characters": len(seats),
        "adventure": adventure or None,
        "steps": [{"text": words.text(f"rule.{rule}"), "rules": [rule]} for rule in TABLE_RULES],
        "starts": [{"player": name, "number": number, "steps": own} for number, name in names],
        "first_round": first_round(seats),
        "notes": [{"text": line.text, "rules": [line.note]} for line in _notes(words, seats, solo)],
    }


def _notes(words: Language, seats: list[str], solo: bool) -> list[Line]:
    names = seat_names(words, seats, solo)
    turns = words.say("thorgal.setup.turns", turns=", ".join(names[number - 1] for number in first_round(seats)))
    alone = [Line(words.text("rule.T20.1") or "", note="T20.1")] * solo
    return [Line(words.say("thorgal.setup.first"), note="T2.2"), Line(turns, note="T2.6"), *alone]


def _setup_page(words: Language, seats: list[str], solo: bool, adventure: str) -> Page:
    own = [Line(f"[ ] {words.say(f'thorgal.setup.start.{rule}')}", note=rule) for rule in START_RULES]
    blocks = [Block(checklist(words, TABLE_RULES), words.say("thorgal.setup.table"))]
    blocks += [Block(own, name) for name in seat_names(words, seats, solo)]
    blocks.append(Block(_notes(words, seats, solo), words.say("thorgal.setup.notes")))
    small = [words.say("thorgal.adventure", name=adventure)] if adventure else []
    return Page(words.say("thorgal.setup.title", n=1 if solo else len(seats)), small, blocks)
