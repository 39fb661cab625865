"""A server is reloaded under load: no connection is refused, no request fails, no stream has a gap;
and code that does not work is not taken over."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from bench.ports import free_port
from config.management.commands import serve
from config.supervisor import reload
from config.supervisor.process_specs import ProcessSpec
from config.supervisor.reload import Reloader, Status, StatusFile
from config.supervisor.supervisor import Supervisor
from tests.config.callers import Caller, Follower, stop_all
from tests.config.processes import PATIENCE, is_gone, soon
from tests.config.server import Server
from tests.support.databases import Kept
from tests.versions.scratch_copy import ScratchCopy

OPTIONS = ("--web=2", "--concurrency=1")
ANSWER = "The new processes have taken over.\n"

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")


@pytest.fixture
def server(kept: Kept, broker: str) -> Iterator[Server]:
    """A whole server with two web processes."""
    server = Server(kept, broker, *OPTIONS, TABULARIUM_STREAM_HEARTBEAT="1")
    try:
        assert soon(lambda: is_answering(server.port)), server.log_path.read_text()
        yield server
    finally:
        server.stop()


def is_answering(port: int) -> bool:
    """Whether a server answers."""
    try:
        return bool(get(port, "/api/v1/healthz").status == 200)
    except OSError:
        return False


def get(port: int, path: str) -> Any:
    """A reply that has been read."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


@pytest.mark.lane("processes")
@needs_proc
def test_under_load_nothing_is_refused_and_no_stream_has_a_gap(
    server: Server, games_count: Callable[[int, int], int]
) -> None:
    callers = [Caller(server.port, keeps_connection) for keeps_connection in (True, False)]
    followers = [Follower(caller) for caller in callers]
    for thread in (*callers, *followers):
        thread.start()
    try:
        assert soon(lambda: all(caller.games for caller in callers))
        for _ in range(games_count(2, 24)):
            old_processes = server.titles().keys() - {server.process.pid}
            done = [caller.done for caller in callers]
            assert server.reload() == ANSWER, server.log_path.read_text()
            assert all(map(is_gone, old_processes)), server.titles()
            assert soon(lambda: is_further(callers, done) or failures(callers, followers))  # noqa: B023
            assert not failures(callers, followers)
        followed = [follower.followed for follower in followers]
        assert soon(
            lambda: (
                all(map(int.__lt__, followed, [each.followed for each in followers]))
                or failures(callers, followers)
            )
        )
    finally:
        stop_all([*callers, *followers])
    assert not failures(callers, followers), server.log_path.read_text()
    assert all(follower.connections > follower.followed for follower in followers)


def is_further(callers: list[Caller], done: list[int]) -> bool:
    """Whether each has had further replies."""
    return all(caller.done > count for caller, count in zip(callers, done, strict=True))


def failures(callers: list[Caller], followers: list[Follower]) -> list[str]:
    """The failures of all."""
    threads: list[Caller | Follower] = [*callers, *followers]
    return [failure for thread in threads for failure in thread.failures]


# -- other code -----------------------------------------------------------------------------------


class ScratchServer:
    """A web server of a copy of the project."""

    def __init__(self, copy: ScratchCopy, port: int) -> None:
        self.root, self.port = copy.root, port
        env = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
        env.pop("DATABASE_URL", None)
        self.environment = {
            **env,
            "TABULARIUM_DATA": str(copy.root / "kept"),
            "PYTHONPATH": str(copy.root),
            "TABULARIUM_ENGINES": "interpreted",
        }
        self.log_path = copy.root / "log"
        with self.log_path.open("wb") as log_file:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--only=web", "--web=2", f"--port={port}"],
                cwd=copy.root,
                env=self.environment,
                stdout=log_file,
                stderr=subprocess.STDOUT,
            )

    def reload(self) -> tuple[int, str]:
        """The exit code of `manage.py reload`, and its output."""
        process = subprocess.run(
            [sys.executable, "manage.py", "reload"],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return process.returncode, process.stdout + process.stderr

    def edit(self, path: str, old: str, new: str) -> None:
        """Edit a file of the copy."""
        file = self.root / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))


