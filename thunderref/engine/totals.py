"""The battle value against one target, in the order of R5."""

from __future__ import annotations

from thunderref.engine.party import Party
from thunderref.engine.readings import DISEASE_SUMS, HALF_ATTACK, NEGATIVE_MAGIC
from thunderref.engine.state import FORGONE, Battle, Foe, State, Table
from thunderref.engine.target import Target
from thunderref.engine.values import replace
from thunderref.engine.worth import free_terms, sums
from thunderref.explain.terms import Term, Totals, fold
from thunderref.model.effect import Halve


def target_of(table: Table, foe: Foe, rank: int, battle: Battle | None = None) -> Target:
    """The monster as a target at this rank; ``battle`` None means before the battle begins."""
    return Target(table.book.specs[foe.card], rank, battle)


def health(table: Table, state: State, foe: Foe) -> int:
    """A monster's Health with wounds taken and what guardians in rank 0 add (R5.14)."""
    more = sum(amount for _, amount in _guarded(table, state, foe)) if state.rank0 else 0
    return table.book.specs[foe.card].health - foe.wounds + more


def _guarded(table: Table, state: State, foe: Foe) -> list[tuple[str, int]]:
    """What each guardian in rank 0 adds to the Health of this monster."""
    return [
        (guardian.card, operation.amount)
        for guardian in state.rank0
        if guardian is not foe
        for operation in table.book.specs[guardian.card].breach
        if operation.op == "others-healthier"
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
    if target.has("light-useless"):
        key, light = "penalty-fixed", 0
    elif light is None:
        light = fold(sums(party, target))[2]
    left = max(0, target.rank + own - light)
    numbers = (("rank", target.rank), ("own", own), ("light", light), ("penalty", left))
    return left, (Term(key, target.spec.id, -2 * left, rules=("R5.11", "R5.12"), params=numbers),)


def disease_options(party: Party, target: Target, battle: Battle) -> tuple[str, ...]:
    """Where the next Disease may go (R5.6, R5.6y): ``attack``, ``magic_attack``, both or neither."""
    if party.table.ruleset == "yucata":
        return ("attack", "magic_attack")
    if DISEASE_SUMS in party.table.readings:
        _, (attack, magic, _) = _multiplied(party, target, [*sums(party, target)])
    else:
        attack, magic, _ = fold(sums(party, replace(target, battle=None)))
    found = []
    if attack - battle.disease_attack >= 1:
        found.append("attack")
    if magic - battle.disease_magic >= 1:
        found.append("magic_attack")
    return tuple(found)


def bar(party: Party, target: Target) -> str | None:
    """Why the target may not be attacked (R5.1): ``light-penalty``, ``spell-used``, ``weapon-equipped`` or None."""
    for trait in target.spec.traits:
        if trait.op != "barred":
            continue
        if trait.when == "light-penalty" and light_penalty(party, target)[0] > 0:
            return "light-penalty"
        if trait.when == "spell-used" and (party.state.spell_used or _spell_counts(party, target)):
            return "spell-used"
        if trait.when == "weapon-equipped" and party.any_armed(target):
            return "weapon-equipped"
    return None


def _spell_counts(party: Party, target: Target) -> bool:
    """True if some spell gives Attack, Magic Attack or Light against this target."""
    return any(
        spec.is_spell and not slot.flags & FORGONE and any(fold(free_terms(party, slot, target)))
        for slot, spec in party.cards
    )


def totals(party: Party, target: Target, foe: Foe) -> Totals:
    """The value of the battle under way: every term, the sums, the penalty, the total and whether it wins.

    Raises ValueError for a target whose battle has not begun.
    """
    if target.battle is None:
        raise ValueError("there is no battle to add up")
    disease = _disease(target.battle)
    if DISEASE_SUMS in party.table.readings and party.table.ruleset == "print":
        terms, _ = _multiplied(party, target, [*sums(party, target)])
        terms += disease
        found = fold(terms)
    else:
        terms, found = _multiplied(party, target, [*sums(party, target), *disease])
    return _against(party, target, foe, terms, found)


def _multiplied(party: Party, target: Target, terms: list[Term]) -> tuple[list[Term], tuple[int, int, int]]:
    """The terms with immunity to Magic Attack, multipliers and Magic Attack Only (R5.5, R5.9, R5.10), and the sums."""
    attack, magic, light = fold(terms)
    below = NEGATIVE_MAGIC in party.table.readings
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
    if target.has("only-magic"):
        terms.append(Term("only-magic", target.spec.id, -attack, 0, 0, ("R5.10",)))
        attack = 0
    return terms, (attack, magic, light)


def _disease(battle: Battle) -> list[Term]:
    taken = []
    if battle.disease_attack:
        taken.append(Term("disease", "disease", -battle.disease_attack, 0, 0, ("R5.6",)))
    if battle.disease_magic:
        taken.append(Term("disease", "disease", 0, -battle.disease_magic, 0, ("R5.6",)))
    return taken


def _against(party: Party, target: Target, foe: Foe, terms: list[Term], found: tuple[int, int, int]) -> Totals:
    attack, magic, light = found
    penalty, reductions = light_penalty(party, target, light)
    needed = health(party.table, party.state, foe)
    total = attack + magic
    steps: list[Term] = []
    halves = [trait for trait in target.spec.halves if not _spared(party, trait, target, magic)]
    if HALF_ATTACK in party.table.readings:
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
        numbers = (("base", target.spec.health), ("changes", (*changes, *_guarded(party.table, party.state, foe))))
        steps.append(Term("needed", target.spec.id, rules=("R5.14",), params=numbers))
    victory = total >= needed
    if victory and magic < 1 and target.has("needs-magic"):
        steps.append(Term("needs-magic", target.spec.id, rules=("R5.14",)))
        victory = False
    return Totals(tuple(terms), attack, magic, light, penalty, tuple(steps), total, needed, victory)


def _halved(total: int, halves: list[Halve], target: Target, steps: list[Term]) -> int:
    """The total after half-attack traits, each noted in ``steps``; a total below 0 is left alone."""
    for trait in halves:
        if total >= 0:
            less = total - total // 2
            reason = trait.unless or "hand"
            steps.append(Term(f"halve.{reason}", target.spec.id, -less, rules=("R5.13", "R0.2")))
            total -= less
    return total


def _spared(party: Party, trait: Halve, target: Target, magic: int) -> bool:
    if trait.unless == "magic-attack":
        return magic >= 1
    if trait.unless == "weapon":
        return party.any_armed(target)
    return trait.unless_hand is not None and party.count(trait.unless_hand) > 0
