"""A further language is one more file of the glossary, and nothing else."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.files import copy_sources
from thunderref.database import paths, read
from thunderref.database.build import build
from thunderref.database.paths import metadata_path

if TYPE_CHECKING:
    from support.command import Run


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with a glossary in German: English, but for what is replaced."""
    copy_sources(tmp_path)
    text = (tmp_path / "glossary" / "en.toml").read_text("utf-8")
    for old, new in (
        ('lang = "en"', 'lang = "de"'),
        ('language = "English"', 'language = "Deutsch"\ndraft = true'),
        (r'fireball = \{ name = "Fireball".*', 'fireball = { name = "Feuerball", official = false }'),
        (r'iron-rations = \{ name = "Iron Rations".*', 'iron-rations = { name = "Eiserne Ration" }'),
        ('"card.figure.cost" = "Cost"', '"card.figure.cost" = "Kosten"'),
        ('"site.cards" = "Cards in English"', '"site.cards" = "Karten auf Deutsch"'),
        (r'\ntorch = \{ name = "Torch".*', ""),
    ):
        text, found = re.subn(old, new, text)
        assert found == 1
    (tmp_path / "glossary" / "de.toml").write_text(text, encoding="utf-8")
    target = tmp_path / "thunderref.sqlite"
    build(tmp_path, target)
    monkeypatch.setattr(paths, "SHIPPED", target)
    monkeypatch.setattr(paths, "source_root", lambda: None)
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


def test_it_has_its_view_and_its_pages(german: Path) -> None:
    """What a draft lacks is in English there too."""
    found = dict(sqlite3.connect(german).execute("SELECT id, name FROM cards_de"))
    assert (found["fireball"], found["torch"], len(found)) == ("Feuerball", "Torch", 173)
    site = json.loads(metadata_path(german).read_text("utf-8"))["databases"]["thunderref"]
    assert site["tables"]["cards_de"]["title"] == "Karten auf Deutsch"
    assert "light_de" in site["queries"]
