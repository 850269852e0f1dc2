"""The pages: what they show, in which language, and that all of it stands in their address."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from support.several import first
from support.systems import keep_in
from thunderref import serve
from thunderref.database.read import Database, Installation, Language, open_database, without_commands
from thunderref.errors import NoAnswerError
from thunderref.serve.tiles import SharedSetup, signs_of
from thunderref.serve.visitor import Pages, divide_words
from thunderref.text.folding import fold
from thunderref.thunderstone.setup.memory import TONIGHT
from thunderref.thunderstone.setup.setup import generate_setup

from .conftest import CODE, Phone

HALL = "hall=blink-dog,griffon,suffering"
HAND = "hand=militia,militia,torch,short-sword,elf-wizard,iron-rations"
BATTLE = f"/resolve?{HALL}&{HAND}"
DEFEAT = f"/resolve?{HALL}&hand=militia,torch,torch,dagger,dagger,disease"
PLAN = "plan=use:iron-rations,on:militia&plan=equip:short-sword,to:militia&plan=attack:2"
PAGES = (
    "/", "/card", "/card?q=fireball", "/card?q=zzzz", "/rule?q=R5.11", "/rule?q=breach", "/ask?q=how+does+light+work",
    "/setup", "/setup?code=37MFZLY8JVG3GH7", "/resolve", f"/resolve?{HALL}", BATTLE, f"{BATTLE}&pane=hand",
    "/village", f"/village?{HAND}", f"/village?{HAND}&xp=3", "/score", "/score?p=Ann:griffon,griffon&p=Bob:torch",
    f"{BATTLE}&{PLAN}&held=short-sword", f"{BATTLE}&{PLAN}&others=1", f"{BATTLE}&plan=attack:3&deck=torch",
    f"{BATTLE}&deck=torch&pane=deck", f"{BATTLE}&plan=zzzz:",
    "/turn", f"/turn?{HALL}&{HAND}&xp=3", "/turn?hand=zzzz", "/odds", f"/odds?{HALL}&{HAND}&deck_list=militia,torch",
    "/puzzle?n=20&held=hatchet", "/puzzle?n=1&plan=equip:polearm,to:thyrian-squire&plan=attack:1",
    "/puzzle?n=12&answer=1", "/puzzle?n=zzzz", "/help", "/card?q=kind:hero", "/card?compare=1", "/card?q=flaming-sword",
    "/card?q=elf-wizard", DEFEAT, f"{BATTLE}&rest=elf", f"{BATTLE}&pane=hall", "/puzzle?n=38&held=dwarf-guardian",
    "/puzzle?n=38&plan=attack:1", "/ask?q=why+is+zzzz+blue", "/setup?code=zzzz", "/odds?deck_list=zzzz", "/thorgal",
    "/thorgal?pane=card", "/thorgal?pane=table",
)  # fmt: skip


class Reader(HTMLParser):
    """Collects what a page says and how its tags are nested."""

    VOID = frozenset(("meta", "link", "input", "img", "br", "hr", "wbr"))

    def __init__(self) -> None:
        super().__init__()
        self.open = list[str]()
        self.ids = list[str]()
        self.headings = list[int]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert "style" not in given
        assert not [name for name in given if name.startswith("on")]
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.thorough
@pytest.mark.parametrize("lang", first(("ru", "en", "pl")))
@pytest.mark.parametrize("code", [None, "37MFZLY8JVG3GH7"], ids=["no table", "a table"])
def test_every_page_is_well_formed_in_every_language(phone: Phone, lang: str, code: str | None) -> None:
    client = phone(code, lang=lang)
    for page in PAGES:
        answer = client.get(page)
        assert answer.status_code == (422 if "zzzz" in page else 200), page
        assert f'<html lang="{lang}">' in answer.text
        read = Reader()
        read.feed(answer.text)
        assert not read.open
        assert len(read.ids) == len(set(read.ids)), page
        assert read.headings[0] == 1, page
        assert not re.search(r"</a>\w", answer.text), page  # a link holds the whole word, in whatever case


def test_the_verdict_shows_points_of_victory_and_experience(phone: Phone) -> None:
    page = phone().get(BATTLE).text
    assert re.findall(r'<details class="target (\w+)" id="target-(\d)"', page) == [
        ("victory", "1"), ("victory", "2"), ("defeat", "3")
    ]  # fmt: skip
    assert "2 VP · 1 XP" in page
    assert "4 VP · 2 XP" in page
    assert "Not beaten, 4 short" in page


def test_a_battle_by_tapping_without_scripts(phone: Phone) -> None:
    """Ten taps: to the battle, three monsters, six cards; each leads to the address without the tap."""
    client, address = phone(), "/resolve"
    for card in ("blink-dog", "griffon", "suffering"):
        answer = client.get(address, params={**_fields(client.get(address).text), "add": card})
        assert answer.status_code == 303
        address = answer.headers["location"]
    for card in ("militia", "militia", "torch", "short-sword", "elf-wizard", "iron-rations"):
        fields = _fields(client.get(address).text)
        assert fields["to"] == "hand"
        address = client.get(address, params={**fields, "add": card}).headers["location"]
    assert address == BATTLE
    assert 'id="target-1"' in client.get(address).text


def _fields(page: str) -> dict[str, str]:
    form = page[page.index('<form id="taps"') :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


def test_a_server_starts_without_reading_a_whole_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Language, "say", lambda *_: pytest.fail("which reads all messages of the language"))
    assert "pl.webmanifest" in Pages().names


@pytest.mark.parametrize(
    "path", ["/resolve?hall=griffon&pane=verdict&", "/resolve?hall=griffon&", "/village?pane=gold&"]
)
def test_nothing_is_judged_before_every_card_is_understood(phone: Phone, path: str) -> None:
    page = phone().get(f"{path}{HAND},elf", follow_redirects=True).text
    assert "“elf” fits several cards" in page
    assert 'id="taps"' in page


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_first_page_says_what_this_is_and_lays_out_a_first_game(phone: Phone, lang: str) -> None:
    client, say = phone(None, lang=lang), Language(open_database(), lang).say
    main = client.get("/").text.partition("<main")[2]
    assert f">{html.escape(say('serve.app'))}</h1>" in main
    assert say("serve.what") in main
    assert re.findall(r'hreflang="(\w+)"', main) == ["en", "pl", "ru"]
    assert re.findall(r'<a class="do" href="([^"]+)"', main) == ["/setup", "/resolve"]
    assert re.findall(r'name="players" value="(\d)"', main) == ["2", "3", "4", "5"]
    assert 'name="first_game" value="base"' in main
    drawn = client.get(client.get("/setup?first_game=base&players=3").headers["location"]).text
    assert f">{say('setup.first-game')} · {say('setup.players', n=3)}" in drawn


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_help_is_behind_the_question_mark_with_a_picture_for_each_task(phone: Phone, lang: str) -> None:
    """The pictures take their colours from the page, so that they are seen in the dark too."""
    client = phone(lang=lang)
    for address in ("/", BATTLE, "/card?q=torch"):
        assert re.search(r'<a class="help" href="/help" aria-label="[^"]+">\?</a>', client.get(address).text)
    page = client.get("/help").text
    tasks = re.findall(r'<a class="task" href="([^"]+)">(.*?)</a>', page, re.DOTALL)
    assert len(tasks) == 6
    assert len({picture for _, picture in tasks}) == 6
    for to, picture in tasks:
        assert client.get(html.unescape(to)).status_code in (200, 303)
        assert "<svg" in picture
        assert "#fff" not in picture
    assert ">?<" not in page.partition('<nav class="tabs"')[2]


@pytest.mark.parametrize(
    ("tap", "address"),
    [
        ("to=hand&undo=1", "/resolve?hall=nixie&hand=torch,militia"),
        ("to=hand&drop=torch", "/resolve?hall=nixie&hand=torch,militia"),
        ("to=hand&type=2+dagger,+flam+sw", "/resolve?hall=nixie&hand=torch,militia,torch,dagger,dagger,flaming-sword"),
        ("to=hand&type=zzzz", "/resolve?hall=nixie&hand=torch,militia,torch&rest=zzzz"),
        ("to=hall&drop=nixie", "/resolve?hand=torch,militia,torch"),
        ("to=hall&add=-&pane=hall", "/resolve?hall=nixie,-&hand=torch,militia,torch&pane=hall"),
        ("pane=nonsense", "/resolve?hall=nixie&hand=torch,militia,torch"),
    ],
)
def test_a_tap_leads_to_the_address_without_it(phone: Phone, tap: str, address: str) -> None:
    answer = phone().get(f"/resolve?hall=nixie&hand=torch,militia,torch&{tap}")
    assert (answer.status_code, answer.headers["location"]) == (303, address)


def test_names_and_counts_are_read_in_any_language(phone: Phone) -> None:
    answer = phone().get("/resolve?hall=Мерцающий+пёс,pegaz&hand=2+militia,+pochodnia")
    assert answer.headers["location"] == "/resolve?hall=blink-dog,pegasus&hand=militia,militia,torch"


def test_an_ambiguous_name_is_asked_for_with_its_candidates(phone: Phone) -> None:
    client = phone(None)
    answer = client.get("/resolve?hall=nixie&to=hand&type=torch,+elf")
    assert answer.headers["location"] == "/resolve?hall=nixie&hand=torch&rest=elf"
    page = client.get(answer.headers["location"]).text
    assert re.findall(r'name="add" value="(elf-\w+)"', page[: page.index('id="taps"')]) == [
        "elf-wizard", "elf-sorcerer", "elf-archmage"
    ]  # fmt: skip
    chosen = client.get("/resolve?hall=nixie&hand=torch&to=hand&add=elf-archmage")
    assert chosen.headers["location"] == "/resolve?hall=nixie&hand=torch,elf-archmage"


def test_the_next_turn_takes_the_hall_after_the_battle(phone: Phone) -> None:
    assert 'href="/resolve?hall=griffon,suffering"' in phone().get(BATTLE).text


def test_a_typed_score_is_the_page_of_the_decks(phone: Phone) -> None:
    page = phone().get("/card?q=score+Ann:+2+griffon;+Bob:+dagger")
    assert page.headers["location"] == "/score?p=Ann:2%20griffon&p=Bob:dagger"


def test_how_often_a_card_is_there_is_read_as_a_count(phone: Phone) -> None:
    tile = phone().get(f"{BATTLE}&pane=hand").text.partition('id="tile-militia"')[2].partition("</button>")[0]
    assert re.sub(r"<[^>]+>", "", tile).endswith(", 2 copies2")
    assert '<span aria-hidden="true">2</span>' in tile
    laid = phone().get(f"/setup?code={CODE}").text.partition("Fireball</span>")[2].partition("</li>")[0]
    assert ", 8 copies" in laid


@pytest.mark.parametrize(
    "address",
    ["/card?q=,", "/rule?q=,", "/resolve?hand=torch&type=-1&to=hand", "/village?type=torch,+-1", "/score?type=-1"],
)
def test_no_form_is_answered_by_a_page_without_it(phone: Phone, address: str) -> None:
    answer = phone().get(address, follow_redirects=True)
    assert "<h1>No answer</h1>" not in answer.text
    assert "<input" in answer.text
    sign = "type" in address
    assert ("-1" in answer.text.partition('class="unclear"')[2].partition("</form>")[0]) == sign
    assert not sign or "has a sign before its number" in answer.text


def test_tabs_keep_the_hand(phone: Phone) -> None:
    client = phone()
    client.get(BATTLE)
    page = client.get("/card?q=torch").text
    assert f'href="{BATTLE}"'.replace("&", "&amp;") in page
    assert f'href="/village?{HAND}"' in page


def test_the_tabs_lead_to_what_the_page_shows(phone: Phone) -> None:
    """Not to what was seen before it: after the sixth card the village has six."""
    client = phone()
    client.get("/resolve?hall=griffon&hand=militia,torch")
    page = client.get("/resolve?hall=griffon&hand=militia,torch,dagger").text
    assert 'href="/village?hand=militia,torch,dagger"' in page
    assert 'href="/resolve?hall=griffon&amp;hand=militia,torch,dagger"' in page
    assert 'href="/resolve?hall=nixie"' in client.get("/resolve?hall=nixie").text


@pytest.mark.parametrize(
    ("hall", "tap", "left"),
    [
        ("blink-dog,griffon,nixie", "drop=0", "_,griffon,nixie"),  # the others keep their ranks
        ("_,griffon,nixie", "add=sphinx", "sphinx,griffon,nixie"),
        ("blink-dog,_,nixie", "add=-", "blink-dog,-,nixie"),
        ("blink-dog,griffon,nixie", "drop=2", "blink-dog,griffon"),
        ("blink-dog,griffon", "undo=1", "blink-dog"),
        ("-,griffon", "add=nixie", "-,griffon,nixie"),  # an empty rank is meant to be empty
        ("griffon,griffon,nixie", "drop=1", "griffon,_,nixie"),
    ],
)
def test_a_hall_is_put_right(phone: Phone, hall: str, tap: str, left: str) -> None:
    answer = phone().get(f"/resolve?hall={hall}&pane=hall&to=hall&{tap}")
    assert answer.headers["location"].startswith(f"/resolve?hall={left}")


def test_a_rank_that_was_emptied_is_empty_in_the_battle(phone: Phone) -> None:
    page = phone().get("/resolve?hall=_,griffon&hand=militia,torch&pane=verdict").text
    assert "rank 2" in page.lower()
    assert 'href="/odds?hall=-,griffon&amp;hand=militia,torch"' in page


def test_a_guardian_tapped_first_stands_in_rank_0(phone: Phone) -> None:
    """R6.7: rank 0 cannot be tapped; the hall behind the guardian has closed up."""
    page = phone().get("/resolve?hall=dark-champion,nixie&hand=militia,torch&pane=verdict").text
    assert "rank 0 Dark Champion" in page
    assert "rank 1 Nixie" in page


def test_a_turn_follows_a_defeat_too_as_its_last_choice(phone: Phone) -> None:
    """First what else there is: another target, the village, what would be enough, another play."""
    client, in_the_open = phone(), ("What would be enough", "Try another play", "If you attack anyway")
    for address, others, best, choices in (
        ("/resolve?hall=griffon,sphinx&hand=militia,torch,short-sword&pane=verdict", ["2"], "1", in_the_open),
        (DEFEAT, ["2", "3"], "1", in_the_open),
        (f"{BATTLE}&plan=attack:3", ["1", "2"], "3", in_the_open[1:]),
    ):
        main = client.get(address).text.partition("<main")[2]
        above, _, below = main.partition("Village ›")
        assert re.findall(r'id="target-(\d)"', above) == others
        assert re.findall(r'id="target-(\d)" open', below) == [best]
        places = [below.index(text) for text in ("Not beaten", *choices, "Next turn, after this battle")]
        assert places == sorted(places)
    won = phone().get(BATTLE).text.partition('<details class="target victory" id="target-2"')[2]
    assert won.index("Attack Griffon in rank 2.") < won.index("Next turn, after this battle") < won.index("The sum")
    assert won.index("The sum") < won.index("Village ›")


@pytest.mark.parametrize(
    ("address", "columns", "row"),
    [
        ("/card?compare=1", ["Cost", "Gold", "Light"], ("Elf Wizard", "5", "–", "+1", "–")),
        ("/card?q=kind:hero+cost<6+attack>1", ["Cost", "Attack"], ("Redblade Killer", "5", "+2")),
        (f"/turn?{HALL}&{HAND}&games=4&xp=3", ["Chance, %", "From–to, %"], ("Fight Griffon in rank 2",)),
        ("/odds?deck_list=6+torch,2+dagger&next_hand=1", ["Chance, %", "Average"], ("Dagger (2)", "96.4", "1.5")),
    ],
    ids=["compared", "listed", "games", "next hand"],
)  # fmt: skip
def test_what_is_compared_stands_in_a_table(phone: Phone, address: str, columns: list[str], row: tuple[str]) -> None:
    page = phone().get(address).text
    table = page.partition('<table class="figures">')[2].partition("</table>")[0]
    plain = [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<th scope=.col.>(.*?)</th>", table)]
    assert plain[: len(columns)] == columns
    rows = [
        [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", one)]
        for one in table.split("<tr>")
    ]
    assert [*row] in [cells[: len(row)] for cells in rows]


def test_a_turn_has_one_piece_of_advice(phone: Phone) -> None:
    """The bot would buy another card than the dearest: then no line says that this is bought."""
    page = phone().get(f"/turn?{HALL}&{HAND}&xp=3").text
    assert re.search(r"The bot.{1,5}s choice: buy <a", page)
    assert "Destroying nothing: 7 gold." in page
    assert "buys" not in page
    assert "Dungeon: what is worth the most VP" in page


def test_fields_show_names(phone: Phone) -> None:
    assert ">Blink Dog, Griffon, Suffering</textarea>" in phone().get(f"/odds?{HALL}").text


def test_players_have_names_and_leave(phone: Phone) -> None:
    client = phone()
    named = client.get("/score?player=Anna").headers["location"]
    assert named.startswith("/score?p=Anna%3A&p=Player%202%3A") or named.startswith("/score?p=Anna:&p=Player%202:")
    both = client.get(f"{named}&player=Bo").headers["location"]
    assert re.findall(r"p=(\w+)", both)[:2] == ["Anna", "Bo"]
    other = client.get("/score?p=Anna:griffon&p=Bo:&at=1&name=Olga").headers["location"]
    assert re.findall(r"p=(\w+)", other)[:2] == ["Anna", "Olga"]
    alone = client.get("/score?p=Anna:griffon&p=Bo:&at=1&out=1").headers["location"]
    assert re.findall(r"p=(\w+)", alone) == ["Anna"]


def test_a_look_up_keeps_the_score(phone: Phone) -> None:
    client = phone()
    client.get("/score?p=Anna:griffon&p=Bo:torch&at=1")
    page = client.get("/card?q=fireball").text
    assert 'href="/score?p=Anna:griffon&amp;p=Bo:torch&amp;at=1"' in page


def test_the_language_of_the_address_is_remembered(phone: Phone) -> None:
    client = phone()
    assert "Płomienny" in client.get("/card?q=flaming-sword&lang=pl").text
    assert "Płomienny" in client.get("/card?q=flaming-sword").text
    assert '<html lang="ru">' in phone().get("/", headers={"accept-language": "de, ru;q=0.8, en;q=0.5"}).text


def test_a_card_a_rule_and_a_question_share_one_field(phone: Phone) -> None:
    client = phone()
    assert "<h1>Fireball</h1>" in client.get("/card?q=firebal").text
    assert client.get("/card?q=R5.11").headers["location"] == "/rule?q=R5.11"
    assert client.get("/card?q=breach").headers["location"] == "/rule?q=breach"
    asked = client.get("/card?q=how+many+cards+do+I+draw")
    assert asked.headers["location"].startswith("/ask?q=")
    battle = client.get("/card", params={"q": "2 militia torch vs griffon rank 2"})
    assert battle.headers["location"] == "/resolve?hand=2%20militia,torch&hall=-,griffon&rank=2"
    visit = client.get("/card", params={"q": "buy with 2 torch, militia"})
    assert visit.headers["location"] == "/village?hand=2%20torch,militia"


def test_what_is_unclear_in_a_line_has_a_button_for_each_meaning(phone: Phone) -> None:
    client = phone()
    page = client.get("/card", params={"q": "sword, militia vs griffon"})
    assert page.status_code == 422
    assert 'href="/card?q=Short%20Sword,%20militia%20vs%20griffon"' in page.text
    chosen = client.get("/card", params={"q": "Short Sword, militia vs griffon"})
    assert chosen.headers["location"].startswith("/resolve?hand=short-sword,militia")
    assert "thunderref" not in client.get("/card?q=zzqxw").text.partition("<main")[2].partition("</main>")[0]


def test_a_question_has_the_cards_that_it_names_beside_its_answer(phone: Phone) -> None:
    page = phone().get("/ask", params={"q": "can a feast help a militia hold a polearm"}).text.partition("<article>")[0]
    assert [page.count(f"<span>{name}</span>") for name in ("Feast", "Militia", "Polearm")] == [1, 1, 1]


def test_the_field_knows_all_names_those_of_the_table_first(phone: Phone) -> None:
    names = re.findall(r'<option value="([^"]+)">', phone("37MFZLY8JVG3GH7", lang="pl").get("/card").text)
    assert len(names) > 150
    words = Language(open_database(), "pl")
    table = {str(words.card(card)) for card in generate_setup(code="37MFZLY8JVG3GH7").tonight.cards}
    assert {*names[: len(table)]} == table


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_no_error_on_a_page_names_what_is_for_a_terminal(lang: str) -> None:
    database = open_database()
    words = Language(database, lang)
    told = database.query("SELECT key, text FROM messages WHERE lang = ? AND key GLOB 'error.*'", lang)
    assert len(told) > 300
    for key, text in told:
        sentence = without_commands(text)
        assert sentence.strip(" .")
        assert not re.search(r"[“„«]thunderref|--\w", sentence) or words.has(f"{key.removesuffix('.of')}.page"), key
        assert not key.endswith(".page") or sentence == text, key
    refused = words.error(NoAnswerError("unknown-card", name="zz"), on_page=True)
    assert "thunderref" not in refused
    assert "zz" in refused


def test_what_is_typed_is_escaped(phone: Phone) -> None:
    client, markup = phone(), "<img src=x onerror=alert(1)>"
    for page, key in (("/card", "q"), ("/rule", "q"), ("/ask", "q"), ("/resolve", "rest"), ("/setup", "code")):
        text = client.get(page, params={key: markup}).text
        assert "<img src=x" not in text
        assert "&lt;img" in text


def test_a_tile_says_what_counts_at_a_glance(phone: Phone) -> None:
    """The name first, then the kind and the figures, each with the word for it: those of a hand, or of the village."""
    client = phone()
    told = _tiles(client.get(f"/resolve?{HALL}&pane=hand").text)
    assert told["elf-wizard"] == ("card of-hero", "Elf Wizard, hero, level 1 ●, Magic Attack 2, Light 1, Strength 3")
    assert told["flaming-sword"] == ("card of-weapon", "Flaming Sword, Weapon, Magic Attack 3, Light 1, Weight 5")
    assert told["dagger"] == ("card of-weapon", "Dagger, Weapon, Attack 1, Weight 2")
    assert told["militia"] == ("card of-hero", "Militia, Hero, Attack 1, Strength 2")
    assert told["griffon"] == ("card of-monster", "Griffon, monster, Health 7, Victory points 4")
    told = _tiles(client.get("/village").text)
    assert told["elf-wizard"] == ("card of-hero", "Elf Wizard, hero, level 1 ●, Cost 5")
    assert told["flaming-sword"] == ("card of-weapon", "Flaming Sword, Weapon, Weight 5, Cost 5")
    fireball = _tiles(phone(None).get("/resolve?pane=hand").text)["fireball"]
    assert fireball == ("card of-spell", "Fireball, Spell, Magic Attack 3, Light 1")


def test_a_list_of_cards_is_narrowed_by_taps(phone: Phone) -> None:
    """Kind, class, box and cost; a filter that is on is taken out by its tap, and none leads to nothing."""
    client = phone()

    def offered(to: str) -> dict[str, str]:
        found = re.findall(r'<a class="chip" href="([^"]+)"[^>]*>([^<]+)</a>', client.get(to).text)
        return {name: html.unescape(to) for to, name in found}

    heroes = offered("/card")["Hero"]
    elves = offered(heroes)["Elf"]
    cheap = offered(elves)["≤3"] if "≤3" in offered(elves) else offered(elves)["5"]
    page = client.get(cheap).text
    assert re.findall(r'href="/card\?q=([\w-]+)" class="tile', page) == ["elf-wizard"]
    assert offered(cheap)["✓ Elf"] == "/card?q=kind:hero%20cost%3D5"
    for name, to in offered(heroes).items():
        assert client.get(to).status_code == 200, name


def _tiles(page: str) -> dict[str, tuple[str, str]]:
    """The kind of each tile, and what a reader of the screen says of it."""
    tiles = re.findall(
        r'<button id="tile-([\w-]+)"[^>]* class="tile ([\w -]+?) *(?:long|longer)?">(.*?)</button>', page, re.S
    )
    words = ((card, kind, " ".join(re.sub("<[^>]+>", " ", text).split())) for card, kind, text in tiles)
    return {card: (kind, text.replace(" ,", ",")) for card, kind, text in words}


def test_every_card_has_a_sign_that_is_drawn() -> None:
    database = open_database()
    signs = (Path(serve.__file__).parent / "templates/signs.html").read_text(encoding="utf-8")
    for lang in ("en", "pl", "ru"):
        for card in database.cards:
            for shown in (signs_of(Language(database, lang), card, in_battle) for in_battle in (False, True)):
                assert shown.label
                assert all(f'id="sign-{name}"' in signs for name in (shown.kind, *(name for name, _ in shown.figures)))


def test_a_card_goes_into_the_hand_or_the_hall(phone: Phone) -> None:
    """Only where its kind may be, and where there is room."""
    client = phone()
    buttons = re.compile(r'<a class="do other" href="(/resolve[^"]+)"')
    client.get("/resolve?hall=griffon&hand=militia,torch")
    assert buttons.findall(client.get("/card?q=dagger").text) == [
        "/resolve?hall=griffon&amp;hand=militia,torch,dagger&amp;pane=hand"
    ]
    assert buttons.findall(client.get("/card?q=nixie").text) == [
        "/resolve?hall=griffon&amp;hand=militia,torch,nixie&amp;pane=hand",
        "/resolve?hall=griffon,nixie&amp;hand=militia,torch&amp;pane=hall",
    ]
    client.get(BATTLE)
    assert [to.rpartition("=")[2] for to in buttons.findall(client.get("/card?q=nixie").text)] == ["hand"]
    assert not buttons.findall(client.get("/card?q=pit-trap").text)
    for to in buttons.findall(client.get("/card?q=dagger").text):
        assert client.get(to.replace("&amp;", "&")).status_code == 200


def test_a_card_begins_with_its_figures(phone: Phone) -> None:
    page = phone().get("/card?q=griffon").text
    assert "<span>Health</span> <b>7</b>" in page
    assert page.index("<h1>Griffon</h1>") < page.index("figured") < page.index("Trophy") < page.index("Sources")
    assert page.count("<summary>") == 1


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_phone_may_keep_it_as_an_app(phone: Phone, lang: str) -> None:
    client = phone(lang=lang, token="a-token")
    page = client.get("/")  # refused: it has no token, but its frame is the same
    link = re.search(r'<link rel="manifest" href="([^"]+)"', page.text)
    assert link
    assert "manifest-src 'self'" in page.headers["content-security-policy"]
    answer = client.get(link[1])
    assert answer.headers["content-type"].startswith("application/manifest+json")
    told = answer.json()
    assert (told["lang"], told["start_url"], told["display"]) == (lang, "/", "standalone")
    assert "thunderref" in told["name"]
    for icon in told["icons"]:
        assert client.get(icon["src"]).headers["content-type"].startswith("image/")


def test_a_drawn_setup_is_drawn_again_or_played(phone: Phone) -> None:
    client = phone()
    page = client.get(f"/setup?code={CODE}").text
    assert 'href="/setup?players=4&amp;set=base&amp;balanced=1">Again</a>' in page
    assert "Play this tonight" not in page
    assert page.count('class="usual"') == 6


def test_a_drawn_setup_keeps_what_was_asked_for(phone: Phone) -> None:
    """The form shows the set-up just drawn, and “Again” asks for the same variant, wishes and exclusions."""
    client = phone(None)
    to = client.get("/setup?players=2&set=base&set=wrath&variant=epic&require=elf, dwarf&exclude=griffon&seed=7")
    page = client.get(to.headers["location"]).text
    again = html.unescape(page.split('">Again</a>')[0].rpartition('href="')[2])
    assert again == ("/setup?players=2&set=base&set=wrath&variant=epic&require=elf,%20dwarf&exclude=griffon")
    for field in (
        'name="players" value="2" checked', 'value="wrath" checked', 'value="epic" selected', 'value="elf, dwarf"',
        'name="exclude" maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false" value="griffon"',
        'name="balanced" value="1">',
    ):  # fmt: skip
        assert field in page
    drawn_again = client.get(to.headers["location"] + "&reroll=elf").headers["location"]
    assert drawn_again.endswith("&require=elf,%20dwarf&exclude=griffon")


@pytest.mark.parametrize(
    ("address", "field", "sentence"),
    [
        ("/setup?require=elf&exclude=elf", "require", "cannot be met together: wanted: Elf; not wanted: Elf."),
        ("/setup?set=base&require=12 undead", "require", "too few cards (wanted: &#34;12 undead&#34;): 2 fit."),
        ("/setup?players=3&exclude=fiery dragoness", "exclude", "No card is called “fiery dragoness”"),
        ("/setup?code=37MF", "code", "“37MF” is not a setup code"),
        ("/setup?players=3&set=base&variant=epic", "variant", "needs cards from Wrath of the Elements: add that box"),
        (f"/odds?{HALL}&{HAND}&deck_list=6+torch&first_battle=1", "hand", "leave the hand empty"),
        ("/setup?players=3&variant=solo", "players", "The solo game is for one player, not 3."),
        ("/odds?hall=griffon&hand=torch&deck_list=", "deck_list", "The deck is unknown"),
        ("/odds?hall=&hand=torch&deck_list=torch", "hall", "The hall is empty"),
        ("/turn?hall=griffon&hand=", "hand", "The hand is empty"),
        ("/turn?hall=griffon&hand=torch&xp=many", "xp", "“many”"),
    ],
)
def test_what_is_wrong_in_a_form_stands_beside_its_field(phone: Phone, address: str, field: str, sentence: str) -> None:
    answer = phone(None).get(address)
    before, _, after = answer.text.partition('<p class="sentence fault" id="fault">')
    assert answer.status_code == 422
    assert sentence in after.partition("</p>")[0]
    assert re.findall(r' name="(\w+)"', before)[-1] == field
    assert "No answer" not in answer.text


def test_a_form_that_nobody_has_sent_complains_of_nothing(phone: Phone) -> None:
    for address in ("/setup", "/odds?hall=griffon&hand=torch", "/turn?hall=griffon"):
        assert 'class="sentence fault"' not in phone(None).get(address).text


def test_gold_and_what_it_buys(phone: Phone) -> None:
    page = phone().get(f"/village?{HAND}").text
    assert "7 gold, 1 purchase, 0 XP." in page
    assert "Thyrian Squire" in page
    assert "Feayn" not in page


def test_the_score_names_the_winner_once_all_have_cards(phone: Phone) -> None:
    client = phone()
    assert "Winner" not in client.get("/score?p=Ann:griffon&p=Bob:").text
    assert "Winner: Ann, 4 VP" in client.get("/score?p=Ann:griffon&p=Bob:nixie").text
    assert re.search(r"<li>\s*1 card without VP", client.get("/score?p=Ann:griffon,torch&p=Bob:nixie").text)
    assert client.get("/score?p=Ann:griffon,griffon&p=Bob:griffon").status_code == 422  # there are two
    tapped = client.get("/score?p=Ann:griffon&p=Bob:&at=1&to=deck&add=nixie")
    assert tapped.headers["location"] == "/score?p=Ann:griffon&p=Bob:nixie&at=1"


def test_a_drawn_setup_has_its_code_as_address_and_goes_on_the_table(phone: Phone) -> None:
    client = phone(None)
    answer = client.get("/setup?players=4&set=base&balanced=1&seed=7")
    code = answer.headers["location"].removeprefix("/setup?code=")
    assert "Play this tonight" in client.get(answer.headers["location"]).text
    assert client.post("/tonight", data={"code": code}).headers["location"] == "/"
    assert f"/setup?code={code}" in client.get("/").text
    client.post("/tonight", data={"code": ""})
    assert 'name="first_game"' in client.get("/").text


def test_a_setup_names_the_cards_to_lay_out(phone: Phone) -> None:
    page = phone().get(f"/setup?code={CODE}").text
    assert "<small>Flaming Sword × 8</small>" in page
    assert "<small>Militia × 6</small>" in page


def test_the_table_is_the_one_that_this_machine_remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path)
    table = SharedSetup()
    assert table.now() is None
    table.put(CODE)
    assert SharedSetup().now() == table.now()
    assert TONIGHT.read() == table.now()
    table.put(None)
    assert TONIGHT.read() is None
    table.put(CODE)
    TONIGHT.path.write_text("{", encoding="utf-8")
    assert table.now() is None


def test_what_cannot_be_remembered_is_known_for_this_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path / "file")
    (tmp_path / "file").write_text("", encoding="utf-8")
    table = SharedSetup()
    table.put(CODE)
    assert table.now() is not None


def test_the_first_page_has_the_languages_in_sight(phone: Phone) -> None:
    """Each is one tap away, outside the menu."""
    main = phone().get("/").text.partition("<main")[2]
    for lang in ("en", "pl", "ru"):
        before, link, _ = main.partition(f'lang="{lang}" hreflang="{lang}"')
        assert link, lang
        assert before.count("<details") == before.count("</details>")


@pytest.mark.parametrize(
    "word",
    ["неофи-циальное", "Рунорож-дённый", "Дополни-тельная", "неприме-нённые", "повто-ряющийся", "niewypo-sażonych",
     "przecho-wywaną", "simultaneously", "Дополнить", "zaklinacz/|arcymag", "ambrosia=|discarded"],
)  # fmt: skip
def test_a_long_word_may_be_divided_at_a_syllable(word: str) -> None:
    marked = divide_words(word.replace("-", "").replace("|", ""))
    assert marked == word.replace("-", "&shy;").replace("|", "<wbr>")
    assert fold(html.unescape(marked).replace("<wbr>", "")) == fold(word.replace("-", "").replace("|", ""))


def test_a_page_looks_for_a_newer_database_only_twice(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for the languages and once for the words: it reads the dates of all source files each time."""
    at_table, opened, find = phone(), list[Database](), Installation.database
    monkeypatch.setattr(Installation, "database", lambda self: opened.append(find(self)) or opened[-1])
    assert at_table.get("/card?q=fireball").status_code == 200
    assert len(opened) <= 2
