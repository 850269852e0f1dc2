"""A visit to the village and the score at the end, as pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from thunderref.database.read import Language
from thunderref.pages.card_page import chosen_lines
from thunderref.pages.page import Block, Line, Page, PageLink, cost_text, links_to_cards, table_line
from thunderref.pages.play_text import played_lines
from thunderref.thunderstone.resolve.result import NextLevel, PlayerScore, ScoreResult, VisitResult, VisitWay
from thunderref.thunderstone.resolve.sums import reckon

_MOST_PRINTED, _MOST_TAPPED = 6, 40
"""More purchases than this are counted, not shown."""
_FIRST = 6
"""Where there is little room, so many of them show at once."""


def visit_pages(result: VisitResult, words: Language, *, typed: bool = True, listed: bool = True) -> list[Page]:
    """What a visit brings: its gold and sum, then what it can buy, or else, as a page of its own, what is left over.

    Where nothing is ``typed``, no option of the command line is named; unless ``listed``, what can be bought is shown
    elsewhere.
    """
    effects = (step for step in result.steps if step.part == "effects")
    done = [*played_lines(result.line, effects, words, at="village")]
    blocks, remarks = [Block(done, words.say("resolve.do"))], [Line(table_line(words, result.table))]
    if counted := [step.gold for step in result.steps if step.gold]:
        gold = words.say("village.sum", sum=reckon(counted), gold=result.gold)
        blocks.append(Block([Line(gold, note="R3.2")], words.say("resolve.reckon")))
    protocol = list[Block]()
    for part in ("effects", "gold", "buy", "level"):
        lines = [Line(step.text, note=" ".join(step.rules)) for step in result.steps if step.part == part]
        protocol.append(Block(lines, words.say(f"village.{part}"), more=True))
    if result.unknown_draws:
        remarks.append(Line(words.say("village.unknown-draws", n=result.unknown_draws)))
    if result.unknown:
        links = links_to_cards(words, result.unknown)
        cards = words.listed(result.unknown)
        remarks.append(Line(words.say("village.unknown", cards=cards), links=links))
    remarks += map(Line, chosen_lines(words, result.readings_chosen))
    if not result.proven:
        remarks.append(Line(words.say("village.unproven")))
    headline = words.say("village.headline", gold=result.gold, buys=result.buys, xp=result.xp)
    levelled = Counter(step["level_up"].partition("#")[0] for step in result.line if "level_up" in step)
    headline += cost_text(words, (Counter(result.destroyed) - levelled).elements()) + "."
    if any(step.part in ("buy", "level") for step in result.steps):
        left = words.say("village.headline-left", gold=result.gold_left, xp=result.xp_left)
        return [Page(headline, [], [*blocks, *protocol]), Page(left, [], [Block(remarks)])]
    offer = Block([] if result.options else [Line(words.say("village.no-options"))])
    offer = _options(result, words, typed) if result.options and listed else offer
    bought = {card for option in result.options for card in option.buy}
    on_offer = {kind for card in bought for kind in words.database.cards[card].types}
    after = [Line(words.say(f"village.after.{kind}")) for kind in sorted({*result.buys_after} & on_offer)]
    lines = level_up_lines(words, result.level_ups, stacks_known=result.stacks_known)
    ways = [Block(lines, words.say("village.level-ups")), _ways(result, words), Block(remarks)]
    return [Page(headline, [], [*blocks, offer, Block(after), *ways, *protocol])]


def _options(result: VisitResult, words: Language, typed: bool) -> Block:
    most, lines = _MOST_PRINTED if typed else _MOST_TAPPED, list[Line]()
    for option in result.options[:most]:
        links = links_to_cards(words, option.buy)
        cards, key = " + ".join(link.words for link in links), "village.option-vp" if option.vp else "village.option"
        lines.append(Line(words.say(key, cards=cards, cost=option.cost, left=option.left, vp=option.vp), links=links))
    if not result.options_complete:
        lines.append(Line(words.say("village.options-many")))
    elif (left := len(result.options) - most) > 0:
        lines.append(Line(words.say("village.options-more" if typed else "ask.more", n=left)))
    key = "village.options" if result.stacks_known or not typed else "village.options.everything"
    return Block(lines, words.say(key), first=_FIRST)


def _ways(result: VisitResult, words: Language) -> Block:
    """The most gold beside what can be had without destroying anything, where these differ."""
    ways = {"spending": result.spending, "sparing": result.sparing}
    if not (result.spending and result.spending.destroyed) or _alike(result.spending, result.sparing):
        return Block([])
    lines = [Line(way_text(words, name, way), links=_bought(words, way)) for name, way in ways.items() if way]
    return Block(lines, words.say("village.ways"))


def _alike(way: VisitWay, other: VisitWay | None) -> bool:
    """True if both buy the same."""
    return other is not None and (way.gold, way.best) == (other.gold, other.best)


def way_text(words: Language, name: str, way: VisitWay) -> str:
    """One way to shop in a line: its gold, what that buys at best, what it destroys."""
    cards, cost = " + ".join(link.words for link in _bought(words, way)), way.best.cost if way.best else 0
    text = words.say(f"village.way.{name}", gold=way.gold) + ", "
    text += words.say("village.way.buys", cards=cards, cost=cost) if way.best else words.say("village.way.nothing")
    return f"{text}{cost_text(words, way.destroyed)}."


def _bought(words: Language, way: VisitWay) -> tuple[PageLink, ...]:
    return links_to_cards(words, way.best.buy if way.best else ())


def level_up_lines(words: Language, level_ups: Sequence[NextLevel], *, stacks_known: bool) -> list[Line]:
    """The level-ups that are possible, of Militia once for all ways."""
    there = [one for one in level_ups if one.available]
    ways, lines = Counter(one.hero for one in level_ups), list[Line]()
    for one in there:
        suffix = "" if stacks_known else "-militia" if ways[one.hero] > 1 else "-unknown"
        hero, to = words.card(one.hero), words.card(one.to)
        lines.append(Line(words.say(f"village.level-up{suffix}", hero_card=hero, to_card=to, cost=one.cost)))
    return [*dict.fromkeys(lines)]


def score_pages(words: Language, result: ScoreResult, *, alone: bool = False) -> list[Page]:
    """A page for every player, the cards worth most first; and who wins, except for a player alone."""
    points = [vp for player in result.players for vp in (player.vp, *(card.vp for card in player.cards))]
    width = max(len(_number(vp)) for vp in points)
    pages = [_player(words, player, width) for player in result.players]
    if alone:
        return pages
    tie = [] if result.tie_break is None else [Line(result.tie_break)]
    best = max(player.vp for player in result.players)
    key = "score.winner" if len(result.winners) == 1 else "score.shared"
    lines = [*tie, Line(words.say(key, names=", ".join(result.winners), vp=best))]
    known = [one for one in result.players if one.game_points is not None]
    for key, told in (("points", [f"{one.name} {one.game_points}" for one in known]), ("champions", result.champions)):
        lines += [Line(words.say(f"score.{key}", names=", ".join(told)))] if told else []
    return [*pages, Page("", [], [Block(lines)])]


def _player(words: Language, player: PlayerScore, width: int) -> Page:
    rows: dict[str, tuple[int, int]] = {}
    for card in player.cards:
        effects = words.database.all_effects.get(card.id, ())
        together = any(effect.timing == "end-of-game" for effect in effects)  # worth of its family: the Horde
        name = words.family(words.database.cards[card.id].family or card.id) if together else words.card(card.id)
        n, vp = rows.get(name, (0, 0))
        rows[name] = (n + card.count, vp + card.vp)
    table = [
        (_number(vp), name if n == 1 else words.say("score.cards", card=name, n=n))
        for name, (n, vp) in sorted(rows.items(), key=lambda row: (-row[1][1], row[0]))
        if vp
    ]
    if player.penalties:
        table.append((_number(-player.penalties), words.say("score.penalties", n=player.penalties)))
    nothing = sum(n for n, vp in rows.values() if not vp)
    if nothing:
        table.append(("0", words.say("score.worthless", n=nothing)))
    lines = [Line(f"{points:>{width}}  {label}") for points, label in table]
    return Page(words.say("score.player", name=player.name, vp=player.vp), [], [Block(lines)])


def _number(n: int) -> str:
    return str(n).replace("-", "\N{MINUS SIGN}")
