"""A game in the terminal: the table, the choices, what was done, the end; lines with their indent."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from thunderref.errors import InputError
from thunderref.text.language import Language
from thunderref.thunderstone.bots.bot import Why
from thunderref.thunderstone.resolve.report import ChoiceTexts, Option, fields_of, heading
from thunderref.thunderstone.rules.choices import Attack, Choice
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.figures import health
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import in_play
from thunderref.thunderstone.rules.position import Foe, Slot, table_of
from thunderref.thunderstone.rules.turns import lost_points, stacks_of
from thunderref.thunderstone.table.campaign import campaign_state, options_for_next
from thunderref.thunderstone.table.digest import layout_of
from thunderref.thunderstone.table.log import count_names, preview, tell_move
from thunderref.thunderstone.table.record import GameRecord, Move


def table_lines(words: Language, record: GameRecord, viewer: int) -> Iterator[tuple[int, str]]:
    """The table as the player at ``viewer`` sees it: the hall, the others in numbers, their own cards."""
    position, table = record.position, table_of(record.position)
    yield 0, words.say("play.turn", name=record.players[record.active].name, n=record.turn)
    for foe in position.rank0:
        yield 2, _rank(words, record, 0, foe)
    for rank, foe in enumerate(position.hall, 1):
        line = _rank(words, record, rank, foe)
        if foe.tokens:
            line += f" ({words.say('play.tokens', n=foe.tokens)})"
        yield 2, line
    dungeon = words.say("play.dungeon", n=len(position.dungeon))
    if table.horde:
        dungeon += "; " + words.say("play.horde", n=len(table.horde))
    yield 2, dungeon
    for cage in table.cages:
        yield 2, words.say("play.cage", card=words.card(cage[-1]))
    if table.lost:
        yield 2, words.say("play.lost", n=len(table.lost), vp=lost_points(record.game, position))
    for seat, player in enumerate(record.players):
        if seat == viewer:
            continue
        owned = seat_of(position, seat)
        figures = {"hand": len(owned.hand), "deck": len(owned.deck), "pile": len(owned.discard), "xp": owned.xp}
        line = words.say("play.other", name=player.name, **figures)
        yield 2, line + (f", {words.say('play.penalties', n=len(owned.penalties))}" if owned.penalties else "")
    mine = seat_of(position, viewer)
    if viewer == record.active:
        hand = count_names(words, (_slot(words, slot) for slot in position.hand if in_play(slot)))
    else:
        hand = count_names(words, (words.card(card) for card in mine.hand))
    own = words.say("play.own", xp=mine.xp, deck=len(mine.deck), pile=len(mine.discard))
    if mine.penalties:
        own += f"; {words.say('play.penalties', n=len(mine.penalties))}"
    if viewer != record.active:  # another player's turn: the owner of these cards is not named yet
        own = f"{record.players[viewer].name}: {own}"
    yield 2, own
    yield 2, words.say("play.hand", cards=hand)
    if position.visit is not None and viewer == record.active and position.phase != "village":
        yield 2, words.say("play.gold", gold=position.visit.gold, buys=position.visit.buys)


def _rank(words: Language, record: GameRecord, rank: int, foe: Foe) -> str:
    if not foe.card:
        return words.say("play.rank-empty", rank=rank)
    if not is_monster(record.game, foe):
        return words.say("play.rank", rank=rank, card=words.card(foe.card))
    left = health(record.game, record.position, foe)
    return words.say("play.rank-health", rank=rank, card=words.card(foe.card), health=left)


def _slot(words: Language, slot: Slot) -> str:
    name = words.card(slot.card) if not slot.form else f"{words.card(slot.card)} = {words.card(slot.form)}"
    if not slot.weapons:
        return name
    return words.say("play.armed", card=name, weapons=", ".join(words.card(weapon.card) for weapon in slot.weapons))


def stack_lines(words: Language, record: GameRecord) -> Iterator[tuple[int, str]]:
    """The stacks of the village without the empty ones; only the top card of a family has a price."""
    yield 0, words.say("play.stacks")
    below: set[str] = set()
    for card, left in stacks_of(record.position):
        if not left:
            continue
        spec = record.game.cards[card]
        key = "play.stack-below" if spec.level and spec.family in below else "play.stack"
        if spec.level:
            below.add(spec.family)
        yield 2, words.say(key, card=words.card(card), n=left, cost=spec.cost)


def option_lines(words: Language, record: GameRecord, options: Sequence[Option]) -> Iterator[tuple[int, str]]:
    """The numbered choices, group by group; beside a target the result of an attack now."""
    group = ""
    width = len(str(len(options)))
    for number, option in enumerate(options, 1):
        if option.group != group:
            group = option.group
            yield 0, f"{heading(words, record.position, group)}:"
        yield 2, f"{number:>{width}}) {_foreseen(words, record, option.label, option.choice)}"


def _foreseen(words: Language, record: GameRecord, label: str, choice: Choice) -> str:
    if not isinstance(choice, Attack):
        return label
    found, ended = preview(record.game, record.position, choice)
    key = "open" if not ended else "victory" if found.victory else "defeat"
    if key == "defeat" and found.total >= found.health:
        key = "magic"
    return words.say(f"play.preview.{key}", target=label, total=found.total, health=found.health)


def event_lines(words: Language, move: Move, names: Sequence[str], indent: int) -> Iterator[tuple[int, str]]:
    for item in tell_move(words, move, names):
        yield indent, f"{item.text} [{' '.join(item.rules)}]" if item.rules else item.text


def steps_of(record: GameRecord, turn: int) -> range:
    """The places in ``record.moves`` of a turn; raises :class:`InputError` if there was no such turn."""
    if not 1 <= turn <= record.turn:
        raise InputError("play-no-turn", most=record.turn)
    numbers = [n for n, move in enumerate(record.moves) if table_of(move.before).turn == turn]
    return range(numbers[0], numbers[-1] + 1) if numbers else range(len(record.moves), len(record.moves))


def log_lines(words: Language, record: GameRecord, numbers: range) -> Iterator[tuple[int, str]]:
    """These steps, numbered as ``--to`` counts them, each with what it caused."""
    for number in numbers:
        yield 0, f"{number + 1}. {said_line(words, record, number)}"
        yield from event_lines(words, record.moves[number], record.names, 4)


def said_line(words: Language, record: GameRecord, number: int) -> str:
    move, names = record.moves[number], record.names
    if move.choice is None:
        shuffler = names[move.step["player"] - 1]
        return words.say("play.shuffled", name=shuffler, n=len(move.step["order"]))
    label = ChoiceTexts(words, record.game, move.before, names).said(move.choice)
    return words.say("play.chose", name=names[move.seat], text=label)


def turn_lines(words: Language, record: GameRecord, turn: int) -> Iterator[tuple[int, str]]:
    """A turn: the table at its beginning, as the active player saw it, then the steps. The game ends up there."""
    numbers = steps_of(record, turn)
    log = [*log_lines(words, record, numbers)]
    record.back_to(numbers.start)
    yield from table_lines(words, record, record.active)
    yield from log


def turn_document(words: Language, record: GameRecord, turn: int) -> dict[str, Any]:
    """The same as a document. The game ends up there."""
    numbers, names = steps_of(record, turn), record.names
    rows = []
    for number in numbers:
        move = record.moves[number]
        events = [{"text": item.text, "rules": item.rules} for item in tell_move(words, move, names)]
        rows.append({"step": number + 1, "plan": move.step, "text": said_line(words, record, number), "events": events})
    record.back_to(numbers.start)
    return {"turn": turn, "player": names[record.active], "position": layout_of(record.position), "steps": rows}


def why_text(words: Language, why: Why) -> str:
    """Why a bot chose as it did, "" if it does not say."""
    if why is None or isinstance(why, str):
        return why or ""
    fields = fields_of(why.params, words)
    told = {name: words.number(value, ".1f") if isinstance(value, float) else value for name, value in fields.items()}
    return words.say(f"bot.why.{why.key}", **told)


def campaign_lines(words: Language, record: GameRecord, file: str | None) -> Iterator[str]:
    """The state of the campaign after this game, and the next step; nothing for a game without a campaign."""
    found = campaign_state(record)
    if found is None:
        return
    names = record.names
    if found.points:
        listed = ", ".join(f"{name} ({n})" for name, n in zip(names, found.points, strict=True))
        yield words.say("play.campaign.points", points=listed)
    if found.champions:
        yield words.say("play.campaign.won", names=", ".join(names[n - 1] for n in found.champions))
    elif not (found.points and record.setup.content.later is not None):
        options = options_for_next(record, found) if file is None else []
        if found.winner is None:
            options.append(("--winner", "1"))
        more = [shlex.quote(word) for option in options for word in option]
        command = " ".join(["thunderref play --after", shlex.quote(file or record.setup.code), *more])
        yield words.say("play.campaign.next", command=command)
