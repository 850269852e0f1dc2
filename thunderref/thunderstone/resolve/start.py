"""Make the engine's first state of a scenario document, for each way in which the other players may choose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice, product
from typing import TypeVar

from msgspec import structs

from thunderref.database.card_records import HALL_KINDS, HAND_KINDS, RANKS, STACKED
from thunderref.database.operations import Borrow, Custom, MagicUnlessDiscarded, Operation, Toll
from thunderref.database.read import Database, Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.search.counts import MOST_CARDS, read_count, write_plainly
from thunderref.search.names import find_card
from thunderref.text.folding import fold_query
from thunderref.thunderstone.resolve.documents import USUAL_PLAYERS, OddsQuestion, Scenario, VisitDocument, is_rest
from thunderref.thunderstone.resolve.result import TableCards
from thunderref.thunderstone.rules.cards import Cards, all_cards, load_cards
from thunderref.thunderstone.rules.effects.special import MONSTERS
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import NOBODY, is_monster, is_placeholder
from thunderref.thunderstone.rules.hand import to_slots
from thunderref.thunderstone.rules.notation import FindCard, Step, write_value
from thunderref.thunderstone.rules.position import (
    BEFORE,
    DISEASE,
    UNCOUNTED,
    UNKNOWN,
    Foe,
    Position,
    Seat,
    Stacks,
    Table,
    Will,
    replace,
)
from thunderref.thunderstone.rules.readings import other_readings
from thunderref.thunderstone.rules.scoring import is_horde
from thunderref.thunderstone.rules.variants import Marauding, Solo, variant_of

Asked = TypeVar("Asked", Scenario, OddsQuestion)

MOST_OTHERS = 4
MOST_WAYS = 27  # more ways than this are not tried; the result is then not proven

STONE = "thunderstone"
BLANKS = ("", "-", "–", "—", "null")

HERO_KINDS, GUARDIANS, DUNGEON_KINDS = frozenset({"hero"}), frozenset({"guardian"}), HALL_KINDS | {"trap"}
PLACES = {
    HAND_KINDS: ("hand", "R6.6"), STACKED: ("village", "R3.3"), GUARDIANS: ("rank0", "R6.7"),
    HERO_KINDS: ("hero", "R3.5"), HERO_KINDS | {"basic"}: ("hero", "R0.4"), HALL_KINDS: ("hall", "R1.5"),
    DUNGEON_KINDS: ("dungeon", "R1.1"),
}  # fmt: skip
"""Kinds of cards that can be somewhere -> where that is, and the rule that refuses others."""


class Finder:
    """Finds cards by name for one scenario; remembers what it found.

    Without ``lenient`` no Horde placeholder is found; cards that are not judged only ``for_record``.
    """

    def __init__(
        self, database: Database, lang: str | None, *, lenient: bool = False, for_record: bool = False
    ) -> None:
        self.database, self.lang, self._lenient, self._for_record = database, lang, lenient, for_record
        self._known: dict[tuple[str, frozenset[str] | None], str] = {}

    def __call__(self, text: str, kinds: frozenset[str] | None = None) -> str:
        """The id of the card; raises NoAnswerError for an unknown or ambiguous name."""
        key, cards = (text, kinds), self.database.cards
        if key not in self._known:
            found = text if text in cards and (kinds is None or cards[text].kind in kinds) else self._found(text, kinds)
            self._known[key] = cards[found].reprint_of or found
        return self._allowed(self._known[key], kinds)

    def specs(self, readings: frozenset[str]) -> Cards:
        """The cards that positions are made of, as these readings have them."""
        judged = load_cards(self.database, readings)
        return Cards(all_cards(self.database) | judged) if self._for_record else judged

    def _allowed(self, card: str, kinds: frozenset[str] | None) -> str:
        """The card; refuses a placeholder, which may be only in the dungeon deck (R1.3), unless ``lenient``."""
        if not self._for_record:
            require_judged(self.database, (card,))
        if self._lenient or kinds in (None, DUNGEON_KINDS):
            return card
        cards = all_cards(self.database)
        if not is_placeholder(cards[card]):
            return card
        horde, example = _horde(cards, card)
        raise IllegalStepError("horde-placeholder", rule="R1.3", card=card, example=example, candidates=horde)

    def _found(self, text: str, kinds: frozenset[str] | None) -> str:
        number, name = read_count(self.database, text)
        if number == 1:
            return self._found(name, kinds)
        if number is not None:  # where one card is named
            raise InputError("stray-number", why="one", name=" ".join(text.split()))
        try:
            card = find_card(self.database, text, kinds, lang=self.lang)
            levels = [] if self.database.is_name(fold_query(text)) else re.findall(r"\d+", text)
            if levels and levels != [str(self.database.cards[card].level)]:  # a level that the hero has not
                raise InputError("stray-number", name=" ".join(text.split()))
            return card
        except NoAnswerError as error:
            if kinds is None or error.code != "unknown-card":
                raise
            try:  # there may be such a card, but not of a kind that can be there
                elsewhere = find_card(self.database, text, None, lang=self.lang)
            except NoAnswerError:
                raise error from None
            self._allowed(self.database.cards[elsewhere].reprint_of or elsewhere, kinds)
            why, rule = PLACES.get(kinds, PLACES[HALL_KINDS])
            raise NoAnswerError("wrong-kind", card=elsewhere, candidates=error.candidates, why=why, rule=rule) from None


def require_judged(database: Database, cards: Iterable[str]) -> None:
    """Raises :class:`NoAnswerError` (``not-judged``) for a card of which no file says what it does."""
    for card in cards:
        if not (row := database.cards[card]).judged:
            raise NoAnswerError("not-judged", card=card, box=row.set_id)


def _horde(cards: Cards, placeholder: str) -> tuple[list[str], str]:
    """The numbered cards of the class of a placeholder, and one of them as an example."""
    family = cards[placeholder].family
    horde = [card for card, spec in cards.items() if spec.family == family and not is_placeholder(spec)]
    return horde, horde[len(horde) // 4]


def notes_on(state: Position, game: Game, words: Language) -> list[str]:
    """What has to be said of a position read: an unknown Horde card to come."""
    stand_in = next((card for card in state.dungeon if card in game.cards and is_placeholder(game.cards[card])), None)
    if stand_in is None:
        return []
    return [words.say("resolve.horde-unknown", card=words.card(stand_in), example=_horde(game.cards, stand_in)[1])]


def cards_of(entries: list[str], find: Finder, kinds: frozenset[str]) -> list[str]:
    """The card ids of entries such as ``2 militia``, ``torch``, ``militia#2``, copies repeated."""
    found: list[str] = []
    if not all(entry in find.database.cards for entry in entries):
        entries = write_plainly("\n".join(entries)).split(",")
    for entry in entries:
        count, name = read_count(find.database, entry)
        name, _ = name_and_copy(name, entry)
        found += [find(name, kinds)] * (count or 1)
    return found


