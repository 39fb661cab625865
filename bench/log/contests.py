"""The comparisons of the log benchmark. All contestants are kept alive and take turns, so that a
busy machine is equally busy for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from statistics import median, quantiles
from typing import Final

from bench import race
from bench.log.stores import Store, open_stores
from bench.log.worker import Worker
from bench.race import Contest, Row

SERVER_STORE: Final = "postgresql"
LIBRARY_CONTESTANT: Final = "peers.eventsourcing"
MAX_GROWTH_RATIO: Final = 1.5  # at most, an append to a long log compared with a short one
# from the move to the answer of a bot that does not think
MAX_OVERHEAD_MS: Final = {
    "sqlite": 150.0,
    SERVER_STORE: 50.0,
}
BROKER_NAMES: Final = {"sqlite": "embedded broker", SERVER_STORE: "Redis"}
ANSWER_SLICES: Final = 30.0


def measure_all(repetitions: int, seconds: float) -> list[Row]:
    """All rows, measured in separate stores."""
    with open_stores() as stores:
        rows = race_rows(stores, repetitions, seconds)
        for name, store in stores.items():
            rows += answer_rows(name, store, seconds * ANSWER_SLICES)
    return rows


def store_contests(store: str) -> Iterator[Contest]:
    """All comparisons on one database."""
    suffix, per_second = f" ({store})", "entries/s"
    source = f"{store}_interpreted"
    for work, name in (("fold_1000", "Fold 1,000 entries"), ("load_1000", "Load 1,000 entries")):
        yield Contest(name + suffix, per_second, f"{store}.{work}", (f"{source}.{work}",))
    long, short = f"{store}.append_5000", f"{store}.append_10"
    load = f"{store}.load_5000", (f"{store}.load_1000",)
    yield Contest(f"Load 5,000 entries{suffix}", per_second, *load)
    yield Contest(
        f"Append at 5,000 entries{suffix}", per_second, long, (short,), 1 / MAX_GROWTH_RATIO
    )
    append, load_1000 = f"{store}.append_100", f"{store}.load_1000"
    yield Contest(f"Append{suffix}", per_second, append, (f"{store}.create",))
    if store == SERVER_STORE:
        yield Contest("Append", per_second, append, (f"{LIBRARY_CONTESTANT}_save_100",), 3)
        yield Contest("Append", per_second, append, ("peers.insert",), 0.25)
        yield Contest(
            "Load 1,000 entries", per_second, load_1000, (f"{LIBRARY_CONTESTANT}_load_1000",), 5
        )


def race_rows(stores: Mapping[str, Store], repetitions: int, seconds: float) -> list[Row]:
    """The speed comparisons."""
    contests = [contest for store in stores for contest in store_contests(store)]
    rates: dict[str, list[float]] = {
        contestant: [] for contestant in race.contestant_names(contests)
    }
    with ExitStack() as processes:
        workers = {
            name: processes.enter_context(worker) for name, worker in create_workers(stores).items()
        }
        for repetition in range(repetitions + 1):
            for contestant, contestant_rates in rates.items():
                process, _, work = contestant.partition(".")
                units, elapsed = workers[process].ask(work, seconds if repetition else 0.0)
                if repetition:  # the first one prepares and warms up
                    contestant_rates.append(units / elapsed)
    return [race.judge_contest(contest, rates) for contest in contests]


def create_workers(stores: Mapping[str, Store]) -> dict[str, Worker]:
    """A process for each contestant, or for several that do not disturb each other."""
    workers = {}
    for name, store in stores.items():
        workers[name] = Worker("tabularium_contestant", store)
        workers[f"{name}_interpreted"] = Worker("tabularium_contestant", store, "interpreted")
    if SERVER_STORE in stores:
        workers["peers"] = Worker("peer_contestants", stores[SERVER_STORE])
    return workers


def answer_rows(name: str, store: Store, seconds: float) -> list[Row]:
    """The waiting time for a bot that does not think, less its own thinking time."""
    with Worker("bot_latency", store) as worker:
        (thinking_seconds,) = worker.ask("thinking", 0.0)
        waits = [(wait - thinking_seconds) * 1000 for wait in worker.ask("answers", seconds)]
    return wait_rows(name, waits)


def wait_rows(name: str, waits: Sequence[float]) -> list[Row]:
    """The rows of a bot's answers, from their milliseconds without thinking."""
    title, limit = f"Bot's answer ({BROKER_NAMES[name]})", MAX_OVERHEAD_MS[name]
    p50 = median(waits)
    return [
        Row(
            f"{title}, median",
            p50,
            "ms",
            target=limit,
            met=p50 <= limit,
            is_limit=True,
            repetitions=len(waits),
            values=waits,
        ),
        Row(f"{title}, p99", quantiles(waits, n=100)[-1], "ms", repetitions=len(waits)),
    ]
