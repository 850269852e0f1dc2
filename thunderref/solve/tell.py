"""From a fought battle to its result: the line replayed, every event and term put into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from thunderref.engine.aftermath import buys, gold_from
from thunderref.engine.hall import is_known
from thunderref.engine.legal import legal_actions
from thunderref.engine.state import Action, State, Table
from thunderref.engine.transition import play
from thunderref.engine.values import replace
from thunderref.explain.terms import Event, Term, Totals
from thunderref.model.result import GoldFrom, Purchase, ResultStep, TargetResult
from thunderref.solve.notation import LineWriter
from thunderref.solve.readings import readings_of
from thunderref.solve.wills import others_of
from thunderref.words.words import Words

Line = tuple[Action, ...]
MINUS = "\N{MINUS SIGN}"
GIVEN_UP = ("other-discards", "other-keeps")
"""Events of a card that another player chose to give up."""
Part = Literal["prepare", "battle", "sum", "after"]


def tell_battle(table: Table, start: State, line: Line, words: Words, *, proven: bool) -> TargetResult:
    """The result of a line that ends after its battle."""
    writer = LineWriter()
    steps: list[ResultStep] = []
    spoils: list[Purchase] = []
    events: list[Event] = []
    state = start
    part: Part = "prepare"
    for action in line:
        _note_spoils(table, state, spoils)
        steps += _right_declined(table, state, action, part, words)
        writer.add(table, state, action)
        state, happened = play(table, state, action)
        _note_others(writer, state, happened)
        for event in happened:
            if event.key in ("victory", "defeat") and state.outcome is not None:
                steps += sum_steps(state.outcome, words)
                part = "after"
            elif event.key == "attacked":
                part = "battle"
            steps.append(_event_step(event, part, words))
        events += happened
    outcome, battle = state.outcome, state.battle
    if outcome is None or battle is None:
        raise ValueError("the line holds no battle")
    spec = table.book[battle.foe.card]
    return TargetResult(
        rank=battle.rank,
        monster=battle.foe.card,
        can_attack=True,
        health=outcome.health,
        attack=outcome.attack,
        magic_attack=outcome.magic,
        light=outcome.light,
        light_penalty=outcome.light_penalty,
        total=outcome.total,
        margin=outcome.total - outcome.health,
        outcome="victory" if outcome.victory else "defeat",
        destroyed=[card for card, _ in state.destroyed],
        gained=list(state.gained),
        discarded=[card for card, _ in state.discarded],
        xp=state.xp,
        vp=(spec.vp or 0) if outcome.victory else 0,
        spoils=spoils,
        line=writer.steps,
        steps=steps,
        readings=readings_of(table, state, outcome, events),
        unknown_draws=state.unknown_draws,
        hall_after=[foe.card if is_known(foe) else None for foe in state.hall],
        rank0_after=[foe.card for foe in state.rank0],
        caged=[card for card, _ in state.caged],
        unknown=sorted({event.card for event in events if "R4.11" in event.rules and event.key != "used"}),
        game_ends=state.ended,
        proven=proven,
    )


def tell_barred(
    monster: str, rank: int, health: int, light: tuple[int, int], reason: str, words: Words, *, proven: bool
) -> TargetResult:
    """The result for a target that no line may attack (R5.1); ``light`` is the party's Light and the penalty left."""
    shines, penalty = light
    text = words.say(f"barred.{reason}", card=words.card(monster), penalty=penalty)
    return TargetResult(
        rank=rank, monster=monster, can_attack=False, reason=text, health=health, light=shines, light_penalty=penalty,
        outcome="barred", steps=[ResultStep(text=text, rules=["R5.1"], card=monster)], proven=proven,
    )  # fmt: skip


def _note_others(writer: LineWriter, state: State, happened: Iterable[Event]) -> None:
    """Writes into the step what was assumed of the other players, so that the line can be played again."""
    if state.world is None or not writer.steps or "use" not in writer.steps[-1] or state.phase != "prepare":
        return
    chosen = {dict(event.params)["seat"]: event.card for event in happened if event.key == "assumed"}
    gave = {(dict(e.params)["seat"], e.card, dict(e.params)["by_card"]) for e in happened if e.key in GIVEN_UP}
    chosen |= {seat: card for seat, card, source in state.world.wills if (seat, card, source) in gave}
    if chosen:
        writer.steps[-1]["others"] = others_of(chosen, state)


RIGHTS = {"take-before-refill": "take", "sorcery": "bottom", "hunt-take": "hunt"}
"""Tasks that give something for nothing (R6.5), with what there is to choose."""


def _right_declined(table: Table, state: State, action: Action, part: Part, words: Words) -> list[ResultStep]:
    """What a right that the line leaves unused could still do: no goal asks for it, yet it costs nothing."""
    task = state.todo[0] if state.todo and action.a == "decline" else None
    if task is None or task.name not in RIGHTS:
        return []
    values = [other.b for other in legal_actions(table, state) if other.a != "decline"]
    if not values:
        return []
    cards = [value[1] if isinstance(value, tuple) else state.hall[value - 1].card for value in values]
    named = ", ".join(words.card(card) for card in dict.fromkeys(cards))
    text = words.say(f"right.{RIGHTS[task.name]}", card=words.card(task.source[0]), cards=named)
    return [ResultStep(text=text, part=part, rules=["R6.5"], card=task.source[0])]


def _note_spoils(table: Table, state: State, spoils: list[Purchase]) -> None:
    if not state.todo or state.todo[0].name != "spoils":
        return
    task = state.todo[0]
    counted = [GoldFrom(card=card, gold=amount) for card, amount in gold_from(table, state)]
    budget = sum(each.gold for each in counted)
    kinds = tuple(task.data.buys)
    options = list(buys(table, kinds, budget, table.village))
    right = Purchase(card=task.source[0], buys=list(kinds), gold=budget, gold_from=counted, options=options)
    spoils.append(right)


