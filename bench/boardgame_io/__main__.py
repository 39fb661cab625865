"""`python -m bench.boardgame_io`: moves for a second of the server's processor time, of this server
and of boardgame.io's own, which keeps its matches in memory. Both serve at the same time, and are
measured in turns: Law of the Dice over HTTP, and crazy eights over sockets, one for each seat.
npm installs boardgame.io."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from typing import Final

from bench.door.checkout import ServedCheckout, open_store, serve_checkout, wait_until_answered
from bench.door.comparison import Load, Measurement, measure_pair, open_load, ratio_range
from bench.ports import free_port
from bench.report import format_number
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT

SOURCES: Final = Path(__file__).parent
FOLDER: Final = PROJECT_ROOT / "build" / "boardgame_io"
INSTALL: Final = "npm install --silent --no-package-lock --ignore-scripts"
MICROSECONDS: Final = 1e6
HEADINGS: Final = (
    *("store", "tables", "seats", "moves/s, theirs", "ours", "ours ÷ theirs"),
    *("moves/CPU s, theirs", "ours", "ours ÷ theirs", "p50 ms, theirs", "ours"),
)


def main() -> None:
    """Measure, and print a row as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m bench.boardgame_io", description=__doc__)
    parser.add_argument("--stores", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--tables", nargs="+", type=int, default=[8, 32], help="at once")
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 4], help="of their matches")
    parser.add_argument("--repetitions", type=int, default=5, help="of each pair (5)")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a measurement (4)")
    arguments = parser.parse_args()
    install()
    print(" | ".join(HEADINGS))
    for kind in arguments.stores:
        with (
            open_store(kind, "ours") as store,
            serve_boardgame_io() as theirs,
            serve_checkout(PROJECT_ROOT, store, {}, 1) as ours,
        ):
            for tables, seats in product(arguments.tables, arguments.seats):
                pairs = measure(theirs, ours, tables, seats, arguments)
                print(" | ".join(row_cells(kind, tables, seats, pairs)), flush=True)


def install() -> None:
    """Install boardgame.io, and put the programs that use it beside it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "server.mjs", "clients.mjs"):
        shutil.copy(SOURCES / name, FOLDER)
    subprocess.run(INSTALL.split(), cwd=FOLDER, check=True)


@contextmanager
def serve_boardgame_io() -> Iterator[ServedCheckout]:
    """Their server."""
    port = free_port()
    environment = {**os.environ, "NODE_ENV": "production"}
    command = ["node", "server.mjs", str(port)]
    server = subprocess.Popen(
        command, cwd=FOLDER, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_answered(f"http://127.0.0.1:{port}/games", server)
        yield ServedCheckout(server, port)
    finally:
        server.terminate()
        server.wait()


def players(server: ServedCheckout, tables: int, seats: int) -> list[str]:
    """The command of a program that plays at so many tables of their server."""
    return ["node", str(FOLDER / "clients.mjs"), str(server.port), str(tables), str(seats)]


def measure(
    theirs: ServedCheckout,
    ours: ServedCheckout,
    tables: int,
    seats: int,
    arguments: argparse.Namespace,
) -> list[tuple[Measurement, Measurement]]:
    """Pairs of measurements, in turns."""
    with ExitStack() as loads:
        their_load = loads.enter_context(open_load(theirs, tables, players(theirs, tables, seats)))
        our_load: Load = loads.enter_context(open_load(ours, tables))
        return [
            measure_pair(their_load, our_load, arguments.seconds, repetition % 2 == 1)
            for repetition in range(arguments.repetitions)
        ]


def row_cells(
    store: str, tables: int, seats: int, pairs: list[tuple[Measurement, Measurement]]
) -> tuple[str, ...]:
    """The medians of both servers, and the ratios with their ranges."""
    sides = [list(side) for side in zip(*pairs, strict=True)]
    cells = [format_number(median(one.rate for one in side)) for side in sides]
    cells.append(ratio_range([our.rate / their.rate for their, our in pairs]))
    cells += [format_number(median(MICROSECONDS / one.cpu for one in side)) for side in sides]
    cells.append(ratio_range([their.cpu / our.cpu for their, our in pairs]))
    cells += [format_number(1000 * median(one.p50 for one in side)) for side in sides]
    return (store, str(tables), str(seats), *cells)


if __name__ == "__main__":
    main()
