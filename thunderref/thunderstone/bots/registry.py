"""The bots by name: those of the program, and functions of one's own as ``module:function``."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pkgutil import resolve_name

from thunderref.errors import InputError
from thunderref.thunderstone.bots.beginners import dearest, greedy, random
from thunderref.thunderstone.bots.bot import LONGEST_THOUGHT, Bot, TooSlowError, problem_of
from thunderref.thunderstone.bots.planner import lookahead, planner
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import Choice

BOTS: dict[str, Bot] = {
    "random": random, "greedy": greedy, "dearest": dearest, "planner": planner, "lookahead": lookahead,
}  # fmt: skip


class Loaded:
    """A bot from outside, which bears the name it was asked for by, and may not think for ever.

    Its time is watched in the main thread; elsewhere nobody watches.
    """

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot
        if hasattr(bot, "why"):
            self.why = bot.why

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        if threading.current_thread() is not threading.main_thread():
            return self.bot(view, choices)
        with _alarm_clock():
            return self.bot(view, choices)


@contextmanager
def _alarm_clock() -> Iterator[None]:
    """Raises :class:`TooSlowError` in the main thread if what is done meanwhile takes too long."""
    if sys.platform != "win32":
        before = signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_THOUGHT)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        return
    # Windows has no alarm clock, and a signal that nobody but the program itself sends
    before = signal.signal(signal.SIGTERM, _ring)
    clock = threading.Timer(LONGEST_THOUGHT, signal.raise_signal, [signal.SIGTERM])
    clock.daemon = True
    clock.start()
    try:
        yield
    finally:
        try:
            clock.cancel()
            clock.join()
        finally:  # it may ring just now
            signal.signal(signal.SIGTERM, before)


def _ring(number: int, frame: object) -> None:
    raise TooSlowError


def find_bot(name: str) -> Bot:
    """The bot of this name; ``module:function`` is imported.

    Raises :class:`InputError` for a name that is none, a module that cannot be imported, or what cannot be called.
    """
    name = name.strip()
    if ":" not in name:
        bot = BOTS.get(name.casefold())
        if bot is None:
            raise InputError("unknown-bot", name=name, candidates=[*BOTS, "module:function"])
        return bot
    try:
        bot = resolve_name(name)
    except Exception as error:
        raise InputError("bot-not-found", name=name, problem=problem_of(error)) from error
    if not callable(bot):
        raise InputError("bot-not-found", name=name, problem=f"{type(bot).__name__} is not callable")
    return Loaded(name, bot)
