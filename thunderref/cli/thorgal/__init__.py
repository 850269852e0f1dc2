"""``thunderref thorgal``: the referee for another game at the same table: its rules and its set-up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, Limit, Query, Question
from thunderref.cli.render import show
from thunderref.cli.session import session
from thunderref.database.read import Language
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.thorgal_page import checklist, rule_texts
from thunderref.search.query import shorten
from thunderref.thorgal.round import ACTIONS, START_RULES, TABLE_RULES, seat_names, seats_of

THORGAL_COMMANDS = {
    "rule": "thorgal", "ask": "thorgal", "setup": "thorgal", "round": "thorgal.round",
    **dict.fromkeys(("fight", "wander", "gather", "wounds", "fields"), "thorgal.cards"),
}  # fmt: skip


def _read_line(args: list[str], commands: list[str]) -> list[str] | None:
    """Read several words that begin with no command as a question."""
    from thunderref.cli.help_pages import find_near

    is_long = len(" ".join(args).split()) > 1
    return ["ask", *args] if is_long and not find_near(args[0], commands) else None


app = CommandApp(THORGAL_COMMANDS, read_line=_read_line)
Players = Annotated[int | None, typer.Option("--players")]
PlayerNames = Annotated[str | None, typer.Option("--names", metavar='"Anna, Bartek"')]
Adventure = Annotated[str | None, typer.Option("--adventure", metavar="NAME")]
LONGEST_ADVENTURE = 60


@app.callback()
def thorgal_command() -> None:
    """The referee for Thorgal: The Board Game."""


def print_answer(document: dict[str, Any], page: Page) -> None:
    run = session()
    if run.json:
        run.print_json({"game": "thorgal", **document})
    else:
        show(page)


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    from thunderref.cli.lookup import show_answers

    show_answers(question, limit, "thorgal")


@app.command("rule")
def rule_command(query: Query = None, limit: Limit = None) -> None:
    from thunderref.cli.lookup import show_rules
    from thunderref.search.rules import all_rules, rule_record

    run = session()
    if query:
        show_rules(query, limit, "thorgal")
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
def setup_command(players: Players = None, names: PlayerNames = None, adventure: Adventure = None) -> None:
    words, name, (seats, solo) = session().words, adventure_name(adventure), seats_of(players, names)
    called = seat_names(words, seats, solo)
    first = [turn % len(seats) + 1 for turn in range(ACTIONS)]  # the owners of the action tokens, by number
    table = rule_texts(words, TABLE_RULES)
    start_steps = [(rule, words.say(f"thorgal.setup.start.{rule}")) for rule in START_RULES]
    turns = words.say("thorgal.setup.turns", turns=", ".join(called[number - 1] for number in first))
    notes = [("T2.2", words.say("thorgal.setup.first")), ("T2.6", turns)]
    notes += rule_texts(words, ["T20.1"]) * solo
    document = {
        "players": 1 if solo else len(seats), "characters": len(seats), "adventure": name or None,
        "steps": _steps(table),
        "starts": [{"player": one, "number": n, "steps": _steps(start_steps)} for n, one in enumerate(called, start=1)],
        "first_round": first, "notes": _steps(notes),
    }  # fmt: skip
    blocks = [Block(checklist(table), words.say("thorgal.setup.table"))]
    blocks += [Block(checklist(start_steps), one) for one in called]
    blocks.append(Block([Line(text, note=rule) for rule, text in notes], words.say("thorgal.setup.notes")))
    small = [words.say("thorgal.adventure", name=name)] if name else []
    print_answer(document, Page(words.say("thorgal.setup.title", n=1 if solo else len(seats)), small, blocks))


def _steps(rules: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"text": text, "rules": [rule]} for rule, text in rules]


def adventure_name(text: str | None) -> str:
    """The name of the adventure for display: one line, not too long; "" for none."""
    return shorten(text or "", LONGEST_ADVENTURE)
