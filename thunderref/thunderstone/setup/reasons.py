"""Why each card is in a set-up, how wishes about several cards are met, and how hard its dungeon is (R1.1, R1.2)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from thunderref.database.operations import Gain, GainUnlessShown
from thunderref.database.read import Database
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, Catalogue
from thunderref.thunderstone.setup.choose import Chosen, space_of
from thunderref.thunderstone.setup.codes import Content
from thunderref.thunderstone.setup.naming import Naming, wish_text
from thunderref.thunderstone.setup.needs import Link, Needs, Partners, Requirement
from thunderref.thunderstone.setup.request import Request
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
    content, space, stones = chosen.content, chosen.space, chosen.stones
    settled = [need for need in requirements_of(content, cat) if len(need.by) == 1]
    chances = {} if space is None or content.layout is not None else space.chances()
    chances["stones"] = dict.fromkeys(stones.pool, Fraction(stones.number, len(stones.pool)))
    found = []
    for slot, card in ((slot, card) for slot, cards in content.slots.items() for card in cards):
        settles = tuple(need.kind for need in settled if need.by == (card,))
        chance, pool = chances.get(slot, {}).get(card, CERTAIN), 1
        if chance < CERTAIN and slot == "features" and space is not None:
            names = [outcome.names for outcome, _ in space.features]
            guardian = card in cat.pool.guardians and all(GUARDIAN in held for held in names)
            pile = cat.pool.guardians if guardian else cat.feature_pile
            pool = sum(0 < sum(each in held for held in names) < len(names) for each in pile)
        elif chance < CERTAIN:
            pool = sum(0 < each < 1 for each in chances[slot].values())
        cause = _cause(chosen, slot, card, cat) if chance == CERTAIN else None
        found.append(Reason(slot, card, pool, chance, cause, settles))
    return tuple(found)


def requirements_of(content: Content, cat: Catalogue) -> list[Requirement]:
    dungeon = (*content.classes, *content.features.traps)
    return cat.database.derived(Needs).find(dungeon, content.heroes, content.village)


def _cause(chosen: Chosen, slot: str, card: str, cat: Catalogue) -> str | None:
    space, req = chosen.space, chosen.request
    if card in chosen.forced:
        return chosen.forced[card]
    if slot == "stones":
        return chosen.stones.cause
    if chosen.content.layout is not None:
        return chosen.content.layout[0]
    if slot == "features":
        asked = chosen.forced.get(GUARDIAN if card in cat.pool.guardians else PICK_TWO)
        if asked or req.variant.dungeon != "epic":
            return asked or "require"
        return "variant" if len(cat.owned(cat.pool.guardians, req.sets)) == 1 else "exclude"
    slots = getattr(space, slot)
    if len(slots.pool) > slots.count:
        if space is None or space.needs is None:
            return "wishes"
        alone = replace(space, quotas=()) if space.quotas else space  # whatever else was asked for
        return "balanced" if alone.chances()[slot].get(card) == CERTAIN else "wishes"
    owned = {*cat.owned(cat.slots[slot], req.sets)}.difference(req.variant.without)
    if len(owned) == slots.count:
        return "box"
    return "variant" if len(owned - req.barred) == slots.count else "exclude"


def granted_rows(content: Content, req: Request, naming: Naming) -> list[dict[str, Any]]:
    """How wishes about several cards are met: the cards ``by`` which each is, of which there must be ``least``."""
    inside, rows = [card for cards in content.slots.values() for card in cards], []
    asked = [(wish, quota) for wish in req.wishes for quota in quotas_of(wish, req, naming.cat)]
    for wish, (least, wanted) in asked:
        if wanted != {wish.card}:
            by, text = [card for card in inside if card in wanted], wish_text(wish, naming)
            row: dict[str, Any] = {"wish": text, "least": least, "by": by}
            row["text"] = naming.say("setup.granted", wish=text, n=least, by=naming.names(by) or "–")
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
        gains = (part for effect in effects for part in effect.do if isinstance(part, Gain | GainUnlessShown))
        gained = (getattr(gain, "amount", 1) for gain in gains if gain.card == "disease")
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
    """The measures of a dungeon; all draws of so many classes are equally likely, whatever features join them."""
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
