"""The battle: Disease, battle effects and the outcome (R5); who leaves, spoils, what a victory allows (R6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple, cast

from thunderref.database import operations as ops
from thunderref.database.operations import Spoils, Toll
from thunderref.thunderstone.rules import hall, hand, position
from thunderref.thunderstone.rules.cards import Cards, CardSpec
from thunderref.thunderstone.rules.choices import DECLINE, REVEAL, Named, Pick, Rank, Reveal, Several, Stat
from thunderref.thunderstone.rules.draws import REVEAL_AT_RANDOM, show_top
from thunderref.thunderstone.rules.effects import preparation
from thunderref.thunderstone.rules.effects.all_players import open_cards, release_heroes, settle_open, turn_up_cards
from thunderref.thunderstone.rules.explanation import Event, Totals, fold
from thunderref.thunderstone.rules.figures import disease_options, hero_terms, own_attack, totals, with_cause
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, do_nothing, on_choice, void
from thunderref.thunderstone.rules.party import Party, party_of
from thunderref.thunderstone.rules.position import AnyTask, Battle, Position, Ref, Slot, Target, Task, replace, table_of
from thunderref.thunderstone.rules.readings import DISEASE_SUMS, FALLEN_HEROES

Revealed = tuple[str, ops.DestroyRandom]  # a card that came up, and the operation that asked for it
AllDestroy = ops.EachPlayerDestroys


def begin_battle(game: Game, state: Position, rank: int, place: int, events: Events) -> Position:
    """Declares the attack: first the Diseases in hand (R5.6), then the target's battle effects, then the outcome."""
    foe = state.rank0[place] if rank == 0 else state.hall[rank - 1]
    if foe.tokens:  # it waits no longer (R9.6)
        foe = replace(foe, tokens=0)
        state = replace(state, hall=tuple(foe if r == rank else other for r, other in enumerate(state.hall, 1)))
    spec = game.cards[foe.card]
    events.append(Event("attacked", foe.card, ("R5.1",), (("rank", rank),)))
    there = [(slot, game.cards[slot.card]) for slot in state.hand]
    gifts = [Task[Any]("trophy-gift", slot.ref) for slot, card_spec in there if card_spec.gift and 0 not in slot.used]
    diseases = [Task[Any]("disease", slot.ref) for slot, card_spec in there if card_spec.kind == "disease"]
    works = [(index, op) for index, op in enumerate(spec.battle) if op.op not in ("bonus", "halve")]
    effects = [Task[Any](f"battle:{op.op}", (foe.card, index), op) for index, op in works]
    late = DISEASE_SUMS in game.readings and not game.any_loss
    todo = [*gifts, *effects, *diseases] if late else [*gifts, *diseases, *effects]
    return replace(state, phase="battle", battle=Battle(foe, rank, place), todo=(*todo, Task("finish")))


def battle_of(state: Position) -> Battle:
    """The battle under way; ValueError if there is none."""
    if state.battle is None:
        raise ValueError("no battle is under way")
    return state.battle


def target(game: Game, state: Position) -> Target:
    battle = battle_of(state)
    return Target(game.cards[battle.foe.card], battle.rank, battle)


def value(game: Game, state: Position) -> Totals:
    """The battle value so far; a weapon that no hero holds with the cause."""
    party, aim = party_of(game, state), target(game, state)
    result = totals(party, aim, battle_of(state).foe)
    if not party.weapons:
        return result
    return replace(result, terms=tuple([with_cause(party, term, aim) for term in result.terms]))


def _gift(game: Game, state: Position, task: Task[None], choice: Pick, events: Events) -> Position:
    card, copy = choice.value
    events.append(Event("given", task.source[0], ("R8.1",), (("hero_card", card), ("hero_copy", copy))))
    state = hand.mark_hero(state, choice.value, (task.source[0], 0))
    trophy, _ = hand.find(state, task.source)
    return hand.replace_card(state, task.source, replace(trophy, used=(*trophy.used, 0)))


def _disease_options(game: Game, state: Position, task: Task[None]) -> Answers:
    where = disease_options(party_of(game, state), target(game, state), battle_of(state))
    return tuple(Stat("disease", stat) for stat in where)


