"""A child that takes all it can get, in the place of games/audit/sandbox_child.py: memory, time
of a processor, or time. `python -m tests.games.audit.hungry APPETITE TASK SECONDS`."""

from __future__ import annotations

import sys
from io import BytesIO

from games.audit import sandbox_child

MUCH = 1 << 30  # bytes


def devoured(appetite: str) -> bytes:
    """What is read of an export that costs that much."""
    if appetite in ("memory", "memory-for-free"):
        return bytes(MUCH)[:1]
    while appetite == "processor":
        pass
    return sys.stdin.buffer.read() if appetite == "nothing" else b""


class Costly(BytesIO):
    """An export that costs something to read."""

    def readline(self, size: int | None = -1, /) -> bytes:
        """The first line, and there is no other."""
        return devoured(sys.argv[1])


def main() -> None:
    """Check it, under the limits of every check (or, to see what they are for, without)."""
    appetite, task, seconds = sys.argv[1:]
    sandbox_child.MAX_CPU_SECONDS = 1  # type: ignore[misc]  # nobody waits for twenty
    if not appetite.endswith("-for-free"):
        sandbox_child.restrict_resources(float(seconds))
    sys.stdout.buffer.writelines(sandbox_child.run_task(task, Costly()))


if __name__ == "__main__":
    main()
