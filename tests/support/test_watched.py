"""The last words about a check: which test hung and where, also when the check is terminated."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
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
print(subprocess.Popen(["sleep", "3600"]).pid, flush=True)  # which has the same streams
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the watcher."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(WATCHED, tmp_path / ".ci")
    return tmp_path


def watch(project: Path, program: str) -> subprocess.Popen[str]:
    """Watch a program of the project."""
    (project / "program.py").write_text(program)
    return subprocess.Popen(
        [sys.executable, ".ci/watched.py", sys.executable, str(project / "program.py")],
        cwd=project,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_say_where_it_hung(project: Path) -> None:
    process = watch(project, HANGS.format(ends=True))
    words, errors = process.communicate()
    assert process.returncode == 1
    assert "Timeout (" in errors
    assert re.search(rf"^  {project / 'program.py'}:\d+ in hang$", words, re.MULTILINE)
    assert "\nmemory: " in words


def test_are_said_when_it_is_terminated(project: Path) -> None:
    process = watch(project, HANGS.format(ends=False))
    assert process.stderr is not None
    assert any("<module>" in line for line in process.stderr)  # reads no further
    process.send_signal(signal.SIGTERM)
    words, _ = process.communicate()
    assert process.returncode == 128 + signal.SIGTERM
    assert " in hang\n" in words
    assert "\nmemory: " in words


def test_wait_for_no_process_that_is_left(project: Path) -> None:
    process = watch(project, LEAVES_ONE)
    assert process.stdout is not None
    left = int(process.stdout.readline())
    try:
        assert process.wait() == 0
    finally:
        os.kill(left, signal.SIGKILL)
        process.communicate()
