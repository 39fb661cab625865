"""Export bombs: many accounts send the most expensive exports that a server reads, all at once.
Each request is answered, the server stays healthy, and its processes stay small."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from api.limits.upload_limits import MAX_CONCURRENT_CHECKS
from tests.games.audit.bombs import bomb
from tests.support.databases import Kept
from tests.support.served import Served, serving

PATIENCE: Final = 600  # seconds, however busy the machine is
PAUSE: Final = 0.2  # seconds between two samples of the processes
WEB: Final = b"tabularium: web"
CHECKING: Final = b"games.audit.sandbox_child"
ROOM: Final = 400 << 10  # kB


@pytest.fixture
def served(kept_template: Kept, tmp_path: Path) -> Iterator[Served]:
    """A running server."""
    with serving(kept_template, tmp_path) as served:
        yield served


def post(served: Served, path: str, body: bytes, key: str = "") -> tuple[int, Any]:
    """The status and the document of the response."""
    upload_headers = {"Content-Type": "application/x-ndjson", "Authorization": f"Bearer {key}"}
    headers = upload_headers if key else {"Content-Type": "application/json"}
    try:
        with urlopen(
            Request(f"{served.url}/api/v1{path}", body, headers), timeout=PATIENCE
        ) as response:
            return response.status, json.load(response)
    except HTTPError as problem:
        with problem:
            return problem.code, json.load(problem)


@pytest.mark.lane("processes")
def test_many_bombs_at_once(served: Served, games_count: Callable[[int, int], int]) -> None:
    bombs = games_count(4, 16)
    keys = [post(served, "/guests", b"{}")[1]["secret"] for _ in range(bombs)]
    idle_memory, export, is_over = memory(served), bomb(), Event()
    with ThreadPoolExecutor(bombs + 1) as pool:
        watching = pool.submit(watch_memory, served, is_over)
        responses = list(pool.map(lambda key: post(served, "/verifications", export, key), keys))
        is_over.set()
        peak_memory, children = watching.result()
    verdicts = [document for status, document in responses if status == 200]
    refusals = [document for status, document in responses if status == 503]
    assert len(verdicts) + len(refusals) == bombs
    assert verdicts
    assert all(document["is_good"] and not document["is_signed"] for document in verdicts)
    assert {document["code"] for document in refusals} <= {"checks-busy"}
    assert children <= MAX_CONCURRENT_CHECKS
    assert peak_memory - idle_memory < ROOM, (peak_memory, idle_memory)


def watch_memory(served: Served, is_over: Event) -> tuple[int, int]:
    """The peak memory, and the peak number of checking children, while the server keeps
    answering."""
    most = children = 0
    while not is_over.wait(PAUSE):
        assert served.is_answering()
        most = max(most, memory(served))
        children = max(children, len(process_folders(served, CHECKING)))
    return most, children


def memory(served: Served) -> int:
    """The memory of the web process and its checking children, in kB."""
    return sum(
        map(resident_kilobytes, process_folders(served, WEB) + process_folders(served, CHECKING))
    )


def process_folders(served: Served, program: bytes) -> list[Path]:
    """The server's processes that run a program."""
    return [process for process in served.processes() if program in read(process / "cmdline")]


def resident_kilobytes(process: Path) -> int:
    """The resident memory of one process, in kB."""
    lines = read(process / "status").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(b"VmRSS"))


def read(file: Path) -> bytes:
    """The content of a file in /proc; empty once the process has ended."""
    try:
        return file.read_bytes()
    except OSError:
        return b""
