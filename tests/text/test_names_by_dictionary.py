"""The declined names against dictionaries of Polish and Russian: each word in the case that its place is of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import pytest

import thunderref
from support.files import sources
from support.scenarios import errand, whole_turn
from support.several import several
from thunderref.database.read import Language, open_database
from thunderref.errors import ThunderrefError
from thunderref.pages.battle_page import battle_pages
from thunderref.pages.visit_page import visit_pages

Reading = tuple[str, str | None, str | None, str | None]
"""Lexeme, number, case and gender of a word; a word that is not in the dictionary has no reading."""
Read = Callable[[str], Iterator[Reading]]
EXCEPTIONS = {
    "only of this game": "diin faeyn gohleńczyk griknak lorigg migopies mortis mythlur regijczyk runotwórca selurin "
    "skaladak szaroskóry thyryjczyk toryńczyk trupignat tyxr uyril гохлен грикнак диин злобозверь лоригг митлуриан "
    "мортис порубежник региец редблейд рунорождённая рунорождённый самосвет селурин серокожий скаладак тизр тириец "
    "торинец трущобник уйрил фэйн",
    "in the dictionary only with another meaning": "боевика заместитель тьма",
    "a creature here, a thing in the dictionary": "морок фантом",
    "too rare or too new": "ożywieniec sukkub teurg uzdrawiciel архигерцог архимаг голем дварф клановец лучница никса",
}
STAY = """agonii bractwa bólu cienia dymu graala gromu klanu krwi lawy magów ognia ostrzami pary powietrza
przewidywania rubieży siły tajemnic wody z zamiany ziemi śmierci żalu агонии боли воды воздуха грома дымом замены земли
клейма кости кровавого кровью лавой лезвиями магов мёртвой налогов огненного огня паром предвидения с силы смерти тайны
тенью черепа"""
TAGS = {"sg": "sing", "pl": "plur", "nom": "nomn", "gen": "gent", "dat": "datv", "acc": "accs", "ins": "ablt"}
dictionary = cache(lambda module, kind: getattr(pytest.importorskip(module), kind)())


def polish(word: str) -> Iterator[Reading]:
    for _, _, (text, lexeme, tag, *_) in dictionary("morfeusz2", "Morfeusz").analyse(word):
        parts = [part.split(".") for part in re.sub(r"m\d", "m", tag).split(":")[1:4]]
        for number, case, gender in product(*parts) if text == word and len(parts) == 3 else ():
            yield lexeme, TAGS.get(number), TAGS.get(case[:3]), gender


def russian(word: str) -> Iterator[Reading]:
    known = dictionary("pymorphy3", "MorphAnalyzer")
    for each in known.parse(word) if known.word_is_known(word) else ():
        yield f"{each.normal_form} {each.tag.POS}", each.tag.number, each.tag.case, each.tag.gender


def place(case: str, lexeme: str, name: Any) -> tuple[str, str]:
    """Number and case of a word of this lexeme; after 2, 3, 4 a Russian noun is in the singular, the rest is not."""
    if case in ("few", "many"):
        nominative = name.gender == "f" if lexeme.endswith(("ADJF", "PRTF")) else name.forms[-2] != name.forms[-1]
        few, noun = case == "few", lexeme.endswith("NOUN")
        return "sing" if few and noun else "plur", "nomn" if few and nominative and not noun else "gent"
    return "plur" if name.gender == "p" else "sing", TAGS[case]


def fits(read: Read, name: Any, case: str, word: str, form: str) -> bool:
    if word in STAY.split():  # it depends on the head of the name
        return form == word
    base = {(each, gender) for each, *at, gender in read(word) if (*at,) == place("nom", each, name)}
    found = {(each, gender) for each, *at, gender in read(form) if (*at,) == place(case, each, name)}
    return any(each == lexeme and of in (gender, None) for each, of in found for lexeme, gender in base)


def misfits(read: Read, cases: Sequence[str], names: Mapping[str, Any]) -> Iterator[str]:
    for card, name in names.items():
        words, *rows = (re.findall(r"[^\W\d_]+", text.lower()) for text in (name.name, *name.forms))
        if name.gender in ("m", "i") and (name.forms[cases.index("acc")] == name.name) != (name.gender == "i"):
            yield f"{card}: gender"
        for case, row in zip(cases, rows, strict=True):
            for word, form in zip(words, row, strict=True):
                if word not in " ".join(EXCEPTIONS.values()).split() and not fits(read, name, case, word, form):
                    yield f"{card}: {case} {form}"


@pytest.mark.parametrize(("lang", "read"), [("pl", polish), ("ru", russian)])
def test_the_declined_names_are_in_their_cases(lang: str, read: Read) -> None:
    glossary: Any = sources().glossaries[lang]
    assert list(misfits(read, glossary.cases, glossary.cards)) == []


def rendered(words: Language, seeds: Iterable[int]) -> Iterator[str]:
    """The lines of battles and visits, a fifth of them visits."""
    for seed in seeds:
        with suppress(ThunderrefError):
            if seed % 5:
                result = thunderref.resolve(whole_turn(seed), lang=words.lang)
                pages = battle_pages(result, result.targets, words)
            else:
                pages = visit_pages(thunderref.village(errand(seed), lang=words.lang), words)
            for page in pages:
                yield page.headline
                yield from (line.text for block in page.blocks for line in block.lines)


def governs(lang: str, word: str) -> bool:
    """True for an order or a preposition: what follows is not in the nominative."""
    if lang == "ru":
        return any(
            "impr" in each.tag or "PREP" in each.tag for each in dictionary("pymorphy3", "MorphAnalyzer").parse(word)
        )
    tags = [tag for _, _, (_, _, tag, *_) in dictionary("morfeusz2", "Morfeusz").analyse(word)]
    return any(tag.startswith(("impt", "prep")) for tag in tags) and "conj" not in tags  # "lub" is both


@pytest.mark.parametrize("lang", ["pl", "ru"])
def test_no_name_stands_undeclined_after_an_order_or_a_preposition(lang: str) -> None:
    """THUNDERREF_EXAMPLES tries 500 battles and visits."""
    words = Language(open_database(), lang)
    names = {str(words.card(card)): words.card(card).forms["acc"] for card in open_database().cards}
    changing = "|".join(
        sorted((re.escape(name) for name, form in names.items() if form != name), key=len, reverse=True)
    )
    lines = [*rendered(words, range(several(25, 500)))]
    found = [match for line in lines for match in re.finditer(rf"(\w+) ({changing})(?!\w)", line)]
    assert len(lines) > 200
    assert len(found) > 20
    assert not [match.string for match in found if governs(lang, match[1].lower())]
