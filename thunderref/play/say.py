"""A game in words: choices short enough for a numbered list, what happened, what lies on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from thunderref.engine.hand import revealed, slots
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Ref, Slot, State, Table
from thunderref.engine.values import replace
from thunderref.engine.visit import Visit
from thunderref.explain.terms import Event
from thunderref.play.course import Move
from thunderref.solve.tell import fields_of, sum_steps
from thunderref.words.words import Words

GROUPS = {
    "village": "turn", "dungeon": "turn", "rest": "turn", "penalty": "turn", "use": "use", "equip": "equip",
    "attack": "attack", "buy": "buy", "level_up": "level_up", "forgo": "forgo", "choose": "choose", "leave": "go-on",
    "count": "go-on", "end": "go-on",
}  # fmt: skip
"""Kind of action -> the group it is listed in; groups are listed in this order."""
_SAID_ALREADY = frozenset(("turn.village", "turn.dungeon", "turn.rest"))
"""What the name of the action has told."""
_OTHERS = frozenset(("opponents-discard", "opponents-destroy"))
"""What is no use saying where there are no others."""
LONGEST_TEXT = 60
"""Letters of an ability's text that fit into a list of choices."""


class Option(NamedTuple):
    """One line of the numbered list: a group, what it is called, what it does."""

    group: str
    label: str
    action: Action


class Told(NamedTuple):
    """One thing that happened, with the rules it rests on."""

    text: str
    rules: tuple[str, ...] = ()


def options_of(words: Words, table: Table, game: Game, actions: Sequence[Action], names: Sequence[str]) -> list[Option]:
    """The choices as a player sees them: grouped, and of those that read alike only one."""
    order = list(dict.fromkeys(GROUPS.values()))
    found: dict[tuple[str, str], Option] = {}
    for action in actions:
        group = GROUPS[action.kind]
        label = label_of(words, table, game, action, names)
        found.setdefault((group, label), Option(group, label, action))
    return sorted(found.values(), key=lambda option: order.index(option.group))


def heading(words: Words, game: Game, group: str) -> str:
    """The heading of a group; for a choice in mid-effect it names the card that asks."""
    if group == "choose" and game.state.todo and game.state.todo[0].source[0]:
        return words.say("play.group.choose-for", card=words.card(game.state.todo[0].source[0]))
    return words.say("play.group.rest" if group == "choose" and game.phase == "rest" else f"play.group.{group}")


def said(words: Words, table: Table, game: Game, action: Action, names: Sequence[str]) -> str:
    """An action on its own, as a log tells it: the group and what it is called."""
    own = f"log.do.{action.kind}"
    if words.has(own):
        return words.say(own)
    group, label = GROUPS[action.kind], label_of(words, table, game, action, names)
    if group in ("turn", "go-on") or (group == "choose" and not game.state.todo[0].source[0]):
        return label
    if group == "choose":
        return f"{words.card(game.state.todo[0].source[0])}: {label}"
    return f"{words.say(f'log.group.{group}')}: {label}"


def label_of(words: Words, table: Table, game: Game, action: Action, names: Sequence[str]) -> str:
    """What an action is called in the list of choices."""
    kind, state = action.kind, game.state
    if kind == "choose":
        return choice_label(words, table, state, action, names)
    if kind == "use":
        return _use_label(words, table, game, action)
    if kind == "equip":
        return words.say("play.equip", card=card_name(words, state, action.a), hero=card_name(words, state, action.b))
    if kind == "forgo":
        return words.say("play.forgo", card=card_name(words, state, action.a))
    if kind == "attack":
        foe = state.rank0[action.b] if action.a == 0 else state.hall[action.a - 1]
        return words.say("play.attack", card=words.card(foe.card), rank=action.a)
    if kind == "buy":
        return words.say("play.buy", card=words.card(action.a), cost=table.book[action.a].cost)
    if kind == "level_up":
        cost = table.book[action.a[0]].level_cost or 0
        return words.say("play.level_up", card=words.card(action.a[0]), to=words.card(action.b), xp=cost)
    return words.say(f"play.do.{kind}")


def _use_label(words: Words, table: Table, game: Game, action: Action) -> str:
    slot = next(slot for slot in revealed(game.state) if slot.ref == action.a)
    name = card_name(words, game.state, action.a)
    if action.b == 0:
        return words.say("play.gift", card=name)
    spec = table.book[slot.face]
    abilities = spec.village if isinstance(game.turn, Visit) else spec.dungeon
    ability = next(a for a in abilities if a.number == action.b)
    text = words.text(f"card.{slot.face}.{ability.id}") or ""
    if not text or (len(abilities) == 1 and len(text) > LONGEST_TEXT):
        return words.say("play.use", card=name)
    return words.say("play.use-text", card=name, text=text.rstrip("."))


