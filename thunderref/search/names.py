"""Finding cards and terms by name: exact before prefix before fuzzy, in any language, never guessing between equals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from itertools import product
from typing import NamedTuple

from thunderref.database.games import FIRST_GAME, Game
from thunderref.database.read import Database, SearchRow
from thunderref.errors import NoAnswerError
from thunderref.search.index import FILLERS, TERMS, Entry, Index, index_of
from thunderref.search.matching import EXACT, FUZZY, PREFIX, STEM, TRANSLIT_STEM, WordMatch, edits
from thunderref.search.query import MAX_LENGTH, Found, Hit, checked_query, exact_card, exact_hits, shorten
from thunderref.text.folding import fold_query, join_words
from thunderref.text.transliteration import other_layout

_MAX_WORDS = 8
_MAX_ANSWERS = 5000
_MARGIN = 4.0
_SCORES = {
    "inflected": 97, "transliterated": 94, "word": 90, "inflected-word": 88, "family-part": 86, "family": 86,
    "transliterated-word": 84, "abbreviation": 82, "beginning": 78, "initial": 78, "transliterated-beginning": 74,
    "layout": 72, "contained": 70, "spelling": 68,
}  # fmt: skip
_PLAIN_TIERS = ("inflected", "word", "inflected-word", "abbreviation", "beginning")
_TIERS = (
    "inflected", "word", "inflected-word", "transliterated", "family-part", "abbreviation", "beginning",
    "transliterated-word", "transliterated-beginning",
)  # fmt: skip
"""How names match, best first: only the best group is the answer."""


def find_card(database: Database, text: str, kinds: Collection[str] | None = None, *, lang: str | None = None) -> str:
    """The id of the one card, of these ``kinds`` if given, that ``text`` names in any language.

    Raises :class:`NoAnswerError` (``unknown-card``, ``ambiguous-card``; candidates are named in ``lang`` or as found)
    and :class:`InputError` for an empty or an over-long text.
    """
    found = search_cards(database, text, kinds)
    if found.equals == 1:
        return found.hits[0].id
    if found.equals:
        raise ambiguous_card(database, text, found, lang)
    raise unknown_card(database, text, kinds, lang)


def ambiguous_card(database: Database, text: str, found: Found, lang: str | None = None) -> NoAnswerError:
    names = [_shown(database, hit, lang) for hit in found.hits[: found.equals]]
    return NoAnswerError("ambiguous-card", name=shorten(text), candidates=names)


def unknown_card(
    database: Database, text: str, kinds: Collection[str] | None = None, lang: str | None = None
) -> NoAnswerError:
    near = nearest_names(index_of(database), text, _allowed(database, kinds))
    return NoAnswerError("unknown-card", name=shorten(text), candidates=[_shown(database, hit, lang) for hit in near])


def search_cards(database: Database, text: str, kinds: Collection[str] | None = None, *, more: bool = False) -> Found:
    """All cards that ``text`` may name, best first; ``more`` also looks for worse matches than the best.

    Raises :class:`InputError` for an empty or an over-long text.
    """
    form = checked_query(text)
    if kinds is None and not more and (exact := exact_card(database, form)):
        return exact
    index = index_of(database)
    key = (text, None if kinds is None else frozenset(kinds), more)
    if key not in index.answers:
        if len(index.answers) > _MAX_ANSWERS:
            index.answers.clear()
        index.answers[key] = NameSearch(index, form, text, _allowed(database, kinds)).run(more)
    return index.answers[key]


def search_terms(database: Database, text: str, game: Game = FIRST_GAME) -> Found:
    return NameSearch(index_of(database, TERMS, game), checked_query(text), text).run()


def cards_with_words(database: Database, words: list[str]) -> set[str]:
    """The ids of all cards with a name (in one language) or a family that has all the folded words or beginnings."""
    form = " ".join(words)
    return {hit.id for hit in NameSearch(index_of(database), form, form).with_words()}


def nearest_names(index: Index, text: str, allowed: Set[str] | None = None, limit: int = 3) -> list[Hit]:
    """The cards or terms whose names look most like ``text``, whatever they are."""
    form = join_words(fold_query(text[:MAX_LENGTH]))
    best: dict[str, tuple[float, SearchRow]] = {}
    for entry in index.entries:
        row, ident = entry.row, entry.row.subject
        wanted = row.kind != "family" and ident not in index.reprints and (allowed is None or ident in allowed)
        if row.position == 0 and wanted:
            score = _likeness(form, row.joined)
            if row.kind == "card" and len(entry.words) > 1:
                score = max(score, *(0.9 * _likeness(form, word) for word in entry.words))
            best[ident] = max(best.get(ident, (score, row)), (score, row), key=lambda found: found[0])
    ranked = sorted(best.items(), key=lambda item: (-item[1][0], index.positions[item[0]]))
    return [Hit(ident, round(score * 50), "nearest", row.lang, row.name) for ident, (score, row) in ranked[:limit]]


def _likeness(a: str, b: str) -> float:
    if not a or not b:
        return 0.0
    first, second = ({f" {text}"[i : i + 2] for i in range(len(text))} for text in (a, b))
    pairs = 2 * len(first & second) / (len(first) + len(second))
    return 0.75 * pairs + 0.25 * len(set(a) & set(b)) / len(set(a) | set(b))


def _allowed(database: Database, kinds: Collection[str] | None) -> set[str] | None:
    return None if kinds is None else {card.id for card in database.cards.values() if card.kind in kinds}


def _shown(database: Database, hit: Hit, lang: str | None) -> str:
    names = database.names("card", hit.id)
    row = names.get(lang or hit.lang) or names.get("en")
    return row.name if row else hit.id


class _Aligned(NamedTuple):
    """A name, and which of its words each word of the query matches, and how."""

    entry: Entry
    words: tuple[str, ...]
    matches: tuple[WordMatch, ...]

    @property
    def worst(self) -> int:
        return max(match.rank for match in self.matches)

    @property
    def cost(self) -> float:
        return sum(match.cost for match in self.matches)

    @property
    def is_whole(self) -> bool:
        return sum(word not in FILLERS for word in self.words) >= self.entry.weight

    @property
    def is_head(self) -> bool:
        """True if the query is the first part of a name like “Undead • Doom”."""
        head, dot, _ = self.entry.row.name.partition("•")
        return bool(dot) and sorted(fold_query(head).split()) == sorted(self.words)


class NameSearch:
    """One folded query, ``text`` as it was typed, against the names of an index: all, or those of ``allowed`` ids."""

    def __init__(self, index: Index, form: str, text: str, allowed: Set[str] | None = None) -> None:
        self.index = index
        self.form = form
        self.text = text
        self.allowed = allowed
        self.words = tuple(form.split())

    def run(self, more: bool = False) -> Found:
        """What is found; ``more`` adds worse matches behind the best."""
        stripped = tuple(word for word in self.words if word not in self.index.noise)
        best = self._best(self.words) or (self._best(stripped) if 0 < len(stripped) < len(self.words) else [])
        best = best or self._other_layout() or self._contained()
        rest: list[Hit] = []
        if more and len(self.words) <= _MAX_WORDS:
            known = {hit.id for hit in best}
            rest = [hit for hit in self._group(self._matching() + self._mistyped(self.words)) if hit.id not in known]
        return Found((*best, *rest), len(best))

    def with_words(self) -> list[Hit]:
        """Every name that has all words of the query, or their beginnings, or near to that."""
        return self._matching() or self._mistyped(self.words)

    def _matching(self) -> list[Hit]:
        return [hit for tier in self._tiers(self.words).values() for hit in tier]

    def _best(self, words: tuple[str, ...]) -> list[Hit]:
        rows = self.index.exact(" ".join(words))
        exact = self._exact(rows)
        families = [row for row in rows if row.kind == "family"]
        if exact:
            family = self._hits(families, 100, "exact") if len(exact) > 1 else []
            return list({hit.id: hit for hit in (*exact, *family, *exact)}.values())
        if level := self._family_level(words):
            return level
        if len(words) > _MAX_WORDS:
            return []
        tiers = self._tiers(words)
        if families:
            tiers.setdefault("word", []).extend(self._hits(families, _SCORES["family"], "family"))
        best = next((tier for tier in _TIERS if tier in tiers), None)
        if best in ("word", "inflected-word"):
            found = self._group([*tiers[best], *tiers.get("transliterated", [])])
            return found if len(found) > 1 else self._group([*found, *tiers.get("initial", [])])
        if best is not None:
            return self._group(tiers[best])
        return [] if " ".join(words) in self.index.other_names else self._mistyped(words)

    def _exact(self, rows: Iterable[SearchRow]) -> list[Hit]:
        hits = exact_hits((row for row in rows if row.kind != "family"), self.index.reprints)
        return [hit for hit in hits if self.allowed is None or hit.id in self.allowed]

    def _family_level(self, words: tuple[str, ...]) -> list[Hit]:
        """“elf 2”: a family of heroes and a level."""
        rest = " ".join(word for word in words if word not in ("1", "2", "3") and word not in self.index.noise)
        levels = [int(word) for word in words if word in ("1", "2", "3")]
        rows = [row for row in self.index.forms.get(rest, []) if row.kind == "family"]
        hits = self._hits(rows, _SCORES["word"], "family") if len(levels) == 1 else []
        return self._group(hit for hit in hits if self.index.cards[hit.id].level == levels[0])

    def _tiers(self, words: tuple[str, ...], plain: bool = False) -> dict[str, list[Hit]]:
        """The names that all words match without a typing error, by how they match; ``plain``: as they are spelt."""
        tiers: dict[str, list[Hit]] = {}
        for name in self._aligned(words, plain):
            tier = _tier(words, name)
            how = "beginning" if tier == "initial" else tier
            tiers.setdefault(tier, []).extend(self._hits([name.entry.row], _SCORES[tier], how))
        if "initial" in tiers:
            tiers["beginning"] = tiers.get("beginning", []) + tiers["initial"]
        return tiers

    def _mistyped(self, words: tuple[str, ...]) -> list[Hit]:
        length = sum(map(len, words))
        scored: list[tuple[float, Entry]] = []
        for name in self._aligned(words, mistyped=True):
            if name.worst == FUZZY and _is_credible(words, name):
                left_out = 0.0 if name.is_whole else 1 - len(words) / name.entry.weight
                soft = sum(match.rank not in (EXACT, FUZZY) for match in name.matches)
                points = _SCORES["spelling"] + 20 - 90 * name.cost / length - 10 * left_out - 2 * soft
                scored.append((points, name.entry))
        scored = scored or self._joined(words)
        least = max((points for points, _ in scored), default=0.0) - _MARGIN
        good = sorted((found for found in scored if found[0] >= least), key=lambda found: -found[0])
        return self._group(
            hit for points, entry in good for hit in self._hits([entry.row], max(1, min(93, round(points))), "spelling")
        )

    def _joined(self, words: tuple[str, ...]) -> list[tuple[float, Entry]]:
        joined = "".join(words)
        if len(joined) < 6 or any(word.isdecimal() for word in words):
            return []
        names = [entry.row.joined for entry in self.index.entries]
        return [
            (_SCORES["spelling"] + 20 - 90 * cost / len(joined), self.index.entries[i])
            for i, cost in edits(joined, names, 1 if len(joined) < 9 else 2)
        ]

    def _other_layout(self) -> list[Hit]:
        form = fold_query(other_layout(self.text))
        words = tuple(form.split())
        if form == self.form or len(join_words(form)) < 4 or len(words) > _MAX_WORDS:
            return []
        hits = self._exact(self.index.exact(form))
        if not hits:
            tiers = self._tiers(words, plain=True)
            hits = self._group(next((tiers[tier] for tier in _PLAIN_TIERS if tier in tiers), []))
        return [hit._replace(score=_SCORES["layout"], how="layout") for hit in hits]

    def _contained(self) -> list[Hit]:
        words = self.words
        taken: set[int] = set()
        hits: list[Hit] = []
        for size in range(min(5, len(words) - 1), 0, -1):
            for start in range(len(words) - size + 1):
                part = words[start : start + size]
                if not taken.isdisjoint(range(start, start + size)) or all(word in self.index.noise for word in part):
                    continue
                form = " ".join(part)
                found = self._exact(self.index.forms.get(form, []))
                if not found and len(form) > 3:
                    found = self._group(self._tiers(part, plain=True).get("inflected", []))
                if found:
                    taken.update(range(start, start + size))
                    hits.extend(found)
        if len(words) < 4 and any(word not in self.index.noise for i, word in enumerate(words) if i not in taken):
            return []
        return self._group(hit._replace(score=_SCORES["contained"], how="contained") for hit in hits)

    def _aligned(self, words: tuple[str, ...], plain: bool = False, mistyped: bool = False) -> Iterator[_Aligned]:
        """The names in which each word matches a different word: Cyrillic ones too if not all are known as spelt."""
        vocabularies = self.index.languages.values()
        known = all(any(word in vocabulary.at for vocabulary in vocabularies) for word in words)
        respelt = not plain and not known and " ".join(words) not in self.index.other_names
        for vocabulary in vocabularies if words else ():
            options = [vocabulary.matches(word, respelt, mistyped, len(words) == 1) for word in words]
            numbers = [{number for word in option for number in vocabulary.at[word]} for option in options]
            for number in sorted(set.intersection(*numbers)):
                entry = self.index.entries[number]
                fitting = [[(w, o[w]) for w in dict.fromkeys(entry.words) if w in o] for o in options]
                ways = product(*fitting) if len(words) <= len(entry.words) else ()
                names = [_Aligned(entry, *zip(*way, strict=True)) for way in ways if len(dict(way)) == len(words)]
                if names:
                    yield min(names, key=lambda name: (name.worst, name.cost, sum(m.rank for m in name.matches)))

    def _hits(self, rows: Iterable[SearchRow], score: int, how: str) -> list[Hit]:
        return [
            Hit(ident, score, "family" if row.kind == "family" else how, row.lang, row.name)
            for row in rows
            for ident in self.index.ids(row)
            if self.allowed is None or ident in self.allowed
        ]

    def _group(self, hits: Iterable[Hit]) -> list[Hit]:
        best: dict[str, Hit] = {}
        for hit in hits:
            old = best.get(hit.id)
            if old is None or (hit.score, hit.how != "family") > (old.score, old.how != "family"):
                best[hit.id] = hit
        return sorted(best.values(), key=lambda hit: (-hit.score, self.index.positions[hit.id]))


def _tier(words: tuple[str, ...], name: _Aligned) -> str:
    row, worst, whole = name.entry.row, name.worst, name.is_whole
    family = row.kind == "family"
    if worst > TRANSLIT_STEM:
        return "transliterated-beginning"
    if worst > PREFIX:
        return "transliterated" if whole and not family else "transliterated-word"
    if worst == PREFIX:
        if whole and len(words) > 1:
            return "abbreviation"
        begun = len(words) == 1 and not family and row.form.startswith(words[0])
        return "initial" if begun else "beginning"
    if whole and worst == STEM and not family:
        return "inflected"
    if family and not whole and not name.is_head:
        return "family-part"
    return "word" if worst == EXACT else "inflected-word"


def _is_credible(words: tuple[str, ...], name: _Aligned) -> bool:
    length = sum(map(len, words))
    if name.cost > max(1.3, 0.3 * length):
        return False
    known = any(match.rank <= STEM for match in name.matches)
    sure = name.is_whole and (known or (length >= 9 and name.cost <= 2.0))

    def allowance(letters: int) -> float:
        if letters < 4:
            return 1.0 if sure else 0.5
        return 4.0 if name.is_whole else 1.0 if letters < 7 else 1.5 if letters < 10 else 2.3

    pairs = zip(words, name.matches, strict=True)
    return all(match.cost <= allowance(len(word)) for word, match in pairs if match.rank == FUZZY)
