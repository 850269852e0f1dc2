"""The sheet, the difficulty and the history."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import pytest

from support.systems import keep_in
from thunderref.cli.setup import page_text
from thunderref.files import make_folder
from thunderref.pages.setup_page import bar, bars, folded, picture, places, printed_sheet, sheet_page
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.choose import space_of
from thunderref.thunderstone.setup.memory import HISTORY, HISTORY_LENGTH, add_to_history, read_history
from thunderref.thunderstone.setup.request import request_of
from thunderref.thunderstone.setup.setup import MEASURES, Setup, generate_setup, totals_of

LANGUAGES = ("en", "pl", "ru")
SHEETS = [
    {"seed": 3},
    {"seed": 3, "sets": ["base", "wrath", "promo"], "players": 5, "monsters": 8, "require": ["horde", "guardian"]},
    {"variant": "epic", "seed": 5},
    {"variant": "solo", "level": "nightmare", "seed": 5},
    {"variant": "marauding", "seed": 5},
    {"theme": "tough-guys", "variant": "odyssey"},
]


def text(made: Setup, *, boxes: bool = False, detailed: bool = False) -> str:
    return page_text(sheet_page(made, detailed=detailed), boxes=boxes)


class Outline(HTMLParser):
    """Checks that tags are closed in order and collects the text."""

    VOID = frozenset({"meta", "link", "br", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("options", SHEETS, ids=str)
def test_every_sheet_in_every_language(options: dict[str, object], lang: str) -> None:
    made = generate_setup(**options, lang=lang)  # type: ignore[arg-type]
    outline = Outline()
    outline.feed(printed_sheet(made, "html"))
    assert outline.open == []
    assert outline.links == []
    page = " ".join(outline.words)
    for shown in (text(made), printed_sheet(made, "markdown"), page):
        assert made.code in shown
        assert "{" not in shown.replace(page, "")
        for card in (*made.content.classes, *made.content.heroes, *made.content.village):
            assert made.naming.name(card) in shown
            assert made.naming.english.name(card) in shown


def test_boxes_to_tick_come_in_laying_out_order() -> None:
    made = generate_setup(seed=3, lang="pl")
    lines = [line for line in printed_sheet(made, "markdown").splitlines() if line.lstrip().startswith("- [ ]")]
    assert len(lines) == len(made.steps) + sum(len(step.items) for step in made.steps)
    assert text(made, boxes=True).count("[ ] ") == len(lines)
    assert printed_sheet(made, "html").count("<i></i>") == len(lines)
    assert "[ ]" not in text(made)
    assert [step.section for step in made.steps] == sorted(
        (step.section for step in made.steps), key=["dungeon", "village", "players", "variant"].index
    )
    assert any(line.endswith("(Fireball) × 8") or "(" in line for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_folds_to_forty_columns(lang: str) -> None:
    made = generate_setup(seed=3, sets=["base", "wrath"], variant="pursuit", why=True, balanced=True, lang=lang)
    for boxes in (True, False):
        lines = folded(text(made, boxes=boxes), 40).splitlines()
        assert max(len(line) for line in lines) <= 40
    assert folded(text(made), None) == text(made)


def test_the_average_is_that_of_all_draws(cat: Catalogue) -> None:
    made = generate_setup(seed=3, sets=["base", "wrath"], monsters=4)
    outcomes = space_of(request_of(made.content, (), cat), cat).features
    for i, measure in enumerate(made.measures):
        totals = {
            name: totals_of(cat, name, ("base", "wrath"))[i] for name in (*cat.pool.classes, *cat.slots["features"])
        }
        hands = [sum(totals[c] for c in hand) for hand in combinations(cat.pool.classes, 4)]
        joined = [(weight, sum(totals[card] for card in outcome.cards)) for outcome, weight in outcomes]
        values = [(weight, value + more) for weight, more in joined for value in hands]
        assert measure.average == Fraction(sum(w * v for w, v in values), sum(w for w, _ in values))
        assert (measure.lowest, measure.highest) == (min(v for _, v in values), max(v for _, v in values))
        assert measure.total == sum(totals[card] for card in (*made.content.classes, *made.content.features.cards))


def test_totals_counted_by_hand(cat: Catalogue) -> None:
    def total(name: str, measure: str) -> int:
        return totals_of(cat, name, ("base", "wrath"))[MEASURES.index(measure)]

    # two of each at 3, 5, 6 and 7, one at 8 and three Pegasi
    assert total("enchanted", "health") == 2 * 3 + 2 * 5 + 3 * 6 + 2 * 7 + 8
    assert total("enchanted", "light_penalties") == 2
    assert total("undead-doom", "diseases") == 2 + 3 + 2 + 2
    assert total("abyssal", "xp") == 18
    assert total("abyssal", "vp") == 41
    assert total("doomknight-humanoid", "light_penalties") == 2 + 2 + 4
    assert total("horde", "health") == sum(range(3, 13))
    assert total("elemental-pain", "breaches") == 7
    assert total("dragon", "breaches") == 2
    assert total("trap-dire", "diseases") > 0
    assert total("dark-champion", "health") > 0


def test_traps_count_among_the_needs_and_the_difficulty() -> None:
    asked = {"seed": 3, "sets": ["base", "wrath"], "why": True}
    plain = generate_setup(**asked, exclude=["trap-dire", "trap-death", "guardian"])
    trapped = generate_setup(**asked, require=["trap-dire"])
    dire = {measure.name: measure.total for measure in trapped.measures}
    classes = {m.name: sum(totals_of(trapped.cat, c, ("base", "wrath"))[i] for c in trapped.content.classes)
               for i, m in enumerate(trapped.measures)}  # fmt: skip
    assert dire["diseases"] > classes["diseases"]
    assert not any("trap-dire" in row["because"] for row in plain.requirements)
    assert any("trap-dire" in row["because"] for row in trapped.requirements if row["id"] == "disease")


def test_what_does_not_happen_in_the_hall_is_said_only_where_it_might() -> None:
    calm = generate_setup(seed=1, require=["enchanted", "ooze", "humanoid"])
    assert not any("trap" in line or "breach" in line for line in calm.model_dump()["steps"])
    stormy = generate_setup(seed=1, sets=["base", "wrath"], require=["elemental-pain", "trap-dire"])
    hall = next(line for line in stormy.model_dump()["steps"] if "rank 3" in line)
    assert "trap" in hall
    assert "breach" in hall


def test_nothing_to_lay_out_has_no_box_to_tick() -> None:
    made = generate_setup(seed=3, players=5)
    assert not any(item.note == "× 0" for step in made.steps for item in step.items)
    assert [stack.cards for stack in made.table.stacks if stack.id == "militia"] == [(("militia", 0),)]


def test_cards_of_several_boxes_say_which() -> None:
    both, one = generate_setup(seed=3, sets=["base", "wrath"], lang="pl"), generate_setup(seed=3, lang="pl")
    items = [item for step in both.steps for item in step.items]
    assert {item.box for item in items if item.card in both.content.village} == {"Podstawka", "Gniew"}
    assert "Banish × 8 [Base]" in text(generate_setup(seed=3, sets=["base", "wrath"], require=["banish"]))
    assert not any(item.box for item in items if item.card in ("militia", "disease"))
    assert not any(item.box for step in one.steps for item in step.items)
    assert {stack["set"] for stack in both.model_dump()["stacks"]} == {"base", "wrath", None}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_picture_shows_where_each_stack_lies(lang: str) -> None:
    made = generate_setup(seed=3, sets=["base", "wrath"], require=["horde", "guardian"], lang=lang)
    for width in (40, 80):
        shown = picture(made, width)
        assert max(map(len, shown.splitlines())) <= width
        for card in (*made.content.heroes, *made.content.village, "militia", "disease", "horde-deck"):
            assert shown.count(f"[{made.naming.marked(card)}") == 1
    dungeon = [" ".join(place).rstrip() for place in places(made)[0][1]]
    assert dungeon[0].endswith(str(made.model_dump()["dungeon"]["size"]))
    assert [name[-1] for name in dungeon[1:5]] == ["3", "2", "1", "0"]
    plain = generate_setup(seed=3, lang=lang)
    assert len(places(plain)[0][1]) == 4
    assert shown not in picture(plain, 80)


def test_details_give_cost_and_effect_on_request() -> None:
    made = generate_setup(seed=3, sets=["base", "wrath"], require=["banish", "selurin", "ooze", "horde"])
    detailed = [printed_sheet(made, form, detailed=True) for form in ("html", "markdown")]
    for shown in (text(made, detailed=True), *detailed):
        assert "Cost 4." in shown
        assert "Cost 8, Strength 2, Magic Attack +2." in shown
        assert "Health 3–12" in shown
    assert "Cost 4." not in text(made)
    assert "Cost 4." not in printed_sheet(made, "html")
    assert "Levels side by side" not in printed_sheet(made, "html")
    for shown in detailed:
        assert "Cost 8/10/13" in shown  # Selurin
        assert "Black Slime: a total of 5 is enough, Attack or Magic Attack alike." in shown


def test_bars_are_plain_and_never_too_long() -> None:
    made = generate_setup(seed=3)
    assert len(bars(made)) == 6
    for measure in made.measures:
        assert len(bar(measure)) == 20
        assert set(bar(measure)) <= set("#.|")


# history


def test_the_history_keeps_the_latest_and_forgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path / "data")
    assert read_history().setups == ()
    games: list[Setup] = [generate_setup(seed=seed) for seed in range(12)]
    for game in games:
        add_to_history(game.code, game.content)
    assert [entry["code"] for entry in read_history().setups] == [game.code for game in reversed(games)][
        :HISTORY_LENGTH
    ]
    recent = read_history().recent_cards
    assert recent[: len(games[-1].content.classes)] == list(games[-1].content.classes)
    assert len(recent) == len(set(recent))
    add_to_history(games[5].code, games[5].content)
    assert [entry["code"] for entry in read_history().setups].count(games[5].code) == 1
    HISTORY.clear()
    HISTORY.clear()
    assert read_history().setups == ()


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"setups": 3}', '{"setups": [{"code": 1}]}', "\x00"])
def test_a_broken_history_counts_as_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    keep_in(monkeypatch, tmp_path)
    make_folder(HISTORY.path)
    HISTORY.path.write_text(broken)
    assert read_history().setups == ()


def test_names_of_our_own_are_marked_wherever_they_are_shown() -> None:
    made = generate_setup(seed=5, sets=["base", "wrath"], require=["dark-champion", "divine"], lang="ru")
    name = made.naming.name("divine")
    assert not made.naming.official("divine")
    assert made.naming.official("fireball")
    pages = (printed_sheet(made, form) for form in ("markdown", "html"))
    for shown in (text(made), *pages, "\n".join(made.model_dump()["steps"])):
        assert f"{name}*" in shown
        assert f"{made.naming.name('dark-champion')}*" in shown
    assert any("*" in line for line in made.warnings)
    assert not any("*" in line for line in replace(made, lang="en").warnings)


BROWSER = os.environ.get("THUNDERREF_BROWSER", "")
"""A Chromium to print with; not part of the ordinary run."""


@pytest.mark.skipif(not shutil.which(BROWSER or "-"), reason="THUNDERREF_BROWSER names no browser")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("detailed", [False, True])
@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("options", SHEETS, ids=str)
def test_the_sheet_prints_on_one_page_and_the_comparison_on_another(
    options: dict[str, object], size: str, detailed: bool, lang: str, tmp_path: Path
) -> None:
    page, paper = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    shown = printed_sheet(generate_setup(**options, lang=lang), "html", detailed=detailed)  # type: ignore[arg-type]
    page.write_text(shown.replace("@page{", f"@page{{size:{size};"), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={paper}"]
    subprocess.run([BROWSER, *flags, page.as_uri()], check=True, capture_output=True, timeout=60)
    assert len(re.findall(rb"/Type\s*/Page[^s]", paper.read_bytes())) == 1 + detailed
