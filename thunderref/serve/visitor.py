"""One page for one visitor: their language and theme, the frame around every page, the templates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs, quote, unquote, urlencode

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from thunderref.database.read import FALLBACK, open_database
from thunderref.errors import ThunderrefError
from thunderref.pages.evening_page import title_of
from thunderref.pages.page import Line, player_page, scholar_blocks
from thunderref.search.query import card_names
from thunderref.serve.api import Asker, languages
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import make_setup, signs_of, size_of
from thunderref.thunderstone.setup.memory import Tonight
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.evening import Evening, evening_with, version

T = TypeVar("T")
HERE = Path(__file__).parent
Parts = dict[str, Any]
"""What a template is filled with."""
THEMES = ("light", "dark")
HOURS_AT = 12
"""How long a phone remembers its hand."""
COOKIE_SIZES = {"at": 2_000, "score": 3_500}
"""Cookies with what a phone remembers, and the most characters of each."""
DAYS_CHOSEN = 365
ME = "me"
"""Cookie that holds the name of the player using this phone."""
MEDIA = {
    "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png",
    "webmanifest": "application/manifest+json",
}  # fmt: skip
TABS = (("resolve", "⚔"), ("village", "⌂"), ("card", "▯"), ("score", "Σ"), ("tonight", "▦"))


@dataclass(frozen=True)
class Visitor(Asker):
    """The visitor who asks: ``at`` are the hand and hall they see or saw last, ``requested`` the lang and theme that
    the address names, if any.

    ``at["score"]`` are the decks they counted last, as in the address; ``at["draft"]`` is a hall that only they see,
    ``at["seen"]`` the mark of the table that it was tapped for.
    """

    path: str
    theme: str
    at: Mapping[str, str]
    requested: Mapping[str, str]
    here: str
    me: str
    mark: str

    @property
    def player(self) -> str | None:
        """The player they are this evening, None if they have not said it."""
        names = [player.name for player in self.evening.players] if self.evening else []
        return self.me if self.me in names else None

    @property
    def may_act(self) -> bool:
        """True if it is their turn this evening, or they have not said who they are; not after the game."""
        now = self.evening
        return now is not None and not now.finished and self.player in (None, now.active.name)

    @property
    def draft(self) -> str:
        """The hall tapped on this phone that the others do not see yet; "" once the table is another."""
        return self.at.get("draft", "") if self.at.get("seen") == self.mark else ""

    @property
    def sheet(self) -> Evening | None:
        """The evening with the set-up on the table, under way or over."""
        return evening_with(self.now.code, over=True) if self.now is not None and self.keeps else None

    @property
    def whose_turn(self) -> str:
        """Whose turn it is this evening and what a breach has left to put right, or who won."""
        now = self.evening
        if now is None or now.finished:
            return title_of(now, self.words) if now else ""
        breach, whose = now.events[-1].breach, self.words.say("serve.turn-of", name=now.active.name)
        return f"{whose} {self.words.say('evening.breach', card=self.words.card(breach))}" if breach else whose

    @property
    def made(self) -> Setup | None:
        """The set-up on the table, worked out once."""
        return None if self.now is None else self.words.database.derived(make_setup, self.now.code)

    def attempt(self, answer: Callable[[], T]) -> tuple[T | None, str]:
        """The answer, or None and the sentence that says why there is none."""
        try:
            return answer(), ""
        except ThunderrefError as error:
            return None, self.words.error(error, on_page=True)


def visitor_of(request: Request, usual: str, now: Tonight | None, threads: Searches, *, keeps: bool = False) -> Visitor:
    """The visitor: address before cookie before the browser's languages before the ``usual`` language."""
    mark = version()  # before anything is read: a tap on what was older by then is refused
    query, cookies = request.query_params, request.cookies
    values = {"lang": languages(), "theme": THEMES}
    options = {name: query[name] for name in values if query.get(name) in values[name]}
    lang = options.get("lang") or cookies.get("lang", "")
    if lang not in values["lang"]:
        lang = _preferred(request.headers.get("accept-language", ""), values["lang"]) or usual
    theme = options.get("theme") or cookies.get("theme", "")
    remembered = [parse_qs(cookies.get(name, "")[:size]) for name, size in COOKIE_SIZES.items()]
    seen = {key: texts[0] for record in remembered for key, texts in record.items()}
    pairs = [(key, value) for key, value in query.multi_items() if key not in values]
    path = "/" + quote(request.scope["path"].lstrip("/\\"))
    here = path + (f"?{urlencode(pairs)}" if pairs else "")
    me = unquote(cookies.get(ME, ""))
    return Visitor(lang, now, threads, keeps, path, theme if theme in THEMES else "", seen, options, here, me, mark)


