"""Where every card of a game is, for counting, and what is wrong with a position."""

from __future__ import annotations

from collections import Counter

from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import all_slots, in_play
from thunderref.thunderstone.rules.position import DISEASE, EMPTY, FLEETING, Position, table_of


def places(position: Position) -> Counter[tuple[str, str]]:
    """Every card with its place, counted: (place, card). Disease is left out, of which there is no end (R1.6)."""
    table = table_of(position)
    found: Counter[tuple[str, str]] = Counter()

    def put(place: str, *cards: str) -> None:
        found.update((place, card) for card in cards if card not in (EMPTY, DISEASE))

    for number in range(len(table.seats)):
        seat = seat_of(position, number)
        put(f"hand {number}", *seat.hand)
        put(f"deck {number}", *seat.deck)
        put(f"discard {number}", *seat.discard)
        put(f"penalties {number}", *seat.penalties)
    put("open", *(card for _, card in table.open))
    put("lent", *(card for (card, _), _ in table.lent))
    put("conjured", *(slot.card for slot in all_slots(position) if slot.flags & FLEETING and in_play(slot)))
    put("hall", *(foe.card for foe in position.hall))
    put("rank 0", *(foe.card for foe in position.rank0))
    put("dungeon", *position.dungeon)
    put("horde", *table.horde)
    put("removed", *table.removed, *(card for card, _ in position.destroyed))
    put("cage", *(card for card, _ in position.caged), *(card for cage in table.cages for card in cage))
    put("lost", *table.lost)
    for card, left in position.stacks or ():
        if card != DISEASE and left:
            found["stack", card] += left
    return found


def problems(game: Game, position: Position, start: Counter[tuple[str, str]]) -> list[str]:
    """What is wrong with a moment of a game that began with ``start``: one line each, [] if nothing is."""
    now = places(position)
    before, after = Counter[str](), Counter[str]()
    for counted, cards in ((start, before), (now, after)):
        for (_, card), n in counted.items():
            cards[card] += n
    changed = [card for card in before.keys() | after.keys() if before[card] != after[card]]
    found = [f"{card}: {before[card]} at the start, {after[card]} now" for card in changed]
    if any(n < 0 for n in now.values()):
        found.append("a stack holds less than nothing")
    ranks = [foe.card for foe in position.hall]
    if len(ranks) != 3:
        found.append(f"the hall has {len(ranks)} ranks")
    for card in ranks:
        if card != EMPTY and game.cards[card].kind not in ("monster", "guardian", "thunderstone"):
            found.append(f"{card} stands in the hall")
    if any(seat_of(position, number).xp < 0 for number in range(len(table_of(position).seats))):
        found.append("somebody owes XP")
    if position.visit is not None and position.visit.gold < 0:
        found.append("somebody owes gold")
    return found
