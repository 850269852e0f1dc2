"""Answering questions: what is told about a rule, card, ruling, term or conflict, by what players asked before."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from typing import Any, NamedTuple

from thunderref.database.paths import FIGURES, FIRST_GAME, GAMES, Game
from thunderref.database.read import FALLBACK, Database, Language
from thunderref.database.validation import Record
from thunderref.errors import Candidate, InputError, NoAnswerError
from thunderref.search.names import index_of
from thunderref.search.nearest import NOTHING_READ, Reading, Subject, known_questions
from thunderref.search.other_boxes import named_box, names_unknown_game
from thunderref.search.passages import find_whole
from thunderref.search.query import MAX_LENGTH, shorten
from thunderref.text.folding import fold_query
from thunderref.text.messages import first_sentence
from thunderref.text.stems import name_stems, query_stems, small_words, tokens

_LEAST, _LEAST_OF_NAMED, _SURE, _SURE_AMONG_RIVALS = 12.6, 10.0, 14.0, 16.0
"""How much likelier than foreign (a log-likelihood) a question is that is answered; one about a game that was named;
one whose answer is sure; one with other answers as likely, of which one is right (54 of 54 of ``tune``) and said."""
_NEARLY, _RIVAL = 0.15, 0.6
"""How likely, measured by the first, a further answer must be to be said, too; and something else for neither to be
called the answer."""
_MOST_SAID = 3
"""Most answers that are shown as one, or offered as a choice."""
_MOST_QUOTED, _LONGEST, _LONGEST_SAID = 4, 400, 150
"""How many texts are quoted; letters of a question, and of a card's abilities that are offered whole."""
_PAIR = 2
"""Number of terms in a question about their difference."""
_RULE = re.compile(r"(?<![\w.])([RrРрTtТт]?)\s?(\d{1,2}[.,]\d{1,2}[a-zA-Z]?|\d{1,2})(?!\w|[.,]\d)")
_OF_THORGAL = ("T", "t", "Т", "т")
SHOWN = 5
"""Default number of answers."""
_CONCERNED = {
    "clarification": "SELECT card FROM clarification_cards WHERE clarification = ?",
    "conflict": "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY subject",
}
"""The cards that a ruling or conflict concerns."""
_PRINTED = {"rule": "rules", "clarify": "clarifications"}


class MentionedName(NamedTuple):
    """A card, family or term that is named, by which words of the question (by number)."""

    kind: str
    id: str
    name: str
    words: frozenset[int]


class ParsedQuestion(NamedTuple):
    """What was asked about a game, as one language reads it: the words as typed, the rules, names and figures in it.

    ``telling`` are the words, by number, that carry the question; ``wants_explanation``: others only ask what the
    named card or term is.
    """

    game: Game
    reading: Reading
    words: tuple[str, ...]
    rules: tuple[str, ...]
    mentions: tuple[MentionedName, ...]
    figures: tuple[str, ...]
    telling: frozenset[int]
    wants_explanation: bool

    @property
    def lang(self) -> str:
        return self.reading.lang

    @property
    def tokens(self) -> set[str]:
        """The words as the full-text tables have them."""
        return {*tokens(" ".join(self.reading.read), self.lang)}


def read_question(database: Database, text: str, game: Game = FIRST_GAME) -> ParsedQuestion:
    """Read a question in the language that knows best what it is about.

    Raises :class:`InputError` (``empty-query``, ``long-query``).
    """
    if len(text) > _LONGEST:
        raise InputError("long-query", limit=_LONGEST)
    rules = _cited(database, text, game)
    for number in rules.values():
        text = text.replace(number, " ", 1)
    readings = known_questions(database).read(text)
    if not readings and not rules:
        raise InputError("empty-query")
    reading = max(readings, key=lambda candidate: candidate.ours[game], default=NOTHING_READ)
    seen = re.findall(r"[\w'’]+", text)
    typed = tuple(seen) if len(seen) == len(reading.typed) else reading.typed
    small, stems = small_words(reading.lang), tokens(" ".join(reading.read), reading.lang)
    telling = frozenset(i for i, token in enumerate(stems) if token not in small) or frozenset(range(len(stems)))
    explaining = {*_explaining(database, reading)}
    telling = telling - explaining or telling
    mentions = tuple(_named(database, reading, game))
    asks = "SELECT key, text FROM messages WHERE lang = ? AND key GLOB 'ask.words.figure.*'"
    about = {key.rpartition(".")[2]: tokens(words, reading.lang) for key, words in database.query(asks, reading.lang)}
    figures = tuple(figure for figure in FIGURES if not {*about.get(figure, ())}.isdisjoint(stems))
    return ParsedQuestion(game, reading, typed, (*rules,), mentions, figures, telling, bool(explaining))


