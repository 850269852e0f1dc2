"""What is done at the table, judged by the engine, as events of an evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from thunderref.budget import Budget
from thunderref.database.card_records import RANKS, STACKED
from thunderref.database.operations import OthersHealthier, RazeHeroStacks, Toll
from thunderref.database.read import Language
from thunderref.database.validation import Record
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.counts import MOST_CARDS, read_count
from thunderref.thunderstone.resolve.documents import Scenario, VisitDocument
from thunderref.thunderstone.resolve.final_score import final_score
from thunderref.thunderstone.resolve.judge import Replayed, replay_turn, resolve
from thunderref.thunderstone.resolve.result import Resolution, ScoreResult, TargetResult
from thunderref.thunderstone.resolve.start import Finder
from thunderref.thunderstone.resolve.visit import in_order, visit
from thunderref.thunderstone.rules.cards import Cards, all_cards
from thunderref.thunderstone.rules.end_of_turn import HAND
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import take_out, turn_up
from thunderref.thunderstone.rules.legal import advance
from thunderref.thunderstone.rules.position import BEFORE, EMPTY, UNKNOWN, Foe, Position, Seat, Table, replace, tops
from thunderref.thunderstone.rules.scoring import holdings, points
from thunderref.thunderstone.setup.catalogue import DECK
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.table.evening import ACTIONS, OWNED, Evening, EveningEvent, EveningPlayer, fill, find_cards
from thunderref.thunderstone.table.record import people, read_players

MET = frozenset(("monster", "thunderstone", "guardian"))
DASHES = "-–—"
CERTAIN = (OthersHealthier, RazeHeroStacks, Toll)
"""Breaches that do the same whatever cards decks and hands have."""
SECONDS = 2.0
"""Budget of the search for the most that a deck can buy, chosen; what is not found by then is not refused."""


def seats(names: str | None, words: Language) -> tuple[str, ...] | None:
    """The names of the players, or usual ones for a number of them; raises the errors of :func:`read_players`."""
    players = read_players(names, words)
    return None if players is None else tuple(player.name for player in players)


def start(
    setup: Setup, names: Sequence[str] | None, words: Language, owned: Mapping[str, Sequence[str]] | None = None
) -> EveningEvent:
    """The beginning of an evening with this set-up; ``owned`` are whole decks of players who have bought already.

    Raises :class:`InputError` for too many or too few players, and for a deck of nobody (``evening-player``).
    """
    number, later = setup.content.players, setup.content.later
    called = tuple(names or [player.name for player in people(number, words)])
    if len(called) != number:
        raise InputError("play-number", players=number, n=len(called))
    decks = [dict(DECK)] * number
    if later is not None:
        decks[later.winner - 1] = dict(next(deck.cards for deck in setup.table.decks if deck.who == "winner"))
    stacks = {card: n for stack in setup.table.stacks if stack.kind in STACKED for card, n in stack.cards}
    places = {name.casefold(): place for place, name in enumerate(called)}
    for name, entries in (owned or {}).items():
        if name.casefold() not in places:
            raise InputError("evening-player", name=name[:40], candidates=called)
        place, deck = places[name.casefold()], Counter(find_cards(words, entries))
        for card, n in (deck - Counter(decks[place])).items():
            if card in stacks:
                stacks[card] = max(0, stacks[card] - n)
        decks[place] = dict(deck)
    variant = setup.content.variant if setup.content.variant in ("epic", "solo", "marauding") else ""
    return EveningEvent(
        do="start", code=setup.code, players=called, decks=tuple(decks), stacks=stacks, variant=variant,
        level=setup.content.level or "", hall=("",) * RANKS if variant == "solo" else None,
    )  # fmt: skip


def hall(now: Evening, words: Language, ranks: Sequence[str | None]) -> EveningEvent:
    """The hall as it is, rank 1 first; None is a rank with a card that nobody has named, "-" an empty one.

    One card alone is the newest: it takes the last rank that has no name yet, and the others stay. A Thunderstone in
    rank 1 ends the game (R7.1), a guardian there moves to rank 0 (R6.7). Raises :class:`InputError`
    (``evening-ranks``, ``evening-hall-full``).
    """
    foes = _placed(now, words, _named_foes(words, ranks))
    require_dealt(now, words, [card for card in foes if card])
    cards, rank0, front = all_cards(words.database), None, foes[0] if foes else None
    kind = cards[front].kind if front else ""
    if kind == "guardian":
        foes[0], rank0 = None, (*now.rank0, str(front))
    if kind != "thunderstone":
        return EveningEvent(do="hall", hall=tuple(foes), rank0=rank0, breach=open_breach(now, cards, front))
    last = next((event for event in reversed(now.events) if event.do in ACTIONS), None)
    winner = last.player if last is not None and last.won and last.rank == 1 and not now.rank0 else ""
    is_first = now.variant == "epic" and not now.first_stone
    foes[0] = None if is_first or winner else front
    return EveningEvent(
        do="hall", player=winner, gained=(str(front),) if winner else (), hall=tuple(foes), stone=str(front),
        over=not is_first,
    )  # fmt: skip


def _named_foes(words: Language, ranks: Sequence[str | None]) -> list[str | None]:
    """The cards of a hall as it is told: "" for an empty rank, None for one of which nothing is said.

    Raises :class:`InputError` (``evening-ranks``) for more than there are.
    """
    foes: list[str | None] = []
    for rank in ranks:
        foes += find_cards(words, [rank], MET) if rank and rank.strip(DASHES) else [None if rank is None else ""]
    if len(foes) > RANKS:
        raise InputError("evening-ranks", n=len(foes))
    return foes


def _placed(now: Evening, words: Language, foes: list[str | None]) -> list[str | None]:
    """The hall with a card told alone, which is the newest, in the last rank that has no name yet."""
    if len(foes) != 1 or not foes[0] or not any(now.hall):
        return foes
    free = next((place for place, card in enumerate(now.hall) if not card), None)
    if free is None:
        raise InputError("evening-hall-full", cards=words.listed(map(str, now.hall)))
    return [*now.hall[:free], *foes, *now.hall[free + 1 :]]


def require_dealt(now: Evening, words: Language, foes: Sequence[str]) -> None:
    """Check that the dungeon deck of the set-up has these cards, and so many beside those that lie elsewhere (R1.4).

    Raises :class:`NoAnswerError`: ``evening-not-dealt``, ``too-many-copies``. What an earlier game of a campaign left
    in the deck (R9.3) is not known.
    """
    setup = generate_setup(code=now.code, lang=words.lang, database=words.database)
    dealt = Counter[str]()
    for layer in setup.table.layers:
        dealt += Counter(layer.joined) + Counter(dict(layer.cards))
    for stack in setup.table.stacks:
        dealt += Counter(dict(stack.cards)) if stack.kind == "horde" else Counter()
    slip = now.ending.gained if now.ending is not None and now.ending.do == "hall" else ()
    elsewhere = Counter((*now.rank0, *now.lost))
    for player in now.players:
        elsewhere += player.deck + Counter(player.penalties)
    elsewhere -= Counter(slip)
    is_open = setup.content.later is not None and setup.content.later.remaining
    for card, n in Counter(foes).items():
        copies = words.database.cards[card].count if is_open else dealt[card]
        if not copies:
            families = [*setup.content.classes, *setup.content.features.cards, *setup.content.stones]
            raise NoAnswerError("evening-not-dealt", card=card, names=setup.naming.names(families))
        if n + elsewhere[card] > copies:
            kept = {"why": "kept"} if elsewhere[card] else {}
            raise NoAnswerError("too-many-copies", card=card, n=n + elsewhere[card], most=copies, **kept)


def open_breach(now: Evening, cards: Cards, front: str | None) -> str:
    """The monster at rank 1, if it has a breach (R6.6) and came there before anybody named it; else ""."""
    spec = cards.get(front or "") if now.came_unnamed else None
    return spec.id if spec is not None and spec.kind == "monster" and spec.breach else ""


def require_turn(now: Evening, player: str | None, do: str) -> EveningPlayer:
    """The player, who may still do so: a battle, a visit or a rest a turn (R2.1), and none after the end (R7.1).

    Level-ups and purchases entered one by one make one visit; a turn can always be over. Raises
    :class:`NoAnswerError` (``evening-finished``, ``evening-acted``).
    """
    who = now.player(player)
    if now.finished or now.over:
        raise NoAnswerError("evening-finished")
    after = {"visit": {"level"}, "level": {"visit", "level"}, "next": {*ACTIONS, "level"}}
    if done_by(now, who) - after.get(do, set()):
        raise NoAnswerError("evening-acted", name=who.name)
    return who


def done_by(now: Evening, who: EveningPlayer) -> set[str]:
    """The kinds of events that the player's turn has had so far."""
    return {event.do for event in now.of_turn if event.player == who.name and event.do in (*ACTIONS, "level")}


