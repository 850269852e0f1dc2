"""``thunderref.turn``: battle, purchase and rest side by side, and which of them the bot ``lookahead`` would choose.

Battle and purchases are those of ``resolve`` and ``village``. The advice is the bot's own choice from what it would
see at such a table; what the document does not name is filled in as at the beginning of a game, and said to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal

from msgspec.structs import asdict

from thunderref.budget import Budget
from thunderref.database.card_records import HAND_KINDS
from thunderref.database.read import Language, open_database
from thunderref.rng import SplitMix64
from thunderref.statistics import round_off
from thunderref.thunderstone.bots.bot import BotReason, Verdict
from thunderref.thunderstone.bots.planner import Shopping, lookahead
from thunderref.thunderstone.bots.valuation import FULL_DUNGEON
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.resolve.documents import Scenario, TurnDocument, VisitDocument, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.report import fields_of
from thunderref.thunderstone.resolve.result import HandAverage, TargetResult, TurnBasis, TurnRest, TurnResult, VisitWays
from thunderref.thunderstone.resolve.start import Finder, cards_of, hand_of, move_out, position, table_of
from thunderref.thunderstone.resolve.visit import offer_of, visit
from thunderref.thunderstone.rules.choices import DUNGEON, REST, VILLAGE, Buy, Choice, LevelUp
from thunderref.thunderstone.rules.end_of_turn import HAND, open_turn
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import UNKNOWN, Position, Seat, Table

START = {"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2}  # R1.7
ESTIMATE_ERROR = 2.5
"""Points of Attack by which the estimates of two turns must differ to mean anything.

Measured (``tests/bench/turns.py``, 61 positions): the higher of two estimates that are closer wins 0.2 % more games,
± 3.6 %.
"""
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
    decks = len(question.decks or ())
    assumed = ["deck_list"] if question.deck_list is None and not decks else []
    assumed += [key for key in ("dungeon_size", "stacks") if getattr(question, key) is None]
    assumed += ["others"] if question.players > max(1, decks) else []
    languages = [words if words.lang == code else Language(words.database, code) for code in words.database.languages]
    choices = {name: choice_of(view, verdict) for name, verdict in verdicts.items()}
    best, near = verdicts[advice], ESTIMATE_ERROR * lookahead.value(view).point
    alike = [name for name in verdicts if name != advice and verdicts[name].value > max(0, best.value - near)]
    hands = average_hands(view, choices[advice], battles)
    because = {language.lang: language.say("turn.alike") if alike else "" for language in languages}
    for name, language in product((advice, *alike), languages):
        reason = _because(language, view, verdicts[name], choices[name], battles)
        because[language.lang] = f"{because[language.lang]}\n{reason}".strip()
    fight = _target(choices["dungeon"], battles) if "dungeon" in choices else None
    return TurnResult(
        table=table_of(
            Finder(words.database, words.lang), question.hand, question.hall, question.rank0, xp=question.xp,
        ),
        dungeon=dungeon, rest=TurnRest(destroy=next(iter(choices["rest"]["destroy"]), None)), advice=advice,
        notes=notes, because=because, fight=fight if fight is not dungeon else None,
        village=VisitWays(
            spending=shopping.spending, sparing=shopping.sparing, advised=choices["village"],
            advised_text={language.lang: choice_text(language, choices["village"]) for language in languages},
            level_ups=shopping.level_ups, stacks_known=shopping.stacks_known,
        ),
        basis=TurnBasis(
            values={"dungeon": None, **values}, assumed=assumed, alike=alike, hand_now=hands[0], hand_then=hands[1],
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
    begun = open_turn(opening, table, table.seats, 0, 1)
    return View(game, begun, lambda: SplitMix64(0), knows_others=1 < doc.players <= len(doc.decks or ()))


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


def choice_of(view: View, verdict: Verdict) -> dict[str, Any]:
    """The bot's choice, as in a :class:`WeighedChoice`."""
    params, kind = {} if verdict.reason is None else dict(verdict.reason.params), TURNS[verdict.choice]
    if kind == "village":
        shopping = Shopping(lookahead.value(view))
        return visit_choice(shopping, shopping.plan())
    if kind == "rest":
        return {"turn": kind, "destroy": [params["lost_card"]] if params and verdict.value > 0 else []}
    return {"turn": kind} | ({"monster": params["foe_card"], "rank": params["rank"]} if params else {})


