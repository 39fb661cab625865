"""Python processes that start fast: forks of an interpreter that has imported the libraries and
most of the project.

A process of the service spends a second of processor time on imports before it does anything, and
the tests start hundreds. `Popen` takes the arguments of `subprocess.Popen`. For a command such as
`[sys.executable, "manage.py", …]` it asks a warm interpreter, one per process of pytest, to fork.
The fork runs that program with its own environment, so it reads the settings itself, and is a child
of this process like any other: the warm interpreter has imported nothing that reads settings, or
the environment, as it is imported.

Other commands are started as always, and so is everything on other systems than Linux. Tests of
imports, memory or a start itself use `subprocess`, and so do those that find a process by the
environment that /proc shows, which a fork cannot change.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

os.environ["SPT_NOENV"] = "1"  # a title must not overwrite the environment that /proc shows
import setproctitle

ROOT: Final = Path(__file__).resolve().parents[2]
IS_SUPPORTED: Final = sys.platform == "linux"
PR_SET_CHILD_SUBREAPER: Final = 36
UNBUFFERED: Final = "PYTHONUNBUFFERED"
# of the signals that a process may be started to ignore
HANDLERS: Final[Mapping[signal.Signals, Any]] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGHUP: signal.SIG_DFL,
}
TITLE_BYTES: Final = 500
MAX_DESCRIPTORS: Final = 16
NUMBER_BYTES: Final = 8  # of a request's length, and of a pid
MODULES: Final = (
    "ai.bot_registry",
    "ai.view_guard",
    "amqp",
    "api.openapi_schemas",
    "api.operation_problems",
    "api.option_forms",
    "api.shape_members",
    "api.shapes.accounts",
    "api.shapes.bots",
    "api.shapes.catalogue",
    "api.shapes.ratings",
    "api.shapes.readiness",
    "api.shapes.service",
    "api.shapes.streams",
    "api.shapes.webhooks",
    "asyncio",
    "billiard.connection",
    "celery.app.trace",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.prefork",
    "celery.worker.consumer",
    "charset_normalizer",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.ciphers.aead",
    "django.contrib.admin",
    "django.contrib.admindocs.views",
    "django.contrib.postgres.fields",
    "django.contrib.staticfiles.apps",
    "django.core.handlers.asgi",
    "django.core.management.commands.migrate",
    "django.core.servers.basehttp",
    "django.db.backends.postgresql.base",
    "django.db.backends.sqlite3.base",
    "django.test",
    "drf_spectacular.utils",
    "games.audit.export_writer",
    "tabularium_log.audit.replay_verifier",
    "tabularium_log.projection.log_replay",
    "tabularium_engines.installed.registry",
    "kombu.transport.redis",
    "openskill.models",
    "orjson",
    "prometheus_client",
    "psycopg",
    "pydantic.json_schema",
    "redis.asyncio",
    "rich.console",
    "rich.progress",
    "standardwebhooks",
    "uvicorn.main",
    "web.views",
    "whitenoise.middleware",
)


class Popen(subprocess.Popen[Any]):
    """A process, forked from the warm interpreter if it can be."""

    def _execute_child(self, args: Any, executable: Any, *rest: Any) -> None:
        """As subprocess does it, or by the warm interpreter."""
        (preexec, _, passed, cwd, env, _, _, shell, *pipes) = rest
        stdin, _, _, stdout, _, stderr, _, gid, gids, uid, umask, new_session, group = pipes
        is_usual = not (preexec or shell or gid or gids or uid or executable) and umask == -1
        if not (is_usual and group == -1 and can_fork(args, env)):
            super()._execute_child(args, executable, *rest)  # type: ignore[misc]
            return
        streams = enumerate((stdin, stdout, stderr))
        descriptors = {number: number if fd == -1 else fd for number, fd in streams}
        descriptors |= {fd: fd for fd in passed}
        request = {
            "words": [os.fspath(word) for word in args[1:]],
            "cwd": os.fspath(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
            "new_session": bool(new_session),
            "ignored": [each for each in HANDLERS if signal.getsignal(each) == signal.SIG_IGN],
        }
        self.pid = _interpreter.fork(request, descriptors)
        self._child_created = True
        self._close_pipe_fds(*pipes[:6])  # type: ignore[attr-defined]


def run(
    command: Sequence[str | Path], *, check: bool, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """As `subprocess.run`, by the warm interpreter."""
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    timeout, input_ = options.pop("timeout", None), options.pop("input", None)
    options |= {} if input_ is None else {"stdin": subprocess.PIPE}
    with Popen(command, **options) as process:
        try:
            output, errors = process.communicate(input_, timeout)
        except BaseException:
            process.kill()
            raise
    completed = subprocess.CompletedProcess(command, process.returncode, output, errors)
    if check:
        completed.check_returncode()
    return completed


def can_fork(args: Any, env: Mapping[str, str] | None) -> bool:
    """Whether the warm interpreter runs this command as a new interpreter would."""
    if not IS_SUPPORTED or isinstance(args, str | bytes) or os.fspath(args[0]) != sys.executable:
        return False
    env = os.environ if env is None else env
    is_same = all(
        env.get(name) == START_ENVIRONMENT.get(name)
        for name in {*env, *START_ENVIRONMENT}
        if affects_start(name) and name not in {"PATH", "PYTHONPATH"}
    )
    word = os.fspath(args[1]) if len(args) > 1 else "-"
    return is_same and (word in {"-c", "-m"} or not word.startswith("-"))


def affects_start(name: str) -> bool:
    """Whether an interpreter reads this variable before it runs a program."""
    is_read = name.startswith(("PYTHON", "LD_", "LC_ALL", "LANG")) or name == "TABULARIUM_ENGINES"
    return name == "PATH" or (is_read and name != UNBUFFERED)


START_ENVIRONMENT: Final = {n: value for n, value in os.environ.items() if affects_start(n)}


class WarmInterpreter:
    """The warm interpreter of this process, started when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def fork(self, request: Any, descriptors: Mapping[int, int]) -> int:
        """The pid of a new child of this process, that has our descriptors by its numbers."""
        body = json.dumps(request | {"targets": list(descriptors), "parent": os.getpid()}).encode()
        with self._lock:
            connection = self._socket or self._start()
            set_subreaper(is_on=True)  # the fork's own parent ends at once: then it is our child
            try:
                head = len(body).to_bytes(NUMBER_BYTES, "big")
                socket.send_fds(connection, [head], list(descriptors.values()))
                connection.sendall(body)
                return int.from_bytes(receive(connection, NUMBER_BYTES), "big")
            finally:
                set_subreaper(is_on=False)

    def _start(self) -> socket.socket:
        self._socket, other = socket.socketpair()
        descriptor = str(other.fileno()).ljust(TITLE_BYTES)  # leaves room for the titles of forks
        command = [sys.executable, "-m", "tests.support.warm_interpreter", descriptor]
        with other:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=START_ENVIRONMENT, pass_fds=[other.fileno()]
            )
        atexit.register(self.stop)
        return self._socket

    def stop(self) -> None:
        """End the warm interpreter; its forks go on."""
        if self._socket and self._process:
            self._socket.close()
            self._process.wait()


