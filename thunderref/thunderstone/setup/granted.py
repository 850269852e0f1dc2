"""How a finished set-up meets the wishes about several cards, with the reasons for a favourite's partners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.codes import Content
from thunderref.thunderstone.setup.partners import Link, Partners
from thunderref.thunderstone.setup.request import Wish, request_of
from thunderref.thunderstone.setup.steps import Naming, wish_text
from thunderref.thunderstone.setup.wishes import quotas_of


class Granted(NamedTuple):
    """The cards that meet a wish about several cards, of which there must be ``least``."""

    wish: Wish
    least: int
    by: tuple[str, ...]

    def dump(self, naming: Naming) -> dict[str, Any]:
        row: dict[str, Any] = {"wish": wish_text(self.wish, naming), "least": self.least, "by": [*self.by]}
        row["text"] = naming.say("setup.granted", wish=row["wish"], n=self.least, by=naming.names(self.by) or "–")
        if self.wish.kind == "around":
            row["partners"] = [
                {"id": card, "name": naming.name(card), "why": [link_text(link, naming) for link in links]}
                for card, links in naming.cat.database.derived(Partners).of(self.wish.card).items()
                if card in self.by
            ]
        return row


def find_granted(wishes: Sequence[Wish], content: Content, cat: Catalogue) -> tuple[Granted, ...]:
    """How the set-up meets each of the wishes about several cards."""
    req = request_of(content, wishes, cat)
    inside = [card for cards in content.slots.values() for card in cards]
    return tuple(
        Granted(wish, least, tuple(card for card in inside if card in wanted))
        for wish in req.wishes
        for least, wanted in quotas_of(wish, req, cat)
        if wanted != {wish.card}
    )


def link_text(link: Link, naming: Naming) -> str:
    """Why two cards go together."""
    what = ""
    if link.kind == "need":
        what = naming.say(f"setup.need.{link.what}")
    elif link.kind == "type":
        what = naming.words.say_or(link.what, "card.type.")
    giver, taker = naming.name(link.giver), naming.name(link.taker)
    return naming.say(f"setup.link.{link.kind}", giver=giver, taker=taker, what=what)


def granted_lines(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield row["text"]
        for partner in row.get("partners", ()):
            yield f"  {partner['name']}: {'; '.join(partner['why'])}"
