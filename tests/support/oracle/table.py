"""The table of a whole game: every card in its pile, and the record of what the players chose and chance did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .facts import CARDS, RANKS, is_hero
from .position import AS_NEW
from .turn import first_print

Step = dict[str, Any]
Names = tuple[Any, ...]


class RuleBrokenError(Exception):
    """A step of the record that the rules do not allow."""

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(f"{rule}: {what}")
        self.rule = rule


class MissingStepError(RuleBrokenError):
    """The rules ask for a choice, or for chance, and the record goes on without."""


@dataclass(eq=False)
class Card:
    """One piece of cardboard: two of one name are still two."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass
class Seat:
    """A player; piles are top first."""

    number: int
    deck: list[Card]
    hand: list[Card] = field(default_factory=list)
    discard: list[Card] = field(default_factory=list)
    xp: int = 0

    def owned(self) -> list[Card]:
        return [*self.hand, *self.deck, *self.discard]


@dataclass
class Turn:
    """What one turn has seen and promised so far. ``shown``: every card revealed in it, gone since or not."""

    shown: list[Card]
    used: set[tuple[Card, int]] = field(default_factory=set)
    holds: dict[Card, Card] = field(default_factory=dict)  # weapon, hero
    spent: set[Card] = field(default_factory=set)
    thrown: set[Card] = field(default_factory=set)
    stronger: list[tuple[Card, int]] = field(default_factory=list)
    all_stronger: list[tuple[int, Card | None]] = field(default_factory=list)  # Strength, the hero left out
    attack: list[tuple[Card, int]] = field(default_factory=list)
    magic: list[tuple[Card, int]] = field(default_factory=list)
    all_attack: int = 0
    fury: int = 0
    berries: set[Card] = field(default_factory=set)
    arcane: bool = False
    aura: bool = False
    ambrosia: bool = False
    forgone: set[Card] = field(default_factory=set)
    within: list[Card] = field(default_factory=list)  # cards that were in hand, in the new deck
    unsure: set[tuple[Card, int]] = field(default_factory=set)  # what a card used, or another drawn in its place
    borrowed: dict[Card, Seat] = field(default_factory=dict)  # and whose it is
    passing: set[Card] = field(default_factory=set)  # out of the village for this battle only
    copied: dict[Card, str] = field(default_factory=dict)
    foreseen: bool = False  # an Elixir kept a trap away, a benefit of a spell (R5.1)
    armed: bool = False
    hunted: list[tuple[Card, Card]] = field(default_factory=list)  # hunter, monster
    hurt: dict[Card, int] = field(default_factory=dict)
    beat_first: bool = False  # a monster at rank 1 was defeated in battle
    won_first: bool = False  # and nothing else brings a stone there


