"""The file of a game of Thorgal: its steps, checked one by one when read and before they are written."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError, ThunderrefError
from thunderref.files import check_place, make_folder, only_writer, parse_json, read_text, state_file, write_text
from thunderref.search.query import shorten
from thunderref.thorgal import OWN
from thunderref.thorgal import round as course
from thunderref.thorgal.fight import COLOURS, orders, read_dice, read_die
from thunderref.thorgal.grid import RESOURCES, read_cards
from thunderref.thorgal.round import (
    MOST_NUMBER,
    MOST_PLAYERS,
    GameStep,
    GameTable,
    place_wound,
    play_step,
    replay_steps,
)
from thunderref.thorgal.wounds import read_board

FORMAT = "thunderref-thorgal-round"
VERSION = 2
OLDEST = 1  # version that is read: its steps are steps of today
LONGEST_GAME = 5000
LONGEST_TEXT = 300
LONGEST_ENEMY = 30
Fits = Callable[[Any], bool]


def _number(minimum: int) -> Fits:
    return lambda value: type(value) is int and minimum <= value <= MOST_NUMBER


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable()


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _reads(read: Callable[[str], Any]) -> Fits:
    """True for a text that ``read`` takes."""

    def fits(value: Any) -> bool:
        try:
            return _text(value) and read(value) is not None
        except ThunderrefError:
            return False

    return fits


_SEAT = _number(0)
_BY = _number(-MOST_NUMBER)
_BOARD = _reads(read_board)
FIELDS: dict[str, dict[str, Fits]] = {
    "start": {
        "names": lambda value: isinstance(value, list) and 2 <= len(value) <= MOST_PLAYERS and all(map(_text, value)),
        "solo": _flag, "adventure": _text, "length": _number(0),
        "row": lambda value: isinstance(value, list) and len(value) <= MOST_NUMBER and all(map(_number(1), value)),
        "first": _SEAT,
    },
    "act": {"seat": _SEAT, "card": _number(1), "from": _number(0), "free": _flag},  # from: old card; free: out of turn
    "threat": {"seat": _SEAT, "by": _BY, "board?": _BOARD, "dead?": _flag},
    "wound": {"seat": _SEAT, "tile": _text, "board?": _BOARD, "dead?": _flag},
    "heal": {"seat": _SEAT, "tile": _text, "board?": _BOARD}, "board": {"seat": _SEAT, "board": _BOARD},
    "resource": {"seat": _SEAT, "kind": lambda value: value in RESOURCES, "by": _BY},
    "dial": {"seat": _SEAT, "by": _BY}, "track": {"seat": _SEAT, "by": _BY},
    "skill": {"seat": _SEAT, "used": _flag}, "rolls": {"seat": _SEAT, "dice": _reads(read_dice)},
    "dice": {
        "colour": lambda value: value in COLOURS,
        "faces": _reads(lambda text: [read_die(f"green: {text}", critical) for critical in (False, True)]),
    },
    "enemy": {"name": _text, "cards": _reads(lambda text: orders(read_cards([text])))},
    "card": {"card": _number(1), "says": _reads(course.read_card)},
    "danger": {"name": _text, "at": _number(0), "of": _number(1)},
    "upgrade": {"old": _number(1), "new": _number(1)}, "events": {}, "won": {},
    "lost": {"seat": lambda value: value is None or _SEAT(value), "note": _text},  # seat: whose character died
}  # fmt: skip
"""Step -> its fields with the values each may have; those with a question mark only if the wound board is known."""


def game_path(file: Path | None) -> Path:
    """The file of the game: the one named, else the program's own."""
    return state_file(OWN) if file is None else file


def read_steps(path: Path) -> tuple[list[GameStep], GameTable]:
    """The steps and their table; :class:`NoAnswerError` without a file, :class:`InputError` for a bad one."""
    name = str(path)
    try:
        text = read_text(path)
    except InputError as error:
        raise NoAnswerError("thorgal-no-game", file=name) if error.code == "no-file" else error from None
    document = parse_json(text, path, lambda *_: InputError("thorgal-file", file=name, key="-"))
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError("thorgal-file", file=name, key="format")
    if document.get("version") not in range(OLDEST, VERSION + 1):
        raise InputError("thorgal-version", file=name, version=str(document.get("version"))[:20], known=VERSION)
    steps = document.get("steps")
    if not isinstance(steps, list) or not 1 <= len(steps) <= LONGEST_GAME:
        raise InputError("thorgal-file", file=name, key="steps")
    if strange := sorted(set(document) - {"format", "version", "steps"}):
        raise InputError("thorgal-file", file=name, key=strange[0][:40])
    return steps, _checked(steps, name)


def game_under_way(file: Path | None) -> GameTable | None:
    """The table of the game; None without a game in the program's own file."""
    try:
        return read_steps(game_path(file))[1]
    except NoAnswerError:
        if file is not None:
            raise
        return None


