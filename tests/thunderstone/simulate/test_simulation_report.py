"""What a report finds, in players' words: hand-made games of each kind, in three languages, the finding first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import unescape
from typing import Any

import pytest

from thunderref.cli.render import plain
from thunderref.cli.setup import page_text
from thunderref.cli.simulate import report_page
from thunderref.database.read import Language, open_database
from thunderref.pages.page import player_page
from thunderref.pages.setup_page import printed_sheet, sheet_page, table_page
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate.simulation import (
    CalledOffWhy,
    CardResult,
    Figure,
    GameFigures,
    MeanVP,
    ReferenceResult,
    SeatResult,
    Share,
    Simulation,
    WinRate,
    histogram,
)
from thunderref.thunderstone.simulate.simulation_report import ReportText, page, with_finding

LANGUAGES = ("en", "pl", "ru")
CARDS = {
    "lorigg-thief": (0.07, 0.02, 0.12), "fireball": (0.09, 0.03, 0.15), "lantern": (0.08, -0.01, 0.17),
    "torch": (-0.08, -0.15, -0.02),
}  # fmt: skip
"""Win rate added, and the ends of its interval."""


@cache
def speaking(lang: str) -> Language:
    return Language(open_database(), lang)


def figure(value: float, percentile: float | None) -> Figure:
    values = [value - 1, value, value + 1]
    return Figure(
        games=3, mean=value, interval=(value - 1, value + 1), p10=value - 1, p50=value, p90=value + 1,
        percentile=percentile, histogram=histogram(values),
    )  # fmt: skip


def card(name: str, added: tuple[float, float, float] | None) -> CardResult:
    value, interval = (None, None) if added is None else (added[0], added[1:])
    return CardResult(
        id=name, games=60, win_rate=0.5, interval=(0.4, 0.6), added=value, added_interval=interval, compared=50
    )


def found(
    rounds: tuple[float, float | None] = (52.3, 70),
    vp: tuple[float, float | None] = (21.4, 30),
    rates: Sequence[tuple[str, float, float, float]] = (("planner", 0.5, 0.4, 0.6), ("planner", 0.5, 0.4, 0.6)),
    stone: float = 0.78,
    cards: dict[str, tuple[float, float, float]] | None = None,
    called_off: int = 0,
    **more: Any,
) -> Simulation:
    """100 games, ``called_off`` apart; ``rates`` are the win rates of the bots with the ends of their intervals."""
    nobody = CardResult(
        id="polearm", games=0, win_rate=None, interval=None, added=None, added_interval=None, compared=0
    )
    alike = card("militia", None)
    values = {
        "code": "3325GHNEVFJR6MPL5RGP", "games": 100, "seed": 7, "bots": tuple(bot for bot, *_ in rates),
        "players": len(rates), "paired": len({bot for bot, *_ in rates}) > 1,
        "ended": 100 - called_off, "called_off": called_off,
        "called_off_why": CalledOffWhy(endless=0, standstill=called_off, rounds=0),
        "figures": GameFigures(
            rounds=figure(*rounds), vp=figure(*vp), victories_per_round=figure(0.5, None), first_victory=figure(6, None)
        ),
        "seats": tuple(
            SeatResult(seat=n, bot=bot, win_rate=rate, interval=(low, high), vp=MeanVP(mean=20, interval=(19, 21)))
            for n, (bot, rate, low, high) in enumerate(rates, 1)
        ),
        "begins": WinRate(win_rate=0.55, interval=(0.45, 0.65)),
        "thunderstone_taken": Share(share=stone, interval=(max(0, stone - 0.1), min(1, stone + 0.1))),
        "cards": (*(card(*each) for each in (CARDS if cards is None else cards).items()), alike, nobody),
        "reference": ReferenceResult(setups=300, games=12, bots=("planner", "planner")),
        "interrupted": False, "deals": 0,
    }  # fmt: skip
    return Simulation(**values | more)


def finding(lang: str = "en", **values: Any) -> str:
    return ReportText(found(**values), speaking(lang)).finding()


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            "A long game, with few VP: about 52 rounds and 21 VP a player. The Thunderstone is taken in about 8 of "
            "10 games. Players who took Fireball or Lorigg Thief from the village won more often; those who took Torch "
            "won less often.",
        ),
        (
            "pl",
            "Długa gra, mało PZ: około 52 rund i 21 PZ na gracza. Kamień Gromu ktoś zdobywa mniej więcej w 8 grach na "
            "10. Częściej wygrywał ten, kto wziął z Wioski Ognistą kulę lub Lorigga Złodzieja; rzadziej ten, kto wziął "
            "Pochodnię.",
        ),
        (
            "ru",
            "Длинная партия, очков мало: около 52 кругов и 21 победного очка на игрока. Громовой камень достаётся "
            "игроку примерно в 8 партиях из 10. Чаще побеждал тот, кто взял из деревни Огненный шар или Лоригга-вора; "
            "реже — тот, кто взял Факел.",
        ),
    ],
)
def test_a_finding_says_what_the_games_are_like(lang: str, said: str) -> None:
    assert finding(lang) == said


@pytest.mark.parametrize(
    ("place", "length", "wealth"),
    [
        (0, "A very short game", "with very few VP"), (19.9, "A very short game", "with very few VP"),
        (20, "A short game", "with few VP"), (50, "A game of usual length", "with the usual VP"),
        (79.9, "A long game", "with many VP"), (80.1, "A very long game", "with very many VP"),
        (100, "A very long game", "with very many VP"),
    ],
)  # fmt: skip
def test_length_and_wealth_are_their_places_among_other_setups(place: float, length: str, wealth: str) -> None:
    assert finding(rounds=(40, place), vp=(50, 50)).startswith(f"{length}, with the usual VP: about 40 rounds")
    assert finding(rounds=(40, 50), vp=(50, place)).startswith(f"A game of usual length, {wealth}: about 40 rounds")


def test_without_a_place_it_is_the_numbers_and_the_games_called_off() -> None:
    plainly = "About 52 rounds and 21 VP a player."
    assert finding(rounds=(52, None), vp=(21, None)).startswith(plainly)
    assert finding(rounds=(52, None), vp=(21, None), called_off=1).startswith(
        f"1 of 100 games was called off. {plainly}"
    )


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "12 of 100 games were called off. A long game"), ("pl", "Przerwano 12 z 100 gier. Długa gra"),
        ("ru", "Прервано партий: 12 из 100. Длинная партия"),
    ],
)  # fmt: skip
def test_many_games_called_off_come_first(lang: str, said: str) -> None:
    assert finding(lang, called_off=12).startswith(said)
    assert finding(lang, called_off=10) == finding(lang)


@pytest.mark.parametrize(
    ("lang", "low", "said"),
    [
        ("en", 0.71, "The bot greedy wins 71 to 79 of 100 games against dearest: surely the stronger player here. A l"),
        (
            "en",
            0.48,
            "The bot greedy wins 48 to 79 of 100 games against dearest: after 100 games it is not clear who plays b",
        ),
        (
            "pl",
            0.71,
            "Bot greedy przeciw dearest: od 71 do 79 wygranych na 100 gier. Tutaj na pewno gra lepiej. Długa gra",
        ),
        (
            "pl",
            0.48,
            "Bot greedy przeciw dearest: od 48 do 79 wygranych na 100 gier. Po 100 grach nie wiadomo, kto gra lepiej.",
        ),
        (
            "ru",
            0.71,
            "Бот greedy против dearest: от 71 до 79 побед на 100 партий. Здесь он точно сильнее. Длинная партия",
        ),
        (
            "ru",
            0.48,
            "Бот greedy против dearest: от 48 до 79 побед на 100 партий. После 100 партий неясно, кто играет лучше.",
        ),
    ],
)
def test_of_bots_that_differ_the_stronger_comes_first(lang: str, low: float, said: str) -> None:
    assert finding(lang, rates=(("dearest", 0.25, 0.21, 0.29), ("greedy", 0.75, low, 0.79))).startswith(said)


def test_a_bot_of_several_seats_is_as_strong_as_in_the_worst() -> None:
    lucky = ("greedy", 0.45, 0.4, 0.5), ("greedy", 0.2, 0.15, 0.25), ("dearest", 0.35, 0.3, 0.4)
    assert finding(rates=lucky).startswith("The bot dearest wins 30 to 40 of 100 games against greedy: after")


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0, "Nobody took the Thunderstone."), (0.02, "The Thunderstone is taken in about 1 of 10 games."),
        (0.98, "The Thunderstone is taken in about 9 of 10 games."),
        (1, "Somebody took the Thunderstone in every game."),
    ],
)  # fmt: skip
def test_how_often_the_thunderstone_is_taken(share: float, said: str) -> None:
    assert said in finding(stone=share)


MANY = {
    "dagger": (0.1, 0.05, 0.15), "torch": (0.4, 0.3, 0.5), "lantern": (0.2, 0.1, 0.3), "iron-rations": (0.3, 0.2, 0.4)
}  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "cards", "said"),
    [
        ("en", MANY, "Players who took Torch, Iron Rations or Lantern from the village won more often."),
        ("pl", MANY, "Częściej wygrywał ten, kto wziął z Wioski Pochodnię, Żelazne racje lub Latarnię."),
        ("ru", MANY, "Чаще побеждал тот, кто взял из деревни Факел, Припасы или Фонарь."),
        ("en", {"torch": CARDS["torch"]}, "Players who took Torch from the village won less often."),
        ("pl", {"torch": CARDS["torch"]}, "Rzadziej wygrywał ten, kto wziął z Wioski Pochodnię."),
        ("ru", {"torch": CARDS["torch"]}, "Реже побеждал тот, кто взял из деревни Факел."),
        ("en", {"lantern": CARDS["lantern"]}, "No card made a difference that these games can show."),
        (
            "pl",
            {"lantern": CARDS["lantern"]},
            "O żadnej karcie nie da się po tych grach powiedzieć, że pomaga wygrać albo przeszkadza.",
        ),
        (
            "ru",
            {},
            "Ни об одной карте эти партии не позволяют сказать, что она помогает победить или мешает.",
        ),
    ],
)
def test_cards_are_named_that_surely_make_a_difference(
    lang: str, cards: dict[str, tuple[float, float, float]], said: str
) -> None:
    assert finding(lang, cards=cards).endswith(f". {said}")


def test_of_many_cards_none_is_named_that_one_in_twenty_would_be_by_chance() -> None:
    close = {"dagger": (0.05, 0.01, 0.09)}
    assert finding(cards=close).endswith(" Players who took Dagger from the village won more often.")
    assert "Dagger" not in finding(cards=CARDS | close)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_finding_comes_first_on_terminal_page_and_sheet(lang: str) -> None:
    games, words = found(), speaking(lang)
    said = finding(lang)
    shown = report_page(games, words)
    assert plain(player_page(shown), None).splitlines()[:2] == [shown.title, f"  {said}"]
    printed = page(games, words)
    assert printed.partition("</h1>")[2].strip().startswith(f'<p class="finding">{said}</p>')
    (key, params), figures = ReportText(games, words).notes()
    assert words.say(f"setup.{key}", **params) == said
    assert figures[0] == "simulated.figures"


@pytest.mark.parametrize("form", ["text", "sheet", "markdown", "html"])
def test_on_a_sheet_the_finding_stands_before_the_table(form: str) -> None:
    made = with_finding(generate_setup(players=2, seed=7), found())
    first, second = made.warnings[:2]
    shown = {
        "text": lambda: page_text(table_page(made)),
        "sheet": lambda: page_text(sheet_page(made)),
        "markdown": lambda: printed_sheet(made, "markdown"),
        "html": lambda: unescape(printed_sheet(made, "html")),
    }[form]()
    before, _, after = shown.partition(made.steps[0].title if form != "text" else "Monsters: ")
    for said in (first, second):
        assert (before.count(said), after.count(said)) == (1, 0)
    other = made.warnings[2]
    assert form == "text" or (before.count(other), after.count(other)) == (0, 1)


def test_a_report_orders_the_cards_by_what_they_add() -> None:
    rates = ReportText(found(), speaking("en")).cards()
    assert [(rate.name, rate.percent, rate.span, rate.kind) for rate in rates] == [
        ("Fireball", "+9", "+3 … +15", "more"), ("Lantern", "+8", "−1 … +17", "even"),
        ("Lorigg Thief", "+7", "+2 … +12", "more"), ("Torch", "−8", "−15 … −2", "less"),
    ]  # fmt: skip
    shown = plain(player_page(report_page(found(), speaking("en"))), None)
    assert "Lantern" not in shown
    assert "Win rate of each bot" not in shown
    assert len(shown.splitlines()) < 23
    whole = plain(report_page(found(), speaking("en")), None)
    assert "Lantern" in whole
    assert "Too few games to compare: Militia." in whole
    assert "Nobody took: Polearm." in whole


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 80, 100])
def test_a_report_is_as_wide_as_the_terminal(lang: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    rates = (("greedy", 0.25, 0.21, 0.29), ("dearest", 0.75, 0.71, 0.79))
    shown = plain(report_page(found(rates=rates, paired=True, deals=50), speaking(lang)), columns)
    assert max(map(len, shown.splitlines())) <= columns


def test_an_interval_of_few_games_goes_no_further_than_all_games() -> None:
    rate, *_ = ReportText(found(cards={"fireball": (0.4, -0.9, 1.7)}), speaking("en")).cards()
    assert (rate.span, rate.high) == ("−90 … +100", 1)


def test_bots_have_their_win_rates_where_they_differ() -> None:
    rates = (("greedy", 0.25, 0.21, 0.29), ("dearest", 0.75, 0.71, 0.79))
    assert "Win rate of each bot" in plain(player_page(report_page(found(rates=rates), speaking("en"))), None)


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Every bot played every deal in every seat: 50 deals."),
        ("pl", "Każdy bot zagrał każde rozdanie na każdym miejscu: 50 rozdań."),
        ("ru", "Каждый бот сыграл каждую раздачу на каждом месте: 50 раздач."),
    ],
)
def test_deals_played_again_are_said_to_be(lang: str, said: str) -> None:
    assert said in ReportText(found(paired=True, deals=50), speaking(lang)).about()
    assert said not in ReportText(found(), speaking(lang)).about()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_of_games_that_never_end_there_is_nothing_to_find(lang: str) -> None:
    nothing = Figure()
    figures = GameFigures(rounds=nothing, vp=nothing, victories_per_round=nothing, first_victory=nothing)
    games = found(called_off=100, figures=figures, cards={})
    text = ReportText(games, speaking(lang))
    assert text.finding() == speaking(lang).say("simulate.none-ended")
    assert [key for key, _ in text.notes()] == ["simulated.never"]
    assert text.finding() in plain(report_page(games, speaking(lang)), None)
    assert text.finding() in page(games, speaking(lang))
