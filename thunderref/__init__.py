"""thunderref: the rules referee for Thunderstone: card look-up, set-ups and battles in three languages.

``lookup``, ``resolve`` and ``generate_setup`` take and return what the commands of the same name do, as typed objects
whose ``model_dump()`` is the JSON of the command. They are loaded when first used: importing this package is free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thunderref.lookup.api import lookup as lookup
    from thunderref.setup.api import generate_setup as generate_setup
    from thunderref.solve.api import resolve as resolve

__all__ = ["generate_setup", "lookup", "resolve"]


def __getattr__(name: str) -> Any:
    """The public functions; ``lookup`` is the sub-package itself, which can be called (see there)."""
    if name == "lookup":
        import thunderref.lookup as found

        return found
    if name == "resolve":
        from thunderref.solve.api import resolve

        return resolve
    if name == "generate_setup":
        from thunderref.setup.api import generate_setup

        return generate_setup
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