def _explaining(database: Database, reading: Reading) -> Iterator[int]:
    """Yield the places of words that only ask for an explanation of what is named ("trophy, what is that")."""
    for phrase in database.derived(_explaining_phrases, reading.lang):
        for start in range(len(reading.read) - len(phrase) + 1):
            if reading.read[start : start + len(phrase)] == phrase:
                yield from range(start, start + len(phrase))


def _explaining_phrases(database: Database, lang: str) -> list[tuple[str, ...]]:
    """Return the phrases of a language that ask for an explanation, each as its folded words."""
    rows = database.query("SELECT text FROM messages WHERE key = 'ask.words.explaining' AND lang = ?", lang)
    return [tuple(fold_query(entry).split()) for (text,) in rows for entry in text.split(";")]


def _cited(database: Database, text: str, game: Game) -> dict[str, str]:
    """Return the rules of a game whose numbers are in a text, with how they are typed.

    That of a chapter, and one without its letter, count only beside nothing but words for rules: "r1" in a question is
    a rank.
    """
    ids = {row[0].lower(): row[0] for row in database.query("SELECT id FROM rules WHERE game = ?", game)}
    beside = database.words("search.words.beside")
    alone = sum(fold_query(word) not in beside for word in text.split()) == 1
    citations = {
        f"{'t' if match[1] in _OF_THORGAL else 'r'}{match[2].replace(',', '.').lower()}": match[0]
        for match in _RULE.finditer(text)
        if alone + bool(match[1]) + (not match[2].isdecimal()) > 1
    }
    return {ids[rule]: typed for rule, typed in citations.items() if rule in ids}


def _named(database: Database, reading: Reading, game: Game) -> Iterator[MentionedName]:
    """Yield the names in a question, the longest first; a word is part of one only."""
    from rapidfuzz.distance import Prefix  # needed for a question only

    places = dict[str, int]()
    for i, word in reversed([*enumerate(reading.read)]):
        places |= dict.fromkeys((*query_stems(word, reading.lang), *tokens(word, reading.lang)), i)
    rows = database.query(
        "SELECT kind, subject, name, parts FROM names WHERE lang = ? AND kind != 'set' AND game = ? AND parts != ''"
        " AND (kind != 'term' OR subject NOT IN (SELECT id FROM terms WHERE grp IN ('title', 'heading', 'place')))",
        reading.lang, game,
    )  # fmt: skip
    hits = []
    for kind, subject, name, parts in rows:
        spots = [next((places[stem] for stem in stems.split("|") if stem in places), -1) for stems in parts.split(" ")]
        if -1 not in spots and len(set(spots)) == len(spots):
            hits.append(MentionedName(kind, database.reprints.get(subject, subject), name, frozenset(spots)))

    def order(hit: MentionedName) -> tuple[int, int, int, int]:
        word, name = reading.read[min(hit.words)], fold_query(hit.name)
        alike = Prefix.similarity(word, name)  # "villagers" are called Villager, and not Village
        return -len(hit.words), ("card", "family", "term").index(hit.kind), -alike, len(name)

    owners: dict[int, frozenset[int]] = {}
    for hit in sorted(hits, key=order):
        if all(owners.setdefault(i, hit.words) == hit.words for i in hit.words):
            yield hit


class Answer(NamedTuple):
    """What answers a question: a ``card``, ``rule``, ``clarification``, ``term``, ``conflict`` or ``family``.

    ``confident``: it is sure enough to be called the answer; ``is_certain``: its number or name is given, or the very
    question is known. ``score`` (1 to 100) says how likely it is, measured by the first. ``subjects`` are those of
    its texts that fit, the likeliest first; of the first answer those that are shown.
    """

    kind: str
    id: str
    question: ParsedQuestion
    confident: bool
    is_certain: bool = False
    score: int = 100
    subjects: tuple[Subject, ...] = ()