def require_owned(words: Language, who: EveningPlayer, cards: Sequence[str], *, unseen: bool) -> tuple[str, ...]:
    """The cards that are not in the player's deck; :class:`NoAnswerError` (``evening-unseen``) unless ``unseen``."""
    lacks = tuple(who.lacks(cards))
    if lacks and not unseen:
        raise NoAnswerError("evening-unseen", cards=words.listed(lacks), name=who.name)
    return lacks


def battle(
    now: Evening, words: Language, document: Mapping[str, Any], *, player: str | None = None, won: bool | None = None,
    budget: Budget | None = None, **extra: Any,
) -> EveningEvent:  # fmt: skip
    """A battle of a scenario, which lacks what the evening knows: its plan, or the best line where it has none.

    ``won`` is what the players saw, if the rules do not settle it; with cards that are not judged their word counts,
    without it they are refused (``not-judged``). Raises the errors of :func:`resolve`, and
    :class:`NoAnswerError`: ``evening-no-play`` for an empty plan, ``evening-barred`` for a battle that cannot be
    fought, ``evening-draw`` for cards that nobody names, and that were drawn or may have been (``draws``: one of them
    wins); those of :func:`require_turn`, :func:`require_owned`.
    """
    who, question = require_turn(now, player, "battle"), _on_table(now, words, document)
    fill(now, None, words, question, Scenario, player)
    question.setdefault("rank0", [*now.rank0])
    if question.get("hall") is None and any(card is None for card in now.hall):
        raise InputError("empty-hall")
    question.setdefault("hall", [None] * RANKS)
    cards = [card for key in ("hand", "deck") for card in find_cards(words, question.get(key) or [])]
    unseen, draws = require_owned(words, who, cards, unseen=extra.pop("unseen", False)), bool(extra.get("draws"))
    is_told = False
    try:
        if "plan" not in question:
            best = _fought(resolve(question, words=words, gaps=True, budget=budget), question)
            is_plain = won is False and best.outcome == "victory"  # nobody says what they tried
            question["plan"], draws = [{"attack": best.rank}] if is_plain else best.line, best.draws is not None
        ended = _play(now, words, question)
    except NoAnswerError as error:
        if error.code != "not-judged":
            raise
        if won is None or not question.get("target"):
            raise NoAnswerError(error.code, **error.params, why="battle") from None
        question.setdefault("plan", [{"attack": question["target"]}])
        ended, is_told = _play(now, words, question, won=won), True
    fought = ended.battle
    if fought is not None and not question["plan"]:
        raise NoAnswerError("evening-no-play")
    if fought is not None and fought.outcome == "barred":
        raise NoAnswerError("evening-barred", rank=fought.rank)
    is_seen = fought is not None and won is not None and (is_told or won != (fought.outcome == "victory"))
    if is_seen and not is_told:
        ended = _play(now, words, question, won=won)
    if fought is None or ended.battle is None:
        return _battle_event(now, words, who, ended, extra, unseen=unseen)
    drew = bool(ended.played[-1].after.unknown_draws)
    if won is None and extra.get("asks") and (drew or (draws and not question.get("deck"))):
        raise NoAnswerError("evening-draw", name=who.name, **({} if drew else {"why": "maybe"}))
    return _battle_event(
        now, words, who, ended, extra, unseen=unseen, rank=fought.rank, monster=fought.monster, seen=is_seen,
        won=ended.battle.outcome == "victory", line=ended.battle.line, total=None if is_seen else fought.total,
        health=fought.health,
    )  # fmt: skip


