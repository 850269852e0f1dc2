"""The file of a game at the terminal: named at the beginning, in mid-game or when the people leave."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from thunderref.cli.play.terminal import Terminal
from thunderref.errors import InputError
from thunderref.files import check_place, only_writer, read_text, write_text
from thunderref.thunderstone.table.save_file import SavedGame, text_of


class GameFile:
    """Where a sitting's game is kept: ``name`` is None until a file is named, ``document`` gives the present game.

    Overwrites a file that was there before only with ``replace``; never one that somebody else has changed since it
    was last read or written.
    """

    def __init__(
        self, name: str | None, terminal: Terminal, document: Callable[[], SavedGame], *, replace: bool = False
    ) -> None:
        self.name = name
        self._terminal = terminal
        self._document = document
        self._own = {name} if replace else set()
        """The files that this sitting may overwrite."""
        self._failed = False
        self._kept: dict[str, Any] | None = None
        """The content of the file without the program's version, if known."""
        self._text: str | None = None
        """The exact text of the file, if known."""

    def note(self) -> None:
        """Notes that the file holds the present game."""
        assert self.name is not None
        self._holds(self._document(), read_text(self.name))

    def _holds(self, saved: SavedGame, text: str) -> None:
        self._own.add(self.name)
        self._kept, self._text = saved.model_dump(exclude={"program"}), text

    def _write(self, name: str) -> None:
        saved = self._document()
        if self._kept == saved.model_dump(exclude={"program"}) and os.path.isfile(name):
            return
        with only_writer(name):
            if self._text is not None and os.path.isfile(name) and read_text(name) != self._text:
                raise InputError("file-changed", file=name)
            text = text_of(saved)
            write_text(name, text, replace=name in self._own)
        self._holds(saved, text)

    def save(self, name: str = "") -> bool:
        """Saves into the named file, or the game's own; False, with a remark, if that fails."""
        try:
            wanted = self._checked(name) if name else self.name
            if wanted is None:
                self._terminal.complain(self._terminal.words.say("play.which-file"))
                return False
            if wanted == self.name:
                self._write(wanted)
            else:
                write_text(wanted, text_of(self._document()), replace=wanted in self._own)
        except InputError as error:
            if error.code == "file-exists":
                error.params["why"] = "play"  # no options can be typed here
            self._terminal.complain(self._terminal.words.error(error))
            return False
        self._own.add(wanted)
        if self.name is None:
            self.name = wanted
            self.note()
        self._terminal.tell("play.saved", file=wanted)
        return True

    def _checked(self, name: str) -> str:
        if not name.isprintable():
            raise InputError("play-odd-file")
        wanted = os.path.expanduser(name)
        if wanted not in self._own:
            check_place(wanted)
        return wanted

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
