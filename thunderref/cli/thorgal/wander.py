"""``thunderref thorgal wander`` and ``gather``: play on a wander card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.session import session
from thunderref.cli.thorgal import picture as view
from thunderref.cli.thorgal.commands import answer
from thunderref.errors import InputError
from thunderref.pages.page import Block, Line, Page
from thunderref.text.folding import fold
from thunderref.text.language import Language
from thunderref.thorgal.grid import GATHERED, KINDS, read_grid
from thunderref.thorgal.tiles import read_tiles
from thunderref.thorgal.wander import Road, Way, gatherings, judge_way, ways

app = CommandApp()
RULES = ("T5.1", "T5.2", "T5.4")


@app.command("wander")
def wander_command(
    card: view.Cards = None,
    tiles: view.Tiles = None,
    actions: Annotated[int | None, typer.Option("--actions")] = None,
    upcoming: Annotated[list[str] | None, typer.Option("--next", metavar="CARD")] = None,
    lay: view.Lay = None,
    goal: Annotated[str, typer.Option("--goal", metavar="benefits|far|safe")] = "benefits",
    limit: Annotated[int, typer.Option("--limit")] = 3,
    column: Annotated[str, typer.Option("--column", metavar="all|any")] = "all",
    mirror: view.Mirror = False,
    may_leave: view.MayLeave = False,
) -> None:
    words, start = session().words, view.card_of(card)
    road = Road(start, upcoming=[read_grid(text) for text in upcoming or ()], mirror=mirror, column=column)
    offer = None if tiles is None else read_tiles(tiles)
    if limit < 0:
        raise InputError("thorgal-number", name="--limit", n=limit, least=0, most=1000)
    if actions is None and offer is not None:
        actions = 1
    if lay is not None:
        way = judge_way(road, lay, offer, actions, may_leave=may_leave)
        document, title, small = way.document(words), words.say("thorgal.wander.legal"), []
        blocks = [_way_block(words, way, ""), view.legend(words, road.grid), view.effects_block(words, way.effects)]
    else:
        found = ways(road, offer or (), actions or 1, goal=goal, may_leave=may_leave)
        n, shown = len(found.ways), found.ways[: limit or None]
        document = {"goal": goal, "count": n, "complete": found.complete, "proven": found.proven}
        document["ways"] = [way.document(words) for way in shown]
        total = "count" if found.complete else "count-best" if found.proven else "count-some"
        title, small = (
            words.say(f"thorgal.wander.{total}", n=n, shown=len(shown)),
            [words.say(f"thorgal.wander.goal.{goal}")],
        )
        blocks = [_way_block(words, way, str(number)) for number, way in enumerate(shown, 1)]
        blocks.insert(0, view.legend(words, road.grid))
    cited = {"rules": [*RULES, "T5.6"], "readings": ["T5.3", *["T5.5"] * (column == "all"), "T5.13"]}
    page = Page(title, small, [*blocks, view.citation(words, RULES, cited["readings"])])
    answer({"card": start.document(), **document, **cited}, page)


def _way_block(words: Language, way: Way, heading: str) -> Block:
    gains = []
    for (kind, size), n in Counter((effect.kind, effect.size) for effect in way.effects).items():
        name = words.say(f"thorgal.kind.{kind}") + (f" {size}" if size else "")
        gains.append(f"{name} ×{n}" if n > 1 else name)
    lines = [Line(words.say("thorgal.wander.covers", what=", ".join(gains) or words.say("thorgal.wander.nothing")))]
    lines += [Line(words.say("thorgal.wander.rhombus", column=column + 1), note="T5.6") for column in way.rhombus]
    lines.append(Line(words.say("thorgal.wander.farthest", column=way.farthest + 1)))
    if way.unknown:
        lines.append(Line(words.say("thorgal.wander.unknown")))
    if way.stopped:
        lines.append(Line(words.say("thorgal.wander.stopped")))
    return Block(lines, heading, picture=view.picture(way.grid, way.pieces, way.columns))


@app.command("gather")
def gather_command(
    card: view.Cards = None,
    actions: Annotated[int, typer.Option("--actions")] = 1,
    want: Annotated[str | None, typer.Option("--want", metavar="RESOURCE")] = None,
) -> None:
    grid = view.card_of(card)
    found = gatherings(grid, actions, None if want is None else read_resource(want, sorted(GATHERED)))
    words, lines = session().words, []
    for gathering in found:
        text = f"{words.say(f'thorgal.kind.{gathering.resource}')} ×{gathering.amount}"
        text = "; ".join([text, *(words.say(f"thorgal.effect.{penalty}") for penalty in gathering.penalties)])
        lines.append(Line(text, view.place(words, gathering.cell), "T6.2" if gathering.penalties else ""))
    blocks = [Block([], picture=view.picture(grid)), view.legend(words, grid), Block(lines)]
    page = Page(
        words.say("thorgal.gather.title", n=len(found)), [], [*blocks, view.citation(words, ["T6.1"], ["T6.3"])]
    )
    document = {"card": grid.document(), "fields": [gathering.document() for gathering in found]}
    answer(document | {"rules": ["T6.1", "T6.2"], "readings": ["T6.3"]}, page)


def read_resource(text: str, kinds: Sequence[str]) -> str:
    """The one of the ``kinds`` that a sign or a word in any language means; raises :class:`InputError` for none."""
    run = session()
    if len(text) == 1 and KINDS.get(text.upper()) in kinds:
        return KINDS[text.upper()]
    asked = fold(text)
    for words in [run.words, *(Language(run.database, code) for code in run.database.languages)]:
        for kind in kinds:
            names = fold(words.say(f"thorgal.kind.{kind}"))
            if asked and (names.startswith(asked) or asked in names.split()):
                return kind
    raise InputError("thorgal-resource", name=text[:20], candidates=[run.words.say(f"thorgal.kind.{k}") for k in kinds])
