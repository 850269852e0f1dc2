"""Pages of Thorgal: cards with their tiles, fights and chances, ways to wander, and the state of a game.

In a picture every tile has a letter and a colour, and every field is still visible beside the letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from thunderref.database.read import Language, without_commands
from thunderref.pages.page import Block, Line, Page, Patch, Picture
from thunderref.thorgal import round as course
from thunderref.thorgal.fight import Advice, FightAnswer, FightChance, FightOutcome, NotedFight, face_name
from thunderref.thorgal.grid import COVERED, HOLE, SIGNS, TOKEN, Cell, Field, Grid
from thunderref.thorgal.laying import FieldEffect, Piece
from thunderref.thorgal.wander import Way
from thunderref.thorgal.wounds import read_board

_TILE_COLOURS = 8
_FIELD_COLOURS = {"heart": "bold", "yellow": "yellow", "red": "red", HOLE: "dim", COVERED: "dim", TOKEN: "dim"}
ACTIVE, USED = "●", "○"  # sides of an action token
_ROOMY = 10  # columns; so many fields separated by a blank still fit a narrow terminal


def picture(grid: Grid, pieces: Sequence[Piece] = (), columns: int | None = None) -> Picture:
    """A card with its tiles: in each field the letter of the tile, if any, and what the field holds."""
    wide = grid.width if columns is None else columns
    owners = {cell: (number, piece) for number, piece in enumerate(pieces) for cell in grid.cells(piece.mask)}
    width = max(len(_sign(field)) for row in grid.rows for field in row[:wide]) + bool(pieces)
    gap = " " * (wide <= _ROOMY)
    numbers = (str(column + 1) if gap else str(column + 1)[-1] for column in range(wide))
    rows: Picture = [[Patch("   " + "".join(f"{number:>{width}}{gap}" for number in numbers), "dim")]]
    for number, row in enumerate(grid.rows):
        rows.append([Patch(f"{number + 1:>2} ", "dim")])
        for column, field in enumerate(row[:wide]):
            rows[-1] += [_patch(field, width, owners.get(Cell(number, column))), Patch(gap)]
    if any(column < wide for column in grid.rhombus):
        marks = ("^" if column in grid.rhombus else " " for column in range(wide))
        rows.append([Patch("   " + "".join(f"{mark:>{width}}{gap}" for mark in marks), "dim")])
    return rows


def _sign(field: Field) -> str:
    return field.sign.strip("[]")


def _patch(field: Field, width: int, owner: tuple[int, Piece] | None) -> Patch:
    if owner is not None:
        number, piece = owner
        under = _sign(field) if field.open else ""  # under an earlier wound nothing is visible
        return Patch(f"{piece.letter}{under:<{width - 1}}", str(number % _TILE_COLOURS + 1))
    colours = [_FIELD_COLOURS[kind] for kind in field.kinds if kind in _FIELD_COLOURS]
    return Patch(f"{_sign(field):>{width}}", colours[0] if colours else "" if field.kinds else "dim")


def legend(words: Language, grid: Grid) -> Block:
    there = {kind for row in grid.rows for field in row for kind in field.kinds}
    return Block([Line(words.say(f"thorgal.kind.{k}"), SIGNS[k][0]) for k in SIGNS if k in there], compact=True)


def citation(words: Language, rules: Iterable[str], readings: Iterable[str]) -> Block:
    text = words.say("thorgal.cited", rules=" ".join(rules))
    return Block([Line(f"{text} · {words.say('thorgal.cited.readings', rules=' '.join(readings))}")])


def place(words: Language, cell: Cell) -> str:
    return words.say("thorgal.at", row=cell.row + 1, column=cell.column + 1)


def effects_block(words: Language, effects: Sequence[FieldEffect]) -> Block:
    lines = [Line(e.text(words), f"{e.letter}, {place(words, e.cell)}", e.rule) for e in effects]
    return Block(lines, words.say("thorgal.heading.effects"))


def fight_page(
    words: Language, fight: FightOutcome, *, typed: bool = False, advice: Advice | None = None, rerolls: int = 0
) -> Page:
    """The outcome; ``typed`` for the player's own arrangement, ``advice`` on which die to re-roll."""
    how = "given" if typed else "best" if fight.proven else "unproven"
    subtitle = [words.say(f"thorgal.fight.{how}", n=fight.steps)]
    subtitle += [words.say("thorgal.fight.order", order=", ".join(map(str, fight.order)))] * (len(fight.order) > 1)
    parts = [words.say("thorgal.fight.hearts", covered=fight.hearts - len(fight.uncovered), n=fight.hearts)]
    spare = fight.spare
    for key, tiles in (("left-out", [tile for tile in fight.left_out if tile not in spare]), ("spared", spare)):
        parts += [words.say(f"thorgal.fight.{key}", tiles=", ".join(tile.name for tile in tiles))] * bool(tiles)
    parts += [words.say("thorgal.fight.threat", n=fight.threat)] * bool(fight.threat)
    parts += [words.say("thorgal.fight.unmet", n=fight.wound)] * bool(fight.wound)
    parts.append(words.say(f"thorgal.fight.{'discard' if fight.won else 'stays'}", n=len(fight.order)))
    dice = (advice or {}).items()
    again = [Line(_odds(words, win), f"{_die(words, die)} {face_name(face)}") for (die, face), win in dice]
    blocks = [
        Block([], picture=picture(fight.grid, fight.pieces)),
        legend(words, fight.grid),
        Block([Line(piece.tile.outline, piece.letter) for piece in fight.pieces], compact=True),
        Block([Line(text) for text in parts]),
        effects_block(words, fight.effects),
        citation(words, fight.rules, fight.readings),
        Block(again, words.say("thorgal.heading.advice", n=rerolls)),
    ]
    return Page(words.say("thorgal.fight.won" if fight.won else "thorgal.fight.lost"), subtitle, blocks)


