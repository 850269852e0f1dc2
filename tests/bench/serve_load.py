"""Phones that follow the evening while two long searches run, on loopback: ``python tests/bench/serve_load.py``."""

from __future__ import annotations

import http.client
import json
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.served import serving

PHONES = 50
SECONDS = 60.0
PAUSE = 5.0
"""Seconds between the look-ups of a phone, on average: a player reads what was found."""
SLOWEST = 0.3
MEGABYTES = 150
CODE = "37MFZLY8JVG3GH7"
WORDS = (
    "fireball",
    "flaming sword",
    "flamming swrod",
    "fire",
    "elf wizard",
    "ognenny shar",
    "Płomienny Miecz",
    "torch",
)
LONG = {
    "deck_list": [
        "4 militia", "3 torch", "2 dagger", "2 iron rations", "thyrian squire", "elf wizard", "elf archmage", "polearm",
        "short sword", "flaming sword", "fireball", "magi staff", "feast", "regian priest", "lorigg thief", "disease",
    ],
    "next_hand": True, "hall": ["blink dog", "griffon", "suffering"], "samples": 1_000_000, "budget": 20,
}  # fmt: skip


def ask(connection: http.client.HTTPConnection, address: str, body: bytes | None = None) -> int:
    headers = {} if body is None else {"content-type": "application/json"}
    connection.request("GET" if body is None else "POST", address, body, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def until(host: str, end: float, once: Callable[[http.client.HTTPConnection], None]) -> None:
    while time.monotonic() < end:
        connection = http.client.HTTPConnection(host, timeout=60)
        once(connection)
        connection.close()


def main() -> int:
    """Prints the figures; exit status 1 if a look-up is lost, or they are above their limits."""
    took, lost, searches = list[float](), list[str](), list[tuple[int, float]]()

    def look_up(connection: http.client.HTTPConnection, dice: random.Random) -> None:
        time.sleep(dice.expovariate(1 / PAUSE))
        address, begun = f"/card?q={quote(dice.choice(WORDS))}", time.monotonic()
        try:
            status = ask(connection, address)
        except OSError as error:
            lost.append(f"{address}: {error!r}")
            return
        took.append(time.monotonic() - begun)
        if status not in (200, 303):  # a word may lead to another page
            lost.append(f"{address}: {status}")

    def search(connection: http.client.HTTPConnection) -> None:
        begun = time.monotonic()
        status = ask(connection, "/api/odds", json.dumps(LONG).encode())
        searches.append((status, time.monotonic() - begun))

    def follow(connection: http.client.HTTPConnection) -> None:
        connection.request("GET", "/events")
        events = connection.getresponse()
        while time.monotonic() < end and events.readline():
            pass

    with serving("--code", CODE) as (address, process):
        host = urlsplit(address).netloc
        for word in WORDS:
            ask(http.client.HTTPConnection(host), f"/card?q={quote(word)}")
        end = time.monotonic() + SECONDS
        dices = [random.Random(seed) for seed in range(PHONES)]
        tasks = (
            [lambda connection, dice=dice: look_up(connection, dice) for dice in dices]
            + [search, search]
            + PHONES * [follow]
        )
        threads = [threading.Thread(target=until, args=(host, end, task)) for task in tasks]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        status = Path(f"/proc/{process}/status")
        most = int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024 if status.exists() else 0.0
    took.sort()
    within = sum(each < SLOWEST for each in took) / len(took)
    print(f"{PHONES} phones, {SECONDS:.0f} s: {len(took)} look-ups, lost {len(lost)} {lost[:3]}")
    print(
        f"median {statistics.median(took) * 1e3:.0f} ms, 99 % under {took[int(len(took) * 0.99)] * 1e3:.0f} ms,", end=""
    )
    print(f" slowest {took[-1] * 1e3:.0f} ms; under {SLOWEST * 1e3:.0f} ms: {within:.2%} (at least 99 %)")
    lengths = [seconds for status, seconds in searches if status == 200]
    print(f"long searches: {len(lengths)} of {len(searches)} answered, {min(lengths):.0f} to {max(lengths):.0f} s each")
    print(f"memory: {most:.0f} MB (at most {MEGABYTES})")
    return int(bool(lost) or within < 0.99 or most > MEGABYTES)


if __name__ == "__main__":
    raise SystemExit(main())