def _disease(game: Game, state: Position, task: Task[None], choice: Stat | None, events: Events) -> Position:
    battle = battle_of(state)
    if choice is None:
        events.append(Event("disease-void", "disease", ("R5.6",)))
        return state
    events.append(Event(f"disease.{choice.value}", "disease", (game.disease_rule,)))
    if choice.value == "attack":
        return replace(state, battle=replace(battle, disease_attack=battle.disease_attack + 1))
    return replace(state, battle=replace(battle, disease_magic=battle.disease_magic + 1))


def _weaken(game: Game, state: Position, task: Task[ops.Weaken], choice: None, events: Events) -> Position:
    battle = battle_of(state)
    state = replace(state, battle=replace(battle, weaken=battle.weaken + task.data.amount))
    party, weaken = party_of(game, state), battle_of(state).weaken
    event = Event("weaken", task.source[0], ("R5.3",), (("n", task.data.amount),))
    events.append(event if party.heroes else Event("battle-void", task.source[0], ("R5.2",)))
    dropped = [(weapon, hero) for hero in party.heroes for weapon in hero.weapons if party.drops(weapon, hero, weaken)]
    events += [Event("drops", weapon.card, ("R5.3",), (("hero_card", hero.card),)) for weapon, hero in dropped]
    return state


def _victims(game: Game, state: Position, task: Task[ops.BattleDestroy]) -> list[Slot]:
    party, aim, operation = party_of(game, state), target(game, state), task.data
    if operation.unarmed_party and party.any_armed(aim):
        return []
    doomed = position.THROWN | position.DOOMED
    victims = [slot for slot, spec in party.cards if not slot.flags & doomed and spec.matches(operation.select)]
    victims = [slot for slot in victims if not party.shields(slot)] if party.shielding else victims
    if operation.select.bare:
        bare = [slot for slot in victims if not party.is_armed(slot, aim)]
        victims = [hero for hero in bare if fold(hero_terms(party, hero, aim))[1] < 1]
    if operation.strongest and victims:
        best = max(party.strength(slot, aim.weaken) for slot in victims)
        victims = [slot for slot in victims if party.strength(slot, aim.weaken) == best]
    return victims


def _destroy_options(game: Game, state: Position, task: Task[ops.BattleDestroy]) -> Answers | None:
    return None if task.data.all else tuple(Pick("pick", slot.ref) for slot in _victims(game, state, task))


def _doom(game: Game, state: Position, task: Task[ops.BattleDestroy], choice: Pick | None, events: Events) -> Position:
    by = task.source[0]
    refs = [slot.ref for slot in _victims(game, state, task)] if task.data.all else [choice.value] if choice else []
    doomed = any(event.key == "doomed" and dict(event.params)["by_card"] == by for event in events)
    if not refs and not doomed and not any(other.name == task.name and other.source[0] == by for other in state.todo):
        events.append(Event("battle-void", by, ("R5.2",)))
    for ref in refs:
        state = _flag(state, ref, position.DOOMED, by, events, "doomed", "R5.2", "R6.3")
    return state


def _flag(state: Position, ref: Ref, flag: int, by: str, events: Events, key: str, *rules: str) -> Position:
    events.append(Event(key, ref[0], rules, (("by_card", by), ("copy", ref[1]))))
    return hand.flag_card(state, ref, flag)


def _lose_attack(game: Game, state: Position, task: Task[Any], choice: None, events: Events) -> Position:
    party = party_of(game, state)
    heroes = tuple(Task("lose", hero.ref, task.source[0]) for hero in party.attackers(target(game, state)))
    return replace(state, todo=(*heroes, *state.todo))


def _lose_options(game: Game, state: Position, task: Task[str]) -> Answers:
    party = party_of(game, state)
    hero, _ = hand.find(state, task.source)
    attack, magic = own_attack(party, hero, target(game, state))
    return tuple(Stat("from", stat) for stat, n in (("attack", attack), ("magic_attack", magic)) if n >= 1)


def _lose(game: Game, state: Position, task: Task[str], choice: Stat, events: Events) -> Position:
    flag = position.LOST_ATTACK if choice.value == "attack" else position.LOST_MAGIC
    return _flag(state, task.source, flag, task.data, events, f"loses.{choice.value}", "R5.7")


def _stop_options(game: Game, state: Position, task: Task[Any]) -> Answers:
    return tuple(Pick("pick", hero.ref) for hero in party_of(game, state).attackers(target(game, state)))


