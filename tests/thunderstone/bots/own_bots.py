"""Bots of one's own, as somebody might write them: good ones and bad ones."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import Buy, Choice, Turn


def last(view: View, choices: Sequence[Choice]) -> Choice:
    return choices[-1]


def raising(view: View, choices: Sequence[Choice]) -> Choice:
    raise KeyError("orc")


def cheating(view: View, choices: Sequence[Choice]) -> Choice:
    return Buy("lorigg-outlaw")


def silent(view: View, choices: Sequence[Choice]) -> None:
    return None


def resting(view: View, choices: Sequence[Choice]) -> Choice:
    """Never does anything."""
    rest = Turn("rest")
    return rest if rest in choices else choices[0]


def sleepless(view: View, choices: Sequence[Choice]) -> Choice:
    """Never stops to think, whatever happens."""
    while True:
        try:
            view.hand.index("no such card")
        except Exception:
            continue


class Talking:
    name = "talking"

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        return choices[0]

    def why(self, view: View, choices: Sequence[Choice], choice: Choice) -> str:
        return f"first of {len(choices)}"


talking = Talking()
NO_BOT = 3
