"""A game in words: what happened, the battle of an attack before it is declared, cards counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from thunderref.text.language import Language
from thunderref.thunderstone.resolve.report import card_name, fields_of, sum_steps
from thunderref.thunderstone.resolve.result import ResultStep
from thunderref.thunderstone.rules import choices
from thunderref.thunderstone.rules.effects.battle import value
from thunderref.thunderstone.rules.explanation import Event, Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import play
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.table.record import Move

_UNSAID = frozenset(("turn.village", "turn.dungeon", "turn.rest"))  # the name of the action says it
_OTHERS = frozenset(("opponents-discard", "opponents-destroy"))  # goes without saying if there are no others


def count_names(words: Language, names: Iterable[str], between: str = ", ") -> str:
    """The names with the number of each: ``Militia × 4, Elf Wizard``."""
    listed = Counter(names).items()
    several = (name if n == 1 else words.say("play.several", card=name, n=n) for name, n in listed)
    return between.join(several) or words.say("play.nothing")


def tell_move(words: Language, move: Move, names: Sequence[str]) -> Iterator[ResultStep]:
    """What a move caused; a battle with its whole sum, as in ``resolve``."""
    for event in move.events:
        if event.key in ("victory", "defeat"):
            yield from sum_steps(dict(event.params)["outcome"], words)
        if event.key == "drawn" and not dict(event.params).get("by_card"):
            continue  # the hand for the next turn is its owner's secret
        if event.key in _UNSAID or (event.key in _OTHERS and len(names) < 2):
            continue
        yield ResultStep(text=event_text(words, event, names, move.before), rules=list(event.rules))


def event_text(words: Language, event: Event, names: Sequence[str], before: Position) -> str:
    """The sentence of an event for a log; a copy has a number where it had one in the list of choices."""
    params = dict(event.params)
    for key, card in (("copy", event.card), ("hero_copy", str(params.get("hero_card")))):
        if key in params and not card_name(words, before, (card, params[key])).endswith(f"#{params[key]}"):
            params[key] = 1
    copy = params.get("copy", 1)
    name = words.card(event.card) if event.card else ""
    fields: dict[str, Any] = {"card": name if copy in (0, 1) else f"{name} #{copy}"}
    fields |= fields_of(params.items(), words)
    if "seat" in params:
        fields["player"] = names[params["seat"]]
    fields["text"] = words.text(f"card.{params.get('face', event.card)}.{params.get('effect', 'battle')}") or ""
    own = f"log.{event.key}"
    return words.say(own if words.has(own) else f"event.{event.key}", **fields)


def preview(game: Game, state: Position, attack: choices.Attack) -> tuple[Totals, bool]:
    """The battle of a legal attack, up to its first choice (R5.2 to R5.14).

    False if there is a choice, so that nothing is decided yet.
    """
    battle, _ = play(game, state, attack, stop="finish")
    return value(game, battle), battle.todo[0].name == "finish"