def _on_table(now: Evening, words: Language, document: Mapping[str, Any]) -> dict[str, Any]:
    """The scenario of a battle in the hall that is kept: what it says of ranks without a name is added to that.

    One card alone is the one attacked. Raises :class:`NoAnswerError` (``evening-other-hall``) for a card where another
    one lies, and the errors of :func:`require_dealt`.
    """
    question = dict(document)
    if question.get("target") == 0:  # a guardian, who may be told as alone in the hall
        return question
    foes = _named_foes(words, [rank or None for rank in question.get("hall") or ()])
    other = NoAnswerError("evening-other-hall", cards=words.listed(filter(None, now.hall)) or "–")
    if len(foes) == 1 and foes[0]:
        there, free = ([n for n, card in enumerate(now.hall, 1) if card == kept] for kept in (foes[0], None))
        rank = question.get("target") or next(iter(there or free), 0)
        if not question.get("target") and len(there) > 1:
            raise NoAnswerError("evening-other-hall", why="rank", cards=words.listed(map(str, foes)))
        if not rank:
            raise other
        foes, question["target"] = [*[None] * (rank - 1), *foes], rank
    foes += [None] * (RANKS - len(foes))
    if any(None not in pair and pair[0] != pair[1] for pair in zip(foes, now.hall, strict=True)):
        raise other
    hall = [card if foe is None else foe for foe, card in zip(foes, now.hall, strict=True)]
    question.pop("hall", None)
    if tuple(hall) != now.hall:
        require_dealt(now, words, [card for card in hall if card])
        question |= {"hall": ["-" if card == "" else card for card in hall]}
        question.setdefault("tokens", now.tokens if now.hall[0] else 0)
    return question