def _stop(game: Game, state: Position, task: Task[Any], choice: Pick, events: Events) -> Position:
    return _flag(state, choice.value, position.STOPPED, task.source[0], events, "stopped", "R5.4")


def _doom_the_weak(game: Game, state: Position, task: Task[Any], choice: None, events: Events) -> Position:
    """Marks every hero whose Strength is 0 or less for destruction, by a card or by the ruleset (R6.9, R6.9y)."""
    party, by = party_of(game, state), task.source[0]
    for hero in party.heroes:
        strength = party.strength(hero, battle_of(state).weaken)
        if strength <= 0 and not hero.flags & position.DOOMED and not (by and party.shielding):
            numbers = (("by_card", by), ("copy", hero.copy), ("strength", strength))
            events.append(Event("too-weak", hero.card, ("R6.9" if by else "R6.9y",), numbers))
            state = hand.flag_card(state, hero.ref, position.DOOMED)
    return state


def _random(game: Game, state: Position, task: Task[ops.DestroyRandom], choice: None, events: Events) -> Position:
    events.append(Event("random-destroy", task.source[0], ("R5.2",)))
    fate = REVEAL_AT_RANDOM if state.in_game else "random-fate"
    return replace(state, todo=(*state.todo, Task(fate, task.source, task.data)))


def _random_fate(game: Game, state: Position, task: Task[ops.DestroyRandom], choice: None, events: Events) -> Position:
    """The card revealed at random if every card meets the same fate; otherwise chance decides."""
    risky, n = at_risk(game, state, task.data), sum(map(hand.in_play, hand.all_slots(state)))
    if len(risky) == n and len({slot.card for slot in risky}) == 1:
        ref = min(slot.ref for slot in risky)
        events.append(Event("leaves", ref[0], ("R5.2",), (("copy", ref[1]),)))
        return hand.destroy_card(replace(state, todo=tuple(_without_rights(game, state.todo, ref, events))), ref)
    if risky:
        key = "random-loss" if len(risky) == n else "random-loss.perhaps"
        events.append(Event(key, task.source[0], ("R5.2",), (("n", len(risky)), ("all", n))))
    return state


def at_risk(game: Game, state: Position, operation: ops.DestroyRandom) -> list[Slot]:
    """The cards in play that are destroyed if chance reveals them: no Disease (R0.5), nobody who is spared (R6.3)."""
    party, there = party_of(game, state), [slot for slot in hand.all_slots(state) if hand.in_play(slot)]
    there = [slot for slot in there if not game.cards[slot.face].matches(operation.unless)]
    there = [slot for slot in there if not party.shields(slot) and not party.spares(slot)]
    return [slot for slot in there if game.cards[slot.face].kind != "disease"]


def _revealed(game: Game, state: Position, task: Task[Revealed], choice: None, events: Events) -> Position:
    """The card that came up is destroyed unless it matches; Disease is immune (R0.5), a spared hero goes too (R6.3)."""
    card, operation = task.data
    slot = next(slot for slot in hand.all_slots(state) if slot.card == card and hand.in_play(slot))
    events.append(Event("revealed", card, ("R5.2",), (("by_card", task.source[0]),)))
    spec = game.cards[slot.face]
    if spec.matches(operation.unless) or spec.kind == "disease" or party_of(game, state).shields(slot):
        return state
    if party_of(game, state).spares(slot):
        events.append(Event("spared", card, ("R6.3",)))
        return preparation.discard(state, slot.ref, events)
    state = replace(state, todo=tuple(_without_rights(game, state.todo, slot.ref, events)))
    return preparation.destroy(state, slot.ref, events, task.source[0], ("R5.2",))


def _destroy_each_options(game: Game, state: Position, task: Task[AllDestroy]) -> Answers:
    party, picks = party_of(game, state), preparation.own_cards("pick", position.DOOMED)(game, state, task) or ()
    return tuple(one for one in picks if not party.shields(hand.find(state, cast("Pick", one).value)[0]))


