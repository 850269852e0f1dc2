"""What a random player does: any legal action, but what a beginner who wants to win would do is likelier.

He reads nothing but his options, his hand and what lies open, and looks no step ahead; a choice costs no more than a
look at every option and every card of the hand. Nothing legal is impossible, however unlikely.

He goes to the dungeon when a rough sum of his hand beats somebody there, and now and then in vain: the attacked monster
leaves the hall, beaten or not (R6.1, R6.2), and lands below the Thunderstone, so that every such turn brings the game
nearer to its end. Otherwise he goes to the village, rather with much gold, and buys what is dear and gives Attack. He
rests to be rid of Disease.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from thunderref.engine.book import Book, Spec
from thunderref.engine.game import WAYS
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Foe, Slot, State, Table
from thunderref.engine.world import DISEASE
from thunderref.model.effect import Bonus

KINDS = {
    "equip": 200, "use": 100, "attack": 50, "leave": 50, "forgo": 1, "count": 50, "buy": 100, "level_up": 60, "end": 5,
}  # fmt: skip
"""How likely an action of each kind is beside the others that are legal."""
HOPEFUL, HOPELESS, VAIN = 2000, 90, 3
"""How likely the dungeon is with somebody in the hall whom his hand seems to beat, with nobody, and where in vain.

