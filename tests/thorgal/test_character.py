"""What the game's file keeps of a character, what action cards give, and the fights that follow from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from support.systems import own_folders
from thunderref.errors import IllegalStepError, InputError
from thunderref.thorgal.fight import best_fight
from thunderref.thorgal.game_file import read_steps, write_steps
from thunderref.thorgal.grid import read_grid
from thunderref.thorgal.laying import read_tiles
from thunderref.thorgal.round import (
    CardTokens,
    Character,
    GameStep,
    place_wound,
    play_step,
    read_card,
    replay_steps,
    room_of,
    token_moves,
)

Play = Callable[..., Any]
START: GameStep = {"do": "start", "names": ["Anna", "Bartek"], "solo": False, "adventure": "", "length": 3,
               "row": [1, 3, 4], "first": 0}  # fmt: skip


def act(seat: int, card: int, source: int = 0) -> GameStep:
    return {"do": "act", "seat": seat, "card": card, "from": source, "free": False}


@pytest.fixture
def play(cli: Any, tmp_path: Path) -> Play:
    def run(*words: str, lang: str = "en") -> Any:
        return cli("thorgal", *words, "--lang", lang, env=own_folders(tmp_path))

    return run


@pytest.fixture
def game(play: Play) -> Play:
    for words in (
        ("start", "--names", "Anna, Bartek", "--length", "3", "--cards", "1 3 4"), ("board", "anna", "..../..../...#"),
        ("rolls", "anna", "2 green"), ("dice", "green: 2 I2, L3, -, -, I3"), ("enemy", "wolf", ".H1/y.H"),
    ):  # fmt: skip
        assert play("round", *words).status == 0
    return play


def test_tokens_are_counted_for_each_player_until_the_round_ends() -> None:
    steps = [START, act(0, 3), act(1, 3), act(0, 4)]
    assert [seat.cards for seat in replay_steps(steps).seats] == [(3, 4), (3,)]
    assert [seat.cards for seat in replay_steps([*steps, act(1, 1), {"do": "events"}]).seats] == [(), ()]


def test_a_skill_works_once_in_a_round() -> None:
    """T19.5, T19.6."""
    used, back = ({"do": "skill", "seat": 0, "used": one} for one in (True, False))
    table = replay_steps([START, used])
    with pytest.raises(IllegalStepError, match=r"T19\.5"):
        play_step(table, used)
    assert not play_step(table, back).seats[0].skill_used
    with pytest.raises(IllegalStepError, match=r"T19\.6"):
        play_step(play_step(table, back), back)
    done = [act(0, 3), act(1, 3), act(0, 4), act(1, 1), {"do": "events"}]
    assert not replay_steps([START, used, *done]).seats[0].skill_used


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"do": "resource", "seat": 0, "kind": "wood", "by": -1}, "thorgal-too-few-resources"),
        ({"do": "dial", "seat": 0, "by": -1}, "thorgal-too-little-experience"),
        ({"do": "track", "seat": 1, "by": -1}, "thorgal-too-little-experience"),
    ],
)
def test_nobody_goes_below_nothing(step: GameStep, code: str) -> None:
    with pytest.raises(IllegalStepError) as refused:
        play_step(replay_steps([START]), step)
    assert refused.value.code == code


def test_wounds_are_laid_until_one_has_no_room(game: Play, tmp_path: Path) -> None:
    """T14.1, T14.2, T14.4, T12.2: 11 fields hold an L3 and four of size 2; the next wound is death."""
    assert game("round", "wound", "anna", "L3").status == 0
    for _ in range(4):
        document = game("round", "wound", "anna", "2", "--json").json
    assert document["players"][0]["wounds"].count("I2") == 4
    death = document["ways_to_lose"][0]
    assert death == {"rule": "T12.2", "player": "Anna", "wounds": 5,
                     "room": {"free": 0, "largest": 0, "surely": 0, "proven": True}}  # fmt: skip
    dead = game("round", "threat", "anna", "+6", "--json").json
    assert (dead["outcome"], dead["reason"]["rules"], dead["ways_to_lose"]) == ("lost", ["T12.2"], [])
    back = game("round", "undo", "--json").json
    assert (back["outcome"], back["players"][0]["threat"]) == (None, 0)
    healed = game("round", "heal", "anna", "3", "--json").json["players"][0]
    assert (healed["wounds"], healed["board"].count(".")) == (["I2"] * 4, 3)
    assert read_steps(tmp_path / "thunderref" / "thorgal-round.json")[1].seats[0].board == healed["board"]


def test_a_board_drawn_anew_is_the_board() -> None:
    step: GameStep = {"do": "board", "seat": 0, "board": "AA../.B../.B.."}
    seat = replay_steps([START, {"do": "wound", "seat": 0, "tile": "3"}, step]).seats[0]
    assert seat.wounds == ("I2", "I2")
    assert place_wound(seat, {"do": "heal", "seat": 0, "tile": "B"})["board"] == "AA../..../...."
    room = room_of(seat)
    assert room is not None
    assert (room.free, room.largest) == (8, 6)
    assert room_of(Character("x")) is None


@pytest.mark.parametrize(
    ("text", "there", "earned"),
    [
        ("fight", CardTokens(3, 1, 0, True, 0), [("fight", 1)]),
        ("fight2 alone+1 left1:move", CardTokens(3, 1, 0, True, 2), [("fight", 3), ("move", 1)]),
        ("walka jedyny+1, lewo2:ruch", CardTokens(3, 2, 0, False, 1), [("fight", 1)]),
        ("бой здесь2+2 слева*:движение", CardTokens(3, 2, 0, False, 3), [("fight", 3), ("move", 3)]),
        ("wander here*+1", CardTokens(3, 3, 0, False, 0), [("wander", 4)]),
    ],
)
def test_what_a_card_gives(text: str, there: CardTokens, earned: list[tuple[str, int]]) -> None:
    """T3.2, T3.3."""
    card = read_card(text)
    assert card.earned(there) == earned
    assert read_card(card.text) == card


@pytest.mark.parametrize("text", ["", "sleep", "fight alone", "fight near+1", "fight+1", "fight left1:sleep", "f", "1"])
def test_what_no_card_says(text: str) -> None:
    with pytest.raises(InputError):
        read_card(text)


def test_every_move_of_a_token_is_offered() -> None:
    """The second round: tokens on 1, 3 and 3; where the token comes from makes a difference only to the left."""
    table = replay_steps([START, act(0, 3), act(1, 3), act(0, 4), act(1, 1), {"do": "events"}])
    moves = token_moves(table)
    assert [(source, there.card, there.tokens, there.to_the_left) for source, there in moves] == [
        (3, 1, 2, 0), (1, 3, 3, 0), (4, 3, 3, 1), (1, 4, 2, 2),
    ]  # fmt: skip


@pytest.mark.parametrize("typed", ["thorgal fight", "thorgal fight wolf", "thorgal fight anna wolf",
                                   "thorgal fight .H1/y.H"])  # fmt: skip
def test_a_fight_from_the_round_is_quickly_typed(game: Play, typed: str) -> None:
    assert len(typed) <= 25
    found = game(*typed.split()[1:], "--json").json
    assert (found["player"], found["win"]["fraction"], found["dice"]) == ("Anna", "5/9", ["green", "green"])


def test_a_fight_knows_threat_and_board(game: Play) -> None:
    """T10.12, T15.1, T15.2, T14.4: with four tokens two open hearts bring a wound."""
    game("round", "threat", "anna", "+4")
    expected = {"hearts": 2, "threat_held": 4, "wound_from": 2, "deadly": False}
    assert game("fight", "--json").json["defeat"] == expected
    game("round", "board", "anna", ".#./#.#")
    assert game("fight", "--json").json["defeat"] == expected | {"deadly": True}
    assert "the character dies" in game("fight").out
    assert game("fight", "wolf", "--tiles", "I2", "--json").json["threat"] == {"held": 4, "taken": 1, "wound": 0}


def test_a_fight_says_what_it_does_not_know(game: Play, cli: Any) -> None:
    for words, code in (
        (("fight", "bartek"), "thorgal-no-dial"), (("fight", "zed"), "thorgal-who-fights"),
        (("fight", "wolf", "--die", "green: I2"), "thorgal-dice-missing"),
    ):  # fmt: skip
        assert game(*words, "--json").json["error"]["code"] == code
    assert cli("thorgal", "fight", ".H1/y.H", "--json").json["error"]["code"] == "thorgal-no-tiles"
    assert cli("thorgal", "fight", "--json").json["error"]["code"] == "thorgal-card-missing"


@pytest.mark.parametrize("typed", [("player 1 wolf",), ("player", "1", "wolf"), ("grey wolf",), ("1", "grey", "wolf")])
def test_a_fight_is_typed_with_names_of_several_words(play: Play, typed: tuple[str, ...]) -> None:
    for words in (
        ("start", "--players", "2"), ("enemy", "grey wolf", "H./.."), ("enemy", "wolf", "H./.H"),
        ("rolls", "1", "green"), ("dice", "green: I2, 5 L3"), ("act", "1", "1"),
    ):  # fmt: skip
        assert play("round", *words).status == 0, words
    enemy = "grey wolf" if "grey" in " ".join(typed) else "wolf"
    found = play("fight", *typed, "--json").json
    assert (found["player"], found["enemy"]) == ("Player 1", enemy)


def test_joined_enemies_that_are_beaten_leave_together(cli: Any) -> None:
    """T10.7, T10.11: the one enemy leaves, the joined ones leave."""
    assert "The enemy leaves" in cli("thorgal", "fight", "H./..", "--tiles", "I2").out
    joined = cli("thorgal", "fight", "H./..|H./..", "--tiles", "2 I2").out
    assert "The enemies leave" in joined
    assert "The enemy" not in joined


def test_a_noted_wound_is_not_lost_with_a_drawn_board(play: Play) -> None:
    """T14.1, T14.4: what is noted and not drawn is laid on the board; what is drawn is not laid twice."""
    play("round", "start", "--players", "2")
    play("round", "wound", "1", "I3")
    play("round", "wound", "1", "2")
    drawn = play("round", "board", "1", "..../....", "--json").json["players"][0]
    assert (drawn["wounds"], drawn["board"].count(".")) == (["I3", "I2"], 3)
    again = play("round", "board", "1", "AAA./BB..", "--json").json["players"][0]
    assert again["board"] == "AAA./BB.."
    small = play("round", "board", "1", "..", "--json")
    assert (small.status, small.json["error"]["code"]) == (1, "thorgal-noted-wounds")


def test_several_joined_enemies_lie_in_the_best_order() -> None:
    """T10.7: as good as the best of all orders, each tried as one card."""
    cards = [read_grid(text) for text in ("H../...", "..H/..y", "H1./.H.")]
    tiles = read_tiles("I3, L3, I2")
    best = best_fight(cards, tiles)
    hearts = []
    for first, second, third in permutations(cards):
        alone = best_fight([first.beside(second).beside(third)], tiles)
        hearts.append(alone.hearts - len(alone.uncovered))
    assert best.hearts - len(best.uncovered) == max(hearts)
    assert sorted(best.order) == [1, 2, 3]
    assert best.proven


def test_games_of_the_first_version_are_read(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    steps = [START, act(0, 3), {"do": "threat", "seat": 0, "by": 6}, {"do": "wound", "seat": 1, "tile": "L"}]
    file.write_text(json.dumps({"format": "thunderref-thorgal-round", "version": 1, "steps": steps}), "utf-8")
    found, table = read_steps(file)
    assert (found, table.seats[0].wounds, table.seats[1].wounds) == (steps, ("2",), ("L",))
    write_steps(file, [*found, {"do": "board", "seat": 0, "board": "AA"}])
    assert json.loads(file.read_text("utf-8"))["version"] == 2


def test_next_tells_who_gets_which_bonus(game: Play) -> None:
    """T2.2, T3.2, T12.2, T12.3, T12.4."""
    game("round", "card", "3", "fight alone+1 left1:move")
    game("round", "act", "1")
    game("round", "danger", "2/5", "the", "village", "burns")
    told = game("round", "next", "--json").json
    assert told["next"] == {"do": "act", "player": "Bartek"}
    assert [(one["card"], one["earned"]) for one in told["choices"] if one["earned"]] == [
        (3, [{"action": "fight", "n": 2}, {"action": "move", "n": 1}])
    ]
    assert told["ways_to_lose"][-2:] == [
        {"rule": "T12.3", "rounds_left": 2, "actions_left": 11},
        {"rule": "T12.4", "name": "the village burns", "at": 2, "of": 5},
    ]
    assert told["players"][0]["tokens_used"] == 1


@pytest.mark.parametrize(
    ("step", "key"),
    [
        ({"do": "board", "seat": 0, "board": "A.A"}, "board"),
        ({"do": "dice", "colour": "pink", "faces": "I2"}, "colour"),
        ({"do": "dice", "colour": "red", "faces": "I9"}, "faces"), ({"do": "rolls", "seat": 0, "dice": ""}, "dice"),
        ({"do": "enemy", "name": "wolf", "cards": ".."}, "cards"), ({"do": "card", "card": 3, "says": "sleep"}, "says"),
        ({"do": "resource", "seat": 0, "kind": "gold", "by": 1}, "kind"),
        ({"do": "skill", "seat": 0, "used": 1}, "used"),
        ({"do": "threat", "seat": 0, "by": 1, "board": "?"}, "board"), ({"do": "dial", "seat": 2, "by": 1}, "seat"),
        ({"do": "danger", "name": "x", "at": 1, "of": 0}, "of"),
        ({"do": "wound", "seat": 0, "tile": "2", "dead": 1}, "dead"),
        ({"do": "heal", "seat": 0, "tile": "2", "dead": True}, "dead"),
    ],
)  # fmt: skip
def test_a_file_edited_by_hand_is_refused(step: GameStep, key: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"format": "thunderref-thorgal-round", "version": 2, "steps": [START, step]}), "utf-8")
    with pytest.raises(InputError) as refused:
        read_steps(file)
    assert (refused.value.code, refused.value.params["key"]) == ("thorgal-file-step", key)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_words_that_mean_nothing_leave_the_file_alone(game: Play, tmp_path: Path, lang: str) -> None:
    file = tmp_path / "thunderref" / "thorgal-round.json"
    before = file.read_bytes()
    for words in (
        ["board", "anna"], ["board", "anna", "?"], ["board", "zed", ".."], ["rolls", "anna", "pink"], ["rolls", "anna"],
        ["dice", "green"], ["dice"], ["dice", "green: " + "I2, " * 90], ["enemy", "wolf"], ["enemy", "1", "H"],
        ["enemy", "wolf", "..."], ["card", "3"], ["card", "x", "fight"], ["card", "3", "sleep"], ["skill"],
        ["skill", "anna", "--back"], ["resource", "anna", "wood"], ["resource", "anna", "gold", "+1"],
        ["resource", "anna", "wood", "-1"], ["dial", "anna", "x"], ["track", "+1"], ["dial", "anna", "-3"],
        ["danger", "2/5"], ["danger", "two", "burns"], ["danger", "1/0", "burns"], ["danger"],
    ):  # fmt: skip
        answer = game("round", *words, lang=lang)
        assert (answer.status in (1, 2), answer.out, answer.err.count("\n")) == (True, "", 1), words
    assert file.read_bytes() == before