def _without_rights(game: Game, todo: Sequence[AnyTask], hero: Ref, events: Events) -> list[AnyTask]:
    """The tasks without what a victory allows a hero whom the battle destroyed (R6.3)."""
    remaining = [task for task in todo if task.name not in RIGHTS or task.source != hero]
    rules = tuple(dict.fromkeys(RIGHTS[task.name] for task in todo if task not in remaining))
    if not rules:
        return remaining
    acts = FALLEN_HEROES in game.readings
    events.append(Event("fallen.acts" if acts else "fallen", hero[0], ("R6.3", *rules)))
    return [*todo] if acts else remaining


def _destroy_each(game: Game, state: Position, task: Task[AllDestroy], choice: Pick | None, events: Events) -> Position:
    if state.table is None:
        events.append(Event("opponents-destroy", task.source[0], ("R5.2",)))
    tasks = preparation.each_other(state, "other-destroys", task.source, task.data.select)
    state = replace(state, todo=(*tasks, *state.todo))
    if choice is None:
        return state
    return _flag(state, choice.value, position.DOOMED, task.source[0], events, "doomed", "R5.2", "R6.3")


def decide_battle(game: Game, state: Position) -> tuple[Totals, list[Ref]]:
    """The outcome of a battle that waits for it, and the player's own cards that it destroys."""
    if game.weak_heroes_die:
        state = _doom_the_weak(game, state, Task("finish"), None, [])
    party = party_of(game, state)
    lost = [slot.ref for slot, fate in casualties(party) if fate == "destroyed" and not hand.is_foreign(state, slot)]
    return totals(party, target(game, state), battle_of(state).foe), lost


