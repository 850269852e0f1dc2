"""Codes: short, exact, refused when mistyped, and the same for ever."""

from __future__ import annotations

import itertools
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.several import several
from thunderref.database.records import Pool
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.codes import (
    ALPHABET,
    LONGEST_CODE,
    MAX_LEFT,
    NEWEST,
    SEEDS,
    Content,
    Earlier,
    Features,
    Later,
    Leftovers,
    _check,
    _parts,
    decode,
    encode,
)
from thunderref.thunderstone.setup.setup import generate_setup

LENGTH = 24
"""The most characters of a code of version 1."""
GOLDEN: dict[str, dict[str, Any]] = {
    "3336J8L6G4LSJ3V48X5": {"seed": 1},
    "343J6VR54SQV9X25Q6LHF": {"seed": 2024, "players": 4},
    "399ZWTK9KZ2GSK7AGXB": {"sets": ["base", "wrath"], "seed": 7, "players": 3},
    "3DENNJEBGEX6NK45RYQ": {"sets": ["wrath"], "seed": 11},
    "3YVPH9RNHFDP526VYXPV6XAY": {"sets": ["base", "wrath", "promo"], "seed": 999999999, "players": 5, "monsters": 8},
    "377SQUGGAFRXBEQVQFU": {"variant": "epic", "seed": 5},
    "3BCAR5BDHY33SRHYNWA": {"variant": "solo", "level": "nightmare", "sets": ["base", "wrath"], "seed": 9},
    "3FGWQAKV653MM7V4SMA": {"variant": "pursuit", "seed": 13, "players": 3},
    "3PRYM5YZ8CDY2RRMQFG": {"variant": "marauding", "seed": 21},
    "37MFZLY8JVG34VX": {"first_game": "base"},
    "33W3JF3NKRG2GX4Y5": {"first_game": "wrath"},
    "355JQ55C8RALJJE3CZF": {"theme": "tough-guys", "seed": 3},
    "3KMHA6URFED2TCP5AW7": {
        "sets": ["base", "wrath"],
        "seed": 17,
        "require": ["banish", "horde"],
        "exclude": ["elf"],
        "stone": "both",
    },
}
"""Code -> options it was drawn with; none is balanced, for what balances depends on the effect records."""

