"""Answering questions: what is told about a rule, card, ruling, term or conflict, by the words and names asked for.

A question is read first: its language, the names and rule ids in it, the words that matter and what they may stand for.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, product
from math import sqrt
from typing import Any, NamedTuple

from thunderref.database.paths import FIGURES, FIRST_GAME, FOREIGN, GAMES, Game
from thunderref.database.read import Database, Language, open_database
from thunderref.database.validation import Record
from thunderref.errors import Candidate, InputError, NoAnswerError
from thunderref.search.names import edits, index_of
from thunderref.search.passages import Passage, Tokens, passages_of
from thunderref.search.query import MAX_LENGTH, shorten
from thunderref.text.folding import fold, fold_query, is_cyrillic, to_cyrillic, weighty
from thunderref.text.messages import first_sentence
from thunderref.text.stems import name_stems, query_stems, small_words, tokens

_LEAST = {"en": 1.04, "pl": 0.76, "ru": 0.7}
"""What a question must come to in a language to be answered: English words mean more things."""
SURE, _LESS = 1.3, 0.25
"""Measured by that: an answer as strong is called the answer; a game that is named answers with as little."""
_BESIDE, _NEAREST = 0.5, 3
"""What is shown beside the first is so strong, measured by the first; how many topics stand in a refusal."""
_CANDIDATES, _QUESTIONS = 100, 200
_OFTEN, _LONG, _USUAL = 1.0, 0.4, 32.0
"""BM25: how soon a repeated word says no more (``k``), how much length takes (``b``), the usual length."""
_IN_NAMES = 1.2
_ASKED, _AGAIN = 0.8, 0.4
"""What it adds that a player's question is like the one asked, and what a second one counts, measured by the first."""
_LIKEST, _CENTRAL, _IN_SENTENCE, _ABOUT = (1.0, 0.1, 0.17), 1.2, 0.9, 0.5
"""What chooses a sentence: its likest questions, the words of all of them, its own words, what it is about."""
_NEARLY, _MOST_SAID = 0.85, 3
"""A sentence that fits nearly as well as the first, measured by that, is said, too; how many are said at most."""
_SAID_BEFORE = 0.45
"""Sentences that share more of their words than this say the same."""
_APART = 2.6
"""How much it counts that a question is liker to players' questions than to foreign ones."""
_KIND = {"rule": 1.05, "section": 0.7, "clarification": 0.9, "term": 0.9, "card": 0.85, "conflict": 0.5}
_NAMED, _CALLED, _ALONE = 0.5, 0.2, 0.6
"""What it adds that the question is nothing but the name of a card, or of a term; what that is worth at least."""
_CITED = 2.0
"""What a rule is worth whose number is in the question."""
_SHORT = 10.0
"""The weight of a short question: the longer one is, the more surely its answers are told apart."""
_BETTER, _ENOUGH = 1.11, 0.8
"""How well, measured by the first, another game must answer to be meant; and where the first one has no answer."""
_MOST_QUOTED, _LONGEST, _MOST_WORDS = 4, 400, 40
_SAME = _UNSURE = 0.7
"""How surely a word means what its synonym does; how much one that may be another weighs as an unknown one."""
_SLIP, _LETTERS = 0.75, 4
"""How surely a word is the one of a card's name it is like; how many letters of a name have one error."""
_RARE = 2
"""A word that no more answers have may be a mistyped one."""
_RULE = re.compile(r"(?<![\w.])([RrРрTtТт])\s?(\d{1,2}[.,]\d{1,2}[a-zA-Z]?|\d{1,2})(?![\w])")
SHOWN = 5
"""How many answers are given unless more are asked for."""
_ASKED_FOR = (
    "SELECT key, text FROM messages WHERE lang = ? AND (key = 'ask.words.about' OR key GLOB 'ask.words.figure.*')"
)
"""What asks what something does, and for its figures."""
_SENTENCES = (
    "SELECT key, kind, subject, lang, tokens, names, 0.0 FROM passages"
    " WHERE key IN (SELECT value FROM json_each(?)) AND lang = ? AND kind IN ('question', 'told', 'answer')"
)
"""Answers, each with the questions that it answers."""
_ALIKE = 0.8
"""The share of telling words that a question has in common with one that is asked the same way round."""
_CONCERNED = {
    "clarification": "SELECT card FROM clarification_cards WHERE clarification = ?",
    "conflict": "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY subject",
}
"""The cards that a ruling or conflict concerns."""
_PRINTED = {"rule": "rules", "clarify": "clarifications"}


