"""Random players before a hall that nobody can win or clear: the game is called off by its rules, and says why."""

from __future__ import annotations

import json

import pytest

from support.random_games import STORE
from thunderref.cli.play import TerminalGame
from thunderref.cli.session import start
from thunderref.thunderstone.rules.choices import LEAVE, kind_of
from thunderref.thunderstone.rules.end_of_turn import open_turn
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Foe, Position, Seat, Table
from thunderref.thunderstone.table.ending import PATIENCE
from thunderref.thunderstone.table.record import GameRecord, SavedPlayer, begin_game, placement_of

WEAK = ("militia", "militia", "dagger", "iron-rations", "militia", "dagger", "militia")
"""No Light, and an Attack that no monster of these halls gives way to."""
DOGS = ("blink-dog", "blink-dog", "blink-dog")
STEAM = ("steam-torment", "dark-champion", "stone-of-mystery")
TOLD = {
    "standstill": {
        "en": "nothing changes any more",
        "pl": "nic się już nie zmienia",
        "ru": "Партия прервана",
    },
    "endless": {"en": "own nothing but Disease", "pl": "nikt nie ma", "ru": "ни у кого не осталось"},
}


def before(
    hall: tuple[str, ...], *, rank0: tuple[str, ...] = (), dagger: int = 3, cards: tuple[str, ...] = WEAK
) -> GameRecord:
    """Two random players, each with these cards, before this hall; of the village only some Daggers are left."""
    players = [SavedPlayer(name=name, random=True) for name in ("Ann", "Bob")]
    record = begin_game(STORE, players, seed=5, first_game="base")
    seats = (Seat(cards[:6], cards[6:]),) * 2
    table = Table(0, seats)
    state = Position(
        "choose",
        (),
        tuple(map(Foe, hall)),
        tuple(map(Foe, rank0)),
        (),
        ("griffon", "stone-of-agony"),
        stacks=(("dagger", dagger), ("spear", 2)),
        table=table,
    )
    record.position = open_turn(state, table, seats, 0, 1)
    record._placements = [placement_of(record.position)]
    return record


def played(record: GameRecord, lang: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What is printed until the game ends by itself."""
    TerminalGame(start(["play", "--lang", lang, *more]), record, None, watch=False, replace=False).play()
    return capsys.readouterr().out


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("hall", [DOGS, STEAM])
def test_what_changes_no_more_is_called_off_and_counted(
    hall: tuple[str, ...], lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    record = before(hall)
    told = played(record, lang, capsys)
    assert TOLD["standstill"][lang] in told
    assert "R7.3" in told, "the score is counted"
    assert not record.over
    assert record.still >= 2 * PATIENCE
    assert tuple(foe.card for foe in record.position.hall) == hall, "nobody has left it"
    assert record.turn <= 400


def test_the_locked_hall_is_tried_again_and_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Barred monsters let whoever enters only go again (R5.1); Steam Torment keeps the others in (R6.8)."""
    dogs, steam = before(DOGS), before(STEAM)
    for record in (dogs, steam):
        played(record, "en", capsys)
    left = [move for move in dogs.moves if move.choice == LEAVE]
    assert left
    assert all(not any(kind_of(a) == "attack" for a in legal_actions(dogs.game, move.before)) for move in left)
    lost = [event for move in steam.moves for event in move.events if event.key == "defeat"]
    assert lost
    assert not [event for move in steam.moves for event in move.events if event.key == "victory"]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_players_whose_last_cards_are_destroyed_are_called_off_at_once(
    lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A guardian in rank 0 takes a card of every new hand (R6.7); without cards nobody can buy any."""
    record = before(DOGS, rank0=("dark-champion",), cards=("militia",) * 7)
    told = played(record, lang, capsys)
    assert TOLD["endless"][lang] in told
    assert record.turn < 60
    assert not record.over


def test_the_document_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(played(before(DOGS), "en", capsys, "--json"))
    assert (document["over"], document["called_off"]) == (False, "standstill")
    assert [player["name"] for player in document["score"]["players"]] == ["Ann", "Bob"]
