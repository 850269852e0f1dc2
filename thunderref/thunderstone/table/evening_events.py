"""What is done at the table, judged by the engine, as events of an evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from thunderref.budget import Budget
from thunderref.database.card_records import RANKS
from thunderref.database.read import Language
from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import Resolution, TargetResult
from thunderref.thunderstone.resolve.start import Finder, cards_of
from thunderref.thunderstone.resolve.visit import visit
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.position import tops
from thunderref.thunderstone.rules.scoring import holdings, points
from thunderref.thunderstone.setup.catalogue import DECK
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.evening import OWNED, Evening, EveningEvent, EveningPlayer, fill
from thunderref.thunderstone.table.record import people, read_players

SOLD = ("basic", "hero", "village")
BOUGHT = frozenset(SOLD)
MET = frozenset(("monster", "thunderstone", "guardian", "trap"))


def seats(names: str | None, words: Language) -> tuple[str, ...] | None:
    """The names of the players, or of so many; None if nobody says. Raises the errors of :func:`read_players`."""
    found = read_players(names, words)
    return None if found is None else tuple(seat.name for seat in found)


def start(made: Setup, names: Sequence[str] | None, words: Language) -> EveningEvent:
    """The beginning of an evening with this set-up; raises :class:`InputError` for too many or too few players."""
    wanted, later = made.content.players, made.content.later
    called = tuple(names or [seat.name for seat in people(wanted, words)])
    if len(called) != wanted:
        raise InputError("play-number", players=wanted, n=len(called))
    decks = [dict(DECK)] * wanted
    if later is not None:
        decks[later.winner - 1] = dict(next(deck.cards for deck in made.table.decks if deck.who == "winner"))
    stacks = {card: n for stack in made.table.stacks if stack.kind in SOLD for card, n in stack.cards}
    return EveningEvent(do="start", code=made.code, players=called, decks=tuple(decks), stacks=stacks)


def hall(words: Language, ranks: Sequence[str | None]) -> EveningEvent:
    """What lies in the hall, rank 1 first; None is a rank without a card, or with one that nobody has named."""
    find = Finder(words.database, words.lang)
    found = tuple(find(card, MET) if card and card.strip("-–—") else None for card in ranks)
    if len(found) > RANKS:
        raise InputError("evening-ranks", n=len(found))
    return EveningEvent(do="hall", hall=found)


def battle(
    now: Evening, words: Language, document: Mapping[str, Any], *, player: str | None = None, lost: bool = False,
    ends: bool = False, budget: Budget | None = None,
) -> EveningEvent:  # fmt: skip
    """A battle of a scenario, which lacks what the evening knows: its plan, or the best line.

    With ``lost`` the battle was lost: the best line if that loses, else an attack without any preparation. Raises the
    errors of :func:`resolve`, and :class:`NoAnswerError` (``evening-barred``, ``evening-wins``) for a battle that
    cannot be fought, or by the rules is won.
    """
    asked = dict(document)
    fill(now, None, words, asked, ("hall", "rank0", "players", "xp"), player)
    if asked.get("hall") is None:
        raise InputError("empty-hall")
    found = resolve(asked, words=words, gaps=True, budget=budget)
    target = _fought(found, asked)
    if lost and target.outcome == "victory":
        plain = asked | {"plan": [{"attack": target.rank}]}
        target = _fought(resolve(plain, words=words, gaps=True, budget=budget), plain)
        if target.outcome == "victory":
            raise NoAnswerError("evening-wins", monster=words.card(target.monster), total=target.total)
    find = Finder(words.database, words.lang)
    return EveningEvent(
        do="battle", player=now.player(player).name, hand=tuple(cards_of(asked["hand"], find, OWNED)),
        rank=target.rank, monster=target.monster, won=target.outcome == "victory", total=target.total,
        health=target.health, line=target.line, hall=tuple(target.hall_after), rank0=tuple(target.rank0_after),
        gained=tuple(target.gained), destroyed=tuple(target.destroyed_own), xp=target.xp,
        ends=ends,
    )  # fmt: skip


def _fought(found: Resolution, asked: Mapping[str, Any]) -> TargetResult:
    rank = asked.get("target") or found.best
    target = next((each for each in found.targets if each.rank == rank), None)
    if target is None or target.outcome == "barred":
        raise NoAnswerError("evening-barred", rank=rank or 1)
    return target


def purchase(now: Evening, words: Language, entries: Sequence[str], player: str | None = None) -> EveningEvent:
    """Cards bought, each from the top of its stack (R3.3); raises :class:`NoAnswerError` (``evening-sold-out``)."""
    cards, left = load_cards(words.database), Counter(now.stacks)
    bought = cards_of(list(entries), Finder(words.database, words.lang), BOUGHT)
    for card in bought:
        if card not in tops(cards, tuple(left.items())):
            raise NoAnswerError("evening-sold-out", card=words.card(card))
        left[card] -= 1
    return EveningEvent(do="visit", player=now.player(player).name, gained=tuple(bought))


def village(
    now: Evening, words: Language, document: Mapping[str, Any], *, ends: bool = False, budget: Budget | None = None
) -> EveningEvent:
    """A visit to the village of whose turn it is, with its plan; raises the errors of :func:`visit`."""
    asked = dict(document)
    fill(now, None, words, asked, ("stacks", "players", "xp"))
    found = visit(asked, words=words, budget=budget)
    hand = (*cards_of(asked["hand"], Finder(words.database, words.lang), OWNED), *found.drawn)
    return EveningEvent(
        do="visit", player=now.active.name, hand=hand, line=found.line, gained=tuple(found.gained),
        destroyed=tuple(found.destroyed), xp=found.xp_left - asked["xp"], ends=ends,
    )  # fmt: skip


def level_up(now: Evening, words: Language, hero: str, to: str | None, player: str | None = None) -> EveningEvent:
    """A hero of the player's who rises (R3.5); raises :class:`NoAnswerError` (``evening-level``) saying what may be."""
    who, find = now.player(player), Finder(words.database, words.lang)
    card = _owned(who, words, hero)
    wanted = to and find(to, frozenset(("hero",)))
    asked: dict[str, Any] = {"hand": [card]}
    fill(now, None, words, asked, ("stacks", "xp"), player)
    ways = visit(asked, words=words).level_ups
    open_to = [way for way in ways if way.available and way.hero == card and wanted in (None, way.to)]
    if len(open_to) != 1:
        many = {"why": "many", "candidates": [words.card(way.to) for way in open_to]} if open_to else {}
        raise NoAnswerError("evening-level", card=words.card(card), xp=who.xp, **many)
    way = open_to[0]
    return EveningEvent(do="level", player=who.name, gained=(way.to,), destroyed=(card,), xp=-way.cost)