class GameAnswers(NamedTuple):
    """The answers of the game a question is taken to be about, and the best answer of another game if it is good."""

    query: str
    game: Game
    answers: list[Answer]
    elsewhere: Answer | None = None

    @property
    def confident(self) -> bool:
        """False if nothing is sure enough to be called the answer."""
        return self.answers[0].confident


def ask_games(
    database: Database, text: str, game: Game | None = None, about: Sequence[str] = (), lang: str = ""
) -> GameAnswers:
    """What is told about a question: of ``game``, else of the one it names, else of the first.

    Another game answers only what the first one does not; where it fits better, what it answers is offered, too.
    ``about`` are cards that the question is known to be about, ``lang`` is the language of near topics. Raises as
    :func:`ask` does, and :class:`NoAnswerError` if the question names a game that thunderref does not know.
    """
    titled, question = named_game(database, text)
    cited = next((known_game for known_game in GAMES if _cited(database, text, known_game)), None)
    wordless = bool(fold_query(text)) and not any(map(str.isalpha, text))
    if names_unknown_game(database, text) or (wordless and not cited):
        raise NoAnswerError("no-answer", name=shorten(text))
    if game in (None, FIRST_GAME) and (box := named_box(database, text)) and box.refusal:
        raise box.refusal
    if scope := game or titled or cited:
        return GameAnswers(text, scope, ask(database, question if scope == titled else text, scope, lang=lang))
    readings = known_questions(database).read(text) if len(text) <= _LONGEST else []
    sure = {one: max((reading.ours[one] for reading in readings), default=0.0) for one in GAMES}
    other = max((one for one in GAMES if one != FIRST_GAME), key=lambda one: sure[one])
    best = ask(database, text, other) if sure[other] >= _LEAST else []
    try:
        first, *more = ask(database, text, about=about, lang=lang)
    except NoAnswerError:
        if not best or not best[0].confident:
            raise
        return GameAnswers(text, other, best)
    if best and not first.is_certain and sure[other] > sure[FIRST_GAME]:
        subjects = (*first.subjects[: _MOST_SAID - 1], *best[0].subjects[:1])
        first = first._replace(confident=False, subjects=subjects)
    return GameAnswers(text, FIRST_GAME, [first, *more], best[0] if best else None)


