"""The referee in a real browser with the network off: every page, every answer the command's, an evening kept."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from support.measures import read_measure
from support.own_box import MARSH
from support.scenarios import errand, scenario
from support.several import several
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import MOST_SECONDS, Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.site import gather

from .conftest import ASK, CODE, hosting, made, ready, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

axe = pytest.importorskip("axe_playwright_python.base", reason="needs axe: pip install -e '.[dev]'")
pytestmark = pytest.mark.slow
FOUND = """async () => (await axe.run({resultTypes: ["violations"]})).violations.map(
    each => each.id + ": " + each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | "))"""
BATTLES, QUESTIONS, SETUPS, VISITS = several(10, 30), several(30, 30), several(10, 20), several(10, 20)
PAGES = (
    "/card?q=militia", "/card?q=militai", "/rule?q=R4.3", "/ask?q=can+a+militia+hold+a+polearm", "/setup?players=3",
    "/resolve?hand=militia,dagger,torch&hall=griffon,_,_", "/village?hand=militia,torch", "/odds?goal=win",
    "/turn?hand=militia,dagger", "/score", "/puzzle?n=3", "/thorgal", "/phone", "/evening", "/help",
)  # fmt: skip
Visit = Callable[..., "Page"]


@pytest.fixture
def visit(browser: Browser, folder: Path) -> Iterator[Visit]:
    """Opens the pages on a phone that has seen them once and has no network any more."""
    begun: list[BrowserContext] = []
    with hosting(folder.parent) as (address, server):

        def make(lang: str = "en") -> Page:
            context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, locale=lang)
            context.set_default_timeout(60_000)
            begun.append(context)
            page = context.new_page()
            page.elsewhere = []  # type: ignore[attr-defined]
            page.on("request", lambda sent: _note(page, sent.url, address))
            page.goto(f"{address}referee/")
            ready(page)
            page.wait_for_function("async () => (await caches.keys()).length > 0", polling=200)
            page.evaluate("() => navigator.serviceWorker.ready")
            context.set_offline(True)
            page.reload()
            ready(page)
            return page

        yield make
        for context in begun:
            context.close()
        server.shutdown()


def _note(page: Any, url: str, address: str) -> None:
    if not url.startswith((address, "blob:", "data:")):
        page.elsewhere.append(url)


def answers(asked: list[tuple[str, str | None]], start: str | None = None) -> list[tuple[int, str]]:
    """What the application of ``serve`` answers, here."""
    app = make_app(Site(Access(start=start), Searches(None), SharedSetup(remembers=False)))

    async def one(address: str, sent: str | None) -> tuple[int, str]:
        path, _, query = address.partition("?")
        told: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": (sent or "").encode(), "more_body": False}

        async def send(message: Any) -> None:
            told.append(message)

        scope = {
            "type": "http", "method": "GET" if sent is None else "POST", "path": path, "raw_path": path.encode(),
            "query_string": query.encode(), "headers": [(b"host", b"localhost")],
        }  # fmt: skip
        await app(scope, receive, send)
        return told[0]["status"], b"".join(each.get("body", b"") for each in told[1:]).decode()

    async def every() -> list[tuple[int, str]]:
        return [await one(*each) for each in asked]

    with ThreadPoolExecutor(1) as apart:  # beside the loop of the browser
        return apart.submit(asyncio.run, every()).result()


