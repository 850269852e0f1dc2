"""``thunderref glossary``: export, coverage and the check for translators."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from thunderref.cli import glossary
from thunderref.database.read import Language, open_database

LANGUAGES = ("en", "pl", "ru")


class _Page(HTMLParser):
    """Collects ids, links and elements left open."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [str(found["id"])] if "id" in found else []
        self.links += [str(found["href"])] if "href" in found else []
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


class _Written(HTMLParser):
    """The text of each entry in each language, as a reader sees it."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[tuple[str, str], str] = {}
        self.entry = ""
        self.langs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "article":
            self.entry = str(dict(attrs)["id"])
        if tag in ("div", "span"):
            self.langs.append(dict(attrs).get("lang") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("div", "span"):
            self.langs.pop()

    def handle_data(self, data: str) -> None:
        lang = self.langs[-1] if self.langs else ""
        self.texts[self.entry, lang] = self.texts.get((self.entry, lang), "") + data


@pytest.mark.parametrize("lang", [*LANGUAGES, "en,pl"])
def test_html(cli: Any, lang: str) -> None:
    out = cli("glossary", "export", "--format", "html", "--lang", lang).out
    page = _Page()
    page.feed(out)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert {f"card-{card}" for card in open_database().cards} <= set(page.ids)
    assert {"R5.4", "term-breach"} <= set(page.ids)
    assert "prefers-color-scheme: dark" in out
    assert 'type="search"' in out
    assert f'data-first="{lang.replace(",", " ")}"' in out


def test_html_fits_a_phone_and_loads_nothing(cli: Any) -> None:
    out = cli("glossary", "export", "--format", "html").out
    assert len(out.encode()) <= 1_500_000
    assert not re.search(r"https?:|//\w|src=|url\(|@import|<link|<iframe|<form|fetch|import\(", out)
    assert "default-src 'none'" in out


def test_html_has_every_text_in_every_language(cli: Any) -> None:
    database = open_database()
    page = _Written()
    page.feed(cli("glossary", "export", "--format", "html").out)
    expected: list[tuple[str, str]] = []
    rulings = (
        "SELECT c.id, k.clarification FROM clarification_cards AS k JOIN cards AS c ON k.card IN (c.id, c.reprint_of)"
    )
    expected += [(f"card-{card}", f"clarify.{ruling}") for card, ruling in database.query(rulings)]
    expected += [
        (f"card-{card}", database.cards[card].text_key(effect.id))
        for card, effects in database.all_effects.items()
        for effect in effects
    ]
    for kind in ("rule", "term", "conflict"):
        keys = database.query("SELECT DISTINCT key FROM texts WHERE key LIKE ? || '.%'", kind)
        expected += [(key.partition(".")[2] if kind == "rule" else key.replace(".", "-", 1), key) for (key,) in keys]
    missing = [
        (entry, lang)
        for entry, key in expected
        for lang in LANGUAGES
        if database.texts(key)[lang] not in page.texts[entry, lang]
    ]
    assert missing == []
    assert len(expected) > 1000
    whole = {lang: " ".join(said for (_, code), said in page.texts.items() if code == lang) for lang in LANGUAGES}
    for (ruling,) in database.query("SELECT id FROM clarifications"):
        assert all(database.texts(f"clarify.{ruling}")[lang] in whole[lang] for lang in LANGUAGES)
    for card in database.cards:
        names = database.names("card", card)
        assert all(names[lang].name in page.texts[f"card-{card}", lang] for lang in LANGUAGES)


def test_no_fact_of_a_card_is_told_twice() -> None:
    for entry in glossary.entries([Language(open_database(), "en")]):
        _, *facts = entry.columns[0].facts.split(" · ")  # the first is its kind
        assert len(facts) == len(set(facts)), entry.id


def test_html_escapes_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)> & R5.4"
    column = glossary.GlossaryColumn("en", hostile, hostile, [(hostile, hostile)])
    entry = glossary.GlossaryEntry("card:base", hostile, [column, column._replace(lang="pl", name="x")], [hostile])
    monkeypatch.setattr(glossary, "entries", lambda languages: iter([entry]))
    out = glossary.glossary_page("html", [Language(open_database(), "en")])
    assert out.count("<script>") == 1
    assert "<img" not in out
    assert "&lt;script&gt;" in out


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(
    ("typed", "first"),
    [("OGNISTEJ KULI", "fireball"), ("zolta kosc", "yellow-die"), ("r5.11", "R5.11"), ("xyzzyq", "")],
)
def test_html_searches_in_a_browser(cli: Any, tmp_path: Path, typed: str, first: str) -> None:
    page = tmp_path / "page.html"
    assert cli("glossary", "export", "--lang", "ru", "--output", str(page)).status == 0
    command = [str(CHROMIUM), "--headless", "--no-sandbox", f"--user-data-dir={tmp_path}", "--dump-dom"]
    address = f"{page.as_uri()}#q={quote(typed)}"
    shown = subprocess.run([*command, address], capture_output=True, encoding="utf-8", timeout=120, check=True).stdout
    assert 'data-shown="ru"' in shown
    results = shown.partition('id="results"')[2].partition('id="all"')[0]
    assert [*re.findall(r'<article data-also="([^"|]*)', results), ""][0] == first


def test_side_by_side(cli: Any) -> None:
    document = cli("glossary", "export", "--lang", "pl,ru", "--json").json
    assert document["languages"] == ["pl", "ru"]
    fireball = next(entry for entry in document["entries"] if entry["id"] == "fireball")
    assert [column[1] for column in fireball["columns"]] == ["Ognista kula", "Огненный шар"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markdown(cli: Any, lang: str) -> None:
    out = cli("glossary", "--format", "markdown", "--lang", lang).out
    assert out.startswith("# ")
    assert out.count("\n### ") == len(cli("glossary", "export", "--lang", lang, "--json").json["entries"])


def test_export_to_a_file(cli: Any, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert cli("glossary", "export", "--output", str(target)).status == 0
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    answer = cli("glossary", "export", "--output", str(tmp_path / "no" / "page.html"))
    assert answer.status == 2
    assert answer.err.count("\n") == 1
    assert cli("glossary", "export", "--format", "pdf").status == 2


def test_coverage(cli: Any) -> None:
    document = cli("glossary", "coverage", "--json").json
    assert document["complete"]
    assert sum(row["total"] for row in document["rows"] if row["what"] == "cards") == len(open_database().cards)
    heroes = next(r for r in document["rows"] if (r["set"], r["kind"], r["what"]) == ("base", "hero", "cards"))
    assert heroes["unofficial"]["pl"] > 0
    for lang in LANGUAGES:
        out = cli("glossary", "coverage", "--lang", lang).out
        assert max(map(len, out.splitlines())) <= 60
        assert "100%" in out


def test_check(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "de.toml"
    path.write_text('lang = "de"\n[cards]\nfireball = { name = "Feuerball" }\n', encoding="utf-8")
    answer = cli("glossary", "check", str(path), "--lang", "en")
    assert answer.status == 1
    assert "cards.torch" in cli("glossary", "check", str(path), "--all").out
    document = cli("glossary", "check", str(path), "--json").json
    assert document["counts"]["missing"] == len(document["findings"]) == document["total"] - document["done"]
    assert cli("glossary", "check", str(tmp_path / "fr.toml")).status == 2
    assert cli("glossary", "check").status == 2