def set_subreaper(*, is_on: bool) -> None:
    """Whether orphaned descendants become children of this process."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, int(is_on), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def receive(connection: socket.socket, length: int) -> bytes:
    """Exactly so many bytes; EOFError if the peer is gone."""
    received = b""
    while len(received) < length:
        chunk = connection.recv(length - len(received))
        if not chunk:
            raise EOFError
        received += chunk
    return received


_interpreter: Final = WarmInterpreter()


# -- in the warm interpreter ----------------------------------------------------------------------


def await_request(connection: socket.socket) -> tuple[Any, list[int]]:
    """The next request, with its descriptors; SystemExit at the end of them."""
    head, descriptors, _, _ = socket.recv_fds(connection, NUMBER_BYTES, MAX_DESCRIPTORS)
    if not head:
        sys.exit()
    head += receive(connection, NUMBER_BYTES - len(head))
    return json.loads(receive(connection, int.from_bytes(head, "big"))), descriptors


def serve_forks(connection: socket.socket) -> Any:
    """Fork for each request; in a fork, return its request."""
    while True:
        request, descriptors = await_request(connection)
        reading, writing = os.pipe()
        if (middle := os.fork()) == 0:
            if pid := os.fork():
                os.write(writing, pid.to_bytes(NUMBER_BYTES, "big"))
                os._exit(0)
            connection.detach()
            adopt(request, descriptors)
            return request
        os.waitpid(middle, 0)
        connection.sendall(os.read(reading, NUMBER_BYTES))
        for descriptor in (reading, writing, *descriptors):
            os.close(descriptor)


def adopt(request: Any, descriptors: Sequence[int]) -> None:
    """Become a process of the requested kind: descriptors, folder, environment, session."""
    take_descriptors(descriptors, request["targets"])
    while os.getppid() != request["parent"]:
        os.sched_yield()
    if request["new_session"]:
        os.setsid()
    for number, handler in HANDLERS.items():
        signal.signal(number, signal.SIG_IGN if number in request["ignored"] else handler)
    os.chdir(request["cwd"])
    setproctitle.setproctitle(" ".join([sys.executable, *request["words"]])[:TITLE_BYTES])
    os.environ.clear()
    os.environ.update(request["env"])
    open_streams(is_buffered=UNBUFFERED not in os.environ)


def take_descriptors(descriptors: Sequence[int], targets: Sequence[int]) -> None:
    """Have these descriptors by those numbers, and no others."""
    sources = [os.dup(descriptor) for descriptor in descriptors]
    while min(sources) <= max(targets):  # no source may lie where a target comes
        sources = [os.dup(source) for source in sources]
    for source, target in zip(sources, targets, strict=True):
        os.dup2(source, target)
    for descriptor in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if descriptor not in targets:
            with suppress(OSError):
                os.close(descriptor)


def open_streams(*, is_buffered: bool) -> None:
    """Open the standard streams as the interpreter does."""
    buffering = -1 if is_buffered else 0
    input_, output, errors = (
        TextIOWrapper(
            open(number, mode, buffering, closefd=False),  # noqa: SIM115
            encoding=old.encoding,
            errors=old.errors,
            line_buffering=old is sys.stderr,
            write_through=not is_buffered,
        )
        for number, mode, old in (
            (0, "rb", sys.stdin),
            (1, "wb", sys.stdout),
            (2, "wb", sys.stderr),
        )
    )
    sys.stdin, sys.stdout, sys.stderr = input_, output, errors


def run_program(words: Sequence[str]) -> None:
    """Run a program as `python` does."""
    kind, *arguments = words
    if path := os.environ.get("PYTHONPATH"):
        sys.path[1:1] = [os.path.abspath(part) for part in path.split(os.pathsep)]  # noqa: PTH100
    if kind == "-c":
        sys.argv, sys.path[0] = ["-c", *arguments[1:]], ""
        module = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(arguments[0], "<string>", "exec"), module.__dict__)
    elif kind == "-m":
        sys.argv, sys.path[0] = arguments, os.getcwd()  # noqa: PTH109
        runpy._run_module_as_main(arguments[0])  # type: ignore[attr-defined]
    else:
        sys.argv, sys.path[0] = list(words), str(Path(kind).resolve().parent)
        module = sys.modules["__main__"] = ModuleType("__main__")
        module.__file__ = str(Path(kind).absolute())
        exec(compile(Path(kind).read_bytes(), kind, "exec"), module.__dict__)


def exit_code(words: Sequence[str]) -> int:
    """Run a program to its end; the exit code, as the interpreter's."""
    try:
        run_program(words)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
        return 1
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return 0


def end_process(words: Sequence[str]) -> NoReturn:
    """Run a program, and exit without clearing the modules, which would copy their memory."""
    code = 1
    try:
        code = exit_code(words)
        threading._shutdown()  # type: ignore[attr-defined]  # wait for threads, as at any exit
        atexit._run_exitfuncs()
    except BaseException:  # noqa: BLE001  # the last frame of this process
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def main() -> None:
    """Serve forks; in a fork, run its program."""
    for name in MODULES:
        importlib.import_module(name)
    gc.freeze()
    end_process(serve_forks(socket.socket(fileno=int(sys.argv[1])))["words"])


if __name__ == "__main__":
    main()
