"""Results of the library as pages, such as their commands print them, for rich and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from thunderref.cli.render import renderable
from thunderref.cli.simulate import report_page
from thunderref.database.read import Language, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.pages import puzzle_page
from thunderref.pages.battle_page import odds_pages, resolution_pages
from thunderref.pages.card_page import card_page, cards_page
from thunderref.pages.computed_page import computed_page
from thunderref.pages.evening_page import evening_page
from thunderref.pages.page import Page, player_page
from thunderref.pages.puzzle_page import PuzzleDocument, find_puzzle, question_page
from thunderref.pages.rule_page import answer_page, rule_pages
from thunderref.pages.setup_page import sheet_page, table_page
from thunderref.pages.visit_page import score_pages, turn_pages, visit_pages
from thunderref.search.ask import AskResult, ask_games
from thunderref.search.export import CardsResult, LookupResult, RulesResult
from thunderref.search.rules import RuleHit
from thunderref.search.understand import reader
from thunderref.thunderstone.resolve.result import OddsResult, Resolution, ScoreResult, TurnResult, VisitResult
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.simulate.simulation import Simulation
from thunderref.thunderstone.table.evening import Evening, read_evening, require_evening
from thunderref.thunderstone.table.evening_events import EveningState, state_of

if TYPE_CHECKING:
    from rich.table import Table

Shown = (
    Resolution | VisitResult | TurnResult | OddsResult | ScoreResult | Setup | Simulation | LookupResult | AskResult
    | CardsResult | RulesResult | PuzzleDocument | EveningState
)  # fmt: skip
"""The results of the functions of the package, which :func:`as_table` draws."""
SHOWN_TYPES: tuple[type, ...] = get_args(Shown)


def as_table(result: Shown, lang: str | None = None, *, more: bool = False) -> Table:
    """The result for rich to print, as panels, with ``more`` what is for scholars.

    Raises :class:`InputError` for an unknown language, and for what is no result.
    """
    if not isinstance(result, SHOWN_TYPES):
        raise InputError("bad-value", key="result", value=repr(result)[:40])
    pages = _pages(result, Language(open_database(), lang), more=more)
    return renderable([page if more else player_page(page) for page in pages])


def _pages(result: Shown, words: Language, *, more: bool) -> Iterator[Page]:
    match result:
        case Resolution():
            yield from resolution_pages(result, words)
        case VisitResult():
            yield from visit_pages(result, words)
        case TurnResult():
            yield from turn_pages(result, words)
        case OddsResult():
            yield from odds_pages(result, words)
        case ScoreResult():
            yield from score_pages(words, result)
        case Setup():
            yield sheet_page(result) if more else table_page(result)
        case Simulation():
            yield report_page(result, words)
        case CardsResult():
            cards = [words.database.cards[match.id] for match in result.matches]
            yield cards_page(words, cards, result.count, (), result.query)
        case RulesResult():
            hits = [RuleHit(rule.kind, rule.id, rule.score, rule.matched["how"], rule.game) for rule in result.matches]
            yield from rule_pages([words], hits, None)
        case PuzzleDocument():
            number, row = find_puzzle(words.database, str(result.number))
            yield question_page(row, number, words)
            if result.solution:
                yield puzzle_page.solution_page(row, words)
        case EveningState():
            then = Evening(require_evening(read_evening()).events[: result.events])
            if state_of(then, words) != result:  # it was taken back, or another one was begun
                raise NoAnswerError("evening-changed")
            yield evening_page(then, words)
        case LookupResult():
            yield from (card_page(words, match.model_dump(), result.query) for match in result.matches)
        case AskResult():
            computed = computed_page(words, reader(words).parse(result.query))
            yield computed or answer_page([words], ask_games(words.database, result.query), len(result.matches))
