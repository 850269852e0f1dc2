"""A name alone, or with a word such as "card" beside it, shows its card, and is never judged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import thunderref
from support.several import first, several
from thunderref.database.read import Language, open_database
from thunderref.errors import ThunderrefError
from thunderref.pages.computed_page import computed_answer
from thunderref.search.card import card_document
from thunderref.search.understand import reader, understand

BESIDE = {
    "en": (
        "{}", "{}?", "{} card", "the {}", "what is {}", "{} rules", "{} clarification", "{} ruling", "rules for {}",
        "what is the {}?", "card: {}", "{} faq", "about {}", "the {} card",
    ),
    "pl": ("{}", "karta {}", "{}?", "co to jest {}", "zasady {:gen}", "zasady {}", "{} karta", "{:gen}"),
    "ru": ("{}", "карта {}", "{}?", "что такое {}", "правила {:gen}", "правила {}", "{} карта", "{:gen}"),
}  # fmt: skip
"""Language -> what may stand beside a name, declined or not."""


def lines(words: Language) -> Iterator[tuple[str, str]]:
    """(card, line) for each card that is no reprint and whatever may stand beside its name."""
    for card in words.database.cards.values():
        name = words.card(card.id)
        for beside in first(BESIDE[words.lang], several(2, 20)) if card.reprint_of is None else ():
            yield card.id, beside.replace("{:gen}", name.forms.get("gen", name)).replace("{}", name)


@pytest.mark.thorough
@pytest.mark.parametrize("lang", BESIDE)
def test_every_name_is_its_card(lang: str) -> None:
    words, wrong = Language(open_database(), lang), list[tuple[str, str, object]]()
    for card, line in lines(words):
        try:
            read, answer = understand(words, line), computed_answer(reader(words).parse(line))
            shown = [each["id"] for each in card_document(words, read.document["query"])[0]["matches"]]
            said = (read.kind, shown, answer and (answer["verdict"], answer["cards"]))
        except ThunderrefError as error:
            wrong.append((card, line, error.code))
            continue
        if said != ("card", [card], (None, [card])):
            wrong.append((card, line, said))
    assert not wrong


@pytest.mark.parametrize(
    ("line", "lang", "card"),
    [
        ("magic missle", "en", "magic-missile"), ("magic aura", "en", "magical-aura"), ("the sage", "en", "sage"),
        ("dwarf guardians", "en", "dwarf-guardian"), ("torch card", "en", "torch"),
        ("flamming sword", "en", "flaming-sword"),
        ("karta pochodni", "pl", "torch"), ("zasady mędrca", "pl", "sage"), ("правила мудреца", "ru", "sage"),
        ("карта факел", "ru", "torch"), ("fire ball rules", "en", "fireball"), ("the cage", "en", "the-cage"),
    ],
)  # fmt: skip
def test_a_name_in_another_form_is_its_card(line: str, lang: str, card: str) -> None:
    assert understand(Language(open_database(), lang), line).kind == "card"
    answer = thunderref.ask(line, lang).answer
    assert (answer["kind"], answer["verdict"], answer["cards"]) == ("card", None, [card])


@pytest.mark.parametrize("line", ["xp", "XP?", "experience", "light"])
def test_the_name_of_a_term_is_no_verdict(line: str) -> None:
    assert understand(Language(open_database(), "en"), line).kind in ("rule", "query", "question")
    assert thunderref.ask(line, "en").answer["verdict"] is None
