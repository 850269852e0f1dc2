"""Why another choice was not made: what it gives, compared number by number with the best line or the plan.

Without a plan it is compared with the best line that holds the choice: every way to reach it is tried, all that it may
depend on before it, then every copy, effect and further choice that the step leaves open. After the choice the search
continues as usual; what the choice does not depend on can be done there as well.

A choice is a plan step or a player's words: “short sword on thief”, “банишь”, “użyj racji na kapłana”. Between the key
words, of any language, are names of cards, found as everywhere; one that fits several cards means the one in play.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import dropwhile
from typing import Any, ClassVar

from thunderref.database.card_records import RANKS
from thunderref.database.operations import Bonus, Destroy
from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError, ThunderrefError
from thunderref.search.names import search_cards
from thunderref.text.folding import fold_query
from thunderref.thunderstone.resolve.battles import Line, distinct_choices
from thunderref.thunderstone.resolve.plan import PREPARED, Follower, Node, step_kind
from thunderref.thunderstone.resolve.question import Judged, Question, best_of, compare
from thunderref.thunderstone.resolve.result import BattleFigures, Comparison, ResultStep, TargetResult, WhyNot
from thunderref.thunderstone.resolve.search import Head, Search, ability_of
from thunderref.thunderstone.resolve.start import Finder, name_and_copy
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.choices import Attack, Choice, Equip, Forgo, Pick, Stat, Use
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_known
from thunderref.thunderstone.rules.hand import all_slots, find
from thunderref.thunderstone.rules.legal import legal_actions, play, targets, why_illegal
from thunderref.thunderstone.rules.notation import FindCard, Step, ref_of, write_value
from thunderref.thunderstone.rules.position import UNKNOWN, Position, Ref, key_of, replace

MEANINGS = "search.words.choices"  # the message with the key words of each language
MARKERS = ("on", "destroy", "bottom", "effect")  # word between names -> the key of the step whose value follows
Word = tuple[str, str, str]  # a word as written, folded, and its key
SMALL = ("filler", "on", "use", "equip", "destroy")


class ChoiceReader:
    """Reads choices at one table; knows what is in play there."""

    def __init__(self, game: Game, state: Position, find: Finder) -> None:
        self.game, self.find = game, find
        known = [entry.partition(":") for text in find.database.message(MEANINGS).values() for entry in text.split(";")]
        self._meanings = {word: meaning.strip() for meaning, _, words in known for word in words.split()}
        self.mine = {slot.card for slot in all_slots(state)} | set(state.to_come)
        self.foes = {foe.card for foe in (*state.hall, *state.rank0) if foe.card} | {*state.dungeon} - {UNKNOWN}

    def read(self, asked: Any) -> Step:
        """The step that ``asked`` means: a plan step (an object, or its JSON), or a few words; raises for neither."""
        if isinstance(asked, str) and asked.lstrip().startswith("{"):
            try:
                asked = json.loads(asked)
            except (ValueError, RecursionError) as error:
                raise InputError("malformed-choice", column=getattr(error, "colno", 1)) from None
        if isinstance(asked, dict):
            step_kind(asked, 1)
            return asked
        return self._read_words(str(asked))

    def _read_words(self, text: str) -> Step:
        forms = [(word.strip(",;.:!?\"'“”„«»"), fold_query(word)) for word in text.split()]
        words = [(word, form, self._meanings.get(form, "")) for word, form in forms if form]
        meanings = [meaning for _, _, meaning in words]
        if not words:
            raise InputError("empty-choice")
        if meanings[0] == "disease" and len(words) > 1 and set(meanings[1:]) <= {"attack", "magic", "on", "filler"}:
            return {"disease": "magic_attack" if "magic" in meanings else "attack"}
        if meanings[0] in ("attack", "rank"):
            rank = next((int(form) for _, form, _ in words if form.isdecimal()), None)
            small = ("attack", "rank", "on", "filler")
            name = " ".join(word for word, form, meaning in words if not form.isdecimal() and meaning not in small)
            monster = {"monster": self._card(name, self.foes)} if rank == 0 and name else {}
            return {"attack": self._card(name, self.foes) if rank is None else rank} | monster
        if meanings[0] == "forgo" or [form for _, form, _ in words[:2]] == ["do", "not"]:
            rest = dropwhile(lambda word: word[2] in ("filler", "on", "use", "equip", "forgo"), words[1:])
            return {"forgo": self._card(" ".join(word for word, _, _ in rest), self.mine)}
        if meanings[0] == "destroy":
            named = [word for word, _, meaning in words if meaning not in SMALL]
            for victim, card in self._pairs(named):
                if self._burns(card, victim):
                    return {"use": card, "destroy": victim}
            victim = self._card(" ".join(named), self.mine)
            able = [card for card in self.mine if self._burns(card, victim)]
            return {"use": able[0], "destroy": victim} if len(able) == 1 else {"use": victim}
        if "eat" in meanings and "on" not in meanings:  # a hero eats food, which destroys it
            named = [word for word, _, meaning in words if meaning not in (*SMALL, "eat")]
            if eaten := self._eaten(named):
                return eaten
        words = [(word, form, "use" if meaning == "eat" else meaning) for word, form, meaning in words]
        verb = words[0][2] if words[0][2] in ("use", "equip") else ""
        return self._play(words[bool(verb) :], verb)

    def _play(self, words: list[Word], verb: str) -> Step:
        chunks: dict[str, str] = {}
        key, names = "", list[str]()
        for word, form, meaning in words:
            if meaning in MARKERS and (key or names):
                chunks[key] = " ".join(names)
                key, names = meaning, []
            elif not (meaning == "filler" and not names):
                names.append(form if key == "effect" else word)
        chunks[key] = " ".join(names)
        if set(chunks) == {""}:
            # two names without a word between them, as inflected languages put it: a weapon or food, and a hero
            for card, hero in self._pairs([word for word, _, meaning in words if meaning not in SMALL]):
                if self._spec(hero).is_hero:
                    return {"equip": card, "to": hero} if self._spec(card).is_weapon else {"use": card, "on": hero}
        if "" not in chunks:
            raise InputError("empty-choice")
        card = self._card(chunks.pop(""), self.mine | self.foes)
        spec = self._spec(card)
        if spec.is_monster and not chunks and not verb and card not in self.mine:
            return {"attack": card}
        if verb == "equip" or (spec.is_weapon and not verb and set(chunks) <= {"on"}):
            return {"equip": card} | ({"to": self._card(chunks["on"], self.mine)} if "on" in chunks else {})
        step: Step = {"use": card}
        for key, text in chunks.items():
            if key != "effect":
                step[key] = self._card(text, self.foes if key == "bottom" else self.mine)
            elif text.isdecimal() and int(text):
                step[key] = int(text)
            else:
                raise InputError("bad-step-value", step=1, key=key, value=text or "-")
        return step

    def _spec(self, card: str) -> CardSpec:
        return self.game.cards[card.partition("#")[0]]

    def _burns(self, card: str, victim: str) -> bool:
        effects = [op for ability in self._spec(card).dungeon for op in (*ability.cost, *ability.instant)]
        return any(isinstance(op, Destroy) and self._spec(victim).matches(op.select) for op in effects)

    def _eaten(self, words: list[str]) -> Step | None:
        """The step in which a hero of the hand eats the food named; None if nobody does. Raises if several may."""
        for food, hero in self._pairs(words):
            if self._spec(hero).is_hero and self._burns(hero, food):
                return {"use": hero, "destroy": food}
        food = self._card(" ".join(words), self.mine)
        able = sorted(card for card in self.mine if self._spec(card).is_hero and self._burns(card, food))
        if len(able) > 1 and "food" in self._spec(food).types:
            names = Language(self.find.database, self.find.lang)
            raise NoAnswerError("ambiguous-card", name=" ".join(words), candidates=[str(names.card(c)) for c in able])
        return {"use": able[0], "destroy": food} if able and "food" in self._spec(food).types else None

    def _pairs(self, words: list[str]) -> Iterator[tuple[str, str]]:
        # two different cards of the hand that the words may name, in either order
        for place in range(1, len(words)):
            left, right = (" ".join(part) for part in (words[:place], words[place:]))
            try:
                one, other = self._card(left, self.mine), self._card(right, self.mine)
            except NoAnswerError:
                continue
            if {one.partition("#")[0], other.partition("#")[0]} <= self.mine and one != other:
                yield one, other
                yield other, one

    def _card(self, text: str, present: Collection[str]) -> str:
        name, copy = name_and_copy(text, text)
        if not name:
            raise InputError("empty-choice")
        found = search_cards(self.find.database, name)
        ids = dict.fromkeys(self.find.database.cards[hit.id].reprint_of or hit.id for hit in found.hits)
        here = [card for card in ids if card in present]
        card = here[0] if len(here) == 1 else self.find(name)
        return card + (f"#{copy}" if copy else "")


UNNAMED = ("effect", "from", "disease", "attack", "battle", "top", "order", "breach")
MOST_BEGINNINGS = 20_000  # positions tried at most in which the step may be made
FOUGHT = frozenset({"disease", "battle"})


def why_not(choice: Any, question: Question, judged: list[Judged], share: float = 1.0) -> WhyNot:
    """Weighs a choice, a plan step or a few words, against the best lines, or the plan, in this share of the budget.

    Raises InputError for an unreadable choice, NoAnswerError for names; an illegal choice is an answer too.
    """
    find, words, plan = question.find, question.words, question.asked.plan
    step = _with_ids(ChoiceReader(question.game, question.state, find).read(choice), find)
    kind = step_kind(step, 1)
    if kind not in PREPARED | FOUGHT | {"attack"} or step.get("battle") == "lose":  # what follows a battle is no choice
        raise InputError("not-a-choice", kind=kind)
    answer = WhyNot(asked=choice, step=step, text=describe(step, words), verdict="illegal")
    broken: dict[str, Any] = {}
    try:
        if kind == "attack":
            return _other_target(answer, question, judged, step)
        if plan is not None and not (kind == "equip" and "to" not in step):
            try:
                variant = question.follow_plan(_swap(plan, step, find))[0]
                return _compare_targets(answer, judged, variant, plan=True)
            except IllegalStepError as refusal:
                broken = _tell_refusal(refusal, words) | {"plan": True}
        search = question.new_search(share)
        target = question.asked.target
        only = [foe.card for rank, _, foe in targets(question.state) if rank == target][:1] or None
        made = search_with(search, question.state, step, find, only=only)
        variant = question.judge(search, made)
        compared = _compare_targets(answer, judged, variant, plan=False)
        searched = None if search.complete else search.states
        return replace(compared, proven=search.complete, searched=searched, **broken)
    except IllegalStepError as illegal:
        illegal.params.pop("step", None)
        bar = _bars(question, judged, step["use"].partition("#")[0]) if kind == "use" else None
        return replace(answer, **(broken or _tell_refusal(bar or illegal, words)))


def _bars(question: Question, judged: list[Judged], card: str) -> IllegalStepError | None:
    """Why the attack of a best line is barred unless it forgoes the card (R5.1); None if no line does."""
    for line in ([now.choice for now in each.played] for each in judged):
        forgone = [choice for choice in line if isinstance(choice, Forgo) and choice.card[0] == card]
        if not forgone:
            continue
        state = question.state
        for choice in (choice for choice in line if choice not in forgone):
            if isinstance(choice, Attack):
                return why_illegal(question.game, state, choice)
            state = play(question.game, state, choice)[0]
    return None


def _tell_refusal(refusal: IllegalStepError, words: Language) -> dict[str, Any]:
    return {"reason": words.error(refusal), "rule": refusal.rule, "code": refusal.code}


def _compare_targets(answer: WhyNot, judged: list[Judged], variant: list[Judged], *, plan: bool) -> WhyNot:
    twins = [(best, _against(variant, best.result.rank, best.result.monster)) for best in judged]
    found = [_comparison(best, twin, compare(best.merits, twin.merits)) for best, twin in twins if twin is not None]
    most, order = best_of(judged), ("better", "worse", "barred", "equal")
    aims = [c for c in found if most is not None and (c.rank, c.monster) == (most.result.rank, most.result.monster)]
    verdict = min((comparison.verdict for comparison in aims[:1] or found), key=order.index, default="equal")
    return replace(answer, verdict=verdict, targets=found, plan=plan)


def _against(judged: list[Judged], rank: int | None, monster: str) -> Judged | None:
    like = [each for each in judged if each.result.monster == monster]
    return next((each for each in like if each.result.rank == rank), like[0] if like else None)


def _comparison(best: Judged, variant: Judged, compared: tuple[str, str | None, int]) -> Comparison:
    first, other = best.result, variant.result
    ours, theirs = (
        BattleFigures(**{name: getattr(result, name) for name in BattleFigures.__struct_fields__})
        for result in (first, other)
    )
    lost, instead = ([], []) if compared[0] == "equal" else (steps_only_in(first, other), steps_only_in(other, first))
    return Comparison(
        rank=first.rank, monster=first.monster, verdict=compared[0], decided_by=compared[1], by=compared[2], best=ours,
        choice=theirs, reason=other.reason, line=other.line, lost=lost, instead=instead,
    )  # fmt: skip


def _other_target(answer: WhyNot, question: Question, judged: list[Judged], step: Step) -> WhyNot:
    rank: int | None = None
    card: Any = step["attack"]
    if not isinstance(card, str):
        if type(card) is not int or not 0 <= card <= RANKS:
            raise InputError("bad-rank", rank=write_value(card))
        rank = card
        cards = [foe.card for place, _, foe in targets(question.state) if place == rank and is_known(foe)]
        if not cards:
            raise NoAnswerError("no-target", rank=rank)
        card = step.get("monster", cards[0])
    chosen = _against(judged, rank, card)
    if chosen is None:
        raise NoAnswerError("not-here", card=card)
    result, best = chosen.result, best_of(judged)
    if chosen.worth is None or best is None:
        return replace(answer, reason=result.reason, rule="R5.1", code="barred")
    comparison = replace(
        _comparison(best, chosen, compare(best.rating, chosen.rating)), rank=result.rank, monster=result.monster,
        best_rank=best.result.rank, lost=[], instead=[],
    )  # fmt: skip
    return replace(answer, verdict=comparison.verdict, targets=[comparison], proven=result.proven)


def steps_only_in(result: TargetResult, other: TargetResult) -> list[ResultStep]:
    """The steps of the sum and before it that one result has and the other has not."""
    there, found = [step.text for step in other.steps], []
    for step in result.steps:
        if step.text in there:
            there.remove(step.text)
        elif step.card is not None and step.part != "after":
            found.append(step)
    return found


def _swap(plan: list[Step], step: Step, find: Finder) -> list[Step]:
    """The plan with ``step`` in place of the one for the same card, or before the attack if there is none."""
    kind = step_kind(step, 1)

    def same(old: Step) -> bool:
        if kind in FOUGHT:
            return kind in old and (kind == "disease" or bool(old[kind] == step[kind]))
        played = old.get("equip", old.get("use", old.get("forgo")))
        return played is not None and find(str(played).partition("#")[0]) == str(step[kind]).partition("#")[0]

    if place := next((place for place, old in enumerate(plan, 1) if same(old)), 0):
        return [*plan[: place - 1], step, *plan[place:]]
    place = next((place for place, old in enumerate(plan) if "attack" in old), len(plan)) + (kind in FOUGHT)
    return [*plan[:place], step, *plan[place:]]


def _with_ids(step: Step, find: Finder) -> Step:
    def named(value: Any) -> Any:
        if isinstance(value, list):
            return [named(one) for one in value]
        if not isinstance(value, str):
            return value
        name, copy = name_and_copy(value, value)
        return find(name) + (f"#{copy}" if copy else "")

    return {key: named(value) if key == "attack" or key not in UNNAMED else value for key, value in step.items()}


def describe(step: Step, words: Language) -> str:
    def name(value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(name(one) for one in value)
        card, _, copy = str(value).partition("#")
        return words.card(card, int(copy or 1))

    say, kind = words.say, step_kind(step, 1)
    what = step[kind]
    if kind == "disease":
        return say(f"play.choose.disease.{what}")
    if kind == "attack":
        return say("why-not.attack", card=name(what)) if isinstance(what, str) else say("why-not.attack-rank", n=what)
    if kind == "battle":
        return say(f"play.choose.{'stop' if what == 'cannot-attack' else 'destroy'}", card=name(step["pick"]))
    parts = [say("play.forgo", card=name(what)) if kind == "forgo" else name(what)]
    for key, value in ({"to": "…"} | step if kind == "equip" else step).items():
        if key in ("on", "to"):
            parts[0] = say("play.equip", card=parts[0], hero=value if value == "…" else name(value))
        elif key == "effect":
            parts.append(say("play.effect", n=value))
        elif key in ("destroy", "bottom"):
            parts.append(say(f"play.choose.{key}", card=value if isinstance(value, int) else name(value)))
        elif key != kind:
            parts.append(name(value))
    return ", ".join(parts)


def search_with(
    search: Search, start: Position, step: Step, find_card: FindCard, *, only: Collection[str] | None
) -> Position:
    """Searches for the best line with ``step``, gives the first state where it is made; raises if none can."""
    kind = step_kind(step, 1)
    if kind in PREPARED:
        maker = StepMaker(search, find_card, step)
        search.run(start, only=only, heads=maker.heads(start))
        search.complete = search.complete and maker.complete
        return start if maker.first is None else maker.first
    if kind == "disease":
        search.accepts = lambda line: Stat("disease", step["disease"]) in line
    elif kind == "battle":
        card = find_card(str(step.get("pick", "")).partition("#")[0])
        search.accepts = lambda line: (
            card in [one.value[0] for one in line if isinstance(one, Pick) and one.key == "pick"]
        )
    search.run(start, only=only)
    if kind in FOUGHT and not search.found and search.complete:
        raise IllegalStepError("choice-never", rule="R5.6" if kind == "disease" else "R5.2")
    return start


class StepMaker(Follower):
    """Makes one step of a plan in every way that it leaves open."""

    any_copy: ClassVar[bool] = True

    def __init__(self, search: Search, find_card: FindCard, step: Step) -> None:
        super().__init__(search.game, find_card)
        self.search, self.step = search, step
        self.kind = step_kind(step, 1)
        self.complete = True  # False if there may be ways to the step besides those found
        self.first: Position | None = None
        self._problems: list[ThunderrefError] = []

    def heads(self, start: Position) -> Iterator[Head]:
        """Beginnings up to the step, the shortest first, where better lines may follow; raises why there are none."""
        states = 0
        self._around = Surroundings(self.game, start)
        self._apart = self._stands_apart(start)
        waiting: deque[Head] = deque([(start, ())])
        seen = {hash(key_of(start))}
        while waiting:
            state, line = waiting.popleft()
            states += 1
            late = self.search.tick is not None and not self.search.tick(states)
            if states > MOST_BEGINNINGS or (late and states > 1):
                self.complete = False
                return
            if state.phase == "end" or (
                self.first is not None and not state.todo and self.search.hopes(state, None) == {}
            ):
                continue
            if not state.todo:
                for head in self._try_at(state, line):
                    self.first = self.first or head[0]
                    yield head
            for choice in self._before(state):
                after, _ = play(self.game, state, choice)
                key = hash(key_of(after))
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, (*line, choice)))
        if self.first is None:
            never = IllegalStepError("no-hero", rule="R4.3", card=str(self.step[self.kind]).partition("#")[0])
            raise min(self._problems, key=_remoteness, default=never)

    def _before(self, state: Position) -> list[Choice]:
        # What may have to come before the step: all that changes the hand or the hall, for equipping Strength too.
        options: Sequence[Choice] = legal_actions(self.game, state)
        if state.todo:
            if self._apart:
                heroes = [Pick("on", hero) for hero in self._copies(state, self.step["to"])]
                options = [answer for answer in options if answer in heroes] or options
        else:
            options = [choice for choice in options if isinstance(choice, Use | Equip) and self._matters(state, choice)]
        return distinct_choices(state, options)

    def _matters(self, state: Position, choice: Use | Equip) -> bool:
        if isinstance(choice, Equip):
            return bool(self.game.cards[find(state, choice.weapon)[0].face].dungeon) and not self._apart
        spec, ability = self.game.cards[find(state, choice.card)[0].face], ability_of(self.game, state, choice)
        if ability is not None and not self._apart and (ability.cost or ability.instant):
            return not self._around.influences.asks_village(spec, ability)
        lasting = ability.lasting if ability is not None else spec.passive
        if not any(isinstance(op, Bonus) and op.stat == "strength" for op in lasting):
            return False
        # whether the step, or a weapon that may be used before it, depends on the Strength of heroes
        played = self.game.cards[self.find(str(self.step[self.kind]).partition("#")[0])]
        does = [self._around.influences.of(played, ability) for ability in played.dungeon]
        mine = [self.game.cards[card] for card in (*(slot.face for slot in all_slots(state)), *state.to_come)]
        waits = any(one.brings or one.changes for one in does) or any(spec.is_weapon and spec.dungeon for spec in mine)
        return "equip" in self.step or waits

    def _stands_apart(self, start: Position) -> bool:
        # True if a hero and a weapon in hand are to be equipped, and all else but the hero's Strength can wait.
        around = self._around
        tangled = around.lends or around.in_order or (around.moves and around.spills) or around.strength_matters
        if "equip" not in self.step or "to" not in self.step or tangled:
            return False
        try:
            return bool(self._copies(start, self.step["equip"]) and self._copies(start, self.step["to"]))
        except ThunderrefError:
            return False

    def _try_at(self, state: Position, line: Line) -> list[Head]:
        found: list[Head] = []
        try:
            choices = distinct_choices(state, [*self._read_at(state)])
        except ThunderrefError as missing:
            self._problems.append(missing)
            return []
        for choice in choices:
            try:
                for node in self.begin(Node(state), choice, (1, self.step)):
                    closed = self.close_step(node)
                    found.append((closed.state, (*line, *[now.choice for now in closed.played])))
            except ThunderrefError as refusal:
                self._problems.append(refusal)
        return found

    def _read_at(self, state: Position) -> Iterator[Choice]:
        for ref in self._copies(state, self.step[self.kind]):
            spec = self.game.cards[find(state, ref)[0].face]
            if self.kind == "equip":
                heroes = [slot.ref for slot in state.hand if self.game.cards[slot.face].is_hero]
                named = self.step.get("to")
                yield from (Equip(ref, hero) for hero in (self._copies(state, named) if named else heroes))
            elif self.kind == "forgo":
                yield Forgo(ref)
            elif self.step.get("effect") is not None:
                yield Use(ref, self.step["effect"])
            else:
                numbers = [ability.number for ability in spec.dungeon] or [0 if spec.gift else 1]
                yield from (Use(ref, number) for number in numbers)

    def _copies(self, state: Position, name: Any) -> list[Ref]:
        first = ref_of(state, name, self.find)
        every = [slot.ref for slot in all_slots(state) if slot.card == first[0]]
        return [first] if "#" in str(name) else every


def _remoteness(problem: ThunderrefError) -> tuple[int, int]:
    # how far a choice was from being possible: the nearest gives the reason
    if problem.code == "too-heavy":
        return 0, problem.params["weight"] - problem.params["strength"]
    return (2 if problem.code == "not-in-play" else 1), 0
