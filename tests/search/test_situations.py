"""What is asked of one card is answered from the card; of two cards, or of a situation, by the engine."""

from __future__ import annotations

import pytest

import thunderref
from thunderref.database.read import Language, open_database
from thunderref.search.situations import read_situation
from thunderref.search.understand import reader


@pytest.mark.parametrize(
    ("question", "lang", "said"),
    [
        ("how much does a dagger weigh", "en", "Dagger: Weight 2."),
        ("griffon health", "en", "Griffon: Health 7."),
        ("strength of outlands khan?", "en", "Outlands Khan: Strength 8."),
        ("how much does a torch weigh", "en", "Torch has no Weight: it is a basic card, Item • Light."),
        ("ile waży pochodnia?", "pl", "Pochodnia nie ma wartości „Ciężar”. To karta podstawowa, Przedmiot • Światło."),
        ("сколько здоровья у грифона", "ru", "Грифон: Здоровье 7."),
        ("griffon has 7 health, correct?", "en", "Yes. Griffon: Health 7."),
        ("polearm costs 6 right", "en", "No. Polearm: Cost 7."),
        ("short sword is 5 gold right", "en", "No. Short Sword: Gold 3.\nShort Sword: Cost 6."),
        ("torch gives 2 gold?", "en", "Yes. Torch: Gold 2."),
        ("gryf ma 9 zdrowia, tak?", "pl", "Nie. Gryf: Zdrowie 7."),
        ("is a torch an item?", "en", "Yes. Torch is a basic card, Item • Light."),
        ("is warhammer edged", "en", "No. Warhammer is a village card, Weapon • Blunt."),
        ("czy ochotnik to bohater", "pl", "Tak. Ochotnik to karta podstawowa, Ochotnik • Bohater."),
        (
            "how many militia are in the box",
            "en",
            "Militia: 30 copies in Thunderstone, 30 copies in Wrath of the Elements.",
        ),
        ("is short bow an edged weapon", "en", "No. Short Bow is a village card, Weapon • Bow."),
        ("what level is elf sorcerer", "en", "Elf Sorcerer: Level 2."),
        ("siła elfa na drugim poziomie", "pl", "Elf Zaklinacz: Siła 3."),
        (
            "what does the trainer do",
            "en",
            "Trainer, Village: Destroy 1 Militia: 2 XP.\nTrainer, Village: Destroy this card: 2 gold.",
        ),
        ("co daje trofeum pegaza?", "pl", "Pegaz, Trofeum: Atak +1."),
        ("что делает прорыв тизра", "ru", "Тизр Древний, Прорыв: Каждый игрок сбрасывает две карты."),
        (
            "can I level up militia to dwarf janissary",
            "en",
            "No. Militia becomes a hero of level 1 from the village for 3 XP.",
        ),
        ("can I level elf wizard into elf sorcerer", "en", "Yes. Elf Wizard levels up to Elf Sorcerer for 2 XP."),
        ("is lord of death undead", "en", "Yes. Lord of Death is a monster, Undead • Doom."),
        ("czy gryf to nieumarły", "pl", "Nie. Gryf to Potwór, Zaklęty."),
        ("xp to turn elf sorcerer into archmage", "en", "Elf Sorcerer levels up to Elf Archmage for 3 XP."),
        ("is redblade assassin a theif?", "en", "Yes. Redblade Assassin is a hero, Fighter • Thief."),
        ("płomienny miecz bije zwykłym atakiem czy magicznym?", "pl", "Płomienny Miecz: Atak magiczny 3."),
        ("rozkuty ile sztuk w talii", "pl", "Rozkuty: 3 sztuki w pudełku „Kamień Gromu”."),
        ("how many xp do I get for killing the blink dog", "en", "Blink Dog: XP for defeating it 1."),
        ("how much gold is a nixie worth when its in my hand", "en", "Nixie: Gold 4."),
        ("ile doświadczenia za zabicie Gryfa", "pl", "Gryf: PD za pokonanie 2."),
        ("how much xp for thyrian lord", "en", "Thyrian Lord has no Level cost (XP): it is a hero, Fighter."),
    ],
)
def test_a_card_says_it(question: str, lang: str, said: str) -> None:
    answer = thunderref.ask(question, lang).answer
    assert answer["kind"] == "card"
    assert f"{answer['text'][lang]}\n".startswith(f"{said}\n")
    assert answer["verdict"] == {"Yes": "yes", "Tak": "yes", "No.": "no", "Nie": "no"}.get(said[:3])


