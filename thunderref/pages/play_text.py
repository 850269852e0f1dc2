"""What to do, step by step: a line of play as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from thunderref.database.operations import Effect
from thunderref.database.read import Language
from thunderref.pages.page import Line
from thunderref.text.messages import DeclinedName
from thunderref.thunderstone.resolve import result

_HEADS = ("equip", "use", "attack", "forgo", "disease", "battle", "rest", "level_up", "breach")
"""Keys that begin a step with a sentence of its own; any other key is what the step does."""
_SHORT = 200
"""Letters of an ability that fit behind the step that uses it."""
_TOLD = ("others", "monster", "hero", "from", "pick", "for", "show")
"""Keys that the sentence of their step has said, that what the trap does will say, or that say what was assumed."""


def play_sentences(
    line: Iterable[Mapping[str, Any]], words: Language, target: str = "", *, where: str = "dungeon"
) -> list[str]:
    """A line in plan notation, a sentence a step, equal ones once; ``target`` is the monster attacked, at ``where``."""
    sentences = (_sentence(step, words, target, where) for step in line if next(iter(step)) != "show")
    runs = ((sentence, len([*same])) for sentence, same in groupby(sentences))
    return [sentence if n == 1 else f"{sentence.rstrip('.')} (× {n})." for sentence, n in runs]


def played_lines(
    line: Iterable[Mapping[str, Any]], steps: Iterable[result.ResultStep | result.VisitStep], words: Language, *,
    where: str = "dungeon",
) -> Iterator[Line]:  # fmt: skip
    """The steps of a line, each followed by what it brings about and does not say: draws, traps, newcomers, gold."""
    waiting, plays = iter(line), list[Mapping[str, Any]]()
    now: Mapping[str, Any] = {}
    for step in steps:
        if step.short:
            plays.append(now := next(waiting, {}))
        elif now and ("R6.6" in step.rules or step.card not in _cards_said(now)):
            yield from map(Line, play_sentences(plays, words, where=where))
            yield Line(step.text, note=" ".join(step.rules))
            plays.clear()
    yield from map(Line, play_sentences([*plays, *waiting], words, where=where))


def _cards_said(step: Mapping[str, Any]) -> set[str]:
    """The cards of which the sentence of a step tells all: not the one used, if it names only what was chosen."""
    keys = step.keys() - {"use", "effect", "on", "top", *_TOLD}
    values = [value for key, value in step.items() if key != "show" and not (key == "use" and keys)]
    lists = [value if isinstance(value, list) else [value] for value in values]
    return {str(value).partition("#")[0] for among in lists for value in among}


def _sentence(step: Mapping[str, Any], words: Language, target: str, where: str) -> str:
    head = next((key for key in _HEADS if key in step), next(iter(step)))
    value = step[head]
    if head == "attack":
        return words.say("do.attack", card=words.card(step.get("monster") or target), rank=value)
    if head == "disease":
        return words.say(f"do.disease.{value}")
    if head == "battle":
        key = f"do.battle.lose.{step['from']}" if value == "lose" else f"do.battle.{value}"
        return words.say(key, card=_declined_name(words, step.get("pick") or step.get("hero")))
    if value is None:
        return words.say(f"do.{head}.none")
    if head in ("equip", "level_up"):
        return words.say(f"do.{head}", card=_declined_name(words, value), to=_declined_name(words, step["to"]))
    if head == "use" and step.keys() == {"use", "on"} and effect_used(step, words, where) is None:
        return words.say("do.trophy", card=_declined_name(words, value), to=_declined_name(words, step["on"]))
    if head == "use" and (text := _short_text(step, words, where)):
        return f"{words.say('do.use', card=_declined_name(words, value), more='')} {text}"
    more = [_detail(key, step[key], words) for key in step if key not in (head, "effect", *_TOLD) and step[key] != []]
    joined = "" if not more else f" {more[0]}" if step.keys() <= {"use", "on"} else f": {', '.join(more)}"
    return words.say(f"do.{head}", card=_declined_name(words, value), more=joined)


def _short_text(step: Mapping[str, Any], words: Language, where: str) -> str:
    """The text of the effect, where no choice says it and it is short."""
    if step.keys() - {"use", "effect", *_TOLD}:
        return ""
    effect = effect_used(step, words, where)
    text = words.text(words.database.cards[step["use"].partition("#")[0]].text_key(effect.id)) if effect else None
    return text if text and len(text) <= _SHORT else ""


def effect_used(step: Mapping[str, Any], words: Language, where: str = "dungeon") -> Effect | None:
    """The effect that a step uses; None if it gives a trophy to a hero."""
    card, number = str(step["use"]).partition("#")[0], step.get("effect", 1)
    effects = words.database.all_effects.get(card, ())
    there = [effect for effect in effects if where in effect.timing] or [e for e in effects if e.timing == "spoils"]
    return there[number - 1] if 0 < number <= len(there) else None


def _detail(key: str, value: Any, words: Language) -> str:
    if key in ("borrow-from", "borrow", "hunt") and isinstance(value, list):
        value = value[-1]
    if key == "order":  # equal cards stay apart
        value = ", ".join("–" if card is None else _declined_name(words, card) for card in value)
        return words.say("do.more.order", card=value)
    return words.say(f"do.more.{key}", card=_declined_name(words, value))


def _declined_name(words: Language, value: Any) -> DeclinedName | str:
    """A card, a copy of it, several or a rank, as a name to be declined."""
    if isinstance(value, list):
        return words.listed([str(card).partition("#")[0] for card in value if card is not None])
    if not isinstance(value, str):
        return words.say("do.rank", rank=value)
    card, _, copy = value.partition("#")
    return words.card(card, int(copy or 1))
