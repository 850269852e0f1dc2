"""Which options can act: by the way a set-up comes about, and beside which variant, first game or theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from thunderref.database.records import FixedSetup, Variant
from thunderref.errors import NoAnswerError

if TYPE_CHECKING:
    from thunderref.thunderstone.setup.request import SetupOptions, Wish

WISHES = frozenset({"require", "exclude"})
ALWAYS = frozenset({"why", "avoid", "banned"})  # avoidances may be given up, bans are overridden
CAMPAIGN = frozenset({"winner", "scores", "left"})
CHANGING = frozenset({"lock", "reroll"})
ACTING: Mapping[str, frozenset[str]] = {
    "code": ALWAYS | {"code"},
    "again": ALWAYS | WISHES | CHANGING | {"code", "seed"},
    "after": ALWAYS | WISHES | CAMPAIGN | {"after", "seed"},
}
"""The options that act when a code is laid out again, changed, or followed by the next game of its campaign."""
CODES = {"code": "setup-code-options", "again": "setup-again-options", "after": "setup-after-options"}
ONE = ("mystery", "agony")


class Clash(NamedTuple):
    """``option`` cannot act beside ``beside``: the error ``code`` says why and what to do."""

    code: str
    option: str
    beside: str
    when: Callable[[SetupOptions, Variant, FixedSetup | None], bool]


CLASHES = (
    Clash("setup-two-layouts", "theme", "first_game", lambda o, _, __: None not in (o.theme, o.first_game)),
    Clash("setup-fixed-balanced", "balanced", "layout", lambda o, _, fixed: o.balanced and fixed is not None),
    Clash("setup-level", "level", "variant", lambda o, variant, _: o.level is not None and not variant.levels),
    Clash("setup-epic-stones", "stone", "variant", lambda o, v, _: v.dungeon == "epic" and o.stone in ONE),
    Clash("setup-campaign-stone", "stone", "variant", lambda o, v, _: v.campaign and o.stone == "both"),
)  # fmt: skip
"""The options that cannot act beside another; numbers that do not fit are refused where they are read."""


def way_of(options: SetupOptions) -> str:
    """How a set-up comes about: ``code``, ``again`` (its slots drawn again), ``after`` (the next game) or ``draw``.

    Raises :class:`NoAnswerError` for options that cannot act in this way.
    """
    given = [each.name for each in fields(options) if is_given(getattr(options, each.name), each.default)]
    if "after" in given:
        way = "after"
    elif "code" in given:
        way = "again" if CHANGING & {*given} else "code"
    elif CAMPAIGN & {*given}:
        raise NoAnswerError("setup-needs-after")
    elif CHANGING & {*given}:
        raise NoAnswerError("setup-needs-code")
    else:
        return "draw"
    idle = [name for name in given if name not in ACTING[way]]
    if idle:
        raise NoAnswerError(CODES[way], options=", ".join(map(flag, idle)))
    return way


def is_given(value: Any, default: Any) -> bool:
    return value is not None and value != default and value not in ([], ())


def refuse_clashes(options: SetupOptions, variant: Variant, fixed: FixedSetup | None) -> None:
    """Raises :class:`NoAnswerError` for an option that cannot act beside another."""
    for clash in CLASHES:
        if clash.when(options, variant, fixed):
            layout = {} if fixed is None else {"layout": fixed.id}
            raise NoAnswerError(clash.code, variant=variant.id, level=options.level, asked=options.stone, **layout)


def flag(name: str) -> str:
    return "--set" if name == "sets" else f"--{name.replace('_', '-')}"


def written(wish: Wish) -> str:
    """A wish as it is typed, its card by id: ``--require elf``, ``--set base --set wrath``, ``--balanced``."""
    name = flag(wish.kind)
    if wish.slot == "any" and wish.kind in ("require", "exclude"):
        return f'{name} "{wish.card}"'
    return " ".join(f"{name} {value}".rstrip() for value in wish.card.split(", "))
