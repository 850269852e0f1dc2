"""Every task there is comes up, in random games or in a position laid out for it, and every answer to it is played."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from support.random_games import moves, start
from support.seats import DUNGEON, at_table, attack, choose, do, use
from support.tables import opening
from thunderref.thunderstone.bots.beginners import draw_choice
from thunderref.thunderstone.rules.choices import Choice
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import HANDLERS, advance, legal_actions, play
from thunderref.thunderstone.rules.notation import step_of
from thunderref.thunderstone.rules.position import Position, Task, replace
from thunderref.thunderstone.rules.turns import shuffle

GAMES = range(36)
STEPS = 250
"""So many of each game are looked at."""
DEEP = 60
"""So many decisions of a position laid out are followed."""
GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, lantern"
LAID_OUT: list[tuple[tuple[str, ...], dict[str, Any], tuple[Choice, ...]]] = [
    (("selurin-theurge, militia, fireball", "militia, thyrian-squire"), {}, (DUNGEON, use("selurin-theurge"))),
    (("illusory-blade, thyrian-squire", ""), {}, (DUNGEON, use("illusory-blade"))),
    (("foresight-elixir", ""), {"dungeon": f"nixie, griffon, {GHOSTS}"}, (DUNGEON, use("foresight-elixir"))),
    (
        ("gohlen-hunter, gohlen-hunter, gohlen-hunter, lantern", "nixie"),
        {"hall": ("griffon",), "dungeon": GHOSTS},
        (DUNGEON, use("gohlen-hunter"), choose("discard", "nixie"), attack(1)),
    ),
    (("runespawn-witch", "militia, fireball"), {}, (DUNGEON, use("runespawn-witch", 2))),
    (("elf-archmage, militia", "militia"), {"dungeon": f"blade-trap, {GHOSTS}"}, (DUNGEON, use("elf-archmage"))),
    (("fireball, fireball, fireball, torch", ""), {"hall": ("sphinx", "griffon", "nixie")}, (DUNGEON, attack(1))),
    (("diin-enchanter, militia", ""), {}, (DUNGEON, use("diin-enchanter"))),
    ((f"elf-sorcerer, {STRONG}", ""), {"dungeon": GHOSTS}, (DUNGEON, attack(1))),
    (("thyrian-lord, iron-rations", ""), {"dungeon": GHOSTS}, (DUNGEON, use("thyrian-lord"))),
    (("clay-golem, militia", ""), {"dungeon": GHOSTS}, (DUNGEON, attack(1))),
    (("creeping-death", ""), {"dungeon": GHOSTS}, (DUNGEON, use("creeping-death"))),
    (("chalice-paladin, dwarf-janissary, lantern, feast", ""), {"dungeon": GHOSTS}, (DUNGEON, attack(1))),
]
"""Hands, the rest of the table, and what is played first, for tasks that random games seldom bring."""
DESCRIBED: list[dict[str, Any]] = [
    {"hand": ["selurin-theurge", "militia"], "hall": ["griffon"]},
    {"hand": ["fireball", "fireball", "fireball"], "hall": ["sphinx"], "deck": ["militia", "disease"]},
    {"hand": ["torch", "torch"], "hall": ["thunder-wrath"]},
    {"hand": ["banish"], "hall": ["griffon", "smoke-torment", "nixie"], "deck": ["militia", "dagger"]},
    {"hand": ["battle-fury", "militia"], "hall": ["griffon"], "readings": ["when-counted"]},
    {"hand": ["outlands-khan", "claymore", "feast"], "hall": ["griffon", "nixie", "sphinx"], "plan": []},
]
"""Scenarios for the tasks of which a game has others."""


def tried(game: Game, position: Position) -> None:
    """Every answer is played and written, and the program's own player can answer whatever chance says."""
    options = legal_actions(game, position)
    if not options:
        return
    for chance in (0.0, 0.37, 0.74, 0.999):
        assert draw_choice(game, position, options, lambda chance=chance: chance) in options
    for option in options if position.todo else ():
        assert step_of(position, option)
        assert play(game, position, option)[0] != position


def followed(game: Game, position: Position) -> None:
    """Everything that may come of a position is tried, as far as :data:`DEEP` decisions go."""
    waiting, seen = [position], set[Position]()
    while waiting and len(seen) < DEEP:
        here = waiting.pop()
        wanted = shuffle_of(here)
        if wanted is not None:
            here = shuffle(game, here, wanted.cards)[0]
        if here in seen or here.phase == "over":
            continue
        seen.add(here)
        tried(game, here)
        waiting += [play(game, here, option)[0] for option in legal_actions(game, here)]


@pytest.fixture
def met(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each task is carried out."""
    found: Counter[str] = Counter()

    def counting(name: str, apply: Any) -> Any:
        def carried_out(*args: Any) -> Any:
            found[name] += 1
            return apply(*args)

        return carried_out

    for name, (options, apply) in list(HANDLERS.items()):
        monkeypatch.setitem(HANDLERS, name, (options, counting(name, apply)))
    return found


def test_every_answer_to_every_task_can_be_played(met: Counter[str]) -> None:
    for number in GAMES:
        record = start(number)
        for _ in islice(moves(record), STEPS):
            tried(record.game, record.position)
    for hands, table, actions in LAID_OUT:
        game, position = at_table(*hands, **table)
        followed(game, do(game, position, *actions))
    for document in DESCRIBED:
        followed(*opening({"goal": "win", **document}))
    game, position = at_table("", "", hall=("thunder-wrath", "griffon", "nixie"), dungeon=GHOSTS)
    followed(game, play(game, replace(do(game, position, DUNGEON), hand=()), attack(1))[0])
    game, position = at_table("", "", variant="marauding", dungeon=GHOSTS)
    late = replace(do(game, position, DUNGEON), phase="end", todo=(Task("penalty"),))
    followed(game, advance(game, late, []))
    missed = sorted(set(HANDLERS) - set(met))
    assert not missed, f"never met: {missed}"
