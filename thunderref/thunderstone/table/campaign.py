"""Campaigns: the next game after the one before, and who has won them (R9.2 to R9.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from thunderref.database.read import Database
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.switches import Asked, other_readings
from thunderref.text.language import Language
from thunderref.thunderstone.card_store import load_cards
from thunderref.thunderstone.rules.cards import Cards
from thunderref.thunderstone.rules.scoring import winners
from thunderref.thunderstone.rules.turns import decks, standings
from thunderref.thunderstone.setup.campaign import game_points
from thunderref.thunderstone.setup.catalogue import MILITIA
from thunderref.thunderstone.setup.generate import generate_setup
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.deal import CHOICE, deal, source
from thunderref.thunderstone.table.log import count_names
from thunderref.thunderstone.table.record import RANDOM, GameRecord, seat_players
from thunderref.thunderstone.table.save_file import SavedBefore, SavedPlayer

Heroes = Sequence[Sequence[str]]
"""What each player takes along, the first player's first."""


class CampaignState(NamedTuple):
    """The state of a campaign after a game, players as numbers from 1.

    ``winner`` of this game, None if several share it; ``champions`` have won the campaign, () while it goes on;
    ``points`` are the game points of an odyssey so far.
    """

    winner: int | None
    champions: tuple[int, ...] = ()
    points: tuple[int, ...] = ()


def remains_of(record: GameRecord) -> tuple[str, ...]:
    """The cards left in the dungeon deck and the hall, stones aside (R9.3)."""
    hall = (*record.position.hall, *record.position.rank0)
    cards = (*(foe.card for foe in hall if foe.card), *record.position.dungeon)
    return tuple(sorted(card for card in cards if record.game.cards[card].kind != "thunderstone"))


def may_come_along(book: Cards, cards: Sequence[str]) -> list[str]:
    """The heroes among the cards that are worth no VP (R9.4)."""
    return sorted(card for card in cards if book[card].is_hero and not book[card].vp)


def campaign_state(record: GameRecord) -> CampaignState | None:
    """The state of the campaign after a finished game; None for a game without a campaign."""
    variant, later = record.setup.variant, record.setup.content.later
    if not variant.campaign or not record.over:
        return None
    found = standings(record.game, record.position)
    won = winners(found)[0]
    winner = won[0] + 1 if len(won) == 1 else None
    if variant.id != "odyssey":
        return CampaignState(winner, (winner,) if winner and later is not None and later.winner == winner else ())
    points = game_points([standing.vp for standing in found], winner or 0)  # a shared victory is nobody's point
    if later is None or record.before is None or not record.before.scores:
        return CampaignState(winner, (), tuple(points))
    earlier = game_points(record.before.scores, later.winner)
    total = tuple(a + b for a, b in zip(points, earlier, strict=True))
    cards = record.game.cards
    stones = ([card for card in deck if cards[card].kind == "thunderstone"] for deck in decks(record.position))
    held = [(n, max((cards[card].vp or 0 for card in mine), default=0)) for n, mine in zip(total, stones, strict=True)]
    return CampaignState(winner, tuple(n for n, mine in enumerate(held, 1) if mine == max(held)), total)


def options_for_next(record: GameRecord, found: CampaignState) -> list[tuple[str, str]]:
    """The options for ``play --after`` with a game's code: what otherwise only its file knows."""
    names = [(player.bot or RANDOM) if player.random else player.name for player in record.players]
    options = [("--players", ", ".join(names))]
    if found.winner is not None:
        options.append(("--winner", str(found.winner)))
    if record.setup.content.variant == "pursuit":
        options.append(("--left", ", ".join(f"{n} {card}" for card, n in Counter(remains_of(record)).items()) or "0"))
    if record.setup.content.variant == "odyssey":
        options.append(("--scores", ",".join(str(one.vp) for one in standings(record.game, record.position))))
    if record.game.ruleset != "print":
        options.append(("--ruleset", record.game.ruleset))
    return [*options, *(("--reading", f"{name}={value}") for name, value in record.readings.items())]


