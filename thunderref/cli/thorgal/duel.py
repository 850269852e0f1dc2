"""A fight as the game's file knows it: who fights which enemy with which dice, and what a defeat would cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.cli.thorgal.picture import cards_of, picture
from thunderref.cli.thorgal.round import game_path, named_seat
from thunderref.cli.thorgal.table import dice_text, names_of
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.pages.page import Block, Line
from thunderref.text.folding import fold
from thunderref.text.language import Language
from thunderref.thorgal.dice import Face, read_dice, read_die
from thunderref.thorgal.game_file import read_steps
from thunderref.thorgal.grid import HEART, Grid, read_grid
from thunderref.thorgal.round import MOST_THREAT, UNMET_WOUND, Character, room_of


class Duel(NamedTuple):
    """The cards to beat with the name of the enemy ("" if typed), the one who fights, the faces of the dice."""

    cards: list[Grid]
    enemy: str
    name: str
    seat: Character
    faces: dict[str, str]

    @property
    def dice(self) -> tuple[str, ...]:
        """The dice that the fight dial shows; raises :class:`NoAnswerError` if that is not noted."""
        if not self.seat.dice:
            raise NoAnswerError("thorgal-no-dial", name=self.name, n=self.seat.dial)
        return read_dice(self.seat.dice)

    def shown(self, critical: bool) -> dict[str, tuple[Face, ...]]:
        return {colour: read_die(f"{colour}: {faces}", critical)[1] for colour, faces in self.faces.items()}

    @property
    def hearts(self) -> int:
        return sum(card.mask_of(HEART).bit_count() for card in self.cards)

    @property
    def wound_from(self) -> int | None:
        """So many uncovered hearts bring more than five threat tokens, and so a wound; None if there are too few."""
        least = MOST_THREAT - self.seat.threat + 1
        return least if least <= self.hearts else None

    @property
    def deadly(self) -> bool | None:
        """Whether that wound has no room; None if the board is not known."""
        room = room_of(self.seat)
        return None if room is None else room.largest < UNMET_WOUND

    def document(self) -> dict[str, Any]:
        defeat = {"hearts": self.hearts, "threat_held": self.seat.threat, "wound_from": self.wound_from}
        whose = {"player": self.name, "enemy": self.enemy or None, "card": "|".join(card.text for card in self.cards)}
        return {**whose, "fight_dial": self.seat.dial, "defeat": {**defeat, "deadly": self.deadly}}

    def subtitle(self, words: Language) -> list[str]:
        dice = dice_text(words, self.seat)
        told = [words.say("thorgal.fight.of", name=self.name, dial=self.seat.dial, dice=dice)]
        return told + [words.say("thorgal.fight.against", enemy=self.enemy)] * bool(self.enemy)

    def blocks(self, words: Language) -> list[Block]:
        """The cards, and what a defeat would cost."""
        held = {"hearts": self.hearts, "threat": self.seat.threat, "most": MOST_THREAT}
        lines = [Line(words.say("thorgal.fight.stake", **held), note="T10.12 T15.1")]
        if self.wound_from is not None:
            end = {None: "unknown", True: "death", False: "wound"}[self.deadly]
            lines.append(Line(words.say(f"thorgal.fight.stake-{end}", n=self.wound_from), note="T15.2 T16.1"))
        return [*(Block([], picture=picture(card)) for card in self.cards), Block(lines)]


def duel_of(typed: Sequence[str], file: Path | None, words: Language | None = None) -> Duel | None:
    """The fight that is typed: a player, an enemy noted, a card, each if it is not clear from the game.

    Without a player the one fights who acted last in this round, else whose turn it is; without an enemy or a card it
    is the enemy noted last. None without a game in the program's own file.
    """
    try:
        table = read_steps(game_path(file))[1]
    except NoAnswerError:
        if file is not None:
            raise
        return None
    names, enemies = names_of(table, words), dict(table.enemies)
    seat = table.last if table.last >= 0 else table.turn
    enemy, drawn = next(reversed(enemies), ""), list[str]()
    for word in typed:
        if is_card(word):
            drawn.append(word)
        elif (known := _enemy(enemies, word)) is not None:
            enemy = known
        elif (found := named_seat(names, word)) is not None:
            seat = found
        else:
            raise InputError("thorgal-who-fights", name=word[:40], candidates=(*names, *enemies))
    if not drawn and not enemy:
        raise NoAnswerError("thorgal-no-enemy")
    cards = cards_of(drawn) if drawn else [read_grid(text) for text in enemies[enemy].split("|")]
    return Duel(cards, "" if drawn else enemy, names[seat], table.seats[seat], dict(table.faces))


def is_card(word: str) -> bool:
    """True for a card or several; a word without any sign between letters is one if it has a black heart."""
    if word == "-" or set(word) & set("./|#_·["):
        return True
    try:
        return read_grid(word).mask_of(HEART) != 0
    except ThunderrefError:
        return False


def _enemy(enemies: dict[str, str], word: str) -> str | None:
    form = fold(word)
    begun = [name for name in enemies if form and fold(name).startswith(form)]
    exact = [name for name in begun if fold(name) == form]
    found = exact or begun
    return found[0] if len(found) == 1 else None
