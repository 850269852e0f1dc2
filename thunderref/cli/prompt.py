"""The prompt: ``thunderref`` alone at a terminal stays open, and needs no name before what is typed."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, merge_completers
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from thunderref.cli.command import entries_of
from thunderref.cli.door import ASKS
from thunderref.cli.render import columns, wrap
from thunderref.cli.session import Session, convert_unforeseen, session
from thunderref.cli.streams import unwrap
from thunderref.database.card_records import HALL_KINDS, HAND_KINDS
from thunderref.errors import InputError, ThunderrefError, corrections
from thunderref.files import make_folder, state_file
from thunderref.search.query import card_names, continue_name
from thunderref.search.understand import reader, split_hall
from thunderref.thunderstone.resolve import start


class NameCompleter(Completer):
    """Completes the card that is being typed in a list of cards."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """The lines that the text before the cursor may become, shown as the name that is new in them."""
        text = document.text_before_cursor
        if not text.strip() and not complete_event.completion_requested:
            return
        for line in continue_name(self.names, (), text):
            same = next((i for i, (old, new) in enumerate(zip(text, line, strict=False)) if old != new), len(text))
            same = max(text.rfind(sign, 0, same) for sign in ", ") + 1
            yield Completion(line[same:], same - len(text))


def ask_battle(run: Session) -> dict[str, list[str]]:
    """Ask for the hand and the hall, each until it can be understood, and show what was understood.

    What follows ``vs`` in the line of the hand is the hall already, to be confirmed. Raises EOFError or
    KeyboardInterrupt if the player leaves.
    """
    words, find, against = run.words, start.Finder(run.database, run.language), ""
    session: PromptSession[str] = PromptSession(
        input=create_input(sys.stdin), output=create_output(unwrap(sys.stdout)), complete_while_typing=True
    )

    def read_hand(typed: str) -> tuple[list[str], str]:
        nonlocal against
        hand_text, after, _ = reader(words).split_battle(typed)
        entries, against = entries_of(hand_text) or [], (after or "").strip()
        counts = Counter(map(words.card, start.hand_of(entries, find))).items()
        return entries, ", ".join(f"{n}× {card}" if n > 1 else card for card, n in counts)

    def read_hall(typed: str) -> tuple[list[str], str]:
        ranks = split_hall(typed, words)
        foes = enumerate(start.hall_of(ranks, find), 1)
        ranks_shown = [words.say("resolve.rank", rank=n, card=words.card(foe.card)) for n, foe in foes if foe.card]
        if not ranks_shown:
            raise InputError("empty-hall", why="asked")
        return ranks, ", ".join(ranks_shown)

    def ask(key: str, kinds: frozenset[str], read: Callable[[str], tuple[list[str], str]], typed: str) -> list[str]:
        names = NameCompleter(card_names(run.database, run.language, kinds))
        while True:
            typed = session.prompt(f"{words.say(key)} ", completer=names, default=typed)
            try:
                entries, understood = read(typed)
            except ThunderrefError as error:
                print("\n".join(wrap(words.error(error), columns(), 2)))
            else:
                print("\n".join(wrap(understood, columns(), 2)))
                return entries

    hand = ask("resolve.ask.hand", HAND_KINDS, read_hand, "")
    return {"hand": hand, "hall": ask("resolve.ask.hall", HALL_KINDS, read_hall, against)}


PROMPT_WORDS = ("more", "undo", "lang", "help", "exit")
"""What the prompt itself understands; what a player types for it is the message ``prompt.word.<word>``."""


class Prompt:
    """What has been asked at the prompt: each line as it was run, the newest last, and what may be chosen by number."""

    def __init__(self, commands: Collection[str], run_line: Callable[[Sequence[str]], None]) -> None:
        self.commands, self._run_line = commands, run_line
        self.lang = session().language
        self.asked: list[str] = []
        self.choices: list[str] = []

    def keep_open(self) -> None:
        """Answers line after line until it is closed (Ctrl-D)."""
        run = session()
        names = card_names(run.database, self.lang)
        past = state_file("prompt")
        make_folder(past)
        line: PromptSession[str] = PromptSession(
            input=create_input(sys.stdin), output=create_output(unwrap(sys.stdout)), history=FileHistory(str(past)),
            completer=merge_completers([NameCompleter(names), NameCompleter(sorted(self.commands))]),
            complete_while_typing=True,
        )  # fmt: skip
        self._print_lines(run.words.say("prompt.begin"))
        while True:
            try:
                typed = line.prompt("> ").strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if typed and not self.answer(typed):
                return

    def answer(self, typed: str) -> bool:
        """Answers one line; False if it closes the prompt."""
        first, _, argument = typed.partition(" ")
        word = next((word for word in PROMPT_WORDS if first.lower() in self._spellings(word)), None)
        if word == "exit" and not argument:
            return False
        if word == "lang" and argument:
            self.lang = argument.strip().lower()
            self._run(self.asked[-1] if self.asked else "--help")
        elif word == "help" and not argument:
            self._print_lines(*session().words.say("prompt.help").split("\n"))
        elif word == "more" and not argument:
            self._again("--more")
        elif word == "undo" and not argument:
            del self.asked[-1:]
            self._again()
        elif typed.isdecimal() and 0 < int(typed) <= len(self.choices):
            self._ask(self.choices[int(typed) - 1])
        else:
            self._ask(typed)
        return True

    def _spellings(self, word: str) -> list[str]:
        return session().words.say(f"prompt.word.{word}").split(", ")

    def _ask(self, typed: str) -> None:
        self.asked.append(typed)
        self._run(typed)

    def _again(self, *options: str) -> None:
        if self.asked:
            self._run(self.asked[-1], *options)
        else:
            self._print_lines(session().words.say("prompt.nothing"))

    def _run(self, typed: str, *options: str) -> None:
        """Runs a line as the command line would; what went wrong is one sentence, and its candidates have numbers."""
        begins = typed.partition(" ")[0] in self.commands or typed.startswith("-")
        try:
            words = shlex.split(typed) if begins else typed.split()
        except ValueError:  # a quotation mark that is not closed
            words = typed.split()
        error: ThunderrefError | None = None
        asks_back = ASKS.set(False)
        try:
            self._run_line([*words, *options, "--lang", self.lang])
        except ThunderrefError as problem:
            error = problem
            self._print_lines(session().words.error(problem))
        except KeyboardInterrupt:
            self._print_lines("")
        except (SystemExit, typer.Exit):
            error = session().failed
        except Exception as problem:
            self._print_lines(session().words.error(convert_unforeseen(problem)))
        finally:
            ASKS.reset(asks_back)
        lines = [] if error is None or "name" not in error.params else corrections(typed, error)
        self.choices = [line for _, line in lines] or session().offers
        self._print_lines(*(f"  {n}  {name}" for n, (name, _) in enumerate(lines, 1)))

    def _print_lines(self, *lines: str) -> None:
        for line in lines:
            print("\n".join(wrap(line, columns(), 0, 2)), flush=True)
