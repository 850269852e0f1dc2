"""The hand-edited files: cards, sets, rules, terms, rulings, conflicts, set-ups, the glossary of each language.

One among them is measured, not written by hand: the sample of set-ups in ``db/reference.toml``.
"""

import hashlib
from types import GenericAlias
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from msgspec import Meta, defstruct

from thunderref.database.card_records import Attested, Card, Id, Kind
from thunderref.database.operations import Effect
from thunderref.database.paths import FIRST_GAME, Game
from thunderref.database.validation import Record

SOURCE_LANGUAGE = "en"
LANGUAGE_CODE = r"^[a-z]{2,3}$"
BOOKS = ("base.pl", "base.en-yucata", "base.ru", "wrath.pl", "card", "thorgal.pl")
"""Sources of rules and rulings: rulebooks by box and language, the printed cards, the player aid of Thorgal."""
SECTIONS = ("cards", "families", "terms", "sets", "piles", "vocabulary", "texts", "messages", "ask", "phrases")
"""The tables of a glossary file."""


Source = str
"""A printed place, ``<book>: <heading>``: one of :data:`BOOKS`; for a card its English name."""


class CardWithEffects(Card, kw_only=True):
    """A card as its file has it: its own entries in the books (``sources``), its abilities in printed order."""

    sources: tuple[Source, ...] = ()
    effects: tuple[Effect, ...] = ()


class CardFile(Record, kw_only=True):
    """The cards of a set; ``attested`` is the default for its cards."""

    attested: Attested
    card: tuple[CardWithEffects, ...]


class FamilyRecord(Record, kw_only=True):
    """The cards of one randomizer: a hero race, a monster class, a class of traps or treasures, guardians."""

    id: Id
    set_id: Id = ""
    """Its box, by the name of its folder."""
    kind: Literal["hero", "monster", "trap", "treasure", "guardian", "feature", "thunderstone"]


class FeatureDeck(Record):
    """The dungeon-feature randomizers of one box (R1.2): question marks among the monsters, and the feature pile."""

    question_marks: Annotated[int, Meta(ge=0, le=10)]
    pile: Annotated[tuple[Id, ...], Meta(max_length=12)] = ()


class Beside(Record):
    """What lies beside the stacks in set-ups with one of certain families or cards: a deck, or ``count`` tokens.

    ``cards`` of a deck are shuffled (card -> copies); it lies there instead of the stack that it ``replaces``. Every
    set-up with the box has it if it is ``needed_by`` nothing in particular.
    """

    id: Id
    set_id: Id = ""
    cards: dict[Id, Annotated[int, Meta(ge=1, le=60)]] = {}
    count: Annotated[int, Meta(ge=1, le=200)] | None = None
    replaces: Id | None = None
    needed_by: tuple[Id, ...] = ()


class BoxRecord(Record, kw_only=True):
    """A box, ``box.toml`` in its folder: what is printed on it, and what set-ups have to know of it.

    ``order`` is its place among the boxes. Cards that came in no box (``boxed`` is false) are mixed into those of
    others. The box with the ``basic`` stacks is the one that others need. ``contents`` are the printed numbers of
    cards by kind. The name of a box of the package is in the glossaries.
    """

    format: Literal[1]
    id: Id = ""
    name: str = ""
    order: int = 100
    year: Annotated[int, Meta(ge=2009, le=2100)] | None = None
    boxed: bool = True
    basic: bool = False
    contents: dict[Kind, Annotated[int, Meta(ge=0, le=1000)]] = {}
    feature_deck: FeatureDeck | None = None
    beside: tuple[Beside, ...] = ()
    family: tuple[FamilyRecord, ...] = ()


class Switch(Record):
    """An open question of a rule: the value taken and the other one, explained by ``reading.<name>.<value>``."""

    name: Id
    default: Id
    other: Id


