"""The manual page: every command with all its options, in each language, as ``man`` reads it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.command import Run
from thunderref.cli.completion import SCRIPTS
from thunderref.cli.manual import manual_page, write_manual
from thunderref.database.read import Language, open_database

LANGUAGES = [*open_database().languages]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_has_what_the_help_pages_have(cli: Run, lang: str) -> None:
    page = manual_page(Language(open_database(), lang), "0.1.0").replace("\\-", "-").replace("\\(dq", '"')
    assert page.startswith('.TH THUNDERREF 1 "" "thunderref 0.1.0"\n')
    for command in ("card", "resolve", "setup", "thorgal round", "db build", "glossary check"):
        said = cli(*command.split(), "--help", "--lang", lang).out
        section = page.partition(f'.SS "thunderref {command}"\n')[2].partition("\n.SS")[0]
        assert section
        for option in set(re.findall(r"^  (--[a-z-]+)", said, re.MULTILINE)):
            assert f"\\fB{option}" in section, (command, option)
    assert Language(open_database(), lang).say("help.resolve") in page


@pytest.mark.parametrize("seed", ["1", "2"])
def test_it_is_the_same_in_every_run(tmp_path: Path, seed: str) -> None:
    """Of an option with two names, such as -h and --help, it gives the long one, whatever the order of sets."""
    written = [sys.executable, "-m", "thunderref.cli.manual", str(tmp_path)]
    subprocess.run(written, env=os.environ | {"PYTHONHASHSEED": seed}, check=True)
    page = (tmp_path / "man" / "man1" / "thunderref.1").read_text("utf-8")
    assert "\\fB\\-\\-help\\fR" in page
    assert "\\fB\\-h\\fR" not in page


def test_what_is_hidden_is_not_in_it() -> None:
    page = manual_page(Language(open_database(), "en"), "0.1.0")
    assert '.SS "thunderref setup history"' not in page
    assert '.SS "thunderref look"' not in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_groff_finds_nothing_wrong(tmp_path: Path, lang: str) -> None:
    write_manual(tmp_path, open_database(), "0.1.0")
    page = tmp_path / "man" / ("" if lang == "en" else lang) / "man1" / "thunderref.1"
    words = ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", str(page)]
    read = subprocess.run(words, capture_output=True, encoding="utf-8", check=True)
    assert read.stderr == ""
    assert "thunderref card" in read.stdout


def test_the_scripts_are_those_that_are_installed(tmp_path: Path) -> None:
    write_manual(tmp_path, open_database(), "0.1.0")
    written = {path.suffix[1:]: path.read_text("utf-8") for path in (tmp_path / "completion").iterdir()}
    assert written == {shell: f"{line}\n" for shell, line in SCRIPTS.items()}
