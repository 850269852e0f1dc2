"""The answers about grids as JSON documents; their sentences in the words of one language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from thunderref.thorgal import rules
from thunderref.thorgal.dice import Advice, Chance, face_name
from thunderref.thorgal.fields import HEAL, SIGNS
from thunderref.thorgal.fight import Fight
from thunderref.thorgal.gather import Gathering
from thunderref.thorgal.grid import Grid
from thunderref.thorgal.laying import Effect, drawing
from thunderref.thorgal.wander import Way, Ways, readings_of
from thunderref.thorgal.wounds import Board, Capacity, Heal, Taken
from thunderref.words.words import Words

GAME = "thorgal"
_WANDERING = (rules.WANDER_TILES, rules.WANDER_TOUCH, rules.WANDER_COLUMN, rules.RHOMBUS)


def effect_text(words: Words, effect: Effect) -> str:
    """What a covered field brings, as a sentence."""
    if effect.kind == HEAL and effect.size is not None:
        return words.say("thorgal.effect.heal-size", n=effect.size)
    return words.say(f"thorgal.effect.{effect.kind}")


def _effects(words: Words, effects: Sequence[Effect]) -> list[dict[str, Any]]:
    return [effect.document(effect_text(words, effect)) for effect in effects]


def _card(grid: Grid) -> dict[str, Any]:
    return {"text": grid.text, "rows": grid.height, "columns": grid.width}


def fight_document(words: Words, fight: Fight) -> dict[str, Any]:
    """The outcome of a fight."""
    return {
        "game": GAME,
        "card": _card(fight.grid),
        "order": list(fight.order),
        "picture": drawing(fight.grid, fight.pieces),
        "tiles": [piece.document(fight.grid) for piece in fight.pieces],
        "left_out": [tile.name for tile in fight.left_out],
        "outcome": "won" if fight.won else "lost",
        "hearts": {
            "total": fight.hearts,
            "covered": fight.hearts - len(fight.uncovered),
            "uncovered": [[row + 1, column + 1] for row, column in fight.uncovered],
        },
        "threat": {"held": fight.threat_held, "taken": fight.threat, "wound": fight.wound},
        "benefits": sum(effect.helps for effect in fight.effects),
        "penalties": sum(not effect.helps for effect in fight.effects),
        "effects": _effects(words, fight.effects),
        "rules": list(fight.rules),
        "readings": list(fight.readings),
        "proven": fight.proven,
        "steps": fight.steps,
    }


def fraction(value: Fraction) -> dict[str, Any]:
    """A chance as the outside contract writes it."""
    return {"fraction": str(value), "percent": round(float(value) * 100, 1)}


def chance_document(chance: Chance, rerolls: int) -> dict[str, Any]:
    """The chance to win before the roll."""
    used = [rules.ROLL]
    used += [rules.UPGRADE] * bool(chance.upgraded) + [rules.REROLL] * bool(rerolls)
    return {
        "game": GAME,
        "win": fraction(chance.win),
        "without": fraction(chance.plain),
        "dice": list(chance.dice),
        "upgrades": [{"from": before, "to": after} for before, after in chance.upgraded],
        "rerolls": rerolls,
        "exact": True,
        "rolls": chance.rolls,
        "rules": used,
        "readings": [rules.LAY_READING],
    }


def advice_document(words: Words, fight: Fight, now: Fraction, advice: Sequence[Advice], left: int) -> dict[str, Any]:
    """What the roll gives as it lies, and the chance after throwing each die again."""
    return {
        **fight_document(words, fight),
        "win": fraction(now),
        "rerolls": left,
        "advice": [{"die": a.colour, "face": face_name(a.face), "win": fraction(a.chance)} for a in advice],
    }


def way_document(words: Words, way: Way) -> dict[str, Any]:
    """One way to wander."""
    return {
        "picture": drawing(way.grid, way.pieces),
        "tiles": [piece.document(way.grid) for piece in way.pieces],
        "farthest": way.farthest + 1,
        "rhombus": [column + 1 for column in way.rhombus],
        "benefits": way.benefits,
        "penalties": way.penalties,
        "stopped": way.stopped,
        "unknown_cards": way.unknown,
        "effects": _effects(words, way.effects),
    }


def judged_document(words: Words, card: Grid, way: Way, column: str) -> dict[str, Any]:
    """A way to wander that the player chose."""
    return {
        "game": GAME,
        "card": _card(card),
        **way_document(words, way),
        "rules": list(_WANDERING),
        "readings": list(readings_of(column)),
    }


def wander_document(words: Words, card: Grid, found: Ways, goal: str, column: str, limit: int) -> dict[str, Any]:
    """The ways to wander, the best ``limit`` of them in full."""
    shown = found.ways[:limit] if limit else found.ways
    return {
        "game": GAME,
        "card": _card(card),
        "goal": goal,
        "count": len(found.ways),
        "complete": found.complete,
        "ways": [way_document(words, way) for way in shown],
        "rules": list(_WANDERING),
        "readings": list(readings_of(column)),
    }


def gather_document(card: Grid, found: Sequence[Gathering]) -> dict[str, Any]:
    """The fields that may take the token."""
    return {
        "game": GAME,
        "card": _card(card),
        "fields": [
            {
                "row": g.cell.row + 1,
                "column": g.cell.column + 1,
                "resource": g.resource,
                "amount": g.amount,
                "penalties": list(g.penalties),
            }
            for g in found
        ],
        "rules": [rules.GATHER, rules.GATHER_PENALTY],
        "readings": [rules.GATHER_OPEN],
    }


def wounds_document(
    board: Board, taken: Taken | None, capacities: Sequence[Capacity], healing: Sequence[Heal] | None
) -> dict[str, Any]:
    """What the wound board still bears."""
    return {
        "game": GAME,
        "rows": board.grid.height,
        "columns": board.grid.width,
        "wounds": [wound.document(board.grid) for wound in board.wounds],
        "taken": None
        if taken is None
        else {"tiles": [piece.document(board.grid) for piece in taken.laid], "dies": taken.dies},
        "capacity": [
            {
                "wound": c.wound.name,
                "most": c.most,
                "most_proven": c.most_proven,
                "surely": c.surely,
                "surely_proven": c.surely_proven,
            }
            for c in capacities
        ],
        "heals": None
        if healing is None
        else [{"letter": h.letter, "tile": h.tile.name, "size": h.tile.size} for h in healing],
        "rules": [rules.WOUND_TOUCH, rules.NO_ROOM, *([rules.WOUND_HEAL] if healing is not None else [])],
        "readings": [rules.WOUND_READING],
    }


def fields_document(names: Mapping[str, str]) -> dict[str, Any]:
    """The signs of the notation: kind -> name and signs, the first sign the one shown."""
    return {
        "game": GAME,
        "fields": [{"kind": kind, "signs": list(signs), "name": names[kind]} for kind, signs in SIGNS.items()],
    }
