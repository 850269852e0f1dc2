"""Plays a given plan through the oracle, so that the examples of the cards can be put to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import oracle
from .oracle import Battle, Fight, NotCoveredError, Position

Plan = Sequence[dict[str, Any]]
KEYS = {"use", "effect", "equip", "to", "on", "destroy", "bottom", "order", "take", "top", "discard", "borrow", "draw"}
KEYS |= {"recruit", "militia", "copy", "show", "others", "borrow-from"}
"""The rule against naming a card there that is not in play (R4.2), where it is plain."""
CARD_KEYS = ("use", "equip", "to", "on", "destroy", "discard", "borrow", "militia", "copy")
VILLAGERS = ("illusory-blade", "diin-enchanter")
WINNERS = ("elf-sorcerer",)
"""Heroes whose only effect follows a victory."""
HEADS = ("use", "effect", "equip")


class RefusedError(Exception):
    """The oracle finds no legal way to follow the plan; ``rule`` says which rule is against it, if that is plain."""

    def __init__(self, why: object, rule: str | None = None) -> None:
        super().__init__(why)
        self.rule = rule


@dataclass
class Turn:
    """All that a plan may come to: by monster and rank the ways to end, or no battle at all."""

    battles: dict[tuple[str, int], list[Battle]]
    quiet: list[Position]
    """Where no battle is: the positions in which the turn ends (R4.6, R4.8)."""


def copies(p: Position, name: str) -> list[int]:
    return [card for card, known in enumerate(p.names) if known == name]


def named(p: Position, text: str) -> int:
    """The copy a plan means: ``#n`` the n-th, a bare name the first one still in play; refused if there is none."""
    name, _, number = text.partition("#")
    found = copies(p, oracle.first_print(name))
    if number:
        if int(number) > len(found):
            raise RefusedError(text)
        return found[int(number) - 1]
    there = [card for card in found if card in p.hand]
    if not there:
        raise RefusedError(text)
    return there[0]


# --- preparation ---


def follow_one(p: Position, step: dict[str, Any]) -> list[Position]:
    """Every position after a step; what it leaves open is chosen in every way, what may be declined is declined."""
    if p.over:
        return []
    if "forgo" in step:
        return [forgo(p, named(p, step["forgo"]))]
    if not step.keys() <= KEYS:
        raise NotCoveredError(str(sorted(step.keys() - KEYS)))
    found = []
    unknown_village = p.village is None and ("draw" in step or "recruit" in step)
    if p.village is None and step.get("use", "").partition("#")[0] in VILLAGERS and not unknown_village:
        raise NotCoveredError("a village that nobody knows")
    if unknown_village:  # any card may lie there
        p = replace(p, village=((step.get("draw", step.get("recruit")), -1),))
    for label, q in oracle.steps(p):
        if q.forgone == p.forgone and fits(p, label, step, over=q.over):
            found.append(replace(q, village=None) if unknown_village else q)
    return found


def followed(positions: list[Position], step: dict[str, Any]) -> list[Position]:
    """The step taken wherever it may be; refused if it may be nowhere."""
    found: list[Position] = []
    rules = {why_not(p, step) for p in positions}
    refusal = RefusedError(step, rules.pop() if len(rules) == 1 else None)
    for p in positions:
        try:
            found += follow_one(p, step)
        except RefusedError as why:
            refusal = RefusedError(step, why.rule if len(positions) == 1 and not p.thrown else None)
    if not found:
        raise refusal
    return found


def why_not(p: Position, step: dict[str, Any]) -> str | None:
    """The rule against a step that cannot be taken, where one look at it tells."""
    if p.over:
        return "R4.6"
    if "forgo" in step:
        return None
    try:
        card = named(p, step.get("use", step.get("equip", "")))
        hero = named(p, step["to"]) if "equip" in step else card
    except RefusedError:
        return None  # never there, destroyed, discarded or lent: that takes more than one look
    if not {card, hero} <= p.hand | p.thrown or oracle.CARDS[p.name(card)]["kind"] in ("monster", "guardian"):
        return None
    name, number = p.name(card), step.get("effect", 1)
    if "equip" in step:
        return "R4.3"
    if name in ("clay-golem", "claymore"):
        return None
    printed = [effect["timing"] for effect in oracle.CARDS[name].get("effects", ())]
    timings = [timing for timing in printed if "dungeon" in timing]
    if not timings and "village" in printed:
        return "R2.1"
    if name in WINNERS:
        return "R6.5"
    if not 1 <= number <= len(timings):
        return "R4.1"
    if card in p.forgone:
        return "R5.1"
    if "weapon" in p.types(card) and all(weapon != card for weapon, _ in p.holds):
        return "R4.3"
    return "R2.4" if (card, number) in p.used and "repeat" not in timings[number - 1] else None


