"""What the rules of a campaign demand of its later games holds under every way to change them (R9.2 to R9.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from support.several import several
from thunderref.errors import NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.finished import Setup
from thunderref.thunderstone.setup.generate import generate_setup

SEEDS = several(30, 200)
GROUPS = ("monsters", "features", "heroes", "village")
Document = dict[str, Any]


def faults(games: list[Document]) -> list[str]:
    """What is wrong with the last of these games of a campaign, by its document alone."""
    *before, now = games
    found: list[str] = []
    if not before:
        return found
    variant = now["variant"]
    if set(now["thunderstones"]) & set(before[-1]["thunderstones"]):
        found.append("the stone already won")
    barred = {"odyssey": ("heroes",), "pursuit": ("monsters", "features")}.get(variant, ())
    for kind in barred:
        again = set(now[kind]) & {card for game in before for card in game[kind]}
        found += [f"{kind}: {card}" for card in sorted(again)]
    left = next((layer for layer in now["dungeon"]["layers"] if layer["shuffle"] == 1), None)
    if (left["size"] if left else 0) != now["after"]["left"]:
        found.append("the cards left")
    size = {"monsters": 3, "heroes": 4, "village": 8}
    found += [f"{n} {kind}" for kind, n in size.items() if len(set(now[kind])) != n]
    return found


def changes(code: str, document: Document, random: SplitMix64) -> Iterator[dict[str, Any]]:
    """Every kind of drawing again: whole kinds, single slots, all but what is locked, with wishes."""
    cards = [*document["monsters"], *document["features"], *document["heroes"], *document["village"]]
    for group in GROUPS:
        yield {"reroll": [group]}
    yield {"reroll": [*GROUPS]}
    yield {"reroll": random.sample(cards, 1)}
    yield {"reroll": random.sample(cards, 3)}
    yield {"reroll": ["monsters"], "lock": random.sample(document["monsters"], 1)}
    yield {"lock": random.sample(cards, 3)}
    yield {"lock": ["village"]}
    yield {"reroll": ["heroes", "monsters"], "exclude": random.sample([*document["heroes"], *document["monsters"]], 2)}
    yield {"lock": ["village"], "exclude": [*document["thunderstones"]], "code": code}
    yield {"reroll": ["stone"]}
    yield {"lock": ["village"], "require": random.sample(["trap-death", "trap-dire", "guardian", "horde", "elf"], 1)}


def after(before: Setup, seed: int, random: SplitMix64, remains: bool) -> Setup:
    """The next game; a winner who has not won twice."""
    later = before.content.later
    winner = 1 if later is None else later.winner % before.content.players + 1
    left: Any = 0
    if before.content.variant == "pursuit":
        cards = [c["id"] for layer in before.model_dump()["dungeon"]["layers"] for c in layer["cards"]]
        beside = {"horde-placeholder": 3}
        drawn = sorted(random.sample([*dict.fromkeys([*cards, *before.content.features.guardians])], 4))
        left = [(card, beside.get(card, 1)) for card in drawn] if remains else 4
    return generate_setup(after=before.code, winner=winner, seed=seed, left=left)


def campaign(variant: str, seed: int, n: int, *, remains: bool = True) -> tuple[list[Document], Setup]:
    """The first ``n`` games of a campaign; each later one is also drawn again in a random way before it goes on."""
    random = SplitMix64(seed)
    game = generate_setup(variant=variant, seed=seed, players=2 + seed % 4)
    documents = [game.model_dump()]
    for number in range(1, n):
        game = after(game, seed + number, random, remains)
        assert not faults([*documents, game.model_dump()]), (seed, number)
        for change in random.sample([*changes(game.code, game.model_dump(), random)], 2):
            made = again(game, change, seed)
            game = made or game
        documents.append(game.model_dump())
    return documents, game


def again(game: Setup, change: dict[str, Any], seed: int) -> Setup | None:
    try:
        return generate_setup(**{"code": game.code, "seed": seed + 77, **change})
    except NoAnswerError as error:
        if error.code not in ("setup-stone-won", "setup-earlier-had", "setup-nothing-else", "setup-not-in-code"):
            raise
        return None


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("variant", "n", "remains"),
    [("odyssey", 2, True), ("crossing", 3, True), ("pursuit", 2, True), ("pursuit", 3, True), ("pursuit", 3, False)],
)
def test_no_way_to_change_a_later_game_breaks_its_rule(variant: str, n: int, remains: bool) -> None:
    wrong, made, refused = [], Counter[str](), Counter[str]()
    for seed in range(SEEDS):
        documents, game = campaign(variant, seed, n, remains=remains)
        for change in changes(game.code, documents[-1], SplitMix64(seed)):
            new = again(game, change, seed)
            kind = " ".join(change)
            if new is None:
                refused[kind] += 1
                continue
            made[kind] += 1
            document = new.model_dump()
            wrong += [(seed, change, fault) for fault in faults([*documents[:-1], document])]
            assert generate_setup(code=new.code).content == new.content
    assert not wrong, wrong[:5]
    assert made["reroll"] > 5 * SEEDS, "most ways to draw again find something"
    assert made["lock"] == 2 * SEEDS


def test_the_stone_already_won_is_not_asked_for() -> None:
    one = generate_setup(variant="odyssey", seed=3, players=2)
    (old,), (new,) = one.content.stones, one.table.aside
    two = generate_setup(after=one.code, winner=1, seed=4)
    for options in (
        {"after": one.code, "winner": 1, "require": [old]},
        {"after": one.code, "winner": 1, "exclude": [new]},
        {"code": two.code, "reroll": ["stone"]},
        {"code": two.code, "reroll": [new]},
        {"code": two.code, "reroll": ["village"], "require": [old]},
        {"code": two.code, "lock": ["village"], "exclude": [new]},
    ):
        with pytest.raises(NoAnswerError) as caught:
            generate_setup(**options)
        assert (caught.value.code, caught.value.params["cards"]) == ("setup-stone-won", (new,)), options
    for wish in ({"require": [new]}, {"exclude": [old]}):
        assert generate_setup(after=one.code, winner=1, seed=4, **wish).content == two.content
    swapped = generate_setup(code=one.code, reroll=["stone"], seed=8)
    assert swapped.content.stones[0] in (old, new), "the first game may be played for either"
