"""Who plays: people, and players whose choices are drawn (:mod:`random_player`)."""

from __future__ import annotations

from thunderref.errors import InputError
from thunderref.text.language import Language
from thunderref.thunderstone.setup.codes import MAX_PLAYERS
from thunderref.thunderstone.table.save_file import SavedPlayer

LONGEST_NAME = 40
RANDOM = "random"  # in any language; every language has a word of its own as well (play.word.random)


def read_players(text: str | None, words: Language) -> list[SavedPlayer] | None:
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
    folded = [player.name.casefold() for player in found]
    for place, player in enumerate(found):
        if folded[place] in folded[:place]:
            raise InputError("play-name-twice", name=player.name)
    return found


def people(number: int, words: Language) -> list[SavedPlayer]:
    return [SavedPlayer(name=words.say("play.player-name", n=n)) for n in range(1, number + 1)]