def forgo(p: Position, card: int) -> Position:
    """The benefit of a spell or an item that has not been taken yet may be forgone (R5.1)."""
    types, kind = p.types(card), oracle.CARDS[p.name(card)]["kind"]
    if card in p.hand and kind in ("disease", "monster", "guardian"):
        raise RefusedError("mandatory", "R4.1" if kind == "disease" else "R8.1")
    if card not in p.hand or not ("spell" in types or "item" in types) or "weapon" in types:
        raise RefusedError("no benefit to forgo", "R5.1")
    if card in p.forgone or any(used == card for used, _ in p.used):
        raise RefusedError("taken already", "R5.1")
    return replace(p, forgone=p.forgone | {card})


def fits(p: Position, label: dict[str, Any], step: dict[str, Any], *, over: bool) -> bool:
    """Does this way of taking the step choose what the plan names?"""
    said = label["said"]
    asked = {key for _, key, _, _ in said}
    wanted = {**step}
    if "use" in wanted:
        wanted.setdefault("effect", 0 if p.name(named(p, wanted["use"])) == "clay-golem" else 1)
    for key in wanted.keys() - asked - {"others"}:
        value = wanted[key]
        if over and key not in label and key not in (*HEADS, "bottom", "order", "take"):
            continue  # the game ended before this was asked (R4.6)
        if isinstance(value, list) and key in CARD_KEYS:
            if len(value) != 1:
                return False
            value = value[0]
        if key == "borrow" and key in label and value == p.names[label[key]]:
            continue  # it lies on the discard pile, so the name alone will do
        if key not in label or label[key] != (named(p, value) if key in CARD_KEYS else value):
            return False
    if label.keys() & {"borrow", "borrow-from"} - wanted.keys():
        return False
    card = p.names[named(p, wanted["use"])] if "use" in wanted else ""
    return all(answered(said, card, key, wanted.get(key, [])) for key in asked)


def answered(said: Iterable[oracle.Said], card: str, key: str, value: Any) -> bool:
    """The values of one key answer those who ask one after the other; the last ones are kept for the card itself."""
    asking = [each for each in said if each[1] == key]
    if key == "order":
        return not value or ordered(asking[0][2], value)
    declines = value is None and key == "show"  # which says more than to leave it open
    left = list(value) if isinstance(value, list) else [value] if declines or value is not None else []
    for place, (by, _, names, optional) in enumerate(asking):
        kept = sum(other[0] == card for other in asking[place + 1 :]) if by != card else 0
        if names == (None,) and len(left) > kept and left[0] is not None:
            continue  # to show another card is to decline
        if len(left) > kept:
            if left.pop(0) not in names:
                return False
        elif optional and key != "show":  # whether a card is shown that spares may be left open
            return False
    return not left


def ordered(places: tuple[Any, ...], wanted: Any) -> bool:
    """An order names the monsters by name or by the rank they stand at; None is empty or unknown."""
    if not isinstance(wanted, list) or len(wanted) > oracle.RANKS:
        return False
    there = [*wanted, *[None] * (oracle.RANKS - len(wanted))]
    return all(name in names for name, names in zip(there, places, strict=True))


def given_away(p: Position) -> list[Position]:
    """The trophies that the plan leaves open, given in every way."""
    golems = oracle.owed(p)
    if not golems:
        return [p]
    step = {"use": golems[0], "effect": 0}
    after = [q for label, q in oracle.steps(p) if all(label.get(key) == value for key, value in step.items())]
    return [r for q in after for r in given_away(q)]


# --- the battle and after ---


def chosen(fight: Fight, battle: Battle, steps: Plan) -> bool:
    """Does this way of fighting make the choices that the plan names?"""
    p, choices = fight.p, battle.choices
    diseases = [step["disease"] for step in steps if "disease" in step]
    if list(choices["disease"][: len(diseases)]) != diseases:
        return False
    lost = dict(choices["losses"])
    picked = {"cannot-attack": choices["haunt"], "destroy": choices["destroy"]}
    for step in steps:
        what = step.get("battle")
        if what in ("cannot-attack", "destroy") and picked.pop(what, None) != named(p, step["pick"]):
            return False
        if what == "lose" and lost.pop(named(p, step["hero"]), None) != step["from"]:
            return False
    return True


def settled(p: Position, battle: Battle, steps: Plan) -> Battle | None:
    """The end of the turn with the purchases of the plan, if its choices after the outcome are these."""
    bought = [step["buy"] for step in steps if "buy" in step]
    if not oracle.may_buy(p, list(battle.rights), bought):
        return None
    open_ = list(battle.said)
    for step in steps:
        if "buy" in step:
            continue
        asking = [said for said in open_ if said[1] == next(iter(step)) in ("discard", "show")]
        while len(asking) > 1 and asking[0][2] == (None,) and step.get("show") is not None:
            open_.remove(asking.pop(0))
        answer = next((said for said in asking[:1] or open_ if answers(said, step)), None)  # in the order of asking
        if answer is None:
            return None
        open_.remove(answer)
    if any(optional for _, _, _, optional in open_):
        return None
    return replace(battle, gained=[*battle.gained, *bought])


