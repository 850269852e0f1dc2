"""``thunderref glossary``: export, coverage and the check for translators."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from thunderref.database.read import open_database

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
    assert not re.search(r"https?://|src=", out)


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
