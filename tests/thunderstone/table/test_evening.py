"""An evening kept event by event is the table of the game that was played."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.thunderstone.resolve.documents import Scenario
from thunderref.thunderstone.resolve.final_score import final_score
from thunderref.thunderstone.rules import turns
from thunderref.thunderstone.rules.end_of_turn import seats_of
from thunderref.thunderstone.rules.position import table_of
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import (
    FILE,
    Evening,
    EveningEvent,
    begin,
    evening_with,
    fill,
    keep,
    read_evening,
    read_events,
    take_back,
)
from thunderref.thunderstone.table.record import GameRecord, SavedPlayer, begin_game

WORDS = Language(open_database(), "en")
HAND = ["militia", "militia", "elf-wizard", "short-sword", "torch", "iron-rations"]
FIRST_GAME = "37MFZLY8JVG3GH7"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("thunderref.files.state_file", lambda name: tmp_path / name)
    return tmp_path / FILE


def started(names: str = "Ann, Bob, Cy, Di") -> Evening:
    made = generate_setup(code=FIRST_GAME, database=WORDS.database)
    return begin(events.start(made, events.seats(names, WORDS), WORDS))


def hall(*cards: str | None) -> Evening:
    return keep(lambda now: events.hall(now, WORDS, cards))


def fought(rank: int, *, won: bool | None = None, hand: list[str] = HAND, **told: Any) -> Evening:
    document = {"hand": hand, "target": rank}
    return keep(lambda now: events.battle(now, WORDS, document, won=won, unseen=True, **told))


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Ann, Bob and Cid", ("Ann", "Bob", "Cid")),
        ("Ann; Bob", ("Ann", "Bob")),
        ("Ann, and Bob & Cid", ("Ann", "Bob", "Cid")),
        ("Ania i Bob oraz Jan", ("Ania", "Bob", "Jan")),
        ("Аня и Боря", ("Аня", "Боря")),
        ("Andy, Iain", ("Andy", "Iain")),
        ("2", ("Player 1", "Player 2")),
    ],
)
def test_names_are_separated_as_cards_are(typed: str, names: tuple[str, ...]) -> None:
    assert events.seats(typed, WORDS) == names


def plan_of(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The choices of a turn as a plan writes them: what belongs to a use stands in its step."""
    plan: list[dict[str, Any]] = []
    for step in steps:
        if "for" in step:
            use = next(each for each in reversed(plan) if each.get("use") == step["for"])
            use |= {key: value for key, value in step.items() if key != "for"}
        elif not {"turn", "count", "end", "shuffle"} & step.keys():
            plan.append(dict(step))
    return plan


def kept(now: Evening, kind: str, hand: list[str], plan: list[dict[str, Any]]) -> EveningEvent:
    if kind == "rest":
        gone = plan[0]["destroy"] if plan else None
        return events.rest(now, WORDS, gone, hand=hand, ends=True)
    if kind == "village":
        return events.village(now, WORDS, {"hand": hand, "plan": plan}, ends=True)
    return events.battle(now, WORDS, {"hand": hand, "plan": plan}, ends=True)


def decks(game: GameRecord) -> list[Counter[str]]:
    return [Counter(deck) for deck in turns.decks(game.position)]


@pytest.mark.parametrize("seed", [5, 11])
def test_an_evening_is_the_game_that_was_played(seed: int) -> None:
    seats = [SavedPlayer(name=name, random=True, bot="greedy") for name in ("Ann", "Bob", "Cy", "Di")]
    game = begin_game(WORDS.database, seats, seed=seed)
    now = begin(events.start(game.setup, game.names, WORDS))
    told, corrected, breached = 0, 0, 0
    for _ in range(24):
        (*_,) = game.settle()
        turn, before = game.turn, game.position
        hand = [slot.card for slot in before.hand]
        shown = [foe.card or None for foe in before.hall]
        now = keep(lambda now, ranks=shown: events.hall(now, WORDS, ranks))
        kind, steps = "", list[dict[str, Any]]()
        while game.turn == turn and not game.over:
            move = game.take(game.draw()[0])
            kind = kind or str(move.step.get("turn", ""))
            steps.append(dict(move.step))
            (*_,) = game.settle()
        try:
            now = keep(lambda evening, k=kind, h=hand, s=steps: kept(evening, k, h, plan_of(s)))
            told += 1
        except ThunderrefError:  # a choice that a plan writes in another way
            now = keep(lambda _: EveningEvent(do="next", ends=True))
        for player, deck, seat in zip(now.players, decks(game), seats_of(game.position), strict=True):
            if (player.deck, player.xp) != (deck, seat.xp):
                corrected += 1
                fix = {"xp": seat.xp, "deck": sorted(deck.elements()), "player": player.name}
                now = keep(lambda evening, fix=fix: events.correct(evening, WORDS, **fix))
        assert now.turn == game.turn
        left = dict(game.position.stacks or ())
        if not corrected and any(now.stacks[card] != n for card, n in left.items()):
            breached += 1  # what a monster destroys in the village no battle tells
            fix = {"stacks": [f"{n} {card}" for card, n in left.items() if n != now.stacks[card]]}
            now = keep(lambda evening, fix=fix: events.correct(evening, WORDS, **fix))
        if not corrected:
            assert {card: n for card, n in now.stacks.items() if n} == {card: n for card, n in left.items() if n}
            shown = [foe.card or None for foe in game.position.hall]
            assert all(mine in (None, theirs) for mine, theirs in zip(now.hall, shown, strict=True))
    assert told >= 20, told
    assert corrected <= 24 - told
    assert breached <= 2
    score = final_score({"players": now.decks}, words=WORDS)
    assert [each.vp for each in score.players] == [each.vp for each in turns.standings(game.game, game.position)]
    assert table_of(game.position).turn == now.turn
    assert read_events() == now.events


