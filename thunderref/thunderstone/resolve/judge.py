"""``thunderref.resolve``: a scenario in, every target judged out, and what is missing or another reading changes.

Nothing that is missing is a canned phrase: the position is solved again for the highest total, and once more with each
remedy that a player may have: a point of Light, Strength for one hero, one more card, one Disease less,
another rank. The result names the smallest amount of each that wins. The line is also played again under the other
reading of every question that it depends on, and the best line is searched anew where that is cheap; the result says
where total, outcome or legality would change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Literal, NamedTuple

from thunderref.budget import Budget, Tick
from thunderref.database.card_records import RANKS, STACKED
from thunderref.database.operations import Instead
from thunderref.database.read import Language, SwitchRow, open_database
from thunderref.thunderstone.resolve.battles import Line, alike, battles, score
from thunderref.thunderstone.resolve.documents import Scenario, is_rest, read_document
from thunderref.thunderstone.resolve.question import MOST_STATES, Judged, Question, best_of, dungeon_ops, unknown_cards
from thunderref.thunderstone.resolve.report import stone_readings, tell_no_battle
from thunderref.thunderstone.resolve.result import Missing, More, OtherReading, Resolution, TargetResult
from thunderref.thunderstone.resolve.search import WORST_WIN, Found, ability_of
from thunderref.thunderstone.resolve.start import (
    Finder,
    cards_of,
    move_out,
    name_wills,
    notes_on,
    position,
    table_of,
    ways,
)
from thunderref.thunderstone.resolve.upper_bound import FETCHES
from thunderref.thunderstone.resolve.why_not import why_not
from thunderref.thunderstone.rules.cards import Cards
from thunderref.thunderstone.rules.choices import LEAVE, Answer, Attack, Equip
from thunderref.thunderstone.rules.effects.battle import decide_battle
from thunderref.thunderstone.rules.explanation import Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import add_card
from thunderref.thunderstone.rules.legal import Played, legal_actions, play, replay, targets
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import Position, Ref, off_the_stack, replace
from thunderref.thunderstone.rules.readings import (
    FALLEN_HEROES,
    NO_TARGET,
    STONE_AT_SHIFT,
    STONE_WITH_HELP,
    WHEN_COUNTED,
    is_counted,
    other_values,
)

MOST_ENTRIES = 2_000
"""Positions searched at most for an attack if only another reading forbids entering without one."""
FIRST = 0.5  # the share of the budget for the best lines if other choices are weighed too
MOST_READ = 60  # positions after which the search for the best line under another reading is given up
BASIC_CARDS = ("militia", "torch", "iron-rations", "dagger")  # the stacks of every game (R1.6)
ALL_STATES = 4_000  # states searched for what is missing in all; what is not tried by then is not reported
MOST_POINTS = 16
MOST_HEALTH = 999  # more than any total: a battle against it is lost, and against its negative won
ENDINGS: dict[bool, Literal["victory", "defeat"]] = {True: "victory", False: "defeat"}
FEW = 4  # ways reported besides cards: those that need the least
ORDER = ("light", "strength", "magic_attack", "attack", "disease", "rank")


def resolve(
    scenario: Scenario | Mapping[str, Any],
    lang: str | None = None,
    *,
    words: Language | None = None,
    gaps: bool = False,
    budget: Budget | None = None,
) -> Resolution:
    """Judges a battle: the given plan, or the best line against each target, with ``gaps`` also what is missing to win.

    The ``budget`` begins with the search; if it runs out, the result is what was found by then, not proven. Raises
    InputError if the ``scenario`` is unreadable, NoAnswerError for unknown or ambiguous names, IllegalStepError (with
    the rule's id) for a plan step that the rules forbid.
    """
    words = words or Language(open_database(), lang)
    asked = read_document(Scenario, scenario)
    find = Finder(words.database, words.lang)
    asked = move_out(asked, find)
    game, start = position(asked, words.database, find)
    start = name_wills(start, asked.plan or [], find)
    states, all_tried = ways(game, start)
    budget = budget or Budget()
    budget.begin()
    quiet: Played | None = None
    runs = [Question(game, state, asked.goal, asked, find, words, budget) for state in states]
    question = runs[0]
    share = 0.0 if asked.plan is not None else FIRST if asked.why_not else 1.0
    if asked.plan is None:
        judged = _take_worst([run.best_lines(share * number / len(runs)) for number, run in enumerate(runs, 1)])
    else:
        plans = [run.follow_plan(asked.plan) for run in runs]
        judged = _take_worst([ends for ends, _ in plans])
        quiet = next((played for _, played in plans if played is not None), None)
    judged = [with_other_readings(question, target, searched=asked.plan is None) for target in judged]
    if unknown := unknown_cards(question):
        results = (replace(one.result, unknown=sorted({*one.result.unknown, *unknown})) for one in judged)
        judged = [target._replace(result=result) for target, result in zip(judged, results, strict=True)]
    if gaps and asked.plan is None:
        judged = [with_missing(question, target, share) for target in judged]
        drawing, defeats = drawing_cards(game, start), any(target.result.outcome != "victory" for target in judged)
        if defeats and (drawing or unknown):
            from thunderref.thunderstone.resolve.unknown_draws import with_draws, with_unknown

            judged = with_draws(question, judged, drawing, share)
            judged = with_unknown(question, judged, share) if unknown else judged
    if not all_tried:
        judged = [target._replace(result=replace(target.result, proven=False)) for target in judged]
    why = [
        why_not(choice, question, judged, share + (1 - share) * number / len(asked.why_not))
        for number, choice in enumerate(asked.why_not, 1)
    ]
    best = None if quiet is not None else best_of(judged)
    no_battle = quiet is not None or (best is None and asked.target is None)
    if quiet is None and no_battle and NO_TARGET not in game.readings:
        quiet = tuple(replay(game, question.state, (LEAVE,)))
    barring = [step for target in judged for step in target.result.steps]
    turn = {} if quiet is None else tell_no_battle(game, quiet, words, barring)
    barred_from = no_battle
    if is_rest(asked.plan):
        barred_from = False
    elif no_battle and asked.plan is not None:  # another line may lead to an attack (R4.8)
        search = question.variant(goal="win").search(None, None, MOST_ENTRIES)
        barred_from = search.complete and not search.found
    return Resolution(
        table=table_of(find, asked.hand, asked.hall, asked.rank0, deck=asked.deck, xp=asked.xp),
        ruleset=asked.ruleset, goal=asked.goal, no_battle=no_battle, why_not=why, **turn,
        planned=asked.plan is not None,
        targets=[] if quiet is not None and asked.plan is not None else [target.result for target in judged],
        best=None if best is None else best.result.rank, best_monster=None if best is None else best.result.monster,
        notes=notes_on(start, game, words),
        readings_chosen=other_values(words.database, game.readings),
        other_readings=[no_entry(game, words)] if barred_from else [],
    )  # fmt: skip


class Replayed(NamedTuple):
    """A described turn played to its end; ``battle`` is None for a turn without one."""

    game: Game
    played: Played
    battle: TargetResult | None


def replay_turn(
    scenario: Scenario | Mapping[str, Any],
    begin: Callable[[Game, Position], Position],
    *,
    words: Language,
    won: bool | None = None,
) -> Replayed:
    """Play the plan of a scenario to the end of the turn, from the opening that ``begin`` makes of the scenario's.

    With ``won`` the battle ends so whatever its sum is, for what the players saw and the scenario does not tell; cards
    that are not judged do nothing. Raises the errors of :func:`resolve`.
    """
    asked, find = read_document(Scenario, scenario), Finder(words.database, words.lang, for_record=won is not None)
    asked = move_out(asked, find)
    game, start = position(asked, words.database, find)
    start = name_wills(begin(game, start), asked.plan or [], find)
    if won is not None:
        game = game.changed(cards=_with_health(game, start, -MOST_HEALTH if won else MOST_HEALTH))
    limit = Budget()
    limit.begin()
    runs = [Question(game, way, asked.goal, asked, find, words, limit) for way in ways(game, start)[0]]
    plans = [run.follow_plan(asked.plan or []) for run in runs]
    for _, played in plans:
        if played is not None:
            return Replayed(game, played, None)
    judged = _take_worst([ends for ends, _ in plans])
    battle = best_of(judged) or judged[0]
    return Replayed(game, battle.played, battle.result)


def _with_health(game: Game, state: Position, health: int) -> Cards:
    """The cards, with that Health of every monster in the hall."""
    cards = Cards(game.cards)
    for foe in (*state.hall, *state.rank0):
        if is_monster(game, foe):
            cards[foe.card] = spec = copy(game.cards[foe.card])
            spec.health = health
    return cards


def drawing_cards(game: Game, state: Position) -> list[str]:
    """The cards at hand whose effects draw: in the hand, known to come, lent by others, fetched out of a village."""
    seats = state.table.seats if state.table is not None else ()
    lent = (card for seat in seats for card in seat.hand)
    there = dict.fromkeys((*(slot.face for slot in state.hand), *state.deck, *lent))
    kinds = {FETCHES[op] for card in there for op in FETCHES.keys() & dungeon_ops(game.cards[card])}
    there |= dict.fromkeys(card for card, _ in state.stacks or () if game.cards[card].kinds & kinds)
    return [card for card in there if "draw" in dungeon_ops(game.cards[card])]


def _take_worst(runs: list[list[Judged]]) -> list[Judged]:
    """Each target with the others' worst choices: to bar it is the worst; what they keep out is no target."""
    if all(len(run) == 1 for run in runs):  # a plan attacks what is at the rank by then
        return [min((run[0] for run in runs), key=lambda one: tuple(one.worth or ()))]
    worst = []
    aims = [(target.result.monster, target.result.rank) for target in runs[0]]
    for monster, rank in aims:
        ranks = {rank} if [card for card, _ in aims].count(monster) > 1 else range(RANKS + 1)
        like = [[one for one in run if one.result.monster == monster and one.result.rank in ranks] for run in runs]
        if all(like):
            worst.append(min((one for run in like for one in run), key=lambda one: tuple(one.worth or ())))
    return worst


def with_missing(question: Question, judged: Judged, share: float) -> Judged:
    """The target, with what is missing if it is out of reach, found in this share of the budget."""
    result = judged.result
    if result.outcome == "victory" or not result.proven:
        return judged
    best: tuple[int, int] | None = None
    closest: Found | None = None
    if question.goal == "max" and result.total is not None:
        best = result.total, result.health
    elif result.can_attack:
        search = question.variant(goal="max").search(result.monster, question.budget.searching(share), trims=True)
        lines = aimed_at(question, result, search.found)
        closest = max(lines, key=lambda one: one.worth, default=None)
        winnable = any(one.worth.victory for one in lines)  # but not with this goal
        if closest is None or not search.complete or winnable:
            return judged._replace(result=replace(result, missing_proven=search.complete or winnable))
        best = closest.worth.total, closest.worth.total - closest.worth.margin
    offers = list(BASIC_CARDS) + cards_of(question.asked.village or [], question.find, STACKED)
    offers += [slot.card for slot in question.state.hand if question.game.cards[slot.card].kind in STACKED]
    total, short = (None, None) if best is None else (best[0], max(0, best[1] - best[0]))
    moves = tuple(now.choice for now in judged.played)
    gap = Gap(
        question, result, short, share, moves, moves if closest is None else (*closest.preparation, *closest.battle)
    )
    helps = gap.helps()
    line = None if closest is None or total == result.total else question.line_of(closest)
    missing = Missing(best_total=total, short=short, cards=gap.cards(offers), helps=helps, line=line)
    return judged._replace(result=replace(result, missing=missing, missing_proven=gap.is_whole))


class Gap:
    """What is missing against one monster, to the line ``shown`` and to the ``closest``, which falls least short.

    ``short`` is None if the monster may not be attacked; ``is_whole`` is False once a search for a win was cut short.
    """

    def __init__(
        self, question: Question, result: TargetResult, short: int | None, share: float, shown: Line, closest: Line
    ) -> None:
        self.question, self.result, self.short, self.shown, self.closest = question, result, short, shown, closest
        self.monster = result.monster
        self.tick = question.budget.searching(share)
        self.left, self.is_whole = ALL_STATES, True

    def cards(self, cards: Iterable[str]) -> list[str]:
        """The cards of which one more in the hand beats the monster."""
        here, variant = self.question.state, self.question.variant
        there = ((card, add_card(off_the_stack(here, card), card)) for card in dict.fromkeys(cards))
        return [card for card, state in there if self._is_won(variant(state=state))]

    def helps(self) -> list[More]:
        found = [*self._points(), *self._strength(), *self._other()]
        if len(found) > 1:  # as many as the shortfall is no news
            found = [more for more in found if (more.what, more.n) != ("attack", self.short)]
        found.sort(key=lambda more: (more.n, ORDER.index(more.what)))
        return found[:FEW]

    def _more(
        self, what: Any, variant: Question, n: int = 1, hero: Ref | None = None, rank: int | None = None
    ) -> Iterator[More]:
        """What wins in this variant: with the line shown, or with another."""
        line = tuple([Attack(rank) if rank and isinstance(choice, Attack) else choice for choice in self.shown])
        shown = self._is_beaten_by(line, variant)
        winner = None if shown else self._win(variant, trims=hero is not None)
        if not (shown or winner):
            return
        played = self.shown if winner is None else winner.preparation
        weapons = [one.weapon[0] for one in played if hero is not None and isinstance(one, Equip) and one.hero == hero]
        words, armed = self.question.words, weapons[0] if len(weapons) == 1 else None
        cards = {"card": self.monster, "hero_card": hero and hero[0], "weapon_card": armed}
        names = {field: words.card(card) for field, card in cards.items() if card}
        text = words.say("missing.strength-for" if armed else f"missing.{what}", n=n, rank=rank, **names)
        yield More(what=what, n=n, hero=hero and hero[0], weapon=armed, rank=rank, text=text, shown=shown)

    def _points(self) -> Iterator[More]:
        short = self.short or 0
        ranks = [rank for rank, _, foe in targets(self.question.state) if foe.card == self.monster]
        penalty = max(ranks, default=0) + self.question.game.cards[self.monster].light_penalty
        if light := self._least("light", -(-short // 2), penalty):
            yield from self._boon("light", light)
        if self.short is None:
            return
        attack = short and (self._least("attack", short, short) or self._least("attack", short + 1, 2 * short + 1))
        if attack:
            yield from self._boon("attack", attack)
        if magic := self._least("magic_attack", 1, (attack or 2 * short + 2) - 1):  # as much as Attack is no news
            yield from self._boon("magic_attack", magic)

    def _boon(self, stat: str, n: int, hero: Ref | None = None) -> Iterator[More]:
        return self._more(stat, self.question.with_boon(hero, **{stat: n}), n, hero)

    def _least(self, stat: str, low: int, high: int, hero: Ref | None = None) -> int:
        """The smallest number from ``low`` to ``high`` that wins; 0 if ``high``, tried first, does not."""
        low, high = max(1, low), min(high, MOST_POINTS)
        if low > high or not self._is_won(self.question.with_boon(hero, **{stat: high})):
            return 0
        middle = low
        while low < high:
            won = self._is_won(self.question.with_boon(hero, **{stat: middle}))
            low, high = (low, middle) if won else (middle + 1, high)
            middle = (low - 1 + high) // 2
        return high

    def _strength(self) -> Iterator[More]:
        game, state = self.question.game, self.question.state
        party = party_of(game, state)
        weapons = {slot.card for slot in state.hand} | set(state.to_come)
        specs = [game.cards[card] for card in sorted(weapons) if game.cards[card].is_weapon]
        demands = [spec.weight for spec in specs]
        demands += [op.when.strength or 0 for spec in specs for op in spec.passive if isinstance(op, Instead)]
        demands += [getattr(t, "strength_below", None) or 0 for t in game.cards[self.monster].traits]
        like, seen = alike(state), set()
        for hero in party.heroes:
            largest_gap = max((n - party.strength(hero) for n in demands), default=0)
            if largest_gap < 1 or like[hero.ref] in seen:
                continue
            seen.add(like[hero.ref])
            if points := self._least("strength", 1, largest_gap, hero.ref):
                yield from self._boon("strength", points, hero.ref)

    def _other(self) -> Iterator[More]:
        state, cards = self.question.state, self.question.game.cards
        sick = next((slot for slot in state.hand if cards[slot.card].kind == "disease"), None)
        if sick is not None:
            hand = tuple(slot for slot in state.hand if slot != sick)
            yield from self._more("disease", self.question.variant(state=replace(state, hand=hand)))
        places = [place for place, foe in enumerate(state.hall) if foe.card == self.monster]
        for place in range(len(state.hall)) if len(places) == 1 else ():
            hall = list(state.hall)
            hall[place], hall[places[0]] = hall[places[0]], hall[place]
            moved = self.question.variant(state=replace(state, hall=tuple(hall)))
            if place != places[0] and self._win(moved):
                yield from self._more("rank", moved, rank=place + 1)
                return

    def _is_beaten_by(self, line: Line, variant: Question) -> bool:
        """True if the line beats the monster in this variant."""
        ends = (
            _outcome_of(variant.game, variant.state, line, self.question.goal, monster=self.monster) if line else None
        )
        return ends is not None and ends.victory

    def _is_won(self, variant: Question) -> bool:
        return self._is_beaten_by(self.closest, variant) or self._win(variant) is not None

    def _win(self, variant: Question, *, trims: bool = False) -> Found | None:
        """A line that beats the monster, with ``trims`` the best one."""
        if self.left <= 0 or self.question.budget.interrupted:
            self.is_whole = False
            return None
        hopes = {(self.monster, rank): WORST_WIN for rank in range(RANKS + 1)}
        asked, most = variant.variant(goal="win"), min(MOST_STATES, self.left)
        search = asked.search(
            self.monster, self.tick, most, found=hopes, trims=trims, wins_once=not trims, wins_only=True
        )
        self.left = self.left - search.states if self.tick(search.states) else 0
        win = next((found for found in aimed_at(variant, self.result, search.found) if found.worth.victory), None)
        self.is_whole &= win is not None or search.complete
        return win


def aimed_at(question: Question, result: TargetResult, found: Mapping[tuple[str, int], Found]) -> list[Found]:
    """The lines against this target, at any rank if it moves; of several equal monsters only at its own rank."""
    alone = [foe.card for _, _, foe in targets(question.state)].count(result.monster) == 1
    return [one for (card, rank), one in found.items() if card == result.monster and (alone or rank == result.rank)]


def with_other_readings(question: Question, judged: Judged, *, searched: bool) -> Judged:
    """The target with each other reading that would change the line, or the best line if it was ``searched``."""
    line = tuple(now.choice for now in judged.played)
    result = judged.result
    used = [ability_of(question.game, now.before, now.choice) for now in judged.played]
    counting = [place for place, one in enumerate(used) if one is not None and any(map(is_counted, one.lasting))]
    switches = question.words.database.switches.values()
    idle = {STONE_AT_SHIFT, STONE_WITH_HELP} - (stone_readings(question.game, judged.played) if line else set())
    open_switches = [s for s in switches if s.name not in idle]
    relevant = [s for s in open_switches if s.rule in result.readings or (counting and s.name == WHEN_COUNTED)]
    if not relevant or not line:
        return judged
    tick = question.budget.tidying() if searched and result.proven else None
    here = question.variant(state=judged.played[0].before)
    changes = [
        other for switch in relevant if (other := _other(here, line, counting, result, switch, tick)) is not None
    ]
    ordered = dict.fromkeys(rule for (rule,) in question.words.database.query("SELECT id FROM rules ORDER BY position"))
    leans = {*result.readings, *(other.rule for other in changes)}
    rules = [rule for rule in ordered if rule in leans]
    return judged._replace(result=replace(result, other_readings=changes, readings=rules))


def no_entry(game: Game, words: Language) -> OtherReading:
    """What R4.8 read the other way changes where no monster can be attacked: the dungeon may not be entered."""
    switch = words.database.switches[NO_TARGET]
    away = switch.name in game.readings
    text = words.say("other.entry" if away else "other.no-entry", rule=switch.rule)
    return OtherReading(
        reading=switch.name, rule=switch.rule, value=switch.default if away else switch.other, legal=away, total=None,
        margin=None, outcome="no-battle" if away else "no-entry", text=text,
    )  # fmt: skip


def _other(
    question: Question, line: Line, counted: Sequence[int], result: TargetResult, switch: SwitchRow, tick: Tick | None
) -> OtherReading | None:
    game, start, goal, words = question.game, question.state, question.goal, question.words
    elsewhere = game.changed(readings=game.readings ^ {switch.name})
    value = switch.other if switch.name in elsewhere.readings else switch.default
    meaning = words.say(f"reading.{switch.name}.{value}")
    told = partial(OtherReading, reading=switch.name, rule=switch.rule, value=value)
    if switch.name in (STONE_WITH_HELP, STONE_AT_SHIFT, FALLEN_HEROES):  # the same battle; what follows it differs
        key = "other.stone-taken" if value == switch.default else "other.stone-untaken"
        key = key if switch.name == STONE_WITH_HELP else "other.afterwards"
        text = words.say(key, rule=switch.rule, meaning=meaning)
        return told(legal=True, total=result.total, margin=result.margin, outcome=result.outcome, text=text)
    free = tick is not None and switch.name == WHEN_COUNTED  # the order of a best line is free
    was = (result.total, result.outcome == "victory")

    def as_before(end: Totals | None) -> bool:
        return end is not None and (end.total, end.victory) == was

    outcome = _outcome_of(elsewhere, start, line, goal, None if tick is not None else game)
    if free and not as_before(outcome):  # as late as possible what is counted and has no choices of its own
        late = [place for place in counted if not isinstance(line[place + 1], Answer)]
        attack = next(place for place, action in enumerate(line) if isinstance(action, Attack))
        early = [action for place, action in enumerate(line[:attack]) if place not in late]
        outcome = _outcome_of(elsewhere, start, (*early, *(line[place] for place in late), *line[attack:]), goal)
    same = as_before(outcome)
    best: Totals | None = None
    if tick is not None and not (same and free):
        search = question.variant(game=elsewhere).search(result.monster, tick, MOST_READ)
        if search.complete and search.found:
            then = max(search.found.values(), key=lambda each: each.worth)
            best = _outcome_of(elsewhere, start, (*then.preparation, *then.battle), goal)
    if (same and best is None) or ((same or free) and as_before(best)):
        return None
    ends = "illegal" if outcome is None else ENDINGS[outcome.victory]
    total, health = (outcome.total, outcome.health) if outcome is not None else (None, result.health)
    key = "other.same" if same else f"other.{ends}"
    text = words.say(key, rule=switch.rule, meaning=meaning, total=total or 0, health=health)
    last = None if best is None else ENDINGS[best.victory]
    if best is not None and (total, ends) != (best.total, last):
        text += " " + words.say(f"other.best-{last}", total=best.total, health=best.health)
    return told(
        legal=outcome is not None, total=total, margin=None if total is None else total - health, outcome=ends,
        text=text, best_total=None if best is None else best.total, best_outcome=last,
    )  # fmt: skip


def _outcome_of(
    game: Game, start: Position, line: Line, goal: str, here: Game | None = None, monster: str | None = None
) -> Totals | None:
    """How the line ends on another table: by the goal, or as ``here`` while the options agree.

    None if it is illegal, or attacks another than the ``monster``.
    """
    state = start
    for place, action in enumerate(line):
        if action not in legal_actions(game, state):
            return None
        if isinstance(action, Attack):
            aims = [foe.card for rank, place, foe in targets(state) if (rank, place) == (action.rank, action.place)]
            if monster not in (None, *aims):
                return None
            kept = None if here is None else _keep_choices(here, game, start, line, place)
            ends = [kept] if kept is not None else [end for end, _ in battles(game, state, action)]
            return decide_battle(game, max(ends, key=lambda end: score(game, end, goal)))[0]
        state, _ = play(game, state, action)
    return None


def _keep_choices(here: Game, there: Game, start: Position, line: Line, attack: int) -> Position | None:
    """The battle with the choices of the line; None once the options differ from those on its own table."""
    mine = yours = start
    for n, action in enumerate(line):
        if n > attack and (mine.todo[0].name == "finish" or legal_actions(here, mine) != legal_actions(there, yours)):
            break
        stop = "finish" if n >= attack else ""
        mine, yours = play(here, mine, action, stop)[0], play(there, yours, action, stop)[0]
    return yours if mine.todo[0].name == yours.todo[0].name == "finish" else None
