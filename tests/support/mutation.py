"""What the tests catch: the rules, the search and the data are changed, one fault at a time, in a copy of the checkout.

    cd tests
    python -m support.mutation --sample 100                          the homes in proportion to their SHARE
    python -m support.mutation --sample 40 --seed 7 --home resolve   one home only, another sample
    python -m support.mutation --sample 20 --list                    what would be changed, without running anything

One line a mutant: its home, the place, the change, and the test that failed first, or that it survived. At the end a
table by home, with Wilson's intervals. A survivor is a test that is missing, or a change that makes no difference: the
line cannot tell which. Docstrings, types, f-strings and what an event says are left as they are.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from thunderref.statistics import wilson

from . import ROOT

RESOLVE = "tests/thunderstone/resolve"
TOLD = f"{RESOLVE}/test_examples.py"
JUDGED = tuple(
    f"{RESOLVE}/test_{name}.py"
    for name in (
        "refusals", "plan_errors", "after_the_battle", "turns_without_battle", "village_examples", "either_reading",
        "missing", "short", "final_score", "puzzles",
    )
)  # fmt: skip
"""Tests of what is told about a turn that take little time."""
BY_ORACLE = "tests/oracle/test_examples_by_oracle.py"
GAMES = "tests/thunderstone/rules"
LOOKUPS = "tests/cli/test_card.py", "tests/cli/test_ask.py", "tests/cli/test_rule.py"


class Home(NamedTuple):
    """Where faults are made, and the tests that should see them: the quickest first, each list until one fails."""

    share: int
    files: tuple[str, ...]
    tests: tuple[tuple[str, ...], ...]


HOMES = {
    "rules": Home(60, ("thunderref/thunderstone/rules/**/*.py",), (
        (GAMES,), (TOLD, BY_ORACLE, *JUDGED),
        tuple(f"tests/thunderstone/table/test_{name}.py" for name in ("game_record", "every_task", "game_properties")),
    )),
    "resolve": Home(12, ("thunderref/thunderstone/resolve/*.py",), (
        (TOLD, *JUDGED), (RESOLVE, BY_ORACLE, "tests/oracle/test_oracle.py", "tests/oracle/test_why_not_by_oracle.py"),
        tuple(f"tests/cli/test_{name}.py" for name in ("resolve", "why_not", "odds", "village")),
    )),
    "db": Home(10, ("db/[rs]*.toml", "db/boxes/*/*.toml", "thunderref/database/*.py"), (
        ("tests/database/test_printed_figures.py", "tests/database/test_cards.py", *LOOKUPS, TOLD, GAMES),
        ("tests/database", "tests/thunderstone/setup"),
    )),
    "setup": Home(6, ("thunderref/thunderstone/setup/*.py",), (
        ("tests/thunderstone/setup", "tests/cli/test_setup.py"),
        ("tests/oracle/test_setups_by_oracle.py", "tests/thunderstone/table/test_deal.py"),
    )),
    "search": Home(6, ("thunderref/search/*.py",), (
        ("tests/search",), ("tests/thorgal/test_search.py", "tests/thorgal/test_asked.py", *LOOKUPS, "tests/cli"),
    )),
    "thorgal": Home(4, ("thunderref/thorgal/*.py",), (
        ("tests/thorgal",), ("tests/cli/thorgal", "tests/serve/test_thorgal.py"),
    )),
    "cli": Home(2, ("thunderref/cli/**/*.py",), (("tests/cli",),)),
    "serve": Home(2, ("thunderref/serve/*.py", "thunderref/pages/*.py"), (("tests/serve",), ("tests/cli",))),
}  # fmt: skip
BROWSER = "tests/serve/test_browser.py", "tests/serve/test_four_phones.py"  # they take too long for this
LONGEST = 600  # seconds a list of tests may take; a change after which nothing ends is caught
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
UNSAID = {"Event", "cast", "TypeVar", "isinstance", "getattr", "hasattr"}  # arguments that only change wording or types
TEXTS = {ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple}  # what is put together with a plus, and never taken off
KEPT = {"strict", "frozen", "gc", "kw_only", "maxsize"}  # keywords that change nothing in what is answered


class Mutant(NamedTuple):
    """A file with one fault: bytes from ``start`` to ``end`` become ``new``."""

    home: str
    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (re.sub(r"\s+", " ", text)[:60] for text in (self.old, self.new))
        return f"{self.home:8} {self.path}:{self.line}  {old} -> {new}"


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """What of it may be changed: no annotations, no decorators, no f-strings, where the parser tells no places."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body)
        case ast.ClassDef():
            yield from node.body
        case ast.AnnAssign():
            yield from [node.value] if node.value is not None else []
        case ast.Call(func=func) if ast.unparse(func) not in UNSAID:
            yield from (func, *node.args, *(word.value for word in node.keywords if word.arg not in KEPT))
        case ast.Call() | ast.JoinedStr() | ast.Assert() | ast.Raise() | ast.Expr(value=ast.Constant()):
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case _:
            yield from ast.iter_child_nodes(node)


