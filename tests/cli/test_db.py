"""``thunderref db``, and what every command says when the database is not as it should be."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import pytest

from support import ROOT
from support.files import copy_sources
from support.systems import like_windows
from thunderref.database import paths, read
from thunderref.database.paths import read_only_uri
from thunderref.database.read import open_database

if TYPE_CHECKING:
    from support.command import Run


def test_path(cli: Run) -> None:
    answer = cli("db", "path")
    assert (answer.status, answer.err) == (0, "")
    assert Path(answer.out.strip()) == open_database().path
    assert cli("db", "path", "--json").json == {"path": str(open_database().path), "tonight": None}


def test_info_counts_what_is_there(cli: Run) -> None:
    found = cli("db", "info", "--json").json
    assert found["rows"]["cards"] == 173
    assert found["rows"]["effects"] == 221
    assert found["languages"] == ["en", "pl", "ru"]
    assert found["copies"]["base"] == {
        "basic": 75, "disease": 15, "hero": 132, "monster": 80, "thunderstone": 1, "village": 152,
    }  # fmt: skip
    assert found["copies"]["wrath"]["hero"] == 84
    assert isinstance(found["stale"], dict)


@pytest.mark.parametrize(("lang", "word"), [("en", "heroes 132"), ("pl", "Języki"), ("ru", "Языки")])
def test_info_in_words(cli: Run, lang: str, word: str) -> None:
    answer = cli("db", "info", "--lang", lang)
    assert answer.status == 0
    assert word in answer.out


@pytest.fixture
def checkout(built_checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small checkout of the test's own that the program runs in, and whose database is built."""
    root = tmp_path / "checkout"
    shutil.copytree(built_checkout, root)
    monkeypatch.setattr(paths, "source_root", lambda: root)
    monkeypatch.setattr(paths, "SHIPPED", root / "thunderref.sqlite")
    monkeypatch.setattr(paths, "fallback_path", lambda: tmp_path / "elsewhere" / "thunderref.sqlite")
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    return root


def test_build(cli: Run, checkout: Path) -> None:
    before = (checkout / "thunderref.sqlite").read_bytes()
    (checkout / "db" / "rules.toml").touch()
    answer = cli("db", "build", "--json")
    assert (answer.status, answer.json["path"]) == (0, str(checkout / "thunderref.sqlite"))
    assert (checkout / "thunderref.sqlite").read_bytes() != before


@pytest.mark.parametrize(("more", "status"), [("", 0), ("\n\n\n# untidy\n", 1)], ids=["tidy", "untidy"])
def test_format_check_changes_nothing(cli: Run, checkout: Path, more: str, status: int) -> None:
    with (checkout / "db" / "rules.toml").open("a", encoding="utf-8") as rules:
        rules.write(more)
    before = {path: path.read_bytes() for path in checkout.rglob("*.toml")}
    answer = cli("db", "format", "--check")
    assert answer.status == status
    assert ("rules.toml" in answer.out + answer.err) == bool(more)
    assert {path: path.read_bytes() for path in checkout.rglob("*.toml")} == before


