"""``thunderref odds``: the chance to win with a known deck in unknown order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.command import Budget, CommandApp, read_battle, takes
from thunderref.cli.inputs import document_of, entries_of
from thunderref.cli.session import session
from thunderref.errors import InputError

if TYPE_CHECKING:
    from thunderref.text.language import Language
    from thunderref.thunderstone.resolve.result import CardChance, NextHand, OddsResult

app = CommandApp()


@app.command("odds")
@takes(battle=read_battle)
def odds_command(
    battle: dict[str, Any],
    deck_list: Annotated[str | None, typer.Option("--deck-list", metavar="CARDS")] = None,
    discard: Annotated[str | None, typer.Option("--discard", metavar="CARDS")] = None,
    first_battle: Annotated[bool, typer.Option("--first-battle")] = False,
    next_hand: Annotated[bool, typer.Option("--next-hand")] = False,
    exact: Annotated[bool, typer.Option("--exact")] = False,
    budget: Budget = None,
    samples: Annotated[int | None, typer.Option("--samples")] = None,
    seed: Annotated[int | None, typer.Option("--seed")] = None,
) -> None:
    from thunderref.thunderstone.resolve.budget import Budget as Limit
    from thunderref.thunderstone.resolve.documents import OddsQuestion
    from thunderref.thunderstone.resolve.odds import odds

    run = session()
    if deck_list is None:
        raise InputError("no-deck-list")
    if battle["hand"] is None and not first_battle and not next_hand:
        raise InputError("empty-hand")
    if battle["hall"] is None and battle["rank0"] is None and not next_hand:
        raise InputError("empty-hall")
    question = document_of(
        OddsQuestion, None, **battle, deck_list=entries_of(deck_list), discard=entries_of(discard),
        first_battle=first_battle, next_hand=next_hand, exact=exact, samples=samples, seed=seed,
    )  # fmt: skip
    with run.progress() as tell:
        result = odds(question, words=run.words, budget=Limit(budget, tell=tell))
    run.answer(result.model_dump(), [*run.tonight_lines(), *odds_lines(result, run.words)])


def odds_lines(result: OddsResult, words: Language) -> Iterator[tuple[int, str]]:
    if result.hand is not None:
        yield from _hand_lines(result.hand, words)
        if result.targets:
            yield 0, ""
            yield 0, words.say("odds.hand.targets")
    indent = 2 if result.hand is not None else 0
    for target in result.targets:
        low, high = target.interval or (0.0, 100.0)
        key = "odds.target" if target.exact else "odds.sampled" if target.samples else "odds.between"
        key = "odds.barred" if target.barred else key
        yield indent, words.say(
            key, card=words.card(target.monster), rank=target.rank, percent=words.number(target.win.percent),
            fraction=target.win.fraction, low=words.number(low), high=words.number(high), n=target.samples,
            total="?" if target.expected_total is None else words.number(target.expected_total),
        )  # fmt: skip
    if not result.targets:
        return
    if any(target.samples for target in result.targets):
        yield 0, words.say("odds.sampled-because", n=result.weighed, seed=result.seed)
    if any(not target.exact and not target.samples for target in result.targets):
        yield 0, words.say("odds.cut-short")
    if all(target.exact for target in result.targets):
        yield 0, words.say("odds.exact")


def _hand_lines(hand: NextHand, words: Language) -> Iterator[tuple[int, str]]:
    yield 0, words.say("odds.hand", n=hand.size)
    if hand.reshuffled and hand.certain:
        yield 2, words.say("odds.hand.reshuffled", n=len(hand.certain))
    for found in hand.cards:
        yield 2, _chance(words.card(found.id), found, words)
    yield 0, words.say("odds.hand.kinds")
    for found in hand.kinds:
        yield 2, _chance(words.say(f"odds.kind.{found.id}"), found, words)


def _chance(name: str, found: CardChance, words: Language) -> str:
    return words.say(
        "odds.hand.card", name=name, copies=found.copies, percent=words.number(found.chance.percent),
        fraction=found.chance.fraction, average=words.number(found.expected),
    )  # fmt: skip