def name_and_copy(text: str, entry: str) -> tuple[str, int]:
    """Splits ``militia#2``, 0 for no copy; raises :class:`InputError` naming the entry if the copy is no number."""
    name, mark, copy = text.partition("#")
    if mark and not (copy.strip().isdecimal() and int(copy)):
        raise InputError("bad-copy", name=entry.strip())
    return name.strip(), int(copy or 0)


def hand_of(entries: list[str], find: Finder) -> list[str]:
    """The card ids of a hand; raises :class:`InputError` for an empty one or too many cards."""
    hand = cards_of(entries, find, HAND_KINDS)
    if not hand:
        raise InputError("empty-hand")
    if len(hand) > MOST_CARDS:
        raise InputError("too-many-cards", n=len(hand), most=MOST_CARDS)
    return hand


def copies_of(stacks: Stacks | None) -> list[str]:
    """Every copy in the counted stacks."""
    return [card for card, n in stacks or () for _ in range(n)]


def _by_family(cards: Cards, named: Iterable[str]) -> dict[str, list[str]]:
    """The Horde cards among those named, by their class: each class is counted for itself (R7.2)."""
    families: dict[str, list[str]] = {}
    for card in named:
        if is_horde(cards, card):
            families.setdefault(cards[card].family, []).append(card)
    return families


