"""`manage.py mcp` without the extra `mcp`: one sentence, and nothing of it in other commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import warm_interpreter
from tests.support.databases import ROOT

ABSENT = "raise ModuleNotFoundError('no mcp')\n"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which the SDK is not installed."""
    (tmp_path / "mcp.py").write_text(ABSENT)
    return {**os.environ, "PYTHONPATH": str(tmp_path), "TABULARIUM_DATA": str(tmp_path)}


def manage(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of `manage.py`."""
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    return warm_interpreter.run(
        command, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("words", [["mcp"], ["mcp", "--help"]])
def test_it_says_in_a_sentence_how_to_install_it(
    environment: dict[str, str], words: list[str]
) -> None:
    process = manage(environment, *words)
    assert process.returncode == 1
    (line,) = process.stderr.splitlines()
    assert "pip install './clients/python[mcp]'" in line


def test_other_commands_do_not_need_it(environment: dict[str, str]) -> None:
    process = manage(environment, "help")
    assert process.returncode == 0
    assert "    mcp\n" in process.stdout


def test_options_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    environment = {**os.environ, "TABULARIUM_DATA": str(tmp_path)}
    process = manage(environment, "mcp", "--http", "--host", "0.0.0.0")
    assert process.returncode == 1
    assert "needs --allow-host" in process.stderr
