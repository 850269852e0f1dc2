"""``generate_setup``, for the command line and for Python.

A set-up may also follow an earlier one: with slots drawn again, or as the next game of a campaign (R9.2 to R9.4).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from thunderref.database.read import Database, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.campaign import draw_next, notes_on, remains_named, without_stones
from thunderref.thunderstone.setup.catalogue import BOXES, GUARDIAN, Catalogue
from thunderref.thunderstone.setup.choose import (
    Chosen,
    choose,
    clashing,
    name_clash,
    refuse_what_is_not_there,
    smallest,
    space_of,
)
from thunderref.thunderstone.setup.codes import SEEDS, Content, decode
from thunderref.thunderstone.setup.draw import DRAWN_APART, Slots, Space
from thunderref.thunderstone.setup.reasons import find_granted, find_reasons
from thunderref.thunderstone.setup.request import (
    Request,
    SetupOptions,
    Stones,
    Wish,
    are_met,
    check_options,
    request_of,
    stones_in_code,
    way_of,
)
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.setup.steps import Note
from thunderref.thunderstone.setup.wishes import (
    ban_wishes,
    banning,
    read_mix,
    read_wishes,
    refuse_left_out,
    slot_named,
)

RANDOM_SEEDS = 10**6  # six digits at most: easy to read aloud, and they keep codes short
GROUPS = {
    "monsters": "classes", "classes": "classes", "features": "features", "heroes": "heroes", "village": "village",
    "stones": "stones", "stone": "stones",
}  # fmt: skip
"""Words that stand for all slots of a kind."""

Slot = tuple[str, str]
"""Kind of slot and the card in it."""


def choose_seed(seed: int | None) -> int:
    """The given seed, or a random one; raises :class:`InputError` for one out of range."""
    if seed is None:
        return SplitMix64(int.from_bytes(os.urandom(8))).below(RANDOM_SEEDS)
    if not 0 <= seed < SEEDS:
        raise InputError("setup-bad-seed", asked=seed, most=SEEDS - 1)
    return seed


def generate_setup(*, lang: str = "en", database: Database | None = None, **given: Any) -> Setup:
    """A set-up for the table (R1, R9); ``given`` are the fields of :class:`SetupOptions`.

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (an unknown word).
    """
    options, cat = SetupOptions(**given), (database or open_database()).derived(Catalogue)
    wishes, seed = read_wishes(options, cat, lang), choose_seed(options.seed)
    way = way_of(options)
    if way == "draw":
        chosen, notes = _draw(options, wishes, seed, cat)
    else:
        chosen, notes = _follow(way, options, wishes, seed, cat, lang)
    drawn_apart = {card for kind in DRAWN_APART for card in chosen.content.slots[kind]}
    if set(options.avoid) & drawn_apart - set(chosen.forced):
        notes.append(("warn.avoided", {}))
    refuse_left_out(options.require or (), chosen.request.variant, cat)
    return Setup(
        chosen.content, chosen.request, cat, lang, tuple(notes), scores=tuple(options.scores),
        remains=remains_named(options.left, cat), reasons=find_reasons(chosen, cat) if options.why else (),
        granted=find_granted(wishes, chosen, cat) if options.why else (),
    )  # fmt: skip


def _draw(options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue) -> tuple[Chosen, list[Note]]:
    """The cards of a plain draw, and warnings."""
    avoided = [Wish("avoid", kind, card) for card in options.avoid for kind in DRAWN_APART if card in cat.slots[kind]]
    by_mix = [*read_mix(options.mix)] if options.mix is not None else None
    bans: list[Wish] = []
    with banning(bans):
        try:
            req = check_options(replace(options, sets=options.sets or by_mix), [*wishes, *avoided], cat)
            fixed = req.fixed
            if options.seed is None and fixed is not None and fixed.stone is not None:
                seed = 0
            bans += ban_wishes(options.banned, wishes, req, cat) if fixed is None else []
            chosen = choose(replace(req, wishes=(*req.wishes, *bans)), seed, cat)
        except NoAnswerError as error:
            name_clash(error, options, [*wishes, *bans], cat)
            raise
    if fixed is None or not options.sets or BOXES[0] in options.sets:
        return chosen, []
    cards = cat.owned((*fixed.classes, *fixed.heroes, *fixed.village), BOXES[:1])  # added: they are needed (R1.8)
    return chosen, [("warn.box-added", {"box": BOXES[0], "cards": cards})]


def _follow(
    way: str, options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue, lang: str
) -> tuple[Chosen, list[Note]]:
    """The cards of a code, with slots drawn again, or of the next game of its campaign, and warnings."""
    before = decode(options.after or options.code or "", cat)
    req = request_of(before, wishes, cat)
    if way == "code":
        space = space_of(req, cat) if options.why and before.layout is None else None
        notes: list[Note] = [("warn.why-code", {})] if space else []
        return Chosen(before, req, space, stones_in_code(before, cat), {}), notes
    bans = ban_wishes(options.banned, wishes, req, cat)
    bans = [ban for ban in bans if ban.slot != "stones"]  # those are settled by the game before
    notes = notes_on(before, cat)
    if way == "after":
        with banning(bans):
            return draw_next(before, replace(req, wishes=(*wishes, *bans)), options, seed, cat), notes
    kept = {card for cards in before.slots.values() for card in cards}
    req = replace(req, wishes=(*wishes, *(ban for ban in bans if ban.card not in kept)))
    return draw_again(before, req, options, seed, cat, lang), notes


def draw_again(content: Content, req: Request, options: SetupOptions, seed: int, cat: Catalogue, lang: str) -> Chosen:
    """The set-up with the slots of ``reroll`` drawn again (without: all slots but those of ``lock``).

    A slot named by its card gets another card; a whole kind (``heroes``) is drawn anew. Raises :class:`NoAnswerError`:
    ``setup-not-in-code`` for a slot that is not in it, ``setup-nothing-else`` if there is nothing else to draw. A later
    game of a campaign keeps its stone (``setup-stone-won``) and gets nothing that an earlier one had
    (``setup-earlier-had``). ``setup-impossible`` names wishes that the slots drawn again cannot meet.
    """
    slots = {(kind, card) for kind, cards in content.slots.items() for card in cards}
    asked = {name: _slots_named(name, slots, cat, lang) for name in options.reroll or ()}
    again = set[Slot]().union(*asked.values()) if asked else slots
    if content.later is not None:
        req = replace(req, wishes=without_stones(req.wishes, content.stones))
        won = {slot for slot in slots if slot[0] == "stones"}
        if asked and again & won:
            raise NoAnswerError("setup-stone-won", cards=content.stones)
        again = again - won
    locked = {slot for name in options.lock or () for slot in _slots_named(name, slots, cat, lang)}
    for meant in asked.values():
        if meant and meant <= locked:
            raise NoAnswerError("setup-locked", slots=tuple(card for _, card in sorted(meant)))
    open_, staying = again - locked, slots - (again - locked)
    single = {slot for name, meant in asked.items() if not _group(name) for slot in meant}
    refuse_what_is_not_there(req, cat)
    kept = [Wish("require", *slot) for slot in sorted(staying) if slot[0] in DRAWN_APART]
    going = [Wish("exclude", *slot) for slot in single if slot[0] in DRAWN_APART]
    stays = {card for kind, card in staying if kind == "features"}
    goes = {card for kind, card in single if kind == "features"}
    groups = [group for name in asked if (group := _group(name))]
    turned = "features" in {*groups, *(kind for kind, _ in open_)}
    if not asked and not content.features.cards:  # they had brought none
        turned |= "features" not in map(_group, options.lock or ())

    def left(wishes: Sequence[Wish]) -> tuple[Space, Stones] | None:
        whole = space_of(replace(req, wishes=(*kept, *going, *wishes)), cat)
        outcomes = [(o, weight) for o, weight in whole.features if stays <= {*o.cards} and not goes & {*o.cards}]
        if not turned:
            outcomes = [(content.features, 1)] if are_met(wishes, "features", content.features.names) else []
        space, stones = replace(whole, features=tuple(outcomes)), _stones(content, open_, single, wishes, cat)
        return (space, stones) if stones is not None and space.possible else None

    found = left(req.wishes)
    if found is None:
        if left(()) is not None:
            raise clashing(smallest(req.wishes, lambda some: left(some) is not None), "again")
        names = tuple(card for _, card in sorted(open_)) or tuple(asked)
        raise NoAnswerError("setup-nothing-else", slots=names)
    space, stones = found
    layout = None if open_ else content.layout
    new = replace(content, **space.draw(seed)._asdict(), stones=stones.draw(seed), seed=seed, layout=layout)
    for kind in groups:
        if new.slots[kind] == content.slots[kind] and _is_settled(kind, space, stones):
            raise NoAnswerError("setup-nothing-else", slots=content.slots[kind] or (kind,))
    forced = {wish.card: "require" for wish in req.wishes if wish.kind == "require"}
    forced = {wish.card: "lock" for wish in kept} | forced | dict.fromkeys(stays, "lock")
    return Chosen(new, req, space, stones, forced)


def _is_settled(kind: str, space: Space, stones: Stones) -> bool:
    """True if only one draw of this kind of slots is possible."""
    if kind == "features":
        return len(space.features) == 1
    if kind == "stones":
        return stones.number == len(stones.pool) and stones.cause != "variant"  # an epic game draws their order
    slots: Slots = getattr(space, kind)
    return slots.count in (len(slots.pool), len(slots.given))


def _group(name: str) -> str | None:
    return GROUPS.get(name.strip().lower())


def _slots_named(name: str, slots: set[Slot], cat: Catalogue, lang: str) -> set[Slot]:
    """Which of the slots are meant; raises ``setup-not-in-code`` if none is."""
    if group := _group(name):
        return {slot for slot in slots if slot[0] == group}
    kind, card = slot_named(name, cat, lang)
    meant = slots & {(kind, each) for each in (cat.pool.guardians if card == GUARDIAN else [card])}
    if not meant:
        raise NoAnswerError("setup-not-in-code", query=name)
    return meant


def _stones(
    content: Content, open_: set[Slot], single: set[Slot], wishes: Sequence[Wish], cat: Catalogue
) -> Stones | None:
    if not any(kind == "stones" for kind, _ in open_):
        kept = Stones(content.stones, len(content.stones), "lock")
        return kept if are_met(wishes, "stones", {*content.stones}) else None
    gone = {wish.card for wish in wishes if wish.kind == "exclude"}
    gone |= {card for kind, card in single if kind == "stones"}
    owned = cat.owned(cat.pool.stones, content.sets)
    if len(content.stones) > 1 and cat.variants[content.variant].dungeon == "epic":
        return Stones(owned, 2, "variant") if not gone & set(owned) or single else None
    if len(content.stones) > 1:  # there are no others
        return Stones(content.stones, 2, "lock") if not gone & set(owned) else None
    wanted = [wish.card for wish in wishes if wish.kind == "require" and wish.slot == "stones"]
    free = tuple(stone for stone in (wanted or owned) if stone not in gone)
    cause = None if len(free) > 1 else "require" if wanted else "exclude" if len(owned) > 1 else "box"
    return Stones(free, 1, cause) if free else None
