"""Cards that go round the table and come back: Selurin Theurge, Toryn Gladiator (R2.4, R4.7)."""

from __future__ import annotations

from support.turns import attack, choose, do, finish, turn, use
from thunderref.thunderstone.rules.choices import Equip
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Position

BACK = "a card borrowed back is not yet the same card"


def lent(hand: list[str], card: str, **more: object) -> tuple[Game, Position]:
    """A turn in which the Theurge has had ``card`` discarded and borrowed it back."""
    game, state = turn(["selurin-theurge", *hand], ["griffon"], **more)
    return game, do(game, state, use("selurin-theurge"), choose("discard", (card, 1)), choose("borrow", (card, 1)))


def test_the_theurge_may_leave_the_hero_on_the_discard_pile() -> None:
    game, state = turn(["selurin-theurge", "militia"], ["griffon"])
    state = do(game, state, use("selurin-theurge"), choose("discard", ("militia", 1)), choose("decline", None))
    assert state.discarded == (("militia", 1),)


def test_a_borrowed_card_goes_back_to_its_owner_after_the_battle() -> None:
    game, state = lent(["militia", "torch"], "militia")
    state = finish(game, do(game, state, attack(1)))
    assert ("militia", 1) in state.discarded


def test_a_borrowed_hero_has_used_what_he_has_used() -> None:
    game, state = turn(["selurin-theurge", "runespawn-adept", "militia"], ["griffon"])
    adept = ("runespawn-adept", 1)
    state = do(game, state, use("runespawn-adept"), use("selurin-theurge"))
    state = do(game, state, choose("discard", adept), choose("borrow", adept))
    assert use("runespawn-adept") not in legal_actions(game, state)


def test_what_a_borrowed_hero_gave_others_counts_once() -> None:
    """Sergeant 2, Theurge 2 doubled, Dagger 1 and once 1 for the armed Theurge, the penalty of rank 1 off (R5.4)."""
    game, state = turn(["selurin-theurge", "clan-sergeant", "dagger"], ["griffon"])
    sergeant = ("clan-sergeant", 1)
    state = do(game, state, use("clan-sergeant"), use("selurin-theurge"))
    state = do(game, state, choose("discard", sergeant), choose("borrow", sergeant))
    state = do(game, state, Equip(("dagger", 1), ("selurin-theurge", 1)), attack(1))
    outcome = finish(game, state).outcome
    assert outcome is not None
    assert outcome.total == 6


def test_no_cost_is_waived_because_the_only_militia_is_borrowed() -> None:
    game, state = lent(["militia", "diin-enchanter"], "militia", village=["elf-wizard"])
    if use("diin-enchanter") in legal_actions(game, state):
        state = do(game, state, use("diin-enchanter"))
        assert {action.key for action in legal_actions(game, state)} == {"discard"}


def test_a_conjured_weapon_that_is_thrown_is_destroyed_once() -> None:
    """Thrown it has left the game; the end of the battle does not destroy it again (R5.3)."""
    hand = ["illusory-blade", "thyrian-knight", "torch", "torch", "torch"]
    game, state = turn(hand, ["griffon", "grudgebeast", "tyxr-the-old"], village=["spear"])
    state = do(game, state, use("illusory-blade"), choose("draw", "spear"), choose("to", ("thyrian-knight", 1)))
    state = do(game, state, use("spear"))
    for rank in (1, 2, 3):
        assert finish(game, do(game, state, attack(rank))).destroyed.count(("spear", 1)) == 1