def _fought(resolution: Resolution, question: Mapping[str, Any]) -> TargetResult:
    rank = question.get("target") or resolution.best
    target = next((target for target in resolution.targets if target.rank == rank), None)
    if target is None or target.outcome == "barred":
        raise NoAnswerError("evening-barred", rank=rank or 1)
    return target


def _play(now: Evening, words: Language, question: Mapping[str, Any], won: bool | None = None) -> Replayed:
    """The turn of a scenario played on the evening's own table, where a card may lie that nobody has named."""
    ranks = [*(question.get("hall") or now.hall), *[None] * RANKS][:RANKS]
    hidden = [card is None for card in (now.hall if ranks == [card or None for card in now.hall] else ranks)]

    def begin(game: Game, state: Position) -> Position:
        foes = [Foe(UNKNOWN) if is_hidden else foe for is_hidden, foe in zip(hidden, state.hall, strict=True)]
        table = state.table
        if any(event.do == "penalty" for event in now.of_turn):  # whoever took one has no clock this turn
            table = Table(0, (Seat(),) if table is None else table.seats, described=True, fined=True)
        if game.variant.marches:
            table = Table(0, (Seat(),), described=True, respite=now.quiet)
        return replace(state, hall=tuple(foes), table=table)

    return replay_turn(question, begin, words=words, won=won)


def _battle_event(
    now: Evening, words: Language, who: EveningPlayer, ended: Replayed, extra: Mapping[str, Any], **more: Any
) -> EveningEvent:
    """A battle as the event that it is, with everything that left or came; all cards to come if they were ``drawn``."""
    start, end = ended.played[0].before, ended.played[-1].after
    undrawn = Counter() if extra.get("drawn") else Counter(end.deck)
    hand = Counter(slot.card for slot in start.hand) + (Counter(start.deck) - undrawn)
    return EveningEvent(
        do="battle", player=who.name, gained=end.gained, destroyed=_lost(end), xp=end.xp, untold=_is_untold(start, end),
        hand=tuple(hand.elements()), **_table_after(now, ended), **_besides(now, words, who, extra, ended), **more,
    )  # fmt: skip


def _lost(end: Position) -> tuple[str, ...]:
    """The player's own cards that a turn destroyed, or shut into a cage."""
    destroyed = Counter(card for card, _ in end.destroyed) - Counter(card for card, _ in end.foreign)
    return (*destroyed.elements(), *(card for card, copy in end.caged if copy != BEFORE))


def _is_untold(start: Position, end: Position) -> bool:
    """True if cards that nobody named left the deck."""
    return bool(end.unknown_draws) or end.shuffled != (0, 0) or (start.left is not None and end.left is None)


