"""What an answer to a question rests on, and whether answers and readings are right."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress

from thunderref.database.read import Language, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.ask import Answer, ask, ask_games, quotes_of
from thunderref.search.counts import split_count
from thunderref.search.lists import read_list
from thunderref.search.understand import Understood


def answers_to(question: str, game: str | None = None) -> list[Answer]:
    """Return the answers about a game, or whichever game it is about; none if the question is refused."""
    with suppress(NoAnswerError, InputError):
        return ask(open_database(), question, game) if game else ask_games(open_database(), question).answers
    return []


def follows_from(answer: Answer, most: int = 1) -> set[str]:
    """The rules and rulings that its first sentences follow from."""
    sql = "SELECT json(rules), json(rulings) FROM answers WHERE 'answer.' || id = ?"
    subjects = answer.subjects[:most]
    rows = [row for each in subjects for row in open_database().query(sql, each.key)]
    own = {each.key.partition(".")[2] for each in subjects if not each.key.startswith("answer.")}
    return own | {one for row in rows for each in row for one in json.loads(each)}


def is_about(answer: Answer, wanted: Collection[str]) -> bool:
    """Return whether an answer is, or quotes, one of the ids; a card named in a question quotes its rulings."""
    return answer.id in wanted or any(quote["id"] in wanted for quote in quotes_of(open_database(), answer))


def says(answer: Answer, wanted: Collection[str], most: int) -> bool:
    """Return whether an answer is one of the ids, quotes one as first ruling, or first says what rests on one."""
    rulings = [quote["id"] for quote in quotes_of(open_database(), answer) if quote["kind"] == "clarify"]
    return not {answer.id, *rulings[:1], *follows_from(answer, most)}.isdisjoint(wanted)


def is_found(words: Language, question: str, cards: list[str]) -> bool:
    """Return whether a question is read as a list of these cards and no others."""
    found = read_list(words, question)
    return found is not None and {card.id for card in found.cards(words)} - {"militia-wrath"} == set(cards)


def is_read(row: Sequence[str], found: Understood) -> bool:
    """Return whether a line of typed.toml is read as one of its kinds and, as the first, with its hand and hall."""
    kinds = row[1].split("|")
    kind = {"query": "list"}.get(found.kind, found.kind)
    if kind == "card" and "list" in kinds:
        return True
    if kind == "question" and "nonsense" in kinds:  # that it is none is for the search of answers to say
        return True
    if kind != kinds[0] or len(row) < 3:
        return kind in kinds
    hands = _counted(found.document["hand"]) == _counted(row[2].split(", "))
    halls = [] if len(row) < 4 else [card for card in row[3].split(", ") if card != "-"]
    return hands and (len(row) < 4 or _counted(found.document["hall"]) == _counted(halls))


def is_refused(row: Sequence[str]) -> bool:
    """Return whether a line of typed.toml may be refused, or asked back."""
    return not {"nonsense", "unclear"}.isdisjoint(row[1].split("|"))


def _counted(cards: Sequence[str | None]) -> Counter[str]:
    """Return the number of copies of each card in entries of a hand or a hall."""
    found: Counter[str] = Counter()
    for entry in filter(None, cards):
        number, name = split_count(open_database(), entry)
        found[name] += number or 1
    return found
