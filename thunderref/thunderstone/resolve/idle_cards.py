"""The cards of the hand that give nothing to a battle, each with the reason: weight, rank, Light that is not needed.

The terms of the sum know a weapon that nobody holds and a bonus of another rank. The rest is what no term tells of:
Light beyond the light penalty, cards without an effect in a battle, and effects that the play does not use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from thunderref.database.read import Language
from thunderref.thunderstone.resolve.result import ResultStep
from thunderref.thunderstone.rules.choices import Attack
from thunderref.thunderstone.rules.explanation import Term, Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import all_slots
from thunderref.thunderstone.rules.legal import Played
from thunderref.thunderstone.rules.position import Slot

_TOLD = frozenset(("unequipped", "unequipped.weak", "unequipped.armed", "out-of-rank", "forgone"))
"""Terms that say why a card gives nothing."""
_RULES = {"light": "R5.11", "light-useless": "R5.11", "nothing": "R4.1", "unused": "R4.1", "unneeded": "R4.1"}
"""Reason that no term tells -> its rule; the sentences are the messages ``idle.<reason>``."""
_SHORT = 60
"""Letters of the text of an effect that fit behind the card that is not used; chosen for one line of a page."""


def idle_terms(outcome: Totals) -> Iterator[tuple[Term, int]]:
    """Each term of a card that gives nothing, once for equal ones, and the copy: the second if another gives something.

    A card that gives something else, as a weapon that also shines, is not idle.
    """
    giving = _giving(outcome)
    for term in dict.fromkeys(term for term in outcome.terms if term.key in _TOLD):
        if term.key != "out-of-rank" or term.card not in giving:
            yield term, 2 if term.card in giving else 1


def idle_cards(game: Game, played: Played, outcome: Totals, words: Language) -> Iterator[ResultStep]:
    """The other cards of the hand that give nothing, a sentence for each reason, or for each card that is not used."""
    before = next(now.before for now in played if isinstance(now.choice, Attack))
    named = {term.card for term in (*outcome.terms, *outcome.reductions) if term.key != "figures"}
    hand = [slot for slot in all_slots(before) if slot.card not in named and not (slot.used or slot.weapons)]
    lights = Counter(term.card for term in outcome.terms if term.light > 0 and not (term.attack or term.magic))
    groups: dict[str, list[str]] = {reason: [] for reason in _RULES}
    giving, surplus = _giving(outcome), _surplus(outcome)
    useless = any(term.key == "penalty-fixed" for term in outcome.reductions)
    for slot in hand:
        if slot.card in lights and not (useless or game.cards[slot.face].dungeon):
            light = game.cards[slot.face].light
            groups["light"] += [slot.card] if 0 < light <= surplus else []
            surplus -= light if 0 < light <= surplus else 0
        elif slot.card in lights and useless:
            groups["light-useless"].append(slot.card)
        elif slot.card not in giving and (reason := _reason(game, slot)):
            groups["unneeded" if outcome.victory and reason == "unused" else reason].append(slot.card)
    unused = Counter(groups.pop("unused"))
    lines = [(reason, cards, "") for reason, cards in groups.items() if cards]
    lines += [("unused", [card] * n, _effect_text(game, card, words)) for card, n in unused.items()]
    for reason, cards, told in lines:
        text = words.say(f"idle.{reason}{'.text' if told else ''}", cards=words.listed(cards), text=told)
        yield ResultStep(text=text, rules=[_RULES[reason]], card=cards[0] if len({*cards}) == 1 else None)


def _giving(outcome: Totals) -> Collection[str]:
    """The cards that give something, or take it, or let another card do so."""
    terms = [term for term in outcome.terms if term.attack or term.magic or term.light]
    return {term.card for term in terms} | {str(dict(term.params).get("from_card")) for term in terms}


def _surplus(outcome: Totals) -> int:
    """The Light that is not needed: in rank 0 and where a card makes every penalty 0, all of it."""
    numbers = next((dict(term.params) for term in outcome.reductions if term.key == "penalty"), None)
    return outcome.light if numbers is None else outcome.light - numbers["rank"] - numbers["own"]


def _effect_text(game: Game, card: str, words: Language) -> str:
    """What the only effect of a card does, if a few words are enough; else nothing."""
    effects = game.cards[card].dungeon
    text = (words.text(f"card.{card}.{effects[0].id}") or "") if len(effects) == 1 else ""
    return text.rstrip(".") if len(text) <= _SHORT else ""


def _reason(game: Game, slot: Slot) -> str | None:
    """Why a card of which the sum says nothing gives nothing; None for what the steps of the battle tell."""
    spec = game.cards[slot.face]
    if spec.kind == "disease" or spec.is_hero or spec.is_weapon:
        return None
    return "unused" if spec.dungeon else None if spec.passive else "nothing"
