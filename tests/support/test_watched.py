"""The last words about a check: which test hung and where, also when the check is terminated."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

WATCHED: Final = Path(__file__).resolve().parents[2] / ".ci" / "watched.py"
HANGS: Final = """
import faulthandler, time

def hang():
    faulthandler.dump_traceback_later(0.01, exit={ends})
    time.sleep(3600)

hang()
"""
LEAVES_ONE: Final = """
import subprocess
subprocess.Popen(["sleep", "3600"])  # which has the same streams
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the watcher."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(WATCHED, tmp_path / ".ci")
    return tmp_path


@contextmanager
def watching(project: Path, program: str) -> Iterator[subprocess.Popen[str]]:
    """The watcher of a program of the project; both are gone at the end."""
    (project / "program.py").write_text(program)
    with subprocess.Popen(
        [sys.executable, ".ci/watched.py", sys.executable, str(project / "program.py")],
        cwd=project,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_say_where_it_hung(project: Path) -> None:
    with watching(project, HANGS.format(ends=True)) as process:
        words, errors = process.communicate()
    assert process.returncode == 1
    assert "Timeout (" in errors
    assert re.search(rf"^  {project / 'program.py'}:\d+ in hang$", words, re.MULTILINE)
    assert "\nmemory: " in words


def test_are_said_when_it_is_terminated(project: Path) -> None:
    with watching(project, HANGS.format(ends=False)) as process:
        assert process.stderr is not None
        assert any("<module>" in line for line in process.stderr)  # reads no further
        process.send_signal(signal.SIGTERM)
        words, _ = process.communicate()
    assert process.returncode == 128 + signal.SIGTERM
    assert " in hang\n" in words
    assert "\nmemory: " in words


def test_wait_for_no_process_that_is_left(project: Path) -> None:
    with watching(project, LEAVES_ONE) as process:
        assert process.wait() == 0
