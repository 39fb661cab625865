"""How are all parts kept running until somebody says stop?"""

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
from config.supervisor.process_specs import ProcessSpec

TICK_SECONDS: Final = 0.1  # seconds
STALL_SECONDS: Final = 2.0  # seconds between two rounds, after which it is we who stood still
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """The parts of one server. It runs in one thread, which is the parent of all."""

    def __init__(
        self,
        parts: Sequence[ProcessSpec],
        env: dict[str, str],
        write_line: WriteLine,
        grace_seconds: float,
    ) -> None:
        # nobody inherits the writing end: it closes when we end, however that happens
        reading, self.tether_write_end = os.pipe()
        env = {**env, tether.PIPE_VARIABLE: str(reading)}
        self.children = [Child(part, env, write_line) for part in parts]
        self.write_line = write_line
        self.log_format = logs.read_log_format(env)
        self.grace_seconds = grace_seconds
        self.stop_requests = 0  # how often we were asked to stop
        self.selector = selectors.DefaultSelector()
        self.last_round_at = monotonic()

    def run(self) -> int:
        """Until asked to stop; the exit code."""
        before = {
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
            for number, action in before.items():
                signal.signal(number, action)

    def stop_signals(self) -> list[signal.Signals]:
        """The signals that stop us. Under nohup the end of a terminal is none of them."""
        deaf = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        return [number for number in STOP_SIGNALS if not (deaf and number == signal.SIGHUP)]

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Somebody pressed Ctrl-C, or told us to end."""
        self.stop_requests += 1

    def reap_and_start(self) -> None:
        """Bury who is dead, start who is due."""
        for child in self.children:
            if child.process and not child.is_running:
                self.drain_output(child)
                child.reap()
            if child.is_due:
                child.start()
                self.selector.register(child.output_descriptor, selectors.EVENT_READ, child)

    def relay_output(self) -> None:
        """Pass on what the children say, for the length of a tick."""
        for key, _ in self.selector.select(TICK_SECONDS):
            if not key.data.relay_output():
                self.selector.unregister(key.fd)

    def replace_hung(self) -> None:
        """Kill who runs but does not work. If we stood still ourselves, all have time again."""
        gap, self.last_round_at = monotonic() - self.last_round_at, monotonic()
        for child in self.children:
            if gap > STALL_SECONDS:
                child.discount_stall(gap)
            child.replace_if_hung()

    def drain_output(self, child: Child) -> None:
        """The last words of a child; what it forked may still hold the pipe open."""
        if child.output_descriptor in self.selector.get_map():
            self.selector.unregister(child.output_descriptor)
            child.relay_output()

    def stop(self) -> int:
        """All at once; whoever needs longer than the grace time is killed."""
        self.log("Stopping …")
        for child in self.children:
            child.ask_to_stop()
        deadline = monotonic() + self.grace_seconds
        while any(child.is_running for child in self.children):
            if self.stop_requests > 1 or monotonic() > deadline:
                return 130 if self.stop_requests > 1 else self.report_stragglers()
            self.relay_output()
        return 0

    def report_stragglers(self) -> int:
        """Name those who did not stop."""
        names = [child.spec.name for child in self.children if child.is_running]
        self.log(f"Killed, after {self.grace_seconds:g} s: {', '.join(names)}")
        return 0

    def log(self, line: str) -> None:
        """Say something of our own, in the form of the log."""
        self.write_line(logs.format_plain_line(line, self.log_format))
