"""A battle planned by tapping: the plan in the address, another hero for a card, and what the engine says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

from thunderref.answers import RESOLVE
from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, ThunderrefError
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.play_text import effect_used
from thunderref.serve.api import check_size
from thunderref.serve.visitor import Parts, Visitor
from thunderref.thunderstone.resolve.plan import LISTS
from thunderref.thunderstone.resolve.result import Resolution, TargetResult, WhyNot
from thunderref.thunderstone.resolve.why_not import steps_only_in
from thunderref.thunderstone.rules.notation import Step, copy_name
from thunderref.thunderstone.rules.position import replace

NONE = "-"
"""Sign for no value in a plan; tapped as a hero, it leaves the card out."""
ALONE = "+"
"""Sign that, tapped as a hero, uses the card, once more if it is in the plan; the engine chooses on whom."""
SECOND, FORGO = "2", "!"
"""Signs that, tapped as a hero, use the card's second effect, or do without what the card gives by itself."""
MOST_PLANNED = 60
MOST_WEIGHED = 12
"""Other choices that the engine weighs for one page."""
MOST_OTHERS = 6
FORCED = {"battle", "disease", "breach"}
"""Steps that the monster asks for: with another plan they are made anew."""


def read_plan(texts: Iterable[str]) -> list[Step]:
    """The steps of an address, each as ``key:value,key:value``; what is repeated is a list."""
    steps = []
    for text in [entry for entry in texts if check_size(entry)][:MOST_PLANNED]:
        step: Step = {}
        for pair in filter(str.strip, text.split(",")):
            key, _, value = map(str.strip, pair.partition(":"))
            read = None if value == NONE else int(value) if value.isdecimal() and len(value) < 4 else value
            step[key] = [*_values(step[key]), read] if key in step else [read] if key in LISTS else read
        steps.append(step)
    return [step for step in steps if step]


def write_plan(plan: Iterable[Step]) -> list[str]:
    """The plan as an address has it."""
    pairs = ([(key, entry) for key, value in step.items() for entry in _values(value)] for step in plan)
    return [",".join(f"{key}:{NONE if value is None else value}" for key, value in pair) for pair in pairs]


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _names(step: Step, card: str) -> bool:
    return card in (step.get("equip"), step.get("use"), step.get("forgo"))


def move(plan: Sequence[Step], card: str, to: str, words: Language) -> list[Step]:
    """The plan with a card for another hero, used alone or left out; whether that is legal the engine says.

    Weapons are given, and used, last: what makes a hero strong enough comes before them.
    """
    if to == NONE:
        return [step for step in plan if not _names(step, card) and FORCED.isdisjoint(step)]
    old = None if to == ALONE else next((step for step in plan if _names(step, card)), None)
    remaining = [step for step in plan if step is not old and FORCED.isdisjoint(step)]
    is_weapon = _is_weapon(words, card)
    if to in (ALONE, SECOND, FORGO):
        new: Step = {"forgo" if to == FORGO else "use": card} | ({"effect": 2} if to == SECOND else {})
    else:
        new = old if old and "forgo" not in old else {"equip" if is_weapon else "use": card}
        new = {**new, "to" if "equip" in new or "to" in new else "on": to}
    before = ("attack",) if is_weapon else ("equip", "attack")
    place = next((n for n, step in enumerate(remaining) if not step.keys().isdisjoint(before)), len(remaining))
    return [*remaining[:place], new, *remaining[place:]]


def other_taps(words: Language, card: str, plan: Sequence[Step]) -> list[tuple[str, str]]:
    """The other uses of a card than to give it to a hero: what the tap sends, and its words."""
    printed, is_weapon = words.database.cards[card.partition("#")[0]], _is_weapon(words, card)
    first, second = (effect_used({"use": card, "effect": n}, words) is not None for n in (1, 2))
    is_used = any(_names(step, card) for step in plan)
    is_alone = (first and (is_weapon or printed.is_hero)) or not (is_used or is_weapon)
    taps = (ALONE, "alone", is_alone), (SECOND, "second", second), (FORGO, "forgo", "spell" in printed.types)
    return [(tap, words.say(f"serve.plan.{key}")) for tap, key, there in (*taps, (NONE, "out", is_used)) if there]


