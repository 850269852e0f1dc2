"""Every task by name, with what there is to choose and what happens then."""

from __future__ import annotations

from thunderref.thunderstone.rules import end_of_turn, variants, village
from thunderref.thunderstone.rules.effects import battle, other_players, preparation, special, traps_and_breaches
from thunderref.thunderstone.rules.game import Handlers

MODULES = (
    preparation, special, village, battle, traps_and_breaches, other_players, end_of_turn, variants,
)  # fmt: skip
HANDLERS: Handlers = {name: handler for module in MODULES for name, handler in module.HANDLERS.items()}