def _table_after(now: Evening, ended: Replayed) -> dict[str, Any]:
    """The changes that a played turn makes to the table."""
    end, happened = ended.played[-1].after, [event for moment in ended.played for event in moment.events]
    stock, unknown = dict(end.stacks or ()), [EMPTY] if end.todo else []  # somebody has to choose before a card comes
    names, cards = ("monster-escapes", "first-stone", "penalty", "breach"), ended.game.cards
    of = {key: [event.card for event in happened if event.key == key] for key in names}
    breaches = [card for card in of["breach"] if not all(isinstance(op, CERTAIN) for op in cards[card].breach)]
    stacks = {} if end.stacks is None else {card: stock.get(card, 0) for card in now.stacks}
    return {
        "stacks": {card: n for card, n in stacks.items() if n != now.stacks[card] or card in end.gained},
        "hall": tuple(None if foe.card in (UNKNOWN, *unknown) else foe.card for foe in end.hall),
        "rank0": tuple(foe.card for foe in end.rank0),
        "tokens": end.hall[0].tokens, "caged": tuple(card for card, _ in end.caged),
        "lost": tuple(of["monster-escapes"]), "stone": next(iter(of["first-stone"]), ""), "over": end.ended,
        "penalty": next(iter(of["penalty"]), ""),
        "breach": open_breach(now, cards, ended.played[0].before.hall[0].card) or next(iter(breaches), ""),
        "quiet": any(event.key == "rest-earned" for event in happened),
    }  # fmt: skip


def _besides(
    now: Evening, words: Language, who: EveningPlayer, extra: Mapping[str, Any], ended: Replayed | None = None
) -> dict[str, Any]:
    """What is told besides: the toll that guardians in rank 0 take of the new hand (R6.7), and whether the turn ends.

    Raises :class:`NoAnswerError` (``evening-toll``) for another number of cards than they take, None for untold.
    """
    cards, rank0 = all_cards(words.database), now.rank0
    if ended is not None:
        rank0 = tuple(foe.card for foe in ended.played[-1].after.rank0)
    due = sum(op.amount for card in rank0 for op in cards[card].breach if isinstance(op, Toll))
    toll = extra.get("toll")
    paid = tuple(find_cards(words, toll or ()))
    if due and toll is None and extra.get("asks"):
        raise NoAnswerError("evening-toll", card=words.card(rank0[0]), n=due)
    if len(paid) > due:
        raise NoAnswerError("evening-no-toll", n=due)
    return {"toll": paid, "ends": bool(extra.get("ends"))}


def purchase(now: Evening, words: Language, entries: Sequence[str], player: str | None = None) -> EveningEvent:
    """Cards bought, each from the top of its stack (R3.3); raises :class:`NoAnswerError` (``evening-sold-out``)."""
    who, cards, stock = require_turn(now, player, "visit"), all_cards(words.database), Counter(now.stacks)
    bought = find_cards(words, entries, STACKED)
    for card in sorted(bought, key=lambda card: cards[card].level):  # in the order that is legal, if one is (R3.3)
        if card not in tops(cards, tuple(stock.items())):
            raise NoAnswerError("evening-sold-out", card=words.card(card))
        stock[card] -= 1
    _require_means(now, words, who, bought)
    return _visited(now, words, who, {}, do="visit", gained=tuple(bought))


def _require_means(now: Evening, words: Language, who: EveningPlayer, bought: list[str]) -> None:
    """Raise :class:`NoAnswerError` (``evening-dear``) for purchases that no hand of the player's deck allows (R3.3).

    Where a card of the deck has a village effect, which may draw others, the whole deck is taken for the hand. Where
    one is not judged, the players' word counts.
    """
    cards = all_cards(words.database)
    deck = sorted(who.deck.elements(), key=lambda card: -(cards[card].gold or 0))
    hand = deck if any(cards[card].village for card in deck) else deck[:HAND]
    if not bought or len(hand) > MOST_CARDS:
        return
    question: dict[str, Any] = {"hand": hand, "wanted": bought}
    fill(now, None, words, question, VisitDocument, who.name)
    try:
        result = visit(question, words=words, budget=Budget(SECONDS))
    except NoAnswerError as error:
        if error.code != "not-judged":
            raise
        return
    if result.proven and result.wanted is not None and result.wanted.why in ("gold", "buys"):
        told = result.wanted.model_dump(exclude=("why",)) | {"cards": words.listed(bought)}
        raise NoAnswerError("evening-dear", name=who.name, n=len(bought), **told)