FROZEN: dict[str, str] = {
    "3336J8L6G4LSJ3V48X5": (
        "base 2 normal - - False stone-of-mystery abyssal doomknight-humanoid dragon False amazon elf "
        "lorigg regian arcane-energies banish battle-fury goodberries lantern pawnbroker short-sword "
        "spear None 1"
    ),
    "343J6VR54SQV9X25Q6LHF": (
        "base 4 normal - - False stone-of-mystery doomknight-humanoid dragon enchanted False dwarf feayn "
        "outlands regian banish feast hatchet lightstone-gem magical-aura town-guard trainer warhammer "
        "None 2024"
    ),
    "399ZWTK9KZ2GSK7AGXB": (
        "base wrath 3 normal - - False stone-of-mystery dragon enchanted golem False feayn regian gohlen "
        "toryn banish battle-fury feast flaming-sword goodberries hatchet spear illusory-blade None 7"
    ),
    "399ZR3U42KEWKYU2WG7": (
        "base wrath 3 normal - - True stone-of-mystery dragon undead-spirit horde False amazon chalice "
        "elf diin arcane-energies barkeep battle-fury fireball hatchet polearm amulet-of-power "
        "cursed-mace None 7"
    ),
    "3DENNJEBGEX6NK45RYQ": (
        "wrath 2 normal - - False stone-of-agony elemental-pain golem horde dark-champion False blind "
        "divine gangland toryn amulet-of-power claymore creeping-death cursed-mace magi-staff "
        "magic-missile short-bow tax-collector None 11"
    ),
    "3YVPH9RNHFDP526VYXPV6XAY": (
        "base wrath promo 5 normal - - False stone-of-mystery doomknight-humanoid dragon enchanted "
        "humanoid ooze elemental-nature golem horde trap-death False chalice dwarf regian toryn "
        "battle-fury lightstone-gem pawnbroker amulet-of-power cursed-mace foresight-elixir magi-staff "
        "short-bow None 999999999"
    ),
    "377SQUGGAFRXBEQVQFU": (
        "base wrath 2 epic - - False stone-of-agony stone-of-mystery enchanted humanoid ooze "
        "undead-spirit horde dark-champion False amazon selurin divine gangland banish lightstone-gem "
        "pawnbroker trainer ambrosia cursed-mace magic-missile tavern-brawl None 5"
    ),
    "3BCAR5BDHY33SRHYNWA": (
        "base wrath 1 solo nightmare - False stone-of-mystery dragon ooze golem False blind divine "
        "runespawn toryn barkeep goodberries lightstone-gem magical-aura pawnbroker polearm ambrosia "
        "cursed-mace None 9"
    ),
    "3FGWQAKV653MM7V4SMA": (
        "base wrath 3 pursuit - - False stone-of-agony doomknight-humanoid undead-spirit "
        "elemental-nature False amazon feayn selurin diin fireball flaming-sword pawnbroker spear "
        "ambrosia illusory-blade magi-staff tavern-brawl None 13"
    ),
    "3PRYM5YZ8CDY2RRMQFG": (
        "base 2 marauding - - False stone-of-mystery doomknight-humanoid enchanted humanoid undead-doom "
        "False amazon chalice elf redblade banish barkeep goodberries hatchet spear town-guard trainer "
        "warhammer None 21"
    ),
    "37MFZLY8JVG34VX": (
        "base 2 normal - first-game/base False stone-of-mystery enchanted ooze undead-doom False elf "
        "lorigg regian thyrian battle-fury fireball flaming-sword lightstone-gem magical-aura "
        "short-sword spear town-guard None 0"
    ),
    "33W3JF3NKRG2GX4Y5": (
        "base wrath 2 normal - first-game/wrath False stone-of-agony undead-doom elemental-nature horde "
        "trap-dire dark-champion False chalice feayn diin toryn lantern town-guard cursed-mace "
        "foresight-elixir magi-staff magic-missile sage short-bow None 0"
    ),
    "355JQ55C8RALJJE3CZF": (
        "base wrath 2 normal - theme/tough-guys False stone-of-mystery abyssal dragon elemental-pain "
        "trap-death trap-dire dark-champion False lorigg redblade gangland runespawn arcane-energies "
        "barkeep short-sword spear creeping-death foresight-elixir tavern-brawl tax-collector None 3"
    ),
    "3KMHA6URFED2TCP5AW7": (
        "base wrath 2 normal - - False stone-of-mystery stone-of-agony doomknight-humanoid golem horde "
        "False amazon feayn thyrian blind banish flaming-sword lightstone-gem spear claymore "
        "creeping-death illusory-blade tax-collector None 17"
    ),
    "37B4FVRLWY2KKN5MAHG": (
        "base wrath 3 pursuit - - False stone-of-mystery enchanted golem horde trap-death trap-dire "
        "dark-champion True amazon selurin divine gangland banish lightstone-gem pawnbroker trainer "
        "ambrosia cursed-mace magic-missile tavern-brawl (2, 6) 5"
    ),
    "377ZCAK2LWCTVYF682B": (
        "base wrath 3 odyssey - - False stone-of-mystery humanoid ooze undead-spirit trap-dire dark-"
        "champion False dwarf outlands regian runespawn banish lightstone-gem pawnbroker trainer "
        "ambrosia cursed-mace magic-missile tavern-brawl (2, 0) 5"
    ),
    "4Z4DGS9G6WREQTZCUG3VA52": (
        "base wrath 3 pursuit - - False stone-of-mystery dragon elemental-pain golem trap-death True "
        "amazon selurin divine gangland banish lightstone-gem pawnbroker trainer ambrosia cursed-mace "
        "magic-missile tavern-brawl (1, 6) 5 doomknight-humanoid undead-doom horde trap-dire dark-"
        "champion 3 ('dark-champion',)"
    ),
    "434YTK9AX83FRT3694BWQSQN": (
        "base wrath 3 pursuit - - False stone-of-agony enchanted humanoid elemental-nature False chalice "
        "thyrian diin runespawn feast fireball goodberries polearm trainer ambrosia blacksmith "
        "foresight-elixir (2, 5) 6 doomknight-humanoid dragon undead-doom elemental-pain golem horde "
        "trap-death trap-dire dark-champion unknown"
    ),
    "49BBCNRQ54MUL3C9QG7XANCNLED": (
        "base wrath 5 odyssey - - False stone-of-mystery enchanted humanoid golem False outlands regian "
        "thyrian runespawn battle-fury lightstone-gem pawnbroker amulet-of-power cursed-mace foresight-"
        "elixir magi-staff short-bow (4, 0) 999999999 elf redblade blind gohlen unknown"
    ),
}
"""Code -> what it means. These lines are never changed: codes that were written down stay good."""


