"""What Windows and macOS do otherwise, as far as it can be tried anywhere: streams, pipes, locales, shells, sockets."""

from __future__ import annotations

import errno
import io
import json
import locale
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.several import several
from support.systems import keep_in, like_windows, needs_posix
from thunderref.cli import app, session, streams
from thunderref.cli.completion import SCRIPTS
from thunderref.cli.serve import _listen
from thunderref.cli.streams import is_closed
from thunderref.files import LOCK

if TYPE_CHECKING:
    from support.command import Run

BATTLE = {"hand": ["militia", "torch"], "hall": ["blink dog"]}


def windows_stream(raw: io.RawIOBase | io.BytesIO, encoding: str = "cp1250") -> io.TextIOWrapper:
    """A stream as Python opens it there for a pipe or a file."""
    return io.TextIOWrapper(raw, encoding=encoding, errors="strict", newline="\r\n")


# what is printed and read


@pytest.mark.parametrize(
    ("system", "variable", "written"),
    [
        ("win32", None, "ż ё\n".encode()),
        ("win32", "cp1250", "ż ?\n".encode("cp1250")),
        ("linux", None, "ż ?\r\n".encode("cp1250")),
    ],
)
def test_pipes_and_files_of_windows_get_utf8_unless_something_else_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, system: str, variable: str | None, written: bytes
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    if variable is not None:
        monkeypatch.setenv("PYTHONIOENCODING", variable)
    raw = io.BytesIO()
    stream = windows_stream(raw)
    streams.prepare(stream)
    stream.write("ż ё\n")
    stream.flush()
    assert raw.getvalue() == written


def test_what_is_piped_in_on_windows_is_utf8(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO("2 ополченца\r\n".encode())), encoding="cp1251")
    streams.prepare(stream)
    assert stream.readline() == "2 ополченца\n"


class ClosedPipe(io.RawIOBase):
    """A pipe that nobody reads any more, as Windows reports it, until it is hushed."""

    hushed = False

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        if not self.hushed:
            raise OSError(errno.EINVAL, "Invalid argument")
        return len(content)


@pytest.mark.parametrize(("words", "status"), [(["card", "fireball"], 0), (["card", "qqqqqqqq", "--json"], 1)])
@pytest.mark.parametrize("buffered", [1, 100_000])
def test_a_reader_that_goes_away_on_windows_is_no_error(
    monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, buffered: int
) -> None:
    """It is an invalid argument there, for a long text at once and for a short one at the end."""
    monkeypatch.setattr(sys, "platform", "win32")
    pipe, told = ClosedPipe(), io.StringIO()
    monkeypatch.setattr(app, "hush", lambda *_: setattr(pipe, "hushed", True))  # the numbers 1 and 2 are the test's own
    out = io.TextIOWrapper(io.BufferedWriter(pipe, buffered), encoding="utf-8", write_through=buffered == 1)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", told)
        with pytest.raises(SystemExit) as end:
            app.main(words)
    assert (end.value.code, told.getvalue()) == (status, "")


