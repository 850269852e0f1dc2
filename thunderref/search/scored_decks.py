"""Reads decks to be scored: "Ann: griffon, 2 horde; Bob: sphinx", and scores: "ann 34, bob 34, ann has the stone"."""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from thunderref.database.card_records import HAND_KINDS
from thunderref.search.card_list import PAIR, NameReader, tokens_of
from thunderref.search.counts import count_token
from thunderref.search.lexicon import lexicons_of
from thunderref.text.folding import fold_query
from thunderref.text.stems import small_words
from thunderref.text.stems import tokens as stems

ALONE = "1"
"""Name of the only player, if nobody is named."""
STEM = 3
"""Letters in which two forms of a player's name agree."""


class Scores(NamedTuple):
    """The VP of each player, by name, and who has the Thunderstone, "" if that is not told."""

    points: dict[str, int]
    holder: str


def read_scores(names: NameReader, text: str) -> Scores | None:
    """Return the points that a line tells of two players or more; None if a word in it says anything else.

    A player's name is one word before a number, which nothing else is called like; "me" counts beside another.
    """
    words = [form for token in tokens_of(text) if (form := fold_query(token))]
    if sum(map(str.isdecimal, words)) < PAIR:
        return None
    known = dict[str, set[str]]()
    for token in chain.from_iterable(lexicon.tokens(text) for lexicon in lexicons_of(names.words, text)):
        known.setdefault(token.typed, set()).update(token.meanings)
    idle = names.database.words("ask.words.figure.vp").keys() | names.door_words["joining"] | names.door_words["having"]
    idle |= {word for word in words if small_words(names.words.lang).issuperset(stems(word, names.words.lang))}
    points, speaker, holder, has_stone = dict[str, int](), "", "", False
    for word, beyond in zip(words, [*words[1:], ""], strict=True):
        is_named = bool(speaker) and speaker not in points
        before = next((player for player in points if player[:STEM] == word[:STEM]), "")
        is_idle = word in idle or known.get(word) == {"talk"}
        is_other = names.database.is_name(word) or names.says("rank", word) or known.get(word, set()) - {"talk"}
        if word.isdecimal() and is_named:
            points[speaker] = int(word)
        elif names.says("stone", word) and not has_stone:
            holder, has_stone = holder or speaker, True
        elif before and not beyond.isdecimal():  # named again, as the one with the stone
            holder = speaker = before
        elif (beyond.isdecimal() or not is_idle) and word.isalpha() and not (is_other or is_named):
            speaker = word
        elif not is_idle:
            return None
    is_told = len(points) >= PAIR and speaker in points and bool(holder) <= has_stone
    return Scores(points, holder) if is_told and not all(map(known.get, points)) else None


def read_owned(names: NameReader, text: str) -> dict[str, list[str]] | None:
    """Return the decks of a line that no word says to be scored; None if it has none.

    These are decks behind names ("Ann: griffon; Bob: sphinx"), those of two players with some cards each ("ann griffon
    nixie, bob sphinx griffon"), one before a word for VP ("3 horde, nixie vp"), and one with a Thunderstone, which
    nobody has in hand before the game is over.
    """
    tokens, labels = tokens_of(text), re.findall(r"(?:^|[,;])([^,:;]*):", text)
    if names.asks(tokens):
        return None
    if len(tokens) > PAIR and fold_query(tokens[-1]) in names.database.words("ask.words.figure.vp"):
        return read_decks(names, " ".join(tokens[:-1]))
    called = [word for name in labels for word in fold_query(name).split()]
    is_count = any(word.isdecimal() or names.is_known_name(word) for word in called) and "," in text
    if len(labels) > 1 and names.known_words.isdisjoint(called) and not is_count:
        return read_decks(names, text)
    if any(names.says("stone", token) for token in tokens):
        owned = [names.database.cards[card].kind for card, _ in names.cards(tokens, HAND_KINDS).cards]
        decks = read_decks(names, text) if "thunderstone" in owned and len(owned) >= PAIR else None
        return decks if decks and len(decks) == 1 else None
    if "," in text and not names.is_known_name(text.split()[0]):
        decks = read_decks(names, text) or {}
        has_card = any(names.is_known_name(word) for name in decks for word in name.split())
        several = len(decks) > 1 and all(len(deck) > 1 for deck in decks.values())  # "xyz torch" is a mistyped card
        return decks if several and not has_card else None
    return None


def read_decks(names: NameReader, text: str) -> dict[str, list[str]] | None:
    """Return each player's deck as entries; None if a word is neither of a card nor a player's name before cards.

    Words that no card is called like are the name of a player, whose deck begins behind them.
    """
    tokens, place, within = tokens_of(text), 0, False
    decks: list[tuple[list[str], list[str]]] = [([], [])]
    while place < len(tokens):
        token = tokens[place]
        called = tokens[place + 1 : place + 2] == [":"]  # a player, whatever card has a name like it
        read = not called and bool(fold_query(token))
        size, card, hits = names.card_at(tokens[place:], HAND_KINDS) if read else (1, None, ())
        if len(hits) > 1 and not all("horde" in names.database.cards[hit.id].types for hit in hits):
            return None  # of several Horde cards the count says enough
        is_filler = not fold_query(token) or count_token(names.database, token) or names.says("joining", token)
        is_name = not is_filler and (names.is_abroad(hits) or not (card or len(hits) > 1))
        if is_name and not within:
            decks.append(([], []))
        decks[-1][not is_name].extend(tokens[place : place + (size or 1)])
        place, within = place + (size or 1), is_name
    entries = dict[str, list[str]]()
    for name, words in decks if decks[0][1] else decks[1:]:
        deck = names.cards(words[words[:1] == [":"] :], HAND_KINDS)
        player, unclear = " ".join(name) or ALONE, [span for span in deck.unclear if span.why != "several"]
        if not deck.spelt or unclear or deck.strays or player in entries:
            return None
        entries[player] = deck.spelt
    alone = entries.get(ALONE, ())
    single = len(alone) == 1 and alone[0] == alone[0].lstrip("0123456789 ")  # its value is asked for
    return None if single or (alone and len(entries) > 1) else entries or None
