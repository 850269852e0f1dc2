"""The page of ``serve`` for Thorgal: the game under way, or a fight in it. Nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping

from thunderref.cli.thorgal.duel import duel_of, is_card
from thunderref.cli.thorgal.fight import chance_page, fight_page
from thunderref.cli.thorgal.picture import cards_of
from thunderref.cli.thorgal.round import game_path
from thunderref.cli.thorgal.table import board_blocks, next_page, seat_lines
from thunderref.errors import InputError
from thunderref.pages.page import Block, Page
from thunderref.text.language import Language
from thunderref.thorgal.dice import MOST_REROLLS, best_chance
from thunderref.thorgal.fight import best_fight
from thunderref.thorgal.game_file import read_steps
from thunderref.thorgal.tiles import read_tiles


def served_page(words: Language, asked: Mapping[str, str]) -> Page:
    """What the address asks for: ``fight`` (players, enemies, cards) with ``tiles`` or ``rerolls``, else the game."""
    typed = [word for word in asked.get("fight", "").split() if word != "-"]  # that would be the terminal's input
    tiles = asked.get("tiles", "").strip()
    if not typed and not tiles and "go" not in asked:
        table = read_steps(game_path(None))[1]
        page, _ = next_page(words, table, "")
        boards = board_blocks(words, table, range(len(table.seats)))
        people = Block(seat_lines(words, table), words.say("thorgal.round.characters"))
        return page._replace(blocks=[*page.blocks[-1:], *boards, people, *page.blocks[:-1]])
    rerolls = asked.get("rerolls", "") or "0"
    if not rerolls.isdecimal() or len(rerolls) > 2:
        raise InputError("thorgal-number", name="--rerolls", n=rerolls[:9], least=0, most=MOST_REROLLS)
    duel = duel_of(typed, None, words)
    if tiles:
        cards = duel.cards if duel else cards_of(typed)
        fight = best_fight(cards, read_tiles(tiles), threat=duel.seat.threat if duel else 0)
        return fight_page(words, fight)
    if duel is None:
        raise InputError("thorgal-no-tiles" if any(map(is_card, typed)) else "thorgal-card-missing")
    chance = best_chance(duel.cards, duel.shown(critical=False), duel.dice, rerolls=int(rerolls))
    return chance_page(words, chance, duel)