class Rule(Record):
    """A rule as adjudicated; ``reading`` means the printed sources leave the questions in ``switches`` open."""

    id: Id
    status: Literal["printed", "reading", "online"] = "printed"
    see: tuple[Id, ...] = ()
    sources: tuple[Source, ...] = ()
    switches: tuple[Switch, ...] = ()
    game: Game = FIRST_GAME
    """The game whose file it stands in; so for a term."""


class TermRecord(Record):
    """A word of the game (trait, keyword, procedure, zone, figure) with the rules that define it."""

    id: Id
    group: str
    rules: tuple[Id, ...] = ()
    game: Game = FIRST_GAME


class Clarification(Record):
    """A ruling on cards, or without any on its rules: what players ask and no rule says literally."""

    id: Id
    cards: tuple[Id, ...] = ()
    rules: tuple[Id, ...] = ()
    sources: tuple[Source, ...] = ()


class AnswerRecord(Record, kw_only=True):
    """The answer to a question: ``verdict`` stands before its text where the question is put that way round.

    ``about``: the rule, ruling, term or card that the question is about, by the key of its texts (``rule.R3.5``);
    ``example``: the example that would fail if it were not so.
    """

    id: Id
    verdict: Literal["yes", "no", "depends"] | None = None
    about: str
    rules: tuple[Id, ...] = ()
    rulings: tuple[Id, ...] = ()
    cards: tuple[Id, ...] = ()
    example: str = ""
    game: Game = FIRST_GAME
    """The game whose file it stands in."""


class Printing(Switch):
    """What ``other`` printings of a card have: figures, and the effects of the same ids; play takes ``default``."""

    figures: dict[str, int] = {}
    effects: tuple[Effect, ...] = ()


class Conflict(Record, kw_only=True):
    """A contradiction between editions, ``sources``; its text says which one counts.

    ``printing``: how the first of its ``cards`` is played as another edition prints it.
    """

    id: Id
    cards: tuple[Id, ...] = ()
    rules: tuple[Id, ...] = ()
    terms: tuple[Id, ...] = ()
    sources: Annotated[tuple[Literal["card", "base.en", "base.pl", "base.ru", "wrath.pl"], ...], Meta(min_length=1)]
    printing: Printing | None = None


class Pool(Record):
    """What a set-up code of this version can name, in the order of the numbers: never changed.

    ``extras`` are sets of cards without a box of their own, which are mixed into the ``boxes``.
    """

    version: Annotated[int, Meta(ge=1, le=31)]
    boxes: tuple[Id, ...]
    extras: tuple[Id, ...]
    first_games: tuple[Id, ...]
    themes: tuple[Id, ...]
    classes: tuple[Id, ...]
    heroes: tuple[Id, ...]
    village: tuple[Id, ...]
    features: tuple[Id, ...]
    guardians: tuple[Id, ...]
    stones: tuple[Id, ...]


class Variant(Record):
    """A variant (R9): least and most ``players`` and ``classes``, Thunderstones, cards it is played ``without``."""

    id: Id
    term: Id | None = None
    rules: tuple[Id, ...] = ()
    players: tuple[int, int] = (2, 5)
    classes: tuple[int, int] = (3, 8)
    dungeon: Literal["ordinary", "epic"] = "ordinary"
    stones: Literal[1, 2] = 1
    campaign: bool = False
    levels: tuple[Id, ...] = ()
    without: tuple[Id, ...] = ()


class FixedSetup(Record, kw_only=True):
    """A first game (R1.8) or themed dungeon (R9.7); ``setup.reading.<id>`` says what its source leaves open."""

    kind: ClassVar[str]
    id: Id
    term: Id | None = None
    rules: tuple[Id, ...] = ()
    sets: tuple[Id, ...]
    classes: tuple[Id, ...]
    features: tuple[Id, ...] = ()
    guardians: tuple[Id, ...] = ()
    stone: Id | None = None
    heroes: Annotated[tuple[Id, ...], Meta(min_length=4, max_length=4)]
    village: Annotated[tuple[Id, ...], Meta(min_length=8, max_length=8)]
    readings: tuple[Id, ...] = ()

    @property
    def given(self) -> tuple[Id, ...]:
        return (*self.classes, *self.features, *self.guardians, *self.heroes, *self.village)


