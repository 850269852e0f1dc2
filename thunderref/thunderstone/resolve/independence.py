"""Which effects need to be tried in the preparation, and which of them can wait until its end.

Every answer is about the whole turn: all cards that are revealed or may still be drawn, the village where it can lend
a card, all monsters that stand in the hall or are known to come.
"""

from __future__ import annotations

from thunderref.thunderstone.resolve.influence import Influences, only_adds
from thunderref.thunderstone.rules.cards import Ability, CardSpec
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import revealed
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.readings import THROWN_SPEAR, USED_CARDS, WHEN_COUNTED


class Surroundings:
    """What of the position decides which effects are tried and when; with ``waits`` False none of them can wait.

    With ``informs`` False nothing that does something at once, such as drawing or moving monsters, is tried.
    """

    def __init__(self, game: Game, start: Position, *, waits: bool = True, informs: bool = True) -> None:
        self.game = game
        self.informs = informs
        self.influences = Influences(game, start)
        foes = self.influences.foes
        traits = [trait for spec in foes for trait in (*spec.traits, *spec.battle)]
        mine = {slot.face: game.cards[slot.face] for slot in revealed(self.influences.whole)}
        conditions = [getattr(op, "when", None) for spec in mine.values() for op in spec.passive]
        self.unwelcome = [when.no_hand for when in conditions if when is not None and when.no_hand is not None]
        """What makes heroes weaker while it is in hand."""
        self._victims = [getattr(op, "select", None) for op in traits if "destroy" in op.op]
        """What a monster destroys, None for any card."""
        self.in_order = not waits or bool(game.readings & {WHEN_COUNTED, THROWN_SPEAR, USED_CARDS})
        """Nothing can wait: counted on use (the other reading of R4.9), a hand free after a throw (R5.3), used cards
        that may be destroyed (R4.2)."""
        self.unknown = start.table is None and game.village is None
        """Nobody knows which cards may come from elsewhere."""
        self.spills = sum(map(self.influences.spilled_by, self.influences.arriving))
        """So many cards may be taken from the hand by traps and breaches, and not all cards alike."""
        self.spell_bar = any(getattr(trait, "when", None) == "spell-used" for trait in traits)
        """A monster bars whoever used a spell."""
        acting = [(spec, one) for spec in mine.values() for one in spec.dungeon if one.instant or one.cost]
        does = [self.influences.of(spec, ability) for spec, ability in acting]
        self.moves = any(one.moves or one.wounds for one in does)
        self.use_protects = self.spills > 0 and any(one.price is not None and one.loss > one.price for one in does)
        """A forced destruction may come when its own card is gone already: then a card used before is safe (R4.2)."""
        self.brings = not waits or (not self.unknown and any(one.brings or one.changes for one in does))
        """Cards may come of which nothing is known, or change."""
        tried = [(spec, ability) for spec, ability in acting if self.is_tried(spec, ability, start)]
        self.lent = {face for spec, ability in tried for face in self.influences.lent_for(spec, ability)}
        """What may leave the hand after it was used."""
        self.lends = any(game.cards[face].is_hero for face in self.lent)
        """A hero may leave the hand after he was used, and what he gave others stands (R5.4)."""
        weapons = [spec for spec in mine.values() if spec.is_weapon]
        self.strength_matters = self.lends or self.brings or not all(map(self.is_handed_last, weapons))
        """The Strength of a hero may be asked for before the last weapons are handed out."""
        self.strongest = any(getattr(trait, "strongest", False) for trait in traits)
        """Strength may hurt: it settles which hero is lost."""

    def is_free(self, spec: CardSpec, ability: Ability) -> bool:
        """True for effects that only add to something and ask for nothing: they are used before every battle."""
        if self.in_order or ability.cost or ability.instant or ability.repeat or ability.chooses_hero:
            return False
        if spec.is_weapon or (spec.is_spell and self.spell_bar) or not only_adds(ability):
            return False
        return not ((self.strongest or self.spills) and any(to != "heroes" for to in _made_stronger(ability)))

    def can_wait(self, spec: CardSpec, ability: Ability) -> bool:
        """True for a free effect that nothing earlier in the preparation asks for."""
        if not self.is_free(spec, ability) or self.use_protects:
            return False
        leaves = (self.lends and spec.is_hero) or (self.moves and self.spills)  # then what it gave others stands (R5.4)
        if leaves and any(getattr(op, "to", "self") != "self" for op in ability.lasting):
            return False
        return not (self.strength_matters and _made_stronger(ability))

    def is_handed_last(self, spec: CardSpec) -> bool:
        """True for a weapon that is given to a hero only when all else is done: nothing happens at once with it."""
        if self.in_order or (spec.dungeon and ((self.brings and spec.id in self.lent) or (self.moves and self.spills))):
            return False
        return not any(ability.instant or (ability.before_refill and self.moves) for ability in spec.dungeon)

    def is_tried(self, spec: CardSpec, ability: Ability, state: Position) -> bool:
        """False for uses that change nothing known: unknown draws, other hands, a village of which nothing is known.

        False too for giving away a card, if that is all and nobody is better off without it.
        """
        if ability.instant and not self.informs:
            return False
        does = self.influences.of(spec, ability)
        if does.brings and (self.unknown or self.influences.asks_village(spec, ability)):
            return False
        known = does.draws and (bool(state.deck) or state.pool is not None)
        lasts = bool(ability.lasting) and (self.brings or not does.vain)
        if known or lasts or ability.cost or self.use_protects or does.brings or does.changes or does.moves:
            return True
        return does.acts and (self.spills > 0 or not does.spends or any(map(self._may_harm, does.spends)))

    def _may_harm(self, face: str) -> bool:
        spec = self.game.cards[face]
        if spec.kind == "disease" or self.game.ruleset == "yucata" or self.in_order:
            return True
        return any(select is None or spec.matches(select) for select in (*self.unwelcome, *self._victims))


def _made_stronger(ability: Ability) -> list[str]:
    """To whom the effect gives Strength."""
    return [getattr(op, "to", "self") for op in ability.lasting if getattr(op, "stat", "") == "strength"]
