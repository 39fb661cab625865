"""A round of docs/monitor.py in a process that kills itself beside a step of writing its folder, or
in the middle of a write: `killed_monitor.py POINT URL DIR`."""

from __future__ import annotations

import os
import runpy
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

PATIENT = "--timeout=120"
POINTS = ("fsync", "replace", "ftruncate", "open")


def main(last: int, url: str, folder: str) -> int:
    """One round; its exit code."""
    program = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "monitor.py"))
    points = count(1)

    def pass_point(before: Callable[[], object] = lambda: None) -> None:
        if next(points) == last:
            before()
            os.kill(os.getpid(), signal.SIGKILL)

    def between_points(run: Callable[..., Any]) -> Callable[..., Any]:
        def passing(*values: Any) -> Any:
            pass_point()
            result = run(*values)
            pass_point()
            return result

        return passing

    write = os.write

    def torn(descriptor: int, content: memoryview) -> int:
        pass_point(lambda: write(descriptor, content[: len(content) // 2]))
        return write(descriptor, content)

    for name in POINTS:
        setattr(os, name, between_points(getattr(os, name)))
    setattr(os, "write", torn)  # noqa: B010  # of another type
    return int(program["main"]([url, "--state", folder, "--sample=0", PATIENT]))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), *sys.argv[2:]))
