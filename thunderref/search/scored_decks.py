"""Reads decks to be scored: "Ann: griffon, 2 horde; Bob: sphinx", and the same without signs."""

from __future__ import annotations

from thunderref.database.card_records import HAND_KINDS
from thunderref.search.card_list import NameReader, tokens_of
from thunderref.search.counts import count_token
from thunderref.text.folding import fold_query

_ALONE = "1"
"""Name of the only player, if nobody is named."""


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
        player, unclear = " ".join(name) or _ALONE, [span for span in deck.unclear if span.why != "several"]
        if not deck.spelt or unclear or deck.strays or player in entries:
            return None
        entries[player] = deck.spelt
    alone = entries.get(_ALONE, ())
    single = len(alone) == 1 and alone[0] == alone[0].lstrip("0123456789 ")  # its value is asked for
    return None if single or (alone and len(entries) > 1) else entries or None
