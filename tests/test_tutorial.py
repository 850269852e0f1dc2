"""The tutorial, ``help(thunderref)``: what it shows is run, and what it writes down is tried."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
import shutil
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from IPython.core.interactiveshell import InteractiveShell
from rich.console import Console

import thunderref
from support import ROOT
from support.files import copy_sources
from thunderref.database.build import build
from thunderref.database.read import Database
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.export import lookup
from thunderref.thunderstone.setup.request import OPTIONS, DrawKeywords, SetupKeywords, SetupOptions

if TYPE_CHECKING:
    from support.command import Run

TUTORIAL = inspect.getdoc(thunderref) or ""
BATTLE = {"hand": ["2 militia", "elf wizard", "short sword", "torch"], "hall": ["blink dog"]}


def written(begins: str) -> str:
    """The block of the tutorial that begins so, as it is to be written into a file."""
    lines = TUTORIAL[TUTORIAL.index(f"    {begins}") :].split("\n")
    end = next(i for i, line in enumerate(lines) if line and not line.startswith("    "))
    return inspect.cleandoc("\n".join(lines[:end])) + "\n"


def test_it_is_short() -> None:
    assert len(TUTORIAL.splitlines()) <= 60


def test_what_it_shows_is_what_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mybots.py").write_text(written("from collections.abc"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    example = doctest.DocTestParser().get_doctest(TUTORIAL, {}, "thunderref", None, None)
    assert doctest.DocTestRunner().run(example).failed == 0
    assert len(example.examples) >= 6
    sys.modules.pop("mybots", None)


def test_its_card_is_a_card_once_it_has_its_names(tmp_path: Path) -> None:
    copy_sources(tmp_path)
    with open(tmp_path / "db/boxes/promo/cards.toml", "a", encoding="utf-8") as file:
        file.write("\n" + written("[[card]]"))
    with pytest.raises(InputError) as refused:
        build(tmp_path, tmp_path / "new.sqlite")
    assert "lucky-lantern" in str(refused.value)
    for lang, name in {"en": "Lucky Lantern", "pl": "Szczęśliwa latarnia", "ru": "Счастливый фонарь"}.items():
        path = tmp_path / f"glossary/{lang}.toml"
        text = path.read_text("utf-8").replace("[cards]\n", f'[cards]\nlucky-lantern = {{ name = "{name}" }}\n', 1)
        path.write_text(text, "utf-8")
    build(tmp_path, tmp_path / "new.sqlite")
    card = lookup("szczesliwa latarnia", database=Database(tmp_path / "new.sqlite")).matches[0]
    assert (card.id, card.cost, card.gold, card.light) == ("lucky-lantern", 3, 1, 2)


def results() -> dict[str, Any]:
    setup = thunderref.generate_setup(players=2, seed=1)
    return {
        "resolve": thunderref.resolve(BATTLE, lang="pl"),
        "village": thunderref.village({"hand": ["2 torch"]}, lang="pl"),
        "turn": thunderref.turn(BATTLE, lang="pl"),
        "odds": thunderref.odds({**BATTLE, "deck_list": ["3 militia"]}, lang="pl"),
        "score": thunderref.score({"players": {"Ann": ["sphinx"], "Bo": []}}, lang="pl"),
        "generate_setup": setup,
        "simulate": thunderref.simulate(code=setup.code, bots="random", games=1, seed=1),
        "lookup": thunderref.lookup("fireball"),
        "ask": thunderref.ask("is militia a hero", lang="pl"),
        "cards": thunderref.cards("type:weapon cost<=5", "pl"),
        "rule": thunderref.rule("R5.11", "pl"),
        "puzzle": thunderref.puzzle(1, "pl", answer=True),
    }


def test_every_result_shows_itself_in_a_notebook_as_in_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    made = results()
    assert made.keys() == set(thunderref.__all__) - {"show", "understand", "evening", "ThunderrefError"}
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "thunderref")
    said = {
        "resolve": "Migopies", "village": "złota", "turn": "Ta tura", "odds": "Migopies", "score": "Ann",
        "generate_setup": made["generate_setup"].code, "simulate": "Gry układu", "lookup": "Ognista kula",
        "ask": "Tak. Ochotnik", "cards": "Sztylet", "rule": "Światł", "puzzle": "Zagadka 1",
    }  # fmt: skip
    for function, result in made.items():
        console = Console(width=80, record=True, file=StringIO())
        console.print(thunderref.show(result, "pl"))
        assert said[function] in console.export_text(), function
        shown, _ = shell.display_formatter.format(result)
        assert shown["text/html"].startswith("<pre")


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: thunderref.lookup("firebal xyz"), "No card is called “firebal xyz”; the nearest names: "),
        (lambda: thunderref.score({"deck": 1}, lang="ru"), "Не хватает ключа «players»"),
        (lambda: thunderref.generate_setup(players=9), "9 players cannot play: choose 2 to 5"),
        (lambda: thunderref.simulate(players=2, bots="nobody", seed=1, lang="pl"), "Nie ma bota „nobody”"),
        (lambda: thunderref.resolve({"hand": ["firebal"], "hall": ["blink"]}, lang="xx"), "There is no language “xx”"),
        (lambda: thunderref.lookup(5), "“query” takes a text, not “5”"),  # type: ignore[arg-type]
        (lambda: thunderref.generate_setup(playrs=3), "There is no key “playrs” here"),  # type: ignore[call-arg]
        (lambda: thunderref.generate_setup(players="three"), '“players” takes a whole number, not “"three"”'),  # type: ignore[arg-type]
        (lambda: thunderref.show(3), "The value “3” of “result” does not fit"),  # type: ignore[arg-type]
        (lambda: thunderref.evening(), "No evening is under way"),
        (lambda: thunderref.cards("cost>99"), "No card"),
        (lambda: thunderref.rule("zzxxz"), "No rule"),
    ],
)
def test_an_error_ends_with_its_sentence(ask: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ThunderrefError) as refused:
        ask()
    assert str(refused.value) == refused.value.message
    assert refused.value.message.startswith(sentence)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InputError, match="There is no language") as refused:
        thunderref.show(thunderref.lookup("fireball"), "xx")
    assert refused.value.code == "unknown-language"


def test_a_list_of_cards_may_be_one_text() -> None:
    apart = thunderref.resolve({"hand": ["2 militia", "torch"], "hall": ["griffon", None, "blink dog"]})
    assert thunderref.resolve({"hand": "2 militia, torch", "hall": "griffon, -, blink dog"}) == apart
    decks = {"Ann": ["sphinx", "militia"], "Bo": ["griffon"]}
    as_texts = {name: ", ".join(cards) for name, cards in decks.items()}
    assert thunderref.score({"players": as_texts}) == thunderref.score({"players": decks})
    visit = thunderref.village({"hand": "2 torch", "stacks": "dagger, 3 militia", "readings": ["used-cards=food-only"]})
    assert visit.model_dump()["gold"] == 4


def test_results_are_those_of_the_commands(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for words, result in (
        (["cards", "type:weapon", "cost<=5"], thunderref.cards("type:weapon cost<=5")),
        (["rule", "light", "penalty"], thunderref.rule("light penalty")),
        (["puzzle", "1", "--answer"], thunderref.puzzle(1, answer=True)),
    ):
        document = cli(*words, "--json").json
        document.pop("tonight", None)
        assert result.model_dump() == document


def test_the_setup_keywords_are_the_options() -> None:
    assert {*SetupKeywords.__annotations__, *DrawKeywords.__annotations__} == {*OPTIONS}
    types = get_type_hints(DrawKeywords) | get_type_hints(SetupKeywords)
    assert get_type_hints(SetupOptions) == types


def test_a_scholar_sees_more() -> None:
    fireball = thunderref.lookup("fireball")
    pages = []
    for more in (False, True):
        console = Console(width=80, record=True, file=StringIO())
        console.print(thunderref.show(fireball, more=more))
        pages.append(console.export_text())
    assert len(pages[0]) < len(pages[1])


def test_a_program_from_outside_runs_and_its_types_are_known(tmp_path: Path) -> None:
    example = tmp_path / "example.py"
    shutil.copy(ROOT / "tests/outside/example.py", example)
    ran = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    assert "fireball" not in ran.stderr
    assert ran.stdout.splitlines()[-1].startswith("0 9 None ")
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("the types are read where mypy is installed")
    lines = ("import thunderref", "thunderref.lookup(5)", "thunderref.generate_setup(playrs=3)")
    wrong = "\n".join([*lines, "thunderref.rule('x').matches[0].price\n"])
    (tmp_path / "wrong.py").write_text(wrong, "utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    read = subprocess.run([*words, "example.py", "wrong.py"], cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert [line.partition(": ")[0] for line in read.stdout.splitlines() if ": error:" in line] == [
        "wrong.py:2",
        "wrong.py:3",
        "wrong.py:4",
    ]
