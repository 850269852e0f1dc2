"""The grammar of questions over the cards: ``kind:hero (does:draw or gives:light) -type:wizard text:/destroy.*hero/``.

Conditions combine with ``and`` (or nothing, or a comma), ``or``, ``not`` or ``-`` and brackets; ``and`` binds closer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeVar

from thunderref.errors import InputError

T = TypeVar("T")
SIGNS = (":", "<", "<=", "=", ">=", ">", "!=")
_SAME_SIGN = {"==": "=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
_SIGN = r"<=|>=|!=|==|<>|≤|≥|≠|:|<|>|="
_TOKEN = re.compile(
    rf"""\s*(?:
    (?P<open>\() | (?P<close>\)) | (?P<comma>[,&]) | (?P<bar>\|) | (?P<minus>-(?=-*(?:[^\W\d]|[("]))) |
    (?P<field>[^\W\d][\w-]*)\s*(?P<sign>{_SIGN})\s*
        (?:/(?P<regex>(?:\\.|[^/\\])+)/ | "(?P<quoted>[^"]*)" | (?P<value>[^\s(),"]+)) |
    "(?P<words>[^"]*)" | (?P<word>[^\s(),"<>=!:≤≥≠]+)(?=[\s(),"]|$)
    )""",
    re.VERBOSE,
)  # fmt: skip
_DEEPEST = 30


class FieldCondition(NamedTuple):
    """A field, a sign of :data:`SIGNS` and a value; ``place`` is its place in the query, from 1."""

    field: str
    sign: str
    value: str
    place: int
    is_regex: bool = False


class PlainWord(NamedTuple):
    """A word, or several in quotes: part of a name, a kind or a type."""

    text: str
    place: int


class Combined(NamedTuple):
    """What ``and``, ``or`` or ``not`` combines."""

    by: str
    of: tuple[Query, ...]


Query = FieldCondition | PlainWord | Combined


def parse(text: str, connectives: Mapping[str, Collection[str]]) -> Query:
    """The query in one line of text; ``connectives`` are the words for ``and``, ``or`` and ``not``.

    Raises :class:`InputError` (``bad-query``) with the place of what is not understood.
    """
    parser = _Parser(text, {word: by for by, words in connectives.items() for word in words})
    return parser.whole()


class _Parser:
    def __init__(self, text: str, connectives: Mapping[str, str]) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.connectives = connectives
        self.token, self.kind = self._next()

    def _next(self) -> tuple[re.Match[str] | None, str]:
        """The token that follows, and its kind; none at the end."""
        remaining = self.text[self.at :]
        if not remaining.strip():
            return None, "end"
        match = _TOKEN.match(self.text, self.at)
        if match is None or (match["value"] or "").startswith(("<", ">", "=")):
            raise self._refused("unread", self.at + len(remaining) - len(remaining.lstrip()))
        kind = next(name for name in (*_SIMPLE, "field", "words", "word") if match[name] is not None)
        kind = {"comma": "and", "bar": "or", "minus": "not"}.get(kind, kind)
        return match, self.connectives.get(match[0].strip().casefold(), kind) if kind == "word" else kind

    def _refused(self, why: str, i: int) -> InputError:
        return InputError("bad-query", why=why, filter=self.text[i : i + 40].split(" ")[0] or "", place=i + 1)

    def _take(self) -> re.Match[str]:
        match = self.token
        assert match is not None
        self.at = match.end()
        self.token, self.kind = self._next()
        return match

    @property
    def _here(self) -> int:
        return len(self.text) if self.token is None else self.token.end() - len(self.token[0].lstrip())

    def whole(self) -> Query:
        if self.kind == "end":
            raise InputError("empty-query")
        query = self._either()
        if self.kind != "end":
            raise self._refused("bracket" if self.kind == "close" else "unread", self._here)
        return query

    def _joined(self, by: str, parse: Callable[[], Query], goes_on: Callable[[], bool]) -> Query:
        parts = [parse()]
        while goes_on():
            if self.kind == by:
                self._take()
            parts.append(parse())
        return parts[0] if len(parts) == 1 else Combined(by, tuple(parts))

    def _either(self) -> Query:
        return self._joined("or", self._every, lambda: self.kind == "or")

    def _every(self) -> Query:
        return self._joined("and", self._single, lambda: self.kind not in ("or", "close", "end"))

    def _single(self) -> Query:
        start = self._here
        if self.kind == "not":
            self._take()
            return Combined("not", (self._deeper(self._single),))
        if self.kind == "open":
            self._take()
            inner = self._deeper(self._either)
            if self.kind != "close":
                raise self._refused("open", start)
            self._take()
            return inner
        if self.kind == "field":
            token = self._take()
            sign, regex = _SAME_SIGN.get(token["sign"], token["sign"]), token["regex"]
            if regex is not None:
                return FieldCondition(token["field"], sign, regex, start + 1, is_regex=True)
            value = token["quoted"] if token["value"] is None else token["value"]
            return FieldCondition(token["field"], sign, value.strip(), start + 1)
        if self.kind in ("word", "words"):
            token = self._take()
            return PlainWord(next(text for text in (token["words"], token["word"]) if text is not None), start + 1)
        raise self._refused("missing" if self.kind == "end" else "unread", start)

    def _deeper(self, parse: Callable[[], Query]) -> Query:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._refused("deep", self._here)
        query = parse()
        self.depth -= 1
        return query


_SIMPLE = ("open", "close", "comma", "bar", "minus")


def written(query: Query, inside: str = "") -> str:
    """The query in its full form, which parses to the same."""
    if isinstance(query, PlainWord):
        return _quoted(query.text)
    if isinstance(query, FieldCondition):
        value = f"/{query.value}/" if query.is_regex else _quoted(query.value)
        return f"{query.field}{query.sign}{value}"
    if query.by == "not":
        return f"not {written(query.of[0], 'not')}"
    text = (" or " if query.by == "or" else " ").join(written(operand, query.by) for operand in query.of)
    return f"({text})" if inside and (query.by == "or" or inside == "not") else text


def _quoted(text: str) -> str:
    return text if re.fullmatch(r'[^\s(),"<>=!:≤≥≠/&|-][^\s(),"<>=!:≤≥≠&|]*', text) else f'"{text}"'


def conditions(query: Query) -> list[FieldCondition]:
    """All conditions of a query, in their order."""
    if isinstance(query, Combined):
        return [condition for operand in query.of for condition in conditions(operand)]
    return [query] if isinstance(query, FieldCondition) else []


def combine(
    query: Query, meeting: Callable[[FieldCondition | PlainWord], frozenset[T]], everything: frozenset[T]
) -> frozenset[T]:
    """What meets a query, each of its conditions by ``meeting``."""
    if not isinstance(query, Combined):
        return meeting(query)
    parts = [combine(operand, meeting, everything) for operand in query.of]
    if query.by == "not":
        return everything - parts[0]
    return frozenset.intersection(*parts) if query.by == "and" else frozenset.union(*parts)


_ONE_WORD = re.compile(r"kind|type|timing|rule|does|gives|immune|tonight")


def joined(words: list[str]) -> str:
    """The words of a command line as one line of text: the shell took the quotes from a value of several words."""
    lone = re.compile(rf'([^\W\d][\w-]*)\s*({_SIGN})\s*([^"()/]*\s[^"()]*)', re.DOTALL)
    parts = []
    for word in words:
        alone = lone.fullmatch(word)
        several = alone and not _ONE_WORD.fullmatch(alone[1]) and not re.search(rf"{_SIGN}| (and|or|not) ", alone[3])
        parts.append(f'{alone[1]}{alone[2]}"{alone[3].strip()}"' if alone and several else word)
    return " ".join(parts)
