"""``thunderref setup`` from the outside: JSON, languages, codes, bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thunderref
from support.systems import keep_in
from thunderref.cli.app import main
from thunderref.database.read import open_database

PACKAGE = Path(thunderref.__file__).parent
KEYS = {
    "code", "seed", "players", "sets", "variant", "monsters", "features", "heroes", "village", "thunderstones", "basic",
    "dungeon", "player_deck", "stacks", "steps", "warnings",
}  # fmt: skip
"""Of the contract: never renamed, never dropped."""


class Shell:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["setup", *words])
        out, err = self.capsys.readouterr()
        assert "Traceback" not in out + err
        return int(caught.value.code or 0), out, err

    def json(self, *words: str) -> dict[str, Any]:
        status, out, err = self(*words, "--json")
        assert (status, err) == (0, "")
        document: dict[str, Any] = json.loads(out)
        return document


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.setenv("THUNDERREF_LANG", "en")
    keep_in(monkeypatch, tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    return Shell(capsys)


def test_the_document_of_the_contract(shell: Shell) -> None:
    document = shell.json("--players", "3", "--seed", "7")
    assert set(document) >= KEYS
    assert (document["seed"], document["players"], document["sets"]) == (7, 3, ["base"])
    assert all(set(layer) >= {"cards", "with", "size"} for layer in document["dungeon"]["layers"])
    assert all(set(stack) >= {"name", "cards"} for stack in document["stacks"])
    assert all(isinstance(step, str) and step for step in document["steps"])


@pytest.mark.parametrize(
    ("typed", "boxes"),
    [
        ("base,wrath", ["base", "wrath"]), ("all", ["base", "wrath"]), ("both", ["base", "wrath"]),
        ("базовая", ["base"]), ("Gniew Żywiołów", ["wrath"]), ("podstawka, gniew", ["base", "wrath"]),
    ],
)  # fmt: skip
def test_a_box_has_its_name_in_every_language(shell: Shell, typed: str, boxes: list[str]) -> None:
    assert shell.json("--set", typed, "-p", "3")["sets"] == boxes


@pytest.mark.parametrize(
    "options",
    [
        ("--seed", "9"),
        ("--first-game", "wrath"),
        ("--theme", "Holy War"),
        ("--variant", "epic", "--seed", "4"),
        ("--variant", "solo", "--level", "fighter", "--set", "base", "--set", "wrath", "--seed", "4", "--balanced"),
        ("--variant", "marauding", "--players", "4"),
        ("--set", "base", "--set", "wrath", "--require", "banish", "--exclude", "elf", "--monsters", "5"),
        (),
    ],
)
def test_a_code_alone_brings_everything_back(shell: Shell, options: tuple[str, ...]) -> None:
    drawn = shell.json(*options)
    again = shell.json("--code", drawn["code"])
    assert again == drawn
    assert len(drawn["code"]) <= 24
    assert shell.json("--code", drawn["code"].lower()) == drawn


def test_a_seed_and_options_determine_the_code(shell: Shell) -> None:
    assert shell.json("--seed", "3")["code"] == shell.json("--seed", "3")["code"]
    assert shell.json("--seed", "3")["code"] != shell.json("--seed", "4")["code"]
    assert shell.json()["code"] != shell.json()["code"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("-3",), "setup-players"),
        (("0",), "setup-players"),
        (("--players", "6"), "setup-players"),
        (("--variant", "epic", "--monsters", "2"), "setup-variant-classes"),
        (("--theme", "holy-war", "--exclude", "banish"), "setup-fixed-has"),
        (("--require", "pikachu"), "unknown-card"),
        (("--code", "377SQUGGAFRYVYH5SDK"), "bad-code"),
        (("--set", "base", "--theme", "tough-guys"), "setup-needs-cards"),
        (("--require", "elf", "--exclude", "elf"), "setup-impossible"),
        (("--after", "nothing", "--winner", "1"), "bad-code"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_bad_wishes_get_one_sentence(shell: Shell, options: tuple[str, ...], code: str, lang: str) -> None:
    status, out, err = shell(*options, "--lang", lang)
    assert (status, out) == (1, "")
    assert len(err.strip().splitlines()) == 1
    assert "{" not in err
    status, out, err = shell(*options, "--lang", lang, "--json")
    assert (status, err) == (1, "")
    assert json.loads(out)["error"]["code"] == code


@pytest.mark.parametrize(
    "options",
    [
        ("--seed", "-1"), ("--seed", "x"), ("--variant", "chess"), ("--theme", "pirates"), ("--format", "pdf"),
        ("--set", "dominion"), ("--nothing",), ("--first-game", "chess"), ("--after", "no-such-file.json"),
        ("--after", "ABC", "--scores", "a,b"),
    ],
)  # fmt: skip
def test_bad_usage_is_status_two(shell: Shell, options: tuple[str, ...]) -> None:
    status, out, err = shell(*options)
    assert (status, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(("lang", "word"), [("en", "Dungeon"), ("pl", "Loch"), ("ru", "Подземелье")])
@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_format_in_every_language(shell: Shell, form: str, lang: str, word: str) -> None:
    status, out, _ = shell("--seed", "3", "--format", form, "--lang", lang)
    assert status == 0
    assert word in out
    assert ("<!DOCTYPE html>" in out) == (form == "html")


def test_json_is_in_the_language_of_the_output(shell: Shell) -> None:
    polish = shell.json("--seed", "3", "--lang", "pl")
    english = shell.json("--seed", "3")
    assert polish["steps"] != english["steps"]
    assert {stack["name"] for stack in polish["stacks"]} & {"Ochotnik"}
    for key in ("code", "monsters", "dungeon", "player_deck"):
        assert polish[key] == english[key]


@pytest.mark.parametrize("columns", [40, 80])
def test_narrow_terminals(shell: Shell, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for lang in ("en", "pl", "ru"):
        _, out, _ = shell("--seed", "3", "--variant", "odyssey", "--balanced", "--why", "--lang", lang)
        assert max(len(line) for line in out.splitlines()) <= columns


def test_why_and_balanced_are_explained(shell: Shell) -> None:
    document = shell.json("--seed", "3", "--set", "base", "--set", "wrath", "--balanced", "--why")
    assert all(row["satisfied"] for row in document["requirements"])
    assert {row["slot"] for row in document["why"]} >= {"classes", "heroes", "village", "stones"}
    assert all(0 < row["chance"]["percent"] <= 100 for row in document["why"])


def test_lock_and_reroll(shell: Shell) -> None:
    before = shell.json("--seed", "3")
    card = before["village"][2]
    after = shell.json("--code", before["code"], "--reroll", card, "--seed", "4")
    assert set(before["village"]) - set(after["village"]) == {card}
    assert after["heroes"] == before["heroes"]
    locked = shell.json("--code", before["code"], "--lock", card, "--seed", "4")
    assert card in locked["village"]


def test_a_campaign_from_a_saved_first_game(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "first.json"
    first = shell.json("--variant", "pursuit", "--seed", "4", "--players", "3", "--save", str(file))
    assert json.loads(file.read_text(encoding="utf-8")) | {"tonight": None} == first
    cards = first["dungeon"]["layers"][0]["cards"]
    left = f"{cards[0]['count']} {cards[0]['id']}, {cards[-1]['id']}"
    second = shell.json("--after", str(file), "--winner", "2", "--left", left)["dungeon"]
    assert second["layers"][-2]["cards"] == [cards[0], {"id": cards[-1]["id"], "count": 1}]
    assert shell("--after", str(file), "--winner", "2", "--left", f"9 {cards[0]['id']}")[0] == 1
    for odd in ("²", "-1", "2.5", "x"):
        status, _, told = shell("--after", str(file), "--winner", "2", "--left", odd)
        assert status in (1, 2)
        assert "THUNDERREF_DEBUG" not in told, "it was foreseen"
    by_code = shell.json("--after", first["code"], "--scores", "10,30,20", "--left", "4")
    assert by_code["after"]["winner"] == 2
    assert by_code["dungeon"]["layers"][-2]["size"] == 4


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_pursuit_of_three_games(shell: Shell, snapshot: Callable[[str, str], None], lang: str) -> None:
    """What is told of a whole campaign, with games drawn again and wishes refused."""
    told, code = "", ""
    for words in (
        ("--variant", "pursuit", "--seed", "4", "--players", "3", "--require", "horde", "--require", "dark-champion"),
        ("--variant", "pursuit", "--seed", "4", "--monsters", "7"),
        ("--after", "CODE", "--winner", "1", "--seed", "5", "--left", "3 horde-placeholder, horde-4, dark-champion"),
        ("--code", "CODE", "--reroll", "monsters", "--seed", "8"),
        ("--code", "CODE", "--reroll", "stone", "--seed", "8"),
        ("--code", "CODE", "--reroll", "heroes", "--require", "horde", "--seed", "8"),
        ("--after", "CODE", "--winner", "2", "--seed", "6", "--left", "4 horde-placeholder"),
        ("--after", "CODE", "--winner", "2", "--seed", "6", "--left", "2 horde-placeholder"),
        ("--after", "CODE", "--winner", "2", "--seed", "7"),
        ("--after", "CODE", "--winner", "3", "--seed", "7", "--left", "3"),
    ):
        asked = [code if word == "CODE" else word for word in words]
        told += f"$ thunderref setup {' '.join(asked)}\n"
        status, out, _ = shell(*asked, "--json", "--lang", lang)
        document = json.loads(out)
        if status:
            told += f"{document['error']['message']}\n\n"
            continue
        code = document["code"]
        had = [card for cards in document.get("earlier", {}).values() for card in cards]
        rows = (document["monsters"], document["features"], document["thunderstones"], had)
        told += "\n".join([code, *map(", ".join, rows), *document["steps"][:10]]) + "\n\n"
    snapshot(f"setup.pursuit.{lang}", told)


def test_what_was_drawn_is_kept_and_avoided_only_on_request(shell: Shell) -> None:
    first = shell.json("--seed", "1")
    assert shell.json("--seed", "1") == first, "what is remembered changes nothing that nobody asked for"
    second = shell.json("--seed", "1", "--avoid-recent")
    assert not set(first["heroes"]) & set(second["heroes"])
    assert not set(first["village"]) & set(second["village"])
    shell.json("--code", shell.json("--seed", "5")["code"])
    status, out, _ = shell("history", "--json")
    assert status == 0
    kept = [entry["code"] for entry in json.loads(out)["setups"]]
    assert [code for n, code in enumerate(kept) if code not in kept[:n]][1:] == [second["code"], first["code"]]
    assert len(kept) <= 4, "a code that was given is not drawn"
    _, out, _ = shell("history", "--lang", "pl")
    assert second["code"] in out
    shell("history", "--clear")
    _, out, _ = shell("history", "--json")
    assert json.loads(out)["setups"] == []


def test_a_history_that_cannot_be_written_is_said(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    keep_in(monkeypatch, blocked)
    document = shell.json("--seed", "1", "--avoid-recent")
    assert any("history" in line for line in document["warnings"])


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_help_says_what_a_code_holds(shell: Shell, lang: str) -> None:
    status, out, _ = shell("--help", "--lang", lang)
    assert status == 0
    assert "--reroll" in out
    assert "history" in out
    assert shell("history", "--help", "--lang", lang)[0] == 0


def test_every_error_and_message_is_in_every_language() -> None:
    sources = [*(PACKAGE / "thunderstone" / "setup").glob("*.py"), *(PACKAGE / "cli").glob("setup*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    codes = set(re.findall(r'(?:NoAnswerError|InputError|_choice|_refuse)\(\s*"([a-z-]+)"', text)) | {
        "bad-code",
        "newer-code",
    }
    keys = set(re.findall(r'"(setup\.[a-z_.-]+[a-z])"', text)) | {f"error.{code}" for code in codes}
    assert len(codes) > 30
    for lang in ("en", "pl", "ru"):
        known = open_database().messages(lang)
        assert {key for key in keys if key not in known} == set()


def test_a_number_alone_is_that_of_the_players(shell: Shell) -> None:
    assert shell.json("4", "--seed", "1") == shell.json("--players", "4", "--seed", "1")
    assert shell("99")[0] == shell("--players", "99")[0]
