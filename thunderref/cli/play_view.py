"""How a game looks in the terminal: the table, the choices, the log, the end; plain lines that wrap."""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from thunderref.engine.hall import is_monster
from thunderref.engine.hand import in_play
from thunderref.engine.places import lost_points
from thunderref.engine.state import Foe, Slot
from thunderref.engine.totals import health
from thunderref.engine.visit import Visit
from thunderref.play.course import Course
from thunderref.play.preview import preview
from thunderref.play.say import Option, Told, heading
from thunderref.words.words import Words

WIDEST = 100
NARROWEST = 30


def columns() -> int | None:
    """The width to break lines at; None in a pipe, where every line stays whole, so that it can be searched."""
    import os

    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given):
        return max(NARROWEST, min(WIDEST, int(given)))
    if not sys.stdout.isatty():
        return None
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size().columns))


def folded(text: str, indent: int = 0, hanging: int = 2) -> str:
    """A line, broken where the terminal ends."""
    width, pad = columns(), " " * indent
    if width is None or len(pad) + len(text) <= width:
        return pad + text
    return textwrap.fill(
        text, width, initial_indent=pad, subsequent_indent=pad + " " * hanging, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def counted(words: Words, names: Iterable[str]) -> str:
    """Cards in one line, equal ones with their number."""
    found = Counter(names)
    if not found:
        return words.say("play.nothing")
    return ", ".join(name if n == 1 else words.say("play.several", card=name, n=n) for name, n in found.items())


def table_lines(words: Words, course: Course, viewer: int) -> Iterator[tuple[int, str]]:
    """The table as the player at ``viewer`` sees it: the hall, the others in numbers, his own cards."""
    game, state, world = course.game, course.game.state, course.game.world
    yield 0, words.say("play.turn", name=course.players[game.active].name, n=game.number)
    for foe in state.rank0:
        yield 2, _rank(words, course, 0, foe)
    for rank, foe in enumerate(state.hall, 1):
        line = _rank(words, course, rank, foe)
        if foe.tokens:
            line += f" ({words.say('play.tokens', n=foe.tokens)})"
        yield 2, line
    dungeon = words.say("play.dungeon", n=len(state.dungeon))
    if world.horde:
        dungeon += "; " + words.say("play.horde", n=len(world.horde))
    yield 2, dungeon
    for cage in world.cages:
        yield 2, words.say("play.cage", card=words.card(cage[-1]))
    if world.lost:
        vp = lost_points(course.table, course.game)
        yield 2, words.say("play.lost", n=len(world.lost), vp=vp)
    for seat, player in enumerate(course.players):
        owned = game.seat(seat)
        figures = {"hand": len(owned.hand), "deck": len(owned.deck), "pile": len(owned.discard), "xp": owned.xp}
        if seat == viewer:
            continue
        line = words.say("play.other", name=player.name, **figures)
        yield 2, line + (f", {words.say('play.penalties', n=len(owned.penalties))}" if owned.penalties else "")
    mine = game.seat(viewer)
    if viewer == game.active:
        hand = counted(words, (_slot(words, slot) for slot in state.hand if in_play(slot)))
    else:
        hand = counted(words, (words.card(card) for card in mine.hand))
    own = words.say("play.own", xp=mine.xp, deck=len(mine.deck), pile=len(mine.discard))
    if mine.penalties:
        own += f"; {words.say('play.penalties', n=len(mine.penalties))}"
    if viewer != game.active:  # another's turn: whose cards these are has not been said
        own = f"{course.players[viewer].name}: {own}"
    yield 2, own
    yield 2, words.say("play.hand", cards=hand)
    if isinstance(game.turn, Visit) and viewer == game.active and game.turn.phase != "effects":
        yield 2, words.say("play.gold", gold=game.turn.gold, buys=game.turn.buys)


def _rank(words: Words, course: Course, rank: int, foe: Foe) -> str:
    if not foe.card:
        return words.say("play.rank-empty", rank=rank)
    if not is_monster(course.table, foe):
        return words.say("play.rank", rank=rank, card=words.card(foe.card))
    left = health(course.table, course.game.state, foe)
    return words.say("play.rank-health", rank=rank, card=words.card(foe.card), health=left)


def _slot(words: Words, slot: Slot) -> str:
    name = words.card(slot.card) if not slot.form else f"{words.card(slot.card)} = {words.card(slot.form)}"
    if not slot.weapons:
        return name
    return words.say("play.armed", card=name, weapons=", ".join(words.card(weapon.card) for weapon in slot.weapons))


def stack_lines(words: Words, course: Course) -> Iterator[tuple[int, str]]:
    """The stacks of the village, those that are empty left out; of a family only the top card has a price."""
    book = course.table.book
    yield 0, words.say("play.stacks")
    below: set[str] = set()
    for card, left in course.game.stacks:
        if not left:
            continue
        spec = book[card]
        key = "play.stack-below" if spec.level and spec.family in below else "play.stack"
        if spec.level:
            below.add(spec.family)
        yield 2, words.say(key, card=words.card(card), n=left, cost=spec.cost)


def option_lines(words: Words, course: Course, options: Sequence[Option]) -> Iterator[tuple[int, str]]:
    """The numbered choices, group by group; beside a target what an attack would come to as things stand."""
    group = ""
    width = len(str(len(options)))
    for number, option in enumerate(options, 1):
        if option.group != group:
            group = option.group
            yield 0, f"{heading(words, course.game, group)}:"
        label = _foreseen(words, course, option) if option.action.kind == "attack" else option.label
        yield 2, f"{number:>{width}}) {label}"


def _foreseen(words: Words, course: Course, option: Option) -> str:
    found = preview(course.table, course.game.state, option.action)
    key = "open" if found.victory is None else "victory" if found.victory else "defeat"
    if key == "defeat" and found.total >= found.health:
        key = "magic"
    return words.say(f"play.preview.{key}", target=option.label, total=found.total, health=found.health)


def told_line(item: Told) -> str:
    """Something that happened, with the rules it rests on."""
    return f"{item.text} [{' '.join(item.rules)}]" if item.rules else item.text


def campaign_lines(words: Words, course: Course, file: str | None) -> Iterator[str]:
    """How a campaign stands after this game, and how it goes on; nothing for a game that belongs to none."""
    from thunderref.play.campaign import outcome, told_again

    found = outcome(course)
    if found is None:
        return
    names = [player.name for player in course.players]
    if found.points:
        listed = ", ".join(f"{name} ({n})" for name, n in zip(names, found.points, strict=True))
        yield words.say("play.campaign.points", points=listed)
    if found.champions:
        yield words.say("play.campaign.won", names=", ".join(names[n - 1] for n in found.champions))
    elif not (found.points and course.setup.content.later is not None):
        options = told_again(course, found) if file is None else []
        if found.winner is None:
            options.append(("--winner", "1"))
        more = [shlex.quote(word) for option in options for word in option]
        command = " ".join(["thunderref play --after", shlex.quote(file or course.setup.code), *more])
        yield words.say("play.campaign.next", command=command)
