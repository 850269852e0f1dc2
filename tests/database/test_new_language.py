"""A further language is one more file of the glossary, and nothing else."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support import ROOT
from thunderref.database import read
from thunderref.database.build import build

if TYPE_CHECKING:
    from support.command import Run


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with a glossary in German: English, but for what is replaced."""
    for folder in ("db", "glossary"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    text = (tmp_path / "glossary" / "en.toml").read_text("utf-8")
    for old, new in (
        ('lang = "en"', 'lang = "de"'),
        ('language = "English"', 'language = "Deutsch"\ndraft = true'),
        (r'fireball = \{ name = "Fireball".*', 'fireball = { name = "Feuerball", official = false }'),
        (r'iron-rations = \{ name = "Iron Rations".*', 'iron-rations = { name = "Eiserne Ration" }'),
        ('"card.figure.cost" = "Cost"', '"card.figure.cost" = "Kosten"'),
    ):
        text, found = re.subn(old, new, text)
        assert found == 1
    (tmp_path / "glossary" / "de.toml").write_text(text, encoding="utf-8")
    target = tmp_path / "thunderref.sqlite"
    build(tmp_path, target)
    monkeypatch.setattr(read, "SHIPPED", target)
    monkeypatch.setattr(read, "source_root", lambda: None)
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    return target


def test_it_is_spoken_and_understood(cli: Run, german: Path) -> None:
    answer = cli("card", "feuerball", "--lang", "de")
    assert answer.status == 0
    assert "Feuerball" in answer.out
    assert "Kosten" in answer.out
    found = cli("card", "eiserne ration", "--json").json["matches"][0]
    assert (found["id"], found["name"]["de"]) == ("iron-rations", "Eiserne Ration")
    assert cli("card", "fireball", env={"LANG": "de_DE.UTF-8"}).out == cli("card", "fireball", "--lang", "de").out
    assert cli("resolve", "Feuerball", "--hall", "griffon", "--lang", "de").status == 0
    assert "de" in cli("card", "fireball", "--lang", "fr", "--json").json["error"]["candidates"]
