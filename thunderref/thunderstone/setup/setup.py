"""``generate_setup``, and the finished set-up with all its explanations, as JSON by ``model_dump()``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from thunderref.database.read import Database, Language, open_database
from thunderref.database.records import FixedSetup, Variant
from thunderref.errors import InputError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.catalogue import BASIC, DECK, Catalogue
from thunderref.thunderstone.setup.choose import choose
from thunderref.thunderstone.setup.codes import SEEDS, Content, encode
from thunderref.thunderstone.setup.draw import DRAWN_APART
from thunderref.thunderstone.setup.layout import Counts, Layout, Note, SetupStep, find_notes, lay_out, list_steps
from thunderref.thunderstone.setup.memory import Tonight, check_sum
from thunderref.thunderstone.setup.naming import Naming
from thunderref.thunderstone.setup.reasons import (
    Measure,
    Reason,
    find_reasons,
    granted_rows,
    measures_of,
    requirements_of,
)
from thunderref.thunderstone.setup.request import Request, SetupOptions
from thunderref.thunderstone.setup.wishes import read_wishes, refuse_left_out


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
    lang: str = "en"
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

    @cached_property
    def warnings(self) -> list[str]:
        points = ", ".join(f"{i}: {n}" for i, n in enumerate(self.game_points, start=1))
        known = (("warn.points", {"points": points}),) if points else ()
        notes = (*self.notes, *known, *find_notes(self.table, self.naming, self.readings))
        return [self.naming.say(f"setup.{key}", **self.naming.in_words(params)) for key, params in notes]

    @cached_property
    def requirements(self) -> list[dict[str, Any]]:
        """The needs of the cards and what settles them; [] unless asked for."""
        naming, rows = self.naming, list[dict[str, Any]]()
        wanted = self.content.balanced or self.reasons
        for kind, because, by in requirements_of(self.content, self.cat) if wanted else ():
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
        """What there is to remember of a set-up on the table."""
        laid, rows = self.table, self.database.cards
        counted = (*(p.cards for p in laid.layers), *(p.cards for p in laid.stacks), *(p.cards for p in laid.decks))
        cards = [*(card for each in counted for card, _ in each), *(c for layer in laid.layers for c in layer.joined)]
        offered = [stack for stack in laid.stacks if stack.kind in ("basic", "hero", "village")]
        sold = [card for stack in offered for card, copies in stack.cards if copies]
        known, stacks = (tuple(dict.fromkeys(rows[c].reprint_of or c for c in found)) for found in (cards, sold))
        return Tonight(self.code, known, stacks, check_sum(self.code, known, stacks))

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
            "difficulty": {each.name: each.dump() for each in self.measures},
        }  # fmt: skip
        if later := content.later:
            told = {"scores": [*self.scores], "game_points": self.game_points}
            document["after"] = {"winner": later.winner, "left": later.left} | {k: n for k, n in told.items() if n}
            if later.earlier is not None:
                document["earlier"] = {kind: [*cards] for kind, cards in later.earlier._asdict().items()}
        why = [reason.dump(self.naming) for reason in self.reasons]
        more = {"requirements": self.requirements, "wishes": self.wishes, "why": why}
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


def game_points(scores: Sequence[int], winner: int) -> list[int]:
    """Game points by player (R9.4): one for every player beaten or tied with, one more for ``winner`` (from 1)."""
    return [sum(other <= score for other in scores) - 1 + (i == winner) for i, score in enumerate(scores, start=1)]


def generate_setup(*, lang: str = "en", database: Database | None = None, **given: Any) -> Setup:
    """A set-up for the table (R1, R9); ``given`` are the fields of :class:`SetupOptions`.

    Raises :class:`NoAnswerError` (contradicting wishes, a bad code, ...) or :class:`InputError` (an unknown word).
    """
    options, cat = SetupOptions(**given), (database or open_database()).derived(Catalogue)
    wishes, seed = read_wishes(options, cat, lang), choose_seed(options.seed)
    chosen = choose(options, wishes, seed, cat, lang)
    drawn_apart = {card for kind in DRAWN_APART for card in chosen.content.slots[kind]}
    avoided = (("warn.avoided", dict[str, Any]()),) if set(options.avoid) & drawn_apart - set(chosen.forced) else ()
    refuse_left_out(options.require or (), chosen.request.variant, cat)
    return Setup(
        chosen.content, chosen.request, cat, lang, (*chosen.notes, *avoided), scores=tuple(options.scores),
        remains=chosen.remains, reasons=find_reasons(chosen, cat) if options.why else (),
    )  # fmt: skip
