"""Completion in bash, zsh and fish: commands, options, their choices, names of cards, ids of rules.

The shell hands over the line up to the cursor; all three get their answer from the same words, a candidate a line.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PureWindowsPath
from typing import Any

import typer

from thunderref.cli.help_pages import long_name
from thunderref.cli.session import Session, convert_unforeseen, start
from thunderref.database.card_records import HALL_KINDS
from thunderref.database.paths import FIRST_GAME, Game
from thunderref.errors import InputError, ThunderrefError
from thunderref.search.card_list import steering_words
from thunderref.search.query import card_names, continue_name

SCRIPTS = {
    "bash": "_thunderref() { local IFS=$'\\n'; COMPREPLY=($(_THUNDERREF_COMPLETE=bash"
    ' _THUNDERREF_LINE="${COMP_LINE:0:COMP_POINT}" _THUNDERREF_BREAKS="$COMP_WORDBREAKS" "$1" 2>/dev/null))'
    " || compopt -o default 2>/dev/null; }; complete -o nosort -F _thunderref thunderref 2>/dev/null"
    " || complete -o default -F _thunderref thunderref",  # bash 3.2, that of macOS
    "zsh": "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; };"
    ' _thunderref() { local found; found="$(_THUNDERREF_COMPLETE=zsh'
    ' _THUNDERREF_LINE="${(j: :)words[1,CURRENT-1]} $QIPREFIX$IPREFIX$PREFIX" ${(Q)words[1]} 2>/dev/null)"'
    ' || { _files; return; }; [[ -n $found ]] || return; compadd -U -V thunderref -- "${(@f)found}";'
    " (( compstate[nmatches] < 2 )) || [[ ${(L)found} == ${(L)${(Q)PREFIX}}* ]] || compstate[insert]=; };"
    " compdef _thunderref thunderref",
    "fish": "complete --command thunderref --no-files --keep-order --arguments '(env _THUNDERREF_COMPLETE=fish"
    " _THUNDERREF_LINE=(commandline -cp | string collect) (commandline -opc)[1] 2>/dev/null;"
    " or __fish_complete_path (commandline -ct))'",
}
"""Shell -> the line that has it ask this program."""
START_FILES = {
    "bash": ("HOME", "~", ".bashrc"), "zsh": ("ZDOTDIR", "~", ".zshrc"),
    "fish": ("XDG_CONFIG_HOME", "~/.config", "fish/completions/thunderref.fish"),
}  # fmt: skip
"""Shell -> the file that it reads such a line from: the variable with its folder, the folder without it, its name."""
_HALL = ("hall", "rank0", "dungeon")
_END = "\N{SYMBOL FOR END OF TEXT}"
_PLAIN = re.compile(r"([^\w@%+=:,./-])")


def install(run: Session, name: str) -> None:
    """Has a shell complete from its next start on: adds the line to the file that it reads."""
    from thunderref.files import append_line

    shell = shell_of(name)
    variable, folder, name = START_FILES[shell]
    path = Path(os.environ.get(variable) or folder).expanduser() / name
    added = append_line(path, SCRIPTS[shell])
    sentence = run.words.say(f"completion.{'added' if added else 'there'}", shell=shell, file=str(path))
    run.answer({"shell": shell, "file": str(path), "added": added}, [(0, sentence)])


def shell_of(name: str) -> str:
    """The shell of that name, for none the user's own; raises :class:`InputError` for another one."""
    shell = name or PureWindowsPath(os.environ.get("SHELL", "")).name.removesuffix(".exe")  # which reads a slash, too
    if not shell:
        raise InputError("unknown-shell", candidates=[*SCRIPTS], why="unset")
    if shell not in SCRIPTS:
        raise InputError("unknown-shell", name=shell[:40], candidates=[*SCRIPTS])
    return shell


def complete(root: Any) -> int:
    """Prints how the line may go on; the exit status is 1 where the shell is to offer files."""
    shell, line = os.environ["_THUNDERREF_COMPLETE"], os.environ.get("_THUNDERREF_LINE", "")
    before, current, quote = _words(line)
    completions: list[str] | None = []
    try:
        with suppress(ThunderrefError):
            completions = suggestions(root, before[1:], current) if before else []
    except Exception as error:
        convert_unforeseen(error)
    if completions is None:
        return 1
    if quote and len(completions) == 1:
        completions.append(f"{completions[0]},")  # a single one would close the quotes, and a list may go on
    print("\n".join(_for_bash(completions, line, current, quote) if shell == "bash" else completions))
    return 0


def _words(line: str) -> tuple[list[str], str, str]:
    """The words of a line before the last, that one, and the quotation mark that is open in it."""
    for quote in ("", '"', "'"):
        with suppress(ValueError):
            *before, current = shlex.split(line + _END + quote)
            while before and "=" in before[0]:  # THUNDERREF_LANG=pl thunderref …
                del before[0]
            return before, current.removesuffix(_END), quote
    return [], "", ""


