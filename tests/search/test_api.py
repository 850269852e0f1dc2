"""Look-ups from Python, and what other modules rely on."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest

import thunderref
from support.command import Run
from thunderref.database.read import open_database
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.search.names import find_card
from thunderref.search.rules import find_rules


def test_the_function_works_whatever_was_imported() -> None:
    for before in ("", "import thunderref.search.names; ", "from thunderref.search import names; "):
        code = f"{before}import thunderref; print(thunderref.lookup('flam sw').matches[0].id)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
        assert done.stdout == "flaming-sword\n"


def test_importing_the_package_is_free() -> None:
    code = "import sys, thunderref; print('pydantic' in sys.modules or 'sqlite3' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout
        == "False\n"
    )


def test_the_dump_is_the_json_of_the_command() -> None:
    line = [sys.executable, "-m", "thunderref", "card", "lord mortis", "--json", "--lang", "pl"]
    done = subprocess.run(line, capture_output=True, check=True)
    assert thunderref.lookup("lord mortis", lang="pl").model_dump() | {"tonight": None} == json.loads(done.stdout)


def test_matches() -> None:
    assert [m.id for m in thunderref.lookup("elf").matches] == ["elf-wizard", "elf-sorcerer", "elf-archmage"]
    assert len(thunderref.lookup("elf", limit=2).matches) == 2
    with pytest.raises(NoAnswerError):
        thunderref.lookup("zxqwv")
    with pytest.raises(InputError):
        thunderref.lookup("elf", lang="de")
    with pytest.raises(InputError):
        thunderref.lookup("elf", limit=0)


@pytest.mark.parametrize("letters", ["qqqq", "wwww", "ww", "ьь", "ъъъ"])
def test_one_letter_again_and_again_is_no_name(letters: str) -> None:
    for look_up in (thunderref.lookup, thunderref.rule):
        with pytest.raises(NoAnswerError, match=letters):
            look_up(letters)


def test_every_function_gives_the_json_of_its_command(cli: Run) -> None:
    hand, hall, deck = ["militia", "torch"], ["griffon"], ["militia"] * 6
    for made, words in (
        (thunderref.ask("what is a disease"), ("ask", "what is a disease")),
        (thunderref.ask("choroba", "pl", limit=1), ("ask", "choroba", "--limit", "1", "--lang", "pl")),
        (thunderref.resolve({"hand": hand, "hall": hall}, gaps=True),
         ("resolve", "militia, torch", "--hall", "griffon")),
        (thunderref.village({"hand": hand}), ("village", "militia, torch")),
        (thunderref.turn({"hand": hand, "hall": hall}), ("turn", "militia, torch", "--hall", "griffon")),
        (thunderref.score({"players": {"Ann": hall}}), ("score", "--deck", "Ann: griffon")),
        (thunderref.generate_setup(players=3, seed=7), ("setup", "--players", "3", "--seed", "7")),
        (thunderref.odds({"hand": hand, "hall": hall, "deck_list": deck}),
         ("odds", "militia, torch", "--hall", "griffon", "--deck-list", "6 militia")),
    ):  # fmt: skip
        assert json.loads(json.dumps(made.model_dump())) | {"tonight": None} == cli(*words, "--json").json
    with pytest.raises(InputError):
        thunderref.ask("what is a disease", lang="de")
    with pytest.raises(AttributeError):
        _ = thunderref.nonsense


def test_find_card() -> None:
    database = open_database()
    assert find_card(database, "płom miecz") == "flaming-sword"
    with pytest.raises(NoAnswerError) as several:
        find_card(database, "elf", lang="ru")
    assert several.value.code == "ambiguous-card"
    assert several.value.candidates == ("Эльф-волшебник", "Эльф-чародей", "Эльф-архимаг")
    with pytest.raises(NoAnswerError) as unknown:
        find_card(database, "zxqwv")
    assert unknown.value.code == "unknown-card"
    assert unknown.value.candidates == ()


def test_kinds_narrow_the_search() -> None:
    database = open_database()
    assert find_card(database, "lord", {"hero"}) == "thyrian-lord"
    assert find_card(database, "strażnik", {"village"}) == "town-guard"
    assert find_card(database, "golem iron", {"monster"}) == "iron-golem"
    with pytest.raises(NoAnswerError):
        find_card(database, "fireball", {"monster"})


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_candidates_are_shown_by_name_and_have_their_id(lang: str) -> None:
    """In whatever language, of cards, rules and topics; one that is no card has its own text as id."""

    def ids(function: Callable[..., object], *given: object) -> list[str]:
        with pytest.raises(ThunderrefError) as caught:
            function(*given)
        assert all(isinstance(each, str) for each in caught.value.candidates)
        copied = pickle.loads(pickle.dumps(caught.value.candidates))
        assert [each.id for each in copied] == [each.id for each in caught.value.candidates]
        return [each.id for each in caught.value.candidates]

    database = open_database()
    battle = {"hand": ["elf", "torch"], "hall": ["griffon"]}
    assert ids(thunderref.resolve, battle, lang) == ["elf-wizard", "elf-sorcerer", "elf-archmage"]
    assert ids(thunderref.village, {"hand": ["elfwiz"]}, lang) == ["elf-wizard"]
    assert ids(find_rules, database, "breech fase", lang)
    assert set(ids(find_rules, database, "breech fase", lang)) <= {
        term for (term,) in database.query("SELECT id FROM terms")
    }
    assert set(ids(find_rules, database, "R99", lang)) <= {rule for (rule,) in database.query("SELECT id FROM rules")}
    assert ids(thunderref.lookup, "fireball", "de") == ["en", "pl", "ru"]
    assert ids(thunderref.ask, "how do I bake bread with militia", lang)[:1] != [""]