def ask(
    database: Database, text: str, game: Game = FIRST_GAME, about: Sequence[str] = (), lang: str = ""
) -> list[Answer]:
    """What the texts of one game say about a question in any language, best first.

    Raises :class:`InputError` (``empty-query``, ``long-query``) and :class:`NoAnswerError` (``no-answer``, the nearest
    topics as candidates, in ``lang`` or the language of the question).
    """
    question = read_question(database, text, game)
    reading, questions = question.reading, known_questions(database)
    sure, nearest = reading.ours[game], _without_copies(database, question, game)
    cited = [*(f"card.{card}" for card in about), *(f"rule.{rule}" for rule in question.rules)]
    names = [hit for hit in question.mentions if question.telling <= hit.words]
    terms = [*{hit.id: hit for hit in question.mentions if hit.kind == "term"}.values()]
    is_pair = question.wants_explanation and len(terms) == _PAIR and not names
    if is_pair and question.telling == terms[0].words | terms[1].words:
        names = terms  # what is the difference between them
    cited += [f"{hit.kind}.{hit.id}" for hit in names if len(hit.words) == len(question.words) and hit.kind != "term"]
    idle = database.derived(_idle_words, question.lang)
    for subject, _ in nearest[:_MOST_SAID] if not cited else ():
        known_question, theirs = _likest(database, question, subject, question.lang)
        if known_question and theirs ^ question.tokens <= idle:  # asked before, but for endings and little words
            cited.append(subject.key)
    cited += [f"{hit.kind}.{hit.id}" for hit in names]
    if not cited and game == FIRST_GAME and (absent := _absent(database, question)):
        raise NoAnswerError("no-answer", why="absent", name=absent)
    is_certain, is_answered = bool(cited), bool(cited) or sure >= (_LEAST if game == FIRST_GAME else _LEAST_OF_NAMED)
    confident = is_certain or (sure >= _SURE and _agree(database, question, nearest))
    if sure >= _SURE_AMONG_RIVALS and not confident:
        confident = not _lacks_card(database, question, nearest[0][0])
    if not is_answered:  # it may be in the words of a text
        passages = find_whole(database, text, ("rule", "term"), _MOST_SAID, game)
        cited = [f"{passage.kind}.{passage.subject}" for passage in passages]
        is_answered = bool(cited)
    cards = {f"card.{hit.id}": len(hit.words) for hit in question.mentions if hit.kind == "card"}
    whole = reading.respelt.isdisjoint(word for hit in question.mentions for word in hit.words)
    if not is_answered and whole and len(cards) == 1 and 2 * sum(cards.values()) >= len(question.telling):
        cited, is_answered = [*cards], True
    nearest = [(questions.subject(about), 1.0) for about in dict.fromkeys(cited)] + [
        (subject, likelihood) for subject, likelihood in nearest if subject.key not in cited
    ]
    by_topic = dict[str, list[tuple[Subject, float]]]()
    for subject, likelihood in nearest:
        by_topic.setdefault(subject.about, []).append((subject, likelihood))
    answers = [
        Answer(
            about.partition(".")[0], about.partition(".")[2], question, confident, is_certain,
            max(1, round(100 * max(likelihood for _, likelihood in fitting))), tuple(subject for subject, _ in fitting),
        )
        for about, fitting in by_topic.items()
    ]  # fmt: skip
    if not is_answered:
        words = Language(database, lang or question.lang)
        titled = [answer for answer in answers if answer.kind in ("card", "rule", "term")]  # the others have ids alone
        near = [Candidate(_topic_of(words, answer), answer.id) for answer in titled[:_MOST_SAID]]
        near = near or [Candidate(hit.name, hit.id) for hit in index_of(database).nearest(text[:MAX_LENGTH])]
        raise NoAnswerError("no-answer", name=shorten(text), candidates=near)
    certain = [subject for subject, _ in nearest[: _PAIR if is_pair and names else 1]]
    subjects = certain if is_certain else [*_said_apart(database, nearest)]
    if not confident:  # of cards those are sure that are named, if it is one
        alone = [*map(questions.subject, cards if len(cards) == 1 else ())]
        remaining = [subject for subject in subjects if subject not in alone]
        remaining = [subject for subject in remaining if _may_be_named(database, question, subject)] or remaining
        subjects = [*alone, *remaining][:_MOST_SAID]
    return [answers[0]._replace(subjects=tuple(subjects)), *answers[1:]]


def _without_copies(database: Database, question: ParsedQuestion, game: Game) -> list[tuple[Subject, float]]:
    """Return the nearest subjects, without cards that the same words name and that have the same effects.

    A question about the Horde is about none of its ten cards.
    """
    nearest = question.reading.nearest[game]
    cards = [(hit.words, database.all_effects.get(hit.id), hit.id) for hit in question.mentions if hit.kind == "card"]
    alike = Counter((words, effects) for words, effects, _ in cards)
    copies = {f"card.{card}" for words, effects, card in cards if alike[words, effects] > 1}
    others = [(subject, likelihood) for subject, likelihood in nearest if subject.about not in copies]
    return [(subject, likelihood / others[0][1]) for subject, likelihood in others] or nearest


def _absent(database: Database, question: ParsedQuestion) -> str | None:
    """Return the word of a question for what other games have and this one has not ("mana"), None without one."""
    words = tokens(" ".join(database.words("ask.words.absent", question.lang)), question.lang)
    stems = tokens(" ".join(question.reading.read), question.lang)
    return next((question.words[n] for n, stem in enumerate(stems) if stem in words), None)


def _idle_words(database: Database, lang: str) -> frozenset[str]:
    """Return the small words of a language that say nothing in a question, and name no place."""
    talk = database.words("list.words.talk", lang).keys() - database.words("list.words.places", lang)
    return small_words(lang).intersection(tokens(" ".join(talk), lang))


