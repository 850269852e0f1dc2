"""The battle value against one target, in the order of R5."""

from __future__ import annotations

from thunderref.database.operations import Barred, Halve, OthersHealthier
from thunderref.thunderstone.rules.explanation import Term, Totals, fold
from thunderref.thunderstone.rules.figures import free_terms, sums
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import (
    DISEASE,
    FORGONE,
    SPELL_USED,
    WEAPON_USED,
    Battle,
    Foe,
    Position,
    Slot,
    Target,
    replace,
)
from thunderref.thunderstone.rules.readings import DISEASE_SUMS, HALF_ATTACK, NEGATIVE_MAGIC, WEAPON_GONE


def health(game: Game, state: Position, foe: Foe) -> int:
    """A monster's Health with wounds taken and what guardians in rank 0 add (R5.14)."""
    more = sum(amount for _, amount in _guarded(game, state, foe)) if state.rank0 else 0
    return game.cards[foe.card].health - foe.wounds + more


def _guarded(game: Game, state: Position, foe: Foe) -> list[tuple[str, int]]:
    return [
        (guardian.card, operation.amount)
        for guardian in state.rank0
        if guardian is not foe
        for operation in game.cards[guardian.card].breach
        if isinstance(operation, OthersHealthier)
    ]


def light_penalty(party: Party, target: Target, light: int | None = None) -> tuple[int, tuple[Term, ...]]:
    """The light penalty of R5.11 in points of Light, and how it comes about; ``light`` if it is added up already."""
    if target.rank == 0:
        return 0, (Term("no-penalty", target.spec.id, rules=("R5.11",)),)
    own = target.spec.light_penalty
    for given in party.given:
        if given.operation.op == "ignore-light-penalties" and not party.idles(given.source, target):
            return 0, (Term("ignored-penalty", given.source.card, rules=("R5.11",)),)
    key = "penalty"
    if "light-useless" in target.spec.has:
        key, light = "penalty-fixed", 0
    elif light is None:
        light = fold(sums(party, target))[2]
    left = max(0, target.rank + own - light)
    numbers = (("rank", target.rank), ("own", own), ("light", light), ("penalty", left))
    return left, (Term(key, target.spec.id, -2 * left, rules=("R5.11", "R5.12"), params=numbers),)


def disease_options(party: Party, target: Target, battle: Battle) -> tuple[str, ...]:
    """Where the next Disease may go (R5.6, R5.6y): ``attack``, ``magic_attack``, both or neither."""
    if party.game.rules.any_loss:
        return ("attack", "magic_attack")
    if DISEASE_SUMS in party.game.readings:
        _, (attack, magic, _) = _multiplied(party, target, [*sums(party, target)])
    else:
        attack, magic, _ = fold(sums(party, replace(target, battle=None)))
    left = (("attack", attack - battle.disease_attack), ("magic_attack", magic - battle.disease_magic))
    return tuple(stat for stat, n in left if n >= 1)


def bar(party: Party, target: Target) -> str | None:
    """Why the target may not be attacked (R5.1): ``light-penalty``, ``spell-used``, ``weapon-equipped`` or None."""
    for trait in target.spec.traits:
        if not isinstance(trait, Barred):
            continue
        if trait.when == "light-penalty" and light_penalty(party, target)[0] > 0:
            return "light-penalty"
        if trait.when == "spell-used" and (party.state.benefits & SPELL_USED or spells_at_work(party, target)):
            return "spell-used"
        if trait.when == "weapon-equipped":
            gone = party.state.benefits & WEAPON_USED and WEAPON_GONE not in party.game.readings
            if gone or party.any_armed(target):
                return "weapon-equipped"
    return None


def spells_at_work(party: Party, target: Target) -> list[Slot]:
    """The spells that give their value without being used, unless forgone (R5.1)."""
    spells = [slot for slot, spec in party.cards if spec.is_spell and not slot.flags & FORGONE]
    return [spell for spell in spells if any(fold(free_terms(party, spell, target)))]


