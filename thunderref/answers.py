"""The answers that are judged, each once: the record of its document, what it needs, its function and its pages.

Commands, addresses and the functions of the package read them here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from thunderref.thunderstone.resolve import documents

if TYPE_CHECKING:
    from thunderref.database.read import Language
    from thunderref.database.validation import Record
    from thunderref.pages.page import Page
    from thunderref.thunderstone.resolve.result import OddsResult, Resolution, TurnResult, VisitResult
    from thunderref.thunderstone.setup.memory import Tonight
    from thunderref.thunderstone.table.evening import Evening

T = TypeVar("T")


class JudgedAnswer(NamedTuple, Generic[T]):
    """One kind of answer; ``require`` raises :class:`InputError` for a document that lacks something."""

    record: type[Record]
    require: Callable[[dict[str, Any]], None]
    function: Callable[..., T]
    pages: Callable[[T, Language], list[Page]]

    def judge(self, document: Any, words: Language, **options: Any) -> T:
        """The result of a document, in which a list of cards may be one text; ``options`` are the function's."""
        return self.function(documents.split_texts(self.record, document, words), words=words, **options)

    def fill(
        self, evening: Evening | None, tonight: Tonight | None, document: dict[str, Any], words: Language,
        player: str | None = None,
    ) -> None:  # fmt: skip
        """Adds to a document what nobody gave and the table of that ``player`` knows."""
        if tonight is not None:
            from thunderref.thunderstone.table.evening import fill

            fill(evening, tonight, words, document, self.record, player)


def _late(place: str, **usual: Any) -> Callable[..., Any]:
    """The function at ``module:name``, imported when it is called: a command loads no more than it needs."""
    return lambda *values, **options: resolve_name(f"thunderref.{place}")(*values, **usual | options)


def _turn(document: Any, *, games: int | None = None, **options: Any) -> TurnResult:
    """The turn weighed as a whole, with ``games`` by games that are played on for each choice."""
    if games is None:
        from thunderref.thunderstone.bots.turn import turn
        from thunderref.thunderstone.setup.catalogue import Catalogue
        from thunderref.thunderstone.setup.codes import decode

        question = documents.read_document(documents.TurnDocument, document)
        if question.code is not None:
            decode(question.code, options["words"].database.derived(Catalogue))
        return turn(question, **options)
    from thunderref.thunderstone.simulate.advice import advise

    return advise(document, games=games, **options)


RESOLVE: JudgedAnswer[Resolution] = JudgedAnswer(
    documents.Scenario, documents.require_battle, _late("thunderstone.resolve.judge:resolve", gaps=True),
    _late("pages.battle_page:resolution_pages"),
)  # fmt: skip
VILLAGE: JudgedAnswer[VisitResult] = JudgedAnswer(
    documents.VisitDocument, documents.require_hand, _late("thunderstone.resolve.visit:visit"),
    _late("pages.visit_page:visit_pages"),
)  # fmt: skip
TURN: JudgedAnswer[TurnResult] = JudgedAnswer(
    documents.TurnDocument, documents.require_hand, _turn, _late("pages.visit_page:turn_pages")
)
ODDS: JudgedAnswer[OddsResult] = JudgedAnswer(
    documents.OddsQuestion, documents.require_odds, _late("thunderstone.resolve.odds:odds"),
    _late("pages.battle_page:odds_pages"),
)  # fmt: skip
JUDGED: Mapping[str, JudgedAnswer[Any]] = {"resolve": RESOLVE, "village": VILLAGE, "turn": TURN, "odds": ODDS}
"""Command -> the answer that it gives."""
