"""What the command line says about itself: list of commands, help pages, usage errors, in the language of the run."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from typer._click import exceptions as click_exceptions
from typer._click.formatting import HelpFormatter

from thunderref.errors import InputError
from thunderref.words.words import Words

_NOT_A_NUMBER = re.compile(r"^'(.*)' is not a valid (?:int|integer|float|range)", re.DOTALL)

_NO_COMMAND = re.compile(r"^No such command '(.*?)'", re.DOTALL)
_SEVERAL = re.compile(r"requires (\d+) arguments")
_TOO_MANY = re.compile(r"^Got unexpected extra arguments?(?:\(s\))? \((.*)\)", re.DOTALL)


def version() -> str:
    """Name and version of the program."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return f"thunderref {installed('thunderref')}"
    except PackageNotFoundError:
        return "thunderref"


def overview(words: Words, commands: Iterable[str]) -> str:
    """One page: what the program is for and its commands."""
    lines = [*_folded(words.say("help.about")), "", words.say("help.usage", usage="thunderref …"), ""]
    lines.append(words.say("help.commands"))
    for name in commands:
        key = f"help.{name}"
        lines += _folded(f"  {name:9} {words.say(key) if words.has(key) else ''}", 12)
    lines += ["", words.say("help.options")]
    for option in ("--lang en|pl|ru", "--json", "--help", "--version"):
        key = f"help.option.{option.split()[0].strip('-')}"
        lines += _folded(f"  {option:16} {words.say(key)}", 19)
    lines += ["", *_folded(words.say("help.more"))]
    return "\n".join(lines)


def _folded(text: str, indent: int = 0) -> list[str]:
    """A line as several, as wide as the terminal; those after the first begin further in."""
    return textwrap.wrap(
        text, max(columns(), 24), subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )


def columns() -> int:
    """How wide a help page may be: as wide as the terminal, 80 where there is none."""
    return min(shutil.get_terminal_size().columns, 80)


