"""``thunderref play``: a game for its options (new, next of a campaign, resumed), and how it goes at the terminal.

The player who chooses sees the table and types a number or a command; the game is kept in a file if one is named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer

from thunderref.cli import setup as setups
from thunderref.cli import terminal as view
from thunderref.cli.command import CommandApp, Force, Readings, Ruleset, entries_of, given_options, share_options
from thunderref.cli.render import columns, outline, plain
from thunderref.cli.session import Session, session, version
from thunderref.cli.terminal import Terminal, echo
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.files import check_place, only_writer, parse_json, read_text, write_text
from thunderref.thunderstone.resolve.report import ChoiceTexts, Option
from thunderref.thunderstone.resolve.start import Finder, cards_of
from thunderref.thunderstone.rules.choices import COUNT, Choice
from thunderref.thunderstone.rules.position import decider, replace
from thunderref.thunderstone.rules.readings import read_answers
from thunderref.thunderstone.setup.setup import choose_seed
from thunderref.thunderstone.table import ending
from thunderref.thunderstone.table import record as records
from thunderref.thunderstone.table.record import NOBODY, GameRecord, Move, SavedGame, layout_of

app = CommandApp()

TAKEN_UP = {"--resume", "--reading", "--save", "--force", "--to", "--turn", "--watch"}
"""Options that go with a resumed game."""
FOLLOWING = {"--winner", "--left", "--scores", "--heroes"}
"""Options about the game before."""
NEXT = {"--after", "--winner", "--heroes", "--seed", "--save", "--force", "--watch"}
"""Options that go with the next game of a campaign."""
TOLD = {"--players", "--left", "--scores", "--ruleset", "--reading"}
"""Options needed for a game at the table; a saved game knows them."""
MOST_TURNS = 2000
"""Turns after which a game without people is stopped; see :mod:`thunderref.thunderstone.bots.random_player`."""


@app.command("play")
@share_options(setup=setups.setup_options("players", "lock", "reroll"))
def play_command(
    ctx: typer.Context,
    setup: dict[str, Any],
    players: Annotated[str | None, typer.Option("--players", metavar="NAMES")] = None,
    ruleset: Ruleset = None,
    readings: Readings = None,
    after: Annotated[str | None, typer.Option("--after", metavar="FILE|CODE")] = None,
    winner: Annotated[int | None, typer.Option("--winner")] = None,
    left: Annotated[str | None, typer.Option("--left", metavar="CARDS")] = None,
    scores: Annotated[str | None, typer.Option("--scores", metavar="31,28")] = None,
    heroes: Annotated[list[str] | None, typer.Option("--heroes", metavar="CARDS")] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE")] = None,
    force: Force = False,
    resume: Annotated[str | None, typer.Option("--resume", metavar="FILE")] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP")] = None,
    turn: Annotated[int | None, typer.Option("--turn", metavar="N")] = None,
    watch: Annotated[bool, typer.Option("--watch")] = False,
) -> None:
    run, options = session(), given_options(ctx)
    for name, value in (("--save", save), ("--resume", resume), ("--after", after)):
        if value is not None and not value.strip():
            raise InputError("missing-value", name=name)
    if resume is None and (to is not None or turn is not None):
        raise InputError("play-needs-resume", option="--to" if to is not None else "--turn")
    if save is not None and save != resume:
        check_place(save, replace=force)
    place = save
    if resume is not None:
        _refuse(options - TAKEN_UP, "play-resume-options")
        if turn is not None:
            _refuse(options & {"--to", "--save", "--watch"}, "play-turn-options")
        record = _resume(run, resume, readings or [])
        if to is None and turn is None:
            place = save or resume
    else:
        setup |= {"seed": choose_seed(setup["seed"]), "ruleset": ruleset or "print", "readings": readings or []}
        if setup["ruleset"] not in ("print", "yucata"):
            raise InputError("not-one-of", key="ruleset", allowed="print, yucata", value=setup["ruleset"][:40])
        try:
            if after is None:
                _refuse(options & FOLLOWING, "play-needs-after")
                seats = records.read_players(players, run.words)
                record = records.begin_game(run.database, seats, lang=run.words.lang, **setup)
            else:
                follow_on = {"winner": winner, "left": left, "scores": scores, "heroes": heroes or []}
                record = _follow(run, after, players, setup, options, follow_on)
        except ThunderrefError as error:
            if error.code == "setup-code-options":  # --lock and --reroll in that sentence belong to setup
                error.code = "play-code-options"
            raise
    game = TerminalGame(run, record, place, watch=watch, replace=force)
    if resume is not None and place == resume:
        game.file.note(resume)
    if turn is not None:
        game.show_turn(turn)
        return
    if to is not None:
        game.go_to(to)
    game.play()


def _refuse(options: Collection[str], code: str) -> None:
    if options:
        raise InputError(code, options=", ".join(sorted(options)))


def _follow(
    run: Session, after: str, players: str | None, setup: dict[str, Any], options: set[str], outcome: dict[str, Any]
) -> GameRecord:
    """The next game of a campaign (R9.2 to R9.4); ``outcome`` is what a saved game knows, for a game at the table."""
    try:
        is_saved = {"steps", "turns"} <= set(parse_json(read_text(after), after) or ())
    except (InputError, TypeError):
        is_saved = False
    _refuse(options - NEXT - (set() if is_saved else TOLD), "setup-after-options")
    find, kinds = Finder(run.database, run.words.lang), frozenset(("hero", "basic"))
    along = [
        cards_of(entries_of(cards) or [], find, kinds) if cards.strip() not in ("", "-") else []
        for cards in outcome["heroes"]
    ]
    winner, seed = outcome["winner"], setup["seed"]
    if is_saved:
        before = records.resume_game(run.database, records.read_game(after), run.words.lang)
        return ending.next_game(before, winner=winner, heroes=along, seed=seed, lang=run.words.lang)
    return ending.after_code(
        setups.saved_code(after), records.read_players(players, run.words), run.words, winner=winner,
        scores=setups.numbers(outcome["scores"]), left=setups.cards_left(outcome["left"], run.database), heroes=along,
        seed=seed, ruleset=setup["ruleset"], readings=setup["readings"],
    )  # fmt: skip


def _resume(run: Session, resume: str, readings: list[str]) -> GameRecord:
    """A resumed game; given ``readings`` must be those it began with."""
    answers = read_answers(run.database, readings)
    try:
        record = records.resume_game(run.database, records.read_game(resume), run.words.lang)
        for name, value in answers.items():
            saved = record.readings.get(name, run.database.choices[name].default)
            if value != saved:
                raise InputError("play-other-reading", name=name, value=value, kept=saved)
        return record
    except ThunderrefError as error:
        if error.params.get("file") != resume:
            error.params["saved_file"] = resume
        raise


class GameFile:
    """The file of a game: ``name`` is None until a file is named.

    Overwrites a file that was there before only with ``replace``; never one that somebody else has changed since it
    was last read or written.
    """

    def __init__(self, name: str | None, terminal: Terminal, record: GameRecord, *, replace: bool) -> None:
        self.name = name
        self._terminal = terminal
        self._record = record
        self._own = {name} if replace else set()  # files that may be overwritten
        self._failed = False
        self._kept: tuple[SavedGame | None, str] = (None, "")
        """The content of the file but for the program's version, if known, and its exact text."""

    def note(self, name: str) -> None:
        """Note a file that holds the game as it is now: from here on the game is saved there."""
        self._own.add(name)
        self.name, self._kept = name, (self._record.saved(""), read_text(name))

    def _write(self, name: str) -> None:
        content, (last_content, last_text) = self._record.saved(""), self._kept if name == self.name else (None, "")
        is_there = last_content is not None and os.path.isfile(name)
        if is_there and last_content == content:
            return
        text = records.text_of(replace(content, program=version()))
        with only_writer(name):
            if is_there and read_text(name) != last_text:
                raise InputError("file-changed", file=name)
            write_text(name, text, replace=name in self._own)
        self._own.add(name)
        if self.name in (None, name):
            self.name, self._kept = name, (content, text)

    def save(self, name: str = "") -> bool:
        """Saves into the named file, or the game's own; False, with a remark, if that fails."""
        target = os.path.expanduser(name) if name else self.name
        if target is None:
            self._terminal.complain(self._terminal.words.say("play.which-file"))
            return False
        try:
            if not name.isprintable():
                raise InputError("play-odd-file")
            if name and target not in self._own:
                check_place(target)
            self._write(target)
        except InputError as error:
            if error.code == "file-exists":
                error.params["why"] = "play"  # no options can be typed here
            self._terminal.complain(self._terminal.words.error(error))
            return False
        self._terminal.tell("play.saved", file=target)
        return True

    def keep(self) -> None:
        """Save after a turn; report a failure once, without ending the game."""
        try:
            if self.name is not None:
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
        if ask is None and self.name is not None:
            self._write(self.name)
            self._terminal.tell("play.saved", file=self.name)
        if ask is None or (self.name is not None and self.save()):
            return self.name is not None
        self.name = None
        return any(self.save(name) for name in iter(ask, ""))


