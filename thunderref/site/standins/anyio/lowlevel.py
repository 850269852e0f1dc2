"""Only named when starlette is imported."""

from typing import Generic, TypeVar

T = TypeVar("T")


class RunVar(Generic[T]):
    def __init__(self, name: str) -> None:
        self.name = name
