"""``thunderref.final_score``: decks in, victory points and the winner out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from thunderref.database.card_records import HAND_KINDS
from thunderref.database.read import Database, Language, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.counts import read_count
from thunderref.search.names import search_cards
from thunderref.search.scored_decks import Scores
from thunderref.search.understand import split_list
from thunderref.thunderstone.resolve.documents import ScoreDocument, read_document
from thunderref.thunderstone.resolve.result import PlayerScore, ScoredCard, ScoreResult
from thunderref.thunderstone.resolve.start import Finder, cards_of, check_copies
from thunderref.thunderstone.rules.cards import Cards, all_cards
from thunderref.thunderstone.rules.position import replace
from thunderref.thunderstone.rules.scoring import Standing, champions, game_points, holdings, is_horde, points, winners


def final_score(
    document: ScoreDocument | Mapping[str, Any], lang: str | None = None, *, words: Language | None = None
) -> ScoreResult:
    """Scores the decks of a game (R7.2, R7.3, R9.6).

    Raises InputError for no player, one named twice, penalty cards of nobody; NoAnswerError for names of cards, more
    copies than there are.
    """
    words = words or Language(open_database(), lang)
    database = words.database
    record = read_document(ScoreDocument, document)
    if not record.players:
        raise InputError("score-no-decks")
    cards, find = all_cards(database), Finder(database, words.lang, lenient=True, for_record=True)
    penalties, earlier = (_counts(record, key) for key in ("penalties", "earlier"))
    players: list[PlayerScore] = []
    cards_so_far: list[str] = []
    for entry in chain.from_iterable(record.players.values()):
        with suppress(NoAnswerError):
            cards_so_far += cards_of([entry], find, HAND_KINDS)
    decks = {name: _deck(entries, cards, database, find, cards_so_far) for name, entries in record.players.items()}
    check_copies(database, chain.from_iterable(decks.values()))
    for name, deck in decks.items():
        held_points, n = holdings(cards, deck), penalties.get(_fold_name(name), 0)
        players.append(PlayerScore(
            name=" ".join(name.split()), vp=points(held_points, n), penalties=n,
            cards=[ScoredCard(id=card, count=n, vp=vp) for card, n, vp in held_points],
            thunderstones=[card for card, _, _ in held_points if cards[card].kind == "thunderstone"],
        ))  # fmt: skip
    won, tied, how = winners([Standing(player.vp, bool(player.thunderstones)) for player in players])
    best, equals = ([players[place].name for place in places] for places in (won, tied))
    fields = {"vp": players[won[0]].vp, "names": ", ".join(best), "tied": ", ".join(equals)}
    tie_break = words.say(f"score.tie.{how}", **fields) if how else None
    wins = [earlier.get(_fold_name(player.name), 0) for player in players]
    campaign: tuple[int, ...] = won if record.variant != "normal" and len(won) == 1 and wins[won[0]] else ()
    if record.variant == "odyssey":
        gained = game_points([player.vp for player in players], won[0] + 1 if len(won) == 1 else 0)
        dearest = [max((cards[one].vp or 0 for one in player.thunderstones), default=0) for player in players]
        scored = zip(players, gained, wins, strict=True)
        players = [replace(player, game_points=n, campaign_points=n + before) for player, n, before in scored]
        campaign = champions([a + b for a, b in zip(gained, wins, strict=True)], dearest) if earlier else ()
    return ScoreResult(
        variant=record.variant, players=players, winners=best, tie_break=tie_break,
        champions=[players[place].name for place in campaign],
        not_judged=[*dict.fromkeys(filter(database.unjudged.__contains__, chain.from_iterable(decks.values())))],
    )  # fmt: skip


def say_winner(words: Language, scores: Scores) -> str:
    """Return who wins with points that were told, or what decides it (R7.3)."""
    names = [player.title() for player in scores.points]
    standings = [Standing(vp, player == scores.holder) for player, vp in scores.points.items()]
    won, tied, how = winners(standings)
    best, equals = (", ".join(names[place] for place in places) for places in (won, tied))
    key = "winner" if not how else f"tie.{how if scores.holder else 'unknown'}"
    return words.say(f"score.{key}", names=best, tied=equals, vp=standings[won[0]].vp).replace(" (R7.3)", "")


def with_decks(
    words: Language, document: Mapping[str, Any], decks: Sequence[str], **counts: Sequence[str]
) -> dict[str, Any]:
    """The document with decks ``Ann: griffon, 2 torch``, and under the keys of ``counts`` numbers ``Ann: 1``.

    Raises InputError for what does not fit.
    """
    if not decks and "players" not in document:
        raise InputError("score-no-decks")
    players = document.get("players", {})
    numbers = {key: document.get(key, {}) for key in counts}
    if not all(isinstance(table, dict) for table in (players, *numbers.values())):
        return dict(document)  # the document's own error is reported
    players, numbers = dict(players), {key: dict(table) for key, table in numbers.items()}
    for text in decks:
        name, cards = _split_name(text)
        if name in players:
            raise InputError("score-twice", name=name)
        players[name] = split_list(cards, words)
    for key, text in ((key, text) for key, texts in counts.items() for text in texts):
        name, number = _split_name(text)
        if not number.strip().isdecimal() or len(number.strip()) > 3:
            raise InputError("score-bad-penalty", text=text.strip()[:40])
        numbers[key][name] = int(number)
    return {**document, "players": players, **numbers}


def _split_name(text: str) -> tuple[str, str]:
    """Splits ``Ann: griffon, 2 torch`` at the first colon."""
    name, colon, cards = text.partition(":")
    if not colon:
        raise InputError("score-no-name", text=text.strip()[:40])
    if not name.strip():
        raise InputError("score-empty-name")
    return " ".join(name.split()), cards


def _fold_name(name: str) -> str:
    return " ".join(name.split()).casefold()


def _counts(asked: ScoreDocument, key: str) -> dict[str, int]:
    """The numbers of a key by folded name; raises InputError for a name twice, one without a deck, a bad number."""
    folded = [_fold_name(name) for name in asked.players]
    for place, name in enumerate(asked.players):
        if not folded[place]:
            raise InputError("score-empty-name")
        if folded[place] in folded[:place]:
            raise InputError("score-twice", name=name.strip())
    counts: dict[str, int] = getattr(asked, key)
    for name, n in counts.items():
        if _fold_name(name) not in folded:
            raise InputError("score-no-such-player", name=name.strip() or "-")
        if n < 0:
            raise InputError("score-bad-penalty", text=f"{name.strip()}: {n}")
    return {_fold_name(name): n for name, n in counts.items()}


def _deck(entries: list[str], cards: Cards, database: Database, find: Finder, taken: list[str]) -> list[str]:
    """The cards of a deck; ``7 horde`` need not say which Horde cards: those not yet ``taken``, all worth the same."""
    deck: list[str] = []
    for entry in entries:
        try:
            deck += cards_of([entry], find, HAND_KINDS)
        except NoAnswerError as error:
            count, name = read_count(database, entry)
            hits = search_cards(database, name, HAND_KINDS) if error.code == "ambiguous-card" else None
            matches = [hit.id for hit in hits.hits[: hits.equals]] if hits is not None else []
            like = [card for card in matches if is_horde(cards, card)]
            if not like or any(cards[card].family != cards[like[0]].family for card in matches):
                raise
            like.sort(key=lambda card: (card in taken, cards[card].health))
            hordes = [like[place % len(like)] for place in range(count or 1)]
            deck += hordes
            taken += hordes
    return deck
