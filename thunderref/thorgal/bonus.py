"""What an action card says, noted by the players, and what it gives to whoever moves a token there (T3.2, T3.3).

A card is noted as ``fight alone+1 left2:move``: its main action, with a number if it is not 1, then its bonus actions.
Each has a place: ``alone`` (the only token at this card), ``here2`` (so many tokens at this card, or more), ``left1``
(at the cards to its left); ``here*`` and ``left*`` count once for each token. Then ``+1`` for the main action, or
``:move`` for another one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.text.folding import fold
from thunderref.thorgal.round import Layout, Table, Token, layout

_ACTIONS = {
    "move": ("move", "ruch", "перемещ", "движ"), "wander": ("wander", "wedr", "странств"),
    "gather": ("gather", "zbier", "сбор"), "craft": ("craft", "rzem", "ремес"),
    "assign": ("assign", "przyp", "назнач"), "sacrifice": ("sacrif", "posw", "жертв", "пожертв"),
    "fight": ("fight", "walk", "бой", "сраж"),
}  # fmt: skip
_PLACES = {
    "alone": ("alone", "jedyn", "один", "единст"), "here": ("here", "tu", "здесь", "тут"),
    "left": ("left", "lew", "na lewo", "слева", "лев"),
}  # fmt: skip
ACTIONS = tuple(_ACTIONS)
USUAL = {"alone": 1, "here": 2, "left": 1}
"""Place -> the tokens a bonus needs there if no number is given."""
_MAIN = re.compile(r"^([^\W\d]+)(\d?)$")
_BONUS = re.compile(r"^([^\W\d]+)(\d?|\*)(?:\+(\d)|:([^\W\d]+)(\d?))$")


class Bonus(NamedTuple):
    """A bonus action: where it counts tokens, how many it needs (0: once for each), what it gives of which action."""

    place: str
    least: int
    amount: int
    action: str

    def times(self, there: Layout) -> int:
        """How often this bonus is earned with the tokens as they are."""
        if self.place == "alone":
            return int(there.alone)
        tokens = there.tokens if self.place == "here" else there.to_the_left
        return int(tokens >= self.least) if self.least else tokens


class Card(NamedTuple):
    """An action card: its main action, how many of it, its bonus actions."""

    action: str
    amount: int
    bonuses: tuple[Bonus, ...]

    @property
    def text(self) -> str:
        """The card as it is noted, in the words of the file."""
        parts = [self.action + _unless(self.amount, 1)]
        for bonus in self.bonuses:
            least = "" if bonus.place == "alone" else str(bonus.least or "*")
            gain = f":{bonus.action}{_unless(bonus.amount, 1)}" if bonus.action else f"+{bonus.amount}"
            parts.append(bonus.place + least + gain)
        return " ".join(parts)

    def earned(self, there: Layout) -> list[tuple[str, int]]:
        """The actions with the tokens as they are: the main one with what is added to it, then the others."""
        main, others = self.amount, dict[str, int]()
        for bonus in self.bonuses:
            gained = bonus.amount * bonus.times(there)
            if not bonus.action:
                main += gained
            elif gained:
                others[bonus.action] = others.get(bonus.action, 0) + gained
        return [(self.action, main), *others.items()]


def _unless(number: int, usual: int) -> str:
    return "" if number == usual else str(number)


def read_card(text: str) -> Card:
    """The card noted as ``text``, in any of the three languages; raises :class:`InputError` for what is not clear."""
    words = re.sub(r"[,;]", " ", text).split()
    main = _MAIN.match(words[0]) if words else None
    if main is None:
        raise InputError("thorgal-card-note", name=" ".join(words)[:40])
    bonuses = []
    for word in words[1:]:
        found = _BONUS.match(word)
        if found is None:
            raise InputError("thorgal-card-note", name=word[:40])
        place = _named(found[1], _PLACES, "thorgal-card-note")
        least = 0 if found[2] == "*" else int(found[2] or USUAL[place])
        action = _named(found[4], _ACTIONS, "thorgal-action") if found[4] else ""
        bonuses.append(Bonus(place, least, int(found[3] or found[5] or 1), action))
    return Card(_named(main[1], _ACTIONS, "thorgal-action"), int(main[2] or 1), tuple(bonuses))


def _named(word: str, stems: dict[str, tuple[str, ...]], code: str) -> str:
    folded = fold(word)
    for name, beginnings in stems.items():
        if any(
            folded.startswith(stem) or (len(folded) > 1 and stem.startswith(folded)) for stem in map(fold, beginnings)
        ):
            return name
    raise InputError(code, name=word[:40], candidates=tuple(stems))


class Choice(NamedTuple):
    """A token that may be moved, from one card (0: beside the cards) to another, and the tokens as they are then."""

    source: int
    there: Layout


def choices(table: Table) -> list[Choice]:
    """Every move of a token to a card that is known: one for each card and each different outcome, cards in order."""
    known = table.row or tuple(sorted({token.card for token in table.tokens if token.card} | set(dict(table.notes))))
    found = []
    for card in known:
        seen = set()
        for source in sorted({token.card for token in table.tokens if token.active} - {card}):
            tokens = list(table.tokens)
            tokens[tokens.index(Token(source))] = Token(card, active=False)
            there = next(one for one in layout(table._replace(tokens=tuple(tokens))) if one.card == card)
            outcome = (there.tokens, there.to_the_left)
            if outcome not in seen:
                seen.add(outcome)
                found.append(Choice(source, there))
    return found