class QuestionWord(NamedTuple):
    """A word of the question, with the tokens and stems it may have, and how much it says; a ``small`` one says little.

    ``like``: how much each token makes a question like another that has it. ``how`` is ``name``, ``word``, ``spelling``
    (a typing error mended) or ``unknown``.
    """

    typed: str
    how: str
    tokens: Tokens
    stems: frozenset[str]
    weight: float
    like: Tokens
    small: bool


class MentionedName(NamedTuple):
    """A card, family or term that is named, by which words of the question (by number)."""

    kind: str
    id: str
    name: str
    words: frozenset[int]


class ParsedQuestion(NamedTuple):
    """What was asked about a game, read in one language: its words, the rules, names and figures in it.

    ``subject`` is the weight of its words but for those that only ask what something does or costs, ``small`` the small
    words of the language.
    """

    game: Game
    lang: str
    words: tuple[QuestionWord, ...] = ()
    rules: tuple[str, ...] = ()
    named: tuple[MentionedName, ...] = ()
    figures: tuple[str, ...] = ()
    subject: float = 1.0
    small: frozenset[str] = frozenset()

    @property
    def telling(self) -> frozenset[int]:
        """The words that say what is asked, by number."""
        return frozenset(i for i, word in enumerate(self.words) if not word.small)

    def naming(self, kind: str, ident: str) -> frozenset[int]:
        """The words that name something, none if it is not named."""
        return next((hit.words for hit in self.named if (hit.kind, hit.id) == (kind, ident)), frozenset())


def read_question(database: Database, text: str, game: Game = FIRST_GAME) -> list[ParsedQuestion]:
    """A question in each language it may be in; raises :class:`InputError` (``empty-query``, ``long-query``)."""
    if len(text) > _LONGEST:
        raise InputError("long-query", limit=_LONGEST)
    known = {row[0].lower(): row[0] for row in database.query("SELECT id FROM rules WHERE game = ?", game)}
    rules = []
    for found in _RULE.finditer(text):
        rule = known.get(f"{'r' if found[1] in 'RrРр' else 't'}{found[2].replace(',', '.').lower()}")
        if rule is not None:
            rules.append(rule)
            text = text.replace(found[0], " ", 1)
    forms = fold_query(text).split()[:_MOST_WORDS]
    if not forms and not rules:
        raise InputError("empty-query")
    if not forms:
        return [ParsedQuestion(game, "en", rules=tuple(rules))]
    seen = re.findall(r"[\w'’]+", text)
    typed = dict(zip(forms, seen if len(seen) == len(forms) else forms, strict=False))
    readers = [_Reader(database, typed, lang, game) for lang in database.languages]
    best = max(reader.fit for reader in readers)
    return [reader.question(tuple(rules)) for reader in readers if reader.fit >= 0.75 * best]


def _same_words(database: Database, key: str, lang: str) -> list[tuple[list[tuple[str, str]], str]]:
    """Words, each with its first letters as folded, and what the texts say for them, for each entry of a message."""
    texts = database.query("SELECT text FROM messages WHERE key = ? AND lang = ?", key, lang)
    entries = (entry.partition(":") for (text,) in texts for entry in text.split(";"))
    return [([(word, fold(word)[:3]) for word in said.split()], others) for said, _, others in entries]


