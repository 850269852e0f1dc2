"""``thunderref thorgal setup``: the checklist for laying out Thorgal, and what each character starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.page import Block, Line, Page
from thunderref.cli.session import session

if TYPE_CHECKING:
    from thunderref.thorgal.setup import Setup
    from thunderref.words.words import Words

app = command_app()
_BOX = "[ ] "
LONGEST_ADVENTURE = 60


@app.command("setup")
def setup_command(
    players: Annotated[int | None, typer.Option("--players")] = None,
    names: Annotated[str | None, typer.Option("--names", metavar='"Anna, Bartek"')] = None,
    adventure: Annotated[str | None, typer.Option("--adventure", metavar="NAME")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Print the checklist for laying out Thorgal, and what each character starts with."""
    from thunderref.thorgal.seats import seats_of, split_names
    from thunderref.thorgal.setup import lay_out

    run = session()
    seats, solo = seats_of(players, split_names(names))
    made = lay_out(seats, solo, adventure_name(adventure))
    if run.json:
        run.print_json(_document(run.words, made))
        return
    from thunderref.cli.render import show

    show(_page(run.words, made))


def adventure_name(text: str | None) -> str:
    """The name of the adventure as it may be shown: one line, not too long; "" for none."""
    from thunderref.lookup.exact import shorten

    return shorten(text or "", LONGEST_ADVENTURE)


def seat_name(words: Words, name: str, number: int, solo: bool) -> str:
    """How a character is called: by the player's name, else by number."""
    return name or words.say("thorgal.character" if solo else "thorgal.player", number=number)


def _document(words: Words, made: Setup) -> dict[str, Any]:
    return {
        "game": "thorgal",
        "players": made.players,
        "characters": len(made.starts),
        "adventure": made.adventure or None,
        "steps": [{"text": words.text(f"rule.{rule}"), "rules": [rule]} for rule in made.table],
        "starts": [
            {"player": seat_name(words, start.name, start.number, made.solo), "number": start.number,
             "steps": [{"text": words.say(f"thorgal.setup.start.{rule}"), "rules": [rule]} for rule in start.rules]}
            for start in made.starts
        ],
        "first_round": list(made.turns),
        "notes": [{"text": text, "rules": rules} for text, rules in _notes(words, made)],
    }  # fmt: skip


def _notes(words: Words, made: Setup) -> list[tuple[str, list[str]]]:
    """What else has to be known before the first round."""
    turns = ", ".join(seat_name(words, made.starts[n - 1].name, n, made.solo) for n in made.turns)
    notes = [(words.say("thorgal.setup.first"), ["T2.2"]), (words.say("thorgal.setup.turns", turns=turns), ["T2.6"])]
    return [*notes, (words.text("rule.T20.1") or "", ["T20.1"])] if made.solo else notes


def _page(words: Words, made: Setup) -> Page:
    lines = [Line(f"{_BOX}{words.text(f'rule.{rule}')}", note=rule) for rule in made.table]
    blocks = [Block(lines, words.say("thorgal.setup.table"))]
    for start in made.starts:
        name = seat_name(words, start.name, start.number, made.solo)
        lines = [Line(f"{_BOX}{words.say(f'thorgal.setup.start.{rule}')}", note=rule) for rule in start.rules]
        blocks.append(Block(lines, name))
    notes = [Line(text, note=" ".join(rules)) for text, rules in _notes(words, made)]
    title = words.say("thorgal.setup.title", n=made.players)
    adventure = [words.say("thorgal.adventure", name=made.adventure)] if made.adventure else []
    return Page(title, adventure, [*blocks, Block(notes, words.say("thorgal.setup.notes"))])
