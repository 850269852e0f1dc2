"""Hostile input: random and mutated words, documents, files and environments for every command, tried in a sandbox.

    PYTHONPATH=tests python -m support.hostile FOLDER FIRST COUNT     what went wrong, one JSON object a line

Whatever a command is given, it ends with one of its exit statuses, one line that says what is wrong, and no character
that steers a terminal; nothing but the folder is written to, nothing asked of a network, no program started.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
import sys
import tomllib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import typer

from support import EXAMPLES
from support.systems import is_nameless

SECONDS = 40
"""An input that takes longer hangs."""
NASTY = (
    "", " ", "-", "--", "?", "0", "-1", "²", "٣", "1e400", "nan", "inf", "9" * 5000,
    "8" * 5000 + " militia", "militia#" + "7" * 5000, "1" * 19, "0" * 9 + "1999", "+1",
    "\x1b]0;title\x07", "\x1b[2Jcard", "a\nb", "a\rb", "a\u2028b", "a\x85b", "\u202ecard", "\u200b", "\u200f", "\ufeff",
    "\udce9", "{", "}", "{0.__class__}", "{candidates}", "%s%n", "[bold]x[/bold]", "[/]", "\\", "'", '"', "*",
    "OR", "NEAR(",
    "x" * 3000, "ż" * 300, "🐉" * 40, "a,b,,c", ",", ",,,", "/", "vs", ":", "=", "a=b=c", "kind:", "cost<=x", "()",
    "#", "#2",
    "militia#2", "militia#999999999999999999", "none", "null", "true", "[]", "{}", '"x"', "..", ".", "nothing.json",
)  # fmt: skip
NAMES = (
    "militia", "2 militia", "elf wizard", "torch", "ognenny shar", "огненный шар", "kula ognia",
    "short sword on militia",
    "blink dog", "suffering", "uyril", "R5.11", "light penalty", "прорыв", "disease", "Ann, Bob", "random, random",
    "base", "wrath", "en", "pl", "ru", "en,pl", "json", "html", "markdown", "text", "print", "yucata", "win", "max",
    "solo", "epic", "normal", "I2", "L3", ".H1./y.HH/..t.", "wood", "kind:hero", "cost<=5", "why-not", "1", "2",
    "3", "5", "42",
)  # fmt: skip
SOUND = (
    ("resolve", "2 militia, elf wizard, short sword, torch", "--hall", "blink dog, suffering, uyril"),
    ("resolve", "--file", "f0.json"), ("resolve", "--file", "f1.toml"),
    ("resolve", "--batch", "f0.jsonl", "--jobs", "1"),
    ("resolve", "militia, torch", "--hall", "griffon", "--explain", "why-not torch on militia", "--rank", "1"),
    ("resolve", "militia, torch", "--hall", "griffon", "--other", "fireball, militia", "--reading", "R5.3=any"),
    ("odds", "--deck-list", "6 militia, 2 torch", "--next-hand", "--seed", "1", "--samples", "20"),
    ("odds", "militia, torch", "--deck-list", "torch", "--hall", "griffon", "--discard", "militia"),
    ("village", "militia, torch", "--deck", "militia", "--stacks", "short sword", "--xp", "3", "--players", "2"),
    ("village", "--file", "f0.json"), ("village", "militia", "--plan", '[{"buy": "torch"}]'),
    ("village", "militia", "--plan", "f0.json"), ("score", "--file", "f0.json"),
    ("score", "--deck", "Ann: griffon", "--deck", "Bob: militia", "--penalty", "Ann: 1"),
    ("card", "fireball", "--limit", "3"), ("cards", "kind:hero", "cost<=5", "--sort", "cost"),
    ("rule", "light", "penalty"),
    ("ask", "what", "is", "a", "disease"), ("puzzle", "3", "--answer"), ("glossary", "check", "f0.toml"),
    ("glossary", "export", "--format", "html", "--output", "new.json"), ("db", "info"), ("db", "path"),
    ("setup", "--players", "3", "--seed", "5", "--save", "new.json"), ("setup", "--code", "377QJT55S7ZGJVG34ZS"),
    ("setup", "--after", "f0.json", "--left", "2 blink dog", "--scores", "31,28"), ("setup", "--avoid-recent"),
    ("setup", "--require", "fireball", "--exclude", "torch", "--variant", "solo", "--why", "--format", "markdown"),
    ("setup", "--after", "377SQUGGAFRYVYH7NFW", "--scores", "31, 28"),
    ("setup", "--after", "377SQUGGAFRYVYH8LGU", "--left", "7", "--winner", "1"),
    ("setup", "--after", "377SQUGGAFRYVYH8LGU", "--left", "2 blink dog, sphinx", "--winner", "2"),
    ("play", "--after", "377SQUGGAFRYVYH9JHS", "--players", "random, random", "--scores", "31, 28"),
    ("setup", "--code", "377QJT55S7ZGJVG34ZS", "--lock", "fireball", "--reroll", "1"),
    ("setup", "history"), ("play", "--players", "Ann, random", "--seed", "5", "--save", "new.json"),
    ("play", "--resume", "f0.json"), ("play", "--players", "Ann", "--after", "f0.json", "--scores", "5"),
    ("thorgal", "round", "start", "--players", "2", "--file", "new.json"), ("thorgal", "round", "--file", "f0.json"),
    ("thorgal", "round", "act", "3", "--file", "f0.json"), ("thorgal", "round", "wound", "1", "3", "--file", "f0.json"),
    ("thorgal", "round", "threat", "1", "+2", "--file", "f0.json"), ("thorgal", "round", "undo", "--file", "f0.json"),
    ("thorgal", "fight", ".H1./y.HH/..t.", "--tiles", "I2, L3"), ("thorgal", "wander", "..../....", "--actions", "2"),
    ("thorgal", "gather", "..../....", "--tiles", "I2"), ("thorgal", "wounds", "..../....", "3"), ("thorgal", "fields"),
    ("thorgal", "rule", "threat"), ("thorgal", "ask", "threat"), ("thorgal", "setup", "--players", "3"),
)  # fmt: skip
"""Command lines that are in order, each to be spoilt."""
VARIABLES = (
    "THUNDERREF_LANG",
    "LANG",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "TERM",
    "XDG_STATE_HOME",
    "XDG_DATA_HOME",
)
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
SLOW_WORDS = frozenset(("play", "odds"))
OF_THE_CHECKOUT = (["db", "build"], ["db", "format"])
"""Commands for those who work on the program: they write among its sources."""
ENDLESS = ["serve"]
"""Waits for visitors at an address of the machine; its input is spoilt in tests/serve."""
ABROAD = ["site"]
"""Asks the network, and starts another program: its refusals are in tests/site."""


class Input(NamedTuple):
    """What a run of the program is given: its words, standard input (None: closed), files by name, variables."""

    words: list[str]
    stdin: bytes | None
    files: dict[str, bytes]
    variables: dict[str, str]


class Commands:
    """Every command with its options, as the program itself declares them."""

    def __init__(self) -> None:
        from thunderref.cli.app import app

        self.found: list[tuple[list[str], list[tuple[str, bool]]]] = []
        root = typer.main.get_command(app)
        with root.make_context("thunderref", [], resilient_parsing=True) as ctx:
            self._walk(root, ctx, [])

    def _walk(self, command: Any, ctx: Any, path: list[str]) -> None:
        options = [
            (name, bool(p.is_flag))
            for p in command.params
            if p.param_type_name == "option"
            for name in p.opts
            if name not in ("--lang", "--json", "--simulate")  # which starts processes
        ]
        if path not in (*OF_THE_CHECKOUT, ENDLESS, ABROAD):
            self.found.append((path, options))
        for name in command.list_commands(ctx) if hasattr(command, "list_commands") else ():
            self._walk(command.get_command(ctx, name), ctx, [*path, name])


def documents() -> list[dict[str, Any]]:
    """Documents that are in order: examples of battles and turns, to be spoilt."""
    found: list[dict[str, Any]] = [
        {"hand": ["militia", "torch"], "hall": ["griffon", None, "suffering"], "plan": [{"attack": 1}]},
        {"hand": ["militia"], "stacks": ["short-sword"], "plan": [{"buy": "short-sword"}]},
        {"players": {"Ann": ["griffon"], "Bob": ["militia"]}, "penalties": {"Ann": 1}},
        {"hand": ["elf-wizard"], "hall": ["griffon"], "why_not": ["torch on elf-wizard"]},
        {"format": "thunderref-thorgal-round", "version": 1, "steps": [
            {"do": "start", "names": ["", ""], "solo": False, "adventure": "", "length": 0, "row": [], "first": 0},
            {"do": "act", "seat": 0, "card": 3, "from": 0, "free": False},
        ]},
        {"setups": [{"code": "x", "cards": ["militia"]}]},
    ]  # fmt: skip
    for file in ("rulebook.toml", "turns.toml", "puzzles.toml"):
        for tables in tomllib.loads((EXAMPLES / file).read_text("utf-8")).values():
            if isinstance(tables, list):
                found += [
                    {k: v for k, v in table.items() if k not in ("name",)}
                    for table in tables[:20]
                    if isinstance(table, dict)
                ]
    return found


def spoilt(rng: random.Random, value: Any) -> Any:
    """The value with something in it changed for the worse."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        roll = rng.random()
        if roll < 0.15:
            return {k: v for k, v in value.items() if k != key}
        if roll < 0.3:
            return {**value, rng.choice(NASTY + NAMES): strange(rng)}
        return {**value, key: spoilt(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        place = rng.randrange(len(value))
        if rng.random() < 0.2:
            return value * rng.choice((0, 2, 30))
        return [*value[:place], spoilt(rng, value[place]), *value[place + 1 :]]
    return strange(rng)


def strange(rng: random.Random) -> Any:
    deep: Any = []
    for _ in range(rng.choice((1, 40, 70))):
        deep = [deep]
    return rng.choice((
        None, True, False, 0, -1, 5, 10**14, 10**40, 0.5, float("nan"), float("inf"), [], {}, deep, [None], {"a": 1},
        rng.choice(NASTY), rng.choice(NAMES), [rng.choice(NAMES)] * 3,
    ))  # fmt: skip


def garbled(rng: random.Random, content: bytes) -> bytes:
    """The bytes with a few changed, or cut short."""
    if not content or rng.random() < 0.6:
        return content
    if rng.random() < 0.3:
        return content[: rng.randrange(len(content))]
    spoiled = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        spoiled[rng.randrange(len(spoiled))] = rng.choice(
            (0, 0x1B, 0x22, 0x2C, 0x5B, 0x7B, 0x80, 0xFF, 0x0A, rng.randrange(256))
        )
    return bytes(spoiled)


def written(rng: random.Random, whole: list[dict[str, Any]]) -> bytes:
    document: Any = rng.choice(whole)
    for _ in range(rng.randint(0, 3)):
        document = spoilt(rng, document)
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.05:
        text = rng.choice(
            ("[" * 100_000, '{"a":' * 2000, "9" * 6000, '{"a":1,"a":2}', "", "\x00", "a = [" * 500, "a.b.c = 1")
        )
    return garbled(rng, text.encode("utf-8", "surrogatepass"))


def word(rng: random.Random, files: list[str]) -> str:
    roll = rng.random()
    if roll < 0.35:
        return rng.choice(NAMES)
    if roll < 0.65:
        return rng.choice(NASTY)
    if roll < 0.8:
        return rng.choice(files)
    if roll < 0.9:
        return ", ".join(rng.choice(NAMES + NASTY[:20]) for _ in range(rng.randint(1, 6)))
    text = list(rng.choice(NAMES))
    rng.shuffle(text)
    return "".join(text)


def hostile(seed: int, commands: Commands, whole: list[dict[str, Any]]) -> Input:
    """The input of that number."""
    rng = random.Random(seed)
    files = {name: written(rng, whole) for name in ("f0.json", "f0.toml", "f1.toml", "f0.jsonl")}
    places = [*files, "-", "folder", "pipe", "loop", "new.json", "no/where", "x" * 300, "folder/../f0.json"]
    sound = rng.choice(SOUND)
    path, options = rng.choice(commands.found)
    if SLOW_WORDS.intersection(path) and rng.random() < 0.6:
        path, options = rng.choice(commands.found)
    words = list(path)
    for _ in range(rng.randint(0, 3)):
        words.append(word(rng, places))
    for name, is_flag in rng.sample(options, min(len(options), rng.randint(0, 4))):
        words += [name] if is_flag else [name, word(rng, places)]
    if rng.random() < 0.6:
        words = [word(rng, places) if rng.random() < 0.12 else each for each in sound]
        if rng.random() < 0.3:
            words.insert(rng.randrange(len(words) + 1), word(rng, places))
    if rng.random() < 0.35:
        words += ["--json"]
    if rng.random() < 0.4:
        words += ["--lang", rng.choice(("pl", "ru", "en", "de", "en,pl", ""))]
    if rng.random() < 0.1:
        words[rng.randrange(len(words) + 1) :] = [rng.choice(NASTY)]
    variables = {name: word(rng, places) for name in VARIABLES if rng.random() < 0.12}
    stdin = None if rng.random() < 0.05 else garbled(rng, b"\n".join(
        rng.choice((written(rng, whole), rng.choice(NASTY).encode("utf-8", "replace"), b"1", b"q"))
        for _ in range(rng.randint(0, 4))
    ))  # fmt: skip
    clean = [each.replace("\0", "") for each in words]
    if "simulate" in clean:
        clean += ["--workers", "1", "--games", "2"]
    return Input(
        clean, stdin, files, {k: v.replace("\0", "").encode("utf-8", "replace").decode() for k, v in variables.items()}
    )


class EscapedError(BaseException):
    """Something outside the sandbox was about to be changed."""


def guard(sandbox: Path) -> None:
    """From now on this process may write below ``sandbox`` only, and start nothing, and reach nobody."""
    inside = os.path.realpath(sandbox)

    def check(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            place, _, flags = given
            if not isinstance(flags, int) or not flags & (
                os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
            ):
                return
            places = [os.path.join(place, "nameless") if is_nameless(flags) else place]
        elif event in ("os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate", "os.utime", "os.chown"):
            places = [given[0]]
        elif event in ("os.rename", "os.link", "os.symlink"):
            places = [given[0], given[1]]
        elif event.startswith(
            ("socket.connect", "socket.bind", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork")
        ):
            raise EscapedError(f"{event} {given!r}"[:300])
        else:
            return
        for place in places:
            if isinstance(place, int) or os.fsdecode(place) == os.devnull:
                continue
            if event == "os.mkdir" and os.path.isdir(place):  # a lock makes sure of its folder: nothing changes
                continue
            found = os.path.realpath(os.path.dirname(os.path.abspath(os.fsdecode(place))))
            if found != inside and not found.startswith(inside + os.sep):
                raise EscapedError(f"{event} {given!r}"[:300])

    sys.addaudithook(check)


def lay_out(sandbox: Path, given: Input) -> None:
    """The folder as the input wants it: its files, a folder, a pipe, a link that leads nowhere."""
    import shutil

    for old in list(sandbox.iterdir()):
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    for name, content in given.files.items():
        (sandbox / name).write_bytes(content)
    (sandbox / "folder").mkdir()
    os.mkfifo(sandbox / "pipe")
    (sandbox / "loop").symlink_to("loop")


def faults(given: Input, sandbox: Path) -> Iterator[str]:
    """What the program does wrong with the input; it is run in this process."""
    lay_out(sandbox, given)
    environment = {**os.environ, **given.variables}
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    stdin = None if given.stdin is None else io.TextIOWrapper(io.BytesIO(given.stdin), encoding="utf-8")
    status: Any = None
    problem = ""

    def too_long(*_: object) -> None:
        raise EscapedError(f"still at work after {SECONDS} s")

    saved = dict(os.environ), sys.stdin, sys.stdout, sys.stderr
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    try:
        os.environ.clear()
        os.environ.update(environment)
        sys.stdin, sys.stdout, sys.stderr = stdin, out, err  # type: ignore[assignment]
        from thunderref.cli.app import main

        main(given.words)
    except SystemExit as end:
        status = end.code
    except BaseException:
        problem = traceback.format_exc(limit=-6)
    finally:
        signal.alarm(0)
        os.environ.clear()
        os.environ.update(saved[0])
        sys.stdin, sys.stdout, sys.stderr = saved[1:]
    for stream in (out, err):
        stream.flush()
    shown, told = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))  # type: ignore[attr-defined]
    if problem:
        yield problem
        return
    if "answer cannot be written" in told:
        yield told
    if status not in (0, 1, 2, 130):
        yield f"exit status {status!r}"
    steering = STEERING.search(
        COLOUR.sub("", shown + told) if given.variables.get("FORCE_COLOR", "0") not in ("", "0") else shown + told
    )
    if steering:
        yield f"raw {steering[0]!r}"
    lines = told.splitlines()
    if status in (1, 2):
        yield from _told(given, shown, lines)
    elif "--json" in given.words and status == 0 and not {"--batch", "--"} & set(given.words):
        yield from _no_json(shown)


def _told(given: Input, shown: str, lines: list[str]) -> Iterator[str]:
    """What is wrong with how a refusal is told."""
    if lines:
        if len(lines) != 1 and "play" not in given.words:
            yield f"{len(lines)} lines of errors: {lines[:3]}"
        if len(lines[-1]) > 1500:
            yield f"an error of {len(lines[-1])} characters"
    elif "--json" in given.words and "--" not in given.words:
        yield from _no_json(shown)
    elif not shown:
        yield "not a word about what is wrong"


def _no_json(shown: str) -> Iterator[str]:
    try:
        json.loads(shown)
    except ValueError:
        yield f"no JSON: {shown[:200]!r}"


def main(folder: str, first: int, count: int) -> None:
    """Tries so many inputs from that number on, and prints what goes wrong."""
    sandbox = Path(folder).resolve()
    report = os.fdopen(os.dup(1), "w")  # the program may silence its own standard output
    os.environ.update(
        HOME=str(sandbox), XDG_STATE_HOME=str(sandbox / "state"), XDG_DATA_HOME=str(sandbox / "data"),
        THUNDERREF_DEBUG="1", LANG="C.UTF-8", TMPDIR=str(sandbox),
    )  # fmt: skip
    from thunderref.cli import command
    from thunderref.database.read import open_database

    open_database()
    command.SEARCH_SECONDS = 0.05
    commands, whole = Commands(), documents()
    os.chdir(sandbox)
    guard(sandbox)
    for seed in range(first, first + count):
        given = hostile(seed, commands, whole)
        for fault in faults(given, sandbox):
            print(
                json.dumps({"seed": seed, "words": given.words, "variables": given.variables, "fault": fault}),
                flush=True,
                file=report,
            )
    print(json.dumps({"tried": count}), file=report, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
