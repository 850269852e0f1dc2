"""What a program of somebody else's may look like: mypy reads it, strictly, beside the installed package."""

from collections.abc import Sequence

import thunderref
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import Buy, Choice


def shopper(view: View, choices: Sequence[Choice]) -> Choice:
    offered = [choice for choice in choices if isinstance(choice, Buy)]
    return max(offered, key=lambda choice: view.cards[choice.card].cost or 0, default=choices[0])


def best_total(hand: Sequence[str], hall: Sequence[str]) -> int | None:
    """The best total against any of the monsters, None if all are barred."""
    totals = [target.total for target in thunderref.resolve({"hand": [*hand], "hall": [*hall]}).targets]
    return max((total for total in totals if total is not None), default=None)


def price(name: str) -> int | None:
    try:
        return thunderref.lookup(name).matches[0].cost
    except thunderref.ThunderrefError as error:
        print(error.code, error.candidates)
        return None


def evening(players: int) -> str:
    setup = thunderref.generate_setup(players=players, seed=1)
    rounds = thunderref.simulate(code=setup.code, games=2, bots="random", seed=1).figures.rounds
    return f"{setup.code}: {rounds.mean}"


def main() -> None:
    answer = thunderref.ask("can militia hold a weapon")
    chance = thunderref.odds({"hand": ["torch"], "hall": ["blink dog"], "deck_list": ["3 militia"]}).targets[0].win
    visit = thunderref.village({"hand": ["2 torch"], "stacks": ["dagger"]})
    score = thunderref.score({"players": {"Ann": ["sphinx"]}})
    print(answer.matches[0]["id"], chance.percent, visit.gold, score.winners, thunderref.show(visit).row_count)
    print(best_total(["2 militia"], ["griffon"]), price("fireball"), price("no such card"), evening(2))


if __name__ == "__main__":
    main()
