"""A second adjudicator of set-ups: what the rules demand of one (R1, R9), and whether any meets some wishes.

It shares nothing with the package but the printed figures in db/boxes and what lies in which box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from .. import ROOT, read_toml
from .facts import CARDS

FAMILIES: dict[str, dict[str, Any]] = {
    family["id"]: {**family, "set": path.parent.name}
    for path in sorted((ROOT / "db" / "boxes").glob("*/box.toml"))
    for family in read_toml(path)["family"]
}
BASIC = ("militia", "torch", "iron-rations", "dagger")
DEALT = {"militia": 6, "dagger": 2, "iron-rations": 2, "torch": 2}
FEATURE_PILE = ("trap-death", "trap-dire", "guardian", "guardian", "pick-two")
GUARDIANS = ("dark-champion", "death-sentinel")
STONES = ("stone-of-mystery", "stone-of-agony")
QUESTION_MARKS = 3
MOVERS = {"banish", "magi-staff", "claymore", "creeping-death", "elf-sorcerer", "elf-archmage", "thyrian-lord"}
"""What moves a monster out of its rank, and may not be used alone (R9.5)."""
CAMPAIGNS = ("crossing", "pursuit", "odyssey")
BOTH_BOXES = ("epic", *CAMPAIGNS)
LAYOUTS: dict[str, tuple[set[str], set[str], set[str], set[str]]] = {
    "base": (
        {"enchanted", "ooze", "undead-doom"}, set(), {"elf", "lorigg", "regian", "thyrian"},
        {"battle-fury", "fireball", "flaming-sword", "lightstone-gem", "magical-aura", "short-sword", "spear",
         "town-guard"},
    ),
    "wrath": (
        {"horde", "elemental-nature", "undead-doom"}, {"trap-dire", "guardian"},
        {"chalice", "feayn", "diin", "toryn"},
        {"cursed-mace", "foresight-elixir", "lantern", "magi-staff", "magic-missile", "sage", "short-bow",
         "town-guard"},
    ),
    "high-fantasy": (
        {"dragon", "horde", "undead-spirit"}, {"trap-death"}, {"divine", "dwarf", "elf", "lorigg"},
        {"magic-missile", "fireball", "lantern", "goodberries", "barkeep", "blacksmith", "short-sword", "polearm"},
    ),
    "holy-war": (
        {"doomknight-humanoid", "undead-doom", "undead-spirit"}, {"guardian"}, {"divine", "chalice", "regian", "blind"},
        {"lightstone-gem", "ambrosia", "sage", "cursed-mace", "amulet-of-power", "warhammer", "banish", "magi-staff"},
    ),
    "elemental-fury": (
        {"elemental-nature", "elemental-pain", "golem"}, {"trap-dire"}, {"outlands", "selurin", "toryn", "diin"},
        {"magic-missile", "fireball", "creeping-death", "illusory-blade", "feast", "spear", "hatchet",
         "amulet-of-power"},
    ),
    "tough-guys": (
        {"elemental-pain", "abyssal", "dragon"}, {"trap-dire", "trap-death", "guardian"},
        {"lorigg", "gangland", "runespawn", "redblade"},
        {"creeping-death", "foresight-elixir", "tax-collector", "tavern-brawl", "short-sword", "spear",
         "arcane-energies", "barkeep"},
    ),
}  # fmt: skip
"""First games (R1.8) and themed dungeons (R9.7): classes, features, families, village; their guardian is always the
Dark Champion."""

Document = Mapping[str, Any]


def cards_of(family: str, sets: Sequence[str]) -> dict[str, int]:
    """The cards of a monster class or trap class that go into the deck, with their copies (R1.1, R1.3)."""
    if family == "horde":
        return {"horde-placeholder": 10}
    ours = {card: spec for card, spec in CARDS.items() if spec.get("family") == family and spec["set"] in sets}
    return {card: spec["count"] for card, spec in ours.items()}


def owned(cards: Sequence[str], sets: Sequence[str]) -> list[str]:
    return [card for card in cards if CARDS[card]["set"] in sets]


def pool(slot: str, sets: Sequence[str]) -> list[str]:
    """What the boxes hold of ``classes``, ``heroes`` or ``village``."""
    if slot == "village":
        return [card for card, spec in CARDS.items() if spec["kind"] == "village" and spec["set"] in sets]
    kind = {"classes": "monster", "heroes": "hero"}[slot]
    return [family for family, spec in FAMILIES.items() if spec["kind"] == kind and spec["set"] in sets]


def faults(found: Document, before: Sequence[Document] = ()) -> list[str]:
    """What is wrong with a set-up document, by the rules alone; ``before`` are the earlier games of its campaign."""
    return [*_cards(found), *_dungeon(found), *_table(found), *(_campaign(found, before) if before else ())]


def _cards(found: Document) -> Iterator[str]:
    variant, sets = found["variant"], found["sets"]
    yield from _unless((found["players"] == 1) == (variant == "solo"), "R9.5: players")
    yield from _unless(1 <= found["players"] <= 5, "R1.9: players")
    yield from _unless(variant not in BOTH_BOXES or {"base", "wrath"} <= {*sets}, "R9: both boxes")
    least, most = {"epic": (5, 5), "marauding": (4, 4)}.get(variant, (3, 8))
    yield from _unless(least <= len(found["monsters"]) <= most, "R1.1: classes")
    yield from _unless(len(found["heroes"]) == 4 and len(found["village"]) == 8, "R1.6: stacks")
    for slot, key in (("classes", "monsters"), ("heroes", "heroes"), ("village", "village")):
        yield from _unless(len({*found[key]}) == len(found[key]), f"{key}: twice")
        yield from _unless({*found[key]} <= {*pool(slot, sets)}, f"{key}: not in the boxes")
    if variant == "solo":
        yield from _unless(not MOVERS & {*found["village"]}, "R9.5: moves monsters")
    features, guardians = found["features"], found["guardians"]
    yield from _unless(("guardian" in features) == bool(guardians), "R1.2: guardians")
    yield from _unless(
        {*guardians} <= {*owned(GUARDIANS, sets)} and len({*guardians}) == len(guardians), "R1.2: which guardians"
    )
    yield from _unless({*features} <= {*FEATURE_PILE}, "R1.2: features")
    yield from _unless(not features or "wrath" in sets, "R1.2: features of a box that is not there")
    layout = found["theme"] or found["first_game"]
    if variant == "epic":
        yield from _unless(len(guardians) == 1 and features == ["guardian"], "R9.1: one guardian")
    elif not layout:
        traps = tuple(trap for trap in FEATURE_PILE[:2] if trap in features)
        draws = feature_draws(QUESTION_MARKS, cards=owned(GUARDIANS, sets))
        drawn = (traps, len(guardians)) in {(each.traps, each.guardians) for each in draws}
        yield from _unless(drawn, "R1.2: no draw gives these features")
    stones = found["thunderstones"]
    yield from _unless({*stones} <= {*owned(STONES, sets)}, "stones: not there")
    yield from _unless(len({*stones}) == len(stones) and bool(stones), "stones")
    yield from _unless(variant != "epic" or len(stones) == 2, "R9.1: two stones")
    yield from _unless(variant not in CAMPAIGNS or len(stones) == 1, "R9.2: one stone a game")
    if layout:
        classes, features_, heroes, village = LAYOUTS[layout]
        same = ({*found["monsters"]}, {*features}, {*heroes}, {*found["village"]})
        yield from _unless(same == (classes, features_, {*found["heroes"]}, village), "R1.8, R9.7: other cards")
        yield from _unless("guardian" not in features or guardians == ["dark-champion"], "R1.8: other guardian")


class Features(NamedTuple):
    """Traps, number of guardians, whether Choose Two came up, and which guardians those may be."""

    traps: tuple[str, ...]
    guardians: int
    choose_two: bool
    cards: tuple[str, ...]


def feature_draws(most: int, pile: Sequence[str] = FEATURE_PILE, cards: Sequence[str] = GUARDIANS) -> set[Features]:
    """Everything that up to ``most`` question marks can bring, Choose Two meaning any two that are left (R1.2)."""
    found = set()
    for marks in range(most + 1):
        for hand in combinations(range(len(pile)), min(marks, len(pile))):
            turned = [pile[i] for i in hand]
            rest = [pile[i] for i in range(len(pile)) if i not in hand and pile[i] != "pick-two"]
            rest = [*{each for each in rest if each != "guardian"}, *(each for each in rest if each == "guardian")]
            picks = combinations(rest, min(2, len(rest))) if "pick-two" in turned else [()]
            for pick in picks:
                both = [*turned, *pick]
                number = min(both.count("guardian"), len(cards))
                traps = tuple(trap for trap in FEATURE_PILE[:2] if trap in both)
                for which in combinations(cards, number):
                    found.add(Features(traps, number, "pick-two" in both, which))
    return found


def _dungeon(found: Document) -> Iterator[str]:
    """The deck: its cards and its layers (R1.1 to R1.4, R9.1, R9.3)."""
    layers = found["dungeon"]["layers"]
    wanted: Counter[str] = Counter()
    for family in (*found["monsters"], *(each for each in found["features"] if each.startswith("trap"))):
        wanted.update(cards_of(family, found["sets"]))
    listed: Counter[str] = Counter()
    for layer in layers:
        if layer["shuffle"] == 0:
            listed.update({card["id"]: card["count"] for card in layer["cards"]})
    yield from _unless(listed == wanted, "R1.1: the cards of the deck")
    left = found.get("after", {}).get("left", 0)
    shape = [(layer["drawn"], sorted(layer["with"])) for layer in layers]
    yield from _unless(shape == expected_layers(found, wanted.total(), left), f"R1.4: layers {shape}")
    sizes = [layer["drawn"] + len(layer["with"]) for layer in layers]
    yield from _unless([layer["size"] for layer in layers] == sizes, "sizes of the layers")
    yield from _unless(found["dungeon"]["size"] == sum(sizes), "size of the deck")
    yield from _unless(found["hall"] == (0 if found["variant"] == "solo" else 3), "R1.5: the hall")


def expected_layers(found: Document, cards: int, left: int) -> list[tuple[int, list[str]]]:
    """(cards drawn, what is shuffled in) from the top; an earlier dungeon's rest lies above the stone's ten (R9.3)."""
    stones, guardians = found["thunderstones"], found["guardians"]
    if found["variant"] == "epic":
        deep, high = stones
        return [(10, []), (10, [*guardians]), (10, [high]), (20, [deep])]
    rest = cards - 10 * (len(guardians) + 1)
    top: list[tuple[int, list[str]]] = [(rest, [])] if rest else []
    with_guardians: list[tuple[int, list[str]]] = [(10, [guardian]) for guardian in guardians]
    before: list[tuple[int, list[str]]] = [(left, [])] if left else []
    return [*top, *with_guardians, *before, (10, sorted(stones))]


def _table(found: Document) -> Iterator[str]:
    """Stacks, player decks, tokens (R1.3, R1.6, R1.7, R1.9, R9.2 to R9.6)."""
    stacks = {stack["id"]: {card["id"]: card["count"] for card in stack["cards"]} for stack in found["stacks"]}
    halves = found["variant"] == "solo" and found["level"] in ("fighter", "nightmare")
    for card in BASIC:
        copies = 30 if card == "militia" else CARDS[card]["count"]
        yield from _unless(stacks[card] == {card: copies - DEALT[card] * found["players"]}, f"R1.6: {card}")
    for family in found["heroes"]:
        heroes = {card: spec for card, spec in CARDS.items() if spec.get("family") == family}
        wanted = {card: (6, 4, 2)[spec["level"] - 1] // (1 + halves) for card, spec in heroes.items()}
        if found["variant"] == "solo":
            wanted = {card: count for card, count in wanted.items() if card not in MOVERS}
        yield from _unless(stacks[family] == wanted, f"R1.6: {family}")
        levels = [heroes[card]["level"] for card in stacks[family]]
        yield from _unless(levels == sorted(levels), f"R1.6: order of {family}")
    for card in found["village"]:
        yield from _unless(stacks[card] == {card: 4 if halves else 8}, f"R1.6: {card}")
    diseases = {"base": 15, "wrath": 12}
    boxes = sum(diseases.get(box, 0) for box in found["sets"])
    yield from _unless(stacks["disease"] == {"disease": boxes}, f"R1.6: Disease {stacks['disease']}")
    remains = {card["id"] for layer in found["dungeon"]["layers"] if layer["shuffle"] for card in layer["cards"]}
    if "horde" in found["monsters"]:
        horde = [(f"horde-{health}", 1) for health in range(3, 13)]
        yield from _unless([*stacks.get("horde-deck", {}).items()] == horde, "R1.3: the Horde deck")
    elif "horde-placeholder" not in remains:
        yield from _unless("horde-deck" not in stacks, "R1.3: a Horde deck without the Horde")
    else:
        yield from _unless("horde-deck" in stacks, "R1.3: placeholders without a Horde deck")
    deck = {card["id"]: card["count"] for card in found["player_deck"]}
    yield from _unless(deck == DEALT, "R1.7: the starting deck")
    yield from _unless(found["tokens"] == (found["players"] if found["variant"] == "marauding" else 0), "R9.6: tokens")


def _campaign(found: Document, before: Sequence[Document]) -> Iterator[str]:
    """What a later game must not share with the earlier ones, and what the players take along (R9.2 to R9.4)."""
    last = before[-1]
    variant = found["variant"]
    yield from _unless(variant == last["variant"] and variant in CAMPAIGNS, "R9: another variant")
    yield from _unless(found["players"] == last["players"], "R9: other players")
    yield from _unless({*found["thunderstones"], *last["thunderstones"]} == {*STONES}, "R9.2: the stone already won")
    if variant == "odyssey":
        yield from _unless(not {*found["heroes"]} & {*last["heroes"]}, "R9.4: heroes of the game before")
    if variant == "pursuit":
        for game in before:
            shared = {*found["monsters"]} & {*game["monsters"]} or {*found["features"]} & {*game["features"]}
            yield from _unless(not shared - {"pick-two"}, f"R9.3: {shared} again")
    heroes = (1, 2) if variant == "odyssey" else (0, 0)
    stone = dict.fromkeys(last["thunderstones"], 1)
    wanted = {"winner": ({**DEALT, **stone}, heroes[0]), "others": (DEALT, heroes[1])}
    decks = {
        deck["who"]: ({card["id"]: card["count"] for card in deck["cards"]}, deck["heroes"])
        for deck in found["player_decks"]
    }
    yield from _unless(decks == wanted, "R9.2, R9.4: what the players take along")


def _unless(holds: bool, fault: str) -> Iterator[str]:
    if not holds:
        yield fault


class Wanted(NamedTuple):
    """What is asked of a set-up: the boxes, how many classes, what must be in and what out, by id.

    ``quotas`` ask for at least so many of a set of classes, features, families and village cards.
    """

    sets: tuple[str, ...]
    variant: str = "normal"
    classes: int = 3
    required: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    quotas: tuple[tuple[int, frozenset[str]], ...] = ()


def can_be(wanted: Wanted) -> bool:
    """True if any set-up meets what is wanted, found by trying every kind of cards and every draw of features."""
    out = wanted.excluded | (MOVERS if wanted.variant == "solo" else set())
    sizes = {"classes": wanted.classes, "heroes": 4, "village": 8}
    homeless = set(wanted.required) - {*BASIC}
    found: set[tuple[int, ...]] = {tuple(0 for _ in wanted.quotas)}
    for slot, size in sizes.items():
        there = {*pool(slot, wanted.sets)} - out
        inside = homeless & {*pool(slot, ("base", "wrath", "promo"))}
        if not inside <= there or not len(inside) <= size <= len(there):
            return False
        homeless -= inside
        found = {_filled(some, more) for some in found for more in _fillings(there, inside, size, wanted.quotas)}
    wished = {*homeless} - {*STONES}
    features = [names for names in _possible_features(wanted) if wished <= names]
    found = {_filled(some, _counted(names, wanted.quotas)) for some in found for names in features}
    met = any(all(n >= least for n, (least, _) in zip(some, wanted.quotas, strict=True)) for some in found)
    return not wanted.excluded & {*BASIC} and met and _stones_fit(wanted)


def _filled(some: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(some, more, strict=True))


def _counted(cards: set[str], quotas: tuple[tuple[int, frozenset[str]], ...]) -> tuple[int, ...]:
    return tuple(len(cards & asked) for _, asked in quotas)


def _fillings(
    there: set[str], inside: set[str], size: int, quotas: tuple[tuple[int, frozenset[str]], ...]
) -> set[tuple[int, ...]]:
    """What selections of ``size`` cards give to each quota: cards alike in that are told apart by number only."""
    alike: Counter[tuple[int, ...]] = Counter(_counted({card}, quotas) for card in there - inside)
    found = {(size - len(inside), _counted(inside, quotas))}
    for gives, most in alike.items():
        found = {
            (free - n, tuple(a + n * b for a, b in zip(have, gives, strict=True)))
            for free, have in found
            for n in range(min(free, most) + 1)
        }
    return {have for free, have in found if not free}


def meant(text: str, sets: Sequence[str]) -> frozenset[str]:
    """What a filter such as ``weapon`` or ``cost>8`` describes: a class by any of its cards, a family by level 1."""
    found = set()
    for card, spec in CARDS.items():
        low = spec.get("level", 1) == 1 or spec["kind"] != "hero"
        if spec["set"] in sets and low and _fits(text, spec):
            place = spec.get("family") if spec["kind"] in ("hero", "monster", "trap") else card
            found.add(place or card)
    drawn = {*pool("classes", sets), *pool("heroes", sets), *pool("village", sets), *FEATURE_PILE, *GUARDIANS}
    return frozenset(found & drawn)


def _fits(text: str, spec: Mapping[str, Any]) -> bool:
    for sign, holds in ((">", int.__gt__), ("<", int.__lt__), ("=", int.__eq__)):
        figure, found, value = text.partition(sign)
        if found:
            printed = spec.get(figure)
            return printed is not None and holds(printed, int(value))
    return text.removeprefix("type:") in spec["types"]


def parts_of(count: int, shares: Mapping[str, int]) -> dict[str, int]:
    """``count`` parted by shares: rounded down, what is left to the largest remainders, the first named first."""
    whole = sum(shares.values())
    parts = {box: count * share // whole for box, share in shares.items()}
    order = sorted(shares, key=lambda box: (-(count * shares[box] % whole), [*shares].index(box)))
    for box in order[: count - sum(parts.values())]:
        parts[box] += 1
    return parts


def quotas_of_mix(shares: Mapping[str, int], classes: int) -> list[tuple[int, frozenset[str]]]:
    """``--mix``: of each kind so many from each box; a box without such cards takes no share of them."""
    found = []
    for slot, count in (("classes", classes), ("heroes", 4), ("village", 8)):
        having = {box: share for box, share in shares.items() if pool(slot, [box])}
        parts = parts_of(count, having) if having else {}
        found += [(least, frozenset(pool(slot, [box]))) for box, least in parts.items()]
    return found


def quotas_of_spread() -> list[tuple[int, frozenset[str]]]:
    """``--spread``: two village cards that cost up to 3, two that cost 4, two that cost more."""
    costs = {card: CARDS[card]["cost"] for card in pool("village", ("base", "wrath", "promo"))}
    prices = [(0, 3), (4, 4), (5, 99)]
    return [(2, frozenset(card for card, cost in costs.items() if low <= cost <= high)) for low, high in prices]


def _possible_features(wanted: Wanted) -> Iterator[set[str]]:
    """The names of the features of every draw that holds nothing that is out."""
    if "wrath" not in wanted.sets:
        yield set()
        return
    cards = [card for card in owned(GUARDIANS, wanted.sets) if not {card, "guardian"} & wanted.excluded]
    if wanted.variant == "epic":
        yield from ({card, "guardian"} for card in cards)
        return
    pile = [each for each in FEATURE_PILE if each not in wanted.excluded and (each != "guardian" or cards)]
    free = len({*pool("classes", wanted.sets)} - wanted.excluded)
    marks = QUESTION_MARKS if free >= wanted.classes else 0
    for draw in feature_draws(marks, pile, cards):
        names = {*draw.traps, *draw.cards}
        yield names | ({"guardian"} if draw.cards else set()) | ({"pick-two"} if draw.choose_two else set())


def _stones_fit(wanted: Wanted) -> bool:
    free = {*owned(STONES, wanted.sets)} - wanted.excluded
    asked = wanted.required & {*STONES}
    return asked <= free and len(free) >= (2 if wanted.variant in BOTH_BOXES else 1)
