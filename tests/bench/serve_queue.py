"""Phones that all search for long while others look up cards, on loopback: ``python tests/bench/serve_queue.py``."""

from __future__ import annotations

import http.client
import statistics
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import quote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bench.serve_load import CODE, WORDS
from support.served import serving

SEARCHING, LOOKING = 25, 25
SECONDS = 60.0
PAUSE = 1.0
"""Seconds between the look-ups of a phone, and after which a phone that is refused asks again."""
SLOWEST = 0.1
HARD = (
    "/resolve?hall=blink-dog,griffon,suffering&pane=verdict&hand="
    "militia,militia,torch,dagger,iron-rations,thyrian-squire,elf-wizard,flaming-sword,fireball,magi-staff,feast,"
    "regian-priest,lorigg-thief,short-sword,polearm,torch,dagger,iron-rations"
)


def main() -> int:
    """Print the figures; exit status 1 if more than one look-up in a hundred takes longer than it may."""
    took, statuses, waits = list[float](), Counter[str](), list[float]()

    def look_up(number: int) -> None:
        connection = http.client.HTTPConnection(host)
        while time.monotonic() < end:
            begun = time.monotonic()
            connection.request("GET", f"/card?q={quote(WORDS[number % len(WORDS)])}")
            connection.getresponse().read()
            took.append(time.monotonic() - begun)
            time.sleep(PAUSE)

    def search(number: int) -> None:
        connection, begun = http.client.HTTPConnection(host), time.monotonic()
        while time.monotonic() < end:
            connection.request("GET", f"{HARD}&xp={number}")
            answer = connection.getresponse()
            text = answer.read().decode()
            told = answer.status == 202 and text.partition('class="ability"')[2].partition("<")[0][-3:]
            statuses[f"{answer.status}" + (" with its place" if told else "")] += 1
            if answer.status == 200:
                waits.append(time.monotonic() - begun)
                begun = time.monotonic()
            elif answer.status == 503:
                time.sleep(PAUSE)

    with serving("--code", CODE) as (address, _):
        host = urlsplit(address).netloc
        for word in WORDS:
            connection = http.client.HTTPConnection(host)
            connection.request("GET", f"/card?q={quote(word)}")
            connection.getresponse().read()
        end = time.monotonic() + SECONDS
        tasks = [(look_up, n) for n in range(LOOKING)] + [(search, n) for n in range(SEARCHING)]
        threads = [threading.Thread(target=task, args=(number,)) for task, number in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    took.sort()
    slow = took[int(len(took) * 0.99)]
    print(f"{SEARCHING} phones search, {LOOKING} look up, {SECONDS:.0f} s; answers to searches: {dict(statuses)}")
    print(f"a search with its wait: median {statistics.median(waits or [0]):.1f} s, longest {max(waits or [0]):.1f} s")
    print(
        f"{len(took)} look-ups: median {statistics.median(took) * 1e3:.0f} ms, 99 % under {slow * 1e3:.0f} ms", end=""
    )
    print(f" (at most {SLOWEST * 1e3:.0f})")
    return int(slow > SLOWEST)


if __name__ == "__main__":
    raise SystemExit(main())
