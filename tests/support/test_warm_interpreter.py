"""The warm interpreter runs programs as `subprocess` does, and faster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import warm_interpreter
from tests.support.warm_interpreter import affects_start, can_fork

pytestmark = pytest.mark.skipif(
    not warm_interpreter.IS_SUPPORTED, reason="other systems start every interpreter anew"
)
FACTS = """
import atexit, json, os, sys, threading
atexit.register(print, "at exit")
def finish(): threading.main_thread().join(); print("in a thread")
threading.Thread(target=finish).start()
print(json.dumps({
    "arguments": sys.argv, "first path": sys.path[0], "folder": os.getcwd(), "name": __name__,
    "environment": sorted(os.environ.items()), "parent": os.getppid(), "input": sys.stdin.read(),
    "is leader": os.getsid(0) == os.getpid(),
    "open": sorted(n for n in range(3, 200) if os.path.exists(f"/proc/self/fd/{n}")),
    "file": globals().get("__file__"), "is main": sys.modules["__main__"].__dict__ is globals(),
    "ignored": [n for n in range(1, 32) if __import__("signal").getsignal(n) == 1],
}))
"""
ENDINGS = {
    "done": "print('done')",
    "code": "import sys; sys.exit(3)",
    "sentence": "import sys; sys.exit('a sentence')",
    "signal": "import os; os.kill(os.getpid(), 9)",
    "interrupt": "raise KeyboardInterrupt",
    "error at exit": "import atexit; atexit.register(lambda: 1 / 0)",
}


def both(command: list[str | Path], **options: Any) -> list[subprocess.CompletedProcess[Any]]:
    """The command as a fork and as a new interpreter."""
    options = {"capture_output": True, "text": True, "check": False, **options}
    assert can_fork(command, options.get("env"))
    return [
        run([sys.executable, *command[1:]], **options)
        for run in (warm_interpreter.run, subprocess.run)
    ]


@pytest.mark.parametrize("kind", ["code", "file", "module"])
@pytest.mark.parametrize("is_leader", [False, True])
def test_a_program_finds_what_it_always_finds(kind: str, is_leader: bool, tmp_path: Path) -> None:
    (tmp_path / "facts.py").write_text(FACTS)
    words = {"code": ["-c", FACTS], "file": ["facts.py"], "module": ["-m", "facts"]}[kind]
    env = {name: value for name, value in os.environ.items() if affects_start(name)}
    env |= {"PYTHONPATH": ".", "LC_CTYPE": os.environ.get("LC_CTYPE", "C.UTF-8")}
    fork, new = both(
        [sys.executable, *words, "an argument"],
        cwd=tmp_path,
        env=env,
        start_new_session=is_leader,
        input="an input",
    )
    assert fork.stdout == new.stdout
    assert "an input" in fork.stdout
    assert fork.stdout.endswith("in a thread\nat exit\n")
    assert (fork.returncode, fork.stderr) == (0, "")


@pytest.mark.parametrize("source", ENDINGS.values(), ids=ENDINGS)
def test_a_program_ends_as_always(source: str) -> None:
    fork, new = both([sys.executable, "-c", source])
    assert (fork.returncode, fork.stdout) == (new.returncode, new.stdout)
    assert fork.stderr.splitlines()[-1:] == new.stderr.splitlines()[-1:]


def test_an_exception_is_written_and_fails() -> None:
    fork, new = both([sys.executable, "-c", "1 / 0"])
    assert fork.returncode == new.returncode == 1
    assert fork.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero"


def test_descriptors_and_signals_reach_it() -> None:
    source = "import os, signal; os.write({0}, b'!'); signal.pause()"
    reading, writing = os.pipe()
    command = [sys.executable, "-c", source.format(writing)]
    with warm_interpreter.Popen(command, pass_fds=[writing]) as process:
        os.close(writing)
        assert os.read(reading, 2) == b"!"
        process.terminate()
        assert process.wait() == -signal.SIGTERM
    assert os.read(reading, 1) == b""
    os.close(reading)


@pytest.mark.parametrize("is_ignored", [True, False])
@pytest.mark.parametrize("number", warm_interpreter.HANDLERS)
def test_it_ignores_the_signals_that_this_process_ignores(
    number: signal.Signals, is_ignored: bool
) -> None:
    handler = signal.SIG_IGN if is_ignored else warm_interpreter.HANDLERS[number]
    before = signal.signal(number, handler)
    try:
        source = f"import signal; print(signal.getsignal({int(number)}) == signal.SIG_IGN)"
        fork, new = both([sys.executable, "-c", source])
    finally:
        signal.signal(number, before)
    assert fork.stdout == new.stdout == f"{is_ignored}\n"


@pytest.mark.parametrize("is_buffered", [True, False])
def test_its_output_is_buffered_as_its_environment_says(is_buffered: bool) -> None:
    env = {n: v for n, v in os.environ.items() if n != warm_interpreter.UNBUFFERED}
    env |= {} if is_buffered else {warm_interpreter.UNBUFFERED: "1"}
    fork, new = both([sys.executable, "-c", "import os; print(1); os._exit(0)"], env=env)
    assert fork.stdout == new.stdout == ("" if is_buffered else "1\n")


def test_its_settings_are_read_from_its_own_environment(tmp_path: Path) -> None:
    source = "from django.conf import settings; print(settings.DATABASES['default']['NAME'])"
    for name in ("first", "second"):
        env = {"DJANGO_SETTINGS_MODULE": "config.settings", "TABULARIUM_DATA": str(tmp_path / name)}
        fork, new = both(
            [sys.executable, "-c", source], env={**os.environ, "DATABASE_URL": "", **env}
        )
        assert fork.stdout == new.stdout == f"{tmp_path / name / 'tabularium.sqlite3'}\n"


def test_it_has_imported_no_settings_and_no_model() -> None:
    source = (
        "import sys; from django.apps import apps; from django.conf import settings;"
        "print(settings.configured, apps.models_ready, {'config', 'api'} & {*sys.modules})"
    )
    fork = warm_interpreter.run([sys.executable, "-c", source], check=True, capture_output=True)
    assert fork.stdout == b"False False {'api'}\n"


@pytest.mark.parametrize(
    ("command", "env"),
    [
        ([sys.executable, "-I", "-c", "pass"], None),
        ([sys.executable], None),
        (["git", "--version"], None),
        ([sys.executable, "-c", "pass"], {"PYTHONHASHSEED": "1"}),
        ([sys.executable, "-c", "pass"], {"TABULARIUM_ENGINES": "another"}),
    ],
)
def test_other_commands_are_started_anew(
    command: list[str], env: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork: Callable[..., int] = lambda *_: pytest.fail("forked")  # noqa: E731
    monkeypatch.setattr(warm_interpreter._interpreter, "fork", fork)
    changes = None if env is None else {**os.environ, **env}
    process = warm_interpreter.run(command, check=True, env=changes, stdin=subprocess.DEVNULL)
    assert process.returncode == 0