class TerminalGame(Terminal):
    """A game that people play, or watch, at the terminal. ``place`` is the file it is kept in, None for none."""

    def __init__(self, run: Session, record: GameRecord, place: str | None, *, watch: bool, replace: bool) -> None:
        super().__init__(run)
        self.record = record
        self.file = GameFile(place, self, record, replace=replace)
        self.people = [seat for seat, player in enumerate(record.players) if not player.random]
        self.watch = watch or not self.people
        self.names = record.names
        self._news = not record.moves  # something is unsaved
        self._shown: tuple[int, int] | None = None
        self._viewer = NOBODY
        self._said = (0, "")
        self._off = ""  # why the game is called off before its end: "endless", "standstill"

    def play(self) -> None:
        """Plays on until the game is over or somebody stops; prints the end, and saves the game."""
        from thunderref.pages.card_page import chosen_lines
        from thunderref.pages.setup_page import heading

        self.say(heading(self.record.setup))
        self.tell("play.begin", code=self.record.setup.code, seed=self.record.seed)
        if self.record.game.ruleset == "yucata":
            self.tell("play.yucata")
        for line in chosen_lines(self.words, self.record.readings):
            self.say(line)
        if self.people and not self.record.over:
            self.tell("play.hint")
        try:
            self._go_on()
        except EOFError:
            is_saved = self.file.close(self._asker())
            self.tell("play.stopped", n=len(self.record.moves))
            self._tell_unsaved(saved=is_saved)
        except ThunderrefError:
            self.file.close(None)
            raise
        except KeyboardInterrupt:
            self.say()
            self._tell_unsaved(saved=self.file.close(None))
            raise
        else:
            self._end()
        if self.run.json:
            self.run.print_json(self.document())

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
                    self.say()
                    if self.watch:
                        self.tell("play.turn", name=self.names[record.active], n=turn)
            seat = decider(record.position)
            random = record.players[seat].random
            action, why = record.draw() if random else (self._ask(seat), None)
            if action is None:  # taken back
                turn = record.turn
                continue
            if random:
                line = self.words.say("play.chose", name=self.names[seat], text=self.labels.say_choice(action))
                self.say(line, 2 if self.watch else 0)
                reason = (turn, view.why_text(self.words, why))
                if reason[1] and reason != self._said:  # not twice in a turn
                    self._said = reason
                    self.say(reason[1], 4 if self.watch else 2)
            self._tell(record.take(action))

    @property
    def labels(self) -> ChoiceTexts:
        return ChoiceTexts(self.words, self.record.game, self.record.position, self.names)

    def _tell(self, move: Move) -> None:
        self.say_all(view.event_lines(view.tell_move(self.words, move, self.names), 4 if self.watch else 2))

    def _call_off(self) -> bool:
        """True if the game stops before its end: nobody can end it, or nothing changes any more."""
        record = self.record
        if ending.is_stuck(record.game, record.position):
            self._off = "endless"
        elif not self.people:
            self._off = "standstill" if ending.at_a_standstill(record) else ""
        elif ending.at_a_standstill(record, ending.ASKED) and not record.players[record.active].random:
            again = record.played_on + ending.ASKED * len(record.players)
            if (not record.played_on or record.turn >= again) and self._ask_to_stop():
                self._off = "standstill"
        return bool(self._off)

    def _ask_to_stop(self) -> bool:
        self.say()
        self.tell("play.standstill", n=self.record.still // len(self.record.players))
        for number, answer in enumerate(("off", "on"), 1):
            self.say(f"{number}) {self.words.say(f'play.standstill.{answer}')}", 2)
        choice = self._number(2, decider(self.record.position), [], "play.bare-prompt")
        if choice:
            self.record.played_on = 0 if choice == 1 else self.record.turn
        return choice == 1

    def _ask(self, seat: int) -> Choice | None:
        """Return the person's choice; None if they took a choice back instead."""
        options = self.labels.options(self.record.options())
        if len(options) == 1:
            only = options[0].choice
            if only != COUNT:  # counting the gold goes without saying (R3.2)
                self.tell("play.only-choice", name=self.names[seat], text=self.labels.say_choice(only))
            return only
        if self._pass_on(seat):
            return None
        if self._shown != (self.record.turn, seat):
            self.say()
            self.say_all(view.table_lines(self.words, self.record, seat))
        self._shown = self.record.turn, seat
        self.say_all(view.option_lines(self.words, self.record, options))
        number = self._number(len(options), seat, options, "play.prompt", name=self.names[seat])
        self._news |= bool(number)
        return options[number - 1].choice if number else None

    def _number(self, limit: int, seat: int, options: list[Option], key: str, **params: str) -> int:
        """The typed number, 1 to ``limit``, after carrying out all commands before it; 0 if a choice was taken back."""
        while True:
            text = self.ask(key, **params)
            if text.isdecimal() and len(text) < 6 and 1 <= int(text) <= limit:
                return int(text)
            command, argument = self.command_of(text)
            if command is None:
                remark = "play.not-a-choice" if text else "play.type-a-number"
                self.complain(self.words.say(remark, text=echo(text[:40]), most=limit))
            elif command != "undo":
                self._command(command, argument, seat, options)
            elif self._undo():
                return 0

    def _pass_on(self, seat: int) -> bool:
        """Hides what the last player saw until the screen is passed on; True if they take a choice back instead."""
        before, self._viewer = self._viewer, seat
        if before in (NOBODY, seat) or len(self.people) < 2 or not self.run.has_a_person:
            return False
        typed = self.command_of(self.ask("play.pass", name=self.names[seat]))
        if typed == ("quit", ""):
            raise EOFError
        if typed == ("undo", "") and self._undo():
            self._viewer = before
            return True
        self.say("\n" * 40)
        self._shown = None
        return False

    def _command(self, command: str, argument: str, seat: int, options: list[Option]) -> None:
        if command == "quit":
            raise EOFError  # as where nothing more is typed
        if command == "help":
            self.say(f"1, 2, 3 …: {self.words.say('play.help.number')}", 2)
            for name in view.PLAY_COMMANDS:
                self.say(f"{self.words.say(f'play.word.{name}')}: {self.words.say(f'play.help.{name}')}", 2)
        elif command == "table":
            self.say_all(view.table_lines(self.words, self.record, seat))
            self.say_all(view.option_lines(self.words, self.record, options))
        elif command == "stacks":
            self.say_all(view.stack_lines(self.words, self.record))
        elif command == "card":
            self._card(echo(argument))
        else:
            self.file.save(argument)

    def _undo(self) -> bool:
        if not self.record.undo():
            self.complain(self.words.say("play.nothing-to-undo"))
            return False
        while len(self.labels.options(self.record.options())) == 1 and self.record.undo():  # nobody chose this one
            pass
        self._shown = None
        self.tell("play.undone", n=len(self.record.moves) + 1)
        return True

    def _card(self, name: str) -> None:
        from thunderref.pages.card_page import card_page
        from thunderref.search.card import card_record
        from thunderref.search.names import find_card

        database = self.run.database
        at_table = database if self.run.any_card else database.at_table(self.record.setup.tonight.cards)
        try:
            card = find_card(at_table, name, None, lang=self.words.lang)
        except ThunderrefError as error:
            self.complain(self.words.error(error))
            return
        if not self.run.json:
            print(plain(card_page(self.words, card_record(database, card, self.words.lang), name), columns()))

    def _asker(self) -> Callable[[], str] | None:
        anything = (self._news or self.file.name is not None) and bool(self.record.moves)
        return self._file_name if self.run.has_a_person and anything else None

    def _file_name(self) -> str:
        try:
            typed = self.ask("play.ask-file")
        except EOFError:
            return ""
        except KeyboardInterrupt:
            self.say()
            self._tell_unsaved()
            raise
        command, argument = self.command_of(typed)
        if command == "save" and argument:  # as typed during the game
            return argument
        return "" if command == "quit" and not argument else typed

    def _tell_unsaved(self, *, saved: bool = False) -> None:
        if self.people and self._news and not saved:
            self.tell("play.unsaved")

    def _end(self) -> None:
        ask, saved = self._asker(), self.file.name is not None
        try:
            if saved:
                self.file.close(ask)
        finally:
            self._tell_score()
        if not saved:
            self.file.close(ask)
        for line in view.campaign_lines(self.words, self.record, self.file.name):
            self.say(line)

    def _tell_score(self) -> None:
        from thunderref.pages.visit_page import score_pages

        self.say()
        self.tell(f"play.called-off.{self._off}" if self._off else "play.over", n=self.record.turn)
        alone = ending.solo_result(self.record)
        pages = score_pages(self.words, ending.final(self.record, self.words), alone=alone is not None)
        for indent, line in outline(*pages, apart=False):
            self.say(" " * indent + line)
        if alone is not None and self.record.over:
            self.say()
            self.tell("play.solo-won" if alone.won else "play.solo-lost", vp=alone.vp, monsters=alone.monsters)

    def document(self) -> dict[str, Any]:
        record, stands = self.record, ending.campaign_state(self.record)
        alone = ending.solo_result(record) if record.over else None
        return {
            "code": record.setup.code, "seed": record.seed, "ruleset": record.game.ruleset,
            "readings_chosen": record.readings, "variant": record.setup.content.variant,
            "players": [player.model_dump() for player in record.players], "over": record.over,
            "called_off": self._off or None, "turns": record.turn, "position": layout_of(record.position),
            "score": ending.final(record, self.words).model_dump() if record.over or self._off else None,
            "solo": alone and alone._asdict(), "campaign": stands and stands._asdict(),
            "steps": [move.step for move in record.moves],
        }  # fmt: skip

    def go_to(self, step: int) -> None:
        limit = len(self.record.moves)
        if not 0 <= step <= limit:
            raise InputError("play-too-far", most=limit)
        self.record.back_to(step)
        numbers = view.find_steps(self.record, self.record.turn)
        if numbers:
            self.tell("play.turn", name=self.names[self.record.active], n=self.record.turn)
        self.say_all(view.step_lines(view.read_steps(self.words, self.record, numbers)))

    def show_turn(self, turn: int) -> None:
        """The table at the beginning of a turn, as the active player saw it, then the steps; the game ends up there."""
        record, numbers = self.record, view.find_steps(self.record, turn)
        steps = view.read_steps(self.words, record, numbers)
        record.back_to(min(numbers, default=len(record.moves)))
        if self.run.json:
            player, position = self.names[record.active], layout_of(record.position)
            self.run.print_json({"turn": turn, "player": player, "position": position, "steps": steps})
        self.say_all(view.table_lines(self.words, record, record.active))
        self.say_all(view.step_lines(steps))
