"""The battle of a whole game and what follows it (R5, R6), with the figures of the single-battle adjudicator."""

from __future__ import annotations

from typing import Any

from .alone import Variant
from .battle import Fight
from .depths import holds_everyone, refill
from .facts import CARDS, INFECTS, is_hero, is_monster
from .position import Position
from .spoils import Rewards
from .table import Card, RuleBrokenError, Step, Table


class Bout(Fight):
    """A fight in which items may be forgone too."""

    def own(self, hero: int, attackers: list[int], immunities: bool) -> tuple[int, int]:
        """A forgone item gives a Magician no more than a forgone spell does (R5.8b, R5.1: no benefit of the card)."""
        attack, magic = super().own(hero, attackers, immunities)
        idle = immunities and self.foe == "fire-wrath" and hero not in self.armed
        if self.p.name(hero) == "selurin-magician" and not idle:
            magic -= sum(1 for c in self.p.hand & self.p.forgone if "item" in self.p.types(c))
        return attack, magic


def view(t: Table) -> tuple[Position, dict[Card, int]]:
    """The moment as the single-battle adjudicator sees it, and the number of every card in it."""
    turn = t.turn
    row = list(turn.shown)
    at = {card: n for n, card in enumerate(row)}
    standing = [card for card in (*t.hall, *t.rank0) if card]
    slots = {card: (card.name, turn.hurt.get(card, 0), n) for n, card in enumerate(standing)}
    p = Position(
        names=tuple(card.name for card in row),
        hand=frozenset(at[card] for card in t.active.hand),
        deck=(),
        hall=tuple(slots[card] if card else None for card in t.hall),
        rank0=tuple(slots[card] for card in t.rank0),
        dungeon=(),
        entered=len(standing),
        used=frozenset((at[card], effect) for card, effect in turn.used if card in at),
        holds=frozenset((at[w], at[h]) for w, h in turn.holds.items()),
        spent=frozenset(at[w] for w in turn.spent),
        thrown=frozenset(at[w] for w in turn.thrown),
        stronger=tuple((at[h], n) for h, n in turn.stronger),
        all_stronger=tuple((n, at[but] if but else -1) for n, but in turn.all_stronger),
        attack=tuple((at[h], n) for h, n in turn.attack),
        magic=tuple((at[h], n) for h, n in turn.magic),
        all_attack=turn.all_attack,
        fury=turn.fury,
        berries=frozenset(at[h] for h in turn.berries),
        arcane=turn.arcane,
        aura=turn.aura,
        ambrosia=turn.ambrosia,
        forgone=frozenset(at[c] for c in turn.forgone),
        unsure=frozenset((at[c], effect) for c, effect in turn.unsure),
        borrowed=frozenset(at[c] for c in turn.borrowed),
        passing=frozenset(at[c] for c in turn.passing),
        copied=tuple(sorted((at[c], name) for c, name in turn.copied.items())),
        shown=turn.foreseen,
        armed=turn.armed,
        players=len(t.seats),
    )
    return p, at


def targets(t: Table) -> list[tuple[int, Card]]:
    """Who may be attacked, with the rank (R5.1)."""
    return [(rank, card) for rank, card, fight in all_fights(t) if not fight.barred()]


def all_fights(t: Table) -> list[tuple[int, Card, Bout]]:
    p, _ = view(t)
    places = [
        *((n + 1, card, p.hall[n]) for n, card in enumerate(t.hall)),
        *((0, c, s) for c, s in zip(t.rank0, p.rank0, strict=True)),
    ]
    return [
        (rank, card, Bout(p, slot, rank, t.ruleset, forgo=False))
        for rank, card, slot in places
        if card and slot and is_monster(card.name)
    ]


