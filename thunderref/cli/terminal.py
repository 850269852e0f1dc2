"""What the people at the table see and type: the table, the choices, what was done, the end, in lines with indents."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from thunderref.cli.render import columns, wrap
from thunderref.cli.session import Session
from thunderref.database.read import FALLBACK, Language
from thunderref.errors import InputError
from thunderref.thunderstone.bots.bot import Why
from thunderref.thunderstone.resolve.report import ChoiceTexts, Option, fields_of, heading, sum_steps, tell_event
from thunderref.thunderstone.rules import end_of_turn, figures, hall, hand, legal, turns
from thunderref.thunderstone.rules.choices import Attack, Choice
from thunderref.thunderstone.rules.effects.battle import value
from thunderref.thunderstone.rules.explanation import Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Foe, Position, Slot, table_of
from thunderref.thunderstone.table.ending import campaign_state, count_names, options_for_next
from thunderref.thunderstone.table.record import GameRecord, Move

PLAY_COMMANDS = ("undo", "table", "stacks", "card", "save", "quit", "help")
_UNSAID = frozenset(("turn.village", "turn.dungeon", "turn.rest"))  # the name of the action says it
_OTHERS = frozenset(("opponents-discard", "opponents-destroy"))  # goes without saying if there are no others


class Terminal:
    """The terminal at which the people at the table read and type; with ``--json`` nothing is printed for them."""

    def __init__(self, run: Session) -> None:
        self.run = run
        self.words = run.words
        self._commands: dict[str, str] = {}
        """The words for the commands; English is understood too, unless a word is taken."""
        for words in (Language(run.database, FALLBACK), run.words):
            for command in PLAY_COMMANDS:
                for word in words.say(f"play.word.{command}").split(","):
                    self._commands[word.strip().casefold()] = command

    def tell(self, key: str, /, **params: Any) -> None:
        self.say(self.words.say(key, **params))

    def say(self, text: str = "", indent: int = 0) -> None:
        if not self.run.json:
            print("\n".join(wrap(text, columns(), indent, 2)))

    def say_all(self, lines: Iterable[tuple[int, str]]) -> None:
        for indent, text in lines:
            self.say(text, indent)

    def complain(self, text: str) -> None:
        """Prints a remark about typed text; not an answer, so with ``--json`` it goes to standard error."""
        print(text, file=sys.stderr) if self.run.json else self.say(text)

    def ask(self, key: str, /, **params: Any) -> str:
        """The next line typed, without the spaces around it; raises EOFError at the end of the input."""
        if sys.stdin is None:
            raise EOFError
        if not self.run.json:
            prompt = self.words.say(key, **params).rstrip()
            print("\n".join(wrap(prompt, columns(), 0, 2)), end=" ", flush=True)
        line = sys.stdin.readline()
        if not self.run.json and (not sys.stdin.isatty() or not line):  # Ctrl-D leaves the prompt's line open
            print(echo(line.rstrip("\r\n")))
        if not line:
            raise EOFError
        return line.strip()

    def command_of(self, text: str) -> tuple[str | None, str]:
        """The typed command, None for none, and what follows its word."""
        word, _, argument = text.partition(" ")
        return None if text.isdecimal() else self._commands.get(word.casefold()), argument.strip()


def echo(text: str) -> str:
    """Typed text for printing: a control character as a terminal echoes it, ``^[`` for Escape."""
    plain, strange = (" " if c.isspace() else c for c in text), "\N{REPLACEMENT CHARACTER}"
    return "".join(c if c.isprintable() else f"^{chr(ord(c) ^ 64)}" if c.isascii() else strange for c in plain)


def table_lines(words: Language, record: GameRecord, viewer: int) -> Iterator[tuple[int, str]]:
    """The table as the player at ``viewer`` sees it: the hall, the others in numbers, their own cards."""
    position, table = record.position, table_of(record.position)
    yield 0, words.say("play.turn", name=record.players[record.active].name, n=record.turn)
    for rank, foe in (*((0, foe) for foe in position.rank0), *enumerate(position.hall, 1)):
        tokens = f" ({words.say('play.tokens', n=foe.tokens)})" if rank and foe.tokens else ""
        yield 2, _rank(words, record, rank, foe) + tokens
    horde = f"; {words.say('play.horde', n=len(table.horde))}" if table.horde else ""
    yield 2, words.say("play.dungeon", n=len(position.dungeon)) + horde
    for cage in table.cages:
        yield 2, words.say("play.cage", card=words.card(cage[-1]))
    if table.lost:
        yield 2, words.say("play.lost", n=len(table.lost), vp=turns.lost_points(record.game, position))
    seats = [end_of_turn.seat_of(position, seat) for seat in range(len(record.players))]
    counts = [{"xp": seat.xp, "deck": len(seat.deck), "pile": len(seat.discard)} for seat in seats]
    penalties = [words.say("play.penalties", n=len(seat.penalties)) if seat.penalties else "" for seat in seats]
    for seat, player in enumerate(record.players):
        if seat != viewer:
            line = words.say("play.other", name=player.name, hand=len(seats[seat].hand), **counts[seat])
            yield 2, line + (f", {penalties[seat]}" if penalties[seat] else "")
    counts_text = words.say("play.own", **counts[viewer]) + (f"; {penalties[viewer]}" if penalties[viewer] else "")
    acts = viewer == record.active  # else the owner of these cards is not named yet
    slots = [_slot(words, slot) for slot in position.hand if hand.in_play(slot)]
    yield 2, counts_text if acts else f"{record.players[viewer].name}: {counts_text}"
    yield 2, words.say("play.hand", cards=count_names(words, slots if acts else map(words.card, seats[viewer].hand)))
    if position.visit is not None and acts and position.phase != "village":
        yield 2, words.say("play.gold", gold=position.visit.gold, buys=position.visit.buys)


def _rank(words: Language, record: GameRecord, rank: int, foe: Foe) -> str:
    if not foe.card:
        return words.say("play.rank-empty", rank=rank)
    health = figures.health(record.game, record.position, foe) if hall.is_monster(record.game, foe) else None
    key = "play.rank" if health is None else "play.rank-health"
    return words.say(key, rank=rank, card=words.card(foe.card), health=health)


def _slot(words: Language, slot: Slot) -> str:
    name = words.card(slot.card) if not slot.form else f"{words.card(slot.card)} = {words.card(slot.form)}"
    weapons = words.listed(weapon.card for weapon in slot.weapons)
    return words.say("play.armed", card=name, weapons=weapons) if weapons else name


def stack_lines(words: Language, record: GameRecord) -> Iterator[tuple[int, str]]:
    """The stacks of the village without the empty ones; only the top card of a family has a price."""
    yield 0, words.say("play.stacks")
    below: set[str] = set()
    for card, copies in ((card, copies) for card, copies in record.position.stacks or () if copies):
        spec = record.game.cards[card]
        key = "play.stack-below" if spec.level and spec.family in below else "play.stack"
        if spec.level:
            below.add(spec.family)
        yield 2, words.say(key, card=words.card(card), n=copies, cost=spec.cost)


def option_lines(words: Language, record: GameRecord, options: Sequence[Option]) -> Iterator[tuple[int, str]]:
    """The numbered choices, group by group; beside a target the result of an attack now."""
    width = len(str(len(options)))
    for group, numbered in groupby(enumerate(options, 1), lambda one: one[1].group):
        yield 0, f"{heading(words, record.position, group)}:"
        for number, option in numbered:
            yield 2, f"{number:>{width}}) {_foreseen(words, record, option.label, option.choice)}"


def _foreseen(words: Language, record: GameRecord, label: str, choice: Choice) -> str:
    if not isinstance(choice, Attack):
        return label
    outcome, ended = preview(record.game, record.position, choice)
    key = "open" if not ended else "victory" if outcome.victory else "defeat"
    if key == "defeat" and outcome.total >= outcome.health:
        key = "magic"
    return words.say(f"play.preview.{key}", target=label, total=outcome.total, health=outcome.health)


def preview(game: Game, state: Position, attack: Attack) -> tuple[Totals, bool]:
    """The battle of a legal attack, up to its first choice (R5.2 to R5.14).

    False if there is a choice, so that nothing is decided yet.
    """
    battle, _ = legal.play(game, state, attack, stop="finish")
    return value(game, battle), battle.todo[0].name == "finish"


def tell_move(words: Language, move: Move, names: Sequence[str]) -> list[dict[str, Any]]:
    """The consequences of a move, each ``text`` with its ``rules``; a battle with its whole sum, as in ``resolve``."""
    steps = list[dict[str, Any]]()
    for event in move.events:
        if event.key in ("victory", "defeat"):
            steps += ({"text": s.text, "rules": s.rules} for s in sum_steps(dict(event.params)["outcome"], words))
        if event.key == "drawn" and not dict(event.params).get("by_card"):
            continue  # the hand for the next turn is its owner's secret
        if event.key not in _UNSAID and (event.key not in _OTHERS or len(names) > 1):
            steps.append({"text": tell_event(event, words, names, move.before), "rules": [*event.rules]})
    return steps


def event_lines(events: Iterable[dict[str, Any]], indent: int) -> Iterator[tuple[int, str]]:
    for event in events:
        yield indent, f"{event['text']} [{' '.join(event['rules'])}]" if event["rules"] else event["text"]


def find_steps(record: GameRecord, turn: int) -> list[int]:
    """The places in ``record.moves`` of a turn; raises :class:`InputError` if there was no such turn."""
    if not 1 <= turn <= record.turn:
        raise InputError("play-no-turn", most=record.turn)
    return [n for n, move in enumerate(record.moves) if table_of(move.before).turn == turn]


def read_steps(words: Language, record: GameRecord, numbers: Iterable[int]) -> list[dict[str, Any]]:
    """These steps, numbered as ``--to`` counts them, each with what it caused."""
    rows, names = [], record.names
    for number in numbers:
        move = record.moves[number]
        if move.choice is None:
            text = words.say("play.shuffled", name=names[move.step["player"] - 1], n=len(move.step["order"]))
        else:
            choice = ChoiceTexts(words, record.game, move.before, names).say_choice(move.choice)
            text = words.say("play.chose", name=names[move.seat], text=choice)
        rows.append({"step": number + 1, "plan": move.step, "text": text, "events": tell_move(words, move, names)})
    return rows


def step_lines(steps: Iterable[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    for step in steps:
        yield 0, f"{step['step']}. {step['text']}"
        yield from event_lines(step["events"], 4)


def why_text(words: Language, why: Why) -> str:
    """The reason for a bot's choice, "" if it does not say."""
    if why is None or isinstance(why, str):
        return why or ""
    fields = fields_of(why.params, words)
    params = {name: words.number(value, ".1f") if isinstance(value, float) else value for name, value in fields.items()}
    return words.say(f"bot.why.{why.key}", **params)


def campaign_lines(words: Language, record: GameRecord, file: str | None) -> Iterator[str]:
    """The state of the campaign after this game, and the next step; nothing for a game without a campaign."""
    state = campaign_state(record)
    if state is None:
        return
    names = record.names
    if state.points:
        listed = ", ".join(f"{name} ({n})" for name, n in zip(names, state.points, strict=True))
        yield words.say("play.campaign.points", points=listed)
    if state.champions:
        yield words.say("play.campaign.won", names=", ".join(names[n - 1] for n in state.champions))
    elif not (state.points and record.setup.content.later is not None):
        options = options_for_next(record, state) if file is None else []
        if state.winner is None:
            options.append(("--winner", "1"))
        more = [shlex.quote(word) for option in options for word in option]
        command = " ".join(["thunderref play --after", shlex.quote(file or record.setup.code), *more])
        yield words.say("play.campaign.next", command=command)
