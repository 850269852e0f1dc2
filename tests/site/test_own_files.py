"""A box of a user's own on a phone: checked, found, listed and drawn, kept, switched off; here and in a browser."""

from __future__ import annotations

import asyncio
import html
import json
import lzma
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from jinja2 import ModuleLoader

from support.own_box import MARSH, write_box
from support.systems import keep_in
from thunderref.database import own_boxes, paths, read
from thunderref.site import browser, gather
from thunderref.site.browser import Referee
from thunderref.site.compiled import templates

if TYPE_CHECKING:
    from support.command import Run

CSV = "name,kind,count,cost,types\nDune Blade,village,8,4,weapon\n"
Begin = Callable[..., Referee]


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a phone gets: the templates, the database without the questions, these and no more modules, both packed."""
    place = tmp_path_factory.mktemp("sent")
    templates().compile_templates(place / "templates", zip=None)
    (place / "work").mkdir()
    cards, questions = gather.databases(read.INSTALLATION.package().path, place / "work")
    (place / "thunderref.sqlite").write_bytes(cards)
    (place / "questions").write_bytes(lzma.compress(questions, preset=1))
    (place / "rest").write_bytes(lzma.compress(b"{}\n"))
    return place


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sent: Path) -> Begin:
    """Begins a referee of a phone, of which everything is here unless ``whole`` is False."""

    def begun(name: str, own: str = "", merged: str = "", *, whole: bool = True) -> Referee:
        keep_in(monkeypatch, tmp_path / name)
        for missing in ("pydantic", "sqlite_utils"):
            monkeypatch.setitem(sys.modules, missing, None)
        monkeypatch.setattr(browser, "ModuleLoader", lambda _: ModuleLoader(str(sent / "templates")))
        monkeypatch.setattr(paths, "SHIPPED", sent / "thunderref.sqlite")
        monkeypatch.setattr(paths, "source_root", lambda: None)
        monkeypatch.setattr(read, "INSTALLATION", read.Installation())
        referee = Referee("en", "https://host/#", "", own, merged)
        for name in ("rest", "questions"):
            (tmp_path / name).write_bytes((sent / name).read_bytes())  # which is unpacked where it lies
        if whole:
            assert [*referee.add_rest(str(tmp_path / "rest"), str(tmp_path / "questions"))]
        return referee

    return begun


def ask(referee: Referee, address: str) -> tuple[int, str]:
    """The status of a page and its text."""
    found = asyncio.run(referee.answer("GET", address))
    assert found is not None
    return found[0], found[2].decode()


def change(referee: Referee, asked: object, lang: str = "en") -> tuple[str, str]:
    changed = referee.change_own(json.dumps(asked), lang)
    assert changed is not None
    return changed


@pytest.mark.parametrize("form", ["one file", "several files"])
def test_a_box_is_loaded_kept_and_switched_off(begin: Begin, cli: Run, tmp_path: Path, form: str) -> None:
    keep_files = MARSH
    box = "marsh-of-lanterns"
    if form == "one file":
        box = "marsh"
        with pytest.MonkeyPatch.context() as patch:
            keep_in(patch, tmp_path / "laptop")
            write_box(tmp_path / "laptop")
            assert cli("box", "export", "marsh", "--output", str(tmp_path / "marsh.json")).status == 0
        keep_files = {"marsh (1).json": (tmp_path / "marsh.json").read_text("utf-8")}
    phone = begin("one")
    assert ask(phone, "/card?q=reed+cutter")[1].count("Reed Cutter") == 0
    assert change(phone, {"files": keep_files})[0] == ""
    page = ask(phone, "/phone")[1]
    assert f'data-box="{box}" data-do="off"' in page
    assert "Marsh of Lanterns" in page
    for address in ("/card?q=reed+cutter", f"/card?q=set:{box}", "/ask?q=what+is+in+the+marsh+of+lanterns"):
        status, text = ask(phone, address)
        assert (status, "Reed" in text or "heroes 6" in text) == (200, True), address
    drawn = ask(phone, f"/setup?players=2&set=base&set={box}&require=bog&seed=3")
    assert (drawn[0], "Bog" in drawn[1]) == (200, True)
    assert "Will-o" in ask(phone, "/ask?q=which+card+leads+a+monster+astray")[1]  # its texts are searched, too
    kept = change(phone, {"name": box, "do": "on"})[1]
    again = begin("two", kept, whole=False)
    assert asyncio.run(again.answer("GET", "/")) is None  # which waits until the boxes are there
    again = begin("two", kept)
    assert "Reed Cutter" in ask(again, "/card?q=reed+cutter")[1]
    off = change(again, {"name": box, "do": "off"})[1]
    assert "Reed Cutter" not in ask(again, "/card?q=reed+cutter")[1]
    refused = ask(again, "/card?q=heroes+of+marsh+of+lanterns")[1]
    assert ("is off" in refused, "thunderref box" in refused) == (True, False)
    assert json.loads(off)["on"] == []
    assert change(again, {"name": box, "do": "remove"}) == ("", "")


def test_a_start_with_the_database_of_an_earlier_one_waits_for_nothing(begin: Begin, tmp_path: Path) -> None:
    phone = begin("one")
    kept = change(phone, {"files": MARSH})[1]
    kept = change(phone, {"name": "doomgate", "do": "on"})[1]
    shutil.copyfile(phone.merged(), tmp_path / "merged")
    again = begin("two", kept, str(tmp_path / "merged"), whole=False)
    assert "Reed Cutter" in ask(again, "/card?q=reed+cutter")[1]
    assert "Deep Miner" in ask(again, "/card?q=deep+miner")[1]
    assert asyncio.run(again.answer("GET", "/ask?q=which+card+leads+a+monster+astray")) is None
    for _ in again.add_rest(str(tmp_path / "rest"), str(tmp_path / "questions")):
        assert "Reed Cutter" in ask(again, "/card?q=reed+cutter")[1]
    assert "Will-o" in ask(again, "/ask?q=which+card+leads+a+monster+astray")[1]
    for name in ("marsh-of-lanterns", "doomgate"):
        change(again, {"name": name, "do": "off"})
    assert again.merged() == ""


def test_a_saved_file_brings_the_boxes_of_its_evening(begin: Begin, tmp_path: Path) -> None:
    phone = begin("one")
    change(phone, {"files": MARSH})
    change(phone, {"name": "doomgate", "do": "on"})
    drawn = ask(phone, "/setup?players=2&set=base&set=marsh-of-lanterns&set=doomgate&require=bog&seed=3")[1]
    (code,) = set(re.findall(r'name="code" value="([^"]+)"', drawn))
    asyncio.run(phone.answer("POST", "/tonight", urlencode({"code": code})))
    (saved,) = re.findall('data-save="([^"]*)"', ask(phone, "/phone")[1])
    friend = begin("two", whole=False)
    assert friend.try_load(html.unescape(saved), "en") is None  # what checks a box is not here yet
    friend = begin("three")
    assert friend.try_load(phone.kept(), "en") == ("", "")
    assert "“doomgate”, which is off or not here" in ask(friend, f"/setup?code={code}")[1]
    loaded = friend.try_load(html.unescape(saved), "en")
    assert loaded is not None
    assert (loaded[0], json.loads(loaded[1])["on"]) == ("", ["doomgate", "marsh-of-lanterns"])
    status, page = ask(friend, f"/setup?code={code}")
    assert (status, "Bog" in page) == (200, True)
    broken = json.loads(html.unescape(saved))
    broken["boxes"]["marsh-of-lanterns"] = "[]"
    before = friend.kept()
    refused = friend.try_load(json.dumps(broken), "en")
    assert refused is not None
    assert (refused[0].endswith("."), friend.kept()) == (True, before)


@pytest.mark.parametrize(("lang", "remedy"), [("en", "add it"), ("pl", "dodaj go"), ("ru", "добавьте")])
def test_a_broken_box_is_one_sentence_and_changes_nothing(begin: Begin, lang: str, remedy: str) -> None:
    phone = begin("one")
    cards = MARSH["cards.toml"].replace("count = 6\n", "", 1)
    sentence, kept = change(phone, {"files": MARSH | {"cards.toml": cards}}, lang)
    assert sentence.startswith("cards.toml")
    assert (len(sentence.splitlines()), "4" in sentence, remedy in sentence) == (1, True, True)
    assert kept == ""
    assert own_boxes.switched_on() == ()


@pytest.mark.parametrize(
    "files",
    [
        {"x.json": "[]"}, {"x.json": "{"}, {"x.json": '{"format": 1, "box": "../x", "files": {"cards.csv": ""}}'},
        {"x.json": '{"format": 1, "box": "x", "files": {"../cards.csv": ""}}'}, {"cards.toml": "", "en.toml": ""},
        {"box.toml": 'name = "Base"', "cards.toml": ""}, {"photo.png": "\ufffd"}, {"!!.csv": CSV},
        {"dunes.csv": "name\n"}, {"box.toml": "name = 1"},
    ],
)  # fmt: skip
def test_what_is_no_box_is_refused_in_one_sentence(begin: Begin, files: dict[str, str]) -> None:
    sentence, kept = change(begin("one"), {"files": files})
    assert (len(sentence.splitlines()), kept) == (1, "")
    assert "dunes.csv" not in files or sentence.startswith("dunes.csv, line 1")


def test_a_table_of_cards_is_a_box_and_the_one_of_the_program_needs_no_file(begin: Begin) -> None:
    phone = begin("one")
    assert change(phone, {"files": {"dunes.csv": CSV}})[0] == ""
    assert "Dune Blade" in ask(phone, "/card?q=dune+blade")[1]
    assert change(phone, {"name": "doomgate", "do": "on"})[0] == ""
    assert "Deep Miner" in ask(phone, "/card?q=deep+miner")[1]
    assert "Dune Blade" in ask(phone, "/card?q=set:dunes")[1]


KELU = Path(__file__).parent.parent / "languages"


def test_a_language_is_loaded_kept_and_forgotten(begin: Begin) -> None:
    phone = begin("one")
    files = {path.name: path.read_text("utf-8") for path in KELU.glob("kel*.toml")}
    broken = files | {"kel.toml": files["kel.toml"].replace("draft = true", "draft = 'half'")}
    sentence, kept = change(phone, {"files": broken}, "pl")
    assert (sentence.startswith("kel.toml, wiersz"), kept) == (True, "")
    kept = change(phone, {"files": files})[1]
    assert "Prezu" in ask(phone, "/card?q=fajrobulo&lang=kel")[1]
    assert "Respondu al" in ask(phone, "/ask?q=kion+faras+lumo&lang=kel")[1]
    assert 'data-box="kel" data-do="forget"' in ask(phone, "/phone?lang=kel")[1]
    again = begin("two", kept)
    assert '<html lang="kel"' in ask(again, "/?lang=kel")[1]
    assert change(again, {"name": "kel", "do": "forget"}) == ("", "")
    assert '<html lang="en"' in ask(again, "/?lang=kel")[1]


def test_a_language_of_the_program_is_not_replaced(begin: Begin) -> None:
    sentence, kept = change(begin("one"), {"files": {"pl.toml": 'lang = "pl"\n'}})
    assert ("pl" in sentence, kept) == (True, "")
