"""Whether a set-up is what the files of its boxes allow, judged without any code of thunderref.

    thunderref setup --json | python tests/boxes/adjudicator.py db/boxes/base db/boxes/wrath

It knows the folders of the boxes, R1 and R9, and says each fault as one line; several set-ups may follow each other.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

PRINTED = ("base", "wrath", "promo")
"""The boxes whose ids stand bare."""
STARTING = {"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2}
"""The deck of a player (R1.7)."""
STONES = {"normal": 1, "solo": 1, "marauding": 1}
"""Thunderstones of a variant; two for all others, of which one may lie aside (R9)."""
CLASSES = {"epic": 5, "marauding": 4}
"""Classes of monsters of a variant; three for all others (R1.2, R9)."""
MOVERS = {"banish", "magi-staff", "claymore", "creeping-death", "elf-sorcerer", "elf-archmage", "thyrian-lord"}
"""Cards that take monsters out of the hall, without which solo games are played (R9.5)."""
HALVED = ("fighter", "nightmare")
"""Levels of solo play with stacks of half the size (R9.5)."""


class Boxes:
    """The cards and families of several boxes by id, the box before those of users' boxes."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.cards: dict[str, dict[str, Any]] = {}
        self.families: dict[str, list[str]] = {}
        self.kinds: dict[str, str] = {}
        self.heads: dict[str, dict[str, Any]] = {}
        for folder in folders:
            box = folder.name
            head = self.heads[box] = tomllib.loads((folder / "box.toml").read_text("utf-8"))
            rows = tomllib.loads((folder / "cards.toml").read_text("utf-8"))["card"]
            own = {entry["id"] for entry in (*rows, *head.get("family", ()), *head.get("beside", ()))}
            mark = {ident: ident if box in PRINTED else f"{box}:{ident}" for ident in own}
            for family in head.get("family", ()):
                self.kinds[mark[family["id"]]] = family["kind"]
            for card in rows:
                ident, family = mark[card["id"]], card.get("family")
                self.cards[ident] = card | {"box": box}
                if family is not None:
                    self.families.setdefault(mark.get(family, family), []).append(ident)
            head["piles"] = {
                mark[pile["id"]]: {
                    "cards": {mark.get(card, card): n for card, n in pile.get("cards", {}).items()},
                    "count": pile.get("count"), "replaces": pile.get("replaces"),
                    "needed_by": {mark.get(name, name) for name in pile.get("needed_by", ())},
                }
                for pile in head.get("beside", ())
            }  # fmt: skip

    def miscounted(self) -> Iterator[str]:
        """What is printed on the boxes, against their cards."""
        for box, head in self.heads.items():
            sums = Counter[str]()
            for card in self.cards.values():
                sums[card["kind"]] += card["count"] if card["box"] == box else 0
            for kind, n in head.get("contents", {}).items():
                if sums[kind] != n:
                    yield f"{box}: {n} {kind} printed, {sums[kind]} in the files"

    def box_of(self, name: str) -> str:
        return str(self.cards[self.families[name][0] if name in self.families else name]["box"])

    def is_placeholder(self, card: str) -> bool:
        """Whether the next numbered card of its class takes its place (R1.3)."""
        effects = self.cards[card].get("effects", ())
        return any(op["op"] == "from-horde-deck" for effect in effects for op in effect.get("do", ()))

    def brought(self, family: str, sets: Sequence[str]) -> tuple[Counter[str], list[str]]:
        """What a class brings into the dungeon deck, and its numbered cards that lie beside the hall."""
        cards = [card for card in self.families[family] if self.cards[card]["box"] in sets]
        marks = [card for card in cards if self.is_placeholder(card)]
        numbered = sorted(set(cards) - {*marks}, key=lambda card: self.cards[card]["health"]) if marks else []
        return Counter({card: self.cards[card]["count"] for card in marks or cards}), numbered


def faults(made: dict[str, Any], boxes: Boxes) -> Iterator[str]:
    """Say what is wrong with the document of a first game."""
    sets, variant = made["sets"], made["variant"]
    slots = {
        "monster": made["monsters"], "hero": made["heroes"], "village": made["village"],
        "thunderstone": made["thunderstones"], "guardian": made["guardians"],
    }  # fmt: skip
    numbers = {"hero": 4, "village": 8, "thunderstone": STONES.get(variant, 2) - len(made["aside"])}
    numbers["monster"] = CLASSES.get(variant, 3)
    for kind, names in slots.items():
        if len(set(names)) != len(names) or len(names) != numbers.get(kind, len(names)):
            yield f"{len(names)} {kind}: {names}"
        for name in names:
            if boxes.kinds.get(name, boxes.cards.get(name, {}).get("kind")) != kind:
                yield f"{name} is no {kind}"
    if ("guardian" in made["features"]) != bool(made["guardians"]):
        yield f"{made['features']} are the features, {made['guardians']} the guardians"
    traps = [name for name in made["features"] if name != "guardian"]
    chosen = [*made["monsters"], *traps, *made["guardians"], *made["heroes"], *made["village"], *made["thunderstones"]]
    for name in chosen:
        if boxes.box_of(name) not in sets:
            yield f"{name} is in none of {sets}"
    stacks = {stack["id"]: [(card["id"], card["count"]) for card in stack["cards"]] for stack in made["stacks"]}
    if len(stacks) != len(made["stacks"]):
        yield "two stacks have one name"
    yield from _dungeon_faults(made, traps, boxes, stacks)
    yield from _stack_faults(made, boxes, stacks)
    yield from _pile_faults(made, chosen, boxes, stacks)
    shared = len(sets) > 1 and not {*sets} <= {*PRINTED}  # set-ups of the game's own boxes have no such list
    shares = {box["id"]: box["stacks"] for box in made.get("boxes", ())}
    for name in chosen:
        under = [box for box, names in shares.items() for listed in names if listed == name]
        if under != [boxes.box_of(name)] and shared:
            yield f"{name} stands under {under}"
    for box, head in boxes.heads.items():
        for name in head["piles"].keys() & stacks.keys():
            if shared and name not in shares.get(box, ()):
                yield f"{name} does not stand under its box"


