"""``generate_setup``, and the finished set-up: why each card is in it and how hard its dungeon is (R1.1, R1.2)."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Unpack

from thunderref.database.card_records import STACKED
from thunderref.database.operations import Gain, GainUnlessShown
from thunderref.database.read import FALLBACK, Database, Language, open_database
from thunderref.database.records import FixedSetup, Variant
from thunderref.errors import InputError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup import request
from thunderref.thunderstone.setup.catalogue import BASIC, DECK, GUARDIAN, PICK_TWO, Catalogue
from thunderref.thunderstone.setup.choose import SetupChoice, choose, space_of
from thunderref.thunderstone.setup.codes import SEEDS, Content, encode
from thunderref.thunderstone.setup.draw import DRAWN_APART
from thunderref.thunderstone.setup.layout import (
    Counts,
    Layout,
    Note,
    SetupStep,
    cards_on_table,
    find_notes,
    lay_out,
    list_steps,
)
from thunderref.thunderstone.setup.memory import Tonight, check_sum
from thunderref.thunderstone.setup.needs import Link, Needs, Partners, Requirement
from thunderref.thunderstone.setup.request import Naming, Request, SetupOptions, quotas_of, read_wishes, wish_text

CERTAIN = Fraction(1)


class Reason(NamedTuple):
    """Why a card is in its slot: drawn from ``pool`` cards (neither certain nor impossible), or forced in (``pool`` 1).

    ``forced_by``: ``require``, ``lock``, ``first-game``, ``theme``, ``variant``, ``box`` (the sets have no other),
    ``exclude`` (the others are left out), ``wishes`` (no set-up that meets them is without it),
    ``balanced`` (no balanced set-up is without it), None.
    ``settles``: kinds of requirements that only this card settles.
    """

    slot: str
    card: str
    pool: int
    chance: Fraction
    forced_by: str | None
    settles: tuple[str, ...] = ()

    def dump(self, naming: Naming) -> dict[str, Any]:
        chance = {"fraction": str(self.chance), "percent": round(float(self.chance) * 100, 1)}
        return {
            "slot": self.slot, "id": self.card, "name": naming.name(self.card), "pool": self.pool, "chance": chance,
            "forced_by": self.forced_by, "settles": [*self.settles], "text": self.text(naming),
        }  # fmt: skip

    def text(self, naming: Naming) -> str:
        percent = naming.words.number(float(self.chance) * 100, ".1f")
        line = naming.say(f"setup.why.{self.forced_by or 'drawn'}", pool=self.pool, percent=percent)
        if self.settles:
            needs = ", ".join(naming.say(f"setup.need.{kind}") for kind in self.settles)
            line = f"{line} {naming.say('setup.why.settles', needs=needs)}"
        return line


def find_reasons(choice: SetupChoice, cat: Catalogue) -> tuple[Reason, ...]:
    content, space, stones = choice.content, choice.space, choice.stones
    settled = [need for need in requirements_of(content, cat) if len(need.by) == 1]
    chances = {} if space is None or content.layout is not None else space.chances()
    chances["stones"] = dict.fromkeys(stones.pool, Fraction(stones.number, len(stones.pool)))
    reasons = []
    for slot, card in ((slot, card) for slot, cards in content.slots.items() for card in cards):
        settles = tuple(need.kind for need in settled if need.by == (card,))
        chance, pool = chances.get(slot, {}).get(card, CERTAIN), 1
        if chance < CERTAIN and slot == "features" and space is not None:
            names = [outcome.names for outcome, _ in space.features]
            guardian = card in cat.pool.guardians and all(GUARDIAN in card_names for card_names in names)
            pile = cat.pool.guardians if guardian else cat.feature_pile(content.sets)
            pool = sum(0 < sum(card in hand for hand in names) < len(names) for card in pile)
        elif chance < CERTAIN:
            pool = sum(0 < chance < 1 for chance in chances[slot].values())
        cause = _cause(choice, slot, card, cat) if chance == CERTAIN else None
        reasons.append(Reason(slot, card, pool, chance, cause, settles))
    return tuple(reasons)


def requirements_of(content: Content, cat: Catalogue) -> list[Requirement]:
    dungeon = (*content.classes, *content.features.traps)
    return cat.database.derived(Needs).find(dungeon, content.heroes, content.village)


def _cause(choice: SetupChoice, slot: str, card: str, cat: Catalogue) -> str | None:
    space, req = choice.space, choice.request
    if card in choice.forced:
        return choice.forced[card]
    if slot == "stones":
        return choice.stones.cause
    if choice.content.layout is not None:
        return choice.content.layout[0]
    if slot == "features":
        wish = choice.forced.get(GUARDIAN if card in cat.pool.guardians else PICK_TWO)
        if wish or req.variant.dungeon != "epic":
            return wish or "require"
        return "variant" if len(cat.owned(cat.pool.guardians, req.sets)) == 1 else "exclude"
    assert space is not None
    slots = space.kinds[slot]
    if len(slots.pool) > slots.count:
        if space.needs is None:
            return "wishes"
        alone = replace(space, quotas=()) if space.quotas else space  # whatever else was asked for
        return "balanced" if alone.chances()[slot].get(card) == CERTAIN else "wishes"
    owned = {*cat.owned(cat.slots[slot], req.sets)}.difference(req.variant.without)
    if len(owned) == slots.count:
        return "box"
    return "variant" if len(owned - req.barred) == slots.count else "exclude"


def granted_rows(content: Content, req: Request, naming: Naming) -> list[dict[str, Any]]:
    """How wishes about several cards are met: the cards ``by`` which each is, of which there must be ``minimum``."""
    rows = []
    quotas = [(wish, quota) for wish in req.wishes for quota in quotas_of(wish, req, naming.cat)]
    for wish, (minimum, cards) in quotas:
        if cards != {wish.card}:
            by, text = [card for card in content.cards if card in cards], wish_text(wish, naming)
            row: dict[str, Any] = {"wish": text, "least": minimum, "by": by}
            row["text"] = naming.say("setup.granted", wish=text, n=minimum, by=naming.names(by) or "–")
            if wish.kind == "around":
                links = naming.cat.database.derived(Partners).of(wish.card)
                row["partners"] = [
                    {"id": card, "name": naming.name(card), "why": [link_text(link, naming) for link in links[card]]}
                    for card in links if card in by
                ]  # fmt: skip
            rows.append(row)
    return rows


def link_text(link: Link, naming: Naming) -> str:
    prefix = {"need": "setup.need.", "type": "card.type."}.get(link.kind)
    subject = naming.words.say_or(link.detail, prefix) if prefix else ""
    giver, taker = naming.name(link.giver), naming.name(link.taker)
    return naming.say(f"setup.link.{link.kind}", giver=giver, taker=taker, what=subject)


PRINTED = ("health", "vp", "xp")
MEASURES = (*PRINTED, "diseases", "breaches", "light_penalties")


class Measure(NamedTuple):
    """A total of the dungeon: ``average``, ``lowest``, ``highest`` over all draws of as many classes from the boxes."""

    name: str
    total: int
    average: Fraction
    lowest: int
    highest: int

    def dump(self) -> dict[str, Any]:
        average = round(float(self.average), 1)
        return {"total": self.total, "average": average, "least": self.lowest, "most": self.highest}


def figures_of_cards(database: Database) -> dict[str, tuple[int, ...]]:
    """Card -> what it adds to each of ``MEASURES``; the Horde's VP depend on how many a player owns: 0 (R7.2)."""
    figures_of = {}
    for card in database.cards.values():
        effects = database.all_effects.get(card.id, ())
        gains = (op for effect in effects for op in effect.do if isinstance(op, Gain | GainUnlessShown))
        gained = (getattr(gain, "amount", 1) for gain in gains if gain.card == "disease")
        breaches = sum(effect.timing == "breach" for effect in effects)
        figures = (card.health, card.vp, card.xp, sum(gained), breaches, card.light_penalty)
        figures_of[card.id] = tuple(figure or 0 for figure in figures)
    return figures_of


