"""The player's page of cards, rules, answers, battles and visits: it fits a terminal and is no scholar's page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain

import pytest

import thunderref
from support import ROOT
from support.measures import read_measure
from support.several import several
from thunderref.cli.render import fit_page, plain
from thunderref.database.read import Language, open_database
from thunderref.errors import NoAnswerError
from thunderref.pages.battle_page import target_page
from thunderref.pages.card_page import card_page
from thunderref.pages.page import Page, player_page
from thunderref.pages.rule_page import answer_page, rule_pages
from thunderref.pages.visit_page import visit_pages
from thunderref.search.ask import SHOWN, ask_games
from thunderref.search.card import card_record
from thunderref.search.rules import find_rules

LANGUAGES = ("en", "pl", "ru")
WIDTH, MOST = 75, 20
"""Columns inside the frame of 80, and the rows of 23 that its edges and the prompt leave."""
QUESTIONS = several(20, 40)
pytestmark = pytest.mark.thorough
BATTLES = [
    ("2 militia, torch", "griffon"),
    ("thyrian squire, iron rations, polearm, torch", "griffon"),
    ("2 militia, dagger, torch", "griknack goblin, griffon"),
    ("elf wizard, fireball, torch", "blink dog"),
    ("2 disease, regian priest, thyrian squire, torch", "suffering"),
    ("outlands warrior, dagger", "thunder wrath"),
    ("thyrian squire, polearm, goodberries, torch", "sphinx"),
    ("clan champion, clan sergeant, spear, warhammer, ambrosia, amulet of power", "archduke of pain"),
    ("chalice paladin, hatchet, militia, 2 torch", "nixie"),
    ("outlands khan, hatchet, battle fury, torch", "fire wrath"),
    ("2 militia, thyrian knight", "blink dog"),
    ("runespawn witch, torch", "griffon, kingdom"),
]
"""Hand and hall."""
VISITS: list[dict[str, object]] = [
    {"hand": ["barkeep", "town guard", "lorigg thief", "militia"], "xp": 3, "stacks": ["short sword", "lorigg rogue"]},
    {"hand": ["2 torch", "militia"], "xp": 3},
    {"hand": ["pawnbroker", "battle fury", "torch"], "stacks": ["banish", "short sword"]},
    {"hand": ["trainer", "sage", "2 militia"], "stacks": ["outlands warrior"]},
    {"hand": ["3 torch", "2 dagger", "disease"], "stacks": ["outlands warrior", "banish", "short sword"]},
    {"hand": ["disease"], "stacks": ["banish"]},
]


@cache
def speaking(lang: str) -> Language:
    return Language(open_database(), lang)


def card_pages(words: Language) -> Iterator[tuple[str, Sequence[Page]]]:
    for card in words.database.cards:
        yield card, [card_page(words, card_record(words.database, card, words.lang))]


def pages_of_rules(words: Language) -> Iterator[tuple[str, Sequence[Page]]]:
    """Of every rule that is no chapter: a chapter is a list of its rules."""
    for rule, text in words.database.query("SELECT id, status FROM rules ORDER BY position"):
        if "." in rule and text is not None:
            yield rule, rule_pages([words], find_rules(words.database, rule, words.lang), 1)


def answers(words: Language) -> Iterator[tuple[str, Sequence[Page]]]:
    """To questions from all over the list of people who had seen no answers; what is refused has none."""
    asked = read_measure(ROOT / "tests" / "search" / "questions.toml")["tune"][words.lang]
    for question, _ in asked[:: len(asked) // QUESTIONS][:QUESTIONS]:
        with suppress(NoAnswerError):
            yield question, [answer_page([words], ask_games(words.database, question), SHOWN)]


def battles(words: Language) -> Iterator[tuple[str, Sequence[Page]]]:
    for hand, hall in BATTLES:
        found = thunderref.resolve({"hand": hand.split(", "), "hall": hall.split(", ")}, words.lang)
        for target in found.targets:
            yield f"{hand} vs {target.monster}", [target_page(target, words)]


def visits(words: Language) -> Iterator[tuple[str, Sequence[Page]]]:
    for document in VISITS:
        yield str(document["hand"]), visit_pages(thunderref.village(document, words.lang), words)


ALL: dict[str, Callable[[Language], Iterator[tuple[str, Sequence[Page]]]]] = {
    "cards": card_pages, "rules": pages_of_rules, "answers": answers, "battles": battles, "visits": visits,
}  # fmt: skip


@cache
def pages_of(kind: str, lang: str) -> list[tuple[str, Sequence[Page]]]:
    return [*ALL[kind](speaking(lang))]


@cache
def drawn(kind: str, lang: str) -> dict[str, str]:
    """The player's pages of a kind as they stand on a terminal; pages shown together are one."""
    more = speaking(lang).say("page.more")
    return {
        name: "\n".join(plain(fit_page(player_page(page), MOST, WIDTH, more), WIDTH) for page in shown)
        for name, shown in pages_of(kind, lang)
    }


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ALL)
def test_it_fits_a_terminal(kind: str, lang: str) -> None:
    rows = {name: page.count("\n") + 1 for name, page in drawn(kind, lang).items()}
    assert len(rows) >= {"answers": QUESTIONS * 3 // 4, "battles": len(BATTLES), "visits": len(VISITS)}.get(kind, 100)
    longer = [f"{name} {n}" for name, n in rows.items() if n > MOST]
    assert not longer, "; ".join(longer)
    assert max(len(row) for page in drawn(kind, lang).values() for row in page.splitlines()) <= WIDTH


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["battles", "visits"])
def test_lines_of_a_sum_begin_with_a_capital(kind: str, lang: str) -> None:
    heading = speaking(lang).say("resolve.reckon")
    blocks = [block for _, shown in pages_of(kind, lang) for page in shown for block in page.blocks]
    lines = [line.text for block in blocks if block.heading == heading for line in block.lines]
    assert lines
    assert [text for text in lines if text[:1].islower()] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ALL)
