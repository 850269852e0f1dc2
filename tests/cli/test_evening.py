"""``thunderref evening``: the contract's commands, and what other commands take from an evening."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command import Answer, Run
from support.systems import keep_in

CODE = "37MFZLY8JVG3GH7"
HAND = "2 militia, torch, elf wizard, short sword, iron rations"


@pytest.fixture
def evening(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``cli`` with an evening of four under way, and three monsters in the hall."""
    keep_in(monkeypatch, tmp_path / "state")
    assert cli("evening", "start", CODE, "--players", "Ann, Bob, Cy, Di").status == 0
    assert cli("evening", "hall", "griffon, blink dog, suffering").status == 0
    return cli


def refused(answer: Answer) -> str:
    code: str = answer.json["error"]["code"]
    return code


def test_the_document_is_that_of_the_contract(evening: Run) -> None:
    found = evening("evening", "--json").json
    assert (found["code"], found["active"], found["turn"], found["events"]) == (CODE, "Ann", 1, 2)
    assert (found["hall"], found["rank0"]) == (["griffon", "blink-dog", "suffering"], [])
    ann = found["players"][0]
    assert (ann["name"], ann["xp"], ann["vp"]) == ("Ann", 0, 0)
    assert {"id": "militia", "count": 6} in ann["deck"]
    assert {"id": "elf-wizard", "count": 6} in found["stacks"]
    assert found["tonight"] == CODE


def test_a_turn_is_kept_and_passed_on(evening: Run) -> None:
    won = evening("evening", "battle", HAND, "--unseen", "--rank", "1", "--json").json
    assert won["hall"] == ["blink-dog", "suffering", None]
    assert (won["active"], won["players"][0]["xp"], won["players"][0]["vp"]) == ("Ann", 2, 4)
    after = evening("evening", "next", "--json").json
    assert (after["active"], after["turn"]) == ("Bob", 2)
    bought = evening("evening", "buy", "short sword", "--json").json
    assert {"id": "short-sword", "count": 1} in bought["players"][1]["deck"]
    rested = evening("evening", "rest", "militia", "--player", "cy", "--json").json
    assert {"id": "militia", "count": 5} in rested["players"][2]["deck"]
    back = evening("evening", "undo", "--json").json
    assert {"id": "militia", "count": 6} in back["players"][2]["deck"]
    assert [event["do"] for event in evening("evening", "log", "--json").json["log"]] == [
        "start", "hall", "battle", "next", "visit",
    ]  # fmt: skip


def test_a_battle_lost_is_kept_as_lost(evening: Run) -> None:
    lost = evening("evening", "battle", HAND, "--unseen", "--rank", "1", "--lost", "--json").json
    assert (lost["hall"], lost["players"][0]["xp"]) == (["blink-dog", "suffering", None], 0)


def test_commands_take_what_is_known(evening: Run) -> None:
    assert [target["monster"] for target in evening("resolve", HAND, "--json").json["targets"]] == [
        "griffon", "blink-dog", "suffering",
    ]  # fmt: skip
    assert [target["monster"] for target in evening("resolve", HAND, "--hall", "nixie", "--json").json["targets"]] == [
        "nixie"
    ]
    evening("evening", "correct", "--xp", "7")
    assert evening("village", "2 militia", "--json").json["xp"] == 7
    assert refused(evening("resolve", HAND, "--any", "--json")) == "empty-hall"
    odds = evening("odds", "2 militia, torch, dagger, 2 iron rations", "--json").json
    assert [target["monster"] for target in odds["targets"]] == ["griffon", "blink-dog", "suffering"]
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    assert [player["vp"] for player in evening("score", "--json").json["players"]] == [4, 0, 0, 0]


