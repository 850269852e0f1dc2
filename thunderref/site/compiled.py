"""Templates and modules as bytecode, made by the Python that will run them: only the browser's calls this."""

from __future__ import annotations

import json
import marshal
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType

from jinja2 import Environment, FileSystemLoader

from thunderref.database.paths import PACKAGE
from thunderref.database.read import FALLBACK
from thunderref.serve.api import languages
from thunderref.serve.visitor import environment
from thunderref.site.browser import TEMPLATES

HEAD = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""What a file of bytecode begins with that is never compared with its source (PEP 552)."""
FIRST = "first.json"
"""The files that are loaded before a page shows."""
CODE = "37MFZLY8JVG3GH7"
"""Code of some set-up, put on the table so that memory is written and read, too."""
PAGES = (
    "/", "/card?q=militia", "/rule?q=R4.3", "/score", "/setup?players=2", "/phone",
    "/resolve?hand=militia,dagger&hall=griffon,_,_",
    "/village?hand=militia", "/thorgal",
)  # fmt: skip
"""What the first minute of an evening asks for: the modules it needs come first, the others in the background."""


def templates() -> Environment:
    """The templates of all pages, those that only the browser has among them."""
    return environment(FileSystemLoader([PACKAGE / "serve/templates", PACKAGE / "site/templates"]))


def compile_all(work: Path) -> None:
    """Compiles the templates, then every module of ``packages`` and ``library``, which takes the place of its source.

    The bytecode holds neither times nor the folder it was made in: two builds are the same, byte for byte.
    """
    templates().compile_templates(work / "packages" / TEMPLATES, zip=None)
    for root in (work / "packages", work / "library"):
        for source in sorted(root.rglob("*.py")):
            code = compile(source.read_bytes(), source.name, "exec", dont_inherit=True, optimize=2)
            source.with_suffix(".pyc").write_bytes(HEAD + marshal.dumps(_without_lines(code)))
    for source in work.rglob("*.py"):
        source.unlink()


def _without_lines(code: CodeType) -> CodeType:
    """The code without its line numbers, a fifth of it, which nobody on a phone reads."""
    inner = (_without_lines(constant) if isinstance(constant, CodeType) else constant for constant in code.co_consts)
    return code.replace(co_consts=tuple(inner), co_linetable=b"\xff" * len(code.co_linetable))


async def note_first(work: Path) -> None:
    """Writes the first page in each language, and which files the first pages need, by asking for them.

    In a Python that has loaded nothing else.
    """
    from thunderref.site.browser import Referee

    for lang in languages():
        if first := await Referee(lang, "", "").answer("GET", "/"):
            (work / f"{lang}.html").write_bytes(first[2])
    referee = Referee(FALLBACK, "", "")
    for page in PAGES:
        await referee.answer("GET", page)
    await referee.answer("POST", "/tonight", f"code={CODE}")
    referee.load(referee.kept())
    loaded = filter(None, (getattr(module, "__file__", None) for module in sys.modules.values()))
    packages = f"{work.as_posix()}/packages/"
    names = (name.partition(".zip/")[2] or name.removeprefix(packages) for name in loaded)
    sources = {name.removesuffix("c") for name in names}
    (work / FIRST).write_text(json.dumps(sorted(f"{name}c" for name in sources)), "utf-8")
