"""Verdicts: ``resolve`` the targets of a battle, ``odds`` to win it, ``village`` for a visit, ``turn``, ``score``."""

from __future__ import annotations

import contextlib
import gc
import re
import sys
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from thunderref.answers import ODDS, RESOLVE, TURN, VILLAGE
from thunderref.budget import Budget
from thunderref.cli import command
from thunderref.cli.command import document_of, entries_of, options_of, share_options
from thunderref.cli.render import columns, draws, is_terminal, outline, print_lines, show, wrap
from thunderref.cli.session import Session, convert_unforeseen, json_text, marks_of, session
from thunderref.cli.streams import escape_for_json
from thunderref.errors import InputError, ThunderrefError
from thunderref.files import parse_json
from thunderref.thunderstone.resolve.documents import OddsQuestion, Scenario, ScoreDocument, TurnDocument, VisitDocument
from thunderref.thunderstone.resolve.result import Resolution

if TYPE_CHECKING:
    from thunderref.database.read import Language
    from thunderref.thunderstone.setup.memory import Tonight

app = command.CommandApp()
FEW = 32
"""Up to this many lines of a batch a second process costs more than it saves."""
LINES_AT_A_TIME = 8
"""Lines given to a worker at a time."""
SECONDS_OF_GAMES = 60.0
"""Default of --budget where games are played."""
OWN = ("deck", "deck_list", "deck_size", "discard")
"""What is known of the own deck and the discard pile, in a battle as on a visit."""
TABLE = ("variant", "level", "tokens", "caged", "toll", "hordes")
"""Fields of a scenario for what is special at the table."""


