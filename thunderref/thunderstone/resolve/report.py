"""Choices, events and terms in words, short enough for a list, a log or a line of play; a battle as its result and sum.

The terms of a sum know a weapon that nobody holds and a bonus of another rank. :func:`idle_cards` tells what no term
does: Light beyond the light penalty, cards without an effect in a battle, effects that the play does not use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from thunderref.database.operations import Barred, DestroyRandom, Halve
from thunderref.database.read import Language
from thunderref.thunderstone.resolve.plan import LineWriter
from thunderref.thunderstone.resolve.result import ChanceLoss, GoldFrom, Purchase, ResultStep, TargetResult
from thunderref.thunderstone.rules import choices
from thunderref.thunderstone.rules.choices import DECLINE, Answer, Attack, Choice, Pick, Rank, Theirs, kind_of
from thunderref.thunderstone.rules.effects.battle import at_risk, battle_of, buys, gold_from
from thunderref.thunderstone.rules.effects.preparation import asks_what_was_used, on_offer
from thunderref.thunderstone.rules.explanation import Event, Term, Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import NOBODY, is_known
from thunderref.thunderstone.rules.hand import all_slots, find, slots
from thunderref.thunderstone.rules.legal import Played, legal_actions
from thunderref.thunderstone.rules.position import DISARMED, EMPTY, UNKNOWN, WEAPON_USED, Position, Ref, Slot, replace
from thunderref.thunderstone.rules.readings import STONE_AT_SHIFT, STONE_WITH_HELP
from thunderref.thunderstone.rules.scoring import holdings, points, worth

GROUPS = {
    "village": "turn", "dungeon": "turn", "rest": "turn", "penalty": "turn", "use": "use", "equip": "equip",
    "attack": "attack", "buy": "buy", "level_up": "level_up", "forgo": "forgo", "choose": "choose", "leave": "go-on",
    "count": "go-on", "end": "go-on",
}  # fmt: skip
"""Kind of action -> the group it is listed in; groups are listed in this order."""
_HEROES = frozenset(("on", "to", "militia"))  # keys of answers that say to whom a card goes
LONGEST_TEXT = 60  # letters of an ability's text that fit into a list of choices


class Option(NamedTuple):
    group: str
    label: str
    choice: Choice


@dataclass(frozen=True)
class ChoiceTexts:
    """What the choices of a position are called."""

    words: Language
    game: Game
    position: Position
    names: Sequence[str]

    def options(self, legal: Sequence[Choice]) -> list[Option]:
        """The choices as a player sees them: grouped, those that read alike once."""
        order = list(dict.fromkeys(GROUPS.values()))
        found: dict[tuple[str, str], Option] = {}
        for choice in legal:
            group, label = GROUPS[kind_of(choice)], self.label(choice)
            found.setdefault((group, label), Option(group, label, choice))
        return sorted(found.values(), key=lambda option: order.index(option.group))

    def say_choice(self, choice: Choice) -> str:
        """A choice on its own, as in a log: its group and its name."""
        kind, words, asking = kind_of(choice), self.words, _asking(self.position)
        if words.has(f"log.do.{kind}"):
            return words.say(f"log.do.{kind}")
        key = choice.key if isinstance(choice, choices.Named | choices.Stat) else ""
        group, label = "buy" if key == "buy" else GROUPS[kind], self.label(choice)
        if key == "disease" or group in ("turn", "go-on") or (group == "choose" and not asking):
            return label
        return f"{words.card(asking) if group == 'choose' else words.say(f'log.group.{group}')}: {label}"

    def label(self, choice: Choice) -> str:
        words, game, position = self.words, self.game, self.position
        if isinstance(choice, choices.Answer):
            return self._answer(choice)
        if isinstance(choice, choices.Use):
            return self._use(choice)
        if isinstance(choice, choices.Equip):
            return words.say("play.equip", card=self._card(choice.weapon), hero=self._card(choice.hero))
        if isinstance(choice, choices.Forgo):
            return words.say("play.forgo", card=self._card(choice.card))
        if isinstance(choice, choices.Attack):
            foe = position.hall[choice.rank - 1] if choice.rank else position.rank0[choice.place]
            return words.say("play.attack", card=words.card(foe.card), rank=choice.rank)
        if isinstance(choice, choices.Buy):
            return self._buy(choice.card)
        if isinstance(choice, choices.LevelUp):
            hero, xp = words.card(choice.hero[0]), game.cards[choice.hero[0]].level_cost or 0
            return words.say("play.level_up", card=hero, to=words.card(choice.to), xp=xp)
        return words.say(f"play.do.{kind_of(choice)}")

    def _card(self, ref: Ref) -> str:
        return card_name(self.words, self.position, ref)

    def _use(self, choice: choices.Use) -> str:
        words, name = self.words, self._card(choice.card)
        if choice.effect == 0:
            return words.say("play.gift", card=name)
        spec = self.game.cards[find(self.position, choice.card)[0].face]
        abilities = spec.dungeon if self.position.visit is None else spec.village
        text = words.text(f"card.{spec.id}.{abilities[choice.effect - 1].id}") or ""
        if not text or (len(abilities) == 1 and len(text) > LONGEST_TEXT):
            return words.say("play.use", card=name)
        return words.say("play.use-text", card=name, text=text.rstrip("."))

    def _answer(self, answer: choices.Answer) -> str:
        words, position, value = self.words, self.position, answer.value
        key, cards = f"play.choose.{answer.key}", choices.cards_of(answer)
        if isinstance(answer, Pick):
            if answer.key == "pick":  # what a battle effect does to the card (R5.2), as the step of the choice says it
                key = "play.choose.stop" if position.todo[0].name == "battle:stop-hero" else "play.choose.destroy"
            return words.say(key, card=self._card(answer.value))
        if isinstance(answer, choices.Player):
            return self.names[answer.value]
        if isinstance(answer, choices.Stat):
            return words.say(f"{key}.{value}")
        if isinstance(answer, choices.Decline):  # of a rest (R2.3): nothing is destroyed
            return words.say(key if _asking(position) else "play.choose.keep")
        if isinstance(answer, Rank | choices.Order):
            places = answer.value if isinstance(answer, choices.Order) else (answer.value - 1,)
            cards = tuple(position.hall[place].card for place in places)
        elif isinstance(answer, choices.Several) and not cards:
            return words.say("play.choose.nothing")
        if answer.key == "buy":
            return self._buy(cards[0])
        listed = ", ".join(words.card(card) if card else "—" for card in cards)
        player = self.names[answer.value[0]] if isinstance(answer, Theirs) else ""
        return words.say(key, card=listed, cards=listed, rank=value, player=player)

    def _buy(self, card: str) -> str:
        return self.words.say("play.buy", card=self.words.card(card), cost=self.game.cards[card].cost)


class LineTexts(ChoiceTexts):
    """What the steps of a line of play are called: copies as in the line, by number from the second on."""

    def short(self, choice: Choice) -> str:
        """A choice that begins a step, in a few words; :meth:`with_answer` adds the choices that follow."""
        if isinstance(choice, choices.Use):
            name = self._card(choice.card)
            return name if choice.effect < 2 else f"{name}, {self.words.say('play.effect', n=choice.effect)}"
        if isinstance(choice, Pick) and choice.key in _HEROES:
            return self.with_answer(self.words.card(_asking(self.position)), choice)
        return self.label(choice) if isinstance(choice, choices.Equip) else self.say_choice(choice)

    def with_answer(self, short: str, answer: choices.Answer) -> str:
        if isinstance(answer, Pick) and answer.key in _HEROES:
            return self.words.say("play.equip", card=short, hero=self._card(answer.value))
        return f"{short}, {self.label(answer)}"

    def _card(self, ref: Ref) -> str:
        return self.words.card(*ref)


def heading(words: Language, position: Position, group: str) -> str:
    """The heading of a group; for a choice during an effect it names the card."""
    if group == "choose" and _asking(position):
        return words.say("play.group.choose-for", card=words.card(_asking(position)))
    return words.say("play.group.rest" if group == "choose" and position.phase == "rest" else f"play.group.{group}")


def _asking(position: Position) -> str:
    return position.todo[0].source[0] if position.todo else ""


def card_name(words: Language, position: Position, ref: Ref) -> str:
    """The card's name; copies that differ get different names by what they hold, or by a number."""
    name = words.card(ref[0])
    copies = [(slot, holder and holder.ref) for slot, holder in slots(position) if slot.card == ref[0]]
    if len({(_bare(slot), holder) for slot, holder in copies}) < 2:
        return name
    slot = next((slot for slot, _ in copies if slot.ref == ref), None)
    if slot is not None and slot.weapons:
        return words.say("play.armed", card=name, weapons=words.listed(w.card for w in slot.weapons))
    return words.card(*ref) if slot is not None and _bare(slot) != Slot(slot.card, 0) else name