def test_a_battle_won_moves_the_hall_and_pays() -> None:
    started()
    hall("griffon", "blink dog", "suffering")
    now = fought(1)
    ann = now.players[0]
    assert (now.hall, ann.xp, ann.deck["griffon"]) == (("blink-dog", "suffering", None), 2, 1)
    assert (now.events[-1].total, now.events[-1].health) == (8, 7)
    assert now.stacks.get("elf-wizard", 5) == 5  # a hand shows what was bought, if nobody said so


def test_a_battle_lost_only_moves_the_hall() -> None:
    started()
    hall("griffon", "blink dog", "suffering")
    now = fought(1, won=False)
    assert (now.hall, now.players[0].xp, now.players[0].deck["griffon"]) == (("blink-dog", "suffering", None), 0, 0)


def test_what_the_players_saw_is_kept_whatever_the_sum_says() -> None:
    started()
    hall("nixie", None, None)
    now = fought(1, won=False, hand=["elf-archmage", "elf-archmage", "2 torch", "lantern"])
    assert (now.events[-1].won, now.events[-1].seen, now.players[0].deck["nixie"], now.players[0].xp) == (
        False, True, 0, 0,
    )  # fmt: skip
    keep(events.next_turn)
    hall("griffon", None, None)
    now = fought(1, won=True, hand=["militia", "dagger"])
    assert (now.events[-1].won, now.events[-1].seen, now.players[1].deck["griffon"], now.players[1].xp) == (
        True, True, 1, 2,
    )  # fmt: skip


def test_a_battle_that_cannot_be_fought_is_not_kept() -> None:
    """R5.1: Blink Dog bars a party without Light."""
    started()
    hall("blink-dog", "griffon", "nixie")
    with pytest.raises(NoAnswerError, match="evening-barred"):
        fought(1, hand=["militia", "dagger"])
    assert [event.do for event in read_events()] == ["start", "hall"]


def test_a_purchase_comes_from_the_top_of_a_stack() -> None:
    now = started()
    with pytest.raises(NoAnswerError) as caught:
        keep(lambda evening: events.purchase(evening, WORDS, ["elf sorcerer"]))
    assert caught.value.code == "evening-sold-out"
    before = now.stacks["elf-wizard"]
    now = keep(lambda evening: events.purchase(evening, WORDS, ["elf wizard"], "bob"))
    assert (now.stacks["elf-wizard"], now.players[1].deck["elf-wizard"]) == (before - 1, 1)


def test_a_rise_costs_its_experience() -> None:
    started()
    keep(lambda now: events.correct(now, WORDS, xp=4))
    keep(lambda now: events.purchase(now, WORDS, ["elf wizard"]))
    now = keep(lambda evening: events.level_up(evening, WORDS, "elf wizard", None))
    ann = now.players[0]
    assert (ann.xp, ann.deck["elf-wizard"], ann.deck["elf-sorcerer"]) == (2, 0, 1)
    with pytest.raises(NoAnswerError) as caught:
        keep(lambda evening: events.level_up(evening, WORDS, "elf sorcerer", None))
    assert caught.value.code == "evening-level"


def test_the_deck_is_known_from_the_hands_of_every_turn() -> None:
    started("Ann, Bob, Cy, Di")
    hand = ["militia", "militia", "militia", "torch", "dagger", "iron-rations"]
    now = keep(lambda evening: events.rest(evening, WORDS, None, hand=hand, ends=True))
    rest = ["dagger", "iron-rations", "militia", "militia", "militia", "torch"]
    assert now.players[0].drawn_from([]) == rest
    assert now.players[0].drawn_from(rest) == []
    now = keep(lambda _: EveningEvent(do="next", ends=True))
    assert now.players[1].drawn_from([]) is None  # nobody said what Bob had
    document: dict[str, Any] = {"hand": ["militia"]}
    fill(now, None, WORDS, document, Scenario, "Ann")
    assert document["deck_list"] == ["dagger", "iron-rations", "militia", "militia", "torch"]
    assert document["xp"] == 0
    assert "hall" not in document


def test_undo_takes_back_one_event_even_the_start() -> None:
    first = started()
    second = started("Ed, Flo, Gus, Hal")
    assert [each.name for each in second.players] == ["Ed", "Flo", "Gus", "Hal"]
    event, left = take_back()
    assert (event.do, left and left.events) == ("start", first.events)
    take_back()
    with pytest.raises(NoAnswerError, match="no-evening"):
        take_back()


def test_an_evening_belongs_to_its_set_up() -> None:
    started()
    assert evening_with("another") is None
    assert evening_with(FIRST_GAME) is not None
    keep(lambda _: EveningEvent(do="end"))
    assert evening_with(FIRST_GAME) is None


def test_thirty_two_writers_at_once_are_all_kept() -> None:
    started()
    with ThreadPoolExecutor(32) as crew:
        list(crew.map(lambda n: keep(lambda now: events.correct(now, WORDS, xp=n)), range(1, 33)))
    now = read_evening()
    assert now is not None
    assert len(now.events) == 33
    assert sum(event.xp for event in now.events) == now.players[0].xp


@pytest.mark.parametrize("text", ["{", '{"do": "dance"}\n', '{"do": "hall"}\n', '{"do":"start","players":["A"]}\n'])
def test_a_damaged_file_is_said(state: Path, text: str) -> None:
    state.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_evening()
    assert caught.value.code == "evening-damaged"
    assert evening_with(FIRST_GAME) is None
