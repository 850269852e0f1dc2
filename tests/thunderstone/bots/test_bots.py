"""How bots are found and asked, and what becomes of one that raises, cheats or never ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from support.random_games import STORE
from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.bots import registry
from thunderref.thunderstone.bots.bot import Bot, bot_name, decide, reason_of
from thunderref.thunderstone.bots.registry import BOTS, find_bot
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import REVEAL, Named, Pick, Several, cards_of
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Task, replace
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table.record import Opening, deal, open_game, source


@pytest.fixture(autouse=True)
def _found_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def opening(seed: int = 1) -> Opening:
    setup = generate_setup(database=STORE, seed=seed, players=2, sets=["base"])
    return open_game(setup, deal(setup, seed))


def view(seed: int = 1) -> tuple[View, Opening]:
    found = opening(seed)
    return View(*found, lambda: source(seed, "choice")), found


@pytest.mark.parametrize("name", [*BOTS, " Greedy "])
def test_the_bots_of_the_program_are_found_by_name(name: str) -> None:
    bot = find_bot(name)
    assert bot_name(bot) == name.strip().casefold()
    seen, found = view()
    choices = legal_actions(*found)
    assert decide(bot, seen, choices) in choices


def test_a_function_is_found_in_its_module() -> None:
    bot = find_bot("own_bots:last")
    seen, found = view()
    choices = legal_actions(*found)
    assert bot_name(bot) == "own_bots:last"
    assert decide(bot, seen, choices) == choices[-1]
    assert reason_of(bot, seen, choices, choices[-1]) is None


def test_a_bot_may_say_why() -> None:
    bot = find_bot("own_bots:talking")
    seen, found = view()
    choices = legal_actions(*found)
    assert reason_of(bot, seen, choices, choices[0]) == f"first of {len(choices)}"


@pytest.mark.parametrize(
    "name", ["grumpy", "", "own_bots:nobody", "no_such_module:last", "own_bots:NO_BOT", ":", "own_bots:"]
)
def test_a_name_that_is_no_bot(name: str) -> None:
    with pytest.raises(InputError) as caught:
        find_bot(name)
    assert caught.value.code in ("unknown-bot", "bot-not-found")


@pytest.mark.parametrize(
    ("name", "code"), [("raising", "bot-raised"), ("cheating", "bot-illegal"), ("silent", "bot-illegal")]
)
def test_a_bad_bot_gets_one_sentence(name: str, code: str) -> None:
    bot = find_bot(f"own_bots:{name}")
    seen, found = view()
    with pytest.raises(NoAnswerError) as caught:
        decide(bot, seen, legal_actions(*found))
    assert caught.value.code == code
    assert caught.value.params["bot"] == f"own_bots:{name}"


@pytest.mark.parametrize("windows", [False, True])
def test_a_bot_that_never_chooses_is_stopped(monkeypatch: pytest.MonkeyPatch, windows: bool) -> None:
    """By the system's alarm clock, and without one, as Windows is."""
    if windows:
        monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(registry, "LONGEST_THOUGHT", 0.1)
    before = signal.getsignal(signal.SIGTERM)
    seen, found = view()
    with pytest.raises(NoAnswerError) as caught:
        decide(find_bot("own_bots:sleepless"), seen, legal_actions(*found))
    assert caught.value.code == "bot-slow"
    choices = legal_actions(*found)
    assert decide(find_bot("own_bots:last"), seen, choices) == choices[-1]
    assert signal.getsignal(signal.SIGTERM) == before
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    if os.name == "posix":
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0), "the clock of that thought rings no more"


def test_a_single_choice_is_nobodys() -> None:
    bot = find_bot("own_bots:raising")
    seen, _ = view()
    assert decide(bot, seen, [REVEAL]) == REVEAL


SPHINX = (Several("destroy", ()), Several("destroy", ("militia",)), Several("destroy", ("militia", "torch")))


@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
def test_destroying_any_of_six_or_none_is_a_choice_like_others(bot: Bot) -> None:
    """Sphinx: nothing chosen is a choice too."""
    seen, _ = view()
    seen.position = replace(seen.position, todo=(Task("purge"),))
    assert decide(bot, seen, SPHINX) in SPHINX


def test_what_choices_name() -> None:
    assert [cards_of(choice) for choice in SPHINX] == [(), ("militia",), ("militia", "torch")]
    assert cards_of(Pick("destroy", ("torch", 2))) == cards_of(Named("show", "torch")) == ("torch",)
    assert cards_of(REVEAL) == ()
