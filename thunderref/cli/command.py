"""The parts of commands: their options and what these read, help pages and usage errors in the language of the run."""

from __future__ import annotations

import gc
import importlib
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from copy import copy
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from io import BytesIO
from itertools import pairwise
from types import NoneType, UnionType
from typing import IO, TYPE_CHECKING, Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from thunderref import files
from thunderref.cli.session import SHARED, json_text, session
from thunderref.errors import InputError

if TYPE_CHECKING:
    from thunderref.database.validation import Record

HELP = ("--help", "-h")
SHELL_CHOICE = ("--show-completion", "--install-completion")
"""Options that mean the user's own shell if no word follows."""
ReadsLine = Callable[[list[str], list[str]], list[str] | None]
"""Makes of a line, and of the commands there are, the words of a command; None if it cannot be read."""
CARD_LISTS = ("CARDS", "HERO", "HERO[:HERO]")
"""What the value of an option is called that names cards."""
STACKS = ("--stacks", "--village")
"""The option for what the village offers, then its former name, which no help shows: a battle's document has that."""
QUICK = ("card", "cards", "rule", "ask")
"""Commands too short for garbage collection (switched off while starting) to pay."""


class _LocalizedCommand:
    """Mixin that adds the shared options, translated help pages and one-sentence usage errors."""

    params: list[Any]

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for option in map(copy, SHARED.params):
            option.expose_value = False  # :func:`start` has read it and taken it away
            self.params.append(option)

    def get_help_option_names(self, ctx: Any) -> list[str]:
        return [*HELP]

    def get_help(self, ctx: Any) -> str:
        from thunderref.cli.help_pages import help_page

        brief = HELP[1] in session().command and HELP[0] not in session().command
        page = help_page(session().words, ctx, brief=brief)
        return json_text({"help": page}) if session().json else page

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = self._join_lists(self._write_dashes(args, negative=ctx.ignore_unknown_options))
        try:
            remaining: list[str] = super().parse_args(ctx, [*words])  # type: ignore[misc]
            return remaining
        except TyperException as error:
            from thunderref.cli.help_pages import usage_error

            raise usage_error(error, ctx, words) from None

    def _write_dashes(self, args: list[str], *, negative: bool) -> list[str]:
        """Return the words with dashes where a hyphen begins no option: an empty rank, "-3 militia", "--- deck ---".

        Values of options stay, as do ``negative`` numbers and, of a group, the words behind its first.
        """
        is_group = isinstance(self, CommandGroup)
        if not is_group and all(param.nargs != -1 for param in self.params):  # a file, a number: no words of a list
            return args
        dashed = re.compile(r"-+(?!-)\W" if negative else r"-+(?!-)\W|-\d").match
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        pairs = [*pairwise(["", *args])][: 1 if is_group else None]
        words = [f"–{word[1:]}" if before not in valued and dashed(word) else word for before, word in pairs]
        return words + args[len(words) :]

    def _join_lists(self, args: list[str]) -> list[str]:
        """Return the words with a list of cards behind an option as one, as far as the next option.

        Where no word stands before the option, a list goes on only behind a comma: the rest may be the hand.
        """
        lists = {name for param in self.params if param.metavar in CARD_LISTS for name in param.opts}
        words, is_list, is_behind = list[str](), False, False
        for word in args:
            last = words[-1] if words else ""
            is_value = last.startswith("--")
            if is_list and not is_value and not word.startswith("--") and (is_behind or last.endswith(",")):
                words[-1] += f" {word}"
                continue
            is_list = word in lists or (is_list and is_value)
            is_behind = is_behind or not (is_value or word.startswith("--"))
            words.append(word)
        return words


class Command(_LocalizedCommand, TyperCommand):
    def invoke(self, ctx: Any) -> Any:
        session().check_tonight()
        return super().invoke(ctx)


command_of = cache(typer.main.get_command)
"""The command of an app, made once in a process; what it says is in the language of the run."""


