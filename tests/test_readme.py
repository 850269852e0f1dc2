"""The README shows what the program really prints; ``pytest tests/test_readme.py --update`` refreshes it.

A ``console`` block holds commands after ``$ `` and what they print on a terminal 88 columns wide; a line ``…`` stands
for any number of lines left out. A block after a line that ends with a file's name, as in “Save this as
`battle.json`:”, is that file. A ``python`` block is a doctest. (The two set-up commands are run by ``.ci/run``.)
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from support import ROOT
from support.systems import own_folders
from support.terminal import on_a_terminal, plain

README = ROOT / "README.md"
COLUMNS = 88
CUT = "…"


class Block(NamedTuple):
    """A fenced block: kind, the file it is (or ""), and its lines from ``start`` to before ``end``."""

    kind: str
    file: str
    start: int
    end: int


def blocks(lines: list[str]) -> Iterator[Block]:
    start = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if start is None:
            start, kind = number + 1, line[3:].strip()
        else:
            before = next((text for text in reversed(lines[: start - 1]) if text.strip()), "")
            named = re.search(r"`([\w.-]+\.\w+)`:$", before)
            yield Block(kind, named[1] if named else "", start, number)
            start = None
    assert start is None, "a block is not closed"


def transcript(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Command and what it is said to print."""
    command, printed = None, list[str]()
    for line in lines:
        if line.startswith("$ "):
            if command is not None:
                yield command, printed
            command, printed = line[2:], []
        else:
            printed.append(line)
    if command is not None:
        yield command, printed


def run(command: str, folder: Path, *, installed: bool) -> list[str]:
    """What a command prints: as an ``installed`` program or one of a shell, else in a fork of this process.

    What the program keeps between commands, as an evening, lies below the folder too.
    """
    words = shlex.split(command)
    if installed or words[0] != "thunderref" or re.search(r"[|<>&;$*]", command):
        words = ["bash", "-c", command]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    _, shown = on_a_terminal(COLUMNS, words, folder=folder, PATH=path, **own_folders(folder / "kept"))
    return [line.rstrip() for line in plain(shown).rstrip("\n").split("\n")] if shown else []


def fits(wanted: list[str], found: list[str]) -> bool:
    if not wanted:
        return not found
    if wanted[0].strip() == CUT:
        return any(fits(wanted[1:], found[skip:]) for skip in range(len(found) + 1))
    return bool(found) and wanted[0] == found[0] and fits(wanted[1:], found[1:])


def cut_as(old: list[str], found: list[str]) -> list[str]:
    """The new output, cut where the old one was: as many lines before and after."""
    at = [i for i, line in enumerate(old) if line.strip() == CUT]
    if not at:
        return found
    after = len(old) - at[-1] - 1
    if at[0] + after >= len(found):
        return found
    return [*found[: at[0]], CUT, *found[len(found) - after :]]


def refreshed(text: str, folder: Path) -> str:
    """The README with every transcript as it would be today."""
    lines = text.split("\n")
    new = []
    done, first = 0, True
    for block in blocks(lines):
        new += lines[done : block.start]
        done = block.start
        inside = lines[block.start : block.end]
        if block.file:
            (folder / block.file).write_text("\n".join(inside) + "\n", encoding="utf-8")
        elif block.kind == "console":
            for command, old in transcript(inside):
                found = run(command, folder, installed=first)
                first = False
                new += [f"$ {command}", *(old if fits(old, found) else cut_as(old, found))]
            done = block.end
    return "\n".join([*new, *lines[done:]])


def test_every_transcript_is_true(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    text = README.read_text(encoding="utf-8")
    today = refreshed(text, tmp_path)
    if request.config.getoption("--update"):
        README.write_text(today, encoding="utf-8", newline="\n")
        return
    assert today.splitlines() == text.splitlines(), "run “pytest tests/test_readme.py --update” and read the diff"


def test_the_python_in_it_works(tmp_path: Path) -> None:
    lines = README.read_text(encoding="utf-8").split("\n")
    tested = 0
    with contextlib.chdir(tmp_path):
        for block in blocks(lines):
            inside = "\n".join(lines[block.start : block.end]) + "\n"
            if block.file:
                (tmp_path / block.file).write_text(inside, encoding="utf-8")
            elif block.kind == "python":
                test = doctest.DocTestParser().get_doctest(inside, {}, "README.md", str(README), block.start)
                result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
                assert result.failed == 0
                tested += result.attempted
    assert tested


def test_there_are_two_commands_for_all_the_set_up() -> None:
    commands = [line for line in README.read_text(encoding="utf-8").split("\n") if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert "thunderref resolve" in commands[0]
    assert "pytest" in commands[1]


def test_what_it_links_to_exists() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text(encoding="utf-8"))
    assert not [link for link in links if not (ROOT / link).exists()]


def test_cutting() -> None:
    assert fits(["a", CUT, "d"], ["a", "b", "c", "d"])
    assert fits(["a", CUT], ["a"])
    assert not fits(["a", CUT, "e"], ["a", "b", "c", "d"])
    assert cut_as(["x", CUT, "y"], ["a", "b", "c", "d"]) == ["a", CUT, "d"]
    assert cut_as(["x", "y"], ["a", "b"]) == ["a", "b"]
