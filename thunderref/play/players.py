"""Who plays: people, and players whose choices are drawn.

Random players are not quite uniform: the three ways of a turn (R2.1) are not equally likely, for resting destroys
cards, and a game of players without cards drags on. With Disease in the hand they rest more often, for a game in which
nobody does drowns in it. Every turn in the dungeon brings the Thunderstone nearer, because
the attacked monster leaves the hall, beaten or not (R6.1, R6.2), and it lands below the stone; only monsters that must
be defeated stay (R6.8). But the rules have games without end: where Steam Torment keeps everybody in the hall and
nobody can beat anything any more, or nobody owns a card (:func:`stuck <thunderref.play.ending.stuck>` proves that). So
a game of random players only is broken off after a number of turns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from thunderref.engine.state import Action
from thunderref.engine.world import DISEASE
from thunderref.errors import InputError
from thunderref.model.saved import SavedPlayer
from thunderref.setup.codes import MAX_PLAYERS
from thunderref.setup.generator import Generator
from thunderref.words.words import Words

LONGEST_NAME = 40
RANDOM = "random"
"""In any language; every language has a word of its own as well (``play.word.random``)."""


def read_players(text: str | None, words: Words) -> list[SavedPlayer] | None:
    """The players of ``Ann, Bob, random``; a number stands for so many people; None if nothing was said.

    Raises :class:`InputError` for no name, a name twice, one too long, more than five.
    """
    if text is None:
        return None
    names = [" ".join(name.split()) for name in text.split(",")]
    if len(names) == 1 and names[0].isdecimal() and len(names[0]) < 3:
        number = int(names[0])
        if not 1 <= number <= MAX_PLAYERS:
            raise InputError("play-players", n=number, most=MAX_PLAYERS)
        return people(number, words)
    if not all(names):
        raise InputError("play-no-name")
    if len(names) > MAX_PLAYERS:
        raise InputError("play-players", n=len(names), most=MAX_PLAYERS)
    drawn = {RANDOM, *(word.strip() for word in words.say("play.word.random").split(","))}
    found: list[SavedPlayer] = []
    for name in names:
        if name.casefold() in drawn:
            number = sum(player.random for player in found) + 1
            found.append(SavedPlayer(name=words.say("play.random-name", n=number), random=True))
        elif len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError("play-bad-name", name=name[:LONGEST_NAME], most=LONGEST_NAME)
        else:
            found.append(SavedPlayer(name=name))
    twice = next(
        (p.name for i, p in enumerate(found) if p.name.casefold() in {q.name.casefold() for q in found[:i]}), None
    )
    if twice is not None:
        raise InputError("play-name-twice", name=twice)
    return found


def people(number: int, words: Words) -> list[SavedPlayer]:
    """So many people without names of their own."""
    return [SavedPlayer(name=words.say("play.player-name", n=n)) for n in range(1, number + 1)]


WEIGHTS = {"rest": 1, "dungeon": 4, "village": 4, "forgo": 1}
"""How likely a random player is to do a thing, against :data:`OTHERWISE` for everything not named."""
OTHERWISE = 2
RID = 6
"""How likely he is to rest with Disease in his hand, and to destroy it rather than another card."""


def weighted(options: Sequence[Action], hand: Collection[str], random: Generator) -> Action:
    """Any legal action, those likelier that bring the game to its end; ``hand`` are the cards of who decides."""
    ill = DISEASE in hand
    return options[random.weighted([_weight(action, ill=ill) for action in options])]


def _weight(action: Action, *, ill: bool) -> int:
    if ill and (action.kind == "rest" or (action.a == "destroy" and action.b[0] == DISEASE)):
        return RID
    return WEIGHTS.get(action.kind, OTHERWISE)
