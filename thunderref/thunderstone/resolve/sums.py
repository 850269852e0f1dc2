"""The sum of a battle as people add it up aloud, and the steps that say why it is not as printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from thunderref.database.read import Language
from thunderref.thunderstone.resolve.result import ResultStep, TargetResult
from thunderref.thunderstone.rules.position import replace

_MISSING = {"R5.3", "R5.4"}


def sum_line(target: TargetResult, words: Language) -> str:
    """The numbers of a battle in one line: what counts, what the darkness takes, the total against the Health."""
    steps = [step for step in target.steps if step.part == "sum"]
    changes, times = Counter[str](), Counter[str]()
    counted = list[ResultStep]()
    for step in steps:
        n = step.attack + step.magic_attack
        why = next((f"sum.{rule}" for rule in reversed(step.rules) if words.has(f"sum.{rule}")), None)
        why = why or ("sum.lost" if n < 0 else None)
        if why:
            changes[why] += n
            times[why] += 1
        elif n:
            counted.append(step)
    below, total = sum(step.attack + step.magic_attack for step in steps), target.total or 0
    monster = words.card(target.monster)
    parts = [_counted(counted, words) if counted else words.say("sum.nothing")]
    parts += [words.say(why, off=off, n=times[why], card=monster) for why, off in changes.items() if off]
    printed, health = words.database.cards[target.monster].health or 0, str(target.health)
    if printed != target.health:
        health = reckon([("", printed), ("", target.health - printed)])
    for step in (step for step in steps if step.total):  # in the order of the reading taken (R5.13)
        if "R5.13" in step.rules:
            half = below + step.total
            parts.append(words.say("sum.half", half=half, card=words.card(step.card or target.monster)))
        elif step.total < 0:
            parts.append(words.say("sum.penalty", penalty=target.light_penalty, off=step.total))
        else:
            parts.append(words.say("sum.floor", below=below))
        below += step.total
    if len(parts) == 1 and below == total:
        return words.say("sum.plain", sum=parts[0], health=health)
    return words.say("sum.line", sum="; ".join(parts), total=total, health=health)


def _counted(steps: Iterable[ResultStep], words: Language) -> str:
    """What each card gives in all, copies apart: ``Militia 1 + Fireball 3 + Fireball 3 = 7``."""
    given = list[tuple[str | None, int]]()
    first = ""
    for step in steps:
        n = step.attack + step.magic_attack
        if given and given[-1][0] == step.card and step.text != first:
            given[-1] = step.card, given[-1][1] + n
        else:  # another card, or a further copy, of which the same is told
            given.append((step.card, n))
            first = step.text
    return reckon([(words.card(card) if card else "", n) for card, n in given])


def reckon(numbers: Sequence[tuple[str, int]]) -> str:
    """A sum as people say it aloud, each number behind what it comes from: ``Militia 2 + Dagger 4 − 1 = 5``."""
    text = ""
    for name, n in numbers:
        sign = "" if not text else " + " if name or n > 0 else " - "
        text += sign + (f"{name} {n}" if name else str(abs(n) if sign else n))
    text += f" = {sum(n for _, n in numbers)}" if len(numbers) > 1 else ""
    return text.replace(" -", " \N{MINUS SIGN}")


def sum_reasons(target: TargetResult, words: Language) -> Iterator[ResultStep]:
    """Why Health or light penalty are not as printed, what the monster is immune to, what was given for nothing."""
    spec = words.database.cards[target.monster]
    changed = {"R5.14": target.health != spec.health, "R5.11": bool(spec.light_penalty and target.light_penalty)}
    sums = [step for step in target.steps if step.part == "sum"]
    for step in sums:
        if any(changed.get(rule) for rule in step.rules[:1]) and step.card == target.monster:
            yield replace(step, rules=[])
    missing = (step for step in sums if "R5.5" in step.rules or _gives_nothing(step))
    yield from {(step.text, *step.rules): step for step in missing}.values()


def _gives_nothing(step: ResultStep) -> bool:
    return step.part == "sum" and not (step.attack or step.magic_attack) and bool(_MISSING.intersection(step.rules))
