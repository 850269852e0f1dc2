"""An evening of twelve turns on four phones in Chromium; the laptop falls over at every fifth event."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.chromium import chromium
from support.systems import own_folders
from thunderref.thunderstone.table.evening import Evening, read_evening

from .conftest import CODE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install -e '.[dev]'")
axe = pytest.importorskip("axe_playwright_python.base", reason="needs axe: pip install -e '.[dev]'")

NAMES = ["Ann", "Bob", "Cy", "Di"]
HAND = "militia,militia,elf-wizard,short-sword,torch,iron-rations"
POOR = "militia,militia,militia,torch,dagger,iron-rations"


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium() as begun:
        yield begun


@contextmanager
def laptop(folder: Path, port: str) -> Iterator[str]:
    words = [sys.executable, "-m", "thunderref", "serve", "--lan", "--port", port, "--budget", "1"]
    environment = {**os.environ, **own_folders(folder)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, encoding="utf-8", env=environment) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip().rstrip("/")
        finally:
            server.kill()


def run(folder: Path, *words: str) -> None:
    command = [sys.executable, "-m", "thunderref", *words]
    subprocess.run(command, env={**os.environ, **own_folders(folder)}, check=True, stdout=subprocess.DEVNULL)


def evening_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    (place,) = folder.rglob("evening.jsonl")
    monkeypatch.setattr("thunderref.files.state_file", lambda name: place.with_name(name))
    now = read_evening()
    assert now is not None
    return now


@pytest.mark.slow
def test_four_phones_share_an_evening(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from .test_browser import faults

    run(tmp_path, "evening", "start", CODE, "--players", ", ".join(NAMES))
    phones: list[Page] = []
    some = ("griffon", "blink-dog", "nixie", "pegasus", "black-slime")
    deck = iter(some * 2)
    with laptop(tmp_path, "0") as address:
        site, token = address.split("/k/")  # which stays the same while the evening lasts
        port = site.rpartition(":")[2]
    turn = 0
    while turn < 12:
        with laptop(tmp_path, port):
            for name in NAMES[len(phones) :]:
                phone = browser.new_context(base_url=site, has_touch=True).new_page()
                phone.set_default_timeout(20_000)
                phone.add_init_script("navigator.vibrate = () => { window.calls = (window.calls || 0) + 1; }")
                phone.goto(f"/k/{token}")
                phone.locator(".seats a", has_text=name).tap()
                phone.locator("form:has([value=me])").wait_for()
                phone.wait_for_timeout(400)  # a tap that comes sooner is the second one of two
                phone.locator("form:has([value=me]) button").tap()
                phone.locator(f".seats a:has-text('{name}'):has-text('you')").wait_for()
                phone.wait_for_load_state()
                phones.append(phone)
            for address in ("/", f"/resolve?hand={HAND}", f"/village?hand={POOR}", "/evening", "/resolve?pane=hall"):
                phones[turn % 4].set_viewport_size({"width": 320, "height": 568})
                phones[turn % 4].goto(address)
                assert not faults(phones[turn % 4], 320), address
            for _ in range(5):
                if turn == 12:
                    break
                acting = phones[turn % 4]
                others = [phone for phone in phones if phone is not acting]
                for phone in others:
                    phone.goto("/")
                if turn % 3 == 2:
                    acting.goto(f"/village?hand={POOR}")
                    acting.locator("form:has([value=visit]) button").first.tap()
                else:
                    now = evening_in(tmp_path, monkeypatch)
                    kept = [card for card in now.hall if card]
                    hall = ",".join([*kept, *(next(deck) for _ in now.hall[len(kept) :])])
                    acting.goto(f"/resolve?hall={hall}&hand={HAND}")
                    acting.locator("details.target[open] form:has([value=battle]) button").first.tap()
                turn += 1
                following = f"{NAMES[turn % 4]}, turn {turn + 1}"
                unseen = acting.locator("form:has([name=unseen]) button")  # cards that nobody told of, the first time
                unseen.or_(acting.locator("h2.ask", has_text=following)).first.wait_for()
                if unseen.count():
                    acting.wait_for_timeout(500)
                    unseen.tap()
                for phone in phones:  # without a reload
                    phone.locator("h2.ask", has_text=following).wait_for()
                assert phones[turn % 4].evaluate("window.calls") == 1, "the phone calls its player"
                assert [phone.title()[0] for phone in phones].count("▶") == 1
    now = evening_in(tmp_path, monkeypatch)
    assert (now.turn, len(now.events)) == (13, 13)
    assert [event.do for event in now.events[1:]] == ["battle", "battle", "visit"] * 4
    won = [event for event in now.events if event.won]
    assert len(won) == 8
    assert sum(player.xp for player in now.players) == sum(event.xp for event in won)
    for player in now.players:
        beaten = [event.monster for event in won if event.player == player.name]
        assert all(player.deck[monster] == beaten.count(monster) for monster in set(beaten))
    for page in phones:
        page.context.close()
