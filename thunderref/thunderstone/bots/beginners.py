"""Players that go by a glance: at random, greedy, or for the dearest card.

A random player does any legal action, but what a beginner who wants to win would do is likelier. They use only their
options, their hand and open cards, and do not look ahead. They go to the dungeon if a rough sum of the hand beats a
monster there, and now and then in vain: the attacked monster leaves the hall, beaten or not (R6.1, R6.2), and goes
below the Thunderstone, so that every such turn brings the game nearer to its end. Otherwise they go to the village,
rather with much gold, and buy what is dear and gives Attack. They rest to be rid of Disease.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from thunderref.thunderstone.bots.valuation import CHEAP, CardValue, values_of
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules import choices as moves
from thunderref.thunderstone.rules.cards import Cards, CardSpec
from thunderref.thunderstone.rules.choices import DUNGEON, VILLAGE, Attack, Buy, Choice, Pick, Turn, cards_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import targets
from thunderref.thunderstone.rules.position import DISEASE, Foe, Position, Slot

LIKELY = {
    "equip": 200, "use": 100, "attack": 50, "leave": 50, "forgo": 1, "count": 50, "buy": 100, "level_up": 60, "end": 5,
}  # fmt: skip
"""How likely an action of each kind is beside the others that are legal."""
WEIGHTS = {kind: LIKELY[name] for kind, name in moves.CHOICE_KINDS.items()}
HOPEFUL, HOPELESS, VAIN = 2000, 90, 3
"""How likely the dungeon is if the hand seems to beat a monster in the hall, if it does not, and if it is in vain.