def _odds(words: Language, chance: Fraction) -> str:
    percent = words.number(float(chance) * 100, ".1f")
    return words.say("thorgal.chance.win", percent=percent, fraction=str(chance))


def _die(words: Language, colour: str) -> str:
    return words.say(f"thorgal.die.{colour}")


def _dice(words: Language, colours: Iterable[str]) -> str:
    return ", ".join(f"{n}× {_die(words, colour)}" for colour, n in Counter(colours).items())


def chance_page(words: Language, chance: FightChance, fight: NotedFight | None = None) -> Page:
    lines = [Line(words.say("thorgal.chance.dice", dice=_dice(words, chance.dice)))]
    for old, new in chance.upgraded:
        text = words.say("thorgal.chance.upgrade", before=_die(words, old), after=_die(words, new))
        lines.append(Line(text, note="T10.5"))
    lines += [Line(words.say("thorgal.chance.rerolls", n=chance.rerolls), note="T10.4")] * bool(chance.rerolls)
    if chance.upgraded or chance.rerolls:
        lines.append(Line(words.say("thorgal.chance.plain", chance=_odds(words, chance.plain))))
    lines.append(Line(words.say("thorgal.chance.exact", n=chance.rolls)))
    title = words.say("thorgal.chance.title", chance=_odds(words, chance.win))
    if fight is None:
        return Page(title, [], [Block(lines)])
    small = [words.say("thorgal.fight.of", name=fight.name, dial=fight.seat.dial, dice=_dice(words, fight.seat.dice))]
    small += [words.say("thorgal.fight.against", enemy=fight.enemy)] * bool(fight.enemy)
    defeat = fight.defeat
    params = {"hearts": defeat["hearts"], "threat": fight.seat.threat, "most": course.MOST_THREAT}
    stake = [Line(words.say("thorgal.fight.stake", **params), note="T10.12 T15.1")]
    if defeat["wound_from"] is not None:
        end = {None: "unknown", True: "death", False: "wound"}[defeat["deadly"]]
        stake.append(Line(words.say(f"thorgal.fight.stake-{end}", n=defeat["wound_from"]), note="T15.2 T16.1"))
    return Page(title, small, [*(Block([], picture=picture(card)) for card in fight.cards), Block(stake), Block(lines)])


def fight_answer_page(words: Language, answer: FightAnswer) -> Page:
    fight, question = answer.outcome, answer.question
    if answer.chance is not None:
        return chance_page(words, answer.chance, answer.stake)
    assert fight is not None
    advice = None if fight.won else answer.advice
    return fight_page(words, fight, typed=question.lay is not None, advice=advice, rerolls=question.rerolls)


def way_block(words: Language, way: Way, heading: str) -> Block:
    gains = []
    for (kind, size), n in Counter((effect.kind, effect.size) for effect in way.effects).items():
        name = words.say(f"thorgal.kind.{kind}") + (f" {size}" if size else "")
        gains.append(f"{name} ×{n}" if n > 1 else name)
    lines = [Line(words.say("thorgal.wander.covers", what=", ".join(gains) or words.say("thorgal.wander.nothing")))]
    lines += [Line(words.say("thorgal.wander.rhombus", column=column + 1), note="T5.6") for column in way.rhombus]
    lines.append(Line(words.say("thorgal.wander.farthest", column=way.farthest + 1)))
    ends = {"unknown": way.unknown, "stopped": way.stopped}
    lines += [Line(words.say(f"thorgal.wander.{end}")) for end, there in ends.items() if there]
    return Block(lines, heading, picture=picture(way.grid, way.pieces, way.columns))


