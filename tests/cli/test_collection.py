"""The remembered collection: shown, changed, forgotten, and what a set-up takes from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command import Run
from support.systems import keep_in


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    keep_in(monkeypatch, tmp_path / "state")
    return tmp_path / "state" / "thunderref" / "collection.json"


@pytest.fixture
def owned(cli: Run, state: Path) -> Run:
    """``cli`` with both boxes and two bans remembered."""
    given = ("--set", "wrath", "--set", "base", "--exclude", "огненный шар", "--exclude", "cost>8")
    assert cli("collection", *given).status == 0
    return cli


def test_it_is_remembered_and_forgotten(owned: Run, state: Path) -> None:
    assert owned("collection", "--json").json == {
        "sets": ["base", "wrath"], "exclude": ["fireball", "cost>8"], "tonight": None,
    }  # fmt: skip
    assert "Fireball, cost>8" in owned("collection").out
    assert owned("collection", "--set", "base", "--json").json["exclude"] == ["fireball", "cost>8"]
    assert owned("collection", "--clear", "--set", "wrath", "--json").json == {
        "sets": ["wrath"], "exclude": [], "cleared": True, "tonight": None,
    }  # fmt: skip
    assert owned("collection", "--clear").out == "Your collection is forgotten.\n"
    assert not state.exists()
    assert owned("collection").out.startswith("No collection is remembered")


def test_a_setup_takes_it_by_default_and_says_so(owned: Run) -> None:
    for seed in range(10):
        document = owned("setup", "--seed", str(seed), "--json").json
        assert document["sets"] == ["base", "wrath"]
        assert not {"fireball", "creeping-death"} & {*document["village"]}
        assert document["collection"] == {"sets": ["base", "wrath"], "exclude": ["fireball", "cost>8"]}
        assert document["warnings"][0].startswith("From your collection:")
    for lang, words in (("en", "From your collection"), ("pl", "Z twojej kolekcji"), ("ru", "Из вашей коллекции")):
        assert words in owned("setup", "--seed", "1", "--lang", lang).out


def test_explicit_options_override_it(owned: Run) -> None:
    plain = owned("setup", "--seed", "1", "--any", "--json").json
    assert plain["sets"] == ["base"]
    assert "collection" not in plain
    assert owned("setup", "--seed", "1", "--set", "base", "--json").json["sets"] == ["base"]
    assert "fireball" in owned("setup", "--seed", "1", "--require", "fireball", "--json").json["village"]
    assert owned("setup", "--mix", "wrath:1", "--json").json["sets"] == ["wrath"]
    assert "collection" not in owned("setup", "--code", plain["code"], "--json").json
    assert owned("setup", "--theme", "holy-war").status == 0
    again = owned("setup", "--code", plain["code"], "--reroll", "village", "--json").json
    assert again["sets"] == ["base"]
    assert again["collection"] == {"sets": [], "exclude": ["fireball", "cost>8"]}


def test_a_clash_with_it_says_so(owned: Run) -> None:
    answer = owned("setup", "--require", "spell cost>8")
    assert answer.status != 0
    assert '"cost>8" left out by your collection' in answer.err


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["--set", "moon"], "setup-unknown-set"),
        (["--set", "promo"], "setup-promo-alone"),
        (["--exclude", "torch"], "setup-always-in"),
        (["--exclude", "2 weapon"], "setup-exclude-number"),
        (["--exclude", "coast>3"], "unknown-field"),
    ],
)
def test_what_it_refuses(cli: Run, state: Path, given: list[str], code: str) -> None:
    answer = cli("collection", *given, "--json")
    assert answer.json["error"]["code"] == code
    assert not state.exists()


@pytest.mark.parametrize("content", ["", "[]", '{"sets": ["moon"], "exclude": []}', '{"sets": [1], "exclude": []}'])
def test_a_file_that_cannot_be_read(owned: Run, state: Path, content: str) -> None:
    state.write_text(content, "utf-8")
    for words in (["collection"], ["setup"]):
        assert owned(*words, "--json").json["error"]["code"] == "bad-collection"
    assert owned("setup", "--any").status == 0
    assert json.loads(owned("collection", "--clear", "--json").out)["cleared"] is True


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_set_up_says_that_it_needs_more_than_the_collection(cli: Run, state: Path, lang: str) -> None:
    cli("collection", "--set", "base")
    said = {"en": "needs Wrath of the Elements", "pl": "potrzeba też: Gniew", "ru": "нужно ещё: Гнев"}[lang]
    assert said in cli("setup", "3", "with", "golem", "--lang", lang).out
    assert said not in cli("setup", "3", "--lang", lang).out
    assert said not in cli("setup", "3", "with", "golem", "--any", "--lang", lang).out
