"""Saved games as files: what cannot be read is refused with what is wrong; what is there is never lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.random_games import start
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.thunderstone.table import record
from thunderref.thunderstone.table.record import FORMAT


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(record.text_of(start(0).saved("test")), "utf-8")
    return path


def refused(path: Path) -> ThunderrefError:
    with pytest.raises(ThunderrefError) as caught:
        record.read_game(str(path))
    return caught.value


def test_what_is_written_can_be_read(saved: Path) -> None:
    assert record.read_game(str(saved)) == start(0).saved("test")


def test_a_file_cut_short_says_where(saved: Path) -> None:
    text = saved.read_text("utf-8")
    for length in range(len(text) - 2):
        saved.write_text(text[:length], "utf-8")
        error = refused(saved)
        assert isinstance(error, InputError)
        assert error.code == "play-cut"
        assert error.params["line"] >= 1


@pytest.mark.parametrize(
    "text", ["[]", "3", '"x"', "{}", '{"format": 1}', '{"steps": []}', '{"format": "1", "steps": []}']
)
def test_other_json_is_no_saved_game(saved: Path, text: str) -> None:
    saved.write_text(text, "utf-8")
    assert refused(saved).code == "play-no-save"


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(bytes(range(256)))
    assert refused(tmp_path / "picture").code == "unreadable-file"
    assert refused(tmp_path).code == "unreadable-file"
    assert refused(tmp_path / "nowhere.json").code == "no-file"
    (tmp_path / "deep").write_text("[" * 100_000, "utf-8")
    assert refused(tmp_path / "deep").code == "too-deep"


@pytest.mark.parametrize(("version", "code"), [(FORMAT + 1, "play-newer-save"), (FORMAT - 1, "play-older-save")])
def test_another_form_is_told_apart(saved: Path, version: int, code: str) -> None:
    document = json.loads(saved.read_text("utf-8"))
    saved.write_text(json.dumps({**document, "format": version}), "utf-8")
    error = refused(saved)
    assert isinstance(error, NoAnswerError)
    assert (error.code, error.params["version"]) == (code, version)


@pytest.mark.parametrize("version", [0, -3, True, 1.0, None, "2"])
def test_what_is_no_form_is_no_saved_game(saved: Path, version: object) -> None:
    document = json.loads(saved.read_text("utf-8"))
    saved.write_text(json.dumps({**document, "format": version}), "utf-8")
    assert refused(saved).code == "play-no-save"


@pytest.mark.parametrize(
    ("changes", "code", "key"),
    [
        ({"seed": "five"}, "bad-value", "seed"),
        ({"seed": -1}, "bad-value", "seed"),
        ({"players": []}, "bad-value", "players"),
        ({"colour": "red"}, "unknown-key", "colour"),
        ({"ruleset": "house"}, "not-one-of", "ruleset"),
        ({"steps": {"turn": "rest"}}, "no-list", "steps"),
        ({"steps": ["rest"]}, "bad-value", "steps.0"),
        ({"start": {"dungeon": []}}, "missing-key", "start.horde"),
    ],
)
def test_a_key_that_does_not_fit_is_named(saved: Path, changes: dict[str, Any], code: str, key: str) -> None:
    document = json.loads(saved.read_text("utf-8"))
    saved.write_text(json.dumps({**document, **changes}), "utf-8")
    error = refused(saved)
    assert (error.code, error.params["key"]) == (code, key)