class Tappable(NamedTuple):
    """A tile that can be tapped: a copy of a card, its name, and what the plan does with it."""

    value: str
    name: str
    does: str = ""


def _is_weapon(words: Language, card: str) -> bool:
    return "weapon" in words.database.cards[card.partition("#")[0]].types


def tiles(
    words: Language, cards: Sequence[str], plan: Sequence[Step], *, every: bool = False
) -> tuple[list[Tappable], list[Tappable]]:
    """The cards that a plan can use, or ``every`` one, with what it does with them, and the heroes who may get them."""

    def label(ref: str) -> str:
        card, _, copy = ref.partition("#")
        return str(words.card(card, int(copy) if copy.isdecimal() else 1))

    book, movable, heroes = words.database.cards, list[Tappable](), list[Tappable]()
    for n, card in enumerate(cards):
        ref = copy_name((card, [*cards[: n + 1]].count(card)))
        step = next((step for step in plan if _names(step, ref)), None)
        if every or step or _is_weapon(words, card) or effect_used({"use": card}, words) is not None:
            hero = str((step or {}).get("to") or (step or {}).get("on"))
            mark = "" if not step else "✗" if "forgo" in step else "✓"
            does = f"→ {label(hero)}" if hero.partition("#")[0] in book else mark
            movable.append(Tappable(ref, label(ref), does))
        if book[card].is_hero:
            heroes.append(Tappable(ref, label(ref)))
    return movable, heroes


def _choices(words: Language, cards: Sequence[str], plan: Sequence[Step]) -> list[Step]:
    """Each card that a plan can use for each hero who does not have it; equal ones once."""
    pairs = product(*([tile.value for tile in side if "#" not in tile.value] for side in tiles(words, cards, plan)))
    new = (next((step for step in move(plan, card, to, words) if _names(step, card)), {}) for card, to in pairs)
    return [step for step in new if step not in plan][:MOST_WEIGHED]


def planned(words: Language, query: QueryParams) -> Parts:
    """The plan in an address, the tap on a hero done: that one gets the card that was tapped before."""
    plan, card = read_plan(query.getlist("plan")), query.get("held", "")
    card = card if card.partition("#")[0] in words.database.cards else ""
    if (to := query.get("hero")) and card:
        plan, card = move(plan, card, to, words), ""
    return {"plan": write_plan(plan), "held": card, "others": "1" if query.get("others") else ""}


