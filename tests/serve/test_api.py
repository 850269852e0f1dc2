"""``/api/NAME`` gives the document of the command."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from support.command import Run
from support.systems import keep_in
from thunderref.serve.api import parameters

from .conftest import CODE, Phone

HAND = "2 militia, torch, short sword, elf wizard, iron rations"
CASES: tuple[tuple[tuple[str, ...], str, dict[str, Any]], ...] = (
    (("card", "fireball"), "card", {"q": "fireball"}),
    (("card", "elf"), "card", {"q": "elf"}),
    (("card", "zzzz"), "card", {"q": "zzzz"}),
    (("card", "breach"), "card", {"q": "breach"}),
    (("card", ""), "card", {"q": ""}),
    (("card", "sword", "--limit", "3"), "card", {"q": "sword", "limit": 3}),
    (("rule", "R5.11"), "rule", {"q": "R5.11"}),
    (("rule", "light penalty", "--limit", "2"), "rule", {"q": "light penalty", "limit": 2}),
    (("ask", "how does the light penalty work"), "ask", {"q": "how does the light penalty work"}),
    (("ask", "zzzz qqqq"), "ask", {"q": "zzzz qqqq"}),
    (("setup", "--players", "4", "--seed", "7"), "setup", {"players": 4, "seed": 7}),
    (("setup", "--set", "base", "--seed", "1", "--balanced"), "setup", {"set": "base", "seed": 1, "balanced": 1}),
    (("setup", "--players", "9"), "setup", {"players": 9}),
    (("setup", "--require", "zzzz"), "setup", {"require": "zzzz"}),
    (("resolve", HAND, "--hall", "blink dog, griffon"), "resolve", {"hand": HAND, "hall": "blink dog, griffon"}),
    (("resolve", HAND, "--hall", "-, nixie"), "resolve", {"hand": HAND, "hall": "-,nixie"}),
    (("resolve", HAND, "--hall", "nixie", "--goal", "max"), "resolve", {"hand": HAND, "hall": "nixie", "goal": "max"}),
    (("resolve", HAND), "resolve", {"hand": HAND}),
    (("resolve", "elf", "--hall", "nixie"), "resolve", {"hand": "elf", "hall": "nixie"}),
    (("village", HAND), "village", {"hand": HAND}),
    (("village", HAND, "--xp", "3", "--goal", "vp"), "village", {"hand": HAND, "xp": 3, "goal": "vp"}),
    (("village",), "village", {}),
    (("turn", HAND, "--hall", "nixie", "--xp", "3", "--stacks", "banish"), "turn",
     {"hand": HAND, "hall": "nixie", "xp": 3, "stacks": "banish"}),
    (("turn", HAND, "--hall", "nixie", "--games", "10"), "turn", {"hand": HAND, "hall": "nixie", "games": 10}),
    (("turn", HAND, "--hall", "nixie", "--games", "0"), "turn", {"hand": HAND, "hall": "nixie", "games": 0}),
    (("turn",), "turn", {}),
    (("odds", "torch", "--hall", "nixie", "--deck-list", "2 torch"), "odds",
     {"hand": "torch", "hall": "nixie", "deck_list": "2 torch"}),
    (("odds", "torch", "--hall", "nixie"), "odds", {"hand": "torch", "hall": "nixie"}),
    (("score", "--deck", "Ann: griffon", "--deck", "Bob: 2 nixie"), "score", {"p": ["Ann: griffon", "Bob: 2 nixie"]}),
    (("score", "--deck", "Ann"), "score", {"p": ["Ann"]}),
    (("score",), "score", {}),
)  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize(("words", "name", "asked"), CASES, ids=[" ".join(case[0])[:40] for case in CASES])
def test_an_address_gives_the_document_of_the_command(
    cli: Run, phone: Phone, words: tuple[str, ...], name: str, asked: dict[str, Any], lang: str
) -> None:
    said = cli(*words, "--json", "--lang", lang)
    answer = phone(None).get(f"/api/{name}?{urlencode({**asked, 'lang': lang}, doseq=True)}")
    assert answer.json() == json.loads(said.out)
    assert answer.status_code == (200 if said.status == 0 else 422)


TYPED = (
    "fireball", "dwarf", "R5.11", "weapons", "can militia hold a sword", "3 militia 2 dagger torch vs goblin",
    "2 torch, militia", "sword, militia vs griffon", "zzqxw", "elf, torch vs griffon rank 2", "",
)  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("line", TYPED)
def test_a_line_is_read_alike_at_every_door(cli: Run, phone: Phone, line: str, lang: str) -> None:
    """What is typed without a command, and ``/q``: the same document, which says how the line was read."""
    answer = phone(None).get("/q", params={"text": line, "lang": lang}).json()
    said = cli(line, "--json", "--lang", lang).json
    if said.get("read_as") == "query":
        assert len(answer.pop("matches")) <= len(said.pop("matches"))
    assert answer == said
    assert ("error" in said) == (line in ("sword, militia vs griffon", "zzqxw", ""))


def test_a_document_sent_gives_the_document_of_the_command(cli: Run, phone: Phone) -> None:
    client = phone(None)
    scenario = {"hand": ["militia", "torch"], "hall": ["nixie", None, "griffon"], "plan": [{"attack": 1}]}
    said = cli("resolve", "--file", "-", "--json", stdin=json.dumps(scenario))
    assert client.post("/api/resolve", json=scenario).json() == json.loads(said.out)
    for body in (b"{", b"[]", b'{"a":1,"a":2}', b"[" * 60 + b"]" * 60):
        said = cli("resolve", "--file", "-", "--json", stdin=body.decode())
        answer = client.post("/api/resolve", content=body)
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == json.loads(said.out)["error"]["code"]


@pytest.mark.parametrize(
    "asked", [{"p": 5}, {"p": ["Ann: torch"], "penalty": {"Ann": 1}}, {"players": 5, "p": ["Ann:"]}]
)
def test_decks_that_are_no_list(phone: Phone, asked: dict[str, Any]) -> None:
    answer = phone(None).post("/api/score", json=asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (
        422,
        "bad-value" if "players" in asked else "no-list",
    )


@pytest.mark.parametrize("any_card", [False, True], ids=["the table", "any card"])
def test_what_is_on_the_table_counts_as_for_the_command(
    cli: Run, phone: Phone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, any_card: bool
) -> None:
    """Short names mean tonight's cards, the village sells them, and every document says so."""
    keep_in(monkeypatch, tmp_path)
    assert cli("tonight", CODE).status == 0
    client = phone(CODE)
    for words, name, asked in (
        (("card", "fl"), "card", {"q": "fl"}),
        (("rule", "R5.11"), "rule", {"q": "R5.11"}),
        (("village", "6 militia"), "village", {"hand": "6 militia"}),
        (("resolve", "ew, torch", "--hall", "gri"), "resolve", {"hand": "ew, torch", "hall": "gri"}),
        (("odds", "torch", "--hall", "gri", "--deck-list", "torch"), "odds",
         {"hand": "torch", "hall": "gri", "deck_list": "torch"}),
        (("score", "--deck", "Ann: gri, 2 fs"), "score", {"p": "Ann: gri, 2 fs"}),
    ):  # fmt: skip
        said = json.loads(cli(*words, "--json", *(["--any"] if any_card else [])).out)
        answer = client.get(f"/api/{name}", params={**asked, **({"any": 1} if any_card else {})})
        assert answer.json() == said
        assert answer.json()["tonight"] == (None if any_card else CODE)


