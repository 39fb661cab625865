"""Descriptors and connections that run out."""

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
from tests.chaos.faults.hangs import descriptors
from tests.chaos.instance import ROOT, Instance
from tests.chaos.instance_processes import Process

CROWD_SIZE: Final = 64
OTHER_ADDRESS: Final = "127.0.0.2"  # another address than those of the clients
PING: Final = b"GET /api/v1/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
MIN_CONNECTIONS: Final = 1_000  # connections that were made and never used


class DescriptorsOut(Fault):
    """The web server can open no further file while a crowd connects."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._clients: list[socket.socket] = []
        self._web_processes: list[Process] = []
        self._previous_limit = 0

    def inject(self) -> None:
        self._web_processes = self.instance.processes("web")
        for web in self._web_processes:
            self._previous_limit = resource.prlimit(web.pid, resource.RLIMIT_NOFILE)[0]
            set_limit(web.pid, resource.RLIMIT_NOFILE, descriptors(web.pid))
        self._clients = [connect(self.instance.port) for _ in range(CROWD_SIZE)]

    def is_in_effect(self) -> bool:
        """Whether a connection of the crowd, which stays, is not answered within a second."""
        return any(not is_answered(client) for client in self._clients)

    def heal(self) -> None:
        for web in self._web_processes:
            set_limit(web.pid, resource.RLIMIT_NOFILE, self._previous_limit)
        for client in self._clients:
            client.close()
        self._clients = []


def connect(port: int) -> socket.socket:
    """A connection that has sent nothing yet."""
    return socket.create_connection(("127.0.0.1", port), 1, source_address=(OTHER_ADDRESS, 0))


def is_answered(connection: socket.socket) -> bool:
    """Whether the server answers on this connection."""
    with suppress(OSError):
        connection.sendall(PING)
        return connection.recv(64).startswith(b"HTTP/1.1 200")
    return False


class AcceptsStarved(Fault):
    """A stranger makes and drops connections as fast as it can."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._churn: subprocess.Popen[bytes] | None = None
        self._count_file = instance.folder / "churned"

    def inject(self) -> None:
        command = [sys.executable, "-m", "tests.chaos.faults.churn", str(self.instance.port)]
        with self._count_file.open("wb") as file:
            self._churn = subprocess.Popen([*command, OTHER_ADDRESS], cwd=ROOT, stdout=file)

    def is_in_effect(self) -> bool:
        """Whether a thousand connections were made; other clients need not be affected."""
        return self._churn is not None and connection_count(self._count_file) >= MIN_CONNECTIONS

    def heal(self) -> None:
        if self._churn:
            self._churn.send_signal(signal.SIGKILL)
            self._churn.wait()
            self._churn = None
        self._count_file.unlink(missing_ok=True)


def connection_count(file: Path) -> int:
    """The number of connections made: the last line of that file."""
    lines = file.read_text(encoding="ascii").split() if file.exists() else []
    return int(lines[-1]) if lines else 0