def test_the_end_has_the_score_and_the_best_battle(evening: Run) -> None:
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    told = evening("evening", "end").out
    assert "Winner: Ann, 4 VP" in told
    assert "Best battle: Ann beats Griffon: 8 against 7." in told
    assert refused(evening("resolve", HAND, "--json")) == "empty-hall"
    assert evening("evening", "undo").status == 0
    assert evening("resolve", HAND, "--json").status == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("battle",), "empty-hand"),
        (("battle", HAND, "--unseen", "--player", "Zed"), "evening-player"),
        (("buy", "elf archmage"), "evening-sold-out"),
        (("level", "militia"), "evening-level"),
        (("rest", "fireball"), "evening-not-owned"),
        (("hall", "griffon, griffon, griffon, griffon"), "evening-ranks"),
        (("correct",), "missing-value"),
        (("correct", "--xp", "-3"), "bad-value"),
        (("start", "--players", "Ann, Ann"), "play-name-twice"),
        (("dance",), "unknown-command"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(evening: Run, words: tuple[str, ...], code: str) -> None:
    before = evening("evening", "--json").json
    assert refused(evening("evening", *words, "--json")) == code
    assert evening("evening", "--json").json == before


def test_without_an_evening_it_says_how_to_begin(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path / "state")
    answer = cli("evening", "--json")
    assert (answer.status, refused(answer)) == (1, "no-evening")


@pytest.mark.parametrize(("lang", "said"), [("en", "Ann, turn 1"), ("pl", "Ann, tura 1"), ("ru", "Ann, ход 1")])
def test_it_speaks_three_languages(evening: Run, lang: str, said: str) -> None:
    assert said in evening("evening", "--lang", lang).out


def test_an_evening_moves_as_a_file(evening: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, file = evening("evening", "--json").json, tmp_path / "evening.json"
    assert evening("evening", "save", str(file)).status == 0
    assert refused(evening("evening", "save", str(file), "--json")) == "file-exists"
    keep_in(monkeypatch, tmp_path / "another laptop")
    assert refused(evening("evening", "--json")) == "no-evening"
    assert evening("evening", "load", str(file)).status == 0
    assert evening("evening", "--json").json == before


@pytest.mark.parametrize(
    "text",
    [
        '{"thunderref": {"tonight.json": "{}"}}',
        '{"thunderref": {"evening.jsonl": "5"}}',
        "code,players",
        "[]",
        '{"evening.jsonl": ""}',
        '{"thunderref": {"tonight.json": 1}}',
        '{"thunderref": []}',
    ],
)
def test_another_file_is_no_evening(evening: Run, tmp_path: Path, text: str) -> None:
    before = evening("evening", "--json").json
    (tmp_path / "other.json").write_text(text, "utf-8")
    assert refused(evening("evening", "load", str(tmp_path / "other.json"), "--force", "--json")) == "kept-other"
    assert evening("evening", "--json").json == before


def test_a_visit_is_one_turn_and_what_the_rules_forbid_is_not_kept(evening: Run) -> None:
    hand = "3 militia, 2 torch, dagger"
    bought = evening("evening", "visit", hand, "--buy", "iron rations", "--json").json
    assert {"id": "iron-rations", "count": 3} in bought["players"][0]["deck"]
    assert bought["active"] == "Ann"
    assert refused(evening("evening", "visit", hand, "--json")) == "evening-acted"
    evening("evening", "next")
    assert refused(evening("evening", "visit", hand, "--buy", "torch, dagger", "--json")) == "no-purchase-left"
    assert refused(evening("evening", "visit", hand, "--buy", "fireball", "--json")) == "too-dear"
    evening("evening", "correct", "--xp", "3")
    risen = evening("evening", "visit", hand, "--buy", "torch", "--level", "militia: elf wizard", "--json")
    assert {"id": "elf-wizard", "count": 1} in risen.json["players"][1]["deck"]
    log = evening("evening", "log").out
    assert "Bob buys Torch. Bob levels a hero up to Elf Wizard. Destroyed: Militia. XP −3." in log


def test_the_play_that_was_shown_is_kept_or_refused(evening: Run) -> None:
    hand = "3 militia, torch, dagger, iron rations"
    plan = '[{"equip": "dagger", "to": "torch"}, {"attack": 1}]'
    assert evening("evening", "battle", hand, "--plan", plan, "--json").status == 1
    assert refused(evening("evening", "battle", hand, "--plan", "[]", "--json")) == "evening-no-play"
    assert refused(evening("evening", "battle", hand, "--won", "--lost", "--json")) == "evening-two-results"
    assert evening("evening", "--json").json["events"] == 2
    won = evening("evening", "battle", hand, "--plan", '[{"attack": 1}]', "--won").out
    assert "Ann beats Griffon, as you saw it." in won


def test_cards_drawn_are_told_or_else_the_result(evening: Run) -> None:
    hand = "regian priest, 2 militia, torch, dagger, iron rations"
    words = ("evening", "battle", hand, "--unseen", "--plan", '[{"use": "regian-priest"}, {"attack": 1}]')
    assert refused(evening(*words, "--json")) == "evening-draw"
    drawn = evening(*words, "--deck", "torch", "--json").json
    assert drawn["players"][0]["xp"] == 0
    evening("evening", "undo")
    assert "as you saw it" in evening(*words, "--won").out
    evening("evening", "undo")
    evening("evening", "correct", "--deck", "6 militia, 2 torch, 2 dagger, 2 iron rations, regian priest")
    best = ("evening", "battle", hand, "--unseen", "--rank", "1")  # the draw may win: was it used?
    assert refused(evening(*best, "--json")) == "evening-draw"
    assert evening(*best, "--lost").status == 0


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_card_that_nobody_owns_is_asked_about(evening: Run, lang: str) -> None:
    answer = evening("evening", "battle", HAND, "--rank", "1", "--lang", lang)
    assert answer.status == 1
    assert "--unseen" in answer.err
    assert refused(evening("evening", "battle", HAND, "--rank", "1", "--json")) == "evening-unseen"


def test_somebody_at_a_terminal_is_asked(evening: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thunderref.cli.session.Session.has_a_person", True)
    for said, events in (("n", 2), ("y", 3)):
        monkeypatch.setattr("builtins.input", lambda _, said=said: said)
        evening("evening", "battle", HAND, "--rank", "1")
        assert evening("evening", "--json").json["events"] == events
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert evening("evening", "start", "--players", "Ed, Flo, Gus, Hal").status == 0
    assert evening("evening", "--json").json["active"] == "Ed"


def test_nothing_ends_an_evening_but_its_end(evening: Run, tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    evening("evening", "save", str(file))
    before = evening("evening", "--json").json
    other = evening("setup", "--players", "2", "--seed", "5", "--json").json["code"]
    for words in (
        ("evening", "start", other), ("evening", "load", str(file)), ("tonight", other), ("tonight", "--clear"),
        ("setup", "--players", "2", "--tonight"),
    ):  # fmt: skip
        assert refused(evening(*words, "--json")) == "evening-running"
        assert evening("evening", "--json").json == before
    replaced = evening("evening", "start", other, "--force", "--json").json
    assert (replaced["code"], replaced["events"]) == (other, 1)
    assert evening("evening", "undo", "--json").json == before  # with its set-up


def test_the_set_up_of_an_evening_that_is_over_does_not_block_the_next(evening: Run) -> None:
    evening("evening", "end")
    started = evening("evening", "start", "--players", "Ann, Bob", "--json").json
    assert [player["name"] for player in started["players"]] == ["Ann", "Bob"]
    assert started["code"] != CODE


def test_the_beginning_shows_monsters_and_code_and_takes_decks(evening: Run) -> None:
    told = evening("evening", "start", CODE, "--players", "Ann, Bob, Cy, Di", "--force", "--deck", "bob: 12 torch").out
    assert "Monsters: Enchanted, Ooze, Undead • Doom, Stone of Mystery" in told
    assert f"Code: {CODE}" in told
    assert {"id": "torch", "count": 12} in evening("evening", "--json").json["players"][1]["deck"]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("command", ["start", "battle", "visit", "correct", "rest", "load", "penalty"])
def test_every_option_has_its_text(evening: Run, lang: str, command: str) -> None:
    lines = evening("evening", command, "--help", "--lang", lang).out.splitlines()
    rows = [(n, line) for n, line in enumerate(lines) if line.startswith("  --")]
    bare = [line for n, line in rows if len(line.split("  ")) < 3 and not lines[n + 1].startswith("      ")]
    assert not [line for line in bare if "  " not in line.strip()]


def test_one_card_names_the_newest_monster_and_stacks_show_what_changed(evening: Run) -> None:
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    assert evening("evening", "hall", "nixie", "--json").json["hall"] == ["blink-dog", "suffering", "nixie"]
    assert refused(evening("evening", "hall", "griffon", "--json")) == "evening-hall-full"
    assert "Elf Wizard 5, Short Sword 7" in evening("evening").out
    assert "Fireball" not in evening("evening").out
    assert "Fireball" in evening("evening", "--more").out


def test_every_place_is_corrected_and_said_and_taken_back(evening: Run) -> None:
    """R6.7, R6.10, R9.5, R9.6."""
    before = evening("evening", "log", "--json").json["log"]
    for option, text, line in (
        ("--penalties", "griffon, nixie", "The player’s penalty cards: Griffon and Nixie."),
        ("--rank0", "dark champion", "Guardians in rank 0: Dark Champion."),
        ("--caged", "elf wizard", "The heroes in The Cage: Elf Wizard."),
        ("--tokens", "2", "Tokens on the rank 1 monster: 2."),
    ):
        assert line in evening("evening", "correct", option, text).out
        assert refused(evening("evening", "correct", option, text, "--json")) == "evening-no-change"
    assert evening("evening", "--json").json["players"][0]["vp"] == -2
    for _ in range(4):
        evening("evening", "undo")
    assert evening("evening", "log", "--json").json["log"] == before


@pytest.mark.parametrize(
    ("foes", "hall"),
    [
        ("vs griffon", ["blink-dog", "suffering", None]),
        ("vs griffon, blink dog", ["blink-dog", "suffering", None]),
        ("vs suffering", ["griffon", "blink-dog", None]),
        ("vs rank 3 suffering", ["griffon", "blink-dog", None]),
    ],
)
def test_a_battle_names_its_foe_and_keeps_the_hall(evening: Run, foes: str, hall: list[str | None]) -> None:
    hand = "3 militia, torch, dagger, iron rations"
    assert evening("evening", "battle", hand, *foes.split(), "--lost", "--json").json["hall"] == hall


def test_a_foe_of_a_rank_without_a_name_gets_it(evening: Run) -> None:
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    evening("evening", "next")
    hand = "3 militia, torch, dagger, iron rations"
    fought = evening("evening", "battle", hand, "vs", "nixie", "--json").json
    assert fought["hall"] == ["blink-dog", "suffering", None]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("battle 6 militia vs nixie", "evening-other-hall"),
        ("battle 6 militia vs blink dog, griffon", "evening-other-hall"),
        ("hall goblin, blink dog", "evening-not-dealt"),
        ("hall griffon, griffon, griffon", "too-many-copies"),
        ("hall 2 suffering, 2 griffon", "evening-ranks"),
        ("buy 3 fireball", "evening-dear"),
        ("buy torch, dagger", "evening-dear"),
        ("rest 2 militia", "stray-number"),
        ("level 2 militia", "stray-number"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_what_cannot_have_happened_is_refused(evening: Run, words: str, code: str, lang: str) -> None:
    before = evening("evening", "--json").json
    answer = evening("evening", *words.split(), "--lang", lang, "--json")
    assert (answer.status > 0, refused(answer)) == (True, code)
    assert evening("evening", "--json").json == before


def test_one_of_two_alike_is_asked_for_by_its_rank(evening: Run) -> None:
    evening("evening", "hall", "2 griffon, nixie")
    assert refused(evening("evening", "battle", "6 militia", "vs", "griffon", "--json")) == "evening-other-hall"
    fought = evening("evening", "battle", "6 militia", "vs", "griffon", "--rank", "2", "--json").json
    assert fought["hall"] == ["griffon", "nixie", None]


def test_copies_won_are_gone_from_the_dungeon(evening: Run) -> None:
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    assert refused(evening("evening", "hall", "2 griffon", "--json")) == "too-many-copies"
    assert evening("evening", "hall", "griffon, blink dog").status == 0


def test_a_purchase_within_reach_of_some_hand_is_kept(evening: Run) -> None:
    assert evening("evening", "buy", "1 fireball").status == 0
    evening("evening", "next")
    evening("evening", "correct", "--deck", "6 militia, 2 torch, 2 dagger, 2 iron rations, town guard")
    assert evening("evening", "buy", "short sword").status == 0


def test_a_thunderstone_in_rank_1_can_be_a_slip(evening: Run) -> None:
    """R7.1."""
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    over = evening("evening", "hall", "stone of mystery, griffon, blink dog", "--json").json
    assert (over["finished"], over["winners"], over["players"][0]["vp"]) == (True, ["Ann"], 7)
    assert refused(evening("evening", "next", "--json")) == "evening-finished"
    again = evening("evening", "hall", "griffon, blink dog, stone of mystery", "--json").json
    assert (again["finished"], again["players"][0]["vp"]) == (False, 4)
    assert evening("evening", "next").status == 0


@pytest.mark.parametrize("more", ["", ", lantern"])
def test_nobody_may_have_drawn_with_cards_that_do_not_draw(evening: Run, more: str) -> None:
    evening("evening", "correct", "--deck", f"6 militia, 2 torch, 2 dagger, 2 iron rations{more}")
    assert evening("evening", "battle", "6 militia", "--rank", "1").status == 0


def test_lists_behind_options_need_no_quotes(evening: Run) -> None:
    page = evening("evening", "visit", "--help").out
    example = page.rpartition("thunderref evening visit ")[2].partition("\n\n")[0]
    bought = evening("evening", "visit", *example.split(), "--unseen", "--json").json
    assert {"id": "short-sword", "count": 1} in bought["players"][0]["deck"]
    evening("evening", "next")
    hand = "3 militia, 2 torch, dagger"
    for words in (("--buy", "iron", "rations,", "torch"), ("--buy", "torch,", "dagger", hand)):
        words = words if hand in words else (hand, *words)
        assert refused(evening("evening", "visit", *words, "--json")) == "no-purchase-left"
    evening("evening", "correct", "--xp", "3")
    risen = evening("evening", "level", "militia", "--to", "elf", "wizard", "--json").json
    assert {"id": "elf-wizard", "count": 1} in risen["players"][1]["deck"]
    assert evening("evening", "visit", "--buy", "torch", hand).status == 0


@pytest.mark.parametrize(
    ("lang", "hall", "xp"),
    [
        ("en", "the hall is griffon, nixie", "Bob has 3 XP"),
        ("pl", "w hali są gryf, rusałka", "Bob ma 3 PD"),
        ("ru", "в коридоре грифон, русалка", "у Bob 3 опыта"),
    ],
)
def test_a_correction_is_said_in_words(evening: Run, lang: str, hall: str, xp: str) -> None:
    assert evening("evening", hall, "--lang", lang, "--json").json["hall"] == ["griffon", "nixie", None]
    assert evening("evening", *xp.split(), "--lang", lang, "--json").json["players"][1]["xp"] == 3


@pytest.mark.parametrize("text", ["Zed has 3 XP", "Bob has 3", "Bob has a fireball", "the hall", "fly away"])
def test_other_words_are_no_correction(evening: Run, text: str) -> None:
    assert refused(evening("evening", text, "--json")) == "unknown-command"


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_correction_beyond_the_copies_tells_what_it_counts(evening: Run, lang: str) -> None:
    said = {"en": "in other places", "pl": "gdzie indziej", "ru": "в других местах"}[lang]
    evening("evening", "buy", "elf wizard")
    answer = evening("evening", "correct", "--stacks", "6 elf wizard", "--lang", lang)
    assert (answer.status, said in answer.err, "7" in answer.err) == (1, True, True)
