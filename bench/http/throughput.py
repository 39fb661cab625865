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
from tabularium_engines.builds import compiled_engines

CONNECTIONS: Final = 8
CLIENT_PROCESSES: Final = 2  # they share the connections
ENDPOINT_KINDS: Final = ("bare", "ours", "plain")
MIN_RATIO_TO_BARE: Final = {"sqlite": 0.5, "postgresql": 0.3}  # of the bare view's rate
MIN_RATIO_TO_PLAIN: Final = 6.0  # times the rate of the plain endpoint
MAX_TAIL_RATIO: Final = 5.0  # at most, the 99th percentile to the median


def measure_all(repetitions: int) -> list[Row]:
    """The rows of all stores."""
    with open_stores() as stores:
        return [
            row for name, store in stores.items() for row in store_rows(name, store, repetitions)
        ]


def store_rows(name: str, store: Store, repetitions: int) -> Iterator[Row]:
    """The rows of one store: the rates of all kinds, whole games of each in turn, on one server."""
    rates: dict[str, list[float]] = {kind: [] for kind in ENDPOINT_KINDS}
    latencies: list[float] = []
    with run_server(store) as port:
        for repetition in range(repetitions + 1):
            for kind in ENDPOINT_KINDS:
                times, elapsed = run_clients(port, kind)
                if repetition:  # the first warms up
                    rates[kind].append(len(times) / elapsed)
                    latencies += times if kind == "ours" else []
    ours, bare, plain = (median(rates[kind]) for kind in ("ours", "bare", "plain"))
    title = f"POST actions, {name}"
    yield _ratio_row(title, ours, "a bare view", bare, MIN_RATIO_TO_BARE[name], repetitions)
    yield _ratio_row(title, ours, "the plain way", plain, MIN_RATIO_TO_PLAIN, repetitions)
    p50, percentiles = median(latencies), quantiles(latencies, n=100)
    tail_ratio = percentiles[98] / p50
    yield Row(
        f"{title}: p99 beside p50",
        tail_ratio,
        "×",
        target=MAX_TAIL_RATIO,
        met=tail_ratio <= MAX_TAIL_RATIO,
        is_limit=True,
    )
    yield Row(f"{title}: p50", 1000 * p50, "ms")


def _ratio_row(
    title: str, ours: float, peer: str, theirs: float, target: float, repetitions: int
) -> Row:
    ratio = ours / theirs
    return Row(
        title,
        ours,
        "actions/s",
        peer,
        theirs,
        ratio,
        target,
        ratio >= target,
        repetitions=repetitions,
    )


def run_clients(port: int, kind: str, connections: int = CONNECTIONS) -> tuple[list[float], float]:
    """The time of each answer to all clients, and the time until all were answered."""
    command = [
        sys.executable,
        "-m",
        "bench.http.load_client",
        str(port),
        kind,
        str(connections // CLIENT_PROCESSES),
    ]
    with ExitStack() as stack:
        clients = [stack.enter_context(_start_client(command)) for _ in range(CLIENT_PROCESSES)]
        for _, stdout in clients:
            stdout.readline()
        started_at = time.perf_counter()
        for stdin, _ in clients:
            stdin.write("go\n")
            stdin.flush()
        times = [seconds for _, stdout in clients for seconds in json.loads(stdout.readline())]
        return times, time.perf_counter() - started_at


@contextmanager
def _start_client(command: list[str]) -> Iterator[tuple[IO[str], IO[str]]]:
    """A process of clients: its stdin and its stdout."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=compiled_engines.PROJECT_ROOT, stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdin, process.stdout


@contextmanager
def run_server(store: Store) -> Iterator[int]:
    """A web server on this store, and its port."""
    with run_supervisor(store, 1) as (port, _):
        yield port


@contextmanager
def run_supervisor(store: Store, web_processes: int) -> Iterator[tuple[int, int]]:
    """A web server on this store: its port, and the process of its supervisor."""
    port = free_port()
    overrides = {**store.environment, "DJANGO_SETTINGS_MODULE": "bench.http.settings"}
    options = ["--only", "web", "--web", str(web_processes), "--port", str(port)]
    command = [sys.executable, "manage.py", "serve", *options]
    server = subprocess.Popen(
        command,
        cwd=compiled_engines.PROJECT_ROOT,
        env={**os.environ, **overrides},
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_for_server(port)
        yield port, server.pid
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
