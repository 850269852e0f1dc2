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
from thunderref.thunderstone.rules.choices import Attack, Equip, Forgo, Leave, Use
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import key_of, replace

__all__ = [
    "BOON",
    "ENOUGH_LIGHT",
    "can_hold",
    "fight",
    "least",
    "least_armed",
    "plain_monster",
    "reaches",
    "spares",
    "usable",
]
ENOUGH_LIGHT = 9
"""More Light than any light penalty."""
MOST_PENALTY = 2 * ENOUGH_LIGHT
"""More than any light penalty takes off the total."""


def plain_monster(words: Language) -> str:
    """A monster of which only the Health counts: against it cards give what they give against anything."""
    database = words.database
    plain = (
        card.id
        for card in database.cards.values()
        if card.kind == "monster" and card.health and not card.light_penalty and not database.all_effects.get(card.id)
        if card.judged
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


def can_hold(words: Language, hand: Sequence[str]) -> bool:
    """Return whether some legal preparation gives every weapon of the hand to a hero (R4.3), whatever it is worth."""
    question = _question(words, hand, plain_monster(words), 1, {"light": ENOUGH_LIGHT}, "max")
    weapons = {card for card in hand if "weapon" in words.database.cards[card].types}
    needed, seen, waiting = sum(card in weapons for card in hand), set(), [(question.state, 0)]
    while waiting:
        state, held = waiting.pop()
        if held == needed:
            return True
        if key_of(state) in seen:
            continue
        seen.add(key_of(state))
        for choice in legal_actions(question.game, state):
            thrown = isinstance(choice, Use) and choice.card[0] in weapons
            if not (thrown or isinstance(choice, Attack | Forgo | Leave)):
                waiting.append((play(question.game, state, choice)[0], held + isinstance(choice, Equip)))
    return False


def least(
    words: Language, foe: str, stat: str, hand: Sequence[str] = (), rank: int | None = None, **besides: int
) -> int | None:
    """The least of ``attack`` or ``magic_attack`` that beats a monster, a hand aside; None if no amount does.

    Without ``light`` among what is there ``besides`` no light penalty counts.
    """
    low, high = 0, 2 * (words.database.cards[foe].health or 0) + 1 + 2 * MOST_PENALTY
    besides = {"light": ENOUGH_LIGHT} | besides

    def wins(n: int) -> bool:
        return fight(words, hand, foe, rank, besides | {stat: n}).outcome == "victory"

    if not wins(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if wins(middle) else (middle + 1, high)
    return low


def least_armed(words: Language, foe: str, stat: str, hand: Sequence[str], rank: int | None, light: int) -> int | None:
    """The least as :func:`least` of which a Militia with a Dagger gives a part: some monsters ask for a weapon."""
    armed = [*hand, "militia", "dagger"]
    needed = least(words, foe, stat, armed, rank, light=light)
    if needed is None:
        return None
    result = fight(words, armed, foe, rank, {stat: needed, "light": light})
    return (result.attack or 0) + (result.magic_attack or 0)


def reaches(words: Language, card: str, other: str) -> bool:
    """Whether an effect of the card destroys, takes or discards cards like the other one."""
    spec = load_cards(words.database)[other]
    operations = [op for effect in words.database.all_effects.get(card, ()) for op in (*effect.cost, *effect.do)]
    selects = [select for op in operations if (select := getattr(op, "select", None)) is not None]
    return any(spec.matches(select) for select in selects)


def spares(words: Language, trap: str, hero: str) -> bool | None:
    """Whether a trap spares a hero who is shown to it (R6.6); None for a trap that does not say whom."""
    spec = load_cards(words.database)[hero]
    effects = words.database.all_effects.get(trap, ())
    safe = next((op.safe for effect in effects for op in effect.do if hasattr(op, "safe")), None)
    return None if safe is None else spec.matches(safe)


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
