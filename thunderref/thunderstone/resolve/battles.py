"""The ways a task or a battle can go, which of them need to be tried, and what each is worth (goals of the contract).

Of several equal copies in the same situation only the first is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import astuple

from thunderref.thunderstone.rules.choices import Attack, Choice, Named, Several
from thunderref.thunderstone.rules.effects.battle import decide_battle
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import slots
from thunderref.thunderstone.rules.legal import advance, legal_actions, play
from thunderref.thunderstone.rules.position import DISEASE, AnyTask, Position, Ref, key_of_slot, replace

Line = tuple[Choice, ...]
Choose = Callable[[Position, Sequence[Choice]], Sequence[Choice]]
Chosen = TypeVar("Chosen", bound=Choice)
LOSSES = frozenset({"disease", "lose"})  # tasks that take 1 Attack or 1 Magic Attack, Attack named first


def alike(state: Position) -> dict[Any, Any]:
    """Copy -> what it has in common with equal copies in the same situation."""
    return {s.ref: (key_of_slot(s), None if holder is None else key_of_slot(holder)) for s, holder in slots(state)}


def distinct_choices(state: Position, options: Sequence[Chosen]) -> list[Chosen]:
    """The choices without those that only mean another of several equal cards."""
    if len(options) == 1:
        return list(options)
    like = alike(state)

    def likeness(choice: Chosen) -> tuple[Any, ...]:
        return type(choice), *[like.get(part, part) for part in astuple(choice)]

    return list({likeness(choice): choice for choice in reversed(options)}.values())[::-1]


def endings(
    game: Game, state: Position, choose: Choose = distinct_choices, *, line: Line = (), stop: str = ""
) -> Iterator[tuple[Position, Line]]:
    """Every way to go on until no task waits, or the task ``stop`` does, with the choices that ``choose`` leaves."""
    stack = [(state, line)]
    while stack:
        node, line = stack.pop()
        if not node.todo or node.todo[0].name == stop:
            yield node, line
            continue
        for choice in reversed(choose(node, legal_actions(game, node))):
            stack.append((play(game, node, choice, stop)[0], (*line, choice)))


def outcomes(game: Game, state: Position, task: AnyTask) -> Iterator[Position]:
    """Every state that the task alone may lead to."""
    begun = advance(game, replace(state, todo=(task,)), [])
    return (after for after, _ in endings(game, begun, lambda _, options: options[::-1]))


def battles(game: Game, state: Position, attack: Attack, *, every: bool = True) -> Iterator[tuple[Position, Line]]:
    """Every way the battle can go up to its outcome; unless ``every``, Attack is lost first, which is never worse."""
    every = every or bool(game.readings)

    def choose(node: Position, options: Sequence[Choice]) -> Sequence[Choice]:
        weighs = every or node.battle is None or game.cards[node.battle.foe.card].weighs_magic
        return options[:1] if node.todo[0].name in LOSSES and not weighs else distinct_choices(node, options)

    return endings(game, play(game, state, attack, "finish")[0], choose, line=(attack,), stop="finish")


def best_ending(game: Game, state: Position, goal: str) -> tuple[Score, Line]:
    """The best way on from a battle with a known outcome: the first among equals, so nothing optional without need."""

    def choose(node: Position, options: Sequence[Choice]) -> Sequence[Choice]:
        useful = [  # no goal rewards what spoils allow: to buy, or to destroy and not only discard
            action
            for action in options
            if not (isinstance(action, Named) and action.key == "buy")
            and not (isinstance(action, Several) and action.key == "destroy" and action.value)
        ]
        return distinct_choices(node, useful)

    ends = ((score(game, node, goal), line) for node, line in endings(game, state, choose))
    return max(ends, key=lambda each: each[0])


def fights(
    game: Game, state: Position, attack: Attack, goal: str, accepts: Callable[[Line], bool] | None, *, calm: bool
) -> Iterator[tuple[Score, Line]]:
    """What every way the battle can go is worth; ``calm`` says that nothing after it matters."""
    for fought, battle in battles(game, state, attack, every=not calm or accepts is not None):
        if accepts is None or accepts(battle):
            ends = score(game, fought, goal) if calm else best_ending(game, advance(game, fought, []), goal)[0]
            yield ends, battle


class Loss(NamedTuple):
    """What is destroyed of the player's own, but for Disease: victory points, purchase cost, number of cards.

    ``diseases`` are those that the player gains, which is less than any card of the player's own.
    """

    vp: int = 0
    cost: int = 0
    number: int = 0
    diseases: int = 0

    def plus(self, other: Loss) -> Loss:
        diseases = self.diseases + other.diseases
        return Loss(self.vp + other.vp, self.cost + other.cost, self.number + other.number, diseases)


NOTHING = Loss()


class Score(NamedTuple):
    """The worth of a line, the most important first, the larger the better.

    ``win``: victory, then the least lost (VP, cost, number, Diseases gained), then the most VP of other monsters taken,
    then the larger margin. ``max``: the highest total, then victory, then as for ``win``.
    """

    total: int  # 0 under ``win``, which does not compare it
    victory: bool
    vp: int  # minus the victory points lost, as all losses here
    cost: int
    number: int
    diseases: int
    prey: int
    margin: int


def losses(game: Game, destroyed: Iterable[Ref]) -> Loss:
    specs = [game.cards[card] for card, _ in destroyed if card != DISEASE]
    return Loss(sum(spec.vp or 0 for spec in specs), sum(spec.cost for spec in specs), len(specs))


def own_losses(game: Game, state: Position, since: Position | None = None) -> Loss:
    """What the player lost this turn, or since that position; only cards of their own count."""
    gone = state.destroyed if since is None else state.destroyed[len(since.destroyed) :]
    gained = state.gained if since is None else state.gained[len(since.gained) :]
    if not (gone or gained):
        return NOTHING
    lost = losses(game, [ref for ref in gone if ref not in state.foreign])
    return lost._replace(diseases=gained.count(DISEASE))


def prey(game: Game, state: Position) -> int:
    """The VP of the monsters taken this turn, the one that was beaten aside."""
    if not state.gained:
        return 0
    beaten = state.battle.foe.card if state.battle is not None and state.outcome is not None and state.victory else ""
    specs = [game.cards[card] for card in state.gained if game.cards[card].is_monster]
    return sum(spec.vp or 0 for spec in specs) - ((game.cards[beaten].vp or 0) if beaten in state.gained else 0)


def rate(total: int, victory: bool, lost: Loss, taken: int, margin: int, goal: str) -> Score:
    """The worth of these figures; ``taken`` are the VP of other monsters."""
    rated = total if goal == "max" else 0
    return Score(rated, victory, -lost.vp, -lost.cost, -lost.number, -lost.diseases, taken, margin)


def score(game: Game, state: Position, goal: str) -> Score:
    """The worth of a battle that is over, or in which only the outcome is left."""
    outcome, lost = (state.outcome, []) if state.outcome is not None else decide_battle(game, state)
    all_lost = own_losses(game, state).plus(losses(game, lost))
    return rate(outcome.total, outcome.victory, all_lost, prey(game, state), outcome.total - outcome.health, goal)
