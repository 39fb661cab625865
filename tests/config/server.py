"""A server with several web processes, as an operator starts it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from bench.ports import free_port
from bench.startup import descendants
from tests.config.processes import PATIENCE, soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept


class Server:
    """`manage.py serve` on a database of its own."""

    def __init__(self, kept: Kept, broker: str, *options: str, **variables: str) -> None:
        self.port = free_port()
        self.log_path = kept.folder / "serve.log"
        self.environment = {**kept.environment, "REDIS_URL": broker, **variables}
        self.environment["TABULARIUM_LIMITS"] = "off"
        with self.log_path.open("wb") as log_file:
            self.process = warm_interpreter.Popen(
                [sys.executable, "manage.py", "serve", f"--port={self.port}", *options],
                cwd=ROOT,
                env=self.environment,
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def titles(self) -> dict[int, str]:
        """The titles of all processes that it has started."""
        titles = {}
        for pid in descendants(self.process.pid):
            try:
                titles[pid] = Path(f"/proc/{pid}/cmdline").read_text().rstrip("\0 ")
            except OSError:
                continue
        return titles

    def web_processes(self) -> list[int]:
        """Its web processes."""
        return [pid for pid, title in self.titles().items() if "tabularium: web" in title]

    def sharing(self) -> int:
        """The number of web processes that answer: those that have counts of requests."""
        (folder,) = Path("/dev/shm").glob(f"tabularium-{self.process.pid}-*")
        return len(list(folder.glob("histogram_*.db")))

    def reload(self) -> str:
        """The output of `manage.py reload`."""
        process = warm_interpreter.run(
            [sys.executable, "manage.py", "reload"],
            check=False,
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        return str(process.stdout + process.stderr)

    def kill(self, pid: int) -> None:
        """Kill one of its processes, and wait until it is replaced."""
        count = len(self.web_processes())
        os.kill(pid, signal.SIGKILL)
        assert soon(lambda: pid not in self.web_processes())
        assert soon(lambda: len(self.web_processes()) == count), self.log_path.read_text()

    def stop(self) -> None:
        """Stop it in order."""
        self.process.terminate()
        self.process.wait(PATIENCE)