def totals_of(cat: Catalogue, name: str, sets: tuple[str, ...]) -> tuple[int, ...]:
    """The amounts that a class or a guardian adds to each of ``MEASURES``; those of the Horde by its numbers."""
    figures = cat.database.derived(figures_of_cards)
    rows = [(card.id, card.count) for card in cat.numbered.get(name, ())]
    rows = rows or ([(name, 1)] if name in cat.cards else cat.cards_of(name, sets))
    return tuple(sum(n * figures[card][i] for card, n in rows) for i in range(len(MEASURES)))


def measures_of(content: Content, req: Request, cat: Catalogue) -> list[Measure]:
    """The measures of a dungeon; all draws of as many classes are equally likely, whatever features join them.

    Only those of ``PRINTED`` figures where a card that may be drawn is not judged.
    """
    sets, class_names = content.sets, content.classes
    outcomes = space_of(replace(req, fixed=None, wishes=()), cat).features or ((content.features, 1),)
    classes = [totals_of(cat, name, sets) for name in cat.owned(cat.pool.classes, sets)]
    totals_by_name = {name: totals_of(cat, name, sets) for name in (*class_names, *content.features.cards)}
    joined = [(weight, [totals_of(cat, name, sets) for name in outcome.cards]) for outcome, weight in outcomes]
    weights, n, measures = sum(weight for weight, _ in joined), len(class_names), []
    may_join = {*cat.owned(cat.pool.classes, sets), *(card for outcome, _ in outcomes for card in outcome.cards)}
    is_judged = all(card.judged for name in {*may_join, *totals_by_name} for card in cat.members(name))
    for i, name in enumerate(MEASURES if is_judged else PRINTED):
        values = sorted(totals[i] for totals in classes)
        more = [(weight, sum(totals[i] for totals in parts)) for weight, parts in joined]
        average = Fraction(n * sum(values), len(values)) + Fraction(sum(w * value for w, value in more), weights)
        lowest, highest = min(value for _, value in more), max(value for _, value in more)
        total = sum(totals[i] for totals in totals_by_name.values())
        measures.append(Measure(name, total, average, sum(values[:n]) + lowest, sum(values[-n:]) + highest))
    return measures


