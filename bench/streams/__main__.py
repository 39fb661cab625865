"""`python -m bench.streams`: measure the streams of one web server on each store, print a table."""

from __future__ import annotations

import argparse
from typing import Any, Final

from bench import report
from bench.log.stores import Store, open_stores
from bench.race import Row

MAX_DELIVERY_MS: Final = 100.0  # for the slowest in a hundred
# from the first of many onlookers to the last, 99 of 100 times
MAX_SPREAD_MS: Final = 250.0
FEW_ONLOOKERS: Final = 10  # for comparison


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=1000, help="idle streams")
    parser.add_argument("--entries", type=int, default=500, help="entries to deliver")
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds of idleness")
    parser.add_argument("--onlookers", type=int, default=300, help="onlookers of one game")
    parser.add_argument("--told", type=int, default=200, help="entries sent to the onlookers")
    arguments = parser.parse_args()
    with open_stores() as stores:
        for name, store in stores.items():
            idle_arguments = arguments.streams, arguments.entries, arguments.seconds
            spread_arguments = arguments.onlookers, FEW_ONLOOKERS, arguments.told
            table = (
                stream_rows(
                    name, run_measurement(store, "idle_streams", *idle_arguments), arguments
                )
                if idle_arguments[0]
                else []
            )
            if arguments.onlookers:
                table += spread_rows(
                    name,
                    run_measurement(store, "onlooker_spread", *spread_arguments),
                    arguments.onlookers,
                )
            print(report.render_table(table), flush=True)


def run_measurement(store: Store, module: str, *arguments: float) -> dict[str, Any]:
    """The results of a measurement in a process of its own, on that store."""
    results: dict[str, Any] = store.measure(f"bench.streams.{module}", *arguments)
    return results


def stream_rows(name: str, results: dict[str, Any], arguments: argparse.Namespace) -> list[Row]:
    """The rows of idle streams and of delivery."""
    title = f"{arguments.streams} idle streams, {name}"
    p99 = results["late"]
    return [
        Row(f"{title}: memory", results["memory"], "KB each"),
        Row(f"{title}: processor", results["processor"], "% of one"),
        Row(f"Beside {title}: commit to client, median", results["median"], "ms"),
        Row(
            f"Beside {title}: commit to client, 99 of 100",
            p99,
            "ms",
            target=MAX_DELIVERY_MS,
            met=p99 <= MAX_DELIVERY_MS,
            is_limit=True,
            repetitions=arguments.entries,
        ),
    ]


def spread_rows(name: str, results: dict[str, Any], onlookers: int) -> list[Row]:
    """The rows of the spread between onlookers."""
    title = f"{onlookers} onlookers of one game, {name}: first to last"
    many, few = results["many"], results["few"]
    p99 = many["late"]
    peer = f"{FEW_ONLOOKERS} onlookers"
    return [
        Row(
            f"{title}, median",
            many["median"],
            "ms",
            peer=peer,
            peer_value=few["median"],
            ratio=many["median"] / few["median"],
        ),
        Row(
            f"{title}, 99 of 100",
            p99,
            "ms",
            peer=peer,
            peer_value=few["late"],
            ratio=p99 / few["late"],
            target=MAX_SPREAD_MS,
            met=p99 <= MAX_SPREAD_MS,
            is_limit=True,
            repetitions=int(many["entries"]),
        ),
        Row(
            f"{onlookers} onlookers of one game, {name}: the server's processor for an entry",
            many["processor"],
            "ms",
            peer=peer,
            peer_value=few["processor"],
            ratio=many["processor"] / few["processor"],
        ),
    ]


if __name__ == "__main__":
    main()
