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
from config.supervisor.child import Child, Say
from config.supervisor.parts import Part

TICK: Final = 0.1  # seconds
OVERSLEPT: Final = 2.0  # seconds between two rounds, after which it is we who stood still
STOPPING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """The parts of one server. It runs in one thread, which is the parent of all."""

    def __init__(self, parts: Sequence[Part], env: dict[str, str], say: Say, grace: float) -> None:
        # nobody inherits the writing end: it closes when we end, however that happens
        reading, self.life = os.pipe()
        env = {**env, tether.PIPE: str(reading)}
        self.children = [Child(part, env, say) for part in parts]
        self.say = say
        self.form = logs.log_format(env)
        self.grace = grace
        self.asked = 0  # how often we were asked to stop
        self.selector = selectors.DefaultSelector()
        self.round_at = monotonic()

    def run(self) -> int:
        """Until asked to stop; the exit code."""
        before = {number: signal.signal(number, self.ask) for number in self.signals()}
        try:
            while not self.asked:
                self.keep_alive()
                self.listen()
                self.replace_hung()
            return self.stop()
        finally:
            for child in self.children:
                child.kill()
            for number, action in before.items():
                signal.signal(number, action)

    def signals(self) -> list[signal.Signals]:
        """The signals that stop us. Under nohup the end of a terminal is none of them."""
        deaf = signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        return [number for number in STOPPING if not (deaf and number == signal.SIGHUP)]

    def ask(self, _number: int, _frame: FrameType | None) -> None:
        """Somebody pressed Ctrl-C, or told us to end."""
        self.asked += 1

    def keep_alive(self) -> None:
        """Bury who is dead, start who is due."""
        for child in self.children:
            if child.process and not child.is_running:
                self.drain(child)
                child.bury()
            if child.is_due:
                child.start()
                self.selector.register(child.output, selectors.EVENT_READ, child)

    def listen(self) -> None:
        """Pass on what the children say, for the length of a tick."""
        for key, _ in self.selector.select(TICK):
            if not key.data.hear():
                self.selector.unregister(key.fd)

    def replace_hung(self) -> None:
        """Kill who runs but does not work. If we stood still ourselves, all have time again."""
        gap, self.round_at = monotonic() - self.round_at, monotonic()
        for child in self.children:
            if gap > OVERSLEPT:
                child.forgive(gap)
            child.replace_if_hung()

    def drain(self, child: Child) -> None:
        """The last words of a child; what it forked may still hold the pipe open."""
        if child.output in self.selector.get_map():
            self.selector.unregister(child.output)
            child.hear()

    def stop(self) -> int:
        """All at once; whoever needs longer than the grace time is killed."""
        self.tell("Stopping …")
        for child in self.children:
            child.ask_to_stop()
        deadline = monotonic() + self.grace
        while any(child.is_running for child in self.children):
            if self.asked > 1 or monotonic() > deadline:
                return 130 if self.asked > 1 else self.stragglers()
            self.listen()
        return 0

    def stragglers(self) -> int:
        """Name those who did not stop."""
        names = [child.part.name for child in self.children if child.is_running]
        self.tell(f"Killed, after {self.grace:g} s: {', '.join(names)}")
        return 0

    def tell(self, line: str) -> None:
        """Say something of our own, in the form of the log."""
        self.say(logs.spoken(line, self.form))
