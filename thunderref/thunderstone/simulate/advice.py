"""``turn --games``: the ways to begin a turn, each played on to the end of many games, and which of them wins most.

Game number n of every choice is played from the same deal and with the same seed, so that what is compared is not
luck; who works, and when, changes nothing but where the time cuts it off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, cast

from thunderref.budget import Budget
from thunderref.database.read import Language, open_database
from thunderref.errors import InputError
from thunderref.rng import SplitMix64
from thunderref.statistics import Z, mean, mean_interval, round_off, wilson
from thunderref.thunderstone.bots.battle_choice import BattleChoice
from thunderref.thunderstone.bots.bot import Bot
from thunderref.thunderstone.bots.deals import sample_deal
from thunderref.thunderstone.bots.planner import NEVER, Shopping, planner
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.bots.turn import turn, view_of, weigh_turn
from thunderref.thunderstone.bots.valuation import Valuation
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.resolve.documents import TurnDocument, read_document
from thunderref.thunderstone.resolve.report import fields_of
from thunderref.thunderstone.resolve.result import TurnResult, WeighedChoice, WeighedGames
from thunderref.thunderstone.resolve.start import DUNGEON_KINDS, STONE, Finder, cards_of
from thunderref.thunderstone.rules.cards import CardSpec, load_cards
from thunderref.thunderstone.rules.choices import DUNGEON, END, REST, VILLAGE, Buy, Choice, LevelUp
from thunderref.thunderstone.rules.game import Game, Normal
from thunderref.thunderstone.rules.hall import is_placeholder
from thunderref.thunderstone.rules.position import UNKNOWN, Foe, Position, replace, table_of
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.simulate.run import MOST_GAMES
from thunderref.thunderstone.table.record import DEAL, Opening, source
from thunderref.thunderstone.table.runner import play_game
from thunderref.workers import PROCESSES, hire, number_of_workers

BOT = "greedy"
"""Who plays on, on every seat."""
PLANNED, MOST_PLANNED = 0.25, 4.0
"""The part of the time that battle and purchases may take before the games, and the most seconds."""
CARDS = 3
"""Purchases that are compared."""
CHUNK = 5
"""Deals that a worker is given at a time."""
FIRST_LOOK = 40
"""Deals after which the choices are compared for the first time; each time after half as many more."""
SURE = 2.58
"""A choice gets no more games when it is worse with 99 %, not 95 %: so often one may look."""
NEAR = 0.02
"""Chances to win that are no farther apart are about equal."""


Stopped = Literal["clear", "equal", "games", "time"]


class FirstTurn(NamedTuple):
    """A way to begin: what it is, and the choices to be made as soon as each is legal; the planner makes the others."""

    told: dict[str, Any]
    line: tuple[Choice, ...]


class Compared(NamedTuple):
    """Ways to begin, what the player won of each game after them (those begun worse have fewer), and why it ended."""

    turns: list[FirstTurn]
    shares: list[list[float]]
    stopped: Stopped


class Deals(NamedTuple):
    """``size`` deals from number ``first`` on, each to be played on after every one of the ``lines``.

    ``position`` is as the player sees it, with what is hidden in any order. A dungeon that nobody knows is that of the
    set-up ``code``, without it of one drawn for each deal; of either ``top`` lies on top.
    """

    position: Position
    terms: tuple[str, int, Normal, frozenset[str]]
    bot: str
    lines: tuple[tuple[Choice, ...], ...]
    code: str | None
    top: tuple[str, ...]
    first: int = 0
    size: int = CHUNK


def advise(
    document: TurnDocument | Mapping[str, Any],
    lang: str | None = None,
    *,
    games: int,
    bot: str = BOT,
    words: Language | None = None,
    budget: Budget | None = None,
    workers: int | str = 1,
) -> TurnResult:
    """What :func:`turn` says, with the advice of up to ``games`` games for each choice.

    Raises what ``turn`` and a set-up's code do, and :class:`InputError` for a number of games or workers, or a bot,
    that there is not.
    """
    if not 1 <= games <= MOST_GAMES:
        raise InputError("bad-games", games=games, most=MOST_GAMES)
    words, budget = words or Language(open_database(), lang or "en"), budget or Budget()
    asked = read_document(TurnDocument, document)
    view, find = view_of(asked, words), Finder(words.database, words.lang)
    top = tuple(cards_of(asked.dungeon or [], find, DUNGEON_KINDS))
    gaps = sum(not foe.card for foe in view.hall)
    if asked.code is not None and asked.dungeon_size is None:
        unseen, _ = _unseen(view, generate_setup(code=asked.code, database=words.database), top)
        asked = replace(asked, dungeon_size=max(0, len(unseen) + len(top) - gaps))
        view = view_of(asked, words)
    seconds = None if budget.seconds is None else min(MOST_PLANNED, budget.seconds * PLANNED)
    planned = turn(asked, words=words, budget=Budget(seconds))
    compared = compare(view, games, bot, budget, workers, asked.code, top)
    languages = [words if words.lang == code else Language(words.database, code) for code in words.database.languages]
    found = _weighed(compared, bot, languages)
    assumed = [*planned.basis.assumed, *(["dungeon"] if asked.code is None else []), *(["hall"] if gaps else [])]
    best = found.choices[0]
    return replace(
        planned,
        advice=best.choice["turn"],
        because={each.lang: _because(each, found) for each in languages},
        basis=replace(planned.basis, by="games", assumed=assumed, games=found, interval=best.interval),
    )


def first_turns(view: View) -> list[FirstTurn]:
    """What is worth trying: the best battle, the best purchases, resting."""
    valuation, verdicts = Valuation(view), weigh_turn(view)
    battle, found = BattleChoice(valuation, view.position).best(NEVER), list[FirstTurn]()
    if battle is not None:
        monster = {"turn": "dungeon", "monster": battle.card, "rank": battle.rank}
        found.append(FirstTurn(monster, (DUNGEON, *battle.line)))
    elif "dungeon" in verdicts:  # to lose it
        found.append(FirstTurn({"turn": "dungeon"}, (DUNGEON,)))
    offers, reason = Shopping(valuation).offers(), verdicts["village"].reason
    buys = sorted(
        (each for each in offers if isinstance(each, Buy)), key=lambda each: valuation.worth(each.card), reverse=True
    )
    params = dict(reason.params) if reason is not None else {}
    level = [each for each in offers if isinstance(each, LevelUp) and each.hero[0] == params.get("hero_card")]
    level = [each for each in level if each.to == params["to_card"]][:1]
    rise = {"level_up": level[0].hero[0], "to": level[0].to} if level else {}
    for buy in buys[:CARDS]:
        found.append(FirstTurn({"turn": "village", "buy": buy.card} | rise, (VILLAGE, buy, *level)))
    if level:
        begun, line = ({"buy": buys[0].card}, (buys[0], END)) if buys else (rise, level)
        found.append(FirstTurn({"turn": "village"} | begun, (VILLAGE, *line)))
    if rest := verdicts.get("rest"):
        lost = dict(rest.reason.params)["lost_card"] if rest.reason and rest.value > 0 else None
        found.append(FirstTurn({"turn": "rest", "destroy": lost}, (REST,)))
    return found or [FirstTurn({"turn": "village"}, (VILLAGE,))]


def compare(
    view: View, games: int, bot: str, budget: Budget, workers: int | str, code: str | None = None,
    top: tuple[str, ...] = (),
) -> Compared:  # fmt: skip
    """Plays up to ``games`` games for each way to begin the turn that the player of the view begins.

    The first deals are always played. Raises :class:`InputError` for a bot or workers that there are not.
    """
    find_bot(bot)
    position, game, turns = sample_deal(view, SplitMix64(0)), view.game, first_turns(view)
    table = replace(table_of(position), turn=1 + view.seat)  # a game that is played on counts its rounds anew
    terms = game.ruleset, game.players, game.variant, game.readings
    task = Deals(replace(position, table=table), terms, bot, (), code, top)
    shares: list[list[float]] = [[] for _ in turns]
    left, played, goal, stopped = [*range(len(turns))], 0, FIRST_LOOK, cast("Stopped", "")
    goes_on = budget.searching(message="simulate.progress", most=games * len(turns))
    try:
        with hire(PROCESSES, number_of_workers(workers)) as crew:
            while not stopped:
                task, until = task._replace(lines=tuple(turns[n].line for n in left)), min(goal, games)
                chunks = (task._replace(first=n, size=min(CHUNK, until - n)) for n in range(played, until, CHUNK))
                for rows in crew.in_order(play_deals, chunks):
                    for row in rows:
                        for n, share in zip(left, row, strict=True):
                            shares[n].append(share)
                    played += len(rows)
                    if not goes_on(sum(map(len, shares))):
                        stopped = "time"
                        break
                else:
                    left = _not_worse(shares, left)
                    stopped = "clear" if len(left) == 1 else "equal" if _near(shares, left) else ""
                    stopped = stopped or ("games" if played == games else "")
                    goal += goal // 2
    except KeyboardInterrupt:
        if not played:
            raise
        stopped = "time"
    return Compared(turns, shares, stopped)


def _best(shares: Sequence[Sequence[float]], left: Sequence[int]) -> int:
    return max(left, key=lambda n: mean(shares[n]))


def _behind(best: Sequence[float], other: Sequence[float], z: float = Z) -> tuple[float, float]:
    """The interval of how much less the other wins than the best, deal by deal.

    One more deal is added for each, or few deals with the same end would prove that there is no other.
    """
    found = mean_interval([*(b - a for a, b in zip(best, other, strict=False)), 1.0, -1.0], z)
    assert found is not None
    return found


def _not_worse(shares: Sequence[Sequence[float]], left: Sequence[int]) -> list[int]:
    best = _best(shares, left)
    return [n for n in left if n == best or _behind(shares[best], shares[n], SURE)[1] >= 0]


def _near(shares: Sequence[Sequence[float]], left: Sequence[int]) -> bool:
    best = _best(shares, left)
    apart = (_behind(shares[best], shares[n]) for n in left if n != best)
    return all(low >= -NEAR and high <= NEAR for low, high in apart)


class _Begins:
    """A bot that begins with a line."""

    def __init__(self, line: tuple[Choice, ...], turn: int, bot: Bot) -> None:
        self.line, self.turn, self.bot = line, turn, bot

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        if view.turn != self.turn:
            return self.bot(view, choices)
        for place, choice in enumerate(self.line):
            if choice in choices:
                self.line = self.line[place + 1 :]
                return choice
        return planner(view, choices)


def play_deals(task: Deals) -> list[list[float]]:
    """What the player wins of each deal after each line; an equal part of a game that is called off."""
    game = Game(load_cards(open_database(), task.terms[-1]), *task.terms)
    view, bot, found = View(game, task.position, partial(SplitMix64, 0)), find_bot(task.bot), list[list[float]]()
    players = len(view.others) + 1
    for number in range(task.first, task.first + task.size):
        opening, row = Opening(game, _dealt(task, view, number)), list[float]()
        for line in task.lines:
            bots = [bot] * players
            bots[view.seat] = _Begins(line, view.turn, bot)
            played = play_game(opening, bots, number)
            row.append(1 / players if played.called_off else played.seats[view.seat].share)
        found.append(row)
    return found


def _dealt(task: Deals, view: View, number: int) -> Position:
    """Deal of that number, with unknown cards of dungeon and hall drawn."""
    random = source(0, DEAL, number)
    if UNKNOWN not in view.dungeon:
        return sample_deal(view, random)
    named = {"code": task.code} if task.code else {"players": max(2, len(view.others) + 1), "seed": number}
    unseen, horde = _unseen(view, generate_setup(**named, database=open_database()), task.top)
    deep = [card for card in unseen if view.cards[card].kind == STONE]
    rest = [card for card in unseen if view.cards[card].kind != STONE]
    if not task.code and STONE in [view.cards[foe.card].kind for foe in view.hall if foe.card]:
        deep = []
    gaps = sum(not foe.card for foe in view.hall)
    size = len(view.dungeon) + gaps - len(task.top) - len(deep)
    known = replace(task.position, dungeon=(*deep, *random.sample(rest, max(0, min(size, len(rest))))))
    known = replace(known, table=replace(table_of(known), horde=horde))
    deal = sample_deal(View(view.game, known, partial(SplitMix64, 0)), random)
    hall, dungeon = list(deal.hall), list(deal.dungeon)
    for rank, foe in enumerate(hall):
        if not foe.card and (cards := [card for card in dungeon if _enters(view.cards[card])]):
            hall[rank] = Foe(cards[0])
            dungeon.remove(cards[0])
    return replace(deal, hall=tuple(hall), dungeon=(*task.top, *dungeon))


def _enters(spec: CardSpec) -> bool:
    return spec.kind == "monster" and not is_placeholder(spec)


def _unseen(view: View, setup: Setup, top: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The cards of the set-up's dungeon that nobody has seen, and the Horde cards to come (R1.3)."""
    owned = (card for other in view.others for card in other.cards)
    seen = Counter([*top, *(foe.card for foe in (*view.hall, *view.rank0)), *view.owned, *owned])
    cards = Counter[str]()
    for layer in setup.table.layers:
        cards.update(dict(layer.cards))
        cards.update(layer.joined)
    every = [card for stack in setup.table.stacks if stack.kind == "horde" for card, _ in stack.cards]
    horde, left = tuple(card for card in every if not seen[card]), sorted((cards - seen).elements())
    places = [card for card in left if is_placeholder(view.cards[card])]
    return [*(card for card in left if card not in places), *places[: len(horde)]], horde


