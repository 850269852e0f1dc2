"""A turn of an evening: the play that was shown, on the evening's own table, and the end of the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thunderref
from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError, InputError, NoAnswerError, ThunderrefError
from thunderref.pages.evening_page import evening_page, event_text
from thunderref.pages.page import Page
from thunderref.thunderstone.resolve.documents import OddsQuestion, Scenario, TurnDocument
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import (
    FILE,
    Evening,
    EveningEvent,
    begin,
    fill,
    keep,
    load,
    pack,
    read_events,
    take_back,
)

WORDS = Language(open_database(), "en")
LANGUAGES = ["en", "pl", "ru"]
ABYSSAL = "333792U6NBLVL7VYAAA"
"""A set-up for two with Illusory Blade, Diin, the Enchanted and Abyssal classes."""
MONSTERS = ["enchanted", "abyssal"]
"""The classes of Griffon, Blink Dog and Grudgebeast."""
FIRST = ["militia", "militia", "militia", "torch", "dagger", "iron-rations"]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("thunderref.files.state_file", lambda name: tmp_path / name)
    return tmp_path / FILE


def started(owned: dict[str, list[str]] | None = None, **options: Any) -> Evening:
    made = generate_setup(**(options or {"code": ABYSSAL}), database=WORDS.database)
    names = ["Ann", "Bob", "Cy", "Di", "Ed"][: made.content.players]
    return begin(events.start(made, names, WORDS, owned))


def hall(*cards: str | None) -> Evening:
    return keep(lambda now: events.hall(now, WORDS, cards))


def fought(hand: list[str], plan: list[dict[str, Any]] | None, **told_of: Any) -> Evening:
    document: dict[str, Any] = {"hand": hand} | ({} if plan is None else {"plan": plan})
    document |= {key: told_of.pop(key) for key in ("hall", "dungeon", "deck") if key in told_of}
    return keep(lambda now: events.battle(now, WORDS, document, **{"unseen": True, **told_of}))


def visited(hand: list[str], plan: list[dict[str, Any]], **told_of: Any) -> Evening:
    return keep(lambda now: events.village(now, WORDS, {"hand": hand, "plan": plan}, **told_of))


def refused(make: Callable[[], object], code: str) -> ThunderrefError:
    """The error, after which the evening is as it was."""
    before = read_events()
    with pytest.raises(ThunderrefError) as caught:
        make()
    assert caught.value.code == code
    assert read_events() == before
    return caught.value


def text_of(page: Page) -> str:
    return " ".join([page.title, *(line.text for block in page.blocks for line in block.lines)])


# a turn is what was shown


def test_a_play_that_the_rules_refuse_is_not_kept() -> None:
    started()
    hall("griffon", "blink-dog", "grudgebeast")
    with pytest.raises(IllegalStepError):
        fought(FIRST, [{"equip": "dagger", "to": "torch"}, {"attack": 1}])
    refused(lambda: fought(FIRST, []), "evening-no-play")
    assert [event.do for event in read_events()] == ["start", "hall"]


def test_the_play_is_kept_with_its_draw() -> None:
    started()
    hall("grudgebeast", "blink-dog", "griffon")
    hand = ["banish", "militia", "militia", "torch", "dagger", "iron-rations"]
    plan = [{"equip": "dagger", "to": "militia"}, {"attack": 1}]
    now = fought(hand, plan, deck=["militia", "torch"])
    kept = now.events[-1]
    assert kept.line[: len(plan)] == plan
    assert (kept.monster, kept.won, kept.total, kept.health) == ("grudgebeast", False, 3, 4)
    assert now.hall == ("blink-dog", "griffon", None)


@pytest.mark.parametrize("order", [1, -1])
def test_buying_and_levelling_up_are_one_visit_in_either_order(order: int) -> None:
    """R3.4: a level-up comes after the purchase, whichever is told first."""
    started()
    keep(lambda now: events.correct(now, WORDS, xp=5))
    steps = [{"buy": "hatchet"}, {"level_up": "militia", "to": "dwarf-guardian"}][::order]
    now = visited(["militia", "torch", "dagger", "iron-rations", "iron-rations", "torch"], steps, ends=True)
    ann = now.players[0]
    assert (ann.deck.total(), ann.deck["militia"], ann.deck["dwarf-guardian"], ann.deck["hatchet"]) == (13, 5, 1, 1)
    assert (now.stacks["dwarf-guardian"], now.stacks["hatchet"]) == (5, 7)
    assert (now.active.name, len(now.events)) == ("Bob", 3)
    assert now.players[0].xp < 5


def test_a_visit_destroys_only_what_was_used() -> None:
    started({"Ann": ["5 militia", "2 torch", "trainer"]})
    hand = ["trainer", "militia", "torch", "torch"]
    now = visited(hand, [{"buy": "iron-rations"}])
    assert (now.events[-1].destroyed, now.players[0].deck["militia"]) == ((), 5)
    take_back()
    now = visited(hand, [{"use": "trainer", "destroy": "militia"}])
    assert now.events[-1].destroyed == ("militia", "trainer") or "militia" in now.events[-1].destroyed


def test_each_player_does_one_thing_a_turn() -> None:
    """R2.1."""
    started()
    hall("griffon", None, None)
    fought(FIRST, [{"attack": 1}])
    refused(lambda: visited(FIRST, []), "evening-acted")
    refused(lambda: keep(lambda now: events.rest(now, WORDS, None)), "evening-acted")
    keep(lambda now: events.correct(now, WORDS, xp=3))  # a correction is no turn
    keep(events.next_turn)
    visited(FIRST, [])
    refused(lambda: visited(FIRST, []), "evening-acted")


def test_level_up_and_purchase_told_one_by_one_are_one_visit() -> None:
    started()
    keep(lambda now: events.correct(now, WORDS, xp=5))
    keep(lambda now: events.level_up(now, WORDS, "militia", "dwarf-guardian"))
    keep(lambda now: events.purchase(now, WORDS, ["torch"]))
    refused(lambda: keep(lambda now: events.purchase(now, WORDS, ["torch"])), "evening-acted")


# the evening's own table judges


@pytest.mark.parametrize(
    ("hand", "monster"),
    [
        (["illusory-blade", "illusory-blade", "militia", "militia", "torch", "torch"], "grudgebeast"),
        (["diin-enchanter", "militia", "torch", "dagger", "iron-rations", "militia"], "griffon"),
    ],
)
def test_turn_battle_and_evening_judge_by_the_same_stacks(hand: list[str], monster: str) -> None:
    """What is conjured or recruited comes from the village (R4.9): without its stacks nothing does."""
    started()
    now = hall(monster, None, None)
    documents: list[dict[str, Any]] = [{"hand": hand} for _ in range(2)]
    fill(now, None, WORDS, documents[0], Scenario)
    fill(now, None, WORDS, documents[1], TurnDocument)
    battle = resolve(documents[0], words=WORDS).targets[0]
    turn = thunderref.turn(documents[1]).dungeon
    assert turn is not None
    assert battle.outcome == turn.outcome == "victory"
    assert fought(hand, None).events[-1].won


@pytest.mark.parametrize(("variant", "players"), [("solo", 1), ("marauding", 2), ("epic", 2)])
def test_a_turn_is_advised_by_the_variant_of_the_evening(variant: str, players: int) -> None:
    started(variant=variant, players=players, require=MONSTERS, seed=3)
    now = hall("griffon", "blink-dog", "grudgebeast")
    if variant == "marauding":
        now = keep(lambda now: events.correct(now, WORDS, tokens=2))
    battle: dict[str, Any] = {"hand": FIRST}
    question: dict[str, Any] = {"hand": FIRST}
    fill(now, None, WORDS, battle, Scenario)
    fill(now, None, WORDS, question, TurnDocument)
    assert (question["variant"], question["tokens"]) == (variant, 2 if variant == "marauding" else 0)
    found, turn = resolve(battle, words=WORDS), thunderref.turn(question)
    assert turn.dungeon is not None
    assert (turn.dungeon.rank, turn.dungeon.hall_after) == (found.best, found.targets[(found.best or 1) - 1].hall_after)


@pytest.mark.parametrize(
    ("lang", "title"),
    [
        ("en", "The game is over: you win, 7 VP against 2"),
        ("pl", "Koniec gry: wygrywasz, 7 PZ przeciwko 2"),
        ("ru", "Игра окончена: вы победили, очки 7 против 2"),
    ],
)
def test_a_game_alone_is_won_against_the_monsters(lang: str, title: str) -> None:
    """R9.5."""
    started(variant="solo", players=1, require=MONSTERS, seed=3)
    keep(lambda now: events.correct(now, WORDS, escaped=["blink-dog"]))
    hall("griffon", "stone-of-mystery", "grudgebeast")
    now = fought(FIRST, [{"attack": 1}], won=True)
    assert evening_page(now, Language(open_database(), lang)).title == title


def test_archduke_of_pain_takes_the_top_of_every_hero_stack() -> None:
    """R6.6: the breach, whose result is certain."""
    before = dict(started().stacks)
    hall("griffon", "archduke-of-pain", "grudgebeast")
    now = fought(FIRST, [{"attack": 1}])
    assert now.hall == ("archduke-of-pain", "grudgebeast", None)
    heroes = [card for card in before if card == "militia" or WORDS.database.cards[card].level == 1]
    gone = {card: n - now.stacks[card] for card, n in before.items() if n != now.stacks[card]}
    assert gone == dict.fromkeys(heroes, 2)


def test_a_card_added_to_a_deck_comes_from_its_stack() -> None:
    """R1.6: there are as many copies as were laid out, and a battle with all of them is judged."""
    before = started()
    now = keep(lambda now: events.correct(now, WORDS, deck=[*before.players[0].deck.elements(), "dwarf-guardian"]))
    assert now.stacks["dwarf-guardian"] == before.stacks["dwarf-guardian"] - 1
    assert "Left in the village now: Dwarf Guardian 5." in event_text(now.events[-1], WORDS)
    hall("griffon", "archduke-of-pain", "grudgebeast")
    assert fought(["dwarf-guardian", *FIRST[1:]], None).events[-1].do == "battle"
    take_back()
    refused(lambda: keep(lambda now: events.correct(now, WORDS, deck=["7 dwarf guardian"])), "too-many-copies")
    refused(lambda: keep(lambda now: events.correct(now, WORDS, stacks=["6 dwarf guardian"])), "too-many-copies")


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_breach_that_nobody_has_told_is_to_be_put_right(lang: str) -> None:
    """R6.6: of a monster that came to rank 1 unnamed, or whose breach depends on cards that nobody knows."""
    started(require=[*MONSTERS, "elemental-pain"], sets=["base", "wrath"], seed=3)
    hall("griffon", None, None)
    fought(FIRST, [{"attack": 1}], ends=True)
    now = hall("archduke-of-pain", "grudgebeast", "lava-torment")
    assert now.events[-1].breach == "archduke-of-pain"
    assert event_text(now.events[-1], Language(open_database(), lang)).endswith(
        {
            "en": "Breach of Archduke of Pain: put right the decks and stacks that it changed.",
            "pl": "Wtargnięcie (Arcyksiążę Bólu): popraw talie i stosy, które zmieniło.",
            "ru": "Прорыв (Архигерцог боли): исправьте колоды и стопки, которые он изменил.",
        }[lang]
    )
    now = hall("lava-torment", "grudgebeast", "griffon")  # put right: nothing came
    assert not now.events[-1].breach
    hall("griffon", "lava-torment", "grudgebeast")
    now = fought(FIRST, [{"attack": 1}], won=True)
    assert now.events[-1].breach == "lava-torment"
    assert {player.discard is None for player in now.players} == {True}


def test_nothing_breaches_when_the_first_hall_is_named() -> None:
    """R1.5; and a breach whose result is certain needs no correction."""
    started(require=[*MONSTERS, "elemental-pain"], sets=["base", "wrath"], seed=3)
    assert not hall("archduke-of-pain", "grudgebeast", "lava-torment").events[-1].breach
    hall("griffon", "archduke-of-pain", "grudgebeast")
    assert not fought(FIRST, [{"attack": 1}], won=True).events[-1].breach


def test_odds_take_the_deck_of_whose_turn_it_is() -> None:
    started()
    now = hall("griffon", None, None)
    question: dict[str, Any] = {"hand": FIRST}
    fill(now, None, WORDS, question, OddsQuestion)
    assert question["deck_list"] == ["dagger", "iron-rations", "militia", "militia", "militia", "torch"]
    assert question["hall"] == ["griffon", None, None]


def test_tokens_are_counted_and_a_penalty_card_is_taken() -> None:
    """R9.6: two turns outside the dungeon, then the monster is a penalty card."""
    started(variant="marauding", players=2, require=MONSTERS, seed=3)
    hall("griffon", "blink-dog", "grudgebeast")
    for tokens in (1, 2):
        now = keep(lambda now: events.rest(now, WORDS, None, hand=FIRST, ends=True))
        assert now.tokens == tokens
    now = keep(lambda now: events.rest(now, WORDS, None, hand=FIRST, ends=True))
    assert (now.tokens, now.hall, now.penalties) == (0, ("blink-dog", "grudgebeast", None), {"Ann": 1})
    refused(lambda: keep(lambda now: events.penalty(now, WORDS)), "evening-no-penalty")


def test_monsters_march_in_a_game_alone() -> None:
    """R9.5: whoever stays away lets the first of a full hall escape."""
    now = started(variant="solo", players=1, require=MONSTERS, seed=3)
    assert now.hall == ("", "", "")
    hall("griffon", "blink-dog", "grudgebeast")
    now = keep(lambda now: events.rest(now, WORDS, None, hand=FIRST, ends=True))
    assert (now.hall, now.lost) == (("blink-dog", "grudgebeast", None), ("griffon",))
    assert events.escaped_vp(now, WORDS) == 4
    for _ in range(4):  # of those who follow nobody has said who they are
        now = keep(lambda now: events.rest(now, WORDS, None, ends=True))
    assert (events.escaped_vp(now, WORDS), events.score_evening(now, WORDS).winners) == (4 + vp_of(now.lost), [])
    assert evening_page(now, WORDS)


def vp_of(lost: tuple[str, ...]) -> int:
    """The VP of the monsters that are named, but for the first."""
    return sum(WORDS.database.cards[card].vp or 0 for card in lost[1:] if card in WORDS.database.cards)


def test_dark_champion_asks_for_its_toll() -> None:
    """R6.7: it takes a card of every new hand."""
    started()
    keep(lambda now: events.correct(now, WORDS, rank0=["dark champion"]))
    error = refused(lambda: keep(lambda now: events.rest(now, WORDS, None, asks=True)), "evening-toll")
    assert "Dark Champion" in WORDS.error(error)
    refused(lambda: keep(lambda now: events.rest(now, WORDS, None, toll=["2 torch"])), "evening-no-toll")
    now = keep(lambda now: events.rest(now, WORDS, None, toll=["torch"], asks=True, ends=True))
    assert (now.players[0].deck["torch"], now.events[-1].toll) == (1, ("torch",))


# the game ends when it ends


def ended() -> Evening:
    started()
    hall("griffon", "stone-of-mystery", "grudgebeast")
    return fought(["militia", "militia", "torch", "dwarf-guardian", "short-sword", "dagger"], [{"attack": 1}], won=True)


@pytest.mark.parametrize(
    ("lang", "won"),
    [
        ("en", "The game is over: Ann wins, 7 VP"),
        ("pl", "Koniec gry. Zwycięstwo: Ann, 7 PZ"),
        ("ru", "Игра окончена. Победа: Ann, очков: 7"),
    ],
)
def test_the_thunderstone_at_rank_1_ends_the_game(lang: str, won: str) -> None:
    """R7.1: the victory brought it there, so Ann has it."""
    now = ended()
    assert now.finished
    assert now.players[0].deck["stone-of-mystery"] == 1
    assert evening_page(now, Language(open_database(), lang)).title == won
    assert "The game is over." in event_text(now.events[-1], WORDS)


def test_after_the_end_there_are_only_corrections_and_undo() -> None:
    ended()
    refused(lambda: keep(events.next_turn), "evening-finished")
    refused(lambda: fought(FIRST, [{"attack": 1}], player="Bob"), "evening-finished")
    refused(lambda: keep(lambda now: events.purchase(now, WORDS, ["torch"], "Bob")), "evening-finished")
    now = keep(lambda now: events.correct(now, WORDS, xp=9))
    assert now.finished
    take_back()
    _, left = take_back()
    assert left is not None
    assert not left.finished


def test_a_stone_named_in_rank_1_ends_the_game() -> None:
    started()
    hall("griffon", None, None)
    fought(FIRST, [{"attack": 1}])
    now = hall("stone-of-mystery", "griffon", "blink-dog")
    assert now.finished
    assert not any(player.deck["stone-of-mystery"] for player in now.players)  # nobody beat a monster


def test_the_first_of_two_stones_ends_nothing() -> None:
    """R9.1."""
    started(variant="epic", players=2, require=MONSTERS, seed=1)
    hall("griffon", "stone-of-mystery", "grudgebeast")
    now = fought(FIRST, [{"attack": 1}], won=True)
    assert (now.finished, now.first_stone, now.hall) == (False, "stone-of-mystery", ("grudgebeast", None, None))
    assert now.players[0].deck["stone-of-mystery"] == 1
    keep(events.next_turn)
    hall("griffon", "stone-of-agony", "blink-dog")
    now = fought(FIRST, [{"attack": 1}])
    assert now.finished


# what nobody owns


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Not in the deck of Bob: Thyrian Lord; a slip, or bought unseen (then add --unseen)."),
        ("pl", "Bob nie ma w talii: "),
        ("ru", "Нет в колоде игрока Bob: "),
    ],
)
def test_a_card_that_nobody_can_own_is_asked_about(lang: str, words: str) -> None:
    started()
    hall("griffon", None, None)
    hand = ["thyrian-lord", "militia", "torch"]
    error = refused(lambda: fought(hand, None, player="Bob", unseen=False), "evening-unseen")
    said = Language(open_database(), lang)
    assert isinstance(error, NoAnswerError)
    with pytest.raises(NoAnswerError) as caught:
        keep(lambda now: events.battle(now, said, {"hand": hand}, player="Bob"))
    assert said.error(caught.value).startswith(words)
    now = fought(hand, None, player="Bob")
    assert (now.events[-1].unseen, now.players[1].deck["thyrian-lord"]) == (("thyrian-lord",), 1)
    assert "Added unseen: Thyrian Lord." in event_text(now.events[-1], WORDS)


def test_cards_bought_before_are_a_starting_deck() -> None:
    before = started()
    now = started({"bob": ["5 militia", "2 torch", "2 hatchet", "dwarf guardian"]})
    assert now.players[1].deck.total() == 10
    assert {card: before.stacks[card] - n for card, n in now.stacks.items() if before.stacks[card] != n} == {
        "hatchet": 2, "dwarf-guardian": 1,
    }  # fmt: skip
    with pytest.raises(InputError, match="evening-player"):
        started({"Zed": ["torch"]})


# corrections, files


def test_one_card_of_the_hall_is_the_newest() -> None:
    started()
    hall("griffon", "blink-dog", None)
    assert hall("grudgebeast").hall == ("griffon", "blink-dog", "grudgebeast")
    refused(lambda: hall("nixie"), "evening-hall-full")


def test_every_correction_can_be_taken_back() -> None:
    before = started()
    fixes: list[dict[str, Any]] = [
        {"xp": 4}, {"deck": ["12 torch"]}, {"stacks": ["0 hatchet", "3 torch"]}, {"rank0": ["dark champion"]},
        {"tokens": 2}, {"escaped": ["griffon"]},
    ]  # fmt: skip
    for fix in fixes:
        now = keep(lambda now, fix=fix: events.correct(now, WORDS, player="Bob", **fix))
        assert events.state_of(now, WORDS) != events.state_of(before, WORDS) or (now.tokens, now.lost) != (0, ())
        take_back()
    assert read_events() == before.events
    assert keep(lambda now: events.correct(now, WORDS, stacks=["0 hatchet"])).stacks["hatchet"] == 0


def test_a_file_loaded_over_an_evening_is_taken_back_as_one() -> None:
    started()
    keep(lambda now: events.correct(now, WORDS, xp=4))
    text = json.dumps(pack())
    started()
    mine = hall("griffon", None, None)
    load(text)
    assert [event.do for event in Evening(read_events()).events] == ["start", "correct"]
    _, left = take_back()
    assert left is not None
    assert left.events == mine.events


def test_an_evening_of_the_version_before_is_what_it_was(state: Path) -> None:
    """Events with nothing but what they had then."""
    old: list[dict[str, Any]] = [
        {"do": "start", "code": ABYSSAL, "players": ["Ann", "Bob"], "decks": [{"militia": 6}, {"militia": 6}],
         "stacks": {"torch": 8, "hatchet": 8}},
        {"do": "hall", "hall": ["griffon", None, None]},
        {"do": "battle", "player": "Ann", "hand": ["militia", "hatchet"], "rank": 1, "monster": "griffon", "won": True,
         "total": 8, "health": 7, "hall": [None, None, None], "rank0": [], "gained": ["griffon"], "xp": 2,
         "ends": True},
        {"do": "visit", "player": "Bob", "hand": ["militia"], "gained": ["torch"], "ends": True},
        {"do": "correct", "player": "Ann", "xp": 1, "stacks": {"torch": 5}},
    ]  # fmt: skip
    state.write_text("".join(json.dumps(event) + "\n" for event in old), "utf-8")
    now = Evening(read_events())
    assert (now.players[0].xp, now.players[0].deck["griffon"], now.players[0].deck["hatchet"]) == (3, 1, 1)
    assert (now.stacks, now.turn, now.finished) == ({"torch": 5, "hatchet": 7}, 3, False)
    assert evening_page(now, WORDS).title == "Ann, turn 3"


# the page and the log


def test_the_stacks_that_did_not_change_are_left_out() -> None:
    started()
    now = keep(lambda evening: events.purchase(evening, WORDS, ["hatchet"]))
    assert "Hatchet 7" in text_of(evening_page(now, WORDS, whole=False))
    assert "Short Sword" not in text_of(evening_page(now, WORDS, whole=False))
    assert "Short Sword 8" in text_of(evening_page(now, WORDS))


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Ann buys Hatchet. Ann levels a hero up to Dwarf Guardian. Destroyed: Militia. XP −3."),
        ("pl", "Ann kupuje: Toporek. Ann awansuje Bohatera i dostaje: Krasnolud Strażnik. Usunięte: Ochotnik. PD −3."),
        ("ru", "Ann покупает: Топор. Ann улучшает героя и получает: "),
    ],
)
def test_the_log_names_all_that_came_and_left(lang: str, said: str) -> None:
    started()
    keep(lambda now: events.correct(now, WORDS, xp=5))
    plan = [{"level_up": "militia", "to": "dwarf-guardian"}, {"buy": "hatchet"}]
    now = visited(["militia", "torch", "dagger", "iron-rations", "iron-rations", "torch"], plan)
    assert event_text(now.events[-1], Language(open_database(), lang))[: len(said)] == said


def test_an_event_of_every_kind_has_its_sentence() -> None:
    for lang in LANGUAGES:
        words = Language(open_database(), lang)
        for do in ("start", "hall", "visit", "level", "rest", "penalty", "correct", "next", "end"):
            assert event_text(EveningEvent(do=do, player="Ann"), words)  # type: ignore[arg-type]


def test_a_trap_never_lies_in_the_hall() -> None:
    """R6.6: it works and is gone."""
    started()
    with pytest.raises(NoAnswerError):
        hall("rolling-boulder", None, None)
