"""Whatever the program is given, it says in one line what is wrong, writes nowhere else, and loses nothing."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from support import ROOT
from support.several import several
from support.systems import needs_posix, own_folders

PIECES = min(8, several(1, 8))
"""So many processes try the inputs one after the other, so that two cores can share them."""
ROUND = ("thorgal", "round")


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "thunderref", *words]


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        **own_folders(folder / "own"),
        "HOME": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",  # what is compiled is no file of the program's
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests"))),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("piece", range(PIECES))
@needs_posix
def test_hostile_input(tmp_path: Path, piece: int) -> None:
    """Words, documents, files and environments at random: see support.hostile for what is asked of every answer."""
    count = several(80, 2_000) // PIECES
    sandbox = tmp_path / "sandbox"
    sandbox.mkdir()
    words = [sys.executable, "-m", "support.hostile", str(sandbox), str(piece * count), str(count)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", env=environment(tmp_path), cwd=ROOT)
    *found, end = [json.loads(line) for line in done.stdout.splitlines()] or [{}]
    assert not found, found[:5]
    assert end == {"tried": count}, done.stderr[-2000:]


WRITERS = {
    "round": (*ROUND, "wound", "1", "3", "--file", "file"),
    "round anew": (*ROUND, "start", "--players", "3", "--force", "--file", "file"),
    "setup": ("setup", "--seed", "7", "--save", "file", "--force"),
    "glossary": ("glossary", "export", "--format", "markdown", "--output", "file", "--force"),
    "play": ("play", "--players", "random, random", "--seed", "5", "--first-game", "base", "--save", "file", "--force"),
    "history": ("setup", "--avoid-recent", "--seed", "7"),
}
"""Every command that writes a file, over one that is there."""


def old_file(name: str, folder: Path) -> Path:
    """The file that the command writes, as it was before."""
    if name == "history":
        file = folder / "own" / "thunderref" / "history.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({"setups": [{"code": "x", "cards": []}]}))
    else:
        file = folder / "file"
        file.write_bytes(begun_round())
    return file


@cache
def begun_round() -> bytes:
    """A round of two players as the program writes it."""
    with TemporaryDirectory() as folder:
        start = program(*ROUND, "start", "--players", "2", "--file", "file")
        subprocess.run(start, check=True, capture_output=True, cwd=folder, env=environment(Path(folder)))
        return (Path(folder) / "file").read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("name", WRITERS)
def test_a_kill_leaves_the_old_file_or_the_new(name: str, tmp_path: Path) -> None:
    """At whatever moment a command that writes is killed, its file is whole."""
    file = old_file(name, tmp_path)
    old, told = file.read_bytes(), environment(tmp_path)
    start = time.monotonic()
    subprocess.run(program(*WRITERS[name]), check=True, capture_output=True, cwd=tmp_path, env=told)
    took = time.monotonic() - start
    whole = {old, new} if (new := file.read_bytes()) != old else {old}
    rng, seen = random.Random(name), set[bytes]()
    for _ in range(several(1, 40)):
        file.write_bytes(old)
        running = subprocess.Popen(
            program(*WRITERS[name]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path, env=told
        )
        time.sleep(rng.uniform(0.3, 1.1) * took)
        running.kill()
        running.wait()
        if name == "play":  # its file is written turn by turn
            json.loads(file.read_bytes())
        else:
            assert file.read_bytes() in whole
        seen.add(file.read_bytes())
    assert seen


@pytest.mark.parametrize("name", WRITERS)
@needs_posix
def test_a_full_disk_loses_nothing(name: str, tmp_path: Path) -> None:
    """No file may grow beyond a few bytes here, as on a disk that is full."""
    import resource

    file = old_file(name, tmp_path)
    state = Path(environment(tmp_path)["XDG_DATA_HOME"]) / "thunderref"  # the folder of what is remembered is no file
    state.mkdir(parents=True, exist_ok=True)
    old, there = file.read_bytes(), sorted(tmp_path.rglob("*"))

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))

    done = subprocess.run(
        program(*WRITERS[name]), capture_output=True, encoding="utf-8", cwd=tmp_path, env=environment(tmp_path),
        preexec_fn=little, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert file.read_bytes() == old
    assert sorted(tmp_path.rglob("*")) == there
    if name != "history":  # the set-up itself is told, with a remark
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr


@pytest.mark.thorough
def test_of_many_writers_none_loses_a_step(tmp_path: Path) -> None:
    """Many runs at once that note a wound each: all of them are in the file (T14.4)."""
    old_file("round", tmp_path)
    runs = min(32, several(12, 32))

    def wound(_: int) -> int:
        words = program(*WRITERS["round"])
        return subprocess.run(words, capture_output=True, cwd=tmp_path, env=environment(tmp_path)).returncode

    with ThreadPoolExecutor(runs) as pool:
        done = list(pool.map(wound, range(runs)))
    kept = json.loads((tmp_path / "file").read_text())["steps"]
    assert done.count(0) == sum(step["do"] == "wound" for step in kept) == runs
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_game_that_somebody_else_has_changed_is_not_written_over(tmp_path: Path) -> None:
    """Two sittings at one file: the one that comes later says so, and the other's turns stay."""
    words = program("play", "--players", "Ann, Bob", "--seed", "5", "--first-game", "base", "--save", "game.json")
    first = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=tmp_path,
        env=environment(tmp_path),
    )  # fmt: skip
    assert first.stdin
    first.stdin.write("s\n")
    first.stdin.flush()
    until = time.monotonic() + 60
    while not (tmp_path / "game.json").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    again = program("play", "--resume", "game.json")
    subprocess.run(
        again,
        input="1\n5\n1\nq\n",
        encoding="utf-8",
        check=True,
        capture_output=True,
        cwd=tmp_path,
        env=environment(tmp_path),
    )
    theirs = (tmp_path / "game.json").read_bytes()
    _, told = first.communicate("1\n5\n5\nq\n", timeout=60)
    assert (tmp_path / "game.json").read_bytes() == theirs
    assert (first.returncode, len(told.splitlines())) == (2, 1), told
    assert "game.json" in told