def choice_label(words: Words, table: Table, state: State, action: Action, names: Sequence[str]) -> str:
    """What a choice in mid-effect is called."""
    key, value = action.a, action.b
    if key in ("bottom", "take") and isinstance(value, int):
        return words.say(f"play.choose.{key}", card=words.card(state.hall[value - 1].card), rank=value)
    if key == "order":
        cards = [words.card(state.hall[place].card) if state.hall[place].card else "—" for place in value]
        return words.say("play.choose.order", cards=", ".join(cards))
    if key == "player":
        return names[int(value)]
    if key == "borrow-from":
        return words.say("play.choose.borrow-from", card=words.card(value[1]), player=names[value[0]])
    if key == "reveal":
        return words.say("play.choose.reveal")
    if key == "hunt":
        return words.say("play.choose.hunt", card=words.card(value[-1]))
    if key in ("disease", "from"):
        return words.say(f"play.choose.{key}.{value}")
    if key == "buy":
        return words.say("play.buy", card=words.card(value), cost=table.book[value].cost)
    if key == "decline" and not state.todo[0].source[0]:  # a rest (R2.3)
        return words.say("play.choose.keep")
    if key == "pick":  # what a battle effect does to the card (R5.2), as the step of the choice says it too
        what = "stop" if state.todo[0].name == "battle:stop-hero" else "destroy"
        return words.say(f"play.choose.{what}", card=_names(words, state, value))
    if value in (None, True, (), ""):
        return words.say("play.choose.decline" if key == "decline" else "play.choose.nothing")
    return words.say(f"play.choose.{key}", card=_names(words, state, value))


def _names(words: Words, state: State, value: Any) -> str:
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], int) and isinstance(value[0], str):
        return card_name(words, state, value)
    if isinstance(value, tuple):
        return ", ".join(_names(words, state, part) for part in value)
    return words.card(value) if isinstance(value, str) else str(value)


def card_name(words: Words, state: State, ref: Ref) -> str:
    """The card's name; copies of it that differ are told apart by what they hold, or by a number."""
    name = words.card(ref[0])
    if not _differ(state, ref[0]):
        return name
    slot = next((slot for slot, _ in slots(state) if slot.ref == ref), None)
    if slot is not None and slot.weapons:
        return words.say("play.armed", card=name, weapons=", ".join(words.card(w.card) for w in slot.weapons))
    return f"{name} #{ref[1]}" if slot is not None and _bare(slot) != Slot(slot.card, 0) else name


def _differ(state: State, card: str) -> bool:
    """True if some copies of the card are not like the others: used, fed, armed, held by one hero or another."""
    found = [(_bare(slot), holder.ref if holder else None) for slot, holder in slots(state) if slot.card == card]
    return len({*found}) > 1


def _bare(slot: Slot) -> Slot:
    """The slot without the numbers of the copies."""
    return replace(slot, copy=0, weapons=tuple(_bare(weapon) for weapon in slot.weapons))


# what happened


def told(words: Words, move: Move, names: Sequence[str]) -> Iterator[Told]:
    """What a move brought about; a battle with its whole sum, as ``resolve`` tells it."""
    for event in move.events:
        if event.key in ("victory", "defeat"):
            yield from (Told(step.text, tuple(step.rules)) for step in sum_steps(dict(event.params)["outcome"], words))
        if event.key == "drawn" and not dict(event.params).get("by_card"):
            continue  # the hand for the next turn is its owner's secret
        if event.key in _SAID_ALREADY or (event.key in _OTHERS and len(names) < 2):
            continue
        yield Told(event_text(words, event, names, move.before.state), event.rules)


def event_text(words: Words, event: Event, names: Sequence[str], before: State) -> str:
    """The sentence of an event as a log tells it, what was done and not what to do; a seat becomes a player's name.

    ``before`` is the state the choice was made in: a copy has a number where it had one in the list of choices.
    """
    params = dict(event.params)
    for key, card in (("copy", event.card), ("hero_copy", str(params.get("hero_card")))):
        if key in params and not card_name(words, before, (card, params[key])).endswith(f"#{params[key]}"):
            params[key] = 1
    copy = params.get("copy", 1)
    name = words.card(event.card) if event.card else ""
    fields: dict[str, Any] = {
        "card": name if copy in (0, 1) else f"{name} #{copy}",
        **fields_of(params.items(), words),
    }
    if "seat" in params:
        fields["player"] = names[params["seat"]]
    if "effect" in params:
        fields["text"] = words.text(f"card.{params.get('face', event.card)}.{params['effect']}") or ""
    own = f"log.{event.key}"
    return words.say(own if words.has(own) else f"event.{event.key}", **fields)
