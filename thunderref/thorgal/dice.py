"""The chance to win a fight before the dice fall, exactly, with the best use of upgrades and re-rolls.

The dice are what the player says they are: a colour and six faces, each a tile, several tiles (``I2+I2``) or blank
(``-``). A black field counts with a critical effect only (T10.6): ``I3^I4`` is I3, or I4 with it. Upgrades come before
the roll, along green, yellow, orange, red (T10.5); a re-roll throws one die again (T10.4), and none has to be used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from thunderref.errors import InputError, NoAnswerError
from thunderref.lookup.normalise import fold
from thunderref.thorgal.fields import HEART
from thunderref.thorgal.fight import check_cards, orders
from thunderref.thorgal.grid import Grid
from thunderref.thorgal.search import Layer, best_arrangement, places_of
from thunderref.thorgal.tiles import Shape, Tile, counted, drawn_shape, is_drawing, read_tile, split_words, tile_of

COLOURS = ("green", "yellow", "orange", "red")
"""From the weakest die to the strongest."""
_STEMS = {
    "green": ("green", "ziel", "зел"), "yellow": ("yellow", "zolt", "желт"),
    "orange": ("orange", "pomar", "оранж"), "red": ("red", "czerw", "красн"),
}  # fmt: skip
MOST_ROLLS = 20_000
"""Different rolls looked at in one question; each is a little puzzle of its own."""
MOST_STEPS = 3_000_000
"""Steps of the search over all the puzzles of one question."""
MOST_REROLLS = 10

Face = tuple[Tile, ...]
"""The tiles one face gives; () for a blank."""
Roll = tuple[tuple[str, Face], ...]
"""Colour and face of each die, sorted."""


class Advice(NamedTuple):
    """One die that may be thrown again: its colour, the face it shows, the chance to win after doing so."""

    colour: str
    face: Face
    chance: Fraction


class Chance(NamedTuple):
    """The chance to win."""

    win: Fraction
    dice: tuple[str, ...]
    """The dice to roll, after upgrades."""
    upgraded: tuple[tuple[str, str], ...]
    """Upgrades that bring the best chance: from colour, to colour."""
    plain: Fraction
    """The chance without upgrades or re-rolls."""
    rolls: int
    """Different rolls that were solved."""


def read_colour(word: str) -> str:
    """The colour a word names, in any of the three languages; raises :class:`InputError` for another one."""
    folded = fold(word)
    for colour, stems in _STEMS.items():
        if folded and any(folded.startswith(stem) or stem.startswith(folded) for stem in stems):
            return colour
    raise InputError("thorgal-colour", name=word[:20], candidates=COLOURS)


def read_dice(text: str) -> tuple[str, ...]:
    """The colours of the dice in a list such as ``2 green, red``, weakest first."""
    dice: list[str] = []
    for count, word in counted(split_words(text)):
        dice += [read_colour(word)] * min(count, MOST_REROLLS + 1)
    if not dice or len(dice) > MOST_REROLLS:
        raise InputError("thorgal-dice-count", n=len(dice), most=MOST_REROLLS)
    return tuple(sorted(dice, key=COLOURS.index))


def read_die(text: str, critical: bool) -> tuple[str, tuple[Face, ...]]:
    """Colour and faces of a die such as ``green: 2 I2, L3, -, -, I3``.

    Raises :class:`InputError` for one without colour or faces.
    """
    name, colon, rest = text.partition(":")
    if not colon:
        name, _, rest = text.strip().partition(" ")
    colour = read_colour(name.strip())
    faces: list[Face] = []
    for count, word in counted(split_words(rest)):
        faces += [read_face(word, critical)] * min(count, 100)
    if not faces:
        raise InputError("thorgal-die-empty", colour=name.strip()[:20])
    return colour, tuple(faces)


def read_face(word: str, critical: bool) -> Face:
    """The tiles of a face: ``L3``, ``I2+I2``, ``I3^I4``, ``##/#*`` or ``-``."""
    if word in ("-", "–", "—"):
        return ()
    normal, caret, black = word.partition("^")
    return tuple(_tile(part, critical) for part in (black if caret and critical else normal).split("+") if part != "-")