@dataclass(frozen=True)
class Setup:
    """One set-up; the language of steps and warnings is ``lang``.

    ``notes`` are warnings from making it. ``scores`` are those of the game before in a campaign (R9.4), ``remains`` the
    cards left of its dungeon, if known (R9.3). ``readings`` are open questions of the rules answered the other way than
    by default (R1.2, R1.5).
    """

    content: Content
    request: Request
    cat: Catalogue
    lang: str = FALLBACK
    notes: tuple[Note, ...] = ()
    reasons: tuple[Reason, ...] = ()
    scores: tuple[int, ...] = ()
    remains: Counts = ()
    readings: frozenset[str] = frozenset()

    @property
    def database(self) -> Database:
        return self.cat.database

    @cached_property
    def code(self) -> str:
        return encode(self.content, self.cat)

    @property
    def variant(self) -> Variant:
        return self.cat.variants[self.content.variant]

    @property
    def fixed(self) -> FixedSetup | None:
        return self.cat.fixed_setup(self.content.layout)

    @property
    def game_points(self) -> list[int]:
        """Game points by player of the odyssey's first game (R9.4); [] if the scores are unknown."""
        from thunderref.thunderstone.rules.scoring import game_points

        later = self.content.later
        return game_points(self.scores, later.winner) if later and self.variant.id == "odyssey" else []

    @cached_property
    def table(self) -> Layout:
        return lay_out(self.content, self.cat, self.remains)

    @cached_property
    def naming(self) -> Naming:
        return Naming(Language(self.database, self.lang))

    @cached_property
    def steps(self) -> list[SetupStep]:
        return list_steps(self.table, self.naming, self.readings)

    @property
    def warnings(self) -> list[str]:
        return [text for _, text in self.remarks]

    @cached_property
    def remarks(self) -> list[tuple[str, str]]:
        """The notes on this set-up: the key of each note, and its text."""
        points = ", ".join(f"{i}: {n}" for i, n in enumerate(self.game_points, start=1))
        points_note = (("warn.points", {"points": points}),) if points else ()
        notes = (*self.notes, *points_note, *find_notes(self.table, self.naming, self.readings))
        return [(key, self.naming.say(f"setup.{key}", **self.naming.in_words(params))) for key, params in notes]

    @cached_property
    def requirements(self) -> list[dict[str, Any]]:
        """The needs of the cards and what settles them; [] unless asked for."""
        naming, rows = self.naming, list[dict[str, Any]]()
        has_needs = self.content.balanced or self.reasons
        for kind, because, by in requirements_of(self.content, self.cat) if has_needs else ():
            cards = naming.names(because)
            reason = naming.say("setup.need-because", cards=cards) if cards else naming.say("setup.need-always")
            key = "setup.need-met" if by else "setup.need-open"
            text = naming.say(key, need=naming.say(f"setup.need.{kind}"), by=naming.names(by), reason=reason)
            rows.append({"id": kind, "satisfied": bool(by), "by": [*by], "because": [*because], "text": text})
        return rows

    @cached_property
    def wishes(self) -> list[dict[str, Any]]:
        """How the wishes about several cards are met; [] unless asked for."""
        return granted_rows(self.content, self.request, self.naming) if self.reasons else []

    @property
    def tonight(self) -> Tonight:
        """The part of a set-up on the table that is remembered."""
        laid, rows = self.table, self.database.cards
        cards = cards_on_table(laid)
        offered = [stack for stack in laid.stacks if stack.kind in STACKED]
        sold = [card for stack in offered for card, copies in stack.cards if copies]
        on_table, stacks = (tuple(dict.fromkeys(rows[c].reprint_of or c for c in ids)) for ids in (cards, sold))
        return Tonight(self.code, on_table, stacks, check_sum(self.code, on_table, stacks))

    @cached_property
    def fetched(self) -> dict[str, list[str]]:
        """Box -> what comes from it, by the dividers; nothing for a set-up without a user's box."""
        content, cat = self.content, self.cat
        if not cat.user_boxes(content.sets):
            return {}
        home = {**cat.set_of, **{pile.id: pile.set_id for pile in cat.piles.values()}}
        names = [*content.cards, *BASIC, *(stack.id for stack in self.table.stacks if stack.kind == "beside")]
        return {box: rows for box in cat.sets if (rows := [name for name in names if home[name] == box])}

    @cached_property
    def measures(self) -> list[Measure]:
        return measures_of(self.content, self.request, self.cat)

    def model_dump(self) -> dict[str, Any]:
        """The JSON document of the contract, with more keys.

        ``dungeon.layers`` run from top to bottom: ``size`` cards each, of which ``drawn`` are counted off a shuffle
        (``shuffle`` is its number) and ``with`` are shuffled into them. ``cards`` lists the whole shuffle once; of the
        cards left of earlier dungeons a code names only Horde placeholders and guardians.
        """
        content, laid = self.content, self.table
        name, official = self.naming.name, self.naming.official
        layout, fixed = content.layout or (None, None)
        layers = [
            {"cards": _counts(cards), "with": list(joined), "size": n + len(joined), "drawn": n, "shuffle": shuffle}
            for cards, joined, n, shuffle in laid.layers
        ]
        stacks = [
            {"name": name(id_), "official": official(id_), "id": id_, "kind": kind, "set": self.cat.set_of.get(id_),
             "cards": _counts(cards)} for id_, kind, cards in laid.stacks
        ]  # fmt: skip
        document: dict[str, Any] = {
            "code": self.code, "seed": content.seed, "players": content.players, "sets": [*content.sets],
            "variant": content.variant, "level": content.level,
            "first_game": fixed if layout == "first-game" else None, "theme": fixed if layout == "theme" else None,
            "balanced": content.balanced, "monsters": [*content.classes],
            "features": [*content.features.traps, *(["guardian"] if content.features.guardians else [])],
            "guardians": [*content.features.guardians], "heroes": [*content.heroes], "village": [*content.village],
            "thunderstones": [*content.stones], "basic": [*BASIC],
            "dungeon": {"size": sum(layer.size for layer in laid.layers), "layers": layers}, "hall": laid.hall,
            "player_deck": _counts(DECK),
            "player_decks": [{**deck._asdict(), "cards": _counts(deck.cards)} for deck in laid.decks],
            "stacks": stacks, "aside": [*laid.aside], "tokens": laid.tokens,
            "steps": [step.line for step in self.steps], "warnings": self.warnings,
            "difficulty": {measure.name: measure.dump() for measure in self.measures},
        }  # fmt: skip
        if later := content.later:
            results = {"scores": [*self.scores], "game_points": self.game_points}
            document["after"] = {"winner": later.winner, "left": later.remaining} | {
                k: n for k, n in results.items() if n
            }
            if later.earlier is not None:
                document["earlier"] = {kind: [*cards] for kind, cards in later.earlier._asdict().items()}
        why = [reason.dump(self.naming) for reason in self.reasons]
        boxes = [
            {"id": box, "name": self.naming.words.set_name(box), "n": len(names), "stacks": names}
            for box, names in self.fetched.items()
        ]
        more = {"requirements": self.requirements, "wishes": self.wishes, "why": why, "boxes": boxes}
        return document | {key: rows for key, rows in more.items() if rows}