def test_what_the_texts_surely_say_too_stands_below() -> None:
    """R2.1: the sentence of an answer, once, without a second verdict; none where the texts are not sure."""
    told = thunderref.ask("does battle fury work on militia").answer
    *computed, written = told["text"]["en"].split("\n")
    assert told["verdict"] == "yes"
    assert computed[0].startswith("Yes. ")
    assert (
        written
        == "What a card gives to each of your heroes, such as Feast or Amulet of Power, it gives to your Militia too."
    )
    assert "\n" not in thunderref.ask("griffon health").answer["text"]["en"]


@pytest.mark.parametrize(
    ("question", "lang", "verdict", "said"),
    [
        ("can militia hold polearm", "en", "yes", "Polearm weighs 2, Militia has Strength 2."),
        ("can militia hold polearm", "en", "yes", "Together: Attack 3."),
        ("can militia carry a hatchet?", "en", "no", "Hatchet weighs 3, Militia has Strength 2."),
        ("can militia carry a hatchet?", "en", "no", "With Iron Rations (Strength +2): yes."),
        ("militia with one iron rations, can he hold flaming sword", "en", "no", "weight 5"),
        ("czy ochotnik uniesie płomienny miecz jak zje dwie racje?", "pl", "yes", "Siła 2 + 2 (Żelazne racje) + 2"),
        ("does fireball do anything against ebon fume", "en", "no", "Ebon Fume is immune to Magic Attack"),
        ("does fireball do anything against griffon", "en", "yes", "Fireball: Magic Attack +3, Light +1."),
        (
            "can Thyrian Knight with Hatchet beat Horde 3 in rank 3",
            "en",
            "no",
            "missing Light 3 × 2 = −6; 1 against Health 3",
        ),
        ("halabarda na trującą maź?", "pl", "no", "Odporność na Broń sieczną"),
        ("молот на кисель сработает", "ru", "yes", "атака +3"),
        ("is one torch enough in rank 2 against griffon", "en", "no", "rank 2 − Light 1 = 1"),
        ("самосвета хватит на кошмара в первом ряду", "ru", "yes", "штраф"),
        ("are two elf archmages enough for the sphinx in rank 1", "en", "yes", "= 8 against Health 8"),
        ("sfinks samym zwykłym atakiem 20 wygram?", "pl", "no", "Zdrowie 8"),
        ("what do i need to beat uyril?", "en", None, "a total of 9 is enough with Magic Attack 1 or more, Attack 18"),
        ("two selurin warlocks and one elf wizard, how much magic", "en", None, "Magic Attack 24"),
        ("amazon archer in rank 1, attack?", "en", None, "Against rank 1: Attack 1."),
        ("amazon archer in rank 2, attack?", "en", None, "Against rank 2: Attack 3."),
        ("elf archmage or outlands slayer, who hits harder", "en", None, "Attack: Outlands Slayer 5, Elf Archmage –."),
        ("принц съест редблейда отравителя", "ru", "yes", "Воин"),
        ("pit trap and redblade killer does he die", "en", "no", "Redblade Killer is a Fighter • Thief."),
        ("is regian priest any use with no disease in hand", "en", "depends", "Does not work then: Destroy 1 Disease"),
        ("czy pochodnia wystarczy na drugi szereg", "pl", "no", "Szereg 2: przy świetle 2"),
        ("are two torches enough for rank 2", "en", "yes", "Rank 2: with Light 2"),
        ("мститель против ополченца, помрёт?", "ru", "yes", "−4"),
        ("will outlands khan die against revenant", "en", "no", "−4"),
        ("does lantern help against water wrath", "en", "no", "Light does not lower it"),
        ("can elf wizard hold short bow", "en", "no", "With Iron Rations (Strength +2): yes."),
        ("feast or iron rations, which is better", "en", None, "Iron Rations: One of your heroes gets Strength +2."),
        ("fireball or magic missile, what is the difference", "en", None, "Magic Attack: Magic Missile 4, Fireball 3."),
        ("kto mocniej bije: elf czarodziej czy thyryjczyk 2 poziomu", "pl", None, "Atak: Thyryjczyk Rycerz 4"),
        ("porównaj poziomy krasnoluda", "pl", None, "Siła: Krasnolud Obrońca 8, Krasnolud Janczar 6"),
        ("Selurin Teurg plus ognista kula?", "pl", None, "Atak magiczny 10"),
        ("что тяжелее, алебарда или копьё?", "ru", None, "Вес: Копьё 4, Алебарда 2."),
        ("wraith and ghost, which gives more xp", "en", None, "Wraith 2, Ghost 1"),
        ("thyrian knight with polearm against griffon, what does the polearm give", "en", "yes", "Polearm 6"),
        ("ile swiatla na migopsa w trzecim szeregu?", "pl", None, "tylko przy świetle co najmniej 4"),
        ("does the dwarf guardian get his bonus with a warhammer", "en", "no", "with an edged weapon"),
        ("czy krasnolud strażnik ma premię z toporem", "pl", "yes", "Razem: Atak 7."),
        ("tormentor, I have 10 attack, no weapon, light is fine. enough?", "en", "no", "rounded down: 5"),
        ("против истязателя набрал 15, но оружия ни у кого нету", "ru", "no", "всего 7 против здоровья 8"),
        ("Sukkub w 1 szeregu, mam pochodnie i 11 zwykłego ataku, zero magii. Wygram?", "pl", "no", "w dół: 5"),
        ("only attack, no magic at all, against sphinx. any chance", "en", "no", "only Magic Attack counts"),
        ("what do i need to beat revenant", "en", None, "a total of 7 is enough, of which Magic Attack is at least 1"),
        ("съели пир, ополченец молот поднимет?", "ru", "yes", "сила 2 + 3 (Пир) = 5"),
        ("lord mortis sits in rank 2, is one torch enough", "en", "no", "with Light 3 there is no light penalty"),
        ("эбеновый дым во 2 ряду, три факела, света хватит?", "ru", "yes", "света 3"),
        ("I have a militia and a thyrian knight vs The Prince. who dies?", "en", None, "Destroyed: Thyrian Knight."),
        ("is redblade killer safe from archduke", "en", "yes", "Redblade Killer is a Fighter • Thief."),
        ("my dwarf guardian with short sword fights Judgement, does the sword drop?", "en", "yes", "below weight 4"),
        ("Giermek z krótkim mieczem kontra Osąd - nie wypadnie mu z ręki?", "pl", "no", "Ciężar 4): Atak +4"),
        ("amazon queen or feayn sniper, who hits harder in rank 2?", "en", None, "Amazon Queen 6, Feayn Sniper 4"),
        ("ide na Ksiecia, lepszy ochotnik czy thyryjczyk z 2 poziomu?", "pl", None, "Ginie: Thyryjczyk Rycerz."),
        ("krótki łuk na potwora w pierwszym szeregu, działa?", "pl", "no", "Krótki Łuk 0"),
        ("can elf archmage beat blink dog", "en", "yes", "4 against Health 3"),
        ("can divine prophet with short sword beat grudgebeast in rank 3", "en", "no", "missing Light 3 × 2 = −6"),
        ("can divine prophet with short sword beat grudgebeast", "en", "yes", "7 against Health 4"),
        ("можно атаковать Гнев воздуха если в руке огненный шар", "ru", "yes", "Откажитесь от пользы"),
        ("does fireball help against air wrath", "en", "no", "you forgo its benefit"),
        ("короткий лук у амазонки сколько атаки", "ru", None, "Атака 8"),
        (
            "what beats noxious slag",
            "en",
            None,
            "Attack 7 is enough; Magic Attack counts half, rounded down: alone it takes 14",
        ),
        ("what do i need to beat uyril unending", "en", None, "a total of 9 is enough with Magic Attack 1 or more"),
        ("militia with dagger survive water wrath", "en", "yes", "neither a weapon equipped"),
        ("does water wrath kill militia", "en", "yes", "neither a weapon equipped"),
        ("dwarf bonus still on against slag", "en", None, "with an edged weapon"),
        ("flaming sword light vs noxious slag", "en", None, "gives Light +1"),
        ("two daggers at once militia", "en", "no", "one weapon at most"),
        ("is 2 light enough for rank 3", "en", "no", "rank 3 − Light 2 = 1"),
        ("хватит ли 2 света на 2 ряд", "ru", "yes", "Ряд 2: при свете 2"),
        ("how many torches for rank 3", "en", None, "Rank 3: with Light 3"),
        ("how many militia to beat griffon", "en", None, "9: Militia 1"),
        ("ilu ochotników na gryfa", "pl", None, "7: Ochotnik 1"),
        ("5 militia no torch vs nixie", "en", "no", "missing Light 1"),
        ("attack for griffon in rank 2", "en", None, "Griffon in rank 2 with Light 0: Attack 11 is enough."),
        ("ile ataku na królestwo r3 z pochodnią", "pl", None, "przy świetle 1: wystarczy Atak 9"),
        ("amazon archer alone beat nixie r2?", "en", "no", "missing Light 2"),
        ("2 ochotników 2 sztylety na goblina w 1", "pl", "no", "razem 2, Zdrowie 4"),
        ("2 ополченца и кинжал побьют гоблина", "ru", "no", "3 против здоровья 4"),
        ("is 10 enough for griffon in 3", "en", "no", "4 against Health 7"),
        ("ile ataku na gryfa w dwójce", "pl", None, "wystarczy Atak 11"),
        ("krasnolud z toporkiem ubije czarny szlam w 1", "pl", "yes", "razem 5, Zdrowie 5"),
        ("toryńczyk trzy sztylety", "pl", None, "Razem: Atak 5"),
        ("goodberries on khan", "en", None, "that hero's Attack becomes Magic Attack"),
        ("attack of dwarf guardian with hatchet and feast", "en", None, "Together: Attack 8."),
        ("атака 3 ополченцев", "ru", None, "Вместе: Атака 3."),
        ("pit trap can it kill militia", "en", "yes", "not a thief"),
        ("6 militia vs pit trap", "en", None, "not a thief"),
        ("how much do fireball and short sword cost", "en", None, "Cost: Fireball 9 + Short Sword 6 = 15."),
        ("ile złota dają 3 pochodnie i 2 sztylety", "pl", None, "Złoto: 3 × Pochodnia 2 + 2 × Sztylet 1 = 8."),
        ("griffon pegasus", "en", None, "Victory points: Griffon 4, Pegasus 2."),
        ("is griffon worth more than sphinx", "en", None, "Victory points: Sphinx 7, Griffon 4."),
        ("enchanter without militia works?", "en", "depends", "Does not work then"),
        ("mozhet li opolchenets derzhat kinzhal", "en", "yes", "Dagger weighs 2"),
    ],
)
def test_the_engine_judges_a_pair(question: str, lang: str, verdict: str | None, said: str) -> None:
    answer = thunderref.ask(question, lang).answer
    assert (answer["kind"], answer["verdict"]) == ("pair", verdict)
    assert said in answer["text"][lang], answer["text"][lang]