def check_copies(database: Database, found: Iterable[str]) -> None:
    """Raises :class:`NoAnswerError` for more copies of a card, or more Horde cards, than there are (R1.3, R1.6)."""
    cards, named = all_cards(database), Counter(found)
    for family, hordes in _by_family(cards, named).items():
        n, most = sum(named[card] for card in hordes), len(_by_family(cards, cards)[family])
        if n > most:
            raise NoAnswerError("too-many-copies", card=hordes[0], n=n, most=most, why="horde")
    for card, n in named.items():
        if card == DISEASE or n <= database.cards[card].count:  # Diseases never run out (R0.3)
            continue
        have = sum(c.count for c in database.cards.values() if card in (c.id, c.reprint_of))
        if n > have:
            raise NoAnswerError("too-many-copies", card=card, n=n, most=have)


def move_out(asked: Asked, find: Finder) -> Asked:
    """The document with a guardian who is alone in the hall in rank 0, if that is the rank attacked (R6.7)."""
    front = hall_of(asked.hall, find) if asked.target == 0 and len(asked.hall) == 1 else [NOBODY]
    if not front[0].card or find.database.cards[front[0].card].kind != "guardian":
        return asked
    return structs.replace(asked, hall=[], rank0=[*asked.rank0, front[0].card])


def table_of(
    find: Finder,
    hand: list[str],
    hall: Sequence[str | None] = (),
    rank0: Sequence[str] = (),
    *,
    deck: Sequence[str] | None = None,
    xp: int = 0,
    players: int = USUAL_PLAYERS,
) -> TableCards:
    """What the entries of a document name, and the players if they are not as many as usual."""
    return TableCards(
        hand=cards_of(hand, find, HAND_KINDS), hall=[foe.card or None for foe in hall_of(hall, find)],
        rank0=cards_of([*rank0], find, GUARDIANS), deck=cards_of([*(deck or ())], find, HAND_KINDS), xp=xp,
        players=None if players == USUAL_PLAYERS else players,
    )  # fmt: skip


def hall_of(names: Sequence[str | None], find: Finder) -> list[Foe]:
    """Who stands in the named ranks; raises :class:`InputError` for a fourth one."""
    hall: list[Foe] = []
    for name in names:
        if (name or "").strip() in BLANKS:
            hall.append(NOBODY)
        else:
            hall += map(Foe, cards_of([str(name)], find, HALL_KINDS))
    if len(hall) > RANKS:
        raise InputError("too-many-ranks", n=len(hall))
    return hall


