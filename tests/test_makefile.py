"""The packages that the commands of the Makefile install on a fresh machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout in which nothing is installed, as far as make can tell."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    return tmp_path


def installed(folder: Path, *targets: str) -> list[str]:
    """The lock files that make would install, in order."""
    plan = subprocess.run(
        ["make", "--dry-run", *targets], cwd=folder, capture_output=True, text=True, check=True
    )
    files = re.findall(r"pip install [^;|]*-r requirements/([\w.]+)", plan.stdout)
    return list(dict.fromkeys(files))


@pytest.mark.parametrize("target", ["run", "play", "demo", "compile"])
def test_games_wait_for_nothing_but_what_they_import(fresh: Path, target: str) -> None:
    """mypyc is installed while it compiles."""
    assert installed(fresh, target) == ["installer.txt", "runtime.txt"]


@pytest.mark.parametrize("target", ["setup", "test", "check"])
def test_the_tests_bring_all_that_a_server_needs(fresh: Path, target: str) -> None:
    assert installed(fresh, target)[:2] == ["installer.txt", "dev.txt"]


def test_the_proofs_bring_the_libraries_that_tests_compare_with(fresh: Path) -> None:
    assert {"adapters.txt", "oracles.txt"} <= {*installed(fresh, "proofs")}
    assert not {"adapters.txt", "oracles.txt"} & {*installed(fresh, "check")}


def test_after_a_setup_nothing_is_left_to_install(fresh: Path) -> None:
    python = fresh / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    subprocess.run(["make", "setup"], cwd=fresh, capture_output=True, check=True)
    assert not installed(fresh, "setup", "run", "test")