class NarrowHelp(HelpFormatter):
    """Help for narrow terminals: what an option does stands below it, not beside it."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__(width=max(columns(), 24))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line of usage, broken where it has to be."""
        line = textwrap.fill(f"{prefix or 'Usage: '}{prog} {args}", self.width - 4, subsequent_indent="    ")
        self.write(f"{line}\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """The options, or the commands, each on a line of its own and its text below."""
        for first, text in rows:
            self.write("\n".join([*_folded(f"  {first}", 6), *_folded(f"    {text}", 4)]) + "\n")


def made_narrow(ctx: Any) -> Any:
    """The context of a help page, which is written with :class:`NarrowHelp` if the terminal asks for it."""
    if columns() < 60:
        ctx.formatter_class = NarrowHelp
    return ctx


METAVARS = {
    "score.deck": "PLAYER:CARDS", "score.penalty": "PLAYER:N", "deck": "CARDS", "deck-list": "CARDS",
    "discard": "CARDS", "hall": "CARDS", "rank0": "CARDS", "dungeon": "CARDS", "village": "CARDS",
    "stacks": "CARDS", "plan": "PLAN", "file": "FILE", "batch": "FILE", "code": "CODE", "set": "SET",
}  # fmt: skip
"""Option, with its command where it means something of its own -> the word for its value on a help page."""


def _prose(text: str) -> list[str]:
    """A line of explanation as several, as wide as the terminal; a help page begins two columns in."""
    return textwrap.wrap(text, max(columns() - 4, 24), break_long_words=False, break_on_hyphens=False) or [""]


_SHOW_HELP = re.compile(r"Show\s+this\s+message\s+and\s+exit\.")
"""What the option --help says of itself, in a narrow terminal on several lines."""


def localised(words: Words, command: Any, name: str, write: Callable[[], str]) -> str:
    """The help page of a command: its texts from the messages ``help.<command>`` and ``help.<command>.<parameter>``."""
    key = f"help.{name}"
    if words.has(key):
        command.help = words.say(key)
        if words.has(f"{key}.more"):
            lines = words.say(f"{key}.more").split("\n")
            folded = [line if line.startswith(" ") else "\n".join(_prose(line)) for line in lines]
            command.help += "\n\n\b\n" + "\n".join(folded)
    for sub in commands_of(command):
        if words.has(f"{key}.{sub.name}"):
            sub.help = sub.short_help = words.say(f"{key}.{sub.name}")
    for parameter in command.params:
        option = next((o.strip("-") for o in parameter.opts if o.startswith("--")), parameter.name)
        if parameter.param_type_name == "option" and not parameter.is_flag and parameter.metavar is None:
            number = parameter.type.name.startswith(("int", "float"))
            parameter.metavar = "N" if number else METAVARS.get(f"{name}.{option}") or METAVARS.get(option, "NAME")
        for candidate in (f"{key}.{option}", f"{key.rpartition('.')[0]}.{option}", f"help.option.{option}"):
            if words.has(candidate):
                parameter.help = _kept_whole(words.say(candidate))
                break
        if parameter.metavar:
            parameter.metavar = value_word(words, parameter.metavar)
    command.options_metavar = words.say("help.word.any-options")
    if hasattr(command, "subcommand_metavar"):
        command.subcommand_metavar = words.say("help.word.any-command")
    page = write()
    for english, message in (
        ("Usage:", "help.word.usage"),
        ("Options:", "help.word.options"),
        ("Arguments:", "help.word.arguments"),
        ("Commands:", "help.word.commands"),
        ("[required]", "help.word.required"),
        ("[default:", "help.word.default"),
    ):
        page = page.replace(english, words.say(message))
    return _SHOW_HELP.sub(words.say("help.option.help"), page).replace(_HYPHEN, "-")


_HYPHEN = "\ue000"
"""Stands for a hyphen until the lines of a help page are broken: a sign of nobody's, one column wide."""
_VALUE = re.compile(r"[A-Z]{2,}")


def _kept_whole(text: str) -> str:
    """The text with hyphens that no line is broken at, so that what is to be typed is read in one piece."""
    return text.replace("-", _HYPHEN)


def value_word(words: Words, metavar: str) -> str:
    """The name of a value, such as ``CODE|FILE``, in the language of the page; what has no name of its own stays."""

    def named(found: re.Match[str]) -> str:
        key = f"help.value.{found[0].lower()}"
        return words.say(key) if words.has(key) else found[0]

    return _VALUE.sub(named, metavar)


def commands_of(command: Any) -> list[Any]:
    """The commands of a group, those included that are imported only when asked for; none for a plain command."""
    names = command.list_commands(None) if hasattr(command, "list_commands") else ()
    return [command.get_command(None, name) for name in names]


def usage_error(error: click_exceptions.UsageError, words: Words) -> InputError:
    """A mistake on the command line as one of our errors."""
    if isinstance(error, click_exceptions.NoSuchOption):
        near = list(error.possibilities or ()) or _options(error)
        return InputError("unknown-option", name=error.option_name[:40], candidates=sorted(near))
    if isinstance(error, click_exceptions.MissingParameter):
        return InputError("missing-argument", name=value_word(words, _name(error)))
    if isinstance(error, click_exceptions.BadParameter):
        number = _NOT_A_NUMBER.match(error.message)
        if number is not None:
            return InputError("bad-number", name=value_word(words, _name(error)), value=number[1][:40])
        return InputError("bad-argument", name=value_word(words, _name(error)), problem=error.message.rstrip("."))
    if isinstance(error, click_exceptions.BadOptionUsage):
        several = _SEVERAL.search(error.message)
        if several is not None:
            return InputError("missing-values", name=error.option_name, n=int(several[1]))
        return InputError("missing-value", name=error.option_name)
    unknown = _NO_COMMAND.match(error.message)
    if unknown is not None:
        return InputError("unknown-command", name=unknown[1][:40], candidates=_commands(error), command=_path(error))
    if error.message.startswith("Missing command"):
        return InputError("missing-command", candidates=_commands(error))
    extra = _TOO_MANY.match(error.message)
    if extra is not None:
        return InputError("extra-argument", name=extra[1][:60])
    return InputError("usage", problem=error.format_message().rstrip("."))


def _name(error: click_exceptions.BadParameter) -> str:
    if error.param is None or error.ctx is None:
        return str(error.param_hint or "")
    return next((o for o in error.param.opts if o.startswith("--")), error.param.make_metavar(error.ctx))


def _options(error: click_exceptions.UsageError) -> list[str]:
    params = error.ctx.command.get_params(error.ctx) if error.ctx is not None else []
    return [option for param in params for option in param.opts if option.startswith("--")]


def _path(error: click_exceptions.UsageError) -> str:
    return "thunderref" if error.ctx is None else error.ctx.command_path


def _commands(error: click_exceptions.UsageError) -> list[str]:
    if error.ctx is None:
        return []
    command: Any = error.ctx.command
    return list(command.list_commands(error.ctx)) if hasattr(command, "list_commands") else list(command.commands)