class CommandGroup(_LocalizedCommand, TyperGroup):
    """Commands under one name; those of ``modules`` are imported only when they are called."""

    modules: ClassVar[Mapping[str, str]] = {}
    """Command -> module of this package whose ``app`` has it, or is it; or ``module:name`` of another app there."""
    reads: ClassVar[list[ReadsLine]] = []
    """What reads a line that begins with no command of the group, if anything does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of a group: ``--help card`` is ``card --help``, ``setup 4`` is for four players."""
        if args and args[0].removeprefix("-").isdecimal() and any(option.name == "players" for option in self.params):
            args = ["--players", *args]
        if args and args[0] in HELP and any(word in self.list_commands(ctx) for word in args):
            args = [*args[1:], "--help"]
        if args and args[-1] in SHELL_CHOICE:
            args = [*args, ""]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command of the first word and its words: ``help card`` is ``card --help``, no command a look-up."""
        name, *words = args
        names = self.list_commands(ctx)
        if name == "help" and words[:1] and words[0] in names:
            name, *words = [*words, "--help"]
        elif name == "help":
            print(ctx.get_help())
            raise typer.Exit
        in_words = name == "setup" and len(words) > 1 and words[0] != "history"
        in_words = in_words and words[0][:1] != "-" and any(map(str.isalpha, words[:2]))
        for read in self.reads if name not in names and name[:1] != "-" else ():
            name, *words = read(args, names) or args
        if ctx.parent is not None or (name in names and not in_words) or name.startswith("-"):
            return super().resolve_command(ctx, [name, *words])
        if HELP[0] in args or HELP[1] in args:
            print(ctx.get_help())
            raise typer.Exit
        from thunderref.cli.door import command_line

        name, *words = command_line(session(), args, self.list_commands(ctx))
        return super().resolve_command(ctx, [name, *words])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException:  # all other mistakes are our own errors by now
            raise InputError("missing-command", candidates=self.list_commands(ctx)) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands, but for those kept only for who knows them."""
        return list(dict.fromkeys((*self.modules, *(name for name, sub in self.commands.items() if not sub.hidden))))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.commands or cmd_name.startswith("-"):
            return self.commands.get(cmd_name)
        if cmd_name not in self.modules:
            from thunderref.cli.help_pages import find_near

            near = find_near(cmd_name, self.list_commands(ctx))
            raise InputError("unknown-command", name=cmd_name[:40], candidates=near, command=ctx.command_path)
        if cmd_name not in QUICK:
            gc.freeze()
            gc.enable()
        module, _, name = self.modules[cmd_name].partition(":")
        command = command_of(getattr(importlib.import_module(f"{__package__}.{module}"), name or "app"))
        self.commands[cmd_name] = getattr(command, "commands", {}).get(cmd_name, command)
        return self.commands[cmd_name]


class CommandApp(typer.Typer):
    """The app of one module of commands: plain help, no tracebacks of its own, no shell completion."""

    def __init__(
        self, modules: Mapping[str, str] | None = None, *, read_line: ReadsLine | None = None, **settings: Any
    ) -> None:
        group = type("Commands", (CommandGroup,), {"modules": modules or {}, "reads": [read_line] if read_line else []})
        plain: dict[str, Any] = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}
        super().__init__(cls=group, **plain, **settings)

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **settings: Any
    ) -> Callable[[Any], Any]:
        return super().command(name, cls=cls or Command, **settings)


