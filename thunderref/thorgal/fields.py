"""What a field of a card may carry, and the signs it is typed with.

One sign is one field. Where Latin and Cyrillic letters look alike they mean the same, and a letter that stands for
different things in English, Polish and Russian stands for nothing: resources are the digits 1 to 7.
"""

from __future__ import annotations

from typing import NamedTuple

HEART, YELLOW, RED = "heart", "yellow", "red"
TORCH, HEAL, FIND, HOLE, COVERED, TOKEN = "torch", "heal", "find", "hole", "covered", "token"
RESOURCES = ("wood", "ore", "parchment", "fire", "lightning", "trident", "diamond")
STARS = ("red-star", "green-star")
BENEFITS = frozenset((TORCH, *RESOURCES, *STARS, HEAL, FIND))
PENALTIES = frozenset((YELLOW, RED))
GATHERED = frozenset((TORCH, *RESOURCES))
"""What a gathering token may be put on."""
PLAIN_SIGNS = "._·"
"""Signs of a field that carries nothing."""

SIGNS: dict[str, str] = {
    HEART: "HНС♥",
    YELLOW: "YУЖŻ",
    RED: "RКK",
    TORCH: "TТ",
    "wood": "1WД",
    "ore": "2U",
    "parchment": "3PП",
    "fire": "4F",
    "lightning": "5",
    "trident": "6Ш",
    "diamond": "7DA\N{CYRILLIC CAPITAL LETTER A}",
    "red-star": "*",
    "green-star": "GГ",
    HEAL: "+",
    FIND: "?",
    HOLE: "#",
    COVERED: "X\N{CYRILLIC CAPITAL LETTER HA}",
    TOKEN: "@",
}
"""Kind -> the signs it may be typed with, in either case; the first one is shown."""
KINDS: dict[str, str] = {sign: kind for kind, signs in SIGNS.items() for sign in signs}


class Field(NamedTuple):
    """One field: what it carries (kinds in the order of :data:`SIGNS`) and the size of wound its heal names."""

    kinds: tuple[str, ...] = ()
    heal: int | None = None

    @property
    def open(self) -> bool:
        """True if a tile or token may lie here: neither outside the card nor covered."""
        return not {HOLE, COVERED, TOKEN} & set(self.kinds)

    @property
    def benefits(self) -> int:
        """How many things that help are gained by covering the field."""
        return len(BENEFITS & set(self.kinds))

    @property
    def penalties(self) -> int:
        """How many effects at the foot of the card covering the field sets off."""
        return len(PENALTIES & set(self.kinds))

    @property
    def sign(self) -> str:
        """The field as it is typed: one sign, or several in brackets."""
        if not self.kinds:
            return PLAIN_SIGNS[0]
        signs = "".join(SIGNS[kind][0] + (str(self.heal or "") if kind == HEAL else "") for kind in self.kinds)
        return signs if len(signs) == 1 else f"[{signs}]"


def kind_of(sign: str) -> str | None:
    """The kind a sign stands for; None for a sign nobody knows."""
    return KINDS.get(sign.upper())


def field_of(signs: str) -> Field | None:
    """The field of these signs, all on one field (``y3``, ``+2``, ``.``); None if a sign is unknown."""
    kinds: set[str] = set()
    heal: int | None = None
    last = ""
    for sign in signs:
        if last == "+" and sign in "123456789":
            heal = int(sign)
        elif sign not in PLAIN_SIGNS:
            kind = kind_of(sign)
            if kind is None:
                return None
            kinds.add(kind)
        last = sign
    return Field(tuple(kind for kind in SIGNS if kind in kinds), heal)