def rest(
    now: Evening, words: Language, card: str | None, *, player: str | None = None, hand: Sequence[str] | None = None,
    ends: bool = False,
) -> EveningEvent:  # fmt: skip
    """A rest, which may destroy a card (R2.3)."""
    who = now.player(player)
    gone = (_owned(who, words, card),) if card else ()
    held = None if hand is None else tuple(cards_of(list(hand), Finder(words.database, words.lang), OWNED))
    return EveningEvent(do="rest", player=who.name, hand=held, destroyed=gone, ends=ends)


def correct(
    now: Evening, words: Language, *, xp: int | None = None, deck: Sequence[str] | None = None,
    stacks: Sequence[str] | None = None, player: str | None = None,
) -> EveningEvent:  # fmt: skip
    """What is so, whatever the events say: a player's XP, all cards of their deck, how many of a card are for sale."""
    who, more, less = now.player(player), Counter[str](), Counter[str]()
    if deck is not None:
        told = Counter(cards_of(list(deck), Finder(words.database, words.lang), OWNED))
        more, less = told - who.deck, who.deck - told
    change = 0 if xp is None else xp - who.xp
    gained, destroyed = tuple(more.elements()), tuple(less.elements())
    left = dict(Counter(cards_of(list(stacks or ()), Finder(words.database, words.lang), BOUGHT)))
    return EveningEvent(do="correct", player=who.name, xp=change, gained=gained, destroyed=destroyed, stacks=left)


def _owned(player: EveningPlayer, words: Language, name: str) -> str:
    card = Finder(words.database, words.lang)(name, OWNED)
    if not player.deck[card]:
        raise NoAnswerError("evening-not-owned", card=words.card(card), name=player.name)
    return card


def vp_of(player: EveningPlayer, words: Language) -> int:
    return points(holdings(load_cards(words.database), player.deck.elements()))


def document(now: Evening, words: Language) -> dict[str, Any]:
    """The evening as ``thunderref evening --json`` prints it."""

    def counted(cards: Mapping[str, int]) -> list[dict[str, Any]]:
        return [{"id": card, "count": n} for card, n in sorted(cards.items()) if n > 0]

    players = [
        {"name": each.name, "xp": each.xp, "vp": vp_of(each, words), "deck": counted(each.deck)} for each in now.players
    ]
    return {
        "code": now.code, "players": players, "active": now.active.name, "turn": now.turn, "hall": [*now.hall],
        "rank0": [*now.rank0], "stacks": counted(now.stacks), "events": len(now.events), "over": now.over,
    }  # fmt: skip