def position(
    scenario: Scenario, database: Database, find: Finder, besides: Iterable[str] = ()
) -> tuple[Game, Position]:
    """The table and the opening state; ``besides`` are cards known to be elsewhere.

    Raises InputError for an empty hand or hall, too many cards, a fourth rank; NoAnswerError for what cannot be: more
    copies than the game has, a Thunderstone (R7.1) or a guardian (R6.7) in rank 1.
    """
    readings = other_readings(database, scenario.readings)
    cards = find.specs(readings)
    hand = hand_of(scenario.hand, find)
    hall = hall_of(scenario.hall, find)
    rank0 = tuple(map(Foe, cards_of(scenario.rank0, find, GUARDIANS)))
    described = hall if scenario.plan is not None else [foe for foe in hall if foe.card]
    if not rank0 and not described and not is_rest(scenario.plan):  # a plan may begin with an empty hall (R4.8)
        raise InputError("empty-hall")
    hall += [NOBODY] * (RANKS - len(hall))
    if hall[0].card and cards[hall[0].card].kind == STONE:
        raise IllegalStepError("stone-in-rank-1", rule="R7.1", card=hall[0].card)
    if hall[0].card and cards[hall[0].card].kind in GUARDIANS:
        raise IllegalStepError("guardian-in-rank-1", rule="R6.7", card=hall[0].card)
    stacks = None if scenario.village is None else stacks_of(scenario.village, find)
    dungeon = tuple(cards_of(scenario.dungeon or [], find, DUNGEON_KINDS))
    check_size("dungeon", scenario.dungeon_size, len(dungeon))
    others = [tuple(cards_of(hand, find, HAND_KINDS)) for hand in scenario.others]
    if len(others) > (most := 0 if scenario.variant == Solo.name else MOST_OTHERS):
        raise InputError("too-many-others", n=len(others), most=most)
    players = 1 if scenario.variant == Solo.name else max(scenario.players, 1 + len(others))
    size = len(dungeon) if scenario.dungeon_size is None else scenario.dungeon_size
    caged, toll = (tuple(cards_of(cards, find, HAND_KINDS)) for cards in (scenario.caged, scenario.toll))
    state = Position(
        phase="prepare", hand=to_slots(hand), hall=(), rank0=rank0, deck=(), stacks=stacks,
        dungeon=(*dungeon, *[UNKNOWN] * (size - len(dungeon))), counted=scenario.dungeon_size is not None,
        caged=tuple([(card, BEFORE) for card in caged]),
        table=Table(0, (Seat(), *map(Seat, others)), described=True) if others else None,
    )  # fmt: skip
    state, named = with_deck(scenario, state, find)
    foes = [foe.card for foe in (*hall, *rank0) if foe.card]
    families = _by_family(cards, (*hand, *named, *foes))
    if scenario.hordes and len(families) > 1:
        raise InputError("hordes-number", why="two", cards=[hordes[0] for hordes in families.values()])
    owned = sum(is_horde(cards, card) for card in (*hand, *named))
    hordes: tuple[str, ...] = ()
    if scenario.hordes > owned:
        numbered = _by_family(cards, cards)
        others_left = {*numbered[next(iter(families or numbered))]}.difference(hand, named, foes, dungeon)
        hordes = tuple(sorted(others_left) * 2)[: scenario.hordes - owned]
    _check_numbers(scenario, players, owned)
    cages = [card for card, spec in cards.items() for op in spec.trap if op.op == "hold-hero"] * len(caged)
    check_copies(database, chain(hand, named, foes, dungeon, copies_of(stacks), caged, cages, hordes, *others, besides))
    _check_apart(cards, caged, toll, (*foes, *dungeon))
    for card in left_out(database, scenario.variant).intersection((*hand, *named, *copies_of(stacks))):
        raise IllegalStepError("left-out", rule="R9.5", card=card)
    stones = sum(cards[card].kind == STONE for card in (*foes, *dungeon))
    variant = variant_of(scenario.variant, scenario.level, due=scenario.tokens >= players, hidden=stones < 2)
    game = Game(cards, scenario.ruleset, players, variant, readings, toll, hordes)
    if scenario.tokens and (scenario.variant != Marauding.name or not is_monster(game, hall[0])):
        raise IllegalStepError("no-tokens", rule="R9.6")
    hall[0] = replace(hall[0], tokens=scenario.tokens)
    return game, replace(state, hall=tuple(hall))


def left_out(database: Database, variant: str) -> set[str]:
    """The cards that a variant is played without (R9.5)."""
    where = "kind = 'variant' AND setup_records.id = ?"
    sql = f"SELECT value FROM setup_records, json_each(record, '$.without') WHERE {where}"
    return {card for (card,) in database.query(sql, variant)}


def _check_apart(cards: Cards, caged: Iterable[str], toll: Sequence[str], foes: Iterable[str]) -> None:
    """Raises IllegalStepError for a caged card that is no hero (R6.10), a toll that no guardian takes (R6.7)."""
    for card in caged:
        if not cards[card].is_hero:
            raise IllegalStepError("not-caged", rule="R6.10", card=card)
    takes = sum(op.amount for card in foes for op in cards[card].breach if isinstance(op, Toll))
    for card in toll[takes:]:
        raise IllegalStepError("no-toll", rule="R6.7", card=card, n=takes)


def _check_numbers(asked: Scenario, players: int, hordes: int) -> None:
    """Raises for a level that no variant has (R9.5), too many tokens (R9.6), fewer Horde cards than named (R7.2)."""
    if asked.level != "normal" and asked.variant != Solo.name:
        raise InputError("setup-level", level=asked.level)
    if asked.tokens > players:
        raise IllegalStepError("no-tokens", rule="R9.6", why="many", n=players)
    if 0 < asked.hordes < hordes:
        raise InputError("hordes-number", n=asked.hordes, named=hordes)


