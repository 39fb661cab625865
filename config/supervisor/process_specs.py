"""Specifications of the server's processes: the command line of each."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from config.supervisor.heartbeat import HeartbeatTimeouts

WEB: Final = "web"
SERVER_PARTS: Final = (WEB, "worker", "sweeper")
BOTS_QUEUE: Final = "bots"  # the bots' queue; other work has its own:
ANALYSES_QUEUE: Final = "analyses"  # analyses must not delay bots …
WEBHOOKS_QUEUE: Final = "webhooks"  # … neither must a slow webhook receiver …
RATINGS_QUEUE: Final = "ratings"  # … and thousands of finished games must not delay webhooks
DEFAULT_QUEUE: Final = "default"  # everything else
DRAIN_SIGNAL: Final = signal.SIGUSR2  # lets a web server end after its last connection
DEFAULT_TIMEOUTS: Final = HeartbeatTimeouts()
MAX_SWEEPER_STEP_SECONDS: Final = 60.0  # seconds; above the time limit of a statement


@dataclass(frozen=True)
class ProcessSpec:
    """A process to keep alive: a Python module with its arguments, inherited descriptors, and
    heartbeat timeouts (None: it sends no heartbeats). One that `drains` works beside its successor
    until it is drained. One that runs `once` is not restarted."""

    name: str  # its kind, and its number if there are several
    command: tuple[str, ...]
    inherited_descriptors: tuple[int, ...] = ()
    timeouts: HeartbeatTimeouts | None = None
    drains: bool = False
    once: bool = False

    @property
    def kind(self) -> str:
        """The kind of process, such as "web"."""
        return self.name.partition("-")[0]


def web_processes(
    descriptor: int, count: int, timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS
) -> Iterator[ProcessSpec]:
    """The web server: processes that accept from the same socket. The supervisor owns it, so that
    clients that connect during a restart wait instead of being refused."""
    command = ("config.web", str(descriptor))
    names = [WEB] if count == 1 else [f"{WEB}-{number}" for number in range(1, count + 1)]
    for name in names:
        yield ProcessSpec(name, command, (descriptor,), timeouts, drains=True)


def bot_worker_process(
    concurrency: int, timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS
) -> ProcessSpec:
    """The Celery worker for bots, with one process per bot that may search at once."""
    return _worker_process("worker", BOTS_QUEUE, concurrency, timeouts)


def analysis_worker_process(
    concurrency: int, timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS
) -> ProcessSpec:
    """The Celery worker for analyses, which run when the bots are idle."""
    return _worker_process("analysts", ANALYSES_QUEUE, concurrency, timeouts)


def errand_worker_process(timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The Celery worker for webhooks, and for all tasks without a queue of their own."""
    return _worker_process("errands", f"{WEBHOOKS_QUEUE},{DEFAULT_QUEUE}", 1, timeouts)


def rating_worker_process(timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The Celery worker for ratings. Its tasks end by themselves, so it runs them in its only
    process, without a pool that could stop them, which takes half the memory."""
    return _worker_process("raters", RATINGS_QUEUE, 1, timeouts, pool="solo")


def _worker_process(
    name: str, queues: str, concurrency: int, timeouts: HeartbeatTimeouts, pool: str = "prefork"
) -> ProcessSpec:
    options = [f"--pool={pool}", f"--concurrency={concurrency}", f"--queues={queues}"]
    quiet_options = [
        "--loglevel=WARNING",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    ]
    node = f"--hostname={name}@%h"
    command = ("celery", "--quiet", "--app=config", "worker", node, *options, *quiet_options)
    return ProcessSpec(name, command, timeouts=timeouts)


def sweeper_process(timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The sweeper, which watches games at which nothing happens. Its step for one game may take
    long on a slow database."""
    seconds = max(MAX_SWEEPER_STEP_SECONDS, timeouts.silence_seconds, timeouts.idle_seconds)
    timeouts = replace(timeouts, silence_seconds=seconds, idle_seconds=seconds)
    return ProcessSpec("sweeper", ("django", "sweep"), timeouts=timeouts)


def compiler_process() -> ProcessSpec:
    """The compiler of the engines, beside the server."""
    return ProcessSpec("compiler", ("config.engine_compiler", "--beside"), once=True)


def open_listener(host: str, port: int) -> int:
    """The descriptor of a listening socket, on which clients may queue at once; it stays open until
    this process ends."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024).detach()


def process_environment(source: Path) -> dict[str, str]:
    """The environment of a process: the current one, with this source folder on the Python path."""
    import_paths = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
    overrides = {"PYTHONPATH": os.pathsep.join(import_paths), "PYTHONUNBUFFERED": "1"}
    defaults = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return {**defaults, **os.environ, **overrides}


def tethered_command(parent: int, command: Sequence[str]) -> list[str]:
    """The command line of a process that dies with its parent."""
    return [sys.executable, "-m", "config.supervisor.run_tethered", str(parent), *command]
