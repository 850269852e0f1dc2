"""A set-up as a page, on a printable sheet of Markdown or HTML, and as a picture of where each stack lies."""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from math import ceil, sqrt
from textwrap import fill

from thunderref.database.paths import FIGURES
from thunderref.pages.card_page import figures_of
from thunderref.pages.page import Block, Line, Page, Patch
from thunderref.thunderstone.setup.layout import HALL, Item, SetupStep
from thunderref.thunderstone.setup.setup import Measure, Setup

BAR = 20  # letters of the bar of a measure
_SLOTS = ("classes", "features", "stones", "heroes", "village")
"""Kinds of slots in the order of the page."""
SIMULATED = "simulated."
"""Prefix of the keys of remarks on what simulated games found; these remarks come first."""
PAGE, ITEM, LINE, SMALL_PRINT, LARGEST = 430_000, 40, 20, 0.7, 15.0
"""How large a sheet is printed so that it fills one page: letters that fit, times the square of their size in pixels;
letters for which an item counts, and the rest of a line; the weight of a letter of small print; the largest size."""
_START = re.compile(r"\s*(?:\[ \] *)?(?:(?:\d+\.|[-+]) )?")  # indent, box and number or mark of a line


def sheet_page(setup: Setup, *, detailed: bool = False) -> Page:
    """What simulated games found, the sections of numbered steps, stacks in small print, then notes on the cards.

    Remarks are the last block. ``detailed`` says of each stack what it is worth, in a line that begins with two blanks.
    """
    naming = setup.naming

    def stacks(step: SetupStep) -> tuple[str, ...]:
        lines = ((item.label, f"  {details(setup, item)}" if detailed else "") for item in step.items)
        return tuple(line for pair in lines for line in pair if line.strip())

    steps = [
        Block([Line(step.title, str(n), small=stacks(step)) for n, step in numbered], heading)
        for heading, numbered in sections(setup)
    ]
    parts, remarks = parted(setup)
    needs = [Line(f"{'+' if row['satisfied'] else '-'} {row['text']}") for row in setup.requirements]
    wishes = [
        Line(line) for row in setup.wishes
        for line in (row["text"], *(f"  {pair['name']}: {'; '.join(pair['why'])}" for pair in row.get("partners", ())))
    ]  # fmt: skip
    notes = {
        "requirements": needs, "wishes": wishes,
        "why": [Line(reason.text(naming), naming.marked(reason.card)) for reason in setup.reasons],
        "boxes": _lines_of_boxes(setup), "difficulty": [], "remarks": [*map(Line, remarks)],
    }  # fmt: skip
    pictures = {"difficulty": [[Patch(line)] for line in bars(setup)]}
    blocks = [Block(notes[key], naming.say(f"setup.section.{key}"), picture=pictures.get(key)) for key in notes]
    blocks = [Block([*map(Line, parts)]), *steps, *blocks]
    return Page(heading(setup), [f"{naming.say('setup.code')}: {setup.code}"], blocks)


def parted(setup: Setup) -> tuple[list[str], list[str]]:
    """The remarks on a set-up: what simulated games found, and the others."""
    texts = [text for key, text in setup.remarks if key.startswith(SIMULATED)]
    return texts, setup.warnings[len(texts) :]


def table_page(setup: Setup) -> Page:
    """What lies on the table, a line each for monsters, heroes and the like, and what was wished of it."""
    naming = setup.naming
    lines = [Line(", ".join(map(naming.marked, cards)), label) for label, cards in stacks_by_kind(setup) if cards]
    shown_keys = {f"setup.section.{key}" for key in ("requirements", "wishes", "why")}
    headings = {naming.say(key) for key in shown_keys}
    first, *later_blocks = sheet_page(setup).blocks
    lines += _lines_of_boxes(setup)
    notes = [block for block in later_blocks if block.heading in headings]
    warnings = Block([Line(text) for key, text in setup.remarks if not key.startswith(("reading.", SIMULATED))])
    blocks = [first, Block(lines), *notes, warnings]
    return Page(heading(setup), [f"{naming.say('setup.code')}: {setup.code}"], blocks)