def _checked(steps: Sequence[Any], name: str) -> GameTable:
    """The table that a file's steps lead to; raises :class:`InputError` for a bad step."""
    table = GameTable()
    for number, step in enumerate(steps, start=1):
        if key := _wrong_key(step, len(table.seats)):
            raise InputError("thorgal-file-step", file=name, number=number, key=key)
        try:
            table = play_step(table, step)
        except IllegalStepError as error:
            raise InputError("thorgal-file-rule", file=name, number=number, rule=error.rule) from None
    return table


def _wrong_key(step: Any, seats: int) -> str | None:
    do = step.get("do") if isinstance(step, dict) else None
    if not isinstance(do, str) or do not in FIELDS or (do == "start") != (seats == 0):
        return "do"
    fields = {key.removesuffix("?"): (fits, key.endswith("?")) for key, fits in FIELDS[do].items()}
    wrong = [str(key)[:40] for key in step if key != "do" and key not in fields]
    wrong += [key for key, (fits, may) in fields.items() if not (fits(step[key]) if key in step else may)]
    if wrong:
        return wrong[0]
    key, limit = ("first", len(step["names"])) if do == "start" else ("seat", seats)
    return key if (step.get(key) or 0) >= limit else None


def write_steps(path: Path, steps: Sequence[GameStep], *, replace: bool = True) -> None:
    """Writes the game into the file; :class:`InputError` if that fails or the file could not be read again."""
    if len(steps) > LONGEST_GAME:
        raise InputError("thorgal-too-long", most=LONGEST_GAME)
    _checked(steps, str(path))
    rows = ",\n  ".join(json.dumps(step, ensure_ascii=False) for step in steps)
    text = f'{{"format": "{FORMAT}", "version": {VERSION}, "steps": [\n  {rows}\n]}}\n'
    write_text(path, text, replace=replace)


class Played(NamedTuple):
    """A step of a game, with the table after it and before it."""

    after: GameTable
    step: GameStep
    before: GameTable | None = None


def begin_game(file: Path | None, step: GameStep, *, replace: bool = False) -> Played:
    """Begins a game; :class:`NoAnswerError` if one is under way, unless ``replace``."""
    table, path = replay_steps([step]), game_path(file)
    if file is None:
        make_folder(path)
    with only_writer(path):
        if not replace and os.path.exists(check_place(path, replace=True)):
            if not read_steps(path)[1].outcome:
                raise NoAnswerError("thorgal-under-way", file=str(path))
            replace = file is None  # a finished game in the program's own file is replaced
        write_steps(path, [step], replace=replace)
    return Played(table, step)


def add_step(words: Language, path: Path, step: Callable[[GameTable], GameStep], seen: int | None = None) -> Played:
    """Adds a step to the game, with the wound that it lays (:func:`place_wound`); raises as :func:`play_step`.

    ``seen`` are the steps that the player knew of: with another number :class:`NoAnswerError`, for they do not know
    whose turn it is.
    """
    with only_writer(path):
        steps, before = read_steps(path)
        if seen not in (None, len(steps)):
            raise NoAnswerError("thorgal-moved-on")
        try:
            played = step(before)
            if played.get("seat") is not None:
                played = place_wound(before.seats[played["seat"]], played)
            after = play_step(before, played)
        except IllegalStepError as error:
            raise course.named_error(words, before, error) from None
        write_steps(path, [*steps, played])
    return Played(after, played, before)


def dice_step(text: str) -> GameStep:
    """The step that notes the faces of a die, such as ``green: 2 I2, L3, -``; raises as :func:`read_die`."""
    colour, _ = read_die(text, critical=True)
    read_die(text, critical=False)
    faces = text.partition(":")[2] if ":" in text else text.strip().partition(" ")[2]
    return {"do": "dice", "colour": colour, "faces": kept_text(faces)}


def enemy_step(name: str, cards: Sequence[str]) -> GameStep:
    """The step that notes an enemy with its card or cards; raises as :func:`read_cards` and :func:`orders`."""
    if not any(sign.isalpha() for sign in name):
        raise InputError("thorgal-enemy-name", name=name[:20])
    grids = read_cards(cards)
    orders(grids)
    text = "|".join(grid.text for grid in grids)
    return {"do": "enemy", "name": shorten(name, LONGEST_ENEMY), "cards": kept_text(text)}


def kept_text(text: str) -> str:
    """The text for the file; raises :class:`InputError` if it is longer than any there."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST_TEXT:
        raise InputError("thorgal-long", n=len(plain), most=LONGEST_TEXT)
    return plain


def undo_step(path: Path, seen: int | None = None) -> Played:
    """Takes the last step back; :class:`NoAnswerError` if there is none but the start. ``seen``: as above."""
    with only_writer(path):
        (*steps, last), _ = read_steps(path)
        if seen not in (None, len(steps) + 1):
            raise NoAnswerError("thorgal-moved-on")
        if not steps:
            raise NoAnswerError("thorgal-nothing-to-undo", file=str(path))
        write_steps(path, steps)
    return Played(replay_steps(steps), {"do": "undo", "of": last["do"]})
