"""Workers: whoever works, results come in order; a lost one is one sentence; errors arrive whole."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from support.systems import needs_posix
from support.work import die, refuse, square
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.workers import Workers, check_scheduler, cores, edition, hire, number_of_workers


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_their_tasks(workers: int) -> None:
    with hire(workers=workers) as crew:
        assert list(crew.in_order(square, range(50))) == [n * n for n in range(50)]
        assert list(crew.in_order(square, [])) == []


def test_one_worker_is_this_process_and_takes_a_task_only_when_it_is_needed() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for n in range(5):
            taken.append(n)
            yield n

    with hire(workers=1) as crew:
        results = crew.in_order(square, tasks())
        assert [next(results), next(results)] == [0, 1]
        assert taken == [0, 1]


def test_several_workers_are_not_given_much_more_than_they_work_on() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for n in range(1000):
            taken.append(n)
            yield n

    with hire(workers=2) as crew:
        next(crew.in_order(square, tasks()))
        assert len(taken) <= 8


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_arrives_whole(workers: int) -> None:
    with pytest.raises(IllegalStepError) as caught, hire(workers=workers) as crew:
        list(crew.in_order(refuse, [3]))
    error = caught.value
    assert (error.code, error.rule, error.params["step"], error.candidates[0].id) == (
        "illegal-step",
        "R5.1",
        3,
        "militia",
    )


@pytest.mark.parametrize("kind", [NoAnswerError, InputError])
def test_an_error_can_be_sent(kind: type[NoAnswerError | InputError]) -> None:
    error = kind("unknown-card", candidates=["militia"], name="milita")
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is kind
    assert (found.code, found.params, found.candidates) == (error.code, error.params, error.candidates)


@needs_posix
def test_a_process_that_ends_is_one_sentence() -> None:
    with pytest.raises(InputError, match="workers-lost"), hire(workers=2) as crew:
        list(crew.in_order(die, range(3)))


def test_workers_may_be_spawned(tmp_path: Path) -> None:
    """As macOS and Windows do it: each imports the script of the command anew, which loads without collecting."""
    script = tmp_path / "thunderref"
    script.write_text(
        "import multiprocessing\n"
        "from support.work import collects, square\n"
        "from thunderref.__main__ import main\n"
        "from thunderref.workers import hire\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    with hire(workers=2) as crew:\n"
        "        print(sum(crew.in_order(square, range(20))), *crew.in_order(collects, range(2)))\n",
        encoding="utf-8",
    )
    run = subprocess.run(
        [sys.executable, str(script)], capture_output=True, encoding="utf-8", check=False, timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )  # fmt: skip
    assert (run.returncode, run.stdout.strip()) == (0, "2470 True True"), run.stderr


def test_windows_waits_for_no_more_than_its_most_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")  # ProcessPoolExecutor refuses more then
    with hire(workers=100) as crew:
        assert crew.count == 61
    with pytest.raises(ValueError, match="61"):
        ProcessPoolExecutor(62)


def test_how_many_workers_there_are() -> None:
    assert (number_of_workers(None), number_of_workers("auto"), number_of_workers("3")) == (None, None, 3)
    for wrong in ("0", "-1", "many", 0, "1e9", "100000"):
        with pytest.raises(InputError, match="bad-jobs"):
            number_of_workers(wrong)
    assert cores() >= 1
    with hire() as crew:
        assert crew.count == cores()


@pytest.mark.parametrize("wrong", ["", "dask", "tcp://", "http://localhost:8786", "localhost:8786"])
def test_a_scheduler_is_processes_or_an_address(wrong: str) -> None:
    check_scheduler("processes")
    check_scheduler("tcp://127.0.0.1:8786")
    with pytest.raises(InputError, match="bad-scheduler"):
        check_scheduler(wrong)


def test_workers_of_another_edition_do_nothing() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert list(Workers(2, executor, edition()).in_order(square, range(9))) == [n * n for n in range(9)]
        with pytest.raises(InputError, match="workers-differ") as caught:
            list(Workers(2, executor, "0.0.1 (0123456789ab)").in_order(die, range(9)))
    params = caught.value.params
    assert (params["theirs"], params["ours"]) == (edition(), "0.0.1 (0123456789ab)")


def test_dask_is_asked_for_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="dask-missing"), hire("tcp://127.0.0.1:1"):
        pass


def test_an_interrupt_waits_for_the_end_of_a_task() -> None:
    done = []

    def interrupted(times: int) -> None:
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
            done.append(times)

    with hire(workers=1) as crew:
        with pytest.raises(KeyboardInterrupt):
            next(crew.in_order(interrupted, [1]))
        assert done == [1]
        with pytest.raises(KeyboardInterrupt):
            next(crew.in_order(interrupted, [3]))
    assert done == [1, 3], "the second comes at once"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