def visit_choice(shopping: Shopping, visit: Sequence[Choice]) -> dict[str, Any]:
    """The purchases and level-ups of a visit, as in a :class:`WeighedChoice`."""
    return {
        "turn": "village", "destroy": shopping.gone, "buy": [step.card for step in visit if isinstance(step, Buy)],
        "level_up": [(step.hero[0], step.to) for step in visit if isinstance(step, LevelUp)],
    }  # fmt: skip


def choice_text(words: Language, choice: Mapping[str, Any]) -> str:
    """The choice in a few words, as an order."""
    gone, buys = choice.get("destroy"), choice.get("buy")
    if choice["turn"] == "dungeon" and "monster" in choice:
        return words.say("turn.choice.monster", monster=words.card(choice["monster"]), rank=choice["rank"])
    if choice["turn"] == "rest" and gone:
        return words.say("turn.choice.destroy", destroy=words.listed(gone))
    parts = [words.say("turn.choice.gone", destroy=words.listed(gone))] if gone else []
    parts += [words.say("turn.choice.buy", buy=words.listed(buys))] if buys else []
    parts += [
        words.say("turn.choice.level_up", level_up=words.card(hero), to=words.card(to))
        for hero, to in choice.get("level_up", ())
    ]
    *start, last = parts or [words.say(f"turn.choice.{choice['turn']}")]
    return words.say("list.and", first=", ".join(start), last=last) if start else last


def _target(choice: Mapping[str, Any], battles: Sequence[TargetResult]) -> TargetResult | None:
    place = choice.get("monster"), choice.get("rank")
    return next((target for target in battles if (target.monster, target.rank) == place), None)


def average_hands(
    view: View, choice: Mapping[str, Any], battles: Sequence[TargetResult]
) -> tuple[HandAverage, HandAverage]:
    """The average hand of the player's deck, before what is chosen and after it; of a battle, if it is surely won."""
    owned, level_ups, target = Counter(view.owned), choice.get("level_up", ()), _target(choice, battles)
    then = owned + Counter([*choice.get("buy", ()), *(to for _, to in level_ups)])
    then -= Counter([*choice.get("destroy", ()), *(hero for hero, _ in level_ups)])
    if target is not None and target.outcome == "victory":
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


def _because(
    words: Language, view: View, verdict: Verdict, choice: Mapping[str, Any], battles: Sequence[TargetResult]
) -> str:
    """The choice, what it brings at once, and what it means for the hands to come, if any do."""
    reason, target, lead = verdict.reason, _target(choice, battles), lookahead.value(view).lead()
    assert reason is not None
    text, hands = choice_text(words, choice), average_hands(view, choice, battles)
    fields = fields_of(reason.params, words) | {"lead": lead}
    key = "village" if text == words.say("turn.choice.village") else reason.key
    sentences = [f"{text[:1].upper()}{text[1:]}."]
    if key in ("village", "fight-maybe", "fight-chance", "vain-end"):
        sentences = [words.say(f"turn.because.{key}", **fields)]
    elif target is not None:
        key = "end" if key == "end" else "fight"
        sentences.append(words.say(f"turn.because.{key}", vp=target.gained_vp, xp=target.xp))
        if key == "end" and lead is not None:
            sentences.append(words.say("turn.because.lead", vp=lead + target.gained_vp))
    if reason.key not in ("end", "vain-end"):
        sentences.append(change_of_hands(words, *hands))
    return " ".join(filter(None, sentences))
