"""Boxes of a user's own: found, listed, drawn, laid out and judged as far as they say what their cards do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import thunderref
from support.command import Run
from support.own_box import MARSH, write_box
from support.systems import keep_in
from thunderref.database import own_boxes
from thunderref.database.read import open_database
from thunderref.errors import InputError

LANGUAGES = ("en", "pl", "ru")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    keep_in(monkeypatch, tmp_path)
    return tmp_path


@pytest.fixture
def marsh(home: Path, cli: Run) -> Path:
    """The folder of the invented box, which is switched on."""
    place = write_box(home)
    assert cli("box", "on", "marsh").status == 0
    return place


def test_a_box_is_off_until_it_is_switched_on(home: Path, cli: Run) -> None:
    write_box(home)
    assert [box["state"] for box in cli("box", "list", "--json").json["boxes"]] == ["off", "off"]
    assert cli("card", "reed cutter").status == 1
    assert cli("box", "on", "marsh", "--json").json == {"box": "marsh", "on": True, "changed": True, "tonight": None}
    assert cli("card", "reed cutter").status == 0
    assert cli("box", "off", "marsh").status == 0
    assert cli("card", "reed cutter").status == 1


@pytest.mark.usefixtures("home")
def test_a_box_that_is_not_there_may_be_a_csv(cli: Run) -> None:
    assert "CSV" in cli("box", "on", "dunes", "--json").json["error"]["message"]


def test_without_boxes_the_database_is_that_of_the_package(home: Path) -> None:
    assert open_database().path.name == "thunderref.sqlite"
    assert not list(home.rglob("*"))


def test_a_new_box_is_sound_and_can_be_switched_on(home: Path, cli: Run) -> None:
    made = cli("box", "new", "my-marsh", "--json").json
    assert made["files"] == ["box.toml", "cards.toml", "en.toml", "pl.toml", "ru.toml"]
    assert cli("box", "new", "my-marsh").status == 2  # nothing is written over
    checked = cli("box", "check", "my-marsh", "--json").json
    assert (checked["sound"], checked["not_judged"]) == (True, ["bog-imp"])
    assert checked["counts"] == {"hero": 6, "village": 8, "monster": 10}
    assert cli("box", "on", "my-marsh").status == 0
    assert cli("card", "bog imp", "--json").json["matches"][0]["id"] == "my-marsh:bog-imp"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_are_found_in_three_languages(marsh: Path, cli: Run, lang: str) -> None:
    names = {"en": "Reed Cutter", "pl": "Kosiarz Trzciny", "ru": "Косарь камыша"}
    for name in (*names.values(), "marsh:reed-cutter", "reed cuter"):
        card = cli("card", name, "--lang", lang, "--json").json["matches"][0]
        assert (card["id"], card["set"], card["judged"]) == ("marsh:reed-cutter", "marsh", True)
    assert card["name"] == names
    assert card["text"]["pl"] == "Atak +2."
    assert card["text"]["ru"] == "Attack +2."  # what is missing is shown in English
    page = cli("card", "sinkhole", "--lang", lang).out
    marks = {"en": "Not judged", "pl": "nieoceniana", "ru": "не судится"}
    assert marks[lang] in page
    assert "The party sinks." in page


def test_figures_of_one_listing_are_marked_on_the_scholars_page(marsh: Path, cli: Run) -> None:
    assert "from a single listing" in cli("card", "reed spear", "--more").out
    assert "from a single listing" not in cli("card", "reed spear").out


def test_cards_are_listed_and_exported(marsh: Path, cli: Run) -> None:
    listed = cli("cards", "set:marsh", "--json").json
    assert [card["id"] for card in listed["matches"]] == [
        f"marsh:{name}" for name in ("reed-cutter", "reed-spear", "will-o-wisp", "bog-imp", "sinkhole", "bog-fever")
    ]
    exported = json.loads(cli("db", "export").out)
    assert [entry["id"] for entry in exported["sets"]][-1] == "marsh"
    assert [card["judged"] for card in exported["cards"]][-6:] == [True, True, False, True, False, False]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    [
        ["resolve", "reed cutter, will-o-wisp", "--hall", "bog imp"],
        ["resolve", "reed cutter", "--hall", "bog imp", "--file", "-"],
        ["village", "will-o-wisp, 3 militia"],
        ["odds", "reed cutter, torch", "--deck-list", "2 will-o-wisp, 3 militia", "--hall", "bog imp"],
        ["turn", "reed cutter, will-o-wisp", "--hall", "bog imp"],
        ["ask", "does will-o-wisp beat bog imp"],
    ],
)
def test_what_is_not_judged_is_refused_by_name(marsh: Path, cli: Run, words: list[str], lang: str) -> None:
    stdin = '{"village": ["marsh:will-o-wisp"]}' if "-" in words else None
    answer = cli(*words, "--lang", lang, "--json", stdin=stdin)
    assert (answer.status, answer.json["error"]["code"]) == (1, "not-judged")
    assert "Will-o'-Wisp" in answer.json["error"]["message"]


def test_a_score_counts_what_is_printed_and_says_so(marsh: Path, cli: Run) -> None:
    words = ["score", "--deck", "Ann: 2 will-o-wisp, bog imp", "--deck", "Bob: torch"]
    scored = cli(*words, "--json").json
    assert ([player["vp"] for player in scored["players"]], scored["not_judged"]) == ([1, 0], ["marsh:will-o-wisp"])
    assert "does not judge these cards: Will-o'-Wisp" in cli(*words).out


def test_an_evening_is_kept_with_cards_that_are_not_judged(marsh: Path, cli: Run) -> None:
    wishes = ["--require", "will-o-wisp, bog, reed", "--seed", "3"]
    assert cli("setup", "--set", "base", "--set", "marsh", *wishes, "--tonight").status == 0
    assert cli("evening", "start", "--players", "Ann, Bob").status == 0
    assert cli("evening", "hall", "bog imp, bog imp, bog imp").status == 0
    assert cli("evening", "battle", "2 reed cutter, torch", "--rank", "1", "--unseen").status in (0, 1)
    assert cli("evening", "buy", "will-o-wisp").status == 0
    assert cli("village", "will-o-wisp", "--json").json["error"]["code"] == "not-judged"
    ended = cli("evening", "end")
    assert (ended.status, "Will-o'-Wisp" in ended.out) == (0, True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_evening_takes_the_word_of_the_players_for_a_battle(marsh: Path, cli: Run, lang: str) -> None:
    wishes = ["--require", "will-o-wisp, bog, reed", "--seed", "3"]
    assert cli("setup", "--set", "base", "--set", "marsh", *wishes, "--tonight").status == 0
    assert cli("evening", "start", "--players", "Ann, Bob").status == 0
    assert cli("evening", "hall", "bog imp, bog imp, bog imp").status == 0
    for told in ([], ["--won"], ["--rank", "2"]):
        refused = cli("evening", "battle", "3 militia, torch", *told, "--lang", lang)
        assert (refused.status, "--rank" in refused.err, "--won" in refused.err) == (1, True, True)
    assert cli("evening", "battle", "3 militia, torch", "--rank", "2", "--won", "--lang", lang).status == 0
    won = cli("evening", "--json").json
    assert (won["players"][0]["xp"], won["players"][0]["vp"], won["hall"]) == (1, 1, ["marsh:bog-imp"] * 2 + [None])
    assert cli("evening", "next").status == 0
    assert cli("evening", "battle", "3 militia, will-o-wisp", "--rank", "1", "--lost", "--unseen").status == 0
    lost = cli("evening", "--json").json
    assert (lost["players"][1]["xp"], lost["players"][1]["vp"], lost["hall"]) == (0, 0, ["marsh:bog-imp", None, None])


def test_an_evening_levels_up_beside_cards_that_are_not_judged(marsh: Path, cli: Run) -> None:
    wishes = ["--require", "will-o-wisp, bog, elf wizard", "--seed", "3"]
    assert cli("setup", "--set", "base", "--set", "marsh", *wishes, "--tonight").status == 0
    assert cli("evening", "start", "--players", "Ann, Bob").status == 0
    assert cli("evening", "buy", "elf wizard").status == 0
    assert cli("evening", "correct", "--xp", "3").status == 0
    assert cli("evening", "level", "elf wizard").status == 0
    deck = {card["id"]: card["count"] for card in cli("evening", "--json").json["players"][0]["deck"]}
    assert (deck.get("elf-sorcerer"), deck.get("elf-wizard")) == (1, None)


@pytest.mark.parametrize(("lang", "said"), [("pl", "Zaatakuj kartę „Bog Fiend”"), ("ru", "Атакуйте карту «Bog Fiend»")])
def test_a_name_without_forms_stands_behind_a_declined_word(home: Path, cli: Run, lang: str, said: str) -> None:
    table = "name,kind,family,count,health,xp,types,judged\nBog Fiend,monster,Fiends,8,1,1,fiend,yes\n"
    place = home / "thunderref" / "boxes" / "fiends.csv"
    place.parent.mkdir(parents=True)
    place.write_text(table, "utf-8")
    assert cli("box", "on", "fiends").status == 0
    assert said in cli("resolve", "3 militia, torch", "--hall", "bog fiend", "--lang", lang).out
    assert " Fiend " in cli("card", "bog fiend").out.replace("\n", " ")  # a word of a type line has a capital


def test_what_is_judged_is_judged_like_any_card(marsh: Path, cli: Run) -> None:
    target = cli("resolve", "reed cutter, reed spear, torch", "--hall", "bog imp", "--json").json["targets"][0]
    assert (target["outcome"], target["total"], target["health"]) == ("victory", 5, 4)
    visit = cli("village", "reed spear, 2 militia", "--json").json
    assert visit["gold"] == 4 - 2  # a Militia gives none
    assert "will-o-wisp" not in json.dumps(visit)  # is no purchase that anybody could weigh
    odds = cli("odds", "reed cutter, torch", "--deck-list", "2 dagger, 3 militia", "--hall", "bog imp")
    assert odds.status == 0
    assert cli("ask", "does reed cutter with a torch beat bog imp").status == 0


def draw(cli: Run, *words: str) -> dict[str, object]:
    document: dict[str, object] = cli("setup", "--json", *words).json
    return document


def test_a_set_up_draws_and_lays_out_the_box(marsh: Path, cli: Run) -> None:
    made = cli(
        "setup", "--set", "base", "--set", "marsh", "--require", "bog, reed, sinkhole", "--seed", "3", "--json"
    ).json
    assert made["sets"] == ["base", "marsh"]
    assert "marsh:bog" in made["monsters"]
    assert "marsh:bog-traps" in made["features"]
    stacks = {stack["id"]: stack for stack in made["stacks"]}
    assert stacks["marsh:fevers"]["cards"] == [{"id": "disease", "count": 10}, {"id": "marsh:bog-fever", "count": 3}]
    assert "marsh:leeches" in stacks
    assert "disease" not in stacks
    boxes = {box["id"]: box["stacks"] for box in made["boxes"]}
    assert {"marsh:bog", "marsh:reed", "marsh:fevers", "marsh:leeches"} <= {*boxes["marsh"]}
    assert "militia" in boxes["base"]
    steps = " ".join(made["steps"])
    assert "Leech tokens × 12" in steps
    assert any("Sinkhole" in warning for warning in made["warnings"])
    page = cli("setup", "--code", made["code"]).out
    assert "Marsh of Lanterns: " in page
    for form in ("html", "markdown", "text", "table"):
        sheet = cli("setup", "--code", made["code"], "--format", form).out
        assert "Leech tokens" in sheet
        assert form == "table" or "What comes from which box" in sheet


def test_a_code_carries_the_box_and_its_digest(marsh: Path, cli: Run) -> None:
    words = ("--set", "base", "--set", "marsh", "--require", "bog", "--seed", "5")
    made = draw(cli, *words)
    code = str(made["code"])
    assert re.fullmatch(r"MARSH\.[2-9A-Z]{6}\.[2-9A-Z]+", code)
    again = draw(cli, "--code", code.lower())
    assert {**again, "warnings": 0} == {**made, "warnings": 0}
    assert draw(cli, *words) == made
    mistyped = cli("setup", "--code", code[:-3] + ("A" if code[-3] != "A" else "B") + code[-2:], "--json").json
    assert mistyped["error"]["code"] == "bad-code"
    (marsh / "en.toml").write_text(MARSH["en.toml"].replace("The party sinks.", "All sink."), "utf-8")
    assert draw(cli, "--code", code)["code"] == code  # words change nothing in a set-up
    (marsh / "cards.toml").write_text(MARSH["cards.toml"].replace("health = 4", "health = 5"), "utf-8")
    assert draw(cli, "--code", code)["error"]["code"] == "code-box-changed"  # type: ignore[index]
    cli("box", "off", "marsh")
    missing = cli("setup", "--code", code, "--json").json["error"]
    assert (missing["code"], "“marsh”" in missing["message"]) == ("code-box-missing", True)


def test_codes_of_the_package_do_not_change_with_a_box(marsh: Path, cli: Run, home: Path) -> None:
    for words in (["--seed", "7"], ["--seed", "7", "--variant", "pursuit"], ["--seed", "7", "--set", "promo, base"]):
        with_box = draw(cli, *words)
        cli("box", "off", "marsh")
        assert draw(cli, *words) == with_box
        cli("box", "on", "marsh")


def test_shares_and_a_random_part_of_the_boxes(marsh: Path, cli: Run) -> None:
    made = draw(cli, "--boxes", "2", "--seed", "1", "--mix", "base:8,marsh:1")
    assert made["sets"] == ["base", "marsh"]  # the one pair that can have these shares
    parts = {tuple(draw(cli, "--boxes", "2", "--seed", str(seed))["sets"]) for seed in range(8)}  # type: ignore[arg-type]
    assert all(len(part) == 2 for part in parts)
    assert len(parts) > 1
    assert cli("setup", "--boxes", "9", "--json").json["error"]["code"] == "setup-boxes"


def test_simulation_refuses_a_table_that_is_not_judged(marsh: Path, cli: Run) -> None:
    code = str(draw(cli, "--set", "base", "--set", "marsh", "--require", "sinkhole", "--seed", "3")["code"])
    answer = cli("simulate", "--code", code, "--games", "2", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (1, "not-judged")
    with_spell = ["--set", "base", "--set", "marsh", "--require", "will-o-wisp", "--seed", "3"]
    assert cli("tonight", str(draw(cli, *with_spell)["code"])).status == 0
    assert cli("village", "4 militia", "--json").json["error"]["code"] == "not-judged"  # a stack of tonight's


def test_a_broken_box_is_skipped_with_a_remark(marsh: Path, cli: Run) -> None:
    write_box(marsh.parents[2], {**MARSH, "cards.toml": MARSH["cards.toml"].replace('kind = "trap"', 'kind = "tarp"')})
    answer = cli("card", "fireball", "--json")
    assert (answer.status, answer.json["matches"][0]["id"]) == (0, "fireball")
    assert answer.err.count("\n") == 1
    assert "cards.toml" in answer.err
    with pytest.warns(UserWarning, match="marsh"):
        thunderref.lookup("fireball")
    listed = cli("box", "list", "--json").json["boxes"]
    assert [(box["id"], box["state"]) for box in listed] == [("doomgate", "off"), ("marsh", "broken")]


def test_two_boxes_beside_each_other(marsh: Path, cli: Run, home: Path) -> None:
    columns = "name,kind,family,level,count,types,cost,gold,strength,attack,judged"
    table = f"{columns}\nDune Rider,hero,Dune,1,6,fighter,5,,4,1,yes\n"
    (home / "thunderref" / "boxes" / "dunes.csv").write_text(table, "utf-8")
    assert cli("box", "on", "dunes").status == 0
    assert own_boxes.switched_on() == ("dunes", "marsh")
    assert cli("card", "dune rider", "--json").json["matches"][0]["id"] == "dunes:dune-rider"
    words = ["--set", "base", "--set", "marsh", "--set", "dunes", "--require", "dune", "--require", "bog"]
    made = draw(cli, *words, "--seed", "2")
    assert str(made["code"]).startswith("DUNES.")
    assert draw(cli, "--code", str(made["code"]))["heroes"] == made["heroes"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mistake_is_listed_and_then_counted(home: Path, cli: Run, lang: str) -> None:
    place = write_box(home, {**MARSH, "box.toml": MARSH["box.toml"].replace("hero = 6", "hero = 5\nguardian = 1")})
    answer = cli("box", "check", str(place), "--lang", lang)
    assert (answer.status, answer.out.count("box.toml"), answer.err.count("\n")) == (2, 2, 1)
    document = cli("box", "check", "marsh", "--lang", lang, "--json").json
    assert (document["error"]["code"], document["sound"]) == ("box-mistakes", False)
    assert all(row["message"] == f"{row['message'].split(': ')[0]}: {row['problem']}." for row in document["problems"])
    assert [(problem["line"], problem["key"]) for problem in document["problems"]] == [
        (6, "contents.hero"), (7, "contents.guardian")
    ]  # fmt: skip
    assert cli("box", "on", "marsh").status == 2


def test_an_operation_that_is_not_known_is_remarked(home: Path, cli: Run) -> None:
    write_box(home)
    checked = cli("box", "check", "marsh", "--json").json
    assert (checked["sound"], len(checked["remarks"])) == (True, 1)
    assert "swallow-party" in checked["remarks"][0]


def test_what_is_typed_without_a_command_means_its_cards(marsh: Path, cli: Run) -> None:
    for line in ("reed cutter", "marsh:reed-cutter", "kosiarz trzciny"):
        assert cli(line, "--json").json["matches"][0]["id"] == "marsh:reed-cutter"
    for line in ("2 reed cutter, torch vs bog imp", "2 marsh:reed-cutter, torch vs marsh:bog-imp"):
        assert cli(line, "--json").json["targets"][0]["outcome"] == "victory"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_setup_on_the_table_whose_box_is_off_says_so_and_can_be_saved(marsh: Path, cli: Run, lang: str) -> None:
    code = cli("setup", "--set", "base", "--set", "marsh", "--require", "reed spear", "--json").json["code"]
    assert cli("tonight", code).status == 0
    assert cli("box", "off", "marsh").status == 0
    for words in (["card", "torch"], ["village", "3 militia"]):
        refused = cli(*words, "--lang", lang)
        assert (refused.status, "thunderref box on marsh" in refused.err) == (2, True)
        assert "thunderref tonight --clear" in refused.err
    again = cli("setup", "--code", code, "--lang", lang)
    off = {"en": "off or not here", "pl": "wyłączone albo", "ru": "выключена или"}
    assert (again.status, off[lang] in again.err) == (1, True)
    assert cli("box", "list").status == 0
    assert cli("box", "on", "marsh").status == 0
    assert cli("card", "torch").status == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_needs_a_box_that_is_switched_off_is_told_then_and_later(marsh: Path, cli: Run, lang: str) -> None:
    wished = cli("setup", "--set", "base", "--set", "marsh", "--require", "reed spear", "--json").json["code"]
    assert cli("evening", "start", wished).status == 0
    assert cli("evening", "buy", "reed spear").status == 0
    assert cli("collection", "--exclude", "bog imp").status == 0
    off = cli("box", "off", "marsh", "--json", "--lang", lang).json
    assert (off["changed"], off["used_by"]) == (True, ["tonight", "evening", "collection"])
    told = cli("box", "off", "marsh", "--lang", lang).out
    assert (told.count("\n"), told.count("thunderref box on marsh")) == (4, 2)
    for words in (["tonight"], ["setup"]):
        refused = cli(*words, "--lang", lang)
        assert (refused.status, "thunderref box on marsh" in refused.err) == (2, True)
    assert cli("tonight", "--clear", "--force").status == 0
    for do in ("log", "undo", "end"):
        refused = cli("evening", do, "--lang", lang)
        assert (refused.status, "thunderref box on marsh" in refused.err) == (1, True)
    assert cli("box", "on", "marsh").status == 0
    assert len(cli("evening", "log", "--json").json["log"]) == 2  # nothing was undone


def test_a_setup_that_only_names_a_box_is_refused_with_the_remedy(marsh: Path, cli: Run) -> None:
    made = draw(cli, "--set", "base", "--set", "marsh", "--exclude", "set:marsh", "--seed", "3")
    assert str(made["code"]).startswith("MARSH.")
    assert cli("tonight", str(made["code"])).status == 0
    cli("box", "off", "marsh")
    assert "thunderref box on marsh" in cli("tonight").err


def test_a_setup_of_other_files_of_its_box_says_so(marsh: Path, cli: Run) -> None:
    code = cli("setup", "--set", "base", "--set", "marsh", "--require", "reed spear", "--json").json["code"]
    assert cli("tonight", code).status == 0
    (marsh / "cards.toml").write_text(MARSH["cards.toml"].replace("health = 4", "health = 5"), "utf-8")
    assert "other files" in cli("tonight").err


@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("heroes of the marsh", "kind:hero set:marsh"), ("which monsters of marsh", "kind:monster set:marsh"),
        ("weapons of the marsh box", "type:weapon set:marsh"), ("heroes of the marsh expansion", "kind:hero set:marsh"),
        ("how many monsters in marsh of lanterns", "kind:monster set:marsh"),
        ("bohaterowie z dodatku bagno latarni", "kind:hero set:marsh"),
        ("герои из дополнения болото фонарей", "kind:hero set:marsh"),
        ("which heroes of reeds", "kind:hero set:reeds"),
        ("marsh of lanterns", "set:marsh"), ("doomgate", "set:doomgate"),
    ],
)  # fmt: skip
def test_a_box_by_its_name_is_a_condition_of_lists(marsh: Path, cli: Run, line: str, query: str) -> None:
    columns = "name,kind,family,level,count,types,cost,strength,judged\n"  # the family is named as the box
    (marsh.parent / "reeds.csv").write_text(f"{columns}Reeds Rider,hero,Reeds,1,6,fighter,5,4,yes\n", "utf-8")
    (marsh / "cards.toml").write_text(MARSH["cards.toml"].replace('types = ["bog"]', 'types = ["marsh"]'), "utf-8")
    for box in ("reeds", "doomgate"):
        assert cli("box", "on", box).status == 0
    assert query in cli(line).out.replace('"', "")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_box_that_is_off_is_named_with_the_remedy(home: Path, cli: Run, lang: str) -> None:
    place = write_box(home)
    words = (["setup", "--set", "Marsh"], ["collection", "--set", "base,marsh"], ["cards", "set:doomgate"])
    for line in words:
        refused = cli(*line, "--lang", lang)
        box = line[-1].lower().replace("set:", "").removeprefix("base,")
        assert (refused.status, f"thunderref box on {box}" in refused.err) == (2, True)
    assert cli("box", "on", "marsh").status == 0
    (place / "cards.toml").write_text("[[card", "utf-8")
    assert "thunderref box on marsh" in cli("setup", "--set", "marsh", "--lang", lang).err
    codes = [cli("setup", "--set", box, "--json").json["error"]["code"] for box in ("marsh", "dunes")]
    assert codes == ["box-off", "setup-unknown-set"]


def test_a_box_is_exported_as_one_file_that_gives_it_back(marsh: Path, cli: Run, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    assert cli("box", "export", "marsh", "--output", str(target), "--json").json["file"] == str(target)
    assert cli("box", "export", "marsh", "--output", str(target)).status == 2  # nothing is written over
    text = target.read_text("utf-8")
    assert own_boxes.unpacked(text, "out.json") == (
        "marsh",
        {path.name: path.read_text("utf-8") for path in marsh.iterdir()},
    )
    with pytest.raises(InputError) as other:
        own_boxes.unpacked(text.replace('"format": 1', '"format": 2'), "out.json")
    assert (other.value.code, cli("box", "export", "dunes").status) == ("not-a-box", 2)
