"""What must hold for every best line, whatever the cards are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.compare import differences
from support.full_search import FullSearch, best_of_each
from support.tables import BASE_HALLS, BASE_HANDS, STORE, opening, scenarios
from thunderref.thunderstone.resolve.battles import NOTHING, battles, score
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import TargetResult
from thunderref.thunderstone.resolve.search import Search
from thunderref.thunderstone.resolve.upper_bound import Relaxation
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.choices import Attack, Choice, Equip, Order, Pick, Use, kind_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import find
from thunderref.thunderstone.rules.legal import legal_actions, play, targets
from thunderref.thunderstone.rules.position import Position

SWITCHES = sorted(STORE.switches)
"""The names of the open questions."""


def worth(result: TargetResult, goal: str) -> tuple[Any, ...]:
    """What the goal compares, from the public figures."""
    if result.outcome == "barred":
        return ("barred",)
    own = Counter(result.destroyed) - Counter(result.destroyed_foreign)
    cards = [STORE.cards[card] for card in own.elements()]
    lost = (-sum(card.vp or 0 for card in cards), -sum(card.cost or 0 for card in cards), -len(cards))
    assert result.margin is not None
    win = (result.outcome == "victory", *lost, result.margin)
    return (result.total, *win) if goal == "max" else win


@given(scenarios(most=5), st.randoms(use_true_random=False))
def test_the_order_of_the_hand_changes_nothing(document: dict[str, Any], shuffled: Any) -> None:
    hand = list(document["hand"])
    shuffled.shuffle(hand)
    goal = document["goal"]
    one = resolve(document)
    other = resolve({**document, "hand": hand})
    assert [(t.rank, t.monster, worth(t, goal)) for t in one.targets] == [
        (t.rank, t.monster, worth(t, goal)) for t in other.targets
    ]
    assert one.best == other.best


@given(scenarios(most=5))
def test_a_best_line_can_be_played_as_a_plan(document: dict[str, Any]) -> None:
    for result in resolve(document).targets:
        if not result.can_attack:
            continue
        (again,) = resolve({**document, "plan": result.line}).targets
        found, wanted = again.model_dump(), result.model_dump()
        for key in ("destroyed", "discarded", "gained"):
            found[key], wanted[key] = sorted(found[key]), sorted(wanted[key])
        for told in (found, wanted):  # the order of a plan is its player's, that of a best line is free (R4.9)
            told["readings"] = [rule for rule in told["readings"] if rule != "R4.9"]
            del told["other_readings"]
        assert found == wanted


@given(scenarios(most=4, hands=BASE_HANDS, halls=BASE_HALLS))
def test_one_more_torch_is_never_a_loss(document: dict[str, Any]) -> None:
    """True of the base set: the only card that a light item hurts is the Blind Grandmaster of Wrath."""
    document = {**document, "goal": "max", "dungeon": []}
    before = {(t.rank, t.monster): t for t in resolve(document).targets}
    after = {(t.rank, t.monster): t for t in resolve({**document, "hand": [*document["hand"], "torch"]}).targets}
    for key, result in before.items():
        if result.can_attack and key in after:
            assert after[key].can_attack
            assert result.total is not None
            assert (after[key].total or 0) >= result.total


@given(scenarios(most=4))
def test_a_plan_is_never_better_than_the_best_line(document: dict[str, Any]) -> None:
    """The plain attack, everything else left to the goal, is one of the lines the search has weighed."""
    goal = document["goal"]
    best = {(t.rank, t.monster): t for t in resolve(document).targets if t.can_attack}
    for plain in resolve({**document, "plan": []}).targets:
        if plain.can_attack and (plain.rank, plain.monster) in best:
            assert worth(best[plain.rank, plain.monster], goal) >= worth(plain, goal)


@given(scenarios(most=5), st.sets(st.sampled_from(SWITCHES), max_size=1))
def test_the_shortcuts_of_the_search_lose_nothing(document: dict[str, Any], readings: set[str]) -> None:
    """Without bounds, and with effects used in any order, the best worth against each monster is the same."""
    game, start = opening(document)
    game = game.changed(readings=frozenset(readings))
    short = Search(game, document["goal"])
    short.run(start)
    full = FullSearch(game, document["goal"], budget=5_000)
    full.run(start)
    if full.complete:
        assert short.complete
        assert best_of_each(start, short) == best_of_each(start, full)


@pytest.mark.parametrize(
    ("reading", "goal", "hand", "target"),
    [
        ("idle-weapons", "max", ["divine-chaplain", "cursed-mace"], "stone-golem"),
        ("converted-weapon", "max", ["clan-sergeant", "goodberries", "cursed-mace"], "colossus"),
    ],
)
def test_what_only_a_reading_allows_is_found(reading: str, goal: str, hand: list[str], target: str) -> None:
    """R5.4, R5.8: weapons of a hero who cannot attack, or whose Attack is turned, count; no bound may cut that off."""
    game, start = opening({"goal": goal, "hand": hand, "hall": [target]})
    elsewhere = game.changed(readings=frozenset({reading}))
    worths = []
    for search in (Search(game, goal), Search(elsewhere, goal), FullSearch(elsewhere, goal)):
        search.run(start)
        worths.append(best_of_each(start, search)[target])
    assert worths[1] == worths[2] > worths[0]


@pytest.mark.parametrize(
    ("goal", "hand", "hall", "more"),
    [
        ("max", "blind-grandmaster torch banish", "griffon nixie", {"dungeon": ["griffon"]}),
        ("max", "blind-grandmaster regian-priest outlands-warrior iron-rations", "griffon", {"deck": ["torch"]}),
        ("win", "disease disease disease spear amazon-huntress", "skaladak", {}),
        ("win", "elf-archmage creeping-death militia", "fire-wrath fire-wrath clay-golem", {"dungeon": ["nixie"]}),
        ("win", "elf-archmage banish militia", "fire-wrath fire-wrath clay-golem", {"dungeon": ["griffon", "nixie"]}),
        ("win", "elf-archmage thyrian-lord feast", "griffon griffon pegasus", {"dungeon": ["nixie", "sphinx"]}),
        ("max", "illusory-blade militia feast", "griffon", {"village": ["warhammer"]}),
        (
            "win",
            "fireball fireball fireball",
            "sphinx lava-torment",
            {"deck": ["thyrian-squire"], "dungeon": ["nixie", "griffon"]},
        ),
        (
            "max",
            "runespawn-adept iron-rations elf-archmage claymore",
            "lord-mortis spectre horde-6",
            {"dungeon": ["death-sentinel"]},
        ),
        (
            "win",
            "ambrosia chalice-paladin short-bow thyrian-lord",
            "haunt",
            {"deck": ["clan-commander"], "dungeon": ["blade-trap", "skaladak"]},
        ),
        (
            "max",
            "thyrian-lord iron-rations iron-rations battle-fury militia",
            "griknack-goblin tyxr-the-old griffon",
            {},
        ),
    ],
    ids=[
        "a light item destroyed makes the hero stronger",
        "a light item is better not drawn",
        "a thrown weapon cannot be destroyed in the battle",
        "monsters come that a spell can wound",
        "monsters come that a spell can move",
        "monsters come that can be taken",
        "a hero made stronger holds the weapon",
        "a hero is discarded off the deck before a breach destroys him",
        "a hero made stronger holds the weapon that takes a monster in preparation",
        "a hero helps the others before a trap destroys him",
        "a spell helps the heroes before a breach discards it",
    ],
)
def test_the_best_line_is_the_oracles(goal: str, hand: str, hall: str, more: dict[str, Any]) -> None:
    assert not differences({"goal": goal, "hand": hand.split(), "hall": hall.split(), **more})


@pytest.mark.parametrize(
    ("hand", "hall"),
    [
        (
            "magi-staff goodberries goodberries feayn-sniper gohlen-trapper redblade-poisoner",
            "lord-mortis horde-11 horde-12",
        ),
        (
            "magi-staff chalice-quester chalice-quester chalice-quester goodberries short-sword",
            "darkness tyxr-the-old judgement",
        ),
    ],
    ids=["no effect puts a monster back", "one effect brings a monster nearer by one rank"],
)
def test_no_search_waits_for_a_monster_at_a_rank_that_it_cannot_reach(hand: str, hall: str) -> None:
    game, start = opening({"goal": "win", "hand": hand.split(), "hall": hall.split()})
    search = Search(game, "win", wins_only=True)
    search.run(start)
    assert (search.complete, search.found, search.states) == (True, {}, 1)


@pytest.mark.parametrize(
    ("hand", "deck", "hall", "only", "most"),
    [
        ("magi-staff outlands-slayer redblade-killer thyrian-squire lorigg-rogue", "",
         "darkness horde-12 lord-of-death", None, 13),
        ("chalice-quester banish magical-aura goodberries arcane-energies selurin-magician", "outlands-khan",
         "horde-7 harbinger thunder-wrath", "thunder-wrath", 4),
    ],
    ids=["whoever loses the staff, the same follows", "no spell is tried out before a monster that bars who used one"],
)  # fmt: skip
def test_a_search_tries_nothing_that_decides_nothing(
    hand: str, deck: str, hall: str, only: str | None, most: int
) -> None:
    game, start = opening({"goal": "win", "hand": hand.split(), "deck": deck.split(), "hall": hall.split()})
    search = Search(game, "win", wins_once=only is not None, wins_only=only is not None)
    search.run(start, only=only and (only,))
    assert search.complete
    assert search.states <= most


@pytest.mark.parametrize(
    "hand",
    ["gangland-thug divine-healer blind-monk magi-staff magi-staff", "gangland-thug divine-healer blind-monk banish"],
    ids=["one after the other", "in a new order"],
)
def test_the_last_monster_is_brought_to_the_front(hand: str) -> None:
    document = {"goal": "max", "hand": hand.split(), "hall": ["horde-9", "horde-10", "horde-6"]}
    assert not differences(document)
    assert any(target.rank == 1 for target in resolve(document).targets if target.monster == "horde-6")


@pytest.mark.parametrize(("monster", "wins"), [("horde-12", False), ("griffon", True)])
def test_a_weapon_that_an_effect_puts_into_a_hand_leaves_the_bound_closed(monster: str, wins: bool) -> None:
    """R4.7: the Gladiator's own weapon comes back into the hands that the bound gives every weapon to anyhow."""
    hand = ["toryn-gladiator", "spear", "dagger", "lantern"]
    game, start = opening({"goal": "win", "hand": hand, "hall": [monster]})
    bounded, full = Search(game, "win", wins_only=True), FullSearch(game, "win")
    for search in (bounded, full):
        search.run(start)
    assert any(found.worth.victory for found in bounded.found.values()) is wins
    assert best_of_each(start, full)[monster].victory is wins
    assert not bounded.relaxation.relax(start).open


