"""Campaigns: the next game out of the one before, and who has won them (R9.2 to R9.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from thunderref.engine.book import Book
from thunderref.engine.places import decks, standings
from thunderref.engine.score import winners
from thunderref.errors import InputError, NoAnswerError
from thunderref.lookup.switches import Asked, other_readings
from thunderref.model.saved import SavedBefore, SavedPlayer
from thunderref.play.course import Course, with_remains
from thunderref.play.deal import CHOICE, deal, source
from thunderref.play.players import people
from thunderref.setup.api import generate_setup
from thunderref.setup.campaign import game_points
from thunderref.setup.result import Setup
from thunderref.store.catalog import load_book
from thunderref.store.read import Store
from thunderref.words.words import Words

TAKEN = {"winner": 1, "others": 2}
"""Heroes that players take along into the second game of an odyssey (R9.4)."""

Heroes = Sequence[Sequence[str]]
"""What each player takes along, the first player's first."""


class Outcome(NamedTuple):
    """How a campaign stands after a game, players as numbers from 1.

    ``winner`` of this game, None if several share it; ``champions`` have won the campaign, () while it goes on;
    ``points`` are the game points of an odyssey so far.
    """

    winner: int | None
    champions: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


def remains_of(course: Course) -> tuple[str, ...]:
    """The cards left in the dungeon deck and the hall, stones aside (R9.3)."""
    state = course.game.state
    cards = (*(foe.card for foe in (*state.hall, *state.rank0) if foe.card), *state.dungeon)
    return tuple(sorted(card for card in cards if course.table.book[card].kind != "thunderstone"))


def may_come_along(book: Book, cards: Sequence[str]) -> list[str]:
    """The heroes among the cards that are worth no VP (R9.4)."""
    return sorted(card for card in cards if book[card].is_hero and not book[card].vp)


def outcome(course: Course) -> Outcome | None:
    """How the campaign stands after a finished game; None for a game that belongs to none."""
    variant, later = course.setup.variant, course.setup.content.later
    if not variant.campaign or not course.over:
        return None
    found = standings(course.table, course.game)
    won = winners(found)[0]
    winner = won[0] + 1 if len(won) == 1 else None
    if variant.id != "odyssey":
        again = later is not None and later.winner == winner
        return Outcome(winner, (later.winner,) if again and later is not None else ())
    points = _points([standing.vp for standing in found], winner)
    if later is None or course.before is None or not course.before.scores:
        return Outcome(winner, (), tuple(points))
    earlier = _points(course.before.scores, later.winner)
    total = tuple(a + b for a, b in zip(points, earlier, strict=True))
    stones = [_best_stone(course.table.book, deck) for deck in decks(course.game)]
    most = max((n, stone) for n, stone in zip(total, stones, strict=True))
    champions = tuple(i + 1 for i, held in enumerate(zip(total, stones, strict=True)) if held == most)
    return Outcome(winner, champions, total)


def told_again(course: Course, found: Outcome) -> list[tuple[str, str]]:
    """The options that tell of a finished game what only its file would know, for ``play --after`` with its code.

    What players take along into an odyssey's second game is for them to choose.
    """
    options = [("--players", ", ".join("random" if player.random else player.name for player in course.players))]
    if found.winner is not None:
        options.append(("--winner", str(found.winner)))
    if course.setup.content.variant == "pursuit":
        options.append(("--left", ", ".join(f"{n} {card}" for card, n in Counter(remains_of(course)).items()) or "0"))
    if course.setup.content.variant == "odyssey":
        options.append(("--scores", ",".join(str(one.vp) for one in standings(course.table, course.game))))
    if course.table.ruleset != "print":
        options.append(("--ruleset", course.table.ruleset))
    return [*options, *(("--reading", f"{name}={value}") for name, value in course.readings.items())]


def _points(scores: Sequence[int], winner: int | None) -> list[int]:
    """Game points; of a game that several share nobody has the point of the winner."""
    return game_points(scores, winner or 0)


def _best_stone(book: Book, deck: Sequence[str]) -> int:
    """The VP of the dearest Thunderstone in a deck, 0 if there is none."""
    return max((book[card].vp or 0 for card in deck if book[card].kind == "thunderstone"), default=0)


