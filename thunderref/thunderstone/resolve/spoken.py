"""One choice in a player's words as a step of a plan: “short sword on thief”, “банишь”, “użyj racji na kapłana”.

The key words are known in three languages; between them are names of cards, found as everywhere. A name that fits
several cards means the one that is in play, if only one is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import dropwhile
from typing import Any

from thunderref.database.operations import Destroy
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.names import search_cards
from thunderref.text.folding import fold_query
from thunderref.thunderstone.resolve.plan import step_kind
from thunderref.thunderstone.resolve.start import Finder, name_and_copy
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import revealed
from thunderref.thunderstone.rules.notation import Step
from thunderref.thunderstone.rules.position import Position

_MEANINGS = {
    "use": "use using play playing uzyj uzyc uzywam uzyje uzywaj zagraj zagrac jedz zjedz "
    "feed feeding eat eating nakarm nakarmic karmie nakarmie использовать использую используи используя применить "
    "применяю примени применять разыграть сыграть съесть накормить накорми накормлю кормлю",
    "equip": "equip equipping give giving arm arming wyposaz daj dac dam uzbroj przydziel przydzielic даи дать дам "
    "вооружить снарядить вручить",
    "attack": "attack attacking fight fighting atakuj atak ataku atakowac zaatakuj zaatakowac atakuje walcz walczyc "
    "атака атаки атаку атаковать атакую атакуи напасть",
    "forgo": "forgo forego forgoing without dont not skip zrezygnuj rezygnuj rezygnacja zrezygnowac bez nie pomin "
    "отказаться отказываюсь откажись без не",
    "disease": "disease choroba chorobe choroby болезнь болезни",
    "magic": "magic magical magiczny magicznego magii magie магическая магическую магическои магии магия магию",
    "on": "on onto to for na do dla на для к ко у",
    "destroy": "destroy destroys destroying destroyed usun usunac usuwajac usuwam zniszcz zniszczyc niszczac niszcze "
    "niszczy уничтожить уничтожь уничтожая уничтожив",
    "bottom": "bottom under beneath spod pod вниз под",
    "effect": "effect efekt efektu effekt эффект эффекта",
    "rank": "rank szereg szeregu ranga ряд ряда ряду",
    "filler": "and the a an at from by with its hero card i oraz z ze karta karty karte bohatera bohaterowi "
    "и с от карта карты карту герою героя монстра potwora monster",
}
WORDS = {word: meaning for meaning, words in _MEANINGS.items() for word in words.split()}
MARKERS = ("on", "destroy", "bottom", "effect")
"""Word between names -> the key of the step whose value follows."""
Word = tuple[str, str, str]
"""A word as written, folded, and its key."""
SMALL = ("filler", "on", "use", "equip", "destroy")


def read_choice(asked: Any, game: Game, state: Position, find: Finder) -> Step:
    """The step that ``asked`` means: a plan step (an object, or its JSON), or a few words.

    Raises InputError if it cannot be read, NoAnswerError for unknown and ambiguous names.
    """
    if isinstance(asked, str) and asked.lstrip().startswith("{"):
        try:
            asked = json.loads(asked)
        except (ValueError, RecursionError) as error:
            raise InputError("malformed-choice", column=getattr(error, "colno", 1)) from None
    if isinstance(asked, dict):
        step_kind(asked, 1)
        return asked
    return Reader(game, state, find).read(str(asked))


class Reader:
    """Reads choices at one table; knows what is in play there."""

    def __init__(self, game: Game, state: Position, find: Finder) -> None:
        self.game = game
        self.find = find
        self.mine = {slot.card for slot in revealed(state)} | set(state.deck)
        self.foes = {foe.card for foe in (*state.hall, *state.rank0) if foe.card} | set(state.dungeon)

    def read(self, text: str) -> Step:
        forms = [(word.strip(",;.:!?\"'“”„«»"), fold_query(word)) for word in text.split()]
        words = [(word, form, WORDS.get(form, "")) for word, form in forms if form]
        meanings = [meaning for _, _, meaning in words]
        if not words:
            raise InputError("empty-choice")
        if meanings[0] == "disease" and len(words) > 1 and set(meanings[1:]) <= {"attack", "magic", "on", "filler"}:
            return {"disease": "magic_attack" if "magic" in meanings else "attack"}
        if meanings[0] in ("attack", "rank"):
            return self._attack(words)
        if meanings[0] == "forgo" or [form for _, form, _ in words[:2]] == ["do", "not"]:
            named = dropwhile(lambda word: word[2] in ("filler", "on", "use", "equip", "forgo"), words[1:])
            return {"forgo": self._card(" ".join(word for word, _, _ in named), self.mine)}
        if meanings[0] == "destroy":
            return self._destroy([word for word, _, meaning in words if meaning not in SMALL])
        verb = meanings[0] if meanings[0] in ("use", "equip") else ""
        return self._play(words[bool(verb) :], verb)

    def _attack(self, words: list[Word]) -> Step:
        rank = next((int(form) for _, form, _ in words if form.isdecimal()), None)
        small = ("attack", "rank", "on", "filler")
        name = " ".join(word for word, form, meaning in words if not form.isdecimal() and meaning not in small)
        if rank is not None:
            return {"attack": rank} | ({"monster": self._card(name, self.foes)} if name and rank == 0 else {})
        return {"attack": self._card(name, self.foes)}

    def _play(self, words: list[Word], verb: str) -> Step:
        chunks: dict[str, str] = {}
        key, names = "", list[str]()
        for word, form, meaning in words:
            if meaning in MARKERS and (key or names):
                chunks[key] = " ".join(names)
                key, names = meaning, []
            elif not (meaning == "filler" and not names):
                names.append(form if key == "effect" else word)
        chunks[key] = " ".join(names)
        if set(chunks) == {""}:
            together = self._run_together([word for word, _, meaning in words if meaning not in SMALL])
            if together is not None:
                return together
        if "" not in chunks:
            raise InputError("empty-choice")
        card = self._card(chunks.pop(""), self.mine | self.foes)
        spec = self._spec(card)
        if spec.is_monster and not chunks and not verb and card not in self.mine:
            return {"attack": card}
        if verb == "equip" or (spec.is_weapon and not verb and set(chunks) <= {"on"}):
            return {"equip": card} | ({"to": self._card(chunks["on"], self.mine)} if "on" in chunks else {})
        return {"use": card} | {key: self._value(key, chunks[key]) for key in chunks}

    def _value(self, key: str, text: str) -> Any:
        if key != "effect":
            return self._card(text, self.foes if key == "bottom" else self.mine)
        if not text.isdecimal() or not int(text):
            raise InputError("bad-step-value", step=1, key="effect", value=text or "-")
        return int(text)

    def _run_together(self, words: list[str]) -> Step | None:
        # two names without a word between them, as inflected languages put it: a weapon or food, and a hero
        for card, hero in self._pairs(words):
            if self._spec(hero).is_hero:
                return {"equip": card, "to": hero} if self._spec(card).is_weapon else {"use": card, "on": hero}
        return None

    def _spec(self, card: str) -> CardSpec:
        return self.game.cards[card.partition("#")[0]]

    def _destroy(self, words: list[str]) -> Step:
        for victim, card in self._pairs(words):
            if self._burns(card, victim):
                return {"use": card, "destroy": victim}
        victim = self._card(" ".join(words), self.mine)
        able = [card for card in sorted(self.mine) if self._burns(card, victim)]
        return {"use": able[0], "destroy": victim} if len(able) == 1 else {"use": victim}

    def _burns(self, card: str, victim: str) -> bool:
        effects = [op for ability in self._spec(card).dungeon for op in (*ability.cost, *ability.instant)]
        return any(isinstance(op, Destroy) and self._spec(victim).matches(op.select) for op in effects)

    def _pairs(self, words: list[str]) -> Iterator[tuple[str, str]]:
        # two different cards of the hand that the words may name, in either order
        for place in range(1, len(words)):
            left, right = (" ".join(part) for part in (words[:place], words[place:]))
            try:
                one, other = self._card(left, self.mine), self._card(right, self.mine)
            except NoAnswerError:
                continue
            if {one.partition("#")[0], other.partition("#")[0]} <= self.mine and one != other:
                yield one, other
                yield other, one

    def _card(self, text: str, present: Collection[str]) -> str:
        name, copy = name_and_copy(text, text)
        if not name:
            raise InputError("empty-choice")
        found = search_cards(self.find.database, name)
        ids = dict.fromkeys(self.find.database.cards[hit.id].reprint_of or hit.id for hit in found.hits)
        here = [card for card in ids if card in present]
        card = here[0] if len(here) == 1 else self.find(name)
        return card + (f"#{copy}" if copy else "")
