"""What the worker calls, called here: redirects, cookies, what is remembered handed out and taken back."""

from __future__ import annotations

import asyncio
import email
import json
import lzma
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import ModuleLoader

from support.systems import keep_in, own_folders
from thunderref.database import read
from thunderref.errors import InputError
from thunderref.site import browser
from thunderref.site.browser import Referee
from thunderref.site.compiled import templates
from thunderref.thunderstone.table.evening import version

CODE = "37MFZLY8JVG3GH7"
LATER = ["thorgal.fight", "search.ask", "thunderstone.bots.planner"]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("compiled")
    templates().compile_templates(place, zip=None)
    return place


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiled: Path) -> Any:
    """Begins a referee of a phone, with templates compiled as for the browser and files of its own."""
    monkeypatch.setattr(browser, "ModuleLoader", lambda _: ModuleLoader(str(compiled)))

    def begin(name: str, kept: str = "", start: str = "https://host/sub/#") -> Referee:
        keep_in(monkeypatch, tmp_path / name)
        return Referee("pl-PL,pl", start, kept)

    return begin


def ask(referee: Referee, method: str, address: str, body: str = "") -> tuple[int, str, str, str]:
    found = asyncio.run(referee.answer(method, address, body))
    assert found is not None
    return found[0], found[1], found[2].decode(), found[3]


def test_a_form_leads_to_the_next_page_in_the_language_of_the_browser(phone: Any) -> None:
    status, kind, text, address = ask(phone("one"), "POST", "/tonight", f"code={CODE}")
    assert (status, kind, address) == (200, "text/html; charset=utf-8", "/")
    assert '<html lang="pl"' in text
    assert 'class="form evening"' in text


def test_what_is_chosen_and_laid_out_moves_to_another_phone(phone: Any) -> None:
    referee = phone("one")
    ask(referee, "POST", "/tonight", f"code={CODE}")
    ask(referee, "GET", "/?lang=ru")
    kept = referee.kept()
    assert CODE in json.loads(kept)["thunderref"]["tonight.json"]
    other = phone("two", kept)
    assert '<html lang="ru"' in ask(other, "GET", "/")[2]
    assert other.kept() == kept


def test_the_page_of_the_phone_has_its_file_and_leads_home(phone: Any) -> None:
    status, _, text, _ = ask(phone("one"), "GET", "/phone")
    assert status == 200
    assert "data-save=" in text
    assert 'class="to-page" href="/phone"' in text


def test_another_window_goes_on_with_the_evening_and_a_file_is_laid_over_it(phone: Any) -> None:
    """The window has written the same evening, a turn further; a file may be another one, so it can be taken back."""
    one = phone("one")
    ask(one, "POST", "/tonight", f"code={CODE}")
    ask(one, "POST", "/evening", f"do=start&players=Ann&seen={version()}")
    before = one.kept()
    ask(one, "POST", "/evening", f"do=next&seen={version()}")
    after = one.kept()
    other = phone("two", before)
    other.load(after)
    assert other.kept() == after
    assert other.try_load(before, "en") == ("", "")
    log = json.loads(other.kept())["thunderref"]["evening.jsonl"]
    assert log.startswith(json.loads(after)["thunderref"]["evening.jsonl"])
    assert log.count("\n") == 3


def test_only_what_there_is_is_asked_about_before_a_file_is_loaded(phone: Any) -> None:
    referee = phone("one")
    assert "data-sure" not in ask(referee, "GET", "/phone")[2]
    ask(referee, "POST", "/tonight", f"code={CODE}")
    assert "data-sure" in ask(referee, "GET", "/phone")[2]


@pytest.mark.parametrize("text", ["[]", "{", '{"thunderref": 1}', '{"phone": {}}'])
def test_another_file_changes_nothing(phone: Any, text: str) -> None:
    referee = phone("one")
    ask(referee, "POST", "/tonight", f"code={CODE}")
    before = referee.kept()
    with pytest.raises(InputError):
        referee.load(text)
    loaded = referee.try_load(text, "pl")
    assert loaded is not None
    assert (loaded[0].endswith("."), loaded[1]) == (True, "")
    assert referee.kept() == before


@pytest.mark.parametrize("cookies", [1, {"lang": "ru"}, {"lang": [1, 2]}, {"lang": ["ru", "later"]}, [["lang", "ru"]]])
def test_cookies_of_another_shape_are_passed_over(phone: Any, cookies: Any) -> None:
    referee = phone("one")
    assert referee.try_load(json.dumps({"thunderref": {}, "phone": cookies}), "en") == ("", "")
    assert '<html lang="pl"' in ask(referee, "GET", "/")[2]


def test_a_code_to_scan_begins_with_the_address_of_the_pages(phone: Any) -> None:
    here, laptop = phone("one"), ask(phone("two"), "GET", "/qr?to=/card")
    assert ask(here, "GET", "/qr?to=/card")[:3] == laptop[:3]
    assert ask(here, "GET", "/qr?to=/score")[2] != laptop[2]
    assert ask(phone("three", start="https://other/#"), "GET", "/qr?to=/card")[2] != laptop[2]


def test_a_package_of_which_a_part_came_first_gets_the_other(
    phone: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = b"HERE = True"
    head = json.dumps({"email/came_later.py": len(content)}).encode()
    (tmp_path / "rest").write_bytes(lzma.compress(head + b"\n" + content))
    with closing(sqlite3.connect(tmp_path / "made")) as database:
        database.execute(f"CREATE TABLE [{browser.LATER}] (sql)")
        database.execute(f"CREATE TABLE [{browser.APART}] (subjects, weights)")
        database.execute(f"INSERT INTO [{browser.APART}] VALUES (x'', x'')")
        database.execute("CREATE TABLE features (subjects, weights)")
        database.commit()
    (tmp_path / "questions").write_bytes(lzma.compress((tmp_path / "made").read_bytes()))
    referee = phone("one")
    monkeypatch.setattr(browser, "PACKAGE", tmp_path / "packages" / "thunderref")
    package = SimpleNamespace(package=lambda: SimpleNamespace(attach=lambda _: None))
    monkeypatch.setattr(read, "INSTALLATION", package)
    monkeypatch.setattr(email, "__path__", [*email.__path__])
    assert find_spec("email.came_later") is None
    list(referee.add_rest(str(tmp_path / "rest"), str(tmp_path / "questions")))
    assert find_spec("email.came_later") is not None


def test_the_first_page_loads_neither_thorgal_nor_questions_nor_bots_that_plan(compiled: Path, tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\n"
        "from jinja2 import ModuleLoader\n"
        "from thunderref.site import browser\n"
        f"browser.ModuleLoader = lambda _: ModuleLoader({str(compiled)!r})\n"
        "referee = browser.Referee('en', '', '')\n"
        "for address in ('/', '/thorgal', '/ask?q=can+a+militia+hold+a+polearm', '/turn?hand=militia,torch'):\n"
        "    assert asyncio.run(referee.answer('GET', address))[0] == 200\n"
        f"    print(*[name for name in {LATER!r} if f'thunderref.{{name}}' in sys.modules])\n"
    )
    environment = {**os.environ, **own_folders(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=environment, check=True
    )
    assert [len(line.split()) for line in run.stdout.splitlines()] == [0, 1, 2, 3]
