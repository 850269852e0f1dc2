"""The site always starts: broken downloads, blocked storage, two windows, two folders, a new version in an evening."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.chromium import CHROMIUM, FLAGS
from thunderref.site import gather

from .conftest import CODE, hosting, ready, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.slow
PHONE: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "locale": "en"}
FIRST = ("engine.*mjs", "engine.*wasm", "python", "library", "packages", "cards", "worker")
SCRIPTS = ("shell", "script.*js")
REST = ("rest", "questions")
BESIDE = ("icon.*svg", "icon.*png", "webmanifest", "glossary", "licences", "keep.js", "style")
QUESTION = "/ask?q=can+a+militia+hold+a+polearm"
LOG = """() => Object.entries(localStorage).filter(([name]) => !name.endsWith("page"))
    .map(([_, text]) => (JSON.parse(text).thunderref["evening.jsonl"] || "").split("\\n").length - 1)"""
"""Events in the log of each folder of this host."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Takes a phone that has seen nothing yet."""
    taken: list[BrowserContext] = []

    def take(**options: Any) -> BrowserContext:
        context = browser.new_context(**{**PHONE, **options})
        context.set_default_timeout(60_000)
        taken.append(context)
        return context

    yield take
    for context in taken:
        context.close()


@contextmanager
def opened_without(cut: str, folder: Path, phone: Callable[..., BrowserContext]) -> Iterator[tuple[Page, Any]]:
    """Open the site while every file that ``cut`` matches breaks off half-way; yields the page and the server."""
    with hosting(folder) as (address, server):
        server.cut = cut
        page = phone().new_page()
        page.goto(address)
        yield page, server


def begin(page: Page) -> None:
    """Put a set-up on the table and begin an evening."""
    shown(page, f"/setup?code={CODE}")
    page.click("form.bar button")
    page.fill("form.evening input[name=players] >> nth=0", "Ann, Bob, Cy, Di")
    page.wait_for_timeout(500)  # what is tapped as soon as another page stands there counts for nothing
    page.click("form.evening button")
    page.wait_for_selector("section.evening")


def end_turn(page: Page, then: str) -> None:
    page.wait_for_timeout(500)
    page.click("section.evening form:has(input[value=next]) button")
    page.wait_for_selector(f"section.evening h2:has-text('{then}')")


def test_all_files_are_cut_in_one_test(folder: Path) -> None:
    """Each file of the folder is one of those of the tests below, but for the page itself and the list of the files."""
    kinds = "|".join((*FIRST, *SCRIPTS, *REST, *BESIDE))
    assert [name for name in gather.names_in(folder) if not re.search(kinds, name)] == ["files.json", "index.html"]


def test_the_site_has_at_most_twelve_million_bytes(folder: Path) -> None:
    assert sum((folder / name).stat().st_size for name in gather.names_in(folder)) <= 12_000_000


@pytest.mark.parametrize("cut", FIRST)
def test_a_broken_download_goes_on_where_it_was(folder: Path, phone: Callable[..., BrowserContext], cut: str) -> None:
    with opened_without(cut, folder, phone) as (page, server):
        page.wait_for_selector("#again")
        assert "The download broke off" in page.locator("#note").inner_text()
        page.wait_for_function("() => caches.keys()")
        page.wait_for_timeout(1_000)  # the other parts have come
        server.cut = ""
        page.click("#again")
        ready(page)
        twice = {path for path in server.asked if path.endswith(".gz") and server.asked.count(path) > 1}
        assert [path for path in twice if not re.search(cut, path)] == []


@pytest.mark.parametrize("cut", SCRIPTS)
def test_a_page_without_its_scripts_can_be_opened_again(
    folder: Path, phone: Callable[..., BrowserContext], cut: str
) -> None:
    with opened_without(cut, folder, phone) as (page, server):
        page.wait_for_timeout(500)
        assert page.locator(".late").evaluate("each => getComputedStyle(each).visibility") == "hidden"
        page.wait_for_function("() => getComputedStyle(document.querySelector('.late')).visibility === 'visible'")
        server.cut = ""
        page.click(".late a:has-text('Try again')")
        ready(page)


@pytest.mark.parametrize("cut", BESIDE)
def test_what_is_beside_the_referee_stops_nothing(folder: Path, phone: Callable[..., BrowserContext], cut: str) -> None:
    with opened_without(cut, folder, phone) as (page, _):
        ready(page)


