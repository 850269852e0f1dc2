"""A further language is one more file of the glossary, and nothing else."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from support import ROOT
from support.files import copy_sources
from support.systems import keep_in
from thunderref.database import paths, read
from thunderref.database.build import build
from thunderref.database.paths import PUZZLES, metadata_path
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup

if TYPE_CHECKING:
    from support.command import Run


@pytest.fixture(scope="module")
def with_german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a glossary in German, in its three files: English, but for what is replaced."""
    root = tmp_path_factory.mktemp("german")
    copy_sources(root)
    for part in ("ask", "thorgal"):
        text = (root / "glossary" / f"en.{part}.toml").read_text("utf-8")
        (root / "glossary" / f"de.{part}.toml").write_text(text.replace('lang = "en"', 'lang = "de"'), encoding="utf-8")
    text = (root / "glossary" / "en.toml").read_text("utf-8")
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
    (root / "glossary" / "de.toml").write_text(text, encoding="utf-8")
    (root / PUZZLES).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / PUZZLES, root / PUZZLES)
    build(root, root / "thunderref.sqlite")
    return root / "thunderref.sqlite"


@pytest.fixture
def german(with_german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program with that database, and with folders of its own."""
    keep_in(monkeypatch, tmp_path)
    monkeypatch.setattr(paths, "SHIPPED", with_german)
    monkeypatch.setattr(paths, "source_root", lambda: None)
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    return with_german


COMMANDS = [
    "card feuerball", "cards kind:hero", "rule R5.12", "setup --seed 7", "resolve feuerball vs griffon",
    "odds regian-priest --deck-list torch --hall griffon", "village barkeep", "turn torch vs griffon",
    "score --deck Ann:griffon --deck Bob:torch", "tonight --clear", "evening start --players Ann,Bob", "collection",
    "puzzle 1 --answer", "report --help", "thorgal rule T10", "thorgal setup --players 2",
    "thorgal round start --players 2", "thorgal fight .H1. --tiles I2", "play --players random,random --seed 5",
    "simulate --seed 7 --games 1 --bots random,random --workers 1", "glossary",
    "glossary export --format markdown", "db info", "db export --format csv", "--help", "--version",
    "ask what does light do", "what does light do", "2 militia, torch vs griffon", "cheapest weapon",
    "buy 3 torch, militia", "can militia hold a dagger",
]  # fmt: skip
"""One line for each command, as somebody types it who speaks German."""


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_speaks_it(cli: Run, german: Path, line: str) -> None:
    answer = cli(*line.split(), "--lang", "de")
    assert (answer.status, answer.err) == (0, "")


def test_no_command_is_left_out(cli: Run) -> None:
    commands = re.findall(r"^  ([a-z]+)  ", cli("--help").out.partition("Commands:")[2], re.MULTILINE)
    tried = " ".join(line for line in COMMANDS).split()
    assert {*commands} - {*tried} == {"serve", "site"}  # no answers of their own


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


def test_the_phone_speaks_it(german: Path) -> None:
    """The pages offer it beside the others, and a browser that asks for it gets it."""
    site = Site(Access(None), Searches(None), SharedSetup(remembers=False))
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765") as phone:
        first = phone.get("/card", headers={"accept-language": "de"}).text
        assert '<html lang="de">' in first
        assert ">DE</a>" in first
        assert "Kosten" in phone.get("/card?q=feuerball&lang=de").text
        assert phone.get("/ask?q=what+does+light+do&lang=de").status_code == 200
        assert phone.get("/api/card?q=feuerball&lang=de").json()["matches"][0]["name"]["de"] == "Feuerball"


def test_it_has_its_view_and_its_pages(german: Path) -> None:
    """What a draft lacks is in English there too."""
    found = dict(sqlite3.connect(german).execute("SELECT id, name FROM cards_de"))
    assert (found["fireball"], found["torch"], len(found)) == ("Feuerball", "Torch", 173)
    site = json.loads(metadata_path(german).read_text("utf-8"))["databases"]["thunderref"]
    assert site["tables"]["cards_de"]["title"] == "Karten auf Deutsch"
    assert "light_de" in site["queries"]
