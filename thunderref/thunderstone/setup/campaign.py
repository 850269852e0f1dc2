"""The next game of a campaign: what earlier games had stays out, what was left of them comes in (R9.2 to R9.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import Catalogue, in_order
from thunderref.thunderstone.setup.choose import Chosen, choose
from thunderref.thunderstone.setup.codes import Content, Earlier, Later
from thunderref.thunderstone.setup.layout import Counts, horde_deck, lay_out, rest_of
from thunderref.thunderstone.setup.request import Request, SetupOptions, Stones, barred_from, without_stones


def draw_next(before: Content, req: Request, options: SetupOptions, seed: int, cat: Catalogue) -> Chosen:
    """The cards of the next game: other classes and features in pursuit, other heroes in odyssey, the other stone.

    Raises :class:`NoAnswerError` if the game was no campaign (``setup-no-campaign``), the campaign is over
    (``setup-campaign-over``, ``setup-odyssey-over``, ``setup-classes-used-up``), a wish is for what an earlier game had
    (``setup-earlier-had``, ``setup-stone-won``), or winner, scores or the rest of the dungeon are impossible.
    """
    winner = _winner(before, options.winner, options.scores)
    odyssey, pursuit = req.variant.id == "odyssey", req.variant.id == "pursuit"
    if not req.variant.campaign:
        raise NoAnswerError("setup-no-campaign")
    if before.later is not None and (odyssey or before.later.winner == winner):
        raise NoAnswerError("setup-odyssey-over" if odyssey else "setup-campaign-over", player=winner)
    remains = remains_named(options.left, cat)
    left = options.left if isinstance(options.left, int) else sum(n for _, n in remains)
    if left and not pursuit:
        raise NoAnswerError("setup-no-left")
    table = lay_out(before, cat)
    if left > (most := sum(layer.drawn for layer in table.layers) + len(before.features.guardians)):
        raise NoAnswerError("setup-too-many-left", most=most, asked=left)
    _check_remains(before, remains, cat)
    # a Horde placeholder or a guardian may be left of this game
    guarded = table.rest is None or table.rest.guardians or before.features.guardians
    may_be_more = guarded or any(stack.kind == "horde" for stack in table.stacks)
    rest = rest_of(remains, cat) if remains or (left and not may_be_more) else None
    later = Later(winner, left, _earlier(before, remains, cat), rest)
    stones = tuple(stone for stone in cat.pool.stones if stone not in before.stones)
    req = replace(req, wishes=without_stones(req.wishes, stones), barred=barred_from(later, cat))
    free = len(set(cat.owned(cat.pool.classes, before.sets)) - req.barred)
    if free < req.count:
        raise NoAnswerError("setup-classes-used-up", classes=free, asked=req.count)
    return choose(req, seed, cat, Stones(stones, len(stones), "variant"), later)


def remains_named(left: int | Sequence[tuple[str, int]], cat: Catalogue) -> Counts:
    """The cards left of a dungeon by id, each once; () for a number. Raises ``setup-bad-left`` for what is no card."""
    if isinstance(left, int):
        if left < 0:
            raise NoAnswerError("setup-bad-left", asked=str(left))
        return ()
    found = Counter[str]()
    for card, copies in left:
        if copies < 0 or card not in cat.cards:
            raise NoAnswerError("setup-bad-left", asked=f"{copies} {card}")
        found[card] += copies
    return tuple(sorted((+found).items()))


def game_points(scores: Sequence[int], winner: int) -> list[int]:
    """Game points by player (R9.4): one for every player beaten or tied with, one more for ``winner`` (from 1)."""
    return [sum(other <= score for other in scores) - 1 + (i == winner) for i, score in enumerate(scores, start=1)]


def _winner(before: Content, winner: int | None, scores: Sequence[int]) -> int:
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


def _check_remains(before: Content, remains: Counts, cat: Catalogue) -> None:
    """Raises ``setup-not-left`` for a card that the dungeon cannot have left."""
    later, own = before.later, {*before.classes, *before.features.cards}
    told = later.earlier if later else None
    room = later.left if later else 0  # for cards of still earlier games
    for card, copies in remains:
        row = cat.cards[card]
        most = row.count if row.set_id in before.sets else 0
        if not {row.family, card} & own:
            if told is None:
                known = row.kind in ("monster", "trap", "guardian")
            else:
                known = bool({row.family, card} & {*told.classes, *told.traps, *told.guardians})
            if later is not None and later.rest is not None:
                had = rest_of(((card, most),), cat)
                if had.placeholders:
                    most = later.rest.placeholders
                known = known and set(had.guardians) <= set(later.rest.guardians)
            most = min(most, room) if known else 0
            room -= copies
        if copies > most:
            raise NoAnswerError("setup-not-left", card=card)
    still_beside = horde_deck(rest_of(remains, cat).placeholders, cat)
    for card, _ in remains:
        if card in still_beside:  # it is only turned after the lower ones and the placeholders for them
            raise NoAnswerError("setup-not-left", card=card)


def _earlier(before: Content, remains: Counts, cat: Catalogue) -> Earlier | None:
    """What the next game may not have; what survived from games that an old code does not tell of is part of it."""
    if before.variant == "odyssey":
        return Earlier(heroes=before.heroes)
    if before.variant != "pursuit":
        return None
    told = before.later.earlier if before.later and before.later.earlier else Earlier()
    had = {*told.classes, *told.traps, *told.guardians, *before.classes, *before.features.cards}
    had |= {cat.cards[card].family or card for card, _ in remains}
    pool = cat.pool
    return Earlier(in_order(had, pool.classes), in_order(had, pool.features), in_order(had, pool.guardians))