def _lines_of_boxes(setup: Setup) -> list[Line]:
    """The lines with what comes from which box, if one of them is a user's."""
    naming = setup.naming
    return [
        Line(f"{len(names)}: {', '.join(map(naming.marked, names))}", naming.words.set_name(box))
        for box, names in setup.fetched.items()
    ]


def stacks_by_kind(setup: Setup) -> list[tuple[str, tuple[str, ...]]]:
    """The classes, features, Thunderstones, heroes and village cards of a set-up, each list with its label."""
    slots = setup.content.slots
    return [(setup.naming.say(f"setup.lies.{kind}"), slots[kind]) for kind in _SLOTS if kind in slots]


def heading(setup: Setup) -> str:
    content, naming = setup.content, setup.naming
    parts = []
    if setup.fixed is not None:
        parts.append(naming.name(setup.fixed.term) if setup.fixed.term else naming.say("setup.first-game"))
    if setup.variant.term:
        level = f" ({naming.say(f'setup.level.{content.level}')})" if content.level else ""
        parts.append(naming.name(setup.variant.term) + level)
    parts.append(naming.say("setup.players", n=content.players))
    parts.append(" + ".join(naming.words.set_name(name) for name in content.sets))
    return " · ".join(parts)


def sections(setup: Setup) -> list[tuple[str, list[tuple[int, SetupStep]]]]:
    """The steps by section: its heading, and (number, step) from 1."""
    grouped = groupby(enumerate(setup.steps, start=1), lambda numbered: numbered[1].section)
    return [(setup.naming.say(f"setup.section.{section}"), list(steps)) for section, steps in grouped]


def details(setup: Setup, item: Item) -> str:
    """The worth of a stack: a card's figures and first sentences, a family's first level, the Health of a class."""
    words, cat, card = setup.naming.words, setup.cat, item.card
    if card in cat.pool.classes:
        health = [row.health for row in cat.numbered.get(card, cat.families[card]) if row.health]
        return f"{words.say('card.figure.health')} {min(health)}–{max(health)}"
    if card in cat.pool.heroes:
        printed = next(row for row in cat.families[card] if row.level == 1)
    elif card in cat.pool.village:
        printed = cat.cards[card]
    else:
        return ""
    figures = figures_of(words, {name: getattr(printed, name) for name in FIGURES if name != "level_cost"})
    texts = [words.text(printed.text_key(effect.id)) or "" for effect in setup.database.all_effects.get(printed.id, ())]
    return " ".join([", ".join(f"{name} {value}" for name, value in figures) + ".", *texts])


