"""The stages of a search by name, from inflected names to typing errors, for cards and for terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thunderref.lookup.distance import distance, letters
from thunderref.lookup.exact import Found, Hit, exact_hits
from thunderref.lookup.index import FILLERS, NAMES, TERMS, Entry, Index
from thunderref.lookup.noise import NOISE
from thunderref.lookup.normalise import fold_query, join_words, sort_words
from thunderref.lookup.translit import other_layout
from thunderref.lookup.words import (
    EXACT,
    FUZZY,
    PREFIX,
    STEM,
    TRANSLIT_STEM,
    Matches,
    WordMatch,
    cyrillic_matches,
    fuzzy_matches,
    merged,
    plain_matches,
)
from thunderref.store.read import SearchRow

_MAX_WORDS = 8
_MARGIN = 4.0


_TIERS = {
    "exact": 100, "inflected": 97, "transliterated": 94, "word": 90, "inflected-word": 88, "transliterated-word": 84,
    "family": 86, "abbreviation": 82, "beginning": 78, "transliterated-beginning": 74, "layout": 72, "contained": 70,
    "spelling": 68,
}  # fmt: skip


class Aligned(NamedTuple):
    """A name whose words the query's words match: which, how (ranks), with how many errors, leaving none out."""

    entry: Entry
    matched: list[str]
    ranks: list[int]
    costs: list[float]
    full: bool


