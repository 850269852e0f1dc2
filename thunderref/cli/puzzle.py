"""``thunderref puzzle``: a puzzle, a play for it judged, and on request the right line, its sum and why it is right."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.render import columns, draws, print_lines, show, wrap
from thunderref.cli.session import Session, session
from thunderref.database.card_records import HALL_KINDS, HAND_KINDS
from thunderref.database.read import PuzzleRow
from thunderref.errors import InputError, ThunderrefError
from thunderref.pages.puzzle_page import answer_page, find_puzzle, is_solved, question_page, ranks_of, solve
from thunderref.search.names import find_card
from thunderref.text.folding import fold_query, word_values

app = CommandApp()
_BEGINS = ("use", "equip", "forgo", "disease", "battle", "attack", "buy")
"""The words that begin a step."""
_STATS, _MAGIC = frozenset(("disease", "from")), ("mag", "маг")
"""Words after which a kind of Attack stands, and how the magic one begins."""
_ONTO = re.compile(r"->|=>|→")


@app.command("puzzle")
def puzzle_command(
    number: Annotated[int | None, typer.Argument(metavar="N")] = None,
    play: Annotated[list[str] | None, typer.Argument(metavar="PLAY")] = None,
    answer: Annotated[bool, typer.Option("--answer")] = False,
) -> None:
    run = session()
    number, puzzle = find_puzzle(run.database, "" if number is None else str(number))
    typed = " ".join(play or [])
    if run.json:
        document = {"number": number, "id": puzzle.id, "scenario": puzzle.scenario, "rules": puzzle.rules}
        if typed:
            document["play"] = judge(run, puzzle, typed)
        if answer:
            document |= {"solution": puzzle.solution, "result": solve(puzzle, run.words).model_dump()}
            document["text"] = run.database.texts(f"puzzle.{puzzle.id}")
        run.print_json(document)
        return
    if not typed:
        show(question_page(puzzle, number, run.words))
        if not (answer or run.has_a_person):
            print("", *wrap(run.words.say("puzzle.hint", n=number), columns(), 0, 2), sep="\n")
            return
    if not (typed or answer):
        typed = _asked(run, puzzle)
        answer = not typed
    if typed:
        tell(run, judge(run, puzzle, typed))
    if answer:
        if not draws():
            print()
        show(answer_page(puzzle, run.words))


def _asked(run: Session, puzzle: PuzzleRow) -> str:
    """Reads plays and judges them until one is right or a line is empty, which asks for the answer."""
    while True:
        print(run.words.say("puzzle.prompt"), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise typer.Exit
        if not (typed := line.strip()):
            return ""
        try:
            found = judge(run, puzzle, typed)
        except ThunderrefError as error:
            print_lines([(0, run.words.error(error))])
            continue
        if found["solved"]:
            return typed
        tell(run, found)


def judge(run: Session, puzzle: PuzzleRow, typed: str) -> dict[str, Any]:
    """A typed play and what comes of it; raises as the engine does for a plan, and for what is no play."""
    from thunderref.thunderstone.resolve.judge import resolve

    plan = [*read_play(run, puzzle, typed)]
    result = resolve(puzzle.scenario | {"target": None, "plan": plan}, words=run.words).targets[0]
    return {"plan": plan, "solved": is_solved(puzzle, result, run.words), "result": result.model_dump()}


def tell(run: Session, found: dict[str, Any]) -> None:
    """Whether a play is right, below its sum."""
    steps = [step["text"] for step in found["result"]["steps"]]
    verdict = "serve.puzzle.solved" if found["solved"] else "serve.puzzle.better"
    print_lines([*((2, text) for text in steps), (0, run.words.say(verdict))])


def read_play(run: Session, puzzle: PuzzleRow, typed: str) -> Iterator[dict[str, Any]]:
    """The steps of a play in the words of plans, in any language: "equip spear to militia; use feast; attack 2".

    A card and an arrow will do as well ("spear -> militia"), a card alone uses its effect, a rank alone attacks.
    Raises :class:`InputError` (``no-play``) where nothing is said.
    """
    said = run.database.query("SELECT text FROM messages WHERE key = 'list.words.play'")
    keys = dict(word_values(text for (text,) in said))
    steps = [part for part in re.split(r"[;,\n]", typed) if part.strip()]
    if not steps:
        raise InputError("no-play")
    for part in steps:
        typed_words = re.findall(r"[^\W_][\w'’#-]*|/", _ONTO.sub(" to ", part))
        first, *rest = (keys.get(word, word) for each in typed_words for word in _folded(each))
        words = [first, *rest] if first in _BEGINS else ["attack" if first.isdecimal() else "use", first, *rest]
        yield _step(run, puzzle, words, {*keys.values()})


def _folded(word: str) -> list[str]:
    """A word as names are compared, a copy's number (``#2``) kept."""
    name, sign, number = word.partition("#")
    return [*fold_query(name).split()[:-1], f"{(fold_query(name).split() or [name])[-1]}{sign}{number}"]


def _parted(run: Session, words: str) -> dict[str, str]:
    """A weapon and its hero, one behind the other, as in "daj halabardę giermkowi"; nothing if it is not both."""
    parts = words.split()
    for at in range(1, len(parts)):
        with suppress(ThunderrefError):
            weapon, hero = (find_card(run.database, " ".join(each), HAND_KINDS) for each in (parts[:at], parts[at:]))
            if "weapon" in run.database.cards[weapon].types and run.database.cards[hero].is_hero:
                return {"equip": weapon, "to": hero}
    return {}


def _step(run: Session, puzzle: PuzzleRow, words: list[str], keys: set[str]) -> dict[str, Any]:
    step: dict[str, Any] = {}
    keys = keys | ({"militia"} if "beguiler" in words else set())
    for word in words:
        key = next(reversed(step), "")
        whole = key in _STATS or (key == "battle" and step[key] == "cannot")
        if word in keys and not whole and all(step.values()):
            step[word] = ""
        else:
            step[key] = f"{step[key]} {word}".strip()
    for key in _STATS & step.keys():
        step[key] = "magic_attack" if any(word.startswith(_MAGIC) for word in step[key].split()) else "attack"
    step |= {"battle": step["battle"].replace(" ", "-")} if "battle" in step else {}
    step |= {"order": step["order"].split(" / ")} if "order" in step else {}
    card = find_card(run.database, step["use"].partition("#")[0], HAND_KINDS) if step.get("use") else ""
    if "to" in step and "draw" not in step and "weapon" in run.database.cards[card or "dagger"].types:
        step = {"equip": step.pop("use", "") or step.pop("equip", ""), **step}
    elif "to" in step and card and "draw" not in step:
        step["on"] = step.pop("to")
    if "equip" in step:
        step |= {"to": step.pop("on")} if "on" in step else {} if "to" in step else _parted(run, step["equip"])
    if "attack" in step and not step["attack"].isdecimal():
        foe = find_card(run.database, step["attack"], HALL_KINDS)
        step["attack"] = next((rank for rank, there in ranks_of(puzzle).items() if there == foe), foe)
    return {key: int(value) if str(value).isdecimal() else value for key, value in step.items()}