class Table:
    """Where every card is. ``script``: the record, read step by step."""

    def __init__(self, document: dict[str, Any], script: Script) -> None:
        start = document["saved"]["start"]
        self.script = script
        self.ruleset: str = document["saved"]["ruleset"]
        self.dungeon = pile(start["dungeon"])
        self.horde = pile(start["horde"])
        self.hall: list[Card | None] = [None] * RANKS
        self.rank0: list[Card] = []
        self.cages: list[tuple[Card, Card]] = []
        self.removed: list[str] = []
        self.seats = [Seat(n, pile(deck)) for n, deck in enumerate(start["decks"], 1)]
        halved = document.get("level") in ("fighter", "nightmare")
        self.stacks = stocked(list(document["first_layout"]["stacks"]), len(self.seats), halved=halved)
        self.solo = document["variant"] == "solo"
        self.active = self.seats[0]
        self.turn = Turn([])
        self.over = False

    # --- who is where ---

    @property
    def others(self) -> list[Seat]:
        """From the left neighbour round the table."""
        at = self.active.number
        return [*self.seats[at:], *self.seats[: at - 1]]

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def name(self, card: Card) -> str:
        """What the card counts as (R4.10)."""
        return self.turn.copied.get(card, card.name)

    def types(self, card: Card) -> list[str]:
        return types_of(self.name(card))

    def own(self) -> list[Card]:
        """The hand of the active player but for what he has from elsewhere for this battle."""
        return [c for c in self.active.hand if c not in self.turn.borrowed and c not in self.turn.passing]

    # --- moving cards ---

    def destroy(self, card: Card) -> None:
        """Out of the game; Disease goes back to its stack (R0.3). The card has left its pile already."""
        if card.name != "disease":
            self.removed.append(card.name)

    def gain_disease(self, seat: Seat, count: int = 1) -> None:
        seat.discard += [Card("disease") for _ in range(count)]

    def leave_hand(self, card: Card) -> None:
        """A card of the active player leaves; a weapon it held falls from its hands for good (R4.3)."""
        turn = self.turn
        self.active.hand.remove(card)
        turn.spent |= {w for w, h in turn.holds.items() if card in (w, h)}
        turn.holds = {w: h for w, h in turn.holds.items() if card not in (w, h)}

    def destroy_own(self, card: Card) -> None:
        self.leave_hand(card)
        self.destroy(card)

    def discard_own(self, card: Card) -> None:
        self.leave_hand(card)
        self.active.discard.append(card)

    def top_card(self, seat: Seat) -> Card | None:
        """The next card of a deck; once it is empty the discard pile is shuffled (R2.2)."""
        if not seat.deck and seat.discard:
            if seat is self.active:
                shown = [card for card in reversed(seat.discard) if card in self.turn.shown]
                self.turn.within = [*shown, *self.turn.within]
            order = self.script.shuffled("deck", seat.number, seat.discard)
            seat.deck, seat.discard = [Card(card.name) for card in order], []
        return seat.deck.pop(0) if seat.deck else None

    def draw(self, seat: Seat, count: int) -> None:
        for _ in range(count):
            card = self.top_card(seat)
            if card is None:
                return
            if seat is self.active:
                card = self.drawn_again(card)
            seat.hand.append(card)
            if seat is self.active and card not in self.turn.shown:
                self.turn.shown.append(card)

    def drawn_again(self, card: Card) -> Card:
        """A card that was in hand this turn is still as it was (R2.4).

        Where nobody knows which one it is, it is the used one, and has nothing of what was given to that one alone.
        """
        turn = self.turn
        again = [c for c in turn.within if c.name == card.name]
        copies = 1 + sum(c.name == card.name for c in self.active.deck)
        sure = len({self.as_it_is(c) for c in again}) == 1 and len(again) >= copies
        fit = again if sure else [c for c in again if self.is_spent(c) or self.as_it_is(c) == AS_NEW]
        if card in turn.shown or not fit:
            return card
        card = max(fit, key=lambda c: (self.is_spent(c), sum(used is c for used, _ in turn.used)))
        turn.within.remove(card)
        if not sure and self.is_spent(card):
            turn.stronger, turn.attack, turn.magic = (
                [gift for gift in given if gift[0] is not card] for given in (turn.stronger, turn.attack, turn.magic)
            )
            turn.berries.discard(card)
            turn.unsure |= {(c, effect) for c, effect in turn.used if c is card}
        return card

    def as_it_is(self, card: Card) -> tuple[object, ...]:
        """What a card has done or got in this turn."""
        turn = self.turn
        used = tuple(sorted(effect for c, effect in turn.used if c is card))
        given = (tuple(n for c, n in gift if c is card) for gift in (turn.stronger, turn.attack, turn.magic))
        return (used, *given, turn.copied.get(card, ""), self.is_spent(card) and not used, card in turn.berries)

    def is_spent(self, card: Card) -> bool:
        turn = self.turn
        if card in turn.copied:
            return False
        return card in turn.spent | turn.forgone or any(used is card for used, _ in turn.used)

    def sell(self, name: str) -> Card:
        self.stacks[name] -= 1
        return Card(name)

    def on_top(self) -> list[str]:
        """The cards on top of the stacks (R3.3): of a family of heroes only the lowest level left."""
        there = [name for name, left in self.stacks.items() if left]
        lowest: dict[str, int] = {}
        for name in there:
            if CARDS[name].get("level"):
                family = CARDS[name]["family"]
                lowest[family] = min(CARDS[name]["level"], lowest.get(family, 9))
        return [n for n in there if not CARDS[n].get("level") or CARDS[n]["level"] == lowest[CARDS[n]["family"]]]

    # --- choices ---

    def called(self, card: Card, seat: Seat | None = None) -> Names:
        """``militia#2``, and ``militia`` if it is the first copy still in hand."""
        seat = seat or self.active
        shown = self.turn.shown if seat is self.active else seat.hand
        return numbered(card, shown, seat.hand)

    def called_in_hall(self, card: Card) -> Names:
        standing = [c for c in self.hall if c]
        return (self.hall.index(card) + 1, *numbered(card, standing, standing))

    def choose(
        self, key: str, options: Sequence[Card], by: str, seat: Seat | None = None, *, optional: bool = False
    ) -> Card | None:
        """A card of a hand or of the hall, by the key of a step; None if it is declined or if there is none."""
        where = self.called_in_hall if any(card in self.hall for card in options) else None

        def names(card: Card) -> Names:
            return where(card) if where else self.called(card, seat)

        return self.script.choose(
            key, options, by, names, seat.number if seat and seat is not self.active else None, optional=optional
        )