def read_roll(dice: str, faces: str, critical: bool) -> Roll:
    """The dice as they lie: their colours and, in the same order, the face each shows.

    Raises :class:`InputError` if there are more or fewer faces than dice.
    """
    colours = [read_colour(word) for count, word in counted(split_words(dice)) for _ in range(min(count, 99))]
    shown = [read_face(word, critical) for count, word in counted(split_words(faces)) for _ in range(min(count, 99))]
    if len(colours) != len(shown):
        raise InputError("thorgal-roll", dice=len(colours), faces=len(shown))
    return tuple(sorted(zip(colours, shown, strict=True)))


def face_name(face: Face) -> str:
    """A face as it is typed."""
    return "+".join(tile.name for tile in face) or "-"


def _tile(word: str, critical: bool) -> Tile:
    if critical and is_drawing(word) and "*" in word:
        shape = drawn_shape(word, black=True)
        if shape is not None:
            return tile_of(shape)
    return read_tile(word)


class Table:
    """The dice at hand, the cards to beat, and what is known of rolls so far."""

    def __init__(self, cards: Sequence[Grid], faces: Mapping[str, Sequence[Face]], mirror: bool) -> None:
        check_cards(cards)
        self._faces = {colour: Counter(shown) for colour, shown in faces.items()}
        self._shapes = sorted({tile.shape for shown in faces.values() for face in shown for tile in face})
        self._grids = []
        for _, grid in orders(cards):
            hearts = Layer(grid.mask_of(HEART) & grid.open, 1)
            self._grids.append((grid, hearts, places_of(grid, self._shapes, [hearts], mirror)))
        self._known: dict[tuple[Shape, ...], bool] = {}
        self._values: dict[tuple[Roll, int], Fraction] = {}
        self.steps = 0

    @property
    def rolls(self) -> int:
        """Different sets of rolled tiles that were solved."""
        return len(self._known)

    def check(self, colours: Sequence[str]) -> None:
        """Raises :class:`InputError` for a die whose faces are not known."""
        for colour in colours:
            if colour not in self._faces:
                raise InputError("thorgal-no-faces", colour=colour)

    def wins(self, roll: Roll) -> bool:
        """True if the tiles of a roll can cover every heart (more tiles never hurt)."""
        tiles = tuple(sorted(tile.shape for _, face in roll for tile in face))
        if tiles not in self._known:
            if len(self._known) >= MOST_ROLLS:
                raise NoAnswerError("thorgal-rolls", n=MOST_ROLLS)
            self._known[tiles] = self._solve(tiles)
        return self._known[tiles]

    def _solve(self, tiles: tuple[Shape, ...]) -> bool:
        """By what is known of a tile less or more, else by the search."""
        for number in range(len(tiles)):
            if self._known.get((*tiles[:number], *tiles[number + 1 :])):
                return True
        if any(self._known.get(tuple(sorted((*tiles, shape)))) is False for shape in self._shapes):
            return False
        for grid, hearts, places in self._grids:
            wanted = hearts.fields.bit_count()
            if sum(len(shape) for shape in tiles) < wanted:
                continue
            found = best_arrangement(
                grid, tiles, [hearts], may_leave=True, wanted=wanted, budget=MOST_STEPS - self.steps, places=places
            )
            self.steps += found.steps
            if found.places is not None:
                return True
            if not found.proven:
                raise NoAnswerError("thorgal-rolls", n=MOST_ROLLS)
        return False

    def chance(self, colours: Sequence[str], rerolls: int) -> Fraction:
        """The chance to win with these dice and so many re-rolls, used as well as can be."""
        self.check(colours)
        total = Fraction(1)
        for colour in colours:
            total *= sum(self._faces[colour].values())
        return sum((ways * self.value(roll, rerolls) for roll, ways in self._rolled(colours)), Fraction(0)) / total

    def _rolled(self, colours: Sequence[str]) -> Iterator[tuple[Roll, int]]:
        """Every different roll with the number of ways to it."""
        rolls: Counter[Roll] = Counter({(): 1})
        for colour in colours:
            wider: Counter[Roll] = Counter()
            for roll, ways in rolls.items():
                for face, times in self._faces[colour].items():
                    wider[tuple(sorted((*roll, (colour, face))))] += ways * times
            if len(wider) > MOST_ROLLS:
                raise NoAnswerError("thorgal-rolls", n=MOST_ROLLS)
            rolls = wider
        yield from rolls.items()

    def value(self, roll: Roll, rerolls: int) -> Fraction:
        """The chance to win from a roll with so many re-rolls left."""
        if self.wins(roll):
            return Fraction(1)
        if not rerolls:
            return Fraction(0)
        key = (roll, rerolls)
        if key not in self._values:
            self._values[key] = max((advice.chance for advice in self.advice(roll, rerolls)), default=Fraction(0))
        return self._values[key]

    def advice(self, roll: Roll, rerolls: int) -> list[Advice]:
        """Every die that may be thrown again and the chance after that, best first; nothing without a re-roll left."""
        _check_number("--rerolls", rerolls)
        if not rerolls:
            return []
        self.check([colour for colour, _ in roll])
        for colour, face in roll:
            if face not in self._faces[colour]:
                names = [face_name(other) for other in self._faces[colour]]
                raise InputError("thorgal-not-on-die", face=face_name(face), colour=colour, candidates=names)
        found = []
        for number, (colour, face) in enumerate(roll):
            if (colour, face) in roll[:number]:
                continue
            shown = self._faces[colour]
            rest = (*roll[:number], *roll[number + 1 :])
            chance = sum(
                (
                    times * self.value(tuple(sorted((*rest, (colour, new)))), rerolls - 1)
                    for new, times in shown.items()
                ),
                Fraction(0),
            ) / sum(shown.values())
            found.append(Advice(colour, face, chance))
        return sorted(found, key=lambda advice: (-advice.chance, COLOURS.index(advice.colour), advice.face))