@pytest.mark.parametrize(
    ("system", "error", "closed"),
    [
        ("win32", OSError(errno.EINVAL, ""), True),
        ("linux", OSError(errno.EINVAL, ""), False),
        ("win32", BrokenPipeError(errno.EPIPE, ""), True),
        ("linux", BrokenPipeError(errno.EPIPE, ""), True),
        ("win32", OSError(errno.ENOSPC, ""), False),
    ],
)
def test_only_windows_calls_a_closed_pipe_an_invalid_argument(
    monkeypatch: pytest.MonkeyPatch, system: str, error: OSError, closed: bool
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert is_closed(error) is closed


CODE_PAGES, LANGUAGES = ("ascii", "cp437", "cp852", "cp1250", "cp1251"), ("en", "pl", "ru")
COMMANDS = (
    ["card", "fireball"], ["rule", "R5.1"], ["setup", "--seed", "7"], ["resolve", "--file", "battle.json"],
    ["resolve", "--file", "battle.json", "--json"], ["card", "zzz"], ["thorgal", "rule", "T5.5"],
)  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", CODE_PAGES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_code_page_ends_the_program(tmp_path: Path, encoding: str, lang: str) -> None:
    """From a folder with a blank and foreign letters in its name, and with files that other systems wrote.

    In the quick run each two of a code page, a language and a command meet, in the slow one all three.
    """
    each = min(3, several(3, 1))
    tried = COMMANDS[(CODE_PAGES.index(encoding) + LANGUAGES.index(lang)) % each :: each]
    folder = tmp_path / "Zażółć gęślą ё"
    folder.mkdir()
    (folder / "battle.json").write_bytes(json.dumps(BATTLE, indent=1).replace("\n", "\r\n").encode("utf-8-sig"))
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    for words in tried:
        run = subprocess.run(
            [sys.executable, "-m", "thunderref", *words, "--lang", lang], cwd=folder, env=env, capture_output=True,
            check=False,
        )  # fmt: skip
        assert run.returncode == (1 if words[1] == "zzz" else 0), run.stderr
        is_lossy = lang == "ru" and encoding != "cp1251" and "--json" not in words
        assert len(run.stderr.splitlines()) == (words[1] == "zzz") + is_lossy
        assert (b"PYTHONIOENCODING" in run.stderr) == is_lossy
        assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1250", "cp1251"])
@pytest.mark.parametrize(
    "words",
    [["card", "fireball", "--json"], ["resolve", "--batch", "-", "--workers", "1"], ["db", "export", "--schema"]],
)
def test_json_loses_no_letter_in_any_code_page(words: list[str], encoding: str) -> None:
    told = []
    for name in (encoding, "utf-8"):
        run = subprocess.run(
            [sys.executable, "-m", "thunderref", *words, "--lang", "ru"], input=json.dumps(BATTLE).encode(),
            capture_output=True, env={**os.environ, "PYTHONIOENCODING": name}, check=True,
        )  # fmt: skip
        told.append(run.stdout.decode(name))
    assert json.loads(told[0]) == json.loads(told[1])


def test_files_with_carriage_returns_are_like_those_without(cli: Run, tmp_path: Path) -> None:
    toml = 'hand = ["militia", "torch"]\nhall = ["blink dog"]\n'
    for name, text in (("a.toml", toml), ("b.json", json.dumps(BATTLE, indent=1)), ("c.jsonl", json.dumps(BATTLE))):
        (tmp_path / name).write_bytes(text.encode())
        (tmp_path / f"crlf.{name}").write_bytes(text.replace("\n", "\r\n").encode() + b"\r\n")
        option = "--batch" if name == "c.jsonl" else "--file"
        with_them = cli("resolve", option, str(tmp_path / f"crlf.{name}"), "--json").json
        assert with_them == cli("resolve", option, str(tmp_path / name), "--json").json
        assert with_them["targets"]


def test_a_page_that_is_piped_from_windows_is_drawn_as_elsewhere(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe is no console; rich would take it for one of the old kind, which has no round corners."""
    monkeypatch.setattr("rich.console.detect_legacy_windows", lambda: True)
    drawn = cli("card", "fireball", env={"FORCE_COLOR": "1", "TERM": "xterm"}).out
    assert "╭" in drawn
    assert "\x1b[" in drawn


# files of its own and of others


@pytest.mark.parametrize(
    "words",
    [
        ("thorgal", "round", "start", "--players", "2", "--force", "--file", "Gra Zażółć.json"),
        ("thorgal", "round", "start", "--players", "2", "--force"),
        ("setup", "--seed", "7", "--avoid-recent", "--save", "Gra Zażółć.json", "--force"),
        ("play", "--players", "random, random", "--seed", "5", "--first-game", "base", "--save", "a b.json", "--force"),
        ("tonight", "37MFZLY8JVG3GH7"), ("tonight", "--clear"), ("collection", "--set", "base"), ("history", "--clear"),
        ("glossary", "export", "--format", "markdown", "--output", "glossary.md", "--force"),
        ("db", "export", "--out", "cards.json", "--force"), ("--install-completion", "bash"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_is_written_is_written_on_windows_over_what_was_there(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Nothing that a command replaces is still open in it; the first run has loaded what belongs to this system."""
    keep_in(monkeypatch, tmp_path / "own")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    command = ("setup", *words) if words[0] == "history" else words
    first = cli(*command)
    like_windows(monkeypatch)
    again = cli(*command)
    assert (first.status, again.status, again.err) == (0, 0, "")
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".new", ".lock")]