def _bare(slot: Slot) -> Slot:
    return replace(slot, copy=0, weapons=tuple(_bare(weapon) for weapon in slot.weapons))


MINUS = "\N{MINUS SIGN}"
GIVEN_UP = ("other-discards", "other-keeps")  # events of a card that another player chose to give up
RIGHTS = {"take-before-refill": "take", "sorcery": "bottom", "hunt-take": "hunt"}
"""Tasks that give something for nothing (R6.5), with what can be chosen."""
BEFORE_AND_AFTER = frozenset(
    {"double", "halve-magic", "only-magic", "immune.magic", "immune.edged", "immune.spells",
     "immune.spell-gift", "immune.unequipped", "convert"}
)  # fmt: skip
"""Terms that change the sums which a Disease may lower (R5.6)."""
HIDDEN = frozenset(("random-loss", "random-loss.perhaps", "toll-due", "breach.reveal-top", "horde-up"))
"""Events that cost the player a card, or several, or bring one in, without its being known which."""
Part = Literal["prepare", "battle", "sum", "after"]
BEGUN_BY: dict[str, Part] = {"attacked": "battle", "victory": "after", "defeat": "after", "no-battle": "after"}
"""Event -> the part of the report that begins with it."""


def tell_battle(game: Game, played: Played, words: Language, *, proven: bool = True) -> TargetResult:
    """The result of a whole line with a battle."""
    state = played[-1].after
    outcome, battle = state.outcome, battle_of(state)
    assert outcome is not None
    spec = game.cards[battle.foe.card]
    spoils = [now for now in played if now.before.todo and now.before.todo[0].name == "spoils"]
    vp = worth_of(game, played[0].before, spec.id)
    risk = _chance_loss(game, played)
    idle = [_term_step(term, words, copy=copy) for term, copy in idle_terms(outcome)]
    return TargetResult(
        rank=battle.rank, monster=spec.id, can_attack=True, health=outcome.health, attack=outcome.attack,
        magic_attack=outcome.magic, light=outcome.light, light_penalty=outcome.light_penalty, total=outcome.total,
        margin=outcome.total - outcome.health, outcome="victory" if outcome.victory else "defeat", xp=state.xp,
        vp=vp if outcome.victory else 0, worth=vp, chance_loss=risk, gained_vp=_gained_vp(game, played),
        spoils=[_purchase(game, now.before, now.choice, risk) for now in spoils],
        readings=_readings_of(game, played, outcome), destroyed_foreign=[card for card, _ in state.foreign],
        idle=[*idle, *idle_cards(game, played, outcome, words)], proven=proven, **_tell_turn(game, played, words),
    )  # fmt: skip


