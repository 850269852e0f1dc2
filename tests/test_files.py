"""Files are read and written in one way: regular ones, of a bounded size, whole or not at all, one run at a time."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from support.systems import keep_in, like_windows, needs_posix
from thunderref import files
from thunderref.errors import InputError


def refused(code: str, name: Path | str, text: str = "new", *, replace: bool = False) -> InputError:
    with pytest.raises(InputError) as caught:
        files.write_text(name, text, replace=replace)
    assert caught.value.code == code
    return caught.value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("old", "utf-8")
    return tmp_path / "file"


def test_what_is_there_stays_unless_it_may_be_replaced(file: Path) -> None:
    refused("file-exists", file)
    assert file.read_text("utf-8") == "old"
    files.write_text(file, "new", replace=True)
    assert file.read_text("utf-8") == "new"
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_a_name_taken_at_the_last_moment_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def late(handle: int) -> None:
        fsync(handle)
        (tmp_path / "file").write_text("theirs", "utf-8")

    monkeypatch.setattr(os, "fsync", late)
    refused("file-exists", tmp_path / "file")
    assert (tmp_path / "file").read_text("utf-8") == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("call", ["fsync", pytest.param("chmod", marks=needs_posix), "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_whatever_fails_the_old_file_is_whole_and_nothing_left(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, call, fail)
    with pytest.raises((InputError, KeyboardInterrupt)):
        files.write_text(file, "new", replace=True)
    assert file.read_text("utf-8") == "old"
    assert [path.name for path in file.parent.iterdir()] == ["file"]


@needs_posix
def test_only_regular_files_are_written(file: Path) -> None:
    os.mkfifo(file.parent / "pipe")
    for place in (file.parent, file.parent / "pipe", os.devnull):
        refused("no-place", place, replace=True)
    refused("no-folder", file.parent / "no" / "file")
    refused("no-folder", file / "below")
    refused("cannot-write", "a\0b")
    refused("cannot-write", file.parent / ("x" * 300))


@needs_posix
def test_a_link_stays_a_link_and_permissions_stay(file: Path) -> None:
    link = file.with_name("link")
    link.symlink_to(file)
    file.chmod(0o640)
    files.write_text(link, "new", replace=True)
    assert link.is_symlink()
    assert (file.read_text("utf-8"), file.stat().st_mode & 0o777) == ("new", 0o640)


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("", "utf-8")
    files.write_text(tmp_path / "file", "new")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "usual").stat().st_mode


@needs_posix
def test_only_regular_files_are_read(file: Path) -> None:
    os.mkfifo(file.parent / "pipe")
    for place, why in ((file.parent, "folder"), (file.parent / "pipe", "device"), ("/dev/zero", "device")):
        with pytest.raises(InputError) as caught:
            files.read_text(place)
        assert (caught.value.code, caught.value.params["why"]) == ("unreadable-file", why)
    for place in (file.parent / "nothing", file / "below"):
        with pytest.raises(InputError, match="no-file"):
            files.read_text(place)
    with pytest.raises(InputError, match="unreadable-file"):
        files.read_text("a\0b")
    assert files.read_text(file) == "old"


@needs_posix
def test_files_have_a_size(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b" " * files.MOST_BYTES)
    assert len(files.read_text(tmp_path / "file")) == files.MOST_BYTES
    with (tmp_path / "file").open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(InputError, match="too-large"):
        files.read_text(tmp_path / "file")
    with open("/dev/zero", "rb") as endless, pytest.raises(InputError, match="too-large"):
        files.read_text("-", endless)
    with open("/dev/zero", "rb") as endless, pytest.raises(InputError, match="too-large"):
        list(files.lines_of("-", endless))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 50 + "]" * 50, None),
        ("[" * 52 + "]" * 52, "too-deep"),
        ("[" * 100_000, "too-deep"),
        ('{"a":' * 60 + "1" + "}" * 60, "too-deep"),
        ("9" * 15, None),
        ("9" * 16, "too-many-digits"),
        ("-" + "9" * 16, "too-many-digits"),
        ("9" * 5000, "too-many-digits"),
        ("1e400", "no-number"),
        ("NaN", "no-number"),
        ("-Infinity", "no-number"),
        ('{"a": 1, "a": 2}', "double-key"),
        ('{"a": 1,}', "malformed-file"),
        ("\ufeff[1]", None),
        ("[true, null, 0.5]", None),
    ],
)  # fmt: skip
def test_a_document_has_bounds(text: str, code: str | None) -> None:
    if code is None:
        files.parse_json(text, "-")
        return
    with pytest.raises(InputError) as caught:
        files.parse_json(text, "-")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a = " + "[" * 100_000, "too-deep"), (".".join("a" * 60) + " = 1", "too-deep"),
        ("a = " + "9" * 5000, "too-many-digits"),
        ("a = inf", "no-number"), ("a = 12:30:00", "bare-time"), ("a = [1979-05-27]", "bare-time"),
        ("a = 1\na = 2", "malformed-file"), ("a =", "malformed-file"),
    ],
)  # fmt: skip
def test_toml_has_the_same_bounds(text: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        files.parse_toml(text, "-")
    assert caught.value.code == code


@pytest.mark.parametrize("windows", [False, True])
def test_one_writer_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: bool) -> None:
    if windows:
        like_windows(monkeypatch)
    (tmp_path / "count").write_text("0", "utf-8")

    def add() -> None:
        for _ in range(20):
            with files.only_writer(tmp_path / "count"):
                found = int(files.read_text(tmp_path / "count"))
                files.write_text(tmp_path / "count", str(found + 1), replace=True)

    writers = [threading.Thread(target=add) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert files.read_text(tmp_path / "count") == "160"
    assert [path.name for path in tmp_path.iterdir()] == ["count"]
    monkeypatch.setattr(files, "LOCK_TIMEOUT", 0.05)
    with files.only_writer(tmp_path / "count"), pytest.raises(InputError, match="file-busy"):  # noqa: SIM117
        with files.only_writer(tmp_path / "other"):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["count"]


def test_one_program_writes_at_a_time(tmp_path: Path) -> None:
    """Each removes the lock while others wait for it: none of these may take the removed one for theirs."""
    (tmp_path / "count").write_text("0", "utf-8")
    program = """if True:
        import sys
        from thunderref import files
        for _ in range(50):
            with files.only_writer(sys.argv[1]):
                found = int(files.read_text(sys.argv[1]))
                files.write_text(sys.argv[1], str(found + 1), replace=True)
    """
    command = [sys.executable, "-c", program, str(tmp_path / "count")]
    writers = [subprocess.Popen(command) for _ in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert files.read_text(tmp_path / "count") == "200"
    assert [path.name for path in tmp_path.iterdir()] == ["count"]


@needs_posix
def test_a_lock_that_is_removed_while_it_is_waited_for_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One opens the lock, its holder removes it, a third makes it anew and holds it: the first has to wait."""
    import fcntl

    place, lock, third = tmp_path / files.LOCK, fcntl.flock, list[int]()
    place.touch()

    def meanwhile(handle: int, operation: int) -> None:
        if not third and os.path.samestat(os.fstat(handle), place.stat()):
            place.unlink()
            third.append(os.open(place, os.O_RDWR | os.O_CREAT))
            lock(third[0], fcntl.LOCK_EX)
        lock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    monkeypatch.setattr(files, "LOCK_TIMEOUT", 0.05)
    with pytest.raises(InputError, match="file-busy"), files.only_writer(tmp_path / "file"):
        pass
    os.close(third[0])
    with files.only_writer(tmp_path / "file"):
        pass
    assert not list(tmp_path.iterdir())


