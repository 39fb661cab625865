"""Specifications of the server's processes: the command line of each."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from config.supervisor.heartbeat import HeartbeatTimeouts

SERVER_PARTS: Final = ("web", "worker", "sweeper")
BOTS_QUEUE: Final = "bots"  # the bots' queue; other work has its own:
ANALYSES_QUEUE: Final = "analyses"  # analyses must not delay bots …
DEFAULT_QUEUE: Final = "default"  # … and neither must a slow webhook receiver
DEFAULT_TIMEOUTS: Final = HeartbeatTimeouts()
MAX_SWEEPER_STEP_SECONDS: Final = 60.0  # seconds; above the time limit of a statement


@dataclass(frozen=True)
class ProcessSpec:
    """A process to keep alive: a Python module with its arguments, inherited descriptors, and
    heartbeat timeouts (None: it sends no heartbeats)."""

    name: str
    command: tuple[str, ...]
    inherited_descriptors: tuple[int, ...] = ()
    timeouts: HeartbeatTimeouts | None = None


def web_process(descriptor: int, timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The web server. The supervisor owns its socket, so that clients that connect during a restart
    wait instead of being refused."""
    return ProcessSpec("web", ("config.web", str(descriptor)), (descriptor,), timeouts)


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


def default_worker_process(timeouts: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The Celery worker for all other tasks."""
    return _worker_process("errands", DEFAULT_QUEUE, 1, timeouts)


def _worker_process(
    name: str, queue: str, concurrency: int, timeouts: HeartbeatTimeouts
) -> ProcessSpec:
    options = ["--pool=prefork", f"--concurrency={concurrency}", f"--queues={queue}"]
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
