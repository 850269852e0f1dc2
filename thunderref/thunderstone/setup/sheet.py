"""The sheet, one printable page of a set-up as Markdown or HTML, and a picture of where each stack lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from math import ceil, sqrt
from textwrap import fill
from typing import NamedTuple

from thunderref.database.paths import FIGURES
from thunderref.search.card import figures_of
from thunderref.thunderstone.setup.layout import HALL
from thunderref.thunderstone.setup.reasons import Measure
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.setup.steps import Item, SetupStep


class Place(NamedTuple):
    """A place on the table: the name on its stack and how many cards lie there, "" if that is not fixed."""

    name: str
    copies: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} {self.copies}".rstrip()


def places(made: Setup) -> list[tuple[str, list[Place]]]:
    """Heading and places of each part: dungeon deck and ranks (R1.5), heroes, village and basic stacks (R1.6)."""
    say, naming = made.naming.say, made.naming
    size = sum(layer.size for layer in made.table.layers)
    ranks = [
        say("setup.picture.rank", n=rank) for rank in range(HALL, -1 if made.content.features.guardians else 0, -1)
    ]
    dungeon = [Place(say("setup.picture.deck"), str(size)), *map(Place, ranks)]
    stacks: dict[str, list[Place]] = {}
    for stack in made.table.stacks:
        count = sum(n for _, n in stack.cards)
        if count or not stack.cards:
            stacks.setdefault(stack.kind, []).append(Place(naming.marked(stack.id), str(count or "")))
    dungeon += stacks.pop("horde", [])
    stacks["basic"] += stacks.pop("disease") + stacks.pop("xp")
    parts = [("dungeon", dungeon), *((kind, stacks[kind]) for kind in ("hero", "village", "basic"))]
    return [(say(f"setup.picture.{part}"), row) for part, row in parts]


def picture(made: Setup, width: int) -> str:
    """The table in lines of at most ``width`` columns: ``[Banish         8]``."""
    return "\n".join(line for heading, row in places(made) for line in (heading, *_lines(row, width)))


def _lines(places: list[Place], width: int) -> Iterator[str]:
    wide = max(len(place.label) for place in places)
    needed = ceil(len(places) / max(1, (width + 1) // (wide + 3)))
    across = ceil(len(places) / needed)
    for start in range(0, len(places), across):
        row = places[start : start + across]
        yield " ".join(f"[{place.name}{place.copies:>{wide - len(place.name)}}]" for place in row)


BAR = 20
PAGE, ITEM, LINE, SMALL, LARGEST = 430_000, 40, 20, 0.7, 15.0
"""What fills a page: letters times the square of their size; what an item and the rest of a line count, small print."""
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


def details(made: Setup, item: Item) -> str:
    """What a stack is worth: a card's figures and first sentences, a family's first level, the Health of a class."""
    words, cat, card = made.naming.words, made.cat, item.card
    if card in cat.pool.classes:
        health = [row.health for row in cat.numbered.get(card, cat.families[card]) if row.health]
        return f"{words.say('card.figure.health')} {min(health)}–{max(health)}"
    found = cat.cards[card] if card in cat.pool.village else None
    if card in cat.pool.heroes:
        found = next(row for row in cat.families[card] if row.level == 1)
    if found is None:
        return ""
    figures = figures_of(words, {name: getattr(found, name) for name in FIGURES if name != "level_cost"})
    texts = [words.text(found.text_key(effect.id)) or "" for effect in made.database.all_effects.get(found.id, ())]
    told = (text[: text.find(". ") + 1] or text for text in texts)
    return " ".join([", ".join(f"{name} {value}" for name, value in figures) + ".", *told])


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


def _size(made: Setup, detailed: bool) -> float:
    """The size of print, in CSS pixels, with which what there is to say fills one page, A4 or Letter, and no more."""
    items = [item for step in made.steps for item in step.items]
    small = sum(map(len, made.warnings)) + sum(len(details(made, item)) for item in items if detailed)
    lines = len(made.steps) + sum(bool(item.english or item.box) for item in items)
    letters = sum(len(step.title) for step in made.steps) + ITEM * len(items) + LINE * lines + SMALL * small
    return min(LARGEST, round(sqrt(PAGE / letters), 1))


def page(made: Setup, form: str, *, detailed: bool = False) -> str:
    """The sheet as ``html`` or ``markdown``; ``detailed`` says of each stack what it is worth."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    loader, escaping = PackageLoader(__package__), select_autoescape()
    templates = Environment(loader=loader, autoescape=escaping, trim_blocks=True, lstrip_blocks=True)
    return templates.get_template(f"sheet.{form}").render(
        made=made, heading=heading(made), sections=sections(made), say=made.naming.say, bars=bars,
        rows=() if detailed else places(made),
        size=_size(made, detailed), details=partial(details, made) if detailed else lambda item: "",
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
