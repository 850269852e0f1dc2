"""A further language is three files of the glossary, and nothing else.

Kelu, in the files beside this one, is a draft of some words: what it has shows everywhere, what it lacks is English.
Its plural rule is not that of English, its code has three letters, and not all its letters are those of English.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jinja2 import ModuleLoader
from starlette.testclient import TestClient

from support import ROOT
from support.files import copy_sources
from support.systems import keep_in
from thunderref.cli.app import run_line
from thunderref.cli.prompt import Prompt
from thunderref.database import paths, read
from thunderref.database.build import build
from thunderref.database.paths import PUZZLES, metadata_path
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.site import browser, gather
from thunderref.site.compiled import templates
from thunderref.thunderstone.table.evening import version

if TYPE_CHECKING:
    from support.command import Run

HERE = Path(__file__).parent
LANG = "kel"
CODE = "37MFZLY8JVG3GH7"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("kelu")
    copy_sources(root)
    for path in HERE.glob("*.toml"):
        shutil.copyfile(path, root / "glossary" / path.name)
    (root / PUZZLES).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / PUZZLES, root / PUZZLES)
    build(root, root / "thunderref.sqlite")
    return root / "thunderref.sqlite"


@pytest.fixture(params=["of the program", "of the user"])
def kelu(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> read.Language:
    """The installed program with Kelu among its languages, or among the files of the user, and folders of its own."""
    keep_in(monkeypatch, tmp_path)
    if request.param == "of the program":
        monkeypatch.setattr(paths, "SHIPPED", built)
    else:
        own = tmp_path / "thunderref" / "glossary"
        own.mkdir(parents=True)
        for path in HERE.glob("*.toml"):
            shutil.copyfile(path, own / path.name)
    monkeypatch.setattr(paths, "source_root", lambda: None)
    monkeypatch.setattr(read, "INSTALLATION", read.Installation())
    return read.Language(read.open_database(), LANG)


@pytest.fixture(scope="module")
def keys(built: Path) -> frozenset[str]:
    """The keys of all texts and messages; a plain word such as "map" is none that could be told from a text."""
    rows = sqlite3.connect(built).execute("SELECT key FROM messages UNION SELECT key FROM texts")
    return frozenset(key for (key,) in rows if "." in key)


Check = Callable[[str], None]


@pytest.fixture
def no_key(keys: frozenset[str]) -> Check:
    """Fails for a text in which a key stands where its message should, or an empty place of one."""

    def check(text: str) -> None:
        shown = {word.strip(".") for word in re.findall(r"[\w.-]+", text)}
        assert not shown & keys
        assert not re.search(r"\{[a-z_]+(:[^}\s]*)?\}", text)

    return check


COMMANDS = {
    "card fajrobulo": "Prezu",
    "card zokan": "baza karto",
    "cards kind:hero": "nivelu 1",
    "cards armiloj": "",
    "rule R5.12": "Via forto",
    "ask kion faras lumo": "",
    "ask what does light do": "Respondu al",
    "ask ĉu karto povas rompi regulon": "Karto povas rompi regulon.",
    "box list": "",
    "setup --seed 7": "Kodo",
    "setup --players 2 --seed 7 --more": "ludanti",
    "resolve zoka, 5 elfu magu vs grifu": "Vi venkas",
    "resolve 2 zoka, lumbo --hall grifu,palpa hundu --more --all": "rango 1",
    "odds regu pastu --deck-list lumbo,zoka --hall grifu": "Grifu, rango 1",
    "village drinku, 2 zoka": "oru",
    "turn lumbo, 3 zoka vs grifu": "Kelo",
    "score --deck Ann:grifu --deck Bob:lumbo": "Venkinto",
    "tonight --clear": "Neniu ludo",
    f"tonight {CODE}": CODE,
    "evening start --players Ann,Bob": "La vespero",
    "collection": "",
    "puzzle 1 --answer": "Enigmo 1",
    "report --help": "Uzu:",
    "thorgal rule T10": "",
    "thorgal rule minaco": "",
    "thorgal setup --players 2": "Aranĝu Thorgal por 2 ludanti",
    "thorgal round start --players 2": "",
    "thorgal round": "Roluloj",
    "thorgal fight .H1. --tiles I2": "",
    "thorgal fight H...../....../...... --tiles strio3,kruco": "",
    "thorgal round card 1 batalo sola+1": "1",
    "thorgal round dice verda: I1,I2,strio3": "",
    "thorgal ask what is threat": "",
    "play --players random,random --seed 5": "",
    "simulate --seed 7 --games 1 --bots random,random --workers 1": "",
    "glossary": "kartoj",
    "glossary export --format markdown": "Fajrobulo",
    "db info": "",
    "db export --format csv": "Fajrobulo",
    "--help": "Montras karton.",
    "help": "Montras karton.",
    "-h": "Komandoj:",
    "resolve --help": "Juĝas batalon.",
    "--version": "",
    "fajrobulo": "Prezu",
    "senmortu pereu": "",
    "kio estas lumo": "",
    "what does light do": "Respondu al",
    "2 zoka, lumbo kontraŭ grifu": "Grifu",
    "3 zoka lumbo vs grifu": "rango 1",
    "cheapest weapon": "Tiko: Prezu 3",
    "kiu armilu estas malmultekosta": "Tiko: Prezu 3",
    "buy 3 lumbo, zoka": "oru",
    "aĉetu 3 lumbo, zoka": "oru",
    "can zoka hold a tiko": "",
    "cost<=3 kuj kind:village": "Prezu",
}
"""What is typed in each command -> words of Kelu in its answer."""


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_speaks_it(cli: Run, kelu: object, no_key: Check, line: str) -> None:
    if line.startswith("thorgal round") and "start" not in line:
        cli("thorgal", "round", "start", "--players", "2")
    answer = cli(*line.split(), "--lang", LANG)
    assert (answer.status, answer.err) == (0, "")
    assert COMMANDS[line] in answer.out
    no_key(answer.out)


def test_no_command_is_left_out(cli: Run) -> None:
    commands = re.findall(r"^  ([a-z]+)  ", cli("--help").out.partition("Commands:")[2], re.MULTILINE)
    tried = " ".join(COMMANDS).split()
    assert {*commands} - {*tried} == {"serve", "site"}  # no answers of their own


KINDS = {
    "fajrobulo": "card",
    "senmortu pereu": "card",
    "R3.2": "rule",
    "kion faras lumo": "question",
    "kiu armilu estas malmultekosta": "query",
    "2 zoka, lumbo kontraŭ grifu": "battle",
    "aĉetu 3 lumbo, zoka": "visit",
}
"""What is typed without a command, in Kelu -> how it is read."""


@pytest.mark.parametrize("line", KINDS)
def test_every_kind_of_line_is_read(cli: Run, kelu: object, line: str) -> None:
    assert cli(*line.split(), "--lang", LANG, "--json").json["read_as"] == KINDS[line]


def test_names_are_declined_and_found(cli: Run, kelu: read.Language) -> None:
    assert kelu.say("turn.destroy", card=kelu.card("torch")) == "Detruu Lumbon (R2.3)."
    assert kelu.say("turn.destroy", card=kelu.card("banish")) == "Detruu karto „Forpelo” (R2.3)."
    assert kelu.listed(["torch"] * 3) == "3 Lumbi"
    assert kelu.listed(["torch"] * 5) == "5 Lumboj"
    assert kelu.listed(["spear"] * 3) == "3 Spears"
    found = cli("card", "brulan spadon", "--json").json["matches"][0]
    assert (found["id"], found["name"][LANG]) == ("flaming-sword", "Brula Spado")


def test_what_it_lacks_is_said_in_proper_english(kelu: read.Language) -> None:
    """A message in English has the plural forms of English, whatever the numbers of the language."""
    for n in range(30):
        assert kelu.say("ask.rest", n=n, all=n) == read.Language(kelu.database, "en").say("ask.rest", n=n, all=n)


def test_the_locale_chooses_it(cli: Run, kelu: object) -> None:
    for name in ("THUNDERREF_LANG", "LANG"):
        assert "Prezu" in cli("card", "fireball", env={name: f"{LANG}_KE.UTF-8"}).out
    assert LANG in cli("card", "fireball", "--lang", "fr", "--json").json["error"]["candidates"]
    assert LANG in cli("--help").out


PAGES = {
    "/": "Lingvo kaj lumo",
    "/help": "Helpo",
    "/card": "Serĉu",
    "/card?q=fajrobulo": "Prezu",
    "/card?q=kion faras lumo": "Respondu al",
    "/card?q=2 zoka kontraŭ grifu": "Grifu",
    "/rule?q=R5.12": "Via forto",
    "/ask?q=what does light do": "Respondu al",
    "/score": "Poentoj",
    "/score?deck=Ann: grifu, 3 lumbo": "Grifu",
    "/evening": "",
    "/setup": "",
    "/setup?players=2": "ludanti",
    "/resolve": "Batalo",
    "/resolve?hand=zoka,elf-wizard,torch&hall=griffon,blink-dog,_": "Palpa Hundu",
    "/village?hand=barkeep,militia": "Zoka",
    "/odds?hand=militia&deck_list=torch,militia&hall=griffon": "Grifu",
    "/turn?hand=militia,torch&hall=griffon": "Kelo",
    "/puzzle": "Enigmo",
    "/puzzle?n=2": "Enigmo 2",
    "/thorgal": "",
    "/thorgal?view=setup&players=2": "",
    "/nowhere": "Ne estas tia paĝo.",
}
"""Pages of a phone -> words of Kelu on them."""


@pytest.fixture
def phone(kelu: object) -> Iterator[TestClient]:
    site = Site(Access(None), Searches(None), SharedSetup(remembers=False))
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765") as client:
        yield client


def test_every_page_speaks_it(phone: TestClient, no_key: Check) -> None:
    for page, said in PAGES.items():
        answer = phone.get(page, headers={"accept-language": f"{LANG}-KE,en;q=0.5"})
        assert answer.status_code == (404 if page == "/nowhere" else 200), page
        assert f'<html lang="{LANG}">' in answer.text, page
        assert said in answer.text, page
        no_key(re.sub(r"<[^>]*>", " ", answer.text))


def test_no_page_is_left_out(phone: TestClient) -> None:
    assert {page.partition("?")[0] for page in PAGES} - {"/nowhere"} == {*Site().answers}


def test_every_language_leads_to_it(phone: TestClient) -> None:
    for other in ("en", "pl", "ru"):
        assert re.search(rf'<a [^>]*lang="{LANG}"[^>]*>KEL</a>', phone.get(f"/card?lang={other}").text)
    assert phone.get(f"/api/card?q=fajrobulo&lang={LANG}").json()["matches"][0]["name"][LANG] == "Fajrobulo"
    assert phone.get("/q?text=fajrobulo&lang=kel").json()["read_as"] == "card"


def test_the_sheet_of_an_evening_speaks_it(kelu: object, no_key: Check) -> None:
    site = Site(Access(None), Searches(None), SharedSetup(remembers=False, keeps=True))
    site.table.put(CODE)
    address = "http://127.0.0.1:8765"
    with TestClient(make_app(site), base_url=address, headers={"accept-language": LANG}) as table:
        begun = table.post("/evening", data={"seen": version(), "do": "start", "players": "Ann, Bob"})
        for page in (begun.text, table.get("/evening").text):
            assert "La vespero komenciĝas: Ann" in page
            no_key(re.sub(r"<[^>]*>", " ", page))


def test_the_site_offers_it(kelu: read.Language, tmp_path: Path) -> None:
    """The page that all others are shown in, and the cards to read before it; both have no network."""
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "worker.1.js").touch()
    gather.put_pages(tmp_path, kelu.database, dict.fromkeys(kelu.database.languages, ""))
    start, cards = ((tmp_path / name).read_text("utf-8") for name in ("index.html", "glossary.html"))
    assert f'data-{LANG}="static/' in start
    assert json.loads(re.findall(r'id="words">(.*?)</script>', start)[0])[LANG]["loading"] == "La juĝistu venas."
    assert f'lang="{LANG}"' in cards
    assert "Fajrobulo" in cards
    manifest = next((tmp_path / "static").glob(f"{LANG}.*.webmanifest")).read_text("utf-8")
    assert json.loads(manifest)["lang"] == LANG


def test_a_browser_that_speaks_it_gets_it(kelu: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    templates().compile_templates(tmp_path / "compiled", zip=None)
    monkeypatch.setattr(browser, "ModuleLoader", lambda _: ModuleLoader(str(tmp_path / "compiled")))
    found = asyncio.run(browser.Referee(f"{LANG}-KE,en", "https://host/#", "").answer("GET", "/card?q=fajrobulo"))
    assert found is not None
    assert "Prezu" in found[2].decode()


def test_the_prompt_speaks_it(cli: Run, kelu: object, capsys: pytest.CaptureFixture[str], no_key: Check) -> None:
    cli("--version", "--lang", LANG)
    prompt = Prompt([*COMMANDS, "help"], run_line)
    for typed, said in {
        "more": "Nenio estas demandita.", "fajrobulo": "Prezu", "2 zoka, lumbo kontraŭ grifu": "Grifu", "more ": "",
        "kion faras lumo": "Respondu al", "lang en": "Answer to", f"lang {LANG}": "Respondu al", "help": "", "undo": "",
    }.items():  # fmt: skip
        assert prompt.answer(typed)
        printed = capsys.readouterr()
        assert said in printed.out
        assert not printed.err
        no_key(printed.out)


def test_it_has_its_view_and_its_pages(built: Path, kelu: read.Language) -> None:
    """What a draft lacks is in English there too."""
    found = dict(kelu.database.query(f"SELECT id, name FROM cards_{LANG}"))
    assert (found["fireball"], found["spear"], len(found)) == ("Fajrobulo", "Spear", 173)
    site = json.loads(metadata_path(built).read_text("utf-8"))["databases"]["thunderref"]
    assert site["tables"][f"cards_{LANG}"]["title"] == "Kartoj en Kelu"
    assert f"light_{LANG}" in site["queries"]