def stacks_of(entries: Sequence[str], find: Finder) -> Stacks:
    """The cards on offer: a number, or a repeated entry, says how many copies are left, none that there is one."""
    left: dict[str, int] = {}
    for entry in entries:
        count, name = read_count(find.database, entry)
        card = find(name.partition("#")[0].strip(), STACKED)
        if count is None and card not in left:
            left[card] = UNCOUNTED
        else:
            left[card] = (count or 1) + (1 if left.get(card) == UNCOUNTED else left.get(card, 0))
    return tuple(left.items())


def with_deck(asked: Scenario | VisitDocument, state: Position, find: Finder) -> tuple[Position, tuple[str, ...]]:
    """The position with the own deck and discard pile, and every card named of them (R2.2).

    Raises :class:`InputError` for a size that contradicts what is named.
    """
    deck, listed, pile = (
        tuple(cards_of(cards or [], find, HAND_KINDS)) for cards in (asked.deck, asked.deck_list, asked.discard)
    )
    named, whole = (*deck, *listed), asked.deck_list is not None
    check_size("deck", asked.deck_size, len(named), whole=whole)
    state, size = replace(state, deck=deck), len(named) if asked.deck_size is None else asked.deck_size
    if whole or asked.deck_size is not None:
        pool = tuple(sorted(listed)) if whole else None
        state = replace(state, pool=pool, left=size - len(deck), pile=tuple(sorted(pile)))
    return state, (*named, *pile)


def check_size(what: str, size: int | None, named: int, *, whole: bool = False) -> None:
    """Raises :class:`InputError` for a deck smaller than its named cards, or larger where these are the ``whole``."""
    if size is not None and (size < named or (whole and size > named)):
        raise InputError(f"{what}-size", n=size, named=named)


def ways(game: Game, state: Position) -> tuple[list[Position], bool]:
    """The positions for each way in which others' choices matter; False if more than :data:`MOST_WAYS`."""
    table = state.table
    if table is None:
        return [state], True
    named = tuple(will for will in table.wills if will[2])
    mine = sorted({*(slot.card for slot in state.hand), *state.deck})
    effects = [op for card in mine for ability in game.cards[card].dungeon for op in ability.instant]
    kinds: dict[tuple[Will, ...], None] = {}
    for seat in table.others():
        hand = sorted(set(table.seats[seat].hand))
        for operation in effects:
            liked = _liked(game, operation, hand)
            if len(liked) > 1:
                kinds[tuple((seat, card, "") for card in liked)] = None
    each = [(*named, *way) for way in islice(product(*kinds), MOST_WAYS + 1)]
    found = [replace(state, table=replace(table, wills=wills)) for wills in each[:MOST_WAYS]]
    return found, len(each) <= MOST_WAYS


def _liked(game: Game, operation: Operation, hand: Sequence[str]) -> list[str]:
    # the cards of a hand if it matters which of them is given up to this effect
    cards = game.cards
    if isinstance(operation, Borrow | Custom):
        select = operation.select if isinstance(operation, Borrow) else MONSTERS
        return [card for card in hand if cards[card].matches(select)]
    if isinstance(operation, MagicUnlessDiscarded):
        first: dict[bool, str] = {}
        for card in hand:
            first.setdefault(cards[card].matches(operation.select), card)
        return list(first.values())
    return []


def name_wills(state: Position, plan: Sequence[Step], find: FindCard) -> Position:
    """The state in which the others choose what steps say under ``others``: a card each in turn order, None for any.

    Raises IllegalStepError (R4.7) for a card not in that hand, InputError for anything but such a list.
    """
    wills, table = list[Will](), state.table
    for number, step in enumerate(plan, 1):
        if "others" not in step:
            continue
        cards = step["others"]
        seats = table.others() if table is not None else ()
        if not isinstance(cards, list) or len(cards) > len(seats) or "use" not in step:
            raise InputError(
                "bad-step-value",
                step=number,
                why="others" if seats else "unseen",
                value=write_value(cards)[:40],
                n=len(seats),
            )
        source = find(str(step["use"]).partition("#")[0])
        for seat, name in zip(seats, cards, strict=False):
            card = "" if name is None else find(str(name))
            if card and (table is None or card not in table.seats[seat].hand):
                raise IllegalStepError("other-has-not", rule="R4.7", step=number, card=card, n=seat + 1)
            if card:
                wills.append((seat, card, source))
    return state if table is None or not wills else replace(state, table=replace(table, wills=tuple(wills)))
