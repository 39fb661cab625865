"""The CPU seconds that a web server takes for replays of games of every ruleset. Measured from
outside: the web server is a separate process, and this one has played the games."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import islice
from typing import Any, Final

import django

from bench.streams.idle_streams import TIMEOUT_SECONDS, cpu_seconds, play_actions, run_server

STREAMS: Final = 10
HEADERS: Final = {"Accept-Encoding": "gzip"}
WAYS: Final = ("range", "single", "single_again")


def main() -> None:
    """Measure, and print the positions and CPU seconds of each ruleset and way."""
    positions, repetitions = int(sys.argv[1]), int(sys.argv[2])
    django.setup()
    random.seed(1)
    games = {slug: list(create_games(slug, positions, repetitions + 1)) for slug in all_slugs()}
    costs: dict[str, dict[str, list[float]]] = {}
    with run_server(STREAMS) as (port, process):
        connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        for slug, pairs in games.items():
            costs[slug] = {way: [0.0, 0.0] for way in WAYS}
            for number, pair in enumerate(pairs):
                measured = measure_pair(connection, process, *pair)
                for way, cost in measured.items() if number else ():  # the first one warms up
                    costs[slug][way] = [a + b for a, b in zip(costs[slug][way], cost, strict=True)]
    print(json.dumps(costs))


def all_slugs() -> list[str]:
    """The rulesets that are installed."""
    from tabularium_engines.installed.registry import ENGINES

    return list(ENGINES)


def create_games(slug: str, positions: int, count: int) -> Iterator[tuple[str, str]]:
    """Pairs of games that the server has not seen, for one way each."""
    for _ in range(count):
        yield create_game(slug, positions), create_game(slug, positions)


def create_game(slug: str, positions: int) -> str:
    """A game between bots that are not woken, after as many actions."""
    from games import services
    from tabularium_engines.installed.registry import ENGINES

    seats = ENGINES[slug].about.seats[0]
    seating = [services.SeatAssignment(bot="random")] * seats
    game = services.create_game(slug, seating).projection.game
    for _ in islice(play_actions(game), positions - 1):
        pass
    return game


def measure_pair(
    connection: HTTPConnection, process: int, game: str, other_game: str
) -> dict[str, tuple[float, float]]:
    """The positions and the CPU seconds of each way: a whole game by the range, and another one by
    single pictures, at first replayed for each and then with all positions kept in memory."""
    started_at = cpu_seconds(process)
    seqs = [line["seq"] for line in read_range(connection, game)]
    costs = {"range": (float(len(seqs)), cpu_seconds(process) - started_at)}
    first, last = first_and_last(other_game)
    for way in WAYS[1:]:
        started_at = cpu_seconds(process)
        for seq in range(first, last + 1):
            path = f"/api/v1/games/{other_game}/picture.svg?as=onlooker&seq={seq}"
            ask(connection, path)
        costs[way] = (float(last + 1 - first), cpu_seconds(process) - started_at)
    return costs


def first_and_last(game: str) -> tuple[int, int]:
    """The first and the last entry of a game with a picture."""
    from games import selectors

    table = selectors.game_projection(game)
    assert table.first
    return table.first, table.seq


def read_range(connection: HTTPConnection, game: str) -> list[Any]:
    """All pictures of a game, by ranges."""
    import gzip

    lines: list[Any] = []
    while True:
        after = lines[-1]["seq"] if lines else 0
        path = f"/api/v1/games/{game}/pictures?as=onlooker&limit=200&after={after}"
        read = gzip.decompress(ask(connection, path)).splitlines()
        lines += map(json.loads, read)
        if len(read) < 200:
            return lines


def ask(connection: HTTPConnection, path: str) -> bytes:
    """The content of a response."""
    connection.request("GET", path, headers=HEADERS)
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise RuntimeError(f"{path}: {response.status} {content[:300]!r}")
    return content


if __name__ == "__main__":
    main()
