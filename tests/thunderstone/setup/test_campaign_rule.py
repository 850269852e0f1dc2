"""What the rules of a campaign demand of its later games holds under every way to change them (R9.2 to R9.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from support.oracle.setups import faults as judged
from support.several import several
from thunderref.errors import NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.setup.setup import Setup, generate_setup

SEEDS = several(6, 60)
GROUPS = ("monsters", "features", "heroes", "village")
REFUSALS = {"setup-stone-won", "setup-earlier-had", "setup-nothing-else", "setup-not-in-code", "setup-impossible"}
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
        if error.code not in REFUSALS:
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
            found = [*faults([*documents[:-1], document]), *judged(document, documents[:-1])]
            wrong += [(seed, change, fault) for fault in found]
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


def pursuit(n: int = 1, **options: Any) -> Setup:
    """The ``n``-th game of a pursuit with the Horde, Dire traps and the Dark Champion in its first dungeon."""
    asked = {"require": ["horde", "trap-dire", "dark-champion"], "exclude": ["trap-death"], "players": 3}
    game = generate_setup(variant="pursuit", seed=4, **asked)
    for number in range(1, n):
        left = options if number == n - 1 else {"left": HORDE}
        game = generate_setup(after=game.code, winner=number, seed=4 + number, **left)
    return game


HORDE = [("horde-placeholder", 3), ("dark-champion", 1), ("horde-4", 1), ("the-cage", 2)]


def horde(document: Document) -> list[str]:
    return [card["id"] for stack in document["stacks"] if stack["id"] == "horde-deck" for card in stack["cards"]]


@pytest.mark.parametrize("n", [2, 3])
def test_the_horde_and_the_guardian_that_are_left_have_their_places(n: int) -> None:
    """As many Horde cards as placeholders, the highest, for the lowest went first (R1.3); rank 0 for the guardian."""
    game = pursuit(n, left=HORDE)
    document = game.model_dump()
    assert horde(document) == ["horde-10", "horde-11", "horde-12"]
    assert document["features"] in ([], ["trap-death"])
    told = "\n".join(document["steps"])
    assert "Horde 10; Horde 11; Horde 12." in told
    assert "Leave room for rank 0" in told
    assert told.index("7 cards left") < told.index("For each placeholder of “Horde”") < told.index("Leave room")
    by_code = generate_setup(code=game.code).model_dump()
    assert [by_code[key] for key in ("steps", "stacks", "after", "earlier")] == [
        document[key] for key in ("steps", "stacks", "after", "earlier")
    ], "the code says it too"
    (left,) = (layer for layer in by_code["dungeon"]["layers"] if layer["shuffle"])
    assert (left["size"], {card["id"]: card["count"] for card in left["cards"]}) == (
        7, {"horde-placeholder": 3, "dark-champion": 1},
    )  # fmt: skip


def test_without_names_the_steps_say_what_to_do_if() -> None:
    told = "\n".join(pursuit(2, left=7).model_dump()["steps"])
    assert "If there are placeholders of “Horde” among them" in told
    assert "If there is a guardian among them" in told
    without = generate_setup(variant="pursuit", seed=4, exclude=["horde", "guardian"])
    told = "\n".join(generate_setup(after=without.code, winner=1, seed=5, left=7).model_dump()["steps"])
    assert "among them" not in told


def test_survivors_of_the_first_game_are_known_in_the_third() -> None:
    one, two, three = pursuit(), pursuit(2, left=HORDE), pursuit(3, left=[("horde-placeholder", 2), ("the-cage", 1)])
    first, second = one.content, two.content
    assert three.content.later is not None
    earlier = three.content.later.earlier
    assert earlier is not None
    assert {*earlier.classes} == {*first.classes, *second.classes}
    assert {*earlier.traps, *earlier.guardians} == {*first.features.cards, *second.features.cards}
    assert not {*three.content.classes} & {*earlier.classes}
    assert three.content.features.guardians == ()


@pytest.mark.parametrize(
    ("left", "code"),
    [
        ([("horde-placeholder", 4)], "setup-not-left"),  # three came into the second game
        ([("horde-placeholder", 3), ("horde-10", 1)], "setup-not-left"),  # still in the Horde deck
        ([("horde-placeholder", 2), ("horde-10", 1)], None),
        ([("death-sentinel", 1)], "setup-not-left"),
        ([("the-cage", 3)], "setup-not-left"),
        ([("horde-placeholder", 3), ("the-cage", 2), ("dark-champion", 1), ("delirium-poison", 2)], "setup-not-left"),
        ([("the-cage", 1), ("the-cage", 2)], "setup-not-left"),
        ([("militia", 1)], "setup-not-left"),
        ([("nothing", 1)], "setup-bad-left"),
        ([("the-cage", -1)], "setup-bad-left"),
        (-1, "setup-bad-left"),
        (60, "setup-too-many-left"),
    ],
)
def test_what_can_be_left_of_the_second_game(left: Any, code: str | None) -> None:
    if code is None:
        pursuit(3, left=left)
        return
    with pytest.raises(NoAnswerError) as caught:
        pursuit(3, left=left)
    assert caught.value.code == code


@pytest.mark.parametrize("wish", ["horde", "trap-dire", "dark-champion", "guardian"])
def test_what_an_earlier_game_had_is_not_asked_for(wish: str) -> None:
    two, three = pursuit(2, left=HORDE), pursuit(3, left=3)
    for options in (
        {"after": two.code, "winner": 2, "require": [wish]},
        {"code": two.code, "reroll": ["monsters", "features"], "require": [wish]},
        {"code": three.code, "lock": ["heroes"], "require": [wish]},
    ):
        with pytest.raises(NoAnswerError) as caught:
            generate_setup(**options)
        assert caught.value.code == "setup-earlier-had", options


def test_a_pursuit_without_a_next_game_is_refused() -> None:
    """Both boxes hold 12 classes: two games of six (R9.3)."""
    with pytest.raises(NoAnswerError) as caught:
        generate_setup(variant="pursuit", monsters=7)
    assert (caught.value.code, caught.value.params["most"], caught.value.params["classes"]) == (
        "setup-no-next-game", 6, 12,
    )  # fmt: skip
    assert len(generate_setup(variant="crossing", monsters=7, seed=1).content.classes) == 7
    for monsters, games in ((6, 2), (5, 2), (4, 3)):
        game = generate_setup(variant="pursuit", monsters=monsters, seed=1, players=4)
        for number in range(1, games):
            assert any(f"for {games} games" in line for line in game.model_dump()["warnings"])
            game = generate_setup(after=game.code, winner=number, seed=number)
        with pytest.raises(NoAnswerError) as caught:
            generate_setup(after=game.code, winner=games, seed=1)
        assert caught.value.code == "setup-classes-used-up"
        assert caught.value.params == {"classes": 12 - games * monsters, "asked": monsters}


def test_wishes_that_leave_too_little_name_the_campaign() -> None:
    one = generate_setup(variant="pursuit", monsters=4, seed=1)
    free = [name for name in generate_setup().cat.pool.classes if name not in one.content.classes]
    with pytest.raises(NoAnswerError) as caught:
        generate_setup(after=one.code, winner=1, exclude=free[:5])
    assert caught.value.code == "setup-impossible"
    kinds = [wish.kind for wish in caught.value.params["wishes"]]
    assert kinds.count("campaign") == 1
    assert kinds.count("exclude") == 5


OLD = {"pursuit": "37B4FVRLWY2KKN5MAHG", "odyssey": "377ZCAK2LWCTVYF682B"}
"""Codes of second games from before codes told of earlier ones."""


@pytest.mark.parametrize("variant", OLD)
def test_an_old_code_says_that_it_does_not_tell(variant: str) -> None:
    old = generate_setup(code=OLD[variant])
    assert old.content.later is not None
    assert old.content.later.earlier is None
    assert old.code == OLD[variant]
    drawn = generate_setup(code=OLD[variant], reroll=["heroes"], seed=3).model_dump()
    assert any("--exclude" in line for line in drawn["warnings"])
    assert not any("--exclude" in line for line in generate_setup(code=drawn["code"]).model_dump()["warnings"])


def test_the_third_game_after_an_old_code_takes_what_survived() -> None:
    """The second game had six cards left of the first, which the code does not name."""
    left = [("blink-dog", 1), ("gray-ooze", 2), ("horde-placeholder", 4)]
    third = generate_setup(after=OLD["pursuit"], winner=1, left=left, seed=6)
    assert third.content.later is not None
    assert third.content.later.earlier is not None
    assert third.content.later.earlier.classes == ("enchanted", "ooze", "golem", "horde"), (
        "the second game and the ooze"
    )
    assert any("--exclude" in line for line in third.model_dump()["warnings"])
    assert generate_setup(code=third.code).content == third.content
    for odd in ([("gray-ooze", 2), ("kingdom", 3), ("famine", 2)], [("militia", 1)]):
        with pytest.raises(NoAnswerError, match="setup-not-left"):
            generate_setup(after=OLD["pursuit"], winner=1, left=odd, seed=6)
