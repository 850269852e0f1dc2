"""A game of Thorgal as a page: the tokens as they lie, the characters, what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thunderref.cli.page import Block, Line, Page
from thunderref.cli.thorgal_setup import seat_name
from thunderref.errors import NoAnswerError
from thunderref.lookup.normalise import fold
from thunderref.thorgal.round import BESIDE, MOST_THREAT, Layout, Step, Table, layout

if TYPE_CHECKING:
    from thunderref.cli.session import Session
    from thunderref.words.words import Words

ACTIVE, USED = "●", "○"
EVENT_RULES = ("T11.3", "T11.4", "T11.5")
"""What the players do themselves in the event phase."""


def names_of(words: Words, table: Table) -> list[str]:
    """What the characters are called, in the order of their seats."""
    return [seat_name(words, seat.name, number, table.solo) for number, seat in enumerate(table.seats, start=1)]


def seat_of(names: Sequence[str], text: str) -> int:
    """The seat meant; raises :class:`NoAnswerError` (``thorgal-no-player``) where that is nobody or several."""
    seat = named_seat(names, text)
    if seat is None:
        raise NoAnswerError("thorgal-no-player", candidates=names, name=text[:40])
    return seat


def named_seat(names: Sequence[str], text: str) -> int | None:
    """The one seat with this number, name, beginning of a name or, with a typing error, a name much like it."""
    form = fold(text)
    if form.isdigit():
        return int(form[:3]) - 1 if 1 <= int(form[:3]) <= len(names) else None
    forms = [fold(name) for name in names]
    if form in forms:
        return forms.index(form)
    begins = [i for i, name in enumerate(forms) if form and name.startswith(form)]
    if begins:
        return begins[0] if len(begins) == 1 else None
    from difflib import get_close_matches

    near = get_close_matches(form, forms, 2, 0.7)
    return forms.index(near[0]) if len(near) == 1 else None


def show_table(
    run: Session, path: Path, table: Table, before: Table | None, step: Step | None, file: Path | None
) -> None:
    """Prints how the game stands, first what the step just taken did to it (None: nothing).

    ``file`` is the one that was asked for, if any: the commands to type next name it too.
    """
    said = [] if step is None else _said(run.words, table, before, step)
    if run.json:
        run.print_json({**_document(run.words, table), "said": [text for text, _ in said], "file": str(path)})
        return
    from thunderref.cli.render import show

    show(_page(run.words, table, said, step, "" if file is None else f" --file {_quoted(str(file))}"))


def _quoted(name: str) -> str:
    import shlex

    return shlex.quote(name)


Remark = tuple[str, str]
"""A sentence and the rules it rests on, "" for none."""


def _said(words: Words, table: Table, before: Table | None, step: Step) -> list[Remark]:
    """What a step did."""
    do = step["do"]
    names = names_of(words, table)
    name = names[step["seat"]] if step.get("seat") is not None else ""
    if do == "start":
        return [(words.say("thorgal.round.began", names=", ".join(names)), "")]
    if do == "act":
        here = next(card for card in layout(table) if card.card == step["card"])
        text = words.say("thorgal.round.acted", name=name, card=step["card"], layout=_counts(words, here))
        return [(text, "T2.5 T3.3")]
    if do == "threat":
        seat = table.seats[step["seat"]]
        found = [(words.say("thorgal.round.threat", name=name, n=seat.threat, most=MOST_THREAT), "T15.1")]
        if before is not None and before.seats[step["seat"]].threat + step["by"] > MOST_THREAT:
            found.append((words.say("thorgal.round.unmet"), "T15.2 T16.1 T16.3"))
        return found
    if do == "wound":
        return [(words.say("thorgal.round.wound", name=name, tile=step["tile"]), "T14.4")]
    if do == "heal":
        return [(words.say("thorgal.round.healed", name=name, tile=step["tile"]), "T14.3")]
    if do == "upgrade":
        return [(words.say("thorgal.round.upgraded", old=step["old"], new=step["new"]), "T3.5")]
    if do == "undo":
        return [(words.say("thorgal.round.undone", what=words.say(f"thorgal.round.step.{step['of']}")), "")]
    if do == "events" and not table.outcome:
        return [(words.say("thorgal.round.next-round", number=table.round, name=names[table.first]), "T11.1 T11.2")]
    return []


def _outcome(words: Words, table: Table) -> Remark:
    """How the game ended, "" while it goes on."""
    if not table.outcome:
        return "", ""
    why = words.text(f"rule.{table.rule}") or ""
    if table.dead >= 0:
        why = words.say("thorgal.round.dead", name=names_of(words, table)[table.dead])
    return words.say(f"thorgal.round.{table.outcome}", why=table.note or why), table.rule


def _page(words: Words, table: Table, said: list[Remark], step: Step | None, suffix: str) -> Page:
    title = words.say(
        "thorgal.round.of" if table.length else "thorgal.round.title", number=table.round, of=table.length
    )
    small = [f"{text} [{rules}]" if rules else text for text, rules in said]
    if table.adventure:
        small.insert(0, words.say("thorgal.adventure", name=table.adventure))
    blocks = [
        Block(_token_lines(words, table), words.say("thorgal.round.tokens", active=ACTIVE, used=USED)),
        Block(_seat_lines(words, table), words.say("thorgal.round.characters")),
    ]
    if step is not None and step["do"] == "events" and not table.outcome:
        rules = [*EVENT_RULES, *([] if table.length else ["T12.3"])]
        lines = [Line(f"[ ] {words.text(f'rule.{rule}')}", note=rule) for rule in rules]
        blocks.insert(0, Block(lines, words.say("thorgal.round.by-hand")))
    return Page(title, small, [*blocks, Block(_next_lines(words, table, suffix), words.say("thorgal.round.next"))])


def _token_lines(words: Words, table: Table) -> list[Line]:
    lines = []
    beside = [token for token in table.tokens if token.card == BESIDE]
    if beside:
        lines.append(
            Line(_marks(sum(token.active for token in beside), len(beside)), words.say("thorgal.round.beside"))
        )
    for card in layout(table):
        text = f"{_marks(card.active, card.here)} {_counts(words, card)}"
        lines.append(Line(text, words.say("thorgal.round.card", number=card.card)))
    return lines


def _marks(active: int, all_of_them: int) -> str:
    return ACTIVE * active + USED * (all_of_them - active)


def _counts(words: Words, card: Layout) -> str:
    """What bonus actions are read from: alone or how many here, how many to the left."""
    here = words.say("thorgal.round.alone") if card.alone else words.say("thorgal.round.here", n=card.here)
    return f"{here}, {words.say('thorgal.round.left', n=card.to_the_left)}"


def _seat_lines(words: Words, table: Table) -> list[Line]:
    lines = []
    for number, (seat, name) in enumerate(zip(table.seats, names_of(words, table), strict=True)):
        text = words.say("thorgal.round.seat", threat=seat.threat, most=MOST_THREAT)
        if seat.wounds:
            text += f"; {words.say('thorgal.round.wounds', n=len(seat.wounds), tiles=', '.join(seat.wounds))}"
        lines.append(Line(text, name, words.say("thorgal.round.first") if number == table.first else ""))
    return lines


def _next_lines(words: Words, table: Table, suffix: str) -> list[Line]:
    text, rule = _outcome(words, table)
    if text:
        return [Line(text, note=rule)]
    names = names_of(words, table)
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


def _document(words: Words, table: Table) -> dict[str, Any]:
    names = names_of(words, table)
    text, rule = _outcome(words, table)
    coming = "over" if table.outcome else "act" if table.left else "events"
    return {
        "game": "thorgal",
        "adventure": table.adventure or None,
        "round": table.round,
        "length": table.length or None,
        "first": names[table.first],
        "actions_left": table.left,
        "next": {"do": coming, "player": names[table.turn] if coming == "act" else None},
        "order": [] if table.outcome else [names[seat] for seat in table.order],
        "tokens": [{"card": token.card or None, "active": token.active} for token in table.tokens],
        "cards": [
            {"card": card.card, "tokens": card.here, "active": card.active, "alone": card.alone,
             "to_the_left": card.to_the_left}
            for card in layout(table)
        ],
        "row": list(table.row) or None,
        "players": [
            {"name": name, "number": number, "threat": seat.threat, "wounds": list(seat.wounds)}
            for number, (seat, name) in enumerate(zip(table.seats, names, strict=True), start=1)
        ],
        "outcome": table.outcome or None,
        "reason": {"text": text, "rules": [rule]} if text else None,
    }  # fmt: skip
