"""Wishes and options that cannot be met together: a smallest set of them, found by leaving out one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from thunderref.errors import NoAnswerError, ThunderrefError
from thunderref.thunderstone.setup.acting import is_given, written
from thunderref.thunderstone.setup.catalogue import BOXES, PROMO, Catalogue
from thunderref.thunderstone.setup.choose import can_be_met, smallest
from thunderref.thunderstone.setup.request import SetupOptions, Wish, check_options
from thunderref.thunderstone.setup.wishes import read_mix

OPTIONS = ("balanced", "level", "stone", "monsters", "players", "first_game", "theme", "variant", "sets")
"""Options that count as wishes, in the order of leaving them out: those that need another one before it."""


def name_clash(error: ThunderrefError, options: SetupOptions, wishes: Sequence[Wish], cat: Catalogue) -> None:
    """Adds to the refusal of a draw what clashes in it; ``why``: it would fit with more boxes."""
    clash = clash_of(options, wishes, cat) or error.params.get("wishes", ())
    if len(clash) > 1 or error.code == "setup-impossible":
        error.params["clash"] = [written(wish) for wish in clash]
    if error.code == "setup-impossible":
        more = replace(options, sets=[*BOXES, PROMO])
        error.params |= {"wishes": clash, "n": len(clash)} | ({"why": "sets"} if fits(more, wishes, cat) else {})


def clashing(clash: Sequence[Wish], why: str) -> NoAnswerError:
    """The refusal of wishes that clash; ``why`` as in the messages."""
    typed = [written(wish) for wish in clash]
    return NoAnswerError("setup-impossible", wishes=tuple(clash), clash=typed, n=len(clash), why=why)


def clash_of(options: SetupOptions, wishes: Sequence[Wish], cat: Catalogue) -> tuple[Wish, ...]:
    """A smallest set of wishes and options of a draw that cannot be met together; () if all can.

    Without any one of them there is a set-up of the boxes in use; ``sets`` is among them if there is one without it.
    """
    asked = [(name, getattr(options, name)) for name in OPTIONS]
    given = [Wish(name, "option", _text(value)) for name, value in asked if is_given(value, False)]
    free = [*BOXES, PROMO] if options.sets or options.mix else _boxes(options, cat)

    def possible(kept: Sequence[Wish], boxes: list[str] | None = free) -> bool:
        values: dict[str, Any] = {name: getattr(options, name) for name, slot, _ in kept if slot == "option"}
        if options.mix and not options.sets and any(wish.kind == "mix" for wish in kept):
            boxes = [*read_mix(options.mix)]
        wanted = [wish for wish in kept if wish.slot != "option"]
        return fits(SetupOptions(**({"sets": boxes} | values)), wanted, cat)

    clash = smallest([*given, *(wish for wish in wishes if wish.kind != "avoid")], possible)
    rest = [wish for wish in clash if wish.kind != "sets"]
    return tuple(clash if len(rest) < len(clash) and possible(rest, None) else rest)


def _boxes(options: SetupOptions, cat: Catalogue) -> list[str]:
    """The boxes that a draw without ``--set`` uses."""
    alone = SetupOptions(variant=options.variant, first_game=options.first_game, theme=options.theme)
    try:
        return [*check_options(alone, (), cat).sets]
    except ThunderrefError:
        return [*BOXES]


def fits(options: SetupOptions, wishes: Sequence[Wish], cat: Catalogue) -> bool:
    try:
        return can_be_met(check_options(options, wishes, cat), cat)
    except ThunderrefError:
        return False


def _text(value: object) -> str:
    return "" if value is True else ", ".join(value) if isinstance(value, list | tuple) else str(value)
