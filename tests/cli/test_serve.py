"""``thunderref serve``: its address and token, its refusals, and a real connection."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from support.command import Run
from support.systems import keep_in, needs_posix
from thunderref.files import state_file

CODE = "37MFZLY8JVG3GH7"
HURRY = """
import sys
from thunderref.serve import connection
connection.HURRY = 0.5
from thunderref.cli.app import main
main(sys.argv[1:])
"""


@contextmanager
def serving(*words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The first line that it prints, and the process."""
    command = [sys.executable, "-c", HURRY, "serve", "--port", "0", *words]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    try:
        assert run.stdout is not None
        yield run.stdout.readline().rstrip("\n"), run
    finally:
        run.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        run.communicate(timeout=60)


def seconds_of_searches(server: int) -> float:
    """Seconds of processor time that the processes of a server have used which search."""
    return sum(process.cpu_times().user for process in psutil.Process(server).children(recursive=True))


def asked(address: str, **options: object) -> httpx.Response:
    return httpx.get(address, timeout=120, trust_env=False, **options)  # type: ignore[arg-type]


def test_the_first_line_is_the_address_for_this_machine_only() -> None:
    with serving("--code", CODE) as (address, run):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        answer = asked(address)
        assert answer.status_code == 200
        assert f"/setup?code={CODE}" in answer.text
        assert asked(address, headers={"host": "evil.example"}).status_code == 400
        place = address.removeprefix("http://").rstrip("/").partition(":")
        with socket.create_connection((place[0], int(place[2])), timeout=10) as idle:
            assert idle.recv(1) == b"", "who says nothing is sent away"
    assert os.name != "posix" or run.returncode in (0, 130, -signal.SIGINT)


def test_with_lan_only_who_has_the_token_is_answered() -> None:
    with serving("--lan") as (address, _):
        start, token = re.fullmatch(r"(http://[\d.]+:\d+)/k/([\w-]{20,})", address).groups()  # type: ignore[union-attr]
        assert asked(f"{start}/").status_code == 403
        welcome = asked(address)
        assert welcome.status_code == 200
        assert asked(f"{start}/", cookies={"k": token}).status_code == 200


def test_searches_answer_from_their_own_process() -> None:
    with serving("--code", CODE) as (address, _):
        battle = asked(f"{address}resolve?hall=griffon&hand=militia,torch,elf-archmage&lang=pl")
        assert (battle.status_code, "Gryf" in battle.text) == (200, True)
        assert battle.cookies["at"].strip('"') == "hall=griffon&hand=militia%2Ctorch%2Celf-archmage"
        assert asked(f"{address}api/resolve?hand=militia&hall=griffon").json()["tonight"] == CODE
        sent = httpx.post(f"{address}api/resolve", json={"hand": ["zzz"], "hall": ["griffon"]}, trust_env=False)
        assert (sent.status_code, sent.json()["error"]["code"]) == (422, "unknown-card")
        assert asked(f"{address}setup?seed=x&players=9").status_code == 422


@needs_posix
def test_stopped_in_a_search_it_ends_without_a_word() -> None:
    deck = ["4 militia", "3 torch", "2 dagger", "2 iron rations", "elf wizard", "polearm", "feast", "regian priest"]
    long = {
        "deck_list": [*deck, "magi staff", "lorigg thief", "fireball"], "next_hand": True,
        "hall": ["blink dog", "griffon", "suffering"], "samples": 1_000_000, "budget": 20,
    }  # fmt: skip
    with serving("--code", CODE) as (address, run), ThreadPoolExecutor(1) as pool:
        asked(f"{address}resolve?hall=griffon&hand=militia")
        waiting = pool.submit(httpx.post, f"{address}api/odds", json=long, timeout=120, trust_env=False)
        begun, until = seconds_of_searches(run.pid), time.monotonic() + 60
        while seconds_of_searches(run.pid) < begun + 0.2:
            assert time.monotonic() < until
            time.sleep(0.02)
        assert not waiting.done()
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=15)
        assert said == ""


@needs_posix
def test_a_restart_lets_the_same_phones_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path)
    tokens = list[str]()
    for words in (["--lan"], ["--lan"], ["--lan", "--any"]):
        with serving(*words) as (address, _):
            tokens.append(address.rpartition("/")[2])
    assert tokens[0] == tokens[1] != tokens[2]
    assert state_file("phones").stat().st_mode & 0o077 == 0
    os.utime(state_file("phones"), (0, 0))  # another evening
    with serving("--lan") as (address, _):
        assert address.rpartition("/")[2] not in tokens


def test_another_address_than_loopback_asks_for_the_token_too() -> None:
    with serving("--host", "0.0.0.0") as (address, _):
        assert "/k/" in address


def test_a_taken_port_is_refused_in_a_sentence(cli: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        answer = cli("serve", "--port", str(taken.getsockname()[1]), "--json")
    assert answer.status == 2
    assert json.loads(answer.out)["error"]["code"] == "serve-address"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--port", "70000"), "serve-port"),
        (("--budget", "-1"), "bad-budget"),
        (("--code", "nonsense"), "bad-code"),
        (("--host", "nowhere.invalid"), "serve-address"),
    ],
)
def test_what_cannot_be_is_refused(cli: Run, words: tuple[str, ...], code: str) -> None:
    answer = cli("serve", *words, "--json")
    assert json.loads(answer.out)["error"]["code"] == code


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "starlette.py").write_text("raise ImportError", encoding="utf-8")
    command = [sys.executable, "-m", "thunderref", "serve"]
    run = subprocess.run(
        command, capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONPATH": str(tmp_path)}
    )
    assert run.returncode == 2
    assert "thunderref[serve]" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_searches_that_are_the_first_together_are_both_answered() -> None:
    """Two threads that read their first card at once crashed msgspec, and with it the server."""
    with serving() as (address, _), ThreadPoolExecutor(2) as phones:
        asking = [phones.submit(asked, f"{address}api/resolve?hand=militia,torch&hall=griffon") for _ in range(2)]
        assert [each.result().status_code for each in asking] == [200, 200]