def share_options(**shared: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options of other functions; the command receives what these return.

    With ``@share_options(battle=read_battle)`` the options of ``read_battle`` replace the command's ``battle``.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        parameters: list[Parameter] = []
        for parameter in signature(command, eval_str=True).parameters.values():
            read = shared.get(parameter.name)
            parameters += signature(read, eval_str=True).parameters.values() if read else [parameter]

        @wraps(command)
        def run(**values: Any) -> None:
            for name, read in shared.items():
                values[name] = read(**{option: values.pop(option) for option in signature(read).parameters})
            command(**values)

        alike = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
        run.__signature__ = Signature(alike)  # type: ignore[attr-defined]
        return run

    return decorate


def options_of(record: type, *names: str) -> Callable[..., dict[str, Any]]:
    """Options for these fields of a document, as its record declares them, for :func:`share_options`.

    A list is one of cards, separated by commas. The command receives the fields' values, None for what is left out.
    """
    options, lists = dict[str, tuple[Any, Any]](), set[str]()
    for name, hint in ((name, get_type_hints(record)[name]) for name in names):
        kind, *_ = (arm for arm in (get_args(hint) if isinstance(hint, UnionType) else (hint,)) if arm != NoneType)
        metavar = "|".join(get_args(kind)) if get_origin(kind) is Literal else "CARDS" if kind == list[str] else None
        lists |= {name} if kind == list[str] else set()
        annotation: Any = bool if kind is bool else (str if metavar else kind) | None
        flags = STACKS if name in ("stacks", "village") else (f"--{name.replace('_', '-')}",)
        options[name] = Annotated[annotation, typer.Option(*flags, metavar=metavar)], False if kind is bool else None
    return reader_of(options, lists)


def reader_of(options: Mapping[str, tuple[Any, Any]], lists: Collection[str] = ()) -> Callable[..., dict[str, Any]]:
    """A function that takes these options (name -> type and default) and returns their values; ``lists`` are cards."""

    def read(**values: Any) -> dict[str, Any]:
        return {name: entries_of(value) if name in lists else value for name, value in values.items()}

    items = options.items()
    specs = [Parameter(n, Parameter.KEYWORD_ONLY, default=default, annotation=kind) for n, (kind, default) in items]
    read.__signature__ = Signature(specs)  # type: ignore[attr-defined]
    return read


def given_options(ctx: typer.Context) -> set[str]:
    """The options and arguments with a value on the command line, as typed."""
    nothing: tuple[Any, ...] = ((), "")
    return {
        str(parameter.metavar if parameter.param_type_name == "argument" else parameter.opts[0])
        for parameter in ctx.command.params
        if (value := ctx.params.get(str(parameter.name))) not in nothing and value is not None and value is not False
    }


SEARCH_SECONDS: float | None = 4.0
"""Default of --budget for a search, in seconds; None is no limit."""


def _check_limit(limit: int | None) -> int | None:
    if limit is not None and limit < 1:
        raise InputError("bad-limit", value=limit)
    return limit


def _check_budget(budget: float | None) -> float | None:
    if budget is None:
        return SEARCH_SECONDS
    if not budget >= 0:
        raise InputError("bad-budget", budget=f"{budget:g}")
    return budget or None


def _check_rank(rank: int | None) -> int | None:
    if rank is not None and not 0 <= rank <= 3:
        raise InputError("bad-rank", rank=str(rank))
    return rank


def check_workers(workers: str | None) -> str | None:
    if workers is not None:
        from thunderref.workers import number_of_workers

        number_of_workers(workers)
    return workers


def _check_scheduler(scheduler: str | None) -> str | None:
    if scheduler is not None:
        from thunderref.workers import check_scheduler

        check_scheduler(scheduler)
    return scheduler


Limit = Annotated[int | None, typer.Option("--limit", callback=_check_limit)]
Query = Annotated[list[str] | None, typer.Argument(metavar="QUERY…")]
Question = Annotated[list[str] | None, typer.Argument(metavar="QUESTION…")]
Hand = Annotated[list[str] | None, typer.Argument(metavar="HAND…")]
Rank = Annotated[int | None, typer.Option("--rank", callback=_check_rank)]
File = Annotated[str | None, typer.Option("--file", metavar="FILE")]
Ruleset = Annotated[str | None, typer.Option("--ruleset", metavar="print|yucata")]
Readings = Annotated[list[str] | None, typer.Option("--reading", metavar="NAME=VALUE")]
Force = Annotated[bool, typer.Option("--force")]
Scheduler = Annotated[str | None, typer.Option("--scheduler", metavar="processes|ADDRESS", callback=_check_scheduler)]
Seconds = Annotated[float | None, typer.Option("--budget", callback=_check_budget)]


def read_battle(
    hand: Hand = None,
    hall: Annotated[str | None, typer.Option("--hall", metavar="CARDS")] = None,
    rank0: Annotated[str | None, typer.Option("--rank0", metavar="CARDS")] = None,
    rank: Rank = None,
    dungeon: Annotated[str | None, typer.Option("--dungeon", metavar="CARDS")] = None,
    ruleset: Ruleset = None,
    readings: Readings = None,
) -> dict[str, Any]:
    """The options of a battle as the keys of its document, None for those left out."""
    from thunderref.search.understand import in_ranks, reader, split_hall

    words = session().words
    hand_text, against, extra = reader(words).split_battle(" ".join(hand or []), slips=hall is None)
    again = None if against is None else reader(words).split_battle(against, slips=False)[1]
    if against is not None and (hall is not None or again is not None):
        raise InputError("two-halls")
    hall, target = hall if against is None else against, extra.get("target") if rank is None else rank
    ranks = None if hall is None else split_hall(hall, words)
    return {
        "hand": entries_of(hand_text or None), "hall": ranks and in_ranks(ranks, extra.get("target"), ""),
        "rank0": entries_of(rank0), "target": target, "dungeon": entries_of(dungeon), "ruleset": ruleset,
        "readings": readings or None, **{key: value for key, value in extra.items() if key != "target"},
    }  # fmt: skip


def read_hand(typed: list[str] | None) -> tuple[list[str] | None, dict[str, Any]]:
    """Return the cards of a hand, None if none is typed, and what follows it: stacks, XP, known draws."""
    from thunderref.search.understand import reader

    hand_text, hall, extra = reader(session().words).split_battle(" ".join(typed or []), slips=False)
    if hall is not None or "target" in extra:
        hand_text, extra = " ".join(typed or []), {}
    return entries_of(hand_text or None), extra


def entries_of(text: str | None) -> list[str] | None:
    from thunderref.search.understand import split_list

    return None if text is None else split_list(text, session().words)


def document_of(record: type[Record], file: str | None, **fields: Any) -> dict[str, Any]:
    """The document in a file, if any, with what a line without a command says and the given values that are not None.

    Raises :class:`InputError` for a value in the file that does not fit ``record``, so that more can be joined to it.
    """
    understood = session().read_as
    values = {**understood.document} if understood else {}
    values |= {key: value for key, value in fields.items() if value is not None}
    if "stacks" in values and "village" in record.__struct_fields__:  # as a battle calls them
        values["village"] = values.pop("stacks")
    if file is None:
        return values
    from thunderref.thunderstone.resolve.documents import check_fields

    document = read_file(file) | values
    check_fields(record, document)
    return document


def read_file(name: str) -> dict[str, Any]:
    document = (files.parse_toml if is_toml(name) else files.parse_json)(read_text(name), name)
    if not isinstance(document, dict):
        raise InputError("document-not-an-object")
    return document


def read_text(name: str) -> str:
    """The text of a file, of standard input for ``-``, as :func:`thunderref.files.read_text`."""
    return files.read_text(name, _standard_input() if name == "-" else None)


def lines_of(name: str) -> Iterator[str]:
    """The lines of a file, of standard input for ``-``, as :func:`thunderref.files.lines_of`."""
    return files.lines_of(name, _standard_input() if name == "-" else None)


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:  # closed by the caller
        raise InputError("no-input")
    return getattr(sys.stdin, "buffer", None) or BytesIO(sys.stdin.read().encode())


def is_toml(name: str) -> bool:
    return name.lower().endswith(".toml")