def tell_no_battle(game: Game, played: Played, words: Language, barring: Iterable[ResultStep]) -> dict[str, Any]:
    """A turn without a battle (R4.6, R4.8), as fields of a :class:`Resolution`; ``barring`` bars each target."""
    told, state = _tell_turn(game, played, words), played[-1].after
    if not state.ended:
        if any(foe.card == UNKNOWN for foe in played[-1].before.hall):  # as the player found it
            told["steps"].append(ResultStep(text=words.say("event.no-battle.unknown"), part="after", rules=["R4.8"]))
        told["steps"] += [replace(step, part="after") for step in barring]
    readings = {rule for now in played for event in now.events if event.key == "no-battle" for rule in event.rules}
    readings |= {"R7.1"} if stone_readings(game, played) else set()
    return {"readings": sorted(readings), **told}


def _tell_turn(game: Game, played: Played, words: Language) -> dict[str, Any]:
    # the line, and how the turn ended, with a battle or without
    writer = LineWriter()
    steps: list[ResultStep] = []
    shorts: list[tuple[int, str]] = []
    part: Part = "prepare"
    players = [words.say("resolve.player", n=seat + 1) for seat in range(game.players)]
    back: list[ResultStep] = []  # who goes back once the spoils are used (R6.4)
    for before, choice, state, happened in played:
        steps += _right_declined(game, before, choice, part, words)
        labels, written = LineTexts(words, game, before, players), len(writer.steps)
        writer.add(before, choice)
        if len(writer.steps) > written:
            shorts.append((len(steps), labels.short(choice)))
        elif isinstance(choice, Answer) and choice != DECLINE:
            place, short = shorts.pop()
            shorts.append((place, labels.with_answer(short, choice)))
        _note_others(writer, state, happened)
        for event in happened:
            if event.key in ("victory", "defeat") and state.outcome is not None:
                steps += sum_steps(state.outcome, words)
            part, text = BEGUN_BY.get(event.key, part), tell_event(event, words)
            if event.key == "bought" and (risk := _chance_loss(game, played)) is not None:
                right, price = _purchase(game, before, choice, risk), game.cards[event.card].cost
                if right.perhaps or price > right.gold_least:
                    text += " " + words.say("event.bought-perhaps", card=words.card(risk.card))
            step = ResultStep(text=text, part=part, rules=list(event.rules), card=event.card or None)
            if event.key == "returned":
                back.append(step)
                continue
            if "R6.6" in event.rules:
                steps, back = steps + back, []
            steps.append(step)
    steps += back
    for place, short in shorts:
        steps[place] = replace(steps[place], short=short.replace("→", "->"))
    state, events = played[-1].after, [event for now in played for event in now.events]
    return {
        "destroyed": [card for card, _ in state.destroyed],
        "gained": list(state.gained),
        "discarded": [card for card, _ in state.discarded],
        "line": writer.steps,
        "steps": steps,
        "unknown_draws": state.unknown_draws,
        "hall_after": [foe.card if is_known(foe) else None for foe in state.hall],
        "empty_after": [rank for rank, foe in enumerate(state.hall, 1) if foe.card == EMPTY],
        "rank0_after": [foe.card for foe in state.rank0],
        "caged": [card for card, _ in state.caged],
        "lost": [event.card for event in events if event.key == "monster-escapes"],
        "unknown": sorted({event.card for event in events if _is_unknown(event)}),
        "game_ends": state.ended,
    }