def faults(node: ast.AST, returned: str) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What may be wrong with it, as (node, what stands there instead), in a function that returns this type."""
    new: Any = copy.copy(node)
    match node:
        case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.Expr() | ast.Raise() | ast.Break() | ast.Continue() | ast.AugAssign():
            yield node, "pass"
        case ast.If(test=test) | ast.IfExp(test=test):
            yield from ((test, "True"), (test, "False"))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            others = {"bool": f"not ({ast.unparse(value)})", "int": f"({ast.unparse(value)}) + 1"}
            others |= {"None": "None", "...]": "()"}
            yield from [(value, new) for end, new in others.items() if returned.split(" ")[-1] == end]
        case ast.Constant(value=bool()):
            yield node, str(not node.value)
        case ast.Constant(value=int(number)):
            yield from ((node, str(number + 1)), (node, f"({number - 1})"))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.BoolOp(op=op):
            new.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, f"({ast.unparse(new)})"
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                new.ops = [*ops[:place], COMPARED[type(operator)](), *ops[place + 1 :]]
                yield node, f"({ast.unparse(new)})"
        case ast.BinOp(op=ast.Add() | ast.Sub() as op) if not {type(node.left), type(node.right)} & TEXTS:
            new.op = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
            yield node, f"({ast.unparse(new)})"
        case ast.Call(func=ast.Name(id=name) as func) if name in CALLED:
            yield func, CALLED[name]
        case ast.Call(func=func, args=[first, second, *others]) if ast.unparse(func) not in UNSAID:
            if ast.dump(first) != ast.dump(second) and not isinstance(second, ast.Starred):
                new.args = [second, first, *others]
                yield node, ast.unparse(new)


def in_code(source: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, new bytes) of each change of a module; places are counted in bytes, as the parser does."""
    starts = [0]
    for line in source.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    nodes: list[tuple[ast.AST, str]] = [(ast.parse(source), "")]
    while nodes:
        node, returned = nodes.pop()
        for place, new in faults(node, returned):
            last = starts[(place.end_lineno or 0) - 1] + (place.end_col_offset or 0)
            yield starts[place.lineno - 1] + place.col_offset, last, new
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            returned = ast.unparse(node.returns) if node.returns is not None else ""
        nodes += [(part, returned) for part in parts(node)]


def in_data(source: str) -> Iterator[tuple[int, int, str]]:
    """A figure one higher, another timing, another value in a condition or an operation."""
    said = re.findall(r'(\w+) = "([\w-]+)"', source)
    usual = {key: Counter(value for its, value in said if its == key).most_common(2) for key in dict(said)}
    for line in re.finditer(r"^(?!#|id|attested|reprint_of).+", source, re.MULTILINE):
        for at in re.finditer(r'(?<=[ \[])\d+(?=[], ]|$)|\btrue\b|\bfalse\b|(\w+) = "([\w-]+)"', line[0]):
            group = 2 if at[1] else 0
            if at[0].isdecimal():
                new = str(int(at[0]) + 1)
            elif not at[1]:
                new = "true" if at[0] == "false" else "false"
            elif at[1] == "timing" or (at[1] != "op" and line[0].startswith(("do", "cost"))):
                new = next((value for value, _ in usual[at[1]] if value != at[2]), at[2])
            else:
                continue
            before = len(source[: line.start() + at.start(group)].encode())
            yield before, before + len(at[group].encode()), new


def mutants(home: str, root: Path) -> list[Mutant]:
    """All mutants of a home, in the order of their places."""
    found = []
    for path in sorted({path for pattern in HOMES[home].files for path in root.glob(pattern)}):
        source = path.read_bytes()
        make = in_code if path.suffix == ".py" else in_data
        for start, end, new in make(source.decode()):
            old, line = source[start:end].decode(), source.count(b"\n", 0, start) + 1
            if old != new:
                found.append(Mutant(home, path.relative_to(root).as_posix(), line, start, end, old, new))
    return found


