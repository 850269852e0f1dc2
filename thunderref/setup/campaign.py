"""The next game of a campaign from the one before: crossing, pursuit, odyssey (R9.2 to R9.4)."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.errors import NoAnswerError
from thunderref.setup.codes import MAX_LEFT, Content
from thunderref.setup.pools import GUARDIAN, Catalogue
from thunderref.setup.request import Request
from thunderref.setup.wishes import Wish


def game_points(scores: Sequence[int], winner: int) -> list[int]:
    """Game points by player (R9.4): one for every player beaten or tied with, one more for the winner (from 1)."""
    return [
        sum(1 for j, other in enumerate(scores) if j != i and other <= score) + (1 if i + 1 == winner else 0)
        for i, score in enumerate(scores)
    ]


def winner_of(before: Content, winner: int | None, scores: Sequence[int]) -> int:
    """The number of the player who won the game, from 1.

    Raises :class:`NoAnswerError` if it is not told, is none of the players, or does not go with the scores.
    """
    if scores and len(scores) != before.players:
        raise NoAnswerError("setup-scores", players=before.players, asked=len(scores))
    best = [i + 1 for i, score in enumerate(scores) if score == max(scores)]
    if winner is None:
        if len(best) != 1:
            raise NoAnswerError("setup-needs-winner")
        return best[0]
    if not 1 <= winner <= before.players or (best and winner not in best):
        raise NoAnswerError("setup-bad-winner", asked=winner)
    return winner


def next_request(before: Content, winner: int, left: int, asked: Sequence[Wish], cat: Catalogue) -> Request:
    """The request for the next game.

    Pursuit uses other classes and features, odyssey other heroes. Raises :class:`NoAnswerError` if the game was no
    campaign (``setup-no-campaign``) or the campaign is over (``setup-campaign-over``).
    """
    variant = cat.variants[before.variant]
    if not variant.campaign:
        raise NoAnswerError("setup-no-campaign")
    odyssey = variant.id == "odyssey"
    if before.later is not None and (odyssey or before.later.winner == winner):
        raise NoAnswerError("setup-odyssey-over" if odyssey else "setup-campaign-over", player=winner)
    if left and variant.id != "pursuit":
        raise NoAnswerError("setup-no-left")
    if left > MAX_LEFT:
        raise NoAnswerError("setup-too-many-left", most=MAX_LEFT, asked=left)
    out: list[Wish] = []
    if variant.id == "pursuit":
        out += [Wish("exclude", "classes", card) for card in before.classes]
        out += [Wish("exclude", "features", card) for card in before.features.traps]
        out += [Wish("exclude", "features", GUARDIAN)] if before.features.guardians else []
    if odyssey:
        out += [Wish("exclude", "heroes", card) for card in before.heroes]
    return Request(
        sets=before.sets, players=before.players, variant=variant, level=before.level, layout=None,
        count=len(before.classes), balanced=before.balanced, stone="random", wishes=(*asked, *out),
    )  # fmt: skip


def check_left(before: Content, left: Sequence[tuple[str, int]], cat: Catalogue) -> None:
    """Raises :class:`NoAnswerError` (``setup-not-left``) for a card that was not in the last dungeon."""
    families = {*before.classes, *before.features.traps}
    for card, copies in left:
        row = cat.cards[card]
        if row.family not in families and card not in before.features.guardians:
            raise NoAnswerError("setup-not-left", card=card)
        if copies > row.count:
            raise NoAnswerError("setup-not-left", card=card)


def next_stones(before: Content, cat: Catalogue) -> tuple[str, ...]:
    """The stone that was not in the dungeon before: the one kept aside, or the one given back."""
    return tuple(stone for stone in cat.pool.stones if stone not in before.stones)
