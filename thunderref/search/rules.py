"""Finding rules: by id, by section, by the name of a trait, keyword or procedure, by the words of their texts."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from thunderref.database.paths import FIRST_GAME, GAMES, LETTERS, Game, game_of_rule
from thunderref.database.read import Database, Language
from thunderref.errors import Candidate, NoAnswerError
from thunderref.search.card import conflicts_of, general_rulings, rule_order
from thunderref.search.names import TERMS, index_of, search_terms
from thunderref.search.passages import find_passages
from thunderref.search.query import check_query, shorten

_ID = re.compile(r"^([rрtт])?\s*(\d{1,2})(?:\s*[.,]\s*(\d{1,2})\s*([a-zу])?)?$", re.IGNORECASE)
_LATIN = str.maketrans("РТ", "RT")


class RuleHit(NamedTuple):
    """A rule or term found: how well (0 to 100) and how (``id``, ``exact``, ..., ``text``)."""

    kind: str
    id: str
    score: int
    how: str
    game: Game = FIRST_GAME


def find_rules(database: Database, text: str, lang: str | None = None, game: Game | None = None) -> list[RuleHit]:
    """The rules and terms that ``text`` asks for, best first; a section brings all its rules, a term those it cites.

    Those of ``game``, or of all games, that with the best hit first. A number without a letter is a rule of ``game``,
    else of the first. Raises :class:`InputError` for an empty or an over-long text, :class:`NoAnswerError`
    (``unknown-rule``, the nearest terms named in ``lang``).
    """
    form = check_query(text)
    if form in database.words("search.words.readings"):
        rules = _statuses(database, game or FIRST_GAME)
        readings = [rule for rule, status in rules.items() if status == "reading"]
        return [RuleHit("rule", rule, 100, "id", game or FIRST_GAME) for rule in readings]
    number = _ID.match(text.strip())
    if number is not None:
        return _by_id(database, number, game or FIRST_GAME, given=game is not None)
    by_game = [hits for one in GAMES if game in (None, one) and (hits := _by_words(database, text, one))]
    if not by_game:
        names = database.names_of("term", lang) if lang is not None else {}
        near = index_of(database, TERMS, game or FIRST_GAME).nearest(text)
        terms = [Candidate(names[hit.id].name if hit.id in names else hit.name, hit.id) for hit in near]
        raise NoAnswerError("unknown-rule", name=shorten(text), candidates=terms)
    by_game.sort(key=lambda hits: -hits[0].score)
    return [hit for hits in by_game for hit in hits]


def all_rules(database: Database, game: Game) -> list[RuleHit]:
    return [RuleHit("rule", rule, 100, "id", game) for rule in _statuses(database, game)]


def _statuses(database: Database, game: Game) -> dict[str, str]:
    return dict(database.query("SELECT id, status FROM rules WHERE game = ? ORDER BY position", game))


def _by_id(database: Database, number: re.Match[str], game: Game, *, given: bool) -> list[RuleHit]:
    of_game = game_of_rule(number[1].upper().translate(_LATIN)) if number[1] else game
    rules = _statuses(database, game if given else of_game)
    section = LETTERS[of_game] + number[2]
    if number[3] is None:
        target, variant, points = section, rf"{section}\..*", 90
    else:
        target = f"{section}.{number[3]}{(number[4] or '').lower().replace('у', 'y')}"
        variant, points = rf"{section}\.{number[3]}[a-z]?", 80
    if target not in rules:
        near = [rule for rule in rules if rule.startswith(f"{section}.")] or [r for r in rules if "." not in r]
        raise NoAnswerError("unknown-rule", name=shorten(number.string), candidates=near)
    variants = [rule for rule in rules if rule != target and re.fullmatch(variant, rule)]
    return [RuleHit("rule", rule, 100 if rule == target else points, "id", of_game) for rule in (target, *variants)]


def _by_words(database: Database, text: str, game: Game) -> list[RuleHit]:
    terms = search_terms(database, text, game).hits
    groups = dict(database.query("SELECT id, grp FROM terms"))
    # nobody asks for titles and headings of the booklets if a term of the game has the same name
    explained = [hit for hit in terms if groups[hit.id] not in ("title", "heading", "place")] or terms
    hits = [RuleHit("term", hit.id, hit.score, hit.how, game) for hit in explained[:10]]
    cited = {rule: hit.score - 5 for hit in reversed(explained[:3]) for rule in _rules_of_term(database, hit.id)}
    for rule in sorted(cited, key=rule_order):
        hits.append(RuleHit("rule", rule, max(1, cited[rule]), "term", game))
    present, top_score = {(hit.kind, hit.id) for hit in hits}, 40 if hits else 60
    return hits + [
        RuleHit(passage.kind, passage.subject, round(top_score * share), "text", game)
        for passage, share in find_passages(database, text, ("rule", "term"), 8, game)
        if (passage.kind, passage.subject) not in present
    ]


def _rules_of_term(database: Database, term: str) -> list[str]:
    rules = (row[0] for row in database.query("SELECT rule FROM term_rules WHERE term = ?", term))
    return sorted(rules, key=rule_order)


def rule_record(database: Database, hit: RuleHit, lang: str) -> dict[str, Any]:
    """A rule or term in plain values: ``rules`` are those of a term or of a section, ``cards`` those that cite it."""
    return {
        "id": hit.id,
        "kind": hit.kind,
        "game": hit.game,
        "score": hit.score,
        "name": dict.fromkeys(database.languages, hit.id),
        "official": {},
        "text": database.texts(f"{hit.kind}.{hit.id}"),
        "status": None,
        "rules": [],
        "cards": [],
        "clarifications": general_rulings(database, hit.id) if hit.kind == "rule" else [],
        "conflicts": conflicts_of(database, hit.kind, hit.id, lang),
        "see": [],
        "switches": [],
        "matched": {"how": hit.how},
        **(_term(database, hit.id) if hit.kind == "term" else _rule(database, hit.id, lang)),
    }


def _term(database: Database, term: str) -> dict[str, Any]:
    names = database.names("term", term)
    kind = {"class-militia": "militia", "light-item": "light"}.get(term, term.removeprefix("class-"))
    timing = kind.removesuffix("-effect").removesuffix("-keyword")
    sql = "SELECT card FROM types WHERE type = ? UNION SELECT card FROM effects WHERE timing = ?"
    return {
        "name": {code: names[code].name if code in names else None for code in database.languages},
        "official": {code: row.official for code, row in names.items()},
        "rules": _rules_of_term(database, term),
        "cards": _cards(database, sql, kind, timing),
    }


def _rule(database: Database, rule: str, lang: str) -> dict[str, Any]:
    status, see = database.query("SELECT status, see FROM rules WHERE id = ?", rule)[0]
    printed = database.printed("rules", rule)
    inside = database.query("SELECT id FROM rules WHERE id LIKE ? ORDER BY position", f"{rule}.%")
    words = Language(database, lang)
    switches = [
        {"name": s.name, "default": s.default, "other": s.other,
         "meaning": {value: words.say(f"reading.{s.name}.{value}") for value in (s.default, s.other)}}
        for s in database.switches.values()
        if s.rule == rule
    ]  # fmt: skip
    return {
        "status": status,
        "rules": [row[0] for row in inside],
        "cards": _cards(database, "SELECT card FROM card_rules WHERE rule = ?", rule),
        "see": json.loads(see),
        "switches": switches,
        **printed,
        **{side: database.texts(f"reading.{rule}.{side}") if printed["reading"] else {} for side in ("for", "against")},
    }


def _cards(database: Database, select: str, *values: str) -> list[str]:
    sql = f"SELECT id FROM cards WHERE reprint_of IS NULL AND id IN ({select}) ORDER BY position"
    return [row[0] for row in database.query(sql, *values)]
