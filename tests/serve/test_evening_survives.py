"""An evening whose laptop is killed while it writes, and one that 32 phones write at once: every event is kept once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import httpx
import pytest

from support.served import serving
from support.systems import keep_in, own_folders
from thunderref.thunderstone.table.evening import read_events

from .conftest import CODE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="kills processes and looks for those they leave"),
]
WRITERS, EVENTS, EVERY = 32, 25, 5
COUNTING = """
from thunderref.database.read import Language, open_database
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import keep
words = Language(open_database(), "en")
while True:
    now = keep(lambda now: events.correct(now, words, xp=now.players[0].xp + 1))
    print(now.players[0].xp, flush=True)
"""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an evening that has begun."""
    keep_in(monkeypatch, tmp_path)
    words = [sys.executable, "-m", "thunderref", "evening", "start", CODE, "--players", "Ann, Bob, Cy, Di"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return tmp_path


def kept() -> list[int]:
    """What each correction added to the XP of Ann."""
    return [event.xp for event in read_events() if event.do == "correct"]


def add_until_kept(address: str, **fields: str) -> None:
    """Sends the event as a phone does: again while no answer comes, with a fresh look while the table moves."""
    with httpx.Client(base_url=address, timeout=30) as phone:
        while True:
            page = phone.get("/").text
            mark = re.search(r'data-mark="([^"]*)"', page)
            if mark and phone.post("/evening", data={"do": "correct", "seen": mark[1], **fields}).status_code == 303:
                return


def children(process: int) -> list[int]:
    """The processes that a process has begun, with theirs."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, encoding="utf-8", check=True).stdout
    pairs = [[int(number) for number in line.split()] for line in listed.splitlines()[1:]]
    direct = [child for child, parent in pairs if parent == process]
    return [*direct, *(grandchild for child in direct for grandchild in children(child))]


def until_ended(processes: list[int]) -> None:
    end = time.monotonic() + 20
    while any(Path(f"/proc/{process}").exists() for process in processes):
        assert time.monotonic() < end, processes
        time.sleep(0.05)


def test_a_killed_command_loses_nothing_and_keeps_nothing_twice(begun: Path) -> None:
    chance, reported = Random(5), 0
    for _ in range(EVENTS // EVERY):
        words = [sys.executable, "-c", COUNTING]
        with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8") as writer:
            assert writer.stdout is not None
            for _ in range(EVERY):
                reported = int(writer.stdout.readline())
            time.sleep(chance.random() / 50)
            writer.send_signal(signal.SIGKILL)
            reported = max([reported, *map(int, writer.stdout.read().split())])
        assert kept() in ([1] * reported, [1] * (reported + 1))


def test_a_killed_laptop_loses_nothing_and_keeps_nothing_twice(begun: Path) -> None:
    chance, written = Random(5), 0
    while written < EVENTS:
        with serving(folder=str(begun)) as (address, process), ThreadPoolExecutor(1) as phone:
            for _ in range(EVERY - 1):
                written += 1
                add_until_kept(address, xp=str(written))
            mark = re.search(r'data-mark="([^"]*)"', httpx.get(address).text)
            assert mark is not None
            written += 1
            last = {"do": "correct", "xp": str(written), "seen": mark[1]}
            sent = phone.submit(httpx.post, f"{address}/evening", data=last, timeout=30)
            time.sleep(chance.random() / 10)
            helpers = children(process)
            os.kill(process, signal.SIGKILL)
            is_said = sent.exception() is None and sent.result().status_code == 303
        assert helpers
        until_ended(helpers)
        assert len(kept()) == written or (len(kept()) == written - 1 and not is_said)
        with serving(folder=str(begun)) as (address, _):  # the phone sends again what it has no answer to
            answer = httpx.post(f"{address}/evening", data=last, timeout=30)
        assert answer.status_code in (303, 422)
        assert kept() == [1] * written


def at_once(send: Callable[[int], None]) -> None:
    with ThreadPoolExecutor(WRITERS) as crew:
        list(crew.map(send, range(1, WRITERS + 1)))


def test_thirty_two_phones_at_once_are_all_kept(begun: Path) -> None:
    with serving(folder=str(begun)) as (address, _):
        at_once(lambda n: add_until_kept(address, xp=str(1000 - n)[:3]))
    totals = [sum(kept()[: n + 1]) for n in range(WRITERS)]
    assert sorted(totals) == sorted(1000 - n for n in range(1, WRITERS + 1))


def test_thirty_two_commands_and_phones_at_once_are_all_kept(begun: Path) -> None:
    def write(n: int) -> None:
        if n % 4:
            add_until_kept(address, xp=str(100 + n))
        else:
            words = [sys.executable, "-m", "thunderref", "evening", "correct", "--xp", str(100 + n)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **own_folders(begun)})

    with serving(folder=str(begun)) as (address, _):
        at_once(write)
    assert sorted(sum(kept()[: n + 1]) for n in range(WRITERS)) == [100 + n for n in range(1, WRITERS + 1)]
