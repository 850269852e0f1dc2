"""The referee as pages for a phone: ``thunderref serve`` sends them, ``thunderref site`` makes them a folder."""

from __future__ import annotations

import re
import secrets
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.session import session
from thunderref.errors import InputError
from thunderref.files import make_folder, read_text, state_file, write_text

app = CommandApp()
PORT = 8765
MOST_NAMED = 5
"""Changed files of a folder that a message names at most."""
EVENING = 12 * 3_600
"""Seconds for which phones need no new code."""
THIS_COMPUTER, ANYWHERE = "127.0.0.1", "0.0.0.0"


@app.command("serve")
def serve_command(
    lan: Annotated[bool, typer.Option("--lan")] = False,
    host: Annotated[str | None, typer.Option("--host", metavar="ADDRESS")] = None,
    port: Annotated[int | None, typer.Option("--port")] = None,
    code: Annotated[str | None, typer.Option("--code", metavar="CODE")] = None,
    budget: Annotated[float | None, typer.Option("--budget")] = None,
) -> None:
    run = session()
    port = PORT if port is None else port
    if not 0 <= port <= 65_535:
        raise InputError("serve-port", port=str(port))
    if budget is not None and not budget >= 0:
        raise InputError("bad-budget", budget=f"{budget:g}")
    try:
        import segno
        import starlette
        import uvicorn

        assert starlette
    except ImportError:
        raise InputError("serve-extra") from None
    from thunderref.serve.app import Site, make_app
    from thunderref.serve.connection import Connection
    from thunderref.serve.guard import LOOPBACK, Access
    from thunderref.serve.searches import SECONDS, SearchesApart
    from thunderref.serve.tiles import SharedSetup
    from thunderref.thunderstone.setup.setup import generate_setup

    bound = host or (ANYWHERE if lan else THIS_COMPUTER)
    name = _reached_at() if bound in (ANYWHERE, "::") else bound
    name = f"[{name}]" if ":" in name else name
    token = _token(keep=not run.any_card) if lan or bound not in {*LOOPBACK, "::1"} else None
    hostname = socket.gethostname().lower()
    hosts = {name.lower(), hostname, f"{hostname.partition('.')[0]}.local"} if token else set[str]()
    threads = SearchesApart(SECONDS if budget is None else budget or None)
    table = SharedSetup(remembers=not run.any_card, keeps=not run.any_card)
    site = Site(Access(token, LOOPBACK | hosts), threads, table, lang=run.language)
    if code is not None:
        site.table.pinned = generate_setup(code=code, database=run.database).tonight
    listener = _listen(bound, port)
    port = listener.getsockname()[1]
    address = f"http://{name}:{port}/" + (f"k/{token}" if token else "")
    if run.json:
        run.print_json({"address": address})
    else:
        print(address)
        print(run.words.say("serve.opens" if token else "serve.ready"))
        if token and name == THIS_COMPUTER:
            print(run.words.say("serve.no-network"))
        elif token:
            print(run.words.say("serve.scan"))
            segno.make(address).terminal(sys.stdout, compact=True, border=2)
    sys.stdout.flush()
    config = uvicorn.Config(
        make_app(site), http=Connection, log_level="critical", access_log=False, server_header=False, ws="none",
        timeout_keep_alive=5, timeout_graceful_shutdown=1, lifespan="on",
        h11_max_incomplete_event_size=32_768, proxy_headers=False,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listener])


def _token(*, keep: bool) -> str:
    """The token that lets phones in: for an evening the same, so that they stay in when the laptop starts again."""
    place = state_file("phones")
    with suppress(OSError, InputError):
        token = read_text(place)
        if keep and time.time() - place.stat().st_mtime < EVENING and re.fullmatch(r"[\w-]{22}", token):
            return token
    token = secrets.token_urlsafe(16)
    with suppress(OSError, InputError):
        make_folder(place)
        write_text(place, token, replace=True)
        place.chmod(0o600)
    return token


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # or asyncio sets no TCP_NODELAY
    try:
        # to Windows “reuse” means that two programs may listen at one port
        listener.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
        if family == socket.AF_INET6:  # “::” is any address, not only those of IPv6, which is what Windows takes it for
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen()  # whoever reads the address may ask at once, and waits
    except OSError as error:
        listener.close()
        problem = error.strerror or str(error)
        raise InputError("serve-address", host=host[:60], port=str(port), problem=problem) from None
    return listener


def _reached_at() -> str:
    """The address by which the local network reaches this machine; nothing is sent to find it out."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return THIS_COMPUTER


@app.command("site")
def site_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER")],
    check: Annotated[bool, typer.Option("--check")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> None:
    run = session()
    try:
        from thunderref.site import gather
    except ImportError:
        raise InputError("site-node") from None
    say = run.words.say
    if check:
        if changed := gather.check(folder):
            names = ", ".join(changed[:MOST_NAMED])
            raise InputError("site-changed", n=len(changed), names=names)
        listed = gather.names_in(folder)
        whole = say("offline.whole", folder=folder, n=len(listed))
        run.answer({"folder": str(folder), "files": len(listed)}, [(0, whole)])
        return
    if folder.exists() and not (force and gather.is_ours(folder)):
        raise InputError("site-folder", folder=str(folder))

    def tell(package: gather.Pinned) -> None:
        print(say("offline.fetches", name=package.name, version=package.version), file=sys.stderr, flush=True)

    sizes = gather.gather(folder, run.database, tell)
    size = sum(sizes.values())
    sentence = say("offline.made", folder=folder, n=len(sizes), size=run.words.number(size / 1e6, ".1f"))
    run.answer({"folder": str(folder), "files": len(sizes), "bytes": size}, [(0, sentence)])
