"""The file that a game at the terminal is kept in: named at the beginning, in mid-game or when the people leave."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from thunderref.errors import InputError
from thunderref.model.saved import SavedGame
from thunderref.play.record import check_new, write
from thunderref.words.words import Words


class GameFile:
    """Where a sitting's game is kept. ``name`` is None until a file is named.

    ``document`` gives the game as it stands now; ``say`` prints a line, ``complain`` a remark.
    """

    def __init__(
        self,
        name: str | None,
        words: Words,
        document: Callable[[], SavedGame],
        say: Callable[[str], None],
        complain: Callable[[str], None],
    ) -> None:
        self.name = name
        self._words = words
        self._document = document
        self._say = say
        self._complain = complain
        self._own = {name}
        """The files that this sitting may write over."""
        self._failed = False
        self._kept: dict[str, Any] | None = None
        """What the file holds, the version of the program aside, if that is known."""

    def holds(self) -> None:
        """Notes that the game as it stands now is what the file holds."""
        self._kept = self._now()

    def _now(self) -> dict[str, Any]:
        return self._document().model_dump(exclude={"program"})

    def _written(self) -> None:
        """Writes the game into its file, unless nothing has happened since; raises :class:`InputError`."""
        name = self.name or ""
        if self._kept is None or self._kept != self._now() or not os.path.isfile(name):
            write(name, self._document())
            self.holds()

    def save(self, name: str = "") -> bool:
        """Saves into the named file, or the one the game is kept in; False, with a remark, if that cannot be done."""
        if not name and self.name is None:
            self._complain(self._words.say("play.which-file"))
            return False
        try:
            wanted = self._checked(name) if name else self.name or ""
            if wanted == self.name:
                self._written()
            else:
                write(wanted, self._document())
        except InputError as error:
            self._complain(self._words.error(error))
            return False
        self._own.add(wanted)
        if self.name is None:
            self.name = wanted
            self.holds()
        self._say(self._words.say("play.saved", file=wanted))
        return True

    def _checked(self, name: str) -> str:
        """The file that is meant; raises :class:`InputError` if it may not be written."""
        if not name.isprintable():
            raise InputError("play-odd-file")
        wanted = os.path.expanduser(name)
        if wanted not in self._own:
            check_new(wanted)
        return wanted

    def keep(self) -> None:
        """Saves in passing, when a turn is over: what fails is told once, and the game goes on."""
        if self.name is None:
            return
        try:
            self._written()
        except InputError as error:
            if not self._failed:
                self._complain(self._words.error(error))
            self._failed = True

    def close(self, ask: Callable[[], str] | None) -> bool:
        """Saves when the people leave; False if the game is kept nowhere.

        ``ask`` asks for the name of a file, again and again until one can be written or "" is given; None where there
        is nobody to ask: then a file that cannot be written raises :class:`InputError`.
        """
        if self.name is not None and ask is None:
            self._written()
            self._say(self._words.say("play.saved", file=self.name))
            return True
        if self.name is not None and self.save():
            return True
        if ask is None:
            return False
        self.name = None
        while name := ask():
            if self.save(name):
                return True
        return False
