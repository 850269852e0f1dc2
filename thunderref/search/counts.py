"""The one reader of "count and name", for everything that is typed or written as a list of cards.

:func:`write_plainly` brings every notation into one form, ``3 militia`` or ``militia x3``, whatever signs, brackets,
list marks and invisible characters stand around the number; :func:`split_count` reads one entry of such a list. A
number that belongs to no card stays in the name and is refused by :func:`read_count`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import category, normalize

from thunderref.database.read import Database
from thunderref.errors import InputError, NoAnswerError
from thunderref.text.folding import fold_query

MOST_CARDS = 24
"""Most cards of a hand: six cards and those that are drawn."""
SEPARATORS = ",;、،"
"""Signs between the entries of a list, of cards or of players."""
MOST_COPIES = 999  # more copies of a card than this are a typing error

_INVISIBLE = ("Cf", "Me", "Cs", "Co")  # categories of Unicode: zero-width spaces, keycaps, surrogates, private use
_MARKS = ("•", "·", "*")
_MARK = re.compile(r"^(?:\s*(?:[•·∙‣⁃◦▪■●○–—*>+-](?=\s*[x×(\[{]?\s*\d)|[•·∙‣⁃◦▪■●○*>](?=\s*\w)))+")
"""A list mark before an entry; a dash only before a number, because alone it is an empty rank."""
_SIGNED = re.compile(r"^\s*[-–—−]\d")
_DASHED = re.compile(r"^\s*[-–—]\s*(?=\S)", re.MULTILINE)
_BRACKETED = re.compile(r"[(\[{]\s*([x×х*]?)\s*(\d+)\s*[x×х*]?\s*[)\]}]", re.IGNORECASE)
_QUOTES = str.maketrans(dict.fromkeys('"“”„«»', " "))
_SPELT = tuple(
    (re.compile(sign, re.IGNORECASE), plain)
    for sign, plain in (
        (r"[×✕✖⨯∗]", "×"),
        (r"(?<=\d)\s*\.\s*$", ""),
        (r"(?<=\w)\s*[:=]\s*[x×х*]?(\d+)\s*$", r" \1"),  # militia: 3
        (r"(?<=[^\W\d])[:=](\d+)(?=\s)", r" x\1"),  # militia=3 torch=1
        (r"(?<=[^\W\d])\s+[-–—]\s*[x×х*]?(\d+)\s*$", r" \1"),  # militia - 3
        (r"^\s*(\d+)\s*(?:[:=).]|[x×х*]?\s+[-–—])\s*(?=[^\W\d])", r"\1 "),  # 3) militia, 3: militia, 3 - militia
        (r"(?<![\w#.-])(\d+)\)\s*(?=[^\W\d])", r"\1 "),  # a second 3) militia without a comma
        (r"(?<![\w#.-])(\d+)(?:[x×*](?!p\b)\s*|х\s+)(?=[^\W\d])", r"\1 "),  # 3xmilitia, 3x militia, but not 2xp
        (r"(?<![\w#.-])(\d+)(?:\s+[x×х*]\s+|\s+[×*])(?=[^\W\d])", r"\1 "),  # 3 x militia
        (r"(\d+)\s*[x×х*](?=\s*$)", r"x\1"),  # militia 3x
        (r"(?<=[^\W\d]{2})[x×х*](\d+)(?!\w)", r" x\1"),  # militiax3
        (r"(?<!\w)[x×х*]\s*(\d+)(?!\w)", r" x\1"),  # x 3 militia, militia x 3
        (r"(?<![\w#.,/-])(\d+)(?!(?:st|nd|rd|th)\b)(?=[^\W\d_]{2})", r"\1 "),  # 3militia
        (r"(?<=[^\W\d_]{3})(\d+)(?!\w)", r" \1"),  # militia3
    )
)
"""How the notations of a count are written plainly, in this order."""
_NUMBERED = re.compile(r"(?<![\w#.-])(\d+)[).]\s*(?=[^\W\d])")
"""A number that may be a count or the number of an item: which of them is not known where they run 1, 2, 3."""
_NUMBERED_NAME = "SELECT 1 FROM names WHERE kind = 'card' AND form GLOB ? || ' [0-9]*'"
_NUMBERED_ITEM = re.compile(r"#+\s*\d")
"""How "#2 militia" begins, and no heading ("### deck ###")."""
_COUNT = re.compile(r"^(x?)(\d{1,9})$")
_RANK_SIGN = re.compile(r"(?<=\w )(?![x×хl])([^\W\d_]{1,8})\.?([0-3])(?![\w.])", re.IGNORECASE)


class CountToken(NamedTuple):
    """A number as it stands in a line; ``is_times``: after a sign of multiplication."""

    number: int
    is_times: bool


def spell_ranks(text: str) -> str:
    """Return a line with the numbers apart that players write to a word behind a name: "griffon r2", "rank2"."""
    return _RANK_SIGN.sub(r"\1 \2", text)


def write_plainly(text: str) -> str:
    """Return a list of cards with commas between its entries, and counts as ``3 militia`` or ``militia x3``."""
    text = "".join(sign for sign in normalize("NFKC", text.expandtabs(1)) if _is_visible(sign))
    text = re.sub(r"(?<=[^\W_])_+(?=[^\W_])", " ", text.translate(_QUOTES))  # alone it is an empty rank of a page
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(map(_DASHED.match, lines)):
        lines = [_DASHED.sub("", line, 1) for line in lines]
    text = ",".join(lines)
    numbers = [*map(int, _NUMBERED.findall(text))]
    if len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]:
        text = _NUMBERED.sub(r"#\1 ", text)  # which is refused
    if (mark := text.lstrip()[:1]) in _MARKS:
        text = re.sub(rf"(?<=\w)\s*{re.escape(mark)}(?=\s*\d+\s*[^\W\d])", ",", text)
    entries = re.split(f"[{SEPARATORS}]", text)
    marked = len(entries) > 1 and all(map(is_signed, entries))
    return ",".join(entry.strip() if is_signed(entry) and not marked else _write_entry(entry) for entry in entries)


def is_signed(entry: str) -> bool:
    """Whether an entry begins with a number that has a sign: a list mark only where all of several entries have one."""
    return _SIGNED.match(entry) is not None


def _is_visible(sign: str) -> bool:
    return sign == "\n" or not (category(sign) in _INVISIBLE or "\ufe00" <= sign <= "\ufe0f")


def _write_entry(entry: str) -> str:
    entry = _MARK.sub("", entry)
    before = _BRACKETED.match(entry.strip()) is not None  # the first count stands before its name, so all do
    entry = _BRACKETED.sub(r" \2 " if before else r" x\2 ", entry)
    for sign, plain in _SPELT:
        entry = sign.sub(plain, entry)
    return entry


def count_token(database: Database, token: str) -> CountToken | None:
    """The number that a word of a plainly written list is, in figures or in words; None if it is none."""
    if figures := _COUNT.match(token):
        return CountToken(int(figures[2]), bool(figures[1]))
    number = number_word(database, token)
    return None if number is None else CountToken(number, False)


def number_word(database: Database, word: str) -> int | None:
    """The number that a word of any language means; also one in figures."""
    number = word if word.isdecimal() else database.words("search.words.numbers").get(fold_query(word))
    return None if number is None else int(number)


def is_level_word(database: Database, word: str) -> bool:
    return fold_query(word) in database.words("door.words.level")


def has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def after_copies(database: Database, words: Sequence[str], i: int) -> int:
    """The place behind the words for copies ("copies of", "szt.") that begin at word ``i``."""
    copies = database.words("search.words.copies")
    while i < len(words) and fold_query(words[i]) in copies:
        pair, word, after = (fold_query(" ".join(words[i + n : i + end])) for n, end in ((0, 2), (0, 1), (1, 2)))
        if database.is_name(pair) or (database.is_name(word) and not database.is_name(after)):
            break  # The Cage; "kopia" is a copy or a Polearm
        i += 1
    return i


def split_count(database: Database, text: str) -> tuple[int | None, str]:
    """Split an entry into its count, None if it has none, and the name; what is no count stays in the name."""
    words = write_plainly(text).split()
    if len(words) < 2 or database.is_name(fold_query(" ".join(words))):
        return None, " ".join(words)
    begin = after_copies(database, words, 0)  # a pair of torches
    front = count_token(database, words[begin]) if begin < len(words) else None
    begin = after_copies(database, words, begin + 1)
    if begin < len(words) and front:
        return front.number, " ".join(words[begin:])
    ends = (end for end in range(1, len(words)) if after_copies(database, words, end + 1) == len(words))
    for end in ends:
        name = " ".join(words[:end])
        if (back := count_token(database, words[end])) and not is_level_word(database, words[end - 1]):
            is_name = not back.is_times and database.query(_NUMBERED_NAME, fold_query(name))  # there is no Horde 13
            return (None, " ".join(words)) if is_name else (back.number, name)
    return None, " ".join(words)


def strip_count(database: Database, text: str) -> str:
    """The name without a count before it or after a sign of multiplication; "draw 2 cards" has none."""
    name = split_count(database, text)[1]
    return name if text.endswith(name) or is_counted(text) else text


def is_counted(text: str) -> bool:
    """True if a count in figures stands before or behind what is to be one card."""
    words = write_plainly(text).split() or [""]
    return bool(_COUNT.match(words[0]) or (words[-1][:1] == "x" and _COUNT.match(words[-1])))


def split_filter(database: Database, text: str) -> tuple[int | None, str]:
    """Split a condition on cards into its count and the rest, which is left alone: ``3 cost<=5``."""
    first, _, condition = text.strip().partition(" ")
    count = count_token(database, first.strip("x×х*")) if condition else None
    return (count.number, condition.strip()) if count else (None, text.strip())


def read_count(database: Database, entry: str) -> tuple[int | None, str]:
    """Split an entry as :func:`split_count`; raise :class:`InputError` for no or too many copies, or a stray number."""
    if entry in database.cards:  # the id of a card, as in most documents: nothing is to be read
        return None, entry
    number, name = split_count(database, entry)
    if entry.strip() and not fold_query(entry):
        raise NoAnswerError("unknown-card", name=entry.strip())
    if number == 0:
        raise InputError("zero-copies", name=entry.strip())
    if number is not None and number > MOST_COPIES:
        raise InputError("too-many-cards", n=number, most=MOST_CARDS)
    bare = name.partition("#")[0].strip()
    is_level = any(is_level_word(database, word) for word in bare.split())
    if is_signed(entry):
        raise InputError("stray-number", why="sign", name=" ".join(entry.split()))
    if name and not bare and not _NUMBERED_ITEM.match(name):
        raise InputError("heading", name=" ".join(entry.split()))
    if (name and not bare) or (has_digit(bare) and not is_level and not database.is_name(fold_query(bare))):
        raise InputError("stray-number", name=" ".join(entry.split()))
    return number, name
