"""The state of a game of Thorgal as a page and as a document, what was just done, and what comes next."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from thunderref.cli.session import session
from thunderref.cli.thorgal.commands import answer, checklist, seat_names
from thunderref.cli.thorgal.picture import picture
from thunderref.pages.page import Block, Line, Page, Patch
from thunderref.text.language import Language
from thunderref.thorgal import round as course
from thunderref.thorgal.round import (
    MOST_THREAT,
    UNMET_WOUND,
    ActionCard,
    Character,
    Room,
    Step,
    read_card,
    room_of,
    token_moves,
)
from thunderref.thorgal.wounds import read_board

ACTIVE, USED = "●", "○"
SAID = {
    "start": ("began", ""), "act": ("acted", "T2.5 T3.3"), "threat": ("threat", "T15.1"), "wound": ("wound", "T14.4"),
    "heal": ("healed", "T14.3"), "upgrade": ("upgraded", "T3.5"), "undo": ("undone", ""),
    "events": ("next-round", "T11.1 T11.2"), "board": ("boarded", "T14"), "resource": ("resource", "T13.1"),
    "dial": ("dial", "T5.10"), "track": ("track", "T5.10"), "skill": ("skill", "T19.5 T19.6"),
    "rolls": ("rolls", "T10.8"), "dice": ("dice", "T10.8"), "enemy": ("enemy", "T10.1"), "card": ("noted", "T3.2"),
    "danger": ("danger", "T12.4"),
}  # fmt: skip
"""Step -> its message and its rules."""


def names_of(table: course.GameTable, words: Language | None = None) -> list[str]:
    """The names of the characters, in the language of the run or the one given."""
    return seat_names(words or session().words, [seat.name for seat in table.seats], table.solo)


def show_table(
    path: Path, table: course.GameTable, before: course.GameTable | None, step: Step, file: Path | None
) -> None:
    """Prints the state of the game; ``file``, if given, goes into the commands to type next."""
    words, suffix = session().words, suffix_of(file)
    remarks = _remarks(words, table, before, step)
    said = {"said": [line.text for line in remarks], "file": str(path)}
    title = "thorgal.round.of" if table.length else "thorgal.round.title"
    small = [words.say("thorgal.adventure", name=table.adventure)] if table.adventure else []
    small += [f"{line.text} [{line.note}]" if line.note else line.text for line in remarks]
    blocks = [
        Block(_token_lines(words, table), words.say("thorgal.round.tokens", active=ACTIVE, used=USED)),
        *board_blocks(words, table, _boards_to_show(table, before, step)),
        Block(seat_lines(words, table), words.say("thorgal.round.characters")),
        *([peril_block(words, table)] if step["do"] == "show" and not table.outcome else []),
        Block(_next_lines(words, table, suffix), words.say("thorgal.round.next")),
    ]
    if step["do"] == "events" and not table.outcome:
        due = ["T11.3", "T11.4", "T11.5", *([] if table.length else ["T12.3"])]
        rules = [(rule, words.text(f"rule.{rule}") or "") for rule in due]
        blocks.insert(0, Block(checklist(rules), words.say("thorgal.round.by-hand")))
    page = Page(words.say(title, number=table.round, of=table.length), small, blocks)
    answer(_document(words, table) | said, page)


def _boards_to_show(table: course.GameTable, before: course.GameTable | None, step: Step) -> list[int]:
    if step["do"] == "show":
        return list(range(len(table.seats)))
    changed = (number for number, seat in enumerate(table.seats) if before and seat.board != before.seats[number].board)
    return list(changed)


def _remarks(words: Language, table: course.GameTable, before: course.GameTable | None, step: Step) -> list[Line]:
    if step["do"] not in SAID or (step["do"] == "events" and table.outcome):
        return []
    key, rules = SAID[step["do"]]
    names = names_of(table, words)
    said: dict[str, Any] = {**step, "names": ", ".join(names), "number": table.round, "most": MOST_THREAT}
    seat = table.first if step["do"] == "events" else step.get("seat", 0)
    said |= {"name": names[seat], "n": table.seats[seat].threat}
    if step["do"] == "act":
        said["layout"] = counts(words, next(card for card in course.card_tokens(table) if card.card == step["card"]))
    if step["do"] == "undo":
        said["what"] = words.say(f"thorgal.round.step.{step['of']}")
    if step["do"] in ("resource", "dial", "track"):
        of = table.seats[seat]
        said["n"] = dict(of.resources).get(step.get("kind", ""), 0) if step["do"] == "resource" else of.dial
        said["n"] = of.track if step["do"] == "track" else said["n"]
        said["kind"] = words.say(f"thorgal.kind.{step['kind']}") if step["do"] == "resource" else ""
    if step["do"] == "skill":
        key = "skill" if step["used"] else "skill-back"
    if step["do"] == "rolls":
        said |= {"dice": dice_text(words, table.seats[seat]), "dial": table.seats[seat].dial}
    if step["do"] == "dice":
        said["colour"] = words.say(f"thorgal.die.{step['colour']}")
    if step["do"] in ("enemy", "danger"):
        said["name"] = step["name"]
    if step["do"] == "card":
        said["what"] = _card_text(words, read_card(step["says"]))
    placed = "board" in step and step["do"] in ("wound", "threat")
    if step["do"] == "wound" and (placed or step.get("dead")):
        key = "no-room" if step.get("dead") else "laid"
    found = [Line(words.say(f"thorgal.round.{key}", **said), note=rules)]
    if step["do"] == "threat" and before and before.seats[seat].threat + step["by"] > MOST_THREAT:
        found.append(Line(words.say("thorgal.round.unmet"), note="T15.2 T16.1 T16.3"))
        if step.get("dead"):
            found.append(Line(words.say("thorgal.round.no-room", **said, tile=UNMET_WOUND), note="T14.4"))
    room = room_of(table.seats[seat]) if "board" in step else None
    if room:
        found.append(Line(_room(words, room)))
    return found


def action_text(words: Language, action: str, n: int) -> str:
    """An action of an action card with its number."""
    return f"{words.say(f'thorgal.action.{action}')} {n}"


def _card_text(words: Language, card: ActionCard) -> str:
    parts = [action_text(words, card.action, card.amount)]
    for bonus in card.bonuses:
        gain = action_text(words, bonus.action, bonus.amount) if bonus.action else f"+{bonus.amount}"
        key = bonus.place if bonus.least or bonus.place == "alone" else f"each-{bonus.place}"
        parts.append(words.say(f"thorgal.bonus.{key}", n=bonus.least, gain=gain))
    return "; ".join(parts)


def _token_lines(words: Language, table: course.GameTable) -> list[Line]:
    beside = [token.active for token in table.tokens if token.card == course.BESIDE]
    marks = ACTIVE * sum(beside) + USED * beside.count(False)
    lines = [Line(marks, words.say("thorgal.round.beside"))] if beside else []
    for card in course.card_tokens(table):
        text = f"{ACTIVE * card.active}{USED * (card.tokens - card.active)} {counts(words, card)}"
        lines.append(Line(text, words.say("thorgal.round.card", number=card.card)))
    return lines


def counts(words: Language, card: course.CardTokens) -> str:
    """How the tokens are at a card, as bonus actions read them."""
    here = words.say("thorgal.round.alone") if card.alone else words.say("thorgal.round.here", n=card.tokens)
    return f"{here}, {words.say('thorgal.round.left', n=card.to_the_left)}"


def seat_lines(words: Language, table: course.GameTable) -> list[Line]:
    """The characters, a line each."""
    lines = []
    for number, (seat, name) in enumerate(zip(table.seats, names_of(table, words), strict=True)):
        parts = [words.say("thorgal.round.seat", threat=seat.threat, most=MOST_THREAT)]
        if seat.wounds:
            parts.append(words.say("thorgal.round.wounds", n=len(seat.wounds), tiles=", ".join(seat.wounds)))
        if seat.cards:
            cards = ", ".join(map(str, seat.cards))
            parts.append(words.say("thorgal.round.tokens-used", n=len(seat.cards), cards=cards))
        parts += [f"{words.say(f'thorgal.kind.{kind}')} {n}" for kind, n in seat.resources]
        if seat.dial > 1 or seat.dice:
            parts.append(
                words.say("thorgal.round.on-dial", number=seat.dial)
                + (f" ({dice_text(words, seat)})" * bool(seat.dice))
            )
        if seat.track > 1:
            parts.append(words.say("thorgal.round.on-track", number=seat.track))
        if seat.skill_used:
            parts.append(words.say("thorgal.round.skill-used"))
        lines.append(Line("; ".join(parts), name, words.say("thorgal.round.first") if number == table.first else ""))
    return lines


def dice_text(words: Language, seat: Character) -> str:
    """The dice that a fight dial shows, "" if unknown."""
    if not seat.dice:
        return ""
    found = Counter(seat.dice.split(", "))
    return ", ".join(f"{n}× {words.say(f'thorgal.die.{colour}')}" for colour, n in found.items())


def board_blocks(words: Language, table: course.GameTable, seats: Iterable[int]) -> list[Block]:
    """The wound boards that are known, each with the threat tokens below it."""
    names = names_of(table, words)
    blocks = []
    for number in seats:
        seat = table.seats[number]
        if seat.board:
            board = read_board(seat.board)
            held, free = ACTIVE * seat.threat, USED * (MOST_THREAT - seat.threat)
            rows = picture(board.grid, board.wounds)
            rows.append([Patch(f"{words.say('thorgal.round.threat-row')} "), Patch(held, "red"), Patch(free, "dim")])
            blocks.append(Block([], names[number], picture=rows))
    return blocks


def perils(words: Language, table: course.GameTable) -> list[dict[str, Any]]:
    """The ways to lose, each with its rule and how near it is (T12.2, T12.3, T12.4)."""
    names = names_of(table, words)
    found: list[dict[str, Any]] = []
    for name, seat in zip(names, table.seats, strict=True):
        room = room_of(seat)
        found.append({"rule": "T12.2", "player": name, "wounds": len(seat.wounds), "room": room and room._asdict()})
    rounds = table.length - table.round if table.length else None
    actions = None if rounds is None else table.left + course.ACTIONS * rounds
    dangers: list[dict[str, Any]] = [
        {"rule": "T12.4", "name": name, "at": at, "of": of} for name, at, of in table.dangers
    ]
    dangers = dangers or [{"rule": "T12.4", "name": None, "at": None, "of": None}]
    return [*found, {"rule": "T12.3", "rounds_left": rounds, "actions_left": actions}, *dangers]


def peril_block(words: Language, table: course.GameTable) -> Block:
    """The ways to lose, a line each; characters with more room later."""
    lines, unknown = list[tuple[int, Line]](), list[str]()
    for peril in perils(words, table):
        if peril["rule"] == "T12.3":
            key = "time-unknown" if not table.length else "time" if peril["rounds_left"] else "time-last"
            n, actions = peril["rounds_left"] or 0, peril["actions_left"] or 0
            lines.append((1000, Line(words.say(f"thorgal.peril.{key}", n=n, actions=actions), note="T12.3")))
        elif peril["rule"] == "T12.4":
            text = words.say("thorgal.peril.danger", **peril) if peril["name"] else words.say("thorgal.peril.goal")
            lines.append((1001, Line(text, note="T12.4")))
        elif peril["room"]:
            lines.append((peril["room"]["free"], Line(_room(words, Room(**peril["room"])), peril["player"], "T12.2")))
        else:
            unknown.append(peril["player"])
    if unknown:
        lines.append((999, Line(words.say("thorgal.peril.board", names=", ".join(unknown)), note="T12.2")))
    return Block([line for _, line in sorted(lines, key=lambda one: one[0])], words.say("thorgal.peril.title"))


def _room(words: Language, room: Room) -> str:
    return words.say("thorgal.peril.room" if room.largest else "thorgal.peril.none", **room._asdict())


def _outcome(words: Language, table: course.GameTable) -> str:
    why = table.note or words.text(f"rule.{table.rule}") or ""
    if table.dead >= 0:
        why = words.say("thorgal.round.dead", name=names_of(table, words)[table.dead])
    return words.say(f"thorgal.round.{table.outcome}", why=why)


def _next_lines(words: Language, table: course.GameTable, suffix: str) -> list[Line]:
    if table.outcome:
        return [Line(_outcome(words, table), note=table.rule)]
    names = names_of(table, words)
    if table.left:
        order = ", ".join(names[seat] for seat in table.order)
        return [
            Line(words.say("thorgal.round.to-act", name=names[table.turn], n=table.left), note="T2.2"),
            *([Line(words.say("thorgal.round.order", names=order))] if table.left > 1 else []),
            Line(words.say("thorgal.round.type-act", command="thorgal round act") + suffix),
        ]
    if table.length and table.round >= table.length:
        last = Line(words.say("thorgal.round.last"), note="T12.3")
        return [last, Line(words.say("thorgal.round.type-won", command=f"thorgal round won{suffix}"), note="T12.1")]
    return [Line(words.say("thorgal.round.to-events", command=f"thorgal round events{suffix}"), note="T11")]


def _document(words: Language, table: course.GameTable) -> dict[str, Any]:
    names = names_of(table, words)
    coming = "over" if table.outcome else "act" if table.left else "events"
    return {
        "adventure": table.adventure or None,
        "round": table.round,
        "length": table.length or None,
        "first": names[table.first],
        "actions_left": table.left,
        "next": {"do": coming, "player": names[table.turn] if coming == "act" else None},
        "order": [] if table.outcome else [names[seat] for seat in table.order],
        "tokens": [{"card": token.card or None, "active": token.active} for token in table.tokens],
        "cards": [card._asdict() for card in course.card_tokens(table)],
        "row": list(table.row) or None,
        "players": [
            {
                "name": name, "number": number, "threat": seat.threat, "wounds": list(seat.wounds),
                "tokens_used": len(seat.cards), "cards": list(seat.cards), "board": seat.board or None,
                "resources": dict(seat.resources), "fight_dial": seat.dial, "wander_track": seat.track,
                "skill_used": seat.skill_used, "dice": seat.dice.split(", ") if seat.dice else None,
            }
            for number, (seat, name) in enumerate(zip(table.seats, names, strict=True), start=1)
        ],
        "dice": dict(table.faces),
        "enemies": [{"name": name, "cards": cards} for name, cards in table.enemies],
        "action_cards": [{"card": card, "says": says} for card, says in table.notes],
        "ways_to_lose": [] if table.outcome or not session().json else perils(words, table),
        "outcome": table.outcome or None,
        "reason": {"text": _outcome(words, table), "rules": [table.rule]} if table.outcome else None,
    }  # fmt: skip


def show_next(path: Path, table: course.GameTable, file: Path | None) -> None:
    """Prints who acts now, what each card would give, and how near each way to lose is."""
    words = session().words
    page, documents = next_page(words, table, suffix_of(file))
    answer(_document(words, table) | {"choices": documents, "file": str(path)}, page)


def suffix_of(file: Path | None) -> str:
    """What of the file goes into the commands to type next."""
    return "" if file is None else f" --file {shlex.quote(str(file))}"


def next_page(words: Language, table: course.GameTable, suffix: str) -> tuple[Page, list[dict[str, Any]]]:
    """Who acts now, and what each card would give: the bonus actions, if the card is noted (T3.2, T3.3)."""
    moves = [] if table.outcome else token_moves(table)
    notes = dict(table.notes)
    lines, documents = [], []
    for move in moves:
        card = read_card(notes[move.there.card]) if move.there.card in notes else None
        earned = card.earned(move.there) if card else []
        text = words.say("thorgal.next.then").join(action_text(words, *one) for one in earned)
        label = words.say("thorgal.round.card", number=move.there.card)
        if sum(other.there.card == move.there.card for other in moves) > 1:
            label = words.say("thorgal.next.from", card=label, number=move.source)
        lines.append(Line(f"{text} ({counts(words, move.there)})" if text else counts(words, move.there), label))
        told = {"from": move.source or None, **move.there._asdict(), "action": card.action if card else None}
        documents.append(told | {"earned": [{"action": action, "n": n} for action, n in earned]})
    ready = [name for name, seat in zip(names_of(table, words), table.seats, strict=True) if not seat.skill_used]
    skills = [Line(words.say("thorgal.next.skills", names=", ".join(ready)), note="T19.5")] if ready else []
    hints = [Line(words.say("thorgal.next.note", command=f"thorgal round card 3 fight alone+1{suffix}"))]
    ends = table.left or table.outcome or (table.length and table.round >= table.length)
    due = () if ends else ("T11.1", "T11.2", "T11.3", "T11.4", "T11.5")
    by_hand = [(rule, words.text(f"rule.{rule}") or "") for rule in due]
    blocks = [
        Block(lines, words.say("thorgal.next.cards")),
        Block([] if notes or not table.left or table.outcome else hints),
        Block(skills if table.left and not table.outcome else []),
        Block(checklist(by_hand), words.say("thorgal.round.by-hand")),
        *([] if table.outcome else [peril_block(words, table)]),
        Block(_next_lines(words, table, suffix), words.say("thorgal.round.next")),
    ]
    title = words.say(
        "thorgal.round.of" if table.length else "thorgal.round.title", number=table.round, of=table.length
    )
    return Page(title, [], blocks), documents
