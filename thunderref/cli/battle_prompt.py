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
from thunderref.database.card_records import HALL_KINDS, HAND_KINDS
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.query import card_names, continue_name
from thunderref.search.understand import reader, split_hall
from thunderref.thunderstone.resolve import start


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


def ask_battle(run: Session) -> dict[str, list[str]]:
    """The hand and the hall, each asked for again until it can be understood; shows what was understood.

    What follows ``vs`` in the line of the hand is the hall already, to be confirmed. Raises EOFError or
    KeyboardInterrupt if who is asked leaves.
    """
    words, find, against = run.words, start.Finder(run.database, run.language), ""
    session: PromptSession[str] = PromptSession(
        input=create_input(sys.stdin), output=create_output(unwrap(sys.stdout)), complete_while_typing=True
    )

    def read_hand(typed: str) -> tuple[list[str], str]:
        nonlocal against
        own, after, _ = reader(words).split_battle(typed)
        entries, against = entries_of(own) or [], (after or "").strip()
        counted = Counter(map(words.card, start.hand_of(entries, find))).items()
        return entries, ", ".join(f"{n}× {card}" if n > 1 else card for card, n in counted)

    def read_hall(typed: str) -> tuple[list[str], str]:
        ranks = split_hall(typed, words)
        foes = enumerate(start.hall_of(ranks, find), 1)
        told = [words.say("resolve.rank", rank=n, card=words.card(foe.card)) for n, foe in foes if foe.card]
        if not told:
            raise InputError("empty-hall", why="asked")
        return ranks, ", ".join(told)

    def ask(key: str, kinds: frozenset[str], read: Callable[[str], tuple[list[str], str]], typed: str) -> list[str]:
        names = Names(card_names(run.database, run.language, kinds))
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
