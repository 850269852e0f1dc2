"""``thunderref thorgal fight``, ``wander``, ``gather``, ``wounds`` and ``fields``: tiles on small grids."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.session import Session, session
from thunderref.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thunderref.thorgal.dice import Face
    from thunderref.thorgal.grid import Grid
    from thunderref.thorgal.tiles import Tile

app = command_app()
# What the help pages say are the messages help.thorgal.<command> and help.thorgal.<command>.<option>.
group = typer.Typer()
app.add_typer(group)

Card = Annotated[list[str] | None, typer.Argument(metavar="CARD…")]
Tiles = Annotated[str | None, typer.Option("--tiles", metavar="TILES")]
Lay = Annotated[str | None, typer.Option("--lay", metavar="DRAWING")]
Mirror = Annotated[bool, typer.Option("--mirror")]
MayLeave = Annotated[bool, typer.Option("--may-leave")]


def _grids(words: Sequence[str] | None) -> list[Grid]:
    """The cards of the command line: one an argument, ``|`` between two in one; ``-`` reads them from the input."""
    from thunderref.cli.inputs import read_text
    from thunderref.thorgal.grid import read_grid

    texts: list[str] = []
    for word in words or ():
        if word == "-":
            texts += [part for part in read_text("-").replace("\r", "").replace("\n\n", "|").split("|") if part.strip()]
        else:
            texts += word.split("|")
    if not texts:
        raise InputError("thorgal-card-missing")
    return [read_grid(text) for text in texts]


def _card(words: Sequence[str] | None) -> Grid:
    """The one card of a command."""
    cards = _grids(words)
    if len(cards) > 1:
        raise InputError("thorgal-one-card", n=len(cards))
    return cards[0]


def _tiles(text: str | None) -> list[Tile] | None:
    from thunderref.thorgal.tiles import read_tiles

    return None if text is None else read_tiles(text)


@group.command("fight")
def fight_command(
    card: Card = None,
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
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Judge a fight or lay the rolled tiles best; with dice, the chance to win."""
    from thunderref.cli import grid_view
    from thunderref.cli.render import show
    from thunderref.thorgal import documents
    from thunderref.thorgal.fight import best_fight, judge_fight

    run = session()
    cards = _grids(card)
    if dice is not None and lay is None:
        _dice(run, cards, dice, die, tiles, (upgrades, rerolls), goal, threat, (critical, mirror, may_leave))
        return
    if die or upgrades or rerolls:
        raise InputError("thorgal-dice-missing")
    rolled = _tiles(tiles)
    if lay is not None:
        fight = judge_fight(cards, lay, rolled, mirror=mirror, may_leave=may_leave, threat=threat)
    elif rolled is None:
        raise InputError("thorgal-no-tiles")
    else:
        fight = best_fight(cards, rolled, goal=goal, mirror=mirror, may_leave=may_leave, threat=threat)
    if run.json:
        run.print_json(documents.fight_document(run.words, fight))
    else:
        show(grid_view.fight_page(run.words, fight, given=lay is not None))


def _dice(
    run: Session,
    cards: list[Grid],
    dice: str,
    die: Sequence[str] | None,
    tiles: str | None,
    numbers: tuple[int, int],
    goal: str,
    threat: int,
    switches: tuple[bool, bool, bool],
) -> None:
    """The chance before the roll; with ``tiles``, what the dice show, which to throw again."""
    from thunderref.cli import grid_view
    from thunderref.cli.page import Page
    from thunderref.cli.render import show
    from thunderref.thorgal import documents
    from thunderref.thorgal.dice import Table, best_chance, read_dice, read_die, read_roll
    from thunderref.thorgal.fight import best_fight

    upgrades, rerolls = numbers
    critical, mirror, may_leave = switches
    colours = read_dice(dice)
    faces: dict[str, tuple[Face, ...]] = {}
    for text in die or ():
        colour, shown = read_die(text, critical)
        if colour in faces:
            raise InputError("thorgal-die-twice", colour=text.partition(":")[0][:20])
        faces[colour] = shown
    if tiles is None:
        chance = best_chance(cards, faces, colours, upgrades=upgrades, rerolls=rerolls, mirror=mirror)
        if run.json:
            run.print_json(documents.chance_document(chance, rerolls))
        else:
            show(grid_view.chance_page(run.words, chance, rerolls))
        return
    if upgrades:
        raise InputError("thorgal-late-upgrade")
    roll = read_roll(dice, tiles, critical)
    rolled = [tile for _, face in roll for tile in face]
    fight = best_fight(cards, rolled, goal=goal, mirror=mirror, may_leave=may_leave, threat=threat)
    advice = Table(cards, faces, mirror).advice(roll, rerolls)
    if run.json:
        run.print_json(documents.advice_document(run.words, fight, Fraction(int(fight.won)), advice, rerolls))
        return
    page = grid_view.fight_page(run.words, fight, given=False)
    if advice and not fight.won:
        page = Page(page.title, page.subtitle, [*page.blocks, grid_view.advice_block(run.words, advice, rerolls)])
    show(page)


