"""The spread between the first and the last of many onlookers receiving an entry. Measured from
outside: the web server is a separate process; this one appends the entries, and one of its threads
listens on all connections."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from statistics import median, quantiles
from threading import Event, Thread
from time import perf_counter, sleep
from typing import Final

import django

from bench.streams.idle_streams import (
    TIMEOUT_SECONDS,
    cpu_seconds,
    create_game,
    play_actions,
    raise_file_limit,
    run_server,
)

# between two entries: all onlookers receive one before the next
MEAN_PAUSE_SECONDS: Final = 0.5
SEQ_PREFIX: Final = b'{"seq":'


def main() -> None:
    """Measure both and print the results."""
    many, few, entries = map(int, sys.argv[1:4])
    raise_file_limit()
    django.setup()
    with run_server(many) as (port, process):
        results = {"few": measure_spread(port, process, few, entries)}
        results["many"] = measure_spread(port, process, many, entries)
    print(json.dumps(results))


def measure_spread(port: int, process: int, count: int, entries: int) -> dict[str, float]:
    """The median and the 99th percentile of the spreads, and the server's CPU time per entry, which
    does not depend on other load."""
    spreads: list[float] = []
    cpu_total = 0.0
    while len(spreads) < entries:
        with Onlookers(port, count) as onlookers:
            cpu_before = cpu_seconds(process)
            for _ in play_actions(onlookers.game):
                sleep(random.uniform(0.5, 1.5) * MEAN_PAUSE_SECONDS)
        cpu_total += cpu_seconds(process) - cpu_before
        spreads += onlookers.spread_times()
    p99 = quantiles(spreads, n=100)[98]
    cpu_ms_per_entry = 1000 * cpu_total / len(spreads)
    return {
        "median": median(spreads),
        "late": p99,
        "processor": cpu_ms_per_entry,
        "entries": len(spreads),
    }


class Onlookers:
    """Clients that follow one game to its end, in a thread of their own."""

    def __init__(self, port: int, count: int) -> None:
        self.game = create_game()
        self._count = count
        self._arrivals: dict[int, list[float]] = {}
        self._ready = Event()
        coroutine = listen_all(port, self.game, count, self._arrivals, self._ready)
        self._thread = Thread(target=asyncio.run, args=[coroutine], daemon=True)

    def __enter__(self) -> Onlookers:
        self._thread.start()
        assert self._ready.wait(TIMEOUT_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(TIMEOUT_SECONDS)

    def spread_times(self) -> list[float]:
        """The spread of the arrival times of each entry, in milliseconds."""
        arrival_times = self._arrivals.values()
        assert all(len(times) == self._count for times in arrival_times), (
            "An onlooker missed an entry."
        )
        return [1000 * (max(times) - min(times)) for times in arrival_times]


async def listen_all(
    port: int, game: str, count: int, arrivals: dict[int, list[float]], ready: Event
) -> None:
    """Record the arrival of every entry after the first four at every onlooker, to the end."""
    start_signals = asyncio.Semaphore(0)
    onlookers = [
        asyncio.create_task(listen_as_onlooker(port, game, arrivals, start_signals))
        for _ in range(count)
    ]
    for _ in range(count):
        await start_signals.acquire()
    ready.set()
    await asyncio.gather(*onlookers)


async def listen_as_onlooker(
    port: int, game: str, arrivals: dict[int, list[float]], start_signals: asyncio.Semaphore
) -> None:
    """One onlooker, on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    path = f"/api/v1/games/{game}/stream?after=4"
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    start_signals.release()
    async for line in reader:
        if line.startswith(SEQ_PREFIX):
            now = perf_counter()
            seq = int(line[len(SEQ_PREFIX) : line.index(b",")])
            arrivals.setdefault(seq, []).append(now)
        elif line == b"0\r\n":  # the last chunk
            break
    writer.close()


if __name__ == "__main__":
    main()