def sum_steps(outcome: Totals, words: Words) -> list[ResultStep]:
    """The sum of a battle: every term, the totals, what was taken off (R5.7 to R5.14)."""
    steps = [_term_step(term, words) for term in outcome.terms]
    adds = {"attack": [term.attack for term in outcome.terms], "magic_attack": [term.magic for term in outcome.terms]}
    for stat, total in (("attack", outcome.attack), ("magic_attack", outcome.magic)):
        numbers = [n for n in adds[stat] if n]
        if len(numbers) > 1:
            text = words.say("term.subtotal", stat=words.say(f"stat.{stat}"), sum=sum_of(numbers, total))
            steps.append(ResultStep(text=text, rules=["R5.7"]))
    shining = [term.light for term in outcome.terms if term.light]
    if len(shining) > 1 and any(term.key == "penalty" for term in outcome.reductions):
        text = words.say("term.subtotal", stat=words.say("stat.light"), sum=sum_of(shining, outcome.light))
        steps.append(ResultStep(text=text, rules=["R5.11"]))
    for term in outcome.reductions:
        step = _term_step(replace(term, attack=0), words, total=term.attack)
        steps.append(step)
    params: dict[str, Any] = {
        "total": outcome.total,
        "health": outcome.health,
        "attack": outcome.attack,
        "magic": outcome.magic,
    }
    others = [term.attack for term in outcome.reductions if not term.key.startswith("penalty") and term.attack]
    changes = "".join(f" {'+' if n > 0 else MINUS} {abs(n)}" for n in others)
    params |= {"penalty": 2 * outcome.light_penalty, "changes": changes}
    steps.append(ResultStep(text=words.say("term.total", **params), rules=["R5.12", "R5.14"]))
    return steps


def figures(words: Words, attack: int, magic: int, light: int) -> str:
    """``Attack +2, Light +1`` in words."""
    parts = [
        words.say(f"figure.{name}", n=n)
        for name, n in (("attack", attack), ("magic_attack", magic), ("light", light))
        if n
    ]
    return ", ".join(parts) if parts else words.say("figure.nothing")


def _term_step(term: Term, words: Words, total: int = 0) -> ResultStep:
    params = fields_of(term.params, words)
    key = term.key
    if key == "bonus" and dict(term.params).get("from_card") == term.card:
        key = "own-bonus" if "per" not in params else f"per.{params['per']}"
    if key in ("only-magic", "immune.magic") and not (term.attack or term.magic):
        key += ".none"
    if key.startswith("penalty"):
        params["own"] = f" + {params['own']} ({words.card(term.card)})" if params["own"] else ""
        if key == "penalty-fixed" and params["own"]:
            params["own"] += f" = {params['penalty']}"
        if key == "penalty" and not params["penalty"]:
            key += ".none"
    text = words.say(
        f"term.{key}",
        card=words.card(term.card) if term.card else "",
        figures=figures(words, term.attack, term.magic, term.light),
        total=total,
        **params,
    )
    return ResultStep(
        text=text, rules=list(term.rules), card=term.card or None, attack=term.attack, magic_attack=term.magic,
        light=term.light, total=total,
    )  # fmt: skip


def _event_step(event: Event, part: Part, words: Words) -> ResultStep:
    params = fields_of(event.params, words)
    if event.key == "used":
        params["text"] = words.text(f"card.{params['face']}.{params['effect']}") or ""
    copy = dict(event.params).get("copy", 1)
    name = words.card(event.card) if event.card else ""
    text = words.say(f"event.{event.key}", **{"card": name if copy in (0, 1) else f"{name} #{copy}", **params})
    return ResultStep(text=text, part=part, rules=list(event.rules), card=event.card or None)


def fields_of(params: Iterable[tuple[str, Any]], words: Words) -> dict[str, Any]:
    """The fields of a message: values that are card ids become names."""
    found: dict[str, Any] = {}
    for name, value in params:
        if name.endswith("_card") or name in ("a", "b", "c"):
            found[name] = words.card(value) if value and value != "?" else "—"
        elif name == "seat":
            found["player"] = words.say("resolve.player", n=value + 1)
        elif name == "gifts":
            found["strength"] = sum_with_reasons(words, found["base"], value)
        elif name == "counted":
            found["sum"] = f"{' + '.join(map(str, value))} = " if len(value) > 1 else ""
        elif name == "changes":
            found["health"] = sum_with_reasons(words, found["base"], value)
        else:
            found[name] = value
    if found.get("hero_copy", 1) > 1:  # which of several equal heroes is meant
        found["hero_card"] += f" #{found['hero_copy']}"
    return found


def sum_with_reasons(words: Words, base: int, gifts: Iterable[tuple[str, int]]) -> str:
    """A hero's Strength or a monster's Health with how it comes about: ``4 + 2 Iron Rations − 2 Suffering = 4``.

    What no card is named for is Health lost this turn.
    """
    named = [(words.card(card) if card else words.say("term.needed.lost"), n) for card, n in gifts]
    parts = [f"{'+' if n > 0 else MINUS} {abs(n)} {name}" for name, n in named]
    if not parts:
        return str(base)
    return f"{base} {' '.join(parts)} = {base + sum(n for _, n in gifts)}".replace("= -", f"= {MINUS}")


def sum_of(numbers: Iterable[int], total: int) -> str:
    """``2 + 4 − 1 = 5``."""
    text = ""
    for n in numbers:
        sign = f" {'+' if n > 0 else MINUS} " if text else ("" if n > 0 else MINUS)
        text += f"{sign}{abs(n)}"
    return f"{text} = {total}".replace("= -", f"= {MINUS}")
