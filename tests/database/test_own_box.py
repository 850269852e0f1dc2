"""Every mistake in the files of a user's box is one sentence: the file, the line, the key and the remedy."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.own_box import MARSH, write_box
from support.several import several
from support.systems import keep_in
from thunderref.database import own_boxes, paths
from thunderref.database.own_sources import OwnBox, digest_of, line_of, read_own_box
from thunderref.database.paths import PACKAGE
from thunderref.database.read import INSTALLATION, Database, Language
from thunderref.database.records import FeatureDeck
from thunderref.errors import InputError

Files = dict[str, str]
BROKEN = several(30, 500)
CSV = "name,kind,family,level,count,types,cost,strength,weight,health,xp,attack,text,judged\n"
ROWS = (
    "Reed Cutter,hero,Reed,1,6,fighter,5,4,,,,1,,yes\n"
    "Reed Spear,village,,,8,weapon edged,4,,3,,,2,,yes\n"
    "Bog Imp,monster,Bog,,10,bog,,,,4,1,,,yes\n"
    "Sinkhole,trap,Trap Bog,,2,trap,,,,,,,The party sinks.,\n"
)


@pytest.fixture(scope="module")
def package() -> Database:
    return INSTALLATION.package()


def read(tmp_path: Path, files: Files, package: Database) -> OwnBox:
    return read_own_box(write_box(tmp_path, files), package)


def said(package: Database, error: InputError, lang: str = "en") -> str:
    return Language(package, lang).error(error)


def changed(file: str, old: str, new: str) -> Files:
    assert old in MARSH[file]
    return {**MARSH, file: MARSH[file].replace(old, new, 1)}


def test_a_sound_box_has_no_mistakes(tmp_path: Path, package: Database) -> None:
    box = read(tmp_path, MARSH, package)
    assert (box.problems, box.sources is not None) == ([], True)
    assert [(error.code, error.params["op"]) for error in box.remarks] == [("unknown-operation", "swallow-party")]
    assert box.sources is not None
    judged = {card.id: card.judged for card in box.sources.cards}
    assert [name.removeprefix("marsh:") for name, says in judged.items() if not says] == [
        "will-o-wisp", "sinkhole", "bog-fever"
    ]  # fmt: skip


def test_a_csv_is_a_box(tmp_path: Path, package: Database) -> None:
    for mark in ",;\t":
        path = tmp_path / "reeds.csv"
        path.write_text((CSV + ROWS).replace(",", mark), "utf-8")
        box = read_own_box(path, package)
        assert box.problems == []
        assert box.sources is not None
        assert {card.id: card.judged for card in box.sources.cards} == {
            "reeds:reed-cutter": True, "reeds:reed-spear": True, "reeds:bog-imp": True, "reeds:sinkhole": False,
        }  # fmt: skip
        assert box.sources.glossaries["en"].texts == {"card.reeds:sinkhole.trap": "The party sinks."}


FAULTS: dict[str, tuple[Files, str, int, str]] = {
    "unknown key": (changed("cards.toml", "cost = 5", "price = 5"), "cards.toml", 10, "correct or remove it"),
    "wrong kind": (changed("cards.toml", 'kind = "monster"', 'kind = "beast"'), "cards.toml", 43, "'monster'"),
    "missing figure": (changed("cards.toml", "weight = 3\n", ""), "cards.toml", 21, "a weapon has a weight"),
    "id twice": (changed("cards.toml", 'id = "bog-imp"', 'id = "reed-spear"'), "cards.toml", 21, "defined twice"),
    "id of the package": (changed("cards.toml", 'id = "bog-imp"', 'id = "torch"'), "cards.toml", 42, "own boxes"),
    "id with blanks": (changed("cards.toml", 'id = "bog-imp"', 'id = "Bog Imp"'), "cards.toml", 42, "small letters"),
    "no such family": (changed("cards.toml", 'family = "bog"', 'family = "fen"'), "cards.toml", 44, "same kind"),
    "wrong sum": (changed("box.toml", "hero = 6", "hero = 12"), "box.toml", 6, "correct one of the two"),
    "empty family": (changed("box.toml", 'id = "bog-traps"', 'id = "bog-trap"'), "box.toml", 35, "has no cards"),
    "no name": (changed("en.toml", 'bog-imp = "Bog Imp"\n', ""), "en.toml", 1, "“bog-imp” has no name"),
    "no text": (changed("en.toml", '"reed-cutter.dungeon" = "Attack +2."\n', ""), "en.toml", 18, "own words"),
    "text of nothing": (changed("pl.toml", "reed-cutter.dungeon", "reed-cutter.village"), "pl.toml", 8, "no ability"),
    "next format": (changed("box.toml", "format = 1", "format = 2"), "box.toml", 1, "1"),
    "key of the game's boxes": (changed("box.toml", "year = 2024", "basic = true"), "box.toml", 3, "remove it"),
    "no such feature": (changed("box.toml", 'pile = ["bog-traps"]', 'pile = ["pits"]'), "box.toml", 14, "“pits”"),
    "deck of nothing": (changed("box.toml", "bog-fever = 3", "bog-fevr = 3"), "box.toml", 18, "“bog-fevr”"),
    "reprint of its own": (
        changed("cards.toml", "judged = false", 'reprint_of = "bog-imp"'), "cards.toml", 70, "“bog-imp” is not defined",
    ),
    "level missing": (changed("cards.toml", "level = 1", "level = 2"), "box.toml", 27, "each once"),
    "effect that cannot be": (
        changed("cards.toml", 'stat = "attack", amount = 2', 'stat = "attack"'), "cards.toml", 18, "add it",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_is_named_with_file_line_key_and_remedy(name: str, tmp_path: Path, package: Database) -> None:
    files, file, line, remedy = FAULTS[name]
    box = read(tmp_path, files, package)
    assert box.sources is None
    told = [(error.params, said(package, error)) for error in box.problems if error.code == "bad-box"]
    assert any(
        each["file"].endswith(file) and each["line"] == line and each["key"] and remedy in sentence
        for each, sentence in told
    ), told


UNREADABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "above the limit": (lambda place: (place / "cards.toml").write_text("#" * 1_000_001), "too-large"),
    "ten megabytes": (lambda place: (place / "en.toml").write_text("#" * 10_000_000), "too-large"),
    "another encoding": (lambda place: (place / "pl.toml").write_bytes(b'name = "B\xb3oto"'), "unreadable-file"),
    "two bytes a letter": (
        lambda place: (place / "box.toml").write_bytes("format = 1".encode("utf-16")),
        "unreadable-file",
    ),
    "no TOML": (lambda place: (place / "box.toml").write_text("format = 1\nname = \n"), "malformed-file"),
    "a key twice": (lambda place: (place / "box.toml").write_text("format = 1\nformat = 1\n"), "malformed-file"),
    "too deep": (lambda place: (place / "box.toml").write_text(f"format = {'[' * 60}{']' * 60}\n"), "too-deep"),
    "much too deep": (lambda place: (place / "box.toml").write_text(f"a = {'[' * 9000}{']' * 9000}\n"), "too-deep"),
    "no cards": (lambda place: (place / "cards.toml").unlink(), "no-box"),
    "no box": (lambda place: (place / "box.toml").unlink(), "bad-box"),
    "a folder": (lambda place: ((place / "en.toml").unlink(), (place / "en.toml").mkdir()), "unreadable-file"),
    "another file": (lambda place: (place / "notes.toml").write_text("name = 'Sumpf'"), "bad-box"),
    "two lists of cards": (lambda place: (place / "cards.csv").write_text(CSV + ROWS), "bad-box"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_told(name: str, tmp_path: Path, package: Database) -> None:
    spoil, code = UNREADABLE[name]
    place = write_box(tmp_path)
    spoil(place)
    try:
        codes = [error.code for error in read_own_box(place, package).problems]
    except InputError as error:
        codes = [error.code]
    assert codes == [code]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="the system has no links")
def test_links_in_a_circle_are_told(tmp_path: Path, package: Database) -> None:
    place = write_box(tmp_path)
    (place / "en.toml").unlink()
    (place / "en.toml").symlink_to(place / "en.toml")
    assert [error.code for error in read_own_box(place, package).problems] == ["unreadable-file"]


@pytest.mark.parametrize(
    ("text", "line", "remedy"),
    [
        ("", 1, "add it to the first line"),
        ("name,kind\nTorch,village\n", 1, "add it to the first line"),
        (CSV.replace("cost", "price") + ROWS, 1, "correct it"),
        (CSV + ROWS.replace(",5,4", ",five,4"), 2, "is no whole number"),
        (CSV + ROWS.replace(",5,4", ",99999999999,4"), 2, "is too large: write 20 or less"),
        (CSV + ROWS.replace("Reed,1", "Reed,2"), 2, "levels 1, 2, 3"),
        (CSV + ROWS.replace("Bog Imp", "Reed Cutter"), 4, "keep one"),
        (CSV + ROWS.replace(",yes\n", ",perhaps\n", 1), 2, "neither yes nor no"),
        (CSV + ROWS.replace("Bog Imp", "!!"), 4, "English name"),
        (CSV + ROWS.replace("The party sinks.", "The party, sinks."), 5, "round commas"),
        (CSV + ROWS.replace("The party", '"The party'), 5, "correct the marks"),
        (CSV + ROWS.replace("monster", "beast"), 4, "'monster'"),
        (CSV + ROWS.replace("Bog Imp,", "Torch,"), 4, "own boxes"),
        (CSV + ROWS.replace(",6,fighter", ",-6,fighter"), 2, "is too small: write 1 or more"),
        (CSV + ROWS + "Reed Master,hero,Reed,2,4,fighter,8,5,,,,2,,yes\n", 2, "next level"),
    ],
)
def test_a_mistake_in_a_csv_is_named_with_its_line(
    text: str, line: int, remedy: str, tmp_path: Path, package: Database
) -> None:
    path = tmp_path / "reeds.csv"
    path.write_text(text, "utf-8")
    told = [(error.params["line"], said(package, error)) for error in read_own_box(path, package).problems]
    assert any(place == line and remedy in sentence for place, sentence in told), told
    assert not any("the file is missing" in sentence for _, sentence in told)


def test_a_text_may_stand_under_its_card(tmp_path: Path, package: Database) -> None:
    box = read(tmp_path, changed("en.toml", '"will-o-wisp.dungeon"', "will-o-wisp.dungeon"), package)
    assert box.sources is not None
    assert box.sources.glossaries["en"].texts["card.marsh:will-o-wisp.dungeon"] == "Lead a monster astray."


def test_a_remark_in_a_file_is_not_taken_for_a_key() -> None:
    assert line_of("# Names and texts\n[cards]\n[texts]\n", "texts") == 3


def test_a_letter_that_is_not_utf_8_is_told_with_its_line(tmp_path: Path, package: Database) -> None:
    place = write_box(tmp_path)
    (place / "pl.toml").write_bytes(b'name = "Bagno"\n[cards]\nbog-imp = "Chochlik B\xb3ota"\n')
    assert "pl.toml, line 3: " in said(package, read_own_box(place, package).problems[0])


def test_traps_are_features_unless_the_box_says_otherwise(tmp_path: Path, package: Database) -> None:
    deck = '[feature_deck]\nquestion_marks = 1\npile = ["bog-traps"]\n'
    sources = read(tmp_path, changed("box.toml", deck, ""), package).sources
    assert sources is not None
    assert sources.boxes[0].feature_deck == FeatureDeck(question_marks=1, pile=("marsh:bog-traps",))
    told = read(tmp_path, changed("box.toml", 'pile = ["bog-traps"]', 'pile = ["guardian"]'), package).problems
    assert ["never drawn" in said(package, error) for error in told] == [True]


def test_a_box_may_speak_a_language_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: Database
) -> None:
    keep_in(monkeypatch, tmp_path)
    files = {**MARSH, "kel.toml": '[cards]\nbog-imp = { name = "Marĉo", forms = ["a", "b", "c"] }\n'}
    strange = read(tmp_path, files, package)
    assert (strange.problems, [error.code for error in strange.remarks]) == ([], ["box-language", "unknown-operation"])
    paths.own_glossary().mkdir(parents=True)
    (paths.own_glossary() / "kel.toml").write_text('lang = "kel"\ndraft = true\ncases = ["a", "b", "c"]\n', "utf-8")
    spoken = read(tmp_path, files, package)
    assert (spoken.problems, [error.code for error in spoken.remarks]) == ([], ["unknown-operation"])
    own_boxes.switch("marsh", on=True)
    assert INSTALLATION.database().names("card", "marsh:bog-imp")["kel"].name == "Marĉo"


@pytest.mark.parametrize("name", ["Marsh", "base", "a" * 21, "-marsh", "my marsh"])
def test_an_id_that_a_box_cannot_have(name: str, tmp_path: Path, package: Database) -> None:
    place = write_box(tmp_path, box=name)
    try:
        codes = [error.code for error in read_own_box(place, package).problems]
    except InputError as error:
        codes = [error.code]
    assert codes in (["bad-box-id"], ["package-box-id"])


def test_lines_are_found_by_key() -> None:
    text = '[[card]]\nid = "a"\n\n[[card]]\nid = "b"\n\n[[card.effects]]\nid = "a"\ndo = []\n'
    assert [line_of(text, key) for key in ("card[a]", "card[b].effects[a].do", "card[1].id", "nothing")] == [2, 9, 5, 1]
    assert digest_of("a") != digest_of("b")


def spoilt(number: int) -> Iterator[tuple[str, bytes]]:
    """The files of a box with something cut, doubled, moved or replaced at random in one of them."""
    chance = random.Random(number)
    files = (
        {name: text.encode() for name, text in MARSH.items()} if number % 4 else {"cards.csv": (CSV + ROWS).encode()}
    )
    name = chance.choice([*files])
    lines = files[name].split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        case 4:
            lines[at] = bytes(chance.randrange(256) for _ in range(8)) + lines[at]
        case 5:
            lines[at] = lines[at].replace(b'"', chance.choice([b"", b"'", b"[", b"\x00"]))
        case 6:
            lines[at] = lines[at].replace(
                b" = ", chance.choice([b" == ", b" = - ", b" = 99999999999999999999", b" = [[["])
            )
        case _:
            lines[at] = chance.choice([b'id = "torch"', b"[[card]]", b"count = -1", b'kind = "basic"', b"level = true"])
    files[name] = b"\n".join(lines)
    yield from files.items()


@pytest.mark.parametrize("number", range(BROKEN))
def test_whatever_is_spoilt_each_mistake_is_one_sentence(number: int, tmp_path: Path, package: Database) -> None:
    place = tmp_path / "marsh"
    place.mkdir()
    for name, content in spoilt(number):
        (place / name).write_bytes(content)
    try:
        problems = read_own_box(place, package).problems
    except InputError as error:
        problems = [error]
    for lang in ("en", "pl", "ru"):
        for error in problems:
            sentence = Language(package, lang).error(error)
            assert len(sentence.splitlines()) == 1
            assert any(f"marsh/{name}" in sentence.replace("\\", "/") for name in ("", *os.listdir(place)))
            assert error.code != "bad-box" or error.params["line"] >= 1


def test_boxes_that_are_off_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path)
    write_box(tmp_path)
    assert own_boxes.switched_on() == ()
    assert [*own_boxes.all_boxes()] == ["doomgate", "marsh"]
    with pytest.raises(InputError) as missing:
        own_boxes.place_of("dunes")
    assert (missing.value.code, [*missing.value.candidates]) == ("no-own-box", ["doomgate", "marsh"])
    own_boxes.switch("marsh", on=True)
    switches = tmp_path / "thunderref" / "boxes.json"
    switches.write_text("[]", "utf-8")
    with pytest.raises(InputError) as unread:
        own_boxes.switched_on()
    assert unread.value.code == "bad-switches"
    assert INSTALLATION.database().broken[0][1].code == "bad-switches"


def test_an_operation_that_means_nothing_at_its_time_leaves_its_card_not_judged(
    tmp_path: Path, package: Database
) -> None:
    box = read(tmp_path, changed("cards.toml", 'op = "bonus", stat = "attack", amount = 2, to = "self"',
                                 'op = "lose-attack"'), package)  # fmt: skip
    assert (box.problems, [error.params.get("timing") for error in box.remarks]) == ([], ["dungeon", None])
    assert box.sources is not None
    assert not next(card for card in box.sources.cards if card.id == "marsh:reed-cutter").judged


def test_a_wrong_kind_is_answered_with_all_kinds(tmp_path: Path, package: Database) -> None:
    box = read(tmp_path, changed("cards.toml", 'kind = "village"', 'kind = "weapon"'), package)
    sentence = Language(package, "en").error(box.problems[0])
    assert "'village'" in sentence
    assert "'disease'" in sentence
    assert "Input should" not in sentence


@pytest.mark.parametrize("lang", ["pl", "ru"])
def test_mistakes_are_told_in_the_language_of_the_reader(lang: str, tmp_path: Path, package: Database) -> None:
    boxes = [read(tmp_path / str(n), files, package) for n, (files, *_) in enumerate(FAULTS.values())]
    table = tmp_path / "reeds.csv"
    for text in ("", CSV + ROWS.replace(",5,4", ",five,4"), CSV + ROWS.replace("Bog Imp", "!!"), CSV + ROWS + ROWS):
        table.write_text(text, "utf-8")
        boxes.append(read_own_box(table, package))
    for error in (error for box in boxes for error in box.problems):
        own, english = (said(package, error, code).split(": ", 1)[1] for code in (lang, "en"))
        assert own != english
        assert not {"correct", "write", "add", "remove", "keep"} & {*own.lower().split()}


def test_each_message_tells_a_mistake_that_there_is(package: Database) -> None:
    modules = ("own_sources.py", "load.py", "validation.py")
    code = "".join((PACKAGE / "database" / name).read_text("utf-8") for name in modules)
    told = [key.removeprefix("error.bad-box.") for key in package.messages("en") if key.startswith("error.bad-box.")]
    assert [why for why in told if f'"{why}"' not in code] == []


BAD_VALUES = {
    "count = 6": ("count = 0", "1 or more"), "attack = 1": ("attack = 1.5", "whole number"),
    "level = 1": ("level = 9", "choose from 1, 2, 3"), 'types = ["fighter"]': ('types = "fighter"', "“[”"),
    "judged = true": ('judged = "perhaps"', "true nor false"), 'id = "bog-imp"': ("id = 7", "put it between"),
    'kind = "hero"\n': ("", "add it"),
}  # fmt: skip


@pytest.mark.parametrize("old", BAD_VALUES)
def test_a_value_that_does_not_fit_is_told_with_what_does(old: str, tmp_path: Path, package: Database) -> None:
    new, remedy = BAD_VALUES[old]
    problems = read(tmp_path, changed("cards.toml", old, new), package).problems
    assert [error for error in problems if remedy in said(package, error)], [said(package, e) for e in problems]


def test_files_of_boxes_are_read_once_until_they_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path)
    place = write_box(tmp_path)
    own_boxes.switch("marsh", on=True)
    first = INSTALLATION.database()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file of a box, or the merged database, is read again")

    with monkeypatch.context() as closed:
        closed.setattr(Path, "open", refuse)
        closed.setattr("thunderref.database.own_boxes.sqlite3.connect", refuse)
        assert INSTALLATION.database() is first
    (place / "cards.toml").write_text(MARSH["cards.toml"].replace("health = 4", "health = 5"), "utf-8")
    assert INSTALLATION.database().cards["marsh:bog-imp"].health == 5
    (place / "cards.toml").write_text("[[card", "utf-8")
    assert [skipped.name for skipped in INSTALLATION.database().broken] == ["marsh"]
