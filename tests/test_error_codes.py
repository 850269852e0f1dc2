"""Every refusal has an example: the code of each error that is raised stands in some test."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from support import ROOT
from support.files import messages

ERRORS = {"ThunderrefError", "NoAnswerError", "IllegalStepError", "InputError"}
UNSHOWN = {
    "no-output": "tests/cli/test_refused_words.py fills the disk; only standard error can say so, in words",
}
"""Codes that no test names, each with the reason."""


def parts(path: Path) -> list[ast.AST]:
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def called_name(function: ast.expr) -> str:
    """The last part of a dotted name, "" for what has no name."""
    return getattr(function, "attr", "") or getattr(function, "id", "")


@cache
def told() -> frozenset[str]:
    """The codes that have a sentence, without what tells several sentences of a code apart."""
    return frozenset(key.split(".")[1] for key in messages("en") if key.startswith("error."))


@cache
def raised() -> dict[str, str]:
    """Code -> a module that raises it: named in the call of an error, or made before by that name."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "thunderref").rglob("*.py")):
        for node in parts(path):
            called = isinstance(node, ast.Call) and called_name(node.func) in ERRORS
            first = node.args[0] if called and isinstance(node, ast.Call) and node.args else node
            if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                continue
            if called or first.value in told():
                found.setdefault(first.value, path.relative_to(ROOT).as_posix())
    return found


@cache
def named() -> frozenset[str]:
    """The codes that are a string of the tests or their examples, or the word that such a string begins with."""
    own = Path(__file__).resolve()
    found = set[str]()
    for path in (ROOT / "tests").rglob("*.toml"):
        found.update(re.findall(r'"([a-z0-9-]+)"', path.read_text(encoding="utf-8")))
    for path in (path for path in (ROOT / "tests").rglob("*.py") if path != own):
        text = path.read_text(encoding="utf-8")
        if not any(code in text for code in raised().keys() - found):  # to parse all files takes seconds
            continue
        for node in parts(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
                found.update(re.findall(r"^[a-z][a-z0-9-]+", node.value))
    return frozenset(found & raised().keys())


def test_every_code_stands_in_a_test() -> None:
    missing = {code: module for code, module in raised().items() if code not in named() | UNSHOWN.keys()}
    assert not missing, "write an example, for instance in tests/examples/refusals.toml"


def test_the_exceptions_are_codes_that_no_test_names() -> None:
    assert not [code for code in UNSHOWN if code not in raised() or code in named()]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_every_code_has_a_sentence(lang: str) -> None:
    sentences = {key.split(".")[1] for key in messages(lang) if key.startswith("error.")}
    assert not {code: module for code, module in raised().items() if code not in sentences}
