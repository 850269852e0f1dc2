"""``thunderref thorgal fight`` and ``wounds``: tiles on the card of an enemy, and the room on a wound board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.inputs import read_text
from thunderref.cli.session import session
from thunderref.cli.thorgal import picture as view
from thunderref.cli.thorgal.commands import answer
from thunderref.errors import InputError
from thunderref.pages.page import Block, Line, Page
from thunderref.text.language import Language
from thunderref.thorgal import dice as odds
from thunderref.thorgal import wounds
from thunderref.thorgal.fight import FightOutcome, best_fight, judge_fight
from thunderref.thorgal.tiles import read_tiles

if TYPE_CHECKING:
    from thunderref.cli.thorgal.duel import Duel

app = CommandApp()


@app.command("fight")
def fight_command(
    card: view.Cards = None,
    tiles: view.Tiles = None,
    lay: view.Lay = None,
    goal: Annotated[str, typer.Option("--goal", metavar="benefits|safe")] = "benefits",
    threat: Annotated[int, typer.Option("--threat")] = 0,
    dice: Annotated[str | None, typer.Option("--dice", metavar="DICE")] = None,
    die: Annotated[list[str] | None, typer.Option("--die", metavar="FACES")] = None,
    upgrades: Annotated[int, typer.Option("--upgrades")] = 0,
    rerolls: Annotated[int, typer.Option("--rerolls")] = 0,
    critical: Annotated[bool, typer.Option("--critical")] = False,
    mirror: view.Mirror = False,
    may_leave: view.MayLeave = False,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE")] = None,
) -> None:
    from thunderref.cli.thorgal.duel import duel_of, is_card

    words, typed = session().words, card or []
    nothing_rolled = dice is None and tiles is None and lay is None
    from_game = nothing_rolled or not typed or not all(map(is_card, typed)) or file is not None
    duel = duel_of(typed, file) if from_game else None
    cards = duel.cards if duel else view.cards_of(typed)
    if duel and nothing_rolled:
        if die:
            raise InputError("thorgal-dice-missing")
        faces = duel.shown(critical)
        chance = odds.best_chance(cards, faces, duel.dice, upgrades=upgrades, rerolls=rerolls, mirror=mirror)
        answer(duel.document() | chance.document(), chance_page(words, chance, duel))
        return
    if duel:
        threat = threat or duel.seat.threat
        dice = ", ".join(duel.dice) if rerolls and dice is None and lay is None else dice
    if dice is None or lay is not None:
        if die or upgrades or rerolls:
            raise InputError("thorgal-dice-missing")
        rolled = None if tiles is None else read_tiles(tiles)
        if lay is not None:
            fight = judge_fight(cards, lay, rolled, mirror=mirror, may_leave=may_leave, threat=threat)
        elif rolled is None:
            raise InputError("thorgal-no-tiles")
        else:
            fight = best_fight(cards, rolled, goal=goal, mirror=mirror, may_leave=may_leave, threat=threat)
        answer(fight.document(words), fight_page(words, fight, given=lay is not None))
        return
    colours = odds.read_dice(dice)
    faces = duel.shown(critical) if duel and not die else {}
    for text in die or ():
        colour, shown = odds.read_die(text, critical)
        if colour in faces:
            raise InputError("thorgal-die-twice", colour=text.partition(":")[0][:20])
        faces[colour] = shown
    if tiles is None:
        chance = odds.best_chance(cards, faces, colours, upgrades=upgrades, rerolls=rerolls, mirror=mirror)
        answer(chance.document(), chance_page(words, chance))
        return
    if upgrades:
        raise InputError("thorgal-late-upgrade")
    roll = odds.read_roll(dice, tiles, critical)
    rolled = [tile for _, face in roll for tile in face]
    fight = best_fight(cards, rolled, goal=goal, mirror=mirror, may_leave=may_leave, threat=threat)
    advice = odds.FightOdds(cards, faces, mirror).advice(roll, rerolls)
    more = {"win": odds.fraction(Fraction(fight.won)), "rerolls": rerolls, "advice": [one.document() for one in advice]}
    page = fight_page(words, fight, advice=() if fight.won else advice, rerolls=rerolls)
    answer(fight.document(words) | more, page)


def fight_page(
    words: Language, fight: FightOutcome, *, given: bool = False, advice: Sequence[odds.Advice] = (), rerolls: int = 0
) -> Page:
    """The outcome; ``given`` for the player's own arrangement, ``advice`` on which die to re-roll."""
    how = "given" if given else "best" if fight.proven else "unproven"
    subtitle = [words.say(f"thorgal.fight.{how}", n=fight.steps)]
    if len(fight.order) > 1:
        subtitle.append(words.say("thorgal.fight.order", order=", ".join(map(str, fight.order))))
    told = [words.say("thorgal.fight.hearts", covered=fight.hearts - len(fight.uncovered), n=fight.hearts)]
    if fight.left_out:
        told.append(words.say("thorgal.fight.left-out", tiles=", ".join(tile.name for tile in fight.left_out)))
    if fight.threat:
        told.append(words.say("thorgal.fight.threat", n=fight.threat))
    if fight.wound:
        told.append(words.say("thorgal.fight.unmet", n=fight.wound))
    told.append(words.say("thorgal.fight.discard" if fight.won else "thorgal.fight.stays"))
    again = [Line(_odds(words, one.chance), f"{_die(words, one.colour)} {odds.face_name(one.face)}") for one in advice]
    blocks = [
        Block([], picture=view.picture(fight.grid, fight.pieces)),
        view.legend(words, fight.grid),
        Block([Line(piece.tile.outline, piece.letter) for piece in fight.pieces], compact=True),
        Block([Line(text) for text in told]),
        view.effects_block(words, fight.effects),
        view.citation(words, fight.rules, fight.readings),
        Block(again, words.say("thorgal.heading.advice", n=rerolls)),
    ]
    return Page(words.say("thorgal.fight.won" if fight.won else "thorgal.fight.lost"), subtitle, blocks)