def rule_texts(words: Language, rules: Iterable[str]) -> list[tuple[str, str]]:
    return [(rule, words.text(f"rule.{rule}") or "") for rule in rules]


def checklist(rules: Iterable[tuple[str, str]]) -> list[Line]:
    return [Line(f"[ ] {text}", note=rule) for rule, text in rules]


SAID = {
    "start": ("began", ""), "act": ("acted", "T2.5 T3.3"), "threat": ("threat", "T15.1"), "wound": ("wound", "T14.4"),
    "heal": ("healed", "T14.3"), "upgrade": ("upgraded", "T3.5"), "undo": ("undone", ""),
    "events": ("next-round", "T11.1 T11.2"), "board": ("boarded", "T14"), "resource": ("resource", "T13.1"),
    "dial": ("dial", "T5.10"), "track": ("track", "T5.10"), "skill": ("skill", "T19.5 T19.6"),
    "rolls": ("rolls", "T10.8"), "dice": ("dice", "T10.8"), "enemy": ("enemy", "T10.1"), "card": ("noted", "T3.2"),
    "danger": ("danger", "T12.4"),
}  # fmt: skip
"""Step -> its message and its rules."""


def table_page(
    words: Language, table: course.GameTable, before: course.GameTable | None, step: course.GameStep, suffix: str
) -> tuple[Page, list[str]]:
    """The state of the game after a step, and what the step did; ``suffix`` ends the commands to type next."""
    is_show, over = step["do"] == "show", bool(table.outcome)
    is_told = step["do"] in SAID and not (step["do"] == "events" and over)
    remarks = _remarks(words, table, before, step) if is_told else []
    small = [words.say("thorgal.adventure", name=table.adventure)] if table.adventure else []
    small += [f"{line.text} [{line.note}]" if line.note else line.text for line in remarks]
    due = ["T11.3", "T11.4", "T11.5", *([] if table.length else ["T12.3"])]
    beside = [token.active for token in table.tokens if token.card == course.BESIDE]
    marks = ACTIVE * sum(beside) + USED * beside.count(False)
    tokens = [Line(marks, words.say("thorgal.round.beside"))] if beside else []
    for card in course.card_tokens(table):
        text = f"{ACTIVE * card.active}{USED * (card.tokens - card.active)} {_counts(words, card)}"
        tokens.append(Line(text, words.say("thorgal.round.card", number=card.card)))
    earlier = () if before is None else before.seats
    changed = (seat for seat, was in enumerate(earlier) if table.seats[seat].board != was.board)
    blocks = [
        *([_by_hand(words, due)] if step["do"] == "events" and not over else []),
        Block(tokens, words.say("thorgal.round.tokens", active=ACTIVE, used=USED)),
        *board_blocks(words, table, range(len(table.seats)) if is_show else changed),
        characters_block(words, table),
        *([_peril_block(words, table)] if is_show and not over else []),
        Block(_next_lines(words, table, suffix), words.say("thorgal.round.next")),
    ]
    return Page(_title(words, table), small, blocks), [line.text for line in remarks]


def _title(words: Language, table: course.GameTable) -> str:
    return words.say(f"thorgal.round.{'of' if table.length else 'title'}", number=table.round, of=table.length)


def _by_hand(words: Language, rules: Iterable[str]) -> Block:
    return Block(checklist(rule_texts(words, rules)), words.say("thorgal.round.by-hand"))


