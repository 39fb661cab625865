"""A server that runs interpreted takes over compiled engines when they appear, under load."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

import pytest

from bench.ports import free_port
from bench.startup import descendants
from config.supervisor.build_watch import BuildWatch
from tabularium_engines.builds import compiled_engines
from tests.config.callers import Caller
from tests.config.processes import PATIENCE, is_gone, soon
from tests.versions.scratch_copy import ScratchCopy

PROCESS_NAMES: Final = ("web", "sweeper", "worker@", "analysts@", "errands@", "raters@")


@pytest.fixture
def build() -> Path:
    """The build of this checkout's sources."""
    matching_build = compiled_engines.find_matching_build()
    if matching_build is None or matching_build == compiled_engines.PROJECT_ROOT:
        pytest.skip("nothing is compiled here")
    return matching_build


@pytest.fixture
def scratch(tmp_path: Path) -> ScratchCopy:
    """The project without compiled engines."""
    return ScratchCopy(tmp_path / "scratch")


def add_build(root: Path, build: Path) -> Path:
    """Let the build appear at once, as `setup.py compile` does."""
    builds = root / compiled_engines.BUILDS_FOLDER
    shutil.copytree(build, builds / ".unfinished")
    return (builds / ".unfinished").rename(builds / build.name)


class Server:
    """A server of a scratch copy."""

    def __init__(self, scratch: ScratchCopy) -> None:
        self.root = scratch.root
        self.port = free_port()
        self.log_path = scratch.root / "log"
        env = {
            name: value
            for name, value in os.environ.items()
            if name not in ("DATABASE_URL", "REDIS_URL", compiled_engines.MODE_VARIABLE)
        }
        more = {"TABULARIUM_DATA": str(scratch.root / "kept"), "TABULARIUM_LIMITS": "off"}
        # no load exceeds this grace: a process that does not end hangs the test
        options = [f"--port={self.port}", "--concurrency=1", "--grace=3600"]
        with self.log_path.open("wb") as log_file:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", *options],
                cwd=scratch.root,
                env={**env, **more, "PYTHONPATH": str(scratch.root)},
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def engines(self) -> str:
        """How the web server runs the rules; empty while it does not answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with closing(connection), suppress(OSError, HTTPException):
            connection.request("GET", "/api/v1/healthz")
            return str(json.loads(connection.getresponse().read())["engines"])
        return ""

    def titles(self) -> dict[int, str]:
        """The titles of all descendants."""
        titles = {}
        for pid in descendants(self.process.pid):
            with suppress(OSError):
                titles[pid] = Path(f"/proc/{pid}/cmdline").read_text()
        return titles

    def compiled_processes(self) -> set[int]:
        """The processes that have loaded compiled engines."""
        compiled = set()
        for pid in self.titles():
            with suppress(OSError):
                if compiled_engines.RUNTIME_MODULE in Path(f"/proc/{pid}/maps").read_text():
                    compiled.add(pid)
        return compiled

    def is_whole(self) -> bool:
        """Whether every process runs, with compiled engines."""
        titles = " ".join(self.titles().values())
        is_complete = all(name in titles for name in PROCESS_NAMES)
        return is_complete and self.compiled_processes() == self.titles().keys()


@pytest.fixture
def server(scratch: ScratchCopy) -> Iterator[Server]:
    """A server with interpreted engines."""
    server = Server(scratch)
    try:
        assert soon(lambda: server.engines() == "interpreted"), server.log_path.read_text()
        yield server
    finally:
        server.process.kill()
        server.process.wait()


@pytest.mark.lane("processes")
@pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")
def test_no_request_is_lost_and_all_processes_run_compiled_and_stop(
    server: Server, build: Path
) -> None:
    callers = [Caller(server.port, keeps_connection) for keeps_connection in (True, False)]
    for caller in callers:
        caller.start()
    try:
        assert soon(lambda: all(caller.bot_actions for caller in callers))
        old_processes = server.titles().keys() - {server.process.pid}
        add_build(server.root, build)
        assert soon(server.is_whole), (server.titles(), server.log_path.read_text())
        assert soon(lambda: all(map(is_gone, old_processes))), server.titles()
        counts = [caller.bot_actions for caller in callers]
        assert soon(lambda: all(map(int.__lt__, counts, [each.bot_actions for each in callers])))
    finally:
        for caller in callers:
            caller.is_over.set()
        for caller in callers:
            caller.join()
    assert [caller.failures for caller in callers] == [[], []], server.log_path.read_text()
    assert server.engines() == "compiled"
    log = server.log_path.read_text()
    assert "take them over" in log
    assert log.count("Tabularium: http") == 1
    stops_as_any_other(server)


def stops_as_any_other(server: Server) -> None:
    """Assert that the server ends in order, with all of its processes."""
    processes = server.titles().keys()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait() == 0
    assert all(map(is_gone, processes))
    assert "Killed" not in server.log_path.read_text()


# -- the watch ------------------------------------------------------------------------------------


def verdict(watch: BuildWatch) -> str | None:
    """The verdict of the watch on a build, once it has been tried."""
    verdicts: list[str] = []

    def is_known() -> bool:
        verdicts.extend(each for each in [watch.poll()] if each is not None)
        return bool(verdicts)

    return verdicts[0] if soon(is_known) else None


def test_a_build_that_can_be_loaded_is_found(scratch: ScratchCopy, build: Path) -> None:
    watch = BuildWatch(os.environ, scratch.root)
    assert watch.poll() is None
    add_build(scratch.root, build)
    assert verdict(watch) == ""


def test_a_build_that_cannot_be_loaded_is_refused_with_the_reason(
    scratch: ScratchCopy, build: Path
) -> None:
    unit = next(add_build(scratch.root, build).glob(f"{compiled_engines.RUNTIME_MODULE}.*"))
    unit.write_bytes(b"broken")
    assert "ImportError" in (verdict(BuildWatch(os.environ, scratch.root)) or "")


def test_a_build_of_other_sources_is_not_found(scratch: ScratchCopy, build: Path) -> None:
    add_build(scratch.root, build)
    with (scratch.root / "tabularium_engines/base.py").open("a") as source:
        source.write("\n")
    watch = BuildWatch(os.environ, scratch.root)
    assert watch.poll() is None
    assert watch.trial is None


@pytest.mark.parametrize("mode", ["interpreted", "compiled"])
def test_a_mode_that_is_demanded_stays(mode: str) -> None:
    assert BuildWatch.if_useful({compiled_engines.MODE_VARIABLE: mode}) is None
