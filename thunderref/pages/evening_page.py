"""The evening as pages: the table as it is, what happened, the sheet to keep."""

from __future__ import annotations

from thunderref.database.read import Language
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.visit_page import score_pages
from thunderref.thunderstone.resolve.final_score import final_score
from thunderref.thunderstone.table.evening import Evening, EveningEvent, EveningPlayer
from thunderref.thunderstone.table.evening_events import vp_of


def evening_page(now: Evening, words: Language) -> Page:
    """Whose turn it is, the hall, the players, what is left of the stacks."""
    title = words.say("play.turn", name=now.active.name, n=now.turn)
    ranks = [*enumerate(now.hall, 1), *((0, card) for card in now.rank0)]
    hall = [
        Line(f"{words.say('serve.rank', rank=n)}: {words.card(card) if card else words.say('evening.unnamed')}")
        for n, card in ranks
    ]
    players = [Line(f"{each.name}: {figures_of(each, words)}") for each in now.players]
    left = ", ".join(f"{words.card(card)} {n}" for card, n in now.stacks.items() if n > 0)
    gone = ", ".join(words.card(card) for card, n in now.stacks.items() if n <= 0)
    stacks = [Line(left), *([Line(words.say("evening.sold-out", cards=gone))] if gone else [])]
    return Page(
        words.say("evening.over") if now.over else title,
        [],
        [
            Block(hall, words.say("evening.hall")),
            Block(players, words.say("setup.section.players")),
            Block(stacks, words.say("evening.stacks")),
        ],
    )


def figures_of(player: EveningPlayer, words: Language) -> str:
    """A player's XP, VP and number of cards."""
    return words.say("evening.player", xp=player.xp, vp=vp_of(player, words), n=player.deck.total())


def told(event: EveningEvent, words: Language) -> str:
    """One event in a sentence."""
    key: str = event.do
    if key == "battle":
        key = "won" if event.won else "lost"
    elif key == "hall":
        key = "hall-is"
    elif key in ("visit", "rest"):
        key += "" if event.gained or event.destroyed else ".nothing"
    elif key == "correct":
        key += ".deck" if event.gained or event.destroyed else ""
    cards = event.destroyed if key == "rest" else event.gained
    if key == "hall-is":
        cards = tuple(card for card in event.hall or () if card)
    return words.say(
        f"evening.{key}", name=event.player, card=words.card(event.monster) if event.monster else "",
        cards=words.listed(cards), total=event.total, health=event.health,
        players=", ".join(event.players),
    )  # fmt: skip


def log_page(now: Evening, words: Language) -> Page:
    lines = [Line(f"{n}. {told(event, words)}") for n, event in enumerate(now.events, 1)]
    return Page(words.say("evening.log"), [], [Block(lines)])


def sheet_pages(now: Evening, words: Language) -> list[Page]:
    """The sheet of the evening: the score, then by player what they beat, and the best battle."""
    *players, end = score_pages(words, final_score({"players": now.decks}, words=words))
    for place, each in enumerate(now.players):
        won = [event.monster for event in each.battles if event.won]
        lines = [Line(words.say("evening.beat", n=len(won), cards=words.listed(won)))] if won else []
        players[place] = players[place]._replace(blocks=[Block(lines), *players[place].blocks])
    fought = [event for each in now.players for event in each.battles if event.won]
    best = max(fought, key=lambda event: (event.total or 0, event.health), default=None)
    lines = [Line(words.say("evening.turns", n=now.turn))]
    if best is not None:
        lines.append(Line(words.say("evening.best", what=told(best, words))))
    end = end._replace(title=words.say("evening.sheet"), blocks=[*end.blocks, Block(lines)])
    return [end, *players]
