"""Who sits at the table: one to four players; one alone plays two characters (T20.1)."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.errors import InputError

MOST_PLAYERS = 4
LONGEST_NAME = 30


def seats_of(players: int | None, names: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The characters in turn order, by the names given ("" where there is none), and whether one player plays alone.

    Raises :class:`InputError`: ``thorgal-players`` for a number that is not 1 to 4, ``thorgal-no-players`` if neither
    number nor names are given, ``thorgal-names`` if they disagree, ``thorgal-same-name`` for a name used twice.
    """
    clean = [_clean(name) for name in names]
    if players is None and not clean:
        raise InputError("thorgal-no-players")
    number = players if players is not None else len(clean)
    if not 1 <= number <= MOST_PLAYERS:
        raise InputError("thorgal-players", value=number)
    if clean and len(clean) != number:
        raise InputError("thorgal-names", n=len(clean), players=number)
    twice = [name for i, name in enumerate(clean) if name.casefold() in {other.casefold() for other in clean[:i]}]
    if twice:
        raise InputError("thorgal-same-name", name=twice[0])
    if number > 1:
        return tuple(clean or [""] * number), False
    return tuple(f"{clean[0]} {i}" if clean else "" for i in (1, 2)), True


def split_names(text: str | None) -> list[str]:
    """The names in “Anna, Bartek”; raises :class:`InputError` (``thorgal-empty-name``) for one that is empty."""
    return [] if text is None else [name.strip() for name in text.split(",")]


def _clean(name: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:LONGEST_NAME].strip()
    if not plain or plain.isdigit():
        raise InputError("thorgal-empty-name", name=plain)
    return plain
