"""A fight: rolled tiles on the card of an enemy (T10), judged or laid best, and the exact chance before the roll.

The tiles touch one another by edges, none overlaps, none sticks out (T10.9). A tile stays off only if it has no room
left (T10.14), unless ``may_leave``. The cards of joined enemies are side by side in the best order (T10.7).

The player describes the dice: a colour and six faces, each a tile, several tiles (``I2+I2``) or blank
(``-``). A black field counts with a critical effect only (T10.6): ``I3^I4`` is I3, or I4 with it. Upgrades come before
the roll, along green, yellow, orange, red (T10.5); a re-roll throws one die again (T10.4), and none has to be used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations, product
from typing import Any, NamedTuple

import msgspec

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError, ThunderrefError
from thunderref.text.folding import fold
from thunderref.thorgal import laying
from thunderref.thorgal.grid import BENEFITS, HEART, PENALTIES, Cell, Grid, read_cards, read_grid
from thunderref.thorgal.laying import Shape, Tile, WorthLayer, masks, orientations, read_list, read_tile, read_word
from thunderref.thorgal.round import MOST_THREAT, UNMET_WOUND, Character, GameTable, named_seat, names_of, room_of

MOST_FOES = 4  # joined enemies: every order of their cards is tried
GOALS = ("benefits", "safe")  # after the hearts: benefits before penalties, or penalties before benefits
Cards = Sequence[Grid]
Tiles = Sequence[Tile]


class FightOutcome(NamedTuple):
    """The cards of a fight in ``order`` by number from 1, the ``tiles`` to lay; ``proven`` that none is better."""

    grid: Grid
    order: tuple[int, ...]
    pieces: tuple[laying.Piece, ...]
    tiles: tuple[Tile, ...]
    threat_held: int
    proven: bool = True
    steps: int = 0
    mirror: bool = False

    @property
    def left_out(self) -> list[Tile]:
        unused = list(self.tiles)
        for piece in self.pieces:
            unused.remove(piece.tile)
        return unused

    def room_for(self, tile: Tile) -> Cell | None:
        """A field of a place where the tile could still be laid beside the others (T10.9), None if it has no room."""
        covered = sum(piece.mask for piece in self.pieces)
        places = masks(self.grid, orientations(tile.shape, self.mirror))
        return next((next(self.grid.cells(mask)) for mask in self.grid.fitting(places, covered)), None)

    @property
    def spare(self) -> list[Tile]:
        """Those left out by choice: they have room (T10.14)."""
        return [tile for tile in self.left_out if self.room_for(tile) is not None]

    @property
    def effects(self) -> tuple[laying.FieldEffect, ...]:
        return laying.effects_of(self.grid, self.pieces)

    @property
    def hearts(self) -> int:
        return self.grid.mask_of(HEART).bit_count()

    @property
    def uncovered(self) -> tuple[Cell, ...]:
        covered = sum(piece.mask for piece in self.pieces)
        return tuple(self.grid.cells(self.grid.mask_of(HEART) & ~covered))

    @property
    def won(self) -> bool:
        """True if every black heart is covered (T10.11)."""
        return not self.uncovered

    @property
    def threat(self) -> int:
        """Threat tokens taken: one for each uncovered heart, five in all at most (T10.12, T15.1)."""
        return min(len(self.uncovered), MOST_THREAT - self.threat_held)

    @property
    def wound(self) -> int:
        """Fields of the wound for threat tokens beyond five (T15.2, T16.1, once: T16.3); 0 for none."""
        return UNMET_WOUND if self.threat < len(self.uncovered) else 0

    @property
    def rules(self) -> list[str]:
        cited = ["T10.9", "T10.11" if self.won else "T10.12"]
        cited += ["T10.7"] * (len(self.order) > 1) + ["T10.10"] * bool(self.effects)
        return cited + ["T15.1", "T15.2", "T16.1"] * bool(self.wound)

    @property
    def readings(self) -> list[str]:
        return ["T10.14"] + ["T10.13"] * (not self.won and bool(self.effects)) + ["T16.3"] * bool(self.wound)

    def document(self, words: Language) -> dict[str, Any]:
        effects, uncovered = self.effects, [[row + 1, column + 1] for row, column in self.uncovered]
        gains = sum(effect.kind in BENEFITS for effect in effects)
        return {
            "card": self.grid.document(), "order": list(self.order),
            "picture": laying.drawing(self.grid, self.pieces),
            "tiles": [piece.document(self.grid) for piece in self.pieces],
            "left_out": [tile.name for tile in self.left_out], "left_by_choice": [tile.name for tile in self.spare],
            "outcome": "won" if self.won else "lost",
            "hearts": {"total": self.hearts, "covered": self.hearts - len(uncovered), "uncovered": uncovered},
            "threat": {"held": self.threat_held, "taken": self.threat, "wound": self.wound},
            "benefits": gains, "penalties": len(effects) - gains,
            "effects": [effect.document(words) for effect in effects],
            "rules": self.rules, "readings": self.readings, "proven": self.proven, "steps": self.steps,
        }  # fmt: skip


def orders(cards: Cards) -> list[tuple[tuple[int, ...], Grid]]:
    """The cards, one or several with at least one black heart, side by side in every order; equal rows once."""
    if not 1 <= len(cards) <= MOST_FOES:
        raise InputError("thorgal-cards", n=len(cards), most=MOST_FOES)
    if not any(card.mask_of(HEART) for card in cards):
        raise InputError("thorgal-no-heart")
    grids: dict[tuple[str, ...], tuple[tuple[int, ...], Grid]] = {}
    for order in permutations(range(len(cards))):
        row = [cards[number] for number in order]
        side_by_side = tuple(number + 1 for number in order), reduce(Grid.beside, row)
        grids.setdefault(tuple(card.text for card in row), side_by_side)
    return list(grids.values())


def layers(grid: Grid, goal: str = "benefits") -> list[WorthLayer]:
    """Hearts first, then benefits and penalties by the goal; several on one field all count."""
    if goal not in GOALS:
        raise InputError("thorgal-goal", goal=goal[:20], candidates=GOALS)
    kinds, sign = ((BENEFITS, PENALTIES), 1) if goal == "benefits" else ((PENALTIES, BENEFITS), -1)
    first, second = (laying.counted_fields(grid, kind) for kind in kinds)
    large = sum(mask.bit_count() for mask in second) + 1
    heart = large * (sum(mask.bit_count() for mask in first) + 1)
    hearts = [WorthLayer(grid.mask_of(HEART) & grid.open, heart)]
    return hearts + [WorthLayer(mask, sign * large) for mask in first] + [WorthLayer(mask, -sign) for mask in second]


def best_fight(
    cards: Cards, tiles: Tiles, *, goal: str = "benefits", mirror: bool = False, may_leave: bool = False,
    threat: int = 0, budget: int = laying.BUDGET,
) -> FightOutcome:  # fmt: skip
    """The best arrangement of all the rolled tiles: most hearts, then by the goal; proven unless the budget ends it.

    Raises :class:`InputError` for cards without a heart or of different heights and for a threat not from 0 to 5.
    """
    if not 0 <= threat <= MOST_THREAT:
        raise InputError("thorgal-threat", n=threat, most=MOST_THREAT)
    blocks, rows, shapes = [], orders(cards), [tile.shape for tile in tiles]
    budget = budget * 2 // max(len(rows), 2)
    for order, grid in rows:
        places = laying.Places(grid, shapes, layers(grid, goal), mirror)
        blocks.append((laying.best_arrangement(places, shapes, may_leave=may_leave, budget=budget), order, grid))
    best, order, grid = max(blocks, key=lambda block: block[0].worth)
    pieces = laying.letter_pieces((tiles[number], mask) for number, mask in best.places or ())
    steps, proven = sum(laid.steps for laid, *_ in blocks), all(laid.proven for laid, *_ in blocks)
    return FightOutcome(grid, order, pieces, tuple(tiles), threat, proven, steps, mirror)


def judge_fight(
    cards: Cards, drawing: str, tiles: Tiles | None, *, mirror: bool = False, may_leave: bool = False, threat: int = 0
) -> FightOutcome:
    """The outcome of an arrangement drawn over the cards; :class:`IllegalStepError` for its first fault."""
    order, grid = orders(cards)[0]
    if not 0 <= threat <= MOST_THREAT:
        raise InputError("thorgal-threat", n=threat, most=MOST_THREAT)
    pieces = tuple(laying.read_pieces(grid, drawing, tiles, mirror, "T10.9"))
    group = pieces[0].mask
    while near := sum(piece.mask for piece in pieces if piece.mask & grid.neighbours(group)):
        group |= near
    for piece in pieces:
        if not piece.mask & group:
            raise IllegalStepError("thorgal-no-touch", rule="T10.9", letter=piece.letter)
    rolled = (piece.tile for piece in pieces) if tiles is None else tiles
    fight = FightOutcome(grid, order, pieces, tuple(rolled), threat, mirror=mirror)
    for tile in () if may_leave else fight.left_out:
        if where := fight.room_for(tile):
            raise IllegalStepError("thorgal-left-out", rule="T10.14", tile=tile.name, **where.place)
    return fight


COLOURS = ("green", "yellow", "orange", "red")  # from the weakest die to the strongest
MOST_ROLLS = 20_000  # solved in one question; each is a little puzzle of its own
STEP_BUDGET = 3_000_000
MOST_REROLLS = 10
MOST_FACES = 100

Face = tuple[Tile, ...]
Faces = Mapping[str, Sequence[Face]]
Advice = dict[tuple[str, Face], Fraction]
Roll = tuple[tuple[str, Face], ...]  # colour and face of each die, sorted


class FightChance(NamedTuple):
    """The chance to win, ``plain`` without help; the dice after upgrades (from, to); how many rolls were solved."""

    win: Fraction
    dice: tuple[str, ...]
    upgraded: tuple[tuple[str, str], ...]
    rerolls: int
    plain: Fraction
    rolls: int

    def document(self) -> dict[str, Any]:
        return {
            "win": fraction(self.win), "without": fraction(self.plain), "dice": list(self.dice),
            "upgrades": [{"from": before, "to": after} for before, after in self.upgraded],
            "rerolls": self.rerolls, "exact": True, "rolls": self.rolls,
            "rules": ["T10.8"] + ["T10.5"] * bool(self.upgraded) + ["T10.4"] * bool(self.rerolls),
            "readings": ["T10.14"],
        }  # fmt: skip


def fraction(value: Fraction) -> dict[str, Any]:
    return {"fraction": str(value), "percent": round(float(value) * 100, 1)}


def read_colour(word: str) -> str:
    return read_word(word[:20], "colours", "thorgal-colour", min_letters=1)


def read_dice(text: str) -> tuple[str, ...]:
    dice = read_list(text, read_colour, MOST_REROLLS + 1)
    if not dice or len(dice) > MOST_REROLLS:
        raise InputError("thorgal-dice-count", n=len(dice), most=MOST_REROLLS)
    return _by_strength(dice)


def _by_strength(dice: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dice, key=COLOURS.index))


def read_die(text: str, critical: bool) -> tuple[str, tuple[Face, ...]]:
    """Colour and faces of a die such as ``green: 2 I2, L3, -, -, I3``; :class:`InputError` if either is missing."""
    name, colon, listing = text.partition(":")
    if not colon:
        name, _, listing = text.strip().partition(" ")
    colour = read_colour(name.strip())
    faces = _read_faces(listing, critical)
    if not faces:
        raise InputError("thorgal-die-empty", colour=name.strip()[:20])
    return colour, tuple(faces)


def read_roll(dice: str, faces: str, critical: bool) -> Roll:
    """The rolled dice: colours and, in the same order, faces; :class:`InputError` if the numbers differ."""
    colours, faces_shown = read_list(dice, read_colour, MOST_FACES), _read_faces(faces, critical)
    if len(colours) != len(faces_shown):
        raise InputError("thorgal-roll", dice=len(colours), faces=len(faces_shown))
    return tuple(sorted(zip(colours, faces_shown, strict=True)))


def _read_faces(text: str, critical: bool) -> list[Face]:
    def read(word: str) -> Face:
        normal, caret, black = word.partition("^")
        parts = (black if caret and critical else normal).split("+")
        return () if word in laying.BLANKS else tuple(read_tile(name, black=critical) for name in parts if name != "-")

    return read_list(text, read, MOST_FACES)


def face_name(face: Face) -> str:
    return "+".join(tile.name for tile in face) or "-"


class FightOdds:
    """The dice at hand, the cards to beat, and whether the sets of rolled tiles ``known`` so far win."""

    def __init__(self, cards: Cards, faces: Faces, mirror: bool) -> None:
        self._faces = {colour: Counter(sides) for colour, sides in faces.items()}
        self._shapes = sorted({tile.shape for sides in faces.values() for face in sides for tile in face})
        every = [(grid, WorthLayer(grid.mask_of(HEART) & grid.open, 1)) for _, grid in orders(cards)]
        self._places = [laying.Places(grid, self._shapes, [hearts], mirror) for grid, hearts in every]
        self.known: dict[tuple[Shape, ...], bool] = {}
        self._values: dict[tuple[Roll, int], Fraction] = {}
        self._steps = 0

    def wins(self, roll: Roll) -> bool:
        """True if the tiles of a roll can cover every heart (more tiles never hurt)."""
        tiles = tuple(sorted(tile.shape for _, face in roll for tile in face))
        if tiles not in self.known:
            if len(self.known) >= MOST_ROLLS:
                raise NoAnswerError("thorgal-rolls", n=MOST_ROLLS)
            self.known[tiles] = self._solve(tiles)
        return self.known[tiles]

    def _solve(self, tiles: tuple[Shape, ...]) -> bool:
        if any(self.known.get((*tiles[:number], *tiles[number + 1 :])) for number in range(len(tiles))):
            return True
        if any(self.known.get(tuple(sorted((*tiles, shape)))) is False for shape in self._shapes):
            return False
        for places in self._places:
            total = sum(layer.fields.bit_count() for layer in places.gains)
            if sum(len(shape) for shape in tiles) < total:
                continue
            budget = STEP_BUDGET - self._steps
            laid = laying.best_arrangement(places, tiles, may_leave=True, enough=total, budget=budget)
            self._steps += laid.steps
            if laid.places is not None:
                return True
            if not laid.proven:
                raise NoAnswerError("thorgal-rolls", n=MOST_ROLLS)
        return False

    def chance(self, colours: Sequence[str], rerolls: int) -> Fraction:
        rolls: Counter[Roll] = Counter({(): 1})
        for colour in colours:
            wider: Counter[Roll] = Counter()
            for (roll, ways), (face, times) in product(rolls.items(), self._faces_of(colour).items()):
                wider[_with(roll, colour, face)] += ways * times
            if len(wider) > MOST_ROLLS:
                raise NoAnswerError("thorgal-rolls", n=MOST_ROLLS)
            rolls = wider
        return self._mean(rolls, rerolls)

    def _mean(self, rolls: Counter[Roll], rerolls: int) -> Fraction:
        return sum((ways * self.value(roll, rerolls) for roll, ways in rolls.items()), Fraction(0)) / rolls.total()

    def _faces_of(self, colour: str) -> Counter[Face]:
        if colour not in self._faces:
            raise InputError("thorgal-no-faces", colour=colour)
        return self._faces[colour]

    def value(self, roll: Roll, rerolls: int) -> Fraction:
        if self.wins(roll):
            return Fraction(1)
        if (roll, rerolls) not in self._values:
            self._values[roll, rerolls] = max(self.advice(roll, rerolls).values(), default=Fraction(0))
        return self._values[roll, rerolls]

    def advice(self, roll: Roll, rerolls: int) -> Advice:
        """Every die that may be re-rolled, as it lies: the chance after that, best first; {} without a re-roll left."""
        laying.check_number("--rerolls", rerolls, 0, MOST_REROLLS)
        if not rerolls:
            return {}
        for colour, face in roll:
            if face not in self._faces_of(colour):
                names = [face_name(other) for other in self._faces[colour]]
                raise InputError("thorgal-not-on-die", face=face_name(face), colour=colour, candidates=names)
        advice: Advice = {}
        for number, (colour, face) in enumerate(roll):
            if (colour, face) not in advice:
                other_dice = (*roll[:number], *roll[number + 1 :])
                thrown = Counter({_with(other_dice, colour, new): times for new, times in self._faces[colour].items()})
                advice[colour, face] = self._mean(thrown, rerolls - 1)
        return dict(sorted(advice.items(), key=lambda die: (-die[1], COLOURS.index(die[0][0]), die[0][1])))


def _with(roll: Roll, colour: str, face: Face) -> Roll:
    return tuple(sorted((*roll, (colour, face))))


def upgrades_of(dice: tuple[str, ...], upgrades: int) -> tuple[tuple[str, ...], ...]:
    """All sets of dice with at most ``upgrades`` upgrades, the fewest first; a red die cannot be upgraded."""
    states = edge = [dice]
    for _ in range(upgrades):
        better = (
            _by_strength((*now[:number], COLOURS[COLOURS.index(colour) + 1], *now[number + 1 :]))
            for now in edge
            for number, colour in enumerate(now)
            if colour != COLOURS[-1]
        )
        states = states + (edge := list(dict.fromkeys(better)))
    return tuple(states)


def best_chance(
    cards: Cards, faces: Faces, dice: Sequence[str], *, upgrades: int = 0, rerolls: int = 0, mirror: bool = False
) -> FightChance:
    """The chance to win with the best use of upgrades and re-rolls; ties go to the fewest upgrades.

    Raises :class:`InputError` for a die without known faces and :class:`NoAnswerError` for too many different rolls.
    """
    laying.check_number("--upgrades", upgrades, 0, MOST_REROLLS)
    laying.check_number("--rerolls", rerolls, 0, MOST_REROLLS)
    odds, start = FightOdds(cards, faces, mirror), tuple(dice)
    chances = [(odds.chance(now, rerolls), now) for now in upgrades_of(start, upgrades)]
    win, rolled = max(chances, key=lambda one: one[0])
    same = Counter(start) & Counter(rolled)  # as few upgrades as possible
    old, new = (_by_strength((Counter(now) - same).elements()) for now in (start, rolled))
    return FightChance(win, rolled, tuple(zip(old, new, strict=True)), rerolls, odds.chance(start, 0), len(odds.known))


class NotedFight(NamedTuple):
    """A fight as the game knows it: the cards to beat, the name of the enemy ("" if typed), who fights, the dice."""

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
        return read_dice(", ".join(self.seat.dice))

    def parse_faces(self, critical: bool) -> dict[str, tuple[Face, ...]]:
        return {colour: read_die(f"{colour}: {faces}", critical)[1] for colour, faces in self.faces.items()}

    @property
    def defeat(self) -> dict[str, Any]:
        """The cost of a defeat.

        ``wound_from``: the uncovered hearts that bring more than five threat tokens, and so a wound; None if there are
        too few. ``deadly``: that wound has no room; None if the board is not known.
        """
        hearts = sum(card.mask_of(HEART).bit_count() for card in self.cards)
        tokens, room = self.seat.threat, room_of(self.seat)
        threshold = MOST_THREAT - tokens + 1
        end = {"wound_from": threshold if threshold <= hearts else None, "deadly": room and room.largest < UNMET_WOUND}
        return {"hearts": hearts, "threat_held": tokens, **end}

    def document(self) -> dict[str, Any]:
        whose = {"player": self.name, "enemy": self.enemy or None, "card": "|".join(card.text for card in self.cards)}
        return {**whose, "fight_dial": self.seat.dial, "defeat": self.defeat}


def noted_fight(words: Language, table: GameTable, typed: Sequence[str]) -> NotedFight:
    """The fight that is typed: a player, an enemy noted, a card, each if it is not clear from the game.

    Without a player the one fights who acted last in this round, else whose turn it is; without an enemy or a card it
    is the enemy noted last.
    """
    names, enemies = names_of(words, table), dict(table.enemies)
    typed = _join_names(typed, names, enemies)
    seat = table.last if table.last >= 0 else table.turn
    enemy, drawn = next(reversed(enemies), ""), list[str]()
    for word in typed:
        matches = [name for name in enemies if fold(word) and fold(name).startswith(fold(word))]
        if is_card(word):
            drawn.append(word)
        elif len(exact := [name for name in matches if fold(name) == fold(word)] or matches) == 1:
            enemy = exact[0]
        elif (player := named_seat(names, word)) is not None:
            seat = player
        else:
            raise InputError("thorgal-who-fights", name=word[:40], candidates=(*names, *enemies))
    if not drawn and not enemy:
        raise NoAnswerError("thorgal-no-enemy")
    cards = read_cards(drawn or [enemies[enemy]])
    return NotedFight(cards, "" if drawn else enemy, names[seat], table.seats[seat], dict(table.faces))


def _join_names(typed: Sequence[str], names: Sequence[str], enemies: Iterable[str]) -> list[str]:
    """The words, those of one name joined: "player 1 wolf" is a player and an enemy, in one argument or in three."""
    forms = [fold(name) for name in enemies]
    words = [piece for word in typed for piece in ([word] if is_card(word) else word.split())]
    notes = list[str]()
    while words:
        prefixes = [" ".join(words[:size]) for size in range(len(words), 1, -1)]
        name = next((b for b in prefixes if fold(b) in forms or named_seat(names, b) is not None), words[0])
        notes.append(name)
        words = words[1 + name.count(" ") * (name in prefixes) :]
    return notes


def is_card(word: str) -> bool:
    """True for a card or several; a word without any sign between letters is one if it has a black heart."""
    if word == "-" or set(word) & set("./|#_·["):
        return True
    try:
        return read_grid(word).mask_of(HEART) != 0
    except ThunderrefError:
        return False


class FightQuestion(msgspec.Struct, kw_only=True):
    """A question about a fight: ``fight`` names players, enemies and cards, the rest are the command's options."""

    fight: list[str] = []
    tiles: str | None = None
    lay: str | None = None
    goal: str = "benefits"
    threat: int = 0
    dice: str | None = None
    die: list[str] = []
    upgrades: int = 0
    rerolls: int = 0
    critical: bool = False
    mirror: bool = False
    may_leave: bool = False

    @property
    def before_roll(self) -> bool:
        """True if nothing is rolled yet: the game knows the dice."""
        return self.dice is None and self.tiles is None and self.lay is None

    @property
    def of_game(self) -> bool:
        """True if only the game can say which cards are fought, or with which dice."""
        return self.before_roll or not self.fight or not all(map(is_card, self.fight))


