"""The advice, and the three kinds of turn side by side."""

from __future__ import annotations

from collections.abc import Mapping

from thunderref.database.read import Language
from thunderref.pages.battle_page import headline
from thunderref.pages.page import Block, Line, Page, links_to_cards, table_line
from thunderref.pages.play_text import play_sentences
from thunderref.pages.visit_page import level_up_lines, way_text
from thunderref.thunderstone.resolve.result import TurnResult, WeighedChoice


def turn_page(result: TurnResult, words: Language) -> Page:
    """The advice, then battle, purchases and rest, and what the advice rests on.

    What games have weighed need not be reckoned by a reader: then of the three only a battle that is won is shown.
    """
    target, ways, gone = result.dungeon, result.village, result.rest.destroy
    if target is None:
        battle = [Line(words.say("turn.no-battle"))]
    else:
        battle = [Line(headline(target, words), links=links_to_cards(words, [target.monster]))]
        play = " ".join(play_sentences(target.line, words, target.monster))
        battle += [Line(play, "" if target.outcome == "victory" else words.say("resolve.do.lost"))]
    if ways.sparing == ways.spending:
        village = [Line(way_text(words, "sparing", ways.sparing))]
    else:
        village = [Line(way_text(words, name, getattr(ways, name))) for name in ("spending", "sparing")]
    if ways.advised:
        village.append(Line(_advised(words, ways.advised), links=links_to_cards(words, [*ways.advised.values()])))
    level_ups = [line.text for line in level_up_lines(words, ways.level_ups, stacks_known=ways.stacks_known)]
    village += [Line(f"{words.say('village.level-ups')}: {'; '.join(level_ups)}.")] if level_ups else []
    links = links_to_cards(words, [gone] if gone else [])
    rest = Line(words.say("turn.destroy" if gone else "turn.keep", card=words.card(gone) if gone else ""), links=links)
    basis, games = [Line(words.say("turn.basis", bot=result.basis.by))], result.basis.games
    if games is not None:
        basis = [Line(words.say("turn.games.basis"))]
    if result.basis.assumed:
        missing = "; ".join(words.say(f"turn.assumed.{key}") for key in result.basis.assumed)
        basis.append(Line(words.say("turn.assumed", missing=missing)))
    advice = [Line(words.say(f"turn.advice.{result.advice}")), Line(result.because[words.lang])]
    heads = [words.say(f"turn.{name}") for name in ("dungeon", "village", "rest", "advice")]
    battle += map(Line, result.notes)
    basis.insert(0, Line(table_line(words, result.table)))
    blocks = [Block(lines, head) for lines, head in zip((battle, village, [rest], advice), heads, strict=True)]
    if games is not None:
        is_won = target is not None and target.outcome == "victory"
        blocks[:3] = [block._replace(more=n > 0 or not is_won) for n, block in enumerate(blocks[:3])]
    chances = Block([_chance(words, each) for each in games.choices] if games else [], words.say("turn.games"))
    return Page(words.say("turn.title"), [], [blocks[3], chances, *blocks[:3], Block(basis)])


def _advised(words: Language, advised: Mapping[str, str]) -> str:
    """What the bot would do in the village, with the price."""
    bought, keys = advised.get("buy"), [key for key, part in (("buy", "buy"), ("level", "hero")) if part in advised]
    cost = 0 if bought is None else words.database.cards[bought].cost or 0
    names = {f"{part}_card": words.card(card) for part, card in advised.items()}
    return words.say(f"turn.village.{'-'.join(keys)}", **names, cost=cost)


def _chance(words: Language, found: WeighedChoice) -> Line:
    text = found.text[words.lang]
    percent, low, high = (round(100 * share) for share in (found.win_rate, *found.interval))
    said = {"choice": text[:1].upper() + text[1:], "percent": percent, "low": low, "high": high, "n": found.games}
    return Line(words.say("turn.games.line", **said))