@pytest.fixture
def scratch_server(tmp_path: Path) -> Iterator[ScratchServer]:
    """A server whose code the test may edit."""
    server = ScratchServer(ScratchCopy(tmp_path / "scratch"), free_port())
    try:
        assert soon(lambda: is_answering(server.port)), server.log_path.read_text()
        yield server
    finally:
        server.process.terminate()
        server.process.wait()


@pytest.mark.lane("processes")
def test_new_code_is_taken_over_on_the_same_socket_if_it_works(
    scratch_server: ScratchServer,
) -> None:
    def frame_options() -> str:
        return str(get(scratch_server.port, "/api/v1/healthz").headers["X-Frame-Options"])

    assert frame_options() == "DENY"
    scratch_server.edit("config/settings.py", '"DENY"', '"SAMEORIGIN"')
    scratch_server.edit("api/urls.py", "urlpatterns = ", "urlpatterns = half_an_upgrade + ")
    reason = "NameError: name 'half_an_upgrade' is not defined"
    output = f"CommandError: The server was not reloaded: {reason}\n"
    assert scratch_server.reload() == (1, output)
    assert frame_options() == "DENY"
    scratch_server.edit("api/urls.py", "half_an_upgrade + ", "")
    assert scratch_server.reload() == (0, ANSWER), scratch_server.log_path.read_text()
    assert frame_options() == "SAMEORIGIN"
    assert scratch_server.log_path.read_text().count("Tabularium: http") == 1


# -- the parts ------------------------------------------------------------------------------------


class TestHangUp:
    @pytest.fixture
    def supervisor(self) -> Supervisor:
        env = dict(os.environ)
        parts: list[ProcessSpec] = []
        supervisor = Supervisor(parts, env, lambda line: None, 1.0, reloader=Reloader(env))
        supervisor.had_terminal = True
        return supervisor

    @pytest.mark.parametrize(
        ("is_gone", "is_ignored", "stops"), [(False, False, 0), (True, False, 1), (True, True, 0)]
    )
    def test_stops_only_at_the_end_of_the_terminal(
        self,
        supervisor: Supervisor,
        monkeypatch: pytest.MonkeyPatch,
        is_gone: bool,
        is_ignored: bool,
        stops: int,
    ) -> None:
        monkeypatch.setattr("config.supervisor.supervisor.has_terminal", lambda: not is_gone)
        supervisor.is_hangup_ignored = is_ignored
        supervisor.hang_up(signal.SIGHUP, None)
        assert supervisor.stop_requests == stops

    def test_a_terminal_that_signals_its_end_is_gone(self) -> None:
        program = (
            "import signal, sys, time\n"
            "from config.supervisor.reload import has_terminal\n"
            "had = has_terminal()\n"
            "def end(*_):\n"
            "    open(sys.argv[1], 'w').write(f'{had} {has_terminal()}')\n"
            "    sys.exit()\n"
            "signal.signal(signal.SIGHUP, end)\n"
            "print('ready', flush=True)\n"
            "time.sleep(3600)\n"
        )
        path = Path(os.environ.get("TMPDIR", "/tmp")) / f"terminal-{os.getpid()}"
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(sys.executable, [sys.executable, "-c", program, str(path)])
        try:
            assert b"ready" in os.read(terminal, 100)
            os.close(terminal)
            os.waitpid(pid, 0)
            assert path.read_text() == "True False"
        finally:
            path.unlink(missing_ok=True)


