"""Every message with its placeholders filled in reads as a sentence of its language, as far as a rule can tell."""

from __future__ import annotations

import re

import pytest

from support.files import messages, sources
from support.templates import fields, renderings
from thunderref.text.messages import plural_rule

LANGUAGES = [*sources().glossaries]
SLIPS = re.compile(
    r"\{|\}"  # a placeholder that was not filled in
    r"|[^\n ]  +\S|\w [,.;!](?:\s|$)|,,|;;|\.\.(?!\.)|\( | \)|\(\)"
    r"|(?<![\w#–-])(?<!Anna )(?<!Анна )-\d"  # a hyphen for a minus sign, but where a command is quoted
    r"|[+−] ?[+−]"
)
CONSTANTS = frozenset(("most", "limit", "least"))
"""Placeholders of a fixed number, which is never 1 and in Polish and Russian asks for one form only."""
NEVER_ONE = re.compile(
    r"setup\.(step|play)\..*|glossary\.done|resolve\.progress|error\."
    r"(first-battle-hand|odds-too-large|play-endless|play-turns|thorgal-one-card)"
)
"""Messages whose number is the size of a stack, of a whole game or of a limit."""
NOT_COUNTED = re.compile(r"resolve\.rank|error\.thorgal-tokens-left")
"""Messages in which what follows the number is not what it counts: a name, the first half of “action tokens”."""


def nouns(lang: str) -> dict[str, set[int]]:
    """What is counted anywhere in a language, and for which plural forms it stands."""
    found: dict[str, set[int]] = {}
    for message in messages(lang).values():
        for form in fields(message).values():
            for place, word in enumerate(form.split("|") if "|" in form else ()):
                found.setdefault(word, set()).add(place)
    return {word: places for word, places in found.items() if re.fullmatch(r"\w{3,}", word)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_message_slips(lang: str) -> None:
    assert not {(key, said) for key, _, said in renderings(lang) if SLIPS.search(said)}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_counted_has_the_form_of_the_number(lang: str) -> None:
    """No “1 cards”, no «2 карт»: a noun that somewhere has plural forms has the right one behind every number."""
    counted, index = nouns(lang), plural_rule(sources().glossaries[lang].plural)[1]
    wrong = {
        (key, f"{number} {found[1]}")
        for key, number, said in renderings(lang)
        if number is not None and not CONSTANTS & set(fields(messages(lang)[key]))
        if not NEVER_ONE.fullmatch(key) and not NOT_COUNTED.fullmatch(key)
        for found in re.finditer(rf"(?<![\w.,]){abs(number)} (\w+)", said)
        if found[1] in counted and index(abs(number)) not in counted[found[1]]
    }
    assert not wrong


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sign_is_a_plus_or_a_minus(lang: str) -> None:
    signed = {key for key, message in messages(lang).items() if re.search(r"\{\w+:\+\}", message)}
    for key, number, said in renderings(lang):
        if key in signed and number is not None:
            assert f"{'+' if number > 0 else '−'}{abs(number)}" in said, said
