"""Every example of a set-up in tests/examples: what is asked for, and what is laid out or why not."""

from __future__ import annotations

from typing import Any

import pytest

from support import examples_of
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.setup.setup import generate_setup

EXAMPLES = [
    pytest.param(example, id=f"{file}: {example['name']}")
    for file, example in examples_of("rul*.toml")
    if "setup" in example
]


def laid(example: dict[str, Any]) -> dict[str, Any]:
    """The set-up of the example; with ``then`` that of the campaign's last game named."""
    setup = generate_setup(**{"seed": 1, **example["setup"]})
    for options in example.get("then", []):
        setup = generate_setup(**{"seed": 1, "after": setup.code, **options})
    return setup.model_dump()


def counts(cards: list[dict[str, Any]]) -> list[str]:
    return [f"{card['count']} {card['id']}" for card in cards]


def figures(document: dict[str, Any]) -> dict[str, Any]:
    """The document with what examples say shorter: ``layers`` are [size, what is shuffled in], the top one first."""
    layers = document["dungeon"]["layers"]
    return {
        **document,
        "size": document["dungeon"]["size"],
        "layers": [[layer["size"], *layer["with"]] for layer in layers],
        "cards": [card for layer in layers for card in counts(layer["cards"])],
        "stacks": {stack["id"]: counts(stack["cards"]) for stack in document["stacks"]},
        "kinds": [stack["kind"] for stack in document["stacks"]],
        "player_deck": counts(document["player_deck"]),
        "player_decks": {
            deck["who"]: [*counts(deck["cards"]), *([f"{deck['heroes']} heroes"] if deck["heroes"] else [])]
            for deck in document["player_decks"]
        },
    }


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: dict[str, Any]) -> None:
    if "error" in example:
        with pytest.raises(ThunderrefError) as refusal:
            laid(example)
        assert refusal.value.code == example["error"], example["why"]
        return
    found = figures(laid(example))
    for key, wanted in example["expect"].items():
        if key in ("with", "without"):  # what lies in any of the stacks
            lying = {card.split(" ", 1)[1] for stack in found["stacks"].values() for card in stack}
            assert set(wanted) <= lying if key == "with" else not set(wanted) & lying, (key, example["why"])
        elif key == "cards":
            assert [card for card in found[key] if card in wanted] == wanted, (key, example["why"])
        elif isinstance(wanted, dict):
            assert {name: found[key].get(name) for name in wanted} == wanted, (key, example["why"])
        else:
            assert found[key] == wanted, (key, example["why"])
