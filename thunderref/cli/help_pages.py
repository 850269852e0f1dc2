"""The command line's own texts: list of commands, help pages, usage errors, in the language of the run."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from thunderref.cli.render import wrap
from thunderref.cli.session import SIDE_BY_SIDE, session
from thunderref.database.read import Language
from thunderref.errors import InputError

NARROW = 60
"""Columns below which the text about an option stands in lines of its own."""
MANY = 18
"""Options of a command above which they stand in groups."""
GROUPS = {
    "known": "rank0 dungeon dungeon-size deck deck-list deck-size discard village stacks caged toll hordes other",
    "draw": "require exclude balanced mix spread around stone",
    "again": "code lock reroll after winner scores left heroes avoid-recent resume to turn",
    "search": "budget batch workers scheduler explain exact samples",
    "output": "save force format details why watch",
    "everywhere": "json lang any more help",
}
"""Heading (``help.word.<group>``) -> the options below it, whatever the command; all others come before them."""
ALIKE = {
    "help.evening.start": "help.setup",
    "help.evening.battle": "help.resolve",
    "help.evening.visit": "help.village",
}
"""Commands with options of another one -> whose texts they have where they have none of their own."""
_VALUE = re.compile(r"[A-Z]{2,}")


def _columns() -> int:
    return max(min(shutil.get_terminal_size().columns, 80), 24)


def overview(words: Language, commands: Sequence[str], *, brief: bool) -> str:
    """List what can be typed: a card, a question, a battle, a set-up; the commands, each with a word unless brief."""
    width = _columns()
    typed = (f"  thunderref {line}" for line in words.say("help.examples").split("\n"))
    lines = [*wrap(words.say("help.about"), width), "", *typed, "", words.say("help.commands")]
    if brief:
        note = words.say("help.word.all", command="thunderref")
        return "\n".join([*lines, *wrap(", ".join(commands), width, 2), "", *wrap(note, width)])
    lines += _beside([(name, words.say(f"help.{name}")) for name in commands], width)
    options = {f"--lang {'|'.join(words.database.languages)}": "lang", "--json": "json", "--any": "any"}
    options |= {"-m, --more": "whole", "-h, --help": "help"}
    options |= {"--version": "version", "--install-completion": "install-completion"}
    lines += ["", words.say("help.options")]
    lines += _beside([(name, words.say(f"help.option.{key}")) for name, key in options.items()], width)
    return "\n".join([*lines, "", *wrap(words.say("help.more"), width)])


class Help(NamedTuple):
    """The help on a command: its usage, what it does, further lines, and rows below headings."""

    usage: str
    about: str
    more: str
    lists: dict[str, list[tuple[str, str]]]

    @property
    def examples(self) -> list[str]:
        return [line for line in self.more.split("\n") if line.startswith("  thunderref")]


def help_of(words: Language, ctx: Any) -> Help:
    """The help of a command: its texts are the messages ``help.<command>`` and ``help.<command>.<parameter>``."""
    command, path = ctx.command, ctx.command_path.split()[1:]
    key = ".".join(["help", *path])
    usage = [words.say("help.word.any-options")]
    lists: dict[str, list[tuple[str, str]]] = {"arguments": [], "options": [], "commands": []}
    lists |= {group: [] for group in GROUPS}
    groups = GROUPS if len(command.get_params(ctx)) > MANY else {"everywhere": GROUPS["everywhere"]}
    for param in command.get_params(ctx):
        value, about = _value_and_about(words, param, key)
        if param.param_type_name == "argument":
            usage.append(f"{{{value}}}" if param.required else value if value.startswith("[") else f"[{value}]")
            lists["arguments"].append((value, about))
        else:
            name = long_name(param)
            group = next((group for group, names in groups.items() if name[2:] in names.split()), "options")
            lists[group].append((name if param.is_flag else f"{name} {value}", about))
    if hasattr(command, "list_commands"):
        usage.append(words.say("help.word.any-command"))
        lists["commands"] = [(name, words.say(f"{key}.{name}")) for name in command.list_commands(ctx)]
    more = words.say(f"{key}.more") if words.has(f"{key}.more") else ""
    shown = {words.say(f"help.word.{name}"): rows for name, rows in lists.items() if rows}
    return Help(" ".join([ctx.command_path, *usage]), words.say(key), more, shown)


def help_page(words: Language, ctx: Any, *, brief: bool = False) -> str:
    """The help of a command, or the list of all, as wide as the terminal; a ``brief`` one only names the options."""
    if ctx.parent is None:
        return overview(words, ctx.command.list_commands(ctx), brief=brief)
    page, columns = help_of(words, ctx), _columns()
    if brief:
        last = words.say("help.word.everywhere")
        names = [(heading, ", ".join(name for name, _ in rows)) for heading, rows in page.lists.items()]
        lines = [*wrap(page.about, columns), "", *page.examples[:4]]
        lines += [line for top, list_names in names if top != last for line in ("", top, *wrap(list_names, columns, 2))]
        return "\n".join([*lines, "", *wrap(words.say("help.word.all", command=ctx.command_path), columns)])
    narrow = columns < NARROW
    width = columns if narrow else columns - 2
    usage = f"{words.say('help.word.usage')} "
    hanging = 4 if narrow else len(usage) + len(ctx.command_path) + 1
    lines = wrap(usage + page.usage, columns - (4 if narrow else 2), 0, hanging)
    lines += ["", *wrap(page.about, width, 2)]
    if page.more:
        lines.append("")
        for line in page.more.split("\n"):
            lines += [f"  {line}"] if line.startswith(" ") else wrap(line, columns - 2, 2)
    for heading, rows in page.lists.items():
        lines += ["", heading, *_beside(rows, width, narrow=narrow)]
    return "\n".join(lines)


def _beside(rows: Sequence[tuple[str, str]], width: int, *, narrow: bool = False) -> Iterator[str]:
    first = 2 if narrow else min(max(len(name) for name, _ in rows), 30) + 2
    for name, text in rows:
        if len(name) > first - 2:
            yield from (*wrap(name, width, 2, 4), *(wrap(text, width, first + 2) if text else ()))
        else:
            yield from wrap(f"{name:{first}}{text}", width, 2, first)


def long_name(parameter: Any) -> str:
    """Return the first long name of an option, for others are former ones; of an argument its own."""
    return next((name for name in parameter.opts if name.startswith("--")), str(parameter.name))


def _value_and_about(words: Language, parameter: Any, key: str) -> tuple[str, str]:
    name, number = long_name(parameter).strip("-"), parameter.type.name.startswith(("int", "float"))
    name = "whole" if name == "more" else name  # “help.<command>.more” are further lines of a page
    value = value_word(words, parameter.metavar or ("N" if number else "NAME"))
    if name == "lang":
        codes = [*words.database.languages]
        several = [",".join(codes[:2])] if SIDE_BY_SIDE.intersection(key.split(".")) else []
        value = "|".join((*codes, *several))
    parent = ALIKE.get(key, key.rpartition(".")[0])
    keys = (f"{key}.{name}", f"{parent}.{name}", f"help.option.{name}")
    text = next((words.say(candidate) for candidate in keys if words.has(candidate)), "")
    if parameter.required:
        text += f"  {words.say('help.word.required')}"
    elif parameter.default is not None and parameter.default is not False:
        text += f"  {words.say('help.word.default')} {parameter.default}]"
    return value, text.strip()


def value_word(words: Language, metavar: str) -> str:
    """The name of a value, such as ``CODE|FILE``, in the language of the page; unchanged if it has none."""
    return _VALUE.sub(lambda m: words.say(key) if words.has(key := f"help.value.{m[0].lower()}") else m[0], metavar)


def find_near(typed: str, names: Sequence[str]) -> list[str]:
    """The commands or options that ``typed`` may be a slip for, nearest first: the whole name, a part or its start."""
    from rapidfuzz.distance import OSA

    word, near = typed.strip("-").lower()[:40], list[tuple[float, str]]()
    limit = 0 if len(word) < 3 else 1 if len(word) < 6 else 2
    for name in names:
        whole = name.strip("-")
        for piece in dict.fromkeys((whole, *whole.split("-"))):
            near.append((OSA.distance(word, piece) + 0.25 * (piece != whole), name))
        if len(word) > 2 and whole.startswith(word):
            near.append((0.5, name))
    nearest = min(near, default=(0.0, ""))[0]
    return list(dict.fromkeys(name for slips, name in sorted(near) if slips < limit + 0.5 and slips < nearest + 1))


def usage_error(error: Any, ctx: Any, line: list[str]) -> InputError:
    """Typer's error about the words ``line`` after a command, as one of ours."""
    command = ctx.command
    if hasattr(error, "option_name"):
        name = error.option_name
        if hasattr(error, "possibilities"):
            options = [o for o in map(long_name, command.get_params(ctx)) if o.startswith("--")]
            return InputError("unknown-option", name=name[:40], candidates=find_near(name, options))
        n = next(p.nargs for p in command.get_params(ctx) if name in p.opts)
        return InputError("missing-values", name=name, n=n) if n > 1 else InputError("missing-value", name=name)
    values, extra, _ = command.make_parser(ctx).parse_args(args=line)
    if not hasattr(error, "param"):
        return InputError("extra-argument", name=" ".join(extra)[:60])
    name = long_name(error.param)
    name = name if name.startswith("-") else value_word(session().words, error.param.metavar)
    if hasattr(error, "param_type"):
        return InputError("missing-argument", name=name)
    return InputError("bad-number", name=name, value=str(values[error.param.name])[:40])