def village(
    now: Evening, words: Language, document: Mapping[str, Any], *, player: str | None = None,
    budget: Budget | None = None, **extra: Any,
) -> EveningEvent:  # fmt: skip
    """A visit to the village: what its plan uses, buys and levels up, in whatever order it says so (R3.4).

    Raises the errors of :func:`visit`, :func:`require_turn` and :func:`require_owned`.
    """
    who, question = require_turn(now, player, "visit"), dict(document)
    question["plan"] = in_order(question.get("plan") or [])
    fill(now, None, words, question, VisitDocument, player)
    hand, deck = (find_cards(words, question.get(key) or []) for key in ("hand", "deck"))
    unseen = require_owned(words, who, [*hand, *deck], unseen=extra.pop("unseen", False))
    result = visit(question, words=words, budget=budget)
    return _visited(
        now, words, who, extra, do="visit", hand=(*hand, *result.drawn), kept=tuple(result.on_deck), line=result.line,
        untold=bool(result.unknown_draws), unseen=unseen, gained=tuple(result.gained),
        destroyed=tuple(result.destroyed), xp=result.xp_left - question["xp"],
    )  # fmt: skip


def steps_of(words: Language, buy: Sequence[str], levels: Sequence[str]) -> list[dict[str, Any]]:
    """The steps of a visit that buys these cards and levels these heroes up, each ``HERO`` or ``HERO: TO``."""
    steps = [{"buy": card} for card in find_cards(words, buy, STACKED)]
    for hero, _, to in (text.partition(":") for text in levels):
        steps.append({"level_up": hero.strip()} | ({"to": to.strip()} if to.strip() else {}))
    return steps


def next_turn(now: Evening) -> EveningEvent:
    """The turn is over; raises :class:`NoAnswerError` (``evening-finished``) after the end of the game."""
    require_turn(now, None, "next")
    return EveningEvent(do="next", ends=True)


def _visited(now: Evening, words: Language, who: EveningPlayer, extra: Mapping[str, Any], **event: Any) -> EveningEvent:
    """A turn outside the dungeon, at whose end monsters march, or wait for one turn more (R9.5, R9.6)."""
    ended = None
    if now.variant in ("solo", "marauding") and not done_by(now, who):
        gained, destroyed = (list(event.get(key, ())) for key in ("gained", "destroyed"))
        unplayed = Counter(event.get("hand") or ()) - Counter((*destroyed, *event.get("kept", ())))
        hand = [*unplayed.elements()] or next(iter(who.deck)).split()
        question: dict[str, Any] = {"hand": hand, "plan": [{"rest": None}], "dungeon": extra.get("dungeon")}
        fill(now, None, words, question, Scenario, who.name)
        question["hall"] = question.get("hall") or [None] * RANKS
        sold = Counter((*gained, *who.lacks(hand)))
        question["village"] = [f"{n - sold[card]} {card}" for card, n in now.stacks.items() if n > sold[card]]
        ended = _wait(now, words, question)
        start, end = ended.played[0].before, ended.played[-1].after
        event |= {"gained": (*gained, *end.gained), "destroyed": (*destroyed, *_lost(end)), **_table_after(now, ended)}
        event["untold"] = event.get("untold", False) or _is_untold(start, end)
    return EveningEvent(player=who.name, **_besides(now, words, who, extra, ended), **event)


def _wait(now: Evening, words: Language, question: dict[str, Any]) -> Replayed:
    """The end of a turn outside the dungeon; a monster that waited long enough is a penalty card first (R9.6)."""
    if not now.penalty_due:
        return _play(now, words, question)
    ended = _play(now, words, question | {"tokens": 0})
    game, start, happened = ended.game, ended.played[0].before, list[Event]()
    happened.append(Event("penalty", start.hall[0].card, ("R9.6",)))
    end = advance(game, turn_up(game, take_out(replace(start, todo=(), phase="end"), 1), happened), happened)
    return ended._replace(played=(ended.played[0]._replace(after=end, events=tuple(happened)),))


