"""thunderref: the rules referee for Thunderstone: card look-up, set-ups and battles in three languages.

The functions here mirror the commands of the same name; they return typed objects whose ``model_dump()`` is the JSON of
the command. Each loads what it needs when called: importing this package is cheap. What has no answer raises a
:class:`ThunderrefError` with ``.code``, ``.candidates`` and ``.message``, a sentence that says the remedy.

A battle
--------

>>> import thunderref
>>> hand = ["2 militia", "elf wizard", "short sword", "torch"]
>>> result = thunderref.resolve({"hand": hand, "hall": ["blink dog", "griffon"]}, lang="pl")
>>> dog = result.targets[0]
>>> dog.monster, dog.outcome, dog.total, dog.health
('blink-dog', 'victory', 4, 3)
>>> print(dog.steps[-1].text)
Zwycięstwo nad Migopsem: 1 PD.

``thunderref.show(result, lang="pl")`` draws any result: ``rich.print`` prints it, and a notebook shows it as HTML.
After ``%load_ext thunderref`` a notebook does so by itself, in English.

A bot
-----

A bot is a function of what its player may see (:class:`View <thunderref.thunderstone.bots.view.View>`) and of the legal
choices (:mod:`thunderref.thunderstone.rules.choices`). This one, in a file ``mybots.py``, buys the dearest card it can
pay, and else takes the first choice::

    from collections.abc import Sequence

    from thunderref.thunderstone.bots.view import View
    from thunderref.thunderstone.rules.choices import Buy, Choice

    def shopper(view: View, choices: Sequence[Choice]) -> Choice:
        offered = [choice for choice in choices if isinstance(choice, Buy)]
        return max(offered, key=lambda choice: view.cards[choice.card].cost or 0, default=choices[0])

``thunderref simulate --bots mybots:shopper,greedy`` lets it play, and so does this:

>>> report = thunderref.simulate(games=4, bots="mybots:shopper, greedy", seed=1)
>>> [seat.bot for seat in report.seats]
['mybots:shopper', 'greedy']

A card
------

In a checkout a card is a record of what is printed on it, here at the end of ``db/boxes/promo/cards.toml``::

    [[card]]
    id = "lucky-lantern"
    kind = "village"
    count = 8
    types = ["item", "light"]
    cost = 3
    gold = 1
    light = 2

Its names go into the glossaries (below ``[cards]`` in ``glossary/en.toml``: ``lucky-lantern = { name = "Lucky
Lantern" }``), and ``thunderref db build`` makes the database anew or says what is still missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, Unpack

from thunderref.errors import InputError, ThunderrefError

P = ParamSpec("P")
T = TypeVar("T")

if TYPE_CHECKING:
    from rich.table import Table

    from thunderref.answers import JudgedAnswer
    from thunderref.arguments import Count, Seconds
    from thunderref.cli.notebook import Shown
    from thunderref.database.paths import Game
    from thunderref.database.read import Language
    from thunderref.pages.puzzle_page import PuzzleDocument
    from thunderref.search.ask import AskResult
    from thunderref.search.export import CardsResult, LookupResult, RulesResult
    from thunderref.search.understand import Understood
    from thunderref.thunderstone.resolve.result import OddsResult, Resolution, ScoreResult, TurnResult, VisitResult
    from thunderref.thunderstone.setup.request import DrawKeywords, SetupKeywords
    from thunderref.thunderstone.setup.setup import Setup
    from thunderref.thunderstone.simulate.simulation import Simulation
    from thunderref.thunderstone.table.evening_events import EveningState

__all__ = [
    "ThunderrefError", "ask", "cards", "evening", "generate_setup", "lookup", "odds", "puzzle", "resolve", "rule",
    "score", "show", "simulate", "turn", "understand", "village",
]  # fmt: skip


def _public(function: Callable[P, T]) -> Callable[P, T]:
    """Make a function check its arguments and say its errors in the reader's language."""

    @wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> T:
        from thunderref.arguments import call_checked

        return call_checked(function, args, keywords)

    return call


