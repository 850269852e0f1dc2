"""The prompt: ``thunderref`` alone at a terminal stays open, and needs no name before what is typed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Collection, Sequence

import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import merge_completers
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from thunderref.cli.battle_prompt import Names
from thunderref.cli.door import ASKS
from thunderref.cli.render import columns, wrap
from thunderref.cli.session import convert_unforeseen, session
from thunderref.cli.streams import unwrap
from thunderref.errors import ThunderrefError
from thunderref.files import make_folder, state_file
from thunderref.search.query import card_names
from thunderref.search.understand import instead

WORDS = ("more", "undo", "lang", "help", "exit")
"""What the prompt itself understands; what a player types for it is the message ``prompt.word.<word>``."""


class Prompt:
    """What has been asked at the prompt: each line as it was run, the newest last, and what may be chosen by number."""

    def __init__(self, commands: Collection[str], run_line: Callable[[Sequence[str]], None]) -> None:
        self.commands, self._run_line = commands, run_line
        self.lang = session().language
        ASKS.set(False)
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
            completer=merge_completers([Names(names), Names(sorted(self.commands))]), complete_while_typing=True,
        )  # fmt: skip
        self._tell(run.words.say("prompt.begin"))
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
        first, _, rest = typed.partition(" ")
        word = next((word for word in WORDS if first.lower() in self._said(word)), None)
        if word == "exit" and not rest:
            return False
        if word == "lang" and rest:
            self.lang = rest.strip().lower()
            self._run(self.asked[-1] if self.asked else "--help")
        elif word == "help" and not rest:
            self._tell(*session().words.say("prompt.help").split("\n"))
        elif word == "more" and not rest:
            self._again("--more")
        elif word == "undo" and not rest:
            del self.asked[-1:]
            self._again()
        elif typed.isdecimal() and 0 < int(typed) <= len(self.choices):
            self._ask(self.choices[int(typed) - 1])
        else:
            self._ask(typed)
        return True

    def _said(self, word: str) -> list[str]:
        return session().words.say(f"prompt.word.{word}").split(", ")

    def _ask(self, typed: str) -> None:
        self.asked.append(typed)
        self._run(typed)

    def _again(self, *options: str) -> None:
        if self.asked:
            self._run(self.asked[-1], *options)
        else:
            self._tell(session().words.say("prompt.nothing"))

    def _run(self, typed: str, *options: str) -> None:
        """Runs a line as the command line would; what went wrong is one sentence, and its candidates have numbers."""
        begins = typed.partition(" ")[0] in self.commands or typed.startswith("-")
        try:
            words = shlex.split(typed) if begins else typed.split()
        except ValueError:  # a quotation mark that is not closed
            words = typed.split()
        error: ThunderrefError | None = None
        try:
            self._run_line([*words, *options, "--lang", self.lang])
        except ThunderrefError as problem:
            error = problem
            self._tell(session().words.error(problem))
        except KeyboardInterrupt:
            self._tell("")
        except (SystemExit, typer.Exit):
            error = session().failed
        except Exception as problem:
            self._tell(session().words.error(convert_unforeseen(problem)))
        lines = [] if error is None or "name" not in error.params else instead(typed, error)
        self.choices = [line for _, line in lines] or session().meant
        self._tell(*(f"  {n}  {name}" for n, (name, _) in enumerate(lines, 1)))

    def _tell(self, *lines: str) -> None:
        for line in lines:
            print("\n".join(wrap(line, columns(), 0, 2)), flush=True)
