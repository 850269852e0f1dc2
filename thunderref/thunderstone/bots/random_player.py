"""What a random player does: any legal action, but what a beginner who wants to win would do is likelier.

They use only their options, their hand and open cards, and do not look ahead. They go to the dungeon if a rough sum of
the hand beats a monster there, and now and then in vain: the attacked monster leaves the hall, beaten or not (R6.1,
R6.2), and goes below the Thunderstone, so that every such turn brings the game nearer to its end. Otherwise they go to
the village, rather with much gold, and buy what is dear and gives Attack. They rest to be rid of Disease.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from thunderref.database.operations import Bonus
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.cards import Cards, CardSpec
from thunderref.thunderstone.rules.choices import KINDS, Attack, Buy, Choice, Pick, Several, Turn, cards_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import targets
from thunderref.thunderstone.rules.position import DISEASE, Foe, Position, Slot

LIKELY = {
    "equip": 200, "use": 100, "attack": 50, "leave": 50, "forgo": 1, "count": 50, "buy": 100, "level_up": 60, "end": 5,
}  # fmt: skip
"""How likely an action of each kind is beside the others that are legal."""
WEIGHTS = {kind: LIKELY[name] for kind, name in KINDS.items()}
HOPEFUL, HOPELESS, VAIN = 2000, 90, 3
"""How likely the dungeon is if the hand seems to beat a monster in the hall, if it does not, and if it is in vain.

