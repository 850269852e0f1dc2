"""The pages in a browser as wide as a phone: nothing to push sideways, nothing that axe finds, tasks by tapping."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from support.chromium import CHROMIUM, chromium
from support.served import serving

from .conftest import CODE
from .test_pages import BATTLE, HALL, HAND, PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install -e '.[dev]'")
axe = pytest.importorskip("axe_playwright_python.base", reason="needs axe: pip install -e '.[dev]'")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium"),
]
WIDTHS = {320: 568, 390: 844}
"""Of small phones and usual ones, with their heights."""
TALL = 8_000
"""So high that no bar covers anything from axe."""
THEMES = ("light", "dark")
TAP = 0.9
"""Seconds from one tap to the next of somebody who looks for the tile first."""
STILL = 0.4
"""Seconds without a tap, longer than the script's pause after a change of part; a part of :data:`TAP`."""
HALL_CARDS, HAND_CARDS = (listed.partition("=")[2].split(",") for listed in (HALL, HAND))
FOUND = """async () =>
    (await axe.run({resultTypes: ["violations"], rules: {"target-size": {enabled: true}}})).violations.map(
        each => each.id + ": " + each.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(" | "))"""
OVERFLOWING = """width => {
    const root = document.documentElement, wide = Math.max(root.scrollWidth, document.body.scrollWidth, innerWidth);
    if (wide <= width) return "";
    const out = [...document.body.querySelectorAll("*")].filter(each => each.getBoundingClientRect().right > width + 1);
    return wide + ": " + out.slice(0, 3).map(each => each.outerHTML.slice(0, 120)).join(" | ");
}"""
BROKEN = """() => {
    const found = new Set(), range = new Range(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode, place = text.parentElement;
        if (place.closest(".hidden, script, svg, pre, datalist, select") || !place.checkVisibility()) continue;
        const box = place.closest(".tile, .slot, .do, .chip, .offer, li, .target, main");
        for (const word of text.data.matchAll(/[^\\s\\-–—/=\\u00ad]+/g)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const rows = [...range.getClientRects()].filter(line => line.width).map(line => Math.round(line.top));
            const lines = rows.slice(rows.length > 1 && text.data[word.index - 1] === "\\u00ad" ? 1 : 0); // the hyphen
            const slides = !box || place.closest(".wide, .chips, .steps");
            const is_out = !slides && range.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
            if (is_out || new Set(lines).size > 1) found.add(word[0]);
        }
    }
    return [...found];
}"""
PALE = """() => {
    const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255).map(
        part => part > .03928 ? ((part + .055) / 1.055) ** 2.4 : part / 12.92).reduce(
        (sum, part, n) => sum + part * [.2126, .7152, .0722][n], 0);
    return [...document.querySelectorAll("input[placeholder]")].filter(field => {
        const context = document.createElement("canvas").getContext("2d");
        const style = getComputedStyle(field, "::placeholder");
        const colours = [style.color, getComputedStyle(field).backgroundColor];
        const [dark, bright] = colours.map(light).sort((a, b) => a - b);
        context.font = style.font;
        const is_cut = context.measureText(field.placeholder).width > field.clientWidth - 20;
        return is_cut || style.opacity < 1 || (bright + .05) / (dark + .05) < 4.5;
    }).map(field => field.placeholder);
}"""
LARGE = """times => {
    document.documentElement.style.fontSize = 16 * times + "px";
    for (const part of document.querySelectorAll("details:not(.menu)")) part.open = true;
}"""
SMALL = """() => [...document.querySelectorAll("a, button, summary, select, textarea, label:has(input)")].filter(
    each => !each.closest(".hidden, .skip") && each.checkVisibility() && getComputedStyle(each).display !== "inline"
        && Math.min(each.offsetWidth, each.offsetHeight) < 44).map(each => each.outerHTML.slice(0, 120))"""
LETTERS = """() => [...document.body.querySelectorAll("*")].filter(
    each => !each.closest("svg, .hidden") && [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())
).map(each => [each.outerHTML.slice(0, 80), parseFloat(getComputedStyle(each).fontSize), each.offsetWidth])"""
FRAME = """([below, steps]) => {
    const [header, bar, ...boxes] = ["header", below, steps].flatMap(place => [...document.querySelectorAll(place)])
        .map(each => each.getBoundingClientRect());
    return [header.height + innerHeight - bar.top, boxes.map(box => [box.left, box.right])];
}"""
MENU = ".menu > summary"
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving("--code", CODE) as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as begun:
        yield begun


