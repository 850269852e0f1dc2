"""``thunderref play --after``: the next game of a campaign (R9.2 to R9.4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from thunderref.cli.session import Session
from thunderref.errors import InputError, ThunderrefError


def followed(
    run: Session,
    after: str,
    players: str | None,
    winner: int | None,
    left: str | None,
    scores: str | None,
    heroes: list[str],
    seed: int,
    ruleset: str | None,
    readings: list[str],
    save: str | None,
) -> Any:
    """The game after the one that was saved in a file, or after one at the table, of which the code is known.

    The saved game knows its players, its score and what was left; of the other it has to be said.
    """
    from thunderref.cli import setup_view
    from thunderref.cli.play import check_ruleset
    from thunderref.play.campaign import after_code, next_game
    from thunderref.play.course import resumed
    from thunderref.play.players import read_players
    from thunderref.play.record import check_new, read

    if save is not None:
        check_new(save)
    along = _heroes(run, heroes)
    try:
        if _is_saved_game(after):
            given = {
                "--players": players, "--left": left, "--scores": scores, "--ruleset": ruleset, "--reading": readings,
            }  # fmt: skip
            refused = [name for name, value in given.items() if value]
            if refused:
                raise InputError("setup-after-options", options=", ".join(refused))
            before = resumed(run.store, read(after), run.words.lang)
            return next_game(before, winner=winner, heroes=along, seed=seed, lang=run.words.lang)
        check_ruleset(ruleset or "print")
        return after_code(
            run.store, setup_view.saved_code(after), read_players(players, run.words), winner=winner,
            scores=() if scores is None else setup_view.numbers(scores),
            left=() if left is None else setup_view.cards_left(left, run.store), heroes=along, seed=seed,
            ruleset=ruleset or "print", readings=readings, words=run.words,
        )  # fmt: skip
    except ThunderrefError as error:
        raise setup_view.localised(error, run.words) from None


def _is_saved_game(after: str) -> bool:
    """True for a file that ``play`` has written."""
    try:
        document = json.loads(Path(after).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "steps" in document and "turns" in document


def _heroes(run: Session, heroes: list[str]) -> list[list[str]]:
    """The cards of each ``--heroes``, as ids."""
    from thunderref.cli.inputs import entries_of
    from thunderref.solve.position import Finder, cards_of

    find = Finder(run.store, run.words.lang)
    kinds = frozenset(("hero", "basic"))
    return [
        cards_of(entries_of(cards) or [], find, kinds) if cards.strip() not in ("", "-") else [] for cards in heroes
    ]
