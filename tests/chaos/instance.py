"""The served instance of a fault storm: its stores are behind proxies, its clock can be set, and
the lines of its output are counted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO, Final

from bench.ports import free_port
from tests.chaos.http_client import HttpClient, NoAnswer
from tests.chaos.instance_processes import Process, processes, processes_by_role
from tests.chaos.proxy import Proxy
from tests.chaos.stores import Store

ROOT: Final = Path(__file__).parents[2]
CLOCK_FOLDER: Final = Path(__file__).parent / "clock"  # holds a sitecustomize
ALARMS: Final = re.compile(r"(?m)^.*(?: (?:WARNING|ERROR|CRITICAL) |Traceback|Exception).*$")
TRACEBACK: Final = b"Traceback (most recent call last)"
SETTINGS: Final = {
    "TABULARIUM_LIMITS": "off",
    "TABULARIUM_STREAMS_EACH": "1000",
    "TABULARIUM_STREAM_HEARTBEAT": "3",
}


class Instance:
    """Everything that `serve` starts, on the data in `folder` and on these stores."""

    def __init__(
        self, folder: Path, stores: Mapping[str, Store], *, is_proxied: bool = True
    ) -> None:
        self.folder = folder
        self.data_folder = folder / "kept"  # TABULARIUM_DATA
        self.stores = stores
        self.port = free_port()
        proxied_stores = stores if is_proxied else {}
        self.proxies = {name: Proxy(store.port) for name, store in proxied_stores.items()}
        self.clock_file = folder / "clock"
        self.lines: Counter[int] = Counter()  # of the log, by second
        self.tracebacks: Counter[int] = Counter()
        self.server: subprocess.Popen[bytes] | None = None
        self.leftovers: list[str] = []  # processes that did not end with the others

    @property
    def database_file(self) -> Path:
        """SQLite's file."""
        return self.data_folder / "tabularium.sqlite3"

    @property
    def database_url(self) -> str:
        """PostgreSQL's direct address, without the proxy; "" if the instance runs on SQLite."""
        return self.stores["postgres"].url if self.stores else ""

    def command_line(self) -> list[str]:
        """The command line of the server."""
        return [sys.executable, "manage.py", "serve", "--concurrency=2"]

    def environment(self) -> dict[str, str]:
        """The environment of the served processes."""
        urls = {name: self.stores[name].url_at(proxy.port) for name, proxy in self.proxies.items()}
        path = os.pathsep.join([str(CLOCK_FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])])
        return {
            **os.environ,
            **SETTINGS,
            "TABULARIUM_DATA": str(self.data_folder),
            "DATABASE_URL": urls.get("postgres", ""),
            "REDIS_URL": urls.get("redis", ""),
            "PORT": str(self.port),
            "PYTHONPATH": path,
            "CHAOS_CLOCK": str(self.clock_file),
        }

    def start(self) -> None:
        """Start the proxies and the server, without waiting for an answer."""
        self.set_clock(0)
        for proxy in self.proxies.values():
            proxy.start()
        self.serve()

    def serve(self) -> None:
        """Start the server, without waiting for an answer."""
        self.server = subprocess.Popen(
            self.command_line(),
            cwd=ROOT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        assert self.server.stdout
        output = self.server.stdout
        self._output_thread = Thread(
            target=self._record_output, args=(output,), daemon=True, name="log"
        )
        self._output_thread.start()

    def _record_output(self, output: IO[bytes]) -> None:
        with output, (self.folder / "serve.log").open("wb") as file:
            for line in output:
                second = int(monotonic())
                self.lines[second] += 1
                self.tracebacks[second] += TRACEBACK in line
                file.write(line)
                file.flush()

    def set_clock(self, offset_seconds: float) -> None:
        """Set the wall clock of all served processes to this offset from the true one."""
        new_file = self.clock_file.with_suffix(".new")
        new_file.write_text(str(offset_seconds), encoding="ascii")
        new_file.replace(self.clock_file)

    def processes(self, *roles: str) -> list[Process]:
        """The processes with one of these roles."""
        groups = processes_by_role(self.data_folder)
        return [process for role in roles for process in groups.get(role, [])]

    def workers(self) -> list[Process]:
        """All of Celery's processes, including those that search for bots."""
        return self.processes("worker", "thinker")

    def client(self, key: str = "", address: str = "127.0.0.1") -> HttpClient:
        """A new HTTP client of the instance."""
        return HttpClient(self.port, key, address)

    def is_answering(self, timeout: float = 2.0) -> bool:
        """Whether it answers `healthz`."""
        with suppress(NoAnswer):
            return self.client().request("GET", "/healthz", timeout=timeout).status == 200
        return False

    def is_writing(self, timeout: float = 4.0) -> bool:
        """Whether it can write: a new guest is created."""
        with suppress(NoAnswer):
            return self.client().request("POST", "/guests", {}, timeout=timeout).status == 201
        return False

    def stop(self) -> None:
        """Stop the supervisor with SIGTERM; kill the processes that remain and record them as
        leftovers."""
        if self.server is None:
            return
        self.server.terminate()
        try:
            self.server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.leftovers.append("the supervisor does not stop")
        for process in processes(self.data_folder):
            self.leftovers.append(f"{process.role} {process.pid} is left at the end")
            process.kill()
        for proxy in self.proxies.values():
            proxy.stop()
        self._output_thread.join()

    def alarms(self) -> list[str]:
        """The lines of its log, since it was served last, that are above INFO or have a failure."""
        return ALARMS.findall((self.folder / "serve.log").read_text(encoding="utf-8"))

    def max_in_window(self, counts: Counter[int], window: int = 10) -> int:
        """The highest count within that many seconds."""
        windows = (range(start, start + window) for start in list(counts))
        return max((sum(counts[second] for second in seconds) for seconds in windows), default=0)


def signal_all(targets: list[Process], number: signal.Signals) -> None:
    """Send the signal to each process that still exists."""
    for process in targets:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)
