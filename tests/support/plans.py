"""Random plans for random turns: steps that the oracle finds legal, and among them some that may well not be."""

from __future__ import annotations

import random
from typing import Any

from . import oracle
from .oracle import Battle, Fight, Position
from .replay import CARD_KEYS, given_away
from .scenarios import SHOP

Step = dict[str, Any]
AFTER = ("claymore", "elf-sorcerer", "sphinx", "smoke-torment", "lava-torment")


def written(rng: random.Random, p: Position, label: Step, q: Position) -> Step:
    """A step of the oracle as a plan writes it, what may be left out sometimes left out."""
    step: Step = {}
    said: list[oracle.Said] = label["said"]
    asked = {key for _, key, _, _ in said}
    for key, value in label.items():
        if key == "said" or key in asked:
            continue
        if key == "top" and len(set(value)) < 2:
            continue
        if key in CARD_KEYS:
            step[key] = rng.choice(oracle.called(p, value)) if value in p.hand else p.names[value]
        elif key != "effect" or value > 1:
            step[key] = value
    gave = dict(q.given) if q.given != p.given else {}
    if gave:
        step["others"] = [gave.get(seat) for seat in range(len(p.others))]
    for key in dict.fromkeys(key for _, key, _, _ in said):
        names = [rng.choice(names) for _, other, names, _ in said if other == key]
        if key == "order":
            step[key] = [rng.choice(place) for place in said[0][2]]  # type: ignore[call-overload]
        else:
            step[key] = names if len(names) > 1 else names[0]
    return step


def any_card(rng: random.Random, p: Position) -> str:
    """The name of a card that is in play, or was, or may come; now and then of a copy that there may not be."""
    name = rng.choice((*p.names, *p.names, *p.names, *p.deck[:1], "militia"))
    return f"{name}#{rng.randint(1, 3)}" if rng.random() < 0.15 else name


def any_monster(rng: random.Random, p: Position) -> str | int:
    there = [slot[0] for slot in (*p.hall, *p.rank0) if slot and slot[0] != "?"]
    return rng.choice([*there, *p.dungeon[:1], rng.randint(1, 3)]) if there else 1


def any_step(rng: random.Random, p: Position) -> Step:
    """A step of preparation out of the blue."""
    kind = rng.random()
    if kind < 0.35:
        return {"equip": any_card(rng, p), "to": any_card(rng, p)}
    if kind < 0.45:
        return {"forgo": any_card(rng, p)}
    step: Step = {"use": any_card(rng, p)}
    if rng.random() < 0.25:
        step["effect"] = rng.randint(1, 3)
    for key in ("destroy", "on", "discard", "borrow"):
        if rng.random() < 0.25:
            step[key] = any_card(rng, p)
    if rng.random() < 0.3:
        step[rng.choice(("bottom", "take"))] = any_monster(rng, p)
    return step


def bent(rng: random.Random, p: Position, step: Step) -> Step:
    """The step with one thing in it changed, left out, or added."""
    step = dict(step)
    key = rng.choice(list(step))
    chance = rng.random()
    if chance < 0.3 and key not in ("use", "equip", "to", "bottom", "order", "take"):
        del step[key]
    elif chance < 0.45 and "use" in step:
        step[rng.choice(("destroy", "on", "discard"))] = any_card(rng, p)
    elif key in ("bottom", "take"):
        step[key] = any_monster(rng, p)
    elif key == "order":
        rng.shuffle(step[key])
    elif key == "effect":
        step[key] = rng.randint(1, 3)
    elif key in CARD_KEYS and not isinstance(step[key], list):
        step[key] = any_card(rng, p)
    return step


def battle_steps(rng: random.Random, fight: Fight, battle: Battle) -> list[Step]:
    """The choices that this battle makes."""
    choices, p = battle.choices, fight.p
    steps: list[Step] = [{"disease": where} for where in choices["disease"]]
    if choices["haunt"] is not None:
        steps.append({"battle": "cannot-attack", "pick": oracle.called(p, choices["haunt"])[0]})
    if choices["destroy"] is not None:
        steps.append({"battle": "destroy", "pick": oracle.called(p, choices["destroy"])[0]})
    for hero, stat in choices["losses"].items():
        steps.append({"battle": "lose", "hero": oracle.called(p, hero)[0], "from": stat})
    return steps


