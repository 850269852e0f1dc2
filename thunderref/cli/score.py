"""``thunderref score``: victory points at the end of the game, and who wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from thunderref.cli.command import CommandApp, File
from thunderref.cli.inputs import document_of
from thunderref.cli.session import session

if TYPE_CHECKING:
    from thunderref.text.language import Language
    from thunderref.thunderstone.resolve.result import ScoreResult

app = CommandApp()


@app.command("score")
def score_command(
    deck: Annotated[list[str] | None, typer.Option("--deck", metavar="PLAYER:CARDS")] = None,
    penalty: Annotated[list[str] | None, typer.Option("--penalty", metavar="PLAYER:N")] = None,
    file: File = None,
) -> None:
    from thunderref.thunderstone.resolve.documents import ScoreDocument
    from thunderref.thunderstone.resolve.final_score import final_score, with_decks

    run = session()
    document = with_decks(document_of(ScoreDocument, file), deck or (), penalty or ())
    result = final_score(document, words=run.words)
    if run.json:
        run.print_json(result.model_dump())
    else:
        print(*(line for _, line in run.tonight_lines()), *score_lines(run.words, result), sep="\n")


def score_lines(words: Language, result: ScoreResult, *, alone: bool = False) -> Iterator[str]:
    """A table for every player, the cards worth most first, and who wins, except for a player alone."""
    points = [vp for player in result.players for vp in (player.vp, *(card.vp for card in player.cards))]
    width = max(len(_number(vp)) for vp in points)
    for player in result.players:
        yield words.say("score.player", name=player.name, vp=player.vp)
        rows: dict[str, tuple[int, int]] = {}
        for card in player.cards:
            label = _label(words, card.id)
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


def _label(words: Language, card: str) -> str:
    """The card's name; the family's for cards that have worth only together (Horde)."""
    effects = words.database.all_effects.get(card, ())
    if any(effect.timing == "end-of-game" for effect in effects):
        return words.family(words.database.cards[card].family or card)
    return words.card(card)


def _number(n: int) -> str:
    return str(n).replace("-", "\N{MINUS SIGN}")
