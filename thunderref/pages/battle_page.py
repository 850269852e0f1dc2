"""A battle as pages: the verdict on each target, what another choice would give, the odds of a draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from thunderref.database.operations import DestroySelf
from thunderref.database.read import Language
from thunderref.pages.card_page import chosen_lines
from thunderref.pages.page import Block, Line, Page, cells_of, cost_text, links_to_cards, table_line
from thunderref.pages.play_text import effect_used, play_sentences, played_lines
from thunderref.thunderstone.resolve import result
from thunderref.thunderstone.resolve.report import sum_line, sum_reasons

MOST_NAMED = 3  # cards that would win if drawn, named in a headline
_COMPARED = ("attack", "magic_attack", "light_penalty", "total", "health")


def battle_pages(resolution: result.Resolution, targets: Sequence[result.TargetResult], words: Language) -> list[Page]:
    """A page for each target shown; for a turn without any, what was done in it, why it ends, the hall it leaves."""
    if targets or not resolution.steps:
        return [target_page(target, words) for target in targets]
    before, after = (_steps(resolution.steps, stage) for stage in ("prepare", "after"))
    after += _hall_after(resolution, words)
    parts = [Block(before, words.say("resolve.prepare")), Block(after, words.say("resolve.turn-end"))]
    return [Page(words.say("resolve.no-battle"), [], [*parts, Block([*map(Line, _open_ends(resolution, words))])])]


def resolution_pages(resolution: result.Resolution, words: Language) -> list[Page]:
    """The pages of all targets and of all choices that were asked about, and the closing lines."""
    whys = [why_page(why, resolution, words) for why in resolution.why_not]
    last = Page("", [], [Block([*map(Line, closing(resolution, words))])])
    return [*battle_pages(resolution, resolution.targets, words), *whys, last]


def target_page(target: result.TargetResult, words: Language) -> Page:
    """One target: the verdict above all, what is missing first, the line and the sum part by part, remarks last."""
    if target.outcome == "barred":
        return Page(words.card(target.monster), [], [Block(_missing(target, words))], headline(target, words))
    parts = {stage: _steps(target.steps, stage) for stage in ("prepare", "battle", "sum", "after")}
    rule_lists = [step.rules for step in target.steps if step.part == "after"]
    place = next((n for n, rules in enumerate(rule_lists) if not {"R6.2", "R6.3"}.intersection(rules)), len(rule_lists))
    after = [*parts["after"][:place], *spoils(target, words), *parts["after"][place:], *_hall_after(target, words)]
    texts = {step.text for step in target.steps if step.part == "battle" and step.short}
    forced = [step for step in target.line if "battle" in step]  # the monster asks, you only pick
    choices = [step for step in target.line if step not in forced and not _is_only_choice(step, target)]
    # a trophy works before the attack
    choices.sort(key=lambda step: step.keys() == {"use", "on"} and effect_used(step, words) is None, reverse=True)
    monster = [*dict.fromkeys(line for line in parts["battle"] if line.text not in texts)]
    monster += map(Line, play_sentences((_spared(step, target) for step in forced), words))
    doing = "resolve.do" if target.outcome == "victory" else "resolve.do.lost"
    doing = "resolve.do.sparing" if _is_sparing(target) else doing
    reckoned = [Line(sum_line(target, words), note="R5.12"), *_steps([*sum_reasons(target, words), *_idle(target)])]
    attack = next((n for n, step in enumerate(choices) if "attack" in step), len(choices))
    played = {str(value).partition("#")[0] for step in choices for value in (step.get("use"), step.get("equip"))}
    prepared = (step for step in target.steps if step.part == "prepare")
    plays = play_sentences(choices[attack:], words, target.monster)
    lines = [*played_lines(choices[:attack], prepared, words), *map(Line, plays)]
    if target.draws is not None and played.isdisjoint(target.draws.by):
        certain = ".certain" if is_certain(target) else ""
        lines.insert(0, Line(words.say(f"do.draw{certain}", by=words.listed(target.draws.by))))
    remarks = [other.text for other in target.other_readings if other.outcome != target.outcome]
    if not target.proven:
        remarks.append(words.say("resolve.unproven", n=target.searched or 0))
    leans = [*_open_ends(target, words), *(other.text for other in target.other_readings)]
    blocks = [
        Block(lines, words.say(doing)),
        Block(reckoned, words.say("resolve.reckon")),
        Block(monster, words.say("resolve.monster", card=words.card(target.monster))),
        Block(after[1:], words.say("resolve.after")),
        Block(_closest(target, words), words.say("resolve.closest")),
        Block(_missing(target, words), words.say("resolve.enough")),
        Block([*map(Line, remarks)]),
        *(
            Block(parts[stage], words.say(f"resolve.{stage}"), more=True)
            for stage in ("prepare", "battle", "sum", "after")
        ),
        Block([*map(Line, leans)], more=True),
    ]
    return Page(words.card(target.monster), [], blocks, headline(target, words))


def _idle(target: result.TargetResult) -> Iterator[result.ResultStep]:
    """The reasons why cards give nothing, but for those that the page advises: for their draw, or to come closer."""
    advised = {*target.draws.by} if target.draws is not None else set[str]()
    closest = () if target.missing is None else target.missing.line or ()
    advised |= {str(step["use"]).partition("#")[0] for step in closest if "use" in step}
    return (step for step in target.idle if step.card not in advised)


def _is_only_choice(step: Mapping[str, Any], target: result.TargetResult) -> bool:
    """True where a Disease can take from one sum alone (R5.6)."""
    other = {"attack": target.magic_attack, "magic_attack": target.attack}
    return "disease" in step and not other.get(step["disease"])


def _spared(step: Mapping[str, Any], target: result.TargetResult) -> Mapping[str, Any]:
    """The step, told apart where a card is picked to be destroyed that is only discarded in the end (R6.3)."""
    picked = str(step.get("pick") or step.get("hero")).partition("#")[0]
    is_spared = picked in target.discarded and picked not in target.destroyed
    return {**step, "battle": "spared"} if step["battle"] == "destroy" and is_spared else step


def _steps(steps: Iterable[result.ResultStep], stage: str | None = None) -> list[Line]:
    """The steps of one part, or all."""
    return [Line(step.text, note=" ".join(step.rules)) for step in steps if stage in (None, step.part)]


def closing(resolution: result.Resolution, words: Language) -> Iterator[str]:
    """The lines about all targets together: how the hall was read, the best one, and the chosen readings."""
    yield table_line(words, resolution.table)
    yield from resolution.notes
    if resolution.best is not None or resolution.no_battle:
        yield verdict(resolution, words)
    yield from (other.text for other in resolution.other_readings)
    yield from chosen_lines(words, resolution.readings_chosen)


def headline(target: result.TargetResult, words: Language) -> str:
    spec, won = words.database.cards[target.monster], target.outcome == "victory"
    monster = {
        "card": words.card(target.monster), "rank": target.rank, "vp": target.worth,
        "xp": target.xp if won else spec.xp or 0,
    }  # fmt: skip
    if target.outcome == "barred":
        return _with_draws(words.say("resolve.barred", **monster, reason=target.reason or ""), target, words)
    key, margin = f"resolve.{target.outcome}", target.margin or 0
    if won and not margin:
        key += ".exact"
    elif target.outcome == "defeat" and margin >= 0:  # enough, but lost: the monster demands Magic Attack (R5.14)
        key += ".magic"
    elif _is_sparing(target):
        key += ".sparing"
    sure = target.missing is not None and not _is_open(target, words)
    lost = "resolve.undrawn" if is_certain(target) else "resolve.sure" if sure else "resolve.lost"
    text = words.say(
        key, **monster, total=target.total, health=target.health, margin=abs(margin), verdict=words.say(lost),
        **_at_best(target, words),
    )  # fmt: skip
    return _with_draws(text + battle_cost(target, words), target, words)


def _is_sparing(target: result.TargetResult) -> bool:
    """True for a defeat in which another play would come closer, and would cost more cards."""
    short = 0 if target.missing is None else target.missing.short or 0
    return 0 < short < -(target.margin or 0)


def _at_best(target: result.TargetResult, words: Language) -> dict[str, Any]:
    """The fields of a headline about the play that comes closest: its total, the Health then, what it costs more."""
    missing = target.missing
    if missing is None or missing.best_total is None:
        return {}
    other, line = missing.line or (), target.line
    prices = [price for step in other if step not in line for price in _prices(step, words)]
    left_out = (price for step in line if step not in other for price in _prices(step, words))
    prices = prices or [("without", card) for _, card in left_out if missing.line]
    kind = min((kind for kind, _ in prices), default="")  # what is destroyed, else thrown, else used
    cards = words.listed(dict.fromkeys(card for of_kind, card in prices if kind == "using" or of_kind != "using"))
    how = words.say(f"resolve.by.{kind}", cards=cards) if kind else ""
    return {"best": missing.best_total, "needed": missing.best_total + (missing.short or 0), "how": how}


def _prices(step: Mapping[str, Any], words: Language) -> Iterator[tuple[str, str]]:
    """The cost of a step: each card lost with how it goes, or the cards it uses if none is lost."""
    effect = effect_used(step, words) if "use" in step else None
    self_costs = [op for op in effect.cost if isinstance(op, DestroySelf)] if effect is not None else []
    gone = step.get("destroy") or ()
    for card in [gone] if isinstance(gone, str) else gone:
        yield "destroying", card.partition("#")[0]
    for card in (value.partition("#")[0] for key in ("use", "equip") if (value := str(step.get(key, "")))):
        if self_costs:
            yield "throwing" if self_costs[0].stays else "destroying", card
        elif not gone:
            yield "using", card


def _with_draws(text: str, target: result.TargetResult, words: Language) -> str:
    """The headline with what a draw, or a card that nobody named, could change."""
    hopes = [] if target.draws is None else [draws_text(target.draws, words)]
    for win in target.unknown_wins:
        cards = _sets(win.would_win, words, proven=win.proven)
        hopes.append(words.say(f"unknown.{win.kind}", by=words.card(win.by), cards=cards))
    return "; ".join([text.rstrip(".") if hopes else text, *hopes])


def draws_text(draws: result.Draws, words: Language) -> str:
    """The cards that draw, the cards that would win then, and how likely those are."""
    cards, key = _sets(draws.would_win, words, proven=draws.proven), "draws.open"
    if draws.would_win:
        key = "draws.win" if draws.chance is None else "draws.win.chance" if draws.covers else "draws.chance.with"
    elif draws.chance is not None:
        key = "draws.chance"
    percent = "" if draws.chance is None else words.number(draws.chance.percent)
    return words.say(key, by=words.listed(draws.by), n=len(draws.by), cards=cards, percent=percent)


def _sets(would_win: Sequence[str | list[str]], words: Language, *, proven: bool) -> str:
    """The cards that would win, few by name; if not ``proven``, with “among others”."""
    sets = [" + ".join(map(words.card, [entry] if isinstance(entry, str) else entry)) for entry in would_win]
    listed = sets[:MOST_NAMED] if len(sets) > MOST_NAMED + 1 else sets
    cards = _either(listed or [""], words)
    if not proven:
        return words.say("draws.among", cards=cards)
    return cards if len(listed) == len(sets) else words.say("draws.more", n=len(sets), cards=cards)


def _either(names: Sequence[str], words: Language) -> str:
    *first, last = names
    return words.say("draws.or").join([", ".join(first), last] if first else [last])


def battle_cost(target: result.TargetResult, words: Language) -> str:
    """The cost of the battle to the player, to stand behind its verdict; cards that were never theirs are no cost."""
    cost = cost_text(words, target.destroyed_own)
    risk = target.chance_loss
    return cost if risk is None else cost + words.say("cost.chance" if risk.certain else "cost.chance.perhaps")


def best_target(resolution: result.Resolution) -> result.TargetResult | None:
    best = (resolution.best, resolution.best_monster)
    return next((t for t in resolution.targets if t.can_attack and (t.rank, t.monster) == best), None)


def verdict(resolution: result.Resolution, words: Language) -> str:
    best = best_target(resolution)
    if best is None:
        none = "resolve.no-entry" if "no-target" in resolution.readings_chosen else "resolve.none"
        none = "resolve.rested" if any("rest" in step for step in resolution.line or ()) else none
        return words.say("resolve.ended" if resolution.game_ends else none)
    key, alone = "resolve.best" if best.outcome == "victory" else "resolve.hopeless", len(resolution.targets) == 1
    if best.outcome != "victory" and resolution.planned:
        key += ".plan" if alone else ".plan-several"
    elif best.outcome != "victory":
        drawn = next(filter(is_certain, resolution.targets), None)
        if drawn is not None and drawn.draws is not None:
            by, n = words.listed(drawn.draws.by), len(drawn.draws.by)
            return words.say("resolve.hopeless.drawn", card=words.card(drawn.monster), rank=drawn.rank, by=by, n=n)
        sure = not any(_is_open(target, words) for target in resolution.targets)
        by_total = resolution.goal == "max"
        figures = [target.total if by_total else target.margin for target in resolution.targets if target.can_attack]
        even = figures.count(best.total if by_total else best.margin) > 1
        if not sure and best.draws is not None and best.draws.chance is not None:
            percent = words.number(best.draws.chance.percent)
            return words.say("resolve.hopeless.chance", card=words.card(best.monster), rank=best.rank, percent=percent)
        key += ".open" if not sure else ".one" if alone else ".even" if even else ".max" if by_total else ""
    return words.say(key, card=words.card(best.monster), rank=best.rank)


def is_certain(target: result.TargetResult) -> bool:
    """True where no line wins without a draw, and every draw of the known deck does."""
    return target.draws is not None and target.draws.chance is not None and target.draws.chance.fraction == "1/1"


def _is_open(target: result.TargetResult, words: Language) -> bool:
    """True where a draw, one's own card that is unknown, a search cut short or, under ``max``, another line may win.

    What is unknown of monsters and traps only costs the player something, or comes when the battle is over.
    """
    cards, enough = words.database.cards, target.margin is not None and target.margin >= 0
    unknown = any(cards[card].kind not in ("monster", "guardian", "trap") for card in target.unknown)
    untried = bool(target.unknown_draws) and target.missing is None  # nobody asked what a draw could change
    return not target.proven or enough or bool(target.draws) or unknown or untried


def _closest(target: result.TargetResult, words: Language) -> list[Line]:
    """The play that comes closer than the one shown, which spares cards."""
    missing = target.missing
    if missing is None or missing.best_total in (None, target.total):
        return []
    never = [] if missing.short else [words.say("resolve.never", total=missing.best_total)]
    sentences = {*play_sentences(target.line, words, target.monster)}
    steps = [step for step in missing.line or () if step.keys().isdisjoint(("battle", "attack", "disease"))]
    other = [sentence for sentence in play_sentences(steps, words, target.monster) if sentence not in sentences]
    return [Line(" ".join([*never, *other]))] if never or other else []


def _missing(target: result.TargetResult, words: Language) -> list[Line]:
    """What would be enough with the play shown, or at all where no attack is possible; which further card would be."""
    missing, lines = target.missing, list[Line]()
    unproven = [] if target.missing_proven else [Line(words.say("missing.unproven"))]
    if missing is None:
        return unproven
    news = [more for more in missing.helps if more.shown or not target.can_attack]
    further = [more for more in news if (more.what, more.n) != ("attack", missing.short)]
    if news := further if further or missing.cards else news:
        key = "missing.enough" if target.can_attack else "missing.enough.barred"
        lines.append(Line(words.say(key, helps=words.say("missing.or").join(more.text for more in news))))
    if missing.cards and target.draws is None:
        key = "resolve.one-more" if len(missing.cards) > 1 else "resolve.one-more.only"
        links = links_to_cards(words, missing.cards)
        lines.append(Line(words.say(key, cards=words.listed(missing.cards, "or")), links=links))
    return lines + unproven


def spoils(target: result.TargetResult, words: Language) -> Iterator[Line]:
    for right in (right for right in target.spoils if right.bought is None and (right.gold or right.options)):
        kinds = _either([words.say(f"spoils.{kind}") for kind in right.buys], words)
        parts = " + ".join(f"{words.card(source.card)} {source.gold}" for source in right.gold_from)
        why = f"{words.say('spoils.gold', parts=parts)}; R6.4" if parts else "R6.4"
        yield Line(words.say("resolve.spoils", card=words.card(right.card), kinds=kinds, gold=right.gold, why=why))
        if right.gold_least < right.gold:
            yield Line(words.say("resolve.spoils-least", gold=right.gold_least))
        for options, more in ((right.options, ""), (right.options_perhaps, ".perhaps")):
            links = links_to_cards(words, options)
            if links:
                cards = words.listed(options, "or")
                yield Line(words.say(f"resolve.spoils-options{more}", cards=cards), links=links)
        if right.perhaps:
            yield Line(words.say("resolve.spoils-perhaps", card=words.card(right.card)))


def _hall_after(resolved: result.TargetResult | result.Resolution, words: Language) -> list[Line]:
    hall, rank0 = resolved.hall_after or (), resolved.rank0_after or ()
    if resolved.game_ends or not any((*hall, *rank0)):
        return []
    places = [*((0, card) for card in rank0), *enumerate(hall, 1)]
    unknown = {rank: words.say("resolve.unknown-card") for rank, _ in places}
    unknown |= dict.fromkeys(resolved.empty_after or (), words.say("resolve.empty-rank"))
    texts = [words.say("resolve.rank", rank=n, card=words.card(card) if card else unknown[n]) for n, card in places]
    return [Line(words.say("resolve.hall-after", ranks=", ".join(texts)))]


def _open_ends(resolved: result.TargetResult | result.Resolution, words: Language) -> Iterator[str]:
    if resolved.unknown_draws:
        yield words.say("resolve.unknown-draws", n=resolved.unknown_draws)
    if resolved.readings:
        yield words.say("resolve.readings", rules=", ".join(resolved.readings))


def why_page(why: result.WhyNot, resolution: result.Resolution, words: Language) -> Page:
    """Another choice: what it gives against every target, and where it loses against the best one."""
    first: list[Line] = []
    if why.reason is not None:
        key, rule = "why-not.illegal.plan" if why.plan else "why-not.illegal", why.rule or ""
        first.append(Line(words.say(key, reason=why.reason), note="" if rule in why.reason else rule))
    if why.plan and why.reason is not None and why.targets:
        first.append(Line(words.say("why-not.otherwise")))
    first += [Line(_sentence(comparison, why, words)) for comparison in why.targets]
    if not why.proven:
        first.append(Line(words.say("resolve.unproven", n=why.searched or 0)))
    blocks, best = [Block(first)], (resolution.best, resolution.best_monster)
    differing = [comparison for comparison in why.targets if comparison.verdict not in ("equal", "barred")]
    main = max(differing, key=lambda comparison: (comparison.rank, comparison.monster) == best, default=None)
    if main is not None:
        place = words.say("why-not.place", card=words.card(main.monster), rank=main.rank)
        pairs = [(stat, getattr(main.choice, stat), getattr(main.best, stat)) for stat in _COMPARED]
        figures = [
            Line(words.say("why-not.figure", stat=words.say(f"stat.{stat}"), now=now, best=best))
            for stat, now, best in pairs
            if now != best and None not in (now, best)
        ]
        blocks.append(Block(figures, place if len(why.targets) > 1 else ""))
        blocks.append(Block(_steps(main.instead), words.say("why-not.instead")))
        blocks.append(Block(_steps(main.lost), words.say("why-not.lost.plan" if why.plan else "why-not.lost")))
    return Page(words.say("why-not.title", choice=why.text), [], blocks)


def _result(figures: result.BattleFigures, words: Language) -> str:
    return words.say(f"why-not.{figures.outcome}", total=figures.total, health=figures.health)


def _sentence(comparison: result.Comparison, why: result.WhyNot, words: Language) -> str:
    params = {
        "card": words.card(comparison.monster), "rank": comparison.rank, "result": _result(comparison.choice, words),
        "best": _result(comparison.best, words), "best_card": words.card(comparison.best.monster),
        "best_rank": comparison.best_rank,
    }  # fmt: skip
    if (comparison.best_rank, comparison.best.monster) == (comparison.rank, comparison.monster):
        key = "why-not.best-target"
    elif comparison.best_rank is not None and comparison.verdict != "equal":
        key = "why-not.worse.target"
    elif comparison.verdict == "equal":
        key = "why-not.equal"
    else:
        key = f"why-not.{'better' if comparison.verdict == 'better' else 'worse'}{'.plan' if why.plan else ''}"
    text = words.say(key, **params)
    if comparison.verdict == "worse" and comparison.decided_by is not None:
        text += " " + words.say(f"why-not.by.{comparison.decided_by}", n=comparison.by)
    if comparison.reason and comparison.verdict == "barred":
        text += " " + comparison.reason
    return text


def odds_pages(odds: result.OddsResult, words: Language) -> list[Page]:
    """The next hand, if it was asked for, and the targets: how sure their chances are stands in the last block."""
    pages, heading, hand = list[Page](), "", odds.hand
    if hand is not None:
        cards = [_chance(words.card(chance.id), chance, words) for chance in hand.cards]
        if hand.reshuffled and hand.certain:
            cards.insert(0, Line(words.say("odds.hand.reshuffled", n=len(hand.certain))))
        kinds = [_chance(words.say(f"odds.kind.{chance.id}"), chance, words) for chance in hand.kinds]
        parts = [Block(cards, words.say("odds.hand", n=hand.size)), Block(kinds, words.say("odds.hand.kinds"))]
        pages, heading = [Page("", [], parts)], words.say("odds.hand.targets")
    if not odds.targets:
        return pages
    sure = [Line(note) for note in (table_line(words, odds.table), *odds.notes) if note]
    if any(target.samples for target in odds.targets):
        sure.append(Line(words.say("odds.sampled-because", n=odds.weighed, seed=odds.seed)))
    if any(not target.exact and not target.samples for target in odds.targets):
        sure.append(Line(words.say("odds.cut-short")))
    if all(target.exact for target in odds.targets):
        sure.append(Line(words.say("odds.exact")))
    sure += map(Line, chosen_lines(words, odds.readings_chosen))
    chances = Block([_target_chance(target, words) for target in odds.targets], heading)
    return [*pages, Page("", [], [chances, Block(sure)])]


def _target_chance(target: result.TargetOdds, words: Language) -> Line:
    low, high = target.interval or (0.0, 100.0)
    key = "odds.target" if target.exact else "odds.sampled" if target.samples else "odds.between"
    key = "odds.barred" if target.barred else key
    text = words.say(
        key, card=words.card(target.monster), rank=target.rank, percent=words.number(target.win.percent),
        fraction=target.win.fraction, low=words.number(low), high=words.number(high), n=target.samples,
        total="?" if target.expected_total is None else words.number(target.expected_total),
    )  # fmt: skip
    return Line(text, links=links_to_cards(words, [target.monster]))


def _chance(name: str, chance: result.CardChance, words: Language) -> Line:
    percent, average = words.number(chance.chance.percent), words.number(chance.expected)
    params = {"name": name, "copies": chance.copies, "fraction": chance.chance.fraction}
    text = words.say("odds.hand.card", percent=percent, average=average, **params)
    columns = {"odds.chance": percent, "odds.average": average}
    return Line(text, cells=cells_of(words, f"{name} ({chance.copies})", columns))