def totals(party: Party, target: Target, foe: Foe) -> Totals:
    """The value of the battle under way: every term, the sums, the penalty, the total and whether it wins.

    Raises ValueError for a target whose battle has not begun.
    """
    if target.battle is None:
        raise ValueError("there is no battle to add up")
    losses = ((target.battle.disease_attack, 0), (0, target.battle.disease_magic))
    disease = [Term("disease", DISEASE, -attack, -magic, 0, ("R5.6",)) for attack, magic in losses if attack or magic]
    if DISEASE_SUMS in party.game.readings and not party.game.rules.any_loss:
        terms, _ = _multiplied(party, target, [*sums(party, target)])
        terms += disease
        return _against(party, target, foe, terms, fold(terms))
    return _against(party, target, foe, *_multiplied(party, target, [*sums(party, target), *disease]))


def _multiplied(party: Party, target: Target, terms: list[Term]) -> tuple[list[Term], tuple[int, int, int]]:
    """The terms with immunity to Magic Attack, multipliers and Magic Attack Only (R5.5, R5.9, R5.10), and the sums."""
    attack, magic, light = fold(terms)
    below = NEGATIVE_MAGIC in party.game.readings
    if target.immune_to("magic-attack") and (magic or any(t.magic for t in terms)):
        terms.append(Term("immune.magic", target.spec.id, 0, -magic, 0, ("R5.5",)))
        magic = 0
    for given in party.given:
        if (magic > 0 or below) and given.operation.op == "double" and not party.idles(given.source, target):
            terms.append(Term("double", given.source.card, 0, magic, 0, ("R5.9",)))
            magic *= 2
    for trait in target.spec.traits:
        if isinstance(trait, Halve) and trait.what == "magic_attack" and (magic > 0 or below):
            less = magic - magic // 2
            terms.append(Term("halve-magic", target.spec.id, 0, -less, 0, ("R5.9", "R0.2")))
            magic -= less
    if "only-magic" in target.spec.has:
        terms.append(Term("only-magic", target.spec.id, -attack, 0, 0, ("R5.10",)))
        attack = 0
    return terms, (attack, magic, light)


def _against(party: Party, target: Target, foe: Foe, terms: list[Term], found: tuple[int, int, int]) -> Totals:
    attack, magic, light = found
    penalty, reductions = light_penalty(party, target, light)
    needed = health(party.game, party.state, foe)
    total = attack + magic
    steps: list[Term] = []
    halves = [trait for trait in target.spec.halves if not _spared(party, trait, target, magic)]
    if HALF_ATTACK in party.game.readings:
        total = _halved(total, halves, target, steps)
        halves = []
    steps += reductions
    total -= 2 * penalty
    if total < 0:
        steps.append(Term("below-zero", target.spec.id, -total, rules=("R5.12",)))
        total = 0
    total = _halved(total, halves, target, steps)
    if needed != target.spec.health or foe.wounds:
        changes = (("", -foe.wounds),) if foe.wounds else ()
        numbers = (("base", target.spec.health), ("changes", (*changes, *_guarded(party.game, party.state, foe))))
        steps.append(Term("needed", target.spec.id, rules=("R5.14",), params=numbers))
    victory = total >= needed
    if victory and magic < 1 and "needs-magic" in target.spec.has:
        steps.append(Term("needs-magic", target.spec.id, rules=("R5.14",)))
        victory = False
    return Totals(tuple(terms), attack, magic, light, penalty, tuple(steps), total, needed, victory)


def _halved(total: int, halves: list[Halve], target: Target, steps: list[Term]) -> int:
    for trait in halves:
        if total >= 0:
            less = total - total // 2
            steps.append(Term(f"halve.{trait.unless or 'hand'}", target.spec.id, -less, rules=("R5.13", "R0.2")))
            total -= less
    return total


def _spared(party: Party, trait: Halve, target: Target, magic: int) -> bool:
    if trait.unless == "magic-attack":
        return magic >= 1
    if trait.unless == "weapon":
        return party.any_armed(target)
    return trait.unless_hand is not None and party.count(trait.unless_hand) > 0
