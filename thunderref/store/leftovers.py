"""What building a compiled wheel leaves among the sources."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path


def compiled(root: Path) -> list[Path]:
    """The compiled modules beside their sources below ``root``, and the library that they share, in order."""
    ending = EXTENSION_SUFFIXES[0]
    beside = [
        path
        for path in (root / "thunderref").rglob(f"*{ending}")
        if path.with_name(path.name.removesuffix(ending) + ".py").is_file()
    ]
    return sorted([*beside, *root.glob(f"*__mypyc{ending}")])
