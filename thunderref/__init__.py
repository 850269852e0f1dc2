"""thunderref: the rules referee for Thunderstone: card look-up, set-ups and battles in three languages.

The functions here mirror the commands of the same name; they return typed objects whose ``model_dump()`` is the JSON of
the command. Each loads what it needs when called: importing this package is free. What has no answer raises a
:class:`ThunderrefError` with ``.code`` and ``.candidates``; its traceback ends with a sentence that says the remedy.

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

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from rich.table import Table

    from thunderref.cli.notebook import Shown
    from thunderref.search.ask import AskResult
    from thunderref.search.export import LookupResult
    from thunderref.search.understand import Understood
    from thunderref.thunderstone.resolve.result import OddsResult, Resolution, ScoreResult, TurnResult, VisitResult
    from thunderref.thunderstone.setup.setup import Setup
    from thunderref.thunderstone.simulate.simulation import Simulation

__all__ = [
    "ask", "generate_setup", "lookup", "odds", "resolve", "score", "show", "simulate", "turn", "understand", "village",
]  # fmt: skip


@contextmanager
def _said(lang: str | None) -> Iterator[None]:
    """Adds the sentence of an error to it, in that language if it is known, as a note that tracebacks show."""
    from thunderref.errors import ThunderrefError

    try:
        yield
        _warn_of_boxes(lang)
    except ThunderrefError as error:
        from thunderref.database.read import Language, open_database
        from thunderref.thunderstone.setup.request import Naming

        database, params = open_database(), error.params
        words = Language(database, lang if lang and lang in database.languages else "en")
        error.params = Naming(words).in_words(error.params)
        error.add_note(words.error(error))
        error.params = params
        raise


def _warn_of_boxes(lang: str | None) -> None:
    """Warns of the user's boxes that are skipped for their mistakes."""
    from thunderref.database.read import Language, open_database

    if broken := (database := open_database()).broken:
        import warnings

        words = Language(database, lang if lang in database.languages else "en")
        for box, error in broken:
            text = words.say("remark.box-skipped", own_box=box, message=words.error(error))
            warnings.warn(text, stacklevel=4)


def lookup(query: str, lang: str | None = None, limit: int = 1) -> LookupResult:
    """The cards a name means, best first; see ``thunderref card``."""
    from thunderref.search.export import lookup

    with _said(lang):
        return lookup(query, lang, limit)


def understand(text: str, lang: str | None = None) -> Understood:
    """How a line is read that is typed without a command: its kind, and the document of the command that answers it."""
    from thunderref.database.read import Language, open_database
    from thunderref.search.understand import understand

    with _said(lang):
        return understand(Language(open_database(), lang or "en"), text)


def ask(question: str, lang: str | None = None, tonight: Collection[str] = (), **options: Any) -> AskResult:
    """The answer to a question and the passages it is about, best first; ``tonight`` are the cards on the table.

    See ``thunderref ask``.
    """
    from thunderref.database.read import Language, open_database
    from thunderref.pages.computed_page import answer_question
    from thunderref.search.understand import reader

    with _said(lang):
        words = Language(open_database().at_table(tonight), lang or "en")
        return answer_question(reader(words).parse(question), **options)


def resolve(scenario: Mapping[str, Any], lang: str | None = None, **options: Any) -> Resolution:
    """Judges a battle: the given plan, or the best line against each target; see ``thunderref resolve``."""
    from thunderref.thunderstone.resolve.judge import resolve

    with _said(lang):
        return resolve(scenario, lang, **{"gaps": True} | options)


def village(document: Mapping[str, Any], lang: str | None = None, **options: Any) -> VisitResult:
    """Judges a visit to the village: the given plan, or the best use of its effects; see ``thunderref village``."""
    from thunderref.thunderstone.resolve.visit import visit

    with _said(lang):
        return visit(document, lang, **options)


def turn(
    document: Mapping[str, Any], lang: str | None = None, *, games: int | None = None, **options: Any
) -> TurnResult:
    """Sets the best battle, the best purchases and resting side by side, with a bot's advice.

    With ``games``, the number played on for each choice, the advice is theirs; ``workers`` as in :func:`simulate`.
    """
    from thunderref.thunderstone.bots.turn import turn

    with _said(lang):
        if games is None:
            return turn(document, lang, **options)
        from thunderref.thunderstone.simulate.advice import advise

        return advise(document, lang, games=games, **options)


def odds(document: Mapping[str, Any], lang: str | None = None, **options: Any) -> OddsResult:
    """The chances of a battle with unknown draws; see ``thunderref odds``."""
    from thunderref.thunderstone.resolve.odds import odds

    with _said(lang):
        return odds(document, lang, **options)


def score(document: Mapping[str, Any], lang: str | None = None) -> ScoreResult:
    """The victory points of the decks at the end; see ``thunderref score``."""
    from thunderref.thunderstone.resolve.final_score import final_score

    with _said(lang):
        return final_score(document, lang)


def generate_setup(**options: Any) -> Setup:
    """Draws a set-up by the printed procedure; ``options`` are those of ``thunderref setup``."""
    from thunderref.thunderstone.setup.setup import generate_setup

    with _said(options.get("lang")):
        return generate_setup(**options)


def simulate(**options: Any) -> Simulation:
    """Plays whole games of a set-up between bots: rounds, VP, what wins; see ``thunderref simulate``.

    ``games``, ``bots`` (names, separated by commas or in a list), ``seed``, ``workers`` (1, any number or "auto"),
    ``scheduler`` ("processes" or the address of a Dask scheduler), ``progress`` (called with the games played and all
    games); the rest are those of :func:`generate_setup`, such as ``code``. Several workers are processes of their own:
    where these are spawned, call it below ``if __name__ == "__main__":``.
    """
    from thunderref.thunderstone.simulate.run import simulate

    with _said(options.get("lang")):
        return simulate(**options)


def show(result: Shown, lang: str = "en") -> Table:
    """A result of these functions as its command shows it, for ``rich.print`` and for notebooks, where it is HTML.

    ``lang`` is the language of names and headings; the sentences of the result itself are in the one it was asked in.
    Raises :class:`InputError` (``unknown-language``).
    """
    from thunderref.cli.notebook import show

    with _said(lang):
        return show(result, lang)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext thunderref``: from now on the notebook shows every result as :func:`show` does."""
    from thunderref.cli.notebook import SHOWN

    formats = shell.display_formatter.mimebundle_formatter
    for kind in SHOWN:
        formats.for_type(kind, lambda result: show(result)._repr_mimebundle_((), ()))
