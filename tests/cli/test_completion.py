"""Completion: what is offered, and what real shells make of it on a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.systems import needs_posix, own_folders
from thunderref.cli.completion import SCRIPTS

if TYPE_CHECKING:
    from support.command import Run

SHELLS = ("bash", "zsh", "fish")
LANGUAGES = ("en", "pl", "ru")
READY = {
    "bash": "PS1='>'; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'",
    "zsh": "PROMPT='>'; unset zle_bracketed_paste",
    "fish": "function fish_prompt; echo '>'; end",
}
"""Shell -> what makes it plain."""
LIMIT = 20.0
"""Seconds for a shell to show what it is to show."""


def offered(cli: Run, line: str, shell: str = "fish", **env: str) -> list[str]:
    answer = cli(env={"_THUNDERREF_COMPLETE": shell, "_THUNDERREF_LINE": line, **env})
    assert answer.err == ""
    return answer.out.splitlines() if answer.status == 0 else ["FILES"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("thunderref vil", ["village"]),
        ("thunderref card flam", ["Flaming Sword"]),
        ("thunderref flam", ["Flaming Sword"]),
        ("thunderref card FLAMING s", ["Sword"]),
        ("thunderref card flaming\\ s", ["Flaming Sword"]),
        ("thunderref --lang pl card ogniś", ["Ognista kula", "Ognisty Cyklop"]),
        ("thunderref card --lang ru огненный", ["Огненный шар"]),
        ("THUNDERREF_LANG=pl thunderref card flam", ["Flaming Sword"]),
        ("thunderref resolve 2 militia, elf w", ["Wizard"]),
        ("thunderref resolve '2 militia, elf w", ["2 militia, Elf Wizard", "2 militia, Elf Wizard,"]),
        ("thunderref resolve torch --hall blink", ["Blink Dog"]),
        ("thunderref resolve torch --hall=blink", ["--hall=Blink Dog"]),
        ("thunderref resolve torch --hall torch", []),
        ("thunderref resolve torch --goal ", ["win", "max"]),
        ("thunderref resolve torch --goal=m", ["--goal=max"]),
        ("thunderref resolve torch --ba", ["--batch"]),
        ("thunderref resolve --file ", ["FILES"]),
        ("thunderref resolve torch --reading pick-two=p", ["pick-two=players"]),
        ("thunderref setup --variant ep", ["epic"]),
        ("thunderref setup --set w", ["wrath"]),
        ("thunderref --lang ", ["en", "pl", "ru"]),
        ("thunderref --install-completion ", [*SHELLS]),
        ("thunderref rule r5.13", ["R5.13"]),
        ("thunderref thorgal rule t5.2", ["T5.2"]),
        ("thunderref thorgal fig", ["fight"]),
        ("thunderref cards kind:he", ["kind:hero"]),
        ("thunderref score --deck 'Ann: grif", ["Ann: Griffon", "Ann: Griffon,"]),
        ("thunderref card sword", ["Flaming Sword", "Short Sword"]),
        ("thunderref card xyzzy", []),
        ("", []),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_offered(cli: Run, line: str, found: list[str]) -> None:
    assert [each for each in offered(cli, line) if each][: len(found) + 1] == found


@pytest.mark.parametrize(
    ("command", "name", "former"),
    [
        ("resolve", "--workers", "--jobs"),
        ("thorgal round start", "--force", "--replace"),
        ("resolve", "--stacks", "--village"),
        ("turn", "--stacks", "--village"),
        ("village", "--stacks", "--village"),
    ],
)
def test_the_former_name_of_an_option_is_shown_nowhere(cli: Run, command: str, name: str, former: str) -> None:
    for lang in LANGUAGES:
        for page in (cli(*command.split(), option, "--lang", lang).out for option in ("--help", "-h")):
            assert name in page
            assert former not in page
    assert offered(cli, f"thunderref {command} {name[:4]}") == [name]
    assert former not in offered(cli, f"thunderref {command} --")
    assert former not in cli(*command.split(), f"{former}s", "--json").json["error"]["candidates"]


def test_what_the_village_offers_has_one_name(cli: Run) -> None:
    for line in ("resolve 2 militia, torch vs griffon", "turn 2 militia vs griffon", "village 2 militia, torch"):
        now, before = (cli(*line.split(), option, "torch, spear", "--json") for option in ("--stacks", "--village"))
        assert (now.status, now.out) == (0, before.out)


def test_the_former_name_of_an_option_still_works(cli: Run, tmp_path: Path) -> None:
    battle = '{"hand": ["militia"], "hall": ["griffon"]}'
    now, before = (cli("resolve", "--batch", "-", option, "1", stdin=battle) for option in ("--workers", "--jobs"))
    assert (before.status, before.out) == (0, now.out)
    begin = ("thorgal", "round", "start", "--players", "2", "--file", str(tmp_path / "game.json"))
    assert cli(*begin).status == 0
    for lang in LANGUAGES:
        refusal = cli(*begin, "--lang", lang)
        assert (refusal.status, "--force" in refusal.err, "--replace" in refusal.err) == (1, True, False)
    assert [cli(*begin, option).status for option in ("--replace", "--force")] == [0, 0]


@pytest.mark.parametrize("shell", [*SHELLS, "tcsh"])
@pytest.mark.parametrize(
    "words",
    ["card \udcff", "card 'a\"b", "\\", "--lang", "--lang xx card f", "card ((", "--x=", "-", "card " + "x" * 9999],
)
def test_odd_lines_are_no_trouble(cli: Run, shell: str, words: str) -> None:
    answer = cli(
        env={"_THUNDERREF_COMPLETE": shell, "_THUNDERREF_LINE": f"thunderref {words}", "THUNDERREF_DEBUG": "1"}
    )
    assert answer.status == 0
    assert answer.err == ""


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_all_cards_are_offered_by_the_names_of_the_language(cli: Run, lang: str) -> None:
    from thunderref.database.read import open_database

    names = open_database().names_of("card", lang)
    shown = {names[card.id].name for card in open_database().cards.values() if card.reprint_of is None}
    found = offered(cli, "thunderref card ", THUNDERREF_LANG=lang)
    assert set(found) == shown
    assert len(found) == len(shown)


def test_the_cards_on_the_table_come_first(cli: Run, tmp_path: Path) -> None:
    state = own_folders(tmp_path)
    assert cli("tonight", "399ZJVSMPJTK392SEDT", env=state).status == 0
    assert offered(cli, "thunderref card f", **state)[:4] == [
        "Fireball",
        "Firebrand Cyclops",
        "Flaming Sword",
        "Famine",
    ]
    assert offered(cli, "thunderref card --any f", **state)[0] == "Famine"
    assert offered(cli, "thunderref card f")[0] == "Famine"


def test_bash_gets_what_it_counts_to_the_word(cli: Run) -> None:
    assert offered(cli, "thunderref card flam", "bash") == ["Flaming\\ Sword"]
    assert offered(cli, 'thunderref resolve torch --hall="blink', "bash") == ["Blink Dog", "Blink Dog,"]
    assert offered(cli, "thunderref resolve torch --hall=blink", "bash") == ["Blink\\ Dog"]
    assert offered(cli, "thunderref cards kind:he", "bash") == ["hero"]
    assert offered(cli, "thunderref cards kind:he", "bash", _THUNDERREF_BREAKS="=") == ["kind:hero"]
    assert offered(cli, "thunderref --lang pl card horda\\ k", "bash") == ["Horda\\ \\(karta\\ zamiany\\)"]


@pytest.mark.parametrize(
    "line",
    [
        "thunderref card flam",
        "thunderref resolve 2 militia, elf w",
        "thunderref rule R5.1",
        "thunderref setup --va",
        "thunderref score --deck 'Ann: gri",
    ],
)
def test_nothing_heavy_is_loaded(line: str) -> None:
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print('loaded', *sys.modules))\n"
        "sys.argv = ['thunderref']\n"
        "from thunderref.__main__ import main\n"
        "main()\n"
    )
    env = {**os.environ, "_THUNDERREF_COMPLETE": "fish", "_THUNDERREF_LINE": line}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, encoding="utf-8", check=True)
    loaded = {module.split(".")[0] for module in run.stdout.partition("loaded ")[2].split()}
    assert "thunderref" in loaded
    assert not loaded & {"rich", "pydantic", "rapidfuzz", "prompt_toolkit", "sqlite_utils", "jinja2", "asyncio"}


# the line in the start file


@pytest.mark.parametrize(
    ("shell", "file"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", ".config/fish/completions/thunderref.fish")]
)
@pytest.mark.parametrize("before", [None, "", "alias ll='ls -l'\n", "export A=1"])
def test_one_line_is_added_once(cli: Run, tmp_path: Path, shell: str, file: str, before: str | None) -> None:
    path = tmp_path / file
    if before is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(before, "utf-8")
    home = {
        "HOME": str(tmp_path),
        "USERPROFILE": str(tmp_path),
        "SHELL": f"/usr/bin/{shell}",
        "ZDOTDIR": "",
        "XDG_CONFIG_HOME": "",
    }
    first = cli("--install-completion", shell, "--json", env=home)
    assert first.json.items() >= {"shell": shell, "file": str(path), "added": True}.items()
    text = path.read_text("utf-8")
    assert text == (f"{before}\n" if before and not before.endswith("\n") else before or "") + SCRIPTS[shell] + "\n"
    for lang in ("en", "pl", "ru"):
        again = cli("--lang", lang, "--install-completion", env=home)
        assert again.status == 0
        assert str(path) in again.out
    assert path.read_text("utf-8") == text


@needs_posix
def test_a_start_file_elsewhere_is_followed_and_keeps_its_mode(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "dots").mkdir()
    real = tmp_path / "dots" / "bashrc"
    real.write_text("one\n", "utf-8")
    real.chmod(0o600)
    (tmp_path / ".bashrc").symlink_to(real)
    assert cli("--install-completion", "bash", env={"HOME": str(tmp_path)}).status == 0
    assert (tmp_path / ".bashrc").is_symlink()
    assert real.read_text("utf-8").splitlines() == ["one", SCRIPTS["bash"]]
    assert real.stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_read_stays(cli: Run, tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_bytes(b"caf\xe9\n")
    answer = cli("--install-completion", "bash", env={"HOME": str(tmp_path)})
    assert answer.status == 2
    assert len(answer.err.splitlines()) == 1
    assert (tmp_path / ".bashrc").read_bytes() == b"caf\xe9\n"


@pytest.mark.parametrize("option", ["--show-completion", "--install-completion"])
@pytest.mark.parametrize("shell", ["/bin/tcsh", ""])
def test_another_shell_is_refused(cli: Run, option: str, shell: str) -> None:
    answer = cli(option, "--json", env={"SHELL": shell})
    assert answer.status == 2
    assert answer.json["error"]["code"] == "unknown-shell"
    assert answer.json["error"]["candidates"] == [*SHELLS]


# real shells


class Typist:
    """A shell on a pseudo-terminal, with completion as its start file has it."""

    def __init__(self, shell: str, folder: Path, cli: Run) -> None:
        self.shell = shell
        pty = pytest.importorskip("pty")
        import fcntl
        import termios

        where = shutil.which(shell)
        if where is None:
            pytest.skip(f"no {shell} here")
        program = folder / "bin" / "thunderref"
        program.parent.mkdir()
        self.answers = folder / "answers"
        self.answers.touch()
        ask = f"{sys.executable} -m thunderref; status=$?; echo >> {self.answers}; exit $status"
        program.write_text(
            f"#!/bin/sh\n[ -n \"$_THUNDERREF_COMPLETE\" ] && {{ {ask}; }}\nprintf '<%s>' \"$@\"\necho '<end>'\n",
            "utf-8",
        )
        program.chmod(0o755)
        env = {
            "HOME": str(folder), "PATH": f"{program.parent}:{os.environ['PATH']}", "TERM": "xterm", "LANG": "C.UTF-8",
        }  # fmt: skip
        assert cli("--install-completion", shell, env={**env, "ZDOTDIR": "", "XDG_CONFIG_HOME": ""}).status == 0
        self.process, self.terminal = pty.fork()
        if not self.process:
            os.execve(where, [where, "-i"], env)
        self.type(f"{READY[shell]}; echo rea''dy\r", "ready")
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))

    def type(self, keys: str, until: str) -> str:
        """What is shown after these keys, up to a text that has to come."""
        os.write(self.terminal, keys.encode())
        shown, end = "", time.monotonic() + LIMIT
        while until not in shown:
            if time.monotonic() > end:
                pytest.fail(f"no {until!r} in {shown[-600:]!r}")
            if select.select([self.terminal], [], [], 0.2)[0]:
                shown += os.read(self.terminal, 65536).decode(errors="replace")
        return shown

    def words(self, line: str) -> list[str]:
        """The words that the shell gives the command after Tab."""
        asked, end = self.answers.stat().st_size, time.monotonic() + LIMIT
        os.write(self.terminal, f"{line}\t".encode())
        while self.answers.stat().st_size == asked and time.monotonic() < end:
            time.sleep(0.05)
        quote = next((quote for quote in "'\"" if quote in line), "") if self.shell != "fish" else ""
        shown = self.type(f"{quote}\r", "<end>")
        return re.findall("<(.*?)>", shown[shown.rindex("\n", 0, shown.rindex("<end>")) :])[:-1]

    def leave(self) -> None:
        os.close(self.terminal)
        os.waitpid(self.process, 0)


COMPLETED = [
    ("thunderref vil", ["village"]),
    ("thunderref card flam", ["card", "Flaming Sword"]),
    ("thunderref card flaming s", ["card", "flaming", "Sword"]),
    ("thunderref card flaming\\ s", ["card", "Flaming Sword"]),
    ("thunderref resolve torch --hall=blink", ["resolve", "torch", "--hall=Blink Dog"]),
    ("thunderref cards kind:he", ["cards", "kind:hero"]),
    ("thunderref --lang ru card огненный", ["--lang", "ru", "card", "Огненный шар"]),
    ("thunderref resolve --file bi", ["resolve", "--file", "bi"]),
    ("thunderref card sword", ["card", "sword"]),
    ("thunderref resolve '2 militia, elf w", ["resolve", "2 militia, Elf Wizard"]),
    ('thunderref resolve "2 militia, elf w', ["resolve", "2 militia, Elf Wizard"]),
]  # fmt: skip


@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes(cli: Run, tmp_path: Path, shell: str) -> None:
    typist = Typist(shell, tmp_path, cli)
    bracket = ("thunderref --lang pl card horda\\ \\(k", ["--lang", "pl", "card", "Horda (karta zamiany)"])
    for line, words in COMPLETED if shell == "fish" else [*COMPLETED, bracket]:  # fish stops at an escaped bracket
        assert typist.words(line) == words, line
    typist.leave()


def test_a_command_that_was_completed_still_has_its_brief_page(cli: Run) -> None:
    """Both happen in one process at the prompt."""
    from typer.main import get_command

    from thunderref.cli.app import app
    from thunderref.cli.completion import suggestions

    suggestions(get_command(app), ["cards"], "--so")
    assert cli("cards", "-h").status == 0
