"""A kill storm: a served instance with games and clients, of which a random process is killed every
few seconds. After the last kill, all games must end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import sleep, time
from typing import Final, NamedTuple
from urllib.request import urlopen

from bench.ports import free_port
from tests.chaos.instance_processes import processes, processes_by_role, service_processes
from tests.chaos.stores import Store
from tests.config.processes import PATIENCE
from tests.support import warm_interpreter

ROOT: Final = Path(__file__).parents[2]
OUTAGE_SECONDS: Final = 1.0  # from the kill of a store to its restart
VICTIM_WEIGHTS: Final = {
    "worker": 3,
    "thinker": 3,
    "web": 2,
    "supervisor": 2,
    "client": 3,
    "sweeper": 1,
    "postgres": 2,
    "redis": 2,
}


class Kill(NamedTuple):
    """The victim of a kill, and its time."""

    victim: str
    at: float


class Client(NamedTuple):
    """A program that plays some seats, and the journal of its calls."""

    journal: Path
    game_seats: list[tuple[str, int]]

    def command_line(self) -> list[str]:
        """The command line of the process that plays."""
        arguments = [f"{game}:{seat}" for game, seat in self.game_seats]
        return [sys.executable, "-m", "tests.chaos.client_process", str(self.journal), *arguments]


@dataclass
class KillStorm:
    """The instance on the data in `folder`, and the record of its kills."""

    folder: Path
    stores: Mapping[str, Store]
    rng: Random
    kills: list[Kill] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    answer_times: list[float] = field(default_factory=list)  # of the web server
    port: int = field(default_factory=free_port)
    stop_event: Event = field(default_factory=Event)  # ends the polling of the web server

    def __post_init__(self) -> None:
        self.env = {**os.environ, "TABULARIUM_DATA": str(self.folder), "PORT": str(self.port)}
        self.server: subprocess.Popen[bytes] | None = None
        self.client_processes: dict[Path, subprocess.Popen[bytes]] = {}

    # -- the processes ----------------------------------------------------------------------------

    def serve(self) -> None:
        """Start the supervisor, which starts the other processes of the service."""
        command = [sys.executable, "manage.py", "serve"]
        self.server = self._start_process(subprocess.Popen, command, self.folder / "log")

    def start_clients(self, clients: Sequence[Client]) -> None:
        """Start every client that is not running and has not finished its games."""
        for client in clients:
            process = self.client_processes.get(client.journal)
            if process is None or process.poll() not in (None, 0):
                log = client.journal.with_suffix(".log")
                self.client_processes[client.journal] = self._start_process(
                    warm_interpreter.Popen, client.command_line(), log
                )

    def _start_process(
        self, popen: type[subprocess.Popen[bytes]], command: list[str], log: Path
    ) -> subprocess.Popen[bytes]:
        with log.open("ab") as log_file:
            return popen(
                command,
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def is_any_client_running(self) -> bool:
        """Whether a client has not ended."""
        return any(process.poll() is None for process in self.client_processes.values())

    def poll_web_server(self) -> None:
        """Poll the web server until `stop_event` is set."""
        while not self.stop_event.wait(0.2):
            address = f"http://127.0.0.1:{self.port}/api/v1/healthz"
            with suppress(OSError), urlopen(address, timeout=5) as response:
                if response.status == 200:
                    self.answer_times.append(time())

    # -- the kills --------------------------------------------------------------------------------

    def kill_repeatedly(self, clients: Sequence[Client], kills: int, pause: float) -> None:
        """Kill a random victim about every `pause` seconds, `kills` times, and restart killed
        clients."""
        for _ in range(kills):
            deadline = time() + pause * self.rng.uniform(0.5, 1.5)
            while time() < deadline:
                self.start_clients(clients)
                sleep(0.1)
            self.kill_one()

    def kill_one(self) -> None:
        """Kill one random victim. A store and the supervisor are restarted."""
        groups = processes_by_role(self.folder)
        candidates = sorted(VICTIM_WEIGHTS.keys() & {*groups, *self.stores})
        victim = self.rng.choices(candidates, [VICTIM_WEIGHTS[name] for name in candidates])[0]
        if victim in self.stores:
            self.kills.append(Kill(victim, time()))
            self.stores[victim].restart(OUTAGE_SECONDS)
            return
        process = self.rng.choice(sorted(groups[victim], key=lambda process: process.pid))
        self.kills.append(Kill(victim, time()))
        process.kill()
        if victim == "supervisor":
            self.kill_orphans()
            self.serve()

    def kill_orphans(self) -> None:
        """After the supervisor's end, wait for its children to follow it; record and kill those
        that do not."""
        assert self.server
        self.server.wait()
        deadline = time() + PATIENCE
        while (orphans := list(service_processes(self.folder))) and time() < deadline:
            sleep(0.02)
        for process in orphans:
            self.orphans.append(f"{process.role} {process.pid} outlived its supervisor")
            process.kill()

    # -- the end ----------------------------------------------------------------------------------

    def stop_all(self) -> None:
        """Stop the supervisor with SIGTERM; kill the processes that remain and record them as
        orphans."""
        assert self.server
        self.server.terminate()
        try:
            self.server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.orphans.append("the supervisor did not stop")
        for process in processes(self.folder):
            self.orphans.append(f"{process.role} {process.pid} is left at the end")
            process.kill()
        for client in self.client_processes.values():
            client.wait()


def poll_in_background(storm: KillStorm) -> Thread:
    """Start the thread that polls the web server."""
    thread = Thread(target=storm.poll_web_server, daemon=True)
    thread.start()
    return thread
