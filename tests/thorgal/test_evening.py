"""Whole evenings for one to four players, from the first card to the end: what is typed and what is answered."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from support.systems import own_folders

DICE = ("dice 'green: 2 I2, L3, -, -, I3'", "dice 'yellow: I2, 2 L3, I3, T4, -'")
ONE = (  # the character dies
    "setup --names Ola --adventure Wyspa", "round start --names Ola --adventure Wyspa --length 5 --cards '1 2 3 4'",
    "round board 'Ola 1' ..../..../..##", "round board 2 .....", "round dice 'zielona: 2 I2, L3, -, -, I3'",
    "round rolls 1 '2 zielone'", "round card 4 'walka jedyny+1'", "round card 1 'ruch lewo1:zbieranie'", "round next",
    "round act 4", "round enemy wilk .H1/y.H", "fight", "fight --tiles 'I2, -'", "round threat 1 +1", "round act 1",
    "round resource 2 drewno +2", "round act 4", "round threat 1 +5", "round act 3", "round events", "round next",
    "round act 3 --from 1", "round wound 1 L3", "round heal 1 2", "round wound 1 5", "round next",
    "round wound 1 2", "round wound 1 1",
)  # fmt: skip
TWO = (  # the goal is met
    "setup --players 2", "round start --names 'Anna, Bartek' --length 4 --cards '1 3 4 6'", "round " + DICE[0],
    "round " + DICE[1], "round rolls anna '2 green'", "round rolls bartek green",
    "round board anna ...../...../.....", "round card 1 'wander left1+1'", "round card 3 'gather here2+1'",
    "round card 4 'fight alone+1 left2:move'", "round next", "round act 1",
    "wander 'X.1y/X..t/..2./--^-' --tiles 'I2, L3' --limit 1", "round resource anna wood +1", "round track anna +1",
    "round act 3", "round resource bartek ore +2", "round act 4", "round enemy wolf .H1/y.H", "fight",
    "round skill anna", "fight --rerolls 1", "fight --tiles 'I2, L3'", "round dial anna +1",
    "round rolls anna 'green, yellow'", "round next", "round act 3 --from 0", "round resource bartek ore -2",
    "round next", "round events", "round next", "round act 4 --from 3", "round enemy bear 'H.H/.../H.H'",
    "fight bartek", "round threat bartek +3", "round undo", "round threat bartek +2", "round act 3 --from 1",
    "round resource anna ore +1", "round upgrade 4 5", "round act 5 --from 3",
    "round dice 'orange: I2, 2 I3, T4, 2 L3'", "fight anna bear --upgrades 1",
    "round act 1 --from 5", "round show", "round won",
)  # fmt: skip
THREE = (  # time runs out
    "setup --players 3", "round start --names 'Анна, Борис, Вера' --length 2 --cards '2 5 7'", "round act 2",
    "round act 5", "round act борис 7 --out-of-turn", "round act вера 7", "round next", "round events", "round next",
    "round board вера ...", "round act 7 --from 5", "round wound вера 2", "round act вера 2 --from 7", "round next",
    "round act 5 --from 2", "round act 5 --from 7", "round next", "round events",
)  # fmt: skip
FOUR = (  # the goal can no longer be met
    "setup --players 4", "round start --names 'Anna, Bartek, Celina, Darek' --first darek", "round act 3",
    "round act 3", "round act 6", "round act 1", "round next", "round events", "round threat celina +4", "round next",
    "round act 6", "round skill anna", "round skill anna --back", "round act 6 --from 1", "round act 1 --from 6",
    "round act 6", "round act 1", "round events",
    "round danger 1/3 the village burns", "round danger 2/3 the village burns", "round show",
    "round lost 'the village burns'",
)  # fmt: skip


@pytest.mark.parametrize(
    ("players", "lang", "lines"),
    [("one", "pl", ONE), ("two", "en", TWO), ("three", "ru", THREE), ("four", "en", FOUR)],
    ids=["one", "two", "three", "four"],
)
def test_an_evening(cli: Any, snapshot: Any, tmp_path: Path, players: str, lang: str, lines: tuple[str, ...]) -> None:
    pages = []
    for line in lines:
        env = {**own_folders(tmp_path), "COLUMNS": "80"}
        answer = cli("thorgal", *shlex.split(line), "--lang", lang, env=env)
        assert max(map(len, answer.out.splitlines()), default=0) <= 80
        pages.append(f"$ thunderref thorgal {line}\n{answer.out}{answer.err}")
    snapshot(f"thorgal.evening.{players}", "\n".join(pages))
