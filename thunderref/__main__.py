"""Entry point of ``thunderref`` and of ``python -m thunderref``."""

from __future__ import annotations

import gc

gc.disable()  # importing makes only objects that stay: collecting among them would cost a tenth of the start-up

from thunderref.cli.app import main  # noqa: E402

if __name__ == "__main__":
    main()
