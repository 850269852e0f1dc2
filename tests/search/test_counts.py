"""A count and a name are read as written, or refused by name, however they are written and wherever a list is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from starlette.datastructures import QueryParams

from thunderref.database.card_records import HAND_KINDS
from thunderref.database.read import Language, open_database
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.understand import reader, split_list, understand
from thunderref.serve import api
from thunderref.serve.tapped_pages import LIMITS, TappedLists
from thunderref.thunderstone.resolve.final_score import final_score, with_decks
from thunderref.thunderstone.resolve.start import Finder, cards_of

NAMES = {
    "en": ("militia", "torch"),
    "pl": ("ochotnik", "pochodnia"),
    "ru": ("ополченец", "факел"),
}
NOTATIONS = (
    "3{a}, 2{b}", "3x{a}, 2x{b}", "3×{a}, 2×{b}", "3 x {a}, 2 x {b}", "x3 {a}, x2 {b}", "{a} x3, {b} x2",
    "{a}x3, {b}x2", "{a} (3), {b} (2)", "(3) {a}, (2) {b}", "[3] {a}, [2] {b}", "3) {a}, 2) {b}",
    "• 3 {a}, • 2 {b}", "* 3 {a}, * 2 {b}", "- 3 {a}\n- 2 {b}", "3× {a}, 2× {b}", "３ {a}, ２ {b}",
    "3\u00a0{a}, 2\u00a0{b}", "3\u200b {a}, 2\u200b {b}", "3 {a}\n2 {b}", "{a}: 3, {b}: 2", "3*{a}, 2*{b}",
    "{a} ×3, {b} ×2", "{a}×3, {b}×2", "{a}*3, {b}*2", "{a} * 3, {b} * 2", "{a} x 3, {b} x 2", "{a} X3, {b} X2",
    "3X {a}, 2X {b}", "{a} [3], {b} [2]", "{a} (x3), {b} (x2)", "(3x) {a}, (2x) {b}", "3. {a}, 2. {b}",
    "{a} - 3, {b} - 2", "{a} – 3, {b} – 2", "3 - {a}, 2 - {b}", "{a} = 3, {b} = 2", "3: {a}, 2: {b}",
    "{a} 3, {b} 2", "{a} 3x, {b} 2x", "{a}3, {b}2", "3\u2007{a}, 2\u202f{b}", "\ufeff3 {a}, 2 {b}",
    "3\u200d{a}, 2\u200d{b}", "3\t{a}\n2\t{b}", "{a}\t3\n{b}\t2", "3 {a};2 {b}", "3 {a}\r\n2 {b}", "• 3 {a}\n• 2 {b}",
    "• {a} x3\n• {b} x2", "- {a} (3)\n- {b} (2)", "· 3 {a} · 2 {b}", "-3 {a}, -2 {b}", "③ {a}, ② {b}",
    "3\ufe0f\u20e3 {a}, 2\ufe0f\u20e3 {b}", "3 {a} 2 {b}", "{a} x3 {b} x2", "(3) {a} (2) {b}", "{a} (3) {b} (2)",
    "3) {a} 2) {b}", "2 {b}, {a}, {a}, {a}", "3х {a}, 2х {b}", "{a} х3, {b} х2", "“3 {a}”, “2 {b}”",
    # a number that is none of a card's
    "#3 {a}, #2 {b}", "III {a}, II {b}", "1. 3 {a}, 2. 2 {b}", "1. {a}, 2. {b}", "1) {a} 2) {b}", "3, {a}, 2 {b}",
    "{a}, 3, {b} 2", "3-4 {a}, 2 {b}", "2.5 {a}, 2 {b}", "1/2 {a}, 2 {b}", "~3 {a}, 2 {b}", "3 {a}, 2",
    "№3 {a}, №2 {b}",
    "2 {a} x3, 2 {b}", "2 3 {a}, 2 {b}", "0 {a}, 2 {b}", "3+ {a}, 2 {b}", "3# {a}, 2 {b}", "3 zzz {a}, 2 {b}",
    "3' {a}, 2 {b}",
    "1e1 {a}, 2 {b}", "3 {a}, 2 {b}, 4", "99999999999 {a}, 2 {b}", "½ {a}, 2 {b}", "3 {a} 4 5 {b}",
)  # fmt: skip
SPOKEN = {
    "en": (
        "three militia, two torch", "3 copies of militia, 2 copies of torch", "3 pcs militia, 2 pcs. torch",
        "three copies of the militia, a pair of torches", "militia three, torch two", "twice torch, thrice militia",
    ),
    "pl": (
        "trzech ochotników, dwie pochodnie", "3 szt. ochotnik, 2 szt. pochodnia", "3szt. ochotnik, 2szt pochodnia",
        "ochotnik 3 szt., pochodnia 2 szt.", "3 kopie ochotnika, 2 kopie pochodni", "trzej ochotnicy i dwie pochodnie",
    ),
    "ru": (
        "три ополченца, два факела", "3 шт. ополченец, 2 шт. факел", "3шт ополченец, 2шт факел",
        "ополченец 3 шт, факел 2 шт", "3 копии ополченца, 2 копии факела", "трое ополченцев и два факела",
    ),
}  # fmt: skip
PLAIN = Counter({"militia": 3, "torch": 2})
LEAST_READ = 0.7
"""The share of the notations that are read as written; all others are refused."""


def of_entries(words: Language, entries: list[str]) -> Counter[str]:
    return Counter(cards_of(entries, Finder(words.database, words.lang), HAND_KINDS))


def read_line(words: Language, text: str) -> Counter[str]:
    read = understand(words, text)
    assert read.kind == "visit", read
    return of_entries(words, read.document["hand"])


def read_battle_line(words: Language, text: str) -> Counter[str]:
    read = understand(words, f"{text} vs griffon")
    assert read.document["hall"] == ["griffon"], read
    return of_entries(words, read.document["hand"])


def read_before_a_hall(words: Language, text: str) -> Counter[str]:
    return of_entries(words, split_list(reader(words).split_battle(f"{text} vs griffon")[0], words))


def read_deck(words: Language, text: str) -> Counter[str]:
    (player,) = final_score(with_decks(words, {}, [f"Ann: {text}"]), words=words).players
    return Counter({card.id: card.count for card in player.cards})


def read_address(words: Language, text: str) -> Counter[str]:
    return of_entries(words, api.document_of("village", QueryParams({"hand": text}), words)["hand"])


def read_tapped(words: Language, text: str) -> Counter[str]:
    lists = TappedLists(words, QueryParams(""), {"hand": text}, LIMITS)
    if lists.rest:  # is asked for by name
        raise ThunderrefError("unclear")
    return Counter(lists.cards["hand"])


READERS: dict[str, Callable[[Language, str], Counter[str]]] = {
    "line": read_line,
    "line of a battle": read_battle_line,
    "list": lambda words, text: of_entries(words, split_list(text, words)),
    "hand before a hall": read_before_a_hall,
    "document": lambda words, text: of_entries(words, text.replace(";", ",").split(",")),
    "one entry": lambda words, text: of_entries(words, [text]),
    "score": read_deck,
    "address": read_address,
    "taps": read_tapped,
}


def typed(lang: str) -> Iterator[str]:
    first, second = NAMES[lang]
    yield from (notation.format(a=first, b=second) for notation in NOTATIONS)
    yield from SPOKEN[lang]


@pytest.mark.parametrize("lang", NAMES)
def test_no_count_is_dropped_or_moved(lang: str) -> None:
    words, wrong, read = Language(open_database(), lang), list[str](), Counter[str]()
    texts = list(typed(lang))
    for text in texts:
        for name, read_cards in READERS.items():
            try:
                found = read_cards(words, text)
            except ThunderrefError:
                continue
            except AssertionError as error:
                wrong.append(f"{name}: {text!r} -> {error}")
                continue
            read[name] += 1
            if found != PLAIN:
                wrong.append(f"{name}: {text!r} -> {dict(found)}")
    assert not wrong, "\n".join(wrong)
    few = {name: read[name] / len(texts) for name in READERS if read[name] < LEAST_READ * len(texts)}
    assert few.keys() <= {"one entry", "document", "score"}, few


@pytest.mark.parametrize(
    ("line", "kind", "document"),
    [
        ("2 militia, torch, 2 xp", "visit", {"hand": ["2 militia", "torch"], "xp": 2}),
        ("2 militia, torch, XP: 3", "visit", {"hand": ["2 militia", "torch"], "xp": 3}),
        ("2 ochotników, pochodnia, 2 pd", "visit", {"hand": ["2 militia", "torch"], "xp": 2}),
        ("2 ополченца, факел, 2 опыта", "visit", {"hand": ["2 militia", "torch"], "xp": 2}),
        (
            "2 militia, torch stacks: short sword, 2 dagger",
            "visit",
            {"hand": ["2 militia", "torch"], "stacks": ["short sword", "2 dagger"]},
        ),
        (
            "2 militia vs griffon rank 2, 3 xp",
            "battle",
            {"hand": ["2 militia"], "hall": [None, "griffon"], "target": 2, "xp": 3},
        ),
        (
            "2 militia, torch. monsters are griffon, sphinx",
            "battle",
            {"hand": ["2 militia", "torch"], "hall": ["griffon", "sphinx"]},
        ),
        (
            "monsters: griffon, sphinx, hand: 2 militia",
            "battle",
            {"hand": ["2 militia"], "hall": ["griffon", "sphinx"]},
        ),
    ],
)
def test_what_stands_behind_a_hand_is_no_card(line: str, kind: str, document: dict[str, object]) -> None:
    read = understand(Language(open_database(), "en"), line)
    assert read.kind == kind
    assert read.document == document


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("monsters are griffon, sphinx", "empty-hand"), ("militia, 2", "unclear"),
        ("militia level 3, torch", "unclear"), ("militia, -2 torch", "unclear"), ("torch -2 militia", "unclear"),
        ("ochotnik, -2 pochodnia", "unclear"), ("ополченец, -2 факел", "unclear"),
    ],
)  # fmt: skip
def test_what_belongs_to_no_card_is_refused(line: str, code: str) -> None:
    with pytest.raises(ThunderrefError) as raised:
        understand(Language(open_database(), "en"), line)
    assert raised.value.code == code


def test_a_number_in_a_name_stays_in_it() -> None:
    words = Language(open_database(), "en")
    for typed, cards in (
        ("horde 5", {"horde-5": 1}),
        ("2 horde 6, horde5", {"horde-6": 2, "horde-5": 1}),
        ("elf level 3, level 2 elf", {"elf-archmage": 1, "elf-sorcerer": 1}),
        ("militia#2", {"militia": 1}),
    ):
        assert of_entries(words, split_list(typed, words)) == cards
    for typed in ("horde 13", "militia level 3", "#2 militia", "2 horde 13"):
        with pytest.raises(ThunderrefError) as raised:
            of_entries(words, split_list(typed, words))
        assert raised.value.code in ("stray-number", "unknown-card", "ambiguous-card")


@pytest.mark.parametrize(
    ("entry", "code", "why"),
    [
        ("-3 militia", "stray-number", "sign"), ("–2 torch", "stray-number", "sign"),
        ("−2 torch", "stray-number", "sign"),
        ("### deck ###", "heading", None),
        ("# Hand", "heading", None), ("### deck ### 3 militia", "heading", None), ("#2 militia", "stray-number", None),
        ("militia 3 4", "stray-number", None),
    ],
)  # fmt: skip
def test_what_is_no_count_is_called_what_it_is(entry: str, code: str, why: str | None) -> None:
    with pytest.raises(InputError) as raised:
        of_entries(Language(open_database(), "en"), [entry])
    assert (raised.value.code, raised.value.params.get("why")) == (code, why)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "militia, no torch"), ("en", "militia, -2 torch"), ("pl", "ochotnik, bez pochodni"),
        ("pl", "ochotnik, -2 pochodnia"), ("ru", "ополченец, без факела"), ("ru", "ополченец, -2 факел"),
    ],
)  # fmt: skip
def test_what_is_denied_is_no_card_of_a_list(lang: str, text: str) -> None:
    words = Language(open_database(), lang)
    with pytest.raises(ThunderrefError):
        split_list(text, words)
    assert len(split_list(text.partition(",")[0], words)) == 1