def _words(lang: str | None) -> Language:
    """The words of a language, English for None."""
    from thunderref.database.read import Language, open_database

    return Language(open_database(), lang)


def _judge(
    answer: JudgedAnswer[T], document: Mapping[str, Any], lang: str | None, seconds: float | None, **options: Any
) -> T:
    """The result of a document, judged in that language within ``seconds``; None and 0 are without end."""
    from thunderref.budget import Budget

    return answer.judge(document, _words(lang), budget=Budget(seconds or None), **options)


@_public
def lookup(query: str, lang: str | None = None, limit: Count = 1) -> LookupResult:
    """The cards a name means, best first; see ``thunderref card``."""
    from thunderref.search.export import lookup

    return lookup(query, lang, limit)


@_public
def cards(
    query: str = "", lang: str | None = None, *, sort: Sequence[str] = (), limit: Count | None = None
) -> CardsResult:
    """The cards that meet a query such as ``type:weapon cost<=5``, sorted by ``sort``; see ``thunderref cards``."""
    from thunderref.search.export import cards_result

    return cards_result(_words(lang), query, sort, limit)


@_public
def rule(query: str, lang: str | None = None, *, limit: Count | None = None, game: Game | None = None) -> RulesResult:
    """The rules and terms that an id or words name, best first; see ``thunderref rule``."""
    from thunderref.search.export import list_rules

    return list_rules(_words(lang), query, limit, game)


@_public
def understand(text: str, lang: str | None = None) -> Understood:
    """Return how a line typed without a command is read: its kind, and the document of the command that answers it."""
    from thunderref.search.understand import understand

    return understand(_words(lang), text)


@_public
def ask(
    question: str,
    lang: str | None = None,
    tonight: Collection[str] = (),
    *,
    limit: Count | None = None,
    game: Game | None = None,
) -> AskResult:
    """The answer to a question and the ``limit`` passages it is about, best first; see ``thunderref ask``.

    ``tonight`` are the cards on the table, ``game`` the only game in question.
    """
    from thunderref.pages.computed_page import answer_question
    from thunderref.search.ask import SHOWN
    from thunderref.search.names import find_card
    from thunderref.search.understand import reader

    words = _words(lang)
    database = words.database.at_table(find_card(words.database, name, lang=words.lang) for name in tonight)
    line = reader(type(words)(database, lang)).parse(question)
    return answer_question(line, limit=limit or SHOWN, game=game)


@_public
def resolve(
    scenario: Mapping[str, Any], lang: str | None = None, *, gaps: bool = True, budget: Seconds | None = None
) -> Resolution:
    """Judges a battle: the given plan, or the best line against each target; see ``thunderref resolve``.

    With ``gaps`` it says what is missing to win. ``budget`` is in seconds, None for no end. A list of cards may be one
    text: ``"2 militia, torch"``.
    """
    from thunderref.answers import RESOLVE

    return _judge(RESOLVE, scenario, lang, budget, gaps=gaps)


@_public
def village(document: Mapping[str, Any], lang: str | None = None, *, budget: Seconds | None = None) -> VisitResult:
    """Judges a visit to the village: the given plan, or the best use of its effects; see ``thunderref village``."""
    from thunderref.answers import VILLAGE

    return _judge(VILLAGE, document, lang, budget)


@_public
def turn(
    document: Mapping[str, Any], lang: str | None = None, *, games: int | None = None, bot: str | None = None,
    workers: int | str = 1, budget: Seconds | None = None,
) -> TurnResult:  # fmt: skip
    """Sets the best battle, the best purchases and resting side by side, with a bot's advice.

    With ``games``, the number played on for each choice by ``bot``, the advice is theirs; ``workers`` as in
    :func:`simulate`.
    """
    from thunderref.answers import TURN

    played = {} if games is None else {"games": games, "bot": bot, "workers": workers}
    if not played and (bot is not None or workers != 1):
        raise InputError("missing-key", key="games")
    return _judge(TURN, document, lang, budget, **played)


