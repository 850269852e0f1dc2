"""``thunderref simulate``: the report as text, page and JSON, in three languages; files, errors, an interrupt."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from support.several import several
from support.systems import needs_posix
from support.terminal import on_a_terminal, plain
from thunderref.thunderstone.simulate import run as simulating
from thunderref.thunderstone.simulate.run import GAMES, simulate_setup

if TYPE_CHECKING:
    from support.command import Run

QUICK = ("simulate", "--seed", "7", "--games", "10", "--bots", "greedy, dearest", "--workers", "1")


def test_a_report_names_bots_seed_and_games_and_whose_values_they_are(cli: Run) -> None:
    answer = cli(*QUICK)
    assert answer.status == 0
    document = cli(*QUICK, "--json").json
    assert answer.out.startswith(f"Games of {document['code']}\n")
    assert "10 games played by the bots greedy, dearest (seed 7); people play differently." in answer.out
    assert document["tonight"] is None
    assert document["interrupted"] is False
    mean = document["figures"]["rounds"]["mean"]
    assert f"Rounds: {mean:.0f} on average" in answer.out
    assert answer.err == ""


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("width", [40, 80])
def test_a_report_fits(cli: Run, lang: str, width: int) -> None:
    out = cli(*QUICK, "--more", "--lang", lang, env={"COLUMNS": str(width)}).out
    assert not [line for line in out.splitlines() if len(line) > width]
    assert out.isprintable() or "\x1b" not in out
    pictures = [line for line in out.splitlines() if re.search(r"[=|.]*o[=|.]+ ", line)]
    assert len(pictures) >= 2


def test_a_terminal_shows_the_finding_first_and_no_more_than_it_has_rows() -> None:
    status, shown = on_a_terminal(80, ["thunderref", *QUICK])
    assert status == 0
    title, first, *others = plain(shown).splitlines()
    assert "Games of" in title
    assert "The bot dearest wins " in first
    assert len(others) < 22
    assert "… --more shows the rest." in plain(shown)
    assert not [line for line in plain(shown).splitlines() if len(line.rstrip()) > 80]


def test_the_rest_is_one_key_away(cli: Run) -> None:
    assert "--more" in cli(*QUICK).out.splitlines()[-1]
    assert "Games by the number of their rounds" not in cli(*QUICK).out
    whole = cli(*QUICK, "--more").out
    assert "Games by the number of their rounds" in whole
    assert "--more" not in whole


def test_progress_is_shown_on_a_terminal() -> None:
    words = ["thunderref", "simulate", "--seed", "7", "--games", "60", "--bots", "planner", "--workers", "1"]
    status, shown = on_a_terminal(80, words, interrupt_after="games played")
    assert status == 0
    assert "Interrupted: these are the games played until then." in plain(shown)
    assert re.search(r"\d+ of 60 games played, about \d+ s left", shown)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_page_is_whole_and_loads_nothing(cli: Run, lang: str) -> None:
    out = cli(*QUICK, "--format", "html", "--lang", lang).out
    assert out.startswith("<!DOCTYPE html>")
    pictures = re.findall(r"<svg.*?</svg>", out, re.S)
    assert len(pictures) >= 6
    for picture in pictures:
        ElementTree.fromstring(picture)
    assert not re.search(r"https?://|<script|<link|src=|url\(", out)
    assert f'<html lang="{lang}">' in out


def test_a_saved_answer_is_that_of_json(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    assert cli(*QUICK, "--save", str(path)).status == 0
    document = json.loads(path.read_text("utf-8"))
    assert document | {"tonight": None} == cli(*QUICK, "--json").json
    refused = cli(*QUICK, "--save", str(path), "--json")
    assert refused.json["error"]["code"] == "file-exists"
    assert cli(*QUICK, "--save", str(path), "--force").status == 0


def test_a_code_brings_its_number_of_players(cli: Run) -> None:
    code = cli("setup", "--players", "3", "--seed", "4", "--json").json["code"]
    document = cli("simulate", "--code", code, "--games", "3", "--bots", "random", "--seed", "1", "--json").json
    assert (document["code"], document["bots"]) == (code, ["random"] * 3)


@pytest.mark.thorough
def test_the_sheet_has_two_lines_more(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    games = min(GAMES, several(20, GAMES))
    monkeypatch.setattr(simulating, "simulate_setup", partial(simulate_setup, games=games))
    words = ("setup", "--seed", "7", "--json")
    before, after = cli(*words).json, cli(*words, "--simulate").json
    finding, figures, *others = after.pop("warnings")
    assert others == before.pop("warnings")
    assert after == before
    assert re.match(r"A (very )?(short|long) game|A game of usual length", finding)
    assert figures.startswith(f"{games} simulated games of the bots planner, planner (seed 7): ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--games", "0"), "bad-games"), (("--games", "many"), "bad-number"), (("--bots", "zorro"), "unknown-bot"),
        (("--bots", "random, random, random", "--players", "2"), "simulate-bots"), (("--workers", "0"), "bad-jobs"),
        (("--scheduler", "moon"), "bad-scheduler"), (("--format", "pdf"), "setup-unknown-format"),
        (("--code", "nonsense"), "bad-code"), (("--seed", "-1"), "setup-bad-seed"),
        (("--scheduler", "tcp://127.0.0.1:1"), "scheduler-silent"),
    ],
)  # fmt: skip
def test_what_is_refused(cli: Run, words: tuple[str, ...], code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thunderref.workers.SECONDS_TO_JOIN", 0.5)
    answer = cli("simulate", "--bots", "random", *words, "--json")
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["message"]


def test_a_bot_of_this_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def last(view, choices):\n    return choices[-1]\n", "utf-8")
    command = [sys.executable, "-P", "-m", "thunderref", "simulate", "--bots", "mine:last, random", "--games", "6"]
    words = ["--seed", "1", "--workers", "2", "--json"]
    run = subprocess.run(
        [*command, *words], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["bots"] == ["mine:last", "random"]


COUNTING = """
import time

def last(view, choices):
    if not view.memory:
        view.memory["begun"] = True
        open(f"{time.monotonic_ns()}.begun", "w").close()
    return choices[-1]
"""


@needs_posix
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_keeps_what_there_is(tmp_path: Path, workers: str) -> None:
    (tmp_path / "mine.py").write_text(COUNTING, "utf-8")
    command = [sys.executable, "-P", "-m", "thunderref", "simulate", "--bots", "mine:last", "--games", "20000"]
    words = ["--seed", "7", "--workers", workers, "--json", "--lang", "en"]
    with subprocess.Popen(
        [*command, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        start_new_session=True, preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
    ) as run:  # fmt: skip
        until = time.monotonic() + 60
        while run.poll() is None and len([*tmp_path.glob("*.begun")]) < 100:
            assert time.monotonic() < until
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        out, said = run.communicate(timeout=60)
    document = json.loads(out)
    assert (run.returncode, document["interrupted"], said) == (0, True, "")
    assert 0 < document["games"] < 20_000