def _may_be_named(database: Database, question: ParsedQuestion, subject: Subject) -> bool:
    """Return whether a subject is no card, or one with a word of whose name the question has."""
    kind, _, ident = subject.key.partition(".")
    names = database.names("card", ident).values() if kind == "card" else ()
    return kind != "card" or any(not question.tokens.isdisjoint(tokens(row.name, question.lang)) for row in names)


def _agree(database: Database, question: ParsedQuestion, nearest: Sequence[tuple[Subject, float]]) -> bool:
    """Return whether all that a question may well be about is the same, or rests on the same rules.

    Where there are several, or the first is about cards, it also has to have each card that the question names.
    """
    first, *rivals = (subject for subject, likelihood in nearest if likelihood >= _RIVAL)
    about, further = _behind(database, first), [rival for rival in rivals if rival.about != first.about]
    if any(not any(key.startswith("rule.") for key in about & _behind(database, rival)) for rival in further):
        return False
    tied = further or any(key.startswith("card.") for key in about)
    return not (tied and _lacks_card(database, question, first))


def _behind(database: Database, subject: Subject) -> set[str]:
    """Return what an answer or a ruling is about, and the rules and cards that it rests on."""
    kind, _, ident = subject.key.partition(".")
    columns = {"answer": "json(cards), json(rules) FROM answers", "clarify": "'[]', json(rules) FROM clarifications"}
    rows = database.query(f"SELECT {columns[kind]} WHERE id = ?", ident) if kind in columns else []
    card_keys = {f"card.{card}" for cards, _ in rows for card in json.loads(cards)}
    return card_keys | {f"rule.{rule}" for _, rules in rows for rule in json.loads(rules)} | {subject.about}


def _lacks_card(database: Database, question: ParsedQuestion, subject: Subject) -> bool:
    """Return whether a question names a card that neither an answer nor the questions known for it ever have."""
    sql = "SELECT texts FROM questions WHERE subject = ? AND lang = ?"
    texts = [text for (text,) in database.query(sql, subject.number, question.lang)]
    vocabulary = {*tokens(" ".join([*texts, database.texts(subject.key).get(question.lang, "")]), question.lang)}
    stems = tokens(" ".join(question.reading.read), question.lang)
    return any(vocabulary.isdisjoint(stems[i] for i in hit.words) for hit in question.mentions if hit.kind == "card")


def _said_apart(database: Database, nearest: Sequence[tuple[Subject, float]]) -> Iterator[Subject]:
    """Yield the subjects that are nearly as likely as the first and do not say the same."""
    before = list[set[str]]()
    for subject, likelihood in nearest:
        words = {token for lang, text in database.texts(subject.key).items() for token in tokens(text, lang)}
        if likelihood < _NEARLY or len(before) == _MOST_SAID:
            return
        if not any(2 * len(words & other) > len(words | other) for other in before):  # most words are the same
            before.append(words)
            yield subject


def named_game(database: Database, text: str) -> tuple[Game | None, str]:
    """The further game that a question names, and the question without the name."""
    names = "SELECT game, lang, stems FROM names WHERE subject IN (SELECT id FROM terms WHERE grp = 'title')"
    forms = {word: fold_query(word) for word in text.split()}
    for game, lang, stems in database.query(f"{names} AND lang != '' AND game != ?", FIRST_GAME):
        title = frozenset(stems.split("|"))
        words = [word for word, form in forms.items() if not title & (query_stems(form, lang) | name_stems(form, lang))]
        if len(words) < len(forms):
            return game, " ".join(words) or text
    return None, text


def name_of(words: Language, answer: Answer) -> str:
    if answer.kind == "card":
        return str(words.card(answer.id))
    return words.term(answer.id) if answer.kind == "term" else answer.id


def _topic_of(words: Language, answer: Answer) -> str:
    """Return what the subject of an answer is called, a rule by its title."""
    return (answer.kind == "rule" and words.text(f"title.{answer.id}")) or name_of(words, answer)


class Said(NamedTuple):
    """The answer to a question, by language; ``verdict`` is None where it may answer another question."""

    text: dict[str, str]
    verdict: str | None
    rules: list[str]
    cards: list[str]


