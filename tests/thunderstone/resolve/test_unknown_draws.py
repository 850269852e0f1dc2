"""What a draw could change, worked out by hand from the figures on the cards."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from thunderref.database.operations import Draw, Effect
from thunderref.database.read import Language, open_database
from thunderref.pages.battle_page import draws_text, headline, target_page, verdict
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import Draws, Probability
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.resolve.unknown_draws import Sorter
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.cards import Cards, CardSpec

DECK = ["4 militia", "2 torch", "fireball", "flaming sword"]
# Priest 2, Militia 1 + 1, Dagger 1: 5 against 7, and one card is drawn (R2.2)
PRIEST = {"hand": ["regian priest", "2 militia", "iron rations", "torch", "dagger"], "hall": ["griffon"]}


def draws(document: dict[str, Any], **more: Any) -> Draws | None:
    return resolve({**document, **more}, gaps=True).targets[0].draws


def test_two_of_eight_cards_would_win() -> None:
    found = draws(PRIEST, deck_list=DECK)
    assert found == Draws(
        by=["regian-priest"], would_win=["fireball", "flaming-sword"], chance=Probability(fraction="1/4", percent=25.0)
    )


@pytest.mark.parametrize("known", [{"deck_list": ["4 militia"]}, {"deck_size": 0}])
def test_no_draw_helps(known: dict[str, Any]) -> None:
    assert draws(PRIEST, **known) is None
    assert draws({"hand": ["2 militia", "torch"], "hall": ["griffon"]}) is None


def test_one_card_after_the_last_comes_from_the_discard_pile() -> None:
    """Foresight Elixir draws two: the last of the deck and one of the new deck (R2.2)."""
    elixir = {"hand": ["3 militia", "foresight elixir", "torch", "dagger"], "hall": ["griffon"]}
    found = draws(elixir, deck_list=["torch"], discard=["fireball", "3 torch"])
    assert found is not None
    assert (found.would_win, found.chance) == (["fireball"], Probability(fraction="1/4", percent=25.0))
    short = draws(PRIEST, deck_list=["torch"], discard=["fireball"])
    assert short is None


def test_cards_that_win_only_together() -> None:
    found = draws({"hand": ["regian priest", "foresight elixir", "militia"], "hall": ["griffon"]}, deck_list=DECK)
    assert found is not None
    assert found.would_win == [["fireball", "militia"]]


def test_any_card_may_come_from_an_unknown_deck() -> None:
    found = draws(PRIEST)
    assert found is not None
    assert found.chance is None
    assert {"fireball", "flaming-sword", "regian-priest"} <= {str(each) for each in found.would_win}
    assert "torch" not in found.would_win


def test_nothing_is_called_impossible_that_a_draw_may_bring() -> None:
    words = Language(open_database(), "en")
    known = resolve({**PRIEST, "deck_list": DECK}, words=words, gaps=True)
    assert headline(known.targets[0], words).endswith(
        "; you win if Regian Priest draws Fireball or Flaming Sword (25 %)"
    )
    assert verdict(known, words) == "No sure victory was found; Griffon, rank 1, has the best chance (25 %)."
    never = resolve({**PRIEST, "deck_list": ["4 militia"]}, words=words, gaps=True)
    assert headline(never.targets[0], words).startswith("Cannot be beaten: Griffon")
    assert verdict(never, words) == "Griffon, rank 1, cannot be beaten."


# one line a case: hand, monster, (by, one that would win, one that would not); R4.11
UNKNOWN = [
    # Witch 3, unopposed + 3; 3 Militia: 6 against 7, and 9 if nobody discards a spell
    (["runespawn witch", "3 militia", "torch"], "griffon", ("runespawn-witch", "", "")),
    (["illusory blade", "militia", "iron rations", "torch"], "nixie", ("illusory-blade", "short-sword", "hatchet")),
    (["toryn gladiator", "torch"], "griffon", ("toryn-gladiator", "hatchet", "dagger")),
    (["selurin theurge", "militia", "torch"], "griffon", ("selurin-theurge", "thyrian-knight", "militia")),
    (["diin enchanter", "2 militia", "torch"], "griffon", ("diin-enchanter", "elf-sorcerer", "redblade-killer")),
]


@pytest.mark.parametrize(("hand", "monster", "win"), UNKNOWN)
def test_what_nobody_named_may_win(hand: list[str], monster: str, win: tuple[str, str, str]) -> None:
    words = Language(open_database(), "en")
    found = resolve({"hand": hand, "hall": [monster]}, words=words, gaps=True)
    (target,) = found.targets
    (hope,) = target.unknown_wins
    by, wins, loses = win
    assert target.unknown == [hope.by] == [by]
    assert not wins or wins in hope.would_win
    assert loses not in hope.would_win
    assert "annot be beaten" not in headline(target, words) + verdict(found, words)


def test_every_hero_who_may_be_lent_is_weighed() -> None:
    hand = ["arcane energies", "iron rations", "foresight elixir", "cursed mace", "regian cleric", "selurin theurge"]
    found = resolve({"hand": hand, "hall": ["lord mortis", "bronze golem", "iron golem"]}, gaps=True)
    assert [(win.would_win, win.proven) for win in found.targets[2].unknown_wins] == [(["blind-grandmaster"], True)]


def test_a_lent_hero_who_draws_is_no_other_without_the_draw() -> None:
    """What the hero draws counts where the deck is known; from an unknown one nothing comes that anybody knows."""
    store, killer = open_database(), open_database().cards["redblade-killer"]
    draw = Effect(id="e1", timing="dungeon", do=(Draw(amount=1),))
    for deck, kinds in (["fireball"], 2), ([], 1):
        battle = read_document(Scenario, {"hand": ["selurin theurge"], "hall": ["griffon"], "deck": deck})
        game, state = position(battle, store, Finder(store, None))
        cards = Cards({**game.cards, "drawer": CardSpec(structs.replace(killer, id="drawer"), (draw,))})
        game = game.changed(cards=cards)
        sorter = Sorter(game, state, Surroundings(game, state))
        assert len(sorter.sort(["redblade-killer", "drawer"])) == kinds


@pytest.mark.parametrize("mover", ["elf archmage", "banish", "magi staff"])
def test_a_monster_not_yet_turned_up_may_be_beaten(mover: str) -> None:
    words = Language(open_database(), "en")
    unknown = resolve({"hand": [mover, "torch"], "hall": ["sphinx", "skaladak"]}, words=words, gaps=True)
    assert "No victory is possible" not in verdict(unknown, words)
    known = resolve({"hand": ["elf wizard", "torch"], "hall": ["sphinx", "skaladak"]}, words=words, gaps=True)
    assert "No victory is possible" in verdict(known, words)


# one line a case: hand and hall, of which the last monster is beaten by a draw only
DRAWN = [
    (["chalice defender", "elf wizard", "torch", "dagger"], ["horde-9"]),
    # R5.1: an Elixir bars Air Wrath, so the Priest must be the first to draw
    (["foresight elixir", "regian priest", "2 militia", "torch"], ["air wrath"]),
    # Defender and Priest draw for nothing, and most cards that lose cover others
    (
        ["chalice defender", "regian priest", "illusory blade", "iron rations", "warhammer", "blind neophyte"],
        ["horde-7", "bloodskull orc", "fire wrath"],
    ),
]


@pytest.mark.parametrize(("hand", "hall"), DRAWN)
def test_every_card_that_would_win_is_listed(hand: list[str], hall: list[str]) -> None:
    """What the list says is what a search says with the card on the deck, for each card of the boxes."""
    document = {"hand": hand, "hall": hall}
    draws = resolve(document, gaps=True).targets[-1].draws
    assert draws is not None
    assert draws.proven
    for card in open_database().cards.values():
        if card.kind in ("hero", "village", "basic") and card.reprint_of is None:
            drawn = resolve({**document, "deck": [card.id]}).targets[-1]
            assert (drawn.outcome == "victory") == (card.id in draws.would_win), card.id


def test_a_list_cut_short_says_so() -> None:
    words = Language(open_database(), "en")
    draws = Draws(by=["banish"], would_win=["spear"], proven=False)
    assert draws_text(draws, words) == "you win if Banish draws Spear, among others"


def test_a_percentage_stands_beside_its_condition() -> None:
    """Two of four Militia with a Fireball win, too: the chance of the pair alone is less than that in all."""
    words = Language(open_database(), "en")
    elixir = {"hand": ["regian priest", "foresight elixir", "militia"], "hall": ["griffon"], "deck_list": DECK}
    (target,) = resolve(elixir, words=words, gaps=True).targets
    assert target.draws is not None
    assert not target.draws.covers
    assert "%, for example with Fireball + Militia" in draws_text(target.draws, words)


def test_the_largest_chance_is_best() -> None:
    """Both are 5 short, Noxious Slag in front; Fireball beats only Griffon, for Slag halves Magic Attack."""
    words = Language(open_database(), "en")
    hand, deck = ["regian priest", "militia", "torch", "dagger"], ["3 torch", "fireball"]
    found = resolve({"hand": hand, "hall": ["noxious slag", "griffon"], "deck_list": deck}, words=words, gaps=True)
    assert [target.margin for target in found.targets] == [-5, -5]
    assert found.best_monster == "griffon"
    certain = resolve({**PRIEST, "deck_list": ["2 fireball"]}, words=words, gaps=True)
    assert "If it does not" not in str(target_page(certain.targets[0], words))


def test_what_only_one_card_allows_is_said_of_no_other() -> None:
    """R4.10: Diin Beguiler copies onto a Militia; a Thug of the same figures but for Strength is none."""
    hand = ["magi staff", "selurin warlock", "diin beguiler", "magical aura", "feayn archer", "divine chaplain"]
    found = resolve({"hand": hand, "hall": ["gray ooze", "revenant", "fire wrath"]}, gaps=True).targets[2].draws
    assert found is not None
    assert "militia" in found.would_win
    assert "gangland-thug" not in found.would_win
