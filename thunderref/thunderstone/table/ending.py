"""The end of a game: scores, how a solo game turned out, games that can never end, and what follows (R9.2 to R9.4).

A guardian in rank 0 may destroy every card. If then the monsters in front of the Thunderstone may not be attacked or
moved (Steam Torment, R6.8; Blink Dog without Light, R5.1), nobody can bring the end nearer. :func:`is_stuck` proves
that; such a game is called off. Without a proof, people decide and random players stop (:func:`at_a_standstill`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.resolve.final_score import final_score
from thunderref.thunderstone.resolve.result import ScoreResult
from thunderref.thunderstone.rules import draws, end_of_turn, legal, turns
from thunderref.thunderstone.rules.cards import Cards, load_cards
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import DISEASE, Position, replace, table_of
from thunderref.thunderstone.rules.readings import ReadingsAsked, other_readings
from thunderref.thunderstone.rules.scoring import champions, game_points
from thunderref.thunderstone.setup.catalogue import MILITIA
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.table import record as records
from thunderref.thunderstone.table.record import GameRecord, SavedBefore, Seats

ASKED, PATIENCE = 5, 25
"""Rounds without any change after which people decide whether to go on, and after which random players stop."""
MOST_POSITIONS = 20_000
"""Positions without any cards of the players tried at most; the most any game has had is about 5,000."""


class SoloResult(NamedTuple):
    """The result of a game against the monsters (R9.5), in victory points."""

    vp: int
    monsters: int
    won: bool


def final(record: GameRecord, words: Language) -> ScoreResult:
    """The score with penalty cards (R7.2, R7.3, R9.6); a solo player wins against the monsters or not at all (R9.5)."""
    seats = table_of(record.position).seats
    cards = {player.name: list(deck) for player, deck in zip(record.players, turns.decks(record.position), strict=True)}
    penalties = {p.name: len(s.penalties) for p, s in zip(record.players, seats, strict=True) if s.penalties}
    score = final_score({"players": cards, "penalties": penalties}, words=words)
    alone = solo_result(record)
    if alone is not None and not (record.over and alone.won):
        return replace(score, winners=[])
    return score


def solo_result(record: GameRecord) -> SoloResult | None:
    """The outcome of a solo game; None for a game of several players."""
    if record.setup.content.variant != "solo":
        return None
    mine = turns.standings(record.game, record.position)[0].vp
    theirs = turns.lost_points(record.game, record.position)
    return SoloResult(mine, theirs, mine > theirs)


def at_a_standstill(record: GameRecord, rounds: int = PATIENCE) -> bool:
    """True at the beginning of a turn if no card has changed its place for ``rounds`` rounds."""
    position = record.position
    return position.phase == "choose" and not position.todo and record.still >= rounds * len(record.players)


def is_stuck(game: Game, position: Position) -> bool:
    """True if the players own only Disease and nothing they can do ever changes that or ends the game.

    Disease is left out of the positions: it gives nothing and pays for nothing (R0.5). Then they are finitely many:
    only the order of the monsters under the dungeon deck can change.
    """
    if position.phase != "choose" or position.todo or not _destitute(position):
        return False
    seen = {_without_disease(position)}
    waiting = [*seen]
    while waiting:
        here = waiting.pop()
        for action in legal.legal_actions(game, here):
            after = legal.play(game, here, action)[0]
            while (due := draws.shuffle_of(after)) is not None:
                if len({*due.cards}) > 1:  # unknown cards; there are none in a game
                    return False
                after = turns.shuffle(game, after, due.cards)[0]
            if after.phase == "choose" and not after.todo:
                if not _destitute(after):
                    return False
                after = _without_disease(after)
            if after.phase == "over" or len(seen) > MOST_POSITIONS:
                return False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return True


def _destitute(position: Position) -> bool:
    seats = (end_of_turn.seat_of(position, number) for number in range(len(table_of(position).seats)))
    return all(card == DISEASE for seat in seats for card in seat.cards)  # the first is mostly enough


def _without_disease(position: Position) -> Position:
    table = table_of(position)
    seats = tuple(replace(seat, hand=(), deck=(), discard=()) for seat in table.seats)
    table = replace(table, seats=seats, removed=(), turn=0, under=0)
    return replace(position, hand=(), deck=(), pile=(), table=table)


Heroes = Sequence[Sequence[str]]
"""What each player takes along, the first player's first."""


class CampaignState(NamedTuple):
    """The winner of a game (from 1; None if several share it), those of the campaign (() until it ends), and the
    game points of an odyssey so far.
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
    standings, won = turns.result(record.game, record.position)
    winner = won[0] + 1 if len(won) == 1 else None
    if variant.id != "odyssey":
        return CampaignState(winner, (winner,) if winner and later is not None and later.winner == winner else ())
    points = game_points([standing.vp for standing in standings], winner or 0)  # a shared victory is nobody's point
    if later is None or record.before is None or not record.before.scores:
        return CampaignState(winner, (), tuple(points))
    earlier = game_points(record.before.scores, later.winner)
    total = tuple(a + b for a, b in zip(points, earlier, strict=True))
    cards = record.game.cards
    stones = ([card for card in deck if cards[card].kind == "thunderstone"] for deck in turns.decks(record.position))
    dearest = [max((cards[card].vp or 0 for card in mine), default=0) for mine in stones]
    return CampaignState(winner, tuple(place + 1 for place in champions(total, dearest)), total)


def options_for_next(record: GameRecord, state: CampaignState) -> list[tuple[str, str]]:
    """The options for ``play --after`` with a game's code: what otherwise only its file knows."""
    names = [(player.bot or records.RANDOM) if player.random else player.name for player in record.players]
    options = [("--players", ", ".join(names))]
    if state.winner is not None:
        options.append(("--winner", str(state.winner)))
    if record.setup.content.variant == "pursuit":
        options.append(("--left", ", ".join(f"{n} {card}" for card, n in Counter(remains_of(record)).items()) or "0"))
    if record.setup.content.variant == "odyssey":
        options.append(("--scores", ",".join(str(seat.vp) for seat in turns.standings(record.game, record.position))))
    if record.game.ruleset != "print":
        options.append(("--ruleset", record.game.ruleset))
    return [*options, *(("--reading", f"{name}={value}") for name, value in record.readings.items())]