def _remarks(
    words: Language, table: course.GameTable, before: course.GameTable | None, step: course.GameStep
) -> list[Line]:
    (key, rules), names = SAID[step["do"]], course.names_of(words, table)
    number = table.first if step["do"] == "events" else step.get("seat", 0)
    seat = table.seats[number]
    params: dict[str, Any] = {"name": names[number], "n": seat.threat, **step, "number": table.round}
    params |= {"names": ", ".join(names), "most": course.MOST_THREAT}
    dead = step.get("dead")
    match step["do"]:
        case "act":
            here = next(card for card in course.card_tokens(table) if card.card == step["card"])
            params["layout"] = _counts(words, here)
        case "undo":
            params["what"] = words.say(f"thorgal.round.step.{step['of']}")
        case "resource":
            kind = step["kind"]
            params |= {"n": dict(seat.resources).get(kind, 0), "kind": words.say(f"thorgal.kind.{kind}")}
        case "dial" | "track" as place:
            params["n"] = getattr(seat, place)
        case "skill":
            key = "skill" if step["used"] else "skill-back"
        case "rolls":
            params |= {"dice": _dice(words, seat.dice), "dial": seat.dial}
        case "dice":
            params["colour"] = words.say(f"thorgal.die.{step['colour']}")
        case "card":
            params["what"] = _card_text(words, course.read_card(step["says"]))
        case "wound":
            key = "no-room" if dead else "laid" if "board" in step else key
        case "board" if before and before.seats[number].wounds:
            key = "drawn"
            params["tiles"] = ", ".join(seat.wounds)
    lines = [Line(words.say(f"thorgal.round.{key}", **params), note=rules)]
    if step["do"] == "threat" and before and before.seats[number].threat + step["by"] > course.MOST_THREAT:
        lines.append(Line(words.say("thorgal.round.unmet"), note="T15.2 T16.1 T16.3"))
        if dead:
            lines.append(Line(words.say("thorgal.round.no-room", **params, tile=course.UNMET_WOUND), note="T14.4"))
    room = course.room_of(seat) if "board" in step else None
    return [*lines, Line(_room(words, room._asdict()))] if room else lines


def _action_text(words: Language, action: str, n: int) -> str:
    return f"{words.say(f'thorgal.action.{action}')} {n}"


def _card_text(words: Language, card: course.ActionCard) -> str:
    parts = [_action_text(words, card.action, card.amount)]
    for bonus in card.bonuses:
        gain = _action_text(words, bonus.action, bonus.amount) if bonus.action else f"+{bonus.amount}"
        key = bonus.place if bonus.needed or bonus.place == "alone" else f"each-{bonus.place}"
        parts.append(words.say(f"thorgal.bonus.{key}", n=bonus.needed, gain=gain))
    return "; ".join(parts)


def _counts(words: Language, card: course.CardTokens) -> str:
    """The counts of the tokens at a card, as bonus actions read them."""
    here = words.say("thorgal.round.alone") if card.alone else words.say("thorgal.round.here", n=card.tokens)
    return f"{here}, {words.say('thorgal.round.left', n=card.to_the_left)}"


def characters_block(words: Language, table: course.GameTable) -> Block:
    lines = []
    for number, (seat, name) in enumerate(zip(table.seats, course.names_of(words, table), strict=True)):
        parts = [words.say("thorgal.round.seat", threat=seat.threat, most=course.MOST_THREAT)]
        tiles, cards = ", ".join(seat.wounds), ", ".join(map(str, seat.cards))
        parts += [words.say("thorgal.round.wounds", n=len(seat.wounds), tiles=tiles)] * bool(seat.wounds)
        parts += [words.say("thorgal.round.tokens-used", n=len(seat.cards), cards=cards)] * bool(seat.cards)
        parts += [f"{words.say(f'thorgal.kind.{kind}')} {n}" for kind, n in seat.resources]
        dice = f" ({_dice(words, seat.dice)})" if seat.dice else ""
        parts += [words.say("thorgal.round.on-dial", number=seat.dial) + dice] * (seat.dial > 1 or bool(dice))
        parts += [words.say("thorgal.round.on-track", number=seat.track)] * (seat.track > 1)
        parts += [words.say("thorgal.round.skill-used")] * seat.skill_used
        lines.append(Line("; ".join(parts), name, words.say("thorgal.round.first") if number == table.first else ""))
    return Block(lines, words.say("thorgal.round.characters"))


def board_blocks(words: Language, table: course.GameTable, seats: Iterable[int]) -> list[Block]:
    """The wound boards that are known, each with the threat tokens below it."""
    names, blocks = course.names_of(words, table), []
    for number in seats:
        if (seat := table.seats[number]).board:
            board = read_board(seat.board)
            marks, free = ACTIVE * seat.threat, USED * (course.MOST_THREAT - seat.threat)
            below = [Patch(f"{words.say('thorgal.round.threat-row')} "), Patch(marks, "red"), Patch(free, "dim")]
            blocks.append(Block([], names[number], picture=[*picture(board.grid, board.wounds), below]))
    return blocks