def test_a_weapon_is_thrown_before_it_is_asked_for() -> None:
    """R5.3: a spear thrown first need not be discarded when the Gladiator borrows one."""
    hand, others = ["militia", "feast", "toryn-gladiator", "spear"], [["polearm"]]
    game, start = opening({"goal": "max", "hand": hand, "hall": ["griffon"], "others": others})
    worths = []
    for search in (Search(game, "max"), FullSearch(game, "max")):
        search.run(start)
        worths.append(best_of_each(start, search))
    assert worths[0] == worths[1]


@pytest.mark.parametrize(
    ("document", "line", "target"),
    [
        (
            {"hand": "blind-grandmaster blind-grandmaster torch banish", "hall": "water-wrath", "dungeon": "griffon"},
            [Use(("banish", 1), 1), Order((0, 1, 2)), Pick("destroy", ("torch", 1))],
            "water-wrath",
        ),
        (
            {
                "hand": "torch creeping-death creeping-death", "hall": "horde-9 horde-8 lord-mortis", "deck": "banish",
                "dungeon": "griffon",
            },
            [Use(("creeping-death", 1), 1), Use(("creeping-death", 2), 1)],
            "griffon",
        ),
        ({"hand": "flaming-sword hatchet flaming-sword", "hall": "skaladak"}, [], "skaladak"),
        (
            {"hand": "feayn-archer hatchet", "hall": "water-wrath", "deck": "feayn-archer"},
            [Equip(("hatchet", 1), ("feayn-archer", 1))],
            "water-wrath",
        ),
        (
            {"hand": "thyrian-lord diin-enchanter short-bow cursed-mace", "hall": "darkness"},
            [Equip(("short-bow", 1), ("diin-enchanter", 1)), Equip(("cursed-mace", 1), ("thyrian-lord", 1))],
            "darkness",
        ),
        (
            {
                "hand": "goodberries ambrosia ambrosia ambrosia regian-bishop regian-bishop regian-priest",
                "hall": "griffon colossus",
            },
            [
                Use(("goodberries", 1), 1), Pick("on", ("regian-bishop", 1)),
                *(Use(("ambrosia", copy), 1) for copy in (1, 2, 3)),
            ],
            "colossus",
        ),
        (
            {"hand": "short-bow banish redblade-killer", "hall": "water-wrath ghost tyxr-the-old", "dungeon": "nixie"},
            [
                Equip(("short-bow", 1), ("redblade-killer", 1)), Use(("short-bow", 1), 1), Use(("banish", 1), 1),
                Order((2, 1, 0)), Pick("discard", ("banish", 1)), Pick("discard", ("redblade-killer", 1)),
            ],
            "tyxr-the-old",
        ),
    ],
    ids=[
        "one light item spares two heroes",
        "what dies of wounds costs no card",
        "weapons that nobody holds",
        "a hero not drawn who holds nothing",
        "the gift of an armed hero to one without a weapon",
        "figures that only another effect gives are converted",
        "what was to be destroyed is discarded first",
    ],
)  # fmt: skip
def test_no_named_line_exceeds_what_its_position_can_come_to(
    document: dict[str, str], line: list[Choice], target: str
) -> None:
    for goal in ("win", "max"):
        game, state = opening({"goal": goal} | {key: cards.split() for key, cards in document.items()})
        states = [state]
        for action in line:
            state, _ = play(game, state, action)
            states += [state] if not state.todo else []
        assert_possible(game, states, goal, target)


