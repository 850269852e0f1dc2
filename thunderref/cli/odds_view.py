"""How odds read at the table: a sentence a target, the next hand as a list, and how sure all of it is."""

from __future__ import annotations

from collections.abc import Iterator

from thunderref.model.odds import CardChance, NextHand, OddsResult, TargetOdds
from thunderref.words.words import Words


def odds_lines(result: OddsResult, words: Words) -> Iterator[tuple[int, str]]:
    """The text of odds as (indent, line)."""
    if result.hand is not None:
        yield from _hand_lines(result.hand, words)
        if result.targets:
            yield 0, ""
            yield 0, words.say("odds.hand.targets")
    indent = 2 if result.hand is not None else 0
    for target in result.targets:
        yield indent, _target(target, words)
    if not result.targets:
        return
    if any(target.samples for target in result.targets):
        yield 0, words.say("odds.sampled-because", n=result.weighed, seed=result.seed)
    if any(not target.exact and not target.samples for target in result.targets):
        yield 0, words.say("odds.cut-short")
    if all(target.exact for target in result.targets):
        yield 0, words.say("odds.exact")


def _target(target: TargetOdds, words: Words) -> str:
    low, high = target.interval or (0.0, 100.0)
    params = {
        "card": words.card(target.monster), "rank": target.rank, "percent": number(words, target.win.percent),
        "fraction": target.win.fraction, "low": number(words, low), "high": number(words, high), "n": target.samples,
        "total": "?" if target.expected_total is None else number(words, target.expected_total),
    }  # fmt: skip
    if target.exact:
        return words.say("odds.target", **params)
    return words.say("odds.sampled" if target.samples else "odds.between", **params)


def _hand_lines(hand: NextHand, words: Words) -> Iterator[tuple[int, str]]:
    yield 0, words.say("odds.hand", n=hand.size)
    if hand.reshuffled and hand.certain:
        yield 2, words.say("odds.hand.reshuffled", n=len(hand.certain))
    for found in hand.cards:
        yield 2, _chance(words.card(found.id), found, words)
    yield 0, words.say("odds.hand.kinds")
    for found in hand.kinds:
        yield 2, _chance(words.say(f"odds.kind.{found.id}"), found, words)


def _chance(name: str, found: CardChance, words: Words) -> str:
    return words.say(
        "odds.hand.card", name=name, copies=found.copies, percent=number(words, found.chance.percent),
        fraction=found.chance.fraction, average=number(words, found.expected),
    )  # fmt: skip


def number(words: Words, value: float) -> str:
    """A number as the language writes it."""
    return f"{value:g}".replace(".", words.say("number.point"))
