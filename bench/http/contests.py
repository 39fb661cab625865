"""What is measured over HTTP, on which stores, and what is aimed at?"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import Final

from bench.log.stores import Store, stores
from bench.race import Row
from games import compiled

CONNECTIONS: Final = 8
CLIENTS: Final = 2  # processes that share the connections
KINDS: Final = ("bare", "ours", "plain")
AIMS: Final = {"sqlite": 0.25, "postgresql": 0.15}  # of a bare view
PLAIN: Final = 3.0  # times the plain way
TAIL: Final = 5.0  # times the median, at most, for 99 of 100


def held(repetitions: int, seconds: float) -> list[Row]:
    """All rows."""
    with stores() as found:
        return [
            row for name, store in found.items() for row in rows(name, store, repetitions, seconds)
        ]


def rows(name: str, store: Store, repetitions: int, seconds: float) -> Iterator[Row]:
    """The rows of one store: rates of all kinds, a slice in turn, on one server."""
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    taken: list[float] = []
    with served(store) as port:
        for _ in range(repetitions):
            for kind in KINDS:
                times = answered(port, kind, seconds)
                rates[kind].append(len(times) / seconds)
                if kind == "ours":
                    taken += times
    ours, bare, plain = (median(rates[kind]) for kind in ("ours", "bare", "plain"))
    what = f"POST actions, {name}"
    yield _row(what, ours, "a bare view", bare, AIMS[name], repetitions)
    yield _row(what, ours, "the plain way", plain, PLAIN, repetitions)
    middle, cuts = median(taken), quantiles(taken, n=100)
    tail = cuts[98] / middle
    yield Row(f"{what}: p99 beside p50", tail, "×", target=TAIL, met=tail <= TAIL, is_limit=True)
    yield Row(f"{what}: p50", 1000 * middle, "ms")


def _row(what: str, ours: float, peer: str, theirs: float, aim: float, repetitions: int) -> Row:
    ratio = ours / theirs
    return Row(
        what, ours, "actions/s", peer, theirs, ratio, aim, ratio >= aim, repetitions=repetitions
    )


def answered(port: int, kind: str, seconds: float) -> list[float]:
    """How long the answers took that all clients got."""
    share = str(CONNECTIONS // CLIENTS)
    order = [sys.executable, "-m", "bench.http.load", str(port), kind, str(seconds), share]
    clients = [
        subprocess.Popen(order, cwd=compiled.ROOT, stdout=subprocess.PIPE) for _ in range(CLIENTS)
    ]
    return [taken for client in clients for taken in json.loads(client.communicate()[0])]


@contextmanager
def served(store: Store) -> Iterator[int]:
    """A web server on this store, and its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    told = {**store.environment, "DJANGO_SETTINGS_MODULE": "bench.http.settings"}
    order = [sys.executable, "manage.py", "serve", "--only", "web", "--port", str(port)]
    server = subprocess.Popen(
        order, cwd=compiled.ROOT, env={**os.environ, **told}, stdout=subprocess.DEVNULL
    )
    try:
        _await(port)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def _await(port: int) -> None:
    """Until the server answers."""
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/healthz", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the server does not answer")
