"""Who may import whom, who may print, and what the quick commands may load."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from thunderref.store.read import open_store

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "thunderref"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "data" not in path.relative_to(PACKAGE).parts)
LONGEST_MODULE = 450

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "chance": set(),
    "model": set(),
    "explain": {"model", "errors"},
    "engine": {"model", "errors", "explain"},
    "words": {"model", "errors", "store"},
    "lookup": {"model", "errors", "store", "words"},
    "store": {"model", "errors", "lookup", "engine"},
    "setup": {"model", "errors", "chance", "store", "words", "lookup"},
    "solve": {"model", "errors", "chance", "store", "words", "lookup", "engine", "explain"},
    "thorgal": {"model", "errors", "words", "store", "lookup"},
    "play": {"model", "errors", "chance", "store", "words", "lookup", "engine", "explain", "setup", "solve"},
}
"""Package -> the other packages of thunderref it may import. The store builds the search forms with lookup's
normaliser and hands the engine its book; only cli may import everything."""

WORLDLY = {"sqlite3", "sqlite_utils", "rich", "typer", "random", "secrets", "time", "datetime", "os", "sys", "io"}
"""Modules that would make the rules impure."""
HEAVY = {"pydantic", "pydantic_core", "sqlite_utils", "rich", "asyncio", "http", "email"}
SPEAKERS = {"print", "input", "breakpoint", "exit", "quit"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def part(path: Path) -> str:
    """The sub-package (or top module) a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path, *, at_start: bool = False) -> Iterator[str]:
    """Full names of the imported modules, those inside functions too unless ``at_start``."""
    nodes: list[ast.AST] = [tree(path)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes.extend(node.orelse)
            continue
        if at_start and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: absolute imports only"
            yield node.module or ""
            if node.module == "thunderref":
                yield from (f"thunderref.{alias.name}" for alias in node.names)
        nodes.extend(ast.iter_child_nodes(node))


INSIDE = [path for path in MODULES if part(path) not in ("cli", "__init__", "__main__")]
RULES = [path for path in MODULES if part(path) in ("engine", "explain")]
QUIET = [path for path in MODULES if part(path) != "cli"]


def calls(path: Path) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)}


def test_only_the_allowed_packages_are_imported() -> None:
    wrong = [
        f"{name(path)} imports {module}"
        for path in INSIDE
        for module in imports(path)
        if module.startswith("thunderref.") and module.split(".")[1] not in {part(path), *MAY_IMPORT[part(path)]}
    ]
    assert not wrong


def test_the_two_games_know_nothing_of_each_other() -> None:
    """What reads and judges Thunderstone does not name the other game at the table, nor the other way round."""
    ours = [path for path in MODULES if part(path) in ("engine", "explain", "solve", "setup")]
    assert not [name(path) for path in ours if "thorgal" in path.read_text("utf-8").lower()]
    theirs = [path for path in MODULES if part(path) == "thorgal"]
    assert theirs
    assert not [name(path) for path in theirs if "thunderstone" in path.read_text("utf-8").lower()]


def test_the_rules_know_nothing_of_the_world() -> None:
    assert not [f"{name(p)}: {m}" for p in RULES for m in imports(p) if m.split(".")[0] in WORLDLY]


def test_only_render_draws() -> None:
    users = {name(path) for path in MODULES if any(module.split(".")[0] == "rich" for module in imports(path))}
    assert users == {"thunderref/cli/render.py"}


def test_only_the_command_line_prints_and_exits() -> None:
    streams = ("sys.exit", "sys.stdout", "sys.stderr", "sys.stdin")
    said = [f"{name(p)}: {c}" for p in QUIET for c in calls(p) if c in SPEAKERS or c.startswith(streams)]
    assert not said
    raised = [
        f"{name(path)}: {ast.unparse(node)}"
        for path in QUIET
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Raise) and re.search(r"SystemExit|typer\.Exit|KeyboardInterrupt", ast.unparse(node))
    ]
    assert not raised


