"""`python3 .ci/watched.py COMMAND …`: runs a command and ends as it does, after last words.

They are each test that failed with the last line of its error, and the memory and disk that were
used. Nothing but Python is needed: a check may fail before anything is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "junit"  # a file for each round, as the Makefile names them
MEMORY = Path("/proc/meminfo")
SECONDS_BETWEEN_SAMPLES = 1.0
GIB = 2**30


class Watch:
    """How much memory and disk a command takes, of all processes together."""

    def __init__(self) -> None:
        self.started_at = monotonic()
        self.memory_before, self.disk_before = available_memory(), shutil.disk_usage(ROOT).free
        self.least_memory = self.memory_before
        self._is_over = Event()
        self._thread = Thread(target=self._sample, daemon=True)
        self._thread.start()

    def _sample(self) -> None:
        while not self._is_over.wait(SECONDS_BETWEEN_SAMPLES):
            self.least_memory = min(self.least_memory, available_memory())

    def end(self) -> Iterator[str]:
        """Stop, and tell."""
        self._is_over.set()
        self._thread.join()
        disk = shutil.disk_usage(ROOT).free
        taken = self.memory_before - self.least_memory
        yield f"time: {monotonic() - self.started_at:.0f} s"
        yield f"memory: {gib(taken)} taken at most, {gib(self.least_memory)} left then"
        yield f"disk: {gib(self.disk_before - disk)} taken, {gib(disk)} left"


def available_memory() -> int:
    """The bytes that programs could still take; 0 where the system does not tell."""
    if not MEMORY.exists():
        return 0
    lines = dict(line.split(":", 1) for line in MEMORY.read_text("ascii").splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024


def gib(size: int) -> str:
    """A size in words."""
    return f"{size / GIB:.1f} GiB"


def failures() -> Iterator[str]:
    """A line for each test that failed, with the last line of its error."""
    for file in sorted(RESULTS.glob("*.xml")):
        for case in ET.parse(file).iter("testcase"):
            for problem in [*case.findall("failure"), *case.findall("error")]:
                lines = [line for line in (problem.text or "").splitlines() if line[:1] == "E"]
                reason = lines[-1] if lines else problem.get("message", "")
                name = f"{case.get('classname')}::{case.get('name')}"
                yield f"{file.stem}: {name}: {reason.removeprefix('E').strip()[:300]}"


def killed() -> Iterator[str]:
    """What the kernel says of processes that it killed for memory."""
    log = subprocess.run(["dmesg"], capture_output=True, text=True, check=False).stdout
    for line in log.splitlines():
        if "Out of memory" in line or "oom-kill" in line:
            yield f"kernel: {line.strip()}"


def say(part: Callable[[], Iterator[str]]) -> None:
    """Print lines, or why there are none."""
    try:
        sys.stdout.writelines(f"{line}\n" for line in part())
    except (OSError, ET.ParseError) as problem:
        sys.stdout.write(f"{part.__name__}: {problem}\n")


def main(command: list[str]) -> int:
    """Run the command; its exit code."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    watch = Watch()
    code = subprocess.run(command, check=False).returncode
    sys.stdout.write(f"\n{' '.join(command)} ended with {code}\n")
    for part in (failures, watch.end, killed):
        say(part)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
