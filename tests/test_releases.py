"""What a release stands on: its tag, its notes, and the Pythons that every file says it is for."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]


def check(tag: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "utf8", str(ROOT / ".ci" / "check-tag"), tag, str(folder)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of version 0.2.0, whose changes are written down."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "thunderref"\nversion = "0.2.0"\n', encoding="utf-8")
    notes = "# What is new\n\n## 0.2.0 (2027-01-02)\n\nNew:\n\n- Coins.\n\n## 0.1.0 (2026-11-22)\n\nThe first one.\n"
    (tmp_path / "CHANGELOG.md").write_text(notes, encoding="utf-8")
    return tmp_path


def test_the_tag_of_the_version_gives_its_notes(checkout: Path) -> None:
    told = check("v0.2.0", checkout)
    assert (told.returncode, told.stdout, told.stderr) == (0, "New:\n\n- Coins.\n", "")


@pytest.mark.parametrize("tag", ["v0.1.0", "0.2.0", "v0.2", "v0.2.0rc1", "v0.2.00", ""])
def test_another_tag_is_refused(checkout: Path, tag: str) -> None:
    told = check(tag, checkout)
    assert (told.returncode, told.stdout) == (1, "")
    assert "its tag would be v0.2.0" in told.stderr


@pytest.mark.parametrize(
    "notes",
    [
        "# What is new\n",
        "## 0.2.0 (2027-01-02)\n\n## 0.1.0\n\nThe first release.\n",
        "## 0.2.0rc1\n\nNearly.\n",
        "## 0x2.0\n\nNo such version.\n",
    ],
)
def test_a_version_without_notes_is_refused(checkout: Path, notes: str) -> None:
    (checkout / "CHANGELOG.md").write_text(notes, encoding="utf-8")
    told = check("v0.2.0", checkout)
    assert (told.returncode, told.stdout) == (1, "")
    assert "CHANGELOG.md says nothing of 0.2.0" in told.stderr


def test_this_version_could_be_released(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    told = check(f"v{VERSION}", tmp_path)
    assert (told.returncode, told.stderr) == (0, "")


def test_the_version_is_written_in_one_place() -> None:
    """Whoever else wants it asks the installation."""
    quoted = re.compile(rf"""["'](thunderref )?v?{re.escape(VERSION)}["']""")
    files = [*(ROOT / "thunderref").rglob("*.py"), *(ROOT / ".github").rglob("*.yml")]
    assert not [path for path in files if quoted.search(path.read_text(encoding="utf-8"))]


def test_every_file_is_for_the_same_pythons() -> None:
    said = PROJECT["project"]["classifiers"]
    pythons = [each.rpartition(" ")[2] for each in said if re.search(r"Python :: 3\.\d+$", each)]
    assert PROJECT["project"]["requires-python"] == f">={pythons[0]}"
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{python.replace('.', '')}-*" for python in pythons]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    tried = set(re.findall(r"3\.\d+", "".join(re.findall(r"python(?:-version)?: (.*)", workflow))))
    assert tried == set(pythons)


def test_what_is_released_can_be_read_about() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    dated = [line for line in lines if line.startswith("## ")]
    assert dated
    assert all(re.fullmatch(r"## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)|## Unreleased", line) for line in dated)
    assert "/CHANGELOG.md" in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