def test_what_was_left_by_a_program_that_died_keeps_nobody_out(tmp_path: Path) -> None:
    (tmp_path / files.LOCK).touch()
    with files.only_writer(tmp_path / "a"):
        pass
    assert not list(tmp_path.iterdir())


def test_no_folder_is_made_for_a_lock(tmp_path: Path) -> None:
    with files.only_writer(tmp_path / "missing" / "file"):
        pass
    assert not list(tmp_path.iterdir())


@needs_posix
@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="nothing is closed to the superuser")
def test_a_folder_that_cannot_be_written_needs_no_lock(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with files.only_writer(tmp_path / "file"):
        refused("cannot-write", tmp_path / "file")
    tmp_path.chmod(0o700)


def test_windows_replaces_and_removes_a_file_once_the_other_program_has_closed_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    like_windows(monkeypatch)
    for change in (lambda: files.write_text(file, "new", replace=True), lambda: files.remove_file(file)):
        reader = file.open("rb")
        closing = threading.Timer(0.1, reader.close)
        closing.start()
        change()
        closing.join()
        assert not file.exists() or file.read_text("utf-8") == "new"
    assert not list(file.parent.iterdir())


def test_a_file_that_stays_open_on_windows_is_told_and_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.path.isdir("/proc/self/fd") and os.name != "nt":
        pytest.skip("nothing tells here which files are open")
    like_windows(monkeypatch)
    monkeypatch.setattr(files, "MOMENT", 0.05)
    with file.open("rb"):
        refused("cannot-write", file, replace=True)
        with pytest.raises(InputError, match="cannot-write"):
            files.remove_file(file)
    assert [path.read_text("utf-8") for path in file.parent.iterdir()] == ["old"]


def test_the_files_of_the_program_may_be_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the tests would write into the folders of whoever runs them."""
    keep_in(monkeypatch, tmp_path)
    for file in (files.state_file("x"), files.data_file("x")):
        assert file == tmp_path / "thunderref" / "x"