@pytest.fixture
def opened(browser: Browser, site: str) -> Iterator[Open]:
    """Opens a phone: a page that is touched, in a language, with or without scripts."""
    begun: list[BrowserContext] = []

    def make(lang: str = "en", width: int = 390, scripts: bool = True) -> Page:
        size = {"width": width, "height": WIDTHS[width]}
        context = browser.new_context(
            base_url=site, viewport=size, screen=size, is_mobile=True, has_touch=True,
            java_script_enabled=scripts, locale=lang, extra_http_headers={"accept-language": lang},
        )  # fmt: skip
        context.set_default_timeout(20_000)
        begun.append(context)
        return context.new_page()

    yield make
    for context in begun:
        context.close()


def faults(page: Page, width: int, with_axe: bool = True) -> list[str]:
    found = [page.evaluate(OVERFLOWING, width)]
    if with_axe:
        page.set_viewport_size({"width": width, "height": TALL})
        page.evaluate(axe.AXE_SCRIPT)
        found += page.evaluate(FOUND)
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    return [each for each in found if each]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_with_text_of_twice_the_size(opened: Open, lang: str, width: int) -> None:
    """Everything unfolded: all letters are twice as large, nothing scrolls sideways, is broken or hard to tap."""
    page, wrong = opened(lang, width), []
    for address in (*PAGES, "/nowhere"):
        page.goto(address)
        letters = list[list[Any]]()
        for size, theme in enumerate(THEMES, 1):
            page.emulate_media(color_scheme=theme)
            page.evaluate(LARGE, size)
            faults = page.evaluate(OVERFLOWING, width), *map(page.evaluate, (BROKEN, PALE, SMALL))
            wrong += [f"{address} {size}: {faults}"] if any(faults) else []
            before, letters = letters, page.evaluate(LETTERS)
            wrong += [f"{address} {size}: too wide: {place}" for place, _, wide in letters if wide > width]
        assert page.evaluate("getComputedStyle(document.body).fontSize") == "34px"
        for (place, small, _), (_, large, _) in zip(before, letters, strict=True):
            wrong += [f"{address}: {small} -> {large}: {place}"] if abs(large - 2 * small) > 0.1 else []
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_longest_words_in_large_letters_are_divided_by_syllables(opened: Open, lang: str) -> None:
    page, wrong = opened(lang, 320), []
    for card in ("runespawn-siren", "air-wrath", "ambrosia", "elf-archmage", "divine-healer", "selurin-magician"):
        page.goto(f"/card?q={card}")
        page.evaluate(LARGE, 2)
        faults = page.evaluate(OVERFLOWING, 320), page.evaluate(BROKEN)
        wrong += [f"{card}: {faults}"] if any(faults) else []
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_pages_fit_a_phone_and_are_for_everybody(opened: Open, lang: str, scripts: bool) -> None:
    """Themes change in a page that is open; axe, itself a script, looks at narrow dark and wide light ones."""
    page, wrong = opened(lang, scripts=scripts), []
    for address in PAGES:
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            assert page.locator("html").get_attribute("lang") == lang
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                if scripts:
                    page.evaluate(LARGE, 1)  # everything unfolded
                found = faults(page, width, with_axe=scripts and (width == 320) == (theme == "dark"))
                wrong += [f"{address} {width} {theme}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_that_is_chosen_is_for_everybody(opened: Open, theme: str) -> None:
    page = opened(width=320)
    page.emulate_media(color_scheme=THEMES[theme == "light"])
    for address in ("/", BATTLE, "/setup"):
        page.goto(f"{address}{'&' if '?' in address else '?'}theme={theme}")
        assert not faults(page, 320)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_no_name_breaks_within_a_word(opened: Open, lang: str) -> None:
    """Nor runs over its tile: of all cards, as tiles of the look-up, then in the hall."""
    page = opened(lang)
    with serving() as (bare, _):
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{bare}/card")
            page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            assert page.locator(".tile").count() > 150
            broken = page.evaluate(BROKEN)
            assert not broken, (width, broken)
            assert not page.evaluate(OVERFLOWING, width)
            for address in (f"/resolve?{HALL}&pane=hall", "/card?q=elf-wizard", "/card?q=griffon"):
                page.goto(bare + address)
                broken = page.evaluate(BROKEN)
                assert not broken, (width, address, broken)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_frame_leaves_a_small_phone_to_the_cards(opened: Open, lang: str) -> None:
    """At most 112 of 568 pixels; the steps that count are all in sight, of five players the one who counts."""
    page = opened(lang, width=320)
    players = "&".join(f"p=Player+{n}:torch" for n in range(1, 6))
    for address, below, steps in (
        (f"{BATTLE}&pane=hand", ".bar", "a"), (BATTLE, ".tabs", "a"), ("/", ".tabs", "a"),
        (f"/score?{players}&at=4", ".bar", "[aria-current]"),
    ):  # fmt: skip
        page.goto(address)
        frame, sides = page.evaluate(FRAME, [below, f".steps {steps}"])
        assert frame <= 112, address
        assert all(left >= 0 and right <= 320 - 44 for left, right in sides), address


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_menu_has_languages_light_and_all_pages(opened: Open, scripts: bool) -> None:
    page = opened(width=320, scripts=scripts)
    page.goto(f"/resolve?{HALL}&hand=militia,torch&pane=hand")
    assert not page.locator(".tabs").is_visible()
    page.locator(MENU).tap()
    for place in (".switches a[lang=pl]", ".switches .to-dark", ".tabs a[href='/card']"):
        page.locator(place).tap(trial=True)
    assert not faults(page, 320, with_axe=scripts)
    page.touchscreen.tap(160, 200)  # beside it: nothing but the menu goes away
    assert not page.locator(".tabs").is_visible()
    page.locator(MENU).tap()
    page.locator(".switches a[lang=pl]").tap()
    page.locator("html[lang=pl]").wait_for()
    assert listed(page.url, "hand") == ["militia", "torch"]
    page.locator(MENU).tap()
    page.locator(".tabs a[href='/card']").tap()
    page.wait_for_url(at("/card"))
    assert page.locator(".tabs").is_visible()
    assert not page.locator(".switches").is_visible()


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_button_of_a_verdict_is_in_sight_without_scrolling(opened: Open, lang: str, width: int) -> None:
    page, many = opened(lang, width), "elf-wizard,elf-sorcerer,lightstone-gem,magical-aura,short-sword,flaming-sword"
    for battle in (BATTLE, f"/resolve?{HALL}&hand=militia,iron-rations,dagger,battle-fury,{many}"):
        page.goto(battle)
        assert page.locator(".target[open] .do.wide").evaluate(
            "each => each.getBoundingClientRect().bottom <= document.querySelector('.tabs').getBoundingClientRect().top"
        )


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_comparison_is_seen_whole_on_a_small_phone(opened: Open, lang: str) -> None:
    page = opened(lang, 320)
    page.goto("/card?compare=1")
    tables = page.evaluate("[...document.querySelectorAll('table.figures')].map(each => each.scrollWidth)")
    assert tables
    assert max(tables) <= 300


@pytest.mark.parametrize("width", WIDTHS)
def test_the_three_ranks_lie_in_a_row_below_their_deck(opened: Open, width: int) -> None:
    page = opened("ru", width)
    page.goto(f"/setup?code={CODE}")
    page.locator("#picture > summary").tap()
    deck, *ranks = (
        page.locator("#picture .stacks")
        .first.locator("li")
        .evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    )
    assert len(ranks) == 3
    assert deck < min(ranks) == max(ranks)


def test_what_is_won_and_lost_has_its_colour(opened: Open) -> None:
    page = opened()
    page.goto(BATTLE)
    colour = "each => getComputedStyle(each).color"
    assert page.locator(".steps .yes").evaluate(colour) == page.locator(".victory .mark").first.evaluate(colour)
    page.goto(f"{BATTLE}&pane=hand")
    assert page.locator(".forward.yes").inner_text().startswith("✓2")
    page.goto("/resolve?hall=griffon&hand=torch&pane=hand")
    assert page.locator(".forward.no").inner_text().startswith("✗")
    page.goto(BATTLE)
    steps = page.locator(".target[open] .lead li")
    tops = steps.evaluate_all("all => all.map(each => each.getBoundingClientRect().top)")
    circle = steps.first.evaluate("each => parseFloat(getComputedStyle(each, '::before').height)")
    assert len(tops) > 2
    assert all(after - top >= circle + 4 for top, after in pairwise(tops))


@dataclass
class Thumb:
    """Taps, counts the taps, and adds up the seconds: those of the taps and those spent waiting."""

    page: Page
    taps: int = 0
    waited: float = 0.0

    def tap(self, place: str, until: Callable[[str], bool]) -> None:
        """Taps the first of a place, until the address is as it should be."""
        time.sleep(STILL)
        begun = time.monotonic()
        self.page.locator(place).first.tap()
        self.page.wait_for_url(until)
        self.waited += time.monotonic() - begun
        self.taps += 1

    def add(self, cards: list[str], to: str) -> None:
        for n, card in enumerate(cards, 1):
            now = cards[:n]
            self.tap(f"#tile-{card}", lambda address, now=now: listed(address, to) == now)

    @property
    def seconds(self) -> float:
        return self.taps * TAP + self.waited


def asked(address: str, name: str) -> str:
    return parse_qs(urlsplit(address).query).get(name, [""])[0]


def listed(address: str, name: str) -> list[str]:
    return asked(address, name).split(",")


def at(path: str) -> Callable[[str], bool]:
    return lambda address: urlsplit(address).path == path


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_tasks_at_the_table(opened: Open, scripts: bool, width: int, record_property: Any) -> None:
    """A battle of six cards in ten taps, the next turn in eight, a card in two; each page on the way fits."""
    page = opened(width=width, scripts=scripts)
    page.goto("/")
    battle = Thumb(page)
    battle.tap(".tabs a[href^='/resolve']", at("/resolve"))
    battle.add(HALL_CARDS, "hall")
    battle.add(HAND_CARDS, "hand")
    page.locator(".target[open] .lines li").first.wait_for()
    assert battle.taps <= 10
    assert not faults(page, width, with_axe=scripts)

    turn = Thumb(page)
    after = page.locator(".target[open] a.do.wide")
    left = listed(after.get_attribute("href") or "", "hall")
    assert len(left) == 2
    turn.tap(".target[open] a.do.wide", lambda address: listed(address, "hall") == left and not asked(address, "hand"))
    turn.tap("#tile-nixie", lambda address: listed(address, "hall") == [*left, "nixie"])
    turn.add(HAND_CARDS, "hand")
    page.locator(".target[open] summary").first.wait_for()
    assert turn.taps <= 8
    assert not faults(page, width, with_axe=scripts)

    card = Thumb(page)
    card.tap(".tabs a[href='/card']", at("/card"))
    card.tap("#main .tile >> nth=0", lambda address: bool(asked(address, "q")))
    page.locator("article h1").wait_for()
    assert card.taps <= 2
    assert not faults(page, width, with_axe=scripts)
    for name, task in (("battle", battle), ("turn", turn), ("card", card)):
        print(f"{name}: {task.taps} taps, {task.seconds:.1f} s, of it waiting {task.waited:.2f} s")
        record_property(name, f"{task.taps} taps, {task.seconds:.1f} s")


def test_names_are_offered_as_they_are_typed(opened: Open) -> None:
    page = opened("pl")
    page.goto("/card")
    page.locator("#q").press_sequentially("lucz")
    names = page.locator("#near a").all_inner_texts()
    assert names
    assert all("łucz" in name.lower() for name in names)
    page.locator("#near a").first.click()
    page.locator("article h1").wait_for()
    assert page.locator("article h1").inner_text() == names[0]


def test_a_reload_and_a_step_back_keep_the_battle(opened: Open) -> None:
    page = opened()
    page.goto(f"/resolve?{HALL}&hand=militia,torch&pane=hand")
    Thumb(page).tap("#tile-militia", lambda address: listed(address, "hand") == ["militia", "torch", "militia"])
    page.reload()
    assert page.locator("#tile-militia .count").inner_text().endswith("2")
    page.locator(MENU).tap()
    Thumb(page).tap(".tabs a[href='/card']", at("/card"))
    page.go_back()
    page.locator("#tile-militia .count").wait_for()
    assert listed(page.url, "hand") == ["militia", "torch", "militia"]


def test_back_and_forward_take_one_press_each(opened: Open) -> None:
    page = opened()
    page.goto("/")
    Thumb(page).tap(".tabs a[href='/card']", at("/card"))
    Thumb(page).tap(".tabs a[href^='/village']", at("/village"))
    for press, path in (("back", "/card"), ("back", "/"), ("forward", "/card"), ("forward", "/village")):
        page.go_back() if press == "back" else page.go_forward()
        page.wait_for_url(at(path))
        page.locator(f".tabs a[aria-current][href^='{path}']").wait_for(state="attached")


def test_a_double_tap_on_the_sixth_card_adds_no_seventh(opened: Open) -> None:
    page = opened()
    page.goto(f"/resolve?{HALL}&hand=militia,militia,torch,torch,dagger")
    page.locator("#tile-dagger").dblclick()
    page.locator(".target[open] summary").first.wait_for()
    time.sleep(1)
    assert listed(page.url, "hand") == ["militia", "militia", "torch", "torch", "dagger", "dagger"]


def test_a_double_tap_on_a_button_that_acts_sends_it_once(opened: Open) -> None:
    page, sent = opened(), list[str]()
    with serving() as (bare, _):  # whose table no other test needs
        page.goto(f"{bare}/setup?players=4&set=base")
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.route("**/tonight", lambda route: (page.wait_for_timeout(800), route.continue_()))
        page.evaluate(
            """() => { const play = document.querySelector(".bar button");
                play.click(); setTimeout(() => play.click(), 500); }"""
        )
        page.wait_for_url(at("/"))
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("address", "field", "text"),
    [("/setup", "code", "37MF"), (f"/resolve?{HALL}&pane=hand", "type", "elf"), ("/turn?hand=torch", "xp", "many")],
    ids=["code", "unclear", "number"],
)
def test_what_is_wrong_in_a_form_is_brought_into_sight(opened: Open, address: str, field: str, text: str) -> None:
    page = opened(width=320)
    page.goto(address)
    page.locator(f"#{field}").fill(text)
    page.locator(f"#{field} ~ button").first.tap()
    problem = page.locator(".fault, .unclear")
    problem.wait_for()
    top, bottom = problem.evaluate("each => [each.getBoundingClientRect().top, each.getBoundingClientRect().bottom]")
    assert 0 <= top < bottom < WIDTHS[320]


