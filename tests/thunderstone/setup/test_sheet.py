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

from thunderref.database.read import Database
from thunderref.thunderstone.setup import history, sheet
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.finished import Setup, class_totals
from thunderref.thunderstone.setup.generate import generate_setup
from thunderref.thunderstone.setup.sheet import bar, bars, folded, text

LANGUAGES = ("en", "pl", "ru")
SHEETS = [
    {"seed": 3},
    {"seed": 3, "sets": ["base", "wrath", "promo"], "players": 5, "monsters": 8, "require": ["horde", "guardian"]},
    {"variant": "epic", "seed": 5},
    {"variant": "solo", "level": "nightmare", "seed": 5},
    {"variant": "marauding", "seed": 5},
    {"theme": "tough-guys", "variant": "odyssey"},
]


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
    outline.feed(sheet.page(made, "html"))
    assert outline.open == []
    assert outline.links == []
    page = " ".join(outline.words)
    for shown in (text(made), sheet.page(made, "markdown"), page):
        assert made.code in shown
        assert "{" not in shown.replace(page, "")
        for card in (*made.content.classes, *made.content.heroes, *made.content.village):
            assert made.naming.name(card) in shown
            assert made.naming.english.name(card) in shown


def test_boxes_to_tick_come_in_laying_out_order() -> None:
    made = generate_setup(seed=3, lang="pl")
    lines = [line for line in sheet.page(made, "markdown").splitlines() if line.lstrip().startswith("- [ ]")]
    assert len(lines) == len(made.steps) + sum(len(step.items) for step in made.steps)
    assert text(made, boxes=True).count("[ ] ") == len(lines)
    assert sheet.page(made, "html").count("<i></i>") == len(lines)
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


def test_the_average_is_that_of_all_draws(database: Database, cat: Catalogue) -> None:
    totals = class_totals(database)
    made = generate_setup(seed=3, sets=["base", "wrath"], monsters=4)
    for measure in made.measures:
        values = [sum(totals[c][measure.name] for c in hand) for hand in combinations(cat.pool.classes, 4)]
        assert measure.average == Fraction(sum(values), len(values))
        assert (measure.least, measure.most) == (min(values), max(values))
        assert measure.total == sum(totals[c][measure.name] for c in made.content.classes)


def test_totals_counted_by_hand(database: Database, cat: Catalogue) -> None:
    totals = class_totals(database)
    # two of each at 3, 5, 6 and 7, one at 8 and three Pegasi
    assert totals["enchanted"]["health"] == 2 * 3 + 2 * 5 + 3 * 6 + 2 * 7 + 8
    assert totals["enchanted"]["light_penalties"] == 2
    assert totals["undead-doom"]["diseases"] == 2 + 3 + 2 + 2
    assert totals["abyssal"]["xp"] == 18
    assert totals["abyssal"]["vp"] == 41
    assert totals["doomknight-humanoid"]["light_penalties"] == 2 + 2 + 4
    assert totals["horde"]["health"] == sum(range(3, 13))
    assert totals["elemental-pain"]["breaches"] == 7
    assert totals["dragon"]["breaches"] == 2


def test_bars_are_plain_and_never_too_long() -> None:
    made = generate_setup(seed=3)
    assert len(bars(made)) == 6
    for measure in made.measures:
        assert len(bar(measure)) == 20
        assert set(bar(measure)) <= set("#.|")


# history


def test_the_history_keeps_the_latest_and_forgets(tmp_path: Path) -> None:
    path = tmp_path / "data" / "history.json"
    assert history.read(path) == []
    games: list[Setup] = [generate_setup(seed=seed) for seed in range(12)]
    for game in games:
        history.remember(path, game.code, game.content)
    assert [entry.code for entry in history.read(path)] == [game.code for game in reversed(games)][: history.KEPT]
    recent = history.recent_cards(path)
    assert recent[: len(games[-1].content.classes)] == list(games[-1].content.classes)
    assert len(recent) == len(set(recent))
    history.remember(path, games[5].code, games[5].content)
    assert [entry.code for entry in history.read(path)].count(games[5].code) == 1
    history.clear(path)
    history.clear(path)
    assert history.read(path) == []


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"setups": 3}', '{"setups": [{"code": 1}]}', "\x00"])
def test_a_broken_history_counts_as_empty(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "history.json"
    path.write_text(broken)
    assert history.read(path) == []


def test_names_of_our_own_are_marked_wherever_they_are_shown() -> None:
    made = generate_setup(seed=5, sets=["base", "wrath"], require=["dark-champion", "divine"], lang="ru")
    name = made.naming.name("divine")
    assert not made.naming.official("divine")
    assert made.naming.official("fireball")
    pages = (sheet.page(made, form) for form in ("markdown", "html"))
    for shown in (text(made), *pages, "\n".join(made.model_dump()["steps"])):
        assert f"{name}*" in shown
        assert f"{made.naming.name('dark-champion')}*" in shown
    assert any("*" in line for line in made.warnings)
    assert not any("*" in line for line in replace(made, lang="en").warnings)


BROWSER = os.environ.get("THUNDERREF_BROWSER", "")
"""A Chromium to print with; not part of the ordinary run."""


@pytest.mark.skipif(not shutil.which(BROWSER or "-"), reason="THUNDERREF_BROWSER names no browser")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("options", SHEETS, ids=str)
def test_the_sheet_prints_on_one_page(options: dict[str, object], lang: str, tmp_path: Path) -> None:
    page, paper = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    page.write_text(sheet.page(generate_setup(**options, lang=lang), "html"), encoding="utf-8")  # type: ignore[arg-type]
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={paper}"]
    subprocess.run([BROWSER, *flags, page.as_uri()], check=True, capture_output=True, timeout=60)
    assert len(re.findall(rb"/Type\s*/Page[^s]", paper.read_bytes())) == 1