def _weighed(compared: Compared, bot: str, languages: Sequence[Language]) -> WeighedGames:
    shares = compared.shares
    order = sorted(range(len(shares)), key=lambda n: (-len(shares[n]), -mean(shares[n])))
    choices = [_choice(compared, n, order[0], languages) for n in order]
    choices = [choices[0], *sorted(choices[1:], key=lambda choice: -choice.win_rate)]
    return WeighedGames(bot=bot, games=sum(map(len, shares)), choices=choices, stopped=compared.stopped)


def _choice(compared: Compared, number: int, best: int, languages: Sequence[Language]) -> WeighedChoice:
    told, mine = compared.turns[number].told, compared.shares[number]
    found = WeighedChoice(
        choice=told, text={words.lang: _text(words, told) for words in languages}, games=len(mine),
        win_rate=round_off(mean(mine)), interval=_rounded(wilson(mean(mine), len(mine))),
    )  # fmt: skip
    if number == best:
        return found
    theirs = compared.shares[best]
    apart = round_off(mean([b - a for a, b in zip(theirs, mine, strict=False)]))
    return replace(found, difference=apart, difference_interval=_rounded(_behind(theirs, mine)))


def _rounded(interval: tuple[float, float]) -> tuple[float, float]:
    return round_off(interval[0]), round_off(interval[1])


def _text(words: Language, told: Mapping[str, Any]) -> str:
    """The choice in a few words, as an order."""
    names = {"monster": "foe_card", "buy": "buy_card", "level_up": "hero_card", "to": "to_card", "destroy": "lost_card"}
    done = [key for key in ("monster", "buy", "level_up", "destroy") if told.get(key)]
    params = [(names.get(key, key), value) for key, value in told.items() if value is not None]
    return words.say(f"turn.choice.{'-'.join(done) or told['turn']}", **fields_of(params, words))


def _because(words: Language, found: WeighedGames) -> str:
    """The advice in a sentence, with the chance of it and of the next best."""
    best, *others = found.choices
    text = best.text[words.lang]
    said = {
        "choice": text[:1].upper() + text[1:],
        "percent": round(100 * best.win_rate),
        "n": found.games,
        "bot": found.bot,
    }
    if not others:
        return words.say("turn.games.only", **said)
    said |= {"other": others[0].text[words.lang], "second": round(100 * others[0].win_rate)}
    return words.say(f"turn.games.{'unclear' if found.stopped in ('games', 'time') else found.stopped}", **said)
