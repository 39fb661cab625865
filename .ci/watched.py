"""`python3 .ci/watched.py COMMAND …`: runs a command and ends as it does, after last words.

They are each test that failed with the last line of its error, where a test hung, and the time,
memory and disk that were used; also if it is terminated. Nothing but Python is needed: a check may
fail before anything is installed.
"""

from __future__ import annotations

import re
import shutil
import signal
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
# of a stack that faulthandler prints
STACK = re.compile(r"Timeout \(|(Current thread|Thread) 0x")
FRAME = re.compile(r'  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>\S+)')


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


class Command:
    """A command whose errors are passed on; of the stacks among them, its own frames are kept."""

    def __init__(self, words: list[str]) -> None:
        self._frames: list[str] = []
        self._process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, errors="replace")
        # no part of it that lives on and holds the pipe keeps this process from ending
        self._thread = Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def run(self) -> int:
        """Its exit code, once it has ended, or this process is terminated."""
        try:
            self._process.wait()
        except Terminated:
            self._process.terminate()
            self._process.wait()
        self._thread.join(SECONDS_BETWEEN_SAMPLES)
        return self._process.returncode

    def hung(self) -> Iterator[str]:
        """Where tests hung."""
        yield from self._frames

    def _pass_on(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            sys.stderr.write(line)
            sys.stderr.flush()
            frame = FRAME.match(line)
            if STACK.match(line):
                self._frames.append(line.strip())
            elif frame and is_own(ROOT / frame["file"]):
                self._frames.append(f"  {frame['file']}:{frame['line']} in {frame['function']}")


def is_own(file: Path) -> bool:
    """Whether a file is one of this project."""
    return file.is_relative_to(ROOT) and not file.is_relative_to(ROOT / ".venv")


class Terminated(BaseException):
    """This process is asked to end."""


def end_with_words(*_: object) -> None:
    """Answer SIGTERM, once."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Terminated


def say(part: Callable[[], Iterator[str]]) -> None:
    """Print lines, or why there are none."""
    try:
        sys.stdout.writelines(f"{line}\n" for line in part())
    except (OSError, ET.ParseError) as problem:
        sys.stdout.write(f"{part.__name__}: {problem}\n")


def main(words: list[str]) -> int:
    """Run the command; its exit code."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    watch = Watch()
    command = Command(words)
    signal.signal(signal.SIGTERM, end_with_words)
    code = command.run()
    sys.stdout.write(f"\n{' '.join(words)} ended with {code}\n")
    for part in (failures, command.hung, watch.end, killed):
        say(part)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