def _counts(cards: Counts) -> list[dict[str, Any]]:
    return [{"id": card, "count": count} for card, count in cards]


RANDOM_SEEDS = 10**6  # six digits at most: easy to read aloud, and they keep codes short


def choose_seed(seed: int | None) -> int:
    """The given seed, or a random one; raises :class:`InputError` for one out of range."""
    if seed is None:
        return SplitMix64(int.from_bytes(os.urandom(8))).below(RANDOM_SEEDS)
    if not 0 <= seed < SEEDS:
        raise InputError("setup-bad-seed", asked=seed, most=SEEDS - 1)
    return seed


def generate_setup(
    *, lang: str | None = None, database: Database | None = None, **keywords: Unpack[request.SetupKeywords]
) -> Setup:
    """A set-up for the table (R1, R9); ``keywords`` are the fields of :class:`SetupOptions`.

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (an unknown word).
    """
    lang = lang or FALLBACK
    options, cat = SetupOptions(**keywords), (database or open_database()).derived(Catalogue)
    options = replace(options, avoid=[request.slot_named(name, cat, lang)[1] for name in options.avoid])
    wishes, seed = read_wishes(options, cat, lang), choose_seed(options.seed)
    choice = choose(options, wishes, seed, cat, lang)
    drawn_apart = {card for kind in DRAWN_APART for card in choice.content.slots[kind]}
    avoided = (("warn.avoided", dict[str, Any]()),) if set(options.avoid) & drawn_apart - set(choice.forced) else ()
    request.refuse_left_out(options.require or (), choice.request.variant, cat)
    return Setup(
        choice.content, choice.request, cat, lang, (*choice.notes, *avoided), scores=tuple(options.scores),
        remains=choice.remains, reasons=find_reasons(choice, cat) if options.why else (),
    )  # fmt: skip
