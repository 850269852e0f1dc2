"""``thunderref fireball``: a card, rule or term without a command before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from thunderref.cli.card import card_command
from thunderref.cli.command import Command, CommandApp, Limit, Query
from thunderref.cli.session import Session, session
from thunderref.errors import Candidate, InputError, NoAnswerError
from thunderref.search.query import check_query, exact_card, shorten

if TYPE_CHECKING:
    from thunderref.search.rules import RuleHit

app = CommandApp()

SURE = 82
"""Score of a name from which it goes before a command of nearly the same name."""


class FirstWordCommand(Command):
    """Its help is the list of commands; options of another command show that its name is mistyped."""

    def get_help(self, ctx: Any) -> str:
        page: str = ctx.parent.get_help()
        return page

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        first = args[0]
        try:
            return super().parse_args(ctx, args)
        except InputError:
            _refuse_slip(ctx, first)
            raise


@app.command("first_word", cls=FirstWordCommand)
def first_word_command(ctx: typer.Context, query: Query = None, limit: Limit = None) -> None:
    run, words = session(), query or []
    text = " ".join(words)
    if exact_card(run.database, check_query(text)) is None:
        from thunderref.search.names import search_cards, unknown_card

        cards = search_cards(run.database, text).hits
        rules, near_rules = _rules(run, text)
        scores = [hit.score for hit in cards[:1]] + [hit.score for hit in rules[:1]]
        if max(scores, default=0) < SURE:
            _refuse_slip(ctx, words[0])
        if rules and (not cards or rules[0].score > cards[0].score):
            from thunderref.cli.rule import show_rules

            show_rules(text, limit)
            return
        if not cards:
            names = unknown_card(run.database, text, lang=run.language).candidates or near_rules
            raise InputError("unknown-command", why="name", name=shorten(text), candidates=names)
    card_command(query, limit)


def _refuse_slip(ctx: Any, word: str) -> None:
    """Raises :class:`InputError` (``unknown-command``) for what is all but the name of a command."""
    from thunderref.cli.help_pages import find_near

    names = find_near(word, [*ctx.parent.command.list_commands(ctx.parent), "help"])
    if names:
        raise InputError("unknown-command", name=word[:40], candidates=names, command=ctx.parent.command_path)


def _rules(run: Session, text: str) -> tuple[list[RuleHit], tuple[Candidate, ...]]:
    """The rules and terms that ``text`` names (a word of their texts is no name), else the nearest ones."""
    from thunderref.search.rules import find_rules

    try:
        return [hit for hit in find_rules(run.database, text, run.language) if hit.how != "text"], ()
    except NoAnswerError as error:
        return [], error.candidates