def _peril_block(words: Language, table: course.GameTable) -> Block:
    """The ways to lose, a line each; characters with more room later."""
    perils = course.perils(words, table)
    seats = [peril for peril in perils if peril["rule"] == "T12.2"]
    with_room = sorted((peril for peril in seats if peril["room"]), key=lambda peril: peril["room"]["free"])
    lines = [Line(_room(words, peril["room"]), peril["player"], "T12.2") for peril in with_room]
    if unknown := [peril["player"] for peril in seats if not peril["room"]]:
        lines.append(Line(words.say("thorgal.peril.board", names=", ".join(unknown)), note="T12.2"))
    time, *goals = perils[len(seats) :]
    key = "time-unknown" if not table.length else "time" if time["rounds_left"] else "time-last"
    n, actions = time["rounds_left"] or 0, time["actions_left"] or 0
    lines.append(Line(words.say(f"thorgal.peril.{key}", n=n, actions=actions), note="T12.3"))
    for goal in goals:
        text = words.say("thorgal.peril.danger", **goal) if goal["name"] else words.say("thorgal.peril.goal")
        lines.append(Line(text, note="T12.4"))
    return Block(lines, words.say("thorgal.peril.title"))


def _on_page(block: Block) -> Block:
    return block._replace(lines=[line._replace(text=without_commands(line.text)) for line in block.lines])


def _room(words: Language, room: Mapping[str, Any]) -> str:
    return words.say("thorgal.peril.room" if room["largest"] else "thorgal.peril.none", **room)


def _next_lines(words: Language, table: course.GameTable, suffix: str | None) -> list[Line]:
    if table.outcome:
        return [Line(course.outcome_text(words, table), note=table.rule)]
    names, typed = course.names_of(words, table), [] if suffix is None else [suffix]
    if table.left:
        order = ", ".join(names[seat] for seat in table.order)
        return [
            Line(words.say("thorgal.round.to-act", name=names[table.turn], n=table.left), note="T2.2"),
            *([Line(words.say("thorgal.round.order", names=order))] if table.left > 1 else []),
            *(Line(words.say("thorgal.round.type-act", command="thorgal round act") + end) for end in typed),
        ]
    if table.length and table.round >= table.length:
        last = Line(words.say("thorgal.round.last"), note="T12.3")
        won = Line(words.say("thorgal.round.type-won", command=f"thorgal round won{suffix}"), note="T12.1")
        return [last] if suffix is None else [last, won]
    if suffix is None:
        return [Line(words.say("thorgal.round.event-phase"), note="T11")]
    return [Line(words.say("thorgal.round.to-events", command=f"thorgal round events{suffix}"), note="T11")]


def next_page(words: Language, table: course.GameTable, suffix: str | None) -> tuple[Page, list[dict[str, Any]]]:
    """Who acts now, and what each card would give: the bonus actions, if the card is noted (T3.2, T3.3).

    ``suffix`` ends the commands to type next; None for a page that has none, but buttons.
    """
    moves = [] if table.outcome else course.token_moves(table)
    notes = dict(table.notes)
    lines, documents = [], []
    for source, there in moves:
        card = course.read_card(notes[there.card]) if there.card in notes else None
        earned = card.earned(there) if card else []
        text = words.say("thorgal.next.then").join(_action_text(words, *one) for one in earned)
        label = words.say("thorgal.round.card", number=there.card)
        if sum(other.card == there.card for _, other in moves) > 1:
            label = words.say("thorgal.next.from", card=label, number=source)
        lines.append(Line(f"{text} ({_counts(words, there)})" if text else _counts(words, there), label))
        record = {"from": source or None, **there._asdict(), "action": card.action if card else None}
        documents.append(record | {"earned": [{"action": action, "n": n} for action, n in earned]})
    ready = [name for name, seat in zip(course.names_of(words, table), table.seats, strict=True) if not seat.skill_used]
    skills = [Line(words.say("thorgal.next.skills", names=", ".join(ready)), note="T19.5")] if ready else []
    hints = [Line(words.say("thorgal.next.note", command=f"thorgal round card 3 fight alone+1{suffix}"))]
    ends = table.left or table.outcome or (table.length and table.round >= table.length)
    perils = _peril_block(words, table)
    due = () if ends else ("T11.1", "T11.2", "T11.3", "T11.4", "T11.5")
    blocks = [
        Block(lines, words.say("thorgal.next.cards")),
        Block([] if notes or not table.left or table.outcome or suffix is None else hints),
        Block(skills if table.left and not table.outcome else []),
        _by_hand(words, due),
        *([] if table.outcome else [perils if suffix is not None else _on_page(perils)]),
        Block(_next_lines(words, table, suffix), words.say("thorgal.round.next")),
    ]
    return Page(_title(words, table), [], blocks), documents