def drawn(homes: list[str], number: int, seed: int, root: Path) -> list[Mutant]:
    """A sample, each home as its share asks; no two mutants of one line."""
    random_, chosen = random.Random(seed), list[Mutant]()
    shares, left = sum(HOMES[home].share for home in homes), number
    for home in homes:
        wanted = round(left * HOMES[home].share / shares)
        left, shares = left - wanted, shares - HOMES[home].share
        lines = set[tuple[str, int]]()
        for mutant in random_.sample(every := mutants(home, root), len(every)):
            if len(lines) < wanted and (mutant.path, mutant.line) not in lines:
                lines.add((mutant.path, mutant.line))
                chosen.append(mutant)
    return chosen


class Copy:
    """A copy of the checkout, whose files are written with times of their own, so that nothing stale is read."""

    def __init__(self, root: Path) -> None:
        self.root, self._clock = root, int(time.time())
        self._sound, self._unsound = set[str](), set[str]()
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.check_output(listed, cwd=ROOT, text=True).split("\0")[:-1]:
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, root / name)
        self.env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests")))}
        said = self.run("-c", "import thunderref; print(thunderref.__file__)").stdout
        assert Path(said.strip()).is_relative_to(root), f"another package would be tested: {said}"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Python with these words; the exit status is -1 if it does not end."""
        command = [sys.executable, *words]
        try:
            return subprocess.run(
                command, cwd=self.root, env=self.env, capture_output=True, encoding="utf-8", timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, "", "")

    def write(self, path: str, content: bytes) -> None:
        self._clock += 2  # the compiled file tells versions apart by the second and the size
        (self.root / path).write_bytes(content)
        os.utime(self.root / path, (self._clock, self._clock))
        if path.startswith(("db/", "thunderref/database/")):
            self.run("-m", "thunderref", "db", "build")

    def failure(self, *tests: str) -> str:
        """The function of the first test that fails, or how else the run ended; "" if none does."""
        left_out = [*(f"--ignore={path}" for path in BROWSER), *(f"--deselect={test}" for test in self._unsound)]
        done = self.run("-m", "pytest", "-x", "-p", "no:cacheprovider", "--tb=no", *left_out, *tests)
        failed = re.search(r"^(?:FAILED|ERROR) ([\w./-]+(?:::\w+)*)", done.stdout, re.MULTILINE)
        return "" if not done.returncode else failed[1] if failed else f"the end of the run ({done.returncode})"

    def caught(self, mutant: Mutant) -> str:
        """The test that sees the fault and passes without it, "" if none does; the file is as it was afterwards."""
        was, queue = (self.root / mutant.path).read_bytes(), [*HOMES[mutant.home].tests]
        while queue:
            self.write(mutant.path, was[: mutant.start] + mutant.new.encode() + was[mutant.end :])
            try:
                test = self.failure(*queue[0])
            finally:
                self.write(mutant.path, was)
            if not test:
                queue.pop(0)
            elif "/" not in test or test.partition("::")[0] in self._sound or not self.failure(test):
                self._sound.add(test.partition("::")[0])
                return test
            else:
                self._unsound.add(test)
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m support.mutation", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="how many mutants (20)")
    parser.add_argument("--seed", type=int, default=2026, metavar="S", help="which sample (2026)")
    parser.add_argument("--home", choices=HOMES, help="the only home (all)")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    asked = parser.parse_args()
    homes = [asked.home] if asked.home else [*HOMES]
    if asked.list:
        print(*drawn(homes, asked.sample, asked.seed, ROOT), sep="\n")
        return
    results = list[tuple[str, bool, float]]()
    with tempfile.TemporaryDirectory(prefix="thunderref-mutation-") as folder:
        tried = Copy(Path(folder))
        for mutant in drawn(homes, asked.sample, asked.seed, tried.root):
            began = time.monotonic()
            test = tried.caught(mutant)
            seconds = time.monotonic() - began
            results.append((mutant.home, bool(test), seconds))
            print(f"{mutant}  {f'caught by {test}' if test else 'SURVIVED'}  {seconds:.0f} s", flush=True)
    print(f"\n{'home':8} {'run':>4} {'caught':>6} {'survived':>8}     %  95 of 100      s each")
    for home in (*homes, "all"):
        of = [(caught, seconds) for its, caught, seconds in results if home in (its, "all")]
        if of:
            n, k = len(of), sum(caught for caught, _ in of)
            low, high = wilson(k / n, n)
            spent = sum(seconds for _, seconds in of) / n
            print(f"{home:8} {n:4} {k:6} {n - k:8} {k / n:6.0%}  {low:.0%} to {high:.0%}  {spent:8.1f}")


if __name__ == "__main__":
    main()