def _is_unknown(event: Event) -> bool:
    return event.key in HIDDEN or ("R4.11" in event.rules and event.key != "used")


def _note_others(writer: LineWriter, state: Position, happened: Iterable[Event]) -> None:
    # the step names what was assumed of the other players, so that the line can be played again
    if state.table is None or not writer.steps or "use" not in writer.steps[-1] or state.phase != "prepare":
        return
    chosen = {dict(event.params)["seat"]: event.card for event in happened if event.key == "assumed"}
    gave = {(dict(e.params)["seat"], e.card, dict(e.params)["by_card"]) for e in happened if e.key in GIVEN_UP}
    chosen |= {seat: card for seat, card, source in state.table.wills if (seat, card, source) in gave}
    if chosen:
        writer.steps[-1]["others"] = [chosen.get(seat) for seat in state.table.others()]


def _right_declined(game: Game, state: Position, choice: Choice, part: Part, words: Language) -> list[ResultStep]:
    # no goal needs what the right could still do, but it costs nothing
    task = state.todo[0] if state.todo and choice == DECLINE else None
    if task is None or task.name not in RIGHTS:
        return []
    there = [other for other in legal_actions(game, state) if isinstance(other, Rank | Theirs)]
    cards = [state.hall[one.value - 1].card if isinstance(one, Rank) else one.value[1] for one in there]
    if not cards:
        return []
    named = words.listed(dict.fromkeys(cards), "or")
    text = words.say(f"right.{RIGHTS[task.name]}", card=words.card(task.source[0]), cards=named)
    return [ResultStep(text=text, part=part, rules=["R6.5"], card=task.source[0])]


def worth_of(game: Game, state: Position, monster: str) -> int:
    """The VP of the monster for the player who beats it now, their known cards counted (R7.2)."""
    return worth(game.cards, monster, _owned(game, state))


def _owned(game: Game, state: Position) -> tuple[str, ...]:
    mine = (*(slot.card for slot in all_slots(state)), *state.deck, *(state.pool or ()), *state.discard_pile)
    return (*mine, *game.hordes)


def _gained_vp(game: Game, played: Played) -> int:
    """What all that is gained adds to the player's score: a Horde card raises those owned, too (R7.2)."""
    before = _owned(game, played[0].before)
    return points(holdings(game.cards, (*before, *played[-1].after.gained))) - points(holdings(game.cards, before))


def _chance_loss(game: Game, played: Played) -> ChanceLoss | None:
    for now in played:
        for event in now.events:
            if event.key.startswith("random-loss"):
                (operation,) = [op for op in game.cards[event.card].battle if isinstance(op, DestroyRandom)]
                cards = [slot.face for slot in at_risk(game, now.after, operation)]
                return ChanceLoss(card=event.card, certain=event.key == "random-loss", cards=cards)
    return None


