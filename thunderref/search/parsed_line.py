"""A typed line that is parsed once: a card that it only names, a query for cards, a situation, or none of these."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from thunderref.search.other_boxes import names_unknown_game

if TYPE_CHECKING:
    from thunderref.search.card_list import NameReader
    from thunderref.search.filters import ListQuery
    from thunderref.search.lone_name import NameAlone
    from thunderref.search.situations import Situation

_OF_NAMED = frozenset(("holds", "price", "next_level", "reaches"))
"""What is only asked of cards that are named, never for a list of cards."""


class ParsedLine:
    """A line with what it may be, each read when it is first asked for, and once."""

    def __init__(self, names: NameReader, text: str) -> None:
        self.names, self.words, self.text = names, names.words, text

    @cached_property
    def is_of_another_game(self) -> bool:
        """Whether the line is about a game that thunderref does not know."""
        return names_unknown_game(self.words.database, self.text)

    @cached_property
    def alone(self) -> NameAlone | None:
        """The card that is only named."""
        from thunderref.search.lone_name import name_alone

        return None if self.is_of_another_game else name_alone(self.words.database, self.text)

    @cached_property
    def listed(self) -> ListQuery | None:
        """The query that the line stands for; None also where it names the very cards that a verdict is about."""
        from thunderref.search.lists import read_list

        listed = None if self.alone or self.is_of_another_game else read_list(self.words, self.text)
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
        return read_situation(self.names, self.text)
