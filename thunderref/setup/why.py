"""Why each card is in: how many it was drawn from, how likely it was, and what forced it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from thunderref.setup.balance import Finding, find, needs_of
from thunderref.setup.codes import Content
from thunderref.setup.pools import Catalogue
from thunderref.setup.space import Chances
from thunderref.store.read import Store

if TYPE_CHECKING:
    from thunderref.setup.steps import Naming


@dataclass(frozen=True)
class Reason:
    """Why a card is in its slot.

    ``pool``: cards it was drawn from, without those that were in anyhow. ``chance``: of its being in, by the procedure
    and the wishes. ``forced_by``: ``require``, ``lock``, ``first-game``, ``theme``, ``variant``, ``box`` (the only one
    there is), None. ``settles``: kinds of requirements that nothing else in the set-up settles.
    """

    slot: str
    card: str
    pool: int
    chance: Fraction
    forced_by: str | None
    settles: tuple[str, ...] = ()

    def dump(self, naming: Naming) -> dict[str, Any]:
        """Plain values, with one sentence in the language of the set-up."""
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
        """One sentence in the language of the set-up."""
        percent = naming.percent(self.chance)
        if self.forced_by is not None:
            line = naming.say(f"setup.why.{self.forced_by}", pool=self.pool)
        else:
            line = naming.say("setup.why.drawn", pool=self.pool, percent=percent)
        if self.settles:
            needs = ", ".join(naming.say(f"setup.need.{kind}") for kind in self.settles)
            line = f"{line} {naming.say('setup.why.settles', needs=needs)}"
        return line


def reasons(
    content: Content, chances: Chances | None, forced: dict[str, str], store: Store, cat: Catalogue
) -> tuple[Reason, ...]:
    """A reason for every class, feature, family, village card and stone.

    ``chances`` are those of the space it was drawn from, None if all cards were given; ``forced`` says which cards
    a wish put in, and how.
    """
    pool = cat.pool
    single = _only_ones(content, store, cat)
    slots = (
        ("classes", content.classes, pool.classes),
        ("features", (*content.features.traps, *content.features.guardians), (*pool.features, *pool.guardians)),
        ("heroes", content.heroes, pool.heroes),
        ("village", content.village, pool.village),
        ("stones", content.stones, pool.stones),
    )
    found = []
    for slot, cards, whole in slots:
        owned = [card for card in whole if cat.set_of[card] in content.sets]
        for card in cards:
            likely = (chances or {}).get(slot)
            cause = forced.get(card) or (content.layout[0] if content.layout and slot != "stones" else None)
            if slot == "stones":
                chance = Fraction(len(cards), len(owned))
                if chance == 1 and cause is None:
                    cause = "variant" if len(owned) > 1 else "box"
                if content.layout and content.layout[0] == "first-game":
                    cause = content.layout[0]
                size = len(owned)
            elif likely is None or cause:
                chance, size = Fraction(1), len(owned)
            else:
                chance = likely.get(card, Fraction(0))
                size = len(owned) if slot == "features" else sum(each < 1 for each in likely.values())
            if cause:
                chance = Fraction(1)
            elif chance == 1:
                cause = "variant" if slot == "features" else "box"
            found.append(Reason(slot, card, size, chance, cause, single.get(card, ())))
    return tuple(found)


def findings(content: Content, store: Store, cat: Catalogue) -> list[Finding]:
    """How the requirements stand in a set-up."""
    return find(needs_of(store, cat), content.classes, content.heroes, content.village)


def _only_ones(content: Content, store: Store, cat: Catalogue) -> dict[str, tuple[str, ...]]:
    """Card -> requirements that it alone settles."""
    found: dict[str, tuple[str, ...]] = {}
    for finding in findings(content, store, cat):
        if len(finding.by) == 1:
            card = finding.by[0]
            found[card] = (*found.get(card, ()), finding.kind)
    return found


def requirement_rows(content: Content, store: Store, cat: Catalogue, naming: Naming) -> list[dict[str, Any]]:
    """Every requirement that the cards raise, satisfied or why not, with one sentence each."""
    rows = []
    for finding in findings(content, store, cat):
        by, because = naming.names(finding.by), naming.names(finding.because)
        need = naming.say(f"setup.need.{finding.kind}")
        key = "setup.need-met" if finding.satisfied else "setup.need-open"
        reason = naming.say("setup.need-because", cards=because) if because else naming.say("setup.need-always")
        rows.append(
            {
                "id": finding.kind,
                "satisfied": finding.satisfied,
                "by": list(finding.by),
                "because": list(finding.because),
                "text": naming.say(key, need=need, by=by, reason=reason),
            }
        )
    return rows
