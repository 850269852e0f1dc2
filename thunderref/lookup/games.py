"""Several games at one table: which of them a question is about."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.lookup.fulltext import Answer, ask
from thunderref.lookup.normalise import fold_query
from thunderref.lookup.stems import name_stems, query_stems
from thunderref.model.games import FIRST_GAME, GAMES, Game
from thunderref.store.read import Store

_BETTER = 0.04
"""By so much another game must answer better than the first to be the one that is meant."""
_WORTH = 0.75
"""The best answer of the other game is worth a mention if it covers that much of the question."""


class Asked(NamedTuple):
    """The game a question is taken to be about, its answers, and the best answer of another game if it is good."""

    game: Game
    answers: list[Answer]
    elsewhere: Answer | None


def ask_games(store: Store, text: str, game: Game | None = None) -> Asked:
    """What the texts say about a question: of ``game``, else of the game it names, else of the one that says most.

    The answers are always of one game. Where two answer about equally well, it is the first
    (:data:`thunderref.model.games.FIRST_GAME`). Raises as :func:`thunderref.lookup.fulltext.ask` does.
    """
    named, rest = _named(store, text)
    if game is not None or named is not None:
        chosen = game or named or FIRST_GAME
        return Asked(chosen, ask(store, rest if chosen == named else text, chosen), None)
    found: dict[Game, list[Answer]] = {}
    refusal: NoAnswerError | None = None
    for one in GAMES:
        try:
            found[one] = ask(store, text, one)
        except NoAnswerError as error:
            refusal = refusal or error
    if not found:
        raise refusal or NoAnswerError("no-passage", name=text)
    best = max(found, key=lambda one: found[one][0].strength + _BETTER * (one == FIRST_GAME))
    others = [answers[0] for one, answers in found.items() if one != best and answers[0].strength >= _WORTH]
    return Asked(best, found[best], others[0] if others else None)


def _named(store: Store, text: str) -> tuple[Game | None, str]:
    """The game, other than the first, that ``text`` names in any form of its name, and the text without the name."""
    titles = store.query(
        "SELECT game, lang, stems FROM search WHERE lang != '' AND game != ? AND subject IN"
        " (SELECT id FROM terms WHERE grp = 'title')",
        FIRST_GAME,
    )
    known: dict[Game, set[tuple[str, str]]] = {}
    for game, lang, stems in titles:
        if " " not in stems:
            known.setdefault(game, set()).update((lang, stem) for stem in stems.split("|"))
    words = text.split()
    for game, names in known.items():
        rest = [word for word in words if not _is_name(word, names)]
        if len(rest) < len(words):
            return game, " ".join(rest) or text
    return None, text


def _is_name(word: str, names: set[tuple[str, str]]) -> bool:
    form = fold_query(word)
    stems = {(lang, stem) for lang, _ in names for stem in query_stems(form, lang) | name_stems(form, lang)}
    return bool(form) and " " not in form and bool(stems & names)
