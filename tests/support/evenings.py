"""Evenings for the tests: a game that is played, told to an evening turn by turn, and followed by the oracle.

What an evening cannot know it is told as a table tells it: what other players had to choose or lost, and what chance
did, are corrections; all else has to follow from the turns alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from support.oracle.facts import CARDS
from support.oracle.game import WholeGame
from support.random_games import STORE, game
from thunderref.thunderstone.rules.turns import result
from thunderref.thunderstone.table.evening import Evening, read_evening
from thunderref.thunderstone.table.record import GameRecord, Move, begin_game, layout_of

NAMES = ("Ann", "Bob", "Cy", "Di", "Ed")
Tell = Callable[[str, dict[str, Any]], str]
"""Tells the evening one event (what was done, and its fields); "" or why it was refused."""
BOTS = ("greedy", "greedy", "dearest", "")


class Told(NamedTuple):
    """A turn as a table tells it."""

    kind: str
    hand: list[str]
    fields: dict[str, Any]
    toll: list[str]
    is_open: bool
    """True if others chose or lost something in it, or chance did what nobody foresees."""


def begun(number: int) -> GameRecord:
    """The game of that number, by the printed rules, between bots and careless players."""
    options = dict(game(number).options) | {"ruleset": "print"}
    seats = options.pop("players")
    from thunderref.thunderstone.table.record import SavedPlayer

    players = [
        SavedPlayer(name=name, random=True, bot=BOTS[(number + place) % len(BOTS)])
        for place, (name, _) in enumerate(zip(NAMES, seats, strict=False))
    ]
    return begin_game(STORE, players, seed=number, **options)


def play_turn(record: GameRecord) -> Told:
    """Plays one turn, and tells it."""
    (*_,) = record.settle()
    turn, before, first = record.turn, record.position, len(record.moves)
    while record.turn == turn and not record.over:
        record.take(record.draw()[0])
        (*_,) = record.settle()
    moves = record.moves[first:]
    kinds = [str(move.step["turn"]) for move in moves if "turn" in move.step]
    kind = next((kind for kind in reversed(kinds) if kind != "penalty"), "rest")
    toll = [str(move.step["destroy"]).partition("#")[0] for move in moves if move.step.get("for") == "dark-champion"]
    plan = plan_of([move.step for move in moves if move.step.get("for") != "dark-champion"])
    if kind == "village":
        plan = [step for step in plan if step.keys() & {"use", "buy", "level_up"}]
    later = next((m.before for m in moves if m.step.get("turn") == kind), before)  # a penalty card comes first
    lost = len(before.dungeon) - len(later.dungeon)
    seen = max((len(step.get("top", ())) for step in plan), default=0)  # looked at, and perhaps put back
    turned = max(len(before.dungeon) - len(record.position.dungeon), lost + seen)
    fields: dict[str, Any] = {
        "plan": plan, "deck": list(before.deck), "dungeon": list(before.dungeon[lost:turned]),
        "penalty": list(before.dungeon[:lost]) if "penalty" in kinds else None,
        "hall": [foe.card or "-" for foe in later.hall],
    }  # fmt: skip
    shuffles = [move for move in moves if move.step.get("shuffle") == "deck"]
    by_chance = any(event.key not in ("reshuffled", "drawn") for move in shuffles for event in move.events)
    keys = {event.key for move in moves for event in move.events}
    met = kind != "dungeon" and bool(keys & {"trap", "breach"})
    is_touchy = not before.hand or by_chance or met or any(map(is_open, moves))
    return Told(kind, [slot.card for slot in before.hand], fields, toll, is_touchy)


def is_open(move: Move) -> bool:
    """True if the move is of somebody else, or of chance, or says what happened to another player."""
    active = move.before.table.active if move.before.table else 0
    for event in move.events:
        params = dict(event.params)
        if event.key not in ("reshuffled", "turn-ends") and params.get("seat", active) != active:
            return True
        if {"R4.7", "R4.11"} & {*event.rules}:
            return True
    shuffled = move.step.get("shuffle")
    return shuffled == "hand" or (move.seat != active and shuffled != "deck")


def plan_of(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The choices of a turn as a plan writes them: what belongs to a use stands in its step."""
    plan: list[dict[str, Any]] = []
    for step in steps:
        if "for" in step:
            told = {key: value for key, value in step.items() if key not in ("for", "player")}
            use = next((use for use in reversed(plan) if use.get("use") == step["for"]), None)
            if use is not None:
                use |= told
            elif "destroy" in told:  # a trap's, or a breach's
                plan.append({"breach": str(step["for"]).partition("#")[0], **told})
            elif "decline" in told and CARDS[str(step["for"])]["kind"] == "trap":  # nobody is shown to it
                plan.append({"show": None})
            elif told.keys() & {"show", "discard", "buy"}:
                plan.append(told)
        elif not {"turn", "count", "end", "shuffle", "leave"} & step.keys():
            plan.append(dict(step))
    return plan