@pytest.mark.parametrize(
    "question",
    [
        "horde 8 points", "how many points do 6 horde cards give", "what does haunt do to my hero", "torch", "griffon",
        "can i attack air wrath after casting battle fury", "gladiator how many weapons", "who gets the hero back",
        "how do i count up my cash in the village", "halabarda ile daje", "does militia not count",
        "who are the cheapest heroes if we leave militia out?", "how many militia do i start with?",
        "gray ooze and one of three heroes has a dagger equipped",
        "which base weapons work against Noxious Slag", "które bronie działają na gryfa", "какое оружие берёт грифона",
        "can i buy a level 3 hero with gold", "how many cards can i buy", "level 3, can he hold a dagger",
        "can militia hold dagger 50", "40 militia and a torch against griffon",
        "give haunt militia instead of my wizard", "ochotnik zamiast elfa na gryfa",
        "грифон убьёт ополченца вместо эльфа", "how many daggers can militia hold",
        "ile sztyletów uniesie ochotnik", "сколько кинжалов удержит ополченец",
        "archduke of pain breach, are the two militia destroyed",
        "wtargnięcie arcyksięcia bólu niszczy dwóch ochotników?",
        "прорыв архигерцога боли уничтожит двух ополченцев?",
        "thyrian squire and iron rations, strength bonus too",
        "does magical aura make polearm +6 on a militia", "how much gold does gangland crook need",
        "is pegasus trophy magic attack", "do i get xp from a claymore monster", "krótki łuk u łucznika ile",
        "can claymore take a blink dog", "ile pd za ochotnika u nauczyciela", "amazonka z łukiem szereg 2 ile ataku",
        "lord mortis daje karę 2 za światło?", "на сфинкса обычной атакой можно?",
        "gray ooze one dagger is enough for all?", "gangland thug and 4 militia in village",
        "tormentor without cleric", "does fireball double with selurin theurge", "kowal ile broni kupię",
        "steam torment and elf archmage together", "факел 2 митлуриан",
        "jaka siła potrzebna na colossusa", "air wrath with battle fury in hand",
        "пламенеющий меч в руке просто дает свет", "страдание у меня на руке, болезнь получаю?",
        "berło magów przy udręce pary w hali", "сфинкс: из 6 карт уничтожить все можно?",
        "thyrian lord eat rations take bloodskull orc", "gohleńczyk bez potwora na rece",
        "obrońca graala liczy płomienny miecz?",
        "griffon trophy in village", "is 1 magic enough for succubus",
        "beguiler copies khan, is it still militia", "creeping death pd za zabite",
        "blind neophyte destroy flaming sword ok?", "gniew wody światło pomaga?", "сколько кошмаров в классе",
        "с молотом клирик против нежити сколько",
        "griffon xp for sniper", "xp for losing to griffon", "militia hold griffon", "how many torches in my hand",
        "ochotnik u lichwiarza ile złota", "warhammer with cleric vs wraith", "ration for strength and squire attack",
        "do i get a disease from griffon", "elf wizard without his light vs blink dog",
        "how many militia to beat griffon in rank 2 with a torch",
        "does elf wizard lose attack vs griffon", "how much light does griffon eat", "who can kill griffon alone",
        "великан титан из пика дракона здоровье",
        "blind grandmaster no lamp bonus", "feast all heros?", "чашник странник и две болезни",
        "is fireball good vs undead", "is town guard a good hero", "czy sztylet dobry na śluzy",
        "militia strength next turn", "karta z dołu stosu kupić można", "pochodnia i latarnia naraz",
    ],
)  # fmt: skip
def test_another_question_is_not_answered_by_the_cards(question: str) -> None:
    assert read_situation(reader(Language(open_database(), "en")), question) is None


