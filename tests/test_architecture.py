"""Who may import whom, who may print, and what the quick commands may load."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from support import ROOT
from thunderref.database.operations import Custom
from thunderref.database.read import open_database

PACKAGE = ROOT / "thunderref"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "data" not in path.relative_to(PACKAGE).parts)
LONGEST_MODULE = 700
SUBPACKAGES = ("rules", "resolve", "setup", "bots", "table", "simulate")

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "budget": set(),
    "files": {"errors"},
    "rng": set(),
    "statistics": set(),
    "workers": {"errors", "database"},
    "text": {"errors"},
    "database": {"errors", "files", "text"},
    "search": {"errors", "text", "database"},
    "thunderstone": {"database", "thunderstone.rules"},
    "thunderstone.rules": {"errors", "database"},
    "thunderstone.setup": {"errors", "files", "rng", "text", "database", "search", "thunderstone.rules"},
    "thunderstone.resolve": {
        "errors", "budget", "rng", "statistics", "text", "database", "search", "thunderstone", "thunderstone.rules",
    },
    "thunderstone.bots": {
        "errors", "budget", "rng", "statistics", "database", "thunderstone.rules", "thunderstone.resolve",
    },
    "thunderstone.table": {
        "errors", "budget", "files", "rng", "text", "database", "search", "thunderstone", "thunderstone.rules",
        "thunderstone.resolve", "thunderstone.setup", "thunderstone.bots",
    },
    "thunderstone.simulate": {
        "errors", "budget", "rng", "statistics", "workers", "text", "database", "thunderstone.rules",
        "thunderstone.resolve", "thunderstone.bots", "thunderstone.setup", "thunderstone.table",
    },
    "pages": {
        "errors", "text", "database", "search", "thunderstone.resolve", "thunderstone.setup", "thunderstone.table",
        "thorgal",
    },
    "answers": {
        "database", "pages", "thunderstone.resolve", "thunderstone.bots", "thunderstone.setup", "thunderstone.table",
        "thunderstone.simulate",
    },
    "arguments": {"errors", "database", "thunderstone.resolve", "thunderstone.setup"},
    "serve": {
        "answers", "errors", "budget", "files", "text", "database", "search", "thunderstone.rules",
        "thunderstone.resolve", "thunderstone.setup", "thunderstone.table", "thunderstone.simulate", "pages", "thorgal",
    },
    "site": {"answers", "errors", "files", "database", "pages", "search", "serve", "thunderstone.table", "thorgal"},
    "thorgal": {"errors", "files", "text", "database", "search"},
}  # fmt: skip
"""The floors of the house: package -> the other packages it may import. Only cli may import everything."""

WORLDLY = {"sqlite3", "sqlite_utils", "rich", "typer", "random", "secrets", "time", "datetime", "os", "sys", "io"}
"""Modules that would make the rules impure."""
HEAVY = {"pydantic", "pydantic_core", "sqlite_utils", "rich", "asyncio", "http", "email"}
SPEAKERS = {"print", "input", "breakpoint", "exit", "quit"}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def part(path: Path) -> str:
    """The sub-package (or top module) a file belongs to."""
    return package_of(path.relative_to(PACKAGE).with_suffix("").parts)


def package_of(parts: Sequence[str]) -> str:
    """``thunderstone.rules`` for what is in that folder, ``errors`` for a module at the top."""
    if parts[0] == "thunderstone":
        return ".".join(parts[:2]) if len(parts) > 2 or parts[-1] in SUBPACKAGES else parts[0]
    return parts[0]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def dotted(path: Path) -> str:
    """``thunderref.text`` for ``thunderref/text/__init__.py``."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


BY_NAME = {dotted(path): path for path in MODULES}


@cache
def imports(path: Path, *, for_types: bool = True) -> list[str]:
    """Full names of the modules imported anywhere in it; without ``for_types`` those that are loaded when it runs."""
    found = list[str]()
    nodes: list[ast.AST] = [tree(path)]
    while nodes:
        node = nodes.pop()
        if not for_types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes.extend(node.orelse)
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: absolute imports only"
            found.append(node.module or "")
            inside = (f"{node.module}.{alias.name}" for alias in node.names)
            found += [module for module in inside if module in BY_NAME]
        nodes.extend(ast.iter_child_nodes(node))
    return found


INSIDE = [path for path in MODULES if part(path) not in ("cli", "__init__", "__main__")]
RULES = [path for path in MODULES if part(path) == "thunderstone.rules"]
QUIET = [path for path in MODULES if part(path) != "cli"]


@cache
def calls(path: Path) -> set[str]:
    return {ast.unparse(node.func) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)}