class NameSearch:
    """One query against the names of cards and families in one index."""

    kinds = NAMES

    def __init__(self, index: Index, form: str, text: str, allowed: set[str] | None) -> None:
        self.index = index
        self.lexicon = index.lexicon(self.kinds)
        self.form = form
        self.text = text
        self.allowed = allowed
        self.words = tuple(form.split())
        self.reprints = {card.id: card.reprint_of for card in index.cards.values() if card.reprint_of is not None}

    def run(self, more: bool) -> Found:
        """The cards found; ``more`` adds worse matches behind the best."""
        best = self._best(self.form, self.words)
        if not best:
            stripped = tuple(word for word in self.words if word not in NOISE)
            if stripped and stripped != self.words:
                best = self._best(" ".join(stripped), stripped)
        if not best:
            best = self._other_layout()
        if not best and len(self.words) > 1:
            best = self.contained()
        rest: list[Hit] = []
        if more:
            rest = self._more({hit.id for hit in best})
        return Found((*best, *rest), len(best))

    def with_words(self) -> set[str]:
        """Every card with a name that has all words of the query, or their beginnings, or near to that."""
        plain = [plain_matches(self.lexicon, word) for word in self.words]
        spelt = self._spelt(self.words, plain)
        found = {hit.id for tier in self._tiers(self.words, spelt).values() for hit in tier}
        return found or {hit.id for hit in self._fuzzy(self.words, spelt)}

    # stages

    def _best(self, form: str, words: tuple[str, ...]) -> list[Hit]:
        """The best group of hits of the name stages."""
        rows = self.index.exact(form, sort_words(form), join_words(form))
        exact = self._kept(self._exact(rows))
        families = [row for row in rows if row.kind == "family"]
        if len(exact) > 1 and families:
            return self._merge(exact, self._family_hits(families, 100, "exact"))
        if exact:
            return exact
        level = self._family_level(words)
        if level:
            return level
        if len(words) > _MAX_WORDS:
            return []
        plain = [plain_matches(self.lexicon, word) for word in words]
        tiers = self._tiers(words, plain)
        if families:
            tiers.setdefault("word", []).extend(self._family_hits(families, _TIERS["family"], "family"))
        if "inflected" in tiers:
            return self._group(tiers["inflected"])
        spelt = self._spelt(words, plain)
        wide = self._tiers(words, spelt)
        for tier in ("word", "inflected-word"):
            if tier in tiers:
                whole = self._group([*tiers[tier], *wide.get("transliterated", [])])
                return whole if len(whole) > 1 else self._group([*whole, *tiers.get("initial", [])])
        if "transliterated" in wide:
            return self._group(wide["transliterated"])
        if "family-part" in tiers:
            return self._group(tiers["family-part"])
        for found in (tiers, wide):
            for tier in ("transliterated-word", "abbreviation", "beginning", "transliterated-beginning"):
                if tier in found:
                    return self._group(found[tier])
        if self._is_term(words):
            return []  # a word of the game, not a mistyped name
        return self._fuzzy(words, spelt)

    def _tiers(self, words: tuple[str, ...], matches: list[Matches]) -> dict[str, list[Hit]]:
        """The names that all words match without a typing error, by how they match."""
        tiers: dict[str, list[Hit]] = {}
        for aligned in self._aligned(words, matches):
            entry, full, worst = aligned.entry, aligned.full, max(aligned.ranks)
            family = entry.row.kind == "family"
            if worst <= STEM:
                if full and worst == STEM and not family:
                    tier = "inflected"
                elif family and not full and not self._is_head(aligned):
                    tier = "family-part"
                else:
                    tier = "word" if worst == EXACT else "inflected-word"
            elif worst == PREFIX:
                if full and len(words) > 1:
                    tier = "abbreviation"
                elif len(words) == 1 and not family and entry.row.form.startswith(words[0]):
                    tier = "initial"
                else:
                    tier = "beginning"
            elif worst <= TRANSLIT_STEM:
                tier = "transliterated" if full and not family else "transliterated-word"
            else:
                tier = "transliterated-beginning"
            score = _TIERS[{"initial": "beginning", "family-part": "family"}.get(tier, tier)]
            tiers.setdefault(tier, []).extend(self._cards_of(entry.row, score, tier))
        if "initial" in tiers:
            tiers["beginning"] = [*tiers.get("beginning", []), *tiers["initial"]]
        return tiers

    def _fuzzy(self, words: tuple[str, ...], matches: list[Matches]) -> list[Hit]:
        alone = len(words) == 1
        wide = [merged(a, fuzzy_matches(self.lexicon, word, alone)) for a, word in zip(matches, words, strict=True)]
        length = sum(map(len, words))
        scored: list[tuple[float, Entry]] = []
        for entry, _, ranks, costs, full in self._aligned(words, wide):
            if FUZZY not in ranks or not self._credible(words, ranks, costs, full):
                continue
            uncovered = 0.0 if full else 1 - len(words) / entry.weight
            softness = sum(rank not in (EXACT, FUZZY) for rank in ranks)
            scored.append((_TIERS["spelling"] + 20 - 90 * sum(costs) / length - 10 * uncovered - 2 * softness, entry))
        scored = scored or self._fuzzy_joined(words)
        if not scored:
            return []
        best = max(score for score, _ in scored)
        hits: list[Hit] = []
        for score, entry in sorted(scored, key=lambda item: -item[0]):
            if score >= best - _MARGIN:
                hits.extend(self._cards_of(entry.row, max(1, min(93, round(score))), "spelling"))
        return self._group(hits)

    def _fuzzy_joined(self, words: tuple[str, ...]) -> list[tuple[float, Entry]]:
        """Names written with other blanks and a typing error: “shortswrd”, “fire bal”."""
        joined = "".join(words)
        if len(joined) < 6 or any(word.isdigit() for word in words):
            return []
        limit = 1.0 if len(joined) < 9 else 2.0
        bits = letters(joined)
        found: list[tuple[float, Entry]] = []
        for entry in self.lexicon.entries:
            name = entry.row.joined
            if abs(len(name) - len(joined)) <= limit and (bits ^ letters(name)).bit_count() <= 2 * limit + 1:
                cost = distance(joined, name, limit)
                if cost is not None:
                    found.append((_TIERS["spelling"] + 20 - 90 * cost / len(joined), entry))
        return found

    def _credible(self, words: tuple[str, ...], ranks: list[int], costs: list[float], full: bool) -> bool:
        """False if so many errors in so few letters that the likeness may be chance."""
        length = sum(map(len, words))
        if sum(costs) > max(1.3, 0.3 * length):
            return False
        sure = full and (any(rank <= STEM for rank in ranks) or (length >= 9 and sum(costs) <= 2.0))
        return all(
            cost <= self._allowance(len(word), full, sure)
            for word, rank, cost in zip(words, ranks, costs, strict=True)
            if rank == FUZZY
        )

    def _allowance(self, length: int, full: bool, sure: bool) -> float:
        """Errors allowed in a word: few in short ones, unless the other words leave no doubt."""
        if length < 4:
            return 1.0 if sure else 0.5
        if full:
            return 4.0
        return 1.0 if length < 7 else 1.5 if length < 10 else 2.3

    def _other_layout(self) -> list[Hit]:
        """The query as typed with the keyboard set to the other alphabet."""
        form = fold_query(other_layout(self.text))
        if not form or form == self.form or len(join_words(form)) < 4:
            return []
        words = tuple(form.split())
        if len(words) > _MAX_WORDS:
            return []
        rows = self.index.exact(form, sort_words(form), join_words(form))
        exact = self._kept(self._exact(rows))
        if not exact:
            tiers = self._tiers(words, [plain_matches(self.lexicon, word) for word in words])
            for tier in ("inflected", "word", "inflected-word", "abbreviation", "beginning"):
                if tier in tiers:
                    exact = self._group(tiers[tier])
                    break
        return [hit._replace(score=_TIERS["layout"], how="layout") for hit in exact]

    def contained(self) -> list[Hit]:
        """Whole names inside a longer query: “what does fireball do”."""
        words = self.words
        spare = len(words) >= 4
        taken: list[tuple[int, int]] = []
        hits: list[Hit] = []
        for size in range(min(5, len(words) - 1), 0, -1):
            for start in range(len(words) - size + 1):
                part = words[start : start + size]
                if any(a < start + size and start < b for a, b in taken) or all(w in NOISE for w in part):
                    continue
                form = " ".join(part)
                exact = self._kept(self._exact(self.index.forms.get(form, [])))
                if not exact and len(form) > 3:
                    tiers = self._tiers(part, [plain_matches(self.lexicon, word) for word in part])
                    exact = self._group(tiers.get("inflected", []))
                if exact:
                    taken.append((start, start + size))
                    hits.extend(exact)
        covered = {i for a, b in taken for i in range(a, b)}
        rest = [word for i, word in enumerate(words) if i not in covered and word not in NOISE]
        if rest and not spare:
            return []
        return self._group([hit._replace(score=_TIERS["contained"], how="contained") for hit in hits])

    def _more(self, known: set[str]) -> list[Hit]:
        """Worse matches than the best, for those who ask for more."""
        if len(self.words) > _MAX_WORDS:
            return []
        plain = [plain_matches(self.lexicon, word) for word in self.words]
        spelt = self._spelt(self.words, plain)
        hits = [hit for tier in self._tiers(self.words, spelt).values() for hit in tier]
        hits += self._fuzzy(self.words, spelt)
        return [hit for hit in self._group(hits) if hit.id not in known]

    # parts

    def _spelt(self, words: tuple[str, ...], plain: list[Matches]) -> list[Matches]:
        """With the Cyrillic words meant by Latin ones, unless all of them are words of the game as they stand."""
        if self._is_term(words) or all(
            any(word in here for here in matches.values()) for word, matches in zip(words, plain, strict=True)
        ):
            return plain
        return [merged(a, cyrillic_matches(self.lexicon, word)) for a, word in zip(plain, words, strict=True)]

    def _is_term(self, words: tuple[str, ...]) -> bool:
        """True if the words are the name of something else than what is searched for."""
        return "term" not in self.kinds and any(r.kind == "term" for r in self.index.forms.get(" ".join(words), ()))

    def _exact(self, rows: Iterable[SearchRow]) -> list[Hit]:
        return exact_hits(rows, self.reprints)

    def _place(self, subject: str) -> int:
        """Where a subject stands among its equals."""
        return self.index.cards[subject].position

    def _aligned(self, words: tuple[str, ...], matches: list[Matches]) -> Iterator[Aligned]:
        """The names of cards and families each word of the query matches a different word of."""
        for lang, vocabulary in self.lexicon.languages.items():
            here = [match.get(lang, {}) for match in matches]
            if not all(here):
                continue
            numbers: set[int] | None = None
            for options in here:
                mine = {number for word in options for number in vocabulary.at[word]}
                numbers = mine if numbers is None else numbers & mine
            for number in sorted(numbers or ()):
                entry = self.lexicon.entries[number]
                chosen = _assign([{w: o[w] for w in dict.fromkeys(entry.words) if w in o} for o in here])
                if chosen is not None:
                    weight = sum(word not in FILLERS for word, _ in chosen)
                    yield Aligned(
                        entry, [word for word, _ in chosen], [match.rank for _, match in chosen],
                        [match.cost for _, match in chosen], weight >= entry.weight,
                    )  # fmt: skip

    def _family_level(self, words: tuple[str, ...]) -> list[Hit]:
        """“elf 2”: a family of heroes and a level."""
        rest = tuple(word for word in words if word not in ("1", "2", "3") and word not in NOISE)
        levels = [int(word) for word in words if word in ("1", "2", "3")]
        if len(levels) != 1 or not rest:
            return []
        rows = [row for row in self.index.forms.get(" ".join(rest), []) if row.kind == "family"]
        hits = self._family_hits(rows, _TIERS["word"], "family")
        return self._group([hit for hit in hits if self.index.cards[hit.id].level == levels[0]])

    def _is_head(self, aligned: Aligned) -> bool:
        """True if the query is the first part of a name like “Undead • Doom”."""
        name = aligned.entry.row.name
        return "•" in name and sorted(fold_query(name.partition("•")[0]).split()) == sorted(aligned.matched)

    def _family_hits(self, rows: Iterable[SearchRow], score: int, how: str) -> list[Hit]:
        return [hit for row in rows for hit in self._cards_of(row, score, how)]

    def _cards_of(self, row: SearchRow, score: int, how: str) -> list[Hit]:
        if row.kind == "family":
            return self._kept(
                Hit(card, score, "family", row.lang, row.name) for card in self.index.families.get(row.subject, ())
            )
        if row.kind != "card":
            return []
        card = self.reprints.get(row.subject, row.subject)
        return self._kept([Hit(card, score, "beginning" if how == "initial" else how, row.lang, row.name)])

    def _kept(self, hits: Iterable[Hit]) -> list[Hit]:
        return [hit for hit in hits if self.allowed is None or hit.id in self.allowed]

    def _merge(self, first: list[Hit], second: list[Hit]) -> list[Hit]:
        merged_hits = {hit.id: hit for hit in first}
        for hit in second:
            merged_hits.setdefault(hit.id, hit)
        return list(merged_hits.values())

    def _group(self, hits: Iterable[Hit]) -> list[Hit]:
        """One hit a card, best first, then in the order of the boxes."""
        best: dict[str, Hit] = {}
        for hit in hits:
            old = best.get(hit.id)
            if old is None or (hit.score, hit.how != "family") > (old.score, old.how != "family"):
                best[hit.id] = hit
        return sorted(best.values(), key=lambda hit: (-hit.score, self._place(hit.id)))


