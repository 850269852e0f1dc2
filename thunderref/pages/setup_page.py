"""A set-up as a page: its steps by section, and what there is to say of its cards."""

from __future__ import annotations

from thunderref.pages.page import Block, Line, Page, Patch
from thunderref.thunderstone.setup import sheet
from thunderref.thunderstone.setup.reasons import granted_lines
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.setup.steps import SetupStep


def sheet_page(made: Setup, *, detailed: bool = False) -> Page:
    """The sections of numbered steps, stacks in small print, then notes on the cards; remarks are the last block.

    ``detailed`` says of each stack what it is worth, in a line that begins with two blanks.
    """
    naming = made.naming
    blocks = [
        Block([Line(step.title, str(n), small=_stacks(made, step, detailed)) for n, step in steps], heading)
        for heading, steps in sheet.sections(made)
    ]
    bars = [[Patch(line)] for line in sheet.bars(made)]
    reasons = [Line(reason.text(naming), naming.marked(reason.card)) for reason in made.reasons]
    wanted = [Line(f"{'+' if row['satisfied'] else '-'} {row['text']}") for row in made.requirements]
    blocks += [
        Block(wanted, naming.say("setup.section.requirements")),
        Block([*map(Line, granted_lines(made.wishes))], naming.say("setup.section.wishes")),
        Block(reasons, naming.say("setup.section.why")),
        Block([], naming.say("setup.section.difficulty"), picture=bars),
        Block([*map(Line, made.warnings)], naming.say("setup.section.remarks")),
    ]
    return Page(sheet.heading(made), [f"{naming.say('setup.code')}: {made.code}"], blocks)


def _stacks(made: Setup, step: SetupStep, detailed: bool) -> tuple[str, ...]:
    worth = {item: sheet.details(made, item) if detailed else "" for item in step.items}
    return tuple(line for item in step.items for line in (item.label, f"  {worth[item]}") if line.strip())
