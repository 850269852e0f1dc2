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
    after: Annotated[
        str | None,
        typer.Option("--after", metavar="CODE|FILE", help="The next game of a campaign, after this one."),
    ] = None,
    winner: Annotated[int | None, typer.Option("--winner", help="With --after: number of the player who won.")] = None,
    scores: Annotated[
        str | None, typer.Option("--scores", metavar="31,28", help="With --after: victory points by player.")
    ] = None,
    left: Annotated[
        str | None,
        typer.Option("--left", metavar="N|CARDS", help="With --after: cards left in the dungeon (pursuit)."),
    ] = None,
    save: Annotated[
        str | None, typer.Option("--save", metavar="FILE", help="Write the set-up as JSON, for --after.")
    ] = None,
    avoid_recent: Annotated[
        bool, typer.Option("--avoid-recent", help="Leave out cards of the latest set-ups and remember this one.")
    ] = False,
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
    from thunderref.cli import setup_view
    from thunderref.errors import ThunderrefError
    from thunderref.setup import history
    from thunderref.setup.api import generate_setup

    run = session()
    words = run.words
    setup_view.check_format(sheet)
    recent = history.recent_cards(setup_view.history_path(run.environment)) if avoid_recent else []
    options: dict[str, Any] = {
        "players": players, "sets": sets, "monsters": monsters, "seed": seed, "code": code, "first_game": first_game,
        "theme": theme, "variant": variant, "level": level, "require": require or (), "exclude": exclude or (),
        "balanced": balanced, "stone": stone, "lock": lock or (), "reroll": reroll or (), "why": why,
        "winner": winner, "avoid": recent,
    }  # fmt: skip
    try:
        options["after"] = None if after is None else setup_view.saved_code(after)
        options["scores"] = () if scores is None else setup_view.numbers(scores)
        options["left"] = 0 if left is None else setup_view.cards_left(left, run.store)
        made = generate_setup(**options, lang=words.lang, store=run.store)
    except ThunderrefError as error:
        raise setup_view.localised(error, words) from None
    if avoid_recent:
        made = setup_view.remembered(made, setup_view.history_path(run.environment))
    if save is not None:
        setup_view.write_json(made, save)
    if run.json:
        run.print_json(made.model_dump())
    else:
        setup_view.show(made, sheet)


@group.command("history")
def history_command(
    clear: Annotated[bool, typer.Option("--clear", help="Forget all of it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    lang: Lang = None,
) -> None:
    """Show the set-ups that --avoid-recent remembers, the latest first."""
    from thunderref.cli import setup_view
    from thunderref.setup import history

    run = session()
    path = setup_view.history_path(run.environment)
    if clear:
        setup_view.forget(path)
    entries = history.read(path)
    if run.json:
        run.print_json(
            {"path": str(path), "setups": [{"code": entry.code, "cards": list(entry.cards)} for entry in entries]}
        )
        return
    words = run.words
    print(words.say("setup.history", n=len(entries), path=str(path)))
    for entry in entries:
        print(f"  {entry.code}  {setup_view.listed(entry.cards, words)}")
