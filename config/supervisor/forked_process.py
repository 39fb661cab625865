"""A forked process that runs a Python module, with the interface of `subprocess.Popen`.

The supervisor has imported the whole service before it forks. So its children start at once, also
when they are replaced, run the same version of the code, and share the memory of their modules.
"""

from __future__ import annotations

import atexit
import os
import runpy
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import Final, NoReturn

from config.supervisor import tether
from config.supervisor.process_specs import tethered_command

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FIRST_DESCRIPTOR: Final = 3  # after the standard streams
IS_FORK_SAFE: Final = sys.platform != "darwin"  # the frameworks of macOS do not survive a fork

os.environ["SPT_NOENV"] = "1"  # a title must not overwrite the environment that /proc shows
import setproctitle  # noqa: E402


class ForkedProcess:
    """The process, in a session of its own. Its output is read from `output_descriptor`."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        env: Mapping[str, str],
        descriptors: Iterable[int] = (),
    ) -> None:
        self.exit_code: int | None = None
        parent = os.getpid()
        self.output_descriptor, output = os.pipe()
        flush_output()
        # until the child has its own handlers, a signal to it must wait
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        self.pid = os.fork()
        if self.pid == 0:
            _run_child(parent, output, name, command, env, descriptors)
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)
        os.close(output)

    @classmethod
    def adopt(cls, pid: int, output_descriptor: int) -> ForkedProcess:
        """The process that this one forked before it replaced its own image."""
        process = cls.__new__(cls)
        process.exit_code, process.pid = None, pid
        process.output_descriptor = output_descriptor
        return process

    def poll(self) -> int | None:
        """The exit code, negative if a signal ended the process; None while it runs."""
        return self._wait(os.WNOHANG)

    def wait(self) -> int:
        """Wait for the end of the process; the exit code."""
        code = self._wait(0)
        assert code is not None
        return code

    def _wait(self, options: int) -> int | None:
        if self.exit_code is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
        return self.exit_code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill_group(self) -> None:
        """Kill the process and its descendants, even after its own end."""
        with suppress(ProcessLookupError, PermissionError):  # macOS raises this for zombies
            os.killpg(self.pid, signal.SIGKILL)
        self.send_signal(signal.SIGKILL)  # a process that has just been forked leads no group yet

    def close(self) -> None:
        """Close the pipe of its output."""
        os.close(self.output_descriptor)


# -- in the child ---------------------------------------------------------------------------------


def _redirect_streams(output: int) -> None:
    """Write to the pipe, and read nothing."""
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, 0), (output, 1), (output, 2)):
        os.dup2(source, target)


def _close_all_but(descriptors: Iterable[int]) -> None:
    """Close the supervisor's descriptors, except for these."""
    first = FIRST_DESCRIPTOR
    for descriptor in sorted(descriptors):
        os.closerange(first, descriptor)
        first = descriptor + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))


def _run_child(
    parent: int,
    output: int,
    name: str,
    command: Sequence[str],
    env: Mapping[str, str],
    descriptors: Iterable[int],
) -> NoReturn:
    """Run the module and exit. This never returns into the frames of the supervisor, so nothing
    that they refer to is freed, closed or killed here."""
    code = 1
    try:
        _redirect_streams(output)
        _close_all_but(descriptors)
        os.setsid()
        _restore_signals()
        if not IS_FORK_SAFE:
            _execute(parent, command, env, descriptors)
        setproctitle.setproctitle(f"tabularium: {name}")  # while the environment is in its place
        atexit._clear()
        os.environ.clear()
        os.environ.update(env)
        tether.tie_to_parent(parent)
        code = _run_module(*command)
        threading._shutdown()  # type: ignore[attr-defined]  # wait for threads, as at any exit
        atexit._run_exitfuncs()
    except BaseException:  # noqa: BLE001  # the last frame of this process
        traceback.print_exc()
    finally:
        flush_output()
        os._exit(code)


def _restore_signals() -> None:
    """Let signals act as on a new process; those that are ignored remain so."""
    for number in STOP_SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _execute(
    parent: int, command: Sequence[str], env: Mapping[str, str], descriptors: Iterable[int]
) -> NoReturn:
    """Replace this process by a new interpreter that runs the module."""
    for descriptor in descriptors:
        os.set_inheritable(descriptor, True)
    arguments = tethered_command(parent, command)
    os.execve(arguments[0], arguments, env)


def _run_module(module: str, *arguments: str) -> int:
    """Run `python -m module arguments…` in this process; the exit code."""
    sys.argv = [module, *arguments]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(write_through=True)  # the supervisor relays lines at once
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)  # noqa: T201  # as the interpreter does
        return 1
    return 0


def flush_output() -> None:
    """Write the buffers of the standard streams."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