class FightAnswer(NamedTuple):
    """Either the ``outcome`` of a roll, or the ``chance`` before it; ``advice`` on the dice to throw again."""

    question: FightQuestion
    outcome: FightOutcome | None = None
    advice: Advice | None = None
    chance: FightChance | None = None
    stake: NotedFight | None = None

    def document(self, words: Language) -> dict[str, Any]:
        if self.chance is not None:
            return (self.stake.document() if self.stake else {}) | self.chance.document()
        assert self.outcome is not None
        document = self.outcome.document(words)
        if self.advice is not None:
            advice = [{"die": d[0], "face": face_name(d[1]), "win": fraction(win)} for d, win in self.advice.items()]
            won = fraction(Fraction(self.outcome.won))
            document |= {"win": won, "rerolls": self.question.rerolls, "advice": advice}
        return document


def answer_fight(words: Language, question: FightQuestion, table: GameTable | None) -> FightAnswer:
    """The answer, with what the ``table`` knows, if there is a game; raises as what it calls, and for a lack."""
    noted = None if table is None else noted_fight(words, table, question.fight)
    cards = noted.cards if noted else read_cards(question.fight)
    stake = noted if question.before_roll else None
    threat, dice, lay = question.threat, question.dice, question.lay
    if noted and not stake:
        threat = threat or noted.seat.threat
        dice = ", ".join(noted.dice) if question.rerolls and dice is None and lay is None else dice
    laid = not stake and (dice is None or lay is not None)
    if (stake and question.die) or (laid and (question.die or question.upgrades or question.rerolls)):
        raise InputError("thorgal-dice-missing")
    free: dict[str, Any] = {"mirror": question.mirror, "may_leave": question.may_leave, "threat": threat}
    if laid:
        rolled = None if question.tiles is None else laying.read_tiles(question.tiles)
        if lay is not None:
            return FightAnswer(question, judge_fight(cards, lay, rolled, **free))
        if rolled is None:
            raise InputError("thorgal-no-tiles")
        return FightAnswer(question, best_fight(cards, rolled, goal=question.goal, **free))
    colours = stake.dice if stake else read_dice(dice or "")
    faces = noted.parse_faces(question.critical) if noted and not question.die else {}
    for text in question.die:
        colour, die_faces = read_die(text, question.critical)
        if colour in faces:
            raise InputError("thorgal-die-twice", colour=text.partition(":")[0][:20])
        faces[colour] = die_faces
    if question.tiles is None:
        helped: dict[str, Any] = {"upgrades": question.upgrades, "rerolls": question.rerolls, "mirror": question.mirror}
        return FightAnswer(question, chance=best_chance(cards, faces, colours, **helped), stake=stake)
    if question.upgrades:
        raise InputError("thorgal-late-upgrade")
    roll = read_roll(dice or "", question.tiles, question.critical)
    fight = best_fight(cards, [tile for _, face in roll for tile in face], goal=question.goal, **free)
    return FightAnswer(question, fight, FightOdds(cards, faces, question.mirror).advice(roll, question.rerolls))
