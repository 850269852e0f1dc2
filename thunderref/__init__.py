"""thunderref: the rules referee for Thunderstone: card look-up, set-ups and battles in three languages.

The functions here mirror the commands of the same name; they return typed objects whose ``model_dump()`` is the JSON of
the command. Each loads what it needs when called: importing this package is free. All raise :class:`ThunderrefError`,
with ``.code`` and ``.candidates``, for what has no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thunderref.search.answers import AskResult
    from thunderref.search.lookup import LookupResult
    from thunderref.thunderstone.resolve.result import OddsResult, Resolution, ScoreResult, VisitResult
    from thunderref.thunderstone.setup.finished import Setup
    from thunderref.thunderstone.simulate.simulation import Simulation

__all__ = ["ask", "generate_setup", "lookup", "odds", "resolve", "score", "simulate", "village"]


def lookup(query: str, lang: str | None = None, limit: int = 1) -> LookupResult:
    """The cards a name means, best first; see ``thunderref card``."""
    from thunderref.search.lookup import lookup

    return lookup(query, lang, limit)


def ask(question: str, lang: str | None = None, **options: Any) -> AskResult:
    """The passages that answer a question, best first; see ``thunderref ask``."""
    from thunderref.search.answers import answer

    return answer(question, lang, **options)


def resolve(scenario: Mapping[str, Any], lang: str | None = None, **options: Any) -> Resolution:
    """Judges a battle: the given plan, or the best line against each target; see ``thunderref resolve``."""
    from thunderref.thunderstone.resolve.judge import resolve

    return resolve(scenario, lang, **options)


def village(document: Mapping[str, Any], lang: str | None = None, **options: Any) -> VisitResult:
    """Judges a visit to the village: the given plan, or the best use of its effects; see ``thunderref village``."""
    from thunderref.thunderstone.resolve.visit import visit

    return visit(document, lang, **options)


def odds(document: Mapping[str, Any], lang: str | None = None, **options: Any) -> OddsResult:
    """The chances of a battle with unknown draws; see ``thunderref odds``."""
    from thunderref.thunderstone.resolve.odds import odds

    return odds(document, lang, **options)


def score(document: Mapping[str, Any], lang: str | None = None) -> ScoreResult:
    """The victory points of the decks at the end; see ``thunderref score``."""
    from thunderref.thunderstone.resolve.final_score import final_score

    return final_score(document, lang)


def generate_setup(**options: Any) -> Setup:
    """Draws a set-up by the printed procedure; ``options`` are those of ``thunderref setup``."""
    from thunderref.thunderstone.setup.generate import generate_setup

    return generate_setup(**options)


def simulate(**options: Any) -> Simulation:
    """Plays whole games of a set-up between bots: rounds, VP, what wins; see ``thunderref simulate``.

    ``games``, ``bots`` (names, separated by commas or in a list), ``seed``, ``workers`` (1, any number or "auto"),
    ``scheduler`` ("processes" or the address of a Dask scheduler), ``progress`` (called with the games played and all
    games); the rest are those of :func:`generate_setup`, such as ``code``. Several workers are processes of their own:
    where these are spawned, call it below ``if __name__ == "__main__":``.
    """
    from thunderref.thunderstone.simulate.run import simulate

    return simulate(**options)
