"""``thunderref evening``: what happens at the real table, kept for every face."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from thunderref.budget import Budget
from thunderref.cli import command
from thunderref.cli import setup as setups
from thunderref.cli.command import CommandApp, document_of, entries_of, given_options, share_options
from thunderref.cli.render import outline
from thunderref.cli.session import session
from thunderref.cli.setup import answer_to, require_room
from thunderref.cli.verdict import plan_of
from thunderref.errors import InputError, NoAnswerError
from thunderref.files import read_text, write_text
from thunderref.pages.evening_page import evening_page, event_text, log_page, sheet_pages, start_lines
from thunderref.search.card_list import tokens_of
from thunderref.search.scored_decks import STEM
from thunderref.search.understand import reader, split_hall
from thunderref.text.stems import small_words
from thunderref.text.stems import tokens as stems
from thunderref.thunderstone.resolve.documents import Scenario, VisitDocument, require_hand
from thunderref.thunderstone.resolve.final_score import with_decks
from thunderref.thunderstone.setup.memory import TONIGHT
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table import evening
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import Evening, EveningEvent, keep, read_evening, require_evening, take_back


def _read_line(args: list[str], _: list[str]) -> list[str] | None:
    """Read a correction in words: "the hall is griffon, nixie", "Ann has 3 XP"."""
    typed, now = reader(session().words), require_evening(read_evening())
    tokens = tokens_of(" ".join(args))
    lang = session().words.lang
    idle = [
        any(typed.says(word, token) for word in ("joining", "being", "having"))
        or small_words(lang).issuperset(stems(token, lang))
        for token in tokens
    ]
    first = next((n for n, token in enumerate(tokens) if typed.says("hall", token) and all(idle[:n])), None)
    if first is not None:
        cards = tokens[first + 1 + sum(idle[first + 1 : first + 2]) :]
        return ["hall", " ".join(cards)] if cards else None
    numbers = [token for token in tokens if token.isdecimal()]
    told = [token for token, is_idle in zip(tokens, idle, strict=True) if not (is_idle or typed.says("xp", token))]
    names = [word for word in told if word not in numbers]
    players = [
        player.name for player in now.players if player.name.casefold()[:STEM] == "".join(names).casefold()[:STEM]
    ]
    if len(numbers) == len(names) == len(players) == 1 and any(typed.says("xp", token) for token in tokens):
        return ["correct", "--xp", *numbers, "--player", *players]
    return None


app = CommandApp(invoke_without_command=True, read_line=_read_line)
CardWords = Annotated[list[str], typer.Argument(metavar="CARDS…")]
Player = Annotated[str | None, typer.Option("--player", metavar="NAME")]
CardList = Annotated[str | None, typer.Option(metavar="CARDS")]
"""Cards separated by commas, as the option of the parameter's name."""
Unseen = Annotated[bool, typer.Option("--unseen")]


