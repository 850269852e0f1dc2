"""The canonical form of the hand-edited files."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from support import ROOT
from support.files import copy_sources
from thunderref.database.format import comments_of, format_file, format_files, stamp
from thunderref.database.load import load_sources
from thunderref.database.paths import source_files
from thunderref.database.records import Translation, digest, text_of
from thunderref.errors import InputError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    copy_sources(tmp_path)
    return tmp_path


def test_the_files_are_in_canonical_form() -> None:
    untidy = [path.relative_to(ROOT).as_posix() for path in format_files(ROOT, write=False)]
    assert untidy == [], "run “thunderref db format”"


def test_formatting_loses_nothing_and_is_done_once(tree: Path) -> None:
    before = {path: path.read_text("utf-8") for path in source_files(tree)}
    format_files(tree)
    assert format_files(tree) == []
    for path, text in before.items():
        after = path.read_text("utf-8")
        assert tomllib.loads(after) == tomllib.loads(text), path.name
        assert after.count("\n#") == text.count("\n#"), path.name
        assert after.endswith("\n")
        assert "\r" not in after
        assert "\n\n\n" not in after


def test_an_untidy_file_becomes_tidy(tree: Path) -> None:
    path = tree / "db" / "boxes" / "promo" / "cards.toml"
    path.write_text(
        """# Head.
attested='one'

# Of the card.
[[card]]
kind='village'   
id="torch-two"


count   =  2
types = [ 'item',
  "light" ]
# Of the light.
light = 1
   [[card.effects]]
timing = "dungeon"
id = "dungeon"
do = [{amount=1, op="draw"}, {op="draw",   amount=2, per={type='light', kind="item"}}]
# End.
""",  # noqa: W291
        encoding="utf-8",
    )
    assert format_file(path) == (
        """# Head.
attested = "one"

# Of the card.
[[card]]
id = "torch-two"
kind = "village"
count = 2
types = ["item", "light"]

# Of the light.
light = 1

[[card.effects]]
id = "dungeon"
timing = "dungeon"
do = [
    { op = "draw", amount = 1 },
    { op = "draw", amount = 2, per = { kind = "item", type = "light" } },
]

# End.
"""
    )


def test_odd_letters_and_keys_survive(tree: Path) -> None:
    path = tree / "glossary" / "en.toml"
    odd = r"""lang = "en"
[messages]
"a.b" = "one\ntwo \"three\" \\ # four\t\u0007"
plain = 'C:\x # [{'
"""
    path.write_text(odd, encoding="utf-8")
    wanted = tomllib.loads(path.read_text("utf-8"))
    path.write_text(format_file(path), encoding="utf-8")
    assert tomllib.loads(path.read_text("utf-8")) == wanted
    assert format_file(path) == path.read_text("utf-8")


@pytest.mark.parametrize("text", ["a = 1 # beside\n", "a = [\n  1, # inside\n]\n", "a = [\n  # above one\n  1,\n]\n"])
def test_a_comment_that_cannot_be_kept_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refusal:
        comments_of(text, tmp_path / "x.toml")
    assert refusal.value.params["key"].startswith("line ")
    assert "comment" in refusal.value.params["problem"]


def test_a_text_is_stale_until_it_is_stamped_again(tree: Path) -> None:
    english = tree / "glossary" / "en.toml"
    key = next(iter(load_sources(tree).glossaries["en"].texts))
    old = text_of(load_sources(tree).glossaries["en"].texts[key])
    english.write_text(english.read_text("utf-8").replace(old, old + " More.", 1), encoding="utf-8")

    def stale() -> list[str]:
        files = load_sources(tree).glossaries
        return [
            k
            for k, v in files["pl"].texts.items()
            if isinstance(v, Translation) and v.of != digest(text_of(files["en"].texts[k]))
        ]

    assert stale() == [key]
    stamp(tree)
    assert stale() == []
    assert all(isinstance(entry, Translation) for entry in load_sources(tree).glossaries["ru"].texts.values())
    assert format_files(tree) == []
