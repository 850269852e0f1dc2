"""Stands in for filelock: a browser has one program and no locks."""

from pathlib import Path


class Timeout(Exception): ...  # noqa: N818


class FileLock:
    is_locked = False

    def __init__(self, path: Path, timeout: float, mode: int) -> None: ...

    def acquire(self, poll_interval: float) -> None: ...

    def release(self) -> None: ...