WRITING = """
tonight 37MFZLY8JVG3GH7
collection --set base
setup --seed 7 --avoid-recent
evening start 37MFZLY8JVG3GH7 --players Ann,Bob,Cyd,Dan
evening hall griffon
evening undo
thorgal round start --players 2
thorgal round act 4
thorgal round undo
tonight --clear
card fireball
"""
"""Commands that write while no other run may, and one that only reads."""
WITHOUT_ENVIRONMENT = """if True:
    import os, pwd, sys
    home, written, told = sys.argv[1], set(), []
    def notice(event, given):
        changes = event == "open" and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if changes or event in ("os.mkdir", "os.rename", "os.link", "os.remove"):
            written.update(os.path.abspath(path) for path in given[:2] if isinstance(path, str) and os.sep in path)
    def find(user):
        if not home: raise KeyError(user)
        return pwd.struct_passwd(("ann", "x", user, user, "", home, ""))
    pwd.getpwuid = find
    sys.addaudithook(notice)
    from thunderref.cli.app import main
    sys.stdout = open(os.devnull, "w")
    for line in sys.argv[2].strip().splitlines():
        try: main(line.split())
        except SystemExit as end: told.append(end.code or 0)
    print(*told, *sorted(written - {os.devnull}), sep="\\n", file=sys.__stdout__)
"""
"""Runs lines in a home that only the password database knows; prints their statuses and what was written."""


@needs_posix
@pytest.mark.parametrize("at_home", [True, False])
def test_without_an_environment_only_the_programs_own_folders_are_written(tmp_path: Path, at_home: bool) -> None:
    """Nothing is written among the temporary files or in the current folder; who has no home keeps nothing."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, "-B", "-c", WITHOUT_ENVIRONMENT, str(home) if at_home else "", WRITING],
        env={}, cwd=elsewhere, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    *statuses, read = (line for line in done.stdout.splitlines() if len(line) == 1)
    written = {*map(Path, done.stdout.splitlines()[len(statuses) + 1 :])}
    assert read == "0"
    if at_home:
        own = (home / ".local/state/thunderref", home / ".local/share/thunderref")
        assert ({*statuses}, done.stderr) == ({"0"}, "")
        assert {own[0] / "evening.jsonl", own[0] / LOCK, own[1] / "history.json", own[1] / LOCK} <= written
        assert not {path for path in written if path.parent not in own} - {*own, *own[0].parents, *own[1].parents}
        assert not list(home.rglob(LOCK))
    else:
        assert "0" not in statuses[:2]
        assert {path.parts[:3] for path in written} == {("/", "dev", "null")}
    assert not list(elsewhere.iterdir())


# the language


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        ("Polish_Poland", "pl"), ("pl_PL", "pl"), ("Russian_Russia", "ru"), ("ru_RU", "ru"),
        ("Russian_Kazakhstan", "ru"), ("English_United States", "en"), ("Portuguese_Brazil", "en"), ("pt_BR", "en"),
        ("German_Germany", "en"), (None, "en"), ("Rundi_Burundi", "en"), ("C", "en"),
    ],
)  # fmt: skip
def test_the_language_of_windows_is_known_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str | None, lang: str
) -> None:
    for variable in ("THUNDERREF_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(locale, "getlocale", lambda: (name, "1252"))
    assert session._guess({"en": "", "pl": "", "ru": ""}) == lang


def test_a_locale_that_python_does_not_know_is_no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> None:
        raise ValueError("unknown locale: en-DE")

    monkeypatch.delenv("LANG", raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(locale, "getlocale", unknown)
    assert session._guess({"en": "", "pl": ""}) == "en"


# shells


@pytest.mark.parametrize(
    ("value", "status"),
    [("/bin/zsh", 0), (r"C:\Program Files\Git\usr\bin\bash.exe", 0), ("C:/msys64/usr/bin/fish.exe", 0), ("cmd.exe", 2)],
)
def test_the_shell_is_known_by_its_path_on_every_system(cli: Run, value: str, status: int) -> None:
    assert cli("--show-completion", env={"SHELL": value}).status == status


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_who_has_no_shell_is_told_what_to_write(cli: Run, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.delenv("SHELL", raising=False)
    answer = cli("--lang", lang, "--install-completion")
    assert (answer.status, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    for word in ("bash", "zsh", "fish", "PowerShell", "cmd"):
        assert word in answer.err


@needs_posix
def test_the_bash_of_macos_takes_its_line_without_complaint() -> None:
    """Bash 3.2 has neither ``compopt`` nor the option ``nosort``."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    old = (
        "enable -n compopt 2>/dev/null; complete() { [[ $2 != nosort ]] || { echo 'nosort: invalid' >&2; return 1; };"
        ' builtin complete "$@"; }\n'
    )
    ask = "COMP_LINE='thunderref x' COMP_POINT=12 COMP_WORDBREAKS=; _thunderref false; complete -p thunderref"
    run = subprocess.run(
        [bash, "-c", f"{old}{SCRIPTS['bash']}\n{ask}"], capture_output=True, encoding="utf-8", check=True
    )
    assert (run.stdout, run.stderr) == ("complete -o default -F _thunderref thunderref\n", "")