def places(setup: Setup) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each part of the table: dungeon deck and ranks (R1.5), heroes, village and basic stacks (R1.6).

    Its heading, then the name on each stack and how many cards lie there, "" if that is not fixed.
    """
    say, layers = setup.naming.say, setup.table.layers
    ranks = range(HALL, -1 if setup.content.features.guardians else 0, -1)
    parts = {"dungeon": [(say("setup.picture.deck"), str(sum(layer.size for layer in layers)))]}
    parts["dungeon"] += [(say("setup.picture.rank", n=rank), "") for rank in ranks]
    belongs = {"horde": "dungeon", "disease": "basic", "xp": "basic", "beside": "basic"}
    for kind in ("horde", "hero", "village", "basic", "disease", "xp", "beside"):
        for stack in (stack for stack in setup.table.stacks if stack.kind == kind):
            count = sum(n for _, n in stack.cards)
            if count or not stack.cards:
                place = setup.naming.marked(stack.id), str(count or "")
                parts.setdefault(belongs.get(kind, kind), []).append(place)
    return [(say(f"setup.picture.{area}"), row) for area, row in parts.items()]


def picture(setup: Setup, width: int) -> str:
    """Its code, its monsters, and the table in lines of at most ``width`` columns: ``[Banish         8]``."""
    lines = [f"{setup.naming.say('setup.code')}: {setup.code}"]
    monsters, features, *_ = stacks_by_kind(setup)
    for label, cards in (monsters, features):
        lines += fill(f"{label}: {', '.join(map(setup.naming.marked, cards))}", width).splitlines() if cards else []
    for heading, row in places(setup):
        wide = max(len(f"{name} {copies}".rstrip()) for name, copies in row)
        drawn = [f"[{name}{copies:>{wide - len(name)}}]" for name, copies in row]
        across = ceil(len(row) / ceil(len(row) / max(1, (width + 1) // (wide + 3))))
        lines += [heading, *(" ".join(drawn[start : start + across]) for start in range(0, len(row), across))]
    return "\n".join(lines)


def bars(setup: Setup) -> list[str]:
    names = {measure.name: setup.naming.say(f"setup.measure.{measure.name}") for measure in setup.measures}
    width = max(len(name) for name in names.values())
    return [f"{names[m.name]:{width}} {m.total:4} {bar(m)} {_average(setup, m)}" for m in setup.measures]


def bar(measure: Measure) -> str:
    filled = round(_share(measure, measure.total) * BAR)
    marks = ["#" if i < filled else "." for i in range(BAR)]
    marks[min(BAR - 1, round(_share(measure, float(measure.average)) * BAR))] = "|"
    return "".join(marks)


def _average(setup: Setup, measure: Measure) -> str:
    return setup.naming.say("setup.average", x=setup.naming.words.number(float(measure.average), ".1f"))


def _share(measure: Measure, value: float) -> float:
    return value / measure.highest if measure.highest else 0.0


def printed_sheet(setup: Setup, form: str, *, detailed: bool = False) -> str:
    """The sheet as ``html`` or ``markdown``; ``detailed`` says of each stack what it is worth, and compares the cards.

    The comparison is a page of its own. The print has the size, in CSS pixels, with which all else fills one page, A4
    or Letter, and no more.
    """
    from jinja2 import Environment, PackageLoader, select_autoescape

    from thunderref.pages.card_page import comparison_page

    loader, escaping = PackageLoader(__package__), select_autoescape()
    templates = Environment(loader=loader, autoescape=escaping, trim_blocks=True, lstrip_blocks=True)
    items = [item for step in setup.steps for item in step.items]
    small = sum(map(len, setup.warnings)) + sum(len(details(setup, item)) for item in items if detailed)
    lines = len(setup.steps) + sum(bool(item.english or item.box) for item in items)
    letters = sum(len(step.title) for step in setup.steps) + ITEM * len(items) + LINE * lines + SMALL_PRINT * small
    mine = [card for card in setup.database.cards.values() if detailed and card.id in setup.tonight.cards]
    return templates.get_template(f"sheet.{form}").render(
        compared=[block for block in comparison_page(setup.naming.words, mine).blocks if block.lines],
        setup=setup, boxes=_lines_of_boxes(setup), remarks=parted(setup), heading=heading(setup),
        sections=sections(setup), say=setup.naming.say, bars=bars,
        rows=() if detailed else places(setup), size=min(LARGEST, round(sqrt(PAGE / letters), 1)),
        details=partial(details, setup) if detailed else lambda item: "", average=partial(_average, setup),
        share=lambda measure, value: f"{_share(measure, float(value)):.1%}",
    )  # fmt: skip


def folded(text: str, width: int | None) -> str:
    """The text with lines folded to ``width``, continued under their beginning; None leaves them as they are."""
    if width is None:
        return text
    lines = []
    for line in text.split("\n"):
        start = _START.match(line)
        prefix = start.group() if start else ""
        hanging = len(prefix) + (0 if prefix.strip() else 2)
        lines.append(fill(line, width, subsequent_indent=" " * hanging, break_long_words=False, break_on_hyphens=False))
    return "\n".join(lines)
