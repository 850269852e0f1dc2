"""``thunderref setup``: a set-up for the table, drawn, explained and printed."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.app import Lang
from thunderref.cli.session import session

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
group = typer.Typer(
    invoke_without_command=True,
    help=(
        "Draw a set-up: dungeon, heroes, village, player decks, step by step.\n\n"
        "The code printed with it reproduces it alone, on every machine and in every later version. It holds the sets, "
        "players, variant and level, theme or first game, whether it is balanced, the seed, and the result itself: "
        "monster classes, dungeon features, guardians, Thunderstones, hero families and village cards; so wishes are "
        "in it by what they brought about."
    ),
)
app.add_typer(group, name="setup")

Names = list[str] | None


@group.callback()
def setup_command(
    ctx: typer.Context,
    players: Annotated[int | None, typer.Option("--players", help="Players: 2 to 5, or 1 for solo.")] = None,
    sets: Annotated[Names, typer.Option("--set", help="A box in use: base, wrath; promo: owned promo cards.")] = None,
    monsters: Annotated[int | None, typer.Option("--monsters", help="Monster classes: 3 to 8.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Draw by this number, 0 to 999999999.")] = None,
    code: Annotated[str | None, typer.Option("--code", help="Show the set-up of this code.")] = None,
    first_game: Annotated[str | None, typer.Option("--first-game", metavar="base|wrath", help="First game.")] = None,
    theme: Annotated[
        str | None,
        typer.Option("--theme", metavar="NAME", help="high-fantasy, holy-war, elemental-fury or tough-guys."),
    ] = None,
    variant: Annotated[
        str | None,
        typer.Option(
            "--variant", metavar="NAME", help="normal, epic, crossing, pursuit, odyssey, solo or marauding."
        ),
    ] = None,
    level: Annotated[
        str | None, typer.Option("--level", metavar="NAME", help="Solo: normal, fighter or nightmare.")
    ] = None,
    require: Annotated[
        Names, typer.Option("--require", metavar="CARD", help="A card, family or class that must be in.")
    ] = None,
    exclude: Annotated[
        Names, typer.Option("--exclude", metavar="CARD", help="A card, family or class to leave out.")
    ] = None,
    balanced: Annotated[bool, typer.Option("--balanced", help="The cards must meet each other's needs.")] = False,
    stone: Annotated[
        str | None, typer.Option("--stone", metavar="NAME", help="random, mystery, agony or both.")
    ] = None,
    lock: Annotated[
        Names, typer.Option("--lock", metavar="CARD", help="With --code: keep this card, draw the others again.")
    ] = None,
    reroll: Annotated[
        Names,
        typer.Option(
            "--reroll",
            metavar="SLOT",
            help="With --code: draw this card again, or all of monsters, features, heroes, village, stone.",
        ),
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Say for each card how likely it was and what forced it.")] = False,
    sheet: Annotated[
        str | None, typer.Option("--format", metavar="text|markdown|html", help="The sheet to lay out from.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    lang: Lang = None,
) -> None:
    """Draw a set-up."""
    if ctx.invoked_subcommand is not None:
        return
    from thunderref.cli.setup_view import localised, show
    from thunderref.errors import ThunderrefError
    from thunderref.setup.api import generate_setup

    run = session()
    words = run.words
    options: dict[str, Any] = {
        "players": players, "sets": sets, "monsters": monsters, "seed": seed, "code": code, "first_game": first_game,
        "theme": theme, "variant": variant, "level": level, "require": require or (), "exclude": exclude or (),
        "balanced": balanced, "stone": stone, "lock": lock or (), "reroll": reroll or (), "why": why,
    }  # fmt: skip
    try:
        made = generate_setup(**options, lang=words.lang, store=run.store)
    except ThunderrefError as error:
        raise localised(error, words) from None
    if run.json:
        run.print_json(made.model_dump())
    else:
        show(made, sheet, words)
