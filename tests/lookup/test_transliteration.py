"""Every Russian name typed in Latin letters, in the habits people have, finds its card."""

from __future__ import annotations

import pytest

from thunderref.lookup.search import search_cards
from thunderref.store.read import open_store

PLAIN = dict(
    zip(
        "абвгдезийклмнопрстуфхцчшщъыьэюя",
        ("a b v g d e z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya".split()),
        strict=True,
    )
) | {"ж": "zh", "ё": "yo"}
HABITS = {
    "english": PLAIN,
    "passport": PLAIN | {"ё": "e", "ъ": "ie", "ю": "iu", "я": "ia", "й": "i"},
    "library": PLAIN | {"й": "j", "х": "h", "ц": "c", "щ": "shh", "ю": "ju", "я": "ja", "ё": "jo"},
    "scholarly": PLAIN | {"й": "j", "х": "x", "ц": "c", "ч": "č", "ш": "š", "щ": "šč", "ж": "ž", "ю": "ju", "я": "ja", "ё": "ë"},
    "polish": PLAIN | {"в": "w", "й": "j", "х": "ch", "ц": "c", "ч": "cz", "ш": "sz", "щ": "szcz", "ж": "ż", "ю": "ju", "я": "ja",
                       "ё": "jo", "л": "ł"},
    "german": PLAIN | {"в": "w", "й": "j", "х": "ch", "ц": "z", "ч": "tsch", "ш": "sch", "щ": "schtsch", "ж": "sh", "ю": "ju",
                       "я": "ja", "ё": "jo", "з": "s"},
    "hasty": PLAIN | {"й": "i", "х": "h", "щ": "sch", "ю": "u", "я": "a", "ё": "e", "ц": "c"},
}  # fmt: skip


@pytest.mark.parametrize("habit", HABITS)
def test_russian_in_latin_letters(habit: str, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store()
    names = {card.id: store.names(card.id)["ru"].name for card in store.cards.values() if card.reprint_of is None}
    missed = []
    for card, name in names.items():
        letters = HABITS[habit]
        typed = "".join(letters.get(c, c).replace("_", "") for c in name.lower())
        found = search_cards(store, typed)
        if found.equals != 1 or found.hits[0].id != card:
            missed.append((typed, card, [hit.id for hit in found.hits[: found.equals]]))
    share = 1 - len(missed) / len(names)
    with capsys.disabled():
        print(f"\n{habit}: {len(names)} names, found at once {share:.1%}")
    assert share >= (0.9 if habit == "german" else 0.97), missed
