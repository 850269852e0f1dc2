"""An evening by touch in Chromium: how many taps a turn takes, what all phones see, what a double tap does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.chromium import CHROMIUM, chromium
from support.served import serving

from .conftest import CODE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install -e '.[dev]'")
pytest.importorskip("axe_playwright_python.base", reason="needs axe: pip install -e '.[dev]'")

from .test_browser import BROKEN, LARGE, OVERFLOWING, SMALL, STILL, Thumb, at, faults, listed

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium"),
]
HALL = ["griffon", "blink-dog", "suffering"]
HAND = ["militia", "militia", "militia", "torch", "torch", "iron-rations"]
RICH = ["militia", "militia", "torch", "torch", "dagger", "iron-rations"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as begun:
        yield begun


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    with serving("--code", CODE, folder=str(tmp_path)) as (address, _):
        yield address


def phone(browser: Browser, site: str, width: int = 390, lang: str = "en") -> Page:
    context = browser.new_context(
        base_url=site, viewport={"width": width, "height": 844}, has_touch=True, locale=lang, is_mobile=True
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.goto("/")
    return page


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("width", [320, 390])
def test_an_evening_fits_with_text_of_twice_the_size(browser: Browser, site: str, lang: str, width: int) -> None:
    page, wrong = phone(browser, site, width, lang), []
    page.locator("form.evening button").tap()
    page.locator("section.evening").wait_for()
    player = page.locator(".seats a").first.get_attribute("href") or ""
    hand = f"hand={','.join(RICH)}"
    for address in ("/", player, "/evening?stacks=1", "/evening", f"/village?{hand}", f"/resolve?hall=griffon&{hand}"):
        page.goto(address)
        page.evaluate(LARGE, 2)
        found = page.evaluate(OVERFLOWING, width), page.evaluate(BROKEN), page.evaluate(SMALL)
        wrong += [f"{address}: {found}"] if any(found) else []
    page.context.close()
    assert not wrong, "\n".join(wrong)


def test_an_evening_in_few_taps(browser: Browser, site: str) -> None:
    """Ten to a verdict, eight a later turn, twelve a visit with a purchase and a level-up; all phones see the hall."""
    page, other = phone(browser, site), phone(browser, site, 320, "ru")
    page.locator("form.evening button").tap()
    page.locator("section.evening").wait_for()
    other.goto("/")

    battle = Thumb(page)
    battle.tap(".tabs a[href^='/resolve']", at("/resolve"))
    battle.add(HALL[:2], "hall")
    battle.tap(f"#tile-{HALL[2]}", lambda address: listed(address, "hall") == [""])  # shared: the address needs it not
    battle.add(HAND, "hand")
    page.locator(".target[open]").wait_for()
    assert battle.taps <= 10
    other.locator(".evening .slot", has_text="1").first.wait_for()
    assert other.locator(".evening .slot.none").count() == 0
    assert not faults(page, 390)

    page.locator("details.target[open] form:has([value=battle]) button").first.dblclick()  # acts once
    page.locator("h2.ask", has_text="turn 2").wait_for()
    other.locator("h2.ask", has_text="2").wait_for()
    assert not faults(page, 390)

    turn = Thumb(page)
    turn.tap(".evening .slot.none", at("/resolve"))
    turn.tap("#tile-nixie", lambda address: "pane" not in address)
    turn.add(HAND, "hand")
    page.locator(".target[open]").wait_for()
    assert turn.taps <= 8

    page.goto("/")
    page.locator("form:has([value=correct])").count()
    mark = page.locator("body").get_attribute("data-mark") or ""
    page.request.post("/evening", form={"do": "correct", "xp": "3", "seen": mark})
    page.reload()
    visit = Thumb(page)
    visit.tap(".tabs a[href^='/village']", at("/village"))
    if not page.url.endswith("/village"):
        page.goto("/village")  # without the hand of the battle
    visit.add(RICH, "hand")
    visit.tap("#marks button[value='buy:torch']", lambda address: "buy:torch" in address)
    visit.tap("#marks button[value^='level_up:militia']", lambda address: "level_up" in address)
    assert not faults(page, 390)
    visit.tap("form:has([value=visit]) button", at("/"))
    page.locator("h2.ask", has_text="turn 3").wait_for()
    assert visit.taps <= 12
    for name, thumb in (("battle", battle), ("turn", turn), ("visit", visit)):
        print(f"{name}: {thumb.taps} taps, {thumb.seconds:.1f} s")

    page.wait_for_timeout(1_000 * STILL)
    page.locator("form:has([value=undo]) button").dblclick()
    page.locator("h2.ask", has_text="turn 2").wait_for()
    page.wait_for_timeout(1_000)  # for the second, if there were one
    assert "turn 2" in page.locator("h2.ask").first.inner_text()
    for each in (page, other):
        each.context.close()