class Meant(NamedTuple):
    """A known question near the one that was typed, in one language, and its answer in short."""

    question: str
    reply: str


def said_to(database: Database, answers: Sequence[Answer]) -> list[Said]:
    """Return the likeliest answer to a question, and those that are nearly as likely."""
    answer, languages = answers[0], [Language(database, code) for code in database.languages]
    return [_subject_said(languages, answer, subject, len(answer.subjects) == 1) for subject in answer.subjects]


def said_beside(database: Database, text: str, verdict: str | None) -> list[Said]:
    """Return what the texts say to a question that cards and engine have answered with a verdict, or without one.

    Nothing, unless one written answer is sure, and its own verdict is no other.
    """
    with suppress(NoAnswerError):
        answers = ask_games(database, text)
        subject, *more = answers.answers[0].subjects
        kind, _, ident = subject.key.partition(".")
        if answers.confident and kind == "answer" and answers.game == FIRST_GAME and not more:
            ((own_verdict,),) = database.query("SELECT verdict FROM answers WHERE id = ?", ident)
            languages = [Language(database, code) for code in database.languages]
            quote = _subject_said(languages, answers.answers[0], subject, alone=False)  # the verdict has been given
            return [quote] if None in (verdict, own_verdict) or verdict == own_verdict else []
    return []


def meant_by(words: Language, answer: Answer) -> list[Meant]:
    """Return the nearest known questions where no answer is sure, each with the first sentence of its answer."""
    suggestions = []
    for subject in answer.subjects:
        reply = _subject_said([words], answer, subject, alone=False).text[words.lang]
        kind, _, ident = subject.about.partition(".")
        is_card = subject.key == subject.about and kind == "card"
        heading, _ = ("", ()) if is_card else _likest(words.database, answer.question, subject, words.lang)
        if not heading and kind in ("card", "term", "rule"):
            heading = _topic_of(words, Answer(kind, ident, answer.question, confident=False))
        game = "" if subject.game == answer.question.game else f"{words.say(f'game.{subject.game}')}: "
        is_named = is_card and _may_be_named(words.database, answer.question, subject)
        short = reply if is_named or (kind == "card" and len(reply) <= _LONGEST_SAID) else first_sentence(reply)
        short = short.removeprefix(f"{heading}, ").removeprefix(f"{heading}: ")
        suggestions += [Meant(f"{game}{heading}", short)] if heading else []
    return suggestions


def _subject_said(languages: Sequence[Language], answer: Answer, subject: Subject, alone: bool) -> Said:
    """Return the text of a subject; a verdict before it if it is sure: alone, written for a question asked this way."""
    database, (kind, _, ident) = languages[0].database, subject.key.partition(".")
    if kind != "answer":
        about, _, of = subject.about.partition(".")
        return _about_said(languages, about, of, ident)
    columns = "about, verdict, json(rules), json(cards)"
    ((about, verdict, rules, cards),) = database.query(f"SELECT {columns} FROM answers WHERE id = ?", ident)
    texts = {words.lang: words.text(subject.key) or "" for words in languages}
    asks = alone and verdict and not _is_open(database, answer.question)
    sure = verdict if asks and _asks_alike(database, answer.question, subject) else None
    for words in languages if sure else ():
        word, text = words.say(f"ask.verdict.{sure}"), texts[words.lang]
        texts[words.lang] = text if text.startswith(word.rstrip(".")) else f"{word} {text}"
    kind, _, of = about.partition(".")
    return Said(texts, sure, json.loads(rules) or ([of] if kind == "rule" else []), json.loads(cards))


