"""A server with bots, as `make run` starts it, on a database of the test's own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

from bench.ports import free_port
from bench.startup import descendants
from tests import databases, warm_interpreter
from tests.config.processes import soon
from tests.databases import ROOT, Kept

MANY_GUESTS: Final = "guests=1000000/3600"  # each test is a guest


class Served:
    """A running server, and requests to it."""

    def __init__(self, url: str, pid: int) -> None:
        self.url = url
        self.pid = pid  # of the supervisor

    def processes(self) -> Iterator[Path]:
        """All its processes, as folders of /proc."""
        return (Path(f"/proc/{pid}") for pid in descendants(self.pid))

    def ask(self, path: str, key: str = "") -> Any:
        """The document of its answer to a GET with this key."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        request = Request(f"{self.url}/api/v1{path}", headers=headers)
        with urlopen(request, timeout=30) as response:
            return json.load(response)

    def is_answering(self) -> bool:
        """Whether the server answers and reports itself healthy."""
        with suppress(OSError):
            return bool(self.ask("/healthz")["status"] == "ok")
        return False


@contextmanager
def serving(template: Kept, folder: Path, **more: str) -> Iterator[Served]:
    """Run a server within the block, on a copy of a migrated database."""
    kept = databases.copy_template(template, folder / "kept")
    port = free_port()
    variables = {"PORT": str(port), "TABULARIUM_LIMITS": MANY_GUESTS, **more}
    process = warm_interpreter.Popen(
        [sys.executable, "manage.py", "serve", "--concurrency=1"],
        cwd=ROOT,
        env={**kept.environment, **variables},
        stdout=subprocess.DEVNULL,
    )
    served = Served(f"http://127.0.0.1:{port}", process.pid)
    try:
        assert soon(served.is_answering)
        yield served
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        databases.drop(kept)
