"""Where every card of a game is, for counting, and what the players have at its end (R7.2)."""

from __future__ import annotations

from collections import Counter

from thunderref.engine.closing import given_back
from thunderref.engine.hand import in_play, revealed
from thunderref.engine.moment import Game
from thunderref.engine.score import Standing, holdings, points, winners
from thunderref.engine.state import EMPTY, FLEETING, Table
from thunderref.engine.values import replace
from thunderref.engine.visit import Visit
from thunderref.engine.world import DISEASE


def places(game: Game) -> Counter[tuple[str, str]]:
    """Every card with its place, counted: (place, card). Disease is left out, of which there is no end (R1.6)."""
    state, world = game.state, game.world
    found: Counter[tuple[str, str]] = Counter()

    def put(place: str, *cards: str) -> None:
        found.update((place, card) for card in cards if card not in (EMPTY, DISEASE))

    for number in range(len(world.seats)):
        seat = game.seat(number)
        put(f"hand {number}", *seat.hand)
        put(f"deck {number}", *seat.deck)
        put(f"discard {number}", *seat.discard)
        put(f"penalties {number}", *seat.penalties)
    put("open", *(card for _, card in world.open))
    put("lent", *(card for (card, _), _ in world.lent))
    put("conjured", *(slot.card for slot in revealed(state) if slot.flags & FLEETING and in_play(slot)))
    put("hall", *(foe.card for foe in state.hall))
    put("rank 0", *(foe.card for foe in state.rank0))
    put("dungeon", *state.dungeon)
    put("horde", *world.horde)
    put("removed", *world.removed, *(card for card, _ in state.destroyed))
    put("cage", *(card for card, _ in state.caged))
    put("lost", *world.lost)
    for cage in world.cages:
        put("cage", *cage)
    for card, left in game.turn.offer if isinstance(game.turn, Visit) else world.stacks:
        if card != DISEASE and left:
            found["stack", card] += left
    return found


def problems(table: Table, game: Game, start: Counter[tuple[str, str]]) -> list[str]:
    """What is wrong with a moment of a game that began with ``start``: one line each, [] if nothing is."""
    found = []
    before, after = Counter[str](), Counter[str]()
    for (_, card), n in start.items():
        before[card] += n
    now = places(game)
    for (_, card), n in now.items():
        after[card] += n
    for card in before.keys() | after.keys():
        if before[card] != after[card]:
            found.append(f"{card}: {before[card]} at the start, {after[card]} now")
    if any(n < 0 for n in now.values()):
        found.append("a stack holds less than nothing")
    ranks = [foe.card for foe in game.state.hall]
    if len(ranks) != 3:
        found.append(f"the hall has {len(ranks)} ranks")
    for card in ranks:
        if card != EMPTY and table.book[card].kind not in ("monster", "guardian", "thunderstone"):
            found.append(f"{card} stands in the hall")
    if any(game.seat(number).xp < 0 for number in range(len(game.world.seats))):
        found.append("somebody owes XP")
    if isinstance(game.turn, Visit) and game.turn.gold < 0:
        found.append("somebody owes gold")
    return found


def decks(game: Game) -> tuple[tuple[str, ...], ...]:
    """All cards of each player, wherever they are."""
    game = replace(game, turn=given_back(game.state))
    return tuple(game.seat(number).cards for number in range(len(game.world.seats)))


def standings(table: Table, game: Game) -> tuple[Standing, ...]:
    """The victory points of each player, penalty cards taken off, and whether he holds a Thunderstone (R7.2)."""
    found = []
    for number, deck in enumerate(decks(game)):
        vp = points(holdings(table.book, deck), len(game.world.seats[number].penalties))
        found.append(Standing(vp, any(table.book[card].kind == "thunderstone" for card in deck)))
    return tuple(found)


def lost_points(table: Table, game: Game) -> int:
    """What the monsters that reached the village are worth in a solo game (R9.5)."""
    return points(holdings(table.book, game.world.lost))


def result(table: Table, game: Game) -> tuple[tuple[Standing, ...], tuple[int, ...]]:
    """The standings and the seats of the winners (R7.3); a solo player wins with more than the monsters have (R9.5)."""
    found = standings(table, game)
    if table.variant == "solo":
        return found, (0,) if found[0].vp > lost_points(table, game) else ()
    return found, winners(found)[0]
