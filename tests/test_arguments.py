"""The functions of the package: what is no argument gets one sentence, whatever it is, and never a traceback."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import thunderref
from support.command import Run
from thunderref.errors import NoAnswerError, ThunderrefError
from thunderref.thunderstone.setup.request import OPTIONS

HAND = ["2 militia", "torch"]
BATTLE = {"hand": HAND, "hall": ["griffon", "blink dog"]}
RIGHT: dict[str, dict[str, Any]] = {
    "ask": {"question": "what is a disease"}, "cards": {"query": "type:weapon"}, "evening": {},
    "generate_setup": {"seed": 1}, "lookup": {"query": "militia"}, "odds": {"document": BATTLE | {"deck_list": HAND}},
    "puzzle": {"number": 1}, "resolve": {"scenario": BATTLE}, "rule": {"query": "light"},
    "score": {"document": {"players": {"Ann": ["griffon"]}}}, "show": {"result": None},
    "simulate": {"games": 1, "bots": "random", "seed": 1}, "turn": {"document": BATTLE},
    "understand": {"text": "militia"}, "village": {"document": {"hand": HAND}},
}  # fmt: skip
"""Function -> arguments with which it answers."""
VALUES: tuple[Any, ...] = (
    None, "", "x", "3", "a\nb", b"x", 0, -1, 1.5, 10**30, float("nan"), True, [], (), [1], ["x"], {}, {(): 1},
    "\ud800", object(),
)  # fmt: skip
EMPTY = "None", "[]", "()"
TAKEN = {
    ("ask", "question"): {"'x'", "'a\\nb'"}, ("understand", "text"): {"'x'", "'a\\nb'"},
    ("rule", "query"): {"'x'", "'3'", "'a\\nb'"}, ("lookup", "query"): {"'3'", "'a\\nb'"},
    ("cards", "query"): {"''", "'3'"}, ("simulate", "workers"): {"'3'"},
}  # fmt: skip
"""Function and parameter -> the values that it takes and of which the types below say nothing."""
NUMBERS = {"limit": {str(10**30)}, "seed": {"0"}, "left": {"0"}, "budget": {"0", "1.5", str(10**30)}}
FLAGS = {"answer", "balanced", "gaps", "more", "spread", "why"}


def parameters() -> list[tuple[str, str]]:
    """Each function with each of its parameters, the options of a set-up among them."""
    named = []
    for function in RIGHT:
        names = inspect.signature(getattr(thunderref, function)).parameters
        named += [(function, name) for name in names if name != "options"]
        named += [(function, name) for name in OPTIONS if "options" in names and name not in names]
    return named


def test_every_function_is_here() -> None:
    assert RIGHT.keys() == {*thunderref.__all__} - {"ThunderrefError"}


@pytest.mark.parametrize(("function", "name"), parameters())
def test_what_is_no_argument_gets_one_sentence(function: str, name: str) -> None:
    right = RIGHT[function] | ({"result": thunderref.lookup("militia")} if function == "show" else {})
    default = inspect.signature(getattr(thunderref, function)).parameters.get(name)
    taken, sentences = set[str](), list[str]()
    for value in VALUES:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                getattr(thunderref, function)(**right | {name: value})
            taken.add(repr(value))
        except ThunderrefError as error:
            sentences.append(error.message)
    assert [len(sentence.splitlines()) for sentence in sentences] == [1] * (len(VALUES) - len(taken))
    may_be_empty = default is None or default.default in (None, ())
    allowed = TAKEN.get((function, name), set()) | NUMBERS.get(name, set()) | ({"True"} if name in FLAGS else set())
    allowed |= {"'a\\nb'"} if name == "around" else set()
    assert taken <= allowed | ({*EMPTY} if may_be_empty else set())


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_sentence_names_the_argument_and_what_it_takes(lang: str) -> None:
    wrong: list[tuple[Callable[[], object], str, dict[str, str]]] = [
        (
            lambda: thunderref.cards(limit="3", lang=lang),  # type: ignore[arg-type]
            "bad-value",
            {"en": '“"3"” is not possible for “limit”: use a whole number, 1 or more.'},
        ),
        (lambda: thunderref.cards(limit=0, lang=lang), "bad-value", {"en": "“0” is not possible for “limit”"}),
        (
            lambda: thunderref.cards(sort="cost", lang=lang),
            "no-list",
            {"en": "“sort” must be a list, not “cost”: write it in square brackets."},
        ),
        (
            lambda: thunderref.rule("light", lang, game="bridge"),  # type: ignore[arg-type]
            "not-one-of",
            {"en": "“bridge” is not possible for “game”: use one of thunderstone, thorgal."},
        ),
        (
            lambda: thunderref.resolve(BATTLE, lang, budget=float("nan")),
            "bad-value",
            {"en": "“NaN” is not possible for “budget”: use a number, 0 or more."},
        ),
        (
            lambda: thunderref.puzzle(1, lang, answer="yes"),  # type: ignore[arg-type]
            "bad-value",
            {"en": '“answer” is either true or false, not “"yes"”', "ru": "Ключ «answer» — это да или нет"},
        ),
        (
            lambda: thunderref.generate_setup(sets="base", lang=lang),  # type: ignore[arg-type]
            "no-list",
            {"pl": "Klucz „sets” musi zawierać listę, a nie „base”"},
        ),
        (
            lambda: thunderref.village(HAND, lang),  # type: ignore[arg-type]
            "bad-value",
            {"en": '“document” takes keys with their values, not “["2 militia"'},
        ),
        (
            lambda: thunderref.lookup(lang=lang),  # type: ignore[call-arg]
            "missing-key",
            {"en": "The key “query” is missing", "pl": "Brakuje klucza „query”", "ru": "Не хватает ключа «query»"},
        ),
        (
            lambda: thunderref.lookup("elf", lang, 1, 2),  # type: ignore[call-arg]
            "unknown-key",
            {"en": "There is no key “2” here: correct or remove it (known: query, lang, limit)."},
        ),
        (lambda: thunderref.lookup("elf", lang, limt=1), "unknown-key", {}),  # type: ignore[call-arg]
        (lambda: thunderref.turn(BATTLE, lang, bot="planner"), "missing-key", {"en": "The key “games” is missing"}),
        (lambda: thunderref.turn(BATTLE | {"code": "x"}, lang), "bad-code", {}),
        (lambda: thunderref.ask("what beats griffon", lang, ["zxqwv"]), "unknown-card", {}),
        (lambda: thunderref.generate_setup(avoid=["zxqwv"], lang=lang), "unknown-card", {}),
        (lambda: thunderref.simulate(games=1, bots="planner,", lang=lang), "unknown-bot", {}),
        (lambda: thunderref.generate_setup(players=2, lang="xx"), "unknown-language", {"en": "There is no language"}),
    ]
    for ask, code, sentences in wrong:
        with pytest.raises(ThunderrefError) as refused:
            ask()
        assert refused.value.code == code
        assert refused.value.message.startswith(sentences.get(lang, ""))


def test_cards_are_found_by_words_as_by_the_command() -> None:
    assert thunderref.cards("wizards under 6").query == "type:wizard cost<6"
    assert thunderref.cards("wizards under 6") == thunderref.cards("type:wizard cost<6")
    assert thunderref.understand("cards type:weapon").document == {"filters": "type:weapon"}
    assert thunderref.understand("karty type:weapon", "pl").document == {"filters": "type:weapon"}


def test_an_evening_has_its_winners_and_its_page(
    cli: Run, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich import print as rich_print

    for name in ("STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    cli("evening", "start", "--players", "Ann, Bob")
    begun = thunderref.evening()
    assert (begun.over, begun.winners) == (False, [])
    cli("evening", "end")
    ended = thunderref.evening()
    assert (ended.over, ended.winners) == (True, ["Ann", "Bob"])
    rich_print(thunderref.show(begun))
    assert "Ann" in capsys.readouterr().out
    cli("evening", "undo")
    with pytest.raises(NoAnswerError, match="The evening has changed") as changed:
        thunderref.show(ended)
    assert changed.value.code == "evening-changed"


def test_a_set_up_shows_its_cards(capsys: pytest.CaptureFixture[str]) -> None:
    from rich import print as rich_print

    setup = thunderref.generate_setup(seed=1)
    rich_print(thunderref.show(setup))
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    for card in setup.model_dump()["village"]:
        assert setup.naming.name(card) in shown
