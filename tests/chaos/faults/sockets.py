"""Descriptors that run out, and floods of connections."""

from __future__ import annotations

import resource
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.chaos.faults.base import Fault
from tests.chaos.faults.disks import set_limit
from tests.chaos.faults.hangs import descriptor_count
from tests.chaos.instance import ROOT, Instance
from tests.chaos.instance_processes import Process

CLIENT_COUNT: Final = 64
HOSTILE_ADDRESS: Final = "127.0.0.2"  # no player or watcher has it
PING: Final = b"GET /api/v1/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
MIN_CONNECTIONS: Final = 1_000  # until the fault counts as effective


class DescriptorsOut(Fault):
    """The web server can open no further descriptor while clients connect."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._clients: list[socket.socket] = []
        self._web_processes: list[Process] = []
        self._previous_limit = 0

    def inject(self) -> None:
        self._web_processes = self.instance.processes("web")
        for web in self._web_processes:
            self._previous_limit = resource.prlimit(web.pid, resource.RLIMIT_NOFILE)[0]
            set_limit(web.pid, resource.RLIMIT_NOFILE, descriptor_count(web.pid))
        self._clients = [connect(self.instance.port) for _ in range(CLIENT_COUNT)]

    def is_in_effect(self) -> bool:
        """Whether an open connection of a client is not answered within a second."""
        return any(not is_answered(client) for client in self._clients)

    def heal(self) -> None:
        for web in self._web_processes:
            set_limit(web.pid, resource.RLIMIT_NOFILE, self._previous_limit)
        for client in self._clients:
            client.close()
        self._clients = []


def connect(port: int) -> socket.socket:
    """A new connection that has sent nothing."""
    return socket.create_connection(("127.0.0.1", port), 1, source_address=(HOSTILE_ADDRESS, 0))


def is_answered(connection: socket.socket) -> bool:
    """Whether the server answers on this connection."""
    with suppress(OSError):
        connection.sendall(PING)
        return connection.recv(64).startswith(b"HTTP/1.1 200")
    return False


class AcceptsStarved(Fault):
    """A hostile client opens and resets connections as fast as it can."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._churn_process: subprocess.Popen[bytes] | None = None
        self._count_file = instance.folder / "connection-count"

    def inject(self) -> None:
        command = [sys.executable, "-m", "tests.chaos.faults.churn"]
        arguments = [str(self.instance.port), HOSTILE_ADDRESS]
        with self._count_file.open("wb") as file:
            self._churn_process = subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=file)

    def is_in_effect(self) -> bool:
        """Whether a thousand connections were opened, whether or not other clients are affected."""
        is_running = self._churn_process is not None
        return is_running and connection_count(self._count_file) >= MIN_CONNECTIONS

    def heal(self) -> None:
        if self._churn_process:
            self._churn_process.send_signal(signal.SIGKILL)
            self._churn_process.wait()
            self._churn_process = None
        self._count_file.unlink(missing_ok=True)


def connection_count(file: Path) -> int:
    """The number of opened connections: the last line of that file."""
    lines = file.read_text(encoding="ascii").split() if file.exists() else []
    return int(lines[-1]) if lines else 0
