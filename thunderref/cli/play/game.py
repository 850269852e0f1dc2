"""The game at the terminal: the player who chooses sees the table and types numbers; commands; saving and stopping."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from thunderref.cli.help_pages import version
from thunderref.cli.play import terminal as view
from thunderref.cli.play.terminal import COMMANDS, Terminal, echo
from thunderref.cli.render import columns, outline, plain
from thunderref.cli.session import Session
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.files import check_place, only_writer, read_text, write_text
from thunderref.thunderstone.bots.bot import Why
from thunderref.thunderstone.resolve.report import ChoiceTexts, Option
from thunderref.thunderstone.rules.choices import COUNT
from thunderref.thunderstone.rules.position import decider, table_of
from thunderref.thunderstone.table.ending import ASKED, at_a_standstill, campaign_state, final, is_stuck, solo_result
from thunderref.thunderstone.table.record import NOBODY, GameRecord, Move, layout_of, text_of

MOST_TURNS = 2000
"""Turns after which a game without people is stopped; see :mod:`thunderref.thunderstone.bots.random_player`."""


class GameFile:
    """Where a game is kept: ``name`` is None until a file is named.

    Overwrites a file that was there before only with ``replace``; never one that somebody else has changed since it
    was last read or written.
    """

    def __init__(self, name: str | None, terminal: Terminal, record: GameRecord, *, replace: bool = False) -> None:
        self.name = name
        self._terminal = terminal
        self._record = record
        self._own = {name} if replace else set()
        """The files that may be overwritten."""
        self._failed = False
        self._kept: dict[str, Any] | None = None
        """The content of the file without the program's version, if known."""
        self._text: str | None = None
        """The exact text of the file, if known."""

    def note(self) -> None:
        assert self.name is not None
        self._own.add(self.name)
        self._kept, self._text = self._content(), read_text(self.name)

    def _content(self) -> dict[str, Any]:
        return self._record.saved("").model_dump(exclude={"program"})

    def _write(self, name: str) -> None:
        content, is_ours = self._content(), name == self.name
        if is_ours and self._kept == content and os.path.isfile(name):
            return
        text = text_of(self._record.saved(version()))
        with only_writer(name):
            if is_ours and self._text is not None and os.path.isfile(name) and read_text(name) != self._text:
                raise InputError("file-changed", file=name)
            write_text(name, text, replace=name in self._own)
        self._own.add(name)
        if is_ours or self.name is None:
            self.name, self._kept, self._text = name, content, text

    def save(self, name: str = "") -> bool:
        """Saves into the named file, or the game's own; False, with a remark, if that fails."""
        wanted = os.path.expanduser(name) if name else self.name
        if wanted is None:
            self._terminal.complain(self._terminal.words.say("play.which-file"))
            return False
        try:
            if not name.isprintable():
                raise InputError("play-odd-file")
            if name and wanted not in self._own:
                check_place(wanted)
            self._write(wanted)
        except InputError as error:
            if error.code == "file-exists":
                error.params["why"] = "play"  # no options can be typed here
            self._terminal.complain(self._terminal.words.error(error))
            return False
        self._terminal.tell("play.saved", file=wanted)
        return True

    def keep(self) -> None:
        """Saves after a turn: reports a failure once, and the game goes on."""
        if self.name is None:
            return
        try:
            self._write(self.name)
        except InputError as error:
            if not self._failed:
                self._terminal.complain(self._terminal.words.error(error))
            self._failed = True

    def close(self, ask: Callable[[], str] | None) -> bool:
        """Saves when the people leave; False if the game has no file.

        ``ask`` asks for the name of a file, until one can be written or "" is given; None if nobody can be asked: then
        a file that cannot be written raises :class:`InputError`.
        """
        if ask is None:
            if self.name is not None:
                self._write(self.name)
                self._terminal.tell("play.saved", file=self.name)
            return self.name is not None
        if self.name is not None and self.save():
            return True
        self.name = None
        while name := ask():
            if self.save(name):
                return True
        return False


