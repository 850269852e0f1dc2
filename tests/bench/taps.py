"""Taps and seconds of a player's tasks on a phone, in Chromium by touch: ``python tests/bench/taps.py``.

The limits are those of the design; a tap takes 0.9 s, and what the page takes is measured and added.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from serve.conftest import CODE
from serve.test_browser import HALL_CARDS, HAND_CARDS, MENU, Thumb, asked, at, listed
from serve.test_pages import BATTLE
from support.chromium import chromium
from support.served import serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

LIMITS = {
    "battle": (10, 11.0), "next turn": (8, 8.4), "sum": (1, 2.0), "card": (2, 2.1), "gold": (1, 2.1), "setup": (3, 3.1),
    "score": (6, 8.1), "language": (2, 2.1),
}  # fmt: skip
"""Most taps and seconds of a task; the setup comes last, for it puts other cards on the table."""


def battle(page: Page, thumb: Thumb) -> None:
    page.goto("/")
    thumb.tap(".tabs a[href^='/resolve']", at("/resolve"))
    thumb.add(HALL_CARDS, "hall")
    thumb.add(HAND_CARDS, "hand")
    page.locator(".target[open] .lines li").first.wait_for()


def next_turn(page: Page, thumb: Thumb) -> None:
    page.goto(BATTLE)
    left = listed(page.locator(".target[open] a.do.wide").get_attribute("href") or "", "hall")
    thumb.tap(".target[open] a.do.wide", lambda address: listed(address, "hall") == left)
    thumb.tap("#tile-nixie", lambda address: listed(address, "hall") == [*left, "nixie"])
    thumb.add(HAND_CARDS, "hand")
    page.locator(".target[open] summary").first.wait_for()


def read_sum(page: Page, thumb: Thumb) -> None:
    page.goto(BATTLE)
    thumb.tap(".target[open] details.more > summary", at("/resolve"))
    page.locator(".target[open] details.more[open]").first.wait_for()


def card(page: Page, thumb: Thumb) -> None:
    page.goto(BATTLE)
    thumb.tap(".tabs a[href='/card']", at("/card"))
    thumb.tap("#main .tile", lambda address: bool(asked(address, "q")))


def gold(page: Page, thumb: Thumb) -> None:
    page.goto(BATTLE)
    thumb.tap(".tabs a[href^='/village']", at("/village"))
    page.locator(".huge").wait_for()


def setup(page: Page, thumb: Thumb) -> None:
    page.goto("/")
    thumb.tap("a[href='/setup']", at("/setup"))
    thumb.tap("form.form .do.wide", lambda address: bool(asked(address, "code")))
    thumb.tap(".bar button", at("/"))


def score(page: Page, thumb: Thumb) -> None:
    page.goto("/score?p=Ann:&p=Bob:")
    for name, cards in (("0", ["griffon", "sphinx", "nixie"]), ("1", ["pegasus", "blink-dog"])):
        for tile in cards:
            thumb.tap(f"#tile-{tile}", lambda address, tile=tile: tile in address)
        if name == "0":
            thumb.tap(".forward", lambda address: asked(address, "at") == "1")
    page.locator(".sentence").first.wait_for()


def language(page: Page, thumb: Thumb) -> None:
    page.goto(BATTLE)
    thumb.tap(MENU, at("/resolve"))
    thumb.tap(".switches a[lang=pl]", at("/resolve"))
    page.locator("html[lang=pl]").wait_for()


TASKS: dict[str, Callable[[Page, Thumb], None]] = {
    "battle": battle, "next turn": next_turn, "sum": read_sum, "card": card, "gold": gold,
    "score": score, "language": language, "setup": setup,
}  # fmt: skip


def main() -> int:
    late = 0
    with serving("--code", CODE) as (address, _), chromium() as browser:
        context = browser.new_context(
            base_url=address, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, locale="en"
        )
        page = context.new_page()
        for name, do in TASKS.items():
            thumb, (taps, seconds) = Thumb(page), LIMITS[name]
            do(page, thumb)
            is_late = thumb.taps > taps or thumb.seconds > seconds
            late += is_late
            print(
                f"{name}: {thumb.taps} taps (at most {taps}), {thumb.seconds:.1f} s (at most {seconds}), "
                f"of it waiting {thumb.waited:.2f} s{' TOO MUCH' if is_late else ''}",
                flush=True,
            )
    return late


if __name__ == "__main__":
    sys.exit(main())