def _check_number(name: str, number: int) -> None:
    if not 0 <= number <= MOST_REROLLS:
        raise InputError("thorgal-number", name=name, n=number, most=MOST_REROLLS)


@cache
def upgrades_of(dice: tuple[str, ...], upgrades: int) -> tuple[tuple[str, ...], ...]:
    """All sets of dice that at most so many upgrades make, fewest upgrades first; a red die cannot be upgraded."""
    found = {dice: None}
    edge = [dice]
    for _ in range(upgrades):
        wider = []
        for now in edge:
            for number, colour in enumerate(now):
                if colour != COLOURS[-1]:
                    better = COLOURS[COLOURS.index(colour) + 1]
                    made = tuple(sorted((*now[:number], better, *now[number + 1 :]), key=COLOURS.index))
                    if made not in found:
                        found[made] = None
                        wider.append(made)
        edge = wider
    return tuple(found)


def best_chance(
    cards: Sequence[Grid],
    faces: Mapping[str, Sequence[Face]],
    dice: Sequence[str],
    *,
    upgrades: int = 0,
    rerolls: int = 0,
    mirror: bool = False,
) -> Chance:
    """The chance to win with the upgrades and re-rolls used as well as can be; ties go to the fewest upgrades.

    Raises :class:`InputError` for a die, or one an upgrade leads to, whose faces are not given, and
    :class:`NoAnswerError` if the different rolls are too many.
    """
    _check_number("--upgrades", upgrades)
    _check_number("--rerolls", rerolls)
    table = Table(cards, faces, mirror)
    start = tuple(dice)
    table.check(start)
    best: tuple[Fraction, tuple[str, ...]] | None = None
    for now in upgrades_of(start, upgrades):
        chance = table.chance(now, rerolls)
        if best is None or chance > best[0]:
            best = (chance, now)
    assert best is not None  # the dice as they are come first
    upgraded = tuple((a, b) for a, b in _paired(start, best[1]) if a != b)
    return Chance(best[0], best[1], upgraded, table.chance(start, 0), table.rolls)


def _paired(before: tuple[str, ...], after: tuple[str, ...]) -> list[tuple[str, str]]:
    """Which die became which: as few dice as possible change."""
    kept = Counter(before) & Counter(after)
    old = sorted((Counter(before) - kept).elements(), key=COLOURS.index)
    new = sorted((Counter(after) - kept).elements(), key=COLOURS.index)
    return list(zip(old, new, strict=True))
