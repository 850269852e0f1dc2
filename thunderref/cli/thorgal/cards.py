"""``thunderref thorgal fight``, ``wounds``, ``wander``, ``gather``: tiles on a card; ``fields``, how to type one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp, read_text
from thunderref.cli.session import session
from thunderref.cli.thorgal import print_answer
from thunderref.database.read import Language
from thunderref.errors import InputError
from thunderref.pages import thorgal_page as pages
from thunderref.pages.page import Block, Line, Page
from thunderref.text.folding import fold
from thunderref.thorgal import fight as battle
from thunderref.thorgal import wounds
from thunderref.thorgal.game_file import game_under_way
from thunderref.thorgal.grid import GATHERED, KIND_OF_SIGN, PLAIN_SIGNS, SIGNS, Grid, read_cards, read_grid
from thunderref.thorgal.laying import read_tiles
from thunderref.thorgal.wander import Road, gatherings, judge_way, ways

app = CommandApp()
GridWords = Annotated[list[str] | None, typer.Argument(metavar="CARD…")]
Tiles = Annotated[str | None, typer.Option("--tiles", metavar="TILES")]
Lay = Annotated[str | None, typer.Option("--lay", metavar="DRAWING")]
Mirror = Annotated[bool, typer.Option("--mirror")]
MayLeave = Annotated[bool, typer.Option("--may-leave")]


def typed_cards(words: Sequence[str] | None) -> list[str]:
    """The cards of the command line; ``-`` reads them from the input, an empty line between two."""

    def typed() -> str:
        parts = read_text("-").replace("\r", "").replace("\n\n", "|").split("|")
        return "|".join(filter(str.strip, parts))

    return [typed() if word == "-" else word for word in words or ()]


def card_of(words: Sequence[str] | None) -> Grid:
    cards = read_cards(typed_cards(words))
    if len(cards) > 1:
        raise InputError("thorgal-one-card", n=len(cards))
    return cards[0]


@app.command("fight")
def fight_command(
    card: GridWords = None,
    tiles: Tiles = None,
    lay: Lay = None,
    goal: Annotated[str, typer.Option("--goal", metavar="benefits|safe")] = "benefits",
    threat: Annotated[int, typer.Option("--threat")] = 0,
    dice: Annotated[str | None, typer.Option("--dice", metavar="DICE")] = None,
    die: Annotated[list[str] | None, typer.Option("--die", metavar="FACES")] = None,
    upgrades: Annotated[int, typer.Option("--upgrades")] = 0,
    rerolls: Annotated[int, typer.Option("--rerolls")] = 0,
    critical: Annotated[bool, typer.Option("--critical")] = False,
    mirror: Mirror = False,
    may_leave: MayLeave = False,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE")] = None,
) -> None:
    question = battle.FightQuestion(
        fight=typed_cards(card), tiles=tiles, lay=lay, goal=goal, threat=threat, dice=dice, die=die or [],
        upgrades=upgrades, rerolls=rerolls, critical=critical, mirror=mirror, may_leave=may_leave,
    )  # fmt: skip
    words = session().words
    table = game_under_way(file) if question.of_game or file is not None else None
    result = battle.answer_fight(words, question, table)
    print_answer(result.document(words), pages.fight_answer_page(words, result))


@app.command("wounds")
def wounds_command(
    board: Annotated[list[str] | None, typer.Argument(metavar="BOARD")] = None,
    add: Annotated[str | None, typer.Option("--add", metavar="WOUNDS")] = None,
    heal: Annotated[str | None, typer.Option("--heal", metavar="N|any")] = None,
    sizes: Annotated[str, typer.Option("--sizes", metavar="WOUNDS")] = "1, 2, 3, 4, 5",
    mirror: Mirror = False,
) -> None:
    if not board:
        raise InputError("thorgal-no-board")
    there = wounds.read_board("/".join(read_text("-") if word == "-" else word for word in board))
    if heal is not None and heal != "any" and not heal.isdecimal():
        raise InputError("thorgal-heal", name=heal[:20])
    healing = [] if heal is None else wounds.heals(there, None if heal == "any" else int(heal))
    coming = None if add is None else wounds.read_wounds(add, mirror)
    laid = () if coming is None else wounds.take(there, coming)
    dies = len(laid) if coming and len(laid) < len(coming) else None
    tiles = [] if add or heal else dict.fromkeys(wounds.read_wounds(sizes, mirror))
    capacities = [wounds.capacity(there, wound) for wound in tiles]
    cited = {"rules": ["T14.4", *["T14.3"] * bool(healing)], "readings": ["T14.2", "T14.5"]}
    document = {
        "rows": there.grid.height, "columns": there.grid.width,
        "wounds": [wound.document(there.grid) for wound in there.wounds],
        "taken": coming and {"tiles": [piece.document(there.grid) for piece in laid], "dies": dies},
        "capacity": [one._asdict() | {"wound": one.wound.name} for one in capacities],
        "heals": [{"letter": h.letter, "tile": h.tile.name, "size": h.tile.size} for h in healing] or None,
    }  # fmt: skip
    words, end = session().words, "title" if not coming else "fits" if dies is None else "dies"
    title = words.say(f"thorgal.wounds.{end}", n=len(laid) + 1)
    more = []
    for room in capacities:
        best = f"{'' if room.most_proven else '≥ '}{room.most}"
        surely = f"{'' if room.surely_proven else '≥ '}{room.surely}"
        wound = words.say("thorgal.wounds.size", n=room.wound.size) if room.wound.name.isdigit() else room.wound.name
        more.append(Line(words.say("thorgal.wounds.more", most=best, surely=surely), wound))
    gone = [Line(words.say("thorgal.wounds.heal", tile=h.tile.outline, n=h.tile.size), h.letter) for h in healing]
    blocks = [
        Block([], picture=pages.picture(there.grid, [*there.wounds, *laid])),
        Block([Line(words.say("thorgal.wounds.laid", tile=piece.tile.outline), piece.letter) for piece in laid]),
        Block(more, words.say("thorgal.heading.more")),
        Block(gone, words.say("thorgal.heading.heals")),
        pages.citation(words, **cited),
    ]
    print_answer(document | cited, Page(title, [], blocks))


@app.command("wander")
def wander_command(
    card: GridWords = None,
    tiles: Tiles = None,
    actions: Annotated[int | None, typer.Option("--actions")] = None,
    upcoming: Annotated[list[str] | None, typer.Option("--next", metavar="CARD")] = None,
    lay: Lay = None,
    goal: Annotated[str, typer.Option("--goal", metavar="benefits|far|safe")] = "benefits",
    limit: Annotated[int, typer.Option("--limit")] = 3,
    column: Annotated[str, typer.Option("--column", metavar="all|any")] = "all",
    mirror: Mirror = False,
    may_leave: MayLeave = False,
) -> None:
    words, start, offer = session().words, card_of(card), None if tiles is None else read_tiles(tiles)
    road = Road(start, offer, upcoming=[read_grid(text) for text in upcoming or ()], mirror=mirror, column=column)
    if limit < 0:
        raise InputError("thorgal-number", name="--limit", n=limit, least=0, most=1000)
    actions = 1 if actions is None and offer is not None else actions
    if lay is not None:
        route = judge_way(road, lay, actions, may_leave=may_leave)
        document, title, small = route.document(words), words.say("thorgal.wander.legal"), []
        after = [pages.legend(words, road.grid), pages.effects_block(words, route.effects)]
        blocks = [pages.way_block(words, route, ""), *after]
    else:
        routes = ways(road, actions or 1, goal=goal, may_leave=may_leave)
        n, listed = len(routes.ways), routes.ways[: limit or None]
        document = {"goal": goal, "count": n, "complete": routes.complete, "proven": routes.proven}
        document["ways"] = [route.document(words) for route in listed]
        total = "count" if routes.complete else "count-best" if routes.proven else "count-some"
        title = words.say(f"thorgal.wander.{total}", n=n, shown=len(listed))
        small = [words.say(f"thorgal.wander.goal.{goal}")]
        blocks_of_ways = (pages.way_block(words, route, str(number)) for number, route in enumerate(listed, 1))
        blocks = [pages.legend(words, road.grid), *blocks_of_ways]
    rules, readings = ["T5.1", "T5.2", "T5.4"], ["T5.3", *["T5.5"] * (column == "all"), "T5.13"]
    page = Page(title, small, [*blocks, pages.citation(words, rules, readings)])
    print_answer({"card": start.document(), **document, "rules": [*rules, "T5.6"], "readings": readings}, page)


@app.command("gather")
def gather_command(
    card: GridWords = None,
    actions: Annotated[int, typer.Option("--actions")] = 1,
    want: Annotated[str | None, typer.Option("--want", metavar="RESOURCE")] = None,
) -> None:
    grid = card_of(card)
    gains = gatherings(grid, actions, None if want is None else read_resource(want, sorted(GATHERED)))
    words, lines = session().words, []
    for gathering in gains:
        text = f"{words.say(f'thorgal.kind.{gathering.resource}')} ×{gathering.amount}"
        text = "; ".join([text, *(words.say(f"thorgal.effect.{penalty}") for penalty in gathering.penalties)])
        lines.append(Line(text, pages.place(words, gathering.cell), "T6.2" if gathering.penalties else ""))
    blocks = [Block([], picture=pages.picture(grid)), pages.legend(words, grid), Block(lines)]
    blocks.append(pages.citation(words, ["T6.1"], ["T6.3"]))
    page = Page(words.say("thorgal.gather.title", n=len(gains)), [], blocks)
    fields = [{**g.cell.place, "resource": g.resource, "amount": g.amount, "penalties": [*g.penalties]} for g in gains]
    print_answer({"card": grid.document(), "fields": fields} | {"rules": ["T6.1", "T6.2"], "readings": ["T6.3"]}, page)


def read_resource(text: str, kinds: Sequence[str]) -> str:
    """The one of the ``kinds`` that a sign or a word in any language means; raises :class:`InputError` for none."""
    run = session()
    if len(text) == 1 and KIND_OF_SIGN.get(text.upper()) in kinds:
        return KIND_OF_SIGN[text.upper()]
    form = fold(text)
    for words in [run.words, *(Language(run.database, code) for code in run.database.languages)]:
        for kind in kinds:
            names = fold(words.say(f"thorgal.kind.{kind}"))
            if form and (names.startswith(form) or form in names.split()):
                return kind
    raise InputError("thorgal-resource", name=text[:20], candidates=[run.words.say(f"thorgal.kind.{k}") for k in kinds])


@app.command("fields")
def fields_command() -> None:
    words = session().words
    names = {kind: words.say(f"thorgal.kind.{kind}") for kind in SIGNS}
    lines = [Line(words.say("thorgal.kind.plain"), " ".join(PLAIN_SIGNS))]
    lines += [Line(name, " ".join(SIGNS[kind])) for kind, name in names.items()]
    notes = [Line(words.say(f"thorgal.fields.{note}")) for note in ("rows", "brackets", "rhombus", "tiles", "board")]
    print_answer(
        {"fields": [{"kind": kind, "signs": list(SIGNS[kind]), "name": name} for kind, name in names.items()]},
        Page(words.say("thorgal.fields.title"), [], [Block(lines), Block(notes)]),
    )