@pytest.mark.parametrize("code", GOLDEN)
def test_golden_codes_are_drawn_again(code: str) -> None:
    assert generate_setup(**GOLDEN[code]).code == code


@pytest.mark.parametrize("code", FROZEN)
def test_golden_codes_keep_their_meaning(code: str, cat: Catalogue) -> None:
    assert meaning(decode(code, cat)) == FROZEN[code]


def meaning(c: Content) -> str:
    parts = (
        *c.sets, str(c.players), c.variant, c.level or "-", "/".join(c.layout or ("-",)), str(c.balanced), *c.stones,
        *c.classes, *c.features.traps, *c.features.guardians, str(c.features.pick_two), *c.heroes, *c.village,
        str(c.later and (c.later.winner, c.later.remaining)), str(c.seed),
    )  # fmt: skip
    if c.later is not None and c.later.earlier is not None:
        had = (card for cards in c.later.earlier for card in cards)
        parts = (*parts, *had, *(str(each) for each in c.later.leftovers or ("unknown",)))
    return " ".join(parts)


def test_the_longest_code_fits(cat: Catalogue) -> None:
    assert prod(part.base for part in _parts(1, "normal", cat.pool)) <= 32 ** (LENGTH - 3)
    made = generate_setup(sets=["base", "wrath", "promo"], seed=SEEDS - 1, players=5, monsters=8)
    assert len(made.code) <= LENGTH
    for variant in ("pursuit", "odyssey"):
        assert prod(part.base for part in _parts(NEWEST, variant, cat.pool)) <= 32 ** (LONGEST_CODE - 3)


def test_the_alphabet_has_no_look_alikes() -> None:
    assert len(set(ALPHABET)) == 32
    assert not set("01IO") & set(ALPHABET)


SAMPLES = [
    generate_setup(seed=7).code,
    generate_setup(sets=["base", "wrath", "promo"], seed=SEEDS - 1, players=5, monsters=8).code,
    generate_setup(first_game="base").code,
    "49BBCNRQ54MUL3C9QG7XANCNLED",
    "434YTK9AX83FRT3694BWQSQN",
]


@pytest.mark.parametrize("code", SAMPLES)
def test_every_single_wrong_character_is_refused(code: str, cat: Catalogue) -> None:
    for i, sign in itertools.product(range(len(code)), ALPHABET + "01OI-é"):
        typo = code[:i] + sign + code[i + 1 :]
        if sign != code[i]:
            refused(typo, cat)


@pytest.mark.parametrize("code", SAMPLES)
def test_every_swap_of_two_characters_is_refused(code: str, cat: Catalogue) -> None:
    for i, j in itertools.combinations(range(len(code)), 2):
        signs = list(code)
        signs[i], signs[j] = signs[j], signs[i]
        if code[i] != code[j]:
            refused("".join(signs), cat)


@pytest.mark.parametrize("code", SAMPLES)
def test_a_missing_or_extra_character_is_refused(code: str, cat: Catalogue) -> None:
    for i in range(len(code)):
        refused(code[:i] + code[i + 1 :], cat)
    for sign in ALPHABET:
        refused(code + sign, cat)
        refused(sign + code, cat)


@pytest.mark.parametrize("text", ["", "2", "ABC", "привет", "3" * 25, "3" * 24, "🜁" * 5])
def test_nonsense_is_refused(text: str, cat: Catalogue) -> None:
    refused(text, cat)


def test_a_newer_version_is_told_apart_from_a_typo(cat: Catalogue) -> None:
    signs = [NEWEST + 1, 4, 9, 20, 3, 17, 2]
    code = "".join(ALPHABET[s] for s in (*signs, *_check(signs)))
    with pytest.raises(NoAnswerError) as caught:
        decode(code, cat)
    assert caught.value.code == "newer-code"