@pytest.mark.parametrize("cut", REST)
def test_a_question_before_its_file_waits_and_says_so(
    folder: Path, phone: Callable[..., BrowserContext], cut: str
) -> None:
    with opened_without(cut, folder, phone) as (page, server):
        ready(page)
        page.wait_for_timeout(2_000)
        assert page.locator("#note").is_hidden()  # nobody has asked for it
        page.evaluate("to => { location.hash = to }", QUESTION)
        page.wait_for_selector("#again")
        assert "The download broke off" in page.locator("#note").inner_text()
        assert page.locator("#lost:not(.works)").is_hidden()
        shown(page, "/rule?q=R4.3")  # another page waits for nothing
        assert page.locator("#note").is_hidden()
        page.evaluate("to => { location.hash = to }", QUESTION)
        page.wait_for_selector("#again")
        server.cut = ""
        page.click("#again")
        page.wait_for_selector("main:has-text('Polearm weighs 2')")
        assert page.locator("#note").is_hidden()


def test_a_download_that_stalls_counts_as_broken_off(
    folder: Path, phone: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "pages")
    (worker,) = (tmp_path / "pages" / "static").glob("worker.*")
    worker.write_text(worker.read_text("utf-8").replace("PATIENCE = 20_000", "PATIENCE = 1_000"), "utf-8")
    with hosting(tmp_path / "pages") as (address, server):
        server.stalled = "cards"
        page = phone().new_page()
        page.goto(address)
        page.wait_for_selector("#again")
        server.stalled = ""
        page.click("#again")
        ready(page)


def test_a_changed_file_is_not_used(folder: Path, phone: Callable[..., BrowserContext], tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "pages")
    (part,) = (tmp_path / "pages" / "static").glob("packages.*")
    right = part.read_bytes()
    part.write_bytes(right[:1000] + bytes([right[1000] ^ 1]) + right[1001:])
    with hosting(tmp_path / "pages") as (address, _):
        page = phone().new_page()
        page.goto(address)
        page.wait_for_selector("#again")
        assert "missing or damaged. (packages.pack)" in page.locator("#note").inner_text()
        part.write_bytes(right)
        page.click("#again")
        ready(page)


@contextmanager
def phone_that_keeps_nothing(browser: Browser, place: Path) -> Iterator[BrowserContext]:
    """A browser whose settings let no site keep anything."""
    settings = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (place / "Default").mkdir(parents=True)
    (place / "Default" / "Preferences").write_text(json.dumps(settings), "utf-8")
    context = browser.browser_type.launch_persistent_context(
        place, executable_path=CHROMIUM, headless=True, args=FLAGS, **PHONE
    )
    yield context
    context.close()


