"""The cards for a checked request: what fits, the draw, wishes that cannot be met together, slots drawn again.

The next game of a campaign leaves out what earlier games had, and adds what was left of them (R9.2 to R9.4).
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, NamedTuple

from thunderref.errors import NoAnswerError, ThunderrefError
from thunderref.rng import open_stream
from thunderref.search.counts import split_filter
from thunderref.thunderstone.setup import draw, request
from thunderref.thunderstone.setup.catalogue import GUARDIAN, SLOT_KINDS, STACKS, Catalogue, in_order
from thunderref.thunderstone.setup.codes import Content, Earlier, Features, Later, decode
from thunderref.thunderstone.setup.draw import DRAWN_APART, Slots, Space, Weighted
from thunderref.thunderstone.setup.layout import Counts, Note, horde_deck, lay_out, rest_of
from thunderref.thunderstone.setup.needs import Needs
from thunderref.thunderstone.setup.request import ANY, Request, SetupOptions, Slot, Wish, excluded, quotas_of, read_mix

SPACES = 16


class SetupChoice(NamedTuple):
    """The cards chosen: the ``space`` and ``stones`` they were drawn from, what ``forced`` others in, and warnings.

    ``remains`` are the cards left of the dungeon before, if known (R9.3).
    """

    content: Content
    request: Request
    space: Space | None
    stones: Stones
    forced: dict[str, str]
    remains: Counts = ()
    notes: tuple[Note, ...] = ()


def choose(options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue, lang: str) -> SetupChoice:
    """The cards of a set-up: drawn, of a code, with slots drawn again or of the next game of a campaign."""
    mode = request.mode_of(options)
    if mode == "draw":
        return _draw(options, wishes, seed, cat)
    before = decode(options.after or options.code or "", cat)
    req = request.request_of(before, wishes, cat)
    if mode == "code":
        space = space_of(req, cat) if options.why and before.layout is None else None
        notes = (("warn.why-code", dict[str, Any]()),) if space else ()
        return SetupChoice(before, req, space, stones_in_code(before, req, cat), {}, notes=notes)
    bans = request.ban_wishes(options.banned, wishes, req, cat)
    bans = [ban for ban in bans if ban.slot != "stones"]  # those are settled by the game before
    is_told = before.later is None or before.later.earlier is not None or before.variant not in ("pursuit", "odyssey")
    if mode == "after":
        choice = draw_next(before, replace(req, wishes=(*wishes, *bans)), options, seed, cat)
    else:
        req = replace(req, wishes=(*wishes, *(ban for ban in bans if ban.card not in before.cards)))
        choice = choose_again(before, req, options, seed, cat, lang)
    return choice if is_told else choice._replace(notes=(("warn.earlier-unknown", {}),))


def _draw(options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue) -> SetupChoice:
    avoided = [Wish("avoid", kind, card) for card in options.avoid for kind in DRAWN_APART if card in cat.slots[kind]]
    by_mix = [*read_mix(options.mix, cat)] if options.mix is not None else None
    bans: list[Wish] = []
    if options.boxes is not None:
        options = replace(options, sets=_some_boxes(options, [*wishes, *avoided], seed, cat), boxes=None)
    try:
        req = request.check_options(replace(options, sets=options.sets or by_mix), [*wishes, *avoided], cat)
        fixed = req.fixed
        if options.seed is None and fixed is not None and fixed.stone is not None:
            seed = 0
        bans += request.ban_wishes(options.banned, wishes, req, cat) if fixed is None else []
        choice = draw_from(replace(req, wishes=(*req.wishes, *bans)), seed, cat)
    except NoAnswerError as error:
        name_clash(error, options, [*wishes, *bans], cat)
        raise
    if fixed is None or not options.sets or cat.basic_box in options.sets:
        return choice
    cards = cat.owned((*fixed.classes, *fixed.heroes, *fixed.village), (cat.basic_box,))  # needed, so added (R1.8)
    return choice._replace(notes=(("warn.box-added", {"box": cat.basic_box, "cards": cards}),))


def _some_boxes(options: SetupOptions, wishes: Sequence[Wish], seed: int, cat: Catalogue) -> list[str]:
    """Return ``options.boxes`` of the boxes, at random among those that meet the wishes; what came in none stays."""
    sets = request.read_sets(options.sets, cat) if options.sets else cat.boxes
    boxes, number = [box for box in sets if box in cat.boxes], options.boxes or 0
    if not 0 < number <= len(boxes):
        raise NoAnswerError("setup-boxes", asked=number, most=len(boxes))
    extras = [box for box in sets if box not in boxes]
    hands = [[*hand, *extras] for hand in combinations(boxes, number)]
    order = open_stream(seed, "boxes").sample(hands, len(hands))
    return next((hand for hand in order if fits(replace(options, sets=hand, boxes=None), wishes, cat)), order[0])


def draw_from(
    req: Request, seed: int, cat: Catalogue, stones: Stones | None = None, later: Later | None = None
) -> SetupChoice:
    """The cards of a request, with these ``stones`` if given; :class:`NoAnswerError` tells the wishes at fault."""
    refuse_wishes(req, cat)
    wishes = _yielding(req, cat)
    stock, space = stones or stones_of(wishes, cat), space_of(wishes, cat)
    if stock is None or not space.possible:
        raise NoAnswerError("setup-impossible", wishes=_core(req, cat) if later else ())
    content = Content(
        sets=req.sets, players=req.players, variant=req.variant.id, level=req.level,
        layout=(req.fixed.kind, req.fixed.id) if req.fixed else None, balanced=req.balanced,
        stones=stock.draw(seed),
        later=later, seed=seed, **space.draw(seed)._asdict(),
    )  # fmt: skip
    return SetupChoice(
        content, req, space, stock, {wish.card: "require" for wish in req.wishes if wish.kind == "require"}
    )


def space_of(req: Request, cat: Catalogue) -> Space:
    """All set-ups that fit a request; the last ones are kept for later draws."""
    return _space(replace(req, players=0, level=None, stone=""), cat)  # which change nothing in it


@lru_cache(SPACES)
def _space(req: Request, cat: Catalogue) -> Space:
    fixed, counts = req.fixed, {"classes": req.count, **STACKS}
    quotas = tuple(dict.fromkeys(quota for wish in req.wishes for quota in quotas_of(wish, req, cat)))
    by_card = (
        excluded(wish.card, req, cat) if wish.kind == "exclude" and wish.slot == ANY else [wish] for wish in req.wishes
    )
    req = replace(req, wishes=tuple(dict.fromkeys(chain.from_iterable(by_card))))

    def slots(name: str, count: int) -> Slots:
        cards = cat.slots[name]
        if fixed is not None:
            return Slots(count, cards, frozenset(fixed.given) & set(cards))
        out = _cards(req, name, "exclude", "avoid").union(req.variant.without, req.barred)
        owned = tuple(card for card in cat.owned(cards, req.sets) if card not in out)
        return Slots(count, owned, _cards(req, name, "require"))

    features = ((Features(in_order(fixed.features, cat.pool.features), fixed.guardians), 1),) if fixed else None
    needs = cat.database.derived(Needs) if req.balanced else None
    kinds = {name: slots(name, count) for name, count in counts.items()}
    return Space(kinds=kinds, features=features or _features(req, cat), needs=needs, quotas=quotas)


def _cards(req: Request, slot: str, *kinds: str) -> frozenset[str]:
    return frozenset(wish.card for wish in req.wishes if wish.slot == slot and wish.kind in kinds)


def _features(req: Request, cat: Catalogue) -> Weighted:
    out = _cards(req, "features", "exclude") | req.barred
    owned = () if GUARDIAN in out else cat.owned(cat.pool.guardians, req.sets)
    guardians = tuple(card for card in owned if card not in out)
    outcomes: Weighted = tuple((Features(guardians=(card,)), 1) for card in guardians)
    if req.variant.dungeon != "epic":
        marks = cat.question_marks(req.sets)
        left_in_the_box = out if guardians else {*out, GUARDIAN}
        pile = tuple(card for card in cat.feature_pile(req.sets) if marks and card not in left_in_the_box)
        excluded = _cards(req, "classes", "exclude", "avoid") | req.barred
        classes = len(set(cat.owned(cat.pool.classes, req.sets)) - excluded)
        chances = draw.question_mark_chances(req.count, classes, marks) if classes >= req.count else []
        outcomes = draw.feature_outcomes(chances, pile, in_order(pile, cat.pool.features), guardians) if chances else ()
    required = _cards(req, "features", "require")
    return tuple((outcome, weight) for outcome, weight in outcomes if required <= outcome.names)


def _yielding(req: Request, cat: Catalogue) -> Request:
    """The request without the avoided that leave too few cards; the oldest go first."""
    firm = [wish for wish in req.wishes if wish.kind != "avoid"]
    single = [wish for wish in firm if not quotas_of(wish, req, cat)]
    joined = req.balanced or len(single) < len(firm)
    required = {wish.card for wish in firm if wish.kind == "require"}
    avoided: list[Wish] = []

    def fits(wishes: list[Wish], count: int, balanced: bool) -> bool:
        return space_of(replace(req, wishes=(*wishes, *avoided[:count]), balanced=balanced), cat).possible

    for wish in req.wishes:  # the most recent first
        if wish.kind == "avoid" and wish.card not in required:
            avoided.append(wish)
            if not fits(single, len(avoided), False):
                avoided.pop()
    if joined:  # the more is avoided the less fits, so halving finds the limit
        del avoided[bisect(range(1, len(avoided) + 1), False, key=lambda count: not fits(firm, count, req.balanced)) :]
    return replace(req, wishes=(*firm, *avoided))


def refuse_wishes(req: Request, cat: Catalogue) -> None:
    """Raises :class:`NoAnswerError` for a wish that by itself no draw from these boxes can meet, or act on."""
    fixed, without = req.fixed, req.variant.without
    inside = {*fixed.given, *((GUARDIAN,) if fixed.guardians else ())} if fixed else set()
    for wish in (wish for wish in req.wishes if wish.slot == ANY):
        kind, text = wish.kind, wish.card
        if kind == "mix" and (lacking := [box for box in read_mix(text, cat) if box not in req.sets]):
            raise NoAnswerError("setup-mix-box", box=lacking[0])
        counts = kind == "require" or (kind == "exclude" and fixed is not None)
        about = request.drawn_cards(text, req, cat) if counts else None
        minimum = (split_filter(cat.database, text)[0] or 1) if kind == "require" else 0
        overlap = len(inside & about) if about is not None else 0
        if fixed is not None and (about is None or (overlap > 0 if kind == "exclude" else overlap < minimum)):
            raise NoAnswerError("setup-fixed-wish", layout=fixed.id, wishes=(wish,))
        if about is not None and len(about) < minimum:
            raise NoAnswerError("setup-wish-few", wishes=(wish,), n=len(about))
    for wish in req.wishes:
        kind, slot, card, _ = wish
        if kind == "exclude" and slot == "basic":
            raise NoAnswerError("setup-always-in", card=card)
        if kind == "around" or (kind == "require" and slot not in (ANY, "basic")):
            if (home := cat.set_of.get(card, req.sets[0])) not in req.sets:
                raise NoAnswerError("setup-not-owned", card=card, box=home)
            if card in req.barred:
                raise NoAnswerError("setup-earlier-had", card=GUARDIAN if card in cat.pool.guardians else card)
            if card in without:
                raise NoAnswerError("setup-not-in-variant", card=card, variant=req.variant.id)
        if kind == "around" and not quotas_of(wish, req, cat)[1].cards:
            raise NoAnswerError("setup-no-partners", card=card)
    if fixed is None:
        return
    for kind, slot, card, _ in req.wishes:
        if slot not in ("stones", "basic", ANY) and kind != "avoid" and (kind == "exclude") == (card in inside):
            code = "setup-fixed-has" if kind == "exclude" else "setup-fixed-lacks"
            raise NoAnswerError(code, layout=fixed.id, kind=fixed.kind, card=card)
    for card in fixed.village:
        if card in without:
            raise NoAnswerError("setup-not-in-variant", card=card, variant=req.variant.id)


def _core(req: Request, cat: Catalogue) -> tuple[Wish, ...]:
    """A smallest set of wishes for a next game, and of what comes from the one before it, that cannot be met."""
    fewest_classes = req.variant.classes[0]
    flags = {"balanced": req.balanced, "monsters": req.count != fewest_classes, "campaign": bool(req.barred)}
    options = [Wish(name, "option", str(req.count) if name == "monsters" else "") for name in flags if flags[name]]

    def possible(wishes: Sequence[Wish]) -> bool:
        kinds = {wish.kind for wish in wishes}
        request = replace(
            req, balanced="balanced" in kinds, count=req.count if "monsters" in kinds else fewest_classes,
            wishes=tuple(wish for wish in wishes if wish.slot != "option"),
            barred=req.barred if "campaign" in kinds else frozenset(),
        )  # fmt: skip
        return space_of(request, cat).possible

    return smallest([*options, *(wish for wish in req.wishes if wish.kind != "avoid")], possible)


def smallest(wishes: Sequence[Wish], possible: Callable[[Sequence[Wish]], bool]) -> tuple[Wish, ...]:
    """Return a minimal subset of the wishes that is not ``possible``: without any one of its own it is."""
    core = tuple(wishes)
    for wish in wishes:
        without = tuple(other for other in core if other is not wish)
        if not possible(without):
            core = without
    return () if possible(core) else core


AS_WISHES = ("balanced", "level", "stone", "monsters", "players", "first_game", "theme", "variant", "sets")
"""Options that count as wishes, in the order of leaving them out: those that need another one before it."""


def name_clash(error: ThunderrefError, options: SetupOptions, wishes: Sequence[Wish], cat: Catalogue) -> None:
    """Adds to the refusal of a draw the smallest set of wishes and options in it that cannot be met together.

    Without any one of them there is a set-up of the boxes in use; ``sets`` is among them if there is one without it.
    ``why``: it would fit with more boxes.
    """
    reasons = []
    for name in AS_WISHES:
        value = getattr(options, name)
        if request.is_given(value, False):
            text = "" if value is True else ", ".join(value) if isinstance(value, list | tuple) else str(value)
            reasons.append(Wish(name, "option", text))
    alone = SetupOptions(variant=options.variant, first_game=options.first_game, theme=options.theme)
    free = [*(cat.sets if options.sets or options.mix else cat.boxes)]
    with suppress(ThunderrefError):
        free = free if options.sets or options.mix else [*request.check_options(alone, (), cat).sets]

    def possible(subset: Sequence[Wish], boxes: list[str] | None = free) -> bool:
        values: dict[str, Any] = {name: getattr(options, name) for name, slot, *_ in subset if slot == "option"}
        if options.mix and not options.sets and any(wish.kind == "mix" for wish in subset):
            boxes = [*read_mix(options.mix, cat)]
        wishes = [wish for wish in subset if wish.slot != "option"]
        return fits(SetupOptions(**({"sets": boxes} | values)), wishes, cat)

    clash = smallest([*reasons, *(wish for wish in wishes if wish.kind != "avoid")], possible)
    without_sets = tuple(wish for wish in clash if wish.kind != "sets")
    clash = clash if len(without_sets) < len(clash) and possible(without_sets, None) else without_sets
    if len(clash) > 1 or error.code == "setup-impossible":
        error.params["clash"] = [request.written(wish) for wish in clash]
    if error.code == "setup-impossible":
        more = replace(options, sets=[*cat.sets])
        error.params |= {"wishes": clash, "n": len(clash)} | ({"why": "sets"} if fits(more, wishes, cat) else {})


def fits(options: SetupOptions, wishes: Sequence[Wish], cat: Catalogue) -> bool:
    try:
        req = request.check_options(options, wishes, cat)
        refuse_wishes(req, cat)
    except ThunderrefError:
        return False
    return stones_of(req, cat) is not None and space_of(req, cat).possible


def are_met(wishes: Iterable[Wish], slot: str, names: Set[str]) -> bool:
    """True if cards of these ``names`` in a kind of slot meet all wishes about it."""
    firm = (wish for wish in wishes if wish.slot == slot and wish.kind in ("require", "exclude"))
    return all((wish.card in names) == (wish.kind == "require") for wish in firm)


def without_stones(wishes: Sequence[Wish], stones: Sequence[str]) -> tuple[Wish, ...]:
    """The wishes but those about stones; raises ``setup-stone-won`` for one that the ``stones`` do not meet."""
    if not are_met(wishes, "stones", {*stones}):
        raise NoAnswerError("setup-stone-won", cards=tuple(stones))
    return tuple(wish for wish in wishes if wish.slot != "stones")


class Stones(NamedTuple):
    """``number`` stones of ``pool``, the deepest first; ``cause`` says what left no choice, as in a reason."""

    pool: tuple[str, ...]
    number: int = 1
    cause: str | None = None

    @property
    def settled(self) -> bool:
        return self.number == len(self.pool) and self.cause != "variant"  # an epic game draws their order too

    def draw(self, seed: int) -> tuple[str, ...]:
        return self.pool if self.settled else tuple(open_stream(seed, "stones").sample(self.pool, self.number))


def stones_of(req: Request, cat: Catalogue) -> Stones | None:
    about = [wish for wish in req.wishes if wish.slot == "stones"]
    required, out = ({wish.card for wish in about if wish.kind == kind} for kind in ("require", "exclude"))
    owned = cat.campaign_stones(req.sets) if req.variant.campaign else cat.owned(cat.pool.stones, req.sets)
    free = tuple(stone for stone in owned if stone not in out)
    required_stones = tuple(stone for stone in free if stone in required)
    if len(required_stones) < len(required) or len(free) < req.variant.stones:
        return None
    matching = tuple(stone for stone in free if stone.endswith(req.stone))
    if req.variant.dungeon == "epic":
        return Stones(free, 2, "variant")
    if req.variant.campaign:  # which one comes first; the other one is in the next game
        first = matching or (required_stones if len(required_stones) == 1 else ())
        return Stones(first, 1, "require") if first else Stones(free)
    if req.stone == "both" or len(required_stones) > 1:
        return Stones(free, 2, "require") if len(free) > 1 and not matching else None
    if required_stones or req.stone != "random":
        wished = tuple(stone for stone in required_stones or matching if not matching or stone in matching)
        return Stones(wished, 1, "require") if wished else None
    if req.fixed is not None and req.fixed.stone in free:
        return Stones((req.fixed.stone,), 1, req.fixed.kind)
    return Stones(free, 1, None if len(free) > 1 else "box" if free == owned else "exclude")


def stones_in_code(content: Content, req: Request, cat: Catalogue) -> Stones:
    """The stones that the game of a code is played with, as far as the code tells how they came."""
    if content.later is None:
        unasked = stones_of(replace(req, fixed=cat.fixed_setup(content.layout)), cat)
        if unasked and unasked.number == len(content.stones) and {*content.stones} <= {*unasked.pool}:
            return unasked
    return Stones(content.stones, len(content.stones), "variant" if content.later else "require")


def choose_again(
    content: Content, req: Request, options: SetupOptions, seed: int, cat: Catalogue, lang: str
) -> SetupChoice:
    """The set-up with the slots of ``reroll`` drawn again (without: all slots but those of ``lock``).

    A slot named by its card gets another card; a whole kind (``heroes``) is drawn anew. Raises :class:`NoAnswerError`:
    ``setup-not-in-code`` for a slot that is not in it, ``setup-nothing-else`` if there is nothing else to draw. A later
    game of a campaign keeps its stone (``setup-stone-won``) and gets nothing that an earlier one had
    (``setup-earlier-had``). ``setup-impossible`` names wishes that the slots drawn again cannot meet.
    """
    slots = {(kind, card) for kind, cards in content.slots.items() for card in cards}
    slots_of = {name: _slots_named(name, slots, cat, lang) for name in options.reroll or ()}
    again = set[Slot]().union(*slots_of.values()) if slots_of else slots
    if content.later is not None:
        req = replace(req, wishes=without_stones(req.wishes, content.stones))
        won = {slot for slot in slots if slot[0] == "stones"}
        if slots_of and again & won:
            raise NoAnswerError("setup-stone-won", cards=content.stones)
        again = again - won
    locked = {slot for name in options.lock or () for slot in _slots_named(name, slots, cat, lang)}
    for members in slots_of.values():
        if members and members <= locked:
            raise NoAnswerError("setup-locked", slots=tuple(card for _, card in sorted(members)))
    open_, staying = again - locked, slots - (again - locked)
    single = {slot for name, members in slots_of.items() if not _group(name) for slot in members}
    refuse_wishes(req, cat)
    staying_wishes = [Wish("require", *slot) for slot in sorted(staying) if slot[0] in DRAWN_APART]
    going = [Wish("exclude", *slot) for slot in single if slot[0] in DRAWN_APART]
    stays = {card for kind, card in staying if kind == "features"}
    goes = {card for kind, card in single if kind == "features"}
    groups = [group for name in slots_of if (group := _group(name))]
    turned = "features" in {*groups, *(kind for kind, _ in open_)}
    if not slots_of and not content.features.cards:  # they had brought none
        turned |= "features" not in map(_group, options.lock or ())

    def remaining_space(wishes: Sequence[Wish]) -> tuple[Space, Stones] | None:
        whole = space_of(replace(req, wishes=(*staying_wishes, *going, *wishes)), cat)
        outcomes = [(o, weight) for o, weight in whole.features if stays <= {*o.cards} and not goes & {*o.cards}]
        if not turned:
            outcomes = [(content.features, 1)] if are_met(wishes, "features", content.features.names) else []
        space, stones = replace(whole, features=tuple(outcomes)), _stones(content, open_, single, wishes, cat)
        return (space, stones) if stones is not None and space.possible else None

    remaining = remaining_space(req.wishes)
    if remaining is None:
        if remaining_space(()) is not None:
            clash = smallest(req.wishes, lambda some: remaining_space(some) is not None)
            typed = [request.written(wish) for wish in clash]
            raise NoAnswerError("setup-impossible", wishes=clash, clash=typed, n=len(clash), why="again")
        raise NoAnswerError("setup-nothing-else", slots=tuple(card for _, card in sorted(open_)) or tuple(slots_of))
    space, stones = remaining
    layout = None if open_ else content.layout
    new = replace(content, **space.draw(seed)._asdict(), stones=stones.draw(seed), seed=seed, layout=layout)
    settled = {kind: slots.count in (len(slots.pool), len(slots.required)) for kind, slots in space.kinds.items()}
    settled |= {"features": len(space.features) == 1, "stones": stones.settled}
    for kind in groups:
        if settled[kind] and new.slots[kind] == content.slots[kind]:
            raise NoAnswerError("setup-nothing-else", slots=content.slots[kind] or (kind,))
    forced = {wish.card: "require" for wish in req.wishes if wish.kind == "require"}
    forced = {wish.card: "lock" for wish in staying_wishes} | forced | dict.fromkeys(stays, "lock")
    return SetupChoice(new, req, space, stones, forced)


def _group(name: str) -> str | None:
    """The kind of slots that a word stands for."""
    kind = name.strip().lower()
    kind = {"monsters": "classes", "stone": "stones"}.get(kind, kind)
    return kind if kind in SLOT_KINDS else None


def _slots_named(name: str, slots: set[Slot], cat: Catalogue, lang: str) -> set[Slot]:
    """Return those of the slots that the name stands for; raises ``setup-not-in-code`` if none is."""
    if group := _group(name):
        return {slot for slot in slots if slot[0] == group}
    kind, card = request.slot_named(name, cat, lang)
    matches = slots & {(kind, card_id) for card_id in (cat.pool.guardians if card == GUARDIAN else [card])}
    if not matches:
        raise NoAnswerError("setup-not-in-code", query=name)
    return matches


def _stones(
    content: Content, open_: set[Slot], single: set[Slot], wishes: Sequence[Wish], cat: Catalogue
) -> Stones | None:
    if not any(kind == "stones" for kind, _ in open_):
        stones = Stones(content.stones, len(content.stones), "lock")
        return stones if are_met(wishes, "stones", {*content.stones}) else None
    gone = {wish.card for wish in wishes if wish.kind == "exclude"}
    gone |= {card for kind, card in single if kind == "stones"}
    owned = cat.owned(cat.pool.stones, content.sets)
    if len(content.stones) > 1 and cat.variants[content.variant].dungeon == "epic":
        return Stones(owned, 2, "variant") if not gone & set(owned) or single else None
    if len(content.stones) > 1:  # there are no others
        return Stones(content.stones, 2, "lock") if not gone & set(owned) else None
    required = [wish.card for wish in wishes if wish.kind == "require" and wish.slot == "stones"]
    free = tuple(stone for stone in (required or owned) if stone not in gone)
    cause = None if len(free) > 1 else "require" if required else "exclude" if len(owned) > 1 else "box"
    return Stones(free, 1, cause) if free else None


def draw_next(before: Content, req: Request, options: SetupOptions, seed: int, cat: Catalogue) -> SetupChoice:
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
    remaining, remains = _read_left(options.left, cat)
    if remaining and not pursuit:
        raise NoAnswerError("setup-no-left")
    table = lay_out(before, cat)
    if remaining > (limit := sum(layer.drawn for layer in table.layers) + len(before.features.guardians)):
        raise NoAnswerError("setup-too-many-left", most=limit, asked=remaining)
    _check_remains(before, remains, cat)
    # a Horde placeholder or a guardian may be left of this game
    guarded = table.leftovers is None or table.leftovers.guardians or before.features.guardians
    may_be_more = guarded or any(stack.kind == "horde" for stack in table.stacks)
    leftovers = rest_of(remains, cat) if remains or (remaining and not may_be_more) else None
    later = Later(winner, remaining, _earlier(before, remains, cat), leftovers)
    stones = tuple(stone for stone in cat.campaign_stones(before.sets) if stone not in before.stones)
    req = replace(req, wishes=without_stones(req.wishes, stones), barred=request.barred_from(later, cat))
    free = len(set(cat.owned(cat.pool.classes, before.sets)) - req.barred)
    if free < req.count:
        raise NoAnswerError("setup-classes-used-up", classes=free, asked=req.count)
    return draw_from(req, seed, cat, Stones(stones, len(stones), "variant"), later)._replace(remains=remains)


def _read_left(remaining: int | Sequence[tuple[str, int]], cat: Catalogue) -> tuple[int, Counts]:
    """Return how many cards were left and, if they are named, which; ``setup-bad-left`` for what is no card."""
    counts = Counter[str]()
    for card, copies in () if isinstance(remaining, int) else remaining:
        if copies < 0 or card not in cat.cards:
            raise NoAnswerError("setup-bad-left", asked=f"{copies} {card}")
        counts[card] += copies
    number = remaining if isinstance(remaining, int) else counts.total()
    if number < 0:
        raise NoAnswerError("setup-bad-left", asked=str(number))
    return number, tuple(sorted((+counts).items()))


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
    later, this_game = before.later, {*before.classes, *before.features.cards}
    earlier = before.earlier
    room = later.remaining if later else 0  # for cards of still earlier games
    for card, copies in remains:
        row = cat.cards[card]
        limit = row.count if row.set_id in before.sets else 0
        if not {row.family, card} & this_game:
            if earlier is None:
                is_known = row.kind in ("monster", "trap", "guardian")
            else:
                is_known = bool({row.family, card} & {*earlier.classes, *earlier.traps, *earlier.guardians})
            if later is not None and later.leftovers is not None:
                had = rest_of(((card, limit),), cat)
                if had.placeholders:
                    limit = later.leftovers.placeholders
                is_known = is_known and set(had.guardians) <= set(later.leftovers.guardians)
            limit = min(limit, room) if is_known else 0
            room -= copies
        if copies > limit:
            raise NoAnswerError("setup-not-left", card=card)
    still_beside = horde_deck(rest_of(remains, cat), _earlier(before, remains, cat), cat)
    for card, _ in remains:
        if card in still_beside:  # it is only turned after the lower ones and the placeholders for them
            raise NoAnswerError("setup-not-left", card=card)


def _earlier(before: Content, remains: Counts, cat: Catalogue) -> Earlier | None:
    """Return what the next game may not have, with survivors of games that an old code does not record."""
    if before.variant == "odyssey":
        return Earlier(heroes=before.heroes)
    if before.variant != "pursuit":
        return None
    earlier = before.earlier or Earlier()
    had = {*earlier.classes, *earlier.traps, *earlier.guardians, *before.classes, *before.features.cards}
    had |= {cat.cards[card].family or card for card, _ in remains}
    pool = cat.pool
    return Earlier(in_order(had, pool.classes), in_order(had, pool.features), in_order(had, pool.guardians))