def test_the_openapi_document_names_every_answer(phone: Phone) -> None:
    client = phone(None)
    found = client.get("/openapi.json").json()
    assert found == client.get("/api/openapi.json").json()
    assert set(found["paths"]) == {f"/api/{name}" for name in parameters()}
    for path in found["paths"]:
        assert client.get(path).status_code in (200, 422)
    assert client.get("/api/nothing").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_api_and_command_agree(cli: Run, phone: Phone, seed: int) -> None:
    """25 random scenarios a seed, by document and by address."""
    client, dice = phone(None), random.Random(seed)
    for _ in range(25):
        _agrees(cli, client, dice)


def _agrees(cli: Run, client: TestClient, dice: random.Random) -> None:
    from thunderref.database.read import open_database

    cards = [card for card in open_database().cards.values() if card.reprint_of is None]
    held = [card.id for card in cards if card.kind in ("hero", "village", "basic", "disease")]
    met = [card.id for card in cards if card.kind == "monster" and card.id != "horde-placeholder"]
    scenario: dict[str, Any] = {
        "hand": dice.choices(held, k=dice.randint(1, 6)), "hall": dice.sample(met, dice.randint(1, 3)),
        "goal": dice.choice(["win", "max"]),
    }  # fmt: skip
    if dice.random() < 0.3:
        scenario["ruleset"] = "yucata"
    lang = dice.choice(["en", "pl", "ru"])
    said = json.loads(cli("resolve", "--file", "-", "--json", "--lang", lang, stdin=json.dumps(scenario)).out)
    assert client.post(f"/api/resolve?lang={lang}", json=scenario).json() == said
    address = {key: ",".join(value) if isinstance(value, list) else value for key, value in scenario.items()}
    assert client.get("/api/resolve", params={**address, "lang": lang}).json() == said
    visit = {"hand": scenario["hand"], "xp": dice.randint(0, 5), "goal": dice.choice(["gold", "buy", "vp", "xp"])}
    said = json.loads(cli("village", "--file", "-", "--json", stdin=json.dumps(visit)).out)
    assert client.post("/api/village", json=visit).json() == said