def test_it_has_no_id_and_no_source(kind: str, lang: str) -> None:
    say, data = speaking(lang).say, open_database()
    ids = {card for card in data.cards if "-" in card} | {f"{switch}=" for switch in data.switches}
    books = {say(key) for key in data.messages(lang) if re.fullmatch(r"source\.[a-z]+\.[a-z]+", key)}
    said = {say("source.line", sources="").strip(), say("source.for", text="").strip(), "id:", "#", "thunderref"}
    wrong = {}
    for name, page in drawn(kind, lang).items():
        body = page.partition("\n")[2] if kind == "answers" else page  # the question may name anything
        flat = " ".join(body.split())
        found = {word for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+=?", flat) if word in ids}
        if found := found | {each for each in said | books if each in flat}:
            wrong[name] = found
    assert wrong == {}


@pytest.mark.parametrize("lang", ["pl", "ru"])
@pytest.mark.parametrize("kind", ALL)
def test_no_english_name_stands_on_it(kind: str, lang: str) -> None:
    """Every card has a name in the reader's language; in Russian no word but an option is in Latin letters."""
    names = {speaking("en").card(card) for card in open_database().cards}
    own = " ".join(chain(*(speaking(lang).card(card).forms.values() for card in open_database().cards)))
    own += " ".join(map(speaking(lang).card, open_database().cards))
    foreign = [re.compile(rf"\b{re.escape(name)}\b") for name in names if name not in own]
    wrong = {}
    for name, page in drawn(kind, lang).items():
        body = page.partition("\n")[2] if kind == "answers" else page
        found = {each[0] for pattern in foreign if (each := pattern.search(body))}
        if lang == "ru":
            found |= set(re.findall(r"(?<!-)\b[A-Za-z]{3,}\b", body))
        if found:
            wrong[name] = found
    assert wrong == {}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ALL)
def test_the_scholars_page_adds_and_takes_nothing_away(kind: str, lang: str) -> None:
    for _, shown in pages_of(kind, lang):
        for page in shown:
            whole = " ".join(plain(page, None).split())
            for row in plain(player_page(page), None).splitlines():
                assert " ".join(row.split()) in whole
