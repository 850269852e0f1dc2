"""The figures of every card, from a list of their own: the oracle reads the same files of db/ as the program."""

from __future__ import annotations

import csv

from support import EXAMPLES
from support.files import sources
from thunderref.database.card_records import Card
from thunderref.database.operations import Bonus, Unconfirmed
from thunderref.database.paths import FIGURES
from thunderref.database.read import open_database
from thunderref.database.records import CardWithEffects

LISTED = "id", "set", "kind", "level", "count", *FIGURES
"""What the list has of a card; an empty field is a figure that is not printed."""
TROPHY = "attack", "magic_attack", "light"
"""What a monster in hand may give to a party as a whole (R8.1); Disease, which takes, is not among them."""


def printed() -> list[dict[str, str]]:
    with (EXAMPLES / "printed_figures.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def as_listed(card: Card) -> dict[str, str]:
    """A card of the database as the list has it."""
    figures = {name: getattr(card, "set_id" if name == "set" else name) for name in LISTED}
    return {name: "" if figure is None else str(figure) for name, figure in figures.items()}


def trophies(card: CardWithEffects) -> dict[str, int]:
    """Figure -> what the card gives as a trophy to nobody in particular."""
    given = [operation for effect in card.effects if effect.timing == "trophy" for operation in effect.do]
    return {one.stat: one.amount for one in given if isinstance(one, Bonus) and one.to == "self"}


def test_every_figure_is_the_printed_one() -> None:
    cards = open_database().cards
    assert {row["id"] for row in printed()} == set(cards)
    wrong = [
        f"{row['id']}: {name} {row[name] or 'none'} printed, {found[name] or 'none'} in db"
        for row in printed()
        for found in [as_listed(cards[row["id"]])]
        for name in LISTED
        if row[name] != found[name]
    ]
    assert not wrong


def test_the_list_has_all_the_figures_there_are() -> None:
    assert set(LISTED) | {f"trophy_{name}" for name in TROPHY} == set(printed()[0])
    assert sum(bool(row[name]) for row in printed() for name in FIGURES) == 614


def test_every_trophy_is_the_printed_one() -> None:
    cards = {card.id: card for card in sources().cards}
    wanted = {row["id"]: {name: int(row[f"trophy_{name}"] or 0) for name in TROPHY} for row in printed()}
    found = {card: {name: trophies(cards[card]).get(name, 0) for name in TROPHY} for card in wanted}
    assert found == wanted


def test_the_light_of_the_stone_of_agony_is_left_open() -> None:
    """It is said to give Light, and no source says how much: nothing is counted for it, and the answer says so."""
    open_ones = [
        (card.id, effect.timing, operation.stat)
        for card in sources().cards
        for effect in card.effects
        for operation in effect.do
        if isinstance(operation, Unconfirmed)
    ]
    assert open_ones == [("stone-of-agony", "trophy", "light")]