def _purchase(game: Game, state: Position, choice: Choice, risk: ChanceLoss | None) -> Purchase:
    task, bought = state.todo[0], choice.value if isinstance(choice, choices.Named) else None
    counted = [GoldFrom(card=card, gold=amount) for card, amount in gold_from(game, state)]
    gold = sum(each.gold for each in counted)
    least = gold - max((game.cards[card].gold or 0 for card in risk.cards), default=0) if risk else gold
    options = list(buys(game.cards, task.data.buys, gold, on_offer(game, state)))
    certain = [card for card in options if game.cards[card].cost <= least]
    return Purchase(
        card=task.source[0], buys=list(task.data.buys), gold=gold, gold_least=least, gold_from=counted,
        options=certain, options_perhaps=[card for card in options if card not in certain],
        perhaps=risk is not None and task.source[0] in risk.cards, bought=bought,
    )  # fmt: skip


def sum_steps(outcome: Totals, words: Language) -> list[ResultStep]:
    """The sum of a battle: every term, the totals, what was taken off (R5.7 to R5.14)."""
    steps = [_term_step(term, words) for term in outcome.terms]
    shines = any(term.key == "penalty" for term in outcome.reductions)
    for stat, rule, told in (("attack", "R5.7", True), ("magic", "R5.7", True), ("light", "R5.11", shines)):
        numbers = [n for term in outcome.terms if (n := getattr(term, stat))]
        if told and len(numbers) > 1:
            parts = [str(numbers[0]), *map(_sign, numbers[1:]), f"= {getattr(outcome, stat)}"]  # 2 + 4 − 1 = 5
            total = " ".join(parts).replace("-", MINUS)
            name = words.say("stat.magic_attack" if stat == "magic" else f"stat.{stat}")
            steps.append(ResultStep(text=words.say("term.subtotal", stat=name, sum=total), rules=[rule]))
    for term in outcome.reductions:
        steps.append(_term_step(replace(term, attack=0), words, total=term.attack))
    place = next(n for n, term in enumerate(outcome.reductions) if "penalty" in term.key)
    signs = [f" {_sign(term.attack)}" if term.attack else "" for term in outcome.reductions]
    text = words.say(
        "term.total", total=outcome.total, health=outcome.health, attack=outcome.attack, magic=outcome.magic,
        penalty=2 * outcome.light_penalty, before="".join(signs[:place]), changes="".join(signs[place + 1 :]),
    )  # fmt: skip
    steps.append(ResultStep(text=text, rules=["R5.12", "R5.14"]))
    return steps


def _term_step(term: Term, words: Language, total: int = 0, copy: int = 1) -> ResultStep:
    params = fields_of(term.params, words)
    key = term.key
    if key == "bonus" and dict(term.params).get("from_card") == term.card:
        key = "own-bonus" if "per" not in params else f"per.{params['per']}"
    if key in ("only-magic", "immune.magic") and not (term.attack or term.magic):
        key += ".none"
    if key.startswith("penalty"):
        fixed = f" = {params['penalty']}" if key == "penalty-fixed" else ""
        params["own"] = f" + {params['own']} ({words.card(term.card)}){fixed}" if params["own"] else ""
        if key == "penalty" and not params["penalty"]:
            key += ".none"
    numbers: dict[str, Any] = {"attack": term.attack, "magic_attack": term.magic, "light": term.light}
    parts = [words.say(f"figure.{name}", n=n) for name, n in numbers.items() if n]
    card, figures = words.card(term.card, copy) if term.card else "", ", ".join(parts) or words.say("figure.nothing")
    text = capital(words.say(f"term.{key}", card=card, figures=figures, total=total, **params))
    return ResultStep(text=text, rules=list(term.rules), card=term.card or None, **numbers, total=total)


def capital(sentence: str) -> str:
    """The sentence with a capital letter, as it may begin with "the second Militia"."""
    return sentence[:1].upper() + sentence[1:]