def next_game(record: GameRecord, *, winner: int | None, heroes: Heroes, seed: int, lang: str) -> GameRecord:
    """The game that follows a finished one; ``winner`` is needed only if several share the victory.

    Raises :class:`NoAnswerError` if the game is not over (``play-after-unfinished``) or no campaign continues, and the
    errors of :func:`take_along`.
    """
    if not record.over:
        raise NoAnswerError("play-after-unfinished", n=record.turn)
    standings, seats = turns.result(record.game, record.position)
    won = [seat + 1 for seat in seats]
    if winner is None and len(won) == 1:
        winner = won[0]
    if winner is not None and winner not in won:
        raise NoAnswerError("setup-bad-winner", asked=winner)
    remains = remains_of(record) if record.setup.content.variant == "pursuit" else ()
    scores = [standing.vp for standing in standings]
    options: dict[str, Any] = {"winner": winner, "scores": scores, "left": [*Counter(remains).items()]}
    setup = generate_setup(after=record.setup.code, seed=seed, lang=lang, database=record.setup.database, **options)
    owned = [may_come_along(record.game.cards, deck) for deck in turns.decks(record.position)]
    return _follow(setup, record.players, seed, record.game.ruleset, record.game.readings, heroes, owned)


def after_code(
    code: str, players: Seats | None, words: Language, *, heroes: Heroes, seed: int, ruleset: str,
    readings: ReadingsAsked, **outcome: Any,
) -> GameRecord:  # fmt: skip
    """The game that follows one at the table, by its code; winner, scores and the cards left are given.

    Raises the errors of :func:`generate_setup`, :func:`seat_players` and :func:`take_along`.
    """
    answers = other_readings(words.database, readings)
    setup = generate_setup(after=code, seed=seed, lang=words.lang, database=words.database, **outcome)
    return _follow(setup, records.seat_players(setup, players), seed, ruleset, answers, heroes, None)


def _follow(
    setup: Setup, players: Seats, seed: int, ruleset: str, readings: frozenset[str], heroes: Heroes,
    owned: Heroes | None,
) -> GameRecord:  # fmt: skip
    along = take_along(setup, players, heroes, owned, seed)
    remains = [card for card, n in setup.remains for _ in range(n)]
    before = SavedBefore(remains=remains, heroes=[list(cards) for cards in along], scores=list(setup.scores))
    return GameRecord(setup, players, seed, ruleset, records.deal(setup, seed, along), readings, before)


def count_names(words: Language, names: Iterable[str], between: str = ", ") -> str:
    """The names with the number of each: ``Militia × 4, Elf Wizard``."""
    listed = Counter(names).items()
    several = (name if n == 1 else words.say("play.several", card=name, n=n) for name, n in listed)
    return between.join(several) or words.say("play.nothing")


def take_along(setup: Setup, players: Seats, heroes: Heroes, owned: Heroes | None, seed: int) -> Heroes:
    """The heroes that the players take along (R9.4), as named; for random players drawn if nobody names any.

    ``owned`` are the heroes each may choose from, None if unknown: then Militia and heroes of the game before; where an
    old code does not tell them, any that may have been. A player with fewer than they may take takes all. Raises
    :class:`NoAnswerError`: ``play-heroes-missing``, ``play-heroes-number``, ``play-hero-not``; :class:`InputError`
    (``play-no-heroes``) if the game allows none.
    """
    by_kind = {deck.who: deck.heroes for deck in setup.table.decks}
    if not any(by_kind.values()):
        if heroes:
            raise InputError("play-no-heroes")
        return ()
    later, book = setup.content.later, load_cards(setup.database)
    winner, earlier = (later.winner, later.earlier) if later else (0, None)
    numbers = [by_kind["winner" if n == winner else "others"] for n in range(1, len(players) + 1)]
    if owned is not None:
        numbers = [min(n, len(mine)) for n, mine in zip(numbers, owned, strict=True)]
        if not heroes and all(player.random for player in players):
            random = records.source(seed, records.CHOICE)
            return [random.sample(mine, n) for n, mine in zip(numbers, owned, strict=True)]
    if len(heroes) != len(players):
        words = setup.naming.words
        choices = [
            f"{player.name}: {n} ({count_names(words, map(words.card, mine), '; ')})"
            for player, n, mine in zip(players, numbers, owned or (), strict=False)
        ]
        raise NoAnswerError("play-heroes-missing", candidates=choices, n=len(players), **by_kind)
    for place, (player, n, cards) in enumerate(zip(players, numbers, heroes, strict=True)):
        if len(cards) != n:
            raise NoAnswerError("play-heroes-number", name=player.name, n=n, given=len(cards))
        for card, copies in Counter(cards).items():
            family = book[card].family
            was_there = family in (MILITIA, *earlier.heroes) if earlier else family not in setup.content.heroes
            mine = owned[place] if owned is not None else may_come_along(book, [card] * copies) if was_there else []
            if mine.count(card) < copies:
                raise NoAnswerError("play-hero-not", name=player.name, card=card)
    return heroes
