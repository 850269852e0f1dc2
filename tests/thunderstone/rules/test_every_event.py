"""What is told of each kind of event: its card, its rules and what it says, as some example of a plan or game has it.

An event that is no longer told, or tells something else, changes tests/snapshots/events.txt. The quick run plays the
examples that are named there, the slow one and ``--update`` all that there are.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from support import ROOT, SNAPSHOTS, examples_of
from support.game_examples import check_game
from support.several import several
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.visit import visit
from thunderref.thunderstone.rules.explanation import Event

MORE: dict[str, dict[str, Any]] = {
    "a rest that destroys nothing": {"hand": ["disease", "torch"], "hall": ["griffon"], "plan": [{"rest": None}]},
    "a victory of the solo game": {
        "hand": ["outlands-khan", "lantern"], "hall": ["nixie"], "variant": "solo", "level": "normal",
        "plan": [{"attack": 1}],
    },
}  # fmt: skip
"""Turns that no file of examples can write down, or has no reason to."""


def patterns(key: ast.expr) -> list[str]:
    """What an event's key may be; some end in a word that a card or a choice gives."""
    match key:
        case ast.IfExp(body=body, orelse=orelse):
            return [*patterns(body), *patterns(orelse)]
        case ast.JoinedStr(values=values):
            return ["".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in values)]
        case ast.Constant(value=str(text)):
            return [re.escape(text)]
    return []


def keys() -> set[str]:
    """Every key that an event is made with."""
    paths = (ROOT / "thunderref" / "thunderstone").rglob("*.py")
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    made = [
        node.args[0]
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Event"
    ]
    return {pattern for key in made for pattern in patterns(key)}


def played(names: Collection[str]) -> Iterator[str]:
    """Play each example that says what is done, or those with one of ``names``; give its name when it is over."""
    for name, scenario in MORE.items():
        resolve(scenario)
        yield name
    for file, example in examples_of("cards/*.toml", "village/*.toml", "r*.toml", "turns.toml"):
        if names and f"{file}: {example['name']}" not in names:
            continue
        try:
            if "game" in example:
                check_game(example)
            elif "plan" in example.get("scenario", ()):
                resolve(example["scenario"])
            elif "plan" in example.get("document", ()):
                visit(example["document"])
            else:
                continue
        except (ThunderrefError, AssertionError):
            pass
        yield f"{file}: {example['name']}"


def said(event: Event) -> str:
    """The fields of its sentence; of a sum, which has tests of its own, only that there is one."""
    fields = {name: value for name, value in event.params if isinstance(value, str | int | tuple)}
    return " ".join(f"{name}={value}" for name, value in (dict.fromkeys(dict(event.params), "…") | fields).items())


@pytest.fixture
def before() -> list[str]:
    """The lines as they were."""
    path = SNAPSHOTS / "events.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def happened(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, before: list[str]
) -> dict[str, list[str]]:
    """Key -> a line for each example and each different event of it, in the order of the examples."""
    now, found = list[Event](), dict[str, list[str]]()

    def noted(*args: Any, **fields: Any) -> Event:
        now.append(Event(*args, **fields))
        return now[-1]

    for name, module in list(sys.modules.items()):
        if name.startswith("thunderref.thunderstone.") and getattr(module, "Event", None) is Event:
            monkeypatch.setattr(module, "Event", noted)
    every = several(0, 1) or request.config.getoption("--update")
    for name in played(() if every else {line.rpartition(" | ")[2] for line in before}):
        for event in sorted(now, key=repr):
            line = f"{event.key} | {event.card} | {' '.join(event.rules)} | {said(event)} | {name}"
            found.setdefault(event.key, []).append(line)
        now.clear()
    return found


@pytest.mark.thorough
def test_every_event_is_told_as_it_was(
    happened: dict[str, list[str]], before: list[str], snapshot: Callable[[str, str], None]
) -> None:
    """A line stays while its example has such an event; another example of the same key changes nothing."""
    missing = [key for key in keys() if not any(re.fullmatch(key, its) for its in happened)]
    assert not missing, "an example is wanted, or pytest --update if there is one"
    kept = {line.partition(" | ")[0]: line for line in before}
    lines = [kept[key] if kept.get(key) in found else found[0] for key, found in sorted(happened.items())]
    snapshot("events", "".join(f"{line}\n" for line in lines))
