"""Messages fit together across languages: the same fields, and the plural forms each language needs."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from support.files import messages, sources
from thunderref.database.operations import Bonus
from thunderref.database.read import Language, open_database
from thunderref.database.records import text_of
from thunderref.text.messages import MessageFormatter, plural_rule

LANGUAGES = ("en", "pl", "ru")
QUOTES = {"en": "„«»", "pl": "“«»", "ru": "„“”"}
"""Marks that belong to another language."""


def fields(message: str) -> list[tuple[str, str]]:
    return [(name, form or "") for _, name, form, _ in Formatter().parse(message) if name is not None]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_can_be_read(lang: str) -> None:
    for key, message in messages(lang).items():
        for name, _ in fields(message):
            assert name.isidentifier(), f"{key}: {{{name}}}"


@pytest.mark.parametrize("lang", ["pl", "ru"])
def test_a_translation_asks_for_nothing_the_english_does_not_know(lang: str) -> None:
    english = messages("en")
    strange = {
        key: unknown
        for key, message in messages(lang).items()
        if key in english and (unknown := {n for n, _ in fields(message)} - {n for n, _ in fields(english[key])})
    }
    assert not strange


@pytest.mark.parametrize("lang", ["pl", "ru"])
def test_a_translation_leaves_nothing_out(lang: str) -> None:
    """A number may become part of a plural form, and a card may be named by the headline, but no more than that."""
    english = messages("en")
    lost = {
        key: missing
        for key, message in messages(lang).items()
        if key in english
        and (missing := {n for n, _ in fields(english[key])} - {n for n, _ in fields(message)})
        and missing != {"n"}
    }
    assert not lost


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plural_forms_are_as_many_as_the_language_has(lang: str) -> None:
    forms, _ = plural_rule(sources().glossaries[lang].plural)
    wrong = {
        key: form
        for key, message in messages(lang).items()
        for _, form in fields(message)
        if "|" in form and form.count("|") + 1 != forms
    }
    assert not wrong


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_can_be_said(lang: str) -> None:
    """With numbers for every field, as a number goes through every way of formatting."""
    words = Language(open_database(), lang)
    for key, message in messages(lang).items():
        for number in (0, 1, 2, 5, 21):
            said = words.say(key, **{name: number for name, _ in fields(message)})
            assert said.strip()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_errors_are_one_sentence_that_ends(lang: str) -> None:
    bad = {
        key: message
        for key, message in messages(lang).items()
        if key.startswith("error.")
        and key not in ("error.in-step", "error.in-file", "error.in-line")
        and (not message.endswith(".") or "\n" in message)
    }
    assert not bad


@pytest.mark.parametrize("lang", LANGUAGES)
def test_quotation_marks_are_the_languages_own(lang: str) -> None:
    wrong = {key for key, message in messages(lang).items() if set(message) & set(QUOTES[lang])}
    assert not wrong


@pytest.mark.parametrize(
    ("lang", "forms", "wanted"),
    [
        ("en", "card|cards", {0: "cards", 1: "card", 2: "cards", 21: "cards", 101: "cards"}),
        (
            "pl",
            "karta|karty|kart",
            {0: "kart", 1: "karta", 2: "karty", 4: "karty", 5: "kart", 12: "kart", 14: "kart", 21: "kart", 22: "karty",
             24: "karty", 25: "kart", 101: "kart", 112: "kart", 122: "karty"},
        ),
        (
            "ru",
            "карта|карты|карт",
            {0: "карт", 1: "карта", 2: "карты", 4: "карты", 5: "карт", 11: "карт", 12: "карт", 14: "карт", 20: "карт",
             21: "карта", 22: "карты", 25: "карт", 101: "карта", 111: "карт", 112: "карт", 121: "карта"},
        ),
    ],
)  # fmt: skip
def test_plurals(lang: str, forms: str, wanted: dict[int, str]) -> None:
    formatter = MessageFormatter(sources().glossaries[lang].plural)
    for number, form in wanted.items():
        assert formatter.format(f"{{n}} {{n:{forms}}}", n=number) == f"{number} {form}"
        assert formatter.format(f"{{n:{forms}}}", n=-number) == form


def test_signs() -> None:
    formatter = MessageFormatter("n != 1")
    assert formatter.format("{a:+} {b:+} {c}", a=2, b=-3, c=-4) == "+2 −3 −4"


def test_a_word_without_translation_is_english() -> None:
    words = Language(open_database(), "en")
    words.lang = "xx"  # as a language that has nothing yet
    assert words.card("fireball") == "Fireball"
    assert words.text("rule.R0") == Language(open_database(), "en").text("rule.R0")
    assert words.card("no-such-card") == "no-such-card"


def test_what_a_card_counts_can_be_said() -> None:
    """“Attack +4 for 2 monster cards”: there is a message for every kind of card that a bonus counts."""
    counted = {
        operation.per.kind
        for card in sources().cards
        for effect in card.effects
        for operation in effect.do
        if isinstance(operation, Bonus) and operation.per is not None
    }
    assert {f"term.per.{kind}" for kind in counted} == {key for key in messages("en") if key.startswith("term.per.")}


LATIN = frozenset((
    "AA", "AAB", "AB", "CSV", "Dask", "Enter", "Faeyn", "Feayn", "JSON", "Mythlur", "NaN", "Node",
    "PYTHONIOENCODING", "PowerShell", "Python", "QR", "TOML", "Thunderstone", "UTF", "Yucata", "any", "auto",
    "base", "board", "box", "cards", "cmd", "cost", "crossing", "dask", "disease", "en", "enemy", "events", "false",
    "fight", "fireball", "game", "guardian", "heal", "health", "hero", "https", "id", "js", "json", "judged",
    "kind", "lost", "marauding", "militia", "monster", "no", "not", "odyssey", "of", "others", "pip", "planner",
    "processes", "pursuit", "random", "reprint", "rolls", "round", "ru", "scheduler", "solo", "start", "strength",
    "tcp", "text", "thorgal", "threat", "thunderref", "toml", "trap", "treasure", "true", "undo", "use", "utf",
    "village", "weight", "why", "won", "worker", "wound", "wrath", "xp", "yes", "yucata",
))  # fmt: skip
"""What stays in Latin letters in a Russian sentence: what is typed, formats, and the names that a conflict is about."""
TYPED = re.compile(r"--[\w-]+|\{[^}]*\}|[«„“]thunderref[^»”]*[»”]")
"""Options, fields and commands."""


APART = (
    "help.",
    "ask.words.",
    "search.words.",
    "door.words.",
    "list.words.",
    "query.words.",
    "thorgal.words.",
    "setup.words.",
    "prompt.",
    "name.undeclined",
)


def said(lang: str) -> dict[str, str]:
    """Every sentence of a language, help pages and the words that steer how a line is read apart."""
    glossary = sources().glossaries[lang]
    entries = [*glossary.texts.items(), *glossary.messages.items()]
    return {key: text_of(entry) for key, entry in entries if not key.startswith(APART)}


def test_no_english_is_left_in_russian() -> None:
    left = {
        key: words
        for key, text in said("ru").items()
        if (words := set(re.findall(r"[A-Za-z]{2,}", TYPED.sub("", text))) - LATIN)
    }
    assert not left


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_word_mixes_alphabets(lang: str) -> None:
    """A Latin “c” in a Russian word looks right and is never found by a search."""
    names = {key: entry.name for key, entry in sources().glossaries[lang].cards.items()}
    mixed = re.compile(r"[А-яЁё][A-Za-z]|[A-Za-z][А-яЁё]")
    assert not [key for key, text in (said(lang) | names).items() if mixed.search(TYPED.sub("", text))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_dashes_and_spaces_are_the_languages_own(lang: str) -> None:
    foreign = {"en": r"\w \N{EN DASH} \w", "pl": "\N{EM DASH}", "ru": r"\w \N{EN DASH} \w"}[lang]
    wrong = re.compile(rf"{foreign}|\w - \w|[^\n ]  +\S|\w [,.;:!](?:\s|$)|\.\.\.")
    assert not {key: text for key, text in said(lang).items() if wrong.search(TYPED.sub("x", text))}
