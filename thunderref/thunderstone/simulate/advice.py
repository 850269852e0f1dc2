"""``turn --games``: ways to begin a turn, each played on to the end of many games, and which of them wins most.

Game number n of every choice has the same deal and the same seed. Who works, and when, changes nothing but where the
time ends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from thunderref.budget import Budget
from thunderref.database.read import Language, open_database
from thunderref.errors import InputError
from thunderref.rng import SplitMix64
from thunderref.statistics import Z, mean, mean_interval, round_off, wilson
from thunderref.thunderstone.bots.battle_choice import BattleChoice
from thunderref.thunderstone.bots.bot import Bot
from thunderref.thunderstone.bots.planner import NEVER, Bargain, Shopping, lookahead
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.bots.turn import (
    average_hands,
    change_of_hands,
    choice_of,
    choice_text,
    turn,
    view_of,
    visit_choice,
    weigh_turn,
)
from thunderref.thunderstone.bots.valuation import FULL_DUNGEON
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.resolve.documents import TurnDocument, read_document
from thunderref.thunderstone.resolve.result import HandAverage, TurnResult, WeighedChoice, WeighedGames
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import DUNGEON, END, REST, VILLAGE, Buy, Choice
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game, Normal
from thunderref.thunderstone.rules.hall import is_placeholder
from thunderref.thunderstone.rules.position import Foe, Position, replace, table_of
from thunderref.thunderstone.rules.variants import variant_of
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.simulate.run import MOST_GAMES
from thunderref.thunderstone.table.record import DEAL, Opening, source
from thunderref.thunderstone.table.runner import play_game
from thunderref.workers import PROCESSES, hire, number_of_workers

BOT = "lookahead"
"""Who plays on, on every seat: the strongest bot (``tests/bench/bots.py``)."""
PLANNED, MOST_PLANNED = 0.25, 4.0
"""The part of the time that battle and purchases may take before the games, and the most seconds."""
MOST_PURCHASES = 3
"""Purchases that are compared."""
DEALS, FIRST_LOOK = 5, 40
"""Deals for a worker at a time, and before the first look at who wins; the next is after half as many more."""
SURE, NEAR = 2.58, 0.02
"""A choice is left out once it is worse with 99 %, not 95 %: so often one looks. So far apart is about equal."""
Lines = tuple[tuple[Choice, ...], ...]
Stopped = Literal["clear", "equal", "games", "time"]


class FirstTurn(NamedTuple):
    """A way to begin: in words for a document, and the choices to make as soon as each is legal."""

    summary: dict[str, Any]
    line: tuple[Choice, ...]


class Deals(NamedTuple):
    """Deals from number ``first`` on, each played on after every line; what ``position`` hides, it has in any order."""

    position: Position
    terms: tuple[str, int, Normal, frozenset[str]]
    bot: str
    lines: Lines = ()
    first: int = 0
    size: int = DEALS


def advise(
    document: TurnDocument | Mapping[str, Any], lang: str | None = None, *, games: int, bot: str | None = None,
    words: Language | None = None, budget: Budget | None = None, workers: int | str = 1,
) -> TurnResult:  # fmt: skip
    """The answer of ``turn``, with the advice of up to ``games`` games for each choice; the first are always played.

    Raises what ``turn`` and a set-up's code do, and :class:`InputError` for games, workers or a bot that there are not.
    """
    if not 1 <= games <= MOST_GAMES:
        raise InputError("bad-games", games=games, most=MOST_GAMES)
    words, budget = words or Language(open_database(), lang), budget or Budget()
    question = read_document(TurnDocument, document)
    drawn = {"players": max(2, question.players), "seed": 0}
    setup = generate_setup(**{"code": question.code} if question.code else drawn, database=words.database)
    question = replace(question, players=setup.content.players) if question.code else question
    view = view_of(question, words)
    bot = bot or BOT
    size = FULL_DUNGEON if question.dungeon_size is None and not question.code else question.dungeon_size
    whole = with_dungeon(view, setup, size)
    question = replace(question, dungeon_size=len(whole.dungeon)) if question.code else question
    seconds = None if budget.seconds is None else min(MOST_PLANNED, budget.seconds * PLANNED)
    planned = turn(question, words=words, budget=Budget(seconds))
    turns = first_turns(view)
    shares, stopped = compare(whole, [first.line for first in turns], games, bot, budget, workers)
    languages = [words if words.lang == code else Language(words.database, code) for code in words.database.languages]
    choices = _weighed(turns, shares, languages)
    weighed = WeighedGames(bot=bot, games=sum(map(len, shares)), choices=choices, stopped=stopped)
    filled = {"dungeon": not question.code, "hall": whole.hall != view.hall, whole.game.variant.name: True}
    assumed = [*planned.basis.assumed, *(key for key, is_filled in filled.items() if is_filled and key != Normal.name)]
    best = choices[0]
    hands = average_hands(view, best.choice, [planned.dungeon] if planned.dungeon else [])
    because = {language.lang: _because(language, weighed, planned, hands) for language in languages}
    basis = replace(
        planned.basis, by="games", assumed=assumed, games=weighed, interval=best.interval, hand_now=hands[0],
        hand_then=hands[1], alike=[],
    )  # fmt: skip
    return replace(planned, advice=best.choice["turn"], because=because, basis=basis)


def with_dungeon(view: View, setup: Setup, size: int | None) -> View:
    """The view with what nobody has seen of the set-up's dungeon in its own (``size`` cards, None for all of them).

    Each empty rank gets a monster; a stone in the hall that is not of the set-up stands for those that are. What
    counts in the set-up's variant is at its beginning: nothing has escaped (R9.5), nothing waits (R9.6).
    """
    random, cards, dungeon = SplitMix64(0), view.cards, Counter[str]()
    for layer in setup.table.layers:
        dungeon.update([card for card, n in layer.cards for _ in range(n)] + [*layer.joined])
    owned = (*view.owned, *(card for other in view.others for card in other.cards))
    standing = [foe.card for foe in (*view.hall, *view.rank0) if foe.card]
    seen, stacks = Counter([*owned, *standing]), (stack for stack in setup.table.stacks if stack.kind == "horde")
    horde = tuple(card for stack in stacks for card, _ in stack.cards if not seen[card])
    unseen = sorted((dungeon - seen).elements())
    waiting, places = Counter(cards[card].family for card in horde), list[str]()
    for card in filter(lambda card: is_placeholder(cards[card]), unseen):
        waiting[cards[card].family] -= 1
        places += [card] if waiting[cards[card].family] < 0 else []  # its numbered card is out
    stones = [card for card in unseen if cards[card].kind == "thunderstone"]
    pool = [*(Counter(unseen) - Counter(places) - Counter(stones)).elements()]
    pool = random.sample(pool, len(pool))
    monsters = [card for card in pool if cards[card].kind == "monster" and not is_placeholder(cards[card])]
    hall = [foe if foe.card or not monsters else Foe(monsters.pop()) for foe in view.hall]
    pool = [*(Counter(pool) - (Counter(foe.card for foe in hall) - Counter(standing))).elements()]
    stones = [] if any(cards[card].kind == "thunderstone" and card not in dungeon for card in standing) else stones
    pool = pool if size is None else random.sample(pool, min(len(pool), max(0, size - len(stones))))
    deal = sample_deal(view, random)
    table = replace(table_of(deal), horde=horde)
    deal = replace(deal, hall=tuple(hall), dungeon=(*pool, *stones), table=table)
    variant = variant_of(setup.content.variant, setup.content.level or "")
    return View(view.game.changed(variant=variant), deal, partial(SplitMix64, 0))


PILE = 10
"""Cards among which a Thunderstone, or a guardian, is shuffled (R1.4)."""
DEEP = ("thunderstone", "guardian")
"""What has a pile of its own in the dungeon deck, the lowest first."""


def sample_deal(view: View, random: SplitMix64) -> Position:
    """The position with everything drawn that the player does not see: decks, the hands of others, the dungeon.

    It depends on the view and ``random`` alone. Every order is equally likely, but a Thunderstone or a guardian lies
    only where it may be by now. Which monsters went under the dungeon deck, and which cards of others lie on a discard
    pile, is not remembered: they may be anywhere among theirs.
    """
    position, table = view.position, view.table
    seats, deck = [*table.seats], _shuffled(view.deck, random)
    if view.seat != table.active:  # an effect of the active player asks
        seats[view.seat] = replace(seats[view.seat], hand=view.hand, deck=deck, discard=view.discard)
    for other in view.others:
        if other.seat == table.active:
            open_cards = seat_of(replace(position, table=table), other.seat).cards
            deck = _shuffled([*(Counter(other.cards) - Counter(open_cards)).elements()], random)
            continue
        cards = random.sample(other.cards, len(other.cards))
        for owner, card in (*table.shown, *[entry[1:] for entry in table.hunted]):
            if owner == other.seat:  # it lies on the discard pile
                cards.remove(card)
                cards.append(card)
        in_hand, deck_end = other.hand_size, other.hand_size + other.deck_size
        piles = tuple(cards[:in_hand]), tuple(cards[in_hand:deck_end]), tuple(cards[deck_end:])
        seats[other.seat] = replace(seats[other.seat], hand=piles[0], deck=piles[1], discard=piles[2])
    table = replace(table, seats=tuple(seats))
    return replace(position, deck=deck, dungeon=_dungeon(view, random), stacks=view.stacks, table=table)


def _shuffled(cards: Sequence[str], random: SplitMix64) -> tuple[str, ...]:
    return tuple(random.sample(cards, len(cards)))


def _dungeon(view: View, random: SplitMix64) -> tuple[str, ...]:
    """The dungeon deck: below are the cards that went under it, on these the piles (R1.4), on these the rest."""
    cards, deep, ordinary = view.cards, list[str](), list[str]()
    for card in view.dungeon:
        (deep if card in cards and cards[card].kind in DEEP else ordinary).append(card)
    deep = sorted(random.sample(deep, len(deep)), key=lambda card: DEEP.index(cards[card].kind))
    upwards, low = random.sample(ordinary, len(ordinary)), view.table.under
    for card in deep:
        low = min(low, len(upwards))
        upwards.insert(low + random.below(min(PILE, len(upwards) - low) + 1), card)
        low += PILE + 1
    return tuple(upwards[::-1])


def first_turns(view: View) -> list[FirstTurn]:
    """Return the choices worth trying: the best battle, the best purchases, resting."""
    valuation, verdicts = lookahead.value(view), weigh_turn(view)
    battle, turns = BattleChoice(valuation, view.position).best(NEVER), list[FirstTurn]()
    if battle is not None:
        turns.append(
            FirstTurn({"turn": "dungeon", "monster": battle.card, "rank": battle.rank}, (DUNGEON, *battle.line))
        )
    elif "dungeon" in verdicts:  # to lose it
        turns.append(FirstTurn({"turn": "dungeon"}, (DUNGEON,)))
    shopping = Shopping(valuation)
    buys = {choice.card: choice for choice in shopping.offers() if isinstance(choice, Buy)}
    dearest = sorted(buys, key=lambda card: -valuation.worth(card))[:MOST_PURCHASES]
    visits = [shopping.plan(buys[card]) for card in dearest] or [shopping.plan()]
    kept: list[Bargain] = [choice for choice in visits[0] if isinstance(choice, Buy)]
    visits += [kept] if buys and kept != visits[0] else []  # is the XP better kept?
    turns += [FirstTurn(visit_choice(shopping, visit), (VILLAGE, *visit, END)) for visit in visits if visit]
    if resting := verdicts.get("rest"):
        turns.append(FirstTurn(choice_of(view, resting), (REST,)))
    return turns or [FirstTurn({"turn": "village"}, (VILLAGE,))]


def deals_of(view: View, bot: str) -> Deals:
    """The turn that the player of the view begins, as it is handed to workers."""
    position, game = sample_deal(view, SplitMix64(0)), view.game
    table = replace(table_of(position), turn=1 + view.seat)  # a game that is played on counts its rounds anew
    return Deals(replace(position, table=table), (game.ruleset, game.players, game.variant, game.readings), bot)


def compare(
    view: View, lines: Sequence[tuple[Choice, ...]], games: int, bot: str, budget: Budget, workers: int | str
) -> tuple[list[list[float]], Stopped]:
    """Return the player's share of each game after each line, fewer games after those that are surely worse."""
    find_bot(bot)
    task, goes_on = deals_of(view, bot), budget.searching(message="simulate.progress", most=games * len(lines))
    shares: list[list[float]] = [[] for _ in lines]
    candidates, played, goal = [*range(len(lines))], 0, min(FIRST_LOOK, games)
    try:
        with hire(PROCESSES, number_of_workers(workers)) as crew:
            while True:
                task = task._replace(lines=tuple(lines[n] for n in candidates))
                chunks = (task._replace(first=n, size=min(DEALS, goal - n)) for n in range(played, goal, DEALS))
                for rows in crew.in_order(play_deals, chunks):
                    for n, won in zip(candidates, zip(*rows, strict=True), strict=True):
                        shares[n] += won
                    played += len(rows)
                    if not goes_on(sum(map(len, shares))):
                        return shares, "time"
                best = max(candidates, key=lambda n: mean(shares[n]))
                candidates = [n for n in candidates if n == best or behind(shares[best], shares[n], SURE)[1] >= 0]
                apart = [behind(shares[best], shares[n]) for n in candidates if n != best]
                if not apart:
                    return shares, "clear"
                if all(low >= -NEAR and high <= NEAR for low, high in apart):
                    return shares, "equal"
                if played == games:
                    return shares, "games"
                goal = min(goal + goal // 2, games)
    except KeyboardInterrupt:
        if not played:
            raise
        return shares, "time"


def behind(best: Sequence[float], other: Sequence[float], z: float = Z) -> tuple[float, float]:
    """The interval of what the other wins more than the best, of games with the same deals (so less, mostly).

    One more game is added for each: a few games that end alike do not prove that all do.
    """
    interval = mean_interval([*(b - a for a, b in zip(best, other, strict=False)), 1.0, -1.0], z)
    assert interval is not None
    return interval


class _Begins:
    """A bot that begins with a line; what the line leaves open of that turn ``lookahead`` decides."""

    def __init__(self, line: tuple[Choice, ...], turn: int, bot: Bot) -> None:
        self.line, self.turn, self.bot = line, turn, bot

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        if view.turn != self.turn:
            return self.bot(view, choices)
        for place, choice in enumerate(self.line):
            if choice in choices:
                self.line = self.line[place + 1 :]
                return choice
        return lookahead(view, choices)


def play_deals(task: Deals) -> list[list[float]]:
    """Return the player's share of each deal after each line; a game called off is shared equally, alone it is lost."""
    game = Game(load_cards(open_database(), task.terms[-1]), *task.terms)
    view, bot, rows = View(game, task.position, partial(SplitMix64, 0)), find_bot(task.bot), list[list[float]]()
    for number in range(task.first, task.first + task.size):
        opening, row = Opening(game, sample_deal(view, source(0, DEAL, number))), list[float]()
        for line in task.lines:
            bots = [bot] * (len(view.others) + 1)
            bots[view.seat] = _Begins(line, view.turn, bot)
            played = play_game(opening, bots, number)
            even = 1 / len(bots) if view.others else 0.0
            row.append(even if played.called_off else played.seats[view.seat].share)
        rows.append(row)
    return rows


def _weighed(
    turns: Sequence[FirstTurn], shares: Sequence[list[float]], words: Sequence[Language]
) -> list[WeighedChoice]:
    order = sorted(range(len(turns)), key=lambda n: (-len(shares[n]), -mean(shares[n])))
    first, weighed = shares[order[0]], list[WeighedChoice]()
    for n in order:
        summary, mine, is_best = turns[n].summary, shares[n], n == order[0]
        apart = mean([b - a for a, b in zip(first, mine, strict=False)])
        weighed.append(
            WeighedChoice(
                choice=summary, games=len(mine),
                text={language.lang: choice_text(language, summary) for language in words},
                win_rate=round_off(mean(mine)), interval=(*map(round_off, wilson(mean(mine), len(mine))),),
                difference=None if is_best else round_off(apart),
                difference_interval=None if is_best else (*map(round_off, behind(first, mine)),),
            )
        )  # fmt: skip
    return weighed


def _because(words: Language, trial: WeighedGames, planned: TurnResult, hands: tuple[HandAverage, HandAverage]) -> str:
    """The advice with its chance, that of the next best, what hands gain, and the bot's own advice if it differs."""
    texts = [choice.text[words.lang] for choice in trial.choices[:2]]
    percent, *second = [round(100 * choice.win_rate) for choice in trial.choices[:2]]
    params = {"choice": texts[0][:1].upper() + texts[0][1:], "percent": percent, "n": trial.games, "bot": trial.bot}
    key = "only" if not second else trial.stopped if trial.stopped in ("clear", "equal") else "unclear"
    sentences = [words.say(f"turn.games.{key}", other=texts[-1], second=second[0] if second else None, **params)]
    sentences.append(change_of_hands(words, *hands))
    if trial.choices[0].choice["turn"] not in (planned.advice, *planned.basis.alike):
        sentences.append(words.say("turn.games.differs", advice=words.say(f"turn.advice.{planned.advice}")))
    return " ".join(filter(None, sentences))
