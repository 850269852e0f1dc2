"""How much of the glossary each language has, by box and kind of card."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.model.games import FIRST_GAME, GAMES, Game
from thunderref.store.read import Store


class Row(NamedTuple):
    """So many things there are and so many each language has; ``unofficial``: names of our own making.

    ``what`` is ``cards``, ``effects``, ``clarifications``, ``rules``, ``terms``, ``term-texts``, ``families``,
    ``sets``, ``conflicts`` or ``messages``; the first three come by ``set`` and ``kind``, which are empty otherwise.
    ``game``: the one that the rules and terms belong to; what is not of one game only counts as the first.
    """

    set: str
    kind: str
    what: str
    total: int
    have: dict[str, int]
    unofficial: dict[str, int]
    game: Game = FIRST_GAME

    @property
    def complete(self) -> bool:
        """True if every language has all."""
        return all(count == self.total for count in self.have.values())


def coverage(store: Store) -> list[Row]:
    """The table, boxes and kinds in the order of the files."""
    texts: dict[str, set[str]] = {lang: set() for lang in store.languages}
    for lang, key in store.query("SELECT lang, key FROM texts WHERE text != ''"):
        texts[lang].add(key)
    rows: list[Row] = []
    groups = store.query("SELECT set_id, kind FROM cards GROUP BY set_id, kind ORDER BY min(position)")
    for set_id, kind in groups:
        here = (set_id, kind)
        cards = {row[0] for row in store.query("SELECT id FROM cards WHERE set_id = ? AND kind = ?", *here)}
        rows.append(_names(store, "cards", "card", cards, *here))
        for what, sql in (
            ("effects", "SELECT e.text_key FROM effects AS e JOIN cards AS c ON c.id = e.card"),
            (
                "clarifications",
                "SELECT r.text_key FROM clarifications AS r JOIN clarification_cards AS k ON k.clarification = r.id"
                " JOIN cards AS c ON c.id = k.card",
            ),
        ):
            keys = {row[0] for row in store.query(f"{sql} WHERE c.set_id = ? AND c.kind = ?", *here)}
            if keys:
                rows.append(_texts(texts, what, keys, *here))
    rows += _words_of(store, texts, FIRST_GAME)
    rows.append(_names(store, "families", "family", {row[0] for row in store.query("SELECT id FROM families")}))
    rows.append(_names(store, "sets", "set", {row[0] for row in store.query("SELECT id FROM sets")}))
    rows.append(_texts(texts, "conflicts", {row[0] for row in store.query("SELECT text_key FROM conflicts")}))
    messages = {lang: set(store.messages(lang)) for lang in store.languages}
    rows.append(_texts(messages, "messages", messages["en"]))
    return rows + [row for game in GAMES if game != FIRST_GAME for row in _words_of(store, texts, game)]


def _words_of(store: Store, texts: dict[str, set[str]], game: Game) -> list[Row]:
    """The rules and terms of a game."""
    rules = {row[0] for row in store.query("SELECT id FROM rules WHERE game = ?", game)}
    terms = {row[0] for row in store.query("SELECT id FROM terms WHERE game = ?", game)}
    explained = {f"term.{term}" for term in terms} & texts["en"]
    rows = [_texts(texts, "rules", {f"rule.{rule}" for rule in rules}), _names(store, "terms", "term", terms)]
    rows += [_texts(texts, "term-texts", explained)] if explained else []
    return [row._replace(game=game) for row in rows]


def _names(store: Store, what: str, kind: str, wanted: set[str], set_id: str = "", group: str = "") -> Row:
    have, unofficial = {}, {}
    for lang in store.languages:
        names = {ident: name for ident, name in store.names_of(kind, lang).items() if ident in wanted}
        have[lang] = len(names)
        unofficial[lang] = sum(not name.official for name in names.values())
    return Row(set_id, group, what, len(wanted), have, unofficial)


def _texts(texts: dict[str, set[str]], what: str, wanted: set[str], set_id: str = "", kind: str = "") -> Row:
    return Row(set_id, kind, what, len(wanted), {lang: len(wanted & keys) for lang, keys in texts.items()}, {})