def penalty(
    now: Evening, words: Language, *, player: str | None = None, dungeon: Sequence[str] | None = None
) -> EveningEvent:
    """The monster at rank 1 taken as a penalty card before the turn is chosen (R9.6).

    Raises :class:`NoAnswerError` (``evening-no-penalty``) unless it has waited long enough.
    """
    who = require_turn(now, player, "battle")
    if not now.penalty_due:
        raise NoAnswerError("evening-no-penalty")
    return _visited(now, words, who, {"dungeon": dungeon}, do="penalty")


def level_up(now: Evening, words: Language, hero: str, to: str | None, player: str | None = None) -> EveningEvent:
    """A hero of the player's who rises (R3.5); raises :class:`NoAnswerError` (``evening-level``) saying what may be."""
    who = require_turn(now, player, "level")
    card = _owned(who, words, hero)
    higher = to and Finder(words.database, words.lang, for_record=True)(to, frozenset(("hero",)))
    question: dict[str, Any] = {"hand": [card]}
    fill(now, None, words, question, VisitDocument, player)
    rises = visit(question, words=words, for_record=True).level_ups
    rises = [rise for rise in rises if rise.available and rise.hero == card and higher in (None, rise.to)]
    if len(rises) != 1:
        many = {"why": "many", "candidates": [words.card(rise.to) for rise in rises]} if rises else {}
        raise NoAnswerError("evening-level", card=words.card(card), xp=who.xp, **many)
    return _visited(now, words, who, {}, do="level", gained=(rises[0].to,), destroyed=(card,), xp=-rises[0].cost)


def rest(
    now: Evening, words: Language, card: str | None, *, player: str | None = None, hand: Sequence[str] | None = None,
    **extra: Any,
) -> EveningEvent:  # fmt: skip
    """A rest, which may destroy a card (R2.3)."""
    who = require_turn(now, player, "rest")
    cards = None if hand is None else tuple(find_cards(words, hand))
    unseen = require_owned(words, who, cards or (), unseen=extra.pop("unseen", False))
    gone = (_owned(who, words, card, unseen),) if card else ()
    return _visited(now, words, who, extra, do="rest", hand=cards, unseen=unseen, destroyed=gone)


def correct(
    now: Evening, words: Language, *, xp: int | None = None, stacks: Sequence[str] | None = None,
    tokens: int | None = None, player: str | None = None, **cards: Sequence[str] | None,
) -> EveningEvent:  # fmt: skip
    """What is so, whatever the events say: a player's XP, how many of a card are for sale, the tokens at rank 1.

    ``cards`` are all that there are at the places of :func:`listed_cards`. A card added to a deck is not for sale any
    more. Raises :class:`NoAnswerError`: ``evening-no-change`` if everything is so already, ``too-many-copies``.
    """
    who = now.player(player)
    before = listed_cards(now, who)
    after = {name: Counter(find_cards(words, texts)) for name, texts in cards.items() if texts is not None}
    new = {name: tuple(counts.elements()) for name, counts in after.items() if counts != Counter(before[name])}
    more, less = (after["deck"] - who.deck, who.deck - after["deck"]) if "deck" in new else (Counter(), Counter())
    on_sale = _left_beside(now, more, _stock_counts(words, stacks))
    event = EveningEvent(
        do="correct", player=who.name, xp=0 if xp is None else xp - who.xp, gained=tuple(more.elements()),
        destroyed=tuple(less.elements()), tokens=None if tokens == now.tokens else tokens,
        stacks={card: n for card, n in on_sale.items() if n != now.stacks.get(card)},
        rank0=new.get("rank0"), lost=new.get("escaped"), caged=new.get("caged"), penalties=new.get("penalties"),
    )  # fmt: skip
    if event == EveningEvent(do="correct", player=who.name):
        raise NoAnswerError("evening-no-change")
    return event


