"""Why each card is in: how many it was drawn from, how likely it was, and what forced it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from thunderref.thunderstone.setup.balance import Finding, Needs
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.choose import Chosen
from thunderref.thunderstone.setup.codes import Content
from thunderref.thunderstone.setup.steps import Naming


class Reason(NamedTuple):
    """Why a card is in its slot: one of the ``pool`` it was drawn from, or forced in.

    ``forced_by``: ``require``, ``lock``, ``first-game``, ``theme``, ``variant``, ``box`` (the only one there is), None.
    ``settles``: kinds of requirements that nothing else in the set-up settles.
    """

    slot: str
    card: str
    pool: int
    chance: Fraction
    forced_by: str | None
    settles: tuple[str, ...] = ()

    def dump(self, naming: Naming) -> dict[str, Any]:
        return {
            "slot": self.slot,
            "id": self.card,
            "name": naming.name(self.card),
            "pool": self.pool,
            "chance": {"fraction": str(self.chance), "percent": round(float(self.chance) * 100, 1)},
            "forced_by": self.forced_by,
            "settles": list(self.settles),
            "text": self.text(naming),
        }

    def text(self, naming: Naming) -> str:
        percent = naming.words.number(float(self.chance) * 100, ".1f")
        line = naming.say(f"setup.why.{self.forced_by or 'drawn'}", pool=self.pool, percent=percent)
        if self.settles:
            needs = ", ".join(naming.say(f"setup.need.{kind}") for kind in self.settles)
            line = f"{line} {naming.say('setup.why.settles', needs=needs)}"
        return line


def find_reasons(chosen: Chosen, cat: Catalogue) -> tuple[Reason, ...]:
    content = chosen.content
    chances = chosen.space.chances() if chosen.space else {}
    fixed_by = content.layout[0] if content.layout else None
    settled = [finding for finding in _findings(content, cat) if len(finding.by) == 1]
    found = []
    for slot, cards in content.slots.items():
        owned = cat.owned(cat.slots[slot], content.sets)
        likely = chances.get(slot)
        for card in cards:
            cause = chosen.forced.get(card)
            size, chance = len(owned), Fraction(1)
            if slot == "stones":
                chance = Fraction(len(cards), len(owned))
                cause = fixed_by if fixed_by == "first-game" else cause
                cause = "variant" if chance == 1 and cause is None and len(owned) > 1 else cause
            else:
                cause = cause or fixed_by
            if likely is not None and cause is None:
                chance = likely.get(card, Fraction(0))
                size = len(owned) if slot == "features" else sum(each < 1 for each in likely.values())
            if cause is not None:
                chance = Fraction(1)
            elif chance == 1:
                cause = "variant" if slot == "features" else "box"
            settles = tuple(finding.kind for finding in settled if finding.by == (card,))
            found.append(Reason(slot, card, size, chance, cause, settles))
    return tuple(found)


def _findings(content: Content, cat: Catalogue) -> list[Finding]:
    return cat.database.derived(Needs).find(content.classes, content.heroes, content.village)


def requirement_rows(content: Content, cat: Catalogue, naming: Naming) -> list[dict[str, Any]]:
    rows = []
    for kind, satisfied, because, by in _findings(content, cat):
        cards = naming.names(because)
        reason = naming.say("setup.need-because", cards=cards) if cards else naming.say("setup.need-always")
        key = "setup.need-met" if satisfied else "setup.need-open"
        text = naming.say(key, need=naming.say(f"setup.need.{kind}"), by=naming.names(by), reason=reason)
        rows.append({"id": kind, "satisfied": satisfied, "by": [*by], "because": [*because], "text": text})
    return rows
