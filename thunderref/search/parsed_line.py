"""A typed line that is parsed once: a card that it only names, a query for cards, a situation, or none of these."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from thunderref.database.read import Database
from thunderref.search.other_boxes import Contents, NamedBox, contents_of, named_box, names_unknown_game
from thunderref.search.query import MAX_LENGTH, Hit, exact_card
from thunderref.text.folding import fold, fold_query, is_cyrillic, weighty

if TYPE_CHECKING:
    from thunderref.search.card_list import NameReader
    from thunderref.search.filters import ListQuery
    from thunderref.search.scored_decks import Scores
    from thunderref.search.situations import Situation

_NAMED = ("inflected", "alias")
"""How a single word names a card that is no name as it is printed."""
_SURE_ALONE = (*_NAMED, "transliterated", "mixed", "abbreviation", "spelling")
"""How several words name a card that are no name as it is printed; a single word only as in ``_NAMED``."""
_LETTERS_ALONE, _WORDS_ALONE = 4, 5
"""Least letters and most words of such a name."""
_FEW = 2
"""Least words of a question."""
_OF_NAMED = frozenset(("holds", "price", "next_level", "reaches"))
"""What is only asked of cards that are named, never for a list of cards."""


class NameAlone(NamedTuple):
    """A line that names a card and asks nothing else: the ``name`` as it is typed, and the card it names."""

    name: str
    hit: Hit


class ParsedLine:
    """A line with what it may be, each read when it is first asked for, and once.

    ``battle`` reads a line as a battle's document.
    """

    def __init__(self, names: NameReader, battle: Callable[[str], dict[str, Any] | None], text: str) -> None:
        self.names, self.words, self.text, self._battle = names, names.words, text, battle

    @cached_property
    def is_of_another_game(self) -> bool:
        """Whether the line is about a game that thunderref does not know."""
        return names_unknown_game(self.words.database, self.text)

    @cached_property
    def alone(self) -> NameAlone | None:
        """The card that is only named."""
        return None if self.is_of_another_game else name_alone(self.words.database, self.text)

    @cached_property
    def box(self) -> NamedBox | None:
        """The box of a user's, or of others, that the line names."""
        return None if self.alone or self.is_of_another_game else named_box(self.words.database, self.text)

    def refuse_box(self) -> None:
        """Raises :class:`NoAnswerError` for a box that is not in use, of which more is asked than what it holds."""
        if self.box and self.box.refusal and not self.contents:
            raise self.box.refusal

    @cached_property
    def contents(self) -> Contents | None:
        """What the box holds, if the line asks for nothing else, and for no list."""
        if not self.box or not self.box.asks_contents or self.listed:
            return None
        return contents_of(self.words.database, self.box)

    @cached_property
    def scores(self) -> Scores | None:
        """The points of the players, if the line tells nothing else."""
        from thunderref.search.scored_decks import read_scores

        return read_scores(self.names, self.text)

    @cached_property
    def listed(self) -> ListQuery | None:
        """The query that the line stands for; None also where it names the very cards that a verdict is about."""
        from thunderref.search.lists import read_list

        listed = None if self.alone or self.is_of_another_game else read_list(self.words, self.spelt)
        judged = self.situation if listed else None
        return None if judged and (judged.asked in _OF_NAMED or judged.amounts) else listed

    @cached_property
    def situation(self) -> Situation | None:
        """What cards and engine decide: of a card that is only named, what it is and does."""
        from thunderref.search.situations import Situation, read_situation

        if self.is_of_another_game:
            return None
        if self.alone:
            return Situation("effect", ((self.alone.hit.id, 1),))
        return read_situation(self.names, self.spelt) or self._fought()

    def _fought(self) -> Situation | None:
        """Return a hand against one monster, written as a line is ("2 militia, torch vs griffon r2"), as a situation.

        None if there is a word more than cards, counts and a rank.
        """
        from thunderref.search.counts import split_count
        from thunderref.search.filters import kinds_and_types
        from thunderref.search.situations import Situation

        database, words = self.words.database, fold_query(self.spelt).split()
        classes = [word for word in words if (kinds_and_types(database, word) or "").startswith("type:")]
        if not all(exact_card(database, word) for word in classes):
            return None  # "with a cleric" is any of them
        document = self._battle(self.spelt) or {}
        foes = [card for card in document.get("hall", ()) if card]
        if len(foes) != 1 or not document.keys() <= {"hand", "hall", "target"}:
            return None
        hand = ((card, n or 1) for n, card in (split_count(self.words.database, entry) for entry in document["hand"]))
        return Situation("battle", (*hand,), (foes[0],), document.get("target") or None)

    @cached_property
    def spelt(self) -> str:
        """The line in the letters of its language, if it is written in Latin ones and has others."""
        from thunderref.search.lexicon import lexicons_of
        from thunderref.search.nearest import known_questions

        tokens = [token for lexicon in lexicons_of(self.words, self.text) for token in lexicon.tokens(self.text)]
        if len(tokens) < _FEW or any(token.meanings for token in tokens) or any(map(is_cyrillic, self.text)):
            return self.text
        readings = known_questions(self.words.database).read(self.text[:MAX_LENGTH])
        cyrillic = (reading.read for reading in readings if reading.lang in self.words.database.cyrillic)
        return " ".join(next(cyrillic, (self.text,)))


def name_alone(database: Database, text: str) -> NameAlone | None:
    """Return the card that a line only names, alone or between such words as "card" and "rules"; None if it does not.

    The name may be in any case, mistyped or shortened; the name of a term or of a family is none of a card.
    """
    from thunderref.search.names import index_of, search_cards

    beside, words = database.words("search.words.beside"), fold_query(text[: MAX_LENGTH + 1]).split()
    before = next((n for n, word in enumerate(words) if word not in beside), len(words))
    behind = next((n for n, word in enumerate(reversed(words)) if word not in beside), len(words))
    for start, end in product(range(before + 1), range(behind + 1)):
        name = " ".join(words[start : len(words) - end])
        if name and (exact := exact_card(database, name)):
            return NameAlone(name, exact.hits[0])
    words = words[before : len(words) - behind]
    name, index = " ".join(words), index_of(database)
    small = sum(word in index.noise for word in words)
    if not _LETTERS_ALONE <= len(name) <= MAX_LENGTH or len(words) > _WORDS_ALONE or small > 1:
        return None
    if database.query("SELECT 1 FROM names WHERE kind != 'card' AND form = ?", name):
        return None
    matches = search_cards(database, name)
    hit = matches.hits[0] if matches.equals == 1 else None
    if hit is None or hit.how not in (_SURE_ALONE if len(words) > 1 else _NAMED):
        return None
    of_name = fold(hit.name).split()
    if hit.how == "mixed" or small:  # each word is one of the name
        whole = len(words) == len(of_name) and (hit.how != "mixed" or not {*words}.isdisjoint(of_name))
    else:
        whole = database.is_name(name) or len(weighty(words)) <= len(weighty(of_name))
    return NameAlone(name, hit) if whole else None