def test_small_letters_blanks_and_hyphens_do_not_matter(cat: Catalogue) -> None:
    code = SAMPLES[0]
    spoken = f" {code[:4].lower()}-{code[4:9]} {code[9:].lower()} "
    assert decode(spoken, cat) == decode(code, cat)


def refused(text: str, cat: Catalogue) -> None:
    with pytest.raises(NoAnswerError) as caught:
        decode(text, cat)
    assert caught.value.code in ("bad-code", "newer-code")


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "players": draw(st.integers(2, 5)),
        "balanced": draw(st.booleans()),
        "stones": draw(st.integers(0, 3)),
        "classes": draw(st.sets(st.integers(0, 11), min_size=3, max_size=8)),
        "traps": draw(st.sets(st.integers(0, 1))),
        "guardians": draw(st.sets(st.integers(0, 1))),
        "heroes": draw(st.sets(st.integers(0, 18), min_size=4, max_size=4)),
        "village": draw(st.sets(st.integers(0, 32), min_size=8, max_size=8)),
        "later": draw(st.none() | st.tuples(st.integers(1, 2), st.integers(0, MAX_LEFT))),
        "earlier": draw(st.none() | st.tuples(st.sets(st.integers(0, 11), min_size=3), st.booleans(), st.booleans())),
        "rest": draw(st.none() | st.integers(0, 10)),
        "seed": draw(st.integers(0, SEEDS - 1)),
    }


@given(contents())
@pytest.mark.thorough
@settings(max_examples=several(50, 400), deadline=None, derandomize=True)
def test_codes_come_back(cat: Catalogue, raw: dict[str, Any]) -> None:
    pool = cat.pool
    campaign = raw["later"] is not None
    stones = [(s,) for s in pool.stones] + [pool.stones, pool.stones[::-1]]
    content = Content(
        sets=("base", "wrath", "promo"),
        players=raw["players"],
        variant="pursuit" if campaign else "normal",
        level=None,
        layout=None,
        balanced=raw["balanced"],
        stones=stones[raw["stones"] % 2 if campaign else raw["stones"]],
        classes=pick(pool.classes, raw["classes"]),
        features=Features(pick(pool.features, raw["traps"]), pick(pool.guardians, raw["guardians"])),
        heroes=pick(pool.heroes, raw["heroes"]),
        village=pick(pool.village, raw["village"]),
        later=following(Later(*raw["later"]), raw, pool) if campaign else None,
        seed=raw["seed"],
    )
    code = encode(content, cat)
    assert len(code) <= (LENGTH if content.later is None or content.later.earlier is None else LONGEST_CODE)
    assert decode(code, cat) == content


def following(later: Later, raw: dict[str, Any], pool: Pool) -> Later:
    """The later game with what earlier ones had, if anything is said of them, and with up to twice as much left."""
    if raw["earlier"] is None:
        return later
    classes, traps, guardians = raw["earlier"]
    had = Earlier(
        classes=pick(pool.classes, classes - raw["classes"]),
        traps=() if not traps or raw["traps"] else pool.features,
        guardians=() if not guardians or raw["guardians"] else pool.guardians,
    )
    left = 2 * later.remaining
    rest = None if raw["rest"] is None or left < 12 else Leftovers(raw["rest"], had.guardians)
    return Later(later.winner, left, had, rest)


def pick(pool: tuple[str, ...], places: set[int]) -> tuple[str, ...]:
    return tuple(card for i, card in enumerate(pool) if i in places)


def test_the_newest_pool_holds_every_card_of_the_database(cat: Catalogue) -> None:
    kinds = {card.id: card.kind for card in cat.cards.values()}
    families = {card.family: card.kind for card in cat.cards.values() if card.family}
    assert set(cat.pool.heroes) == {f for f, kind in families.items() if kind == "hero"}
    assert set(cat.pool.classes) == {f for f, kind in families.items() if kind == "monster"}
    assert set(cat.pool.features) == {f for f, kind in families.items() if kind == "trap"}
    assert set(cat.pool.village) == {card for card, kind in kinds.items() if kind == "village"}
    assert set(cat.pool.guardians) == {card for card, kind in kinds.items() if kind == "guardian"}
    assert set(cat.pool.stones) == {card for card, kind in kinds.items() if kind == "thunderstone"}