@given(scenarios(most=6), st.data(), st.integers(0, 6), st.sets(st.sampled_from(SWITCHES), max_size=2))
def test_no_battle_exceeds_what_its_position_can_come_to(
    document: dict[str, Any], data: st.DataObject, n: int, readings: set[str]
) -> None:
    """Whatever is played: total, victory and losses of the battle were possible by the relaxation of all before it."""
    game, start = opening(document)
    game = game.changed(readings=frozenset(readings))
    around = Surroundings(game, start)
    states = [start]
    state = start
    for number in range(60):
        options = [action for action in legal_actions(game, state) if is_tried(game, around, state, action)]
        if number >= n and not state.todo:
            options = [action for action in options if kind_of(action) in ("attack", "leave")]
        if not options or state.phase != "prepare":
            break
        action = options[data.draw(st.integers(0, len(options) - 1))]
        if kind_of(action) in ("attack", "leave"):
            break
        state, _ = play(game, state, action)
        if not state.todo and state.phase == "prepare":
            states.append(state)
    if state.todo or state.phase != "prepare" or around.in_order:
        return
    assert_possible(game, states, document["goal"])


def assert_possible(game: Game, states: list[Position], goal: str, target: str = "") -> None:
    """Every battle in the last of these positions was possible by the relaxation of it and of all before it."""
    search = Search(game, goal)
    relaxation = search.relaxation = Relaxation(game, Surroundings(game, states[0]))
    state = states[-1]
    asked = [(rank, place, foe) for rank, place, foe in targets(state) if target in ("", foe.card)]
    assert asked or not target
    for rank, place, foe in asked:
        for fought in fights(game, state, rank, place, goal):
            for before in states:
                hands = [
                    (other, hand.reach(other, there), left, lost)
                    for there, other, hand, left, lost in relaxation.prospects(before)
                    if (there, other.card) == (rank, foe.card)
                ]
                most = [
                    search.ceiling(before, other, reach, reach.most(rank, left), reach.lost(before, lost))
                    for other, reach, left, lost in hands
                ]
                left = [
                    search.ceiling(before, other, reach, reach.most(rank, relaxation.cards(state)), NOTHING)
                    for other, reach, _, _ in hands
                ]
                assert relaxation.relax(before).open or fought <= min(max(most), max(left))
            ready = relaxation.relax(state, follows=False).reach(foe, rank)
            assert fought <= search.ceiling(state, foe, ready, ready.base(rank), ready.lost(state))


def is_tried(game: Game, around: Surroundings, state: Position, action: Choice) -> bool:
    """False for effects that no search uses, so that what they bring need not be counted with."""
    if not isinstance(action, Use) or not action.effect:
        return True
    spec = game.cards[find(state, action.card)[0].face]
    return around.is_tried(spec, spec.dungeon[action.effect - 1], state)


def fights(game: Game, state: Position, rank: int, place: int, goal: str) -> Iterator[Any]:
    """The worth of every way a battle can go, up to its outcome; none if the target may not be attacked."""
    attack = Attack(rank, place)
    if attack in legal_actions(game, state):
        for fought, _ in battles(game, state, attack):
            yield score(game, fought, goal)


def test_an_order_with_unknown_cards_in_the_hall_can_be_played_again() -> None:
    document = {"goal": "max", "hand": ["banish", "banish"], "hall": ["air-wrath"], "deck": ["amazon-archer"] * 2}
    for result in resolve(document).targets:
        assert resolve({**document, "plan": result.line}).targets[0].total == result.total