def _finish(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    if game.weak_heroes_die:
        state = _doom_the_weak(game, state, task, choice, events)
    battle, party, aim = battle_of(state), party_of(game, state), target(game, state)
    result, attackers, spec = value(game, state), party.attackers(aim), aim.spec
    after: list[AnyTask] = []
    if result.victory:
        extra = [op for hero in attackers for op in party.spec(hero).aftermath if isinstance(op, ops.ExtraXp)]
        xp = spec.xp + sum(op.amount for op in extra if op.when.rank is None or battle.rank in op.when.rank)
        events.append(Event("victory", spec.id, ("R5.14", "R6.2"), (("xp", xp), ("outcome", result))))
        state = replace(state, outcome=result, victory=True, xp=xp, gained=(*state.gained, spec.id))
        state = release_heroes(state, events)
        after += rights_of(party, attackers, aim)
        for hero in filter(party.falls, attackers):
            after = _without_rights(game, after, hero.ref, events)
    else:
        state = replace(state, outcome=result, victory=False)
        events.append(Event("defeat", spec.id, ("R6.1",), (("outcome", result),)))
    state = bury(party, state, events)
    state = leave(game, state, battle, result.victory, events)
    return replace(state, phase="after", todo=(*state.todo, *after, Task("refill"), Task("end-turn")))


# after the outcome (R6)


Kinds = tuple[str, ...]
RIGHTS = {"spoils": "R6.4", "sorcery": "R6.5", "hunt-take": "R6.5"}
"""The tasks that a victory allows a hero, each with its rule."""


class Right(NamedTuple):
    """A waiting spoils effect: the kinds it buys, and the purchases made for earlier effects with their kinds."""

    buys: Kinds
    bought: tuple[tuple[Kinds, str], ...] = ()


def casualties(party: Party) -> list[tuple[Slot, str]]:
    """The cards that leave when the battle ends (R6.3): each ``destroyed``, ``spared`` (discarded) or ``returned``."""
    losses = []
    for slot, _ in party.cards:
        if not slot.flags or not hand.in_play(slot):  # a thrown weapon has left already, conjured or borrowed (R5.3)
            continue
        if slot.flags & position.FLEETING or party.falls(slot):
            losses.append((slot, "destroyed"))
        elif slot.flags & (position.BORROWED | position.DOOMED):
            losses.append((slot, "returned" if slot.flags & position.BORROWED else "spared"))
    return losses


def bury(party: Party, state: Position, events: Events) -> Position:
    """Cards destroyed in the battle leave now (R6.3); borrowed and conjured ones too."""
    for slot, fate in casualties(party):
        if fate == "destroyed":
            key = "fades" if slot.flags & position.FLEETING else "leaves"
            events.append(Event(key, slot.card, ("R6.3",), (("copy", slot.copy),)))
            state = hand.destroy_card(state, slot.ref)
        else:
            doomed = slot.flags & position.DOOMED
            events.append(Event("spared", slot.card, ("R6.3",)) if doomed else Event("returned", slot.card, ("R4.7",)))
            state = hand.return_card(state, slot)
    return state


def leave(game: Game, state: Position, battle: Battle, victory: bool, events: Events) -> Position:
    """The beaten monster leaves the hall; another goes under the dungeon deck unless it may not (R6.1, R6.8)."""
    foe, variant = battle.foe, game.variant
    if not victory and (hall.must_be_defeated(game, foe) or (hall.hall_locked(game, state) and not variant.marches)):
        events.append(Event("stays", foe.card, ("R6.8",)))
        return state
    if battle.rank == 0:
        state = replace(state, rank0=(*state.rank0[: battle.place], *state.rank0[battle.place + 1 :]))
    else:
        state = hall.take_out(state, battle.rank)
    return state if victory else variant.retreat(state, foe.card, events)


def rights_of(party: Party, attackers: list[Slot], aim: Target) -> list[AnyTask]:
    """The rights that a victory gives: spoils of the heroes that attacked and of the monster (R6.4), then R6.5."""
    rights: list[AnyTask] = []
    for hero in attackers:
        rights += [Task("spoils", hero.ref, Right(op.buys)) for op in party.spec(hero).spoils if isinstance(op, Spoils)]
    rights += [Task("spoils", (aim.spec.id, 0), Right(op.buys)) for op in aim.spec.spoils if isinstance(op, Spoils)]
    rights += [Task("purge", (aim.spec.id, 0)) for op in aim.spec.spoils if getattr(op, "name", "") == "purge-top-six"]
    for hero in attackers:
        after = party.spec(hero).aftermath
        rights += [Task("sorcery", hero.ref, op) for op in after if op.op == "bottom-after-victory"]
        rights += [Task("hunt-take", hero.ref, aim.spec.id) for op in after if getattr(op, "name", "") == "hunt-take"]
    return rights


def gold(game: Game, state: Position) -> int:
    """The gold of the revealed cards that survived (R6.4)."""
    return sum(amount for _, amount in gold_from(game, state))


def gold_from(game: Game, state: Position) -> list[tuple[str, int]]:
    """The sources of that gold: (card, gold) for every revealed card that has some."""
    sources = [(slot.card, game.cards[slot.face].gold or 0) for slot in hand.all_slots(state) if hand.in_play(slot)]
    return [(card, amount) for card, amount in sources if amount]


@lru_cache(maxsize=1024)
def buys(cards: Cards, kinds: Kinds, budget: int, village: tuple[str, ...] | None) -> tuple[str, ...]:
    """The cards on offer of these kinds that cost at most ``budget``; none if the village is unknown."""
    specs = [cards[card] for card in dict.fromkeys(village or ())]
    return tuple(spec.id for spec in specs if spec.cost <= budget and _is_of(spec, kinds))


def _is_of(spec: CardSpec, kinds: Kinds) -> bool:
    return spec.kind in kinds or bool(spec.types & {"weapon", "food"}.intersection(kinds))


def _spoils_options(game: Game, state: Position, task: Task[Right]) -> Answers:
    """Decline, or a card on offer, perhaps for an earlier purchase whose effect can buy the card instead."""
    right, budget = task.data, gold(game, state)
    rights = (right.buys, *(kinds for kinds, _ in right.bought))
    buyable_kinds = tuple(dict.fromkeys(kind for kinds in rights for kind in kinds))
    offers = buys(game.cards, buyable_kinds, budget, preparation.perhaps_on_offer(game, state))
    if right.bought:
        cards = [card for _, card in right.bought]
        offers = tuple(card for card in offers if _each_its_own(game, (card, *cards), rights))
    return (DECLINE, *(Named("buy", card) for card in offers))


def _each_its_own(game: Game, cards: tuple[str, ...], rights: tuple[Kinds, ...]) -> bool:
    """True if each card can have a spoils effect of its own (R6.4)."""
    specs = [game.cards[card] for card in cards]
    return any(all(map(_is_of, specs, order)) for order in permutations(rights, len(specs)))


def _spoils(game: Game, state: Position, task: Task[Right], choice: Named, events: Events) -> Position:
    card = choice.value
    events.append(Event("bought", card, ("R6.4",), (("by_card", task.source[0]),)))
    bought = (*task.data.bought, (task.data.buys, card))
    todo = [replace(task, data=Right(task.data.buys, bought)) if task.name == "spoils" else task for task in state.todo]
    return replace(position.off_the_stack(state, card), todo=tuple(todo), gained=(*state.gained, card))


TOP_SIX = 6


def _purge_options(game: Game, state: Position, task: Task[None]) -> Answers:
    """Decline, or any of the known top six cards of the own deck to destroy (Sphinx); in a game they are revealed."""
    if state.in_game:
        return DECLINE, REVEAL
    top = show_top(state, TOP_SIX, task.source[0], [])[0].deck[:TOP_SIX]
    return (DECLINE, *(Several("destroy", cards) for cards in _parts(top)))


def _parts(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(tuple(sorted(group)) for n in range(len(cards) + 1) for group in combinations(cards, n)))


def _purge_fate_options(game: Game, state: Position, task: Task[position.For[None]]) -> Answers:
    return tuple(Several("destroy", cards) for cards in _parts(open_cards(table_of(state), task.data.seat)))


def _purge(game: Game, state: Position, task: Task[None], choice: Several | Reveal, events: Events) -> Position:
    if state.in_game:
        return turn_up_cards(state, task.source, TOP_SIX, "purge-fate", None, (table_of(state).active,))
    state, unknown = show_top(state, TOP_SIX, task.source[0], events)
    top, doomed = state.deck[:TOP_SIX], list(choice.value or ())
    events.append(Event("purged", task.source[0], ("R6.4",), (("n", len(doomed)),)))
    for card in top:
        if card in doomed:
            doomed.remove(card)
            events.append(Event("leaves", card, ("R6.4",), (("copy", 1),)))
            state = hand.off_deck(state, destroyed=True)
        else:
            state = hand.off_deck(state, destroyed=False)
    return replace(state, unknown_draws=state.unknown_draws + unknown)


def _sorcery_options(game: Game, state: Position, task: Task[Any]) -> Answers:
    return (DECLINE, *(Rank("bottom", rank) for rank in hall.removable_ranks(game, state)))


def _end_turn(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    toll = list(game.toll)
    for foe in state.rank0 if not state.in_game else ():  # in a game the new hand is drawn and pays at once
        for n in (op.amount for op in game.cards[foe.card].breach if isinstance(op, Toll)):
            paid, toll = toll[:n], toll[n:]
            for card in paid:
                ref = (card, hand.next_copy(state, card))
                events.append(Event("destroyed", card, ("R6.7",), (("by_card", foe.card), ("copy", ref[1]))))
                state = replace(state, destroyed=(*state.destroyed, ref))
            if len(paid) < n:
                events.append(Event("toll-due", foe.card, ("R6.7", "R4.11"), (("n", n - len(paid)),)))
    return game.variant.end_turn(game, state)


BATTLE_HANDLERS: Handlers = {
    "trophy-gift": (preparation.hero_options, on_choice(_gift)),
    "disease": (_disease_options, _disease),
    "battle:weaken": (None, _weaken),
    "battle:gain": (None, preparation.gain_cards),
    "battle:battle-destroy": (_destroy_options, _doom),
    "battle:lose-attack": (None, _lose_attack),
    "lose": (_lose_options, on_choice(_lose)),
    "battle:stop-hero": (_stop_options, on_choice(_stop, void("R5.4", "battle-void"))),
    "battle:destroy-weak": (None, _doom_the_weak),
    "battle:destroy-random": (None, _random),
    "random-fate": (None, _random_fate),
    REVEAL_AT_RANDOM: (None, do_nothing),  # only with an empty hand: else the task becomes ``revealed``
    "revealed": (None, _revealed),
    "battle:each-player-destroys": (_destroy_each_options, _destroy_each),
    "finish": (None, _finish),
    "spoils": (_spoils_options, on_choice(_spoils)),
    "purge-fate": (_purge_fate_options, settle_open),
    "purge": (_purge_options, on_choice(_purge)),
    "sorcery": (_sorcery_options, on_choice(preparation.move)),
    "refill": (None, lambda game, state, task, choice, events: hall.refill(game, state, events)),
    "end-turn": (None, _end_turn),
}