def tell_event(event: Event, words: Language, names: Sequence[str] = (), before: Position | None = None) -> str:
    """An event in words; copies after the first are numbered, in a log (``before``) as in a list of choices."""
    params = dict(event.params)
    for key, card in (("copy", event.card), ("hero_copy", str(params.get("hero_card")))):
        if before is not None and key in params and params[key] > 1:
            alike = card_name(words, before, (card, params[key])) == words.card(card, params[key])
            params[key] = params[key] if alike else 1
    name = words.card(event.card, params.get("copy", 1)) if event.card else ""
    if event.key == "gained":
        name = words.listed([event.card] * params["n"])
    text = words.text(f"card.{params.get('face', event.card)}.{params.get('effect', 'battle')}") or ""
    fields = {"card": name, "text": text, **fields_of(params.items(), words)}
    if names and "seat" in params:
        fields["player"] = names[params["seat"]]
    own = f"log.{event.key}" if before is not None else ""
    return capital(words.say(own if own and words.has(own) else f"event.{event.key}", **fields))


def fields_of(params: Iterable[tuple[str, Any]], words: Language) -> dict[str, Any]:
    """The fields of a message: values that are card ids become names."""
    found, given = dict[str, Any](), dict(params)
    for name, value in given.items():
        if name.endswith("_card") or name in ("a", "b", "c"):
            copy = given.get("hero_copy", 1) if name == "hero_card" else 1  # which of several equal heroes is meant
            found[name] = words.card(value, copy) if value and value != "?" else "—"
        elif name == "seat":
            found["player"] = words.say("resolve.player", n=value + 1)
        elif name in ("gifts", "changes"):
            found["strength" if name == "gifts" else "health"] = _sum_with_reasons(words, found["base"], value)
        elif name == "counted":
            found["sum"] = f"{' + '.join(map(str, value))} = " if len(value) > 1 else ""
        else:
            found[name] = value
    return found


def _sum_with_reasons(words: Language, base: int, gifts: Iterable[tuple[str, int]]) -> str:
    """A sum: ``4 + 2 (Iron Rations) − 2 (Suffering) = 4``; a term without a card is Health lost this turn."""
    named = [(words.card(card) if card else words.say("term.needed.lost"), n) for card, n in gifts]
    parts = [f"{_sign(n)} ({name})" for name, n in named]
    if not parts:
        return str(base)
    return f"{base} {' '.join(parts)} = {base + sum(n for _, n in gifts)}".replace("= -", f"= {MINUS}")


def _sign(n: int) -> str:
    return f"{'+' if n > 0 else MINUS} {abs(n)}"


def _readings_of(game: Game, played: Played, outcome: Totals) -> list[str]:
    """The readings at work in a battle, in order of the rules, even if the other would change nothing."""
    state, events = played[-1].after, [event for now in played for event in now.events]
    keys = {event.key for event in events}
    terms = {term.key for term in (*outcome.terms, *outcome.reductions)}
    foe = None if state.battle is None else game.cards[state.battle.foe.card]
    holders = {"equipped": "hero_card", "conjured": "hero_card", "borrowed": "by_card"}
    armed = {dict(event.params).get(holders[event.key]) for event in events if event.key in holders}
    weakened = bool(keys & {"weaken", "stopped"}) or any(key.startswith("loses.") for key in keys)
    ill = game.ruleset == "print" and keys & {"disease.attack", "disease.magic_attack", "disease-void"}
    fallen = {rule for event in events if event.key.startswith("fallen") for rule in event.rules}
    gone = (card for card, _ in (*state.destroyed, *state.discarded))
    passive = [op for card in {*(slot.face for slot in state.hand), *gone} for op in game.cards[card].passive]
    halves = foe is not None and any(isinstance(t, Halve) and t.what == "magic_attack" for t in foe.traits)
    rearmed = any(s.flags & DISARMED and s.weapons and not game.cards[s.face].many_weapons for s in state.hand)
    bars = foe is not None and any(isinstance(t, Barred) and t.when == "weapon-equipped" for t in foe.traits)
    at_work = {
        "R4.2": any(asks_what_was_used(game, now.before, now.choice) for now in played),
        "R5.1": bars and bool(state.benefits & WEAPON_USED),
        "R5.3": rearmed,
        "R5.4": any(term.key.startswith("idle.") and term.card in armed for term in outcome.terms),
        "R5.6": ill and (weakened or terms & BEFORE_AND_AFTER),
        "R5.7": armed and foe is not None and any(op.op == "lose-attack" for op in foe.battle),
        "R5.8": "convert" in terms,
        "R5.8b": "count-magic" in terms,
        "R5.9": outcome.magic < 0 and (halves or any(op.op == "double" for op in passive)),
        "R5.13": outcome.light_penalty and any(term.key.startswith("halve.") for term in outcome.reductions),
        "R6.3": bool(fallen),
        "R6.4": "R6.4" in fallen,
        "R7.1": bool(stone_readings(game, played)),
    }
    return [rule for rule, works in at_work.items() if works]