class ResolveCommand(command.Command):
    """``--explain`` takes two words: what to explain, and its subject."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        next(parameter for parameter in self.params if parameter.name == "explain").nargs = 2


@app.command("resolve", cls=ResolveCommand)
@share_options(
    battle=command.read_battle, details=options_of(Scenario, *OWN, "goal", "dungeon_size", "village", *TABLE)
)
def resolve_command(
    ctx: typer.Context,
    battle: dict[str, Any],
    details: dict[str, Any],
    file: command.File = None,
    others: Annotated[list[str] | None, typer.Option("--other", metavar="HAND")] = None,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE")] = None,
    workers: Annotated[
        str | None, typer.Option("--workers", "--jobs", metavar="auto|N", callback=command.check_workers)
    ] = None,
    scheduler: command.Scheduler = None,
    budget: command.Seconds = None,
    explain: Annotated[list[str] | None, typer.Option("--explain", metavar="why-not CHOICE")] = None,
    every: Annotated[bool, typer.Option("--all")] = False,
) -> None:
    run = session()
    if batch is not None:
        alone = command.given_options(ctx) - {"--batch", "--workers", "--scheduler", "--budget"}
        if alone or run.read_as:
            raise InputError("batch-alone", option=min(alone, default="--hall"))
        run_batch(run, batch, workers, scheduler, budget)
        return
    hands = [entries_of(hand) for hand in others] if others else None
    document = document_of(Scenario, file, **{**details, **battle}, others=hands)
    if run.has_a_person and file is None and not document.keys() & {"hand", "hall", "rank0"}:
        from thunderref.cli.prompt import ask_battle

        try:
            document |= ask_battle(run)
        except EOFError:  # Ctrl-D
            raise typer.Exit(1) from None
    for topic, choice in cast("list[tuple[str, str]]", explain or []):  # see ResolveCommand
        if topic != "why-not":
            raise InputError("unknown-explanation", value=topic[:40])
        document["why_not"] = [*(document.get("why_not") or []), choice]
    resolution = run.judge(RESOLVE, document, budget)
    run.print_json(resolution.model_dump()) if run.json else print_resolution(run, resolution, every)


@app.command("odds")
@share_options(
    battle=command.read_battle,
    draws=options_of(OddsQuestion, "deck_list", "discard", "variant", "tokens", "first_battle", "next_hand", "exact"),
    sampling=options_of(OddsQuestion, "samples", "seed"),
)
def odds_command(
    *, battle: dict[str, Any], draws: dict[str, Any], budget: command.Seconds = None, sampling: dict[str, Any]
) -> None:
    run = session()
    if draws.get("deck_list") is None:
        draws["deck_list"] = battle.pop("deck", None)  # "deck: …" behind the hand: its order nobody knows
    question = document_of(OddsQuestion, None, **{**battle, **draws, **sampling})
    result = run.judge(ODDS, question, budget)
    run.show(result, ODDS.pages(result, run.words), apart=True)


@app.command("village")
@share_options(visit=options_of(VisitDocument, *OWN, "stacks", "wanted", "xp", "players", "goal"))
def village_command(
    *,
    hand: command.Hand = None,
    visit: dict[str, Any],
    plan: Annotated[str | None, typer.Option("--plan", metavar="PLAN")] = None,
    readings: command.Readings = None,
    file: command.File = None,
    budget: command.Seconds = None,
) -> None:
    run = session()
    cards, extra = command.read_hand(hand)
    steps = None if plan is None else plan_of(plan)
    fields = {"hand": cards, "plan": steps, "readings": readings or None, **visit, **extra}
    document = document_of(VisitDocument, file, **fields)
    result = run.judge(VILLAGE, document, budget)
    run.show(result, VILLAGE.pages(result, run.words))


@app.command("turn")
@share_options(
    battle=command.read_battle,
    details=options_of(TurnDocument, "stacks", "xp", "deck_list", "discard", "dungeon_size", "players"),
)
def turn_command(
    ctx: typer.Context,
    *,
    battle: dict[str, Any],
    details: dict[str, Any],
    file: command.File = None,
    games: Annotated[int | None, typer.Option("--games")] = None,
    budget: command.Seconds = None,
) -> None:
    run = session()
    document = document_of(TurnDocument, file, **{**details, **battle})
    options: dict[str, Any] = {}
    if games is not None:
        from thunderref.workers import AUTO

        options = {"games": games, "workers": AUTO}
        source = ctx.get_parameter_source("budget")
        if source is not None and source.name == "DEFAULT":
            budget = SECONDS_OF_GAMES
    result = run.judge(TURN, document, budget, **options)
    hint = [run.words.say("page.more")] if games is not None and not run.more else []
    run.show(result, TURN.pages(result, run.words), last=hint)


def plan_of(text: str) -> list[Any]:
    """The steps of ``--plan``: JSON text, or the name of a file with JSON or TOML (key ``plan``)."""
    written, unfit = text.lstrip().startswith(("[", "{")), InputError("bad-plan")
    if command.is_toml(text) and not written:
        steps: Any = command.read_file(text)
    else:
        content, name = (text, "--plan") if written else (command.read_text(text), text)
        steps = parse_json(content, name, lambda *_: unfit)
    if isinstance(steps, dict):
        steps = steps.get("plan", [steps])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise unfit
    return steps


@app.command("score")
@share_options(details=options_of(ScoreDocument, "variant"))
def score_command(
    decks: Annotated[list[str] | None, typer.Argument(metavar="[PLAYER:CARDS;…]")] = None,
    *,
    deck: Annotated[list[str] | None, typer.Option("--deck", metavar="PLAYER:CARDS")] = None,
    penalty: Annotated[list[str] | None, typer.Option("--penalty", metavar="PLAYER:N")] = None,
    details: dict[str, Any],
    earlier: Annotated[list[str] | None, typer.Option("--earlier", metavar="PLAYER:N")] = None,
    file: command.File = None,
) -> None:
    from thunderref.cli.lookup import show_answers
    from thunderref.pages.visit_page import score_pages
    from thunderref.search.scored_decks import ALONE, read_decks
    from thunderref.search.understand import reader
    from thunderref.thunderstone.resolve.final_score import final_score, with_decks

    run, text = session(), " ".join(decks or ())
    if text and not deck and reader(run.words).parse(text).scores:
        show_answers(decks, None)
        return
    document = document_of(ScoreDocument, file, **details)
    read = {} if ":" in text else read_decks(reader(run.words), text) or {}
    typed = re.split(r";|,(?=[^,:;]*:)", text)
    if len(read) > 1 or ALONE in read:
        typed = [f"{name}: {', '.join(cards)}" for name, cards in read.items()]
    deck = [*(deck or ()), *filter(str.strip, typed)]
    if run.evening is not None and not deck and "players" not in document:
        document |= {"players": run.evening.decks, "penalties": run.evening.penalties}
    document = with_decks(run.words, document, deck, penalties=penalty or (), earlier=earlier or ())
    result = final_score(document, words=run.words)
    run.show(result, score_pages(run.words, result, alone=len(result.players) == 1))


def print_resolution(run: Session, resolution: Resolution, every: bool) -> None:
    """Prints the sums, and what is to say of all targets together: panels in a terminal, in a pipe lines to search.

    A terminal gets only the sum of the best target unless ``every``, and all verdicts last, where they stay in sight.
    """
    from thunderref.pages.battle_page import battle_pages, best_target, closing, headline, why_page

    words, terminal = run.words, is_terminal()
    targets, best = resolution.targets, best_target(resolution)
    visible = [best] if terminal and best is not None and not every else targets
    pages = battle_pages(resolution, visible, words)
    whys = [why_page(why, resolution, words) for why in resolution.why_not]
    last = list(closing(resolution, words))
    print_lines(run.tonight_lines())
    parts = [*last, *(headline(target, words) for target in targets)]
    below = sum(len(wrap(text, columns(), 0, 2)) for text in parts) if terminal else 0
    if draws():
        for page in (*pages, *whys):
            show(page, cut=words.say("page.more"), below=below)
    else:
        print_lines(outline(*pages))
        for page in whys if terminal else ():
            print()
            show(page)
        if last:
            print()
    print_lines((0, text) for text in last)
    print_lines((0, text) for text in parts[len(last) :] if terminal)
    for page in () if terminal else whys:
        print()
        show(page)


def run_batch(run: Session, name: str, workers: str | None, scheduler: str | None, budget: float | None) -> None:
    """Resolves every line of a file, shared by the workers (one a core if not told), each within ``budget``."""
    from thunderref.thunderstone.rules.cards import load_cards
    from thunderref.workers import PROCESSES, cores, hire, number_of_workers

    number, scheduler = number_of_workers(workers), scheduler or PROCESSES
    alone = scheduler == PROCESSES and (number or cores()) == 1
    lines = (line for line in command.lines_of(name) if line.strip())
    load_cards(run.database)  # before the processes part, so that they share it
    gc.freeze()
    escape_for_json(sys.stdout)
    first = [] if alone else list(islice(lines, FEW + 1))
    every = chain(first, lines)
    if alone or (scheduler == PROCESSES and len(first) <= FEW):
        for line in every:
            print(resolve_line(line, run.words, budget, marks_of(run.tonight)), flush=True)
        return
    chunks = iter(lambda: list(islice(every, LINES_AT_A_TIME)), [])
    work = partial(resolve_lines, lang=run.language, budget=budget, now=run.tonight)
    with hire(scheduler, number) as crew, contextlib.closing(crew.in_order(work, chunks)) as answers:
        for results in answers:
            print(*results, sep="\n")


def resolve_lines(lines: list[str], lang: str, budget: float | None, now: Tonight | None) -> list[str]:
    """The results of some lines, on whichever worker."""
    from thunderref.database.read import Language, open_database

    database = open_database()
    words = Language(database if now is None else database.at_table(now.cards), lang)
    return [resolve_line(line, words, budget, marks_of(now)) for line in lines]


def resolve_line(line: str, words: Language, budget: float | None, marks: dict[str, Any]) -> str:
    """The result of one line as JSON on one line: a resolution, or ``{"error": …}``; with the ``marks`` of all."""
    try:
        document = parse_json(line, "-", lambda _, column: InputError("malformed-line", column=column))
        limit = Budget(budget)
        result = RESOLVE.function(document, words=words, budget=limit).model_dump()
        if limit.interrupted:  # that ended a search only
            raise KeyboardInterrupt
    except Exception as error:  # the rest of the batch goes on
        problem = error if isinstance(error, ThunderrefError) else convert_unforeseen(error)
        result = {"error": problem.document(words.error(problem))}
    return json_text(result | marks, None)
