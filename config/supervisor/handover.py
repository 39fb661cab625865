"""The hand-over of a running server to a new image of its supervisor, which loads other code.

The supervisor replaces its own image (`exec`), and so remains the parent of its children: they work
on while it starts. The new image forks their successors and lets the old ones end: a worker before
its successor starts, the web server once its successor accepts connections from the same socket.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Final, NoReturn

from config.supervisor.child_process import Child
from config.supervisor.forked_process import STOP_SIGNALS, flush_output
from config.supervisor.process_specs import WEB

HANDOVER_VARIABLE: Final = "TABULARIUM_HANDOVER"
# seconds in which connections and tasks end by themselves: above the time limits of both
DRAIN_SECONDS: Final = 150.0


@dataclass(frozen=True)
class HandedProcess:
    """A child process of the old image."""

    pid: int
    output_descriptor: int
    inherited_descriptors: tuple[int, ...]


@dataclass(frozen=True)
class Handover:
    """The sockets and processes that an image of the supervisor leaves to the next one."""

    supervisor: int  # the pid, which is the same
    tether: int  # the pipe whose end would kill the old processes
    processes: dict[str, HandedProcess]  # by name
    status: int | None = None  # the descriptor of the file with the outcomes of reloads

    @property
    def listener(self) -> int | None:
        """The socket of the web server, if there is one."""
        descriptors = (
            each.inherited_descriptors
            for name, each in self.processes.items()
            if name.partition("-")[0] == WEB
        )
        return next(descriptors, (None,))[0]

    @classmethod
    def of(cls, children: Iterable[Child], tether: int, status: int | None = None) -> Handover:
        """The hand-over of these children, which all run."""
        handed = {
            child.spec.name: HandedProcess(
                child.process.pid, child.output_descriptor, child.spec.inherited_descriptors
            )
            for child in children
            if child.process
        }
        return cls(os.getpid(), tether, handed, status)

    @classmethod
    def take(cls, environment: MutableMapping[str, str]) -> Handover | None:
        """The hand-over to this process, if there is one. No child finds it in the environment."""
        text = environment.pop(HANDOVER_VARIABLE, "")
        fields = json.loads(text) if text else {}
        if fields.get("supervisor") != os.getpid():
            return None
        processes = {name: HandedProcess(**each) for name, each in fields["processes"].items()}
        handover = cls(fields["supervisor"], fields["tether"], processes, fields.get("status"))
        handover.set_inheritable(False)
        return handover

    def set_inheritable(self, is_inheritable: bool) -> None:
        """Let the descriptors survive the replacement of the image, and nothing else."""
        for descriptor in (
            self.tether,
            *([] if self.status is None else [self.status]),
            *(process.output_descriptor for process in self.processes.values()),
            *(
                each
                for process in self.processes.values()
                for each in process.inherited_descriptors
            ),
        ):
            os.set_inheritable(descriptor, is_inheritable)

    def execute(self, environment: Mapping[str, str]) -> NoReturn:
        """Replace the image of this process by a new one with the same arguments; returns only with
        an OSError. Stop signals wait until the new image has its handlers."""
        self.set_inheritable(True)
        flush_output()
        variables = {**environment, HANDOVER_VARIABLE: json.dumps(asdict(self))}
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            os.execve(sys.executable, [sys.executable, "-m", "django", *sys.argv[1:]], variables)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
            self.set_inheritable(False)


class Predecessor:
    """A process of the old image, which ends in favour of its successors: the process of its name
    or, if there are more or fewer now, all of its kind."""

    def __init__(self, child: Child, successors: Sequence[Child]) -> None:
        self.child = child
        self.successors = successors
        for successor in successors:
            successor.is_held = not child.spec.drains
        self.asked_at: float | None = None
        self.is_urged = False

    def release(self) -> None:
        """Let its successors start: it has ended."""
        for successor in self.successors:
            successor.is_held = False

    def advance(self, grace_seconds: float) -> None:
        """Ask it to end when it is time, and kill it if it does not."""
        if self.asked_at is None:
            if all(each.is_serving or each.is_held for each in self.successors):
                self.child.ask_to_drain()
                self.asked_at = monotonic()
        elif monotonic() - self.asked_at > DRAIN_SECONDS + grace_seconds:
            self.child.kill()
        elif monotonic() - self.asked_at > DRAIN_SECONDS and not self.is_urged:
            self.child.ask_to_stop()
            self.is_urged = True