def _about_said(languages: Sequence[Language], kind: str, ident: str, ruling: str) -> Said:
    """Return what a card does, what a term means, how a rule, ruling or conflict begins, or the cards of a family."""
    database = languages[0].database
    text_key, rules = f"{kind}.{ident}", [ident] if kind == "rule" else []
    if kind == "clarification":
        text_key = f"clarify.{ruling}"
        rules = json.loads(database.query("SELECT json(rules) FROM clarifications WHERE id = ?", ruling)[0][0])
    if kind == "term" and not languages[0].text(text_key):  # its first rule explains it
        rules = [rule for (rule,) in database.query("SELECT rule FROM term_rules WHERE term = ? LIMIT 1", ident)]
    effects = "SELECT timing, text_key FROM effects WHERE card = ? ORDER BY position"
    rows = database.query(effects, ident) if kind == "card" else []
    texts = dict[str, str]()
    for words in languages:
        if kind == "family":
            texts[words.lang] = f"{words.listed(index_of(database).families.get(ident, ()))}."
        elif kind == "card":
            abilities = " ".join(f"{words.say(f'card.timing.{timing}')}: {words.text(key)}" for timing, key in rows)
            name = words.card(ident)
            figures = f" {words.figures(ident)}.".removesuffix(" .")
            texts[words.lang] = f"{name}, {abilities}{figures}" if abilities else f"{name}:{figures}"
        elif kind == "term":
            text = words.text(text_key) or " ".join(first_sentence(words.text(f"rule.{rule}") or "") for rule in rules)
            texts[words.lang] = f"{words.term(ident)}: {text}".removesuffix(": ")
        else:
            texts[words.lang] = first_sentence(words.text(text_key) or "")
    return Said(texts, None, rules, [])


def told_of(database: Database, result: GameAnswers) -> dict[str, Any]:
    """Return the answer in plain values: ``text`` by language, a sentence a line, and the rules and cards behind it.

    Where nothing is sure, these are the nearest known questions, numbered, with their answers.
    """
    answers, languages = result.answers, [Language(database, code) for code in database.languages]
    kind = "card" if answers[0].kind == "card" else "rule"
    if not result.confident:
        texts = {}
        for words in languages:
            lines = (f"{n}: {near.question} – {near.reply}" for n, near in enumerate(meant_by(words, answers[0]), 1))
            texts[words.lang] = "\n".join((words.say("ask.meant"), *lines))
        return {"kind": kind, "verdict": None, "text": texts, "rules": [], "cards": [], "query": None}
    replies = said_to(database, answers)
    texts = {words.lang: "\n".join(reply.text[words.lang] for reply in replies) for words in languages}
    rules, cards = ([*dict.fromkeys(chain(*ids))] for ids in zip(*(one[2:] for one in replies), strict=True))
    return {"kind": kind, "verdict": replies[0].verdict, "text": texts, "rules": rules, "cards": cards, "query": None}


def _likest(
    database: Database, question: ParsedQuestion, subject: Subject, lang: str, told: bool = True
) -> tuple[str, set[str]]:
    """Return the known question about a subject that is most similar, and its tokens; "" if there is none.

    ``told``: it may also be what the answer's sentence answers and its verdict does not.
    """
    ours = question.tokens
    sql = "SELECT texts FROM questions WHERE subject = ? AND lang = ? AND told <= ? ORDER BY told"
    known_texts = (text for (texts,) in database.query(sql, subject.number, lang, told) for text in texts.split("\n"))
    theirs = ((text, {*tokens(text, lang)}) for text in known_texts)
    return max(theirs, key=lambda pair: len(pair[1] & ours) / len(pair[1] | ours), default=("", set()))


def _asks_alike(database: Database, question: ParsedQuestion, subject: Subject) -> bool:
    """Return whether the most similar question with a verdict has the same telling words and the same negation."""
    rows = database.query("SELECT text FROM messages WHERE key = 'ask.words.denying' AND lang = ?", question.lang)
    denying = {token for (text,) in rows for token in tokens(text, question.lang)}
    small = small_words(question.lang)
    ours, (text, theirs) = question.tokens, _likest(database, question, subject, question.lang, told=False)
    telling, example = (words - small - denying for words in (ours, theirs))
    is_alike = 5 * len(telling & example) >= 4 * max(len(telling), len(example))  # but for one word in five
    return bool(text) and is_alike and bool(ours & denying) == bool(theirs & denying)


def _is_open(database: Database, question: ParsedQuestion) -> bool:
    """Return whether a question asks how, who or when, which no yes or no answers ("the light when does it count")."""
    words, lang = question.reading.read, question.lang
    marks, asking = (database.words(f"list.words.{name}", lang) for name in ("marks", "yes-no"))
    inverted = any(marks.get(word) == "if" and after in asking for word, after in pairwise(words))
    return words[0] not in asking and (inverted or any(marks.get(word) == "open" for word in words))