def test_a_class_of_heroes_is_none_of_them_in_a_battle() -> None:
    lines = reader(Language(open_database(), "en"))
    assert lines.parse("warhammer with cleric vs wraith").situation is None
    assert lines.parse("warhammer, chalice quester vs wraith").situation is not None


def test_what_beats_a_monster_names_the_heroes_of_the_table() -> None:
    told = thunderref.ask("what beats griffon", tonight=["outlands-khan", "elf-wizard", "militia"]).answer
    assert "Outlands Khan" in told["text"]["en"]
    assert "Elf Wizard" not in told["text"]["en"]


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("toryn duelist weapons", "en"), ("foresight elixir vs traps", "en"), ("молот против нежити", "ru"),
        ("krótki łuk łucznik", "pl"),
    ],
)  # fmt: skip
def test_a_type_that_a_card_has_to_do_with_is_no_question_of_its_own_type(line: str, lang: str) -> None:
    assert not thunderref.ask(line, lang).answer["verdict"]


def test_a_rank_is_no_chapter_of_the_rules() -> None:
    said = thunderref.ask("banish brings the stone to r1 who gets it", "en").answer["text"]["en"]
    assert said.startswith("Nobody")


@pytest.mark.parametrize(("line", "lang"), [("rule 7.1", "en"), ("правило 7.1", "ru"), ("zasada 7.1", "pl")])
def test_a_rule_is_named_by_its_number_alone(line: str, lang: str) -> None:
    assert thunderref.ask(line, lang).matches[0]["id"] == "R7.1"
    assert thunderref.understand(line, lang).kind == "rule"