def test_a_lost_connection_moves_nothing_and_heals_by_itself(opened: Open) -> None:
    page = opened()
    page.goto(f"/resolve?{HALL}&hand=militia&pane=hand")
    tile = page.locator("#tile-dagger")
    place = tile.bounding_box()
    page.context.set_offline(True)
    tile.tap()
    page.locator("#lost:not([hidden])").wait_for()
    assert tile.bounding_box() == place
    assert page.locator(".chip").first.inner_text().startswith("Dagger")
    assert page.locator(".steps [aria-current] b").inner_text() == "2"
    page.context.set_offline(False)
    page.wait_for_url(lambda address: listed(address, "hand") == ["militia", "dagger"], timeout=6_000)
    page.locator("#lost[hidden]").wait_for(state="attached")


def test_a_slow_page_says_so_at_once_tells_its_place_and_can_be_stopped(opened: Open) -> None:
    page = opened()
    page.goto(f"/resolve?{HALL}&hand=militia&pane=hand")
    queued = [False, True]  # from the last to the first

    def delay(route: Route) -> None:
        page.wait_for_timeout(600)
        if queued and queued.pop():
            route.fulfill(status=202, content_type="text/html", body="<main><p class=ability>Place in the queue: 3.")
        else:
            route.continue_()

    page.route("**/resolve?*", delay)
    page.evaluate(
        """() => new MutationObserver((_, seen) => {
            window.slow = performance.now() - window.tapped; seen.disconnect();
        }).observe(document.getElementById("lost"), {attributes: true, attributeFilter: ["hidden"]})"""
    )
    page.evaluate("() => { window.tapped = performance.now(); document.getElementById('tile-dagger').click(); }")
    page.locator("#lost.works:not([hidden]) >> text=Place in the queue: 3.").wait_for()
    assert page.evaluate("window.slow") < 200
    page.locator("#lost button >> text=Stop").tap()
    page.locator("#lost[hidden]").wait_for(state="attached")
    assert page.locator(".chip").first.inner_text().startswith("Dagger")
    page.unroute_all(behavior="ignoreErrors")
    page.locator("#tile-torch").tap()
    page.wait_for_url(lambda address: listed(address, "hand") == ["militia", "dagger", "torch"])


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_battle_prints_on_one_page(opened: Open, lang: str) -> None:
    page = opened(lang)
    page.goto(BATTLE)
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) == 1


