"""``thunderref rule``: rules, keywords and procedures; ``thunderref ask``: the passages that answer a question."""

from __future__ import annotations

from thunderref.cli.command import CommandApp, Limit, Query, Question
from thunderref.cli.render import columns, show, wrap
from thunderref.cli.session import session
from thunderref.database.paths import Game
from thunderref.pages.rule_page import answer_page, rule_pages
from thunderref.search.rules import find_rules, rule_record

app = CommandApp()


@app.command("rule")
def rule_command(query: Query = None, limit: Limit = None) -> None:
    show_rules(" ".join(query or []), limit)


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    show_answers(" ".join(question or []), limit)


def show_rules(text: str, limit: int | None, game: Game | None = None) -> None:
    run = session()
    hits = find_rules(run.database, text, run.language, game)
    if run.json:
        records = [rule_record(run.database, hit, run.language) for hit in hits[:limit]]
        run.print_json({"query": text, "matches": records})
        return
    for number, page in enumerate(rule_pages(run.tongues, hits, limit)):
        if number:
            print()
        show(page)
        if page.also:
            also = ", ".join(link.words for link in page.also)
            print("", *wrap(f"{run.words.say('rule.also')} {also}", columns()), sep="\n")


def show_answers(text: str, limit: int | None, game: Game | None = None) -> None:
    from thunderref.search.ask import SHOWN, ask_games, give_answers

    run = session()
    asked = ask_games(run.database, text, game)
    if run.json:
        run.print_json(give_answers(run.words, asked, limit or SHOWN).model_dump())
    else:
        show(answer_page(run.tongues, asked, limit or SHOWN))
