"""Looking back at a game: its steps with what they brought about and the rules, and one turn as it was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.cli.play_view import table_lines, told_line
from thunderref.errors import InputError
from thunderref.play.course import Course
from thunderref.play.position import position
from thunderref.play.say import said, told
from thunderref.words.words import Words


def steps_of(course: Course, turn: int) -> range:
    """The places in ``course.moves`` of what was done in a turn; raises :class:`InputError` if there was none such."""
    most = course.game.number
    if not 1 <= turn <= most:
        raise InputError("play-no-turn", most=most)
    numbers = [n for n, move in enumerate(course.moves) if move.before.number == turn]
    return range(numbers[0], numbers[-1] + 1) if numbers else range(len(course.moves), len(course.moves))


def log_lines(words: Words, course: Course, numbers: range) -> Iterator[tuple[int, str]]:
    """These steps, numbered as ``--to`` counts them, each with what it brought about."""
    names = [player.name for player in course.players]
    for number in numbers:
        yield 0, f"{number + 1}. {said_line(words, course, number)}"
        for item in told(words, course.moves[number], names):
            yield 4, told_line(item)


def said_line(words: Words, course: Course, number: int) -> str:
    """Who did what in a step."""
    move, names = course.moves[number], [player.name for player in course.players]
    if move.action is None:
        shuffler = names[move.step["player"] - 1]
        return words.say("play.shuffled", name=shuffler, n=len(move.step["order"]))
    label = said(words, course.table, move.before, move.action, names)
    return words.say("play.chose", name=names[move.seat], text=label)


def turn_lines(words: Words, course: Course, turn: int) -> Iterator[tuple[int, str]]:
    """A turn: the table as it was when it began, for whose turn it was, then the steps. The game ends up there."""
    numbers = steps_of(course, turn)
    log = [*log_lines(words, course, numbers)]
    course.back_to(numbers.start)
    yield from table_lines(words, course, course.game.active)
    yield from log


def turn_document(words: Words, course: Course, turn: int) -> dict[str, Any]:
    """The same as a document. The game ends up there."""
    numbers, names = steps_of(course, turn), [player.name for player in course.players]
    rows = []
    for number in numbers:
        move = course.moves[number]
        events = [{"text": item.text, "rules": list(item.rules)} for item in told(words, move, names)]
        rows.append({"step": number + 1, "plan": move.step, "text": said_line(words, course, number), "events": events})
    course.back_to(numbers.start)
    game = course.game
    return {"turn": turn, "player": names[game.active], "position": position(game), "steps": rows}