In vain is a lost battle after which no monster leaves the hall (R6.8): then better cards must be bought first.
"""
GOLD = 2
"""How likely the village is, times the square of the gold in the hand."""
ILL, WELL = 30, 1
"""How likely a rest is with Disease in the hand, and without."""
PENALTY_WEIGHT = 10
"""How likely they are to take a monster as a penalty card rather than to fight it (R9.6)."""
WINNING, LOSING = 12, 1
"""How likely they are to attack a monster that the hand seems to beat, and another one."""
QUIET_ROUNDS = 6
"""Rounds in which nothing changes, after which the dearest rather loses a battle: it moves the monsters (R6.1)."""
PARTING = frozenset({"destroy", "discard", "pick"})


@dataclass
class Glance:
    """The figures that a hand gives at a glance."""

    attack: int
    magic: int
    light: int
    gold: int
    ill: bool


def random(view: View, choices: Sequence[Choice]) -> Choice:
    return draw_choice(view.game, view.position, choices, view.random.fraction)


def greedy(view: View, choices: Sequence[Choice]) -> Choice:
    """Choose what a random player would do likeliest, which is worth most at a glance."""
    return choose(view.game, view.position, choices, lambda weights: weights.index(max(weights)))


def dearest(view: View, choices: Sequence[Choice]) -> Choice:
    """The dungeon if the hand seems to beat a monster there, else the village, and there the dearest card."""
    cards = view.cards
    if VILLAGE in choices:
        fights = view.still >= QUIET_ROUNDS or any(find_beaten(cards, view.position))
        return DUNGEON if fights and DUNGEON in choices else VILLAGE
    offered = [choice for choice in choices if isinstance(choice, Buy)]
    if offered:
        return max(offered, key=lambda choice: cards[choice.card].cost)
    attacks = [choice for choice in choices if isinstance(choice, Attack)]
    if attacks and attacks == [*choices]:
        won = {(rank, place): view.cards[foe.card].vp or 0 for rank, place, foe in find_beaten(cards, view.position)}
        return max(attacks, key=lambda attack: won.get((attack.rank, attack.place), -1))
    return greedy(view, choices)


def draw_choice(game: Game, position: Position, options: Sequence[Choice], random: Callable[[], float]) -> Choice:
    """One of the legal actions ``options`` (at least one); ``random`` gives numbers from 0 to below 1."""
    if len(options) == 1:
        return options[0]
    return choose(game, position, options, lambda weights: draw_place(weights, random))


def choose(game: Game, position: Position, options: Sequence[Choice], pick: Callable[[Sequence[int]], int]) -> Choice:
    """The action that ``pick`` finds: it gets how likely each of some is, and gives the place of one of them."""
    values = values_of(game.cards)
    if position.todo:
        parting = getattr(options[-1], "key", "") in PARTING
        return options[pick([_parting(values, option) if parting else 1 for option in options])]
    if position.phase == "choose":
        return options[pick(_turns(game.cards, position, options))]
    choice = options[pick([WEIGHTS[type(option)] for option in options])]
    if isinstance(choice, Buy):
        bought = [option for option in options if isinstance(option, Buy)]
        return bought[pick([values[option.card].demand for option in bought])]
    if isinstance(choice, Attack):
        attacks = [option for option in options if isinstance(option, Attack)]
        if len(attacks) > 1:
            beaten = {(rank, place) for rank, place, _ in find_beaten(game.cards, position)}
            return attacks[pick([WINNING if (a.rank, a.place) in beaten else LOSING for a in attacks])]
    return choice


def draw_place(weights: Sequence[int], random: Callable[[], float]) -> int:
    sums = [*accumulate(weights)]
    return bisect_right(sums, random() * sums[-1])


def _turns(cards: Cards, state: Position, options: Sequence[Choice]) -> list[int]:
    glance = _glance(values_of(cards), state.hand)
    dungeon = HOPELESS
    for rank, foe in enumerate(state.hall, 1):
        guard = cards.get(foe.card)
        if _beats(guard, glance, foe, rank):
            dungeon = HOPEFUL
            break
        if guard is not None and "hall-locked" in guard.has:  # it keeps all others in the hall
            dungeon = VAIN
    village, resting = 1 + GOLD * glance.gold * glance.gold, ILL if glance.ill else WELL
    weights = {"village": village, "dungeon": dungeon, "rest": resting, "penalty": PENALTY_WEIGHT}
    return [weights[option.kind] for option in options if isinstance(option, Turn)]


def find_beaten(cards: Cards, state: Position) -> list[tuple[int, int, Foe]]:
    """Rank, place within rank 0, and card of the monsters that the hand seems to beat."""
    glance = _glance(values_of(cards), state.hand)
    return [target for target in targets(state) if _beats(cards.get(target[2].card), glance, target[2], target[0])]


def _parting(values: dict[str, CardValue], answer: Choice) -> int:
    if isinstance(answer, (Pick, moves.Several)) and answer.key in PARTING:
        for card in cards_of(answer):
            return values[card].lost
    return CHEAP


def _glance(values: dict[str, CardValue], hand: Sequence[Slot]) -> Glance:
    """The figures that the hand gives; weapons count if heroes hold them or might take them (R4.3)."""
    values_held: list[CardValue] = []
    free: list[CardValue] = []
    strengths: list[int] = []
    for slot in hand:
        value = values[slot.form or slot.card]
        if value.spec.is_weapon:
            free.append(value)
            continue
        values_held.append(value)
        if value.spec.is_hero:
            if slot.weapons:
                values_held += [values[weapon.card] for weapon in slot.weapons]
            else:
                strengths.append(value.reach)
    if free and strengths:
        strengths.sort(reverse=True)
        values_held += [value for strength, value in zip(strengths, free, strict=False) if value.reach <= strength]
    attack, magic = sum([value.attack for value in values_held]), sum([value.magic for value in values_held])
    gold = sum([values[slot.form or slot.card].spec.gold or 0 for slot in hand])
    ill = DISEASE in [slot.card for slot in hand]
    return Glance(attack, magic, sum([value.sure_light for value in values_held]), gold, ill)


def _beats(guard: CardSpec | None, glance: Glance, foe: Foe, rank: int) -> bool:
    """True for a monster that the hand seems to beat (R5.5, R5.10 to R5.14)."""
    if guard is None or not guard.is_monster:
        return False
    total = 0 if "only-magic" in guard.has else glance.attack
    total += 0 if "magic-attack" in guard.immune else glance.magic
    dark = guard.light_penalty + rank - glance.light
    if rank and dark > 0:
        total -= 2 * dark
    return (total // 2 if guard.halves else total) >= guard.health - foe.wounds
