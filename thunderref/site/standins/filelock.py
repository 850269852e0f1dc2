"""Stands in for filelock: a browser has one program and no locks."""


class Timeout(Exception): ...  # noqa: N818


class FileLock:
    def __init__(self, path: str, timeout: float, mode: int) -> None: ...

    def acquire(self, poll_interval: float) -> None: ...

    def release(self) -> None: ...