class TestTheStatusFile:
    def test_counts_what_happened(self, tmp_path: Path) -> None:
        file = StatusFile.open(tmp_path / "supervisors")
        file.count_refusal("a very long reason, " * 10)
        file.count_reload()
        expected = Status(os.getpid(), 1, 1, "a very long reason, " * 10)
        assert reload.read_status(file.path) == expected
        assert StatusFile.open(tmp_path / "supervisors", file.descriptor).read() == expected
        file.remove()
        assert reload.read_status(file.path) is None

    def test_of_a_killed_supervisor_is_removed(self, tmp_path: Path) -> None:
        file = StatusFile.open(tmp_path)
        (tmp_path / "1.json").write_text(json.dumps(Status(1)._asdict()))
        assert list(reload.running_supervisors(tmp_path)) == [file.path]
        assert [*tmp_path.iterdir()] == [file.path]
        fcntl.flock(file.descriptor, fcntl.LOCK_UN)
        assert list(reload.running_supervisors(tmp_path)) == []
        file.remove()


class TestTheCommand:
    def test_needs_a_server(self, settings: Settings, tmp_path: Path) -> None:
        settings.SUPERVISORS = tmp_path / "missing"
        with pytest.raises(CommandError, match="No server runs"):
            call_command("reload")

    @pytest.mark.parametrize(
        ("answer", "match"),
        [
            (StatusFile.count_reload, None),
            (lambda file: file.count_refusal("it fails"), "not reloaded: it fails"),
            (lambda file: file.path.unlink(), "has ended"),
            (lambda file: None, "old processes still run"),
        ],
    )
    def test_waits_for_the_answer(
        self,
        answer: Callable[[StatusFile], None],
        match: str | None,
        settings: Settings,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        settings.SUPERVISORS = tmp_path
        file = StatusFile.open(tmp_path)
        monkeypatch.setattr(reload, "ask_for_reload", lambda status: answer(file))
        if match is None:
            call_command("reload")
        else:
            with pytest.raises(CommandError, match=match):
                call_command("reload", patience=0.2)
        file.remove()


def test_a_second_reload_is_tried_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:

    class Trial:
        returncode: int | None = None

        def poll(self) -> int | None:
            return self.returncode

        def communicate(self) -> tuple[str, str]:
            return "", "Traceback\nValueError: no"

    trials: list[Trial] = []

    def start(_: Reloader) -> Trial:
        trials.append(Trial())
        return trials[-1]

    monkeypatch.setattr(Reloader, "_start_trial", start)
    reloader = Reloader({})
    assert [*reloader.poll()] == []
    reloader.ask()
    assert [*reloader.poll()] == []
    reloader.ask()
    assert ([*reloader.poll()], len(trials)) == ([], 1)
    trials[0].returncode = 1
    assert [*reloader.poll()] == ["The server was not reloaded: ValueError: no"]
    assert not reloader.announcement
    assert ([*reloader.poll()], len(trials)) == ([], 2)
    trials[1].returncode = 0
    assert [*reloader.poll()] == []
    assert reloader.announcement
    assert reloader.is_urgent


def test_a_trial_builds_the_document_of_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve.Command, "prepare_database", lambda command: None)
    modules: dict[str, object] = {
        "config.asgi": None,  # which would begin to watch the keys of this process
        "api.schema": SimpleNamespace(openapi_document=lambda: 1 / 0),
    }
    monkeypatch.setattr(serve, "import_module", modules.__getitem__)
    with pytest.raises(ZeroDivisionError):
        serve.Command().try_out(["web"])


@pytest.mark.parametrize(
    ("name", "names", "successors"),
    [
        ("web", ["web"], ["web"]),
        ("web", ["web-1", "web-2", "worker"], ["web-1", "web-2"]),
        ("web-2", ["web-1", "web-2"], ["web-2"]),
        ("web-3", ["web-1", "web-2"], ["web-1", "web-2"]),
        ("errands", ["worker", "web"], []),
    ],
)
def test_successors_have_the_name_or_the_kind(
    name: str, names: list[str], successors: list[str]
) -> None:
    parts = [ProcessSpec(each, ()) for each in names]
    supervisor = Supervisor(parts, dict(os.environ), lambda line: None, 1.0)
    assert [child.spec.name for child in supervisor.successors_of(name)] == successors
