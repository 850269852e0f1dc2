"""What to do, step by step: a line of play as sentences, and the sum of a battle as people reckon aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from thunderref.database.operations import Effect
from thunderref.database.read import Language
from thunderref.text.messages import DeclinedName
from thunderref.thunderstone.resolve import result

_HEADS = ("equip", "use", "attack", "forgo", "disease", "battle", "rest", "level_up", "breach")
"""Keys that begin a step with a sentence of its own; any other key is what the step does."""
_SHORT = 120
"""Letters of an ability that fit behind the step that uses it."""
_TOLD = ("others", "monster", "hero", "from", "pick", "for", "show")
"""Keys that the sentence of their step has said, that what the trap does will say, or that say what was assumed."""
_MOST_UNNAMED = 3
"""Numbers of a sum that are followed by ear without the names of their cards."""


def play_sentences(
    line: Iterable[Mapping[str, Any]], words: Language, target: str = "", *, at: str = "dungeon"
) -> list[str]:
    """A line in plan notation, a sentence a step, equal ones once; ``target`` is the monster attacked, ``at`` where."""
    sentences = (_sentence(step, words, target, at) for step in line if next(iter(step)) != "show")
    told = ((sentence, len([*same])) for sentence, same in groupby(sentences))
    return [sentence if n == 1 else f"{sentence.rstrip('.')} (× {n})." for sentence, n in told]


def _sentence(step: Mapping[str, Any], words: Language, target: str, at: str) -> str:
    head = next((key for key in _HEADS if key in step), next(iter(step)))
    value = step[head]
    if head == "attack":
        return words.say("do.attack", card=words.card(step.get("monster") or target), rank=value)
    if head == "disease":
        return words.say(f"do.disease.{value}")
    if head == "battle":
        key = f"do.battle.lose.{step['from']}" if value == "lose" else f"do.battle.{value}"
        return words.say(key, card=_named(words, step.get("pick") or step.get("hero")))
    if value is None:
        return words.say(f"do.{head}.none")
    if head in ("equip", "level_up"):
        return words.say(f"do.{head}", card=_named(words, value), to=_named(words, step["to"]))
    if head == "use" and step.keys() == {"use", "on"} and effect_used(step, words, at) is None:
        return words.say("do.trophy", card=_named(words, value), to=_named(words, step["on"]))
    if head == "use" and (text := _short_text(step, words, at)):
        return f"{words.say('do.use', card=_named(words, value), more='')} {text}"
    more = [_part(key, step[key], words) for key in step if key not in (head, "effect", *_TOLD) and step[key] != []]
    joined = "" if not more else f" {more[0]}" if step.keys() <= {"use", "on"} else f": {', '.join(more)}"
    return words.say(f"do.{head}", card=_named(words, value), more=joined)


def _short_text(step: Mapping[str, Any], words: Language, at: str) -> str:
    """What the effect does, where no choice says it and it is short."""
    if step.keys() - {"use", "effect", *_TOLD}:
        return ""
    effect = effect_used(step, words, at)
    text = words.text(words.database.cards[step["use"].partition("#")[0]].text_key(effect.id)) if effect else None
    return text if text and len(text) <= _SHORT else ""


def effect_used(step: Mapping[str, Any], words: Language, at: str = "dungeon") -> Effect | None:
    """The effect that a step uses; None if it gives a trophy to a hero."""
    card, number = str(step["use"]).partition("#")[0], step.get("effect", 1)
    there = [effect for effect in words.database.all_effects.get(card, ()) if at in effect.timing]
    return there[number - 1] if 0 < number <= len(there) else None


def _part(key: str, value: Any, words: Language) -> str:
    if key in ("borrow-from", "borrow", "hunt") and isinstance(value, list):
        value = value[-1]
    if key == "order":  # equal cards stay apart
        return words.say(
            "do.more.order", card=", ".join("–" if each is None else _named(words, each) for each in value)
        )
    return words.say(f"do.more.{key}", card=_named(words, value))


def _named(words: Language, value: Any) -> DeclinedName | str:
    """A card, a copy of it, several or a rank, as a name to be declined."""
    if isinstance(value, list):
        return words.listed([str(each).partition("#")[0] for each in value if each is not None])
    if not isinstance(value, str):
        return words.say("do.rank", rank=value)
    card, _, copy = value.partition("#")
    return words.card(card, int(copy or 1))


def sum_line(target: result.TargetResult, words: Language) -> str:
    """The numbers of a battle in one line: what counts, what the darkness takes, the total against the Health."""
    steps = [step for step in target.steps if step.part == "sum"]
    counted, changes, times = list[tuple[str | None, int]](), Counter[str](), Counter[str]()
    for step in steps:
        why = next((f"sum.{rule}" for rule in reversed(step.rules) if words.has(f"sum.{rule}")), None)
        if why:
            changes[why] += step.attack + step.magic_attack
            times[why] += 1
        elif n := step.attack + step.magic_attack:
            counted.append((step.card, n))
    below, total = sum(step.attack + step.magic_attack for step in steps), target.total or 0
    halved = [step for step in steps if step.total and "R5.13" in step.rules]
    parts = [_counted(counted, words) if counted else words.say("sum.nothing")]
    parts += [words.say(why, off=off, n=times[why]) for why, off in changes.items() if off]
    printed, health = words.database.cards[target.monster].health or 0, str(target.health)
    if printed != target.health:
        health = reckon([printed, target.health - printed])
    if target.light_penalty:
        off = -2 * target.light_penalty
        parts.append(words.say("sum.penalty", penalty=target.light_penalty, off=off))
        below += off
    if below < 0:
        parts.append(words.say("sum.floor", below=below))
    parts += [words.say("sum.half", off=step.total, card=words.card(step.card or target.monster)) for step in halved]
    if len(parts) == 1 and below == total:
        return words.say("sum.plain", sum=parts[0], health=health)
    return words.say("sum.line", sum="; ".join(parts), total=total, health=health)


def _counted(counted: Sequence[tuple[str | None, int]], words: Language) -> str:
    """A sum of a few numbers; of many, what each card gives in all."""
    if len(counted) <= _MOST_UNNAMED:
        return reckon([n for _, n in counted])
    given = Counter[str]()
    for card, n in counted:
        given[words.card(card) if card else ""] += n
    text = " ".join(f"{'+' if n > 0 else '-'} {name} {abs(n)}" for name, n in given.items() if n)
    return f"{text.removeprefix('+ ')} = {given.total()}".replace(" - ", " \N{MINUS SIGN} ")


def reckon(numbers: Sequence[int]) -> str:
    """A sum as it is said aloud: ``2 + 4 − 1 = 5``."""
    text = str(numbers[0]) + "".join(f" {'+' if n > 0 else '-'} {abs(n)}" for n in numbers[1:])
    text += f" = {sum(numbers)}" if len(numbers) > 1 else ""
    return text.replace("-", "\N{MINUS SIGN}")
