"""The sheet: one printable page of a set-up as text, Markdown or HTML."""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import fill

from thunderref.thunderstone.setup.finished import Measure, Setup
from thunderref.thunderstone.setup.steps import SetupStep

BAR = 20
_START = re.compile(r"\s*(?:\[ \] *)?(?:(?:\d+\.|[-+]) )?")  # indent, box and number or mark of a line


def heading(made: Setup) -> str:
    content, naming = made.content, made.naming
    parts = []
    if made.fixed is not None:
        parts.append(naming.name(made.fixed.term) if made.fixed.term else naming.say("setup.first-game"))
    if made.variant.term:
        level = f" ({naming.say(f'setup.level.{content.level}')})" if content.level else ""
        parts.append(naming.name(made.variant.term) + level)
    parts.append(naming.say("setup.players", n=content.players))
    parts.append(" + ".join(naming.words.set_name(name) for name in content.sets))
    return " · ".join(parts)


def sections(made: Setup) -> list[tuple[str, list[tuple[int, SetupStep]]]]:
    """The steps by section: its heading, and (number, step) from 1."""
    grouped = groupby(enumerate(made.steps, start=1), lambda numbered: numbered[1].section)
    return [(made.naming.say(f"setup.section.{section}"), list(steps)) for section, steps in grouped]


def text(made: Setup, *, boxes: bool = False) -> str:
    naming = made.naming
    box = "[ ] " if boxes else ""
    lines = [heading(made), f"{naming.say('setup.code')}: {made.code}"]
    for section, steps in sections(made):
        lines += ["", section]
        for n, step in steps:
            lines.append(f"{box}{n:3}. {step.title}")
            lines += [f"       {box}{item.label}" for item in step.items]
    parts = {
        "requirements": [f"  {'+' if row['satisfied'] else '-'} {row['text']}" for row in made.requirements],
        "why": [f"  {naming.marked(reason.card)}: {reason.text(naming)}" for reason in made.reasons],
        "difficulty": [f"  {line}" for line in bars(made)],
        "remarks": [f"  - {line}" for line in made.warnings],
    }
    for part, rows in parts.items():
        lines += ["", naming.say(f"setup.section.{part}"), *rows] if rows else []
    return "\n".join(lines)


def bars(made: Setup) -> list[str]:
    names = {each.name: made.naming.say(f"setup.measure.{each.name}") for each in made.measures}
    width = max(len(name) for name in names.values())
    return [f"{names[m.name]:{width}} {m.total:4} {bar(m)} {_average(m, made)}" for m in made.measures]


def _average(measure: Measure, made: Setup) -> str:
    return made.naming.say("setup.average", x=made.naming.words.number(float(measure.average), ".1f"))


def _share(measure: Measure, value: float) -> float:
    return value / measure.most if measure.most else 0.0


def bar(measure: Measure) -> str:
    filled = round(_share(measure, measure.total) * BAR)
    marks = ["#" if i < filled else "." for i in range(BAR)]
    marks[min(BAR - 1, round(_share(measure, float(measure.average)) * BAR))] = "|"
    return "".join(marks)


def page(made: Setup, form: str) -> str:
    """The sheet as ``html`` or ``markdown``."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    loader, escaping = PackageLoader(__package__), select_autoescape()
    templates = Environment(loader=loader, autoescape=escaping, trim_blocks=True, lstrip_blocks=True)
    return templates.get_template(f"sheet.{form}").render(
        made=made, heading=heading(made), sections=sections(made), say=made.naming.say, bars=bars,
        average=lambda measure: _average(measure, made),
        share=lambda measure, value: f"{_share(measure, float(value)):.1%}",
    )  # fmt: skip


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
