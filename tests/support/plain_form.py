"""What the record of an ability means, in a fixed plain form, and what a text says of it.

    python -m support.plain_form [CARD…]

prints both, in three languages.

Both are terms: words such as ``destroy`` or ``each``, and numbers (``+2``, ``-2``). ``plain_terms.toml`` has what each
part of a record means, what its text may say besides, and how every language says a term.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from msgspec.structs import asdict

from support import ROOT, read_toml
from thunderref.database.card_records import Card
from thunderref.database.operations import Condition, Effect, Op, Select
from thunderref.database.read import open_database

DATA = read_toml(ROOT / "tests" / "database" / "plain_terms.toml")
MEANS: Mapping[str, str] = DATA["means"]
NUMBERS = frozenset(("amount", "level", "rank", "vp", "strength", "strength_below", "gold", "most", "until"))
LOWERING = frozenset(("weaken", "wound-hall"))
"""Operations whose amount is taken away."""
_WORDS = re.compile(rf"(?<!\w)(?:{'|'.join(DATA['numbers'])})(?!\w)", re.I)
ONE = 1
"""A number that languages leave out: "draw a card"."""


class Meaning(NamedTuple):
    """The terms that a text has to say, as often as each number occurs, and those that it may say besides."""

    needed: Counter[str]
    allowed: frozenset[str]


def meaning(effect: Effect, card: Card) -> Meaning:
    """What an ability of a card means."""
    needed, allowed = Counter[str](), set[str]()
    for term in _terms(effect):
        says, _, may = MEANS.get(term, "" if _is_number(term) else "?").partition("|")
        needed.update([term] if _is_number(term) else map(_valued(card), says.split()))
        allowed.update(map(_valued(card), may.split()))
    return Meaning(needed, frozenset(allowed))


def _valued(card: Card) -> Callable[[str], str]:
    """``card.attack`` stands for that value of the card."""
    return lambda term: str(getattr(card, term.partition(".")[2])) if term.startswith("card.") else term


def plain(effect: Effect, card: Card, lang: str) -> str:
    """The plain form of an ability in a language: its terms one by one."""
    words = DATA[lang]
    terms = (words[term][0] if term in words else term for term in meaning(effect, card).needed)
    return f"{effect.timing}: {', '.join(terms)}"


def heard(text: str, lang: str) -> Counter[str]:
    """The terms that a text says: longer phrases are looked for first, and no letter is read twice."""
    found, rest = Counter[str](), _WORDS.sub(lambda word: str(DATA["numbers"][word[0].lower()]), text.replace("−", "-"))
    for term, (_, pattern) in DATA[lang].items():
        rest, times = re.subn(rf"(?<!\w)(?:{pattern})(?!\w)", "¦", rest, flags=re.I)
        found[term] += times
    numbers = re.findall(r"-?\d+", re.sub(r"\d+(?=-[мг])", lambda digits: digits[0] + " ", rest))
    found.update(numbers)
    return +found


def faults(effect: Effect, card: Card, text: str, lang: str) -> list[str]:
    """What a text lacks that the record has, and what it says that the record has not; [] if they agree."""
    wanted, said = meaning(effect, card), heard(text, lang)
    found = [
        f"text lacks {term}"
        for term, times in wanted.needed.items()
        if _times(said, term) < _times(wanted.needed, term)
    ]
    for term, times in said.items():
        more = times > wanted.needed[term] if _is_number(term) else not wanted.needed[term]
        if more and term not in wanted.allowed and term != str(ONE):
            found.append(f"record lacks {term}")
    return found


def _times(terms: Counter[str], term: str) -> int:
    return ONE if term == str(ONE) else terms[term] if _is_number(term) else min(ONE, terms[term])


def _is_number(term: str) -> bool:
    return term.lstrip("-").isdecimal()


def _terms(effect: Effect) -> Iterator[str]:
    yield f"timing:{effect.timing}"
    for op in effect.cost:
        yield "cost"
        yield from _of_operation(op)
    for op in effect.do:
        yield from _of_operation(op)


def _of_operation(op: Op) -> Iterator[str]:
    yield op.op
    for field, value in asdict(op).items():
        if field == "amount" and op.op in LOWERING:
            yield f"-{value}"
        else:
            yield from _of_field(field, value)


def _of_field(field: str, value: Any) -> Iterator[str]:
    if value is None or value is False or field == "reason":
        return
    if isinstance(value, Select | Condition):
        yield f".{field}"
        for name, part in asdict(value).items():
            yield from _of_field(name, part)
    elif field in NUMBERS:
        yield f".{field}"
        yield from map(str, value if isinstance(value, tuple) else (value,))
    elif value is True:
        yield f".{field}"
    else:
        for part in value if isinstance(value, tuple) else (value,):
            yield f"{field}:{part}"


def main(cards: Sequence[str]) -> None:
    database = open_database()
    for card in cards or database.all_effects:
        for effect, lang in product(database.all_effects[card], database.languages):
            print(f"{card}.{effect.id}  {plain(effect, database.cards[card], lang)}")
            print(f"    {database.texts(f'card.{card}.{effect.id}').get(lang, '')}")


if __name__ == "__main__":
    main(sys.argv[1:])
