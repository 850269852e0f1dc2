"""The game at the terminal: who chooses sees the table and types numbers; commands; saving and stopping."""

from __future__ import annotations

import sys
from typing import Any

from thunderref.cli.play_file import GameFile
from thunderref.cli.play_keyboard import Keyboard, shown
from thunderref.cli.play_log import log_lines, steps_of, turn_document, turn_lines
from thunderref.cli.play_view import campaign_lines, folded, option_lines, stack_lines, table_lines, told_line
from thunderref.cli.session import Session
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.play.course import NOBODY, Course, Move
from thunderref.play.ending import ASKED, at_a_standstill, stuck
from thunderref.play.say import Option, options_of, said, told
from thunderref.words.words import FALLBACK, Words

COMMANDS = ("undo", "table", "stacks", "card", "save", "quit", "help")
MOST_TURNS = 2000
"""Turns after which a game without people is broken off; see :mod:`thunderref.play.players`."""


class Stop(Exception):  # noqa: N818  (it is no error)
    """The people at the table stop here."""


class PlayTable:
    """One sitting at a game. ``place`` is the file it is kept in, None for none."""

    def __init__(self, run: Session, course: Course, place: str | None, *, watch: bool) -> None:
        self.run = run
        self.words = run.words
        self.course = course
        self.file = GameFile(place, run.words, self._saved, lambda text: self._say(0, text), self._complain)
        self.keyboard = Keyboard(silent=run.json)
        self.people = [seat for seat, player in enumerate(course.players) if not player.random]
        self.watch = watch or not self.people
        self.names = [player.name for player in course.players]
        self._news = not course.moves
        """True if there is something that no file holds yet."""
        self._shown: tuple[int, int] | None = None
        self._viewer = NOBODY
        self._off = ""
        """Why the game is called off before its end: ``endless``, ``standstill`` or not at all."""
        self._words_of: dict[str, str] = {}
        for words in (Words(run.store, FALLBACK), self.words):  # English is understood too, unless a word is taken
            for command in COMMANDS:
                for word in words.say(f"play.word.{command}").split(","):
                    self._words_of[word.strip().casefold()] = command

    # the sitting

    def play(self) -> None:
        """Plays on until the game is over or somebody stops; says how it ends, and keeps it in its file."""
        from thunderref.setup.sheet import heading

        self._say(0, heading(self.course.setup))
        self._say(0, self.words.say("play.begin", code=self.course.setup.code, seed=self.course.seed))
        if self.course.table.ruleset == "yucata":
            self._say(0, self.words.say("play.yucata"))
        for name, value in self.course.readings.items():
            rule, meaning = self.run.store.switches[name].rule, self.words.say(f"reading.{name}.{value}")
            self._say(0, self.words.say("resolve.chosen", rule=rule, name=name, value=value, meaning=meaning))
        if self.people and not self.course.over:
            self._say(0, self.words.say("play.hint"))
        try:
            self._go_on()
        except (Stop, EOFError):
            kept = self.file.close(self._file_name if self._worth_asking() else None)
            self._say(0, self.words.say("play.stopped", n=len(self.course.moves)))
            if not kept:
                self._tell_unsaved()
        except ThunderrefError:
            self.file.close(None)
            raise
        except KeyboardInterrupt:
            self._say(0, "")
            if not self.file.close(None):
                self._tell_unsaved()
            raise
        else:
            ask = self._file_name if self._worth_asking() else None
            kept = self.file.name is not None
            try:
                if kept:
                    self.file.close(ask)
            finally:  # the score is told even if the file cannot be written
                self._end()
            if not kept:
                self.file.close(ask)
            for line in campaign_lines(self.words, self.course, self.file.name):
                self._say(0, line)
        if self.run.json:
            self.run.print_json(self.document())

    def _go_on(self) -> None:
        turn = 0
        while True:
            for move in self.course.settle():
                self._tell(move)
            game = self.course.game
            if self.course.over or self._called_off():
                return
            if self.course.game is not game:  # a choice was taken back instead
                turn = self.course.game.number
                continue
            if game.number != turn:
                if turn and self.people:
                    self.file.keep()
                turn = game.number
                if not self.people and turn > MOST_TURNS:
                    raise NoAnswerError("play-endless", n=MOST_TURNS)
                if self.course.players[game.active].random:  # a person sees the whole table
                    self._say(0, "")
                    if self.watch:
                        self._say(0, self.words.say("play.turn", name=self.names[game.active], n=turn))
            seat = self.course.decider
            action = self.course.draw() if self.course.players[seat].random else self._asked(seat)
            if action is None:  # taken back
                turn = self.course.game.number
                continue
            label = said(self.words, self.course.table, game, action, self.names)
            move = self.course.take(action)
            if self.course.players[seat].random:
                self._say(0 if not self.watch else 2, self.words.say("play.chose", name=self.names[seat], text=label))
            self._tell(move)

    def _called_off(self) -> bool:
        """True if the game goes on no more though it is not over: nobody can end it, or nothing changes any more."""
        course = self.course
        if stuck(course.table, course.game):
            self._off = "endless"
        elif not self.people:
            self._off = "standstill" if at_a_standstill(course) else ""
        elif at_a_standstill(course, ASKED) and not course.players[course.game.active].random:
            again = course.played_on + ASKED * len(course.players)
            if (not course.played_on or course.game.number >= again) and self._agreed():
                self._off = "standstill"
        return bool(self._off)

    def _agreed(self) -> bool:
        """Whether the people call a game off in which nothing changes any more; asked again some rounds later."""
        words = self.words
        self._say(0, "")
        self._say(0, words.say("play.standstill", n=self.course.still // len(self.course.players)))
        for number, answer in enumerate(("off", "on"), 1):
            self._say(2, f"{number}) {words.say(f'play.standstill.{answer}')}")
        while True:
            text = self.keyboard.line(words.say("play.bare-prompt"))
            if text in ("1", "2"):
                self.course.played_on = 0 if text == "1" else self.course.game.number
                return text == "1"
            command, rest = self._understood(text)
            if command is None:
                self._not_a_choice(text, 2)
            elif command != "undo":
                self._command(command, rest, self.course.decider, [])
            elif self._undone():
                return False

    def _understood(self, text: str) -> tuple[str | None, str]:
        """The command that was typed, None for none, and what follows its word."""
        word, _, rest = text.partition(" ")
        return None if text.isdecimal() else self._words_of.get(word.casefold()), rest.strip()

    def _tell(self, move: Move) -> None:
        for item in told(self.words, move, self.names):
            self._say(2 if not self.watch else 4, told_line(item))

    def _asked(self, seat: int) -> Any:
        """The action that a person chooses; None if a choice was taken back."""
        course = self.course
        options = self._options()
        if len(options) == 1:
            if options[0].action.kind != "count":  # to count the gold goes without saying (R3.2)
                label = said(self.words, course.table, course.game, options[0].action, self.names)
                self._say(0, self.words.say("play.only-choice", name=self.names[seat], text=label))
            return options[0].action
        if self._passed_on(seat):
            return None
        self._show(seat, options)
        while True:
            text = self.keyboard.line(self.words.say("play.prompt", name=self.names[seat]))
            if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= len(options):
                self._news = True
                return options[int(text) - 1].action
            command, rest = self._understood(text)
            if command is None:
                self._not_a_choice(text, len(options))
            elif command != "undo":
                self._command(command, rest, seat, options)
            elif self._undone():
                return None

    def _not_a_choice(self, text: str, most: int) -> None:
        key = "play.not-a-choice" if text else "play.type-a-number"
        self._complain(self.words.say(key, text=shown(text[:40]), most=most))

    def _passed_on(self, seat: int) -> bool:
        """Hides what the one before saw until the screen is passed on; True if he takes his last choice back instead.

        He may also stop; whatever else is typed is as good as Enter.
        """
        before, self._viewer = self._viewer, seat
        if before in (NOBODY, seat) or len(self.people) < 2 or not self.keyboard.at_a_terminal:
            return False
        typed = self.keyboard.line(folded(self.words.say("play.pass", name=self.names[seat])) + " ")
        command = self._words_of.get(typed.casefold())
        if command == "quit":
            raise Stop
        if command == "undo" and self._undone():
            self._viewer = before
            return True
        self._print("\n" * 40)
        self._shown = None
        return False

    def _command(self, command: str, rest: str, seat: int, options: list[Option]) -> None:
        if command == "quit":
            raise Stop
        if command == "help":
            self._help()
        elif command == "table":
            self._lines(table_lines(self.words, self.course, seat))
            self._lines(option_lines(self.words, self.course, options))
        elif command == "stacks":
            self._lines(stack_lines(self.words, self.course))
        elif command == "card":
            self._card(shown(rest))
        elif command == "save":
            self.file.save(rest)

    def _undone(self) -> bool:
        if not self.course.undo():
            self._complain(self.words.say("play.nothing-to-undo"))
            return False
        while len(self._options()) == 1 and self.course.undo():  # nobody chose what was the only choice
            pass
        self._shown = None
        self._say(0, self.words.say("play.undone", n=len(self.course.moves) + 1))
        return True

    def _options(self) -> list[Option]:
        """The choices as the numbered list shows them."""
        course = self.course
        return options_of(self.words, course.table, course.game, course.options(), self.names)

    def _help(self) -> None:
        self._say(2, f"1, 2, 3 …: {self.words.say('play.help.number')}")
        for command in COMMANDS:
            self._say(2, f"{self.words.say(f'play.word.{command}')}: {self.words.say(f'play.help.{command}')}")

    def _card(self, name: str) -> None:
        from thunderref.cli.page import plain
        from thunderref.cli.play_view import columns
        from thunderref.cli.views import card_page
        from thunderref.lookup.record import card_record
        from thunderref.lookup.search import find_card

        try:
            card = find_card(self.run.store, name, None, lang=self.words.lang)
        except ThunderrefError as error:
            self._complain(self.words.error(error))
            return
        page = card_page(self.words, card_record(self.run.store, card, self.words.lang), name)
        self._print(plain(page, columns()))

    # saving

    def _saved(self) -> Any:
        from thunderref.cli.usage import version

        return self.course.saved(version())

    def _worth_asking(self) -> bool:
        """True if somebody is there to be asked for a file, and has something to lose."""
        return self.keyboard.at_a_terminal and (self._news or self.file.name is not None) and bool(self.course.moves)

    def _file_name(self) -> str:
        """The file in which the people who leave want the game saved; "" for none."""
        try:
            typed = self.keyboard.line(folded(self.words.say("play.ask-file")) + " ")
        except EOFError:
            return ""
        except KeyboardInterrupt:
            self._say(0, "")
            self._tell_unsaved()
            raise
        command, rest = self._understood(typed)
        if command == "save" and rest:  # as it is typed in mid-game
            return rest
        return "" if command == "quit" and not rest else typed

    def _tell_unsaved(self) -> None:
        """That the game is lost and how it is kept; nothing where nobody has chosen anything."""
        if self.people and self._news:
            self._say(0, self.words.say("play.unsaved"))

    # the end, and looking back

    def _end(self) -> None:
        from thunderref.cli.score import score_lines
        from thunderref.play.ending import final, solo_result

        self._say(0, "")
        key = f"play.called-off.{self._off}" if self._off else "play.over"
        self._say(0, self.words.say(key, n=self.course.game.number))
        alone = solo_result(self.course)
        for line in score_lines(self.run, final(self.course, self.words), alone=alone is not None):
            self._say(0, line)
        if alone is not None and self.course.over:
            key = "play.solo-won" if alone.won else "play.solo-lost"
            self._say(0, "")
            self._say(0, self.words.say(key, vp=alone.vp, monsters=alone.monsters))

    def document(self) -> dict[str, Any]:
        """The game as one JSON document: where it stands, the score, every step."""
        from thunderref.play.campaign import outcome
        from thunderref.play.ending import final, solo_result
        from thunderref.play.position import position

        course = self.course
        alone = solo_result(course) if course.over else None
        stands = outcome(course)
        return {
            "code": course.setup.code,
            "seed": course.seed,
            "ruleset": course.table.ruleset,
            "readings_chosen": course.readings,
            "variant": course.setup.content.variant,
            "players": [player.model_dump() for player in course.players],
            "over": course.over,
            "called_off": self._off or None,
            "turns": course.game.number,
            "position": position(course.game),
            "score": final(course, self.words).model_dump() if course.over or self._off else None,
            "solo": None if alone is None else alone._asdict(),
            "campaign": None if stands is None else stands._asdict(),
            "steps": [move.step for move in course.moves],
        }

    def go_to(self, step: int) -> None:
        """Takes the game back to that step; raises :class:`InputError` if it has none such."""
        most = len(self.course.moves)
        if not 0 <= step <= most:
            raise InputError("play-too-far", most=most)
        self.course.back_to(step)
        numbers = steps_of(self.course, self.course.game.number)
        if numbers:
            active = self.course.moves[numbers.start].before.active
            self._say(0, self.words.say("play.turn", name=self.names[active], n=self.course.game.number))
        self._lines(log_lines(self.words, self.course, numbers))

    def show_turn(self, turn: int) -> None:
        """Prints one turn: the table as it began, each step with what it brought about and the rules."""
        if self.run.json:
            self.run.print_json(turn_document(self.words, self.course, turn))
        else:
            self._lines(turn_lines(self.words, self.course, turn))

    # speaking and listening

    def _show(self, seat: int, options: list[Option]) -> None:
        """The table, whole when a turn begins or another player chooses, and the numbered choices."""
        game = self.course.game
        if self._shown != (game.number, seat):
            self._say(0, "")
            self._lines(table_lines(self.words, self.course, seat))
        self._shown = (game.number, seat)
        self._lines(option_lines(self.words, self.course, options))

    def _lines(self, lines: Any) -> None:
        for indent, text in lines:
            self._say(indent, text)

    def _say(self, indent: int, text: str) -> None:
        self._print(folded(text, indent))

    def _complain(self, text: str) -> None:
        """A remark about what was typed; it is no answer, so with --json it goes to standard error."""
        if self.run.json:
            print(text, file=sys.stderr)
        else:
            self._say(0, text)

    def _print(self, text: str) -> None:
        if not self.run.json:
            print(text)