class Strife:
    """One battle from the declared target to the refilled hall."""

    def __init__(self, t: Table, step: Step, variant: Variant) -> None:
        self.t = t
        self.variant = variant
        rank, wanted = step["attack"], step.get("monster")
        found = [
            (card, fight) for n, card, fight in all_fights(t) if n == rank and (wanted is None or card.name == wanted)
        ]
        if len(found) != 1:
            raise RuleBrokenError("R5.1", f"{step}: one of {found}")
        self.rank: int = rank
        self.foe, self.fight = found[0]
        if not variant.may_attack(self.foe):
            raise RuleBrokenError("R9.6", f"{self.foe} is not the monster with all tokens")
        if self.fight.barred():
            raise RuleBrokenError("R5.1", f"{self.foe} may not be attacked")
        _, self.at = view(t)
        self.cards = {n: card for card, n in self.at.items()}
        self.attackers: list[Card] = []
        self.victory = False
        self.dead: list[Card] = []

    def go(self) -> None:
        first = self.t.hall[0]
        self.decide()
        self.settle()
        refilled = self.victory and Rewards(self.t, self.foe, self.attackers, self.dead).take()
        if not self.t.over and not all(self.t.hall) and not refilled:
            refill(self.t, first)

    # --- R5 ---

    def decide(self) -> None:
        """The choices of the battle, whatever the order the record has them in, and the outcome."""
        t, fight = self.t, self.fight
        said: dict[str, list[Step]] = {"disease": [], "lose": [], "cannot-attack": [], "destroy": []}
        while t.script.offers("disease", "battle"):
            step = t.script.take()
            said["disease" if "disease" in step else step["battle"]].append(step)
        sicknesses = [
            w
            for w in fight.disease_choices()
            if list(w[: len(said["disease"])]) == [s["disease"] for s in said["disease"]]
        ]
        disease = self.only("R5.6", sicknesses, said["disease"])
        able = list(fight.able)
        picked: int | None = None
        if fight.foe == "haunt" and able:
            picked = self.only("R5.4", self.named(able, said["cannot-attack"]), said["cannot-attack"])
        attackers = [h for h in able if h != picked]
        ways = [
            way
            for way in fight.judgement_choices(attackers)
            if all(
                any(step["hero"] in self.names(h) and step["from"] == source for h, source in way.items())
                for step in said["lose"]
            )
        ]
        losses = self.only("R5.7", ways, said["lose"])
        victims = fight.victims(attackers, fight.weaker)
        wanted = said["destroy"]
        if wanted:
            victims = [v for v in victims if v[1] is not None and wanted[0]["pick"] in self.names(v[1])]
        if not victims or len(wanted) > 1:
            raise RuleBrokenError("R5.2", f"{wanted} against {self.foe}")
        if len(victims) > 1:
            raise t.script.missing("R5.2", f"whom does {self.foe} destroy?")
        result = fight.figures(attackers, fight.weaker, losses, disease)
        self.victory = result.victory
        self.attackers = [self.cards[h] for h in attackers]
        self.dead = [self.cards[c] for c in sorted(victims[0][0])]

    def names(self, card: int) -> tuple[Any, ...]:
        return self.t.called(self.cards[card])

    def named(self, cards: list[int], said: list[Step]) -> list[int]:
        return [c for c in cards if all(step["pick"] in self.names(c) for step in said)]

    def only(self, rule: str, ways: list[Any], said: list[Step]) -> Any:
        if not ways:
            raise RuleBrokenError(rule, f"{said} against {self.foe}")
        if any(way != ways[0] for way in ways):
            raise self.t.script.missing(rule, f"{ways} are open against {self.foe}, said is {said}")
        return ways[0]

    # --- R6.1 to R6.3 ---

    def settle(self) -> None:
        t, turn, seat, foe = self.t, self.t.turn, self.t.active, self.foe
        t.gain_disease(seat, INFECTS.get(foe.name, 0))
        turn.won_first = turn.beat_first = self.victory and self.rank == 1
        weaker = self.fight.weaker
        turn.holds = {
            w: h
            for w, h in turn.holds.items()
            if h in self.attackers and self.fight.keeps(self.at[w], self.fight.p.strength(self.at[h]) - weaker)
        }
        if foe.name == "blood-torment":
            self.bleed()
        for card in list(seat.hand):
            spared = turn.ambrosia and is_hero(t.name(card))
            if card in turn.passing or (card in self.dead and not spared):
                t.destroy_own(card)
            elif card in turn.borrowed:
                t.leave_hand(card)
                turn.borrowed[card].discard.append(card)
            elif card in self.dead:
                t.discard_own(card)
        if foe.name == "thunder-wrath" and seat.hand:
            self.strike()
        if self.victory:
            self.leave_hall()
            for cage, caught in t.cages:  # R6.10
                seat.discard.append(caught)
                t.destroy(cage)
            t.cages = []
            seat.discard.append(foe)
            snipers = sum(t.name(h) == "feayn-sniper" for h in self.attackers) if self.rank == 3 else 0
            seat.xp += (CARDS[foe.name].get("xp") or 0) + snipers
        elif CARDS[foe.name]["kind"] != "guardian" and not holds_everyone(t):
            self.leave_hall()
            if not self.variant.keeps_lost(foe):
                t.dungeon.append(foe)
        self.variant.fought(foe, victory=self.victory)

    def leave_hall(self) -> None:
        if self.foe in self.t.rank0:
            self.t.rank0.remove(self.foe)
        else:
            self.t.hall[self.t.hall.index(self.foe)] = None

    def bleed(self) -> None:
        """Blood Torment reaches the hands of the others too."""
        for seat in self.t.others:
            card = self.t.choose("destroy", [c for c in seat.hand if is_monster(c.name)], self.foe.name, seat)
            if card is not None:
                seat.hand.remove(card)
                self.t.destroy(card)

    def strike(self) -> None:
        """Thunder Wrath: the hand is shuffled, the top card shown; an elemental and Disease (R0.5) are spared."""
        t = self.t
        card = t.script.shuffled("hand", t.active.number, t.active.hand)[0]
        if card.name == "disease" or "elemental" in t.types(card):
            return
        if t.turn.ambrosia and is_hero(t.name(card)):
            t.discard_own(card)
        else:
            t.destroy_own(card)
            self.dead.append(card)
