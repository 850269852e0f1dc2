"""How every choice is written: as a step of a game, one for each choice, and as part of a step of a plan."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import starmap, zip_longest
from typing import Any

from msgspec.structs import astuple

from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.thunderstone.rules import choices
from thunderref.thunderstone.rules.choices import Answer, Choice, Named, Order, Pick, Rank, kind_of
from thunderref.thunderstone.rules.effects.preparation import ORDERS
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_known
from thunderref.thunderstone.rules.hand import all_slots, not_in_play
from thunderref.thunderstone.rules.legal import legal_actions, why_illegal
from thunderref.thunderstone.rules.position import Position, Ref, decider, is_active

Step = dict[str, Any]
"""A choice as people and files write it; ids for cards, ``militia#2`` for the second copy."""
FindCard = Callable[[str], str]  # a name in any language -> the card's id


def write_value(value: Any) -> str:
    """Return a value of a step as a message shows it: a text as it is, all else, blank texts too, as JSON."""
    return value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False)


def copy_name(ref: Ref) -> str:
    """``militia`` for the first copy, ``militia#2`` for the second; a card of no hand (copy 0) has its bare name."""
    card, copy = ref
    return card if copy < 2 else f"{card}#{copy}"


def value_of(position: Position, answer: Answer) -> Any:
    """The value of an answer: cards and copies by name, players by number, a monster of no unique name by rank."""
    if isinstance(answer, Pick):
        return copy_name(answer.value)
    if isinstance(answer, Rank):
        cards = [foe.card for foe in position.hall]
        card = cards[answer.value - 1]
        return card if cards.count(card) == 1 else answer.value
    if isinstance(answer, Order):  # a rank only where monsters of one name differ
        there = [(place, position.hall[place]) for place in answer.value]
        unlike = [foe for _, foe in there if any(foe.card == other.card and foe != other for _, other in there)]
        return [None if not is_known(foe) else place + 1 if foe in unlike else foe.card for place, foe in there]
    if isinstance(answer, choices.Player):
        return answer.value + 1
    if isinstance(answer, choices.Theirs):
        return [answer.value[0] + 1, answer.value[1]]
    if isinstance(answer, choices.Decline | choices.Reveal):
        return True
    return list(answer.value) if isinstance(answer.value, tuple) else answer.value


def step_of(position: Position, choice: Choice) -> Step:
    """The step for a choice of a game: who decides, if not the active player, and ``for``, the card that asks."""
    step = _step(position, choice)
    return step if is_active(position) else {"player": decider(position) + 1, **step}


def _step(position: Position, choice: Choice) -> Step:
    if isinstance(choice, Answer):
        return _answer_step(position, choice)
    if isinstance(choice, choices.Turn):
        return {"turn": choice.kind}
    more: Step = {}
    if isinstance(choice, choices.Use) and choice.effect != 1:
        more = {"effect": choice.effect}
    elif isinstance(choice, choices.Equip | choices.LevelUp):
        more = {"to": copy_name(choice.hero) if isinstance(choice, choices.Equip) else choice.to}
    elif isinstance(choice, choices.Attack) and choice.rank == 0 and len(position.rank0) > 1:
        more = {"monster": position.rank0[choice.place].card}
    head, *_ = *astuple(choice), True  # what has no field is simply so
    return {kind_of(choice): copy_name(head) if isinstance(head, tuple) else head, **more}


def _answer_step(position: Position, answer: Answer) -> Step:
    task, value = position.todo[0], value_of(position, answer)
    step = battle_step(position, answer)
    if step is not None:
        return step
    asking = {"for": copy_name(task.source)} if task.source[0] else {}
    if isinstance(answer, choices.Player):  # whom an effect is about; "player" in a step is who decides
        return {"seat": value, **asking}
    if isinstance(answer, choices.Theirs):
        return {"hunt" if answer.key == "hunt" else "borrow": value[1], "seat": value[0], **asking}
    return {answer.key: value, **asking}


