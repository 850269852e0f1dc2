"""What is said of a hero with a weapon against a monster agrees with the oracle: the verdict, and the total."""

from __future__ import annotations

from random import Random

import pytest

import thunderref
from support import oracle
from support.several import several
from thunderref.database.read import Language, open_database
from thunderref.thunderstone.resolve.pairs import fight

COUNT = several(15, 2_000)
pytestmark = pytest.mark.thorough


def test_hero_weapon_and_monster() -> None:
    database, random = open_database(), Random(34)
    words = Language(database, "en")
    cards = [card for card in database.cards.values() if card.reprint_of is None]
    heroes = [card for card in cards if card.is_hero]
    weapons = [card for card in cards if "weapon" in card.types]
    monsters = [card for card in cards if card.kind == "monster" and card.health]
    compared, found = 0, list[str]()
    for _ in range(COUNT):
        hero, weapon, monster = (random.choice(kind).id for kind in (heroes, weapons, monsters))
        rank, hand = random.choice((1, 2, 3)), [hero, weapon]
        hall = [None] * (rank - 1) + [monster]
        try:
            most, win = (
                oracle.judge({"hand": hand, "hall": hall, "goal": goal, "target": rank}).best.get((monster, rank))
                for goal in ("max", "win")
            )
        except oracle.NotCoveredError:
            continue
        compared += 1
        mine = fight(words, hand, monster, rank, {})
        names = [database.names_of("card", "en")[card].name for card in (hero, weapon, monster)]
        asked = f"can {names[0]} with {names[1]} beat {names[2]} in rank {rank}"
        said = thunderref.ask(asked).answer["verdict"]
        theirs = most and most.total, "yes" if win and win.victory else "no"
        if (mine.total, said) != theirs:
            found.append(f"{asked}: {mine.total}, {said}; the oracle: {theirs}")
    assert not found
    assert compared >= COUNT * 8 // 10