def _dungeon_faults(
    made: dict[str, Any], traps: Sequence[str], boxes: Boxes, stacks: dict[str, list[tuple[str, int]]]
) -> Iterator[str]:
    wanted, laid = Counter[str](), Counter[str]()
    for name in (*made["monsters"], *traps):
        cards, numbered = boxes.brought(name, made["sets"])
        wanted += cards
        if numbered and [(card, 1) for card in numbered] not in stacks.values():
            yield f"the numbered cards of {name} lie nowhere: {numbered}"
    for layer in made["dungeon"]["layers"]:
        for card in layer["cards"]:
            laid[card["id"]] += card["count"]
        if layer["size"] != layer["drawn"] + len(layer["with"]):
            yield f"a layer of {layer['size']} cards"
    if laid != wanted:
        yield f"the dungeon has {laid - wanted} too many, {wanted - laid} too few"
    joined = Counter(card for layer in made["dungeon"]["layers"] for card in layer["with"])
    stones = made["thunderstones"] if made["variant"] == "epic" else made["thunderstones"][:1]
    if not made["aside"] and joined != Counter([*made["guardians"], *stones]):
        yield f"{[*joined]} joined, not {made['guardians']} and {stones}"
    size = sum(layer["size"] for layer in made["dungeon"]["layers"])
    if not made["dungeon"]["size"] == size == wanted.total() + joined.total():
        yield f"{size} cards in the deck, {wanted.total()} + {joined.total()} wanted"


def _stack_faults(made: dict[str, Any], boxes: Boxes, stacks: dict[str, list[tuple[str, int]]]) -> Iterator[str]:
    part = 2 if made["variant"] == "solo" and made["level"] in HALVED else 1
    left_out = MOVERS if made["variant"] == "solo" else set[str]()
    for card, n in STARTING.items():
        most = 30 if card == "militia" else boxes.cards[card]["count"]
        if stacks.get(card) != [(card, most - n * made["players"])]:
            yield f"{card}: {stacks.get(card)}"
    for family in made["heroes"]:
        heroes = sorted(boxes.families[family], key=lambda card: boxes.cards[card].get("level", 0))
        heroes = [card for card in heroes if boxes.cards[card]["kind"] == "hero" and card not in left_out]
        if stacks.get(family) != [(card, boxes.cards[card]["count"] // part) for card in heroes]:
            yield f"{family}: {stacks.get(family)}"
    for card in made["village"]:
        if card in left_out or stacks.get(card) != [(card, boxes.cards[card]["count"] // part)]:
            yield f"{card}: {stacks.get(card)}"


def _pile_faults(
    made: dict[str, Any], chosen: Sequence[str], boxes: Boxes, stacks: dict[str, list[tuple[str, int]]]
) -> Iterator[str]:
    """The decks and tokens of users' boxes, and the Diseases, which one of them may replace."""
    there = {*chosen, *(card for name in chosen for card in boxes.families.get(name, ()))}
    piles = {
        name: pile
        for box in made["sets"] for name, pile in boxes.heads[box]["piles"].items()
        if not pile["needed_by"] or pile["needed_by"] & there
    }  # fmt: skip
    laid = {stack["id"]: stack for stack in made["stacks"] if stack["kind"] == "beside"}
    if laid.keys() != piles.keys():
        yield f"beside lie {[*laid]}, not {[*piles]}"
    steps = " ".join(made["steps"])
    for name, pile in piles.items():
        if pile["cards"] and stacks.get(name) != [*pile["cards"].items()]:
            yield f"{name}: {stacks.get(name)}"
        shown = laid[name]["name"] if name in laid else "–"
        if shown not in steps or (pile["count"] and f"{shown} × {pile['count']}" not in steps):
            yield f"no step tells of {shown}"
        for card, n in pile["cards"].items():
            if f"× {n}" not in steps:
                yield f"no step tells of {n} {card}"
    apart = {card for head in boxes.heads.values() for pile in head["piles"].values() for card in pile["cards"]}
    diseases = [
        card["count"] for ident, card in boxes.cards.items()
        if "disease" in (ident, card.get("reprint_of")) and card["box"] in made["sets"]
        and ident not in apart - {"disease"}
    ]  # fmt: skip
    replaced = any(pile["replaces"] == "disease" for pile in piles.values())
    if stacks.get("disease") != (None if replaced else [("disease", sum(diseases))]):
        yield f"Diseases: {stacks.get('disease')}, replaced: {replaced}"


def main() -> int:
    boxes, text = Boxes([*map(Path, sys.argv[1:])]), sys.stdin.read().strip()
    told = [*boxes.miscounted()]
    while text:
        made, end = json.JSONDecoder().raw_decode(text)
        text = text[end:].strip()
        told += [f"{made['code']}: {fault}" for fault in faults(made, boxes)]
    print("\n".join(told) or "no faults")
    return int(bool(told))


if __name__ == "__main__":
    sys.exit(main())