# workers and sockets


@pytest.mark.parametrize("words", [["resolve", "--batch", "-"], ["simulate", "--games", "6", "--seed", "1", "--json"]])
def test_commands_that_share_work_may_spawn(words: list[str]) -> None:
    """As on macOS and Windows, where all that a worker is given has to be sent to it."""
    given = f"{json.dumps(BATTLE)}\n" * 3 if words[0] == "resolve" else ""
    printed = []
    for way in ("spawn", None):
        code = (
            "import multiprocessing, sys\n"
            "from thunderref.cli.app import main\n"
            f"if __name__ == '__main__': multiprocessing.set_start_method({way!r}); main(sys.argv[1:])\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", code, *words, "--workers", "2" if way else "1"], input=given, capture_output=True,
            encoding="utf-8", check=False, timeout=120,
        )  # fmt: skip
        assert (run.returncode, run.stderr) == (0, "")
        printed.append(run.stdout)
    assert printed[0] == printed[1]


def test_windows_is_asked_to_share_its_port_with_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """There the option that Linux needs for a restart would let two servers listen at one port."""
    asked = []

    class Recorder(socket.socket):
        def setsockopt(self, *option: Any) -> None:
            asked.append(option)

    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    monkeypatch.setattr(socket, "socket", Recorder)
    _listen("127.0.0.1", 0).close()
    assert asked == [(socket.SOL_SOCKET, -5, 1)]


def test_the_listening_socket_names_its_protocol() -> None:
    """The event loop sets TCP_NODELAY only then; without it each page waits 40 ms for an acknowledgement."""
    with _listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_any_address_of_ipv6_is_one_of_ipv4_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """To Windows it is not, unless it is asked for; the address that is told is one of IPv4."""

    class Separate(socket.socket):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            if self.family == socket.AF_INET6:
                super().setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)

    with monkeypatch.context() as patch:
        patch.setattr(socket, "socket", Separate)
        try:
            listener = _listen("::", 0)
        except Exception as error:
            pytest.skip(f"no IPv6 here: {error}")
    with listener, socket.create_connection(("127.0.0.1", listener.getsockname()[1]), timeout=10):
        pass