def answers(said: oracle.Said, step: dict[str, Any]) -> bool:
    by, key, names, _ = said
    if key in ("discard", "show"):
        return bool(step.get(key) in names and step.keys() == {key})
    head = step.get("use", step.get("breach"))
    if head is None or head.partition("#")[0] != by:
        return False
    if by == "sphinx":
        value = step.get(key)
        return value is not None and tuple(sorted(value if isinstance(value, list) else [value])) == names
    value = step.get(key)
    return (tuple(value) if isinstance(value, list) else value) in names


# --- a plan ---


def follow(scenario: dict[str, Any]) -> Turn:
    """All that a plan may come to. Raises RefusedError for an illegal plan.

    Where others have a choice that the plan does not name, the turn is the one that goes worst for the player.
    """
    start, goal = oracle.begin(scenario), scenario.get("goal", "win")
    turns = [follow_from(p, scenario) for p in oracle.worlds(start, wishes(start, scenario["plan"]))]

    def worth(turn: Turn) -> list[tuple[int, ...]]:
        return [max(battle.worth(goal) for battle in turn.battles[key]) for key in sorted(turn.battles)]

    return min(turns, key=worth)


def wishes(p: Position, plan: Plan) -> tuple[oracle.Wish, ...]:
    """What the steps of the plan say that the others give up, from the left."""
    found: list[oracle.Wish] = []
    for step in plan:
        for seat, card in enumerate(step.get("others", ())):
            if seat >= len(p.others) or (card is not None and card not in p.others[seat]):
                raise RefusedError(step, "R4.7")
            if card is not None:
                found.append((seat, step["use"].partition("#")[0], card))
    return tuple(found)


def follow_from(start: Position, scenario: dict[str, Any]) -> Turn:
    """The same where it is settled what the others like."""
    plan: Plan = scenario["plan"]
    positions = [start]
    at = next((n for n, step in enumerate(plan) if "attack" in step), len(plan))
    in_battle = [step for step in plan if "disease" in step or "battle" in step]
    before = [step for step in plan[:at] if step not in in_battle]
    after = [step for step in plan[at + 1 :] if step not in in_battle]
    gifts = [step for step in after if "on" in step]  # a trophy may be given as late as the attack (R8.1)
    after = [step for step in after if step not in gifts]
    attack = plan[at] if at < len(plan) else None
    if any("attack" in step for step in after):
        raise RefusedError("a second attack", "R2.1")
    if any(step.keys() & {"buy", "breach"} or step.keys() in ({"discard"}, {"show"}) for step in before):
        raise RefusedError("too early", "R2.1")
    for step in (*before, *gifts):
        positions = followed(positions, step)
    positions = [q for p in positions for q in (given_away(p) if not p.over else [p])]
    ruleset = scenario.get("ruleset", "print")
    fights = {p: [] if p.over else list(oracle.fights(p, ruleset, forgo=False)) for p in positions}
    battles: dict[tuple[str, int], list[Battle]] = {}
    for p in positions:
        for fight in fights[p]:
            if fight.barred() or not (attack is None or declared(p, fight, attack)):
                continue
            for battle in oracle.endings(p, fight, whole=True):
                end = settled(p, battle, after) if chosen(fight, battle, in_battle) else None
                if end is not None:
                    battles.setdefault((fight.foe, fight.rank), []).append(end)
    if attack is not None and not battles:
        raise RefusedError("no way to follow the plan", why_no_end(positions, fights, attack, in_battle, after))
    quiet = [p for p in positions if all(fight.barred() for fight in fights[p])]
    if attack is None and (after or (quiet and in_battle)):
        raise RefusedError("no battle", "R5.1")
    return Turn(battles, quiet if attack is None else [])


def why_no_end(
    positions: list[Position], fights: dict[Position, list[Fight]], attack: dict[str, Any], inside: Plan, after: Plan
) -> str | None:
    """The rule against the attack of a plan, or against the only other step that could be at fault."""
    if all(p.over for p in positions):
        return "R4.6"
    declared_ = [fight for p in positions for fight in fights[p] if declared(p, fight, attack)]
    if all(fight.barred() for fight in declared_):
        return "R5.1"
    if not after and inside and all("disease" in step for step in inside):
        return "R5.6"
    if not inside and after and all("buy" in step for step in after):
        lost = [not battle.victory for fight in declared_ if not fight.barred() for battle in fight.ways()]
        return "R6.4" if lost and all(lost) else None
    return None


def declared(p: Position, fight: Fight, attack: dict[str, Any]) -> bool:
    """Is this what the plan attacks? In rank 0 the first one if it does not say which."""
    if fight.rank != attack["attack"] or attack.get("monster", fight.foe) != fight.foe:
        return False
    same = [slot for slot in p.rank0 if slot[0] == attack.get("monster", slot[0])]
    return fight.rank != 0 or fight.slot == same[0]


def replay(scenario: dict[str, Any]) -> Battle:
    """The best battle of a plan, what it leaves open played for the goal. Raises RefusedError for an illegal plan."""
    goal = scenario.get("goal", "win")
    ways = [battle for found in follow(scenario).battles.values() for battle in found]
    if not ways:
        raise RefusedError("no battle", "R4.8")
    return max(ways, key=lambda battle: battle.worth(goal))
