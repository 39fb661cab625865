"""A worker process of the benchmarks, from the point of view of its parent."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self


class WorkerProcess:
    """A long-lived process that reads a name and an amount per line, and answers with numbers."""

    def __init__(
        self, module: str, team: str, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, team],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, name: str, amount: float) -> list[float]:
        """The numbers that a round or a task returns."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        stdin.write(f"{name} {amount}\n")
        stdin.flush()
        numbers: list[float] = json.loads(stdout.readline())
        return numbers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        """End the process, by closing its input."""
        self._process.communicate()
