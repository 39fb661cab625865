"""Processes that hang: they exist, and do nothing."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import monotonic, sleep

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.chaos.faults.base import Fault
from tests.chaos.instance import Instance, signal_all
from tests.chaos.instance_processes import Process


class ProcessesStopped(Fault):
    """Some processes get SIGSTOP, and later SIGCONT if they still exist."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self.victims: list[Process] = []

    def processes_to_stop(self) -> list[Process]:
        """The processes to stop."""
        raise NotImplementedError

    def inject(self) -> None:
        self.victims = self.processes_to_stop()
        signal_all(self.victims, signal.SIGSTOP)

    def is_in_effect(self) -> bool:
        return bool(self.victims) and all(is_stopped(victim.pid) for victim in self.victims)

    def heal(self) -> None:
        signal_all(self.victims, signal.SIGCONT)


class WebStopped(ProcessesStopped):
    """The web server is stopped."""

    def processes_to_stop(self) -> list[Process]:
        return self.instance.processes("web")


class WorkersStopped(ProcessesStopped):
    """All workers are stopped, with the processes that search for bots."""

    def processes_to_stop(self) -> list[Process]:
        return self.instance.workers()


class BrokerStopped(ProcessesStopped):
    """Redis is stopped."""

    def processes_to_stop(self) -> list[Process]:
        process = self.instance.stores["redis"].process
        assert process
        return [Process(process.pid, 0, "redis")]

    def is_in_effect(self) -> bool:
        return super().is_in_effect() and not is_answering_ping(self.instance.stores["redis"].port)


class BrokerPaused(Fault):
    """Redis accepts connections and answers nothing: `CLIENT PAUSE`."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._ends_at = 0.0

    def inject(self) -> None:
        with redis.Redis(port=self.instance.stores["redis"].port) as broker:
            broker.execute_command("CLIENT", "PAUSE", int(self.seconds * 1000), "ALL")
        self._ends_at = monotonic() + self.seconds

    def is_in_effect(self) -> bool:
        return not is_answering_ping(self.instance.stores["redis"].port)

    def is_over(self) -> bool:
        return monotonic() > self._ends_at

    def sustain(self) -> None:
        sleep(max(0.0, self._ends_at - monotonic()))

    def heal(self) -> None:
        """Wait for the end of the pause, which no command can end earlier."""
        self.sustain()


def is_stopped(pid: int) -> bool:
    """Whether a process is in state T."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("T")
    except OSError:
        return False


def is_answering_ping(port: int) -> bool:
    """Whether Redis answers one PING within a second."""
    no_retry = Retry(NoBackoff(), 0)  # by default the client tries four times
    broker = redis.Redis(port=port, socket_timeout=1, socket_connect_timeout=1, retry=no_retry)
    try:
        with broker:
            return bool(broker.ping())
    except redis.RedisError:
        return False


def descriptor_count(pid: int) -> int:
    """The number of open descriptors of a process."""
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208  # their targets do not matter
