"""Simulated games: the same whoever works; what is counted; what is refused; an interrupt."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from runpy import run_path
from typing import Any

import pytest

import thunderref
from support import ROOT
from thunderref.database.read import Language, open_database
from thunderref.database.records import Reference, SampledSetup
from thunderref.errors import InputError, NoAnswerError
from thunderref.statistics import mean, mean_interval, percentile, round_off, tenths, wilson
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.codes import SEEDS, decode
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate import run as running
from thunderref.thunderstone.simulate.run import (
    CHUNK,
    chunks,
    play_chunk,
    seed_of,
    simulate,
    turn_seats,
)
from thunderref.thunderstone.simulate.simulation import (
    Simulation,
    Tally,
    add_up,
    games_a_deal,
    histogram,
    read_reference,
)
from thunderref.thunderstone.simulate.simulation_report import ReportText
from thunderref.thunderstone.table.runner import PlayedGame, SeatPlayed, play_game

KEYS = [
    "code", "games", "seed", "bots", "paired", "deals", "ended", "called_off", "figures", "seats", "thunderstone_taken",
    "cards", "reference", "interrupted",
]  # fmt: skip
FIGURES = ["rounds", "vp", "victories_per_round", "first_victory"]


def text(**options: Any) -> str:
    return json.dumps(simulate(**options).model_dump(), ensure_ascii=False)


def test_the_same_seed_gives_the_same_document_whoever_works() -> None:
    options = {"games": 23, "bots": "greedy, dearest", "seed": 5}
    alone = text(**options)
    assert text(**options, workers=2) == alone
    assert text(**options, workers="auto") == alone
    assert text(games=23, bots="greedy, dearest", seed=6) != alone


def test_the_document_of_the_contract() -> None:
    document = simulate(games=12, bots=["dearest", "greedy"], seed=3).model_dump()
    assert [key for key in KEYS if key not in document] == []
    assert [*document["figures"]] == FIGURES
    for figure in document["figures"].values():
        assert {"mean", "interval", "p10", "p50", "p90", "percentile"} <= {*figure}
        assert figure["interval"][0] <= figure["mean"] <= figure["interval"][1]
        assert figure["p10"] <= figure["p50"] <= figure["p90"]
        assert sum(bar["games"] for bar in figure["histogram"]) == figure["games"]
        assert figure["percentile"] is None, "the reference was played by other bots"
    assert [(seat["seat"], seat["bot"]) for seat in document["seats"]] == [(1, "dearest"), (2, "greedy")]
    assert sum(seat["win_rate"] for seat in document["seats"]) == pytest.approx(1)
    assert (document["ended"] + document["called_off"], document["games"]) == (12, 12)
    assert {"share", "interval"} <= {*document["thunderstone_taken"]}
    assert {"setups", "games", "bots"} <= {*document["reference"]}
    assert all({"id", "games", "win_rate", "interval"} <= {*card} for card in document["cards"])
    assert all({"added", "added_interval", "compared"} <= {*card} for card in document["cards"])
    assert (document["paired"], document["deals"]) == (True, 6)
    sure = [card["interval"][0] if card["games"] else -1 for card in document["cards"]]
    assert sure == sorted(sure, reverse=True)
    assert thunderref.simulate(games=12, bots=["dearest", "greedy"], seed=3).model_dump() == document


def test_without_a_code_the_seed_draws_the_setup() -> None:
    found = simulate(games=1, bots="random", seed=9)
    assert found.code == generate_setup(seed=9).code
    again = simulate(games=1, bots="random", seed=9, code=found.code)
    assert again == found
    assert simulate(games=1, bots="random", seed=10).code != found.code


def test_games_are_known_by_seed_and_number() -> None:
    seeds = [seed_of(7, number) for number in range(10_000)]
    assert len({*seeds}) == 10_000
    assert all(0 <= seed < SEEDS for seed in seeds)
    assert not {*seeds} & {seed_of(8, number) for number in range(10_000)}
    for bots in (["random"], ["random", "random"], ["random", "greedy"], ["random", "greedy", "greedy", "greedy"]):
        every = list(chunks("X", bots, 7, 23))
        assert [n for chunk in every for n in range(chunk.first, chunk.first + chunk.size)] == list(range(23))
        assert CHUNK <= max(chunk.size for chunk in every) < CHUNK + len(bots)
        assert not any(chunk.first % games_a_deal(bots) for chunk in every), "deals are whole"


def test_a_record_is_that_of_the_game() -> None:
    made = generate_setup(seed=4, players=3)
    bots = [find_bot(name) for name in ("random", "greedy", "dearest")]
    chunk = next(chunks(made.code, ["random", "greedy", "dearest"], 4, 3))
    for number, record in enumerate(play_chunk(chunk)):
        played = play_game(made, turn_seats(bots, number), seed_of(4, 0))
        by_bot = {seat.bot: seat for seat in played.seats}
        assert record._replace(seats=played.seats, first=0) == played
        assert record.seats == tuple(by_bot[name] for name in ("random", "greedy", "dearest"))
        assert played.seats[0].bot == ("random", "greedy", "dearest")[record.first]


def test_bots_that_differ_play_each_deal_in_every_seat() -> None:
    code = generate_setup(seed=4).code
    twin = "thunderref.thunderstone.bots.beginners:greedy"
    found = [game for chunk in chunks(code, ["greedy", twin], 4, 8) for game in play_chunk(chunk)]
    for one, two in zip(found[::2], found[1::2], strict=True):
        assert (one.first, two.first) == (0, 1)
        assert [seat._replace(bot="") for seat in one.seats] == [seat._replace(bot="") for seat in two.seats[::-1]]
        assert (one.rounds, one.choices) == (two.rounds, two.choices)
    same = [game for chunk in chunks(code, ["greedy", "greedy"], 4, 8) for game in play_chunk(chunk)]
    assert same[0] == found[0]._replace(seats=same[0].seats)
    assert len({(game.rounds, game.choices) for game in same}) > 4, "equals have a deal for each game"


def test_bots_that_are_nearly_alike_are_told_apart_sooner() -> None:
    twins = simulate(games=80, bots=["greedy", "thunderref.thunderstone.bots.beginners:greedy"], seed=4)
    alone = simulate(games=80, bots="greedy", seed=4)
    assert (twins.paired, twins.deals, alone.paired, alone.deals) == (True, 40, False, 80)
    for seat, single in zip(twins.seats, alone.seats, strict=True):
        assert seat.win_rate == 0.5
        assert seat.interval is not None
        assert single.interval is not None
        assert seat.interval[1] - seat.interval[0] < (single.interval[1] - single.interval[0]) / 2


def test_every_bot_sits_in_every_seat_equally_often() -> None:
    bots = [find_bot(name) for name in ("random", "greedy", "dearest")]
    seats = Counter((bot, seat) for number in range(30) for seat, bot in enumerate(turn_seats(bots, number)))
    assert set(seats.values()) == {10}


def game(
    shares: tuple[float, float], rounds: int = 20, called_off: Any = "", first: int = 0, **more: Any
) -> PlayedGame:
    took = more.get("took", ((), ()))
    victory, stone = more.get("victory", 4), more.get("stone", True)
    seats = tuple(
        SeatPlayed("planner", 10 * (n + 1), share, 5, victory, stone and n == 1, cards)
        for n, (share, cards) in enumerate(zip(shares, took, strict=True))
    )
    return PlayedGame(called_off, rounds, 2 * rounds, 100, seats, first)


REFERENCE = Reference(
    games=15, bots=("planner", "planner"),
    setups=tuple(SampledSetup(str(n), 15, n, 10, (n - 10) / 10, 4) for n in range(10, 20)),
)  # fmt: skip


def summed(games: list[PlayedGame], *bots: str) -> Simulation:
    """What the games come to, each deal added by itself."""
    tally = Tally(bots or ("planner", "planner"))
    for first in range(0, len(games), 2):
        tally.add(games[first : first + 2])
    return add_up(generate_setup(seed=4), 4, tally, REFERENCE, interrupted=False)


def test_what_is_counted() -> None:
    made = generate_setup(seed=4)
    card = made.content.village[0]
    games = [
        game((1, 0), 18, took=((card,), ()), stone=False), game((0.5, 0.5), 14, first=1, took=((card,), (card,))),
        game((0, 1), 10, first=1, victory=None), game((0, 0), 99, "standstill", took=((card,), (card,))),
        game((0, 0), 99, "endless"),
    ]  # fmt: skip
    found = summed(games)
    assert (found.games, found.ended, found.called_off) == (5, 3, 2)
    assert found.called_off_why.model_dump() == {"endless": 1, "standstill": 1, "rounds": 0}
    assert (found.figures.rounds.mean, found.figures.rounds.percentile) == (14, 45)
    assert (found.figures.vp.mean, found.figures.vp.percentile) == (15, 100)
    assert (found.figures.first_victory.games, found.figures.first_victory.percentile) == (2, 50)
    assert found.figures.victories_per_round.percentile == 80
    assert found.figures.victories_per_round.mean == pytest.approx((10 / 18 + 10 / 14 + 1) / 3, abs=1e-4)
    assert [seat.win_rate for seat in found.seats] == [0.5, 0.5]
    assert found.seats[0].interval == tuple(round(value, 4) for value in wilson(0.5, 3))
    assert [seat.vp.mean for seat in found.seats] == [10, 20]
    assert found.begins.win_rate == pytest.approx((1 + 0.5 + 1) / 3, abs=1e-4)
    assert found.thunderstone_taken.share == pytest.approx(2 / 3, abs=1e-4)
    first = found.cards[0]
    assert (first.id, first.games, first.win_rate) == (card, 3, pytest.approx(2 / 3, abs=1e-4))
    assert {other.games for other in found.cards[1:]} == {0}
    assert found.cards[1].win_rate is None
    assert {each.id for each in found.cards} >= {*made.content.village, "militia", "torch"}


def test_the_tally_gives_the_figures_of_the_games_themselves() -> None:
    """Single games as they were counted from a list of them all; the order of the games does not matter."""
    code = generate_setup(seed=4).code
    games = [game for chunk in chunks(code, ["greedy", "greedy"], 4, 40) for game in play_chunk(chunk)]
    found = summed(games, "greedy", "greedy")
    rounds, shares = sorted(game.rounds for game in games), [game.seats[1].share for game in games]
    figure = found.figures.rounds
    assert (figure.mean, figure.p10, figure.p50, figure.p90) == tuple(
        round_off(value) for value in (mean(rounds), *tenths(rounds)[::4])
    )
    assert figure.interval == rounded(mean_interval(rounds))
    assert found.seats[1].interval == rounded(wilson(mean(shares), 40))
    for card in found.cards:
        took = [seat.share for game in games for seat in game.seats if card.id in seat.took]
        assert (card.games, card.interval) == (len(took), rounded(wilson(mean(took), len(took))) if took else None)
    assert summed(games[::-1], "greedy", "greedy") == found


def rounded(interval: tuple[float, float] | None) -> tuple[float, float]:
    assert interval is not None
    return round_off(interval[0]), round_off(interval[1])


def test_a_deal_is_one_case_of_paired_games() -> None:
    pairs = [((1, 0), (0, 1)), ((1, 0), (1, 0)), ((0, 1), (1, 0)), ((0.5, 0.5), (1, 0))]
    games = [game(shares, 10 + n, first=n % 2) for n, shares in enumerate(each for pair in pairs for each in pair)]
    found = summed(games, "planner", "greedy")
    assert (found.paired, found.deals, found.games) == (True, 4, 8)
    assert found.seats[0].win_rate == 0.6875
    low, high = rounded(mean_interval([0.5, 1, 0.5, 0.75]))
    assert found.seats[0].interval == (low, min(1, high))
    assert found.figures.rounds.interval == rounded(mean_interval([10.5, 12.5, 14.5, 16.5]))
    assert found.figures.rounds.p50 == 13.5


@pytest.mark.parametrize("missing", [game((0, 0), 99, "standstill"), None], ids=["called off", "not played"])
def test_a_deal_that_lacks_a_game_counts_by_what_it_has(missing: PlayedGame | None) -> None:
    games = [game((1, 0), 10), game((1, 0), 20), game((1, 0), 12), game((0, 1), 22), game((0, 1), 8)]
    found = summed([*games, *([missing] if missing else [])], "planner", "greedy")
    assert (found.deals, found.ended, found.seats[0].win_rate, found.figures.rounds.mean) == (3, 5, 0.6, 14.4)
    weight = 3 / 5  # deals, games
    middles = [0.6 + weight * (2 - 1.2), 0.6 + weight * (1 - 1.2), 0.6 + weight * (0 - 0.6)]
    low, high = mean_interval(middles) or (0, 0)
    assert found.seats[0].interval == rounded((max(0, low), min(1, high)))
    assert mean(middles) == pytest.approx(0.6)


@pytest.mark.parametrize("deals", [1, 3, 40])
def test_deals_that_are_all_alike_leave_a_doubt(deals: int) -> None:
    won = summed([game((1, 0))] * 2 * deals, "planner", "greedy").seats
    assert (won[0].interval, won[1].interval) == (rounded(wilson(1, deals)), rounded(wilson(0, deals)))
    even = summed([game((1, 0)), game((0, 1))] * deals, "planner", "greedy").seats[0]
    doubt = 1 - wilson(1, deals)[0]
    assert (even.win_rate, even.interval) == (0.5, rounded((0.5 - doubt / 2, 0.5 + doubt / 2)))


def test_a_card_adds_what_those_who_took_it_won_more() -> None:
    good, bad, both, fair = generate_setup(seed=4).content.village[:4]
    games = [
        game((1, 0), took=((good, both), (bad, both))), game((0, 1), took=((bad, both, fair), (good, both))),
        game((1, 0), took=((good, both), (both,))), game((0.5, 0.5), took=((good, fair, both), (bad, both))),
        game((1, 0), took=((fair,), ())), game((0, 1), 99, "endless", took=((good,), (bad,))),
    ]  # fmt: skip
    cards = {card.id: card for card in summed(games).cards}
    found = {card: (cards[card].added, cards[card].compared) for card in (good, bad, both, fair)}
    assert found == {good: (0.75, 4), bad: (-0.6667, 3), both: (None, 0), fair: (0, 3)}
    low, high = rounded(mean_interval([1, 1, 1, 0]))
    assert cards[good].added_interval == (low, min(1, high))
    assert cards[both].added_interval is None
    assert (cards[both].games, cards[both].win_rate) == (8, 0.5), "everybody took it"
    paired = {card.id: card for card in summed(games[:4], "planner", "greedy").cards}
    low, high = rounded(mean_interval([1, 0.5]))
    assert (paired[good].added, paired[good].added_interval) == (0.75, (max(-1, low), min(1, high)))


def test_three_players_are_compared_by_their_means() -> None:
    seats = [
        SeatPlayed("planner", 9, share, 1, 1, False, cards) for share, cards in ((1, ("x",)), (0, ("x",)), (0, ()))
    ]
    tally = Tally(["planner"] * 3)
    tally.add([PlayedGame("", 9, 27, 99, tuple(seats))] * 4)
    card = next(card for card in add_up(generate_setup(seed=4), 4, tally, REFERENCE, False).cards if card.id == "x")
    doubt = 1 - wilson(1, 4)[0]
    assert (card.added, card.compared, card.games) == (0.5, 4, 8)
    assert card.added_interval == rounded((0.5 - 1.5 * doubt, 0.5 + 0.5 * doubt))


def test_a_report_of_nothing() -> None:
    made = generate_setup(seed=4)
    for games in ([], [game((0, 0), called_off="rounds")]):
        tally = Tally(("random", "random"))
        tally.add(games)
        found = add_up(made, 4, tally, REFERENCE, interrupted=True).model_dump()
        assert found["figures"]["rounds"]["mean"] is None
        assert found["seats"][0]["win_rate"] is None
        assert found["thunderstone_taken"] == {"share": None, "interval": None}


@pytest.mark.parametrize(
    "values", [[5.0], [1.0, 400.0], [0.1, 0.55, 0.6], [3.0, 3.0], [*map(float, range(100))], [20.5, 90.25]]
)
def test_a_histogram_holds_all_values(values: list[float]) -> None:
    bars = histogram(values)
    assert sum(bar.games for bar in bars) == len(values)
    assert 1 <= len(bars) <= 17
    assert bars[0].low <= values[0] < bars[0].high + 1e-9
    assert bars[-1].high >= values[-1]
    assert all(one.high == two.low for one, two in pairwise(bars))


def test_an_interrupt_keeps_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(chunk: Any) -> Any:
        if chunk.first >= 2 * CHUNK:
            raise KeyboardInterrupt
        return play_chunk(chunk)

    monkeypatch.setattr(running, "play_chunk", interrupted)
    found = simulate(games=50, bots="greedy", seed=5)
    monkeypatch.undo()
    whole = simulate(games=2 * CHUNK, bots="greedy", seed=5)
    assert found.interrupted
    assert found.model_dump() == whole.model_dump() | {"interrupted": True}


def test_progress_is_reported() -> None:
    calls: list[tuple[int, int]] = []
    simulate(games=12, bots="greedy", seed=5, progress=lambda played, most: calls.append((played, most)))
    assert calls == [(5, 12), (10, 12), (12, 12)]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"games": 0}, "bad-games"), ({"games": 100_001}, "bad-games"), ({"bots": "zorro"}, "unknown-bot"),
        ({"bots": "nowhere:bot"}, "bot-not-found"), ({"bots": "random, greedy", "players": 3}, "simulate-bots"),
        ({"workers": "0"}, "bad-jobs"), ({"scheduler": "far away"}, "bad-scheduler"), ({"seed": -1}, "setup-bad-seed"),
    ],
)  # fmt: skip
def test_what_is_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises((InputError, NoAnswerError), match=code):
        simulate(**{"bots": "random", "seed": 1, "games": 1} | options)


def test_one_bot_for_all_and_one_for_each() -> None:
    assert simulate(games=1, seed=1, bots="Random", players=4).bots == ("random",) * 4
    assert simulate(games=1, seed=1, bots="random, greedy, random").bots == ("random", "greedy", "random")
    assert simulate(games=1, seed=1, bots="greedy", variant="solo").bots == ("greedy",)
    assert simulate(games=1, seed=1).bots == ("planner", "planner")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_fails_is_one_sentence(workers: int) -> None:
    with pytest.raises(NoAnswerError, match="bot-raised"):
        simulate(games=3, seed=1, bots="support.work:refuse", workers=workers)


def test_a_setup_that_stands_still_is_called_off() -> None:
    """Nature, Pain and Golem: the Dark Champion has everybody destroy card after card until nobody owns any."""
    found = simulate(games=8, bots="greedy", seed=20, code="3NQWXF3MLTDB7SL5SGX")
    why = found.called_off_why
    assert found.called_off == why.endless + why.standstill + why.rounds > 0
    assert found.ended == 8 - found.called_off == found.figures.rounds.games
    about = ReportText(found, Language(open_database(), "en")).about()
    assert about[1].startswith(f"{found.called_off} games were called off and are not counted here: ")


@pytest.mark.slow
def test_the_reference_is_that_of_the_planner() -> None:
    """Some of its set-ups played again: much else, and the sample has to be made anew."""
    stored = read_reference(open_database())
    assert len(stored.setups) > 0.95 * 300
    rows, again = stored.setups[:: len(stored.setups) // 8], []
    for row in rows:
        seed = decode(row.code, open_database().derived(Catalogue)).seed
        again.append(simulate(code=row.code, seed=seed, games=stored.games).figures.rounds.mean or 0)
    assert mean(again) == pytest.approx(mean([row.rounds for row in rows]), rel=0.1)


def test_the_reference_is_read_and_written() -> None:
    stored = read_reference(open_database())
    assert stored.bots == ("planner", "planner")
    assert SampledSetup._fields == ("code", "ended", *FIGURES)
    written = run_path(str(ROOT / "tests/bench/reference.py"))["format_reference"](stored)
    assert written == (ROOT / "db" / "reference.toml").read_text("utf-8")


def test_the_place_in_the_reference_is_told_as_ever() -> None:
    """The places that ``simulate`` has told of these means; only a sample made anew may tell others."""
    stored = read_reference(open_database())
    means = {"rounds": 42, "vp": 50.7083, "victories_per_round": 0.5792, "first_victory": 9.0833}
    places = [percentile(value, stored.ordered(name)) for name, value in means.items()]
    assert places == [47.5, pytest.approx(48.3333, abs=1e-4), 52, 55]
