"""The page of ``serve`` for puzzles: the play is tapped as below a battle, and judged once it says whom it attacks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from starlette.datastructures import QueryParams

from thunderref.pages.puzzle_page import answer_page, find_puzzle, is_solved, question_page, ranks_of, solve
from thunderref.search.query import shorten
from thunderref.serve.plan import Tried, other_taps, planned, read_plan, tiles, write_plan
from thunderref.serve.tapped_pages import target_view
from thunderref.serve.visitor import Parts, Visitor, address


def puzzle_page(visitor: Visitor, query: QueryParams) -> Parts:
    """A puzzle with what is tapped for it; ``go`` once a tap is done, or to a puzzle that is drawn."""
    visitor = replace(visitor, now=None)  # nothing of the table is part of a puzzle
    words, attack = visitor.words, query.get("attack", "")
    found, error = visitor.attempt(lambda: find_puzzle(words.database, shorten(query.get("n", ""))))
    if found is None:
        return {"template": "refused.html", "said": [(visitor.lang, error)], "again": False, "refused": True}
    number, puzzle = found
    hand, deck, ranks = puzzle.scenario["hand"], puzzle.scenario.get("deck", ()), ranks_of(puzzle)
    aims = {str(rank): card for rank, card in ranks.items() if puzzle.scenario.get("target") in (None, rank)}
    given = planned(words, query) | {"n": str(number), "others": "", "answer": "1" if query.get("answer") else ""}
    plan = read_plan(given["plan"])
    if attack in aims:
        plan = [*(step for step in plan if "attack" not in step), {"attack": int(attack)}]
    given["plan"], link = write_plan(plan), partial(address, "/puzzle", **(given | {"plan": write_plan(plan)}))
    if not query.get("n") or attack or "hero" in query:
        return {"go": link()}
    each, sentence, aimed = None, "", [str(step["attack"]) for step in plan if "attack" in step]
    if given["answer"]:
        each = target_view(solve(puzzle, words), words) | {"page": answer_page(puzzle, words)}
    elif aimed:
        tried = Tried(visitor, puzzle.scenario | {"target": None}, given, link, None)
        sentence = tried.problem
        if tried.found is not None and not sentence:
            played = tried.found.targets[0]
            each = target_view(played, words)
            sentence = words.say("serve.puzzle.solved" if is_solved(puzzle, played, words) else "serve.puzzle.better")
            sentence += " " + words.say("serve.puzzle.open") if played.line != plan else ""
    movable, heroes = tiles(words, [*hand, *deck], plan, every=True)
    in_deck = words.say("serve.puzzle.deck")
    cards = [tile if n < len(hand) or tile.does else tile._replace(does=in_deck) for n, tile in enumerate(movable)]
    held = next((tile for tile in cards if tile.value == given["held"]), None)
    taps = other_taps(words, held.value, plan) if held else []
    return {
        "given": given, "link": link, "sentence": sentence, "refused": bool(sentence) and each is None, "each": each,
        "question": question_page(puzzle, number, words), "ranks": ranks, "aims": aims, "aimed": aimed, "hand": hand,
        "on": {"cards": cards, "heroes": heroes, "held": held, "taps": taps, "steps": given["plan"]},
    }  # fmt: skip
