"""``thunderref score``: victory points at the end of the game, and who wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, File
from thunderref.cli.inputs import document_of, entries_of
from thunderref.cli.session import Session, session
from thunderref.errors import InputError
from thunderref.thunderstone.resolve.final_score import final_score

app = CommandApp()


@app.command("score")
def score_command(
    deck: Annotated[list[str] | None, typer.Option("--deck", metavar="PLAYER:CARDS")] = None,
    penalty: Annotated[list[str] | None, typer.Option("--penalty", metavar="PLAYER:N")] = None,
    file: File = None,
) -> None:
    run = session()
    document = document_of(file)
    if not deck and "players" not in document:
        raise InputError("score-no-decks")
    players, penalties = document.get("players", {}), document.get("penalties", {})
    if isinstance(players, dict) and isinstance(penalties, dict):  # else the document's own error is reported
        document |= {"players": dict(players), "penalties": dict(penalties)}
        for text in deck or ():
            name, cards = _named(text)
            if name in document["players"]:
                raise InputError("score-twice", name=name)
            document["players"][name] = entries_of(cards)
        for text in penalty or ():
            name, rest = _named(text)
            if not rest.strip().isdecimal() or len(rest.strip()) > 3:
                raise InputError("score-bad-penalty", text=text.strip()[:40])
            document["penalties"][name] = int(rest)
    result = final_score(document, words=run.words)
    if run.json:
        run.print_json(result.model_dump())
    else:
        print(*score_lines(run, result), sep="\n")


def _named(text: str) -> tuple[str, str]:
    """Splits ``Ann: griffon, 2 torch`` at the first colon."""
    name, colon, rest = text.partition(":")
    if not colon:
        raise InputError("score-no-name", text=text.strip()[:40])
    if not name.strip():
        raise InputError("score-empty-name")
    return " ".join(name.split()), rest


def score_lines(run: Session, result: Any, *, alone: bool = False) -> Iterator[str]:
    """A table for every player, the cards worth most first, and who wins, except for a player alone."""
    words = run.words
    width = max(len(_number(card.vp)) for player in result.players for card in (*player.cards, player))
    for player in result.players:
        yield words.say("score.player", name=player.name, vp=player.vp)
        rows: dict[str, tuple[int, int]] = {}
        for card in player.cards:
            label = _label(run, card.id)
            n, vp = rows.get(label, (0, 0))
            rows[label] = (n + card.count, vp + card.vp)
        for card_name, (n, vp) in sorted(rows.items(), key=lambda row: (-row[1][1], row[0])):
            if vp:
                label = card_name if n == 1 else words.say("score.cards", card=card_name, n=n)
                yield f"  {_number(vp):>{width}}  {label}"
        if player.penalties:
            yield f"  {_number(-player.penalties):>{width}}  {words.say('score.penalties', n=player.penalties)}"
        nothing = sum(n for n, vp in rows.values() if not vp)
        if nothing:
            yield f"  {'0':>{width}}  {words.say('score.worthless', n=nothing)}"
    if alone:
        return
    yield ""
    if result.tie_break is not None:
        yield result.tie_break
    best = max(player.vp for player in result.players)
    key = "score.winner" if len(result.winners) == 1 else "score.shared"
    yield words.say(key, names=", ".join(result.winners), vp=best)


def _label(run: Session, card: str) -> str:
    """The card's name; the family's for cards that have worth only together (Horde)."""
    effects = run.database.all_effects.get(card, ())
    if any(effect.timing == "end-of-game" for effect in effects):
        return run.words.family(run.database.cards[card].family or card)
    return run.words.card(card)


def _number(n: int) -> str:
    return str(n).replace("-", "\N{MINUS SIGN}")