def _left_beside(now: Evening, more: Mapping[str, int], stock: Mapping[str, int]) -> dict[str, int]:
    """Return how many are for sale: as ``stock``, or what the copies ``more`` in a deck leave of the box."""
    first, on_sale = now.events[0], dict(stock)
    for card in (*more, *stock):
        copies = first.stacks.get(card, 0) + sum(deck.get(card, 0) for deck in first.decks)
        owned = more.get(card, 0) + sum(player.deck[card] for player in now.players)
        if card in now.stacks and owned + stock.get(card, 0) > copies:
            n = owned + stock.get(card, 0)
            raise NoAnswerError("too-many-copies", why="kept", card=card, n=n, most=copies)
        if card in now.stacks:
            on_sale.setdefault(card, min(now.stacks[card], copies - owned))
    return on_sale


def listed_cards(now: Evening, who: EveningPlayer) -> dict[str, Sequence[str]]:
    """The cards that can be corrected, by the name of their place; the stacks have numbers instead."""
    return {
        "deck": sorted(who.deck.elements()), "penalties": who.penalties, "rank0": now.rank0, "caged": now.caged,
        "escaped": now.lost,
    }  # fmt: skip


def _stock_counts(words: Language, stacks: Sequence[str] | None) -> dict[str, int]:
    """Return how many of each card are for sale; ``0 torch`` is a stack that is sold out."""
    counts: dict[str, int] = {}
    for entry in stacks or ():
        none = entry.strip().removeprefix("0 ") if entry.strip().startswith("0 ") else ""
        number, name = (0, none) if none else read_count(words.database, entry)
        counts[Finder(words.database, words.lang, for_record=True)(name, STACKED)] = 1 if number is None else number
    return counts


def _owned(player: EveningPlayer, words: Language, name: str, unseen: Sequence[str] = ()) -> str:
    card = Finder(words.database, words.lang, for_record=True)(name, OWNED)
    if not player.deck[card] and card not in unseen:
        raise NoAnswerError("evening-not-owned", card=words.card(card), name=player.name)
    return card


def vp_of(player: EveningPlayer, words: Language) -> int:
    return points(holdings(all_cards(words.database), player.deck.elements()), len(player.penalties))


def score_evening(now: Evening, words: Language) -> ScoreResult:
    """The score of the decks; alone nobody wins but with more VP than the monsters that escaped (R7.2, R9.5, R9.6)."""
    result = final_score({"players": now.decks, "penalties": now.penalties}, words=words)
    is_lost = now.variant == "solo" and (has_unnamed_escape(now) or result.players[0].vp <= escaped_vp(now, words))
    return replace(result, winners=[]) if is_lost else result


def has_unnamed_escape(now: Evening) -> bool:
    """Return whether a monster that nobody has named escaped, so that its VP are not known (R9.5)."""
    return UNKNOWN in now.lost


def escaped_vp(now: Evening, words: Language) -> int:
    """The VP of the monsters that escaped in a game alone, as far as they are named (R9.5)."""
    return points(holdings(all_cards(words.database), [card for card in now.lost if card != UNKNOWN]))


class CardCount(Record):
    id: str
    count: int


class PlayerState(Record):
    """A player of the evening: XP, VP and all cards owned."""

    name: str
    xp: int
    vp: int
    deck: list[CardCount]


class EveningState(Record):
    """The evening as it stands; ``hall`` is rank 1 first, None for an empty rank; ``turn`` counts from 1."""

    code: str
    players: list[PlayerState]
    active: str
    turn: int
    hall: list[str | None]
    rank0: list[str]
    stacks: list[CardCount]
    events: int
    over: bool
    finished: bool
    winners: list[str]


def state_of(now: Evening, words: Language) -> EveningState:
    """The evening as ``thunderref evening --json`` prints it."""

    def card_counts(cards: Mapping[str, int]) -> list[CardCount]:
        return [CardCount(id=card, count=n) for card, n in sorted(cards.items()) if n > 0]

    return EveningState(
        code=now.code,
        players=[
            PlayerState(name=player.name, xp=player.xp, vp=vp_of(player, words), deck=card_counts(player.deck))
            for player in now.players
        ],
        active=now.active.name, turn=now.turn, hall=[card or None for card in now.hall],
        rank0=[*now.rank0], stacks=card_counts(now.stacks), events=len(now.events), over=now.over,
        finished=now.finished, winners=score_evening(now, words).winners if now.has_winner else [],
    )  # fmt: skip
