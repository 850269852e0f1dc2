"""Words of a question that are part of no name."""

from __future__ import annotations

_WORDS = (
    "the a an of is are does do did can could may must should what whats which when where who why how much many card "
    "cards in on at my i me we you it its use using used with have has work works working cost costs level lvl show "
    "tell about find please and or to for from vs against hero heroes monster monsters weapon spell item effect text "
    "karta karty karte kart karcie ta to ten te co robi robia jak jaka jaki jakie ile kosztuje dziala dzialaja czy "
    "jest sa mozna moge poziom poziomu pokaz znajdz o do na w i z od za gdy kiedy gdzie kto bohater bohatera potwor "
    "potwora bron zaklecie przedmiot opis "
    "карта карты карту карте что делает делают как какая какои какие сколько стоит стоят работает работают можно ли "
    "мне уровень уровня покажи наиди расскажи про о об на в с и у к для это есть когда где кто зачем герои героя "
    "монстр монстра оружие заклинание предмет описание использовать"
)
NOISE = frozenset(_WORDS.split())
"""Folded; they are dropped where the query as it stands finds nothing."""