def battle_step(position: Position, answer: Answer) -> Step | None:
    """The step for an answer that the battle asks for (R5.2, R5.6, R5.7); None for another."""
    task, value = position.todo[0], value_of(position, answer)
    if isinstance(answer, choices.Stat):
        head = {} if answer.key == "disease" else {"battle": "lose", "hero": copy_name(task.source)}
        return {**head, answer.key: value}
    if answer.key == "pick":
        return {"battle": "cannot-attack" if task.name == "battle:stop-hero" else "destroy", "pick": value}
    return None


def ref_of(position: Position, text: Any, find: FindCard, rule: str = "") -> Ref:
    """The copy that a name means: ``#n`` names one, a bare name the first copy still in play.

    IllegalStepError if no such copy is in play, with ``rule`` as :func:`not_in_play`; InputError for a bad number.
    """
    name, _, number = str(text).partition("#")
    card, number = find(name.strip()), number.strip()
    copies = [slot.copy for slot in all_slots(position) if slot.card == card]
    if number and not number.isdecimal():
        raise InputError("bad-copy", name=str(text))
    gone = [copy for name, copy in (*position.destroyed, *position.discarded, *position.caged) if name == card]
    copy = int(number) if number else min(copies or gone, default=1)
    if copy not in copies:
        raise not_in_play(position, (card, copy), rule)
    return card, copy


def read_choice(position: Position, step: Step, find: FindCard, number: int = 1) -> Choice:
    """The choice, legal or not, of a step that begins something: ``turn``, ``use``, ``equip``, ``attack``...

    InputError for a malformed value, IllegalStepError for a card that is not in play.
    """
    if "use" in step:
        return choices.Use(ref_of(position, step["use"], find), int(step.get("effect", 1)))
    if "equip" in step:
        return choices.Equip(ref_of(position, step["equip"], find), ref_of(position, step["to"], find))
    if "forgo" in step:
        return choices.Forgo(ref_of(position, step["forgo"], find))
    if "attack" in step:
        return _read_attack(position, step, find)
    if "buy" in step:
        return choices.Buy(find(str(step["buy"])))
    if "level_up" in step:
        return choices.LevelUp(ref_of(position, step["level_up"], find, "R3.5"), find(str(step["to"])))
    if "turn" in step:
        return choices.Turn(str(step["turn"]))
    for simple in (choices.LEAVE, choices.COUNT, choices.END):
        if kind_of(simple) in step:
            return simple
    raise InputError("bad-step", step=number, found=", ".join(step) or "-", known=", ".join(HEADS))


HEADS = ("turn", "use", "equip", "forgo", "attack", "leave", "count", "buy", "level_up", "end")


def _read_attack(position: Position, step: Step, find: FindCard) -> choices.Attack:
    rank = step["attack"]
    if not isinstance(rank, int) or isinstance(rank, bool) or not 0 <= rank <= 3:
        raise InputError("bad-rank", rank=write_value(rank))
    if "monster" not in step:
        return choices.Attack(rank)
    card = find(str(step["monster"]))
    there = position.hall[rank - 1 : rank] if rank else position.rank0
    places = [place for place, foe in enumerate(there) if foe.card == card]
    if not places:
        raise IllegalStepError("no-target", rule="R5.1", rank=rank, why="other", card=card)
    return choices.Attack(rank, places[0])


def means(position: Position, answer: Answer, value: Any, find: FindCard, *, any_copy: bool = False) -> bool:
    """True if a value of a step means this answer; with ``any_copy`` a bare name means any copy, not only the first.

    IllegalStepError for a copy that is not in play, and whatever ``find`` raises.
    """
    if isinstance(answer, Rank):
        return answer.value == value if isinstance(value, int) else answer.value in ranks_of(position, value, find)
    if isinstance(answer, Order):
        return isinstance(value, list) and _is_order(position, answer.value, value, find)
    if isinstance(answer, choices.Stat):
        return bool(answer.value == value)
    if isinstance(answer, choices.Theirs):
        fits = isinstance(value, list) and len(value) == 2 and value[0] == answer.value[0] + 1
        return fits and find(str(value[1])) == answer.value[1]
    if isinstance(answer, choices.Several):
        cards = [find(str(card)) for card in (value if isinstance(value, list) else [value])]
        return tuple(cards if answer.key == "top" else sorted(cards)) == answer.value
    if isinstance(answer, Named):
        return find(str(value)) == answer.value
    if not isinstance(answer, Pick) or value is None:
        return False
    name, _, number = str(value).partition("#")
    if answer.key == "borrow":  # it lies on the discard pile
        return answer.value == (find(name), int(number) if number.isdecimal() else answer.value[1])
    if any_copy and not number:
        return answer.value[0] == ref_of(position, value, find)[0]
    return answer.value == ref_of(position, value, find)


