"""``thunderref thorgal round``: keeps track of a game of Thorgal in a small file, and shows what comes next."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.render import Block, Line, Page
from thunderref.cli.session import session
from thunderref.cli.thorgal.commands import Adventure, Names, Players, adventure_name, answer, checklist, seat_names
from thunderref.cli.usage import value_word
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.files import check_place, make_folder, only_writer
from thunderref.search.query import shorten
from thunderref.text.folding import fold
from thunderref.text.language import Language
from thunderref.thorgal import round as course
from thunderref.thorgal.tiles import read_tile

app = CommandApp(invoke_without_command=True)

ACTIVE, USED = "●", "○"
SAID = {
    "start": ("began", ""), "act": ("acted", "T2.5 T3.3"), "threat": ("threat", "T15.1"), "wound": ("wound", "T14.4"),
    "heal": ("healed", "T14.3"), "upgrade": ("upgraded", "T3.5"), "undo": ("undone", ""),
    "events": ("next-round", "T11.1 T11.2"),
}  # fmt: skip
"""Step -> its message and its rules."""
File = Annotated[Path | None, typer.Option("--file", metavar="FILE")]
PlayerAndCard = Annotated[list[str] | None, typer.Argument(metavar="[PLAYER] CARD")]
PlayerAndNumber = Annotated[list[str] | None, typer.Argument(metavar="PLAYER +N")]
PlayerAndTile = Annotated[list[str] | None, typer.Argument(metavar="PLAYER TILE")]
PlayerOrReason = Annotated[list[str] | None, typer.Argument(metavar="[PLAYER|WHY…]")]
Old = Annotated[str, typer.Argument(metavar="OLD")]
New = Annotated[str, typer.Argument(metavar="NEW")]


@app.callback()
def round_command(ctx: typer.Context, file: File = None) -> None:
    if ctx.invoked_subcommand is None:
        show_command(file)
    elif file is not None:
        raise InputError("thorgal-file-first", command=ctx.invoked_subcommand)


@app.command("start")
def start_command(
    players: Players = None,
    names: Names = None,
    adventure: Adventure = None,
    length: Annotated[int | None, typer.Option("--length")] = None,
    cards: Annotated[str | None, typer.Option("--cards", metavar='"1 3 4 6"')] = None,
    first: Annotated[str | None, typer.Option("--first", metavar="PLAYER")] = None,
    replace: Annotated[bool, typer.Option("--replace", "--force")] = False,
    file: File = None,
) -> None:
    seats, solo = course.seats_of(players, names)
    if length is not None and not 1 <= length <= course.MOST_NUMBER:
        raise InputError("thorgal-length", value=length)
    row = sorted(_card(number) for number in (cards or "").replace(",", " ").split())
    step = {
        "do": "start", "names": seats, "solo": solo, "adventure": adventure_name(adventure), "length": length or 0,
        "row": row, "first": 0 if first is None else seat_of(seat_names(session().words, seats, solo), first),
    }  # fmt: skip
    table = course.replayed([step])
    path = _path(file)
    if file is None:
        make_folder(path)
    with only_writer(path):
        if not replace and os.path.exists(check_place(path, replace=True)):
            if not course.read_steps(path)[1].outcome:
                raise NoAnswerError("thorgal-under-way", file=str(path))
            replace = file is None  # a finished game in the program's own file is replaced
        course.write_steps(path, [step], replace=replace)
    show_table(path, table, None, step, file)


@app.command("act")
def act_command(
    words: PlayerAndCard = None,
    source: Annotated[str | None, typer.Option("--from", metavar="CARD")] = None,
    free: Annotated[bool, typer.Option("--out-of-turn")] = False,
    file: File = None,
) -> None:
    if not words:
        raise InputError("missing-argument", name=value_word(session().words, "CARD"))
    *who, card = words
    place = None if source is None else _card(source, least=0)
    number = _card(card)

    def step(table: course.Table) -> course.Step:
        seat = seat_of(names_of(table), *who) if who else table.turn
        step = {"do": "act", "seat": seat, "card": number, "from": place, "free": free}
        course.played(table, step)
        return step | {"from": course.chosen_token(table, number, place)}

    _play(file, step)


@app.command("threat", context_settings={"ignore_unknown_options": True})
def threat_command(words: PlayerAndNumber = None, file: File = None) -> None:
    *who, by = words or [""]
    try:
        amount = int(by.replace("−", "-"))
    except ValueError:
        amount = 0
    if not who or not amount or abs(amount) > course.MOST_NUMBER:
        raise InputError("thorgal-threat-amount", value=by[:20])
    _play(file, lambda table: {"do": "threat", "seat": seat_of(names_of(table), *who), "by": amount})


@app.command("heal")
@app.command("wound")
def wound_command(ctx: typer.Context, words: PlayerAndTile = None, file: File = None) -> None:
    *who, tile = words or [""]
    if not who or not shorten(tile):
        raise InputError("missing-argument", name=value_word(session().words, "PLAYER TILE"))
    name = tile if tile in tuple("12345") else read_tile(tile).name  # its size or its name
    _play(file, lambda table: {"do": ctx.info_name, "seat": seat_of(names_of(table), *who), "tile": name})


@app.command("upgrade")
def upgrade_command(old: Old, new: New, file: File = None) -> None:
    step = {"do": "upgrade", "old": _card(old), "new": _card(new)}
    _play(file, lambda _: step)


@app.command("won")
@app.command("events")
def events_command(ctx: typer.Context, file: File = None) -> None:
    _play(file, lambda _: {"do": ctx.info_name})


@app.command("lost")
def lost_command(words: PlayerOrReason = None, file: File = None) -> None:
    why = " ".join(words or [])

    def step(table: course.Table) -> course.Step:
        seat = named_seat(names_of(table), why) if why else None
        return {"do": "lost", "seat": seat, "note": "" if seat is not None else adventure_name(why)}

    _play(file, step)


@app.command("undo")
def undo_command(file: File = None) -> None:
    path = _path(file)
    with only_writer(path):
        (*steps, last), _ = course.read_steps(path)
        if not steps:
            raise NoAnswerError("thorgal-nothing-to-undo", file=str(path))
        course.write_steps(path, steps)
    show_table(path, course.replayed(steps), None, {"do": "undo", "of": last["do"]}, file)


@app.command("show")
def show_command(file: File = None) -> None:
    path = _path(file)
    show_table(path, course.read_steps(path)[1], None, {"do": "show"}, file)


def _play(file: Path | None, made: Callable[[course.Table], course.Step]) -> None:
    path = _path(file)
    with only_writer(path):
        steps, before = course.read_steps(path)
        try:
            step = made(before)
            after = course.played(before, step)
        except IllegalStepError as error:
            names = names_of(before)
            params = {key: names[value] if key in ("seat", "turn") else value for key, value in error.params.items()}
            raise IllegalStepError(error.code, candidates=error.candidates, **params) from None
        course.write_steps(path, [*steps, step])
    show_table(path, after, before, step, file)


def _card(text: str, least: int = 1) -> int:
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
    if not least <= number <= course.MOST_NUMBER:
        raise InputError("thorgal-bad-card", value=text)
    return number


def _path(file: Path | None) -> Path:
    if file is not None:
        return file
    from platformdirs import user_state_path

    return user_state_path("thunderref", appauthor=False) / "thorgal-round.json"


def names_of(table: course.Table) -> list[str]:
    return seat_names(session().words, [seat.name for seat in table.seats], table.solo)


def seat_of(names: Sequence[str], *who: str) -> int:
    """The seat meant; raises :class:`NoAnswerError` (``thorgal-no-player``) if none or several fit."""
    text = " ".join(who)
    seat = named_seat(names, text)
    if seat is None:
        raise NoAnswerError("thorgal-no-player", candidates=names, name=text[:40])
    return seat


def named_seat(names: Sequence[str], text: str) -> int | None:
    """The one seat with this number, name, beginning of a name or, with a typing error, a similar name."""
    form = fold(text)
    if form.isdecimal():
        return int(form[:3]) - 1 if 1 <= int(form[:3]) <= len(names) else None
    forms = [fold(name) for name in names]
    if form in forms:
        return forms.index(form)
    begins = [name for name in forms if form and name.startswith(form)]
    near = begins or get_close_matches(form, forms, 2, 0.7)
    return forms.index(near[0]) if len(near) == 1 else None


def show_table(
    path: Path, table: course.Table, before: course.Table | None, step: course.Step, file: Path | None
) -> None:
    """Prints the state of the game; ``file``, if given, goes into the commands to type next."""
    suffix = "" if file is None else f" --file {shlex.quote(str(file))}"
    words = session().words
    remarks = _remarks(words, table, before, step)
    said = {"said": [line.text for line in remarks], "file": str(path)}
    title = "thorgal.round.of" if table.length else "thorgal.round.title"
    small = [words.say("thorgal.adventure", name=table.adventure)] if table.adventure else []
    small += [f"{line.text} [{line.note}]" if line.note else line.text for line in remarks]
    blocks = [
        Block(_token_lines(words, table), words.say("thorgal.round.tokens", active=ACTIVE, used=USED)),
        Block(_seat_lines(words, table), words.say("thorgal.round.characters")),
        Block(_next_lines(words, table, suffix), words.say("thorgal.round.next")),
    ]
    if step["do"] == "events" and not table.outcome:
        due = ["T11.3", "T11.4", "T11.5", *([] if table.length else ["T12.3"])]
        rules = [(rule, words.text(f"rule.{rule}") or "") for rule in due]
        blocks.insert(0, Block(checklist(rules), words.say("thorgal.round.by-hand")))
    page = Page(words.say(title, number=table.round, of=table.length), small, blocks)
    answer(_document(words, table) | said, page)


def _remarks(words: Language, table: course.Table, before: course.Table | None, step: course.Step) -> list[Line]:
    if step["do"] not in SAID or (step["do"] == "events" and table.outcome):
        return []
    key, rules = SAID[step["do"]]
    names = names_of(table)
    said: dict[str, Any] = {**step, "names": ", ".join(names), "number": table.round, "most": course.MOST_THREAT}
    seat = table.first if step["do"] == "events" else step.get("seat", 0)
    said |= {"name": names[seat], "n": table.seats[seat].threat}
    if step["do"] == "act":
        said["layout"] = _counts(words, next(card for card in course.layout(table) if card.card == step["card"]))
    if step["do"] == "undo":
        said["what"] = words.say(f"thorgal.round.step.{step['of']}")
    found = [Line(words.say(f"thorgal.round.{key}", **said), note=rules)]
    if step["do"] == "threat" and before and before.seats[seat].threat + step["by"] > course.MOST_THREAT:
        found.append(Line(words.say("thorgal.round.unmet"), note="T15.2 T16.1 T16.3"))
    return found


def _token_lines(words: Language, table: course.Table) -> list[Line]:
    beside = [token.active for token in table.tokens if token.card == course.BESIDE]
    marks = ACTIVE * sum(beside) + USED * beside.count(False)
    lines = [Line(marks, words.say("thorgal.round.beside"))] if beside else []
    for card in course.layout(table):
        text = f"{ACTIVE * card.active}{USED * (card.tokens - card.active)} {_counts(words, card)}"
        lines.append(Line(text, words.say("thorgal.round.card", number=card.card)))
    return lines


def _counts(words: Language, card: course.Layout) -> str:
    here = words.say("thorgal.round.alone") if card.alone else words.say("thorgal.round.here", n=card.tokens)
    return f"{here}, {words.say('thorgal.round.left', n=card.to_the_left)}"


def _seat_lines(words: Language, table: course.Table) -> list[Line]:
    lines = []
    for number, (seat, name) in enumerate(zip(table.seats, names_of(table), strict=True)):
        text = words.say("thorgal.round.seat", threat=seat.threat, most=course.MOST_THREAT)
        if seat.wounds:
            text += f"; {words.say('thorgal.round.wounds', n=len(seat.wounds), tiles=', '.join(seat.wounds))}"
        lines.append(Line(text, name, words.say("thorgal.round.first") if number == table.first else ""))
    return lines


def _outcome(words: Language, table: course.Table) -> str:
    why = table.note or words.text(f"rule.{table.rule}") or ""
    if table.dead >= 0:
        why = words.say("thorgal.round.dead", name=names_of(table)[table.dead])
    return words.say(f"thorgal.round.{table.outcome}", why=why)


def _next_lines(words: Language, table: course.Table, suffix: str) -> list[Line]:
    if table.outcome:
        return [Line(_outcome(words, table), note=table.rule)]
    names = names_of(table)
    if table.left:
        order = ", ".join(names[seat] for seat in table.order)
        return [
            Line(words.say("thorgal.round.to-act", name=names[table.turn], n=table.left), note="T2.2"),
            *([Line(words.say("thorgal.round.order", names=order))] if table.left > 1 else []),
            Line(words.say("thorgal.round.type-act", command="thorgal round act") + suffix),
        ]
    if table.length and table.round >= table.length:
        last = Line(words.say("thorgal.round.last"), note="T12.3")
        return [last, Line(words.say("thorgal.round.type-won", command=f"thorgal round won{suffix}"), note="T12.1")]
    return [Line(words.say("thorgal.round.to-events", command=f"thorgal round events{suffix}"), note="T11")]


def _document(words: Language, table: course.Table) -> dict[str, Any]:
    names = names_of(table)
    coming = "over" if table.outcome else "act" if table.left else "events"
    return {
        "adventure": table.adventure or None,
        "round": table.round,
        "length": table.length or None,
        "first": names[table.first],
        "actions_left": table.left,
        "next": {"do": coming, "player": names[table.turn] if coming == "act" else None},
        "order": [] if table.outcome else [names[seat] for seat in table.order],
        "tokens": [{"card": token.card or None, "active": token.active} for token in table.tokens],
        "cards": [card._asdict() for card in course.layout(table)],
        "row": list(table.row) or None,
        "players": [
            {"name": name, "number": number, "threat": seat.threat, "wounds": list(seat.wounds)}
            for number, (seat, name) in enumerate(zip(table.seats, names, strict=True), start=1)
        ],
        "outcome": table.outcome or None,
        "reason": {"text": _outcome(words, table), "rules": [table.rule]} if table.outcome else None,
    }  # fmt: skip
