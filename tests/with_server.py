"""A command beside a server: `python -m tests.with_server COMMAND …` starts a whole server on a
free port and a temporary folder, and runs the command with its address as TABULARIUM_URL."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.ports import free_port
from tests.config.processes import soon
from tests.databases import ROOT
from tests.served import MANY_GUESTS, Served


def main(command: list[str]) -> int:
    """The exit status of the command."""
    with TemporaryDirectory(prefix="tabularium-") as folder:
        port = str(free_port())
        variables = {"TABULARIUM_DATA": folder, "TABULARIUM_LIMITS": MANY_GUESTS, "PORT": port}
        without = {"DATABASE_URL", "REDIS_URL"}
        environment = {name: value for name, value in os.environ.items() if name not in without}
        log = Path(folder, "log")
        with log.open("w") as output:
            server = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--concurrency=1"],
                cwd=ROOT,
                env={**environment, **variables},
                stdout=output,
                stderr=output,
            )
        try:
            return _beside(Served(f"http://127.0.0.1:{port}", server.pid), command, log)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


def _beside(served: Served, command: list[str], log: Path) -> int:
    if not soon(served.is_answering):
        print(log.read_text(), file=sys.stderr)  # noqa: T201
        return 1
    environment = {**os.environ, "TABULARIUM_URL": served.url}
    return subprocess.run(command, check=False, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