def ranks_of(position: Position, name: Any, find: FindCard) -> list[int]:
    """The ranks of the monsters of that name, of the n-th from rank 1 if it says ``#n``."""
    name, _, number = str(name).partition("#")
    card = find(name.strip())
    ranks = [rank for rank, foe in enumerate(position.hall, 1) if foe.card == card]
    return [rank for n, rank in enumerate(ranks, 1) if number.strip() in ("", str(n))]


def _is_order(position: Position, order: tuple[int, ...], names: list[Any], find: FindCard) -> bool:
    """True if the order puts these monsters, by name or by the rank they have now, at the ranks from 1 on.

    None, or nothing at the end, is an empty rank or an unknown card. Monsters alike may stand in for each other.
    """
    hall = position.hall

    def stands_at(place: int, name: Any) -> bool:
        if isinstance(name, int) and not isinstance(name, bool):
            return bool(name == place + 1)
        return place + 1 in ranks_of(position, name, find) if name else not is_known(hall[place])

    alike = [one for one in ORDERS if all(hall[place] == hall[its] for place, its in zip(one, order, strict=True))]
    return len(names) <= len(order) and any(all(starmap(stands_at, zip_longest(one, names))) for one in alike)


def choice_of(game: Game, position: Position, step: Step) -> Choice:
    """The legal choice of a game that a step describes; raises what :func:`refusal` gives.

    Where no copy of that number is in play any will do: games saved by earlier versions numbered a card drawn again as
    another copy (R2.4).
    """
    in_play = {copy_name(slot.ref) for slot in all_slots(position)}
    gone = [key for key, value in step.items() if isinstance(value, str) and "#" in value and value not in in_play]
    for pattern in (step, _without_numbers(step, gone)):
        for choice in legal_actions(game, position):
            legal_step = step_of(position, choice)
            if (legal_step if pattern is step else _without_numbers(legal_step, gone)) == pattern:
                return choice
    raise refusal(game, position, pattern)


def _without_numbers(step: Step, keys: Sequence[str]) -> Step:
    return step | {key: str(step[key]).partition("#")[0] for key in keys if key in step}


ANSWER_KEYS = (  # by which an answer is known
    "battle", "disease", "destroy", "discard", "on", "bottom", "order", "take", "borrow", "draw", "to", "militia",
    "copy", "recruit", "top", "show", "hero", "alone", "hunt", "seat", "reveal", "decline",
)  # fmt: skip


def refusal(game: Game, position: Position, step: Step) -> ThunderrefError:
    """The reason why a step that is not written like any legal choice cannot be taken."""
    keys = (*HEADS, "shuffle", *ANSWER_KEYS)
    kind = next((key for key in keys if key in step), None)
    if kind is None:
        return InputError("bad-step", found=", ".join(map(str, step)) or "-", known=", ".join(keys))
    text = ", ".join(f"{key}: {value}" for key, value in step.items())[:60]

    def card_id(name: str) -> str:
        if name not in game.cards:
            raise IllegalStepError("play-illegal", rule="R4.1", found=name[:60])
        return name

    try:
        choice = read_choice(position, step, card_id) if kind in HEADS else Named(kind, str(step[kind]))
        problem = why_illegal(game, position, choice)
    except ThunderrefError as error:
        return error
    except (KeyError, IndexError, TypeError, ValueError):
        problem = None
    if problem is not None and problem.code not in ("illegal-action", "illegal-choice"):
        return problem
    return IllegalStepError("play-illegal", rule="R2.1" if problem is None else problem.rule, found=text)


def shuffle_step(seat: int, pile: str, order: Sequence[str]) -> Step:
    """The step for a shuffle: whose cards, which, and their new order, top first."""
    return {"shuffle": pile, "player": seat + 1, "order": list(order)}