@group.command("wander")
def wander_command(
    card: Card = None,
    tiles: Tiles = None,
    actions: Annotated[int | None, typer.Option("--actions")] = None,
    upcoming: Annotated[list[str] | None, typer.Option("--next", metavar="CARD")] = None,
    lay: Lay = None,
    goal: Annotated[str, typer.Option("--goal", metavar="benefits|far|safe")] = "benefits",
    limit: Annotated[int, typer.Option("--limit")] = 3,
    column: Annotated[str, typer.Option("--column", metavar="all|any")] = "all",
    mirror: Mirror = False,
    may_leave: MayLeave = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """List the legal ways to wander, best first, or check one."""
    from thunderref.cli import grid_view
    from thunderref.cli.render import show
    from thunderref.thorgal import documents
    from thunderref.thorgal.grid import read_grid
    from thunderref.thorgal.wander import judge_way, readings_of, ways

    run = session()
    start = _card(card)
    further = [read_grid(text) for text in upcoming or ()]
    offer = _tiles(tiles)
    if limit < 0:
        raise InputError("thorgal-number", name="--limit", n=limit, most=1000)
    if lay is not None:
        way = judge_way(start, lay, offer, actions, upcoming=further, mirror=mirror, column=column, may_leave=may_leave)
        if run.json:
            run.print_json(documents.judged_document(run.words, start, way, column))
        else:
            show(grid_view.way_page(run.words, way, readings_of(column)))
        return
    if not offer:
        raise InputError("thorgal-no-tiles")
    found = ways(
        start, offer, 1 if actions is None else actions, upcoming=further, goal=goal, mirror=mirror, column=column,
        may_leave=may_leave,
    )  # fmt: skip
    if run.json:
        run.print_json(documents.wander_document(run.words, start, found, goal, column, limit))
    else:
        show(grid_view.ways_page(run.words, found, goal, limit, readings_of(column)))


@group.command("gather")
def gather_command(
    card: Card = None,
    actions: Annotated[int, typer.Option("--actions")] = 1,
    want: Annotated[str | None, typer.Option("--want", metavar="RESOURCE")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """List the fields that may take the gathering token, and what each gives."""
    from thunderref.cli import grid_view
    from thunderref.cli.render import show
    from thunderref.thorgal import documents
    from thunderref.thorgal.gather import gatherings

    run = session()
    grid = _card(card)
    found = gatherings(grid, actions, None if want is None else _resource(run, want))
    if run.json:
        run.print_json(documents.gather_document(grid, found))
    else:
        show(grid_view.gather_page(run.words, grid, found))


def _resource(run: Session, text: str) -> str:
    """The kind of field a word or a sign means, in any language."""
    from thunderref.lookup.normalise import fold
    from thunderref.thorgal.fields import GATHERED, kind_of
    from thunderref.words.words import Words

    if len(text) == 1 and kind_of(text) in GATHERED:
        return str(kind_of(text))
    asked = fold(text)
    kinds = sorted(GATHERED)
    for words in [run.words, *(Words(run.store, code) for code in run.store.languages)]:
        for kind in kinds:
            names = fold(words.say(f"thorgal.kind.{kind}"))
            if asked and (names.startswith(asked) or asked in names.split()):
                return kind
    raise InputError("thorgal-resource", name=text[:20], candidates=[run.words.say(f"thorgal.kind.{k}") for k in kinds])


@group.command("wounds")
def wounds_command(
    board: Annotated[list[str] | None, typer.Argument(metavar="BOARD")] = None,
    add: Annotated[str | None, typer.Option("--add", metavar="WOUNDS")] = None,
    heal: Annotated[str | None, typer.Option("--heal", metavar="N|any")] = None,
    sizes: Annotated[str, typer.Option("--sizes", metavar="WOUNDS")] = "1, 2, 3, 4, 5",
    mirror: Mirror = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Say whether a wound still fits, how many more can be taken, and which may be healed."""
    from thunderref.cli import grid_view
    from thunderref.cli.inputs import read_text
    from thunderref.cli.render import show
    from thunderref.thorgal import documents, wounds

    run = session()
    if not board:
        raise InputError("thorgal-no-board")
    there = wounds.read_board("/".join(read_text("-") if word == "-" else word for word in board))
    healing = None
    if heal is not None:
        if heal != "any" and not heal.isdigit():
            raise InputError("thorgal-heal", name=heal[:20])
        healing = wounds.heals(there, None if heal == "any" else int(heal))
    taken = None if add is None else wounds.take(there, wounds.read_wounds(add, mirror))
    asked = [] if add or heal else list(dict.fromkeys(wounds.read_wounds(sizes, mirror)))
    capacities = [wounds.capacity(there, wound) for wound in asked]
    if run.json:
        run.print_json(documents.wounds_document(there, taken, capacities, healing))
    else:
        show(grid_view.wounds_page(run.words, there, taken, capacities, healing))


@group.command("fields")
def fields_command(as_json: Json = False, lang: Lang = None) -> None:
    """Show the signs that cards and tiles are typed with."""
    from thunderref.cli import grid_view
    from thunderref.cli.render import show
    from thunderref.thorgal import documents
    from thunderref.thorgal.fields import SIGNS

    run = session()
    if run.json:
        run.print_json(documents.fields_document({kind: run.words.say(f"thorgal.kind.{kind}") for kind in SIGNS}))
    else:
        show(grid_view.fields_page(run.words))
