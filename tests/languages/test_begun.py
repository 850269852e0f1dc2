"""How a language is begun and checked, and what is said of files that are no language."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from support import ROOT
from support.files import copy_sources
from support.systems import keep_in
from thunderref.database.format import format_file
from thunderref.database.load import check_sources, load_sources
from thunderref.database.paths import glossary_files, language_of
from thunderref.database.read import open_database
from thunderref.database.records import SECTIONS
from thunderref.database.translation import begin_language, review
from thunderref.errors import InputError
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup

if TYPE_CHECKING:
    from support.command import Run

HERE = Path(__file__).parent
NAMES = ["kel.ask.toml", "kel.thorgal.toml", "kel.toml"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkout, to be left as it is."""
    root = tmp_path_factory.mktemp("tree")
    copy_sources(root)
    return root


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The glossaries of this checkout, to be added to."""
    shutil.copytree(ROOT / "glossary", tmp_path / "glossary")
    open_database()
    monkeypatch.setattr("thunderref.cli.glossary.glossary_folders", lambda: (tmp_path / "glossary",) * 2)
    return tmp_path


def test_every_entry_of_english_is_there_to_be_translated(tree: Path) -> None:
    """As a comment: with the sign before it taken away, each file is that of English but for the words of players."""
    begun = begin_language(tree / "glossary", tree / "glossary", "kel", "kelu")
    assert sorted(path.name for path in begun) == NAMES
    english = load_sources(tree).glossaries["en"]
    found: dict[str, dict[str, object]] = {section: {} for section in SECTIONS}
    remarks = {
        line for path in glossary_files(tree) for line in path.read_text("utf-8").splitlines() if line[:1] == "#"
    }
    for text in begun.values():
        assert set(tomllib.loads(text)) - {*SECTIONS, "grammar"} <= {"lang", "language", "draft"}
        whole = tomllib.loads("\n".join(line.removeprefix("# ") for line in text.splitlines() if line not in remarks))
        for section in SECTIONS:
            found[section] |= whole.get(section, {})
    assert {section: [*found[section]] for section in SECTIONS} == {
        section: [*getattr(english, section)] for section in SECTIONS
    }
    assert found["messages"] == english.messages
    assert found["cards"]["torch"] == {"name": "Torch"}


def test_a_language_that_was_just_begun_is_a_draft_in_which_all_is_missing(tree: Path, tmp_path: Path) -> None:
    shutil.copytree(tree, tmp_path / "tree")
    begun = begin_language(*[tmp_path / "tree" / "glossary"] * 2, "kel", 'ke"lu')
    for path, text in begun.items():
        path.write_text(text, encoding="utf-8")
        assert format_file(path)
    sources = load_sources(tmp_path / "tree")
    check_sources(sources)
    assert (sources.glossaries["kel"].language, sources.glossaries["kel"].draft) == ('ke"lu', True)
    report = review(open_database(), [*begun])
    assert report.done == 0
    assert {file.file: len(file.missing) == file.total for file in report.files} == dict.fromkeys(NAMES, True)


def test_the_command_writes_three_files_and_none_twice(cli: Run, checkout: Path) -> None:
    answer = cli("glossary", "new", "kel", "--name", "kelu", "--json")
    assert answer.json["files"] == [f"glossary/{name}" for name in ("kel.toml", *NAMES[:2])]
    path = checkout / "glossary" / "kel.ask.toml"
    (checkout / "glossary" / "kel.toml").unlink()
    path.write_text("mine", encoding="utf-8")
    assert cli("glossary", "new", "kel", "--json").json["error"]["code"] == "file-exists"
    assert not (checkout / "glossary" / "kel.toml").exists()
    assert path.read_text("utf-8") == "mine"
    assert cli("glossary", "new", "kel", "--force").status == 0
    assert path.read_text("utf-8").startswith('lang = "kel"\n')


@pytest.mark.parametrize("code", ["../x", "EN", "e", "abcd", "en", "d1", "", "de\n"])
def test_what_can_be_no_further_language_is_refused(cli: Run, checkout: Path, code: str) -> None:
    answer = cli("glossary", "new", "--json", "--", code)
    assert (answer.status, answer.json["error"]["code"]) == (2, "language-code")
    assert {language_of(path) for path in glossary_files(checkout)} == {"en", "pl", "ru"}


def test_outside_a_checkout_it_lies_among_the_files_of_the_user(
    cli: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keep_in(monkeypatch, tmp_path)
    own = tmp_path / "thunderref" / "glossary"
    monkeypatch.setattr("thunderref.cli.glossary.glossary_folders", lambda: (ROOT / "glossary", own))
    begun = cli("glossary", "new", "kel", "--name", "kelu", "--json").json
    assert sorted(begun["files"]) == [str(own / name) for name in NAMES]
    assert cli("card", "torch", "--lang", "kel").status == 0
    path = own / "kel.toml"
    path.write_text(
        path.read_text("utf-8").replace('# torch = { name = "Torch" }', 'torch = { name = "Lumbo" }'), "utf-8"
    )
    assert "Lumbo" in cli("card", "lumbo", "--lang", "kel").out
    assert '"done": 1' in cli("glossary", "check", "kel", "--json").out
    path.write_text(path.read_text("utf-8").replace("draft = true", 'draft = "half"'), "utf-8")
    refused = cli("card", "torch", "--lang", "pl")
    assert (refused.status, "kel.toml, wiersz 3, klucz draft" in refused.err) == (0, True)


def test_the_check_says_by_file_what_is_left(cli: Run, checkout: Path) -> None:
    for name in NAMES:
        shutil.copyfile(HERE / name, checkout / "glossary" / name)
    answer = cli("glossary", "check", "kel")
    assert answer.status == 1
    for file, key in (("kel", "cards.amazon-archer"), ("kel.ask", "texts.answer."), ("kel.thorgal", "terms.")):
        assert re.search(rf"^  {file}\.toml: \d+ of \d+; the first that are missing: {key}", answer.out, re.MULTILINE)
    document = cli("glossary", "check", "kel", "--json").json
    assert sum(file["total"] for file in document["files"]) == document["total"]
    assert all(0 < len(file["missing"]) <= 15 for file in document["files"])
    whole = cli("glossary", "check", "pl")
    assert re.search(r"^  pl\.ask\.toml: (\d+) of \1$", whole.out, re.MULTILINE)


FAULTS = {
    "lang = ": ("kel.toml", "-"),
    'lang = "KEL"': ("kel.toml", "lang"),
    'lang = "../x"': ("kel.toml", "lang"),
    'lang = "de"': ("kel.toml", "lang"),
    'lang = "kel"\ndraft = true\nplural = "polish"': ("kel.toml", "plural"),
    'lang = "kel"\ndraft = true\nplural = "n % 0"': ("kel.toml", "plural"),
    'lang = "kel"\ndraft = true\nplural = 2': ("kel.toml", "plural"),
    'lang = "kel"\ndraft = true\ngrammar.suffix = "("': ("kel.toml", "grammar"),
    'lang = "kel"\ndraft = true\ngrammar.forms = [["s$", "\\\\1"]]': ("kel.toml", "grammar"),
    'lang = "kel"\ndraft = true\ngrammar.least = 0': ("kel.toml", "grammar.least"),
    'lang = "kel"\ndraft = true\nmessages."list.and" = "{first} kaj {dua}"': ("kel.toml", "messages.list.and"),
    'lang = "kel"\ndraft = true\nmessages."list.and" = "{first} kaj {last"': ("kel.toml", "messages.list.and"),
    'lang = "kel"\ndraft = true\nmessages."serve.count" = "{n} {n:a|b|c}"': ("kel.toml", "messages.serve.count"),
    'lang = "kel"\ndraft = true\nmessages."list.xor" = "aŭ"': ("kel.toml", "messages"),
    'lang = "kel"\ndraft = true\ncards.torch = { name = "Lumbo", forms = ["a"] }': ("kel.toml", "cards.torch.forms"),
    'lang = "kel"\ndraft = true\ncards.torsh = { name = "Lumbo" }': ("kel.toml", "cards"),
    'lang = "kel"\ndraft = true\ntranslation = 1': ("kel.toml", "translation"),
}
"""What stands in kel.toml -> the file and the key that the error names."""


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_told_with_its_file_its_key_and_a_remedy(tree: Path, text: str) -> None:
    path = tree / "glossary" / "kel.toml"
    path.write_text(text + "\n", encoding="utf-8")
    try:
        with pytest.raises(InputError) as fault:
            check_sources(load_sources(tree))
    finally:
        path.unlink()
    file, key = FAULTS[text]
    assert fault.value.code == "bad-file"
    assert (Path(str(fault.value.params["file"])).name, fault.value.params["key"]) == (file, key)
    assert fault.value.params["problem"]


def test_a_file_in_another_encoding_is_told(tree: Path) -> None:
    path = tree / "glossary" / "kel.toml"
    path.write_bytes('lang = "kel"\nlanguage = "ĝis"'.encode("utf-16"))
    try:
        with pytest.raises(InputError) as fault:
            load_sources(tree)
    finally:
        path.unlink()
    assert "save it in UTF-8" in str(fault.value.params["problem"])


def test_a_language_that_comes_while_the_pages_run_is_spoken_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keep_in(monkeypatch, tmp_path)
    site = Site(Access(None), Searches(None), SharedSetup(remembers=False))
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765") as client:
        assert '<html lang="kel"' not in client.get("/help?lang=kel").text
        own = tmp_path / "thunderref" / "glossary"
        own.mkdir(parents=True)
        for name in NAMES:
            shutil.copyfile(HERE / name, own / name)
        assert '<html lang="kel"' in client.get("/help?lang=kel").text
