"""How much of the rules and rulings the examples show, how much has a source: ``python -m support.coverage``.

An example names what it shows with the keys ``rule`` and ``ruling``, one id or a list of them.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from . import ROOT, examples_of, read_toml

EXAMPLES = examples_of("**/*.toml")


def named(key: str) -> Counter[str]:
    """The ids that examples name with that key, and how many do."""
    found = [example.get(key, []) for _, example in EXAMPLES]
    return Counter(one for ids in found for one in ([ids] if isinstance(ids, str) else ids))


def entries(file: str, table: str) -> dict[str, dict[str, Any]]:
    """What a file of db/ lists, by id."""
    return {entry["id"]: entry for entry in read_toml(ROOT / "db" / f"{file}.toml")[table]}


def main() -> None:
    for key, listed in (("rule", entries("rules", "rule")), ("ruling", entries("clarifications", "clarification"))):
        sourced = sum(bool(entry.get("sources")) for entry in listed.values())
        print(f"{key}s: {len(listed)}; with an example: {len(named(key))}; with a source: {sourced}")
    print(f"examples: {len(EXAMPLES)}")


if __name__ == "__main__":
    main()
