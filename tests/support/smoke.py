"""`python -m tests.support.smoke`: the lane of real processes, one test after the other.

One that fails runs once more, alone: if it passes then, it is reported as unsteady.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
FAILED: Final = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"


def run(*arguments: str) -> int:
    """Run pytest; its exit code."""
    command = [sys.executable, "-m", "pytest", "--lane=smoke", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    """Run the lane; the exit code."""
    FAILED.unlink(missing_ok=True)
    code = run(*arguments)
    if code != pytest.ExitCode.TESTS_FAILED:
        return code
    failed = json.loads(FAILED.read_text("utf-8"))
    code = run("--last-failed", *arguments)
    if code == 0:
        print(*(f"unsteady: {name}" for name in failed), sep="\n")  # noqa: T201
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
