"""The protocol of a bot: what it is called with, what it returns, how it may explain its choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import Choice

Bot = Callable[[View, Sequence[Choice]], Choice]
"""A player: what it sees and the legal choices (two at least) -> one of these.

The same view and choices must give the same answer, but for ``view.random``. A bot that can say why also has a method
``why(view, choices, choice)``, which gives a :data:`Why`; it is called only where somebody reads it.
"""


class BotReason(NamedTuple):
    """The reason for a bot's choice: the message ``bot.why.<key>`` and its fields (``…card`` is the id of one)."""

    key: str
    params: tuple[tuple[str, Any], ...] = ()


class Verdict(NamedTuple):
    """A choice, what it seems to be worth in victory points, and why it was taken."""

    choice: Choice
    value: float
    reason: BotReason | None


Why = BotReason | str | None
"""A reason in any language, a sentence as it is, or nothing to say."""

LONGEST_PROBLEM = 200


class TooSlowError(BaseException):
    """A bot from outside has not chosen in time; no ``except Exception`` of its own may catch this."""


LONGEST_THOUGHT = 20
"""Seconds that a bot from outside may take for one choice."""


def problem_of(error: Exception) -> str:
    """An error in a line, for the sentence about it."""
    return f"{type(error).__name__}: {error}"[:LONGEST_PROBLEM].rstrip(": ")


def bot_name(bot: Bot) -> str:
    """The name by which a bot is found, or that of its function."""
    return str(getattr(bot, "name", None) or getattr(bot, "__name__", None) or type(bot).__name__)


def decide(bot: Bot, view: View, choices: Sequence[Choice]) -> Choice:
    """Return the bot's choice; a single choice is taken without asking.

    Raises :class:`NoAnswerError` if the bot raises an error, chooses what is not legal or, from outside, never chooses.
    """
    if len(choices) == 1:
        return choices[0]
    try:
        choice = bot(view, choices)
    except TooSlowError:
        raise NoAnswerError("bot-slow", bot=bot_name(bot), turn=view.turn, seconds=LONGEST_THOUGHT) from None
    except Exception as error:
        raise NoAnswerError("bot-raised", bot=bot_name(bot), turn=view.turn, problem=problem_of(error)) from error
    if choice not in choices:
        raise NoAnswerError("bot-illegal", bot=bot_name(bot), turn=view.turn, found=_short_repr(choice))
    return choice


def reason_of(bot: Bot, view: View, choices: Sequence[Choice], choice: Choice) -> Why:
    """Return the bot's reason for its choice, if it can say it; raises as :func:`decide` does."""
    why = getattr(bot, "why", None)
    if why is None:
        return None
    try:
        reason: Why = why(view, choices, choice)
    except Exception as error:
        raise NoAnswerError("bot-raised", bot=bot_name(bot), turn=view.turn, problem=problem_of(error)) from error
    return reason


def _short_repr(choice: object) -> str:
    try:
        return repr(choice)[:LONGEST_PROBLEM]
    except Exception:
        return type(choice).__name__
