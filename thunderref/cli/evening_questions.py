"""What somebody at a terminal is asked before an evening is changed."""

from __future__ import annotations

from typing import Any

from thunderref.cli.command import entries_of
from thunderref.cli.render import print_lines
from thunderref.cli.session import session
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.table.evening import require_no_evening


def answer_to(error: NoAnswerError) -> dict[str, Any] | None:
    """What somebody at a terminal says to a question; None if nobody is asked, or they do not go on."""
    run, asks = session(), {"evening-unseen": "evening.sure", "evening-toll": "evening.toll-ask"}
    if error.code not in (*asks, "evening-running") or not run.has_a_person:
        return None
    say = run.words.say
    print_lines([(0, run.words.error(error))])
    try:
        said = input(f"{say(asks.get(error.code, 'evening.sure'))} ").strip().casefold()
    except EOFError:
        return None
    if error.code == "evening-toll":
        return {"toll": entries_of(said) or []}
    return {"unseen": True} if said in (say("evening.sure.yes"), "y") else None


def require_room(*, force: bool) -> None:
    """Raises :class:`NoAnswerError` (``evening-running``) if an evening is under way, unless forced or told so."""
    try:
        require_no_evening(None if force else session().tonight)
    except NoAnswerError as error:
        if answer_to(error) is None:
            raise
