"""Reads the wish for a set-up: "setup for 3 players with fireball and dragons, without thieves"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from thunderref.search.card_list import LONGEST, NameReader
from thunderref.search.counts import count_token, split_filter
from thunderref.search.filters import filter_cards, kinds_and_types
from thunderref.text.folding import fold_query

_ALL = "all"
_VARIANTS = ("epic", "crossing", "pursuit", "odyssey", "solo", "marauding")
_LEVELS = ("fighter", "nightmare")
_FIRST = "first"
_CHOICES = (_ALL, *_VARIANTS, *_LEVELS, _FIRST)
"""The variants and levels of a set-up, and all boxes, as its options call them."""
_FEATURES = ("kind:guardian", "kind:trap")
"""The conditions that wish for some feature of the dungeon, whichever it is."""
_JOINED = re.compile(r"(\d+)([^\W\d]+)")
"""A number that is joined to a word: 4p."""
_DRAWN = frozenset(("hero", "village", "guardian", "thunderstone"))
"""Kinds of cards that a set-up draws, besides those of monster classes and traps."""


def read_setup(names: NameReader, tokens: Sequence[str]) -> dict[str, Any] | None:
    """Return the document of ``setup`` that a line asks for; None if it asks for none.

    Without a word for a set-up the players, the solo game or a wish have to be told, and all has to be understood.
    """
    joined = next((n for n, both in enumerate(map("".join, pairwise(tokens))) if names.says("setup", both)), None)
    if joined is not None:  # "set up" in two words
        tokens = [*tokens[:joined], "".join(tokens[joined : joined + 2]), *tokens[joined + 2 :]]
    label = next((n for n, token in enumerate(tokens) if names.says("setup", token)), None)
    wishes: dict[str, list[list[str]]] = {"require": [[]], "exclude": [[]]}
    kind, steered, choices, left_out = "require", False, dict[str, None](), set[str]()
    players, places = read_players(names, tokens)
    if players is None:
        players, places = read_players(names, tokens, "for")
    is_boxed = dict(names.database.query("SELECT id, boxed FROM sets ORDER BY basic DESC, position"))
    boxes = [*is_boxed]
    options = {word: option for option in (*boxes, *_CHOICES) for word in names.database.words(f"setup.words.{option}")}
    idle = ["making", "players", "for", "least"]
    if any(options.get(fold_query(token)) == "solo" for token in tokens):
        idle.append("level")
    else:
        options = {word: option for word, option in options.items() if option not in _LEVELS}  # a class of heroes
    for n, token in enumerate(tokens):
        count = count_token(names.database, token) if players is None and not wishes[kind][-1] else None
        if not (fold_query(token) or token in (",", ":")):
            return None  # an empty rank, and no name
        if n == label or n in places:
            pass
        elif names.says("with", token) or names.says("without", token):
            kind, steered = "require" if names.says("with", token) else "exclude", True
            wishes[kind].append([])
        elif count and label is not None and not steered:
            players = count.number
        elif token in (",", ":") or names.says("and", token):
            wishes[kind].append([])
        elif (option := options.get(fold_query(token))) and kind == "exclude" and option in (_ALL, *boxes):
            left_out |= {option} if option in boxes else {*boxes[1:]}  # "without wrath", "no expansion"
        elif option:
            choices[option] = None
        elif not any(names.says(word, token) for word in idle):
            if label is not None and n < label:
                return None  # something is asked about a set-up
            wishes[kind][-1].append(token)
    groups = ((_ALL, *boxes), _VARIANTS, _LEVELS)
    sets, variants, levels = ([choice for choice in choices if choice in kinds] for kinds in groups)
    sets = [box for box in boxes if is_boxed[box] and box not in left_out] if left_out and not sets else sets
    fixed = bool(_FIRST in choices and sets) and not any(names.says("players", token) for token in tokens)
    listed = any(names.says("cards", token) for token in tokens[:2])  # "cards with dragons"
    is_new = fixed or (steered and names.says("making", tokens[0]) and not listed)  # "first game", "a game with …"
    is_setup = players is not None or "solo" in variants or is_new or (label is not None and (steered or sets))
    if not is_setup or len(variants) > 1 or len(levels) > 1:
        return None
    wished = {key: [*chain.from_iterable(_wished(names, words) for words in parts)] for key, parts in wishes.items()}
    if label is None and not all(exists for parts in wished.values() for _, exists in parts):
        return None
    classes = {name: number for name, _ in wished["require"] if (number := _classes(names, name))}
    wished["require"] = [wish for wish in wished["require"] if wish[0] not in classes]
    first = next((box for box in sets if box != _ALL), boxes[0]) if _FIRST in choices else None
    wished_boxes = [_boxes(names, name) for name, _ in wished["require"]]
    if not sets and any(homes and boxes[0] not in homes for homes in wished_boxes):
        sets = [_ALL]  # who wishes for a card of the other box has it
    document = {"players": players, "first_game": first, "sets": None if first else sets}
    document |= {"monsters": next(iter(classes.values()), None)}
    document |= {"variant": next(iter(variants), None), "level": next(iter(levels), None)}
    document |= {key: [name for name, _ in parts] for key, parts in wished.items()}
    return {key: value for key, value in document.items() if value}


def _classes(names: NameReader, name: str) -> int | None:
    """Return of how many classes of monsters a wish such as "4 monsters" is, None if it is another."""
    count, condition = split_filter(names.database, name)
    return count if kinds_and_types(names.database, condition) == "kind:monster" else None


def read_players(names: NameReader, tokens: Sequence[str], word: str = "players") -> tuple[int | None, set[int]]:
    """Return the number of players that a line tells, None if it tells none, and the places of the words that do so.

    A number stands beside a ``word`` for players ("4 players", "4p"), or one means a company ("foursome").
    """
    together = names.database.words("search.words.together")
    for n, token in enumerate(tokens):
        beside = [place for place in (n - 1, n + 1) if 0 <= place < len(tokens)]
        if number := together.get(fold_query(token)):
            return int(number), {n, *(place for place in beside if names.says("making", tokens[place]))}
        if (joined := _JOINED.fullmatch(token)) and names.says(word, joined[2]):
            return int(joined[1]), {n}
        labels = [place for place in beside if names.says(word, tokens[place])]
        if labels and (count := count_token(names.database, token)):
            return count.number, {n, *labels}
    return None, set()


def _boxes(names: NameReader, name: str) -> set[str]:
    """Return the boxes that have a card, a class or a family of this name."""
    _, card, _ = names.card_at(name.split(), _DRAWN)
    if (sort := name if name in _FEATURES else kinds_and_types(names.database, name)) is None and card is None:
        return set()
    cards = filter_cards(names.database, sort) if sort else [names.database.cards[str(card)]]
    return {spec.set_id for spec in cards}


def _wished(names: NameReader, words: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield what is to be drawn, named one after another, and whether there is such a card, class or family."""
    start = 0
    while start < len(words):
        for size in range(min(LONGEST, len(words) - start), 0, -1):
            name = " ".join(words[start : start + size])
            sort = kinds_and_types(names.database, name) or ""
            length, card, _ = names.card_at(words[start : start + size], _DRAWN)
            if sort in _FEATURES or sort.startswith(("type:", "family:")) or (card and length == size):
                yield sort if sort in _FEATURES else name, True
                start += size
                break
        else:
            yield " ".join(words[start:]), False
            return