class Trial:
    """A trial in one battle: the plan in the address, judged; ``problem`` says why the engine refuses it.

    ``astray`` says it of a plan for none of the targets.
    """

    def __init__(
        self, visitor: Visitor, document: Mapping[str, Any], fields: Mapping[str, Any], link: Callable[..., str]
    ) -> None:
        self.visitor, self.document, self.fields, self.link = visitor, document, fields, link
        self.plan, self.problem, self.astray = read_plan(fields["plan"]), "", ""
        self.judged: Resolution | None = None
        self.refused = list[Step]()
        if not self.plan:
            return
        try:
            self.judged = visitor.judge(RESOLVE, {**document, "plan": self.plan})
            self.problem = "" if self.judged.targets else visitor.words.say("resolve.no-battle")
        except ThunderrefError as error:
            number = error.params.get("step", 0)
            if isinstance(error, IllegalStepError):
                error.params.pop("step", None)  # the steps have no numbers here
            self.problem = visitor.words.error(error, on_page=True)
            self.refused = [step for step in self.plan[max(0, number - 1) : number] if step.keys() & {"equip", "use"}]

    def apply_plan(self, views: list[Parts], view: Callable[[TargetResult, Resolution], Parts]) -> list[Parts]:
        """The targets, the one that is planned instead of its best play, each with what can be changed about it."""
        place, best = self._place([view["target"] for view in views]), None
        if place is None:
            self.astray = self.problem
        else:
            best = views[place]["target"]
            if self.judged is not None and self.judged.targets:
                views[place] = view(self.judged.targets[0], self.judged)
            else:
                views[place] |= self._refused(views[place])
        for n, target_view in enumerate(views):
            target_view["change"] = self._change(target_view["target"], best if n == place else None)
            target_view["is_best"] = target_view["is_best"] if place is None else n == place
        return views

    def _refused(self, view: Parts) -> Parts:
        """The parts shown in place of a play that is refused."""
        words, target = self.visitor.words, view["target"]
        return {
            "target": replace(target, outcome="defeat", total=None), "page": Page(view["page"].title, [], []),
            "verdict": words.say("serve.plan.refused"), "under": words.say("serve.rank", rank=target.rank),
            "next_turn": "", "lost": None,
        }  # fmt: skip

    def _place(self, targets: Sequence[TargetResult]) -> int | None:
        attack = next((step for step in self.plan if "attack" in step), {})
        judged = self.judged.targets if self.judged is not None else []
        aim = judged[0].monster if judged else attack.get("monster")
        alike = [(target.monster == aim, target.rank == attack.get("attack")) for target in targets]
        return alike.index(max(alike)) if any(map(any, alike)) else None

    def _change(self, target: TargetResult, best: TargetResult | None) -> Parts:
        """The parts shown below a target; ``best`` is its best play where it is the one that is planned."""
        words, is_planned = self.visitor.words, best is not None
        plan = self.plan if is_planned else target.line or [{"attack": target.rank}]
        steps, cards = write_plan(plan), [*self.document["hand"], *(self.document["deck"] or ())]
        movable, heroes = tiles(words, cards, plan)
        tile_held = next((tile for tile in movable if is_planned and tile.value == self.fields["held"]), None)
        wants_others = is_planned and bool(self.fields["others"])
        choices = _choices(words, cards, plan) if wants_others else self.refused if is_planned else []
        blocks, differs = list[Block](), best is not None and not self.problem and best.line != target.line
        if best is not None and differs:
            for key, side in ("lost", (best, target)), ("instead", (target, best)):
                lines = [Line(step.text, note=" ".join(step.rules)) for step in steps_only_in(*side)]
                blocks.append(Block(lines, words.say(f"why-not.{key}")))
        draws = target.draws is not None or target.unknown_draws or self.document["deck"]
        return {
            "steps": steps, "cards": movable if target.can_attack else [], "heroes": heroes, "held": tile_held,
            "taps": other_taps(words, tile_held.value, plan) if tile_held else [],
            "problem": self.problem if is_planned else "", "best": best if differs else None, "blocks": blocks,
            "others": self._weigh(target.rank, choices) if choices else [], "asked": wants_others,
            "else": self.link(plan=steps, others="1") if target.can_attack else "",
            "drawn": self.link(plan=[], pane="deck") if draws else "",
            "back": self.link(plan=[]) if is_planned else "",
        }  # fmt: skip

    def _weigh(self, rank: int, choices: Sequence[Step]) -> list[tuple[WhyNot, str]]:
        """The best play against the target with each of the choices, the best first, and where it stands."""
        scenario = {**self.document, "budget": None, "target": rank, "why_not": [*choices]}
        resolution, _ = self.visitor.attempt(lambda: self.visitor.judge(RESOLVE, scenario))
        legal = [why for why in (resolution.why_not if resolution else ()) if why.targets and why.targets[0].line]
        legal.sort(key=lambda why: (why.targets[0].choice.outcome != "victory", -(why.targets[0].choice.total or 0)))
        plays = {self.link(plan=write_plan(why.targets[0].line)): why for why in reversed(legal)}
        return [(why, to) for to, why in reversed(plays.items())][:MOST_OTHERS]
