"""Finding rules: by id, by section, by the name of a trait, keyword or procedure, by the words of their texts."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.lookup.distance import likeness
from thunderref.lookup.exact import checked_query, shorten
from thunderref.lookup.index import TERMS, index_of
from thunderref.lookup.names import TermSearch
from thunderref.lookup.normalise import fold_query, join_words
from thunderref.lookup.passages import find_passages
from thunderref.lookup.record import conflicts_of, rule_order
from thunderref.model.games import FIRST_GAME, GAMES, LETTERS, Game, game_of_rule
from thunderref.store.read import SearchRow, Store, SwitchRow
from thunderref.words.words import Words

_ID = re.compile(r"^([rрtт])?\s*(\d{1,2})(?:\s*[.,]\s*(\d{1,2})\s*([a-zу])?)?$", re.IGNORECASE)
_LATIN = str.maketrans("РТ", "RT")
READINGS = frozenset(
    (
        "readings",
        "reading",
        "odczytania",
        "odczytanie",
        "interpretacje",
        "interpretacja",
        "толкования",
        "толкование",
        "трактовки",
    )
)
"""Words that ask for the list of open questions."""


class RuleHit(NamedTuple):
    """A rule or term found: how well (0 to 100) and how (``id``, ``exact``, ..., ``text``)."""

    kind: str
    id: str
    score: int
    how: str
    game: Game = FIRST_GAME


def find_rules(store: Store, text: str, lang: str | None = None, game: Game | None = None) -> list[RuleHit]:
    """The rules and terms that ``text`` asks for, best first; a section brings all its rules, a term those it cites.

    Those of ``game``, or of all games: then the game with the best hit comes first, and where several are equally good
    the first game. A number without a letter is a rule of ``game``, else of the first. Raises :class:`InputError` for
    an empty or an over-long text, :class:`NoAnswerError` (``unknown-rule``, the nearest terms named in ``lang``) where
    nothing fits.
    """
    form = checked_query(text)
    if form in READINGS:
        rules = _statuses(store, game or FIRST_GAME)
        readings = [rule for rule, status in rules.items() if status == "reading"]
        return [RuleHit("rule", rule, 100, "id", game or FIRST_GAME) for rule in readings]
    number = _ID.match(text.strip())
    if number is not None:
        return _by_id(store, number, game or FIRST_GAME, given=game is not None)
    found = [hits for one in GAMES if game in (None, one) and (hits := _by_words(store, form, text, one))]
    if not found:
        near = nearest_terms(store, text, lang=lang, game=game or FIRST_GAME)
        raise NoAnswerError("unknown-rule", name=shorten(text), candidates=near)
    found.sort(key=lambda hits: -hits[0].score)
    return [hit for hits in found for hit in hits]


def all_rules(store: Store, game: Game) -> list[RuleHit]:
    """Every rule of a game, in order."""
    return [RuleHit("rule", rule, 100, "id", game) for rule in _statuses(store, game)]


def _statuses(store: Store, game: Game) -> dict[str, str]:
    return dict(store.query("SELECT id, status FROM rules WHERE game = ? ORDER BY position", game))


def _by_id(store: Store, number: re.Match[str], game: Game, *, given: bool) -> list[RuleHit]:
    """The rules of an id; raises :class:`NoAnswerError` for one that does not exist, or not in the game asked about."""
    if number[1]:
        meant = game_of_rule(number[1].upper().translate(_LATIN))
        if given and meant != game:
            raise NoAnswerError("unknown-rule", name=shorten(number.string), candidates=_sections(store, game))
        game = meant
    rules = _statuses(store, game)
    sign = LETTERS[game]
    section, rule, letter = number[2], number[3], (number[4] or "").lower().replace("у", "y")
    if rule is None:
        inside = [name for name in rules if name == f"{sign}{section}" or name.startswith(f"{sign}{section}.")]
        found = [RuleHit("rule", name, 100 if name == f"{sign}{section}" else 90, "id", game) for name in inside]
    else:
        wanted = f"{sign}{section}.{rule}{letter}"
        others = [name for name in rules if name != wanted and re.fullmatch(rf"{sign}{section}\.{rule}[a-z]?", name)]
        found = [RuleHit("rule", wanted, 100, "id", game)] if wanted in rules else []
        found += [RuleHit("rule", name, 80, "id", game) for name in others] if found else []
    if not found:
        near = [name for name in rules if name.startswith(f"{sign}{section}.")] or _sections(store, game)
        raise NoAnswerError("unknown-rule", name=shorten(number.string.strip()), candidates=near)
    return found


def _sections(store: Store, game: Game) -> list[str]:
    return [rule for rule in _statuses(store, game) if "." not in rule]


def _by_words(store: Store, form: str, text: str, game: Game) -> list[RuleHit]:
    hits = _by_name(store, form, text, game)
    return hits + _by_text(store, text, {(hit.kind, hit.id) for hit in hits}, bool(hits), game)


def _by_name(store: Store, form: str, text: str, game: Game) -> list[RuleHit]:
    index = index_of(store, game)
    found = TermSearch(index, form, text, None).run(more=False)
    explained = [hit for hit in found.hits if _matters(store, hit.id)] or list(found.hits)
    hits = [RuleHit("term", hit.id, hit.score, hit.how, game) for hit in explained[:10]]
    cited: dict[str, int] = {}
    for hit in explained[:3]:
        for (rule,) in store.query("SELECT rule FROM term_rules WHERE term = ?", hit.id):
            cited.setdefault(rule, max(1, hit.score - 5))
    return hits + [RuleHit("rule", rule, cited[rule], "term", game) for rule in sorted(cited, key=rule_order)]


def _matters(store: Store, term: str) -> bool:
    """False for titles and headings of the booklets, which no one asks for if a term of the game has the same name."""
    group = store.query("SELECT grp FROM terms WHERE id = ?", term)
    return bool(group) and group[0][0] not in ("title", "heading", "place")


def _by_text(store: Store, text: str, known: set[tuple[str, str]], named: bool, game: Game) -> list[RuleHit]:
    hits = []
    for passage in find_passages(store, text, ("rule", "term"), 8, game):
        if (passage.kind, passage.subject) not in known:
            score = round(60 * passage.share) if not named else round(40 * passage.share)
            hits.append(RuleHit(passage.kind, passage.subject, score, "text", game))
    return hits


def nearest_terms(
    store: Store, text: str, limit: int = 3, lang: str | None = None, game: Game = FIRST_GAME
) -> list[str]:
    """The names of terms that look most like ``text``, in ``lang`` or whatever language they were found in."""
    form = join_words(fold_query(text[:200]))
    scored: dict[str, tuple[float, SearchRow]] = {}
    for entry in index_of(store, game).lexicon(TERMS).entries:
        row = entry.row
        if row.kind == "term" and row.preferred:
            score = likeness(form, row.joined)
            if row.subject not in scored or score > scored[row.subject][0]:
                scored[row.subject] = (score, row)
    best = sorted(scored.values(), key=lambda item: -item[0])[:limit]
    if lang is None:
        return [row.name for _, row in best]
    names = store.names_of("term", lang)
    return [names[row.subject].name if row.subject in names else row.name for _, row in best]


def rule_record(store: Store, hit: RuleHit, lang: str) -> dict[str, Any]:
    """A rule or term in plain values: ``name`` and ``text`` by language (a rule's name is its id), ``status``, the
    ``rules`` of a term or of a section, ``cards`` that cite it, ``conflicts`` in ``lang``, ``see``, and the open
    questions of a rule as ``switches``."""
    if hit.kind == "term":
        rows = store.query("SELECT lang, name, official FROM term_names WHERE term = ? AND position = 0", hit.id)
        names = {row[0]: row[1] for row in rows}
        official = {row[0]: bool(row[2]) for row in rows}
        name = {code: names.get(code) for code in store.languages}
        rules = sorted(
            (r[0] for r in store.query("SELECT rule FROM term_rules WHERE term = ?", hit.id)), key=rule_order
        )
        status, see, cards, switches = None, [], _cards_of_term(store, hit.id), []
    else:
        name, official = dict.fromkeys(store.languages, hit.id), {}
        row = store.query("SELECT status, see FROM rules WHERE id = ?", hit.id)[0]
        status, see = row[0], json.loads(row[1])
        inside = store.query("SELECT id FROM rules WHERE id LIKE ? ORDER BY position", f"{hit.id}.%")
        rules = [r[0] for r in inside] if "." not in hit.id else []
        cards = _cards_of_rule(store, hit.id)
        switches = [switches_record(store, s, lang) for s in store.switches.values() if s.rule == hit.id]
    return {
        "id": hit.id,
        "kind": hit.kind,
        "game": hit.game,
        "score": hit.score,
        "name": name,
        "official": official,
        "text": store.texts(f"{hit.kind}.{hit.id}"),
        "status": status,
        "rules": rules,
        "cards": cards,
        "conflicts": conflicts_of(store, hit.kind, hit.id, lang),
        "see": see,
        "switches": switches,
        "matched": {"how": hit.how},
    }


def switches_record(store: Store, switch: SwitchRow, lang: str) -> dict[str, Any]:
    """An open question in plain values: its name, both values, and what they mean in ``lang``."""
    words = Words(store, lang)
    meaning = {value: words.say(f"reading.{switch.name}.{value}") for value in (switch.default, switch.other)}
    return {"name": switch.name, "default": switch.default, "other": switch.other, "meaning": meaning}


def _cards_of_rule(store: Store, rule: str) -> list[str]:
    rows = store.query(
        "SELECT c.id FROM card_rules AS r JOIN cards AS c ON c.id = r.card"
        " WHERE r.rule = ? AND c.reprint_of IS NULL ORDER BY c.position",
        rule,
    )
    return [row[0] for row in rows]


def _cards_of_term(store: Store, term: str) -> list[str]:
    """The cards with the term on their type line or as the timing word of an ability."""
    kind = {"class-militia": "militia", "light-item": "light"}.get(term, term.removeprefix("class-"))
    rows = store.query(
        "SELECT c.id FROM cards AS c WHERE c.reprint_of IS NULL AND (c.id IN (SELECT card FROM types WHERE type = ?)"
        " OR c.id IN (SELECT card FROM effects WHERE timing = ?)) ORDER BY c.position",
        kind,
        kind.removesuffix("-effect").removesuffix("-keyword"),
    )
    return [row[0] for row in rows]