class FirstGame(FixedSetup):
    kind = "first-game"


class Theme(FixedSetup):
    kind = "theme"


SETUPS: dict[str, type[Record]] = {
    "box": BoxRecord, "pool": Pool, "variant": Variant, FirstGame.kind: FirstGame, Theme.kind: Theme
}  # fmt: skip
"""Kind of part of a set-up -> its record."""


def name_of(record: Record) -> str:
    """The id of a record, the version of a pool, the name of a switch; "" for a record without a name."""
    names = (getattr(record, field, None) for field in ("id", "version", "name"))
    return str(next(filter(None, names), ""))


class Puzzle(Record, kw_only=True):
    """A puzzle, with the right line and the tempting one; ``puzzle.<id>`` is its text for players.

    It is a test example too: ``why`` is the sum of the right line, ``expect`` are keys of its result.
    """

    id: Id
    rules: Annotated[tuple[Id, ...], Meta(min_length=1)]
    source: str
    why: str
    scenario: dict[str, Any]
    solution: tuple[dict[str, Any], ...]
    naive: tuple[dict[str, Any], ...]
    expect: dict[str, Any]


class SampledSetup(NamedTuple):
    """A set-up that bots have played: its code, how many of the games ended, and the means of these."""

    code: str
    ended: int
    rounds: float
    vp: float
    victories_per_round: float
    first_victory: float


class Reference(Record, kw_only=True):
    """A sample of set-ups, each played ``games`` times between these bots."""

    games: Annotated[int, Meta(ge=1)]
    bots: Annotated[tuple[str, ...], Meta(min_length=1)]
    setups: Annotated[tuple[SampledSetup, ...], Meta(min_length=1)]

    def ordered(self, figure: str) -> list[float]:
        """Return the means of a figure, the least first."""
        return sorted(getattr(setup, figure) for setup in self.setups)


class Name(Record):
    """A card, family or term in one language; ``also`` names find it but are never shown.

    ``alias``: words of players for a card or family that no print attests, for look-ups only.
    ``official`` is False for a name of our own, where the printed games have none. ``forms``: the name in each of the
    ``cases`` of its language; ``gender``: which of the ordinals (``name.ordinals.<gender>``) agree with it.
    """

    name: Annotated[str, Meta(min_length=1)]
    also: tuple[str, ...] = ()
    alias: tuple[str, ...] = ()
    official: bool = True
    gender: str = ""
    forms: tuple[str, ...] = ()

    @property
    def spellings(self) -> list[str]:
        return [self.name, *self.also]


class Word(Record):
    """The one word of a language for a thing, and those not to be used for it; ``*`` stands for any letters."""

    word: Annotated[str, Meta(min_length=1)]
    avoid: Annotated[tuple[str, ...], Meta(min_length=1)]


class Translation(Record):
    """A translated text with the digest of the English text it was made from."""

    text: Annotated[str, Meta(min_length=1)]
    of: str = ""


class Grammar(Record):
    """How the words of a language change, written as folded words, for :mod:`thunderref.text.stems`.

    A typed word of a name may have one of the ``endings`` behind that many letters, less ``vowels`` at the end;
    a ``suffix`` (a regular expression) comes off before. ``tails`` are ends of what is left and what they are in the
    name (``rz: r; c: k t``), ``forms`` patterns of words whose stem changes, and what it becomes, ``name_forms`` those
    of names only. A word of running text loses its longest of ``text_endings``, then what ``text_forms`` replace.
    ``small`` words say how a question is put and not what it is about; a name is complete without its ``fillers``.
    """

    vowels: str = ""
    least: Annotated[int, Meta(ge=1)] = 3
    suffix: str = ""
    endings: str = ""
    text_endings: str = ""
    tails: str = ""
    forms: tuple[tuple[str, str], ...] = ()
    name_forms: tuple[tuple[str, str], ...] = ()
    text_forms: tuple[tuple[str, str], ...] = ()
    small: str = ""
    fillers: str = ""