In vain is a lost battle where nobody leaves the hall unbeaten (R6.8): then better cards have to be bought first.
"""
GOLD = 2
"""How likely the village is, times the square of the gold in his hand."""
ILL, WELL = 30, 1
"""How likely a rest is with Disease in his hand, and without."""
PENALTY = 10
"""How likely he is to take a monster as a penalty card rather than to fight it (R9.6)."""
WINNING, LOSING = 12, 1
"""How likely he is to attack a monster that his hand seems to beat, and another one."""
HERO = 3
"""How much rather he buys a hero than another card that costs and gives as much."""
PARTING = frozenset({"destroy", "discard", "pick"})
"""Choices of cards that are lost."""
WASTE, CHEAP, DEAR = 48, 12, 2
"""How likely he is to part with Disease, with a card that costs nothing, and how much less with each gold it costs."""


class Worth(NamedTuple):
    """What a card gives at a glance, without anything that hangs on conditions.

    ``arms`` is 1 for a hero, -1 for a weapon, else 0; ``strength`` is a hero's Strength or a weapon's weight.
    ``wanted`` is how likely the card is bought, ``lost`` how likely he parts with it.
    """

    attack: int
    magic: int
    light: int
    gold: int
    arms: int
    strength: int
    wanted: int
    lost: int


class Guard(NamedTuple):
    """What a monster asks for at a glance: Attack or Magic Attack that counts (0 or 1 each), Health, light penalty.

    ``half`` if the total is halved, ``locks`` if it keeps all others in the hall.
    """

    attack: int
    magic: int
    health: int
    dark: int
    half: bool
    locks: bool


class Facts(NamedTuple):
    """Every card by its id: what it is worth in a hand, and in the hall."""

    worths: dict[str, Worth]
    guards: dict[str, Guard]


def drawn(table: Table, game: Game, options: Sequence[Action], random: Callable[[], float]) -> Action:
    """One of the legal actions ``options``, of which there must be one; ``random`` gives numbers from 0 to below 1."""
    if len(options) == 1:
        return options[0]
    facts = facts_of(table.book)
    if options[0].kind == "choose":
        if options[-1].a in PARTING:
            return options[weighted([_parting(facts, action) for action in options], random)]
        return options[int(random() * len(options))]
    if game.phase == "choose":
        return options[weighted(_ways(facts, game.state, options), random)]
    action = options[weighted([KINDS[action.kind] for action in options], random)]
    if action.kind == "buy":
        bought = [other for other in options if other.kind == "buy"]
        return bought[weighted([facts.worths[other.a].wanted for other in bought], random)]
    if action.kind == "attack":
        attacks = [other for other in options if other.kind == "attack"]
        if len(attacks) > 1:
            return attacks[weighted(_attacks(facts, game.state, attacks), random)]
    return action


def weighted(weights: Sequence[int], random: Callable[[], float]) -> int:
    """An index drawn in proportion to its whole-number weight."""
    sums = [*accumulate(weights)]
    return bisect_right(sums, random() * sums[-1])


def _ways(facts: Facts, state: State, options: Sequence[Action]) -> list[int]:
    """How likely each kind of turn is (R2.1)."""
    attack, magic, light, gold, ill = _glance(facts.worths, state.hand)
    dungeon = HOPELESS
    for rank, foe in enumerate(state.hall, 1):
        guard = facts.guards.get(foe.card)
        if _beats(guard, attack, magic, light, foe, rank):
            dungeon = HOPEFUL
            break
        if guard is not None and guard.locks:
            dungeon = VAIN
    village, rest = 1 + GOLD * gold * gold, ILL if ill else WELL
    if len(options) == len(WAYS):
        return [village, dungeon, rest]
    weights = {"village": village, "dungeon": dungeon, "rest": rest, "penalty": PENALTY}
    return [weights[action.kind] for action in options]


def _attacks(facts: Facts, state: State, attacks: Sequence[Action]) -> list[int]:
    """How likely each monster is to be attacked."""
    attack, magic, light, _, _ = _glance(facts.worths, state.hand)
    weights = []
    for action in attacks:
        rank = action.a
        foe = state.hall[rank - 1] if rank else state.rank0[action.b]
        beaten = _beats(facts.guards.get(foe.card), attack, magic, light, foe, rank)
        weights.append(WINNING if beaten else LOSING)
    return weights


def _parting(facts: Facts, action: Action) -> int:
    """How likely it is that this card is the one to be lost."""
    value = action.b
    return facts.worths[value[0]].lost if action.a in PARTING and isinstance(value, tuple) else CHEAP


def _glance(worths: dict[str, Worth], hand: Sequence[Slot]) -> tuple[int, int, int, int, bool]:
    """Attack, Magic Attack, Light and gold of the hand, and whether Disease is in it.

    Weapons count as far as heroes hold them or might take them (R4.3).
    """
    attack = magic = light = gold = 0
    ill = False
    free: list[Worth] = []
    strengths: list[int] = []
    for slot in hand:
        card = slot.card
        worth = worths[slot.form or card]
        own_attack, own_magic, own_light, own_gold, arms, strength, _, _ = worth
        gold += own_gold
        if arms < 0:
            free.append(worth)
            continue
        attack += own_attack
        magic += own_magic
        light += own_light
        if arms:
            weapons = slot.weapons
            if not weapons:
                strengths.append(strength)
            for weapon in weapons:
                held = worths[weapon.card]
                attack += held.attack
                magic += held.magic
                light += held.light
        elif card == DISEASE:
            ill = True
    if free and strengths:
        strengths.sort(reverse=True)
        for strength, worth in zip(strengths, free, strict=False):
            if worth.strength <= strength:
                attack += worth.attack
                magic += worth.magic
                light += worth.light
    return attack, magic, light, gold, ill


def _beats(guard: Guard | None, attack: int, magic: int, light: int, foe: Foe, rank: int) -> bool:
    """True for a monster that so much might seems to beat (R5.5, R5.10 to R5.14)."""
    if guard is None:
        return False
    attacked, enchanted, health, dark, half, _ = guard
    total = attack * attacked + magic * enchanted
    dark += rank - light
    if rank and dark > 0:
        total -= 2 * dark
    return (total // 2 if half else total) >= health - foe.wounds


@lru_cache(maxsize=8)
def facts_of(book: Book) -> Facts:
    """What there is to know of every card, read once."""
    specs = book.specs.values()
    return Facts(
        {spec.id: _worth(spec) for spec in specs},
        {
            spec.id: Guard(
                int("only-magic" not in spec.has), int("magic-attack" not in spec.immune), spec.health,
                spec.light_penalty, bool(spec.halves), "hall-locked" in spec.has,
            )
            for spec in specs
            if spec.is_monster
        },
    )  # fmt: skip


def _worth(spec: Spec) -> Worth:
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