def next_game(record: GameRecord, *, winner: int | None, heroes: Heroes, seed: int, lang: str) -> GameRecord:
    """The game that follows a finished one; ``winner`` is asked for only if several share the victory.

    Raises :class:`NoAnswerError` if the game is not over (``play-after-unfinished``) or no campaign goes on, and the
    errors of :func:`take_along`.
    """
    if not record.over:
        raise NoAnswerError("play-after-unfinished", n=record.turn)
    found = standings(record.game, record.position)
    won = [place + 1 for place in winners(found)[0]]
    if winner is None and len(won) == 1:
        winner = won[0]
    if winner is not None and winner not in won:
        raise NoAnswerError("setup-bad-winner", asked=winner)
    left = remains_of(record) if record.setup.content.variant == "pursuit" else ()
    scores = [standing.vp for standing in found]
    told: dict[str, Any] = {"winner": winner, "scores": scores, "left": [*Counter(left).items()]}
    setup = generate_setup(after=record.setup.code, seed=seed, lang=lang, database=record.setup.database, **told)
    owned = [may_come_along(record.game.cards, deck) for deck in decks(record.position)]
    along = take_along(setup, record.players, heroes, owned, seed)
    return _follow(setup, record.players, seed, record.game.ruleset, record.game.readings, along)


def after_code(
    database: Database,
    code: str,
    players: Sequence[SavedPlayer] | None,
    *,
    heroes: Heroes,
    seed: int,
    ruleset: str,
    readings: Asked,
    words: Language,
    **told: Any,
) -> GameRecord:
    """The game that follows one at the table, by its code; winner, scores and the cards left are given.

    Raises the errors of :func:`generate_setup`, :func:`seat_players` and :func:`take_along`.
    """
    chosen = other_readings(database, readings)
    setup = generate_setup(after=code, seed=seed, lang=words.lang, database=database, **told)
    seats = seat_players(setup, players)
    return _follow(setup, seats, seed, ruleset, chosen, take_along(setup, seats, heroes, None, seed))


def _follow(
    setup: Setup, players: Sequence[SavedPlayer], seed: int, ruleset: str, readings: frozenset[str], heroes: Heroes
) -> GameRecord:
    remains = [card for card, n in setup.remains for _ in range(n)]
    before = SavedBefore(remains=remains, heroes=[list(cards) for cards in heroes], scores=list(setup.scores))
    return GameRecord(setup, players, seed, ruleset, deal(setup, seed, heroes), readings, before)


def _was_in_game_before(setup: Setup, family: str | None) -> bool:
    """True if heroes of this family were in the game before; where an old code does not tell, if they may have been."""
    later, heroes = setup.content.later, setup.content.heroes
    if later is None or later.earlier is None:
        return family not in heroes
    return family in (MILITIA, *later.earlier.heroes)


def take_along(
    setup: Setup, players: Sequence[SavedPlayer], heroes: Heroes, owned: Sequence[Sequence[str]] | None, seed: int
) -> tuple[tuple[str, ...], ...]:
    """The heroes that the players take along (R9.4), as named; for random players drawn if nobody names any.

    ``owned`` are the heroes each may choose from, None if unknown: then Militia and heroes of the game before. A
    player with fewer than they may take takes all. Raises :class:`NoAnswerError`: ``play-heroes-missing``,
    ``play-heroes-number``, ``play-hero-not``; :class:`InputError` (``play-no-heroes``) if the game allows none.
    """
    by_kind = {deck.who: deck.heroes for deck in setup.table.decks}
    if not any(by_kind.values()):
        if heroes:
            raise InputError("play-no-heroes")
        return ()
    winner = setup.content.later.winner if setup.content.later else 0
    wanted = [by_kind["winner" if n == winner else "others"] for n in range(1, len(players) + 1)]
    book = load_cards(setup.database)
    if not heroes and owned is not None and all(player.random for player in players):
        random = source(seed, CHOICE)
        return tuple(tuple(random.sample(mine, min(n, len(mine)))) for n, mine in zip(wanted, owned, strict=True))
    if len(heroes) != len(players):
        found = () if owned is None else zip(players, wanted, owned, strict=True)
        words = setup.naming.words
        choices = [
            f"{player.name}: {min(n, len(mine))} ({count_names(words, map(words.card, mine), '; ')})"
            for player, n, mine in found
        ]
        raise NoAnswerError("play-heroes-missing", candidates=choices, n=len(players), **by_kind)
    for place, (player, n, cards) in enumerate(zip(players, wanted, heroes, strict=True)):
        mine = None if owned is None else owned[place]
        most = n if mine is None else min(n, len(mine))
        if len(cards) != most:
            raise NoAnswerError("play-heroes-number", name=player.name, n=most, given=len(cards))
        for card, copies in Counter(cards).items():
            known = mine if mine is not None else may_come_along(book, [card] * copies)
            if known.count(card) < copies or (mine is None and not _was_in_game_before(setup, book[card].family)):
                raise NoAnswerError("play-hero-not", name=player.name, card=card)
    return tuple(tuple(cards) for cards in heroes)