def test_only_the_allowed_packages_are_imported() -> None:
    wrong = [
        f"{name(path)} imports {module}"
        for path in INSIDE
        for module in imports(path)
        if module.startswith("thunderref.")
        and package_of(module.split(".")[1:]) not in {part(path), *MAY_IMPORT[part(path)]}
    ]
    assert not wrong


def test_the_two_games_know_nothing_of_each_other() -> None:
    """What reads and judges Thunderstone does not name the other game at the table, nor the other way round."""
    ours = [path for path in MODULES if part(path).startswith("thunderstone")]
    assert not [name(path) for path in ours if "thorgal" in path.read_text("utf-8").lower()]
    theirs = [path for path in MODULES if part(path) == "thorgal"]
    assert theirs
    assert not [name(path) for path in theirs if "thunderstone" in path.read_text("utf-8").lower()]


def test_the_rules_know_nothing_of_the_world() -> None:
    assert not [f"{name(p)}: {m}" for p in RULES for m in imports(p) if m.split(".")[0] in WORLDLY]


def test_only_render_draws() -> None:
    users = {name(path) for path in MODULES if "rich" in {m.split(".")[0] for m in imports(path, for_types=False)}}
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
    assert users <= {"thunderstone.setup", "cli"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Inside functions and for types neither. What imports nothing that is left is taken away; only circles stay."""
    left = {}
    for module, path in BY_NAME.items():
        above = {module.rsplit(".", up)[0] for up in range(module.count(".") + 1)}
        left[module] = set(imports(path)) & BY_NAME.keys() - above
    while free := [module for module, needs in left.items() if not needs & left.keys()]:
        for module in free:
            del left[module]
    assert not left


def test_no_private_module_of_a_library_is_imported() -> None:
    private = [
        f"{name(path)}: {module}"
        for path in MODULES
        for module in imports(path)
        if any(part.startswith("_") and not part.endswith("__") for part in module.split("."))
    ]
    assert not private


def changed(path: Path) -> set[str]:
    """What the functions of a module set an element of or call a method of."""
    functions = [node for node in tree(path).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    nodes = [node for function in functions for node in ast.walk(function)]
    elements = [node for node in nodes if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)]
    methods = [node for node in nodes if isinstance(node, ast.Attribute)]
    return {ast.unparse(node.value) for node in (*elements, *methods)}


def test_no_module_keeps_what_was_last_in_a_list() -> None:
    """A cache belongs to an object: no list of a module, of one element or none, that a function changes."""
    kept = [
        f"{name(path)}: {variable}"
        for path in MODULES
        for node in tree(path).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.List)
        if len(node.value.elts) <= 1
        for variable in changed(path) & {re.split(r": | = ", ast.unparse(node))[0]}
    ]
    assert not kept


def test_modules_are_short() -> None:
    assert not {name(path) for path in MODULES if len(path.read_text("utf-8").splitlines()) > LONGEST_MODULE}


def test_a_type_name_means_one_thing() -> None:
    """A class with the name of another one is misread."""
    homes: dict[str, list[Path]] = {}
    for path in MODULES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(path)
    assert not [each for each, paths in homes.items() if len(paths) > 1]


def test_no_private_attribute_of_a_library_is_used() -> None:
    """Private is what begins with an underline and is defined nowhere in the module that uses it."""
    used = set()
    for path in MODULES:
        nodes = list(ast.walk(tree(path)))
        own = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
        own |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
        own |= {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AnnAssign)}
        used |= {
            f"{name(path)}: {node.attr}"
            for node in nodes
            if isinstance(node, ast.Attribute) and re.match(r"_(?!_|(asdict|replace|fields|make)$)", node.attr)
            if node.attr not in own
        }
    assert used == {"thunderref/__init__.py: _repr_mimebundle_"}  # a protocol of IPython's


def test_every_module_and_every_public_function_says_what_it_is_for() -> None:
    assert not [name(path) for path in MODULES if not ast.get_docstring(tree(path))]
    public = [node for node in tree(PACKAGE / "__init__.py").body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert public
    assert not [node.name for node in public if not ast.get_docstring(node)]


def test_no_card_is_named_in_the_code_of_the_rules() -> None:
    """Effects are data: the engine knows no card by its id but those the rules themselves name (R0.4, R0.5).

    A plain word (``torch``) may be a word of the rules too, so only ids of several words are looked for. A custom
    handler may bear the name of the one card that needs it.
    """
    database = open_database()
    handlers = {
        operation.name
        for effects in database.all_effects.values()
        for effect in effects
        for operation in effect.do
        if isinstance(operation, Custom)
    }
    ids = {card for card in database.cards if "-" in card} - handlers
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
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
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
    assert PACKAGE / "thunderstone" / "rules" / "legal.py" in compiled
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
