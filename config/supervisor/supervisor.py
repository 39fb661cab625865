"""The supervisor: its loop keeps all processes running until it is asked to stop."""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Sequence
from time import monotonic
from types import FrameType
from typing import Final

from config import logs
from config.supervisor import tether
from config.supervisor.child_process import Child, WriteLine
from config.supervisor.forked_process import STOP_SIGNALS
from config.supervisor.process_specs import ProcessSpec

TICK_SECONDS: Final = 0.1
STALL_SECONDS: Final = 2.0  # a longer gap between two rounds means that we stood still


class Supervisor:
    """The processes of one server. It runs in one thread, the parent of them all."""

    def __init__(
        self,
        parts: Sequence[ProcessSpec],
        env: dict[str, str],
        write_line: WriteLine,
        grace_seconds: float,
    ) -> None:
        # no child inherits the write end: it closes when this process ends, for any reason
        read_end, self.tether_write_end = os.pipe()
        env = {**env, tether.PIPE_VARIABLE: str(read_end)}
        self.children = [Child(part, env, write_line) for part in parts]
        self.write_line = write_line
        self.log_format = logs.read_log_format(env)
        self.grace_seconds = grace_seconds
        self.stop_requests = 0  # how often a stop was requested
        self.selector = selectors.DefaultSelector()
        self.last_round_at = monotonic()

    def run(self) -> int:
        """Run until asked to stop; returns the exit code."""
        old_handlers = {
            number: signal.signal(number, self.request_stop) for number in self.stop_signals()
        }
        try:
            while not self.stop_requests:
                self.reap_and_start()
                self.relay_output()
                self.replace_hung()
            return self.stop()
        finally:
            for child in self.children:
                child.kill()
            for number, handler in old_handlers.items():
                signal.signal(number, handler)

    def stop_signals(self) -> list[signal.Signals]:
        """The signals that stop the supervisor; under nohup, SIGHUP is not one of them."""
        is_hangup_ignored = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        return [
            number for number in STOP_SIGNALS if not (is_hangup_ignored and number == signal.SIGHUP)
        ]

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Count a stop request: Ctrl-C, or a signal."""
        self.stop_requests += 1

    def reap_and_start(self) -> None:
        """Reap dead processes, and start those that are due."""
        for child in self.children:
            if child.process and not child.is_running:
                self.drain_output(child)
                child.reap()
            if child.is_due:
                child.start()
                self.selector.register(child.output_descriptor, selectors.EVENT_READ, child)

    def relay_output(self) -> None:
        """Relay the children's output for one tick."""
        for key, _ in self.selector.select(TICK_SECONDS):
            if not key.data.relay_output():
                self.selector.unregister(key.fd)

    def replace_hung(self) -> None:
        """Kill processes that run but do not work. After the supervisor itself stood still, all get
        more time."""
        gap, self.last_round_at = monotonic() - self.last_round_at, monotonic()
        for child in self.children:
            if gap > STALL_SECONDS:
                child.discount_stall(gap)
            child.replace_if_hung()

    def drain_output(self, child: Child) -> None:
        """Relay the last output of a child; its descendants may still hold the pipe open."""
        if child.output_descriptor in self.selector.get_map():
            self.selector.unregister(child.output_descriptor)
            child.relay_output()

    def stop(self) -> int:
        """Stop all processes at once; those that exceed the grace time are killed."""
        self.log("Stopping …")
        for child in self.children:
            child.ask_to_stop()
        deadline = monotonic() + self.grace_seconds
        while any(child.is_running for child in self.children):
            if self.stop_requests > 1 or monotonic() > deadline:
                return 130 if self.stop_requests > 1 else self.report_stragglers()
            self.relay_output()
        for child in self.children:
            if child.process:
                self.drain_output(child)  # its last words
        return 0

    def report_stragglers(self) -> int:
        """Log the processes that did not stop in time."""
        names = [child.spec.name for child in self.children if child.is_running]
        self.log(f"Killed after {self.grace_seconds:g} s: {', '.join(names)}")
        return 0

    def log(self, line: str) -> None:
        """Write a line of the supervisor's own, in the log format."""
        self.write_line(logs.format_plain_line(line, self.log_format))