In vain is a lost battle after which no monster leaves the hall (R6.8): then better cards must be bought first.
"""
GOLD = 2
"""How likely the village is, times the square of the gold in the hand."""
ILL, WELL = 30, 1
"""How likely a rest is with Disease in the hand, and without."""
PENALTY = 10
"""How likely they are to take a monster as a penalty card rather than to fight it (R9.6)."""
WINNING, LOSING = 12, 1
"""How likely they are to attack a monster that the hand seems to beat, and another one."""
HERO = 3
"""How much rather they buy a hero than another card that costs and gives as much."""
PARTING = frozenset({"destroy", "discard", "pick"})
WASTE, CHEAP, DEAR = 48, 12, 2
"""How likely they are to part with Disease, with a card that costs nothing, how much less with each gold it costs."""


@dataclass
class Worth:
    """What a card gives at a glance, without anything conditional.

    ``arms`` is 1 for a hero, -1 for a weapon, else 0; ``strength`` is a hero's Strength or a weapon's weight.
    ``wanted`` is how likely the card is bought, ``lost`` how likely they part with it.
    """

    attack: int
    magic: int
    light: int
    gold: int
    arms: int
    strength: int
    wanted: int
    lost: int


@dataclass
class Glance:
    attack: int
    magic: int
    light: int
    gold: int
    ill: bool


def random(view: View, choices: Sequence[Choice]) -> Choice:
    return drawn(view.game, view.position, choices, view.random.fraction)


def drawn(game: Game, position: Position, options: Sequence[Choice], random: Callable[[], float]) -> Choice:
    """One of the legal actions ``options`` (at least one); ``random`` gives numbers from 0 to below 1."""
    if len(options) == 1:
        return options[0]
    if position.todo and getattr(options[-1], "key", "") not in PARTING:
        return options[int(random() * len(options))]
    return chosen(game, position, options, lambda weights: weighted(weights, random))


def chosen(game: Game, position: Position, options: Sequence[Choice], pick: Callable[[Sequence[int]], int]) -> Choice:
    """The action that ``pick`` finds: it gets how likely each of some is, and gives the place of one of them."""
    if position.todo:
        if getattr(options[-1], "key", "") in PARTING:
            worths = worths_of(game.cards)
            return options[pick([_parting(worths, option) for option in options])]
        return options[pick([1] * len(options))]
    if position.phase == "choose":
        return options[pick(_turns(game.cards, position, options))]
    choice = options[pick([WEIGHTS[type(option)] for option in options])]
    if isinstance(choice, Buy):
        worths, bought = worths_of(game.cards), [option for option in options if isinstance(option, Buy)]
        return bought[pick([worths[option.card].wanted for option in bought])]
    if isinstance(choice, Attack):
        attacks = [option for option in options if isinstance(option, Attack)]
        if len(attacks) > 1:
            return attacks[pick(_attacks(game.cards, position, attacks))]
    return choice


def weighted(weights: Sequence[int], random: Callable[[], float]) -> int:
    sums = [*accumulate(weights)]
    return bisect_right(sums, random() * sums[-1])


def _turns(cards: Cards, state: Position, options: Sequence[Choice]) -> list[int]:
    glance = _glance(worths_of(cards), state.hand)
    dungeon = HOPELESS
    for rank, foe in enumerate(state.hall, 1):
        guard = cards.get(foe.card)
        if _beats(guard, glance, foe, rank):
            dungeon = HOPEFUL
            break
        if guard is not None and "hall-locked" in guard.has:  # it keeps all others in the hall
            dungeon = VAIN
    village, rest = 1 + GOLD * glance.gold * glance.gold, ILL if glance.ill else WELL
    weights = {"village": village, "dungeon": dungeon, "rest": rest, "penalty": PENALTY}
    return [weights[option.kind] for option in options if isinstance(option, Turn)]


def _attacks(cards: Cards, state: Position, attacks: Sequence[Attack]) -> list[int]:
    glance = _glance(worths_of(cards), state.hand)
    foes = [(state.hall[a.rank - 1] if a.rank else state.rank0[a.place], a.rank) for a in attacks]
    return [WINNING if _beats(cards.get(foe.card), glance, foe, rank) else LOSING for foe, rank in foes]


def beaten(cards: Cards, state: Position) -> list[tuple[int, int, Foe]]:
    """Rank, place within rank 0, and card of the monsters that the hand seems to beat."""
    glance = _glance(worths_of(cards), state.hand)
    return [target for target in targets(state) if _beats(cards.get(target[2].card), glance, target[2], target[0])]


def _parting(worths: dict[str, Worth], answer: Choice) -> int:
    if isinstance(answer, (Pick, Several)) and answer.key in PARTING:
        for card in cards_of(answer):
            return worths[card].lost
    return CHEAP


def _glance(worths: dict[str, Worth], hand: Sequence[Slot]) -> Glance:
    """What the hand gives; weapons count if heroes hold them or might take them (R4.3)."""
    attack = magic = light = gold = 0
    ill = False
    held: list[Worth] = []
    free: list[Worth] = []
    strengths: list[int] = []
    for slot in hand:
        worth = worths[slot.form or slot.card]
        gold += worth.gold
        if worth.arms < 0:
            free.append(worth)
            continue
        held.append(worth)
        if worth.arms:
            if slot.weapons:
                held += [worths[weapon.card] for weapon in slot.weapons]
            else:
                strengths.append(worth.strength)
        elif slot.card == DISEASE:
            ill = True
    if free and strengths:
        strengths.sort(reverse=True)
        held += [worth for strength, worth in zip(strengths, free, strict=False) if worth.strength <= strength]
    for worth in held:
        attack += worth.attack
        magic += worth.magic
        light += worth.light
    return Glance(attack, magic, light, gold, ill)


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


@lru_cache(maxsize=8)
def worths_of(cards: Cards) -> dict[str, Worth]:
    return {spec.id: _worth(spec) for spec in cards.values()}


def _worth(spec: CardSpec) -> Worth:
    given = {
        "attack": spec.attack, "magic_attack": spec.magic_attack, "light": 0 if spec.is_monster else spec.light,
        "strength": spec.weight if spec.is_weapon else spec.strength,
    }  # fmt: skip
    for operation in spec.passive:
        if isinstance(operation, Bonus) and operation.when is None:
            given[operation.stat] += operation.amount
    attack, magic, light = given["attack"], given["magic_attack"], given["light"]
    return Worth(
        attack, magic, light, spec.gold or 0, 1 if spec.is_hero else -1 if spec.is_weapon else 0, given["strength"],
        wanted=((1 + spec.cost) * (1 + 2 * max(0, attack + magic + light))) ** 2 * (HERO if spec.is_hero else 1),
        lost=WASTE if spec.id == DISEASE else max(1, CHEAP - DEAR * spec.cost),
    )  # fmt: skip
