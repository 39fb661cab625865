"""The processes around one broker: starting, killing and timing them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep

from bench.brokers.contestants import Contestant

WORKER_COMMAND = [
    "celery",
    "--quiet",
    "--app=bench.brokers.broker_tasks",
    "worker",
    "--pool=prefork",
]
QUIET_OPTIONS = [
    "--loglevel=CRITICAL",
    "--without-gossip",
    "--without-mingle",
    "--without-heartbeat",
]
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class BrokerProcesses:
    """The processes around a broker, by role: server, worker, publisher."""

    contestant: Contestant
    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        """The environment of every process."""
        plan = {
            "url": self.contestant.url(self.folder),
            "options": self.contestant.options(self.folder),
            "folder": str(self.folder),
            "in_one_process": self.contestant.in_one_process,
        }
        return {
            **os.environ,
            "BROKER": json.dumps(plan),
            "TABULARIUM_DATA": str(self.folder),
            "REDIS_URL": "",
        }

    def start(self, name: str, command: list[str]) -> None:
        """Start a process in a session of its own."""
        self.processes[name] = subprocess.Popen(
            command,
            env=self.env,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=(self.folder / f"{name}.log").open("ab"),
        )

    def start_server(self) -> None:
        """Start the broker, if it is a process."""
        if self.contestant.server:
            self.start("server", self.contestant.server(self.folder))
            sleep(1)

    def start_worker(self) -> None:
        """Start Celery's worker, tied to this process as in production."""
        if not self.contestant.in_one_process:
            tether = [sys.executable, "-m", "config.supervisor.run_tethered", str(os.getpid())]
            self.start("worker", [*tether, *WORKER_COMMAND, "--concurrency=2", *QUIET_OPTIONS])

    def start_publisher(self, chains: int, links: int, singles: int) -> None:
        """Start the process that publishes the tasks."""
        module = [sys.executable, "-m", "bench.brokers.publisher"]
        self.start("publisher", [*module, str(chains), str(links), str(singles)])

    def kill(self, name: str) -> None:
        """Kill a process but none of its children, as happens in practice."""
        with suppress(ProcessLookupError):
            self.processes[name].kill()
        self.processes[name].wait()

    def kill_fork(self, name: str) -> None:
        """Kill one of the children of a process."""
        for pid in session_processes(self.processes[name].pid):
            if pid != self.processes[name].pid:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                return

    def kill_all(self) -> None:
        """Kill all processes with all their children."""
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def cpu_seconds(self) -> float:
        """The CPU seconds that worker and broker have used so far."""
        names = [name for name in ("worker", "server") if name in self.processes]
        return sum(
            process_cpu_seconds(pid)
            for name in names
            for pid in session_processes(self.processes[name].pid)
        )


def session_processes(session: int) -> list[int]:
    """The processes of a session."""
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process_stat(int(folder.name))[3] == str(session):
                pids.append(int(folder.name))
    return sorted(pids)


def process_cpu_seconds(pid: int) -> float:
    """The CPU seconds of a process."""
    fields = process_stat(pid)
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


def process_stat(pid: int) -> list[str]:
    """The kernel's statistics of a process, after its name."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
