"""``thunderref setup``: a set-up for the table, drawn, explained and printed."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer._click.core import Context
from typer.core import TyperCommand

from thunderref.cli.app import Lang, command_app
from thunderref.cli.session import session

app = command_app()
# What the help page says, and what a code holds, are the messages help.setup and help.setup.<option>.
group = typer.Typer(invoke_without_command=True, subcommand_metavar="")
app.add_typer(group, name="setup")

Names = list[str] | None


@group.callback()
def setup_command(
    ctx: typer.Context,
    players: Annotated[int | None, typer.Option("--players")] = None,
    sets: Annotated[Names, typer.Option("--set")] = None,
    monsters: Annotated[int | None, typer.Option("--monsters")] = None,
    seed: Annotated[int | None, typer.Option("--seed")] = None,
    code: Annotated[str | None, typer.Option("--code")] = None,
    first_game: Annotated[str | None, typer.Option("--first-game", metavar="base|wrath")] = None,
    theme: Annotated[str | None, typer.Option("--theme", metavar="NAME")] = None,
    variant: Annotated[str | None, typer.Option("--variant", metavar="NAME")] = None,
    level: Annotated[str | None, typer.Option("--level", metavar="NAME")] = None,
    require: Annotated[Names, typer.Option("--require", metavar="CARD")] = None,
    exclude: Annotated[Names, typer.Option("--exclude", metavar="CARD")] = None,
    balanced: Annotated[bool, typer.Option("--balanced")] = False,
    stone: Annotated[str | None, typer.Option("--stone", metavar="NAME")] = None,
    lock: Annotated[Names, typer.Option("--lock", metavar="CARD")] = None,
    reroll: Annotated[Names, typer.Option("--reroll", metavar="SLOT")] = None,
    after: Annotated[str | None, typer.Option("--after", metavar="CODE|FILE")] = None,
    winner: Annotated[int | None, typer.Option("--winner")] = None,
    scores: Annotated[str | None, typer.Option("--scores", metavar="31,28")] = None,
    left: Annotated[str | None, typer.Option("--left", metavar="N|CARDS")] = None,
    readings: Annotated[Names, typer.Option("--reading", metavar="NAME=VALUE")] = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE")] = None,
    avoid_recent: Annotated[bool, typer.Option("--avoid-recent")] = False,
    why: Annotated[bool, typer.Option("--why")] = False,
    sheet: Annotated[str | None, typer.Option("--format", metavar="text|markdown|html")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
    lang: Lang = None,
) -> None:
    """Draw a set-up."""
    if ctx.invoked_subcommand is not None:
        return
    from dataclasses import replace

    from thunderref.cli import setup_view
    from thunderref.errors import ThunderrefError
    from thunderref.lookup.switches import other_readings
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
        if readings:
            made = replace(made, readings=other_readings(run.store, readings))
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


class HistoryCommand(TyperCommand):
    """Has its help page in the language of the run; the group above is localised by the app."""

    def get_help(self, ctx: Context) -> str:
        """The page of ``thunderref setup history --help``."""
        from thunderref.cli.usage import localised

        return localised(session().words, self, "setup-history", lambda: super(HistoryCommand, self).get_help(ctx))


@group.command("history", cls=HistoryCommand, hidden=True)
def history_command(
    clear: Annotated[bool, typer.Option("--clear")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
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
