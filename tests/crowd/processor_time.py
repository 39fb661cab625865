"""The processor time of the hosts' processes and of the stores, by kind of process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import Final

from bench.brokers.broker_processes import process_cpu_seconds
from bench.startup import descendants
from tests.chaos.instance_processes import Process, processes_by_role
from tests.chaos.stores import Store
from tests.crowd.hosts import Host

INTERVAL: Final = 1.0  # seconds; a process that ends loses at most its last one
OTHER_WORKERS: Final = ("analysts", "errands", "raters")
ROLES: Final = {"web": "web", "worker": "bots", "thinker": "bots"}  # the rest has its own name
NAMES: Final = {"postgres": "PostgreSQL", "redis": "Redis"}


class ProcessorTimes:
    """Reads the processor time of all processes once a second, in its own thread."""

    def __init__(self, hosts: Sequence[Host], stores: Mapping[str, Store]) -> None:
        self._hosts = hosts
        self._stores = stores
        self._last: dict[tuple[str, int], float] = {}  # by kind and process
        self._before: dict[str, float] = {}
        self._stop_event = Event()
        self._thread = Thread(target=self._run, daemon=True, name="processor times")

    def start(self) -> None:
        """Start, with all that was used until now left out."""
        self.read()
        self._before = self._totals()
        self._thread.start()

    def stop(self) -> None:
        """Stop."""
        self._stop_event.set()
        self._thread.join()
        self.read()

    @property
    def seconds(self) -> dict[str, float]:
        """The processor time since the start, by kind of process."""
        totals = self._totals()
        return {kind: totals[kind] - self._before.get(kind, 0.0) for kind in sorted(totals)}

    def read(self) -> None:
        """Read them now; those of a process that has ended stay as they were."""
        for kind, pid in self._processes():
            with suppress(OSError):
                self._last[kind, pid] = process_cpu_seconds(pid)

    def _run(self) -> None:
        while not self._stop_event.wait(INTERVAL):
            self.read()

    def _totals(self) -> defaultdict[str, float]:
        totals: defaultdict[str, float] = defaultdict(float)
        for (kind, _), seconds in self._last.items():
            totals[kind] += seconds
        return totals

    def _processes(self) -> Iterator[tuple[str, int]]:
        for host in self._hosts:
            for role, processes in processes_by_role(host.data_folder).items():
                for process in processes:
                    yield kind_of(role, process), process.pid
        for name, store in self._stores.items():
            if store.process is not None:
                for pid in descendants(store.process.pid):
                    yield NAMES[name], pid


def kind_of(role: str, process: Process) -> str:
    """The kind of a process of a host."""
    if any(name in process.title for name in OTHER_WORKERS):
        return "other workers"
    return ROLES.get(role, role)