@_public
def odds(document: Mapping[str, Any], lang: str | None = None, *, budget: Seconds | None = None) -> OddsResult:
    """The chances of a battle with unknown draws; see ``thunderref odds``."""
    from thunderref.answers import ODDS

    return _judge(ODDS, document, lang, budget)


@_public
def score(document: Mapping[str, Any], lang: str | None = None) -> ScoreResult:
    """The victory points of the decks at the end; see ``thunderref score``."""
    from thunderref.thunderstone.resolve.documents import ScoreDocument, split_texts
    from thunderref.thunderstone.resolve.final_score import final_score

    words = _words(lang)
    return final_score(split_texts(ScoreDocument, document, words), words=words)


@_public
def generate_setup(*, lang: str | None = None, **options: Unpack[SetupKeywords]) -> Setup:
    """Draws a set-up by the printed procedure; ``options`` are those of ``thunderref setup``."""
    from thunderref.thunderstone.setup.setup import generate_setup

    return generate_setup(lang=lang, **options)


@_public
def simulate(
    *, games: int = 100, bots: str | Sequence[str] | None = None, seed: int | None = None, workers: int | str = 1,
    scheduler: str = "processes", progress: Callable[[int, int], None] | None = None, lang: str | None = None,
    **options: Unpack[DrawKeywords],
) -> Simulation:  # fmt: skip
    """Plays whole games of a set-up between bots: rounds, VP, what wins; see ``thunderref simulate``.

    ``bots`` are names, separated by commas or in a list; ``workers`` 1, any number or "auto"; ``scheduler``
    "processes" or the address of a Dask scheduler; ``progress`` is called with the games played and all games;
    ``options`` are those of :func:`generate_setup`, such as ``code``. Several workers are processes of their own: where
    these are spawned, call it below ``if __name__ == "__main__":``.
    """
    from thunderref.thunderstone.simulate.run import simulate

    return simulate(
        games=games, bots=bots, seed=seed, workers=workers, scheduler=scheduler, progress=progress, lang=lang,
        **options,
    )  # fmt: skip


@_public
def evening(lang: str | None = None) -> EveningState:
    """The evening under way on this machine; see ``thunderref evening``."""
    from thunderref.thunderstone.table.evening import read_evening, require_evening
    from thunderref.thunderstone.table.evening_events import state_of

    return state_of(require_evening(read_evening()), _words(lang))


@_public
def puzzle(number: int | None = None, lang: str | None = None, *, answer: bool = False) -> PuzzleDocument:
    """The puzzle of this number, else one that is drawn; ``answer`` adds its solution; see ``thunderref puzzle``."""
    from thunderref.pages.puzzle_page import find_puzzle, puzzle_document

    words = _words(lang)
    place, puzzle_row = find_puzzle(words.database, "" if number is None else str(number))
    return puzzle_document(place, puzzle_row, words, answer=answer)


@_public
def show(result: Shown, lang: str | None = None, *, more: bool = False) -> Table:
    """A result of these functions as its command shows it, for ``rich.print`` and for notebooks, where it is HTML.

    It is the player's page, with ``more`` the scholar's. ``lang`` is the language of names and headings; the sentences
    of the result itself are in the one it was asked in. Raises :class:`InputError` (``unknown-language``).
    """
    from thunderref.cli.notebook import as_table

    return as_table(result, lang, more=more)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext thunderref``: from now on the notebook shows every result as :func:`show` does."""
    from thunderref.cli.notebook import SHOWN_TYPES

    formats = shell.display_formatter.mimebundle_formatter
    for kind in SHOWN_TYPES:
        formats.for_type(kind, lambda result: show(result)._repr_mimebundle_((), ()))