class Telling:
    """One evening told by several ways in turn; ``faults`` is where it and the oracle came apart."""

    def __init__(self, number: int, ways: list[Tell]) -> None:
        self.record, self.ways, self.random = begun(number), ways, Random(number)
        self.first = layout_of(self.record.position)
        self.faults: list[str] = []
        self.corrected = self.refused = self.turns = self.undone = 0

    @property
    def tell(self) -> Tell:
        return self.random.choice(self.ways)

    @property
    def now(self) -> Evening:
        found = read_evening()
        assert found is not None
        return found

    def run(self, turns: int) -> None:
        """Plays and tells so many turns; after each every card lies where the oracle has it."""
        names = ", ".join(self.record.names)
        self.say("start", code=self.record.setup.code, players=names)
        self.name_hall()
        for _ in range(turns):
            if self.record.over:
                break
            told = play_turn(self.record)
            self.turns += 1
            self.enter(told)
            self.compare(told)
            if self.faults:
                return
        if self.record.over and not self.now.finished:
            self.faults.append("the game is over, and the evening goes on")

    def say(self, do: str, **fields: Any) -> str:
        return self.tell(do, fields)

    def name_hall(self) -> None:
        hall = [foe.card or "-" for foe in self.record.position.hall]
        if any(card != "-" for card in hall) and not self.now.finished:
            self.say("hall", hall=hall)

    def enter(self, told: Told) -> None:
        before, who = self.now, self.now.active.name
        do = {"dungeon": "battle", "village": "visit", "rest": "rest"}[told.kind]
        fields = dict(told.fields) | {"hand": told.hand, "toll": told.toll}
        if do == "rest":
            fields = {"card": next((step["destroy"] for step in told.fields["plan"] if "destroy" in step), None)}
            fields |= {"hand": told.hand, "toll": told.toll, "dungeon": told.fields["dungeon"]}
        penalty = fields.pop("penalty", None)
        hall = fields.pop("hall", None)
        if penalty is not None:
            self.say("penalty", dungeon=penalty)
            self.say("hall", hall=hall)
            before = self.now
        why = self.say(do, **fields)
        if not why and self.random.random() < 0.2:  # taken back, and told again
            self.undone += 1
            self.say("undo")
            if self.now.events != before.events:
                self.faults.append("taking back left something behind")
            why = self.say(do, **fields)
        if why:
            self.refused += 1
            self.why = why
            if not told.is_open:
                self.faults.append(f"turn {self.turns}, {do} refused: {why}; {fields}")
                return
        if self.now.turn == before.turn and not self.now.finished and not self.record.over:
            self.say("next")
        if told.is_open:
            self.put_right(who)
            caged = [hero for _, hero in layout_of(self.record.position)["cages"]]
            if sorted(self.now.caged) != sorted(caged):
                self.corrected += 1
                self.say("correct", caged=caged)
            if why:
                self.name_hall()
                position = layout_of(self.record.position)
                self.say("correct", rank0=position["rank0"], tokens=position["tokens"][0], escaped=position["lost"])

    def put_right(self, who: str) -> None:
        """Corrects what others lost or chance did: decks, XP, stacks."""
        position = layout_of(self.record.position)
        for player, seat in zip(self.now.players, position["players"], strict=True):
            deck = Counter([*seat["hand"], *seat["deck"], *seat["discard"]])
            if (player.deck, player.xp) != (deck, seat["xp"]):
                self.corrected += 1
                self.say("correct", player=player.name, deck=sorted(deck.elements()), xp=seat["xp"])
        off = {card: n for card, n in position["stacks"].items() if self.now.stacks[card] != n}
        if off:
            self.corrected += 1
            self.say("correct", stacks=[f"{n} {card}" for card, n in off.items()])

    def compare(self, told: Told) -> None:
        """What the evening and the oracle hold to lie somewhere else; then the new monsters get their names."""
        content, moves = self.record.setup.content, [move.step for move in self.record.moves]
        document = {
            "players": content.players, "variant": content.variant, "level": content.level,
            "first_layout": self.first, "saved": self.record.saved("").model_dump(), "frames": [{"steps": moves}],
        }  # fmt: skip
        oracle = WholeGame(document)
        (*_,) = oracle.turns()
        layout, now = oracle.layout(), self.now
        at = f"turn {self.turns} ({told.kind}{', open' if told.is_open else ''})"
        for player, seat in zip(now.players, layout["players"], strict=True):
            deck = Counter([*seat["hand"], *seat["deck"], *seat["discard"]])
            if player.deck != deck:
                self.faults.append(f"{at}: {player.name}: {player.deck - deck} more, {deck - player.deck} less")
            if player.xp != seat["xp"]:
                self.faults.append(f"{at}: {player.name}: {player.xp} XP, the oracle {seat['xp']}")
            if sorted(player.penalties) != sorted(seat["penalties"]):
                self.faults.append(f"{at}: penalties {player.penalties}, the oracle {seat['penalties']}")
        stacks = {card: n for card, n in now.stacks.items() if n != layout["stacks"][card]}
        if stacks:
            self.faults.append(
                f"{at}: stacks {stacks}, the oracle { {card: layout['stacks'][card] for card in stacks} }"
            )
        for mine, theirs in zip(now.hall, layout["hall"], strict=True):
            if mine is not None and (mine or None) != theirs and not self.record.over:
                self.faults.append(f"{at}: hall {now.hall}, the oracle {layout['hall']}")
                break
        if [*now.rank0] != layout["rank0"] and not self.record.over:
            self.faults.append(f"{at}: rank 0 {now.rank0}, the oracle {layout['rank0']}")
        if sorted(now.lost) != sorted(layout["lost"]):
            self.faults.append(f"{at}: escaped {now.lost}, the oracle {layout['lost']}")
        if now.finished != self.record.over:
            self.faults.append(f"{at}: finished {now.finished}, the game {self.record.over}")
        if self.record.over:
            from thunderref.database.read import Language
            from thunderref.thunderstone.table.evening_events import score_evening

            mine = [player.vp for player in score_evening(now, Language(STORE, "en")).players]
            if mine != oracle.scores()[: len(mine)]:
                self.faults.append(f"{at}: score {mine}, the oracle {oracle.scores()}")
            standings, _ = result(self.record.game, self.record.position)
            if mine != [standing.vp for standing in standings]:
                self.faults.append(f"{at}: score {mine}, the game {standings}")
        self.name_hall()