def _assign(options: list[dict[str, WordMatch]]) -> list[tuple[str, WordMatch]] | None:
    """A different word of the name for each word of the query, the best way; None if there is none."""
    best: list[tuple[str, WordMatch]] | None = None
    best_key: tuple[int, float, int] | None = None

    def extend(chosen: list[tuple[str, WordMatch]]) -> None:
        nonlocal best, best_key
        if len(chosen) == len(options):
            matches = [match for _, match in chosen]
            key = (max(m.rank for m in matches), sum(m.cost for m in matches), sum(m.rank for m in matches))
            if best_key is None or key < best_key:
                best, best_key = list(chosen), key
            return
        used = {word for word, _ in chosen}
        for word, match in options[len(chosen)].items():
            if word not in used:
                extend([*chosen, (word, match)])

    extend([])
    return best


class TermSearch(NameSearch):
    """One query against the names of the terms of the game."""

    kinds = TERMS

    def _exact(self, rows: Iterable[SearchRow]) -> list[Hit]:
        found = {row.subject: Hit(row.subject, 100, "exact", row.lang, row.name) for row in rows if row.kind == "term"}
        return list(found.values())

    def _place(self, subject: str) -> int:
        return self.index.terms.get(subject, 0)

    def _family_level(self, words: tuple[str, ...]) -> list[Hit]:
        return []

    def _family_hits(self, rows: Iterable[SearchRow], score: int, how: str) -> list[Hit]:
        return []

    def _cards_of(self, row: SearchRow, score: int, how: str) -> list[Hit]:
        if row.kind != "term":
            return []
        return self._kept([Hit(row.subject, score, "beginning" if how == "initial" else how, row.lang, row.name)])
