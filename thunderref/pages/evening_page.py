"""The evening as pages: the table as it is, what happened, the sheet to keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from thunderref.database.read import Language
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.visit_page import score_pages
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.evening import Evening, EveningEvent, EveningPlayer
from thunderref.thunderstone.table.evening_events import escaped_vp, has_unnamed_escape, score_evening, vp_of

MINUS = "\N{MINUS SIGN}"


def evening_page(now: Evening, words: Language, *, whole: bool = True) -> Page:
    """Whose turn it is or who won, the hall, the players, the stacks: unless ``whole`` those that changed."""
    ranks = [*enumerate(now.hall, 1), *((0, card) for card in now.rank0)]
    names = [words.say("evening.unnamed") if card is None else words.card(card) if card else "–" for _, card in ranks]
    hall = [Line(f"{words.say('serve.rank', rank=n)}: {name}") for (n, _), name in zip(ranks, names, strict=True)]
    players = [Line(f"{player.name}: {figures_of(player, words)}") for player in now.players]
    first = now.events[0].stacks
    stacks_shown = {card: n for card, n in now.stacks.items() if whole or n != first.get(card)}
    on_sale = ", ".join(f"{words.card(card)} {n}" for card, n in stacks_shown.items() if n > 0)
    sold_out = ", ".join(words.card(card) for card, n in now.stacks.items() if n <= 0)
    stacks = [Line(text) for text in (on_sale, sold_out and words.say("evening.sold-out", cards=sold_out)) if text]
    stacks += [] if whole else [Line(words.say("evening.whole"))]
    blocks = (hall, "evening.hall"), (players, "setup.section.players"), (stacks, "evening.stacks")
    return Page(title_of(now, words), [], [Block(lines, words.say(key)) for lines, key in blocks])


def title_of(now: Evening, words: Language) -> str:
    """Whose turn it is; once the game has ended, who won it."""
    if not now.finished:
        return words.say("evening.over") if now.over else words.say("play.turn", name=now.active.name, n=now.turn)
    scores, monsters = score_evening(now, words), escaped_vp(now, words)
    best = max(player.vp for player in scores.players)
    if now.variant == "solo":
        how = "won" if scores.winners else "open" if has_unnamed_escape(now) and best > monsters else "lost"
        return words.say(f"evening.solo-{how}", vp=best, monsters=monsters)
    key = "winner" if len(scores.winners) == 1 else "winners"
    return words.say(f"evening.{key}", names=", ".join(scores.winners), vp=best)


def start_lines(setup: Setup, words: Language) -> list[str]:
    """The lines that a table needs to begin: the monsters, and the code."""
    dungeon = (*setup.content.classes, *setup.content.features.cards, *setup.content.stones)
    texts = {"evening.dungeon": setup.naming.names(dungeon), "setup.code": setup.code}
    return [f"{words.say(key)}: {text}" for key, text in texts.items()]


def figures_of(player: EveningPlayer, words: Language) -> str:
    """A player's XP, VP and number of cards."""
    return words.say("evening.player", xp=player.xp, vp=vp_of(player, words), n=player.deck.total())


def event_text(event: EveningEvent, words: Language) -> str:
    """One event in sentences: what was done, and everything that left or came with it."""
    return " ".join(_event_sentences(event, words))


def _event_sentences(event: EveningEvent, words: Language) -> Iterator[str]:
    bought = [str(step["buy"]) for step in event.line if "buy" in step]
    risen = [str(step["to"]) for step in event.line if "level_up" in step]
    key, cards, came = str(event.do), event.gained, Counter[str]()
    if key == "battle":
        key = "no-battle" if not event.monster else ("won" if event.won else "lost") + (".seen" if event.seen else "")
        came = Counter(event.gained) - Counter([event.monster] if event.won else [])
    elif key == "hall":
        key, cards, came = "hall-is", tuple(card for card in event.hall or () if card), Counter(event.gained)
    elif key == "visit":
        cards = tuple(bought) if event.line else event.gained
        key, came = key + ("" if cards else ".nothing"), Counter(event.gained) - Counter((*cards, *risen))
    elif key == "rest":
        key, cards = key + ("" if event.destroyed else ".nothing"), event.destroyed
    elif key in ("correct", "penalty"):
        is_own = event.xp or event.gained or event.destroyed or event.penalty or event.penalties is not None
        key, came = "corrected" if is_own else "corrected.table", Counter(event.gained)
    yield words.say(
        f"evening.{key}", name=event.player, card=words.card(event.monster) if event.monster else "",
        cards=words.listed(cards), total=event.total, health=event.health, players=", ".join(event.players),
    )  # fmt: skip
    lost = () if key.startswith(("rest", "level")) else event.destroyed
    tail = {"level": risen, "came": [*came.elements()], "left": lost, "unseen": event.unseen, "toll": event.toll}
    if key.startswith("corrected"):
        yield from _corrections(event, words)
    else:
        tail |= {"caged": event.caged or (), "escaped": event.lost or ()}
    for name, listed in tail.items():
        if listed:
            yield words.say(f"evening.{name}", name=event.player, cards=words.listed(listed))
    if event.xp:
        yield words.say("evening.xp", xp=f"{event.xp:+}".replace("-", MINUS))
    for name, card in ("penalty", event.penalty), ("breach", event.breach):
        if card:
            yield words.say(f"evening.{name}", card=words.card(card))
    if event.stacks and event.do != "start":
        counts = ", ".join(f"{words.card(card)} {n}" for card, n in event.stacks.items())
        yield words.say("evening.stacks-now", cards=counts)
    if event.over:
        yield words.say("evening.game-over")


def _corrections(event: EveningEvent, words: Language) -> Iterator[str]:
    """The sentences that say what lies where after a correction, and how many tokens."""
    lists = {"rank0": event.rank0, "caged": event.caged, "escaped": event.lost, "penalties": event.penalties}
    texts = {name: words.listed(cards) or "–" for name, cards in lists.items() if cards is not None}
    texts |= {} if event.tokens is None else {"tokens": str(event.tokens)}
    for name, text in texts.items():
        yield f"{correction_title(name, words)}: {text}."


def correction_title(name: str, words: Language) -> str:
    """The words for what can be corrected, those of the command's help."""
    return words.say(f"help.evening.correct.{name}").rstrip(".")


def log_page(now: Evening, words: Language) -> Page:
    lines = [Line(f"{n}. {event_text(event, words)}") for n, event in enumerate(now.events, 1)]
    return Page(words.say("evening.log"), [], [Block(lines)])


def sheet_pages(now: Evening, words: Language) -> list[Page]:
    """The sheet of the evening: the score, then by player how many they beat, and the best battle."""
    *players, end = score_pages(words, score_evening(now, words))
    if now.variant == "solo" and now.finished:  # nobody but the monsters to win against
        end = end._replace(blocks=[Block([Line(title_of(now, words))])])
    elif not now.has_winner:
        end = end._replace(blocks=[])
    for place, player in enumerate(now.players):
        won = sum(event.won for event in player.battles)
        lines = [Line(words.say("evening.beat", n=won))] if won else []
        players[place] = players[place]._replace(blocks=[Block(lines), *players[place].blocks])
    fought = [event for player in now.players for event in player.battles if event.won]
    best = max(fought, key=lambda event: (event.total or 0, event.health), default=None)
    lines = [Line(words.say("evening.turns", n=now.turn))]
    if best is not None:
        lines.append(Line(words.say("evening.best", what=next(_event_sentences(best, words)))))
    return [end._replace(title=words.say("evening.sheet"), blocks=[*end.blocks, Block(lines)]), *players]
