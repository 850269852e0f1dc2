"""What the command line says about itself: list of commands, help pages, usage errors, in the language of the run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from typer._click import exceptions as click_exceptions

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
    lines = [words.say("help.about"), "", words.say("help.usage", usage="thunderref …"), ""]
    lines.append(words.say("help.commands"))
    for name in commands:
        key = f"help.{name}"
        lines.append(f"  {name:9} {words.say(key) if words.has(key) else ''}".rstrip())
    lines += ["", words.say("help.options")]
    for option in ("--lang en|pl|ru", "--json", "--help", "--version"):
        key = f"help.option.{option.split()[0].strip('-')}"
        lines.append(f"  {option:16} {words.say(key)}")
    lines += ["", words.say("help.more")]
    return "\n".join(lines)


_SHOW_HELP = re.compile(r"Show\s+this\s+message\s+and\s+exit\.")
"""What the option --help says of itself, in a narrow terminal on several lines."""


def localised(words: Words, command: Any, name: str, write: Callable[[], str]) -> str:
    """The help page of a command: its texts from the messages ``help.<command>`` and ``help.<command>.<parameter>``."""
    key = f"help.{name}"
    if words.has(key):
        command.help = words.say(key)
        if words.has(f"{key}.more"):
            command.help += "\n\n\b\n" + words.say(f"{key}.more")
    for sub in commands_of(command):
        if words.has(f"{key}.{sub.name}"):
            sub.help = sub.short_help = words.say(f"{key}.{sub.name}")
    for parameter in command.params:
        option = next((o.strip("-") for o in parameter.opts if o.startswith("--")), parameter.name)
        for candidate in (f"{key}.{option}", f"{key.rpartition('.')[0]}.{option}", f"help.option.{option}"):
            if words.has(candidate):
                parameter.help = words.say(candidate)
                break
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
    return _SHOW_HELP.sub(words.say("help.option.help"), page)


def commands_of(command: Any) -> list[Any]:
    """The commands of a group, those included that are imported only when asked for; none for a plain command."""
    names = command.list_commands(None) if hasattr(command, "list_commands") else ()
    return [command.get_command(None, name) for name in names]


def usage_error(error: click_exceptions.UsageError) -> InputError:
    """A mistake on the command line as one of our errors."""
    if isinstance(error, click_exceptions.NoSuchOption):
        near = list(error.possibilities or ()) or _options(error)
        return InputError("unknown-option", name=error.option_name[:40], candidates=sorted(near))
    if isinstance(error, click_exceptions.MissingParameter):
        return InputError("missing-argument", name=_name(error))
    if isinstance(error, click_exceptions.BadParameter):
        number = _NOT_A_NUMBER.match(error.message)
        if number is not None:
            return InputError("bad-number", name=_name(error), value=number[1][:40])
        return InputError("bad-argument", name=_name(error), problem=error.message.rstrip("."))
    if isinstance(error, click_exceptions.BadOptionUsage):
        several = _SEVERAL.search(error.message)
        if several is not None:
            return InputError("missing-values", name=error.option_name, n=int(several[1]))
        return InputError("missing-value", name=error.option_name)
    unknown = _NO_COMMAND.match(error.message)
    if unknown is not None:
        return InputError("unknown-command", name=unknown[1][:40], candidates=_commands(error))
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


def _commands(error: click_exceptions.UsageError) -> list[str]:
    if error.ctx is None:
        return []
    command: Any = error.ctx.command
    return list(command.list_commands(error.ctx)) if hasattr(command, "list_commands") else list(command.commands)
