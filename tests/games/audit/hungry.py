"""A child process that exhausts memory, processor time or wall time, run in place of
games/audit/sandbox_child.py: `python -m tests.games.audit.hungry APPETITE TASK SECONDS`."""

from __future__ import annotations

import sys
from io import BytesIO

from games.audit import sandbox_child

MUCH = 1 << 30  # bytes


def costly_export(appetite: str) -> bytes:
    """The bytes of an export whose reading costs that resource."""
    if appetite in ("memory", "memory-for-free"):
        return bytes(MUCH)[:1]
    while appetite == "processor":
        pass
    return sys.stdin.buffer.read() if appetite == "nothing" else b""


class Costly(BytesIO):
    """An export that is expensive to read."""

    def readline(self, size: int | None = -1, /) -> bytes:
        """The only line."""
        return costly_export(sys.argv[1])


def main() -> None:
    """Check the export under the limits of every check, or without them, to show their effect."""
    appetite, task, seconds = sys.argv[1:]
    sandbox_child.MAX_CPU_SECONDS = 1  # type: ignore[misc]  # 20 seconds would slow the test
    if not appetite.endswith("-for-free"):
        sandbox_child.restrict_resources(float(seconds))
    sys.stdout.buffer.writelines(sandbox_child.run_task(task, Costly()))


if __name__ == "__main__":
    main()
