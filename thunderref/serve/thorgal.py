"""The page of ``serve`` for Thorgal: the game under way, or a fight in it. Nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thunderref.database.read import Language
from thunderref.errors import InputError, ThunderrefError
from thunderref.pages.page import Page
from thunderref.pages.thorgal_page import board_blocks, chance_page, characters_block, fight_page, next_page
from thunderref.serve.tapped_pages import MOST_TEXT
from thunderref.serve.visitor import Visitor
from thunderref.thorgal.fight import MOST_REROLLS, best_chance, best_fight, is_card, noted_fight
from thunderref.thorgal.game_file import game_path, game_under_way, read_steps
from thunderref.thorgal.grid import read_cards
from thunderref.thorgal.laying import read_tiles

PARAMETERS = ("fight", "tiles", "rerolls", "go")


def thorgal_page(visitor: Visitor, query: Mapping[str, str]) -> dict[str, Any]:
    """The game of Thorgal under way, or a fight in it; or what is wrong with the question."""
    asked = {name: text[:MOST_TEXT] for name, text in query.items() if name in PARAMETERS}
    try:
        return {"page": _page(visitor.words, asked), "error": "", "asked": asked}
    except ThunderrefError as error:
        return {"page": None, "error": visitor.words.error(error, on_page=True), "asked": asked, "refused": bool(asked)}


def _page(words: Language, asked: Mapping[str, str]) -> Page:
    """What the address asks for: ``fight`` (players, enemies, cards) with ``tiles`` or ``rerolls``, else the game."""
    typed = [word for word in asked.get("fight", "").split() if word != "-"]  # that would be the terminal's input
    tiles = asked.get("tiles", "").strip()
    if not typed and not tiles and "go" not in asked:
        table = read_steps(game_path(None))[1]
        page, _ = next_page(words, table, "")
        boards = board_blocks(words, table, range(len(table.seats)))
        return page._replace(blocks=[*page.blocks[-1:], *boards, characters_block(words, table), *page.blocks[:-1]])
    rerolls = asked.get("rerolls", "") or "0"
    if not rerolls.isdecimal() or len(rerolls) > 2:
        raise InputError("thorgal-number", name="--rerolls", n=rerolls[:9], least=0, most=MOST_REROLLS)
    noted = noted_fight(words, game, typed) if (game := game_under_way(None)) else None
    if tiles:
        cards = noted.cards if noted else read_cards(typed)
        return fight_page(words, best_fight(cards, read_tiles(tiles), threat=noted.seat.threat if noted else 0))
    if noted is None:
        raise InputError("thorgal-no-tiles" if any(map(is_card, typed)) else "thorgal-card-missing")
    chance = best_chance(noted.cards, noted.shown(critical=False), noted.dice, rerolls=int(rerolls))
    return chance_page(words, chance, noted)
