"""Every task by name, with what there is to choose and what happens then."""

from __future__ import annotations

from thunderref.thunderstone.rules import end_of_turn, variants, village
from thunderref.thunderstone.rules.effects import (
    after_battle,
    battle,
    other_players,
    preparation,
    special,
    traps_and_breaches,
)
from thunderref.thunderstone.rules.tasks import Handlers

HANDLERS: Handlers = {
    **preparation.HANDLERS,
    **special.HANDLERS,
    **village.HANDLERS,
    **battle.HANDLERS,
    **after_battle.HANDLERS,
    **traps_and_breaches.HANDLERS,
    **other_players.HANDLERS,
    **end_of_turn.HANDLERS,
    **variants.HANDLERS,
}
