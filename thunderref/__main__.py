"""Entry point of ``thunderref`` and of ``python -m thunderref``."""

from __future__ import annotations

import gc
import signal

gc.disable()  # importing makes only objects that stay: collecting among them costs a tenth of the start-up
_LISTENS = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _LISTENS:  # Ctrl-C while the program is still loading ends it without a word
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from thunderref.cli.app import main as run  # noqa: E402


def main() -> None:
    if _LISTENS:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    finally:
        gc.freeze()  # Python would collect garbage once more at the end, at a twentieth of a look-up


if __name__ == "__main__":
    main()
