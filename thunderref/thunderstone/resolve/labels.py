"""The one vocabulary of choices: each in words short enough for a numbered list, a log, or a line of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thunderref.text.language import Language
from thunderref.thunderstone.rules import choices
from thunderref.thunderstone.rules.choices import Choice, Pick, kind_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import find, slots
from thunderref.thunderstone.rules.position import Position, Ref, Slot, replace

GROUPS = {
    "village": "turn", "dungeon": "turn", "rest": "turn", "penalty": "turn", "use": "use", "equip": "equip",
    "attack": "attack", "buy": "buy", "level_up": "level_up", "forgo": "forgo", "choose": "choose", "leave": "go-on",
    "count": "go-on", "end": "go-on",
}  # fmt: skip
"""Kind of action -> the group it is listed in; groups are listed in this order."""
_HEROES = frozenset(("on", "to", "militia"))
"""Keys of answers that say to whom a card goes."""
LONGEST_TEXT = 60  # letters of an ability's text that fit into a list of choices


class Option(NamedTuple):
    group: str
    label: str
    choice: Choice


@dataclass(frozen=True)
class Labels:
    """What the choices of a position are called."""

    words: Language
    game: Game
    position: Position
    names: Sequence[str]

    def options(self, legal: Sequence[Choice]) -> list[Option]:
        """The choices as a player sees them: grouped, those that read alike once."""
        order = list(dict.fromkeys(GROUPS.values()))
        found: dict[tuple[str, str], Option] = {}
        for choice in legal:
            group, label = GROUPS[kind_of(choice)], self.label(choice)
            found.setdefault((group, label), Option(group, label, choice))
        return sorted(found.values(), key=lambda option: order.index(option.group))

    def said(self, choice: Choice) -> str:
        """A choice on its own, as in a log: its group and its name."""
        kind = kind_of(choice)
        if self.words.has(f"log.do.{kind}"):
            return self.words.say(f"log.do.{kind}")
        group, label, asking = GROUPS[kind], self.label(choice), _asking(self.position)
        if isinstance(choice, choices.Named) and choice.key == "buy":
            group = "buy"
        if isinstance(choice, choices.Stat) and choice.key == "disease":
            return label
        if group in ("turn", "go-on") or (group == "choose" and not asking):
            return label
        return f"{self.words.card(asking) if group == 'choose' else self.words.say(f'log.group.{group}')}: {label}"

    def label(self, choice: Choice) -> str:
        words, game, position = self.words, self.game, self.position
        if isinstance(choice, choices.Answer):
            return self._answer(choice)
        if isinstance(choice, choices.Use):
            return self._use(choice)
        if isinstance(choice, choices.Equip):
            return words.say("play.equip", card=self._card(choice.weapon), hero=self._card(choice.hero))
        if isinstance(choice, choices.Forgo):
            return words.say("play.forgo", card=self._card(choice.card))
        if isinstance(choice, choices.Attack):
            foe = position.hall[choice.rank - 1] if choice.rank else position.rank0[choice.place]
            return words.say("play.attack", card=words.card(foe.card), rank=choice.rank)
        if isinstance(choice, choices.Buy):
            return words.say("play.buy", card=words.card(choice.card), cost=game.cards[choice.card].cost)
        if isinstance(choice, choices.LevelUp):
            hero = choice.hero[0]
            cost = game.cards[hero].level_cost or 0
            return words.say("play.level_up", card=words.card(hero), to=words.card(choice.to), xp=cost)
        return words.say(f"play.do.{kind_of(choice)}")

    def _card(self, ref: Ref) -> str:
        return card_name(self.words, self.position, ref)

    def _use(self, choice: choices.Use) -> str:
        words, name = self.words, self._card(choice.card)
        if choice.effect == 0:
            return words.say("play.gift", card=name)
        face = find(self.position, choice.card)[0].face
        spec = self.game.cards[face]
        abilities = spec.dungeon if self.position.visit is None else spec.village
        text = words.text(f"card.{face}.{abilities[choice.effect - 1].id}") or ""
        if not text or (len(abilities) == 1 and len(text) > LONGEST_TEXT):
            return words.say("play.use", card=name)
        return words.say("play.use-text", card=name, text=text.rstrip("."))

    def _answer(self, answer: choices.Answer) -> str:
        words, position = self.words, self.position
        key = f"play.choose.{answer.key}"
        if isinstance(answer, choices.Rank):
            return words.say(key, card=words.card(position.hall[answer.value - 1].card), rank=answer.value)
        if isinstance(answer, choices.Order):
            cards = [position.hall[place].card for place in answer.value]
            return words.say(key, cards=", ".join(words.card(card) if card else "—" for card in cards))
        if isinstance(answer, choices.Player):
            return self.names[answer.value]
        if isinstance(answer, choices.Theirs):
            seat, card = answer.value
            return words.say(key, card=words.card(card), player=self.names[seat])
        if isinstance(answer, choices.Stat):
            return words.say(f"{key}.{answer.value}")
        if isinstance(answer, choices.Decline):  # of a rest (R2.3): nothing is destroyed
            return words.say(key if _asking(position) else "play.choose.keep")
        if isinstance(answer, Pick):
            if answer.key == "pick":  # what a battle effect does to the card (R5.2), as the step of the choice says it
                key = "play.choose.stop" if position.todo[0].name == "battle:stop-hero" else "play.choose.destroy"
            return words.say(key, card=self._card(answer.value))
        if isinstance(answer, choices.Named):
            if answer.key == "buy":
                return words.say("play.buy", card=words.card(answer.value), cost=self.game.cards[answer.value].cost)
            return words.say(key, card=words.card(answer.value))
        if isinstance(answer, choices.Several):
            listed = ", ".join(words.card(card) for card in answer.value)
            return words.say(key, card=listed) if listed else words.say("play.choose.nothing")
        return words.say(key)


class LineLabels(Labels):
    """What the steps of a line of play are called: copies as in the line, by number from the second on."""

    def short(self, choice: Choice) -> str:
        """A choice that begins a step, in a few words; :meth:`with_answer` adds what it goes on to choose."""
        if isinstance(choice, choices.Use):
            name = self._card(choice.card)
            return name if choice.effect < 2 else f"{name}, {self.words.say('play.effect', n=choice.effect)}"
        if isinstance(choice, Pick) and choice.key in _HEROES:
            return self.with_answer(self.words.card(_asking(self.position)), choice)
        return self.label(choice) if isinstance(choice, choices.Equip) else self.said(choice)

    def with_answer(self, short: str, answer: choices.Answer) -> str:
        if isinstance(answer, Pick) and answer.key in _HEROES:
            return self.words.say("play.equip", card=short, hero=self._card(answer.value))
        return f"{short}, {self.label(answer)}"

    def _card(self, ref: Ref) -> str:
        name = self.words.card(ref[0])
        return name if ref[1] < 2 else f"{name} #{ref[1]}"


def heading(words: Language, position: Position, group: str) -> str:
    """The heading of a group; for a choice during an effect it names the card."""
    if group == "choose" and _asking(position):
        return words.say("play.group.choose-for", card=words.card(_asking(position)))
    return words.say("play.group.rest" if group == "choose" and position.phase == "rest" else f"play.group.{group}")


def _asking(position: Position) -> str:
    return position.todo[0].source[0] if position.todo else ""


def card_name(words: Language, position: Position, ref: Ref) -> str:
    """The card's name; copies that differ are told apart by what they hold, or by a number."""
    name = words.card(ref[0])
    copies = [(slot, holder and holder.ref) for slot, holder in slots(position) if slot.card == ref[0]]
    if len({(_bare(slot), holder) for slot, holder in copies}) < 2:
        return name
    slot = next((slot for slot, _ in copies if slot.ref == ref), None)
    if slot is not None and slot.weapons:
        return words.say("play.armed", card=name, weapons=", ".join(words.card(w.card) for w in slot.weapons))
    return f"{name} #{ref[1]}" if slot is not None and _bare(slot) != Slot(slot.card, 0) else name


def _bare(slot: Slot) -> Slot:
    return replace(slot, copy=0, weapons=tuple(_bare(weapon) for weapon in slot.weapons))
