"""`python -m bench.first_start`: how long after `make run` in a clean clone a first game against a
bot is possible, and how long until the server has taken over compiled engines.

The clone has no virtual environment; pip may find packages in its cache. The game is played as a
client plays it: a guest, a game, an action, and the bot's answer.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, Final, NamedTuple
from urllib.request import Request, urlopen

from bench.ports import free_port
from games import compiled_engines

POLL_SECONDS: Final = 0.1
MAX_SECONDS: Final = 1800.0  # until we give up
MAX_FIRST_GAME_SECONDS: Final = 30.0
MAX_COMPILED_SECONDS: Final = 120.0
GAME: Final = {
    "rules": "law_of_the_dice",
    "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}],
}


class FirstStart(NamedTuple):
    """Seconds from `make run`, and the processor time of all that it starts."""

    first_game_seconds: float
    compiled_seconds: float
    cpu_seconds: float


def main() -> None:
    """Measure and print; ends with 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m bench.first_start", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3, help="clones")
    options = parser.parse_args()
    starts = []
    for _ in range(options.repetitions):
        load = os.getloadavg()[0]
        start = measure()
        starts.append(start)
        print(
            f"first game {start.first_game_seconds:.1f} s, compiled {start.compiled_seconds:.1f} s,"
            f" processor time {start.cpu_seconds:.1f} s; load average before {load:.1f} and after"
            f" {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
            flush=True,
        )
    limits = (MAX_FIRST_GAME_SECONDS, MAX_COMPILED_SECONDS)
    worst = [max(start[index] for start in starts) for index in range(len(limits))]
    if any(seconds > limit for seconds, limit in zip(worst, limits, strict=True)):
        raise SystemExit(f"Limits of {limits[0]:g} s and {limits[1]:g} s: not kept.")


def measure() -> FirstStart:
    """Clone, run, play, wait for compiled engines, stop."""
    before = cpu_seconds()
    with TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        subprocess.run(
            ["git", "clone", "--quiet", str(compiled_engines.PROJECT_ROOT), str(clone)], check=True
        )
        port = free_port()
        server = Client(f"http://127.0.0.1:{port}/api/v1")
        started_at = monotonic()
        process = subprocess.Popen(
            ["make", "run", f"PORT={port}"],
            cwd=clone,
            env=clean_environment(),
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_for(lambda: server.call("/healthz"), process)
            play_first_action(server, process)
            first_game_seconds = monotonic() - started_at
            wait_for(lambda: server.call("/healthz")["engines"] == "compiled", process)
            compiled_seconds = monotonic() - started_at
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    return FirstStart(first_game_seconds, compiled_seconds, cpu_seconds() - before)


def play_first_action(server: Client, process: subprocess.Popen[bytes]) -> None:
    """Set up a game as a guest, and play until both have acted."""
    server.key = server.call("/guests", {})["secret"]
    game = server.call("/games", GAME)["id"]

    def have_both_acted() -> bool:
        choice = server.call(f"/games/{game}")["choice"]
        if choice:
            action = choice["offers"][0]["action"]
            body = {"seat": choice["seat"], "choice": choice["token"], "action": action}
            server.call(f"/games/{game}/actions", body)
        entries = server.call(f"/games/{game}/log")["items"]
        return {0, 1} <= {entry.get("seat") for entry in entries}

    wait_for(have_both_acted, process)


class Client:
    """Requests to the server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.key = ""

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """The JSON reply to a GET, or to a POST with a body."""
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, headers)
        with urlopen(request, timeout=60) as response:
            return json.load(response)


def wait_for(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait until the condition holds, while nothing may be listening yet."""
    end = monotonic() + MAX_SECONDS
    while monotonic() < end:
        with suppress(OSError, HTTPException):
            if condition():
                return
        if process.poll() is not None:
            raise SystemExit(f"`make run` ended with exit code {process.returncode}.")
        sleep(POLL_SECONDS)
    raise SystemExit("The server took too long.")


def clean_environment() -> dict[str, str]:
    """The environment without what would make the start another one."""
    others = ("DATABASE_URL", "REDIS_URL", "TABULARIUM_", "MAKE", "VIRTUAL_ENV", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if not name.startswith(others)}


def cpu_seconds() -> float:
    """The processor time of all processes that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
