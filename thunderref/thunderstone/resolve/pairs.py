"""Two cards, or a card and a situation, judged: small positions, each put before the engine like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thunderref.budget import Budget
from thunderref.database.operations import Effect
from thunderref.database.read import Language
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.question import BOON, Question
from thunderref.thunderstone.resolve.result import TargetResult
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Use
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import replace

__all__ = ["BOON", "ENOUGH_LIGHT", "fight", "least", "plain_monster", "reaches", "usable"]
ENOUGH_LIGHT = 9
"""More Light than any light penalty."""


def plain_monster(words: Language) -> str:
    """A monster of which only the Health counts: against it cards give what they give against anything."""
    database = words.database
    plain = (
        card.id
        for card in database.cards.values()
        if card.kind == "monster" and card.health and not card.light_penalty and not database.all_effects.get(card.id)
    )
    return next(plain)


def fight(
    words: Language, hand: Sequence[str], foe: str, rank: int | None, points: Mapping[str, int], goal: str = "max"
) -> TargetResult:
    """The best line of a hand, and of ``points`` it gives besides, against a monster or guardian alone in the hall.

    Without ``rank`` it is the first, of a guardian rank 0. Raises as :func:`.judge.resolve`.
    """
    return _question(words, hand, foe, rank, points, goal).best_lines(1.0)[0].result


def usable(words: Language, hand: Sequence[str], card: str) -> list[Effect]:
    """The dungeon effects of a card that this hand may use (R4.1)."""
    question = _question(words, hand, plain_monster(words), 1, {}, "max")
    numbers = {
        choice.effect
        for choice in legal_actions(question.game, question.state)
        if isinstance(choice, Use) and choice.card[0] == card
    }
    ids = {ability.id for ability in question.game.cards[card].dungeon if ability.number in numbers}
    return [effect for effect in words.database.all_effects.get(card, ()) if effect.id in ids]


def least(words: Language, foe: str, stat: str, **besides: int) -> int | None:
    """The least of ``attack`` or ``magic_attack`` that beats a monster without light penalty; None if none does."""
    low, high = 0, 2 * (words.database.cards[foe].health or 0) + 1

    def wins(n: int) -> bool:
        return fight(words, (), foe, None, {"light": ENOUGH_LIGHT, stat: n, **besides}).outcome == "victory"

    if not wins(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if wins(middle) else (middle + 1, high)
    return low


def reaches(words: Language, card: str, other: str) -> bool:
    """Whether an effect of the card destroys, takes or discards cards like the other one."""
    spec = load_cards(words.database)[other]
    operations = [op for effect in words.database.all_effects.get(card, ()) for op in (*effect.cost, *effect.do)]
    selects = [select for op in operations if (select := getattr(op, "select", None)) is not None]
    return any(spec.matches(select) for select in selects)


def _question(
    words: Language, hand: Sequence[str], foe: str, rank: int | None, points: Mapping[str, int], goal: str
) -> Question:
    guards = words.database.cards[foe].kind == "guardian" and not rank
    at: dict[str, list[str | None]] = {"rank0": [foe]} if guards else {"hall": [*[None] * ((rank or 1) - 1), foe]}
    asked = read_document(Scenario, {"hand": [*hand] or ["torch"], "goal": goal, **at})
    find = Finder(words.database, words.lang)
    game, state = position(asked, words.database, find)
    state = state if hand else replace(state, hand=())
    budget = Budget()
    budget.begin()
    question = Question(game, state, goal, asked, find, words, budget)
    return question.with_boon(None, **points) if points else question