def next_game(course: Course, *, winner: int | None, heroes: Heroes, seed: int, lang: str) -> Course:
    """The game that follows a finished one, with its players, ruleset and readings.

    ``winner`` is asked for only if several share the victory. Raises :class:`NoAnswerError` if the game is not over
    (``play-after-unfinished``) or no campaign goes on, and the errors of :func:`taken_along`.
    """
    if not course.over:
        raise NoAnswerError("play-after-unfinished", n=course.game.number)
    found = standings(course.table, course.game)
    won = [place + 1 for place in winners(found)[0]]
    if winner is None and len(won) == 1:
        winner = won[0]
    if winner is not None and winner not in won:
        raise NoAnswerError("setup-bad-winner", asked=winner)
    left = remains_of(course) if course.setup.content.variant == "pursuit" else ()
    scores = [standing.vp for standing in found]
    setup = generate_setup(
        after=course.setup.code, winner=winner, scores=scores, left=len(left), seed=seed, lang=lang,
        store=course.setup.store,
    )  # fmt: skip
    setup = with_remains(setup, left)
    owned = [may_come_along(course.table.book, deck) for deck in decks(course.game)]
    along = taken_along(setup, course.players, heroes, owned, seed)
    before = SavedBefore(remains=list(left), heroes=[list(cards) for cards in along], scores=scores)
    dealt = deal(setup, seed, along)
    return Course(setup, course.players, seed, course.table.ruleset, dealt, course.table.readings, before)


def after_code(
    store: Store,
    code: str,
    players: Sequence[SavedPlayer] | None,
    *,
    winner: int | None,
    scores: Sequence[int],
    left: int | Sequence[tuple[str, int]],
    heroes: Heroes,
    seed: int,
    ruleset: str,
    readings: Asked,
    words: Words,
) -> Course:
    """The game that follows one at the table, of which the set-up's code is known and the rest is told.

    Raises the errors of :func:`generate_setup` and :func:`taken_along`, and ``play-number`` for players that are not
    as many as before.
    """
    chosen = other_readings(store, readings)
    setup = generate_setup(after=code, winner=winner, scores=scores, left=left, seed=seed, lang=words.lang, store=store)
    wanted = setup.content.players
    seats = people(wanted, words) if players is None else list(players)
    if len(seats) != wanted:
        raise InputError("play-number", players=wanted, n=len(seats))
    along = taken_along(setup, seats, heroes, None, seed)
    remains = [card for card, n in setup.remains for _ in range(n)]
    before = SavedBefore(remains=remains, heroes=[list(cards) for cards in along], scores=list(scores))
    return Course(setup, seats, seed, ruleset, deal(setup, seed, along), chosen, before)


def wanted_of(setup: Setup) -> list[int]:
    """How many heroes each player takes along."""
    later = setup.content.later
    heroes = {deck.who: deck.heroes for deck in setup.table.decks}
    if later is None or not any(heroes.values()):
        return [0] * setup.content.players
    who = ("winner" if n + 1 == later.winner else "others" for n in range(setup.content.players))
    return [heroes[one] for one in who]


def taken_along(
    setup: Setup, players: Sequence[SavedPlayer], heroes: Heroes, owned: Sequence[Sequence[str]] | None, seed: int
) -> tuple[tuple[str, ...], ...]:
    """The heroes that the players take along (R9.4), as named; those of random players are drawn if nobody names any.

    ``owned`` are the heroes each may choose from, None if nobody knows: then any hero without VP of the game before.
    Whoever has fewer than he may take takes all. Raises :class:`NoAnswerError`: ``play-heroes-missing``,
    ``play-heroes-number``, ``play-hero-not``; :class:`InputError` (``play-no-heroes``) for a game without that.
    """
    wanted = wanted_of(setup)
    if not any(wanted):
        if heroes:
            raise InputError("play-no-heroes")
        return ()
    book = load_book(setup.store)
    if not heroes and owned is not None and all(player.random for player in players):
        random = source(seed, CHOICE)
        return tuple(tuple(random.sample(mine, min(n, len(mine)))) for n, mine in zip(wanted, owned, strict=True))
    if len(heroes) != len(players):
        found = () if owned is None else zip(players, wanted, owned, strict=True)
        choices = [_choice_of(setup, player.name, n, mine) for player, n, mine in found]
        numbers = {"n": len(players), "winner": TAKEN["winner"], "others": TAKEN["others"]}
        raise NoAnswerError("play-heroes-missing", candidates=choices, **numbers)
    for place, (player, n, cards) in enumerate(zip(players, wanted, heroes, strict=True)):
        mine = None if owned is None else owned[place]
        most = n if mine is None else min(n, len(mine))
        if len(cards) != most:
            raise NoAnswerError("play-heroes-number", name=player.name, n=most, given=len(cards))
        for card, copies in Counter(cards).items():
            known = mine if mine is not None else may_come_along(book, [card] * copies)
            if known.count(card) < copies or (mine is None and book[card].family in setup.content.heroes):
                raise NoAnswerError("play-hero-not", name=player.name, card=card)
    return tuple(tuple(cards) for cards in heroes)


def _choice_of(setup: Setup, name: str, n: int, mine: Sequence[str]) -> str:
    """``Ann: 1 (Militia × 4; Elf Wizard)``: how many heroes a player takes along, and from which."""
    words = setup.naming.words
    cards = [
        words.card(card) if copies == 1 else words.say("play.several", card=words.card(card), n=copies)
        for card, copies in Counter(mine).items()
    ]
    return f"{name}: {min(n, len(mine))} ({'; '.join(cards) or words.say('play.nothing')})"
