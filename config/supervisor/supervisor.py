"""The supervisor: its loop keeps all processes running until it is asked to stop."""

from __future__ import annotations

import os
import selectors
import signal
from collections.abc import Iterator, Sequence
from time import monotonic
from types import FrameType
from typing import Final

from config import logs
from config.supervisor import tether
from config.supervisor.child_process import Child, WriteLine
from config.supervisor.forked_process import STOP_SIGNALS, ForkedProcess
from config.supervisor.handover import Handover, Predecessor
from config.supervisor.process_specs import ProcessSpec
from config.supervisor.reload import Reloader, has_terminal

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
        handover: Handover | None = None,
        reloader: Reloader | None = None,
    ) -> None:
        # no child inherits the write end: it closes when this process ends, for any reason
        read_end, self.tether_write_end = os.pipe()
        self.env = env
        self.reloader = reloader
        self.had_terminal = has_terminal()
        self.is_hangup_ignored = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN  # nohup
        env = {**env, tether.PIPE_VARIABLE: str(read_end)}
        self.children = [Child(part, env, write_line) for part in parts]
        self.write_line = write_line
        self.log_format = logs.read_log_format(env)
        self.grace_seconds = grace_seconds
        self.stop_requests = 0  # how often a stop was requested
        self.selector = selectors.DefaultSelector()
        self.last_round_at = monotonic()
        self.predecessors = list(self.adopt_processes(handover)) if handover else []
        self.is_taking_over = bool(self.predecessors)

    def adopt_processes(self, handover: Handover) -> Iterator[Predecessor]:
        """The processes of the old image, each with its successors."""
        for name, handed in handover.processes.items():
            successors = self.successors_of(name)
            drains = any(child.spec.drains for child in successors)
            # without time-outs: its heartbeats are heard no more
            child = Child(ProcessSpec(name, (), drains=drains), self.env, self.write_line)
            child.adopt(ForkedProcess.adopt(handed.pid, handed.output_descriptor))
            self.selector.register(child.output_descriptor, selectors.EVENT_READ, child)
            yield Predecessor(child, successors)

    def successors_of(self, name: str) -> list[Child]:
        """The child of the same name or, if there is none, all children of its kind."""
        kind = ProcessSpec(name, ()).kind
        same_name = [child for child in self.children if child.spec.name == name]
        return same_name or [child for child in self.children if child.spec.kind == kind]

    @property
    def all_children(self) -> list[Child]:
        """The children, also those that have successors."""
        return [*self.children, *(predecessor.child for predecessor in self.predecessors)]

    def run(self) -> int:
        """Run until asked to stop; returns the exit code."""
        handlers = {
            signal.SIGINT: self.request_stop,
            signal.SIGTERM: self.request_stop,
            signal.SIGHUP: self.hang_up,
        }
        old_handlers = {
            number: signal.signal(number, handler) for number, handler in handlers.items()
        }
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)  # after a hand-over they waited
        try:
            while not self.stop_requests:
                self.reap_and_start()
                self.relay_output()
                self.replace_hung()
                self.retire_predecessors()
                self.hand_over_if_due()
            return self.stop()
        finally:
            for child in self.all_children:
                child.kill()
            for number, handler in old_handlers.items():
                signal.signal(number, handler)

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Count a stop request: Ctrl-C, or a signal."""
        self.stop_requests += 1

    def hang_up(self, number: int, frame: FrameType | None) -> None:
        """Reload; but stop at the end of the terminal, except under nohup."""
        is_end_of_terminal = self.had_terminal and not has_terminal()
        if self.reloader and not is_end_of_terminal:
            self.reloader.ask()
        elif not self.is_hangup_ignored:
            self.request_stop(number, frame)

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

    def retire_predecessors(self) -> None:
        """Let the processes of the old image end, each in favour of its successor."""
        for predecessor in list(self.predecessors):
            child = predecessor.child
            if child.is_running:
                predecessor.advance(self.grace_seconds)
            else:
                self.drain_output(child)
                child.reap()
                predecessor.release()
                self.predecessors.remove(predecessor)

    def hand_over_if_due(self) -> None:
        """Hand the server over to a new image of this process if there is one that may take over,
        once this image has taken over itself."""
        reloader = self.reloader
        if reloader is None:
            return
        for complaint in reloader.poll():
            self.log(complaint)
        is_settled = not self.predecessors and all(map(is_child_settled, self.children))
        if self.is_taking_over and is_settled:
            self.is_taking_over = False
            self.log(reloader.complete())
        is_possible = is_settled or (reloader.is_urgent and not self.predecessors)
        if reloader.announcement and is_possible:
            self.log(reloader.announcement)
            self.log(reloader.refuse(self.hand_over()))

    def hand_over(self) -> str:
        """Replace the image of this process; returns only with the reason why that failed."""
        descriptor = self.reloader.status_descriptor if self.reloader else None
        handover = Handover.of(self.children, self.tether_write_end, descriptor)
        if self.is_hangup_ignored:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # for the next image to know
        try:
            handover.execute(self.env)
        except OSError as problem:
            signal.signal(signal.SIGHUP, self.hang_up)
            return str(problem)

    def drain_output(self, child: Child) -> None:
        """Relay the last output of a child; its descendants may still hold the pipe open."""
        if child.output_descriptor in self.selector.get_map():
            self.selector.unregister(child.output_descriptor)
            child.relay_output()

    def stop(self) -> int:
        """Stop all processes at once; those that exceed the grace time are killed."""
        self.log("Stopping …")
        for child in self.all_children:
            child.ask_to_stop()
        deadline = monotonic() + self.grace_seconds
        while any(child.is_running for child in self.all_children):
            if self.stop_requests > 1 or monotonic() > deadline:
                return 130 if self.stop_requests > 1 else self.report_stragglers()
            self.relay_output()
        for child in self.all_children:
            if child.process:
                self.drain_output(child)  # its last words
        return 0

    def report_stragglers(self) -> int:
        """Log the processes that did not stop in time."""
        names = [child.spec.name for child in self.all_children if child.is_running]
        self.log(f"Killed after {self.grace_seconds:g} s: {', '.join(names)}")
        return 0

    def log(self, line: str) -> None:
        """Write a line of the supervisor's own, in the log format."""
        self.write_line(logs.format_plain_line(line, self.log_format))


def is_child_settled(child: Child) -> bool:
    """Whether a child works, or, if it runs once, has ended."""
    return child.process is None if child.spec.once else child.is_serving