def numbered(card: Card, row: Sequence[Card], there: Sequence[Card]) -> Names:
    same = [c for c in row if c.name == card.name]
    name = f"{card.name}#{same.index(card) + 1}" if card in same else card.name
    first = next((c for c in same if c in there), card)
    return (name, card.name) if card is first else (name,)


def pile(names: Iterable[str]) -> list[Card]:
    return [Card(first_print(name)) for name in names]


def types_of(name: str) -> list[str]:
    return list(CARDS[name].get("types", []))


def has_gold(card: Card) -> bool:
    return CARDS[card.name].get("gold") is not None


def hero(card: Card) -> bool:
    return is_hero(card.name)


def stocked(names: list[str], players: int, *, halved: bool = False) -> dict[str, int]:
    """The village (R1.6, R1.9): heroes 6, 4 and 2, eight of every village card, what the decks leave of the rest.

    ``halved``: half of the heroes and of the village cards, alone as a fighter (R9.5).
    """
    level = {1: 6, 2: 4, 3: 2}
    dealt = {"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2}

    def count(name: str) -> int:
        fact = CARDS[name]
        if name in dealt:
            return int(fact["count"]) - dealt[name] * players
        return (level[fact["level"]] if fact["kind"] == "hero" else 8) // (2 if halved else 1)

    return {name: count(name) for name in names}


class Script:
    """The record: what was chosen, and how piles were shuffled, in the order of events."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = list(steps)
        self.at = 0

    def peek(self) -> Step | None:
        return self.steps[self.at] if self.at < len(self.steps) else None

    def take(self) -> Step:
        step = self.peek()
        if step is None:
            raise EndOfRecordError
        self.at += 1
        return step

    def offers(self, *keys: str, by: str | None = None, player: int | None = None) -> bool:
        """Does the next step answer this question?"""
        step = self.peek()
        if step is None or not any(key in step for key in keys) or step.get("player") != player:
            return False
        return ("for" in step) == (by is not None) and (by is None or str(step["for"]).partition("#")[0] == by)

    def missing(self, rule: str, what: str) -> Exception:
        """The record goes on without a choice, or it stops before it."""
        step = self.peek()
        return EndOfRecordError() if step is None else MissingStepError(rule, f"{what}; the record has {step}")

    def shuffled(self, what: str, player: int, cards: Sequence[Card]) -> list[Card]:
        """Chance: the order is taken from the record, the cards are not."""
        step = self.peek()
        if step is not None and step.get("shuffle") == what and step.get("player") == player:
            order = [first_print(name) for name in step["order"]]
            if Counter(order) != Counter(c.name for c in cards):
                raise RuleBrokenError("R2.2", f"shuffled {sorted(order)}, there is {sorted(c.name for c in cards)}")
            self.at += 1
            left = list(cards)
            return [left.pop(next(n for n, c in enumerate(left) if c.name == name)) for name in order]
        raise self.missing("R2.2", f"player {player} shuffles his {what}")

    def choose(
        self,
        key: str,
        options: Sequence[Card],
        by: str,
        names: Callable[[Card], Names],
        player: int | None = None,
        *,
        optional: bool = False,
    ) -> Card | None:
        """The record need not say what cannot be otherwise: the only option there is."""
        forced = len(options) <= 1 and not optional
        if not options:
            if optional and self.offers("decline", by=by, player=player):  # there was nothing to decline
                self.at += 1
            return None
        step = self.peek()
        if self.offers(key, by=by, player=player):
            assert step is not None
            for card in options:
                if step[key] in names(card):
                    self.at += 1
                    return card
            if not forced:
                raise RuleBrokenError(by, f"{step} is none of {list(options)}")
        if optional and self.offers("decline", by=by, player=player):
            self.at += 1
            return None
        if not forced:
            raise self.missing(by, f"{key} of {list(options)} by {player or 'the active player'}")
        return options[0]


class EndOfRecordError(Exception):
    """The record stops here."""
