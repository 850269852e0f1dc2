"""The texts of the glossary: complete in every language, well formed, and in our own words."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import pytest

from support import EXAMPLES
from support.files import messages, sources, texts

LANGUAGES = ("en", "pl", "ru")
LONGEST = 600
LONGEST_VARIANT = 1400
"""A variant is to be played from its text alone."""
RUN = 6
"""Words in a row that no text may share with a printed rulebook."""
HASH_BYTES = 5
FINGERPRINTS = EXAMPLES / "printed_runs.bin"
"""Sorted, HASH_BYTES each: a digest (see :func:`fingerprint`) of every run of RUN words in the printed rulebooks of the
three languages and in the listings of the cards; enough to recognise a run, not to restore one."""


def required() -> set[str]:
    """The keys of a text: abilities (a reprint uses those of its original), rules, rulings, conflicts, puzzles."""
    files = sources()
    keys = {f"card.{c.id}.{e.id}" for c in files.cards if c.reprint_of is None for e in c.effects}
    keys |= {f"rule.{rule.id}" for rule in files.rules}
    keys |= {f"clarify.{c.id}" for c in files.clarifications}
    keys |= {f"reading.{subject}.{side}" for subject in files.argued for side in ("for", "against")}
    keys |= {f"puzzle.{puzzle.id}" for puzzle in files.puzzles}
    keys |= {f"title.{rule.id}" for rule in files.rules} | {f"answer.{answer.id}" for answer in files.answers}
    return keys | {f"conflict.{conflict.id}" for conflict in files.conflicts}


def words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFC", text).casefold().replace("ё", "е")
    return re.findall(r"[^\W_]+", plain)


def runs(text: str) -> Iterator[str]:
    found = words(text)
    for start in range(len(found) - RUN + 1):
        yield " ".join(found[start : start + RUN])


def fingerprint(run: str) -> bytes:
    return hashlib.sha256(run.encode()).digest()[:HASH_BYTES]


@cache
def printed_runs() -> frozenset[bytes]:
    packed = FINGERPRINTS.read_bytes()
    return frozenset(packed[at : at + HASH_BYTES] for at in range(0, len(packed), HASH_BYTES))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_ability_rule_ruling_and_conflict_has_its_text(lang: str) -> None:
    missing = sorted(required() - set(texts(lang)))
    assert not missing, f"{len(missing)} texts missing in {lang}: {missing[:10]}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_term_explained_in_english_is_explained_in_every_language(lang: str) -> None:
    explained = {key for key in texts("en") if key.startswith("term.")}
    assert not sorted(explained - set(texts(lang)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_key_leads_nowhere(lang: str) -> None:
    known = required() | {f"term.{term.id}" for term in sources().terms}
    assert not sorted({key.removeprefix("open.") for key in texts(lang)} - known)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_short_sentences(lang: str) -> None:
    bad = [
        key
        for key, text in texts(lang).items()
        if len(text) > (LONGEST_VARIANT if key.startswith(("rule.R9.", "open.")) else LONGEST)
        or text.endswith(".") is key.startswith("title.")
        or text != text.strip()
        or re.search(r"\s\s|[\n\t]", text)
    ]
    assert not bad


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_open_stands_beside_the_rule_not_in_it(lang: str) -> None:
    marks = {
        "en": ("rulebook leaves ", "aid leaves "),
        "pl": (
            "nstrukcja nie rozstrzyga",
            "nstrukcja tego nie rozstrzyga",
            "krót nie rozstrzyga",
            "krót tego nie rozstrzyga",
        ),
        "ru": ("равила не уточняют", "равила этого не уточняют", "амятка этого не уточняет", "амятка не уточняет"),
    }[lang]
    found = texts(lang)
    wrong = [rule.id for rule in sources().rules if rule.status == "reading" and f"open.rule.{rule.id}" not in found]
    wrong += [key for key, text in found.items() if key.startswith("rule.") and any(mark in text for mark in marks)]
    assert not wrong


@pytest.mark.parametrize("lang", LANGUAGES)
def test_titles_and_answers_are_short(lang: str) -> None:
    """A title fits a heading, an answer a line or three of a narrow terminal."""
    most = {"title": 45, "answer": 260}
    assert not [key for key, text in texts(lang).items() if len(text) > most.get(key.partition(".")[0], len(text))]


@pytest.mark.parametrize(
    ("lang", "word", "but"),
    [
        ("en", r"\bdraw(s|n|ing)?\b", r"card|find|event|item"),  # a shape is entered, a tile lies
        ("en", r"wound board", None),
        ("pl", r"planszet\w+ ran\b", None),
        ("ru", r"умени", None),
        ("ru", r"планшет\w* ран\b", None),
        ("ru", r"(иг[рл]\w+|в игру) (началась|идёт|окончена|записан)", None),
    ],
)
def test_thorgal_has_one_word_for_one_thing(lang: str, word: str, but: str | None) -> None:
    everything = texts(lang) | messages(lang)
    mine = [text for key, text in everything.items() if "thorgal" in key or re.search(r"\.T\d", key)]
    assert len(mine) > 300
    found = [text for text in mine if re.search(word, text, re.IGNORECASE)]
    assert not [text for text in found if but is None or not re.search(but, text, re.IGNORECASE)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_repeats_six_words_of_a_printed_source(lang: str) -> None:
    printed = printed_runs()
    ours = [*texts(lang).items(), *messages(lang).items()]
    copied = [(key, run) for key, text in ours for run in runs(text) if fingerprint(run) in printed]
    assert not copied, f"{len(copied)} runs: {copied[:10]}"


def test_the_fingerprints_recognise_a_printed_run() -> None:
    """Three neighbours of the rulebook's dungeon example are the sample, so that a useless file cannot pass."""
    packed = FINGERPRINTS.read_bytes()
    assert len(packed) % HASH_BYTES == 0
    assert len(packed) < 1_500_000
    assert len(printed_runs()) > 30_000
    assert fingerprint(next(runs("Regian Priest, Iron Rations, THYRIAN Squire"))) in printed_runs()


def test_every_card_with_an_ability_has_a_ruling() -> None:
    ruled = {card for clarification in sources().clarifications for card in clarification.cards}
    assert not sorted(card.id for card in sources().cards if card.effects and card.id not in ruled)
