"""Results of the library as pages, such as their commands print them, for rich and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from thunderref.cli.render import renderable
from thunderref.cli.simulate import report_page
from thunderref.database.read import Language, open_database
from thunderref.pages.battle_page import battle_pages, closing, odds_pages, why_page
from thunderref.pages.card_page import card_page
from thunderref.pages.computed_page import computed_page
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.rule_page import answer_page
from thunderref.pages.setup_page import sheet_page
from thunderref.pages.visit_page import score_pages, turn_page, visit_pages
from thunderref.search.ask import AskResult, ask_games
from thunderref.search.export import LookupResult
from thunderref.search.understand import reader
from thunderref.thunderstone.resolve.result import OddsResult, Resolution, ScoreResult, TurnResult, VisitResult
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.simulate.simulation import Simulation

if TYPE_CHECKING:
    from rich.table import Table

Shown = Resolution | VisitResult | TurnResult | OddsResult | ScoreResult | Setup | Simulation | LookupResult | AskResult
"""What the functions of the package give back."""
SHOWN: tuple[type, ...] = get_args(Shown)


def show(result: Shown, lang: str) -> Table:
    """The result for rich to print, as panels; raises :class:`InputError` for an unknown language."""
    return renderable([*_pages(result, Language(open_database(), lang))])


def _pages(result: Shown, words: Language) -> Iterator[Page]:
    match result:
        case Resolution():
            yield from battle_pages(result, result.targets, words)
            yield from (why_page(why, result, words) for why in result.why_not)
            yield Page("", [], [Block([Line(text) for text in closing(result, words)])])
        case VisitResult():
            yield from visit_pages(result, words)
        case TurnResult():
            yield turn_page(result, words)
        case OddsResult():
            yield from odds_pages(result, words)
        case ScoreResult():
            yield from score_pages(words, result)
        case Setup():
            yield sheet_page(result)
        case Simulation():
            yield report_page(result, words)
        case LookupResult():
            yield from (card_page(words, match.model_dump(), result.query) for match in result.matches)
        case AskResult():
            computed = computed_page(words, reader(words).parse(result.query))
            yield computed or answer_page([words], ask_games(words.database, result.query), len(result.matches))