def quotes_of(database: Database, answer: Answer) -> list[dict[str, Any]]:
    """The texts that answer, each with what it rests on: the rules of a ruling, ``sources``, ``reading``.

    Of a card its abilities, which rest on it, and those of its rulings that fit the question best.
    """
    kind, ident = answer.kind, answer.id
    passages = [(f"{kind}.{ident}", kind, ident, "[]")] if database.texts(f"{kind}.{ident}") else []
    if kind in ("card", "clarification"):
        effects = database.query("SELECT text_key FROM effects WHERE card = ? ORDER BY position", ident)
        passages = [(key, "effect", ident, "[]") for (key,) in effects if kind == "card"]
        rows = database.query(
            "SELECT DISTINCT r.id, r.rules, p.tokens FROM clarifications AS r LEFT JOIN clarification_cards AS c"
            " ON c.clarification = r.id JOIN passages AS p ON p.subject = r.id AND p.kind = 'clarify' AND p.lang = ?"
            f" WHERE {'c.card' if kind == 'card' else 'r.id'} = ? ORDER BY r.position",
            answer.question.lang, ident,
        )  # fmt: skip
        stems, likest = answer.question.tokens, [subject.key for subject in answer.subjects]
        rows.sort(key=lambda row: (f"clarify.{row[0]}" not in likest, -len(stems.intersection(row[2].split()))))
        limit = max(1, _MOST_QUOTED - len(passages))
        passages += [(f"clarify.{ruling}", "clarify", ruling, rules) for ruling, rules, _ in rows[:limit]]
    card = list[dict[str, str]]()
    if kind == "card":
        card = [{"book": "card", "section": database.names("card", ident)[FALLBACK].name}, *database.entries(ident)]
    return [
        {"key": key, "kind": kind, "id": subject, "text": database.texts(key), "rules": json.loads(rules),
         **(database.printed(_PRINTED[kind], subject) if kind in _PRINTED else {"sources": card, "reading": False})}
        for key, kind, subject, rules in passages
    ]  # fmt: skip


def _why(answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield the words and names of the question it was found by; ``how``: ``name``, ``word`` or ``spelling``."""
    question, reading = answer.question, answer.question.reading
    yield from ({"typed": rule, "how": "name", "name": rule} for rule in question.rules)
    names = {hit.words: hit.name for hit in reversed(question.mentions)}
    for parts, name in sorted(names.items(), key=lambda item: min(item[0])):
        typed = " ".join(question.words[i] for i in sorted(parts))
        yield {"typed": typed, "how": "name" if reading.respelt.isdisjoint(parts) else "spelling", "name": name}
    for i in sorted(question.telling.difference(*names)):
        if any(reading.part_of(i, subject) for subject in answer.subjects):
            yield {"typed": question.words[i], "how": "spelling" if i in reading.respelt else "word", "name": None}


class AskResult(Record, kw_only=True):
    """The answers to a question, best first, as many of ``count`` as the limit allows; ``answer`` is shown first.

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
    question: str, words: Language, told: dict[str, Any] | None, limit: int = SHOWN, game: Game | None = None
) -> AskResult:
    """The passages that answer a question in any language; what comes in one language only is in that of ``words``.

    ``told`` is the answer that cards and engine give, if they do.
    Raises :class:`InputError` for an empty or overlong question, :class:`NoAnswerError` where nothing answers.
    """
    about = told["cards"] if told and len(told["cards"]) <= _MOST_SAID else ()
    try:
        result = ask_games(words.database, question, game, about, words.lang)
    except NoAnswerError:
        if told is None:
            raise
        return AskResult(query=question, game=FIRST_GAME, answer=told, matches=[])
    return AskResult(
        query=question, game=result.game, confident=result.confident or told is not None, count=len(result.answers),
        answer=told or told_of(words.database, result),
        matches=[answer_record(words, hit) for hit in result.answers[:limit]],
        elsewhere=result.elsewhere and {"game": result.elsewhere.question.game, "id": result.elsewhere.id},
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
