"""One fault in the hand-edited files: the error names file, key and remedy, and an older database stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest

from support.files import copy_sources, sources
from thunderref.database.build import build
from thunderref.database.load import bad_file, check_sources, load_sources
from thunderref.database.paths import metadata_path
from thunderref.errors import InputError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    copy_sources(tmp_path / "tree")
    return tmp_path / "tree"


Change = Callable[[str], str]


def swap(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text, f"{old!r} is not in the file any more"
        return text.replace(old, new, 1)

    return change


def add(more: str) -> Change:
    return lambda text: text + more


def within(record: str, old: str, new: str) -> Change:
    """Swaps in the record with this id only."""

    def change(text: str) -> str:
        at = text.index(f'id = "{record}"')
        assert old in text[at:]
        return text[:at] + text[at:].replace(old, new, 1)

    return change


def line(pattern: str, new: str) -> Change:
    def change(text: str) -> str:
        assert re.search(pattern, text, re.M)
        return re.sub(pattern, new, text, count=1, flags=re.M)

    return change


CARDS = "db/boxes/base/cards.toml"
FAULTS: dict[str, tuple[str, Change, str, str]] = {
    # name: file, fault, what the key has to contain, what the problem has to say
    "unknown key": (CARDS, within("torch", "light = 1", "lights = 1"), "card[torch].lights", "correct or remove it"),
    "box of a card": (
        CARDS,
        within("torch", "light = 1", 'set_id = "wrath"'),
        "card[torch].set_id",
        "correct or remove",
    ),
    "game of a rule": (
        "db/rules.toml",
        line(r'^id = "R0.4"$', 'id = "R0.4"\ngame = "thorgal"'),
        "rule[R0.4].game",
        "correct or remove",
    ),
    "unknown key of an effect": (
        CARDS,
        within("iron-rations", 'timing = "dungeon"', 'when = "dungeon"'),
        "card[iron-rations].effects[dungeon]",
        "(and 1 more)",
    ),
    "unknown key of an operation": (
        CARDS,
        within("iron-rations", "amount = 2", "amounts = 2"),
        "card[iron-rations].effects[dungeon].do[0]",
        "",
    ),
    "unknown operation": (
        CARDS,
        within("iron-rations", 'op = "bonus"', 'op = "bonsu"'),
        "card[iron-rations].effects[dungeon].do[0]",
        "bonsu",
    ),
    "missing key": (CARDS, within("torch", "count = 15\n", ""), "card[torch].count", "required"),
    "negative figure": (
        CARDS,
        within("torch", "cost = 3", "cost = -3"),
        "card[torch].cost",
        "greater than or equal to 0",
    ),
    "figure too large": (
        CARDS,
        within("torch", "light = 1", "light = 9"),
        "card[torch].light",
        "less than or equal to 5",
    ),
    "figure of the wrong kind": (CARDS, within("torch", "cost = 3", 'cost = "three"'), "card[torch].cost", "integer"),
    "no such kind": (CARDS, within("torch", 'kind = "basic"', 'kind = "basis"'), "card[torch].kind", "'basic'"),
    "hero without a level": (CARDS, within("amazon-archer", "level = 1\n", ""), "card[amazon-archer]", "level 1 to 3"),
    "weapon without a weight": (CARDS, within("dagger", "weight = 2\n", ""), "card[dagger]", "has a weight"),
    "dangling rule": (
        CARDS,
        within("iron-rations", 'rules = ["R4.2"', 'rules = ["R4.99"'),
        "card[iron-rations].effects[dungeon].rules",
        "“R4.99” is not defined: correct or add it",
    ),
    "dangling family": (
        CARDS,
        within("amazon-archer", 'family = "amazon"', 'family = "amazons"'),
        "card[amazon-archer].family",
        "“amazons”",
    ),
    "dangling card of an effect": (
        CARDS,
        swap('op = "gain", card = "disease"', 'op = "gain", card = "diseases"'),
        ".gain.card",
        "“diseases”",
    ),
    "dangling type of an effect": (CARDS, swap('type = "food"', 'type = "foods"'), ".effects[", "“foods”"),
    "two cards of one id": (
        CARDS,
        add('\n[[card]]\nid = "torch"\nkind = "basic"\ncount = 1\ntypes = ["item"]\n'),
        "torch",
        "twice",
    ),
    "two effects of one id": (
        CARDS,
        add('\n[[card.effects]]\nid = "global"\ntiming = "global"\n' * 2),
        "card[",
        "unique",
    ),
    "effect id that does not follow the timing": (
        CARDS,
        within("iron-rations", 'id = "dungeon"', 'id = "eat"'),
        "card[iron-rations].effects[eat].id",
        "“dungeon”",
    ),
    "malformed": (CARDS, add("\n[[card]\n"), "-", "line"),
    "not UTF-8": (CARDS, add("# \udcff\n"), "-", "utf-8"),
    "rule defined twice": ("db/rules.toml", add('\n[[rule]]\nid = "R0.1"\n'), "R0.1", "twice"),
    "dangling reference of a rule": (
        "db/rules.toml",
        swap('see = ["R5.9"', 'see = ["R5.0"'),
        "rule[R0.2].see",
        "“R5.0”",
    ),
    "unknown status": (
        "db/rules.toml",
        add('\n[[rule]]\nid = "R99"\nstatus = "guess"\n'),
        "rule[R99].status",
        "'reading'",
    ),
    "term defined twice": ("db/terms.toml", add('\n[[term]]\nid = "equip"\ngroup = "term"\n'), "equip", "twice"),
    "ruling of no card": (
        "db/clarifications.toml",
        add('\n[[clarification]]\nid = "x"\ncards = ["torchlight"]\n'),
        "clarification[x].cards",
        "“torchlight”",
    ),
    "ruling on nothing": (
        "db/clarifications.toml",
        add('\n[[clarification]]\nid = "x"\nsources = ["card: Militia"]\n'),
        "clarification[x].rules",
        "is empty: a ruling on no card names the rules it belongs to",
    ),
    "source in no book": (
        "db/rules.toml",
        swap('"base.pl: Złota zasada"', '"base.fr: Règle d\'or"'),
        "rule[R0.1].sources",
        "“base.fr: Règle d'or” is no source: write a book (base.pl, base.en-yucata,",
    ),
    "source without a heading": (
        "db/rules.toml",
        swap('"base.pl: Złota zasada"', '"base.pl"'),
        "rule[R0.1].sources",
        "and the heading",
    ),
    "source that is no card": (
        "db/clarifications.toml",
        swap('"card: Militia"', '"card: militia"'),
        "clarification[militia].sources",
        "no card has the English name “militia”: correct it",
    ),
    "source named twice": (
        "db/rules.toml",
        swap('"base.pl: Złota zasada",', '"base.pl: Złota zasada", "base.pl: Złota zasada",'),
        "rule[R0.1].sources",
        "keep one",
    ),
    "rule that rests on nothing": (
        "db/rules.toml",
        line(r'^(id = "R0.1"\n)sources = .*\n', r"\1"),
        "rule[R0.1].sources",
        "add a source, or for a reading the texts reading.R0.1.for and reading.R0.1.against",
    ),
    "reading with one side only": (
        "glossary/en.toml",
        line(r'^"reading.R5.9.against" = .*\n', ""),
        "texts.reading.R5.9.against",
        "add it",
    ),
    "no such attestation": (
        "db/boxes/promo/cards.toml",
        swap('attested = "one"', 'attested = "three"'),
        "attested",
        "'printed', 'two' or 'one'",
    ),
    "conflict over no term": (
        "db/conflicts.toml",
        add('\n[[conflict]]\nid = "x"\nterms = ["lightness"]\nsources = ["card"]\n'),
        "conflict[x].terms",
        "“lightness”",
    ),
    "conflict of unknown source": (
        "db/conflicts.toml",
        add('\n[[conflict]]\nid = "x"\nsources = ["wiki"]\n'),
        "conflict[x].sources",
        "'base.en'",
    ),
    "feature of no family": (
        "db/boxes/wrath/box.toml",
        swap('"trap-death", "trap-dire"', '"trap-death", "trap-doom"'),
        "feature_deck.pile",
        "“trap-doom”",
    ),
    "family of two boxes": (
        "db/boxes/promo/box.toml",
        add('\n[[family]]\nid = "elf"\nkind = "hero"\n'),
        "elf",
        "is defined twice",
    ),
    "box of the future": ("db/boxes/base/box.toml", swap("format = 1", "format = 2"), "format", "1"),
    "theme of an unknown hero": ("db/themes.toml", swap('"elf"', '"elves"'), ".heroes", "“elves”"),
    "name of no card": (
        "glossary/pl.toml",
        swap("\n[cards]\n", '\n[cards]\nlamp = { name = "Lampa" }\n'),
        "cards",
        "“lamp”",
    ),
    "empty name": (
        "glossary/pl.toml",
        line(r"^torch = .*$", 'torch = { name = "" }'),
        "cards.torch.name",
        "1 character",
    ),
    "name missing": ("glossary/pl.toml", line(r"^torch = .*\n", ""), "cards.torch", "is missing: add it"),
    "text missing": ("glossary/ru.toml", line(r'^"rule.R5.11" = .*\n', ""), "texts.rule.R5.11", "is missing: add it"),
    "message missing": ("glossary/ru.toml", line(r'^"db.built" = .*\n', ""), "messages.db.built", "is missing: add it"),
    "text of nothing": (
        "glossary/en.toml",
        swap("\n[texts]\n", '\n[texts]\n"card.torch.glow" = "Glows."\n'),
        "texts",
        "“card.torch.glow”",
    ),
    "text written twice": (
        "glossary/en.toml",
        swap("\n[texts]\n", '\n[texts]\n"rule.R0" = "Once more."\n'),
        "-",
        "overwrite",
    ),
    "another language inside": (
        "glossary/ru.toml",
        swap('lang = "ru"', 'lang = "pl"'),
        "lang",
        "correct one of the two",
    ),
    "a rule that leads to another game": (
        "db/thorgal/rules.toml",
        swap('see = ["T3.3", "T12.5"]', 'see = ["R5.1"]'),
        "rule[T0.1].see",
        "R5.1",
    ),
    "a rule with the letter of another game": (
        "db/thorgal/rules.toml",
        swap('id = "T0.2"', 'id = "R99.2"'),
        "rule[R99.2].id",
        "begin with",
    ),
    "a term that another game has": ("db/thorgal/terms.toml", swap('id = "ore"', 'id = "hero"'), "hero", "twice"),
    "a rule of a further game without its text": (
        "glossary/pl.thorgal.toml",
        line(r'^"rule\.T21\.3" = .*\n', ""),
        "texts.rule.T21.3",
        "missing",
    ),
    "a sampled set-up without its last figure": (
        "db/reference.toml",
        line(r"^    \[(.*), [\d.]+\],$", r"    [\1],"),
        "reference[0].setups[0].5",
        "field required",
    ),
    "a sampled set-up that stands there twice": (
        "db/reference.toml",
        line(r"^(    \[.*\],)$", r"\1\n\1"),
        "reference",
        "twice",
    ),
    "a question about nothing": (
        "glossary/pl.ask.toml",
        swap('"term.light" = ', '"term.lights" = '),
        "ask",
        "“term.lights” is not defined",
    ),
}


@pytest.mark.parametrize(("file", "fault", "key", "problem"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_named(tree: Path, file: str, fault: Change, key: str, problem: str) -> None:
    path = tree / file
    path.write_bytes(fault(path.read_text("utf-8")).encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as refusal:
        check_sources(load_sources(tree))
    said = refusal.value
    assert said.code == "bad-file"
    assert said.params["file"].endswith(file)
    assert key in said.params["key"]
    assert problem.lower() in said.params["problem"].lower()
    assert "\n" not in said.params["problem"]


def test_the_files_have_no_fault(tree: Path) -> None:
    check_sources(sources())
    check_sources(load_sources(tree))


@pytest.mark.parametrize("file", [CARDS, "db/rules.toml", "db/setups.toml", "glossary/en.toml"])
def test_a_missing_file_is_named(tree: Path, file: str) -> None:
    (tree / file).unlink()
    with pytest.raises(InputError) as refusal:
        check_sources(load_sources(tree))
    assert (refusal.value.code, refusal.value.status) == ("missing-file", 2)
    assert refusal.value.params["file"].endswith(file)


def test_a_file_is_named_with_slashes_on_every_system() -> None:
    error = bad_file(PureWindowsPath(r"C:\thunderref\db\boxes\base\cards.toml"), "card[torch]", "is wrong")
    assert error.params["file"] == "C:/thunderref/db/boxes/base/cards.toml"


def test_a_folder_without_its_box_is_refused(tree: Path) -> None:
    (tree / "db/boxes/dragonspire").mkdir()
    (tree / "db/boxes/dragonspire/cards.toml").write_text("card = []\n", encoding="utf-8")
    with pytest.raises(InputError) as refusal:
        load_sources(tree)
    assert refusal.value.code == "missing-file"
    assert refusal.value.params["file"].endswith("dragonspire/box.toml")


def test_a_key_in_two_parts_of_a_language_is_refused(tree: Path) -> None:
    text = 'lang = "pl"\n[messages]\n"db.built" = "znowu"\n'
    (tree / "glossary" / "pl.more.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refusal:
        load_sources(tree)
    assert refusal.value.params["key"] == "messages.db.built"
    assert "twice" in refusal.value.params["problem"]


def test_a_failed_build_leaves_the_old_database_and_nothing_else(tree: Path, tmp_path: Path) -> None:
    target = tmp_path / "data" / "thunderref.sqlite"
    build(tree, target)
    before = {found.name: found.read_bytes() for found in target.parent.iterdir()}
    assert set(before) == {target.name, metadata_path(target).name}
    path = tree / CARDS
    path.write_text(path.read_text("utf-8").replace("light = 1", "light = 9", 1), encoding="utf-8")
    with pytest.raises(InputError):
        build(tree, target)
    assert {found.name: found.read_bytes() for found in target.parent.iterdir()} == before