@pytest.mark.parametrize(
    ("line", "lang", "begin"),
    [
        ("magiczna aura co z ciężarem", "pl", "Magiczna Aura, Loch: "),
        ("what is the weight of a torch", "en", "Torch has no Weight"),
        ("elf archmage vs griffon", "en", "No. Elf Archmage 4 against Health 7"),
        ("огненный шар атака", "ru", "Огненный шар: Магическая атака 3."),
        ("banish cost and effect", "en", "Banish, Dungeon: "),
        ("what does breach mean", "en", "Breach: "),
        ("priciest card", "en", "Outlands Khan, Selurin Theurge"),
        ("ghost and spectre diff", "en", "Victory points: Ghost 4, Spectre 3."),
        ("kapelan ile za 2 choroby i potwora", "pl", "Boży Kapelan ma Atak 2 i po 1 więcej"),
    ],
)
def test_what_few_words_ask_for(line: str, lang: str, begin: str) -> None:
    assert thunderref.ask(line, lang).answer["text"][lang].startswith(begin)


def test_a_family_beside_another_hero_is_no_card() -> None:
    assert thunderref.ask("elf paladin lvl 3", "en").answer["kind"] != "pair"


@pytest.mark.parametrize(
    ("line", "lang", "verdict"),
    [
        ("can outlands khan beat griffon", "en", "depends"), ("czy chan pokona gryfa", "pl", "depends"),
        ("can outlands khan beat griffon at rank 1", "en", "no"), ("can outlands khan beat nixie", "en", "yes"),
        ("fireball vs griffon", "en", "no"),
    ],
)  # fmt: skip
def test_a_victory_that_needs_light_depends_on_it(line: str, lang: str, verdict: str) -> None:
    """R5.11: in rank 1 without Light a Khan has 7 - 2 = 5 against the Griffon's 7, and 5 against the Nixie's 5."""
    assert thunderref.ask(line, lang).answer["verdict"] == verdict


