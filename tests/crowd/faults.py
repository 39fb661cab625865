"""The faults of a crowd: a killed process of a host, a store that is away, a link that is down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.chaos.faults.base import CannotInject, Fault
from tests.chaos.faults.cuts import DatabaseRestarted
from tests.chaos.faults.hangs import BrokerStopped
from tests.chaos.instance import Instance
from tests.chaos.instance_processes import Process
from tests.config.processes import is_gone, soon
from tests.crowd.hosts import Host


class ProcessKilled(Fault):
    """A process of a host gets SIGKILL; the fault lasts until the supervisor has replaced it."""

    role: str

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._before: list[Process] = []

    @property
    def victim(self) -> Process:
        """The process that is killed."""
        return self._before[0]

    def inject(self) -> None:
        self._before = sorted(self.instance.processes(self.role), key=lambda each: each.pid)
        self.victim.kill()

    def is_in_effect(self) -> bool:
        return bool(self._before) and is_gone(self.victim.pid)

    def sustain(self) -> None:
        if not soon(self._is_replaced):
            raise RuntimeError(f"{self.victim.title} is not replaced")

    def _is_replaced(self) -> bool:
        pids = {process.pid for process in self.instance.processes(self.role)}
        return len(pids - {self.victim.pid}) >= len(self._before)

    def heal(self) -> None:
        """Do nothing: the supervisor replaces the process."""


class WebKilled(ProcessKilled):
    """A web process is killed."""

    role = "web"


class WorkerKilled(ProcessKilled):
    """A worker is killed."""

    role = "worker"


class LinkDown(Fault):
    """The link of a host is down: it reaches neither the stores nor any client."""

    def inject(self) -> None:
        self._set_link(is_up=False)

    def is_in_effect(self) -> bool:
        return not self.instance.is_answering()

    def heal(self) -> None:
        self._set_link(is_up=True)

    def _set_link(self, *, is_up: bool) -> None:
        if not isinstance(self.instance, Host) or self.instance.namespace is None:
            raise CannotInject("A host on the loopback has no link: link-down needs --hosts 2.")
        self.instance.namespace.set_link(is_up=is_up)


KINDS: Final[Mapping[str, type[Fault]]] = {
    "web-killed": WebKilled,
    "worker-killed": WorkerKilled,
    "broker-stopped": BrokerStopped,
    "database-restarted": DatabaseRestarted,
    "link-down": LinkDown,
}
STORE_KINDS: Final = ("broker-stopped", "database-restarted")  # felt by every host
