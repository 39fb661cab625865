"""The reload of a running server: a trial of the code and the settings as they are now, before the
supervisor replaces its image by them; and the file in which each supervisor reports the outcome."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from config.supervisor.build_watch import BuildWatch

BUILD_ANNOUNCEMENT: Final = "The engines are compiled: workers and web server take them over …"
RELOAD_ANNOUNCEMENT: Final = "The server reloads …"
TERMINAL: Final = Path("/dev/tty")


class Reloader:
    """Decides when a new image takes over: when it is asked for one that passes its trial, or when
    compiled engines appear."""

    def __init__(
        self,
        env: Mapping[str, str],
        build_watch: BuildWatch | None = None,
        status_file: StatusFile | None = None,
    ) -> None:
        self.env = env
        self.build_watch = build_watch
        self.status_file = status_file
        self.announcement = ""  # of a new image, which may take over now
        self.is_urgent = False  # although not every process works
        self._is_asked = False
        self._trial: subprocess.Popen[str] | None = None

    @property
    def status_descriptor(self) -> int | None:
        """The descriptor of the status file, which the next image goes on to write."""
        return self.status_file.descriptor if self.status_file else None

    def ask(self) -> None:
        """Ask for a reload; one that is asked for during another one follows it."""
        self._is_asked = True

    def poll(self) -> Iterator[str]:
        """Look for a new image; the complaints about those that cannot take over."""
        build_complaint = self.build_watch.poll() if self.build_watch else None
        if build_complaint:
            yield f"The compiled engines cannot be loaded: {build_complaint}"
        elif build_complaint == "":
            self.announcement = BUILD_ANNOUNCEMENT
        trial_complaint = self._trial_complaint()
        if trial_complaint:
            yield self.refuse(trial_complaint)
        elif trial_complaint == "":
            self.announcement, self.is_urgent = RELOAD_ANNOUNCEMENT, True

    def refuse(self, problem: str) -> str:
        """Report that the server runs on as it is; the line for the log."""
        self.announcement, self.is_urgent = "", False
        if self.status_file:
            self.status_file.count_refusal(problem)
        return f"The server was not reloaded: {problem}"

    def complete(self) -> str:
        """Report that this image has taken over from the one before; the line for the log."""
        if self.status_file:
            self.status_file.count_reload()
        return "The new processes have taken over."

    def _trial_complaint(self) -> str | None:
        """Why the server cannot be reloaded; empty if it can; None while that is not known."""
        if self._trial is None:
            if self._is_asked:
                self._is_asked, self._trial = False, self._start_trial()
            return None
        if self._trial.poll() is None:
            return None
        _, errors = self._trial.communicate()
        code, self._trial = self._trial.returncode, None
        if code == 0:
            return ""
        return (errors.strip() or f"exit code {code}").splitlines()[-1]

    def _start_trial(self) -> subprocess.Popen[str]:
        """A process that prepares all that the server needs, as its next image will, and ends."""
        return subprocess.Popen(
            [sys.executable, "-m", "django", *sys.argv[1:], "--trial"],
            env=dict(self.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )


def has_terminal() -> bool:
    """Whether this process has a terminal, which hangs up with SIGHUP."""
    try:
        os.close(os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


# -- the status of a supervisor -------------------------------------------------------------------


class Status(NamedTuple):
    """The last report of a supervisor."""

    pid: int
    reloads: int = 0  # that are complete
    refusals: int = 0
    problem: str = ""  # the reason of the last refusal

    @property
    def answers(self) -> int:
        """The number of reloads that were asked for and are over."""
        return self.reloads + self.refusals


@dataclass
class StatusFile:
    """The file with the status of this supervisor, which holds it locked as long as it runs."""

    path: Path
    descriptor: int

    @classmethod
    def open(cls, folder: Path, descriptor: int | None = None) -> StatusFile:
        """The file of this process, which an earlier image may have opened."""
        path = folder / f"{os.getpid()}.json"
        if descriptor is not None:
            return cls(path, descriptor)
        folder.mkdir(parents=True, exist_ok=True)
        file = cls(path, os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
        fcntl.flock(file.descriptor, fcntl.LOCK_EX)
        file.write(Status(os.getpid()))
        return file

    def read(self) -> Status:
        """The status that was written last."""
        return read_status(self.path) or Status(os.getpid())

    def write(self, status: Status) -> None:
        """Write a status, at once for all readers."""
        text = json.dumps(status._asdict()).encode()
        os.pwrite(self.descriptor, text.ljust(os.fstat(self.descriptor).st_size), 0)

    def count_reload(self) -> None:
        """Report that a reload is complete."""
        status = self.read()
        self.write(status._replace(reloads=status.reloads + 1))

    def count_refusal(self, problem: str) -> None:
        """Report that the server runs on as it is."""
        status = self.read()
        self.write(status._replace(refusals=status.refusals + 1, problem=problem))

    def remove(self) -> None:
        """Remove the file: the supervisor ends."""
        self.path.unlink(missing_ok=True)
        os.close(self.descriptor)


def read_status(path: Path) -> Status | None:
    """The status in a file, if it is whole."""
    with suppress(OSError, ValueError, TypeError):
        return Status(**json.loads(path.read_text()))
    return None


def running_supervisors(folder: Path) -> Iterator[Path]:
    """The files of the supervisors that run; those of killed ones are removed."""
    for path in sorted(folder.glob("*.json")):
        with path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield path
            else:
                path.unlink(missing_ok=True)


def ask_for_reload(status: Status) -> None:
    """Ask a supervisor to reload."""
    os.kill(status.pid, signal.SIGHUP)
