"""Verdicts about one card or two, asked of every card and compared with what the files of the database say.

The truth is read from ``db/boxes``, not from the code that answers. A question may be left to the written answers,
which give no verdict; it is never answered falsely.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

import thunderref
from support import ROOT, read_toml
from support.several import several
from thunderref.database.read import Language, open_database
from thunderref.pages.computed_page import computed_answer
from thunderref.search.understand import reader

pytestmark = pytest.mark.thorough
LANGUAGES = ("en", "pl", "ru")
ANSWERED = 0.95
"""The least share of the questions that get a verdict."""
ACCUSATIVE = 2
"""The place of the accusative among the forms of a name."""

HOLDS = {
    "en": ("can {hero} hold a {weapon}", "can a {hero} use {weapon}?", "{hero} carry {weapon}"),
    "pl": ("czy {hero} udźwignie {weapon:acc}", "czy {hero} może użyć {weapon}?", "{hero} uniesie {weapon:acc}"),
    "ru": ("может ли {hero} держать {weapon:acc}", "{hero} поднимет {weapon:acc}?", "{hero} удержит {weapon}"),
}
TOO_HEAVY = {
    "en": "is {weapon} too heavy for {hero}", "pl": "czy {weapon} jest za ciężki dla {hero}",
    "ru": "{weapon} слишком тяжёлое для {hero}?",
}  # fmt: skip
COSTS = {
    "en": ("does {card} cost {n}", "does {card} cost {n} gold?"),
    "pl": ("czy {card} kosztuje {n}", "{card} kosztuje {n} złota?"),
    "ru": ("{card} стоит {n}?", "стоит ли {card} {n} золотых"),
}
BUYS = {
    "en": ("can I buy {card} for {n} gold", "can i buy {card} with {n} gold?", "can I buy a {card} for {n}"),
    "pl": ("czy mogę kupić {card:acc} za {n} złota", "kupię {card:acc} za {n} złota?", "czy kupię {card:acc} za {n}"),
    "ru": (
        "можно купить {card:acc} за {n} золотых",
        "могу ли я купить {card} за {n} золота?",
        "куплю {card:acc} за {n}?",
    ),
}
LEVELS = {
    "en": ("can {card} level up", "can I level up {card}?"),
    "pl": ("czy {card} może awansować", "czy {card} awansuje?"),
    "ru": ("можно прокачать {card:acc}", "может ли {card} повысить уровень?"),
}
LEVELS_WITH = {
    "en": "can I level up {card} with {n} xp", "pl": "czy {card} awansuje za {n} pd",
    "ru": "можно прокачать {card:acc} за {n} опыта",
}  # fmt: skip
FIGURES = {
    "en": "does {card} have {figure} {n}", "pl": "czy {card} ma {figure} {n}", "ru": "{card}: {figure} {n}?",
}  # fmt: skip
FIGURE_NAMES = {
    "health": ("health", "zdrowie", "здоровье"), "strength": ("strength", "siłę", "сила"),
    "weight": ("weight", "ciężar", "вес"), "vp": ("vp", "pz", "очки"),
}  # fmt: skip
TYPES = {"en": "is {card} a {type}", "pl": "czy {card} to {type}", "ru": "{card} это {type}?"}
TYPE_NAMES = {
    "weapon": ("weapon", "broń", "оружие"), "spell": ("spell", "zaklęcie", "заклинание"),
    "item": ("item", "przedmiot", "предмет"), "fighter": ("fighter", "wojownik", "воин"),
    "wizard": ("wizard", "czarodziej", "волшебник"), "thief": ("thief", "złodziej", "вор"),
}  # fmt: skip
LIGHT = {
    "en": ("can I use a {card} without any hero", "does {card} give light without a hero"),
    "pl": ("czy mogę użyć {card:acc} bez bohatera", "czy {card} daje światło bez bohatera"),
    "ru": ("можно использовать {card:acc} без героя", "{card} даёт свет без героев?"),
}


class Question(NamedTuple):
    """What is asked in a language, and the verdict that the printed cards give."""

    lang: str
    text: str
    verdict: str


@cache
def cards() -> list[dict[str, Any]]:
    """The printed cards, reprints left out."""
    files = (read_toml(ROOT / "db" / "boxes" / box / "cards.toml") for box in ("base", "wrath", "promo"))
    return [card for file in files for card in file["card"] if "reprint_of" not in card]


def is_hero(card: dict[str, Any]) -> bool:
    return card["kind"] == "hero" or "hero" in card["types"]


HEROES, WEAPONS = (
    [card for card in cards() if is_hero(card)], [card for card in cards() if "weapon" in card["types"]],
)  # fmt: skip
NAMED = [card for card in cards() if not card["id"].startswith("horde")]
"""The cards of the Horde are told apart by a number, which is none of a value."""


@cache
def names(lang: str) -> dict[str, dict[str, Any]]:
    named: dict[str, dict[str, Any]] = read_toml(ROOT / "glossary" / f"{lang}.toml")["cards"]
    return named


class Name:
    """The name of a card, which a question may put into the accusative."""

    def __init__(self, lang: str, card: str) -> None:
        self.forms = names(lang)[card]

    def __format__(self, case: str) -> str:
        forms = self.forms.get("forms", ())
        return str(forms[ACCUSATIVE] if case == "acc" and len(forms) > ACCUSATIVE else self.forms["name"])


def yes(fact: bool) -> str:
    return "yes" if fact else "no"


def phrased(patterns: Any, lang: str, at: int) -> str:
    """One of the patterns of a language, in turn."""
    of_language = patterns[lang]
    return of_language if isinstance(of_language, str) else str(of_language[at % len(of_language)])


def holding() -> Iterator[Question]:
    for lang in LANGUAGES:
        pairs = ((hero, weapon) for hero in HEROES for weapon in WEAPONS)
        for at, (hero, weapon) in enumerate(pairs):
            named = {"hero": Name(lang, hero["id"]), "weapon": Name(lang, weapon["id"])}
            held = weapon["weight"] <= hero["strength"]
            yield Question(lang, phrased(HOLDS, lang, at).format(**named), yes(held))
            if at % 5 == 0:
                yield Question(lang, TOO_HEAVY[lang].format(**named), yes(not held))


def costing() -> Iterator[Question]:
    for lang in LANGUAGES:
        for at, card in enumerate(card for card in NAMED if "cost" in card):
            for n in (card["cost"], card["cost"] + 1 + at % 3):
                text = phrased(COSTS, lang, at).format(card=Name(lang, card["id"]), n=n)
                yield Question(lang, text, yes(n == card["cost"]))


def buying() -> Iterator[Question]:
    for lang in LANGUAGES:
        for at, card in enumerate(card for card in NAMED if "cost" in card):
            for n in range(max(0, card["cost"] - 1), card["cost"] + 2):
                text = phrased(BUYS, lang, at + n).format(card=Name(lang, card["id"]), n=n)
                yield Question(lang, text, yes(card["cost"] <= n))


def levelling() -> Iterator[Question]:
    for lang in LANGUAGES:
        for at, card in enumerate(HEROES):
            name, cost = Name(lang, card["id"]), card.get("level_cost")
            yield Question(lang, phrased(LEVELS, lang, at).format(card=name), yes(cost is not None))
            for n in (cost - 1, cost) if cost else (3,):
                yield Question(lang, LEVELS_WITH[lang].format(card=name, n=n), yes(cost is not None and cost <= n))


def figures() -> Iterator[Question]:
    for place, lang in enumerate(LANGUAGES):
        for card in NAMED:
            for figure, named in FIGURE_NAMES.items():
                if figure in card:
                    for n in (card[figure], card[figure] + 1):
                        text = FIGURES[lang].format(card=Name(lang, card["id"]), figure=named[place], n=n)
                        yield Question(lang, text, yes(n == card[figure]))


def types() -> Iterator[Question]:
    for place, lang in enumerate(LANGUAGES):
        for at, card in enumerate(card for card in NAMED if card["kind"] in ("hero", "village", "basic")):
            own = [kind for kind in card["types"] if kind in TYPE_NAMES]
            for kind in {*own[:1], [*TYPE_NAMES][at % len(TYPE_NAMES)]}:
                text = TYPES[lang].format(card=Name(lang, card["id"]), type=TYPE_NAMES[kind][place])
                yield Question(lang, text, yes(kind in card["types"]))


def shining() -> Iterator[Question]:
    for lang in LANGUAGES:
        for card in NAMED:
            if card.get("light") and card["kind"] in ("village", "basic"):
                for pattern in LIGHT[lang]:
                    text = pattern.format(card=Name(lang, card["id"]))
                    yield Question(lang, text, yes("weapon" not in card["types"]))


@pytest.mark.parametrize("sweep", [holding, costing, buying, levelling, figures, types, shining])
def test_no_verdict_is_false(sweep: Any, capsys: pytest.CaptureFixture[str]) -> None:
    questions = [*sweep()]
    asked = questions[:: max(1, len(questions) // several(24, len(questions)))]
    false, silent = list[str](), list[str]()
    for question in asked:
        answer = thunderref.ask(question.text, question.lang).answer
        said = answer["verdict"]
        if said is None:
            silent.append(f"{question.text}: {answer['text'][question.lang]}")
        elif said != question.verdict:
            false.append(f"{question.text}: {said}: {answer['text'][question.lang]}")
    with capsys.disabled():
        print(f"\n{sweep.__name__}: {len(asked)} questions, {len(false)} false, {len(silent)} without a verdict")
    assert not false, false
    assert len(silent) <= (1 - ANSWERED) * len(asked), silent


TIMED = {
    "en": {"breach": "breach", "battle": "battle effect", "trophy": "trophy", "spoils": "spoils"},
    "pl": {"breach": "wtargnięcie", "battle": "efekt bojowy", "trophy": "trofeum", "spoils": "łupy"},
    "ru": {"breach": "прорыв", "battle": "эффект битвы", "trophy": "трофей", "spoils": "добыча"},
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_effect_is_told_by_its_card_and_time(lang: str) -> None:
    database = open_database()
    words = Language(database, lang)
    for card, effects in database.all_effects.items():
        for effect in effects if card not in database.reprints else ():
            if said := TIMED[lang].get(effect.timing):
                text = thunderref.ask(f"{words.card(card)} {said}", lang).answer["text"][lang]
                assert str(words.text(f"card.{card}.{effect.id}"))[:25] in text, (card, said)


def test_a_card_without_an_effect_at_this_time_has_none() -> None:
    answer = thunderref.ask("griffon breach").answer
    assert (answer["verdict"], "no Breach" in answer["text"]["en"]) == ("no", True)


@pytest.mark.parametrize(
    ("question", "lang", "verdict", "said"),
    [
        ("does battle fury work on militia", "en", "yes", "Together: Attack 2."),
        ("czy racje działają na ochotnika", "pl", "yes", "Siłę +2"),
        ("does Pawnbroker work on a Griknack Goblin", "en", "yes", "gold value"),
        ("does trainer work on Redblade Killer", "en", "no", "Destroy 1 Militia"),
        ("мудрец уничтожит болезнь?", "ru", "yes", "Уничтожьте одну карту"),
        ("two barkeeps how many cards can I buy", "en", None, "3 cards"),
        ("dwóch karczmarzy ile kart mogę kupić", "pl", None, "3 karty"),
        ("how much attack do I need for Tormentor in rank 2 with one torch", "en", None, "Attack 10 is enough"),
        ("сколько атаки надо на грифона в 3 ряду без света", "ru", None, "Атака 13"),
        ("what does elf wizard level up to", "en", None, "Elf Wizard levels up to Elf Sorcerer for 2 XP."),
        ("can militia become elf wizard", "en", "yes", "for 3 XP"),
        ("can elf wizard become elf archmage", "en", "no", "Elf Sorcerer"),
        ("is elf wizard level 2", "en", "no", "Level 1"),
        ("does it cost 3 xp to level up elf wizard", "en", "no", "Level cost (XP) 2"),
        ("can elf wizard hold short sword without rations", "en", "no", "Short Sword weighs 4"),
        ("ochotnik bez racji uniesie topór?", "pl", "no", "ciężar 3"),
        ("can militia hold 2 daggers", "en", "no", "one weapon at most"),
        ("is militia free", "en", "yes", "Cost 0"),
        ("can i buy elf archmage for 11", "en", "yes", "top card of its stack"),
        ("can i buy disease", "en", "no", "no Cost"),
        ("can polearm give 6 attack", "en", None, "Attack +6 instead of +2"),
    ],
)
def test_what_is_asked_is_what_decides(question: str, lang: str, verdict: str | None, said: str) -> None:
    answer = thunderref.ask(question, lang).answer
    assert answer["verdict"] == verdict
    assert said in answer["text"][lang], answer["text"][lang]


@pytest.mark.parametrize(
    "question",
    [
        "can Toryn Scrapper wield two weapons of weight 7", "czy ochotnik może mieć dwie bronie",
        "does a magic weapon count as an item", "can militia or elf wizard hold hatchet", "can griffon hold dagger",
        "can militia hold dagger if darkness", "polearm with 7 strength", "can I level up to elf archmage",
        "barkeep two of them = 3 buys", "does banish work on dark champion", "ополченец не удержит кинжал?",
        "can i buy feast and torch for 8", "does a dagger cost less than 4", "can thyrian squire hold spear twice",
    ],
)  # fmt: skip
def test_what_is_not_understood_whole_is_not_computed(question: str) -> None:
    database = open_database()
    assert not any(computed_answer(reader(Language(database, lang)).parse(question)) for lang in LANGUAGES)
