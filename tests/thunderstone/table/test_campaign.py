"""Campaigns: the second game has what the first left over (R9.2 to R9.4), and whoever wins them is known."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.random_games import STORE, counted, faults, moves
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.resolve.documents import read_document
from thunderref.thunderstone.rules.position import Seat, replace
from thunderref.thunderstone.rules.turns import decks
from thunderref.thunderstone.setup.codes import Later
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table.ending import (
    Heroes,
    after_code,
    campaign_state,
    may_come_along,
    next_game,
    remains_of,
)
from thunderref.thunderstone.table.record import (
    GameRecord,
    SavedBefore,
    SavedGame,
    SavedPlayer,
    begin_game,
    resume_game,
)

if TYPE_CHECKING:
    from support.command import Run

BOTH = ["base", "wrath"]
DECK = Counter({"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2})


def played(record: GameRecord) -> GameRecord:
    for _ in moves(record):
        pass
    assert record.over
    return record


def first(variant: str, seed: int = 14, *, people: bool = False) -> GameRecord:
    """A finished first game of three; player 2 wins it with 12 VP against 1 and 6."""
    players = [SavedPlayer(name=name, random=True) for name in ("Ann", "Bob", "Cy")]
    record = played(begin_game(STORE, players, seed=seed, variant=variant, sets=BOTH))
    if people:
        record.players = tuple(SavedPlayer(name=player.name) for player in players)
    return record


def following(record: GameRecord, heroes: Heroes = (), winner: int | None = None, seed: int = 3) -> GameRecord:
    return next_game(record, winner=winner, heroes=heroes, seed=seed, lang="en")


def refused(record: GameRecord, heroes: Heroes = (), winner: int | None = None) -> str:
    with pytest.raises(ThunderrefError) as caught:
        following(record, heroes, winner)
    return caught.value.code


def extra(record: GameRecord) -> list[Counter[str]]:
    """The cards of each starting deck beyond the usual twelve (R1.7)."""
    return [Counter(deck) - DECK for deck in record.start.decks]


def test_the_winner_takes_the_stone_into_the_next_crossing() -> None:
    before = first("crossing")
    stands = campaign_state(before)
    assert stands is not None
    assert stands.winner == 2
    record = following(before)
    (stone,) = before.setup.content.stones
    assert extra(record) == [Counter(), Counter([stone]), Counter()]
    assert stone not in record.start.dungeon
    assert sum(card.startswith("stone-of") for card in record.start.dungeon[-11:]) == 1
    assert [player.name for player in record.players] == ["Ann", "Bob", "Cy"]


def test_what_was_left_lies_above_the_ten_cards_with_the_stone() -> None:
    before = first("pursuit")
    left = remains_of(before)
    state = before.position
    standing = [foe.card for foe in (*state.hall, *state.rank0) if foe.card]
    assert Counter(left) == Counter([*standing, *state.dungeon])
    record = following(before)
    dungeon = record.start.dungeon
    assert Counter(dungeon[-11 - len(left) : -11]) == Counter(left)
    assert len([card for card in dungeon[-11:] if card.startswith("stone-of")]) == 1
    assert not {*before.setup.content.classes} & {*record.setup.content.classes}, "other classes (R9.3)"
    # each placeholder stands for one card of the Horde deck, the lowest of which are gone first (R1.3)
    placeholders = left.count("horde-placeholder")
    assert record.start.horde == tuple(f"horde-{n}" for n in range(13 - placeholders, 13))


def test_heroes_come_along_to_the_second_game_of_an_odyssey() -> None:
    before = first("odyssey")
    (stone,) = before.setup.content.stones
    record = following(before)
    ann, bob, cy = extra(record)
    assert bob[stone] == 1
    assert [sum(cards.values()) for cards in (ann, bob, cy)] == [2, 2, 2]
    for cards in (ann, cy, bob - Counter([stone])):
        assert all(STORE.cards[card].kind in ("hero", "basic") and not STORE.cards[card].vp for card in cards)
    assert not {*before.setup.content.heroes} & {*record.setup.content.heroes}, "new hero stacks (R9.4)"
    named = following(before, [["militia", "gangland-thug"], ["militia"], ["militia", "militia"]])
    assert [*map(dict, extra(named))] == [
        {"militia": 1, "gangland-thug": 1}, {stone: 1, "militia": 1}, {"militia": 2},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heroes", "code"),
    [
        ([], "play-heroes-missing"),
        ([["militia"]], "play-heroes-missing"),
        ([["militia"], ["militia"], ["militia", "militia"]], "play-heroes-number"),
        ([["militia", "militia"], ["militia", "militia"], ["militia", "militia"]], "play-heroes-number"),
        ([["militia", "thyrian-squire"], ["militia"], ["militia", "militia"]], "play-hero-not"),
        ([["militia", "torch"], ["militia"], ["militia", "militia"]], "play-hero-not"),
    ],
)
def test_other_heroes_do_not_come_along(heroes: Heroes, code: str) -> None:
    assert refused(first("odyssey", people=True), heroes) == code


def test_who_has_to_choose_is_told_from_what() -> None:
    """One hero for the winner, two for everybody else (R9.4), out of those that are worth no VP."""
    record = first("odyssey", people=True)
    with pytest.raises(ThunderrefError) as caught:
        following(record)
    mine = [may_come_along(record.game.cards, deck) for deck in decks(record.position)]
    for told, name, n, heroes in zip(caught.value.candidates, ("Ann", "Bob", "Cy"), (2, 1, 2), mine, strict=True):
        assert told.startswith(f"{name}: {n} (")
        for card in heroes:
            assert Language(STORE, "en").card(card) in told
    sentence = Language(STORE, "pl").error(caught.value)
    assert "podaj --heroes 3 razy" in sentence
    assert caught.value.candidates[0] in sentence


def test_who_may_go_on() -> None:
    crossing = first("crossing")
    assert refused(crossing, winner=1) == "setup-bad-winner"
    assert refused(crossing, [["militia"]] * 3) == "play-no-heroes"
    assert refused(begin_game(STORE, None, seed=1, variant="crossing", sets=BOTH)) == "play-after-unfinished"
    normal = [SavedPlayer(name=n, random=True) for n in "AB"]
    assert refused(played(begin_game(STORE, normal, seed=14))) in ("setup-no-campaign", "setup-needs-winner")


@pytest.mark.parametrize("variant", ["crossing", "pursuit", "odyssey"])
def test_a_later_game_keeps_to_the_rules_and_can_be_taken_up(variant: str) -> None:
    record = following(first(variant))
    began = counted(record)
    for move in moves(record):
        assert not faults(record, began), move.step
        if len(record.moves) == 150:
            break
    document = json.loads(json.dumps(record.saved("test").model_dump()))
    again = resume_game(STORE, read_document(SavedGame, document))
    assert (again.position, again.before) == (record.position, record.before)
    for before in (None, {**document["before"], "scores": [9, 9, 9]}, {**document["before"], "remains": ["x"]}):
        with pytest.raises(ThunderrefError):
            resume_game(STORE, read_document(SavedGame, {**document, "before": before}))


def ended(variant: str, vp: tuple[int, int], before: tuple[int, int], earlier: int, stone: int | None) -> GameRecord:
    """The end of a second game of two: Pegasus (2 VP each) for the points, a Stone of Agony for one of them."""
    players = [SavedPlayer(name=n, random=True) for n in "AB"]
    record = begin_game(STORE, players, seed=1, variant=variant, sets=BOTH)
    content = dataclasses.replace(record.setup.content, later=Later(earlier))
    record.setup = dataclasses.replace(record.setup, content=content)
    record.before = SavedBefore(scores=list(before))
    state = record.position
    seats = tuple(
        Seat(deck=("pegasus",) * n + (("stone-of-agony",) if stone == place else ())) for place, n in enumerate(vp)
    )
    assert state.table is not None
    table = replace(state.table, seats=(Seat(), seats[1]))
    record.position = replace(state, phase="over", hand=(), deck=seats[0].deck, table=table)
    return record


@pytest.mark.parametrize(
    ("variant", "vp", "before", "earlier", "stone", "champions", "points"),
    [
        ("crossing", (3, 1), (5, 2), 1, None, (1,), ()),  # twice in a row (R9.2)
        ("crossing", (1, 3), (5, 2), 1, None, (), ()),
        ("pursuit", (2, 2), (5, 2), 1, None, (), ()),  # shared: nobody has won it
        ("odyssey", (3, 1), (5, 2), 1, None, (1,), (4, 0)),  # R9.4: one for the other player, one for winning
        ("odyssey", (1, 4), (5, 2), 1, None, (1, 2), (2, 2)),
        ("odyssey", (1, 4), (5, 2), 1, 1, (2,), (2, 2)),  # tied, the holder of a stone
        ("odyssey", (2, 2), (5, 2), 1, None, (1,), (3, 1)),
    ],
)
def test_who_has_won_the_campaign(
    variant: str, vp: Any, before: Any, earlier: int, stone: int | None, champions: tuple[int, ...], points: Any
) -> None:
    found = campaign_state(ended(variant, vp, before, earlier, stone))
    assert found is not None
    assert (found.champions, found.points) == (champions, points)


def test_after_a_game_at_the_table() -> None:
    words = Language(STORE, "en")
    code = first("pursuit").setup.code
    told: dict[str, Any] = {"seed": 4, "ruleset": "print", "readings": ["R4.8"], "scores": ()}
    record = after_code(code, None, words, winner=1, left=[("knightmare", 2)], heroes=(), **told)
    assert record.start.dungeon[-13:-11] == ("knightmare", "knightmare")
    assert record.readings == {"no-target": "no-entry"}
    with pytest.raises(ThunderrefError, match="play-remains-unknown"):
        after_code(code, None, words, winner=1, left=5, heroes=(), **told)
    code = first("odyssey").setup.code
    told |= {"scores": (5, 2, 1), "winner": None, "left": ()}
    record = after_code(code, None, words, heroes=[["militia"], ["militia", "militia"], ["militia", "militia"]], **told)
    assert [len(deck) for deck in record.start.decks] == [14, 14, 14]
    new = next(iter(record.setup.content.heroes))
    hero = next(card.id for card in STORE.cards.values() if card.family == new and card.level == 1)
    with pytest.raises(ThunderrefError, match="play-hero-not"):  # a family that is in the new stacks was not in the old
        after_code(code, None, words, heroes=[[hero], ["militia", "militia"], ["militia", "militia"]], **told)
    old = set(generate_setup(code=code).content.heroes)
    heroes = {card.family: card.id for card in STORE.cards.values() if card.kind == "hero" and card.level == 1}
    for family, hero in heroes.items():
        asked = [[hero], ["militia", "militia"], ["militia", "militia"]]
        if family in old:
            assert hero in after_code(code, None, words, heroes=asked, **told).start.decks[0]
        else:
            with pytest.raises(ThunderrefError, match="play-hero-not"):
                after_code(code, None, words, heroes=asked, **told)


def test_the_table_has_what_the_sheet_says_of_the_cards_left() -> None:
    """Three games of a pursuit with the Horde in the first: deck, Horde deck and saved game agree with the set-up."""
    words = Language(STORE, "en")
    told: dict[str, Any] = {"seed": 4, "ruleset": "print", "readings": (), "scores": (), "heroes": ()}
    code = generate_setup(variant="pursuit", require=["horde", "dark-champion"], seed=4, players=3).code
    first_left = [("horde-placeholder", 4), ("horde-4", 1), ("dark-champion", 1)]
    for game, left in enumerate((first_left, [("horde-placeholder", 2), ("horde-4", 1)]), 1):
        record = after_code(code, None, words, winner=game, left=left, **told)
        document = record.setup.model_dump()
        (stack,) = (stack["cards"] for stack in document["stacks"] if stack["kind"] == "horde")
        assert (
            record.start.horde
            == tuple(card["id"] for card in stack)
            == tuple(f"horde-{n}" for n in range(13 - left[0][1], 13))
        )
        (layer,) = (layer for layer in document["dungeon"]["layers"] if layer["shuffle"])
        assert {card["id"]: card["count"] for card in layer["cards"]} == dict(left)
        assert Counter(record.start.dungeon[-11 - layer["size"] : -11]) == Counter(dict(left))
        assert any("rank 0" in step for step in document["steps"]) is (game == 1)
        saved = json.loads(json.dumps(record.saved("test").model_dump()))
        assert resume_game(STORE, read_document(SavedGame, saved)).start == record.start
        code = record.setup.code


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_campaign_at_the_command_line(cli: Run, tmp_path: Path, lang: str) -> None:
    one, two = str(tmp_path / "one.json"), str(tmp_path / "two.json")
    players = ("--players", "random, random, random", "--variant", "odyssey", "--set", "base", "--set", "wrath")
    told = cli("play", *players, "--seed", "1", "--save", one, "--lang", lang)
    assert f"thunderref play --after {one}" in told.out
    second = cli("play", "--after", one, "--seed", "5", "--save", two, "--lang", lang)
    assert (second.status, second.err) == (0, "")
    document = cli("play", "--resume", two, "--json").json
    assert document["campaign"]["champions"]
    assert sum(document["campaign"]["points"]) == 8, "nobody tied: three for the pairs and one for the winner, twice"
    third = tmp_path / "three.json"
    third.write_text("kept unless told otherwise")
    for begun in (("--after", one, "--seed", "5"), ("--resume", two)):
        assert cli("play", *begun, "--save", str(third), "--json", stdin="").json["error"]["code"] == "file-exists"
        assert cli("play", *begun, "--save", str(third), "--force", stdin="").status == 0, begun
    for words, status, code in (
        (("--after", two), 1, "setup-odyssey-over"),
        (("--after", one, "--heroes", "militia"), 1, "play-heroes-missing"),
        (("--after", one, "--code", "X"), 2, "setup-after-options"),
        (("--after", one, "--players", "2"), 2, "setup-after-options"),
        (("--after", "nowhere.json"), 2, "no-file"),
        (("--heroes", "militia"), 2, "play-needs-after"),
        (("--resume", one, "--after", one), 2, "play-resume-options"),
    ):
        answer = cli("play", *words, "--lang", lang, "--json", stdin="")
        assert (answer.status, answer.json["error"]["code"]) == (status, code), words
        assert cli("play", *words, "--lang", lang, stdin="").err.count("\n") == 1


@pytest.mark.parametrize("variant", ["crossing", "pursuit"])
@pytest.mark.parametrize("more", [(), ("--ruleset", "yucata", "--reading", "half-attack=before-light")])
def test_the_command_that_is_printed_goes_on_with_the_campaign(cli: Run, variant: str, more: tuple[str, ...]) -> None:
    """A game that is kept nowhere tells all that its file would have told."""
    told = cli("play", "--players", "random, random", "--variant", variant, "--seed", "22", *more).out
    _, _, command = told.partition("The campaign goes on: thunderref ")
    words = shlex.split(command)
    assert "--winner" in words
    assert ("--left" in words) is (variant == "pursuit")
    again = cli(*words, "--seed", "7", "--json").json
    assert again["over"]
    assert again["ruleset"] == ("yucata" if more else "print")
    assert again["readings_chosen"] == ({"half-attack": "before-light"} if more else {})
    assert again["variant"] == variant


def test_the_points_of_an_odyssey_are_told_apart_from_the_names(cli: Run) -> None:
    told = cli("play", "--players", "random, random, random", "--variant", "odyssey", "--seed", "21").out
    assert "Game points so far: Bot 1 (1), Bot 2 (0), Bot 3 (3)." in told
    assert "--winner 3 --scores 4,1,12" in told
    kept = [line for line in told.splitlines() if line.startswith("The campaign")]
    assert len(kept) == 1


@pytest.mark.parametrize(("lang", "wrong"), [("en", "Winner"), ("pl", "Zwyci"), ("ru", "Победа: ")])
def test_who_plays_alone_is_told_against_whom(cli: Run, lang: str, wrong: str) -> None:
    """One player has no other to win against: the monsters' pile decides (R9.5)."""
    words = ("play", "--variant", "solo", "--level", "fighter", "--seed", "4", "--players", "random", "--lang", lang)
    end = cli(*words).out.rpartition("\n\n")[2].splitlines()
    assert "(R9.5)" in end[-1]
    assert not [line for line in end if line.startswith(wrong)]
    assert not [line for line in end if "R7.3" in line]


def test_who_plays_alone_has_no_others_who_discard(cli: Run) -> None:
    told = cli("play", "--variant", "solo", "--level", "fighter", "--seed", "4", "--players", "random").out
    assert "Lorigg Rogue is used. Each other player discards" in told
    assert "the other players discard" not in told
