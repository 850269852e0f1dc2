"""``resolve --batch``: several processes, one order; every line is answered, whatever it is; it can be stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import thunderref
from support.systems import needs_posix

if TYPE_CHECKING:
    from support.command import Run

COMMAND = [sys.executable, "-m", "thunderref", "resolve", "--lang", "en"]
HANDS = [["militia"], ["2 militia"], ["torch", "fireball"], ["elf wizard"], ["outlands warrior", "dagger"]]
HARD = {
    "hand": ["banish", "selurin theurge", "goodberries", "2 iron rations", "thyrian squire", "short sword",
             "regian priest", "elf wizard", "torch"],
    "hall": ["blink dog", "griffon", "uyril unending"],
}  # fmt: skip


def lines(count: int) -> str:
    return "".join(json.dumps({"hand": HANDS[n % len(HANDS)], "hall": ["griffon"]}) + "\n" for n in range(count))


def run(*words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], input=given, capture_output=True, encoding="utf-8", check=False, timeout=120
    )


def test_a_document_has_one_answer_everywhere() -> None:
    """``missing`` too: what a file, a line of a batch and Python are told is the same."""
    given = json.dumps({"hand": ["2 militia", "torch"], "hall": ["griffon", "blink dog"]})
    by_file = json.loads(run("--file", "-", "--json", "--budget", "0", given=given).stdout)
    by_line = json.loads(run("--batch", "-", given=given).stdout)
    by_python = json.loads(json.dumps(thunderref.resolve(json.loads(given)).model_dump()))
    assert by_file == by_line == by_python | {"tonight": None}
    assert by_python["targets"][0]["missing"]["short"] == 5


def test_every_line_in_its_place_by_any_number_of_processes() -> None:
    wanted = lines(70).splitlines()
    wanted[40], wanted[50], wanted[69] = "{oops", '{"hand": ["zxqwv"], "hall": ["griffon"]}', "[]"
    given = "\n".join(wanted)
    alone = run("--batch", "-", "--jobs", "1", given=given)
    assert (alone.returncode, alone.stderr) == (0, "")
    found = [json.loads(line) for line in alone.stdout.splitlines()]
    assert len(found) == 70
    assert [n for n, result in enumerate(found) if "error" in result] == [40, 50, 69]
    assert [found[n]["error"]["code"] for n in (40, 50, 69)] == [
        "malformed-line", "unknown-card", "document-not-an-object",
    ]  # fmt: skip
    for jobs in (["--jobs", "3"], []):
        shared = run("--batch", "-", *jobs, given=given)
        assert (shared.returncode, shared.stderr, shared.stdout) == (0, "", alone.stdout)


def test_empty_lines_are_no_scenarios(cli: Run) -> None:
    answer = cli("resolve", "--batch", "-", stdin="\n\n" + lines(1) + "   \n\n" + lines(1) + "\n")
    assert (answer.status, len(answer.out.splitlines())) == (0, 2)
    assert cli("resolve", "--batch", "-", stdin="").out == ""


def test_a_line_is_answered_before_the_next_is_there() -> None:
    with subprocess.Popen(
        [*COMMAND, "--batch", "-", "--jobs", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as batch:
        assert batch.stdin is not None
        assert batch.stdout is not None
        for _ in range(2):
            batch.stdin.write(lines(1))
            batch.stdin.flush()
            assert "targets" in json.loads(batch.stdout.readline())
        batch.stdin.close()


def test_an_unforeseen_mistake_costs_one_line(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from thunderref.thunderstone.resolve import judge as api

    resolve: Any = api.resolve

    def clumsy(document: Any, **more: Any) -> Any:
        if document["hand"] == ["2 militia"]:
            raise RuntimeError("oops")
        return resolve(document, **more)

    monkeypatch.setattr(api, "resolve", clumsy)
    answer = cli("resolve", "--batch", "-", "--jobs", "1", stdin=lines(3))
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert ["error" in result for result in found] == [False, True, False]
    assert found[1]["error"]["code"] == "internal"


def test_a_budget_for_every_line(cli: Run) -> None:
    start = time.process_time()
    answer = cli("resolve", "--batch", "-", "--budget", "0.001", stdin=(json.dumps(HARD) + "\n") * 2)
    assert time.process_time() - start < 3
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [{target["proven"] for target in result["targets"]} for result in found] == [{False}, {False}]
    assert cli("resolve", "--batch", "-", "--budget", "-1", "--json").json["error"]["code"] == "bad-budget"


@needs_posix
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_it(tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "battles.jsonl"
    path.write_text(lines(1) * 40 + (json.dumps(HARD) + "\n") * 400, encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "--batch", str(path), "--jobs", jobs], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", start_new_session=True, preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as batch:  # fmt: skip
        assert batch.stdout is not None
        first = batch.stdout.readline()
        os.killpg(batch.pid, signal.SIGINT)
        start = time.monotonic()
        _, said = batch.communicate(timeout=60)
        assert time.monotonic() - start < 40
    assert "targets" in json.loads(first)
    assert batch.returncode == 130
    assert "Traceback" not in said


@needs_posix
def test_a_reader_who_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "battles.jsonl"
    path.write_text(lines(2000), encoding="utf-8")
    start = time.monotonic()
    command = f"{' '.join(COMMAND)} --batch {path} --jobs 2 | head -1"
    answer = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert time.monotonic() - start < 90
    assert len(answer.stdout.splitlines()) == 1
    assert "Traceback" not in answer.stderr
