"""A game in words: what happened, the battle of an attack before it is declared, cards counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from thunderref.database.read import Language
from thunderref.thunderstone.resolve.report import sum_steps, tell_event
from thunderref.thunderstone.resolve.result import ResultStep
from thunderref.thunderstone.rules import choices
from thunderref.thunderstone.rules.effects.battle import value
from thunderref.thunderstone.rules.explanation import Totals
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
        yield ResultStep(text=tell_event(event, words, names, move.before), rules=list(event.rules))


def preview(game: Game, state: Position, attack: choices.Attack) -> tuple[Totals, bool]:
    """The battle of a legal attack, up to its first choice (R5.2 to R5.14).

    False if there is a choice, so that nothing is decided yet.
    """
    battle, _ = play(game, state, attack, stop="finish")
    return value(game, battle), battle.todo[0].name == "finish"