def _preferred(header: str, known: Sequence[str]) -> str | None:
    codes = []
    for place, entry in enumerate(header[:200].split(",")):
        code, _, quality = entry.strip().partition(";")
        digits = quality.replace(" ", "").removeprefix("q=")[:5]
        weight = float(digits) if digits.replace(".", "", 1).isdecimal() and digits.isascii() else 1.0
        codes.append((-weight, place, code.partition("-")[0].lower()))
    return next((code for weight, _, code in sorted(codes) if code in known and weight), None)


def address(path: str, /, **parts: str | Sequence[str]) -> str:
    """The address of a page; what is empty is left out, what repeats is written several times."""
    pairs = [(key, entry) for key, value in parts.items() for entry in ([value] if isinstance(value, str) else value)]
    query = "&".join(f"{quote(key)}={quote(value, safe=',:-')}" for key, value in pairs if value)
    return f"{path}?{query}" if query else path


_VOWELS = "aeiouyąęóаеёиоуыэюя"
_SYLLABLE = re.compile(rf"(?:[csrd]z|ch|d[źż]|[^\W\d_{_VOWELS}йьъ])(?=[{_VOWELS}]\w\w)", re.IGNORECASE)
"""The beginning of a syllable within a word: a consonant before a vowel, or two Polish letters that are one sound."""
_LONG_WORD = re.compile(r"[^\W\d_]{13,}")
"""A word that may be longer than a line of a phone 320 px wide, in letters of twice the usual size."""
_BETWEEN_WORDS = re.compile(r"(?<=\w\w\w[/=])(?=\w\w\w)")


def link_text(text: str, line: Line | None = None) -> Markup:
    """A text with links to the rules that it names, and if it is one of a line, to what else has a page of its own."""
    places = {link.words: address(f"/{link.kind}", q=link.subject) for link in line.links} if line else {}
    names = sorted(places, key=len, reverse=True)
    choice = "|".join(map(re.escape, names)) or "(?!)"  # in whatever ending
    parts: list[str] = re.split(rf"((?:{choice})\w*|\b[RT]\d+(?:\.\d+[a-z]?)?\b)", text)
    rule = "rule alone" if len(parts) == 3 and not parts[0] + parts[2] else "rule"  # which has room for a finger
    for place, piece in [*enumerate(parts)][1::2]:  # every other one is a name or a rule
        name = next(filter(piece.startswith, names), None)
        kind, to = ("to", places[name]) if name else (rule, address("/rule", q=piece))
        parts[place] = Markup('<a class="{}" href="{}">{}</a>').format(kind, to, divide_words(piece))
    parts[::2] = map(divide_words, parts[::2])
    return Markup("").join(parts)


def divide_words(text: str) -> Markup:
    """The text with marks where a line may end within long words, as few fit with large letters on a small phone.

    A Russian or Polish word is divided at the syllable nearest to its middle; an English one, which has no such rule,
    stays whole, and browsers hyphenate it.
    """

    def divided(word: re.Match[str]) -> str:
        whole = word[0]
        starts = [] if whole.isascii() else [syllable.start() for syllable in _SYLLABLE.finditer(whole)]
        middle = min(starts, key=lambda start: abs(2 * start - len(whole)), default=0)
        return f"{whole[:middle]}&shy;{whole[middle:]}" if middle else whole

    return Markup(_BETWEEN_WORDS.sub("<wbr>", _LONG_WORD.sub(divided, escape(text))))


