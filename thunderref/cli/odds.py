"""``thunderref odds``: the chance to win when the deck is known and its order is not."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.inputs import entries_of, ranks_of
from thunderref.cli.session import Session, session
from thunderref.errors import InputError

app = command_app()


@app.command("odds")
def odds_command(
    hand: Annotated[list[str] | None, typer.Argument(metavar="HAND…", help="The cards of the hand.")] = None,
    deck_list: Annotated[str | None, typer.Option("--deck-list", help="The cards of the draw deck, any order.")] = None,
    discard: Annotated[str | None, typer.Option("--discard", help="The cards of the discard pile.")] = None,
    hall: Annotated[str | None, typer.Option("--hall", help="The monsters, rank 1 first.")] = None,
    rank0: Annotated[str | None, typer.Option("--rank0", help="Guardians in rank 0.")] = None,
    rank: Annotated[int | None, typer.Option("--rank", help="Judge this rank only.")] = None,
    dungeon: Annotated[str | None, typer.Option("--dungeon", help="Known refills, top first.")] = None,
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="print|yucata", help="The rules to use.")] = None,
    readings: Annotated[
        list[str] | None, typer.Option("--reading", metavar="NAME=VALUE", help="Answers an open question.")
    ] = None,
    first_battle: Annotated[bool, typer.Option("--first-battle", help="A fresh hand of six off the deck.")] = False,
    next_hand: Annotated[bool, typer.Option("--next-hand", help="The hand drawn after this turn.")] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Refuse rather than sample.")] = False,
    budget: Annotated[float | None, typer.Option("--budget", help="Seconds the answer may take.")] = None,
    samples: Annotated[int | None, typer.Option("--samples", help="Hands to deal where odds are sampled.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="What the samples are dealt from.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Compute the odds of beating each target through every draw."""
    run = session()
    words = list(hand or [])
    if deck_list is None:
        raise InputError("no-deck-list")
    if not words and not first_battle and not next_hand:
        raise InputError("empty-hand")
    if hall is None and rank0 is None and not next_hand:
        raise InputError("empty-hall")
    if rank is not None and not 0 <= rank <= 3:
        raise InputError("bad-rank", rank=str(rank))
    if budget is not None and not budget > 0:
        raise InputError("bad-budget", budget=f"{budget:g}")
    question: dict[str, Any] = {
        "hand": entries_of(" ".join(words)), "deck_list": entries_of(deck_list), "discard": entries_of(discard or ""),
        "hall": ranks_of(hall or ""), "rank0": entries_of(rank0 or ""), "target": rank, "first_battle": first_battle,
        "next_hand": next_hand, "exact": exact, "dungeon": entries_of(dungeon), "ruleset": ruleset or "print",
        "readings": readings or [],
    }  # fmt: skip
    question |= {key: value for key, value in (("samples", samples), ("seed", seed)) if value is not None}
    _answer(run, question, budget)


def _answer(run: Session, question: dict[str, Any], budget: float | None) -> None:
    from thunderref.cli.watch import Watch
    from thunderref.solve.chances import odds

    watch = Watch(run.words, budget)
    try:
        result = odds(question, run.words.lang, watch=watch)
    finally:
        watch.done()
    if run.json:
        run.print_json(result.model_dump())
        return
    from thunderref.cli.odds_view import odds_lines
    from thunderref.cli.resolve_view import wrapped

    for indent, text in odds_lines(result, run.words):
        print(wrapped(indent, text))
