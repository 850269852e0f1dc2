"""``thunderref card`` and ``cards`` as users and scripts see them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from support.systems import needs_posix
from support.terminal import on_a_terminal, plain
from thunderref.cli.app import main
from thunderref.database.read import Language, open_database

FIELDS = (
    "id score name set kind family level count types cost gold light vp strength weight health xp level_cost attack "
    "magic_attack text clarifications conflicts abilities"
)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs one command line; gives exit status, output, error output."""
    for name in ("THUNDERREF_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run_line(*words: str, **environment: str) -> tuple[int, str, str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as stop:
            main(words)
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return run_line


def read(output: tuple[int, str, str]) -> Any:
    assert output[2] == ""
    return json.loads(output[1])


def test_every_key_of_the_contract(run: Run) -> None:
    document = read(run("card", "flam", "sw", "--json"))
    assert document["query"] == "flam sw"
    (match,) = document["matches"]
    assert set(FIELDS.split()) <= set(match)
    assert match["id"] == "flaming-sword"
    assert match["name"] == {"en": "Flaming Sword", "pl": "Płomienny Miecz", "ru": "Пламенеющий меч"}
    assert 0 <= match["score"] <= 100
    assert match["strength"] is None
    assert match["types"] == ["weapon", "edged", "magic"] or "weapon" in match["types"]


def test_shapes_inside(run: Run) -> None:
    match = read(run("card", "lord", "mortis", "--json"))["matches"][0]
    assert {"lang", "text", "rules"} <= set(match["clarifications"][0])
    assert {"text", "sources"} <= set(match["conflicts"][0])
    assert {"timing", "text"} <= set(match["abilities"][0])
    assert set(match["abilities"][0]["text"]) == {"en", "pl", "ru"}


def test_an_exact_name_scores_higher_than_a_guess(run: Run) -> None:
    exact = read(run("card", "fireball", "--json"))["matches"][0]["score"]
    guess = read(run("card", "fyrebal", "--json"))["matches"][0]["score"]
    assert guess < exact == 100


def test_ambiguous(run: Run) -> None:
    status, out, err = run("card", "sword")
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "Flaming Sword, Short Sword" in err
    status, out, err = run("card", "sword", "--json", "--lang", "pl")
    document = json.loads(out)
    assert (status, err) == (1, "")
    assert [m["id"] for m in document["matches"]] == ["flaming-sword", "short-sword"]
    assert document["error"]["code"] == "ambiguous-card"
    assert document["error"]["candidates"] == ["Płomienny Miecz", "Krótki miecz"]


@pytest.mark.parametrize(
    ("typed", "lang", "title", "member", "n"),
    [
        ("elf", "en", "Elf", "Elf Archmage: level 3, Cost 10, Light +2,", 3),
        ("horde", "en", "Horde", "Horde 12: Gold 1, Health 12,", 11),
        ("elemental • pain", "en", "Elemental • Pain", "Blood Torment: Gold 3, Victory points 8, Health 9,", 5),
        ("krasnolud", "pl", "Krasnolud", "Krasnolud Strażnik:", 3), ("эльф", "ru", "Эльф", "Эльф-архимаг:", 3),
    ],
)  # fmt: skip
def test_a_family_or_class_is_a_table_of_its_cards(
    run: Run, typed: str, lang: str, title: str, member: str, n: int
) -> None:
    status, out, err = run("card", typed, "--lang", lang)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == title
    assert any(member in line for line in lines[2:])
    assert len(lines[2:]) >= n
    assert len(read(run("card", typed, "--lang", lang, "--json"))["matches"]) == n


def test_limit_asks_for_more(run: Run) -> None:
    document = read(run("card", "elf", "--limit", "2", "--json"))
    assert [m["id"] for m in document["matches"]] == ["elf-wizard", "elf-sorcerer"]
    more = read(run("card", "spear", "--limit", "3", "--json"))["matches"]
    assert more[0]["id"] == "spear"


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_nothing_found(run: Run, lang: str) -> None:
    status, out, err = run("card", "zxqwv", "--lang", lang)
    assert (status, out) == (1, "")
    assert "zxqwv" in err
    error = json.loads(run("card", "zxqwv", "--lang", lang, "--json")[1])["error"]
    assert (error["code"], error["candidates"]) == ("unknown-card", [])


@pytest.mark.parametrize(("query", "near"), [("fireblast", "Fireball"), ("город", "Famine")])
def test_only_near_names_are_suggested(run: Run, query: str, near: str) -> None:
    error = json.loads(run("card", query, "--json")[1])["error"]
    assert error["code"] == "unknown-card"
    assert near in error["message"]


def test_a_term_is_pointed_to_its_rule(run: Run) -> None:
    for query in ("breach", "łupy", "штраф освещённости", "light penalty"):
        status, _, err = run("card", query)
        assert status == 1
        assert f"thunderref rule {query}" in err


def test_words_of_the_text(run: Run) -> None:
    document = json.loads(run("card", "draw", "2", "cards", "--json")[1])
    assert {"town-guard", "regian-bishop"} <= {match["id"] for match in document["matches"]}
    assert {match["matched"]["how"] for match in document["matches"]} == {"text"}


def test_the_second_box_is_mentioned_not_ambiguous(run: Run) -> None:
    match = read(run("card", "militia", "--json"))["matches"][0]
    assert match["set"] == "base"
    assert match["reprints"] == [{"id": "militia-wrath", "set": "wrath", "count": 30}]
    assert "Wrath of the Elements: 30" in run("card", "militia", "--more")[1]
    assert "Wrath" not in run("card", "militia")[1]
    assert read(run("card", "militia-wrath", "--json"))["matches"][0]["set"] == "wrath"


@pytest.mark.parametrize(
    "words",
    [
        ["card", ""], ["card", "x" * 10_000], ["card", "\x01\x02"], ["card", "fireball", "--limit", "0"],
        ["card", "fireball", "--limit", "many"], ["card", "fireball", "--limit"], ["card", "fireball", "--bogus"],
        ["card", "fireball", "--lang", "de"], ["db", "path", "--lang", "xx"], ["crad", "fireball"], ["--lang"],
        ["cards", "foo:1"], ["cards", "cost<x"], ["cards", "kind:xyz"], ["cards", "kind<hero"], ["cards", "cost<="],
        ["cards", "--sort", "foo"], ["rule", "?"], ["db", "frob"], ["db", "path", "extra"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_bad_input_gets_one_sentence(run: Run, words: list[str], lang: str) -> None:
    status, out, err = run(*words, THUNDERREF_LANG=lang)
    assert (status, out) == (2, "")
    assert err.startswith("thunderref: ")
    assert err.count("\n") == 1
    status, out, err = run(*words, "--json", THUNDERREF_LANG=lang)
    if words[-1] not in ("--limit", "--lang"):
        assert (status, err) == (2, "")
        assert set(json.loads(out)["error"]) == {"code", "message", "candidates"}


def test_odd_queries_are_answered(run: Run) -> None:
    for query in ("fire\x07ball", "ﬁreball", "FIRE  BALL", "fire_ball", "«fireball»", "fіreball"):
        assert run("card", query)[1].startswith("Fireball"), query
    for query in ('"; DROP TABLE cards', "a" * 200, "\udcff\udcfe", "😀 fireball", "fireball шар"):
        assert run("card", query)[0] in (0, 1, 2), query


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("query", ["lord mortis", "thyrian lord", "dark champion", "horde 5", "disease", "the cage"])
def test_narrow_pages(run: Run, query: str, lang: str) -> None:
    status, out, _ = run("card", query, "--lang", lang, COLUMNS="40")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 40
    drawn = run("card", query, "--lang", lang, COLUMNS="40", FORCE_COLOR="1", NO_COLOR="1")[1]
    assert "\N{BOX DRAWINGS LIGHT VERTICAL}" in drawn
    assert "\x1b" not in drawn
    assert max(map(len, drawn.splitlines())) <= 40


def test_a_pipe_gets_plain_text(run: Run) -> None:
    out = run("card", "lord mortis")[1]
    assert "\x1b" not in out
    assert not any("\u2500" <= c <= "\u257f" for c in out)
    assert "Light penalty: 1" in out


def test_output_follows_the_language(run: Run) -> None:
    assert "Атака" in run("card", "dagger", "--lang", "ru")[1]
    assert "Atak" in run("card", "dagger", THUNDERREF_LANG="pl")[1]
    assert "Atak" in run("card", "dagger", LANG="pl_PL.UTF-8")[1]


def test_unofficial_names_are_marked(run: Run) -> None:
    assert "Рунорождённая сирена (" in run("card", "runespawn siren", "--more", "--lang", "ru")[1]
    assert "(unofficial name)" in run("card", "runespawn siren", "--more")[1]
    assert "(unofficial name)" not in run("card", "fireball", "--more")[1]
    page = run("card", "runespawn siren", "--lang", "ru")[1]
    assert page.splitlines()[0] == "Рунорождённая сирена"


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("card", ["lord-mortis", "flaming-sword", "elf-wizard", "militia", "disease", "the-cage"])
def test_the_page_of_a_card_begins_with_what_is_printed_on_it(cli: Any, card: str, lang: str) -> None:
    """Name, kind, values; its id, its box and its names in other languages come only with ``--more``."""
    record = cli("card", card, "--json").json["matches"][0]
    page, whole = cli("card", card, "--lang", lang).out, cli("card", card, "--more", "--lang", lang).out
    lines = page.splitlines()
    assert lines[0] == record["name"][lang]
    words = Language(open_database(), lang)
    for figure in ("cost", "health", "strength", "weight", "vp"):
        if record[figure] is not None:
            assert f"{words.say(f'card.figure.{figure}')}: {record[figure]}" in lines[2]
    assert f"id: {card}" in whole
    assert words.set_name(record["set"]) in whole
    assert "id:" not in page
    assert words.set_name(record["set"]) not in page
    for other in {"en", "pl", "ru"} - {lang}:
        assert f"{other}: {record['name'][other]}" in whole
        assert f"{other}: " not in page


def test_filters(run: Run) -> None:
    ids = [
        m["id"] for m in read(run("cards", "kind:hero", "cost<=5", "set:base", "--sort", "cost", "--json"))["matches"]
    ]
    assert set(ids) == {"elf-wizard", "lorigg-thief", "redblade-killer", "regian-cleric"}
    for filters, want in (
        (["type:weapon", "set:wrath"], {"claymore", "cursed-mace", "magi-staff", "short-bow"}),
        (["family:elf", "level:2"], {"elf-sorcerer"}),
        (["kind:monster", "family:golem", "health>8"], {"iron-golem", "colossus"}),
        (["rodzaj:potwór", "rodzina:smok", "health>=11"], {"ebon-fume"}),
        (["klasa:kapłan", "level:1", "set:base", "kind:hero"], {"chalice-quester", "regian-cleric"}),
        (["golem", "vp!=8"], {"bronze-golem", "clay-golem", "stone-golem", "iron-golem"}),
        (["timing:breach", "set:base"], {"archduke-of-pain", "tyxr-the-old"}),
    ):
        assert {m["id"] for m in read(run("cards", *filters, "--json"))["matches"]} == want, filters
    assert "regian-cleric" in {m["id"] for m in read(run("cards", "text:disease", "--json"))["matches"]}
    assert "regian-cleric" in {m["id"] for m in read(run("cards", "text:choroby", "--json"))["matches"]}


@pytest.mark.parametrize("asked", ["", " ", "\u200b", "text:\u200b", "name:\u2060", "type:\ufeff", "text:()"])
def test_a_filter_of_which_nothing_can_be_seen_is_none(cli: Callable[..., Any], asked: str) -> None:
    """It would be met by every card."""
    answer = cli("cards", asked, "--json")
    assert answer.status == 2
    assert answer.json["error"]["code"] in ("bad-operator", "bad-query", "empty-query")


def test_sorting_and_limit(run: Run) -> None:
    costs = [
        m["cost"] for m in read(run("cards", "kind:village", "--sort", "-cost", "--limit", "5", "--json"))["matches"]
    ]
    assert costs == sorted(costs, reverse=True)
    assert len(costs) == 5
    assert run("cards", "cost>99")[0] == 1


def test_boxes_are_whole(run: Run) -> None:
    for box, copies in (("base", 132 + 152 + 80 + 90 + 1), ("wrath", 84 + 112 + 51 + 12 + 42 + 1)):
        assert sum(m["count"] for m in read(run("cards", f"set:{box}", "--json"))["matches"]) == copies


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_help_in_every_language(run: Run, lang: str) -> None:
    for words in ([], ["--help"], ["card", "--help"], ["cards", "--help"], ["rule", "--help"]):
        status, out, err = run(*words, THUNDERREF_LANG=lang)
        assert (status, err) == (0, "")
        assert len(out.splitlines()) <= 45
    assert run("--version")[1].startswith("thunderref ")


@needs_posix
def test_as_a_program_in_a_closed_pipe() -> None:
    command = f"{sys.executable} -m thunderref cards | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr


def test_two_languages_side_by_side(run: Run) -> None:
    for command in ("card", "rule"):
        status, out, _ = run(command, "trophy" if command == "rule" else "disease", "--lang", "pl,en")
        assert status == 0
        assert "Trofeum" in out
        assert "rophy" in out
    assert run("card", "disease", "--lang", "pl,xx")[0] == 2
    assert run("setup", "--lang", "pl,en")[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("cards set:wrath", "70 cards, 302 copies, besides"),
        ("ask how many wrath cards", "70 cards, 302 copies, besides"),
        ("cards set:base", "98 cards, 455 copies, besides"), ("cards set:promo", "5 cards"),
        ("cards set:wrath kind:hero", "21 cards"),
    ],
)  # fmt: skip
def test_the_cards_of_a_box_are_not_all_that_it_counts(cli: Run, words: str, said: str) -> None:
    """A box counts randomizers, reference cards and XP, too: 340 in Wrath, 530 in the base box (R1.9)."""
    title = cli(*words.split(), "--any").out.partition("\n")[0]
    assert title.startswith(said)
    assert ("besides" in title) == ("besides" in said)


@pytest.mark.parametrize(
    ("card", "ruling", "is_open"),
    [
        ("dwarf janissary", "A hero brings spoils only", True), ("chalice paladin", "A hero brings spoils only", True),
        ("clan champion", "A hero brings spoils only", True), ("diin illusionist", "The card comes back", True),
        ("selurin theurge", "If this is your only hero", True), ("blade trap", "If several of your heroes", True),
        ("selurin theurge", "As long as the other players", False),
        ("steam torment", "The global effect covers", False),
        ("dwarf janissary", "You pay with the gold", False), ("fire wrath", "Against Fire Wrath, a Selurin", True),
    ],
)  # fmt: skip
def test_a_ruling_that_is_a_reading_says_so(cli: Run, card: str, ruling: str, is_open: bool) -> None:
    """R6.3, R6.4, R4.7, R6.6 and R5.8b are readings; R6.8 and R4.11 are none."""
    (line,) = (line for line in cli("card", card, "--any").out.splitlines() if line.strip().startswith(ruling))
    assert ("The rules leave this open" in line) is is_open
    (told,) = (
        told
        for told in cli("card", card, "--any", "--json").json["matches"][0]["clarifications"]
        if told["lang"] == "en" and told["text"].startswith(ruling)
    )
    assert told["reading"] is (is_open or told["id"] == "hidden-cards")


def test_a_list_in_two_languages(run: Run) -> None:
    lines = run("cards", "kind:guardian", "--lang", "pl,en")[1].splitlines()
    assert lines[0] == "2 karty / 2 cards"
    assert [line.partition(":")[0].strip() for line in lines[1:5]] == [
        "Mroczny Rycerz", "Dark Champion", "Wartownik Śmierci", "Death Sentinel",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("card", "lang", "said"),
    [
        ("elf-wizard", "pl", "rasa: Elf"), ("horde-5", "pl", "klasa: Horda"),
        ("elf-wizard", "ru", "раса: Эльф"), ("griffon", "ru", "класс: Зачарованное существо"),
    ],
)  # fmt: skip
def test_heroes_have_a_race_and_monsters_a_class(cli: Run, card: str, lang: str, said: str) -> None:
    """The printed game's words; of other cards their types say as much."""
    kind = cli("card", card, "--lang", lang).out.splitlines()[1]
    assert said in kind.strip().split(" · ")
    assert ":" not in cli("card", "stone-of-agony", "--lang", lang).out.splitlines()[1]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("filters", [(), ("kind:hero",), ("kind:village",), ("kind:monster",), ("kind:trap",)])
@pytest.mark.parametrize("columns", [40, 80])
def test_a_list_of_cards_stays_in_sight(columns: int, filters: tuple[str, ...], lang: str) -> None:
    """On a terminal of 24 lines, title and remedy included."""
    status, shown = on_a_terminal(columns, ["thunderref", "cards", *filters, "--lang", lang])
    lines = plain(shown).splitlines()
    assert (status, len(lines) < 24) == (0, True)
    assert max(map(len, lines)) <= columns
    assert ("--all" in shown) == (filters != ("kind:trap",))
    _, whole = on_a_terminal(columns, ["thunderref", "cards", *filters, "--all", "--lang", lang])
    assert plain(whole).splitlines()[0] == lines[0]
    assert len(whole) > len(shown) or "--all" not in shown


def test_only_a_terminal_sums_up(run: Run) -> None:
    whole = run("cards")
    assert len(whole[1].splitlines()) == 172
    assert run("cards", "--all") == whole
    assert read(run("cards", "--json", "--all")) == read(run("cards", "--json"))
    assert len(read(run("cards", "--json"))["matches"]) == 171
    assert len(plain(on_a_terminal(80, ["thunderref", "cards", "--limit", "60"])[1]).splitlines()) > 60