def any_battle_step(rng: random.Random, p: Position) -> Step:
    return rng.choice(
        (
            {"disease": rng.choice(("attack", "magic_attack"))},
            {"battle": "cannot-attack", "pick": any_card(rng, p)},
            {"battle": "destroy", "pick": any_card(rng, p)},
            {"battle": "lose", "hero": any_card(rng, p), "from": rng.choice(("attack", "magic_attack"))},
        )
    )


def after_steps(rng: random.Random, battle: Battle) -> list[Step]:
    """What is chosen after the outcome, as a plan writes it; what nobody may decline is sometimes left open."""
    steps: list[Step] = []
    for by, key, names, optional in battle.said:
        if not optional and rng.random() < 0.2:
            break
        if key in ("discard", "show"):
            steps.append({key: rng.choice(names)})
        elif by == "sphinx":
            steps.append({"use": by, key: list(names)})
        else:
            steps.append({"breach" if by.endswith("torment") else "use": by, key: rng.choice(names)})
    for right in battle.rights:
        there = [card for card, _ in right.stock or ()] or SHOP
        fitting = [card for card in there if right.buys(card)]
        if fitting and rng.random() < 0.6:
            steps.append({"buy": rng.choice(fitting)})
    return steps


def any_after_step(rng: random.Random, p: Position) -> Step:
    key = rng.random()
    if key < 0.4:
        return {"buy": rng.choice([*SHOP, *(card for card, _ in p.village or ())])}
    if key < 0.6:
        return {"use": rng.choice(AFTER[:2]), rng.choice(("take", "bottom")): any_monster(rng, p)}
    return rng.choice(
        ({"discard": any_card(rng, p)}, {"show": any_card(rng, p)}, {"breach": AFTER[3], "destroy": "militia"})
    )


def random_plan(rng: random.Random, document: dict[str, Any]) -> list[Step]:
    """A turn played by chance, and perhaps a step or two in it that were not asked for."""
    p = rng.choice(list(oracle.worlds(oracle.begin(document), ())))
    plan: list[Step] = []
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4))):
        legal = list(oracle.steps(p))
        if not legal:
            break
        label, q = rng.choice(legal)
        step = written(rng, p, label, q)
        if rng.random() < 0.12:
            step = bent(rng, p, step)
        plan.append(step)
        p = replace_forgone(p, q)
        if rng.random() < 0.1:
            plan.append(any_step(rng, p))
    p = rng.choice(given_away(p)) if not p.over else p
    fights = [] if p.over else list(oracle.fights(p, document["ruleset"], forgo=False))
    if p.over or not fights or rng.random() < 0.05:
        return plan
    fight = rng.choice(fights)
    attack: Step = {"attack": fight.rank}
    if fight.rank == 0 or rng.random() < 0.1:
        attack["monster"] = fight.foe
    if rng.random() < 0.05:
        attack = {"attack": rng.randint(0, 3)}
    ends = [] if fight.barred() else list(oracle.endings(p, fight, whole=True))
    battle = rng.choice(ends) if ends else None
    inside = battle_steps(rng, fight, battle) if battle else []
    after = after_steps(rng, battle) if battle else []
    if rng.random() < 0.3:  # all that is forced is left open
        inside = after = []
    if rng.random() < 0.12:
        inside.append(any_battle_step(rng, p))
    if rng.random() < 0.15:
        after.append(any_after_step(rng, p))
    return [*plan, attack, *inside, *after]


def replace_forgone(p: Position, q: Position) -> Position:
    """The position after a step, if the step forgoes nothing by itself; a plan would have to say that apart."""
    return q if q.forgone == p.forgone else p