def test_blocked_storage_is_said(
    folder: Path, browser: Browser, phone: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    with hosting(folder) as (address, _):
        with phone_that_keeps_nothing(browser, tmp_path / "own") as context:
            page = context.new_page()
            page.goto(address)
            ready(page)
            for path, said in (("/", 1), ("/score", 0), ("/phone", 1)):
                shown(page, path)
                assert page.locator("main", has_text="lets the page keep nothing").count() == said, path
        page = phone().new_page()
        page.goto(address)
        ready(page)
        assert page.locator("main", has_text="lets the page keep nothing").count() == 0


def test_a_browser_is_asked_to_keep_what_is_worth_it(folder: Path, phone: Callable[..., BrowserContext]) -> None:
    with hosting(folder) as (address, _):
        context = phone()
        context.add_init_script("asks = 0; navigator.storage.persist = async () => { asks += 1; }")
        page = context.new_page()
        page.goto(address)
        ready(page)
        assert page.evaluate("asks") == 0
        begin(page)
        assert page.evaluate("asks") == 1


def test_a_loaded_file_asks_before_it_replaces(
    folder: Path, phone: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    (tmp_path / "empty.json").write_text('{"thunderref": {}}', "utf-8")
    with hosting(folder) as (address, _):
        page = phone().new_page()
        asked: list[str] = []
        answers = iter([False, True])
        page.on("dialog", lambda box: (asked.append(box.message), box.accept() if next(answers) else box.dismiss()))
        page.goto(address)
        ready(page)
        shown(page, "/phone")
        page.set_input_files("#load", tmp_path / "empty.json")
        page.wait_for_function("() => location.hash === '#/' && !document.querySelector('#load, form.evening')")
        assert asked == []  # there was nothing to replace
        shown(page, f"/setup?code={CODE}")
        page.click("form.bar button")
        page.wait_for_selector("form.evening")
        shown(page, "/phone")
        page.set_input_files("#load", tmp_path / "empty.json")
        page.wait_for_function("() => !document.getElementById('load').files.length")
        shown(page, "/")
        assert page.locator("form.evening").count() == 1
        shown(page, "/phone")
        page.set_input_files("#load", tmp_path / "empty.json")
        page.wait_for_function("() => location.hash === '#/' && !document.querySelector('#load, form.evening')")
        assert asked == ["The file replaces everything that is kept on this phone. Load it?"] * 2


def test_two_folders_of_a_host_keep_apart(folder: Path, phone: Callable[..., BrowserContext], tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(folder, tmp_path / name)
    changed = tmp_path / "two" / "keep.js"
    changed.write_text(changed.read_text("utf-8") + "\n", "utf-8")
    with hosting(tmp_path) as (address, server):
        context = phone()
        pages = {name: context.new_page() for name in ("one", "two")}
        for name, page in pages.items():
            page.goto(f"{address}{name}/")
            ready(page)
            page.evaluate("() => navigator.serviceWorker.ready")
        begin(pages["one"])
        server.shutdown()
        context.set_offline(True)
        for page in pages.values():
            page.reload()
            ready(page)
        assert pages["one"].locator("section.evening").count() == 1
        assert pages["two"].locator("section.evening").count() == 0
        server.server_close()


def test_the_page_does_not_jump_when_it_is_ready(folder: Path, phone: Callable[..., BrowserContext]) -> None:
    with hosting(folder) as (address, _):
        context = phone()
        page = context.new_page()
        page.goto(address)
        ready(page)
        begin(page)
        page.evaluate("() => navigator.serviceWorker.ready")
        context.add_init_script(
            "moved = []; new PerformanceObserver(list => moved.push(...list.getEntries().map(each => each.value)))"
            ".observe({type: 'layout-shift', buffered: true})"
        )
        page.reload()
        page.wait_for_selector("#bar")
        page.mouse.wheel(0, 200)
        page.wait_for_function("() => scrollY > 100")
        before = page.evaluate("[document.querySelector('.evening h2').getBoundingClientRect().top, scrollY]")
        ready(page)
        page.wait_for_timeout(300)
        assert page.locator("section.evening").count() == 1
        assert page.evaluate("[document.querySelector('.evening h2').getBoundingClientRect().top, scrollY]") == before
        assert page.evaluate("moved") == []


def test_an_evening_goes_on_in_two_windows(folder: Path, phone: Callable[..., BrowserContext]) -> None:
    with hosting(folder) as (address, _):
        context = phone()
        one, two = context.new_page(), context.new_page()
        one.goto(address)
        ready(one)
        begin(one)
        two.goto(address)
        ready(two)
        for at, name in enumerate(("Bob", "Cy", "Di"), 2):
            end_turn((one, two)[at % 2], f"{name}, turn {at}")
            for page in (one, two):
                page.wait_for_selector(f"section.evening h2:has-text('{name}, turn {at}')")
            assert one.evaluate(LOG) == [at]
        two.reload(wait_until="commit")
        end_turn(one, "Ann, turn 5")
        ready(two)
        two.wait_for_selector("section.evening h2:has-text('Ann, turn 5')")
        two.wait_for_timeout(500)
        two.click("section.evening form:has(input[value=undo]) button")
        one.wait_for_selector("section.evening h2:has-text('Di, turn 4')")
        assert one.evaluate(LOG) == [4]


def test_a_new_version_waits_for_the_end_of_the_evening(
    folder: Path, phone: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "pages")
    with hosting(tmp_path / "pages") as (address, _):
        page = phone().new_page()
        page.goto(address)
        ready(page)
        page.evaluate("() => navigator.serviceWorker.ready")
        begin(page)
        changed = tmp_path / "pages" / "keep.js"
        changed.write_text(changed.read_text("utf-8") + "\n", "utf-8")
        page.reload()
        ready(page)
        page.wait_for_function("async () => !!(await navigator.serviceWorker.getRegistration()).waiting")
        end_turn(page, "Bob, turn 2")
        assert page.locator("#use").count() == 0
        page.wait_for_timeout(500)
        page.click("summary:has-text('End the evening')")
        page.click("form:has(input[value=end]) button")
        page.wait_for_selector("#use")
        with page.expect_navigation():
            page.click("#use")
        ready(page)
        assert page.evaluate(LOG) == [3]