class TerminalGame:
    """A game that people play, or watch, at the terminal. ``place`` is the file it is kept in, None for none."""

    def __init__(
        self, run: Session, record: GameRecord, place: str | None, *, watch: bool, replace: bool = False
    ) -> None:
        self.run = run
        self.words = run.words
        self.record = record
        self.terminal = Terminal(run)
        self.file = GameFile(place, self.terminal, record, replace=replace)
        self.people = [seat for seat, player in enumerate(record.players) if not player.random]
        self.watch = watch or not self.people
        self.names = record.names
        self._news = not record.moves
        """True if there is something unsaved."""
        self._shown: tuple[int, int] | None = None
        self._viewer = NOBODY
        self._said = (0, "")
        self._off = ""
        """Why the game is called off before its end: ``endless``, ``standstill`` or not at all."""

    def play(self) -> None:
        """Plays on until the game is over or somebody stops; prints the end, and saves the game."""
        self._begin()
        try:
            self._go_on()
        except EOFError:
            kept = self.file.close(self._asker())
            self.terminal.tell("play.stopped", n=len(self.record.moves))
            if not kept:
                self._tell_unsaved()
        except ThunderrefError:
            self.file.close(None)
            raise
        except KeyboardInterrupt:
            self.terminal.say()
            if not self.file.close(None):
                self._tell_unsaved()
            raise
        else:
            self._end()
        if self.run.json:
            self.run.print_json(self.document())

    def _begin(self) -> None:
        from thunderref.pages.setup_page import heading

        self.terminal.say(heading(self.record.setup))
        self.terminal.tell("play.begin", code=self.record.setup.code, seed=self.record.seed)
        if self.record.game.ruleset == "yucata":
            self.terminal.tell("play.yucata")
        for name, value in self.record.readings.items():
            rule, meaning = self.run.database.switches[name].rule, self.words.say(f"reading.{name}.{value}")
            self.terminal.tell("resolve.chosen", rule=rule, name=name, value=value, meaning=meaning)
        if self.people and not self.record.over:
            self.terminal.tell("play.hint")

    def _go_on(self) -> None:
        record, turn = self.record, 0
        while True:
            for move in record.settle():
                self._tell(move)
            position = record.position
            if record.over or self._call_off():
                return
            if record.position is not position:  # a choice was taken back instead
                turn = record.turn
                continue
            if record.turn != turn:
                if turn and self.people:
                    self.file.keep()
                turn = record.turn
                if not self.people and turn > MOST_TURNS:
                    raise NoAnswerError("play-endless", n=MOST_TURNS)
                if record.players[record.active].random:  # a person sees the whole table
                    self.terminal.say()
                    if self.watch:
                        self.terminal.tell("play.turn", name=self.names[record.active], n=turn)
            seat = decider(record.position)
            random = record.players[seat].random
            action, why = record.draw() if random else (self._ask(seat), None)
            if action is None:  # taken back
                turn = record.turn
                continue
            if random:
                line = self.words.say("play.chose", name=self.names[seat], text=self.labels.say_choice(action))
                self.terminal.say(line, 2 if self.watch else 0)
                self._tell_why(why)
            self._tell(record.take(action))

    @property
    def labels(self) -> ChoiceTexts:
        return ChoiceTexts(self.words, self.record.game, self.record.position, self.names)

    def _tell(self, move: Move) -> None:
        events = view.read_events(self.words, move, self.names)
        self.terminal.say_all(view.event_lines(events, 4 if self.watch else 2))

    def _tell_why(self, why: Why) -> None:
        """Says why a bot chose so, but not twice in a turn."""
        text = view.why_text(self.words, why)
        if text and (self.record.turn, text) != self._said:
            self._said = self.record.turn, text
            self.terminal.say(text, 4 if self.watch else 2)

    def _call_off(self) -> bool:
        """True if the game stops before its end: nobody can end it, or nothing changes any more."""
        record = self.record
        if is_stuck(record.game, record.position):
            self._off = "endless"
        elif not self.people:
            self._off = "standstill" if at_a_standstill(record) else ""
        elif at_a_standstill(record, ASKED) and not record.players[record.active].random:
            again = record.played_on + ASKED * len(record.players)
            if (not record.played_on or record.turn >= again) and self._ask_to_stop():
                self._off = "standstill"
        return bool(self._off)

    def _ask_to_stop(self) -> bool:
        self.terminal.say()
        self.terminal.tell("play.standstill", n=self.record.still // len(self.record.players))
        for number, answer in enumerate(("off", "on"), 1):
            self.terminal.say(f"{number}) {self.words.say(f'play.standstill.{answer}')}", 2)
        chosen = self._number(2, decider(self.record.position), [], "play.bare-prompt")
        if chosen:
            self.record.played_on = 0 if chosen == 1 else self.record.turn
        return chosen == 1

    def _ask(self, seat: int) -> Any:
        options = self.labels.options(self.record.options())
        if len(options) == 1:
            only = options[0].choice
            if only != COUNT:  # counting the gold goes without saying (R3.2)
                self.terminal.tell("play.only-choice", name=self.names[seat], text=self.labels.say_choice(only))
            return only
        if self._pass_on(seat):
            return None
        self._show(seat, options)
        chosen = self._number(len(options), seat, options, "play.prompt", name=self.names[seat])
        if not chosen:
            return None
        self._news = True
        return options[chosen - 1].choice

    def _number(self, most: int, seat: int, options: list[Option], key: str, **params: str) -> int:
        """The typed number, 1 to ``most``, after carrying out all commands before it; 0 if a choice was taken back."""
        while True:
            text = self.terminal.ask(key, **params)
            if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= most:
                return int(text)
            command, rest = self.terminal.command_of(text)
            if command is None:
                remark = "play.not-a-choice" if text else "play.type-a-number"
                self.terminal.complain(self.words.say(remark, text=echo(text[:40]), most=most))
            elif command != "undo":
                self._command(command, rest, seat, options)
            elif self._undo():
                return 0

    def _pass_on(self, seat: int) -> bool:
        """Hides what the last player saw until the screen is passed on; True if they take a choice back instead."""
        before, self._viewer = self._viewer, seat
        if before in (NOBODY, seat) or len(self.people) < 2 or not self.terminal.has_a_person:
            return False
        typed = self.terminal.command_of(self.terminal.ask("play.pass", name=self.names[seat]))
        if typed == ("quit", ""):
            raise EOFError
        if typed == ("undo", "") and self._undo():
            self._viewer = before
            return True
        self.terminal.say("\n" * 40)
        self._shown = None
        return False

    def _command(self, command: str, rest: str, seat: int, options: list[Option]) -> None:
        if command == "quit":
            raise EOFError  # as where nothing more is typed
        if command == "help":
            self.terminal.say(f"1, 2, 3 …: {self.words.say('play.help.number')}", 2)
            for name in COMMANDS:
                self.terminal.say(f"{self.words.say(f'play.word.{name}')}: {self.words.say(f'play.help.{name}')}", 2)
        elif command == "table":
            self.terminal.say_all(view.table_lines(self.words, self.record, seat))
            self.terminal.say_all(view.option_lines(self.words, self.record, options))
        elif command == "stacks":
            self.terminal.say_all(view.stack_lines(self.words, self.record))
        elif command == "card":
            self._card(echo(rest))
        elif command == "save":
            self.file.save(rest)

    def _undo(self) -> bool:
        if not self.record.undo():
            self.terminal.complain(self.words.say("play.nothing-to-undo"))
            return False
        while len(self.labels.options(self.record.options())) == 1 and self.record.undo():  # nobody chose this one
            pass
        self._shown = None
        self.terminal.tell("play.undone", n=len(self.record.moves) + 1)
        return True

    def _show(self, seat: int, options: list[Option]) -> None:
        if self._shown != (self.record.turn, seat):
            self.terminal.say()
            self.terminal.say_all(view.table_lines(self.words, self.record, seat))
        self._shown = self.record.turn, seat
        self.terminal.say_all(view.option_lines(self.words, self.record, options))

    def _card(self, name: str) -> None:
        from thunderref.pages.card_page import card_page
        from thunderref.search.card import card_record
        from thunderref.search.names import find_card

        database = self.run.database
        if not self.run.any_card:
            database = database.at_table(self.record.setup.tonight.cards)
        try:
            card = find_card(database, name, None, lang=self.words.lang)
        except ThunderrefError as error:
            self.terminal.complain(self.words.error(error))
            return
        page = card_page(self.words, card_record(self.run.database, card, self.words.lang), name)
        if not self.terminal.silent:
            print(plain(page, columns()))

    def _asker(self) -> Callable[[], str] | None:
        anything = (self._news or self.file.name is not None) and bool(self.record.moves)
        return self._file_name if self.terminal.has_a_person and anything else None

    def _file_name(self) -> str:
        try:
            typed = self.terminal.ask("play.ask-file")
        except EOFError:
            return ""
        except KeyboardInterrupt:
            self.terminal.say()
            self._tell_unsaved()
            raise
        command, rest = self.terminal.command_of(typed)
        if command == "save" and rest:  # as typed during the game
            return rest
        return "" if command == "quit" and not rest else typed

    def _tell_unsaved(self) -> None:
        if self.people and self._news:
            self.terminal.tell("play.unsaved")

    def _end(self) -> None:
        ask, kept = self._asker(), self.file.name is not None
        try:
            if kept:
                self.file.close(ask)
        finally:
            self._tell_score()
        if not kept:
            self.file.close(ask)
        for line in view.campaign_lines(self.words, self.record, self.file.name):
            self.terminal.say(line)

    def _tell_score(self) -> None:
        from thunderref.pages.visit_page import score_pages

        self.terminal.say()
        self.terminal.tell(f"play.called-off.{self._off}" if self._off else "play.over", n=self.record.turn)
        alone = solo_result(self.record)
        pages = score_pages(self.words, final(self.record, self.words), alone=alone is not None)
        for indent, line in outline(*pages, apart=False):
            self.terminal.say(" " * indent + line)
        if alone is not None and self.record.over:
            self.terminal.say()
            key = "play.solo-won" if alone.won else "play.solo-lost"
            self.terminal.tell(key, vp=alone.vp, monsters=alone.monsters)

    def document(self) -> dict[str, Any]:
        record = self.record
        alone = solo_result(record) if record.over else None
        stands = campaign_state(record)
        return {
            "code": record.setup.code,
            "seed": record.seed,
            "ruleset": record.game.ruleset,
            "readings_chosen": record.readings,
            "variant": record.setup.content.variant,
            "players": [player.model_dump() for player in record.players],
            "over": record.over,
            "called_off": self._off or None,
            "turns": record.turn,
            "position": layout_of(record.position),
            "score": final(record, self.words).model_dump() if record.over or self._off else None,
            "solo": None if alone is None else alone._asdict(),
            "campaign": None if stands is None else stands._asdict(),
            "steps": [move.step for move in record.moves],
        }

    def go_to(self, step: int) -> None:
        most = len(self.record.moves)
        if not 0 <= step <= most:
            raise InputError("play-too-far", most=most)
        self.record.back_to(step)
        numbers = view.find_steps(self.record, self.record.turn)
        if numbers:
            active = table_of(self.record.moves[numbers.start].before).active
            self.terminal.tell("play.turn", name=self.names[active], n=self.record.turn)
        self.terminal.say_all(view.step_lines(view.read_steps(self.words, self.record, numbers)))

    def show_turn(self, turn: int) -> None:
        document = view.turn_document(self.words, self.record, turn)
        if self.run.json:
            self.run.print_json(document)
            return
        self.terminal.say_all(view.table_lines(self.words, self.record, self.record.active))
        self.terminal.say_all(view.step_lines(document["steps"]))
