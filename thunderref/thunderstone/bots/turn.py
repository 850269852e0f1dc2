"""``thunderref.turn``: battle, purchase and rest side by side, and which of them the bot ``lookahead`` would choose.

Battle and purchases are those of ``resolve`` and ``village``. The advice is the bot's own choice from what it would
see at such a table; what the document does not name is filled in as at the beginning of a game, and said to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import asdict

from thunderref.budget import Budget
from thunderref.database.card_records import HAND_KINDS
from thunderref.database.read import Language, open_database
from thunderref.rng import SplitMix64
from thunderref.statistics import round_off
from thunderref.thunderstone.bots.bot import BotReason, Verdict
from thunderref.thunderstone.bots.planner import lookahead
from thunderref.thunderstone.bots.valuation import FULL_DUNGEON
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.resolve.documents import Scenario, TurnDocument, VisitDocument, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.report import fields_of
from thunderref.thunderstone.resolve.result import HandAverage, TargetResult, TurnBasis, TurnRest, TurnResult, VisitWays
from thunderref.thunderstone.resolve.start import Finder, cards_of, hand_of, move_out, position, table_of
from thunderref.thunderstone.resolve.visit import offer_of, visit
from thunderref.thunderstone.rules.choices import DUNGEON, REST, VILLAGE, Choice
from thunderref.thunderstone.rules.end_of_turn import HAND, open_turn
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import UNKNOWN, Position, Seat, Table

START = {"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2}  # R1.7
TURNS: Mapping[Choice, Literal["dungeon", "village", "rest"]] = {DUNGEON: "dungeon", VILLAGE: "village", REST: "rest"}


def turn(
    document: TurnDocument | Mapping[str, Any], lang: str | None = None, *, words: Language | None = None,
    budget: Budget | None = None,
) -> TurnResult:  # fmt: skip
    """Sets battle, purchase and rest side by side, and says which ``lookahead`` would choose; values in VP.

    Raises InputError for an unreadable ``document`` or what cannot be, NoAnswerError for names.
    """
    words = words or Language(open_database(), lang)
    question = read_document(TurnDocument, document)
    view = view_of(question, words)
    verdicts = weigh_turn(view)
    budget = budget or Budget()
    if budget.seconds is not None:  # half for the visit, half for the battle
        budget.seconds /= 2
    shopping = visit(VisitDocument(**_common(question, VisitDocument)), words=words, budget=budget)
    assert shopping.spending is not None
    assert shopping.sparing is not None
    dungeon, battles, notes = _best_battle(question, words, budget)
    verdicts = {name: verdict._replace(reason=_sure(verdict.reason, battles)) for name, verdict in verdicts.items()}
    advice = max(verdicts, key=lambda name: verdicts[name].value)
    values: dict[str, float] = {name: round(verdict.value, 2) for name, verdict in verdicts.items()}
    resting = verdicts["rest"]
    worst = dict(resting.reason.params)["lost_card"] if resting.reason else None
    decks = len(question.decks or ())
    assumed = ["deck_list"] if question.deck_list is None and not decks else []
    assumed += [key for key in ("dungeon_size", "stacks") if getattr(question, key) is None]
    assumed += ["others"] if question.players > max(1, decks) else []
    languages = [words if words.lang == code else Language(words.database, code) for code in words.database.languages]
    hands = average_hands(view, _choice(verdicts[advice]), battles)
    return TurnResult(
        table=table_of(
            Finder(words.database, words.lang), question.hand, question.hall, question.rank0, xp=question.xp,
        ),
        dungeon=dungeon, rest=TurnRest(destroy=worst if resting.value > 0 else None), advice=advice, notes=notes,
        village=VisitWays(
            spending=shopping.spending, sparing=shopping.sparing, advised=_purchase(verdicts["village"]),
            level_ups=shopping.level_ups, stacks_known=shopping.stacks_known,
        ),
        because={language.lang: _because(language, verdicts[advice].reason, hands) for language in languages},
        basis=TurnBasis(
            values={"dungeon": None, **values}, assumed=assumed, hand_now=hands[0], hand_then=hands[1],
        ),
    )  # fmt: skip


def weigh_turn(view: View) -> dict[Literal["dungeon", "village", "rest"], Verdict]:
    """The verdict of ``lookahead`` on each kind of turn, first the one it chooses among equals.

    ``dungeon`` only if it knows a battle there.
    """
    choices = legal_actions(view.game, view.position)
    weighed = lookahead.weigh(lookahead.value(view), choices, every=True)
    return {TURNS[verdict.choice]: verdict for verdict in weighed if verdict.choice in TURNS}


def view_of(doc: TurnDocument, words: Language) -> View:
    """The turn as its player would see it at a table; raises InputError for what cannot be, NoAnswerError for names."""
    find = Finder(words.database, words.lang)
    hand = hand_of(doc.hand, find)
    listed = cards_of(doc.deck_list or [], find, HAND_KINDS)
    pile = cards_of(doc.discard, find, HAND_KINDS)
    start = list(Counter(START).elements())
    mine, *decks = [*(cards_of(cards, find, HAND_KINDS) for cards in doc.decks or ()), *[start] * doc.players]
    deck = listed if doc.deck_list is not None else list((Counter(mine) - Counter(hand) - Counter(pile)).elements())
    fields = _common(doc, Scenario) | {"hall": doc.hall or [None], "plan": []}  # a hall may be left out
    fields["tokens"] = 0  # whoever stays away from a monster that is due takes a penalty card first (R9.6)
    game, there = position(move_out(Scenario(**fields), find), words.database, find)
    seats = [Seat(tuple(hand), tuple(deck), tuple(pile), doc.xp)]
    seats += [Seat(tuple(cards[:HAND]), tuple(cards[HAND:])) for cards in decks[: doc.players - 1]]
    table, stacks = Table(0, tuple(seats)), offer_of(doc.stacks, words.database, find)
    size = FULL_DUNGEON if doc.dungeon_size is None else doc.dungeon_size
    opening = Position("choose", (), there.hall, there.rank0, (), (UNKNOWN,) * size, stacks=stacks, table=table)
    return View(game, open_turn(opening, table, table.seats, 0, 1), lambda: SplitMix64(0))


def _common(doc: TurnDocument, record: type[Scenario] | type[VisitDocument]) -> dict[str, Any]:
    """The fields that the document shares with the other kind; the copies on offer are the scenario's ``village``."""
    fields = asdict(doc) | ({"village": doc.stacks} if record is Scenario else {})
    return {key: fields[key] for key in record.__struct_fields__ if key in fields}


