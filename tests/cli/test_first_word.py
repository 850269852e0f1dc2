"""The first thing typed: a name without a command, ``help``, a slip in the name of a command or an option."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import typer

from support.terminal import on_a_terminal, plain
from thunderref.cli.app import COMMANDS, app
from thunderref.cli.help_pages import find_near
from thunderref.database.read import Language, open_database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.command import Answer, Run

LANGUAGES = ("en", "pl", "ru")
TWO_SCREENS = ("resolve", "setup", "simulate")
"""The commands with the most options."""


def command_paths(command: Any, path: list[str]) -> Iterator[list[str]]:
    """The words of every command, [] for all together."""
    yield path
    ctx = typer.Context(command)
    for name in command.list_commands(ctx) if hasattr(command, "list_commands") else ():
        yield from command_paths(command.get_command(ctx, name), [*path, name])


def alike(bare: Answer, command: Answer) -> bool:
    """True if a line without a command gets what the command gives; in JSON it also says how it was read."""
    if not bare.out.startswith("{"):
        return bare == command
    marks = ("read_as", "understood", "taken")
    return {key: value for key, value in bare.json.items() if key not in marks} == command.json


@pytest.mark.parametrize(
    "words",
    [
        ["fireball"], ["elf", "wizard"], ["elf wizard"], ["огненный", "шар"], ["ognista", "kula"], ["flam", "sw"],
        ["flamming", "swrod"], ["elf"], ["fireb", "--limit", "2"], ["flaming-sword"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_name_alone_is_a_look_up_of_the_card(cli: Run, words: list[str]) -> None:
    for options in (["--json"], ["--lang", "pl"], ["--lang", "en,ru"]):
        assert alike(cli(*words, *options), cli("card", *words, *options))
    assert cli("--lang", "ru", *words) == cli("card", *words, "--lang", "ru")


@pytest.mark.parametrize("words", [["R5.11"], ["light", "penalty"], ["прорыв"], ["łupy"], ["readings"]], ids=" ".join)
def test_a_rule_or_term_alone_is_a_look_up_of_the_rule(cli: Run, words: list[str]) -> None:
    for options in (["--json"], ["--lang", "pl"]):
        assert alike(cli(*words, *options), cli("rule", *words, *options))


def test_somebody_at_a_terminal_is_asked_for_what_is_unclear() -> None:
    status, shown = on_a_terminal(80, ["thunderref", "sword, militia vs nixie"], replies=[("Short Sword\r\n> ", "2\r")])
    assert status == 0, shown
    assert "Nixie, rank 1" in plain(shown)


def test_in_a_pipe_what_is_unclear_is_an_error_with_the_rest(cli: Run) -> None:
    error = cli("sword, militia vs nixie", "--json").json["error"]
    assert (error["code"], error["candidates"]) == ("unclear", ["Flaming Sword", "Short Sword"])
    assert error["rest"] == {"hand": ["militia"], "hall": ["nixie"]}
    assert cli("sword, militia vs nixie").status == cli("card", "sword").status == 1


def test_every_name_of_a_card_finds_it_alone(cli: Run) -> None:
    """In all languages, names that look like a command (Clay Golem, play) included."""
    names = open_database().query("SELECT subject, name FROM names WHERE kind = 'card' AND lang != '' AND position = 0")
    likely = [(card, name) for card, name in names if find_near(name.split()[0], list(COMMANDS))]
    assert likely
    for card, name in likely + names[::29]:
        assert cli(*name.split(), "--json").json["matches"][0]["id"] == card or cli("card", name).status == 1


UNKNOWN = [
    ("crad fireball", ["card"]), ("resolv 2 militia --hall griffon", ["resolve"]), ("scor", ["score"]),
    ("helpp", ["help"]), ("nearby", []),
    ("vilage 2 militia", ["village"]), ("thorgal rond", ["round"]), ("db inof", ["info"]), ("thorgal dance", []),
    ("zzqqxw", []), ("elfwiz", ["elf-wizard"]),
]  # fmt: skip
NO_NAME = ("nearby", "zzqqxw", "elfwiz")


@pytest.mark.parametrize("words", [words for words, _ in UNKNOWN])
def test_an_unknown_command_is_an_error(cli: Run, words: str) -> None:
    """What is no slip for a command is a name that nothing has, as behind "card"."""
    answer = cli(*words.split())
    assert (answer.status, answer.out.startswith("{")) == (1 if words in NO_NAME else 2, False)
    assert words not in NO_NAME or cli("card", words).status == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("words", "meant"), UNKNOWN)
def test_an_unknown_command_suggests_what_is_near_or_nothing(cli: Run, words: str, meant: list[str], lang: str) -> None:
    answer = cli(*words.split(), "--lang", lang, "--json")
    assert (answer.status, answer.out.startswith("{")) == (1 if words in NO_NAME else 2, True)
    error = answer.json["error"]
    assert error["code"] == "unknown-command"
    if meant != ["elf-wizard"]:
        assert error["candidates"] == meant
    assert ": ." not in error["message"]
    assert "--help" in error["message"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--frist", ["--first-battle"]), ("--hal", ["--hall"]), ("--jsno", ["--json"]), ("--next", ["--next-hand"]),
        ("--foo", []), ("--tagret", []), ("--x", []), ("-q", []),
    ],
)  # fmt: skip
def test_an_unknown_option_suggests_what_is_near_or_nothing(cli: Run, option: str, meant: list[str], lang: str) -> None:
    error = cli("odds", option, "--lang", lang, "--json").json["error"]
    assert (error["code"], error["candidates"]) == ("unknown-option", meant)
    assert ": ." not in error["message"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_is_asked_for_in_any_way(cli: Run, lang: str) -> None:
    overview = cli("--help", "--lang", lang)
    assert overview.status == 0
    for words in (["help"], ["help", "fireball"], ["fireball", "--help"], ["resolv", "--help"]):
        assert cli(*words, "--lang", lang) == overview
    page = cli("card", "--help", "--lang", lang)
    for words in (["help", "card"], ["--help", "card"]):
        assert cli(*words, "--lang", lang) == page
    page = cli("thorgal", "round", "--help", "--lang", lang)
    for words in (["help", "thorgal", "round"], ["thorgal", "help", "round"]):
        assert cli(*words, "--lang", lang) == page
    assert cli("help", "card", "--json", "--lang", lang) == cli("card", "--help", "--json", "--lang", lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_brief_page_fits_a_screen(cli: Run, lang: str) -> None:
    """24 rows of 80 columns; two screens for what has the most options. Examples are not broken, but wrap."""
    rows = dict[str, int]()
    for path in command_paths(typer.main.get_command(app), []):
        page = cli(*path, "-h", "--lang", lang, env={"COLUMNS": "80"})
        assert page.status == 0, page.err
        rows[" ".join(path)] = sum(max(1, -(-len(line) // 80)) for line in page.out.splitlines())
    assert len(rows) > 50
    assert not {path: n for path, n in rows.items() if n > (48 if path in TWO_SCREENS else 24)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_brief_page_is_a_screen_with_examples(cli: Run, lang: str) -> None:
    for words in ([], ["card"], ["cards"], ["ask"], ["setup"], ["resolve"], ["play"], ["thorgal", "fight"]):
        page = cli(*words, "-h", "--lang", lang).out
        assert len(page.splitlines()) <= 24, words
        assert re.search(r"^  thunderref ", page, re.MULTILINE), (words, cli(*words, "-h", "--lang", lang).err)
        assert cli("-h", *words, "--lang", lang).out == page
    named = re.findall(r"^  thunderref (.+)$", cli("-h", "--lang", lang).out, re.MULTILINE)
    kinds = [cli(*line.split(), "--lang", lang, "--json").json.get("read_as", "command") for line in named]
    assert kinds == ["card", "question", "battle", "command"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_help_page_has_an_example(lang: str) -> None:
    words = Language(open_database(), lang)

    found = [".".join(path) for path in command_paths(typer.main.get_command(app), []) if path]
    assert len(found) > 50
    assert [key for key in found if "\n  thunderref " not in f"\n{words.say(f'help.{key}.more')}"] == []


def test_alone_a_command_says_what_is_there(cli: Run) -> None:
    assert "Village card (" in cli("card").out
    assert cli("ask").out == cli("rule").out
    assert [cli(name, "--json").json["error"]["code"] for name in ("card", "ask", "rule")] == ["empty-query"] * 3
