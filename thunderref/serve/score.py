"""The score by tapping: the cards worth victory points, a player after the other; and who wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

import thunderref
from thunderref.errors import ThunderrefError
from thunderref.serve.battle import HAND, asking
from thunderref.serve.page import Visitor
from thunderref.serve.taps import MOST_TEXT, TAPS, Limit, Reader, address, listed, tapped
from thunderref.serve.tonight import with_points
from thunderref.text.language import Language

MOST_PLAYERS = 5
MOST_NAME = 24
DECK = Limit(99, HAND.kinds)


@dataclass(frozen=True)
class Scores:
    """The decks of an address; ``at`` is the place of the player whose cards are tapped."""

    players: tuple[tuple[str, tuple[str, ...]], ...]
    at: int = 0
    rest: str = ""

    @property
    def decks(self) -> list[str]:
        return [f"{name}:{','.join(cards)}" for name, cards in self.players]

    def address(self, **changed: Any) -> str:
        at = str(self.at) if self.at else ""
        return address("/score", {"p": self.decks, "at": at, "rest": self.rest, **changed})


def scores_of(query: QueryParams, reader: Reader, words: Language, players: int) -> Scores:
    """The decks of an address, the tap in it done; without any, so many players without cards."""
    decks, rest = dict[str, tuple[str, ...]](), list[str]()
    for text in query.getlist("p")[:MOST_PLAYERS]:
        name, _, cards = text.partition(":")
        name = " ".join(name.replace(",", " ").split())[:MOST_NAME].strip()
        if name and name.casefold() not in {known.casefold() for known in decks}:
            found, unclear = listed(cards, DECK, reader)
            decks[name] = tuple(found)
            rest += unclear
    new = " ".join(query.get("player", "").replace(":", " ").replace(",", " ").split())[:MOST_NAME].strip()
    if new and len(decks) < MOST_PLAYERS and new.casefold() not in {known.casefold() for known in decks}:
        decks[new] = ()
        return Scores(tuple(decks.items()), len(decks) - 1)
    if not decks:
        decks = {words.say("resolve.player", n=n): () for n in range(1, players + 1)}
    at = query.get("at", "0")
    place = int(at) if at in tuple("01234") and int(at) < len(decks) else 0
    typed = query.get("rest", "")[:MOST_TEXT]
    if not any(tap in query for tap in TAPS):
        return Scores(tuple(decks.items()), place, ", ".join(rest)[:MOST_TEXT] or typed)
    name = [*decks][place]
    tapped_cards, unclear = tapped(decks[name], query, DECK, reader)
    decks[name] = tuple(tapped_cards)
    rest += [*unclear, *([typed] if "add" in query and typed else [])]
    return Scores(tuple(decks.items()), place, ", ".join(rest)[:MOST_TEXT])


def score_page(visitor: Visitor, query: QueryParams) -> dict[str, Any]:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words, made = visitor.words, visitor.made
    reader = Reader(words)
    now = scores_of(query, reader, words, made.content.players if made else 2)
    taps = {key: query[key] for key in (*TAPS, "to", "player") if query.get(key)}
    given = {"p": query.getlist("p"), "at": query.get("at", ""), "rest": query.get("rest", ""), **taps}
    if (to := now.address()) != address("/score", given) and (query.getlist("p") or taps):
        return {"go": to}
    found, error = None, None
    try:
        found = thunderref.score({"players": {name: [*cards] for name, cards in now.players}}, visitor.lang)
    except ThunderrefError as problem:
        error = problem
    name, cards = now.players[now.at]
    complete = found is not None and len(now.players) > 1 and all(cards for _, cards in now.players)
    points = [str(player.vp) if deck else "–" for player, (_, deck) in _beside(found, now)]
    winner = ""
    if complete and found is not None:
        best = max(player.vp for player in found.players)
        key = "score.winner" if len(found.winners) == 1 else "score.shared"
        winner = words.say(key, names=", ".join(found.winners), vp=best)
    following = (now.at + 1) % len(now.players)
    return {
        "scores": now, "decks": now.decks, "player": name, "cards": cards, "found": found,
        "sentence": words.error(error) if error else "", "refused": error is not None,
        "winner": winner, "tie": found.tie_break if complete and found is not None else None,
        "groups": with_points(words, made), **asking(now.rest, DECK, reader),
        "steps": [
            (each, points[place] if points else "", _at(now, place), place == now.at)
            for place, (each, _) in enumerate(now.players)
        ],
        "forward": (now.players[following][0], _at(now, following)),
        "room": len(now.players) < MOST_PLAYERS,
        "worth": {card.id: card.vp for card in found.players[now.at].cards} if found else {},
    }  # fmt: skip


def _at(now: Scores, place: int) -> str:
    return now.address(at=str(place) if place else "", rest="")


def _beside(found: Any, now: Scores) -> list[tuple[Any, Any]]:
    return [] if found is None else list(zip(found.players, now.players, strict=True))
