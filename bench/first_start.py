"""`python -m bench.first_start`: how long after `make run` in a clean clone a first game against a
bot is possible, and how long until the server has taken over compiled engines.

The clone has no virtual environment, and nothing is found in caches of packages and builds, unless
`--with-caches`. The game is played as a client plays it: a guest, a game, an action, and the bot's
answer. `--busy N` lets so many processes compute meanwhile; compiling, which gives way to them, is
not waited for then.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, Final, NamedTuple
from urllib.request import Request, urlopen

from bench.ports import free_port
from tabularium_engines.builds import compiled_engines
from tests.support.repeat import load

POLL_SECONDS: Final = 0.1
MAX_SECONDS: Final = 1800.0  # until we give up
MAX_FIRST_GAME_SECONDS: Final = 30.0
MAX_COMPILED_SECONDS: Final = 120.0
MAX_BUSY_SECONDS: Final = 90.0  # until the first game, with busy processes beside it
MAX_INSTALLED_MB: Final = 200.0
CACHES: Final = ("PIP_CACHE_DIR", "UV_CACHE_DIR", "TABULARIUM_CACHE")
GAME: Final = {
    "rules": "law_of_the_dice",
    "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}],
}


class FirstStart(NamedTuple):
    """Seconds from `make run`, and the processor time of all that it starts."""

    first_game_seconds: float
    compiled_seconds: float | None  # none: not waited for
    cpu_seconds: float
    installed_mb: float


def main() -> None:
    """Measure and print; ends with 1 if a limit is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m bench.first_start", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3, help="clones")
    parser.add_argument("--with-caches", action="store_true", help="use the user's caches")
    parser.add_argument("--busy", type=int, default=0, help="processes that compute meanwhile")
    options = parser.parse_args()
    starts = []
    for _ in range(options.repetitions):
        load_before = os.getloadavg()[0]
        with load(options.busy):
            start = measure(options.with_caches, is_busy=bool(options.busy))
        starts.append(start)
        compiled = f" compiled {start.compiled_seconds:.1f} s," if start.compiled_seconds else ""
        print(
            f"first game {start.first_game_seconds:.1f} s,{compiled}"
            f" {start.installed_mb:.0f} MB installed, processor time {start.cpu_seconds:.1f} s;"
            f" load average before {load_before:.1f} and after {os.getloadavg()[0]:.1f} on"
            f" {os.cpu_count()} cores",
            flush=True,
        )
    if complaints := list(exceeded(starts, is_busy=bool(options.busy))):
        raise SystemExit("\n".join(complaints))


def exceeded(starts: Sequence[FirstStart], is_busy: bool) -> Iterator[str]:
    """The limits that the worst start exceeds."""
    first_game = MAX_BUSY_SECONDS if is_busy else MAX_FIRST_GAME_SECONDS
    limits = {"first_game_seconds": first_game, "installed_mb": MAX_INSTALLED_MB}
    if not is_busy:
        limits["compiled_seconds"] = MAX_COMPILED_SECONDS
    for name, limit in limits.items():
        worst: float = max(getattr(start, name) for start in starts)
        if worst > limit:
            yield f"{name}: {worst:.1f}, above the limit of {limit:g}."


def measure(has_caches: bool, *, is_busy: bool) -> FirstStart:
    """Clone, run, play, wait for compiled engines, stop."""
    before = cpu_seconds()
    with TemporaryDirectory() as folder:
        environment = clean_environment()
        if not has_caches:
            environment |= {name: str(Path(folder, name)) for name in CACHES}
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
            env=environment,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_for(lambda: server.call("/healthz"), process)
            play_first_action(server, process)
            first_game_seconds = monotonic() - started_at
            compiled_seconds = None
            if not is_busy:
                wait_for(lambda: server.call("/healthz")["engines"] == "compiled", process)
                compiled_seconds = monotonic() - started_at
            files = Path(clone, ".venv").rglob("*")
            installed = sum(file.lstat().st_size for file in files if file.is_file())
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    cpu = cpu_seconds() - before
    return FirstStart(first_game_seconds, compiled_seconds, cpu, installed / 1e6)


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