def documents() -> list[tuple[str, str | None]]:
    """Random battles and visits, set-ups, and questions as players put them in three languages."""
    found: list[tuple[str, str | None]] = []
    for seed in range(BATTLES):
        asked = {**scenario(seed, wrath=seed % 2 == 1), "budget": MOST_SECONDS}
        found.append(("/api/resolve", json.dumps(asked)))
    for seed in range(VISITS):
        found.append(("/api/village", json.dumps({**errand(seed), "budget": MOST_SECONDS})))
    for seed in range(SETUPS):
        wanted = {"players": 1 + seed % 5, "seed": seed, "lang": ("en", "pl", "ru")[seed % 3]}
        found.append((f"/api/setup?{urlencode(wanted)}", None))
    said = read_measure(Path(__file__).parent.parent / "search" / "questions.toml")["tune"]
    for lang in ("en", "pl", "ru"):
        for question, _ in said[lang][: QUESTIONS // 3]:
            found.append((f"/api/ask?{urlencode({'q': question, 'lang': lang})}", None))
    return found


def test_every_answer_is_that_of_the_command(visit: Visit) -> None:
    page, asked = visit(), documents()
    theirs = [each for at in range(0, len(asked), 20) for each in page.evaluate(ASK, asked[at : at + 20])]
    different = [
        f"{address} {sent}: {text[:300]}, here: {here[:300]}"
        for (address, sent), (status, text), (own, here) in zip(asked, theirs, answers(asked), strict=True)
        if (status, text) != (own, here)
    ]
    assert not different
    assert sum(status == 200 for status, _ in theirs) > 0.8 * len(asked)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_every_page_without_network(visit: Visit, lang: str) -> None:
    page = visit(lang)
    for theme in ("light", "dark"):
        for address in PAGES:
            assert shown(page, f"{address}{'&' if '?' in address else '?'}theme={theme}")
            page.wait_for_selector(f"html[lang={lang}].{theme}")
            assert page.locator("#lost").is_hidden(), address
            assert page.locator("main").inner_text().strip(), address
            page.evaluate(axe.AXE_SCRIPT)
            assert page.evaluate(FOUND) == [], address
    assert page.elsewhere == []  # type: ignore[attr-defined]


def test_games_are_played_on_the_phone(visit: Visit) -> None:
    """What a set-up is like, and what to buy: bots, their table and the sample of set-ups are there."""
    page = visit("pl")
    shown(page, f"/setup?code={CODE}")
    page.get_by_role("link", name="Jaka to będzie gra?").tap()
    page.wait_for_selector("text=planner, planner, planner, planner")
    shown(page, "/turn?hand=2+militia,torch,dagger&hall=griffon,suffering,sphinx&games=4")
    page.wait_for_selector("text=Szansa na wygranie gry")


def test_an_evening_is_kept_and_moves_to_another_phone(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    shown(page, f"/setup?code={CODE}")
    page.click("form.bar button")  # on the table
    page.wait_for_selector("form.evening")
    page.fill("form.evening input[name=players] >> nth=0", "Ann, Bob, Cy, Di")
    page.wait_for_timeout(500)  # what is tapped as soon as another page stands there counts for nothing
    page.click("form.evening button")
    page.wait_for_selector("section.evening")
    shown(page, "/resolve?hand=militia,militia,dagger,torch,torch&hall=griffon,blink-dog,suffering")
    page.reload()
    ready(page)
    assert page.evaluate("decodeURIComponent(location.hash)").startswith("#/resolve?hand=militia,militia,dagger")
    page.evaluate("location.hash = '#/'")
    assert "Ann" in page.locator("section.evening").inner_text()
    for turn in range(1, 13):
        assert f"turn {turn + 1}" in acted(page, turn)
    shown(page, "/phone")
    with page.expect_download() as saved:
        page.click("a[download]")
    saved.value.save_as(tmp_path / "evening.json")
    kept = json.loads((tmp_path / "evening.json").read_text("utf-8"))
    assert kept["thunderref"]["evening.jsonl"].count("\n") == 13
    other = visit("pl")
    assert other.locator("section.evening").count() == 0
    shown(other, "/phone")
    (tmp_path / "other.json").write_text("[1]", "utf-8")
    other.set_input_files("#load", tmp_path / "other.json")
    other.wait_for_selector("#lost:not([hidden])")
    assert "Tego pliku nie zapisał thunderref" in other.locator("#lost").inner_text()
    other.set_input_files("#load", tmp_path / "evening.json")
    other.wait_for_selector("section.evening")
    assert "Ann, tura 13" in other.locator("section.evening").inner_text()
    assert "tura 14" in acted(other, 13)
    shown(other, "/phone")
    with other.expect_download() as saved:
        other.click("a[download]")
    saved.value.save_as(tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text("utf-8"))["thunderref"]["evening.jsonl"]
    assert again.startswith(kept["thunderref"]["evening.jsonl"])
    assert again.count("\n") == 14


def acted(page: Page, turn: int) -> str:
    """The first page after a turn: battles, visits and rests one after the other."""
    (mark,) = re.findall(r'data-mark="([^"]*)"', page.evaluate(ASK, [["/", None]])[0][1])
    hall = ("blink-dog", "griffon", "nixie", "pegasus", "black-slime")[turn // 3]
    battle = {"do": "battle", "hall": hall, "rank": "1", "plan": "attack:1", "result": "won"}
    fields = [battle, {"do": "visit", "plan": "buy:torch"}, {"do": "rest", "card": "militia"}][turn % 3]
    sent = {"seen": mark, "hand": "militia,militia,militia,torch,dagger,iron-rations", "unseen": "1", **fields}
    (answer,) = page.evaluate(ASK, [["/evening", urlencode(sent)]])
    assert answer[0] == 200, answer[1]
    return str(page.evaluate(ASK, [["/", None]])[0][1])


KEPT = """async () => {
    const [own] = (await caches.keys()).filter(name => name.startsWith("own "));
    return (await (await caches.open(own)).keys()).length;
}"""
"""How many entries there are in the cache of what was loaded."""


def test_a_box_is_loaded_and_stays_without_network(visit: Visit, tmp_path: Path) -> None:
    for name, text in MARSH.items():
        (tmp_path / name).write_text(text, "utf-8")
    files = [str(tmp_path / name) for name in MARSH]
    page = visit("pl")
    shown(page, "/phone")
    whole = (tmp_path / "cards.toml").read_text("utf-8")
    (tmp_path / "cards.toml").write_text(whole.replace("count = 6\n", "", 1), "utf-8")
    page.set_input_files("#own", files)
    page.wait_for_selector("#lost:not([hidden])")
    assert page.locator("#lost").inner_text().startswith("cards.toml, wiersz 4")
    (tmp_path / "cards.toml").write_text(whole, "utf-8")
    page.set_input_files("#own", files)
    page.wait_for_selector("button[data-box=marsh-of-lanterns][data-do=off]")
    page.evaluate(axe.AXE_SCRIPT)
    assert page.evaluate(FOUND) == []
    assert page.evaluate(KEPT) == 2  # its files, and the database with it
    page.reload()
    ready(page)
    asked = [("/card?q=kosiarz+trzciny", None), ("/setup?players=2&set=base&set=marsh-of-lanterns&require=bog", None)]
    (found, card), (drawn, table) = page.evaluate(ASK, asked)
    assert (found, "Kosiarz Trzciny" in card, drawn, "Bog Imp" in table or "Bog" in table) == (200, True, 200, True)
    shown(page, "/phone")
    page.click("button[data-box=marsh-of-lanterns][data-do=off]")
    page.wait_for_selector("button[data-box=marsh-of-lanterns][data-do=on]")
    assert "Kosiarz Trzciny" not in page.evaluate(ASK, asked[:1])[0][1]
    assert page.evaluate(KEPT) == 1
    assert page.elsewhere == []  # type: ignore[attr-defined]


def test_the_page_comes_before_the_referee(visit: Visit) -> None:
    """At once the page seen last stands there, or the first one; what is tapped meanwhile is answered later."""
    page = visit()
    shown(page, "/rule?q=R4.3")
    page.reload(wait_until="commit")
    page.wait_for_selector("nav.tabs", state="attached")
    assert page.locator("#bar").count() == 1
    assert "R4.3" in page.locator("main").inner_text()
    page.click("nav.tabs a >> nth=3")
    ready(page)
    page.wait_for_function("() => location.hash.startsWith('#/score')")


def test_a_second_phone_scans_the_battle(visit: Visit) -> None:
    page = visit()
    shown(page, "/resolve?hand=militia,dagger,torch&hall=griffon,_,_&pane=verdict")
    page.wait_for_timeout(500)
    assert page.locator("img.qr[src]").count() == 0  # nobody looks at it
    page.click("summary:has-text('another phone')")
    page.wait_for_selector("img.qr[src^='blob:']")
    shown(page, f"/setup?code={CODE}")
    page.click("summary:has-text('another phone')")
    page.wait_for_selector("img.qr[src^='blob:']")
    (_, drawn), *_ = page.evaluate(ASK, [["/qr?to=/card?q=militia", None]])
    here = page.url.partition("#")[0]
    asked = "/qr?to=/card?q=militia"
    assert drawn == answers([(asked, None)], start=f"{here}#")[0][1]


def test_a_new_version_waits_until_it_is_wanted(browser: Browser, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "pages")
    with hosting(tmp_path / "pages") as (address, _):
        context = browser.new_context(locale="en")
        page = context.new_page()
        page.goto(address)
        ready(page)
        page.evaluate("() => navigator.serviceWorker.ready")
        glossary, keep = tmp_path / "pages" / "glossary.html", tmp_path / "pages" / "keep.js"
        before = sha256(glossary.read_bytes()).hexdigest()
        glossary.write_text(glossary.read_text("utf-8").replace("<body>", "<body><p>new</p>"), "utf-8")
        keep.write_text(keep.read_text("utf-8").replace(before, sha256(glossary.read_bytes()).hexdigest()), "utf-8")
        page.reload()
        ready(page)
        page.wait_for_function("async () => !!(await navigator.serviceWorker.getRegistration()).waiting")
        page.wait_for_timeout(5_000)  # until all is loaded, and the page has heard of it
        page.click("nav.tabs a >> nth=3")
        page.wait_for_selector("#use")
        assert "new" not in page.evaluate("async () => (await (await fetch('glossary.html')).text()).slice(0, 1000)")
        with page.expect_navigation():
            page.click("#use")
        ready(page)
        assert "<p>new</p>" in page.evaluate("async () => (await (await fetch('glossary.html')).text()).slice(0, 1000)")
        context.close()


def test_two_builds_are_the_same(folder: Path, tmp_path: Path) -> None:
    again = made(tmp_path / "again", tmp_path / "own")
    assert (again / "files.json").read_bytes() == (folder / "files.json").read_bytes()
    assert gather.check(again) == []
    assert sum(path.stat().st_size for path in again.rglob("*") if path.is_file()) <= 13_000_000
