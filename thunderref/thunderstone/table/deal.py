"""From a set-up to the cards in the order in which they are dealt (R1.3 to R1.7, R9.1 to R9.6).

Everything random comes from :func:`source`: the game's seed, the purpose and the number of earlier draws decide what is
drawn, so that a resumed game needs no memory of chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thunderref.database.validation import Record
from thunderref.errors import NoAnswerError
from thunderref.rng import SplitMix64, open_stream
from thunderref.thunderstone.rules import turns
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.variants import variant_of
from thunderref.thunderstone.setup.catalogue import DECK
from thunderref.thunderstone.setup.codes import SEEDS
from thunderref.thunderstone.setup.layout import Counts, Layer
from thunderref.thunderstone.setup.setup import Setup

DEAL, RESHUFFLE, CHOICE = "deal", "reshuffle", "choice"
"""Streams of the random source: the cards at the start, decks made anew, what random players do."""


class DealtCards(Record):
    """The cards of a game before the hall is filled (R1.4) and the players draw (R1.7); every deck is top first."""

    dungeon: tuple[str, ...]
    horde: tuple[str, ...]
    decks: tuple[tuple[str, ...], ...]


class Opening(NamedTuple):
    """A game before its first choice."""

    game: Game
    position: Position


def source(seed: int, stream: str, number: int = 0) -> SplitMix64:
    """The random source of ``stream`` for its ``number``-th use, from 0."""
    return open_stream(seed + SEEDS * number, stream)


def shuffle_cards(cards: Sequence[str], random: SplitMix64) -> list[str]:
    return random.sample(cards, len(cards))


def deal(setup: Setup, seed: int, heroes: Sequence[Sequence[str]] = ()) -> DealtCards:
    """Makes all shuffles before the first turn; ``heroes`` are those that players take along (R9.4).

    Raises :class:`NoAnswerError` for a later game whose set-up does not name what was left (R9.3) or the heroes (R9.4).
    """
    random = source(seed, DEAL)
    laid = setup.table
    dungeon = _dungeon(laid.layers, random)
    horde = tuple(card for stack in laid.stacks if stack.kind == "horde" for card in _cards(stack.cards))
    decks = [_cards(DECK)] * setup.content.players
    later = setup.content.later
    if later is not None:
        by_kind = {deck.who: deck for deck in laid.decks}
        if any(deck.heroes for deck in by_kind.values()) and len(heroes) != len(decks):
            raise NoAnswerError("play-heroes-unknown")
        decks[later.winner - 1] = _cards(by_kind["winner"].cards)
        decks = [(*deck, *along) for deck, along in zip(decks, heroes or [()] * len(decks), strict=True)]
    return DealtCards(dungeon=dungeon, horde=horde, decks=tuple(tuple(shuffle_cards(deck, random)) for deck in decks))


def open_game(setup: Setup, start: DealtCards, ruleset: str = "print", readings: Iterable[str] = ()) -> Opening:
    """The first turn of a game of this set-up with the cards dealt like this (R1.4 to R1.7)."""
    content = setup.content
    variant = variant_of(content.variant, content.level or "")
    game = Game(load_cards(setup.database), ruleset, None, content.players, variant, readings)
    sold = (stack.cards for stack in setup.table.stacks if stack.kind in ("basic", "hero", "village"))  # R1.6
    stacks, hall = tuple(entry for cards in sold for entry in cards), setup.table.hall
    return Opening(game, turns.begin(game, start.dungeon, start.decks, stacks, horde=start.horde, hall=hall))


def _dungeon(layers: tuple[Layer, ...], random: SplitMix64) -> tuple[str, ...]:
    """The dungeon deck: each layer counted off its shuffle, then shuffled with what joins it (R1.4, R9.1, R9.3)."""
    shuffles: dict[int, list[str]] = {}
    for layer in layers:
        shuffles.setdefault(layer.shuffle, []).extend(_cards(layer.cards))
    left = {number: shuffle_cards(cards, random) for number, cards in shuffles.items()}
    deck: list[str] = []
    for layer in layers:
        pile = left[layer.shuffle]
        if len(pile) < layer.drawn:
            raise NoAnswerError("play-remains-unknown", n=layer.drawn)
        cards, left[layer.shuffle] = pile[: layer.drawn], pile[layer.drawn :]
        deck += shuffle_cards([*cards, *layer.joined], random) if layer.joined else cards
    return tuple(deck)


def _cards(counts: Counts) -> tuple[str, ...]:
    return tuple(card for card, n in counts for _ in range(n))
