"""``thunderref thorgal rule``: the rules of Thorgal and what its words mean."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.app import Json, command_app
from thunderref.cli.ask import Langs
from thunderref.cli.card import Limit
from thunderref.cli.page import Block, Line, Page, side_by_side
from thunderref.cli.session import session
from thunderref.words.words import Words

app = command_app()


@app.command("rule")
def rule_command(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY…")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Langs = None,
) -> None:
    """Show a rule of Thorgal by its id (T5.2), a section (T5), a word of the game or words of its text."""
    from thunderref.cli.rules import show_rules

    text = " ".join(query or [])
    if query:
        show_rules(text, limit, "thorgal")
    else:
        _show_all()


def _show_all() -> None:
    """Prints every rule, section by section."""
    from thunderref.lookup.rules import all_rules, rule_record

    run = session()
    hits = all_rules(run.store, "thorgal")
    if run.json:
        run.print_json({"query": "", "matches": [rule_record(run.store, hit, run.language) for hit in hits]})
        return
    from thunderref.cli.render import show

    tongues = [run.words, *(Words(run.store, code) for code in run.languages if code != run.words.lang)]
    show(side_by_side([_contents(words, [hit.id for hit in hits]) for words in tongues]))


def _contents(words: Words, rules: list[str]) -> Page:
    blocks = []
    for section in (rule for rule in rules if "." not in rule):
        heading = f"{section} {words.text(f'rule.{section}') or ''}".rstrip(".")
        inside = [rule for rule in rules if rule.startswith(f"{section}.")]
        blocks.append(Block([Line(words.text(f"rule.{rule}") or "", rule) for rule in inside], heading))
    return Page(words.say("thorgal.rules", n=sum("." in rule for rule in rules)), [], blocks)
