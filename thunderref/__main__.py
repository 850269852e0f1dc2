"""Entry point of ``thunderref`` and of ``python -m thunderref``."""

from __future__ import annotations

from thunderref.cli.app import main

if __name__ == "__main__":
    main()