def stone_readings(game: Game, played: Played) -> set[str]:
    """The names of the open questions of R7.1 at work as the game ended: help in it, a trap of that refill."""
    state, keys = played[-1].after, {event.key for now in played for event in now.events}
    coming = [game.cards[card].kind for card in state.dungeon[: state.hall[1:].count(NOBODY)] if card != UNKNOWN]
    trap = "trap" in (keys if STONE_AT_SHIFT in game.readings else coming)
    return {STONE_WITH_HELP} & keys | ({STONE_AT_SHIFT} if state.ended and trap else set())


_TOLD = frozenset(("unequipped", "unequipped.weak", "unequipped.armed", "out-of-rank", "forgone"))
"""Terms that say why a card gives nothing."""
_RULES = {"light": "R5.11", "light-useless": "R5.11", "nothing": "R4.1", "unused": "R4.1", "unneeded": "R4.1"}
"""Reason that no term tells -> its rule; the sentences are the messages ``idle.<reason>``."""
_SHORT = 60
"""Letters of the text of an effect that fit behind the card that is not used; chosen for one line of a page."""


def idle_terms(outcome: Totals) -> Iterator[tuple[Term, int]]:
    """Each term of a card that gives nothing, once for equal ones, and the copy: the second if another gives something.

    A card that gives something else, as a weapon that also shines, is not idle.
    """
    giving = _giving(outcome)
    for term in dict.fromkeys(term for term in outcome.terms if term.key in _TOLD):
        if term.key != "out-of-rank" or term.card not in giving:
            yield term, 2 if term.card in giving else 1


def idle_cards(game: Game, played: Played, outcome: Totals, words: Language) -> Iterator[ResultStep]:
    """The other cards of the hand that give nothing, a sentence for each reason, or for each card that is not used."""
    before = next(now.before for now in played if isinstance(now.choice, Attack))
    named = {term.card for term in (*outcome.terms, *outcome.reductions) if term.key != "figures"}
    hand = [slot for slot in all_slots(before) if slot.card not in named and not (slot.used or slot.weapons)]
    lights = Counter(term.card for term in outcome.terms if term.light > 0 and not (term.attack or term.magic))
    groups: dict[str, list[str]] = {reason: [] for reason in _RULES}
    giving, surplus = _giving(outcome), _surplus(outcome)
    useless = any(term.key == "penalty-fixed" for term in outcome.reductions)
    for slot in hand:
        if slot.card in lights and not (useless or game.cards[slot.face].dungeon):
            light = game.cards[slot.face].light
            groups["light"] += [slot.card] if 0 < light <= surplus else []
            surplus -= light if 0 < light <= surplus else 0
        elif slot.card in lights and useless:
            groups["light-useless"].append(slot.card)
        elif slot.card not in giving and (reason := _reason(game, slot)):
            groups["unneeded" if outcome.victory and reason == "unused" else reason].append(slot.card)
    unused = Counter(groups.pop("unused"))
    lines = [(reason, cards, "") for reason, cards in groups.items() if cards]
    lines += [("unused", [card] * n, _effect_text(game, card, words)) for card, n in unused.items()]
    for reason, cards, told in lines:
        text = words.say(f"idle.{reason}{'.text' if told else ''}", cards=words.listed(cards), text=told)
        yield ResultStep(text=text, rules=[_RULES[reason]], card=cards[0] if len({*cards}) == 1 else None)


def _giving(outcome: Totals) -> Collection[str]:
    """The cards that give something, or take it, or let another card do so."""
    terms = [term for term in outcome.terms if term.attack or term.magic or term.light]
    return {term.card for term in terms} | {str(dict(term.params).get("from_card")) for term in terms}


def _surplus(outcome: Totals) -> int:
    """The Light that is not needed: in rank 0 and where a card makes every penalty 0, all of it."""
    numbers = next((dict(term.params) for term in outcome.reductions if term.key == "penalty"), None)
    return outcome.light if numbers is None else outcome.light - numbers["rank"] - numbers["own"]


