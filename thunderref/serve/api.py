"""The documents of the commands: what ``/api/NAME`` takes and gives, what the pages are made of, and OpenAPI's account.

What an address takes is read from the fields of the document it stands for: their names, types and limits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import nan
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException

from thunderref.answers import JUDGED, TURN, JudgedAnswer
from thunderref.database.read import FALLBACK, Language, open_database
from thunderref.database.validation import check_values
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.search.card import card_document, cards_document, list_cards
from thunderref.search.card_query import written
from thunderref.search.rules import find_rules, rule_record
from thunderref.search.understand import reader, split_hall, split_list, understand
from thunderref.serve.searches import Searches
from thunderref.thunderstone.resolve.documents import OddsQuestion, Scenario, ScoreDocument, TurnDocument, VisitDocument
from thunderref.thunderstone.resolve.final_score import final_score, with_decks
from thunderref.thunderstone.setup.memory import Tonight
from thunderref.thunderstone.setup.request import Naming, SetupOptions
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.table.evening import Evening, evening_with

T = TypeVar("T")
MOST_LETTERS = 2_000
"""Letters of one text in a request."""
MOST_ENTRIES = 300
"""Entries of one list in a request."""
SHOWN_CARDS = 50
"""Cards of a query in one document."""


def languages() -> list[str]:
    """The codes of the languages that the pages are shown in: those of the database."""
    return [*open_database().languages]


class Parameter(NamedTuple):
    """A parameter of an address: ``key`` is its key in the document, ``schema`` the shape of its value.

    ``kind`` says how it is read: text, integer, number, boolean, cards (separated by commas), ranks (rank 1 first) or
    texts (repeated).
    """

    name: str
    key: str
    kind: str
    schema: dict[str, Any]


SCHEMAS: dict[str, dict[str, Any]] = {
    "cards": {"type": "string", "description": "cards separated by commas: 2 militia, short sword"},
    "ranks": {"type": "string", "description": "rank 1 first, separated by commas; - for an empty rank"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "text": {"type": "string"},
}
READERS: Mapping[str, Callable[[str, Language], Any]] = {
    "cards": split_list, "ranks": split_hall, "boolean": lambda text, _: text not in ("0", "false", "no"),
    "text": lambda text, _: text, "integer": lambda text, _: int(text), "number": lambda text, _: float(text),
}  # fmt: skip
_NAMES = {"sets": "set", "readings": "reading"}
"""Field -> its parameter if that has another name."""


def _param(name: str, kind: str, key: str = "") -> Parameter:
    return Parameter(name, key or name, kind, SCHEMAS.get(kind, {"type": kind}))


def _fields(record: type, *apart: str, lists: str = "cards") -> tuple[Parameter, ...]:
    """The fields of a document but those ``apart``, as parameters; ``lists`` is the kind of its lists of texts."""
    params = []
    for key, schema in msgspec.json.schema(record)["$defs"][record.__name__]["properties"].items():
        if key in apart:
            continue
        shape, *alternatives = [option for option in schema.get("anyOf", [schema]) if option.get("type") != "null"]
        kind, items = shape.get("type", "text"), shape.get("items")
        if alternatives or items is not None:
            gaps = {"type": "null"} in (items or {}).get("anyOf", ())
            kind = lists if items == {"type": "string"} else "ranks" if gaps else "texts"
        name, kind = _NAMES.get(key, key), "text" if kind == "string" else kind
        params.append(Parameter(name, key, kind, SCHEMAS[kind] if kind in SCHEMAS and "enum" not in shape else shape))
    return tuple(params)


_LOOK_UP = (_param("q", "text"), _param("limit", "integer"))
_RANK, _BUDGET = _param("rank", "integer", "target"), _param("budget", "number")
_SCORE = (_param("p", "texts"), _param("penalty", "texts"), _param("variant", "text"), _param("earlier", "texts"))


@cache
def _documents() -> Mapping[str, type]:
    from thunderref.thorgal.fight import FightQuestion

    judged = {name: answer.record for name, answer in JUDGED.items()}
    return {"setup": SetupOptions, **judged, "score": ScoreDocument, "thorgal": FightQuestion}


@cache
def parameters() -> Mapping[str, tuple[Parameter, ...]]:
    """Return what each answer takes in an address, by its name; only documents need it, no page."""
    return {
        "q": (_param("text", "text"),),
        "card": _LOOK_UP,
        "rule": _LOOK_UP,
        "ask": _LOOK_UP,
        "setup": _fields(SetupOptions, "scores", "left", "avoid", "banned", lists="texts"),
        "resolve": (_RANK, *_fields(Scenario, "others", "plan"), _BUDGET),
        "village": (*_fields(VisitDocument, "opponents", "plan"), _BUDGET),
        "turn": (_RANK, *_fields(TurnDocument, "decks"), _param("games", "integer"), _BUDGET),
        "odds": (_RANK, *_fields(OddsQuestion), _BUDGET),
        "thorgal": _fields(_documents()["thorgal"], lists="texts"),
        "score": _SCORE,
    }


def _keys(name: str) -> list[str]:
    """Return the keys of the document that an address may name."""
    return [parameter.key for parameter in parameters()[name]]


def document_of(name: str, query: QueryParams, words: Language) -> dict[str, Any]:
    """The document that an address asks about; what it does not name is left out.

    Raises :class:`InputError` for what is no number where one is needed, :class:`HTTPException` (413).
    """
    return {spec.key: _value(spec, query, words) for spec in parameters()[name] if query.get(spec.name)}


def _value(parameter: Parameter, query: QueryParams, words: Language) -> Any:
    values = check_size(query.getlist(parameter.name))
    if parameter.kind == "texts":
        return [entry for entry in values if entry]
    try:
        value = READERS[parameter.kind](values[-1], words)
    except ValueError:
        value = nan
    if isinstance(value, int | float) and not abs(value) < 1e15:
        raise InputError("bad-value", key=parameter.name, value=values[-1][:40])
    return check_size(value)


def check_size(value: Any) -> Any:
    """The value; raises :class:`HTTPException` (413) if a text or a list in it is too long."""
    if isinstance(value, str | list | dict) and len(value) > (MOST_LETTERS if isinstance(value, str) else MOST_ENTRIES):
        raise HTTPException(413)
    for member in [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_size(member)
    return value


SEARCHING = frozenset(("q", "resolve", "village", "turn", "odds", "score", "setup", "thorgal"))
"""Answers that may take long."""


def words_of(lang: str, now: Tonight | None = None) -> Language:
    """The words of a language, read once for each thread: a connection to a database belongs to one.

    Names mean the cards on the table first, if there is a set-up on it.
    """
    database = open_database()
    return (database if now is None else database.at_table(now.cards)).derived(Language, lang)


@dataclass(frozen=True)
class Asker:
    """A client that asks for documents: its language and the set-up on its table; the threads give the time."""

    lang: str
    now: Tonight | None
    threads: Searches
    keeps: bool

    @property
    def evening(self) -> Evening | None:
        """The evening under way with the set-up on the table."""
        return evening_with(self.now.code) if self.now is not None and self.keeps else None

    @property
    def player(self) -> str | None:
        """The player whose cards and XP count if nobody is named; None for the one whose turn it is."""
        return None

    @cached_property
    def words(self) -> Language:
        return words_of(self.lang, self.now)

    def answer(self, name: str, document: Mapping[str, Any]) -> tuple[dict[str, Any], NoAnswerError | None]:
        """Return the ``--json`` document of the command ``name``, and the error of an ambiguous card; raises as it."""
        sent, words = dict(document), self.words
        if name == "q":
            read = understand(words, str(sent.get("text") or ""))
            answer, error = self.answer(read.command, read.document)
            return answer | read.marks, error
        query, limit = str(sent.get("q") or sent.get("query") or ""), sent.get("limit")
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise InputError("bad-limit", value=str(limit)[:40])
        result: dict[str, Any]
        if name == "card":
            return card_document(words, query, limit)
        if name == "cards":
            full, _, cards = list_cards(words, sent["filters"], [*filter(None, sent.get("sort", "").split(","))])
            document = cards_document(words, written(full) if full else "", cards, sent.get("limit", SHOWN_CARDS))
            return document, None
        if name == "rule":
            hits = find_rules(words.database, query, words.lang)[:limit]
            result = {"query": query, "matches": [rule_record(words.database, hit, words.lang) for hit in hits]}
        elif name == "ask":
            from thunderref.pages.computed_page import answer_question
            from thunderref.search.ask import SHOWN

            result = answer_question(reader(words).parse(query), limit=limit or SHOWN).model_dump()
        elif name == "setup":
            result = setup(sent, words).model_dump()
        elif name == "score":
            sent = decks_of(words, sent)
            if self.evening is not None and not sent.get("players"):
                sent |= {"players": self.evening.decks, "penalties": self.evening.penalties}
            result = final_score(sent, words=words).model_dump()
        elif name == "thorgal":
            result = {"game": "thorgal", **thorgal_document(words, sent)}
        else:
            result = self.judge(JUDGED[name], sent).model_dump()
        return result, None

    def fill(self, answer: JudgedAnswer[Any], document: dict[str, Any]) -> None:
        """Adds to a document what nobody gave and the table knows."""
        answer.fill(self.evening, self.now, document, self.words, self.player)

    def judge(self, answer: JudgedAnswer[T], document: Mapping[str, Any]) -> T:
        """The result of a document, filled from the table; it says its ``budget`` in seconds, too."""
        question = dict(document)
        budget, games = question.pop("budget", None), question.pop("games", None) if answer is TURN else None
        if budget is not None and (not isinstance(budget, int | float) or not budget > 0):
            raise InputError("bad-budget", budget=str(budget)[:40])
        if games is not None and not isinstance(games, int):
            raise InputError("bad-value", key="games", value=str(games)[:40])
        self.fill(answer, question)
        answer.require(question)
        options: dict[str, Any] = {} if games is None else {"games": games}
        return answer.judge(question, self.words, budget=self.threads.budget(budget), **options)


def setup(options: Mapping[str, Any], words: Language) -> Setup:
    """The set-up of these options; raises :class:`InputError` for one that there is not, or of another type."""
    check_values(SetupOptions, options, _keys("setup"))
    try:
        return generate_setup(**options, lang=words.lang, database=open_database())
    except ThunderrefError as error:
        error.params = Naming(words).in_words(error.params)
        raise


def thorgal_document(words: Language, options: Mapping[str, Any]) -> dict[str, Any]:
    """A fight of Thorgal; asked for nothing, who does what now in the game under way."""
    from thunderref.pages.thorgal_page import next_page
    from thunderref.thorgal.fight import answer_fight
    from thunderref.thorgal.game_file import game_path, game_under_way, read_steps
    from thunderref.thorgal.round import next_document

    if not options:
        path = game_path(None)
        table = read_steps(path)[1]
        return next_document(words, table, next_page(words, table, None)[1], str(path))
    check_values(_documents()["thorgal"], options, _keys("thorgal"))
    question = fight_question(**options)
    return answer_fight(words, question, game_under_way(None) if question.of_game else None).document(words)


def fight_question(fight: Sequence[str] = (), **options: Any) -> Any:
    """The question with its words parted, as an address has them in one text."""
    return _documents()["thorgal"](fight=[word for text in fight for word in text.split() if word != "-"], **options)


def decks_of(words: Language, document: dict[str, Any]) -> dict[str, Any]:
    """The document of decks: with those of an address, under ``p``, and the numbers of a ``penalty`` or ``earlier``."""
    pairs: dict[str, list[str]] = {}
    for key in ("p", "penalty", *(("earlier",) if isinstance(document.get("earlier"), list) else ())):
        values = document.pop(key, None) or []
        if not isinstance(values, list):
            raise InputError("no-list", key=key, value=str(values)[:40])
        pairs[key] = [str(entry) for entry in values]
    return with_decks(words, document, pairs["p"], penalties=pairs["penalty"], earlier=pairs.get("earlier", ()))


_REF = "#/components/schemas/{name}"
STATUSES = (400, 403, 404, 405, 408, 413, 422, 500, 503)
"""Statuses with a sentence of their own."""


def description() -> dict[str, Any]:
    """The OpenAPI 3.1 document; the shapes of the answers are those of the commands with ``--json``."""
    _, shapes = msgspec.json.schema_components(_documents().values(), ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {"title": "thunderref", "version": "1", "description": "The documents of the commands with --json."},
        "paths": {f"/api/{name}": _path(name, fields) for name, fields in parameters().items()},
        "components": {
            "schemas": {
                **shapes,
                "Error": {
                    "type": "object", "required": ["error"], "properties": {"error": {
                        "type": "object", "required": ["code", "message", "candidates"], "properties": {
                            "code": {"type": "string"}, "message": {"type": "string"},
                            "candidates": {"type": "array", "items": {"type": "string"}},
                        },
                    }},
                },
            },
        },
    }  # fmt: skip


def _path(name: str, fields: tuple[Parameter, ...]) -> dict[str, Any]:
    words, json = words_of(FALLBACK), "application/json"
    lang = {"name": "lang", "in": "query", "schema": {"type": "string", "enum": [*languages()]}}
    any_card = {"name": "any", "in": "query", "schema": {"type": "boolean"}}
    queries = [{"name": parameter.name, "in": "query", "schema": parameter.schema} for parameter in fields]
    sent = {"$ref": _REF.format(name=_documents()[name].__name__)} if name in _documents() else {"type": "object"}
    error, about = {json: {"schema": {"$ref": _REF.format(name="Error")}}}, words.say(f"help.{name}")
    responses: dict[str, Any] = {
        str(status): {"description": words.say(f"serve.status.{status}"), "content": error} for status in STATUSES
    }
    document = "The document of the command"
    responses["200"] = {"description": document, "content": {json: {"schema": {"type": "object"}}}}
    return {
        "get": {
            "summary": about, "operationId": name, "parameters": [*queries, lang, any_card], "responses": responses,
        },
        "post": {
            "summary": f"{about} {document}.", "operationId": f"{name}-document", "parameters": [lang, any_card],
            "requestBody": {"required": True, "content": {json: {"schema": sent}}}, "responses": responses,
        },
    }  # fmt: skip
