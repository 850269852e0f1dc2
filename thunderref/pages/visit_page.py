"""A visit to the village, a turn weighed as a whole and the score at the end, as pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from thunderref.database.read import Language
from thunderref.pages.battle_page import headline
from thunderref.pages.card_page import chosen_lines
from thunderref.pages.page import Block, Line, Page, PageLink, cells_of, cost_text, links_to_cards, table_line
from thunderref.pages.play_text import play_sentences, played_lines
from thunderref.search.scored_decks import ALONE
from thunderref.thunderstone.resolve import result as results
from thunderref.thunderstone.resolve.report import reckon

_MOST_PRINTED, _MOST_TAPPED = 6, 40
"""More purchases than this are counted, not shown."""
_FIRST = 6
"""Purchases that show at once where there is little room."""


def visit_pages(result: results.VisitResult, words: Language, *, typed: bool = True, listed: bool = True) -> list[Page]:
    """What a visit brings: its gold and sum, then what it can buy, or else, as a page of its own, what is left over.

    Where nothing is ``typed``, no option of the command line is named; unless ``listed``, what can be bought is shown
    elsewhere.
    """
    effects = (step for step in result.steps if step.part == "effects")
    plays = [*played_lines(result.line, effects, words, where="village")]
    blocks, remarks = [Block(plays, words.say("resolve.do"))], [Line(table_line(words, result.table))]
    if sums := [*_gold_by_card(result, words)]:
        gold = words.say("village.sum", sum=reckon(sums), gold=result.gold)
        blocks.append(Block([Line(gold, note="R3.2")], words.say("resolve.reckon")))
    protocol = list[Block]()
    for stage in ("effects", "gold", "buy", "level"):
        lines = [Line(step.text, note=" ".join(step.rules)) for step in result.steps if step.part == stage]
        protocol.append(Block(lines, words.say(f"village.{stage}"), more=True))
    if result.unknown_draws:
        remarks.append(Line(words.say("village.unknown-draws", n=result.unknown_draws)))
    if result.unknown:
        links = links_to_cards(words, result.unknown)
        cards = words.listed(result.unknown)
        remarks.append(Line(words.say("village.unknown", cards=cards), links=links))
    remarks += map(Line, chosen_lines(words, result.readings_chosen))
    if not result.proven:
        remarks.append(Line(words.say("village.unproven")))
    sentence = f"{_wish_sentence(result.wanted, result, words)} " if result.wanted else ""
    title = sentence + words.say("village.headline", gold=result.gold, buys=result.buys, xp=result.xp)
    levelled = Counter(step["level_up"].partition("#")[0] for step in result.line if "level_up" in step)
    title += cost_text(words, (Counter(result.destroyed) - levelled).elements()) + "."
    if any(step.part in ("buy", "level") for step in result.steps):
        leftovers = words.say("village.headline-left", gold=result.gold_left, xp=result.xp_left)
        return [Page(title, [], [*blocks, *protocol]), Page(leftovers, [], [Block(remarks)])]
    offer = Block([] if result.options else [Line(words.say("village.no-options"))])
    offer = _options(result, words, typed) if result.options and listed else offer
    bought = {card for option in result.options for card in option.buy}
    on_offer = {kind for card in bought for kind in words.database.cards[card].types}
    after = [Line(words.say(f"village.after.{kind}")) for kind in sorted({*result.buys_after} & on_offer)]
    lines = level_up_lines(words, result.level_ups, stacks_known=result.stacks_known)
    ways = [Block(lines, words.say("village.level-ups")), _ways(result, words), Block(remarks)]
    return [Page(title, [], [*blocks, offer, Block(after), *ways, *protocol])]


def _gold_by_card(result: results.VisitResult, words: Language) -> Iterator[tuple[str, int]]:
    """Each card that gives gold, copies apart, with what it gives."""
    for step in result.steps:
        value = words.database.cards[step.card].gold if step.card and step.part == "gold" else None
        for _ in range(step.gold // value if value else bool(step.gold)):
            yield words.card(step.card) if step.card else "", value or step.gold


def _wish_sentence(wish: results.WantedCards, result: results.VisitResult, words: Language) -> str:
    """Return the sentence that says whether the cards asked about can be bought."""
    is_open = wish.why == "gold" and any(option and option.unknown_draws for option in (result, result.spending))
    cards = words.listed(wish.cards)
    key: str = "draws" if is_open else wish.why or "yes"
    key = "top" if key == "stack" and not result.stacks_known else key  # it may lie on top at this table
    return words.say(f"village.wanted.{key}", cards=cards, cost=wish.cost, gold=wish.gold, buys=wish.buys)


def _options(result: results.VisitResult, words: Language, typed: bool) -> Block:
    limit, lines = _MOST_PRINTED if typed else _MOST_TAPPED, list[Line]()
    for option in result.options[:limit]:
        links = links_to_cards(words, option.buy)
        cards, key = " + ".join(link.words for link in links), "village.option-vp" if option.vp else "village.option"
        lines.append(Line(words.say(key, cards=cards, cost=option.cost, left=option.left, vp=option.vp), links=links))
    if not result.options_complete:
        lines.append(Line(words.say("village.options-many")))
    elif (hidden := len(result.options) - limit) > 0:
        lines.append(Line(words.say("village.options-more" if typed else "ask.more", n=hidden)))
    key = "village.options" if result.stacks_known or not typed else "village.options.everything"
    return Block(lines, words.say(key), first=_FIRST)


def _ways(result: results.VisitResult, words: Language) -> Block:
    """The most gold beside what can be had without destroying anything, where these differ."""
    ways = {"spending": result.spending, "sparing": result.sparing}
    if not (result.spending and result.spending.destroyed) or _alike(result.spending, result.sparing):
        return Block([])
    lines = [Line(way_text(words, name, shop), links=_buy_links(words, shop)) for name, shop in ways.items() if shop]
    return Block(lines, words.say("village.ways"))


def _alike(way: results.VisitWay, other: results.VisitWay | None) -> bool:
    """True if both buy the same."""
    return other is not None and (way.gold, way.best) == (other.gold, other.best)


def way_text(words: Language, name: str, way: results.VisitWay, *, buys: bool = True) -> str:
    """One way to shop in a line: its gold, what that ``buys`` at best, what it destroys."""
    cards, cost = " + ".join(link.words for link in _buy_links(words, way)), way.best.cost if way.best else 0
    bought = words.say("village.way.buys", cards=cards, cost=cost) if way.best else words.say("village.way.nothing")
    gold = words.say(f"village.way.{name}", gold=way.gold)
    return f"{f'{gold}, {bought}' if buys else gold}{cost_text(words, way.destroyed)}."


def _buy_links(words: Language, way: results.VisitWay) -> tuple[PageLink, ...]:
    return links_to_cards(words, way.best.buy if way.best else ())


def level_up_lines(words: Language, level_ups: Sequence[results.NextLevel], *, stacks_known: bool) -> list[Line]:
    """The level-ups that are possible, of Militia once for all ways."""
    there = [one for one in level_ups if one.available]
    ways, lines = Counter(one.hero for one in level_ups), list[Line]()
    for one in there:
        suffix = "" if stacks_known else "-militia" if ways[one.hero] > 1 else "-unknown"
        hero, to = words.card(one.hero), words.card(one.to)
        lines.append(Line(words.say(f"village.level-up{suffix}", hero_card=hero, to_card=to, cost=one.cost)))
    return [*dict.fromkeys(lines)]


_CAMPAIGN_RULES = {"crossing": "R9.2", "pursuit": "R9.3", "odyssey": "R9.4"}
"""Campaign -> the rule that says how it is won."""


def score_pages(words: Language, result: results.ScoreResult, *, alone: bool = False) -> list[Page]:
    """A page for every player, the cards worth most first; and who wins, except for a player alone."""
    points = [vp for player in result.players for vp in (player.vp, *(card.vp for card in player.cards))]
    width = max(len(words.number(vp)) for vp in points)
    pages = [_player(words, player, width) for player in result.players]
    unjudged = [Line(words.say("setup.warn.not-judged", cards=words.listed(result.not_judged)))]
    unjudged = unjudged if result.not_judged else []
    if alone:
        return [*pages, *([Page("", [], [Block(unjudged)])] if unjudged else [])]
    lines = unjudged if result.tie_break is None else [*unjudged, Line(result.tie_break)]
    if len(result.winners) == 1:
        best = max(player.vp for player in result.players)
        lines.append(Line(words.say("score.winner", names=result.winners[0], vp=best)))
    scored = [one for one in result.players if one.game_points is not None]
    standings = [f"{player.name} {player.game_points}" for player in scored]
    for key, names in (("points", standings), ("champions", result.champions)):
        rule = _CAMPAIGN_RULES.get(result.variant, "")
        lines += [Line(words.say(f"score.{key}", names=", ".join(names), rule=rule))] if names else []
    return [*pages, Page("", [], [Block(lines)])]


def _player(words: Language, player: results.PlayerScore, width: int) -> Page:
    rows: dict[str, tuple[int, int]] = {}
    for card in player.cards:
        effects = words.database.all_effects.get(card.id, ())
        together = any(effect.timing == "end-of-game" for effect in effects)  # worth of its family: the Horde
        name = words.family(words.database.cards[card.id].family or card.id) if together else words.card(card.id)
        n, vp = rows.get(name, (0, 0))
        rows[name] = (n + card.count, vp + card.vp)
    table = [
        (words.number(vp), name if n == 1 else words.say("score.cards", card=name, n=n))
        for name, (n, vp) in sorted(rows.items(), key=lambda row: (-row[1][1], row[0]))
        if vp
    ]
    if player.penalties:
        table.append((words.number(-player.penalties), words.say("score.penalties", n=player.penalties)))
    nothing = sum(n for n, vp in rows.values() if not vp)
    if nothing:
        table.append(("", words.say("score.worthless", n=nothing)))
    lines = [Line(f"{points:>{width}}  {label}") for points, label in table]
    key = "score.alone" if player.name == ALONE else "score.player"
    return Page(words.say(key, name=player.name, vp=player.vp), [], [Block(lines)])


def turn_pages(result: results.TurnResult, words: Language) -> list[Page]:
    """The advice, then battle, purchases and rest, and what the advice rests on.

    Where games have weighed the choices, no reader needs the sums: of the three only a battle that is won is shown.
    """
    targets, ways = [target for target in (result.dungeon, result.fight) if target is not None], result.village
    battle = [] if targets else [Line(words.say("turn.no-battle"))]
    for target in targets:
        battle.append(Line(headline(target, words), links=links_to_cards(words, [target.monster])))
        play = " ".join(play_sentences(target.line, words, target.monster))
        battle.append(Line(play, "" if target.outcome == "victory" else words.say("resolve.do.lost")))
    bought, level_ups = ways.advised.get("buy", []), ways.advised.get("level_up", [])
    names = ("sparing",) if ways.sparing == ways.spending else ("spending", "sparing")
    village = [Line(way_text(words, name, getattr(ways, name), buys=not bought)) for name in names]
    if bought or level_ups:
        advised = words.say("turn.village.bot", choice=ways.advised_text[words.lang])
        village.append(Line(advised, links=links_to_cards(words, [*bought, *chain(*level_ups)])))
    levels = [line.text for line in level_up_lines(words, ways.level_ups, stacks_known=ways.stacks_known)]
    village += [Line(f"{words.say('village.level-ups')}: {'; '.join(levels)}.")] if levels else []
    resting = Line(words.say("turn.keep"))
    if gone := result.rest.destroy:
        resting = Line(words.say("turn.destroy", card=words.card(gone)), links=links_to_cards(words, [gone]))
    estimates = [
        words.say(f"turn.value.{name}", value=words.number(value, ".1f"))
        for name, value in result.basis.values.items() if value is not None
    ]  # fmt: skip
    guess = Block([Line(words.say("turn.basis", bot="lookahead", values="; ".join(estimates)))], more=True)
    games = result.basis.games
    basis = [Line(words.say("turn.games.basis"))] if games is not None else []
    if result.basis.assumed:
        missing = "; ".join(words.say(f"turn.assumed.{key}") for key in result.basis.assumed)
        basis.append(Line(words.say("turn.assumed", missing=missing)))
    advice = [] if result.basis.alike else [Line(words.say(f"turn.advice.{result.advice}"))]
    advice += map(Line, result.because[words.lang].splitlines())
    is_won = any(target.outcome == "victory" for target in targets)
    heads = [
        words.say(f"turn.{name}") for name in ("dungeon.most" if is_won else "dungeon", "village", "rest", "advice")
    ]
    battle += map(Line, result.notes)
    basis.insert(0, Line(table_line(words, result.table)))
    blocks = [Block(lines, head) for lines, head in zip((battle, village, [resting], advice), heads, strict=True)]
    if games is not None:
        blocks[:3] = [block._replace(more=n > 0 or not is_won) for n, block in enumerate(blocks[:3])]
    chances = Block([_chance(words, choice) for choice in games.choices] if games else [], words.say("turn.games"))
    return [Page(words.say("turn.title"), [], [blocks[3], chances, *blocks[:3], Block(basis), guess])]


def _chance(words: Language, choice: results.WeighedChoice) -> Line:
    text = choice.text[words.lang][:1].upper() + choice.text[words.lang][1:]
    percent, low, high = (round(100 * share) for share in (choice.win_rate, *choice.interval))
    line = words.say("turn.games.line", choice=text, percent=percent, low=low, high=high, n=choice.games)
    columns = {"odds.chance": str(percent), "turn.games.range": f"{low}–{high}"}
    return Line(line, cells=cells_of(words, text, columns))
