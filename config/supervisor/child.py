"""How does one part live: started, heard, started again after a pause, stopped with all it made?"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

from config import logs
from config.supervisor import heartbeat, tether
from config.supervisor.heartbeat import Heartbeat
from config.supervisor.parts import Part, python
from config.supervisor.valve import Valve

PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # seconds before each restart in a row
SETTLED: Final = 10.0  # seconds after which a restart is not "in a row" any more
LONGEST_LINE: Final = 65536

Say = Callable[[str], None]


class Child:
    """A part and the process that plays it now, if any."""

    def __init__(self, part: Part, env: dict[str, str], say: Say) -> None:
        self.part = part
        self.env = {**env, logs.PART: part.name}
        self.form = logs.log_format(env)
        self.say = say
        self.process: subprocess.Popen[bytes] | None = None
        self.heard = b""
        self.valve = Valve()
        self.started_at = 0.0
        self.due_at = 0.0
        self.failures = 0
        self.heartbeat = Heartbeat(part.patience) if part.patience else None
        if self.heartbeat:
            self.env = {**self.env, heartbeat.PIPE: str(self.heartbeat.writing)}

    def start(self) -> None:
        """In a session of its own: Ctrl-C reaches us alone, and we can signal all it forks."""
        self.started_at = monotonic()
        pipes = [int(self.env[name]) for name in (tether.PIPE, heartbeat.PIPE) if name in self.env]
        if self.heartbeat:
            self.heartbeat.reset()
        self.process = subprocess.Popen(
            python(self.part.command),
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(*self.part.inherits, *pipes),
        )
        os.set_blocking(self.output, False)

    @property
    def output(self) -> int:
        """The descriptor on which the process is heard."""
        assert self.process
        assert self.process.stdout
        return self.process.stdout.fileno()

    # -- hearing ----------------------------------------------------------------------------------

    def hear(self) -> bool:
        """Pass on what it says, line by line; whether there may be more."""
        try:
            heard = os.read(self.output, LONGEST_LINE)
        except BlockingIOError:
            return True
        *lines, self.heard = (self.heard + heard).split(b"\n")
        if self.heard and (not heard or len(self.heard) > LONGEST_LINE):
            lines, self.heard = [*lines, self.heard], b""
        for line in self.valve.let_pass(lines):
            self.quote(line)
        return bool(heard)

    def quote(self, line: bytes) -> None:
        """Say something in its name."""
        self.say(logs.quoted(self.part.name, line.decode(errors="replace"), self.form))

    # -- keeping alive ----------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether its process has not ended."""
        return self.process is not None and self.process.poll() is None

    def bury(self) -> None:
        """Its process has ended: end also what it forked, and say when the next one is due."""
        assert self.process
        self.kill()
        code = self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        if self.heard:
            self.quote(self.heard)
            self.heard = b""
        for line in self.valve.rest():
            self.quote(line)
        if monotonic() - self.started_at > SETTLED:
            self.failures = 0
        pause = PAUSES[min(self.failures, len(PAUSES) - 1)]
        self.failures += 1
        self.due_at = monotonic() + pause
        self.process = None
        self.quote(f"ended ({ending(code)}); starting again in {pause} s".encode())

    @property
    def is_due(self) -> bool:
        """Whether it is time to start it."""
        return self.process is None and monotonic() >= self.due_at

    def replace_if_hung(self) -> None:
        """Kill it if it runs but does no work; whatever is dead is started again. SIGKILL also ends
        a process that is stopped."""
        if self.heartbeat is None or not self.is_running:
            return
        self.heartbeat.hear()
        if complaint := self.heartbeat.complaint():
            self.quote(f"{complaint}; killed".encode())
            self.kill()
            self.heartbeat.reset()  # said once, although it takes a moment to die

    def forgive(self, seconds: float) -> None:
        """We ourselves stood still for so long."""
        if self.heartbeat:
            self.heartbeat.forgive(seconds)

    # -- stopping ---------------------------------------------------------------------------------

    def ask_to_stop(self) -> None:
        """It may finish what it is at."""
        if self.process and self.is_running:
            self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """It, and all that it forked, at once."""
        if self.process:
            with suppress(ProcessLookupError, PermissionError):  # macOS says so of zombies
                os.killpg(self.process.pid, signal.SIGKILL)


def ending(code: int) -> str:
    """How a process ended, in words."""
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