def test_a_hall_is_put_right_by_taps(opened: Open) -> None:
    page = opened()
    page.goto(f"/resolve?{HALL}&pane=hall")
    thumb, (_, *others) = Thumb(page), HALL_CARDS
    thumb.tap(".slots button >> nth=0", lambda address: listed(address, "hall") == ["_", *others])
    thumb.tap("#tile-nixie", lambda address: listed(address, "hall") == ["nixie", *others])
    page.goto(f"/resolve?{HALL}&pane=hall")
    thumb.tap(".bar .undo", lambda address: listed(address, "hall") == HALL_CARDS[:2])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_sword_changes_hands_by_two_taps(opened: Open, scripts: bool) -> None:
    """The tiles stay in sight after the first tap; the second shows what the rules say of it."""
    page = opened(width=320, scripts=scripts)
    page.goto(BATTLE)
    page.locator("[open] .change button[value=short-sword]").tap()
    hero = page.locator("[open] .change button[name=hero][value=elf-wizard]")
    hero.wait_for()
    assert hero.is_visible()
    assert hero.evaluate("each => each.getBoundingClientRect().top") < WIDTHS[320]
    time.sleep(STILL)
    hero.tap()
    page.wait_for_url("**equip:short-sword,to:elf-wizard**")
    page.get_by_text("Short Sword weighs 4, Elf Wizard has Strength 3").wait_for()
    page.locator("[open] .inside a.row", has_text="8 against 7").first.tap()
    page.wait_for_url("**use:iron-rations,on:elf-wizard**")
    assert page.locator("[open] > summary .figures").first.inner_text().split() == ["8", "against", "7"]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_thorgal_by_taps(opened: Open, tmp_path: Path, lang: str, scripts: bool) -> None:
    """A game begun, an action, an enemy's card field by field, the tiles rolled, the verdict; each page fits."""
    page = opened(lang, width=320, scripts=scripts)
    thumb = Thumb(page)
    with serving(folder=str(tmp_path)) as (address, _):

        def is_sound() -> None:
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                assert not faults(page, 320, with_axe=scripts)

        page.goto(f"{address}/thorgal")
        page.locator("#row").fill("1 3")
        page.locator("button[value='start 2']").tap()
        act = page.locator("button[value='act 0 3']")
        act.wait_for()
        time.sleep(STILL)  # a tap that comes sooner is the second one of two
        done = page.locator("input[name=steps]").first.get_attribute("value")
        act.tap()
        page.locator(f"input[name=steps]:not([value='{done}'])").first.wait_for(state="attached")
        is_sound()
        thumb.tap("a[href='/thorgal?pane=card']", lambda to: asked(to, "pane") == "card")
        for spots in (["0-0-1", "0-1-1"] if scripts else ["0-0-1"], ["0-2-1"]):  # the first two before any answer
            page.evaluate("all => all.forEach(spot => document.getElementById(`spot-${spot}`).click())", spots)
            hearts = {"0-1-1": 2, "0-0-1": 1, "0-2-1": 3 if scripts else 2}[spots[-1]]
            page.wait_for_url(lambda to, hearts=hearts: asked(to, "fight").count("H") == hearts)
        is_sound()
        thumb.tap("a.do.wide", lambda to: asked(to, "pane") == "")
        thumb.tap("#tile-I3", lambda to: listed(to, "tiles") == ["I3"])
        thumb.tap("#tile-I1", lambda to: listed(to, "tiles") == ["I3", "I1"])
        page.locator("td.t2").first.wait_for()
        assert page.locator("td.t1, td.t2").count() == 4
        assert page.locator("td.bare").count() == 0
        is_sound()
        thumb.tap(".chip[value='I3']", lambda to: listed(to, "tiles") == ["I1"])
        page.locator("td.bare").first.wait_for()
        is_sound()
