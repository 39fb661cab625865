"""A child process of the supervisor: started, watched, restarted after a pause, and stopped with
its descendants. Its output is passed on, up to a limit in lines per second."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import monotonic
from typing import Final

from config import logs
from config.supervisor import heartbeat, process_specs, tether
from config.supervisor.forked_process import ForkedProcess
from config.supervisor.heartbeat import Heartbeat
from config.supervisor.process_specs import ProcessSpec

# seconds before each restart in a row
RESTART_PAUSES_SECONDS: Final = (
    0.2,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
)
STABLE_AFTER_SECONDS: Final = 10.0  # seconds after which a restart no longer counts as "in a row"
MAX_LINE_BYTES: Final = 65536

WriteLine = Callable[[str], None]


class Child:
    """A process spec and its running process, if any."""

    def __init__(self, spec: ProcessSpec, env: dict[str, str], write_line: WriteLine) -> None:
        self.spec = spec
        self.is_last = spec.once  # whether it is not restarted
        self.is_held = False  # whether it must not be started yet
        self.env = {**env, logs.PROCESS_NAME_VARIABLE: spec.name}
        self.log_format = logs.read_log_format(env)
        self.write_line = write_line
        self.process: ForkedProcess | None = None
        self.pending_output = b""
        self.output_throttle = OutputThrottle()
        self.started_at = 0.0
        self.restart_at = 0.0
        self.failures = 0
        self.heartbeat = Heartbeat(spec.timeouts) if spec.timeouts else None
        if self.heartbeat:
            self.env = {**self.env, heartbeat.PIPE_VARIABLE: str(self.heartbeat.write_descriptor)}

    def start(self) -> None:
        """Start it in a session of its own: Ctrl-C reaches only the supervisor, and all its
        descendants can be signalled together."""
        self.started_at = monotonic()
        pipes = [
            int(self.env[name])
            for name in (tether.PIPE_VARIABLE, heartbeat.PIPE_VARIABLE)
            if name in self.env
        ]
        if self.heartbeat:
            self.heartbeat.reset()
        descriptors = (*self.spec.inherited_descriptors, *pipes)
        self.process = ForkedProcess(self.spec.name, self.spec.command, self.env, descriptors)
        os.set_blocking(self.output_descriptor, False)

    def adopt(self, process: ForkedProcess) -> None:
        """Watch a process until its end, as its successor is another child."""
        self.process, self.is_last = process, True

    @property
    def output_descriptor(self) -> int:
        """The descriptor of the process's output."""
        assert self.process
        return self.process.output_descriptor

    # -- output -----------------------------------------------------------------------------------

    def relay_output(self) -> bool:
        """Relay its output line by line; returns whether there may be more."""
        try:
            output = os.read(self.output_descriptor, MAX_LINE_BYTES)
        except BlockingIOError:
            return True
        *lines, self.pending_output = (self.pending_output + output).split(b"\n")
        if self.pending_output and (not output or len(self.pending_output) > MAX_LINE_BYTES):
            lines, self.pending_output = [*lines, self.pending_output], b""
        for line in self.output_throttle.filter_lines(lines):
            self.relay_line(line)
        return bool(output)

    def relay_line(self, line: bytes) -> None:
        """Write a line under its name."""
        self.write_line(
            logs.relay_line(self.spec.name, line.decode(errors="replace"), self.log_format)
        )

    def report(self, line: str, level: int) -> None:
        """Write a line about it."""
        self.write_line(logs.format_report(self.spec.name, line, level, self.log_format))

    # -- keeping alive ----------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether its process is still running."""
        return self.process is not None and self.process.poll() is None

    @property
    def is_serving(self) -> bool:
        """Whether its process does its work; without heartbeats, whether it runs."""
        return self.is_running and (self.heartbeat is None or self.heartbeat.has_been_heard)

    def reap(self) -> None:
        """Clean up after its process has ended: kill its descendants, and schedule the restart."""
        assert self.process
        self.kill()
        code = self.process.wait()
        self.process.close()
        if self.pending_output:
            self.relay_line(self.pending_output)
            self.pending_output = b""
        for line in self.output_throttle.report_dropped():
            self.relay_line(line)
        self.process = None
        if self.is_last:
            self.restart_at = inf
            if code:
                level = logging.WARNING if self.spec.once else logging.ERROR
                self.report(f"ended ({describe_exit(code)})", level)
            return
        if monotonic() - self.started_at > STABLE_AFTER_SECONDS:
            self.failures = 0
        pause = RESTART_PAUSES_SECONDS[min(self.failures, len(RESTART_PAUSES_SECONDS) - 1)]
        self.failures += 1
        self.restart_at = monotonic() + pause
        level = logging.ERROR if code else logging.WARNING
        self.report(f"ended ({describe_exit(code)}); restarting in {pause} s", level)

    @property
    def is_due(self) -> bool:
        """Whether it is time to start it."""
        return self.process is None and not self.is_held and monotonic() >= self.restart_at

    def replace_if_hung(self) -> None:
        """Kill it if it runs but does no work; dead processes are restarted. SIGKILL also ends a
        stopped process."""
        if self.heartbeat is None or not self.is_running:
            return
        self.heartbeat.read_signs()
        if complaint := self.heartbeat.complaint():
            self.report(f"{complaint}; killed", logging.ERROR)
            self.kill()
            self.heartbeat.reset()  # complain only once, although it takes a moment to die

    def discount_stall(self, seconds: float) -> None:
        """Discount a time in which the supervisor itself stood still."""
        if self.heartbeat:
            self.heartbeat.discount_stall(seconds)

    # -- stopping ---------------------------------------------------------------------------------

    def ask_to_stop(self) -> None:
        """Ask it to stop; it may finish its current work."""
        if self.process:
            self.process.send_signal(signal.SIGTERM)

    def ask_to_drain(self) -> None:
        """Ask it to leave new work to its successor, and to stop once it has none."""
        if self.process:
            drains = self.spec.drains
            self.process.send_signal(process_specs.DRAIN_SIGNAL if drains else signal.SIGTERM)

    def kill(self) -> None:
        """Kill it and its descendants at once."""
        if self.process:
            self.process.kill_group()


def describe_exit(code: int) -> str:
    """How a process ended, in words."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


# -- output, so limited that it does not fill a disk ----------------------------------------------

MAX_LINES_PER_SECOND: Final = 1000
WINDOW_SECONDS: Final = 1.0


class OutputThrottle:
    """Passes lines up to the limit, and counts the dropped ones."""

    def __init__(
        self, max_lines: int = MAX_LINES_PER_SECOND, clock: Callable[[], float] = monotonic
    ) -> None:
        self.max_lines = max_lines
        self.clock = clock
        self.window_start = float("-inf")
        self.passed_lines = 0
        self.dropped_lines = 0

    def filter_lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines to relay now."""
        if self.clock() - self.window_start >= WINDOW_SECONDS:
            yield from self.report_dropped()
            self.window_start, self.passed_lines = self.clock(), 0
        for line in lines:
            if self.passed_lines < self.max_lines:
                self.passed_lines += 1
                yield line
            else:
                self.dropped_lines += 1

    def report_dropped(self) -> Iterator[bytes]:
        """A line with the number of lines dropped since the last report, if any."""
        if self.dropped_lines:
            yield b"(%d lines were left out)" % self.dropped_lines
            self.dropped_lines = 0