@pytest.mark.parametrize("line", ["does haunt affect dwarf guardian", "does griffon affect militia"])
def test_what_a_monster_does_to_a_hero_is_no_battle(line: str) -> None:
    assert not thunderref.ask(line, "en").answer["verdict"]


@pytest.mark.parametrize(
    "line",
    ["how much gold do griffon and torch give", "how much attack does short sword give a cleric against ghost"],
)
def test_an_amount_is_no_yes_or_no(line: str) -> None:
    assert thunderref.ask(line, "en").answer["verdict"] is None


def test_cards_of_which_nobody_fights_are_no_battle() -> None:
    answer = thunderref.ask("steam torment and banish", "en").answer
    assert (answer["verdict"], answer["rules"]) == (None, ["R6.8"])


@pytest.mark.parametrize(
    ("line", "lang", "verdict", "said"),
    [
        ("level up 2 militia 6 xp", "en", "yes", "2 times 3 XP are 6 XP."),
        ("level up 2 militia with 5 xp", "en", "no", "With 5 XP you can level up 1."),
        ("селурин маг 5 опыта", "ru", "yes", "Селурин-маг: следующий уровень — Селурин-колдун"),
        ("elf czarodziej awans mam 3 pd", "pl", "yes", "Elf Zaklinacz"),
    ],
)
def test_xp_beside_heroes_are_for_a_level_up(line: str, lang: str, verdict: str, said: str) -> None:
    """R3.5."""
    answer = thunderref.ask(line, lang).answer
    assert (answer["kind"], answer["verdict"]) == ("card", verdict)
    assert said in answer["text"][lang]