class _Reader:
    """The words of a question in one language; ``fit``: how many of them it knows."""

    def __init__(self, database: Database, forms: dict[str, str], lang: str, game: Game) -> None:
        self.database, self.lang, self.game = database, lang, game
        self.index = passages_of(database, game)
        self.same = self._synonyms({form[:3] for form in forms})
        self.words: list[tuple[str, str, bool, Tokens]] = []
        self.fit = 0.0
        for form, typed in forms.items():
            respelt = to_cyrillic(form) if lang in database.cyrillic and not is_cyrillic(form) else []
            for variant in (form, *respelt):
                (token,) = tokens(variant, lang)
                others = [self.index.related(other) for other in self.same.get(token, ())]
                found = {each: _SAME * sure for other in others for each, sure in other.items()}
                if found := found | self.index.related(token):
                    break
            known = max(found.values(), default=0.0)
            self.fit += known if variant == form else 0.8 * known
            self.words.append((typed, variant if found else form, variant == form, found))

    def question(self, rules: tuple[str, ...]) -> ParsedQuestion:
        words, meant, small = [], self._mistyped_names(), small_words(self.lang)
        for typed, form, as_typed, known in self.words:
            (token,) = tokens(form, self.lang)
            name = meant.get(form, "")
            found = dict.fromkeys(tokens(name, self.lang), _SLIP) | known or self.index.alike(token, form)
            how = "unknown" if not found else "word" if known and as_typed and not name else "spelling"
            weights = {each: sure for each, sure in found.items() if self.index.answers(each)}
            best = max(weights.values(), default=0.0)
            most = max((self.index.weight(each) for each, sure in weights.items() if sure == best), default=0.0)
            unknown = self.index.weight(token) * (0.5 if len(form) < 4 else 1)
            weight = best * most + (1 - best) * _UNSURE * unknown if best else unknown
            sure = {each for each in found if each == token or each not in self.same.get(token, ())}
            like = {each: share * self.index.likeness(each) for each, share in found.items()}
            stems = query_stems(name or form, self.lang) | sure
            words.append(QuestionWord(typed, how, found, stems, weight, like, token in small))
        rows = self.database.query(_ASKED_FOR, self.lang)
        about = {key.rpartition(".")[2]: frozenset(tokens(text, self.lang)) for key, text in rows}
        certain = [{token for token, sure in word.tokens.items() if sure == 1} for word in words]
        idle = small.union(*about.values())
        subject = sum(word.weight for word, sure in zip(words, certain, strict=True) if idle.isdisjoint(sure))
        asked, named = set[str]().union(*certain), tuple(self._named(words))
        figures = tuple(each for each, asks in about.items() if each in FIGURES and not asks.isdisjoint(asked))
        return ParsedQuestion(self.game, self.lang, tuple(words), rules, named, figures, subject or 1.0, small)

    def _mistyped_names(self) -> dict[str, str]:
        """Word of the question -> the word of a card's name it stands for, where two or three make one."""
        found: dict[str, str] = {}
        unknown = {f for _, f, _, known in self.words if all(self.index.answers(each) <= _RARE for each in known)}
        sql = "SELECT form, game FROM names WHERE kind = 'card' AND lang = ?"
        rows = self.database.query(sql, self.lang) if unknown else []
        unknown = unknown.difference(*(form.split() for form, _ in rows))
        names = [weighty(form.split()) for form, game in rows if game == self.game]
        joined = ["".join(name) for name in names]
        for size, start in product((3, 2), range(len(self.words))) if unknown else ():
            part = [form for _, form, _, _ in self.words[start : start + size]]
            if unknown.isdisjoint(part) or not found.keys().isdisjoint(part):
                continue
            length = len("".join(part))
            for i, _ in edits("".join(part), joined, length // _LETTERS)[:1]:
                found |= {form: names[i][edits(form, names[i], length + len(joined[i]))[0][0]] for form in part}
        return found

    def _synonyms(self, starts: set[str]) -> dict[str, list[str]]:
        """Token -> tokens of the words that the texts use for the same thing, each game its own."""
        key = "ask.words.same" if self.game == FIRST_GAME else f"ask.words.same.{self.game}"
        found: dict[str, list[str]] = {}
        for said, others in self.database.derived(_same_words, key, self.lang):
            asked = [word for word, start in said if start in starts]
            for token in tokens(" ".join(asked), self.lang) if asked else ():
                found.setdefault(token, []).extend(tokens(others, self.lang))
        return found

    def _named(self, words: list[QuestionWord]) -> Iterator[MentionedName]:
        """The names in the question, the longest first; a word is part of one only."""
        at = {stem: i for i, word in reversed(list(enumerate(words))) for stem in word.stems}
        rows = self.database.query(
            "SELECT kind, subject, name, parts FROM names WHERE lang = ? AND kind != 'set' AND game = ? AND parts != ''"
            " AND (kind != 'term' OR subject NOT IN (SELECT id FROM terms WHERE grp IN ('title', 'heading', 'place')))",
            self.lang, self.game,
        )  # fmt: skip
        hits = []
        for kind, subject, name, parts in rows:
            spots = [next((at[stem] for stem in part.split("|") if stem in at), -1) for part in parts.split(" ")]
            if -1 not in spots and len(set(spots)) == len(spots):
                hits.append(MentionedName(kind, self.database.reprints.get(subject, subject), name, frozenset(spots)))
        taken: dict[int, frozenset[int]] = {}
        for hit in sorted(hits, key=lambda hit: (-len(hit.words), ("card", "family", "term").index(hit.kind))):
            if all(taken.setdefault(i, hit.words) == hit.words for i in hit.words):
                yield hit


class Sentence(NamedTuple):
    """How well the sentence ``key`` fits a question, the likest question that it was written for, and its words."""

    fit: float
    key: str
    like: Passage
    words: set[str]


class Answer(NamedTuple):
    """What answers a question (``card``, ``rule``, ``clarification``, ``term``, ``conflict``), how well (0 to 100).

    ``words`` are those of the question that it answers (by number); ``similar`` is what the likest question is about,
    ``meant`` how much liker to players' questions than to foreign ones it is: 1 if as like. ``sentences``
    are those that tell it, the one that fits best first; of the first answer what is to be said.
    """

    kind: str
    id: str
    question: ParsedQuestion
    strength: float = 0.0
    words: frozenset[int] = frozenset()
    similar: str = ""
    meant: float = 1.0
    score: int = 0
    sentences: tuple[Sentence, ...] = ()

    @property
    def evidence(self) -> float:
        """How surely it answers, 1 being the least: one word in common may be chance."""
        words = self.words & self.question.telling
        return self.meant * self.strength * sqrt(max(1, len(words))) / _LEAST.get(self.question.lang, 0.55)


class GameAnswers(NamedTuple):
    """The answers of the game a question is taken to be about, and the best answer of another game if it is good."""

    query: str
    game: Game
    answers: list[Answer]
    elsewhere: Answer | None = None

    @property
    def confident(self) -> bool:
        """False if nothing is sure enough to be called the answer."""
        return self.answers[0].evidence >= SURE


def ask_games(database: Database, text: str, game: Game | None = None) -> GameAnswers:
    """What is told about a question: of ``game``, else of the one it names, else of the first.

    Another game answers only where it fits clearly better than the first. Raises as :func:`ask` does, and
    :class:`NoAnswerError` if the question names a game that thunderref does not know.
    """
    if names_unknown_game(database, text):
        raise NoAnswerError("no-answer", name=shorten(text))
    named, rest = _named_game(database, text)
    if game is not None or named is not None:
        chosen = game or named or FIRST_GAME
        return GameAnswers(text, chosen, ask(database, rest if chosen == named else text, chosen))
    found: dict[Game, list[Answer]] = {}
    for one in GAMES:
        with suppress(NoAnswerError):
            found[one] = ask(database, text, one)
    ours = found.get(FIRST_GAME, [])
    least = _BETTER * max(answer.evidence for answer in ours) if ours else _ENOUGH
    others = [(answers[0].evidence, one) for one, answers in found.items() if one != FIRST_GAME]
    strength, other = max(others, default=(0.0, FIRST_GAME))
    if strength > least:
        return GameAnswers(text, other, found[other], ours[0] if ours else None)
    return GameAnswers(text, FIRST_GAME, ours or ask(database, text), found[other][0] if strength >= 1 else None)


def ask(database: Database, text: str, game: Game = FIRST_GAME) -> list[Answer]:
    """What the texts of one game say about a question in any language, best first.

    Raises :class:`InputError` (``empty-query``, ``long-query``) and :class:`NoAnswerError` (``no-answer``, the nearest
    topics as candidates).
    """
    best: dict[str, Answer] = {}
    for question in read_question(database, text, game):
        for target, found in _weigh(database, question).items():
            best[target] = max(found, best.get(target, found), key=lambda found: found.strength)
    ranked = [best[target] for target in sorted(best, key=lambda target: (-best[target].strength, target))]
    if not ranked or ranked[0].evidence < (1 if game == FIRST_GAME else _LESS):
        topics = [(Language(database, ranked[0].question.lang), each) for each in ranked[:_NEAREST]]
        near = [Candidate(name_of(words, each), each.id) for words, each in topics]
        near = near or [Candidate(hit.name, hit.id) for hit in index_of(database).nearest(text[:MAX_LENGTH])]
        raise NoAnswerError("no-answer", name=shorten(text), candidates=near)
    top = ranked[0].strength
    full = top * max(1.0, SURE / ranked[0].evidence)
    if (first := next((each for each in ranked if _asks_values(database, each)), None)) is not None:
        ranked.remove(first)
        ranked.insert(0, first._replace(strength=top, sentences=()))
    elif (first := _best_sentence(ranked)) is not None:
        said = list[Sentence]()
        for sentence in sorted((sentence for each in ranked for sentence in each.sentences), reverse=True):
            if said and sentence.fit < _NEARLY * said[0].fit:
                break
            said += [] if any(_says_the_same(sentence, of) for of in said) else [sentence]
        ranked.remove(first)
        ranked.insert(0, first._replace(strength=top, sentences=tuple(said[: _MOST_SAID - (first.kind == "term")])))
    return [
        each._replace(score=max(1, min(100, round(100 * each.strength / full))))
        for each in ranked
        if each.strength >= _BESIDE * top
    ]


def _says_the_same(one: Sentence, other: Sentence) -> bool:
    """True of two sentences that share most of their words, if they are not about two cards."""
    about = {each.like.subject for each in (one, other)}
    cards = sum(subject.startswith("card.") for subject in about)
    return cards < 2 and len(one.words & other.words) > _SAID_BEFORE * len(one.words | other.words)


def _asks_values(database: Database, answer: Answer) -> bool:
    """True if the card is named, and nothing is asked but a value printed on it."""
    question, named = answer.question, answer.question.naming(answer.kind, answer.id)
    if answer.kind != "card" or not question.figures or not named or len(question.telling - named) > 1:
        return False
    values = database.card_values(answer.id)
    return any(values.get(name) is not None for name in question.figures)


def _best_sentence(ranked: list[Answer]) -> Answer | None:
    """The answer whose sentence fits best, or the term asked about; None where what is asked about has no sentence."""
    first, telling = ranked[0], ranked[0].question.telling
    name = first.question.naming(first.kind, first.id)
    named = bool(name) and telling <= name
    covered = not first.sentences and telling <= first.words
    if first.kind == "term" and (named or covered):  # what it means, and what else is known of it
        return first
    if (not first.sentences and named) or (covered and first.kind != "card"):
        return None
    return max((each for each in ranked if each.sentences), key=lambda each: each.sentences[0], default=None)


def _named_game(database: Database, text: str) -> tuple[Game | None, str]:
    """The further game that a question names, and the question without the name."""
    names = "SELECT game, lang, stems FROM names WHERE subject IN (SELECT id FROM terms WHERE grp = 'title')"
    forms = {word: fold_query(word) for word in text.split()}
    for game, lang, stems in database.query(f"{names} AND lang != '' AND game != ?", FIRST_GAME):
        known = frozenset(stems.split("|"))
        rest = [word for word, form in forms.items() if not known & (query_stems(form, lang) | name_stems(form, lang))]
        if len(rest) < len(forms):
            return game, " ".join(rest) or text
    return None, text


def names_unknown_game(database: Database, text: str) -> bool:
    """Return whether a game that thunderref does not know is named for more than a comparison with it."""
    sql, forms = "SELECT lang, text FROM messages WHERE key = ?", fold_query(text).split()
    alike = {word for _, words in database.query(sql, "ask.words.as-in") for word in words.split()}
    for lang, games in database.query(sql, "ask.words.unknown-games"):
        asked = tokens(text, lang)
        for name in (tokens(game, lang) for game in games.split(";")):
            starts = (at for at in range(len(asked)) if asked[at : at + len(name)] == name)
            if any(alike.isdisjoint(forms[1:at]) for at in starts):
                return True
    return False


def name_of(words: Language, answer: Answer) -> str:
    if answer.kind == "card":
        return str(words.card(answer.id))
    return words.term(answer.id) if answer.kind == "term" else answer.id


def _weigh(database: Database, question: ParsedQuestion) -> dict[str, Answer]:
    """What may answer, by its key (``rule.R5.4``), with how well: by the words of the question and the names in it."""
    found = {f"rule.{rule}": Answer("rule", rule, question, _CITED) for rule in question.rules}
    telling = [word for word in question.words if not word.small] or question.words
    asked = dict.fromkeys(token for word in telling for token in word.tokens)
    index = passages_of(database, question.game)
    alike: dict[str, list[tuple[float, str]]] = {}
    players = index.having(asked, question.lang, ("question", "told"), _QUESTIONS)
    for passage in players:
        alike.setdefault(passage.subject, []).append((_likeness(question, passage), passage.key))
    for passage in index.having(asked, question.lang, ("target",), _CANDIDATES):
        likest = sorted(alike.get(passage.subject, [(0.0, "")]), reverse=True)
        found.setdefault(passage.subject, _by_words(question, passage, likest))
    ours = max((max(likest)[0] for likest in alike.values()), default=0.0)
    said = sum(word.weight for word in telling) or 1.0
    for hit in question.named:
        target, weight = f"{hit.kind}.{hit.id}", sum(question.words[i].weight for i in hit.words)
        if hit.kind == "card":  # its name is as much ours as a question
            ours = max(ours, weight / sqrt(len(hit.words)))
        share = min(1.0, weight / (question.subject if hit.kind == "card" else said))
        known = found.get(target, Answer(hit.kind, hit.id, question))
        strength = max(known.strength, _ALONE * share) + (_NAMED if hit.kind == "card" else _CALLED) * share**2
        used = frozenset(range(len(question.words))) if share == 1 else known.words | hit.words
        found[target] = known._replace(strength=strength, words=used)
    foreign = index.having(asked, question.lang, (FOREIGN,), _QUESTIONS)
    theirs = max((_likeness(question, passage) for passage in foreign), default=0.0)
    meant = max(0.0, 1 + _APART * (ours - theirs) / _most(question))
    sentences: dict[str, list[Sentence]] = {}
    for each in _sentences(database, question, {passage.key for passage in players}):
        about = each.like.subject
        strength = found[about].strength if about in found else 0.0
        each = each._replace(fit=each.fit / _most(question) + _ABOUT * strength)
        sentences.setdefault(about, []).append(each)
    return {
        target: answer._replace(meant=meant, sentences=tuple(sorted(sentences.get(target, ()), reverse=True)))
        for target, answer in found.items()
    }


def _sentences(database: Database, question: ParsedQuestion, keys: Iterable[str]) -> Iterator[Sentence]:
    """How well sentences fit a question: by the likest of their questions, by the words that most of these have."""
    found: dict[str, list[Passage]] = {}
    for row in database.query(_SENTENCES, json.dumps([*keys]), question.lang):
        found.setdefault(row[0], []).append(Passage(*row))
    for key, passages in found.items():
        own = {word for passage in passages if passage.kind == "answer" for word in passage.words.split()}
        if not own:
            continue
        asked = [passage for passage in passages if passage.kind != "answer"]
        ranked = sorted(((_likeness(question, passage), passage) for passage in asked), reverse=True)
        fit = sum(part * like for part, (like, _) in zip(_LIKEST, ranked, strict=False))
        often = Counter(word for passage in asked for word in set(passage.words.split()))
        length = sqrt(sum(n * n for n in often.values()))
        fit += (
            _CENTRAL
            * sum(max((n * often[t] for t, n in word.like.items()), default=0) for word in question.words)
            / length
        )
        said = (max((n for t, n in word.like.items() if t in own), default=0.0) for word in question.words)
        yield Sentence(fit + _IN_SENTENCE * sum(said) / sqrt(len(own)), key, ranked[0][1], own)


def _by_words(question: ParsedQuestion, passage: Passage, likest: list[tuple[float, str]]) -> Answer:
    """How well a text answers: by BM25, and by the questions about it that are likest, of the most there can be."""
    words: Counter[str] = Counter(passage.words.split())
    words.update(dict.fromkeys(passage.names.split(), _IN_NAMES))
    often = _OFTEN * (1 - _LONG + _LONG * words.total() / _USUAL)
    shares = [
        max((sure * words[t] / (words[t] + often) for t, sure in word.tokens.items()), default=0)
        for word in question.words
    ]
    kind, _, ident = passage.subject.partition(".")
    worth = _KIND["section" if kind == "rule" and "." not in ident else kind]
    said = sum(word.weight * share for word, share in zip(question.words, shares, strict=True))
    likeness = sum(part * like for part, (like, _) in zip((1, _AGAIN), likest, strict=False))
    strength = worth * (said + _ASKED * likeness) / _most(question)
    used = frozenset(i for i, share in enumerate(shares) if share)
    return Answer(kind, ident, question, strength, used, likest[0][1])


def _most(question: ParsedQuestion) -> float:
    """The most that the words of a question can come to."""
    return sqrt(_SHORT * sum(word.weight for word in question.words) or 1.0)


def _likeness(question: ParsedQuestion, passage: Passage) -> float:
    """How like a question asked before is: small words add to that, but make neither longer."""
    theirs = set(passage.words.split())
    likeness = sum(max((word.like[t] for t in word.like if t in theirs), default=0.0) for word in question.words)
    return likeness / sqrt(max(1, len(theirs - question.small)))


class Said(NamedTuple):
    """What is said to a question, by language; ``verdict`` is None where that is not surely what is asked."""

    text: dict[str, str]
    verdict: str | None
    rules: list[str]
    cards: list[str]


def said_to(database: Database, answers: Sequence[Answer]) -> list[Said]:
    """What is said to a question: the sentence that fits best, and those that fit nearly as well.

    A term's meaning comes before them. Without a sentence it is the values asked for, else the first of a text.
    """
    answer, languages = answers[0], [Language(database, code) for code in database.languages]
    alone = len(answer.sentences) == 1 and answer.kind != "term"
    said = [_sentence_said(languages, answer, sentence, alone=alone) for sentence in answer.sentences]
    if said and answer.kind != "term":
        return said
    quotes = [] if answer.kind == "term" else quotes_of(database, answer)
    key = quotes[0]["key"] if quotes else f"{answer.kind}.{answer.id}"
    texts = {words.lang: first_sentence(words.text(key) or "") for words in languages}
    if answer.kind == "card":
        texts = {words.lang: f"{words.card(answer.id)}: {texts[words.lang]}" for words in languages}
    values = database.card_values(answer.id) if answer.kind == "card" else {}
    asked = [name for name in answer.question.figures if values.get(name) is not None]
    for words in languages if asked else ():
        figures = ", ".join(f"{words.say(f'card.figure.{name}')} {values[name]}" for name in asked)
        texts[words.lang] = f"{words.card(answer.id)}: {figures}."
    rules = quotes[0]["rules"] if quotes else []
    if said and not any(texts.values()):
        return said
    for words in languages if not any(texts.values()) else ():
        members = [card.id for card in database.cards.values() if card.family == answer.id and not card.reprint_of]
        texts[words.lang] = f"{words.listed(members)}." if members else name_of(words, answer)
    return [Said(texts, None, rules or ([answer.id] if answer.kind == "rule" else []), []), *said]


def _sentence_said(languages: Sequence[Language], answer: Answer, sentence: Sentence, *, alone: bool) -> Said:
    """A sentence; the verdict stands before it if it is sure: alone, and written for a question that asks the same."""
    database, ident = languages[0].database, sentence.key.partition(".")[2]
    columns = "about, verdict, json(rules), json(cards)"
    ((about, verdict, rules, cards),) = database.query(f"SELECT {columns} FROM answers WHERE id = ?", ident)
    texts = {words.lang: words.text(sentence.key) or "" for words in languages}
    sure = verdict if alone and verdict and _asks_alike(database, answer.question, sentence.like) else None
    for words in languages if sure else ():
        word, text = words.say(f"ask.verdict.{sure}"), texts[words.lang]
        texts[words.lang] = text if text.startswith(word.rstrip(".")) else f"{word} {text}"
    kind, _, subject = about.partition(".")
    return Said(texts, sure, json.loads(rules) or ([subject] if kind == "rule" else []), json.loads(cards))


def told_of(database: Database, answers: Sequence[Answer]) -> dict[str, Any]:
    """What is said to a question in plain values: ``text`` by language, a sentence a line, and what it follows from."""
    said, kind = said_to(database, answers), "card" if answers[0].kind == "card" else "rule"
    texts = {code: "\n".join(each.text[code] for each in said) for code in database.languages}
    rules, cards = ([*dict.fromkeys(chain(*each))] for each in zip(*(one[2:] for one in said), strict=True))
    return {"kind": kind, "verdict": said[0].verdict, "text": texts, "rules": rules, "cards": cards, "query": None}


def _asks_alike(database: Database, question: ParsedQuestion, passage: Passage) -> bool:
    """True if the verdict answers the question that was asked before, and most telling words are the same.

    Both deny, or neither does.
    """
    if passage.kind == "told":
        return False
    (said,) = database.query("SELECT text FROM messages WHERE key = 'ask.words.denying' AND lang = ?", question.lang)
    denying, theirs = set(tokens(said[0], question.lang)), set(passage.words.split())
    telling = theirs - question.small - denying
    asked = [word for word in question.words if not word.small and denying.isdisjoint(word.tokens)]
    shared = sum(not telling.isdisjoint(word.tokens) for word in asked)
    denied = any(not denying.isdisjoint(word.tokens) for word in question.words)
    return shared >= _ALIKE * max(len(asked), len(telling)) and denied == bool(theirs & denying)


def quotes_of(database: Database, answer: Answer) -> list[dict[str, Any]]:
    """The texts that answer, each with what it rests on: the rules of a ruling, ``sources``, ``reading``.

    Of a card its abilities, which rest on it, and those of its rulings that fit the question best.
    """
    kind, ident = answer.kind, answer.id
    found = [(f"{kind}.{ident}", kind, ident, "[]")] if database.texts(f"{kind}.{ident}") else []
    if kind in ("card", "clarification"):
        effects = database.query("SELECT text_key FROM effects WHERE card = ? ORDER BY position", ident)
        found = [(key, "effect", ident, "[]") for (key,) in effects if kind == "card"]
        rows = database.query(
            "SELECT DISTINCT r.id, r.rules, p.tokens FROM clarifications AS r LEFT JOIN clarification_cards AS c"
            " ON c.clarification = r.id JOIN passages AS p ON p.subject = r.id AND p.kind = 'clarify' AND p.lang = ?"
            f" WHERE {'c.card' if kind == 'card' else 'r.id'} = ? ORDER BY r.position",
            answer.question.lang, ident,
        )  # fmt: skip
        asked = {token for word in answer.question.words for token in word.tokens}
        rows.sort(key=lambda row: (f"clarify.{row[0]}" != answer.similar, -len(asked.intersection(row[2].split()))))
        most = max(1, _MOST_QUOTED - len(found))
        found += [(f"clarify.{ruling}", "clarify", ruling, rules) for ruling, rules, _ in rows[:most]]
    card = list[dict[str, str]]()
    if kind == "card":
        card = [{"book": "card", "section": database.names("card", ident)["en"].name}, *database.entries(ident)]
    return [
        {"key": key, "kind": kind, "id": subject, "text": database.texts(key), "rules": json.loads(rules),
         **(database.printed(_PRINTED[kind], subject) if kind in _PRINTED else {"sources": card, "reading": False})}
        for key, kind, subject, rules in found
    ]  # fmt: skip


def _why(answer: Answer) -> Iterator[dict[str, Any]]:
    """The words and names of the question it was found by; ``how``: ``name``, ``word`` or ``spelling``."""
    words = answer.question.words
    yield from ({"typed": rule, "how": "name", "name": rule} for rule in answer.question.rules)
    named = {hit.words: hit.name for hit in reversed(answer.question.named) if hit.words <= answer.words}
    for parts, name in sorted(named.items(), key=lambda item: min(item[0])):
        mended = any(words[i].how == "spelling" for i in parts)
        typed = " ".join(words[i].typed for i in sorted(parts))
        yield {"typed": typed, "how": "spelling" if mended else "name", "name": name}
    for i in sorted(answer.words.difference(*named)):
        if not words[i].small:
            yield {"typed": words[i].typed, "how": words[i].how, "name": None}


class AskResult(Record, kw_only=True):
    """The answers to a question, best first, as many of ``count`` as were asked for; ``answer`` is what is said first.

    ``game`` is the one it is taken to be about, ``elsewhere`` the best answer of another; ``confident``: one is sure.
    """

    query: str
    game: str
    confident: bool = True
    count: int = 0
    answer: dict[str, Any]
    matches: list[dict[str, Any]]
    elsewhere: dict[str, str] | None = None


def answer(
    question: str, lang: str | None = None, limit: int = SHOWN, game: Game | None = None, words: Language | None = None,
    told: dict[str, Any] | None = None,
) -> AskResult:  # fmt: skip
    """The passages that answer a question in any language; ``lang`` is that of what comes in one language only.

    ``told`` is the answer that cards and engine give, if they do.
    Raises :class:`InputError` for an empty or overlong question, :class:`NoAnswerError` where nothing answers.
    """
    words = words or Language(open_database(), lang or "en")
    try:
        asked = ask_games(words.database, question, game)
    except NoAnswerError:
        if told is None:
            raise
        return AskResult(query=question, game=FIRST_GAME, answer=told, matches=[])
    return AskResult(
        query=question, game=asked.game, confident=asked.confident or told is not None, count=len(asked.answers),
        answer=told or told_of(words.database, asked.answers),
        matches=[answer_record(words, each) for each in asked.answers[:limit]],
        elsewhere=asked.elsewhere and {"game": asked.elsewhere.question.game, "id": asked.elsewhere.id},
    )  # fmt: skip


def answer_record(words: Language, answer: Answer) -> dict[str, Any]:
    """An answer in plain values: names and texts by language, what comes in one language only in that of ``words``."""
    database, passages, why = words.database, quotes_of(words.database, answer), [*_why(answer)]
    places = [place for passage in passages for place in passage["sources"]]
    values = database.card_values(answer.id) if answer.kind == "card" else {}
    concerned = database.query(_CONCERNED[answer.kind], answer.id) if answer.kind in _CONCERNED else []
    keys = ["respelt" if one["how"] == "spelling" and not one["name"] else one["how"] for one in why]
    reasons = [words.say(f"ask.why.{k}", word=r["typed"], name=r["name"]) for k, r in zip(keys, why, strict=True)]
    return {
        **{"kind": answer.kind, "game": answer.question.game, "id": answer.id, "score": answer.score},
        "name": {code: name_of(Language(database, code), answer) for code in database.languages},
        "text": passages[0]["text"] if passages else {},
        "rules": [answer.id] if answer.kind == "rule" else sorted({rule for p in passages for rule in p["rules"]}),
        "passages": passages,
        "sources": [place for i, place in enumerate(places) if place not in places[:i]],
        "reading": any(passage["reading"] for passage in passages),
        "figures": {figure: values[figure] for figure in answer.question.figures if values.get(figure) is not None},
        "cards": list(dict.fromkeys(database.reprints.get(card, card) for (card,) in concerned)),
        "why": why,
        "explanation": words.say("ask.why", reasons=", ".join(dict.fromkeys(reasons))),
    }