def texts(cards: list[str]) -> str:
    return ", ".join(cards)


def by_command(cli: Callable[..., Any]) -> Tell:
    """Tells an evening by commands."""

    def tell(do: str, fields: dict[str, Any]) -> str:
        words = [*_words(do, fields)]
        answer = cli("evening", *words, "--json")
        return "" if answer.status == 0 else f"{answer.out}{answer.err}"

    return tell


def _words(do: str, fields: dict[str, Any]) -> Iterator[str]:
    yield {"undo": "undo", "visit": "visit"}.get(do, do)
    if do == "start":
        yield from (fields["code"], "--players", fields["players"], "--force")
    elif do == "hall":
        yield texts(fields["hall"])
    elif do in ("battle", "visit"):
        yield texts(fields["hand"])
        yield from ("--plan", json.dumps(fields["plan"]))
        if fields["deck"]:
            yield from ("--deck", texts(fields["deck"]))
        if fields["dungeon"]:
            yield from ("--dungeon", texts(fields["dungeon"]))
        yield from ("--toll", texts(fields["toll"]))
    elif do == "rest":
        yield from ([fields["card"]] if fields["card"] else [])
        yield from (("--dungeon", texts(fields["dungeon"])) if fields["dungeon"] else ())
        yield from ("--toll", texts(fields["toll"]))
    elif do == "penalty":
        yield from (("--dungeon", texts(fields["dungeon"])) if fields["dungeon"] else ())
    elif do == "correct":
        for key in ("player", "xp", "tokens", "deck", "stacks", "rank0", "escaped", "caged"):
            if key in fields:
                value = fields[key]
                yield from (f"--{key}", texts(value) if isinstance(value, list) else str(value))


def by_phone(phone: Any, site: Any) -> Tell:
    """Tells an evening by taps, as a phone sends them."""
    from thunderref.serve.plan import write_plan
    from thunderref.thunderstone.table.evening import version

    def tell(do: str, fields: dict[str, Any]) -> str:
        if do == "start":
            site.table.put(fields["code"])
            fields = {"players": fields["players"], "sure": "1"}
        sent: dict[str, Any] = {"do": do, "seen": version()}
        for key, value in fields.items():
            if key == "plan":
                sent["plan"] = write_plan(value)
            elif value is not None:
                sent[key] = ",".join(value) if isinstance(value, list) else str(value)
        if do == "hall":
            sent["stays"] = "1"
        answer = phone.post("/evening", data=sent)
        return "" if answer.status_code in (200, 303) else sentence(answer.text)

    return tell


def sentence(page: str) -> str:
    """What a page of a refusal says."""
    return page.partition('<p class="ability"')[2].partition("</p>")[0]