def test_only_the_command_line_reads_the_environment() -> None:
    outside = {"os.environ", "os.getenv", "os.environb", "sys.argv"}
    read = [
        f"{name(path)}: {ast.unparse(node)}"
        for path in QUIET
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in outside
    ]
    assert not read


def test_nothing_but_a_setup_is_random() -> None:
    users = {part(p) for p in MODULES for m in imports(p) if m.split(".")[0] in ("random", "secrets")}
    assert users <= {"setup", "cli"}


def test_modules_are_short_and_say_what_they_are() -> None:
    lists = {"thunderref/model/effect.py"}  # one record an operation: a list, not a program
    long = {name(path) for path in MODULES if len(path.read_text("utf-8").splitlines()) > LONGEST_MODULE}
    assert not long - lists
    assert not [name(path) for path in MODULES if not ast.get_docstring(tree(path))]


def test_no_card_is_named_in_the_code_of_the_rules() -> None:
    """Effects are data: the engine knows no card by its id but those the rules themselves name (R0.4, R0.5).

    A plain word (``torch``) may be a word of the rules too, so only ids of several words are looked for. A custom
    handler may bear the name of the one card that needs it.
    """
    store = open_store()
    handlers = {
        operation["name"]
        for effects in store.all_effects.values()
        for effect in effects
        for operation in effect.record.get("do", [])
        if operation["op"] == "custom"
    }
    ids = {card for card in store.cards if "-" in card} - handlers
    strings = {
        (name(path), node.value) for path in RULES for node in ast.walk(tree(path)) if isinstance(node, ast.Constant)
    }
    assert not sorted((path, value) for path, value in strings if value in ids)


@pytest.mark.parametrize(
    "words",
    [["card", "fireball"], ["card", "fireball", "--json"], ["card", "огненный", "шар", "--json"], ["db", "path"]],
    ids=" ".join,
)
def test_a_quick_command_loads_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys, json, atexit\n"
        f"sys.argv = ['thunderref', *{words!r}]\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from thunderref.__main__ import main\n"
        "main()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    loaded = {module.split(".")[0] for module in json.loads(run.stderr.splitlines()[-1])}
    drawn = {"rich"} if "--json" not in words else set()
    assert not loaded & (HEAVY - drawn)


def test_what_may_be_compiled_is_fit_for_it() -> None:
    """A struct made in a compiled module would not be frozen, and a compiled class has no heirs that are not.

    What a compiled class has cached would be worked out anew each time.
    """
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    hook = build["targets"]["wheel"]["hooks"]["mypyc"]
    left_out = {path for path in hook["exclude"] if path.startswith("/")}
    assert all((ROOT / path[1:]).is_file() for path in left_out)
    chosen = {path for pattern in hook["include"] for path in ROOT.glob(pattern[1:]) if path.stem != "__init__"}
    compiled = {path for path in chosen if f"/{name(path)}" not in left_out}
    assert PACKAGE / "engine" / "legal.py" in compiled
    defined = [(path, node) for path in MODULES for node in tree(path).body if isinstance(node, ast.ClassDef)]
    classes = {node.name: (path, node) for path, node in defined}
    wrong = [f"{name(path)}: cached_property" for path in compiled if "cached_property" in path.read_text("utf-8")]
    for path, node in defined:
        bases = {ast.unparse(base) for base in node.bases}
        if path in compiled and (node.keywords or bases & {"Struct", "Record", "BaseModel"}):
            wrong.append(f"{name(path)}: {node.name} is a struct or a record")
        heirs = [base for base in bases if base in classes and classes[base][0] in compiled]
        if path not in compiled and heirs:
            wrong.append(f"{name(path)}: {node.name} inherits from {', '.join(heirs)}, which is compiled")
    assert not wrong


def test_the_types_are_for_users_too() -> None:
    assert (PACKAGE / "py.typed").is_file()