@app.callback()
def evening_command(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        _show(require_evening(read_evening()))


def _show(now: Evening, *texts: str) -> None:
    run = session()
    page = outline(evening_page(now, run.words, whole=run.more))
    run.answer(events.state_of(now, run.words).model_dump(), [*((0, text) for text in texts), *page])


def _keep(make: Callable[..., EveningEvent], **options: Any) -> None:
    """Keep the event that is made of the evening; a person at the terminal adds what it lacks."""
    while True:
        try:
            now = keep(partial(make, words=session().words, **options))
            return _show(now, event_text(now.events[-1], session().words))
        except NoAnswerError as error:
            answer = answer_to(error)
            if answer is None or not answer.keys() - options.keys():
                raise
            options |= answer


@app.command("start")
@share_options(setup=setups.setup_options("players", "lock", "reroll", "code"))
def start_command(
    ctx: typer.Context,
    setup: dict[str, Any],
    code: Annotated[list[str] | None, typer.Argument(metavar="CODE|FILE")] = None,
    players: Annotated[str | None, typer.Option("--players", metavar="NAMES")] = None,
    deck: Annotated[list[str] | None, typer.Option("--deck", metavar="PLAYER:CARDS")] = None,
    force: command.Force = False,
) -> None:
    run = session()
    words, options = run.words, given_options(ctx) - {"--players", "--deck", "--force"}
    seats = events.seats(players, words)
    owned = with_decks(words, {"players": {}}, deck or ())["players"]
    last = read_evening()
    used = last.code if last is not None and (last.over or last.finished) else ""  # the next start draws anew
    if code:
        setup["code"] = setups.saved_code(" ".join(code))
    elif not options and run.tonight is not None and run.tonight.code != used:
        setup["code"] = run.tonight.code
    if setup.get("code") is None:
        setup["players"] = None if seats is None else len(seats)
    new_setup = generate_setup(**setup, lang=words.lang, database=run.database)
    event = events.start(new_setup, seats, words, owned)
    require_room(force=force)
    now = evening.begin(event)
    run.tonight = TONIGHT.remember(lambda: new_setup.tonight)
    _show(now, event_text(event, words), *start_lines(new_setup, words))


@app.command("save")
def save_command(file: Annotated[Path, typer.Argument(metavar="FILE")], force: command.Force = False) -> None:
    run = session()
    write_text(file, json.dumps(evening.pack(), ensure_ascii=False) + "\n", replace=force)
    run.answer({"file": str(file)}, [(0, run.words.say("evening.saved", file=file))])


@app.command("load")
def load_command(file: Annotated[Path, typer.Argument(metavar="FILE")], force: command.Force = False) -> None:
    run, text = session(), read_text(file)
    evening.read_packed(text, str(file))
    require_room(force=force)
    evening.load(text)
    run.answer({"file": str(file)}, [(0, run.words.say("evening.loaded", file=file))])


@app.command("log")
def log_command() -> None:
    run, now = session(), require_evening(read_evening())
    run.answer({"log": [event.model_dump() for event in now.events]}, outline(log_page(now, run.words)))


@app.command("undo")
def undo_command() -> None:
    run, (event, now) = session(), take_back()
    sentence = run.words.say("evening.taken-back", what=event_text(event, run.words))
    if now is None:
        return run.answer({"undone": event.model_dump(), "events": 0}, [(0, sentence)])
    if run.tonight is None or run.tonight.code != now.code:  # its set-up comes back with it
        setup = generate_setup(code=now.code, lang=run.words.lang, database=run.database)
        run.tonight = TONIGHT.remember(lambda: setup.tonight)
    return _show(now, sentence)


@app.command("end")
def end_command() -> None:
    run = session()
    now = keep(lambda _: EveningEvent(do="end"))
    run.answer(events.state_of(now, run.words).model_dump(), outline(*sheet_pages(now, run.words)))


@app.command("hall")
def hall_command(cards: CardWords) -> None:
    _keep(events.hall, ranks=split_hall(" ".join(cards), session().words))


@app.command("battle")
@share_options(battle=command.read_battle, details=command.options_of(Scenario, "deck"))
def battle_command(
    *,
    battle: dict[str, Any],
    details: dict[str, Any],
    plan: Annotated[str | None, typer.Option("--plan", metavar="PLAN")] = None,
    won: Annotated[bool, typer.Option("--won")] = False,
    lost: Annotated[bool, typer.Option("--lost")] = False,
    toll: CardList = None,
    unseen: Unseen = False,
    player: Player = None,
    budget: command.Seconds = None,
) -> None:
    if won and lost:
        raise InputError("evening-two-results")
    document = document_of(Scenario, None, **{**details, **battle}, plan=None if plan is None else plan_of(plan))
    require_hand(document)
    _keep(
        events.battle, document=document, player=player, won=won or (False if lost else None), budget=Budget(budget),
        **_besides(toll, unseen=unseen),
    )  # fmt: skip


def _besides(toll: str | None, dungeon: str | None = None, *, unseen: bool = False) -> dict[str, Any]:
    answers = {"asks": True, "toll": entries_of(toll), "dungeon": entries_of(dungeon), "unseen": unseen or None}
    return {key: value for key, value in answers.items() if value is not None}


@app.command("visit")
@share_options(details=command.options_of(VisitDocument, "deck"))
def visit_command(
    *,
    hand: command.Hand = None,
    details: dict[str, Any],
    plan: Annotated[str | None, typer.Option("--plan", metavar="PLAN")] = None,
    buy: CardList = None,
    level: Annotated[list[str] | None, typer.Option("--level", metavar="HERO[:HERO]")] = None,
    dungeon: CardList = None,
    toll: CardList = None,
    unseen: Unseen = False,
    player: Player = None,
    budget: command.Seconds = None,
) -> None:
    cards, extra = command.read_hand(hand)
    document = document_of(VisitDocument, None, **{"hand": cards, **details, **extra})
    require_hand(document)
    steps = [] if plan is None else plan_of(plan)
    steps += events.steps_of(session().words, entries_of(buy) or [], level or [])
    _keep(
        events.village, document=document | {"plan": steps}, player=player, budget=Budget(budget),
        **_besides(toll, dungeon, unseen=unseen),
    )  # fmt: skip


@app.command("buy")
def buy_command(cards: CardWords, player: Player = None) -> None:
    _keep(events.purchase, entries=entries_of(" ".join(cards)) or [], player=player)


@app.command("level")
def level_command(
    hero: Annotated[list[str], typer.Argument(metavar="HERO")],
    to: Annotated[str | None, typer.Option("--to", metavar="HERO")] = None,
    player: Player = None,
) -> None:
    _keep(events.level_up, hero=" ".join(hero), to=to, player=player)


@app.command("rest")
def rest_command(
    card: Annotated[list[str] | None, typer.Argument(metavar="CARD")] = None,
    dungeon: CardList = None,
    toll: CardList = None,
    player: Player = None,
) -> None:
    _keep(events.rest, card=" ".join(card or []) or None, player=player, **_besides(toll, dungeon))


@app.command("penalty")
def penalty_command(dungeon: CardList = None, player: Player = None) -> None:
    _keep(events.penalty, player=player, dungeon=entries_of(dungeon))


@app.command("next")
def next_command() -> None:
    _show(keep(events.next_turn))


@app.command("correct")
def correct_command(
    xp: Annotated[int | None, typer.Option("--xp")] = None,
    deck: CardList = None,
    stacks: CardList = None,
    rank0: CardList = None,
    tokens: Annotated[int | None, typer.Option("--tokens")] = None,
    escaped: CardList = None,
    caged: CardList = None,
    penalties: CardList = None,
    player: Player = None,
) -> None:
    lists = {"deck": deck, "stacks": stacks, "rank0": rank0, "escaped": escaped, "caged": caged, "penalties": penalties}
    numbers = {"xp": (xp, 999), "tokens": (tokens, 5)}
    if all(option is None for option in (*lists.values(), xp, tokens)):
        raise InputError("missing-value", name=", ".join(f"--{name}" for name in (*numbers, *lists)))
    for name, (number, limit) in numbers.items():
        if number is not None and not 0 <= number <= limit:
            raise InputError("bad-value", key=name, value=str(number)[:40])
    cards = {name: entries_of(text) for name, text in lists.items()}
    _keep(events.correct, xp=xp, tokens=tokens, player=player, **cards)
