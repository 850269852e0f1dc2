"""What players held to be right, as they sent it: each file of tests/reports is answered as it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import ROOT
from thunderref.cli.report import check

REPORTS = sorted((ROOT / "tests" / "reports").glob("*.json"))


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_the_answer_is_what_is_held_to_be_right(report: Path) -> None:
    """Texts may be worded anew: only the values that the player names count."""
    found = check(str(report))
    assert found["agrees"], found["against"] or "nothing is held to be right: a test that cannot fail"


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.stem)
def test_another_answer_would_be_seen(report: Path, tmp_path: Path) -> None:
    """Each value, changed, is one that the answer is not: a report that holds nothing to be right cannot fail."""
    document = json.loads(report.read_text(encoding="utf-8"))
    assert document["right"]
    assert document["because"]
    for name in document["right"]:
        changed = document | {"right": document["right"] | {name: "something else"}}
        (tmp_path / report.name).write_text(json.dumps(changed), encoding="utf-8")
        assert name in check(str(tmp_path / report.name))["against"]