@cache
def environment(loader: BaseLoader | None = None) -> Environment:
    """The templates and what they call; from ``loader`` if they are not to come from their files."""
    templates = Environment(
        loader=loader or FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    called = (size_of, signs_of, address, link_text, player_page, scholar_blocks)
    templates.globals.update({function.__name__: function for function in called})
    return templates


class Pages:
    """The templates and what they need beside their own data.

    ``static`` are the files of the pages, each with its type; a digest in its name lets it be kept for a year.
    ``links`` are addresses in the menu of every page, each with the key of its words; ``lost`` the key of the sentence
    shown if no answer comes.
    """

    def __init__(
        self, loader: BaseLoader | None = None, links: Sequence[tuple[str, str]] = (), lost: str = "serve.lost"
    ) -> None:
        self.static: dict[str, tuple[bytes, str]] = {}
        self.names: dict[str, str] = {}
        self.links, self.lost = links, lost
        self._templates = environment(loader)
        for source in sorted((HERE / "static").iterdir(), key=lambda path: path.name):
            self._keep(source.name, source.read_bytes())
        names = open_database().message("serve.app")  # all that is needed of the other languages
        for lang in languages():
            manifest = self._manifest(lang, names.get(lang) or names[FALLBACK])
            self._keep(f"{lang}.webmanifest", dumps(manifest, ensure_ascii=False).encode())

    def _keep(self, name: str, content: bytes) -> None:
        stem, _, ending = name.rpartition(".")
        file = f"{stem}.{sha256(content).hexdigest()[:10]}.{ending}"
        self.static[file] = content, MEDIA[ending]
        self.names[name] = f"/static/{file}"

    def _manifest(self, lang: str, name: str) -> Parts:
        """The web app manifest, with which a phone puts the page among its apps."""
        icons = [("icon.svg", "any", "any"), ("icon.png", "256x256", "any maskable")]
        return {
            "name": name, "short_name": "thunderref", "lang": lang, "start_url": "/",
            "id": "/", "scope": "/", "display": "standalone", "background_color": "#fcf7ee", "theme_color": "#fcf7ee",
            "icons": [{"src": self.names[name], "sizes": sizes, "purpose": purpose} for name, sizes, purpose in icons],
        }  # fmt: skip

    def respond(self, template: str, visitor: Visitor, status: int = 200, tab: str = "", **parts: Any) -> Response:
        words, seen = visitor.words, {key: visitor.at.get(key, "") for key in ("hall", "hand")}
        known = words.database.languages
        to = {
            "tonight": "/", "resolve": address("/resolve", **seen), "village": address("/village", hand=seen["hand"]),
            "score": "/evening" if visitor.sheet else f"/score?{visitor.at.get('score', '')}".rstrip("?"),
        }  # fmt: skip
        frame = {
            "mark": visitor.mark if visitor.evening else "",
            "visitor": visitor, "words": words, "say": words.say, "card": words.card, "static": self.names, "tab": tab,
            "tabs": [(name, sign, to.get(name, f"/{name}"), words.say(f"serve.tab.{name}")) for name, sign in TABS],
            "languages": [(code, code.upper(), _add_to(visitor.here, "lang", code)) for code in known],
            "names": partial(words.database.derived, card_names, words.lang),
            "lost": self.lost,
            "links": [(to, words.say(key)) for to, key in self.links],
            "themes": [(theme, _add_to(visitor.here, "theme", theme)) for theme in THEMES],
        }  # fmt: skip
        return self.finish(HTMLResponse(self._templates.get_template(template).render(frame, **parts), status), visitor)

    def finish(self, response: Response, visitor: Visitor, *, changed: bool = False) -> Response:
        """The response with the cookies: what the address chose, and if it ``changed`` what it shows."""
        for name, value in visitor.requested.items():
            remember(response, name, value, DAYS_CHOSEN * 86_400)
        for name, limit in COOKIE_SIZES.items() if changed else ():
            seen = {key: value for key, value in visitor.at.items() if value and (key == "score") == (name == "score")}
            if len(written := urlencode(seen)) <= limit:
                remember(response, name, written, HOURS_AT * 3_600)
        return response

    def go(self, visitor: Visitor, to: str) -> Response:
        """Redirect to another address of this server; language and theme of this one are kept."""
        for name, value in visitor.requested.items():
            to = _add_to(to, name, value)
        return self.finish(RedirectResponse(to, 303), visitor)


def _add_to(to: str, name: str, value: str) -> str:
    return f"{to}{'&' if '?' in to else '?'}{name}={value}"


def remember(response: Response, name: str, value: str, seconds: int) -> None:
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="strict")