def _odds(words: Language, chance: Fraction) -> str:
    percent = words.number(float(chance) * 100, ".1f")
    return words.say("thorgal.chance.win", percent=percent, fraction=str(chance))


def _die(words: Language, colour: str) -> str:
    return words.say(f"thorgal.die.{colour}")


def chance_page(words: Language, chance: odds.FightChance, duel: Duel | None = None) -> Page:
    dice = ", ".join(f"{n}× {_die(words, colour)}" for colour, n in Counter(chance.dice).items())
    lines = [Line(words.say("thorgal.chance.dice", dice=dice))]
    for old, new in chance.upgraded:
        text = words.say("thorgal.chance.upgrade", before=_die(words, old), after=_die(words, new))
        lines.append(Line(text, note="T10.5"))
    if chance.rerolls:
        lines.append(Line(words.say("thorgal.chance.rerolls", n=chance.rerolls), note="T10.4"))
    if chance.upgraded or chance.rerolls:
        lines.append(Line(words.say("thorgal.chance.plain", chance=_odds(words, chance.plain))))
    lines.append(Line(words.say("thorgal.chance.exact", n=chance.rolls)))
    title = words.say("thorgal.chance.title", chance=_odds(words, chance.win))
    if duel is None:
        return Page(title, [], [Block(lines)])
    return Page(title, duel.subtitle(words), [*duel.blocks(words), Block(lines)])


@app.command("wounds")
def wounds_command(
    board: Annotated[list[str] | None, typer.Argument(metavar="BOARD")] = None,
    add: Annotated[str | None, typer.Option("--add", metavar="WOUNDS")] = None,
    heal: Annotated[str | None, typer.Option("--heal", metavar="N|any")] = None,
    sizes: Annotated[str, typer.Option("--sizes", metavar="WOUNDS")] = "1, 2, 3, 4, 5",
    mirror: view.Mirror = False,
) -> None:
    if not board:
        raise InputError("thorgal-no-board")
    there = wounds.read_board("/".join(read_text("-") if word == "-" else word for word in board))
    if heal is not None and heal != "any" and not heal.isdecimal():
        raise InputError("thorgal-heal", name=heal[:20])
    healing = None if heal is None else wounds.heals(there, None if heal == "any" else int(heal))
    taken = None if add is None else wounds.take(there, wounds.read_wounds(add, mirror))
    asked = [] if add or heal else dict.fromkeys(wounds.read_wounds(sizes, mirror))
    capacities = [wounds.capacity(there, wound) for wound in asked]
    document = wounds.wounds_document(there, taken, capacities, healing)
    words, laid = session().words, taken.laid if taken else ()
    if taken and taken.dies is not None:
        title = words.say("thorgal.wounds.dies", n=taken.dies + 1)
    else:
        title = words.say("thorgal.wounds.fits" if taken else "thorgal.wounds.title")
    more = []
    for found in capacities:
        most = f"{'' if found.most_proven else '≥ '}{found.most}"
        surely = f"{'' if found.surely_proven else '≥ '}{found.surely}"
        wound = words.say("thorgal.wounds.size", n=found.wound.size) if found.wound.name.isdigit() else found.wound.name
        more.append(Line(words.say("thorgal.wounds.more", most=most, surely=surely), wound))
    gone = [Line(words.say("thorgal.wounds.heal", tile=h.tile.outline, n=h.tile.size), h.letter) for h in healing or ()]
    blocks = [
        Block([], picture=view.picture(there.grid, [*there.wounds, *laid])),
        Block([Line(words.say("thorgal.wounds.laid", tile=piece.tile.outline), piece.letter) for piece in laid]),
        Block(more, words.say("thorgal.heading.more")),
        Block(gone, words.say("thorgal.heading.heals")),
        view.citation(words, document["rules"], document["readings"]),
    ]
    answer(document, Page(title, [], blocks))
