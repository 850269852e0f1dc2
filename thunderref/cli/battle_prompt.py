"""Asks for the hand and the hall of a battle, line by line, at a terminal; names complete while they are typed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from thunderref.cli.command import entries_of
from thunderref.cli.render import columns, wrap
from thunderref.cli.session import Session
from thunderref.cli.streams import unwrap
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.query import card_names, continue_name
from thunderref.thunderstone.resolve.start import (
    HALL_KINDS,
    HAND_KINDS,
    Finder,
    hall_of,
    hand_of,
    split_battle,
    split_hall,
)


class Names(Completer):
    """Completes the card that is being typed in a list of cards."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """The lines that the text before the cursor may become, shown as the name that is new in them."""
        text = document.text_before_cursor
        if not text.strip() and not complete_event.completion_requested:
            return
        for line in continue_name(self.names, (), text):
            kept = next((at for at, (old, new) in enumerate(zip(text, line, strict=False)) if old != new), len(text))
            kept = max(text.rfind(sign, 0, kept) for sign in ", ") + 1
            yield Completion(line[kept:], kept - len(text))


class BattlePrompt:
    """Asks again until what is typed can be understood, and shows what was understood.

    Its methods raise EOFError or KeyboardInterrupt if who is asked leaves.
    """

    def __init__(self, run: Session) -> None:
        self.words = run.words
        self.find = Finder(run.database, run.language)
        self.against = ""
        """What was typed for the hall together with the hand."""
        self.session: PromptSession[str] = PromptSession(
            input=create_input(sys.stdin), output=create_output(unwrap(sys.stdout)), complete_while_typing=True
        )

    def hand(self) -> list[str]:

        def read(typed: str) -> tuple[list[str], str]:
            own, against = split_battle(typed)
            entries, self.against = entries_of(own) or [], (against or "").strip()
            counted = Counter(map(self.words.card, hand_of(entries, self.find))).items()
            return entries, ", ".join(f"{n}× {card}" if n > 1 else card for card, n in counted)

        return self._ask("resolve.ask.hand", HAND_KINDS, read, "")

    def hall(self) -> list[str]:
        """The ranks of the hall; what follows ``vs`` in the line of the hand is there already, to be confirmed."""

        def read(typed: str) -> tuple[list[str], str]:
            ranks = split_hall(typed, self.words.database)
            foes = enumerate(hall_of(ranks, self.find), 1)
            told = [
                self.words.say("resolve.rank", rank=n, card=self.words.card(foe.card)) for n, foe in foes if foe.card
            ]
            if not told:
                raise InputError("empty-hall", why="asked")
            return ranks, ", ".join(told)

        return self._ask("resolve.ask.hall", HALL_KINDS, read, self.against)

    def _ask(
        self, key: str, kinds: frozenset[str], read: Callable[[str], tuple[list[str], str]], typed: str
    ) -> list[str]:
        database = self.words.database
        names = Names(card_names(database, self.words.lang, kinds, database.tonight))
        while True:
            typed = self.session.prompt(f"{self.words.say(key)} ", completer=names, default=typed)
            try:
                entries, understood = read(typed)
            except ThunderrefError as error:
                print("\n".join(wrap(self.words.error(error), columns(), 2)))
            else:
                print("\n".join(wrap(understood, columns(), 2)))
                return entries
