"""What is shown beside a target is what the battle comes to, or says that something is still to be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.random_games import STORE
from thunderref.cli.terminal import preview
from thunderref.thunderstone.rules.choices import kind_of
from thunderref.thunderstone.rules.legal import play
from thunderref.thunderstone.table.record import SavedPlayer, begin_game

if TYPE_CHECKING:
    from support.command import Run

TWO = ("play", "--players", "Ann, Bob", "--first-game", "base", "--seed", "5")


@pytest.mark.parametrize("ruleset", ["print", "yucata"])
def test_it_is_what_the_attack_comes_to(ruleset: str) -> None:
    known = still_open = 0
    for seed in range(3, 15):
        players = [SavedPlayer(name=name, random=True) for name in ("Ann", "Bob")]
        record = begin_game(STORE, players, seed=seed, ruleset=ruleset, sets=["base", "wrath"])
        while not record.over and record.turn < 60:
            for _ in record.settle():
                pass
            if record.over:
                break
            for attack in (action for action in record.options() if kind_of(action) == "attack"):
                found, ended = preview(record.game, record.position, attack)
                after, events = play(record.game, record.position, attack)
                outcomes = [dict(event.params)["outcome"] for event in events if event.key in ("victory", "defeat")]
                if not ended:
                    still_open += 1
                    assert not outcomes
                    assert after.todo, "somebody or chance is asked first"
                else:
                    known += 1
                    assert found == outcomes[0]
            record.take(record.draw()[0])
    assert known > 300
    assert still_open > 50


@pytest.mark.parametrize(
    ("lang", "heading", "first"),
    [
        ("en", "Attack (as things stand):", "2) Pegasus, rank 1: 4 against Health 6, defeat"),
        ("pl", "Cel ataku (przy obecnym stanie kart):", "2) Pegaz, szereg 1: 4 przeciwko Zdrowiu 6, porażka"),
        ("ru", "Атаковать (при нынешнем положении):", "2) Пегас, ряд 1: 4 против здоровья 6, поражение"),
    ],
)
def test_it_stands_beside_each_target_and_not_in_the_log(cli: Run, lang: str, heading: str, first: str) -> None:
    """Four Militia against Pegasus: 4; the Torch pays for rank 1 and for half of rank 2 (R5.11)."""
    answer = cli(*TWO, "--lang", lang, stdin="2\n2\nq\n")
    assert answer.out.count(heading) == 1
    assert f"\n  {first}\n" in answer.out
    after = answer.out.split(first)[1]
    assert f"{first[3:].partition(':')[0]}:" not in after
    narrow = cli(*TWO, "--lang", lang, stdin="2\nq\n", env={"COLUMNS": "40"})
    assert not [line for line in narrow.out.splitlines() if len(line) > 40]
