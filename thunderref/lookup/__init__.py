"""Finding cards, families, rules and terms by name: exact, then prefix, then fuzzy.

The package can be called: ``thunderref.lookup("flam sw")`` is :func:`thunderref.lookup.api.lookup`. Importing any of
its modules makes ``thunderref.lookup`` this package, so a function of that name could not stay there.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thunderref.lookup.api import LookupResult


class _Callable(ModuleType):
    def __call__(self, query: str, lang: str | None = None, limit: int = 1) -> LookupResult:
        """See :func:`thunderref.lookup.api.lookup`."""
        from thunderref.lookup.api import lookup

        return lookup(query, lang, limit)


sys.modules[__name__].__class__ = _Callable