def _for_bash(candidates: Iterable[str], line: str, current: str, quote: str) -> list[str]:
    """The candidates without what bash does not count to the word, quoted as the word is."""
    if quote:
        prefix_length = len(current) - len(line.rpartition(quote)[2])
    else:
        prefix_length = 1 + max(
            current.rfind(sign) for sign in "=:" if sign in os.environ.get("_THUNDERREF_BREAKS", "=:") or sign == "="
        )
    endings = (value[max(prefix_length, 0) :] for value in candidates)
    if quote == "'":
        return [value.replace("'", "'\\''") for value in endings]
    return [(re.sub(r'(["$`\\])', r"\\\1", value) if quote else _PLAIN.sub(r"\\\1", value)) for value in endings]


def suggestions(root: Any, words: list[str], current: str) -> list[str] | None:
    """Return completions of the word ``current`` after these words of a command line; None for a file's name."""
    run = start(words)
    command, path, plain, waits = _read(root, words)
    ctx = typer.Context(command)
    options = [param for param in command.get_params(ctx) if param.param_type_name == "option"]
    argument = next((param for param in command.get_params(ctx) if param.param_type_name == "argument"), None)
    if waits is not None:
        return _values(run, path, waits, plain, current)
    name, sign, value = current.partition("=")
    if sign and current.startswith("--"):
        option = next((option for option in options if name in option.opts), None)
        candidates = _values(run, path, option, plain, value) if option is not None else []
        return None if candidates is None else [f"{name}={value}" for value in candidates]
    if current.startswith("-"):
        return [name for name in dict.fromkeys(map(long_name, options)) if name.startswith(current)]
    candidates = []
    if hasattr(command, "list_commands") and not plain:
        candidates = [word for word in command.list_commands(ctx) if word.startswith(current)]
    if candidates or (argument is None and path):
        return candidates
    return _values(run, path, argument, plain, current)


def _read(root: Any, words: Iterable[str]) -> tuple[Any, list[str], list[str], Any]:
    """The command that these words call, its path, the plain words after it, the option that waits for its value."""
    command, path, plain = root, list[str](), list[str]()
    waits, missing = None, 0
    for word in words:
        if missing:
            missing -= 1
        elif word.startswith("--"):
            options = command.get_params(typer.Context(command))
            waits = next((flag for flag in options if word in flag.opts and not getattr(flag, "is_flag", True)), None)
            missing = waits.nargs if waits is not None else 0
        elif hasattr(command, "list_commands") and word in command.list_commands(typer.Context(command)) and not plain:
            command = command.get_command(typer.Context(command), word)
            path.append(word)
        else:
            plain.append(word)
    return command, path, plain, waits if missing else None


def _values(run: Session, path: list[str], parameter: Any, plain: list[str], current: str) -> list[str] | None:
    """The values of an option or argument that go on from ``current``; None for a file's name."""
    name, metavar = (parameter.name, parameter.metavar or "") if parameter is not None else ("", "CARD")
    game: Game = "thorgal" if path[:1] == ["thorgal"] else FIRST_GAME
    if "FILE" in metavar:
        return None
    choices: Iterable[str]
    if name == "lang":
        choices = run.database.languages
    elif metavar == metavar.lower() and "|" in metavar:
        choices = metavar.split("|")
    elif metavar == "SHELL":
        choices = SCRIPTS
    elif metavar == "SET":
        choices = _column(run, "SELECT id FROM sets")
    elif metavar == "NAME=VALUE":
        choices = (f"{switch.name}={value}" for switch in run.database.switches.values() for value in switch[2:])
    elif metavar == "FILTER…":
        from thunderref.search.filters import known_filters

        choices = known_filters(run.database)
    elif path[-1:] == ["rule"]:
        ids = _column(run, "SELECT id FROM rules WHERE game = ? ORDER BY position", game)
        terms = _column(run, "SELECT DISTINCT name FROM names WHERE kind = 'term' AND game = ? AND lang = ?"
                        " AND position = 0", game, run.language)  # fmt: skip
        rules = [rule for rule in ids if current and rule.startswith(current.upper())]
        return rules + continue_name(terms, plain, current)
    elif game == FIRST_GAME and re.search(r"CARD|HAND|QUERY", metavar):
        behind = not {*steering_words(run.database, "against"), "/"}.isdisjoint(plain)
        kinds = HALL_KINDS if name in _HALL or behind else None
        before = plain if parameter is None or parameter.param_type_name == "argument" else []
        return continue_name(card_names(run.database, run.language, kinds), before, current)
    else:
        choices = _column(run, "SELECT id FROM setup_records WHERE kind = ?", name.replace("_", "-"))
    return [choice for choice in choices if choice.startswith(current)]


def _column(run: Session, sql: str, *values: Any) -> list[str]:
    return [str(value) for (value,) in run.database.query(sql, *values)]
