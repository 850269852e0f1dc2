"""What is refused, by its code: an example of each refusal that no other test names (see test_error_codes.py)."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import pytest

from thunderref import workers
from thunderref.cli import play
from thunderref.database.read import Language, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.files import check_word
from thunderref.thorgal import game_file, wounds
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.table.record import SavedPlayer, begin_game

if TYPE_CHECKING:
    from support.command import Run

STORE = open_database()
CODE = "37MFZLY8JVG3GH7"
FACES = "green: I2, 2 L3, I3, -, -"
ROLLED = ("thorgal", "fight", "H.H", "--dice", "2 green", "--die", FACES)
QUICK = ("resolve", "militia, torch", "--hall", "griffon")

REFUSED: list[tuple[tuple[str, ...], str]] = [
    (("card", "fireball", "--limit", "0"), "bad-limit"),
    (("card", "light penalty"), "term-not-card"),
    (("cards", "cost<0"), "no-cards"),
    (("report",), "no-last"),
    (("puzzle", "1", ";"), "no-play"),
    (("rule", "zxqwv"), "unknown-rule"),
    (("rule", "R99.99"), "unknown-rule"),
    (("glossary", "check"), "missing-argument"),
    (("thorgal",), "missing-command"),
    (("db",), "missing-command"),
    (("setup", "--lang", "en,pl"), "one-language"),
    (("setup", "--scores", "a,b"), "setup-bad-scores"),
    (("setup", "--reroll", "thunderstone", "--code", CODE), "setup-no-slot"),
    (("setup", "--after", "{folder}/bad.json"), "setup-bad-save"),
    (("setup", "--after", "{folder}/null.json"), "setup-bad-save"),
    (("thorgal", "round", "start", "--players", "2", "--length", "0"), "thorgal-length"),
    (("thorgal", "round", "start", "--players", "2", "--cards", "0"), "thorgal-bad-card"),
    (("thorgal", "round", "--file", "x.json", "start", "--players", "2"), "thorgal-file-first"),
    (("thorgal", "round", "threat", "1", "x"), "thorgal-threat-amount"),
    (("thorgal", "round", "threat", "1", "0"), "thorgal-threat-amount"),
    (("thorgal", "round", "dial", "1", "x"), "thorgal-amount"),
    (("thorgal", "round", "enemy", "12", "HH"), "thorgal-enemy-name"),
    (("thorgal", "round", "danger", "village", "burns"), "thorgal-danger"),
    (("thorgal", "round", "danger", "2/0", "village"), "thorgal-danger"),
    (("thorgal", "round", "card", "3", "zzz"), "thorgal-action"),
    (("thorgal", "round", "card", "3", "fight", "alone+1:zzz"), "thorgal-card-note"),
    (("thorgal", "round", "card", "3", "-"), "thorgal-card-note"),
    (("thorgal", "wounds"), "thorgal-no-board"),
    (("thorgal", "wounds", "AA../.A.B", "--heal", "x"), "thorgal-heal"),
    (("thorgal", "wounds", "AA../.A.B", "--heal", "0"), "thorgal-heal-size"),
    (("thorgal", "wounds", "..../....", "--heal", "1"), "thorgal-unwounded"),
    (("thorgal", "gather", "X.1y/X.[y2]t", "--want", "zz"), "thorgal-resource"),
    (("thorgal", "wander", "X.1y", "X..t"), "thorgal-one-card"),
    (("thorgal", "fight", "H.H", "--threat", "9", "--tiles", "I2"), "thorgal-threat"),
    (("thorgal", "fight", "H.H", "--threat", "9", "--tiles", "I2", "--lay", "AA."), "thorgal-threat"),
    (("thorgal", "fight", "H.H", "--tiles", "I2", "--lay", "..."), "thorgal-nothing-drawn"),
    ((*ROLLED, "--tiles", "I2"), "thorgal-roll"),
    ((*ROLLED, "--die", FACES), "thorgal-die-twice"),
    ((*ROLLED, "--upgrades", "1", "--tiles", "I2, -"), "thorgal-late-upgrade"),
]


@pytest.mark.parametrize(("words", "code"), REFUSED, ids=lambda value: value if isinstance(value, str) else None)
def test_the_code_of_a_refusal(cli: Run, tmp_path: Path, words: tuple[str, ...], code: str) -> None:
    (tmp_path / "bad.json").write_text('{"x": 1}', encoding="utf-8")
    (tmp_path / "null.json").write_text('{"code": null}', encoding="utf-8")
    assert refused(cli, *(word.format(folder=tmp_path) for word in words)) == code


def refused(cli: Run, *words: str) -> str:
    answer = cli(*words, "--json")
    assert answer.status in (1, 2), answer
    code: str = answer.json["error"]["code"]
    return code


@pytest.fixture
def table(cli: Run, tmp_path: Path) -> tuple[str, ...]:
    """A round for two at a table of their own; ``table[0]`` are the words that begin a step, ``table[1:]`` end it."""
    where = ("--file", str(tmp_path / "round.json"))
    assert cli("thorgal", "round", "start", "--players", "2", *where).status == 0
    return where


def test_a_skill_card_is_ready_or_used(cli: Run, table: tuple[str, ...]) -> None:
    assert refused(cli, "thorgal", "round", "skill", "1", "--back", *table) == "thorgal-skill-ready"
    assert cli("thorgal", "round", "skill", "1", *table).status == 0
    assert refused(cli, "thorgal", "round", "skill", "1", *table) == "thorgal-skill-used"


def test_a_token_comes_from_one_of_several_cards_only_if_it_is_said(cli: Run, table: tuple[str, ...]) -> None:
    for number in (1, 2, 3, 4):
        assert cli("thorgal", "round", "act", str(number), *table).status == 0
    assert cli("thorgal", "round", "events", *table).status == 0
    assert refused(cli, "thorgal", "round", "act", "5", *table) == "thorgal-which-token"


def test_what_is_noted_is_only_so_long(cli: Run, table: tuple[str, ...]) -> None:
    faces = f"green: {', '.join(['I2'] * 99)}"
    assert refused(cli, "thorgal", "round", "dice", faces, *table) == "thorgal-long"


def test_nobody_is_fought_whom_nobody_noted(cli: Run, table: tuple[str, ...]) -> None:
    assert refused(cli, "thorgal", "fight", "1", *table) == "thorgal-no-enemy"


def test_a_round_is_only_so_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_file, "LONGEST_GAME", 1)
    with pytest.raises(InputError, match="thorgal-too-long"):
        game_file.write_steps(tmp_path / "round.json", [{"do": "won"}, {"do": "won"}])


def test_who_has_not_seen_the_last_step_of_a_round_makes_none(cli: Run, table: tuple[str, ...]) -> None:
    with pytest.raises(NoAnswerError, match="thorgal-moved-on"):
        game_file.undo_step(Path(table[1]), seen=7)


def test_more_wounds_than_can_be_tried_have_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wounds, "BOARD_BUDGET", 0)
    board = wounds.read_board("...." + "/....")
    with pytest.raises(NoAnswerError, match="thorgal-wounds-many"):
        wounds.take(board, wounds.read_wounds("3, 3, 2", False))


def test_others_give_only_what_they_have() -> None:
    plan = [{"use": "selurin-theurge", "others": ["militia"]}, {"attack": 1}]
    with pytest.raises(NoAnswerError, match="other-has-not"):
        resolve({"hand": ["selurin-theurge"], "hall": ["griffon"], "others": [["torch"]], "plan": plan})


def test_a_choice_of_the_battle_that_never_comes_up(cli: Run) -> None:
    for choice in ({"disease": "attack"}, {"battle": "destroy", "pick": "torch"}):
        (why,) = cli(*QUICK, "--explain", "why-not", json.dumps(choice), "--json").json["why_not"]
        assert why["code"] == "choice-never"


def test_an_explanation_needs_its_choice(cli: Run) -> None:
    answer = cli(QUICK[0], "--json", *QUICK[1:], "--explain", "why-not")
    assert (answer.status, answer.json["error"]["code"]) == (2, "missing-values")


def test_half_a_letter_is_none() -> None:
    with pytest.raises(InputError, match="half-letters"):
        check_word("\udcff", why="words")


def test_closed_input_and_closed_output_are_told(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert refused(cli, "resolve", "--file", "-") == "no-input"
    monkeypatch.setattr(sys, "stdin", io.StringIO())


def test_a_full_disk_is_told(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``no-output``."""
    from thunderref.cli import lookup

    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(lookup, "session", full)
    answer = cli("card", "fireball")
    assert (answer.status, answer.out) == (2, "")
    assert os.strerror(28) in answer.err