def _best_battle(
    doc: TurnDocument, words: Language, budget: Budget | None
) -> tuple[TargetResult | None, list[TargetResult], list[str]]:
    """The best target, all targets, and notes."""
    if not any(doc.hall) and not doc.rank0:
        return None, [], []
    battle = resolve(Scenario(**_common(doc, Scenario)), words=words, gaps=True, budget=budget)
    place = (battle.best, battle.best_monster)
    best = next((target for target in battle.targets if (target.rank, target.monster) == place), None)
    return best, battle.targets, battle.notes


def _sure(reason: BotReason | None, battles: Sequence[TargetResult]) -> BotReason | None:
    """The reason with what ``resolve`` is sure of instead of the bot's guess at a chance."""
    params = {} if reason is None else dict(reason.params)
    if reason is None or reason.key != "fight-maybe":
        return reason
    target = next((one for one in battles if one.monster == params["foe_card"]), None)
    if target is not None and target.outcome == "victory":
        return BotReason("fight", reason.params)
    if target is None or target.draws is None or target.draws.chance is None:
        return reason
    return BotReason("fight-chance", (*(params | {"percent": round(target.draws.chance.percent)}).items(),))


def _purchase(verdict: Verdict) -> dict[str, str]:
    """The purchase and level-up that the bot would choose in the village."""
    params = {} if verdict.reason is None else dict(verdict.reason.params)
    fields = {"buy_card": "buy", "hero_card": "hero", "to_card": "to"}
    return {key: str(params[name]) for name, key in fields.items() if name in params}


def _choice(verdict: Verdict) -> dict[str, Any]:
    """The bot's choice, with the keys of a :class:`WeighedChoice`."""
    params = {} if verdict.reason is None else dict(verdict.reason.params)
    keys = {
        "buy_card": "buy", "hero_card": "level_up", "to_card": "to", "lost_card": "destroy", "foe_card": "monster",
        "rank": "rank",
    }  # fmt: skip
    return {key: params[name] for name, key in keys.items() if name in params}


def average_hands(
    view: View, choice: Mapping[str, Any], battles: Sequence[TargetResult]
) -> tuple[HandAverage, HandAverage]:
    """The average hand of the player's deck, before what is chosen and after it; of a battle, if it is surely won."""
    owned = Counter(view.owned)
    then = owned + Counter(choice[key] for key in ("buy", "to") if choice.get(key))
    then -= Counter(choice[key] for key in ("destroy", "level_up") if choice.get(key))
    for target in battles:
        if target.outcome == "victory" and (target.monster, target.rank) == (choice.get("monster"), choice.get("rank")):
            then = then + Counter(target.gained) - Counter(target.destroyed_own)
    return _average(view, owned), _average(view, then)


def _average(view: View, owned: Counter[str]) -> HandAverage:
    share = min(HAND, owned.total()) / max(1, owned.total())
    cards = [(view.cards[card], n * share) for card, n in owned.items()]
    return HandAverage(
        gold=round_off(sum((card.gold or 0) * n for card, n in cards)),
        attack=round_off(sum(((card.attack or 0) + (card.magic_attack or 0)) * n for card, n in cards)),
        light=round_off(sum((card.light or 0) * n for card, n in cards)),
    )


def change_of_hands(words: Language, now: HandAverage, then: HandAverage) -> str:
    """Return in a sentence what an average hand gains and loses, "" for nothing."""
    changes = [
        words.say("turn.average.figure", figure=words.say(f"card.figure.{figure}"), then=after, now=before)
        for figure in HandAverage.__struct_fields__
        if (after := words.number(round(getattr(then, figure), 2), "g"))
        != (before := words.number(round(getattr(now, figure), 2), "g"))
    ]
    return words.say("turn.average", changes="; ".join(changes)) if changes else ""


def _because(words: Language, reason: BotReason | None, hands: tuple[HandAverage, HandAverage]) -> str:
    assert reason is not None
    fields = {name: value for name, value in fields_of(reason.params, words).items() if name != "value"}
    return f"{words.say(f'turn.because.{reason.key}', **fields)} {change_of_hands(words, *hands)}".strip()
