"""Why each card is in a set-up, how wishes about several cards are met, and how hard its dungeon is (R1.1, R1.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from thunderref.database.operations import Gain, GainUnlessShown
from thunderref.database.read import Database
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, Catalogue
from thunderref.thunderstone.setup.choose import Chosen, space_of
from thunderref.thunderstone.setup.codes import Content
from thunderref.thunderstone.setup.draw import Space
from thunderref.thunderstone.setup.naming import Naming, wish_text
from thunderref.thunderstone.setup.needs import Link, Needs, Partners, Requirement
from thunderref.thunderstone.setup.request import Request, Wish
from thunderref.thunderstone.setup.wishes import quotas_of

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
    settled = [need for need in requirements_of(content, cat) if len(need.by) == 1]
    found = []
    for slot, cards in content.slots.items():
        for card in cards:
            settles = tuple(need.kind for need in settled if need.by == (card,))
            pool, chance = drawn.chance(slot, card)
            cause = drawn.cause(slot, card) if chance == CERTAIN else None
            found.append(Reason(slot, card, pool, chance, cause, settles))
    return tuple(found)


def requirements_of(content: Content, cat: Catalogue) -> list[Requirement]:
    dungeon = (*content.classes, *content.features.traps)
    return cat.database.derived(Needs).find(dungeon, content.heroes, content.village)


class _Draw:
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

    def cause(self, slot: str, card: str) -> str | None:
        chosen, cat, req = self.chosen, self.cat, self.chosen.request
        if card in chosen.forced:
            return chosen.forced[card]
        if slot == "stones":
            return chosen.stones.cause
        if self.layout is not None:
            return self.layout[0]
        if slot == "features":
            asked = chosen.forced.get(GUARDIAN) if card in cat.pool.guardians else chosen.forced.get(PICK_TWO)
            if asked or req.variant.dungeon != "epic":
                return asked or "require"
            return "variant" if len(cat.owned(cat.pool.guardians, req.sets)) == 1 else "exclude"
        slots = getattr(self.space, slot)
        if len(slots.pool) > slots.count:
            if self.space is None or self.space.needs is None:
                return "wishes"
            alone = replace(self.space, quotas=()) if self.space.quotas else self.space  # whatever else was asked for
            return "balanced" if alone.chances()[slot].get(card) == CERTAIN else "wishes"
        owned = {*cat.owned(cat.slots[slot], req.sets)}.difference(req.variant.without)
        if len(owned) == slots.count:
            return "box"
        return "variant" if len(owned - req.barred) == slots.count else "exclude"


class Granted(NamedTuple):
    """The cards that meet a wish about several cards, of which there must be ``least``."""

    wish: Wish
    least: int
    by: tuple[str, ...]

    def dump(self, naming: Naming) -> dict[str, Any]:
        row: dict[str, Any] = {"wish": wish_text(self.wish, naming), "least": self.least, "by": [*self.by]}
        row["text"] = naming.say("setup.granted", wish=row["wish"], n=self.least, by=naming.names(self.by) or "–")
        if self.wish.kind == "around":
            row["partners"] = [
                {"id": card, "name": naming.name(card), "why": [link_text(link, naming) for link in links]}
                for card, links in naming.cat.database.derived(Partners).of(self.wish.card).items()
                if card in self.by
            ]
        return row


def find_granted(wishes: Sequence[Wish], chosen: Chosen, cat: Catalogue) -> tuple[Granted, ...]:
    inside = [card for cards in chosen.content.slots.values() for card in cards]
    return tuple(
        Granted(wish, least, tuple(card for card in inside if card in wanted))
        for wish in wishes
        for least, wanted in quotas_of(wish, chosen.request, cat)
        if wanted != {wish.card}
    )


def link_text(link: Link, naming: Naming) -> str:
    prefix = {"need": "setup.need.", "type": "card.type."}.get(link.kind)
    what = naming.words.say_or(link.what, prefix) if prefix else ""
    giver, taker = naming.name(link.giver), naming.name(link.taker)
    return naming.say(f"setup.link.{link.kind}", giver=giver, taker=taker, what=what)


MEASURES = ("health", "vp", "xp", "diseases", "breaches", "light_penalties")


class Measure(NamedTuple):
    """A total of the dungeon: ``average``, ``least``, ``most`` over all draws of as many classes from the boxes."""

    name: str
    total: int
    average: Fraction
    least: int
    most: int

    def dump(self) -> dict[str, Any]:
        average = round(float(self.average), 1)
        return {"total": self.total, "average": average, "least": self.least, "most": self.most}


def figures_of_cards(database: Database) -> dict[str, tuple[int, ...]]:
    """Card -> what it adds to each of ``MEASURES``; the Horde's VP depend on how many a player owns: 0 (R7.2)."""
    found = {}
    for card in database.cards.values():
        effects = database.all_effects.get(card.id, ())
        operations = (
            operation for effect in effects for operation in effect.do if isinstance(operation, Gain | GainUnlessShown)
        )
        gained = (getattr(operation, "amount", 1) for operation in operations if operation.card == "disease")
        breaches = sum(effect.timing == "breach" for effect in effects)
        each = (card.health, card.vp, card.xp, sum(gained), breaches, card.light_penalty)
        found[card.id] = tuple(figure or 0 for figure in each)
    return found


def totals_of(cat: Catalogue, name: str, sets: tuple[str, ...]) -> tuple[int, ...]:
    """What a class of monsters or traps, or a guardian, adds to each of ``MEASURES``; the Horde by its numbers."""
    figures = cat.database.derived(figures_of_cards)
    rows = [(card.id, card.count) for card in cat.numbered.get(name, ())]
    rows = rows or ([(name, 1)] if name in cat.cards else cat.cards_of(name, sets))
    return tuple(sum(n * figures[card][i] for card, n in rows) for i in range(len(MEASURES)))


def measures_of(content: Content, req: Request, cat: Catalogue) -> list[Measure]:
    """The measures of a dungeon: its classes, traps and guardians.

    All draws of as many classes are equally likely, and the features do not depend on which ones they are.
    """
    sets, chosen = content.sets, content.classes
    outcomes = space_of(replace(req, fixed=None, wishes=()), cat).features or ((content.features, 1),)
    classes = [totals_of(cat, name, sets) for name in cat.owned(cat.pool.classes, sets)]
    known = {name: totals_of(cat, name, sets) for name in (*chosen, *content.features.cards)}
    joined = [(weight, [totals_of(cat, name, sets) for name in outcome.cards]) for outcome, weight in outcomes]
    weights, n, found = sum(weight for weight, _ in joined), len(chosen), []
    for i, name in enumerate(MEASURES):
        values = sorted(totals[i] for totals in classes)
        more = [(weight, sum(totals[i] for totals in each)) for weight, each in joined]
        average = Fraction(n * sum(values), len(values)) + Fraction(sum(w * value for w, value in more), weights)
        least, most = min(value for _, value in more), max(value for _, value in more)
        total = sum(totals[i] for totals in known.values())
        found.append(Measure(name, total, average, sum(values[:n]) + least, sum(values[-n:]) + most))
    return found