class GlossaryFile(Record):
    """One language: names of cards, families, terms and sets; ``texts`` to read; ``messages`` the program fills in.

    Keys of ``texts``: ``card.<id>.<effect>``, ``clarify.<id>``, ``rule.<id>``, ``term.<id>``, ``conflict.<id>``,
    ``answer.<id>``, ``puzzle.<id>``, ``title.<rule>``, and for a rule or ruling that is a reading the arguments
    ``reading.<id>.for`` and ``reading.<id>.against``, and what the books leave open of a text as ``open.<key>``.
    In the source language a text is a plain string; in the others it carries ``of``, see :func:`digest`.
    """

    lang: Annotated[str, Meta(pattern=LANGUAGE_CODE)]
    language: str = ""
    draft: bool = False
    """True for an incomplete language: what it lacks is shown in English."""
    plural: str = "n != 1"
    """Which form a word has beside a number, as the files of gettext say it (:func:`plural_rule`)."""
    cases: tuple[str, ...] = ()
    """The forms that names of cards have beside the one shown, in their order; templates name them (``{card:acc}``)."""
    grammar: Grammar = Grammar()
    cards: dict[str, Name] = {}
    families: dict[str, Name] = {}
    terms: dict[str, Name] = {}
    sets: dict[str, Name] = {}
    piles: dict[str, Name] = {}
    """Names of what lies beside the stacks, by the id that a box gives it."""
    vocabulary: dict[str, Word] = {}
    texts: dict[str, str | Translation] = {}
    messages: dict[str, str | Translation] = {}
    ask: dict[str, tuple[str, ...]] = {}
    """``answer.<id>``, ``term.light``, … -> questions it answers, as players ask them; they are in ``en.ask.toml``.

    ``answer.<id>.told`` -> those that its sentence answers, but not its verdict: "does the game go on?", "what if …".
    ``foreign`` -> questions that nothing here answers: of other games, of every-day life.
    """
    phrases: dict[str, tuple[str, ...]] = {}
    """``<topic>.<value>`` -> how players say it in questions: ``condition.type:thief``, ``figure.weight``."""


class OtherBox(Record):
    """A box that the program does not judge, with the names of its cards; ``name`` is "" where it is not known."""

    id: str
    name: str
    names: tuple[str, ...]


TABLES: dict[str, dict[str, type[Record]]] = {
    "rules": {"rule": Rule}, "terms": {"term": TermRecord},
    "clarifications": {"clarification": Clarification}, "conflicts": {"conflict": Conflict},
    "answers": {"answer": AnswerRecord},
    "setups": {"pool": Pool, "variant": Variant},
    "themes": {"first_game": FirstGame, "theme": Theme}, "reference": {"reference": Reference},
    "other_boxes": {"other_box": OtherBox},
    "puzzles": {"puzzle": Puzzle},
}  # fmt: skip
"""Name of a file -> its tables, none of which may be missing, and the record of each of their entries."""
FILES: dict[str, Any] = {"box.toml": BoxRecord, "cards.toml": CardFile, "glossary": GlossaryFile}
"""Folder or name of a file -> its record."""
for _file, _tables in TABLES.items():
    _fields = [(table, GenericAlias(tuple, (record, ...))) for table, record in _tables.items()]
    FILES[f"{_file}.toml"] = defstruct(_file, _fields, bases=(Record,))


def digest(english: str) -> str:
    """Eight hexadecimal digits that change whenever the English text does."""
    return hashlib.sha256(english.encode()).hexdigest()[:8]


def text_of(entry: str | Translation) -> str:
    return entry if isinstance(entry, str) else entry.text