def test_files_of_db_that_are_not_written_as_they_should_be(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from thunderref.database import format as canonical

    def one(root: Path, *, write: bool) -> list[Path]:
        assert not write
        return [root / "db" / "rules.toml"]

    monkeypatch.setattr(canonical, "format_files", one)
    answer = cli("db", "format", "--check", "--json")
    error = answer.json["error"]
    assert (answer.status, error["code"], error["candidates"]) == (1, "not-canonical", ["db/rules.toml"])


def test_bots_that_never_end_are_called_off(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MOST_TURNS", 1)
    answer = cli("play", "--players", "random, random", "--first-game", "base", "--seed", "5", stdin="")
    assert (answer.status, answer.err.strip()) == (1, f"thunderref: {said('play-endless', n=1)}")


def test_a_game_is_not_saved_under_a_name_nobody_can_read(cli: Run) -> None:
    answer = cli("play", "--players", "Ann, Bob", "--first-game", "base", "--seed", "5", stdin="s a\u202eb\nq\n")
    assert said("play-odd-file") in answer.out + answer.err


def test_a_game_that_somebody_else_has_changed_is_not_written_over(tmp_path: Path) -> None:
    record = begin_game(STORE, [SavedPlayer(name="Ann"), SavedPlayer(name="Bob")], seed=5, first_game="base")
    file = play.GameFile(str(tmp_path / "game.json"), Complaining(), record, replace=True)  # type: ignore[arg-type]
    assert file.save()
    (tmp_path / "game.json").write_text("theirs", encoding="utf-8")
    record.take(record.options()[0])
    assert not file.save()
    assert Complaining.heard == [said("file-changed", file=str(tmp_path / "game.json"))]
    assert (tmp_path / "game.json").read_text(encoding="utf-8") == "theirs"


def test_what_is_not_installed_is_told(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    assert refused(cli, "serve") == "serve-extra"


def test_a_compiler_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from thunderref.site import gather

    failed = subprocess.CompletedProcess([], 1, "", "trace\nout of memory\n")
    monkeypatch.setattr(gather, "_nodejs", lambda: SimpleNamespace(node=lambda *_, **__: failed))
    with pytest.raises(InputError, match=r"site-compile.*out of memory"):
        gather._run("node", [], "site-compile", {})


class Lost:
    """An executor whose scheduler is gone."""

    def submit(self, *_: object) -> None:
        raise CancelledError


def test_a_scheduler_that_is_lost_is_told() -> None:
    with pytest.raises(InputError, match="scheduler-lost"):
        list(workers.Workers(2, Lost()).in_order(str, [1]))  # type: ignore[arg-type]


def test_a_scheduler_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = SimpleNamespace(wait_for_workers=lambda *_, **__: None, nthreads=dict, close=lambda **_: None)
    monkeypatch.setattr(workers, "import_module", lambda _: SimpleNamespace(Client=lambda *_, **__: idle))
    with pytest.raises(InputError, match="scheduler-idle"), workers._cluster("tcp://127.0.0.1:1", None):
        pass


def said(code: str, **params: object) -> str:
    """The English sentence of an error."""
    return Language(STORE, "en").error(InputError(code, **params))


class Complaining:
    """A terminal of which only the complaints matter."""

    words = Language(STORE, "en")
    heard: ClassVar[list[str]] = []

    def complain(self, text: str) -> None:
        self.heard.append(text)

    def tell(self, *_: object, **__: object) -> None: ...
