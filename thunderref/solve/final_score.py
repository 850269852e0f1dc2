"""``thunderref.final_score``: decks in, victory points and the winner out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thunderref.engine.book import Book
from thunderref.engine.score import Standing, holdings, is_horde, points, winners
from thunderref.errors import InputError, NoAnswerError
from thunderref.lookup.search import search_cards
from thunderref.model.visit import PlayerScore, ScoredCard, ScoreDocument, ScoreResult
from thunderref.solve.documents import read_document
from thunderref.solve.position import HAND_KINDS, Finder, cards_of, counted
from thunderref.store.catalog import load_book
from thunderref.store.read import Store, open_store
from thunderref.words.words import Words

LANGUAGE = "en"


def final_score(
    document: ScoreDocument | Mapping[str, Any],
    lang: str | None = None,
    *,
    store: Store | None = None,
    words: Words | None = None,
) -> ScoreResult:
    """Scores the decks of a game (R7.2, R7.3, R9.6).

    ``document`` is one of the outside contract. Raises InputError for one that cannot be read or names no player, one
    player twice, or penalty cards of nobody; NoAnswerError for unknown or ambiguous names of cards.
    """
    store = store or open_store()
    words = words or Words(store, lang or LANGUAGE)
    asked = read_document(ScoreDocument, document)
    if not asked.players:
        raise InputError("score-no-decks")
    book, find = load_book(store), Finder(store, words.lang)
    penalties = _penalties(asked)
    players = [
        _player(name, _deck(entries, book, store, find), penalties.get(_folded(name), 0), book)
        for name, entries in asked.players.items()
    ]
    won, tied, how = winners([Standing(player.vp, bool(player.thunderstones)) for player in players])
    names = [players[place].name for place in won]
    tie_break = None
    if how:
        params = {"names": ", ".join(names), "tied": ", ".join(players[i].name for i in tied)}
        tie_break = words.say(f"score.tie.{how}", vp=players[won[0]].vp, **params)
    return ScoreResult(players=players, winners=names, tie_break=tie_break)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _penalties(asked: ScoreDocument) -> dict[str, int]:
    """Penalty cards by folded name; checks that every name is there, and there once."""
    known: set[str] = set()
    for name in asked.players:
        if not _folded(name):
            raise InputError("score-empty-name")
        if _folded(name) in known:
            raise InputError("score-twice", name=name.strip())
        known.add(_folded(name))
    for name, n in asked.penalties.items():
        if _folded(name) not in known:
            raise InputError("score-no-such-player", name=name.strip() or "-")
        if n < 0:
            raise InputError("score-bad-penalty", text=f"{name.strip()}: {n}")
    return {_folded(name): n for name, n in asked.penalties.items()}


def _player(name: str, deck: list[str], penalties: int, book: Book) -> PlayerScore:
    found = holdings(book, deck)
    return PlayerScore(
        name=" ".join(name.split()),
        vp=points(found, penalties),
        cards=[ScoredCard(id=card, count=n, vp=vp) for card, n, vp in found],
        penalties=penalties,
        thunderstones=[card for card, _, _ in found if book[card].kind == "thunderstone"],
    )


def _deck(entries: list[str], book: Book, store: Store, find: Finder) -> list[str]:
    """The cards of a deck; ``7 horde`` may leave open which Horde cards they are, since all are worth the same."""
    deck: list[str] = []
    for entry in entries:
        try:
            deck += cards_of([entry], find, HAND_KINDS)
        except NoAnswerError as error:
            count, name = counted(entry)
            hits = search_cards(store, name, HAND_KINDS) if error.code == "ambiguous-card" else None
            cards = [hit.id for hit in hits.hits[: hits.equals]] if hits is not None else []
            like = [card for card in cards if is_horde(book, card)]
            if not like or any(book[card].family != book[like[0]].family for card in cards):
                raise
            like.sort(key=lambda card: (card in deck, book[card].health))
            deck += [like[place % len(like)] for place in range(count)]
    return deck
