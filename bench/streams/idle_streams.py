"""Memory and CPU of idle streams, and the latency of an entry. Measured from outside: the web
server is a separate process, and this one appends the entries."""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from threading import Thread
from time import perf_counter, sleep
from typing import Any, Final

import django

TIMEOUT_SECONDS: Final = 60.0
STREAM_START_SECONDS: Final = 0.3  # for a stream to begin
MEAN_PAUSE_SECONDS: Final = 0.03  # between two entries
CLOCK_TICKS: Final = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print the results."""
    count, entries, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    raise_file_limit()
    django.setup()
    with run_server(count) as (port, process):
        print(json.dumps(asyncio.run(measure_streams(port, process, count, entries, seconds))))


def raise_file_limit() -> None:
    """Allow as many open connections as the system permits."""
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))


@contextmanager
def run_server(count: int) -> Iterator[tuple[int, int]]:
    """A web server that allows `count` streams: its port and its process."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as server_socket:
        port, descriptor = server_socket.getsockname()[1], server_socket.fileno()
        tether = [sys.executable, "-m", "config.supervisor.run_tethered", str(os.getpid())]
        process = subprocess.Popen(
            [*tether, "config.web", str(descriptor)],
            env={**os.environ, "TABULARIUM_STREAMS_EACH": str(count + 10)},
            pass_fds=[descriptor],
        )
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
            connection.request("GET", "/api/v1/healthz")
            connection.getresponse().read()
            connection.close()
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(TIMEOUT_SECONDS)


async def measure_streams(
    port: int, process: int, count: int, entries: int, seconds: float
) -> dict[str, float]:
    """Open the streams, measure them idle, then measure delivery while they are open."""
    game = await asyncio.to_thread(create_game)
    first_writers = await open_streams(port, game, 1)
    memory_before = memory_kilobytes(process)
    writers = [*first_writers, *await open_streams(port, game, count - 1)]
    memory_after, cpu_before = memory_kilobytes(process), cpu_seconds(process)
    await asyncio.sleep(seconds)
    cpu_share = (cpu_seconds(process) - cpu_before) / seconds
    delivery_times = await asyncio.to_thread(measure_delivery, port, entries)
    for writer in writers:
        writer.close()
    p99 = quantiles(delivery_times, n=100)[98]
    memory_per_stream = (memory_after - memory_before) / (count - 1)
    return {
        "memory": memory_per_stream,
        "processor": cpu_share * 100,
        "median": median(delivery_times),
        "late": p99,
    }


async def open_streams(port: int, game: str, count: int) -> list[asyncio.StreamWriter]:
    """`count` started streams on which nothing will happen."""
    writers = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"/api/v1/games/{game}/stream?after=4"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await reader.readuntil(b"retry: 2000\n\n")
        writers.append(writer)
    return writers


def memory_kilobytes(process: int) -> float:
    """The resident memory of a process, in KB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1024


def cpu_seconds(process: int) -> float:
    """The CPU seconds that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


# -- delivery -------------------------------------------------------------------------------------


def create_game() -> str:
    """A game between bots that are not woken."""
    from games import services

    seating = [services.SeatAssignment(bot="random")] * 2
    return services.create_game("law_of_the_dice", seating).projection.game


def measure_delivery(port: int, count: int) -> list[float]:
    """The times of `count` entries from commit to arrival, one after the other, in
    milliseconds."""
    from games.signals import entries_appended

    sent_at: dict[tuple[str, int], float] = {}
    arrived_at: dict[tuple[str, int], float] = {}

    def record_commit(table: Any, first: int, **_: Any) -> None:
        now = perf_counter()
        sent_at.update({(table.game, seq): now for seq in range(first, table.seq + 1)})

    entries_appended.connect(record_commit)
    play_followed_game(port, {})  # warm up
    while len(arrived_at) < count:
        play_followed_game(port, arrived_at)
    return [1000 * (arrived_at[key] - sent_at[key]) for key in islice(arrived_at, count)]


def play_followed_game(port: int, arrived_at: dict[tuple[str, int], float]) -> None:
    """Play a game with one subscriber."""
    game = create_game()
    reader_thread = Thread(target=read_stream, args=[port, game, arrived_at])
    reader_thread.start()
    sleep(STREAM_START_SECONDS)
    play_at_human_pace(game)
    reader_thread.join(TIMEOUT_SECONDS)


def play_at_human_pace(game: str) -> None:
    """Play with short random pauses, out of step with any clock."""
    for _ in play_actions(game):
        sleep(random.uniform(0, 2 * MEAN_PAUSE_SECONDS))


def play_actions(game: str) -> Iterator[Any]:
    """Play a game to its end, an action at a time."""
    from games import selectors, services
    from tabularium_engines.common.random_generators import FastRng

    rng = FastRng(random.getrandbits(30))
    while (table := selectors.game_projection(game)).phase == "playing":
        (seat,) = selectors.awaited_bot_seats(table)[:1]
        assert table.state
        code = table.state.random_action(seat, rng)
        action = table.engine.action_codec.to_json(table.engine.decode(table.state, seat, code))
        yield services.append_action(game, seat, action, bot="random")


def read_stream(port: int, game: str, arrived_at: dict[tuple[str, int], float]) -> None:
    """Record the arrival of each entry, until the game is over."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    headers = {"Accept": "application/x-ndjson"}
    connection.request("GET", f"/api/v1/games/{game}/stream?after=4", headers=headers)
    with connection.getresponse() as response:
        while line := response.readline():
            now = perf_counter()
            if line != b"\n":
                arrived_at[game, json.loads(line)["seq"]] = now
    connection.close()


if __name__ == "__main__":
    main()
