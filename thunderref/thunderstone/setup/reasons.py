"""Why each card is in a set-up: what it was drawn from and how likely it was, or what left no choice."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from thunderref.thunderstone.setup.balance import Finding, Needs
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, Catalogue
from thunderref.thunderstone.setup.choose import Chosen
from thunderref.thunderstone.setup.codes import Content
from thunderref.thunderstone.setup.draw import Space
from thunderref.thunderstone.setup.request import barred_from
from thunderref.thunderstone.setup.steps import Naming

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


def find_reasons(chosen: Chosen, cat: Catalogue) -> tuple[Reason, ...]:
    content, drawn = chosen.content, _Draw(chosen, cat)
    settled = [finding for finding in findings(content, cat) if len(finding.by) == 1]
    found = []
    for slot, cards in content.slots.items():
        for card in cards:
            settles = tuple(finding.kind for finding in settled if finding.by == (card,))
            pool, chance = drawn.chance(slot, card)
            cause = drawn.cause(slot, card) if chance == CERTAIN else None
            found.append(Reason(slot, card, pool, chance, cause, settles))
    return tuple(found)


def findings(content: Content, cat: Catalogue) -> list[Finding]:
    dungeon = (*content.classes, *content.features.traps)
    return cat.database.derived(Needs).find(dungeon, content.heroes, content.village)


class _Draw:
    """The draw that brought the cards of a set-up."""

    def __init__(self, chosen: Chosen, cat: Catalogue) -> None:
        self.chosen, self.cat, self.space = chosen, cat, chosen.space
        self.layout = chosen.content.layout
        self.chances = self.space.chances() if self.space is not None and self.layout is None else {}

    def chance(self, slot: str, card: str) -> tuple[int, Fraction]:
        """How many cards it was drawn from, 1 if it was certain, and its chance."""
        if slot == "stones":
            stones = self.chosen.stones
            chance = Fraction(stones.number, len(stones.pool))
            return len(stones.pool) if chance < 1 else 1, chance
        chance = self.chances[slot].get(card, CERTAIN) if slot in self.chances else CERTAIN
        if chance == CERTAIN:
            return 1, chance
        if slot == "features" and self.space is not None:
            return self._pile(self.space, card), chance
        return sum(0 < each < 1 for each in self.chances[slot].values()), chance

    def _pile(self, space: Space, card: str) -> int:
        """The cards of the feature pile, or the guardians if one is certain, that may come up but need not."""
        names = [outcome.names for outcome, _ in space.features]
        guardian = card in self.cat.pool.guardians and all(GUARDIAN in each for each in names)
        pile = self.cat.pool.guardians if guardian else self.cat.feature_pile
        return sum(any(each in held for held in names) and not all(each in held for held in names) for each in pile)

    def _is_certain_without_wishes(self, slot: str, card: str) -> bool:
        """True if what the cards need leaves no choice, whatever else was asked for."""
        if self.space is None or self.space.needs is None or not self.space.quotas:
            return self.space is not None and self.space.needs is not None
        return replace(self.space, quotas=()).chances()[slot].get(card) == CERTAIN

    def cause(self, slot: str, card: str) -> str | None:
        """What made the card certain."""
        chosen, cat = self.chosen, self.cat
        if card in chosen.forced:
            return chosen.forced[card]
        if slot == "stones":
            return chosen.stones.cause
        if self.layout is not None:
            return self.layout[0]
        sets, variant = chosen.content.sets, cat.variants[chosen.content.variant]
        if slot == "features":
            asked = chosen.forced.get(GUARDIAN) if card in cat.pool.guardians else chosen.forced.get(PICK_TWO)
            if asked or variant.dungeon != "epic":
                return asked or "require"
            return "variant" if len(cat.owned(cat.pool.guardians, sets)) == 1 else "exclude"
        slots = getattr(self.space, slot)
        if len(slots.pool) > slots.count:
            return "balanced" if self._is_certain_without_wishes(slot, card) else "wishes"
        owned = {*cat.owned(cat.slots[slot], sets)}.difference(variant.without)
        if len(owned) == slots.count:
            return "box"
        return "variant" if len(owned - barred_from(chosen.content, cat)) == slots.count else "exclude"
