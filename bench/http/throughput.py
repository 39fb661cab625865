"""Measuring the API's throughput over HTTP on each store, with targets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median, quantiles
from typing import IO, Final

from bench.log.stores import Store, open_stores
from bench.ports import free_port
from bench.race import Row
from games import compiled_engines

CONNECTIONS: Final = 8
CLIENT_PROCESSES: Final = 2  # they share the connections
ENDPOINT_KINDS: Final = ("bare", "ours", "plain")
MIN_RATIO_TO_BARE: Final = {"sqlite": 0.25, "postgresql": 0.15}  # of the bare view's rate
MIN_RATIO_TO_PLAIN: Final = 3.0  # times the rate of the plain endpoint
MAX_TAIL_RATIO: Final = 5.0  # at most, the 99th percentile to the median


def measure_all(repetitions: int) -> list[Row]:
    """The rows of all stores."""
    with open_stores() as found:
        return [
            row for name, store in found.items() for row in store_rows(name, store, repetitions)
        ]


def store_rows(name: str, store: Store, repetitions: int) -> Iterator[Row]:
    """The rows of one store: the rates of all kinds, whole games of each in turn, on one server."""
    rates: dict[str, list[float]] = {kind: [] for kind in ENDPOINT_KINDS}
    taken: list[float] = []
    with run_server(store) as port:
        for repetition in range(repetitions + 1):
            for kind in ENDPOINT_KINDS:
                times, elapsed = run_clients(port, kind)
                if repetition:  # the first warms up
                    rates[kind].append(len(times) / elapsed)
                    taken += times if kind == "ours" else []
    ours, bare, plain = (median(rates[kind]) for kind in ("ours", "bare", "plain"))
    what = f"POST actions, {name}"
    yield _ratio_row(what, ours, "a bare view", bare, MIN_RATIO_TO_BARE[name], repetitions)
    yield _ratio_row(what, ours, "the plain way", plain, MIN_RATIO_TO_PLAIN, repetitions)
    middle, cuts = median(taken), quantiles(taken, n=100)
    tail = cuts[98] / middle
    yield Row(
        f"{what}: p99 beside p50",
        tail,
        "×",
        target=MAX_TAIL_RATIO,
        met=tail <= MAX_TAIL_RATIO,
        is_limit=True,
    )
    yield Row(f"{what}: p50", 1000 * middle, "ms")


def _ratio_row(
    what: str, ours: float, peer: str, theirs: float, aim: float, repetitions: int
) -> Row:
    ratio = ours / theirs
    return Row(
        what, ours, "actions/s", peer, theirs, ratio, aim, ratio >= aim, repetitions=repetitions
    )


def run_clients(port: int, kind: str) -> tuple[list[float], float]:
    """The time of each answer to all clients, and the time until all were answered."""
    order = [
        sys.executable,
        "-m",
        "bench.http.load_client",
        str(port),
        kind,
        str(CONNECTIONS // CLIENT_PROCESSES),
    ]
    with ExitStack() as stack:
        clients = [stack.enter_context(_start_client(order)) for _ in range(CLIENT_PROCESSES)]
        for _, said in clients:
            said.readline()
        begun = time.perf_counter()
        for told, _ in clients:
            told.write("go\n")
            told.flush()
        times = [taken for _, said in clients for taken in json.loads(said.readline())]
        return times, time.perf_counter() - begun


@contextmanager
def _start_client(order: list[str]) -> Iterator[tuple[IO[str], IO[str]]]:
    """A process of clients: its stdin and its stdout."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        order, cwd=compiled_engines.PROJECT_ROOT, stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdin, process.stdout


@contextmanager
def run_server(store: Store) -> Iterator[int]:
    """A web server on this store, and its port."""
    port = free_port()
    told = {**store.environment, "DJANGO_SETTINGS_MODULE": "bench.http.settings"}
    order = [sys.executable, "manage.py", "serve", "--only", "web", "--port", str(port)]
    server = subprocess.Popen(
        order,
        cwd=compiled_engines.PROJECT_ROOT,
        env={**os.environ, **told},
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for_server(port)
        yield port
    finally:
        server.terminate()
        server.wait(30)


def _wait_for_server(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/healthz", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the server does not answer")