@pytest.fixture
def installed(built_checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As after an installation: a shipped database and no sources beside the package."""
    shipped = tmp_path / "site-packages" / "thunderref" / "data" / "thunderref.sqlite"
    shipped.parent.mkdir(parents=True)
    shutil.copyfile(built_checkout / "thunderref.sqlite", shipped)  # a fifth of the whole one
    monkeypatch.setattr(paths, "SHIPPED", shipped)
    monkeypatch.setattr(paths, "source_root", lambda: None)
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    return shipped


def remove(path: Path) -> None:
    path.unlink()


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garble(path: Path) -> None:
    path.write_bytes(b"this is no database\n" * 500)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:3000])


def age(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'schema'")
    connection.close()


def strip(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE meta")
    connection.close()


@pytest.mark.parametrize("fault", [remove, age, strip])
def test_the_version_is_told_without_a_database(cli: Run, installed: Path, fault: Callable[[Path], None]) -> None:
    fault(installed)
    answer = cli("--version")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("thunderref 0.")
    assert cli("--version", "--json").json["database"] is None


COMMANDS = (["card", "fireball"], ["cards", "kind:hero"], ["rule", "R5.11"], ["setup"], ["db", "info"], ["db", "path"])


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (remove, "no-database"),
        (make_folder, "no-database"),
        (empty, "other-database"),
        (garble, "other-database"),
        (cut, "other-database"),
        (age, "other-database"),
        (strip, "other-database"),
    ],
)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_spoilt_database_is_one_sentence(
    cli: Run, installed: Path, fault: Callable[[Path], None], code: str, words: list[str]
) -> None:
    fault(installed)
    answer = cli(*words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert str(installed) in answer.err
    assert "install" in answer.err
    answer = cli(*words, "--json")
    assert answer.status == 2
    assert answer.json["error"]["code"] == code


def test_a_database_cut_short_in_its_tables_is_one_sentence(cli: Run, installed: Path) -> None:
    """The first page still reads; what follows is gone."""
    installed.write_bytes(installed.read_bytes()[: 4096 * 30])
    for words in (["card", "fireball"], ["rule", "R5.11"], ["resolve", "militia", "--hall", "griffon"]):
        answer = cli(*words)
        assert answer.status in (0, 2), answer
        assert answer.err.count("\n") <= 1


def test_the_shipped_database_is_only_read(cli: Run, installed: Path) -> None:
    before = (installed.stat().st_mtime_ns, sorted(installed.parent.iterdir()))
    assert cli("card", "fireball").status == 0
    assert cli("resolve", "2 militia, torch", "--hall", "griffon").status == 0
    assert (installed.stat().st_mtime_ns, sorted(installed.parent.iterdir())) == before


def test_an_installation_has_nothing_to_build_from(cli: Run, installed: Path) -> None:
    for words in (["db", "build"], ["db", "format"]):
        answer = cli(*words)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.count("\n") == 1


@pytest.mark.parametrize("stale", [False, True])
def test_windows_replaces_the_database_that_this_run_has_open(
    cli: Run, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stale: bool
) -> None:
    shipped = checkout / "thunderref.sqlite"
    if stale:
        with sqlite3.connect(shipped) as connection:
            connection.execute("UPDATE meta SET value = 'old' WHERE key = 'signature'")
        connection.close()
    import_module("thunderref.database.build")  # and what it needs, for the system that this is
    like_windows(monkeypatch)
    answer = cli("db", "path" if stale else "build", "--json")
    assert (answer.status, answer.json["path"]) == (0, str(shipped))
    assert not (tmp_path / "elsewhere").exists()
    assert cli("card", "fireball").status == 0


def test_a_database_is_found_whatever_its_folder_is_called(
    cli: Run, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = installed.parents[3] / f"Zażółć 50% #1 ё{'' if os.name == 'nt' else '?mode=rw'}"
    odd.mkdir()
    installed.rename(odd / "thunderref.sqlite")
    monkeypatch.setattr(paths, "SHIPPED", odd / "thunderref.sqlite")
    assert cli("card", "fireball").status == 0


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PurePosixPath("/home/a b/x.sqlite"), "file:///home/a%20b/x.sqlite?"),
        (PureWindowsPath(r"C:\Users\Ann B\x#1.sqlite"), "file:///C:/Users/Ann%20B/x%231.sqlite?"),
        (PureWindowsPath(r"\\server\home\ann\x.sqlite"), "file:////server/home/ann/x.sqlite?"),
    ],
)
def test_a_database_is_named_as_sqlite_asks_for_it(path: PurePath, uri: str) -> None:
    """SQLite refuses a host in a URI; with four strokes the server is a part of the path."""
    assert read_only_uri(path) == f"{uri}mode=ro&immutable=1"


def refuse(allowed: Path) -> Callable[[Path, Path], None]:
    from thunderref.database.build import build

    def fenced(root: Path, target: Path) -> None:
        if allowed not in target.parents:
            raise PermissionError(13, "Permission denied", str(target))
        build(root, target)

    return fenced


def test_a_read_only_checkout_builds_in_the_temporary_folder(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_sources(tmp_path / "checkout")
    elsewhere = tmp_path / "tmp" / "thunderref.sqlite"
    monkeypatch.setattr(paths, "source_root", lambda: tmp_path / "checkout")
    monkeypatch.setattr(paths, "SHIPPED", tmp_path / "locked" / "thunderref.sqlite")
    monkeypatch.setattr(paths, "fallback_path", lambda: elsewhere)
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    monkeypatch.setattr("thunderref.database.build.build", refuse(tmp_path / "tmp"))
    answer = cli("db", "path")
    assert (answer.status, answer.out.strip()) == (0, str(elsewhere))


@pytest.mark.parametrize("words", [("card", "fireball"), ("db", "build")], ids=" ".join)
def test_a_checkout_that_can_build_nowhere_says_so(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(paths, "SHIPPED", tmp_path / "locked" / "thunderref.sqlite")
    monkeypatch.setattr(paths, "fallback_path", lambda: tmp_path / "locked too" / "thunderref.sqlite")
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    monkeypatch.setattr("thunderref.database.build.build", refuse(tmp_path / "nowhere"))
    answer = cli(*words, "--json")
    assert answer.status == 2
    assert answer.json["error"]["code"] == "no-database"


def test_a_fault_in_the_files_reaches_the_user_as_one_sentence(tmp_path: Path) -> None:
    """A checkout with a spoilt file, run as a program: the sentence needs no database."""
    for folder in ("thunderref", "db", "glossary"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    path = tmp_path / "db" / "boxes" / "base" / "cards.toml"
    path.write_text(path.read_text("utf-8").replace('id = "torch"', 'id = "torch"\nglow = 1', 1), encoding="utf-8")
    for words in (["card", "torch"], ["db", "build"]):
        run = subprocess.run(
            [sys.executable, "-m", "thunderref", *words], cwd=tmp_path, capture_output=True, encoding="utf-8"
        )
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.count("\n") == 1
        for part in ("db/boxes/base/cards.toml", "card[torch].glow", "correct or remove it"):
            assert part in run.stderr


def test_it_works_from_anywhere(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "thunderref", "card", "fireball", "--json"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert json.loads(run.stdout)["matches"][0]["id"] == "fireball"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [("card", "torch", "--json", "--lang"), ("card", "--foo", "--json"), ("zq", "--json")]
)
def test_a_mistake_where_no_words_can_be_read_is_a_plain_sentence(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(paths, "SHIPPED", tmp_path / "none.sqlite")
    monkeypatch.setattr(paths, "source_root", lambda: None)
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    answer = cli(*words)
    assert (answer.status, answer.err) == (2, "")
    assert answer.json["error"]["code"] == "no-database"
    assert answer.json["error"]["message"].startswith("There is no card database")


def test_without_sources_there_is_nothing_to_build(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "source_root", lambda: None)
    assert cli("db", "build", "--json").json["error"]["code"] == "no-sources"