def _effect_text(game: Game, card: str, words: Language) -> str:
    """What the only effect of a card does, if a few words are enough; else nothing."""
    effects = game.cards[card].dungeon
    text = (words.text(f"card.{card}.{effects[0].id}") or "") if len(effects) == 1 else ""
    return text.rstrip(".") if len(text) <= _SHORT else ""


def _reason(game: Game, slot: Slot) -> str | None:
    """Why a card of which the sum says nothing gives nothing; None for what the steps of the battle tell."""
    spec = game.cards[slot.face]
    if spec.kind == "disease" or spec.is_hero or spec.is_weapon:
        return None
    return "unused" if spec.dungeon else None if spec.passive else "nothing"


_MISSING = {"R5.3", "R5.4"}


def sum_line(target: TargetResult, words: Language) -> str:
    """The numbers of a battle in one line: what counts, what the darkness takes, the total against the Health."""
    steps = [step for step in target.steps if step.part == "sum"]
    changes, times = Counter[str](), Counter[str]()
    counted = list[ResultStep]()
    for step in steps:
        n = step.attack + step.magic_attack
        why = next((f"sum.{rule}" for rule in reversed(step.rules) if words.has(f"sum.{rule}")), None)
        why = why or ("sum.lost" if n < 0 else None)
        if why:
            changes[why] += n
            times[why] += 1
        elif n:
            counted.append(step)
    below, total = sum(step.attack + step.magic_attack for step in steps), target.total or 0
    monster = words.card(target.monster)
    parts = [_counted(counted, words) if counted else words.say("sum.nothing")]
    parts += [words.say(why, off=off, n=times[why], card=monster) for why, off in changes.items() if off]
    printed, health = words.database.cards[target.monster].health or 0, str(target.health)
    if printed != target.health:
        health = reckon([("", printed), ("", target.health - printed)])
    for step in (step for step in steps if step.total):  # in the order of the reading taken (R5.13)
        if "R5.13" in step.rules:
            half = below + step.total
            parts.append(words.say("sum.half", half=half, card=words.card(step.card or target.monster)))
        elif step.total < 0:
            parts.append(words.say("sum.penalty", penalty=target.light_penalty, off=step.total))
        else:
            parts.append(words.say("sum.floor", below=below))
        below += step.total
    if len(parts) == 1 and below == total:
        return words.say("sum.plain", sum=parts[0], health=health)
    return words.say("sum.line", sum="; ".join(parts), total=total, health=health)


def _counted(steps: Iterable[ResultStep], words: Language) -> str:
    """What each card gives in all, copies apart: ``Militia 1 + Fireball 3 + Fireball 3 = 7``."""
    given = list[tuple[str | None, int]]()
    first = ""
    for step in steps:
        n = step.attack + step.magic_attack
        if given and given[-1][0] == step.card and step.text != first:
            given[-1] = step.card, given[-1][1] + n
        else:  # another card, or a further copy, of which the same is told
            given.append((step.card, n))
            first = step.text
    return reckon([(words.card(card) if card else "", n) for card, n in given])


def reckon(numbers: Sequence[tuple[str, int]]) -> str:
    """A sum as people say it aloud, each number behind what it comes from: ``Militia 2 + Dagger 4 − 1 = 5``."""
    text = ""
    for name, n in numbers:
        sign = "" if not text else " + " if name or n > 0 else " - "
        text += sign + (f"{name} {n}" if name else str(abs(n) if sign else n))
    text += f" = {sum(n for _, n in numbers)}" if len(numbers) > 1 else ""
    return text.replace(" -", " \N{MINUS SIGN}")


def sum_reasons(target: TargetResult, words: Language) -> Iterator[ResultStep]:
    """Why Health or light penalty are not as printed, what the monster is immune to, what was given for nothing."""
    spec = words.database.cards[target.monster]
    changed = {"R5.14": target.health != spec.health, "R5.11": bool(spec.light_penalty and target.light_penalty)}
    sums = [step for step in target.steps if step.part == "sum"]
    for step in sums:
        if any(changed.get(rule) for rule in step.rules[:1]) and step.card == target.monster:
            yield replace(step, rules=[])
    missing = (step for step in sums if "R5.5" in step.rules or _gives_nothing(step))
    yield from {(step.text, *step.rules): step for step in missing}.values()


def _gives_nothing(step: ResultStep) -> bool:
    return step.part == "sum" and not (step.attack or step.magic_attack) and bool(_MISSING.intersection(step.rules))
