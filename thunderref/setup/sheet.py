"""The sheet: one printable page of a set-up as text, Markdown or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import fill

from thunderref.setup.difficulty import Measure
from thunderref.setup.result import Setup
from thunderref.setup.steps import Item, Step

BAR = 20
"""Characters of a difficulty bar."""
_START = re.compile(r"\s*(?:\[ \] *)?(?:(?:\d+\.|[-+]) )?")
"""Indent, box and number or mark of a line."""


def heading(made: Setup) -> str:
    """What is played: variant, players, boxes."""
    content, naming = made.content, made.naming
    parts = []
    if content.layout is not None:
        layouts = made.cat.themes if content.layout[0] == "theme" else made.cat.first_games
        term = layouts[content.layout[1]].term
        parts.append(naming.name(term) if term else naming.say("setup.first-game"))
    term = made.variant.term
    if term:
        level = f" ({naming.say(f'setup.level.{content.level}')})" if content.level else ""
        parts.append(naming.name(term) + level)
    parts.append(naming.say("setup.players", n=content.players))
    parts.append(" + ".join(naming.words.set_name(s) for s in content.sets))
    return " · ".join(parts)


def grouped(made: Setup) -> Iterator[tuple[str, list[tuple[int, Step]]]]:
    """The numbered steps by section."""
    section, steps = "", list[tuple[int, Step]]()
    for n, step in enumerate(made.steps, start=1):
        if step.section != section and steps:
            yield section, steps
            steps = []
        section = step.section
        steps.append((n, step))
    yield section, steps


def _label(item: Item) -> str:
    english = f" ({item.english})" if item.english and item.english != item.name else ""
    return f"{item.name}{english} {item.note}".rstrip()


def text(made: Setup, *, boxes: bool = False) -> str:
    """Plain text: steps with their cards, remarks, requirements, reasons, difficulty, the code.

    With ``boxes`` every step and card has a box to tick.
    """
    naming = made.naming
    box = "[ ] " if boxes else ""
    lines = [heading(made), f"{naming.say('setup.code')}: {made.code}"]
    for section, steps in grouped(made):
        lines += ["", naming.say(f"setup.section.{section}")]
        for n, step in steps:
            lines.append(f"{box}{n:3}. {step.title}")
            lines += [f"       {box}{_label(item)}" for item in step.items]
    document = made.model_dump()
    if "requirements" in document:
        lines += ["", naming.say("setup.section.requirements")]
        lines += [f"  {'+' if row['satisfied'] else '-'} {row['text']}" for row in document["requirements"]]
    if made.reasons:
        lines += ["", naming.say("setup.section.why")]
        lines += [f"  {naming.marked(reason.card)}: {reason.text(naming)}" for reason in made.reasons]
    lines += ["", naming.say("setup.section.difficulty")]
    lines += [f"  {line}" for line in bars(made)]
    if made.warnings:
        lines += ["", naming.say("setup.section.remarks")]
        lines += [f"  - {line}" for line in made.warnings]
    return "\n".join(lines)


def bars(made: Setup) -> list[str]:
    """One line a measure: name, total, average, and a bar from the least to the most possible."""
    naming = made.naming
    names = {m.name: naming.say(f"setup.measure.{m.name}") for m in made.difficulty.measures}
    width = max(len(name) for name in names.values())
    return [
        f"{names[m.name]:{width}} {m.total:4} {bar(m)} {naming.say('setup.average', x=naming.number(float(m.average)))}"
        for m in made.difficulty.measures
    ]


def share(measure: Measure, value: float) -> float:
    """Where a value lies between nothing and the most possible, 0 to 1."""
    return value / measure.most if measure.most else 0.0


def bar(measure: Measure) -> str:
    """The total as a bar, the average marked."""
    filled = round(share(measure, measure.total) * BAR)
    marks = ["#" if i < filled else "." for i in range(BAR)]
    marks[min(BAR - 1, round(share(measure, float(measure.average)) * BAR))] = "|"
    return "".join(marks)


def markdown(made: Setup) -> str:
    """Markdown with check boxes, to paste into a chat."""
    naming = made.naming
    lines = [f"## {heading(made)}", "", f"{naming.say('setup.code')}: `{made.code}`"]
    for section, steps in grouped(made):
        lines += ["", f"### {naming.say(f'setup.section.{section}')}", ""]
        for _, step in steps:
            lines.append(f"- [ ] {step.title}")
            lines += [f"  - [ ] {_label(item)}" for item in step.items]
    lines += ["", f"### {naming.say('setup.section.difficulty')}", "", "```", *bars(made), "```"]
    if made.warnings:
        lines += ["", f"### {naming.say('setup.section.remarks')}", ""]
        lines += [f"- {line}" for line in made.warnings]
    return "\n".join(lines)


def folded(text: str, width: int | None) -> str:
    """The text with lines folded to ``width``, continued under their beginning; None leaves them as they are."""
    if width is None:
        return text
    lines = []
    for line in text.split("\n"):
        start = _START.match(line)
        begun = start.group() if start else ""
        hanging = len(begun) + (0 if begun.strip() else 2)
        lines.append(fill(line, width, subsequent_indent=" " * hanging, break_long_words=False, break_on_hyphens=False))
    return "\n".join(lines)
